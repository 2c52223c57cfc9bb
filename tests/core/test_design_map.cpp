// SPDX-License-Identifier: BSD-3-Clause
// The sums of a design's map: the same bits on any number of threads, however the work is cut.
#include <doctest/doctest.h>

#include <claros/element/element.hpp>
#include <claros/element/parallel.hpp>
#include <claros/map/design_map.hpp>
#include <shared/losses/gaussian_rows.hpp>

#include "environment_variable.hpp"
#include "test_files.hpp"

#include <cmath>
#include <numeric>

using namespace claros;

namespace {

using Vector = std::vector<double>;

template <class Real>
std::shared_ptr<DesignMap> gaussian_map(Index rows, Index cols, bool intercept) {
  auto design = std::make_shared<Design>();
  design->rows = rows, design->cols = cols;
  design->entries = sdk::made_rows<Real>(
      rows, cols, [&](Index i, std::span<double> row) { sdk::row_stream(3, 1, i, cols).fill_normal(row); });
  return std::make_shared<DesignMap>(design, Shape::vector(cols), 1, intercept);
}

Vector numbers(Index count, std::uint64_t seed) {
  Vector made(static_cast<std::size_t>(count));
  RandomStream(seed, Purpose::test).fill_normal(made);
  return made;
}

/// c_k = z_k - k, which a wrong place would show.
void minus_place(Index first, std::span<const double> z, std::span<double> c) {
  for (std::size_t k = 0; k < z.size(); ++k)
    c[k] = z[k] - static_cast<double>(static_cast<std::size_t>(first) + k);
}

/// What the map makes of x and a list of rows: image, both full adjoints, batches in two readings and in one.
struct Made {
  Vector image, trip, adjoint, batch_image, folded, listed;
  bool operator==(const Made&) const = default;
};

Made make(const std::shared_ptr<DesignMap>& map, std::span<const Index> list, int threads) {
  const ThreadScope scope(threads);
  const Element x = Element::dense(map->domain(), numbers(map->domain().size(), 5));
  const auto n = static_cast<std::size_t>(map->size()), p = static_cast<std::size_t>(map->domain().size());
  Made made{Vector(n), Vector(p), Vector(p), Vector(list.size()), {}, {}};
  map->round_trip(x, minus_place, made.image, made.trip);
  Vector c(n);
  minus_place(0, made.image, c);
  map->add_adjoint(c, made.adjoint);
  map->dot(list, x, made.batch_image);
  Vector some(list.size());
  minus_place(0, made.batch_image, some);
  Element folded = Element::dense(map->domain(), Vector(p, 1.0)), listed = folded;
  map->fold(1.0, AdjointForm{map, {}, {list.begin(), list.end()}, some}, folded);
  map->list_trip(list, x, minus_place, listed);
  made.folded = folded.to_dense(), made.listed = listed.to_dense();
  return made;
}

double difference(const Vector& a, const Vector& b) {
  double most = 0.0, size = 0.0;
  for (std::size_t j = 0; j < a.size(); ++j)
    most = std::max(most, std::abs(a[j] - b[j])), size = std::max(size, std::abs(b[j]));
  return most / size;
}

template <class Real>
void check_sums(Index rows, Index cols, bool intercept) {
  CAPTURE(rows);
  CAPTURE(cols);
  const auto map = gaussian_map<Real>(rows, cols, intercept);
  Vector drawn(101);
  std::vector<Index> list;
  RandomStream random(9, Purpose::test);
  for (std::size_t k = 0; k < drawn.size(); ++k) list.push_back(random.index(rows));
  const Made one = make(map, list, 1);
  for (const int threads : {2, 3, 8}) CHECK(make(map, list, threads) == one);
  CHECK(one.trip == one.adjoint);
  for (std::size_t k = 0; k < list.size(); ++k)
    REQUIRE(one.batch_image[k] == one.image[static_cast<std::size_t>(list[k])]);
  CHECK(difference(one.listed, one.folded) < 1e-13);
  // Beside plain loops in long double.
  const Vector x = numbers(map->domain().size(), 5);
  std::vector<long double> sum(x.size());
  Vector row(static_cast<std::size_t>(cols));
  for (Index i = 0; i < rows; ++i) {
    map->design()->row(i, row);
    const long double z = std::inner_product(row.begin(), row.end(), x.begin(),
                                             intercept ? static_cast<long double>(x.back()) : 0.0L);
    REQUIRE(static_cast<double>(z) == doctest::Approx(one.image[static_cast<std::size_t>(i)]).epsilon(1e-11));
    for (std::size_t j = 0; j < row.size(); ++j)
      sum[j] += (z - static_cast<long double>(i)) * static_cast<long double>(row[j]);
    if (intercept) sum.back() += z - static_cast<long double>(i);
  }
  CHECK(difference(one.trip, Vector(sum.begin(), sum.end())) < 1e-12);
}

}  // namespace

TEST_CASE("design map: the sums of dense rows are right, with the same bits on any number of threads") {
  for (const bool intercept : {false, true}) {
    check_sums<double>(700, 1037, intercept);
    check_sums<float>(703, 519, intercept);
    check_sums<double>(40, 9001, intercept);  // blocks of four rows
    check_sums<float>(9000, 67, intercept);   // more than eight chunks
    check_sums<double>(11, 3, intercept);
  }
}

TEST_CASE(
    "design map: a list is fused where its rows are more than a cache holds, and where there is one output") {
  const auto map = gaussian_map<double>(4, 1 << 16, false);  // half a megabyte a row
  CHECK_FALSE(map->fuses_list(32));
  CHECK(map->fuses_list(33));
  const auto single = gaussian_map<float>(4, 1 << 16, false);
  CHECK_FALSE(single->fuses_list(64));
  CHECK(single->fuses_list(65));
  CHECK_FALSE(DesignMap(map->design(), Shape::vector(2 << 16), 2).fuses_list(1000));
}

TEST_CASE(
    "design map: a copy by columns that memory does not hold is refused with its size, and made where it "
    "does") {
  const auto map = gaussian_map<double>(60, 50, false);
  {
    const EnvironmentVariable memory("CLAROS_MEMORY", "20KiB");
    check_mentions(complaint([&] { (void)map->columns(); }),
                   {"data", "copy by columns", "60 x 50", "23 KiB of memory", "allows 20 KiB", "by rows"});
  }
  CHECK(map->columns()->count() == 50);
}

namespace {

/// Every third entry 0.
Vector with_zeros(Index count) {
  Vector values = numbers(count, 17);
  for (std::size_t k = 0; k < values.size(); k += 3) values[k] = 0.0;
  return values;
}

std::shared_ptr<DesignMap> map_of(
    std::variant<DenseRows<double>, DenseRows<float>, SparseRows<double>, SparseRows<float>> entries,
    Index rows, Index cols, bool intercept) {
  auto design = std::make_shared<Design>();
  design->rows = rows, design->cols = cols;
  design->entries = std::move(entries);
  require_consistent(*design, "test", false);
  return std::make_shared<DesignMap>(design, Shape::vector(cols), 1, intercept);
}

/// The same entries by columns, dense or sparse, and by rows.
struct Layouts {
  std::shared_ptr<DesignMap> by_rows, by_columns;

  Layouts(Index rows, Index cols, bool sparse, bool intercept) {
    const Vector column_major = with_zeros(rows * cols);
    DenseRows<double> plain{Vector(column_major.size())};
    std::vector<Index> start{0};
    std::vector<std::int32_t> row;
    Vector value;
    for (Index j = 0; j < cols; ++j) {
      for (Index i = 0; i < rows; ++i) {
        const double a = column_major[static_cast<std::size_t>(j * rows + i)];
        plain.values[static_cast<std::size_t>(i * cols + j)] = a;
        if (a != 0.0) row.push_back(static_cast<std::int32_t>(i)), value.push_back(a);
      }
      start.push_back(static_cast<Index>(value.size()));
    }
    by_rows = map_of(std::move(plain), rows, cols, intercept);
    if (sparse) {
      SparseRows<double> held;
      held.by_columns = std::make_shared<const ColumnEntries>(
          Columns::sparse(rows, std::move(start), std::move(row), std::move(value)));
      by_columns = map_of(std::move(held), rows, cols, intercept);
    } else {
      DenseRows<double> held;
      held.by_columns = std::make_shared<const ColumnEntries>(Columns::dense(rows, column_major));
      by_columns = map_of(std::move(held), rows, cols, intercept);
    }
  }
};

void check_columns(Index rows, Index cols, bool sparse, bool intercept) {
  CAPTURE(rows);
  CAPTURE(sparse);
  CAPTURE(intercept);
  const Layouts maps(rows, cols, sparse, intercept);
  const auto& map = maps.by_columns;
  const std::vector<Index> list{rows - 1, 0, rows / 2, 0};
  const Element x = Element::dense(map->domain(), numbers(map->domain().size(), 5));
  Vector image(static_cast<std::size_t>(rows), 1.0), expected = image;
  map->apply(2.0, x, 0.5, image);
  maps.by_rows->apply(2.0, x, 0.5, expected);
  CHECK(difference(image, expected) < 1e-13);
  CHECK(difference(map->squared_norms(), maps.by_rows->squared_norms()) < 1e-13);
  const std::vector<Index> chosen{map->domain().size() - 1, 0, cols / 2};
  const Element part = Element::dense(Shape::vector(3), {1.0, -2.0, 0.5});
  map->restricted(chosen)->apply(1.0, part, 0.0, image);
  maps.by_rows->restricted(chosen)->apply(1.0, part, 0.0, expected);
  CHECK(difference(image, expected) < 1e-13);
  CHECK(map->columns()->count() == map->domain().size());
  for (Index j = 0; j < map->columns()->count(); ++j)
    CHECK(map->columns()->dot(j, image) ==
          doctest::Approx(maps.by_rows->columns()->dot(j, image)).epsilon(1e-11));
  CHECK_FALSE(map->design()->by_columns()->has_rows());
  const Made one = make(map, list, 1);
  CHECK(map->design()->by_columns()->has_rows());  // of which the batches were
  for (const int threads : {2, 3, 8}) CHECK(make(map, list, threads) == one);
  const Made plain = make(maps.by_rows, list, 1);
  CHECK(difference(one.image, plain.image) < 1e-13);
  CHECK(difference(one.trip, plain.trip) < 1e-12);
  CHECK(difference(one.adjoint, plain.adjoint) < 1e-12);
  CHECK(difference(one.batch_image, plain.batch_image) < 1e-13);
  CHECK(difference(one.folded, plain.folded) < 1e-13);
  Vector row(static_cast<std::size_t>(cols)), same = row;
  map->design()->row(rows / 2, row), maps.by_rows->design()->row(rows / 2, same);
  CHECK(row == same);
}

}  // namespace

TEST_CASE("design map: a design by columns is the same map, and makes no rows for full passes") {
  for (const bool sparse : {false, true})
    for (const bool intercept : {false, true}) {
      check_columns(7, 5, sparse, intercept);
      check_columns(5000, 41, sparse, intercept);
    }
}

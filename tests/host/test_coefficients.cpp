// SPDX-License-Identifier: BSD-3-Clause
// The coefficients of a linear model by the names of its columns, and how many numbers a solution needs.
#include "small_host.hpp"

#include <claros/io/memory_data.hpp>
#include <claros/results/coefficients.hpp>

#include <algorithm>
#include <cmath>

using namespace claros;
using namespace claros::test;

namespace {

constexpr Index kNamedRows = 40, kNamedCols = 4;

std::size_t counted(Index k) { return static_cast<std::size_t>(k); }

struct NamedModel {
  std::vector<double> a, y;
  Composition composition;

  /// Columns of the deviations 1, 10, 0.1, 1 around `mean`.
  NamedModel(const std::vector<std::string>& words, std::vector<std::string> names, Index classes = 0) {
    const std::vector<double> z = normals(3, counted(kNamedRows * kNamedCols));
    const double scale[] = {1.0, 10.0, 0.1, 1.0};
    for (Index i = 0; i < kNamedRows; ++i) {
      for (Index j = 0; j < kNamedCols; ++j) a.push_back(2.0 + scale[j] * z[counted(i * kNamedCols + j)]);
      y.push_back(classes > 0 ? static_cast<double>(i % classes) : z[counted(i * kNamedCols)]);
    }
    HostParts parts;
    parts.data = data_from_rows(a, kNamedRows, kNamedCols, y, Entries::copied, {.column_names = names});
    Spec spec;
    spec.assign({"objective.use=linear-model", "penalty.use=l1", "penalty.lambda=0.1",
                 "objective.intercept=yes", "objective.center=false"});
    spec.assign(words);
    composition = compose(build_catalog(), spec, parts);
  }
  double deviation(Index j) const {
    double mean = 0.0, square = 0.0;
    for (Index i = 0; i < kNamedRows; ++i) mean += a[counted(i * kNamedCols + j)] / kNamedRows;
    for (Index i = 0; i < kNamedRows; ++i)
      square += std::pow(a[counted(i * kNamedCols + j)] - mean, 2) / kNamedRows;
    return std::sqrt(square);
  }
  Coefficients of(const std::vector<double>& x) const {
    const auto found = coefficients_of(composition, Element::dense(composition.objective->shape(), x));
    REQUIRE(found);
    return *found;
  }
};

}  // namespace

TEST_CASE("coefficients: by name, the largest first, of equal ones the first column, without rounding") {
  for (const bool named : {true, false}) {
    const NamedModel model(
        {}, named ? std::vector<std::string>{"a", "b,c", "d", "e"} : std::vector<std::string>());
    const double tiny = 3.0 * std::numeric_limits<double>::epsilon() * 2.0, small = 5.0 * tiny;
    const Coefficients c = model.of({-2.0, tiny, 2.0, small, 1e6});
    CHECK(c.all == 4);
    CHECK_FALSE(c.standardized);
    REQUIRE(c.largest_first.size() == 3);
    CHECK(c.largest_first[0].name == (named ? "a" : "column 1"));
    CHECK(c.largest_first[0].value == -2.0);
    CHECK(c.largest_first[1].name == (named ? "d" : "column 3"));
    CHECK(c.largest_first[2].name == (named ? "e" : "column 4"));
    CHECK(c.largest_first[2].value == small);
    REQUIRE(c.intercepts.size() == 1);
    CHECK(c.intercepts[0].name == "intercept");
    CHECK(c.intercepts[0].value == 1e6);
    CHECK(coefficients_csv(c).starts_with("name,coefficient\nintercept," + print_real(1e6) + "\n"));
    const SolutionSize size =
        solution_size(model.composition,
                      Element::dense(model.composition.objective->shape(), {-2.0, tiny, 2.0, small, 1e6}));
    CHECK(size.count == 3);
    CHECK_FALSE(size.is_rank);
    if (named) CHECK(coefficients_csv(model.of({0, 1, 0, 0, 0})).find("\"b,c\",1\n") != std::string::npos);
  }
}

TEST_CASE("coefficients: of standardized columns the order is theirs, and the numbers those of the data") {
  const NamedModel model({"objective.standardize=yes"}, {"a", "b", "c", "d"});
  const std::vector<double> x{0.5, 2.0, -1.0, 0.0, 7.0};
  const Coefficients c = model.of(x);
  CHECK(c.standardized);
  REQUIRE(c.largest_first.size() == 3);
  const Index order[] = {1, 2, 0};
  for (std::size_t k = 0; k < 3; ++k) {
    CHECK(c.largest_first[k].name == std::string(1, static_cast<char>('a' + order[k])));
    CHECK(c.largest_first[k].value == doctest::Approx(x[counted(order[k])] / model.deviation(order[k])));
  }
  REQUIRE(c.intercepts.size() == 1);
}

TEST_CASE(
    "coefficients: of several classes each has its class, in the order of the columns of the variable") {
  const NamedModel model({"objective.loss=multinomial", "penalty.use=group", "penalty.groups=rows"},
                         {"a", "b", "c", "d"}, 3);
  const Index outputs = 3;
  std::vector<double> x(counted(model.composition.objective->shape().size()), 0.0);
  for (Index k = 0; k < outputs; ++k)
    for (Index j = 0; j < kNamedCols; ++j)
      x[counted(k * kNamedCols + j)] = 1.0 + static_cast<double>(10 * j + k);
  for (Index k = 0; k < outputs; ++k) x[counted(outputs * kNamedCols + k)] = 100.0 + static_cast<double>(k);
  const Coefficients c = model.of(x);
  CHECK(c.all == 12);
  REQUIRE(c.largest_first.size() == 12);
  std::vector<std::string> outputs_seen;
  for (const NamedCoefficient& each : c.largest_first) {
    const Index j = each.name[0] - 'a', k = static_cast<Index>(std::round(each.value - 1.0)) % 10;
    CHECK(each.value == 1.0 + static_cast<double>(10 * j + k));
    if (j == 0) outputs_seen.push_back(each.output);
  }
  REQUIRE(c.intercepts.size() == 3);
  for (std::size_t k = 0; k < 3; ++k) {
    CHECK(c.intercepts[k].value == 100.0 + static_cast<double>(k));
    CHECK(c.intercepts[k].output == outputs_seen[2 - k]);
  }
  CHECK(coefficients_csv(c).starts_with("name,class,coefficient\nintercept," + c.intercepts[0].output +
                                        ",100\n"));
}

TEST_CASE("coefficients: a matrix without zeros has a rank, others a support, of low rank the rank") {
  Spec spec;
  spec.assign({"objective.use=matrix-completion", "penalty.use=nuclear", "penalty.lambda=0.1"});
  HostParts parts;
  const std::vector<std::int32_t> row{0, 1, 2}, col{0, 1, 3};
  parts.data = data_from_triplets(row, col, std::vector<double>{1.0, 2.0, 3.0}, 3, 4);
  const Composition c = compose(build_catalog(), spec, parts);
  const Shape shape = Shape::matrix(3, 4);
  std::vector<double> x(12);
  for (const double scale : {1.0, 1e-12, 1e12}) {
    for (Index j = 0; j < 4; ++j)
      for (Index i = 0; i < 3; ++i)
        x[counted(3 * j + i)] = scale * static_cast<double>((1 + i) * (1 + j) + (i == j ? 1 : 0));
    const SolutionSize full = solution_size(c, Element::dense(shape, x));
    CHECK(full.is_rank);
    CHECK(full.count == 3);
    for (Index j = 0; j < 4; ++j)
      for (Index i = 0; i < 3; ++i) x[counted(3 * j + i)] = scale * static_cast<double>((1 + i) * (1 + j));
    const SolutionSize one = solution_size(c, Element::dense(shape, x));
    CHECK(one.is_rank);
    CHECK(one.count == 1);
    x[5] = 0.0;
    const SolutionSize support = solution_size(c, Element::dense(shape, x));
    CHECK_FALSE(support.is_rank);
    CHECK(support.count == 11);
  }
  CHECK(solution_size(c, Element(shape)).count == 0);
  auto store = std::make_shared<FactorStore>(3, 4);
  store->append(std::vector<double>{1, 2, 3}, std::vector<double>{1, 0, 0, 1});
  store->append(std::vector<double>{2, 4, 6}, std::vector<double>{1, 0, 0, 1});
  const SolutionSize low = solution_size(c, Element::low_rank(std::move(store), {1.0, 1.0}));
  CHECK(low.is_rank);
  CHECK(low.count == 1);
}

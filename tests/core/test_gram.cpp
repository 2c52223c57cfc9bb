// SPDX-License-Identifier: BSD-3-Clause
// Gram matrices of columns, and linear systems of their principal submatrices.
#include <doctest/doctest.h>

#include <claros/map/columns.hpp>
#include <claros/map/design_map.hpp>
#include <shared/algorithms/support_factor.hpp>
#include <shared/losses/gaussian_rows.hpp>

#include <Eigen/Dense>

#include <cstring>
#include <numeric>
#include <set>

using namespace claros;

namespace {

using Vector = std::vector<double>;

std::shared_ptr<DesignMap> map_of(Index rows, Index cols) {
  auto design = std::make_shared<Design>();
  design->rows = rows, design->cols = cols;
  design->entries = sdk::made_rows<double>(
      rows, cols, [&](Index i, std::span<double> row) { sdk::row_stream(5, 1, i, cols).fill_normal(row); });
  return std::make_shared<DesignMap>(design, Shape::vector(cols));
}

Vector gram_of(const DesignMap& map, const std::vector<Index>& columns, double weight) {
  return map.restricted(columns)->columns()->gram(Vector(static_cast<std::size_t>(map.size()), weight));
}

std::vector<Index> some_of(RandomStream& random, Index all, double share) {
  std::vector<Index> some;
  for (Index j = 0; j < all; ++j)
    if (random.uniform() < share) some.push_back(j);
  return some;
}

bool same(const Vector& a, const Vector& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

Eigen::MatrixXd principal(const Eigen::MatrixXd& G, const std::vector<Index>& S, const Vector& extra) {
  Eigen::MatrixXd H = G(S, S);
  for (std::size_t k = 0; k < S.size(); ++k) H(static_cast<Index>(k), static_cast<Index>(k)) += extra[k];
  return H;
}

}  // namespace

TEST_CASE("gram: kept products have the bits of new ones, whatever was asked for before") {
  constexpr Index kRows = 103, kCols = 70;
  RandomStream random(1, Purpose::test);
  const auto kept = map_of(kRows, kCols);
  for (int trial = 0; trial < 40; ++trial) {
    const std::vector<Index> columns = some_of(random, kCols, random.uniform());
    CHECK(same(gram_of(*kept, columns, 0.5), gram_of(*map_of(kRows, kCols), columns, 0.5)));
  }
}

TEST_CASE("gram: A' D A of dense and of sparse columns, with equal weights and others") {
  constexpr Index kRows = 41, kCols = 17;
  RandomStream random(2, Purpose::test);
  const auto map = map_of(kRows, kCols);
  std::vector<Index> all(kCols);
  std::iota(all.begin(), all.end(), Index{0});
  const auto dense = map->restricted(all)->columns();
  std::vector<Index> start{0};
  std::vector<std::int32_t> row;
  Vector value;
  Eigen::MatrixXd A(kRows, kCols), B = Eigen::MatrixXd::Zero(kRows, kCols);
  for (Index j = 0; j < kCols; ++j) {
    for (Index i = 0; i < kRows; ++i) {
      A(i, j) = dense->values(j)[static_cast<std::size_t>(i)];
      if (random.uniform() < 0.3)
        B(i, j) = A(i, j), row.push_back(static_cast<std::int32_t>(i)), value.push_back(A(i, j));
    }
    start.push_back(static_cast<Index>(row.size()));
  }
  const Columns sparse = Columns::sparse(kRows, start, row, value);
  for (const bool equal : {true, false}) {
    Vector w(kRows, 0.25);
    for (double& each : w) each = equal ? each : random.uniform();
    const Eigen::Map<const Eigen::VectorXd> D(w.data(), kRows);
    for (const auto& [columns, X] :
         {std::pair<const Columns*, const Eigen::MatrixXd*>{dense.get(), &A}, {&sparse, &B}}) {
      const Vector G = columns->gram(w);
      const Eigen::MatrixXd expected = X->transpose() * D.asDiagonal() * *X;
      REQUIRE(G.size() == kCols * kCols);
      CHECK((Eigen::Map<const Eigen::MatrixXd>(G.data(), kCols, kCols) - expected).norm() <=
            1e-12 * expected.norm());
    }
  }
}

TEST_CASE("gram: columns side by side and others, a column of ones among them") {
  constexpr Index kRows = 41, kCols = 12;
  const auto all = Columns(*map_of(kRows, kCols)->columns()).with_ones();
  RandomStream random(3, Purpose::test);
  Vector weights(kRows);
  for (double& weight : weights) weight = random.uniform();
  for (const std::vector<Index>& some :
       {std::vector<Index>{}, {4}, {12}, {3, 4, 5}, {0, 1, 2, 3}, {11, 12}, {5, 4}, {2, 2}, {7, 3, 9}}) {
    const Columns chosen = all.chosen(some);
    REQUIRE(chosen.count() == static_cast<Index>(some.size()));
    for (const Vector& w : {Vector(kRows, 0.7), weights}) {
      const Vector gram = chosen.gram(w);
      REQUIRE(gram.size() == some.size() * some.size());
      for (std::size_t a = 0; a < some.size(); ++a)
        for (std::size_t b = 0; b < some.size(); ++b) {
          double product = 0.0;
          for (std::size_t i = 0; i < static_cast<std::size_t>(kRows); ++i)
            product += w[i] * all.values(some[a])[i] * all.values(some[b])[i];
          CHECK(gram[a * some.size() + b] == doctest::Approx(product).epsilon(1e-13));
        }
    }
  }
}

TEST_CASE("support factor: solves for every support, with few factorizations where little changes") {
  constexpr Index kSize = 90;
  RandomStream random(3, Purpose::test);
  Vector entries(200 * kSize);
  random.fill_normal(entries);
  const Eigen::Map<const Eigen::MatrixXd> A(entries.data(), 200, kSize);
  const Eigen::MatrixXd G = A.transpose() * A / 200.0;
  const std::span<const double> gram(G.data(), static_cast<std::size_t>(G.size()));
  SupportFactor factor;
  std::vector<Index> S = some_of(random, kSize, 0.7);
  Vector extra(kSize, 0.0);
  constexpr int kCalls = 60;
  for (int call = 0; call < kCalls; ++call) {
    // Two indices come or go, and the diagonal of one changes.
    std::set<Index> next(S.begin(), S.end());
    for (int k = 0; k < 2; ++k)
      if (const Index j = random.index(kSize); !next.erase(j)) next.insert(j);
    S.assign(next.begin(), next.end());
    if (call > 20) extra[static_cast<std::size_t>(random.index(kSize))] = 2.0 * random.uniform();
    Vector mine, r(S.size());
    for (const Index j : S) mine.push_back(extra[static_cast<std::size_t>(j)]);
    random.fill_normal(r);
    const auto d = factor.solve(gram, kSize, S, mine, r);
    REQUIRE(d);
    const auto size = static_cast<Index>(S.size());
    const Eigen::VectorXd left = principal(G, S, mine) * Eigen::Map<const Eigen::VectorXd>(d->data(), size);
    CHECK((left - Eigen::Map<const Eigen::VectorXd>(r.data(), size)).norm() <= 1e-10);
  }
  CHECK(factor.factorizations() >= 1);
  CHECK(factor.factorizations() < kCalls / 2);
}

TEST_CASE("support factor: a matrix that is not positive definite has no solution") {
  const Vector G{1.0, 2.0, 2.0, 1.0};
  const std::vector<Index> both{0, 1}, one{1};
  const Vector none{0.0, 0.0}, r{1.0, 1.0};
  SupportFactor factor;
  CHECK_FALSE(factor.solve(G, 2, both, none, r));
  const auto d = factor.solve(G, 2, one, std::span(none).first(1), std::span(r).first(1));
  REQUIRE(d);
  CHECK(d->front() == doctest::Approx(1.0));
}

TEST_CASE(
    "gram: rows of sparse columns are kept for these alone: a column of ones, chosen columns, new weights") {
  constexpr Index kRows = 37, kCols = 12;
  RandomStream random(3, Purpose::test);
  std::vector<Index> start{0};
  std::vector<std::int32_t> row;
  Vector value;
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(kRows, kCols + 1);
  for (Index j = 0; j < kCols; ++j) {
    for (Index i = 0; i < kRows; ++i)
      if (random.uniform() < 0.4)
        A(i, j) = random.uniform() - 0.5, row.push_back(static_cast<std::int32_t>(i)),
             value.push_back(A(i, j));
    start.push_back(static_cast<Index>(row.size()));
  }
  A.col(kCols).setOnes();
  const Columns sparse = Columns::sparse(kRows, start, row, value);
  const std::vector<Index> some{8, 3, 11};
  for (int trial = 0; trial < 3; ++trial) {
    Vector w(kRows);
    for (double& each : w) each = random.uniform();
    const auto check = [&](const Columns& columns, const Eigen::MatrixXd& X) {
      const Vector G = columns.gram(w);
      const Eigen::MatrixXd expected =
          X.transpose() * Eigen::Map<const Eigen::VectorXd>(w.data(), kRows).asDiagonal() * X;
      REQUIRE(static_cast<Index>(G.size()) == X.cols() * X.cols());
      CHECK((Eigen::Map<const Eigen::MatrixXd>(G.data(), X.cols(), X.cols()) - expected).norm() <=
            1e-12 * expected.norm());
    };
    check(sparse, A.leftCols(kCols));
    check(sparse.with_ones(), A);
    check(sparse.chosen(some), A(Eigen::all, some));
    const Columns copy = sparse;
    check(copy.with_ones(), A);
    check(copy, A.leftCols(kCols));
  }
}

TEST_CASE("gram: designs that lie by columns give chosen columns the numbers of those by rows") {
  constexpr Index kRows = 29, kCols = 9;
  const auto by_rows = map_of(kRows, kCols);
  std::vector<Index> all(kCols);
  std::iota(all.begin(), all.end(), Index{0});
  const auto columns = by_rows->restricted(all)->columns();
  auto design = std::make_shared<Design>();
  design->rows = kRows, design->cols = kCols;
  design->entries = DenseRows<double>{{}, {}, nullptr, std::make_shared<const ColumnEntries>(*columns)};
  for (const bool intercept : {false, true}) {
    const DesignMap lying(design, Shape::vector(kCols), 1, intercept);
    const std::vector<Index> some = intercept ? std::vector<Index>{7, 2, kCols} : std::vector<Index>{7, 2, 4};
    const auto chosen = lying.restricted(some)->columns();
    for (std::size_t k = 0; k < some.size(); ++k) {
      const auto values = chosen->values(static_cast<Index>(k));
      const Vector expected = some[k] == kCols
                                  ? Vector(kRows, 1.0)
                                  : Vector(columns->values(some[k]).begin(), columns->values(some[k]).end());
      CHECK(Vector(values.begin(), values.end()) == expected);
    }
    CHECK(chosen->gram(Vector(kRows, 0.5)).size() == some.size() * some.size());
  }
}

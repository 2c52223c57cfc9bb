// SPDX-License-Identifier: BSD-3-Clause
// Rows and columns that come after the run, for every combination of what an entry may be: against the
// minimisers of their own problems, found by reweighted equations in the kernel (X'X)^{1/2} of the other
// side.
#include "small_host.hpp"

#include <claros/results/fold_in.hpp>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include <algorithm>
#include <cmath>

namespace claros::test::fold_in_rows {

namespace {

using Eigen::MatrixXd, Eigen::VectorXd;
constexpr Index kHeldRows = 7, kHeldCols = 6, kUnseen = 2;

/// a rho(z - y), rho(r) = r^2/2, or sqrt(1 + r^2) - 1; psi'' <= a.
class Scaled final : public Loss {
 public:
  Scaled(double a, bool round) : a_(a), round_(round) {}
  double sum(std::span<const double> z, std::span<const double> y) const override {
    return weighted_sum(z, y, std::vector<double>(y.size(), 1.0));
  }
  double weighted_sum(std::span<const double> z, std::span<const double> y,
                      std::span<const double> w) const override {
    double all = 0.0;
    for (std::size_t e = 0; e < y.size(); ++e) {
      const double r = z[e] - y[e];
      all += w[e] * a_ * (round_ ? std::sqrt(1.0 + r * r) - 1.0 : 0.5 * r * r);
    }
    return all;
  }
  void derivative(std::span<const double> z, std::span<const double> y,
                  std::span<double> out) const override {
    for (std::size_t e = 0; e < y.size(); ++e) out[e] = (z[e] - y[e]) * weight_at(z[e] - y[e]);
  }
  void second_derivative(std::span<const double> z, std::span<const double> y,
                         std::span<double> out) const override {
    for (std::size_t e = 0; e < y.size(); ++e) {
      const double r = z[e] - y[e];
      out[e] = round_ ? a_ * std::pow(1.0 + r * r, -1.5) : a_;
    }
  }
  LossConstants constants() const override {
    return {.convex = true,
            .smoothness = a_,
            .third = round_ ? std::optional(a_) : std::optional(0.0),
            .of_difference = true};
  }
  /// psi'(z, y) / (z - y)
  double weight_at(double r) const { return round_ ? a_ / std::sqrt(1.0 + r * r) : a_; }

 private:
  double a_;
  bool round_;
};

struct Held {
  MatrixXd x;
  Training training;

  Held(bool of_rows, bool named, const std::string& center, double unobserved, std::optional<double> counts)
      : x(kHeldRows, kHeldCols) {
    const std::vector<double> left = normals(3, 2 * kHeldRows), right = normals(4, 2 * kHeldCols);
    for (Index i = 0; i < kHeldRows; ++i)
      for (Index j = 0; j < kHeldCols; ++j)
        x(i, j) =
            left[static_cast<std::size_t>(2 * i)] * right[static_cast<std::size_t>(2 * j)] +
            0.5 * left[static_cast<std::size_t>(2 * i + 1)] * right[static_cast<std::size_t>(2 * j + 1)];
    const auto ids = [&](Index count, const std::string& letter, bool other) {
      Ids made{.count = count, .first = 1, .names = {}, .entries = std::vector<Index>(at(count), 4)};
      for (Index k = 0; named && k < count; ++k) made.names.push_back(letter + std::to_string(k + 1));
      if (other) made.entries[kUnseen] = 0;  // known by its features alone
      return made;
    };
    training.rows = ids(kHeldRows, "r", !of_rows), training.cols = ids(kHeldCols, "c", of_rows);
    Baseline& base = training.baseline;
    base.center = center;
    if (center != "none") base.mean = 0.7;
    for (Index i = 0; center == "biases" && i < kHeldRows; ++i) base.row.push_back(0.1 * double(i) - 0.2);
    for (Index j = 0; center == "biases" && j < kHeldCols; ++j) base.col.push_back(0.3 - 0.15 * double(j));
    training.folding = {.total_weight = 50.0,
                        .unobserved = unobserved,
                        .row_bias = 1.7,
                        .col_bias = 0.6,
                        .confidence = counts,
                        .ridge = 0.3};
  }
  Solution solution(bool dense) const {
    const Shape shape = Shape::matrix(kHeldRows, kHeldCols);
    if (dense) return Solution::of(Element::dense(shape, {x.data(), x.data() + x.size()}), training);
    auto store = std::make_shared<FactorStore>(kHeldRows, kHeldCols);
    for (Index j = 0; j < kHeldCols; ++j) {
      std::vector<double> unit(at(kHeldCols), 0.0), column(at(kHeldRows));
      unit[at(j)] = 1.0;
      for (Index i = 0; i < kHeldRows; ++i) column[at(i)] = x(i, j);
      store->append(column, unit);
    }
    return Solution::of(Element::low_rank(std::move(store), std::vector<double>(at(kHeldCols), 1.0)),
                        training);
  }
};

/// (M M')^{1/2}: the products of the factors of the rows of M, whatever their basis.
MatrixXd kernel_of(const MatrixXd& m) {
  const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(m * m.transpose());
  const VectorXd roots = eigen.eigenvalues().cwiseMax(0.0).cwiseSqrt();
  return eigen.eigenvectors() * roots.asDiagonal() * eigen.eigenvectors().transpose();
}

struct Entry {
  Index other;
  double value, weight;
};

/// What the rows (columns) of the other side are predicted for one that has these entries.
std::vector<double> by_definition(const Held& held, bool of_rows, const Scaled& loss, double smoothness,
                                  const std::vector<Entry>& entries) {
  const MatrixXd K = kernel_of(of_rows ? MatrixXd(held.x.transpose()) : held.x);
  const FoldingRule& rule = held.training.folding;
  const auto n = K.rows();
  const auto base = [&](Index j) {
    const Baseline& b = held.training.baseline;
    const auto& biases = of_rows ? b.col : b.row;
    return b.mean + (biases.empty() ? 0.0 : biases[static_cast<std::size_t>(j)]);
  };
  double bias = 0.0;
  const double of_bias = smoothness * (of_rows ? rule.row_bias : rule.col_bias);
  for (int sweep = 0; held.training.baseline.center == "biases" && sweep < 400; ++sweep) {
    double above = 0.0, below = of_bias;
    for (const Entry& e : entries) {
      const double y = e.value - base(e.other), w = e.weight * loss.weight_at(bias - y);
      above += w * y, below += w;
    }
    bias = above / below;
  }
  VectorXd alpha = VectorXd::Zero(n);
  for (int sweep = 0; sweep < 400; ++sweep) {
    const VectorXd z = K * alpha;
    VectorXd d = VectorXd::Constant(n, rule.unobserved), y = VectorXd::Zero(n);
    for (const Entry& e : entries) {
      y[e.other] = e.value - base(e.other) - bias;
      d[e.other] = e.weight * loss.weight_at(z[e.other] - y[e.other]);
    }
    const MatrixXd equations = d.asDiagonal() * K + rule.ridge * MatrixXd::Identity(n, n);
    const VectorXd next = equations.lu().solve(VectorXd(d.cwiseProduct(y)));
    const bool settled = (next - alpha).norm() <= 1e-14 * next.norm();
    alpha = next;
    if (settled) break;
  }
  const VectorXd z = K * alpha;
  std::vector<double> all;
  for (Index j = 0; j < n; ++j) all.push_back(base(j) + bias + z[j]);
  return all;
}

}  // namespace

TEST_CASE("fold-in: each new row or column minimises its own problem, whatever its entries are") {
  int combination = 0;
  for (const bool of_rows : {true, false})
    for (const char* center : {"none", "mean", "biases"})
      for (const double unobserved : {0.0, 0.2})
        for (const bool round : {false, true}) {
          ++combination;
          const bool named = combination % 2 == 0, dense = combination % 3 == 0,
                     weighted = combination % 4 < 2;
          const std::optional<double> counts = combination % 5 < 2 ? std::optional(0.5) : std::nullopt;
          CAPTURE(of_rows);
          CAPTURE(center);
          CAPTURE(unobserved);
          CAPTURE(round);
          const Held held(of_rows, named, center, unobserved, counts);
          const double a = round ? 3.0 : 2.0;
          const Scaled loss(a, round);
          const Index count = of_rows ? kHeldRows : kHeldCols, others = of_rows ? kHeldCols : kHeldRows;
          const auto own_name = [&](Index k) {
            return (named ? (of_rows ? "r" : "c") : "") + std::to_string(k);
          };
          const auto other_name = [&](Index k) {
            return (named ? (of_rows ? "c" : "r") : "") + std::to_string(k + 1);
          };
          // One that is new, one of the training data, one without a usable entry, and another new one. The
          // other side in another order than the training's, with one that it lacks.
          const std::vector<std::string> own{own_name(40), own_name(3), own_name(50), own_name(41)};
          std::vector<std::string> other;
          for (Index k = others; k-- > 0;) other.push_back(other_name(k));
          other.push_back(other_name(90));
          std::vector<std::vector<Entry>> expected(own.size());
          Ratings given;
          Index unknown = 0, used = 0;
          const std::vector<double> draws = normals(11, 200);
          std::size_t draw = 0;
          for (std::size_t k = 0; k < own.size(); ++k)
            for (std::size_t e = 0; e < other.size(); ++e) {
              const double z = draws[draw++];
              const Index position = e < at(others) ? others - 1 - static_cast<Index>(e) : -1;
              const bool lacks = position < 0 || position == kUnseen;
              if (!lacks && (k == 2 || (z > 0.6 && e != 1))) continue;
              const double value = counts ? std::round(3.0 * std::abs(z)) : 1.0 + z,
                           weight = weighted ? 0.5 + static_cast<double>((k + e) % 3) : 1.0;
              const auto mine = static_cast<std::int32_t>(k), its = static_cast<std::int32_t>(e);
              given.row.push_back(of_rows ? mine : its), given.col.push_back(of_rows ? its : mine);
              given.value.push_back(value);
              if (weighted) given.weight.push_back(weight);
              if (counts && value == 0.0) continue;  // not observed
              if (lacks) {
                ++unknown;
                continue;
              }
              ++used;
              expected[k].push_back(
                  {position, counts ? 1.0 : value, counts ? weight * (1.0 + *counts * value) : weight});
            }
          given.row_ids = of_rows ? own : other, given.col_ids = of_rows ? other : own;
          given.rows = std::ssize(given.row_ids), given.cols = std::ssize(given.col_ids);
          Solution solution = held.solution(dense);
          const FoldedIn folded = fold_in(solution, of_rows ? Side::rows : Side::cols, given, loss, "new");
          CHECK(folded.positions == std::vector<Index>{count, 2, count + 1, count + 2});
          CHECK(folded.replaced == 1);
          CHECK(folded.unknown == unknown);
          CHECK((unknown == 8 || (counts && unknown < 8)));
          CHECK(folded.entries == used);
          CHECK(folded.empty == std::vector<std::string>{own[2]});
          const Ids& ids = of_rows ? solution.training().rows : solution.training().cols;
          CHECK(ids.count == count + 3);
          CHECK((of_rows ? solution.rows() : solution.cols()) == count + 3);
          for (std::size_t k = 0; k < own.size(); ++k) {
            const Index position = folded.positions[k];
            CHECK(ids.name(position) == own[k]);
            CHECK(ids.entries[at(position)] == std::ssize(expected[k]));
            const std::vector<double> numbers = by_definition(held, of_rows, loss, a, expected[k]);
            for (Index j = 0; j < others; ++j)
              CHECK((of_rows ? solution.predict(position, j) : solution.predict(j, position)) ==
                    doctest::Approx(numbers[at(j)]).epsilon(1e-6));
          }
          // The others are those of the run.
          const Solution before = held.solution(dense);
          for (Index k = 0; k < count; ++k)
            for (Index j = 0; k != 2 && j < others; ++j) {
              const Index i = of_rows ? k : j, l = of_rows ? j : k;
              CHECK(solution.predict(i, l) == doctest::Approx(before.predict(i, l)).epsilon(1e-12));
              CHECK(before.at(i, l) == doctest::Approx(held.x(i, l)).epsilon(1e-12));
            }
        }
}

TEST_CASE("fold-in: a run whose matrix is 0 gives baselines, and one without its rule is refused") {
  Held held(true, true, "biases", 0.2, std::nullopt);
  held.x.setZero();
  Ratings given;
  given.rows = 1, given.cols = 2, given.row = {0, 0}, given.col = {0, 1}, given.value = {2.0, 3.0};
  given.row_ids = {"new"}, given.col_ids = {"c1", "c4"};
  for (const bool dense : {true, false}) {
    Solution solution = held.solution(dense);
    const FoldedIn folded = fold_in(solution, Side::rows, given, Scaled(1.0, false), "new");
    CHECK(folded.positions == std::vector<Index>{kHeldRows});
    // b (1.7 + 2) = sum of what the baseline leaves.
    const double bias = ((2.0 - 0.7 - 0.3) + (3.0 - 0.7 + 0.15)) / 3.7;
    for (Index j = 0; j < kHeldCols; ++j)
      CHECK(solution.predict(kHeldRows, j) ==
            doctest::Approx(0.7 + bias + 0.3 - 0.15 * static_cast<double>(j)).epsilon(1e-12));
  }
  held.training.folding.total_weight = 0.0;
  Solution solution = held.solution(true);
  CHECK_THROWS_AS(fold_in(solution, Side::rows, given, Scaled(1.0, false), "new"), Error);
}

}  // namespace claros::test::fold_in_rows

// SPDX-License-Identifier: BSD-3-Clause
#include <claros/plugin.hpp>
#include <claros/sdk/loss.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace {

using namespace claros;

/// psi(z, y) = log sum_k exp(z_k) - z_y, z in R^K, y in {0, ..., K-1}. With the probabilities q = exp(z) /
/// sum exp(z):
///   psi' = q - e_y,  psi'' = diag(q) - q q', whose largest eigenvalue is at most 1/2 (Boehning 1992).
/// psi*(u, y) = sum_k v_k log v_k for v = u + e_y in the simplex.
class Multinomial final : public Loss {
 public:
  struct Options {};
  static const ParameterList& parameters() {
    static const ParameterTable<Options> none{};
    return none;
  }
  Multinomial(const Options&, const Context&) {}

  bool of_classes() const override { return true; }
  void set_classes(Index count) override { classes_ = count; }
  Index outputs() const override { return classes_; }

  double sum(std::span<const double> z, std::span<const double> y) const override {
    return weighted_sum(z, y, {});
  }
  double weighted_sum(std::span<const double> z, std::span<const double> y,
                      std::span<const double> w) const override {
    double total = 0.0;
    for (std::size_t i = 0; i < y.size(); ++i) {
      const auto scores = piece(z, i);
      const auto largest = std::max_element(scores.begin(), scores.end());
      double others = 0.0;  // beside the largest, so that small values keep their digits
      for (auto score = scores.begin(); score != scores.end(); ++score)
        if (score != largest) others += std::exp(*score - *largest);
      total += (w.empty() ? 1.0 : w[i]) * (*largest - scores[label(y[i])] + std::log1p(others));
    }
    return total;
  }
  void derivative(std::span<const double> z, std::span<const double> y,
                  std::span<double> out) const override {
    second_derivative(z, y, out);
    for (std::size_t i = 0; i < y.size(); ++i) piece(out, i)[label(y[i])] -= 1.0;
  }
  /// The probabilities q.
  void second_derivative(std::span<const double> z, std::span<const double>,
                         std::span<double> out) const override {
    mean(z, out);
  }

  ResponseKind response() const override { return ResponseKind::probability; }
  /// The probabilities q.
  void mean(std::span<const double> z, std::span<double> out) const override {
    for (std::size_t i = 0; i * static_cast<std::size_t>(classes_) < z.size(); ++i) {
      const auto scores = piece(z, i);
      const auto q = piece(out, i);
      const double largest = *std::max_element(scores.begin(), scores.end());
      double mass = 0.0;
      for (std::size_t k = 0; k < q.size(); ++k) mass += q[k] = std::exp(scores[k] - largest);
      for (double& probability : q) probability /= mass;
    }
  }
  void multiply_second(std::span<const double> second, std::span<double> out) const override {
    for (std::size_t i = 0; i * static_cast<std::size_t>(classes_) < out.size(); ++i) {
      const auto q = piece(second, i);
      const auto u = piece(out, i);
      double mean = 0.0;
      for (std::size_t k = 0; k < q.size(); ++k) mean += q[k] * u[k];
      for (std::size_t k = 0; k < q.size(); ++k) u[k] = q[k] * (u[k] - mean);
    }
  }
  LossConstants constants() const override {
    return {.convex = true, .smoothness = 0.5, .lower_smoothness = 0.0, .lower_bound = 0.0};
  }
  std::string targets() const override { return "a class from 0 to " + std::to_string(classes_ - 1); }
  bool accepts(double y) const override {
    return y >= 0.0 && y < static_cast<double>(classes_) && y == std::floor(y);
  }

  bool has_conjugate() const override { return true; }
  double conjugate(std::span<const double> u, std::span<const double> y,
                   std::span<const double> w) const override {
    double total = 0.0;
    for (std::size_t i = 0; i < y.size(); ++i) {
      if (!w.empty() && w[i] == 0.0) continue;
      const auto dual = piece(u, i);
      // The probability of the label is 1 less the others: near 1 the sum of the others alone is exact.
      double others = 0.0, negative_entropy = 0.0;
      for (std::size_t k = 0; k < dual.size(); ++k) {
        if (k == label(y[i])) continue;
        if (dual[k] < -kRounding) return std::numeric_limits<double>::infinity();
        others += dual[k];
        negative_entropy += sdk::entropy_term(dual[k]);
      }
      const double of_label = 1.0 + dual[label(y[i])];
      if (of_label < -kRounding || std::abs(of_label + others - 1.0) > kRounding)
        return std::numeric_limits<double>::infinity();
      if (others < 1.0) negative_entropy += (1.0 - others) * std::log1p(-others);
      total += (w.empty() ? 1.0 : w[i]) * negative_entropy;
    }
    return total;
  }

 private:
  static constexpr double kRounding = 1e-12;
  template <class T>
  std::span<T> piece(std::span<T> all, std::size_t i) const {
    return all.subspan(i * static_cast<std::size_t>(classes_), static_cast<std::size_t>(classes_));
  }
  static std::size_t label(double y) { return static_cast<std::size_t>(y); }
  Index classes_ = 2;
};

}  // namespace

CLAROS_PLUGIN(Multinomial, Kind::loss, "multinomial", "softmax", "1.0.0",
              "Multinomial logistic (cross-entropy) loss, log sum_k exp(z_k) - z_y",
              "psi(z, y) = log sum_k exp(z_k) - z_y, z in R^K, y one of K classes, which are those that the "
              "responses hold. Convex.",
              "Boehning: Multinomial logistic regression algorithm, Ann. Inst. Statist. Math. 44 (1992)",
              "Use it for more than two classes, with linear-model: matrix-completion and matrix-sensing "
              "refuse it. The variable has a column for each class; group with groups = rows takes a "
              "feature for all classes or none. working-set refuses it, so Claros takes proximal-gradient "
              "for many columns too. For two classes take logistic.",
              "data.use=synthetic-regression data.rows=200 data.cols=50 data.nonzero=5 "
              "data.response=logistic objective.use=linear-model objective.loss=multinomial "
              "penalty.use=group penalty.groups=rows penalty.lambda=0.1*max stop.relative_gap=1e-6")

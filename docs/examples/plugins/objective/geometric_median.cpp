// SPDX-License-Identifier: BSD-3-Clause
#include <claros/dataset.hpp>
#include <claros/map/design.hpp>
#include <claros/plugin.hpp>
#include <claros/sdk/array_objective.hpp>
#include <claros/sdk/entries.hpp>

#include <cmath>
#include <memory>
#include <vector>

namespace {

using namespace claros;

struct Options {
  double epsilon = 0.1;
};

std::shared_ptr<const Design> points_of(const Context& context) {
  if (auto design = context.data ? context.data->design() : nullptr) return design;
  throw Error(ErrorKind::usage, "", "geometric-median needs points", "give a [data] section that makes rows");
}

/// f(x) = (1/n) sum_i sqrt(||x - a_i||^2 + epsilon^2) over the rows a_i of the data: a mean that outliers
/// hardly move. With r_i the root and u_i = (x - a_i) / r_i, grad f_i = u_i and hess f_i d = (d - <u_i, d>
/// u_i) / r_i.
class GeometricMedian final : public sdk::ArrayObjective {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        row("epsilon", &Options::epsilon, above(0), "where the norm is rounded off", "epsilon")};
    return table;
  }
  GeometricMedian(const Options& options, const Context& context)
      : GeometricMedian(options.epsilon, points_of(context)) {}

  Constants constants() const override {
    const double L = 1.0 / epsilon_;
    return {.convex = true, .smoothness = L, .term_smoothness = L, .lower_bound = epsilon_};
  }

 private:
  GeometricMedian(double epsilon, std::shared_ptr<const Design> points)
      : ArrayObjective(Shape::vector(points->cols), points->rows),
        epsilon_(epsilon),
        points_(std::move(points)),
        u_(static_cast<std::size_t>(points_->cols)) {}

  double value_at(std::span<const double> x) override {
    double sum = 0.0;
    for (Index i = 0; i < terms(); ++i) sum += root(x, i);
    return sum / static_cast<double>(terms());
  }
  void add_gradient_at(std::span<const double> x, const Batch& batch, double a,
                       std::span<double> g) override {
    const Index size = batch.size(terms());
    for (Index k = 0; k < size; ++k) {
      (void)root(x, batch[k]);
      for (std::size_t j = 0; j < g.size(); ++j) g[j] += a / static_cast<double>(size) * u_[j];
    }
  }
  bool has_hessian() const noexcept override { return true; }
  void add_hessian_product_at(std::span<const double> x, std::span<const double> d, const Batch& batch,
                              double a, std::span<double> g) override {
    const Index size = batch.size(terms());
    for (Index k = 0; k < size; ++k) {
      const double scale = a / static_cast<double>(size) / root(x, batch[k]), along = sdk::dot(u_, d);
      for (std::size_t j = 0; j < g.size(); ++j) g[j] += scale * (d[j] - along * u_[j]);
    }
  }

  /// r_i; leaves u_i.
  double root(std::span<const double> x, Index i) {
    points_->row(i, u_);
    double sum = epsilon_ * epsilon_;
    for (std::size_t j = 0; j < u_.size(); ++j) u_[j] = x[j] - u_[j], sum += u_[j] * u_[j];
    const double r = std::sqrt(sum);
    for (double& entry : u_) entry /= r;
    return r;
  }

  double epsilon_;
  std::shared_ptr<const Design> points_;
  std::vector<double> u_;
};

}  // namespace

CLAROS_PLUGIN(
    GeometricMedian, Kind::objective, "geometric-median", "", "1.0.0",
    "The mean distance to the rows of the data, rounded off",
    "f(x) = (1/n) sum_i sqrt(||x - a_i||^2 + epsilon^2). A finite sum with Hessian products; the responses "
    "of "
    "the data are not read.",
    "Weiszfeld: Sur le point pour lequel la somme des distances de n points donnes est minimum, 1937")

// SPDX-License-Identifier: BSD-3-Clause
#include <claros/abilities.hpp>
#include <claros/plugin.hpp>
#include <claros/sdk/array_penalty.hpp>
#include <claros/sdk/chosen_rows.hpp>
#include <claros/sdk/sets/group_norm.hpp>
#include <claros/sdk/sets/norm_conjugate.hpp>

namespace {

using namespace claros;

struct Options {
  ScaledNumber lambda;
  sdk::GroupNormOptions norm;
  double rho = sdk::kInfinity;
};

/// h(x) = lambda psi(x), psi(x) = sum_g w_g ||x_g||_2 or sum_g w_g ||x_g||_inf, on {psi <= rho}. (Yuan, Lin
/// 2006; Qu, Li, Xu 2017, section 2, psi = ||.||_{1,gamma}.) h*: by the dual norm max_g ||s_g||_2 / w_g or
/// max_g ||s_g||_1 / w_g.
class Group final : public sdk::ArrayPenalty,
                    public Separable,
                    public LazyProximal,
                    public Conjugate,
                    public LambdaMax {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        {sdk::lambda_row(&Options::lambda, at_least(0), "factor of the sum of group norms"),
         sdk::side_constraint_row(&Options::rho, "sum of weighted group norms")},
        {include(&Options::norm, sdk::group_norm_rows())}};
    return table;
  }

  Group(const Options& options, const Context& context)
      : ArrayPenalty(options.rho), lambda_(options.lambda.number()), norm_(options.norm, context) {}

  LazySteps lazy_steps(const Shape& shape, double t) override {
    require_step(t);
    fit(shape);
    return norm_.lazy_steps(t, lambda_);
  }
  double conjugate(const Element& s) override {
    return sdk::norm_conjugate(norm_.dual(read(s)), lambda_, rho());
  }
  double into_domain(const Element& s) override {
    return sdk::norm_into_domain(norm_.dual(read(s)), lambda_, rho());
  }
  double lambda_max(const Element& gradient) override { return norm_.dual(read(gradient)); }
  Blocks blocks(const Shape& shape) override {
    fit(shape);
    return norm_.groups().blocks();
  }
  BlockStep block_step() override {
    return {this, [](const void* self, Index g, const double* v, double step, double* x) {
              const auto& h = *static_cast<const Group*>(self);
              h.norm_.prox_group(g, v, step * h.lambda_, x);
            }};
  }
  std::unique_ptr<Component> restrict_to(std::span<const Index> blocks) override {
    return std::unique_ptr<Component>(new Group(lambda_, norm_.chosen(blocks)));
  }
  void* ability(std::string_view id) noexcept override {
    const bool coupled = rho() < sdk::kInfinity;
    if (coupled && (id == Separable::kAbility || id == LazyProximal::kAbility)) return nullptr;
    return offer<ProximalOracle, Separable, LazyProximal, Conjugate, LambdaMax, State>(this, id);
  }

 private:
  Group(double lambda, sdk::GroupNorm norm) : lambda_(lambda), norm_(std::move(norm)) {}

  void fit(const Shape& shape) override { norm_.fit(shape); }
  double psi(std::span<const double> x) override { return norm_.value(x); }
  double penalty(std::span<const double> x) override { return lambda_ * norm_.value(x); }
  void prox(std::span<const double> v, double step, std::span<double> x) override {
    norm_.prox(v, step * lambda_, x);
  }
  void project(std::span<const double> v, std::span<double> x) override { norm_.project(v, rho(), x); }

  double lambda_;
  sdk::GroupNorm norm_;
};

}  // namespace

CLAROS_PLUGIN(Group, Kind::penalty, "group", "group-lasso", "1.0.0", "Group lasso, lambda sum_g w_g ||x_g||",
              "h(x) = lambda sum over the groups of weight * ||x_g||, the Euclidean or the largest-magnitude "
              "norm; with rho, on "
              "sum of weight * ||x_g|| <= rho. Groups partition the entries (column-major); rows or columns "
              "of a matrix give "
              "multi-task penalties. Separable without rho.",
              "Yuan, Lin: Model selection and estimation in regression with grouped variables, JRSS B 68, "
              "2006; Qu, Li, Xu: "
              "Linear convergence of SVRG in statistical estimation, 2017")

// SPDX-License-Identifier: BSD-3-Clause
#include <claros/abilities.hpp>
#include <claros/plugin.hpp>
#include <claros/sdk/array_penalty.hpp>
#include <claros/sdk/chosen_rows.hpp>
#include <shared/sets/group_norm.hpp>
#include <shared/sets/norm_conjugate.hpp>

namespace {

using namespace claros;

struct Options {
  ScaledNumber lambda;
  double ratio = 0.5;
  sdk::GroupOptions groups;
  double rho = sdk::kInfinity;
};

/// h(x) = lambda psi(x), psi(x) = ratio ||x||_1 + (1 - ratio) sum_g w_g ||x_g||_2, on {psi <= rho}. The step
/// prox_{t psi} is soft-thresholding, then shrinking of the groups (Simon, Friedman, Hastie, Tibshirani
/// 2013). The dual norm of s is the least d with ||soft(s_g, d ratio)||_2 <= d (1 - ratio) w_g for every g.
class SparseGroup final : public sdk::ArrayPenalty, public Separable, public Conjugate, public LambdaMax {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        {sdk::lambda_row(&Options::lambda, at_least(0), "factor of the penalty"),
         row("ratio", &Options::ratio, between(0, 1),
             "share of the sum of magnitudes; the rest is for the group norms", "alpha"),
         sdk::side_constraint_row(&Options::rho,
                                  "ratio ||x||_1 + (1 - ratio) * sum of weighted group norms")},
        {include(&Options::groups, sdk::group_rows())}};
    return table;
  }

  SparseGroup(const Options& options, const Context& context)
      : ArrayPenalty(options.rho),
        lambda_(options.lambda.number()),
        ratio_(options.ratio),
        norm_({sdk::BlockNorm::l2, options.groups}, context) {}

  double conjugate(const Element& s) override { return sdk::norm_conjugate(dual(read(s)), lambda_, rho()); }
  double into_domain(const Element& s) override {
    return sdk::norm_into_domain(dual(read(s)), lambda_, rho());
  }
  bool certifies_alone() const override { return lambda_ > 0.0 || rho() < sdk::kInfinity; }
  double lambda_max(const Element& gradient) override { return dual(read(gradient)); }
  Blocks blocks(const Shape& shape) override {
    fit(shape);
    return norm_.groups().blocks();
  }
  BlockStep block_step() override {
    return {this, [](const void* self, Index g, const double* v, double step, double* x) {
              const auto& h = *static_cast<const SparseGroup*>(self);
              const double t = step * h.lambda_;
              for (std::size_t k = 0; k < h.norm_.groups().size(static_cast<std::size_t>(g)); ++k)
                x[k] = sdk::soft_threshold(v[k], t * h.ratio_);
              h.norm_.prox_group(g, x, t * (1.0 - h.ratio_), x);
            }};
  }
  std::unique_ptr<Component> restrict_to(std::span<const Index> blocks) override {
    return std::unique_ptr<Component>(new SparseGroup(lambda_, ratio_, norm_.chosen(blocks)));
  }
  void* ability(std::string_view id) noexcept override {
    if (id == Separable::kAbility && rho() < sdk::kInfinity) return nullptr;
    return offer<ProximalOracle, Separable, Conjugate, LambdaMax, State>(this, id);
  }

 private:
  SparseGroup(double lambda, double ratio, sdk::GroupNorm norm)
      : lambda_(lambda), ratio_(ratio), norm_(std::move(norm)) {}

  void fit(const Shape& shape) override { norm_.fit(shape); }
  double psi(std::span<const double> x) override {
    return ratio_ * sdk::sum_of_magnitudes(x) + (1.0 - ratio_) * norm_.value(x);
  }
  double penalty(std::span<const double> x) override { return lambda_ * psi(x); }
  void prox(std::span<const double> v, double step, std::span<double> x) override {
    prox_psi(v, step * lambda_, x);
  }
  void prox_psi(std::span<const double> v, double t, std::span<double> x) override {
    sdk::map_entries(v, x, [level = t * ratio_](double value) { return sdk::soft_threshold(value, level); });
    norm_.prox(x, t * (1.0 - ratio_), x);
  }

  double dual(std::span<const double> s) {
    const double top = sdk::largest_magnitude(s);
    if (!(top > 0.0 && top < sdk::kInfinity)) return top;
    if (ratio_ == 1.0) return top;
    rest_.resize(s.size());
    return falling_root(
        [&](double d) {
          sdk::map_entries(s, rest_,
                           [level = d * ratio_](double value) { return sdk::soft_threshold(value, level); });
          return norm_.dual(rest_) - d * (1.0 - ratio_);
        },
        top);
  }

  double lambda_, ratio_;
  sdk::GroupNorm norm_;
  std::vector<double> rest_;
};

}  // namespace

CLAROS_PLUGIN(SparseGroup, Kind::penalty, "sparse-group", "sparse-group-lasso", "1.0.0",
              "Sparse group lasso, lambda (ratio ||x||_1 + (1 - ratio) sum_g w_g ||x_g||)",
              "h(x) = lambda (ratio ||x||_1 + (1 - ratio) sum over the groups of weight * ||x_g||_2): few "
              "groups, and few entries "
              "within them. With rho, on the x whose bracket is at most rho. Separable without rho.",
              "Simon, Friedman, Hastie, Tibshirani: A sparse-group lasso, Journal of Computational and "
              "Graphical Statistics 22, 2013",
              "Use it where few groups matter, and few entries within them; ratio is the share of l1. "
              "Groups must not overlap. Where groups are kept as a whole take group, and for nested groups, "
              "such as levels of a hierarchy, tree-group. For few entries of every group take exclusive.",
              "data.use=synthetic-regression data.rows=200 data.cols=500 data.nonzero=5 "
              "data.group_size=5 objective.use=linear-model penalty.use=sparse-group "
              "penalty.groups=10 penalty.lambda=0.1*max stop.relative_gap=1e-6")

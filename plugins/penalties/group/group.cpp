// SPDX-License-Identifier: BSD-3-Clause
#include <claros/abilities.hpp>
#include <claros/plugin.hpp>
#include <claros/sdk/array_penalty.hpp>
#include <claros/sdk/chosen_rows.hpp>
#include <shared/sets/group_norm.hpp>
#include <shared/sets/interval.hpp>
#include <shared/sets/norm_conjugate.hpp>

namespace {

using namespace claros;

struct Options {
  ScaledNumber lambda;
  double ratio = 1.0;
  sdk::GroupNormOptions norm;
  double rho = sdk::kInfinity;
  bool nonnegative = false;
};

/// h(x) = lambda psi(x), psi(x) = sum_g w_g ||x_g||_2 or sum_g w_g ||x_g||_inf, on {psi <= rho}. (Yuan, Lin
/// 2006; Qu, Li, Xu 2017, section 2, psi = ||.||_{1,gamma}.) h* follows from the dual norm max_g ||s_g||_2 /
/// w_g or max_g ||s_g||_1 / w_g. On {x >= 0} proximal steps, projections and conjugates are those of max(v,
/// 0) and max(s, 0). A negative entry of v only adds to the distance, and one of s only lowers <s, x>.
///
/// With a ratio r < 1, h(x) = lambda (r psi(x) + (1 - r)/2 ||x||^2), and rho is infinite. The part g = lambda
/// r psi is homogeneous, so that prox_{t h}(v) = prox_{t g}(v) / (1 + t lambda (1 - r)). The conjugate is the
/// squared distance to the domain of g*: by Moreau h*(s) = ||prox_g(s)||^2 / (2 lambda (1 - r)).
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
         row("ratio", &Options::ratio, between(0, 1),
             "share of the norms in h; the rest is half the squared norm, as in the elastic net"),
         sdk::side_constraint_row(&Options::rho, "sum of weighted group norms"),
         row("nonnegative", &Options::nonnegative, "whether entries must be at least 0")},
        {include(&Options::norm, sdk::group_norm_rows("; 0: the group is free; inf: it stays 0"))}};
    return table;
  }

  Group(const Options& options, const Context& context)
      : ArrayPenalty(options.rho),
        lambda_(options.lambda.number()),
        norm_(options.norm, context,
              options.rho < sdk::kInfinity ? sdk::GroupWeights::positive : sdk::GroupWeights::any),
        least_(options.nonnegative ? 0.0 : -sdk::kInfinity),
        ratio_(options.ratio) {
    if (ratio_ < 1.0 && rho() < sdk::kInfinity)
      throw Error(ErrorKind::usage, "rho", "bounds a sum of norms beside a squared norm (ratio below 1)",
                  "leave out one of rho and ratio");
  }

  LazySteps lazy_steps(const Shape& shape, double t) override {
    require_step(t);
    fit(shape);
    return norm_.lazy_steps(t, lambda_, least_);
  }
  double conjugate(const Element& s) override {
    if (square() == 0.0) return sdk::norm_conjugate(dual(s, 1.0), lambda_, rho());
    const std::span<const double> values = read(s);
    beyond_.resize(values.size());
    norm_.prox(clipped(values, beyond_), lambda_ * ratio_, beyond_);
    double sum = 0.0;
    for (const double value : beyond_) sum += value * value;
    return sum / (2.0 * square());
  }
  double into_domain(const Element& s) override {
    return square() > 0.0 ? 1.0 : sdk::norm_into_domain(dual(s, 1.0), lambda_, rho());
  }
  bool certifies_alone() const override { return lambda_ > 0.0 || rho() < sdk::kInfinity; }
  double lambda_max(const Element& gradient) override {
    if (ratio_ == 0.0)
      throw Error(ErrorKind::usage, "lambda",
                  "'max' is undefined: a squared norm has slope 0 at 0, so no lambda makes 0 the solution",
                  "give lambda as a number, or a ratio above 0");
    if (norm_.groups().has_free() && (ratio_ < 1.0 || least_ == 0.0))
      throw Error(ErrorKind::usage, "lambda",
                  "'max' is undefined: it is made where groups of weight 0 are at their best, and " +
                      std::string(ratio_ < 1.0 ? "a squared norm" : "the bound at 0") +
                      " keeps them from there",
                  "give lambda as a number");
    return dual(gradient, -1.0) / ratio_;
  }
  std::vector<Index> free_entries() const override { return norm_.groups().free(); }
  Blocks blocks(const Shape& shape) override {
    fit(shape);
    return norm_.groups().blocks();
  }
  BlockStep block_step() override {
    return {this, [](const void* self, Index g, const double* v, double step, double* x) {
              const auto& h = *static_cast<const Group*>(self);
              const auto size = h.norm_.groups().size(static_cast<std::size_t>(g));
              if (h.least_ == 0.0) {
                h.clip({v, size}, x);
                v = x;
              }
              h.norm_.prox_group(g, v, step * h.lambda_ * h.ratio_, x);
              h.shrink(step, {x, size});
            }};
  }
  std::unique_ptr<Component> restrict_to(std::span<const Index> blocks) override {
    return std::unique_ptr<Component>(new Group(lambda_, norm_.chosen(blocks), least_, ratio_));
  }
  void* ability(std::string_view id) noexcept override {
    const bool coupled = rho() < sdk::kInfinity;
    if (coupled && (id == Separable::kAbility || id == LazyProximal::kAbility)) return nullptr;
    if (ratio_ < 1.0 && id == LazyProximal::kAbility) return nullptr;
    // A dual point is feasible only if the gradient of a free group is exactly 0.
    if (id == Conjugate::kAbility && ratio_ == 1.0 && norm_.groups().has_free()) return nullptr;
    return offer<ProximalOracle, Separable, LazyProximal, Conjugate, LambdaMax, State>(this, id);
  }

 private:
  Group(double lambda, sdk::GroupNorm norm, double least, double ratio)
      : lambda_(lambda), norm_(std::move(norm)), least_(least), ratio_(ratio) {}

  /// The factor of ||x||^2 / 2.
  double square() const noexcept { return lambda_ * (1.0 - ratio_); }
  void shrink(double step, std::span<double> x) const {
    if (ratio_ == 1.0) return;
    for (double& value : x) value /= 1.0 + step * square();
  }

  void fit(const Shape& shape) override { norm_.fit(shape); }
  double psi(std::span<const double> x) override { return norm_.value(x); }
  double penalty(std::span<const double> x) override {
    if (!sdk::Interval{least_}.hold(x)) return sdk::kInfinity;
    const double norms = lambda_ * ratio_ * norm_.value(x);
    if (square() == 0.0) return norms;
    double sum = 0.0;
    for (const double value : x) sum += value * value;
    return norms + 0.5 * square() * sum;
  }
  void prox(std::span<const double> v, double step, std::span<double> x) override {
    norm_.prox(clipped(v, x), step * lambda_ * ratio_, x);
    shrink(step, x);
  }
  void project(std::span<const double> v, std::span<double> x) override {
    norm_.project(clipped(v, x), rho(), x);
  }

  /// x <- max(v, least)
  void clip(std::span<const double> v, double* x) const {
    sdk::map_entries(v, {x, v.size()}, [least = least_](double value) { return std::max(value, least); });
  }
  /// v clipped at the bound, in x, if there is a bound; else v.
  std::span<const double> clipped(std::span<const double> v, std::span<double> x) const {
    if (least_ < 0.0) return v;
    clip(v, x.data());
    return x;
  }
  /// The dual norm of `sign` s, or of its positive part.
  double dual(const Element& s, double sign) {
    const std::span<const double> values = read(s);
    if (least_ < 0.0) return norm_.dual(values);
    positive_.resize(values.size());
    sdk::map_entries(values, positive_, [sign](double value) { return std::max(sign * value, 0.0); });
    return norm_.dual(positive_);
  }

  double lambda_;
  sdk::GroupNorm norm_;
  double least_ = -sdk::kInfinity;  ///< of an entry: that, or 0
  double ratio_ = 1.0;              ///< of the norms; the rest is a squared norm
  std::vector<double> positive_, beyond_;
};

}  // namespace

CLAROS_PLUGIN(
    Group, Kind::penalty, "group", "group-lasso", "1.0.0", "Group lasso, lambda sum_g w_g ||x_g||",
    "h(x) = lambda sum over the groups of weight * ||x_g||, the Euclidean or the largest-magnitude "
    "norm; with rho, on "
    "sum of weight * ||x_g|| <= rho. Groups partition the entries (column-major); rows or columns "
    "of a matrix give "
    "multi-task penalties. With a ratio below 1, lambda (ratio sum of weight * ||x_g|| + (1 - ratio)/2 "
    "||x||^2). With nonnegative, h is infinite unless x >= 0. Separable without rho.",
    "Yuan, Lin: Model selection and estimation in regression with grouped variables, JRSS B 68, "
    "2006; Qu, Li, Xu: "
    "Linear convergence of SVRG in statistical estimation, 2017",
    "Use it where entries matter in groups: the indicator columns of a category, or a feature for all "
    "responses (groups = rows). Every entry is in exactly one group: for nested groups take tree-group, for "
    "other overlaps overlapping-group. For zeros within groups take sparse-group; for large groups that "
    "must not be shrunk, group-mcp or group-scad.",
    "data.use=synthetic-regression data.rows=200 data.cols=500 data.nonzero=5 "
    "data.group_size=5 objective.use=linear-model penalty.use=group "
    "penalty.groups=5 penalty.lambda=0.1*max stop.relative_gap=1e-6")

// SPDX-License-Identifier: BSD-3-Clause
#include <claros/abilities.hpp>
#include <claros/plugin.hpp>
#include <claros/sdk/array_penalty.hpp>
#include <claros/sdk/chosen_rows.hpp>
#include <shared/sets/groups.hpp>

namespace {

using namespace claros;

struct Options {
  double lambda = kUnset;
  sdk::GroupOptions groups;
};

/// The level c >= 0 with c = a sum_k max(|v_k| - c, 0), which the step of (a/2) ||x||_1^2 takes from every
/// magnitude. The difference of the sides is convex, falls, and is at least 0 at c = 0: Newton's method rises
/// to the root and ends at its piece.
double common_level(std::span<const double> v, double a) {
  double level = 0.0;
  while (a > 0.0) {
    double sum = 0.0, count = 0.0;
    for (const double value : v)
      if (std::abs(value) > level) sum += std::abs(value), count += 1.0;
    const double next = sum / (1.0 / a + count);
    if (!(next > level)) break;
    level = next;
  }
  return level;
}

/// How far the level lies below the largest magnitude, of which d_k is that of entry k: the root of
/// t + a sum_k max(t - d_k, 0) = max |v|. The left side is convex and rises: Newton's method falls to the
/// root from t = max |v| and ends at its piece. No difference of large numbers is left of it: a level close
/// to the largest magnitude has the digits of t. `a` is step * weight * lambda, and may overflow.
double depth_of_level(std::span<const double> v, double top, double step, double lambda) {
  const double a = step * lambda, part = top / step / lambda;
  double depth = top;
  for (;;) {
    double apart = 0.0, count = 0.0;
    for (const double value : v) {
      const double d = top - std::abs(value);
      if (d < depth) apart += d, count += 1.0;
    }
    const double next = (part + apart) / (1.0 / a + count);
    if (!(next < depth)) return depth;
    depth = next;
  }
}

/// h(x) = (lambda/2) sum_g w_g ||x_g||_1^2. h*(s) = sum_g ||s_g||_inf^2 / (2 lambda w_g), finite everywhere.
class Exclusive final : public sdk::ArrayPenalty, public Separable, public Conjugate {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        {sdk::lambda_row(
            &Options::lambda, above(0), "factor of the squared l1 norms",
            "no lambda makes 0 the solution: try powers of 2 from 1 downwards, and compare on data "
            "held back")},
        {include(&Options::groups, sdk::group_rows())}};
    return table;
  }

  Exclusive(const Options& o, const Context& context) : lambda_(o.lambda), groups_(o.groups, context) {}

  double conjugate(const Element& s) override {
    return sum_over_groups(read(s), [this](std::span<const double> of, double w) {
      const double top = sdk::largest_magnitude(of);
      return 0.5 * top / lambda_ * (top / w);
    });
  }
  double into_domain(const Element&) override { return 1.0; }
  Blocks blocks(const Shape& shape) override {
    fit(shape);
    return groups_.blocks();
  }
  BlockStep block_step() override {
    return {this, [](const void* self, Index g, const double* v, double step, double* x) {
              const auto& h = *static_cast<const Exclusive*>(self);
              const auto group = static_cast<std::size_t>(g);
              h.shrink({v, h.groups_.size(group)}, step * h.groups_.weight(group), x);
            }};
  }
  std::unique_ptr<Component> restrict_to(std::span<const Index> blocks) override {
    return std::unique_ptr<Component>(new Exclusive(lambda_, groups_.chosen(blocks)));
  }
  void* ability(std::string_view id) noexcept override {
    return offer<ProximalOracle, Separable, Conjugate, State>(this, id);
  }

 private:
  Exclusive(double lambda, sdk::Groups groups) : lambda_(lambda), groups_(std::move(groups)) {}

  void fit(const Shape& shape) override { groups_.fit(shape); }
  /// sum_g f(x_g, w_g)
  template <class F>
  double sum_over_groups(std::span<const double> x, F f) {
    double sum = 0.0;
    for (std::size_t g = 0; g < groups_.count(); ++g) sum += f(gathered(x, g), groups_.weight(g));
    return sum;
  }
  double penalty(std::span<const double> x) override {
    return sum_over_groups(x, [this](std::span<const double> of, double w) {
      const double norm = sdk::sum_of_magnitudes(of);
      return 0.5 * lambda_ * w * norm * norm;
    });
  }
  void prox(std::span<const double> v, double step, std::span<double> x) override {
    for (std::size_t g = 0; g < groups_.count(); ++g) {
      gathered(v, g);
      shrink(group_, step * groups_.weight(g), group_.data());
      for (std::size_t k = 0; k < group_.size(); ++k) x[index(g, k)] = group_[k];
    }
  }
  /// x may be v.
  void shrink(std::span<const double> v, double step, double* x) const {
    const double level = common_level(v, step * lambda_), top = sdk::largest_magnitude(v);
    if (!(level > 0.5 * top)) {
      sdk::map_entries(v, {x, v.size()}, [=](double value) { return sdk::soft_threshold(value, level); });
      return;
    }
    const double depth = depth_of_level(v, top, step, lambda_);
    sdk::map_entries(v, {x, v.size()}, [=](double value) {
      return std::copysign(std::max(depth - (top - std::abs(value)), 0.0), value);
    });
  }

  std::size_t index(std::size_t g, std::size_t k) const {
    return groups_.contiguous() ? groups_.first(g) + k : static_cast<std::size_t>(groups_.members(g)[k]);
  }
  std::span<const double> gathered(std::span<const double> x, std::size_t g) {
    group_.resize(groups_.size(g));
    for (std::size_t k = 0; k < group_.size(); ++k) group_[k] = x[index(g, k)];
    return group_;
  }

  double lambda_;
  sdk::Groups groups_;
  std::vector<double> group_;
};

}  // namespace

CLAROS_PLUGIN(
    Exclusive, Kind::penalty, "exclusive", "exclusive-lasso", "1.0.0",
    "Exclusive lasso, (lambda/2) sum_g w_g ||x_g||_1^2",
    "h(x) = (lambda/2) sum over the groups of weight * ||x_g||_1^2: entries of a group compete, so that each "
    "group keeps some entries. The proximal step takes one level from all magnitudes of a group, a sum_k "
    "max(|v_k| - level, 0) with a = step lambda w_g, found exactly by Newton's method. The conjugate is "
    "sum over the groups of ||s_g||_inf^2 / (2 lambda w_g). Separable.",
    "Zhou, Jin, Hoi: Exclusive lasso for multi-task feature selection, AISTATS 2010; Campbell, Allen: Within "
    "group variable selection through the exclusive lasso, Electronic Journal of Statistics 11, 2017",
    "Use it where every group keeps some of its entries, and few: the entries of a group compete. No lambda "
    "makes 0 the solution: give it as a number, 0.1*max is refused. For groups that are 0 as a whole take "
    "group, and for few entries regardless of groups, l1.",
    "data.use=synthetic-regression data.rows=200 data.cols=30 data.nonzero=3 objective.use=linear-model "
    "penalty.use=exclusive penalty.groups=10 penalty.lambda=0.5 stop.relative_gap=1e-6")

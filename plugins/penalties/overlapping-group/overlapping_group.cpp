// SPDX-License-Identifier: BSD-3-Clause
#include "latent.hpp"

#include <claros/abilities.hpp>
#include <claros/plugin.hpp>
#include <claros/sdk/array_penalty.hpp>
#include <claros/sdk/chosen_rows.hpp>
#include <shared/sets/norm_conjugate.hpp>

namespace {

using namespace claros;

struct Options {
  ScaledNumber lambda;
  sdk::GroupOptions groups;
};

/// h(x) = lambda Omega(x), Omega(x) = min sum_g w_g ||z_g||_2 over sum_g z_g = x, z_g = 0 outside g. The dual
/// norm is max_g ||s_g||_2 / w_g.
class OverlappingGroup final : public sdk::ArrayPenalty, public Conjugate, public LambdaMax {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        {sdk::lambda_row(&Options::lambda, at_least(0), "factor of the latent group norm")},
        {include(&Options::groups, sdk::group_rows("; groups may overlap"))}};
    return table;
  }

  OverlappingGroup(const Options& o, const Context& context)
      : lambda_(o.lambda.number()), groups_(o.groups, context, true) {}

  double conjugate(const Element& s) override {
    return sdk::norm_conjugate(dual(s), lambda_, sdk::kInfinity);
  }
  double into_domain(const Element& s) override {
    return sdk::norm_into_domain(dual(s), lambda_, sdk::kInfinity);
  }
  bool certifies_alone() const override { return lambda_ > 0.0; }
  double lambda_max(const Element& gradient) override { return dual(gradient); }
  void* ability(std::string_view id) noexcept override {
    return offer<ProximalOracle, Conjugate, LambdaMax, State>(this, id);
  }

 private:
  void fit(const Shape& shape) override { groups_.fit(shape); }
  double dual(const Element& s) {
    const std::span<const double> values = read(s);
    double most = 0.0;
    for (std::size_t g = 0; g < groups_.count(); ++g) {
      group_.clear();
      for (std::size_t k = 0; k < groups_.size(g); ++k)
        group_.push_back(values[groups_.contiguous() ? groups_.first(g) + k
                                                     : static_cast<std::size_t>(groups_.members(g)[k])]);
      const double norm = sdk::euclidean_norm(group_) / groups_.weight(g);
      if (std::isnan(norm)) return norm;
      most = std::max(most, norm);
    }
    return most;
  }
  double penalty(std::span<const double> x) override {
    constexpr double kAccuracy = 1e-14;
    if (!sdk::all_finite(x)) return sdk::sum_of_magnitudes(x);
    if (lambda_ == 0.0) return 0.0;
    latent_.solve(groups_, x, 1.0, false, kAccuracy);
    return lambda_ * latent_.value();
  }
  void prox(std::span<const double> v, double step, std::span<double> x) override {
    (void)prox(v, step, x, {});
  }
  Certificate prox(std::span<const double> v, double step, std::span<double> x,
                   const Accuracy& accuracy) override {
    constexpr double kNoStep = 1e-18;  // |v_j - x_j| <= step lambda w_g
    double most = 0.0;
    for (const double w : groups_.weights()) most = std::max(most, w);
    if (!sdk::all_finite(v) || !(step * lambda_ * most > kNoStep * sdk::largest_magnitude(v))) {
      sdk::map_entries(v, x, [](double value) { return value; });
      return {};
    }
    latent_.solve(groups_, v, step * lambda_, true, accuracy.tolerance);
    latent_.write(v, x);
    Certificate c;
    c.error = latent_.error();
    if (std::isnan(c.error)) c.error = sdk::kInfinity;
    c.exact = c.error <= accuracy.tolerance * sdk::euclidean_norm(x);
    return c;
  }

  double lambda_;
  sdk::Groups groups_;
  std::vector<double> group_;
  overlapping_group::Latent latent_;
};

}  // namespace

CLAROS_PLUGIN(
    OverlappingGroup, Kind::penalty, "overlapping-group", "latent-group-lasso", "1.0.0",
    "Latent group lasso of overlapping groups, lambda min sum_g w_g ||z_g||, sum_g z_g = x",
    "h(x) = lambda min over sum_g z_g = x of sum over the groups of weight * ||z_g||_2, z_g = 0 outside "
    "group g: the entries other than 0 are a union of groups. It is the group lasso of columns that "
    "are repeated in each of their groups, without the repetition. Value and proximal step are found "
    "by a projected Newton method with one number a group, among the groups that can be other than 0, "
    "by a sparse factorisation; the certificate bounds the distance to the exact step by a duality "
    "gap. The dual norm is max_g ||s_g||_2 / w_g.",
    "Jacob, Obozinski, Vert: Group lasso with overlap and graph lasso, ICML 2009; Obozinski, "
    "Jacob, Vert: Group lasso with overlaps: the latent group lasso approach, arXiv:1110.0413, "
    "2011; Villa, Rosasco, Mosci, Verri: Proximal methods for the latent group lasso penalty, "
    "Computational Optimization and Applications 58, 2014",
    "Use it where the entries other than 0 form a union of given groups, which may overlap. "
    "Value and proximal step are iterated, and working-set and coordinate-descent refuse "
    "it. For groups that do not overlap take group; where the zeros form a union of nested "
    "groups, tree-group, whose proximal step is exact.",
    "data.use=synthetic-regression data.rows=100 data.cols=12 data.nonzero=2 "
    "data.group_size=3 objective.use=linear-model penalty.use=overlapping-group "
    "penalty.groups='0-3; 2-6; 5-9; 8-11' penalty.lambda=0.2*max stop.relative_gap=1e-6")

// SPDX-License-Identifier: BSD-3-Clause
#include <claros/abilities.hpp>
#include <claros/error.hpp>
#include <claros/linear_oracle.hpp>
#include <claros/plugin.hpp>
#include <claros/proximal_sum.hpp>
#include <claros/sdk/sets/split_set.hpp>
#include <claros/sdk/stateless.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace {

using namespace claros;

enum class By { projections, oracles };

struct Options {
  By by = By::projections;
  double slack = 0.0;
};

/// C = C_1 n ... n C_k. The projection is the proximal step of the sum of their indicators
/// (proximal_sum.hpp), without a warm start. It lies in C_k, and in the others up to the rounding that they
/// allow.
///
/// If the sets have only linear oracles, the intersection has no projection. Its support function is bounded
/// by those of the sets (split_set.hpp) once an algorithm has set a split, and is infinite before.
class Intersection final : public Component,
                           public ProximalOracle,
                           public Membership,
                           public Start,
                           public Conjugate,
                           public sdk::SplitSet,
                           public sdk::Stateless {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        {row("by", &Options::by, one_of<By>({{By::projections, "projections"}, {By::oracles, "oracles"}}),
             "how common points are found: projections (of the sets, which make that of the intersection) or "
             "oracles (linear oracles of the sets, by split-conditional-gradient; nothing is projected)"),
         row("slack", &Options::slack, between(0, Membership::kMostSlack),
             "how far a solution may lie outside, relative to the size of the sets; more than rounding where "
             "linear oracles alone find points of sets that have no interior")},
        {},
        {{"sets",
          Kind::set,
          "the sets whose common points are meant, all with a projection or all with a linear oracle; a "
          "projection ends in the last",
          {},
          true,
          true}}};
    return table;
  }

  Intersection(const Options& o, const Context& context)
      : parts_(context.parts<Component>("sets")), slack_(o.slack) {
    by_oracles_ = o.by == By::oracles;
    if (!by_oracles_ && !all_offer(ProximalOracle::kAbility))
      throw Error(ErrorKind::usage, "sets",
                  "one has no projection, of which that of the intersection is made",
                  "take sets that have one, or sets with linear oracles and by = oracles");
    if (by_oracles_ && !(all_offer(LinearOracle::kAbility) && all_offer(Membership::kAbility)))
      throw Error(ErrorKind::usage, "sets",
                  "one has no linear oracle, or does not know which points it holds",
                  "take sets that do, or sets with projections and by = projections");
    for (const auto& part : parts_) indicators_.push_back(query<ProximalOracle>(*part));
  }

  Certificate apply(const Element& v, double step, Element& x, const Accuracy& accuracy) override {
    if (indicators_.size() == 1) return indicators_.front()->apply(v, step, x, accuracy);
    return apply_sum(indicators_, v, 1.0, x, accuracy, "set/intersection", kApart);
  }
  double value(const Element& x) override {
    double sum = 0.0;
    for (ProximalOracle* indicator : indicators_) sum += indicator->value(x);
    return sum;
  }
  /// The largest violation of the sets; NaN if one is.
  double violation(const Element& x) override {
    double worst = 0.0;
    for (const auto& part : parts_) {
      const double excess = query<Membership>(*part)->violation(x);
      if (!(excess <= worst)) worst = excess;
      if (std::isnan(worst)) return worst;
    }
    return worst;
  }
  double slack() const override {
    double most = slack_;
    for (const auto& part : parts_) most = std::max(most, query<Membership>(*part)->slack());
    return most;
  }
  /// The common point nearest to the first set's starting point.
  Element start_point(const Shape& shape) override {
    auto* first = query<Start>(*parts_.front());
    Element x;
    (void)apply(first ? first->start_point(shape) : Element(shape), 1.0, x, {});
    return x;
  }

  std::vector<Component*> parts() override {
    std::vector<Component*> all;
    for (const auto& part : parts_) all.push_back(part.get());
    return all;
  }
  void split(const Element& x, std::vector<Element> y) override {
    told_ = x;
    offsets_ = std::move(y);
    if (!offsets_.empty() && offsets_.size() + 1 != parts_.size()) offsets_.clear();
    told_.drop_images();
  }

  /// The bound of the split; infinite without a split.
  double conjugate(const Element& s) override {
    const std::size_t m = parts_.size();
    if ((offsets_.empty() && m > 1) || told_.shape() != s.shape()) return kInfinity;
    Element first = s;  // the rest of the others, so that the parts sum to s
    double sum = 0.0;
    for (std::size_t i = 1; i < m; ++i) {
      Element part = s;
      part.scale(1.0 / static_cast<double>(m));
      part.add(1.0, offsets_[i - 1]);
      first.add(-1.0, part);
      sum += support(*parts_[i], part);
    }
    return sum + support(*parts_.front(), first);
  }
  double into_domain(const Element&) override { return 1.0; }

  void* ability(std::string_view id) noexcept override {
    if (id == State::kAbility) return offer<State>(this, id);
    if (id == Membership::kAbility) return all_offer(id) ? offer<Membership>(this, id) : nullptr;
    if (id == sdk::SplitSet::kAbility)
      return all_offer(LinearOracle::kAbility) && all_offer(Membership::kAbility)
                 ? offer<sdk::SplitSet>(this, id)
                 : nullptr;
    return by_oracles_ ? offer<Conjugate>(this, id) : offer<ProximalOracle, Start>(this, id);
  }

 private:
  static constexpr double kApart = 1e-6;  ///< for sets that touch, the allowed distance outside
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();

  bool all_offer(std::string_view id) const noexcept {
    return std::all_of(parts_.begin(), parts_.end(),
                       [id](const auto& part) { return part->ability(id) != nullptr; });
  }
  /// max(sigma_i(s), <s, x>), sigma_i as its confirmed linear oracle bounds it.
  double support(Component& part, const Element& s) const {
    constexpr double kTolerance = 1e-6;
    Element c = s, vertex;
    c.scale(-1.0);
    const OracleInfo info = query<LinearOracle>(part)->minimize(c, {kTolerance, true}, vertex);
    return info.confirmed ? std::max(-info.lower_bound, inner(s, told_)) : kInfinity;
  }

  std::vector<std::shared_ptr<Component>> parts_;
  double slack_;
  bool by_oracles_ = false;
  std::vector<ProximalOracle*> indicators_;  ///< null if by_oracles_
  Element told_;                             ///< the x of the split
  std::vector<Element> offsets_;             ///< y_2, ..., y_m; empty: no split
};

}  // namespace

CLAROS_PLUGIN(
    Intersection, Kind::set, "intersection", "", "1.0.0", "Intersection of sets, C_1 n ... n C_k",
    "C = C_1 n ... n C_k. Of sets with projections, that onto C is found by Dykstra's algorithm, its "
    "dual steps with momentum, from the start anew in every call, and its certificate bounds the "
    "distance to the nearest point. A linear "
    "function has no minimum over C that those of the sets would tell. Sets without a common point "
    "are refused when the projection finds none. Of sets with linear oracles alone (by = oracles), "
    "split-conditional-gradient minimises over C, with duality gaps: s = s_1 + ... + s_k bounds the "
    "support function of C at s by the sum of those of C_i at s_i.",
    "Boyle, Dykstra: A method for finding projections onto the intersection of convex sets in "
    "Hilbert spaces, Lecture Notes in Statistics 37, 1986; Chambolle, Tan, Vaiter: Accelerated "
    "alternating descent methods for "
    "Dykstra-like problems, Journal of Mathematical Imaging and Vision 59, 2017",
    "Use it where x lies in several sets at once, each with a projection. A projection takes "
    "some tens of projections onto the sets, and a run ends at a residual, since no linear "
    "oracle gives a gap. If one set describes the constraints, use that set: matroid-base for a "
    "box and a sum, polytope for linear constraints. For sets of different entries use product.",
    "objective.use=quadratic objective.diagonal='4 2 1' set.use=intersection set.sets.1.use=simplex "
    "set.sets.1.radius=1 set.sets.2.use=moved set.sets.2.shift='0.6 0.2 0.2' "
    "set.sets.2.inner.use=l1-ball set.sets.2.inner.radius=0.4 stop.residual=1e-6")

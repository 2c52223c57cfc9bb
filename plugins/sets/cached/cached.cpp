// SPDX-License-Identifier: BSD-3-Clause
#include "kept_vertices.hpp"

#include <claros/linear_oracle.hpp>
#include <claros/plugin.hpp>
#include <claros/sdk/losses/fold_fused.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <variant>

namespace {

using namespace claros;

struct Options {
  Index keep = 100;
  double share = 0.5;
  Index reuse = 20;
};

/// C = B with a lazy linear oracle (weak separation; Braun, Pokutta, Zink 2017, Oracle 1). For a direction c
/// let w be the last vertex that was returned, and v the kept vertex of least <c, v>. The result is v if
///     <c, w> - <c, v>  >=  share * Phi * max(1, ||c|| / ||c_0||),
/// else the result of B. Here c_0 is the direction of B's last result v_0. Phi = <c_0, w_0> - <c_0, v_0> is
/// the gain of that one over w_0, the vertex before it. The vertex w takes the place of the point x of the
/// algorithm, which a set does not see. After an exact line search from x_t toward w, <c, w> = <c, x_{t+1}>,
/// and Phi is the Frank-Wolfe gap. B is called at least once in `reuse` + 1 calls, and for every call to be
/// confirmed.
///
/// A result from the cache states no lower bound (-infinity). With D the diameter and b_0 the bound of B for
/// c_0, one could prove
///     <c, u>  >=  <c, v> - s (<c_0, v> - b_0) - D ||c - s c_0||  for u in C, s >= 0,
/// which lies below <c, v> by more than the gap after one step: the gradient then moves by about gamma L D,
/// and a gap is about gamma L D^2.
class Cached final : public Component, public LinearOracle, public State {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        {row("keep", &Options::keep, at_least(1),
             "vertices that are kept; the one not returned for longest leaves"),
         row("share", &Options::share, above_to(0, 1),
             "a kept vertex is returned if it gains at least this share of what the last result of the "
             "inner set gained",
             "1/K"),
         row("reuse", &Options::reuse, at_least(0),
             "answers from the kept vertices in a row, at most; 0: never")},
        {},
        {{"inner", Kind::set, "the set, whose linear oracle is expensive", {}}}};
    return table;
  }

  Cached(const Options& o, const Context& context)
      : set_(context.part<Component>("inner")),
        oracle_(query<LinearOracle>(*set_)),
        share_(o.share),
        reuse_(o.reuse),
        kept_(static_cast<std::size_t>(o.keep)) {
    if (!oracle_)
      throw Error(ErrorKind::usage, "inner", "has no linear oracle, whose answers would be kept",
                  "take a set that has one");
  }

  OracleInfo minimize(const Element& direction, const OracleRequest& request, Element& vertex) override {
    if (request.confirm) return oracle_->minimize(direction, request, vertex);
    Element c = direction;
    sdk::fold_fused(c);
    if (!has_cheap_products(c)) return oracle_->minimize(c, request, vertex);
    if (like_.shape() != c.shape()) forget(c.shape());
    const double length = norm(c);
    double before = 0.0, least = 0.0;
    const std::size_t best = best_of(c, before, least);
    if (std::isfinite(length) && given_ < reuse_ && gains(before - least, length)) {
      ++given_;
      kept_.give(best, vertex);
      return {.value = least, .lower_bound = -kInfinity};
    }
    const OracleInfo info = oracle_->minimize(c, request, vertex);
    learn(length, before, info);
    kept_.add(vertex);
    return info;
  }
  double diameter(const Shape& shape) override { return oracle_->diameter(shape); }

  void state(StateVisitor& v) override {
    if (v.loading()) like_ = Element();
    v("like", like_);
    kept_.state(v, like_.shape());
    v("length", length_);
    v("gain", gain_);
    v.require(gain_ >= 0.0, "gain", "negative, or not a number");
    v("given", given_);
    v.require(given_ >= 0, "given", "negative");
  }

  void* ability(std::string_view id) noexcept override {
    void* own = offer<LinearOracle, State>(this, id);
    return own ? own : set_->ability(id);
  }

 private:
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();

  void forget(const Shape& shape) {
    like_ = Element(shape);
    kept_.clear();
    gain_ = kInfinity;
    given_ = 0;
    length_ = 0.0;
  }

  /// A direction that is only known by products with a map or an operator costs one product for each kept
  /// vertex.
  static bool has_cheap_products(const Element& c) {
    return std::ranges::none_of(c.parts(), [](const Part& part) {
      return std::holds_alternative<AdjointForm>(part.form) ||
             std::holds_alternative<OperatorForm>(part.form);
    });
  }

  /// The kept vertex of least <c, v>, the first of several; <c, w>.
  std::size_t best_of(const Element& c, double& before, double& least) const {
    std::size_t best = 0;
    for (std::size_t k = 0; k < kept_.size(); ++k) {
      const double value = kept_.product(k, c);
      if (k == 0) before = least = value;
      if (value < least) least = value, best = k;
    }
    return best;
  }

  bool gains(double gain, double length) const {
    if (!(gain > 0.0) || !(length_ > 0.0) || !std::isfinite(gain_)) return false;
    return gain >= share_ * gain_ * std::max(1.0, length / length_);
  }

  /// Learns from a result of the inner set. One without a gain says nothing of later ones.
  void learn(double length, double before, const OracleInfo& info) {
    const double gain = kept_.size() > 0 ? before - info.value : 0.0;
    gain_ = gain > 0.0 ? gain : kInfinity;
    given_ = 0;
    length_ = length;
  }

  std::shared_ptr<Component> set_;
  LinearOracle* oracle_;
  double share_;
  Index reuse_;
  cached::KeptVertices kept_;
  Element like_;             ///< 0, of the shape of the variable
  double length_ = 0.0;      ///< the norm of the direction of the inner set's last answer
  double gain_ = kInfinity;  ///< Phi; infinite if it is not known
  Index given_ = 0;          ///< answers from the cache since
};

}  // namespace

CLAROS_PLUGIN(
    Cached, Kind::set, "cached", "lazy", "1.0.0",
    "Lazy linear oracle: the last vertices of another set answer",
    "C = another set, whose last vertices are kept. The kept vertex v of least <c, v> is returned for a "
    "direction c if it gains <c, w> - <c, v> over the last answer w at least the share 1/K of what the inner "
    "set's last answer gained in its place (weak separation with the last answer as the point). Otherwise, "
    "and at least once in reuse + 1 calls, the inner set answers. Measurements ask the inner set alone: a "
    "verified gap is one of the set without a cache. Everything else is that of the inner set.",
    "Braun, Pokutta, Zink: Lazifying conditional gradient algorithms, ICML 2017, Oracle 1 and Algorithm 2",
    "Use it with frank-wolfe where the linear oracle takes most of the time, as that of birkhoff "
    "or polytope does. A run takes more steps, most of them without the oracle, and keeps "
    "vertices in memory. For away-step and blended-pairwise, which are lazy themselves, and for "
    "a set with a cheap oracle, such as flow, use the inner set alone.",
    "data.use=synthetic-regression data.rows=60 data.cols=60 objective.use=distance "
    "set.use=cached set.inner.use=birkhoff algorithm.use=frank-wolfe stop.relative_gap=1e-4")

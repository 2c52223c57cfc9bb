// SPDX-License-Identifier: BSD-3-Clause
#include <claros/abilities.hpp>
#include <claros/linear_oracle.hpp>
#include <claros/plugin.hpp>
#include <claros/proximal_oracle.hpp>
#include <claros/sdk/stateless.hpp>
#include <shared/sets/number_rows.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace {

using namespace claros;

struct Options {
  double factor = 1.0;
  std::string shift;
};

/// C = {a u + t : u in B}, a other than 0. The minimiser of <c, x> is a u + t with u = argmin over B of <a c,
/// u>. The projection is P v = a P_B((v - t) / a) + t, and D = |a| D_B. The support function is <s, t> + that
/// of B at a s. C offers the abilities of B, whose state is saved with it.
class Moved final : public Component,
                    public LinearOracle,
                    public Faces,
                    public ProximalOracle,
                    public Membership,
                    public Start,
                    public Conjugate,
                    public sdk::Stateless {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        {row("factor", &Options::factor, any(), "what the points of the set are multiplied by; not 0", "a"),
         row("shift", &Options::shift, any(),
             "what is added to them then, a number for each entry, column-major, or one for all: written out "
             "(1 0 -2) or in a file; empty: nothing",
             "t")},
        {},
        {{"inner", Kind::set, "the set that is scaled and moved", {}}}};
    return table;
  }

  Moved(const Options& o, const Context& context)
      : set_(context.part<Component>("inner")), factor_(o.factor) {
    if (factor_ == 0.0)
      throw Error(ErrorKind::usage, "factor", "is 0: the set would be one point",
                  "give a number other than 0");
    if (!o.shift.empty()) shift_ = sdk::number_list(o.shift, "shift", context);
  }

  OracleInfo minimize(const Element& direction, const OracleRequest& request, Element& vertex) override {
    Element turned = direction;
    turned.scale(factor_);
    OracleInfo info = query<LinearOracle>(*set_)->minimize(turned, request, vertex);
    forth(vertex);
    const double moved = along_shift(direction);
    info.value += moved;
    info.lower_bound += moved;
    return info;
  }
  FaceInfo away(const Element& g, const Element& x, const OracleRequest& request, Element& vertex) override {
    Element turned = g;
    turned.scale(factor_);
    FaceInfo info = query<Faces>(*set_)->away(turned, back(x), request, vertex);
    forth(vertex);
    info.value += along_shift(g);
    return info;
  }
  double diameter(const Shape& shape) override {
    return std::abs(factor_) * query<LinearOracle>(*set_)->diameter(shape);
  }

  Certificate apply(const Element& v, double step, Element& x, const Accuracy& accuracy) override {
    const Element from = back(v);
    Certificate certificate = query<ProximalOracle>(*set_)->apply(from, step, x, accuracy);
    forth(x);
    certificate.error *= std::abs(factor_);
    return certificate;
  }
  double value(const Element& x) override { return query<ProximalOracle>(*set_)->value(back(x)); }
  bool is_expensive() const override { return query<ProximalOracle>(*set_)->is_expensive(); }
  double violation(const Element& x) override { return query<Membership>(*set_)->violation(back(x)); }
  /// Points near t have the rounding of t, of which a small set is many times.
  double slack() const override {
    return std::min(std::max(query<Membership>(*set_)->slack(), kRoundings * grain_), kMostSlack);
  }
  Element start_point(const Shape& shape) override {
    Element x = query<Start>(*set_)->start_point(shape);
    forth(x);
    return x;
  }
  double conjugate(const Element& s) override {
    Element turned = s;
    turned.scale(factor_);
    return query<Conjugate>(*set_)->conjugate(turned) + along_shift(s);
  }
  double into_domain(const Element& s) override {
    Element turned = s;
    turned.scale(factor_);
    return query<Conjugate>(*set_)->into_domain(turned);
  }

  void* ability(std::string_view id) noexcept override {
    void* own = offer<LinearOracle, Faces, ProximalOracle, Membership, Start, Conjugate, State>(this, id);
    return own && (id == State::kAbility || (set_ && set_->ability(id))) ? own : nullptr;
  }

 private:
  static constexpr double kRoundings = 64.0;  // of the points of a run

  /// Sets that are lost in the rounding of t are refused.
  void measure_grain(const Shape& shape) {
    auto* oracle = query<LinearOracle>(*set_);
    const double size = oracle ? std::abs(factor_) * oracle->diameter(shape) : 0.0;
    grain_ = size > 0.0 ? std::numeric_limits<double>::epsilon() * norm(made_) / size : 0.0;
    if (kRoundings * grain_ <= kMostSlack) return;
    throw Error(ErrorKind::usage, "shift",
                "the set has a diameter of " + print_real(size) + " and is moved by " +
                    print_real(norm(made_)) + ": its points have too few digits left",
                "subtract the shift from the data and leave it out here, or take a larger factor");
  }
  const Element& shift(const Shape& shape) {
    if (made_.shape() == shape) return made_;
    const auto entries = static_cast<std::size_t>(shape.size());
    if (shift_.size() != 1) sdk::require_count(shift_.size(), shape.size(), "shift", "numbers of the shift");
    made_ = Element::dense(shape, shift_.size() == 1 ? std::vector<double>(entries, shift_.front()) : shift_);
    measure_grain(shape);
    return made_;
  }
  /// <s, t>
  double along_shift(const Element& s) { return shift_.empty() ? 0.0 : inner(s, shift(s.shape())); }
  void forth(Element& x) {
    x.scale(factor_);
    if (!shift_.empty()) x.add(1.0, shift(x.shape()));
  }
  Element back(const Element& x) {
    Element u = x;
    if (!shift_.empty()) u.add(-1.0, shift(x.shape()));
    u.scale(1.0 / factor_);
    return u;
  }

  std::shared_ptr<Component> set_;
  double factor_;
  std::vector<double> shift_;
  Element made_;
  double grain_ = 0.0;  ///< the rounding of t, of the diameter of the set
};

}  // namespace

CLAROS_PLUGIN(
    Moved, Kind::set, "moved", "", "1.0.0", "Affine image of another set, {a u + t : u in C}",
    "C = {a u + t : u in another set}, a number a and a point t. The linear oracle, the projection, "
    "membership and the support function are those of the other set, at points and directions that are moved "
    "back. Diameter |a| times the other's.",
    "",
    "Use it to scale another set or to give it another centre, for example an l1 ball around the "
    "current weights of a portfolio. One factor holds for all entries: for a factor for each "
    "entry use ellipsoid, or lp-ball with weights. The algorithms factored and "
    "block-coordinate-frank-wolfe do not take it, whatever the inner set is.",
    "objective.use=distance objective.data='1 3 2' set.use=moved set.shift='1 1 1' "
    "set.inner.use=l1-ball set.inner.radius=1 stop.gap=1e-8")

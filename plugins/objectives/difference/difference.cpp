// SPDX-License-Identifier: BSD-3-Clause
#include <claros/abilities.hpp>
#include <claros/context.hpp>
#include <claros/domain.hpp>
#include <claros/error.hpp>
#include <claros/linear_predictor.hpp>
#include <claros/objective.hpp>
#include <claros/parameters.hpp>
#include <claros/plugin.hpp>
#include <claros/predictor.hpp>
#include <claros/state/state.hpp>
#include <shared/algorithms/difference_parts.hpp>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace {

using namespace claros;

struct Options {
  double factor = 1.0;
};

/// f = p - w q, of the terms p_i - w q. Its Hessian lies between -w L_q and L_p, since p and q are convex.
/// Names of the variable and predictions are those of p. Names that q has are the same.
class Difference final : public Objective,
                         public Curvature,
                         public Referable,
                         public Predictor,
                         public LinearPredictor,
                         public HeldOut,
                         public sdk::DifferenceParts {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        {row("factor", &Options::factor, above(0), "what q is multiplied by", "w")},
        {},
        {Role{.name = "convex",
              .kind = Kind::objective,
              .meaning = "p, a convex function",
              .fallback = "linear-model"},
         Role{.name = "subtracted",
              .kind = Kind::objective,
              .meaning =
                  "q, a convex function of the same variable, and of the same data section if it takes one",
              .fallback = "quadratic"}}};
    return table;
  }

  Difference(const Options& options, const Context& context)
      : p_(context.part<Objective>("convex")),
        q_(context.part<Objective>("subtracted")),
        factor_(options.factor) {
    require_part(*p_, "convex");
    require_part(*q_, "subtracted");
    if (p_->shape() != q_->shape())
      throw Error(ErrorKind::usage, "subtracted",
                  "is a function of " + q_->shape().text() + ", and convex of " + p_->shape().text(),
                  "give two functions of the same variable");
    require_same_names();
    if (q_->terms() == kUnbounded)
      throw Error(ErrorKind::usage, "subtracted", "is an expectation, which has no exact gradient",
                  "give a finite sum");
  }

  Shape shape() const override { return p_->shape(); }
  Index terms() const override { return p_->terms(); }
  double value(const Element& x) override {
    const double p = p_->value(x);
    return std::isfinite(p) ? p - factor_ * q_->value(x) : p;  // not infinity less infinity
  }
  void add_gradient(const Element& x, const Batch& batch, double a, Element& g) override {
    p_->add_gradient(x, batch, a, g);
    add_subtracted_gradient(x, -a, g);
  }
  Constants constants() const override {
    const Constants p = p_->constants(), q = q_->constants();
    const auto largest = [this](std::optional<double> of_p, std::optional<double> of_q) {
      return of_p && of_q ? std::optional(std::max(*of_p, factor_ * *of_q)) : std::nullopt;
    };
    const auto sum = [this](std::optional<double> of_p, std::optional<double> of_q) {
      return of_p && of_q ? std::optional(*of_p + factor_ * *of_q) : std::nullopt;
    };
    Constants c;
    c.smoothness = largest(p.smoothness, q.smoothness);
    const bool convex_terms = p.lower_smoothness == 0.0;  // else a term may curve down as q does
    c.term_smoothness =
        convex_terms ? largest(p.term_smoothness, q.smoothness) : sum(p.term_smoothness, q.smoothness);
    c.lower_smoothness = sum(p.lower_smoothness, q.smoothness);
    c.hessian_smoothness = sum(p.hessian_smoothness, q.hessian_smoothness);
    c.term_hessian_smoothness = sum(p.term_hessian_smoothness, q.hessian_smoothness);
    return c;
  }

  void add_hessian_product(const Element& at, const Element& d, const Batch& batch, double a,
                           Element& g) override {
    query<Curvature>(*p_)->add_hessian_product(at, d, batch, a, g);
    query<Curvature>(*q_)->add_hessian_product(at, d, Batch::all(), -a * factor_, g);
  }

  void refer(References& references) const override {
    for (const auto& part : {p_, q_})
      if (auto* own = query<Referable>(*part)) own->refer(references);
  }
  const Training& training() const override { return query<Predictor>(*p_)->training(); }
  const LinearTraining& linear_training() const override {
    return query<LinearPredictor>(*p_)->linear_training();
  }
  std::span<const double> row_weights() const override { return query<LinearPredictor>(*p_)->row_weights(); }
  std::span<const double> row_offsets() const override { return query<LinearPredictor>(*p_)->row_offsets(); }
  double test_rmse(const Element& x) override { return query<HeldOut>(*p_)->test_rmse(x); }

  Objective& convex_part() override { return *p_; }
  void add_subtracted_gradient(const Element& x, double a, Element& g) override {
    q_->add_gradient(x, Batch::all(), a * factor_, g);
  }

  void* ability(std::string_view id) noexcept override {
    if (id == Curvature::kAbility && !(query<Curvature>(*p_) && query<Curvature>(*q_))) return nullptr;
    const bool of_p = id == Predictor::kAbility || id == LinearPredictor::kAbility || id == HeldOut::kAbility;
    if (of_p && !p_->ability(id)) return nullptr;
    return offer<Curvature, Referable, Predictor, LinearPredictor, HeldOut, sdk::DifferenceParts>(this, id);
  }

 private:
  static void require_part(Objective& part, const std::string& role) {
    if (query<FreeTail>(part) || query<Rescaled>(part))
      throw Error(ErrorKind::usage, role, "has an intercept or scaled columns, which the other part has not",
                  "set intercept = no and standardize = no in that part");
    if (query<Domain>(part))
      throw Error(ErrorKind::usage, role, "is infinite somewhere, where a difference has no value",
                  "give a function that is finite everywhere");
    if (!is_convex(part))
      throw Error(ErrorKind::usage, role, "is not known to be convex",
                  "give a convex function, or move what is not convex to the other part");
  }

  void require_same_names() const {
    const char* const why = "names other columns or ids than convex, or the same in another order";
    const char* const remedy = "give both the same names in the same order, or numbers alone";
    auto *ids = query<Predictor>(*p_), *others = query<Predictor>(*q_);
    if (others && !others->training().baseline.is_none())
      throw Error(ErrorKind::usage, "subtracted", "takes a baseline off its values, which X is then without",
                  "set center = none in that part");
    const auto differ = [](const Ids& a, const Ids& b) { return a.names != b.names || a.first != b.first; };
    if (ids && others &&
        (differ(ids->training().rows, others->training().rows) ||
         differ(ids->training().cols, others->training().cols)))
      throw Error(ErrorKind::usage, "subtracted", why, remedy);
    auto *columns = query<LinearPredictor>(*p_), *other = query<LinearPredictor>(*q_);
    if (columns && other && columns->linear_training().columns != other->linear_training().columns)
      throw Error(ErrorKind::usage, "subtracted", why, remedy);
  }

  std::shared_ptr<Objective> p_, q_;
  double factor_;
};

}  // namespace

CLAROS_PLUGIN(
    Difference, Kind::objective, "difference", "", "1.0.0",
    "Difference of two convex functions, f(x) = p(x) - w q(x)",
    "f(x) = p(x) - w q(x), p and q held by two other objectives of the same variable. f is not convex. L = "
    "max(L_p, w L_q), l = w L_q: f + (w L_q / 2) ||x||^2 is convex. A gap over a set shows a stationary "
    "point. The algorithm difference-of-convex takes the two parts apart; all others see f.",
    "Tao, An: Convex analysis approach to d.c. programming, Acta Mathematica Vietnamica 22, 1997",
    "Use it for what is a difference by its nature: a fit less a reward, such as -(w/2) ||x||^2 over "
    "birkhoff or the simplex, which draws points to the corners. q is read whole at each sampled gradient. "
    "For mcp, scad, capped-l1 and log-sum, which are differences too, take the penalties of these names.",
    "objective.use=difference objective.convex.use=distance objective.convex.data='0.5 0.3 0.1; 0.2 0.4 "
    "0.6; 0.1 0.7 0.3' objective.subtracted.use=distance objective.subtracted.data='0 0 0; 0 0 0; 0 0 0' "
    "objective.factor=0.5 set.use=birkhoff algorithm.use=difference-of-convex stop.gap=1e-6")

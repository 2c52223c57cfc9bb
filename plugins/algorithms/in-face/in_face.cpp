// SPDX-License-Identifier: BSD-3-Clause
#include <claros/abilities.hpp>
#include <claros/error.hpp>
#include <claros/plugin.hpp>
#include <claros/sdk/point_algorithm.hpp>
#include <shared/algorithms/entry_range.hpp>
#include <shared/algorithms/oracle_tolerance.hpp>
#include <shared/algorithms/point_form.hpp>
#include <shared/algorithms/segment_share.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace {

using namespace claros;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// Shares of the size of C: the rounding of one step, the rounding that projects x, and a tenth of that which
// puts x outside.
constexpr double kOfStep = 16.0 * std::numeric_limits<double>::epsilon(), kMuch = 1e-9, kMost = 1e-7;

struct Options {
  double gamma1 = 0.0, gamma2 = kInfinity;
  sdk::Step step = sdk::Step::line_search;
  double smoothness = 0.0;
  double oracle_tolerance = 0.02;
};

/// Frank-Wolfe that first tries to move within F(x), the minimal face that holds x. With a = argmax over F(x)
/// of <g, u>, d = x - a and b the largest step that stays in F(x), the next point is
///     x^B = x + b d            into a lower face, if 1/(f(x^B) - B) >= 1/(f(x) - B) + gamma1/(2 L D^2);
///     x^A = x + b' d, b' <= b  within the face, if 1/(f(x^A) - B) >= 1/(f(x) - B) + gamma2/(2 L D^2);
/// and else x + gamma (v - x), v = argmin over C of <g, u>, which raises the lower bound B <- max(B, f(x) +
/// <g, v - x>). In a nuclear-norm ball a lower face is one of a lower rank. The choice gamma1 = 0 asks that
/// f(x^B) <= f(x), and gamma2 = inf never stays: IF-(0, inf). (Freund, Grigas, Mazumder 2017, Algorithm 3.)
class InFace final : public sdk::PointAlgorithm {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        row("gamma1", &Options::gamma1, between(0, 1),
            "share of the progress that theory has of a Frank-Wolfe step, for which a step goes into a lower "
            "face; 0: any that does not raise f",
            "gamma_1"),
        row("gamma2", &Options::gamma2, or_infinity(at_least(0)),
            "the same for a step within the face, from gamma1 to 1; inf: no such steps", "gamma_2"),
        row("step", &Options::step, sdk::steps({sdk::Step::line_search, sdk::Step::short_step}),
            "rule for the lengths of steps within the face and of Frank-Wolfe steps: line-search, or short "
            "(slope / (L ||d||^2))"),
        row("smoothness", &Options::smoothness, at_least(0),
            "L of f, for the short step and where gamma1 > 0 or gamma2 "
            "is finite; 0: as the objective states it",
            "L"),
        row("oracle_tolerance", &Options::oracle_tolerance, above_to(0, 0.5),
            "relative accuracy of the linear oracle in the run, at most; that of the last gap if less")};
    return table;
  }

  InFace(const Options& options, const Context&)
      : options_(options), share_(options.step, options.smoothness), tolerance_(options.oracle_tolerance) {
    if (options_.gamma2 < options_.gamma1 || (options_.gamma2 > 1.0 && std::isfinite(options_.gamma2)))
      throw Error(ErrorKind::usage, "gamma2",
                  print_real(options_.gamma2) + " with gamma1 = " + print_real(options_.gamma1) +
                      ": the theory has gamma1 <= gamma2 <= 1, or no steps within the face",
                  "give a number from gamma1 to 1, or inf");
  }

  std::vector<Need> needs() const override {
    return {need::set<LinearOracle>("steps that leave the face minimise a linear function over the set"),
            need::set<Faces>("the other steps move within the minimal face of the point"),
            need::exact_estimator("values and slopes decide which step is taken")};
  }
  Takes takes() const override {
    return {.set = true,
            .reason =
                "every step minimises the linear model of f alone over the set or a face, without a proximal "
                "step"};
  }
  void state(StateVisitor& v) override {
    PointAlgorithm::state(v);
    v("lower bound", bound_);
    share_.state(v);
    v("oracle", tolerance_);
    v("form", form_);
    v("rounding", rounding_);
    v.require(rounding_ >= 0.0, "rounding", "negative, or not a number");
  }

 private:
  void begin() override {
    const Constants constants = problem().objective->constants();
    faces_ = query<Faces>(*problem().set);
    loss_ = query<LossOfImage>(*problem().objective);
    share_.start(problem());
    tolerance_.start();
    form_.start(problem());
    rounding_ = 0.0;
    bound_ = constants.lower_bound.value_or(-kInfinity);
    convex_ = constants.convex;
    step_of_theory_ = 0.0;
    if (options_.gamma1 == 0.0 && !std::isfinite(options_.gamma2)) return;
    if (!convex_)
      throw Error(ErrorKind::usage, "gamma1",
                  "progress is measured from a lower bound of f, which linear models give where f is convex, "
                  "and the objective does not say so",
                  "leave gamma1 at 0 and gamma2 at inf: then values alone are compared");
    const double L = options_.smoothness > 0.0 ? options_.smoothness : smoothness("smoothness"),
                 D = problem().linear_oracle->diameter(x().shape());
    step_of_theory_ = 1.0 / (2.0 * L * D * D);
  }

  void move(const Element& g) override {
    form_.see(g);
    form_.settle(x());
    const double value = problem().objective->value(x());
    if (!move_in_face(g, value)) move_towards_vertex(g, value);
    return_to_set();
    form_.settle(x());
    (void)x().recompress(0.0);
    sdk::clear_below_zero(x(), rounding_, loss_ ? loss_->map() : nullptr);
  }

  /// True if 1/(after - B) >= 1/(before - B) + gamma/(2 L D^2); for gamma = 0, if f does not rise.
  bool reaches(double after, double before, double gamma) const {
    if (gamma == 0.0) return after <= before;
    if (!std::isfinite(gamma) || !std::isfinite(bound_) || !std::isfinite(after)) return false;
    return after <= bound_ || 1.0 / (after - bound_) >= 1.0 / (before - bound_) + gamma * step_of_theory_;
  }

  bool move_in_face(const Element& g, double value) {
    const FaceInfo face =
        faces_->away(g, x(), {tolerance_.now(), false}, a_);  // a = argmax over F(x) of <g, u>
    const double slope = face.value - inner(g, x());          // -<g, x - a>
    if (!(slope > 0.0 && face.longest > 0.0) || !stays_near(face.longest)) return false;
    Element end(x());
    end.blend(-face.longest, a_);  // x^B = x + b (x - a)
    if (reaches(problem().objective->value(end), value, options_.gamma1))
      return take(std::move(end), face.longest);
    if (!std::isfinite(options_.gamma2)) return false;
    const double length = face.longest * share(end, face.longest * slope);
    Element part(x());
    part.blend(-length, a_);  // x^A = x + b' (x - a)
    if (!reaches(problem().objective->value(part), value, options_.gamma2)) return false;
    return take(std::move(part), length);
  }
  bool take(Element point, double length) {
    x() = std::move(point);
    rounding_ = (1.0 + length) * rounding_ + kOfStep;
    report_step(length);
    return true;
  }

  /// True if a step of that length leaves x in C: it multiplies the rounding between them by 1 + length.
  bool stays_near(double length) const { return (1.0 + length) * (rounding_ + kOfStep) <= kMost; }
  /// Onto C again, once steps within faces have multiplied rounding.
  void return_to_set() {
    if (!problem().projection || !(rounding_ > kMuch)) return;
    Element nearest;
    (void)problem().projection->apply(x(), 1.0, nearest, {});
    x() = std::move(nearest);
    rounding_ = kOfStep;
  }

  void move_towards_vertex(const Element& g, double value) {
    const double at = inner(g, x());
    const OracleInfo info =
        tolerance_.minimize(*problem().linear_oracle, g, at, v_);  // v = argmin over C of <g, u>
    const double gap = at - info.value;
    if (convex_) bound_ = std::max(bound_, value + info.lower_bound - at);  // B <- max(B, f(x) + <g, v - x>)
    const double gamma = share(v_, gap);
    x().blend(gamma, v_);  // x <- x + gamma (v - x)
    rounding_ = (1.0 - gamma) * rounding_ + kOfStep;
    report_step(gamma, gap);
  }

  double share(const Element& end, double slope) { return share_(t(), x(), end, slope); }

  Options options_;
  sdk::SegmentShare share_;
  sdk::OracleTolerance tolerance_;
  sdk::PointForm form_;
  Faces* faces_ = nullptr;
  LossOfImage* loss_ = nullptr;
  double bound_ =
      -kInfinity;  ///< B, below every value of a convex f on C as far as the oracle is exact; never reported
  double step_of_theory_ = 0.0;  ///< 1/(2 L D^2)
  bool convex_ = false;
  double rounding_ = 0.0;  ///< a bound on the distance of x to C that rounding makes, of its size
  Element a_, v_;
};

}  // namespace

CLAROS_PLUGIN(
    InFace, Kind::algorithm, "in-face", "extended-frank-wolfe", "1.0.0",
    "In-face extended Frank-Wolfe (Freund, Grigas, Mazumder 2017)",
    "x <- x + b (x - a) with a = argmax over the minimal face of x of <g, u>, to the boundary of the face "
    "where f does not rise (or falls by a share gamma1 of what theory promises), within it where it falls by "
    "gamma2 of that, and else x + gamma (v - x) with v = argmin over the set of <g, u>. Of matrices a step "
    "to the boundary lowers the rank.",
    "Freund, Grigas, Mazumder: An extended Frank-Wolfe method with in-face directions, and its application "
    "to low-rank matrix completion, SIAM J. Optim. 2017, Algorithm 3",
    "Use it over nuclear-ball, spectrahedron or psd-trace with full gradients, where the iterates must keep "
    "a low rank. Its steps within a face cost products with as many vectors as the rank, and a small "
    "eigenproblem. It takes many steps to a small gap: proximal-gradient and factored take fewer.",
    "data.use=synthetic objective.use=matrix-completion set.use=nuclear-ball "
    "set.radius=50 algorithm.use=in-face stop.relative_gap=1e-2")

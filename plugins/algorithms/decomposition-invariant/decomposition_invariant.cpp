// SPDX-License-Identifier: BSD-3-Clause
#include <claros/abilities.hpp>
#include <claros/plugin.hpp>
#include <claros/sdk/point_algorithm.hpp>
#include <shared/algorithms/entry_range.hpp>
#include <shared/algorithms/oracle_tolerance.hpp>
#include <shared/algorithms/point_form.hpp>
#include <shared/algorithms/segment_share.hpp>

#include <limits>
#include <utility>
#include <vector>

namespace {

using namespace claros;

enum class Move { pairwise, blended };

struct Options {
  Move move = Move::pairwise;
  sdk::Step step = sdk::Step::line_search;
  double smoothness = 0.0;
  double oracle_tolerance = 0.02;
};

/// x <- x + gamma (s - a), s = argmin over C of <g, u>, a = argmax over F(x) of <g, u>, F(x) the minimal face
/// that holds x. Suppose x + b (x - a) still lies in F(x). Then x combines a point of F(x), of weight 1 / (1
/// + b), and a, of weight b / (1 + b). The latter can go from a to s whole: gamma <= b / (1 + b). If x is a
/// vertex, x <- x + gamma (s - x). No vertices are kept. (Garber, Meshi 2016, Algorithm 3; Bashiri, Zhang
/// 2017.)
///
/// Let b = argmin over F(x) of <g, u>. A blended step goes from a to b if <g, a - b> >= <g, x - s>, else from
/// x to s. This is blended pairwise (Tsuji, Tanaka, Pokutta 2022) with
/// the vertices of F(x) in the place of those that are kept.
class DecompositionInvariant final : public sdk::PointAlgorithm {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        row("move", &Options::move, one_of<Move>({{Move::pairwise, "pairwise"}, {Move::blended, "blended"}}),
            "of weight: pairwise, from the worst vertex of the face to the best of the set; blended, to the "
            "best of the face where that promises as much as a Frank-Wolfe step, which is made else"),
        row("step", &Options::step, sdk::steps({sdk::Step::line_search, sdk::Step::short_step}),
            "rule for the lengths of steps: line-search, or short (slope / (L ||d||^2))"),
        row("smoothness", &Options::smoothness, at_least(0),
            "L of f, for the short step; 0: as the objective states it", "L"),
        row("oracle_tolerance", &Options::oracle_tolerance, above_to(0, 0.5),
            "relative accuracy of the linear oracle in the run, at most; that of the last gap if less")};
    return table;
  }

  DecompositionInvariant(const Options& options, const Context&)
      : options_(options), share_(options.step, options.smoothness), tolerance_(options.oracle_tolerance) {}

  std::vector<Need> needs() const override {
    return {need::set<LinearOracle>("weight goes to a vertex of the set that minimises a linear function"),
            need::set<Faces>("weight comes from the worst vertex of the minimal face of the point"),
            need::exact_estimator("the vertex to leave is chosen by exact inner products with the gradient")};
  }
  Takes takes() const override {
    return {.set = true,
            .reason =
                "every step minimises the linear model of f alone over the set and a face, without a "
                "proximal step"};
  }
  void state(StateVisitor& v) override {
    PointAlgorithm::state(v);
    share_.state(v);
    v("oracle", tolerance_);
    v("form", form_);
  }

 private:
  void begin() override {
    faces_ = query<Faces>(*problem().set);
    loss_ = query<LossOfImage>(*problem().objective);
    share_.start(problem());
    tolerance_.start();
    form_.start(problem());
  }

  void move(const Element& g) override {
    form_.see(g);
    form_.settle(x());
    const double at = inner(g, x());
    const OracleInfo best =
        tolerance_.minimize(*problem().linear_oracle, g, at, s_);  // argmin over C of <g, u>
    const OracleRequest request{tolerance_.now(), false};
    const FaceInfo face = faces_->away(g, x(), request, a_);  // argmax over F(x) of <g, u>
    const bool blended = options_.move == Move::blended;
    double to = best.value;  // <g, u> of the vertex u that weight goes to
    if (blended && face.longest > 0.0) to = best_of_face(g, request);
    Element end(x());
    double slope = at - best.value;
    if (face.longest > 0.0 && (!blended || face.value - to >= slope)) {
      const double weight = face.longest / (1.0 + face.longest);
      slope = weight * (face.value - to);
      end.add(weight, blended ? b_ : s_);  // x + weight (u - a)
      end.add(-weight, a_);
    } else {
      end = s_;
    }
    const double gamma = slope > 0.0 ? share_(t(), x(), end, slope) : 0.0;
    if (gamma >= 1.0)
      x() = std::move(end);
    else
      x().blend(gamma, end);
    form_.settle(x());
    (void)x().recompress(0.0);
    sdk::clear_below_zero(x(), kRounding, loss_ ? loss_->map() : nullptr);
    report_step(gamma, at - best.value);
  }

  /// b <- argmin over F(x) of <g, u>; that minimum.
  double best_of_face(const Element& g, const OracleRequest& request) {
    Element opposite(g);
    opposite.scale(-1.0);
    return -faces_->away(opposite, x(), request, b_).value;
  }

  Options options_;
  sdk::SegmentShare share_;
  sdk::OracleTolerance tolerance_;
  sdk::PointForm form_;
  static constexpr double kRounding = 16.0 * std::numeric_limits<double>::epsilon();  // of a step

  Faces* faces_ = nullptr;
  LossOfImage* loss_ = nullptr;
  Element s_, a_, b_;
};

}  // namespace

CLAROS_PLUGIN(
    DecompositionInvariant, Kind::algorithm, "decomposition-invariant", "dicg", "1.0.0",
    "Decomposition-invariant pairwise conditional gradient (Garber, Meshi 2016)",
    "x <- x + gamma (s - a): weight goes from a = argmax over the minimal face of x of <g, u> to s = argmin "
    "over the set. As pairwise, but the vertices of which x is made are not kept: the face is read from x. "
    "With move = blended it goes to the best vertex of the face, or the whole of x goes toward s.",
    "Garber, Meshi: Linear-memory and decomposition-invariant linearly convergent conditional gradient "
    "algorithm for structured polytopes, NIPS 2016, Algorithm 3; Bashiri, Zhang: Decomposition-invariant "
    "conditional gradient for general polytopes with line search, NIPS 2017; Tsuji, Tanaka, Pokutta: "
    "Pairwise conditional gradients without swap steps and sparser kernel herding, ICML 2022 (blended)",
    "Use it over birkhoff, box or monotone with full gradients, where a point is made of so many "
    "vertices that pairwise and blended-pairwise are slow or fill the memory; with the set in cached it is "
    "lazy. Over simplex, "
    "whose vertices are single entries, pairwise takes fewer steps. Over nuclear-ball and the "
    "semidefinite sets take factored or proximal-gradient.",
    "objective.use=distance objective.data='0.6 0.3 0.1; 0.3 0.4 0.4; 0.2 0.2 0.5' "
    "set.use=birkhoff algorithm.use=decomposition-invariant stop.gap=1e-9")

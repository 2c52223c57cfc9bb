// SPDX-License-Identifier: BSD-3-Clause
// How much is smoothed for an answer within eps: mu by the smoothers' own bounds, and what the answer is
// worth without smoothing.
#include "linear_problem.hpp"
#include "projected_gradient.hpp"
#include "trace_for_test.hpp"

#include <cmath>
#include <fstream>

using namespace claros;
using namespace claros::test;

namespace {

const Words kFewRows{
    "data.use=synthetic-regression", "data.rows=60", "data.cols=8", "data.nonzero=3", "data.seed=4",
    "objective.use=linear-model"};
const Words kSparseMatrix{
    "data.use=synthetic-sparse-low-rank", "data.rows=12",       "data.rank=2",          "data.seed=3",
    "objective.use=noisy-matrix",         "objective.draws=50", "set.use=nuclear-ball", "set.radius=30"};
const Words kToTheEnd{"algorithm.use=proximal-gradient", "stop.residual=1e-11", "stop.iterations=200000"};

Composition composition_of(const Words& words) { return compose(build_catalog(), spec_of(words)); }
double effective_mu(const Composition& c) { return parse_real(c.effective.get("smoother", "mu")->value); }

}  // namespace

TEST_CASE(
    "smoothing accuracy: mu = 7 eps/(92 gamma), gamma of the smoother on the variable without its intercept, "
    "and the algorithm sees it") {
  const Words huber{"smoother.use=huber-l1", "smoother.lambda=0.4", "smoother.eps=0.3"};
  for (const Words& model : {kFewRows, kFewRows + Words{"objective.intercept=yes"}}) {
    const Composition c = composition_of(model + kToTheEnd + huber);
    CHECK(effective_mu(c) == doctest::Approx(7.0 * 0.3 / (46.0 * 0.4 * 8.0))
                                 .epsilon(1e-14));  // Corollary 3, with the lambda that its gamma leaves out
    const double whole = *c.problem().objective->constants().smoothness +
                         (c.smoother ? *c.smoother->constants().smoothness : 0.0);
    CHECK(whole - *composition_of(model + kToTheEnd).objective->constants().smoothness ==
          doctest::Approx(0.4 / effective_mu(c)).epsilon(1e-9));
    const Composition again = compose(build_catalog(), Spec::parse(c.effective.text(), "spec.ini"));
    CHECK(effective_mu(again) == effective_mu(c));
  }
  const Composition matrix =
      composition_of(kSparseMatrix + Words{"smoother.use=huber-l1", "smoother.lambda=1", "smoother.eps=2",
                                           "stop.iterations=1"});
  CHECK(effective_mu(matrix) == doctest::Approx(7.0 * 2.0 / (46.0 * 144.0)).epsilon(1e-14));
  const Composition net = composition_of(
      kFewRows + kToTheEnd +
      Words{"smoother.use=elastic-net", "smoother.lambda=0.4", "smoother.ratio=0.25", "smoother.eps=0.3"});
  CHECK(effective_mu(net) == doctest::Approx(7.0 * 0.3 / (46.0 * 0.1 * 8.0)).epsilon(1e-14));
  const Composition largest = composition_of(
      kSparseMatrix + Words{"smoother.use=log-sum-exp", "smoother.eps=2", "stop.iterations=1"});
  CHECK(effective_mu(largest) ==
        doctest::Approx(7.0 * 2.0 / (92.0 * std::log(144.0))).epsilon(1e-14));  // Corollary 4
  const TestFolder folder;
  std::ofstream(folder / "a.csv") << "1,0,0,0,0,0,0,0,0\n0,1,0,0,0,0,0,0,0.5\n0,0,1,1,0,0,0,0,1\n";
  const Composition rows = composition_of(
      kFewRows + kToTheEnd +
      Words{"smoother.use=log-sum-exp", "smoother.eps=2", "smoother.data=" + (folder / "a.csv").string()});
  CHECK(effective_mu(rows) == doctest::Approx(7.0 * 2.0 / (92.0 * std::log(3.0))).epsilon(1e-14));
}

TEST_CASE(
    "smoothing accuracy: the value without smoothing is within eps of the least, found without smoothing") {
  for (const double eps : {1.0, 0.1, 0.01}) {
    const Words accuracy{"smoother.eps=" + print_real(eps)};
    const RunResult least = solve(kFewRows + kToTheEnd + Words{"penalty.use=l1", "penalty.lambda=0.4"});
    const RunResult smooth =
        solve(kFewRows + kToTheEnd + accuracy + Words{"smoother.use=huber-l1", "smoother.lambda=0.4"});
    REQUIRE(least.status == Status::residual);
    const double off = smooth.measurement.unsmoothed - least.measurement.value;
    CHECK(off >= -1e-12);
    CHECK(off <= eps);
    CHECK(least.measurement.value - smooth.measurement.value <= 7.0 * eps / 92.0);  // gamma mu
    CHECK(least.measurement.value > smooth.measurement.value);
    const RunResult net = solve(kFewRows + kToTheEnd +
                                Words{"penalty.use=elastic-net", "penalty.lambda=0.4", "penalty.ratio=0.5"});
    const RunResult smooth_net =
        solve(kFewRows + kToTheEnd + accuracy +
              Words{"smoother.use=elastic-net", "smoother.lambda=0.4", "smoother.ratio=0.5"});
    CHECK(smooth_net.measurement.unsmoothed - net.measurement.value <= eps);
    CHECK(smooth_net.measurement.unsmoothed - net.measurement.value >= -1e-12);
  }
}

TEST_CASE("smoothing accuracy: mu and eps together, neither, no number, and nothing to smooth are refused") {
  const Words huber = kFewRows + kToTheEnd + Words{"smoother.use=huber-l1"};
  check_mentions(composing_refused(huber + Words{"smoother.lambda=1", "smoother.mu=0.1", "smoother.eps=0.1"}),
                 {"smoother.eps", "smoother.mu", "keep one"});
  check_mentions(composing_refused(huber + Words{"smoother.lambda=1"}), {"smoother.mu"});
  for (const std::string bad : {"-1", "nan", "inf", "x"})
    check_mentions(composing_refused(huber + Words{"smoother.lambda=1", "smoother.eps=" + bad}), {"eps"});
  check_mentions(composing_refused(huber + Words{"smoother.lambda=1", "smoother.eps=0"}), {"smoother.mu"});
  check_mentions(composing_refused(huber + Words{"smoother.lambda=0", "smoother.eps=0.1"}),
                 {"smoother.eps", "smooths nothing", "smoother.mu"});
  check_mentions(
      composing_refused(kFewRows + kToTheEnd +
                        Words{"smoother.use=squared-norm", "smoother.lambda=1", "smoother.eps=0.1"}),
      {"eps"});
  const std::vector<Setting> alone{{"lambda", "1", {}, {}}, {"mu", "1", {}, {}}, {"eps", "0.1", {}, {}}};
  check_mentions(
      refusal(ErrorKind::usage,
              [&] { (void)create_component(build_catalog(), Kind::smoother, "huber-l1", alone, Context{}); }),
      {"smoother.eps", "give mu"});
}

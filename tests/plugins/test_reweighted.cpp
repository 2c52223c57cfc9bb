// SPDX-License-Identifier: BSD-3-Clause
// Iteratively reweighted l1: its first round is a Lasso, no round raises the value, it ends at stationary
// points of the concave penalty, and penalties that its weights cannot express are refused.
#include "compose_for_test.hpp"

#include <cmath>

using namespace claros;
using namespace claros::test;

namespace {

const Words kData{
    "data.use=synthetic-regression", "data.rows=60", "data.cols=90", "data.nonzero=6", "data.noise=0.1",
    "objective.use=linear-model",    "run.seed=4"};
const std::vector<Words> kConcave{{"penalty.use=log-sum", "penalty.lambda=0.1", "penalty.epsilon=0.3"},
                                  {"penalty.use=mcp", "penalty.lambda=0.2", "penalty.b=6"},
                                  {"penalty.use=scad", "penalty.lambda=0.2", "penalty.zeta=5"},
                                  {"penalty.use=l1", "penalty.lambda=0.1"}};

RunResult solved(const Words& words) { return run_composition(compose(build_catalog(), spec_of(words))); }

double largest_difference(const Element& x, const Element& y) {
  const std::vector<double> a = x.to_dense(), b = y.to_dense();
  double most = 0.0;
  for (std::size_t j = 0; j < a.size(); ++j) most = std::max(most, std::abs(a[j] - b[j]));
  return most;
}

}  // namespace

// phi'(0+) = lambda / epsilon.
TEST_CASE("reweighted: the first round from 0 is the Lasso of the slope at 0") {
  const Words exact{"algorithm.use=reweighted", "algorithm.share=1e-6", "stop.iterations=1"};
  const RunResult first = solved(kData + kConcave[0] + exact);
  const RunResult lasso =
      solved(kData + Words{"penalty.use=l1", "penalty.lambda=0.3333333333333333", "stop.relative_gap=1e-12"});
  CHECK(largest_difference(first.answer, lasso.answer) < 1e-5);
  CHECK(norm(lasso.answer) > 0.1);
}

TEST_CASE("reweighted: no round raises the value, and it ends at a stationary point") {
  for (const Words& penalty : kConcave)
    for (const char* intercept : {"objective.intercept=no", "objective.intercept=yes"}) {
      CAPTURE(penalty.front());
      const RunResult r = solved(kData + penalty +
                                 Words{intercept, "algorithm.use=reweighted", "stop.residual=1e-8",
                                       "stop.iterations=400", "trace.every=1"});
      CHECK(r.status == Status::residual);
      for (std::size_t k = 1; k < r.trace.size(); ++k)
        CHECK(r.trace[k].value <= r.trace[k - 1].value * (1.0 + 1e-12));
    }
}

TEST_CASE("reweighted: weights of the penalty count, 0 and inf among them") {
  std::string weights = "0,inf";
  for (int j = 2; j < 90; ++j) weights += j % 2 == 0 ? ",2" : ",1";
  const RunResult r = solved(kData + kConcave[0] +
                             Words{"penalty.weights=" + weights, "algorithm.use=reweighted",
                                   "stop.residual=1e-8", "stop.iterations=400"});
  CHECK(r.status == Status::residual);
  const std::vector<double> x = r.answer.to_dense();
  CHECK(x[0] != 0.0);
  CHECK(x[1] == 0.0);
}

TEST_CASE("reweighted: an inner algorithm and other penalties") {
  const RunResult inner = solved(kData + kConcave[0] +
                                 Words{"algorithm.use=reweighted", "algorithm.inner.use=coordinate-descent",
                                       "stop.residual=1e-7", "stop.iterations=2000"});
  CHECK(inner.status == Status::residual);
  const auto refused = [](const Words& penalty) {
    return complaint(
        [&] {
          (void)solved(kData + penalty + Words{"algorithm.use=reweighted", "stop.iterations=9"});
        },
        ErrorKind::usage);
  };
  check_mentions(refused({"penalty.use=ridge", "penalty.lambda=1"}), {"concave", "log-sum"});
  check_mentions(refused({"penalty.use=nonnegative"}), {"concave", "log-sum"});
  check_mentions(refused({"penalty.use=group", "penalty.groups=3", "penalty.lambda=1"}),
                 {"group", "log-sum"});
}

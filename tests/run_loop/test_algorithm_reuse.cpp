// SPDX-License-Identifier: BSD-3-Clause
// An algorithm that is started a second time forgets the first: its random numbers begin again too.
#include "compose_for_test.hpp"

using namespace claros;
using namespace claros::test;

TEST_CASE("the same algorithm object, run twice, makes the same steps") {
  const SmallProblem problem(811, 9, 7, 2, 40);
  const Words common = problem.objective() + Words{"stop.iterations=40"};
  for (const Words& words :
       {Words{"algorithm.use=frank-wolfe", "set.use=l1-ball", "set.radius=5", "algorithm.output=uniform"},
        Words{"algorithm.use=proximal-gradient", "penalty.use=l1", "penalty.lambda=0.01",
              "estimator.use=svrg", "estimator.batch=4", "estimator.epoch=6", "algorithm.step=0.2",
              "algorithm.snapshot=random"}}) {
    const Composition composition = compose(build_catalog(), spec_of(common + words));
    const RunResult first = run_composition(composition), second = run_composition(composition);
    CHECK(first.iterations == 40);
    CHECK(same_bits(first.answer, second.answer));
  }
}

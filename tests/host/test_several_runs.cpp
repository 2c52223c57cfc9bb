// SPDX-License-Identifier: BSD-3-Clause
#include "small_host.hpp"

#include <thread>

namespace claros::test {

namespace {

/// Different in kind: spectral and dense, exact and stochastic, by name and by an object, on one and on two
/// threads.
std::vector<Solver> mixed_solvers(const std::shared_ptr<const Dataset>& design,
                                  const std::shared_ptr<const Dataset>& entries) {
  std::vector<Solver> solvers;
  for (const char* estimator : {"full", "svrg", "casvrg", "spider", "saga"}) {
    Solver matrix(build_catalog());
    matrix.objective("matrix-completion").data(entries).constraint("nuclear-ball", {{"radius", 30}});
    matrix.estimator(estimator, estimator == std::string("full") ? Values{} : Values{{"batch", 40}});
    matrix.algorithm("frank-wolfe", {{"step", "agnostic"}})
        .stop_when({{"iterations", 60}})
        .options({{"seed", 5}});
    solvers.push_back(matrix);
    Solver vector(build_catalog());
    vector.objective("linear-model").data(design).penalty("l1", {{"lambda", 0.1}});
    vector.estimator(estimator, estimator == std::string("full") ? Values{} : Values{{"batch", 5}});
    vector.algorithm("proximal-gradient", {{"step", 0.01}})
        .stop_when({{"iterations", 200}})
        .options({{"threads", 2}});
    solvers.push_back(vector);
  }
  Solver spectral(build_catalog());
  spectral.objective("matrix-completion").data(entries).penalty("nuclear", {{"lambda", 0.002}});
  spectral.algorithm("proximal-gradient", {{"accelerate", true}}).stop_when({{"iterations", 30}});
  solvers.push_back(spectral);
  Solver own(build_catalog());
  own.objective(sdk::objective(distance_to({3.0, 1.0, -2.0})))
      .constraint("simplex", {{"radius", 1}})
      .algorithm("frank-wolfe");
  own.stop_when({{"iterations", 500}});
  solvers.push_back(own);
  return solvers;
}

}  // namespace

TEST_CASE("several runs at once give the bits of single runs") {
  const std::vector<double> a = normals(1, 60 * 25), y = normals(2, 60);
  const auto design = data_from_rows(a, 60, 25, y, Entries::referenced);
  std::vector<std::int32_t> row, col;
  for (std::int32_t k = 0; k < 600; ++k) row.push_back((k * 7) % 40), col.push_back((k * 11 + k / 40) % 30);
  const std::vector<double> value = normals(3, 600);
  const auto entries = data_from_triplets(row, col, value, 40, 30, "mean");
  const auto solvers = mixed_solvers(design, entries);

  std::vector<std::vector<double>> alone;
  std::vector<Index> counted;
  for (const Solver& solver : solvers) {
    const RunResult result = solver.solve();
    REQUIRE(result.status == Status::iterations);
    alone.push_back(result.answer.to_dense());
    counted.push_back(result.counts.sfo + result.counts.matvec);
  }
  // More threads than cores, each solver several times; the objects of a program one run at a time.
  constexpr std::size_t kTimes = 3;
  std::vector<std::vector<double>> together(solvers.size() * kTimes);
  std::vector<Index> counts(together.size());
  std::vector<std::thread> threads;
  for (std::size_t k = 0; k < together.size(); ++k)
    threads.emplace_back([&, k] {
      Solver mine = solvers[k % solvers.size()];
      if (k % solvers.size() + 1 == solvers.size())
        mine.objective(sdk::objective(distance_to({3.0, 1.0, -2.0})));
      const RunResult result = mine.solve();
      together[k] = result.answer.to_dense();
      counts[k] = result.counts.sfo + result.counts.matvec;
    });
  for (std::thread& thread : threads) thread.join();
  for (std::size_t k = 0; k < together.size(); ++k) {
    CAPTURE(k);
    CHECK(together[k] == alone[k % solvers.size()]);
    CHECK(counts[k] == counted[k % solvers.size()]);
  }
}

}  // namespace claros::test

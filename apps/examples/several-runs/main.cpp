// SPDX-License-Identifier: BSD-3-Clause
// Several runs at once on one catalogue and one copy of the data: a path of penalties, a thread a run.
#include <claros/host.hpp>
#include <claros/results/run_folder.hpp>

#include <cstdio>
#include <thread>
#include <vector>

int main() {
  const claros::Catalog catalog = claros::Catalog::standard();
  claros::Spec made;
  made.assign({"data.use=synthetic-regression", "data.rows=200", "data.cols=50", "data.nonzero=5"});
  const auto data = claros::make_data(catalog, made);  // never changes, so every run may read it

  const claros::Solver common = claros::Solver(catalog)
                                    .objective("linear-model")
                                    .data(data)
                                    .estimator("svrg", {{"batch", 10}})
                                    .algorithm("proximal-gradient")
                                    .stop_when({{"epochs", 60}});
  const std::vector<double> lambdas{1.0, 0.5, 0.2, 0.1};
  std::vector<claros::RunResult> results(lambdas.size());
  std::vector<std::thread> threads;
  for (std::size_t k = 0; k < lambdas.size(); ++k)
    threads.emplace_back([&, k] {
      claros::Solver mine = common;
      results[k] = mine.penalty("l1", {{"lambda", lambdas[k]}}).solve();
    });
  for (std::thread& thread : threads) thread.join();

  for (std::size_t k = 0; k < lambdas.size(); ++k)
    std::printf("lambda %.1f: value %.4f, %d nonzero\n", lambdas[k], results[k].measurement.value,
                static_cast<int>(claros::rank_or_support(results[k].answer)));
}

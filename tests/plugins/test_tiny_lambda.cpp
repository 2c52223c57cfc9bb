// SPDX-License-Identifier: BSD-3-Clause
// Losses of linear models on quasi-separated data, with penalties of lambdas down to 1e-10: the steps of the
// automatic choice hardly grow as lambda falls.
#include "compose_for_test.hpp"

#include <claros/io/memory_data.hpp>

#include <cmath>

namespace claros::test::tiny_lambda {

namespace {

constexpr Index kRows = 200;

/// Columns of N(0, 1), and z = a_1 + a_2 / 2, which is 0 in a tenth of the rows.
struct Separated {
  std::vector<double> a, z;
  RandomStream random{7, Purpose::test};

  explicit Separated(Index cols) : a(static_cast<std::size_t>(kRows * cols)) {
    random.fill_normal(a);
    for (std::size_t i = 0, k = 0; i < kRows; ++i, k += static_cast<std::size_t>(cols)) {
      if (i < kRows / 10) a[k] = a[k + 1] = 0.0;
      z.push_back(a[k] + 0.5 * a[k + 1]);
    }
  }
  double response(const std::string& loss, double at) {
    const double u = random.uniform();
    if (loss == "logistic" || loss == "squared-hinge") return at > 0.0 || (at == 0.0 && u < 0.5) ? 1.0 : -1.0;
    if (loss == "huber") return 10.0 * at + random.normal();
    if (loss == "gamma") return -std::exp(at) * std::log(1.0 - u) + 1e-9;
    if (loss == "tweedie") return at > 0.0 ? std::exp(at) : 0.0;
    return at > 0.0 ? std::floor(4.0 * u * std::exp(std::min(at, 3.0))) : 0.0;  // counts
  }
  std::shared_ptr<const Dataset> data(const std::string& loss) {
    std::vector<double> y;
    for (const double at : z) y.push_back(response(loss, at));
    return data_from_rows(a, kRows, static_cast<Index>(a.size()) / kRows, y);
  }
};

}  // namespace

TEST_CASE("tiny lambda: the steps of every loss with every entrywise penalty hardly grow as lambda falls") {
  for (const Index cols : {10, 30})
    for (const std::string loss :
         {"logistic", "squared-hinge", "huber", "poisson", "negative-binomial", "gamma", "tweedie"}) {
      Separated problem(cols);
      HostParts parts;
      parts.data = problem.data(loss);
      for (const std::string penalty : {"l1", "elastic-net", "ridge"})
        for (const double lambda : {1e-4, 1e-6, 1e-8, 1e-10}) {
          if (loss == "squared-hinge" && lambda < 1e-8)
            continue;  // 1000 steps do not end where nothing curves
          CAPTURE(cols);
          CAPTURE(loss);
          CAPTURE(penalty);
          CAPTURE(lambda);
          const Composition c = compose(
              build_catalog(),
              spec_of({"objective.use=linear-model", "objective.loss=" + loss, "objective.intercept=yes",
                       "penalty.use=" + penalty, "penalty.lambda=" + print_real(lambda),
                       "stop.relative_gap=1e-6", "stop.iterations=1000"}),
              parts);
          const RunResult r = run(c, run_settings(c));
          CHECK_MESSAGE(r.status == Status::relative_gap, r.measurement.gap);
          if (loss != "squared-hinge") CHECK(r.iterations <= 100);
        }
    }
}

}  // namespace claros::test::tiny_lambda

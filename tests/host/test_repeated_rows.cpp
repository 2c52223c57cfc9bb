// SPDX-License-Identifier: BSD-3-Clause
// Rows that are repeated, as bootstraps and oversampling make them, and more columns than rows: quadratic
// models of losses that are straight in places are singular there, and no default run stands still for it.
// CLAROS_REPEATED=N makes N problems of each loss.
#include "small_host.hpp"

#include <claros/io/memory_data.hpp>

#include <cmath>
#include <cstdlib>

namespace claros::test::repeated_rows {

namespace {

/// Some distinct rows, each up to four times; responses of a few columns, with noise.
struct Problem {
  std::vector<double> a, y;
  std::size_t rows = 0, cols = 0;
  double unit = 1.0;
  bool intercept = false;
  std::string lambda;

  Problem(std::uint64_t seed, const std::string& loss) {
    std::mt19937_64 engine(seed);
    const auto from = [&](std::size_t low, std::size_t high) {
      return std::uniform_int_distribution<std::size_t>(low, high)(engine);
    };
    std::normal_distribution<double> normal;
    const std::size_t distinct = from(5, 30);
    cols = distinct + from(0, 25);
    unit = std::pow(10.0, static_cast<double>(from(0, 3)) - 1.0);
    intercept = from(0, 1) == 1;
    lambda = print_real(std::pow(10.0, -static_cast<double>(from(1, 3)))) + "*max";
    for (std::size_t i = 0; i < distinct; ++i) {
      std::vector<double> row(cols);
      for (double& value : row) value = unit * normal(engine);
      double z = normal(engine);
      for (std::size_t j = 0; j < std::min<std::size_t>(cols, 5); ++j) z += row[j] / unit;
      double response = unit * z;
      if (loss == "poisson") response = std::floor(std::exp(0.5 * z));
      if (loss == "logistic" || loss == "squared-hinge") response = z > 0.0 ? 1.0 : -1.0;
      for (std::size_t k = from(1, 4); k > 0; --k, ++rows)
        a.insert(a.end(), row.begin(), row.end()), y.push_back(response);
    }
  }
};

/// Changes neither its point nor its state.
class Standing final : public Algorithm, public State {
 public:
  std::vector<Need> needs() const override { return {}; }
  Takes takes() const override { return {.penalty = true}; }
  void start(const claros::Problem&, Element x0) override { x_ = std::move(x0); }
  void step() override {}
  const Element& iterate() const override { return x_; }
  void state(StateVisitor& v) override { v("x", x_); }
  void* ability(std::string_view id) noexcept override { return offer<State>(this, id); }

 private:
  Element x_;
};

RunResult fit(const Problem& problem, const std::string& loss, bool stands = false) {
  Values model{{"loss", loss}, {"intercept", problem.intercept}};
  if (loss == "huber" || (loss == "quantile" && stands)) model.push_back({"loss.delta", problem.unit});
  Solver solver(build_catalog());
  solver.objective("linear-model", model)
      .data(data_from_rows(problem.a, static_cast<Index>(problem.rows), static_cast<Index>(problem.cols),
                           problem.y));
  solver.penalty("l1", {{"lambda", problem.lambda}})
      .stop_when({{"relative_gap", 1e-6}, {"iterations", 1000}});
  if (stands)
    solver.algorithm(std::make_shared<Standing>())
        .options({{"fallback", "prox-newton proximal-gradient"}})
        .stop_when({{"iterations", 50000}});
  return solver.solve();
}

}  // namespace

TEST_CASE("repeated rows: every default run ends at its target or says why not, in a few steps") {
  const char* count = std::getenv("CLAROS_REPEATED");
  const int problems = count ? std::atoi(count) : 25;
  for (const std::string loss : {"huber", "quantile", "squared-hinge", "logistic", "poisson"})
    for (int seed = 1; seed <= problems; ++seed) {
      CAPTURE(loss);
      CAPTURE(seed);
      const RunResult r = fit(Problem(static_cast<std::uint64_t>(seed), loss), loss);
      CHECK_MESSAGE(r.status == Status::relative_gap, text(r.status), " after ", r.iterations);
      CHECK(r.iterations < 500);
    }
}

TEST_CASE("repeated rows: where an algorithm stands still, another meets the target from its point") {
  for (const std::string loss : {"huber", "quantile", "logistic"})
    for (int seed = 1; seed <= 5; ++seed) {
      CAPTURE(loss);
      CAPTURE(seed);
      const RunResult r = fit(Problem(static_cast<std::uint64_t>(seed), loss), loss, true);
      CHECK_MESSAGE(r.status == Status::relative_gap, text(r.status), " after ", r.iterations, " ", r.note);
      CHECK(r.note.find("stood still") != std::string::npos);
    }
}

TEST_CASE("repeated rows: curvatures that vanish in some rows leave Newton steps their length") {
  constexpr Index n = 20, p = 23;
  const std::vector<double> a = normals(5, n * p), noise = normals(6, n);
  for (const std::string loss : {"squared-hinge", "huber"})
    for (const double lambda : {1e-4, 1e-6, 1e-8}) {
      CAPTURE(loss);
      CAPTURE(lambda);
      std::vector<double> y(n);
      for (std::size_t i = 0; i < n; ++i) {
        y[i] = a[i * p] - a[i * p + 1] + 0.5 * noise[i];
        if (loss == "squared-hinge") y[i] = y[i] > 0.0 ? 1.0 : -1.0;
      }
      const RunResult r = Solver(build_catalog())
                              .objective("linear-model", {{"loss", loss}, {"intercept", true}})
                              .data(data_from_rows(a, n, p, y))
                              .penalty("ridge", {{"lambda", lambda}})
                              .algorithm("prox-newton")
                              .stop_when({{"relative_gap", 1e-6}, {"iterations", 3000}})
                              .solve();
      CHECK(r.status == Status::relative_gap);
      CHECK(r.iterations < 30);
    }
}

}  // namespace claros::test::repeated_rows

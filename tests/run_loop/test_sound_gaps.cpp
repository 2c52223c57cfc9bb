// SPDX-License-Identifier: BSD-3-Clause
// A gap is what is known, and no less: the error of the oracle and of the arithmetic is a part of it, at
// every scale.
#include "scripted.hpp"

#include <claros/sdk/array_objective.hpp>

#include <sstream>

namespace claros::test::sound_gaps {

namespace {

constexpr std::size_t kRows = 40, kColumns = 6;

/// f(x) = ||A x - y||^2 / (2 n), which linear-model has of these rows.
struct LeastSquares {
  std::vector<std::vector<double>> columns;
  std::vector<double> y;
  TestFolder folder;

  /// Columns offset + N(0, 1), times `scale` of each; the response is A x* + 3 + noise, x* in the simplex.
  LeastSquares(std::uint64_t seed, double offset, const std::function<double(std::size_t)>& scale)
      : y(kRows, 3.0) {
    Engine engine(seed);
    std::normal_distribution<double> normal;
    const std::vector<double> truth{0.4, 0.3, 0.2, 0.1, 0.0, 0.0};
    for (std::size_t j = 0; j < kColumns; ++j) {
      std::vector<double> column(kRows);
      for (double& entry : column) entry = (offset + normal(engine)) * scale(j);
      for (std::size_t i = 0; i < kRows; ++i) y[i] += truth[j] * column[i];
      columns.push_back(std::move(column));
    }
    for (double& response : y) response += normal(engine);
    std::ostringstream text;
    for (std::size_t i = 0; i < kRows; ++i) {
      for (const auto& column : columns) text << print_real(column[i]) << ',';
      text << print_real(y[i]) << '\n';
    }
    folder.put("rows.csv", text.str());
  }

  Words words() const {
    return {"objective.use=linear-model", "objective.data=" + (folder / "rows.csv").string()};
  }

  /// min over the simplex: of every support the minimum over its plane, in twice the digits, where it lies
  /// inside.
  double minimum() const {
    double best = std::numeric_limits<double>::infinity();
    for (unsigned support = 1; support < (1U << kColumns); ++support) best = std::min(best, over(support));
    return best;
  }

 private:
  using Real = long double;
  double over(unsigned support) const {
    std::vector<std::size_t> in;
    for (std::size_t j = 0; j < kColumns; ++j)
      if (support >> j & 1U) in.push_back(j);
    const std::size_t k = in.size() - 1, base = in.back();
    const auto apart = [&](std::size_t a, std::size_t i) {
      return static_cast<Real>(columns[in[a]][i]) - columns[base][i];
    };
    std::vector<std::vector<Real>> M(k, std::vector<Real>(k + 1, 0.0L));
    for (std::size_t a = 0; a < k; ++a)
      for (std::size_t i = 0; i < kRows; ++i) {
        for (std::size_t b = 0; b < k; ++b) M[a][b] += apart(a, i) * apart(b, i);
        M[a][k] += apart(a, i) * (static_cast<Real>(y[i]) - columns[base][i]);
      }
    for (std::size_t a = 0; a < k; ++a)
      for (std::size_t r = 0; r < k; ++r) {
        if (r == a) continue;
        const Real factor = M[r][a] / M[a][a];
        for (std::size_t b = a; b <= k; ++b) M[r][b] -= factor * M[a][b];
      }
    Real rest = 1.0L, value = 0.0L;
    std::vector<Real> u;
    for (std::size_t a = 0; a < k; ++a) u.push_back(M[a][k] / M[a][a]), rest -= u.back();
    for (const Real share : u)
      if (share < 0.0L) return std::numeric_limits<double>::infinity();
    if (rest < 0.0L) return std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < kRows; ++i) {
      Real r = static_cast<Real>(columns[base][i]) - y[i];
      for (std::size_t a = 0; a < k; ++a) r += u[a] * apart(a, i);
      value += r * r / (2.0L * kRows);
    }
    return static_cast<double>(value);
  }
};

const Words kSimplexAsProgram{"set.use=polytope", "set.program=1 1 1 1 1 1 = 1;"};
const Words kSimplex{"set.use=simplex", "set.radius=1"};
const Words kFrankWolfe{"algorithm.use=away-step", "stop.relative_gap=1e-6", "stop.iterations=5000"};

/// Of every measured point: no gap below 0, no bound above the minimum, no value within a gap of it that is
/// not.
void check_sound(const RunResult& r, double minimum, double rounding) {
  CAPTURE(r.failure);
  for (const TraceRow& row : r.trace) {
    CHECK(row.gap >= 0.0);
    CHECK(row.value - row.gap <= minimum + rounding);
  }
  CHECK(r.lower_bound <= minimum + rounding);
  CHECK(r.measurement.gap >= 0.0);
  if (is_target(r.status)) CHECK(r.measurement.value - minimum <= 1.1e-6 * minimum + rounding);
}

/// Half of the squared distance to a point, for a variable of any shape; the gradient times `sign`.
class Nearest final : public sdk::ArrayObjective {
 public:
  Nearest(const Shape& shape, std::vector<double> to, double sign = 1.0)
      : ArrayObjective(shape), to_(std::move(to)), sign_(sign) {}
  Constants constants() const override { return {.convex = true, .smoothness = 1.0, .term_smoothness = 1.0}; }

 protected:
  double value_at(std::span<const double> x) override {
    double sum = 0.0;
    for (std::size_t k = 0; k < x.size(); ++k) sum += 0.5 * (x[k] - to_[k]) * (x[k] - to_[k]);
    return sum;
  }
  void add_gradient_at(std::span<const double> x, const Batch&, double a, std::span<double> g) override {
    for (std::size_t k = 0; k < x.size(); ++k) g[k] += sign_ * a * (x[k] - to_[k]);
  }

 private:
  std::vector<double> to_;
  double sign_;
};

RunResult solve_with(const std::string& role, Kind kind, std::shared_ptr<Component> part,
                     const Words& words) {
  HostParts parts;
  parts.parts[role] = {kind, std::move(part)};
  return run_composition(compose(build_catalog(), spec_of(words), parts));
}

/// The l1 ball of radius 1, with a bound that is `slack` below the value of the corner, and counts as stated.
class Cautious final : public Component, public LinearOracle {
 public:
  explicit Cautious(double slack, Index products = 1, Index pairs = 0)
      : slack_(slack), products_(products), pairs_(pairs) {}
  OracleInfo minimize(const Element& direction, const OracleRequest&, Element& vertex) override {
    const std::vector<double> c = direction.to_dense();
    const auto at =
        std::max_element(c.begin(), c.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
    std::vector<double> corner(c.size(), 0.0);
    corner[static_cast<std::size_t>(at - c.begin())] = *at > 0.0 ? -1.0 : 1.0;
    vertex = Element::dense(direction.shape(), std::move(corner));
    return {.value = -std::abs(*at),
            .lower_bound = -std::abs(*at) - slack_,
            .products = products_,
            .singular_pairs = pairs_,
            .confirmed = true};
  }
  double diameter(const Shape&) override { return 2.0; }
  void* ability(std::string_view id) noexcept override { return offer<LinearOracle>(this, id); }

 private:
  double slack_;
  Index products_, pairs_;
};

/// The l1 ball of radius 1, whose confirmed minimisations leave out the best corner and state the next as
/// the best.
class Forgetful final : public Component, public LinearOracle {
 public:
  OracleInfo minimize(const Element& direction, const OracleRequest& request, Element& vertex) override {
    std::vector<double> c = direction.to_dense();
    const auto largest = [&] {
      return std::max_element(c.begin(), c.end(),
                              [](double a, double b) { return std::abs(a) < std::abs(b); });
    };
    if (request.confirm) *largest() = 0.0;
    const auto at = largest();
    std::vector<double> corner(c.size(), 0.0);
    corner[static_cast<std::size_t>(at - c.begin())] = *at > 0.0 ? -1.0 : 1.0;
    vertex = Element::dense(direction.shape(), std::move(corner));
    return {.value = -std::abs(*at), .lower_bound = -std::abs(*at), .products = 1, .confirmed = true};
  }
  double diameter(const Shape&) override { return 2.0; }
  void* ability(std::string_view id) noexcept override { return offer<LinearOracle>(this, id); }
};

/// All of the space, whose projection states counts or errors that no call has.
class Stating final : public Component, public ProximalOracle {
 public:
  explicit Stating(Certificate says) : says_(says) {}
  Certificate apply(const Element& v, double, Element& x, const Accuracy&) override {
    x = v;
    return says_;
  }
  double value(const Element&) override { return 0.0; }
  void* ability(std::string_view id) noexcept override { return offer<ProximalOracle>(this, id); }

 private:
  Certificate says_;
};

}  // namespace

TEST_CASE(
    "sound gaps: over a linear program costs that cancel leave the bound below the minimum, and the run as "
    "over the simplex") {
  for (const double offset : {0.0, 1e3, 1e6, 1e8})
    for (const std::uint64_t seed : {1, 2, 3}) {
      CAPTURE(offset);
      CAPTURE(seed);
      const LeastSquares problem(seed, offset, [](std::size_t) { return 1.0; });
      const double minimum = problem.minimum(),
                   rounding = 1e-12 * minimum + 4e-16 * offset * std::sqrt(minimum);
      const RunResult program = solve(problem.words() + kSimplexAsProgram + kFrankWolfe),
                      simplex = solve(problem.words() + kSimplex + kFrankWolfe);
      check_sound(program, minimum, rounding);
      check_sound(simplex, minimum, rounding);
      if (offset <= 1e6) {
        CHECK(program.status == Status::relative_gap);
        CHECK(simplex.status == Status::relative_gap);
      }
      CHECK(program.measurement.value <= minimum * (1.0 + 1e-5) + 1e3 * rounding);
    }
}

TEST_CASE("sound gaps: over a linear program columns of all sizes leave the bound below the minimum") {
  int met = 0;
  for (const std::uint64_t seed : {1, 2, 3, 4}) {
    CAPTURE(seed);
    const LeastSquares problem(seed, 0.0, [](std::size_t j) {
      return std::pow(10.0, -4.0 + 8.0 * static_cast<double>(j) / (kColumns - 1));
    });
    const double minimum = problem.minimum();
    const RunResult program = solve(problem.words() + kSimplexAsProgram + kFrankWolfe);
    check_sound(program, minimum, 1e-11 * minimum);
    met += program.status == Status::relative_gap;
  }
  CHECK(met >= 3);  // zigzagging steps may take more than are allowed
}

TEST_CASE(
    "sound gaps: along a path of logistic regressions no gap is below 0, and none is called 0 that is not") {
  const Words model{"data.use=synthetic-regression",
                    "data.rows=4000",
                    "data.cols=60",
                    "data.nonzero=6",
                    "data.response=logistic",
                    "objective.use=linear-model",
                    "objective.loss=logistic",
                    "penalty.use=l1",
                    "stop.iterations=3000",
                    "stop.relative_gap=1e-11"};
  for (const std::string lambda : {"1*max", "0.999*max", "0.5*max", "0.1*max"})
    for (const std::string method : {"coordinate-descent", "proximal-gradient"}) {
      CAPTURE(lambda);
      CAPTURE(method);
      const RunResult r = solve(model + Words{"penalty.lambda=" + lambda, "algorithm.use=" + method});
      CAPTURE(r.failure);
      for (const TraceRow& row : r.trace) CHECK(row.gap > 0.0);
      CHECK(r.measurement.gap > 0.0);
      CHECK(r.status == Status::relative_gap);
      CHECK(r.lower_bound < r.measurement.value);
    }
}

TEST_CASE("sound gaps: the gap is that of the oracle's bound, not of its vertex") {
  constexpr double kSlack = 0.25;
  const RunResult r = solve_with("set", Kind::set, std::make_shared<Cautious>(kSlack),
                                 {"data.use=synthetic-regression", "data.rows=30", "data.cols=8",
                                  "data.nonzero=3", "objective.use=linear-model", "algorithm.use=frank-wolfe",
                                  "stop.relative_gap=1e-3", "stop.iterations=300"});
  CHECK(r.status == Status::iterations);
  for (const TraceRow& row : r.trace) CHECK(row.gap >= kSlack);
}

TEST_CASE("sound gaps: a relative gap is one of the value here and now") {
  // The first value is half a million, and the least is 0: against the first, gaps would soon be small.
  const Shape shape = Shape::vector(5);
  const auto objective = std::make_shared<Nearest>(shape, std::vector<double>{1.5, 0.0, 0.0, 0.0, 0.0});
  const Words words{"set.use=l2-ball",           "set.radius=1e3",
                    "algorithm.use=frank-wolfe", "algorithm.step=line-search",
                    "stop.relative_gap=1e-3",    "stop.iterations=200"};
  HostParts parts;
  parts.parts["objective"] = {Kind::objective, objective};
  parts.start = std::make_shared<const Element>(Element::dense(shape, {0.0, 0.0, 0.0, 0.0, 1e3}));
  const RunResult r = run_composition(compose(build_catalog(), spec_of(words), parts));
  CHECK(r.trace.front().value > 4e5);
  CHECK(r.measurement.gap >= r.measurement.value);
  // Nothing says that this function is never below 0: what counts is its value here, and no share of the
  // first.
  CHECK_FALSE(is_target(r.status));
  CHECK(r.measurement.gap <= 64.0 * std::numeric_limits<double>::epsilon() * r.trace.front().value);
}

TEST_CASE("sound gaps: a gradient of the opposite sign is not a success, and the objective is named") {
  for (const std::string set : {"l2-ball", "l1-ball", "box"})
    for (const std::string trace : {"trace.on=yes", "trace.on=no"})
      for (const std::string method : {"frank-wolfe", "proximal-gradient"}) {
        CAPTURE(set);
        CAPTURE(trace);
        CAPTURE(method);
        const Words size = set == "box" ? Words{"set.lower=-1", "set.upper=1"} : Words{"set.radius=1"};
        const Words step = method == "frank-wolfe" ? Words{} : Words{"algorithm.step=0.5"};
        const auto flipped =
            std::make_shared<Nearest>(Shape::vector(4), std::vector<double>{0.3, -0.2, 0.1, 0.05}, -1.0);
        const RunResult r = solve_with("objective", Kind::objective, flipped,
                                       Words{"set.use=" + set, "algorithm.use=" + method, "stop.gap=1e-6",
                                             "stop.iterations=2000", trace} +
                                           size + step);
        CHECK(is_trouble(r.status));
        if (r.status == Status::diverged && method == "proximal-gradient")
          continue;  // it rises, and that is seen first
        CHECK(contains(r.failure, "lies above the value"));
        CHECK(contains(r.failure, "does not belong to its values"));
        CHECK(r.lower_bound == -std::numeric_limits<double>::infinity());
        CHECK_FALSE(r.measurement.confirmed);
      }
}

TEST_CASE("sound gaps: an oracle's bound that a value refutes is the set's failure, and no success") {
  const Words model{"data.use=synthetic-regression",
                    "data.rows=30",
                    "data.cols=8",
                    "data.nonzero=3",
                    "objective.use=linear-model",
                    "algorithm.use=frank-wolfe",
                    "algorithm.step=line-search",
                    "stop.iterations=5000"};
  const RunResult r = solve_with("set", Kind::set, std::make_shared<Forgetful>(),
                                 model + Words{"stop.gap=1e-12", "trace.every=1"});
  CHECK(r.status == Status::failed);
  CHECK(r.failure_kind == ErrorKind::plugin);
  check_mentions(r.failure, {"set", "linear oracle", "wrong"});
  CHECK(r.lower_bound == -std::numeric_limits<double>::infinity());
}

TEST_CASE("sound gaps: counts below 0 are the plugin's failure, not less work") {
  const Words model{"data.use=synthetic-regression", "data.rows=30",     "data.cols=8", "data.nonzero=3",
                    "objective.use=linear-model",    "stop.iterations=5"};
  for (const auto& set :
       {std::make_shared<Cautious>(0.0, -1995, 0), std::make_shared<Cautious>(0.0, 0, -3)}) {
    const RunResult r = solve_with("set", Kind::set, set, model + Words{"algorithm.use=frank-wolfe"});
    CHECK(r.status == Status::failed);
    CHECK(r.failure_kind == ErrorKind::plugin);
    check_mentions(r.failure, {"set", "at least 0"});
    CHECK(r.counts.matvec >= 0);
    CHECK(r.counts.svd >= 0);
  }
  for (const Certificate& says : {Certificate{.products = -399'000'000}, Certificate{.singular_pairs = -1},
                                  Certificate{.exact = false, .error = -1.0}}) {
    const RunResult r = solve_with("penalty", Kind::penalty, std::make_shared<Stating>(says),
                                   model + Words{"algorithm.use=proximal-gradient"});
    CHECK(r.status == Status::failed);
    CHECK(r.failure_kind == ErrorKind::plugin);
    check_mentions(r.failure, {"penalty", "at least 0"});
  }
}

TEST_CASE("sound gaps: a trace decides nothing: the scale of values is that of a run without one") {
  /// x, and 1e-9 at the point 0.
  class Lifted final : public Objective {
   public:
    Shape shape() const override { return Shape::matrix(1, 1); }
    Index terms() const override { return 1; }
    double value(const Element& x) override { return x.is_zero() ? 1e-9 : x.to_dense()[0]; }
    void add_gradient(const Element&, const Batch&, double a, Element& g) override {
      g.add(a, Element::dense(shape(), {1.0}));
    }
  } lifted;
  for (const bool on : {true, false}) {
    CAPTURE(on);
    // The value rises by one unit in its last place, which is far more than that at 0.
    ScriptedRun trial([](Index t) { return t < 2 ? 91666666.24166666 : 91666666.24166667; });
    trial.problem.objective = &lifted;
    trial.settings.stop.iterations = 40;
    trial.settings.trace.on = on;
    trial.settings.trace.every = on ? 1 : 0;
    const RunResult r = trial();
    CHECK(r.status == Status::iterations);
    CHECK(r.failure.empty());
  }
}

}  // namespace claros::test::sound_gaps

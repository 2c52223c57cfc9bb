// SPDX-License-Identifier: BSD-3-Clause
// No run claims success away from a solution: every algorithm with every estimator on a convex problem, a
// weakly convex one and one that has no minimum, with good steps and with steps that are far too long.
// CLAROS_CLAIMS=N draws N runs instead of a few tens.
#include "compose_for_test.hpp"

#include <claros/sampler.hpp>

#include <cstdlib>
#include <limits>

using namespace claros;
using namespace claros::test;

namespace {

using Vector = std::vector<double>;

constexpr Index kClaimRows = 24, kClaimCols = 8;
constexpr double kLambda = 0.05, kConcave = 20.0, kTarget = 1e-3;

enum class Problem_ { convex, weakly_convex, unbounded };

/// y = X theta + noise; f = ||X x - y||^2 / (2 n) - c ||x||^2 / 2, c = 0 unless the problem is to have no
/// minimum.
struct ClaimedProblem {
  std::vector<Vector> X;
  Vector y;
  TestFolder folder;

  explicit ClaimedProblem(std::uint64_t seed) {
    RandomStream random(seed, Purpose::test);
    std::string text;
    for (Index i = 0; i < kClaimRows; ++i) {
      Vector& row = X.emplace_back(static_cast<std::size_t>(kClaimCols));
      random.fill_normal(row);
      y.push_back(row[0] - 2.0 * row[3] + 0.1 * random.normal());
      for (const double entry : row) text += print_real(entry) + ',';
      text += print_real(y.back()) + '\n';
    }
    folder.put("data.csv", text);
  }

  Vector gradient(const Vector& x) const {
    Vector g(x.size(), 0.0);
    for (std::size_t i = 0; i < X.size(); ++i) {
      double r = -y[i];
      for (std::size_t j = 0; j < x.size(); ++j) r += X[i][j] * x[j];
      for (std::size_t j = 0; j < x.size(); ++j) g[j] += r * X[i][j] / static_cast<double>(kClaimRows);
    }
    return g;
  }
  double size_at_zero() const {
    double sum = 0.0;
    for (const double entry : gradient(Vector(static_cast<std::size_t>(kClaimCols), 0.0)))
      sum += entry * entry;
    return std::sqrt(sum);
  }
  /// The distance of -grad f(x) from the subdifferential of the penalty: lambda |x| with slope falling to 0
  /// at a = 3 lambda for mcp.
  double distance_from_stationary(const Vector& x, bool mcp) const {
    const Vector g = gradient(x);
    double sum = 0.0;
    for (std::size_t j = 0; j < x.size(); ++j) {
      const double slope = mcp ? std::max(kLambda - std::abs(x[j]) / 3.0, 0.0) : kLambda;
      // An entry may be 0 up to a step of length 1/L, L about 3.
      const double at_zero = std::max(std::abs(g[j]) - kLambda, 0.0) + 3.0 * std::abs(x[j]);
      const double d = std::min(at_zero, std::abs(g[j] + std::copysign(slope, x[j])));
      sum += d * d;
    }
    return std::sqrt(sum);
  }
  double value(const Vector& x) const {
    double sum = 0.0, norm1 = 0.0;
    for (std::size_t i = 0; i < X.size(); ++i) {
      double r = -y[i];
      for (std::size_t j = 0; j < x.size(); ++j) r += X[i][j] * x[j];
      sum += 0.5 * r * r / static_cast<double>(kClaimRows);
    }
    for (const double entry : x) norm1 += std::abs(entry);
    return sum + kLambda * norm1;
  }
  /// ISTA on the Lasso, to rounding.
  double least() const {
    Vector x(static_cast<std::size_t>(kClaimCols), 0.0);
    constexpr double s = 0.1;
    for (int k = 0; k < 20000; ++k) {
      const Vector g = gradient(x);
      for (std::size_t j = 0; j < x.size(); ++j) {
        const double v = x[j] - s * g[j];
        x[j] = std::copysign(std::max(std::abs(v) - s * kLambda, 0.0), v);
      }
    }
    return value(x);
  }
};

struct ClaimCase {
  std::string algorithm, estimator;
  Problem_ problem;
  double step;  ///< 0: the algorithm's own
  std::uint64_t seed;
};

/// By linear minimisation, which takes no penalty.
bool is_over_a_set(const ClaimCase& c) { return c.algorithm == "frank-wolfe" || c.algorithm == "sliding"; }

Words words_of(const ClaimCase& c, const ClaimedProblem& rows) {
  Words words{"objective.use=linear-model",   "objective.intercept=no",
              "objective.standardize=no",     "objective.data=" + (rows.folder / "data.csv").string(),
              "algorithm.use=" + c.algorithm, "run.seed=" + std::to_string(c.seed),
              "stop.iterations=3000",         "trace.on=" + std::string(c.seed % 2 ? "yes" : "no")};
  words = words + small_batches(c.estimator);
  if (is_over_a_set(c))
    words = words + Words{"set.use=l1-ball", "set.radius=2.5"};
  else if (c.problem == Problem_::weakly_convex)
    words = words + Words{"penalty.use=mcp", "penalty.lambda=" + print_real(kLambda)};
  else
    words = words + Words{"penalty.use=l1", "penalty.lambda=" + print_real(kLambda)};
  if (c.problem == Problem_::unbounded)
    words.push_back("objective.errors_in_variables=" + print_real(kConcave));
  const bool residual = !is_over_a_set(c) && c.problem != Problem_::convex;
  words.push_back((residual ? "stop.residual=" : "stop.relative_gap=") + print_real(kTarget));
  if (c.step == 0.0) return words;
  if (c.algorithm == "sliding") return words + Words{"algorithm.smoothness=" + print_real(1.0 / c.step)};
  if (is_over_a_set(c))
    return words + Words{"algorithm.step=constant", "algorithm.weight=" + print_real(std::min(1.0, c.step))};
  if (c.algorithm == "generalized-conditional-gradient")
    return words + Words{"algorithm.beta=" + print_real(1.0 / c.step)};
  if (c.algorithm == "dual-averaging") return words + Words{"algorithm.gamma=" + print_real(1.0 / c.step)};
  return words + Words{"algorithm.step=" + print_real(c.step)};
}

/// Whether the claim holds, judged from the data alone.
void check_claim(const ClaimCase& c, const ClaimedProblem& rows, const RunResult& r) {
  const Vector x = r.answer.to_dense();
  if (is_over_a_set(c) && c.problem != Problem_::convex) return;  // a compact set: the gap is what it is
  if (is_over_a_set(c)) {
    const Vector g = rows.gradient(x);
    double gap = 0.0, largest = 0.0;
    for (std::size_t j = 0; j < x.size(); ++j)
      gap += g[j] * x[j], largest = std::max(largest, std::abs(g[j]));
    // The gap is that of this point, or by the bound of another.
    const double known = std::min(gap + 2.5 * largest, r.measurement.value - r.lower_bound);
    CHECK(known <= 1.01 * kTarget * r.measurement.value);
  } else if (c.problem == Problem_::convex) {
    CHECK(r.measurement.confirmed);
    CHECK(rows.value(x) - rows.least() <= 1.01 * kTarget * rows.value(x));
  } else {
    CHECK(c.problem ==
          Problem_::weakly_convex);  // the third has no stationary point that steps downhill reach
    CHECK(rows.distance_from_stationary(x, true) <= 20.0 * kTarget * rows.size_at_zero());
  }
}

struct ClaimTally {
  int runs = 0, claims = 0, troubles = 0, refused = 0;
};

void run_case(const ClaimCase& c, ClaimTally& tally) {
  const ClaimedProblem rows(c.seed % 7 + 1);
  CAPTURE(c.algorithm);
  CAPTURE(c.estimator);
  CAPTURE(static_cast<int>(c.problem));
  CAPTURE(c.step);
  CAPTURE(c.seed);
  try {
    const RunResult r = solve(words_of(c, rows));
    ++tally.runs;
    tally.troubles += is_trouble(r.status);
    CHECK(r.status != Status::failed);
    if (r.measurement.confirmed) CHECK(std::isfinite(r.measurement.gap));
    if (!is_target(r.status)) return;
    ++tally.claims;
    check_claim(c, rows, r);
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::usage);  // a pair that theory forbids
    ++tally.refused;
  }
}

Index wanted_runs() {
  const char* text = std::getenv("CLAROS_CLAIMS");
  return text ? parse_integer(text) : 0;
}

}  // namespace

TEST_CASE("claims: no pair of algorithm and estimator claims success away from a solution") {
  const auto algorithms = build_catalog().names(Kind::algorithm),
             estimators = build_catalog().names(Kind::estimator);
  const std::vector<double> steps{0.0, 0.02, 0.5, 4.0, 60.0, 1000.0};
  const Index many = wanted_runs();
  const Index per_seed = static_cast<Index>(algorithms.size() * estimators.size() * 3);
  ClaimTally tally;
  RandomStream draw(11, Purpose::test);
  for (Index k = 0; k < std::max(many, per_seed); ++k) {
    const Index pair = k % per_seed;
    const auto step = many ? draw.index(static_cast<Index>(steps.size()))
                           : (pair + k / 5) % static_cast<Index>(steps.size());
    run_case({algorithms[static_cast<std::size_t>(pair % static_cast<Index>(algorithms.size()))],
              estimators[static_cast<std::size_t>(pair / static_cast<Index>(algorithms.size()) %
                                                  static_cast<Index>(estimators.size()))],
              static_cast<Problem_>(pair / static_cast<Index>(algorithms.size() * estimators.size())),
              steps[static_cast<std::size_t>(step)], static_cast<std::uint64_t>(k)},
             tally);
  }
  MESSAGE(tally.runs, " runs: ", tally.claims, " claimed success, ", tally.troubles, " ended in trouble; ",
          tally.refused, " refused");
  CHECK(tally.claims > 0);
  CHECK(tally.troubles > 0);
}

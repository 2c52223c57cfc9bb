// SPDX-License-Identifier: BSD-3-Clause
// lbfgs beside the formula of its directions, the envelope beside what is proved of it, answers and counted
// work beside those of proximal gradient.
#include "convex_cases.hpp"
#include "trace_for_test.hpp"

#include "../../plugins/algorithms/lbfgs/envelope.hpp"

#include <claros/io/memory_data.hpp>
#include <shared/algorithms/lbfgs_memory.hpp>

#include <cmath>
#include <numeric>

namespace claros::test::lbfgs {

namespace {

using Values = std::vector<double>;
using Rows = std::vector<Values>;

const Words kRegression{"data.use=synthetic-regression",
                        "data.rows=80",
                        "data.cols=20",
                        "data.nonzero=8",
                        "data.noise=0.1",
                        "data.correlation=0.5",
                        "data.seed=3",
                        "objective.use=linear-model"};
const Words kLogistic = kRegression + Words{"data.response=logistic", "objective.loss=logistic"};
const Words kStop{"stop.residual=1e-9", "stop.relative_gap=0", "stop.iterations=20000"};
const Words kMethod{"algorithm.use=lbfgs"}, kOther{"algorithm.use=proximal-gradient"};

double product(const Values& a, const Values& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

/// H+ = (I - s y'/<s,y>) H (I - y s'/<s,y>) + s s'/<s,y>, as the matrix that it is.
Rows updated(const Rows& H, const Values& s, const Values& y) {
  const std::size_t n = s.size();
  const double curved = product(s, y);
  Values Hy(n);
  for (std::size_t i = 0; i < n; ++i) Hy[i] = product(H[i], y);
  const double yHy = product(y, Hy);
  Rows next(H);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      next[i][j] += (curved + yHy) / (curved * curved) * s[i] * s[j] - (Hy[i] * s[j] + s[i] * Hy[j]) / curved;
  return next;
}

/// -H g of these pairs, the oldest first, from <s,y>/<y,y> of the newest.
Values by_matrices(const Rows& moves, const Rows& turns, const Values& g) {
  const std::size_t n = g.size();
  const double unit = product(moves.back(), turns.back()) / product(turns.back(), turns.back());
  Rows H(n, Values(n, 0.0));
  for (std::size_t j = 0; j < n; ++j) H[j][j] = unit;
  for (std::size_t k = 0; k < moves.size(); ++k) H = updated(H, moves[k], turns[k]);
  Values d(n);
  for (std::size_t i = 0; i < n; ++i) d[i] = -product(H[i], g);
  return d;
}

Values drawn(std::size_t n, RandomStream& stream) {
  Values x(n);
  for (double& value : x) value = stream.normal();
  return x;
}

/// Pairs of a positive definite matrix, I + v v'.
struct Pairs {
  Rows moves, turns;
  sdk::LbfgsMemory memory{3};

  Pairs(std::size_t n, int count, RandomStream& stream) {
    memory.start(n);
    const Values v = drawn(n, stream);
    for (int k = 0; k < count; ++k) {
      const Values s = drawn(n, stream);
      Values y(s);
      for (std::size_t j = 0; j < n; ++j) y[j] += product(v, s) * v[j];
      CHECK(memory.add_pair([&](std::size_t j) { return s[j]; }, [&](std::size_t j) { return y[j]; }));
      moves.push_back(s), turns.push_back(y);
    }
  }
};

Values taken(const Values& x, const std::vector<std::size_t>& places) {
  Values some;
  for (const std::size_t j : places) some.push_back(x[j]);
  return some;
}

}  // namespace

TEST_CASE("lbfgs: directions are those of the matrices, of the last pairs alone") {
  RandomStream stream(5, Purpose::data);
  Pairs pairs(6, 5, stream);
  const Rows moves(pairs.moves.end() - 3, pairs.moves.end()), turns(pairs.turns.end() - 3, pairs.turns.end());
  const Values g = drawn(6, stream), d = pairs.memory.direction(g), expected = by_matrices(moves, turns, g);
  for (std::size_t j = 0; j < 6; ++j) CHECK(d[j] == doctest::Approx(expected[j]).epsilon(1e-12));

  const std::vector<std::size_t> all{0, 1, 2, 3, 4, 5}, some{1, 2, 5};
  const Values same = pairs.memory.direction_of(g, all), part = pairs.memory.direction_of(g, some);
  for (std::size_t j = 0; j < 6; ++j) CHECK(same[j] == doctest::Approx(d[j]).epsilon(1e-12));
  Rows s, y;
  for (int k = 0; k < 3; ++k)
    if (product(taken(moves[k], some), taken(turns[k], some)) > 0.0)
      s.push_back(taken(moves[k], some)), y.push_back(taken(turns[k], some));
  REQUIRE(!s.empty());
  const Values inner = by_matrices(s, y, taken(g, some));
  for (std::size_t k = 0; k < 3; ++k) CHECK(part[some[k]] == doctest::Approx(inner[k]).epsilon(1e-12));
  for (const std::size_t j : {0, 3, 4}) CHECK(part[j] == -g[j]);
}

TEST_CASE("lbfgs: a pair without curvature is left out, and no other is lost") {
  RandomStream stream(6, Purpose::data);
  Pairs pairs(4, 2, stream);
  const Values g = drawn(4, stream), before = pairs.memory.direction(g);
  CHECK(!pairs.memory.add_pair([](std::size_t) { return 1.0; }, [](std::size_t) { return -1.0; }));
  CHECK(!pairs.memory.add_pair([](std::size_t) { return 0.0; }, [](std::size_t) { return 0.0; }));
  CHECK(!pairs.memory.add_pair([](std::size_t) { return 1.0; },
                               [](std::size_t) { return std::numeric_limits<double>::infinity(); }));
  CHECK(pairs.memory.direction(g) == before);
}

// (1 - gamma L)/(2 gamma) ||x - z||^2 <= phi(x) - F(z),  phi(x) <= F(x); and phi(x*) = F(x*).
TEST_CASE("lbfgs: the envelope lies between what is proved of it") {
  RandomStream stream(7, Purpose::data);
  for (const Words& constraint :
       {Words{}, Words{"penalty.use=l1", "penalty.lambda=0.1"}, Words{"set.use=l2-ball", "set.radius=0.5"}}) {
    CAPTURE(constraint.empty() ? "f alone" : constraint.front());
    const Words words = kLogistic + constraint;
    const Composition c = compose(build_catalog(), spec_of(words + Words{"stop.iterations=1"}));
    Sampler sampler(c.context.stream(Purpose::sampling), 80);
    c.estimator->start(*c.objective, sampler);
    const Problem problem = c.problem();
    EnvelopeOf envelope;
    envelope.start(problem);
    const double L = *c.objective->constants().smoothness, gamma = 0.8 / L;
    const auto F = [&](const Element& x) {
      return c.objective->value(x) + (problem.penalty ? problem.penalty->value(x) : 0.0);
    };
    for (const double size : {0.01, 0.3, 3.0}) {
      Envelope e;
      Values x = drawn(20, stream);
      for (double& value : x) value *= size;
      e.x = Element::dense(Shape::vector(20), x);
      envelope.evaluate(e, gamma);
      const double rounding = 1e-12 * (1.0 + std::abs(e.phi));
      CHECK(e.phi - F(e.z) >= (1.0 - gamma * L) / (2.0 * gamma) * e.square - rounding);
      if (!c.set) CHECK(e.phi <= F(e.x) + rounding);
    }
    Envelope e;
    e.x = solve(words + kStop + kOther).answer.detached();
    envelope.evaluate(e, gamma);
    CHECK(e.phi == doctest::Approx(F(e.x)).epsilon(1e-9));
  }
}

TEST_CASE("lbfgs: a loss whose smoothness is not known, and one that is not convex") {
  const Words poisson = kRegression + Words{"data.response=positive", "objective.loss=poisson",
                                            "penalty.use=ridge", "penalty.lambda=0.1"};
  for (const Words& words :
       {poisson, kRegression + Words{"penalty.use=mcp", "penalty.lambda=0.1*max"},
        kRegression + Words{"objective.loss=robust", "penalty.use=ridge", "penalty.lambda=0.01"}}) {
    CAPTURE(words.back());
    const RunResult ours = solve(words + kStop + kMethod);
    CHECK_MESSAGE(ours.status == Status::residual, ours.failure);
    const RunResult other = solve(words + kStop + kOther + Words{"stop.residual=1e-6"});
    CHECK(ours.measurement.value <= other.measurement.value + 1e-6 * std::abs(other.measurement.value));
  }
}

TEST_CASE("lbfgs comes to the answers of proximal gradient in less counted work") {
  struct Tried {
    Words words;
    double share;  ///< of the other's passes over the data
  };
  const Words l1{"penalty.use=l1", "penalty.lambda=0.05*max"};
  for (const Tried& tried :
       {Tried{kRegression, 0.7}, Tried{kRegression + Words{"penalty.use=ridge", "penalty.lambda=1e-3"}, 0.7},
        Tried{kRegression + Words{"objective.intercept=true"}, 0.7},
        Tried{kRegression + Words{"penalty.use=box", "penalty.lower=-0.2", "penalty.upper=0.3"}, 1.0},
        Tried{kRegression + Words{"set.use=simplex", "set.radius=2"}, 5.0}, Tried{kRegression + l1, 1.0},
        Tried{kLogistic + l1, 0.7}, Tried{kLogistic + Words{"penalty.use=ridge", "penalty.lambda=1e-3"}, 0.5},
        Tried{kLogistic + Words{"penalty.use=group", "penalty.groups=4", "penalty.lambda=0.1*max"}, 1.0},
        Tried{kLogistic + Words{"penalty.use=elastic-net", "penalty.lambda=0.05*max"}, 0.7},
        Tried{kLogistic + Words{"set.use=l2-ball", "set.radius=2"}, 1.0}}) {
    CAPTURE(tried.words.back());
    const RunResult ours = solve(tried.words + kStop + kMethod), other = solve(tried.words + kStop + kOther);
    CHECK_MESSAGE(ours.status == Status::residual, ours.failure);
    CHECK(other.status == Status::residual);
    CHECK(ours.measurement.value == doctest::Approx(other.measurement.value).epsilon(1e-11));
    CHECK(ours.trace.back().passes <= tried.share * other.trace.back().passes);
  }
}

// Columns of many sizes: all of the steps are in coordinates in which they are of one.

namespace {

constexpr std::size_t kScaledRows = 60, kScaledCols = 6;

/// Column j of normal numbers times 2^powers[j], and signs, counts and numbers that follow the first three.
struct ScaledRows {
  Values a, y, signs, counts, classes;
  explicit ScaledRows(const std::vector<int>& powers) {
    RandomStream stream(41, Purpose::data);
    const Values normal = drawn(kScaledRows * (kScaledCols + 1), stream);
    for (std::size_t i = 0; i < kScaledRows; ++i) {
      const double* row = normal.data() + i * (kScaledCols + 1);
      for (std::size_t j = 0; j < kScaledCols; ++j) a.push_back(std::ldexp(row[j], powers[j]));
      const double z = row[0] - row[1] + 0.5 * row[2] + row[kScaledCols];
      y.push_back(z + 2.0), signs.push_back(z > 0.3 ? 1.0 : -1.0);
      counts.push_back(std::floor(std::exp(0.5 * z) + 0.5)), classes.push_back(z > 1.0    ? 2.0
                                                                               : z > -0.5 ? 1.0
                                                                                          : 0.0);
    }
  }
  const Values& response(const std::string& loss) const {
    return loss == "logistic" ? signs : loss == "poisson" ? counts : loss == "multinomial" ? classes : y;
  }
  /// `layout`: rows, columns or sparse.
  std::shared_ptr<const Dataset> data(const std::string& loss, const std::string& layout = "rows") const {
    const auto n = static_cast<Index>(kScaledRows), p = static_cast<Index>(kScaledCols);
    if (layout == "rows") return data_from_rows(a, n, p, response(loss));
    Values by_columns(a);
    std::vector<Index> start{0};
    std::vector<std::int32_t> column;
    for (std::size_t i = 0; i < kScaledRows; ++i) {
      for (std::size_t j = 0; j < kScaledCols; ++j) {
        by_columns[j * kScaledRows + i] = a[i * kScaledCols + j];
        column.push_back(static_cast<std::int32_t>(j));
      }
      start.push_back(static_cast<Index>(column.size()));
    }
    return layout == "columns" ? data_from_columns(by_columns, n, p, response(loss))
                               : data_from_compressed_rows(start, column, a, p, response(loss));
  }
};

RunResult fitted(std::shared_ptr<const Dataset> data, const std::string& loss, const Words& words) {
  HostParts parts;
  parts.data = std::move(data);
  return run_composition(compose(
      build_catalog(),
      spec_of(Words{"objective.use=linear-model", "objective.loss=" + loss} + kMethod + words), parts));
}

const std::vector<int> kPowers{12, -9, 3, 0, -4, 7}, kOtherPowers{-2, 5, -11, 8, 0, 1};

}  // namespace

TEST_CASE("lbfgs: columns times powers of two are the same steps to the bit, by every layout") {
  const ScaledRows one(kPowers), other(kOtherPowers);
  for (const std::string loss : {"squared", "logistic", "poisson", "huber"})
    for (const std::string layout : {"rows", "columns", "sparse"}) {
      CAPTURE(loss);
      CAPTURE(layout);
      const Words words{"objective.intercept=true", "objective.center=false", "stop.iterations=12"};
      const Values x = fitted(one.data(loss, layout), loss, words).answer.to_dense(),
                   z = fitted(other.data(loss, layout), loss, words).answer.to_dense();
      REQUIRE(x.size() == kScaledCols + 1);
      for (std::size_t j = 0; j < kScaledCols; ++j)
        CHECK(std::ldexp(x[j], kPowers[j]) == std::ldexp(z[j], kOtherPowers[j]));
      CHECK(x.back() == z.back());
    }
}

TEST_CASE("lbfgs: columns of many sizes come to the minimum with every penalty over coordinates") {
  const ScaledRows plain(std::vector<int>(kScaledCols, 0)), scaled(kPowers);
  for (const std::string loss : {"squared", "logistic", "poisson", "huber"})
    for (const Words& h :
         std::vector<Words>{{},
                            {"penalty.use=ridge", "penalty.lambda=0.01"},
                            {"penalty.use=l1", "penalty.lambda=0.01"},
                            {"penalty.use=box", "penalty.lower=-1e-3", "penalty.upper=2"},
                            {"penalty.use=elastic-net", "penalty.lambda=0.02"},
                            {"penalty.use=group", "penalty.groups=2", "penalty.lambda=0.01"}}) {
      CAPTURE(loss);
      CAPTURE(joined(h, " "));
      const Words words = h + Words{"objective.intercept=true", "stop.iterations=3000"};
      // Of a gap, or against coordinate steps, which know no units.
      const bool gap = !h.empty() && h.front() != "penalty.use=box";
      const Words target{gap ? "stop.relative_gap=1e-9" : "stop.residual=1e-9"};
      const RunResult ours = fitted(scaled.data(loss), loss, words + target);
      Words newton = words;
      newton.push_back("algorithm.use=prox-newton");
      newton.push_back("stop.iterations=300");
      const RunResult other = fitted(scaled.data(loss), loss, newton + Words{"stop.residual=1e-11"});
      if (h.empty() || h.front() != "penalty.use=group")  // whose columns are not scaled
        CHECK(is_target(ours.status));
      CHECK(ours.measurement.value <=
            other.measurement.value + 1e-8 * (1.0 + std::abs(other.measurement.value)));
      if (h.empty()) {
        const RunResult same = fitted(plain.data(loss), loss, words + Words{"stop.residual=1e-10"});
        CHECK(ours.measurement.value == doctest::Approx(same.measurement.value).epsilon(1e-8));
      }
    }
  const RunResult classes =
      fitted(scaled.data("multinomial"), "multinomial",
             {"penalty.use=ridge", "penalty.lambda=1e-4", "stop.relative_gap=1e-6", "stop.iterations=3000"});
  CHECK(classes.status == Status::relative_gap);
}

TEST_CASE("lbfgs: scaled columns begin at the start to the bit, and are resumed to the bit") {
  const TestFolder folder;
  const ScaledRows scaled(kPowers);
  std::string text;
  for (std::size_t i = 0; i < kScaledRows; ++i) {
    for (std::size_t j = 0; j < kScaledCols; ++j) text += print_real(scaled.a[i * kScaledCols + j]) + ',';
    text += print_real(scaled.y[i]) + '\n';
  }
  folder.put("rows.csv", text);
  const Words words = kMethod + Words{"objective.use=linear-model",
                                      "objective.loss=huber",
                                      "objective.data=" + (folder / "rows.csv").string(),
                                      "objective.header=no",
                                      "objective.intercept=true",
                                      "penalty.use=l1",
                                      "penalty.lambda=0.01",
                                      "stop.iterations=30"};
  const Saved saved = solve_and_save(words);
  REQUIRE_MESSAGE(saved.result.failure.empty(), saved.result.failure);
  REQUIRE(saved.states.size() > 5);
  for (std::size_t k = 0; k < saved.states.size(); k += 3)
    check_same(resumed(words, saved.states[k]), saved.result);
  // 0.1 is no multiple of a power of two of few digits.
  HostParts parts;
  parts.data = scaled.data("squared");
  const Values x0(kScaledCols, 0.1);
  parts.start = std::make_shared<const Element>(Element::dense(Shape::vector(kScaledCols), x0));
  const Composition c = compose(
      build_catalog(), spec_of(kMethod + Words{"objective.use=linear-model", "stop.iterations=1"}), parts);
  Values first;
  (void)run_composition(c, [&](RunSettings& settings) {
    settings.trace.on = true;
    settings.on_row = [&](const TraceRow& row) {
      if (row.iteration == 0) first.push_back(row.value);
      return true;
    };
  });
  REQUIRE(first.size() == 1);
  CHECK(first.front() == c.objective->value(Element::dense(Shape::vector(kScaledCols), x0)));
}

}  // namespace claros::test::lbfgs

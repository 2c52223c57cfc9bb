// SPDX-License-Identifier: BSD-3-Clause
#include "by_hand.hpp"
#include "cases.hpp"
#include "problems.hpp"

#include <claros/host.hpp>
#include <claros/io/memory_data.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <random>
#include <vector>

namespace bench {

using namespace claros;

namespace {

constexpr Index kRows = 50, kCols = 20;
constexpr double kLambda = 0.1, kTarget = 1e-6;

/// Rows of normal numbers, a response of two of the columns and noise.
SmallProblem problem(std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  std::normal_distribution<double> normal;
  SmallProblem made{kRows, kCols, {}, {}, kLambda};
  for (Index i = 0; i < kRows; ++i) {
    for (Index j = 0; j < kCols; ++j) made.a.push_back(normal(engine));
    const auto row = made.a.end() - kCols;
    made.y.push_back(2.0 * row[0] - row[1] + normal(engine));
  }
  return made;
}

std::shared_ptr<const Dataset> data_of(const SmallProblem& p) {
  return data_from_rows(p.a, p.rows, p.cols, p.y);
}

/// Microseconds of a call: the fastest of that many blocks of calls, which other processes disturb least.
double microseconds(int blocks, const std::function<void()>& call) {
  constexpr int kCalls = 20;
  double fastest = std::numeric_limits<double>::infinity();
  for (int k = 0; k < blocks; ++k)
    fastest = std::min(fastest, 1e6 / kCalls * seconds_of([&] {
                                  for (int i = 0; i < kCalls; ++i) call();
                                }));
  return fastest;
}

Solver solver_of(const SmallProblem& p, const Values& stop) {
  return Solver(everything())
      .objective("linear-model", {{"loss", "squared"}})
      .data(data_of(p))
      .penalty("l1", {{"lambda", kLambda}})
      .algorithm("proximal-gradient", {{"accelerate", true}})
      .trace({{"on", false}})
      .stop_when(stop);
}

struct Times {
  double names, same, number, data, by_hand;
  Index steps, steps_by_hand;
};

Times times_of(const Values& stop, double target, Index most, int blocks) {
  const SmallProblem first = problem(1), second = problem(2);
  const Solver solver = solver_of(first, stop);
  PreparedSolver same = solver.prepare(), number = solver.prepare(), data = solver.prepare();
  std::vector<double> x;
  Times t{};
  t.steps = solver.solve().iterations;
  t.steps_by_hand = small_fista_by_hand(first, target, most, x);
  bool odd = false;
  t.names = microseconds(blocks, [&] { (void)solver.solve(); });
  t.same = microseconds(blocks, [&] { (void)same.solve(); });
  t.number = microseconds(blocks, [&] {
    odd = !odd;
    (void)number.set("penalty.lambda", odd ? kLambda : 1.01 * kLambda).solve();
  });
  t.data = microseconds(blocks, [&] {
    odd = !odd;
    (void)data.data(data_of(odd ? first : second)).solve();
  });
  t.by_hand = microseconds(blocks, [&] { (void)small_fista_by_hand(first, target, most, x); });
  return t;
}

void print(const char* what, const Times& t) {
  fmt::print(
      "  {}: from names {:.0f} us, prepared {:.0f}, with another lambda {:.0f}, with other data {:.0f}, {} "
      "steps; by hand {:.0f} us, {} steps\n",
      what, t.names, t.same, t.number, t.data, t.steps, t.by_hand, t.steps_by_hand);
}

}  // namespace

void small(int repeats) {
  const int blocks = 50 * repeats;
  fmt::print("Lasso of {} x {} from memory, FISTA with a step search; by hand with a constant step:\n", kRows,
             kCols);
  print("to a gap of 1e-6", times_of({{"relative_gap", kTarget}}, kTarget, 10000, blocks));
  const auto fixed = [&](Index steps) { return times_of({{"iterations", steps}}, 0.0, steps, blocks); };
  const Times one = fixed(1), some = fixed(20), many = fixed(100);
  print("1 step", one);
  print("20 steps", some);
  print("100 steps", many);
  const auto beyond = [&](double Times::*time) { return one.*time - (some.*time - one.*time) / 19.0; };
  fmt::print(
      "  a step {:.2f} us, by hand {:.2f}; beyond the steps: from names {:.0f} us, prepared {:.0f}, with "
      "another lambda {:.0f}, with other data {:.0f}\n",
      (some.same - one.same) / 19.0, (some.by_hand - one.by_hand) / 19.0, beyond(&Times::names),
      beyond(&Times::same), beyond(&Times::number), beyond(&Times::data));
}

}  // namespace bench

// SPDX-License-Identifier: BSD-3-Clause
#include "simplex_method.hpp"

#include <claros/error.hpp>
#include <claros/sdk/entries.hpp>

#include <coin/ClpSimplex.hpp>
#include <coin/CoinPackedMatrix.hpp>

#include <algorithm>
#include <cmath>

namespace polytope {

using namespace claros;

namespace {

constexpr double kTolerance = 1e-9;  // of a constraint or a reduced cost
constexpr int kSolved = 0, kNoPoint = 1, kUnbounded = 2;
double for_clp(double bound) { return std::isfinite(bound) ? bound : std::copysign(COIN_DBL_MAX, bound); }
std::vector<double> for_clp(std::vector<double> bounds) {
  for (double& bound : bounds) bound = for_clp(bound);
  return bounds;
}

}  // namespace

struct SimplexMethod::Solver {
  ClpSimplex feasible;  ///< at a feasible basis

  /// A copy at its feasible basis, with costs whose largest is 1.
  ClpSimplex solved(std::span<const double> c) const {
    ClpSimplex model(feasible);
    model.setLogLevel(0);
    const double top = sdk::largest_magnitude(c);
    for (std::size_t j = 0; j < c.size(); ++j) model.setObjectiveCoefficient(static_cast<int>(j), top > 0.0 ? c[j] / top : 0.0);
    model.primal();
    return model;
  }
};

SimplexMethod::SimplexMethod(Program program, const std::string& where) : program_(std::move(program)), widths_(program_.columns()), solver_(std::make_unique<Solver>()) {
  const Program& p = program_;
  for (std::size_t j = 0; j < p.columns(); ++j)
    if (p.low[j] > p.high[j]) throw Error(ErrorKind::data, where, "variable " + p.name(j) + " has a lower bound above its upper one", "correct its bounds");
  std::vector<int> rows, columns;
  for (std::size_t i = 0; i < p.rows(); ++i) rows.insert(rows.end(), static_cast<std::size_t>(p.start[i + 1] - p.start[i]), static_cast<int>(i));
  for (const Index j : p.column) columns.push_back(static_cast<int>(j));
  CoinPackedMatrix A(true, rows.data(), columns.data(), p.value.data(), static_cast<CoinBigIndex>(p.value.size()));
  A.setDimensions(static_cast<int>(p.rows()), static_cast<int>(p.columns()));
  const auto low = for_clp(p.low), high = for_clp(p.high), least = for_clp(p.least), most = for_clp(p.most);
  const std::vector<double> none(p.columns(), 0.0);
  ClpSimplex& model = solver_->feasible;
  model.setLogLevel(0);
  model.loadProblem(A, low.data(), high.data(), none.data(), least.data(), most.data());
  model.setPrimalTolerance(kTolerance), model.setDualTolerance(kTolerance);
  model.primal();
  if (model.status() == kNoPoint) throw Error(ErrorKind::data, where, "no point satisfies all constraints", "look for a bound or a right-hand side that contradicts the others");
  if (model.status() != kSolved) throw Error(ErrorKind::data, where, "no point that satisfies all constraints was found: Clp ended with status " + std::to_string(model.status()), "scale the rows to numbers of like size");
  bound_all(where);
}
SimplexMethod::~SimplexMethod() = default;

/// A set with a linear oracle is bounded: of a variable whose bounds do not say so the least and the largest value are computed.
void SimplexMethod::bound_all(const std::string& where) {
  std::vector<double> c(program_.columns(), 0.0);
  double square = 0.0;
  for (std::size_t j = 0; j < c.size(); ++j) {
    double ends[2] = {program_.low[j], program_.high[j]};
    const bool few = c.size() <= 200;  // few enough to know the diameter better than from the bounds
    for (int end = 0; end < 2; ++end) {
      if (!few && std::isfinite(ends[0]) && std::isfinite(ends[1])) break;
      c[j] = end == 0 ? 1.0 : -1.0;
      const ClpSimplex model = solver_->solved(c);
      c[j] = 0.0;
      if (model.status() == kUnbounded)
        throw Error(ErrorKind::data, where, "variable " + program_.name(j) + " may be as " + (end == 0 ? "small" : "large") + " as one likes: the constraints bound no polytope", "add a bound for it");
      if (model.status() != kSolved) throw Error(ErrorKind::data, where, "Clp ended with status " + std::to_string(model.status()) + " where it looked for the bounds of variable " + program_.name(j), "scale the rows to numbers of like size");
      ends[end] = model.primalColumnSolution()[j];
    }
    widths_[j] = std::max(ends[1] - ends[0], 0.0);
    square = std::max({square, std::abs(ends[0]), std::abs(ends[1])});
  }
  size_ = square > 0.0 ? square : 1.0;
}

void SimplexMethod::minimize(std::span<const double> c, std::span<double> x) {
  const ClpSimplex model = solver_->solved(c);
  if (model.status() != kSolved)
    throw Error(ErrorKind::numerical, "set", "Clp found no corner: it ended with status " + std::to_string(model.status()), "scale the rows of the program to numbers of like size");
  for (std::size_t j = 0; j < x.size(); ++j) x[j] = std::clamp(model.primalColumnSolution()[j], program_.low[j], program_.high[j]);
}

double SimplexMethod::outside(std::span<const double> x) const {
  const Program& p = program_;
  double worst = 0.0;
  for (std::size_t j = 0; j < x.size(); ++j) worst = std::max({worst, p.low[j] - x[j], x[j] - p.high[j]});
  for (std::size_t i = 0; i < p.rows(); ++i) {
    double sum = 0.0, length = 0.0;
    for (auto k = static_cast<std::size_t>(p.start[i]); k < static_cast<std::size_t>(p.start[i + 1]); ++k)
      sum += p.value[k] * x[static_cast<std::size_t>(p.column[k])], length += p.value[k] * p.value[k];
    if (length > 0.0) worst = std::max({worst, (p.least[i] - sum) / std::sqrt(length), (sum - p.most[i]) / std::sqrt(length)});
  }
  return worst / size_;
}

}  // namespace polytope

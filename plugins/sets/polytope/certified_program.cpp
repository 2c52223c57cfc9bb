// SPDX-License-Identifier: BSD-3-Clause
#include "certified_program.hpp"

#include <claros/error.hpp>
#include <claros/sdk/entries.hpp>

#include <coin/ClpSimplex.hpp>
#include <coin/CoinPackedMatrix.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace polytope {

using namespace claros;

namespace {

constexpr double kTolerance = 1e-9;      // of a constraint or a reduced cost
constexpr double kWidened = 1e-6;        // of a computed bound of a variable
constexpr long double kLargest = 1e10L;  // of a cost of a refinement, in units of the largest violation
constexpr int kSolved = 0, kNoPoint = 1, kUnbounded = 2;
double for_clp(double bound) { return std::isfinite(bound) ? bound : std::copysign(COIN_DBL_MAX, bound); }
std::vector<double> for_clp(std::vector<double> bounds) {
  for (double& bound : bounds) bound = for_clp(bound);
  return bounds;
}

}  // namespace

struct CertifiedProgram::Solver {
  ClpSimplex feasible;  ///< at a feasible basis
  /// The program with the rows' activities r as variables, A x - r = 0, so that they may have costs; empty
  /// until needed.
  std::optional<ClpSimplex> extended;

  void extend(const Program& p) {
    std::vector<int> rows, columns;
    std::vector<double> values = p.value;
    for (std::size_t i = 0; i < p.rows(); ++i)
      rows.insert(rows.end(), static_cast<std::size_t>(p.start[i + 1] - p.start[i]), static_cast<int>(i));
    for (const Index j : p.column) columns.push_back(static_cast<int>(j));
    for (std::size_t i = 0; i < p.rows(); ++i)
      rows.push_back(static_cast<int>(i)), columns.push_back(static_cast<int>(p.columns() + i)),
          values.push_back(-1.0);
    CoinPackedMatrix A(true, rows.data(), columns.data(), values.data(),
                       static_cast<CoinBigIndex>(values.size()));
    A.setDimensions(static_cast<int>(p.rows()), static_cast<int>(p.columns() + p.rows()));
    auto low = for_clp(p.low), high = for_clp(p.high);
    const auto least = for_clp(p.least), most = for_clp(p.most);
    low.insert(low.end(), least.begin(), least.end()), high.insert(high.end(), most.begin(), most.end());
    const std::vector<double> none(low.size(), 0.0), zero(p.rows(), 0.0);
    extended.emplace();
    extended->setLogLevel(0);
    extended->loadProblem(A, low.data(), high.data(), none.data(), zero.data(), zero.data());
    extended->setPrimalTolerance(kTolerance), extended->setDualTolerance(kTolerance);
  }

  /// Solves from the basis of `last`, with costs (d, y) / scale of (x, r), cut if they are far above the
  /// violations. Its multipliers are tried on the costs themselves, whatever they are.
  ClpSimplex refined(const Program& p, const Box* box, const ClpSimplex& last,
                     const std::vector<long double>& d, const std::vector<long double>& y,
                     long double scale) {
    if (!extended) extend(p);
    ClpSimplex model(*extended);
    model.setLogLevel(0);
    if (box) confine(model, *box);
    const auto n = static_cast<int>(p.columns()), m = static_cast<int>(p.rows());
    const bool whole = last.getNumCols() == n + m;
    const auto scaled = [scale](long double cost) {
      return static_cast<double>(std::clamp(cost / scale, -kLargest, kLargest));
    };
    for (int j = 0; j < n; ++j) {
      model.setObjectiveCoefficient(j, scaled(d[static_cast<std::size_t>(j)]));
      model.setColumnStatus(j, last.getColumnStatus(j));
    }
    for (int i = 0; i < m; ++i) {
      model.setObjectiveCoefficient(n + i, scaled(y[static_cast<std::size_t>(i)]));
      model.setColumnStatus(n + i, whole ? last.getColumnStatus(n + i) : of_activity(p, last, i));
      model.setRowStatus(i, whole ? last.getRowStatus(i) : ClpSimplex::isFixed);
    }
    model.primal();
    return model;
  }

  static ClpSimplex::Status of_activity(const Program& p, const ClpSimplex& last, int i) {
    if (last.getRowStatus(i) == ClpSimplex::basic) return ClpSimplex::basic;
    const double at = last.primalRowSolution()[i], least = p.least[static_cast<std::size_t>(i)],
                 most = p.most[static_cast<std::size_t>(i)];
    if (least == most) return ClpSimplex::isFixed;
    return std::abs(at - least) <= std::abs(at - most) ? ClpSimplex::atLowerBound : ClpSimplex::atUpperBound;
  }

  static void confine(ClpSimplex& model, const Box& box) {
    for (std::size_t j = 0; j < box.low.size(); ++j)
      model.setColumnBounds(static_cast<int>(j), for_clp(box.low[j]), for_clp(box.high[j]));
  }

  /// A copy at its feasible basis, with costs whose largest is 1. A box may make that basis infeasible.
  ClpSimplex solved(std::span<const double> c, const Box* box = nullptr) const {
    ClpSimplex model(feasible);
    model.setLogLevel(0);
    if (box) confine(model, *box);
    const double top = sdk::largest_magnitude(c);
    for (std::size_t j = 0; j < c.size(); ++j)
      model.setObjectiveCoefficient(static_cast<int>(j), top > 0.0 ? c[j] / top : 0.0);
    box ? model.dual() : model.primal();  // the dual method leaves a proof if there is no point
    return model;
  }
};

CertifiedProgram::CertifiedProgram(Program program, const std::string& where)
    : program_(std::move(program)), widths_(program_.columns()), solver_(std::make_unique<Solver>()) {
  const Program& p = program_;
  for (std::size_t j = 0; j < p.columns(); ++j)
    if (p.low[j] > p.high[j])
      throw Error(ErrorKind::data, where, "variable " + p.name(j) + " has a lower bound above its upper one",
                  "correct its bounds");
  std::vector<int> rows, columns;
  for (std::size_t i = 0; i < p.rows(); ++i)
    rows.insert(rows.end(), static_cast<std::size_t>(p.start[i + 1] - p.start[i]), static_cast<int>(i));
  for (const Index j : p.column) columns.push_back(static_cast<int>(j));
  CoinPackedMatrix A(true, rows.data(), columns.data(), p.value.data(),
                     static_cast<CoinBigIndex>(p.value.size()));
  A.setDimensions(static_cast<int>(p.rows()), static_cast<int>(p.columns()));
  const auto low = for_clp(p.low), high = for_clp(p.high), least = for_clp(p.least), most = for_clp(p.most);
  const std::vector<double> none(p.columns(), 0.0);
  ClpSimplex& model = solver_->feasible;
  model.setLogLevel(0);
  model.loadProblem(A, low.data(), high.data(), none.data(), least.data(), most.data());
  model.setPrimalTolerance(kTolerance), model.setDualTolerance(kTolerance);
  model.primal();
  if (model.status() == kNoPoint)
    throw Error(ErrorKind::data, where, "no point satisfies all constraints",
                "check for a bound or a right-hand side that contradicts the others");
  if (model.status() != kSolved)
    throw Error(ErrorKind::data, where,
                "no point that satisfies all constraints was found: Clp ended with status " +
                    std::to_string(model.status()),
                "scale the rows to numbers of like size");
  bound_all(where);
}
CertifiedProgram::~CertifiedProgram() = default;

/// A set with a linear oracle is bounded. For a variable whose bounds do not say so, the least and the
/// largest value are computed.
void CertifiedProgram::bound_all(const std::string& where) {
  std::vector<double> c(program_.columns(), 0.0);
  double square = 0.0;
  box_ = given_ = {program_.low, program_.high};
  for (std::size_t j = 0; j < c.size(); ++j) {
    double ends[2] = {program_.low[j], program_.high[j]};
    const bool few = c.size() <= 200;  // few enough to know the diameter better than from the bounds
    for (int end = 0; end < 2; ++end) {
      if (!few && std::isfinite(ends[0]) && std::isfinite(ends[1])) break;
      c[j] = end == 0 ? 1.0 : -1.0;
      const ClpSimplex model = solver_->solved(c);
      c[j] = 0.0;
      if (model.status() == kUnbounded)
        throw Error(ErrorKind::data, where,
                    "the constraints bound no polytope: variable " + program_.name(j) + " is unbounded " +
                        (end == 0 ? "below" : "above"),
                    "add a bound for it");
      if (model.status() != kSolved)
        throw Error(ErrorKind::data, where,
                    "Clp ended with status " + std::to_string(model.status()) +
                        " where it looked for the bounds of variable " + program_.name(j),
                    "scale the rows to numbers of like size");
      ends[end] = model.primalColumnSolution()[j];
    }
    widths_[j] = std::max(ends[1] - ends[0], 0.0);
    // Clp's own numbers, widened: they meet reduced costs at rounding only.
    const double slack = kWidened * (std::abs(ends[0]) + std::abs(ends[1]) + widths_[j]) + kTolerance;
    box_.low[j] = std::max(program_.low[j], ends[0] - slack);
    box_.high[j] = std::min(program_.high[j], ends[1] + slack);
    square = std::max({square, std::abs(ends[0]), std::abs(ends[1])});
  }
  size_ = square > 0.0 ? square : 1.0;
}

void CertifiedProgram::minimize(std::span<const double> c, std::span<double> x) {
  if (minimize(c, box_, x) != End::solved)
    throw Error(ErrorKind::numerical, "", "Clp found no corner",
                "scale the rows of the program to numbers of like size");
}

CertifiedProgram::End CertifiedProgram::minimize(std::span<const double> c, const Box& box,
                                                 std::span<double> x) {
  constexpr int kRounds = 4;
  constexpr double kSettled = 16.0 * std::numeric_limits<double>::epsilon(), kFinest = 1e-9;
  // The computed bounds are for proofs: Clp is given those of the program.
  const Box* confined = &box == &box_ ? nullptr : &box;
  const Box& within = confined ? box : given_;
  ClpSimplex model = solver_->solved(c, confined);
  if (model.status() == kNoPoint) {
    const std::unique_ptr<double[]> ray(model.infeasibilityRay());
    return is_empty(box, ray.get()) ? End::empty : End::unknown;
  }
  if (model.status() != kSolved) return End::unknown;
  const auto corner = [&](std::span<double> at) {
    for (std::size_t j = 0; j < at.size(); ++j)
      at[j] = std::clamp(model.primalColumnSolution()[j], within.low[j], within.high[j]);
  };
  corner(x);
  const double top = sdk::largest_magnitude(c);
  std::vector<long double> y(program_.rows()), d(c.size());
  for (std::size_t i = 0; i < y.size(); ++i)
    y[i] = static_cast<long double>(model.dualRowSolution()[i]) * top;
  bound_ = dual_bound(c, box, y, d);
  double magnitude = 0.0;
  for (std::size_t j = 0; j < c.size(); ++j) magnitude += std::abs(c[j] * x[j]);
  std::vector<double> next(x.size());
  double scale = top;
  for (int round = 0; round < kRounds && sdk::dot(c, x) - bound_ > kSettled * magnitude; ++round) {
    const double worst = violation(x, within, y, d);
    if (!(worst > 0.0)) break;
    scale = std::max(worst, kFinest * scale);
    model = solver_->refined(program_, confined, model, d, y, scale);
    if (model.status() != kSolved) break;
    corner(next);
    if (sdk::dot(c, next) < sdk::dot(c, x)) std::copy(next.begin(), next.end(), x.begin());
    for (std::size_t i = 0; i < y.size(); ++i)
      y[i] += static_cast<long double>(model.dualRowSolution()[i]) * scale;
    bound_ = std::max(bound_, dual_bound(c, box, y, d));
  }
  return End::solved;
}

/// True if costs 0 have a bound above 0 (Farkas).
bool CertifiedProgram::is_empty(const Box& box, const double* ray) const {
  if (!ray) return false;
  const std::vector<double> none(program_.columns(), 0.0);
  std::vector<long double> d(none.size());
  for (const double sign : {1.0, -1.0}) {
    std::vector<long double> y(ray, ray + program_.rows());
    for (long double& multiplier : y) multiplier *= sign;
    if (dual_bound(none, box, y, d) > 0.0) return true;
  }
  return false;
}

/// Multipliers of the wrong sign, where a row has no bound on that side, become 0. d <- c - A'y.
double CertifiedProgram::dual_bound(std::span<const double> c, const Box& box, std::vector<long double>& y,
                                    std::vector<long double>& d) const {
  constexpr long double kUnit = std::numeric_limits<long double>::epsilon();
  const Program& p = program_;
  std::vector<long double> size(c.size());
  for (std::size_t j = 0; j < c.size(); ++j) d[j] = c[j], size[j] = std::abs(d[j]);
  long double sum = 0.0L, magnitude = 0.0L, error = 0.0L;
  const auto add = [&](long double term) { sum += term, magnitude += std::abs(term); };
  for (std::size_t i = 0; i < p.rows(); ++i) {
    if (!std::isfinite(y[i] > 0.0L ? p.least[i] : p.most[i])) y[i] = 0.0L;
    if (y[i] == 0.0L) continue;
    add(y[i] * (y[i] > 0.0L ? p.least[i] : p.most[i]));
    for (auto k = static_cast<std::size_t>(p.start[i]); k < static_cast<std::size_t>(p.start[i + 1]); ++k) {
      const auto j = static_cast<std::size_t>(p.column[k]);
      const long double term = y[i] * p.value[k];
      d[j] -= term;
      size[j] += std::abs(term);
    }
  }
  const auto terms = static_cast<long double>(p.rows() + c.size() + 4);
  for (std::size_t j = 0; j < c.size(); ++j) {
    add(std::min(d[j] * box.low[j], d[j] * box.high[j]));
    error += terms * kUnit * size[j] * std::max(std::abs(box.low[j]), std::abs(box.high[j]));
  }
  const auto below = static_cast<double>(sum - error - terms * kUnit * magnitude);
  return std::nextafter(below, -std::numeric_limits<double>::infinity());
}

/// The largest reduced cost of the wrong sign, of x and of the activities of the rows. A quantity strictly
/// between its bounds has none of either sign.
double CertifiedProgram::violation(std::span<const double> x, const Box& box,
                                   const std::vector<long double>& y,
                                   const std::vector<long double>& d) const {
  const double slack = kTolerance * size_;
  long double worst = 0.0L;
  const auto look = [&](long double cost, double at, double low, double high) {
    if (cost > 0.0L && at > low + slack) worst = std::max(worst, cost);
    if (cost < 0.0L && at < high - slack) worst = std::max(worst, -cost);
  };
  for (std::size_t j = 0; j < x.size(); ++j) look(d[j], x[j], box.low[j], box.high[j]);
  const std::vector<double> r = activities(x);
  for (std::size_t i = 0; i < r.size(); ++i) look(y[i], r[i], program_.least[i], program_.most[i]);
  return static_cast<double>(worst);
}

std::vector<double> CertifiedProgram::activities(std::span<const double> x) const {
  const Program& p = program_;
  std::vector<double> r(p.rows(), 0.0);
  for (std::size_t i = 0; i < p.rows(); ++i)
    for (auto k = static_cast<std::size_t>(p.start[i]); k < static_cast<std::size_t>(p.start[i + 1]); ++k)
      r[i] += p.value[k] * x[static_cast<std::size_t>(p.column[k])];
  return r;
}

double CertifiedProgram::outside(std::span<const double> x) const {
  const Program& p = program_;
  double worst = 0.0;
  for (std::size_t j = 0; j < x.size(); ++j) worst = std::max({worst, p.low[j] - x[j], x[j] - p.high[j]});
  for (std::size_t i = 0; i < p.rows(); ++i) {
    double sum = 0.0, length = 0.0;
    for (auto k = static_cast<std::size_t>(p.start[i]); k < static_cast<std::size_t>(p.start[i + 1]); ++k) {
      sum += p.value[k] * x[static_cast<std::size_t>(p.column[k])];
      length += p.value[k] * p.value[k];
    }
    if (length > 0.0)
      worst =
          std::max({worst, (p.least[i] - sum) / std::sqrt(length), (sum - p.most[i]) / std::sqrt(length)});
  }
  return worst / size_;
}

}  // namespace polytope

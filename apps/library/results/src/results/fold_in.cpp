// SPDX-License-Identifier: BSD-3-Clause
#include <claros/element/parallel.hpp>
#include <claros/error.hpp>
#include <claros/parameters.hpp>
#include <claros/results/fold_in.hpp>

#include <claros/io/id_lookup.hpp>

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>
#include <utility>

namespace claros {

namespace {

using Eigen::MatrixXd, Eigen::VectorXd;

std::size_t size(Index k) { return static_cast<std::size_t>(k); }

/// F(p) = sum_e w_e psi(<p, q_e>, y_e) - (w0/2) sum_e <p, q_e>^2 + (1/2) p' H0 p
class Fit {
 public:
  Fit(const Loss& loss, MatrixXd common, double w0) : loss_(loss), common_(std::move(common)), w0_(w0) {}

  /// argmin F, for factors with a column an entry.
  VectorXd solve(const MatrixXd& q, std::span<const double> y, std::span<const double> w) const {
    const bool quadratic = loss_.constants().third == 0.0;
    VectorXd p = VectorXd::Zero(common_.rows()), z = VectorXd::Zero(q.cols());
    double f = value(p, z, y, w);
    for (int step = 0; step < kSteps; ++step) {
      const auto [direction, decrement] = newton(p, z, q, y, w);
      if (quadratic || !(decrement > kRounding * std::abs(f))) return p + direction;
      double t = 1.0, moved = 0.0;
      const VectorXd along = q.transpose() * direction;
      for (int half = 0; half < kHalvings; ++half, t *= 0.5) {
        moved = value(p + t * direction, z + t * along, y, w);
        if (moved <= f - kArmijo * t * decrement) break;
      }
      if (!(moved < f)) return p;
      p += t * direction;
      z += t * along;
      f = moved;
    }
    return p;
  }

 private:
  static constexpr int kSteps = 200, kHalvings = 50;
  static constexpr double kArmijo = 1e-4, kRounding = 1e-15;

  static std::span<double> span(VectorXd& v) { return {v.data(), size(v.size())}; }
  static std::span<const double> span(const VectorXd& v) { return {v.data(), size(v.size())}; }

  double value(const VectorXd& p, const VectorXd& z, std::span<const double> y,
               std::span<const double> w) const {
    return loss_.weighted_sum(span(z), y, w) - 0.5 * w0_ * z.squaredNorm() + 0.5 * p.dot(common_ * p);
  }
  /// d = -H^-1 F'(p) and -<F'(p), d>, with psi'' where it is above 0.
  std::pair<VectorXd, double> newton(const VectorXd& p, const VectorXd& z, const MatrixXd& q,
                                     std::span<const double> y, std::span<const double> w) const {
    VectorXd slope(z.size()), curvature(z.size());
    loss_.derivative(span(z), y, span(slope));
    loss_.second_derivative(span(z), y, span(curvature));
    for (Index e = 0; e < z.size(); ++e) {
      slope[e] = w[size(e)] * slope[e] - w0_ * z[e];
      curvature[e] = w[size(e)] * std::max(curvature[e], 0.0) - w0_;
    }
    const VectorXd gradient = common_ * p + q * slope;
    const MatrixXd hessian = common_ + q * curvature.asDiagonal() * q.transpose();
    VectorXd d = hessian.ldlt().solve(-gradient);
    if (!d.allFinite())
      throw Error(ErrorKind::numerical, "fold-in", "the equations of a new row have no finite solution",
                  "check that values and weights are of the size of the training data's");
    const double decrement = -gradient.dot(d);
    return {std::move(d), decrement};
  }

  const Loss& loss_;
  MatrixXd common_;  ///< H0
  double w0_;
};

/// Everything of the other side that a new row (column) needs.
class Folding {
 public:
  Folding(Solution& solution, Side side, const Loss& loss)
      : of_rows_(side == Side::rows),
        rule_(solution.training().folding),
        baseline_(solution.training().baseline),
        factors_(solution.factors(of_rows_ ? Side::cols : Side::rows)),
        rank_(solution.rank()),
        fit_(loss, common(), rule_.unobserved),
        bias_fit_(loss, MatrixXd::Constant(1, 1, bias_ridge(loss)), 0.0) {}

  bool has_biases() const { return baseline_.center == "biases"; }
  Index rank() const { return rank_; }

  /// Solves for entries at positions `at` of the other side: the factor, then the bias.
  std::pair<VectorXd, double> solve(std::span<const Index> at, std::vector<double> y,
                                    std::span<const double> w) const {
    const auto n = static_cast<Index>(at.size());
    for (std::size_t e = 0; e < y.size(); ++e)
      y[e] -= of_rows_ ? baseline_.at(-1, at[e]) : baseline_.at(at[e], -1);
    double bias = 0.0;
    if (has_biases() && n > 0) bias = bias_fit_.solve(MatrixXd::Ones(1, n), y, w)[0];
    for (double& value : y) value -= bias;
    MatrixXd q(rank_, n);
    for (Index e = 0; e < n; ++e) q.col(e) = column(at[size(e)]);
    return {n > 0 ? fit_.solve(q, y, w) : VectorXd::Zero(rank_), bias};
  }

 private:
  Eigen::Map<const VectorXd> column(Index j) const { return {factors_.data() + j * rank_, rank_}; }
  /// w0 Q'Q + ridge I. A ball that does not bind has no multiplier. Its ridge is then 1e-10 of what an entry
  /// of every column would add, so that a row of few entries has one solution.
  MatrixXd common() const {
    constexpr double kLeast = 1e-10;
    const auto columns = static_cast<Index>(factors_.size()) / std::max<Index>(rank_, 1);
    const Eigen::Map<const MatrixXd> q(factors_.data(), rank_, columns);
    const MatrixXd gram = q * q.transpose();
    const double ridge =
        std::max(rule_.ridge, kLeast * gram.trace() / static_cast<double>(std::max<Index>(rank_, 1)));
    return rule_.unobserved * gram + ridge * MatrixXd::Identity(rank_, rank_);
  }
  double bias_ridge(const Loss& loss) const {
    return loss.constants().smoothness.value_or(1.0) * (of_rows_ ? rule_.row_bias : rule_.col_bias);
  }

  bool of_rows_;
  FoldingRule rule_;
  const Baseline& baseline_;
  std::vector<double> factors_;
  Index rank_;
  Fit fit_, bias_fit_;
};

void require_foldable(const Solution& solution, const Ratings& entries, const std::string& where) {
  if (!(solution.training().folding.total_weight > 0.0))
    throw Error(ErrorKind::data, where,
                "the folder of the run lacks solution/folding.csv, by which rows and columns are added",
                "make the run again with this version");
  if (entries.row_ids.empty() || entries.col_ids.empty())
    throw Error(ErrorKind::data, where, "holds positions, and new rows and columns have ids",
                "give lines of row, column, value");
}

/// Entries by new id: positions of the other side, values, weights.
struct NewEntries {
  std::vector<Index> at;
  std::vector<double> y, w;
};

std::vector<NewEntries> by_id(const Ratings& entries, bool rows, const Ids& others, Index& unknown) {
  const IdLookup lookup(others);
  std::vector<Index> position;
  for (const std::string& id : rows ? entries.col_ids : entries.row_ids) position.push_back(lookup.find(id));
  std::vector<NewEntries> all((rows ? entries.row_ids : entries.col_ids).size());
  for (std::size_t e = 0; e < entries.value.size(); ++e) {
    const std::int32_t own = rows ? entries.row[e] : entries.col[e],
                       other = rows ? entries.col[e] : entries.row[e];
    const Index at = position[size(other)];
    if (!others.seen(at)) {
      ++unknown;
      continue;
    }
    NewEntries& of = all[size(own)];
    of.at.push_back(at), of.y.push_back(entries.value[e]);
    of.w.push_back(entries.weight.empty() ? 1.0 : entries.weight[e]);
  }
  return all;
}

}  // namespace

FoldedIn fold_in(Solution& solution, Side side, Ratings entries, const Loss& loss, const std::string& where) {
  constexpr Index kGrain = 64;
  require_foldable(solution, entries, where);
  const bool rows = side == Side::rows;
  const Training& training = solution.training();
  for (const double value : entries.value)
    if (!loss.accepts(value))
      throw Error(ErrorKind::data, where,
                  "has the value " + print_real(value) + "; the loss needs " + loss.targets(), "correct it");
  if (training.folding.confidence) see_counts(entries, *training.folding.confidence, where);
  FoldedIn folded;
  const std::vector<NewEntries> all =
      by_id(entries, rows, rows ? training.cols : training.rows, folded.unknown);
  const Folding folding(solution, side, loss);
  NewFactors made{rows ? entries.row_ids : entries.col_ids, {}, {}, {}};
  made.factors.resize(all.size() * size(folding.rank()));
  made.entries.resize(all.size());
  std::vector<double> biases(all.size());
  for_chunks(std::ssize(all), kGrain, [&](Index, Index first, Index last) {
    for (Index k = first; k < last; ++k) {
      const NewEntries& of = all[size(k)];
      const auto [factor, bias] = folding.solve(of.at, of.y, of.w);
      std::copy_n(factor.data(), factor.size(), made.factors.begin() + k * folding.rank());
      biases[size(k)] = bias;
      made.entries[size(k)] = std::ssize(of.at);
    }
  });
  if (folding.has_biases()) made.biases = std::move(biases);
  const Index before = (rows ? training.rows : training.cols).count;
  folded.positions = solution.put(side, made);
  folded.replaced = std::ranges::count_if(folded.positions, [&](Index at) { return at < before; });
  for (std::size_t k = 0; k < all.size(); ++k)
    if (all[k].at.empty()) folded.empty.push_back(made.names[k]);
  folded.entries = std::ssize(entries.value) - folded.unknown;
  return folded;
}

}  // namespace claros

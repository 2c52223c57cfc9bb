// SPDX-License-Identifier: BSD-3-Clause
#include "form.hpp"

#include <claros/error.hpp>
#include <claros/parameters.hpp>
#include <claros/random.hpp>
#include <claros/spectral/spectral.hpp>
#include <shared/losses/matrix_data.hpp>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/SparseCholesky>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace quadratic {

using namespace claros;

namespace {

constexpr double kUnit = std::numeric_limits<double>::epsilon();
/// Sides up to which all eigenvalues are computed, and up to which a dense Cholesky factor is tried.
constexpr Index kAllEigenvalues = 1000, kFactorised = 5000;

using Matrix = Eigen::Map<const Eigen::MatrixXd>;
using Sparse = Eigen::SparseMatrix<double>;

[[noreturn]] void fail_symmetry(Index i, Index j, double above, double below, const std::string& where) {
  throw Error(ErrorKind::data, where,
              "expected a symmetric matrix, found " + print_real(above) + " in row " + std::to_string(i + 1) +
                  ", column " + std::to_string(j + 1) + " and " + print_real(below) + " in its mirror image",
              "give (Q + Q')/2, which has the same x'Qx");
}
void require_square(Index rows, Index cols, const std::string& where) {
  if (rows != cols)
    throw Error(
        ErrorKind::data, where,
        "expected a square matrix, found " + std::to_string(rows) + " x " + std::to_string(cols),
        "say objective.form = factors for F of Q = F F', or samples for rows of which Q is the covariance");
}

/// Cholesky factors of Q - rounding I or, if that has none, of Q + rounding I. The `rounding` is the possible
/// error of the entries and of the factor, so a factor of the second proves only twice as much.
template <class HasFactor>
Spectrum of_factors(double rounding, const HasFactor& has_factor) {
  if (has_factor(-rounding)) return {true, 0.0, 0.0, {}};
  if (has_factor(rounding)) return {true, 0.0, 2.0 * rounding, {}};
  return {false, 0.0, 0.0, "Q is not positive semidefinite (its Cholesky factorisation fails)"};
}

class DenseForm final : public Form {
 public:
  explicit DenseForm(DenseTable q) : q_(std::move(q)), product_(q_.rows, q_.cols, q_.values) {}
  Index rows() const override { return q_.rows; }
  void apply(std::span<const double> x, std::span<double> y) const override { product_.apply(x, y); }
  double norm_bound() const override {
    const Matrix q = matrix();
    return std::min(q.norm(), q.cwiseAbs().colwise().sum().maxCoeff());
  }

  Spectrum spectrum() const override {
    const double rounding = static_cast<double>(rows()) * kUnit * norm_bound();
    if (rows() <= kAllEigenvalues) return of_eigenvalues(rounding);
    if (rows() > kFactorised)
      return {false, 0.0, 0.0, "Q is too large (" + std::to_string(rows()) + " rows) to factorise"};
    return of_factors(rounding, [&](double shift) {
      Eigen::MatrixXd shifted = matrix();
      shifted.diagonal().array() += shift;
      const Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>> factor(shifted);
      return factor.info() == Eigen::Success;
    });
  }

 private:
  Matrix matrix() const { return {q_.values.data(), rows(), rows()}; }
  Spectrum of_eigenvalues(double rounding) const {
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(matrix(), Eigen::EigenvaluesOnly);
    const double least = solver.eigenvalues().minCoeff();
    if (solver.info() == Eigen::Success && least >= -rounding)
      return {true, std::max(0.0, least - rounding), std::max(0.0, rounding - least), {}};
    return {false, 0.0, 0.0, "the smallest eigenvalue of Q is " + print_real(least)};
  }

  DenseTable q_;
  DenseOperator product_;
};

class SparseForm final : public Form {
 public:
  explicit SparseForm(Sparse q) : q_(std::move(q)) {}
  Index rows() const override { return q_.rows(); }
  void apply(std::span<const double> x, std::span<double> y) const override {
    Eigen::Map<Eigen::VectorXd>(y.data(), rows()) = q_ * Eigen::Map<const Eigen::VectorXd>(x.data(), rows());
  }
  double norm_bound() const override { return row_sums().maxCoeff(); }

  /// By Gershgorin's disks, else by a factor.
  Spectrum spectrum() const override {
    const Eigen::VectorXd diagonal = q_.diagonal();
    const double disks = (diagonal + diagonal.cwiseAbs() - row_sums()).minCoeff();
    if (disks >= 0.0) return {true, disks, 0.0, {}};
    return of_factors(static_cast<double>(rows()) * kUnit * norm_bound(), [&](double shift) {
      Sparse shifted = q_;
      for (Index j = 0; j < rows(); ++j) shifted.coeffRef(j, j) += shift;
      return Eigen::SimplicialLLT<Sparse>(shifted).info() == Eigen::Success;
    });
  }

 private:
  Eigen::VectorXd row_sums() const { return q_.cwiseAbs() * Eigen::VectorXd::Ones(rows()); }

  Sparse q_;
};

class FactorForm final : public Form {
 public:
  explicit FactorForm(DenseTable f) : f_(std::move(f)), product_(f_.rows, f_.cols, f_.values) {}
  Index rows() const override { return f_.rows; }
  void apply(std::span<const double> x, std::span<double> y) const override {
    std::vector<double> image(static_cast<std::size_t>(f_.cols));
    product_.apply_adjoint(x, image);
    product_.apply(image, y);
  }
  Spectrum spectrum() const override { return {true, 0.0, 0.0, {}}; }
  /// The trace.
  double norm_bound() const override {
    double squares = 0.0;
    for (const double value : f_.values) squares += value * value;
    return squares;
  }

 private:
  DenseTable f_;
  DenseOperator product_;
};

class DiagonalForm final : public Form {
 public:
  DiagonalForm(std::unique_ptr<Form> q, std::vector<double> d) : q_(std::move(q)), d_(std::move(d)) {}
  Index rows() const override { return static_cast<Index>(d_.size()); }
  void apply(std::span<const double> x, std::span<double> y) const override {
    if (q_)
      q_->apply(x, y);
    else
      std::ranges::fill(y, 0.0);
    for (std::size_t k = 0; k < d_.size(); ++k) y[k] += d_[k] * x[k];
  }
  Spectrum spectrum() const override {
    Spectrum spectrum = q_ ? q_->spectrum() : Spectrum{true, 0.0, 0.0, {}};
    const double least = *std::ranges::min_element(d_), sum = spectrum.least + least;
    if (!spectrum.semidefinite) return spectrum;
    if (sum < 0.0)
      return {false, 0.0, 0.0,
              "the diagonal has " + print_real(least) +
                  ", and Q without it no eigenvalue that is proved above that"};
    return {true, std::max(0.0, sum - spectrum.shift), std::max(0.0, spectrum.shift - sum), {}};
  }
  double norm_bound() const override {
    double most = 0.0;
    for (const double value : d_) most = std::max(most, std::abs(value));
    return most + (q_ ? q_->norm_bound() : 0.0);
  }

 private:
  std::unique_ptr<Form> q_;
  std::vector<double> d_;
};

}  // namespace

std::unique_ptr<Form> dense_form(DenseTable q, const std::string& where) {
  require_square(q.rows, q.cols, where);
  for (Index j = 0; j < q.cols; ++j)
    for (Index i = 0; i < j; ++i) {
      double& above = q.values[static_cast<std::size_t>(j * q.rows + i)];
      double& below = q.values[static_cast<std::size_t>(i * q.rows + j)];
      if (sdk::differ(above, below)) fail_symmetry(i, j, above, below, where);
      above = below = 0.5 * (above + below);
    }
  return std::make_unique<DenseForm>(std::move(q));
}

std::unique_ptr<Form> sparse_form(const Ratings& q, const std::string& where) {
  require_square(q.rows, q.cols, where);
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t e = 0; e < q.value.size(); ++e) entries.emplace_back(q.row[e], q.col[e], q.value[e]);
  Sparse matrix(q.rows, q.cols);
  matrix.setFromTriplets(entries.begin(), entries.end());
  const Sparse mirrored = matrix.transpose();
  for (Index j = 0; j < q.cols; ++j)
    for (Sparse::InnerIterator it(matrix, j); it; ++it)
      if (const double other = mirrored.coeff(it.row(), j); sdk::differ(it.value(), other))
        fail_symmetry(it.row(), j, it.value(), other, where);
  return std::make_unique<SparseForm>(std::move(matrix));
}

std::unique_ptr<Form> factor_form(DenseTable f) { return std::make_unique<FactorForm>(std::move(f)); }

std::unique_ptr<Form> with_diagonal(std::unique_ptr<Form> q, std::vector<double> d) {
  return std::make_unique<DiagonalForm>(std::move(q), std::move(d));
}

double largest_magnitude(const Form& q) {
  constexpr double kTolerance = 2e-2, kSafety = 1.0 + 2e-3;
  constexpr Index kProducts = 600;
  RandomStream stream(0, Purpose::confirmation);
  const LeadingPair pair =
      LanczosSolver().confirm(q, {.tolerance = kTolerance, .max_matvecs = kProducts}, stream);
  const double sure = q.norm_bound();
  return pair.converged ? std::min(sure, kSafety * pair.upper_estimate()) : sure;
}

}  // namespace quadratic

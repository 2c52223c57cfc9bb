// SPDX-License-Identifier: BSD-3-Clause
#include "bias_equations.hpp"

#include <claros/error.hpp>

#include <numeric>
#include <utility>

namespace matrix_completion {

using namespace claros;

namespace {

using Vector = std::vector<double>;

double dot(const Vector& u, const Vector& v) {
  return std::inner_product(u.begin(), u.end(), v.begin(), 0.0);
}
Vector quotient(Vector v, const Vector& by) {
  for (std::size_t j = 0; j < v.size(); ++j) v[j] /= by[j];
  return v;
}

class BiasEquations {
 public:
  BiasEquations(const Ratings& ratings, const Vector& r, const Vector& w, double lambda_b, double lambda_c)
      : ratings_(ratings),
        w_(w),
        row_weight_(size(ratings.rows), lambda_b),
        col_weight_(size(ratings.cols), lambda_c),
        row_sum_(size(ratings.rows), 0.0),
        col_sum_(size(ratings.cols), 0.0) {
    for (std::size_t e = 0; e < r.size(); ++e) {
      row_weight_[row(e)] += w[e];
      row_sum_[row(e)] += w[e] * r[e];
      col_weight_[col(e)] += w[e];
      col_sum_[col(e)] += w[e] * r[e];
    }
  }

  /// D_b^-1 (p_b - W c)
  Vector rows_given(const Vector& c) const {
    Vector b = row_sum_;
    for (std::size_t e = 0; e < w_.size(); ++e) b[row(e)] -= w_[e] * c[col(e)];
    for (std::size_t i = 0; i < b.size(); ++i) b[i] /= row_weight_[i];
    return b;
  }

  Vector solve() const {
    return conjugate_gradients(right_side(), col_weight_, [this](const Vector& d) { return times(d); });
  }

 private:
  static std::size_t size(Index n) { return at(n); }
  std::size_t row(std::size_t e) const { return size(ratings_.row[e]); }
  std::size_t col(std::size_t e) const { return size(ratings_.col[e]); }

  /// v - W' b
  Vector without(Vector v, const Vector& b) const {
    for (std::size_t e = 0; e < w_.size(); ++e) v[col(e)] -= w_[e] * b[row(e)];
    return v;
  }
  Vector right_side() const { return without(col_sum_, rows_given(Vector(col_sum_.size(), 0.0))); }
  /// D_c d - W' D_b^-1 W d
  Vector times(const Vector& d) const {
    Vector b(row_sum_.size(), 0.0), product(d);
    for (std::size_t e = 0; e < w_.size(); ++e) b[row(e)] += w_[e] * d[col(e)];
    for (std::size_t i = 0; i < b.size(); ++i) b[i] /= row_weight_[i];
    for (std::size_t j = 0; j < d.size(); ++j) product[j] *= col_weight_[j];
    return without(std::move(product), b);
  }

  const Ratings& ratings_;
  const Vector& w_;
  Vector row_weight_, col_weight_, row_sum_, col_sum_;  ///< D_b, D_c, p_b, p_c
};

}  // namespace

std::vector<double> conjugate_gradients(
    std::vector<double> right, const std::vector<double>& diagonal,
    const std::function<std::vector<double>(const std::vector<double>&)>& times) {
  constexpr int kSteps = 2000;
  Vector c(right.size(), 0.0), residual = std::move(right);
  Vector z = quotient(residual, diagonal), d = z;
  double rz = dot(residual, z);
  const double target = 1e-28 * rz;
  for (int step = 0; !(rz <= target); ++step) {  // a NaN is not a solution
    if (step == kSteps)
      throw Error(ErrorKind::numerical, "center",
                  "the biases were not found in " + std::to_string(kSteps) + " steps of conjugate gradients",
                  "give larger row_bias_regularization and col_bias_regularization");
    const Vector product = times(d);
    const double a = rz / dot(d, product);
    for (std::size_t j = 0; j < c.size(); ++j) c[j] += a * d[j], residual[j] -= a * product[j];
    z = quotient(residual, diagonal);
    const double next = dot(residual, z), beta = next / std::exchange(rz, next);
    for (std::size_t j = 0; j < d.size(); ++j) d[j] = z[j] + beta * d[j];
  }
  return c;
}

void solve_biases(const Ratings& ratings, const std::vector<double>& r, const std::vector<double>& w,
                  double lambda_b, double lambda_c, std::vector<double>& b, std::vector<double>& c) {
  const BiasEquations equations(ratings, r, w, lambda_b, lambda_c);
  c = equations.solve();
  b = equations.rows_given(c);
}

}  // namespace matrix_completion

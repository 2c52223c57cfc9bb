// SPDX-License-Identifier: BSD-3-Clause
#include <shared/maps/rank_one_kernels.hpp>

#include <armadillo>

#include <algorithm>
#include <cmath>

namespace claros::rank_one {

namespace {

arma::uword word(Index n) { return static_cast<arma::uword>(n); }

/// A view: Armadillo has no view of constant memory.
const arma::mat view(const double* values, Index rows, Index cols) {
  return {const_cast<double*>(values), word(rows), word(cols), false, true};
}
arma::mat view(double* values, Index rows, Index cols) {
  return {values, word(rows), word(cols), false, true};
}

/// z_i <- z_i + alpha <p_i, q_i>, for the columns of two arrays.
void add_column_products(double alpha, const double* p, const double* q, Index length, std::span<double> z) {
  for (double& value : z) {
    double sum = 0.0;
    for (Index k = 0; k < length; ++k) sum += p[k] * q[k];
    value += alpha * sum;
    p += length;
    q += length;
  }
}

/// The rows a_i sqrt(|c_i|) with c_i of one sign, column after column.
arma::mat weighted(const Rows& rows, std::span<const double> c, bool positive) {
  const auto chosen = [positive](double value) {
    return positive ? value > 0.0 : !(value >= 0.0);
  };  // NaN among the others
  arma::mat some(word(rows.rows), static_cast<arma::uword>(std::count_if(c.begin(), c.end(), chosen)));
  double* to = some.memptr();
  for (std::size_t i = 0; i < c.size(); ++i) {
    if (!chosen(c[i])) continue;
    const double root = std::sqrt(std::abs(c[i]));
    const double* a = rows.left + static_cast<Index>(i) * rows.rows;
    to = std::transform(a, a + rows.rows, to, [root](double value) { return root * value; });
  }
  return some;
}

}  // namespace

bool Point::are_few(const SparseForm& form, const Shape& shape) {
  return form.values.size() <= std::min(shape.rows, shape.cols);
}

Point::Point(const Element& x) : rest_(x.shape()) {
  Element folded(x);
  folded.fold();
  const bool pays_factored = folded.columns() * (x.shape().rows + x.shape().cols) <=
                             x.shape().size() + x.shape().rows + x.shape().cols;
  for (const Part& part : folded.parts()) {
    const auto* sparse = std::get_if<SparseForm>(&part.form);
    if (const auto* low = std::get_if<LowRankForm>(&part.form); low && pays_factored) {
      take(*low, part.weight);
    } else if (sparse && are_few(*sparse, x.shape())) {
      const auto values = sparse->values.view();
      for (std::size_t e = 0; e < values.size(); ++e)
        entries_.push_back({sparse->pattern->row()[e], sparse->pattern->col()[e], part.weight * values[e]});
    } else {
      rest_.append(part);
    }
  }
  if (rest_.is_zero()) return;
  const auto lone = [&] {
    return rest_.parts().size() == 1 ? std::get_if<DenseForm>(&rest_.parts().front().form) : nullptr;
  };
  if (!lone()) (void)rest_.dense_values();
  dense_ = lone()->values.view();
  dense_weight_ = rest_.parts().front().weight;
}

void Point::take(const LowRankForm& form, double weight) {
  for (std::size_t k = 0; k < form.weights.size(); ++k) {
    if (form.weights[k] == 0.0) continue;
    const auto u = form.store->left(static_cast<Index>(k)), v = form.store->right(static_cast<Index>(k));
    for (const double value : u) left_.push_back(weight * form.weights[k] * value);
    right_.insert(right_.end(), v.begin(), v.end());
    ++rank_;
  }
}

void Point::add_images(double alpha, const Rows& rows, std::span<double> z) const {
  if (rank_ > 0) add_low_rank(alpha, rows, z);
  if (!dense_.empty()) add_dense(alpha, rows, z);
  if (!entries_.empty()) add_entries(alpha, rows, z);
}

void Point::add_low_rank(double alpha, const Rows& rows, std::span<double> z) const {
  const arma::mat p = view(left_.data(), rows.rows, rank_).t() * view(rows.left, rows.rows, rows.count);
  const arma::mat q = view(right_.data(), rows.cols, rank_).t() * view(rows.right, rows.cols, rows.count);
  add_column_products(alpha, p.memptr(), q.memptr(), rank_, z);
}

void Point::add_dense(double alpha, const Rows& rows, std::span<double> z) const {
  const arma::mat p = view(dense_.data(), rows.rows, rows.cols).t() * view(rows.left, rows.rows, rows.count);
  add_column_products(alpha * dense_weight_, p.memptr(), rows.right, rows.cols, z);
}

void Point::add_entries(double alpha, const Rows& rows, std::span<double> z) const {
  for (std::size_t i = 0; i < z.size(); ++i) {
    const double *a = rows.left + static_cast<Index>(i) * rows.rows,
                 *b = rows.right + static_cast<Index>(i) * rows.cols;
    double sum = 0.0;
    for (const Entry& entry : entries_) sum += entry.value * a[entry.row] * b[entry.col];
    z[i] += alpha * sum;
  }
}

void add_adjoint(const Rows& rows, std::span<const double> c, double* g) {
  arma::mat sum = view(g, rows.rows, rows.cols);
  if (rows.is_symmetric()) {  // half of the work, in a part of either sign
    const arma::mat positive = weighted(rows, c, true), others = weighted(rows, c, false);
    if (!positive.empty()) sum += positive * positive.t();
    if (!others.empty()) sum -= others * others.t();
    return;
  }
  arma::mat scaled(word(rows.rows), word(rows.count));
  for (std::size_t i = 0; i < c.size(); ++i) {
    const double* a = rows.left + static_cast<Index>(i) * rows.rows;
    std::transform(a, a + rows.rows, scaled.colptr(i), [w = c[i]](double value) { return w * value; });
  }
  sum += scaled * view(rows.right, rows.cols, rows.count).t();
}

void add_products(const Rows& rows, std::span<const double> c, std::span<const double> x, Index count,
                  double* y) {
  arma::mat image = view(rows.right, rows.cols, rows.count).t() * view(x.data(), rows.cols, count);
  for (arma::uword k = 0; k < image.n_cols; ++k)
    for (std::size_t i = 0; i < c.size(); ++i) image(i, k) *= c[i];
  arma::mat sum = view(y, rows.rows, count);
  sum += view(rows.left, rows.rows, rows.count) * image;
}

}  // namespace claros::rank_one

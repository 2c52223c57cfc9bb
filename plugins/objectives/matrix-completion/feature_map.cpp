// SPDX-License-Identifier: BSD-3-Clause
#include "feature_map.hpp"

#include <claros/map/element_operator.hpp>

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace matrix_completion {

using namespace claros;

namespace {

/// A' G B by its products.
class Gradient final : public LinearOperator {
 public:
  Gradient(Element g, std::shared_ptr<const Sides> sides) : g_(g), sides_(std::move(sides)) {}
  Index rows() const override { return sides_->rows.width; }
  Index cols() const override { return sides_->cols.width; }
  void apply(std::span<const double> x, std::span<double> y) const override {
    std::vector<double> of_cols(at(g_.cols())), of_rows(at(g_.rows()));
    sides_->cols.apply(x, of_cols), g_.apply(of_cols, of_rows), sides_->rows.apply_adjoint(of_rows, y);
  }
  void apply_adjoint(std::span<const double> y, std::span<double> x) const override {
    std::vector<double> of_cols(at(g_.cols())), of_rows(at(g_.rows()));
    sides_->rows.apply(y, of_rows), g_.apply_adjoint(of_rows, of_cols),
        sides_->cols.apply_adjoint(of_cols, x);
  }

 private:
  ElementOperator g_;
  std::shared_ptr<const Sides> sides_;
};

/// A' G B as an array, row by row of G.
Element expanded(const SparseForm& g, const Sides& sides) {
  const Features &A = sides.rows, &B = sides.cols;
  const auto values = g.values.view();
  std::vector<double> made(at(A.width * B.width), 0.0), row(at(B.width), 0.0);
  std::vector<std::int32_t> touched;
  for (Index i = 0; i < g.pattern->rows(); ++i) {
    for (Index e = g.pattern->row_start()[at(i)]; e < g.pattern->row_start()[at(i) + 1]; ++e) {
      const std::int32_t j = g.pattern->col()[at(e)];
      for (Index h = B.start[at(j)]; h < B.start[at(j) + 1]; ++h) {
        row[at(B.column[at(h)])] += values[at(e)] * B.value[at(h)];
        touched.push_back(B.column[at(h)]);
      }
    }
    std::ranges::sort(touched);
    touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
    for (const std::int32_t c : touched) {
      for (Index f = A.start[at(i)]; f < A.start[at(i) + 1]; ++f)
        made[at(A.column[at(f)]) + at(c) * at(A.width)] += A.value[at(f)] * row[at(c)];
      row[at(c)] = 0.0;
    }
    touched.clear();
  }
  return Element::dense(sides.inner(), std::move(made));
}

/// M in factors.
Element in_factors(const Element& m) {
  if (only_low_rank(m)) return m;
  const Index p = m.shape().rows, q = m.shape().cols;
  const std::vector<double> values = m.to_dense();
  const Index count = std::min(p, q);
  auto store = std::make_shared<FactorStore>(p, q);
  std::vector<double> left(at(p)), right(at(q));
  for (Index k = 0; k < count; ++k) {
    std::ranges::fill(q <= p ? right : left, 0.0);
    (q <= p ? right : left)[at(k)] = 1.0;
    if (q <= p) std::copy_n(values.begin() + k * p, p, left.begin());
    for (Index j = 0; j < q && q > p; ++j) right[at(j)] = values[at(j * p + k)];
    store->append(left, right);
  }
  return Element::low_rank(std::move(store), std::vector<double>(at(count), 1.0));
}

Element folded_factors(const Element& m) {
  Element folded(m);
  folded.fold();
  return in_factors(folded);
}

/// <a_i, x>
double product(const Features& a, Index i, std::span<const double> x) {
  double sum = 0.0;
  for (Index e = a.start[at(i)]; e < a.start[at(i) + 1]; ++e) sum += a.value[at(e)] * x[at(a.column[at(e)])];
  return sum;
}

}  // namespace

Element Sides::outer(const Element& m) const {
  const Shape shape = Shape::matrix(rows.rows(), cols.rows());
  if (m.is_zero()) return Element(shape);
  const Element factors = folded_factors(m);
  const LowRankForm& form = *only_low_rank(factors);
  std::vector<double> left(at(rows.rows())), right(at(cols.rows())), weights;
  auto store = std::make_shared<FactorStore>(shape.rows, shape.cols);
  for (std::size_t k = 0; k < form.weights.size(); ++k) {
    if (form.weights[k] == 0.0) continue;
    rows.apply(form.store->left(static_cast<Index>(k)), left);
    cols.apply(form.store->right(static_cast<Index>(k)), right);
    store->append(left, right);
    weights.push_back(factors.parts().front().weight * form.weights[k]);
  }
  return Element::low_rank(std::move(store), std::move(weights));
}

FeatureMap::FeatureMap(std::shared_ptr<const Pattern> pattern, std::shared_ptr<const Sides> sides)
    : sampling_(std::move(pattern)), sides_(std::move(sides)) {}

void FeatureMap::apply(double alpha, const Element& m, double beta, std::span<double> z) const {
  sampling_.apply(alpha, sides_->outer(m), beta, z);
}

void FeatureMap::dot(std::span<const Index> rows, const Element& m, std::span<double> out) const {
  std::ranges::fill(out, 0.0);
  if (m.is_zero()) return;
  const Element factors = folded_factors(m);
  const LowRankForm& form = *only_low_rank(factors);
  const Pattern& entries = *sampling_.pattern();
  for (std::size_t k = 0; k < form.weights.size(); ++k) {
    const double weight = factors.parts().front().weight * form.weights[k];
    const auto left = form.store->left(static_cast<Index>(k)),
               right = form.store->right(static_cast<Index>(k));
    for (std::size_t r = 0; r < rows.size(); ++r)
      out[r] += weight * product(sides_->rows, entries.row()[at(rows[r])], left) *
                product(sides_->cols, entries.col()[at(rows[r])], right);
  }
}

void FeatureMap::fold(double a, const AdjointForm& c, Element& g) const {
  constexpr Index kArray = 8;  // numbers of the array for one of G, A and B
  Element sparse(sampling_.domain());
  sampling_.fold(1.0, c, sparse);
  const auto numbers =
      static_cast<Index>(size()) + std::ssize(sides_->rows.value) + std::ssize(sides_->cols.value);
  if (sides_->rows.width <= kArray * numbers / sides_->cols.width)
    g.add(a, expanded(std::get<SparseForm>(sparse.parts().front().form), *sides_));
  else
    g.add(a, Element::from_operator(std::make_shared<Gradient>(std::move(sparse), sides_)));
}

bool FeatureMap::cheap(const Element& d) const { return only_low_rank(d) != nullptr; }

std::vector<double> FeatureMap::squared_norms() const {
  const std::vector<double> a = sides_->rows.squared_norms(), b = sides_->cols.squared_norms();
  std::vector<double> norms(at(size()));
  const Pattern& entries = *sampling_.pattern();
  for (std::size_t e = 0; e < norms.size(); ++e) norms[e] = a[at(entries.row()[e])] * b[at(entries.col()[e])];
  return norms;
}

double FeatureMap::largest_eigenvalue() const {
  if (eigenvalue_) return *eigenvalue_;
  const std::vector<double> norms = squared_norms();
  const double trace = std::accumulate(norms.begin(), norms.end(), 0.0);
  const double product = sides_->rows.norm_bound() * sides_->cols.norm_bound();
  return *(eigenvalue_ = std::min(trace, product * product));
}

}  // namespace matrix_completion

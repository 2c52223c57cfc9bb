// SPDX-License-Identifier: BSD-3-Clause
#include "element/forms.hpp"

#include <claros/element/gemm.hpp>
#include <claros/element/sparse_kernels.hpp>
#include "element/low_rank_kernels.hpp"

#include <claros/error.hpp>
#include <claros/map/spread_operator.hpp>

#include <Eigen/Core>

#include <cmath>

namespace claros::forms {

namespace {

using Vector = Eigen::Map<Eigen::VectorXd>;
using ConstVector = Eigen::Map<const Eigen::VectorXd>;
using ConstMatrix = Eigen::Map<const Eigen::MatrixXd>;

template <class... F>
struct Overload : F... {
  using F::operator()...;
};
template <class... Calls>
Overload(Calls...) -> Overload<Calls...>;

ConstVector as_vector(std::span<const double> v) { return {v.data(), static_cast<Index>(v.size())}; }
Vector as_vector(std::span<double> v) { return {v.data(), static_cast<Index>(v.size())}; }
ConstMatrix as_matrix(const DenseForm& f, const Shape& s) { return {f.values.view().data(), s.rows, s.cols}; }

[[noreturn]] void unfolded() {
  throw Error(ErrorKind::usage, "element", "an adjoint part must be folded first");
}

std::vector<double> expand(const Form& form, const Shape& shape) {
  std::vector<double> D(static_cast<std::size_t>(shape.size()), 0.0);
  add_to_dense(1.0, form, shape, D);
  return D;
}

/// The columns of nonzero weight, one after the other: where they stand so, or gathered.
class ColumnBlock {
 public:
  ColumnBlock(const LowRankForm& f, bool left) {
    const std::vector<Index> active = low_rank::active(f);
    count_ = static_cast<Index>(active.size());
    const Index length = left ? f.store->rows() : f.store->cols();
    if (count_ == 0) return;
    const auto column_of = [&](Index k) -> const FactorStore::Column& {
      const FactorStore::Pair& pair = f.store->pairs()[static_cast<std::size_t>(k)];
      return left ? pair.left : pair.right;
    };
    const FactorStore::Column& first = column_of(active.front());
    bool in_order = true;
    for (Index k = 0; k < count_ && in_order; ++k) {
      const FactorStore::Column& column = column_of(active[static_cast<std::size_t>(k)]);
      in_order = column.array.same_array(first.array) && column.offset == first.offset + k * length;
    }
    data_ = left ? f.store->left(active.front()).data() : f.store->right(active.front()).data();
    if (in_order) return;
    gathered_.reserve(static_cast<std::size_t>(length * count_));
    for (const Index k : active) {
      const auto column = left ? f.store->left(k) : f.store->right(k);
      gathered_.insert(gathered_.end(), column.begin(), column.end());
    }
    data_ = gathered_.data();
  }
  ColumnBlock(const ColumnBlock&) = delete;
  ColumnBlock& operator=(const ColumnBlock&) = delete;
  const double* data() const { return data_; }
  Index count() const { return count_; }

 private:
  std::vector<double> gathered_;
  const double* data_ = nullptr;
  Index count_ = 0;
};

/// D += w U diag(weights) V'.
void add_low_rank(double w, const LowRankForm& f, std::span<double> D) {
  const ColumnBlock left(f, true), right(f, false);
  const Index m = f.store->rows(), n = f.store->cols(), r = left.count();
  Eigen::MatrixXd weighted = ConstMatrix(left.data(), m, r);
  Index column = 0;
  for (const double weight : f.weights)
    if (weight != 0.0) weighted.col(column++) *= weight;
  // Not by the BLAS, whose threads would change the bits of numbers written to files.
  Eigen::Map<Eigen::MatrixXd>(D.data(), m, n).noalias() +=
      w * weighted * ConstMatrix(right.data(), n, r).transpose();
}

}  // namespace

void add_to_dense(double w, const Form& form, const Shape& shape, std::span<double> D) {
  std::visit(Overload{
                 [&](const DenseForm& f) { as_vector(D) += w * as_vector(f.values.view()); },
                 [&](const SparseForm& f) {
                   const auto values = f.values.view();
                   const auto row = f.pattern->row(), col = f.pattern->col();
                   for (std::size_t e = 0; e < values.size(); ++e)
                     D[static_cast<std::size_t>(col[e] * shape.rows + row[e])] += w * values[e];
                 },
                 [&](const LowRankForm& f) { add_low_rank(w, f, D); },
                 [&](const AdjointForm&) { unfolded(); },
                 [&](const OperatorForm& f) {
                   std::vector<double> entries(D.size());
                   f.op->entries(entries);
                   as_vector(D) += w * as_vector(std::span<const double>(entries));
                 },
             },
             form);
}

void add_product(double w, const Form& form, const Shape& shape, std::span<const double> x,
                 std::span<double> y) {
  std::visit(
      Overload{
          [&](const DenseForm& f) { as_vector(y).noalias() += w * (as_matrix(f, shape) * as_vector(x)); },
          [&](const SparseForm& f) { sparse::add_product(w, *f.pattern, f.values.view(), x, y); },
          [&](const LowRankForm& f) {
            for (std::size_t k = 0; k < f.weights.size(); ++k) {
              if (f.weights[k] == 0.0) continue;
              const double c =
                  w * f.weights[k] * as_vector(f.store->right(static_cast<Index>(k))).dot(as_vector(x));
              as_vector(y) += c * as_vector(f.store->left(static_cast<Index>(k)));
            }
          },
          [&](const AdjointForm&) { unfolded(); },
          [&](const OperatorForm& f) {
            std::vector<double> product(y.size());
            f.op->apply(x, product);
            as_vector(y) += w * as_vector(std::span<const double>(product));
          },
      },
      form);
}

void add_adjoint_product(double w, const Form& form, const Shape& shape, std::span<const double> y,
                         std::span<double> x) {
  std::visit(
      Overload{
          [&](const DenseForm& f) {
            as_vector(x).noalias() += w * (as_matrix(f, shape).transpose() * as_vector(y));
          },
          [&](const SparseForm& f) { sparse::add_adjoint_product(w, *f.pattern, f.values.view(), y, x); },
          [&](const LowRankForm& f) {
            for (std::size_t k = 0; k < f.weights.size(); ++k) {
              if (f.weights[k] == 0.0) continue;
              const double c =
                  w * f.weights[k] * as_vector(f.store->left(static_cast<Index>(k))).dot(as_vector(y));
              as_vector(x) += c * as_vector(f.store->right(static_cast<Index>(k)));
            }
          },
          [&](const AdjointForm&) { unfolded(); },
          [&](const OperatorForm& f) {
            std::vector<double> product(x.size());
            f.op->apply_adjoint(y, product);
            as_vector(x) += w * as_vector(std::span<const double>(product));
          },
      },
      form);
}

namespace {

/// To += w A diag(weights) B' From, the columns of A as long as To's.
void add_low_rank_block(double w, const LowRankForm& f, bool adjoint, std::span<const double> from,
                        Index count, std::span<double> to) {
  const ColumnBlock inner(f, adjoint), outer(f, !adjoint);
  const Index r = inner.count(), in = adjoint ? f.store->rows() : f.store->cols(),
              out = adjoint ? f.store->cols() : f.store->rows();
  Eigen::MatrixXd small(r, count);
  kernels::multiply(1.0, {inner.data(), r, in, true}, {from.data(), in, count}, 0.0, small.data());
  Index row = 0;
  for (const double weight : f.weights)
    if (weight != 0.0) small.row(row++) *= weight;
  kernels::multiply(w, {outer.data(), out, r}, {small.data(), r, count}, 1.0, to.data());
}

template <class Product>
void add_columns(double w, Index in, Index out, std::span<const double> from, Index count,
                 std::span<double> to, Product product) {
  std::vector<double> image(static_cast<std::size_t>(out * count));
  product(from.first(static_cast<std::size_t>(in * count)), image);
  as_vector(to) += w * as_vector(std::span<const double>(image));
}

}  // namespace

void add_block_product(double w, const Form& form, const Shape& shape, std::span<const double> X, Index count,
                       std::span<double> Y) {
  std::visit(Overload{
                 [&](const DenseForm& f) {
                   kernels::multiply(w, {f.values.view().data(), shape.rows, shape.cols},
                                     {X.data(), shape.cols, count}, 1.0, Y.data());
                 },
                 [&](const SparseForm& f) {
                   sparse::add_block_product(w, *f.pattern, f.values.view(), X, count, Y);
                 },
                 [&](const LowRankForm& f) { add_low_rank_block(w, f, false, X, count, Y); },
                 [&](const AdjointForm&) { unfolded(); },
                 [&](const OperatorForm& f) {
                   add_columns(w, shape.cols, shape.rows, X, count, Y,
                               [&](auto from, auto& to) { f.op->apply_block(from, count, to); });
                 },
             },
             form);
}

void add_adjoint_block_product(double w, const Form& form, const Shape& shape, std::span<const double> Y,
                               Index count, std::span<double> X) {
  std::visit(Overload{
                 [&](const DenseForm& f) {
                   kernels::multiply(w, {f.values.view().data(), shape.cols, shape.rows, true},
                                     {Y.data(), shape.rows, count}, 1.0, X.data());
                 },
                 [&](const SparseForm& f) {
                   sparse::add_adjoint_block_product(w, *f.pattern, f.values.view(), Y, count, X);
                 },
                 [&](const LowRankForm& f) { add_low_rank_block(w, f, true, Y, count, X); },
                 [&](const AdjointForm&) { unfolded(); },
                 [&](const OperatorForm& f) {
                   add_columns(w, shape.rows, shape.cols, Y, count, X,
                               [&](auto from, auto& to) { f.op->apply_adjoint_block(from, count, to); });
                 },
             },
             form);
}

namespace {

/// out_k += w F(row(k), col(k)) for k < out.size(), for the forms whose entries can be read one by one.
template <class Position>
void add_entries(double w, const Form& form, const Shape& shape, Position position, std::span<double> out) {
  std::visit(Overload{
                 [&](const DenseForm& f) {
                   const auto values = f.values.view();
                   for (std::size_t k = 0; k < out.size(); ++k) {
                     const auto [i, j] = position(k);
                     out[k] += w * values[static_cast<std::size_t>(j * shape.rows + i)];
                   }
                 },
                 [&](const SparseForm& f) {
                   const auto values = f.values.view();
                   for (std::size_t k = 0; k < out.size(); ++k) {
                     const auto [i, j] = position(k);
                     if (const Index e = f.pattern->find(i, j); e >= 0)
                       out[k] += w * values[static_cast<std::size_t>(e)];
                   }
                 },
                 [&](const LowRankForm& f) { low_rank::add_entries(w, f, position, out); },
                 [&](const AdjointForm&) { unfolded(); },
                 [&](const OperatorForm&) {
                   const std::vector<double> D = expand(form, shape);
                   for (std::size_t k = 0; k < out.size(); ++k) {
                     const auto [i, j] = position(k);
                     out[k] += w * D[static_cast<std::size_t>(j * shape.rows + i)];
                   }
                 },
             },
             form);
}

}  // namespace

void add_samples(double w, const Form& form, const Shape& shape, const Pattern& pattern,
                 std::span<double> out) {
  if (const auto* f = std::get_if<LowRankForm>(&form)) return low_rank::add_pattern(w, *f, pattern, 1.0, out);
  if (const auto* f = std::get_if<SparseForm>(&form); f && f->pattern.get() == &pattern) {
    as_vector(out) += w * as_vector(f->values.view());
    return;
  }
  const auto row = pattern.row(), col = pattern.col();
  add_entries(
      w, form, shape, [&](std::size_t e) { return std::pair<Index, Index>(row[e], col[e]); }, out);
}

void add_samples(double w, const Form& form, const Shape& shape, const Pattern& pattern,
                 std::span<const Index> entries, std::span<double> out) {
  if (const auto* f = std::get_if<SparseForm>(&form); f && f->pattern.get() == &pattern) {
    const auto values = f->values.view();
    for (std::size_t k = 0; k < entries.size(); ++k)
      out[k] += w * values[static_cast<std::size_t>(entries[k])];
    return;
  }
  const auto row = pattern.row(), col = pattern.col();
  add_entries(
      w, form, shape,
      [&](std::size_t k) {
        const auto e = static_cast<std::size_t>(entries[k]);
        return std::pair<Index, Index>(row[e], col[e]);
      },
      out);
}

namespace {

/// sum_kl a_k b_l <u_k, p_l> <v_k, q_l>.
double low_rank_inner(const LowRankForm& f, const LowRankForm& g, double& size) {
  const auto gram = [&](bool left) {
    const ColumnBlock of_f(f, left), of_g(g, left);
    const Index length = left ? f.store->rows() : f.store->cols();
    Eigen::MatrixXd products(of_f.count(), of_g.count());
    kernels::multiply(1.0, {of_f.data(), of_f.count(), length, true}, {of_g.data(), length, of_g.count()},
                      0.0, products.data());
    return products;
  };
  const Eigen::MatrixXd left = gram(true), right = gram(false);
  const auto of_f = low_rank::active(f), of_g = low_rank::active(g);
  double sum = 0.0;
  size = 0.0;
  for (std::size_t l = 0; l < of_g.size(); ++l)
    for (std::size_t k = 0; k < of_f.size(); ++k) {
      const double term = f.weights[static_cast<std::size_t>(of_f[k])] *
                          g.weights[static_cast<std::size_t>(of_g[l])] *
                          left(static_cast<Index>(k), static_cast<Index>(l)) *
                          right(static_cast<Index>(k), static_cast<Index>(l));
      sum += term;
      size += std::abs(term);
    }
  return sum;
}

double uncancelled_inner(const Form& f, const Form& g, const Shape& shape) {
  const auto dot = [](const Buffer& a, const Buffer& b) {
    return as_vector(a.view()).dot(as_vector(b.view()));
  };
  if (const auto* a = std::get_if<DenseForm>(&f), *b = std::get_if<DenseForm>(&g); a && b)
    return dot(a->values, b->values);
  if (const auto* a = std::get_if<SparseForm>(&f), *b = std::get_if<SparseForm>(&g);
      a && b && a->pattern == b->pattern)
    return dot(a->values, b->values);
  if (const auto* sparse = std::get_if<SparseForm>(&f)) {
    std::vector<double> samples(static_cast<std::size_t>(sparse->pattern->entries()), 0.0);
    add_samples(1.0, g, shape, *sparse->pattern, samples);
    return as_vector(std::span<const double>(samples)).dot(as_vector(sparse->values.view()));
  }
  const auto* spread = spread_operator(g);
  if (const auto* low = std::get_if<LowRankForm>(&f)) {
    if (spread) return spread->inner(*low);
    double sum = 0.0;
    std::vector<double> product(static_cast<std::size_t>(shape.rows));
    for (std::size_t k = 0; k < low->weights.size(); ++k) {
      if (low->weights[k] == 0.0) continue;
      std::fill(product.begin(), product.end(), 0.0);
      add_product(1.0, g, shape, low->store->right(static_cast<Index>(k)), product);
      sum +=
          low->weights[k] *
          as_vector(std::span<const double>(product)).dot(as_vector(low->store->left(static_cast<Index>(k))));
    }
    return sum;
  }
  if (std::holds_alternative<SparseForm>(g) || std::holds_alternative<LowRankForm>(g))
    return uncancelled_inner(g, f, shape);
  if (const auto* a = std::get_if<OperatorForm>(&f); a && spread && a->op.get() == spread)
    return spread->squared_norm();
  const std::vector<double> F = expand(f, shape), G = expand(g, shape);
  return as_vector(std::span<const double>(F)).dot(as_vector(std::span<const double>(G)));
}

}  // namespace

double inner(const Form& f, const Form& g, const Shape& shape, double& size) {
  if (std::holds_alternative<LowRankForm>(f) && std::holds_alternative<LowRankForm>(g))
    return low_rank_inner(std::get<LowRankForm>(f), std::get<LowRankForm>(g), size);
  const double product = uncancelled_inner(f, g, shape);
  size = std::abs(product);
  return product;
}

}  // namespace claros::forms

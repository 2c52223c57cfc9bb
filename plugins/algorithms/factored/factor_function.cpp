// SPDX-License-Identifier: BSD-3-Clause
#include "factor_function.hpp"

#include <claros/map/element_operator.hpp>
#include <claros/sdk/entries.hpp>
#include <shared/entries_read.hpp>

#include <algorithm>
#include <cmath>
#include <memory>

using namespace claros;

namespace {

constexpr double kOnBoundary = 1e-12, kBeyond = 1e-9;  // of the size of the set

using Numbers = std::vector<double>;

double square(std::span<const double> w) { return sdk::dot(w, w); }
Buffer copied(std::span<const double> values) { return Buffer({values.begin(), values.end()}); }

}  // namespace

/// U, V and s within w; V is U if X is symmetric.
struct FactorFunction::Blocks {
  std::span<const double> left, right, slack;
};

FactorFunction::Blocks FactorFunction::blocks(std::span<const double> w) const {
  const auto m = static_cast<std::size_t>(rows_ * rank_), n = static_cast<std::size_t>(cols_ * rank_);
  return {w.first(m), form_.symmetric ? w.first(m) : w.subspan(m, n),
          w.last(static_cast<std::size_t>(slack_))};
}

void FactorFunction::start(const Problem& problem, const sdk::SpectralSum::Form& form) {
  f_ = problem.objective;
  terms_ = query<TermCoefficients>(*f_);
  curvature_ = query<Curvature>(*f_);
  is_set_ = problem.set != nullptr;
  form_ = form;
  rows_ = f_->shape().rows;
  cols_ = f_->shape().cols;
  rank_ = slack_ = 0;
  entries_ = terms_ && curvature_ && !terms_->has_common_gradient() && sdk::entries_read(*f_);
}

/// X = scale U V'.
double FactorFunction::scale(std::span<const double> w) const {
  return is_set_ ? (form_.symmetric ? 1.0 : 2.0) * form_.size / square(w) : 1.0;
}

/// Empty for points that are not sums of positive multiples of column pairs, and for sums longer than the
/// set.
std::vector<double> FactorFunction::factors(const Element& X) {
  rank_ = slack_ = 0;
  const LowRankForm* low = only_low_rank(X);
  if (!low) return {};
  std::vector<double> left, right;
  double sum = 0.0;
  for (std::size_t k = 0; k < low->weights.size(); ++k) {
    const double weight = X.parts().front().weight * low->weights[k];
    const auto u = low->store->left(static_cast<Index>(k)), v = low->store->right(static_cast<Index>(k));
    const double length = std::sqrt(square(u) * square(v));
    if (weight * length == 0.0) continue;
    if (!(weight > 0.0) || (form_.symmetric && !std::ranges::equal(u, v))) return {};
    sum += weight * length;
    const double a = std::sqrt(weight * length / square(u)), b = std::sqrt(weight * length / square(v));
    std::ranges::transform(u, std::back_inserter(left), [a](double x) { return a * x; });
    if (!form_.symmetric)
      std::ranges::transform(v, std::back_inserter(right), [b](double x) { return b * x; });
    ++rank_;
  }
  const double room = form_.size - sum;
  if (rank_ == 0 || (is_set_ && room < -kBeyond * form_.size)) return {};
  slack_ = is_set_ && form_.at_most && room > kOnBoundary * form_.size ? 1 : 0;
  left.insert(left.end(), right.begin(), right.end());
  if (slack_) left.push_back(std::sqrt((form_.symmetric ? 1.0 : 2.0) * room));
  return left;
}

double FactorFunction::multiplier(const Element& X, const Element& G) const {
  return is_set_ ? -inner(G, X) / form_.size : form_.size;
}

std::vector<double> FactorFunction::with_columns(std::span<const double> w, const TruncatedSvd& pairs,
                                                 std::span<const double> weights) {
  const Blocks b = blocks(w);
  std::vector<double> all(b.left.begin(), b.left.end());
  const auto append = [&](std::span<const double> side, Index length, double sign) {
    for (std::size_t k = 0; k < weights.size(); ++k)
      for (const double x :
           side.subspan(k * static_cast<std::size_t>(length), static_cast<std::size_t>(length)))
        all.push_back(sign * std::sqrt(weights[k]) * x);
  };
  append(pairs.u, rows_, 1.0);
  if (!form_.symmetric) {
    all.insert(all.end(), b.right.begin(), b.right.end());
    append(pairs.v, cols_, -1.0);
  }
  all.insert(all.end(), b.slack.begin(), b.slack.end());
  rank_ += static_cast<Index>(weights.size());
  return all;
}

std::vector<double> FactorFunction::with_longer(std::span<const double> w, Index count, double factor) const {
  std::vector<double> all(w.begin(), w.end());
  const auto lengthen = [&](Index end, Index length) {
    for (Index k = end - count * length; k < end; ++k) all[static_cast<std::size_t>(k)] *= std::sqrt(factor);
  };
  lengthen(rows_ * rank_, rows_);
  if (!form_.symmetric) lengthen((rows_ + cols_) * rank_, cols_);
  return all;
}

double FactorFunction::value(std::span<const double> w, Element& point) const {
  const Blocks b = blocks(w);
  Buffer left = copied(b.left), right = form_.symmetric ? left : copied(b.right);
  const std::vector<double> weights(static_cast<std::size_t>(rank_), scale(w));
  point = Element::low_rank(std::make_shared<FactorStore>(rows_, cols_, std::move(left), std::move(right)),
                            weights);
  return f_->value(point) + (is_set_ ? 0.0 : 0.5 * form_.size * square(w));
}

/// With c the scale, grad F = c (G V, G'U) - (2 c <G, U V'> / ||w||^2) w over a set. For X = U U' the first
/// term is c (G + G')U.
void FactorFunction::gradient(std::span<const double> w, const Element& G, std::span<double> out) const {
  const ElementOperator op(G);
  const Blocks b = blocks(w);
  const std::size_t m = b.left.size();
  std::ranges::fill(out, 0.0);
  op.apply_block(b.right, rank_, out.first(m));
  const double along = sdk::dot(out.first(m), b.left);  // <G, U V'>
  if (form_.symmetric) {
    std::vector<double> other(m);
    op.apply_adjoint_block(b.left, rank_, other);
    for (std::size_t k = 0; k < m; ++k) out[k] += other[k];
  } else {
    op.apply_adjoint_block(b.left, rank_, out.subspan(m, b.right.size()));
  }
  const double c = scale(w), of_w = is_set_ ? -2.0 * c * along / square(w) : form_.size;
  for (std::size_t k = 0; k < out.size(); ++k) out[k] = c * out[k] + of_w * w[k];
}

/// f''(X) times the matrix of ones, which reads the second derivative at every observed entry.
Element FactorFunction::entry_curvature(const Element& X) const {
  Element P(f_->shape());
  const auto m = static_cast<std::size_t>(rows_), n = static_cast<std::size_t>(cols_);
  curvature_->add_hessian_product(X, Element::rank_one(1.0, Numbers(m, 1.0), Numbers(n, 1.0)), Batch::all(),
                                  1.0, P);
  P.fold();
  return P;
}

/// out <- the diagonal of the Hessian of f(U V') without the curvature of U V'.
void FactorFunction::diagonal_of_entries(std::span<const double> w, const Element& X,
                                         std::span<double> out) const {
  std::vector<double> squares(w.size());
  std::ranges::transform(w, squares.begin(), [](double x) { return x * x; });
  const Blocks of = blocks(squares);
  const Element of_ones = entry_curvature(X);
  const ElementOperator P(of_ones);
  P.apply_block(of.right, rank_, out.first(of.left.size()));
  if (!form_.symmetric) P.apply_adjoint_block(of.left, rank_, out.subspan(of.left.size(), of.right.size()));
}

/// ... for f'' = curvature I: curvature ||v_k||^2 for the column u_k, and the other way round.
void FactorFunction::diagonal_of_norms(std::span<const double> w, double curvature,
                                       std::span<double> out) const {
  const Blocks b = blocks(w);
  const auto m = static_cast<std::size_t>(rows_), n = static_cast<std::size_t>(cols_);
  for (std::size_t k = 0; k < static_cast<std::size_t>(rank_); ++k) {
    std::ranges::fill(out.subspan(k * m, m), curvature * square(b.right.subspan(k * n, n)));
    if (!form_.symmetric)
      std::ranges::fill(out.subspan(b.left.size() + k * n, n), curvature * square(b.left.subspan(k * m, m)));
  }
}

void FactorFunction::inverse_diagonal(std::span<const double> w, const Element& X, const Element& G,
                                      double curvature, std::span<double> out) const {
  constexpr double kLeast = 0.02;  // of the median
  std::ranges::fill(out, 0.0);
  entries_ ? diagonal_of_entries(w, X, out) : diagonal_of_norms(w, curvature, out);
  const double c = scale(w), of_w = is_set_ ? std::max(0.0, -2.0 * inner(G, X) / square(w)) : form_.size;
  for (double& d : out) d = c * c * std::max(d, 0.0) + of_w;
  std::vector<double> sorted(out.begin(), out.end());
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::nth_element(sorted.begin(), middle, sorted.end());
  const double least = *middle > 0.0 ? kLeast * *middle : 1.0;
  for (double& d : out) d = 1.0 / std::max(d, least);
}

void FactorFunction::state(StateVisitor& v) {
  v("rank", rank_);
  v("slack", slack_);
  v.require(rank_ >= 0 && rank_ <= std::min(rows_, cols_), "rank", "not that of a matrix of this shape");
  v.require(slack_ == 0 || slack_ == 1, "slack", "neither 0 nor 1");
}

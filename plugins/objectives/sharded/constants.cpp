// SPDX-License-Identifier: BSD-3-Clause
// The constants of a sum over ranks, made on the first call and kept.
#include "term_sum.hpp"

#include <claros/map/linear_operator.hpp>
#include <claros/random.hpp>
#include <claros/spectral/spectral.hpp>

#include <algorithm>
#include <functional>
#include <utility>

namespace sharded {

using namespace claros;

namespace {

/// M = A'diag(w)A, of which no entry is made: a product is a sum over all ranks.
class Square final : public LinearOperator {
 public:
  Square(Index size, std::function<void(std::span<const double>, std::span<double>)> product)
      : size_(size), product_(std::move(product)) {}
  Index rows() const override { return size_; }
  Index cols() const override { return size_; }
  void apply(std::span<const double> x, std::span<double> y) const override { product_(x, y); }
  void apply_adjoint(std::span<const double> x, std::span<double> y) const override { product_(x, y); }

 private:
  Index size_;
  std::function<void(std::span<const double>, std::span<double>)> product_;
};

}  // namespace

/// The eigenvalue by products with M itself, as in sdk::largest_eigenvalue. It is the Ritz value with its
/// residual, times 1 + 2e-3, or the trace if that is smaller.
double TermSum::eigenvalue(double trace) const {
  constexpr double kTolerance = 2e-2, kSafety = 1.0 + 2e-3;
  constexpr Index kMatvecs = 600;
  const Index size = terms_of_->square_size();
  const Square square(size, [&](std::span<const double> x, std::span<double> y) {
    const Element point = Element::dense(Shape::vector(size), {x.begin(), x.end()});
    tree_sum(world_, "square", count_, y, [&](Index k, std::span<double> partial) {
      chunk(k).add_square(point, 1.0, partial);
      return true;
    });
  });
  RandomStream stream(0, Purpose::confirmation);
  const LeadingPair pair =
      LanczosSolver().confirm(square, {.tolerance = kTolerance, .max_matvecs = kMatvecs}, stream);
  return std::min(trace, pair.converged ? kSafety * pair.upper_estimate() : trace);
}

Constants TermSum::constants() const {
  if (constants_) return *constants_;
  // Largest numbers are sums of one chunk: each has a place of its own.
  const std::size_t n = at(count_);
  std::vector<double> sums(2 + 2 * n);
  tree_sum(world_, "constants", count_, sums, [&](Index k, std::span<double> partial) {
    const sdk::ChunkFacts of = chunk(k).facts();
    partial[0] += of.trace;
    partial[1] += of.least;
    partial[2 + at(k)] += of.component;
    partial[2 + n + at(k)] += of.row;
    return true;
  });
  const auto largest = [&](std::size_t from) {
    const auto begin = sums.begin() + static_cast<std::ptrdiff_t>(from);
    return *std::max_element(begin, begin + static_cast<std::ptrdiff_t>(n));
  };
  const sdk::ChunkFacts all{
      .trace = sums[0], .component = largest(2), .row = largest(2 + n), .least = sums[1]};
  const double lambda =
      terms_of_->needs_eigenvalue() ? eigenvalue(all.trace) / static_cast<double>(terms_) : 0.0;
  constants_ = terms_of_->constants_of(all, lambda);
  return *constants_;
}

}  // namespace sharded

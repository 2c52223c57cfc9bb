// SPDX-License-Identifier: BSD-3-Clause
/// @file shorter_side.hpp  An operator seen from the shorter of its two sides, as all spectral solvers see
/// it.
#pragma once

#include "element/array_sums.hpp"
#include "map/spectral_work.hpp"

#include <Eigen/Core>
#include <claros/error.hpp>
#include <claros/interruption.hpp>
#include <claros/map/element_operator.hpp>
#include <claros/map/spread_operator.hpp>
#include <claros/spectral/spectral.hpp>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace claros::detail {

using Vector = Eigen::Map<Eigen::VectorXd>;
using ConstVector = Eigen::Map<const Eigen::VectorXd>;
using Matrix = Eigen::Map<Eigen::MatrixXd>;
using ConstMatrix = Eigen::Map<const Eigen::MatrixXd>;

inline std::size_t size(Index n) { return static_cast<std::size_t>(n); }

/// B = A when n <= m, else A': a longer x shorter matrix. Counts its products.
class ShorterSide {
 public:
  /// Throws Error(usage) when A has no entries. With `prefer_fused`, a side up to kLongest times the shorter
  /// one is taken when both products of a step then read A once.
  explicit ShorterSide(const LinearOperator& a, const char* who, bool prefer_fused = false)
      : a_(a),
        transposed_(a.cols() > a.rows() &&
                    !(prefer_fused && a.fuses_round_trip() && a.cols() <= kLongest * a.rows())),
        spread_(a.spread()),
        who_(who) {
    if (a.rows() < 1 || a.cols() < 1)
      throw Error(ErrorKind::usage, who,
                  "the operator is " + std::to_string(a.rows()) + " x " + std::to_string(a.cols()),
                  "both sides must be at least 1");
  }

  Index shorter() const { return transposed_ ? a_.rows() : a_.cols(); }
  Index longer() const { return transposed_ ? a_.cols() : a_.rows(); }
  Index matvecs() const { return matvecs_; }
  bool transposed() const { return transposed_; }
  const char* who() const { return who_; }

  void apply(std::span<const double> x, std::span<double> y) const {  // y = B x
    Interruption::poll();
    ++matvecs_;
    transposed_ ? a_.apply_adjoint(x, y) : a_.apply(x, y);
  }
  void adjoint(std::span<const double> y, std::span<double> x) const {  // x = B'y
    Interruption::poll();
    ++matvecs_;
    transposed_ ? a_.apply(y, x) : a_.apply_adjoint(y, x);
  }
  /// image = B x - beta image and back = B' image; returns ||image||. For a spread operator the caller has
  /// the entries of the image that are its own.
  double round_trip(std::span<const double> x, double beta, std::span<double> image,
                    std::span<double> back) const {
    if (!spread_.op) {
      products(x, beta, image, back);
      return finite_norm(image);
    }
    Interruption::poll();
    matvecs_ += 2;
    spectral_work() += 2.0 * static_cast<double>(a_.rows()) * static_cast<double>(a_.cols());  // as of others
    return finite(spread_.op->long_round_trip(spread_.weight, x, beta, image, back));
  }
  void products(std::span<const double> x, double beta, std::span<double> image,
                std::span<double> back) const {
    if (!transposed_ && a_.fuses_round_trip()) {
      Interruption::poll();
      matvecs_ += 2;
      return a_.round_trip(x, beta, image, back);
    }
    scratch_.resize(image.size());
    apply(x, scratch_);
    Vector now(image.data(), longer());
    now = ConstVector(scratch_.data(), longer()) - beta * now;
    adjoint(image, back);
  }
  void apply_block(std::span<const double> x, Index count, std::span<double> y) const {
    Interruption::poll();
    matvecs_ += count;
    transposed_ ? a_.apply_adjoint_block(x, count, y) : a_.apply_block(x, count, y);
  }

  /// Hands the vectors of the two sides to where they belong.
  template <class Pair>
  void deliver(std::vector<double> longer, std::vector<double> shorter, Pair& to) const {
    to.u = std::move(transposed_ ? shorter : longer);
    to.v = std::move(transposed_ ? longer : shorter);
    to.matvecs = matvecs_;
  }

  /// The norm of a product, safe from overflow; throws Error(numerical) when it is not finite.
  double finite_norm(std::span<const double> y) const {
    return finite(safe_norm(ConstVector(y.data(), static_cast<Index>(y.size()))));
  }

 private:
  static constexpr Index kLongest = 4;
  double finite(double norm) const {
    if (std::isfinite(norm)) return norm;
    throw Error(ErrorKind::numerical, who_, "a product with the operator is not finite",
                "look for NaN or overflow in the operator's entries or in the point where it was formed");
  }

  const LinearOperator& a_;
  bool transposed_;
  LinearOperator::Spread spread_;
  const char* who_;
  mutable Index matvecs_ = 0;
  mutable std::vector<double> scratch_;
};

}  // namespace claros::detail

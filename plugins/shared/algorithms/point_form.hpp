// SPDX-License-Identifier: BSD-3-Clause
/// @file point_form.hpp  Whether a sum of vertices is kept in its columns or as an array.
#pragma once

#include <claros/abilities.hpp>
#include <claros/algorithm.hpp>
#include <claros/sdk/dense_access.hpp>
#include <claros/state/state.hpp>

#include <algorithm>
#include <variant>

namespace claros::sdk {

/// A point X of rank-one vertices, held as columns or as an array.
///
/// If f reads all entries of X, its gradient is an array, and every gradient would expand the columns of X
/// anew, m p numbers a column. Then X is held as an array, to which a step adds its vertex.
///
/// An f that follows X through an image A X (LossOfImage) never expands it, whatever its gradients are, and
/// an array has no image that follows it. If gradients are sparse, only the columns of X are needed.
class PointForm {
 public:
  void start(const Problem& problem) {
    follows_image_ = query<LossOfImage>(*problem.objective) != nullptr;
    is_array_ = false;
  }
  /// The gradient of f, or an estimate, at a point of this run.
  void see(const Element& gradient) {
    is_array_ = is_array_ || (!follows_image_ && gradient.shape().cols > 1 && has_array(gradient));
  }
  /// For other reasons, such as as many columns as an array has.
  void take_array() noexcept { is_array_ = true; }
  bool is_array() const noexcept { return is_array_; }

  /// X, which has just taken over a vertex.
  void settle(Element& X) const {
    if (is_array_ && !X.shape().is_product() && !lone_dense(X)) (void)X.dense_values();
  }

  void state(StateVisitor& v) { v("array", is_array_); }

 private:
  static bool has_array(const Element& g) {
    return std::ranges::any_of(g.parts(),
                               [](const Part& part) { return std::holds_alternative<DenseForm>(part.form); });
  }

  bool follows_image_ = false, is_array_ = false;
};

}  // namespace claros::sdk

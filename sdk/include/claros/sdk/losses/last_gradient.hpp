// SPDX-License-Identifier: BSD-3-Clause
/// @file last_gradient.hpp  The full gradient made last, so that a second call at the same point takes no
/// time.
#pragma once

#include <claros/element/element.hpp>
#include <claros/sdk/dense_access.hpp>

#include <cstring>
#include <span>
#include <vector>

namespace claros::sdk {

/// A point of f(x) = phi(A x), its image and grad f there, recognised by their numbers. So a step and the
/// measurement of its point, or the measurement and the next snapshot, share one pass. A recalled result has
/// the bits that a pass would make: a point without an image gets one only if that was made of the point's
/// numbers alone.
class LastGradient {
 public:
  /// True if grad f(x) is known; an x without an image then gets one.
  bool recall(const Element& x, const MapPtr& map) const {
    if (gradient_.empty()) return false;
    if (x.has_image(map)) return knows(x.image(map));
    const auto numbers = in_place(x);
    if (!(x.is_zero() && zero_) && (numbers.empty() || !same(numbers, point_))) return false;
    x.keep_image(map, Buffer(image_));
    return true;
  }
  bool knows(std::span<const double> image) const { return !gradient_.empty() && same(image, image_); }
  std::span<const double> gradient() const noexcept { return gradient_; }

  /// `x` is the point whose numbers alone the image was made of; null if the image followed the point.
  void keep(const Element* x, std::span<const double> image, std::span<const double> gradient) {
    const auto numbers = x ? in_place(*x) : std::span<const double>();
    point_.assign(numbers.begin(), numbers.end());
    zero_ = x && x->is_zero();
    image_.assign(image.begin(), image.end());
    gradient_.assign(gradient.begin(), gradient.end());
  }

 private:
  /// Compares bit by bit: -0 is not 0, and NaN equals NaN.
  static bool same(std::span<const double> a, std::span<const double> b) {
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size_bytes()) == 0);
  }
  static std::span<const double> in_place(const Element& x) {
    x.synchronise();
    const Part* part = lone_dense(x);
    return part && part->weight == 1.0 ? std::get<DenseForm>(part->form).values.view()
                                       : std::span<const double>();
  }

  std::vector<double> point_, image_, gradient_;
  bool zero_ = false;  ///< the point was 0, of no form
};

}  // namespace claros::sdk

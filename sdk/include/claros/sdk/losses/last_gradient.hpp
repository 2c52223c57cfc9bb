// SPDX-License-Identifier: BSD-3-Clause
/// @file last_gradient.hpp  The full gradient made last, so that a second call at the same point takes no
/// time.
#pragma once

#include <claros/element/element.hpp>
#include <claros/sdk/dense_access.hpp>

#include <algorithm>
#include <cstring>
#include <span>
#include <vector>

namespace claros::sdk {

/// Of f(x) = phi(A x): a point, its image and grad f there, recognised by their numbers. A step and the
/// measurement of its point, the measurement and the next snapshot need one pass between them. What is
/// recalled has the bits that a pass would make: an image is recalled for a point without one only if it was
/// made of that point's numbers alone.
class LastGradient {
 public:
  /// Whether grad f(x) is known. An x that had no image has one then.
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

  /// `x`: whose numbers alone the image was made of; null where it followed the point.
  void keep(const Element* x, std::span<const double> image, std::span<const double> gradient) {
    const auto numbers = x ? in_place(*x) : std::span<const double>();
    point_.assign(numbers.begin(), numbers.end());
    zero_ = x && x->is_zero();
    image_.assign(image.begin(), image.end());
    gradient_.assign(gradient.begin(), gradient.end());
  }

 private:
  /// Bit by bit: -0 is not 0, and what is not a number is like itself.
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

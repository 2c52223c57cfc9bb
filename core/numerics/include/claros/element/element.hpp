// SPDX-License-Identifier: BSD-3-Clause
/// @file element.hpp  Iterates, gradients, vertices, snapshots: points of R^{m x n}, as sums of shared parts.
#pragma once

#include <claros/api.hpp>
#include <claros/element/buffer.hpp>
#include <claros/element/factor_store.hpp>
#include <claros/element/pattern.hpp>
#include <claros/element/shape.hpp>
#include <claros/map/linear_map.hpp>
#include <claros/map/linear_operator.hpp>

#include <memory>
#include <span>
#include <variant>
#include <vector>

namespace claros {

/// Column-major values of an m x n matrix.
struct DenseForm {
  Buffer values;
};

/// One value an entry of a shared pattern.
struct SparseForm {
  std::shared_ptr<const Pattern> pattern;
  Buffer values;
};

/// sum_k weights[k] u_k v_k' over the first columns of a shared store.
struct LowRankForm {
  std::shared_ptr<FactorStore> store;
  std::vector<double> weights;
};

/// A'c, not yet folded: c = full (empty means 0) + sum_k coefficients[k] e_{rows[k]}; rows may repeat.
struct AdjointForm {
  MapPtr map;
  Buffer full;
  std::vector<Index> rows;
  std::vector<double> coefficients;
};

/// A matrix known by its products only.
struct OperatorForm {
  std::shared_ptr<const LinearOperator> op;
};

using Form = std::variant<DenseForm, SparseForm, LowRankForm, AdjointForm, OperatorForm>;

struct Part {
  double weight = 1.0;
  Form form;
};

/// Lazy (just-in-time) updates of the coordinates of an element: a reader of some of them updates these
/// first. Installed by an algorithm whose repeated steps of a coordinate have a closed form (see
/// LazyProximal).
class CLAROS_API LazyUpdates {
 public:
  virtual ~LazyUpdates();
  /// Updates coordinates[k] + offset of the dense values, as a step of the algorithm: later steps continue
  /// from there.
  virtual void update(std::span<const std::int32_t> coordinates, Index offset) = 0;
  /// Makes every value current for a reader. The steps that follow have the same bits as without it.
  virtual void synchronise() = 0;
};

struct Image;
class ElementArchive;

/// Factors beyond these are multiplied into the values, so that a long chain of blends neither under- nor
/// overflows.
inline constexpr double kSmallestWeight = 1e-8, kLargestWeight = 1e8;

/// A point of a fixed shape. A sum of weighted parts, at most one of each kind and key (pattern, store, map);
/// copies share. Arithmetic merges parts of the same kind and keeps the others apart, so that nothing is
/// expanded before a caller asks. Images z = A x follow along: they are scaled and updated lazily, and
/// evaluated when read.
class CLAROS_API Element {
 public:
  Element();
  /// Zero, without any part.
  explicit Element(const Shape& shape);
  static Element dense(const Shape& shape, std::vector<double> column_major);
  static Element sparse(std::shared_ptr<const Pattern> pattern, Buffer values);
  /// weight * u v'.
  static Element rank_one(double weight, std::span<const double> u, std::span<const double> v);
  static Element low_rank(std::shared_ptr<FactorStore> store, std::vector<double> weights);
  static Element adjoint(MapPtr map, Buffer coefficients);
  static Element from_operator(std::shared_ptr<const LinearOperator> op);
  static Element product(std::vector<Element> blocks);

  const Shape& shape() const noexcept { return shape_; }
  bool is_zero() const noexcept;  ///< no part at all
  /// The parts of the element; a product has adjoint parts only. For a lazy element all values are made
  /// current first.
  const std::vector<Part>& parts() const {
    synchronise();
    return parts_;
  }
  Index block_count() const noexcept { return static_cast<Index>(blocks_.size()); }
  const Element& block(Index k) const { return blocks_.at(static_cast<std::size_t>(k)); }
  /// Write access to a block of a product; drops the images of the whole.
  Element& edit_block(Index k);
  /// x <- x + part, kept apart from the others: to build an element form by form.
  void append(Part part);

  // Arithmetic. Shapes must agree (Error(usage) otherwise).
  void set_zero();
  void scale(double a);                    ///< x <- a x
  void add(double a, const Element& y);    ///< x <- x + a y
  void blend(double w, const Element& v);  ///< x <- (1 - w) x + w v
  /// x <- a y + b z, into the array that x has if it is not shared. x may be y or z.
  void assign_sum(double a, const Element& y, double b, const Element& z);
  /// x <- x + a A'c without folding: c has one coefficient an output of the map ...
  void add_adjoint(double a, const MapPtr& map, Buffer c);
  /// ... or is sum_k coefficients[k] e_{rows[k]}.
  void add_adjoint(double a, const MapPtr& map, std::span<const Index> rows,
                   std::span<const double> coefficients);

  // Forms.
  /// Expands everything into one dense part of weight 1 and gives write access (column-major). Drops the
  /// images. A lazy element is synchronised first.
  std::span<double> dense_values();
  /// The point as a dense array, without changing this element.
  std::vector<double> to_dense() const;
  /// Folds every adjoint part into an explicit one.
  void fold();
  /// The point without its unfolded adjoint parts; keeps the images if there are none.
  Element explicit_part() const;
  /// The number of low-rank columns of nonzero weight.
  Index columns() const noexcept;
  /// Replaces the low-rank part by its SVD. Drops the smallest singular values as long as their sum is at
  /// most `tail` (0: only those at rounding level). Returns what was dropped. Images are made anew, when
  /// read, if the point moved.
  double recompress(double tail);
  /// Largest first: from the factors of a low-rank element, those of its columns, else all of a dense
  /// decomposition.
  std::vector<double> singular_values() const;
  /// Their sum.
  double nuclear_norm() const;

  // Images.
  bool has_image(const MapPtr& map) const noexcept;
  /// z = A x, evaluated now and kept; the span lives until the element changes.
  std::span<const double> image(const MapPtr& map) const;
  /// out_k = <a_{rows[k]}, x>, through the image if there is one.
  void image_at(const MapPtr& map, std::span<const Index> rows, std::span<double> out) const;
  /// Takes z = A x, which the caller has made, as the image under `map`.
  void keep_image(const MapPtr& map, Buffer z) const;
  /// Takes the images of (1 - w) y + w z, which the caller knows to be this point up to rounding.
  void take_images(double w, const Element& y, const Element& z);
  void drop_images() noexcept { images_.clear(); }
  bool has_images() const noexcept { return !images_.empty(); }
  /// Images are made from the parts again when they are asked for. The images of a point that many steps have
  /// led to hold the rounding of all of them. After steps away from far vertices, that is the rounding of
  /// numbers of their size.
  void forget_images() const noexcept { images_.clear(); }
  /// A copy whose images are its own, so that evaluating them leaves no trace in this element: for measuring.
  Element detached() const;

  // Lazy updates. A copy has current values and is not lazy.
  void set_lazy(LazyUpdates* updates) noexcept { lazy_ = updates; }
  bool is_lazy() const noexcept { return lazy_ != nullptr; }
  void update(std::span<const std::int32_t> coordinates, Index offset = 0) const {
    if (lazy_) lazy_->update(coordinates, offset);
  }
  void synchronise() const {
    if (lazy_) lazy_->synchronise();
  }
  /// The parts as they stand, for a caller that has updated what it reads.
  const std::vector<Part>& lazy_parts() const noexcept { return parts_; }
  /// For the lazy updates themselves: write access to the one dense part of weight 1, as it stands. Drops the
  /// images.
  std::span<double> lazy_values();

  Element(const Element& other);
  Element(Element&& other) noexcept;
  Element& operator=(const Element& other);
  Element& operator=(Element&& other) noexcept;
  ~Element();

 private:
  struct ImageRef {
    double weight;
    std::shared_ptr<Image> image;
  };
  void require_shape(const Element& y) const;
  ImageRef unevaluated(const MapPtr& map) const;
  void keep_following(const std::vector<ImageRef>& earlier);
  void add_part(double a, const Part& part);
  void add_images(double a, const Element& y);
  static void make_pending(ImageRef& ref, const Shape& shape);
  Element rebased(const Element& y);
  Part* find_like(const Form& form) noexcept;

  Shape shape_;
  std::vector<Part> parts_;
  std::vector<Element> blocks_;
  mutable std::vector<ImageRef> images_;
  LazyUpdates* lazy_ = nullptr;

  friend struct Image;
  friend class ElementArchive;
};

/// <x, y>, through images where they exist.
CLAROS_API double inner(const Element& x, const Element& y);
/// <g, x - y>, and <u - v, x - y>, without making the differences where all are dense.
CLAROS_API double inner_difference(const Element& g, const Element& x, const Element& y);
CLAROS_API double inner_differences(const Element& u, const Element& v, const Element& x, const Element& y);
/// ||x||_F; NaN when x holds NaN.
CLAROS_API double norm(const Element& x);
/// True if every number that the parts hold is finite; operators are not evaluated.
CLAROS_API bool all_finite(const Element& x);
/// The low-rank form of an x that has no other part, or null.
CLAROS_API const LowRankForm* only_low_rank(const Element& x);
/// The numerical rank of a low-rank x (singular values above 1e-10 of the largest), or the number of nonzero
/// values of a dense one. It is -1 for other forms.
CLAROS_API Index rank_or_support(const Element& x);

}  // namespace claros

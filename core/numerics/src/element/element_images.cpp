// SPDX-License-Identifier: BSD-3-Clause
// Images of elements, and inner products through them.
#include "element/array_sums.hpp"
#include "element/forms.hpp"
#include "element/image.hpp"
#include "element/inner_of_parts.hpp"

#include <claros/element/element.hpp>
#include <claros/error.hpp>

#include <Eigen/Core>

#include <algorithm>
#include <cmath>
#include <limits>

namespace claros {

namespace {

// Sums of sums are read entry by entry in time exponential in their depth.
constexpr int kDeepest = 3;

/// A map reads as many numbers as its domain has.
void require_domain(const LinearMap& map, const Shape& shape) {
  if (const Shape domain = map.domain(); domain != shape)
    throw Error(ErrorKind::usage, "element",
                "a point of shape " + shape.text() + " where a map reads " + domain.text(),
                "give a point of the objective's shape");
}

}  // namespace

bool Element::has_image(const MapPtr& map) const noexcept {
  for (const ImageRef& ref : images_)
    if (ref.image->map == map) return true;
  return false;
}

Element::ImageRef Element::unevaluated(const MapPtr& map) const {
  auto image = std::make_shared<Image>(Image{map, {}, *this, {}, false});
  image->pending.images_.clear();
  return {1.0, std::move(image)};
}

/// Images under the maps of `earlier`, made when read, so that later steps update them and do not start over.
void Element::keep_following(const std::vector<ImageRef>& earlier) {
  for (const ImageRef& ref : earlier)
    if (const MapPtr& map = ref.image->map; !has_image(map) && map->cheap(*this))
      images_.push_back(unevaluated(map));
}

std::span<const double> Element::image(const MapPtr& map) const {
  synchronise();
  ImageRef* mine = nullptr;
  for (ImageRef& ref : images_)
    if (ref.image->map == map) mine = &ref;
  if (!mine) {
    require_domain(*map, shape_);
    images_.push_back(unevaluated(map));
    mine = &images_.back();
  }
  if (mine->weight != 1.0) {
    auto scaled = std::make_shared<Image>(
        Image{map, {{mine->weight, std::move(mine->image)}}, Element(shape_), {}, false});
    *mine = {1.0, std::move(scaled)};
  }
  mine->image->evaluate();
  return mine->image->values.view();
}

void Element::keep_image(const MapPtr& map, Buffer z) const {
  std::erase_if(images_, [&](const ImageRef& ref) { return ref.image->map == map; });
  images_.push_back({1.0, std::make_shared<Image>(Image{map, {}, Element(shape_), std::move(z), true})});
}

void Element::image_at(const MapPtr& map, std::span<const Index> rows, std::span<double> out) const {
  for (const ImageRef& ref : images_) {
    if (ref.image->map != map || lazy_) continue;  // lazy updates need to know what is read
    ref.image->at(rows, out);
    for (double& value : out) value *= ref.weight;
    return;
  }
  require_domain(*map, shape_);
  map->dot(rows, *this, out);
}

/// Gives `ref` an unevaluated node of its own, whose pending part can take an increment.
void Element::make_pending(ImageRef& ref, const Shape& shape) {
  const bool in_scale = std::abs(ref.weight) > kSmallestWeight && std::abs(ref.weight) < kLargestWeight;
  if (ref.image.use_count() == 1 && !ref.image->evaluated && in_scale) return;
  auto next = std::make_shared<Image>(Image{ref.image->map, {}, Element(shape), {}, false});
  if (ref.image->evaluated) {
    next->children = {{ref.weight, std::move(ref.image)}};
  } else {
    next->children = ref.image->children;
    for (auto& [weight, child] : next->children) weight *= ref.weight;
    next->pending.add(ref.weight, ref.image->pending);
  }
  ref = {1.0, std::move(next)};
}

void Element::add_images(double a, const Element& y) {
  std::vector<ImageRef> kept;
  for (ImageRef& ref : images_) {
    const MapPtr& map = ref.image->map;
    const ImageRef* theirs = nullptr;
    for (const ImageRef& candidate : y.images_)
      if (candidate.image->map == map) theirs = &candidate;
    if (theirs) {
      if (ref.image->depth() >= kDeepest) ref.image->evaluate();
      if (theirs->image->depth() >= kDeepest) theirs->image->evaluate();
      auto sum = std::make_shared<Image>(Image{
          map, {{ref.weight, ref.image}, {a * theirs->weight, theirs->image}}, Element(shape_), {}, false});
      kept.push_back({1.0, std::move(sum)});
      continue;
    }
    if (!map->cheap(y)) continue;
    Element increment(y);
    increment.images_.clear();
    make_pending(ref, shape_);
    ref.image->pending.add(a / ref.weight, increment);
    kept.push_back(std::move(ref));
  }
  images_ = std::move(kept);
}

void Element::take_images(double w, const Element& y, const Element& z) {
  std::vector<ImageRef> taken;
  for (const ImageRef& first : y.images_)
    for (const ImageRef& second : z.images_) {
      if (first.image->map != second.image->map) continue;
      for (const ImageRef* ref : {&first, &second})
        if (ref->image->depth() >= kDeepest) ref->image->evaluate();
      taken.push_back({1.0, std::make_shared<Image>(Image{
                                first.image->map,
                                {{(1.0 - w) * first.weight, first.image}, {w * second.weight, second.image}},
                                Element(shape_),
                                {},
                                false})});
    }
  images_ = std::move(taken);
}

Element Element::detached() const {
  Element copy(*this);
  for (ImageRef& ref : copy.images_) ref.image = Image::clone(*ref.image);
  return copy;
}

namespace {

Eigen::Map<const Eigen::VectorXd> as_vector(std::span<const double> a) {
  return {a.data(), static_cast<Index>(a.size())};
}

/// <A'c, y> = <c, A y>. An image that the map's columns can follow is kept with y. A caller that asks in
/// every step (Frank-Wolfe, for averages of batches) then pays for the moves of y.
double adjoint_inner(const AdjointForm& c, const Element& y) {
  double sum = 0.0;
  if (!c.full.empty()) {
    std::vector<double> made;
    std::span<const double> z;
    if (y.has_image(c.map) || !c.map->fuses()) {
      z = y.image(c.map);
    } else {
      made.resize(static_cast<std::size_t>(c.map->size()));
      c.map->apply(1.0, y, 0.0, made);
      z = made;
    }
    sum = as_vector(z).dot(as_vector(c.full.view()));
  }
  if (!c.rows.empty()) {
    std::vector<double> z(c.rows.size());
    y.image_at(c.map, c.rows, z);
    sum += as_vector(z).dot(as_vector(c.coefficients));
  }
  return sum;
}

}  // namespace

double inner_of_parts(const Element& x, const Element& y, double& size) {
  if (x.shape() != y.shape())
    throw Error(ErrorKind::usage, "element",
                "shapes " + x.shape().text() + " and " + y.shape().text() + " do not agree");
  double sum = 0.0;
  const auto add = [&](double term, double magnitude) { sum += term, size += magnitude; };
  size = 0.0;
  for (Index k = 0; k < x.block_count(); ++k) {
    double of_block = 0.0;
    const double term = inner_of_parts(x.block(k), y.block(k), of_block);
    add(term, of_block);
  }
  x.synchronise();
  y.synchronise();
  // <A'c, y> first; what is left of x meets the adjoint parts of y and then the explicit ones.
  const auto is_adjoint = [](const Part& part) { return std::holds_alternative<AdjointForm>(part.form); };
  const bool mixed = std::any_of(x.parts().begin(), x.parts().end(), is_adjoint);
  const Element apart = mixed ? x.explicit_part() : Element();
  const Element& rest = mixed ? apart : x;
  const auto add_adjoint = [&](double weight, const AdjointForm& c, const Element& with) {
    const double term = weight * adjoint_inner(c, with);
    add(term, std::abs(term));
  };
  for (const Part& p : x.parts())
    if (const auto* c = std::get_if<AdjointForm>(&p.form)) add_adjoint(p.weight, *c, y);
  for (const Part& q : y.parts()) {
    if (const auto* c = std::get_if<AdjointForm>(&q.form)) {
      add_adjoint(q.weight, *c, rest);
      continue;
    }
    for (const Part& p : rest.parts()) {
      double of_forms = 0.0;
      const double weight = p.weight * q.weight, term = forms::inner(p.form, q.form, x.shape(), of_forms);
      add(weight * term, std::abs(weight) * of_forms);
    }
  }
  return sum;
}

namespace {

/// ||x|| by its entries or singular values. For a large matrix of several forms it is at most what the
/// rounding of `squares` can hide, for numbers that sum to `size`.
double norm_of_entries(const Element& x, double squares, double size) {
  constexpr Index kExpanded = 1 << 22;
  Element y(x);
  y.fold();
  std::vector<double> of_blocks;
  for (Index k = 0; k < y.block_count(); ++k) of_blocks.push_back(norm(y.block(k)));
  if (!of_blocks.empty()) return safe_norm(as_vector(of_blocks));
  const Part* lone = y.parts().size() == 1 ? &y.parts().front() : nullptr;
  if (const auto* f = lone ? std::get_if<DenseForm>(&lone->form) : nullptr)
    return std::abs(lone->weight) * safe_norm(as_vector(f->values.view()));
  if (const auto* f = lone ? std::get_if<SparseForm>(&lone->form) : nullptr)
    return std::abs(lone->weight) * safe_norm(as_vector(f->values.view()));
  const auto is_dense = [](const Part& part) { return std::holds_alternative<DenseForm>(part.form); };
  if (y.shape().size() <= kExpanded || std::ranges::any_of(y.parts(), is_dense))
    return safe_norm(as_vector(y.dense_values()));
  if (only_low_rank(y)) return safe_norm(as_vector(y.singular_values()));
  return std::sqrt(std::max(squares, std::numeric_limits<double>::epsilon() * size));
}

}  // namespace

double inner(const Element& x, const Element& y) {
  double size = 0.0;
  return inner_of_parts(x, y, size);
}

double norm(const Element& x) {
  // If more cancels, or the sum is nearer to the ends of the range, too few of its digits would be right.
  constexpr double kCancelled = 1e-12, kSmallest = 1e-270;
  double size = 0.0;
  const double squares = inner_of_parts(x, x, size);
  const bool sure = squares > kCancelled * size && squares >= kSmallest && std::isfinite(squares);
  // NaN stays NaN: the order of max's arguments matters.
  if (sure || x.is_zero() || !all_finite(x)) return std::sqrt(std::max(squares, 0.0));
  const double length = norm_of_entries(x, squares, size);
  return length < std::numeric_limits<double>::min() ? 0.0 : length;  // its inverse would overflow
}

}  // namespace claros

// SPDX-License-Identifier: BSD-3-Clause
// Images of elements, and inner products through them.
#include "element/forms.hpp"
#include "element/image.hpp"

#include <claros/element/element.hpp>
#include <claros/error.hpp>

#include <Eigen/Core>

#include <algorithm>
#include <cmath>

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

/// Images under the maps of `earlier`, made when read, so that what comes after updates them and does not
/// start over.
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

double dot(std::span<const double> a, std::span<const double> b) {
  using Vector = Eigen::Map<const Eigen::VectorXd>;
  const auto n = static_cast<Index>(a.size());
  return Vector(a.data(), n).dot(Vector(b.data(), n));
}

/// <A'c, y> = <c, A y>. An image that the map's columns can follow is kept with y: who asks in every step
/// (Frank-Wolfe, of averages of batches) then pays for what y moved by.
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
    sum = dot(z, c.full.view());
  }
  if (!c.rows.empty()) {
    std::vector<double> z(c.rows.size());
    y.image_at(c.map, c.rows, z);
    sum += dot(z, c.coefficients);
  }
  return sum;
}

}  // namespace

double inner(const Element& x, const Element& y) {
  if (x.shape() != y.shape())
    throw Error(ErrorKind::usage, "element",
                "shapes " + x.shape().text() + " and " + y.shape().text() + " do not agree");
  double sum = 0.0;
  for (Index k = 0; k < x.block_count(); ++k) sum += inner(x.block(k), y.block(k));
  x.synchronise();
  y.synchronise();
  // <A'c, y> first; what is left of x meets the adjoint parts of y and then the explicit ones.
  const auto is_adjoint = [](const Part& part) { return std::holds_alternative<AdjointForm>(part.form); };
  const bool mixed = std::any_of(x.parts().begin(), x.parts().end(), is_adjoint);
  const Element apart = mixed ? x.explicit_part() : Element();
  const Element& rest = mixed ? apart : x;
  for (const Part& p : x.parts())
    if (const auto* c = std::get_if<AdjointForm>(&p.form)) sum += p.weight * adjoint_inner(*c, y);
  for (const Part& q : y.parts()) {
    if (const auto* c = std::get_if<AdjointForm>(&q.form)) {
      sum += q.weight * adjoint_inner(*c, rest);
      continue;
    }
    for (const Part& p : rest.parts()) sum += p.weight * q.weight * forms::inner(p.form, q.form, x.shape());
  }
  return sum;
}

// NaN stays NaN: the order of max's arguments matters.
double norm(const Element& x) { return std::sqrt(std::max(inner(x, x), 0.0)); }

}  // namespace claros

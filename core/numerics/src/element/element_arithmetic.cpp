// SPDX-License-Identifier: BSD-3-Clause
// Sums of elements: parts of the same kind merge, the others stay apart.
#include <claros/element/element.hpp>

#include "element/array_sums.hpp"

#include <claros/error.hpp>

#include <algorithm>
#include <cmath>

namespace claros {

namespace {

/// Multiplies a weight that has left its range into the values.
void normalise(Part& part) {
  const double size = std::abs(part.weight);
  if ((size >= kSmallestWeight && size <= kLargestWeight) || std::holds_alternative<OperatorForm>(part.form))
    return;
  const double w = part.weight;
  part.weight = 1.0;
  if (auto* dense = std::get_if<DenseForm>(&part.form)) multiply(w, dense->values.edit());
  if (auto* sparse = std::get_if<SparseForm>(&part.form)) multiply(w, sparse->values.edit());
  if (auto* low = std::get_if<LowRankForm>(&part.form)) multiply(w, low->weights);
  if (auto* adjoint = std::get_if<AdjointForm>(&part.form)) {
    multiply(w, adjoint->full.edit());
    multiply(w, adjoint->coefficients);
  }
}

/// An element has no more columns than that: beyond it they cost more than every entry does. A sum that goes
/// on for ever would keep all that it was made of. Methods that shorten their points themselves stay below.
std::size_t most_columns(const Shape& shape) {
  constexpr Index kSpare = 80, kPoints = 4;
  const Index side = std::min(shape.rows, shape.cols);
  return static_cast<std::size_t>(std::max(side + kSpare, kPoints * side));
}

/// Leaves out the columns of weight zero, which others may still need.
void drop_unused(LowRankForm& form) {
  auto store = std::make_shared<FactorStore>(form.store->rows(), form.store->cols());
  for (std::size_t k = 0; k < form.weights.size(); ++k)
    if (form.weights[k] != 0.0) store->append(form.store->pairs()[k]);
  std::erase(form.weights, 0.0);
  form.store = std::move(store);
}

/// x in at most `most` columns.
void bound_columns(Element& x, std::size_t most) {
  if (static_cast<std::size_t>(x.columns()) <= most) return;
  try {
    (void)x.recompress(0.0);
  } catch (const Error&) {
    (void)x.dense_values();  // numbers that are not finite have no decomposition
  }
}

}  // namespace

void Element::require_shape(const Element& y) const {
  if (shape_ != y.shape_)
    throw Error(ErrorKind::usage, "element",
                "shapes " + shape_.text() + " and " + y.shape_.text() + " do not agree");
}

void Element::set_zero() {
  parts_.clear();
  images_.clear();
  for (Element& block : blocks_) block.set_zero();
}

void Element::scale(double a) {
  if (a == 0.0) return set_zero();
  synchronise();
  for (Part& part : parts_) {
    part.weight *= a;
    normalise(part);
  }
  for (ImageRef& ref : images_) ref.weight *= a;
  for (Element& block : blocks_) block.scale(a);
}

void Element::blend(double w, const Element& v) {
  const std::vector<ImageRef> followed = w == 1.0 ? images_ : std::vector<ImageRef>();
  scale(1.0 - w);
  add(w, v);
  keep_following(followed);
}

void Element::add(double a, const Element& y) {
  require_shape(y);
  if (a == 0.0 || y.is_zero()) return;
  y.synchronise();
  if (is_zero()) {
    Element copy(y);
    copy.scale(a);
    copy.lazy_ = lazy_;
    *this = std::move(copy);
    return;
  }
  const auto is_low_rank = [](const Part& part) { return std::holds_alternative<LowRankForm>(part.form); };
  const bool as_it_is = &y != this && std::none_of(y.parts_.begin(), y.parts_.end(), is_low_rank);
  const Element apart = as_it_is ? Element() : rebased(y);
  const Element& increment = as_it_is ? y : apart;
  for (const Part& part : increment.parts_) add_part(a, part);
  for (std::size_t k = 0; k < blocks_.size(); ++k) blocks_[k].add(a, increment.blocks_[k]);
  add_images(a, increment);
  const std::size_t most = most_columns(shape_);
  for (Part& part : parts_)
    if (auto* low = std::get_if<LowRankForm>(&part.form); low && low->weights.size() > most)
      drop_unused(*low);
  bound_columns(*this, most);
}

Part* Element::find_like(const Form& form) noexcept {
  for (Part& part : parts_) {
    if (part.form.index() != form.index()) continue;
    if (const auto* f = std::get_if<SparseForm>(&form);
        f && std::get<SparseForm>(part.form).pattern != f->pattern)
      continue;
    if (const auto* f = std::get_if<AdjointForm>(&form); f && std::get<AdjointForm>(part.form).map != f->map)
      continue;
    if (const auto* f = std::get_if<OperatorForm>(&form); f && std::get<OperatorForm>(part.form).op != f->op)
      continue;
    return &part;
  }
  return nullptr;
}

namespace {

/// `theirs` on the columns of `mine.store`. A column that stands there already (two stores that grew from
/// one, the vertex of a line search) is found; others are appended as references. A store that is shared
/// takes one pair, the vertex that moves an iterate. Several pairs (of a snapshot in another store) make a
/// store for `mine` alone. Otherwise every difference would leave its columns with the elements that share
/// the store. So does a store of `most` columns, which its element shortens next.
LowRankForm on_columns_of(LowRankForm& mine, const LowRankForm& theirs, std::size_t most) {
  std::vector<std::size_t> others;
  std::vector<double> weights(static_cast<std::size_t>(mine.store->count()), 0.0);
  for (std::size_t k = 0; k < theirs.weights.size(); ++k) {
    const auto position = static_cast<Index>(k), last = mine.store->count() - 1;
    if (theirs.weights[k] == 0.0) continue;
    if (mine.store->shares(position, *theirs.store, position))
      weights[k] += theirs.weights[k];
    else if (mine.store->shares(last, *theirs.store, position))
      weights.back() += theirs.weights[k];
    else
      others.push_back(k);
  }
  if ((others.size() > 1 || weights.size() >= most) && mine.store.use_count() > 1)
    mine.store = std::make_shared<FactorStore>(*mine.store);
  for (const std::size_t k : others) {
    mine.store->append(theirs.store->pairs()[k]);
    weights.push_back(theirs.weights[k]);
  }
  return {mine.store, std::move(weights)};
}

}  // namespace

/// y with its low-rank columns in this element's own store. Weights can then be added one by one, and an
/// image's pending part refers to the same columns.
Element Element::rebased(const Element& y) {
  Element result(y);
  for (Part& part : result.parts_) {
    auto* theirs = std::get_if<LowRankForm>(&part.form);
    Part* mine = theirs ? find_like(part.form) : nullptr;
    if (!mine) continue;
    auto& form = std::get<LowRankForm>(mine->form);
    if (form.store != theirs->store) *theirs = on_columns_of(form, *theirs, most_columns(shape_));
  }
  return result;
}

namespace {

/// a <- a + r b, sharing nothing.
void add_values(double r, const Buffer& b, Buffer& a) {
  if (a.shared()) return (void)(a = array_sum(1.0, a.view(), r, b.view()));
  const auto from = b.view();
  const auto to = a.edit();
  for (std::size_t k = 0; k < to.size(); ++k) to[k] += r * from[k];
}

void add_like(double r, const DenseForm& y, DenseForm& x) { add_values(r, y.values, x.values); }
void add_like(double r, const SparseForm& y, SparseForm& x) { add_values(r, y.values, x.values); }

void add_like(double r, const LowRankForm& y, LowRankForm& x) {
  if (x.weights.size() < y.weights.size()) x.weights.resize(y.weights.size(), 0.0);
  for (std::size_t k = 0; k < y.weights.size(); ++k) x.weights[k] += r * y.weights[k];
}

/// Few single coefficients stay apart; as many as a quarter of all are written into the full array.
void absorb(AdjointForm& x) {
  if (static_cast<Index>(x.rows.size()) * 4 < x.map->size()) return;
  if (x.full.empty()) x.full = Buffer::zeros(x.map->size());
  const auto full = x.full.edit();
  for (std::size_t k = 0; k < x.rows.size(); ++k)
    full[static_cast<std::size_t>(x.rows[k])] += x.coefficients[k];
  x.rows.clear();
  x.coefficients.clear();
}

void add_like(double r, const AdjointForm& y, AdjointForm& x) {
  if (!y.full.empty()) {
    if (x.full.empty()) x.full = Buffer::zeros(y.full.size());
    add_values(r, y.full, x.full);
  }
  x.rows.insert(x.rows.end(), y.rows.begin(), y.rows.end());
  for (const double c : y.coefficients) x.coefficients.push_back(r * c);
  absorb(x);
}

void add_like(double, const OperatorForm&, OperatorForm&) {
}  // same operator: the weights are added, see add_part

bool same_array(const Form& a, const Form& b) {
  if (const auto* f = std::get_if<DenseForm>(&a)) return f->values.same_array(std::get<DenseForm>(b).values);
  if (const auto* f = std::get_if<SparseForm>(&a))
    return f->values.same_array(std::get<SparseForm>(b).values);
  return std::holds_alternative<OperatorForm>(a);
}

}  // namespace

void Element::add_part(double a, const Part& part) {
  Part* mine = find_like(part.form);
  const double weight = a * part.weight;
  if (!mine) {
    parts_.push_back({weight, part.form});
    return;
  }
  // If both are the same array, only the weight changes, and x - x_s of a shared gradient leaves nothing.
  if (same_array(mine->form, part.form)) {
    mine->weight += weight;
    if (std::abs(mine->weight) > kLargestWeight) normalise(*mine);
    if (mine->weight == 0.0) parts_.erase(parts_.begin() + (mine - parts_.data()));
    return;
  }
  auto* adjoint = std::get_if<AdjointForm>(&mine->form);
  if (adjoint && !adjoint->full.empty() && adjoint->full.same_array(std::get<AdjointForm>(part.form).full)) {
    // weight * (full + deltas) + w2 * (full + deltas2) = (weight + w2) * full + single coefficients of both.
    const auto& theirs = std::get<AdjointForm>(part.form);
    const double sum = mine->weight + weight, unit = sum == 0.0 ? 1.0 : sum;
    for (double& c : adjoint->coefficients) c *= mine->weight / unit;
    for (std::size_t k = 0; k < theirs.rows.size(); ++k) {
      adjoint->rows.push_back(theirs.rows[k]);
      adjoint->coefficients.push_back(weight * theirs.coefficients[k] / unit);
    }
    mine->weight = unit;
    if (sum == 0.0) adjoint->full = Buffer();
    if (sum != 0.0) absorb(*adjoint);
    if (std::abs(sum) > kLargestWeight) normalise(*mine);
    if (sum == 0.0 && adjoint->rows.empty()) parts_.erase(parts_.begin() + (mine - parts_.data()));
    return;
  }
  if (adjoint && adjoint->full.empty() && !std::get<AdjointForm>(part.form).full.empty()) {
    // Take their array by reference and put our few coefficients on their scale.
    AdjointForm sum = std::get<AdjointForm>(part.form);
    add_like(mine->weight / weight, *adjoint, sum);
    *mine = {weight, std::move(sum)};
    return;
  }
  const double ratio = weight / mine->weight;
  std::visit([&](auto& x) { add_like(ratio, std::get<std::decay_t<decltype(x)>>(part.form), x); },
             mine->form);
}

void Element::add_adjoint(double a, const MapPtr& map, Buffer c) {
  Element y(map->domain());
  y.parts_.push_back({1.0, AdjointForm{map, std::move(c), {}, {}}});
  add(a, y);
}

void Element::add_adjoint(double a, const MapPtr& map, std::span<const Index> rows,
                          std::span<const double> coefficients) {
  const double size = std::abs(a);
  if (images_.empty() && size >= kSmallestWeight && size <= kLargestWeight && shape_ == map->domain()) {
    AdjointForm c{map, {}, {rows.begin(), rows.end()}, {coefficients.begin(), coefficients.end()}};
    Part part{a, std::move(c)};
    if (!find_like(part.form))
      return (void)parts_.push_back(std::move(part));  // what a stochastic estimate does in every step
    return add_part(1.0, part);
  }
  Element y(map->domain());
  y.parts_.push_back(
      {1.0, AdjointForm{map, {}, {rows.begin(), rows.end()}, {coefficients.begin(), coefficients.end()}}});
  add(a, y);
}

}  // namespace claros

// SPDX-License-Identifier: BSD-3-Clause
#include <claros/element.hpp>

#include "array_sum.hpp"
#include "forms.hpp"

#include <claros/error.hpp>

#include <algorithm>
#include <cmath>

namespace claros {

Lag::~Lag() = default;
LinearMap::~LinearMap() = default;

void LinearMap::round_trip(const Element&, const Middle&, std::span<double>, std::span<double>) const {
  throw Error(ErrorKind::usage, "map", "makes no fused round trip", "ask fuses() first");
}
void LinearMap::add_adjoint(std::span<const double>, std::span<double>) const {
  throw Error(ErrorKind::usage, "map", "keeps its adjoints unfolded", "ask fuses() first");
}

Element::Element() = default;
Element::~Element() = default;
Element::Element(Element&&) noexcept = default;
Element& Element::operator=(Element&&) noexcept = default;

Element::Element(const Shape& shape) : shape_(shape) {
  for (const Shape& block : shape.blocks) blocks_.emplace_back(block);
}

Element::Element(const Element& other) : shape_(other.shape_) {
  other.flush();
  parts_ = other.parts_;
  blocks_ = other.blocks_;
  images_ = other.images_;
}

Element& Element::operator=(const Element& other) {
  if (this != &other) *this = Element(other);
  return *this;
}

// --- making

Element Element::dense(const Shape& shape, std::vector<double> column_major) {
  if (shape.is_product() || static_cast<Index>(column_major.size()) != shape.size())
    throw Error(ErrorKind::usage, "element", std::to_string(column_major.size()) + " values do not fill " + shape.text());
  Element x(shape);
  x.parts_.push_back({1.0, DenseForm{Buffer(std::move(column_major))}});
  return x;
}

Element Element::sparse(std::shared_ptr<const Pattern> pattern, Buffer values) {
  if (values.size() != pattern->entries())
    throw Error(ErrorKind::usage, "element", std::to_string(values.size()) + " values for a pattern of " +
                                                 std::to_string(pattern->entries()) + " entries");
  Element x(Shape::matrix(pattern->rows(), pattern->cols()));
  x.parts_.push_back({1.0, SparseForm{std::move(pattern), std::move(values)}});
  return x;
}

Element Element::rank_one(double weight, std::span<const double> u, std::span<const double> v) {
  auto store = std::make_shared<FactorStore>(static_cast<Index>(u.size()), static_cast<Index>(v.size()));
  store->append(u, v);
  return low_rank(std::move(store), {weight});
}

Element Element::low_rank(std::shared_ptr<FactorStore> store, std::vector<double> weights) {
  if (static_cast<Index>(weights.size()) > store->count())
    throw Error(ErrorKind::usage, "element", std::to_string(weights.size()) + " weights for " + std::to_string(store->count()) + " columns");
  Element x(Shape::matrix(store->rows(), store->cols()));
  x.parts_.push_back({1.0, LowRankForm{std::move(store), std::move(weights)}});
  return x;
}

Element Element::adjoint(MapPtr map, Buffer coefficients) {
  Element x(map->domain());
  x.add_adjoint(1.0, map, std::move(coefficients));
  return x;
}

Element Element::from_operator(std::shared_ptr<const LinearOperator> op) {
  Element x(Shape::matrix(op->rows(), op->cols()));
  x.parts_.push_back({1.0, OperatorForm{std::move(op)}});
  return x;
}

Element Element::product(std::vector<Element> blocks) {
  Element x;
  for (const Element& block : blocks) x.shape_.blocks.push_back(block.shape());
  x.blocks_ = std::move(blocks);
  return x;
}

// --- arithmetic

namespace {

void multiply(double w, std::span<double> values) {
  for (double& value : values) value *= w;
}

/// Multiplies a weight that has left its range into the values.
void normalise(Part& part) {
  const double size = std::abs(part.weight);
  if ((size >= kSmallestWeight && size <= kLargestWeight) || std::holds_alternative<OperatorForm>(part.form)) return;
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

}  // namespace

bool Element::is_zero() const noexcept {
  return parts_.empty() && std::all_of(blocks_.begin(), blocks_.end(), [](const Element& b) { return b.is_zero(); });
}

Element& Element::edit_block(Index k) {
  images_.clear();
  return blocks_.at(static_cast<std::size_t>(k));
}

void Element::append(Part part) {
  images_.clear();
  parts_.push_back(std::move(part));
}

void Element::require_shape(const Element& y) const {
  if (shape_ != y.shape_)
    throw Error(ErrorKind::usage, "element", "shapes " + shape_.text() + " and " + y.shape_.text() + " do not agree");
}

void Element::set_zero() {
  parts_.clear();
  images_.clear();
  for (Element& block : blocks_) block.set_zero();
}

void Element::scale(double a) {
  if (a == 0.0) return set_zero();
  flush();
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
  y.flush();
  if (is_zero()) {
    Element copy(y);
    copy.scale(a);
    copy.lag_ = lag_;
    *this = std::move(copy);
    return;
  }
  const Element increment = rebased(y);
  for (const Part& part : increment.parts_) add_part(a, part);
  for (std::size_t k = 0; k < blocks_.size(); ++k) blocks_[k].add(a, increment.blocks_[k]);
  add_images(a, increment);
}

Part* Element::find_like(const Form& form) noexcept {
  for (Part& part : parts_) {
    if (part.form.index() != form.index()) continue;
    if (const auto* f = std::get_if<SparseForm>(&form); f && std::get<SparseForm>(part.form).pattern != f->pattern) continue;
    if (const auto* f = std::get_if<AdjointForm>(&form); f && std::get<AdjointForm>(part.form).map != f->map) continue;
    if (const auto* f = std::get_if<OperatorForm>(&form); f && std::get<OperatorForm>(part.form).op != f->op) continue;
    return &part;
  }
  return nullptr;
}

/// y with its low-rank columns in this element's own store, so that weights can be added one by one and an image's
/// pending part refers to the same columns.
Element Element::rebased(const Element& y) {
  Element result(y);
  for (Part& part : result.parts_) {
    auto* theirs = std::get_if<LowRankForm>(&part.form);
    Part* mine = theirs ? find_like(part.form) : nullptr;
    if (!mine) continue;
    auto& form = std::get<LowRankForm>(mine->form);
    if (form.store == theirs->store) continue;
    std::vector<double> weights(static_cast<std::size_t>(form.store->count()), 0.0);
    for (std::size_t k = 0; k < theirs->weights.size(); ++k) {
      if (theirs->weights[k] == 0.0) continue;
      form.store->append(theirs->store->left(static_cast<Index>(k)), theirs->store->right(static_cast<Index>(k)));
      weights.push_back(theirs->weights[k]);
    }
    *theirs = {form.store, std::move(weights)};
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
  for (std::size_t k = 0; k < x.rows.size(); ++k) full[static_cast<std::size_t>(x.rows[k])] += x.coefficients[k];
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

void add_like(double, const OperatorForm&, OperatorForm&) {}  // same operator: the weights are added, see add_part

bool same_array(const Form& a, const Form& b) {
  if (const auto* f = std::get_if<DenseForm>(&a)) return f->values.same_array(std::get<DenseForm>(b).values);
  if (const auto* f = std::get_if<SparseForm>(&a)) return f->values.same_array(std::get<SparseForm>(b).values);
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
  // The same array twice: only the weight changes, and x - x_s of a shared gradient leaves nothing.
  if (same_array(mine->form, part.form)) {
    mine->weight += weight;
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
  std::visit([&](auto& x) { add_like(ratio, std::get<std::decay_t<decltype(x)>>(part.form), x); }, mine->form);
}

void Element::add_adjoint(double a, const MapPtr& map, Buffer c) {
  Element y(map->domain());
  y.parts_.push_back({1.0, AdjointForm{map, std::move(c), {}, {}}});
  add(a, y);
}

void Element::add_adjoint(double a, const MapPtr& map, std::span<const Index> rows, std::span<const double> coefficients) {
  Element y(map->domain());
  y.parts_.push_back({1.0, AdjointForm{map, {}, {rows.begin(), rows.end()}, {coefficients.begin(), coefficients.end()}}});
  add(a, y);
}

// --- forms

void Element::fold() {
  for (Element& block : blocks_) block.fold();
  std::vector<Part> kept;
  std::vector<Part> adjoints;
  for (Part& part : parts_) (std::holds_alternative<AdjointForm>(part.form) ? adjoints : kept).push_back(std::move(part));
  parts_ = std::move(kept);
  for (const Part& part : adjoints) {
    const auto& form = std::get<AdjointForm>(part.form);
    form.map->fold(part.weight, form, *this);
  }
}

std::span<double> Element::dense_values() {
  flush();
  fold();
  images_.clear();
  Part* dense = find_like(DenseForm{});
  if (!dense) {
    parts_.push_back({1.0, DenseForm{Buffer::zeros(shape_.size())}});
    dense = &parts_.back();
  }
  const std::span<double> values = std::get<DenseForm>(dense->form).values.edit();
  if (dense->weight != 1.0) multiply(dense->weight, values);
  for (const Part& part : parts_)
    if (&part != dense) forms::add_to_dense(part.weight, part.form, shape_, values);
  Part only{1.0, std::move(dense->form)};
  parts_.clear();
  parts_.push_back(std::move(only));
  return values;
}

std::vector<double> Element::to_dense() const {
  if (shape_.is_product()) throw Error(ErrorKind::usage, "element", "a product has no single dense array", "ask its blocks");
  Element copy(*this);
  const auto values = copy.dense_values();
  return {values.begin(), values.end()};
}

Element Element::explicit_part() const {
  Element rest(*this);
  const auto is_adjoint = [](const Part& part) { return std::holds_alternative<AdjointForm>(part.form); };
  if (std::erase_if(rest.parts_, is_adjoint) > 0) rest.images_.clear();
  return rest;
}

Index Element::columns() const noexcept {
  Index count = 0;
  for (const Part& part : parts_)
    if (const auto* f = std::get_if<LowRankForm>(&part.form))
      count += static_cast<Index>(f->weights.size()) - std::count(f->weights.begin(), f->weights.end(), 0.0);
  return count;
}

}  // namespace claros

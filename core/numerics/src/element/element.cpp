// SPDX-License-Identifier: BSD-3-Clause
#include "element/array_sums.hpp"
#include "element/forms.hpp"

#include <claros/element/element.hpp>
#include <claros/element/shape.hpp>
#include <claros/element/views.hpp>
#include <claros/error.hpp>

#include <algorithm>
#include <cmath>
#include <variant>

namespace claros {

LazyUpdates::~LazyUpdates() = default;
LinearMap::~LinearMap() = default;

void LinearMap::round_trip(const Element&, const Middle&, std::span<double>, std::span<double>) const {
  throw Error(ErrorKind::usage, "map", "makes no fused round trip", "ask fuses() first");
}
bool LinearMap::sparse_row(Index, SparseRow&) const { return false; }
void LinearMap::add_adjoint(std::span<const double>, std::span<double>) const {
  throw Error(ErrorKind::usage, "map", "keeps its adjoints unfolded", "ask fuses() first");
}
void LinearMap::list_trip(std::span<const Index>, const Element&, const Middle&, Element&) const {
  throw Error(ErrorKind::usage, "map", "makes no fused round trip of a list", "ask fuses_list() first");
}
std::shared_ptr<const Columns> LinearMap::columns() const { return nullptr; }
std::shared_ptr<const OutputColumns> LinearMap::output_columns() const { return nullptr; }
MapPtr LinearMap::restricted(std::span<const Index>) const { return nullptr; }

Element::Element() = default;
Element::~Element() = default;
Element::Element(Element&&) noexcept = default;
Element& Element::operator=(Element&&) noexcept = default;

Element::Element(const Shape& shape) : shape_(shape) {
  for (const Shape& block : shape.blocks) blocks_.emplace_back(block);
}

Element::Element(const Element& other) : shape_(other.shape_) {
  other.synchronise();
  parts_ = other.parts_;
  blocks_ = other.blocks_;
  images_ = other.images_;
}

Element& Element::operator=(const Element& other) {
  if (this != &other) *this = Element(other);
  return *this;
}

Element Element::dense(const Shape& shape, std::vector<double> column_major) {
  if (shape.is_product() || static_cast<Index>(column_major.size()) != shape.size())
    throw Error(ErrorKind::usage, "element",
                std::to_string(column_major.size()) + " values do not fill " + shape.text());
  Element x(shape);
  x.parts_.push_back({1.0, DenseForm{Buffer(std::move(column_major))}});
  return x;
}

Element Element::sparse(std::shared_ptr<const Pattern> pattern, Buffer values) {
  if (values.size() != pattern->entries())
    throw Error(ErrorKind::usage, "element",
                std::to_string(values.size()) + " values for a pattern of " +
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
    throw Error(
        ErrorKind::usage, "element",
        std::to_string(weights.size()) + " weights for " + std::to_string(store->count()) + " columns");
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

bool Element::is_zero() const noexcept {
  return parts_.empty() &&
         std::all_of(blocks_.begin(), blocks_.end(), [](const Element& b) { return b.is_zero(); });
}

Element& Element::edit_block(Index k) {
  images_.clear();
  return blocks_.at(static_cast<std::size_t>(k));
}

void Element::append(Part part) {
  images_.clear();
  parts_.push_back(std::move(part));
}

void Element::fold() {
  for (Element& block : blocks_) block.fold();
  const auto is_adjoint = [](const Part& part) { return std::holds_alternative<AdjointForm>(part.form); };
  if (std::none_of(parts_.begin(), parts_.end(), is_adjoint)) return;
  std::vector<Part> kept;
  std::vector<Part> adjoints;
  for (Part& part : parts_)
    (std::holds_alternative<AdjointForm>(part.form) ? adjoints : kept).push_back(std::move(part));
  parts_ = std::move(kept);
  for (const Part& part : adjoints) {
    const auto& form = std::get<AdjointForm>(part.form);
    form.map->fold(part.weight, form, *this);
  }
}

std::span<double> Element::dense_values() {
  synchronise();
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

std::span<double> Element::lazy_values() {
  auto* dense = parts_.size() == 1 && parts_.front().weight == 1.0
                    ? std::get_if<DenseForm>(&parts_.front().form)
                    : nullptr;
  if (!dense)
    throw Error(ErrorKind::usage, "element", "lazy updates need one dense part of weight 1",
                "ask dense_values before it is installed");
  if (!images_.empty()) images_.clear();
  return dense->values.edit();
}

std::vector<double> Element::to_dense() const {
  if (shape_.is_product())
    throw Error(ErrorKind::usage, "element", "a product has no single dense array", "ask its blocks");
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

Index Shape::size() const noexcept {
  if (!is_product()) return rows * cols;
  Index total = 0;
  for (const Shape& block : blocks) total += block.size();
  return total;
}

std::string Shape::text() const {
  if (!is_product()) return std::to_string(rows) + " x " + std::to_string(cols);
  std::string text;
  for (const Shape& block : blocks) text += (text.empty() ? "(" : " + (") + block.text() + ")";
  return text;
}

namespace {

bool finite(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); });
}

bool finite(const DenseForm& f) { return finite(f.values.view()); }
bool finite(const SparseForm& f) { return finite(f.values.view()); }
bool finite(const AdjointForm& f) {
  return finite(f.full.view()) && finite(std::span<const double>(f.coefficients));
}
bool finite(const OperatorForm&) { return true; }
bool finite(const LowRankForm& f) {
  for (std::size_t k = 0; k < f.weights.size(); ++k) {
    if (f.weights[k] == 0.0) continue;
    const auto column = static_cast<Index>(k);
    if (!std::isfinite(f.weights[k]) || !finite(f.store->left(column)) || !finite(f.store->right(column)))
      return false;
  }
  return true;
}

}  // namespace

bool all_finite(const Element& x) {
  x.synchronise();
  for (Index k = 0; k < x.block_count(); ++k)
    if (!all_finite(x.block(k))) return false;
  return std::all_of(x.parts().begin(), x.parts().end(), [](const Part& part) {
    return std::isfinite(part.weight) && std::visit([](const auto& form) { return finite(form); }, part.form);
  });
}

std::optional<std::span<const double>> dense_view(const Element& x) {
  x.synchronise();
  if (x.block_count() > 0 || x.parts().size() != 1 || x.parts().front().weight != 1.0) return std::nullopt;
  const auto* form = std::get_if<DenseForm>(&x.parts().front().form);
  return form ? std::optional(form->values.view()) : std::nullopt;
}

std::optional<FactorView> factor_view(Element& x) {
  const Shape& shape = x.shape();
  if (shape.is_product()) return std::nullopt;
  if (x.is_zero()) return FactorView{shape.rows, shape.cols, {}, {}, {}};
  if (x.parts().size() != 1 || !std::holds_alternative<LowRankForm>(x.parts().front().form))
    return std::nullopt;
  x.recompress(0.0);
  const auto& form = std::get<LowRankForm>(x.parts().front().form);
  const auto rank = static_cast<Index>(form.weights.size());
  return FactorView{shape.rows, shape.cols, form.store->lefts(rank), form.weights, form.store->rights(rank)};
}

}  // namespace claros

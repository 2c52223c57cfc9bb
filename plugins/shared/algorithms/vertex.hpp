// SPDX-License-Identifier: BSD-3-Clause
/// @file vertex.hpp  Vertices in the form in which they are small.
#pragma once

#include <claros/element/element.hpp>
#include <claros/sdk/dense_access.hpp>
#include <claros/state/state.hpp>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <variant>
#include <vector>

namespace claros::sdk {

/// A vertex of a set: a list of its nonzero entries if these are at most an eighth of all, else an element,
/// without images. A sparse element would have a pattern with a number for each row of the variable.
class Vertex {
 public:
  explicit Vertex(Shape shape) : shape_(std::move(shape)), element_(shape_) {}
  explicit Vertex(const Element& v) : shape_(v.shape()), element_(v) {
    element_.drop_images();
    const bool lone = v.parts().size() == 1 && v.block_count() == 0;
    const Part* part = lone ? &v.parts().front() : nullptr;
    if (const auto* form = part ? std::get_if<DenseForm>(&part->form) : nullptr)
      read(form->values.view(), part->weight);
    if (const auto* form = part ? std::get_if<SparseForm>(&part->form) : nullptr) read(*form, part->weight);
    if (is_list()) element_ = Element(shape_);
  }

  const Shape& shape() const noexcept { return shape_; }
  bool is_list() const noexcept { return !coordinates_.empty(); }
  /// The entries of a list, column-major.
  std::span<const Index> coordinates() const noexcept { return coordinates_; }
  std::span<const double> values() const noexcept { return values_; }

  /// A list is made into a new element, with as many numbers as the variable has rows.
  Element element() const {
    if (!is_list()) return element_;
    std::vector<std::pair<std::pair<std::int32_t, std::int32_t>, double>> entries;
    for (std::size_t e = 0; e < values_.size(); ++e)
      entries.push_back({{static_cast<std::int32_t>(coordinates_[e] % shape_.rows),
                          static_cast<std::int32_t>(coordinates_[e] / shape_.rows)},
                         values_[e]});
    std::ranges::sort(entries, {}, [](const auto& entry) { return entry.first; });
    std::vector<std::int32_t> rows, cols;
    std::vector<double> values;
    for (const auto& [place, value] : entries)
      rows.push_back(place.first), cols.push_back(place.second), values.push_back(value);
    return Element::sparse(
        std::make_shared<Pattern>(shape_.rows, shape_.cols, std::move(rows), std::move(cols)),
        Buffer(std::move(values)));
  }

  /// <g, v>
  double product(const Element& g) const {
    const Part* part = is_list() ? lone_dense(g) : nullptr;
    if (!part) return inner(g, is_list() ? element() : element_);
    const auto entries = std::get<DenseForm>(part->form).values.view();
    double sum = 0.0;
    for (std::size_t e = 0; e < values_.size(); ++e) sum += entries[at(coordinates_[e])] * values_[e];
    return part->weight * sum;
  }
  /// x <- x + a v for a list, x all entries of the variable.
  void add_list(double a, std::span<double> x) const {
    for (std::size_t e = 0; e < values_.size(); ++e) x[at(coordinates_[e])] += a * values_[e];
  }

  /// True for two equal lists, or two equal arrays. Others count as different; the same vertex may then be in
  /// a set twice.
  friend bool operator==(const Vertex& a, const Vertex& b) {
    if (a.is_list() || b.is_list()) return a.coordinates_ == b.coordinates_ && a.values_ == b.values_;
    const Part *u = lone_dense(a.element_), *v = lone_dense(b.element_);
    return u && v && u->weight == v->weight &&
           std::ranges::equal(std::get<DenseForm>(u->form).values.view(),
                              std::get<DenseForm>(v->form).values.view());
  }

  void state(StateVisitor& v) {
    v("coordinates", coordinates_), v("values", values_);
    v.require(coordinates_.size() == values_.size(), "values", "not one a coordinate");
    for (std::size_t e = 0; e < coordinates_.size(); ++e)
      v.require(coordinates_[e] >= 0 && coordinates_[e] < shape_.size() &&
                    (e == 0 || coordinates_[e - 1] < coordinates_[e]),
                "coordinates", "not ascending coordinates of the variable");
    if (!is_list()) v("element", element_);
  }

 private:
  static constexpr std::size_t kFewer = 8;

  void read(std::span<const double> entries, double weight) {
    const auto zeros = static_cast<std::size_t>(std::count(entries.begin(), entries.end(), 0.0));
    if (zeros < entries.size() - entries.size() / kFewer || zeros == entries.size()) return;
    for (std::size_t j = 0; j < entries.size(); ++j)
      if (entries[j] != 0.0)
        coordinates_.push_back(static_cast<Index>(j)), values_.push_back(weight * entries[j]);
  }
  void read(const SparseForm& form, double weight) {
    const auto values = form.values.view();
    std::vector<std::pair<Index, double>> entries;
    for (std::size_t e = 0; e < values.size(); ++e)
      if (values[e] != 0.0)
        entries.emplace_back(form.pattern->col()[e] * shape_.rows + form.pattern->row()[e],
                             weight * values[e]);
    if (entries.size() > at(shape_.size()) / kFewer) return;
    std::ranges::sort(entries);
    for (const auto& [j, value] : entries) coordinates_.push_back(j), values_.push_back(value);
  }

  Shape shape_;
  Element element_;                 ///< where it is not a list; 0 of a list
  std::vector<Index> coordinates_;  ///< ascending
  std::vector<double> values_;
};

}  // namespace claros::sdk

// SPDX-License-Identifier: BSD-3-Clause
/// @file kept_vertices.hpp  The vertices that a linear oracle returned last.
#pragma once

#include <shared/algorithms/vertex.hpp>

#include <algorithm>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace cached {

/// At most `most` vertices, the one that was returned last in front. A vertex with few nonzero entries is
/// kept as a list of these, one with factors as factors, any other as an array.
class KeptVertices {
 public:
  explicit KeptVertices(std::size_t most) : most_(most) {}

  std::size_t size() const noexcept { return kept_.size(); }
  void clear() { kept_.clear(), from_array_.clear(); }

  /// <c, v_k>
  double product(std::size_t k, const claros::Element& c) const { return kept_[k].product(c); }

  /// Writes v_k to `vertex`, an array if the oracle returned one. v_k is then the one returned last.
  void give(std::size_t k, claros::Element& vertex) {
    const claros::sdk::Vertex& v = kept_[k];
    if (v.is_list() && from_array_[k]) {
      const std::span<double> entries = claros::sdk::overwrite_dense(v.shape(), vertex);
      std::ranges::fill(entries, 0.0);
      v.add_list(1.0, entries);
    } else {
      vertex = v.element();
    }
    to_front(k);
  }

  /// Keeps a vertex that the oracle has returned, once; the one not returned for longest leaves.
  void add(const claros::Element& vertex) {
    claros::sdk::Vertex v = small(vertex);
    const bool array = claros::sdk::lone_dense(vertex) != nullptr;
    for (std::size_t k = 0; k < size(); ++k)
      if (from_array_[k] == static_cast<claros::Index>(array) && kept_[k] == v) return to_front(k);
    if (size() == most_) kept_.pop_back(), from_array_.pop_back();
    kept_.insert(kept_.begin(), std::move(v));
    from_array_.insert(from_array_.begin(), static_cast<claros::Index>(array));
  }

  /// Names the state of vertices of that shape.
  void state(claros::StateVisitor& v, const claros::Shape& shape) {
    v("from arrays", from_array_);
    v.require(from_array_.size() <= most_, "from arrays", "more vertices than are kept");
    if (v.loading()) kept_.assign(from_array_.size(), claros::sdk::Vertex(shape));
    for (std::size_t k = 0; k < kept_.size(); ++k) v("vertex " + std::to_string(k), kept_[k]);
  }

 private:
  void to_front(std::size_t k) {
    const auto place = static_cast<std::ptrdiff_t>(k);
    std::rotate(kept_.begin(), kept_.begin() + place, kept_.begin() + place + 1);
    std::rotate(from_array_.begin(), from_array_.begin() + place, from_array_.begin() + place + 1);
  }

  /// Forms that refer to an object of others (a pattern, a map, an operator) become an array.
  static claros::sdk::Vertex small(const claros::Element& vertex) {
    claros::sdk::Vertex v(vertex);
    const bool own = std::ranges::all_of(vertex.parts(), [](const claros::Part& part) {
      return std::holds_alternative<claros::DenseForm>(part.form) ||
             std::holds_alternative<claros::LowRankForm>(part.form);
    });
    if (v.is_list() || own) return v;
    return claros::sdk::Vertex(claros::Element::dense(vertex.shape(), vertex.to_dense()));
  }

  std::size_t most_;
  std::vector<claros::sdk::Vertex> kept_;
  std::vector<claros::Index> from_array_;  ///< 1 where the oracle returned an array
};

}  // namespace cached

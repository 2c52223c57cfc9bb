// SPDX-License-Identifier: BSD-3-Clause
/// @file quadratic_hull.hpp  A quadratic function of a linear image over the convex hull of vertices.
#pragma once

#include <claros/element/element.hpp>
#include <claros/element/gemm.hpp>
#include <claros/map/columns.hpp>
#include <claros/state/state.hpp>
#include <shared/algorithms/simplex_program.hpp>
#include <shared/algorithms/vertex.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace claros::sdk {

/// Z <- A v of each vertex, one after the other. For lists, the columns of A that they need are gathered at
/// once. Each image is the sum of its entries' columns, in their order, whatever the other vertices are.
inline void images_of(const MapPtr& map, std::span<const Vertex> vertices, std::span<double> Z) {
  std::vector<Index> wanted;
  std::unordered_map<Index, Index> place;
  for (const Vertex& v : vertices)
    for (const Index j : v.coordinates())
      if (place.try_emplace(j, static_cast<Index>(wanted.size())).second) wanted.push_back(j);
  const auto restricted = wanted.empty() ? nullptr : map->restricted(wanted);
  const auto columns = restricted ? restricted->columns() : nullptr;
  const auto N = static_cast<std::size_t>(map->size());
  for (std::size_t k = 0; k < vertices.size(); ++k) {
    const Vertex& v = vertices[k];
    const std::span<double> z = Z.subspan(k * N, N);
    if (!v.is_list() || !columns) {
      map->apply(1.0, v.element(), 0.0, z);
      continue;
    }
    std::fill(z.begin(), z.end(), 0.0);
    for (std::size_t e = 0; e < v.values().size(); ++e)
      columns->add(place.at(v.coordinates()[e]), v.values()[e], z);
  }
}

/// f(x) = phi(A x), phi quadratic of diagonal curvature c, over x = sum_k w_k v_k, w >= 0, sum w = 1. The
/// hull keeps the vertices, their images and M = (A V)' diag(c) (A V). New vertices add rows to M by one
/// product of matrices. Minimising f over the hull reads no data. The score of v_k is <grad f(x), v_k>.
/// Vertices of weight 0 leave when they are a quarter of all.
class QuadraticHull {
 public:
  /// x alone, of weight 1: a point of the set, vertex or not.
  void start(const Element& x, MapPtr map, std::vector<double> curvature) {
    map_ = std::move(map);
    curvature_ = std::move(curvature);
    vertices_.clear(), weights_.clear(), scores_.clear(), images_.clear(), products_.clear();
    std::vector<Vertex> first{Vertex(x)};
    add(first, {});
    weights_.front() = 1.0;
  }

  Index size() const noexcept { return static_cast<Index>(weights_.size()); }
  const std::vector<Vertex>& vertices() const noexcept { return vertices_; }
  const std::vector<double>& weights() const noexcept { return weights_; }
  const std::vector<double>& scores() const noexcept { return scores_; }
  /// True if there is room for the products of that many more vertices.
  bool has_room(Index more) const noexcept { return size() + more <= kMost; }
  bool holds(const Vertex& v) const { return std::ranges::find(vertices_, v) != vertices_.end(); }

  void make_scores(const Element& g) {
    for (std::size_t k = 0; k < vertices_.size(); ++k) scores_[k] = vertices_[k].product(g);
  }
  /// <grad f(x), x>.
  double score_of_point() const { return dot(weights_, scores_); }

  /// New vertices, taken over, of weight 0 and these scores (0 if none are given).
  void add(std::span<Vertex> vertices, std::span<const double> scores) {
    const std::size_t N = at(map_->size()), before = weights_.size(), count = vertices.size();
    images_.resize(N * (before + count));
    images_of(map_, vertices, std::span<double>(images_).subspan(N * before));
    std::ranges::move(vertices, std::back_inserter(vertices_));
    weights_.resize(before + count, 0.0), scores_.resize(before + count, 0.0);
    std::ranges::copy(scores, scores_.begin() + static_cast<std::ptrdiff_t>(before));
    multiply(before);
  }

  /// w at a minimum of f over the hull, until f is at most `tolerance` above it, from scores of x. The sum of
  /// the changes of w, 0 if x stays.
  double minimise(double tolerance) {
    const std::vector<double> before(weights_);
    double change = 0.0;
    if (program_(products_, weights_, scores_, tolerance)) {
      const double sum = sum_entries(weights_, [](double w) { return w; });
      for (std::size_t k = 0; k < weights_.size(); ++k) {
        weights_[k] /= sum;
        change += std::abs(weights_[k] - before[k]);
      }
    }
    const auto idle = std::ranges::count(weights_, 0.0);
    if (4 * idle > size() + kIdle || !has_room(1)) drop();
    return change;
  }

  /// x and its image, made from the vertices.
  Element point() const {
    Element x(vertices_.front().shape());
    std::vector<double> z(at(map_->size()));
    combine_columns(images_, z.size(), weights_, z);
    for (std::size_t k = 0; k < weights_.size(); ++k)
      if (weights_[k] > 0.0 && !vertices_[k].is_list()) x.add(weights_[k], vertices_[k].element());
    if (std::ranges::any_of(vertices_, [](const Vertex& v) { return v.is_list(); })) {
      const std::span<double> entries = x.dense_values();
      for (std::size_t k = 0; k < weights_.size(); ++k) vertices_[k].add_list(weights_[k], entries);
    }
    x.keep_image(map_, Buffer(std::move(z)));
    return x;
  }

  void state(StateVisitor& v) {
    Index count = size();
    v("count", count);
    v.require(count >= 1 && count <= kMost, "count", "no number of vertices");
    v("weights", weights_), v("scores", scores_);
    v.require(weights_.size() == at(count) && scores_.size() == at(count), "weights", "not one a vertex");
    for (const double w : weights_)
      v.require(w >= 0.0 && w <= 1.0 + 1e-9, "weights", "not those of a convex combination");
    v("products", products_);
    v.require(products_.size() == at(count * count), "products", "not one a pair of vertices");
    if (v.loading()) vertices_.resize(at(count), Vertex(vertices_.front().shape()));
    for (Index k = 0; k < count; ++k) v("vertex " + std::to_string(k), vertices_[at(k)]);
    if (!v.loading()) return;
    images_.resize(at(map_->size() * count));
    images_of(map_, vertices_, images_);
  }

 private:
  static constexpr Index kMost = 4096, kIdle = 16;

  /// The products of the vertices from `before` on with all.
  void multiply(std::size_t before) {
    const std::size_t N = at(map_->size()), m = weights_.size(), count = m - before;
    std::vector<double> bent(N * count), block(m * count), all(m * m);
    for (std::size_t k = 0; k < count; ++k)
      for (std::size_t i = 0; i < N; ++i) bent[k * N + i] = curvature_[i] * images_[(before + k) * N + i];
    column_products(map_->size(), images_, bent, block);
    for (std::size_t k = 0; k < before; ++k)
      std::copy_n(products_.begin() + static_cast<std::ptrdiff_t>(k * before), before,
                  all.begin() + static_cast<std::ptrdiff_t>(k * m));
    for (std::size_t k = 0; k < count; ++k)
      for (std::size_t j = 0; j < m && j <= before + k; ++j)
        all[(before + k) * m + j] = all[j * m + before + k] = block[k * m + j];
    products_ = std::move(all);
  }

  void drop() {
    const std::size_t m = weights_.size(), N = at(map_->size());
    std::vector<std::size_t> stay;
    for (std::size_t k = 0; k < m; ++k)
      if (weights_[k] > 0.0) stay.push_back(k);
    if (stay.size() == m) return;
    for (std::size_t k = 0; k < stay.size(); ++k) {
      const std::size_t from = stay[k];
      weights_[k] = weights_[from];
      scores_[k] = scores_[from];
      if (k != from) vertices_[k] = std::move(vertices_[from]);
      if (k != from) std::copy_n(images_.data() + from * N, N, images_.data() + k * N);
      for (std::size_t j = 0; j < stay.size(); ++j)
        products_[k * stay.size() + j] = products_[from * m + stay[j]];
    }
    weights_.resize(stay.size()), scores_.resize(stay.size()), images_.resize(N * stay.size());
    products_.resize(stay.size() * stay.size());
    vertices_.resize(stay.size(), Vertex(vertices_.front().shape()));
  }

  MapPtr map_;
  std::vector<double> curvature_;
  std::vector<Vertex> vertices_;
  std::vector<double> weights_, scores_;
  std::vector<double> images_;    ///< A v_k, one after the other
  std::vector<double> products_;  ///< M
  SimplexProgram program_;
};

}  // namespace claros::sdk

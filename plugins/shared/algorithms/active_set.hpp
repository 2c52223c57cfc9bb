// SPDX-License-Identifier: BSD-3-Clause
/// @file active_set.hpp  A point as a convex combination of vertices.
#pragma once

#include <claros/element/element.hpp>
#include <claros/map/linear_map.hpp>
#include <claros/sdk/entries.hpp>
#include <claros/state/state.hpp>
#include <shared/algorithms/entry_range.hpp>
#include <shared/algorithms/vertex.hpp>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace claros::sdk {

/// x = sum_k w_k v_k with w_k >= 0 and sum w = 1: the active set of away steps, pairwise steps and their
/// like. Vertices of few entries are kept as these; if there is a map, every vertex keeps its image, so
/// that what moves x moves its image without a pass over the data. A vertex's score is <grad f(x), v>. x
/// itself belongs to the algorithm and is changed here.
///
/// A step away by gamma multiplies what rounding has put between x, its weights and a convex combination by
/// 1 + gamma, and a step toward a vertex by 1 - gamma. `rounding` follows that bound; `refresh` brings it
/// back to 0. No entry of x leaves the range of the vertices: x >= 0 over vertices that are >= 0.
class ActiveSet {
 public:
  /// Starts at x alone, of weight 1: a point of the set, vertex or not. The images of `map` are kept; null
  /// keeps none. The products of `curvature`, that of a quadratic loss of these images, are kept too; empty
  /// keeps none.
  void start(const Element& x, MapPtr map, std::vector<double> curvature = {}) {
    map_ = std::move(map);
    curvature_ = std::move(curvature);
    vertices_.clear();
    images_.clear();
    weights_.clear();
    products_.clear();
    scores_.clear();
    scored_ = false;
    rounding_ = 0.0;
    range_.start();
    (void)find_or_add(x);
    weights_.front() = 1.0;
  }

  /// Vertices with their weights, of which more than these have no products.
  void start(const std::vector<Vertex>& vertices, const std::vector<double>& weights, MapPtr map) {
    map_ = std::move(map);
    vertices_ = vertices;
    weights_ = weights;
    curvature_.clear(), products_.clear(), images_.clear();
    scores_.assign(weights_.size(), 0.0);
    scored_ = false;
    rounding_ = 0.0;
    range_.start();
    for (const Vertex& v : vertices_) add_image(v), range_.include(v.element());
    drop();
  }

  Index size() const noexcept { return static_cast<Index>(weights_.size()); }
  const Vertex& vertex(Index k) const { return vertices_[at(k)]; }
  /// A v_k, if there is a map.
  std::span<const double> image(Index k) const { return images_[at(k)]; }
  double weight(Index k) const { return weights_[at(k)]; }
  const std::vector<double>& weights() const noexcept { return weights_; }

  /// The index of v; a new one is the last, of weight 0 and of the score `score`.
  Index find_or_add(const Element& v, double score = 0.0) {
    Vertex kept(v);
    for (Index k = 0; k < size(); ++k)
      if (kept == vertex(k)) return k;
    vertices_.push_back(std::move(kept));
    range_.include(v);
    add_image(vertices_.back());
    weights_.push_back(0.0);
    scores_.push_back(score);
    multiply(size() - 1);
    return size() - 1;
  }

  /// <g, v_k> of every vertex, g = grad f(x), made by `of(k)`.
  template <class Score>
  void make_scores(Score of) {
    scores_.resize(vertices_.size());
    for (Index k = 0; k < size(); ++k) scores_[at(k)] = of(k);
    scored_ = true;
  }
  /// True if scores are those of x: for a quadratic f they follow its steps, in O(size of the active set).
  bool is_scored() const noexcept { return scored_; }
  double score(Index k) const { return scores_[at(k)]; }
  /// <g, x>.
  double score_of_point() const { return dot(weights_, scores_); }
  Index best() const { return std::ranges::min_element(scores_) - scores_.begin(); }
  Index worst() const { return std::ranges::max_element(scores_) - scores_.begin(); }

  /// x <- x + gamma (v_k - x), gamma in [0, 1].
  void toward(Index k, double gamma, Element& x) {
    if (follows()) follow(gamma, product(k), mean_product());
    for (double& w : weights_) w *= 1.0 - gamma;
    weights_[at(k)] += gamma;
    shift(x, 1.0 - gamma, {{gamma, k}});
    range_.clip(x, map_);
    drop();
    grow_rounding(1.0 - gamma);
  }
  /// x <- x + gamma (x - v_k), gamma at most longest_away(k), where v_k leaves the set.
  void away(Index k, double gamma, Element& x) {
    if (follows()) follow(gamma, mean_product(), product(k));
    const double left = gamma < longest_away(k) ? (1.0 + gamma) * weight(k) - gamma : 0.0;
    for (double& w : weights_) w *= 1.0 + gamma;
    weights_[at(k)] = left;
    shift(x, 1.0 + gamma, {{-gamma, k}});
    range_.clip(x, map_);
    drop();
    grow_rounding(1.0 + gamma);
  }
  /// 0 for a vertex that is alone: rounding may leave its weight below 1, and it would leave x without any.
  double longest_away(Index k) const {
    return size() > 1 && weight(k) < 1.0 ? weight(k) / (1.0 - weight(k)) : 0.0;
  }
  /// x <- x + gamma (v_to - v_from), gamma at most the weight of `from`, where it leaves the set.
  void exchange(Index from, Index to, double gamma, Element& x) {
    if (follows()) follow(gamma, product(to), product(from));
    weights_[at(from)] = gamma < weight(from) ? weight(from) - gamma : 0.0;
    weights_[at(to)] += gamma;
    shift(x, 1.0, {{gamma, to}, {-gamma, from}});
    const bool lists = vertex(from).is_list() && vertex(to).is_list();
    if (!(lists && range_.holds(x, vertex(from).coordinates()) && range_.holds(x, vertex(to).coordinates())))
      range_.clip(x, map_);
    drop();
    grow_rounding(1.0);
  }

  /// A bound on the distance between x and the convex combination of its weights, divided by their sum. It
  /// holds to first order, relative to the size of the vertices.
  double rounding() const noexcept { return rounding_; }
  /// Scores are no longer taken for those of x.
  void forget_scores() noexcept { scored_ = false; }

  /// x made anew from the vertices, whose weights are brought to a sum of 1: what rounding has gathered is
  /// gone.
  void refresh(Element& x) {
    rounding_ = 0.0;
    double sum = 0.0;
    for (const double w : weights_) sum += w;
    Element fresh(x.shape());
    if (map_) fresh.keep_image(map_, Buffer::zeros(map_->size()));
    for (Index k = 0; k < size(); ++k) {
      weights_[at(k)] /= sum;
      shift(fresh, 1.0, {{weight(k), k}});
    }
    range_.clip(fresh, map_);
    x = std::move(fresh);
  }

  void state(StateVisitor& v) {
    Index count = size();
    v("count", count);
    v.require(count >= 1 && count <= (Index{1} << 32), "count", "no number of vertices");
    v("weights", weights_);
    v.require(static_cast<Index>(weights_.size()) == count, "weights", "not one a vertex");
    v("rounding", rounding_);
    v.require(rounding_ >= 0.0, "rounding", "negative, or not a number");
    v("range", range_);
    v("scores", scores_);
    v("scored", scored_);
    v.require(static_cast<Index>(scores_.size()) == count, "scores", "not one a vertex");
    for (const double w : weights_)
      v.require(w >= 0.0 && w <= 1.0 + 1e-9, "weights", "not those of a convex combination");
    if (v.loading()) {
      vertices_.resize(at(count), Vertex(vertices_.front().shape()));
      images_.clear(), products_.clear();
    }
    for (Index k = 0; k < count; ++k) {
      v("vertex " + std::to_string(k), vertices_[at(k)]);
      if (!v.loading()) continue;
      add_image(vertices_[at(k)]);
      multiply(k);
    }
  }

 private:
  void add_image(const Vertex& v) {
    if (!map_) return;
    const Element whole = v.element();
    const auto z = whole.image(map_);
    images_.emplace_back(z.begin(), z.end());
  }

  /// x <- factor x + sum a v_k, and its image; in one array if vertices are lists.
  void shift(Element& x, double factor, std::initializer_list<std::pair<double, Index>> terms) const {
    const bool lists = std::ranges::all_of(terms, [&](const auto& t) { return vertex(t.second).is_list(); });
    if (!lists || !(lone_dense(x) || x.is_zero())) return shift_parts(x, factor, terms);
    std::vector<double> z;
    if (map_ && x.has_image(map_)) z.assign(x.image(map_).begin(), x.image(map_).end());
    const std::span<double> entries = x.dense_values();
    if (factor != 1.0)
      for (double& entry : entries) entry *= factor;
    for (double& value : z) value *= factor;
    for (const auto& [a, k] : terms) {
      vertex(k).add_list(a, entries);
      for (std::size_t i = 0; i < z.size(); ++i) z[i] += a * image(k)[i];
    }
    if (!z.empty()) x.keep_image(map_, Buffer(std::move(z)));
  }
  void shift_parts(Element& x, double factor, std::initializer_list<std::pair<double, Index>> terms) const {
    if (factor != 1.0) x.scale(factor);
    for (const auto& [a, k] : terms) {
      const Element v = vertex(k).element();
      if (map_) v.keep_image(map_, Buffer(images_[at(k)]));
      x.add(a, v);
      settle(x);
    }
  }

  /// x in one array if vertices are arrays or lists: each list has a pattern of its own. Its image goes
  /// on.
  void settle(Element& x) const {
    const bool listed = std::ranges::any_of(
        x.parts(), [](const Part& part) { return std::holds_alternative<SparseForm>(part.form); });
    if (!listed) return;
    if (!map_ || !x.has_image(map_)) return void(x.dense_values());
    const auto z = x.image(map_);
    Buffer kept(std::vector<double>(z.begin(), z.end()));
    (void)x.dense_values();
    x.keep_image(map_, std::move(kept));
  }

  void drop() {
    for (std::size_t k = weights_.size(); k-- > 0;)
      if (!(weights_[k] > 0.0)) {
        const auto place = static_cast<std::ptrdiff_t>(k);
        weights_.erase(weights_.begin() + place);
        vertices_.erase(vertices_.begin() + place);
        if (map_) images_.erase(images_.begin() + place);
        scores_.erase(scores_.begin() + place);
        if (products_.empty()) continue;
        products_.erase(products_.begin() + place);
        for (std::vector<double>& row : products_) row.erase(row.begin() + place);
      }
  }

  /// Updates the bound for a step that has multiplied x and its weights by `factor`, each with two roundings
  /// of its own.
  void grow_rounding(double factor) {
    constexpr double kStep = 4.0 * std::numeric_limits<double>::epsilon();
    rounding_ = factor * rounding_ + (1.0 + std::abs(factor)) * kStep;
  }

  bool follows() {
    scored_ = scored_ && !products_.empty();
    return scored_;
  }
  /// <A v_j, C A v_k> for all j, C the diagonal of `curvature`.
  std::span<const double> product(Index k) const { return products_[at(k)]; }
  /// <A v_j, C A x>.
  std::span<const double> mean_product() {
    mean_.assign(scores_.size(), 0.0);
    for (std::size_t k = 0; k < weights_.size(); ++k)
      for (std::size_t j = 0; j < mean_.size(); ++j) mean_[j] += weights_[k] * products_[k][j];
    return mean_;
  }
  /// Updates the scores for a step gamma d, by H d = ahead - behind.
  void follow(double gamma, std::span<const double> ahead, std::span<const double> behind) {
    for (std::size_t j = 0; j < scores_.size(); ++j) scores_[j] += gamma * (ahead[j] - behind[j]);
  }

  /// The products of vertex k with those before it, whose own are made.
  void multiply(Index k) {
    if (curvature_.empty() || k >= kMostProducts) return products_.clear();
    if (k > 0 && products_.empty()) return;  // there were too many
    const auto own = image(k);
    std::vector<double> bent(own.size()), row(at(k + 1));
    for (std::size_t i = 0; i < own.size(); ++i) bent[i] = curvature_[i] * own[i];
    for (Index j = 0; j <= k; ++j) row[at(j)] = dot(bent, image(j));
    for (Index j = 0; j < k; ++j) products_[at(j)].push_back(row[at(j)]);
    products_.push_back(std::move(row));
  }

  static constexpr Index kMostProducts = 4096;

  MapPtr map_;
  std::vector<double> curvature_;
  std::vector<Vertex> vertices_;
  std::vector<std::vector<double>> images_;  ///< A v_k, if there is a map
  std::vector<double> weights_, scores_;
  bool scored_ = false;
  double rounding_ = 0.0;
  EntryRange range_;
  std::vector<std::vector<double>> products_;  ///< of all pairs, or of none
  std::vector<double> mean_;
};

}  // namespace claros::sdk

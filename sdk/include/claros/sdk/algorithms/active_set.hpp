// SPDX-License-Identifier: BSD-3-Clause
/// @file active_set.hpp  A point as a convex combination of vertices.
#pragma once

#include <claros/element/element.hpp>
#include <claros/map/linear_map.hpp>
#include <claros/sdk/entries.hpp>
#include <claros/state/state.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace claros::sdk {

/// x = sum_k w_k v_k with w_k >= 0 and sum w = 1: the active set of away steps, pairwise steps and their
/// like. Vertices of few entries are kept as these; where there is a map, every vertex keeps its image, so
/// that what moves x moves its image without a look at the data. A vertex's score is <grad f(x), v>. x itself
/// belongs to the algorithm and is changed here.
///
/// A step away by gamma multiplies what rounding has put between x, its weights and a convex combination by
/// 1 + gamma, and a step toward a vertex by 1 - gamma. `rounding` follows that bound; `refresh` brings it
/// back to 0.
class ActiveSet {
 public:
  /// x alone, of weight 1: a point of the set, vertex or not. `map`: whose images are kept; null: none.
  /// `curvature`: of a quadratic loss of these images, by which their products are kept too; empty: none.
  void start(const Element& x, MapPtr map, std::vector<double> curvature = {}) {
    map_ = std::move(map);
    curvature_ = std::move(curvature);
    vertices_.clear();
    weights_.clear();
    products_.clear();
    scores_.clear();
    scored_ = false;
    rounding_ = 0.0;
    (void)find_or_add(x);
    weights_.front() = 1.0;
  }

  Index size() const noexcept { return static_cast<Index>(weights_.size()); }
  const Element& vertex(Index k) const { return vertices_[at(k)]; }
  double weight(Index k) const { return weights_[at(k)]; }
  const std::vector<double>& weights() const noexcept { return weights_; }

  /// Where v stands; a new one is the last, of weight 0.
  /// `score` is its score.
  Index find_or_add(const Element& v, double score = 0.0) {
    Element kept = compact(v);
    for (Index k = 0; k < size(); ++k)
      if (are_equal(kept, vertex(k))) return k;
    if (map_) (void)kept.image(map_);
    vertices_.push_back(std::move(kept));
    weights_.push_back(0.0);
    scores_.push_back(score);
    multiply(size() - 1);
    return size() - 1;
  }

  /// <g, v_k> of every vertex, g = grad f(x), made by `of` for each.
  template <class Score>
  void make_scores(Score of) {
    scores_.resize(vertices_.size());
    for (std::size_t k = 0; k < vertices_.size(); ++k) scores_[k] = of(vertices_[k]);
    scored_ = true;
  }
  /// Whether scores are those of x: of a quadratic f they follow its steps, in O(size of the active set).
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
    x.scale(1.0 - gamma);
    x.add(gamma, vertex(k));
    settle(x);
    drop();
    grow_rounding(1.0 - gamma);
  }
  /// x <- x + gamma (x - v_k), gamma at most longest_away(k), where v_k leaves the set.
  void away(Index k, double gamma, Element& x) {
    if (follows()) follow(gamma, mean_product(), product(k));
    const double left = gamma < longest_away(k) ? (1.0 + gamma) * weight(k) - gamma : 0.0;
    for (double& w : weights_) w *= 1.0 + gamma;
    weights_[at(k)] = left;
    x.scale(1.0 + gamma);
    x.add(-gamma, vertex(k));
    settle(x);
    drop();
    grow_rounding(1.0 + gamma);
  }
  double longest_away(Index k) const { return weight(k) < 1.0 ? weight(k) / (1.0 - weight(k)) : 0.0; }
  /// x <- x + gamma (v_to - v_from), gamma at most the weight of `from`, where it leaves the set.
  void exchange(Index from, Index to, double gamma, Element& x) {
    if (follows()) follow(gamma, product(to), product(from));
    weights_[at(from)] = gamma < weight(from) ? weight(from) - gamma : 0.0;
    weights_[at(to)] += gamma;
    x.add(gamma, vertex(to));
    x.add(-gamma, vertex(from));
    settle(x);
    drop();
    grow_rounding(1.0);
  }

  /// A bound, to first order and relative to the size of the vertices, on the distance of x to the convex
  /// combination that its weights, divided by their sum, describe.
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
    if (map_) (void)fresh.image(map_);
    for (Index k = 0; k < size(); ++k) {
      weights_[at(k)] /= sum;
      fresh.add(weight(k), vertex(k));
      settle(fresh);
    }
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
    v("scores", scores_);
    v("scored", scored_);
    v.require(static_cast<Index>(scores_.size()) == count, "scores", "not one a vertex");
    for (const double w : weights_)
      v.require(w >= 0.0 && w <= 1.0 + 1e-9, "weights", "not those of a convex combination");
    if (v.loading()) vertices_.resize(at(count), Element(vertices_.front().shape())), products_.clear();
    for (Index k = 0; k < count; ++k) {
      Stored stored{vertices_[at(k)]};
      v("vertex " + std::to_string(k), stored);
      if (!v.loading()) continue;
      vertices_[at(k)] = std::move(stored.vertex);
      if (map_) (void)vertex(k).image(map_);
      multiply(k);
    }
  }

 private:
  static std::size_t at(Index k) { return static_cast<std::size_t>(k); }

  /// The entries of a sparse vertex, whose pattern is its own and stands in no archive; else the element.
  struct Stored {
    Element vertex;
    void state(StateVisitor& v) {
      const SparseForm* form = sparse(vertex);
      bool listed = form != nullptr;
      v("listed", listed);
      if (!listed) {
        v("element", vertex);
        return;
      }
      const Shape shape = vertex.shape();
      std::vector<Index> rows, cols;
      std::vector<double> values;
      if (form) {
        rows.assign(form->pattern->row().begin(), form->pattern->row().end());
        cols.assign(form->pattern->col().begin(), form->pattern->col().end());
        for (const double value : form->values.view())
          values.push_back(vertex.parts().front().weight * value);
      }
      v("rows", rows);
      v("cols", cols);
      v("values", values);
      v.require(rows.size() == cols.size() && rows.size() == values.size(), "values", "not one an entry");
      for (std::size_t e = 0; e < rows.size(); ++e)
        v.require(rows[e] >= 0 && rows[e] < shape.rows && cols[e] >= 0 && cols[e] < shape.cols, "rows",
                  "outside the variable");
      if (v.loading())
        vertex =
            Element::sparse(std::make_shared<Pattern>(shape.rows, shape.cols,
                                                      std::vector<std::int32_t>(rows.begin(), rows.end()),
                                                      std::vector<std::int32_t>(cols.begin(), cols.end())),
                            Buffer(std::move(values)));
    }
  };

  static const SparseForm* sparse(const Element& v) {
    return v.parts().size() == 1 && v.block_count() == 0 ? std::get_if<SparseForm>(&v.parts().front().form)
                                                         : nullptr;
  }
  static const DenseForm* dense(const Element& v) {
    return v.parts().size() == 1 && v.block_count() == 0 ? std::get_if<DenseForm>(&v.parts().front().form)
                                                         : nullptr;
  }

  /// Without the zeros of an array that is mostly these, and without images.
  static Element compact(const Element& v) {
    Element own(v);
    own.drop_images();
    const DenseForm* form = dense(own);
    if (!form) return own;
    const auto values = form->values.view();
    const auto zeros = std::count(values.begin(), values.end(), 0.0);
    if (const auto size = static_cast<std::ptrdiff_t>(values.size()); zeros < size - size / kFewer)
      return own;
    std::vector<std::int32_t> rows, cols;
    std::vector<double> entries;
    const Shape shape = own.shape();
    for (Index i = 0; i < shape.rows; ++i)
      for (Index j = 0; j < shape.cols; ++j)
        if (const double value = values[at(j * shape.rows + i)]; value != 0.0) {
          rows.push_back(static_cast<std::int32_t>(i));
          cols.push_back(static_cast<std::int32_t>(j));
          entries.push_back(own.parts().front().weight * value);
        }
    return Element::sparse(
        std::make_shared<Pattern>(shape.rows, shape.cols, std::move(rows), std::move(cols)),
        Buffer(std::move(entries)));
  }

  /// Of two that are both lists, or both arrays: others are taken for different, and a vertex then stands
  /// twice.
  static bool are_equal(const Element& a, const Element& b) {
    const auto same = [](auto x, auto y) { return std::ranges::equal(x, y); };
    if (const SparseForm* u = sparse(a), *v = sparse(b); u && v)
      return same(u->pattern->row(), v->pattern->row()) && same(u->pattern->col(), v->pattern->col()) &&
             same(u->values.view(), v->values.view()) && a.parts().front().weight == b.parts().front().weight;
    if (const DenseForm* u = dense(a), *v = dense(b); u && v)
      return a.parts().front().weight == b.parts().front().weight && same(u->values.view(), v->values.view());
    return false;
  }

  /// x in one array where vertices are arrays or lists: each list has a pattern of its own. Its image goes
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
        scores_.erase(scores_.begin() + place);
        if (products_.empty()) continue;
        products_.erase(products_.begin() + place);
        for (std::vector<double>& row : products_) row.erase(row.begin() + place);
      }
  }

  /// Of a step that has multiplied x and its weights by `factor`, each with two roundings of its own.
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
  /// Of a step gamma d, by H d = ahead - behind.
  void follow(double gamma, std::span<const double> ahead, std::span<const double> behind) {
    for (std::size_t j = 0; j < scores_.size(); ++j) scores_[j] += gamma * (ahead[j] - behind[j]);
  }

  /// The products of vertex k with those before it, whose own are made.
  void multiply(Index k) {
    if (curvature_.empty() || k >= kMostProducts) return products_.clear();
    if (k > 0 && products_.empty()) return;  // there were too many
    const auto own = vertex(k).image(map_);
    std::vector<double> bent(own.size()), row(at(k + 1));
    for (std::size_t i = 0; i < own.size(); ++i) bent[i] = curvature_[i] * own[i];
    for (Index j = 0; j <= k; ++j) row[at(j)] = dot(bent, vertex(j).image(map_));
    for (Index j = 0; j < k; ++j) products_[at(j)].push_back(row[at(j)]);
    products_.push_back(std::move(row));
  }

  static constexpr std::ptrdiff_t kFewer = 8;  ///< a list where at most an eighth of the entries is not 0
  static constexpr Index kMostProducts = 4096;

  MapPtr map_;
  std::vector<double> curvature_;
  std::vector<Element> vertices_;
  std::vector<double> weights_, scores_;
  bool scored_ = false;
  double rounding_ = 0.0;
  std::vector<std::vector<double>> products_;  ///< of all pairs, or of none
  std::vector<double> mean_;
};

}  // namespace claros::sdk

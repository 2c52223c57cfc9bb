// SPDX-License-Identifier: BSD-3-Clause
#include "restricted_problem.hpp"

#include <claros/head_oracle.hpp>

using namespace claros;

namespace {

/// The images under one map as those under the other: they have the same outputs.
void hand_on(const Element& from, const MapPtr& map, const Element& to, const MapPtr& other) {
  if (!from.has_image(map)) return;
  const auto z = from.image(map);
  to.keep_image(other, Buffer(std::vector<double>(z.begin(), z.end())));
}

}  // namespace

RestrictedProblem::RestrictedProblem(const Problem& whole, const Blocks& blocks,
                                     std::span<const Index> chosen)
    : shape_(whole.objective->shape()), problem_(whole) {
  problem_.truth = nullptr;
  is_whole_ = static_cast<Index>(chosen.size()) == blocks.count();
  if (is_whole_) return;
  for (const Index b : chosen)
    for (Index k = 0; k < blocks.size(b); ++k) coordinates_.push_back(blocks.coordinate(b, k));
  auto* tail = query<FreeTail>(*whole.objective);
  for (Index j = tail ? tail->constrained_shape().size() : shape_.size(); j < shape_.size(); ++j)
    coordinates_.push_back(j);
  objective_ = query<Restrictable>(*whole.objective)->restrict_to(coordinates_);
  penalty_ = whole.separable->restrict_to(chosen);
  auto& f = static_cast<Objective&>(*objective_);
  problem_.objective = &f;
  problem_.penalty = query<ProximalOracle>(*penalty_);
  if (auto* small_tail = query<FreeTail>(f)) {
    head_ = std::make_shared<HeadOracle>(penalty_, *problem_.penalty, small_tail->constrained_shape());
    problem_.penalty = head_.get();
  }
  problem_.conjugate = query<Conjugate>(*penalty_);
  problem_.separable = query<Separable>(*penalty_);
  if (auto* loss = query<LossOfImage>(*whole.objective)) map_ = loss->map();
  if (auto* loss = query<LossOfImage>(f)) small_map_ = loss->map();
}

Element RestrictedProblem::shrink(const Element& x) const {
  if (is_whole_) return x;
  const std::vector<double> values = x.to_dense();
  std::vector<double> some;
  for (const Index j : coordinates_) some.push_back(values[static_cast<std::size_t>(j)]);
  Element small = Element::dense(problem_.objective->shape(), std::move(some));
  if (map_ && small_map_) hand_on(x, map_, small, small_map_);
  return small;
}

Element RestrictedProblem::expand(const Element& small) const {
  if (is_whole_) return small;
  const std::vector<double> some = small.to_dense();
  std::vector<double> values(static_cast<std::size_t>(shape_.size()), 0.0);
  for (std::size_t k = 0; k < some.size(); ++k) values[static_cast<std::size_t>(coordinates_[k])] = some[k];
  Element x = Element::dense(shape_, std::move(values));
  if (!map_ || !small_map_) return x;
  (void)small.image(small_map_);
  hand_on(small, small_map_, x, map_);
  return x;
}

// SPDX-License-Identifier: BSD-3-Clause
/// @file segment_share.hpp  How far algorithms go along a segment that lies in the set.
#pragma once

#include <claros/abilities.hpp>
#include <claros/algorithm.hpp>
#include <shared/algorithms/step_rule.hpp>

#include <vector>

namespace claros::sdk {

/// The share of the way from x to another point of C. It minimises f (line-search, along the image if f is a
/// loss of one), or is that of the short step.
class SegmentShare {
 public:
  SegmentShare(Step step, double smoothness) : rule_({.step = step, .smoothness = smoothness}) {}

  void start(const Problem& problem) {
    problem_ = &problem;
    loss_ = query<LossOfImage>(*problem.objective);
    rule_.start(*problem.objective);
  }
  /// f falls by `slope` at first, of the whole way.
  double operator()(Index t, const Element& x, const Element& end, double slope) {
    if (rule_.rule() == Step::line_search && loss_) {
      const auto z = x.image(loss_->map()), ahead = end.image(loss_->map());
      along_.resize(z.size());
      for (std::size_t k = 0; k < z.size(); ++k) along_[k] = ahead[k] - z[k];
      return search_(*loss_, z, along_);
    }
    const auto squared = [&] { return inner_differences(end, x, end, x); };
    return rule_.weight(
        {t, slope, problem_->linear_oracle->diameter(x.shape()), &x, &end, problem_->objective, squared});
  }
  void state(StateVisitor& v) { v("step rule", rule_); }

 private:
  StepRule rule_;
  ImageSearch search_;
  const Problem* problem_ = nullptr;
  LossOfImage* loss_ = nullptr;
  std::vector<double> along_;
};

}  // namespace claros::sdk

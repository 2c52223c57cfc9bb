// SPDX-License-Identifier: BSD-3-Clause
/// @file point_lines.hpp  Consecutive lines of a point: rows of X, or of X' where X is wide.
#pragma once

#include <claros/element/element.hpp>

#include <vector>

namespace sharded {

/// X, to be read in ranges of lines. Low-rank parts share their columns; all else is expanded once.
class PointLines {
 public:
  PointLines(const claros::Element& x, bool tall);
  /// The lines [first, first + count), a matrix of count x the shorter side.
  claros::Element lines(claros::Index first, claros::Index count) const;

 private:
  struct LowRank {
    double weight;
    claros::LowRankForm form;
  };
  bool tall_;
  claros::Shape shape_;
  std::vector<LowRank> low_rank_;
  std::vector<double> rest_;  ///< column-major, or empty for 0
};

/// The lines of w X.
claros::Element low_rank_lines(double w, const claros::LowRankForm& form, bool tall, claros::Index first,
                               claros::Index count);

}  // namespace sharded

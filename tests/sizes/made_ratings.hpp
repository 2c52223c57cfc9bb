// SPDX-License-Identifier: BSD-3-Clause
/// @file made_ratings.hpp  Ratings of a random matrix of rank 5 plus noise, of any size.
#pragma once

#include "../plugins/compose_for_test.hpp"

#include <cstdint>
#include <fstream>

namespace claros::test {

/// 3.5 + 0.4 <u_i, v_j> + 0.5 noise, rounded and clipped to 1..5, at `count` of the positions, in a file of a
/// folder that is removed with this.
class MadeRatings {
 public:
  MadeRatings(Index rows, Index cols, Index count) : rows_(rows), cols_(cols) {
    constexpr Index kRank = 5;
    Engine engine(7);
    std::normal_distribution<double> normal;
    const auto factor = [&](Index length) {
      std::vector<double> values(at(length * kRank));
      for (double& value : values) value = normal(engine);
      return values;
    };
    const std::vector<double> u = factor(rows), v = factor(cols);
    std::ofstream out(folder_ / "ratings.tsv");
    for (const std::int64_t place : places(engine, count)) {
      const std::int64_t i = place / cols, j = place % cols;
      double product = 0.0;
      for (Index k = 0; k < kRank; ++k) product += u[at(i * kRank + k)] * v[at(j * kRank + k)];
      const double value = std::clamp(std::round(3.5 + 0.4 * product + 0.5 * normal(engine)), 1.0, 5.0);
      out << i + 1 << '\t' << j + 1 << '\t' << static_cast<int>(value) << '\n';
    }
  }

  /// Centred at the mean, with more words.
  Words words(const Words& more) const {
    return Words{"objective.use=matrix-completion", "objective.data=" + (folder_ / "ratings.tsv").string(),
                 "objective.center=mean"} +
           more;
  }
  double bytes_of_all_entries() const {
    return static_cast<double>(rows_) * static_cast<double>(cols_) * sizeof(double);
  }

 private:
  std::vector<std::int64_t> places(Engine& engine, Index count) const {
    std::uniform_int_distribution<std::int64_t> anywhere(0, rows_ * cols_ - 1);
    std::vector<std::int64_t> all(at(count + count / 50));
    for (std::int64_t& place : all) place = anywhere(engine);
    std::ranges::sort(all);
    all.erase(std::unique(all.begin(), all.end()), all.end());
    std::shuffle(all.begin(), all.end(), engine);
    all.resize(std::min(all.size(), at(count)));
    return all;
  }

  Index rows_, cols_;
  TestFolder folder_;
};

}  // namespace claros::test

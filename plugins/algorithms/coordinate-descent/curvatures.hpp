// SPDX-License-Identifier: BSD-3-Clause
/// @file curvatures.hpp  By how much f(x) = phi(A x) bends along a block of coordinates, and along one while
/// a free coordinate stays at its best.
#pragma once

#include "slopes.hpp"

#include <Eigen/Dense>

#include <algorithm>
#include <span>
#include <vector>

/// The largest eigenvalues of A_b' D A_b, for blocks b. A single free coordinate, of the column a_0, may
/// follow every move of a quadratic phi. Then A_b is the rest that a_0 leaves: a_j - (a_0' D a_j / a_0' D
/// a_0) a_0.
class Curvatures {
 public:
  static constexpr double kSafe = 1.0 + 1e-10;  ///< of rounding: what eigenvalues are enlarged by

  /// D is diag(weights), by output. `free` is the coordinate that follows, -1 if none does.
  void start(const CoordinateColumns& of, std::span<const double> weights, claros::Index free) {
    of_ = of;
    weights_ = weights;
    free_ = free;
    some_are_near_ = false;
    along_.clear(), share_.clear(), left_.clear(), near_.clear();
    if (free < 0) return;
    std::vector<double> weighted(weights.size(), 0.0);
    of.columns->add_weighted(free, 1.0, weights, weighted);
    const double own = of.columns->dot(free, weighted);
    if (!(own > 0.0)) free_ = -1;
    for (claros::Index j = 0; has_free() && j < of.columns->count(); ++j) add(j, weighted, own);
  }

  bool has_free() const { return free_ >= 0; }
  /// a_0' D a_j, and by how much the free coordinate falls when x_j grows by 1.
  double along(claros::Index j) const { return along_[claros::at(j)]; }
  double share(claros::Index j) const { return share_[claros::at(j)]; }
  /// True if a_0 leaves so little of a_j that differences of sums over either have few digits.
  bool is_near(claros::Index j) const { return has_free() && near_[claros::at(j)]; }
  /// True if some coordinate that can move is near.
  bool some_are_near() const { return some_are_near_; }

  /// The curvature of one coordinate.
  double of(claros::Index j) const { return has_free() ? left_[claros::at(j)] : whole(j); }

  /// The curvature of a block: outputs are apart, so it is the largest of theirs.
  double of(const std::vector<claros::Index>& block) const {
    double most = 0.0;
    for (const auto& some : by_output(block))
      if (!some.empty()) most = std::max(most, of_one_output(some));
    return most;
  }

  /// A_b' D A_b; of no rows where the block has coordinates of several outputs, or is large.
  Eigen::MatrixXd matrix(const std::vector<claros::Index>& block) const {
    if (block.size() > kMany) return {};
    for (const claros::Index j : block)
      if (of_.output(j) != of_.output(block.front())) return {};
    if (std::ranges::any_of(block, [this](claros::Index j) { return is_near(j); }))
      return from_entries(block);
    std::vector<claros::Index> columns;
    for (const claros::Index j : block) columns.push_back(of_.column(j));
    const auto m = static_cast<Eigen::Index>(block.size());
    const std::vector<double> gram = of_.columns->chosen(columns).gram(of_.piece(weights_, block.front()));
    Eigen::MatrixXd G = Eigen::Map<const Eigen::MatrixXd>(gram.data(), m, m);
    if (!has_free()) return G;
    Eigen::VectorXd h(m);
    for (Eigen::Index k = 0; k < m; ++k) h[k] = along(block[claros::at(k)]);
    return G - h * h.transpose() / along(free_);
  }

 private:
  double whole(claros::Index j) const {
    return of_.columns->weighted_square(of_.column(j), of_.piece(weights_, j));
  }

  /// The rest of a near column is made entry by entry; it is 0 if only rounding is left.
  void add(claros::Index j, const std::vector<double>& weighted, double own) {
    const double all = whole(j);
    along_.push_back(of_.columns->dot(j, weighted));
    share_.push_back(along_.back() / own);
    left_.push_back(j == free_ ? all : all - along_.back() * share_.back());
    near_.push_back(all > 0.0 && !(left_.back() > kNear * all));
    if (!near_.back()) return;
    std::vector<double> entries = entries_left(j);
    for (std::size_t i = 0; i < entries.size(); ++i) share_.back() += entries[i] * weighted[i] / own;
    entries = entries_left(j);
    left_.back() = 0.0;
    for (std::size_t i = 0; i < entries.size(); ++i) left_.back() += weights_[i] * entries[i] * entries[i];
    if (left_.back() > kVanishes * all)
      some_are_near_ = true;
    else
      left_.back() = 0.0;
  }
  std::vector<double> entries_left(claros::Index j) const {
    std::vector<double> entries(weights_.size(), 0.0);
    of_.columns->add(j, 1.0, entries);
    of_.columns->add(free_, -share(j), entries);
    return entries;
  }

  Eigen::MatrixXd from_entries(const std::vector<claros::Index>& block) const {
    constexpr std::size_t kMostEntries = std::size_t{1} << 24;
    const std::size_t n = weights_.size(), m = block.size();
    if (n * m > kMostEntries) return {};
    Eigen::MatrixXd Z(static_cast<Eigen::Index>(n), static_cast<Eigen::Index>(m));
    for (std::size_t k = 0; k < m; ++k) {
      const std::vector<double> entries = entries_left(block[k]);
      Z.col(static_cast<Eigen::Index>(k)) = Eigen::Map<const Eigen::VectorXd>(entries.data(), Z.rows());
    }
    const Eigen::Map<const Eigen::VectorXd> D(weights_.data(), Z.rows());
    return Z.transpose() * D.asDiagonal() * Z;
  }

  std::vector<std::vector<claros::Index>> by_output(const std::vector<claros::Index>& block) const {
    std::vector<std::vector<claros::Index>> members(claros::at(of_.output_count()));
    for (const claros::Index j : block) members[claros::at(of_.output(j))].push_back(j);
    return members;
  }

  /// The largest eigenvalue, and a little more to be safe of rounding; if there is no matrix, the sum of
  /// all.
  double of_one_output(const std::vector<claros::Index>& members) const {
    if (members.size() == 1) return kSafe * of(members.front());
    const Eigen::MatrixXd G = matrix(members);
    if (G.rows() == 0) return sum_of(members);
    return kSafe *
           Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(G, Eigen::EigenvaluesOnly).eigenvalues().maxCoeff();
  }
  double sum_of(const std::vector<claros::Index>& members) const {
    double sum = 0.0;
    for (const claros::Index j : members) sum += of(j);
    return sum;
  }

  static constexpr std::size_t kMany = 200;
  static constexpr double kNear = 1e-6, kVanishes = 1e-16;

  CoordinateColumns of_;
  std::span<const double> weights_;
  claros::Index free_ = -1;
  std::vector<double> along_, share_, left_;  ///< A' D a_0; over a_0' D a_0; curvatures
  std::vector<bool> near_;
  bool some_are_near_ = false;
};

// SPDX-License-Identifier: BSD-3-Clause
/// @file cheapest_plan.hpp  A transport plan of least cost, by successive shortest paths.
#pragma once

#include <claros/sdk/entries.hpp>

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace transport {

/// argmin <C, X> over X >= 0, X 1 = a, X'1 = b, for sums of a and b that agree to rounding. Potentials u and
/// v keep c_ij - u_i - v_j >= 0, with equality wherever x_ij > 0. The rest of a goes along a shortest path of
/// the residual graph (Dijkstra's method) to the nearest column that lacks some. The path has fewest arcs
/// among the shortest, so that amounts of any size end. (Ahuja, Magnanti, Orlin: Network Flows,
/// 1993, section 9.7; Edmonds, Karp 1972.)
class CheapestPlan {
 public:
  /// Writes X, column-major.
  void operator()(std::span<const double> c, std::span<const double> a, std::span<const double> b,
                  std::span<double> x) {
    start(c, a, b);
    std::ranges::fill(x, 0.0);
    for (std::size_t i = 0; i < m_; ++i) send_to_nearest(i, x);
    while (std::ranges::any_of(excess_, [](double left) { return left > 0.0; }) && send(x)) {
    }
  }
  /// A lower bound of <C, X> over all plans, which any u gives: sum a_i u_i + sum b_j min_i (c_ij - u_i).
  double bound(std::span<const double> a, std::span<const double> b) const {
    double sum = claros::sdk::dot(a, u_);
    for (std::size_t j = 0; j < n_; ++j) {
      double least = claros::sdk::kInfinity;
      for (std::size_t i = 0; i < m_; ++i) least = std::min(least, cost_[i * n_ + j] - u_[i]);
      sum += b[j] * least;
    }
    return sum;
  }

 private:
  static constexpr auto kNone = static_cast<std::size_t>(-1);

  struct Reached {
    double distance = claros::sdk::kInfinity;
    std::size_t arcs = 0, from = kNone;
    bool done = false;
    bool after(double d, std::size_t hops) const {
      return !done && (d < distance || (d == distance && hops < arcs));
    }
  };

  void start(std::span<const double> c, std::span<const double> a, std::span<const double> b) {
    m_ = a.size();
    n_ = b.size();
    cost_.resize(c.size());
    for (std::size_t j = 0; j < n_; ++j)
      for (std::size_t i = 0; i < m_; ++i) cost_[i * n_ + j] = c[j * m_ + i];
    excess_.assign(a.begin(), a.end());
    lack_.assign(b.begin(), b.end());
    u_.assign(m_, 0.0);
    v_.assign(n_, claros::sdk::kInfinity);
    for (std::size_t i = 0; i < m_; ++i) {
      const auto row = std::span(cost_).subspan(i * n_, n_);
      u_[i] = *std::ranges::min_element(row);
      for (std::size_t j = 0; j < n_; ++j) v_[j] = std::min(v_[j], row[j] - u_[i]);
    }
  }
  double reduced(std::size_t i, std::size_t j) const {
    return std::max(cost_[i * n_ + j] - u_[i] - v_[j], 0.0);
  }
  /// A row's amount to the columns at reduced cost 0, as far as they lack it.
  void send_to_nearest(std::size_t i, std::span<double> x) {
    for (std::size_t j = 0; j < n_ && excess_[i] > 0.0; ++j)
      if (lack_[j] > 0.0 && reduced(i, j) == 0.0) carry(i, j, std::min(excess_[i], lack_[j]), x);
  }
  void carry(std::size_t i, std::size_t j, double amount, std::span<double> x) {
    x[j * m_ + i] += amount;
    excess_[i] -= amount;
    lack_[j] -= amount;
  }

  /// One amount along a shortest path; false if no column lacks any, up to rounding.
  bool send(std::span<double> x) {
    const std::size_t end = nearest(x);
    if (end == kNone) return false;
    const double far = reached_[m_ + end].distance;
    for (std::size_t i = 0; i < m_; ++i) u_[i] -= std::min(reached_[i].distance, far);
    for (std::size_t j = 0; j < n_; ++j) v_[j] += std::min(reached_[m_ + j].distance, far);
    double amount = lack_[end];
    std::size_t node = m_ + end;
    for (; reached_[node].from != kNone; node = reached_[node].from)
      if (node < m_) amount = std::min(amount, x[(reached_[node].from - m_) * m_ + node]);
    amount = std::min(amount, excess_[node]);
    excess_[node] -= amount;
    lack_[end] -= amount;
    for (node = m_ + end; reached_[node].from != kNone; node = reached_[node].from) {
      const std::size_t from = reached_[node].from;
      (node < m_ ? x[(from - m_) * m_ + node] : x[(node - m_) * m_ + from]) += node < m_ ? -amount : amount;
    }
    return true;
  }
  /// The nearest column that lacks some, and how each node on the way was reached.
  std::size_t nearest(std::span<const double> x) {
    reached_.assign(m_ + n_, {});
    for (std::size_t i = 0; i < m_; ++i)
      if (excess_[i] > 0.0) reached_[i].distance = 0.0;
    while (true) {
      std::size_t node = kNone;
      for (std::size_t k = 0; k < reached_.size(); ++k)
        if (!reached_[k].done && reached_[k].distance < claros::sdk::kInfinity &&
            (node == kNone || reached_[node].after(reached_[k].distance, reached_[k].arcs)))
          node = k;
      if (node == kNone) return kNone;
      if (node >= m_ && lack_[node - m_] > 0.0) return node - m_;
      reach_from(node, x);
    }
  }
  void reach_from(std::size_t node, std::span<const double> x) {
    Reached& here = reached_[node];
    const std::size_t hops = here.arcs + 1;
    const auto reach = [&](std::size_t to, double distance) {
      if (reached_[to].after(distance, hops)) reached_[to] = {distance, hops, node, false};
    };
    if (node < m_)
      for (std::size_t j = 0; j < n_; ++j) reach(m_ + j, here.distance + reduced(node, j));
    else
      for (std::size_t i = 0; i < m_; ++i)
        if (x[(node - m_) * m_ + i] > 0.0) reach(i, here.distance);
    here.done = true;
  }

  std::size_t m_ = 0, n_ = 0;
  std::vector<double> cost_;  ///< row by row
  std::vector<double> u_, v_, excess_, lack_;
  std::vector<Reached> reached_;  ///< the rows, then the columns
};

}  // namespace transport

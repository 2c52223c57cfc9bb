// SPDX-License-Identifier: BSD-3-Clause
#include "spread_biases.hpp"

#include "bias_equations.hpp"

#include <claros/tree_sum.hpp>

namespace matrix_completion {

using namespace claros;

namespace {}  // namespace

template <class Use>
void SpreadBiases::for_entries(Index k, const Use& use) const {
  const LineEntries& chunk = parts_.chunk(k);
  const Vector &w = w_[at(k - parts_.mine().first)], &r = r_[at(k - parts_.mine().first)];
  for (std::size_t e = 0; e < chunk.size(); ++e)
    use(at(chunk.line[e]) - first_, at(chunk.across[e]), w[e], r[e]);
}

template <class Use>
std::vector<double> SpreadBiases::across_sum(const Use& use) const {
  Vector sum((parts_.tall() ? parts_.col_entries() : parts_.row_entries()).size());
  tree_sum(parts_.world(), "biases", parts_.count(), sum, [&](Index k, std::span<double> partial) {
    for_entries(k, [&](std::size_t line, std::size_t across, double w, double r) {
      partial[across] += use(line, w, r);
    });
    return true;
  });
  return sum;
}

SpreadBiases::SpreadBiases(RatingParts& parts, const std::vector<Vector>& w, const std::vector<Vector>& r,
                           double lambda_line, double lambda_across)
    : parts_(parts), w_(w), r_(r), first_(at(parts.first_line()[at(parts.mine().first)])) {
  const std::size_t lines = at(parts.first_line()[at(parts.mine().last)]) - first_;
  line_weight_.assign(lines, lambda_line), line_sum_.assign(lines, 0.0);
  for (Index k = parts.mine().first; k < parts.mine().last; ++k)
    for_entries(k, [&](std::size_t line, std::size_t, double weight, double residual) {
      line_weight_[line] += weight;
      line_sum_[line] += weight * residual;
    });
  across_weight_ = across_sum([](std::size_t, double weight, double) { return weight; });
  across_sum_ = across_sum([](std::size_t, double weight, double residual) { return weight * residual; });
  for (double& weight : across_weight_) weight += lambda_across;
}

std::vector<double> SpreadBiases::lines_given(double a, const Vector& c) const {
  Vector b = line_sum_;
  for (double& sum : b) sum *= a;
  for (Index k = parts_.mine().first; k < parts_.mine().last; ++k)
    for_entries(k, [&](std::size_t line, std::size_t across, double weight, double) {
      b[line] -= weight * c[across];
    });
  for (std::size_t i = 0; i < b.size(); ++i) b[i] /= line_weight_[i];
  return b;
}

/// p_c - W' D_b^-1 p_b
std::vector<double> SpreadBiases::right_side() const {
  const Vector b = lines_given(1.0, Vector(across_sum_.size(), 0.0));
  const Vector sum = across_sum([&](std::size_t line, double weight, double) { return weight * b[line]; });
  Vector v = across_sum_;
  for (std::size_t j = 0; j < v.size(); ++j) v[j] -= sum[j];
  return v;
}

/// D_c d - W' D_b^-1 W d
std::vector<double> SpreadBiases::times(const Vector& d) const {
  const Vector b = lines_given(0.0, d);  // minus D_b^-1 W d
  Vector product = across_sum([&](std::size_t line, double weight, double) { return weight * b[line]; });
  for (std::size_t j = 0; j < d.size(); ++j) product[j] += across_weight_[j] * d[j];
  return product;
}

std::vector<double> SpreadBiases::gathered(const Vector& mine) const {
  const World& world = parts_.world();
  std::vector<std::size_t> start{0};
  for (int r = 0; r < world.size(); ++r)
    start.push_back(at(parts_.first_line()[at(chunks_of_rank(parts_.count(), r, world.size()).last)]));
  Vector all(start.back());
  gather(parts_.world(), "biases", mine, start, all);
  return all;
}

void SpreadBiases::solve(std::vector<double>& lines, std::vector<double>& across) const {
  across = conjugate_gradients(right_side(), across_weight_, [this](const Vector& d) { return times(d); });
  lines = gathered(lines_given(1.0, across));
}

}  // namespace matrix_completion

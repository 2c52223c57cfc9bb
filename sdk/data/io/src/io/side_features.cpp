// SPDX-License-Identifier: BSD-3-Clause
#include <claros/io/features.hpp>
#include <claros/map/linear_operator.hpp>
#include <claros/random.hpp>
#include <claros/spectral/spectral.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace claros {

namespace {

class FeatureOperator final : public LinearOperator {
 public:
  explicit FeatureOperator(const Features& a) : a_(a) {}
  Index rows() const override { return a_.rows(); }
  Index cols() const override { return a_.width; }
  void apply(std::span<const double> x, std::span<double> y) const override { a_.apply(x, y); }
  void apply_adjoint(std::span<const double> y, std::span<double> x) const override {
    a_.apply_adjoint(y, x);
  }

 private:
  const Features& a_;
};

}  // namespace

std::string Features::name(Index k) const { return names.empty() ? std::to_string(k + 1) : names[at(k)]; }

Features Features::indicators(Index rows, double c) {
  Features made{.width = rows, .start = {}, .value = std::vector<double>(at(rows), c)};
  for (Index i = 0; i <= rows; ++i) made.start.push_back(i);
  for (Index i = 0; i < rows; ++i) made.column.push_back(static_cast<std::int32_t>(i));
  return made;
}

std::vector<double> Features::squared_norms() const {
  std::vector<double> norms(at(rows()), 0.0);
  for (Index i = 0; i < rows(); ++i)
    for (Index e = start[at(i)]; e < start[at(i) + 1]; ++e) norms[at(i)] += value[at(e)] * value[at(e)];
  return norms;
}

void Features::apply(std::span<const double> x, std::span<double> y) const {
  for (Index i = 0; i < rows(); ++i) {
    double sum = 0.0;
    for (Index e = start[at(i)]; e < start[at(i) + 1]; ++e) sum += value[at(e)] * x[at(column[at(e)])];
    y[at(i)] = sum;
  }
}

void Features::apply_adjoint(std::span<const double> y, std::span<double> x) const {
  std::ranges::fill(x, 0.0);
  for (Index i = 0; i < rows(); ++i)
    for (Index e = start[at(i)]; e < start[at(i) + 1]; ++e) x[at(column[at(e)])] += value[at(e)] * y[at(i)];
}

double Features::norm_bound() const {
  const double frobenius =
      std::sqrt(std::inner_product(value.begin(), value.end(), value.begin(), 0.0));  // of one column exact
  RandomStream stream(0, Purpose::confirmation);
  const double lanczos = spectral_norm_bound(FeatureOperator(*this), {}, stream);
  return std::min(frobenius, lanczos);
}

}  // namespace claros

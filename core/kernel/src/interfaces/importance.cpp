// SPDX-License-Identifier: BSD-3-Clause
#include <claros/error.hpp>
#include <claros/importance.hpp>
#include <claros/parameters.hpp>

#include <boost/random/discrete_distribution.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace claros {

namespace {

/// A stream as Boost.Random wants its sources.
struct Bits {
  using result_type = std::uint64_t;
  RandomStream& stream;
  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }
  result_type operator()() { return stream.next(); }
};

void require_constants(std::span<const double> smoothness) {
  bool positive = false;
  for (std::size_t i = 0; i < smoothness.size(); ++i) {
    positive = positive || smoothness[i] > 0.0;
    if (smoothness[i] >= 0.0 && std::isfinite(smoothness[i])) continue;
    throw Error(ErrorKind::usage, "sampling",
                "the smoothness of component " + std::to_string(i + 1) + " is " + print_real(smoothness[i]) +
                    "; importance sampling needs finite numbers >= 0",
                "use estimator.sampling = uniform");
  }
  if (!positive)
    throw Error(ErrorKind::usage, "sampling",
                "no component has a smoothness above 0 to be drawn in proportion to",
                "use estimator.sampling = uniform");
}

/// In mean 1, so that a sum of large constants does not overflow.
std::vector<double> proportions(std::span<const double> smoothness) {
  constexpr double kFloor = 1e-3;
  require_constants(smoothness);
  const double largest = *std::max_element(smoothness.begin(), smoothness.end());
  std::vector<double> p(smoothness.begin(), smoothness.end());
  const auto to_mean_one = [&p] {
    double sum = 0.0;
    for (const double value : p) sum += value;
    for (double& value : p) value *= static_cast<double>(p.size()) / sum;
  };
  for (double& value : p) value /= largest;
  to_mean_one();
  for (double& value : p) value = std::max(value, kFloor);
  to_mean_one();
  return p;
}

}  // namespace

struct Importance::Table {
  explicit Table(std::span<const double> smoothness)
      : proportion(proportions(smoothness)), choice(proportion.begin(), proportion.end()) {}
  std::vector<double> proportion;  ///< n q_i
  boost::random::discrete_distribution<Index, double> choice;
};

Importance::Importance(std::span<const double> smoothness)
    : table_(std::make_shared<const Table>(smoothness)) {}

Index Importance::draw(RandomStream& stream) const {
  Bits bits{stream};
  return table_->choice(bits);
}

double Importance::weight(Index i) const noexcept {
  return 1.0 / table_->proportion[static_cast<std::size_t>(i)];
}

}  // namespace claros

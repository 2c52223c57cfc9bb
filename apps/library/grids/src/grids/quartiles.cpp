// SPDX-License-Identifier: BSD-3-Clause
#include <claros/grids/quartiles.hpp>
#include <claros/random.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace claros {

namespace {

double quantile(const std::vector<double>& sorted, double p) {
  const double at = p * static_cast<double>(sorted.size() - 1);
  const auto k = static_cast<std::size_t>(at);
  const double weight = at - static_cast<double>(k);
  // Infinities must not meet a weight of 0.
  if (weight == 0.0 || sorted[k] == sorted[k + 1]) return sorted[k];
  return (1.0 - weight) * sorted[k] + weight * sorted[k + 1];
}

double least_squares(const std::vector<double>& x, const std::vector<double>& y) {
  const double n = static_cast<double>(x.size()), mean = std::accumulate(x.begin(), x.end(), 0.0) / n;
  double along = 0.0, spread = 0.0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    along += (x[k] - mean) * y[k];
    spread += (x[k] - mean) * (x[k] - mean);
  }
  return along / spread;
}

/// The logarithms of the medians over the seeds that were picked.
std::vector<double> log_medians(const std::vector<std::vector<double>>& numbers,
                                const std::vector<std::size_t>& picks) {
  std::vector<double> logs;
  for (const auto& seeds : numbers) {
    std::vector<double> some;
    for (const std::size_t pick : picks) some.push_back(seeds[pick]);
    logs.push_back(std::log(quartiles(std::move(some)).median));
  }
  return logs;
}

/// Without NaN, and one point for each x.
Series clean(const Series& series) {
  Series result;
  for (std::size_t k = 0; k < series.x.size(); ++k) {
    if (std::isnan(series.x[k]) || std::isnan(series.y[k])) continue;
    if (!result.x.empty() && result.x.back() == series.x[k]) {
      result.y.back() = series.y[k];
      continue;
    }
    result.x.push_back(series.x[k]);
    result.y.push_back(series.y[k]);
  }
  return result;
}

double interpolated(const Series& s, double x) {
  const auto after = std::lower_bound(s.x.begin(), s.x.end(), x);
  const auto k = static_cast<std::size_t>(after - s.x.begin());
  if (k == 0 || *after == x) return s.y[k];
  const double weight = (x - s.x[k - 1]) / (s.x[k] - s.x[k - 1]);
  return (1.0 - weight) * s.y[k - 1] + weight * s.y[k];
}

std::vector<double> common_grid(const std::vector<Series>& series, std::size_t most) {
  double first = series.front().x.front(), last = series.front().x.back();
  std::vector<double> all;
  for (const Series& s : series) {
    first = std::max(first, s.x.front());
    last = std::min(last, s.x.back());
    all.insert(all.end(), s.x.begin(), s.x.end());
  }
  std::erase_if(all, [&](double x) { return x < first || x > last; });
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  if (all.size() <= most || most < 2) return all;
  // The distances are uneven. With even ones, anything that recurs every so many points (the error of an
  // estimator, 0 at a snapshot) would be seen at one phase alone. Within its share of the points each one is
  // taken at another place.
  constexpr double kGolden = 0.6180339887498949;
  const double stride = static_cast<double>(all.size() - 1) / static_cast<double>(most - 1);
  std::vector<double> grid{all.front()};
  for (std::size_t k = 1; k + 1 < most; ++k) {
    const double place = kGolden * static_cast<double>(k), within = place - std::floor(place) - 0.5;
    grid.push_back(all[static_cast<std::size_t>((static_cast<double>(k) + within) * stride)]);
  }
  grid.push_back(all.back());
  return grid;
}

}  // namespace

Quartiles quartiles(std::vector<double> values) {
  std::erase_if(values, [](double value) { return std::isnan(value); });
  if (values.empty()) return {};
  std::sort(values.begin(), values.end());
  return {quantile(values, 0.25), quantile(values, 0.5), quantile(values, 0.75), values.size()};
}

Band band(const std::vector<Series>& series, bool logarithmic, std::size_t most) {
  std::vector<Series> members;
  for (const Series& s : series)
    if (Series points = clean(s); !points.x.empty()) members.push_back(std::move(points));
  if (members.empty()) return {};
  if (members.size() == 1) {
    Series& only = members.front();
    return {std::move(only.x), only.y, only.y, only.y, 1};
  }
  const auto positive = [](const Series& s) {
    return std::all_of(s.y.begin(), s.y.end(), [](double y) { return y > 0.0; });
  };
  const bool in_logarithms = logarithmic && std::all_of(members.begin(), members.end(), positive);
  if (in_logarithms)
    for (Series& s : members)
      for (double& y : s.y) y = std::log(y);
  Band result;
  result.x = common_grid(members, most);
  result.members = members.size();
  for (const double x : result.x) {
    std::vector<double> values;
    for (const Series& s : members) values.push_back(interpolated(s, x));
    const Quartiles q = quartiles(std::move(values));
    result.lower.push_back(in_logarithms ? std::exp(q.lower) : q.lower);
    result.median.push_back(in_logarithms ? std::exp(q.median) : q.median);
    result.upper.push_back(in_logarithms ? std::exp(q.upper) : q.upper);
  }
  return result;
}

Ratio ratio_of_medians(const std::vector<double>& above, const std::vector<double>& below) {
  constexpr std::size_t kResamples = 4000, kTail = kResamples / 40;
  const std::size_t pairs = above.size();
  const auto unknown = [](const std::vector<double>& values) {
    return std::any_of(values.begin(), values.end(), [](double v) { return std::isnan(v); });
  };
  if (pairs == 0 || below.size() != pairs || unknown(above) || unknown(below)) return {};
  RandomStream stream(0, Purpose::draws);
  std::vector<double> ratios, a(pairs), b(pairs);
  for (std::size_t k = 0; k < kResamples; ++k) {
    for (std::size_t j = 0; j < pairs; ++j) {
      const auto pick = static_cast<std::size_t>(stream.index(static_cast<Index>(pairs)));
      a[j] = above[pick];
      b[j] = below[pick];
    }
    ratios.push_back(quartiles(a).median / quartiles(b).median);
  }
  std::sort(ratios.begin(), ratios.end());
  return {quartiles(above).median / quartiles(below).median, ratios[kTail], ratios[kResamples - 1 - kTail]};
}

Power power_of_medians(const std::vector<double>& at, const std::vector<std::vector<double>>& numbers) {
  constexpr std::size_t kResamples = 4000, kTail = kResamples / 40, kFewest = 3;
  std::vector<double> x;
  std::vector<std::vector<double>> all;
  for (std::size_t p = 0; p < std::min(at.size(), numbers.size()); ++p) {
    if (!(at[p] > 0.0) || numbers[p].empty() ||
        std::any_of(numbers[p].begin(), numbers[p].end(), [](double v) { return !(v > 0.0); }))
      continue;
    x.push_back(std::log(at[p])), all.push_back(numbers[p]);
  }
  Power power;
  power.places = x.size();
  if (x.size() < kFewest ||
      std::any_of(all.begin(), all.end(), [&](const auto& one) { return one.size() != all.front().size(); }))
    return power;
  std::vector<std::size_t> picks(all.front().size());
  std::iota(picks.begin(), picks.end(), std::size_t{0});
  const std::vector<double> y = log_medians(all, picks);
  power.slope.value = least_squares(x, y);
  std::vector<double> slopes;
  for (std::size_t p = 1; p < x.size(); ++p) slopes.push_back((y[p] - y[p - 1]) / (x[p] - x[p - 1]));
  power.least = *std::min_element(slopes.begin(), slopes.end()),
  power.most = *std::max_element(slopes.begin(), slopes.end());
  RandomStream stream(0, Purpose::draws);
  slopes.clear();
  for (std::size_t k = 0; k < kResamples; ++k) {
    for (std::size_t& pick : picks)
      pick = static_cast<std::size_t>(stream.index(static_cast<Index>(picks.size())));
    slopes.push_back(least_squares(x, log_medians(all, picks)));
  }
  std::sort(slopes.begin(), slopes.end());
  power.slope.low = slopes[kTail];
  power.slope.high = slopes[kResamples - 1 - kTail];
  return power;
}

}  // namespace claros

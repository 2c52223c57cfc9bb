// SPDX-License-Identifier: BSD-3-Clause
/// @file entry_bounds.hpp  Bounds that may differ between entries, for the box as a penalty and as a set.
#pragma once

#include <shared/sets/interval.hpp>
#include <shared/sets/number_rows.hpp>

#include <string>
#include <vector>

namespace claros::sdk {

/// The rows of `lowers` and `uppers`.
template <class Options>
ParameterRow<Options> entry_bounds_row(const char* key, std::string Options::*bounds, const char* one) {
  return row(key, bounds, any(),
             std::string(one) + " for each entry, column-major: written out (0 0 -1) or in a file; empty: " +
                 std::string(key).substr(0, 5) + " for all");
}

/// {x : l_j <= x_j <= u_j}. A list of bounds takes the place of the number for all.
class EntryBounds {
 public:
  EntryBounds() = default;
  explicit EntryBounds(const Interval& all) : all_(all) { require_bounds(all); }
  /// By the texts of the lists. Throws Error(usage) that names every entry whose bounds hold no number.
  EntryBounds(const Interval& all, const std::string& lowers, const std::string& uppers,
              const Context& context)
      : all_(all) {
    if (!lowers.empty()) lower_ = number_list(lowers, "lowers", context);
    if (!uppers.empty()) upper_ = number_list(uppers, "uppers", context);
    if (!vary()) require_bounds(all_);
    if (!lower_.empty() && !upper_.empty())
      require_count(upper_.size(), static_cast<Index>(lower_.size()), "uppers", "upper bounds");
    std::string wrong;
    for (std::size_t j = 0; j < static_cast<std::size_t>(count()); ++j)
      if (const Interval b = of(j); !(b.lower <= b.upper) || b.lower == kInfinity || b.upper == -kInfinity)
        wrong += (wrong.empty() ? "" : "; ") + print_real(b.lower) + " and " + print_real(b.upper) +
                 " of entry " + std::to_string(j + 1);
    if (!wrong.empty())
      throw Error(ErrorKind::usage, lower_.empty() ? "uppers" : "lowers",
                  "no number lies between the bounds " + wrong,
                  "give lower bounds that are not above the upper ones");
  }

  bool vary() const noexcept { return count() > 0; }
  /// 0 if all entries have the same bounds.
  Index count() const noexcept { return static_cast<Index>(std::max(lower_.size(), upper_.size())); }
  const Interval& of_all() const noexcept { return all_; }
  Interval of(std::size_t j) const {
    return {lower_.empty() ? all_.lower : lower_[j], upper_.empty() ? all_.upper : upper_[j]};
  }
  /// Throws Error(usage) unless there are bounds for so many entries.
  void fit(Index entries) const {
    if (vary())
      require_count(static_cast<std::size_t>(count()), entries, lower_.empty() ? "uppers" : "lowers",
                    "bounds");
  }
  EntryBounds chosen(std::span<const Index> entries) const {
    EntryBounds some(*this);
    if (!vary()) return some;
    some.lower_.clear();
    some.upper_.clear();
    for (const Index j : entries) {
      const Interval b = of(static_cast<std::size_t>(j));
      some.lower_.push_back(b.lower);
      some.upper_.push_back(b.upper);
    }
    return some;
  }

  void project(std::span<const double> v, std::span<double> x) const {
    if (!vary()) return map_entries(v, x, all_.nearest());
    for (std::size_t j = 0; j < v.size(); ++j) x[j] = of(j).nearest()(v[j]);
  }
  /// The farthest that an entry lies outside; NaN of NaN.
  double excess(std::span<const double> x) const {
    if (!vary()) return all_.excess(x);
    double worst = 0.0;
    for (std::size_t j = 0; j < x.size(); ++j) {
      const Interval b = of(j);
      worst = std::max(std::max(b.lower - x[j], x[j] - b.upper), worst);
    }
    return all_finite(x) ? worst : x.empty() ? 0.0 : sum_of_magnitudes(x);
  }
  double relative(double excess) const { return Interval::relative(excess, size()); }
  /// The largest magnitude of a bound.
  double size() const {
    if (!vary()) return std::max(std::abs(all_.lower), std::abs(all_.upper));
    double most = 0.0;
    for (std::size_t j = 0; j < static_cast<std::size_t>(count()); ++j)
      most = std::max({most, std::abs(of(j).lower), std::abs(of(j).upper)});
    return most;
  }
  /// True if every entry lies inside, up to rounding of the largest one.
  bool hold(std::span<const double> x) const { return excess(x) <= kRounding * largest_magnitude(x); }
  /// sup over the box of <s, x>.
  double support(std::span<const double> s) const {
    if (!vary()) return all_.support(s);
    double sum = 0.0;
    for (std::size_t j = 0; j < s.size(); ++j)
      if (s[j] != 0.0) sum += s[j] * (s[j] > 0.0 ? of(j).upper : of(j).lower);
    return sum;
  }

 private:
  Interval all_;
  std::vector<double> lower_, upper_;
};

}  // namespace claros::sdk

// SPDX-License-Identifier: BSD-3-Clause
/// @file quartiles.hpp  The middle half of repeated measurements: of numbers, and of curves.
#pragma once

#include <claros/api.hpp>

#include <cstddef>
#include <limits>
#include <vector>

namespace claros {

struct Quartiles {
  double lower = std::numeric_limits<double>::quiet_NaN();
  double median = std::numeric_limits<double>::quiet_NaN();
  double upper = std::numeric_limits<double>::quiet_NaN();
  std::size_t count = 0;  ///< of the values behind them
};

/// The 25, 50 and 75 % quantiles by linear interpolation between order statistics (Hyndman and Fan, Sample
/// quantiles in statistical packages, The American Statistician 50, 1996, definition 7). NaN values are left
/// out; all NaN when nothing is left.
CLAROS_API Quartiles quartiles(std::vector<double> values);

/// A ratio with its 95% interval.
struct Ratio {
  double value = std::numeric_limits<double>::quiet_NaN();
  double low = std::numeric_limits<double>::quiet_NaN();
  double high = std::numeric_limits<double>::quiet_NaN();
};

/// median(above) / median(below) of paired measurements, with the percentile interval of 4000 bootstrap
/// resamples of the pairs (Efron and Tibshirani, An introduction to the bootstrap, 1993, chapter 13). The
/// same numbers every time. All NaN when a value is NaN, there is none, or the sizes differ.
CLAROS_API Ratio ratio_of_medians(const std::vector<double>& above, const std::vector<double>& below);

/// The power a in number ~ at^a: the slope of a least-squares line through the logarithms of the medians.
struct Power {
  Ratio slope;  ///< with the interval of 4000 resamples of the seeds, the same ones in every place
  double least = std::numeric_limits<double>::quiet_NaN();  ///< of the slopes between neighbouring places
  double most = std::numeric_limits<double>::quiet_NaN();
  std::size_t places = 0;  ///< behind it
};

/// Of numbers[place][seed] at places `at` > 0 in increasing or decreasing order. Places where a number is
/// missing (NaN) or not above 0 are left out; all NaN where fewer than three are left, or places have other
/// numbers of seeds.
CLAROS_API Power power_of_medians(const std::vector<double>& at,
                                  const std::vector<std::vector<double>>& numbers);

/// Points of one run.
struct Series {
  std::vector<double> x, y;  ///< equally many; x does not decrease
};

/// The quartiles of several runs over a common x.
struct Band {
  std::vector<double> x, lower, median, upper;  ///< equally many
  std::size_t members = 0;                      ///< the series behind it
};

/// Over the x that all series cover, at the union of their points (thinned to at most `most`, at uneven
/// places): the quartiles of the linearly interpolated series; of their logarithms when `logarithmic`, where
/// all y are positive. Points that hold NaN are left out, of equal x the last counts, and a series without
/// points is not a member. Of one series the points themselves, all of them.
CLAROS_API Band band(const std::vector<Series>& series, bool logarithmic, std::size_t most = 400);

}  // namespace claros

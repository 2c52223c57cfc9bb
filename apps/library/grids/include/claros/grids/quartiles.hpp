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
  std::size_t count = 0;  ///< the number of values behind them
};

/// The 25, 50 and 75 % quantiles by linear interpolation between order statistics. NaN values are left out;
/// all NaN if none is left. (Hyndman and Fan, Sample quantiles in statistical packages, The American
/// Statistician 50, 1996, definition 7.)
CLAROS_API Quartiles quartiles(std::vector<double> values);

/// A ratio with its 95% interval.
struct Ratio {
  double value = std::numeric_limits<double>::quiet_NaN();
  double low = std::numeric_limits<double>::quiet_NaN();
  double high = std::numeric_limits<double>::quiet_NaN();
};

/// median(above) / median(below) of paired measurements, with the percentile interval of 4000 bootstrap
/// resamples of the pairs. The resamples are the same every time. All NaN if a value is NaN, there is none,
/// or the sizes differ. (Efron and Tibshirani, An introduction to the bootstrap, 1993, chapter 13.)
CLAROS_API Ratio ratio_of_medians(const std::vector<double>& above, const std::vector<double>& below);

/// The power a in number ~ at^a: the slope of a least-squares line through the logarithms of the medians.
struct Power {
  Ratio slope;  ///< with the interval of 4000 resamples of the seeds, the same ones in every place
  double least = std::numeric_limits<double>::quiet_NaN();  ///< of the slopes between neighbouring places
  double most = std::numeric_limits<double>::quiet_NaN();
  std::size_t places = 0;  ///< behind it
};

/// Fits a power to numbers[place][seed] at places `at` > 0 in increasing or decreasing order. Places with a
/// number that is missing (NaN) or not above 0 are left out. All NaN if fewer than three are left, or places
/// differ in their numbers of seeds.
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

/// The quartiles of the linearly interpolated series, over the x that all series cover. They are taken at the
/// union of the points, thinned to at most `most`, at uneven places. With `logarithmic` they are those of the
/// logarithms if all y are positive. Points that hold NaN are left out, the last of several equal x counts,
/// and a series without points is not a member. For one series the band is the points themselves, all of
/// them.
CLAROS_API Band band(const std::vector<Series>& series, bool logarithmic, std::size_t most = 400);

}  // namespace claros

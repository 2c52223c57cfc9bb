// SPDX-License-Identifier: BSD-3-Clause
/// @file reading.hpp  Measurements from files, or from a [data] section.
#pragma once

#include <claros/io/design_io.hpp>
#include <claros/map/measurements.hpp>

#include <memory>
#include <string>

namespace matrix_sensing {

struct Options {
  std::string data, measurements = "auto", right;
  claros::Index rows = 0, cols = 0, first_index = 1;
  std::string adjoints = "auto";
  double smoothness = 0.0, strong_convexity = 0.0;
  std::string draws = "none", truth;
  double noise = 0.0;
  std::string held_out = "auto";
  claros::DesignOptions design;
};

/// Where messages about the data say that they come from.
std::string origin_of(const Options& options, const claros::Context& context);

/// Throws Error(usage) for options of draws where there are none.
void require_no_draws(const Options& options);

/// Throws Error(usage) for options that do not go together or are missing, Error(data) for what does not fit.
std::shared_ptr<const claros::Measurements> measurements_of(const Options& options,
                                                            const claros::Context& context);

}  // namespace matrix_sensing

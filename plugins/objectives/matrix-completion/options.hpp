// SPDX-License-Identifier: BSD-3-Clause
/// @file options.hpp  The options of matrix completion.
#pragma once

#include <claros/io/ratings.hpp>

#include "baseline.hpp"

#include <string>

namespace matrix_completion {

using namespace claros;

enum class Layout { automatic, list, matrix };

struct Options {
  std::string data, test;
  Layout layout = Layout::automatic;
  RatingsOptions ratings;
  BaselineOptions baseline;
  double held_out = 0.0;
  bool implicit = false;
  double unobserved = 0.0, confidence = 0.0;
  std::string row_features, col_features;
  double row_indicators = 0.0, col_indicators = 0.0;
};

}  // namespace matrix_completion

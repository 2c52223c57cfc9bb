// SPDX-License-Identifier: BSD-3-Clause
/// @file reading.hpp  Measurements from files, or from a [data] section.
#pragma once

#include <claros/io/design_io.hpp>
#include <claros/map/measurements.hpp>
#include <claros/parameters.hpp>
#include <claros/parts/design_parts.hpp>
#include <shared/maps/rank_one_map.hpp>

#include <memory>
#include <string>
#include <vector>

namespace matrix_sensing {

/// The contents of a file, and the draws.
enum class Rows { automatic, dense, sparse, rank_one, symmetric };
enum class Drawing { none, gaussian, rank_one, symmetric };
enum class HeldOut { automatic };
/// The responses of phase retrieval: <a_i, x>^2, or |<a_i, x>|.
enum class Responses { squares, magnitudes };
using claros::RankOneMap;

/// The words of both options.
const claros::EnumWords<Rows>& rows_words();
const claros::EnumWords<Drawing>& drawing_words();

struct Options {
  std::string data, right;
  Rows measurements = Rows::automatic;
  Responses responses = Responses::squares;
  claros::Index rows = 0, cols = 0, first_index = 1;
  RankOneMap::Adjoints adjoints = RankOneMap::Adjoints::automatic;
  double smoothness = 0.0, strong_convexity = 0.0;
  Drawing draws = Drawing::none;
  std::string truth;
  double noise = 0.0;
  claros::NumberOr<HeldOut, claros::Index> held_out = HeldOut::automatic;
  claros::DesignOptions design;
};

/// The origin of the data for messages.
std::string origin_of(const Options& options, const claros::Context& context);

/// Throws Error(usage) for options of draws if nothing is drawn.
void require_no_draws(const Options& options);

/// The y_i: the responses, squared if they are magnitudes. Throws Error(usage) for magnitudes of other
/// measurements than a_i a_i', Error(data) for a negative one.
std::vector<double> targets_of(const claros::Measurements& measurements, const Options& options,
                               const claros::Context& context);

/// Throws Error(usage) for options that do not go together or are missing, Error(data) for data that do not
/// fit. On several ranks `parts` are the rows of `left` if the data is in parts; `left` then has sizes and
/// responses alone.
std::shared_ptr<const claros::Measurements> measurements_of(const Options& options,
                                                            const claros::Context& context,
                                                            std::shared_ptr<claros::DesignParts>& parts);

}  // namespace matrix_sensing

// SPDX-License-Identifier: BSD-3-Clause
/// @file dataset.hpp  Data in memory: what a [data] section makes, or a host hands over, and objectives read.
#pragma once

#include <claros/component.hpp>
#include <claros/element/element.hpp>

#include <filesystem>
#include <memory>

namespace claros {

struct Ratings;
struct Design;
struct Measurements;

/// Ability of data components. An objective takes the parts that it needs and says which are missing;
/// everything that is handed out is shared and never changes.
class CLAROS_API Dataset {
 public:
  static constexpr std::string_view kAbility = "claros.dataset/1";
  static constexpr std::string_view kWords = "data";
  virtual ~Dataset();
  /// Observed entries of a matrix (ratings.hpp); null when the data holds none.
  virtual std::shared_ptr<const Ratings> ratings() const { return nullptr; }
  /// Rows and responses of a linear model (design.hpp); null when the data holds none.
  virtual std::shared_ptr<const Design> design() const { return nullptr; }
  /// Linear measurements of a matrix (measurements.hpp); null when the data holds none.
  virtual std::shared_ptr<const Measurements> measurements() const { return nullptr; }
  /// The point that the data was made from; null if it is unknown.
  virtual const Element* truth() const { return nullptr; }
  /// Writes the data to files of `folder`, which exists, in formats that the objectives' readers take; the
  /// names are the data plugin's own. Throws Error(data) when that fails.
  virtual void write(const std::filesystem::path& folder) const = 0;
};

}  // namespace claros

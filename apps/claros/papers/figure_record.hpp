// SPDX-License-Identifier: BSD-3-Clause
/// @file figure_record.hpp  The origin of a figure.
#pragma once

#include <claros/grids/comparison.hpp>

#include <filesystem>
#include <map>
#include <string>

namespace claros::cli {

/// The components in all runs behind a figure, with the content of their libraries: `tests/figures` keeps it
/// beside the figure.
class FigureRecord {
 public:
  /// The runs of a grid in `folder`; `parts`: the contents by label.
  void add(const Comparison& grid, const std::filesystem::path& folder,
           const std::map<std::string, std::string>& parts);
  std::string text(const std::string& figure, const std::string& command) const;

 private:
  std::map<std::string, std::string> parts_;
};

}  // namespace claros::cli

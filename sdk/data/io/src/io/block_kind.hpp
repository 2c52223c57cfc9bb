// SPDX-License-Identifier: BSD-3-Clause
/// @file block_kind.hpp  The properties that blocks of rows must share to be one design.
#pragma once

#include <claros/json_text.hpp>
#include <claros/map/design.hpp>

#include <string>
#include <vector>

namespace claros {

struct BlockKind {
  bool sparse = false, weighted = false, answered = false, offset = false, grouped = false;
  Index cols = 0;  ///< the columns of the first block; sparse ones may differ
  Json encoding;   ///< null without one
  std::vector<std::string> labels, names;
  std::string response_name;

  static BlockKind of(const Design& block);
  /// Throws Error(data) at `where` unless `block`, a consistent design, can follow blocks of this kind.
  void expect(const Design& block, const std::string& where) const;
  /// All of it but `cols`: two kinds with the same text may follow each other where their columns allow it.
  std::string text() const;
};

}  // namespace claros

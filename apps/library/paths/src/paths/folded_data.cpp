// SPDX-License-Identifier: BSD-3-Clause
#include "paths/folded_data.hpp"

#include <string>

namespace claros {

std::shared_ptr<const FoldedData> FoldedData::of(const Composition& whole) {
  if (auto rows = folded_rows(whole)) return rows;
  if (auto ratings = folded_ratings(whole)) return ratings;
  if (auto parts = folded_parts(whole)) return parts;
  throw Error(
      ErrorKind::usage, "--folds",
      "expected a linear model, without a smoother and without errors in variables, ratings, or another "
      "objective of rows, such as cox: folds are parts of its rows",
      "remove --folds");
}

Spec spec_of_part(const Composition& whole, const std::vector<std::string>& keys_of_data) {
  Spec spec = whole.effective;
  spec.erase("data");
  for (const std::string& key : keys_of_data) spec.erase("objective." + key);
  spec.set("start.from", "zero");
  spec.set("trace.truth", "");
  return spec;
}

}  // namespace claros

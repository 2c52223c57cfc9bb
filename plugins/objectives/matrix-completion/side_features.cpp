// SPDX-License-Identifier: BSD-3-Clause
#include "side_features.hpp"

#include <claros/error.hpp>

namespace matrix_completion {

namespace {

/// The features, and a column for each row with c in it.
Features with_indicators(const Features& read, double c) {
  Features both{.width = read.width + read.rows()};
  for (Index i = 0; i < read.rows(); ++i) {
    for (Index e = read.start[at(i)]; e < read.start[at(i) + 1]; ++e) {
      both.column.push_back(read.column[at(e)]);
      both.value.push_back(read.value[at(e)]);
    }
    both.column.push_back(static_cast<std::int32_t>(read.width + i));
    both.value.push_back(c);
    both.start.push_back(std::ssize(both.column));
  }
  return both;
}

}  // namespace

Features side_of(std::optional<Features>& read, const std::string& name, const std::string& side,
                 double indicators, const Context& context, Ids& ids) {
  if (name.empty() && indicators > 0.0)
    throw Error(ErrorKind::usage, side + "_indicators", "is beside features, and this side has none",
                "leave it out: without features each has an indicator");
  if (name.empty()) return Features::indicators(ids.count, 1.0);
  const auto file = context.resolve(name);
  read = in_order_of(ids, read_features(file, side + "_features", context), side == "row" ? "row" : "column",
                     file.string());
  return indicators > 0.0 ? with_indicators(*read, indicators) : *read;
}

}  // namespace matrix_completion

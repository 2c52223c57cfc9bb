// SPDX-License-Identifier: BSD-3-Clause
#include <claros/io/table_encoding.hpp>

namespace claros {

std::vector<std::string> TableEncoding::names() const {
  std::vector<std::string> all;
  for (const Column& column : columns) {
    const std::string name = column.name.empty() ? "c" + std::to_string(column.place + 1) : column.name;
    if (column.levels.empty()) all.push_back(name);
    if (column.indicator) all.push_back(name + " is missing");
    for (std::size_t k = reference ? 1 : 0; k < column.levels.size(); ++k)
      all.push_back(name + " = " + column.levels[k]);
  }
  return all;
}

}  // namespace claros

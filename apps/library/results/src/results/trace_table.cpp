// SPDX-License-Identifier: BSD-3-Clause
#include <claros/io/text_input.hpp>
#include <claros/results/trace_table.hpp>

#include <claros/io/fields.hpp>

#include <algorithm>
#include <limits>

namespace claros {

const std::vector<double>* TraceTable::find(const std::string& name) const {
  const auto at = std::find(names.begin(), names.end(), name);
  return at == names.end() ? nullptr : &columns[static_cast<std::size_t>(at - names.begin())];
}

TraceTable read_trace(const std::filesystem::path& file) {
  TextInput input(file);
  FieldReader reader(input, "comma", "yes", 2);
  TraceTable table{reader.names(), std::vector<std::vector<double>>(reader.names().size())};
  if (!table.find("iteration"))
    input.fail("the first line names no column 'iteration'; expected the header of a trace.csv",
               "run again with --out");
  while (reader.next())
    for (std::size_t j = 0; j < table.names.size(); ++j) {
      // Values and gaps of a run that diverged may be infinite.
      const auto number = number_of(reader.fields()[j]);
      const bool empty = reader.fields()[j].empty();
      if (!number && !empty)
        input.fail(table.names[j] + " is " + shown(reader.fields()[j]) + "; expected a number or nothing",
                   "run again with --out");
      table.columns[j].push_back(number.value_or(std::numeric_limits<double>::quiet_NaN()));
    }
  return table;
}

}  // namespace claros

// SPDX-License-Identifier: BSD-3-Clause
#include "io/block_kind.hpp"

#include "io/encoding_json.hpp"

#include <claros/error.hpp>

namespace claros {

BlockKind BlockKind::of(const Design& block) {
  return {.sparse = block.is_sparse(),
          .weighted = !block.weights.empty(),
          .answered = !block.response.empty(),
          .offset = !block.offset.empty(),
          .grouped = !block.groups.empty(),
          .cols = block.cols,
          .encoding = block.encoding ? encoding_json(*block.encoding) : Json(),
          .labels = block.labels,
          .names = block.column_names,
          .response_name = block.response_name};
}

void BlockKind::expect(const Design& block, const std::string& where) const {
  const auto refuse = [&](const std::string& what, const std::string& remedy) {
    throw Error(ErrorKind::data, where, what, remedy);
  };
  const BlockKind other = of(block);
  if (sparse != other.sparse)
    refuse(other.sparse ? "holds sparse rows; those before it are dense"
                        : "holds dense rows; those before it are sparse",
           "give storage = sparse or storage = dense for all");
  if (!sparse && cols != other.cols)
    refuse("has " + std::to_string(other.cols) + " columns; the rows before it have " + std::to_string(cols),
           "convert files of the same columns");
  if (weighted != other.weighted || answered != other.answered || offset != other.offset ||
      grouped != other.grouped)
    refuse(
        "has responses, weights, offsets or groups where the rows before it have none, or "
        "the other way round",
        "give all or none");
  if (grouped && static_cast<Index>(block.groups.size()) != block.rows)
    refuse(std::to_string(block.groups.size()) + " groups for " + std::to_string(block.rows) + " rows",
           "give one number a row");
  if (encoding != other.encoding)
    refuse(
        "makes its columns in another way than the rows before it (categories, or what "
        "stands for missing values)",
        "join the tables, and convert one");
  if (labels != other.labels)
    refuse("has other classes than the rows before it (" + joined(other.labels) + "; there " +
               joined(labels) + ")",
           "write classes as numbers, or have every class in every file");
  if (names != other.names)
    refuse("has other column names than the rows before it", "convert files of the same columns");
}

std::string BlockKind::text() const {
  return json_text(Json{{"flags", {sparse, weighted, answered, offset, grouped}},
                        {"encoding", encoding},
                        {"labels", labels},
                        {"names", names}});
}

}  // namespace claros

// SPDX-License-Identifier: BSD-3-Clause
// Designs that are used where they stand in their file.
#include <claros/memory_limits.hpp>
#include "io/design_formats.hpp"
#include "io/mapped_file.hpp"

#include <claros/error.hpp>

namespace claros::design_formats {
namespace {

/// Why rows cannot be used as they stand; empty if they can.
std::string obstacle_of(const RowsInFile& stored, const DesignOptions& options) {
  if (!stored.obstacle.empty()) return stored.obstacle;
  if (options.unit_rows) return "objective.unit_rows divides the rows, which asks for a copy";
  if (options.storage == "sparse") return "objective.storage = sparse asks for a copy";
  if (is_single(options) && !stored.single)
    return "it holds doubles, and objective.precision = float asks for a copy";
  if (stored.offset % (stored.single ? 4 : 8) != 0)
    return "its numbers do not begin at a multiple of their size";
  return {};
}

template <class Real>
void point_into(const std::shared_ptr<const MappedFile>& file, const RowsInFile& stored, Design& design) {
  const auto* first = reinterpret_cast<const Real*>(file->data() + stored.offset);
  design.entries = DenseRows<Real>{
      {}, {first, static_cast<std::size_t>(stored.rows) * static_cast<std::size_t>(stored.cols)}, file};
}

}  // namespace

bool map_rows(const Path& path, const RowsInFile& stored, const DesignOptions& options,
              const Context& context, Design& design) {
  const bool asked = options.memory == "map";
  const double entries = static_cast<double>(stored.rows) * static_cast<double>(stored.cols);
  if (!asked && (options.memory == "read" || fits_memory(entries * (is_single(options) ? 4 : 8))))
    return false;
  if (const std::string obstacle = obstacle_of(stored, options); !obstacle.empty()) {
    if (asked)
      throw Error(ErrorKind::data, path.string(), "cannot be mapped: " + obstacle,
                  "set objective.memory = read, or leave that option out and write the file anew");
    context.warn(path.string() + ": does not fit memory, and is not mapped: " + obstacle);
    return false;
  }
  const auto file = std::make_shared<const MappedFile>(
      path, static_cast<std::size_t>(stored.cols) * (stored.single ? 4 : 8));
  design.rows = stored.rows;
  design.cols = stored.cols;
  stored.single ? point_into<float>(file, stored, design) : point_into<double>(file, stored, design);
  design.source = file;
  return true;
}

}  // namespace claros::design_formats

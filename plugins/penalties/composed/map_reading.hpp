// SPDX-License-Identifier: BSD-3-Clause
/// @file map_reading.hpp  The linear map of a composed penalty.
#pragma once

#include "column_map.hpp"

#include <claros/context.hpp>
#include <claros/element/shape.hpp>
#include <claros/parameters.hpp>

#include <memory>
#include <string>
#include <vector>

namespace composed {

enum class MapKind { difference, graph, matrix };

struct MapOptions {
  MapKind map = MapKind::difference;
  claros::Index order = 1;
  std::string data;
  claros::Index first_index = 1;
};

std::vector<claros::ParameterRow<MapOptions>> map_rows();

/// B as the options describe it. A difference has the columns of the variable, a graph at least one more than
/// the largest node.
class MapOfOptions {
 public:
  /// Throws Error(usage) or Error(data) for a file or text that is no map.
  MapOfOptions(const MapOptions& options, const claros::Context& context);
  /// Throws Error(usage) if B fits neither the variable nor each of its columns.
  std::unique_ptr<ColumnMap> for_shape(const claros::Shape& shape) const;

 private:
  void read_edges(const claros::Context& context);
  void read_matrix(const claros::Context& context);

  MapOptions options_;
  SparseRows rows_;
};

}  // namespace composed

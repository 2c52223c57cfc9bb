// SPDX-License-Identifier: BSD-3-Clause
#include "io/encoding_json.hpp"

#include <cmath>
#include <set>
#include <utility>

namespace claros {

Json encoding_json(const TableEncoding& encoding) {
  Json columns = Json::array();
  for (const auto& column : encoding.columns) {
    Json json{{"name", column.name}, {"place", column.place}};
    if (!column.levels.empty()) json["levels"] = column.levels;
    if (!std::isnan(column.fill)) json["fill"] = column.fill;
    if (!column.fill_level.empty()) json["fill_level"] = column.fill_level;
    if (column.indicator) json["indicator"] = true;
    if (column.date) json["date"] = true;
    if (column.comma) json["comma"] = true;
    if (column.unit) json["unit"] = *column.unit;
    columns.push_back(std::move(json));
  }
  return {{"columns", std::move(columns)},
          {"ignored", encoding.ignored},
          {"width", encoding.width},
          {"response", encoding.response},
          {"reference", encoding.reference}};
}

TableEncoding encoding_of(const Json& json) {
  TableEncoding encoding;
  for (const Json& one : json.at("columns")) {
    TableEncoding::Column column;
    column.name = one.at("name").get<std::string>();
    column.place = one.at("place").get<Index>();
    column.levels = one.value("levels", std::vector<std::string>());
    column.fill = one.value("fill", column.fill);
    column.fill_level = one.value("fill_level", std::string());
    column.indicator = one.value("indicator", false);
    column.date = one.value("date", false);
    column.comma = one.value("comma", false);
    if (one.contains("unit")) column.unit = one.at("unit").get<std::string>();
    encoding.columns.push_back(std::move(column));
  }
  encoding.ignored = json.at("ignored").get<std::vector<std::string>>();
  encoding.width = json.at("width").get<Index>();
  encoding.response = json.at("response").get<Index>();
  encoding.reference = json.at("reference").get<bool>();
  return encoding;
}

bool makes_columns(const TableEncoding& encoding, Index features) {
  Index made = 0;
  std::set<Index> places{encoding.response};
  for (const auto& column : encoding.columns) {
    made += encoding.size(column);
    if (column.place < 0 || column.place >= encoding.width || !places.insert(column.place).second ||
        std::isinf(column.fill) || ((column.indicator || column.date) && !column.levels.empty()))
      return false;
  }
  return made == features && encoding.response < encoding.width;
}

}  // namespace claros

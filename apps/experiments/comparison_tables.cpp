// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/comparison.hpp"
#include "experiments/quartiles.hpp"

#include <claros/io/csv.hpp>
#include <claros/state/run_folder.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>

namespace claros {

namespace {

using Json = nlohmann::ordered_json;

/// JSON has no NaN and no infinity.
Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json run_json(const ComparisonRun& r) {
  Json json{{"seed", r.seed},
            {"folder", r.folder.empty() ? Json(nullptr) : Json(r.folder)},
            {"status", text(r.status)}};
  if (!r.id.empty()) json["run"] = r.id;
  if (!r.failure.empty()) json["failure"] = r.failure;
  json["gap_kind"] = r.measurement.gap_kind;
  json["confirmed"] = r.measurement.confirmed;
  for (const ComparisonColumn& column : comparison_columns()) json[column.name] = number(column.value(r));
  return json;
}

Json cell_json(const Comparison& comparison, std::size_t cell) {
  const Cell& c = comparison.cells[cell];
  Json runs = Json::array(), summary;
  for (const ComparisonColumn& column : comparison_columns()) {
    std::vector<double> values;
    for (const ComparisonRun& r : comparison.runs)
      if (r.cell == cell) values.push_back(column.value(r));
    const Quartiles q = quartiles(std::move(values));
    summary[column.name] = {
        {"lower", number(q.lower)}, {"median", number(q.median)}, {"upper", number(q.upper)}};
  }
  for (const ComparisonRun& r : comparison.runs)
    if (r.cell == cell) runs.push_back(run_json(r));
  return {
      {"label", c.label}, {"folder", c.folder}, {"values", c.values}, {"quartiles", summary}, {"runs", runs}};
}

[[noreturn]] void not_a_comparison(const std::filesystem::path& file, const std::string& why) {
  throw Error(ErrorKind::data, file.string(), "is not the table of a comparison: " + why,
              "run claros compare --out again");
}

}  // namespace

const std::vector<ComparisonColumn>& comparison_columns() {
  static const std::vector<ComparisonColumn> all = [] {
    std::vector<ComparisonColumn> columns{
        {"value", [](const ComparisonRun& r) { return r.measurement.value; }},
        {"gap", [](const ComparisonRun& r) { return r.measurement.gap; }},
        {"residual", [](const ComparisonRun& r) { return r.measurement.residual; }},
        {"rmse_truth", [](const ComparisonRun& r) { return r.measurement.rmse_truth; }},
        {"test_rmse", [](const ComparisonRun& r) { return r.measurement.test_rmse; }},
        {"iterations", [](const ComparisonRun& r) { return r.iterations; }},
        {"epochs", [](const ComparisonRun& r) { return r.epochs; }},
        {"passes", [](const ComparisonRun& r) { return r.passes; }},
        {"seconds", [](const ComparisonRun& r) { return r.seconds; }},
        {"measuring_seconds", [](const ComparisonRun& r) { return r.measuring_seconds; }},
    };
    for (const Counter& counter : kCounters)
      columns.push_back({counter.name, [at = counter.member](const ComparisonRun& r) { return r.counts.*at; }});
    return columns;
  }();
  return all;
}

std::string comparison_json(const Comparison& comparison) {
  Json varies = Json::array(), cells = Json::array();
  for (const Vary& vary : comparison.varies) varies.push_back({{"name", vary.name}, {"values", vary.values}});
  for (std::size_t k = 0; k < comparison.cells.size(); ++k) cells.push_back(cell_json(comparison, k));
  const Json json{{"varies", varies},
                  {"repeats", comparison.repeats},
                  {"complete", comparison.runs.size() ==
                                   comparison.cells.size() * static_cast<std::size_t>(comparison.repeats)},
                  {"cells", cells},
                  {"versions", {{"claros", version()}}}};
  // A failure may quote a file that holds no UTF-8.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string comparison_csv(const Comparison& comparison) {
  const std::string where = "comparison.csv";
  std::string table = "cell";
  for (const Vary& vary : comparison.varies) table += ',' + field_text(vary.name, ',', where);
  table += ",seed,status,gap_kind,confirmed";
  for (const ComparisonColumn& column : comparison_columns()) table += std::string(",") + column.name;
  table += ",folder\n";
  for (const ComparisonRun& r : comparison.runs) {
    const Cell& cell = comparison.cells[r.cell];
    table += field_text(cell.label, ',', where);
    for (const std::string& value : cell.values) table += ',' + field_text(value, ',', where);
    table += ',' + std::to_string(r.seed) + ',' + text(r.status) + ',' + r.measurement.gap_kind + ',' +
             print_boolean(r.measurement.confirmed);
    for (const ComparisonColumn& column : comparison_columns()) {
      const double value = column.value(r);
      table += ',' + (std::isnan(value) ? std::string() : print_real(value));
    }
    table += ',' + r.folder + '\n';
  }
  return table;
}

namespace {

/// The folder of a run as comparison.json names it, which is within its own: by its words, and where links lead.
std::filesystem::path folder_within(const std::filesystem::path& folder, const std::string& name, const std::filesystem::path& file) {
  const std::filesystem::path written(name);
  std::error_code code;
  const auto leads_to = std::filesystem::weakly_canonical(folder / written, code).lexically_relative(std::filesystem::weakly_canonical(folder, code));
  const bool up = std::any_of(written.begin(), written.end(), [](const auto& part) { return part == ".."; });
  if (name.empty() || written.is_absolute() || up || code || leads_to.empty() || *leads_to.begin() == ".." || leads_to == ".")
    throw Error(ErrorKind::data, file.string(), "names the folder '" + name + "' of a run, which is not within " + folder.string(),
                "compare again into another folder");
  return folder / written;
}

/// Of a run that comparison.json lists; nothing where it kept none.
void add_run(FolderGroup& group, const Json& run, const std::filesystem::path& folder, const std::filesystem::path& file) {
  if (!run.at("folder").is_string()) return;
  const std::filesystem::path at = folder_within(folder, run["folder"].get<std::string>(), file);
  const std::string id = run.value("run", "");
  if (RunIdentity::read(at).run != id)
    throw Error(ErrorKind::data, at.string(), "holds another run than the one that comparison.json is of" + (id.empty() ? "" : " (" + id + ")"),
                "bring back the files of one comparison, or compare again");
  group.folders.push_back(at);
}

}  // namespace

std::vector<FolderGroup> read_comparison(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / "comparison.json";
  std::ifstream stream(file, std::ios::binary);
  if (!stream) not_a_comparison(file, "it cannot be read");
  std::vector<FolderGroup> groups;
  try {
    const Json json = Json::parse(stream);
    for (const Json& cell : json.at("cells")) {
      FolderGroup group{cell.at("label").get<std::string>(), {}};
      for (const Json& run : cell.at("runs")) add_run(group, run, folder, file);
      if (!group.folders.empty()) groups.push_back(std::move(group));
    }
  } catch (const Json::exception& error) {
    not_a_comparison(file, error.what());
  }
  return groups;
}

}  // namespace claros

// SPDX-License-Identifier: BSD-3-Clause
#include <claros/grids/comparison.hpp>
#include <claros/grids/quartiles.hpp>

#include <claros/io/csv.hpp>
#include <claros/json_text.hpp>
#include <claros/results/run_folder.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace claros {

namespace {

Json run_json(const ComparisonRun& r) {
  Json json{{"seed", r.seed},
            {"folder", r.folder.empty() ? Json(nullptr) : Json(r.folder)},
            {"status", text(r.status)}};
  if (!r.id.empty()) json["run"] = r.id;
  if (!r.failure.empty()) json["failure"] = r.failure;
  if (!r.changed_inputs.empty()) json["changed_inputs"] = r.changed_inputs;
  json["gap_kind"] = r.measurement.gap_kind;
  json["confirmed"] = r.measurement.confirmed;
  for (const ComparisonColumn& column : comparison_columns()) json[column.name] = column.value(r);
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
    summary[column.name] = {{"lower", q.lower}, {"median", q.median}, {"upper", q.upper}};
  }
  for (const ComparisonRun& r : comparison.runs)
    if (r.cell == cell) runs.push_back(run_json(r));
  return {
      {"label", c.label}, {"folder", c.folder}, {"values", c.values}, {"quartiles", summary}, {"runs", runs}};
}

Status parse_status(const std::string& word) {
  for (int k = 0; k <= static_cast<int>(Status::validation); ++k)
    if (text(static_cast<Status>(k)) == word) return static_cast<Status>(k);
  throw Error(ErrorKind::data, "status", "expected a status, got '" + word + "'", "make the run again");
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
      columns.push_back(
          {counter.name, [at = counter.member](const ComparisonRun& r) { return r.counts.*at; }});
    return columns;
  }();
  return all;
}

std::string comparison_json(const Comparison& comparison) {
  Json varies = Json::array(), cells = Json::array();
  for (const Vary& vary : comparison.varies) varies.push_back({{"name", vary.name}, {"values", vary.values}});
  for (std::size_t k = 0; k < comparison.cells.size(); ++k) cells.push_back(cell_json(comparison, k));
  return json_text({{"varies", varies},
                    {"repeats", comparison.repeats},
                    {"complete", comparison.runs.size() ==
                                     comparison.cells.size() * static_cast<std::size_t>(comparison.repeats)},
                    {"cells", cells},
                    {"versions", {{"claros", version()}}}});
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

/// The folder of a run as comparison.json names it, which is within its own: by its words, and where links
/// lead.
std::filesystem::path folder_within(const std::filesystem::path& folder, const std::string& name,
                                    const std::filesystem::path& file) {
  const std::filesystem::path written(name);
  std::error_code code;
  const auto leads_to = std::filesystem::weakly_canonical(folder / written, code)
                            .lexically_relative(std::filesystem::weakly_canonical(folder, code));
  const bool up = std::any_of(written.begin(), written.end(), [](const auto& part) { return part == ".."; });
  if (name.empty() || written.is_absolute() || up || code || leads_to.empty() || *leads_to.begin() == ".." ||
      leads_to == ".")
    throw Error(ErrorKind::data, file.string(),
                "names the folder '" + name + "' of a run, which is not within " + folder.string(),
                "compare again into another folder");
  return folder / written;
}

/// Adds a run that comparison.json lists; does nothing if the run kept no folder.
void add_run(FolderGroup& group, const Json& run, const std::filesystem::path& folder,
             const std::filesystem::path& file) {
  if (!run.at("folder").is_string()) return;
  const std::filesystem::path at = folder_within(folder, run.at("folder").get<std::string>(), file);
  const std::string id = run.value("run", "");
  if (RunIdentity::read(at).run != id)
    throw Error(
        ErrorKind::data, at.string(),
        "holds another run than the one that comparison.json is of" + (id.empty() ? "" : " (" + id + ")"),
        "bring back the files of one comparison, or compare again");
  group.folders.push_back(at);
}

}  // namespace

void read_run(const std::filesystem::path& folder, ComparisonRun& run) {
  from_json_file(folder / "result.json", "make the run again", [&](const Json& json) {
    const auto real = [&](const char* key) {
      const Json& value = json.at(key);
      return value.is_null() ? std::numeric_limits<double>::quiet_NaN() : value.get<double>();
    };
    run.id = json.value("run", "");
    run.status = parse_status(json.at("status").get<std::string>());
    run.failure = json.value("failure", "");
    run.changed_inputs = json.value("changed_inputs", std::vector<std::string>());
    Measurement& m = run.measurement;
    m.value = real("value");
    m.gap = real("gap");
    m.residual = real("residual");
    m.rmse_truth = real("rmse_truth");
    m.test_rmse = real("test_rmse");
    m.gap_kind = json.at("gap_kind").get<std::string>();
    m.confirmed = json.at("confirmed").get<bool>();
    run.iterations = json.at("iterations").get<Index>();
    run.epochs = json.at("epochs").get<Index>();
    run.seconds = real("seconds");
    run.measuring_seconds = real("measuring_seconds");
    for (const Counter& counter : kCounters)
      run.counts.*counter.member = json.at("counts").at(counter.name).get<Index>();
    run.passes = passes(run.counts, json.at("components").get<Index>());
  });
}

std::vector<FolderGroup> read_comparison(const std::filesystem::path& folder) {
  return from_json_file(folder / "comparison.json", "run claros compare --out again, which writes it",
                        [&](const Json& json) {
                          std::vector<FolderGroup> groups;
                          for (const Json& cell : json.at("cells")) {
                            FolderGroup group{cell.at("label").get<std::string>(), {}};
                            for (const Json& run : cell.at("runs"))
                              add_run(group, run, folder, folder / "comparison.json");
                            if (!group.folders.empty()) groups.push_back(std::move(group));
                          }
                          return groups;
                        });
}

}  // namespace claros

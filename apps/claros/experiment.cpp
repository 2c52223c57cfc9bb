// SPDX-License-Identifier: BSD-3-Clause
#include "experiment.hpp"

#include <claros/error.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>

namespace claros::cli {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* kFile = "experiment.json";

Json read_json(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  try {
    return Json::parse(stream);
  } catch (const Json::exception& error) {
    throw Error(ErrorKind::data, file.string(), error.what(), "mend the file");
  }
}

std::vector<std::string> words(const Json& json, const char* key) {
  return json.contains(key) ? json.at(key).get<std::vector<std::string>>() : std::vector<std::string>();
}

std::vector<Variant> variants(const Json& list) {
  std::vector<Variant> result;
  for (const Json& json : list) result.push_back({json.at("label").get<std::string>(), words(json, "set")});
  return result;
}

std::vector<FigureRow> figure_rows(const Json& list) {
  std::vector<FigureRow> rows;
  for (const Json& json : list)
    rows.push_back({json.at("column"), json.at("label"), json.at("statistic"), json.value("log", false)});
  return rows;
}

std::vector<Finding> findings(const Json& list) {
  std::vector<Finding> result;
  for (const Json& json : list)
    result.push_back({json.at("claim"), json.at("smaller"), json.at("larger"), words(json, "rows")});
  return result;
}

[[noreturn]] void no_such(const std::string& name, const std::vector<std::string>& names) {
  std::string remedy = did_you_mean(name, names);
  if (remedy.empty()) {
    remedy = "there are";
    for (const std::string& known : names) remedy += ' ' + known;
  }
  throw Error(ErrorKind::usage, "'" + name + "'", "is no figure of a paper", remedy);
}

Experiment experiment_of(const Json& json, const fs::path& folder, const std::string& name) {
  Experiment e;
  e.name = name;
  e.paper = json.at("paper"), e.title = json.at("title"), e.x = json.at("x");
  e.spec = folder / json.at("spec").get<std::string>();
  e.set = words(json, "set");
  e.seeds = json.at("seeds");
  e.rows = figure_rows(json.at("rows"));
  e.panels = variants(json.at("panels")), e.curves = variants(json.at("curves"));
  e.findings = findings(json.at("verdicts"));
  return e;
}

}  // namespace

fs::path papers_folder() {
  return fs::read_symlink("/proc/self/exe").parent_path().parent_path() / "share" / "claros" / "papers";
}

std::vector<std::string> experiment_names(const fs::path& papers) {
  std::vector<std::string> names;
  std::error_code code;
  for (const auto& folder : fs::directory_iterator(papers, code)) {
    if (!fs::exists(folder.path() / kFile, code)) continue;
    const Json json = read_json(folder.path() / kFile);
    for (const auto& figure : json.at("figures").items())
      names.push_back(folder.path().filename().string() + '/' + figure.key());
  }
  std::sort(names.begin(), names.end());
  return names;
}

Experiment read_experiment(const fs::path& papers, const std::string& name) {
  const std::vector<std::string> names = experiment_names(papers);
  if (std::find(names.begin(), names.end(), name) == names.end()) no_such(name, names);
  const auto slash = name.find('/');
  const fs::path folder = papers / name.substr(0, slash);
  Json json = read_json(folder / kFile);
  try {
    json.update(Json(json.at("figures").at(name.substr(slash + 1))));
    return experiment_of(json, folder, name);
  } catch (const Json::exception& error) {
    throw Error(ErrorKind::data, (folder / kFile).string(), error.what(), "mend the file");
  }
}

Comparison grid_of(const Experiment& e, const std::vector<std::string>& assignments) {
  Comparison grid;
  grid.spec = Spec::read(e.spec);
  grid.spec.assign(e.set, e.name);
  grid.varies = {{"panel", {}}, {"curve", {}}};
  for (const Variant& panel : e.panels) grid.varies[0].values.push_back(panel.label);
  for (const Variant& curve : e.curves) grid.varies[1].values.push_back(curve.label);
  for (std::size_t p = 0; p < e.panels.size(); ++p)
    for (std::size_t c = 0; c < e.curves.size(); ++c) {
      const Variant &panel = e.panels[p], &curve = e.curves[c];
      Cell cell{{panel.label, curve.label}, panel.label + ", " + curve.label, {}, grid.spec, 0};
      cell.folder = "panel" + std::to_string(p + 1) + "-curve" + std::to_string(c + 1);
      cell.spec.assign(panel.set, e.name);
      cell.spec.assign(curve.set, e.name);
      cell.spec.assign(assignments);
      grid.cells.push_back(std::move(cell));
    }
  grid.repeats = e.seeds;
  return grid;
}

}  // namespace claros::cli

// SPDX-License-Identifier: BSD-3-Clause
#include "papers/experiment.hpp"

#include <claros/compose/spec.hpp>
#include <claros/error.hpp>
#include <claros/json_text.hpp>

#include <algorithm>
#include <cmath>

#include "grid/tuning.hpp"
#include "plot/derived_columns.hpp"

namespace claros::cli {

namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

constexpr const char* kFile = "experiment.json";
constexpr const char* kRemedy = "fix the file";

std::vector<std::string> word_list(const Json& json, const char* key) {
  return json.contains(key) ? json.at(key).get<std::vector<std::string>>() : std::vector<std::string>();
}

/// A word, or a list of words.
std::vector<std::string> word_or_words(const Json& json) {
  return json.is_string() ? std::vector<std::string>{json.get<std::string>()}
                          : json.get<std::vector<std::string>>();
}

std::optional<Tuning> tuning(const Json& json, const std::string& where) {
  if (!json.contains("tune")) return std::nullopt;
  const Json& tune = json.at("tune");
  std::vector<Complaint> complaints;
  const std::string key = tune.at("key"), values = with_ranges(tune.at("values"), where);
  const std::vector<Vary> varies = read_varies({key + '=' + values}, where, complaints);
  if (!complaints.empty()) throw Error(ErrorKind::data, std::move(complaints));
  const std::string by = tune.value("by", "final");
  (void)tuned_by(by, where);
  return Tuning{varies.front().name, varies.front().values, by, word_list(tune, "set")};
}

std::vector<Variant> variants(const Json& list) {
  std::vector<Variant> result;
  for (const Json& json : list) {
    const std::string label = json.at("label");
    result.push_back({label, word_list(json, "set"), tuning(json, label), {}});
    result.back().at = json.value("at", result.back().at),
    result.back().floor = json.value("floor", result.back().floor);
    result.back().drawn = json.value("drawn", true);
    result.back().projection = json.value("projection", 0.0);
    if (json.contains("in"))
      for (const auto& panel : json.at("in").items())
        result.back().in[panel.key()] = panel.value().get<std::vector<std::string>>();
  }
  return result;
}

void require_statistic(const std::string& name, const std::string& where) {
  if (std::find(kStatistics.begin(), kStatistics.end(), name) == kStatistics.end())
    throw Error(
        ErrorKind::data, where, "expected a statistic, got '" + name + "'",
        "write best, best_at, largest, last, median, mean, rms, ratio, whole, common, reached, slope, "
        "straightness or power");
}

std::vector<FigureRow> figure_rows(const Json& list) {
  std::vector<FigureRow> rows;
  for (const Json& json : list) {
    rows.push_back({json.at("column"), json.at("label"), word_or_words(json.at("statistic")),
                    json.value("from", 0.0), json.value("floor", 0.0), json.value("log", false),
                    word_list(json, "judged"), json.value("x", ""), json.value("precision", false),
                    json.value("drawn", true), json.value("less", 0.0), json.value("per", 0.0),
                    word_list(json, "powers"), json.value("log_x", false), json.value("level", ""),
                    json.value("x_label", ""), json.value("over_reference", false), json.value("by", "")});
    FigureRow& row = rows.back();
    if (row.judged.empty()) row.judged.push_back(row.statistics.front());
    for (const auto& list_of : {row.statistics, row.judged, row.powers})
      for (const std::string& statistic : list_of) require_statistic(statistic, row.column);
  }
  return rows;
}

/// "SVRG", or {"curve": "SVRG", "panel": "r = 100"}.
Place place(const Json& json) {
  if (json.is_string()) return {json.get<std::string>(), {}};
  return {json.at("curve"), json.at("panel")};
}

Finding finding(const Json& json) {
  Finding result;
  result.claim = json.at("claim");
  const bool pair = json.contains("smaller");
  result.first = place(json.at(pair ? "smaller" : "curve"));
  if (pair) result.second = place(json.at("larger"));
  result.below = json.value("below", result.below);
  result.above = json.value("above", result.above);
  if (!pair && std::isnan(result.below) && std::isnan(result.above))
    throw Error(ErrorKind::data, result.claim, "has nothing to compare with",
                "give smaller and larger, or below, or above, or both of these");
  result.statistic = json.value("statistic", "");
  if (!result.statistic.empty()) require_statistic(result.statistic, result.claim);
  result.rows = json.contains("row") ? word_or_words(json.at("row")) : word_list(json, "rows");
  result.panels = word_list(json, "panels");
  result.power = json.value("power", false);
  result.falls = json.value("falls", result.falls);
  result.after = json.value("after", result.after);
  result.judged = json.value("judged", result.judged);
  return result;
}

void require_label(const std::vector<Variant>& variants, const std::string& label, const char* what) {
  if (std::any_of(variants.begin(), variants.end(), [&](const Variant& v) { return v.label == label; }))
    return;
  throw Error(ErrorKind::data, "verdicts",
              std::string("expected the label of a ") + what + ", got '" + label + "'",
              "write a label that the file defines");
}

/// Seconds depend on what else the machine does.
void require_no_verdict_on_seconds(const Experiment& e) {
  for (const FigureRow& row : e.rows)
    for (const Finding& f : e.findings)
      if (e.x_of(row) == kSeconds && std::find(f.rows.begin(), f.rows.end(), row.label) != f.rows.end())
        throw Error(ErrorKind::data, f.claim, "is about '" + row.label + "', whose x axis is seconds",
                    "leave the row out of the verdict: seconds depend on the load of the machine");
}

void require_sound(const Experiment& e) {
  for (const Finding& f : e.findings)
    for (const Place& p : f.second ? std::vector<Place>{f.first, *f.second} : std::vector<Place>{f.first}) {
      require_label(e.curves, p.curve, "curve");
      if (!p.panel.empty()) require_label(e.panels, p.panel, "panel");
      for (const std::string& panel : f.panels) require_label(e.panels, panel, "panel");
    }
  for (const Variant& curve : e.curves)
    for (const auto& own : curve.in) require_label(e.panels, own.first, "panel");
  require_no_verdict_on_seconds(e);
  for (const Finding& f : e.findings)
    if (!f.statistic.empty() && std::none_of(e.rows.begin(), e.rows.end(), [&](const FigureRow& row) {
          return std::find(row.statistics.begin(), row.statistics.end(), f.statistic) != row.statistics.end();
        }))
      throw Error(ErrorKind::data, f.claim, "no row has the statistic '" + f.statistic + "'",
                  "add it to the statistics of one");
  const bool placed = std::none_of(e.panels.begin(), e.panels.end(),
                                   [](const Variant& panel) { return std::isnan(panel.at); });
  for (const FigureRow& row : e.rows)
    if (!placed && (row.per != 0.0 || !row.powers.empty()))
      throw Error(ErrorKind::data, row.label, "needs a number of every panel",
                  "give each panel \"at\": NUMBER");
  for (const FigureRow& row : e.rows)
    if (e.x_of(row) == kPaperCost &&
        !std::ranges::all_of(e.panels, [](const Variant& panel) { return panel.projection > 0.0; }))
      throw Error(ErrorKind::data, row.label, "needs the cost of a projection in every panel",
                  "give each panel \"projection\": NUMBER");
  for (const Finding& f : e.findings) {
    const bool shown = std::any_of(e.rows.begin(), e.rows.end(), [&](const FigureRow& row) {
      return std::find(row.powers.begin(), row.powers.end(), f.statistic) != row.powers.end();
    });
    if (f.power && (f.second || !shown))
      throw Error(ErrorKind::data, f.claim, "is about a power that no row shows",
                  "name a statistic in \"powers\" of a row, and a bound");
  }
  if (e.reference && !e.reference->curve.empty()) require_label(e.curves, e.reference->curve, "curve");
  for (const FigureRow& row : e.rows)
    if (!row.by.empty() && !e.by_seed.contains(row.by))
      throw Error(ErrorKind::data, row.label, "is divided by '" + row.by + "', which no seed has",
                  "name a column of \"by_seed\"");
  for (const FigureRow& row : e.rows)
    if ((row.column == kSuboptimality || row.column == kDistance || row.precision || row.over_reference) &&
        !e.reference)
      throw Error(ErrorKind::data, row.column, "needs a reference", "give \"reference\": {\"set\": [...]}");
}

[[noreturn]] void no_such(const std::string& name, const std::vector<std::string>& names,
                          const fs::path& papers) {
  if (names.empty())
    throw Error(ErrorKind::usage, "'" + name + "'", "is not a figure of a paper",
                papers.string() + " holds none");
  std::string remedy = did_you_mean(name, names);
  if (remedy.empty()) {
    remedy = "the figures are";
    for (const std::string& known : names) remedy += ' ' + known;
  }
  throw Error(ErrorKind::usage, "'" + name + "'", "is not a figure of a paper", remedy);
}

Experiment experiment_of(const Json& json, const fs::path& folder, const std::string& name) {
  Experiment e;
  e.name = name;
  e.paper = json.at("paper");
  e.title = json.at("title");
  e.x = json.at("x");
  e.spec = folder / json.at("spec").get<std::string>();
  e.set = word_list(json, "set");
  e.seeds = json.at("seeds");
  e.at = json.value("at", e.at);
  e.rows = figure_rows(json.at("rows"));
  e.panels = variants(json.at("panels"));
  e.curves = variants(json.at("curves"));
  if (json.contains("reference")) {
    const Json& reference = json.at("reference");
    e.reference = Reference{reference.value("curve", ""), word_list(reference, "set")};
  }
  for (const Json& one : json.at("verdicts")) e.findings.push_back(finding(one));
  e.methods = word_list(json, "methods");
  e.needs = json.value("needs", "");
  if (json.contains("by_seed")) e.by_seed = json.at("by_seed").get<decltype(e.by_seed)>();
  if (json.contains("small")) {
    const Json& small = json.at("small");
    e.small = {word_list(small, "set"), small.value("seeds", e.small.seeds)};
  }
  require_sound(e);
  return e;
}

}  // namespace

const std::vector<std::string> kStatistics{"best",    "best_at", "largest",      "last",  "median",
                                           "mean",    "rms",     "ratio",        "whole", "common",
                                           "reached", "slope",   "straightness", "power"};

bool Reference::has_target() const {
  return std::any_of(set.begin(), set.end(), [](const std::string& word) {
    return word.starts_with("stop.gap=") || word.starts_with("stop.relative_gap=");
  });
}

bool Experiment::asks_distance() const {
  return std::any_of(rows.begin(), rows.end(), [](const FigureRow& row) { return row.column == kDistance; });
}

FigureRow FigureRow::in(const Variant& panel) const {
  FigureRow row(*this);
  if (!std::isnan(panel.floor)) row.floor = panel.floor;
  return row;
}

std::vector<std::string> Variant::set_in(const std::string& panel) const {
  std::vector<std::string> all = set;
  if (const auto own = in.find(panel); own != in.end())
    all.insert(all.end(), own->second.begin(), own->second.end());
  return all;
}

std::vector<std::string> experiment_names(const fs::path& papers) {
  std::vector<std::string> names;
  std::error_code code;
  for (const auto& folder : fs::directory_iterator(papers, code)) {
    if (!fs::exists(folder.path() / kFile, code)) continue;
    from_json_file(folder.path() / kFile, kRemedy, [&](const Json& json) {
      for (const auto& figure : json.at("figures").items())
        names.push_back(folder.path().filename().string() + '/' + figure.key());
    });
  }
  std::sort(names.begin(), names.end());
  return names;
}

Experiment read_experiment(const fs::path& papers, const std::string& name) {
  const std::vector<std::string> names = experiment_names(papers);
  if (std::find(names.begin(), names.end(), name) == names.end()) no_such(name, names, papers);
  const auto slash = name.find('/');
  const fs::path folder = papers / name.substr(0, slash);
  return from_json_file(folder / kFile, kRemedy, [&](Json json) {
    json.update(Json(json.at("figures").at(name.substr(slash + 1))));
    return experiment_of(json, folder, name);
  });
}

namespace {

std::string key_of(const std::string& assignment) { return assignment.substr(0, assignment.find('=')); }

/// "{data.rows}" by what the settings say.
std::string filled(std::string text, const Spec& spec, const std::string& name) {
  for (std::size_t open; (open = text.find('{')) != std::string::npos;) {
    const auto close = std::min(text.find('}', open), text.size() - 1), dot = text.rfind('.', close);
    const auto setting =
        spec.get(text.substr(open + 1, dot - open - 1), text.substr(dot + 1, close - dot - 1));
    if (!setting) throw Error(ErrorKind::data, name, "no setting has the name in " + text, kRemedy);
    text.replace(open, close - open + 1, setting->value);
  }
  return text;
}

/// " but data.rows=60", of assignments that overrule a setting and that the label does not name.
std::string but(const std::string& label, const Words& set, const Words& assignments) {
  std::string text;
  for (const std::string& word : assignments)
    if (label.find('{' + key_of(word) + '}') == std::string::npos &&
        std::ranges::any_of(set, [&](const auto& own) { return own != word && key_of(own) == key_of(word); }))
      text += (text.empty() ? " but " : ", ") + word;
  return text;
}

/// A file by its name alone: its folder says nothing about the data.
std::string shown(const std::string& assignment) {
  return key_of(assignment) == "objective.data"
             ? "objective.data=" + fs::path(assignment.substr(assignment.find('=') + 1)).filename().string()
             : assignment;
}

bool makes_the_problem(const std::string& word) {
  const std::string section = word.substr(0, word.find('.'));
  return section != "algorithm" && section != "estimator" && section != "stop" && section != "trace" &&
         section != "run";
}

/// Labels name panels, curves and rows elsewhere in the experiment.
using Names = std::map<std::string, std::string>;
void rename(std::string& label, const Names& names) {
  if (const auto found = names.find(label); found != names.end()) label = found->second;
}

}  // namespace

void label_by_settings(Experiment& e, const Words& assignments) {
  Spec spec = Spec::read(e.spec);
  spec.assign(e.set, e.name);
  Names panels, curves, rows;
  for (Variant& panel : e.panels) {
    Spec own = spec;
    own.assign(panel.set, e.name);
    own.assign(assignments);
    const std::string overruled = but(panel.label, panel.set, assignments);
    std::string label = filled(panel.label, own, e.name) + overruled;
    while (std::ranges::any_of(panels, [&](const auto& other) { return other.second == label; }))
      label += '\'';
    panel.label = panels[panel.label] = label;
    if (!overruled.empty()) panel.at = std::numeric_limits<double>::quiet_NaN();
  }
  for (Variant& curve : e.curves) {
    Words set = curve.set;
    std::map<std::string, Words> in;
    for (const auto& [panel, own] : curve.in)
      set.insert(set.end(), own.begin(), own.end()), in[panels.at(panel)] = own;
    curve.in = std::move(in);
    curve.label = curves[curve.label] = curve.label + but({}, set, assignments);
  }
  for (FigureRow& row : e.rows)
    if ((row.less != 0.0 || !row.by.empty()) && std::ranges::any_of(assignments, makes_the_problem))
      row.label = rows[row.label] = row.label + ", with f* and eps of the whole size";
  for (Finding& finding : e.findings) {
    for (Place* place : {&finding.first, finding.second ? &*finding.second : nullptr})
      if (place) rename(place->curve, curves), rename(place->panel, panels);
    for (std::string& panel : finding.panels) rename(panel, panels);
    for (std::string& row : finding.rows) rename(row, rows);
  }
  if (e.reference) rename(e.reference->curve, curves);
  spec.assign(assignments);
  e.title = filled(e.title, spec, e.name);
  for (const std::string& word : assignments)
    e.title += (&word == &assignments[0] ? ", with " : ", ") + shown(word);
}

}  // namespace claros::cli

// SPDX-License-Identifier: BSD-3-Clause
#include <claros/paths/path_record.hpp>
#include <claros/paths/rows_of_model.hpp>

#include <claros/io/atomic_file.hpp>
#include <claros/io/matrix_market.hpp>
#include <claros/json_text.hpp>
#include <claros/results/arithmetic.hpp>
#include <claros/results/checkpoint.hpp>
#include <claros/results/coefficients.hpp>
#include <claros/results/run_folder.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <utility>

namespace claros {

namespace {

namespace fs = std::filesystem;

std::string field(double value) { return std::isnan(value) ? std::string() : print_real(value); }

Json row_json(const PathRecord& record, std::size_t k) {
  const PathPoint& point = record.points[k];
  Json row;
  if (!record.over.parameter.empty()) row[record.over.parameter] = point.over;
  for (const PathColumn& column : path_columns()) row[column.name] = column.value(point);
  if (!record.ranking.empty()) row[record.ranking] = point.ranking;
  row["status"] = text(point.result.status);
  row["unfinished"] = record.is_unfinished(k);
  row["gap_kind"] = point.result.measurement.gap_kind;
  if (!point.result.failure.empty()) row["failure"] = point.result.failure;
  if (!record.information.empty()) row[record.criterion] = record.information[k];
  Json counts = Json::object();
  for (const Counter& counter : kCounters) counts[counter.name] = point.result.counts.*counter.member;
  row["counts"] = counts;
  return row;
}

/// The targets that every lambda was solved to.
Json accuracy_json(const StopOptions& stop) {
  Json targets = Json::object();
  if (stop.gap > 0.0) targets["gap"] = stop.gap;
  if (stop.relative_gap > 0.0) targets["relative_gap"] = stop.relative_gap;
  if (stop.residual > 0.0) targets["residual"] = stop.residual;
  if (std::isfinite(stop.value)) targets["value"] = stop.value;
  return targets;
}

Json validation_json(const PathRecord& record) {
  if (!record.validation) return nullptr;
  const CrossValidation& v = *record.validation;
  Json rows = Json::array();
  for (std::size_t k = 0; k < v.loss.size(); ++k) {
    rows.push_back(
        {{"lambda", record.points[k].lambda}, {"loss", v.loss[k].mean}, {"loss_error", v.loss[k].error}});
    if (!v.other.empty()) {
      rows.back()[v.other] = v.beside[k].mean;
      rows.back()[v.other + "_error"] = v.beside[k].error;
    }
    if (!record.over.parameter.empty()) rows.back()[record.over.parameter] = record.points[k].over;
  }
  return {{"folds", v.folds},   {"repeats", v.repeats},
          {"given", v.given},   {"by", v.by_other ? v.other : std::string("loss")},
          {"missed", v.missed}, {"rows", std::move(rows)}};
}

Json chosen_json(const PathRecord& record) {
  Json all = Json::object();
  for (const auto& [name, k] : record.chosen) {
    all[name] = {{"row", k}, {"lambda", record.points[k].lambda}, {"unfinished", record.is_unfinished(k)}};
    if (!record.over.parameter.empty()) all[name][record.over.parameter] = record.points[k].over;
  }
  return all;
}

Json chosen_by(const PathRecord& record) {
  if (record.by_test) return record.ranking.empty() ? std::string("test_rmse") : record.ranking;
  if (!record.criterion.empty()) return record.criterion;
  return record.validation ? Json("folds") : Json(nullptr);
}

/// The second parameter and what its values asked for.
Json over_json(const PathRecord& record) {
  if (record.over.parameter.empty()) return nullptr;
  Json slices = Json::array();
  for (const PathSlice& slice : record.slices)
    slices.push_back({{"value", slice.value},
                      {"max", slice.max},
                      {"lambdas", slice.lambdas.size()},
                      {"solved", slice.solved},
                      {"saturated", slice.saturated.empty() ? Json(nullptr) : Json(slice.saturated)}});
  return {{"parameter", record.over.parameter}, {"slices", std::move(slices)}};
}

/// A column of path.csv, and its field in row k.
struct CsvColumn {
  std::string name;
  std::function<std::string(std::size_t)> field;
};

void add_loss(std::vector<CsvColumn>& columns, const std::string& name, const std::vector<FoldMean>& loss) {
  columns.push_back({name, [&](std::size_t k) { return field(loss[k].mean); }});
  columns.push_back({name + "_error", [&](std::size_t k) { return field(loss[k].error); }});
}

std::string chosen_by_rules(const PathRecord& record, std::size_t k) {
  std::string names;
  for (const auto& [name, at] : record.chosen)
    if (at == k) names += (names.empty() ? "" : " ") + name;
  return names;
}

/// The columns that this record fills. They refer to the record.
std::vector<CsvColumn> csv_columns(const PathRecord& r) {
  std::vector<CsvColumn> all;
  if (!r.over.parameter.empty())
    all.push_back({r.over.parameter, [&](std::size_t k) { return field(r.points[k].over); }});
  for (const PathColumn& column : path_columns())
    all.push_back({column.name, [&](std::size_t k) { return field(column.value(r.points[k])); }});
  all.push_back({"status", [&](std::size_t k) { return std::string(text(r.points[k].result.status)); }});
  if (!r.ranking.empty())
    all.push_back({r.ranking, [&](std::size_t k) { return field(r.points[k].ranking); }});
  if (!r.information.empty())
    all.push_back({r.criterion, [&](std::size_t k) { return field(r.information[k]); }});
  if (r.validation) add_loss(all, "cv_loss", r.validation->loss);
  if (r.validation && !r.validation->other.empty())
    add_loss(all, "cv_" + r.validation->other, r.validation->beside);
  all.push_back({"unfinished", [&](std::size_t k) { return std::string(r.is_unfinished(k) ? "1" : "0"); }});
  all.push_back({"chosen", [&](std::size_t k) { return chosen_by_rules(r, k); }});
  return all;
}

bool kept_coefficients(const PathRecord& record) {
  return std::all_of(record.points.begin(), record.points.end(),
                     [](const PathPoint& p) { return p.is_kept; });
}

/// Entries in the order of rows, which is that of the file.
Ratings coefficients_of(const PathRecord& record, Index size) {
  std::vector<std::vector<std::pair<std::int32_t, double>>> rows(static_cast<std::size_t>(size));
  for (std::size_t k = 0; k < record.points.size(); ++k) {
    const SparseColumn& column = record.points[k].coefficients;
    for (std::size_t e = 0; e < column.at.size(); ++e)
      rows[static_cast<std::size_t>(column.at[e])].emplace_back(static_cast<std::int32_t>(k),
                                                                column.value[e]);
  }
  Ratings all{size, static_cast<Index>(record.points.size()), {}, {}, {}, {}, {}};
  for (std::size_t j = 0; j < rows.size(); ++j)
    for (const auto& [k, value] : rows[j])
      all.row.push_back(static_cast<std::int32_t>(j)), all.col.push_back(k), all.value.push_back(value);
  return all;
}

/// lambda,name,coefficient (and class) of those that are not 0; empty if the objective is no linear model.
std::string named_coefficients_csv(const Composition& composition, const PathRecord& record) {
  std::string text, head;  // the head of the last: a solution of zeros does not know of classes
  for (const PathPoint& point : record.points) {
    const auto named = coefficients_of(composition, result_of(composition, point).answer);
    if (!named) return {};
    const std::string table = coefficients_csv(*named), lambda = print_real(point.lambda) + ',';
    std::size_t begin = table.find('\n') + 1;
    head = "lambda," + table.substr(0, begin);
    for (std::size_t end = 0; begin < table.size(); begin = end) {
      end = table.find('\n', begin) + 1;
      text += lambda + table.substr(begin, end - begin);
    }
  }
  return head + text;
}

const OwnedFolder::Layout& layout() {
  static const OwnedFolder::Layout of_a_path{[](const fs::path&) {
                                               return std::vector<std::string>{
                                                   "spec.ini",         "path.csv", "coefficients.mtx",
                                                   "coefficients.csv", "best",     "one-standard-error",
                                                   "result.json"};
                                             },
                                             holds_path};
  return of_a_path;
}

fs::path made(const fs::path& folder) {
  std::error_code code;
  fs::create_directories(folder, code);
  if (code)
    throw Error(ErrorKind::data, folder.string(), "the folder cannot be created: " + code.message(),
                "choose another --out");
  return folder;
}

}  // namespace

bool PathRecord::chose_unfinished() const {
  return std::ranges::any_of(chosen, [&](const auto& choice) { return is_unfinished(choice.second); });
}

std::vector<double> PathRecord::costs() const {
  if (validation) return costs_of(*validation);
  std::vector<double> all = information;  // -inf, of a model that fits every row, is the least
  for (double& one : all) one = std::max(one, std::numeric_limits<double>::lowest());
  if (!all.empty()) return all;
  for (const PathPoint& point : points) all.push_back(-test_score(point));
  return all;
}

std::string PathRecord::edge() const {
  if (chosen.empty() || chosen.front().first != "best") return {};
  const std::size_t best = chosen.front().second;
  std::size_t first = 0;
  auto slice = slices.begin();
  for (; best >= first + slice->solved; ++slice) first += slice->solved;
  if (slice->solved < 2) return {};
  const std::vector<double> cost = costs();
  bool later_is_worse = false;  // one that is as good does not say where it would get worse
  for (std::size_t k = best + 1; k < first + slice->solved; ++k)
    later_is_worse = later_is_worse || cost[k] > cost[best];
  const bool begins = best == first, radius = is_radius(parameter);
  if (!begins && later_is_worse) return {};
  const std::string name = values_of(parameter);
  if (begins != radius && (begins ? points[best].lambda : slice->lambdas.back()) >= slice->max)
    return "the best " + name + " is max, the largest: " +
           (radius ? "the ball leaves out nothing"
                   : "nothing that the penalty shrinks makes the model better");
  const bool small = begins == radius;
  return "the best " + name + " is the " + (small ? "smallest" : "largest") + " of the grid" +
         (begins || best + 1 == first + slice->solved ? "" : ", or as good") + ": a " +
         (small ? "smaller" : "larger") + " one may be better";
}

const PathSlice* PathRecord::current() const {
  const auto open = std::ranges::find_if_not(slices, &PathSlice::is_whole);
  return open == slices.end() ? nullptr : &*open;
}

std::size_t PathRecord::expected() const {
  std::size_t count = 0;
  for (const PathSlice& slice : slices) count += slice.is_whole() ? slice.solved : slice.lambdas.size();
  return count;
}

const std::vector<PathColumn>& path_columns() {
  static const std::vector<PathColumn> all{
      {"lambda", [](const PathPoint& p) { return p.lambda; }},
      {"support", [](const PathPoint& p) { return static_cast<double>(p.support); }},
      {"value", [](const PathPoint& p) { return p.result.measurement.value; }},
      {"gap", [](const PathPoint& p) { return p.result.measurement.gap; }},
      {"residual", [](const PathPoint& p) { return p.result.measurement.residual; }},
      {"explained", [](const PathPoint& p) { return p.explained; }},
      {"test_rmse", [](const PathPoint& p) { return p.result.measurement.test_rmse; }},
      {"iterations", [](const PathPoint& p) { return static_cast<double>(p.result.iterations); }},
      {"seconds", [](const PathPoint& p) { return p.result.elapsed_seconds; }}};
  return all;
}

std::string path_csv(const PathRecord& record) {
  std::string text;
  const std::vector<CsvColumn> columns = csv_columns(record);
  for (const CsvColumn& column : columns) text += (text.empty() ? "" : ",") + column.name;
  text += '\n';
  for (std::size_t k = 0; k < record.points.size(); ++k) {
    std::string row;
    for (const CsvColumn& column : columns) row += ',' + column.field(k);
    text += row.substr(1) + '\n';
  }
  return text;
}

std::string path_json(const Composition& composition, const PathRecord& record) {
  Json rows = Json::array();
  for (std::size_t k = 0; k < record.points.size(); ++k) rows.push_back(row_json(record, k));
  double max = std::numeric_limits<double>::quiet_NaN();
  std::size_t lambdas = 0;
  for (const PathSlice& slice : record.slices) {
    max = std::fmax(max, slice.max);
    lambdas += slice.lambdas.size();
  }
  const bool two = !record.over.parameter.empty();
  const std::string& saturated = record.slices.front().saturated;
  Json json;
  json["path"] = {{"parameter", record.parameter}, {"max", max},
                  {"ratio", record.ratio},         {"lambdas", lambdas},
                  {"complete", record.complete()}, {"interrupted", record.interrupted},
                  {"relaxed", record.relaxed},     {"accuracy", accuracy_json(record.stop)}};
  json["path"]["saturated"] = two || saturated.empty() ? Json(nullptr) : Json(saturated);
  json["path"]["over"] = over_json(record);
  json["rows"] = std::move(rows);
  json["cross_validation"] = validation_json(record);
  json["chosen"] = chosen_json(record);
  json["chosen_by"] = chosen_by(record);
  const std::string edge = record.edge();
  json["edge"] = edge.empty() ? Json(nullptr) : Json(edge);
  json["shape"] = composition.objective->shape().text();
  json["terms"] = composition.objective->terms();
  json["components"] = composition.objective->terms();  // its older name
  json["seed"] = composition.run.seed;
  json["threads"] = composition.run.threads;
  if (const auto rows_known = rows_of_model(composition); rows_known && !rows_known->training.columns.empty())
    json["columns"] = rows_known->training.columns;
  if (auto* tail = query<FreeTail>(*composition.objective))
    json["penalised"] = tail->constrained_shape().size();
  if (const auto deviations = column_deviations(composition); !deviations.empty())
    json["deviations"] = deviations;
  json["notices"] = composition.notices;
  if (const auto changed = changed_inputs(composition); !changed.empty()) json["changed_inputs"] = changed;
  Json versions{{"claros", version()}};
  for (const auto& [label, plugin_version] : composition.versions()) versions[label] = plugin_version;
  json["versions"] = versions;
  json["arithmetic"] = Json(arithmetic());
  return json_text(json);
}

PathFolder::PathFolder(const fs::path& folder) : owned_(made(folder), layout()) {}

void PathFolder::write(Composition& composition, const PathRecord& record) {
  if (!std::exchange(begun_, true)) owned_.set_aside();
  try {
    const fs::path staged = owned_.stage();
    write_atomically(staged / "path.csv", path_csv(record));
    if (!record.points.empty() && kept_coefficients(record))
      write_matrix_market(staged / "coefficients.mtx",
                          coefficients_of(record, coefficient_count(composition)));
    if (record.complete() && kept_coefficients(record))
      if (const std::string named = named_coefficients_csv(composition, record); !named.empty())
        write_atomically(staged / "coefficients.csv", named);
    for (std::size_t c = 0; c < record.chosen.size(); ++c) {
      const auto& [name, k] = record.chosen[c];
      if (!record.over.parameter.empty())
        composition.set_number(record.over.parameter, record.points[k].over);
      composition.set_number(record.parameter, record.points[k].lambda);
      const Composition& made = record.relaxed ? *record.refits.at(c) : composition;
      write_run_folder(staged / name, made, result_of(made, record.points[k]));
    }
    write_atomically(staged / "spec.ini", composition.effective.text());
    write_atomically(staged / "result.json", path_json(composition, record));
    owned_.publish();
  } catch (...) {
    owned_.put_back();
    throw;
  }
}

std::vector<KeptPath> KeptPath::slices() const {
  if (over.empty()) return {*this};
  std::vector<KeptPath> all;
  for (std::size_t k = 0; k < lambdas.size(); ++k) {
    if (k == 0 || values[k] != values[k - 1]) {
      all.emplace_back();
      all.back().parameter = parameter;
      all.back().over = over;
      all.back().names = names;
      all.back().penalised = penalised;
      all.back().deviations = deviations;
      std::ranges::copy_if(chosen, std::back_inserter(all.back().chosen),
                           [&](const Chosen& c) { return c.over == values[k]; });
    }
    KeptPath& slice = all.back();
    slice.values.push_back(values[k]), slice.lambdas.push_back(lambdas[k]);
    if (!coefficients.empty()) slice.coefficients.push_back(coefficients[k]);
    if (!loss.empty()) slice.loss.push_back(loss[k]);
  }
  return all;
}

KeptPath KeptPath::best_slice() const {
  std::vector<KeptPath> all = slices();
  for (KeptPath& slice : all)
    if (!slice.chosen.empty()) return std::move(slice);
  return all.empty() ? *this : std::move(all.front());
}

bool holds_path(const fs::path& folder) {
  const Json json = json_or_null(folder / "result.json");
  return json.is_object() && json.contains("path") && json.contains("rows") && json.contains("versions");
}

KeptPath read_path(const fs::path& folder) {
  KeptPath kept;
  from_json_file(folder / "result.json", "make the path again", [&](const Json& json) {
    kept.parameter = json.at("path").at("parameter").get<std::string>();
    if (const Json& path = json.at("path"); path.contains("over") && !path.at("over").is_null())
      kept.over = path.at("over").at("parameter").get<std::string>();
    for (const Json& row : json.at("rows")) {
      kept.lambdas.push_back(row.at("lambda").get<double>());
      if (!kept.over.empty()) kept.values.push_back(row.at(kept.over).get<double>());
    }
    const auto number = [](const Json& value) {
      return value.is_null() ? std::numeric_limits<double>::quiet_NaN() : value.get<double>();
    };
    if (!json.at("cross_validation").is_null())
      for (const Json& row : json.at("cross_validation").at("rows"))
        kept.loss.push_back({number(row.at("loss")), number(row.at("loss_error"))});
    for (const auto& [name, place] : json.at("chosen").items())
      kept.chosen.push_back(
          {name, place.at("lambda").get<double>(),
           kept.over.empty() ? std::numeric_limits<double>::quiet_NaN() : place.at(kept.over).get<double>(),
           place.value("unfinished", false)});
    kept.penalised = json.value("penalised", kept.penalised);
    kept.deviations = json.value("deviations", kept.deviations);
    if (json.contains("columns")) kept.names = json.at("columns").get<std::vector<std::string>>();
  });
  const std::string remedy = "make the path again";
  if (!kept.loss.empty() && kept.loss.size() != kept.lambdas.size())
    throw Error(ErrorKind::data, (folder / "result.json").string(),
                "has a cross-validation for other lambdas", remedy);
  std::error_code code;
  if (!fs::exists(folder / "coefficients.mtx", code)) return kept;
  const Ratings entries = read_matrix_market_coordinate(folder / "coefficients.mtx");
  if (entries.cols != static_cast<Index>(kept.lambdas.size()))
    throw Error(ErrorKind::data, (folder / "coefficients.mtx").string(),
                "does not have one column for each lambda", remedy);
  kept.coefficients.resize(kept.lambdas.size());
  for (std::size_t e = 0; e < entries.value.size(); ++e) {
    SparseColumn& column = kept.coefficients[static_cast<std::size_t>(entries.col[e])];
    column.at.push_back(entries.row[e]), column.value.push_back(entries.value[e]);
  }
  return kept;
}

}  // namespace claros

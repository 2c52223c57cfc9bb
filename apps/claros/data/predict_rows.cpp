// SPDX-License-Identifier: BSD-3-Clause
#include "data/predict_rows.hpp"

#include <claros/compose/composition.hpp>
#include <claros/io/atomic_file.hpp>
#include <claros/io/csv.hpp>
#include <claros/io/file_limits.hpp>
#include <claros/io/memory_file.hpp>
#include <claros/json_text.hpp>
#include <claros/parameters.hpp>
#include <claros/results/linear_prediction.hpp>
#include <claros/watch/watched.hpp>

#include <fmt/format.h>

#include <cmath>
#include <iostream>
#include <optional>

#include "cli/messages.hpp"
#include "cli/session.hpp"
#include "cli/terminal.hpp"
#include "data/predict_risks.hpp"

namespace claros::cli {

std::shared_ptr<Component> component_of_run(const Arguments& arguments, const std::filesystem::path& folder,
                                            Kind kind, const std::string& section) {
  const Catalog catalog = open_catalog(arguments);
  const Spec spec = Spec::read(folder / "spec.ini");
  const PluginEntry* entry = entry_at(catalog, spec, section);
  if (!entry) {
    if (const auto use = spec.get(section, std::string(kUse)))
      (void)catalog.at(kind, use->value, use->label());  // says why not
    return nullptr;
  }
  Context context;
  context.base = spec.base();
  context.path = section;
  const Watch watch{kind, entry->label(), std::make_shared<Ledger>()};
  return watched(create_component(catalog, *entry, spec.settings(section), context), watch);
}

std::shared_ptr<Loss> loss_of_run(const Arguments& arguments, const std::filesystem::path& folder) {
  return std::static_pointer_cast<Loss>(component_of_run(arguments, folder, Kind::loss, "objective.loss"));
}

void put_predictions(const Arguments& arguments, const std::string& table) {
  if (const auto target = arguments.get("out"))
    write_atomically(*target, table);
  else
    out().write(table);
}

namespace {

struct Merit {
  const char *key, *words;
  double value;
};

/// The measures of quality that apply.
std::vector<Merit> merits(const PredictionQuality& q) {
  std::vector<Merit> all;
  for (const Merit& f : {Merit{"accuracy", "accuracy", q.accuracy},
                         {"log_loss", "log loss", q.log_loss},
                         {"deviance", "deviance", q.deviance},
                         {"rmse", "RMSE", q.rmse},
                         {"mae", "MAE", q.mae},
                         {"loss", "mean loss", q.loss}})
    if (!std::isnan(f.value)) all.push_back(f);
  return all;
}

}  // namespace

Json quality_json(const RowPredictions& made) {
  if (made.known.empty()) return nullptr;
  Json quality = Json::object();
  for (const Merit& f : merits(made.quality)) quality[f.key] = f.value;
  return quality;
}

void report_quality(const RowPredictions& made) {
  std::vector<std::string> words;
  for (const Merit& f : merits(made.quality)) words.push_back(fmt::format("{} {:.6g}", f.words, f.value));
  report(fmt::format("{} known targets: {}", made.known.size(), joined(words)));
}

DesignOptions options_for(const Arguments& arguments, const std::filesystem::path& folder,
                          const LinearTraining& training, const Context& context) {
  DesignOptions options;
  const Spec spec = Spec::read(folder / "spec.ini");
  for (const auto& row : design_rows())
    if (const auto setting = spec.get("objective", row.info.name)) row.assign(options, setting->value);
  Context of_training = context;
  of_training.base = spec.base();
  std::error_code none;
  options.format = "auto";
  options.features = 0;
  options.bare_columns = arguments.get("response") ? 0 : training.features;
  for (const auto& [option, member] : {std::pair{"delimiter", &options.table.delimiter},
                                       {"header", &options.table.header},
                                       {"format", &options.format}})
    if (const auto word = arguments.get(option)) *member = *word;
  options.encoding = training.encoding;
  options.weights.clear(), options.groups.clear();
  options.columns.clear(), options.without.clear(), options.categorical.clear();
  options.missing = Missing::refuse;
  options.ignores_responses = arguments.has("no-known");
  if (options.ignores_responses && options.bare_columns == 0) options.bare_columns = training.features;
  if (arguments.has("offset") && !training.offset)
    throw Error(ErrorKind::usage, "--offset", "is given, and the model was trained without offsets",
                "leave it out, or train with objective.offset");
  if (const auto word = arguments.get("offset"))
    options.offset = *word;
  else if (!training.offset || std::filesystem::is_regular_file(of_training.resolve(options.offset), none))
    options.offset.clear();  // that file has the offsets of other rows
  if (const auto word = arguments.get("response"))
    options.response = *word;
  else if (!training.response.empty())
    options.response = training.response;
  else if (std::filesystem::is_regular_file(of_training.resolve(options.response), none))
    options.response = "auto";  // that file has the responses of other rows
  return options;
}

namespace {

std::string class_text(const RowPredictions& made, Index number) {
  return field_text(made.classes[static_cast<std::size_t>(number)], ',', "predictions");
}

std::vector<std::string> number_names(const RowPredictions& made) {
  const char* what = made.kind == ResponseKind::probability ? "probability"
                     : made.kind == ResponseKind::score     ? "score"
                                                            : "prediction";
  if (made.width == 1) return {what};
  std::vector<std::string> names;
  for (const std::string& name : made.classes.empty() ? made.responses : made.classes)
    names.push_back(field_text(std::string(what) + "_" + name, ',', "predictions"));
  return names;
}

std::string csv_of(const RowPredictions& made) {
  const auto K = static_cast<std::size_t>(made.width);
  std::string text = made.chosen.empty() ? "row," : "row,class,";
  text += joined(number_names(made), ",") + (made.known.empty() ? "\n" : ",known\n");
  for (std::size_t i = 0; i * K < made.numbers.size(); ++i) {
    text += std::to_string(i + 1);
    if (!made.chosen.empty()) text += ',' + class_text(made, made.chosen[i]);
    for (std::size_t k = 0; k < K; ++k) text += ',' + print_real(made.numbers[i * K + k]);
    if (!made.known.empty())
      text +=
          ',' + (made.classes.empty() ? print_real(made.known[i]) : class_text(made, made.known_class[i]));
    text += '\n';
  }
  return text;
}

std::string json_of(const RowPredictions& made, const std::string& loss) {
  static constexpr const char* kKinds[] = {"value", "count", "probability", "score"};
  const auto K = static_cast<std::size_t>(made.width);
  Json json;
  json["loss"] = loss;
  json["response"] = kKinds[static_cast<int>(made.kind)];
  if (!made.classes.empty()) json["classes"] = made.classes;
  if (!made.responses.empty()) json["responses"] = made.responses;
  Json rows = Json::array();
  for (std::size_t i = 0; i * K < made.numbers.size(); ++i) {
    Json row;
    if (!made.chosen.empty()) row["class"] = made.classes[static_cast<std::size_t>(made.chosen[i])];
    const std::vector<double> numbers(made.numbers.begin() + static_cast<std::ptrdiff_t>(i * K),
                                      made.numbers.begin() + static_cast<std::ptrdiff_t>((i + 1) * K));
    const char* key = made.kind == ResponseKind::probability ? "probabilities"
                      : made.kind == ResponseKind::score     ? "scores"
                                                             : "prediction";
    row[key] = made.chosen.empty() && K == 1 ? Json(numbers[0]) : Json(numbers);
    if (!made.known.empty())
      row["known"] = made.classes.empty() ? Json(made.known[i])
                                          : Json(made.classes[static_cast<std::size_t>(made.known_class[i])]);
    rows.push_back(std::move(row));
  }
  json["rows"] = std::move(rows);
  json["quality"] = quality_json(made);
  return json_text(json);
}

/// That of the run. An objective of linear predictors without a role for a loss (square-root) predicts
/// values, as the squared loss does.
std::shared_ptr<Loss> loss_of_rows(const Arguments& arguments, const std::filesystem::path& folder) {
  if (auto loss = loss_of_run(arguments, folder)) return loss;
  const Catalog catalog = open_catalog(arguments);
  const PluginEntry* entry = entry_at(catalog, Spec::read(folder / "spec.ini"), "objective");
  const auto is_loss = [](const Role& role) { return role.name == "loss"; };
  if (!entry || std::ranges::any_of(entry->parameters().roles(), is_loss)) return nullptr;
  return std::static_pointer_cast<Loss>(create_component(catalog, Kind::loss, "squared", {}, {}));
}

/// All of the standard input, since rows are read more than once.
std::string standard_input() {
  std::string text, piece(std::size_t{1} << 16U, '\0');
  GrowthWatch memory("the standard input");
  while (std::cin.read(piece.data(), std::ssize(piece)) || std::cin.gcount() > 0) {
    text.append(piece, 0, static_cast<std::size_t>(std::cin.gcount()));
    memory.grown(2 * text.size(), "standard input");
  }
  return text;
}

}  // namespace

RowPredictions predictions_of_file(const Arguments& arguments, const std::filesystem::path& folder,
                                   const Solution& solution, const std::string& file) {
  const LinearTraining training = read_linear_training(folder / "solution");
  const auto loss = loss_of_rows(arguments, folder);
  if (!loss)
    throw Error(ErrorKind::data, (folder / "spec.ini").string(), "does not name the loss of the model",
                "make the run again");
  if (loss->of_classes()) loss->set_classes(training.outputs);
  Context context;
  context.messages = [](Severity severity, const std::string& text) {
    if (severity == Severity::warning) report(text);
  };
  const DesignOptions options = options_for(arguments, folder, training, context);
  Design design = read_design(file, options, context);
  return predict_rows(solution, training, *loss, std::move(design), file,
                      [&](Index row) { return place_of_row(file, options, row, context); });
}

int predict_rows_command(const Arguments& arguments, const std::filesystem::path& folder,
                         const Solution& solution) {
  for (const char* of_pairs : {"clip", "strict", "columns", "ranking", "relevant", "without", "new-rows",
                               "new-columns", "row-features", "column-features"})
    if (arguments.has(of_pairs) || arguments.get(of_pairs))
      throw Error(ErrorKind::usage, std::string("--") + of_pairs,
                  "applies to pairs of ids, and " + folder.string() + " holds a linear model", "remove it");
  std::optional<MemoryFile> piped;
  std::string file = arguments.words()[1];
  if (file == "-") file = piped.emplace("-", standard_input()).name();
  if (predicts_risks(arguments, folder)) return predict_risks_command(arguments, folder, solution, file);
  const RowPredictions made = predictions_of_file(arguments, folder, solution, file);
  const auto use = Spec::read(folder / "spec.ini").get("objective.loss", std::string(kUse));
  put_predictions(arguments, arguments.has("json") ? json_of(made, use ? use->value : "") : csv_of(made));
  if (!made.known.empty()) report_quality(made);
  return kDone;
}

}  // namespace claros::cli

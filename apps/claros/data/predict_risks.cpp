// SPDX-License-Identifier: BSD-3-Clause
#include "data/predict_risks.hpp"

#include <claros/compose/composition.hpp>
#include <claros/dataset.hpp>
#include <claros/io/survival.hpp>
#include <claros/objective.hpp>
#include <claros/parameters.hpp>

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "cli/messages.hpp"
#include "cli/session.hpp"
#include "cli/terminal.hpp"
#include "data/predict_rows.hpp"

namespace claros::cli {

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

struct Risks {
  std::vector<double> numbers;
  std::optional<Survival> known;
  double concordance = kNan, deviance = kNan;
};

/// Rows to predict, as data of an objective.
class RowsToPredict final : public Dataset {
 public:
  explicit RowsToPredict(Design design) : design_(std::make_shared<const Design>(std::move(design))) {}
  std::shared_ptr<const Design> design() const override { return design_; }
  void write(const std::filesystem::path& folder) const override {
    write_design(folder / "design.bin", *design_);
  }

 private:
  std::shared_ptr<const Design> design_;
};

/// 2 (f(x) - inf f) a row, for the objective of the run, on these rows and in the units of the data. This is
/// -2 log of the partial likelihood over that of a model with every row right.
double deviance_of(const Arguments& arguments, const Spec& spec, Design design, const Survival& known,
                   const Solution& solution) {
  for (std::size_t i = 0; i < known.rows(); ++i)
    design.response[i] = known.event[i] ? known.time[i] : -known.time[i];
  for (const double y : design.response)
    if (y == 0.0) return kNan;  // has no sign
  std::vector<Setting> settings;
  if (const auto ties = spec.get("objective", "ties")) settings.push_back({"ties", ties->value, {}, {}});
  design.weights.clear();
  Context context;
  context.data = std::make_shared<RowsToPredict>(std::move(design));
  const Catalog catalog = open_catalog(arguments);
  const auto f = std::static_pointer_cast<Objective>(
      create_component(catalog, *entry_at(catalog, spec, "objective"), settings, context));
  std::vector<double> x;
  for (Index j = 0; j < solution.rows(); ++j) x.push_back(solution.at(j, 0));
  return 2.0 *
         (f->value(Element::dense(f->shape(), std::move(x))) - f->constants().lower_bound.value_or(kNan));
}

Risks risks_of_file(const Arguments& arguments, const std::filesystem::path& folder, const Solution& solution,
                    const std::string& file) {
  const LinearTraining training = read_linear_training(folder / "solution");
  const Spec spec = Spec::read(folder / "spec.ini");
  Context context;
  context.messages = [](Severity severity, const std::string& text) {
    if (severity == Severity::warning) report(text);
  };
  const auto word = [&](const char* key) {
    const auto setting = spec.get("objective", key);
    return setting && !arguments.has("no-known") ? setting->value : std::string();
  };
  const SurvivalOptions columns{word("event"), word("strata"), word("entry")};
  const DesignOptions options = options_for(arguments, folder, training, context);
  Risks made;
  Survival known;
  Design design = read_survival(file, options, columns, context, known);
  made.numbers = products_of_rows(solution, training, std::move(design), file, [&](const Design& fitted) {
    if (known.rows() > 0 && columns.strata.empty() && columns.entry.empty())
      made.deviance = deviance_of(arguments, spec, fitted, known, solution);
  });
  if (known.rows() == 0) return made;
  made.concordance = concordance(known, made.numbers);
  made.known = std::move(known);
  return made;
}

std::string csv_of(const Risks& made) {
  std::string text = made.known ? "row,risk,time,event\n" : "row,risk\n";
  for (std::size_t i = 0; i < made.numbers.size(); ++i) {
    text += std::to_string(i + 1) + ',' + print_real(made.numbers[i]);
    if (made.known) text += ',' + print_real(made.known->time[i]) + (made.known->event[i] ? ",1" : ",0");
    text += '\n';
  }
  return text;
}

std::string json_of(const Risks& made) {
  Json json;
  json["response"] = "risk";
  Json rows = Json::array();
  for (std::size_t i = 0; i < made.numbers.size(); ++i) {
    Json row;
    row["prediction"] = made.numbers[i];
    if (made.known) row["time"] = made.known->time[i], row["event"] = static_cast<bool>(made.known->event[i]);
    rows.push_back(std::move(row));
  }
  json["rows"] = std::move(rows);
  json["quality"] = nullptr;
  if (made.known) {
    json["quality"] = Json::object();
    if (!std::isnan(made.concordance)) json["quality"]["concordance"] = made.concordance;
    if (!std::isnan(made.deviance)) json["quality"]["deviance"] = made.deviance;
  }
  return json_text(json);
}

}  // namespace

bool predicts_risks(const Arguments& arguments, const std::filesystem::path& folder) {
  const Catalog catalog = open_catalog(arguments);
  const PluginEntry* entry = entry_at(catalog, Spec::read(folder / "spec.ini"), "objective");
  return entry && entry->parameters().find("event");
}

int predict_risks_command(const Arguments& arguments, const std::filesystem::path& folder,
                          const Solution& solution, const std::string& file) {
  const Risks made = risks_of_file(arguments, folder, solution, file);
  put_predictions(arguments, arguments.has("json") ? json_of(made) : csv_of(made));
  if (!made.known) return kDone;
  std::string text = fmt::format("{} known times: concordance {:.6g}", made.known->rows(), made.concordance);
  if (!std::isnan(made.deviance)) text += fmt::format(", deviance {:.6g}", made.deviance);
  report(text);
  return kDone;
}

}  // namespace claros::cli

// SPDX-License-Identifier: BSD-3-Clause
#include <claros/element/views.hpp>
#include <claros/error.hpp>
#include <claros/io/linear_training.hpp>
#include <claros/io/training.hpp>
#include <claros/other_names.hpp>
#include <claros/paths/held_out_ranking.hpp>
#include <claros/paths/solve_path.hpp>
#include <claros/results/certified.hpp>
#include <claros/results/coefficients.hpp>

#include "request.hpp"

#include <pybind11/stl.h>

#include <chrono>
#include <iterator>
#include <memory>
#include <utility>

namespace claros::python {

namespace {

using namespace py::literals;

/// `as_matrix`: one column too is a matrix.
py::object solution(Element& x, bool as_matrix) {
  const Shape& shape = x.shape();
  if (shape.is_product()) {
    py::list blocks;
    for (Index k = 0; k < x.block_count(); ++k) blocks.append(solution(x.edit_block(k), false));
    return blocks;
  }
  if (only_low_rank(x))
    if (const auto factors = factor_view(x)) {
      const Index rank = factors->rank();
      return py::make_tuple(copied(factors->U, shape.rows, rank), copied(factors->s),
                            copied(factors->V, shape.cols, rank));
    }
  if (shape.cols > 1 || as_matrix) return copied(x.to_dense(), shape.rows, shape.cols);
  return copied(x.to_dense());
}

py::dict counts_of(const Counts& counts) {
  py::dict made;
  for (const Counter& counter : kCounters) made[counter.name] = counts.*counter.member;
  return made;
}

py::dict trace_of(const std::vector<TraceRow>& rows) {
  py::dict made;
  for (const TraceColumn& column : trace_columns()) {
    py::array_t<double> numbers(static_cast<py::ssize_t>(rows.size()));
    double* number = numbers.mutable_data();
    for (const TraceRow& row : rows) *number++ = column.value(row);
    made[column.name] = std::move(numbers);
  }
  return made;
}

py::object linear_facts(const Composition& composition) {
  const auto* predictor = query<LinearPredictor>(*composition.objective);
  if (!predictor) return py::none();
  const LinearTraining& training = predictor->linear_training();
  return py::dict("features"_a = training.features, "outputs"_a = training.outputs,
                  "intercept"_a = training.intercept, "classes"_a = training.classes,
                  "columns"_a = training.columns, "deviations"_a = column_deviations(composition),
                  "record"_a = facts_of(training.encoding));
}

py::object rating_facts(const RunResult& result) {
  if (!result.training) return py::none();
  const Training& training = *result.training;
  return py::dict("center"_a = training.baseline.center, "mean"_a = training.baseline.mean,
                  "row"_a = copied(training.baseline.row), "col"_a = copied(training.baseline.col),
                  "low"_a = training.low, "high"_a = training.high,
                  "total_weight"_a = training.folding.total_weight, "row_bias"_a = training.folding.row_bias,
                  "col_bias"_a = training.folding.col_bias);
}

/// The names of the rows and columns of a solution that is not a model's.
py::tuple names_of(const Composition& composition) {
  const Shape& shape = composition.objective->shape();
  const bool others =
      shape.is_product() || query<Predictor>(*composition.objective) || !linear_facts(composition).is_none();
  const EntryNames names = others ? EntryNames() : entry_names(composition, shape);
  return py::make_tuple(names.rows, names.cols);
}

std::map<std::string, double> resolved(const Composition& composition) {
  std::map<std::string, double> numbers;
  for (const ResolvedFraction& fraction : composition.fractions) numbers[fraction.key] = fraction.number;
  return numbers;
}

py::dict choices_of(const Composition& composition) {
  py::dict made;
  for (const HeldOutChoice& c : composition.choices)
    made[py::str(c.key)] = py::dict(
        "tried"_a = copied(c.numbers), py::arg(c.measure.c_str()) = copied(c.measured),
        "error"_a = copied(c.error), "folds"_a = c.folds, "held_out"_a = c.held_out, "chosen"_a = c.chosen);
  return made;
}

std::map<std::string, std::string> labels(const Composition& composition) {
  std::map<std::string, std::string> all;
  for (const Node* node : composition.all_parts()) all[node->path] = node->label();
  return all;
}

/// The columns of `path_columns`, by their names.
py::dict path_numbers(const std::vector<PathPoint>& points) {
  py::dict made;
  for (const PathColumn& column : path_columns()) {
    std::vector<double> numbers;
    for (const PathPoint& point : points) numbers.push_back(column.value(point));
    made[column.name] = copied(numbers);
  }
  std::vector<double> over;
  for (const PathPoint& point : points) over.push_back(point.over);
  made["over"] = copied(over);
  return made;
}

/// Coefficients in the units of the data, a column a lambda.
py::array path_coefficients(const Composition& composition, const std::vector<PathPoint>& points) {
  const Index size = coefficient_count(composition);
  py::array_t<double, py::array::f_style> all({size, static_cast<Index>(points.size())});
  std::fill(all.mutable_data(), all.mutable_data() + all.size(), 0.0);
  for (std::size_t k = 0; k < points.size(); ++k)
    for (std::size_t j = 0; j < points[k].coefficients.at.size(); ++j)
      all.mutable_at(points[k].coefficients.at[j], k) = points[k].coefficients.value[j];
  return all;
}

/// (lambdas, folds) of one list a fold.
py::array table_of(const std::vector<std::vector<double>>& folds) {
  const std::size_t count = folds.empty() ? 0 : folds.front().size();
  py::array_t<double, py::array::f_style> all({count, folds.size()});
  for (std::size_t fold = 0; fold < folds.size(); ++fold)
    for (std::size_t k = 0; k < count; ++k) all.mutable_at(k, fold) = folds[fold][k];
  return all;
}

py::object validation_of(const PathRecord& record) {
  if (!record.validation) return py::none();
  const CrossValidation& validation = *record.validation;
  const auto numbers = [](const std::vector<FoldMean>& means, double FoldMean::*member) {
    std::vector<double> all;
    for (const FoldMean& mean : means) all.push_back(mean.*member);
    return copied(all);
  };
  return py::dict("loss"_a = numbers(validation.loss, &FoldMean::mean),
                  "loss_error"_a = numbers(validation.loss, &FoldMean::error), "other"_a = validation.other,
                  "other_mean"_a = numbers(validation.beside, &FoldMean::mean),
                  "other_error"_a = numbers(validation.beside, &FoldMean::error),
                  "losses"_a = table_of(validation.losses), "others"_a = table_of(validation.others),
                  "missed"_a = validation.missed);
}

/// The value of the second parameter, how many lambdas were asked for, and why fewer are solved.
py::list slices_of(const PathRecord& record) {
  py::list made;
  for (const PathSlice& slice : record.slices)
    made.append(py::make_tuple(slice.value, slice.lambdas.size(), slice.saturated));
  return made;
}

py::dict path_outcome(const Composition& composition, const PathRecord& record) {
  std::map<std::string, std::size_t> chosen(record.chosen.begin(), record.chosen.end());
  std::vector<std::string> statuses;
  std::vector<bool> unfinished;
  for (std::size_t k = 0; k < record.points.size(); ++k) {
    statuses.push_back(text(record.points[k].result.status));
    unfinished.push_back(record.is_unfinished(k));
  }
  return py::dict("parameter"_a = record.parameter, "max"_a = record.slices.front().max,
                  "coefficients"_a = path_coefficients(composition, record.points),
                  "table"_a = path_numbers(record.points), "status"_a = statuses, "unfinished"_a = unfinished,
                  "chosen"_a = chosen, "validation"_a = validation_of(record),
                  "interrupted"_a = record.interrupted, "slices"_a = slices_of(record),
                  "edge"_a = record.edge(), "information"_a = copied(record.information),
                  "linear"_a = linear_facts(composition));
}

template <class E>
E word_of_table(const std::vector<std::pair<E, std::string>>& words, const std::string& key,
                const std::string& word) {
  std::vector<std::string> known;
  for (const auto& [value, name] : words) {
    if (name == word) return value;
    known.push_back(name);
  }
  throw Error(ErrorKind::usage, "path." + key, "'" + word + "' is not one of " + joined(known),
              did_you_mean(word, known));
}

PathGrid grid_of(const std::map<std::string, std::string>& words) {
  static const ParameterTable<PathGrid> table{
      row("lambdas", &PathGrid::lambdas, at_least(1), "lambdas"),
      row("ratio", &PathGrid::ratio, between(1e-12, 1.0), "smallest lambda over max"),
      row("explained", &PathGrid::explained, between(0.0, 1.0), "share of the loss at which a path may end"),
      row("folds", &PathGrid::folds, at_least(0), "folds; 0: none"),
      row("repeats", &PathGrid::repeats, at_least(1), "divisions into folds"),
      row("relevant", &PathGrid::relevant, any(), "entries held out are relevant from this value on"),
      row("jobs", &PathGrid::jobs, between(1, 256), "folds at a time"),
      row("stratified", &PathGrid::stratified, "every class has its share of every fold")};
  PathGrid grid;
  std::vector<Complaint> complaints;
  for (const auto& [key, word] : words) try {
      if (key == "by" && word == "test_rmse")
        grid.by_test = true;
      else if (key == "by" && RankingMetric::parse(word))
        grid.ranking = word;
      else if (key == "grid")
        grid.values = PathAxis::parse("penalty.lambda=" + word, "path.grid").values;
      else if (key == "by")
        grid.by = word_of_table(fold_metrics(), key, word);
      else if (key == "over")
        grid.over = PathAxis::parse(word, "path.over");
      else if (key == "information")
        grid.information = word_of_table(criteria(), key, word);
      else
        table.assign(&grid, key, word);
    } catch (const Error& error) {
      complaints.push_back(
          {"path." + key, error.complaints().front().what, error.complaints().front().remedy});
    }
  if (!complaints.empty()) throw Error(ErrorKind::usage, complaints);
  return grid;
}

/// Calls on_step(fold, k, count) ten times a second at most: k lambdas of `count` are solved, by fold (-1: on
/// all rows).
void show_progress(const std::shared_ptr<py::object>& on_step, const PathRecord& record, PathHooks& hooks) {
  using Clock = std::chrono::steady_clock;
  const auto shown = std::make_shared<Clock::time_point>(Clock::now());
  const auto show = [on_step, &record, shown](Index fold, std::size_t k) {
    if (Clock::now() - *shown < std::chrono::milliseconds(100)) return;
    *shown = Clock::now();
    const py::gil_scoped_acquire lock;
    try {
      (*on_step)(fold, k, record.expected());
    } catch (py::error_already_set& error) {
      error.discard_as_unraisable("progress");
    }
  };
  hooks.on_solved = [show](const PathRecord& now) { show(-1, now.points.size()); };
  hooks.on_progress = [show](Index fold, std::size_t k, const Progress&) { show(fold, k); };
}

}  // namespace

py::dict outcome(const Composition& composition, RunResult result) {
  const Measurement& at = result.measurement;
  py::dict made("status"_a = text(result.status), "explanation"_a = explanation(result.status),
                "target"_a = is_target(result.status), "trouble"_a = is_trouble(result.status),
                "failed"_a = result.status == Status::failed, "failure"_a = result.failure,
                "failure_kind"_a = static_cast<int>(result.failure_kind), "note"_a = result.note);
  made.attr("update")(py::dict("value"_a = at.value, "gap"_a = at.gap, "gap_kind"_a = at.gap_kind,
                               "confirmed"_a = at.confirmed, "residual"_a = at.residual,
                               "rmse_truth"_a = at.rmse_truth, "test_rmse"_a = at.test_rmse,
                               "lower_bound"_a = result.lower_bound, "violation"_a = result.violation,
                               "certifies"_a = certified_by(result)));
  made.attr("update")(py::dict("iterations"_a = result.iterations, "epochs"_a = result.epochs,
                               "seconds"_a = result.seconds, "elapsed_seconds"_a = result.elapsed_seconds,
                               "counts"_a = counts_of(result.counts), "trace"_a = trace_of(result.trace),
                               "components"_a = labels(composition), "resolved"_a = resolved(composition),
                               "choices"_a = choices_of(composition),
                               "specification"_a = composition.effective.text(),
                               "linear"_a = linear_facts(composition), "ratings"_a = rating_facts(result)));
  made["names"] = names_of(composition);
  made["solution"] = solution(result.answer, result.training != nullptr);
  return made;
}

Task::Work path_work(const Request& request, const std::map<std::string, std::string>& words,
                     GivenFolds folds) {
  PathGrid asked = grid_of(words);
  asked.given = std::move(folds);
  if (!asked.given.all.empty()) asked.folds = std::ssize(asked.given.all);
  return [prepared = prepare(request), grid = std::move(asked)](Task& task) -> Task::Deliver {
    if (!prepared.complaints.empty()) throw Error(ErrorKind::usage, prepared.complaints);
    auto composition = std::make_shared<Composition>(
        compose_path(catalog(), with_own_names(catalog(), prepared.spec, {}), grid.values, prepared.parts));
    auto record = std::make_shared<PathRecord>(plan_path(catalog(), *composition, grid));
    std::optional<PathFolder> folder;
    if (!prepared.folder.empty()) folder.emplace(prepared.folder);
    PathHooks hooks;
    hooks.interrupt = &task.interrupted();
    if (prepared.on_step) show_progress(prepared.on_step, *record, hooks);
    solve_path(catalog(), *composition, grid, *record, hooks);
    if (folder && !record->points.empty()) folder->write(*composition, *record);
    return [composition, record] { return path_outcome(*composition, *record); };
  };
}

}  // namespace claros::python

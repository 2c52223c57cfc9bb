// SPDX-License-Identifier: BSD-3-Clause
#include <claros/paths/folds.hpp>

#include <claros/abilities.hpp>
#include <claros/element/parallel.hpp>
#include <claros/io/design_io.hpp>
#include <claros/map/design_map.hpp>
#include <claros/random.hpp>
#include <claros/results/linear_prediction.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <utility>

namespace claros {

namespace {

constexpr std::uint32_t kFoldStream = 101;  // no data component draws from it

std::size_t at(Index k) { return static_cast<std::size_t>(k); }

template <class T>
std::vector<T> chosen(const std::vector<T>& all, const std::vector<Index>& rows) {
  std::vector<T> some;
  if (!all.empty())
    for (const Index i : rows) some.push_back(all[at(i)]);
  return some;
}

template <class Real>
DenseRows<Real> chosen(const DenseRows<Real>& all, const std::vector<Index>& rows, Index cols) {
  DenseRows<Real> some;
  const std::span<const Real> from = all.view();
  some.values.reserve(rows.size() * at(cols));
  for (const Index i : rows)
    some.values.insert(some.values.end(), from.begin() + i * cols, from.begin() + (i + 1) * cols);
  return some;
}

template <class Real>
SparseRows<Real> chosen(const SparseRows<Real>& held, const std::vector<Index>& rows, Index) {
  const auto all = held.view();
  SparseRows<Real> some{{0}, {}, {}};
  for (const Index i : rows) {
    const Index from = all.start[at(i)], to = all.start[at(i) + 1];
    some.column.insert(some.column.end(), all.column.begin() + from, all.column.begin() + to);
    some.value.insert(some.value.end(), all.value.begin() + from, all.value.begin() + to);
    some.start.push_back(static_cast<Index>(some.column.size()));
  }
  return some;
}

class FoldData final : public Component, public Dataset {
 public:
  explicit FoldData(Design design) : design_(std::make_shared<const Design>(std::move(design))) {}
  std::shared_ptr<const Design> design() const override { return design_; }
  void write(const std::filesystem::path& folder) const override {
    write_design(folder / "design.bin", *design_);
  }

 private:
  std::shared_ptr<const Design> design_;
};

/// Two numbers of one fit on the rows held back.
struct HeldBack {
  double loss, other;
};

class Judge {
 public:
  Judge(const RowsOfModel& model, const std::vector<Index>& rows)
      : model_(model),
        map_(std::make_shared<const Design>(chosen_rows(*model.design, rows)), model.training.shape,
             model.training.outputs, model.training.intercept),
        targets_(chosen(model.targets, rows)),
        weights_(chosen(model.weights, rows)),
        z_(at(map_.size())) {}

  HeldBack operator()(const Element& x) {
    map_.apply(1.0, x, 0.0, z_);
    const PredictionQuality quality =
        predictions_of(z_, targets_, *model_.loss, model_.training.classes).quality;
    double loss = quality.loss;
    if (!weights_.empty())
      loss = model_.loss->weighted_sum(z_, targets_, weights_) /
             std::accumulate(weights_.begin(), weights_.end(), 0.0);
    return {loss, std::isnan(quality.accuracy) ? quality.rmse * quality.rmse : quality.accuracy};
  }

 private:
  const RowsOfModel& model_;
  DesignMap map_;
  std::vector<double> targets_, weights_, z_;
};

RowsOfModel required_rows(const Composition& whole) {
  if (auto rows = rows_of_model(whole)) return *std::move(rows);
  throw Error(ErrorKind::usage, "--folds",
              "expected a linear model, without a smoother and without errors in variables: folds are parts "
              "of its rows",
              "remove --folds");
}

}  // namespace

std::vector<Index> draw_folds(Index rows, Index folds, std::uint64_t seed) {
  RandomStream stream(seed, Purpose::data, kFoldStream);
  std::vector<Index> order(at(rows)), fold(at(rows));
  std::iota(order.begin(), order.end(), Index{0});
  for (Index k = rows - 1; k > 0; --k) std::swap(order[at(k)], order[at(stream.index(k + 1))]);
  for (Index k = 0; k < rows; ++k) fold[at(order[at(k)])] = k % folds;
  return fold;
}

Design chosen_rows(const Design& design, const std::vector<Index>& rows) {
  Design some;
  some.rows = static_cast<Index>(rows.size()), some.cols = design.cols;
  std::visit([&](const auto& entries) { some.entries = chosen(entries, rows, design.cols); }, design.entries);
  some.response = chosen(design.response, rows);
  some.weights = chosen(design.weights, rows);
  some.labels = design.labels, some.column_names = design.column_names,
  some.response_name = design.response_name;
  return some;
}

FoldMean fold_mean(const std::vector<double>& numbers, const std::vector<Index>& sizes) {
  const auto total = static_cast<double>(std::accumulate(sizes.begin(), sizes.end(), Index{0}));
  double mean = 0.0, spread = 0.0;
  for (std::size_t k = 0; k < numbers.size(); ++k) mean += static_cast<double>(sizes[k]) / total * numbers[k];
  for (std::size_t k = 0; k < numbers.size(); ++k)
    spread += static_cast<double>(sizes[k]) / total * (numbers[k] - mean) * (numbers[k] - mean);
  return {mean, std::sqrt(spread / static_cast<double>(numbers.size() - 1))};
}

void select_lambdas(CrossValidation& validation) {
  const auto& loss = validation.loss;
  bool any = false;
  for (std::size_t k = 0; k < loss.size(); ++k)
    if (std::isfinite(loss[k].mean) && (!any || loss[k].mean < loss[validation.least].mean))
      validation.least = k, any = true;
  if (!any)
    throw Error(ErrorKind::numerical, "--folds", "no lambda has a finite loss in all folds",
                "run one of the lambdas alone to see how it ends: claros run with penalty.lambda");
  const FoldMean& best = loss[validation.least];
  for (validation.simplest = 0; !(loss[validation.simplest].mean <= best.mean + best.error);
       ++validation.simplest) {
  }
}

Folds::Folds(const Composition& whole, Index folds)
    : whole_(whole), rows_(required_rows(whole)), count_(folds) {
  if (folds > rows_.rows())
    throw Error(
        ErrorKind::usage, "--folds",
        std::to_string(folds) + " folds of " + std::to_string(rows_.rows()) + " rows leave some empty",
        "use at most one fold for each row");
  fold_of_ = draw_folds(rows_.rows(), folds, static_cast<std::uint64_t>(whole.run.seed));
  require_classes();
  for (Index fold = 0; fold < count_ && !rows_.weights.empty(); ++fold)
    for (const bool held_back : {false, true}) {
      const std::vector<double> w = chosen(rows_.weights, rows_in(fold, held_back));
      if (!(std::accumulate(w.begin(), w.end(), 0.0) > 0.0))
        throw Error(
            ErrorKind::usage, "--folds",
            "all weights of fold " + std::to_string(fold + 1) + (held_back ? "" : "'s training") + " are 0",
            "use fewer folds, or another --seed");
    }
}

void Folds::require_classes() const {
  if (!rows_.loss->of_classes() && !wants_signs(*rows_.loss)) return;
  const std::set<double> all(rows_.targets.begin(), rows_.targets.end());
  for (Index fold = 0; fold < count_; ++fold) {
    const std::vector<double> y = chosen(rows_.targets, rows_in(fold, false));
    const std::set<double> here(y.begin(), y.end());
    if (here.size() < all.size())
      throw Error(ErrorKind::data, "--folds",
                  "without the rows of fold " + std::to_string(fold + 1) + " there are " +
                      std::to_string(here.size()) + " of " + std::to_string(all.size()) + " classes" +
                      (here.size() == 1 ? ": one class only" : ""),
                  "use fewer folds, another --seed, or more rows of the rare class");
  }
}

std::vector<Index> Folds::rows_in(Index fold, bool held_back) const {
  std::vector<Index> rows;
  for (Index i = 0; i < rows_.rows(); ++i)
    if ((fold_of_[at(i)] == fold) == held_back) rows.push_back(i);
  return rows;
}

/// The same specification on the rows outside the fold. Targets replace responses, so that every fold has
/// the classes of all rows.
Composition Folds::training(const Catalog& catalog, Index fold) const {
  const std::vector<Index> rows = rows_in(fold, false);
  Design design = chosen_rows(*rows_.design, rows);
  design.response = chosen(rows_.targets, rows);
  design.weights = chosen(rows_.weights, rows);
  design.labels = rows_.loss->of_classes() ? rows_.training.classes : std::vector<std::string>();
  Spec spec = whole_.effective;
  spec.erase("data");
  for (const auto& [key, value] : std::vector<std::pair<std::string, std::string>>{{"data", ""},
                                                                                   {"positive", ""},
                                                                                   {"weights", ""},
                                                                                   {"standardize", "false"},
                                                                                   {"smoothness", "0"},
                                                                                   {"strong_convexity", "0"}})
    if (spec.get("objective", key)) spec.set("objective." + key, value);
  spec.set("start.from", "zero");
  spec.set("trace.truth", "");
  HostParts parts;
  parts.data = std::make_shared<FoldData>(std::move(design));
  return compose(catalog, spec, parts);
}

bool Folds::run(const Catalog& catalog, const std::string& parameter, const std::vector<double>& lambdas,
                const PathSettings& settings, const std::function<void(Index)>& on_fold,
                CrossValidation& validation) const {
  const ThreadScope threads(static_cast<int>(whole_.run.threads));
  std::vector<std::vector<double>> loss(lambdas.size()), other(lambdas.size());
  std::vector<Index> sizes;
  validation.folds = count_;
  for (Index fold = 0; fold < count_; ++fold) {
    on_fold(fold);
    const std::vector<Index> held_back = rows_in(fold, true);
    sizes.push_back(static_cast<Index>(held_back.size()));
    Judge judge(rows_, held_back);
    Composition composition = training(catalog, fold);
    const bool whole =
        follow(composition, parameter, lambdas, settings, [&](std::size_t k, RunResult&& result) {
          const bool sound = !is_trouble(result.status);
          const HeldBack seen = sound ? judge(result.answer)
                                      : HeldBack{std::numeric_limits<double>::quiet_NaN(),
                                                 std::numeric_limits<double>::quiet_NaN()};
          loss[k].push_back(seen.loss), other[k].push_back(seen.other);
          validation.missed += !met_target(result);
        });
    if (!whole) return false;
  }
  for (std::size_t k = 0; k < lambdas.size(); ++k) {
    validation.loss.push_back(fold_mean(loss[k], sizes));
    validation.beside.push_back(fold_mean(other[k], sizes));
  }
  const ResponseKind kind = rows_.loss->response();
  validation.other = kind == ResponseKind::probability || kind == ResponseKind::score ? "accuracy" : "mse";
  select_lambdas(validation);
  return true;
}

}  // namespace claros

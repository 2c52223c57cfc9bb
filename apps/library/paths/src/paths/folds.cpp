// SPDX-License-Identifier: BSD-3-Clause
#include <claros/paths/folds.hpp>

#include "paths/folded_data.hpp"
#include "paths/workers.hpp"

#include <claros/paths/refit.hpp>

#include <claros/abilities.hpp>
#include <claros/element/parallel.hpp>
#include <claros/io/survival.hpp>
#include <claros/linear_predictor.hpp>
#include <claros/random.hpp>
#include <claros/results/linear_prediction.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <utility>

namespace claros {

const std::vector<std::pair<FoldMetric, std::string>>& fold_metrics() {
  static const std::vector<std::pair<FoldMetric, std::string>> all{
      {FoldMetric::loss, "loss"}, {FoldMetric::accuracy, "accuracy"},
      {FoldMetric::auc, "auc"},   {FoldMetric::mse, "mse"},
      {FoldMetric::mae, "mae"},   {FoldMetric::rmse, "rmse"},
      {FoldMetric::r2, "r2"},     {FoldMetric::concordance, "concordance"}};
  return all;
}

namespace {

constexpr std::uint32_t kFoldStream = 101;  // no data component draws from it

/// 0, ..., count - 1 in random order.
std::vector<Index> shuffled(Index count, RandomStream& stream) {
  std::vector<Index> order(at(count));
  std::iota(order.begin(), order.end(), Index{0});
  for (Index k = count - 1; k > 0; --k) std::swap(order[at(k)], order[at(stream.index(k + 1))]);
  return order;
}

}  // namespace

std::vector<Index> draw_folds(Index rows, Index folds, std::uint64_t seed) {
  RandomStream stream(seed, Purpose::data, kFoldStream);
  const std::vector<Index> order = shuffled(rows, stream);
  std::vector<Index> fold(at(rows));
  for (Index k = 0; k < rows; ++k) fold[at(order[at(k)])] = k % folds;
  return fold;
}

std::vector<Index> draw_stratified_folds(std::span<const double> classes, Index folds, std::uint64_t seed) {
  RandomStream stream(seed, Purpose::data, kFoldStream);
  std::vector<Index> order = shuffled(static_cast<Index>(classes.size()), stream);
  std::ranges::stable_sort(order, [&](Index a, Index b) { return classes[at(a)] < classes[at(b)]; });
  std::vector<Index> fold(classes.size());
  for (std::size_t k = 0; k < order.size(); ++k) fold[at(order[k])] = static_cast<Index>(k) % folds;
  return fold;
}

std::vector<Index> draw_grouped_folds(std::span<const Index> groups, Index folds, std::uint64_t seed) {
  std::map<Index, Index> sizes;
  for (const Index group : groups) ++sizes[group];
  std::vector<std::pair<Index, Index>> listed(sizes.begin(), sizes.end());
  RandomStream stream(seed, Purpose::data, kFoldStream);
  const std::vector<Index> order = shuffled(static_cast<Index>(listed.size()), stream);
  std::vector<std::pair<Index, Index>> mixed;
  for (const Index k : order) mixed.push_back(listed[at(k)]);
  std::ranges::stable_sort(mixed, [](const auto& a, const auto& b) { return a.second > b.second; });
  std::vector<Index> filled(at(folds), 0);
  std::map<Index, Index> fold_of;
  for (const auto& [group, size] : mixed) {
    const auto least = std::ranges::min_element(filled);
    fold_of[group] = static_cast<Index>(least - filled.begin());
    *least += size;
  }
  std::vector<Index> fold;
  for (const Index group : groups) fold.push_back(fold_of[group]);
  return fold;
}

GivenFolds folds_of_numbers(std::span<const double> numbers) {
  std::map<double, GivenFold> folds;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (!(numbers[i] >= 0.0 && numbers[i] == std::floor(numbers[i])))
      throw Error(ErrorKind::data, "--folds",
                  "expected the number of a fold for each row, or 0 for a row of no fold, got " +
                      print_real(numbers[i]) + " for row " + std::to_string(i + 1),
                  "write a whole number a line");
    if (numbers[i] > 0.0) folds[numbers[i]].held_back.push_back(static_cast<Index>(i));
  }
  GivenFolds given{{}, static_cast<Index>(numbers.size())};
  for (auto& [number, fold] : folds) {
    for (std::size_t i = 0; i < numbers.size(); ++i)
      if (numbers[i] != number) fold.training.push_back(static_cast<Index>(i));
    given.all.push_back(std::move(fold));
  }
  return given;
}

double area_under_curve(std::span<const double> z, std::span<const double> signs,
                        std::span<const double> weights) {
  std::vector<std::size_t> order(z.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) { return z[a] < z[b]; });
  double below = 0.0, above = 0.0, pairs = 0.0;  // weight of each class so far, and of the pairs in order
  for (std::size_t first = 0, last = 0; first < order.size(); first = last) {
    double negative = 0.0, positive = 0.0;
    for (; last < order.size() && z[order[last]] == z[order[first]]; ++last) {
      const std::size_t i = order[last];
      (signs[i] > 0.0 ? positive : negative) += weights.empty() ? 1.0 : weights[i];
    }
    pairs += positive * (below + 0.5 * negative);
    below += negative;
    above += positive;
  }
  return pairs / (below * above);
}

FoldMean fold_mean(const std::vector<double>& numbers, const std::vector<double>& masses) {
  const double total = std::accumulate(masses.begin(), masses.end(), 0.0);
  double mean = 0.0, spread = 0.0;
  for (std::size_t k = 0; k < numbers.size(); ++k) mean += masses[k] / total * numbers[k];
  for (std::size_t k = 0; k < numbers.size(); ++k)
    spread += masses[k] / total * (numbers[k] - mean) * (numbers[k] - mean);
  return {mean, std::sqrt(spread / static_cast<double>(numbers.size() - 1))};
}

FoldMean repeated_mean(const std::vector<FoldMean>& repeats) {
  FoldMean all{0.0, 0.0};
  const auto count = static_cast<double>(repeats.size());
  for (const FoldMean& one : repeats) all.mean += one.mean / count, all.error += one.error / count;
  return all;
}

std::vector<double> costs_of(const CrossValidation& validation) {
  const bool larger = validation.by_other && (validation.other == "accuracy" || validation.other == "auc" ||
                                              validation.other == "r2" || validation.other == "concordance");
  std::vector<double> costs;
  for (const FoldMean& one : validation.by_other ? validation.beside : validation.loss)
    costs.push_back(larger ? -one.mean : one.mean);
  return costs;
}

void select_lambdas(CrossValidation& validation, const std::vector<std::size_t>& firsts) {
  const std::vector<FoldMean>& means = validation.by_other ? validation.beside : validation.loss;
  const std::vector<double> cost = costs_of(validation);
  std::vector<bool>& unfinished = validation.unfinished;
  unfinished.resize(cost.size());
  const auto least = least_cost(cost, unfinished);
  if (!least)
    throw Error(
        ErrorKind::numerical, "--folds",
        "no lambda has a finite " + (validation.by_other ? validation.other : "loss") + " in all folds",
        validation.by_other
            ? "a fold of one class or row, or without pairs, has none: take fewer folds or another measure"
            : "run one of the lambdas alone to see how it ends: claros run with penalty.lambda");
  const std::size_t first = *std::prev(std::ranges::upper_bound(firsts, *least));
  const auto first_within = [&](double most) {
    std::size_t k = first;
    while (!(cost[k] <= most) || unfinished[k] != unfinished[*least]) ++k;
    return k;
  };
  constexpr double kRounding = 1e-9;
  validation.least = first_within(cost[*least] + kRounding * std::abs(cost[*least]));
  const double error = means[validation.least].error;  // of a single fold not known
  validation.simplest = first_within(cost[validation.least] + (std::isnan(error) ? 0.0 : error));
}

namespace {

/// A parameter of the objective; empty if it is not set.
std::string setting_of(const Composition& whole, const char* key) {
  const auto setting = whole.effective.get("objective", key);
  return setting ? setting->value : std::string();
}

/// The weights of all rows of the data, also of those that the model leaves out; empty if they have none.
std::vector<double> weights_of_data(const Composition& whole) {
  const auto value = [&](const char* key) { return setting_of(whole, key); };
  Context context;
  context.base = whole.effective.base();
  DesignOptions options;
  for (const auto& row : design_rows())
    if (const auto setting = whole.effective.get("objective", row.info.name))
      row.assign(options, setting->value);
  if (const std::string file = value("data"); !file.empty()) {
    Survival times;
    const SurvivalOptions survival{value("event"), value("strata"), value("entry")};
    return whole.effective.get("objective", "event")
               ? read_survival(context.resolve(file), options, survival, context, times).weights
               : read_design(context.resolve(file), options, context).weights;
  }
  const auto& data = whole.context.data;
  const auto design = data ? data->design() : nullptr;
  if (!design) return {};
  return options.weights.empty()
             ? design->weights
             : read_row_numbers(context.resolve(options.weights), design->rows, "weights", context);
}

[[noreturn]] void refuse_fold(std::size_t fold, const std::string& what,
                              const std::string& remedy = "change the folds given") {
  throw Error(ErrorKind::usage, "--folds", "fold " + std::to_string(fold + 1) + " " + what, remedy);
}

/// Throws Error(usage) unless all positions are below `count`.
void expect_rows(const GivenFolds& given, Index count) {
  for (std::size_t k = 0; k < given.all.size(); ++k)
    for (const auto* rows : {&given.all[k].training, &given.all[k].held_back})
      for (const Index i : *rows)
        if (i < 0 || i >= count)
          refuse_fold(k, "has row " + std::to_string(i) + ", counted from 0, of " + std::to_string(count));
}

/// Throws Error(usage) if positions would mean other rows than those that the caller counts.
void expect_order_of_data(const Composition& whole, const FoldedData& data, const GivenFolds& given) {
  if (data.unit() == "ratings")
    throw Error(ErrorKind::usage, "--folds",
                "the folds are given, and ratings are sorted by row and column, so that none has a place",
                "give the number of folds, or hold ratings out (objective.test)");
  if (given.rows == 0 && setting_of(whole, "missing") == "drop")
    throw Error(ErrorKind::usage, "--folds",
                "the folds are positions of rows, and objective.missing = drop leaves rows out",
                "remove these rows beforehand, or fill in their values: objective.missing = mean");
}

/// Folds of all rows become folds of the `count` rows with a weight above 0, which are those of the model. A
/// fold that holds rows of weight 0 back and no others is left out.
void leave_out_zeros(const Composition& whole, Index count, GivenFolds& given) {
  if (!query<LinearPredictor>(*whole.objective)) return;
  const std::vector<double> weights = weights_of_data(whole);
  const Index all = std::ssize(weights);
  if (all == count || all - std::ranges::count(weights, 0.0) != count ||
      (given.rows > 0 && given.rows != all))
    return;
  expect_rows(given, all);
  std::vector<Index> place;
  for (Index next = 0; const double w : weights) place.push_back(w > 0.0 ? next++ : -1);
  const std::string remedy = "change the folds given, or the weights";
  const auto has_zeros_alone = [&](const std::vector<Index>& rows) {
    return !rows.empty() && std::ranges::all_of(rows, [&](Index i) { return place[at(i)] < 0; });
  };
  for (std::size_t k = 0; k < given.all.size(); ++k)
    if (has_zeros_alone(given.all[k].training) && !has_zeros_alone(given.all[k].held_back))
      refuse_fold(k, "trains on rows of weight 0 alone", remedy);
  std::erase_if(given.all, [&](const GivenFold& fold) { return has_zeros_alone(fold.held_back); });
  if (given.all.empty())
    throw Error(ErrorKind::usage, "--folds", "every fold holds rows of weight 0 back, and no others", remedy);
  for (GivenFold& fold : given.all)
    for (auto* rows : {&fold.training, &fold.held_back}) {
      std::erase_if(*rows, [&](Index i) { return place[at(i)] < 0; });
      for (Index& i : *rows) i = place[at(i)];
    }
  given.rows = count;
}

}  // namespace

Folds::Folds(const Composition& whole, const FoldRule& rule)
    : whole_(whole), data_(FoldedData::of(whole)), rule_(rule) {
  const bool given = !rule.given.all.empty();
  if (given) expect_order_of_data(whole, *data_, rule_.given);
  if (given && rule_.given.rows != data_->count()) leave_out_zeros(whole, data_->count(), rule_.given);
  if (given) rule_.folds = std::ssize(rule_.given.all), rule_.repeats = 1, fold_of_.push_back(taken());
  if (!given && rule.folds > data_->count())
    throw Error(ErrorKind::usage, "--folds",
                std::to_string(rule.folds) + " folds of " + std::to_string(data_->count()) + " " +
                    data_->unit() + " leave some empty",
                "use fewer folds");
  data_->require(rule.by);
  for (Index repeat = 0; repeat < rule_.repeats; ++repeat) {
    if (!given) fold_of_.push_back(drawn(repeat));
    require_classes(repeat);
    require_weights(repeat);
    for (Index fold = 0; fold < rule_.folds; ++fold) {
      data_->require(rows_in(repeat, fold, false));
      const std::vector<Index> held_back = rows_in(repeat, fold, true);
      const std::vector<double> w = chosen(data_->weights(), held_back);
      masses_.push_back(w.empty() ? static_cast<double>(held_back.size())
                                  : std::accumulate(w.begin(), w.end(), 0.0));
    }
  }
  fits_.resize(at(rule_.folds * rule_.repeats));
}

/// The fold of every row, if each row is held back once, and is in every other training once. Else nothing.
std::vector<Index> Folds::taken() const {
  const Index count = data_->count();
  if (rule_.given.rows > 0 && rule_.given.rows != count)
    throw Error(ErrorKind::usage, "--folds",
                "the folds given are of " + std::to_string(rule_.given.rows) + " rows, and the data have " +
                    std::to_string(count) + " " + data_->unit(),
                "give a fold for each of them");
  if (rule_.stratified)
    throw Error(ErrorKind::usage, "--stratified", "the folds are given, and not drawn", "leave it out");
  expect_rows(rule_.given, count);
  std::vector<Index> fold_of(at(count), -1);
  bool divides = true;
  for (std::size_t k = 0; k < rule_.given.all.size(); ++k) {
    const GivenFold& fold = rule_.given.all[k];
    if (fold.training.empty() || fold.held_back.empty())
      refuse_fold(k, fold.training.empty() ? "has no rows to train on" : "holds no rows back");
    std::vector<bool> trains(at(count));
    for (const Index i : fold.training) trains[at(i)] = true;
    divides = divides && std::ssize(fold.training) + std::ssize(fold.held_back) == count &&
              std::ranges::count(trains, true) == std::ssize(fold.training);
    for (const Index i : fold.held_back) {
      if (trains[at(i)]) refuse_fold(k, "trains on row " + std::to_string(i) + ", which it holds back");
      divides = divides && fold_of[at(i)] == -1;
      fold_of[at(i)] = static_cast<Index>(k);
    }
  }
  return divides ? fold_of : std::vector<Index>();
}

std::string Folds::remedy() const {
  return rule_.given.all.empty() ? "use fewer folds, or another --seed" : "change the folds given";
}

/// The folds of the rows themselves, or of the groups that they belong to. The first division is drawn by the
/// seed.
std::vector<Index> Folds::drawn(Index repeat) const {
  const auto seed = static_cast<std::uint64_t>(whole_.run.seed) +
                    0x9E3779B97F4A7C15ULL * static_cast<std::uint64_t>(repeat);
  const std::span<const double> weights = data_->weights();
  std::vector<Index> rows;  // without those of weight 0, which are no rows of a model
  for (Index i = 0; i < data_->count(); ++i)
    if (weights.empty() || weights[at(i)] > 0.0) rows.push_back(i);
  const std::vector<Index> folds = drawn_among(rows, seed);
  std::vector<Index> all(at(data_->count()), 0);
  for (std::size_t k = 0; k < rows.size(); ++k) all[at(rows[k])] = folds[k];
  return all;
}

std::vector<Index> Folds::drawn_among(const std::vector<Index>& rows, std::uint64_t seed) const {
  const std::vector<Index> groups = chosen(data_->groups(), rows);
  const std::vector<double> classes = chosen(data_->classes(), rows);
  if (rule_.stratified && classes.empty())
    throw Error(ErrorKind::usage, "--stratified", "the responses are numbers and not classes",
                "leave it out");
  if (rule_.stratified && !groups.empty())
    throw Error(ErrorKind::usage, "--stratified",
                "rows of a group stay together (objective.groups), whatever "
                "their classes are",
                "leave one of them out");
  if (rule_.stratified) return draw_stratified_folds(classes, rule_.folds, seed);
  if (groups.empty()) return draw_folds(std::ssize(rows), rule_.folds, seed);
  const auto count = static_cast<Index>(std::set<Index>(groups.begin(), groups.end()).size());
  if (count < rule_.folds)
    throw Error(
        ErrorKind::usage, "--folds",
        std::to_string(rule_.folds) + " folds of " + std::to_string(count) + " groups leave some empty",
        "use at most one fold for each group");
  return draw_grouped_folds(groups, rule_.folds, seed);
}

void Folds::require_weights(Index repeat) const {
  for (Index fold = 0; fold < rule_.folds && !data_->weights().empty(); ++fold)
    for (const bool held_back : {false, true}) {
      const std::vector<double> w = chosen(data_->weights(), rows_in(repeat, fold, held_back));
      if (!(std::accumulate(w.begin(), w.end(), 0.0) > 0.0))
        throw Error(
            ErrorKind::usage, "--folds",
            "all weights of fold " + std::to_string(fold + 1) + (held_back ? "" : "'s training") + " are 0",
            remedy());
    }
}

void Folds::require_classes(Index repeat) const {
  if (data_->classes().empty()) return;
  const std::set<double> all(data_->classes().begin(), data_->classes().end());
  for (Index fold = 0; fold < rule_.folds; ++fold) {
    const std::vector<double> y = chosen(data_->classes(), rows_in(repeat, fold, false));
    const std::set<double> here(y.begin(), y.end());
    if (here.size() < all.size())
      throw Error(ErrorKind::data, "--folds",
                  "without the rows of fold " + std::to_string(fold + 1) + " there are " +
                      std::to_string(here.size()) + " of " + std::to_string(all.size()) + " classes" +
                      (here.size() == 1 ? ": one class only" : ""),
                  rule_.given.all.empty()
                      ? "use fewer folds, another --seed, --stratified, or more rows of the rare class"
                      : remedy());
  }
}

std::vector<Index> Folds::rows_in(Index repeat, Index fold, bool held_back) const {
  if (!rule_.given.all.empty()) {
    const GivenFold& given = rule_.given.all[at(fold)];
    return held_back ? given.held_back : given.training;
  }
  std::vector<Index> rows;
  for (Index i = 0; i < data_->count(); ++i)
    if ((fold_of_[at(repeat)][at(i)] == fold) == held_back) rows.push_back(i);
  return rows;
}

bool Folds::fit(const Work& work, Index which) {
  const FoldSettings& settings = work.settings;
  const Index repeat = which / rule_.folds, fold = which % rule_.folds;
  const ThreadScope threads(settings.jobs > 1 ? 1 : static_cast<int>(whole_.run.threads));
  Fit& fit = fits_[at(which)];
  const auto part = [&](bool held_back) {
    return FoldPart{rows_in(repeat, fold, held_back), fold_of_[at(repeat)], repeat, fold, held_back};
  };
  Composition composition = data_->training(work.catalog, part(false));
  const auto judge = data_->judge(composition, part(true), data_->beside(rule_.by));
  if (!work.begins) composition.given_start = fit.reached;
  if (settings.jobs > 1) composition.run.threads = 1;
  PathSettings path;
  const std::size_t first = fit.loss.size();
  path.interrupt = settings.interrupt;
  if (settings.on_progress)
    path.on_progress = [&](std::size_t k, const Progress& p) {
      const std::scoped_lock lock(reporting_);
      settings.on_progress(which, first + k, p);
    };
  const auto judged = [&](std::size_t k, RunResult&& solved) {
    if (settings.on_progress) {  // a short run reports nothing itself
      constexpr std::chrono::milliseconds kPause{100};
      const std::scoped_lock lock(reporting_);
      const Measurement& m = solved.measurement;
      if (const auto now = std::chrono::steady_clock::now(); now - reported_ >= kPause) {
        reported_ = now;
        settings.on_progress(which, first + k,
                             {solved.iterations, solved.epochs, solved.seconds, m.value, m.gap, m.residual});
      }
    }
    fit.missed.push_back(missed_target(solved, composition.stop));
    RunResult result = std::move(solved);
    if (settings.relaxed && !is_trouble(result.status)) {
      Refit again = refit(work.catalog, composition, result.answer, path);
      result = std::move(again.result);
      if (missed_target(result, again.composition.stop)) fit.missed.back() = true;
    }
    const std::scoped_lock lock(judging_);
    const HeldBack seen = is_trouble(result.status) ? HeldBack() : (*judge)(result.answer);
    fit.loss.push_back(seen.loss), fit.other.push_back(seen.other);
  };
  const bool whole = follow(composition, work.parameter, work.lambdas, path, judged);
  if (work.goes_on && composition.given_start) {
    Element reached = *composition.given_start;
    reached.drop_images();  // those of rows that go with the composition
    fit.reached = std::make_shared<const Element>(std::move(reached));
  }
  return whole;
}

bool Folds::run(const Catalog& catalog, const std::string& parameter, const PathSlice& slice,
                std::size_t from, const FoldSettings& settings) {
  const auto first = slice.lambdas.begin();
  const Work work{
      catalog,
      parameter,
      {first + static_cast<std::ptrdiff_t>(from), first + static_cast<std::ptrdiff_t>(slice.solved)},
      from == 0,
      !slice.saturated.empty(),
      settings};
  std::atomic<bool> whole = true;
  work_on_all(fits_.size(), at(settings.jobs), [&](std::size_t which) {
    if (!fit(work, static_cast<Index>(which))) whole = false;
  });
  return whole;
}

CrossValidation Folds::summary(std::vector<bool> unfinished_on_all_rows) const {
  CrossValidation validation;
  validation.folds = rule_.folds;
  validation.repeats = rule_.repeats;
  validation.given = !rule_.given.all.empty();
  validation.by_other = rule_.by != FoldMetric::loss;
  const FoldMetric beside = data_->beside(rule_.by);
  for (const auto& [metric, name] : fold_metrics())
    if (metric == beside && beside != FoldMetric::loss) validation.other = name;
  validation.unfinished = std::move(unfinished_on_all_rows);
  for (const Fit& one : fits_) validation.losses.push_back(one.loss), validation.others.push_back(one.other);
  for (std::size_t k = 0; k < fits_.front().loss.size(); ++k) {
    validation.loss.push_back(mean_of(&Fit::loss, k));
    validation.beside.push_back(mean_of(&Fit::other, k));
    for (const Fit& one : fits_)
      if (one.missed[k]) validation.unfinished[k] = true, ++validation.missed;
  }
  return validation;
}

/// The mean of lambda k over the folds of each division, and over the divisions.
FoldMean Folds::mean_of(std::vector<double> Fit::*number, std::size_t k) const {
  std::vector<FoldMean> repeats;
  for (Index repeat = 0; repeat < rule_.repeats; ++repeat) {
    std::vector<double> numbers, masses;
    for (Index which = repeat * rule_.folds; which < (repeat + 1) * rule_.folds; ++which) {
      numbers.push_back((fits_[at(which)].*number)[k]);
      masses.push_back(masses_[at(which)]);
    }
    repeats.push_back(fold_mean(numbers, masses));
  }
  return repeated_mean(repeats);
}

}  // namespace claros

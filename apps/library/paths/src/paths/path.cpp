// SPDX-License-Identifier: BSD-3-Clause
#include <claros/paths/path.hpp>

#include "paths/equal_rows.hpp"

#include <claros/io/training.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

namespace claros {

namespace {

constexpr double kTarget = 1e-4;
constexpr const char* kOfPaths = "the accuracy of a path";
constexpr std::size_t kFreshImage =
    10;  ///< lambdas after which A x is made anew: what follows x gathers rounding
constexpr const char* kBudget = "100000";  ///< steps a lambda, where the specification names no rule

constexpr const char *kRadius = "set.radius", *kLambda = "lambda";

bool has_radius(const Catalog& catalog, const Spec& spec) {
  const PluginEntry* entry = spec.get("set", std::string(kUse)) ? entry_at(catalog, spec, "set") : nullptr;
  return entry && entry->parameters().find("radius");
}

double largest_radius(const Composition& composition) {
  auto* predictor = query<Predictor>(*composition.objective);
  const double norm =
      predictor ? predictor->training().nuclear_norm_of_values : std::numeric_limits<double>::quiet_NaN();
  if (norm > 0.0) return norm;
  if (norm == 0.0)
    throw Error(ErrorKind::usage, kRadius, "max is 0: 0 solves the problem for every radius",
                "check the data: all values are 0, or what the baseline says");
  throw Error(ErrorKind::usage, kRadius,
              "the largest useful radius is known of ratings with a loss of x - y alone, such as squared",
              "give the radii: --grid 10,20,50");
}

/// The penalty that suits the objective.
const char* usual_penalty(const Spec& spec) {
  const auto use = spec.get("objective", std::string(kUse));
  return use && use->value.starts_with("matrix-") ? "nuclear" : "l1";
}

}  // namespace

bool is_radius(const std::string& parameter) { return parameter == kRadius; }

std::string values_of(const std::string& parameter) { return parameter.substr(parameter.rfind('.') + 1); }

std::string path_parameter(const Catalog& catalog, const Spec& spec) {
  const auto use = spec.get("penalty", std::string(kUse));
  const std::string remedy = "take a penalty whose lambda may be a fraction of max, such as penalty.use = " +
                             std::string(usual_penalty(spec));
  if (!use && has_radius(catalog, spec)) return kRadius;
  if (!use)
    throw Error(ErrorKind::usage, "penalty",
                "no penalty given: a path varies its lambda, or the radius of a set without a penalty",
                remedy);
  const PluginEntry* entry = entry_at(catalog, spec, "penalty");
  if (!entry) (void)catalog.at(Kind::penalty, use->value, use->label());  // says why not
  if (entry)
    for (const ParameterInfo& row : entry->parameters().rows())
      if (row.range.of_max || row.name == kLambda) return "penalty." + row.name;
  throw Error(ErrorKind::usage, "penalty", "'" + use->value + "' has no lambda, which a path varies", remedy);
}

Spec spec_at_max(const Catalog& catalog, const Spec& spec, const std::string& parameter) {
  Spec at_max = spec;
  const std::size_t dot = parameter.find('.');
  const PluginEntry* entry = entry_at(catalog, spec, parameter.substr(0, dot));
  const ParameterInfo* row = entry ? entry->parameters().find(parameter.substr(dot + 1)) : nullptr;
  const bool of_max = row && row->range.of_max;
  if (of_max || !spec.get(parameter.substr(0, dot), parameter.substr(dot + 1)))
    at_max.set(parameter, of_max ? "max" : "1", "claros path");
  if (!spec.has("stop")) at_max.set("stop.iterations", kBudget, "claros path");
  return at_max;
}

namespace {

/// The value without coefficients.
double value_at_zero(const Composition& composition) {
  return composition.objective->value(Element(composition.objective->shape()));
}

/// A ball may hold a point where f is 0, which no relative gap is reached at.
void take_gap_of_balls(Composition& composition, const Spec& spec) {
  constexpr double kShare = 1e-5;
  if (spec.get("penalty", std::string(kUse)) || spec.get("stop", "gap")) return;
  StopOptions wanted = composition.stop;
  // Not f(0): responses far from 0 are the intercept's.
  const auto rows = rows_of_model(composition);
  wanted.gap = kShare * (rows ? rows->null_loss() : value_at_zero(composition));
  if (!(wanted.gap > 0.0 && std::isfinite(wanted.gap))) return;
  if (!unmeasured_targets(composition.problem(), wanted).empty()) return;
  composition.stop.gap = wanted.gap;
  composition.effective.set("stop.gap", print_real(wanted.gap), kOfPaths);
}

}  // namespace

void take_default_stop(Composition& composition, const Spec& spec) {
  take_gap_of_balls(composition, spec);
  for (const char* target : {"gap", "relative_gap", "residual", "value"})
    if (spec.get("stop", target)) return;
  StopOptions wanted = composition.stop;
  wanted.relative_gap = kTarget;
  const bool gap = unmeasured_targets(composition.problem(), wanted).empty();
  (gap ? composition.stop.relative_gap : composition.stop.residual) = kTarget;
  composition.effective.set(gap ? "stop.relative_gap" : "stop.residual", print_real(kTarget), kOfPaths);
}

bool residual_is_scaled(const Composition& composition) {
  const auto residual = composition.effective.get("stop", "residual");
  const auto& h = composition.penalty_oracle;
  const double mu = h ? h->weak_convexity() : 0.0;
  return residual && residual->where == kOfPaths && mu > 0.0 && std::isfinite(mu);
}

bool has_max(const Composition& composition, const std::string& parameter) {
  return std::ranges::any_of(composition.fractions,
                             [&](const ResolvedFraction& fraction) { return fraction.key == parameter; });
}

double max_of(const Composition& composition, const std::string& parameter) {
  if (is_radius(parameter)) return largest_radius(composition);
  if (!has_max(composition, parameter))
    throw Error(ErrorKind::usage, parameter, "no lambda is known whose solution is 0, where a path starts",
                "give the numbers with --grid 10,1,0.1, or take a penalty whose lambda may be a fraction of "
                "max, such as penalty.use = " +
                    std::string(usual_penalty(composition.effective)));
  for (const ResolvedFraction& fraction : composition.fractions)
    if (fraction.key == parameter && fraction.max > 0.0) return fraction.max;
  throw Error(ErrorKind::usage, parameter, "max is 0: 0 solves the problem for every lambda",
              "check the data: no column is correlated with the response");
}

std::vector<double> geometric_grid(double max, double ratio, Index count) {
  std::vector<double> grid;
  for (Index k = 0; k < count; ++k)
    grid.push_back(k == 0 ? max
                          : max * std::pow(ratio, static_cast<double>(k) / static_cast<double>(count - 1)));
  return grid;
}

SparseColumn SparseColumn::of(const Element& x) {
  SparseColumn column;
  const std::vector<double> values = x.to_dense();
  for (std::size_t j = 0; j < values.size(); ++j)
    if (values[j] != 0.0) column.at.push_back(static_cast<Index>(j)), column.value.push_back(values[j]);
  return column;
}

Element SparseColumn::element(const Shape& shape) const {
  std::vector<double> values(static_cast<std::size_t>(shape.size()), 0.0);
  for (std::size_t k = 0; k < at.size(); ++k) values[static_cast<std::size_t>(at[k])] = value[k];
  return Element::dense(shape, std::move(values));
}

bool met_target(const RunResult& result) { return is_target(result.status); }

bool has_target(const StopOptions& stop) {
  return stop.gap > 0.0 || stop.relative_gap > 0.0 || stop.residual > 0.0 || stop.value > StopOptions{}.value;
}

bool missed_target(const RunResult& result, const StopOptions& stop) {
  return is_trouble(result.status) || (has_target(stop) && !met_target(result));
}

std::optional<std::size_t> least_cost(const std::vector<double>& costs, const std::vector<bool>& unfinished) {
  const auto rank = [&](std::size_t k) { return std::pair(unfinished[k], costs[k]); };
  std::optional<std::size_t> best;
  for (std::size_t k = 0; k < costs.size(); ++k)
    if (std::isfinite(costs[k]) && (!best || rank(k) < rank(*best))) best = k;
  return best;
}

bool follow(Composition& composition, const std::string& parameter, const std::vector<double>& lambdas,
            const PathSettings& settings, const std::function<void(std::size_t k, RunResult&&)>& each) {
  return follow(composition, parameter, lambdas, settings, nullptr, each);
}

bool follow(Composition& composition, const std::string& parameter, const std::vector<double>& lambdas,
            const PathSettings& settings, Composition* equal,
            const std::function<void(std::size_t k, RunResult&&)>& each) {
  RunSettings run = run_settings(composition);
  run.interrupt = settings.interrupt;
  const bool scaled = residual_is_scaled(composition);
  for (std::size_t k = 0; k < lambdas.size(); ++k) {
    composition.set_number(parameter, lambdas[k]);
    run.stop.residual = composition.stop.residual;
    if (scaled && has_max(composition, parameter))
      run.stop.residual *= std::min(1.0, lambdas[k] / max_of(composition, parameter));
    if (settings.on_progress) run.on_progress = [&, k](const Progress& p) { settings.on_progress(k, p); };
    Composition& solved = equal && k > 0 ? *equal : composition;  // max is that of all rows
    if (&solved == equal) {
      equal->set_number(parameter, lambdas[k]);
      equal->given_start = composition.given_start;
    }
    RunResult result = claros::run(solved, run);
    if (result.status == Status::interrupted) return false;
    if (!is_trouble(result.status)) {
      if (k % kFreshImage == 0) result.answer.drop_images();  // else its gradient is known already
      composition.given_start = std::make_shared<const Element>(result.answer);
    }
    each(k, std::move(result));
    if (settings.enough && settings.enough()) return true;
    if (settings.interrupt && *settings.interrupt) return k + 1 == lambdas.size();
  }
  return true;
}

namespace {

/// The rank of an array: the number of singular values above rounding.
Index rank_of(const Element& x) {
  constexpr double kRounding = 1e-10;
  const std::vector<double> s = x.singular_values();
  return std::ranges::count_if(s, [&](double value) { return value > kRounding * s.front(); });
}

}  // namespace

Index coefficient_count(const Composition& composition) {
  auto* rescaled = query<Rescaled>(*composition.objective);
  const Shape shape = composition.objective->shape();
  return rescaled ? rescaled->original(Element(shape)).shape().size() : shape.size();
}

PathPoint point_of(const Composition& composition, double lambda, RunResult result) {
  PathPoint point;
  point.lambda = lambda;
  const Element& x = result.answer;
  const auto& h = composition.penalty_oracle;
  if (!is_trouble(result.status)) point.fit = result.measurement.value - (h ? h->value(x) : 0.0);
  auto* rescaled = query<Rescaled>(*composition.objective);
  const bool of_ratings = query<Predictor>(*composition.objective) != nullptr;
  point.is_kept = !only_low_rank(x) && !x.shape().is_product() && !of_ratings;
  if (point.is_kept) {
    auto* tail = query<FreeTail>(*composition.objective);
    const Index penalised = tail ? tail->constrained_shape().size() : x.shape().size();
    point.solution = SparseColumn::of(x);
    point.coefficients = rescaled ? SparseColumn::of(rescaled->original(x)) : point.solution;
    const auto& at = point.solution.at;
    point.support = std::lower_bound(at.begin(), at.end(), penalised) - at.begin();
    result.answer = Element(x.shape());
  } else {
    point.support = of_ratings && !only_low_rank(x) ? rank_of(x) : rank_or_support(x);
  }
  point.result = std::move(result);
  return point;
}

RunResult result_of(const Composition& composition, const PathPoint& point) {
  RunResult result = point.result;
  if (point.is_kept) result.answer = point.solution.element(composition.objective->shape());
  return result;
}

Explained::Explained(const Composition& composition, bool from_max) : rows_(rows_of_model(composition)) {
  if (rows_) least_ = rows_->least_loss();
  if (rows_ && !from_max) nothing_ = rows_->null_loss();
  from_max_ = from_max;
  auto* predictor = query<Predictor>(*composition.objective);
  if (predictor && !composition.penalty_oracle && std::isfinite(predictor->training().nuclear_norm_of_values))
    null_ = value_at_zero(composition);
}

void Explained::note(std::vector<PathPoint>& points, std::size_t first) const {
  if (null_ > 0.0) points.back().explained = 1.0 - points.back().result.measurement.value / null_;
  const double most = (from_max_ ? points[first].fit : nothing_) - least_;
  if (rows_ && most > 0.0) points.back().explained = 1.0 - (points.back().fit - least_) / most;
}

std::string Explained::saturation(const PathPoint& point, double most) const {
  if (!(rows_ || null_ > 0.0) || !(most < 1.0)) return {};
  if (point.explained > most)
    return fmt::format("the model explains {:.4f} of the loss, more than {}", point.explained,
                       print_real(most));
  return interpolation(point);
}

std::string Explained::interpolation(const PathPoint& point) const {
  constexpr double kNearly = 0.98;
  if (!rows_) return {};
  const Index n = rows_->rows() - std::ranges::count(rows_->weights, 0.0), p = rows_->design->cols;
  if (p < n || rows_->training.outputs > 1 ||
      static_cast<double>(point.support) < kNearly * static_cast<double>(n))
    return {};
  return fmt::format("the model has {} coefficients for {} rows", point.support, n);
}

const std::vector<std::pair<Criterion, std::string>>& criteria() {
  static const std::vector<std::pair<Criterion, std::string>> all{
      {Criterion::aic, "aic"}, {Criterion::bic, "bic"}, {Criterion::ebic, "ebic"}};
  return all;
}

namespace {

/// log C(n, k); 0 if k is none of 0, ..., n.
double log_choose(double n, double k) {
  return k > 0.0 && k < n ? std::lgamma(n + 1.0) - std::lgamma(k + 1.0) - std::lgamma(n - k + 1.0) : 0.0;
}

}  // namespace

std::vector<double> information(const Composition& composition, Criterion criterion,
                                const std::vector<PathPoint>& points) {
  const auto rows = rows_of_model(composition);
  const std::string loss = rows ? rows->loss_name : std::string();
  if (!rows || (loss != "squared" && loss != "logistic" && loss != "poisson"))
    throw Error(
        ErrorKind::usage, "--select",
        "an information criterion needs a likelihood: a linear model with the loss squared, logistic or "
        "poisson, no smoother and no errors in variables",
        "select with --folds K");
  const auto n = static_cast<double>(rows->rows() - std::ranges::count(rows->weights, 0.0)),
             p = static_cast<double>(rows->design->cols);
  std::vector<double> all;
  for (const PathPoint& point : points) {
    const auto d = static_cast<double>(point.support);
    if (loss == "squared" && p >= n && 2.0 * d > n) {  // the residuals say nothing of the noise
      all.push_back(std::numeric_limits<double>::infinity());
      continue;
    }
    double cost = d * (criterion == Criterion::aic ? 2.0 : std::log(n));
    if (criterion == Criterion::ebic) cost += 2.0 * log_choose(p, d);
    all.push_back((loss == "squared" ? n * std::log(2.0 * point.fit) : 2.0 * n * point.fit) + cost);
  }
  return all;
}

}  // namespace claros

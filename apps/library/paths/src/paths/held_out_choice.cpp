// SPDX-License-Identifier: BSD-3-Clause
#include <claros/paths/held_out_choice.hpp>

#include "paths/folded_data.hpp"

#include <claros/abilities.hpp>
#include <claros/paths/folds.hpp>
#include <claros/predictor.hpp>
#include <claros/random.hpp>
#include <claros/run/run_loop.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

namespace claros {

namespace {

constexpr const char* kLambda = "penalty.lambda";
constexpr const char* kWhere = "the choice of Claros";
constexpr const char* kPatience = "5";
constexpr std::uint32_t kHeldOutStream = 102;  // no data component draws from it

struct Parted {
  std::vector<Index> kept, held_out;
};

/// The ratings of each fold, and all others.
std::vector<Parted> folded(Index count, Index folds, std::uint64_t seed) {
  const std::vector<Index> fold_of = draw_folds(count, folds, seed);
  std::vector<Parted> made(at(folds));
  for (Index k = 0; k < count; ++k)
    for (Index fold = 0; fold < folds; ++fold)
      (fold_of[at(k)] == fold ? made[at(fold)].held_out : made[at(fold)].kept).push_back(k);
  return made;
}

/// A twentieth is held out, but a thousand where a quarter is as many.
Parted parted(Index count, std::uint64_t seed) {
  constexpr Index kShare = 20, kMost = 4, kEnough = 1000;
  const Index held_out = std::max(count / kShare, std::min(count / kMost, kEnough));
  RandomStream stream(seed, Purpose::data, kHeldOutStream);
  Parted made;
  Index left = held_out;
  for (Index k = 0; k < count; ++k) {
    const bool out = stream.index(count - k) < left;
    (out ? made.held_out : made.kept).push_back(k);
    left -= out ? 1 : 0;
  }
  return made;
}

/// 0 if X = 0 solves the problem for every lambda.
double known_max(const Composition& composition) {
  for (const ResolvedFraction& fraction : composition.fractions)
    if (fraction.key == kLambda) return fraction.max;
  return 0.0;
}

/// The least lambda of a training for which X = 0 solves it. It is not that of all ratings.
double own_max(const Composition& trained) {
  Element slopes(trained.objective->shape());
  trained.objective->add_gradient(Element(slopes.shape()), Batch::all(), 1.0, slopes);
  return query<LambdaMax>(*trained.penalty)->lambda_max(slopes);
}

struct Tried {
  double lambda = 0.0;
  HeldBack cost = {};
};

/// The best of them; the first if noise alone could be as much better. Among all multiples of an X of pure
/// noise, the best gains z^2/n of the squared errors, with a standard normal z.
const Tried& best_of(const std::vector<Tried>& tried, std::size_t held_out) {
  constexpr double kSquaredNormal = 4.0;
  const Tried& best = *std::ranges::min_element(tried, {}, [](const Tried& t) { return t.cost.loss; });
  const double chance = kSquaredNormal / static_cast<double>(held_out);
  return best.cost.loss < (1.0 - chance) * tried.front().cost.loss ? best : tried.front();
}

/// The ratio of a lambda to the one before, and the relative change of the cost that ends its steps.
struct Pace {
  double ratio, settled;
};
/// A minimum depends on its lambda. The best of the points on the way to it, of few factors, depends less.
constexpr Pace kForMinimum{0.75, 5e-4}, kForLeastError{0.65, 1.5e-3};

/// A path of a training, from max down, each lambda started from the one before.
class TrainingPath {
 public:
  TrainingPath(Composition& composition, FoldJudge& judge, std::size_t held_out, Pace pace,
               const std::atomic<bool>* interrupt)
      : composition_(composition),
        judge_(judge),
        held_out_(held_out),
        pace_(pace),
        settings_(run_settings(composition)) {
    settings_.interrupt = interrupt;
    settings_.trace.on = false;
    settings_.stop = {};
    settings_.stop.iterations = kSteps;
    settings_.on_step = [this](const Step& step) { return take(step.iterate()); };
  }

  /// The first is X = 0.
  std::vector<Tried> operator()(double max) {
    tried_ = {{max, judge_(Element(composition_.objective->shape()))}};
    while (std::ssize(tried_) < kLambdas && !is_over(3e-3, 6) && solve(pace_.ratio * tried_.back().lambda)) {
    }
    return tried_;
  }
  /// Makes the path in one run of `alternating` from X = 0, whose steps divide lambda by 1/ratio each. The
  /// points that are judged are `stride` steps apart.
  std::vector<Tried> of_steps(double max, double ratio, Index stride) {
    const Index steps = stride * kLambdas;
    tried_ = {{max, judge_(Element(composition_.objective->shape()))}};
    composition_.set_number(kLambda, std::pow(ratio, static_cast<double>(steps)) * max);
    settings_.stop.iterations = steps;
    settings_.on_step = [this, ratio, stride, taken = Index{0}](const Step& step) mutable {
      if (++taken % stride != 0) return true;
      tried_.push_back({std::pow(ratio, stride) * tried_.back().lambda, judge_(step.iterate())});
      if (std::isfinite(tried_.back().cost.loss) && !is_over(1e-3, 9)) return true;
      throw Settled{};
    };
    try {
      (void)claros::run(composition_, settings_);
    } catch (const Settled&) {
    }
    return tried_;
  }

 private:
  static constexpr Index kSteps = 100, kLambdas = 40;
  static constexpr double kRisen = 2e-3;
  /// Leaves a run without a measurement of its end, which costs as much as the steps.
  struct Settled {};

  /// Returns false if the run was interrupted or failed.
  bool solve(double lambda) {
    composition_.set_number(kLambda, lambda);
    costs_.clear();
    try {
      (void)claros::run(composition_, settings_);
      return false;
    } catch (const Settled&) {
      tried_.push_back({lambda, costs_.back()});
      return true;
    }
  }

  bool take(const Element& x) {
    costs_.push_back(judge_(x));
    if (!std::isfinite(costs_.back().loss)) return false;
    if (!is_settled()) return true;
    Element reached(x);
    reached.drop_images();
    composition_.given_start = std::make_shared<const Element>(std::move(reached));
    throw Settled{};
  }

  /// True if steps change the cost no more, or have made it worse than that of the lambda before. An earlier
  /// point may cost less, and says nothing of the minimum for this lambda.
  bool is_settled() const {
    constexpr std::size_t kApart = 3;
    const double now = costs_.back().loss;
    if (now > (1.0 + kRisen) * tried_.back().cost.loss || std::ssize(costs_) == kSteps) return true;
    return costs_.size() > kApart &&
           std::abs(now - costs_[costs_.size() - 1 - kApart].loss) <= pace_.settled * now;
  }

  /// True if smaller lambdas gain nothing: the cost has risen twice or by a share, or its fall has become
  /// `small`. Also if none of more than `hopeless` is better than X = 0.
  bool is_over(double small, std::ptrdiff_t hopeless) const {
    const auto change = [&](std::size_t back) {  // relative, of the step that ended so many places before
      const std::size_t k = tried_.size() - 1 - back;
      return tried_[k].cost.loss / tried_[k - 1].cost.loss - 1.0;
    };
    if (tried_.size() < 2) return false;
    if (change(0) > kRisen || (tried_.size() > 2 && change(0) >= 0.0 && change(1) >= 0.0)) return true;
    if (std::ssize(tried_) > hopeless && &best_of(tried_, held_out_) == &tried_.front()) return true;
    double fall = 0.0;
    for (std::size_t back = 1; back + 1 < tried_.size(); ++back) fall = std::min(fall, change(back));
    return change(0) > -small && fall <= -small;
  }

  Composition& composition_;
  FoldJudge& judge_;
  std::size_t held_out_;
  Pace pace_;
  RunSettings settings_;
  std::vector<Tried> tried_;
  std::vector<HeldBack> costs_;  ///< after the steps at one lambda
};

/// Few factors predict as well as all of a minimum, in a tenth of the time.
using Keys = std::vector<std::pair<std::string, std::string>>;
const Keys kAlternating{{"algorithm.use", "alternating"}, {"algorithm.rank", "24"}},
    kFewFactors{{"algorithm.use", "proximal-gradient"},
                {"algorithm.rank", "20"},
                {"algorithm.uncertified", "continue"},
                {"algorithm.accelerate", "yes"}};

/// True if no target ends the run.
bool wants_least_error(const Spec& spec) {
  constexpr std::array targets{"gap", "relative_gap", "residual", "value"};
  return std::ranges::none_of(targets,
                              [&](const char* target) { return spec.get("stop", target).has_value(); });
}

bool is_alternating(const Spec& spec) {
  const auto use = spec.get("algorithm", std::string(kUse));
  return use && (use->value == "alternating" || use->value == "als");
}

std::string loss_of(const Spec& spec) {
  auto loss = spec.get("objective", "loss");
  if (!loss) loss = spec.get("objective.loss", "use");
  return loss ? loss->value : "squared";
}
bool is_difference(const Spec& spec) {
  constexpr std::array known{"squared", "huber", "robust"};
  return std::ranges::find(known, loss_of(spec)) != known.end();
}

/// The ratio of the lambdas of two steps of `alternating`.
double ratio_of(const Spec& spec) {
  const auto ratio = spec.get("algorithm", "ratio");
  return ratio ? parse_real(ratio->value) : 1.0;
}

struct Choice {
  std::string said;
  Index steps = 0;  ///< of `alternating`, to the lambda
};

/// The paths of all trainings, as long as the shortest.
class Paths {
 public:
  Paths(const Catalog& catalog, const FoldedData& data, Pace pace, const std::atomic<bool>* interrupt)
      : catalog_(catalog), data_(data), pace_(pace), interrupt_(interrupt) {}

  void add(const Parted& rows) {
    Composition trained = data_.training(catalog_, {rows.kept});
    const auto judge = data_.judge(trained, {rows.held_out}, data_.beside(FoldMetric::loss));
    TrainingPath path(trained, *judge, rows.held_out.size(), pace_, interrupt_);
    const double max = own_max(trained), ratio = ratio_of(trained.effective);
    by_steps_ = is_alternating(trained.effective) && ratio < 1.0;
    if (by_steps_) stride_ = std::max<Index>(1, std::lround(std::log(kApart) / std::log(ratio)));
    all_.push_back(by_steps_ ? path.of_steps(max, ratio, stride_) : path(max));
    sizes_.push_back(static_cast<double>(rows.held_out.size()));
  }

  std::vector<Tried> means(HeldOutChoice& choice) const {
    std::size_t count = all_.front().size();
    for (const auto& path : all_) count = std::min(count, path.size());
    std::vector<Tried> made;
    for (std::size_t k = 0; k < count; ++k) {
      std::vector<double> loss, other;
      double lambda = 0.0;
      for (const auto& path : all_) {
        loss.push_back(path[k].cost.loss);
        other.push_back(path[k].cost.other);
        lambda += path[k].lambda / static_cast<double>(all_.size());
      }
      const FoldMean beside = fold_mean(other, sizes_);
      made.push_back({lambda, {fold_mean(loss, sizes_).mean, beside.mean}});
      choice.measured.push_back(beside.mean);
      choice.error.push_back(beside.error);
    }
    choice.folds = std::ssize(all_);
    choice.held_out = static_cast<Index>(std::accumulate(sizes_.begin(), sizes_.end(), 0.0));
    return made;
  }
  /// Steps of `alternating` to a place of the paths. If they were not made of its steps, as many as are
  /// usual.
  Index steps_to(std::ptrdiff_t place) const {
    return by_steps_ ? std::max<Index>(1, stride_ * place) : kUsualSteps;
  }
  static constexpr Index kUsualSteps = 20;

 private:
  static constexpr double kApart = 0.85;  ///< ratio of two lambdas that are judged

  const Catalog& catalog_;
  const FoldedData& data_;
  Pace pace_;
  const std::atomic<bool>* interrupt_;
  bool by_steps_ = false;
  Index stride_ = 1;
  std::vector<std::vector<Tried>> all_;
  std::vector<double> sizes_;
};

/// Chooses a lambda for `whole`, in place.
Choice choose(const Catalog& catalog, Composition& whole, const FoldedData& data, Pace pace,
              const ChoiceSettings& settings) {
  constexpr std::size_t kFewest = 10;
  const double max = known_max(whole);
  const Index count = data.count(), folds = std::min(settings.folds, count);
  const std::vector<Parted> parts =
      folds > 1 ? folded(count, folds, whole.context.seed) : std::vector{parted(count, whole.context.seed)};
  const std::string others =
      " (penalty.lambda = NUMBER, or set.use = nuclear-ball with set.radius, takes another)";
  if (parts.front().held_out.size() * parts.size() < kFewest) {
    constexpr double kUsual = 0.1;
    const bool alone = !query<Predictor>(*whole.objective)->training().baseline.is_none();
    whole.set_number(kLambda, alone ? max : kUsual * max);
    return {"penalty: nuclear with lambda = " + std::string(alone ? "max, so X = 0" : "0.1 of max") +
                ", since there are too few " + data.unit() + " to choose on" + others,
            Paths::kUsualSteps};
  }
  Paths paths(catalog, data, pace, settings.interrupt);
  for (const Parted& rows : parts) paths.add(rows);
  HeldOutChoice choice{.key = kLambda};
  for (const auto& [metric, name] : fold_metrics())
    if (metric == data.beside(FoldMetric::loss)) choice.measure = name;
  const std::vector<Tried> tried = paths.means(choice);
  const Tried& best = best_of(tried, static_cast<std::size_t>(choice.held_out));
  choice.chosen = static_cast<std::size_t>(&best - tried.data());
  // Noise of a sum grows with the root of the number of its terms, and f is a mean.
  const double share = static_cast<double>(parts.front().kept.size()) / static_cast<double>(count);
  for (const Tried& one : tried) choice.numbers.push_back(std::min(max, one.lambda * std::sqrt(share)));
  choice.numbers.front() = max;
  const double lambda = choice.numbers[choice.chosen];
  whole.set_number(kLambda, lambda);
  const std::string where =
      folds > 1 ? fmt::format("{} folds of {} {}", folds, count, data.unit())
                : fmt::format("{} of {} {} held out at random", choice.held_out, count, data.unit());
  const Index steps = paths.steps_to(&best - tried.data());
  const std::string said = fmt::format(
      "penalty: nuclear with lambda = {:.4g}, {:.2g} of max, chosen on {}: {} {:.5g} there, {:.5g} of the "
      "center alone, {} lambdas tried{}",
      lambda, lambda / max, where, choice.measure == "rmse" ? "RMSE" : choice.measure, best.cost.other,
      tried.front().cost.other, tried.size(), others);
  whole.choices.push_back(std::move(choice));
  return {said, steps};
}

constexpr std::array kFeatures{"row_features", "col_features", "row_indicators", "col_indicators"};

/// True if the minimum is the known entries, and 0 elsewhere.
bool repeats_entries(const Spec& spec, const HostParts& parts) {
  const auto use = spec.get("objective", std::string(kUse));
  const auto has = [&](const char* section) { return spec.has(section); };
  const auto given = [&](const char* key) { return spec.get("objective", key).has_value(); };
  return use && use->value == "matrix-completion" && parts.parts.empty() &&
         std::ranges::none_of(std::array{"penalty", "set", "smoother", "algorithm"}, has) &&
         std::ranges::none_of(kFeatures, given);
}

}  // namespace

bool wants_choice(const Spec& spec, const HostParts& parts) {
  const auto use = spec.get("objective", std::string(kUse));
  if (!use || use->value != "matrix-completion" || !parts.parts.empty()) return false;
  for (const char* section : {"penalty", "set", "smoother", "estimator"})
    if (spec.has(section)) return false;
  if (spec.has("algorithm") && !is_alternating(spec)) return false;
  if (spec.get("objective", "implicit") || spec.get("objective", "unobserved")) return false;
  return std::ranges::none_of(kFeatures,
                              [&](const char* key) { return spec.get("objective", key).has_value(); });
}

Composition compose_with_choice(const Catalog& catalog, const Spec& spec, const HostParts& parts,
                                MessageSink messages, std::vector<Complaint> complaints,
                                const ChoiceSettings& settings) {
  if (!wants_choice(spec, parts)) {
    if (settings.folds > 1)
      complaints.push_back({"--folds",
                            "expected ratings without a penalty and a set, whose lambda the folds choose",
                            "leave out penalty, set and algorithm, or take claros path --folds"});
    if (messages && repeats_entries(spec, parts))
      messages(Severity::warning,
               "no penalty and no set: the minimum repeats the known entries and says nothing of the others "
               "(penalty.use = nuclear penalty.lambda = 0.1*max; claros path chooses lambda)");
    return compose(catalog, spec, parts, messages, std::move(complaints));
  }
  Spec shrunk = spec;
  shrunk.set("penalty.use", "nuclear", kWhere);
  shrunk.set(kLambda, "max", kWhere);
  if (!spec.get("objective", "center") && is_difference(spec))
    shrunk.set("objective.center", "biases", kWhere);
  const bool known = spec.get("objective", "test") || spec.get("objective", "held_out"),
             patient = known && !spec.has("stop");
  if (patient) shrunk.set("stop.patience", kPatience, kWhere);
  const bool few = wants_least_error(shrunk) && (shrunk.has("algorithm") || shrunk.get("stop", "patience"));
  if (few && known && !shrunk.has("algorithm"))
    for (const auto& [key, value] : loss_of(spec) == "squared" ? kAlternating : kFewFactors)
      shrunk.set(key, value, kWhere);
  Composition whole = compose(catalog, shrunk, parts, messages, std::move(complaints));
  const auto data = folded_ratings(whole);
  if (!data || !(known_max(whole) > 0.0)) return whole;
  const Choice choice = choose(catalog, whole, *data, few ? kForLeastError : kForMinimum, settings);
  const auto say = [&](Severity severity, const std::string& what) {
    whole.notices.push_back(what);
    if (messages) messages(severity, what);
  };
  say(Severity::note, choice.said);
  if (few && is_alternating(shrunk) && whole.stop.patience == 0) {
    whole.stop.iterations =
        whole.stop.iterations > 0 ? std::min(whole.stop.iterations, choice.steps) : choice.steps;
    if (std::exchange(whole.given_start, nullptr))
      say(Severity::warning,
          "start.from is not used: the number of steps was chosen for a start at 0 (penalty.lambda = NUMBER "
          "and stop.relative_gap = 1e-4 lead from it to the minimum)");
  }
  if (few && !spec.has("algorithm"))
    say(Severity::note, "algorithm: " + shrunk.get("algorithm", std::string(kUse))->value + " with at most " +
                            shrunk.get("algorithm", "rank")->value +
                            " factors, since the error on the test ratings is wanted, not the minimum "
                            "(stop.relative_gap = 1e-2 goes to the minimum)");
  if (patient)
    say(Severity::detail, std::string("stop: no rule given, so stop.patience = ") + kPatience +
                              ": the run ends when the error on the test ratings stops falling "
                              "(stop.relative_gap = 1e-6 goes on)");
  return whole;
}

}  // namespace claros

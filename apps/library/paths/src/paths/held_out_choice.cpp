// SPDX-License-Identifier: BSD-3-Clause
#include <claros/paths/held_out_choice.hpp>

#include "paths/folded_data.hpp"

#include <claros/predictor.hpp>
#include <claros/random.hpp>
#include <claros/run/run_loop.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
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
    while (std::ssize(tried_) < kLambdas && !is_over() && solve(pace_.ratio * tried_.back().lambda)) {
    }
    return tried_;
  }

 private:
  static constexpr Index kSteps = 100, kLambdas = 40, kHopeless = 6;
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
  /// small. Also if none of several is better than X = 0.
  bool is_over() const {
    constexpr double kSmall = 3e-3;
    const auto change = [&](std::size_t back) {  // relative, of the step that ended so many places before
      const std::size_t k = tried_.size() - 1 - back;
      return tried_[k].cost.loss / tried_[k - 1].cost.loss - 1.0;
    };
    if (tried_.size() < 2) return false;
    if (change(0) > kRisen || (tried_.size() > 2 && change(0) >= 0.0 && change(1) >= 0.0)) return true;
    if (std::ssize(tried_) > kHopeless && &best_of(tried_, held_out_) == &tried_.front()) return true;
    double fall = 0.0;
    for (std::size_t back = 1; back + 1 < tried_.size(); ++back) fall = std::min(fall, change(back));
    return change(0) > -kSmall && fall <= -kSmall;
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
const std::vector<std::pair<std::string, std::string>> kFewFactors{{"algorithm.use", "proximal-gradient"},
                                                                   {"algorithm.rank", "20"},
                                                                   {"algorithm.uncertified", "continue"},
                                                                   {"algorithm.accelerate", "yes"}};

/// True if nothing but the error on the test ratings, or a budget, ends the run.
bool wants_least_error(const Spec& spec) {
  if (!spec.get("stop", "patience")) return false;
  for (const char* target : {"gap", "relative_gap", "residual", "value"})
    if (spec.get("stop", target)) return false;
  return true;
}

bool is_difference(const Spec& spec) {
  auto loss = spec.get("objective", "loss");
  if (!loss) loss = spec.get("objective.loss", "use");
  constexpr std::array known{"squared", "huber", "robust"};
  return !loss || std::ranges::find(known, loss->value) != known.end();
}

/// Chooses a lambda for `whole`, in place, and says how.
std::string choose(const Catalog& catalog, Composition& whole, const FoldedData& data, Pace pace,
                   const std::atomic<bool>* interrupt) {
  constexpr std::size_t kFewest = 10;
  const double max = known_max(whole);
  const Parted rows = parted(data.count(), whole.context.seed);
  std::vector<Tried> tried;
  if (rows.held_out.size() >= kFewest) {
    Composition trained = data.training(catalog, {rows.kept});
    const auto judge = data.judge(trained, {rows.held_out}, data.beside(FoldMetric::loss));
    tried = TrainingPath(trained, *judge, rows.held_out.size(), pace, interrupt)(max);
  }
  const std::string others =
      " (penalty.lambda = NUMBER, or set.use = nuclear-ball with set.radius, takes another)";
  if (tried.empty()) {
    constexpr double kUsual = 0.1;
    const bool alone = !query<Predictor>(*whole.objective)->training().baseline.is_none();
    whole.set_number(kLambda, alone ? max : kUsual * max);
    return "penalty: nuclear with lambda = " + std::string(alone ? "max, so X = 0" : "0.1 of max") +
           ", since there are too few " + data.unit() + " to choose on" + others;
  }
  const Tried& best = best_of(tried, rows.held_out.size());
  // Noise of a sum grows with the root of the number of its terms, and f is a mean.
  const double share = static_cast<double>(rows.kept.size()) / static_cast<double>(data.count()),
               lambda = &best == &tried.front() ? max : std::min(max, best.lambda * std::sqrt(share));
  whole.set_number(kLambda, lambda);
  return fmt::format(
      "penalty: nuclear with lambda = {:.4g}, {:.2g} of max, chosen on {} of {} {} held out at random: RMSE "
      "{:.5g} there, {:.5g} of the center alone, {} lambdas tried{}",
      lambda, lambda / max, rows.held_out.size(), data.count(), data.unit(), best.cost.other,
      tried.front().cost.other, tried.size(), others);
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
  for (const char* section : {"penalty", "set", "smoother", "algorithm", "estimator"})
    if (spec.has(section)) return false;
  if (spec.get("objective", "implicit") || spec.get("objective", "unobserved")) return false;
  return std::ranges::none_of(kFeatures,
                              [&](const char* key) { return spec.get("objective", key).has_value(); });
}

Composition compose_with_choice(const Catalog& catalog, const Spec& spec, const HostParts& parts,
                                MessageSink messages, std::vector<Complaint> complaints,
                                const std::atomic<bool>* interrupt) {
  if (!wants_choice(spec, parts)) {
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
  if (known && wants_least_error(shrunk))
    for (const auto& [key, value] : kFewFactors) shrunk.set(key, value, kWhere);
  Composition whole = compose(catalog, shrunk, parts, messages, std::move(complaints));
  const auto data = folded_ratings(whole);
  if (!data || !(known_max(whole) > 0.0)) return whole;
  const bool few = shrunk.has("algorithm");
  const std::string said = choose(catalog, whole, *data, few ? kForLeastError : kForMinimum, interrupt);
  const auto say = [&](Severity severity, const std::string& what) {
    whole.notices.push_back(what);
    if (messages) messages(severity, what);
  };
  say(Severity::note, said);
  if (few)
    say(Severity::note, "algorithm: proximal-gradient with at most " + kFewFactors[1].second +
                            " factors, since the error on the test ratings is wanted, not the minimum "
                            "(stop.relative_gap = 1e-2 goes to the minimum)");
  if (patient)
    say(Severity::detail, std::string("stop: no rule given, so stop.patience = ") + kPatience +
                              ": the run ends when the error on the test ratings stops falling "
                              "(stop.relative_gap = 1e-6 goes on)");
  return whole;
}

}  // namespace claros

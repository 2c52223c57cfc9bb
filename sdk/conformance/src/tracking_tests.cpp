// SPDX-License-Identifier: BSD-3-Clause
// Tests of estimators along a path, on which no noise hides their memory.
#include <algorithm>

#include "composed.hpp"

namespace claros::doctor {

namespace {

/// Batches of all components at once: distinct ones, if the estimator has such a setting.
Settings noiseless(const Bench& bench, Settings settings) {
  if (bench.subject().entry.parameters().find("replacement"))
    settings.push_back({"replacement", "false", {}, {}});
  return settings;
}

/// A path of points, and the distance of the estimates along it from the gradients.
class Path {
 public:
  Path(Bench& bench, const Settings& settings, int form)
      : bench_(bench), e_(bench, settings, form, 1), n_(e_.f().terms()), x_(e_.point(1)) {}

  /// Begins a new epoch at the current point, over all components by the plan.
  void begin() { e_.estimator().begin_epoch(x_, {.snapshot = n_, .batch = n_, .length = kSteps}); }
  /// Moves the point in place, as algorithms do.
  void move() {
    const Element d = e_.point(100 + ++moves_);
    x_.add(0.4 / norm(d), d);
  }
  /// The distance of the estimate at the current point from the gradient, relative to it.
  double error() {
    estimate_ = e_.estimator().estimate(x_, moves_ % 2 ? n_ : 0).to_dense();
    truth_ = e_.gradient(x_);
    return distance(estimate_, truth_) / (1e-3 + length(truth_));
  }
  std::string numbers() const {
    return "the estimate is " + numbers_text(estimate_) + ", the gradient " + numbers_text(truth_);
  }
  static constexpr Index kSteps = 80;

 private:
  Bench& bench_;
  Driven e_;
  Index n_;
  Element x_;
  std::uint64_t moves_ = 0;
  Numbers estimate_, truth_;
};

/// Without noise a recursion is exact at every point, wherever its epoch began. An average of the gradients
/// that were seen tends to the gradient once the point stays.
void follow(Bench& bench, Path& path) {
  for (const bool elsewhere : {false, true}) {
    path.begin();
    if (elsewhere) path.move();
    double worst = path.error(), last = worst;
    for (int t = 0; t < 8; ++t) {
      path.move();
      last = path.error();
      worst = std::max(worst, last);
    }
    if (worst <= 1e-9) continue;
    const std::string seen = path.numbers();
    double standing = last;
    for (int t = 0; t < 60; ++t) standing = path.error();
    bench.at_most(standing, std::max(0.1 * last, 1e-9), 0.0,
                  said("relative error of the estimate after 60 steps at the point where the path ends, "
                       "against a tenth of that on arrival, ",
                       last, " (where ", seen, "); over batches of all components, without noise"),
                  "what is remembered is not what the recursion says: the previous point or its gradient "
                  "does not move along, is another "
                  "step's, or has the wrong sign; or the weights of an average do not sum to 1");
  }
}

void tracks(Bench& bench) {
  bool any = false;
  std::string reason = "all settings are refused";
  for (const Settings& choice : bench.choices(estimator_settings(bench)))
    for (const int form : {0, 1}) {
      const bool distinct = bench.subject().entry.parameters().find("replacement") != nullptr;
      const int problem = distinct ? form : kEqual;
      const Settings settings = noiseless(bench, choice);
      bench.at(settings_text(settings) + ", " + form_text(problem));
      const auto work = [&] {
        try {
          Path path(bench, settings, problem);
          follow(bench, path);
          any = true;
        } catch (const Skipped& s) {
          reason = s.reason;
        }
      };
      if (answered(bench, work) == Answer::refused &&
          settings_text(choice) == settings_text(estimator_settings(bench)))
        reason = "refuses batches of all components without replacement";
    }
  if (!any) throw Skipped{reason};
}

}  // namespace

Tests tracking_tests() {
  return {{{"tracks", kEstimator,
            "At points that move, over batches of all components without replacement, the estimate is grad f "
            "at each; one that averages "
            "over what it saw comes to it when the point stays."},
           tracks}};
}

}  // namespace claros::doctor

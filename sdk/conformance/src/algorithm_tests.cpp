// SPDX-License-Identifier: BSD-3-Clause
// Algorithms on quadratics whose solutions are known.
#include <claros/corners.hpp>
#include <claros/run/run_loop.hpp>

#include <chrono>
#include <optional>
#include <tuple>

#include "composed.hpp"

namespace claros::doctor {

namespace {

const std::vector<Kind> kAlgorithm{Kind::algorithm};

/// Calls `test` with the subject's algorithm, made with each of the settings, on every problem of the kit
/// that it takes.
void for_composed(Bench& bench, const std::vector<Settings>& tried, const std::vector<Side>& all,
                  bool sampled, const std::function<void(Composed&)>& test) {
  std::string reason;
  bool any = false;
  for (const Settings& settings : tried) {
    const auto number = static_cast<std::size_t>(&settings - tried.data());
    if (!bench.tries(number, tried.size())) break;
    if (answered(bench, [&] { (void)bench.make(settings, bench.context()); }) == Answer::refused) continue;
    for (const Side& side : all) {
      if (!bench.tries(number, tried.size())) break;
      bench.at(settings_text(settings) + ", " + side.text() +
               (sampled ? ", batches of 3" : ", full gradients"));
      Composed composed(bench, settings, side, sampled);
      if (!composed.refusal().empty()) continue;
      try {
        test(composed);
        any = true;
      } catch (const Skipped& s) {
        reason = s.reason;
      }
    }
  }
  if (!any && !sampled) throw Skipped{reason};
}

void for_composed(Bench& bench, const std::vector<Settings>& tried, bool sampled,
                  const std::function<void(Composed&)>& test) {
  for_composed(bench, tried, sides(bench, bench.settings(), false), sampled, test);
}

void for_composed(Bench& bench, int variants, bool sampled, const std::function<void(Composed&)>& test) {
  for_composed(bench, bench.variants(variants), sampled, test);
}

/// 4000 steps of an algorithm, and how far above the minimum they are.
class Course {
 public:
  static constexpr int kSteps = 4000, kEarly = 1000, kWindow = 100;

  /// Unless all steps are wanted it ends at a solution.
  Course(Bench& bench, Composed& c, bool all = true) : bench_(bench), c_(c) {
    const auto solution = c.solution();
    if (!solution) throw Skipped{"the solutions of " + c.side().text() + " are not known"};
    least_ = c.value(Element::dense(c.shape(), solution->x)),
    slack_ = 1e-9 * (1.0 + std::abs(least_)) + solution->gap;
    // Along directions that f does not see the point 0 is as good as any; elsewhere the algorithm has work to
    // do.
    const Element x0 = c.side().flat
                           ? c.somewhere(combined(2.0, bench.normals(c.shape().size()), 0.0, Numbers(8)))
                           : c.start_point();
    c.start(x0);
    solution_ = solution->x;
    first_ = excess(x0);
    // A start may be good by chance.
    if (c.side().flat) first_ = std::max(first_, excess(Element(c.shape())));
    if (!(first_ > 0.0)) throw Skipped{"the start is a solution of " + c.side().text()};
    const auto done = [&](int t) {
      return !all && t % 100 == 0 && excess(c.algorithm().iterate()) <= 1e-9 * first_;
    };
    for (int t = 1; t <= kSteps; ++t) {
      step(t);
      if (done(t)) return;
    }
  }
  /// At the iterate and at the result, at most `share` of the start's.
  void require_share(double share) const {
    for (const Element* x : {&c_.algorithm().iterate(), &c_.algorithm().answer()}) {
      bench_.at_most(-slack_, excess(*x), 0.0,
                     "the objective beyond its minimum after 4000 steps is negative",
                     "the iterate left the set, or the kit is wrong");
      bench_.at_most(excess(*x), share * first_, slack_,
                     said("(f + h)(x) - min after 4000 steps, from ", first_, " at the start; against ",
                          share, " of that"),
                     "the direction, the step length or the proximal step is wrong: full gradients of a "
                     "convex quadratic are the easiest case");
    }
  }
  /// The best of the last 100 steps is as good as the minimum, or better than the best of the 100 up to the
  /// 1000th. It is better by a fifth; for a flat f by a twentieth, and for dual averaging by a sixth.
  void require_progress() const {
    const double share = c_.side().flat ? 0.95 : 0.8;
    bench_.at_most(late_, std::max(share * early_, 1e-6 * first_), slack_,
                   said("(f + h)(x) - min, the best of steps 3901 to 4000, against ", share,
                        " of the best of 901 to 1000, ", early_, "; from ", first_, " at the start"),
                   "the iterates circle around the solution and come no nearer: a step length or weight that "
                   "must fall and does not, or an "
                   "extrapolation that only strong convexity forgives");
  }
  /// An iterate that does not move any more is at a solution, or as near to one as a setting asks. A step
  /// from a solution leaves it as it is.
  void require_no_false_rest() const {
    const double rest = excess(c_.algorithm().iterate());
    const bool rests = travel_ <= 1e-10 * (1.0 + norm(c_.algorithm().iterate()));
    if (!rests || !(rest > 1e-4 * first_ + slack_) || !std::isfinite(rest)) return;
    if (answered(bench_, [&] { c_.start(Element::dense(c_.shape(), solution_)); }) == Answer::refused) return;
    for (int t = 0; t < kEarly; ++t) c_.algorithm().step();
    bench_.at_most(
        excess(c_.algorithm().iterate()), 0.5 * rest, 0.0,
        said("it comes to rest at (f + h)(x) - min = ", rest, ", from ", first_,
             " at the start, and leaves the solution; 1000 steps from there, against half of that"),
        "it comes to rest where no solution is: the length of the proximal step is not that of the "
        "gradient step, or the point of one is not that of the other");
  }

 private:
  double excess(const Element& x) const { return c_.value(x) - least_; }
  void step(int t) {
    Algorithm& algorithm = c_.algorithm();
    const bool watched = t > kSteps - kWindow;
    const Numbers before = watched ? algorithm.iterate().to_dense() : Numbers();
    algorithm.step();
    if (watched) travel_ = std::max(travel_, distance(algorithm.iterate().to_dense(), before));
    if (watched) late_ = std::min(late_, excess(algorithm.iterate()));
    if (t > kEarly - kWindow && t <= kEarly) early_ = std::min(early_, excess(algorithm.iterate()));
    if (t % 50 == 0)
      algorithm.measured(
          c_.measured());  // as the run loop does: some answer with what was measured to be best
  }

  Bench& bench_;
  Composed& c_;
  Numbers solution_;
  double least_ = 0.0, slack_ = 0.0, first_ = 0.0, early_ = kInfinity, late_ = kInfinity, travel_ = 0.0;
};

/// Words and integers other than the defaults may stand for steps that only come near the solution. Other
/// reals may stand for steps that are too long. But no iterate comes to rest elsewhere.
void converges(Bench& bench) {
  const std::vector<Settings> words = bench.choices(bench.settings());
  std::vector<Side> all = sides(bench, bench.settings(), false);
  const std::vector<Side> more = flat_and_sparse(all);
  all.insert(all.end(), more.begin(), more.end());
  for_composed(bench, {words.front()}, all, false, [&](Composed& c) {
    const Course course(bench, c);
    course.require_share(c.side().flat ? 0.1 : 0.02);  // 1/sqrt(t) without strong convexity
    course.require_progress();
    course.require_no_false_rest();
  });
  std::vector<Settings> others = bench.variants(1);
  others.erase(others.begin());
  if (others.empty()) return;
  try {
    for_composed(bench, others, all, false, [&](Composed& c) {
      std::optional<Course> course;
      if (answered(bench, [&] { course.emplace(bench, c, false); }) == Answer::refused) return;
      course->require_no_false_rest();
    });
    for_composed(bench, {words.begin() + 1, words.end()}, false,
                 [&](Composed& c) { Course(bench, c, false).require_share(0.5); });
  } catch (const Skipped&) {  // the others are refused, and the defaults have converged
  }
}

/// The gap that a step reports is that of the point that it started from.
void reported(Bench& bench) {
  bool any = false;
  for_composed(bench, 4, false, [&](Composed& c) {
    if (!c.problem().linear_oracle) throw Skipped{"it is tried on no set with a linear oracle"};
    c.start();
    for (int t = 0; t < 12; ++t) {
      const Numbers x = c.algorithm().iterate().to_dense();
      c.algorithm().step();
      const double gap = c.algorithm().report().gap;
      if (!std::isfinite(gap)) continue;
      any = true;
      Element g(c.shape()), v;
      c.f().add_gradient(Element::dense(c.shape(), x), Batch::all(), 1.0, g);
      c.problem().linear_oracle->minimize(g, {1e-10, false}, v);
      const double truth = dot(g.to_dense(), combined(1.0, x, -1.0, v.to_dense()));
      bench.equal(
          gap, truth, 0.1 * std::abs(truth) + 1e-9 * (1.0 + length(g.to_dense()) * length(x)),
          said("the gap that step ", t + 1, " reports, and <g, x - v> where it began"),
          "the gap is max over the set of <g, x - v>, at the point and with the gradient of the step");
    }
  });
  if (!any) throw Skipped{"reports no Frank-Wolfe gap"};
}

void feasible(Bench& bench) {
  for (const bool sampled : {false, true})
    for_composed(bench, 6, sampled, [&](Composed& c) {
      if (!c.side().has_set()) throw Skipped{"it is tried on no set"};
      if (std::isnan(c.violation(c.start_point())))
        throw Skipped{"membership is unknown of  " + c.side().text()};
      c.start();
      for (int t = 0; t < 60; ++t) {
        c.algorithm().step();
        for (const Element* x : {&c.algorithm().iterate(), &c.algorithm().answer()})
          bench.at_most(
              c.violation(*x), 0.0, 1e-9, said("violation after ", t + 1, " steps"),
              "every iterate and answer lies in the set: a step beyond the vertex, or no projection");
      }
    });
}

void answers(Bench& bench) {
  for (const bool sampled : {false, true})
    for_composed(bench, 6, sampled, [&](Composed& c) {
      std::vector<Numbers> iterates;
      for (const bool asked : {false, true}) {
        c.sampler().seek(0);
        c.start();
        for (std::size_t t = 0; t < 25; ++t) {
          c.algorithm().step();
          const Numbers x = c.algorithm().iterate().to_dense();
          bench.require(finite(x) && c.algorithm().iterate().shape() == c.shape(),
                        said("iterate ", t + 1, " is ", numbers_text(x)),
                        "a finite point of the shape of the start");
          if (!asked) iterates.push_back(x);
          bench.require(same_bits(x, iterates[t]),
                        said("iterate ", t + 1, " depends on whether answer() and report() were asked"),
                        "asking changes nothing");
          if (!asked) continue;
          const Numbers answer = c.algorithm().answer().to_dense();
          bench.require(finite(answer) && c.algorithm().answer().shape() == c.shape(),
                        said("the result after ", t + 1, " steps is ", numbers_text(answer)),
                        "there is an answer after every step, and before the first");
          bench.require(same_bits(answer, c.algorithm().answer().to_dense()),
                        "asked twice, answer() gives two answers", "asking changes nothing");
          (void)c.algorithm().report();
        }
      }
    });
}

void start(Bench& bench) {
  for (const bool sampled : {false, true})
    for_composed(bench, 6, sampled, [&](Composed& c) {
      const Numbers x0 = c.somewhere(bench.normals(c.shape().size())).to_dense();
      std::vector<Numbers> first, answers;
      for (const bool again : {false, true}) {
        c.sampler().seek(0);
        c.start(Element::dense(c.shape(), x0));
        bench.require(same_bits(c.algorithm().iterate().to_dense(), x0),
                      "iterate() after start is not the start", "start(problem, x0) begins at x0");
        bench.require(finite(c.algorithm().answer().to_dense()), "answer() after start is not finite",
                      "before the first step the result is the start");
        for (std::size_t t = 0; t < 12; ++t) {
          c.algorithm().step();
          if (t % 3 == 2) c.algorithm().measured(c.measured());  // what is best so far may be kept from it
          const Numbers x = c.algorithm().iterate().to_dense(), answer = c.algorithm().answer().to_dense();
          if (!again) first.push_back(x), answers.push_back(answer);
          for (const auto& [what, now, then] :
               {std::tuple("iterate ", &x, &first[t]), std::tuple("answer ", &answer, &answers[t])})
            bench.require(same_bits(*now, *then),
                          said(what, t + 1, " after a second start is ", numbers_text(*now), " instead of ",
                               numbers_text(*then)),
                          "start forgets everything: a count, an average or a momentum survives it");
        }
      }
    });
}

void stationary(Bench& bench) {
  for_composed(bench, 4, false, [&](Composed& c) {
    const auto solution = c.solution();
    if (!solution) throw Skipped{"the solutions of " + c.side().text() + " are not known"};
    const Element x0 = Element::dense(c.shape(), solution->x);
    const double least = c.value(x0), size = 1.0 + std::abs(least) + dot(solution->x, solution->x);
    // Some work from within the set alone, and its solutions may lie at the border.
    if (answered(bench, [&] { c.start(x0); }) == Answer::refused)
      c.start(Element::dense(c.shape(), combined(0.999, solution->x, 0.001, c.start_point().to_dense())));
    for (int t = 0; t < 30; ++t) {
      c.algorithm().step();
      const Numbers x = c.algorithm().iterate().to_dense();
      bench.require(finite(x), said("iterate ", t + 1, " from the solution is ", numbers_text(x)),
                    "a division by a gap, a gradient or a step of length 0");
      bench.at_most(c.value(c.algorithm().iterate()) - least, 50.0 * size, 0.0,
                    "the objective beyond its minimum, from the solution", "a division by nearly 0");
    }
  });
}

void stops(Bench& bench) {
  for (const bool sampled : {false, true})
    for_composed(bench, 4, sampled, [&](Composed& c) {
      c.start();
      for (int t = 0; t < 20; ++t) {
        const auto begin = std::chrono::steady_clock::now();
        c.algorithm().step();
        const double seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        bench.at_most(seconds, 2.0, 0.0, said("seconds of step ", t + 1, " on 8 variables"),
                      "a step returns often, so that limits and interrupts are prompt: one iteration, or a "
                      "short block of inner ones");
      }
    });
}

void needs(Bench& bench) {
  bench.at(settings_text(bench.settings()));
  const Composed whole(bench, bench.settings(), {.form = Side::Form::set});
  for (const Need& need : whole.algorithm().needs()) {
    const Kind role = need.role;
    bench.require(
        role == Kind::set || role == Kind::penalty || role == Kind::objective || role == Kind::estimator,
        said("needs the role '", kind_name(role), "'"), "roles are objective, set, penalty and estimator");
    bench.require(!need.ability.empty() && !need.reason.empty(), "a need has no ability or no reason",
                  "say why, in mathematics: the person who composed it reads it");
  }
  std::string reasons;
  for (const Side::Form form : {Side::Form::none, Side::Form::penalty, Side::Form::set}) {
    const Side side{.form = form};
    bench.at(settings_text(bench.settings()) + ", " + side.text());
    Composed c(bench, bench.settings(), side);
    if (c.refusal().empty()) continue;
    // `start` must refuse a problem that needs() does not name, by an error with a remedy.
    if (!missing_parts(c.problem(), c.algorithm(), {}).empty()) continue;
    try {
      c.start();
    } catch (const Error& error) {
      for (const Complaint& complaint : error.complaints())
        bench.require(!complaint.what.empty() && !complaint.remedy.empty(),
                      "start refuses without saying what is wrong and what to do: " + complaint.sentence(),
                      "a refusal names what is wrong, why, and what would fit");
    }
  }
}

void spoilt(Bench& bench) {
  /// f whose gradient is NaN from the third call on.
  class Spoilt final : public Objective, public LossOfImage {
   public:
    explicit Spoilt(Objective& inner) : inner_(inner) {}
    Shape shape() const override { return inner_.shape(); }
    Index terms() const override { return inner_.terms(); }
    double value(const Element& x) override { return inner_.value(x); }
    Constants constants() const override { return inner_.constants(); }
    void add_gradient(const Element& x, const Batch& batch, double a, Element& g) override {
      inner_.add_gradient(x, batch, ++calls_ < 3 ? a : kNan, g);
    }
    const MapPtr& map() const noexcept override { return loss_->map(); }
    double image_value(std::span<const double> z) override { return loss_->image_value(z); }
    void image_gradient(std::span<const Index> rows, std::span<const double> z,
                        std::span<double> out) override {
      loss_->image_gradient(rows, z, out);
      if (++calls_ >= 3) std::fill(out.begin(), out.end(), kNan);
    }
    void image_curvature(std::span<const double> z, std::span<double> out) override {
      loss_->image_curvature(z, out);
    }
    bool curvature_bound(std::span<double> out) override { return loss_->curvature_bound(out); }
    bool is_quadratic() const noexcept override { return loss_->is_quadratic(); }
    void* ability(std::string_view id) noexcept override {
      if (id == Restrictable::kAbility) return inner_.ability(id);
      return loss_ ? offer<LossOfImage>(this, id) : nullptr;
    }

   private:
    Objective& inner_;
    LossOfImage* loss_ = query<LossOfImage>(inner_);
    int calls_ = 0;
  };
  for_composed(bench, 0, false, [&](Composed& c) {
    if (query<Cornered>(c.f())) return;  // its gradients are those of the roundings
    Spoilt f(c.f());
    Sampler sampler(RandomStream(1, Purpose::sampling), f.terms());
    c.problem().objective = &f;
    c.problem().estimator->start(f, sampler);
    c.algorithm().start(c.problem(), c.start_point());
    (void)answered(bench, [&] {
      for (int t = 0; t < 50; ++t) c.algorithm().step();
    });
  });
}

}  // namespace

Tests algorithm_tests() {
  return {
      {{"needs", kAlgorithm,
        "needs() names roles and abilities with a reason; what else does not fit is refused by start with a "
        "remedy."},
       needs},
      {{"start", kAlgorithm,
        "After start the iterate is x0, and a second start gives the same steps and answers again."},
       start},
      {{"converges", kAlgorithm,
        "On quadratics with known solutions, strongly convex ones, of dense and of sparse rows, and flat "
        "ones (alone, + lambda ||x||_1, "
        "over a box, both; those that it "
        "takes, else with what it takes of the catalogue) 4000 steps with full gradients take away 98% of "
        "the excess (90% of a flat one's) and go on taking; with other words and integers than the defaults "
        "half of it; with no setting do they come to rest where "
        "no solution is."},
       converges},
      {{"reported-gap", kAlgorithm,
        "Where a step reports a Frank-Wolfe gap, with full gradients, it is <g, x - v> where the step "
        "began."},
       reported},
      {{"feasible", kAlgorithm, "Iterates and answers lie in the set, with full gradients and with batches."},
       feasible},
      {{"answer", kAlgorithm,
        "Iterates and answers are finite points of the start's shape; asking for them changes nothing."},
       answers},
      {{"stationary", kAlgorithm,
        "From the solution, or beside it within the set, the iterates stay finite."},
       stationary},
      {{"prompt", kAlgorithm, "A step on 8 variables returns within 2 seconds."}, stops},
      {{"spoilt-gradient", kAlgorithm,
        "When the gradient becomes NaN a step returns or throws claros::Error; it neither hangs nor ends the "
        "process."},
       spoilt}};
}

}  // namespace claros::doctor

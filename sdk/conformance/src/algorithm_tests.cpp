// SPDX-License-Identifier: BSD-3-Clause
// Algorithms on quadratics whose solutions are known.
#include <claros/run/run_loop.hpp>

#include <chrono>

#include "composed.hpp"

namespace claros::doctor {

namespace {

const std::vector<Kind> kAlgorithm{Kind::algorithm};

/// Calls `test` with the subject's algorithm, made with each of the settings, on every problem of the kit that it takes.
void for_composed(Bench& bench, const std::vector<Settings>& tried, bool sampled, const std::function<void(Composed&)>& test) {
  const std::vector<Side> all = sides(bench, bench.settings(), false);
  std::string reason;
  bool any = false;
  for (const Settings& settings : tried) {
    if (answered(bench, [&] { (void)bench.make(settings, bench.context()); }) == Answer::refused) continue;
    for (const Side& side : all) {
      bench.at(settings_text(settings) + ", " + side.text() + (sampled ? ", batches of 3" : ", full gradients"));
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

void for_composed(Bench& bench, int variants, bool sampled, const std::function<void(Composed&)>& test) {
  for_composed(bench, bench.variants(variants), sampled, test);
}

/// What is left of the excess at the start after 4000 steps, at the iterate and at the answer: at most `share` of it.
void check_convergence(Bench& bench, const std::vector<Settings>& settings, double share) {
  for_composed(bench, settings, false, [&](Composed& c) {
    const auto solution = c.solution();
    if (!solution) throw Skipped{"the solutions of " + c.side().text() + " are not known"};
    c.start();
    const double least = c.value(Element::dense(c.shape(), solution->x)),
                 first = c.value(c.start_point()) - least;
    if (!(first > 0.0)) throw Skipped{"the start is a solution of " + c.side().text()};
    for (int t = 0; t < 4000; ++t) {
      c.algorithm().step();
      if (t % 50 == 49) c.algorithm().measured(c.measured());  // as the house does: some answer with what was measured to be best
    }
    for (const Element* x : {&c.algorithm().iterate(), &c.algorithm().answer()}) {
      const double excess = c.value(*x) - least;
      bench.at_most(-1e-9 * (1.0 + std::abs(least)) - solution->gap, excess, 0.0,
                    "the objective beyond its minimum after 4000 steps is negative",
                    "the iterate left the set, or the kit is wrong");
      bench.at_most(excess, share * first, 0.0,
                    said("(f + h)(x) - min after 4000 steps, from ", first, " at the start; against ", share, " of that"),
                    "the direction, the step length or the proximal step is wrong: full gradients of a "
                    "strongly convex quadratic are the easiest case");
    }
  });
}

/// Other words than the defaults may stand for steps that come near the solution alone.
void converges(Bench& bench) {
  const std::vector<Settings> all = bench.choices(bench.settings());
  check_convergence(bench, {all.front()}, 0.02);
  if (all.size() > 1) {
    try {
      check_convergence(bench, {all.begin() + 1, all.end()}, 0.5);
    } catch (const Skipped&) {  // the other words are refused, and the defaults have converged
    }
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
      if (std::isnan(gap)) continue;
      any = true;
      Element g(c.shape()), v;
      c.f().add_gradient(Element::dense(c.shape(), x), Batch::all(), 1.0, g);
      c.problem().linear_oracle->minimize(g, {1e-10, false}, v);
      const double truth = dot(g.to_dense(), combined(1.0, x, -1.0, v.to_dense()));
      bench.equal(gap, truth, 0.1 * std::abs(truth) + 1e-9 * (1.0 + length(g.to_dense()) * length(x)), said("the gap that step ", t + 1, " reports, and <g, x - v> where it began"),
                  "the gap is max over the set of <g, x - v>, at the point and with the gradient of the step");
    }
  });
  if (!any) throw Skipped{"reports no Frank-Wolfe gap"};
}

void feasible(Bench& bench) {
  for (const bool sampled : {false, true})
    for_composed(bench, 6, sampled, [&](Composed& c) {
      if (!c.side().has_set()) throw Skipped{"it is tried on no set"};
      if (std::isnan(c.violation(c.start_point()))) throw Skipped{"nobody can tell what lies in " + c.side().text()};
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
                        said("the answer after ", t + 1, " steps is ", numbers_text(answer)),
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
      std::vector<Numbers> first;
      for (const bool again : {false, true}) {
        c.sampler().seek(0);
        c.start(Element::dense(c.shape(), x0));
        bench.require(same_bits(c.algorithm().iterate().to_dense(), x0),
                      "iterate() after start is not the start", "start(problem, x0) begins at x0");
        bench.require(finite(c.algorithm().answer().to_dense()), "answer() after start is not finite",
                      "before the first step the answer is the start");
        for (std::size_t t = 0; t < 12; ++t) {
          c.algorithm().step();
          const Numbers x = c.algorithm().iterate().to_dense();
          if (!again) first.push_back(x);
          bench.require(same_bits(x, first[t]),
                        said("iterate ", t + 1, " after a second start is ", numbers_text(x), " instead of ",
                             numbers_text(first[t])),
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
    const std::string role = need.role.substr(0, need.role.find('?'));
    bench.require(role == "set" || role == "penalty" || need.role == "objective" || need.role == "estimator", said("needs the role '", need.role, "'"),
                  "roles are objective, set, penalty and estimator");
    bench.require(!need.ability.empty() && !need.reason.empty(), "a need has no ability or no reason",
                  "say why, in mathematics: the person who composed it reads it");
  }
  std::string reasons;
  for (const Side::Form form : {Side::Form::none, Side::Form::penalty, Side::Form::set}) {
    const Side side{.form = form};
    bench.at(settings_text(bench.settings()) + ", " + side.text());
    Composed c(bench, bench.settings(), side);
    if (c.refusal().empty()) continue;
    // What needs() does not name, start must refuse by an error with a remedy.
    if (!missing_parts(c.problem(), c.algorithm(), {}).empty()) continue;
    try {
      c.start();
    } catch (const Error& error) {
      for (const Complaint& complaint : error.complaints())
        bench.require(!complaint.where.empty() && !complaint.what.empty() && !complaint.remedy.empty(),
                      "start refuses without where, what and remedy: " + complaint.sentence(),
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
    Index components() const override { return inner_.components(); }
    double value(const Element& x) override { return inner_.value(x); }
    Constants constants() const override { return inner_.constants(); }
    void add_gradient(const Element& x, const Batch& batch, double a, Element& g) override {
      inner_.add_gradient(x, batch, ++calls_ < 3 ? a : kNan, g);
    }
    const MapPtr& map() const noexcept override { return loss_->map(); }
    double image_value(std::span<const double> z) override { return loss_->image_value(z); }
    void image_gradient(std::span<const Index> rows, std::span<const double> z, std::span<double> out) override {
      loss_->image_gradient(rows, z, out);
      if (++calls_ >= 3) std::fill(out.begin(), out.end(), kNan);
    }
    void image_curvature(std::span<const double> z, std::span<double> out) override { loss_->image_curvature(z, out); }
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
    Spoilt f(c.f());
    Sampler sampler(RandomStream(1, Purpose::sampling), f.components());
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
      {{"start", kAlgorithm, "After start the iterate is x0, and a second start gives the same steps again."},
       start},
      {{"converges", kAlgorithm,
        "On strongly convex quadratics with known solutions (alone, + lambda ||x||_1, over a box; those that "
        "it takes, else with what it takes of the catalogue) 4000 steps with full gradients take away 98% of the excess, with other words and integers than the defaults half of it."},
       converges},
      {{"reported-gap", kAlgorithm, "Where a step reports a Frank-Wolfe gap, with full gradients, it is <g, x - v> where the step began."},
       reported},
      {{"feasible", kAlgorithm, "Iterates and answers lie in the set, with full gradients and with batches."},
       feasible},
      {{"answer", kAlgorithm,
        "Iterates and answers are finite points of the start's shape; asking for them changes nothing."},
       answers},
      {{"stationary", kAlgorithm, "From the solution, or beside it within the set, the iterates stay finite."}, stationary},
      {{"prompt", kAlgorithm, "A step on 8 variables returns within 2 seconds."}, stops},
      {{"spoilt-gradient", kAlgorithm,
        "When the gradient becomes NaN a step returns or throws claros::Error; it neither hangs nor ends the "
        "process."},
       spoilt}};
}

}  // namespace claros::doctor

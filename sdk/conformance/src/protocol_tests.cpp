// SPDX-License-Identifier: BSD-3-Clause
// Tests of estimators: epochs, batches, earlier estimates, and refusals.
#include <claros/watch/watched.hpp>

#include <algorithm>
#include <numeric>

#include "composed.hpp"

namespace claros::doctor {

namespace {

/// Calls `test` with the estimator on both of the kit's sums, for the default and drawn choices.
void for_driven(Bench& bench, const std::function<void(Driven&)>& test) {
  for (const int form : {0, 1}) {
    bench.at(settings_text(estimator_settings(bench)) + ", " + form_text(form));
    Driven driven(bench, estimator_settings(bench), form, 1);
    test(driven);
  }
}

void epochs(Bench& bench) {
  for_driven(bench, [&](Driven& e) {
    GradientEstimator& estimator = e.estimator();
    bool any_due = false;
    Index begun = 0;
    for (std::uint64_t t = 0; t < 25; ++t) {
      const Element x = e.point(t);
      if (estimator.epoch_due()) {
        any_due = true;
        const Index before = estimator.epochs();
        estimator.begin_epoch(x);
        ++begun;
        bench.require(!estimator.epoch_due(), "an epoch is still due after begin_epoch",
                      "begin_epoch ends what made it due");
        bench.require(estimator.epochs() == before + 1,
                      said("epochs() goes from ", before, " to ", estimator.epochs(), " at begin_epoch"),
                      "epochs() counts the epochs begun");
      }
      const Element& g = estimator.estimate(x);
      bench.require(g.shape() == e.f().shape() && finite(g.to_dense()),
                    "the estimate has another shape than the variable, or is not finite",
                    "g starts as Element(f.shape())");
    }
    if (!any_due) return;
    for (const Index length : {1, 3}) {
      estimator.begin_epoch(e.point(1), {.length = length});
      for (Index k = 0; k < length; ++k) {
        bench.require(!estimator.epoch_due(),
                      said("an epoch planned for ", length, " steps is over after ", k),
                      "EpochPlan::length goes before the estimator's own number");
        (void)estimator.estimate(e.point(static_cast<std::uint64_t>(k)));
      }
      bench.require(estimator.epoch_due(),
                    said("an epoch planned for ", length, " steps is not over after them"),
                    "EpochPlan::length goes before the estimator's own number");
    }
  });
}

/// The estimator on a problem that counts.
struct Counted {
  std::unique_ptr<FiniteSum> f;
  Counts counts;
  ComponentSeconds seconds;
  WatchedObjective watched;
  Sampler sampler;
  std::shared_ptr<GradientEstimator> estimator;

  explicit Counted(const Bench& bench)
      : f(rows_problem(bench.subject().seed)),
        watched(*f, "kit", counts, seconds),
        sampler(RandomStream(1, Purpose::sampling), f->terms()),
        estimator(make_estimator(bench, estimator_settings(bench))) {
    estimator->start(watched, sampler);
  }
  /// Component gradients that `call` evaluates, a difference counted once.
  template <class Call>
  Index cost(Call&& call) {
    const Index before = counts.sfo_indices;
    call();
    return counts.sfo_indices - before;
  }
};

void batches(Bench& bench) {
  bench.at(settings_text(estimator_settings(bench)));
  Counted e(bench);
  const Index n = e.f->terms();
  if (e.estimator->exact()) throw Skipped{"samples nothing: its estimate is the gradient"};
  const auto x = [&](std::uint64_t number) {
    return Element::dense(e.f->shape(), Numbers(6, 0.1 * static_cast<double>(number)));
  };
  const std::string mistake =
      "EpochPlan::batch goes before the estimator's own |S|, and "
      "estimate's `batch` before both, for one step";
  (void)e.cost([&] { e.estimator->begin_epoch(x(1)); });
  (void)e.estimator->estimate(x(1));
  const Index drawn = e.cost([&] { e.estimator->begin_epoch(x(1), {.snapshot = 6}); });
  bench.require(drawn == 0 || drawn == 6,
                said("an epoch with a snapshot of 6 components evaluates ", drawn, " where it begins"),
                "EpochPlan::snapshot is the number of components in the snapshot's gradient");
  e.estimator->begin_epoch(x(1), {.batch = 4, .length = 9});
  (void)e.estimator->estimate(x(1));  // may be free: the snapshot lies there
  bench.require(e.estimator->batch_size() == 4 || e.estimator->batch_size() == 0,
                said("batch_size() = ", e.estimator->batch_size(), " under a plan of 4"),
                "batch_size() is |S| of the next estimate, or 0 where it is not known");
  // An estimator that starts anew by chance does so with one larger number, and goes on with the batch often
  // enough to be seen. One that needs the batch's gradients at two points, not just their difference,
  // evaluates each term twice.
  const Index points = e.cost([&] { (void)e.estimator->estimate(x(1), 1); }) == 2 ? 2 : 1;
  Index anew = 0;
  for (const Index batch : {Index{0}, Index{1}, Index{7}, n, Index{0}}) {
    const Index wanted = points * (batch ? batch : 4);
    int ordinary = 0;
    for (std::uint64_t trial = 0; trial < 60; ++trial) {
      if (e.estimator->epoch_due())
        e.estimator->begin_epoch(x(70 + trial), {.batch = 4, .length = 9}),
            (void)e.estimator->estimate(x(70 + trial));
      const Index cost = e.cost([&] { (void)e.estimator->estimate(x(2 + trial), batch); });
      if (cost == wanted) {
        ++ordinary;
        continue;
      }
      if (anew == 0 && cost > wanted) anew = cost;
      bench.require(cost == anew && cost > wanted,
                    said("an estimate with batch ", batch, " under a plan of 4 evaluates ", cost,
                         " components instead of ", wanted),
                    mistake);
    }
    bench.require(ordinary > 0,
                  said("none of 60 estimates with batch ", batch, " under a plan of 4 evaluates ", wanted,
                       " components; they evaluate ", anew),
                  mistake);
  }
}

/// A sum of 40 components, in 400 batches of some of them.
void coverage(Bench& bench) {
  bool any = false;
  for (const Settings& settings : bench.choices(estimator_settings(bench))) {
    bench.at(settings_text(settings) + ", " + form_text(kRows) + ", 400 estimates");
    (void)answered(bench, [&] {
      try {
        Driven e(bench, settings, kRows, 1);
        for (std::uint64_t t = 0; t < 400; ++t) (void)e.next(e.point(t % 20));
        const auto& f = static_cast<const FiniteSum&>(e.f());
        if (f.asked().empty()) return;
        any = true;
        const double mean =
            std::accumulate(f.asked().begin(), f.asked().end(), 0.0) / static_cast<double>(f.asked().size());
        if (mean < 20.0) return;
        const auto missing = std::ranges::find(f.asked(), Index{0});
        bench.require(
            missing == f.asked().end(),
            said("component ", missing - f.asked().begin(), " is in none of the batches, where ", mean,
                 " is the mean of all"),
            "batches are drawn from the sampler that start is given, never the same components each time");
        if (f.weighted()) return;
        for (const Index times : f.asked())
          bench.at_most(
              std::abs(static_cast<double>(times) - mean), 6.0 * std::sqrt(3.0 * mean), 0.0,
              said("how often a component is drawn, ", times, " times, against the mean of all, ", mean),
              "batches without weights are drawn uniformly");
      } catch (const Skipped&) {
      }
    });
  }
  if (!any) throw Skipped{"draws no batches of some components"};
}

void sizes(Bench& bench) {
  for (const char* size : {"1", "40", "100"}) {
    Settings settings = estimator_settings(bench);
    if (!bench.subject().entry.parameters().find("batch")) throw Skipped{"has no parameter `batch`"};
    std::erase_if(settings, [](const Setting& s) { return s.key == "batch"; });
    settings.push_back({"batch", size, {}, {}});
    bench.at(settings_text(settings) + ", 40 components");
    const auto work = [&] {
      Driven e(bench, settings, 0, 3);
      for (std::uint64_t t = 0; t < 12; ++t)
        bench.require(finite(e.next(e.point(t)).to_dense()), "an estimate is not finite",
                      "batches of one, of all, and (with replacement) of more than all are allowed");
    };
    if (answered(bench, work) == Answer::refused && std::string(size) != "100")
      bench.fail("is refused", "a batch of 1 to n components can be drawn");
  }
}

void reference(Bench& bench) {
  for_driven(bench, [&](Driven& e) {
    Element x = e.point(1);
    for (std::uint64_t t = 0; t < 12; ++t) {
      const Element& g = e.next(x);
      const Numbers said_ = g.to_dense();
      // An algorithm may change the point like this between two estimates.
      Element other = e.point(t + 30);
      x.blend(0.4, other);
      (void)e.f().value(other);
      (void)e.gradient(other);
      Element sum(x.shape());
      sum.add(0.5, g);
      (void)sum.to_dense();
      bench.require(same_bits(g.to_dense(), said_),
                    said("the estimate of step ", t, " changed while the algorithm moved on: ",
                         numbers_text(said_), " became ", numbers_text(g.to_dense())),
                    "the estimate shares memory with the point or with the objective's buffers: it lives "
                    "until the next call");
    }
  });
}

void restart(Bench& bench) {
  for_driven(bench, [&](Driven& e) {
    std::vector<Numbers> first;
    e.sampler().seek(0);
    for (const bool again : {false, true}) {
      e.sampler().seek(0);
      e.estimator().start(e.f(), e.sampler());
      bench.require(e.estimator().epochs() == 0, said("after start epochs() = ", e.estimator().epochs()),
                    "start forgets everything");
      for (std::uint64_t t = 0; t < 9; ++t) {
        const Numbers g = e.next(e.point(t)).to_dense();
        if (!again) first.push_back(g);
        bench.require(same_bits(g, first[t]),
                      said("step ", t, " after a second start gives ", numbers_text(g), " instead of ",
                           numbers_text(first[t])),
                      "start forgets everything: a snapshot, a table, a count or an average survives it");
      }
    }
  });
}

/// For a sum over entries of a matrix, a batch of 3 changes 3 coordinates.
void drift(Bench& bench) {
  const Settings settings = estimator_settings(bench);
  bench.at(settings_text(settings) + ", " + form_text(kEntries) + ", batches of 3");
  Driven e(bench, settings, kEntries, 1);
  e.plan.batch = 3;
  const auto moved_of = [](const Numbers& off, const Numbers& g) {
    return std::count_if(off.begin(), off.end(),
                         [&](double value) { return std::abs(value) > 1e-12 * (1.0 + length(g)); });
  };
  bool any = false;
  Numbers last;
  Index epochs = 0;
  for (std::uint64_t t = 0; t < 20; ++t) {
    const Numbers g = e.next(e.point(t)).to_dense();
    const Element* D = e.estimator().drift();
    if (!D) continue;
    any = true;
    const Numbers now = D->to_dense();
    if (!last.empty() && (!e.estimator().renews_drift() || e.estimator().epochs() == epochs))
      bench.require(moved_of(combined(1.0, now, -1.0, last), g) <= 6,
                    said("estimate ", t, " changed drift() where neither its batch nor the last one is"),
                    "drift() stays as it is on coordinates that no batch touches, but for the begin of an "
                    "epoch where renews_drift() says so");
    last = now;
    epochs = e.estimator().epochs();
    const auto moved = moved_of(combined(1.0, g, -1.0, now), g);
    bench.require(moved <= 3,
                  said("estimate ", t, " differs from drift() in ", static_cast<Index>(moved),
                       " coordinates, of which the batch touches 3"),
                  "drift() is the part of this estimate that is the same on coordinates that no batch "
                  "touches: lagged steps go along it alone");
  }
  if (!any) throw Skipped{"offers no drift"};
}

void expectation(Bench& bench) {
  Draws f(bench.subject().seed);
  Settings settings = estimator_settings(bench);  // a full gradient at a snapshot there is not
  std::erase_if(settings, [](const Setting& setting) { return setting.key == "snapshot"; });
  if (bench.subject().entry.parameters().find("snapshot")) settings.push_back({"snapshot", "50", {}, {}});
  const auto estimator = make_estimator(bench, settings);
  bench.at(settings_text(settings) + ", an expectation");
  for (const Need& need : estimator->needs())
    if (!f.ability(need.ability)) throw Skipped{"needs the ability " + need.ability};
  Sampler sampler(RandomStream(1, Purpose::sampling), kUnbounded);
  Numbers mean(3, 0.0);
  const auto work = [&] {
    estimator->start(f, sampler);
    for (int t = 0; t < 20; ++t) {
      const Element x = Element::dense(f.shape(), {0.5, 0.0, -0.5});
      if (estimator->epoch_due()) estimator->begin_epoch(x, {.snapshot = 50});
      const Numbers g = estimator->estimate(x).to_dense();
      bench.require(finite(g), "an estimate is not finite",
                    "component i is draw number i: a batch is a range");
      mean = combined(1.0, mean, 0.05, g);
    }
  };
  if (answered(bench, work) == Answer::refused) return;
  const Numbers truth{-0.5, -1.0, -1.5};  // draws have mean 1, variance 1
  bench.at_most(distance(mean, truth), 2.5, 0.0,
                "mean of 20 estimates against the gradient of the expectation",
                "component i is draw number i: a batch is a range");
}

void needs(Bench& bench) {
  const auto estimator = make_estimator(bench, estimator_settings(bench));
  bench.at(settings_text(estimator_settings(bench)));
  /// A finite sum without any ability.
  class Bare final : public Objective {
   public:
    Shape shape() const override { return Shape::vector(2); }
    Index terms() const override { return 10; }
    double value(const Element& x) override { return 0.5 * inner(x, x); }
    void add_gradient(const Element& x, const Batch&, double a, Element& g) override { g.add(a, x); }
  };
  Bare f;
  Sampler sampler(RandomStream(1, Purpose::sampling), 10);
  const bool refused = answered(bench, [&] {
                         estimator->start(f, sampler);
                         const Element x = Element::dense(f.shape(), {1.0, 2.0});
                         if (estimator->epoch_due()) estimator->begin_epoch(x);
                         (void)estimator->estimate(x);
                       }) == Answer::refused;
  bench.require(refused || estimator->needs().empty(), "starts on an objective that lacks what needs() names",
                "needs() names what it cannot do without, and start refuses an objective that lacks it");
  bench.require(!refused || !estimator->needs().empty(),
                "refuses an objective without abilities, and needs() is empty",
                "name the abilities in needs(): compositions are checked before anything runs");
}

}  // namespace

Tests protocol_tests() {
  return {
      {{"epochs", kEstimator,
        "begin_epoch ends what made it due and is counted; an epoch planned for p steps is due again after "
        "p, not before."},
       epochs},
      {{"batch", kEstimator,
        "An estimate evaluates as many components as the plan says, or as its own argument says for one "
        "step; now and then one that begins anew evaluates a larger number of them, always the same."},
       batches},
      {{"coverage", kEstimator,
        "In a long run every component is drawn, and, where batches have no weights, all of them equally "
        "often."},
       coverage},
      {{"batch-sizes", kEstimator,
        "Batches of 1, of n and of more than n components give finite estimates (more than n may be "
        "refused)."},
       sizes},
      {{"reference", kEstimator,
        "What estimate returned stays as it was until the next call, while the algorithm moves the point and "
        "asks the objective."},
       reference},
      {{"restart", kEstimator, "start forgets everything: the same samples give the same estimates again."},
       restart},
      {{"drift", kEstimator,
        "Where it is offered, the estimate less drift() is 0 but on the coordinates that the batch touches, "
        "and drift() stays on the others."},
       drift},
      {{"expectation", kEstimator,
        "On an expectation (component i is draw i) it is refused, or gives estimates of the gradient."},
       expectation},
      {{"needs", kEstimator,
        "needs() names the abilities without which start refuses an objective, and no estimator starts "
        "without them."},
       needs}};
}

}  // namespace claros::doctor

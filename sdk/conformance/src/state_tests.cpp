// SPDX-License-Identifier: BSD-3-Clause
// State: a component that was loaded goes on as the one that was saved, bit for bit.
#include <claros/linear_oracle.hpp>
#include <claros/proximal_oracle.hpp>

#include <algorithm>
#include <functional>

#include "composed.hpp"

namespace claros::doctor {

namespace {

const std::string kMissing =
    "a member that the next step depends on is not listed in `state`, or what follows from "
    "the members is not made again where v.loading(), or reading leaves something of start "
    "behind, or an Element has no shape after `start`";

/// Lists the names in a state: "x, t, step rule.local smoothness".
class Lister final : public StateVisitor {
 public:
  bool loading() const noexcept override { return false; }
  void archive(std::string_view name, const StateStream&, std::string_view&) override { add(name); }
  std::string text() const { return text_.empty() ? "nothing" : text_; }

 private:
  void visit(std::string_view name, Index&) override { add(name); }
  void visit(std::string_view name, double&) override { add(name); }
  void visit(std::string_view name, bool&) override { add(name); }
  void visit(std::string_view name, std::uint64_t&) override { add(name); }
  void visit(std::string_view name, std::string&) override { add(name); }
  void visit(std::string_view name, std::vector<double>&) override { add(name); }
  void visit(std::string_view name, std::vector<Index>&) override { add(name); }
  void visit(std::string_view name, std::span<double>) override { add(name); }
  void visit(std::string_view name, Buffer&) override { add(name); }
  void visit(std::string_view name, Element&) override { add(name); }
  bool open(std::string_view name, bool present) override {
    path_.push_back(std::string(name) + ".");
    return present;
  }
  void close() override { path_.pop_back(); }
  void misfit(std::string_view, std::string_view) override {}
  void add(std::string_view name) {
    text_ += text_.empty() ? "" : ", ";
    for (const std::string& group : path_) text_ += group;
    text_ += name;
  }

  std::string text_;
  std::vector<std::string> path_;
};

/// One component at work: `step(t)` is its t-th result, `shown()` its state between two.
struct Machine {
  std::function<Numbers(Index)> step;
  std::function<Numbers()> shown;
  std::function<void(StateVisitor&)> state;  ///< of the component and all that it works with
  State* component = nullptr;
  References references = {};

  std::string save() const {
    StateWriter out(references);
    state(out);
    return out.bytes();
  }
  void load(const std::string& bytes) const {
    StateReader in(std::string_view(bytes), references, "state");
    state(in);
  }
  std::string listed() const {
    Lister names;
    component->state(names);
    return "; its state lists " + names.text();
  }
};

/// A machine loaded from `bytes`, saved after `cut` steps, must answer the next `ahead` steps as expected.
void check_loaded(const Bench& bench, Machine& machine, const std::string& bytes, const Numbers& shown,
                  Index cut, Index ahead, const std::vector<Numbers>& expected) {
  try {
    machine.load(bytes);
    bench.require(same_bits(machine.shown(), shown),
                  said("saved after ", cut, " steps and loaded, it shows ", numbers_text(machine.shown()),
                       " instead of ", numbers_text(shown), machine.listed()),
                  kMissing);
    bench.require(machine.save() == bytes,
                  said("after ", cut, " steps: save, load, save gives other bytes", machine.listed()),
                  kMissing);
    for (Index t = cut; t < cut + ahead; ++t) {
      const Numbers answer = machine.step(t), &want = expected[static_cast<std::size_t>(t)];
      bench.require(same_bits(answer, want),
                    said("saved after ", cut, " steps and loaded, step ", t, " gives ", numbers_text(answer),
                         " instead of ", numbers_text(want), machine.listed()),
                    kMissing);
    }
  } catch (const Error& error) {
    bench.fail(said("saved after ", cut, " steps and loaded, it throws: ", error.what(), machine.listed()),
               kMissing);
  }
}

/// Saves before every one of the first `steps` steps, and before some that come much later. A loaded machine
/// must answer the next `ahead` steps alike.
void check_round_trips(const Bench& bench, const std::function<Machine()>& make, Index steps, Index ahead,
                       const std::vector<Index>& later = {}) {
  Machine plain = make();
  std::vector<Numbers> expected;
  const Index last = later.empty() ? steps - 1 : later.back();
  for (Index t = 0; t <= last + ahead; ++t) expected.push_back(plain.step(t));
  Machine saved = make();
  for (Index cut = 0; cut <= last; ++cut) {
    if (cut >= steps && std::find(later.begin(), later.end(), cut) == later.end()) {
      (void)saved.step(cut);
      continue;
    }
    const std::string bytes = saved.save();
    const Numbers shown = saved.shown();
    Machine loaded = make();
    // The loaded machine must forget what it did before.
    for (Index t = 0; t < 2; ++t) (void)loaded.step(t + 3);
    Machine fresh = make();
    for (Machine* machine : {&fresh, &loaded})
      check_loaded(bench, *machine, bytes, shown, cut, ahead, expected);
    const Numbers answer = saved.step(cut);
    bench.require(same_bits(answer, expected[static_cast<std::size_t>(cut)]),
                  said("step ", cut, " gives other numbers after the state was saved"),
                  "save must change nothing");
  }
}

/// A set or penalty, called at a fixed sequence of points.
Machine oracle_machine(Bench& bench, const Settings& settings, const Shape& shape) {
  const std::vector<std::shared_ptr<Component>> whole = bench.make_with_parts(settings, bench.context());
  const std::shared_ptr<Component> component = whole.front();
  auto* state = query<State>(*component);
  if (!state)
    throw Skipped{"offers no state: the next answer is taken to depend on nothing but the arguments"};
  const auto step = [component, shape, seed = bench.subject().seed](Index t) {
    RandomStream random(seed, Purpose::test, 70);
    random.seek(static_cast<std::uint64_t>(t) * 4096);
    Numbers c(static_cast<std::size_t>(shape.size()));
    random.fill_normal(c);
    const Element direction = Element::dense(shape, c);
    Numbers all;
    if (auto* oracle = query<LinearOracle>(*component)) {
      Element vertex;
      for (const bool confirm : {false, true}) {
        all.push_back(oracle->minimize(direction, {1e-2, confirm}, vertex).value);
        const Numbers v = vertex.to_dense();
        all.insert(all.end(), v.begin(), v.end());
      }
    }
    if (auto* oracle = query<ProximalOracle>(*component)) {
      for (const Accuracy& accuracy : {Accuracy{}, Accuracy{1e-10, 2, true}}) {
        Element x;
        const Certificate certificate = oracle->apply(direction, 0.2, x, accuracy);
        const Numbers v = x.to_dense();
        all.insert(all.end(), v.begin(), v.end());
        all.insert(all.end(), {certificate.exact ? 1.0 : 0.0, certificate.error});
      }
    }
    return all;
  };
  const auto save = [whole, state](StateVisitor& v) {
    state->state(v);
    state_of_held(whole, v);
  };
  return {step, [] { return Numbers{}; }, save, state};
}

void oracle_state(Bench& bench) {
  bool any = false;
  std::vector<Shape> shapes = bench.shapes();
  if (bench.subject().shapes.empty()) shapes.push_back(Shape::matrix(16, 12));  // where a rank of 2 is small
  for (const Settings& settings : bench.variants(3))
    for (const Shape& shape : shapes) {
      bench.at(settings_text(settings) + ", shape " + shape.text());
      if (answered(bench, [&] { (void)oracle_machine(bench, settings, shape).step(0); }) == Answer::refused)
        continue;
      any = true;
      check_round_trips(
          bench, [&] { return oracle_machine(bench, settings, shape); }, 4, 3);
    }
  if (!any) throw Skipped{"no settings and shape of the kit are taken; give --set or --shape"};
}

/// Counts, and the full gradient if there is one.
Numbers shown_by(const GradientEstimator& estimator) {
  const Element* gradient = estimator.full_gradient();
  Numbers all = gradient ? gradient->to_dense() : Numbers{};
  all.insert(all.end(), {static_cast<double>(estimator.epochs()), estimator.epoch_due() ? 1.0 : 0.0,
                         static_cast<double>(estimator.batch_size())});
  return all;
}

/// The steps of two whole epochs and one more, of an estimator that is driven like this; at most 40.
Index two_epochs(Driven& driven) {
  Index steps = 0;
  while (steps < 40 && driven.estimator().epochs() < 3)
    (void)driven.next(driven.point(static_cast<std::uint64_t>(steps++)));
  return std::max<Index>(steps, 9);
}

/// Over two epochs, saved in every step of them, with the estimator's own numbers and with those that a plan
/// dictates.
void estimator_state(Bench& bench) {
  const Settings settings = estimator_settings(bench);
  bool any = false;
  std::string reason = "is refused by the kit's problems";
  for (Settings one : bench.choices(settings))
    for (const int form : {kRows, kEntries, kDraws})
      for (const EpochPlan& plan : {EpochPlan{}, EpochPlan{5, 2, 4, true}}) {
        if (form == kDraws && bench.subject().entry.parameters().find("snapshot"))
          one.push_back({"snapshot", "6", {}, {}});
        bench.at(settings_text(one) + ", " + form_text(form) + (plan.batch ? ", planned epochs" : ""));
        Index steps = 0;
        const auto try_it = [&] {
          try {
            Driven driven(bench, one, form, 1);
            driven.plan = plan;
            steps = two_epochs(driven);
          } catch (const Skipped& s) {
            reason = s.reason;
          }
        };
        if (answered(bench, try_it) == Answer::refused || steps == 0) continue;
        any = true;
        const auto make = [&] {
          auto driven = std::make_shared<Driven>(bench, one, form, 1);
          State* component = query<State>(driven->estimator());
          if (!component) throw Skipped{"offers no state: runs with it cannot be resumed"};
          driven->plan = plan;
          return Machine{[driven](Index t) {
                           return driven->next(driven->point(static_cast<std::uint64_t>(t))).to_dense();
                         },
                         [driven] { return shown_by(driven->estimator()); },
                         [driven](StateVisitor& v) { driven->state(v); }, component,
                         references_of(driven->f())};
        };
        check_round_trips(bench, make, steps, 8, {50});
      }
  if (!any) throw Skipped{reason};
}

/// Its points, and its report of the last step.
Numbers shown_by(Algorithm& algorithm) {
  Numbers all = algorithm.iterate().to_dense();
  const Numbers answer = algorithm.answer().to_dense();
  all.insert(all.end(), answer.begin(), answer.end());
  const StepReport report = algorithm.report();
  all.insert(all.end(), {report.weight, report.gap, report.full_gradient ? 1.0 : 0.0});
  return all;
}

/// The results that an algorithm shows after a step, and after it got the measurements of Claros there: gaps
/// rise and fall.
Numbers answer_of(Composed& composed, Index t) {
  Algorithm& algorithm = composed.algorithm();
  algorithm.step();
  Measurement measurement;
  measurement.value = composed.value(algorithm.iterate());
  measurement.gap = 1.0 / static_cast<double>(1 + t) + (t % 3 == 2 ? 0.5 : 0.0);
  measurement.gap_kind = "frank-wolfe";
  algorithm.measured(measurement);
  Numbers all = shown_by(algorithm);
  all.push_back(algorithm.report().divergence.empty() ? 0.0 : 1.0);
  return all;
}

void algorithm_state(Bench& bench) {
  std::vector<Settings> all = bench.variants(6);
  for (Settings& one : bench.choices(bench.settings())) all.push_back(std::move(one));
  std::vector<Side> taken = sides(bench, bench.settings());
  taken.push_back({.form = Side::Form::vertices});
  taken.push_back({.form = Side::Form::none, .unknown = true});
  for (const Settings& settings : all) {
    if (answered(bench, [&] { (void)bench.make(settings, bench.context()); }) == Answer::refused) continue;
    for (const bool sampled : {false, true})
      for (const Side& side : taken) {
        bench.at(settings_text(settings) + ", " + side.text() + (sampled ? ", batches" : ", full gradients"));
        if (!Composed(bench, settings, side, sampled).refusal().empty()) continue;
        const auto make = [&] {
          auto composed = std::make_shared<Composed>(bench, settings, side, sampled);
          State* component = query<State>(composed->algorithm());
          if (!component) throw Skipped{"offers no state: its runs cannot be resumed"};
          composed->start();
          return Machine{[composed](Index t) { return answer_of(*composed, t); },
                         [composed] { return shown_by(composed->algorithm()); },
                         [composed](StateVisitor& v) { composed->state(v); }, component,
                         references_of(composed->f())};
        };
        check_round_trips(bench, make, 11, 9, {24, 37});  // epochs of the kit's estimator are of 5 steps
      }
  }
}

}  // namespace

Tests state_tests() {
  const std::string definition =
      "Saved before every step of several epochs and loaded (into a fresh component, and into one that did "
      "other work), it "
      "gives further answers of the same bits as the one that was not interrupted; "
      "save, load, save gives the same bytes; saving changes nothing.";
  return {{{"state", {Kind::set, Kind::penalty}, definition}, oracle_state},
          {{"state", {Kind::estimator}, definition}, estimator_state},
          {{"state", {Kind::algorithm}, definition}, algorithm_state}};
}

}  // namespace claros::doctor

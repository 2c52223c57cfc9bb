// SPDX-License-Identifier: BSD-3-Clause
// State: a component that was loaded goes on as the one that was saved, bit for bit.
#include <claros/linear_oracle.hpp>
#include <claros/proximal_oracle.hpp>

#include <functional>

#include "composed.hpp"

namespace claros::doctor {

namespace {

const std::string kMissing =
    "a member that the next step depends on is not saved, or not loaded, or load leaves something of start "
    "behind";

/// One component at work: `step(t)` is its t-th answer.
struct Machine {
  std::function<Numbers(Index)> step;
  std::function<std::string()> save;
  std::function<void(const std::string&)> load;
};

/// What is loaded from `bytes`, saved after `cut` steps, must answer the next `ahead` steps as expected.
void check_loaded(const Bench& bench, Machine& machine, const std::string& bytes, Index cut, Index ahead,
                  const std::vector<Numbers>& expected) {
  try {
    machine.load(bytes);
    bench.require(machine.save() == bytes, said("after ", cut, " steps: save, load, save gives other bytes"),
                  kMissing);
    for (Index t = cut; t < cut + ahead; ++t) {
      const Numbers answer = machine.step(t), &want = expected[static_cast<std::size_t>(t)];
      bench.require(same_bits(answer, want),
                    said("saved after ", cut, " steps and loaded, step ", t, " gives ", numbers_text(answer),
                         " instead of ", numbers_text(want)),
                    kMissing);
    }
  } catch (const Error& error) {
    bench.fail(said("saved after ", cut, " steps and loaded, it throws: ", error.what()), kMissing);
  }
}

/// Saves before every step; what is loaded must answer the next `ahead` steps alike.
void check_round_trips(const Bench& bench, const std::function<Machine()>& make, Index steps, Index ahead) {
  Machine plain = make();
  std::vector<Numbers> expected;
  for (Index t = 0; t < steps + ahead; ++t) expected.push_back(plain.step(t));
  Machine saved = make();
  for (Index cut = 0; cut < steps; ++cut) {
    const std::string bytes = saved.save();
    Machine loaded = make();
    // What it did before is to be forgotten.
    for (Index t = 0; t < 2; ++t) (void)loaded.step(t + 3);
    Machine fresh = make();
    for (Machine* machine : {&fresh, &loaded}) check_loaded(bench, *machine, bytes, cut, ahead, expected);
    const Numbers answer = saved.step(cut);
    bench.require(same_bits(answer, expected[static_cast<std::size_t>(cut)]),
                  said("step ", cut, " gives other numbers after the state was saved"),
                  "save must change nothing");
  }
}

/// A set or penalty asked at a fixed sequence of points.
Machine oracle_machine(Bench& bench, const Settings& settings, const Shape& shape) {
  const std::shared_ptr<Component> component = bench.make(settings, bench.context());
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
      Element x;
      oracle->apply(direction, 0.2, x, {});
      const Numbers v = x.to_dense();
      all.insert(all.end(), v.begin(), v.end());
    }
    return all;
  };
  const auto save = [state] {
    const References none;
    StateWriter out(none);
    state->save(out);
    return out.bytes();
  };
  const auto load = [state](const std::string& bytes) {
    const References none;
    StateReader in(bytes, none, "state");
    state->load(in);
  };
  return {step, save, load};
}

void oracle_state(Bench& bench) {
  bool any = false;
  for (const Settings& settings : bench.variants(3))
    for (const Shape& shape : bench.shapes()) {
      bench.at(settings_text(settings) + ", shape " + shape.text());
      if (answered(bench, [&] { (void)oracle_machine(bench, settings, shape).step(0); }) == Answer::refused)
        continue;
      any = true;
      check_round_trips(
          bench, [&] { return oracle_machine(bench, settings, shape); }, 4, 3);
    }
  if (!any) throw Skipped{"no settings and shape of the kit are taken; give --set or --shape"};
}

void estimator_state(Bench& bench) {
  const Settings settings = estimator_settings(bench);
  for (const int form : {0, 1}) {
    bench.at(settings_text(settings) + (form ? ", a sum over entries of a matrix" : ", a sum over rows"));
    const auto make = [&] {
      auto driven = std::make_shared<Driven>(bench, settings, form, 1);
      if (!query<State>(driven->estimator()))
        throw Skipped{"offers no state: runs with it cannot be resumed"};
      return Machine{
          [driven](Index t) { return driven->next(driven->point(static_cast<std::uint64_t>(t))).to_dense(); },
          [driven] { return driven->save(); }, [driven](const std::string& bytes) { driven->load(bytes); }};
    };
    check_round_trips(bench, make, 9, 6);
  }
}

void algorithm_state(Bench& bench) {
  for (const Settings& settings : bench.variants(6)) {
    if (answered(bench, [&] { (void)bench.make(settings, bench.context()); }) == Answer::refused) continue;
    for (const bool sampled : {false, true})
      for (const Side side : {Side::none, Side::penalty, Side::set}) {
        bench.at(settings_text(settings) + ", " + side_text(side) +
                 (sampled ? ", batches" : ", full gradients"));
        if (!Composed(bench, settings, side, sampled).refusal().empty()) continue;
        const auto make = [&] {
          auto composed = std::make_shared<Composed>(bench, settings, side, sampled);
          if (!query<State>(composed->algorithm()))
            throw Skipped{"offers no state: its runs cannot be resumed"};
          composed->start();
          const auto step = [composed](Index) {
            composed->algorithm().step();
            Numbers all = composed->algorithm().iterate().to_dense();
            const Numbers answer = composed->algorithm().answer().to_dense();
            all.insert(all.end(), answer.begin(), answer.end());
            const StepReport report = composed->algorithm().report();
            all.insert(all.end(), {report.weight, report.gap, report.full_gradient ? 1.0 : 0.0});
            return all;
          };
          return Machine{step, [composed] { return composed->save(); },
                         [composed](const std::string& bytes) { composed->load(bytes); }};
        };
        check_round_trips(bench, make, 7, 9);
      }
  }
  (void)sides(bench, bench.settings());
}

}  // namespace

Tests state_tests() {
  const std::string definition =
      "After save and load (into a fresh component, and into one that did other work) every further answer "
      "has the same bits; "
      "save, load, save gives the same bytes; saving changes nothing.";
  return {{{"state", {Kind::set, Kind::penalty}, definition}, oracle_state},
          {{"state", {Kind::estimator}, definition}, estimator_state},
          {{"state", {Kind::algorithm}, definition}, algorithm_state}};
}

}  // namespace claros::doctor

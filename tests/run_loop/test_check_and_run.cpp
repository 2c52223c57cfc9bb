// SPDX-License-Identifier: BSD-3-Clause
// `check` says yes if and only if the first steps of `run` happen, and no in the words of run: every
// algorithm with every estimator, on every constraint of the catalogue, with words that only the data can
// refuse. Here a sample of them, drawn from a seed (CLAROS_PAIRS_SEED); CLAROS_EVERY_PAIR=K/N (tests/run
// --pairs, a process a K) takes each of them with number k = K mod N.
#include "compose_for_test.hpp"
#include "scripted.hpp"

#include <claros/run/dry_start.hpp>
#include <claros/sampler.hpp>

#include <cstdlib>
#include <string>

using namespace claros;
using namespace claros::test;

namespace {

constexpr Index kFirstSteps = 3;

/// Rows of a linear model and ratings, in files.
struct Files {
  TestFolder folder;
  SmallProblem ratings{11, 6, 5, 2, 20};

  Files() {
    RandomStream random(5, Purpose::test);
    std::string real, counts;
    for (int i = 0; i < 12; ++i) {
      std::string row;
      for (int j = 0; j < 4; ++j) row += print_real(random.normal()) + ',';
      real += row + print_real(random.normal()) + '\n';
      counts += row + std::to_string(i % 3) + '\n';
    }
    folder.put("real.csv", real);
    folder.put("counts.csv", counts);
  }

  Words model(const std::string& loss, const std::string& file) const {
    return {"objective.use=linear-model", "objective.loss=" + loss,
            "objective.data=" + (folder / file).string()};
  }
  std::vector<Words> objectives() const {
    return {model("squared", "real.csv"),
            model("squared", "real.csv") + Words{"objective.intercept=yes"},
            model("squared", "real.csv") + Words{"objective.errors_in_variables=0.3"},
            model("poisson", "counts.csv"),
            model("multinomial", "counts.csv"),
            ratings.objective(),
            ratings.objective() + Words{"objective.loss=robust"}};
  }
};

/// Of sets of variables of one size: those of the rows of `Files`, which have 4 numbers.
const std::map<std::string, std::string> kOfFour{{"graph", "1 2; 1 3; 2 3; 3 4"},
                                                 {"vertices", "0 0 0 0; 1 0 0 0; 0 1 0 2"},
                                                 {"program", "1 1 1 1 <= 2; 1 0 0 1 >= 0.5"}};

/// The words that choose a component, with a value for all that has no default.
Words chosen(Kind kind, const std::string& name) {
  const std::string section = kind_name(kind);
  Words words{section + ".use=" + name};
  if (kind == Kind::set && name == "product")
    return words + Words{"set.blocks.1.use=simplex", "set.blocks.1.radius=1", "set.blocks.2.use=box"};
  if (kind == Kind::set && name == "intersection")
    return words + Words{"set.sets.1.use=l2-ball", "set.sets.1.radius=1", "set.sets.2.use=box"};
  if (kind == Kind::penalty && name == "sum")
    return words + Words{"penalty.terms.1.use=l1", "penalty.terms.1.lambda=0.01", "penalty.terms.2.use=tv",
                         "penalty.terms.2.lambda=0.01"};
  if (kind == Kind::set && name == "cached")
    return words + Words{"set.inner.use=l1-ball", "set.inner.radius=1"};
  if (kind == Kind::set && name == "moved")
    return words + Words{"set.factor=2", "set.inner.use=l1-ball", "set.inner.radius=1"};
  for (const ParameterInfo& info : build_catalog().at(kind, name).parameters().rows()) {
    const auto of_four = kOfFour.find(info.name);
    const std::string value = of_four != kOfFour.end() && info.range.required ? of_four->second
                              : info.name == "groups"                         ? "2"
                              : info.name == "lambda"                         ? "0.01"
                              : info.range.required                           ? example_value(info)
                                                                              : "";
    if (!value.empty()) words.push_back(section + '.' + info.name + '=' + value);
  }
  return words;
}

/// No constraint, each penalty, each set, and two of both; each smoother alone, with a penalty and with sets.
std::vector<Words> constraints() {
  std::vector<Words> all{{}};
  for (const Kind kind : {Kind::penalty, Kind::set})
    for (const std::string& name : build_catalog().names(kind)) all.push_back(chosen(kind, name));
  all.push_back(chosen(Kind::penalty, "l1") + chosen(Kind::set, "l2-ball"));
  all.push_back(chosen(Kind::penalty, "nuclear") + chosen(Kind::set, "nuclear-ball"));
  for (const std::string& name : build_catalog().names(Kind::smoother))
    for (const Words& other : {Words{}, chosen(Kind::penalty, "l1"), chosen(Kind::set, "l2-ball"),
                               chosen(Kind::set, "nuclear-ball")})
      all.push_back(chosen(Kind::smoother, name) + other);
  return all;
}

/// Settings of algorithms, estimators and Claros that may be refused, each alone or in the company in
/// which it may.
const std::vector<Words> kVariants{
    {},
    {"estimator.batch=theory"},
    {"estimator.epoch=theory"},
    {"estimator.batch=theory", "estimator.epoch=theory", "estimator.accuracy=0.1", "estimator.diameter=1"},
    {"estimator.sampling=importance"},
    {"estimator.sampling=importance", "estimator.replacement=no"},
    {"estimator.batch=1000", "estimator.replacement=no"},
    {"estimator.batch=3", "estimator.snapshot=5"},
    {"estimator.snapshot=1000", "estimator.replacement=no"},
    {"estimator.batch=2.5"},
    {"algorithm.accelerate=yes"},
    {"algorithm.step=theory"},
    {"algorithm.step=1/L"},
    {"algorithm.step=1e6"},
    {"algorithm.decay=sqrt"},
    {"algorithm.rank=2"},
    {"algorithm.gamma=3"},
    {"algorithm.step=short"},
    {"algorithm.step=line-search"},
    {"algorithm.step=normalized"},
    {"algorithm.output=average"},
    {"run.trials=2"},
    {"trace.on=no"},
    {"trace.estimator_error=yes"},
    {"stop.gap=1e-9"},
    {"stop.relative_gap=1e-9"},
    {"stop.residual=1e-9"},
};

/// Whether the components of a composition have the parameters at all: what they lack is refused with the
/// specification.
bool has_parameters(const Words& variant, const std::string& algorithm, const std::string& estimator) {
  return std::ranges::all_of(variant, [&](const std::string& word) {
    const std::string section = word.substr(0, word.find('.')),
                      key = word.substr(section.size() + 1, word.find('=') - section.size() - 1);
    if (section == "algorithm")
      return build_catalog().at(Kind::algorithm, algorithm).parameters().find(key) != nullptr;
    return section != "estimator" ||
           build_catalog().at(Kind::estimator, estimator).parameters().find(key) != nullptr;
  });
}

std::vector<Words> every_composition(const Files& files) {
  std::vector<Words> all;
  for (const Words& objective : files.objectives())
    for (const std::string& algorithm : build_catalog().names(Kind::algorithm))
      for (const std::string& estimator : build_catalog().names(Kind::estimator))
        for (const Words& constraint : constraints())
          for (const Words& variant : kVariants)
            if (has_parameters(variant, algorithm, estimator))
              all.push_back(objective + chosen(Kind::algorithm, algorithm) +
                            chosen(Kind::estimator, estimator) + constraint +
                            Words{"stop.iterations=" + std::to_string(kFirstSteps)} + variant);
  return all;
}

/// What `claros check` does; empty when it says yes.
std::string told_by_check(const Composition& c) {
  try {
    dry_start(c, run_settings(c));
    return {};
  } catch (const Error& error) {
    return error.what();
  }
}

/// What `claros run` does: empty when the steps were made, a target was met before, or numbers failed on the
/// way.
std::string told_by_run(const Composition& c) {
  const std::string none = "after 0 steps: ";
  try {
    const RunResult result = run_composition(c);
    if (result.iterations == kFirstSteps || is_target(result.status) ||
        (!result.failure.empty() && result.failure_kind == ErrorKind::numerical))
      return {};
    return result.failure.starts_with(none) ? result.failure.substr(none.size())
                                            : text(result.status) + ": " + result.failure;
  } catch (const Error& error) {
    return error.what();
  }
}

/// The same number of compositions however many the catalogue makes of them, so that this test does not grow
/// with its square; or those of one process of several.
std::vector<std::size_t> chosen_of(std::size_t count) {
  constexpr int kSample = 12000;
  std::vector<std::size_t> chosen;
  if (const char* share = std::getenv("CLAROS_EVERY_PAIR")) {
    const std::string text = share;
    const std::size_t slash = text.find('/'), first = std::stoul(text),
                      step = slash == text.npos ? 1 : std::stoul(text.substr(slash + 1));
    for (std::size_t k = first % step; k < count; k += step) chosen.push_back(k);
    return chosen;
  }
  const char* seed = std::getenv("CLAROS_PAIRS_SEED");
  RandomStream random(seed ? std::stoul(seed) : 1, Purpose::test);
  for (int k = 0; k < kSample; ++k)
    chosen.push_back(static_cast<std::size_t>(random.index(static_cast<Index>(count))));
  return chosen;
}

}  // namespace

TEST_CASE("check and run: they agree on every composition of the catalogue") {
  const Files files;
  const std::vector<Words> all = every_composition(files);
  int yes = 0, no = 0, before = 0;
  for (const std::size_t k : chosen_of(all.size())) {
    const auto composed = [&]() -> std::optional<Composition> {
      try {
        return compose(build_catalog(), spec_of(all[k]));
      } catch (const Error&) {
        return std::nullopt;  // by the same call in both, with the same words
      }
    };
    const auto checked = composed(), run = composed();
    REQUIRE(checked.has_value() == run.has_value());
    if (!checked) {
      ++before;
      continue;
    }
    const std::string check_says = told_by_check(*checked), run_says = told_by_run(*run);
    CHECK_MESSAGE(check_says == run_says, joined(all[k], " "), "\n  check: ", check_says,
                  "\n  run: ", run_says);
    ++(check_says.empty() ? yes : no);
  }
  MESSAGE(all.size(), " compositions; of those looked at ", yes, " can be run, ", before,
          " are refused as they stand, ", no, " by their start");
  CHECK(yes > 50);
  CHECK(before > 50);
  CHECK(no > 20);
}

TEST_CASE("check and run: after a dry start a run is what it would have been") {
  const Files files;
  for (const std::string& name : build_catalog().names(Kind::estimator)) {
    CAPTURE(name);
    const Words words =
        files.ratings.words(2.0, small_batches(name) + Words{"stop.iterations=12", "algorithm.step=short"});
    const Composition c = compose(build_catalog(), spec_of(words));
    RunSettings settings = run_settings(c);
    bool asked = false;
    settings.on_row = [&](const TraceRow&) { return asked = true; };
    settings.on_step = [&](const Step&) { return asked = true; };
    settings.on_progress = [&](const Progress&) { asked = true; };
    settings.on_checkpoint = [&](const StateStream&, bool) { asked = true; };
    dry_start(c, settings);
    dry_start(c, settings);
    CHECK_FALSE(asked);
    const RunResult after = run_composition(c), fresh = solve(words);
    CHECK(same_bits(after.answer, fresh.answer));
    CHECK(after.counts.sfo == fresh.counts.sfo);
    CHECK(after.counts.lo == fresh.counts.lo);
    CHECK(after.trace.size() == fresh.trace.size());
  }
}

TEST_CASE("check and run: what the composition alone shows is reported at once") {
  const Files files;
  const auto said = [&](const Words& words) {
    try {
      (void)compose(fixture_catalog(), spec_of(words));
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const Words model = files.model(
      "squared", "absent.csv");  // and before the data are read, where the specification is unsound
  const std::string text = said(model + Words{"algorithm.use=proximal-gradient", "algorithm.accelerate=yes",
                                              "estimator.use=svrg", "set.use=frobenius-ball", "stop.gap=-1"});
  check_mentions(text, {"stop.gap", "every step projects onto it", "set/frobenius-ball has none",
                        "these have it: ", "needs an estimator that is exact", "estimator/svrg is not",
                        "these have it: full"});
  CHECK(text.find("absent.csv") == std::string::npos);
  check_mentions(said(model + Words{"algorithm.use=dual-averaging", "estimator.use=momentum",
                                    "stop.iterations=3", "stop.gap=-1"}),
                 {"needs an estimator that is unbiased", "estimator/momentum is not", "casvrg, full, ",
                  "saga, sg, svrg", "stop.gap"});
  check_mentions(said(model + Words{"algorithm.use=proximal-gradient", "estimator.use=sg",
                                    "estimator.sampling=importance", "estimator.replacement=no"}),
                 {"estimator.sampling: importance needs i.i.d. draws"});
}

TEST_CASE("check and run: an algorithm within another refuses what it would alone") {
  const Files files;
  const Words words =
      files.ratings.objective() + Words{"algorithm.use=nest", "algorithm.inner.use=proximal-gradient",
                                        "set.use=frobenius-ball", "stop.iterations=3"};
  CHECK_THROWS_AS((void)compose(fixture_catalog(), spec_of(words)), Error);
  // An owner that says nothing of what its inner one needs: that one speaks for itself when it starts.
  class Silent final : public Algorithm {
   public:
    explicit Silent(std::shared_ptr<Algorithm> inner) : inner_(std::move(inner)) {}
    std::vector<Need> needs() const override { return {}; }
    Takes takes() const override { return {.penalty = true, .set = true, .both = true}; }
    void start(const Problem& problem, Element x0) override { inner_->start(problem, std::move(x0)); }
    void step() override { inner_->step(); }
    const Element& iterate() const override { return inner_->iterate(); }

   private:
    std::shared_ptr<Algorithm> inner_;
  };
  const Composition sound = compose(
      fixture_catalog(), spec_of(files.ratings.words(1.0, {"set.use=frobenius-ball", "stop.iterations=3"})));
  const Composition other = compose(
      build_catalog(),
      spec_of(files.ratings.objective() + Words{"algorithm.use=proximal-gradient", "stop.iterations=3"}));
  Silent silent(other.algorithm);
  const auto refusal = complaint(
      [&] { dry_start(sound.problem(), silent, sound.start_point(), run_settings(sound), sound.names); },
      ErrorKind::usage);
  check_mentions(refusal, {"algorithm/proximal-gradient needs a set with a proximal oracle", "set has none"});
}

TEST_CASE(
    "check and run: an expectation without a size of its snapshots is refused before the first of them") {
  Itself f(kUnbounded);
  Scripted steps([](Index) { return 1.0; });
  Problem problem;
  problem.objective = &f;
  RunSettings settings;
  settings.stop.iterations = 1;
  for (const std::string name : {"svrg", "spider"}) {
    const auto component = create_component(build_catalog(), Kind::estimator, name, {}, Context{});
    problem.estimator = static_cast<GradientEstimator*>(component.get());
    const auto said = [&](auto call) {
      return complaint(
          [&] {
            Element x0(f.shape());
            ComponentNames names;
            call(*WatchedProblem(problem), steps, x0, settings, names);
          },
          ErrorKind::usage);
    };
    const std::string check = said([](auto&... a) { dry_start(a...); });
    check_mentions(check, {"estimator.snapshot"});
    CHECK(check == said([](auto&... a) { (void)run(a...); }));
  }
}

TEST_CASE("check and run: components without watchers are refused") {
  Itself f;
  Plain gradient;
  Scripted steps([](Index) { return 1.0; });
  Problem problem;
  problem.objective = &f;
  problem.estimator = &gradient;
  RunSettings settings;
  settings.stop.iterations = 1;
  check_mentions(
      complaint([&] { (void)run(problem, steps, Element(f.shape()), settings); }, ErrorKind::usage),
      {"problem", "not behind watchers", "composition"});
}

TEST_CASE("check and run: what cannot be saved is known before the run") {
  Itself f;
  Plain gradient;
  Scripted steps([](Index) { return 1.0; });
  Problem problem;
  problem.objective = &f;
  problem.estimator = &gradient;
  const WatchedProblem watched(problem);
  const std::vector<Complaint> complaints = unsavable_parts(*watched, steps);
  REQUIRE(complaints.size() == 2);
  for (const Complaint& c : complaints) CHECK(c.what.find("cannot save its state") != std::string::npos);
  RunSettings settings;
  settings.stop.iterations = 1;
  dry_start(*watched, steps, Element(f.shape()), settings);
  settings.on_checkpoint = [](const StateStream&, bool) {};
  check_mentions(
      complaint([&] { dry_start(*watched, steps, Element(f.shape()), settings); }, ErrorKind::usage),
      {"cannot save its state"});
}

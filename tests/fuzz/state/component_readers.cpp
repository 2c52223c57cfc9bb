// SPDX-License-Identifier: BSD-3-Clause
// Runs of every algorithm with every estimator, and with sets and penalties that have a state, resumed from
// states that are not theirs. An input is the number of a run and what its members become: the same bytes,
// the same changes.
#include "archive.hpp"
#include "member_edits.hpp"
#include "state_readers.hpp"

#include <claros/compose/composition.hpp>
#include <claros/compose/memory_data.hpp>
#include <claros/error.hpp>

#include <algorithm>
#include <iostream>
#include <random>
#include <set>

namespace claros::fuzz {

namespace {

using Json = nlohmann::json;
using Words = std::vector<std::string>;

constexpr Index kSaved = 6, kMore = 4;  // epochs have four steps: one begins after the state, too

const Catalog& catalog() {
  static const Catalog all = [] {
    Catalog c;
    c.scan({{CLAROS_TEST_PLUGIN_DIR, "installation", true}});
    for (const PluginEntry& entry : c.entries())
      if (!entry.usable())
        std::cerr << entry.problem.sentence() << '\n', expect(false, "a plugin of this build");
    expect(!c.names(Kind::algorithm).empty(), "plugins");
    return c;
  }();
  return all;
}

Words operator+(Words first, const Words& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

/// A composition, and its state after kSaved steps.
struct Case {
  Words words;
  Composition composition;
  Archive archive;
  Json names = {};  ///< of the archive
};

RunResult resumed(const Case& c, std::string_view state,
                  const std::function<void(const StateStream&, bool)>& on_checkpoint) {
  const Composition fresh = c.composition.trial(0);  // components as they are made, on the same objective
  RunSettings settings = run_settings(fresh);
  settings.resume = state;
  settings.on_checkpoint = on_checkpoint;
  settings.checkpoint_every = kSaved;
  return run(fresh.problem(), *fresh.algorithm, fresh.start_point(), settings, fresh.names);
}

/// The parts of a composition by kind, and what stands beside them; nothing where they do not fit together.
void add(std::vector<Case>& cases, bool ratings, const Words& words) {
  static const std::shared_ptr<const Dataset> entries = [] {
    std::vector<std::int32_t> row, col;
    std::vector<double> value;
    for (std::int32_t k = 0; k < 63; k += 2)
      row.push_back(k / 7), col.push_back(k % 7), value.push_back(0.1 * ((k * 37) % 63) - 3.0);
    return data_from_triplets(row, col, value, 9, 7);
  }();
  static const std::shared_ptr<const Dataset> rows = [] {
    std::vector<double> x, y;
    for (int k = 0; k < 60; ++k) x.push_back(0.1 * ((k * 37) % 61) - 3.0);
    for (int k = 0; k < 12; ++k) y.push_back((k * 7) % 12 - 6.0);
    return data_from_rows(x, 12, 5, y);
  }();
  HostParts parts;
  parts.data = ratings ? entries : rows;
  Spec spec;
  spec.assign(words + Words{"stop.iterations=" + std::to_string(kSaved + kMore), "stop.relative_gap=1e-12",
                            "trace.every=3"});
  try {
    Case c{words, compose(catalog(), spec, parts, [](Severity, const std::string&) {}), {}};
    std::string state;
    (void)resumed(c, {}, [&](const StateStream& stream, bool ended) {
      if (!ended && state.empty()) state = collected(stream);
    });
    if (state.empty()) return;
    c.archive = unsealed(state);
    c.names = Json::from_cbor(c.archive.names);
    cases.push_back(std::move(c));
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::usage) throw;
  }
}

/// Small batches and epochs, where the estimator has such numbers.
Words estimator(const std::string& name) {
  Words words{"estimator.use=" + name};
  const ParameterList& parameters = catalog().at(Kind::estimator, name).parameters();
  for (const auto& [key, value] : {std::pair("batch", "3"), std::pair("epoch", "4")})
    if (parameters.find(key)) words.push_back("estimator." + std::string(key) + '=' + value);
  return words;
}

void add_beside(std::vector<Case>& cases, bool ratings, const Words& side) {
  // Options that choose what is remembered.
  static const std::vector<Words> algorithm_options{
      {"algorithm.step=adaptive"},    {"algorithm.step=short"},
      {"algorithm.step=line-search"}, {"algorithm.step=theory", "estimator.accuracy=0.001"},
      {"algorithm.output=uniform"},   {"algorithm.output=best-gap"},
      {"algorithm.output=average"},   {"algorithm.recompress=2"},
      {"algorithm.snapshot=average"}, {"algorithm.snapshot=random"},
      {"algorithm.accelerate=no"},    {"algorithm.step=0.1"}};
  static const std::vector<Words> estimator_options{{"estimator.snapshot=5"},
                                                    {"estimator.sampling=importance"},
                                                    {"estimator.replacement=no"},
                                                    {"estimator.growth=1"},
                                                    {"estimator.batch=auto"}};
  for (const std::string& algorithm : catalog().names(Kind::algorithm)) {
    const Words base = side + Words{"algorithm.use=" + algorithm};
    for (const std::string& name : catalog().names(Kind::estimator)) {
      add(cases, ratings, base + estimator(name));
      for (const Words& options : estimator_options) add(cases, ratings, base + estimator(name) + options);
    }
    for (const std::string name : {"full", "svrg", "saga"})
      for (const Words& options : algorithm_options) add(cases, ratings, base + estimator(name) + options);
  }
}

const std::vector<Case>& cases() {
  static const std::vector<Case> all = [] {
    std::vector<Case> made;
    const Words matrix{"objective.use=matrix-completion"}, linear{"objective.use=linear-model"};
    add_beside(made, true, matrix + Words{"set.use=nuclear-ball", "set.radius=4"});
    add_beside(made, true, matrix + Words{"penalty.use=nuclear", "penalty.lambda=0.1"});
    add_beside(made, false, linear + Words{"set.use=l1-ball", "set.radius=2"});
    add_beside(made, false, linear + Words{"penalty.use=l1", "penalty.lambda=0.1"});
    // Nothing that has a state is left out: a new component of the catalogue belongs to a line above.
    std::set<std::string> met;
    for (const Case& c : made)
      for (const Node* part : c.composition.all_parts()) met.insert(part->label());
    for (const Kind kind : {Kind::algorithm, Kind::estimator})
      for (const std::string& name : catalog().names(kind))
        if (!met.contains(std::string(kind_name(kind)) + '/' + name))
          std::cerr << name << '\n', expect(false, "a component is in no run");
    for (const Case& c : made) {
      const RunResult result = resumed(c, sealed(c.archive), [](const StateStream&, bool) {});
      if (!result.failure.empty()) std::cerr << result.failure << '\n';
      expect(result.failure.empty() && result.iterations == kSaved + kMore, "a state of its own is refused");
    }
    std::cerr << "components: " << made.size() << " runs\n";
    return made;
  }();
  return all;
}

constexpr std::size_t kInput = 18;  // the number of a run in two bytes, and sixteen

std::vector<std::string> seeds() {
  std::vector<std::string> all;
  for (std::size_t k = 0; k < cases().size(); ++k) {
    std::string& seed = all.emplace_back(kInput, '\0');
    seed[0] = static_cast<char>(k), seed[1] = static_cast<char>(k >> 8U);
  }
  return all;
}

void read(const std::filesystem::path& file) {
  std::string bytes = bytes_of(file);
  bytes.resize(std::max(bytes.size(), kInput));
  const std::size_t number = static_cast<unsigned char>(bytes[0]) |
                             static_cast<std::size_t>(static_cast<unsigned char>(bytes[1])) << 8U;
  const Case& c = cases()[number % cases().size()];
  Archive archive = c.archive;
  if (std::any_of(bytes.begin() + 2, bytes.end(), [](char byte) { return byte != '\0'; })) {
    std::seed_seq seed(bytes.begin(), bytes.end());
    MemberEdits::Engine engine(seed);
    Json names = c.names;
    MemberEdits edits(names, archive.arrays, engine);
    for (std::size_t k = 1 + engine() % 3; k > 0; --k) edits.one();
    const auto text = Json::to_cbor(names);
    archive.names.assign(text.begin(), text.end());
  }
  const std::string state = sealed(archive);
  const RunResult result =
      resumed(c, state, [](const StateStream& stream, bool) { (void)collected(stream); });
  const std::string& failure = result.failure;
  const auto mentions = [&](const char* text) { return failure.find(text) != std::string::npos; };
  // Exceptions of a component that are not an Error, and allocations that fail, end in such words.
  if (mentions("threw") || mentions("more memory than")) {
    for (const std::string& word : c.words) std::cerr << word << ' ';
    std::cerr << '\n' << failure << '\n';
    expect(false, "not refused");
  }
  if (result.failure_kind == ErrorKind::data && !failure.empty()) {
    if (!mentions("state")) std::cerr << failure << '\n', expect(false, "a refusal that names no member");
    throw Error(ErrorKind::data, "checkpoint", failure);
  }
}

}  // namespace

std::vector<Reader> component_readers() { return {{"components", read, seeds}}; }

}  // namespace claros::fuzz

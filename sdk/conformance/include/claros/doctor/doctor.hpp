// SPDX-License-Identifier: BSD-3-Clause
/// @file doctor.hpp  The conformance kit: named tests that a component is what its interface says.
///
/// `claros doctor` runs them on a library; a plugin's own tests may run them on the plugin that they link:
///
///     Catalog catalog;
///     const PluginEntry& entry = catalog.add(claros_plugin);
///     const auto results = doctor::examine({entry}, {});
///     const doctor::Conclusion conclusion = doctor::conclude(entry.kind, results);
///     CHECK_MESSAGE(conclusion.verdict == doctor::Verdict::passed, conclusion.text());
#pragma once

#include <claros/element/shape.hpp>
#include <claros/plugin/catalog.hpp>
#include <claros/settings.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace claros::doctor {

/// The subject of an examination: a plugin, the settings it is made with, and the seed of everything random.
struct Subject {
  PluginEntry entry;
  std::vector<Setting> settings = {};  ///< kept in every test
  std::vector<Shape> shapes =
      {};  ///< of the variables that sets and penalties are tried on; empty: the kit's own
  std::uint64_t seed = 0;
  bool vary = true;   ///< other parameters are varied within their ranges
  double race = 0.8;  ///< seconds of each of two processors in which `instances` waits for a data race
  /// The catalogue where the parts that the plugin holds are found, by default or by name ("loss = huber").
  /// It outlives the examination.
  const Catalog* catalog = nullptr;
  /// Sets and penalties of `catalog` that an algorithm is given beside f; the algorithm has to take each of
  /// them. An algorithm that does not take the kit's own is given those of Claros that it takes.
  std::vector<const PluginEntry*> with = {};
};

struct Options {
  std::vector<std::string> only = {};  ///< names of tests; empty: all of the kind
  double limit = 60.0;                 ///< seconds a test may take
  bool isolate = true;                 ///< each test in a child process, which may crash or hang
};

enum class Outcome { passed, failed, skipped };

struct Result {
  std::string test;
  std::string definition;
  Outcome outcome = Outcome::passed;
  /// For a failed test, what was seen; for a skipped one, why it was skipped. For a test that passed, what
  /// was left out for lack of time, as a rule nothing.
  std::string observed;
  std::string where;    ///< shape, settings, point
  std::string mistake;  ///< the likely one
  double seconds = 0.0;

  bool failed() const noexcept { return outcome == Outcome::failed; }
  /// All of it in one paragraph.
  std::string text() const;
};

/// A test as `claros doctor --list` shows it.
struct TestInfo {
  std::string name;
  std::vector<Kind> kinds;
  std::string definition;
};

/// Every test, in the order in which they run.
const std::vector<TestInfo>& tests();

/// Runs the tests of the subject's kind. The callback `told` gets each result at once and may be empty.
/// Throws Error(usage) for a name in `only` that is not a test of this kind.
std::vector<Result> examine(const Subject& subject, const Options& options,
                            const std::function<void(const Result&)>& told = {});

/// The verdict of an examination:
/// `passed`: every test that applies was passed, among them the core tests of the kind, which test what the
/// interface is about.
/// `incomplete`: no test failed, but a core test could not run.
/// `failed`: a test failed.
enum class Verdict { passed, incomplete, failed };
/// "passed", "incomplete", "failed".
std::string verdict_name(Verdict verdict);

/// Something that a subject must be seen to do and was not.
struct Untested {
  std::string what;                ///< "what the oracle or the projection returns lies in the set"
  std::vector<std::string> tests;  ///< one of them would have been enough
  std::string reason;              ///< why they were skipped
  std::string remedy;              ///< how to give the kit what it lacks
};

struct Conclusion {
  Verdict verdict = Verdict::passed;
  std::vector<Untested> untested = {};
  /// The verdict, and the missing tests with their remedy.
  std::string text() const;
};

/// The verdict on the results of `examine` for a subject of that kind. With `only`, the core tests are those
/// named, and each must have run.
Conclusion conclude(Kind kind, const std::vector<Result>& results, const Options& options = {});

}  // namespace claros::doctor

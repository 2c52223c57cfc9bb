// SPDX-License-Identifier: BSD-3-Clause
// Which tests a subject must have passed for the verdict `passed`.
#include <algorithm>
#include <optional>

#include "bench.hpp"

namespace claros::doctor {

namespace {

/// Something that a kind's interface is about, and the tests of it, one of which has to pass.
struct Core {
  Kind kind;
  std::string what;
  std::vector<std::string> tests;
};

const std::vector<Core>& cores() {
  static const std::vector<Core> all = [] {
    std::vector<Core> rows{
        {Kind::loss, "the derivative", {"loss-derivative"}},
        {Kind::loss, "the second derivative", {"loss-second-derivative"}},
        {Kind::loss, "the constants", {"loss-constants"}},
        {Kind::loss, "what predictions say", {"loss-mean"}},
        {Kind::loss, "arrays of targets", {"loss-arrays"}},
        {Kind::set, "that its vertices or projections are optimal", {"oracle-optimal", "projection-optimal"}},
        {Kind::set, "that they lie in the set", {"oracle-member", "projection-member"}},
        {Kind::penalty, "that its proximal step is minimal", {"prox-minimal"}},
        {Kind::penalty, "that the step length enters once", {"prox-step"}},
        {Kind::estimator, "the estimates at points that move", {"exact", "tracks"}},
        {Kind::estimator, "their mean at a point that stays", {"settles"}},
        {Kind::estimator, "the size of its batches", {"exact", "batch"}},
        {Kind::estimator, "that its batches reach every component", {"exact", "coverage"}},
        {Kind::estimator, "its state", {"state"}},
        {Kind::algorithm, "that it converges", {"converges"}},
        {Kind::algorithm, "its answers", {"answer"}},
        {Kind::algorithm, "its state", {"state"}},
        {Kind::data, "that the data are sound", {"data"}},
        {Kind::data, "that they depend on the seed alone", {"determinism"}}};
    for (const Kind kind : kObjectives)
      for (const auto& [what, test] :
           {std::pair("the gradient", "gradient"), std::pair("gradients of batches", "gradient-batch"),
            std::pair("differences of gradients", "gradient-difference"),
            std::pair("that calls add", "accumulation")})
        rows.push_back({kind, what, {test}});
    return rows;
  }();
  return all;
}

std::string remedy_for(Kind kind) {
  switch (kind) {
    case Kind::objective:
      return "give it its data by --set data=FILE, or another parameter by --set KEY=VALUE";
    case Kind::smoother:
    case Kind::set:
    case Kind::penalty:
      return "give variables of a shape that it takes by --shape MxN, or a parameter by --set KEY=VALUE";
    case Kind::algorithm:
      return "name a set or a penalty that it works on by --with set/NAME, or a parameter by --set KEY=VALUE";
    default:
      return "give a parameter by --set KEY=VALUE";
  }
}

/// Says that none of the tests was passed, with the reasons; empty if one was, or if none was run.
std::optional<Untested> untested(Kind kind, const std::vector<Result>& results, const std::string& what,
                                 const std::vector<std::string>& tests) {
  Untested row{what, {}, {}, remedy_for(kind)};
  for (const Result& r : results) {
    if (std::find(tests.begin(), tests.end(), r.test) == tests.end()) continue;
    if (r.outcome != Outcome::skipped) return std::nullopt;
    row.tests.push_back(r.test);
    if (row.reason.find(r.observed) == std::string::npos)
      row.reason += (row.reason.empty() ? "" : "; ") + r.observed;
  }
  if (row.tests.empty()) row.reason = "was not run";
  return row;
}

}  // namespace

std::string verdict_name(Verdict verdict) {
  return verdict == Verdict::passed ? "passed" : verdict == Verdict::failed ? "failed" : "incomplete";
}

std::string Conclusion::text() const {
  std::string all = verdict_name(verdict);
  for (const Untested& row : untested) {
    std::string tests;
    for (const std::string& test : row.tests) tests += (tests.empty() ? " (" : ", ") + test;
    all += (&row == &untested.front() ? ": " : "; ") + row.what + (tests.empty() ? "" : tests + ")") + ": " +
           row.reason;
  }
  return untested.empty() ? all : all + "; " + untested.front().remedy;
}

Conclusion conclude(Kind kind, const std::vector<Result>& results, const Options& options) {
  Conclusion conclusion;
  const auto add = [&](const std::string& what, const std::vector<std::string>& tests) {
    if (auto row = untested(kind, results, what, tests)) conclusion.untested.push_back(std::move(*row));
  };
  for (const std::string& test : options.only) add("what --only names", {test});
  for (const Core& core : cores())
    if (options.only.empty() && core.kind == kind) add(core.what, core.tests);
  if (!conclusion.untested.empty()) conclusion.verdict = Verdict::incomplete;
  if (std::any_of(results.begin(), results.end(), [](const Result& r) { return r.failed(); }))
    conclusion.verdict = Verdict::failed;
  return conclusion;
}

}  // namespace claros::doctor

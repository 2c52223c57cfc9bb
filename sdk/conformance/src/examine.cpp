// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <chrono>

#include "bench.hpp"
#include "isolate.hpp"

namespace claros::doctor {

namespace {

bool is_for(const TestInfo& info, Kind kind) {
  return std::find(info.kinds.begin(), info.kinds.end(), kind) != info.kinds.end();
}

void refuse_unknown(const std::vector<std::string>& only, Kind kind) {
  std::vector<Complaint> complaints;
  std::vector<std::string> known;
  for (const TestInfo& info : tests())
    if (is_for(info, kind)) known.push_back(info.name);
  for (const std::string& name : only) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    const bool other =
        std::any_of(tests().begin(), tests().end(), [&](const TestInfo& t) { return t.name == name; });
    const std::string guess = did_you_mean(name, known);
    complaints.push_back({"'" + name + "'",
                          other ? "is a test of other kinds than " + kind_name(kind) : "is not a test",
                          guess.empty() ? "claros doctor --list shows them all" : guess});
  }
  if (!complaints.empty()) throw Error(ErrorKind::usage, std::move(complaints));
}

}  // namespace

const Tests& all_tests() {
  static const Tests tests = [] {
    Tests all;
    for (const auto& topic : {descriptor_tests, common_tests, state_tests, loss_tests, domain_tests,
                              gradient_tests, objective_tests, curvature_tests, duality_tests, oracle_tests,
                              projection_tests, prox_tests, penalty_tests, certificate_tests, protocol_tests,
                              tracking_tests, moment_tests, algorithm_tests, data_tests})
      for (Test& test : topic()) all.push_back(std::move(test));
    return all;
  }();
  return tests;
}

const std::vector<TestInfo>& tests() {
  static const std::vector<TestInfo> infos = [] {
    std::vector<TestInfo> all;
    for (const Test& test : all_tests()) {
      const auto same = std::find_if(all.begin(), all.end(), [&](const TestInfo& info) {
        return info.name == test.info.name && info.definition == test.info.definition;
      });
      if (same == all.end())
        all.push_back(test.info);
      else
        same->kinds.insert(same->kinds.end(), test.info.kinds.begin(), test.info.kinds.end());
    }
    return all;
  }();
  return infos;
}

std::string Result::text() const {
  std::string all = test + ": " + observed;
  if (!where.empty()) all += "; at " + where;
  if (!mistake.empty()) all += "; likely: " + mistake;
  return all + " [" + definition + "]";
}

std::vector<Result> examine(const Subject& subject, const Options& options,
                            const std::function<void(const Result&)>& told) {
  refuse_unknown(options.only, subject.entry.kind);
  std::vector<Result> results;
  for (const Test& test : all_tests()) {
    const bool wanted = options.only.empty() || std::find(options.only.begin(), options.only.end(),
                                                          test.info.name) != options.only.end();
    if (!wanted || !is_for(test.info, subject.entry.kind)) continue;
    const auto begin = std::chrono::steady_clock::now();
    Result result = options.isolate ? run_isolated(test, subject, options.limit) : run_here(test, subject);
    result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (told) told(result);
    results.push_back(std::move(result));
  }
  return results;
}

}  // namespace claros::doctor

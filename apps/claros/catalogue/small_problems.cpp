// SPDX-License-Identifier: BSD-3-Clause
#include "catalogue/small_problems.hpp"

#include "catalogue/component_abilities.hpp"

#include <claros/io/memory_data.hpp>
#include <claros/random.hpp>
#include <claros/run/dry_start.hpp>
#include <claros/run/run_loop.hpp>

#include <algorithm>
#include <cmath>
#include <functional>

namespace claros::cli {

namespace {

using Target = std::function<double(Index)>;

std::shared_ptr<const Dataset> rows_of(Index rows, Index cols, const Target& target) {
  RandomStream random(1, Purpose::data);
  std::vector<double> design(static_cast<std::size_t>(rows * cols)), response;
  for (double& entry : design) entry = random.normal();
  for (Index i = 0; i < rows; ++i) response.push_back(target(i));
  return data_from_rows(design, rows, cols, response);
}

/// Two of three entries of a square matrix.
std::shared_ptr<const Dataset> entries_of(Index d, const Target& target) {
  std::vector<std::int32_t> row, col;
  std::vector<double> value;
  for (Index k = 0; k < d * d; ++k) {
    if (k % 3 == 1) continue;
    row.push_back(static_cast<std::int32_t>(k / d)), col.push_back(static_cast<std::int32_t>(k % d));
    value.push_back(target(k));
  }
  return data_from_triplets(row, col, value, d, d);
}

double number(Index k) { return std::sin(1.0 + 2.0 * static_cast<double>(k)); }
double sign(Index k) { return k % 3 == 0 ? 1.0 : -1.0; }
double count(Index k) { return static_cast<double>(k % 3); }
double amount(Index k) { return 1.0 + count(k); }

std::vector<SmallProblem> with_rows(const Target& target, const std::string& loss) {
  std::vector<SmallProblem> all;
  for (const Index size : {12, 2})
    all.push_back({"a vector of " + std::to_string(size),
                   rows_of(20, size, target),
                   {"objective.use=linear-model", "objective.loss=" + loss}});
  return all;
}

Composition composed(const Catalog& catalog, const SmallProblem& problem, const Words& words) {
  Spec spec;
  spec.assign(problem.words);
  spec.assign(words);
  HostParts parts;
  parts.data = problem.data;
  return compose(catalog, spec, parts);
}

bool needs_parts(const PluginEntry& entry) {
  return std::ranges::any_of(entry.parameters().roles(),
                             [](const Role& role) { return role.required && role.fallback.empty(); });
}

}  // namespace

const std::vector<SmallProblem>& small_problems() {
  static const std::vector<SmallProblem> all = [] {
    std::vector<SmallProblem> list = with_rows(number, "squared");
    list.push_back(
        {"a 4 x 4 matrix", rows_of(20, 16, number), {"objective.use=linear-model", "objective.shape=4x4"}});
    list.push_back({"entries of a 4 x 4 matrix", entries_of(4, number), {"objective.use=matrix-completion"}});
    return list;
  }();
  return all;
}

const std::vector<SmallProblem>& problems_of_targets() {
  static const std::vector<SmallProblem> all = [] {
    std::vector<SmallProblem> list;
    for (const Target target : {number, sign, count, amount}) {
      list.push_back({"rows", rows_of(20, 12, target), {}});
      list.push_back({"entries", entries_of(4, target), {}});
      list.push_back({"measurements",
                      rows_of(20, 16, target),
                      {"objective.measurements=dense", "objective.rows=4", "objective.cols=4"}});
    }
    list.push_back({"a matrix", nullptr, {"data.use=synthetic-sparse-low-rank", "data.rows=4"}});
    return list;
  }();
  return all;
}

/// The component that offers most among those that need no parts: its owner then offers all that it can.
const std::string& ExampleWords::ablest(Kind kind) const {
  const auto [at, added] = ablest_.try_emplace(kind);
  if (!added) return at->second;
  std::size_t most = 0;
  for (const std::string& name : catalog_.names(kind)) {
    const PluginEntry& entry = catalog_.at(kind, name);
    if (needs_parts(entry)) continue;
    const auto abilities = abilities_of(catalog_, entry);
    const std::size_t offers = 1 + (abilities ? abilities->offered.size() : 0);
    if (offers > most) at->second = name, most = offers;
  }
  return at->second;
}

Words ExampleWords::of(Kind kind, const std::string& name, const std::string& section) const {
  Words words{section + ".use=" + name};
  const PluginEntry& entry = catalog_.at(kind, name);
  for (const ParameterInfo& info : entry.parameters().rows())
    if (info.range.required) words.push_back(section + '.' + info.name + '=' + example_value(info));
  for (const Role& role : entry.parameters().roles()) {
    if (!role.required || !role.fallback.empty()) continue;
    for (const std::string& place :
         role.many ? std::vector<std::string>{".1", ".2"} : std::vector<std::string>{""})
      for (std::string& word : of(role.kind, ablest(role.kind), section + '.' + role.name + place))
        words.push_back(std::move(word));
  }
  return words;
}

std::vector<Complaint> refusal(const Catalog& catalog, const SmallProblem& problem, const Words& words) {
  try {
    const Composition c = composed(catalog, problem, words);
    dry_start(c, run_settings(c));
    return {};
  } catch (const Error& error) {
    return error.complaints();
  }
}

std::string failure_of_run(const Catalog& catalog, const SmallProblem& problem, const Words& words,
                           Index steps) {
  try {
    const Composition c = composed(catalog, problem, words);
    const RunResult result = run(c, run_settings(c));
    if (!std::isfinite(result.measurement.value) && !std::isnan(result.measurement.value))
      return "the value is not finite";
    if (!result.failure.empty()) return text(result.status) + ": " + result.failure;
    if (is_trouble(result.status)) return text(result.status);
    return result.iterations >= steps || is_target(result.status)
               ? ""
               : text(result.status) + " after " + std::to_string(result.iterations) + " steps";
  } catch (const Error& error) {
    return error.what();
  }
}

}  // namespace claros::cli

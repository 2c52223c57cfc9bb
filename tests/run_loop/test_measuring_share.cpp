// SPDX-License-Identifier: BSD-3-Clause
// What gap checks may cost, in compositions drawn from the whole catalogue: a tenth of the counted work of
// the run, and a fixed allowance for the first of them.
#include "compose_for_test.hpp"

#include <claros/io/memory_data.hpp>
#include <claros/random.hpp>

#include <algorithm>

using namespace claros;
using namespace claros::test;

namespace {

constexpr Index kShareRows = 2000, kShareSide = 4, kShareCols = kShareSide * kShareSide;

std::shared_ptr<const Dataset> rows_of_matrices() {
  RandomStream random(3, Purpose::test);
  std::vector<double> a(static_cast<std::size_t>(kShareRows * kShareCols)), y;
  random.fill_normal(a);
  for (Index i = 0; i < kShareRows; ++i)
    y.push_back(a[static_cast<std::size_t>(i * kShareCols)] + random.normal());
  return data_from_rows(a, kShareRows, kShareCols, y);
}

/// A component with a value for each parameter that has no default; empty where it needs parts of its own.
Words chosen_for_share(Kind kind, const std::string& name) {
  const std::string section(kind_name(kind));
  Words words{section + ".use=" + name};
  const ParameterList& parameters = build_catalog().at(kind, name).parameters();
  if (!parameters.roles().empty()) return {};
  for (const ParameterInfo& info : parameters.rows()) {
    if (!info.range.required && info.name != "groups" && info.name != "lambda") continue;
    const bool of_size = info.name == "graph" || info.name == "vertices" || info.name == "program";
    if (of_size) return {};
    words.push_back(section + '.' + info.name + '=' +
                    (info.name == "lambda"   ? "0.05"
                     : info.name == "groups" ? "4"
                                             : example_value(info)));
  }
  return words;
}

template <class T>
const T& drawn_name(RandomStream& random, const std::vector<T>& all) {
  return all[static_cast<std::size_t>(random.index(static_cast<Index>(all.size())))];
}

}  // namespace

TEST_CASE("measuring: gap checks stay within their share in compositions of the whole catalogue") {
  constexpr int kDraws = 120;
  constexpr double kShare = 0.1, kAllowance = 1.2e5;  // in component gradients; a pass is 2000
  const auto data = rows_of_matrices();
  const std::vector<std::string> sets = build_catalog().names(Kind::set),
                                 penalties = build_catalog().names(Kind::penalty),
                                 algorithms = build_catalog().names(Kind::algorithm);
  RandomStream random(5, Purpose::test);
  int runs = 0, long_runs = 0;
  for (int k = 0; k < kDraws; ++k) {
    Words words{"objective.use=linear-model", "objective.shape=4x4", "stop.iterations=1500"};
    const Index kind = random.index(3);
    if (kind != 1) words = words + chosen_for_share(Kind::penalty, drawn_name(random, penalties));
    if (kind != 0) words = words + chosen_for_share(Kind::set, drawn_name(random, sets));
    if (random.uniform() < 0.5) words.push_back("algorithm.use=" + drawn_name(random, algorithms));
    words.push_back(kind == 1 ? "stop.relative_gap=1e-11" : "stop.residual=1e-11");
    HostParts parts;
    parts.data = data;
    try {
      const Composition c = compose(build_catalog(), spec_of(words), parts);
      const RunResult r = run(c, run_settings(c));
      CAPTURE(joined(words, " "));
      CHECK(r.measuring_work <= kShare * r.work + kAllowance);
      ++runs;
      long_runs += kShare * r.work > kAllowance;
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::usage);  // a composition that theory forbids
    }
  }
  MESSAGE(runs, " runs, ", long_runs, " of more work than the allowance covers");
  CHECK(runs > kDraws / 4);
  CHECK(long_runs > 5);
}

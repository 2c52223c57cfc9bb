// SPDX-License-Identifier: BSD-3-Clause
// One table of counters and one of trace columns: what is in them is everywhere, under its name and from its
// own member.
#include <claros/grids/comparison.hpp>

#include <nlohmann/json.hpp>

#include <set>
#include <sstream>

#include "scripted.hpp"
#include "trace_for_test.hpp"

using namespace claros;
using namespace claros::test;

namespace {

/// Every counter another number.
Counts distinct_counts() {
  Counts counts;
  Index next = 1000;
  for (const Counter& counter : kCounters) counts.*counter.member = ++next;
  return counts;
}

/// Every column another number.
TraceRow distinct_row() {
  TraceRow row;
  double next = 0.0;
  for (const TraceColumn& column : trace_columns()) column.set(row, ++next);
  return row;
}

std::vector<std::string> fields(const std::string& line) {
  std::vector<std::string> all;
  std::istringstream in(line + ",");
  for (std::string field; std::getline(in, field, ',');) all.push_back(field);
  return all;
}

}  // namespace

TEST_CASE("columns: no two counters share a member or a name, and each has its words") {
  const Counts counts = distinct_counts();
  std::set<Index> members;
  std::set<std::string> names, labels;
  for (const Counter& counter : kCounters) {
    CHECK(members.insert(counts.*counter.member).second);
    CHECK(names.insert(counter.name).second);
    CHECK(labels.insert(counter.label).second);
  }
}

TEST_CASE("columns: each is set from what it reads, empty ones too, and no other") {
  const TraceRow row = distinct_row();
  double next = 0.0;
  for (const TraceColumn& column : trace_columns()) {
    CAPTURE(column.name);
    CHECK(column.value(row) == ++next);
    TraceRow empty = row;
    column.set(empty, std::numeric_limits<double>::quiet_NaN());
    CHECK(std::isnan(column.value(empty)));
  }
}

TEST_CASE("columns: every counter and column is in trace.csv, with digits alone where it is whole") {
  TraceRow row = distinct_row();
  row.counts.matvec = 123456789012345;
  row.rank_or_support = 40000000;
  std::istringstream in(trace_csv({row}));
  std::string names, numbers;
  std::getline(in, names);
  std::getline(in, numbers);
  const auto header = fields(names), line = fields(numbers);
  REQUIRE(header.size() == trace_columns().size());
  for (std::size_t k = 0; k < header.size(); ++k) {
    const TraceColumn& column = trace_columns()[k];
    CHECK(header[k] == column.name);
    CHECK(parse_real(line[k]) == column.value(row));
    if (column.whole()) CHECK(line[k] == std::to_string(static_cast<Index>(column.value(row))));
  }
  for (const Counter& counter : kCounters) CHECK(std::count(header.begin(), header.end(), counter.name) == 1);
}

TEST_CASE("columns: every counter is in result.json and in the numbers of a comparison") {
  const SmallProblem problem(611, 6, 5, 1, 20);
  RunResult result;
  result.counts = distinct_counts();
  result.answer = Element(Shape::matrix(6, 5));
  const auto json = nlohmann::json::parse(
      result_json(compose(build_catalog(), spec_of(problem.words(2.0, {"stop.iterations=1"}))), result));
  CHECK(json["counts"].size() == kCounters.size());
  ComparisonRun run;
  run.counts = result.counts;
  for (const Counter& counter : kCounters) {
    CAPTURE(counter.name);
    CHECK(json["counts"][counter.name] == result.counts.*counter.member);
    const auto& columns = comparison_columns();
    const auto named = [&](const ComparisonColumn& c) { return c.name == std::string(counter.name); };
    REQUIRE(std::count_if(columns.begin(), columns.end(), named) == 1);
    CHECK(std::find_if(columns.begin(), columns.end(), named)->value(run) ==
          static_cast<double>(result.counts.*counter.member));
  }
}

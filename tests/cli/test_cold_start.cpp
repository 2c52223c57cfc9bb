// SPDX-License-Identifier: BSD-3-Clause
// Rows and columns that are predicted by their features.
#include "program.hpp"

#include <claros/parameters.hpp>

#include <cmath>

using namespace claros::test;

namespace {

/// Ratings of u1 to u8 on i1 to i6 that follow from features; u9, which the features have too, rates nothing.
void put_described(const TestFolder& folder) {
  std::string ratings, rows, cols;
  const auto a = [](int i, int k) { return std::sin(1.7 * i + 2.3 * k); };
  const auto b = [](int j, int k) { return std::cos(0.9 * j - 1.1 * k); };
  for (int i = 1; i <= 9; ++i)
    for (int k = 1; k <= 3; ++k)
      rows += "u" + std::to_string(i) + ",a" + std::to_string(k) + ',' + std::to_string(a(i, k)) + '\n';
  for (int j = 1; j <= 6; ++j)
    for (int k = 1; k <= 2; ++k)
      cols += "i" + std::to_string(j) + ",b" + std::to_string(k) + ',' + std::to_string(b(j, k)) + '\n';
  for (int i = 1; i <= 8; ++i)
    for (int j = 1; j <= 6; ++j)
      if ((i + j) % 4 != 0)
        ratings += "u" + std::to_string(i) + ",i" + std::to_string(j) + ',' +
                   std::to_string(3 + 2 * a(i, 1) * b(j, 1) - a(i, 2) * b(j, 2)) + '\n';
  folder.put("r.csv", ratings), folder.put("rows.csv", rows), folder.put("cols.csv", cols);
}

void fit(const TestFolder& folder, const Words& more = {}) {
  const auto o =
      ask(folder.path(),
          with({"run", "--quiet", "--out", "fit", "objective.use=matrix-completion", "objective.data=r.csv",
                "objective.center=mean", "objective.row_features=rows.csv", "objective.col_features=cols.csv",
                "penalty.use=nuclear", "penalty.lambda=1e-4", "stop.relative_gap=1e-8"},
               more));
  REQUIRE_MESSAGE(o.code == 0, o.err);
}

std::vector<double> predicted(const TestFolder& folder, const std::string& pairs, const Words& more = {}) {
  folder.put("pairs.csv", pairs);
  const auto o = ask(folder.path(), with({"predict", "fit", "pairs.csv", "--json", "--header", "no"}, more));
  REQUIRE_MESSAGE(o.code == 0, o.err);
  std::vector<double> all;
  const auto rows = nlohmann::json::parse(o.out).at("rows");
  for (const auto& row : rows) all.push_back(row.at("prediction").get<double>());
  return all;
}

constexpr double kTrueOfNine = 9.0;

double truth(int i, int j) {
  return 3 + 2 * std::sin(1.7 * i + 2.3) * std::cos(0.9 * j - 1.1) -
         std::sin(1.7 * i + 4.6) * std::cos(0.9 * j - 2.2);
}

}  // namespace

TEST_CASE("cold start: a row without ratings is predicted by its features, in the fit and after it") {
  const TestFolder folder;
  put_described(folder);
  for (const Words& indicators :
       {Words{}, Words{"objective.row_indicators=0.05", "objective.col_indicators=0.05"}}) {
    fit(folder, indicators);
    std::string pairs, later, features;
    for (int j = 1; j <= 6; ++j) {
      pairs += "u9,i" + std::to_string(j) + '\n', later += "new,i" + std::to_string(j) + '\n';
    }
    for (int k = 1; k <= 3; ++k)
      features +=
          "new,a" + std::to_string(k) + ',' + std::to_string(std::sin(1.7 * kTrueOfNine + 2.3 * k)) + '\n';
    folder.put("new.csv", features);
    const auto known = predicted(folder, pairs),
               after = predicted(folder, later, {"--row-features", "new.csv"});
    for (int j = 1; j <= 6; ++j) {
      CHECK(known[static_cast<std::size_t>(j - 1)] == doctest::Approx(truth(9, j)).epsilon(0.1));
      CHECK(after[static_cast<std::size_t>(j - 1)] ==
            doctest::Approx(known[static_cast<std::size_t>(j - 1)]).epsilon(1e-5));
    }
  }
}

TEST_CASE("cold start: columns likewise; those that the run has stay as they are") {
  const TestFolder folder;
  put_described(folder);
  fit(folder);
  std::string features;
  for (int k = 1; k <= 2; ++k) {
    features += "twin,b" + std::to_string(k) + ',' + std::to_string(std::cos(0.9 * 4 - 1.1 * k)) + '\n';
    features += "i1,b" + std::to_string(k) + ",100\n";
  }
  folder.put("new.csv", features);
  const auto before = predicted(folder, "u2,i4\nu9,i4\nu2,i1\n"),
             after = predicted(folder, "u2,twin\nu9,twin\nu2,i1\n", {"--column-features", "new.csv"});
  for (std::size_t k = 0; k < 3; ++k) CHECK(after[k] == doctest::Approx(before[k]).epsilon(1e-5));
}

TEST_CASE("cold start: features that do not fit the run are refused") {
  const TestFolder folder;
  put_described(folder);
  fit(folder);
  folder.put("pairs.csv", "u1,i1\n"), folder.put("unknown.csv", "new,a9,1\n");
  folder.put("matrix.csv", "1,2,3,4\n"), folder.put("more.csv", "new,i1,3\n");
  const auto refused = [&](const Words& words, const char* sentence) {
    const auto o = ask(folder.path(), with({"predict", "fit", "pairs.csv"}, words));
    CAPTURE(o.err);
    CHECK((o.code == 2 || o.code == 4));
    CHECK(contains(o.err, sentence));
  };
  refused({"--row-features", "unknown.csv"}, "the feature 'a9' is not one of the run");
  refused({"--row-features", "matrix.csv"}, "whose lines have no ids");
  refused({"--new-rows", "more.csv"}, "describe them by --row-features");
  fit(folder, {"objective.row_features="});
  refused({"--row-features", "unknown.csv"}, "has no features of that side");
}

TEST_CASE("cold start: an interrupted run goes on to the same bits, and a path has its ranking") {
  const TestFolder folder;
  put_described(folder);
  fit(folder);
  const std::string whole = folder.get("fit/solution/s.mtx");
  fit(folder, {"stop.iterations=3"});
  const auto on = ask(folder.path(), {"resume", "fit", "stop.iterations=100000", "--quiet"});
  REQUIRE_MESSAGE(on.code == 0, on.err);
  CHECK(folder.get("fit/solution/s.mtx") == whole);
  const auto path = ask(folder.path(), {"path", "--quiet", "--json", "objective.use=matrix-completion",
                                        "objective.data=r.csv", "objective.test=r.csv", "--grid", "0.5,1,2",
                                        "objective.row_features=rows.csv", "set.use=nuclear-ball"});
  REQUIRE_MESSAGE(path.code == 0, path.err);
  const auto none =
      ask(folder.path(), {"path", "--quiet", "objective.use=matrix-completion", "objective.data=r.csv",
                          "objective.row_features=rows.csv", "set.use=nuclear-ball"});
  CHECK(none.code == 2);
  CHECK(contains(none.err, "--grid"));
}

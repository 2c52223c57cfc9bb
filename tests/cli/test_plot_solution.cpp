// SPDX-License-Identifier: BSD-3-Clause
// Pictures of solutions. sdk/python/tests/test_guides.py runs the tutorials.
#include "program.hpp"

using namespace claros::test;

TEST_CASE("plot --solution: a vector, a matrix, a permutation, a flow and factors in the terminal") {
  const TestFolder folder;
  const auto drawn = [&](const Words& problem, const Words& more = {}) {
    const auto run = ask(folder.path(), with({"run", "--quiet", "--out", "run"}, problem));
    CHECK_MESSAGE(run.code == 0, run.err);
    const auto plot = ask(folder.path(), with({"plot", "run", "--solution"}, more));
    CHECK_MESSAGE(plot.code == 0, plot.err);
    return plot.out;
  };
  const std::string stop = "stop.relative_gap=1e-6";
  folder.put("c.csv", "4,1,3\n2,0,5\n3,2,2\n");
  folder.put("names.txt", "Ann\nBob\nCid\n");
  const Words assignment{"objective.use=linear", "objective.data=c.csv", "set.use=birkhoff", stop};
  CHECK(drawn(assignment).find("row 1 -> column 2") != std::string::npos);
  CHECK(drawn(assignment, {"--names", "names.txt"}).find("Bob -> Ann") != std::string::npos);
  const std::string flow = drawn({"objective.use=linear", "objective.data=1 4 3 1 1", "set.use=flow",
                                  "set.graph=1 2; 1 3; 2 4; 3 4; 2 3", stop});
  CHECK(flow.find("2 -> 3            1 #") != std::string::npos);
  CHECK(flow.find("2 -> 4            0\n") != std::string::npos);
  const std::string matrix =
      drawn({"objective.use=distance", "objective.data=c.csv", "penalty.use=l1", "penalty.lambda=1", stop});
  CHECK(lines(matrix)[1].find("3         0         2") != std::string::npos);
  const Words sensing{"data.use=synthetic-sensing",   "data.rows=12",      "data.count=150",
                      "objective.use=matrix-sensing", "set.use=psd-trace", "set.radius=1",
                      "stop.iterations=300"};
  CHECK(drawn(sensing).find("x of the solution X = x x'") != std::string::npos);
  CHECK(drawn(sensing, {"--factors"}).find("singular values of a 12 x 12") != std::string::npos);
  std::string signal;
  for (int k = 0; k < 60; ++k) signal += k < 30 ? "1\n" : "3\n";
  folder.put("y.csv", signal);
  const std::string line =
      drawn({"objective.use=distance", "objective.data=y.csv", "penalty.use=tv", "penalty.lambda=0.1", stop});
  CHECK(line.find("60 entries") != std::string::npos);
  CHECK(line.find(std::string(30, '*')) != std::string::npos);
}

TEST_CASE("plot --solution: pixels are written as they are, and what makes no sense is refused at once") {
  const TestFolder folder;
  folder.put("a.pgm", std::string("P5 2 1 255 \x10\xF0", 13));
  REQUIRE(
      ask(folder.path(), {"run", "--quiet", "--out", "run", "objective.use=distance", "objective.data=a.pgm",
                          "penalty.use=l1", "penalty.lambda=0", "stop.iterations=3"})
          .code == 0);
  CHECK(ask(folder.path(), {"plot", "run", "--solution", "--out", "b.pgm"}).code == 0);
  CHECK(folder.get("b.pgm").ends_with("\x10\xF0"));
  const auto beyond = ask(folder.path(), {"plot", "run", "--pixels", "--range", "0.5..1", "--out", "b.png"});
  CHECK(beyond.code == 0);
  CHECK(beyond.err.find("1 of 2 entries lie beyond the range") != std::string::npos);
  const auto wrong = ask(folder.path(), {"plot", "run", "--solution", "--x", "passes", "--pixels"});
  CHECK(wrong.code == 2);
  CHECK(lines(wrong.err).size() == 2);
  CHECK(ask(folder.path(), {"plot", "run", "--pixels", "--range", "black", "--out", "b.png"}).code == 2);
  CHECK(ask(folder.path(), {"plot", "run", "--factors"}).code == 2);
  folder.put("names.txt", "a\nb\nc\n");
  const auto names = ask(folder.path(), {"plot", "run", "--names", "names.txt"});
  CHECK(names.code == 4);
  CHECK(names.err.find("2 names") != std::string::npos);
}

TEST_CASE("describe: a name of two kinds shows both") {
  const auto both = ask("/", {"describe", "elastic-net"});
  CHECK(both.code == 0);
  CHECK(both.out.find("penalty/elastic-net") != std::string::npos);
  CHECK(both.out.find("smoother/elastic-net") != std::string::npos);
  const auto pages = ask("/", {"describe", "elastic-net", "--json"});
  CHECK(nlohmann::json::parse(pages.out).size() == 2);
}

// SPDX-License-Identifier: BSD-3-Clause
#include "program.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <sstream>
#include <utility>
#include <vector>

using namespace claros::test;

namespace {

bool has_gnuplot() { return std::system("command -v gnuplot >/dev/null") == 0; }

/// spec.ini, a comparison `grid` and a run `alone`.
void put_runs(const TestFolder& folder) {
  put_problem(folder);
  REQUIRE(ask(folder.path(), {"compare", "spec.ini", "--quiet", "--vary", "algorithm.step=agnostic,short",
                              "--repeat", "2", "--out", "grid"})
              .code == 0);
  REQUIRE(ask(folder.path(), {"run", "spec.ini", "--quiet", "--out", "alone"}).code == 0);
}

}  // namespace

TEST_CASE("plot: without gnuplot the error names the package to install") {
  const TestFolder folder;
  put_runs(folder);
  const auto outcome = launch({{"plot", "grid"}, folder.path(), {"PATH=/nonexistent"}, false, {}});
  CHECK(outcome.code == 2);
  CHECK(lines(outcome.err).size() == 1);
  CHECK(contains(outcome.err, "gnuplot-nox"));
}

TEST_CASE("plot: options that make no sense are refused together, before gnuplot is searched") {
  const auto outcome =
      launch({{"plot", "x", "--log", "z", "--out", "a.gif"}, "/", {"PATH=/nonexistent"}, false, {}});
  CHECK(outcome.code == 2);
  CHECK(lines(outcome.err).size() == 2);
  CHECK(contains(outcome.err, ".svg"));
}

TEST_CASE("plot: what is missing or corrupt is named" * doctest::skip(!has_gnuplot())) {
  const TestFolder folder;
  put_runs(folder);
  const auto ask_for = [&](const Words& words) {
    Words all{"plot"};
    all.insert(all.end(), words.begin(), words.end());
    return ask(folder.path(), all);
  };
  const auto misspelt = ask_for({"alone", "--y", "valeu"});
  CHECK(misspelt.code == 2);
  CHECK(contains(misspelt.err, "--y: 'valeu' is not a column of alone/trace.csv (did you mean 'value'?)"));
  CHECK(contains(ask_for({"grid", "--x", "secnods"}).err, "'seconds'"));
  const auto absent = ask_for({"absent"});
  CHECK(absent.code == 4);
  CHECK(contains(absent.err, "holds neither trace.csv nor comparison.json"));

  folder.put("alone/trace.csv", "iteration,gap\n1,2\n2,many\n");
  CHECK(contains(ask_for({"alone", "--x", "iteration"}).err,
                 "trace.csv: is not the file that was written with result.json"));
  reseal(folder / "alone");
  const auto corrupt = ask_for({"alone", "--x", "iteration"});
  CHECK(corrupt.code == 4);
  CHECK(contains(corrupt.err, "alone/trace.csv:3: gap is 'many'"));
  folder.put("alone/trace.csv", "iteration,gap\n1,\n");
  reseal(folder / "alone");
  CHECK(contains(ask_for({"alone", "--x", "iteration"}).err, "--y value"));
  folder.put("grid/comparison.json", "{\"cells\": 3}");
  CHECK(ask_for({"grid"}).code == 4);
}

TEST_CASE("plot: characters in the terminal, pictures in files" * doctest::skip(!has_gnuplot())) {
  const TestFolder folder;
  put_runs(folder);
  const auto shown = ask(folder.path(), {"plot", "grid", "--title", "it's {one}_2"});
  CHECK(shown.code == 0);
  CHECK(shown.err.empty());
  for (const std::string part :
       {"it's {one}_2: gap (median, quartiles)", "passes over the data", "step=agnostic", "step=short"})
    CHECK_MESSAGE(contains(shown.out, part), part);
  for (const std::string& line : lines(shown.out)) CHECK(line.size() <= 80);

  // The runs of a grid need not have a second in common: their passes are the same on every machine.
  const auto svg = launch({{"plot", "grid", "alone", "--x", "passes", "--log", "xy", "--out", "a '#1.svg"},
                           folder.path(),
                           {"LC_ALL=de_DE.UTF-8", "LC_NUMERIC=de_DE.UTF-8"},
                           false,
                           {}});
  CHECK(svg.code == 0);
  CHECK(svg.out.empty());
  const std::string picture = folder.get("a '#1.svg");
  for (const std::string part : {"<svg", "</svg>", "grid: step=short", ">alone<", "#0072B2"}) {
    // gnuplot may write colours as rgb(...).
    const bool colour = part.starts_with('#');
    CHECK_MESSAGE((contains(picture, part) || (colour && contains(picture, "rgb(  0, 114, 178)"))), part);
  }

  CHECK(ask(folder.path(), {"plot", "alone", "--x", "seconds", "--log", "xy", "--out", "s.svg"}).code == 0);
  CHECK(contains(folder.get("s.svg"), "[s]"));
  CHECK(ask(folder.path(), {"plot", "alone", "--y", "value", "--log", "none", "--out", "b.png"}).code == 0);
  CHECK(folder.get("b.png").starts_with("\x89PNG"));
  CHECK(ask(folder.path(), {"plot", "grid", "--out", "c.pdf"}).code == 0);
  CHECK(folder.get("c.pdf").starts_with("%PDF"));
  CHECK(ask(folder.path(), {"plot", "alone", "--out", "absent/b.png"}).code == 4);
}

TEST_CASE("plot: seeds whose runs have no second in common are left out by name" *
          doctest::skip(!has_gnuplot())) {
  const TestFolder folder;
  put_runs(folder);
  folder.put("grid/step-short/0/trace.csv", "iteration,seconds,gap\n1,1,4\n2,2,3\n");
  folder.put("grid/step-short/1/trace.csv", "iteration,seconds,gap\n1,3,4\n2,4,3\n");
  for (const char* seed : {"0", "1"}) reseal(folder / "grid" / "step-short" / seed);
  const auto outcome = ask(folder.path(), {"plot", "grid", "alone", "--x", "seconds", "--out", "a.svg"});
  CHECK(outcome.code == 0);
  CHECK(contains(outcome.err,
                 "note: grid: step=short holds no gap to draw over seconds, in the range that all of its "
                 "runs cover"));
  CHECK_FALSE(contains(folder.get("a.svg"), "step=short"));
}

TEST_CASE("plot: labels are drawn verbatim, with all their quotes" * doctest::skip(!has_gnuplot())) {
  const TestFolder folder;
  put_problem(folder);
  REQUIRE(ask(folder.path(), {"run", "spec.ini", "--quiet", "--out", "alone"}).code == 0);
  // Folders are the labels. None may run anything.
  for (const std::string label :
       {"it's", "a''b", "'front", "''", "back'", "say \"no\"", "\"", "'\"'", "back\\slash", "end\\",
        "`touch ran`", "`0101`7", "$HOME @x", "{a}_b^c", "#;,", "a'''b\"\"c``1"}) {
    CAPTURE(label);
    fs::copy(folder / "alone", folder / label, fs::copy_options::recursive);
    for (const char* file : {"picture.svg", "picture.png"}) {
      const auto outcome = ask(folder.path(), {"plot", "alone", label, "--y", "value", "--out", file});
      CAPTURE(outcome.err);
      CHECK(outcome.code == 0);
    }
    std::string drawn = folder.get("picture.svg");
    for (const auto& [name, sign] : std::vector<std::pair<std::string, std::string>>{
             {"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&#39;", "'"}, {"&apos;", "'"}, {"&amp;", "&"}})
      for (std::size_t at = 0; (at = drawn.find(name, at)) != drawn.npos; ++at)
        drawn.replace(at, name.size(), sign);
    CHECK(contains(drawn, label));
    CHECK(ask(folder.path(), {"plot", "alone", label, "--terminal"}).code == 0);
  }
  CHECK_FALSE(fs::exists(folder / "ran"));
}

TEST_CASE("plot: a curve keeps 400 points of its picture, its ends and its peak among them" *
          doctest::skip(!has_gnuplot())) {
  const TestFolder folder;
  put_problem(folder);
  REQUIRE(ask(folder.path(), {"run", "spec.ini", "--quiet", "--out", "alone"}).code == 0);
  constexpr int kRows = 20000, kPeak = 12345;
  std::string trace = "iteration,value\n";
  for (int k = 1; k <= kRows; ++k)
    trace += std::to_string(k) + (k == kPeak ? ",3\n" : k % 2 == 0 ? ",1.25\n" : ",1\n");
  folder.put("alone/trace.csv", trace);
  reseal(folder / "alone");
  for (const std::string log : {"none", "x"}) {
    CAPTURE(log);
    REQUIRE(ask(folder.path(),
                {"plot", "alone", "--x", "iteration", "--y", "value", "--log", log, "--out", "long.svg"})
                .code == 0);
    const std::string picture = folder.get("long.svg");
    // The line of the key comes first, and a new M begins that of the data: M x,y l dx,dy dx,dy ...
    const std::size_t begin = picture.find('M', picture.find("d='M", picture.find(">alone<")) + 4);
    std::string line = picture.substr(begin + 1, picture.find('\'', begin) - begin - 1);
    std::ranges::replace_if(
        line, [](char c) { return c == ',' || c == 'l'; }, ' ');
    std::istringstream path(line);
    std::vector<std::pair<double, double>> points;
    double x = 0.0, y = 0.0;
    for (double dx = 0.0, dy = 0.0; path >> dx >> dy;) {
      x += dx;
      y += dy;
      points.emplace_back(x, y);
    }
    CHECK(points.size() > 100);
    CHECK(points.size() <= 400);
    const auto highest = std::ranges::min_element(points, {}, &std::pair<double, double>::second);
    const double width = points.back().first - points.front().first;
    CHECK(width > 500.0);
    const double place = log == "x" ? std::log(1.0 * kPeak) / std::log(1.0 * kRows) : 1.0 * kPeak / kRows;
    CHECK((highest->first - points.front().first) / width == doctest::Approx(place).epsilon(0.01));
    CHECK(highest->second < std::min(points.front().second, points.back().second) - 100.0);
  }
}

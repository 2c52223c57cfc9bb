// SPDX-License-Identifier: BSD-3-Clause
// What an experiment's file can ask for beyond curves: tuning, references, slopes, bounds.
#include "program.hpp"

#include <claros/results/trace_table.hpp>

#include <algorithm>
#include <cmath>

using namespace claros::test;
using nlohmann::json;

namespace {

constexpr const char* kSpec = R"([data]
use = synthetic-regression
rows = 60
cols = 20
nonzero = 3
[objective]
use = linear-model
[penalty]
use = l1
lambda = 0.1
[algorithm]
use = proximal-gradient
[stop]
passes = 15
[trace]
every = 1
[output]
solution = no
)";

/// Two panels, a tuned curve and one of a step that is far too small.
json experiment() {
  return json::parse(R"({
    "paper": "P", "title": "T", "spec": "small.ini", "seeds": 2, "x": "passes",
    "rows": [{"column": "suboptimality", "label": "G - G*", "log": true, "statistic": ["last", "slope"],
              "from": 1, "floor": 1e-6}],
    "panels": [{"label": "b = 0", "set": []}, {"label": "b = 0.5", "set": ["data.correlation=0.5"]}],
    "curves": [{"label": "tuned", "set": ["estimator.use=full"],
                "tune": {"key": "algorithm.step", "values": "2^-9..2^0", "set": ["stop.passes=4"]}},
               {"label": "slow", "set": ["estimator.use=full", "algorithm.step=2^-12"]}],
    "reference": {"curve": "tuned", "set": ["stop.passes=600"]},
    "verdicts": [
      {"claim": "tuned is steeper", "smaller": "slow", "larger": "tuned", "statistic": "slope"},
      {"claim": "correlation hurts", "smaller": {"curve": "tuned", "panel": "b = 0.5"},
       "larger": {"curve": "tuned", "panel": "b = 0"}, "statistic": "slope"},
      {"claim": "slow stalls", "curve": "slow", "above": 0.1},
      {"claim": "tuned is linear", "curve": "tuned", "row": "suboptimality", "statistic": "slope", "below": -0.2,
       "panels": ["b = 0"]},
      {"claim": "wrong", "curve": "slow", "below": 1e-9, "panels": ["b = 0"]}],
    "figures": {"one": {}}})");
}

void put(const TestFolder& folder, const json& file) {
  fs::create_directories(folder / "papers/mine");
  folder.put("papers/mine/small.ini", kSpec);
  folder.put("papers/mine/experiment.json", file.dump());
}

Outcome reproduce(const TestFolder& folder, const Words& more = {}) {
  Words words{"reproduce", "mine/one", "--papers", "papers"};
  words.insert(words.end(), more.begin(), more.end());
  return ask(folder.path(), words);
}

const fs::path kCurves = "reproduced/mine/one", kTuning = "reproduced/mine/one-tuning",
               kReference = "reproduced/mine/one-reference";

double median(double a, double b) { return 0.5 * (a + b); }

std::vector<double> column(const TestFolder& folder, const fs::path& run, const std::string& name) {
  return *claros::read_trace(folder / (run / "trace.csv").string()).find(name);
}

/// What the page should say, from the traces alone.
struct Expected {
  double last, slope;
};
Expected expected(const TestFolder& folder, int panel, int curve, int seed) {
  const std::string number = std::to_string(seed);
  const auto reference = column(folder, kReference / ("panel" + std::to_string(panel)) / number, "value");
  const double least = *std::min_element(reference.begin(), reference.end());
  const fs::path run =
      kCurves / ("panel" + std::to_string(panel) + "-curve" + std::to_string(curve)) / number;
  const auto x = column(folder, run, "passes"), y = column(folder, run, "value");
  Expected result{};
  std::vector<double> at, logs;
  for (std::size_t k = 0; k < x.size() && y[k] - least > 1e-14 * least; ++k) {
    result.last = y[k] - least;
    if (x[k] >= 1.0 && (logs.empty() || logs.back() > -6.0))
      at.push_back(x[k]), logs.push_back(std::log10(result.last));
  }
  double mean_x = 0.0, mean_y = 0.0, xx = 0.0, xy = 0.0;
  for (std::size_t k = 0; k < at.size(); ++k)
    mean_x += at[k] / static_cast<double>(at.size()), mean_y += logs[k] / static_cast<double>(at.size());
  for (std::size_t k = 0; k < at.size(); ++k)
    xx += (at[k] - mean_x) * (at[k] - mean_x), xy += (at[k] - mean_x) * (logs[k] - mean_y);
  result.slope = xy / xx;
  return result;
}

/// The number before the interval in the cell of a table row that starts with `start`.
double cell(const std::string& page, const std::string& heading, const std::string& start, int number) {
  const auto from = page.find(start, page.find(heading));
  std::size_t at = from;
  for (int k = 0; k < number; ++k) at = page.find("| ", at + 1);
  return std::stod(page.substr(at + 2));
}

}  // namespace

TEST_CASE("experiment: suboptimality, its slope, and what was tuned are those of the traces") {
  const TestFolder folder;
  put(folder, experiment());
  const auto outcome = reproduce(folder);
  CHECK(outcome.code == 1);
  const std::string& page = outcome.out;
  for (int panel = 1; panel <= 2; ++panel)
    for (int curve = 1; curve <= 2; ++curve) {
      const Expected a = expected(folder, panel, curve, 0), b = expected(folder, panel, curve, 1);
      const std::string start = panel == 1 ? "| b = 0 |" : "| b = 0.5 |";
      CHECK(cell(page, "(last over", start, curve) == doctest::Approx(median(a.last, b.last)).epsilon(5e-3));
      CHECK(cell(page, "(slope over", start, curve) ==
            doctest::Approx(median(a.slope, b.slope)).epsilon(5e-3));
    }

  const json tuning = json::parse(folder.get((kTuning / "comparison.json").string()));
  REQUIRE(tuning.at("cells").size() == 20);
  for (int panel = 0; panel < 2; ++panel) {
    std::string best;
    double smallest = 1e300;
    for (int v = 0; v < 10; ++v) {
      const json& entry = tuning["cells"][static_cast<std::size_t>(10 * panel + v)];
      const json& run = entry.at("runs")[0];
      CHECK(entry.at("runs").size() == 1);
      CHECK(run.at("passes") <= 4.0);
      if (run.at("status") == "passes" && run.at("value") < smallest)
        smallest = run["value"], best = entry.at("values")[2].get<std::string>();
    }
    CHECK(contains(page, "| step = " + best + " "));
    CHECK(contains(
        folder.get((kCurves / ("panel" + std::to_string(panel + 1) + "-curve1") / "0/spec.ini").string()),
        "step = " + best));
    CHECK(contains(folder.get((kReference / ("panel" + std::to_string(panel + 1)) / "0/spec.ini").string()),
                   "step = " + best));
  }
  CHECK(contains(folder.get((kCurves / "figure.svg").string()), "</svg>"));
}

TEST_CASE("experiment: findings hold or fail by ratio, across panels, and by bounds") {
  const TestFolder folder;
  put(folder, experiment());
  const std::string page = reproduce(folder).out;
  for (const auto& [start, end] : std::vector<std::pair<std::string, std::string>>{
           {"| tuned is steeper | slow / tuned | G - G* (slope) | b = 0 |", "| holds |"},
           {"| tuned is steeper | slow / tuned | G - G* (slope) | b = 0.5 |", "| holds |"},
           {"| correlation hurts | tuned | G - G* (slope) | b = 0.5 / b = 0 |", "| holds |"},
           {"| slow stalls | slow | G - G* | b = 0.5 |", "| above 0.1 | holds |"},
           {"| tuned is linear | tuned | G - G* (slope) | b = 0 |", "| below -0.2 | holds |"},
           {"| wrong | slow | G - G* | b = 0 |", "| below 1e-09 | **fails** |"}}) {
    const auto from = page.find(start);
    REQUIRE_MESSAGE(from != std::string::npos, start);
    CHECK_MESSAGE(lines(page.substr(from)).front().ends_with(end), start);
  }
  CHECK_FALSE(contains(page, "| tuned is linear | tuned | G - G* (slope) | b = 0.5 |"));
}

TEST_CASE(
    "experiment: straightness is the later slope over the earlier, near 1 for a geometric rate at any speed "
    "and far below for a power") {
  const TestFolder folder;
  json file = experiment();
  file["rows"][0]["statistic"] = {"last", "slope", "straightness"};
  file["rows"][0]["floor"] = 1e-10;
  // RDA's distance falls like a power of t.
  file["curves"].push_back(
      {{"label", "averaging"},
       {"set",
        {"estimator.use=full", "algorithm.use=dual-averaging", "algorithm.gamma=4", "stop.passes=60"}}});
  file["verdicts"] = json::parse(R"([
    {"claim": "slow is linear, though slow", "curve": "slow", "statistic": "straightness", "above": 0.5},
    {"claim": "averaging is not", "curve": "averaging", "statistic": "straightness", "below": 0.5}])");
  put(folder, file);
  const std::string page = reproduce(folder).out;
  for (const std::string start : {"| slow is linear, though slow |", "| averaging is not |"}) {
    const auto from = page.find(start);
    REQUIRE_MESSAGE(from != std::string::npos, page);
    CHECK_MESSAGE(lines(page.substr(from)).front().ends_with("| holds |"), lines(page.substr(from)).front());
  }
}

TEST_CASE(
    "experiment: a second column of passes, the statistical precision, and what an interval of few seeds "
    "is") {
  const TestFolder folder;
  json file = experiment();
  file["rows"][0]["precision"] = true;
  json second = file["rows"][0];
  second["x"] = "index_passes", second["label"] = "counted once", second["statistic"] = {"slope"};
  file["rows"].push_back(second);
  file["curves"].push_back(
      {{"label", "svrg"},
       {"set", {"estimator.use=svrg", "estimator.batch=1", "estimator.epoch=60", "algorithm.step=0.01"}}});
  file["verdicts"] =
      json::parse(R"([{"claim": "svrg falls", "curve": "svrg", "statistic": "slope", "below": 0},
                                     {"claim": "slow stalls", "curve": "slow", "statistic": "last", "above": 0.1}])");
  put(folder, file);
  const auto outcome = reproduce(folder);
  const std::string& page = outcome.out;
  CHECK(contains(page,
                 "of 2 seeds it reaches at most from the smallest to the largest, and so holds the true "
                 "median with a probability of at most 50%"));
  // An epoch of n = 60 steps of batch 1 is 3 passes in one column, 2 in the other; the full gradient's are
  // the same.
  const double both = cell(page, "\nG - G* (slope", "| b = 0 |", 3),
               once = cell(page, "\ncounted once (slope", "| b = 0 |", 3);
  CHECK(once / both == doctest::Approx(1.5).epsilon(0.02));
  CHECK(cell(page, "\nG - G* (slope", "| b = 0 |", 2) == cell(page, "\ncounted once (slope", "| b = 0 |", 2));
  CHECK(contains(page, "| svrg falls | svrg | counted once (slope) | b = 0 |"));
  CHECK_FALSE(contains(page, "| slow stalls | slow | counted once"));

  const std::string picture = folder.get((kCurves / "figure.svg").string());
  for (const std::string label :
       {"G - G* (median, quartiles)", "counted once (median, quartiles)", "passes over the data",
        "an index of a difference counted once", "||x^ - x*||^2"})
    CHECK_MESSAGE(contains(picture, label), label);

  const auto rmse = column(folder, kReference / "panel1/0", "rmse_truth");
  const auto other = column(folder, kReference / "panel1/1", "rmse_truth");
  const double expected = median(20 * rmse.back() * rmse.back(), 20 * other.back() * other.back());
  CHECK(cell(page, "The statistical precision", "| b = 0 |", 1) == doctest::Approx(expected).epsilon(5e-3));
}

TEST_CASE(
    "experiment: curves compared at the same cost, settings of a curve in one panel, rows in tables alone, "
    "and the reference itself") {
  const TestFolder folder;
  json file = experiment();
  file["rows"][0]["statistic"] = {"last", "largest", "common"};
  json other = file["rows"][0];
  other["x"] = "sfo", other["label"] = "by gradients", other["drawn"] = false;
  file["rows"].push_back(other);
  file["curves"][1]["in"] = {{"b = 0.5", {"stop.passes=5", "algorithm.step=2^-11"}}};
  file["verdicts"] = json::parse(
      R"([{"claim": "tuned is ahead", "smaller": "tuned", "larger": "slow", "row": "by gradients", "statistic": "common"}])");
  put(folder, file);
  const std::string page = reproduce(folder).out;
  CHECK(contains(folder.get((kCurves / "panel2-curve2/0/spec.ini").string()), "passes = 5\n"));
  CHECK(contains(folder.get((kCurves / "panel1-curve2/0/spec.ini").string()), "passes = 15\n"));

  // In the second panel the tuned curve, of 15 passes, is compared after 5.
  const auto distance = [&](const fs::path& run, int seed) {
    const auto reference = column(folder, kReference / ("panel2/" + std::to_string(seed)), "value");
    auto y = column(folder, run / std::to_string(seed), "value");
    for (double& value : y) value -= *std::min_element(reference.begin(), reference.end());
    return y;
  };
  const fs::path tuned = kCurves / "panel2-curve1";
  std::vector<double> at_five;
  for (const int seed : {0, 1}) {
    const auto x = column(folder, tuned / std::to_string(seed), "passes");
    const auto after = std::upper_bound(x.begin(), x.end(), 5.0) - x.begin();
    REQUIRE(after < static_cast<std::ptrdiff_t>(x.size()));
    at_five.push_back(distance(tuned, seed)[static_cast<std::size_t>(after) - 1]);
  }
  CHECK(cell(page, "\nG - G* (common", "| b = 0.5 |", 1) ==
        doctest::Approx(median(at_five[0], at_five[1])).epsilon(5e-3));
  CHECK(cell(page, "\nG - G* (common", "| b = 0.5 |", 1) >
        1.05 * cell(page, "\nG - G* (last", "| b = 0.5 |", 1));
  const double first = median(distance(tuned, 0).front(), distance(tuned, 1).front());
  CHECK(cell(page, "\nG - G* (largest", "| b = 0.5 |", 1) == doctest::Approx(first).epsilon(5e-3));

  CHECK(contains(page, "| tuned is ahead | tuned / slow | by gradients (common) | b = 0 |"));
  // A third curve that ends early does not change the first two.
  const auto ratio = [](const std::string& text) {
    return lines(text.substr(text.find("| tuned is ahead | tuned / slow | by gradients (common) | b = 0 |")))
        .front();
  };
  file["curves"].push_back({{"label", "short"}, {"set", {"estimator.use=full", "stop.passes=1"}}});
  put(folder, file);
  const std::string three = reproduce(folder).out;
  CHECK(ratio(three) == ratio(page));
  CHECK(cell(three, "\nG - G* (common", "| b = 0 |", 1) >
        1.05 * cell(page, "\nG - G* (common", "| b = 0 |", 1));
  CHECK_FALSE(contains(page, "| tuned is ahead | tuned / slow | G - G*"));
  CHECK(contains(page, "\nby gradients (common over"));
  CHECK_FALSE(contains(folder.get((kCurves / "figure.svg").string()), "by gradients"));
  const auto least = [&](int seed) {
    const auto values = column(folder, kReference / ("panel1/" + std::to_string(seed)), "value");
    return *std::min_element(values.begin(), values.end());
  };
  CHECK(cell(page, "| panel | value |", "| b = 0 |", 1) ==
        doctest::Approx(median(least(0), least(1))).epsilon(1e-8));
}

TEST_CASE(
    "experiment: the distance to the reference's solution, calls of oracles, when a level is reached, and a "
    "power") {
  const TestFolder folder;
  json file = experiment();
  file["rows"] = json::parse(R"([
    {"column": "distance", "label": "distance", "log": true, "statistic": ["last"], "precision": true},
    {"column": "suboptimality", "label": "G - G*", "log": true, "statistic": ["reached", "power"], "floor": 0.01},
    {"column": "suboptimality", "x": "oracle_calls", "label": "by calls", "log": true, "statistic": ["reached"], "floor": 0.01}])");
  file["verdicts"] = json::parse(
      R"([{"claim": "slow needs more", "smaller": "tuned", "larger": "slow", "row": "G - G*", "statistic": "reached"}])");
  put(folder, file);
  const auto outcome = reproduce(folder);
  REQUIRE_MESSAGE(outcome.code == 0, outcome.err);
  const std::string& page = outcome.out;

  std::vector<double> squared, at, powers;
  for (const std::string seed : {"0", "1"}) {
    const fs::path solution = kReference / "panel1" / seed / "solution/x.mtx",
                   run = kCurves / "panel1-curve1" / seed;
    CHECK(lines(folder.get((kReference / "points/panel1" / (seed + ".mtx")).string())).back() ==
          lines(folder.get(solution.string())).back());
    CHECK(contains(folder.get((run / "spec.ini").string()), "points/panel1/" + seed + ".mtx"));
    const double rmse = column(folder, run, "rmse_truth").back();
    squared.push_back(20.0 * rmse * rmse);
    const auto reference = column(folder, kReference / "panel1" / seed, "value"),
               x = column(folder, run, "passes");
    auto y = column(folder, run, "value");
    for (double& value : y) value -= *std::min_element(reference.begin(), reference.end());
    const auto hit = static_cast<std::size_t>(
        std::find_if(y.begin(), y.end(), [](double value) { return value <= 0.01; }) - y.begin());
    REQUIRE(hit < y.size());
    at.push_back(x[hit]);
    double n = 0.0, sx = 0.0, sy = 0.0, xx = 0.0, xy = 0.0;
    for (std::size_t k = 1; k <= hit; ++k) {  // a full gradient's values fall, and x begins at 0
      const double a = std::log10(x[k]), b = std::log10(y[k]);
      n += 1.0, sx += a, sy += b, xx += a * a, xy += a * b;
    }
    powers.push_back((n * xy - sx * sy) / (n * xx - sx * sx));
  }
  CHECK(cell(page, "\ndistance (last", "| b = 0 |", 1) ==
        doctest::Approx(median(squared[0], squared[1])).epsilon(5e-3));
  CHECK(cell(page, "\nG - G* (reached", "| b = 0 |", 1) ==
        doctest::Approx(median(at[0], at[1])).epsilon(5e-3));
  CHECK(cell(page, "\nG - G* (power", "| b = 0 |", 1) ==
        doctest::Approx(median(powers[0], powers[1])).epsilon(5e-3));
  CHECK(cell(page, "\nby calls (reached", "| b = 0 |", 1) ==
        cell(page, "\nG - G* (reached", "| b = 0 |", 1));  // a projection a pass
  // What was not reached is unknown, and decides nothing.
  CHECK(contains(lines(page.substr(page.find("| b = 0 |", page.find("\nG - G* (reached")))).front(),
                 "] | - |"));
  CHECK(contains(page, "| slow needs more | tuned / slow | G - G* (reached) | b = 0 | - | undecided |"));
  // The distance of the reference from what the data was made from is another.
  CHECK(cell(page, "The statistical precision", "| b = 0 |", 1) > 2.0 * median(squared[0], squared[1]));

  // Nothing is made again, unless the points are others.
  const Words again{"reproduce", "mine/one", "--papers", "papers"};
  CHECK(contains(ask(folder.path(), again).err, "8 of 8 runs are up to date"));
  file["reference"]["set"] = {"stop.passes=3"};
  put(folder, file);
  CHECK_FALSE(contains(ask(folder.path(), again).err, "8 of 8 runs are up to date"));
  CHECK(reproduce(folder).out != page);
}

TEST_CASE("experiment: a row may subtract a known number, which its page names") {
  const TestFolder folder;
  json file = experiment();
  file.erase("reference");
  file["rows"] = json::parse(
      R"([{"column": "value", "label": "G - 0.25", "less": 0.25, "statistic": ["last", "reached"], "floor": 0.5}, {"column": "value", "label": "G", "statistic": ["last"]}])");
  file["verdicts"] = json::parse(
      R"([{"claim": "slow is higher", "smaller": "tuned", "larger": "slow", "row": "G - 0.25", "statistic": "last"}])");
  put(folder, file);
  const auto outcome = reproduce(folder);
  REQUIRE_MESSAGE(outcome.code == 0, outcome.err);
  CHECK(contains(outcome.out, "`value` less 0.25: G - 0.25."));
  const auto last = [&](const std::string& seed) {
    return column(folder, kCurves / "panel1-curve2" / seed, "value").back();
  };
  CHECK(cell(outcome.out, "\nG (last", "| b = 0 |", 2) ==
        doctest::Approx(median(last("0"), last("1"))).epsilon(5e-3));
  CHECK(cell(outcome.out, "\nG - 0.25 (last", "| b = 0 |", 2) ==
        doctest::Approx(median(last("0"), last("1")) - 0.25).epsilon(5e-3));
}

TEST_CASE("experiment: settings, units and what is taken off may follow the data that a seed draws") {
  const TestFolder folder;
  json file = experiment();
  file["by_seed"] = json::parse(R"({"penalty.lambda": [0.1, 0.3], "unit": [2, 5], "smoother.mu": [1, 2]})");
  file["reference"]["curve"] = "";
  file["rows"] = json::parse(
      R"([{"column": "value", "label": "(G - G*)/unit", "over_reference": true, "by": "unit", "statistic": ["last"]},
          {"column": "value", "label": "G", "statistic": ["last"]}])");
  file["verdicts"] = json::parse(
      R"([{"claim": "slow is higher", "smaller": "tuned", "larger": "slow", "row": "G", "statistic": "last"}])");
  put(folder, file);
  const auto outcome = reproduce(folder);
  REQUIRE_MESSAGE(outcome.code == 0, outcome.err);
  CHECK(contains(outcome.out, "`value` less the smallest of the reference, divided by `unit` of the seed"));
  const auto excess = [&](const std::string& seed, double unit) {
    const auto reference = column(folder, kReference / "panel1" / seed, "value");
    return (column(folder, kCurves / "panel1-curve2" / seed, "value").back() -
            *std::min_element(reference.begin(), reference.end())) /
           unit;
  };
  CHECK(cell(outcome.out, "\n(G - G*)/unit (last", "| b = 0 |", 2) ==
        doctest::Approx(median(excess("0", 2.0), excess("1", 5.0))).epsilon(5e-3));
  for (const fs::path& grid : {kCurves / "panel2-curve1", kReference / "panel2"}) {
    CHECK(contains(folder.get((grid / "0/spec.ini").string()), "lambda = 0.1\n"));
    CHECK(contains(folder.get((grid / "1/spec.ini").string()), "lambda = 0.3\n"));
  }
  // A seed whose number changed is made again, and no other; the user's own setting goes before.
  file["by_seed"]["penalty.lambda"][1] = 0.2;
  put(folder, file);
  CHECK(reproduce(folder).code == 0);
  CHECK(contains(folder.get((kCurves / "panel1-curve1/1/spec.ini").string()), "lambda = 0.2\n"));
  CHECK(reproduce(folder, {"penalty.lambda=0.05"}).code == 0);
  CHECK(contains(folder.get((kCurves / "panel1-curve1/1/spec.ini").string()), "lambda = 0.05\n"));
  CHECK(contains(reproduce(folder, {"--seeds", "3"}).err, "for the seeds below 2 alone"));
}

TEST_CASE("experiment: iterations are counted times the rank that their projections were asked for") {
  const TestFolder folder;
  json file = experiment();
  file["seeds"] = 1, file["x"] = "rank_iterations";
  file.erase("reference");
  file["rows"] = json::parse(R"([{"column": "value", "label": "f", "statistic": ["last", "common"]}])");
  file["panels"] = json::parse(R"([{"label": "all", "set": []}])");
  file["curves"] = json::parse(
      R"([{"label": "two", "set": ["algorithm.rank=2"]}, {"label": "four", "set": ["algorithm.rank=4"]}])");
  file["verdicts"] = json::array();
  put(folder, file);
  folder.put("papers/mine/small.ini",
             "[data]\nuse = synthetic\nrows = 30\ncols = 20\nrank = 3\n[objective]\nuse = "
             "matrix-completion\n[set]\nuse = nuclear-ball\nradius = 20\n"
             "[estimator]\nuse = full\n[algorithm]\nuse = proximal-gradient\nuncertified = continue\nstep = "
             "10\n[stop]\niterations = 12\n[trace]\nevery = 1\n[output]\nsolution = no\n");
  const auto outcome = reproduce(folder);
  REQUIRE_MESSAGE(outcome.code == 0, outcome.err);
  const auto four = column(folder, kCurves / "panel1-curve2/0", "value");
  REQUIRE(four.size() == 13);
  CHECK(cell(outcome.out, "\nf (common", "| all |", 2) ==
        doctest::Approx(four[6]).epsilon(5e-3));  // 6 x 4 = 12 x 2
  CHECK(std::abs(four[6] - four[12]) > 0.02 * four[12]);
  CHECK(contains(folder.get((kCurves / "figure.svg").string()), "iterations x rank of the SVD"));
}

TEST_CASE("experiment: of several judged statistics each gets a verdict") {
  const TestFolder folder;
  json file = experiment();
  file["rows"][0]["statistic"] = {"last", "best", "slope"};
  file["rows"][0]["judged"] = {"best", "last"};
  put(folder, file);
  const std::string page = reproduce(folder).out;
  CHECK(contains(page, "| slow stalls | slow | G - G* (best) | b = 0 |"));
  CHECK(contains(page, "| slow stalls | slow | G - G* (last) | b = 0 |"));
}

TEST_CASE("experiment: a bound that the start meets already is not tested, one that it does not is") {
  const TestFolder folder;
  json file = experiment();
  file["verdicts"] = json::parse(R"([
    {"claim": "met at the start", "curve": "tuned", "statistic": "last", "below": 1e9, "falls": true},
    {"claim": "met at the end", "curve": "tuned", "statistic": "last", "below": 0.1, "falls": true},
    {"claim": "met all along", "curve": "tuned", "statistic": "last", "below": 1e9}])");
  put(folder, file);
  const std::string page = reproduce(folder).out;
  for (const auto& [claim, outcome] :
       std::vector<std::pair<std::string, std::string>>{{"met at the start", "not tested: "},
                                                        {"met at the end", "holds |"},
                                                        {"met all along", "holds |"}}) {
    const auto from = page.find("| " + claim + " | tuned | G - G*");
    REQUIRE_MESSAGE(from != page.npos, page);
    CHECK_MESSAGE(contains(page.substr(from, page.find('\n', from) - from), outcome), page);
  }
}

TEST_CASE("experiment: a person's assignments leave the reference its budget, and two jobs change nothing") {
  const TestFolder one, two;
  put(one, experiment()), put(two, experiment());
  const auto alone = reproduce(one, {"stop.passes=6"}),
             beside = reproduce(two, {"stop.passes=6", "--jobs", "2"});
  CHECK(alone.out == beside.out);
  CHECK(contains(one.get((kCurves / "panel1-curve1/0/spec.ini").string()), "passes = 6\n"));
  CHECK(contains(one.get((kReference / "panel1/0/spec.ini").string()), "passes = 600\n"));
}

TEST_CASE("experiment: runs below their reference are reported, and a grid whose end is best is marked") {
  const TestFolder folder;
  json file = experiment();
  file["reference"]["set"] = {"stop.passes=2"};
  file["curves"][0]["tune"]["values"] = "2^-9..2^-8";
  put(folder, file);
  const std::string page = reproduce(folder).out;
  CHECK(contains(page, "of 8 runs got below it, at most by "));
  CHECK(contains(page, "| step = 2^-8 \\* | - |"));
}

TEST_CASE("experiment: errors in the file are reported before the first run") {
  const std::vector<std::pair<std::string, std::string>> cases{
      {R"([{"op": "replace", "path": "/rows/0/statistic", "value": "middle"}])",
       "expected a statistic, got 'middle'"},
      {R"([{"op": "replace", "path": "/verdicts/0/statistic", "value": "straightness"}])",
       "no row has the statistic"},
      {R"([{"op": "remove", "path": "/reference"}])", "needs a reference"},
      {R"([{"op": "add", "path": "/rows/0/by", "value": "unit"}])",
       "is divided by 'unit', which no seed has"},
      {R"([{"op": "remove", "path": "/reference"}, {"op": "replace", "path": "/rows/0/column", "value": "distance"}])",
       "needs a reference"},
      {R"([{"op": "replace", "path": "/reference/curve", "value": "fast"}])",
       "expected the label of a curve, got 'fast'"},
      {R"([{"op": "replace", "path": "/verdicts/0/larger", "value": "fast"}])",
       "expected the label of a curve, got 'fast'"},
      {R"([{"op": "replace", "path": "/verdicts/1/larger/panel", "value": "b"}])",
       "expected the label of a panel, got 'b'"},
      {R"([{"op": "replace", "path": "/verdicts/3/panels/0", "value": "b"}])",
       "expected the label of a panel, got 'b'"},
      {R"([{"op": "remove", "path": "/verdicts/2/above"}])", "has nothing to compare with"},
      {R"([{"op": "replace", "path": "/verdicts/0/statistic", "value": "end"}])",
       "expected a statistic, got 'end'"},
      {R"([{"op": "add", "path": "/curves/0/in", "value": {"b": []}}])",
       "expected the label of a panel, got 'b'"},
      {R"([{"op": "add", "path": "/curves/0/tune/by", "value": "speed"}])",
       "expected final or target, got 'speed'"},
      {R"([{"op": "replace", "path": "/curves/0/tune/values", "value": "2^-3..3^0"}])",
       "expected a range, got"},
      {R"([{"op": "replace", "path": "/curves/0/tune/values", "value": "1,1"}])", "'1' twice"},
  };
  for (const auto& [patch, part] : cases) {
    const TestFolder folder;
    put(folder, experiment().patch(json::parse(patch)));
    const auto outcome = reproduce(folder);
    CHECK_MESSAGE(outcome.code != 0, patch);
    CHECK_MESSAGE(contains(outcome.err, part), outcome.err);
    CHECK_FALSE(fs::exists(folder / "reproduced"));
  }
}

TEST_CASE("experiment: of several figures one that cannot be made does not stop the others") {
  const TestFolder folder;
  json file = experiment();
  file["figures"] = {{"a", {{"set", {"objective.data=nowhere.csv"}}}}, {"b", json::object()}};
  put(folder, file);
  const auto outcome = ask(folder.path(), {"reproduce", "mine", "--papers", "papers", "--quiet"});
  CHECK(outcome.code == 2);  // a file beside the [data] section
  CHECK(contains(outcome.err, "nowhere.csv"));
  CHECK(fs::exists(folder / "reproduced/mine/b/figure.svg"));
}

namespace {

/// 2/L of the data of a seed, as the refusal of a long step says it.
double longest_step(const TestFolder& folder, int seed) {
  const std::string text =
      ask(folder.path(), {"run", "papers/mine/small.ini", "algorithm.step=1000", "penalty.lambda=1e-6",
                          "stop.passes=100", "--seed", std::to_string(seed), "--quiet"})
          .err;
  const auto at = text.find("2/L = ");
  REQUIRE_MESSAGE(at != std::string::npos, text);
  return std::stod(text.substr(at + 6));
}

}  // namespace

TEST_CASE(
    "experiment: a step that diverges on another seed than the one that tunes is not chosen, and is "
    "remembered") {
  const TestFolder folder;
  json file = experiment();
  put(folder, file);
  // The first seed bears a longer step than the second.
  int seed = 0;
  while (longest_step(folder, seed) < 1.15 * longest_step(folder, seed + 1)) REQUIRE(++seed < 20);
  const std::string between =
      std::to_string(0.5 * (longest_step(folder, seed) + longest_step(folder, seed + 1)));
  file["panels"].erase(1);
  file["curves"][0]["tune"] = {{"key", "algorithm.step"}, {"values", between + ",0.001"}};
  file["reference"] = {{"set", {"algorithm.accelerate=true", "stop.passes=600"}}};
  file["set"] = {"stop.passes=800", "trace.every=20",
                 "penalty.lambda=1e-6"};  // with all coordinates at work 2/L is the limit
  file["verdicts"] = json::parse(
      R"([{"claim": "tuned is steeper", "smaller": "slow", "larger": "tuned", "statistic": "slope"}])");
  put(folder, file);
  const Words words{"--seed", std::to_string(seed)};
  const auto outcome = reproduce(folder, words);
  CAPTURE(outcome.out);
  CHECK(contains(outcome.out, "| step = 0.001 \\* (" + between + ") | - |"));
  CHECK(contains(outcome.out, "| tuned is steeper | slow / tuned | G - G* (slope) | b = 0 |"));
  CHECK_FALSE(contains(outcome.out, "ended in trouble |"));
  for (int k : {0, 1})
    CHECK(contains(folder.get((kCurves / "panel1-curve1" / std::to_string(seed + k) / "spec.ini").string()),
                   "step = 0.001\n"));
  const std::string result = (kCurves / "panel1-curve1" / std::to_string(seed) / "result.json").string(),
                    made = folder.get(result);
  CHECK(reproduce(folder, words).out == outcome.out);
  CHECK(folder.get(result) == made);  // taken over, not made again after another try

  // Where no value works on both seeds no verdict is given.
  const std::string beside = std::to_string(std::stod(between) * 1.001);
  file["curves"][0]["tune"]["values"] = between + ',' + beside;
  put(folder, file);
  const auto none = reproduce(folder, words);
  CAPTURE(none.out);
  CHECK((contains(none.out, "| step = " + between + " !") ||
         contains(none.out, "| step = " + beside + " !")));  // the better on the first seed
  CHECK(contains(none.out, "| undecided: 1 of 4 runs ended in trouble |"));
  CHECK(none.code == 0);
}

TEST_CASE(
    "experiment: a step that ends above its start on another seed is not chosen, however bounded the set") {
  const TestFolder folder;
  json file = experiment();
  const Words bounded{"estimator.use=svrg", "estimator.batch=1", "estimator.epoch=60", "penalty.rho=6"};
  file["panels"].erase(1);
  file["curves"][0] = {
      {"label", "tuned"}, {"set", bounded}, {"tune", {{"key", "algorithm.step"}, {"values", "0.08,1e-5"}}}};
  file["reference"] = {{"set", {"algorithm.accelerate=true", "penalty.rho=6", "stop.passes=600"}}};
  file["verdicts"] = json::parse(R"([{"claim": "tuned is lower", "smaller": "tuned", "larger": "slow"}])");
  put(folder, file);
  // The long step falls on one seed, and rises on the next, without a status that says so.
  const auto rises = [&](int seed) {
    const std::string out = "long" + std::to_string(seed);
    Words words{"run",    "papers/mine/small.ini", "algorithm.step=0.08", "--out", out, "--quiet",
                "--seed", std::to_string(seed)};
    words.insert(words.end(), bounded.begin(), bounded.end());
    CHECK(ask(folder.path(), words).code == 0);
    const auto value = column(folder, out, "value");
    return value.back() > value.front();
  };
  int seed = 0;
  while (rises(seed) || !rises(seed + 1)) REQUIRE(++seed < 20);
  const Words words{"--seed", std::to_string(seed)};
  const auto outcome = reproduce(folder, words);
  CAPTURE(outcome.out);
  CHECK(contains(outcome.out, "| step = 1e-5 \\* (0.08) | - |"));
  CHECK_FALSE(contains(outcome.out, "ended in trouble |"));
  CHECK(reproduce(folder, words).out == outcome.out);

  // Where every value does, no verdict is given.
  file["curves"][0]["tune"]["values"] = "0.08,0.0801";
  put(folder, file);
  const auto none = reproduce(folder, words);
  CAPTURE(none.out);
  CHECK(contains(none.out, " !"));
  CHECK(contains(none.out, "of 4 runs ended in trouble |"));
}

TEST_CASE("experiment: of steps that all come to the minimum the fastest is chosen") {
  const TestFolder folder;
  json file = experiment();
  file["panels"].erase(1);
  file["verdicts"] = json::array();
  file["curves"][0]["tune"] = {{"key", "algorithm.step"}, {"values", "0.02,0.05,0.1,0.2"}};
  file["set"] = {"stop.passes=3000"};
  put(folder, file);
  const std::string page = reproduce(folder).out;
  std::vector<std::vector<double>> values;
  double least = INFINITY;
  for (const char* k : {"1", "2", "3", "4"}) {
    values.push_back(column(folder, kTuning / (std::string("panel1-curve1-value") + k) / "0", "value"));
    least = std::min(least, values.back().back());
  }
  std::size_t fastest = 0, fewest = 100000;
  for (std::size_t k = 0; k < values.size(); ++k) {
    REQUIRE(values[k].back() <= least + 1e-9 * std::abs(least));
    const auto there =
        static_cast<std::size_t>(std::find_if(values[k].begin(), values[k].end(),
                                              [&](double v) { return v <= least + 1e-9 * std::abs(least); }) -
                                 values[k].begin());
    if (there < fewest) fewest = there, fastest = k;
  }
  CHECK(contains(page, "| step = " + std::vector<std::string>{"0.02", "0.05", "0.1", "0.2"}[fastest] + ' '));
  CHECK(fastest > 0);
}

TEST_CASE("experiment: of a curve that diverges nothing is found") {
  const TestFolder folder;
  json file = experiment();
  file["panels"].erase(1);
  file["curves"].push_back({{"label", "long"}, {"set", {"estimator.use=full", "algorithm.step=1000"}}});
  file["verdicts"] = json::parse(R"([{"claim": "long ends above", "curve": "long", "above": 0.1},
                                     {"claim": "long ends below", "curve": "long", "below": 0.1},
                                     {"claim": "long is worse", "smaller": "tuned", "larger": "long"}])");
  put(folder, file);
  const auto outcome = reproduce(folder);
  for (const std::string start : {"| long ends above |", "| long ends below |"})
    CHECK(contains(lines(outcome.out.substr(outcome.out.find(start))).front(),
                   "| undecided: 2 of 2 runs ended in trouble |"));
  CHECK(contains(lines(outcome.out.substr(outcome.out.find("| long is worse |"))).front(),
                 "| undecided: 2 of 4 runs ended in trouble |"));
}

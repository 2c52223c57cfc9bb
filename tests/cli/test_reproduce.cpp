// SPDX-License-Identifier: BSD-3-Clause
#include "program.hpp"

#include <claros/results/trace_table.hpp>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <tuple>

using namespace claros::test;
using nlohmann::json;

namespace {

/// A figure small enough for a test; the papers' own folder is found beside the program.
const Words kSmall{"reproduce",         "sfz/figure1",  "--seeds",     "2",
                   "data.rows=30",      "data.cols=30", "data.rank=2", "set.radius=80",
                   "estimator.batch=9", "stop.epochs=3"};

}  // namespace

TEST_CASE("reproduce: without a name the figures are listed") {
  const auto outcome = ask("/", {"reproduce"});
  CHECK(outcome.code == 0);
  for (const std::string figure :
       {"sfz/figure1", "sfz/figure2", "sfz/figure3",  "sfz/figure4",       "qlx/figure1", "qlx/figure2",
        "qlx/figure3", "qlx/figure4", "qlx/figure5",  "qlx/figure5-rcv1",  "qlx/figure6", "qlx/figure6-sido0",
        "qlx/figure7", "qlx/figure8", "lqx/figure1",  "lqx/figure1-small", "lqx/figure2", "lqx/figure2-small",
        "lqx/rates",   "gk/figure1",  "gk/figure2",   "gk/constrained",    "gk/sensing",  "gk/psd",
        "gk/sum",      "gk/table1",   "gk/table1-sum"})
    CHECK_MESSAGE(contains(outcome.out, figure), figure);
}

TEST_CASE("reproduce: a small figure leaves its picture, its findings and every run") {
  const TestFolder folder;
  const auto outcome = ask(folder.path(), kSmall);
  CHECK(contains(outcome.out, "# Figure 1: rank 2, noise 10, with data.rows=30, data.cols=30"));
  CHECK(contains(outcome.out, "| SVRG | SPIDER | CASVRG | CASPIDER | SG |"));
  CHECK(contains(outcome.out, "| curvature-aided below first-order | CASVRG / SVRG | V_C (best) |"));
  CHECK(contains(outcome.out, "| curvature-aided below first-order | CASVRG / SVRG | V_C (last) |"));
  CHECK(folder.get("reproduced/sfz/figure1/findings.md") == outcome.out);
  CHECK(contains(folder.get("reproduced/sfz/figure1/report.html"), "<h2>Findings</h2>"));
  // gnuplot leaves out a label for which there is not enough room.
  for (const std::string label : {"V_C (median, quartiles)", "RMSE (median, quartiles)",
                                  "||g - grad f|| (median, quartiles)", "iterations", "CASVRG", "</svg>"})
    CHECK_MESSAGE(contains(folder.get("reproduced/sfz/figure1/figure.svg"), label), label);
  const json grid = json::parse(folder.get("reproduced/sfz/figure1/comparison.json"));
  CHECK(grid.at("complete") == true);
  CHECK(grid.at("cells").size() == 25);
  CHECK(outcome.code == (contains(outcome.out, "**fails**") ? 1 : 0));
}

TEST_CASE("reproduce: figures of QLX run, small") {
  const TestFolder folder;
  // The others are made, small, by the installed program (tests/install).
  for (const std::string figure : {"figure1", "figure4", "figure8"}) {
    const auto outcome =
        ask(folder.path(), {"reproduce", "qlx/" + figure, "--seeds", "2", "--jobs", "4", "data.rows=30",
                            "data.cols=40", "data.nonzero=2", "stop.passes=2", "--out", "out"});
    CHECK_MESSAGE(outcome.code <= 1, outcome.err);
    CHECK(contains(outcome.out, "| SVRG |"));
    CHECK(contains(outcome.out, "Tuned once a panel"));
    CHECK(contains(folder.get("out/qlx/" + figure + "/figure.svg"), "</svg>"));
  }
}

TEST_CASE("reproduce: figures of LQX run, small, and STORC by theory is CGS there") {
  const TestFolder folder;
  // Those of the paper's size are made, small, by the installed program (tests/install).
  for (const std::string figure : {"figure1-small", "figure2-small", "rates"}) {
    CAPTURE(figure);
    const auto outcome =
        ask(folder.path(), {"reproduce", "lqx/" + figure, "--seeds", "2", "--jobs", "2", "data.rows=8",
                            "data.rank=1", "data.count=60", "stop.passes=20", "stop.lo=200", "--out", "out"});
    CHECK_MESSAGE(outcome.code <= 1, outcome.err);
    CHECK(contains(outcome.out, figure == "rates" ? "linear minimisations at most as 1/eps"
                                                  : "CGS beats projected gradient"));
    const std::string picture = folder.get("out/lqx/" + figure + "/figure.svg");
    CHECK(contains(picture, "</svg>"));
    CHECK_FALSE(contains(picture, "convex (Lan, Zhou), d = 40"));  // a long title is broken into lines
    // Its batches take all components: the same values, whatever the clock shows.
    const std::string runs = "out/lqx/" + figure + "/panel1-curve";
    const auto values = [&](int curve) {
      return *claros::read_trace(folder / (runs + std::to_string(curve) + "/0/trace.csv")).find("value");
    };
    CHECK(values(1) == values(3));
  }
}

TEST_CASE(
    "reproduce: every figure of GK runs, small: one matrix, other draws a seed, and every curve comes down") {
  const TestFolder folder;
  for (const auto& [figure, curves, finding] :
       {std::tuple{"figure1", 4, "| SVRGCG beats SCGS to f* + eps |"},
        {"figure2", 4, "| SVRGCG is lower than SCG at the same cost |"},
        {"constrained", 5, "| SVRGCG beats SCGS to f* + eps/4 |"},
        {"psd", 4, "| SVRGCG beats SCG to f* + eps |"},
        {"sensing", 4, "| SVRGCG beats SCGS to f* + eps |"},
        {"sum", 4, "| SVRGCG beats STORC to f* + eps |"}}) {
    CAPTURE(figure);
    Words words{"reproduce",     std::string("gk/") + figure, "--seeds",    "2",     "--jobs", "2",
                "set.radius=40", "stop.iterations=40",        "stop.lo=80", "--out", "out"};
    if (figure == std::string("constrained"))
      words.emplace_back("set.radius=235");  // its constraints are of its own size
    else
      words.emplace_back("data.rows=20");
    if (figure == std::string("sensing")) words.emplace_back("stop.sfo=100000");
    const auto outcome = ask(folder.path(), words);
    CHECK_MESSAGE(outcome.code <= 1, outcome.err);
    CHECK_MESSAGE(contains(outcome.out, finding), outcome.out);
    const std::string picture = folder.get(std::string("out/gk/") + figure + "/figure.svg");
    CHECK(contains(picture, ">eps<"));
    // One method, one colour: SVRGCG has the first in every figure, STORC the sixth of the paper's methods.
    CHECK(contains(picture, "stroke='rgb(  0, 114, 178)'"));
    CHECK(contains(picture, "stroke='rgb( 86, 180, 233)'") == (figure == std::string("sum")));
    for (int curve = 1; curve <= curves; ++curve) {
      CAPTURE(curve);
      const auto column = [&](int seed, const char* name) {
        return *claros::read_trace(folder /
                                   (std::string("out/gk/") + figure + "/panel1-curve" +
                                    std::to_string(curve) + "/" + std::to_string(seed) + "/trace.csv"))
                    .find(name);
      };
      const auto first = column(0, "unsmoothed"), second = column(1, "unsmoothed");
      CHECK((first.front() == second.front()) ==
            (figure != std::string("sum")));  // the draws of a sum are part of the problem
      CHECK(first.back() != second.back());
      CHECK(first.back() < first.front());
      for (const double gap : column(0, "gap")) CHECK(std::isfinite(gap));
      const json result = json::parse(folder.get(std::string("out/gk/") + figure + "/panel1-curve" +
                                                 std::to_string(curve) + "/0/result.json"));
      CHECK(result.at("measured_on") ==
            (figure == std::string("sum") ? "all 1000 components" : "the expectation, in closed form"));
    }
  }
}

TEST_CASE(
    "reproduce: no method is below the lower bound of SFZ before its time, and the theory board runs, "
    "small") {
  const TestFolder folder;
  const auto bound =
      ask(folder.path(), {"reproduce", "sfz/lower-bound", "--seeds", "1", "stop.lo=300", "--out", "out"});
  CHECK_MESSAGE(bound.code <= 1, bound.err);
  for (const int T : {8, 16, 32, 64, 128, 256}) {
    // Line search needs one linear minimisation more than the bound.
    CHECK(contains(bound.out, "| T = " + std::to_string(T) + " | " + std::to_string(T + 1) + " ["));
    for (const std::string curve : {"line search", "adaptive"})
      CHECK(contains(bound.out, "linear minimisations | " + curve +
                                    " | V_C (linear minimisations) (reached) | T = " + std::to_string(T) +
                                    " |"));
  }
  for (std::size_t at = 0; (at = bound.out.find("| V_C > eps D before", at)) != std::string::npos; ++at)
    CHECK_FALSE(contains(bound.out.substr(at, bound.out.find('\n', at) - at), "fails"));
  const auto board = ask(folder.path(), {"reproduce", "sfz/rates", "--seeds", "1", "data.rows=100",
                                         "stop.lo=3", "--out", "out"});
  CHECK_MESSAGE(board.code <= 1, board.err);
  for (const auto& [curve, power] : {std::pair{"SG but stop.lo=3", "eps^-2"},
                                     {"SVRG", "eps^0"},
                                     {"CASVRG", "eps^0.4"},
                                     {"CASPIDER", "eps^0.5"}})
    CHECK(contains(board.out, std::string("| Table 1, gradients a step: ") + power + ", within 0.1 | " +
                                  curve + " | gradients (ratio) | as a power of eps |"));
  CHECK(contains(board.out, "(9): E\\|\\|g - grad f\\|\\|^2 <= eps^2/4 | SG but stop.lo=3 |"));
  const std::string in_logarithms = folder.get("out/sfz/rates/figure.svg");
  CHECK_FALSE(contains(in_logarithms, "M<"));
  // Large numbers have room side by side on a narrow axis.
  fs::create_directory(folder / "papers");
  fs::copy(fs::read_symlink("/proc/self/exe").parent_path() / "../share/claros/papers/sfz",
           folder / "papers/sfz", fs::copy_options::recursive);
  std::string linear = folder.get("papers/sfz/experiment.json");
  const std::string option = ", \"log_x\": true";
  while (contains(linear, option)) linear.erase(linear.find(option), option.size());
  folder.put("papers/sfz/experiment.json", linear);
  CHECK(ask(folder.path(), {"reproduce", "sfz/rates", "--papers", "papers", "--redraw", "--seeds", "1",
                            "data.rows=100", "stop.lo=3", "--out", "out"})
            .code <= 1);
  const std::string picture = folder.get("out/sfz/rates/figure.svg");
  CHECK(contains(picture, ">200k<"));
  CHECK(contains(picture, ">1M<"));
  CHECK_FALSE(contains(picture, "e+0"));
}

TEST_CASE(
    "reproduce: the figure of QLX whose data is the user's own names it, and runs on a file of that form") {
  const TestFolder folder;
  const auto without = ask(folder.path(), {"reproduce", "qlx/figure7"});
  CHECK(without.code == 2);
  CHECK(contains(without.err, "data = FILE"));
  std::string table;
  for (int i = 0; i < 25; ++i)
    for (int j = 0; j < 40; ++j) table += std::to_string(std::sin(1.0 + i * 40 + j)) + (j == 39 ? '\n' : ',');
  const auto outcome = ask(folder.path(), {"reproduce", "qlx/figure7", "--seeds", "1", "stop.passes=3",
                                           "objective.data=" + folder.put("boston.csv", table).string()});
  CHECK_MESSAGE(outcome.code <= 1, outcome.err);
  CHECK(contains(outcome.out, "SGD swings above 0.1"));
}

TEST_CASE(
    "reproduce: the figures of QLX on sparse files run on files of their form, and name the data that "
    "replace the paper's") {
  const TestFolder folder;
  CHECK(contains(ask(folder.path(), {"reproduce", "qlx/figure5"}).err, "data = FILE"));
  std::string signs, classes;
  for (int i = 0; i < 40; ++i) {
    std::string row;
    for (int j = 1 + i % 3; j <= 30; j += 4)
      row += ' ' + std::to_string(j) + ":" + std::to_string(1 + (i * j) % 3);
    signs += (i % 2 ? "-1" : "1") + row + '\n', classes += std::to_string(1 + i % 20) + row + '\n';
  }
  const auto made = [&](const std::string& figure, const std::string& data) {
    return ask(folder.path(), {"reproduce", "qlx/" + figure, "--seeds", "1", "stop.passes=3",
                               "objective.data=" + (folder / data).string()});
  };
  folder.put("signs.svm", signs), folder.put("classes.svm", classes);
  for (const auto& [figure, data, title] : {std::tuple{"figure5", "classes.svm", "news20 in place of rcv1"},
                                            {"figure5-rcv1", "signs.svm", "logistic l1 on rcv1"},
                                            {"figure6", "signs.svm", "a9a in place of sido0"},
                                            {"figure6-sido0", "signs.svm", "logistic l1 on sido0"}}) {
    CAPTURE(figure);
    const auto outcome = made(figure, data);
    CHECK_MESSAGE(outcome.code <= 1, outcome.err);
    CHECK(contains(outcome.out, title));
    CHECK(contains(outcome.out, "SAG converges at least linearly"));
  }
  // Labels of two classes are all up to 10: no problem of two classes is left.
  const auto wrong = made("figure5", "signs.svm");
  CHECK(wrong.code == 4);
  CHECK(contains(wrong.err, "all 40 responses are 1 by positive = <= 10"));
}

TEST_CASE("reproduce: numbers for programs are those of the page, with how many seeds stand behind each") {
  const TestFolder folder;
  const auto outcome = ask(folder.path(), kSmall);
  const json numbers = json::parse(folder.get("reproduced/sfz/figure1/numbers.json"));
  CHECK(numbers.at("figure") == "sfz/figure1");
  CHECK(numbers.at("seeds") == 2);
  const json median =
      numbers.at("rows").at("V_C").at("best").at("|S| = n/10 but estimator.batch=9").at("SVRG");
  REQUIRE(median.size() == 5);
  CHECK(median[3] == 2);
  CHECK(median[4] == 2);
  CHECK(median[1].get<double>() <= median[0].get<double>());
  std::size_t ratios = 0, fails = 0;
  for (const json& verdict : numbers.at("verdicts")) {
    CHECK(verdict.at("low").get<double>() <= verdict.at("value").get<double>());
    ++ratios, fails += verdict.at("outcome") == "fails";
  }
  std::size_t rows = 0, bold = 0;
  for (const std::string& line : lines(outcome.out)) {
    const bool verdict = contains(line, " / ") && line.starts_with("| ");
    rows += verdict, bold += verdict && contains(line, "| **fails** |");
  }
  CHECK(ratios == rows);
  CHECK(fails == bold);
}

TEST_CASE("reproduce: what is made at another size says so in title, panels, curves, rows and tables") {
  const TestFolder folder;
  const auto own =
      ask(folder.path(), {"reproduce", "sfz/figure1", "--seeds", "2", "--out", "own", "data.rows=30",
                          "data.cols=30", "stop.epochs=1", "estimator.use=spider"});
  const std::string with = ", with data.rows=30, data.cols=30, stop.epochs=1, estimator.use=spider";
  CHECK(contains(own.out, "# Figure 1: rank 5, noise 10" + with));
  CHECK(contains(own.out, "| SVRG but estimator.use=spider | SPIDER | CASVRG but estimator.use=spider |"));
  CHECK(contains(folder.get("own/sfz/figure1/figure.svg"), "with data.rows=30"));
  CHECK(contains(folder.get("own/sfz/figure1/report.html"), with));
  // A share of the components: the labels of the panels hold at every size.
  CHECK(contains(own.out, "| \\|S\\| = n/20 |"));
  CHECK(contains(folder.get("own/sfz/figure1/panel2-curve1/0/spec.ini"), "batch = 1/20"));
  const auto another =
      ask(folder.path(), {"reproduce", "gk/figure1", "--seeds", "1", "data.rows=20", "set.radius=40",
                          "stop.iterations=5", "stop.lo=9", "--out", "own"});
  CHECK(contains(another.out, "# Figure 1: sparse and of rank 1, d = 20, noise 5, with data.rows=20"));
  CHECK(contains(another.out, "f - f* (draws), with f* and eps of the whole size (reached over the run)"));
  CHECK(contains(another.out, "| SVRGCG but stop.iterations=5 |"));
  const auto columns = ask(folder.path(), {"reproduce", "sfz/lower-bound", "--seeds", "1", "stop.lo=20",
                                           "objective.columns=8", "--out", "own"});
  CHECK(contains(columns.out, "| T = 16 but objective.columns=8 |"));
  // No exponent over panels that are not what they are called.
  CHECK(contains(columns.out, "| V_C (linear minimisations) (reached) | - | - | - | - | - |"));
}

TEST_CASE("reproduce: a small version has no verdict and ends with 0; --quiet prints nothing") {
  const TestFolder folder;
  const auto small = ask(folder.path(), {"reproduce", "sfz/figure1", "--small", "--out", "out"});
  CHECK_MESSAGE(small.code == 0, small.err);
  CHECK(contains(small.out, "stop.epochs=3 (small version)\n"));
  for (const std::string word : {"holds", "fails", "undecided", "## Verdicts"})
    CHECK_FALSE_MESSAGE(contains(small.out, word), word);
  const auto quiet = ask(folder.path(), {"reproduce", "sfz/figure1", "--small", "--out", "out", "--quiet"});
  CHECK(quiet.code == 0);
  CHECK(quiet.out.empty());
  CHECK(quiet.err.empty());
}

TEST_CASE(
    "reproduce: with the plugins of apps/quickstart alone, what is missing is said to be not built yet") {
  const TestFolder folder;
  const fs::path built = fs::read_symlink("/proc/self/exe").parent_path() / "..";
  fs::create_directories(folder / "bin");
  fs::create_directories(folder / "lib/claros/plugins");
  fs::create_directories(folder / "papers");
  fs::copy_file(built / "bin/claros", folder / "bin/claros");
  for (const auto& file : fs::directory_iterator(built / "lib"))
    if (file.is_regular_file())
      fs::copy_file(file, folder / "lib" / file.path().filename());
    else if (file.is_symlink())
      fs::copy_symlink(file, folder / "lib" / file.path().filename());
  for (const char* file : {"components.txt", "claros_objective_linear-model.so", "claros_loss_squared.so"})
    fs::copy_file(built / "lib/claros/plugins" / file, folder / "lib/claros/plugins" / file);
  fs::copy(built / "share/claros/papers/qlx", folder / "papers/qlx", fs::copy_options::recursive);
  const std::string home = folder.path().string();
  const std::string asked = "cd '" + home + "' && LD_LIBRARY_PATH='" + home + "/lib' CLAROS_TRUST='" + home +
                            "' timeout 60 bin/claros reproduce qlx/figure1 --papers papers >told 2>&1";
  CHECK(std::system(asked.c_str()) != 0);
  const std::string told = folder.get("told");
  CHECK_MESSAGE(contains(told, "there is no data named 'synthetic-regression'"), told);
  CHECK_MESSAGE(contains(told, "built by cmake --build --preset release"), told);
  CHECK_FALSE(contains(told, "check the plugin path"));
  CHECK_FALSE(contains(told, "did you mean"));
}

TEST_CASE("reproduce: of one seed no finding holds or fails") {
  const TestFolder folder;
  Words one = kSmall;
  *(std::find(one.begin(), one.end(), "--seeds") + 1) = "1";
  const auto outcome = ask(folder.path(), one);
  CHECK(outcome.code == 0);
  CHECK(contains(outcome.out, "Seed 0 alone: a finding neither holds nor fails"));
  CHECK(contains(outcome.out, "| one seed |"));
  CHECK_FALSE(contains(outcome.out, "| holds |"));
  CHECK_FALSE(contains(outcome.out, "**fails**"));
  CHECK(contains(folder.get("reproduced/sfz/figure1/figure.svg"), "(1 seed)"));
}

namespace {

/// A copy of the papers' folder of SFZ, with one text of its file replaced.
std::string changed_papers(const TestFolder& folder, const std::string& from, const std::string& to) {
  fs::create_directory(folder / "papers");
  fs::copy(fs::read_symlink("/proc/self/exe").parent_path() / "../share/claros/papers/sfz",
           folder / "papers/sfz", fs::copy_options::recursive);
  std::string text = folder.get("papers/sfz/experiment.json");
  const auto at = text.find(from);
  REQUIRE(at != text.npos);
  folder.put("papers/sfz/experiment.json", text.replace(at, from.size(), to));
  return "papers";
}

}  // namespace

TEST_CASE("reproduce: rows over seconds are drawn and not judged, and a verdict that names one is refused") {
  const TestFolder drawn, named;
  Words words = kSmall;
  words.insert(words.end(), {"--papers", changed_papers(drawn, "\"column\": \"gap\"",
                                                        "\"x\": \"seconds\", \"column\": \"gap\"")});
  const auto outcome = ask(drawn.path(), words);
  CHECK(contains(outcome.out, "V_C (best over the run)"));
  CHECK(contains(outcome.out, "| RMSE (best) |"));
  CHECK_FALSE(contains(outcome.out, "| V_C (best) |"));
  changed_papers(named, "\"column\": \"gap\"", "\"x\": \"seconds\", \"column\": \"gap\"");
  std::string text = named.get("papers/sfz/experiment.json");
  const std::string claim = "\"claim\": \"curvature-aided below first-order\"";
  named.put("papers/sfz/experiment.json", text.insert(text.find(claim), "\"rows\": [\"V_C\"], "));
  const auto refused = ask(named.path(), words);
  CHECK(refused.code == 4);
  CHECK_MESSAGE(contains(refused.err, "whose x axis is seconds"), refused.err);
}

TEST_CASE("reproduce: differences below the gap of a reference that is solved to one are shown as that gap") {
  const TestFolder folder;
  const auto outcome = ask(folder.path(), {"reproduce", "lqx/figure1-small", "--small", "--seeds", "1",
                                           "stop.passes=3000", "--out", "out"});
  CHECK_MESSAGE(outcome.code <= 1, outcome.err);
  CHECK(contains(outcome.out, "| panel | value | gap | rank or support |"));
  CHECK(contains(outcome.out, "smaller differences are shown as that gap"));
  const auto trace = claros::read_trace(folder / "out/lqx/figure1-small-reference/panel1/0/trace.csv");
  const auto& gaps = *trace.find("gap");
  double gap = INFINITY;
  for (const double one : gaps) gap = std::fmin(gap, one);
  REQUIRE(gap > 0.0);
  const json numbers = json::parse(folder.get("out/lqx/figure1-small/numbers.json"));
  const json last = numbers.at("rows").at("f - f* (seconds)").at("last").at("L/s = 1000");
  for (const auto& [curve, median] : last.items())
    CHECK_MESSAGE(median[0].get<double>() >= gap * (1.0 - 1e-5), curve);
  CHECK(last.at("FISTA")[0].get<double>() == doctest::Approx(gap).epsilon(1e-5));  // as far as its reference
}

TEST_CASE("reproduce: two runs at a time say the same") {
  const TestFolder one, two;
  Words more = kSmall;
  more.insert(more.end(), {"--jobs", "2"});
  const auto alone = ask(one.path(), kSmall), beside = ask(two.path(), more);
  CHECK(alone.out == beside.out);
  CHECK(one.get("reproduced/sfz/figure1/figure.svg") == two.get("reproduced/sfz/figure1/figure.svg"));
}

namespace {

Words told(const Words& more = {}) {
  Words words = kSmall;
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

const std::string kPage = "reproduced/sfz/figure1/findings.md",
                  kPicture = "reproduced/sfz/figure1/figure.svg";

/// The page without the line that holds the command.
std::string page(const TestFolder& folder) {
  std::string text;
  for (const std::string& line : lines(folder.get(kPage)))
    if (!line.starts_with("Made by")) text += line + '\n';
  return text;
}

std::size_t runs_made(const std::string& err) {
  std::size_t count = 0;
  for (const std::string& line : lines(err)) count += contains(line, "/50 ") && contains(line, ", seed ");
  return count;
}

fs::path plugin_folder() {
  return fs::read_symlink("/proc/self/exe").parent_path() / "../lib/claros/plugins";
}

}  // namespace

TEST_CASE("reproduce: a killed figure continues, and ends with the same page and picture") {
  const TestFolder whole, killed;
  (void)ask(whole.path(), kSmall);
  {
    const Child child({told(), killed.path(), {}, false, {}});
    wait_for(killed / "reproduced/sfz/figure1/panel2-curve3/1/result.json");
    child.signal(SIGKILL);
  }
  CHECK_FALSE(fs::exists(killed / kPage));
  const auto outcome = ask(killed.path(), told());
  CHECK(contains(outcome.err, " of 50 runs are up to date and are kept"));
  CHECK(runs_made(outcome.err) > 0);
  CHECK(runs_made(outcome.err) <= 50 - 16);
  CHECK(page(killed) == page(whole));
  CHECK(killed.get(kPicture) == whole.get(kPicture));
}

TEST_CASE("reproduce: after every run the time left is printed") {
  const TestFolder folder;
  Words words = told({"stop.epochs=300"});
  *(std::find(words.begin(), words.end(), "--seeds") + 1) = "1";
  const Words all = lines(ask(folder.path(), words).err);
  CHECK(std::any_of(all.begin(), all.end(), [](const std::string& line) {
    return contains(line, "; about ") && line.ends_with(" left");
  }));
  CHECK_FALSE(contains(all.at(all.size() - 2), " left"));  // the last run: none are left
}

TEST_CASE("reproduce: only what changed is made again: a setting, the number of seeds, a plugin's content") {
  const TestFolder folder;
  (void)ask(folder.path(), kSmall);
  const std::string first = page(folder);
  CHECK(runs_made(ask(folder.path(), told()).err) == 0);
  CHECK(page(folder) == first);

  const auto other = ask(folder.path(), told({"stop.epochs=2"}));
  CHECK(runs_made(other.err) == 50);
  CHECK(page(folder) != first);
  CHECK(runs_made(ask(folder.path(), told()).err) == 50);
  CHECK(page(folder) == first);

  Words one = told();
  *(std::find(one.begin(), one.end(), "--seeds") + 1) = "1";
  CHECK(contains(ask(folder.path(), one).err, "25 of 25 runs are up to date"));
  CHECK(contains(ask(folder.path(), told()).err, "50 of 50 runs are up to date"));

  fs::create_directories(folder / "mine");
  fs::copy_file(plugin_folder() / "claros_estimator_sg.so", folder / "mine/claros_estimator_sg.so");
  std::ofstream(folder / "mine/claros_estimator_sg.so", std::ios::binary | std::ios::app) << "rebuilt";
  const auto rebuilt = ask(folder.path(), told({"--plugin-path", (folder / "mine").string()}));
  CHECK_MESSAGE(contains(rebuilt.err, "40 of 50 runs are up to date"), rebuilt.err);
  CHECK(runs_made(rebuilt.err) == 10);
  CHECK(page(folder) == first);
}

TEST_CASE("reproduce: a run whose result is not whole is made again") {
  const TestFolder folder;
  (void)ask(folder.path(), kSmall);
  const std::string first = page(folder);
  folder.put("reproduced/sfz/figure1/panel1-curve1/0/result.json", "{\"status\": \"epochs\"");
  CHECK(runs_made(ask(folder.path(), told()).err) == 1);
  CHECK(page(folder) == first);
}

TEST_CASE("reproduce: --redraw makes no run, and names the missing one") {
  const TestFolder folder;
  const auto nothing = ask(folder.path(), told({"--redraw"}));
  CHECK(nothing.code == 2);
  CHECK(contains(nothing.err, "is missing in"));
  (void)ask(folder.path(), kSmall);
  const std::string first = page(folder);
  fs::remove(folder / kPicture);
  fs::create_directories(folder / "mine");
  fs::copy_file(plugin_folder() / "claros_estimator_sg.so", folder / "mine/claros_estimator_sg.so");
  std::ofstream(folder / "mine/claros_estimator_sg.so", std::ios::binary | std::ios::app) << "rebuilt";
  const auto outcome = ask(folder.path(), told({"--redraw", "--plugin-path", (folder / "mine").string()}));
  CHECK(runs_made(outcome.err) == 0);
  CHECK(fs::exists(folder / kPicture));
  CHECK(page(folder) == first);
  // The record still names what made the runs: without --redraw the changed plugin counts.
  CHECK(runs_made(ask(folder.path(), told({"--plugin-path", (folder / "mine").string()})).err) == 10);
}

TEST_CASE("reproduce: the record of a figure names every component in its runs, with its content") {
  const TestFolder folder;
  (void)ask(folder.path(), kSmall);
  const json record = json::parse(folder.get("reproduced/sfz/figure1/figure.json"));
  CHECK(record.at("figure") == "sfz/figure1");
  for (const std::string label : {"claros", "estimator/sg", "estimator/caspider", "algorithm/frank-wolfe",
                                  "set/nuclear-ball", "objective/matrix-completion", "data/synthetic"})
    CHECK_MESSAGE(record.at("parts").contains(label), label);
  CHECK_FALSE(record.at("parts").contains("penalty/l1"));
}

TEST_CASE("reproduce: misspelt words are reported before the first run") {
  const TestFolder folder;
  const auto name = ask(folder.path(), {"reproduce", "sfz/figure5"});
  CHECK(name.code == 2);
  CHECK(contains(name.err, "'sfz/figure5': is not a figure of a paper (did you mean"));
  const auto key = ask(folder.path(), {"reproduce", "sfz/figure1", "estimator.bath=3"});
  CHECK(key.code == 2);
  CHECK(contains(key.err, "batch"));
  const auto seeds = ask(folder.path(), {"reproduce", "sfz/figure1", "--seeds", "none"});
  CHECK(seeds.code == 2);
  CHECK(contains(seeds.err, "--seeds"));
  CHECK_FALSE(std::filesystem::exists(folder / "reproduced"));
}

TEST_CASE("reproduce: a file of experiments that is broken is named") {
  const TestFolder folder;
  std::filesystem::create_directories(folder / "papers/mine");
  folder.put("papers/mine/experiment.json", "{\"figures\": {\"one\": {\"title\": \"t\"}}}");
  const auto outcome = ask(folder.path(), {"reproduce", "mine/one", "--papers", "papers"});
  CHECK(outcome.code == 4);
  CHECK(contains(outcome.err, "papers/mine/experiment.json"));
  const auto none = ask(folder.path(), {"reproduce", "mine/one", "--papers", "absent"});
  CHECK(none.code == 2);
  CHECK(contains(none.err, "absent holds none"));
}

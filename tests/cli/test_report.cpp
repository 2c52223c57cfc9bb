// SPDX-License-Identifier: BSD-3-Clause
#include "program.hpp"

#include <claros/parameters.hpp>

#include <csignal>
#include <regex>

using namespace claros::test;

namespace {

std::string page_of(const TestFolder& folder, const Words& words, const std::string& file) {
  const auto outcome = ask(folder.path(), with({"report"}, words));
  CAPTURE(outcome.err);
  REQUIRE(outcome.code == 0);
  CHECK(outcome.out == file + "\n");
  return folder.get(file);
}

/// The JSON behind the pictures of a page.
nlohmann::json data_of(const std::string& page) {
  const std::string begin = "id=\"data\">";
  const auto from = page.find(begin) + begin.size();
  return nlohmann::json::parse(page.substr(from, page.find("</script>", from) - from));
}

std::vector<double> column_of(const nlohmann::json& member, const std::string& name) {
  std::vector<double> numbers;
  std::istringstream words(member.at(name).get<std::string>());
  for (std::string word; std::getline(words, word, ',');)
    numbers.push_back(word.empty() ? std::nan("") : std::stod(word));
  return numbers;
}

}  // namespace

TEST_CASE("report: a run, with its ending, its curve, its specification and its policy") {
  const TestFolder folder;
  put_problem(folder);
  REQUIRE(ask(folder.path(), {"run", "spec.ini", "--quiet", "--out", "alone"}).code == 0);
  const std::string page = page_of(folder, {"alone"}, "alone/report.html");
  const auto result = nlohmann::json::parse(folder.get("alone/result.json"));
  CHECK(
      contains(page, "It ended after " + std::to_string(result.at("iterations").get<int>()) + " iterations"));
  CHECK(contains(page, result.at("explanation").get<std::string>()));
  CHECK(contains(page, "<h2>Where the time went</h2>"));
  CHECK(contains(page, "This table scrolls"));  // the script says so of every table that does
  CHECK(contains(page, "use = matrix-completion"));
  CHECK(contains(page, "default-src &#39;none&#39;") + contains(page, "default-src 'none'") == 1);
  for (const char* outside : {"http://", "https://", "<link", "@import", "url("}) {
    std::string rest = page;
    // The name of the SVG namespace is no address.
    for (std::size_t at; (at = rest.find("http://www.w3.org/2000/svg")) != rest.npos;) rest.erase(at, 26);
    CHECK_MESSAGE(!contains(rest, outside), outside);
  }
  const auto data = data_of(page);
  const auto& member = data.at("figures").at(0).at("curves").at(0).at("members").at(0);
  CHECK(column_of(member, "passes").size() == column_of(member, "gap").size());
  CHECK(std::regex_search(page, std::regex("<path class=\"line s0 d0\" d=\"M[^\"]*L")));
}

TEST_CASE("report: a comparison has a curve for each cell and the medians of its table") {
  const TestFolder folder;
  put_problem(folder);
  REQUIRE(ask(folder.path(), {"compare", "spec.ini", "--quiet", "--vary", "algorithm.step=agnostic,short",
                              "--repeat", "3", "--out", "grid"})
              .code == 0);
  const std::string page = page_of(folder, {"grid", "--out", "a page.html"}, "a page.html");
  const auto data = data_of(page);
  REQUIRE(data.at("figures").size() == 1);
  CHECK(data.at("figures").at(0).at("curves").size() == 2);
  CHECK(data.at("figures").at(0).at("curves").at(1).at("members").size() == 3);
  CHECK(contains(page, "2 settings in 6 runs"));
  CHECK(contains(page, "algorithm/frank-wolfe"));
  CHECK(contains(page, "--vary algorithm.step=agnostic,short --repeat 3 --out again"));
  // Cells of two folders keep the names of both.
  fs::copy(folder / "grid", folder / "other", fs::copy_options::recursive);
  const auto both = data_of(page_of(folder, {"grid", "other"}, "report.html"));
  CHECK(both.at("figures").at(0).at("curves").at(3).at("label") == "other: step=short");
}

TEST_CASE("report: thousands of rows become few, and keep the extremes") {
  const TestFolder folder;
  put_problem(folder);
  REQUIRE(ask(folder.path(), {"run", "spec.ini", "--quiet", "--out", "alone"}).code == 0);
  std::string trace = "iteration,seconds,value,gap\n";
  for (int k = 0; k < 30000; ++k)
    trace += std::to_string(k) + ',' + std::to_string(k * 1e-3) + ',' + (k == 12345 ? "77" : "1") + ',' +
             (k == 23456 ? "1e-9" : "0.5") + '\n';
  folder.put("alone/trace.csv", trace);
  reseal(folder / "alone");
  const auto data = data_of(page_of(folder, {"alone"}, "alone/report.html"));
  const auto& member = data.at("figures").at(0).at("curves").at(0).at("members").at(0);
  const std::vector<double> at = column_of(member, "iteration"), value = column_of(member, "value"),
                            gap = column_of(member, "gap");
  CHECK(at.size() > 500);
  CHECK(at.size() <= 2002);
  CHECK(at.front() == 0);
  CHECK(at.back() == 29999);
  CHECK(std::is_sorted(at.begin(), at.end()));
  CHECK(*std::max_element(value.begin(), value.end()) == 77);
  CHECK(*std::min_element(gap.begin(), gap.end()) == 1e-9);
}

TEST_CASE("report: names and contents of files stay text") {
  const TestFolder folder;
  put_problem(folder);
  REQUIRE(ask(folder.path(), {"run", "spec.ini", "--quiet", "--out", "alone"}).code == 0);
  for (const std::string name : {"<script>alert(1)<", "\"><img src=x onerror=alert(1)>", "a'b&amp;c",
                                 "]]><!--", "\xE2\x80\xAEtxt", "\xFF\xFE<b>", "\x1b[31m", "<title>"}) {
    CAPTURE(name);
    fs::copy(folder / "alone", folder / name, fs::copy_options::recursive);
    const auto outcome = ask(folder.path(), {"report", "alone", name, "--title", name, "--quiet"});
    REQUIRE(outcome.code == 0);
    CHECK(outcome.out.empty());
    const std::string page = folder.get("report.html");
    // Tags are those of the page itself.
    for (const char* tag : {"<script>alert", "<img", "<b>", "<!--", "\xE2\x80\xAE", "\x1b", "<title><"})
      CHECK_MESSAGE(!contains(page, tag), tag);
    CHECK(data_of(page).at("figures").at(0).at("curves").size() == 2);
  }
}

TEST_CASE("report: what cannot be reported is refused, all of it at once") {
  const TestFolder folder;
  put_problem(folder);
  REQUIRE(ask(folder.path(), {"run", "spec.ini", "--quiet", "--out", "alone"}).code == 0);
  const auto refused = ask(folder.path(), {"report", "alone", "--out", "page.pdf", "--picture", "a.txt"});
  CHECK(refused.code == 2);
  CHECK(lines(refused.err).size() == 2);
  CHECK(contains(refused.err, ".html"));
  CHECK(contains(refused.err, "--picture a.txt"));
  const auto absent = ask(folder.path(), {"report", "alone", "absent", "nor"});
  CHECK(absent.code == 4);
  CHECK(lines(absent.err).size() == 2);
  CHECK(contains(absent.err, "absent: holds neither result.json nor comparison.json"));
  CHECK(ask(folder.path(), {"report", "alone", "--picture", "absent.png"}).code == 4);
  folder.put("alone/trace.csv", "iteration,gap\n1,2\n");
  CHECK(contains(ask(folder.path(), {"report", "alone"}).err, "trace.csv: is not the file that was written"));
  folder.put("alone/result.json", "{\"versions\": 3");
  CHECK(ask(folder.path(), {"report", "alone"}).code == 4);
}

TEST_CASE("report: --watch keeps a page while a run goes on, and a whole one after it") {
  const TestFolder folder;
  put_problem(folder);
  Child child({{"run", "spec.ini", "--quiet", "--watch", "--out", "alone", "stop.iterations=1000000000"},
               folder.path(),
               {},
               false,
               {}});
  wait_for(folder / "alone/report.html");
  const std::string first = folder.get("alone/report.html");
  CHECK(contains(first, "Claros solves matrix-completion"));
  CHECK(data_of(first).at("live") == true);
  CHECK(contains(first, "http-equiv=\"refresh\""));
  wait_for_next(folder / "alone/report.html");
  const auto rows = [&] {
    return data_of(folder.get("alone/report.html"))
        .at("figures")
        .at(0)
        .at("curves")
        .at(0)
        .at("members")
        .at(0);
  };
  CHECK(column_of(rows(), "passes").size() > 1);
  child.signal(SIGINT);
  CHECK(child.wait().code == 130);
  const std::string last = folder.get("alone/report.html");
  CHECK(data_of(last).at("live") == false);
  CHECK_FALSE(contains(last, "http-equiv=\"refresh\""));
  CHECK(contains(last, "Where the time went"));
  // The folder stays that of a run.
  CHECK(ask(folder.path(), {"run", "spec.ini", "--quiet", "--out", "alone"}).code == 0);
}

TEST_CASE("report: --watch of a comparison and of a path; without --out it is refused") {
  const TestFolder folder;
  put_problem(folder);
  REQUIRE(ask(folder.path(),
              {"compare", "spec.ini", "--watch", "--vary", "algorithm.step=agnostic,short", "--out", "grid"})
              .code == 0);
  CHECK(data_of(folder.get("grid/report.html")).at("live") == false);
  CHECK(contains(folder.get("grid/report.html"), "2 settings in 2 runs"));
  folder.put("rows.csv", "a,b,y\n1,0.2,1.1\n-0.4,1,0.3\n0.5,-1,0.2\n2,0.4,2.2\n-1,0.3,-0.8\n0.1,0.8,0.4\n");
  REQUIRE(ask(folder.path(), {"path", "objective.use=linear-model", "objective.data=rows.csv",
                              "penalty.use=l1", "--lambdas", "8", "--folds", "3", "--watch", "--out", "path"})
              .code == 0);
  const auto path = data_of(folder.get("path/report.html"));
  CHECK(path.at("figures").size() == 2);
  CHECK(path.at("figures").at(0).at("marks").size() == 2);
  CHECK(path.at("live") == false);
  for (const Words& command : {Words{"run", "spec.ini"}, Words{"compare", "spec.ini", "--repeat", "2"}}) {
    const auto refused = ask(folder.path(), with(command, {"--watch"}));
    CHECK(refused.code == 2);
    CHECK(contains(refused.err, "--watch: expected --out DIR"));
  }
}

TEST_CASE("report: a path of standardised columns is drawn by effects, whatever units its columns have") {
  const TestFolder folder;
  const auto figure = [&](double unit, const std::string& standardize) {
    std::string rows = "a,b,y\n";
    for (int k = 0; k < 30; ++k) {
      const double a = std::sin(1.7 * k), b = std::cos(2.9 * k);
      rows += claros::print_real(a) + ',' + claros::print_real(unit * b) + ',';
      rows += claros::print_real(a - 2 * b) + '\n';
    }
    folder.put("rows.csv", rows);
    REQUIRE(ask(folder.path(), {"path", "objective.use=linear-model", "objective.data=rows.csv",
                                "objective.standardize=" + standardize, "penalty.use=l1", "--lambdas", "4",
                                "--explained", "1", "--quiet", "--out", "path"})
                .code == 0);
    return data_of(page_of(folder, {"path", "--out", "page.html"}, "page.html")).at("figures").at(0);
  };
  const auto near = figure(1.0, "yes"), far = figure(1e-6, "yes"), plain = figure(1.0, "no");
  CHECK(near.at("y").dump().find("coefficient x deviation") != std::string::npos);
  CHECK(plain.at("y").dump().find("deviation") == std::string::npos);
  for (std::size_t c : {0U, 1U}) {
    const auto one = near.at("curves").at(c), other = far.at("curves").at(c);
    CHECK(one.at("label") == other.at("label"));
    const auto values = column_of(one.at("members").at(0), "coefficient"),
               others = column_of(other.at("members").at(0), "coefficient");
    REQUIRE(values.size() == 4);
    for (std::size_t k = 0; k < 4; ++k) CHECK(values[k] == doctest::Approx(others[k]).epsilon(1e-4));
  }
}

TEST_CASE("report: --against compares predictions with known values") {
  const TestFolder folder;
  std::string rows = "a,b,y\n", classes = "a,b,y\n";
  for (int k = 0; k < 40; ++k) {
    const double a = std::sin(1.7 * k), b = std::cos(2.9 * k);
    rows += std::to_string(a) + ',' + std::to_string(b) + ',' +
            std::to_string(2 * a - b + 0.1 * std::sin(5.0 * k)) + '\n';
    classes += std::to_string(a) + ',' + std::to_string(b) + ',' +
               (a + 0.7 * std::sin(7.0 * k) > 0 ? "yes" : "no") + '\n';
  }
  folder.put("rows.csv", rows), folder.put("classes.csv", classes);
  const Words model{"objective.use=linear-model", "penalty.use=ridge", "penalty.lambda=0.01", "--quiet"};
  REQUIRE(
      ask(folder.path(), with(with({"run"}, model), {"objective.data=rows.csv", "--out", "numbers"})).code ==
      0);
  REQUIRE(ask(folder.path(), with(with({"run"}, model), {"objective.data=classes.csv",
                                                         "objective.loss=logistic", "--out", "classes"}))
              .code == 0);
  const std::string numbers = page_of(folder, {"numbers", "--against", "rows.csv"}, "numbers/report.html");
  CHECK(contains(numbers, "<h2>Residuals against fitted values</h2>"));
  CHECK(contains(numbers, "40 values of rows.csv: RMSE 0.0"));
  const std::regex points("<path class=\"points s0\" d=\"((?:M[-0-9.]+ [-0-9.]+h0)+)\"");
  std::smatch found;
  REQUIRE(std::regex_search(numbers, found, points));
  const std::string drawn = found[1];
  CHECK(std::count(drawn.begin(), drawn.end(), 'M') == 40);
  const std::string calibrated =
      page_of(folder, {"classes", "--against", "classes.csv"}, "classes/report.html");
  CHECK(contains(calibrated, "<h2>Calibration</h2>"));
  CHECK(contains(calibrated, "predicted probability of yes"));
  CHECK(contains(calibrated, "<th scope=\"col\">predicted no</th>"));
  // What cannot be compared.
  folder.put("bare.csv", "a,b\n1,2\n");
  const auto bare = ask(folder.path(), {"report", "numbers", "--against", "bare.csv"});
  CHECK(bare.code == 4);
  CHECK(contains(bare.err, "has no known values"));
  CHECK(contains(ask(folder.path(), {"report", "numbers", "classes", "--against", "rows.csv"}).err,
                 "expected the folder of one run"));
}

TEST_CASE("report: ratings by row and column") {
  const TestFolder folder;
  put_problem(folder);
  REQUIRE(ask(folder.path(), {"run", "spec.ini", "--quiet", "--out", "fit"}).code == 0);
  folder.put("known.csv", "1,1,3\n1,2,4\n2,1,5\n");
  const std::string page = page_of(folder, {"fit", "--against", "known.csv"}, "fit/report.html");
  CHECK(contains(page, "<h2>Ratings by row</h2>"));
  CHECK(contains(page, "<td class=\"n\">1</td><td class=\"n\">2</td><td class=\"n\">3.5</td>"));
  CHECK(contains(page, "<h2>Ratings by column</h2>"));
}

TEST_CASE("report: a path draws the coefficients by name, and not the intercept") {
  const TestFolder folder;
  folder.put("cars.csv", "age,noise,price\n1,2,905\n2,1,804\n3,2,701\n4,1,607\n5,3,499\n6,1,402\n");
  REQUIRE(ask(folder.path(), {"path", "objective.use=linear-model", "objective.data=cars.csv",
                              "penalty.use=l1", "--lambdas", "6", "--quiet", "--out", "path"})
              .code == 0);
  const auto curves = data_of(page_of(folder, {"path"}, "path/report.html")).at("figures").at(0).at("curves");
  std::vector<std::string> names;
  for (const auto& curve : curves) names.push_back(curve.at("label").get<std::string>());
  REQUIRE_FALSE(names.empty());
  CHECK(names.front() == "age");
  for (const std::string& name : names) CHECK_MESSAGE((name == "age" || name == "noise"), name);
  REQUIRE(ask(folder.path(), {"run", "objective.use=linear-model", "objective.data=cars.csv",
                              "penalty.use=l1", "penalty.lambda=1", "--quiet", "--out", "fit"})
              .code == 0);
  const std::string page = page_of(folder, {"fit"}, "fit/report.html");
  CHECK(std::regex_search(page, std::regex("of 2 are not 0; the intercept is 10\\d\\d")));
}

TEST_CASE("report: groups, a permutation and a flow are drawn as such") {
  const TestFolder folder;
  folder.put("rows.csv",
             "a,b,c,d,y\n1,0.2,0,1,1.1\n-0.4,1,2,0,0.3\n0.5,-1,1,1,0.2\n2,0.4,0,3,2.2\n-1,0.3,1,0,-0.8\n");
  REQUIRE(
      ask(folder.path(), {"run", "objective.use=linear-model", "objective.data=rows.csv", "penalty.use=group",
                          "penalty.groups=2", "penalty.lambda=0.2", "--quiet", "--out", "groups"})
          .code == 0);
  const std::string groups = page_of(folder, {"groups"}, "groups/report.html");
  CHECK(contains(groups, "<h2>The solution: norms of its groups</h2>"));
  CHECK(contains(groups, " of 2 groups are not 0"));
  folder.put("costs.csv", "3,1,2\n2,4,6\n5,2,1\n");
  REQUIRE(ask(folder.path(), {"run", "objective.use=linear", "objective.data=costs.csv", "set.use=birkhoff",
                              "--quiet", "--out", "pairs"})
              .code == 0);
  const std::string pairs = page_of(folder, {"pairs"}, "pairs/report.html");
  CHECK(contains(pairs, "which row takes which column"));
  CHECK(contains(pairs, ">row 1</text>"));
  CHECK_FALSE(contains(pairs, "The solution as a map"));
  CHECK_FALSE(contains(pairs, "gradients of full"));
  folder.put("prices.csv", "1\n5\n1\n1\n");
  REQUIRE(ask(folder.path(), {"run", "objective.use=linear", "objective.data=prices.csv", "set.use=flow",
                              "set.graph=1 2; 1 3; 2 3; 3 4", "--quiet", "--out", "flow"})
              .code == 0);
  const std::string flow = page_of(folder, {"flow"}, "flow/report.html");
  CHECK(contains(flow, "<h2>The solution: its flow</h2>"));
  // Of four arcs one has no flow.
  const auto times = [&](const std::string& what) {
    std::size_t count = 0;
    for (std::size_t at = 0; (at = flow.find(what, at)) != flow.npos; ++at) ++count;
    return count;
  };
  CHECK(times("<path class=\"line rest\" stroke-width") == 1);
  CHECK(times("<path class=\"line s0\" stroke-width") == 3);
}

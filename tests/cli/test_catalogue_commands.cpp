// SPDX-License-Identifier: BSD-3-Clause
#include "program.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>

using namespace claros::test;
using nlohmann::json;

TEST_CASE("list: usable components by kind, then what cannot be used") {
  const TestFolder folder;
  const auto plain = ask(folder.path(), {"list"});
  CHECK(plain.code == 0);
  CHECK(plain.err.empty());
  const Words all = lines(plain.out);
  for (const std::string kind : {"objective", "set", "penalty", "smoother", "estimator", "algorithm", "data"})
    CHECK(std::count(all.begin(), all.end(), kind) == 1);
  CHECK(contains(plain.out, "  nuclear-ball"));
  CHECK(contains(plain.out, "(also nfwu)"));
  CHECK_FALSE(contains(plain.out, "not usable"));

  fs::create_directory(folder / "plugins");
  folder.put("plugins/torn.so",
             "\x7F"
             "ELF");
  const auto broken = ask(folder.path(), {"--plugin-path", "plugins", "list", "set"});
  CHECK(broken.code == 0);
  CHECK_FALSE(contains(broken.out, "matrix-completion"));
  CHECK(contains(broken.out, "torn.so"));
  CHECK(contains(broken.out, "broken: "));
  CHECK(broken.out.find("not usable") > broken.out.find("nuclear-ball"));
}

TEST_CASE("list: a kind in the plural is that kind") {
  for (const char* kind : {"objective", "loss", "set", "penalty", "smoother", "estimator", "algorithm"}) {
    CAPTURE(kind);
    const std::string one = kind, ending = one.back() == 'y' ? "ies" : one.back() == 's' ? "es" : "s";
    const auto several =
        ask("/", {"list", (one.back() == 'y' ? one.substr(0, one.size() - 1) : one) + ending});
    CHECK(several.code == 0);
    CHECK(several.out == ask("/", {"list", one}).out);
  }
  CHECK(contains(ask("/", {"list", "s"}).err, "the kinds are objective"));
}

TEST_CASE("list: JSON names the kind, the file and the reason") {
  const TestFolder folder;
  folder.put("torn.so", "no library");
  const auto outcome = ask(folder.path(), {"list", "--json", "--plugin-path", folder.path()});
  CHECK(outcome.code == 0);
  const json parsed = json::parse(outcome.out);
  const auto& components = parsed.at("components");
  const auto is_ball = [](const json& c) { return c.at("kind") == "set" && c.at("name") == "nuclear-ball"; };
  const auto ball = std::find_if(components.begin(), components.end(), is_ball);
  REQUIRE(ball != components.end());
  CHECK(fs::exists(ball->at("file").get<std::string>()));
  CHECK(ball->at("aliases").at(0) == "trace-norm-ball");
  REQUIRE(parsed.at("unusable").size() == 1);
  CHECK(parsed["unusable"][0].at("file") == (folder / "torn.so").string());
  CHECK_FALSE(parsed["unusable"][0].at("reason").get<std::string>().empty());
}

TEST_CASE("list: of two plugins with one name the second is shadowed") {
  const TestFolder first, second;
  for (const TestFolder* folder : {&first, &second})
    fs::copy_file(fs::path(CLAROS_TROUBLE_DIR) / "trouble.so", *folder / "trouble.so");
  const auto outcome =
      ask(first.path(), {"list", "objective", "--plugin-path", first.path(), "--plugin-path", second.path()});
  CHECK(outcome.code == 0);
  CHECK(contains(outcome.out, "shadowed: objective/trouble already comes from"));
}

TEST_CASE("describe: a component by name, label or alias") {
  const auto page = ask("/", {"describe", "nuclear-ball"});
  CHECK(page.code == 0);
  for (const std::string part :
       {"set/nuclear-ball 1.0.0", "trace-norm-ball", "Jaggi", "claros_set_nuclear-ball.so",
        "real > 0; required; symbol tau", "one of lanczos, arpack, dense", "[set]", "use = nuclear-ball",
        "radius = 1\n"})
    CHECK_MESSAGE(contains(page.out, part), part);
  CHECK(ask("/", {"describe", "set/nuclear-ball"}).out == page.out);
  CHECK(ask("/", {"describe", "trace-norm-ball"}).out == page.out);
  for (const std::string& line : lines(page.out))
    CHECK_MESSAGE((line.size() <= 80 || contains(line, ".so")), line);
}

TEST_CASE("describe: the example section is a specification") {
  const TestFolder folder;
  put_problem(folder);
  std::string spec;
  for (const std::string name :
       {"matrix-completion", "nuclear-ball", "frank-wolfe", "stop", "trace", "run"}) {
    const auto outcome = ask(folder.path(), {"describe", name, "--json"});
    REQUIRE(outcome.code == 0);
    spec += json::parse(outcome.out).at("example").get<std::string>();
  }
  CHECK(contains(spec, "\n# data = ...\n"));
  folder.put("pasted.ini", spec);
  const auto outcome = ask(folder.path(), {"check", "pasted.ini", "objective.data=ratings #1.txt",
                                           "stop.iterations=1", "run.base="});
  CHECK(outcome.err == "");
  CHECK(outcome.code == 0);
}

TEST_CASE("describe: built-in sections and roles") {
  const auto stop = ask("/", {"describe", "stop"});
  CHECK(stop.code == 0);
  CHECK(contains(stop.out, "relative_gap"));
  const auto parsed = json::parse(ask("/", {"describe", "run", "--json"}).out);
  CHECK(parsed.at("parameters").at(0).at("name") == "seed");
  CHECK(parsed["parameters"][0].at("default") == "0");
  const auto role = ask("/", {"describe", "set"});
  CHECK(role.code == 0);
  CHECK(contains(role.out, "nuclear-ball"));
}

TEST_CASE("help: every command has a page, and the front page has an example") {
  const auto front = ask("/", {"--help"});
  CHECK(front.code == 0);
  CHECK(front.out == ask("/", {"help"}).out);
  CHECK(front.out == ask("/", {"-h"}).out);
  for (const std::string part : {"claros check ratings.ini", "exit codes", "130",
                                 "folders searched for plugins", "CLAROS_PLUGIN_PATH", "NO_COLOR"})
    CHECK_MESSAGE(contains(front.out, part), part);
  for (const std::string name :
       {"list", "describe", "check", "run", "compare", "plot", "predict", "cite", "help", "version"}) {
    CHECK_MESSAGE(contains(front.out, "\n  " + name), name);
    const auto page = ask("/", {"help", name});
    CHECK(page.code == 0);
    CHECK(contains(page.out, "claros " + name));
    CHECK(page.out == ask("/", {name, "--help"}).out);
  }
  const auto nothing = ask("/", {});
  CHECK(nothing.code == 2);
  CHECK(nothing.out.empty());
  CHECK(lines(nothing.err).size() <= 25);
  check_mentions(nothing.err, {"claros path objective.use=linear-model", "claros recommend",
                               "set.use=simplex", "claros help WORD"});
}

TEST_CASE("help: the end of a run, a refused table and the version name the section that explains them") {
  const TestFolder folder;
  const auto explains = [&](const Words& words, const std::string& word, const std::string& title) {
    CAPTURE(word);
    const auto said = ask(folder.path(), words);
    CHECK((said.out + said.err).find("claros help " + word) != std::string::npos);
    const auto answer = ask("/", {"help", word});
    CHECK(answer.code == 0);
    CHECK(answer.out.starts_with(title + '\n'));
    CHECK(answer.out.find("](") == std::string::npos);
    CHECK(answer.out.find('|') == std::string::npos);
  };
  const auto run = [](const Words& more) {
    return with({"run", "data.use=synthetic-regression", "data.rows=20", "data.cols=5", "data.nonzero=2",
                 "objective.use=linear-model", "penalty.use=l1"},
                more);
  };
  const Words steps{"penalty.lambda=0.01", "algorithm.use=proximal-gradient"};
  explains(run(with(steps, {"algorithm.step=1e6", "stop.relative_gap=1e-9"})), "diverged",
           "The run diverged");
  explains(run(with(steps, {"stop.iterations=1"})), "not-met", "The target was not met");
  explains(run(with(steps, {"stop.seconds=1e-9", "stop.relative_gap=1e-15"})), "slow", "It is slow");
  explains(run(with(steps, {"estimator.use=sg", "estimator.batch=1", "estimator.growth=0", "stop.stall=3"})),
           "stalled", "The run stalled");
  explains(run({"penalty.lambda=2*max"}), "zero", "All coefficients are zero");
  folder.put("cars.csv", "age,price\n1,2\n,3\n");
  explains(
      {"run", "objective.use=linear-model", "objective.data=cars.csv", "penalty.use=l1", "penalty.lambda=1"},
      "csv", "My CSV is refused");
  explains({"version"}, "digits", "Another machine gives other digits");
  const auto met = ask(folder.path(), run({"penalty.lambda=0.1*max"}));
  CHECK(met.out.find("claros help") == std::string::npos);
  for (const char* word : {"ctrl-c", "send", "plugin-is-not-found", "predictions-are-bad"})
    CHECK(ask("/", {"help", word}).code == 0);
}

TEST_CASE("help: every term of two guides, every parameter, option and variable has an answer") {
  std::stringstream text;
  for (const char* page : {"../guides/glossary.md", "../guides/troubleshooting.md"})
    text << std::ifstream(fs::path(CLAROS_COMPONENT_PAGES) / page).rdbuf();
  std::size_t terms = 0;
  for (std::string line; std::getline(text, line);) {
    if (!line.starts_with("## ")) continue;
    const std::string term = line.substr(3);
    CAPTURE(term);
    const auto answer = ask("/", {"help", term});
    CHECK(answer.code == 0);
    const bool command =
        answer.out.find("\n  claros " + term + ' ') != std::string::npos;  // which has a page
    CHECK((command || answer.out.starts_with(term + '\n')));
    ++terms;
  }
  CHECK(terms >= 35);
  const auto says = [](const Words& words) {
    const auto answer = ask("/", with({"help"}, words));
    CAPTURE(words.front());
    CHECK(answer.code == 0);
    return answer.out;
  };
  CHECK(says({"nuclear", "norm"}) == says({"nuclear-norm"}));
  check_mentions(says({"Gap"}), {"An upper bound"});
  check_mentions(says({"gap"}), {"parameter gap", "stop"});
  check_mentions(says({"oracle"}), {"linear oracle"});
  check_mentions(says({"relative", "gap"}), {"gap / |F(x)|"});
  check_mentions(says({"penalty.lambda"}), {"penalty/elastic-net"});
  check_mentions(says({"standardize"}), {"objective/linear-model"});
  check_mentions(says({"plugin-path"}), {"--plugin-path DIR", "of every command"});
  check_mentions(says({"folds"}), {"--folds K", "of run path"});
  check_mentions(says({"exit", "codes"}), {"130"});
  check_mentions(says({"CLAROS_MEMORY"}), {"memory limit"});
  check_mentions(says({"penalty"}), {"is added to f", "elastic-net"});
  const auto nothing = ask("/", {"help", "resdual"});
  CHECK(nothing.code == 2);
  check_mentions(nothing.err, {"did you mean 'residual'?"});
  check_mentions(ask("/", {"complete", "--", "help", "nuclear"}).out, {"nuclear-norm\t", "nuclear-ball\t"});
}

TEST_CASE("help: the worked example works") {
  const TestFolder folder;
  const std::string page = ask("/", {"--help"}).out;
  std::string script, line;
  bool inside = false;
  for (const std::string& text : lines(page)) {
    inside = inside || contains(text, "printf");
    if (inside && text.starts_with("    ")) script += text.substr(4) + '\n';
    if (contains(text, "END") && !contains(text, "<<")) break;
  }
  folder.put("example.sh", script);
  REQUIRE(std::system(("cd '" + folder.path().string() + "' && sh -e example.sh").c_str()) == 0);
  CHECK(ask(folder.path(), {"check", "ratings.ini"}).code == 0);
  CHECK(ask(folder.path(), {"run", "ratings.ini", "--out", "first"}).code == 0);
  CHECK(fs::exists(folder / "first/result.json"));
  CHECK(ask(folder.path(), {"run", "ratings.ini", "set.radius=4"}).code == 0);
}

TEST_CASE("version: library, interface, compiler, fingerprint") {
  const auto outcome = ask("/", {"--version"});
  CHECK(outcome.code == 0);
  CHECK(outcome.out == ask("/", {"version"}).out);
  for (const std::string part : {"claros 0.", "plugin interface", "GCC", "cxxabi"})
    CHECK(contains(outcome.out, part));
}

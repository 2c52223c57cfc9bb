// SPDX-License-Identifier: BSD-3-Clause
#include "program.hpp"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <map>

using namespace claros::test;
using nlohmann::json;

namespace {

/// What the program refuses, with one complaint a line and nothing on stdout.
std::string refused(const fs::path& folder, const Words& words, int code = 2) {
  const auto outcome = ask(folder, words);
  CHECK(outcome.code == code);
  CHECK(outcome.out.empty());
  for (const std::string& line : lines(outcome.err)) CHECK_MESSAGE(line.starts_with("claros: "), line);
  return outcome.err;
}

}  // namespace

TEST_CASE("every misspelt word gets a suggestion") {
  const TestFolder folder;
  put_problem(folder);
  const std::vector<std::pair<Words, std::string>> cases{
      {{"lst"}, "'list'"},
      {{"help", "rnu"}, "'run'"},
      {{"list", "algoritm"}, "'algorithm'"},
      {{"list", "--jsno"}, "'--json'"},
      {{"describe", "nuclear-bal"}, "'nuclear-ball'"},
      {{"describe", "set/nuclear-bal"}, "'nuclear-ball'"},
      {{"describe", "nfw"}, "'nfwu'"},
      {{"describe", "stpo"}, "'stop'"},
      {{"run", "spec.ini", "--qiet"}, "'--quiet'"},
      {{"run", "spec.ini", "set.use=nuclear-bal"}, "'nuclear-ball'"},
      {{"run", "spec.ini", "algorithm.use=nfw"}, "'nfwu'"},
      {{"run", "spec.ini", "stp.seconds=1"}, "'stop'"},
      {{"run", "spec.ini", "set.raduis=1"}, "'radius'"},
      {{"run", "spec.ini", "stop.second=1"}, "'seconds'"},
      {{"run", "spec.ini", "set.engine=lancsoz"}, "'lanczos'"},
      {{"spec.ini"}, "claros run spec.ini"},
  };
  for (const auto& [words, guess] : cases) {
    const std::string text = refused(folder.path(), words);
    CHECK_MESSAGE(contains(text, "did you mean " + guess + "?"), text);
  }
}

TEST_CASE("everything that is wrong is said at once") {
  const TestFolder folder;
  put_problem(folder);
  folder.put("wrong.ini",
             "[objectve]\nuse = x\n[set]\nuse = nuclear-ball\nraduis = 3\nradius = -1\nno equals sign\n"
             "[algorithm]\nuse = frank-wolf\n[stop]\niterations = many\n");
  const std::string text = refused(folder.path(), {"run", "wrong.ini", "tset.x=1", "run.seed=no", "other.ini",
                                                   "--seed", "-3", "--out", "."});
  for (const std::string part :
       {"wrong.ini:1: there is no section 'objectve'", "wrong.ini:5: set.raduis",
        "wrong.ini:6: set.radius: '-1'", "wrong.ini:7: 'no equals sign' has no '='",
        "wrong.ini:9: algorithm.use", "wrong.ini:11: stop.iterations: 'many'", "command line: tset.x",
        "'other.ini': is a second specification", "--seed: run.seed: '-3'",
        "'run.seed=-3' contradicts 'run.seed=no'", "--out ."})
    CHECK_MESSAGE(contains(text, part), part);
  // A key is not reported as missing if it may be there misspelt.
  CHECK_FALSE(contains(text, "is missing"));
  CHECK_FALSE(contains(text, "nothing would end"));
  CHECK(lines(text).size() == 11);
  CHECK(refused(folder.path(), {"check", "wrong.ini"}).size() < text.size());
}

TEST_CASE("what is missing is said, with what would fit") {
  const std::string bare = refused("/", {"run", "set.radius=1"});
  for (const std::string part :
       {"objective: is missing", "matrix-completion", "set: has settings but names no component"})
    CHECK_MESSAGE(contains(bare, part), part);
  CHECK(lines(bare).size() == 2);
  const TestFolder folder;
  put_problem(folder);
  folder.put("setless.ini",
             "[objective]\nuse = matrix-completion\ndata = none.txt\n[algorithm]\nuse = frank-wolfe\n"
             "[stop]\niterations = 3\n");
  // Both what does not fit together and the file that cannot be read.
  const std::string setless = refused(folder.path(), {"check", "setless.ini"}, 4);
  CHECK(contains(setless, "none.txt"));
  CHECK(contains(setless, "needs a set with a linear oracle"));
  CHECK(contains(setless, "nuclear-ball"));
}

TEST_CASE("files that are not a specification") {
  const TestFolder folder;
  put_problem(folder);
  CHECK(contains(refused(folder.path(), {"run", "absent.ini"}), "absent.ini: cannot be read"));
  CHECK(contains(refused(folder.path(), {"run", "."}), "is a folder"));
  folder.put("empty.ini", "");
  CHECK(contains(refused(folder.path(), {"check", "empty.ini"}), "holds no setting"));
  folder.put("binary.ini", std::string("\x7F"
                                       "ELF\0\x01\x02\n\xFF\xFE",
                                       10));
  const std::string binary = refused(folder.path(), {"run", "binary.ini"});
  CHECK(contains(binary, "holds a control character"));
  CHECK(lines(binary).size() == 1);
  const std::string ratings = refused(folder.path(), {"run", "ratings #1.txt"});
  CHECK(contains(ratings, "ratings #1.txt: is not a specification"));
  CHECK(lines(ratings).size() == 1);
  CHECK(contains(refused(folder.path(), {"run", ""}), "expected the name of a file"));
  std::string data = "[stop]\niterations = 3\n";
  for (int i = 1; i <= 500; ++i) data += std::to_string(i) + " 1 1\n";
  folder.put("data.txt", data);
  const std::string many = refused(folder.path(), {"run", "data.txt"});
  CHECK(lines(many).size() == 51);
  CHECK(contains(many, "and 450 more errors"));
  CHECK(contains(refused(folder.path(), {"run", "a\nb\x1B[31m.ini"}), "a?b?[31m.ini"));
}

TEST_CASE("options are checked") {
  CHECK(contains(refused("/", {"run", "x.ini", "--out"}), "--out: needs a value (write --out DIR)"));
  CHECK(contains(refused("/", {"list", "--json=yes"}), "--json: takes no value"));
  CHECK(contains(refused("/", {"run", "x.ini", "--seed=1", "--seed=2"}), "--seed: is given twice"));
  CHECK(contains(refused("/", {"describe"}), "needs a NAME"));
  CHECK(contains(refused("/", {"list", "set", "more"}), "'more': is an unexpected argument"));
  CHECK(contains(refused("/", {"list", "-x"}), "-x: is not an option"));
  CHECK(contains(refused("/", {"--threads"}), "--threads: needs a value"));
  CHECK(contains(refused("/", {"--threads", "2"}), "no command given"));
  CHECK(contains(refused("/", {"run"}), "no specification given"));
  CHECK(lines(refused("/", {"run", "--foo", "--bar"})).size() == 2);
  CHECK(
      contains(refused("/", {"run", "--out", "--json", "x.ini"}), "--out: needs a value (write --out DIR)"));
  CHECK(contains(refused("/", {"run", "x.ini", "--out="}), "--out: needs a value (write --out DIR)"));
  CHECK(contains(refused("/", {"run", "set.radius=1", "--out", ""}),
                 "--out '': expected the name of a folder"));
  CHECK(contains(refused("/", {"plot", "x", "--out"}), "--out: needs a value (write --out FILE)"));
  CHECK(contains(refused("/", {"run", "x.ini", "--vary", "set.radius=1"}),
                 "--vary: is not an option of claros run (claros compare has it)"));
  CHECK(contains(refused("/", {"run", "--version"}), "write claros --version"));
  CHECK(contains(refused("/", {"run", "x.ini", "-quiet"}), "did you mean '--quiet'?"));
  CHECK_FALSE(contains(refused("/", {"list", "-V"}), "did you mean"));
  CHECK(contains(refused("/", {"plot", "-x", "passes"}),
                 "-x: is not an option of claros plot (did you mean '--x'?)"));
  // Words of other programs lead to the option, and no short word to a stranger.
  CHECK(contains(refused("/", {"recommend", "fit", "--users", "ann"}), "did you mean '--rows'?"));
  CHECK(contains(refused("/", {"recommend", "fit", "--for", "ann"}), "did you mean '--rows'?"));
  CHECK(contains(refused("/", {"recommend", "fit", "-k", "3"}), "did you mean '--top'?"));
  CHECK(contains(refused("/", {"similar", "fit", "--item", "tea"}), "did you mean '--columns'?"));
  CHECK(contains(refused("/", {"new-plugin", "set", "my-set", "--out", "x"}), "did you mean '--dir'?"));
  CHECK(contains(refused("/", {"split", "r.csv", "--test", "0.2"}), "did you mean '--held'?"));
  CHECK(contains(refused("/", {"split", "r.csv", "--held", "0.3"}), "write --share 0.2"));
  // Operands that are written as options, where no setting is meant.
  CHECK(contains(refused("/", {"new-plugin", "--kind", "set"}), "(write claros new-plugin KIND NAME)"));
  CHECK(contains(refused("/", {"split", "--file", "r.csv"}), "(write claros split FILE)"));
  CHECK(contains(refused("/", {"predict", "--model", "fit"}), "(write claros predict DIR FILE)"));
  CHECK(contains(refused("/", {"doctor", "--plugin", "x"}), "(write claros doctor [LIB.so|NAME]"));
  CHECK(contains(refused("/", {"predict", "a", "b", "--target", "y"}), "write claros help predict"));
  CHECK(contains(refused("/", {"run", "x.ini", "--plot"}), "(write claros plot DIR"));
  CHECK_FALSE(contains(refused("/", {"predict", "fit", "x", "--item", "2"}), "--columns"));
  CHECK(contains(refused("/", {"self-test"}), "did you mean claros doctor --all?"));
  CHECK(contains(refused("/", {"plugins"}), "did you mean claros list?"));
  CHECK(contains(refused("/", {"path", "--file", "cars.csv"}), "(write objective.data=VALUE)"));
  CHECK_FALSE(contains(refused("/", {"recommend", "fit", "--put", "3"}), "did you mean '--top'?"));
  CHECK(contains(refused("/", {"similar", "fit", "tea"}), "claros help similar lists its options"));
  CHECK(contains(refused("/", {"plot", "x", "--log", "z"}), "--log: 'z' is not one of x, y, xy, none"));
  CHECK(contains(refused("/", {"plot", "x", "--log", ""}), "--log: '' is not one of"));
  CHECK(contains(refused("/", {"predict", "x", "y", "--delimiter", "tabs"}), "did you mean 'tab'?"));
  // No name of the parser's own is an option.
  CHECK(contains(refused("/", {"list", "--word=set"}), "--word: is not an option"));
  CHECK(contains(refused("/", {"list", "--word", "set"}), "--word: is not an option"));
  CHECK(contains(refused("/", {"list", "--word"}), "--word: is not an option"));
  CHECK(contains(refused("/", {"list", "--=set"}), "is not an option"));
  CHECK(contains(refused("/", {"predict", "x"}), "predict: needs FILE (write claros predict DIR FILE)"));
  CHECK(contains(refused("/", {"version", "x"}), "'x': is an unexpected argument (write claros version)"));
}

TEST_CASE("an option that contradicts its key is refused, and one that overrides a file is not") {
  const TestFolder folder;
  const Words problem{"objective.use=linear", "objective.data=1,2", "set.use=l2-ball", "set.radius=1"};
  const auto check = [&](const Words& more) {
    return ask(folder.path(), with(with({"check"}, problem), more));
  };
  for (const Words& twice : {Words{"--seed", "3", "run.seed=2"}, Words{"run.threads=2", "--threads", "3"}}) {
    const Outcome outcome = check(twice);
    CHECK(outcome.code == 2);
    check_mentions(outcome.err, {"contradicts", "give one of them"});
    CHECK(lines(outcome.err).size() == 1);
  }
  for (const Words& equal : {Words{"set.use=l2-ball"}, Words{"--seed", "3", "run.seed=3"}})
    CHECK(check(equal).code == 0);
  folder.put("spec.ini",
             "[objective]\nuse = linear\ndata = 1,2\n[set]\nuse = l2-ball\nradius = 1\n[run]\nseed = 1\n");
  CHECK(ask(folder.path(), {"check", "spec.ini", "set.radius=2", "--seed", "3"}).code == 0);
}

TEST_CASE("options may come before the command, after it and among its words; after -- all are words") {
  const TestFolder folder;
  put_problem(folder);
  const auto plain = ask(folder.path(), {"run", "spec.ini", "--json", "--seed", "3"});
  REQUIRE(plain.code == 0);
  const json result = json::parse(plain.out);
  for (const Words& words :
       {Words{"--json", "--seed", "3", "run", "spec.ini"}, Words{"--seed=3", "run", "--json", "spec.ini"},
        Words{"run", "--seed", "3", "spec.ini", "--json"},
        Words{"--seed", "3", "--json", "--", "run", "spec.ini"},
        Words{"run", "--json", "--seed=3", "--", "spec.ini"}}) {
    const auto outcome = ask(folder.path(), words);
    CHECK(outcome.code == 0);
    CHECK(json::parse(outcome.out).at("value") == result.at("value"));
  }
  CHECK(contains(refused(folder.path(), {"run", "--", "spec.ini", "--json"}),
                 "'--json': is a second specification"));
  // The value of a misspelt option is not taken for the command without a word about the option.
  CHECK(contains(refused("/", {"--plugin-pth", "DIR", "run", "x.ini"}), "did you mean '--plugin-path'?"));
  CHECK(contains(refused("/", {"--out", "DIR", "list", "set"}), "--out: is not an option of claros list"));
}

TEST_CASE("an option is a flag of every command that has it, or of none, and -h is help everywhere") {
  std::map<std::string, bool> takes_value;
  bool listing = false;
  for (const std::string& line : lines(ask("/", {"--help"}).out)) {
    if (line == "commands" || line.starts_with("options")) listing = line == "commands";
    if (!listing || line.size() < 3 || !line.starts_with("  ") || line[2] == ' ') continue;
    const std::string name = line.substr(2, line.find(' ', 2) - 2);
    const auto page = ask("/", {name, "-h"});
    CHECK(page.code == 0);
    CHECK(page.out == ask("/", {"help", name}).out);
    CHECK(page.out == ask("/", {"--help", name}).out);
    for (const std::string& row : lines(page.out)) {
      if (!row.starts_with("  --")) continue;
      const std::size_t end = row.find(' ', 4);
      const bool value = end + 1 < row.size() && row[end + 1] != ' ';
      CHECK_MESSAGE(takes_value.emplace(row.substr(2, end - 2), value).first->second == value, (name + row));
    }
  }
  CHECK(takes_value.at("--out"));
  CHECK_FALSE(takes_value.at("--json"));
  CHECK(takes_value.size() > 30);
}

TEST_CASE("spaces around = and an empty word are one error each") {
  const TestFolder folder;
  put_problem(folder);
  const std::string blanks = refused(folder.path(), {"run", "spec.ini", "set.radius", "=", "4"});
  CHECK(lines(blanks).size() == 1);
  CHECK(contains(blanks, "'set.radius = 4': contains spaces"));
  CHECK(lines(refused(folder.path(), {"run", "spec.ini", "="})).size() == 1);
  CHECK(lines(refused(folder.path(), {"run", "spec.ini", "a", "=", "=", "b"})).size() == 2);
  CHECK(refused("/", {"run", ""}).starts_with("claros: error: '': expected the name of a file"));
}

TEST_CASE("a plugin path that cannot be searched is exit code 3") {
  const TestFolder folder;
  put_problem(folder);
  CHECK(contains(refused(folder.path(), {"run", "spec.ini", "--plugin-path", "nowhere"}, 3),
                 "is not a folder"));
  CHECK(contains(refused(folder.path(), {"--plugin-path=spec.ini", "list"}, 3), "is not a folder"));
  // One from the environment may be a leftover: it is listed and stops nothing.
  Launch stale{{"list"}, folder.path(), {"CLAROS_PLUGIN_PATH=/nowhere"}, false, {}};
  const auto listed = launch(stale);
  CHECK(listed.code == 0);
  CHECK(contains(listed.out, "/nowhere (CLAROS_PLUGIN_PATH)"));
}

TEST_CASE("data that cannot be used is exit code 4, with file and line") {
  const TestFolder folder;
  put_problem(folder);
  CHECK(contains(refused(folder.path(), {"run", "spec.ini", "objective.data=absent.txt"}, 4), "absent.txt"));
  folder.put("bad #2.txt", "1 1 3\n1 2 many\n");
  const std::string bad = refused(folder.path(), {"check", "spec.ini", "objective.data=bad #2.txt"}, 4);
  CHECK(contains(bad, "bad #2.txt:2"));
  CHECK(contains(bad, "many"));
}

TEST_CASE("an interrupted run ends at its next step, complete, with exit code 130") {
  const TestFolder folder;
  put_problem(folder);
  for (const int number : {SIGINT, SIGTERM, SIGXCPU}) {
    const std::string name = "out" + std::to_string(number);
    Child child({{"run", "spec.ini", "--out", name, "stop.iterations=0", "stop.seconds=600",
                  "output.checkpoint_every=1000"},
                 folder.path(),
                 {},
                 false,
                 {}});
    wait_for(folder / name / "checkpoint");
    child.signal(number);
    const auto outcome = child.wait();
    CHECK(outcome.code == 130);
    CHECK(contains(outcome.out, "interrupted: "));
    const auto result = nlohmann::json::parse(folder.get(name + "/result.json"));
    CHECK(result.at("status") == "interrupted");
    CHECK(result.at("iterations").get<int>() > 0);
    CHECK(fs::exists(folder / name / "solution/U.mtx"));
  }
}

TEST_CASE("a closed pipe is not an error, a full disk is") {
  const TestFolder folder;
  const std::string pipe = "'" CLAROS_PROGRAM "' list 2>'" + (folder / "err").string() + "' | head -1 >'" +
                           (folder / "out").string() + "'; exit ${PIPESTATUS[0]}";
  folder.put("pipe.sh", pipe);
  CHECK(std::system(("bash '" + (folder / "pipe.sh").string() + "'").c_str()) == 0);
  CHECK(folder.get("err").empty());
  CHECK(lines(folder.get("out")).size() == 1);

  put_problem(folder);
  const auto full =
      launch({{"run", "spec.ini", "--quiet", "--out", "kept"}, folder.path(), {}, false, "/dev/full"});
  CHECK(full.code == 4);
  CHECK(contains(full.err, "standard output: cannot be written"));
  CHECK(fs::exists(folder / "kept/result.json"));
}

TEST_CASE("colours and progress are for terminals alone") {
  const TestFolder folder;
  put_problem(folder);
  const Words words{"run", "spec.ini", "stop.iterations=0", "stop.seconds=0.5"};
  const auto shown = [&](const Words& environment) {
    return launch({words, folder.path(), environment, true, {}});
  };
  const auto colourful = shown({});
  CHECK(colourful.code == 0);
  CHECK(contains(colourful.out, "\x1b[1m"));
  CHECK(contains(colourful.out, " steps  "));
  CHECK(contains(colourful.out, "\r\x1b[K"));
  CHECK_FALSE(contains(colourful.out, "claros: seconds after"));

  const auto wrong = [&](const Words& environment) {
    return launch({{"run", "none.ini"}, folder.path(), environment, true, {}}).out;
  };
  CHECK(contains(wrong({}), "\x1b[1;31merror:\x1b[0m none.ini: "));
  CHECK(contains(wrong({"NO_COLOR=1"}), "claros: error: none.ini: "));

  const auto plain = shown({"NO_COLOR=1"});
  CHECK_FALSE(contains(plain.out, "\x1b[1m"));
  CHECK(contains(plain.out, " steps  "));
  const auto dumb = shown({"TERM=dumb"});
  CHECK_FALSE(contains(dumb.out, "\x1b"));
  CHECK_FALSE(contains(dumb.out, " steps  "));

  const auto piped = ask(folder.path(), words);
  CHECK_FALSE(contains(piped.out + piped.err, "\x1b"));
  CHECK_FALSE(contains(piped.out + piped.err, "\r"));
}

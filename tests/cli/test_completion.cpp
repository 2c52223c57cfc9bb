// SPDX-License-Identifier: BSD-3-Clause
#include "program.hpp"

#include <algorithm>
#include <cstdlib>

using namespace claros::test;

namespace {

/// The answer to "claros WORDS": whole lines.
Words answers(const fs::path& folder, Words words) {
  words.insert(words.begin(), {"complete", "--"});
  const Outcome outcome = ask(folder, words);
  CHECK(outcome.code == 0);
  CHECK(outcome.err == "");
  return lines(outcome.out);
}

/// Without what the words mean.
Words candidates(const fs::path& folder, const Words& words) {
  Words result;
  for (const std::string& line : answers(folder, words)) result.push_back(line.substr(0, line.find('\t')));
  return result;
}

bool installed(const std::string& shell) {
  return std::system(("command -v " + shell + " >/dev/null 2>&1").c_str()) == 0;
}

/// What a shell prints that runs `script` in `folder`, which also gets the script.
Words shell_says(const std::string& shell, const TestFolder& folder, const std::string& script) {
  // A name without blanks, wherever the build lies.
  if (!fs::exists(folder / "program")) fs::create_symlink(CLAROS_PROGRAM, folder / "program");
  folder.put("script", "claros=./program\nscripts='" CLAROS_COMPLETION_DIR "'\n" + script);
  const std::string command = "cd '" + folder.path().string() + "' && XDG_DATA_HOME=/nonexistent " + shell +
                              " script >answer 2>errors </dev/null";
  CHECK(std::system(command.c_str()) == 0);
  CHECK(folder.get("errors") == "");
  return lines(folder.get("answer"));
}

}  // namespace

TEST_CASE("complete: commands and options, with what they mean") {
  CHECK(answers("/", {"li"}) == Words{"list\tlist the components, and the plugins that cannot be used"});
  CHECK(candidates("/", {""}) == candidates("/", {"help", ""}));
  CHECK(candidates("/", {}) == candidates("/", {""}));
  CHECK(candidates("/", {"--vers"}) == Words{"--version"});
  CHECK(candidates("/", {"run", "--se"}) == Words{"--seed"});
  CHECK(candidates("/", {"run", "--seed", "3", "--se"}).empty());
  CHECK(candidates("/", {"compare", "--vary", "run.seed=1,2", "--va"}) == Words{"--vary"});
  CHECK(candidates("/", {"run", "--seed", ""}).empty());
  CHECK(candidates("/", {"plot", "x", "--log", ""}) == Words{"x", "y", "xy", "none"});
  CHECK(candidates("/", {"plot", "x", "--y=ga"}) == Words{"--y=gap"});
  CHECK(answers("/", {"plot", "x", "--x", "matv"}) == Words{"matvec\tmatrix-vector products of the oracles"});
  CHECK(candidates("/", {"plot", "x", "--x", "certi"}) == Words{"certified", "certificate_error"});
  CHECK(candidates("/", {"tune", "--to", "re"}) == Words{"relative_gap=", "residual="});
}

TEST_CASE("complete: the line is read as the program reads it") {
  CHECK(candidates("/", {"--json", "--seed", "3", "ru"}) == Words{"run"});
  CHECK(candidates("/", {"--seed", "3", "run", "--se"}).empty());
  CHECK(candidates("/", {"plot", "x", "--out", "--x", ""}).empty());
  CHECK(candidates("/", {"run", "--", "--js"}).empty());
  CHECK(candidates("/", {"--", "ru"}) == Words{"run"});
  CHECK(candidates("/", {"run", "--json=3", "set.use=si"}).empty());
  CHECK(candidates("/", {"run", "--bogus", "set.use=si"}) == Words{"set.use=simplex"});
  CHECK(candidates("/", {"--plugin-path", ""}) == candidates("/", {"run", "--plugin-path", ""}));
  // Every command: its own options, those of all, and no other.
  for (const std::string& command : candidates("/", {"help", ""})) {
    const Words options = candidates("/", {command, "--"});
    CHECK(std::count(options.begin(), options.end(), "--threads") == 1);
    const std::string page = ask("/", {"help", command}).out;
    for (const std::string& option : options)
      CHECK_MESSAGE(contains(page, "  " + option), (command + option));
    const auto written = [](const std::string& line) { return line.starts_with("  --"); };
    const Words rows = lines(page);
    CHECK(std::count_if(rows.begin(), rows.end(), written) == static_cast<std::ptrdiff_t>(options.size()));
  }
}

TEST_CASE("complete: kinds, components, sections, figures") {
  CHECK(candidates("/", {"list", "al"}) == Words{"algorithm"});
  CHECK(candidates("/", {"list", "set", ""}).empty());
  CHECK(candidates("/", {"describe", "nuclear-"}) == Words{"nuclear-ball"});
  CHECK(candidates("/", {"describe", "sto"}) == Words{"storm", "stop"});
  CHECK(candidates("/", {"describe", "set/b"}) == Words{"set/birkhoff", "set/box"});
  CHECK(candidates("/", {"cite", "sta"}).empty());
  CHECK(candidates("/", {"cite", "svrg", "cas"}) == Words{"caspider", "casvrg"});
  CHECK(candidates("/", {"reproduce", "sfz/figure1"}) == Words{"sfz/figure1"});
}

TEST_CASE("complete: settings follow the table of the component that is in force") {
  CHECK(candidates("/", {"run", "sto"}) == Words{"stop."});
  CHECK(candidates("/", {"run", "set.use=nuclear-ball", "set."}) ==
        Words{"set.use=", "set.radius=", "set.engine=", "set.products="});
  CHECK(candidates("/", {"run", "set.use=trace-norm-ball", "set.e"}) == Words{"set.engine="});
  CHECK(candidates("/", {"run", "set.use=simplex", "set.e"}).empty());
  CHECK(candidates("/", {"run", "set.low"}) == Words{"set.lower=", "set.lowers="});
  CHECK(answers("/", {"run", "stop.iterations"}).front().starts_with("stop.iterations=\t"));
  CHECK(candidates("/", {"run", "set.use=nuc"}) == Words{"set.use=nuclear-ball"});
  CHECK(candidates("/", {"run", "set.engine="}) ==
        Words{"set.engine=lanczos", "set.engine=arpack", "set.engine=dense"});
  CHECK(candidates("/", {"run", "objective.intercept=t"}) == Words{"objective.intercept=true"});
  CHECK(candidates("/", {"run", "estimator.batch=a"}) == Words{"estimator.batch=auto"});
  CHECK(candidates("/", {"run", "set.radius="}).empty());
  CHECK(candidates("/", {"run", "penalty.use=l1", "penalty.lambda="}) == Words{"penalty.lambda=0.1*max"});
  CHECK(candidates("/", {"run", "penalty.use=ridge", "penalty.lambda="}).empty());
  CHECK(candidates("/", {"compare", "--vary", "estimator.use=svrg,spi"}) ==
        Words{"estimator.use=svrg,spider"});
  CHECK(candidates("/", {"tune", "--over=set.rad"}) == Words{"--over=set.radius="});
  CHECK(candidates("/", {"resume", "x", "s"}) == Words{"stop."});
}

TEST_CASE("complete: files and folders of the folder that is searched") {
  const TestFolder folder;
  fs::create_directory(folder / "sub");
  put_problem(folder, "sub/spec.ini");
  folder.put("sub/.hidden.ini", "");
  folder.put("other.txt", "");
  CHECK(candidates(folder.path(), {"run", "su"}) == Words{"sub/"});
  CHECK(candidates(folder.path(), {"run", "o"}) == Words{"objective.", "output."});
  CHECK(candidates(folder.path(), {"run", "sub/"}) == Words{"sub/spec.ini"});
  CHECK(candidates(folder.path(), {"run", "sub/.h"}) == Words{"sub/.hidden.ini"});
  CHECK(candidates(folder.path(), {"run", "x.ini", "--out", ""}) == Words{"sub/"});
  CHECK(candidates(folder.path(), {"predict", "sub", "o"}) == Words{"other.txt"});
  CHECK(candidates(folder.path(), {"run", "sub/spec.ini", "set.e"}) == Words{"set.engine="});
  // As the run will read it: beside the specification.
  CHECK(candidates(folder.path(), {"run", "other.ini", "objective.data=o"}) ==
        Words{"objective.data=other.txt"});
  CHECK(candidates(folder.path(), {"run", "sub/spec.ini", "objective.data=s"}) ==
        Words{"objective.data=spec.ini"});
}

TEST_CASE("complete: plugins of the line's own folder") {
  CHECK(candidates("/", {"run", "objective.use=tr"}).empty());
  CHECK(candidates("/", {"--plugin-path", CLAROS_TROUBLE_DIR, "run", "objective.use=tr"}) ==
        Words{"objective.use=trouble"});
  CHECK(candidates("/", {"run", "--plugin-path=" CLAROS_TROUBLE_DIR, "objective.use=tr"}) ==
        Words{"objective.use=trouble"});
}

TEST_CASE("complete: a line that makes no sense has no candidates") {
  const TestFolder folder;
  folder.put("broken.ini", "[nothing\n= =");
  for (const Words& words :
       {Words{"bogus", ""}, Words{"run", "nosection.key"}, Words{"run", "set=1.5"}, Words{"run", "--bogus="},
        Words{"describe", "nothing-like-it"}, Words{"run", "no/such/folder/"}, Words{"version", ""},
        Words{"--plugin-path", "no-folder", "run", "objective.use=zzz"}, Words{"run", "broken.ini", "="}})
    CHECK(candidates(folder.path(), words).empty());
}

TEST_CASE("bash: words that readline took apart, quotes, and what words mean") {
  const TestFolder folder;
  put_problem(folder);
  const std::string begin = R"(source "$scripts/claros.bash"
type() { COMP_LINE=$1 COMP_POINT=${#1} COMP_WORDS=("${@:2}") COMP_CWORD=$(($# - 2)); _claros; printf '%s\n' "${COMPREPLY[@]}"; }
COMP_TYPE=9
)";
  const auto types = [&](const std::string& script) {
    return shell_says("bash --norc", folder, begin + script);
  };
  CHECK(types("type \"$claros des\" \"$claros\" des") == Words{"describe"});
  CHECK(types("type \"$claros run set.use=nuclear-ball set.engine=\" \"$claros\" run set.use = nuclear-ball "
              "set.engine =") == Words{"lanczos", "arpack", "dense"});
  CHECK(types("type \"$claros run set.use=nuclear-ball set.engine=d\" \"$claros\" run set.use = nuclear-ball "
              "set.engine = d") == Words{"dense"});
  CHECK(types("type \"$claros plot  x --y=ga\" \"$claros\" plot x --y = ga") == Words{"gap"});
  CHECK(
      types("type \"$claros run spec.ini objective.data=ra\" \"$claros\" run spec.ini objective.data = ra") ==
      Words{"ratings\\ #1.txt"});
  CHECK(types("type \"$claros run spec.ini objective.data='ra\" \"$claros\" run spec.ini objective.data = "
              "\"'ra\"") == Words{"ratings #1.txt"});
  CHECK(types("COMP_WORDBREAKS=' '; type \"$claros plot x --y=ga\" \"$claros\" plot x --y=ga") ==
        Words{"--y=gap"});
  const Words listed = types("COMP_TYPE=63; COLUMNS=50; type \"$claros re\" \"$claros\" re");
  CHECK(listed == Words{"resume                    (continue an interrupt)",
                        "report                    (write results as one )",
                        "reproduce                 (make a figure of a pa)",
                        "recommend                 (list the columns of t)"});
  CHECK(types("complete -p claros") == Words{"complete -o nosort -F _claros claros"});
}

TEST_CASE("fish: candidates with what they mean" * doctest::skip(!installed("fish"))) {
  const TestFolder folder;
  put_problem(folder);
  const std::string command =
      "cd '" + folder.path().string() + "' && PATH='" + fs::path(CLAROS_PROGRAM).parent_path().string() +
      "':$PATH XDG_DATA_HOME=/nonexistent fish --no-config -c 'source \"" CLAROS_COMPLETION_DIR
      "/claros.fish\"; complete -C \"claros li\"; complete -C \"claros run spec.ini "
      "set.engine=d\"; complete -C \"claros run spec.ini objective.data=ratings\\\\ \"' >answer";
  REQUIRE(std::system(command.c_str()) == 0);
  CHECK(lines(folder.get("answer")) == Words{"list\tlist the components, and the plugins that cannot be used",
                                             "set.engine=dense", "objective.data=ratings #1.txt"});
}

TEST_CASE("zsh: candidates with what they mean, and no blank behind unfinished ones" *
          doctest::skip(!installed("zsh"))) {
  const TestFolder folder;
  put_problem(folder);
  // The completion system of zsh needs a terminal; the test replaces the one function that the script calls.
  const Words said = shell_says("zsh -f", folder, R"(
_describe() { for array in complete open; do print -r -- $array: ${(P)array}; done }
type() { words=("$@") CURRENT=$# PREFIX=${@[-1]}; source "$scripts/_claros" }
type "$claros" li
type "$claros" run spec.ini set.use=nuclear-ball set.e
type "$claros" run 'objective.data=ratings\ '
)");
  CHECK(said.size() == 6);
  CHECK(said.at(0) == "complete: list:list the components, and the plugins that cannot be used");
  CHECK(said.at(1) == "open:");
  CHECK(said.at(2) == "complete:");
  CHECK(said.at(3).starts_with("open: set.engine=:solver of the leading"));
  CHECK(said.at(4) == "complete: objective.data=ratings #1.txt");
}

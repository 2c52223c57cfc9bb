// SPDX-License-Identifier: BSD-3-Clause
#include "program.hpp"

#include <cstdlib>

using namespace claros::test;

namespace {

/// The names of the commands, as the front page lists them.
Words command_names() {
  Words names;
  bool inside = false;
  for (const std::string& line : lines(ask("/", {"--help"}).out)) {
    if (inside && line.empty()) break;
    if (inside && line.size() > 2 && line[2] != ' ') names.push_back(line.substr(2, line.find(' ', 2) - 2));
    inside = inside || line == "commands";
  }
  return names;
}

/// Without the marks of roff.
std::string plain(std::string page) {
  for (const std::string mark : {"\\fB", "\\fI", "\\fR", "\\&"})
    for (std::size_t at = 0; (at = page.find(mark)) != page.npos;) page.erase(at, mark.size());
  for (std::size_t at = 0; (at = page.find("\\-")) != page.npos;) page.erase(at, 1);
  return page;
}

}  // namespace

TEST_CASE("help --man: a manual page for every command, and one for the program") {
  const TestFolder folder;
  const auto outcome = ask(folder.path(), {"help", "--man", "pages/man1"});
  CHECK(outcome.code == 0);
  CHECK(outcome.out == "");
  const std::string front = plain(folder.get("pages/man1/claros.1"));
  const Words names = command_names();
  CHECK(names.size() >= 15);
  for (const std::string& name : names) {
    CHECK_MESSAGE(contains(front, "claros-" + name + "(1)"), name);
    const std::string page = plain(folder.get("pages/man1/claros-" + name + ".1"));
    CHECK_MESSAGE(contains(page, ".SH NAME\nclaros-" + name + " - "), name);
    CHECK_MESSAGE(contains(page, ".SH SYNOPSIS\nclaros " + name), name);
  }
  const std::string run = plain(folder.get("pages/man1/claros-run.1"));
  for (const std::string part : {"claros run [SPEC] [section.key=value ...] [OPTIONS]\n", ".TP\n--out DIR\n",
                                 ".TP\n--threads N\n", "\n.EX\nclaros run objective.use=matrix-completion"})
    CHECK_MESSAGE(contains(run, part), part);
}

TEST_CASE("help --man: nothing in the pages belongs to this machine, and man accepts them") {
  const TestFolder folder;
  REQUIRE(ask(folder.path(), {"help", "--man", "."}).code == 0);
  for (const auto& file : fs::directory_iterator(folder.path())) {
    const std::string name = file.path().filename();
    CHECK_MESSAGE(!contains(folder.get(name), fs::path(CLAROS_PROGRAM).parent_path().string()), name);
  }
  if (std::system("man --version >/dev/null 2>&1") != 0) return;
  const std::string command = "cd '" + folder.path().string() +
                              "' && LC_ALL=C.UTF-8 MANWIDTH=80 man --warnings -l *.1 >text 2>warnings";
  CHECK(std::system(command.c_str()) == 0);
  CHECK(folder.get("warnings") == "");
  CHECK(contains(folder.get("text"), "CLAROS-RUN(1)"));
}

TEST_CASE("help --man: a folder that cannot be created is an error") {
  const TestFolder folder;
  folder.put("file", "");
  const auto outcome = ask(folder.path(), {"help", "--man", "file/man1"});
  CHECK(outcome.code == 4);
  CHECK(contains(outcome.err, "file/man1"));
}

// SPDX-License-Identifier: BSD-3-Clause
#include "program.hpp"

#include <fstream>
#include <iterator>
#include <set>

using namespace claros::test;

namespace {

std::set<std::string> names(const fs::path& folder) {
  std::set<std::string> result;
  for (const auto& file : fs::directory_iterator(folder)) result.insert(file.path().filename());
  return result;
}

std::string content(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

TEST_CASE("describe --markdown: a page for a component, with everything that can be set") {
  const auto page = ask("/", {"describe", "nuclear-ball", "--markdown"});
  CHECK(page.code == 0);
  for (const std::string part :
       {"# set/nuclear-ball\n", "trace-norm-ball", "## Mathematics\n",
        "| `radius` | real &gt; 0 | required | tau | bound on the sum of the singular values; ",
        "| `engine` | one of lanczos, arpack, dense | `lanczos` |",
        "Offers, with the defaults: linear oracle, ", "## Source\n\nJaggi",
        "```ini\n[set]\nuse = nuclear-ball\n"})
    CHECK_MESSAGE(contains(page.out, part), part);
  CHECK_FALSE(contains(page.out, ".so"));
  CHECK(
      contains(ask("/", {"describe", "frank-wolfe", "--markdown"}).out, "Needs of the set: linear oracle ("));
  CHECK(contains(ask("/", {"describe", "casvrg", "--markdown"}).out,
                 "Needs of the objective: Hessian products"));
  // Made with a few numbers of data.
  CHECK(contains(ask("/", {"describe", "matrix-completion", "--markdown"}).out, "Hessian products"));
  CHECK(contains(ask("/", {"describe", "stop", "--markdown"}).out, "| `relative_gap` |"));
}

TEST_CASE("describe --markdown: what does not go together") {
  CHECK(ask("/", {"describe", "--markdown"}).code == 2);
  CHECK(ask("/", {"describe", "--out", "x"}).code == 2);
  CHECK(ask("/", {"describe", "l1", "--out", "x"}).code == 2);
  CHECK(ask("/", {"describe", "l1", "--json", "--markdown"}).code == 2);
  CHECK(contains(ask("/", {"describe", "set", "--markdown"}).err, "nuclear-ball"));
}

TEST_CASE("describe --markdown --out: docs/components is what it writes") {
  const TestFolder folder;
  REQUIRE(ask(folder.path(), {"describe", "--markdown", "--out", "pages"}).code == 0);
  const fs::path kept = CLAROS_COMPONENT_PAGES, made = folder / "pages";
  INFO(
      "renew with: claros describe --markdown --out docs/components (and remove what is no component any "
      "more)");
  CHECK(names(kept) == names(made));
  for (const std::string& name : names(made))
    if (fs::exists(kept / name)) CHECK_MESSAGE(content(kept / name) == content(made / name), name);
}

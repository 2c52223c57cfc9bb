// SPDX-License-Identifier: BSD-3-Clause
#include "program.hpp"

#include <fstream>
#include <iterator>
#include <set>

using namespace claros::test;
using nlohmann::json;

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

/// As a shell parts them: at spaces outside single quotes.
Words shell_words(const std::string& text) {
  Words result;
  bool quoted = false, inside = false;
  for (const char c : text) {
    if (c == '\'') quoted = !quoted;
    const bool apart = c == ' ' && !quoted;
    if (!apart && !inside) result.emplace_back();
    if (!apart && c != '\'') result.back() += c;
    inside = !apart;
  }
  return result;
}

const std::set<std::string> kMet{"gap", "relative-gap", "residual", "value"};
/// What no run with a target can show: a worst case for the methods that it is made for.
const std::set<std::string> kWithoutTarget{"objective/resisting"};

}  // namespace

TEST_CASE("describe: every component says when to use it, and its specification meets its target") {
  const TestFolder folder;
  const json list = json::parse(ask("/", {"list", "--json"}).out);
  REQUIRE(list.at("components").size() > 100);
  for (const json& row : list.at("components")) {
    const std::string label = row.at("kind").get<std::string>() + '/' + row.at("name").get<std::string>();
    CAPTURE(label);
    const json page = json::parse(ask("/", {"describe", label, "--json"}).out);
    const auto guidance = page.at("guidance").get<std::string>(),
               specification = page.at("specification").get<std::string>();
    CHECK(contains(guidance, "Use it"));
    CHECK(contains(specification, row.at("name").get<std::string>()));
    CHECK(contains(ask("/", {"describe", label}).out, "\ntry it\n  claros run "));
    const auto outcome = ask(folder.path(), with({"run"}, with(shell_words(specification), {"--json"})));
    CHECK(outcome.code == 0);
    CHECK_FALSE(contains(outcome.err, "warning"));
    REQUIRE(json::accept(outcome.out));
    const auto status = json::parse(outcome.out).at("status").get<std::string>();
    CHECK_MESSAGE(kMet.contains(status) != kWithoutTarget.contains(label), status);
  }
}

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

// SPDX-License-Identifier: BSD-3-Clause
#include "program.hpp"

#include <set>

using namespace claros::test;
using nlohmann::json;

namespace {

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

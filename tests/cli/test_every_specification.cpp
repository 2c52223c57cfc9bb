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

namespace {

/// "section.key=" of every parameter in the specification that a check shows which is an empty text.
Words empty_ones(const std::string& shown) {
  Words empty;
  std::string section;
  for (const std::string& line : lines(shown)) {
    if (line.starts_with('[')) section = line.substr(1, line.find(']') - 1);
    if (line.ends_with(" =") || line.ends_with(" = "))
      empty.push_back(section + '.' + line.substr(0, line.find(' ')) + '=');
  }
  return empty;
}

}  // namespace

TEST_CASE(
    "inputs: what is left empty in the specification of any component names no file, and so none changes") {
  const TestFolder folder;
  fs::create_directories(folder / "w");
  const json list = json::parse(ask("/", {"list", "--json"}).out);
  std::size_t tried = 0;
  for (const json& row : list.at("components")) {
    const std::string label = row.at("kind").get<std::string>() + '/' + row.at("name").get<std::string>();
    CAPTURE(label);
    const json page = json::parse(ask("/", {"describe", label, "--json"}).out);
    const Words words = shell_words(page.at("specification").get<std::string>());
    const Words empty = empty_ones(ask(folder / "w", with({"check"}, words)).out);
    tried += empty.size();
    // Into the working folder, which an empty name would be.
    fs::remove_all(folder / "w");
    fs::create_directories(folder / "w");
    const Outcome outcome = ask(folder / "w", with(with({"run"}, with(words, empty)),
                                                   {"stop.iterations=2", "--quiet", "--out", "."}));
    CHECK_MESSAGE(outcome.code == 0, outcome.err);
    CHECK_FALSE(contains(outcome.err, "has changed"));
    CHECK_FALSE(json::parse(folder.get("w/result.json")).contains("changed_inputs"));
    // Ratings are read by predictions, and no reader takes in a large matrix.
    const bool ratings = fs::exists(folder / "w/solution/folding.csv"),
               large = label == "data/synthetic-sparse-low-rank";
    CHECK((fs::exists(folder / "w/solution/solution.csv") || ratings || large));
  }
  CHECK(tried > 200);
}

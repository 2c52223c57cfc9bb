// SPDX-License-Identifier: BSD-3-Clause
#include "program.hpp"

#include <claros/other_names.hpp>

#include <algorithm>
#include <fstream>
#include <iterator>

using namespace claros::test;

namespace {

std::string source_text(const std::string& file) {
  std::ifstream in(fs::path(CLAROS_SOURCE_DIR) / file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

TEST_CASE("help: every section of help.txt is printed, verbatim and once") {
  const std::string file = source_text("apps/claros/commands/help.txt"), mark = "\n=== ";
  std::size_t sections = 0;
  for (std::size_t at = file.find(mark); at != file.npos; at = file.find(mark, at + 1)) {
    const std::size_t line = file.find('\n', at + 1);
    const std::string name = file.substr(at + mark.size(), line - at - mark.size());
    std::string text = file.substr(line + 1, std::min(file.find(mark, line), file.size() - 1) - line);
    CAPTURE(name);
    ++sections;
    const std::string include = "@specification\n";
    const bool of_specification = text.find(include) != text.npos;
    if (of_specification) text.erase(text.find(include));
    const std::string page = name == "first-screen" ? launch({{}, "/", {}, false, {}}).err
                             : name == "introduction" || name == "first-run" ? ask("/", {"help"}).out
                             : name == "specification"                       ? ask("/", {"help", "run"}).out
                                                                             : ask("/", {"help", name}).out;
    REQUIRE(contains(page, text));
    CHECK(page.find(text) == page.rfind(text));
    CHECK(contains(page, "SPEC is a text file of sections") == (of_specification || name == "specification"));
    CHECK_FALSE(contains(page, "==="));
  }
  CHECK(sections == 28);
}

TEST_CASE(
    "other names: every entry of other-names.txt has a place, a library and either a meaning or advice") {
  const auto& names = claros::other_names();
  CHECK(names.size() > 400);
  for (const claros::OtherName& name : names) {
    CAPTURE(name.written());
    CHECK_FALSE(name.key.empty());
    CHECK_FALSE(name.library.empty());
    CHECK(name.means.empty() != name.advice.empty());
    CHECK_FALSE(contains(name.library + name.advice, "|  "));
    for (const std::string& meaning : name.means) CHECK(contains(meaning, "="));
  }
  // A line of several words for a key, one of names of components, and one without a section.
  const auto entry = [&](const std::string& written) {
    const auto found = std::ranges::find(names, written, &claros::OtherName::written);
    REQUIRE(found != names.end());
    return *found;
  };
  CHECK(entry("algorithm.use=fista").means ==
        std::vector<std::string>{"algorithm.use=proximal-gradient", "algorithm.accelerate=yes"});
  CHECK(entry("algorithm.use=fista").library == "papers");
  CHECK(entry("stop.max_iter").means == std::vector<std::string>{"stop.iterations=*"});
  CHECK(entry("algorithm.step=1/k").advice == "write algorithm.step=agnostic algorithm.offset=1");
  CHECK(entry("penalty").means == std::vector<std::string>{"penalty.use=*"});
  CHECK(contains(entry("penalty.use=l1_l2").advice, "lambda (ratio |x| + (1 - ratio)/2 x^2)"));
}

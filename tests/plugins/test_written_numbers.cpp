// SPDX-License-Identifier: BSD-3-Clause
// Options that take numbers or a file: one number is a number, what is not finite is refused as such, and a
// text that is both is refused.
#include "compose_for_test.hpp"

namespace claros::test::written_numbers {

namespace {

struct Option {
  Kind kind;
  std::string name;
  Words others;
  std::string key;
};

/// Each component, the option that takes numbers or a file, and what else it needs.
std::vector<Option> options() {
  return {{Kind::objective, "linear", {}, "data"},
          {Kind::objective, "distance", {}, "data"},
          {Kind::objective, "distance", {"data=1"}, "weights"},
          {Kind::objective, "quadratic", {}, "diagonal"},
          {Kind::objective, "quadratic", {"diagonal=1"}, "linear"},
          {Kind::set, "vertices", {}, "vertices"},
          {Kind::set, "permutahedron", {}, "values"},
          {Kind::set, "ellipsoid", {"radius=1"}, "axes"},
          {Kind::set, "ellipsoid", {"radius=1"}, "center"},
          {Kind::set, "lp-ball", {"radius=1"}, "weights"},
          {Kind::set, "ordered-weight", {"radius=1"}, "weights"},
          {Kind::penalty, "slope", {"lambda=1"}, "weights"},
          {Kind::penalty, "l1", {"lambda=1"}, "weights"}};
}

std::shared_ptr<Component> made(const Option& option, const std::string& text, const TestFolder& folder) {
  Context context;
  context.base = folder.path();
  std::vector<Setting> settings{{option.key, text, {}, {}}};
  for (const std::string& word : option.others)
    settings.push_back({word.substr(0, word.find('=')), word.substr(word.find('=') + 1), {}, {}});
  return create_component(build_catalog(), option.kind, option.name, settings, context);
}

}  // namespace

TEST_CASE("written numbers: one number is a number in every option that takes numbers or a file") {
  const TestFolder folder;
  for (const Option& option : options()) {
    CAPTURE(option.name);
    CAPTURE(option.key);
    for (const std::string text : {"5", "0.7", "1e-3"}) CHECK_NOTHROW((void)made(option, text, folder));
    for (const std::string text : {"nan", "1 nan", "-NaN", "inf", "1,inf,3"}) {
      if (option.name == "l1" && text.find("inf") != text.npos) continue;  // inf is a weight
      CAPTURE(text);
      std::string said;
      try {
        (void)made(option, text, folder);
      } catch (const Error& error) {
        said = error.what();
      }
      CHECK_MESSAGE(!said.empty(), "accepted");
      CHECK_MESSAGE((contains(said, "finite") || contains(said, "weight")), said);
    }
    folder.put("5", "7\n");
    check_mentions(complaint([&] { (void)made(option, "5", folder); }, ErrorKind::usage),
                   {"the name of a file", "./5"});
    CHECK_NOTHROW((void)made(option, "./5", folder));
    std::filesystem::remove(folder / "5");
  }
}

}  // namespace claros::test::written_numbers

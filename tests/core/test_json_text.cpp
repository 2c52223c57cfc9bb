// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <claros/json_text.hpp>

#include "numbers.hpp"
#include "test_files.hpp"

using namespace claros;

namespace {

/// The complaint about a file in which a number "a" is looked for.
Complaint complaint_about(const std::filesystem::path& file) {
  try {
    (void)from_json_file(file, "write it anew", [](const Json& json) { return json.at("a").get<double>(); });
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::data);
    CHECK(error.complaints().size() == 1);
    return error.complaints().front();
  }
  return {};
}

}  // namespace

TEST_CASE(
    "json text: keys in their order, numbers to the last bit, null for what is not a number, and no byte "
    "that "
    "is not UTF-8") {
  CHECK(json_text({{"b", 1}, {"a", kNan}, {"c", {kInfinity, -kInfinity, 0.1}}}) ==
        "{\n  \"b\": 1,\n  \"a\": null,\n  \"c\": [\n    null,\n    null,\n    0.1\n  ]\n}\n");
  CHECK(json_text("\xFF\"\n\x01") == "\"\\\\xff\\\"\\n\\u0001\"\n");
  for (const double value : {1.0 / 3.0, 5e-324, 1.7976931348623157e308, -0.0})
    CHECK(Json::parse(json_text(value)).get<double>() == value);
}

TEST_CASE("json files: where, what and remedy of one that cannot be used") {
  const TestFolder folder;
  folder.put("good.json", "{\"a\": 3}");
  CHECK(from_json_file(folder / "good.json", "", [](const Json& json) { return json.at("a").get<int>(); }) ==
        3);
  for (const std::string text : {"", "{\"a\": 3", "{\"b\": 3}", "{\"a\": \"3\"}", "[1]", "\xFF"}) {
    folder.put("bad.json", text);
    const Complaint complaint = complaint_about(folder / "bad.json");
    CHECK(complaint.where == (folder / "bad.json").string());
    CHECK(complaint.remedy == "write it anew");
    CHECK_MESSAGE(complaint.what.find("exception") == std::string::npos, complaint.what);
    CHECK(complaint.what.size() > 10);
  }
  CHECK(complaint_about(folder / "absent.json").what == "cannot be read");
}

TEST_CASE("json files of other programs: null for what is not JSON, and no key in it") {
  const TestFolder folder;
  folder.put("bad.json", "{\"status\": ");
  folder.put("good.json", "{\"status\": 1}");
  for (const char* name : {"absent.json", "bad.json"}) {
    CHECK(json_or_null(folder / name).is_null());
    CHECK_FALSE(json_or_null(folder / name).contains("status"));
  }
  CHECK(json_or_null(folder / "good.json").contains("status"));
}

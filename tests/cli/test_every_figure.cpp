// SPDX-License-Identifier: BSD-3-Clause
#include "program.hpp"

using namespace claros::test;
using nlohmann::json;

TEST_CASE("reproduce: --all makes every figure of the folder, small, and names those whose data is missing") {
  const TestFolder folder;
  fs::create_directory(folder / "papers");
  const fs::path papers = fs::read_symlink("/proc/self/exe").parent_path() / "../share/claros/papers";
  for (const std::string key : {"g", "gk"})
    fs::copy(papers / key, folder / ("papers/" + key), fs::copy_options::recursive);
  const Words all{"reproduce", "--all", "--small", "--papers", "papers", "--out", "out", "--jobs", "2"};
  const auto outcome = ask(folder.path(), all);
  CHECK_MESSAGE(outcome.code == 0, outcome.err);
  const json gk = json::parse(folder.get("papers/gk/experiment.json"));
  CHECK(lines(outcome.out).size() == gk.at("figures").size() + 1);  // a line a figure, g/theorem1 among them
  CHECK(contains(outcome.err, "g/table1: left out: it needs u.data of MovieLens-100K"));
  CHECK_FALSE(fs::exists(folder / "out/g/table1"));
  CHECK(fs::exists(folder / "out/g/theorem1/figure.svg"));
  for (const std::string figure : {"figure1", "figure2", "constrained", "psd", "sensing", "sum", "table1"}) {
    CAPTURE(figure);
    CHECK(contains(folder.get("out/gk/" + figure + "/findings.md"), "--small`. Seeds 0 to 1"));
    CHECK(json::parse(folder.get("out/gk/" + figure + "/numbers.json")).at("figure") == "gk/" + figure);
  }
  // Where all is made, nothing is made again.
  CHECK_FALSE(contains(ask(folder.path(), all).err, "; about "));
}

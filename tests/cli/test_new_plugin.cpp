// SPDX-License-Identifier: BSD-3-Clause
#include "program.hpp"

#include <doctest/doctest.h>

#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <set>

namespace claros::test {

namespace {

const Words kKindsWithTemplate{"objective", "loss",      "set",       "penalty",
                               "smoother",  "estimator", "algorithm", "data"};

std::string text_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// A folder that cannot be written, unless one is root.
struct ReadOnly {
  explicit ReadOnly(fs::path folder) : path(std::move(folder)) { ::chmod(path.c_str(), 0500); }
  ~ReadOnly() { ::chmod(path.c_str(), 0700); }
  fs::path path;
};

}  // namespace

TEST_CASE("new-plugin writes a whole project of every kind, of the sources that are compiled here") {
  const TestFolder folder;
  for (const std::string& kind : kKindsWithTemplate) {
    CAPTURE(kind);
    const Outcome made = ask(folder.path(), {"new-plugin", kind, "sample", "--dir", kind});
    CHECK(made.code == 0);
    CHECK(made.err.empty());
    CHECK(contains(made.out, "claros doctor build/claros_" + kind + "_sample.so"));
    std::set<std::string> files;
    for (const auto& file : fs::directory_iterator(folder / kind)) files.insert(file.path().filename());
    CHECK(files ==
          std::set<std::string>{".gitignore", "CMakeLists.txt", "README.md", "sample.cpp", "spec.ini"});
    CHECK(text_of(folder / kind / "sample.cpp") ==
          text_of(fs::path(CLAROS_TEMPLATE_SOURCES) / kind / "sample.cpp"));
    for (const std::string& file : files) CHECK_FALSE(contains(text_of(folder / kind / file), "@"));
    CHECK(contains(text_of(folder / kind / "CMakeLists.txt"),
                   "claros_add_plugin(" + kind + " sample SOURCES sample.cpp)"));
  }
  // Nothing is left of how they were made.
  CHECK(folder.files() == kKindsWithTemplate.size());
}

TEST_CASE("the specification of every template runs with its plugin") {
  const TestFolder folder;
  for (const std::string& kind : kKindsWithTemplate) {
    CAPTURE(kind);
    REQUIRE(ask(folder.path(), {"new-plugin", kind, "sample", "--dir", kind}).code == 0);
    const Words with{"--plugin-path", CLAROS_TEMPLATE_PLUGINS};
    Words words{"run", (folder / kind / "spec.ini").string(), "--json", "--quiet"};
    words.insert(words.end(), with.begin(), with.end());
    const Outcome run = ask(folder.path(), words);
    CHECK(run.err == "");
    REQUIRE(run.code == 0);
    const auto result = nlohmann::json::parse(run.out);
    CHECK(result.at("versions").contains(kind + "/sample"));
    const std::string status = result.at("status");
    CHECK((status == "relative-gap" || status == "residual" || status == "iterations" || status == "epochs"));
  }
}

TEST_CASE(
    "the specification of the loss template fits a loss that is not convex, and one of positive targets") {
  const TestFolder folder;
  REQUIRE(ask(folder.path(), {"new-plugin", "loss", "sample", "--dir", "loss"}).code == 0);
  for (const Words& other :
       {Words{"objective.loss=robust"}, Words{"objective.loss=poisson", "data.response=positive"}}) {
    CAPTURE(other.front());
    Words words{"run", (folder / "loss" / "spec.ini").string(), "--json", "--quiet"};
    words.insert(words.end(), other.begin(), other.end());
    const Outcome run = ask(folder.path(), words);
    CAPTURE(run.err);
    REQUIRE(run.code == 0);
    CHECK(nlohmann::json::parse(run.out).at("status") == "residual");
  }
}

TEST_CASE("doctor finds nothing wrong with any template") {
  const TestFolder folder;
  for (const std::string& kind : kKindsWithTemplate) {
    const fs::path library = fs::path(CLAROS_TEMPLATE_PLUGINS) / ("claros_" + kind + "_sample.so");
    const Outcome examined = ask(folder.path(), {"doctor", library.string()});
    CAPTURE(examined.out);
    CAPTURE(examined.err);
    CHECK(examined.code == 0);
  }
}

TEST_CASE("the templates give the results of built-in plugins with the same mathematics") {
  const TestFolder folder;
  const Words data{"objective.use=linear-model",
                   "data.use=synthetic-regression",
                   "data.rows=60",
                   "data.cols=12",
                   "data.nonzero=3",
                   "--json",
                   "--quiet",
                   "--plugin-path",
                   CLAROS_TEMPLATE_PLUGINS};
  const auto value = [&](const Words& more) {
    Words words{"run"};
    words.insert(words.end(), data.begin(), data.end());
    words.insert(words.end(), more.begin(), more.end());
    const Outcome run = ask(folder.path(), words);
    CAPTURE(run.err);
    REQUIRE(run.code == 0);
    return nlohmann::json::parse(run.out).at("value").get<double>();
  };
  const auto same = [&](const Words& mine, const Words& ours) {
    CHECK(value(mine) == doctest::Approx(value(ours)).epsilon(1e-10));
  };
  same({"objective.loss=sample", "objective.loss.delta=0.7", "penalty.use=ridge", "penalty.lambda=0.1",
        "algorithm.use=proximal-gradient", "stop.iterations=50"},
       {"objective.loss=huber", "objective.loss.delta=0.7", "penalty.use=ridge", "penalty.lambda=0.1",
        "algorithm.use=proximal-gradient", "stop.iterations=50"});
  same({"set.use=sample", "set.radius=0.7", "algorithm.use=frank-wolfe", "stop.iterations=50"},
       {"set.use=l2-ball", "set.radius=0.7", "algorithm.use=frank-wolfe", "stop.iterations=50"});
  same({"set.use=sample", "set.radius=1", "algorithm.use=proximal-gradient", "stop.iterations=50"},
       {"set.use=l2-ball", "set.radius=1", "algorithm.use=proximal-gradient", "stop.iterations=50"});
  same({"penalty.use=sample", "penalty.lambda=0.1", "algorithm.use=proximal-gradient", "stop.iterations=50"},
       {"penalty.use=l1", "penalty.lambda=0.1", "algorithm.use=proximal-gradient", "stop.iterations=50"});
  same({"estimator.use=sample", "penalty.use=l1", "penalty.lambda=0.1", "algorithm.use=proximal-gradient",
        "stop.iterations=50"},
       {"estimator.use=sg", "penalty.use=l1", "penalty.lambda=0.1", "algorithm.use=proximal-gradient",
        "stop.iterations=50"});
  same({"algorithm.use=sample", "penalty.use=l1", "penalty.lambda=0.1", "stop.iterations=50"},
       {"algorithm.use=proximal-gradient", "algorithm.step=1/L", "penalty.use=l1", "penalty.lambda=0.1",
        "stop.iterations=50"});
  same({"algorithm.use=sample", "set.use=l1-ball", "set.radius=1", "stop.iterations=50"},
       {"algorithm.use=proximal-gradient", "algorithm.step=1/L", "set.use=l1-ball", "set.radius=1",
        "stop.iterations=50"});
}

TEST_CASE("new-plugin refuses what it cannot make, and leaves nothing behind") {
  const TestFolder folder;
  const auto refused = [&](const Words& words) {
    Words all{"new-plugin"};
    all.insert(all.end(), words.begin(), words.end());
    const Outcome made = ask(folder.path(), all);
    CHECK(made.code == 2);
    CHECK(made.out.empty());
    return made.err;
  };
  CHECK(contains(refused({"sett", "my-ball"}), "did you mean 'set'?"));
  CHECK(contains(refused({"solver", "my-ball"}), "write algorithm"));
  CHECK(contains(refused({"gadget", "my-ball"}),
                 "the kinds are objective, loss, set, penalty, smoother, estimator, algorithm, data"));
  CHECK(contains(refused({"set", "MyBall"}), "did you mean 'my-ball'?"));
  CHECK(contains(refused({"set", "my_ball"}), "did you mean 'my-ball'?"));
  for (const char* name : {"", "-ball", "ball-", "a--b", "b/c", "../up", "b c", "b\xc3\xa4ll"})
    CHECK(contains(refused({"set", "--", name}), "expected lower-case words"));
  // All that is wrong, at once.
  const std::string both = refused({"sett", "My_Ball", "--dir", "missing/deep"});
  CHECK(contains(both, "did you mean 'set'?"));
  CHECK(contains(both, "did you mean 'my-ball'?"));
  CHECK(contains(both, "does not exist"));
  CHECK(folder.files() == 0);

  folder.put("my-ball", "somebody's file");
  CHECK(contains(refused({"set", "my-ball"}), "my-ball: already exists"));
  CHECK(contains(refused({"set", "other", "--dir", folder.path().string() + "/"}), "already exists"));
  CHECK(folder.files() == 1);
  CHECK(folder.get("my-ball") == "somebody's file");
}

TEST_CASE("new-plugin reports that it cannot write") {
  if (::geteuid() == 0) return;  // root may write everywhere
  const TestFolder folder;
  fs::create_directory(folder / "closed");
  const ReadOnly closed(folder / "closed");
  const Outcome made = ask(folder.path(), {"new-plugin", "set", "my-ball", "--dir", "closed/my-ball"});
  CHECK(made.code == 4);
  CHECK(contains(made.err, "cannot be created"));
}

TEST_CASE("new-plugin warns of a name that is taken") {
  const TestFolder folder;
  const Outcome made = ask(folder.path(), {"new-plugin", "set", "l1-ball"});
  CHECK(made.code == 0);
  CHECK(contains(made.err, "set/l1-ball already exists"));
}

}  // namespace claros::test

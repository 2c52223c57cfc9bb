// SPDX-License-Identifier: BSD-3-Clause
// `check` promises what `run` would say.
#include "program.hpp"

using namespace claros::test;

namespace {

Words of(const std::string& command, const Words& more) {
  Words words{command,          "data.use=synthetic-regression", "data.rows=20",     "data.cols=6",
              "data.nonzero=2", "objective.use=linear-model",    "stop.iterations=3"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

/// What run says, but for the line that says what it minimises.
std::string without_opening(std::string text) {
  const std::size_t begin = text.find("claros: minimising");
  if (begin != std::string::npos) text.erase(begin, text.find('\n', begin) + 1 - begin);
  return text;
}

}  // namespace

TEST_CASE("check: refuses what run refuses, in the same words") {
  const std::vector<std::pair<Words, std::string>> cases{
      {{"algorithm.use=proximal-gradient", "penalty.use=l1", "penalty.lambda=0.1", "set.use=l2-ball",
        "set.radius=1"},
       "a penalty and a set at once"},
      {{"algorithm.use=frank-wolfe", "penalty.use=ridge", "penalty.lambda=50", "set.use=l1-ball",
        "set.radius=1"},
       "would leave out penalty/ridge"},
      {{"algorithm.use=proximal-gradient", "algorithm.accelerate=yes", "estimator.use=svrg"},
       "estimator/svrg is not"},
      {{"algorithm.use=dual-averaging", "estimator.use=spider"}, "estimator/spider is not"},
      {{"algorithm.use=dual-averaging", "estimator.use=svrg", "estimator.snapshot=5"},
       "estimator/svrg is not"},
      {{"algorithm.use=proximal-gradient", "estimator.use=sg", "estimator.sampling=importance",
        "estimator.replacement=no"},
       "i.i.d. draws"},
      {{"algorithm.use=proximal-gradient", "set.use=spectrahedron", "set.radius=1"},
       "symmetric matrices are square"},
      {{"algorithm.use=proximal-gradient", "estimator.use=sg", "estimator.batch=theory"},
       "theory needs the diameter D"},
      {{"algorithm.use=proximal-gradient", "estimator.use=svrg", "algorithm.step=theory"},
       "objective.strong_convexity"},
      {{"algorithm.use=proximal-gradient", "algorithm.decay=sqrt"}, "finds the lengths"},
      {{"algorithm.use=proximal-gradient", "estimator.use=sg", "estimator.batch=50",
        "estimator.replacement=no"},
       "50 distinct components of 20"},
      {{"algorithm.use=frank-wolfe", "set.use=l1-ball", "set.radius=1", "run.trials=2", "estimator.use=sg",
        "estimator.batch=theory"},
       "theory needs"},
  };
  const TestFolder folder;
  for (const auto& [words, part] : cases) {
    const auto check = ask(folder.path(), of("check", words)), run = ask(folder.path(), of("run", words));
    CHECK(check.code == 2);
    CHECK(check.code == run.code);
    // Beside the opening, where it is the start of the run that refuses.
    CHECK(check.err == without_opening(run.err));
    CHECK(check.out.empty());
    CHECK_MESSAGE(contains(check.err, part), check.err);
  }
  const auto sound = of("check", {"algorithm.use=proximal-gradient", "penalty.use=l1", "penalty.lambda=0.1",
                                  "estimator.use=svrg"});
  CHECK(ask(folder.path(), sound).code == 0);
  CHECK(folder.files() == 0);
}

TEST_CASE("check: an error of a component names the line of the specification") {
  const TestFolder folder;
  folder.put("spec.ini",
             "[data]\nuse = synthetic-regression\nrows = 20\ncols = 6\nnonzero = 2\n[objective]\nuse = "
             "linear-model\n"
             "[algorithm]\nuse = proximal-gradient\n[estimator]\nuse = sg\nreplacement = no\nbatch = "
             "50\n[stop]\niterations = 3\n");
  for (const char* command : {"check", "run"})
    CHECK(contains(ask(folder.path(), {command, "spec.ini"}).err,
                   "spec.ini:13: estimator.batch: 50 distinct components of 20"));
  CHECK(contains(ask(folder.path(), {"check", "spec.ini", "estimator.batch=60"}).err,
                 "estimator.batch: 60 distinct components of 20"));
  CHECK(contains(ask(folder.path(), {"check", "spec.ini", "estimator.batch=2.5"}).err,
                 "command line: estimator.batch: '2.5' is out of range"));
}

TEST_CASE("check: what only --out refuses is a warning") {
  const TestFolder folder;
  const Words words{"algorithm.use=proximal-gradient", "set.use=planted-ball", "set.radius=1",
                    "--plugin-path", CLAROS_PLANTED_DIR};
  auto run = of("run", words), check = of("check", words), without = of("check", words);
  CHECK(ask(folder.path(), run).code == 0);
  run.insert(run.end(), {"--out", "kept"});
  const auto refused = ask(folder.path(), run), warned = ask(folder.path(), check);
  CHECK(refused.code == 2);
  CHECK(contains(refused.err, "cannot save its state"));
  CHECK(warned.code == 0);
  CHECK(contains(warned.err, "run --out would refuse: set/"));
  CHECK(contains(warned.err, "cannot save its state"));
  without.push_back("output.checkpoint=0");
  CHECK_FALSE(contains(ask(folder.path(), without).err, "--out"));
}

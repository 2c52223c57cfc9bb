// SPDX-License-Identifier: BSD-3-Clause
// Data made in memory or by `claros data`, held-out data and trials, as a user meets them.
#include "kills.hpp"
#include "program.hpp"

#include <signal.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <sstream>

using namespace claros::test;
using nlohmann::json;

namespace {

const Words kMade{"data.use=synthetic", "data.rows=24", "data.cols=18", "data.rank=2", "data.largest=20"};
const Words kSolver{"objective.use=matrix-completion", "set.use=nuclear-ball", "set.radius=25",
                    "algorithm.use=frank-wolfe", "stop.iterations=30"};

Words operator+(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

std::vector<std::string> timeless_trace(const TestFolder& folder, const std::string& run) {
  return timeless(folder.get(run + "/trace.csv"));
}

void check_same_run(const TestFolder& folder, const std::string& a, const std::string& b) {
  CHECK(timeless_trace(folder, a).size() > 2);
  CHECK(timeless_trace(folder, a) == timeless_trace(folder, b));
  for (const std::string file : {"U.mtx", "s.mtx", "V.mtx"})
    CHECK(folder.get(a + "/solution/" + file) == folder.get(b + "/solution/" + file));
  json first = json::parse(folder.get(a + "/result.json")),
       second = json::parse(folder.get(b + "/result.json"));
  for (const std::string key : {"status", "value", "gap", "counts", "rmse_truth", "test_rmse", "iterations"})
    CHECK_MESSAGE(first.at(key) == second.at(key), key);
  CHECK(first.value("trials", json()) == second.value("trials", json()));
}

}  // namespace

TEST_CASE("data: a run on the files is the run on the data in memory, bit for bit") {
  const TestFolder folder;
  for (const std::string observed : {"0.5", "0.02"}) {
    INFO(observed);
    const Words made = kMade + Words{"data.observed=" + observed};
    const std::string files = "files" + observed;
    const auto wrote = ask(folder.path(), Words{"data"} + made + Words{"--seed", "3", "--out", files});
    CHECK(wrote.code == 0);
    CHECK(wrote.err == "claros: wrote " + files + "/observed.mtx\nclaros: wrote " + files + "/truth.mtx\n");
    const Words common = Words{"run", "--quiet", "--seed", "3"} + kSolver;
    CHECK(ask(folder.path(), common + made + Words{"--out", "memory"}).code == 0);
    const auto read =
        ask(folder.path(), common + Words{"objective.data=" + files + "/observed.mtx",
                                          "trace.truth=" + files + "/truth.mtx", "--out", "read"});
    CHECK_MESSAGE(read.code == 0, read.err);
    check_same_run(folder, "memory", "read");
    CHECK(json::parse(folder.get("read/result.json")).at("rmse_truth").is_number());
  }
}

TEST_CASE("data: the same files on any number of threads, also of the library beneath") {
  const TestFolder folder;
  Launch l;
  l.folder = folder.path();
  for (const std::string threads : {"1", "4"}) {
    l.words = {"data", "data.use=synthetic", "data.rows=400", "data.cols=300", "data.rank=40", "--out",
               threads};
    l.words.push_back("run.threads=" + threads);
    l.environment = {"OPENBLAS_NUM_THREADS=" + threads};
    REQUIRE(launch(l).code == 0);
  }
  CHECK(folder.get("1/truth.mtx") == folder.get("4/truth.mtx"));
  CHECK(folder.get("1/observed.mtx") == folder.get("4/observed.mtx"));
}

TEST_CASE(
    "data: normal numbers have the same bits on any number of threads, with the loops of every instruction "
    "set and any libm") {
  const TestFolder folder;
  const Words words{"data",
                    "data.use=synthetic-regression",
                    "data.rows=150",
                    "data.cols=1031",
                    "data.nonzero=20",
                    "data.correlation=0.1",
                    "data.errors=0.5"};
  const auto made = [&](const std::string& precision, const std::string& threads, const Words& environment) {
    static int runs = 0;
    const std::string out = "made" + std::to_string(++runs);
    const Outcome o =
        launch({words + Words{"data.precision=" + precision, "run.threads=" + threads, "--out", out},
                folder.path(),
                environment,
                false,
                {}});
    REQUIRE_MESSAGE(o.code == 0, o.err);
    return folder.get(out + "/design.bin");
  };
  for (const std::string precision : {"float", "double"}) {
    const std::string first = made(precision, "1", {"CLAROS_CPU=baseline"});
    for (const std::string cpu : {"baseline", "avx2", "avx512"})
      for (const std::string threads : {"1", "2", "5"})
        CHECK(made(precision, threads, {"CLAROS_CPU=" + cpu}) == first);
    CHECK(made(precision, "1", {"GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2,-FMA"}) == first);
  }
}

TEST_CASE("data: what is missing, misspelt or in the way is refused, and nothing is written") {
  const TestFolder folder;
  const auto refused = [&](const Words& words, const Words& parts, int code = 2) {
    const auto outcome = ask(folder.path(), Words{"data"} + words);
    CHECK(outcome.code == code);
    CHECK(outcome.out.empty());
    for (const std::string& part : parts) CHECK_MESSAGE(contains(outcome.err, part), outcome.err);
  };
  folder.put("notes.txt", "mine");
  refused(kMade, {"--out: is missing"});
  refused({"run.seed=1", "--out", "new"}, {"data: is missing", "claros list data"});
  refused({"run.seed=1"}, {"--out: is missing", "data: is missing"});
  refused({}, {"no specification"});
  refused({"data.use=sinthetic", "--out", "new"}, {"'sinthetic'", "did you mean 'synthetic'"});
  refused(kMade + Words{"data.rnk=3", "--out", "new"}, {"'rnk'", "did you mean 'rank'"});
  refused(kMade + Words{"dta.rank=3", "--out", "new"}, {"'dta'"});
  refused({"data.rank=3", "--out", "new"}, {"data", "names no component"});
  refused(kMade + Words{"data.rank=30", "--out", "new"}, {"data.rank", "30"});
  refused(kMade + Words{"data.rows=1000000", "data.cols=1000000", "--out", "new"}, {"data.rows", "lower"});
  refused(kMade + Words{"--out", "."}, {"--out .: holds files ("});
  refused(kMade + Words{"--out", "notes.txt"}, {"notes.txt: is not a folder"});
  CHECK(folder.files() == 1);
  CHECK(ask(folder.path(), Words{"run", "--quiet"} + kMade + kSolver + Words{"--out", "fit"}).code == 0);
  refused(kMade + Words{"--out", "fit"}, {"--out fit: holds files"});
  CHECK(fs::exists(folder / "fit/result.json"));
}

TEST_CASE(
    "data: a design larger than the memory that is allowed is mapped, with the same bits, and refused where "
    "it is to be read") {
  const TestFolder folder;
  REQUIRE(ask(folder.path(), {"data", "data.use=synthetic-regression", "data.rows=300", "data.cols=700",
                              "data.nonzero=9", "--out", "made"})
              .code == 0);
  const Words words{"run",
                    "objective.use=linear-model",
                    "objective.data=made/design.bin",
                    "penalty.use=l1",
                    "penalty.lambda=0.1",
                    "algorithm.use=proximal-gradient",
                    "estimator.use=svrg",
                    "estimator.batch=20",
                    "stop.iterations=30"};
  const auto run = [&](const std::string& out, const Words& more, const std::string& memory) {
    return launch(
        {words + Words{"--out", out} + more, folder.path(), {"CLAROS_MEMORY=" + memory}, false, {}});
  };
  REQUIRE(run("read", {}, "4GiB").code == 0);
  const Outcome mapped = run("mapped", {"run.threads=2"}, "1MiB");  // the entries take 1.6
  REQUIRE_MESSAGE(mapped.code == 0, mapped.err);
  CHECK(contains(mapped.err, "mapped: "));
  CHECK(contains(
      mapped.err,
      "1.6 MiB of doubles; 1 MiB of memory are left, which do not hold it: every pass reads from disk"));
  CHECK(timeless_trace(folder, "read") == timeless_trace(folder, "mapped"));
  CHECK(folder.get("read/solution/x.mtx") == folder.get("mapped/solution/x.mtx"));
  const Outcome refused = run("refused", {"objective.memory=read"}, "1MiB");
  CHECK(refused.code == 4);
  CHECK(contains(refused.err, "CLAROS_MEMORY allows 1 MiB"));
  CHECK(contains(refused.err, "objective.memory = map"));
  const Outcome copied = run("copied", {"objective.standardize=yes"}, "1MiB");
  CHECK(copied.code == 4);
  CHECK_MESSAGE(
      contains(copied.err, "1.6 MiB of memory; CLAROS_MEMORY allows 1 MiB (set standardize = false"),
      copied.err);
  const Outcome made = launch({{"run", "data.use=synthetic-regression", "data.rows=300", "data.cols=700",
                                "objective.use=linear-model", "stop.iterations=3", "--out", "large"},
                               folder.path(),
                               {"CLAROS_MEMORY=1MiB"},
                               false,
                               {}});
  CHECK(made.code == 4);
  CHECK(contains(made.err,
                 "the design of 300 x 700 in double takes 1.6 MiB of memory; CLAROS_MEMORY allows 1 MiB"));
  CHECK(contains(made.err, "precision = float"));
}

TEST_CASE("data: a mapped file that is cut off under a run ends it with its name") {
  const TestFolder folder;
  REQUIRE(ask(folder.path(), {"data", "data.use=synthetic-regression", "data.rows=2000", "data.cols=2000",
                              "data.nonzero=9", "--out", "made"})
              .code == 0);
  Launch l;
  l.folder = folder.path();
  l.words = {"run",
             "objective.use=linear-model",
             "objective.data=made/design.bin",
             "objective.memory=map",
             "algorithm.use=proximal-gradient",
             "algorithm.step=1e-9",
             "stop.iterations=1000000000",
             "run.threads=2",
             "output.checkpoint_every=1",
             "--out",
             "run"};
  Child child(l);
  wait_for(folder / "run" / "checkpoint");
  std::filesystem::resize_file(folder / "made" / "design.bin", 4096);
  const Outcome o = child.wait();
  CHECK(o.code == 4);
  CHECK_MESSAGE(contains(o.err, "made/design.bin"), o.err);
  CHECK_MESSAGE((contains(o.err, "was truncated") || contains(o.err, "bytes, and had")), o.err);
  CHECK(contains(o.err, "objective.memory = read"));
}

TEST_CASE("run: test_rmse is what predict says, on data in a file and in memory") {
  const TestFolder folder;
  folder.put("train.csv", "ann,M,2\nann,N,4\nbob,M,4\nbob,N,8\nbob,\"O, too\",12\neve,\"O, too\",18\n");
  folder.put("named.csv", "ann,\"O, too\",6\neve,M,6\neve,N,12.5\neve,N,11\n");
  folder.put("numbered.tsv", "1\t1\t5\n24\t18\t-2\n3\t7\t0.25\n");
  const std::vector<std::pair<Words, std::string>> cases{{{"objective.data=train.csv"}, "named.csv"},
                                                         {kMade, "numbered.tsv"}};
  for (const auto& [data, test] : cases) {
    INFO(test);
    const auto fit = ask(folder.path(), Words{"run"} + kSolver + data +
                                            Words{"objective.test=" + test, "--out", test + "-fit"});
    REQUIRE_MESSAGE(fit.code == 0, fit.err);
    CHECK(contains(fit.out, "rmse (test)"));
    const double measured = json::parse(folder.get(test + "-fit/result.json")).at("test_rmse").get<double>();
    const auto predicted = ask(folder.path(), {"predict", test + "-fit", test});
    REQUIRE_MESSAGE(predicted.code == 0, predicted.err);
    const std::string said = predicted.err.substr(predicted.err.find("RMSE ") + 5);
    CHECK(std::stod(said) == doctest::Approx(measured).epsilon(1e-4));
    double sum = 0.0, count = 0.0;
    for (const std::string& line : lines(predicted.out)) {
      const auto seen = line.rfind(','), last = line.rfind(',', seen - 1), before = line.rfind(',', last - 1);
      if (line.starts_with("row,")) continue;
      const double difference = std::stod(line.substr(before + 1)) - std::stod(line.substr(last + 1));
      sum += difference * difference, ++count;
    }
    CHECK(std::sqrt(sum / count) == doctest::Approx(measured).epsilon(1e-9));
  }
}

TEST_CASE("run: trials are in the summary and in the result") {
  const TestFolder folder;
  const Words words =
      Words{"run"} + kMade + kSolver + Words{"estimator.use=sg", "run.trials=3", "--out", "three"};
  const auto outcome = ask(folder.path(), words);
  CHECK(outcome.code == 0);
  CHECK(contains(outcome.out, "3, of which the smallest gap is kept"));
  const json result = json::parse(folder.get("three/result.json"));
  REQUIRE(result.at("trials").size() == 3);
  double least = result.at("trials")[0].at("gap").get<double>();
  for (const json& trial : result.at("trials")) least = std::min(least, trial.at("gap").get<double>());
  CHECK(result.at("gap").get<double>() == least);
}

TEST_CASE("run: Ctrl-C in the second trial leaves a whole folder, from which the rest can be run") {
  const TestFolder folder;
  const auto words = [&](const std::string& out) {
    return Words{"run", "--quiet"} + kMade + kSolver +
           Words{"estimator.use=svrg",
                 "run.trials=3",
                 "stop.iterations=60",
                 "output.checkpoint_every=1",
                 "trace.estimator_error=yes",
                 "--out",
                 out};
  };
  const auto start = [&](const std::string& out) {
    Launch l;
    l.words = words(out);
    l.folder = folder.path();
    return std::make_unique<Child>(l);
  };
  const auto whole = start("whole");
  const bool ended = becomes_true([&] { return fs::exists(folder / "whole" / "result.json"); });
  REQUIRE(ended);
  const double all = whole->processor_seconds();
  REQUIRE(whole->wait().code == 0);
  bool met = false;
  double moment = 0.5 * all;
  for (int attempt = 0; attempt < 20 && !met; ++attempt) {
    const std::string out = "stopped-" + std::to_string(attempt);
    const auto child = start(out);
    const bool reached = becomes_true([&] { return child->processor_seconds() >= moment; }, 5);
    child->signal(SIGINT);
    const Outcome outcome = child->wait();
    const bool early = reached && !fs::exists(folder / out / "result.json");  // before it could be heard
    const bool late = !reached || outcome.code == 0;
    moment *= late ? 0.8 : early ? 1.2 : 1;
    if (early || late) continue;
    const json result = json::parse(folder.get(out + "/result.json"));
    CHECK(outcome.code == 130);
    CHECK(result.at("status") == "interrupted");
    CHECK(result.at("trials").back().at("status") == "interrupted");
    const std::size_t trials = result.at("trials").size();
    met = trials == 2;
    moment *= trials < 2 ? 1.2 : 0.8;
    const auto resumed = ask(folder.path(), {"resume", out, "--quiet"});
    CHECK_MESSAGE(resumed.code == 0, resumed.err);
    check_same_run(folder, out, "whole");
  }
  CHECK(met);
}

TEST_CASE("the same bits with the loops of every instruction set") {
  TestFolder folder;
  const Words words{"run",
                    "data.use=synthetic-regression",
                    "data.rows=40",
                    "data.cols=67",
                    "data.nonzero=3",
                    "objective.use=linear-model",
                    "penalty.use=l1",
                    "penalty.lambda=0.1",
                    "estimator.use=svrg",
                    "estimator.batch=11",
                    "algorithm.use=proximal-gradient",
                    "stop.iterations=40"};
  for (const std::string precision : {"float", "double"}) {
    CAPTURE(precision);
    for (const std::string cpu : {"baseline", "avx2", "avx512"}) {
      const Outcome o = launch({words + Words{"data.precision=" + precision, "--out", cpu + precision},
                                folder.path(),
                                {"CLAROS_CPU=" + cpu},
                                false,
                                {}});
      REQUIRE(o.code == 0);
      check_same_run(folder, "baseline" + precision, cpu + precision);
    }
  }
  const Outcome o = launch({words, folder.path(), {"CLAROS_CPU=foo"}, false, {}});
  CHECK(o.code == 2);
  CHECK(o.err.find("CLAROS_CPU: 'foo' is not an instruction set") != std::string::npos);
}

TEST_CASE("the same bits with the loops of every instruction set, of projections of low rank") {
  TestFolder folder;
  for (const std::string estimator : {"full", "sg"})
    for (const std::string cpu : {"baseline", "avx2", "avx512"}) {
      CAPTURE(estimator);
      const Words words{"run",
                        "data.use=synthetic",
                        "data.rows=150",
                        "data.cols=110",
                        "data.rank=4",
                        "objective.use=matrix-completion",
                        "set.use=nuclear-ball",
                        "set.radius=50",
                        "algorithm.use=proximal-gradient",
                        "algorithm.step=1000",
                        "estimator.use=" + estimator,
                        "stop.iterations=25",
                        "--out",
                        cpu + estimator};
      const Outcome o = launch({words, folder.path(), {"CLAROS_CPU=" + cpu}, false, {}});
      REQUIRE_MESSAGE(o.code == 0, o.err);
      check_same_run(folder, "baseline" + estimator, cpu + estimator);
    }
}

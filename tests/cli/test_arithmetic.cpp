// SPDX-License-Identifier: BSD-3-Clause
// The libraries that compute are recorded, and a run that is resumed with others warns.
#include <doctest/doctest.h>

#include <cstdlib>
#include <random>

#include "program.hpp"

using namespace claros::test;

namespace {

/// Two classes; features too large and uneven for exp and log to round alike everywhere.
std::string design() {
  std::mt19937 engine(8);
  std::normal_distribution<double> normal;
  std::string text;
  for (int i = 0; i < 60; ++i) {
    for (int j = 0; j < 5; ++j) text += std::to_string(normal(engine)) + ' ';
    text += i % 3 ? "1\n" : "-1\n";
  }
  return text;
}

Words logistic(const std::string& out) {
  return {"run",
          "objective.use=linear-model",
          "objective.loss=logistic",
          "objective.data=design.txt",
          "penalty.use=ridge",
          "penalty.lambda=0.01",
          "algorithm.use=proximal-gradient",
          "stop.iterations=20",
          "trace.every=1",
          "--quiet",
          "--out",
          out};
}

Outcome in(const TestFolder& folder, const Words& words, const Words& environment) {
  return launch({words, folder.path(), environment, false, {}});
}

nlohmann::json noted(const TestFolder& folder, const std::string& run) {
  return nlohmann::json::parse(folder.get(run + "/result.json")).at("arithmetic");
}

struct Machine {
  std::string fact;
  Words environment;
};

/// Each is another machine as far as one fact goes, where this machine has the feature in the first place.
const std::vector<Machine> kMachines{{"libm", {"GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2,-FMA"}},
                                     {"blas", {"OPENBLAS_CORETYPE=Nehalem"}},
                                     {"blas", {"OPENBLAS_NUM_THREADS=3"}},
                                     {"loops", {"CLAROS_CPU=baseline"}}};

}  // namespace

TEST_CASE(
    "arithmetic: a run that goes on under another C library or BLAS warns, naming what was and is; no other "
    "does") {
  TestFolder folder;
  folder.put("design.txt", design());
  REQUIRE(in(folder, logistic("here"), {"CLAROS_CPU="}).code == 0);
  const nlohmann::json here = noted(folder, "here");
  for (const char* name : {"loops", "libm", "blas", "lapack"})
    CHECK(!here.at(name).get<std::string>().empty());
  int differed = 0;
  for (std::size_t k = 0; k < kMachines.size(); ++k) {
    const Machine& machine = kMachines[k];
    const std::string run = "run" + std::to_string(k);
    CAPTURE(machine.environment.front());
    REQUIRE(in(folder, logistic(run), {"CLAROS_CPU="}).code == 0);
    const Words resume{"resume", run, "stop.iterations=30", "--quiet"};
    const Outcome same = in(folder, {"resume", run, "stop.iterations=25", "--quiet"}, {"CLAROS_CPU="});
    CHECK(same.code == 0);
    CHECK(same.err.empty());
    const Outcome other = in(folder, resume, machine.environment);
    CAPTURE(other.err);
    CHECK(other.code == 0);
    const nlohmann::json there = noted(folder, run);
    const bool differs = there.at(machine.fact) != here.at(machine.fact);
    differed += differs;
    const std::string sentence = "arithmetic: " + machine.fact + " was '" +
                                 here.at(machine.fact).get<std::string>() + "' and is '" +
                                 there.at(machine.fact).get<std::string>() + "'";
    CHECK(contains(other.err, sentence) == (differs && machine.fact != "loops"));
    CHECK(contains(other.err, "warning") == (differs && machine.fact != "loops"));
  }
  CHECK(differed > 0);
}

TEST_CASE(
    "arithmetic: on a processor that OpenBLAS does not know the program runs wider kernels, says so, "
    "and leaves a core that is set") {
  const auto version = [](const Words& environment) {
    return launch({{"version"}, {}, environment, false, {}}).out;
  };
  const auto says_so = [](const std::string& text) { return contains(text, "OpenBLAS does not know this"); };
  const auto is_wide = [](const std::string& text) {
    return contains(text, " SkylakeX ") || contains(text, " Haswell ");
  };
  const bool is_set = std::getenv("OPENBLAS_CORETYPE") != nullptr;
  const std::string own = version({}), set = version({"OPENBLAS_CORETYPE=Nehalem"});
  CHECK(!says_so(set));
  CHECK(!is_wide(set));
  CHECK((!says_so(own) || (is_wide(own) && !is_set)));
  CHECK((is_set || !contains(own, "AFFINITY Prescott ") || !contains(own, "AVX2")));
  TestFolder folder;
  folder.put("design.txt", design());
  std::vector<nlohmann::json> values;
  for (const char* out : {"one", "other"}) {
    REQUIRE(in(folder, logistic(out), {}).code == 0);
    values.push_back(nlohmann::json::parse(folder.get(std::string(out) + "/result.json")).at("value"));
    CHECK((!says_so(own) || is_wide(noted(folder, out).at("blas").get<std::string>() + ' ')));
  }
  CHECK(values[0] == values[1]);
}

TEST_CASE("arithmetic: other data are refused under any") {
  TestFolder folder;
  folder.put("design.txt", design());
  REQUIRE(in(folder, logistic("run"), {}).code == 0);
  folder.put("design.txt", design() + "0 0 0 0 1 1\n");
  const Outcome other = in(folder, {"resume", "run", "--quiet"},
                           {"GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2,-FMA", "OPENBLAS_CORETYPE=Nehalem"});
  CHECK(other.code == 2);
  CHECK(contains(other.err, "contents of objective.data was"));
}

TEST_CASE(
    "arithmetic: the last digits of f at the start may differ where another machine computes, and nowhere "
    "else") {
  TestFolder folder;
  const Words run{"run",
                  "--plugin-path",
                  CLAROS_TROUBLE_DIR,
                  "objective.use=trouble",
                  "algorithm.use=proximal-gradient",
                  "algorithm.step=0.5",
                  "stop.iterations=3",
                  "--quiet",
                  "--out",
                  "run"};
  const Words resume{"resume", "run", "--plugin-path", CLAROS_TROUBLE_DIR, "stop.iterations=5", "--quiet"};
  const std::string other = "OPENBLAS_NUM_THREADS=3";
  REQUIRE(in(folder, run, {}).code == 0);
  for (const Words& environment : {Words{"TROUBLE_SHARE=1e-12"}, Words{"TROUBLE_SHARE=1e-3", other}}) {
    const Outcome refused = in(folder, resume, environment);
    CHECK(refused.code == 2);
    CHECK(contains(refused.err, "f at the start was '3' and is '3.00"));
  }
  const Outcome rounded = in(folder, resume, {"TROUBLE_SHARE=1e-12", other});
  CAPTURE(rounded.err);
  CHECK(rounded.code == 0);
  CHECK(contains(rounded.err, "warning: "));
  CHECK(contains(rounded.err, "f at the start was '3' and is '3.00"));
}

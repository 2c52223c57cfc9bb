// SPDX-License-Identifier: BSD-3-Clause
// The worked examples of the guide to plugins: what their specifications give, and that it is right.
#include "program.hpp"

#include <doctest/doctest.h>

namespace claros::test {

namespace {

nlohmann::json result_of(const Words& composition) {
  const TestFolder folder;
  Words words{"run", "--json", "--quiet", "--plugin-path", CLAROS_EXAMPLE_PLUGINS};
  words.insert(words.end(), composition.begin(), composition.end());
  const Outcome run = ask(folder.path(), words);
  CAPTURE(run.err);
  REQUIRE(run.code == 0);
  return nlohmann::json::parse(run.out);
}

std::string spec(const std::string& kind, const std::string& name = "spec") {
  return (fs::path(CLAROS_EXAMPLE_PLUGIN_SOURCES) / kind / (name + ".ini")).string();
}

/// The words of a refusal.
std::string refusal_of(const Words& composition) {
  const TestFolder folder;
  Words words{"check", "--plugin-path", CLAROS_EXAMPLE_PLUGINS};
  words.insert(words.end(), composition.begin(), composition.end());
  const Outcome check = ask(folder.path(), words);
  CAPTURE(check.out);
  CHECK(check.code == 2);
  return check.err;
}

/// The least squares of the examples' specifications, without their plugin.
double value_of(Words more) {
  more.insert(more.end(), {"objective.use=linear-model", "data.use=synthetic-regression", "data.rows=200",
                           "data.cols=50", "data.nonzero=5"});
  return result_of(more).at("value");
}

}  // namespace

TEST_CASE("doctor finds nothing wrong with any example") {
  const TestFolder folder;
  std::size_t examples = 0;
  for (const auto& library : fs::directory_iterator(CLAROS_EXAMPLE_PLUGINS)) {
    const Outcome examined = ask(folder.path(), {"doctor", library.path().string()});
    CAPTURE(examined.out);
    CAPTURE(examined.err);
    CHECK(examined.code == 0);
    ++examples;
  }
  CHECK(examples == 11);
}

TEST_CASE("the capped simplex ends at a confirmed gap, which bounds its distance from a projected method") {
  const auto result = result_of({spec("set")});
  CHECK(result.at("status") == "relative-gap");
  CHECK(result.at("confirmed") == true);
  const double value = result.at("value"), gap = result.at("gap");
  const double best = value_of(
      {"set.use=capped-simplex", "set.count=5", "algorithm.use=proximal-gradient", "stop.iterations=500"});
  CHECK(best <= value);
  CHECK(value - best <= gap);
  // With k = 1 it is the simplex.
  CHECK(value_of({"set.use=capped-simplex", "set.count=1", "algorithm.use=proximal-gradient",
                  "stop.iterations=200"}) ==
        doctest::Approx(value_of(
            {"set.use=simplex", "set.radius=1", "algorithm.use=proximal-gradient", "stop.iterations=200"})));
}

TEST_CASE("the k-support ball is met by its corners alone, and lies between the l1 and the l2 ball") {
  const auto result = result_of({spec("set", "k_support_ball")});
  CHECK(result.at("status") == "relative-gap");
  CHECK(result.at("confirmed") == true);
  CHECK(result.at("gap_kind") == "frank-wolfe");
  CHECK(result.at("counts").at("po") == 0);
  const auto value = [](const std::string& set, const std::string& count) {
    Words words{"set.use=" + set, "set.radius=3", "algorithm.use=frank-wolfe", "algorithm.step=line-search",
                "stop.iterations=300"};
    if (!count.empty()) words.push_back("set.count=" + count);
    return value_of(words);
  };
  const double l1 = value("l1-ball", ""), l2 = value("l2-ball", ""), between = value("k-support-ball", "5");
  CHECK(value("k-support-ball", "1") == doctest::Approx(l1).epsilon(1e-9));
  CHECK(value("k-support-ball", "50") == doctest::Approx(l2).epsilon(1e-9));
  CHECK(value("k-support-ball", "80") == doctest::Approx(l2).epsilon(1e-9));
  CHECK(l2 < 0.99 * between);
  CHECK(between < 0.99 * l1);
  // An algorithm that needs a projection is refused.
  const std::string refused = refusal_of({spec("set", "k_support_ball"), "algorithm.use=proximal-gradient"});
  CAPTURE(refused);
  CHECK(contains(refused, "set/k-support-ball"));
  CHECK(contains(refused, "proximal"));
}

TEST_CASE(
    "mirror descent comes to the minimum over the simplex, which it tells from other sets, and resumes to "
    "the same bits") {
  const auto result = result_of({spec("algorithm", "mirror_descent")});
  CHECK(result.at("status") == "relative-gap");
  CHECK(result.at("confirmed") == true);
  const Words simplex{"set.use=simplex", "set.radius=4", "stop.iterations=3000"};
  const auto by = [&](const std::string& algorithm, Words more) {
    more.insert(more.end(), simplex.begin(), simplex.end());
    more.push_back("algorithm.use=" + algorithm);
    return value_of(more);
  };
  const double value = result.at("value"), gap = result.at("gap");
  const double best = by("proximal-gradient", {});
  CHECK(value - best <= gap);
  CHECK(by("mirror-descent", {}) == doctest::Approx(best).epsilon(1e-4));
  // f + R, which it does not ask for apart, and sampled gradients.
  const Words smooth{"smoother.use=squared-norm", "smoother.lambda=0.5"};
  CHECK(by("mirror-descent", smooth) == doctest::Approx(by("proximal-gradient", smooth)).epsilon(1e-4));
  CHECK(by("mirror-descent", {"estimator.use=svrg", "estimator.batch=20", "algorithm.step=0.1"}) ==
        doctest::Approx(best).epsilon(1e-4));
  for (const char* other : {"set.use=l1-ball", "set.use=l2-ball", "set.use=box", "set.use=capped-simplex"}) {
    CAPTURE(other);
    Words words{spec("algorithm", "mirror_descent"), other};
    if (other == std::string("set.use=box") || other == std::string("set.use=capped-simplex")) {
      words = {"objective.use=linear-model", "data.use=synthetic-regression", "algorithm.use=mirror-descent",
               "stop.iterations=1", other};
      if (other == std::string("set.use=capped-simplex")) words.push_back("set.count=3");
    }
    CHECK(contains(refusal_of(words), "is not a simplex"));
  }
  CHECK(contains(refusal_of({spec("algorithm", "mirror_descent"), "start.from=zero"}), "is not above 0"));

  const TestFolder folder;
  const auto ask_with = [&](Words words) {
    words.insert(words.end(), {"--plugin-path", CLAROS_EXAMPLE_PLUGINS, "--quiet"});
    const Outcome outcome = ask(folder.path(), words);
    CAPTURE(outcome.err);
    REQUIRE(outcome.code == 0);
  };
  ask_with({"run", spec("algorithm", "mirror_descent"), "stop.iterations=20", "--out", "halted"});
  ask_with({"resume", "halted", "stop.iterations=60"});
  ask_with({"run", spec("algorithm", "mirror_descent"), "stop.iterations=60", "--out", "whole"});
  CHECK(folder.get("halted/solution/x.mtx") == folder.get("whole/solution/x.mtx"));
  CHECK_FALSE(folder.get("whole/solution/x.mtx").empty());
}

TEST_CASE("the square-root penalty finds the truth's entries at a fixed point, and no gap is claimed of it") {
  const auto result = result_of({spec("penalty", "square_root")});
  CHECK(result.at("status") == "residual");
  CHECK(result.at("gap").is_null());
  CHECK(result.at("rank_or_support") == 5);
  // Less biased than the l1 norm that keeps as few entries.
  const auto l1 = result_of({spec("penalty", "square_root"), "penalty.use=l1", "penalty.lambda=0.2"});
  CHECK(result.at("rmse_truth").get<double>() < 0.7 * l1.at("rmse_truth").get<double>());
  CHECK(contains(refusal_of({spec("penalty", "square_root"), "algorithm.use=dual-averaging"}),
                 "penalty/square-root"));
}

TEST_CASE("the log-cosh loss is certified by its conjugate, and with a large scale is the squared loss") {
  const TestFolder folder;
  const Outcome run =
      ask(folder.path(), {"run", spec("loss"), "--plugin-path", CLAROS_EXAMPLE_PLUGINS, "--quiet", "--json"});
  CAPTURE(run.err);
  REQUIRE(run.code == 0);
  const auto result = nlohmann::json::parse(run.out);
  CHECK(result.at("status") == "relative-gap");
  CHECK(result.at("gap_kind") == "duality");
  CHECK(result.at("versions").contains("loss/log-cosh"));
  const Words steps{"algorithm.use=proximal-gradient", "stop.iterations=100", "penalty.use=l1",
                    "penalty.lambda=0.05"};
  Words wide{"objective.loss=log-cosh", "objective.loss.scale=10000"}, squared{"objective.loss=squared"};
  wide.insert(wide.end(), steps.begin(), steps.end());
  squared.insert(squared.end(), steps.begin(), steps.end());
  CHECK(value_of(wide) == doctest::Approx(value_of(squared)).epsilon(1e-5));
}

TEST_CASE("the pinball penalty is certified by its conjugate, and with equal weights is the l1 norm") {
  const auto result = result_of({spec("penalty")});
  CHECK(result.at("status") == "relative-gap");
  CHECK(result.at("gap_kind") == "duality");
  const Words steps{"algorithm.use=proximal-gradient", "stop.iterations=100"};
  Words pinball{"penalty.use=pinball", "penalty.up=0.2", "penalty.down=0.2"},
      l1{"penalty.use=l1", "penalty.lambda=0.2"};
  pinball.insert(pinball.end(), steps.begin(), steps.end());
  l1.insert(l1.end(), steps.begin(), steps.end());
  CHECK(value_of(pinball) == doctest::Approx(value_of(l1)).epsilon(1e-10));
}

TEST_CASE("the geometric median is found by curvature-corrected gradients as by full ones") {
  const auto result = result_of({spec("objective")});
  CHECK(result.at("counts").at("hessian_products") > 0);
  const auto full = result_of({"objective.use=geometric-median", "objective.epsilon=0.5",
                               "data.use=synthetic-regression", "data.rows=200", "data.cols=10",
                               "data.nonzero=0", "algorithm.use=proximal-gradient", "stop.iterations=300"});
  CHECK(result.at("value").get<double>() == doctest::Approx(full.at("value").get<double>()).epsilon(1e-4));
}

TEST_CASE("gradients that are never clipped are those of sg, and clipped ones move less") {
  const auto value = [](const Words& estimator) {
    Words words{"algorithm.use=proximal-gradient", "estimator.batch=20", "stop.epochs=5"};
    words.insert(words.end(), estimator.begin(), estimator.end());
    return value_of(words);
  };
  const double free = value({"estimator.use=clipped-sg", "estimator.clip=1e9"});
  CHECK(free == value({"estimator.use=sg"}));
  CHECK(value({"estimator.use=clipped-sg", "estimator.clip=1e-6"}) > 2.0 * free);
  CHECK(result_of({spec("estimator")}).at("status") == "epochs");
}

TEST_CASE(
    "coin-spider with probability 1 is the full gradient, else cheaper and as good, and resumes to the same "
    "bits") {
  const TestFolder folder;
  const std::string page =
      (fs::path(CLAROS_EXAMPLE_PLUGIN_SOURCES) / "estimator" / "coin_spider.ini").string();
  const auto result = [&](Words more) {
    Words words{page};
    words.insert(words.end(), more.begin(), more.end());
    return result_of(words);
  };
  const auto full = result({"estimator.use=full", "algorithm.step=0.2", "algorithm.accelerate=off",
                            "stop.iterations=100", "stop.epochs=1000"});
  const auto always =
      result({"estimator.probability=1", "algorithm.step=0.2", "stop.iterations=100", "stop.epochs=1000"});
  CHECK(always.at("value").get<double>() == doctest::Approx(full.at("value").get<double>()).epsilon(1e-12));
  const auto mostly = result({"algorithm.step=0.2", "stop.iterations=100", "stop.epochs=1000"});
  CHECK(mostly.at("value").get<double>() == doctest::Approx(full.at("value").get<double>()).epsilon(1e-3));
  CHECK(mostly.at("counts").at("sfo").get<double>() < 0.5 * full.at("counts").at("sfo").get<double>());
  const Words with{"--plugin-path", CLAROS_EXAMPLE_PLUGINS, "--quiet"};
  const auto ask_with = [&](Words words) {
    words.insert(words.end(), with.begin(), with.end());
    const Outcome outcome = ask(folder.path(), words);
    CAPTURE(outcome.err);
    REQUIRE(outcome.code == 0);
  };
  ask_with({"run", page, "stop.iterations=33", "--out", "halted"});
  ask_with({"resume", "halted", "stop.iterations=60"});
  ask_with({"run", page, "stop.iterations=60", "--out", "whole"});
  CHECK(folder.get("halted/solution/x.mtx") == folder.get("whole/solution/x.mtx"));
  CHECK_FALSE(folder.get("whole/solution/x.mtx").empty());
}

TEST_CASE("heavy ball comes to the minimum of projected gradient, and resumes to the same bits") {
  const auto result = result_of({spec("algorithm")});
  CHECK(result.at("value").get<double>() ==
        doctest::Approx(value_of({"set.use=l1-ball", "set.radius=4", "algorithm.use=proximal-gradient",
                                  "stop.iterations=2000"}))
            .epsilon(1e-4));
  const TestFolder folder;
  const Words with{"--plugin-path", CLAROS_EXAMPLE_PLUGINS, "--quiet"};
  const auto ask_with = [&](Words words) {
    words.insert(words.end(), with.begin(), with.end());
    const Outcome outcome = ask(folder.path(), words);
    CAPTURE(outcome.err);
    REQUIRE(outcome.code == 0);
  };
  ask_with({"run", spec("algorithm"), "stop.iterations=30", "--out", "halted"});
  ask_with({"resume", "halted", "stop.iterations=60"});
  ask_with({"run", spec("algorithm"), "stop.iterations=60", "--out", "whole"});
  CHECK(folder.get("halted/solution/x.mtx") == folder.get("whole/solution/x.mtx"));
  CHECK_FALSE(folder.get("whole/solution/x.mtx").empty());
}

TEST_CASE("autoregressive data knows its truth") {
  const auto result = result_of({spec("data")});
  CHECK(result.at("status") == "relative-gap");
  CHECK(result.at("rmse_truth") < 0.1);
  CHECK(result.at("rank_or_support") < 30);
}

}  // namespace claros::test

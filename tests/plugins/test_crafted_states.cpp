// SPDX-License-Identifier: BSD-3-Clause
// A state whose checksum is right and one of whose members is not: a size, an index or a count that is used
// is refused by name. tests/run --mutate components changes all members of all components.
#include "../fuzz/state/archive.hpp"
#include "compose_for_test.hpp"

#include <nlohmann/json.hpp>

#include "../core/numbers.hpp"

using namespace claros;
using namespace claros::test;

namespace {

using Json = nlohmann::json;
using Edit = std::function<void(Json& names)>;

constexpr Index kSaved = 6, kMore = 4;

Json number(double value) {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(&value);
  return Json::binary(std::vector<std::uint8_t>(bytes, bytes + sizeof value));
}

/// What becomes of a run that is resumed from its own state after kSaved steps, with that change.
RunResult resumed(const Words& words, const Edit& edit) {
  const Composition composition =
      compose(build_catalog(), spec_of(words + Words{"stop.iterations=" + std::to_string(kSaved + kMore)}));
  std::string state;
  (void)run_composition(composition.trial(0), [&](RunSettings& settings) {
    settings.checkpoint_every = kSaved;
    settings.on_checkpoint = [&](const StateStream& stream, bool ended) {
      if (!ended) state = collected(stream);
    };
  });
  REQUIRE_FALSE(state.empty());
  fuzz::Archive archive = fuzz::unsealed(state);
  Json names = Json::from_cbor(archive.names);
  edit(names);
  const auto text = Json::to_cbor(names);
  archive.names.assign(text.begin(), text.end());
  state = fuzz::sealed(archive);
  return run_composition(composition.trial(0), [&](RunSettings& settings) { settings.resume = state; });
}

/// With another value at a place of the state, such as "algorithm/t".
RunResult resumed(const Words& words, const std::string& place, const Json& value) {
  return resumed(words, [&](Json& names) { names.at(Json::json_pointer("/root/" + place)) = value; });
}

void check_refused(const Words& words, const std::string& place, const Json& value) {
  INFO(place, " = ", value.dump(-1, ' ', false, Json::error_handler_t::replace));
  const RunResult result = resumed(words, place, value);
  std::string name = place;
  std::ranges::replace(name, '/', '.');
  CHECK(result.status == Status::failed);
  CHECK(result.failure_kind == ErrorKind::data);
  INFO(result.failure);
  CHECK(result.failure.find('\'' + name + '\'') != std::string::npos);
}

/// The zero element of a shape.
Json element(Index rows, Index cols) {
  const Json none = Json::array();
  return {{"shape", {{"rows", rows}, {"cols", cols}, {"blocks", none}}},
          {"parts", none},
          {"blocks", none},
          {"images", none}};
}

struct Matrix {
  SmallProblem problem{611, 9, 7, 2, 40};
  Words with(const std::string& estimator, const Words& more = {}) const {
    Words words = problem.words(4.0, {"estimator.use=" + estimator, "trace.every=1"});
    if (estimator != "full") words = words + Words{"estimator.batch=3", "estimator.epoch=4"};
    return words + more;
  }
  Words penalised(const std::string& estimator, const Words& more = {}) const {
    const Words small = estimator == "full" ? Words{} : Words{"estimator.batch=3", "estimator.epoch=4"};
    return problem.objective() +
           Words{"penalty.use=nuclear", "penalty.lambda=0.1", "algorithm.use=proximal-gradient",
                 "estimator.use=" + estimator, "trace.every=1"} +
           small + more;
  }
};

}  // namespace

TEST_CASE("crafted states: nothing changed is nothing refused") {
  const Matrix matrix;
  for (const std::string& estimator : build_catalog().names(Kind::estimator)) {
    CAPTURE(estimator);
    for (const Words& words : {matrix.with(estimator), matrix.penalised(estimator)}) {
      const RunResult result = resumed(words, [](Json&) {});
      INFO(result.failure);
      CHECK(result.iterations == kSaved + kMore);
      CHECK(result.failure.empty());
    }
  }
}

TEST_CASE("crafted states: counts and shapes of the run") {
  const Matrix matrix;
  const Words full = matrix.with("full");
  check_refused(full, "iterations", Index{1} << 62);
  check_refused(full, "iterations", -1);
  check_refused(full, "trace iteration", number(1e300));
  check_refused(full, "trace epoch", number(0.5));
  check_refused(full, "sampler", std::numeric_limits<std::uint64_t>::max());
  check_refused(matrix.penalised("full"), "best points/point", element(2, 900));
}

TEST_CASE("crafted states: counts of algorithms") {
  const Matrix matrix;
  check_refused(matrix.with("full"), "algorithm/t", -2);
  check_refused(matrix.with("full"), "algorithm/recompression/columns limit", -1);
  check_refused(matrix.with("full", {"algorithm.output=uniform"}), "algorithm/answer/reservoir/count", -1);
  check_refused(matrix.with("full", {"algorithm.step=theory", "estimator.accuracy=0.001"}),
                "algorithm/theory/steps", -1);
  check_refused(matrix.penalised("full"), "algorithm/t", -2);
  for (const double length : {0.0, -1.0, kInfinity, std::nan("")})
    check_refused(matrix.penalised("full"), "algorithm/full/search/length", number(length));
  check_refused(matrix.penalised("svrg"), "algorithm/end/count", -1);
}

TEST_CASE("crafted states: counts of estimators") {
  const Matrix matrix;
  check_refused(matrix.with("full"), "estimator/passes", -1);
  for (const std::string estimator : {"sg", "momentum", "svrg", "saga"}) {
    CAPTURE(estimator);
    const Words words = matrix.with(estimator);
    for (const Index batch : {Index{-1}, Index{0}, Index{1} << 26})
      check_refused(words, "estimator/batch", batch);
    check_refused(words, "estimator/t", -1);
    check_refused(words, "estimator/epochs", -1);
    check_refused(words, "estimator/left", -1);
  }
  // Within an epoch that never began there is nothing that it makes.
  CHECK(resumed(matrix.with("svrg"), "estimator/epochs", 0).failure.find("'estimator.left'") !=
        std::string::npos);
  check_refused(matrix.with("svrg"), "estimator/plan/batch", Index{1} << 60);
  CHECK(resumed(matrix.with("svrg"), "estimator/plan/batch", -3).failure.find("'estimator.plan'") !=
        std::string::npos);
}

TEST_CASE("crafted states: what an epoch of an estimator needs") {
  const Matrix matrix;
  for (const std::string estimator : {"casvrg", "caspider"})
    check_refused(matrix.with(estimator), "estimator/begun", false);
  for (const std::string estimator : {"sag", "saga"})
    CHECK(resumed(matrix.with(estimator), [](Json& names) {
            names["root"]["estimator"]["table"] = nullptr;
            names["root"]["estimator"]["pending components"] =
                names["root"]["estimator"]["pending coefficients"] = Json::binary({});
          }).failure.find("'estimator.table'") != std::string::npos);
  const auto with_draws = [&](Index first, Index draws) {
    return resumed(matrix.with("casvrg"),
                   [&](Json& names) {
                     Json& estimator = names["root"]["estimator"];
                     estimator["snapshot over all"] = false;
                     estimator["snapshot first draw"] = first, estimator["snapshot draws"] = draws;
                   })
        .failure;
  };
  CHECK(with_draws(-1, 3).find("'estimator.snapshot first draw'") != std::string::npos);
  for (const auto& [first, draws] : {std::pair<Index, Index>{0, 41}, {40, 1}, {0, -1}, {0, 0}, {1, 40}})
    CHECK(with_draws(first, draws).find("'estimator.snapshot draws'") != std::string::npos);
}

TEST_CASE("crafted states: points of another shape, and of none") {
  const Matrix matrix;
  for (const Json& other : {element(0, 0), element(7, 9), element(1000, 1000)}) {
    check_refused(matrix.with("full"), "algorithm/x", other);
    check_refused(matrix.with("svrg"), "estimator/snapshot", other);
    check_refused(matrix.with("casvrg"), "estimator/snapshot", other);
    check_refused(matrix.with("spider"), "estimator/previous", other);
    check_refused(matrix.with("caspider"), "estimator/previous", other);
    check_refused(matrix.with("svrg"), "estimator/g", other);
    check_refused(matrix.penalised("full"), "algorithm/full/search/seen", other);
  }
}

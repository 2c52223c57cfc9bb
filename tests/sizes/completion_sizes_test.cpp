// SPDX-License-Identifier: BSD-3-Clause
// Matrix completion as a user asks for it, without an algorithm: what it computes and allocates stays near
// the data, and far below an m x n array. Sizes of a tenth here; with CLAROS_LARGE=1 (tests/run --large) the
// sizes themselves.
#include "../core/allocations.hpp"
#include "made_ratings.hpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>

using namespace claros;
using namespace claros::test;
using claros::testing::Allocations;

namespace {

const Words kGap{"stop.relative_gap=1e-2"};
const Words kBall{"set.use=nuclear-ball"}, kPenalty{"penalty.use=nuclear"};

const MadeRatings& tenth() {
  static const MadeRatings made(10000, 2000, 500000);
  return made;
}

std::string chosen(const Composition& c) { return c.effective.get("algorithm", "use")->value; }

/// A run of a tenth: what it used, as multiples of the data's 500,000 entries.
struct Used {
  explicit Used(const Words& words) {
    const Allocations allocations;
    const Composition c = compose(build_catalog(), spec_of(tenth().words(words)));
    algorithm = chosen(c);
    result = run_composition(c);
    peak = static_cast<double>(allocations.peak());
    largest = static_cast<double>(allocations.largest());
  }
  /// 160 bytes an entry for the data, images and gradients; factors of a rank far below the sides.
  void check_memory() const {
    if (!Allocations::counted()) return;
    CHECK(largest < tenth().bytes_of_all_entries() / 8.0);
    CHECK(peak < 160.0 * 500000);
    CHECK(largest > 8.0 * 500000 - 1);  // the count counts
  }

  std::string algorithm;
  RunResult result;
  double peak = 0.0, largest = 0.0;
};

bool large() { return std::getenv("CLAROS_LARGE") != nullptr; }

/// A row of the table of tests/run --large.
void report(const char* name, const Words& words, double seconds_aim, double bytes_aim) {
  const Allocations allocations;
  const auto begin = std::chrono::steady_clock::now();
  const std::clock_t used = std::clock();
  const Composition c = compose(build_catalog(), spec_of(words + Words{"run.threads=2"}));
  const RunResult r = run_composition(c);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const double processor = static_cast<double>(std::clock() - used) / CLOCKS_PER_SEC,
               peak = static_cast<double>(allocations.peak());
  std::printf(
      "%-44s %-18s %5ld steps  rank %4ld  gap %.2e of %.2e  %6.1f s (aim %3.0f, processor %6.1f)  %.3f GB "
      "(aim %.1f)  %s\n",
      name, chosen(c).c_str(), static_cast<long>(r.iterations), static_cast<long>(rank_or_support(r.answer)),
      r.measurement.gap, r.measurement.value, seconds, seconds_aim, processor, peak / 1e9, bytes_aim / 1e9,
      text(r.status).c_str());
  CHECK(is_target(r.status));
  if (Allocations::counted()) CHECK(peak < bytes_aim);
}

const MadeRatings& whole() {
  static const MadeRatings made(100000, 20000, 5000000);
  return made;
}

}  // namespace

TEST_CASE(
    "sizes: over a nuclear ball the first projections have few values, and the gap is met in a few steps") {
  const Used used(kBall + Words{"set.radius=2000"} + kGap);
  CHECK(used.algorithm == "factored");
  CHECK(used.result.status == Status::relative_gap);
  CHECK(used.result.measurement.confirmed);
  CHECK(used.result.iterations <= 10);
  CHECK(used.result.counts.svd <= 300);
  CHECK(used.result.counts.matvec <= 1000);
  used.check_memory();
}

TEST_CASE("sizes: with a nuclear penalty steps and gaps take a few triplets, and no array of all entries") {
  for (const std::string centre : {"mean", "biases"}) {
    const Used used(kPenalty + Words{"penalty.lambda=0.6*max", "objective.center=" + centre} + kGap);
    CHECK(used.result.status == Status::relative_gap);
    CHECK(used.result.measurement.gap_kind == "duality");
    CHECK(used.result.measurement.gap >= 0.0);
    CHECK(used.result.iterations <= 10);
    CHECK(used.result.counts.svd <= 300);
    CHECK(used.result.counts.matvec <= 1000);
    used.check_memory();
  }
}

TEST_CASE("sizes: with the robust loss ranks grow step by step until the gap is met") {
  const Used used(kBall +
                  Words{"set.radius=4000", "objective.loss=robust", "stop.gap=1e-1", "stop.iterations=60"});
  CHECK(used.result.status == Status::gap);
  CHECK(used.result.counts.svd <= 64 * used.result.counts.po);
  used.check_memory();
}

TEST_CASE("sizes: along stochastic gradients a large nuclear ball is gone over by its linear oracle") {
  CHECK(chosen(compose(build_catalog(),
                       spec_of(tenth().words(kBall + Words{"set.radius=2000", "estimator.use=svrg",
                                                           "stop.iterations=1"})))) == "frank-wolfe");
}

TEST_CASE("sizes: a run that is resumed after any step has the bits of one that was not") {
  const MadeRatings made(1700, 1500, 40000);
  const Words words = made.words(kBall + Words{"set.radius=400", "stop.iterations=6"});
  std::vector<std::string> states;
  const RunResult whole = solve(words, [&](RunSettings& s) {
    s.checkpoint_every = 1;
    s.checkpoint_seconds = 1e9;
    s.on_checkpoint = [&](const StateStream& state, bool) { states.push_back(collected(state)); };
  });
  REQUIRE(whole.failure == "");
  CHECK(whole.counts.svd < 100 * whole.counts.po);  // no step made them all
  for (const std::size_t k : {std::size_t{0}, std::size_t{2}, std::size_t{4}}) {
    const RunResult resumed = solve(words, [&](RunSettings& s) { s.resume = states.at(k); });
    CHECK(same_bits(resumed.answer, whole.answer));
    CHECK(resumed.counts == whole.counts);
    CHECK(resumed.measurement.gap == whole.measurement.gap);
  }
}

TEST_CASE("sizes: the same bits on any number of threads") {
  const MadeRatings made(1700, 1500, 40000);
  const auto answer = [&](const std::string& threads) {
    return solve(made.words(kPenalty +
                            Words{"penalty.lambda=0.3*max", "stop.iterations=6", "run.threads=" + threads}))
        .answer;
  };
  CHECK(same_bits(answer("1"), answer("3")));
}

TEST_CASE("sizes in full: 5 million ratings of 100,000 x 20,000" * doctest::skip(!large())) {
  report("5M, nuclear ball 20,000", whole().words(kBall + Words{"set.radius=20000"} + kGap), 10.0, 0.5e9);
  report("5M, nuclear penalty 0.6*max", whole().words(kPenalty + Words{"penalty.lambda=0.6*max"} + kGap),
         10.0, 0.6e9);
}

TEST_CASE("sizes in full: MovieLens-1M" * doctest::skip(!large())) {
  const char* folder = std::getenv("CLAROS_DATA");
  const std::filesystem::path file =
      std::filesystem::path(folder ? folder : "") / "movielens-1m/ratings.tsv.xz";
  if (!folder || !std::filesystem::exists(file))
    return (void)std::printf("MovieLens-1M: skipped: no data at %s (set CLAROS_DATA)\n", file.c_str());
  const Words data{"objective.use=matrix-completion", "objective.data=" + file.string()};
  report("MovieLens-1M, biases, penalty 0.5*max",
         data + Words{"objective.center=biases", "penalty.lambda=0.5*max"} + kPenalty + kGap, 3.0, 0.2e9);
  report("MovieLens-1M, robust, ball 10,000, gap 0.1",
         data + Words{"objective.center=mean", "objective.loss=robust", "set.radius=10000", "stop.gap=1e-1"} +
             kBall,
         5.0, 0.4e9);
}

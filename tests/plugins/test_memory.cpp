// SPDX-License-Identifier: BSD-3-Clause
// What a long run holds, seen in what its checkpoints weigh: every array that the run keeps is in them, once.
#include <claros/results/checkpoint.hpp>

#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <thread>

#include "trace_for_test.hpp"

using namespace claros;
using namespace claros::test;

namespace {

constexpr Index kLargeRows = 300, kLargeCols = 200, kEntries = 400;

const SmallProblem& large_problem() {
  static const SmallProblem made(811, kLargeRows, kLargeCols, 2, kEntries);
  return made;
}

struct Most {
  double bytes = 0.0;  ///< of a state
  Index columns = 0;   ///< of the iterate
};

Most most_of(const Words& words) {
  Most most;
  solve(words, [&](RunSettings& s) {
    s.checkpoint_every = 1;
    s.checkpoint_seconds = 1e9;
    s.on_checkpoint = [&](const StateStream& state, bool) {
      most.bytes = std::max(most.bytes, static_cast<double>(collected(state).size()));
    };
    s.on_step = [&](const Step& step) {
      most.columns = std::max(most.columns, step.iterate().columns());
      return true;
    };
  });
  return most;
}

double bytes_of(Index columns) {
  return static_cast<double>(columns * (kLargeRows + kLargeCols)) * sizeof(double);
}

std::string content(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

TEST_CASE("memory: an iterate that was recompressed takes no columns of its snapshot, step after step") {
  for (const std::string estimator : {"svrg", "spider", "casvrg", "caspider"}) {
    INFO(estimator);
    const Most most = most_of(large_problem().words(
        8.0, {"estimator.use=" + estimator, "estimator.batch=4", "estimator.epoch=60",
              "algorithm.recompress=6", "algorithm.step=agnostic", "stop.iterations=180", "trace.on=no"}));
    // The iterate's columns, the snapshot's, those of the point before; some numbers an entry; names.
    CHECK(most.bytes < bytes_of(3 * most.columns) + 40.0 * kEntries * sizeof(double) + 30000.0);
  }
}

TEST_CASE("memory: Frank-Wolfe on long columns holds 20 of them, or twice what its accuracy needs") {
  Ratings ratings{80000, 40000, {}, {}, {}, {}, {}};
  for (std::int32_t k = 0; k < 1000; ++k) {
    ratings.row.push_back(799 * (k / 10) + 10);
    ratings.col.push_back(13 * (k / 10 % 7) + 2000 * (k % 10));
    ratings.value.push_back(1.0 + k / 10 % 3);
  }
  const SmallProblem wide(ratings);
  Index last = 0, least = 20;
  solve(wide.words(8.0, {"algorithm.step=agnostic", "stop.iterations=70", "trace.on=no"}),
        [&](RunSettings& s) {
          s.on_step = [&](const Step& step) {
            const Index columns = step.iterate().columns();
            if (columns < last + 1 && columns > 1) least = std::max<Index>(20, 2 * columns);  // recompressed
            CHECK(columns <= least);
            last = columns;
            return true;
          };
        });
  CHECK(last > 1);
}

TEST_CASE("memory: accelerated proximal steps on factors keep those of their last points") {
  const auto state = [](const std::string& steps) {
    return most_of(large_problem().objective() + Words{"penalty.use=nuclear", "penalty.lambda=0.001",
                                                       "algorithm.use=proximal-gradient",
                                                       "algorithm.accelerate=yes", "algorithm.rank=5",
                                                       "trace.on=no", "stop.iterations=" + steps})
        .bytes;
  };
  CHECK(state("80") < state("12") + bytes_of(10));
}

TEST_CASE(
    "memory: on matrices of few entries no algorithm keeps more columns, with any estimator, the longer it "
    "goes on, nor when it diverges") {
  constexpr Index kSide = 6, kMostColumns = kSide + 80, kPoints = 16;
  const Words estimators{"full", "svrg", "loopless-svrg", "casvrg", "spider",   "caspider",  "page",
                         "sg",   "sag",  "saga",          "storm",  "momentum", "saga-sarah"};
  // A gradient of errors in variables holds the factors of its point.
  const Words regression{"data.use=synthetic-matrix-regression",
                         "data.rows=6",
                         "data.rank=1",
                         "data.count=60",
                         "data.radius=50",
                         "data.largest=1000",
                         "data.errors=0.1",
                         "objective.use=linear-model",
                         "objective.errors_in_variables=0.1",
                         "set.use=nuclear-ball",
                         "stop.iterations=400",
                         "trace.on=no"};
  // Points in a large ball are left where they are, those of a small one are projected.
  const std::vector<Words> steps{
      {"algorithm.use=proximal-gradient", "algorithm.step=2^-11", "set.radius=50"},
      {"algorithm.use=proximal-gradient", "algorithm.step=0.3", "set.radius=1e300"},
      {"algorithm.use=proximal-gradient", "algorithm.step=0.001", "algorithm.output=average", "set.radius=5"},
      {"algorithm.use=proximal-gradient", "algorithm.step=0.001", "algorithm.snapshot=average",
       "set.radius=1e3"},
      {"algorithm.use=proximal-gradient", "algorithm.accelerate=on", "set.radius=1e3"},
      {"algorithm.use=dual-averaging", "set.radius=1e3"},
      {"algorithm.use=dual-averaging", "algorithm.output=average", "set.radius=5"},
      {"algorithm.use=frank-wolfe", "algorithm.step=agnostic", "set.radius=5"},
      {"algorithm.use=frank-wolfe", "algorithm.step=agnostic", "algorithm.recompress=5000", "set.radius=5"},
      {"algorithm.use=away-step", "set.radius=5"},
      {"algorithm.use=pairwise", "set.radius=5"},
      {"algorithm.use=blended-pairwise", "set.radius=5"},
      {"algorithm.use=in-face", "set.radius=5"},
      {"algorithm.use=sliding", "set.radius=5"},
      {"algorithm.use=nonconvex-sliding", "algorithm.smoothness=10", "set.radius=5"},
      {"algorithm.use=homotopy-conditional-gradient", "set.radius=5"}};
  int runs = 0;
  for (const Words& step : steps)
    for (const std::string& estimator : estimators) {
      const Words words = regression + Words{"estimator.use=" + estimator} + step;
      if (composing_refused(words) != "accepted") continue;
      ++runs;
      INFO(estimator, " ", step[0], " ", step[1], " ", step.back());
      const Most most = most_of(words);
      CHECK(most.columns <= kMostColumns);
      // The arrays of a column, and the numbers that place it.
      CHECK(most.bytes < kPoints * kMostColumns * (2 * kSide * 8.0 + 80.0));
    }
  CHECK(runs > 60);
}

TEST_CASE("memory: checkpoints by time wait until they are a fiftieth of it") {
  using Clock = std::chrono::steady_clock;
  int written = 0;
  const auto begin = Clock::now();
  solve(large_problem().words(8.0, {"stop.iterations=400", "trace.on=no"}), [&](RunSettings& s) {
    s.checkpoint_seconds = 0.0;
    s.on_checkpoint = [&](const StateStream&, bool) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      ++written;
    };
  });
  const double all = std::chrono::duration<double>(Clock::now() - begin).count();
  // Apart from the first, which cannot be foreseen, and the last, which is written whatever it takes.
  CHECK(written >= 2);
  CHECK(0.005 * (written - 2) <= kCheckpointShare * all);
}

TEST_CASE("memory: a checkpoint that fails midway leaves the one before, and nothing else") {
  const auto folder =
      std::filesystem::temp_directory_path() / ("claros-memory-" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  const Composition c = compose(build_catalog(), spec_of(large_problem().words(8.0, {"stop.iterations=5"})));
  CheckpointFile file(folder, c, "a run");
  file.write([](const ByteSink& sink) { sink("a state"); });
  const std::string before = content(folder / "checkpoint");
  const auto half = [](const ByteSink& sink) {
    sink(std::string(100000, 'x'));
    throw std::runtime_error("no more");
  };
  CHECK_THROWS_WITH(file.write(half), "no more");
  CHECK(content(folder / "checkpoint") == before);
  CHECK(std::distance(std::filesystem::directory_iterator(folder), {}) == 1);
  const auto saved = read_checkpoint(folder, c, "a run");
  REQUIRE(saved);
  CHECK(saved->bytes() == "a state");
  std::filesystem::remove_all(folder);
}

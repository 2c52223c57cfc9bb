// SPDX-License-Identifier: BSD-3-Clause
#include "cases.hpp"
#include "child.hpp"
#include "problems.hpp"

#include <claros/results/checkpoint.hpp>

#include <fmt/format.h>

#include <unistd.h>

#include <string>
#include <vector>

namespace bench {

using namespace claros;

namespace {

using Words = std::vector<std::string>;

/// Steps, columns of the answer, and megabytes of the checkpoint at the end and of the folder that the
/// program leaves.
std::vector<double> run_with_checkpoints(const Spec& spec, bool checkpoints) {
  const Catalog& catalog = everything();
  const Composition composition = compose(catalog, spec);
  const auto folder = std::filesystem::temp_directory_path() / fmt::format("claros-bench-{}", ::getpid());
  std::filesystem::create_directories(folder);
  RunSettings settings = run_settings(composition);
  if (checkpoints)
    settings.on_checkpoint = [file = CheckpointFile(folder, composition, "")](
                                 const StateStream& state, bool) mutable { file.write(state); };
  const RunResult result = claros::run(composition, settings);
  const double bytes =
      checkpoints ? static_cast<double>(std::filesystem::file_size(folder / "checkpoint")) : 0.0;
  std::filesystem::remove_all(folder);
  return {static_cast<double>(result.iterations), static_cast<double>(result.answer.columns()), bytes / 1e6};
}

void print(const std::string& name, Spec spec, const Words& words) {
  spec.assign(words);
  for (const bool checkpoints : {false, true}) {
    const Outcome o = in_child([&] { return run_with_checkpoints(spec, checkpoints); });
    if (!o.ok) return (void)fmt::print("{:<34} failed\n", name);
    fmt::print("{:<34} peak {:>6.0f} MB  {:.0f} steps, {:.0f} columns{}\n", name, o.peak_megabytes,
               o.numbers[0], o.numbers[1],
               checkpoints ? fmt::format(", checkpoint {:.1f} MB", o.numbers[2]) : ", no checkpoints");
  }
}

}  // namespace

void memory(const std::filesystem::path& data) {
  const auto file = data / "movielens-100k" / "u.data";
  if (std::filesystem::exists(file)) {
    for (const std::string estimator : {"full", "casvrg", "caspider"}) {
      const std::string batch = estimator == "full" ? "stop.iterations=1500" : "estimator.batch=200";
      print("MovieLens-100K, " + estimator, specification(file, 3000),
            {"estimator.use=" + estimator, "stop.iterations=1500", batch});
    }
    Spec spec;
    spec.assign({"objective.use=matrix-completion", "objective.data=" + file.string(), "penalty.use=nuclear",
                 "penalty.lambda=0.00005", "algorithm.use=proximal-gradient", "algorithm.accelerate=yes",
                 "algorithm.rank=60", "trace.on=no"});
    print("MovieLens-100K, rank 60 steps", spec, {"stop.iterations=60"});
  }
  const auto large = synthetic(100000, 20000, 1000000);
  print("100,000 x 20,000, 1e6, Frank-Wolfe", specification(large, 50000), {"stop.iterations=300"});
  std::filesystem::remove(large);
}

}  // namespace bench

// SPDX-License-Identifier: BSD-3-Clause
// Regressions on stored designs that are used where they are: a run allocates vectors, not entries, and makes
// the same bits as from memory. A small one here; with CLAROS_DISK (tests/run --disk) one several times
// larger than the memory that the process may use.
#include "../core/allocations.hpp"
#include "made_ratings.hpp"

#include <claros/io/design_writer.hpp>
#include <claros/parameters.hpp>

#include <chrono>
#include <cstdio>
#include <cstdlib>

using namespace claros;
using namespace claros::test;
using claros::testing::Allocations;

namespace {

struct StoredSizes {
  Index rows, cols, of_row;
  double bytes() const { return 12.0 * static_cast<double>(rows * of_row); }
};

/// Rows of `of_row` normal entries in ascending random columns; responses of 20 coefficients and noise.
void write_sparse_design(const fs::path& file, const StoredSizes& sizes) {
  constexpr Index kRowsAtOnce = 2048, kTrue = 20;
  RandomStream random(7, Purpose::test);
  DesignWriter writer(file, false);
  for (Index from = 0; from < sizes.rows; from += kRowsAtOnce) {
    Design block;
    block.rows = std::min(kRowsAtOnce, sizes.rows - from), block.cols = sizes.cols;
    SparseRows<double> entries;
    entries.start.push_back(0);
    for (Index i = 0; i < block.rows; ++i) {
      double y = 0.5 * random.normal();
      for (Index k = 0; k < sizes.of_row; ++k) {
        const Index width = sizes.cols / sizes.of_row, j = k * width + random.index(width);
        const double value = random.normal();
        entries.column.push_back(static_cast<std::int32_t>(j)), entries.value.push_back(value);
        if (j % (sizes.cols / kTrue) < 4) y += value;
      }
      entries.start.push_back(static_cast<Index>(entries.value.size()));
      block.response.push_back(y);
    }
    block.entries = std::move(entries);
    writer.add(block, "made rows");
  }
  writer.finish();
}

Words lasso_on(const fs::path& file, const std::string& memory, double gap) {
  return {"objective.use=linear-model",
          "objective.data=" + file.string(),
          "objective.memory=" + memory,
          "penalty.use=l1",
          "penalty.lambda=0.2*max",
          "algorithm.use=proximal-gradient",
          "stop.relative_gap=" + print_real(gap),
          "stop.iterations=2000"};
}

}  // namespace

TEST_CASE("stored designs: a run allocates vectors, and makes the bits of a run in memory") {
  const TestFolder folder;
  const StoredSizes sizes{8000, 2000, 100};
  write_sparse_design(folder / "design", sizes);
  const auto solved = [&](const std::string& memory, double& peak) {
    const Allocations allocations;
    const RunResult r =
        run_composition(compose(build_catalog(), spec_of(lasso_on(folder / "design", memory, 1e-6))));
    peak = static_cast<double>(allocations.peak());
    return r;
  };
  double mapped = 0.0, read = 0.0;
  const RunResult there = solved("map", mapped), here = solved("read", read);
  CHECK(there.status == Status::relative_gap);
  CHECK(there.answer.to_dense() == here.answer.to_dense());
  CHECK(there.iterations == here.iterations);
  if (!Allocations::counted()) return;
  CHECK(read > sizes.bytes());
  CHECK(mapped < 0.25 * sizes.bytes());
}

TEST_CASE("stored designs in full: a regression on a design larger than memory") {
  const char* megabytes = std::getenv("CLAROS_DISK");
  if (!megabytes) return;
  using Clock = std::chrono::steady_clock;
  const auto since = [](Clock::time_point from) {
    return std::chrono::duration<double>(Clock::now() - from).count();
  };
  const char* folder = std::getenv("CLAROS_DISK_FOLDER");
  const fs::path file = fs::path(folder ? folder : ".") / "larger-than-memory.design";
  fs::remove(file);
  const StoredSizes sizes{static_cast<Index>(parse_real(megabytes) * 1e6 / (12.0 * 250.0)), 20000, 250};
  auto from = Clock::now();
  write_sparse_design(file, sizes);
  const double writing = since(from), gigabytes = static_cast<double>(fs::file_size(file)) / 1e9;
  from = Clock::now();
  const Allocations allocations;
  const Composition c = compose(build_catalog(), spec_of(lasso_on(file, "map", 1e-4)));
  const double opening = since(from);
  from = Clock::now();
  const RunResult r = run_composition(c);
  const double seconds = since(from);
  const double passes = static_cast<double>(r.counts.sfo_indices) / static_cast<double>(sizes.rows);
  std::printf(
      "%.2f GB: made in %.1f s; checked and opened in %.1f s; %s after %ld steps and %.1f passes in %.1f s "
      "(%.0f MB/s), "
      "relative gap %.1e; %.3f GB allocated at most\n",
      gigabytes, writing, opening, text(r.status).c_str(), static_cast<long>(r.iterations), passes, seconds,
      1e3 * gigabytes * passes / seconds, r.measurement.gap / r.measurement.value,
      static_cast<double>(allocations.peak()) / 1e9);
  fs::remove(file);
  CHECK(r.status == Status::relative_gap);
  if (Allocations::counted()) CHECK(static_cast<double>(allocations.peak()) < 0.1 * sizes.bytes());
}

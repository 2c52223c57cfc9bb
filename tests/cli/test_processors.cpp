// SPDX-License-Identifier: BSD-3-Clause
// How many runs are made at a time by default: affinity, and the quotas of control groups.
#include "grid/processors.hpp"
#include "program.hpp"

#include <sched.h>

namespace claros::test::processors {

namespace {

Index count_by(const TestFolder& folder, const std::string& own) {
  folder.put("own", own);
  return cli::processors(folder / "groups", folder / "own");
}

}  // namespace

TEST_CASE("processors: the least of affinity and of the quotas of a group and its ancestors") {
  const TestFolder folder;
  for (const char* group : {"groups/a/b", "groups/cpu/a"}) fs::create_directories(folder / group);
  cpu_set_t allowed;
  REQUIRE(::sched_getaffinity(0, sizeof allowed, &allowed) == 0);
  const Index all = CPU_COUNT(&allowed);
  CHECK(cli::processors(folder / "none", folder / "none") == all);
  CHECK(count_by(folder, "0::/a/b\n") == all);
  folder.put("groups/a/b/cpu.max", "max 100000\n");
  CHECK(count_by(folder, "0::/a/b\n") == all);
  folder.put("groups/a/cpu.max", "150000 100000\n");
  CHECK(count_by(folder, "0::/a/b\n") == 1);
  CHECK(count_by(folder, "0::/other\n") == all);
  folder.put("groups/a/cpu.max", "5000 100000\n");
  CHECK(count_by(folder, "0::/a/b\n") == 1);
  folder.put("groups/cpu/a/cpu.cfs_quota_us", "100000\n");
  folder.put("groups/cpu/a/cpu.cfs_period_us", "100000\n");
  CHECK(count_by(folder, "3:cpu,cpuacct:/a\n2:memory:/a\n") == 1);
  CHECK(count_by(folder, "3:cpuset:/a\n") == all);
  folder.put("groups/cpu/a/cpu.cfs_quota_us", "-1\n");
  CHECK(count_by(folder, "3:cpu:/a\n") == all);
}

TEST_CASE("processors: threads of the runs divide them") {
  Spec spec;
  CHECK(cli::default_jobs(spec) == cli::processors());
  spec.set("run.threads", "1000000");
  CHECK(cli::default_jobs(spec) == 1);
}

}  // namespace claros::test::processors

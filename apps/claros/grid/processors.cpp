// SPDX-License-Identifier: BSD-3-Clause
#include "grid/processors.hpp"

#include <claros/parameters.hpp>

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <optional>
#include <string>
#include <system_error>

namespace claros::cli {

namespace {

namespace fs = std::filesystem;

constexpr double kEndless = std::numeric_limits<double>::infinity();

/// The processors' worth of time of one group; "max", -1 and unreadable text mean that there is no quota.
double quota_in(const fs::path& folder, bool second) {
  std::ifstream limit(folder / (second ? "cpu.max" : "cpu.cfs_quota_us")), rest(folder / "cpu.cfs_period_us");
  double most = 0.0, period = 0.0;
  const bool read = limit >> most && (second ? limit : rest) >> period;
  return read && most > 0.0 && period > 0.0 ? most / period : kEndless;
}

/// The least of the group that `line` names and of its ancestors: "0::/group", "4:cpu,cpuacct:/group".
double quota_of(const fs::path& groups, const std::string& line) {
  const bool second = line.starts_with("0::");
  const auto controllers = line.find(':'), from = line.find(":/");
  const bool first = line.find(":cpu:") == controllers || line.find(":cpu,") == controllers;
  if (from == line.npos || (!second && !first)) return kEndless;
  const fs::path root = second ? groups : groups / "cpu";
  double least = quota_in(root, second);
  for (fs::path group = fs::path(line.substr(from + 2)); !group.empty(); group = group.parent_path())
    least = std::min(least, quota_in(root / group, second));
  return least;
}

Index number_or_one(const std::optional<Setting>& setting) {
  try {
    return setting ? std::max<Index>(1, parse_integer(setting->value)) : 1;
  } catch (const Error&) {
    return 1;  // refused if it is read
  }
}

}  // namespace

Index processors(const fs::path& groups, const fs::path& own) {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  const int count = ::sched_getaffinity(0, sizeof allowed, &allowed) == 0 ? CPU_COUNT(&allowed) : 1;
  double most = count;
  std::ifstream lines(own);
  for (std::string line; std::getline(lines, line);) most = std::min(most, quota_of(groups, line));
  return std::max<Index>(1, static_cast<Index>(std::floor(most)));
}

Index default_jobs(const Spec& spec) {
  constexpr double kShare = 0.5;
  const Index jobs = std::max<Index>(1, processors() / number_or_one(spec.get("run", "threads")));
  const auto data = spec.get("objective", "data");
  std::error_code code;
  const auto bytes = data ? fs::file_size(spec.base() / data->value, code) : 0;
  if (!data || code || bytes == 0) return jobs;
  const double free =
      static_cast<double>(::sysconf(_SC_AVPHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE));
  return std::clamp<Index>(static_cast<Index>(kShare * free / static_cast<double>(bytes)), 1, jobs);
}

}  // namespace claros::cli

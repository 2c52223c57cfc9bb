// SPDX-License-Identifier: BSD-3-Clause
/// @file processors.hpp  How many runs or folds are made at a time where --jobs is not given.
#pragma once

#include <claros/compose/spec.hpp>

#include <filesystem>

namespace claros::cli {

/// The processors that this process may use: by its affinity and by the quota of its control groups (version
/// 2, and version 1), at least 1. `groups` is where these are mounted, `own` names those of this process.
Index processors(const std::filesystem::path& groups = "/sys/fs/cgroup",
                 const std::filesystem::path& own = "/proc/self/cgroup");

/// Runs at a time of a grid over `spec`: one for each of the processors, divided by run.threads; fewer where
/// their copies of the data file would take more than half of the memory that is free.
Index default_jobs(const Spec& spec);

}  // namespace claros::cli

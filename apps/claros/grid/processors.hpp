// SPDX-License-Identifier: BSD-3-Clause
/// @file processors.hpp  The number of runs or folds at a time if --jobs is not given.
#pragma once

#include <claros/compose/spec.hpp>

#include <filesystem>

namespace claros::cli {

/// The number of processors that this process may use, at least 1. Its affinity and the quota of its control
/// groups (version 2, and version 1) limit it. The groups are mounted in the folder `groups`; the file `own`
/// names those of this process.
Index processors(const std::filesystem::path& groups = "/sys/fs/cgroup",
                 const std::filesystem::path& own = "/proc/self/cgroup");

/// The runs at a time of a grid over `spec`: one for each of the processors, divided by run.threads. There
/// are fewer if their copies of the data file would take more than half of the memory that is free.
Index default_jobs(const Spec& spec);

}  // namespace claros::cli

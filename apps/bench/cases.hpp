// SPDX-License-Identifier: BSD-3-Clause
/// @file cases.hpp  The measured cases of matrix completion. Each prints its rows of the table.
#pragma once

#include <filesystem>
#include <string>

namespace bench {

/// Sum of a 256 MB array, the best of a few passes: gigabytes a second on one thread.
double read_bandwidth();

/// MovieLens-100K at radius 3000 to a confirmed relative gap of 1e-2, and the parts of a step.
void movielens_100k(const std::filesystem::path& data, int repeats);
/// MovieLens-1M: milliseconds a step and peak memory.
void movielens_1m(const std::filesystem::path& data, int repeats);
/// 480,000 x 17,000 with 5 million ratings: peak memory of ten steps.
void large(int repeats);
/// Nanoseconds a step and rating, from 1e5 to 5e6 ratings of the same density of ratings a row.
void scaling(int repeats);

/// Microseconds of one `estimate` of each estimator at a fixed batch, from 1e5 to 5e6 ratings, without an
/// oracle.
void estimate_scaling(int repeats);
/// MovieLens-1M: the share of `estimate` in a step of Frank-Wolfe, and the snapshot apart.
void estimator_shares(const std::filesystem::path& data, int repeats);

/// Assignments at n = 1000 beside scipy's, and paths through 10^6 nodes beside Boost's own.
void sets(int repeats);
/// Methods that minimise a quadratic loss over the hull of their vertices.
void active_sets(int repeats);
/// Dense rows: milliseconds a step of each estimator, compared with a full gradient's time for the rows that
/// its formula reads.
void step_costs(int repeats);

/// Full and batch gradients over that many megabytes of dense rows, as ratios to reading the same memory.
/// They are in float and double, on one thread and two.
void bandwidth(int repeats, double megabytes);

/// Data as programs and files hold them, with that many megabytes of entries:
/// - the memory that a solve on referenced arrays allocates beside them;
/// - conversions and tables in megabytes a second;
/// - gradients from a mapped file in the page cache, compared with memory;
/// - the cost of weights and offsets of rows.
void data_access(int repeats, double megabytes);

/// Smoothed gradients of 2000 x 2000 numbers compared with reading them, on one thread and two. Also a step
/// of SVRGCG at d = 300, compared with its truncated decomposition and passes.
void smoothing(int repeats);

/// Sparse rows of 75 nonzeros: nanoseconds a nonzero of stochastic proximal steps at p = 1e3, 1e5, 1e7,
/// compared with a loop by hand. The text `part` selects one p.
void lazy_steps(int repeats, const std::string& part);
/// FISTA on 4000 x 400,000 sparse rows: the time of a step outside objective and oracle, compared with a loop
/// by hand.
void momentum_steps(int repeats);

/// Peak memory of whole runs with and without checkpoints, and the size of a checkpoint.
void memory(const std::filesystem::path& data);

/// A Lasso of 50 x 20 in a loop: composed from names, prepared, and FISTA by hand.
void small(int repeats);

}  // namespace bench

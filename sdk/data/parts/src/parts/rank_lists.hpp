// SPDX-License-Identifier: BSD-3-Clause
/// @file rank_lists.hpp  Lists that ranks exchange while they read parts. Every function is collective.
#pragma once

#include <claros/world.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace claros {

constexpr std::size_t unsigned_of(Index k) { return static_cast<std::size_t>(k); }

/// Throws Error(data) on all ranks where their files have other names or sizes.
void expect_same_files(World& world, const char* call, const std::vector<std::filesystem::path>& files);

/// The numbers of all ranks, which have as many each, one rank after the other.
std::vector<double> gathered(World& world, const char* call, const std::vector<double>& mine);
/// Lists of any lengths, one after the other.
std::vector<Index> joined(World& world, const char* call, const std::vector<Index>& mine);
std::vector<std::string> texts_of_ranks(World& world, const char* call, const std::string& mine);
/// The sum of the ranks' arrays of whole numbers.
std::vector<double> summed(World& world, const char* call, const std::vector<double>& mine);

/// The list that each rank has for this one; `send` has one for each of them.
std::vector<std::vector<double>> exchanged(World& world, const char* call,
                                           const std::vector<std::vector<double>>& send);

}  // namespace claros

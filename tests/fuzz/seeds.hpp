// SPDX-License-Identifier: BSD-3-Clause
/// @file seeds.hpp  Sound files of every format.
#pragma once

#include <string>
#include <vector>

namespace claros::fuzz {

using Seeds = std::vector<std::string>;

Seeds table_seeds();
Seeds libsvm_seeds();
Seeds vowpal_wabbit_seeds();
Seeds matrix_market_seeds();
Seeds ratings_seeds();
Seeds pairs_seeds();
Seeds spec_seeds();
Seeds binary_seeds();
Seeds npy_seeds();
Seeds npz_seeds();
/// As member_archive (below) takes them.
Seeds npz_member_seeds();
Seeds compressed_seeds();
Seeds hdf5_seeds();

/// A zip archive whose check sums are right: members are "name\n", the length of the content in two bytes,
/// and it.
std::string member_archive(const std::string& bytes);

}  // namespace claros::fuzz

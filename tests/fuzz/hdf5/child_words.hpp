// SPDX-License-Identifier: BSD-3-Clause
/// @file child_words.hpp  What the program that reads HDF5 says, without a program.
#pragma once

#include <string>

namespace claros::fuzz {

/// What the next ChildStream hands over; then its program has ended.
void set_words_of_child(std::string words);

}  // namespace claros::fuzz

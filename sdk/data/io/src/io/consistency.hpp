// SPDX-License-Identifier: BSD-3-Clause
/// @file consistency.hpp  The checks of every writer on its data.
#pragma once

#include <claros/io/matrix_market.hpp>
#include <claros/io/ratings.hpp>

#include <string>

namespace claros {

/// Throw Error(data) unless sizes, indices and values fit each other and all values are finite; `where` is
/// the file to be written.
void expect_consistent(const Ratings& ratings, const std::string& where);
void expect_consistent(const DenseTable& table, const std::string& where);

/// "the entry in row 1, column 1 (counted from 1)" for positions from 0.
std::string entry_name(Index row, Index col);
/// Throws the Error(data) of a writer.
[[noreturn]] void fail_writing(const std::string& where, const std::string& what);

}  // namespace claros

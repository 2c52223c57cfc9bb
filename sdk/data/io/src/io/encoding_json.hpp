// SPDX-License-Identifier: BSD-3-Clause
/// @file encoding_json.hpp  The encoding of a table's columns (table_encoding.hpp) as JSON.
#pragma once

#include <claros/io/table_encoding.hpp>
#include <claros/json_text.hpp>

namespace claros {

Json encoding_json(const TableEncoding& encoding);
/// Throws Json::exception if something is missing or of another type.
TableEncoding encoding_of(const Json& json);
/// True if it makes so many columns, from places within the table, each used once.
bool makes_columns(const TableEncoding& encoding, Index features);

}  // namespace claros

// SPDX-License-Identifier: BSD-3-Clause
/// @file file_kind.hpp  The kind of a file, by its first bytes.
#pragma once

#include <claros/regular_file.hpp>

#include <filesystem>
#include <string>
#include <string_view>

namespace claros {

/// The first bytes of a regular file, fewer if it ends; as many as the functions below look at.
std::string first_bytes(const std::filesystem::path& path);

bool is_npy(std::string_view bytes) noexcept;  ///< an array of NumPy
bool is_zip(std::string_view bytes) noexcept;  ///< .npz, or another archive
bool is_hdf5(std::string_view bytes) noexcept;
bool is_claros_binary(std::string_view bytes) noexcept;  ///< a design, of either layout
bool is_png(std::string_view bytes) noexcept;
bool is_pgm(std::string_view bytes) noexcept;            ///< P2 or P5 and a blank
bool is_stored_design(std::string_view bytes) noexcept;  ///< of DesignWriter

/// "a PNG image", for a file that is certainly not text; empty if it may be text.
std::string binary_kind(std::string_view bytes);
/// The encoding of a text with two or four bytes a character, as iconv calls it; empty for other files.
std::string wide_encoding(std::string_view bytes);

/// The remedy for a file that cannot be read: which formats can.
std::string readable_formats();

}  // namespace claros

// SPDX-License-Identifier: BSD-3-Clause
/// @file picture.hpp  Grey pictures as matrices: PGM and PNG files.
#pragma once

#include <claros/api.hpp>
#include <claros/context.hpp>
#include <claros/io/matrix_market.hpp>

#include <filesystem>

namespace claros {

/// Reads a PGM file (P2 or P5) or a PNG file of 1 to 16 bits as a matrix. A pixel is an entry, and row 1 is
/// the top line. Entries are grey levels over the largest level, 0 black and 1 white, with no correction of
/// gamma. It turns colours into the luma 0.299 R + 0.587 G + 0.114 B (ITU-R BT.601), and context.note says
/// so; opacity is ignored. Throws Error(data) for a file of another type, or one that ends early or is
/// damaged.
CLAROS_API DenseTable read_picture(const std::filesystem::path& path, const Context& context = {});

/// The values of a matrix that become black and white.
struct GreyRange {
  double black = 0.0, white = 1.0;
};

/// Writes a matrix as a picture of 8 bits, whole or not at all: PNG or PGM (P5) by the ending of the name. An
/// entry becomes the nearest of the 256 levels between black and white; values beyond them become these.
/// Black may be the larger. Returns how many entries lie beyond by more than half a level. Throws
/// Error(usage) for another ending and for a range without a width, Error(data) for values that are not
/// finite.
CLAROS_API Index write_picture(const std::filesystem::path& path, const DenseTable& table,
                               const GreyRange& range = {});

/// True if a file of that name is a picture: .png or .pgm, in letters of either case.
CLAROS_API bool names_picture(const std::filesystem::path& path);

}  // namespace claros

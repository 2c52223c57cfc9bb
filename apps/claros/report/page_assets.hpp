// SPDX-License-Identifier: BSD-3-Clause
/// @file page_assets.hpp  page.css and page.js, as the build puts them into the program (CMakeLists.txt).
#pragma once

#include <string_view>

namespace claros::cli {

extern const std::string_view kPageStyle, kPageScript;
/// Their SHA-256 in hexadecimal digits.
extern const std::string_view kPageStyleHash, kPageScriptHash;

}  // namespace claros::cli

// SPDX-License-Identifier: BSD-3-Clause
/// @file page.hpp  A report as one HTML file. It asks for nothing outside of itself: its policy (CSP) allows
/// its own style sheet and script by their hashes, and pictures that stand within it. Without JavaScript it
/// shows static pictures.
#pragma once

#include "report/report_data.hpp"

#include <string>

namespace claros::cli {

std::string page(const Report& report);

}  // namespace claros::cli

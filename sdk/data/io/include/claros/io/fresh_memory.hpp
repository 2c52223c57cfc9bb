// SPDX-License-Identifier: BSD-3-Clause
/// @file fresh_memory.hpp  Memory for large arrays that was never touched.
#pragma once

#include <claros/api.hpp>

#include <cstddef>
#include <memory>
#include <string>

namespace claros {

/// `bytes` of zeros, in large pages if the system has them. The pages come when they are first written, so
/// that the threads that fill them share that work (a vector is zeroed by one). Throws Error(data) at `where`
/// when `what` ("the design of 3 x 4") does not fit the memory that is left; `remedy` says what to do.
CLAROS_API std::shared_ptr<void> fresh_memory(std::size_t bytes, const std::string& where,
                                              const std::string& what, const std::string& remedy);

}  // namespace claros

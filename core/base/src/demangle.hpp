// SPDX-License-Identifier: BSD-3-Clause
/// @file demangle.hpp  Names of types and functions as a person writes them.
#pragma once

#include <cxxabi.h>

#include <cstdlib>
#include <memory>
#include <string>

namespace claros {

/// The readable form of a mangled name, or the name itself when it is none.
inline std::string demangled(const char* name) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(name, nullptr, nullptr, &status),
                                                    std::free);
  return status == 0 && text ? text.get() : name;
}

}  // namespace claros

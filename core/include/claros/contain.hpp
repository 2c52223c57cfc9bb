// SPDX-License-Identifier: BSD-3-Clause
/// @file contain.hpp  Calls into plugins: what they throw reaches the host as claros::Error.
#pragma once

#include <claros/api.hpp>

#include <string>
#include <utility>

namespace claros {

/// To be called inside a catch block: rethrows a claros::Error (and a thread's cancellation) as it is, with `who` in
/// front of where when its kind is numerical and no component is named there, std::bad_alloc as
/// Error(data) that says how much memory is in use and left, and anything else as Error(plugin) that names `who`
/// ("set/box"), the type, and what it said.
[[noreturn]] CLAROS_API void rethrow_contained(const std::string& who);

/// call(), where whatever a plugin throws is contained.
template <class Call>
decltype(auto) contain(const std::string& who, Call&& call) {
  try {
    return std::forward<Call>(call)();
  } catch (...) {
    rethrow_contained(who);
  }
}

}  // namespace claros

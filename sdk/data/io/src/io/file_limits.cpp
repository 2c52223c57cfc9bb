// SPDX-License-Identifier: BSD-3-Clause
#include <claros/io/file_limits.hpp>

#include <claros/error.hpp>
#include <claros/parameters.hpp>

#include <algorithm>
#include <cmath>

namespace claros {

std::uint64_t longest_line() {
  constexpr double kDefault = 0x1p28, kLargest = 0x1p40;
  return static_cast<std::uint64_t>(
      std::clamp(asked_limit("CLAROS_LINE").value_or(kDefault), 64.0, kLargest));
}

void fail_memory(const std::string& where) {
  throw Error(ErrorKind::data, where, "memory ran out while it was read: " + memory_state(),
              "take objective.precision = float, a sparse format, fewer rows, or give this process more "
              "(ulimit -v, the "
              "limit of its container)");
}

void expect_expansion(std::uint64_t out, std::uint64_t in, const std::string& where,
                      const std::string& compression) {
  constexpr std::uint64_t kAlways = std::uint64_t{1} << 28U;
  if (out <= kAlways) return;
  const double most = asked_limit("CLAROS_EXPANSION").value_or(2000);
  if (static_cast<double>(out) <= most * static_cast<double>(std::max<std::uint64_t>(in, 1))) return;
  throw Error(
      ErrorKind::data, where,
      size_text(static_cast<double>(in)) + " of " + compression + " hold more than " +
          size_text(static_cast<double>(out)) + "; at most " + print_real(most) + " times as much is read",
      "is the file meant to fill memory? If it is to be trusted, CLAROS_EXPANSION=" +
          print_real(
              std::ceil(static_cast<double>(out) / static_cast<double>(std::max<std::uint64_t>(in, 1))) *
              10) +
          " in the environment raises the limit");
}

}  // namespace claros

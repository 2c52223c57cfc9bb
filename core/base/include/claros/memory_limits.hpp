// SPDX-License-Identifier: BSD-3-Clause
/// @file memory_limits.hpp  The memory that a file may ask for before it is refused, and the variables by
/// which a user allows more.
///
/// The limits stand in environment variables because they are the machine's and the user's, not the
/// problem's. Sizes are written 500000, 64MiB, 8GiB.
#pragma once

#include <claros/api.hpp>

#include <cstddef>
#include <cstdint>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>

namespace claros {

/// Throws Error(usage) if one of the variables below is set to a text that is not a size.
CLAROS_API void check_asked_limits();

/// CLAROS_LINE, the longest line of a text, in bytes; 256 MiB if it is not set.
CLAROS_API std::uint64_t longest_line();
/// The most fields of one line: each costs 16 bytes and more beside its text.
constexpr std::size_t kMostFields = std::size_t{1} << 24U;

/// Throws Error(data) at `where` if `bytes` exceed CLAROS_MEMORY or, if that is not set, what this process
/// can still get (memory_left). `what` says what needs them ("the design of 3 x 4"), and `remedy` what to do
/// about it.
CLAROS_API void expect_memory(
    double bytes, const std::string& where, const std::string& what,
    const std::string& remedy =
        "take objective.precision = float, a sparse format, fewer rows, or a file of raw "
        "binary or .npy, which "
        "objective.memory = map reads from disk");

/// True if `bytes` are no more than that.
CLAROS_API bool fits_memory(double bytes);
/// CLAROS_MEMORY, or what this process can still get if it is not set.
CLAROS_API double memory_allowed();

/// The bytes that this process can still get. This is the least of the machine's available memory with its
/// swap, the limit of the control group, and the limit of the address space.
CLAROS_API double memory_left();
/// "3.1 GiB are in use by this process and 2 GiB are left": after memory ran out.
CLAROS_API std::string memory_state();

/// Throws Error(data) at `where` if `in` compressed bytes gave more than 256 MiB and more than
/// CLAROS_EXPANSION times their number (2000 if it is not set). Such a file was more likely made to fill
/// memory than to hold data.
CLAROS_API void expect_expansion(std::uint64_t out, std::uint64_t in, const std::string& where,
                                 const std::string& compression);

/// Throws Error(data) after memory ran out.
[[noreturn]] CLAROS_API void fail_memory(const std::string& where);

/// "1.5 GiB"
CLAROS_API std::string size_text(double bytes);

/// Notices while containers grow, before the machine has none left: see `grown`.
class GrowthWatch {
 public:
  explicit GrowthWatch(std::string what) : what_(std::move(what)) {}
  /// `bytes` are held now; at each further 64 MiB as many once more have to be left, for the copies to come.
  void grown(std::uint64_t bytes, const std::string& where) {
    if (bytes < next_) return;
    expect_memory(static_cast<double>(bytes), where,
                  what_ + ", " + size_text(static_cast<double>(bytes)) + " so far,");
    next_ = bytes + kStep;
  }

 private:
  static constexpr std::uint64_t kStep = std::uint64_t{64} << 20U;
  std::string what_;
  std::uint64_t next_ = kStep;
};

/// Returns what call() returns. Throws Error(data) at `where` if memory ran out in it.
template <class Call>
auto within_memory(const std::string& where, const Call& call) {
  try {
    return call();
  } catch (const std::bad_alloc&) {
    fail_memory(where);
  } catch (const std::length_error&) {
    fail_memory(where);
  }
}

}  // namespace claros

// SPDX-License-Identifier: BSD-3-Clause
/// @file file_limits.hpp  The sizes at which a file is refused, beside the memory that is left
/// (memory_limits.hpp).
#pragma once

#include <claros/memory_limits.hpp>

#include <cstddef>
#include <cstdint>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>

namespace claros {

/// The remedy for data that do not fit memory, as expect_memory takes it.
inline constexpr const char* kSmallerData =
    "take objective.precision = float, a sparse format, fewer rows, or a file of raw binary or .npy, which "
    "objective.memory = map reads from disk";

/// CLAROS_LINE, the longest line of a text, in bytes; 256 MiB if it is not set.
CLAROS_API std::uint64_t longest_line();
/// The most fields of one line: each costs 16 bytes and more beside its text.
constexpr std::size_t kMostFields = std::size_t{1} << 24U;

/// Throws Error(data) at `where` if `in` compressed bytes gave more than 256 MiB and more than
/// CLAROS_EXPANSION times their number (2000 if it is not set). Such a file was more likely made to fill
/// memory than to hold data.
CLAROS_API void expect_expansion(std::uint64_t out, std::uint64_t in, const std::string& where,
                                 const std::string& compression);

/// Throws Error(data) after memory ran out.
[[noreturn]] CLAROS_API void fail_memory(const std::string& where);

/// Notices while containers grow, before the machine has none left: see `grown`.
class GrowthWatch {
 public:
  explicit GrowthWatch(std::string what) : what_(std::move(what)) {}
  /// `bytes` are held now; at each further 64 MiB as many once more have to be left, for the copies to come.
  void grown(std::uint64_t bytes, const std::string& where) {
    if (bytes < next_) return;
    expect_memory(static_cast<double>(bytes), where,
                  what_ + ", " + size_text(static_cast<double>(bytes)) + " so far,", kSmallerData);
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

// SPDX-License-Identifier: BSD-3-Clause
/// @file gaussian_rows.hpp  Designs of random rows, made where they stand.
#pragma once

#include <claros/element/parallel.hpp>
#include <claros/io/fresh_memory.hpp>
#include <claros/map/design.hpp>
#include <claros/random.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string>
#include <vector>

namespace claros::sdk {

/// The stream of data `instance`, at the stretch that belongs to row i of `cols` normal numbers. So a row
/// depends on the seed and its number alone. (fill_normal takes positions in pairs.)
inline RandomStream row_stream(std::uint64_t seed, std::uint32_t instance, Index i, Index cols) {
  RandomStream result(seed, Purpose::data, instance);
  result.seek(static_cast<std::uint64_t>(i) * static_cast<std::uint64_t>(cols + cols % 2));
  return result;
}

/// <a, b> by eight interleaved sums: the same bits on every machine, and none of them waits for the one
/// before.
inline double interleaved_product(std::span<const double> a, std::span<const double> b) {
  std::array<double, 8> sums{};
  const std::size_t whole = a.size() / 8 * 8;
  for (std::size_t j = 0; j < whole; j += 8)
    for (std::size_t l = 0; l < 8; ++l) sums[l] += a[j + l] * b[j + l];
  for (std::size_t j = whole; j < a.size(); ++j) sums[0] += a[j] * b[j];
  return ((sums[0] + sums[2]) + (sums[4] + sums[6])) + ((sums[1] + sums[3]) + (sums[5] + sums[7]));
}

/// x <- x + sqrt(variance) w, w of independent normal numbers from the stream.
inline void add_errors(RandomStream stream, double variance, std::span<double> x) {
  std::array<double, 256> w;  // as many at once stay in cache
  const double scale = std::sqrt(variance);
  for (std::size_t from = 0; from < x.size(); from += w.size()) {
    const auto some = x.subspan(from, std::min(w.size(), x.size() - from));
    stream.fill_normal(std::span(w).first(some.size()));
    for (std::size_t j = 0; j < some.size(); ++j) some[j] += scale * w[j];
  }
}

/// rows x cols entries of type Real: make(i, row) fills the `cols` numbers of row i, which hold anything
/// before. Rows are made in parallel, by the threads in force. They go straight into the design if Real is
/// double, by way of one row a thread if it is float. Throws Error(data) at `where` if they do not fit the
/// memory that is left. `remedy` is for callers other than data plugins.
template <class Real, class Make>
DenseRows<Real> made_rows(Index rows, Index cols, const Make& make, const std::string& where = "rows",
                          std::string remedy = {}) {
  constexpr bool kSingle = sizeof(Real) == sizeof(float);
  const auto width = static_cast<std::size_t>(cols), count = static_cast<std::size_t>(rows) * width;
  const std::string text = memory_text(rows, cols, kSingle);
  if (remedy.empty())
    remedy = std::string(kSingle ? "lower" : "set precision = float, lower") +
             " rows or cols, or make a file of the design elsewhere (claros data), which "
             "objective.memory = map reads from disk";
  auto memory =
      fresh_memory(count * sizeof(Real), where, "the " + text.substr(0, text.find(" takes ")), remedy);
  Real* const values = static_cast<Real*>(memory.get());
  constexpr Index kGrain = 16;
  for_chunks(rows, kGrain, [&](Index, Index first, Index last) {
    std::vector<double> scratch(kSingle ? width : 0);
    for (Index i = first; i < last; ++i) {
      Real* const to = values + static_cast<std::size_t>(i) * width;
      if constexpr (kSingle) {
        make(i, std::span<double>(scratch));
        std::transform(scratch.begin(), scratch.end(), to,
                       [](double value) { return static_cast<Real>(value); });
      } else {
        make(i, std::span<double>(to, width));
      }
    }
  });
  return {{}, {values, count}, std::move(memory)};
}

}  // namespace claros::sdk

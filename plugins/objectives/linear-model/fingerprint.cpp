// SPDX-License-Identifier: BSD-3-Clause
#include "fingerprint.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace linear_model {

using namespace claros;

namespace {

/// Multiply and shift, word by word. Each step is invertible for a given word, so that one word that differs
/// makes another number.
class Hash {
 public:
  void add(std::uint64_t word) {
    constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15ULL;
    state_ = (state_ ^ word) * kOdd;
    state_ ^= state_ >> 32U;
  }
  template <class T>
  void add(std::span<const T> values) {
    add(values.size());
    for (const T value : values) {
      std::uint64_t word = 0;
      std::memcpy(&word, &value, sizeof(T));
      add(word);
    }
  }
  Index number() const { return static_cast<Index>(state_ >> 1U); }

 private:
  std::uint64_t state_ = 1;
};

template <class Real>
void add_row(const DenseRows<Real>& rows, std::size_t i, std::size_t cols, Hash& hash) {
  hash.add(rows.view().subspan(i * cols, cols));
}

template <class Real>
void add_row(const SparseRows<Real>& rows, std::size_t i, std::size_t, Hash& hash) {
  const auto view = rows.view();
  const auto first = static_cast<std::size_t>(view.start[i]);
  const auto size = static_cast<std::size_t>(view.start[i + 1]) - first;
  hash.add(view.column.subspan(first, size));
  hash.add(view.value.subspan(first, size));
}

}  // namespace

Index fingerprint(const Design& design, std::initializer_list<std::span<const double>> arrays) {
  constexpr Index kRows = 4096;
  Hash hash;
  for (const Index size : {design.rows, design.cols, design.stored()})
    hash.add(static_cast<std::uint64_t>(size));
  for (const std::span<const double> array : arrays) hash.add(array);
  const Index count = design.source ? std::min(kRows, design.rows) : design.rows;
  for (Index k = 0; k < count; ++k) {
    const Index i = count == 1 ? 0 : k * (design.rows - 1) / (count - 1);
    std::visit(
        [&](const auto& rows) {
          add_row(rows, static_cast<std::size_t>(i), static_cast<std::size_t>(design.cols), hash);
        },
        design.entries);
  }
  return hash.number();
}

}  // namespace linear_model

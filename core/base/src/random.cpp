// SPDX-License-Identifier: BSD-3-Clause
#include <Random123/philox.h>

#include <claros/random.hpp>

#include <array>

#include "normal_loops.hpp"

namespace claros {

namespace {

/// The words of one stream. Block number position / 2 of Philox 4x32-10 has four 32-bit outputs, which are
/// the words at two consecutive positions (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC
/// 2011). The key is the seed; the counter is (block, purpose, instance), so streams never meet.
class Words {
 public:
  Words(std::uint64_t seed, std::uint32_t purpose, std::uint32_t instance) noexcept
      : key_{{low(seed), high(seed)}}, purpose_(purpose), instance_(instance) {}

  std::uint64_t at(std::uint64_t position) noexcept {
    if (const std::uint64_t block = position / 2; block != block_) load(block);
    const std::size_t half = 2 * (position % 2);
    return std::uint64_t{out_[half + 1]} << 32 | out_[half];
  }

 private:
  static std::uint32_t low(std::uint64_t word) noexcept { return static_cast<std::uint32_t>(word); }
  static std::uint32_t high(std::uint64_t word) noexcept { return static_cast<std::uint32_t>(word >> 32); }

  void load(std::uint64_t block) noexcept {
    out_ = r123::Philox4x32()({{low(block), high(block), purpose_, instance_}}, key_);
    block_ = block;
  }

  r123::Philox4x32::key_type key_;
  r123::Philox4x32::ctr_type out_{};
  std::uint32_t purpose_, instance_;
  std::uint64_t block_ = ~std::uint64_t{0};  // no position has this block
};

constexpr double kUlp = 0x1.0p-53;

double to_unit(std::uint64_t word) noexcept { return static_cast<double>(word >> 11) * kUlp; }

}  // namespace

std::uint64_t RandomStream::next() noexcept { return Words(seed_, purpose_, instance_).at(position_++); }

double RandomStream::uniform() noexcept { return to_unit(next()); }

// Lemire, "Fast random integer generation in an interval", ACM TOMACS 2019: a rejected word costs a further
// position.
Index RandomStream::index(Index n) noexcept {
  __extension__ using Wide = unsigned __int128;
  const auto range = static_cast<std::uint64_t>(n);
  Wide product = Wide{next()} * range;
  if (static_cast<std::uint64_t>(product) < range) {
    const std::uint64_t threshold = (0 - range) % range;
    while (static_cast<std::uint64_t>(product) < threshold) product = Wide{next()} * range;
  }
  return static_cast<Index>(product >> 64);
}

double RandomStream::normal() noexcept {
  std::array<double, 2> pair;
  fill_normal(pair);
  return pair[0];
}

void RandomStream::fill_uniform(std::span<double> out) noexcept {
  Words words(seed_, purpose_, instance_);
  for (double& value : out) value = to_unit(words.at(position_++));
}

void RandomStream::fill_normal(std::span<double> out) noexcept {
  const kernels::PhiloxStream stream{seed_, purpose_, instance_};
  const auto fill = kernels::normal_loops().fill;
  const std::size_t pairs = out.size() / 2;
  if (pairs > 0) fill(stream, position_, static_cast<std::int64_t>(pairs), out.data());
  position_ += 2 * pairs;
  if (out.size() == 2 * pairs) return;
  std::array<double, 2> last;
  fill(stream, position_, 1, last.data());
  position_ += 2;
  out.back() = last[0];
}

}  // namespace claros

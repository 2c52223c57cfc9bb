// SPDX-License-Identifier: BSD-3-Clause
#include "same_data.hpp"

#include <claros/error.hpp>
#include <claros/map/sampling_map.hpp>

#include <span>
#include <string>
#include <vector>

namespace sharded {

using namespace claros;

namespace {

template <class T>
Index number_of(std::span<const T> values) {
  return text_number({reinterpret_cast<const char*>(values.data()), values.size_bytes()});
}

}  // namespace

Index fingerprint(const sdk::LossModel& entries) {
  const Pattern& pattern = *static_cast<const SamplingMap&>(*entries.map).pattern();
  const std::vector<Index> all{pattern.rows(),
                               pattern.cols(),
                               pattern.entries(),
                               number_of(pattern.row_start()),
                               number_of(pattern.col()),
                               number_of(std::span<const double>(entries.targets)),
                               number_of(std::span<const double>(entries.weights))};
  return number_of(std::span<const Index>(all));
}

void expect_equal_data(World& world, Index fingerprint) {
  const auto others = ranks_that_differ(world, "data of sharded", fingerprint);
  if (others.empty()) return;
  throw Error(ErrorKind::data, "",
              rank_list(others) + (others.size() == 1 ? " has" : " have") +
                  " other data than rank 0: sizes, entries, responses, weights or offsets differ",
              "let all ranks read the same file");
}

void expect_enough_chunks(const World& world, Index chunks, Index count, const char* things) {
  if (world.size() <= chunks) return;
  throw Error(ErrorKind::usage, "chunks",
              std::to_string(world.size()) + " ranks for " + std::to_string(chunks) + " chunks of " +
                  std::to_string(count) + " " + things + " leave a rank without any",
              count < world.size() ? "start at most as many ranks as there are " + std::string(things)
                                   : "raise chunks");
}

}  // namespace sharded

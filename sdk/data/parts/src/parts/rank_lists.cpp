// SPDX-License-Identifier: BSD-3-Clause
#include "parts/rank_lists.hpp"

#include <claros/error.hpp>
#include <claros/tree_sum.hpp>

#include <bit>
#include <cstring>
#include <span>

namespace claros {

namespace fs = std::filesystem;

namespace {

/// The beginnings of the ranks' lists in the joined list, and its end.
std::vector<std::size_t> starts(World& world, const char* call, std::size_t mine) {
  std::vector<std::size_t> start{0};
  for (const double size : gathered(world, call, {static_cast<double>(mine)}))
    start.push_back(start.back() + static_cast<std::size_t>(size));
  return start;
}

}  // namespace

void expect_same_files(World& world, const char* call, const std::vector<fs::path>& files) {
  std::string text;
  for (const fs::path& file : files)
    text += file.filename().string() + ' ' + std::to_string(fs::file_size(file)) + '\n';
  const auto others = ranks_that_differ(world, call, text_number(text));
  if (!others.empty())
    throw Error(
        ErrorKind::data, files.front().parent_path().string(),
        "the names or the sizes of the parts on " + rank_list(others) + " differ from those on rank 0",
        "let all ranks read the same folder");
}

std::vector<double> gathered(World& world, const char* call, const std::vector<double>& mine) {
  std::vector<std::size_t> start;
  for (std::size_t r = 0; r <= static_cast<std::size_t>(world.size()); ++r) start.push_back(r * mine.size());
  std::vector<double> all(start.back());
  gather(world, call, mine, start, all);
  return all;
}

std::vector<Index> joined(World& world, const char* call, const std::vector<Index>& mine) {
  const std::vector<std::size_t> start = starts(world, call, mine.size());
  std::vector<double> own, all(start.back());
  for (const Index number : mine) own.push_back(std::bit_cast<double>(number));
  gather(world, call, own, start, all);
  std::vector<Index> numbers;
  for (const double bits : all) numbers.push_back(std::bit_cast<Index>(bits));
  return numbers;
}

std::vector<std::string> texts_of_ranks(World& world, const char* call, const std::string& mine) {
  std::vector<double> words(1 + (mine.size() + sizeof(double) - 1) / sizeof(double));
  words.front() = static_cast<double>(mine.size());
  if (!mine.empty()) std::memcpy(words.data() + 1, mine.data(), mine.size());
  const std::vector<std::size_t> start = starts(world, call, words.size());
  std::vector<double> all(start.back());
  gather(world, call, words, start, all);
  std::vector<std::string> texts;
  for (std::size_t r = 0; r + 1 < start.size(); ++r)
    texts.emplace_back(reinterpret_cast<const char*>(all.data() + start[r] + 1),
                       static_cast<std::size_t>(all[start[r]]));
  return texts;
}

std::vector<double> summed(World& world, const char* call, const std::vector<double>& mine) {
  std::vector<double> sum(mine.size());
  tree_sum(world, call, world.size(), sum, [&](Index, std::span<double> partial) {
    for (std::size_t k = 0; k < mine.size(); ++k) partial[k] += mine[k];
    return true;
  });
  return sum;
}

std::vector<std::vector<double>> exchanged(World& world, const char* call,
                                           const std::vector<std::vector<double>>& send) {
  std::vector<double> sizes, received(send.size());
  for (const auto& list : send) sizes.push_back(static_cast<double>(list.size()));
  std::vector<std::span<const double>> out, out_sizes;
  std::vector<std::span<double>> in, in_sizes;
  for (std::size_t r = 0; r < send.size(); ++r)
    out_sizes.emplace_back(&sizes[r], 1), in_sizes.emplace_back(&received[r], 1), out.emplace_back(send[r]);
  world.exchange(call, out_sizes, in_sizes);
  std::vector<std::vector<double>> lists;
  for (const double size : received) lists.emplace_back(static_cast<std::size_t>(size));
  for (auto& list : lists) in.emplace_back(list);
  world.exchange(call, out, in);
  return lists;
}

}  // namespace claros

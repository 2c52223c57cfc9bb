// SPDX-License-Identifier: BSD-3-Clause
#include "results/run_facts.hpp"

#include <claros/resolved_files.hpp>

#include <claros/error.hpp>
#include <claros/results/checkpoint.hpp>

#include <array>
#include <cstring>

namespace claros {

namespace {

/// A text of fewer than 128 bytes, as numbers that ranks send.
using Words = std::array<double, 16>;

Words words_of(const std::string& text) {
  Words words{};
  if (text.size() >= sizeof words) throw Error(ErrorKind::plugin, text, "is longer than what ranks send");
  std::memcpy(words.data(), text.data(), text.size());
  return words;
}

std::string text_of(const double* words) {
  const char* from = reinterpret_cast<const char*>(words);
  return {from, ::strnlen(from, sizeof(Words))};
}

}  // namespace

/// File k is read by rank k mod P.
void share_contents(const Composition& composition, World& world) {
  if (world.size() == 1 || !composition.context.files) return;
  constexpr const char* kCall = "contents of the files";
  const auto files = composition.context.files->all();
  std::string names;
  for (const ResolvedFiles::File& file : files) names += file.text + '\n';
  if (!ranks_that_differ(world, kCall, text_number(names)).empty()) return;  // whose specifications differ
  const auto ranks = static_cast<std::size_t>(world.size()), me = static_cast<std::size_t>(world.rank());
  std::vector<double> mine;
  std::vector<std::size_t> start{0};
  for (std::size_t r = 0; r < ranks; ++r)
    start.push_back(start.back() + Words().size() * ((files.size() + ranks - 1 - r) / ranks));
  for (std::size_t k = me; k < files.size(); k += ranks) {
    const Words words = words_of(contents_of(files[k]));
    mine.insert(mine.end(), words.begin(), words.end());
  }
  std::vector<double> all(start.back());
  gather(world, kCall, mine, start, all);
  for (std::size_t k = 0; k < files.size(); ++k)
    composition.context.files->set_contents(
        k, text_of(all.data() + start[k % ranks] + Words().size() * (k / ranks)));
}

}  // namespace claros

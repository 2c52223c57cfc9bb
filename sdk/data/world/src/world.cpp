// SPDX-License-Identifier: BSD-3-Clause
#include <claros/world.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace claros {

namespace {

World& one_rank() {
  static World world;
  return world;
}
World* of_process = nullptr;

}  // namespace

World::~World() = default;

Index World::largest(const char*, Index value) { return value; }

void World::exchange(const char*, const std::vector<std::span<const double>>& send,
                     const std::vector<std::span<double>>& receive) {
  std::copy(send.front().begin(), send.front().end(), receive.front().begin());
}

void World::fail(const char*, const Error& error) { throw error; }

World& World::here() noexcept { return of_process ? *of_process : one_rank(); }

std::vector<int> ranks_that_differ(World& world, const char* what, Index value) {
  const std::vector<double> mine{std::bit_cast<double>(value)};
  std::vector<double> all(static_cast<std::size_t>(world.size()));
  std::vector<std::span<double>> receive;
  for (double& one : all) receive.emplace_back(&one, 1);
  world.exchange(what, std::vector<std::span<const double>>(all.size(), mine), receive);
  std::vector<int> found;
  for (int r = 1; r < world.size(); ++r)
    if (std::memcmp(&all[static_cast<std::size_t>(r)], all.data(), sizeof(double)) != 0) found.push_back(r);
  return found;
}

std::string text_of_first(World& world, const char* what, std::string mine) {
  const auto size =
      static_cast<std::size_t>(world.largest(what, world.rank() == 0 ? static_cast<Index>(mine.size()) : 0));
  const auto ranks = static_cast<std::size_t>(world.size());
  std::vector<double> words(size / sizeof(double) + 1);
  if (world.rank() == 0) std::memcpy(words.data(), mine.data(), size);
  const bool first = world.rank() == 0;
  std::vector<double> own(words);
  std::vector<std::span<const double>> send(ranks,
                                            first ? std::span<const double>(own) : std::span<const double>());
  std::vector<std::span<double>> receive(ranks);
  receive.front() = words;
  world.exchange(what, send, receive);
  mine.assign(reinterpret_cast<const char*>(words.data()), size);
  return mine;
}

void gather(World& world, const char* what, std::span<const double> mine,
            const std::vector<std::size_t>& start, std::span<double> all) {
  const std::vector<double> own(mine.begin(), mine.end());
  std::vector<std::span<double>> receive;
  for (std::size_t r = 0; r + 1 < start.size(); ++r)
    receive.push_back(all.subspan(start[r], start[r + 1] - start[r]));
  world.exchange(what, std::vector<std::span<const double>>(receive.size(), own), receive);
}

Index launched_processes() noexcept {
  const auto number = [](const char* name) {
    const char* text = std::getenv(name);
    return text ? static_cast<Index>(std::strtol(text, nullptr, 10)) : 1;
  };
  const Index slurm = std::getenv("PMIX_RANK") ? number("SLURM_NTASKS") : 1;
  return std::max({Index{1}, number("OMPI_COMM_WORLD_SIZE"), number("PMI_SIZE"), slurm});
}

std::string rank_list(const std::vector<int>& ranks) {
  std::string text = ranks.size() == 1 ? "rank " : "ranks ";
  for (std::size_t k = 0; k < ranks.size(); ++k) text += (k ? ", " : "") + std::to_string(ranks[k]);
  return text;
}

// FNV-1a, whose first bit is left out.
Index text_number(std::string_view text) noexcept {
  std::uint64_t hash = 14695981039346656037ULL;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  return static_cast<Index>(hash >> 1U);
}

WorldScope::WorldScope(World& world) noexcept : previous_(of_process) { of_process = &world; }

WorldScope::~WorldScope() { of_process = previous_; }

}  // namespace claros

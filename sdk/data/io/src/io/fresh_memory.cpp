// SPDX-License-Identifier: BSD-3-Clause
#include <claros/error.hpp>
#include <claros/io/fresh_memory.hpp>

#include <claros/memory_limits.hpp>

#include <sys/mman.h>

#include <cstdint>

namespace claros {

std::shared_ptr<void> fresh_memory(std::size_t bytes, const std::string& where, const std::string& what,
                                   const std::string& remedy) {
  constexpr std::size_t kLargePage = std::size_t{1} << 21U;
  expect_memory(static_cast<double>(bytes), where, what, remedy);
  // Mappings begin where they fall: with a large page more, a large page begins in it.
  const std::size_t all = bytes + kLargePage;
  void* const made =
      ::mmap(nullptr, all, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (made == MAP_FAILED)
    throw Error(ErrorKind::data, where,
                what + " takes " + size_text(static_cast<double>(bytes)) +
                    ", which the system refuses: " + memory_state(),
                remedy);
  const auto unmap = [all](void* at) { ::munmap(at, all); };
  std::shared_ptr<void> keeper(made, unmap);
  const auto first = (reinterpret_cast<std::uintptr_t>(made) + kLargePage - 1) / kLargePage * kLargePage;
  (void)::madvise(reinterpret_cast<void*>(first), bytes, MADV_HUGEPAGE);
  return {keeper, reinterpret_cast<void*>(first)};
}

}  // namespace claros

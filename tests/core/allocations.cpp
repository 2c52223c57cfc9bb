// SPDX-License-Identifier: BSD-3-Clause
// The functions of malloc(3), replaced for the whole program: LAPACK's callers allocate by them as
// std::vector does.
#include "allocations.hpp"

#include <atomic>

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#include <malloc.h>

#include <cerrno>
#include <cstddef>
#define CLAROS_COUNTS_ALLOCATIONS 1
#endif

namespace {

std::atomic<std::ptrdiff_t> allocated{0}, most{0}, largest_one{0};

void raise(std::atomic<std::ptrdiff_t>& mark, std::ptrdiff_t to) {
  std::ptrdiff_t before = mark.load();
  while (to > before && !mark.compare_exchange_weak(before, to)) {
  }
}

[[maybe_unused]] void count(std::ptrdiff_t bytes) {
  raise(most, allocated.fetch_add(bytes) + bytes);
  raise(largest_one, bytes);
}

}  // namespace

namespace claros::testing {

Allocations::Allocations() : begin_(allocated.load()) { most.store(begin_), largest_one.store(0); }
std::ptrdiff_t Allocations::now() const { return allocated.load() - begin_; }
std::ptrdiff_t Allocations::peak() const { return most.load() - begin_; }
std::ptrdiff_t Allocations::largest() const { return largest_one.load(); }

#ifndef CLAROS_COUNTS_ALLOCATIONS
bool Allocations::counted() { return false; }
}  // namespace claros::testing
#else
bool Allocations::counted() { return true; }
}  // namespace claros::testing

extern "C" {

void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void __libc_free(void*);

namespace {
std::ptrdiff_t size_of(void* p) { return p ? static_cast<std::ptrdiff_t>(malloc_usable_size(p)) : 0; }
void* counted(void* p) {
  count(size_of(p));
  return p;
}
}  // namespace

void* malloc(std::size_t n) noexcept { return counted(__libc_malloc(n)); }
void* calloc(std::size_t n, std::size_t size) noexcept { return counted(__libc_calloc(n, size)); }
void* memalign(std::size_t alignment, std::size_t n) noexcept {
  return counted(__libc_memalign(alignment, n));
}
void* aligned_alloc(std::size_t alignment, std::size_t n) noexcept {
  return counted(__libc_memalign(alignment, n));
}
int posix_memalign(void** p, std::size_t alignment, std::size_t n) noexcept {
  void* made = counted(__libc_memalign(alignment, n));
  if (!made) return ENOMEM;
  *p = made;
  return 0;
}
void* realloc(void* p, std::size_t n) noexcept {
  const std::ptrdiff_t before = size_of(p);
  void* moved = __libc_realloc(p, n);
  if (moved || n == 0) count(size_of(moved) - before), raise(largest_one, size_of(moved));
  return moved;
}
void free(void* p) noexcept {
  count(-size_of(p));
  __libc_free(p);
}

}  // extern "C"
#endif

// SPDX-License-Identifier: BSD-3-Clause
#include "io/mapped_file.hpp"

#include <claros/memory_limits.hpp>

#include <claros/error.hpp>
#include <claros/io/design_io.hpp>
#include <claros/regular_file.hpp>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <system_error>

namespace claros {
namespace {

/// A mapping that a handler of SIGBUS may ask for. `path` belongs to the MappedFile and stands before `begin`
/// does.
struct Slot {
  std::atomic<const char*> path = nullptr;
  std::atomic<std::uintptr_t> begin = 0, end = 0;
};
std::array<Slot, 64> slots;

void enlist(const char* path, std::uintptr_t begin, std::size_t size) noexcept {
  for (Slot& slot : slots) {
    const char* none = nullptr;
    if (!slot.path.compare_exchange_strong(none, path)) continue;
    slot.end = begin + size;
    slot.begin = begin;
    return;
  }
}

void strike(const char* path) noexcept {
  for (Slot& slot : slots)
    if (slot.path == path) slot.begin = 0, slot.end = 0, slot.path = nullptr;
}

}  // namespace

const char* mapped_file_at(const void* address) noexcept {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  for (const Slot& slot : slots)
    if (const std::uintptr_t begin = slot.begin; begin != 0 && begin <= at && at < slot.end) return slot.path;
  return nullptr;
}

MappedFile::MappedFile(const std::filesystem::path& path, std::size_t row_bytes) : path_(path.string()) {
  expect_regular_file(path);
  file_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file_ < 0) fail("cannot be opened: " + std::system_category().message(errno), "check its permissions");
  stamp_ = stamp_now();
  void* const made = ::mmap(nullptr, size(), PROT_READ, MAP_SHARED | MAP_NORESERVE, file_, 0);
  if (made == MAP_FAILED) {
    const std::string why = std::system_category().message(errno);
    ::close(file_);
    fail("cannot be mapped (" + why + "): it takes " + size_text(static_cast<double>(size())) +
             " of address space",
         "a limit of the address space (ulimit -v) holds for mapped files too: raise that one, and limit "
         "memory by a control group");
  }
  data_ = static_cast<const std::byte*>(made);
  larger_than_memory_ = !fits_memory(static_cast<double>(size()));
  // Reading further ahead makes passes faster (measured: 0.9 to 1.1 GB/s), and reads in vain beside the short
  // rows of a batch.
  constexpr std::size_t kLong = std::size_t{1} << 17U;
  if (row_bytes >= kLong) (void)::madvise(made, size(), MADV_SEQUENTIAL);
  enlist(path_.c_str(), reinterpret_cast<std::uintptr_t>(made), size());
}

MappedFile::~MappedFile() {
  strike(path_.c_str());
  ::munmap(const_cast<std::byte*>(data_), size());
  ::close(file_);
}

FileStamp MappedFile::stamp_now() const {
  struct stat status {};
  return ::fstat(file_, &status) == 0 ? FileStamp::of(status) : FileStamp{};
}

void MappedFile::require_unchanged() const {
  const FileStamp now = stamp_now();
  if (now == stamp_) return;
  fail(now.size != stamp_.size ? "has " + std::to_string(now.size) + " bytes, and had " +
                                     std::to_string(stamp_.size) + " when this run mapped it"
                               : "was written to while this run reads it where it stands",
       "run again when no program writes to it, or give it by objective.memory = read");
}

void MappedFile::will_read(const void* from, std::size_t bytes) const noexcept {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const auto offset = static_cast<std::size_t>(static_cast<const std::byte*>(from) - data_);
  if (offset >= size()) return;
  const std::size_t first = offset / page * page, end = std::min(size(), offset + bytes);
  (void)::madvise(const_cast<std::byte*>(data_) + first, end - first, MADV_WILLNEED);
}

void MappedFile::read(const void* from, std::size_t bytes, void* to) const {
  const auto begin = static_cast<off_t>(static_cast<const std::byte*>(from) - data_);
  for (std::size_t done = 0; done < bytes;) {
    const ssize_t got =
        ::pread(file_, static_cast<std::byte*>(to) + done, bytes - done, begin + static_cast<off_t>(done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail("cannot be read: " + std::system_category().message(errno), "check the disk");
    if (got == 0) fail("was cut off while this run reads it where it stands", "make it again, and run again");
    done += static_cast<std::size_t>(got);
  }
  // They would be dropped before the next pass anyway, and finding them costs more.
  (void)::posix_fadvise(file_, begin, static_cast<off_t>(bytes), POSIX_FADV_DONTNEED);
}

void MappedFile::fail(const std::string& what, const std::string& remedy) const {
  throw Error(ErrorKind::data, path_, what, remedy);
}

}  // namespace claros

// SPDX-License-Identifier: BSD-3-Clause
#include <claros/error.hpp>
#include <claros/io/atomic_file.hpp>

#include "io/orphans.hpp"
#include "io/sync_folder.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>
#include <utility>

namespace claros {
namespace {

std::filesystem::path folder_of(const std::filesystem::path& file) {
  return file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
}

thread_local int unsynced = 0;

}  // namespace

UnsyncedFiles::UnsyncedFiles() noexcept { ++unsynced; }
UnsyncedFiles::~UnsyncedFiles() { --unsynced; }

void sync_disk(const std::filesystem::path& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const int code = descriptor >= 0 && ::syncfs(descriptor) == 0 ? 0 : errno;
  if (descriptor >= 0) ::close(descriptor);
  if (code)
    throw Error(ErrorKind::data, folder.string(),
                "may not be on disk: " + std::system_category().message(code), "look at the disk");
}

int sync_folder(const std::filesystem::path& folder) {
  if (unsynced) return 0;
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return errno == EACCES ? 0 : errno;
  const int code = ::fsync(descriptor) == 0 || errno == EINVAL ? 0 : errno;
  ::close(descriptor);
  return code;
}

AtomicFile::AtomicFile(std::filesystem::path target) : target_(std::move(target)) {
  std::error_code code;
  const auto status = std::filesystem::status(target_, code);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
    throw Error(ErrorKind::data, target_.string(), "is not a regular file and cannot be replaced by one",
                "choose another name");
  if (!target_.has_filename())
    throw Error(ErrorKind::data, target_.string(), "names no file; expected a path that ends in a file name");
  create();
}

AtomicFile::~AtomicFile() { discard(); }

void AtomicFile::create() {
  remove_orphans_once(folder_of(target_));
  // Not made from the target's name, which may already be as long as the file system allows.
  const std::string stem = ".claros-" + std::to_string(::getpid()) + "-";
  for (int attempt = 0; descriptor_ < 0; ++attempt) {
    const auto name = folder_of(target_) / (stem + std::to_string(attempt) + ".tmp");
    descriptor_ = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor_ >= 0) temporary_ = name;
    if (descriptor_ < 0 && errno != EEXIST) fail("cannot be created", errno);
    if (descriptor_ >= 0 && !hold_temporary(descriptor_, name)) discard();
  }
}

void AtomicFile::write(std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = ::write(descriptor_, content.data(), content.size());
    if (written >= 0) {
      content.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      fail("cannot be written", errno);
    }
  }
}

void AtomicFile::commit() {
  if (!unsynced && ::fsync(descriptor_) != 0) fail("cannot be written", errno);
  if (::close(std::exchange(descriptor_, -1)) != 0) fail("cannot be written", errno);
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail("cannot be put in place", errno);
  temporary_.clear();
  if (const int code = sync_folder(folder_of(target_))) fail("may not be on disk", code);
}

void AtomicFile::discard() noexcept {
  if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
  temporary_.clear();
}

void AtomicFile::fail(const char* action, int code) {
  discard();
  throw Error(
      ErrorKind::data, target_.string(), std::string(action) + ": " + std::system_category().message(code),
      code == ENOSPC || code == EDQUOT || code == EFBIG ? "make room or choose another folder"
                                                        : "choose a folder that exists and can be written");
}

void write_atomically(const std::filesystem::path& target, std::string_view content) {
  AtomicFile file(target);
  file.write(content);
  file.commit();
}

}  // namespace claros

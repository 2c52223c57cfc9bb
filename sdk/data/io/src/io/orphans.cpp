// SPDX-License-Identifier: BSD-3-Clause
#include "io/orphans.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <mutex>
#include <set>
#include <string>

namespace claros {

namespace fs = std::filesystem;

namespace {

bool may_be_orphan(const std::string& name) {
  if (!name.starts_with(".claros-") || !name.ends_with(".tmp")) return false;
  pid_t pid = 0;
  std::from_chars(name.data() + 8, name.data() + name.size(), pid);
  return pid <= 0 || pid == ::getpid() || (::kill(pid, 0) != 0 && errno == ESRCH);
}

/// Nothing that is not a file of this user, and nothing through a link.
void remove_if_unheld(const fs::path& file) {
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (descriptor < 0) return;
  struct stat status {};
  if (::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == ::geteuid() &&
      ::flock(descriptor, LOCK_EX | LOCK_NB) == 0)
    ::unlink(file.c_str());
  ::close(descriptor);
}

}  // namespace

/// Where the file system has no locks, nobody removes it either.
bool hold_temporary(int descriptor, const fs::path& file) noexcept {
  if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) return errno != EWOULDBLOCK;
  struct stat opened {
  }, named{};
  return ::fstat(descriptor, &opened) == 0 && ::lstat(file.c_str(), &named) == 0 &&
         opened.st_ino == named.st_ino;
}

void remove_orphans(const fs::path& folder) noexcept try {
  std::error_code code;
  for (const auto& entry : fs::directory_iterator(folder, code))
    if (may_be_orphan(entry.path().filename().string())) remove_if_unheld(entry.path());
} catch (const std::exception&) {  // they stay
}

void remove_orphans_once(const fs::path& folder) noexcept try {
  static std::mutex mutex;
  static auto* const seen = new std::set<fs::path>;  // of threads that outlive main
  {
    const std::lock_guard lock(mutex);
    if (!seen->insert(fs::absolute(folder).lexically_normal()).second) return;
  }
  remove_orphans(folder);
} catch (const std::exception&) {
}

}  // namespace claros

// SPDX-License-Identifier: BSD-3-Clause
#include <claros/error.hpp>
#include <claros/io/owned_folder.hpp>

#include "io/orphans.hpp"
#include "io/sync_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>
#include <utility>

namespace claros {

namespace fs = std::filesystem;

namespace {

constexpr const char *kLock = ".claros-lock", *kMoving = ".claros-moving", *kNew = ".claros-new",
                     *kGone = ".claros-gone", *kEarlier = ".claros-earlier";

bool is_there(const fs::path& path) {
  std::error_code code;
  return fs::exists(fs::symlink_status(path, code));
}

std::vector<fs::path> entries_of(const fs::path& folder) {
  std::error_code code;
  std::vector<fs::path> entries;
  for (const auto& entry : fs::directory_iterator(folder, code)) entries.push_back(entry.path());
  std::sort(entries.begin(), entries.end());
  return entries;
}

std::string owner_in(int descriptor) {
  std::array<char, 32> text;
  const ssize_t got = ::pread(descriptor, text.data(), text.size(), 0);
  std::string owner(text.data(), static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  owner.erase(std::find_if(owner.begin(), owner.end(), [](char c) { return c < '0' || c > '9'; }),
              owner.end());
  return owner;
}

/// The lock file that was opened is still the one of that name: an owner that goes removes it.
bool still_named(int descriptor, const fs::path& file) {
  struct stat opened {
  }, named{};
  return ::fstat(descriptor, &opened) == 0 && ::lstat(file.c_str(), &named) == 0 &&
         opened.st_ino == named.st_ino && opened.st_dev == named.st_dev;
}

std::string used_by(const std::string& owner) {
  return "is in use by " + (owner.empty() ? "another process" : "process " + owner);
}

}  // namespace

std::string owner_of(const fs::path& folder) {
  const int descriptor = ::open((folder / kLock).c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (descriptor < 0) return {};
  // A shared lock, so that two who ask do not see each other.
  const bool taken = ::flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  const std::string owner = taken ? owner_in(descriptor) : std::string();
  ::close(descriptor);
  return taken && owner.empty() ? "unknown" : owner;
}

bool is_own_name(const std::string& name) noexcept {
  return name == kLock || name == kMoving || name == kNew || name == kGone || name == kEarlier ||
         (name.starts_with(".claros-") && name.ends_with(".tmp"));
}

OwnedFolder::OwnedFolder(fs::path folder, Layout layout)
    : path_(std::move(folder)), layout_(std::move(layout)) {
  lock();
  try {
    refuse_links();
    settle();
  } catch (...) {
    ::close(std::exchange(descriptor_, -1));
    throw;
  }
}

/// The name goes before the lock, so that no process locks a file that is about to lose its name.
OwnedFolder::~OwnedFolder() {
  if (descriptor_ < 0) return;
  ::unlink(at(kLock).c_str());
  ::close(descriptor_);
}

void OwnedFolder::lock() {
  const fs::path file = at(kLock);
  for (;;) {
    descriptor_ = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
    if (descriptor_ < 0) fail(kLock, "cannot be made: " + std::generic_category().message(errno));
    while (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
      if (errno == EINTR) continue;
      const int code = errno;
      const std::string owner = owner_in(descriptor_);
      ::close(std::exchange(descriptor_, -1));
      if (code == EWOULDBLOCK)
        throw Error(ErrorKind::data, path_.string(), used_by(owner), "wait for it, or choose another folder");
      fail(kLock, "cannot be locked: " + std::generic_category().message(code));
    }
    if (still_named(descriptor_, file)) break;
    ::close(std::exchange(descriptor_, -1));
  }
  const std::string number = std::to_string(::getpid()) + "\n";
  // On a full disk the folder is owned all the same; the number is for people.
  if (::ftruncate(descriptor_, 0) != 0 || ::pwrite(descriptor_, number.data(), number.size(), 0) < 0) return;
}

void OwnedFolder::refuse_links() const {
  std::vector<std::string> all = names();
  all.insert(all.end(), {kMoving, kNew, kGone, kEarlier});
  for (const std::string& name : all) {
    std::error_code code;
    if (fs::is_symlink(fs::symlink_status(at(name), code)))
      fail(name, "is a symbolic link, and results are never written through one");
  }
}

void OwnedFolder::settle() {
  if (is_there(at(kMoving))) {
    for (const fs::path& entry : entries_of(at(kMoving)))
      if (!is_there(path_ / entry.filename())) rename(entry, path_ / entry.filename());
    forget(kMoving);
  }
  if (is_there(at(kNew) / names().back())) roll_forward();
  forget(kNew);
  forget(kGone);
  if (is_there(at(kEarlier)) && layout_.whole(path_)) forget(kEarlier);
  std::error_code code;
  remove_orphans(path_);
  for (const std::string& name : names())
    if (fs::is_directory(fs::symlink_status(at(name), code))) remove_orphans(at(name));
}

/// In one stroke as others see it: under its name it is whole, or not at all.
void OwnedFolder::forget(const std::string& name) {
  if (!is_there(at(name))) return;
  std::error_code code;
  if (name != kGone) {
    fs::remove_all(at(kGone), code);
    rename(at(name), at(kGone));
  }
  fs::remove_all(at(kGone), code);
  if (code) fail(name, "cannot be removed: " + code.message());
}

void OwnedFolder::set_aside() {
  const auto present = [&](const std::string& name) { return is_there(at(name)); };
  const std::vector<std::string> all = names();
  if (std::none_of(all.begin(), all.end(), present)) return;
  std::error_code code;
  const bool whole = layout_.whole(path_);
  const fs::path moving = at(whole ? kMoving : kGone);
  if (!fs::create_directory(moving, code))
    fail(moving.filename().string(), "cannot be made: " + code.message());
  // The last name of a whole result first: from then on no reader takes the rest for one. The first and the
  // last of an unfinished one last: whose folder it is can be seen until it is empty.
  std::vector<std::string> order(all.rbegin(), all.rend());
  if (!whole) std::rotate(order.begin(), order.begin() + 1, order.end());
  for (const std::string& name : order)
    if (present(name)) rename(at(name), moving / name);
  if (!whole) return forget(kGone);
  forget(kEarlier);
  rename(moving, at(kEarlier));
  sync_folder(path_);
}

void OwnedFolder::put_back() {
  if (!is_there(at(kEarlier))) return;
  for (const std::string& name : names()) forget(name);
  rename(at(kEarlier), at(kMoving));
  settle();
}

fs::path OwnedFolder::stage() {
  forget(kNew);
  std::error_code code;
  if (!fs::create_directory(at(kNew), code)) fail(kNew, "cannot be made: " + code.message());
  return at(kNew);
}

/// A file takes the place of a file, a folder of a folder; anything else is not Claros' own.
void OwnedFolder::refuse_other_kinds() const {
  for (const std::string& name : names()) {
    std::error_code code;
    const fs::file_status is = fs::symlink_status(at(name), code),
                          becomes = fs::symlink_status(at(kNew) / name, code);
    if (fs::exists(is) && fs::exists(becomes) && is.type() != becomes.type())
      fail(name, "is not what Claros writes there, and cannot be replaced");
  }
}

void OwnedFolder::publish() {
  try {
    refuse_other_kinds();
    sync_folder(at(kNew));
    roll_forward();
  } catch (const Error&) {
    // Who is told that it failed must not find it done by the next owner.
    std::error_code code;
    fs::remove_all(at(kNew), code);
    throw;
  }
  drop_earlier();
}

void OwnedFolder::drop_earlier() { forget(kEarlier); }

/// May begin anywhere in the middle: what has been given its name is not there any more.
void OwnedFolder::roll_forward() {
  for (const std::string& name : names()) {
    const fs::path staged = at(kNew) / name;
    if (!is_there(staged)) continue;
    std::error_code code;
    if (fs::is_directory(fs::symlink_status(at(name), code)))
      forget(name);  // none replaces another that is not empty
    rename(staged, at(name));
  }
  sync_folder(path_);
  forget(kNew);
}

void OwnedFolder::rename(const fs::path& from, const fs::path& to) const {
  if (::rename(from.c_str(), to.c_str()) != 0)
    throw Error(ErrorKind::data, to.string(),
                "cannot be put in place: " + std::generic_category().message(errno),
                "look at the rights of the folder");
}

void OwnedFolder::fail(const std::string& name, const std::string& what) const {
  throw Error(ErrorKind::data, at(name).string(), what,
              "choose another folder, or look at its content and rights");
}

}  // namespace claros

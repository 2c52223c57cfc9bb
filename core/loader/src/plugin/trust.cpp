// SPDX-License-Identifier: BSD-3-Clause
#include "plugin/trust.hpp"

#include <claros/error.hpp>

#include <dlfcn.h>
#include <grp.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <optional>
#include <system_error>

namespace claros {

namespace {

namespace fs = std::filesystem;

/// A user or a group by number: its name, and who else is in it.
struct Account {
  std::string name;
  std::vector<std::string> members;
};

std::optional<Account> group_of(gid_t number) {
  std::vector<char> space(1 << 16);
  ::group entry{};
  ::group* found = nullptr;
  if (::getgrgid_r(number, &entry, space.data(), space.size(), &found) != 0 || !found) return {};
  Account group{entry.gr_name, {}};
  for (char** member = entry.gr_mem; *member; ++member) group.members.emplace_back(*member);
  return group;
}

std::string user_name(uid_t number) {
  std::vector<char> space(1 << 14);
  ::passwd entry{};
  ::passwd* found = nullptr;
  return ::getpwuid_r(number, &entry, space.data(), space.size(), &found) == 0 && found ? entry.pw_name : "";
}

std::string named(const char* what, const std::string& name, unsigned number) {
  return std::string(what) + ' ' + (name.empty() ? std::to_string(number) : '\'' + name + '\'');
}

/// Debian gives each user a group of the same name and the umask 002: it has no other member.
bool is_private(gid_t number, uid_t owner) {
  const auto group = group_of(number);
  const std::string name = user_name(owner);
  // In a container neither may be known; the numbers are then those of one user.
  if (!group) return name.empty() && number == owner;
  const bool alone =
      std::all_of(group->members.begin(), group->members.end(), [&](const auto& m) { return m == name; });
  return alone && (group->name == name || number == 0);
}

/// True if `path` is `folder` or below it.
bool is_within(const fs::path& path, const fs::path& folder) {
  return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first == folder.end();
}

/// The deepest part of a path that exists, with links followed.
fs::path existing(const fs::path& path) {
  std::error_code code;
  for (fs::path at = path;; at = at.parent_path())
    if (const fs::path real = fs::canonical(at, code); !code || at == at.root_path()) return code ? at : real;
}

/// True if a library of that name is in the process: the loader looks for no other.
bool is_loaded(const std::string& name) {
  void* library = ::dlopen(name.c_str(), RTLD_LAZY | RTLD_NOLOAD);
  if (library) ::dlclose(library);
  return library != nullptr;
}

/// An entry of a search path as the loader expands it; the part before a token that depends on the machine.
fs::path expanded(const std::string& entry, const fs::path& library) {
  std::string text = entry;
  for (const std::string token : {"$ORIGIN", "${ORIGIN}"})
    if (text.starts_with(token)) text = library.parent_path().string() + text.substr(token.size());
  return fs::path(text.substr(0, text.find('$'))).lexically_normal();
}

}  // namespace

Trust::Trust(const std::vector<fs::path>& trusted) : own_(library_file()), own_user_(::geteuid()) {
  std::error_code code;
  for (const fs::path& path : trusted)
    if (const fs::path real = fs::canonical(path, code); !code) trusted_.push_back(real);
  struct stat file {
  }, folder{};
  if (::stat(own_.c_str(), &file) != 0 || ::stat(own_.parent_path().c_str(), &folder) != 0) return;
  own_user_ = file.st_uid;
  if (folder.st_mode & S_IWGRP) own_group_ = folder.st_gid;
}

std::string Trust::Weakness::seen_from(const fs::path& end) const {
  return path == end ? what : "lies in " + path.string() + ", which " + what;
}

bool Trust::trusted(const fs::path& path) const {
  return std::any_of(trusted_.begin(), trusted_.end(), [&](const fs::path& t) { return is_within(path, t); });
}

bool Trust::is_own_group(gid_t group, uid_t owner) const {
  if (group == own_group_) return true;
  const auto [at, fresh] = groups_.try_emplace({group, owner}, false);
  if (fresh) at->second = is_private(group, owner);
  return at->second;
}

std::optional<Trust::Weakness> Trust::weakness(const fs::path& path, bool may_be_sticky) const {
  struct stat s {};
  const std::string text = path.string();
  if (::lstat(path.c_str(), &s) != 0)
    return Weakness{path, "cannot be examined", "check the permissions of " + text};
  const uid_t self = ::geteuid();
  if (s.st_uid != 0 && s.st_uid != self && s.st_uid != own_user_)
    return Weakness{
        path, "belongs to " + named("user", user_name(s.st_uid), s.st_uid) + ", who is neither you nor root",
        self == 0 ? "run chown root " + text : "copy it to a folder of your own"};
  if (may_be_sticky && S_ISDIR(s.st_mode) && (s.st_mode & S_ISVTX)) return {};
  if (s.st_mode & S_IWOTH) return Weakness{path, "can be changed by everyone", "run chmod o-w " + text};
  if (!(s.st_mode & S_IWGRP) || is_own_group(s.st_gid, s.st_uid)) return {};
  const auto group = group_of(s.st_gid);
  return Weakness{path, "can be changed by " + named("group", group ? group->name : "", s.st_gid),
                  "run chmod g-w " + text};
}

std::optional<Trust::Weakness> Trust::above(const fs::path& path) const {
  for (fs::path at = path.parent_path(); !is_within(own_, at) && !sound_.contains(at);
       at = at.parent_path()) {
    if (auto weak = weakness(at, true)) return weak;
    if (at == at.root_path()) break;
  }
  return {};
}

std::optional<Trust::Weakness> Trust::of_file(const fs::path& file) const {
  if (trusted(file) || file == own_) return {};
  if (auto weak = weakness(file, false)) return weak;
  return of_folder(file.parent_path());
}

std::optional<Trust::Weakness> Trust::of_folder(const fs::path& folder) const {
  if (trusted(folder) || sound_.contains(folder) || folder == own_.parent_path()) return {};
  if (auto weak = weakness(folder, false)) return weak;
  if (auto weak = above(folder)) return weak;
  sound_.insert(folder);
  return {};
}

void Trust::check(const fs::path& file, const LibraryNeeds& needs) const {
  if (const auto weak = of_file(file))
    throw Error(ErrorKind::plugin, file.string(), weak->seen_from(file) + " and is not loaded",
                weak->remedy + ", or trust it as it is: --trust " + file.string());
  std::set<fs::path> seen;
  check_search(file, file, needs, seen);
}

void Trust::check_search(const fs::path& plugin, const fs::path& library, const LibraryNeeds& needs,
                         std::set<fs::path>& seen) const {
  const std::string whose = library == plugin ? "" : "needs " + library.string() + ", which ";
  const auto refuse = [&](const std::string& what, const std::string& remedy) {
    throw Error(ErrorKind::plugin, plugin.string(), whose + what + "; it is not loaded", remedy);
  };
  const auto follow = [&](const fs::path& path) {
    if (sound_.contains(path)) return;
    std::error_code code;
    const fs::path needed = fs::canonical(path, code);
    if (code || !seen.insert(needed).second) return;
    if (needed == own_ || sound_.contains(needed)) {
      sound_.insert(path);
      return;
    }
    if (const auto weak = of_file(needed))
      refuse("needs " + needed.string() + ", which " + weak->seen_from(needed),
             weak->remedy + ", or trust it as it is: --trust " + needed.string());
    check_search(plugin, needed, read_library_needs(needed), seen);
    sound_.insert(needed);
    sound_.insert(path);
  };
  const auto refuse_relative = [&](const std::string& what, const std::string& name) {
    if (!trusted(library))
      refuse("looks for " + name + " in the working directory (" + what + ")", "link it with absolute paths");
  };
  std::set<std::string> sought;
  for (const std::string& name : needs.needed)
    if (name.find('/') == name.npos)
      sought.insert(name);
    else
      fs::path(name).is_absolute() ? follow(name) : refuse_relative("it is needed by that path", name);
  for (const std::string& entry : needs.folders) {
    const fs::path named = expanded(entry, library);
    if (!named.is_absolute()) {
      // Build trees pad their paths with empty entries, which are the working directory.
      for (const std::string& name : sought)
        if (!is_loaded(name)) refuse_relative("RPATH '" + entry + "'", name);
      continue;
    }
    const auto [place, fresh] = existing_.try_emplace(named);
    if (fresh) place->second = existing(named);
    if (const auto weak = of_folder(place->second))
      refuse("looks for libraries in " + named.string() + ", which " + weak->seen_from(named),
             weak->remedy + ", link it without that RPATH, or trust it as it is: --trust " + named.string());
    std::erase_if(sought, [&](const std::string& name) {
      const fs::path file = named / name;
      const auto [found, unknown] = exists_.try_emplace(file.native(), false);
      if (unknown) found->second = ::access(file.c_str(), F_OK) == 0;
      if (found->second) follow(file);
      return found->second;
    });
  }
}

}  // namespace claros

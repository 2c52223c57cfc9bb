// SPDX-License-Identifier: BSD-3-Clause
#include "doctor/plugin_project.hpp"

#include <claros/io/atomic_file.hpp>
#include <claros/regular_file.hpp>

#include <stdlib.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

namespace claros::cli {

namespace {

namespace fs = std::filesystem;

using Replacements = std::vector<std::pair<std::string, std::string>>;

std::string filled(std::string text, const Replacements& replacements) {
  for (const auto& [word, by] : replacements)
    for (auto at = text.find(word); at != text.npos; at = text.find(word, at + by.size()))
      text.replace(at, word.size(), by);
  return text;
}

std::string content(const fs::path& file) {
  std::ifstream stream = open_regular_file(file);
  std::string text{std::istreambuf_iterator<char>(stream), {}};
  if (!stream) throw Error(ErrorKind::data, file.string(), "cannot be read", "install claros again");
  return text;
}

/// A new folder beside `target`; the destructor removes it with its contents unless it was renamed to
/// `target`.
class NewFolder {
 public:
  explicit NewFolder(fs::path target) : target_(std::move(target)) {
    std::string name = (target_.parent_path() / ".claros-new-XXXXXX").string();
    if (!::mkdtemp(name.data())) fail("cannot be created", errno);
    path_ = name;
  }
  ~NewFolder() {
    std::error_code code;
    if (!path_.empty()) fs::remove_all(path_, code);
  }
  NewFolder(const NewFolder&) = delete;
  NewFolder& operator=(const NewFolder&) = delete;

  const fs::path& path() const noexcept { return path_; }
  void keep() {
    const mode_t mask = ::umask(0);
    ::umask(mask);
    if (::chmod(path_.c_str(), 0777 & ~mask) != 0 || ::rename(path_.c_str(), target_.c_str()) != 0)
      fail("cannot be created", errno);
    path_.clear();
  }

 private:
  [[noreturn]] void fail(const char* what, int code) const {
    throw Error(ErrorKind::data, target_.string(), what + (": " + std::generic_category().message(code)),
                "choose another --dir");
  }
  fs::path target_, path_;
};

/// Without a slash at its end, which has no parent of its own.
fs::path plain(const fs::path& folder) {
  const fs::path whole = fs::absolute(folder).lexically_normal();
  return whole.has_filename() ? whole : whole.parent_path();
}

}  // namespace

void require_new_folder(const fs::path& folder, std::vector<Complaint>& complaints) {
  std::error_code code;
  const fs::path whole = plain(folder);
  if (fs::exists(fs::symlink_status(whole, code)))
    complaints.push_back(
        {folder.string(), "already exists, and new-plugin overwrites nothing", "choose another --dir"});
  else if (!fs::is_directory(whole.parent_path(), code))
    complaints.push_back({folder.string(),
                          "cannot be created: folder " + whole.parent_path().string() + " does not exist",
                          "create that folder first, or choose another --dir"});
}

void write_plugin_project(const fs::path& templates, Kind kind, const std::string& name,
                          const fs::path& folder) {
  std::string file = name;
  std::replace(file.begin(), file.end(), '-', '_');
  const Replacements replacements{{"@kind@", kind_name(kind)}, {"@name@", name}, {"@file@", file}};
  NewFolder made(plain(folder));
  for (const fs::path& from : {templates / "project", templates / kind_name(kind)}) {
    std::error_code code;
    const fs::directory_iterator files(from, code);
    if (code)
      throw Error(ErrorKind::data, from.string(), "holds no template: " + code.message(),
                  "install claros again");
    for (const auto& entry : files) {
      const std::string found = entry.path().filename().string();
      const std::string wanted = found == "plugin.cpp"  ? file + ".cpp"
                                 : found == "gitignore" ? ".gitignore"
                                                        : found;
      write_atomically(made.path() / wanted, filled(content(entry.path()), replacements));
    }
  }
  made.keep();
}

}  // namespace claros::cli

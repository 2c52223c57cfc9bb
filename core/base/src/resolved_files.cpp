// SPDX-License-Identifier: BSD-3-Clause
#include <claros/resolved_files.hpp>

#include <sys/stat.h>

#include <algorithm>

namespace claros {

FileStamp FileStamp::of(const struct stat& status) noexcept {
  if (!S_ISREG(status.st_mode)) return {};
  return {true,
          static_cast<unsigned long long>(status.st_dev),
          static_cast<unsigned long long>(status.st_ino),
          static_cast<long long>(status.st_size),
          static_cast<long long>(status.st_mtim.tv_sec),
          static_cast<long long>(status.st_mtim.tv_nsec)};
}

void ResolvedFiles::add(const std::string& text, const std::filesystem::path& path) {
  struct stat status {};
  const FileStamp stamp = ::stat(path.c_str(), &status) == 0 ? FileStamp::of(status) : FileStamp{};
  const std::lock_guard lock(mutex_);
  if (std::none_of(files_.begin(), files_.end(), [&](const File& f) { return f.text == text; }))
    files_.push_back({text, path, stamp, {}});
}

std::vector<ResolvedFiles::File> ResolvedFiles::all() const {
  const std::lock_guard lock(mutex_);
  return files_;
}

void ResolvedFiles::set_contents(std::size_t k, const std::string& contents) {
  const std::lock_guard lock(mutex_);
  files_.at(k).contents = contents;
}

void ResolvedFiles::forget_in(const std::filesystem::path& replaced) {
  namespace fs = std::filesystem;
  std::error_code code;
  const fs::path within = fs::weakly_canonical(replaced, code);
  const std::lock_guard lock(mutex_);
  std::erase_if(files_, [&](const File& file) {
    const fs::path path = fs::weakly_canonical(file.path, code);
    return std::mismatch(within.begin(), within.end(), path.begin(), path.end()).first == within.end();
  });
}

}  // namespace claros

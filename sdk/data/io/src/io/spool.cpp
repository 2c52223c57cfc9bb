// SPDX-License-Identifier: BSD-3-Clause
#include "io/spool.hpp"

#include <claros/error.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace claros {

namespace {

constexpr std::size_t kPiece = std::size_t{1} << 20U;

int unnamed_file(const std::filesystem::path& folder) {
  const int file = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (file >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL)) return file;
  std::string name = (folder / ".claros-spool-XXXXXX").string();
  const int named = ::mkostemp(name.data(), O_CLOEXEC);
  if (named >= 0) ::unlink(name.c_str());
  return named;
}

}  // namespace

Spool::Spool(std::filesystem::path folder)
    : folder_(folder.empty() ? "." : std::move(folder)), file_(unnamed_file(folder_)) {
  if (file_ < 0) fail("cannot be written to", errno);
}

Spool::~Spool() {
  if (file_ >= 0) ::close(file_);
}

void Spool::write(std::string_view bytes) {
  if (bytes.empty()) return;
  buffer_.reserve(kPiece);  // one that nothing is written to takes no memory
  buffer_.append(bytes);
  if (buffer_.size() >= kPiece) flush();
}

void Spool::flush() {
  for (std::string_view left = buffer_; !left.empty();) {
    const ssize_t written = ::write(file_, left.data(), left.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) fail("cannot be written to", errno);
    left.remove_prefix(static_cast<std::size_t>(written));
  }
  size_ += buffer_.size();
  buffer_.clear();
}

void Spool::replay(const std::function<void(std::string_view)>& each) {
  flush();
  std::string piece(kPiece, '\0');
  for (std::uint64_t at = 0; at < size_;) {
    const ssize_t got = ::pread(file_, piece.data(), piece.size(), static_cast<off_t>(at));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) fail("cannot be read from", got < 0 ? errno : EIO);
    each(std::string_view(piece).substr(0, static_cast<std::size_t>(got)));
    at += static_cast<std::uint64_t>(got);
  }
}

void Spool::fail(const char* action, int code) const {
  throw Error(
      ErrorKind::data, folder_.string(), std::string(action) + ": " + std::system_category().message(code),
      code == ENOSPC ? "make room: what waits there takes about a half of the design" : "check the folder");
}

}  // namespace claros

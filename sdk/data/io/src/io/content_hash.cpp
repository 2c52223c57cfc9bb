// SPDX-License-Identifier: BSD-3-Clause
#include <claros/io/content_hash.hpp>

#include <claros/error.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <cerrno>
#include <memory>
#include <new>
#include <system_error>

namespace claros {

namespace {

constexpr std::size_t kPiece = std::size_t{1} << 18;  // stays in the cache between the copy and the hash

[[noreturn]] void fail(const std::filesystem::path& file, const std::string& what) {
  throw Error(ErrorKind::data, file.string(), what, "look at the file and its rights");
}

}  // namespace

ContentHash::ContentHash() : state_(XXH3_createState(), XXH3_freeState) {
  if (!state_) throw std::bad_alloc();
  XXH3_128bits_reset(state_.get());
}

void ContentHash::add(std::string_view bytes) {
  bytes_ += bytes.size();
  if (!bytes.empty()) XXH3_128bits_update(state_.get(), bytes.data(), bytes.size());
}

/// So that the end of one array is not the beginning of the next.
void ContentHash::add_size(std::size_t size) {
  add(std::string_view(reinterpret_cast<const char*>(&size), sizeof size));
}

void ContentHash::add(const std::vector<std::string>& texts) {
  add_size(texts.size());
  for (const std::string& text : texts) add_size(text.size()), add(text);
}

std::string ContentHash::text() const {
  XXH128_canonical_t bytes;
  XXH128_canonicalFromHash(&bytes, XXH3_128bits_digest(state_.get()));
  std::string text = std::to_string(bytes_) + " bytes, xxh3 ";
  for (const unsigned char byte : bytes.digest) {
    text += "0123456789abcdef"[byte >> 4];
    text += "0123456789abcdef"[byte & 15];
  }
  return text;
}

std::string hash_of_open_file(int descriptor, const std::filesystem::path& name) {
  ContentHash hash;
  const auto piece = std::make_unique_for_overwrite<char[]>(kPiece);
  for (;;) {
    const ssize_t got = ::read(descriptor, piece.get(), kPiece);
    if (got == 0) return hash.text();
    if (got > 0)
      hash.add(std::string_view(piece.get(), static_cast<std::size_t>(got)));
    else if (errno != EINTR)
      fail(name, "cannot be read: " + std::generic_category().message(errno));
  }
}

std::string hash_of_file(const std::filesystem::path& file) {
  // A FIFO would be waited for.
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) fail(file, "cannot be read: " + std::generic_category().message(errno));
  const std::shared_ptr<void> closing(nullptr, [descriptor](void*) { ::close(descriptor); });
  struct stat status {};
  if (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) fail(file, "is not a regular file");
  return hash_of_open_file(descriptor, file);
}

}  // namespace claros

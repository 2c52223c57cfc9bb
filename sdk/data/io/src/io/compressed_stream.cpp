// SPDX-License-Identifier: BSD-3-Clause
#include "io/compressed_stream.hpp"

#include <claros/error.hpp>

#include "io/file_kind.hpp"
#include "io/zstd_frames.hpp"

#include <boost/iostreams/filter/bzip2.hpp>
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filter/lzma.hpp>
#include <boost/iostreams/filter/zstd.hpp>

#include <fstream>
#include <string_view>

namespace claros {
namespace {

namespace io = boost::iostreams;
using namespace std::string_view_literals;

constexpr std::streamsize kBlock = 1 << 16;

bool starts(std::string_view bytes, std::string_view magic) { return bytes.substr(0, magic.size()) == magic; }

std::string compression_of(std::string_view bytes) {
  if (starts(bytes, "\x1f\x8b"sv)) return "gzip";
  if (starts(bytes, "BZh"sv) && bytes.size() > 4 &&
      (starts(bytes.substr(4), "1AY&SY"sv) || bytes[4] == '\x17'))
    return "bzip2";
  if (starts(bytes,
             "\xFD"
             "7zXZ\0"sv))
    return "xz";
  if (starts(bytes, "\x28\xB5\x2F\xFD"sv)) return "zstd";
  return {};
}

}  // namespace

io::file_source opened_source(const std::filesystem::path& path) {
  (void)open_regular_file(path);  // says why a file cannot be read
  io::file_source source(path.string(), std::ios::in | std::ios::binary);
  if (!source.is_open()) throw Error(ErrorKind::data, path.string(), "cannot be opened", "try again");
  return source;
}

std::string open_compressed(const std::filesystem::path& path, io::filtering_streambuf<io::input>& stream) {
  std::ifstream file = open_regular_file(path);
  char head[10] = {};
  file.read(head, sizeof head);
  const std::string compression = compression_of({head, static_cast<std::size_t>(file.gcount())});
  file.clear();
  if (compression == "gzip")
    stream.push(io::gzip_decompressor(io::gzip::default_window_bits, kBlock), kBlock);
  if (compression == "bzip2") stream.push(io::bzip2_decompressor(false, kBlock), kBlock);
  if (compression == "xz") stream.push(io::lzma_decompressor(kBlock), kBlock);
  if (compression == "zstd") {
    if (!zstd_is_whole(file))
      throw Error(ErrorKind::data, path.string(), "the zstd stream is truncated",
                  "fetch or make the file again");
    stream.push(io::zstd_decompressor(kBlock), kBlock);
  }
  file.close();
  stream.push(opened_source(path), kBlock);
  return compression;
}

}  // namespace claros

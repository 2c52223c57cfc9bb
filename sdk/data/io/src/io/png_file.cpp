// SPDX-License-Identifier: BSD-3-Clause
#include "io/png_file.hpp"

#include <claros/error.hpp>

#include <claros/io/file_limits.hpp>

#include <png.h>

#include <array>
#include <csetjmp>
#include <cstring>

namespace claros {
namespace {

/// The state of libpng's callbacks. They are called from C: they must not throw.
struct Stream {
  std::string_view bytes;
  std::size_t at = 0;
  std::string* out = nullptr;
  std::array<char, 128> message{};
};

[[noreturn]] void end_with(png_structp png, png_const_charp message) {
  auto& stream = *static_cast<Stream*>(png_get_error_ptr(png));
  std::strncpy(stream.message.data(), message, stream.message.size() - 1);
  png_longjmp(png, 1);
}
void ignore(png_structp, png_const_charp) {}

void take_bytes(png_structp png, png_bytep to, std::size_t count) {
  auto& stream = *static_cast<Stream*>(png_get_io_ptr(png));
  if (count > stream.bytes.size() - stream.at) png_error(png, "the file ends early");
  std::memcpy(to, stream.bytes.data() + stream.at, count);
  stream.at += count;
}
void keep_bytes(png_structp png, png_bytep from, std::size_t count) {
  auto& stream = *static_cast<Stream*>(png_get_io_ptr(png));
  bool kept = true;
  try {
    stream.out->append(reinterpret_cast<const char*>(from), count);
  } catch (...) {
    kept = false;
  }
  if (!kept) png_error(png, "memory ran out");
}
void flush_nothing(png_structp) {}

struct Header {
  png_uint_32 width = 0, height = 0;
  int depth = 8;
  std::size_t channels = 1, bytes_a_line = 0;
};

/// A reader of libpng. Its calls end a function by a jump when the file is damaged, past no object with a
/// destructor.
class PngReader {
 public:
  explicit PngReader(Stream& stream) : stream_(stream) {
    png_ = png_create_read_struct(PNG_LIBPNG_VER_STRING, &stream, end_with, ignore);
    info_ = png_ ? png_create_info_struct(png_) : nullptr;
  }
  PngReader(const PngReader&) = delete;
  PngReader& operator=(const PngReader&) = delete;
  ~PngReader() { png_destroy_read_struct(&png_, &info_, nullptr); }

  bool header(Header& header) {
    if (!info_ || setjmp(png_jmpbuf(png_))) return false;
    png_set_read_fn(png_, &stream_, take_bytes);
    png_read_info(png_, info_);
    png_set_expand(png_);
    passes_ = png_set_interlace_handling(png_);
    png_read_update_info(png_, info_);
    header = {png_get_image_width(png_, info_), png_get_image_height(png_, info_),
              png_get_bit_depth(png_, info_), png_get_channels(png_, info_), png_get_rowbytes(png_, info_)};
    return true;
  }
  bool lines(std::uint8_t* to, const Header& header) {
    if (setjmp(png_jmpbuf(png_))) return false;
    for (int pass = 0; pass < passes_; ++pass)
      for (png_uint_32 i = 0; i < header.height; ++i)
        png_read_row(png_, to + i * header.bytes_a_line, nullptr);
    png_read_end(png_, nullptr);
    return true;
  }

 private:
  Stream& stream_;
  png_structp png_ = nullptr;
  png_infop info_ = nullptr;
  int passes_ = 1;
};

class PngWriter {
 public:
  explicit PngWriter(Stream& stream) : stream_(stream) {
    png_ = png_create_write_struct(PNG_LIBPNG_VER_STRING, &stream, end_with, ignore);
    info_ = png_ ? png_create_info_struct(png_) : nullptr;
  }
  PngWriter(const PngWriter&) = delete;
  PngWriter& operator=(const PngWriter&) = delete;
  ~PngWriter() { png_destroy_write_struct(&png_, &info_); }

  bool write(const std::uint8_t* grey, png_uint_32 width, png_uint_32 height) {
    if (!info_ || setjmp(png_jmpbuf(png_))) return false;
    png_set_write_fn(png_, &stream_, keep_bytes, flush_nothing);
    png_set_IHDR(png_, info_, width, height, 8, PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png_, info_);
    for (png_uint_32 i = 0; i < height; ++i) png_write_row(png_, grey + std::size_t{i} * width);
    png_write_end(png_, nullptr);
    return true;
  }

 private:
  Stream& stream_;
  png_structp png_ = nullptr;
  png_infop info_ = nullptr;
};

[[noreturn]] void fail(const Stream& stream, const std::string& where, const std::string& what) {
  const std::string reason(stream.message.data());
  throw Error(ErrorKind::data, where, what + (reason.empty() ? "" : ": " + reason), "save the picture again");
}

}  // namespace

Pixels decode_png(std::string_view bytes, const std::string& where) {
  Stream stream{bytes};
  PngReader reader(stream);
  Header header;
  if (!reader.header(header)) fail(stream, where, "is not a PNG file that can be read");
  const std::size_t size = header.height * header.bytes_a_line;
  expect_expansion(size, bytes.size(), where, "PNG");
  expect_memory(3.0 * static_cast<double>(size), where, "the picture", "take a smaller one");
  std::vector<std::uint8_t> raw(size);
  if (!reader.lines(raw.data(), header)) fail(stream, where, "is a damaged PNG file");
  Pixels pixels{header.width, header.height, header.channels, header.depth == 16 ? 65535U : 255U, {}};
  if (header.depth != 16) {
    pixels.levels.assign(raw.begin(), raw.end());
    return pixels;
  }
  pixels.levels.resize(size / 2);
  for (std::size_t k = 0; k < pixels.levels.size(); ++k)
    pixels.levels[k] = static_cast<std::uint16_t>(raw[2 * k] << 8U | raw[2 * k + 1]);
  return pixels;
}

std::string encode_png(std::span<const std::uint8_t> grey, std::size_t width, std::size_t height,
                       const std::string& where) {
  std::string bytes;
  Stream stream{{}, 0, &bytes};
  PngWriter writer(stream);
  if (!writer.write(grey.data(), static_cast<png_uint_32>(width), static_cast<png_uint_32>(height)))
    fail(stream, where, "cannot be written as a PNG file");
  return bytes;
}

}  // namespace claros

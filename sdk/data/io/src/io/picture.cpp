// SPDX-License-Identifier: BSD-3-Clause
#include <claros/error.hpp>
#include <claros/io/atomic_file.hpp>
#include <claros/io/picture.hpp>
#include <claros/parameters.hpp>

#include <claros/io/file_limits.hpp>
#include "io/consistency.hpp"
#include "io/file_kind.hpp"
#include "io/png_file.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <iterator>

namespace claros {
namespace {

std::string whole_file(const std::filesystem::path& path) {
  std::ifstream in = open_regular_file(path);
  expect_memory(static_cast<double>(std::filesystem::file_size(path)), path.string(), "the file",
                "take a smaller picture");
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string ending(const std::filesystem::path& path) {
  std::string text = path.extension().string();
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

/// The header of a PGM file, then its levels. (Netpbm, "PGM Format Specification": a comment goes from # to
/// the end of its line.)
class PgmReader {
 public:
  PgmReader(std::string_view bytes, std::string where) : bytes_(bytes), where_(std::move(where)) {}

  Pixels read() {
    const bool text = bytes_[1] == '2';
    at_ = 2;
    Pixels pixels;
    pixels.width = number("the width", kMostSide);
    pixels.height = number("the height", kMostSide);
    pixels.largest = static_cast<unsigned>(number("the largest level", 65535));
    const std::size_t size = pixels.width * pixels.height;
    if (size == 0 || pixels.largest == 0) fail("has no pixels or no levels", "save the picture again");
    const std::size_t width = pixels.largest > 255 ? 2 : 1, left = bytes_.size() - at_;
    if (left < (text ? 2 * size : width * size + 1))
      fail("ends before its " + std::to_string(size) + " pixels", "save the picture again");
    pixels.levels.resize(size);
    if (text)
      for (auto& level : pixels.levels) level = static_cast<std::uint16_t>(number("a level", pixels.largest));
    else
      take_binary(pixels, width);
    return pixels;
  }

 private:
  static constexpr std::size_t kMostSide = 1U << 20U;

  [[noreturn]] void fail(const std::string& what, const std::string& remedy) const {
    throw Error(ErrorKind::data, where_, what, remedy);
  }
  static bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
  void skip_blanks() {
    for (; at_ < bytes_.size() && (is_blank(bytes_[at_]) || bytes_[at_] == '#'); ++at_)
      if (bytes_[at_] == '#') at_ = std::min(bytes_.find('\n', at_), bytes_.size() - 1);
  }
  std::size_t number(const std::string& what, std::size_t most) {
    skip_blanks();
    std::size_t value = 0, digits = 0;
    for (; at_ < bytes_.size() && bytes_[at_] >= '0' && bytes_[at_] <= '9' && value <= most; ++at_, ++digits)
      value = 10 * value + static_cast<std::size_t>(bytes_[at_] - '0');
    if (digits == 0 || value > most)
      fail(what + " at byte " + std::to_string(at_) + " is not a whole number up to " + std::to_string(most),
           "save the picture again");
    return value;
  }
  void take_binary(Pixels& pixels, std::size_t width) {
    ++at_;  // one blank
    for (std::uint16_t& level : pixels.levels) {
      unsigned value = 0;
      for (std::size_t k = 0; k < width; ++k) value = value << 8U | static_cast<unsigned char>(bytes_[at_++]);
      if (value > pixels.largest)
        fail("has a level of " + std::to_string(value) + ", above its largest, " +
                 std::to_string(pixels.largest),
             "save the picture again");
      level = static_cast<std::uint16_t>(value);
    }
  }

  std::string_view bytes_;
  std::string where_;
  std::size_t at_ = 0;
};

double grey(const Pixels& pixels, std::size_t pixel) {
  const std::uint16_t* level = pixels.levels.data() + pixel * pixels.channels;
  if (pixels.channels < 3) return level[0];
  return 0.299 * level[0] + 0.587 * level[1] + 0.114 * level[2];
}

DenseTable matrix_of(const Pixels& pixels) {
  DenseTable table{static_cast<Index>(pixels.height), static_cast<Index>(pixels.width), {}};
  table.values.resize(pixels.width * pixels.height);
  for (std::size_t i = 0; i < pixels.height; ++i)
    for (std::size_t j = 0; j < pixels.width; ++j)
      table.values[j * pixels.height + i] = grey(pixels, i * pixels.width + j) / pixels.largest;
  return table;
}

}  // namespace

bool names_picture(const std::filesystem::path& path) {
  const std::string text = ending(path);
  return text == ".png" || text == ".pgm";
}

DenseTable read_picture(const std::filesystem::path& path, const Context& context) {
  const std::string where = path.string(), bytes = whole_file(path);
  if (!is_pgm(bytes) && !is_png(bytes)) {
    const std::string kind = binary_kind(bytes);
    throw Error(ErrorKind::data, where, "is not a picture" + (kind.empty() ? "" : " but " + kind),
                "give a PGM or PNG file");
  }
  return within_memory(where, [&] {
    const Pixels pixels = is_png(bytes) ? decode_png(bytes, where) : PgmReader(bytes, where).read();
    if (pixels.channels > 2)
      context.note(where + " is in colour: of a pixel the luma 0.299 R + 0.587 G + 0.114 B is taken");
    return matrix_of(pixels);
  });
}

Index write_picture(const std::filesystem::path& path, const DenseTable& table, const GreyRange& range) {
  expect_consistent(table, path.string());
  if (!names_picture(path))
    throw Error(ErrorKind::usage, path.string(), "is neither .png nor .pgm",
                "give the picture one of these endings");
  const double width = range.white - range.black;
  if (!std::isfinite(width) || width == 0.0)
    throw Error(ErrorKind::usage, "range",
                print_real(range.black) + " is black and " + print_real(range.white) +
                    " is white; expected two different numbers",
                "give a range such as 0..1");
  const auto rows = static_cast<std::size_t>(table.rows), cols = static_cast<std::size_t>(table.cols);
  std::vector<std::uint8_t> levels(rows * cols);
  Index beyond = 0;
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < cols; ++j) {
      const double level = 255.0 * (table.values[j * rows + i] - range.black) / width;
      beyond += level < -0.5 || level > 255.5;
      levels[i * cols + j] = static_cast<std::uint8_t>(std::lround(std::clamp(level, 0.0, 255.0)));
    }
  if (ending(path) == ".png") {
    write_atomically(path, encode_png(levels, cols, rows, path.string()));
    return beyond;
  }
  std::string bytes = "P5\n" + std::to_string(cols) + ' ' + std::to_string(rows) + "\n255\n";
  bytes.append(reinterpret_cast<const char*>(levels.data()), levels.size());
  write_atomically(path, bytes);
  return beyond;
}

}  // namespace claros

// SPDX-License-Identifier: BSD-3-Clause
// PNG files of every kind of pixel, written anew byte by byte: depths below 8 bits, palettes, colours, alpha,
// a transparent level, and the seven passes of an interlaced file.
#include <claros/io/picture.hpp>

#include "test_files.hpp"

#include <array>
#include <cstdint>

namespace claros::test::png_kinds {

namespace {

using Bytes = std::string;
enum Kind : unsigned { grey = 0, colour = 2, palette = 3, grey_alpha = 4, colour_alpha = 6 };

void put_number(Bytes& to, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) to += static_cast<char>(value >> static_cast<unsigned>(shift));
}

void put_chunk(Bytes& to, const Bytes& type, const Bytes& data) {
  std::uint32_t crc = 0xFFFFFFFFU;
  for (const char c : type + data) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) crc = (crc & 1U) ? 0xEDB88320U ^ (crc >> 1U) : crc >> 1U;
  }
  put_number(to, static_cast<std::uint32_t>(data.size()));
  to += type + data;
  put_number(to, ~crc);
}

/// A zlib stream of one block that is stored as it is.
Bytes stored(const Bytes& data) {
  const auto size = static_cast<std::uint16_t>(data.size()), other = static_cast<std::uint16_t>(~size);
  Bytes made{'\x78', '\x01', '\x01'};
  for (const std::uint16_t number : {size, other})
    made += static_cast<char>(number & 0xFFU), made += static_cast<char>(number >> 8U);
  std::uint32_t a = 1, b = 0;
  for (const char c : data) a = (a + static_cast<unsigned char>(c)) % 65521U, b = (b + a) % 65521U;
  made += data;
  put_number(made, b << 16U | a);
  return made;
}

/// Samples of a picture, channel by channel of one pixel after the other, row by row.
struct Samples {
  unsigned kind, depth;
  std::size_t width, height, channels;
  std::vector<unsigned> level;

  Samples(unsigned of_kind, unsigned of_depth, std::size_t w, std::size_t h)
      : kind(of_kind),
        depth(of_depth),
        width(w),
        height(h),
        channels(of_kind == colour         ? 3
                 : of_kind == colour_alpha ? 4
                 : of_kind == grey_alpha   ? 2
                                           : 1) {
    unsigned number = 12345;
    for (std::size_t k = 0; k < width * height * channels; ++k) {
      number = 1664525U * number + 1013904223U;
      level.push_back((number >> 12U) & ((1U << depth) - 1U));
    }
  }
  /// The lines of the pixels (x0 + k dx, y0 + l dy), each behind the number of its filter, none.
  Bytes lines(std::size_t x0, std::size_t y0, std::size_t dx, std::size_t dy) const {
    Bytes made;
    for (std::size_t y = y0; y < height && x0 < width; y += dy) {
      made += '\0';
      unsigned held = 0, bits = 0;
      for (std::size_t x = x0; x < width; x += dx)
        for (std::size_t c = 0; c < channels; ++c) {
          const unsigned one = level[(y * width + x) * channels + c];
          if (depth == 16) made += static_cast<char>(one >> 8U), made += static_cast<char>(one & 0xFFU);
          if (depth == 16) continue;
          held = held << depth | one, bits += depth;
          if (bits == 8) made += static_cast<char>(held), held = bits = 0;
        }
      if (bits > 0) made += static_cast<char>(held << (8U - bits));
    }
    return made;
  }
};

/// Colour k of the palettes.
std::array<unsigned, 3> entry(unsigned k) {
  return {(37 * k + 5) % 256, (91 * k + 200) % 256, (11 * k) % 256};
}

Bytes file_of(const Samples& s, bool interlaced, bool transparent) {
  Bytes head, made = "\x89PNG\r\n\x1a\n";
  put_number(head, static_cast<std::uint32_t>(s.width)),
      put_number(head, static_cast<std::uint32_t>(s.height));
  for (const unsigned one : {s.depth, s.kind, 0U, 0U, interlaced ? 1U : 0U}) head += static_cast<char>(one);
  put_chunk(made, "IHDR", head);
  if (s.kind == palette) {
    Bytes colours;
    for (unsigned k = 0; k < 1U << s.depth; ++k)
      for (const unsigned one : entry(k)) colours += static_cast<char>(one);
    put_chunk(made, "PLTE", colours);
  }
  if (transparent) put_chunk(made, "tRNS", s.kind == palette ? Bytes("\x10\x80", 2) : Bytes("\0\1", 2));
  Bytes data;
  constexpr std::size_t kPasses[7][4] = {{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4},
                                         {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}};
  if (interlaced)
    for (const auto& [x, y, dx, dy] : kPasses) data += s.lines(x, y, dx, dy);
  else
    data = s.lines(0, 0, 1, 1);
  put_chunk(made, "IDAT", stored(data));
  put_chunk(made, "IEND", "");
  return made;
}

/// The grey of pixel k: its level, or 0.299 R + 0.587 G + 0.114 B, over the largest.
double grey_of(const Samples& s, std::size_t k) {
  const double largest = s.kind == palette ? 255.0 : static_cast<double>((1U << s.depth) - 1U);
  const unsigned* level = s.level.data() + k * s.channels;
  if (s.kind == grey || s.kind == grey_alpha) return level[0] / largest;
  const std::array<unsigned, 3> of =
      s.kind == palette ? entry(level[0]) : std::array<unsigned, 3>{level[0], level[1], level[2]};
  return (0.299 * of[0] + 0.587 * of[1] + 0.114 * of[2]) / largest;
}

}  // namespace

TEST_CASE("pictures: PNG of every kind of pixel and depth, interlaced or not, is its grey levels") {
  struct Of {
    unsigned kind;
    std::vector<unsigned> depths;
  };
  const TestFolder folder;
  for (const Of& of : {Of{grey, {1, 2, 4, 8, 16}}, Of{colour, {8, 16}}, Of{palette, {1, 2, 4, 8}},
                       Of{grey_alpha, {8, 16}}, Of{colour_alpha, {8, 16}}})
    for (const unsigned depth : of.depths)
      for (const bool interlaced : {false, true})
        for (const bool transparent : {false, true}) {
          if (transparent && of.kind != grey && of.kind != palette) continue;
          CAPTURE(of.kind);
          CAPTURE(depth);
          CAPTURE(interlaced);
          CAPTURE(transparent);
          for (const auto& [width, height] : {std::pair<std::size_t, std::size_t>{11, 9}, {3, 2}, {1, 5}}) {
            const Samples samples(of.kind, depth, width, height);
            bool told = false;
            Context context;
            context.messages = [&](Severity, const std::string& text) {
              told = told || text.find("in colour") != text.npos;
            };
            const DenseTable table =
                read_picture(folder.put("a.png", file_of(samples, interlaced, transparent)), context);
            REQUIRE(table.rows == static_cast<Index>(height));
            REQUIRE(table.cols == static_cast<Index>(width));
            CHECK(told == (of.kind != grey && of.kind != grey_alpha));
            for (std::size_t i = 0; i < height; ++i)
              for (std::size_t j = 0; j < width; ++j)
                CHECK(table.values[j * height + i] ==
                      doctest::Approx(grey_of(samples, i * width + j)).epsilon(1e-12));
          }
        }
}

TEST_CASE("pictures: comments and blanks may stand anywhere before the levels of a PGM file") {
  const TestFolder folder;
  const auto levels = [&](const std::string& bytes) {
    return read_picture(folder.put("a.pgm", bytes)).values;
  };
  const std::vector<double> two{65.0 / 200.0, 66.0 / 200.0};
  CHECK(levels("P5 2 1 200\nAB") == two);
  CHECK(levels("P5#a\n2#b 9\n#c\n\t1 #d\n200 AB") == two);
  CHECK(levels("P2\n2 # wide\n1\n200\n# levels\n65\n66") == two);
  // The one blank before binary levels is a part of no level, and a # behind it is a level.
  CHECK(levels("P5 2 1 200\n#B") == std::vector<double>{35.0 / 200.0, 66.0 / 200.0});
  CHECK(levels(std::string("P5 2 1 256 \1\0\0\7", 15)) == std::vector<double>{1.0, 7.0 / 256.0});
  CHECK(levels(std::string("P5 2 1 255 \1\7", 13)) == std::vector<double>{1.0 / 255.0, 7.0 / 255.0});
}

TEST_CASE(
    "pictures: a level is half a step from where it becomes the next, and beyond the range from there") {
  const TestFolder folder;
  const auto step = [](double levels) { return levels / 255.0; };
  const DenseTable table{2, 3, {step(-0.49), step(-0.51), step(255.49), step(255.51), step(7.4), step(7.6)}};
  for (const char* name : {"a.png", "a.pgm"}) {
    CHECK(write_picture(folder / name, table) == 2);
    const std::vector<double> read = read_picture(folder / name).values;
    CHECK(read == std::vector<double>{0.0, 0.0, 1.0, 1.0, step(7.0), step(8.0)});
  }
}

}  // namespace claros::test::png_kinds

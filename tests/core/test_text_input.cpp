// SPDX-License-Identifier: BSD-3-Clause
#include <claros/io/text_input.hpp>

#include "few_descriptors.hpp"
#include "test_files.hpp"

#include <boost/iostreams/device/back_inserter.hpp>
#include <boost/iostreams/filter/bzip2.hpp>
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filter/lzma.hpp>
#include <boost/iostreams/filter/zstd.hpp>
#include <boost/iostreams/filtering_stream.hpp>

#include <sys/stat.h>

#include <vector>

using namespace claros;
namespace io = boost::iostreams;

namespace {

std::vector<std::string> lines_of(const std::filesystem::path& path) {
  TextInput input(path);
  std::vector<std::string> lines;
  std::string_view line;
  while (input.next(line)) {
    lines.emplace_back(line);
    CHECK(input.line() == static_cast<Index>(lines.size()));
  }
  return lines;
}

template <class Compressor>
std::string compressed(const Compressor& compressor, const std::string& text) {
  std::string bytes;
  io::filtering_ostream out;
  out.push(compressor);
  out.push(io::back_inserter(bytes));
  out << text;
  io::close(out);
  return bytes;
}

std::string numbers_up_to(int n) {
  std::string text;
  for (int i = 1; i <= n; ++i) text += std::to_string(i) + "\n";
  return text;
}

std::string flipped_in_the_middle(std::string bytes) {
  for (std::size_t i = bytes.size() / 2; i < bytes.size() / 2 + 8; ++i)
    bytes[i] = static_cast<char>(bytes[i] ^ 0x5A);
  return bytes;
}

/// Whole, twice in a row (as parallel compressors write), cut, and changed.
void check_compression(const std::string& bytes, const std::string& changed, const std::string& text,
                       const char* name) {
  INFO(std::string(name));
  const TestFolder folder;
  const std::vector<std::string> expected = lines_of(folder.put("plain", text));
  const std::vector<std::string> found = lines_of(folder.put("no extension", bytes));
  CHECK(found == expected);
  CHECK(lines_of(folder.put("two", bytes + bytes)).size() == 2 * expected.size());
  for (const std::size_t kept : {bytes.size() - 1, bytes.size() - 5, bytes.size() / 2, std::size_t{12}}) {
    CAPTURE(kept);
    const auto cut = folder.put("cut", bytes.substr(0, kept));
    check_mentions(complaint([&] { lines_of(cut); }), {"cut", name, "truncated"});
  }
  const auto path = folder.put("changed", changed);
  check_mentions(complaint([&] { lines_of(path); }), {"changed", name, "corrupt"});
}

}  // namespace

TEST_CASE("text input: lines, their ends and their numbers") {
  const TestFolder folder;
  using Lines = std::vector<std::string>;
  CHECK(lines_of(folder.put("a b#c", "one\ntwo\n")) == Lines{"one", "two"});
  CHECK(lines_of(folder.put("open", "one\n\ntwo")) == Lines{"one", "", "two"});
  CHECK(lines_of(folder.put("crlf", "one\r\ntwo\r\n")) == Lines{"one", "two"});
  CHECK(lines_of(folder.put("mark", "\xEF\xBB\xBFone\n")) == Lines{"one"});
  CHECK(lines_of(folder.put("latin", "caf\xE9\tx\n")) == Lines{"caf\xE9\tx"});
}

TEST_CASE("text input: a file is read whole or refused, however few descriptors are left" *
          doctest::skip(kTypesAreChecked)) {
  const TestFolder folder;
  const std::string text = "one\ntwo\n";
  const auto plain = folder.put("plain", text),
             packed = folder.put("packed", compressed(io::gzip_compressor(), text));
  int refused = 0;
  for (std::size_t left = 0; left < 4; ++left)
    for (const auto& path : {plain, packed}) {
      CAPTURE(left);
      CAPTURE(path);
      std::vector<std::string> lines;
      std::string said;
      {
        const FewDescriptors few(left);
        try {
          lines = lines_of(path);
        } catch (const Error& error) {
          said = error.what();
        }
      }
      refused += said.empty() ? 0 : 1;
      if (said.empty())
        CHECK(lines == std::vector<std::string>{"one", "two"});
      else
        check_mentions(said, {path == plain ? "plain" : "packed", "Too many open files", "ulimit -n"});
    }
  CHECK(refused >= 2);
}

TEST_CASE("text input: a line longer than a block, and one that ends with it") {
  const TestFolder folder;
  const std::string huge(3 << 20, 'x'), exact((1 << 20) - 1, 'y');
  const std::vector<std::string> lines = lines_of(folder.put("long", exact + "\n" + huge + "\nend\n"));
  CHECK(lines == std::vector<std::string>{exact, huge, "end"});
}

TEST_CASE("text input: unread and blank lines") {
  const TestFolder folder;
  TextInput input(folder.put("f", "one\n \t\n\ntwo\n"));
  std::string_view line;
  REQUIRE(input.next(line));
  input.unread();
  REQUIRE(input.next(line));
  CHECK(line == "one");
  CHECK(input.line() == 1);
  REQUIRE(input.next_filled(line));
  CHECK(line == "two");
  CHECK(input.line() == 4);
  CHECK_FALSE(input.next(line));
}

TEST_CASE("text input: what is not text is refused") {
  const TestFolder folder;
  check_mentions(complaint([&] { lines_of(folder / "absent"); }), {"absent: no such file"});
  check_mentions(complaint([&] { lines_of(folder.path()); }), {"is a directory"});
  check_mentions(complaint([&] { lines_of(folder.put("empty", "")); }), {"empty: the file is empty"});
  check_mentions(complaint([&] { lines_of(folder.put("nul", std::string("1\n2\0 3\n", 7))); }),
                 {"nul:2: byte 0x00 in column 2", "binary"});
  check_mentions(complaint([&] { lines_of(folder.put("bell", "1\n\n\a\n")); }),
                 {"bell:3: byte 0x07 in column 1"});
  check_mentions(complaint([&] { lines_of(folder.put("mac", "1\r2\r")); }), {"mac:1: byte 0x0d in column 2"});
  REQUIRE(::mkfifo((folder / "pipe").c_str(), 0600) == 0);
  check_mentions(complaint([&] { lines_of(folder / "pipe"); }), {"not a regular file"});
}

TEST_CASE(
    "text input: texts with two or four bytes a character are named, with the command that converts them") {
  const auto wide = [](std::size_t size, bool little, const std::string& mark, const std::string& text) {
    std::string bytes = mark;
    for (const char c : text) {
      std::string one(size, '\0');
      one[little ? 0 : size - 1] = c;
      bytes += one;
    }
    return bytes;
  };
  const std::string text = "a,b,y\r\n1,2,3\n";
  const TestFolder folder;
  for (const auto& [bytes, name] : {std::pair{wide(2, true, "\xFF\xFE", text), "UTF-16"},
                                    {wide(2, false, "\xFE\xFF", text), "UTF-16"},
                                    {wide(2, true, "", text), "UTF-16LE"},
                                    {wide(2, false, "", text), "UTF-16BE"},
                                    {wide(4, true, std::string("\xFF\xFE\0\0", 4), text), "UTF-32"},
                                    {wide(4, false, std::string("\0\0\xFE\xFF", 4), text), "UTF-32"}}) {
    CAPTURE(name);
    const std::string what = std::string("wide: is ") + name + " text",
                      remedy = std::string("iconv -f ") + name + " -t UTF-8";
    check_mentions(complaint([&] { lines_of(folder.put("wide", bytes)); }), {what.c_str(), remedy.c_str()});
  }
  CHECK(lines_of(folder.put("short", "ab")) == lines_of(folder.put("again", "ab\n")));
}

TEST_CASE("text input: compressed files") {
  const std::string text = numbers_up_to(250000);
  const std::string gzip = compressed(io::gzip_compressor(), text),
                    bzip2 = compressed(io::bzip2_compressor(), text);
  const std::string xz = compressed(io::lzma_compressor(), text),
                    zstd = compressed(io::zstd_compressor(), text);
  check_compression(gzip, flipped_in_the_middle(gzip), text, "gzip");
  check_compression(bzip2, flipped_in_the_middle(bzip2), text, "bzip2");
  check_compression(xz, flipped_in_the_middle(xz), text, "xz");
  // Without the checksum, which Boost does not write, only the structure can be seen to be wrong: a reserved
  // block type.
  std::string reserved = zstd;
  REQUIRE((reserved[4] & 0xE3) == 0);
  reserved[6] = static_cast<char>(reserved[6] | 6);
  check_compression(zstd, reserved, text, "zstd");
}

TEST_CASE("text input: zstd frames of other kinds are whole") {
  const TestFolder folder;
  const std::string skippable("\x50\x2A\x4D\x18\x03\x00\x00\x00xyz", 11),
      raw("\x28\xB5\x2F\xFD\x20\x02\x11\x00\x00"
          "7\n",
          11);
  const std::string repeated(
      "\x28\xB5\x2F\xFD\x20\x05\x2B\x00\x00"
      "8",
      10);
  CHECK(lines_of(folder.put("frames", raw + skippable + repeated)) == std::vector<std::string>{"7", "88888"});
  check_mentions(complaint([&] { lines_of(folder.put("cut", raw + skippable.substr(0, 9))); }),
                 {"truncated"});
  check_mentions(complaint([&] { lines_of(folder.put("junk", raw + "not a frame")); }), {"junk:", "corrupt"});
}

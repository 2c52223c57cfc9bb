// SPDX-License-Identifier: BSD-3-Clause
#include "io/numpy_array.hpp"
#include "io/holes.hpp"

#include <claros/io/file_limits.hpp>
#include "io/file_kind.hpp"

#include <claros/error.hpp>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <memory>

namespace claros {
namespace {

constexpr std::size_t kPiece = 1 << 13;
constexpr std::size_t kLongestHeader = 1 << 20;

/// The value of `key` in the dictionary, as it stands there; empty when there is none. Values are strings,
/// words and tuples of integers; a list (a structure) is cut at its first comma, which is enough to refuse
/// it.
std::string value_of(const std::string& header, const std::string& key) {
  auto at = header.find("'" + key + "'");
  if (at == header.npos) return {};
  at = header.find(':', at);
  if (at == header.npos) return {};
  at = header.find_first_not_of(" \t", at + 1);
  if (at == header.npos) return {};
  const auto end = header[at] == '(' ? header.find(')', at) : header.find_first_of(",}", at);
  return end == header.npos ? std::string() : header.substr(at, end - at);
}

/// Elements of type `From` to doubles.
template <class From>
void convert(const char* bytes, bool swapped, std::span<double> out) {
  for (double& value : out) {
    char raw[sizeof(From)];
    std::memcpy(raw, bytes, sizeof raw);
    if (swapped) std::reverse(std::begin(raw), std::end(raw));
    From number;
    std::memcpy(&number, raw, sizeof number);
    value = static_cast<double>(number);
    bytes += sizeof(From);
  }
}

using Convert = void (*)(const char*, bool, std::span<double>);

Convert converter(char kind, std::size_t width) {
  switch (kind) {
    case 'f':
      return width == 8 ? convert<double> : width == 4 ? convert<float> : nullptr;
    case 'b':
      return width == 1 ? convert<std::uint8_t> : nullptr;
    case 'i':
      return width == 8   ? convert<std::int64_t>
             : width == 4 ? convert<std::int32_t>
             : width == 2 ? convert<std::int16_t>
             : width == 1 ? convert<std::int8_t>
                          : nullptr;
    case 'u':
      return width == 8   ? convert<std::uint64_t>
             : width == 4 ? convert<std::uint32_t>
             : width == 2 ? convert<std::uint16_t>
             : width == 1 ? convert<std::uint8_t>
                          : nullptr;
    default:
      return nullptr;
  }
}

}  // namespace

NumpyArray::NumpyArray(Source source, std::uint64_t bytes, std::string where)
    : source_(std::move(source)), where_(std::move(where)) {
  read_header(bytes);
}

void NumpyArray::fail(const std::string& what, const std::string& remedy) const {
  throw Error(ErrorKind::data, where_, what, remedy);
}

void NumpyArray::read(char* to, std::size_t size) {
  if (source_(to, size) != size) fail("the array is cut short", "is the file truncated?");
}

void NumpyArray::finish() {
  char more = 0;
  if (source_(&more, 1) != 0) fail("bytes follow the array", "write the file again");
}

void NumpyArray::read_header(std::uint64_t bytes) {
  unsigned char head[12] = {};
  read(reinterpret_cast<char*>(head), 8);
  if (!is_npy({reinterpret_cast<const char*>(head), 6}))
    fail("is not a NumPy array: it does not begin with \\x93NUMPY", "write it by numpy.save or numpy.savez");
  const unsigned version = head[6];
  if (version < 1 || version > 3)
    fail("the format has version " + std::to_string(version) + "; expected 1 to 3", "write the file again");
  const std::size_t wide = version == 1 ? 2 : 4;
  read(reinterpret_cast<char*>(head) + 8, wide);
  std::size_t length = 0;
  for (std::size_t i = 0; i < wide; ++i) length |= static_cast<std::size_t>(head[8 + i]) << (8 * i);
  if (length > kLongestHeader || length > bytes)
    fail("the header is said to take " + std::to_string(length) + " bytes", "is the file damaged?");
  std::string header(length, '\0');
  read(header.data(), length);
  read_type(value_of(header, "descr"));
  const std::string order = value_of(header, "fortran_order");
  if (order != "True" && order != "False")
    fail("the header does not say fortran_order: True or False", "write it by numpy.save");
  column_major_ = order == "True";
  read_sizes(value_of(header, "shape"));
  start_ = 8 + wide + length;
  const double expected =
      static_cast<double>(count_) * static_cast<double>(width_) + static_cast<double>(start_);
  if (expected != static_cast<double>(bytes))
    fail("an array of " + sizes_text() + " of " + std::to_string(width_) + " bytes each takes " +
             print_real(expected) + " bytes with its header; found " + print_real(static_cast<double>(bytes)),
         "is the file truncated, or appended to?");
}

std::string NumpyArray::obstacle() const {
  if (kind_ != 'f') return "its numbers are not floats";
  if (swapped_) return "its numbers are in the byte order of another machine";
  return column_major_ ? "it stands column by column (fortran_order)" : "";
}

void NumpyArray::read_type(const std::string& descr) {
  if (descr.find('O') != descr.npos)
    fail("the array holds Python objects, which only Python can read (reading them runs code)",
         "save an array of numbers: numpy.save(file, a.astype(float), allow_pickle=False)");
  const bool quoted = descr.size() >= 5 && descr.front() == '\'' && descr.back() == '\'';
  const char order = quoted ? descr[1] : ' ';
  kind_ = quoted ? descr[2] : ' ';
  const char* end = descr.data() + descr.size() - 1;
  const bool number = quoted && std::from_chars(descr.data() + 3, end, width_).ptr == end;
  const bool is_string = kind_ == 'S' || kind_ == 'U';
  if (!number || (order != '<' && order != '>' && order != '|' && order != '=') ||
      (!is_string && !converter(kind_, width_)) || (is_string && (width_ < 1 || width_ > 4096)))
    fail("the array's type is " + (descr.empty() ? "not given" : descr.substr(0, 40)) +
             "; expected floats of 4 or 8 bytes, integers or booleans",
         "convert it: a.astype('float64')");
  if (kind_ == 'U') width_ *= 4;
  swapped_ = width_ > 1 && order == (std::endian::native == std::endian::little ? '>' : '<');
}

void NumpyArray::read_sizes(const std::string& shape) {
  const auto wrong = [&] {
    fail("the shape " + shape.substr(0, 60) + ") is none", "write it by numpy.save");
  };
  if (!shape.starts_with('(')) wrong();
  const char *at = shape.data() + 1, *end = shape.data() + shape.size();
  while (at != end) {
    if (*at == ' ' || *at == ',') {
      ++at;
      continue;
    }
    Index size = 0;
    const auto [next, code] = std::from_chars(at, end, size);
    if (code != std::errc{} || size < 0 || sizes_.size() == 32 ||
        __builtin_mul_overflow(count_, size, &count_) || count_ > std::numeric_limits<Index>::max() / 64)
      wrong();
    sizes_.push_back(size);
    at = next;
  }
}

std::string NumpyArray::sizes_text() const {
  std::string result;
  for (const Index size : sizes_) result += (result.empty() ? "" : " x ") + std::to_string(size);
  return result.empty() ? "a single number" : result;
}

void NumpyArray::expect_numbers() const {
  if (!converter(kind_, width_)) fail("the array holds text; expected numbers", "save an array of numbers");
}

void NumpyArray::expect_room() const {
  expect_memory(8.0 * static_cast<double>(count_), where_, "the array of " + sizes_text() + " as doubles",
                kSmallerData);
}

void NumpyArray::each_piece(const std::function<void(std::span<const double>)>& take) {
  expect_numbers();
  const Convert convert = converter(kind_, width_);
  std::vector<char> bytes(kPiece * width_);
  std::vector<double> piece(kPiece);
  for (Index at = 0; at < count_;) {
    const auto now = std::min(kPiece, static_cast<std::size_t>(count_ - at));
    read(bytes.data(), now * width_);
    convert(bytes.data(), swapped_, std::span(piece).first(now));
    take(std::span<const double>(piece).first(now));
    at += static_cast<Index>(now);
  }
  finish();
}

void NumpyArray::expect_table() const {
  if (sizes_.size() > 2 || sizes_.empty())
    fail("the array is " + sizes_text() + "; expected one or two dimensions",
         "reshape it before it is saved");
}

std::vector<double> NumpyArray::numbers() {
  if (sizes_.size() != 1)
    fail("the array is " + sizes_text() + "; expected one dimension", "give it by a.ravel()");
  expect_room();
  std::vector<double> all;
  all.reserve(static_cast<std::size_t>(count_));
  each_piece([&](std::span<const double> piece) { all.insert(all.end(), piece.begin(), piece.end()); });
  return all;
}

std::vector<Index> NumpyArray::integers(Index low, Index high) {
  std::vector<Index> all;
  for (const double value : numbers()) {
    if (!(value >= static_cast<double>(low) && value <= static_cast<double>(high)) ||
        value != std::floor(value))
      fail("number " + std::to_string(all.size() + 1) + " is " +
               (std::isfinite(value) ? print_real(value) : "not finite") + "; expected an integer from " +
               std::to_string(low) + " to " + std::to_string(high),
           "are indices counted from 0?");
    all.push_back(static_cast<Index>(value));
  }
  return all;
}

std::string NumpyArray::text() {
  if (count_ != 1 || (kind_ != 'S' && kind_ != 'U'))
    fail("is not a single text", "write the archive by scipy.sparse.save_npz");
  std::string raw(width_, '\0');
  read(raw.data(), raw.size());
  finish();
  // Only ASCII letters are compared; without its zero bytes a text of 4 bytes a letter has these.
  std::erase(raw, '\0');
  return raw;
}

NumpyArray open_npy(const std::filesystem::path& path) {
  const auto in = std::make_shared<std::ifstream>(open_regular_file(path));
  return {[in](char* to, std::size_t size) {
            in->read(to, static_cast<std::streamsize>(size));
            return static_cast<std::size_t>(in->gcount());
          },
          std::filesystem::file_size(path), path.string()};
}

DenseTable table_of(NumpyArray array) { return table_of(std::move(array), Holes::refuse); }

DenseTable table_of(NumpyArray array, Holes holes) {
  const auto& sizes = array.sizes();
  DenseTable table{sizes.empty() ? 1 : sizes[0], sizes.size() == 2 ? sizes[1] : 1, {}};
  if (array.count() == 0)
    array.fail("the array is " + array.sizes_text() + ": it holds no numbers", "save numbers");
  array.expect_room();
  table.values.resize(static_cast<std::size_t>(array.count()));
  array.each([&](Index i, Index j, double value) {
    if (!std::isfinite(value) && !(holes == Holes::keep && std::isnan(value)))
      array.fail("the number in row " + std::to_string(i + 1) + ", column " + std::to_string(j + 1) +
                     " is not finite",
                 "fix the data");
    table.values[static_cast<std::size_t>(i + j * table.rows)] = value;
  });
  return table;
}

}  // namespace claros

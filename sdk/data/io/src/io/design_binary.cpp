// SPDX-License-Identifier: BSD-3-Clause
// Designs as raw binary with a header; the layout stands in design_io.hpp.
#include "io/design_formats.hpp"
#include "io/file_kind.hpp"

#include <claros/error.hpp>
#include <claros/io/atomic_file.hpp>
#include <claros/regular_file.hpp>

#include <algorithm>
#include <fstream>

namespace claros {
namespace {

constexpr std::string_view kMagic = "CLAROSDM";
constexpr std::uint32_t kVersion = 1, kOrder = 0x01020304, kOtherOrder = 0x04030201;

struct Header {
  char magic[8];
  std::uint32_t version, order, width, has_response;
  std::int64_t rows, cols;
  char reserved[24];
};
static_assert(sizeof(Header) == 64);

template <class T>
void swap_bytes(T& value) {
  auto* bytes = reinterpret_cast<unsigned char*>(&value);
  std::reverse(bytes, bytes + sizeof(T));
}

class BinaryReader {
 public:
  explicit BinaryReader(const std::filesystem::path& path) : path_(path), in_(open_regular_file(path)) {
    in_.read(reinterpret_cast<char*>(&header_), sizeof header_);
    if (in_.gcount() != sizeof header_) fail("the header is cut short", "is the file truncated?");
    swapped_ = header_.order == kOtherOrder;
    if (!swapped_ && header_.order != kOrder)
      fail("the mark of the byte order is neither way round", "write the file again");
    if (swapped_) swap_header();
    check();
  }
  const Header& header() const { return header_; }
  design_formats::RowsInFile rows() const {
    return {sizeof(Header) + 8 * static_cast<std::uint64_t>(header_.has_response) *
                                 static_cast<std::uint64_t>(header_.rows),
            header_.rows, header_.cols, header_.width == 4,
            swapped_ ? "its numbers are in the byte order of another machine" : ""};
  }

  template <class T>
  void read(std::span<T> out) {
    in_.read(reinterpret_cast<char*>(out.data()), static_cast<std::streamsize>(out.size_bytes()));
    if (in_.gcount() != static_cast<std::streamsize>(out.size_bytes()))
      fail("reading failed before the end", "is the disk sound?");
    if (swapped_) std::for_each(out.begin(), out.end(), swap_bytes<T>);
  }

 private:
  void swap_header() {
    for (std::uint32_t* field : {&header_.version, &header_.order, &header_.width, &header_.has_response})
      swap_bytes(*field);
    swap_bytes(header_.rows);
    swap_bytes(header_.cols);
  }
  void check() {
    if (header_.version != kVersion)
      fail("the format has version " + std::to_string(header_.version) + "; expected " +
               std::to_string(kVersion),
           "write the file again");
    if ((header_.width != 4 && header_.width != 8) || header_.has_response > 1 || header_.rows < 1 ||
        header_.cols < 1)
      fail("the header says " + std::to_string(header_.rows) + " x " + std::to_string(header_.cols) +
               " numbers of " + std::to_string(header_.width) + " bytes, response " +
               std::to_string(header_.has_response),
           "expected positive sizes, 4 or 8 bytes, response 0 or 1");
    const auto rows = static_cast<double>(header_.rows), cols = static_cast<double>(header_.cols);
    const double expected = sizeof(Header) + rows * (8.0 * header_.has_response + cols * header_.width);
    const auto size = static_cast<double>(std::filesystem::file_size(path_));
    if (size != expected)
      fail("the file has " + print_real(size) + " bytes; by its header " + std::to_string(header_.rows) +
               " x " + std::to_string(header_.cols) + " it should have " + print_real(expected),
           size < expected ? "the file is truncated: fetch or write it again"
                           : "the file was appended to: write it again");
  }
  [[noreturn]] void fail(const std::string& what, const std::string& remedy) const {
    throw Error(ErrorKind::data, path_.string(), what, remedy);
  }

  std::filesystem::path path_;
  std::ifstream in_;
  Header header_{};
  bool swapped_ = false;
};

/// Numbers of type `From`, in pieces so that a conversion needs little room.
template <class From, class To>
void read_values(BinaryReader& in, std::vector<To>& to) {
  if constexpr (std::is_same_v<From, To>) {
    in.read(std::span<To>(to));
  } else {
    constexpr std::size_t kAtOnce = 1 << 16;
    std::vector<From> piece(std::min(kAtOnce, to.size()));
    for (std::size_t at = 0; at < to.size(); at += piece.size()) {
      const auto now = std::span<From>(piece).first(std::min(piece.size(), to.size() - at));
      in.read(now);
      std::transform(now.begin(), now.end(), to.begin() + static_cast<std::ptrdiff_t>(at),
                     [](From v) { return static_cast<To>(v); });
    }
  }
}

template <class To>
void read_rows(BinaryReader& in, Design& design) {
  auto& values = design.entries.emplace<DenseRows<To>>().values;
  values.resize(static_cast<std::size_t>(design.rows) * static_cast<std::size_t>(design.cols));
  in.header().width == 4 ? read_values<float>(in, values) : read_values<double>(in, values);
}

std::string_view bytes_of(const auto& range) {
  return {reinterpret_cast<const char*>(std::data(range)), std::size(range) * sizeof(*std::data(range))};
}

}  // namespace

namespace design_formats {

Design read_binary(const Path& path, const DesignOptions& options, const Context& context) {
  if (is_stored_design(first_bytes(path))) return read_store(path, options, context);
  BinaryReader in(path);
  Design design;
  design.rows = in.header().rows;
  design.cols = in.header().cols;
  const bool mapped = map_rows(path, in.rows(), options, context, design);
  if (!mapped) announce_dense(path, design.rows, design.cols, is_single(options), 1, context);
  if (in.header().has_response) {
    design.response.resize(static_cast<std::size_t>(design.rows));
    in.read(std::span<double>(design.response));
  }
  if (!mapped) is_single(options) ? read_rows<float>(in, design) : read_rows<double>(in, design);
  return design;
}

}  // namespace design_formats

void write_design(const std::filesystem::path& path, const Design& design) {
  require_consistent(design, path.string());
  Header header{};
  std::copy(kMagic.begin(), kMagic.end(), header.magic);
  header.version = kVersion;
  header.order = kOrder;
  header.width = design.is_single() ? 4 : 8;
  header.has_response = 1;
  header.rows = design.rows;
  header.cols = design.cols;
  AtomicFile file(path);
  file.write({reinterpret_cast<const char*>(&header), sizeof header});
  file.write(bytes_of(design.response));
  if (const auto* rows = std::get_if<DenseRows<double>>(&design.entries)) file.write(bytes_of(rows->view()));
  if (const auto* rows = std::get_if<DenseRows<float>>(&design.entries)) file.write(bytes_of(rows->view()));
  if (design.is_sparse()) {
    std::vector<double> row(static_cast<std::size_t>(design.cols));
    std::vector<float> narrow(row.size());
    for (Index i = 0; i < design.rows; ++i) {
      design.row(i, row);
      std::transform(row.begin(), row.end(), narrow.begin(), [](double v) { return static_cast<float>(v); });
      file.write(design.is_single() ? bytes_of(narrow) : bytes_of(row));
    }
  }
  file.commit();
}

}  // namespace claros

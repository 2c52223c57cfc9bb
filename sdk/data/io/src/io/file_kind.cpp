// SPDX-License-Identifier: BSD-3-Clause
#include "io/file_kind.hpp"

#include <algorithm>
#include <fstream>

namespace claros {
namespace {

using namespace std::string_view_literals;

struct Mark {
  std::size_t at;
  std::string_view bytes, kind;
};

constexpr std::size_t kHead = 512;

constexpr Mark kMarks[] = {
    {0, "\x93NUMPY"sv, "a NumPy array"},
    {0, "PK\3\4"sv, "a zip archive"},
    {0, "PK\5\6"sv, "an empty zip archive"},
    {0, "\x89HDF\r\n\x1a\n"sv, "an HDF5 file"},
    {0, "CLAROSDM"sv, "a raw binary design"},
    {0,
     "\x7F"
     "ELF"sv,
     "a program or library (ELF)"},
    {0, "\x89PNG\r\n"sv, "a PNG image"},
    {0, "\xFF\xD8\xFF"sv, "a JPEG image"},
    {0, "GIF8"sv, "a GIF image"},
    {0, "%PDF-"sv, "a PDF document"},
    {0, "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"sv,
     "a workbook of a spreadsheet program (.xls): save the sheet as CSV"},
    {0, "PAR1"sv, "a Parquet file"},
    {0, "ARROW1\0"sv, "an Arrow file"},
    {0, "SQLite format 3\0"sv, "an SQLite database"},
    {0, "7z\xBC\xAF\x27\x1C"sv, "a 7-Zip archive"},
    {0, "Rar!\x1A"sv, "a RAR archive"},
    {0, "MATLAB 5.0 MAT-file"sv, "a MATLAB file"},
    {0, "RDX2\n"sv, "an R data file"},
    {0, "RDX3\n"sv, "an R data file"},
    {0, "\x80\x03"sv, "a Python pickle"},
    {0, "\x80\x04\x95"sv, "a Python pickle"},
    {0, "\x80\x05\x95"sv, "a Python pickle"},
    {257, "ustar"sv, "a tar archive"},
};

bool has(std::string_view bytes, const Mark& mark) noexcept {
  return bytes.size() >= mark.at + mark.bytes.size() &&
         bytes.substr(mark.at, mark.bytes.size()) == mark.bytes;
}

}  // namespace

std::string first_bytes(const std::filesystem::path& path) {
  std::ifstream in = open_regular_file(path);
  std::string bytes(kHead, '\0');
  in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(in.gcount()));
  return bytes;
}

bool is_npy(std::string_view bytes) noexcept { return has(bytes, kMarks[0]); }
bool is_zip(std::string_view bytes) noexcept { return has(bytes, kMarks[1]) || has(bytes, kMarks[2]); }
bool is_hdf5(std::string_view bytes) noexcept { return has(bytes, kMarks[3]); }
bool is_claros_binary(std::string_view bytes) noexcept { return has(bytes, kMarks[4]); }
bool is_png(std::string_view bytes) noexcept { return bytes.starts_with("\x89PNG\r\n"sv); }
bool is_pgm(std::string_view bytes) noexcept {
  return bytes.size() > 2 && bytes[0] == 'P' && (bytes[1] == '2' || bytes[1] == '5') &&
         (bytes[2] == ' ' || (bytes[2] >= '\t' && bytes[2] <= '\r') || bytes[2] == '#');
}
bool is_stored_design(std::string_view bytes) noexcept {
  const std::string_view version = bytes.substr(std::min<std::size_t>(8, bytes.size()), 4);
  return is_claros_binary(bytes) && (version == "\2\0\0\0"sv || version == "\0\0\0\2"sv);
}

std::string binary_kind(std::string_view bytes) {
  for (const Mark& mark : kMarks)
    if (has(bytes, mark)) return std::string(mark.kind);
  return {};
}

std::string wide_encoding(std::string_view bytes) {
  if (bytes.starts_with("\xFF\xFE\0\0"sv) || bytes.starts_with("\0\0\xFE\xFF"sv)) return "UTF-32";
  if (bytes.starts_with("\xFF\xFE"sv) || bytes.starts_with("\xFE\xFF"sv)) return "UTF-16";
  constexpr std::size_t kFirst = 16;  // of which every second is 0
  bool little = bytes.size() >= 4, big = little;
  for (std::size_t k = 0; k + 1 < std::min(bytes.size(), kFirst); k += 2) {
    little = little && bytes[k] >= '\t' && bytes[k + 1] == '\0';
    big = big && bytes[k] == '\0' && bytes[k + 1] >= '\t';
  }
  return little ? "UTF-16LE" : big ? "UTF-16BE" : "";
}

std::string readable_formats() {
  return "read are text (tables, LIBSVM, Matrix Market), plain or in gzip, bzip2, xz or zstd, and NumPy's "
         ".npy and .npz, and PGM and PNG pictures as matrices; of designs also HDF5 and "
         "CLAROSDM; see docs/guides/data-formats.md";
}

}  // namespace claros

// SPDX-License-Identifier: BSD-3-Clause
#include <claros/error.hpp>
#include <claros/io/memory_file.hpp>

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace claros {
namespace {

/// A .npy file begins with this (numpy_array.hpp).
std::string npy_header(Index rows, Index cols) {
  std::string header = "{'descr': '<f8', 'fortran_order': True, 'shape': (" + std::to_string(rows) + ", " +
                       std::to_string(cols) + "), }\n";
  const auto size = static_cast<char>(header.size());  // below 128
  return std::string("\x93NUMPY\x01\0", 8) + size + '\0' + header;
}

}  // namespace

MemoryFile::MemoryFile(const std::string& parameter, std::string_view text)
    : parameter_(parameter),
      file_(::memfd_create(
          parameter == "-" ? "the standard input" : ("the array given for " + parameter).c_str(),
          MFD_CLOEXEC)) {
  write(text);
}

MemoryFile::MemoryFile(const std::string& parameter, std::span<const double> values, Index rows, Index cols)
    : MemoryFile(parameter, npy_header(rows, cols)) {
  const auto count = static_cast<Index>(values.size());
  if (rows < 1 || cols < 1 || count / rows != cols || count % rows != 0)
    throw Error(ErrorKind::data, parameter,
                std::to_string(count) + " numbers for a matrix of " + std::to_string(rows) + " x " +
                    std::to_string(cols),
                "give every number of it, column by column");
  const auto bytes = std::as_bytes(values);
  write({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

MemoryFile::~MemoryFile() {
  if (file_ >= 0) ::close(file_);
}

std::string MemoryFile::name() const {
  return "/proc/" + std::to_string(::getpid()) + "/fd/" + std::to_string(file_);
}

void MemoryFile::write(std::string_view bytes) {
  while (file_ >= 0 && !bytes.empty()) {
    const ssize_t written = ::write(file_, bytes.data(), bytes.size());
    if (written <= 0) break;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  if (file_ >= 0 && bytes.empty()) return;
  const int code = errno;
  if (file_ >= 0) ::close(file_);
  file_ = -1;
  throw Error(ErrorKind::data, parameter_,
              "no file in memory can be made: " + std::generic_category().message(code),
              "give the name of a file on disk");
}

}  // namespace claros

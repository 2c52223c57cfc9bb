// SPDX-License-Identifier: BSD-3-Clause
#include <claros/regular_file.hpp>

#include <cerrno>
#include <string>
#include <system_error>

namespace claros {
namespace {

using std::filesystem::file_type;

/// True if a text is numbers, inf and nan among them, and nothing else.
bool holds_numbers(const std::string& text) {
  return text.find_first_not_of("0123456789.,;+-eE \tinfa") == text.npos &&
         text.find_first_of(",; ") != text.npos && text.find_first_of("0123456789") != text.npos;
}

/// Tells whether no file can have the name.
bool is_too_long(const std::filesystem::path& path) {
  return path.filename().native().size() > 255 || path.native().size() > 4096;
}

/// A text that is no name of a file: as a rule numbers where only a file is read.
Complaint not_a_name(const std::string& text) {
  constexpr std::size_t kShown = 40;
  const std::string rest = "... (" + std::to_string(text.size()) + " characters)";
  return {text.size() <= kShown ? text : text.substr(0, kShown) + rest,
          std::string("expected the name of a file, found ") +
              (holds_numbers(text) ? "numbers" : "a longer text"),
          "write the content to a file and give its name"};
}

/// What is there in place of a file, and what to do.
Complaint not_a_file(const std::string& where, file_type type) {
  const auto stands = [&](const char* what) {
    return Complaint{where, std::string("is ") + what + ", not a regular file; expected one",
                     "write its content to a file first"};
  };
  switch (type) {
    case file_type::not_found:
      if (std::filesystem::path(where).filename() == "-")
        return {where, "no such file; standard input is not read here, since a file is read more than once",
                "write it to a file first"};
      return {where, "no such file", "check the path"};
    case file_type::directory:
      return {where, "is a directory; expected a file", "name a file within it"};
    case file_type::fifo:
      return stands("a pipe");
    case file_type::socket:
      return stands("a socket");
    case file_type::block:
    case file_type::character:
      return stands("a device");
    default:
      return stands("of an unknown kind");
  }
}

}  // namespace

bool is_present(const std::filesystem::path& path) noexcept {
  std::error_code code;
  return std::filesystem::exists(path, code);
}

bool is_same_file(const std::filesystem::path& a, const std::filesystem::path& b) noexcept {
  std::error_code code;
  if (std::filesystem::equivalent(a, b, code)) return true;
  const auto place = [&code](const std::filesystem::path& file) {
    return std::filesystem::weakly_canonical(std::filesystem::absolute(file, code), code);
  };
  const auto of_a = place(a), of_b = place(b);
  return !of_a.empty() && of_a == of_b;
}

void expect_regular_file(const std::filesystem::path& path, ErrorKind kind) {
  std::error_code code;
  const auto status = std::filesystem::status(path, code);
  if (is_regular_file(status)) return;
  if (is_too_long(path) || (status.type() == file_type::not_found && holds_numbers(path.filename().string())))
    throw Error(kind, {not_a_name(path.filename().string())});
  if (code && status.type() != file_type::not_found)
    throw Error(kind, path.string(), "cannot be read: " + code.message(), "check its permissions");
  throw Error(kind, {not_a_file(path.string(), status.type())});
}

std::ifstream open_regular_file(const std::filesystem::path& path, ErrorKind kind) {
  expect_regular_file(path, kind);
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file)
    throw Error(kind, path.string(), "cannot be opened: " + std::system_category().message(errno),
                "check its permissions");
  return file;
}

}  // namespace claros

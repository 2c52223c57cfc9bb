// SPDX-License-Identifier: BSD-3-Clause
/// @file test_files.hpp  A folder for the files of a test, and what a reader complains of.
#pragma once

#include <claros/error.hpp>

#include <doctest/doctest.h>
#include <stdlib.h>

#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

/// A fresh folder whose name holds '#' and a space; removed with all it holds.
class TestFolder {
 public:
  TestFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "claros #1 test-XXXXXX").string();
    REQUIRE(::mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  ~TestFolder() { std::filesystem::remove_all(path_); }
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;

  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  const std::filesystem::path& path() const { return path_; }

  /// Writes `content` and returns the path.
  std::filesystem::path put(const std::string& name, const std::string& content) const {
    std::ofstream(path_ / name, std::ios::binary) << content;
    return path_ / name;
  }
  std::string get(const std::string& name) const {
    std::ifstream file(path_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(path_), {}));
  }

 private:
  std::filesystem::path path_;
};

/// The one line of the Error(kind) that `action` throws; a failed check when it throws none.
template <class Action>
std::string complaint(const Action& action, claros::ErrorKind kind = claros::ErrorKind::data) {
  try {
    action();
  } catch (const claros::Error& error) {
    CHECK(error.kind() == kind);
    return error.what();
  }
  FAIL_CHECK("nothing was thrown");
  return {};
}

/// What `action` refused with, one complaint a line, or "accepted".
template <class Action>
std::string refusal(claros::ErrorKind kind, const Action& action) {
  try {
    action();
  } catch (const claros::Error& error) {
    CHECK(error.kind() == kind);
    return error.what();
  }
  return "accepted";
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Whether `text` names a key: "algorithm.step" with its section, or "step" alone, which a component that is
/// made or called directly says, and in remedies (the path is then that of the error, test_parts.cpp).
inline bool names_key(const std::string& text, const std::string& key) {
  const auto dot = key.find('.');
  if (dot == key.npos || key.find(' ') != key.npos) return false;
  const std::string alone = key.substr(dot + 1);
  const auto is_part = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-';
  };
  for (auto at = text.find(alone); at != text.npos; at = text.find(alone, at + 1)) {
    const auto end = at + alone.size();
    if ((at == 0 || !is_part(text[at - 1])) && (end == text.size() || !is_part(text[end]))) return true;
  }
  return false;
}

/// Whether every one of `parts` occurs in `text`, keys also without their section.
inline void check_mentions(const std::string& text, std::initializer_list<const char*> parts) {
  for (const char* part : parts) {
    INFO(text << " should mention " << std::string(part));
    CHECK((contains(text, part) || names_key(text, part)));
  }
}

// SPDX-License-Identifier: BSD-3-Clause
#include <claros/error.hpp>

#include "memory_names.hpp"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

namespace claros {

std::string Complaint::sentence() const {
  std::string text = where.empty() ? what : where + ": " + what;
  if (!remedy.empty()) text += " (" + remedy + ")";
  return text;
}

Error::Error(ErrorKind kind, std::string where, std::string what, std::string remedy)
    : Error(kind, {Complaint{std::move(where), std::move(what), std::move(remedy)}}) {}

namespace {

/// The advice for any file that cannot be opened: that of the place would be wrong.
bool lacks_descriptors(const Complaint& complaint) {
  return complaint.what.find(std::strerror(EMFILE)) != std::string::npos;
}

}  // namespace

std::string with_memory_names(std::string text) {
  constexpr std::string_view kBegin = "/memfd:the ";  // "array given for X", and " (deleted)" at the end
  constexpr std::size_t kName = kBegin.find("the");
  const std::string folder = "/proc/" + std::to_string(::getpid()) + "/fd/";
  for (std::size_t at = 0; (at = text.find(folder, at)) != text.npos; ++at) {
    const std::size_t size = text.find_first_not_of("0123456789", at + folder.size()) - at;
    std::error_code code;
    const std::string link = std::filesystem::read_symlink(text.substr(at, size), code).string();
    if (link.starts_with(kBegin)) text.replace(at, size, link, kName, link.rfind(' ') - kName);
  }
  return text;
}

Error::Error(ErrorKind kind, std::vector<Complaint> complaints)
    : kind_(kind), complaints_(std::move(complaints)) {
  for (Complaint& complaint : complaints_) {
    complaint.where = with_memory_names(std::move(complaint.where));
    complaint.what = with_memory_names(std::move(complaint.what));
    if (lacks_descriptors(complaint)) complaint.remedy = "raise the limit on open files (ulimit -n)";
    if (!text_.empty()) text_ += '\n';
    text_ += complaint.sentence();
  }
}

// Defined here so that the type's identity lives in this library and a catch in the host matches a throw in a
// plugin.
Error::~Error() = default;

namespace {

/// Optimal string alignment distance.
std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> before(b.size() + 1), previous(b.size() + 1), current(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) previous[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    current[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      current[j] = std::min({previous[j] + 1, current[j - 1] + 1, previous[j - 1] + (a[i - 1] != b[j - 1])});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) current[j] = std::min(current[j], before[j - 2] + 1);
    }
    std::swap(before, previous);
    std::swap(previous, current);
  }
  return previous[b.size()];
}

/// "l1-ball" for "L1Ball", as other libraries name classes. A word with other characters stays.
std::string without_capitals(const std::string& word) {
  const auto is_capital = [](char c) { return c >= 'A' && c <= 'Z'; };
  const auto is_other = [&](char c) {
    return !is_capital(c) && !(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9');
  };
  if (word.empty() || !is_capital(word.front()) || std::ranges::any_of(word, is_other)) return word;
  std::string text;
  for (std::size_t k = 0; k < word.size(); ++k) {
    if (k > 0 && is_capital(word[k]) && !is_capital(word[k - 1])) text += '-';
    text += is_capital(word[k]) ? static_cast<char>(word[k] + ('a' - 'A')) : word[k];
  }
  return text;
}

}  // namespace

std::string joined(const std::vector<std::string>& words, std::string_view separator) {
  return fmt::format("{}", fmt::join(words, separator));
}

std::string did_you_mean(const std::string& word, const std::vector<std::string>& candidates) {
  const std::string plain = without_capitals(word);
  const std::string* best = nullptr;
  // Two other letters of three make any word.
  const auto letters = static_cast<std::size_t>(
      std::ranges::count_if(word, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }));
  std::size_t best_distance = (letters <= 3 ? 1 : std::max<std::size_t>(2, word.size() / 3)) + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = std::min(edit_distance(word, candidate), edit_distance(plain, candidate));
    if (distance < best_distance) best = &candidate, best_distance = distance;
  }
  return best ? "did you mean '" + *best + "'?" : std::string();
}

}  // namespace claros

// SPDX-License-Identifier: BSD-3-Clause
#include "cli/session.hpp"

#include "cli/linear_algebra.hpp"
#include "cli/messages.hpp"

#include <claros/other_names.hpp>
#include <claros/program.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <span>
#include <system_error>
#include <utility>

namespace claros::cli {

namespace {

namespace fs = std::filesystem;

bool is_assignment(const std::string& word) {
  const auto equals = word.find('=');
  return equals != std::string::npos && word.find('/') > equals;
}

/// "set.radius = 4" is three words: one complaint, and none about its parts.
std::vector<std::string> without_lone_equals(std::vector<std::string> words,
                                             std::vector<Complaint>& complaints) {
  for (auto at = words.begin(); (at = std::find(at, words.end(), "=")) != words.end();) {
    const bool before = at != words.begin(), behind = at + 1 != words.end();
    const std::string written = (before ? *(at - 1) + ' ' : "") + '=' + (behind ? ' ' + *(at + 1) : "");
    complaints.push_back(
        {"'" + written + "'", "contains spaces", "write section.key=value, without spaces around ="});
    at = words.erase(at - (before ? 1 : 0), at + (behind ? 2 : 1));
  }
  return words;
}

/// The one word that is not an assignment, if any.
std::optional<std::string> spec_file(const std::vector<std::string>& words,
                                     std::vector<Complaint>& complaints) {
  std::optional<std::string> file;
  for (const std::string& word : words) {
    if (is_assignment(word)) continue;
    if (file)
      complaints.push_back({"'" + word + "'", "is a second specification, after '" + *file + "'",
                            "give one file; write settings as section.key=value, without spaces around ="});
    else
      file = word;
  }
  return file;
}

/// A file without a single setting whose first line is wrong is no specification: one complaint in the place
/// of one a line.
void name_as_data(const std::string& file, std::size_t before, std::vector<Complaint>& complaints) {
  if (complaints[before].what.find("has no '='") == std::string::npos) return;
  complaints.resize(before);
  const std::string ending = fs::path(file).extension().string();
  const bool program = ending == ".lp" || ending == ".mps";
  complaints.push_back(
      {file, "is not a specification: it has no line key = value",
       (program ? "a linear program is a set, and its costs an objective: objective.use=linear "
                  "objective.data=COSTS set.use=polytope set.program="
                : "data are named by a setting, such as objective.use=linear-model "
                  "objective.data=") +
           file + "; claros help run shows a specification"});
}

/// Complains of the last word if an earlier one sets its key to another value: the line contradicts itself.
void complain_of_twice(std::span<const std::string> words, const std::string& where,
                       std::vector<Complaint>& complaints) {
  const std::string& last = words.back();
  const std::string key = last.substr(0, last.find('=') + 1);
  for (const std::string& word : words.first(words.size() - 1))
    if (word.starts_with(key) && word != last) {
      complaints.push_back({where, "'" + last + "' contradicts '" + word + "'", "give one of them"});
      return;
    }
}

/// Assigns the value of an option to `key`, which none of `words` may set to another one.
void assign_option(const Arguments& arguments, const std::string& option, const std::string& key,
                   std::vector<std::string> words, Request& request) {
  const auto value = arguments.get(option);
  if (!value) return;
  words.push_back(key + '=' + *value);
  complain_of_twice(words, "--" + option, request.complaints);
  request.spec.assign({words.back()}, "--" + option, request.complaints);
}

}  // namespace

void trust_named(Catalog& catalog, const Arguments& arguments) {
  for (const std::string& path : arguments.all("trust")) {
    std::error_code code;
    if (!fs::exists(path, code))
      throw Error(ErrorKind::usage, "--trust", "'" + path + "' does not exist",
                  "name a plugin or a folder of plugins");
    catalog.trust(path);
  }
}

Index count_option(const Arguments& arguments, const std::string& option,
                   std::vector<Complaint>& complaints) {
  constexpr Index kMost = 10000;
  const auto written = arguments.get(option);
  if (!written) return 1;
  try {
    const Index count = parse_integer(*written);
    if (count >= 1 && count <= kMost) return count;
    complaints.push_back({"--" + option,
                          fmt::format("expected a number from 1 to {}, got '{}'", kMost, *written),
                          "write a number in that range"});
  } catch (const Error& error) {
    for (const Complaint& complaint : error.complaints())
      complaints.push_back({"--" + option, complaint.what, complaint.remedy});
  }
  return 1;
}

double positive(const Arguments& arguments, const std::string& option, double fallback) {
  const auto text = arguments.get(option);
  if (!text) return fallback;
  const double value = parse_real(*text);
  if (!(value > 0.0))
    throw Error(ErrorKind::usage, "--" + option, "expected a number of seconds above 0, got '" + *text + "'",
                "write --" + option + " 10");
  return value;
}

Catalog open_catalog(const Arguments& arguments) {
  std::vector<fs::path> extra;
  for (const std::string& folder : arguments.all("plugin-path")) extra.push_back(folder);
  Catalog catalog;
  serve(catalog);
  trust_named(catalog, arguments);
  catalog.load_in_child_first(positive(arguments, "limit", kLoadSeconds));
  const SearchPath folders = Catalog::default_search_path(extra);
  for (const SearchFolder& folder : folders)
    if (!folder.path.is_absolute())
      message_sink(true)(Severity::warning, folder.origin + ": '" + folder.path.string() +
                                                "' is a relative path, and is not searched "
                                                "(write the whole path)");
  catalog.scan(folders);
  std::vector<Complaint> complaints;
  for (const PluginEntry& entry : catalog.entries())
    for (const fs::path& folder : extra)
      if (!entry.usable() && entry.path == fs::absolute(folder)) complaints.push_back(entry.problem);
  if (!complaints.empty()) throw Error(ErrorKind::plugin, std::move(complaints));
  return catalog;
}

Catalog open_catalog(const Arguments& arguments, Request& request) {
  Catalog catalog = open_catalog(arguments);
  request.spec = with_own_names(catalog, request.spec, message_sink(arguments.has("quiet")));
  return catalog;
}

Request read_request(const Arguments& arguments) {
  reserve_linear_algebra(1);
  if (arguments.words().empty())
    throw Error(ErrorKind::usage, "", "no specification given",
                "name a file, or write all settings as section.key=value; claros help run shows an example");
  std::vector<Complaint> complaints = arguments.unfit();
  std::vector<std::string> words = without_lone_equals(arguments.words(), complaints);
  const auto file = spec_file(words, complaints);
  if (file && file->empty())
    throw Error(ErrorKind::usage, "''", "expected the name of a file, got an empty word",
                "name a specification, or write all settings as section.key=value");
  const std::size_t before = complaints.size();
  Request request{
      file ? Spec::read(*file, complaints) : Spec(fs::current_path()), {}, file.value_or("the command line")};
  if (complaints.size() > before && request.spec.sections().empty()) name_as_data(*file, before, complaints);
  request.complaints = std::move(complaints);
  std::erase_if(words, [](const std::string& word) { return !is_assignment(word); });
  for (std::string& word : words)
    if (std::string own = with_section(word); own != word) {
      const bool shorter = own.find(".use=") != own.npos && parse_kind(own.substr(0, own.find('.')));
      if (!arguments.has("quiet") && !shorter) report(word + ": " + own);
      word = std::move(own);
    }
  std::vector<Complaint> twice;
  for (std::size_t k = 1; k <= words.size(); ++k)
    complain_of_twice(std::span(words).first(k), "command line", twice);
  for (const Complaint& one : twice)
    if (!arguments.has("quiet")) report(one.what + ": the later one counts");
  request.spec.assign(words, "command line", request.complaints);
  assign_option(arguments, "seed", "run.seed", words, request);
  assign_option(arguments, "threads", "run.threads", words, request);
  return request;
}

}  // namespace claros::cli

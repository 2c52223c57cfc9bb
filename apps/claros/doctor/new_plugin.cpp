// SPDX-License-Identifier: BSD-3-Clause
#include "doctor/plugin_project.hpp"

#include <claros/plugin/catalog.hpp>

#include "cli/installed_files.hpp"
#include "cli/messages.hpp"
#include "cli/session.hpp"
#include "cli/terminal.hpp"
#include "doctor/commands.hpp"

#include <map>
#include <string>
#include <vector>

namespace claros::cli {

namespace {

Kind kind_of(const std::string& word, std::vector<Complaint>& complaints) {
  std::vector<std::string> words;
  std::string all;
  for (const Kind kind : kKinds) {
    words.push_back(kind_name(kind));
    all += (all.empty() ? "" : ", ") + words.back();
  }
  static const std::map<std::string, std::string> others{
      {"constraint", "set"}, {"regularizer", "penalty"}, {"solver", "algorithm"}};
  const auto kind = parse_kind(word);
  const auto meant = others.find(word);
  const std::string guess = meant != others.end() ? "write " + meant->second : did_you_mean(word, words);
  if (!kind)
    complaints.push_back({"'" + word + "'", "is not a kind of component",
                          guess.empty() ? "write the kind, then the name; the kinds are " + all : guess});
  return kind.value_or(Kind::set);
}

/// "My Ball" and "my_ball" are meant as "my-ball".
std::string as_plugin_name(const std::string& word) {
  std::string name;
  for (const char c : word) {
    const bool upper = c >= 'A' && c <= 'Z', other = c == '_' || c == ' ' || c == '.';
    if ((upper || other) && !name.empty() && name.back() != '-') name += '-';
    if (!other) name += upper ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return is_plugin_name(name) ? name : std::string();
}

void require_name(const std::string& name, std::vector<Complaint>& complaints) {
  if (is_plugin_name(name)) return;
  const std::string guess = as_plugin_name(name);
  complaints.push_back(
      {"'" + name + "'", "is not a name: expected lower-case words joined by '-'",
       guess.empty() ? "choose another name, such as my-ball" : "did you mean '" + guess + "'?"});
}

}  // namespace

int new_plugin_command(const Arguments& arguments) {
  std::vector<Complaint> complaints;
  const Kind kind = kind_of(arguments.words().at(0), complaints);
  const std::string& name = arguments.words().at(1);
  require_name(name, complaints);
  const std::filesystem::path folder = arguments.get("dir").value_or(name);
  if (complaints.empty() || arguments.has("dir")) require_new_folder(folder, complaints);
  if (!complaints.empty()) throw Error(ErrorKind::usage, std::move(complaints));
  if (open_catalog(arguments).find(kind, name))
    report("warning: " + kind_name(kind) + '/' + name +
           " already exists; Claros uses the first one on the plugin path");

  write_plugin_project(templates_folder(), kind, name, folder);
  const std::string at = folder.string(), library = "build/claros_" + kind_name(kind) + '_' + name + ".so";
  out().write("wrote " + at + ": " + kind_name(kind) + '/' + name +
              ", a working example to change into your own\n\n" + "  cd " + at +
              "\n  cmake -B build && cmake --build build\n  claros doctor " + library +
              "\n  claros --plugin-path build run spec.ini\n");
  return kDone;
}

}  // namespace claros::cli

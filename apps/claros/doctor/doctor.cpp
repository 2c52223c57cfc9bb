// SPDX-License-Identifier: BSD-3-Clause
#include <claros/doctor/doctor.hpp>
#include <claros/json_text.hpp>

#include <charconv>
#include <filesystem>

#include "catalogue/named_component.hpp"
#include "cli/messages.hpp"
#include "cli/session.hpp"
#include "cli/terminal.hpp"
#include "doctor/commands.hpp"
#include "doctor/doctor_report.hpp"

namespace claros::cli {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const std::string& where, const std::string& what, const std::string& remedy) {
  throw Error(ErrorKind::usage, where, what, remedy);
}

Shape shape_of(const std::string& text) {
  Index sides[2] = {0, 0};
  const auto x = text.find('x');
  for (int k = 0; k < 2 && x != text.npos; ++k) {
    const char *begin = text.data() + (k == 0 ? 0 : x + 1), *end = text.data() + (k == 0 ? x : text.size());
    if (std::from_chars(begin, end, sides[k]).ptr != end) sides[k] = 0;
  }
  if (sides[0] < 1 || sides[1] < 1 || sides[0] * sides[1] > 10000)
    refuse("--shape", "expected a small shape, got '" + text + "'",
           "write rows x columns as in 6x1, of at most 10000 entries");
  return Shape::matrix(sides[0], sides[1]);
}

/// "key=value", or "set.key=value" with the kind first, as in a specification.
std::vector<Setting> settings_for(const Catalog& parts, const PluginEntry& entry,
                                  const std::vector<std::string>& words) {
  std::vector<Setting> settings;
  for (const std::string& word : words) {
    const auto equals = word.find('=');
    if (equals == word.npos || equals == 0)
      refuse("--set", "expected KEY=VALUE, got '" + word + "'",
             "write a parameter of the plugin, as in radius=2");
    std::string key = word.substr(0, equals);
    if (key.starts_with(kind_name(entry.kind) + ".")) key.erase(0, kind_name(entry.kind).size() + 1);
    settings.push_back({key, word.substr(equals + 1), "--set", kind_name(entry.kind)});
  }
  // Doctor chooses values of required parameters that are not set.
  std::vector<Setting> all;
  for (const ParameterInfo& row : entry.parameters().rows())
    if (row.range.required) all.push_back({row.name, example_value(row), {}, {}});
  all.insert(all.end(), settings.begin(), settings.end());
  (void)assign_settings(entry.parameters(), own_settings(entry.parameters(), all), entry.label()).checked();
  for (const Role& role : entry.parameters().roles())
    for (const Setting& s : settings_of_part(role.name, settings))
      if (s.key == kUse) (void)parts.at(role.kind, s.value, "--set");
  return settings;
}

/// The set or penalty that --with names, for an algorithm.
const PluginEntry& part_named(const Catalog& parts, const PluginEntry& subject, const std::string& name) {
  if (subject.kind != Kind::algorithm)
    refuse("--with", "sets the constraint of an algorithm, and " + subject.label() + " is not an algorithm",
           "leave it out");
  const PluginEntry* part = named_component(parts, name);
  if (!part) nothing_named(parts, name, false);
  if (part->kind != Kind::set && part->kind != Kind::penalty)
    refuse("--with", "'" + part->label() + "' is neither a set nor a penalty",
           "name one as in set/simplex: `claros list set` shows them");
  return *part;
}

doctor::Subject subject_of(const Catalog& parts, const PluginEntry& entry, const Arguments& arguments) {
  doctor::Subject subject{entry};
  subject.catalog = &parts;
  subject.settings = settings_for(parts, entry, arguments.all("set"));
  for (const std::string& text : arguments.all("shape")) subject.shapes.push_back(shape_of(text));
  for (const std::string& name : arguments.all("with"))
    subject.with.push_back(&part_named(parts, entry, name));
  if (const auto seed = arguments.get("seed")) {
    const Index value = parse_integer(*seed);
    if (value < 0)
      refuse("--seed", "expected an integer of at least 0, got '" + *seed + "'", "write --seed 1");
    subject.seed = static_cast<std::uint64_t>(value);
  }
  return subject;
}

bool is_file(const std::string& word) {
  std::error_code code;
  return word.ends_with(".so") || fs::is_regular_file(word, code);
}

/// The command that runs this test on this plugin alone.
std::string rerun_words(const std::string& word, const doctor::Subject& subject, const Arguments& arguments) {
  std::string text = "claros doctor " + shell_word(word);
  for (const std::string& folder : arguments.all("plugin-path"))
    text += " --plugin-path " + shell_word(folder);
  for (const std::string& path : arguments.all("trust")) text += " --trust " + shell_word(path);
  for (const std::string& setting : arguments.all("set")) text += " --set " + shell_word(setting);
  for (const std::string& shape : arguments.all("shape")) text += " --shape " + shape;
  for (const std::string& name : arguments.all("with")) text += " --with " + shell_word(name);
  return text + " --seed " + std::to_string(subject.seed);
}

}  // namespace

int doctor_command(const Arguments& arguments) {
  const auto& words = arguments.words();
  const bool all = arguments.has("all"), list = arguments.has("list");
  if (all && (!words.empty() || arguments.has("set") || arguments.has("with")))
    refuse("--all", "cannot be combined with a plugin, --set or --with",
           "examine one plugin, or all of them with their defaults");
  if (list && words.empty()) {
    out().write(arguments.has("json") ? json_text(tests_json({})) : tests_text({}));
    return kDone;
  }
  if (words.empty() && !all)
    refuse("doctor", "no plugin given", "name a library or a plugin, or give --all or --list");

  Catalog catalog = open_catalog(arguments), loaded;
  std::vector<std::pair<std::string, const PluginEntry*>> plugins;
  if (!all && is_file(words.front())) {
    trust_named(loaded, arguments);
    loaded.load_in_child_first(positive(arguments, "limit", kLoadSeconds));
    plugins.emplace_back(words.front(), &loaded.load(words.front()));
  } else {
    if (!all) plugins.emplace_back(words.front(), named_component(catalog, words.front()));
    if (!all && !plugins.front().second) nothing_named(catalog, words.front(), false);
    if (all) catalog.load_all();
    for (const PluginEntry& entry : catalog.entries())
      if (all && entry.state != PluginState::shadowed) plugins.emplace_back(entry.label(), &entry);
  }
  if (list) {
    const Kind kind = plugins.front().second->kind;
    out().write(arguments.has("json") ? json_text(tests_json(kind)) : tests_text(kind));
    return kDone;
  }

  doctor::Options options{arguments.all("only"), positive(arguments, "limit", 60.0), !arguments.has("here")};
  DoctorReport report(arguments.has("json"), all);
  for (const auto& [word, entry] : plugins) {
    if (!entry->usable()) {
      report.unusable(*entry);
      continue;
    }
    const doctor::Subject subject = subject_of(catalog, *entry, arguments);
    report.begin(subject, rerun_words(word, subject, arguments));
    report.loaded(*entry);
    const auto results =
        doctor::examine(subject, options, [&](const doctor::Result& result) { report.add(result); });
    report.conclude(doctor::conclude(entry->kind, results, options));
  }
  report.end();
  const doctor::Verdict verdict = report.verdict();
  return verdict == doctor::Verdict::failed       ? kVerdict
         : verdict == doctor::Verdict::incomplete ? kIncomplete
                                                  : kDone;
}

}  // namespace claros::cli

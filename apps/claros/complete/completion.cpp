// SPDX-License-Identifier: BSD-3-Clause
#include "complete/completion.hpp"

#include <claros/doctor/doctor.hpp>
#include <claros/program.hpp>
#include <claros/run/trace.hpp>

#include <algorithm>
#include <exception>
#include <system_error>

#include "catalogue/glossary.hpp"
#include "cli/installed_files.hpp"
#include "complete/unfinished_line.hpp"
#include "papers/experiment.hpp"

namespace claros::cli {

namespace {

namespace fs = std::filesystem;
using Line = UnfinishedLine;

/// A user waits for the candidates: a short time limit.
constexpr double kCompletionSeconds = 2.0;

Catalog catalog_of(const Line& line) {
  Catalog catalog;
  serve(catalog);
  for (const fs::path& path : line.trust) catalog.trust(path);
  catalog.load_in_child_first(kCompletionSeconds);
  catalog.scan(Catalog::default_search_path(line.plugin_path));
  return catalog;
}

/// The specification on the line so far. Complaints are for the command itself.
Spec spec_of(const Line& line) {
  std::vector<Complaint> complaints;
  std::error_code code;
  Spec spec(fs::current_path(code));
  for (const std::string& word : line.words)
    if (fs::is_regular_file(word, code)) spec = Spec::read(word, complaints);
  std::vector<std::string> assignments = line.words;
  std::erase_if(assignments, [](const std::string& word) { return word.find('=') == word.npos; });
  spec.assign(assignments, "command line", complaints);
  return spec;
}

Candidates settings(const Line& line, bool several) {
  return setting_candidates(catalog_of(line), spec_of(line), line.begun, several);
}

void append(Candidates& all, const Candidates& more) { all.insert(all.end(), more.begin(), more.end()); }

Candidates command_names() {
  Candidates result;
  for (const Command& c : commands()) result.push_back({c.name, c.summary});
  return result;
}

/// Commands; once a word is begun, components, sections and terms of the glossary too.
Candidates topics(const Line& line) {
  Candidates result = command_names();
  if (line.begun.empty()) return result;
  append(result, component_candidates(catalog_of(line), line.begun));
  append(result, section_candidates());
  for (const GlossaryEntry& e : glossary()) {
    std::string word = e.word;
    std::ranges::replace(word, ' ', '-');
    result.push_back({word, "glossary"});
  }
  return result;
}

Candidates figures() {
  Candidates result;
  for (const std::string& name : experiment_names(papers_folder()))
    result.push_back({name, read_experiment(papers_folder(), name).title});
  return result;
}

Candidates kinds() {
  Candidates result;
  for (const Kind kind : kKinds) result.push_back({kind_name(kind), ""});
  return result;
}

/// Candidates for a placeholder of a usage or an option: "KIND", "SPEC|NAME", "section.key=a,b,c".
Candidates in_place_of(const std::string& name, const Line& line) {
  const auto holds = [&](const char* part) { return name.find(part) != name.npos; };
  Candidates result;
  if (name == "WORD") append(result, topics(line));
  if (name == "KIND") append(result, kinds());
  if (name == "TEST")
    for (const doctor::TestInfo& test : doctor::tests()) result.push_back({test.name, test.definition});
  if (name == "COLUMN")
    for (const TraceColumn& column : trace_columns()) result.push_back({column.name, column.label});
  if (holds("FIGURE")) append(result, figures());
  if (holds("NAME")) append(result, component_candidates(catalog_of(line), line.begun));
  if (name == "NAME") append(result, section_candidates());
  if (holds("SPEC")) append(result, file_candidates(line.begun, {}, Files::specifications));
  if (holds("LIB")) append(result, file_candidates(line.begun, {}, Files::libraries));
  if (holds("DIR")) append(result, file_candidates(line.begun, {}, Files::folders));
  if (holds("FILE") || name == "PATH" || holds("PAIRS"))
    append(result, file_candidates(line.begun, {}, Files::any));
  if (holds("key=value")) append(result, settings(line, false));
  if (name == "KEY=A,B,C" || name == "KEY=VALUES") append(result, settings(line, true));
  if (name.starts_with("stop."))
    std::erase_if(result, [](const Candidate& c) { return !c.word.starts_with("stop."); });
  return result;
}

Candidates value_candidates(const Line& line) {
  Candidates result;
  for (const std::string& choice : line.pending->choices) result.push_back({choice, ""});
  append(result, in_place_of(line.pending->value, line));
  return result;
}

Candidates option_candidates(const Line& line) {
  Candidates result;
  for (const Option& option : options_of(line)) {
    const bool given = std::find(line.given.begin(), line.given.end(), option.name) != line.given.end();
    if (!given || option.repeatable) result.push_back({"--" + option.name, option.meaning});
  }
  return result;
}

Candidates word_candidates(const Line& line) {
  if (!line.command) return command_names();
  Candidates result;
  const std::vector<Slot> slots = slots_of(line.command->usage);
  for (const Slot& slot : slots) {
    // The name after a kind is new: it has no candidates.
    if (slot.name == "NAME" && slots.front().name == "KIND") continue;
    if (slot.first <= line.words.size() && line.words.size() <= slot.last)
      append(result, in_place_of(slot.name, line));
  }
  return result;
}

Candidates all_candidates(const Line& line) {
  if (!line.known) return {};
  if (line.pending) return value_candidates(line);
  if (!line.options_end && line.begun.starts_with('-')) return option_candidates(line);
  return word_candidates(line);
}

}  // namespace

Candidates complete_line(const std::vector<std::string>& words) {
  try {
    const Line line = read_line(words.empty() ? std::vector<std::string>{""} : words);
    Candidates result = all_candidates(line);
    std::erase_if(result, [&](const Candidate& c) { return !c.word.starts_with(line.begun); });
    for (Candidate& c : result) c.word = line.lead + c.word;
    return result;
  } catch (const std::exception&) {
    return {};
  }
}

}  // namespace claros::cli

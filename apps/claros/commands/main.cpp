// SPDX-License-Identifier: BSD-3-Clause
#include <claros/world.hpp>

#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <claros/error.hpp>
#include <claros/regular_file.hpp>

#include "cli/accounts.hpp"
#include "cli/descriptors.hpp"
#include "cli/environment.hpp"
#include "cli/interrupt.hpp"
#include "cli/linear_algebra.hpp"
#include "cli/messages.hpp"
#include "cli/parsed_line.hpp"
#include "cli/ranks.hpp"
#include "cli/stuck.hpp"
#include "cli/terminal.hpp"
#include "commands/commands.hpp"

namespace claros::cli {

namespace {

/// Arrays of a point come and go in every step: what they took is kept, or the system clears the same pages
/// again and again.
void keep_memory() {
#if defined(__GLIBC__)
  constexpr int kLargestInHeap = 32 << 20, kKept = 512 << 20;
  (void)mallopt(M_MMAP_THRESHOLD, kLargestInHeap);
  (void)mallopt(M_TRIM_THRESHOLD, kKept);
#endif
}

int without_command(const Words& words) {
  if (words.empty()) {
    err().write(help_section("first-screen"));
    return kUsage;
  }
  const Arguments arguments(words, all_options(), "");
  if (arguments.has("version")) return version_command(arguments);
  if (arguments.has("help")) return help_command(arguments);
  throw Error(ErrorKind::usage, "", "no command given", "claros --help lists the commands");
}

void check_words(const Command& c, const Arguments& arguments) {
  const auto& words = arguments.words();
  const std::string remedy = "write claros " + c.name + (c.usage.empty() ? "" : ' ' + c.usage);
  const std::vector<Slot> slots = slots_of(c.usage);
  for (std::size_t k = words.size(); k < slots.size(); ++k)
    if (slots[k].required) throw Error(ErrorKind::usage, c.name, "needs " + slots[k].name, remedy);
  const std::size_t most = !slots.empty() && slots.back().last == kAnyWords ? kAnyWords : slots.size();
  if (words.size() > most)
    throw Error(ErrorKind::usage, "'" + words[most] + "'", "is an unexpected argument",
                remedy + (c.options.empty() ? "" : "; claros help " + c.name + " lists its options"));
}

/// The command at that place. A user who forgot it named a file; the word found may be the value of an
/// option that is misspelt.
const Command& named_command(const Words& words, std::size_t at) {
  const std::string& name = words[at];
  std::error_code code;
  if (std::filesystem::is_regular_file(name, code))
    throw Error(ErrorKind::usage, "'" + name + "'", "is a file, not a command",
                "did you mean claros run " + name + "?");
  std::vector<Complaint> complaints;
  for (const Piece& piece :
       pieces_of({words.begin(), words.begin() + static_cast<std::ptrdiff_t>(at)}, all_options()))
    if (!piece.known) complaints.push_back(unknown_option(piece.written, all_options(), ""));
  try {
    return command(name);
  } catch (const Error& error) {
    complaints.insert(complaints.end(), error.complaints().begin(), error.complaints().end());
  }
  throw Error(ErrorKind::usage, std::move(complaints));
}

/// Files of a run, in its folder, that no command but a run writes.
bool is_of_run(const std::filesystem::path& file, const std::filesystem::path& folder) {
  for (const char* name : {"spec.ini", "result.json", "trace.csv"})
    if (is_same_file(file, folder / name)) return true;
  return is_same_file(file.parent_path(), folder / "solution");
}

/// An output that is an input would replace it.
void expect_outputs_apart(const Command& c, const Arguments& arguments) {
  std::vector<std::filesystem::path> inputs(arguments.words().begin(), arguments.words().end());
  for (const Option& option : options_of(c))
    if (option.value == "FILE" && option.name != "out" && option.name != "held")
      for (const std::string& file : arguments.all(option.name)) inputs.emplace_back(file);
  for (const char* name : {"out", "held"})
    for (const std::string& output : arguments.all(name))
      for (const std::filesystem::path& input : inputs) {
        std::error_code code;
        const bool folder = std::filesystem::is_directory(input, code);
        if (folder ? is_of_run(output, input) : !code && is_present(input) && is_same_file(output, input))
          throw Error(
              ErrorKind::usage, std::string("--") + name,
              "is '" + output + "', which the command reads" + (folder ? " from " + input.string() : ""),
              "write to another file");
      }
}

/// The other commands solve several problems, or write files of their own: ranks that do the same would meet
/// in them.
void refuse_on_ranks(const Command& c) {
  static const std::vector<std::string> able{"run", "resume", "check", "list", "describe", "cite", "help"};
  const int ranks = World::here().size();
  if (ranks == 1 || std::ranges::find(able, c.name) != able.end()) return;
  throw Error(ErrorKind::usage, c.name,
              "works on one process, and a launcher of MPI has started " + std::to_string(ranks),
              "start it without the launcher; claros run and claros resume work on several ranks");
}

std::vector<Command> all_themes() {
  std::vector<Command> all;
  for (const auto theme :
       {catalogue_theme, solving_theme, grid_theme, data_theme, plugin_theme, program_theme})
    for (Command& c : theme()) {
      c.about = help_section(c.name);
      all.push_back(std::move(c));
    }
  return all;
}

int dispatch(int count, char** words_) {
  Words words(words_ + std::min(count, 1), words_ + count);
  const auto at = command_at(words);
  if (!at) return without_command(words);
  const Command& c = named_command(words, *at);
  words.erase(words.begin() + static_cast<std::ptrdiff_t>(*at));
  const Arguments arguments(words, options_of(c), c.name);
  be_verbose(arguments.has("verbose"));
  warn_of_misspelt_variables();
  if (arguments.has("help")) {
    out().write(help_page(c));
    return kDone;
  }
  refuse_on_ranks(c);
  check_words(c, arguments);
  expect_outputs_apart(c, arguments);
  return c.run(arguments);
}

}  // namespace

}  // namespace claros::cli

int main(int count, char** words) {
  using namespace claros::cli;
  occupy_closed_descriptors();
  calm_linear_algebra(words);
  start_of_program();
  outlive_failed_writes();
  catch_lost_pages();
  keep_memory();
  static Ranks ranks;
  const int code = [&] {
    const NoExit guard;
    return with_lost_messages(guarded(
        [](int words_count, char** all) {
          set_commands(all_themes());
          ranks.start();
          return dispatch(words_count, all);
        },
        count, words));
  }();
  if (run_is_stuck()) ::_exit(code);
  return ranks.end(code);
}

// SPDX-License-Identifier: BSD-3-Clause
#include <signal.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "command.hpp"
#include "environment.hpp"
#include "report.hpp"
#include "terminal.hpp"

/// Of OpenBLAS, where that is the linear algebra library of the machine.
extern "C" __attribute__((weak)) void openblas_set_num_threads(int);

namespace claros::cli {

namespace {

/// Parallelism lies above the linear algebra. Its threads are told here because they start before main.
void calm_linear_algebra() {
  if (!std::getenv("OPENBLAS_NUM_THREADS") && openblas_set_num_threads) openblas_set_num_threads(1);
}

/// The first word that is neither an option nor the value of a common one: common options may stand before
/// it.
std::vector<std::string>::iterator find_command(std::vector<std::string>& words) {
  auto at = words.begin();
  while (at != words.end() && at->starts_with('-')) {
    const auto takes_next = [&](const Option& o) { return !o.value.empty() && *at == "--" + o.name; };
    const bool skip = std::any_of(common_options().begin(), common_options().end(), takes_next);
    at += skip && at + 1 != words.end() ? 2 : 1;
  }
  return at;
}

int without_command(const std::vector<std::string>& words) {
  if (words.empty()) {
    err().write(front_page());
    return kUsage;
  }
  std::vector<Option> options = common_options();
  options.push_back({"version", "", "version of the library"});
  const Arguments arguments(words, options, "");
  if (arguments.has("version")) return version(arguments);
  if (arguments.has("help")) return help(arguments);
  throw Error(ErrorKind::usage, "", "there is no command", "claros --help lists them");
}

void check_words(const Command& c, const Arguments& arguments) {
  const auto& words = arguments.words();
  const std::string remedy = "write claros " + c.name + ' ' + c.usage;
  if (words.size() < c.fewest_words) throw Error(ErrorKind::usage, c.name, "needs a " + c.usage, remedy);
  if (words.size() > c.most_words)
    throw Error(ErrorKind::usage, "'" + words[c.most_words] + "'", "is one word too many", remedy);
}

/// Somebody who forgot the command named a file.
const Command& named_command(const std::string& name) {
  std::error_code code;
  if (std::filesystem::is_regular_file(name, code))
    throw Error(ErrorKind::usage, "'" + name + "'", "is a file and no command",
                "did you mean claros run " + name + "?");
  return command(name);
}

int dispatch(int count, char** words_) {
  std::vector<std::string> words(words_ + std::min(count, 1), words_ + count);
  const auto at = find_command(words);
  if (at == words.end()) return without_command(words);
  const Command& c = named_command(*at);
  words.erase(at);
  std::vector<Option> options = c.options;
  options.insert(options.end(), common_options().begin(), common_options().end());
  const Arguments arguments(words, options, c.name);
  warn_of_misspelt_variables();
  if (arguments.has("help")) {
    out().write(help_page(c));
    return kDone;
  }
  check_words(c, arguments);
  return c.run(arguments);
}

}  // namespace

}  // namespace claros::cli

int main(int count, char** words) {
  using namespace claros::cli;
  // A reader that goes away ends the output, not a run that still has a folder to write.
  ::signal(SIGPIPE, SIG_IGN);
  calm_linear_algebra();
  return guarded(dispatch, count, words);
}

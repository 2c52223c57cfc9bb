// SPDX-License-Identifier: BSD-3-Clause
#include "cli/messages.hpp"
#include "cli/terminal.hpp"
#include "complete/commands.hpp"
#include "complete/completion.hpp"

namespace claros::cli {

int complete_command(const Arguments& arguments) {
  std::string page;
  for (const Candidate& c : complete_line(arguments.words())) {
    // A line of the answer could not tell such a name from two.
    if (printable(c.word) != c.word) continue;
    page += c.word + (c.meaning.empty() ? "" : '\t' + printable(c.meaning)) + '\n';
  }
  out().write(page);
  return kDone;
}

}  // namespace claros::cli

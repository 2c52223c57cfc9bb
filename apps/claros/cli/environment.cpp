// SPDX-License-Identifier: BSD-3-Clause
#include "cli/environment.hpp"

#include <claros/error.hpp>

#include <unistd.h>

#include <algorithm>
#include <string>
#include <vector>

#include "cli/help_text.hpp"
#include "cli/messages.hpp"

namespace claros::cli {

void warn_of_misspelt_variables() {
  std::vector<std::string> known;
  for (const Term& variable : environment()) known.push_back(variable.name);
  for (char** entry = environ; entry && *entry; ++entry) {
    const std::string text = *entry, name = text.substr(0, text.find('='));
    if (!name.starts_with("CLAROS_") || std::find(known.begin(), known.end(), name) != known.end()) continue;
    if (const std::string hint = did_you_mean(name, known); !hint.empty())
      message_sink(false)(Severity::warning, "the environment variable " + name +
                                                 " is not one that Claros reads (" + hint + ")");
  }
}

}  // namespace claros::cli

// SPDX-License-Identifier: BSD-3-Clause
#include <claros/error.hpp>
#include <claros/io/split_ratings.hpp>
#include <claros/parameters.hpp>

#include <fmt/format.h>

#include "cli/messages.hpp"
#include "cli/terminal.hpp"
#include "data/commands.hpp"

namespace claros::cli {

namespace {

std::string required_file(const Arguments& arguments, const std::string& option) {
  if (const auto file = arguments.get(option)) {
    if (option == "held" && file->find_first_not_of("0123456789.%") == std::string::npos)
      throw Error(ErrorKind::usage, "--held", "is " + *file + "; expected the name of a file",
                  "write --share 0.2 for how much is held out, or ./" + *file + " for the file");
    return *file;
  }
  throw Error(ErrorKind::usage, "--" + option, "is missing", "write --out TRAIN --held TEST");
}

SplitRule rule_of(const Arguments& arguments) {
  if (arguments.has("share") && arguments.has("one-a-row"))
    throw Error(ErrorKind::usage, "--share", "and --one-a-row both say what is held out", "give one of them");
  if (arguments.has("newest") && arguments.has("seed"))
    throw Error(ErrorKind::usage, "--seed", "is about lines that are drawn, and --newest draws none",
                "give one of them");
  return {.share = parse_real(arguments.get("share").value_or("0.2")),
          .one_a_row = arguments.has("one-a-row"),
          .newest = arguments.has("newest"),
          .seed = static_cast<std::uint64_t>(parse_integer(arguments.get("seed").value_or("0"))),
          .delimiter = arguments.get("delimiter").value_or("auto"),
          .header = arguments.get("header").value_or("auto"),
          .columns = arguments.get("columns").value_or("")};
}

}  // namespace

int split_command(const Arguments& arguments) {
  if (!arguments.unfit().empty()) throw Error(ErrorKind::usage, arguments.unfit());
  const std::string held = required_file(arguments, "held"), out = required_file(arguments, "out");
  const SplitCounts counts = split_ratings(arguments.words()[0], out, held, rule_of(arguments));
  report(fmt::format("{} lines to {}, {} to {}", counts.kept, out, counts.held, held));
  return kDone;
}

}  // namespace claros::cli

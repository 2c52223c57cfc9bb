// SPDX-License-Identifier: BSD-3-Clause
#include <claros/compose/composition.hpp>
#include <claros/run/dry_start.hpp>

#include "cli/messages.hpp"
#include "cli/session.hpp"
#include "cli/terminal.hpp"
#include "solve/commands.hpp"
#include "solve/summary.hpp"

#include <algorithm>

namespace claros::cli {

namespace {

/// Warns of settings for which run would refuse --out, and only --out.
void warn_of_checkpoints(const Composition& c) {
  if (!(c.output.checkpoint > 0) && !c.output.checkpoint_every) return;
  for (const Complaint& complaint : unsavable_parts(c.problem(), *c.algorithm, c.names))
    c.context.warn("run --out would refuse: " + Complaint{complaint.where, complaint.what,
                                                          "set output.checkpoint = 0, or run without --out"}
                                                    .sentence());
}

}  // namespace

/// The output is a specification itself: the parts as comments, then every parameter of every section.
int check_command(const Arguments& arguments) {
  Request request = read_request(arguments);
  const Catalog catalog = open_catalog(arguments, request);
  const Composition composition =
      compose(catalog, request.spec, message_sink(false), std::move(request.complaints));
  dry_start(composition, run_settings(composition));
  warn_of_checkpoints(composition);
  std::string page = "# " + printable(request.name) + " is valid: " + opening(composition) +
                     ".\n# The specification with every default:\n#\n";
  std::size_t width = 13;
  for (const auto& [role, part] : parts_of(composition)) width = std::max(width, role.size() + 4);
  for (const auto& [role, part] : parts_of(composition)) page += row("# " + role, part, 0, width, 110);
  out().write(page + '\n' + composition.effective.text());
  return kDone;
}

}  // namespace claros::cli

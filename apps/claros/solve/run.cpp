// SPDX-License-Identifier: BSD-3-Clause
#include <claros/paths/held_out_choice.hpp>

#include <optional>

#include "cli/interrupt.hpp"
#include "cli/messages.hpp"
#include "cli/out_folder.hpp"
#include "cli/ranks.hpp"
#include "cli/session.hpp"
#include "report/live_page.hpp"
#include "solve/commands.hpp"
#include "solve/solve.hpp"

namespace claros::cli {

int run_command(const Arguments& arguments) {
  Request request = read_request(arguments);
  std::optional<OutFolder> folder;
  if (const auto path = arguments.get("out"); path && is_first_rank())
    folder.emplace(*path, request.complaints);
  const Catalog catalog = open_catalog(arguments, request);
  check_watch(arguments, request.complaints);
  ChoiceSettings choice{.interrupt = &catch_interrupts()};
  choice.folds = count_option(arguments, "folds", request.complaints);
  const Composition composition = compose_with_choice(
      catalog, request.spec, {}, message_sink(arguments.has("quiet")), std::move(request.complaints), choice);
  std::optional<RunFolder> kept;
  if (folder) folder->prepare(), kept.emplace(folder->path(), RunFolder::For::new_run);
  return solve_and_show(composition, arguments, kept ? &*kept : nullptr);
}

}  // namespace claros::cli

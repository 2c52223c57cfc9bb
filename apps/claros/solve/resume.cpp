// SPDX-License-Identifier: BSD-3-Clause
#include <claros/compose/composition.hpp>
#include <claros/compose/spec.hpp>
#include <claros/results/checkpoint.hpp>
#include <claros/world.hpp>

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "cli/linear_algebra.hpp"
#include "cli/messages.hpp"
#include "cli/ranks.hpp"
#include "cli/session.hpp"
#include "solve/commands.hpp"
#include "solve/solve.hpp"

namespace claros::cli {

int resume_command(const Arguments& arguments) {
  reserve_linear_algebra(1);
  const std::filesystem::path folder = arguments.words().front();
  std::vector<Complaint> complaints;
  (void)Spec::read(folder / "spec.ini",
                   complaints);   // before anything is made in what may be no folder of a run
  std::optional<RunFolder> kept;  // of the first rank, which writes it
  if (is_first_rank()) kept.emplace(folder, RunFolder::For::resume);
  complaints.clear();
  Spec spec = Spec::read(folder / "spec.ini", complaints);
  spec.assign({arguments.words().begin() + 1, arguments.words().end()}, "command line", complaints);
  const Catalog catalog = open_catalog(arguments);
  const bool quiet = arguments.has("quiet");
  const Composition composition = compose(catalog, spec, message_sink(quiet), std::move(complaints));
  std::string state;
  const auto read = [&] {
    if (const auto saved = read_checkpoint(folder, composition, kept->id())) state = saved->bytes();
  };
  const bool there = kept && std::filesystem::exists(folder / "checkpoint");
  if (World::here().size() == 1)
    read();
  else
    ask_for_start(composition, there ? std::function<void()>(read) : std::function<void()>());
  if (kept && state.empty() && !quiet)
    report(folder.string() + ": has no checkpoint yet: the run starts from the beginning");
  if (World::here().size() > 1) state = text_of_first(World::here(), "checkpoint", std::move(state));
  return solve_and_show(composition, arguments, kept ? &*kept : nullptr, state);
}

}  // namespace claros::cli

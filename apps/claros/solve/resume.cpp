// SPDX-License-Identifier: BSD-3-Clause
#include <claros/compose/composition.hpp>
#include <claros/io/spec.hpp>
#include <claros/results/checkpoint.hpp>

#include "main/command.hpp"
#include "main/linear_algebra.hpp"
#include "main/session.hpp"
#include "solve/report.hpp"
#include "solve/solve.hpp"

namespace claros::cli {

int resume_command(const Arguments& arguments) {
  reserve_linear_algebra(1);
  const std::filesystem::path folder = arguments.words().front();
  std::vector<Complaint> complaints;
  (void)Spec::read(folder / "spec.ini",
                   complaints);  // before anything is made in what may be no folder of a run
  RunFolder kept(folder, RunFolder::For::resume);
  complaints.clear();
  Spec spec = Spec::read(folder / "spec.ini", complaints);
  spec.assign({arguments.words().begin() + 1, arguments.words().end()}, "command line", complaints);
  const Catalog catalog = open_catalog(arguments);
  const bool quiet = arguments.has("quiet");
  const Composition composition = compose(catalog, spec, message_sink(quiet), std::move(complaints));
  const auto state = read_checkpoint(folder, composition, kept.id());
  if (!state && !quiet)
    report(folder.string() + ": has no checkpoint yet: the run starts from the beginning");
  return solve_and_show(composition, arguments, &kept, state ? state->bytes() : std::string_view());
}

}  // namespace claros::cli

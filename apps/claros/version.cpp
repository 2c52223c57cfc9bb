// SPDX-License-Identifier: BSD-3-Clause
#include <claros/map/instruction_set.hpp>
#include <claros/plugin.hpp>
#include <claros/state/run_folder.hpp>

#include <fmt/format.h>

#include "command.hpp"
#include "report.hpp"
#include "terminal.hpp"

namespace claros::cli {

int version_command(const Arguments&) {
  out().write(
      fmt::format("claros {}\n"
                  "  plugin interface  {}\n"
                  "  compiler          GCC {}\n"
                  "  loops for         {}\n"
                  "  fingerprint       {}\n",
                  claros::version(), kPluginAbi, __VERSION__, text(instruction_set()), CLAROS_FINGERPRINT));
  return kDone;
}

}  // namespace claros::cli

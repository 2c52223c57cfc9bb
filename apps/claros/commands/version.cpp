// SPDX-License-Identifier: BSD-3-Clause
#include <claros/plugin.hpp>
#include <claros/results/arithmetic.hpp>
#include <claros/results/run_folder.hpp>

#include <fmt/format.h>

#include "cli/linear_algebra.hpp"
#include "cli/messages.hpp"
#include "cli/terminal.hpp"
#include "commands/commands.hpp"

namespace claros::cli {

int version_command(const Arguments&) {
  const std::map<std::string, std::string> others = arithmetic();
  out().write(
      fmt::format("claros {}\n"
                  "  plugin interface  {}\n"
                  "  compiler          GCC {}\n"
                  "  loops for         {}\n"
                  "  C library         {}\n"
                  "  BLAS              {}\n"
                  "  LAPACK            {}\n"
                  "  fingerprint       {}\n"
                  "  what they change  claros help digits\n",
                  claros::version(), kPluginAbi, __VERSION__, others.at("loops"), others.at("libm"),
                  others.at("blas"), others.at("lapack"), CLAROS_FINGERPRINT));
  if (!linear_algebra_kernels().empty()) out().write(linear_algebra_kernels() + '\n');
  return kDone;
}

}  // namespace claros::cli

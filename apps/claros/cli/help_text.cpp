// SPDX-License-Identifier: BSD-3-Clause
#include "cli/help_text.hpp"

namespace claros::cli {

const std::vector<Term>& exit_codes() {
  static const std::vector<Term> codes{
      {"0", "the run ended by its rules: it met a target, used up a budget, or stopped gaining"},
      {"1",
       "a verdict or a conformance test failed; of tune and path: nothing that could be chosen met its "
       "target"},
      {"2", "the command line or the specification is wrong"},
      {"3", "a plugin cannot be used, or broke a promise of its interface"},
      {"4", "a file cannot be read or written, or has unexpected contents"},
      {"5", "numerical failure: divergence, or no convergence"},
      {"6", "doctor: no test failed, but some could not run"},
      {"7", "success, but messages could not be written to the standard error"},
      {"130", "interrupted (the solution so far is kept)"},
  };
  return codes;
}

const std::vector<Term>& environment() {
  static const std::vector<Term> variables{
      {"CLAROS_PLUGIN_PATH", "further folders of plugins: absolute paths separated by ':'"},
      {"CLAROS_CPU",
       "instruction set of the loops: baseline, avx2 or avx512; default: the widest that the processor has"},
      {"CLAROS_MEMORY", "memory limit for data, such as 8GiB; default: the free memory"},
      {"CLAROS_LINE", "longest line of a text file; default 256MiB"},
      {"CLAROS_EXPANSION",
       "largest ratio of uncompressed data to the size of its file, above 256 MiB; default 2000"},
      {"CLAROS_HDF5_READER", "the program that reads HDF5 files; default: the one beside the plugins"},
      {"CLAROS_TRUST", "plugins and folders whose ownership check is skipped, as by --trust"},
      {"NO_COLOR", "no colours, if set and not empty"},
      {"OPENBLAS_NUM_THREADS", "threads of the linear algebra; default 1"},
  };
  return variables;
}

}  // namespace claros::cli

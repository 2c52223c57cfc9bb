// SPDX-License-Identifier: BSD-3-Clause
#include "main/help_text.hpp"

namespace claros::cli {

const char* const kIntroduction =
    R"(Claros minimises f(x) + R(x) + h(x) over x in C. Each letter is a plugin, composed
by name: f an objective, R a smoother, h a penalty, C a set; an algorithm solves,
fed by a gradient estimator.
)";

const char* const kFirstRun = R"(
  Write four ratings (row, column, value) and a specification:

    printf '1 1 5\n1 2 3\n2 1 4\n3 2 1\n' > ratings.txt
    cat > ratings.ini <<END
    [objective]
    use = matrix-completion
    data = ratings.txt
    [set]
    use = nuclear-ball
    radius = 8
    [algorithm]
    use = frank-wolfe
    [stop]
    iterations = 200
    relative_gap = 1e-3
    END

    claros check ratings.ini                 what would run, with every default
    claros run ratings.ini --out first       solve; keep everything in first/
    claros run ratings.ini set.radius=4      the same with another radius
    claros describe nuclear-ball             what can be set
)";

const std::vector<Term>& exit_codes() {
  static const std::vector<Term> codes{
      {"0", "the run ended by a rule of its specification: a target or a budget"},
      {"1", "a verdict or a conformance test failed"},
      {"2", "the command line or the specification is wrong"},
      {"3", "a plugin cannot be used, or broke its contract"},
      {"4", "a file cannot be read or written, or holds something else"},
      {"5", "the numbers failed: divergence, or no convergence"},
      {"6", "nothing failed, and doctor could not test enough to prove it"},
      {"7", "all was done, and messages could not be written to the standard error"},
      {"130", "interrupted (the answer so far is kept)"},
  };
  return codes;
}

const std::vector<Term>& environment() {
  static const std::vector<Term> variables{
      {"CLAROS_PLUGIN_PATH", "more folders of plugins, absolute, separated by ':'"},
      {"CLAROS_CPU", "loops for baseline, avx2 or avx512; the widest that the machine has unless set"},
      {"CLAROS_MEMORY", "the most that data may take, such as 8GiB; what is free unless set"},
      {"CLAROS_LINE", "the longest line of a text; 256MiB unless set"},
      {"CLAROS_EXPANSION", "how many times larger than its file data may be, above 256 MiB; 2000 unless set"},
      {"CLAROS_HDF5_READER", "the program that reads HDF5 files, where it does not lie beside the plugins"},
      {"CLAROS_TRUST", "plugins, or folders of them, to load whoever can change them, as by --trust"},
      {"NO_COLOR", "anything but empty: no colours"},
      {"OPENBLAS_NUM_THREADS", "threads of the linear algebra; 1 unless set"},
  };
  return variables;
}

}  // namespace claros::cli

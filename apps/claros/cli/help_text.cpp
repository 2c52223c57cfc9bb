// SPDX-License-Identifier: BSD-3-Clause
#include "cli/help_text.hpp"

namespace claros::cli {

const char* const kFirstScreen =
    R"(Claros minimises f(x) + R(x) + h(x) over x in C. Each part is a plugin that you
choose by name. Three examples:

  Which columns of a table matter? Lambda is chosen by cross-validation:
    claros path objective.use=linear-model objective.data=houses.csv \
        penalty.use=l1 --folds 5 --out fit
    claros predict fit/best new-houses.csv

  Ratings (row, column, value) completed, and lists of recommendations:
    claros run objective.use=matrix-completion objective.data=ratings.csv --out fit
    claros recommend fit --top 10

  The portfolio of least variance, from a matrix of covariances:
    claros run objective.use=quadratic objective.data=covariances.csv \
        set.use=simplex set.radius=1

  claros help             all commands, options and exit codes
  claros help WORD        a command, a component, a parameter, a term such as gap
  claros list             all components; claros describe NAME shows one
  claros advise ...       which methods solve a problem, and why

Tutorials: docs/guides/tutorials in the sources, share/doc/claros/guides/tutorials
in an installation.
)";

const char* const kIntroduction =
    R"(Claros minimises f(x) + R(x) + h(x) over x in C. Each part is a plugin that you
choose by name: an objective f, a smoother R, a penalty h and a set C. An algorithm
solves the problem, with gradients from an estimator.
)";

const char* const kFirstRun = R"(
  Write four ratings (row, column, value) and a specification. Without [algorithm]
  and [stop] Claros chooses a method, and ends at a relative gap of 1e-6:

    printf '1 1 5\n1 2 3\n2 1 4\n3 2 1\n' > ratings.txt
    cat > ratings.ini <<END
    [objective]
    use = matrix-completion
    data = ratings.txt
    [set]
    use = nuclear-ball
    radius = 4
    END

    claros check ratings.ini                 check, and print every default
    claros run ratings.ini --out first       solve; write results to first/
    claros run ratings.ini algorithm.use=frank-wolfe stop.relative_gap=1e-3
    claros run ratings.ini set.radius=3      solve with another radius
    claros advise ratings.ini                which algorithms solve it, and why
    claros describe nuclear-ball             show its parameters

  Tutorials from a file to a picture (a table, ratings, an image, an assignment, a
  portfolio, phase retrieval) are in share/doc/claros/guides/tutorials of an
  installation, in docs/guides/tutorials of the sources.
)";

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

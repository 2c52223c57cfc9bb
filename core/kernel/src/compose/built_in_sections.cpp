// SPDX-License-Identifier: BSD-3-Clause
#include <claros/compose/composition.hpp>

#include <utility>

namespace claros {

const ParameterTable<StartOptions>& start_parameters() {
  static const ParameterTable<StartOptions> table{
      row("from", &StartOptions::from, any(),
          "where the run starts: auto is the set's own start point, or zero when it has none; zero; "
          "mean-fill, of the observed entries with their mean "
          "everywhere else the best approximation of rank start.rank, projected onto the set; or a point: "
          "the folder of a "
          "run with its solution, or a Matrix Market, .npy or text file"),
      row("rank", &StartOptions::rank, at_least(0), "of start.from = mean-fill: its rank")};
  return table;
}

const ParameterTable<OutputOptions>& output_parameters() {
  static const ParameterTable<OutputOptions> table{
      row("solution", &OutputOptions::solution,
          "whether the run folder gets the solution as Matrix Market files"),
      row("checkpoint", &OutputOptions::checkpoint, at_least(0),
          "seconds between checkpoints in the run folder, from which claros resume continues, and "
          "more where writing one takes longer than 2% of them; 0: none"),
      row("checkpoint_every", &OutputOptions::checkpoint_every, at_least(0),
          "steps between checkpoints, besides those by time; 0: by time alone")};
  return table;
}

const ParameterTable<RunOptions>& run_parameters() {
  Range trials = integers(between(1, 65535));
  trials.words += ", or a failure probability in (0, 1)";
  trials.accepts = [whole = std::move(trials.accepts)](double v) {
    return (v >= 0x1p-1000 && v < 1.0) || whole(v);
  };
  static const ParameterTable<RunOptions> table{
      row("seed", &RunOptions::seed, at_least(0), "seed of every random stream of the run"),
      row("threads", &RunOptions::threads, between(1, 256), "threads; the result does not depend on it"),
      row("trials", &RunOptions::trials, std::move(trials),
          "independent runs, of which the one of smallest gap is the solution; below 1: a failure "
          "probability delta, for which they are ceil(log2(1/delta))",
          "k"),
      row("base", &RunOptions::base, any(),
          "folder against which relative file names are resolved; empty: that of the specification"),
      row("fallback", &RunOptions::fallback, any(),
          "algorithms that go on, in this order and with their defaults, if the one before stands still; "
          "empty: none, or where Claros chooses the algorithm (algorithm.use = auto) others of its choice")};
  return table;
}

const std::vector<BuiltInSection>& built_in_sections() {
  static const std::vector<BuiltInSection> sections{
      {"start", &start_parameters(), "where the run starts"},
      {"stop", &stop_parameters(), "when the run ends: at the first rule that holds"},
      {"trace", &trace_parameters(), "what is measured on the way"},
      {"output", &output_parameters(), "what the run folder holds"},
      {"run", &run_parameters(), "seed, threads, folders"},
  };
  return sections;
}

}  // namespace claros

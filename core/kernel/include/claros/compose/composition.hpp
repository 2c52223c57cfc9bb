// SPDX-License-Identifier: BSD-3-Clause
/// @file composition.hpp  From a specification to components that fit together, or to every reason why they
/// do not.
#pragma once

#include <claros/algorithm.hpp>
#include <claros/compose/plan.hpp>
#include <claros/dataset.hpp>
#include <claros/run/run_loop.hpp>

#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace claros {

class ProgramServices;
class Succession;

/// The keys of [start].
struct StartOptions {
  std::string from = "auto";
  Index rank = 0;  ///< the rank of mean-fill
};
CLAROS_API const ParameterTable<StartOptions>& start_parameters();

/// The keys of [output].
struct OutputOptions {
  bool solution = true;
  double checkpoint = 10.0;    ///< seconds between checkpoints; 0: none
  Index checkpoint_every = 0;  ///< steps between checkpoints; 0: by time alone
};
CLAROS_API const ParameterTable<OutputOptions>& output_parameters();

/// The keys of [run].
struct RunOptions {
  Index seed = 0;
  Index threads = 1;
  double trials = 1;  ///< independent runs, of which the one of smallest gap is kept; below 1: delta
  std::string base;
  std::string fallback;  ///< algorithms that go on, in this order, if the one before stands still

  /// The number of trials, ceil(log2(1/delta)) for a delta. (Shen et al. 2019, Remark 3.1)
  Index trial_count() const {
    return static_cast<Index>(trials < 1.0 ? std::ceil(-std::log2(trials) * (1.0 - 1e-12)) : trials);
  }
};
CLAROS_API const ParameterTable<RunOptions>& run_parameters();

/// A section whose keys belong to Claros and not to a plugin: its name and its table.
struct BuiltInSection {
  std::string name;
  const ParameterList* parameters;
  std::string summary;
};
CLAROS_API const std::vector<BuiltInSection>& built_in_sections();

/// A component that a program made itself, of the kind of its role.
struct CLAROS_API HostPart {
  Kind kind{};
  std::shared_ptr<Component> component;
};

/// The components that a program gives to a composition. They take the place of sections ("set",
/// "algorithm.inner"); they may serve one run after the other, never two at once. Errors call them set/host,
/// ...
struct CLAROS_API HostParts {
  std::map<std::string, HostPart> parts;
  std::shared_ptr<const Dataset> data;
  std::shared_ptr<const Element> start;  ///< of the run, in the units of the data; goes before start.from
};

/// algorithm.use = auto, or no name: Claros chooses by the abilities of the other components.
inline constexpr std::string_view kAutoAlgorithm = "auto";

/// A parameter written as a fraction of its largest useful value, and the number in its place.
struct CLAROS_API ResolvedFraction {
  std::string key;      ///< "penalty.lambda"
  std::string written;  ///< "0.1*max"
  double max = kUnset;
  double number = kUnset;
};

/// The numbers that were tried for a parameter, and their errors on data held out.
struct CLAROS_API HeldOutChoice {
  std::string key;                                ///< "penalty.lambda"
  Index folds = 1, held_out = 0;                  ///< held_out: entries, of all folds together
  std::vector<double> numbers = {};               ///< in the order in which they were tried
  std::string measure = "rmse";                   ///< or "accuracy", of classes
  std::vector<double> measured = {}, error = {};  ///< mean over the folds, and its standard error
  std::size_t chosen = 0;                         ///< place of the number that was taken
};

/// Components made from a specification. Owns them; `problem()` points into it.
struct CLAROS_API Composition {
  Context context;
  std::vector<Node> parts;  ///< the outermost, in the order of root_roles
  std::shared_ptr<const Element> truth;
  std::shared_ptr<const Element> given_start;  ///< in the coordinates of the objective; may be null
  StopOptions stop;
  TraceOptions trace;
  StartOptions start;
  OutputOptions output;
  RunOptions run;
  Spec written;                             ///< as it was given
  Spec effective;                           ///< every parameter of every section, re-runnable from any folder
  std::vector<ResolvedFraction> fractions;  ///< `effective` has their numbers
  std::vector<HeldOutChoice> choices;       ///< `effective` has the numbers that were taken
  std::vector<std::string> notices;         ///< what was said while it was made: choices, memory, advice
  std::shared_ptr<Ledger> ledger;
  const ProgramServices* services = nullptr;  ///< of the catalogue
  const Catalog* catalog = nullptr;           ///< that the components are from; outlives them

  // The outermost parts by their interfaces; null for roles that are empty. Set by `connect`.
  std::shared_ptr<Objective> objective;  ///< f; f + R where the algorithm does not take R apart
  std::shared_ptr<Objective> smoother;   ///< R, where it does
  std::shared_ptr<Component> penalty, set;
  std::shared_ptr<GradientEstimator> estimator;
  std::shared_ptr<Algorithm> algorithm;
  std::shared_ptr<Succession> succession;                      ///< the same, if run.fallback names others
  std::shared_ptr<ProximalOracle> penalty_oracle, projection;  ///< as the variable sees them (FreeTail)
  ComponentNames names;

  /// Every part, owners before what they hold.
  std::vector<const Node*> all_parts() const;
  std::vector<std::pair<std::string, std::string>> versions() const;  ///< label, version of each plugin
  Problem problem() const;
  Element start_point() const;
  void start_at(Element x);  ///< of the units of the data, in which solutions are returned
  /// Keeps the objective and makes the other parts anew, so that they draw other random numbers.
  Composition trial(std::uint32_t number) const;
  /// Sets a number among the parameters of an outermost part ("penalty.lambda") and builds that part again.
  /// All other parts stay as they are, with what the objective has read and remembers. Throws Error(usage) if
  /// no part has the parameter, or the number is out of its range.
  void set_number(const std::string& key, double number);
  /// Computes the max of that fraction again, for its part as `set_number` left it.
  void renew_max(const std::string& key);
  /// max_j |g_j|, g the gradient of the model with the intercept alone. Throws what `lambda = max` throws.
  double null_slope() const;
  /// To be called whenever a component of `parts` was replaced.
  void connect();
};

/// Reads, validates and creates everything that `spec` names. Throws Error(usage) with all complaints about
/// the specification at once, and with `complaints`, which were found while reading it. Complaints are about
/// unknown sections, components and keys, and about values out of range. They are also about parts that do
/// not fit together, with the reason and what would fit. Components that read data are created only if there
/// are no complaints; what they throw (Error(data) for their files) is reported together too.
CLAROS_API Composition compose(const Catalog& catalog, const Spec& spec, MessageSink messages = {},
                               std::vector<Complaint> complaints = {});
/// Takes components of the program for some parts. A part that `spec` names too is complained about.
CLAROS_API Composition compose(const Catalog& catalog, const Spec& spec, const HostParts& parts,
                               MessageSink messages = {}, std::vector<Complaint> complaints = {});

/// The text that decides the objective and its data: specifications with the same text make the same.
CLAROS_API std::string objective_text(const Spec& spec);
/// Composes with the objective and the data of `earlier` (null: none), whose specification has the same
/// objective_text. Its file is not read again. The two must not run at once, and the order of their runs is
/// that of their making.
CLAROS_API Composition compose_beside(const Composition* earlier, const Catalog& catalog, const Spec& spec,
                                      MessageSink messages, std::vector<Complaint> complaints);

/// The data that [data] of a specification makes; null when it has no such section. Complains of that section
/// alone.
CLAROS_API std::shared_ptr<const Dataset> make_data(const Catalog& catalog, const Spec& spec,
                                                    MessageSink messages = {});

/// The settings of the run loop that a composition asks for, without callbacks.
CLAROS_API RunSettings run_settings(const Composition& composition);

/// Runs a composition once, or with `trials` k > 1 as k independent runs. It keeps the run with the smallest
/// gap at its solution. With k = ceil(log2(1/delta)) that turns a bound in expectation into one of
/// probability 1 - delta (Shen et al. 2019, Remark 3.1). Counts and seconds are those of all trials. For the
/// gaps that decide, each trial adds n component gradients and one linear minimisation. Throws Error(usage)
/// when there is more than one trial and no gap.
CLAROS_API RunResult run(const Composition& composition, const RunSettings& settings);

/// One run, whatever run.trials says; the algorithms of run.fallback go on where it stands still.
CLAROS_API RunResult run_once(const Composition& composition, RunSettings settings);

/// Throws what `run` would refuse, without a step (run/dry_start.hpp); for several trials, it starts the
/// first.
CLAROS_API void dry_start(const Composition& composition, const RunSettings& settings);

/// True if anything in [stop] can end the run.
CLAROS_API bool has_stop(const StopOptions& stop) noexcept;

}  // namespace claros

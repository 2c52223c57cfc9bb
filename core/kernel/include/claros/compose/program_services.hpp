// SPDX-License-Identifier: BSD-3-Clause
/// @file program_services.hpp  Knowledge of programs that the kernel lacks: names of components and of other
/// libraries, files of points, several runs of one composition.
#pragma once

#include <claros/algorithm.hpp>
#include <claros/api.hpp>
#include <claros/compose/spec.hpp>
#include <claros/context.hpp>
#include <claros/element/element.hpp>
#include <claros/error.hpp>
#include <claros/missing_parts.hpp>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace claros {

class Catalog;
struct Composition;
struct Node;
struct RunResult;
struct RunSettings;

/// One algorithm that `auto` may take.
struct CLAROS_API AlgorithmChoice {
  std::string name;                                            ///< "working-set"
  std::vector<std::pair<std::string, std::string>> more = {};  ///< {"algorithm.inner.use", "prox-newton"}
  std::string reason;  ///< "the penalty leaves most coordinates at 0, ..."
  bool operator==(const AlgorithmChoice&) const = default;
};

/// A catalogue carries the services of its program (Catalog::serve). The library claros-runs has them
/// (claros/program.hpp).
class CLAROS_API ProgramServices {
 public:
  virtual ~ProgramServices();

  /// `spec` in the names of Claros, as far as a name of another library means exactly the same; each is said
  /// to `messages`.
  virtual Spec with_own_names(const Catalog& catalog, const Spec& spec,
                              const MessageSink& messages) const = 0;
  /// `error`, with a remedy where a complaint is about a name of another library.
  virtual Error with_remedies(const Error& error) const = 0;
  /// The algorithms for a problem whose specification names none, the best first, by the abilities of its
  /// components; its algorithm is not read. Throws Error(usage) if the program knows none.
  virtual std::vector<AlgorithmChoice> algorithms_for(const Problem& problem, Component* penalty) const = 0;
  /// The components that would do, "a, b" or "": those of the role of which an example has what is missing.
  virtual std::string fitting_parts(const MissingPart& missing, const Catalog& catalog,
                                    const Context& context) const = 0;
  /// Gives the composition the start that start.from names; it is neither auto nor zero, and the parts but
  /// for the algorithm are connected. Throws Error(usage) if there is none, Error(data) if it does not fit
  /// the objective.
  virtual void find_start(Composition& composition) const = 0;
  /// The settings that a table gives to options of the objective at `auto`: an intercept and standardised
  /// columns. `parts` are the outermost, planned. Empty if the model stays as it is.
  virtual std::vector<Setting> for_table(const std::vector<Node>& parts, const Context& context) const = 0;
  /// The point in the file that trace.truth names. Throws Error(data) if it is not of that shape.
  virtual Element truth(const std::filesystem::path& file, const Shape& shape,
                        const Context& context) const = 0;
  /// Throws Error(usage) if run.trials runs of the composition, more than one, cannot be compared by gaps.
  virtual void check_trials(const Composition& composition) const = 0;
  /// Makes run.trials runs, and returns the one with the smallest gap (run, composition.hpp).
  virtual RunResult run_trials(const Composition& composition, const RunSettings& settings) const = 0;
};

/// The services of the catalogue, or if it has none: the specification and errors as they are, no hints, and
/// Error(usage) for all else.
CLAROS_API const ProgramServices& services_of(const Catalog& catalog);

}  // namespace claros

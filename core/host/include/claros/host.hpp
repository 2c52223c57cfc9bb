// SPDX-License-Identifier: BSD-3-Clause
/// @file host.hpp  Claros inside a program of your own: compose by name or from your own objects, and solve.
///
///     const Catalog catalog = Catalog::standard();
///     RunResult lasso = Solver(catalog)
///                           .objective("linear-model", {{"loss", "squared"}})
///                           .data(data_from_rows(a, n, p, y))
///                           .penalty("l1", {{"lambda", 0.1}})
///                           .algorithm("proximal-gradient", {{"accelerate", true}})
///                           .stop_when({{"gap", 1e-6}})
///                           .solve();
#pragma once

#include <claros/api.hpp>
#include <claros/compose/composition.hpp>
#include <claros/expected.hpp>
#include <claros/loss.hpp>
#include <claros/predictor.hpp>
#include <claros/prepared_solver.hpp>

#include <atomic>
#include <concepts>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace claros {

/// A composition that a program fills, role by role, and runs. Each role is filled by name, with parameters,
/// or by an object of the program; the last call for a role holds. `compose`, `check`, `solve` and
/// `try_solve` check everything at once, as for a specification file, and report all errors. In the `where`
/// of an error a role is a section ("set.radius").
///
/// A solver is a small value: copies are independent, and several may run at once, on one catalogue, in
/// threads of their own. Components made by name and data are then safe to share. An object of the program
/// belongs to one run at a time, which is checked. `solve` may be called again: named components are made
/// anew, objects are started anew.
class CLAROS_API Solver {
 public:
  /// The catalogue outlives the solver. The calls below add to `spec`: Spec::read("solve.ini").
  explicit Solver(const Catalog& catalog, Spec spec = Spec());
  explicit Solver(Catalog&&, Spec = Spec()) = delete;

  /// A role by the name of a plugin and its parameters. `constraint` is the set of the section [set].
  Solver& objective(const std::string& name, const Values& parameters = {});
  Solver& penalty(const std::string& name, const Values& parameters = {});
  Solver& smoother(const std::string& name, const Values& parameters = {});
  Solver& constraint(const std::string& name, const Values& parameters = {});
  Solver& estimator(const std::string& name, const Values& parameters = {});
  Solver& algorithm(const std::string& name, const Values& parameters = {});
  Solver& data(const std::string& name, const Values& parameters = {});

  /// A role by an object of the program.
  Solver& objective(std::shared_ptr<Objective> object);
  Solver& penalty(std::shared_ptr<Component> object);
  Solver& smoother(std::shared_ptr<Objective> object);
  Solver& constraint(std::shared_ptr<Component> object);
  Solver& estimator(std::shared_ptr<GradientEstimator> object);
  Solver& algorithm(std::shared_ptr<Algorithm> object);
  /// See memory_data.hpp.
  Solver& data(std::shared_ptr<const Dataset> object);

  /// Fills a role within a component: part("algorithm.inner", "proximal-gradient", ...). Components that were
  /// given for the roles below it are removed. A Component is a set or a penalty, an Objective a smoother
  /// too.
  Solver& part(const std::string& path, const std::string& name, const Values& parameters = {});
  template <std::derived_from<Component> Object>
  Solver& part(const std::string& path, std::shared_ptr<Object> object) {
    constexpr Kind kind = std::derived_from<Object, Objective>           ? Kind::objective
                          : std::derived_from<Object, GradientEstimator> ? Kind::estimator
                          : std::derived_from<Object, Algorithm>         ? Kind::algorithm
                          : std::derived_from<Object, Loss>              ? Kind::loss
                                                                         : Kind::set;
    return give_part(path, kind, std::move(object));
  }

  /// Stopping rules: keys of [stop], added to those given before.
  Solver& stop_when(const Values& values);
  /// Which points are measured: keys of [trace], likewise.
  Solver& trace(const Values& values);
  /// Options of the run (seed, threads, trials): keys of [run], likewise.
  Solver& options(const Values& values);
  /// The point where the run starts, in the units of the data, as solutions are returned.
  Solver& start_from(Element point);

  /// Called on the running thread after every step; false ends the run with the status stopped_by_host.
  Solver& on_step(std::function<bool(const Step&)> callback);
  /// Notes and warnings; without it they are dropped.
  Solver& on_message(MessageSink sink);
  /// Polled after every step; true ends the run with the status interrupted. Outlives the runs.
  Solver& interrupt(const std::atomic<bool>& flag);

  /// Throws the errors that `solve` would report before its first step, and makes no step (dry_start.hpp).
  void check() const;
  /// Everything checked and made, nothing run. For `run` (compose/composition.hpp) with other settings.
  Composition compose() const;
  /// The solution is in the units of the data; what a baseline adds to it is result.training->baseline.
  /// Throws Error; what a callback throws passes through. How the run ended is a status, also after a
  /// numerical failure.
  RunResult solve() const;
  /// Does not throw.
  Expected<RunResult> try_solve() const noexcept;
  /// Composes once for many runs (prepared_solver.hpp). Later calls on this solver do not change what was
  /// made.
  PreparedSolver prepare() const;

 private:
  Solver& name_part(const std::string& path, const std::string& name, const Values& parameters);
  Solver& give_part(const std::string& path, Kind kind, std::shared_ptr<Component> object);
  Solver& assign(const std::string& section, const Values& values);

  const Catalog* catalog_;
  Spec spec_;
  HostParts parts_;
  std::vector<Complaint> complaints_;
  RunSettings callbacks_;  ///< of which only the callbacks are used
  MessageSink messages_;
};

/// The result of a run of `composition` as `Solver::solve` gives it: the solution in the units of the data,
/// and the training if there is one.
CLAROS_API RunResult in_units_of_data(const Composition& composition, RunResult result);

}  // namespace claros

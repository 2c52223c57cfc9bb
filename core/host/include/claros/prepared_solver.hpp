// SPDX-License-Identifier: BSD-3-Clause
/// @file prepared_solver.hpp  Many small problems of one composition, one after the other.
///
///     PreparedSolver lasso = solver.prepare();
///     for (const auto& y : responses) lasso.data(data_from_rows(a, n, p, y)).set("penalty.lambda",
///     0.2).solve();
#pragma once

#include <claros/api.hpp>
#include <claros/compose/composition.hpp>
#include <claros/expected.hpp>
#include <claros/parameters.hpp>

#include <atomic>
#include <concepts>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace claros {

/// The value of a parameter, from a C++ value; numbers keep their bits.
class Value {
 public:
  Value(const char* text) : text_(text) {}
  Value(std::string text) : text_(std::move(text)) {}
  template <class Number>
  requires std::is_arithmetic_v<Number> Value(Number number) : text_(print(number)) {}
  /// Numbers written out, as a list.
  Value(const std::vector<double>& numbers) : Value(numbers, static_cast<Index>(numbers.size())) {}
  /// Numbers written out row after row, as a matrix of so many columns.
  Value(const std::vector<double>& row_major, Index cols) {
    for (std::size_t k = 0; k < row_major.size(); ++k) {
      text_ += print_real(row_major[k]);
      if (k + 1 < row_major.size()) text_ += (static_cast<Index>(k) + 1) % cols == 0 ? "; " : ",";
    }
  }
  const std::string& text() const noexcept { return text_; }

 private:
  static std::string print(bool value) { return print_boolean(value); }
  static std::string print(std::integral auto value) { return print_integer(static_cast<Index>(value)); }
  static std::string print(std::floating_point auto value) { return print_real(static_cast<double>(value)); }
  std::string text_;
};

/// {{"radius", 100}, {"engine", "lanczos"}}
using Values = std::vector<std::pair<std::string, Value>>;

/// A solver that keeps its components from one run to the next. Every run makes the steps of `Solver::solve`
/// on the same data, start and parameters, bit for bit.
///
/// It exchanges changed parts if that is known to give the same as composing:
/// - data of the same shape and storage,
/// - the start,
/// - numbers of the outermost penalty, set, estimator and algorithm,
/// - stopping rules.
///
/// Otherwise it composes again, which takes longer and gives messages. It always composes again in these
/// cases:
/// - A component remembers earlier calls (spectral sets).
/// - The composition has a smoother.
/// - The start is computed from data.
/// - The data change and [stop] has no rule.
///
/// Counts leave out work that an objective remembers from earlier runs on the same data, such as its
/// constants. One thread at a time uses an object; several objects may run at once, on one catalogue.
class CLAROS_API PreparedSolver {
 public:
  /// Takes the arguments of `compose`, and throws the same errors. The catalogue outlives the solver.
  /// Solver::prepare is shorter.
  PreparedSolver(const Catalog& catalog, Spec spec, HostParts parts, MessageSink messages = {},
                 std::vector<Complaint> complaints = {});
  PreparedSolver(PreparedSolver&&) noexcept;
  PreparedSolver& operator=(PreparedSolver&&) noexcept;
  ~PreparedSolver();

  PreparedSolver& data(std::shared_ptr<const Dataset> object);
  PreparedSolver& start_from(Element point);
  /// A parameter by its dotted name: set("penalty.lambda", 0.2), set("stop.relative_gap", 1e-8). Throws
  /// Error(usage) for a name that no section can have; values are checked by the next run.
  PreparedSolver& set(const std::string& name, const Value& value);
  /// Apply to the runs that follow, as those of Solver do.
  PreparedSolver& on_step(std::function<bool(const Step&)> callback);
  PreparedSolver& interrupt(const std::atomic<bool>* flag);

  /// Throws as Solver::solve. After an error the solver may be changed and used again.
  RunResult solve();
  Expected<RunResult> try_solve() noexcept;

  /// The composition of the last run, or of `prepare`. Throws Error(usage) after a call that threw.
  const Composition& composition() const;

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace claros

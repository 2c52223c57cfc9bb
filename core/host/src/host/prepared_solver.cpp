// SPDX-License-Identifier: BSD-3-Clause
#include <claros/compose/program_services.hpp>
#include <claros/host.hpp>

#include "host/busy_objects.hpp"
#include "host/exchange.hpp"
#include "surroundings.hpp"

#include <map>
#include <optional>
#include <utility>

namespace claros {

struct PreparedSolver::Implementation {
  void compose();
  bool exchange();
  RunResult run();

  const Catalog& catalog;
  Spec spec;
  HostParts parts;
  std::vector<Complaint> complaints;
  MessageSink messages;
  RunSettings callbacks = {};  ///< of which only on_step and interrupt are used

  std::optional<Exchange> made = {};                ///< none if it has to be composed
  std::map<std::string, std::string> numbers = {};  ///< set since the last run
  std::shared_ptr<const Dataset> data = nullptr;    ///< given since the last run
  bool used = false;                                ///< true if `made` has run
};

void PreparedSolver::Implementation::compose() {
  made.reset(), numbers.clear(), data = nullptr, used = false;
  const ProgramServices& services = services_of(catalog);
  try {
    const Spec own = services.with_own_names(catalog, spec, messages);
    made.emplace(claros::compose(catalog, own, parts, messages, complaints), own);
  } catch (const Error& error) {
    throw services.with_remedies(error);
  }
}

/// Returns true if everything set since the last run could be exchanged. Errors are for `compose` to report,
/// with all others.
bool PreparedSolver::Implementation::exchange() try {
  if (!made) return false;
  if (parts.start) made->composition.start_at(*parts.start);
  const bool changed = data || !numbers.empty();
  if ((used || changed) && !made->is_reusable()) return false;
  std::optional<SharedSurroundings> shared;
  if (changed) shared.emplace();
  if (data && !made->data(std::exchange(data, nullptr))) return false;
  for (const auto& [name, text] : std::exchange(numbers, {}))
    if (!made->number(name, text)) return false;
  return !changed || made->is_same_choice();
} catch (const Error&) {
  return false;
} catch (...) {
  made.reset();
  throw;
}

RunResult PreparedSolver::Implementation::run() {
  const Composition& composition = made->composition;
  RunSettings settings = run_settings(composition);
  settings.on_step = callbacks.on_step;
  settings.interrupt = callbacks.interrupt;
  used = true;
  return in_units_of_data(composition, claros::run(composition, settings));
}

PreparedSolver::PreparedSolver(const Catalog& catalog, Spec spec, HostParts parts, MessageSink messages,
                               std::vector<Complaint> complaints)
    : implementation_(new Implementation{catalog, std::move(spec), std::move(parts), std::move(complaints),
                                         std::move(messages)}) {
  const BusyObjects held(implementation_->parts);
  implementation_->compose();
}
PreparedSolver::PreparedSolver(PreparedSolver&&) noexcept = default;
PreparedSolver& PreparedSolver::operator=(PreparedSolver&&) noexcept = default;
PreparedSolver::~PreparedSolver() = default;

PreparedSolver& PreparedSolver::data(std::shared_ptr<const Dataset> object) {
  implementation_->spec.erase("data");
  implementation_->parts.data = implementation_->data = std::move(object);
  if (!implementation_->data) implementation_->made.reset();
  return *this;
}

PreparedSolver& PreparedSolver::start_from(Element point) {
  implementation_->parts.start = std::make_shared<const Element>(std::move(point));
  return *this;
}

PreparedSolver& PreparedSolver::set(const std::string& name, const Value& value) {
  implementation_->spec.set(name, value.text());
  implementation_->numbers[name] = value.text();
  return *this;
}

PreparedSolver& PreparedSolver::on_step(std::function<bool(const Step&)> callback) {
  implementation_->callbacks.on_step = std::move(callback);
  return *this;
}

PreparedSolver& PreparedSolver::interrupt(const std::atomic<bool>* flag) {
  implementation_->callbacks.interrupt = flag;
  return *this;
}

RunResult PreparedSolver::solve() {
  Implementation& own = *implementation_;
  const BusyObjects held(own.parts);
  const bool exchanged = own.exchange();
  if (!exchanged) own.compose();
  try {
    return own.run();
  } catch (const Error& error) {
    own.made.reset();
    if (!exchanged || error.kind() != ErrorKind::usage) throw;
  } catch (...) {
    own.made.reset();
    throw;
  }
  own.compose();  // which says what does not fit, and what would
  return own.run();
}

Expected<RunResult> PreparedSolver::try_solve() noexcept {
  return attempt([this] { return solve(); });
}

const Composition& PreparedSolver::composition() const {
  if (implementation_->made) return implementation_->made->composition;
  throw Error(ErrorKind::usage, "composition", "there is none after a call that failed", "call solve first");
}

}  // namespace claros

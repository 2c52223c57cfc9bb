// SPDX-License-Identifier: BSD-3-Clause
#include <claros/compose/program_services.hpp>
#include <claros/host.hpp>
#include <claros/run/dry_start.hpp>

#include "host/busy_objects.hpp"
#include "surroundings.hpp"

#include <optional>
#include <utility>

namespace claros {

Solver::Solver(const Catalog& catalog, Spec spec) : catalog_(&catalog), spec_(std::move(spec)) {}

Solver& Solver::assign(const std::string& section, const Values& values) {
  for (const auto& [key, value] : values) try {
      spec_.set(section + '.' + key, value.text());
    } catch (const Error& error) {
      complaints_.insert(complaints_.end(), error.complaints().begin(), error.complaints().end());
    }
  return *this;
}

Solver& Solver::name_part(const std::string& path, const std::string& name, const Values& parameters) {
  spec_.erase(path);
  parts_.parts.erase(path);
  assign(path, {{std::string(kUse), name}});
  return assign(path, parameters);
}

Solver& Solver::give_part(const std::string& path, Kind kind, std::shared_ptr<Component> object) {
  spec_.erase(path);
  if (object)
    parts_.parts[path] = {kind, std::move(object)};
  else
    parts_.parts.erase(path);
  return *this;
}

Solver& Solver::objective(const std::string& name, const Values& parameters) {
  return name_part("objective", name, parameters);
}
Solver& Solver::penalty(const std::string& name, const Values& parameters) {
  return name_part("penalty", name, parameters);
}
Solver& Solver::smoother(const std::string& name, const Values& parameters) {
  return name_part("smoother", name, parameters);
}
Solver& Solver::constraint(const std::string& name, const Values& parameters) {
  return name_part("set", name, parameters);
}
Solver& Solver::estimator(const std::string& name, const Values& parameters) {
  return name_part("estimator", name, parameters);
}
Solver& Solver::algorithm(const std::string& name, const Values& parameters) {
  return name_part("algorithm", name, parameters);
}
Solver& Solver::data(const std::string& name, const Values& parameters) {
  parts_.data = nullptr;
  return name_part("data", name, parameters);
}

Solver& Solver::objective(std::shared_ptr<Objective> object) {
  return give_part("objective", Kind::objective, std::move(object));
}
Solver& Solver::penalty(std::shared_ptr<Component> object) {
  return give_part("penalty", Kind::penalty, std::move(object));
}
Solver& Solver::smoother(std::shared_ptr<Objective> object) {
  return give_part("smoother", Kind::smoother, std::move(object));
}
Solver& Solver::constraint(std::shared_ptr<Component> object) {
  return give_part("set", Kind::set, std::move(object));
}
Solver& Solver::estimator(std::shared_ptr<GradientEstimator> object) {
  return give_part("estimator", Kind::estimator, std::move(object));
}
Solver& Solver::algorithm(std::shared_ptr<Algorithm> object) {
  return give_part("algorithm", Kind::algorithm, std::move(object));
}
Solver& Solver::data(std::shared_ptr<const Dataset> object) {
  spec_.erase("data");
  parts_.data = std::move(object);
  return *this;
}
Solver& Solver::part(const std::string& path, const std::string& name, const Values& parameters) {
  return name_part(path, name, parameters);
}
Solver& Solver::stop_when(const Values& values) { return assign("stop", values); }
Solver& Solver::trace(const Values& values) { return assign("trace", values); }
Solver& Solver::options(const Values& values) { return assign("run", values); }
Solver& Solver::start_from(Element point) {
  parts_.start = std::make_shared<const Element>(std::move(point));
  return *this;
}

Solver& Solver::on_step(std::function<bool(const Step&)> callback) {
  callbacks_.on_step = std::move(callback);
  return *this;
}
Solver& Solver::on_message(MessageSink sink) {
  messages_ = std::move(sink);
  return *this;
}
Solver& Solver::interrupt(const std::atomic<bool>& flag) {
  callbacks_.interrupt = &flag;
  return *this;
}

Composition Solver::compose() const {
  const ProgramServices& services = services_of(*catalog_);
  try {
    return claros::compose(*catalog_, services.with_own_names(*catalog_, spec_, messages_), parts_, messages_,
                           complaints_);
  } catch (const Error& error) {
    throw services.with_remedies(error);
  }
}

void Solver::check() const {
  const BusyObjects held(parts_);
  const Composition composition = compose();
  dry_start(composition, run_settings(composition));
}

RunResult Solver::solve() const {
  const BusyObjects held(parts_);
  std::optional<const Composition> composition(compose());
  RunSettings settings = run_settings(*composition);
  settings.on_step = callbacks_.on_step;
  settings.interrupt = callbacks_.interrupt;
  RunResult result = in_units_of_data(*composition, claros::run(*composition, settings));
  const SharedSurroundings shared;
  composition.reset();
  return result;
}

Expected<RunResult> Solver::try_solve() const noexcept {
  return attempt([this] { return solve(); });
}

PreparedSolver Solver::prepare() const {
  PreparedSolver prepared(*catalog_, spec_, parts_, messages_, complaints_);
  prepared.on_step(callbacks_.on_step).interrupt(callbacks_.interrupt);
  return prepared;
}

RunResult in_units_of_data(const Composition& composition, RunResult result) {
  if (auto* rescaled = query<Rescaled>(*composition.objective))
    result.answer = rescaled->original(result.answer);
  if (auto* predictor = query<Predictor>(*composition.objective))
    result.training = std::make_shared<const Training>(predictor->training().without_entries());
  return result;
}

}  // namespace claros

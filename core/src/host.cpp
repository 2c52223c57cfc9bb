// SPDX-License-Identifier: BSD-3-Clause
#include <claros/host.hpp>

#include "busy_objects.hpp"

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

Solver& Solver::name_part(Kind kind, const std::string& name, const Values& parameters) {
  const std::string section = kind_name(kind);
  spec_.erase(section);
  assign(section, {{std::string(kUse), name}});
  return assign(section, parameters);
}

Solver& Solver::objective(const std::string& name, const Values& parameters) {
  parts_.objective = nullptr;
  return name_part(Kind::objective, name, parameters);
}
Solver& Solver::penalty(const std::string& name, const Values& parameters) {
  parts_.penalty = nullptr;
  return name_part(Kind::penalty, name, parameters);
}
Solver& Solver::set(const std::string& name, const Values& parameters) {
  parts_.set = nullptr;
  return name_part(Kind::set, name, parameters);
}
Solver& Solver::estimator(const std::string& name, const Values& parameters) {
  parts_.estimator = nullptr;
  return name_part(Kind::estimator, name, parameters);
}
Solver& Solver::algorithm(const std::string& name, const Values& parameters) {
  parts_.algorithm = nullptr;
  return name_part(Kind::algorithm, name, parameters);
}
Solver& Solver::data(const std::string& name, const Values& parameters) {
  parts_.data = nullptr;
  return name_part(Kind::data, name, parameters);
}

Solver& Solver::objective(std::shared_ptr<Objective> object) {
  spec_.erase("objective");
  parts_.objective = std::move(object);
  return *this;
}
Solver& Solver::penalty(std::shared_ptr<Component> object) {
  spec_.erase("penalty");
  parts_.penalty = std::move(object);
  return *this;
}
Solver& Solver::set(std::shared_ptr<Component> object) {
  spec_.erase("set");
  parts_.set = std::move(object);
  return *this;
}
Solver& Solver::estimator(std::shared_ptr<GradientEstimator> object) {
  spec_.erase("estimator");
  parts_.estimator = std::move(object);
  return *this;
}
Solver& Solver::algorithm(std::shared_ptr<Algorithm> object) {
  spec_.erase("algorithm");
  parts_.algorithm = std::move(object);
  return *this;
}
Solver& Solver::data(std::shared_ptr<const Dataset> object) {
  spec_.erase("data");
  parts_.data = std::move(object);
  return *this;
}

Solver& Solver::stop(const Values& values) { return assign("stop", values); }
Solver& Solver::trace(const Values& values) { return assign("trace", values); }
Solver& Solver::run(const Values& values) { return assign("run", values); }
Solver& Solver::start(Element point) {
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
  return claros::compose(*catalog_, spec_, parts_, messages_, complaints_);
}

RunResult Solver::solve() const {
  const BusyObjects held(parts_);
  const Composition composition = compose();
  RunSettings settings = run_settings(composition);
  settings.on_step = callbacks_.on_step;
  settings.interrupt = callbacks_.interrupt;
  RunResult result = claros::run(composition, settings);
  if (auto* rescaled = query<Rescaled>(*composition.objective))
    result.answer = rescaled->original(result.answer);
  if (auto* predictor = query<Predictor>(*composition.objective))
    result.training = std::make_shared<const Training>(predictor->training());
  return result;
}

Expected<RunResult> Solver::try_solve() const noexcept {
  return attempt([this] { return solve(); });
}

}  // namespace claros

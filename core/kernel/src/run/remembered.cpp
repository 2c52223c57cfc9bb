// SPDX-License-Identifier: BSD-3-Clause
#include "run/remembered.hpp"
#include "state/state_members.hpp"

namespace claros {

Remembered::Remembered(const Problem& problem) {
  const auto add = [&](const std::string& name, Component* part) {
    State* state = part ? query<State>(*part) : nullptr;
    if (state && has_members(*state)) parts_.emplace_back(name, state);
  };
  for (const Kept& kept : problem.kept)
    if (kept.name.starts_with("set") || kept.name.starts_with("penalty")) add(kept.name, kept.component);
  if (problem.kept.empty()) add("set", problem.set);
  if (parts_.empty()) return;
  if (auto* referable = query<Referable>(*problem.objective)) referable->refer(references_);
  StateWriter out(references_);
  for (const auto& [name, state] : parts_) out(name, state);
  bytes_ = out.bytes();
}

void Remembered::give_back() const {
  if (parts_.empty()) return;
  StateReader in(bytes_, references_, "measurement");
  for (const auto& [name, state] : parts_) in(name, state);
}

}  // namespace claros

// SPDX-License-Identifier: BSD-3-Clause
#include "host/exchange.hpp"

#include "state/state_members.hpp"

#include <claros/map/design.hpp>
#include <claros/state/state.hpp>

#include <algorithm>

namespace claros {

namespace {

/// True if objectives take both in the same way, whatever the numbers are.
bool is_alike(const Dataset& a, const Dataset& b) {
  if (a.truth() || b.truth() || a.ratings() || b.ratings() || a.measurements() || b.measurements())
    return false;
  const auto p = a.design(), q = b.design();
  return p && q && p->rows == q->rows && p->cols == q->cols && p->entries.index() == q->entries.index() &&
         !p->by_columns() == !q->by_columns() && p->labels.empty() && q->labels.empty() &&
         p->column_names.empty() == q->column_names.empty() && p->weights.empty() == q->weights.empty() &&
         p->offset.empty() == q->offset.empty() && !p->encoding && !q->encoding &&
         !p->responses == !q->responses && (!p->responses || p->responses->count == q->responses->count);
}

bool names_algorithm(const Spec& spec) {
  const auto use = spec.get("algorithm", std::string(kUse));
  return use && use->value != kAutoAlgorithm;
}

Node* part_at(Composition& c, const std::string& path) {
  const auto at = std::ranges::find(c.parts, path, &Node::path);
  return at == c.parts.end() ? nullptr : &*at;
}

/// True if a part continues from its earlier state, from composing or from the last run. A part on which
/// `start` is called starts anew.
bool remembers(const Node& part, bool started) {
  if (part.restarted) return false;
  State* state = started ? nullptr : query<State>(*part.component);
  return (state && has_members(*state)) ||
         std::ranges::any_of(part.held, [](const Node& held) { return remembers(held, false); });
}

bool is_plain(Composition& c) {
  const bool own_start = c.start.from == "auto" || c.start.from == "zero";
  return own_start && !c.truth && !part_at(c, "smoother") &&
         std::ranges::none_of(c.parts, [](const Node& part) {
           return remembers(part, part.kind == Kind::algorithm || part.kind == Kind::estimator);
         });
}

}  // namespace

Exchange::Exchange(Composition made, const Spec& spec)
    : composition(std::move(made)),
      plain_(is_plain(composition)),
      stop_given_(spec.has("stop") && has_stop(composition.stop)),
      choice_open_(!names_algorithm(spec)) {
  if (choice_open_) chosen_ = choice();
  for (const ResolvedFraction& fraction : composition.fractions)
    fractions_.emplace_back(fraction.key, parse_scaled(fraction.written).value);
}

std::vector<AlgorithmChoice> Exchange::choice() const {
  return composition.services->algorithms_for(composition.problem(), composition.penalty.get());
}

bool Exchange::is_same_choice() const { return !choice_open_ || choice() == chosen_; }

bool Exchange::data(std::shared_ptr<const Dataset> object) {
  Node* objective = part_at(composition, "objective");
  const auto& before = composition.context.data;
  if (!stop_given_ || !objective || !objective->entry || !before || !object) return false;
  if (!is_alike(*before, *object)) return false;
  const Shape shape = composition.objective->shape();
  composition.context.data = std::move(object);
  build(*objective, composition.context, composition.ledger);
  composition.connect();
  return composition.objective->shape() == shape && renew_fractions();
}

/// Only one fraction is renewed: several in one component might depend on each other.
bool Exchange::renew_fractions() {
  if (fractions_.empty()) return true;
  const auto& [key, factor] = fractions_.front();
  if (fractions_.size() > 1 || !part_at(composition, key.substr(0, key.rfind('.')))) return false;
  composition.renew_max(key);
  const double max = std::ranges::find(composition.fractions, key, &ResolvedFraction::key)->max;
  composition.set_number(key, factor * max);
  return true;
}

bool Exchange::number(const std::string& name, const std::string& text) {
  const auto dot = name.rfind('.');
  if (dot == name.npos) return false;
  const std::string path = name.substr(0, dot), key = name.substr(dot + 1);
  if (path == "stop") return stop_rule(key, text);
  Node* part = part_at(composition, path);
  return part && part->entry && part_number(*part, key, text);
}

bool Exchange::stop_rule(const std::string& key, const std::string& text) {
  if (!stop_given_ || !stop_parameters().find(key)) return false;
  stop_parameters().assign(&composition.stop, key, text);
  composition.effective.put({key, stop_parameters().print(&composition.stop, key), {}, "stop"});
  return has_stop(composition.stop);
}

/// Lists and names are for `compose`, which checks what they have to fit.
bool Exchange::part_number(Node& part, const std::string& key, const std::string& text) {
  const bool chosen = choice_open_ && part.kind == Kind::algorithm;
  const bool kept = part.kind == Kind::penalty || part.kind == Kind::set || part.kind == Kind::estimator ||
                    part.kind == Kind::algorithm;
  if (chosen || !kept || !part.entry->parameters().find(key)) return false;
  const ScaledNumber number = parse_scaled(text);
  const std::string name = part.path + '.' + key;
  const bool was_fraction = std::erase_if(fractions_, [&](const auto& f) { return f.first == name; }) > 0;
  if (number.of_max || (!fractions_.empty() && !was_fraction)) return false;
  std::erase_if(composition.fractions, [&](const ResolvedFraction& f) { return f.key == name; });
  composition.set_number(name, number.value);
  return true;
}

}  // namespace claros

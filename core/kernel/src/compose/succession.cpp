// SPDX-License-Identifier: BSD-3-Clause
#include "compose/succession.hpp"

#include <claros/error.hpp>
#include <claros/plugin/catalog.hpp>

#include <algorithm>
#include <utility>

namespace claros {

std::vector<std::string> fallback_names(const std::string& text) {
  std::vector<std::string> names;
  for (std::size_t at = text.find_first_not_of(", "); at != text.npos;) {
    const std::size_t end = std::min(text.find_first_of(", ", at), text.size());
    names.push_back(text.substr(at, end - at));
    at = text.find_first_not_of(", ", end);
  }
  return names;
}

Succession::Succession(const Composition& composition, std::shared_ptr<Algorithm> first)
    : catalog_(*composition.catalog),
      context_(composition.context),
      ledger_(composition.ledger),
      names_(fallback_names(composition.run.fallback)),
      first_(std::move(first)),
      first_label_(composition.names.algorithm) {}

void Succession::start(const Problem& problem, Element x0) {
  problem_ = problem;
  now_ = first_;
  made_.clear();
  number_ = 0;
  history_.clear();
  now_->start(problem, std::move(x0));
}

bool Succession::take_next(Index steps, const std::string& how) {
  const std::string before = made_.empty() ? first_label_ : made_.front().label();
  Element x(now_->iterate());
  x.drop_images();
  for (std::size_t k = number_ + 1; k <= names_.size(); ++k) {
    if (!take(k, x)) continue;
    const std::string what = before + " stood still after " + std::to_string(steps) + " steps (" + how +
                             "), and " + made_.front().label() + " went on";
    context_.note(what);
    history_ += (history_.empty() ? "" : "; ") + what;
    return true;
  }
  return false;
}

/// False if the algorithm of that number does not fit the problem, or refuses it.
bool Succession::take(std::size_t number, Element x0) try {
  std::vector<Node> made{
      plan_component(catalog_, catalog_.at(Kind::algorithm, names_[number - 1]), {}, context_)};
  build(made.front(), context_, ledger_);
  auto next = std::static_pointer_cast<Algorithm>(made.front().component);
  next->start(problem_, std::move(x0));
  now_ = std::move(next);
  made_ = std::move(made);
  number_ = number;
  return true;
} catch (const Error&) {
  return false;
}

void Succession::state(StateVisitor& v) {
  auto number = static_cast<Index>(number_);
  v("number", number);
  v.require(number >= 0 && number <= static_cast<Index>(names_.size()), "number", "not one of run.fallback");
  v("history", history_);
  if (v.loading() && number > 0)
    v.require(take(static_cast<std::size_t>(number), first_->iterate()), "number", "refuses the problem");
  std::vector<Kept> kept;
  collect_kept(made_, kept);
  if (made_.empty()) kept.push_back({"algorithm", first_label_, first_.get()});
  for (const Kept& part : kept) v(part.name, query<State>(*part.component));
}

void* Succession::ability(std::string_view id) noexcept {
  void* own = now_->ability(id);
  return own && id == State::kAbility ? static_cast<State*>(this) : own;
}

}  // namespace claros

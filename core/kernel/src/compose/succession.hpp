// SPDX-License-Identifier: BSD-3-Clause
/// @file succession.hpp  Algorithms one after the other (run.fallback).
#pragma once

#include <claros/compose/composition.hpp>

#include <memory>
#include <string>
#include <vector>

namespace claros {

/// The parts with a state between two steps.
void collect_kept(const std::vector<Node>& parts, std::vector<Kept>& all);

/// The words of run.fallback.
std::vector<std::string> fallback_names(const std::string& text);

/// An algorithm and those that go on, in this order, if it stands still. They are made when they are needed,
/// with their defaults; those that do not fit the problem are passed over.
class Succession final : public Algorithm, public State {
 public:
  Succession(const Composition& composition, std::shared_ptr<Algorithm> first);

  /// The next algorithm that fits starts at the iterate; false if none is left. `how` says in words how the
  /// one before stood still.
  bool take_next(Index steps, const std::string& how);
  /// A sentence for each that stood still.
  const std::string& history() const { return history_; }

  std::vector<Need> needs() const override { return first_->needs(); }
  Takes takes() const override { return first_->takes(); }
  void start(const Problem& problem, Element x0) override;
  void step() override { now_->step(); }
  const Element& iterate() const override { return now_->iterate(); }
  const Element& answer() override { return now_->answer(); }
  StepReport report() const override { return now_->report(); }
  const Element* penalty_subgradient() override { return now_->penalty_subgradient(); }
  void measured(const Measurement& m) override { now_->measured(m); }
  bool plans_snapshots() const override { return now_->plans_snapshots(); }
  void state(StateVisitor& v) override;
  void* ability(std::string_view id) noexcept override;

 private:
  bool take(std::size_t number, Element x0);

  const Catalog& catalog_;
  const Context context_;
  const std::shared_ptr<Ledger> ledger_;
  const std::vector<std::string> names_;
  const std::shared_ptr<Algorithm> first_;
  const std::string first_label_;
  Problem problem_;
  std::shared_ptr<Algorithm> now_ = first_;
  std::vector<Node> made_;  ///< now_, unless it is the first
  std::size_t number_ = 0;  ///< of now_ among names_, from 1; 0: the first
  std::string history_;
};

}  // namespace claros

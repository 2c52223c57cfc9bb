// SPDX-License-Identifier: BSD-3-Clause
/// @file convex.hpp  The sets and penalties of the subject that tests go through, and points to try them on.
#pragma once

#include <claros/abilities.hpp>
#include <claros/linear_oracle.hpp>
#include <claros/proximal_oracle.hpp>

#include <functional>

#include "bench.hpp"

namespace claros::doctor {

/// A set or a penalty for variables of one shape.
class Tried {
 public:
  Tried(Bench& bench, std::shared_ptr<Component> component, Shape shape);

  Component& component() const { return *component_; }
  const Shape& shape() const { return shape_; }
  LinearOracle* linear() const { return linear_; }
  ProximalOracle* proximal() const { return proximal_; }
  Membership* membership() const { return membership_; }
  Conjugate* conjugate() const { return conjugate_; }
  /// The violation that points of the set may show: rounding, and the slack that its membership states.
  double slack() const { return 1e-9 + (membership_ ? membership_->slack() : 0.0); }
  Element element(const Numbers& x) const { return element_of(shape_, x); }
  /// Weak convexity of a penalty; infinite if nothing makes it convex.
  double mu() const { return proximal_->weak_convexity(); }
  /// The step length below which proximal steps have one solution; infinite if all have, or if nothing makes
  /// the penalty convex.
  double longest_step() const { return mu() > 0.0 && mu() < kInfinity ? 1.0 / mu() : kInfinity; }
  /// True if the settings are those that were asked for, with nothing varied.
  bool usual() const { return usual_; }
  void set_usual(bool usual) { usual_ = usual; }
  /// The settings that the component was made with.
  const Settings& settings() const { return settings_; }
  void set_settings(Settings settings) { settings_ = std::move(settings); }
  /// For a set, a length of the order of its extent; for a penalty, 1.
  double size() const { return size_; }

  /// argmin <c, v> as exactly as the oracle can.
  Numbers vertex(const Numbers& c, OracleInfo* info = nullptr) const;
  Numbers prox(const Numbers& v, double step = 1.0) const;
  double value(const Numbers& x) const { return proximal_->value(element(x)); }
  /// A point of the set, made of corners, projections, and points at the end of rays that membership allows.
  Numbers feasible(Bench& bench) const;
  std::vector<Numbers> feasible(Bench& bench, int count) const;

 private:
  Numbers last_inside(Bench& bench, const Numbers& from) const;

  std::shared_ptr<Component> component_;
  Shape shape_;
  LinearOracle* linear_;
  ProximalOracle* proximal_;
  Membership* membership_;
  Conjugate* conjugate_;
  Settings settings_;
  double size_ = 1.0;
  bool usual_ = true;
};

/// A length of a step that every penalty takes.
inline double usual_step(const Tried& h) {
  return h.longest_step() < kInfinity ? 0.4 * h.longest_step() : 0.7;
}

/// Calls `test` with every set or penalty that can be made and takes variables of a shape. Throws Skipped
/// when there is none.
void for_tried(Bench& bench, int variants, const std::function<void(Tried&)>& test);
/// Runs `test` as above, with variables of these shapes.
void for_tried(Bench& bench, int variants, const std::vector<Shape>& shapes,
               const std::function<void(Tried&)>& test);

}  // namespace claros::doctor

// SPDX-License-Identifier: BSD-3-Clause
/// @file ball.hpp  A sound set with a linear oracle, for fixtures that spoil its answers after some calls.
#pragma once

#include <claros/abilities.hpp>
#include <claros/linear_oracle.hpp>
#include <claros/plugin.hpp>
#include <claros/state/state.hpp>

#include <algorithm>

/// {x : ||x||_F <= radius}. argmin <c, u> = -radius c / ||c||.
class FixtureBall : public claros::Component,
                    public claros::LinearOracle,
                    public claros::Membership,
                    public claros::State {
 public:
  struct Options {
    double radius = 2.0;
    claros::Index after = 3;
  };
  static const claros::ParameterList& parameters() {
    static const claros::ParameterTable<Options> table{
        claros::row("radius", &Options::radius, claros::above(0.0), "radius of the ball"),
        claros::row("after", &Options::after, claros::at_least(0),
                    "sound answers in the run before the first spoilt one")};
    return table;
  }
  FixtureBall(const Options& options, const claros::Context&) : options_(options) {}

  claros::OracleInfo minimize(const claros::Element& direction, const claros::OracleRequest& request,
                              claros::Element& vertex) override {
    const double length = norm(direction);
    vertex = direction;
    vertex.fold();
    vertex.scale(length > 0 ? -options_.radius / length : 0.0);
    claros::OracleInfo info;
    info.value = info.lower_bound = -options_.radius * length;
    info.confirmed = true;
    if (!request.confirm && ++calls_ > options_.after) spoil(vertex);
    return info;
  }
  double diameter(const claros::Shape&) override { return 2 * options_.radius; }
  double violation(const claros::Element& x) override {
    return std::max(norm(x) / options_.radius - 1.0, 0.0);
  }
  void* ability(std::string_view id) noexcept override {
    return claros::offer<claros::LinearOracle, claros::Membership, claros::State>(this, id);
  }

  void state(claros::StateVisitor& v) override { v("calls", calls_); }

 protected:
  virtual void spoil(claros::Element&) {}

 private:
  Options options_;
  claros::Index calls_ = 0;
};

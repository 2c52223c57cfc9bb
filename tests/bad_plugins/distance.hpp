// SPDX-License-Identifier: BSD-3-Clause
/// @file distance.hpp  A sound objective without data, for fixtures that spoil its answers after some calls.
#pragma once

#include <claros/objective.hpp>
#include <claros/plugin.hpp>

/// f(X) = ||X - T||_F^2 / 2 on 3 x 2 matrices, T all ones: one component. States no smoothness.
class FixtureDistance : public claros::Objective {
 public:
  struct Options {
    claros::Index after = 3;
  };
  static const claros::ParameterList& parameters() {
    static const claros::ParameterTable<Options> table{claros::row(
        "after", &Options::after, claros::at_least(0), "sound answers before the first spoilt one")};
    return table;
  }
  FixtureDistance(const Options& options, const claros::Context&)
      : options_(options),
        target_(claros::Element::dense(claros::Shape::matrix(3, 2), std::vector<double>(6, 1.0))) {}

  claros::Shape shape() const override { return target_.shape(); }
  claros::Index terms() const override { return 1; }
  double value(const claros::Element& x) override {
    claros::Element rest(x);
    rest.add(-1.0, target_);
    const double value = 0.5 * inner(rest, rest);
    return ++values_ > options_.after ? spoilt_value(value) : value;
  }
  void add_gradient(const claros::Element& x, const claros::Batch&, double a, claros::Element& g) override {
    g.add(a, x);
    g.add(-a, target_);
    if (++gradients_ > options_.after) spoil_gradient(g);
  }
  claros::Constants constants() const override {
    claros::Constants c;
    c.convex = true;
    return c;
  }

 protected:
  virtual double spoilt_value(double value) const { return value; }
  virtual void spoil_gradient(claros::Element&) const {}

 private:
  Options options_;
  claros::Element target_;
  claros::Index values_ = 0, gradients_ = 0;
};

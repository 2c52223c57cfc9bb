// SPDX-License-Identifier: BSD-3-Clause
/// @file convex_cases.hpp  Penalties and sets of this build with several options each, and points to try them
/// on.
#pragma once

#include <claros/abilities.hpp>
#include <claros/doctor/doctor.hpp>
#include <claros/linear_oracle.hpp>
#include <claros/proximal_oracle.hpp>
#include <claros/state/state.hpp>

#include "../core/numbers.hpp"
#include "../core/random_elements.hpp"
#include "compose_for_test.hpp"

namespace claros::test {

/// A component and the words that made it.
struct Case {
  Kind kind;
  std::string name;
  Words options;  ///< "key=value"

  std::vector<Setting> settings() const {
    std::vector<Setting> all;
    for (const std::string& word : options)
      all.push_back({word.substr(0, word.find('=')), word.substr(word.find('=') + 1), {}, {}});
    return all;
  }
  std::shared_ptr<Component> make() const {
    return create_component(build_catalog(), kind, name, settings(), {});
  }
  Case with(const std::string& option) const { return {kind, name, options + Words{option}}; }
  std::string text() const {
    std::string all = name;
    for (const std::string& word : options) all += " " + word;
    return all;
  }
};

inline Case penalty(const std::string& name, const Words& options) { return {Kind::penalty, name, options}; }
inline Case set(const std::string& name, const Words& options) { return {Kind::set, name, options}; }

/// 1 x 1, vector, wide, tall: all of a size that groups of one, or rows and columns, fit.
inline const std::vector<Shape>& case_shapes() {
  static const std::vector<Shape> shapes{Shape::matrix(1, 1), Shape::vector(12), Shape::matrix(3, 8),
                                         Shape::matrix(8, 3)};
  return shapes;
}

/// Group options that fit every variable of that shape, contiguous and not.
inline std::vector<Words> group_options(const Shape& shape) {
  std::vector<Words> all{{"groups=1"}, {"groups=rows", "weights=sqrt"}, {"groups=columns", "weights=sqrt"}};
  if (shape.size() == 12) all.push_back({"groups=3, 0 7; 1-2 4 5-6; 8, 11; 9-10", "weights=sqrt"});
  if (shape.size() % 4 == 0) all.push_back({"groups=4"});
  return all;
}

/// Bounds for each of 12 entries; those of the last are the same.
inline const Words kBounds{"lowers=-1 0 0.5 -0.2 -3 0 -0.1 -2 0 -1 -0.5 0.25",
                           "uppers=1 0.5 2 0.3 -1 0.1 0 4 1 1 0.5 0.25"};

/// Convex penalties without a side constraint, as they fit the shape.
inline std::vector<Case> convex_penalties(const Shape& shape) {
  std::vector<Case> all{penalty("l1", {"lambda=0.7"}),
                        penalty("l1", {"lambda=0"}),
                        penalty("elastic-net", {"lambda=0.8", "ratio=0.3"}),
                        penalty("elastic-net", {"lambda=0.8", "ratio=1"}),
                        penalty("elastic-net", {"lambda=0.8", "ratio=0"}),
                        penalty("ridge", {"lambda=0.6"}),
                        penalty("box", {"lower=-0.4", "upper=0.9"}),
                        penalty("box", {"lower=0.25", "upper=inf"}),
                        penalty("nonnegative", {}),
                        penalty("nuclear", {"lambda=0.7"})};
  if (shape.size() == 12) all.push_back(penalty("box", kBounds));
  for (const Words& groups : group_options(shape)) {
    all.push_back(penalty("group", Words{"lambda=0.7", "norm=l2"} + groups));
    all.push_back(penalty("group", Words{"lambda=0.7", "norm=linf"} + groups));
    all.push_back(penalty("sparse-group", Words{"lambda=0.7", "ratio=0.4"} + groups));
    for (const char* norm : {"norm=l2", "norm=linf"})
      all.push_back(penalty("group", Words{"lambda=0.7", "ratio=0.6", norm} + groups));
  }
  return all;
}

inline std::vector<Case> weakly_convex_penalties() {
  return {penalty("scad", {"lambda=0.5", "zeta=3.7"}), penalty("scad", {"lambda=0.2", "zeta=2.1"}),
          penalty("mcp", {"lambda=0.5", "b=3"}),       penalty("mcp", {"lambda=0.4", "b=0.5"}),
          penalty("log-sum", {"lambda=0.5"}),          penalty("log-sum", {"lambda=0.3", "epsilon=0.3"})};
}

/// Weakly convex for no mu.
inline std::vector<Case> unconvexifiable_penalties() {
  return {penalty("l0", {"lambda=0.5"}), penalty("l0", {"lambda=0.01"}), penalty("capped-l1", {"lambda=0.5"}),
          penalty("capped-l1", {"lambda=2", "theta=0.3"}), penalty("rank", {"lambda=0.5"})};
}

inline bool has_side_constraint(const Case& c) {
  const bool squares = c.name == "group" && std::ranges::count(c.options, "ratio=0.6") > 0;
  return !squares && c.name != "box" && c.name != "nonnegative" && c.name != "log-sum";
}

/// Those that take one, with a side constraint that binds for points of order 1, and for all but the
/// smallest.
inline std::vector<Case> bounded(const std::vector<Case>& cases) {
  std::vector<Case> all;
  for (const Case& c : cases)
    if (has_side_constraint(c))
      for (const char* rho : {"rho=0.02", "rho=0.9", "rho=1e6"}) all.push_back(c.with(rho));
  return all;
}

inline std::vector<Case> all_sets(const Shape& shape) {
  std::vector<Case> all{set("box", {"lower=-0.4", "upper=0.9"}), set("box", {"lower=2", "upper=2.5"})};
  if (shape.size() == 12) all.push_back(set("box", kBounds));
  for (const char* radius : {"radius=0.01", "radius=1", "radius=3000"}) {
    for (const char* name : {"l1-ball", "l2-ball", "simplex", "unit-simplex"})
      all.push_back(set(name, {radius}));
    for (const Words& groups : group_options(shape))
      for (const char* norm : {"norm=l2", "norm=linf"})
        all.push_back(set("group-ball", Words{radius, norm} + groups));
  }
  return all;
}

inline std::vector<Case> operator+(std::vector<Case> first, const std::vector<Case>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

/// The option rho; infinity when there is none.
inline double rho_of(const Case& c) {
  for (const std::string& word : c.options)
    if (word.starts_with("rho=")) return parse_real(word.substr(4));
  return kInfinity;
}

inline std::vector<Case> convex(const Shape& shape) {
  const std::vector<Case> plain = convex_penalties(shape);
  return plain + bounded(plain);
}
inline std::vector<Case> all_penalties(const Shape& shape) {
  return convex(shape) + weakly_convex_penalties() + bounded(weakly_convex_penalties()) +
         unconvexifiable_penalties();
}

/// The named tests of the conformance kit, on this case and no other options.
inline void check_conformance(const Case& c, const Shape& shape, const Words& tests) {
  const doctor::Subject subject{build_catalog().at(c.kind, c.name), c.settings(), {shape}, 0, false, 0.05};
  for (const doctor::Result& r : doctor::examine(subject, {.only = tests, .isolate = false}))
    CHECK_MESSAGE(!r.failed(), r.text());
}

inline std::vector<double> prox(ProximalOracle& h, const Shape& shape, const std::vector<double>& v,
                                double step) {
  Element x;
  h.apply(Element::dense(shape, v), step, x, {});
  REQUIRE(x.shape() == shape);
  return x.to_dense();
}

inline std::vector<double> combined(double a, const std::vector<double>& x, double b,
                                    const std::vector<double>& y) {
  std::vector<double> z(x.size());
  for (std::size_t j = 0; j < x.size(); ++j) z[j] = a * x[j] + b * y[j];
  return z;
}
inline double squared_distance(const std::vector<double>& x, const std::vector<double>& y) {
  const std::vector<double> d = combined(1.0, x, -1.0, y);
  return dot(d, d);
}

/// Normal entries times `scale`, some of them 0 and some equal.
inline std::vector<double> random_point(Engine& engine, const Shape& shape, double scale) {
  std::vector<double> v = testing::normals(engine, shape.size());
  for (double& value : v) {
    value *= scale;
    if (engine() % 8 == 0) value = 0.0;
    if (engine() % 8 == 0) value = scale;
  }
  return v;
}

}  // namespace claros::test

// SPDX-License-Identifier: BSD-3-Clause
/// @file small_host.hpp  What the tests of the host interface share: the build's catalogue, and small
/// problems in memory.
#pragma once

#include <doctest/doctest.h>
#include <claros/host.hpp>
#include <claros/io/memory_data.hpp>
#include <claros/program.hpp>
#include <claros/sdk/functions.hpp>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace claros::test {

inline const Catalog& build_catalog() {
  static const Catalog catalog = [] {
    Catalog c;
    serve(c);
    c.scan({{CLAROS_TEST_PLUGIN_DIR, "installation", true}});
    return c;
  }();
  return catalog;
}

inline std::vector<double> normals(std::uint64_t seed, std::size_t count) {
  std::mt19937_64 engine(seed);
  std::normal_distribution<double> normal;
  std::vector<double> values(count);
  for (double& value : values) value = normal(engine);
  return values;
}

/// f(x) = ||x - c||^2 / 2, as functions of this program.
inline sdk::Function distance_to(std::vector<double> c) {
  const Shape shape = Shape::vector(static_cast<Index>(c.size()));
  return {.shape = shape,
          .value =
              [c](std::span<const double> x) {
                double sum = 0.0;
                for (std::size_t j = 0; j < c.size(); ++j) sum += 0.5 * (x[j] - c[j]) * (x[j] - c[j]);
                return sum;
              },
          .gradient =
              [c](std::span<const double> x, std::span<double> g) {
                for (std::size_t j = 0; j < c.size(); ++j) g[j] = x[j] - c[j];
              },
          .constants = {.convex = true, .smoothness = 1.0, .term_smoothness = 1.0}};
}

/// The complaints that a solver has, as sentences.
inline std::vector<std::string> complaints_of(const Solver& solver) {
  std::vector<std::string> sentences;
  const auto result = solver.try_solve();
  if (!result)
    for (const Complaint& complaint : result.error().complaints()) sentences.push_back(complaint.sentence());
  return sentences;
}

}  // namespace claros::test

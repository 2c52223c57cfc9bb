// SPDX-License-Identifier: BSD-3-Clause
/// @file compose_for_test.hpp  Compositions of the build's own plugins from a few assignments, and small
/// problems for them.
#pragma once

#include <doctest/doctest.h>
#include <claros/compose/composition.hpp>
#include <claros/io/ratings.hpp>
#include <claros/program.hpp>
#include <claros/results/run_folder.hpp>
#include <claros/spectral/spectral.hpp>

#include "../core/test_files.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <random>
#include <string>
#include <vector>

namespace claros::test {

namespace fs = std::filesystem;
using Engine = std::mt19937_64;
using Words = std::vector<std::string>;

/// The plugins of this build.
inline const Catalog& build_catalog() {
  static const Catalog catalog = [] {
    Catalog c;
    serve(c);
    c.scan({{CLAROS_TEST_PLUGIN_DIR, "installation", true}});
    return c;
  }();
  return catalog;
}

/// The same and the fixtures that break one rule each.
inline const Catalog& fixture_catalog() {
  static const Catalog catalog = [] {
    Catalog c;
    serve(c);
    c.scan({{CLAROS_TEST_PLUGIN_DIR, "installation", true}, {CLAROS_BAD_PLUGIN_DIR, "installation", true}});
    return c;
  }();
  return catalog;
}

inline Words operator+(Words first, const Words& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

inline Spec spec_of(const Words& assignments) {
  Spec spec;
  spec.assign(assignments);
  return spec;
}

using Adjust = std::function<void(RunSettings&)>;

inline RunResult run_composition(const Composition& composition, const Adjust& adjust = {}) {
  RunSettings settings = run_settings(composition);
  if (adjust) adjust(settings);
  return run(composition, settings);
}

/// Composes and runs.
inline RunResult solve(const Words& assignments, const Adjust& adjust = {},
                       const Catalog& catalog = build_catalog()) {
  return run_composition(compose(catalog, spec_of(assignments)), adjust);
}

/// What composing is refused with, or "accepted".
inline std::string composing_refused(const Words& words) {
  return refusal(ErrorKind::usage, [&] { (void)compose(build_catalog(), spec_of(words)); });
}

/// Noisy entries of a random low-rank matrix at distinct random positions.
inline Ratings random_ratings(Engine& engine, Index rows, Index cols, Index rank, Index count,
                              double noise = 0.1) {
  std::normal_distribution<double> normal;
  std::vector<double> left(static_cast<std::size_t>(rows * rank)),
      right(static_cast<std::size_t>(cols * rank));
  for (double& value : left) value = normal(engine);
  for (double& value : right) value = normal(engine);
  std::vector<Index> positions(static_cast<std::size_t>(rows * cols));
  for (std::size_t k = 0; k < positions.size(); ++k) positions[k] = static_cast<Index>(k);
  std::shuffle(positions.begin(), positions.end(), engine);
  positions.resize(static_cast<std::size_t>(std::clamp<Index>(count, 1, rows * cols)));
  std::sort(positions.begin(), positions.end());
  Ratings ratings{rows, cols, {}, {}, {}, {}, {}};
  for (const Index position : positions) {
    const Index i = position / cols, j = position % cols;
    double value = noise * normal(engine);
    for (Index k = 0; k < rank; ++k)
      value += left[static_cast<std::size_t>(k * rows + i)] * right[static_cast<std::size_t>(k * cols + j)];
    ratings.row.push_back(static_cast<std::int32_t>(i));
    ratings.col.push_back(static_cast<std::int32_t>(j));
    ratings.value.push_back(value);
  }
  return ratings;
}

/// A matrix completion problem whose data lie in a temporary file: nuclear-ball and frank-wolfe unless told
/// otherwise.
class SmallProblem {
 public:
  explicit SmallProblem(Ratings ratings) : ratings_(std::move(ratings)) {
    write_ratings(folder_ / "ratings.tsv", ratings_);
  }
  SmallProblem(std::uint64_t seed, Index rows, Index cols, Index rank, Index count)
      : SmallProblem([&] {
          Engine engine(seed);
          return random_ratings(engine, rows, cols, rank, count);
        }()) {}

  const Ratings& ratings() const { return ratings_; }
  Index n() const { return static_cast<Index>(ratings_.value.size()); }
  const TestFolder& folder() const { return folder_; }

  Words objective() const {
    return {"objective.use=matrix-completion", "objective.data=" + (folder_ / "ratings.tsv").string(),
            "objective.ids=one-based", "objective.rows=" + std::to_string(ratings_.rows),
            "objective.cols=" + std::to_string(ratings_.cols)};
  }
  Words words(double radius, const Words& more = {}) const {
    return objective() +
           Words{"set.use=nuclear-ball", "set.radius=" + print_real(radius), "algorithm.use=frank-wolfe"} +
           more;
  }
  /// f at a column-major X, written anew.
  double value(const std::vector<double>& x) const {
    double sum = 0.0;
    for (std::size_t e = 0; e < ratings_.value.size(); ++e)
      sum += 0.5 * std::pow(x[at(e)] - ratings_.value[e], 2);
    return sum / static_cast<double>(n());
  }
  std::vector<double> gradient(const std::vector<double>& x) const {
    std::vector<double> g(x.size(), 0.0);
    for (std::size_t e = 0; e < ratings_.value.size(); ++e)
      g[at(e)] = (x[at(e)] - ratings_.value[e]) / static_cast<double>(n());
    return g;
  }
  /// The Frank-Wolfe gap over the ball, by a full decomposition.
  double gap(const std::vector<double>& x, double radius) const {
    const std::vector<double> g = gradient(x);
    double product = 0.0;
    for (std::size_t k = 0; k < x.size(); ++k) product += g[k] * x[k];
    return product + radius * dense_svd(ratings_.rows, ratings_.cols, g).s.front();
  }

 private:
  std::size_t at(std::size_t e) const {
    return static_cast<std::size_t>(ratings_.col[e] * ratings_.rows + ratings_.row[e]);
  }
  TestFolder folder_;
  Ratings ratings_;
};

/// The settings that make an estimator of this build sample in a small problem.
inline Words small_batches(const std::string& estimator) {
  Words words{"estimator.use=" + estimator};
  const ParameterList& parameters = build_catalog().at(Kind::estimator, estimator).parameters();
  if (parameters.find("batch")) words.push_back("estimator.batch=16");
  if (parameters.find("epoch")) words.push_back("estimator.epoch=6");
  return words;
}

inline bool same_bits(const Element& x, const Element& y) { return x.to_dense() == y.to_dense(); }

}  // namespace claros::test

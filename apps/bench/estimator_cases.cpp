// SPDX-License-Identifier: BSD-3-Clause
#include "cases.hpp"
#include "child.hpp"
#include "problems.hpp"

#include <claros/random.hpp>
#include <claros/sampler.hpp>

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace bench {

using namespace claros;

namespace {

constexpr std::array kEstimators{"sg", "svrg", "spider", "casvrg", "caspider"};
constexpr Index kBatch = 1000;

/// An estimator with a clock around its two calls.
class TimedEstimator final : public GradientEstimator {
 public:
  explicit TimedEstimator(GradientEstimator& inner) : inner_(inner) {}
  std::vector<Need> needs() const override { return inner_.needs(); }
  void start(Objective& f, Sampler& sampler) override { inner_.start(f, sampler); }
  bool epoch_due() const override { return inner_.epoch_due(); }
  void begin_epoch(const Element& x, const EpochPlan& plan) override {
    snapshots_ += seconds_of([&] { inner_.begin_epoch(x, plan); });
  }
  const Element& estimate(const Element& x, Index batch) override {
    const Element* g = nullptr;
    estimates_ += seconds_of([&] { g = &inner_.estimate(x, batch); });
    return *g;
  }
  const Element* full_gradient() const override { return inner_.full_gradient(); }
  const Element* drift() const override { return inner_.drift(); }
  bool renews_drift() const override { return inner_.renews_drift(); }
  bool exact() const override { return inner_.exact(); }
  Index epochs() const override { return inner_.epochs(); }
  void* ability(std::string_view id) noexcept override { return inner_.ability(id); }

  double snapshots() const { return snapshots_; }
  double estimates() const { return estimates_; }

 private:
  GradientEstimator& inner_;
  double snapshots_ = 0.0, estimates_ = 0.0;
};

Spec with_estimator(const std::filesystem::path& file, double radius, const std::string& estimator,
                    Index epoch) {
  Spec spec = specification(file, radius);
  spec.set("estimator.use", estimator);
  spec.set("estimator.batch", std::to_string(kBatch));
  spec.set("estimator.epoch", std::to_string(epoch));
  spec.set("stop.epochs", "1");
  return spec;
}

Element random_vertex(RandomStream& stream, const Shape& shape, double radius) {
  std::vector<double> u(static_cast<std::size_t>(shape.rows)), v(static_cast<std::size_t>(shape.cols));
  stream.fill_normal(u);
  stream.fill_normal(v);
  return Element::rank_one(radius / std::sqrt(static_cast<double>(shape.size())), u, v);
}

/// Microseconds of one `estimate`: steps to random vertices, so that nothing but the estimator reads the
/// points. Every epoch starts anew from zero; its first step, where SPIDER returns the snapshot's gradient,
/// is not counted.
std::vector<double> microseconds(const std::filesystem::path& file, double radius) {
  constexpr Index kSteps = 50, kEpochs = 5;
  const Catalog& catalog = everything();
  std::vector<double> result;
  for (const std::string estimator : kEstimators) {
    const Composition c = compose(catalog, with_estimator(file, radius, estimator, kSteps + 1));
    Sampler sampler(c.context.stream(Purpose::sampling), c.objective->terms());
    RandomStream stream(1, Purpose::data);
    c.estimator->start(*c.objective, sampler);
    std::vector<double> epochs;
    for (Index epoch = 0; epoch < kEpochs; ++epoch) {
      Element x = c.start_point();
      x.blend(0.5, random_vertex(stream, x.shape(), radius));
      c.estimator->begin_epoch(x);
      c.estimator->estimate(x);
      double seconds = 0.0;
      for (Index t = 0; t < kSteps; ++t) {
        x.blend(0.01, random_vertex(stream, x.shape(), radius));
        seconds += seconds_of([&] { c.estimator->estimate(x); });
      }
      epochs.push_back(1e6 * seconds / static_cast<double>(kSteps));
    }
    result.push_back(median(epochs));
  }
  return result;
}

/// The times of a run: milliseconds a step without the snapshots, the share of `estimate` in it, and
/// milliseconds of one snapshot. The last number is the snapshot's part of a step if n/|S| steps share it.
std::vector<double> shares(const std::filesystem::path& file, const std::string& estimator) {
  constexpr Index kSteps = 200;
  Spec spec = with_estimator(file, 10000, estimator, 100000);
  spec.set("stop.iterations", std::to_string(kSteps));
  const Composition c = compose(everything(), spec);
  TimedEstimator timed(*c.estimator);
  Problem problem = c.problem();
  problem.estimator = &timed;
  const RunResult r = solve(c, problem);
  const double steps = r.seconds - timed.snapshots();
  const double snapshot = 1e3 * timed.snapshots() / static_cast<double>(timed.epochs());
  const double length = static_cast<double>(c.objective->terms()) / static_cast<double>(kBatch);
  return {1e3 * steps / static_cast<double>(kSteps), timed.estimates() / steps, snapshot, snapshot / length};
}

}  // namespace

void estimate_scaling(int) {
  fmt::print("{:<34}", fmt::format("estimate, |S| = {}, us a step", kBatch));
  for (const char* estimator : kEstimators) fmt::print(" {:>9}", estimator);
  fmt::print("\n");
  for (const double n : {1e5, 1e6, 5e6}) {
    const double side = std::sqrt(n / 1e5);
    const auto file =
        synthetic(static_cast<Index>(943 * side), static_cast<Index>(1682 * side), static_cast<Index>(n));
    const Outcome o = in_child([&] { return microseconds(file, 3000 * side); });
    std::filesystem::remove(file);
    fmt::print("{:<34}", fmt::format("  {:.0f} ratings", n));
    for (const double value : o.numbers) fmt::print(" {:>9.1f}", value);
    fmt::print("{}\n", o.ok ? "" : " failed");
  }
}

void estimator_shares(const std::filesystem::path& data, int repeats) {
  const auto file = data / "movielens-1m" / "ratings.tsv.xz";
  if (!std::filesystem::exists(file))
    return (void)fmt::print("estimators on MovieLens-1M         skipped: no data at {}\n", file.string());
  for (const std::string estimator : kEstimators) {
    std::vector<std::vector<double>> columns(4);
    for (int k = 0; k < repeats; ++k) {
      const Outcome o = in_child([&] { return shares(file, estimator); });
      for (std::size_t i = 0; o.ok && i < columns.size(); ++i) columns[i].push_back(o.numbers[i]);
    }
    fmt::print(
        "{:<34} {:>9.2f} ms a step  estimate {:>4.1f}%  snapshot {:.2f} ms, {:.3f} ms a step over n/|S| of "
        "them\n",
        fmt::format("MovieLens-1M, |S| = {}, {}", kBatch, estimator), median(columns[0]),
        100 * median(columns[1]), median(columns[2]), median(columns[3]));
  }
}

}  // namespace bench

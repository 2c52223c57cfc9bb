// SPDX-License-Identifier: BSD-3-Clause
#include "cases.hpp"
#include "child.hpp"
#include "problems.hpp"

#include <claros/random.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

namespace bench {

using namespace claros;

namespace {

constexpr double kLargeRadius = 12600.0;  // MovieLens-1M: a rank of about 20

/// By an algorithm; the accelerated projected gradient, whose projections are truncated.
Spec projected(const std::filesystem::path& ratings, double radius, double relative_gap,
               const std::string& algorithm = "proximal-gradient") {
  Spec spec;
  spec.assign({"objective.use=matrix-completion", "objective.data=" + ratings.string(),
               "set.use=nuclear-ball", fmt::format("set.radius={}", radius), "algorithm.use=" + algorithm,
               "estimator.use=full", "trace.on=no", "stop.iterations=5000",
               fmt::format("stop.relative_gap={}", relative_gap)});
  return spec;
}

/// Wall time, steps, rank, and the shares of objective, oracle and measuring in the wall time.
std::vector<double> solved(const Spec& spec) {
  const RunResult r = solve(everything(), spec);
  const double waited = r.elapsed_seconds;
  return {waited,
          static_cast<double>(r.iterations),
          static_cast<double>(r.answer.columns()),
          r.status == Status::relative_gap ? 1.0 : 0.0,
          r.component_seconds.objective / waited,
          r.component_seconds.oracle / waited,
          r.measuring_seconds / waited};
}

void print_solved(const std::string& name, const Spec& spec, int repeats) {
  std::vector<double> waited;
  Outcome o;
  for (int k = 0; k < repeats; ++k) {
    o = in_child([&] { return solved(spec); });
    if (!o.ok || o.numbers[3] == 0.0) return (void)fmt::print("  {:<28} did not arrive\n", name);
    waited.push_back(o.numbers[0]);
  }
  fmt::print(
      "  {:<28} {:>7.3f} s, {:.0f} steps, rank {:.0f}; objective {:.0f}%, oracle {:.0f}%, measuring {:.0f}%; "
      "peak {:.0f} MB\n",
      name, median(waited), o.numbers[1], o.numbers[2], 100 * o.numbers[4], 100 * o.numbers[5],
      100 * o.numbers[6], o.peak_megabytes);
}

/// A named spectrum of n values, of a matrix whose projection onto the ball of radius tau has rank r.
struct NamedSpectrum {
  std::string name;
  double (*value)(double k, double r);  ///< the k-th of 0, 1, ...; the r-th is 1
};
const std::vector<NamedSpectrum> kSpectra{
    {"geometric, 0.9", [](double k, double r) { return std::pow(0.9, k - r); }},
    {"geometric, 0.98", [](double k, double r) { return std::pow(0.98, k - r); }},
    {"power -1", [](double k, double r) { return (r + 1) / (k + 1); }},
    {"power -1/2", [](double k, double r) { return std::sqrt((r + 1) / (k + 1)); }},
    {"gap of 2 behind r",
     [](double k, double r) { return k < r ? 2.0 + (r - k) / r : 1.0 - 1e-3 * (k - r); }},
    {"gap of 1.01 behind r",
     [](double k, double r) { return k < r ? 1.01 + (r - k) / r : 1.0 - 1e-3 * (k - r); }}};

/// Haar vectors around the spectrum.
Element with_spectrum(const NamedSpectrum& spectrum, Index rows, Index cols, Index rank) {
  RandomStream stream(5, Purpose::data);
  const auto side = static_cast<std::size_t>(std::min(rows, cols));
  std::vector<double> entries(static_cast<std::size_t>(rows * cols));
  // Reflections of a diagonal. For unit a and b, (I - 2 a a') D (I - 2 b b') has D's values and no zero
  // entry.
  for (std::size_t k = 0; k < side; ++k)
    entries[k * static_cast<std::size_t>(rows) + k] =
        spectrum.value(static_cast<double>(k), static_cast<double>(rank));
  std::vector<double> a(static_cast<std::size_t>(rows)), b(static_cast<std::size_t>(cols));
  for (int reflection = 0; reflection < 3; ++reflection) {
    stream.fill_normal(a), stream.fill_normal(b);
    double aa = 0.0, bb = 0.0;
    for (const double x : a) aa += x * x;
    for (const double x : b) bb += x * x;
    std::vector<double> left(b.size(), 0.0), right(a.size(), 0.0);
    for (std::size_t j = 0; j < b.size(); ++j)
      for (std::size_t i = 0; i < a.size(); ++i) left[j] += a[i] * entries[j * a.size() + i];
    for (std::size_t j = 0; j < b.size(); ++j)
      for (std::size_t i = 0; i < a.size(); ++i) {
        entries[j * a.size() + i] -= 2.0 / aa * a[i] * left[j];
        right[i] += entries[j * a.size() + i] * b[j];
      }
    for (std::size_t j = 0; j < b.size(); ++j)
      for (std::size_t i = 0; i < a.size(); ++i) entries[j * a.size() + i] -= 2.0 / bb * right[i] * b[j];
  }
  return Element::dense(Shape::matrix(rows, cols), std::move(entries));
}

/// Seconds of a projection of rank r with its certificate over those without, median of pairs in turn; the
/// certificate's word in `exact`.
double certificate_ratio(ProximalOracle& oracle, const Element& v, Index rank, int repeats, bool& exact) {
  std::vector<double> ratios;
  Element x(v.shape());
  for (int k = 0; k < repeats; ++k) {
    const auto seconds = [&](bool certify) {
      Accuracy accuracy{.rank = rank, .certify = certify};
      return seconds_of([&] { exact = oracle.apply(v, 1.0, x, accuracy).exact; });
    };
    const double without = seconds(false);
    ratios.push_back(seconds(true) / without);
  }
  return median(ratios);
}

}  // namespace

void certificates(int repeats) {
  constexpr Index kRows = 1200, kCols = 900;
  fmt::print(
      "Projections of {} x {} matrices onto a nuclear-norm ball, with a certificate over without (times, "
      "medians of pairs)\n",
      kRows, kCols);
  const Catalog& catalog = everything();
  std::vector<double> all;
  for (const NamedSpectrum& spectrum : kSpectra)
    for (const Index rank : {10, 20, 40}) {
      double radius = 0.0;  // the threshold halfway between the r-th value and the next
      const auto value = [&](Index k) {
        return spectrum.value(static_cast<double>(k), static_cast<double>(rank));
      };
      for (Index k = 0; k < rank; ++k) radius += value(k) - 0.5 * (value(rank - 1) + value(rank));
      Spec spec;
      spec.assign({"data.use=synthetic", "objective.use=matrix-completion", "set.use=nuclear-ball",
                   fmt::format("set.radius={}", radius), "algorithm.use=proximal-gradient",
                   "stop.iterations=1"});
      const Composition composition = compose(catalog, spec);
      bool exact = false;
      const Element v = with_spectrum(spectrum, kRows, kCols, rank);
      all.push_back(certificate_ratio(*composition.problem().projection, v, rank + 2, repeats, exact));
      fmt::print("  {:<22} r = {:<3} {:>6.3f}{}\n", spectrum.name, rank, all.back(),
                 exact ? "" : ", not exact");
    }
  fmt::print("  median {:.3f}\n", median(all));
}

void factored(const std::filesystem::path& data, int repeats) {
  const auto both = [&](const std::string& name, const std::filesystem::path& ratings, double radius,
                        double gap, int times) {
    for (const char* algorithm : {"proximal-gradient", "factored"})
      print_solved(fmt::format("{}, {}, {:.0e}, {}", name, radius, gap, algorithm),
                   projected(ratings, radius, gap, algorithm), times);
  };
  fmt::print("Factors beside projected gradient, to a confirmed relative gap\n");
  if (const auto small = data / "movielens-100k" / "u.data"; std::filesystem::exists(small))
    for (const double radius : {3000.0, 3500.0, 4000.0}) both("100K", small, radius, 1e-6, repeats);
  if (const auto large = data / "movielens-1m" / "ratings.tsv.xz"; std::filesystem::exists(large))
    for (const double radius : {12500.0, 16000.0}) both("1M", large, radius, 1e-4, 1);
}

void projections(const std::filesystem::path& data, int repeats) {
  if (const auto small = data / "movielens-100k" / "u.data"; std::filesystem::exists(small)) {
    fmt::print(
        "MovieLens-100K by accelerated projected gradient, truncated projections, to a confirmed relative "
        "gap\n");
    for (const double gap : {1e-3, 1e-6})
      for (const double radius : {3000.0, 3500.0, 4000.0})
        print_solved(fmt::format("radius {}, {:.0e}", radius, gap), projected(small, radius, gap), repeats);
  }
  if (const auto large = data / "movielens-1m" / "ratings.tsv.xz"; std::filesystem::exists(large))
    print_solved(fmt::format("MovieLens-1M, radius {}, 1e-4", kLargeRadius),
                 projected(large, kLargeRadius, 1e-4), 1);
}

namespace {

/// The first line that is within a thousandth of the best error, and the best.
void print_curve(const std::string& name, const std::vector<std::vector<double>>& curve) {
  if (curve.empty()) return (void)fmt::print("  {:<34} did not run\n", name);
  double best = curve.front()[1];
  for (const auto& point : curve) best = std::min(best, point[1]);
  const auto near =
      std::find_if(curve.begin(), curve.end(), [&](const auto& point) { return point[1] <= 1.001 * best; });
  fmt::print("  {:<34} best {:.4f}; within 0.1% of it after {:.2f} s; ends at {:.4f} after {:.2f} s\n", name,
             best, (*near)[0], curve.back()[1], curve.back()[0]);
}

}  // namespace

void held_out(const std::filesystem::path& data) {
  const auto train = data / "movielens-100k" / "u1.base.xz", test = data / "movielens-100k" / "u1.test.xz";
  if (!std::filesystem::exists(train) || !std::filesystem::exists(test))
    return (void)fmt::print("held-out errors: left out, there is no {}\n", train.string());
  fmt::print(
      "MovieLens-100K, u1.base and u1.test: RMSE on the ratings held out, against seconds without "
      "measuring\n");
  for (const double radius : {2600.0, 2900.0, 3200.0}) {
    Spec spec = projected(train, radius, 1e-4);
    spec.assign({"objective.test=" + test.string(), "trace.on=yes", "trace.every=1"});
    const RunResult result = solve(everything(), spec);
    std::vector<std::vector<double>> curve;
    for (const TraceRow& row : result.trace)
      if (row.iteration > 0) curve.push_back({row.seconds, row.test_rmse});
    print_curve(fmt::format("claros, radius {}", radius), curve);
  }
  for (const std::string peer :
       {"soft-impute 10 40 60", "soft-impute 15 40 60", "als 3 3 20", "als 5 3 20", "als 5 5 20"})
    print_curve(peer, lines_of(fmt::format("/usr/bin/python3 '{}/movielens_peers.py' '{}' '{}' {}",
                                           CLAROS_BENCH_DIR, train.string(), test.string(), peer)));
}

}  // namespace bench

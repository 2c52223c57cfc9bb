// SPDX-License-Identifier: BSD-3-Clause
// Tests of what a loss says of itself, number by number.
#include <claros/loss.hpp>

#include <utility>

#include "bench.hpp"

namespace claros::doctor {

namespace {

constexpr Index kClasses = 3;

/// Targets that the loss accepts, of every sort that there is.
Numbers targets(const Bench& bench, const Loss& psi) {
  Numbers all;
  for (const double y : {-1.0, 1.0, 0.0, 2.0, -3.5, 0.25, 7.0})
    if (psi.accepts(y)) all.push_back(y);
  bench.require(!all.empty(), "accepts none of -3.5, -1, 0, 0.25, 1, 2, 7 as a target",
                "accepts(y) must be true for what the data hold");
  bench.require(all.size() == 7 || !psi.targets().empty(),
                "refuses some numbers as targets and does not say in targets() which it takes",
                "give kTargets, the words that an error shows: \"-1 or 1\"");
  return all;
}

/// One target and its prediction.
struct Seen {
  Numbers z;
  double y;
};

Numbers derivative(const Loss& psi, const Seen& at) {
  Numbers out(at.z.size());
  psi.derivative(at.z, {&at.y, 1}, out);
  return out;
}
double value(const Loss& psi, const Seen& at) { return psi.sum(at.z, {&at.y, 1}); }
/// psi''(z) d
Numbers product(const Loss& psi, const Seen& at, Numbers d) {
  Numbers second(at.z.size());
  psi.second_derivative(at.z, {&at.y, 1}, second);
  psi.multiply_second(second, d);
  return d;
}
Seen moved(const Seen& at, double step, const Numbers& d) { return {combined(1.0, at.z, step, d), at.y}; }

/// test(psi, at, direction) for losses of drawn parameters, at points near and far; `direction` has length 1.
void for_points(Bench& bench, const std::function<void(const Loss&, const Seen&, const Numbers&)>& test) {
  for (const Settings& settings : bench.variants(6)) {
    const auto psi = std::static_pointer_cast<Loss>(bench.make(settings, bench.context()));
    if (psi->of_classes()) psi->set_classes(kClasses);
    for (const double y : targets(bench, *psi))
      for (const double scale : {0.3, 1.0, 5.0})
        for (int trial = 0; trial < 12; ++trial) {
          const Seen at{combined(scale, bench.normals(psi->outputs()), 0.0,
                                 Numbers(static_cast<std::size_t>(psi->outputs()))),
                        y};
          const Numbers d = bench.normals(psi->outputs());
          bench.at(said(settings_text(settings), ", z = ", numbers_text(at.z), ", y = ", y));
          test(*psi, at, combined(1.0 / length(d), d, 0.0, d));
        }
  }
}

/// True if psi'' is nearly constant between two points, so that a difference quotient means something there.
bool smooth_between(const Loss& psi, const Seen& a, const Seen& b, const Numbers& d) {
  const Numbers p = product(psi, a, d), q = product(psi, b, d);
  return distance(p, q) <= 1e-3 * (1.0 + length(p));
}

void first_derivative(Bench& bench) {
  constexpr double h = 1e-5;
  for_points(bench, [&](const Loss& psi, const Seen& at, const Numbers& d) {
    const Seen ahead = moved(at, h, d), behind = moved(at, -h, d);
    if (!smooth_between(psi, ahead, behind, d)) return;
    const double measured = (value(psi, ahead) - value(psi, behind)) / (2.0 * h),
                 claimed = dot(derivative(psi, at), d);
    bench.equal(claimed, measured, 1e-6 * (1.0 + std::abs(measured) + std::abs(value(psi, at))),
                "psi' in a direction, and a difference of values",
                "a sign, a factor, or the derivative taken in y");
  });
}

void second_derivative(Bench& bench) {
  constexpr double h = 1e-5;
  for_points(bench, [&](const Loss& psi, const Seen& at, const Numbers& d) {
    const Seen ahead = moved(at, h, d), behind = moved(at, -h, d);
    if (!smooth_between(psi, ahead, behind, d)) return;
    const Numbers measured = combined(1.0 / (2.0 * h), derivative(psi, ahead), -1.0 / (2.0 * h),
                                      derivative(psi, behind)),
                  claimed = product(psi, at, d);
    bench.at_most(
        distance(claimed, measured), 0.0, 1e-5 * (1.0 + length(measured) + length(derivative(psi, at))),
        "distance of psi'' d from a difference of psi'", "the second derivative is not that of psi'");
  });
}

void loss_constants(Bench& bench) {
  for_points(bench, [&](const Loss& psi, const Seen& at, const Numbers& d) {
    const LossConstants c = psi.constants();
    const Numbers p = product(psi, at, d);
    const double curvature = dot(d, p), slack = 1e-9 * (1.0 + std::abs(curvature));
    if (c.convex)
      bench.at_most(0.0, curvature, slack, "convex: 0 against <d, psi'' d>",
                    "convex = true of a loss that is not");
    if (c.smoothness)
      bench.at_most(length(p), *c.smoothness * (1.0 + 1e-9), slack, "|psi''| against smoothness",
                    "smoothness is too small: steps of 1/L diverge");
    if (c.lower_smoothness)
      bench.at_most(-curvature, *c.lower_smoothness * (1.0 + 1e-9), slack, "-psi'' against lower_smoothness",
                    "more convexity is claimed than there is");
    if (c.lower_bound)
      bench.at_most(*c.lower_bound, value(psi, at), slack, "lower_bound against a value",
                    "psi has smaller values");
    if (c.third) {
      const Seen near = moved(at, 1e-3, d);
      bench.at_most(distance(product(psi, near, d), p) / 1e-3, *c.third * (1.0 + 1e-6), 1e-6,
                    "the change of psi'' over a distance against third",
                    "psi'' has no such Lipschitz constant: batches of theory are too small");
    }
    if (!c.of_difference) return;
    Seen shifted = moved(at, 0.75, Numbers(at.z.size(), 1.0));
    shifted.y += 0.75;
    bench.equal(value(psi, shifted), value(psi, at), 1e-9 * (1.0 + std::abs(value(psi, at))),
                "psi(z + 3/4, y + 3/4) and psi(z, y)",
                "of_difference = true of a loss that is not a function of z - y");
    bench.at_most(value(psi, {Numbers(at.z.size(), at.y), at.y}), value(psi, at), slack,
                  "psi(y, y) against psi(z, y)", "a loss of z - y is smallest at 0");
  });
}

/// psi*(u) >= <u, z> - psi(z), with equality at u = psi'(z).
void conjugate(Bench& bench) {
  bool any = false;
  for_points(bench, [&](const Loss& psi, const Seen& at, const Numbers& d) {
    // The conjugate of a psi that is not convex makes no gap.
    if (!psi.has_conjugate() || !psi.constants().convex) return;
    any = true;
    const Numbers u = derivative(psi, at);
    const auto star = [&](const Numbers& dual) { return psi.conjugate(dual, {&at.y, 1}, {}); };
    const double claimed = star(u), expected = dot(u, at.z) - value(psi, at),
                 slack = 1e-7 * (1.0 + std::abs(expected) + std::abs(dot(u, at.z)));
    if (std::isfinite(claimed))
      bench.equal(claimed, expected, slack, "psi*(psi'(z)) and <psi'(z), z> - psi(z)",
                  "the conjugate is not that of psi: duality gaps would lie");
    else
      bench.at_most(length(u), 0.0, 0.0, "psi* is infinite at a derivative of length",
                    "the domain of psi* holds every derivative");
    // Beyond the derivatives too it is a supremum, be it infinite.
    for (const double share : {-1.5, 1.5, 5.0}) {
      const Numbers beyond = combined(share, u, 0.1, d);
      for (const double step : {-1e3, -20.0, -3.0, 3.0, 20.0, 1e3}) {
        const Seen other = moved(at, step, d);
        const double below = dot(beyond, other.z) - value(psi, other);
        bench.at_most(below, star(beyond), 1e-9 * (1.0 + std::abs(dot(beyond, other.z))),
                      "<u, z> - psi(z) against psi*(u), u beyond the derivatives",
                      "the conjugate has values where it is infinite: duality gaps would lie");
      }
    }
    for (const double share : {0.0, 0.3, 0.9}) {
      const Numbers inside = combined(share, u, 0.0, u);
      const double there = star(inside);
      bench.require(std::isfinite(there),
                    said("psi* is ", there, " at ", share, " times a point of its domain"),
                    "the domain of psi* is closed under scaling towards 0, or there is no conjugate");
      for (const double step : {-3.0, -0.5, 0.0, 0.5, 3.0}) {
        const Seen other = moved(at, step, d);
        bench.at_most(dot(inside, other.z) - value(psi, other), there,
                      slack + 1e-7 * std::abs(dot(inside, other.z)), "<u, z> - psi(z) against psi*(u)",
                      "the conjugate is too small: duality gaps would lie");
      }
    }
  });
  if (!any) throw Skipped{"has no conjugate"};
}

/// Every target of which mean(z) says something, and how likely it is: the mean itself, or the classes.
std::vector<std::pair<double, double>> expected_targets(const Loss& psi, const Numbers& mean) {
  std::vector<std::pair<double, double>> all;
  if (psi.response() != ResponseKind::probability)
    all.emplace_back(mean[0], 1.0);
  else if (mean.size() == 1)
    all = {{-1.0, 1.0 - mean[0]}, {1.0, mean[0]}};
  else
    for (std::size_t k = 0; k < mean.size(); ++k) all.emplace_back(static_cast<double>(k), mean[k]);
  return all;
}

/// mean(z) is as response() says: in its range, and the mean for which psi is least at z, E psi'(z, Y) = 0.
void means(Bench& bench) {
  for_points(bench, [&](const Loss& psi, const Seen& at, const Numbers&) {
    Numbers mean(at.z.size());
    psi.mean(at.z, mean);
    for (const double m : mean)
      bench.require(std::isfinite(m), said("mean(z) is ", m),
                    "what a prediction stands for is finite wherever z is");
    const ResponseKind kind = psi.response();
    if (kind == ResponseKind::score) {
      bench.at_most(distance(mean, at.z), 0.0, 0.0, "distance of mean(z) from z, of a score",
                    "a score is z itself; of probabilities kResponse = ResponseKind::probability");
      bench.require(psi.of_classes() || (psi.accepts(-1.0) && psi.accepts(1.0)),
                    "says that its predictions are scores, and has no classes",
                    "without classes they are values: ResponseKind::value");
      return;
    }
    if (kind == ResponseKind::probability) {
      double mass = 0.0;
      for (const double m : mean)
        bench.require(m >= 0.0 && m <= 1.0, said("a probability is ", m), "mean(z) is to lie from 0 to 1"),
            mass += m;
      if (mean.size() > 1)
        bench.equal(mass, 1.0, 1e-9, "the sum of the probabilities, and 1", "they are those of all classes");
      bench.require(psi.of_classes() || (psi.accepts(-1.0) && psi.accepts(1.0)),
                    "says that its predictions are probabilities, and has no classes -1 and 1",
                    "probabilities are of classes");
    } else {
      bench.require(!psi.of_classes(), "says that its predictions are numbers, and has classes",
                    "of classes they are scores or probabilities");
      if (kind == ResponseKind::count)
        bench.at_most(0.0, mean[0], 0.0, "0 against an expected count", "a count is not negative");
      // z itself may well be another location than the mean: a quantile.
      if (!psi.accepts(mean[0]) || (kind == ResponseKind::value && mean == at.z)) return;
    }
    Numbers expected(at.z.size(), 0.0);
    double size = 0.0;
    for (const auto& [y, probability] : expected_targets(psi, mean)) {
      const Numbers slope = derivative(psi, {at.z, y});
      expected = combined(1.0, expected, probability, slope);
      size += probability * length(slope) + std::abs(y);
    }
    bench.at_most(length(expected), 0.0, 1e-7 * (1.0 + size), "E psi'(z, Y) where Y is as mean(z) says",
                  "mean(z) is not what psi fits: predictions would be off, or kResponse is score");
  });
}

void arrays(Bench& bench) {
  for (const Settings& settings : bench.variants(4)) {
    bench.at(settings_text(settings));
    const auto psi = std::static_pointer_cast<Loss>(bench.make(settings, bench.context()));
    if (psi->of_classes()) psi->set_classes(kClasses);
    const Numbers possible = targets(bench, *psi);
    constexpr std::size_t n = 17;
    const auto K = static_cast<std::size_t>(psi->outputs());
    const Numbers z = bench.normals(static_cast<Index>(n * K));
    Numbers y(n), w(n), out(n * K), alone(K), second(n * K), second_alone(K);
    for (std::size_t i = 0; i < n; ++i) {
      y[i] = possible[i % possible.size()];
      w[i] = i % 3 == 0 ? 0.0 : 0.5 * static_cast<double>(i);
    }
    psi->derivative(z, y, out);
    psi->second_derivative(z, y, second);
    double sum = 0.0, weighted = 0.0, size = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      const std::span<const double> zi = std::span(z).subspan(i * K, K), yi = std::span(y).subspan(i, 1);
      const double one = psi->sum(zi, yi);
      sum += one;
      weighted += w[i] * one;
      size += (1.0 + w[i]) * std::abs(one);
      psi->derivative(zi, yi, alone);
      psi->second_derivative(zi, yi, second_alone);
      bench.require(
          same_bits(alone, Numbers(out.begin() + static_cast<std::ptrdiff_t>(i * K),
                                   out.begin() + static_cast<std::ptrdiff_t>((i + 1) * K))) &&
              same_bits(second_alone, Numbers(second.begin() + static_cast<std::ptrdiff_t>(i * K),
                                              second.begin() + static_cast<std::ptrdiff_t>((i + 1) * K))),
          said("derivatives of target ", i, " alone and in an array of ", n, " differ"),
          "each target is a matter of its own numbers: K of z, one of y");
    }
    bench.equal(psi->sum(z, y), sum, 1e-12 * (1.0 + size), "sum of an array, and of its targets one by one",
                "sum adds over all targets");
    bench.equal(psi->weighted_sum(z, y, w), weighted, 1e-12 * (1.0 + size),
                "weighted sum of an array, and of its targets one by one",
                "weighted_sum is sum_k w_k psi(z_k, y_k)");
    if (!psi->has_conjugate()) continue;
    const double whole = psi->conjugate(out, y, {});
    bench.equal(psi->conjugate(out, y, Numbers(n, 1.0)), whole, 1e-12 * (1.0 + std::abs(whole)),
                "conjugate with weights 1 and without", "no weights mean 1");
  }
}

}  // namespace

Tests loss_tests() {
  const std::vector<Kind> losses{Kind::loss};
  return {
      {{"loss-derivative", losses,
        "psi' is the derivative of psi in z, against differences of values, wherever psi'' does not jump."},
       first_derivative},
      {{"loss-second-derivative", losses, "psi'' is the derivative of psi', against differences."},
       second_derivative},
      {{"loss-constants", losses,
        "Convexity, smoothness, lower bound and the Lipschitz constant of psi'' hold at every point that is "
        "tried, and psi is a function of z - y where that is claimed."},
       loss_constants},
      {{"loss-conjugate", losses,
        "psi*(u) >= <u, z> - psi(z) for every z, with equality at u = psi'(z); its domain is closed under "
        "scaling towards 0."},
       conjugate},
      {{"loss-mean", losses,
        "mean(z) is what response() says: probabilities from 0 to 1, counts from 0 on, scores z itself; and "
        "psi fits it, E psi'(z, Y) = 0 for a target Y of that mean."},
       means},
      {{"loss-arrays", losses,
        "An array of targets is asked at once as its targets one by one, with weights as without."},
       arrays}};
}

}  // namespace claros::doctor

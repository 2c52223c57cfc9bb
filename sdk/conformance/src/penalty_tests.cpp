// SPDX-License-Identifier: BSD-3-Clause
// Tests of what a penalty says of itself and offers besides its proximal step.

#include "convex.hpp"

namespace claros::doctor {

namespace {

void weak_convexity(Bench& bench) {
  for_tried(bench, 12, [&](Tried& h) {
    const double mu = h.mu();
    bench.require(mu >= 0.0, said("weak_convexity() = ", mu),
                  "mu >= 0, 0 of a convex penalty, infinite of one that nothing makes convex");
    if (mu == kInfinity) throw Skipped{"says that no multiple of the squared norm makes it convex"};
    const auto convexified = [&](const Numbers& x) { return h.value(x) + 0.5 * mu * dot(x, x); };
    for (int trial = 0; trial < 300; ++trial) {
      const double reach = trial % 3 == 0 ? 3.0 : trial % 3 == 1 ? 0.3 : 0.03;
      Numbers x = bench.point(h.shape(), trial % 2 ? 1.0 : 4.0);
      if (!std::isfinite(h.value(x))) x = h.prox(x, usual_step(h));
      Numbers y = combined(1.0, x, 1.0, bench.point(h.shape(), reach));
      if (!std::isfinite(h.value(y))) y = h.prox(y, usual_step(h));
      const double ends = 0.5 * (convexified(x) + convexified(y));
      bench.at_most(
          convexified(combined(0.5, x, 0.5, y)), ends, 1e-11 * (1.0 + std::abs(ends)),
          "h + (mu/2)||.||^2 in the middle of a segment against the mean of its ends",
          mu > 0.0 ? "weak_convexity() is too small" : "the penalty is not convex: state its weak convexity");
    }
  });
}

void fenchel(Bench& bench) {
  for_tried(bench, 8, [&](Tried& h) {
    if (!h.conjugate()) throw Skipped{"offers no conjugate"};
    bench.require(h.mu() == 0.0, "a conjugate is offered by a penalty that is not convex",
                  "duality gaps need convexity: do not offer it");
    for (const double scale : {0.2, 3.0}) {
      const double step = usual_step(h);
      const Numbers v = bench.point(h.shape(), scale), x = h.prox(v, step),
                    s = combined(1.0 / step, v, -1.0 / step, x);
      const double sum = h.value(x) + h.conjugate()->conjugate(h.element(s));
      bench.equal(sum, dot(s, x), 1e-7 * (1.0 + std::abs(dot(s, x)) + std::abs(sum)),
                  "h(x) + h*(s) and <s, x> at the subgradient s = (v - x)/step",
                  "the conjugate is not that of value: there must be equality at a subgradient");
      // Draws lie outside a thin domain, such as that of total variation. Multiples of a subgradient, brought
      // inside, lie at its border.
      const Numbers longer = combined(3.0, s, 0.0, s);
      const double inside = h.conjugate()->into_domain(h.element(longer));
      for (const auto& [any, slack] :
           {std::pair(bench.point(h.shape(), scale), 1e-9), {combined(inside, longer, 0.0, longer), 1e-7}}) {
        const double of_any = h.conjugate()->conjugate(h.element(any));
        bench.require(!std::isnan(of_any), "h*(s) is NaN",
                      "h*(s) is a number, or infinity outside its domain");
        const auto check = [&, &at = any, share = slack](const Numbers& y) {
          bench.at_most(dot(at, y), h.value(y) + of_any, share * (1.0 + std::abs(dot(at, y))),
                        "<s, y> against h(y) + h*(s)",
                        "the conjugate is too small somewhere: it is a supremum");
        };
        check(x);
        for (int trial = 0; trial < 30; ++trial)
          check(h.prox(bench.point(h.shape(), trial % 2 ? 5.0 : 0.3), step));
      }
    }
  });
}

void domain(Bench& bench) {
  for_tried(bench, 8, [&](Tried& h) {
    if (!h.conjugate()) throw Skipped{"offers no conjugate"};
    const auto conjugate = [&](double a, const Numbers& s) {
      return h.conjugate()->conjugate(h.element(combined(a, s, 0.0, s)));
    };
    const std::string mistake = "into_domain is the largest a in [0, 1] for which h*(a s) is finite";
    for (int trial = 0; trial < 10; ++trial) {
      const Numbers s = bench.point(h.shape(), trial % 2 ? 5.0 : 0.3);
      const Element asked = h.element(s);
      const double a = h.conjugate()->into_domain(asked);
      bench.require(a >= 0.0 && a <= 1.0, said("into_domain = ", a), mistake);
      // For a multiple of the element itself the penalty may use a result that it has kept.
      for (const double part : {0.5 * a, a, 1.0}) {
        Element scaled = asked;
        scaled.scale(part);
        const double here = h.conjugate()->conjugate(scaled), fresh = conjugate(part, s);
        bench.require(
            here == fresh || std::abs(here - fresh) <= 1e-9 * (1.0 + std::abs(fresh)),
            said("h* of ", part, " s, scaled as an element, is ", here, "; of the same numbers anew ", fresh),
            "what is remembered of s is taken for that of its multiples");
      }
      bench.require(conjugate(a, s) < kInfinity, said("h*(a s) is infinite at a = ", a), mistake);
      if (a < 0.999)
        bench.require(conjugate(a > 0.0 ? 1.001 * a : 1e-6, s) == kInfinity,
                      said("h*(a s) is finite beyond a = ", a), mistake);
    }
  });
}

/// The penalty of the same settings with another lambda, for variables of the shape of h.
Tried with_lambda(Bench& bench, const Settings& settings, const Shape& shape, double lambda) {
  Settings all = settings;
  all.push_back({"lambda", print_real(lambda), {}, {}});
  return {bench, bench.make(all, bench.context()), shape};
}

/// 0 is the proximal step of -s g if and only if it is the solution with the gradient g: for every s.
void lambda_max(Bench& bench) {
  const ParameterInfo* row = bench.subject().entry.parameters().find("lambda");
  const bool scaled = row && row->range.of_max;
  int tried = 0;
  for (const Settings& settings : bench.variants(8))
    for (const Shape& shape : bench.shapes()) {
      bench.at(settings_text(settings) + ", " + shape.text());
      std::shared_ptr<Component> component;
      Numbers g = bench.point(shape, 2.0);
      double max = 0.0;
      if (answered(bench, [&] { component = bench.make(settings, bench.context()); }) != Answer::given)
        continue;
      auto* ability = query<LambdaMax>(*component);
      bench.require(scaled == (ability != nullptr),
                    "lambda takes a fraction of max, or the ability LambdaMax is offered, without the other",
                    "declare lambda as a ScaledNumber if and only if the penalty offers LambdaMax");
      if (!ability) continue;
      const auto ask = [&] {
        // At the best values of the entries that the penalty does not see, their gradient is 0.
        for (const Index j : ability->free_entries()) g[static_cast<std::size_t>(j)] = 0.0;
        max = ability->lambda_max(Element::dense(shape, g));
      };
      if (answered(bench, ask) != Answer::given) continue;
      const std::string mistake = "lambda_max(g) is the least lambda for which 0 minimises <g, x> + h(x)";
      bench.require(max >= 0.0 && max < kInfinity, said("lambda_max = ", max), mistake);
      if (!(max > 0.0)) continue;
      ++tried;
      const auto step_of = [&](double lambda) {
        Tried h = with_lambda(bench, settings, shape, lambda);
        const double s = usual_step(h);
        return length(h.prox(combined(-s, g, 0.0, g), s));
      };
      bench.at_most(step_of(1.0001 * max), 0.0, 1e-9 * length(g),
                    "the step from 0 with a lambda just above lambda_max", mistake);
      bench.require(step_of(0.99 * max) > 0.0, "the step from 0 stays at 0 with a lambda below lambda_max",
                    mistake);
    }
  if (!tried) throw Skipped{"knows no lambda from which on 0 is the solution"};
}

void check_partition(Bench& bench, const Blocks& blocks, std::size_t size) {
  std::vector<int> times(size, 0);
  for (Index b = 0; b < blocks.count(); ++b)
    for (Index k = 0; k < blocks.size(b); ++k) {
      const Index j = blocks.coordinate(b, k);
      bench.require(j >= 0 && j < static_cast<Index>(size), said("block ", b, " holds the coordinate ", j),
                    "the variable has no such coordinate");
      ++times[static_cast<std::size_t>(j)];
    }
  for (std::size_t j = 0; j < size; ++j)
    bench.require(times[j] == 1, said("coordinate ", j, " is in ", times[j], " blocks"),
                  "blocks are a partition of the coordinates");
}

/// The entries of some blocks, one after the other.
Numbers gathered(const Blocks& blocks, std::span<const Index> chosen, const Numbers& all) {
  Numbers some;
  for (const Index b : chosen)
    for (Index k = 0; k < blocks.size(b); ++k)
      some.push_back(all[static_cast<std::size_t>(blocks.coordinate(b, k))]);
  return some;
}

void check_block_steps(Bench& bench, Separable& h, const Blocks& blocks, const Numbers& v, double step,
                       const Numbers& x) {
  const BlockStep block_step = h.block_step();
  for (Index b = 0; b < blocks.count(); ++b) {
    const Numbers from = gathered(blocks, {&b, 1}, v), whole = gathered(blocks, {&b, 1}, x);
    Numbers to(from.size()), in_place = from;
    block_step(b, from.data(), step, to.data());
    block_step(b, in_place.data(), step, in_place.data());
    for (std::size_t k = 0; k < to.size(); ++k) {
      bench.equal(to[k], whole[k], 1e-14 * std::abs(whole[k]),
                  said("the step of block ", b, ", and its entry ", k, " of the proximal step"),
                  "a separable penalty is the sum of its blocks; with a side constraint it is not separable");
      bench.equal(in_place[k], to[k], 0.0, said("the step of block ", b, " in place, and into another array"),
                  "x may be v");
    }
  }
}

void check_sums_of_steps(Bench& bench, Separable& h, const Blocks& blocks, const Numbers& v, double step) {
  const BlockStep block_step = h.block_step();
  if (!block_step.adds_up) return;
  for (const double part : {0.0, 0.01, 0.5, 3.0})
    for (Index b = 0; b < blocks.count(); ++b) {
      Numbers twice = gathered(blocks, {&b, 1}, v), once = twice;
      block_step(b, twice.data(), step, twice.data());
      block_step(b, twice.data(), part * step, twice.data());
      block_step(b, once.data(), (1.0 + part) * step, once.data());
      for (std::size_t k = 0; k < once.size(); ++k)
        bench.equal(twice[k], once[k], 1e-12 * (1.0 + std::abs(once[k])),
                    said("two steps of block ", b, " in a row, and one of their length"),
                    "adds_up is said of multiples of norms and of indicators; a "
                    "smooth term makes the steps other ones");
    }
}

/// Checks the restriction to every second block.
void check_restriction(Bench& bench, Separable& h, const Blocks& blocks, const Numbers& v, double step,
                       const Numbers& x) {
  std::vector<Index> chosen;
  for (Index b = blocks.count() - 1; b >= 0; b -= 2) chosen.push_back(b);
  const auto small = h.restrict_to(chosen);
  bench.require(small && query<ProximalOracle>(*small) && query<Separable>(*small),
                "restrict_to gives no penalty with a proximal step and blocks",
                "methods that work on some blocks ask it for both");
  const Numbers from = gathered(blocks, chosen, v), whole = gathered(blocks, chosen, x);
  const Element at = Element::dense(Shape::vector(static_cast<Index>(from.size())), from);
  Element to;
  (void)query<ProximalOracle>(*small)->apply(at, step, to, {});
  const Numbers got = to.to_dense();
  for (std::size_t k = 0; k < from.size(); ++k)
    bench.equal(got[k], whole[k], 1e-14 * std::abs(whole[k]),
                said("entry ", k, " of the step of some blocks, and of the whole's"),
                "restrict_to keeps the terms of its blocks as they are");
}

void separable(Bench& bench) {
  for_tried(bench, 8, [&](Tried& h) {
    auto* separable = query<Separable>(h.component());
    if (!separable) throw Skipped{"offers no steps of single blocks"};
    const Numbers v = bench.point(h.shape(), 2.0);
    const double step = usual_step(h);
    const Numbers x = h.prox(v, step);
    const Blocks blocks = separable->blocks(h.shape());
    check_partition(bench, blocks, v.size());
    check_block_steps(bench, *separable, blocks, v, step, x);
    check_sums_of_steps(bench, *separable, blocks, v, step);
    check_restriction(bench, *separable, blocks, v, step, x);
  });
}

/// Makes `count` steps of all coordinates along d, and their sum.
void advance(const LazySteps& steps, Index count, const Numbers& d, Numbers& x, Numbers& sum) {
  for (std::size_t j = 0; steps.coordinate && j < x.size(); ++j)
    x[j] = steps.coordinate(steps.self, x[j], count, d[j], &sum[j]);
  for (std::size_t g = 0; !steps.coordinate && g + 1 < steps.first.size(); ++g) {
    Numbers own, of_d, of_sum(steps.first[g + 1] - steps.first[g], 0.0);
    const auto member = [&](std::size_t k) {
      return steps.members.empty() ? k : static_cast<std::size_t>(steps.members[k]);
    };
    for (std::size_t k = steps.first[g]; k < steps.first[g + 1]; ++k)
      own.push_back(x.at(member(k))), of_d.push_back(d[member(k)]);
    steps.group(steps.self, static_cast<Index>(g), count, of_d, own, of_sum);
    for (std::size_t k = 0; k < own.size(); ++k) {
      x[member(steps.first[g] + k)] = own[k];
      sum[member(steps.first[g] + k)] += of_sum[k];
    }
  }
}

void lagged(Bench& bench) {
  for_tried(bench, 8, [&](Tried& h) {
    auto* lag = query<LazyProximal>(h.component());
    if (!lag) throw Skipped{"offers no lagged steps"};
    for (const double scale : {0.0, 0.3, 4.0})
      for (const double slope : {0.02, 0.5, 3.0})
        for (const double length : {0.02, 1.0}) {
          const double step = length * usual_step(h);
          const Numbers start =
                            combined(scale, bench.point(h.shape(), 1.0), 0.0, bench.point(h.shape(), 1.0)),
                        d = bench.point(h.shape(), slope);
          Numbers one = start, total(start.size(), 0.0);
          Index made = 0;
          for (const Index count : {1, 2, 7, 40, 400}) {
            for (; made < count; ++made) {
              one = h.prox(combined(1.0, one, -step, d), step);
              total = combined(1.0, total, 1.0, one);
            }
            Numbers x = start, sum(start.size(), 0.0);
            advance(lag->lazy_steps(h.shape(), step), count, d, x, sum);
            for (std::size_t j = 0; j < x.size(); ++j) {
              bench.equal(x[j], one[j], 1e-9 * (1.0 + std::abs(one[j])),
                          said(count, " steps of entry ", j, " at once and one by one"),
                          "the closed form of many steps differs from the steps");
              bench.equal(sum[j], total[j], 1e-9 * (1.0 + std::abs(total[j])),
                          said("the sum of ", count, " values of entry ", j),
                          "the sum of the new values is added");
            }
          }
        }
  });
}

void extreme_points(Bench& bench) {
  for_tried(bench, 6, [&](Tried& h) {
    const std::string place = bench.place();
    const auto n = static_cast<std::size_t>(h.shape().size());
    const std::string mistake =
        "an overflow, inf - inf or 0/0 inside: scale first, or refuse by claros::Error";
    for (const double entry : {0.0, 1e300, -1e300, 1e-300, 5e-324, kNan, kInfinity})
      for (const bool lone : {true, false}) {
        Numbers v(n, lone ? 0.5 : entry);
        v.back() = entry;
        bench.at(place + said(lone ? ", a lone entry " : ", every entry ", entry));
        Element x;
        double value = 0.0;
        if (answered(bench, [&] { h.proximal()->apply(h.element(v), usual_step(h), x, {}); }) ==
                Answer::given &&
            std::isfinite(entry))
          bench.require(!holds_nan(x.to_dense()), "the proximal step is NaN at a finite point", mistake);
        if (answered(bench, [&] { value = h.value(v); }) == Answer::given)
          bench.require(!std::isfinite(entry) || !std::isnan(value), "the value is NaN at a finite point",
                        mistake);
      }
    for (const double step : {-1.0, kNan}) {
      bench.at(place + said(", step ", step));
      Element x;
      if (answered(bench, [&] { h.proximal()->apply(h.element(Numbers(n, 0.5)), step, x, {}); }) ==
          Answer::given)
        bench.fail("is taken", "a proximal step has a length of at least 0: throw Error(usage)");
    }
  });
}

}  // namespace

Tests penalty_tests() {
  return {{{"weak-convexity", kPenalty,
            "h + (mu/2)||.||^2 is convex along segments, with mu = weak_convexity(), 0 of a convex penalty; "
            "nothing is to be shown where mu is infinite."},
           weak_convexity},
          {{"conjugate", kPenalty,
            "<s, y> <= h(y) + h*(s), with equality at the subgradients that proximal steps make."},
           fenchel},
          {{"conjugate-domain", kPenalty,
            "into_domain(s) is the largest a in [0, 1] for which h*(a s) is finite."},
           domain},
          {{"lambda-max", kPenalty,
            "With a lambda above lambda_max(g) the proximal step from 0 along -g is 0, and below it is not; "
            "it is offered where lambda takes fractions of max, and nowhere else."},
           lambda_max},
          {{"separable", kPenalty,
            "Steps of single coordinates are the entries of proximal steps; where they are said to add up, "
            "two are one."},
           separable},
          {{"lagged-steps", kPenalty,
            "Many steps of a coordinate or a group at once, and the sum of their values, are those of "
            "proximal steps one by one."},
           lagged},
          {{"extreme-input", kPenalty,
            "Zero, huge, tiny, denormal and infinite points are refused or answered, never by NaN for a "
            "finite point; steps below 0 and NaN are refused."},
           extreme_points}};
}

}  // namespace claros::doctor

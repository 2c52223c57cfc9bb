// SPDX-License-Identifier: BSD-3-Clause
// Projections onto a set, membership, and points to start from.
#include "convex.hpp"
#include "objectives.hpp"

namespace claros::doctor {

namespace {

void for_projections(Bench& bench, const std::function<void(Tried&)>& test) {
  for_tried(bench, 8, [&](Tried& set) {
    if (!set.proximal()) throw Skipped{"offers no projection"};
    test(set);
  });
}

void optimal(Bench& bench) {
  for_projections(bench, [&](Tried& set) {
    for (const double scale : {0.1, 1.0, 20.0})
      for (int trial = 0; trial < 3; ++trial) {
        const Numbers v = bench.point(set.shape(), scale * set.size()), p = set.prox(v),
                      normal = combined(1.0, v, -1.0, p);
        for (const Numbers& u : set.feasible(bench, 25))
          bench.at_most(dot(normal, combined(1.0, u, -1.0, p)), 0.0,
                        1e-8 * (length(normal) + set.size()) * (set.size() + length(u)),
                        said("<v - P v, u - P v> at v = ", numbers_text(v)),
                        "P v is not the nearest point of the set: a feasible u lies on v's side of it");
      }
  });
}

void into_set(Bench& bench) {
  for_projections(bench, [&](Tried& set) {
    for (const double scale : {0.1, 1.0, 20.0}) {
      const Numbers v = bench.point(set.shape(), scale * set.size()), p = set.prox(v), again = set.prox(p);
      const double unit = set.size() + length(p);
      bench.at_most(distance(again, p), 1e-8 * unit, 0.0, "||P P v - P v||",
                    "the projection of a point of the set is the point");
      if (set.membership())
        bench.at_most(set.membership()->violation(set.element(p)), 0.0, set.slack(), "violation of P v",
                      "projection and membership disagree on the set");
      bench.require(set.value(p) == 0.0, said("value(P v) = ", set.value(p)),
                    "the value of a set is 0 inside (with room for rounding) and infinity outside");
      bench.require(distance(set.prox(v, 7.0), p) <= 1e-12 * unit, "another step gives another projection",
                    "the step does not matter for a set");
    }
  });
}

void nonexpansive(Bench& bench) {
  for_projections(bench, [&](Tried& set) {
    for (int trial = 0; trial < 10; ++trial) {
      const Numbers v = bench.point(set.shape(), 2.0 * set.size()), w = bench.point(set.shape(), set.size());
      const Numbers p = combined(1.0, set.prox(v), -1.0, set.prox(w)), d = combined(1.0, v, -1.0, w);
      bench.at_most(dot(p, p), dot(p, d), 1e-8 * (1.0 + set.size()) * (set.size() + length(d)),
                    "||P v - P w||^2 against <P v - P w, v - w>",
                    "no projection onto a convex set: it is firmly nonexpansive");
    }
  });
}

/// A step beyond the vertex for c, along -c, is outside: no point of the set has a smaller <c, x>.
void require_outside(Bench& bench, Tried& set) {
  if (!set.linear()) return;
  for (int trial = 0; trial < 8; ++trial) {
    const Numbers c = bench.normals(set.shape().size());
    OracleInfo info;
    const Numbers v = set.vertex(c, &info);
    if (!set.usual() && !info.confirmed) continue;
    const Numbers beyond = combined(1.0, v, -0.05 * set.size() / length(c), c);
    bench.require(set.membership()->violation(set.element(beyond)) > set.slack(),
                  said("a point that lies ", 0.05 * set.size(), " beyond the vertex for c = ",
                       numbers_text(c), " has violation ", set.membership()->violation(set.element(beyond))),
                  "membership accepts points outside: a constraint is left out, or compared with too much");
    if (set.proximal())
      bench.require(set.value(beyond) == kInfinity,
                    said("value is ", set.value(beyond), " beyond the vertex for c = ", numbers_text(c)),
                    "the value of a set is infinite outside");
  }
}

/// Points on lines through two points of the set, beyond both, which keep the constraints that hold with
/// equality. Those that the projection moves far are outside.
void require_outside_on_lines(Bench& bench, Tried& set) {
  if (!set.proximal()) return;
  for (int trial = 0; trial < 12; ++trial) {
    const Numbers u = set.feasible(bench), v = set.feasible(bench);
    const Numbers beyond = combined(trial % 2 ? 1.5 : 4.0, u, trial % 2 ? -0.5 : -3.0, v);
    const double away = distance(set.prox(beyond), beyond),
                 excess = set.membership()->violation(set.element(beyond));
    bench.require(excess > set.slack() || !(away > 0.02 * set.size()),
                  said("a point that the projection moves by ", away, " has violation ", excess),
                  "membership accepts points outside: a constraint is left out, or compared with too much");
  }
}

void membership(Bench& bench) {
  for_tried(bench, 8, [&](Tried& set) {
    if (!set.membership()) throw Skipped{"offers no membership"};
    const double stated = set.membership()->slack();
    bench.require(stated >= 0.0 && stated <= Membership::kMostSlack, said("slack() is ", stated),
                  "a slack is in [0, 1e-3]: iterate until membership is that exact");
    const auto violation = [&](const Numbers& x) { return set.membership()->violation(set.element(x)); };
    const auto n = static_cast<std::size_t>(set.shape().size());
    for (const Numbers& u : set.feasible(bench, 10)) {
      bench.at_most(violation(u), 0.0, set.slack(), "violation of a feasible point",
                    "membership disagrees with the set's own oracle or projection; where it is known by an "
                    "iteration alone, state how well by Membership::slack()");
      const Numbers v = set.feasible(bench);
      bench.at_most(violation(combined(0.4, u, 0.6, v)), 0.0, set.slack(),
                    "violation between two points of the set",
                    "the set is not convex, or membership is wrong");
      if (!set.linear() || set.linear()->diameter(set.shape()) == 0.0) continue;
      const Numbers d = bench.normals(set.shape().size());
      const Numbers far = combined(1.0, u, 3.0 * set.linear()->diameter(set.shape()) / length(d), d);
      bench.require(violation(far) > set.slack(),
                    said("a point three diameters away has violation ", violation(far)),
                    "membership accepts points outside");
    }
    require_outside(bench, set);
    require_outside_on_lines(bench, set);
    const std::string place = bench.place();
    for (const double bad : {kNan, kInfinity}) {
      bench.at(place + said(", membership of a point that holds ", bad));
      Numbers x(n, 0.0);
      x.back() = bad;
      double excess = kInfinity;
      (void)answered(bench, [&] { excess = violation(x); });
      bench.require(!(excess <= 1e-3), said("a point that holds ", bad, " is found inside"),
                    "what is not finite is in no bounded set: the order of max's arguments matters with NaN");
    }
  });
}

void start(Bench& bench) {
  for_tried(bench, 8, [&](Tried& set) {
    auto* start = query<Start>(set.component());
    if (!start) throw Skipped{"offers no point to start from"};
    const Element x = start->start_point(set.shape());
    bench.require(x.shape() == set.shape(), "the start has shape " + x.shape().text(),
                  "give it the shape that was asked for");
    if (set.membership())
      bench.at_most(set.membership()->violation(x), 0.0, set.slack(), "violation of the start",
                    "algorithms keep the iterate inside from the start on");
    if (set.proximal())
      bench.at_most(distance(set.prox(x.to_dense()), x.to_dense()), 1e-8 * (1.0 + set.size()), 0.0,
                    "the projection moves the start by",
                    "algorithms keep the iterate inside from the start on");
  });
}

void extreme_input(Bench& bench) {
  for_tried(bench, 5, [&](Tried& set) {
    const std::string place = bench.place();
    const auto n = static_cast<std::size_t>(set.shape().size());
    const std::string mistake = "an overflow or 0/0 inside: scale first, or refuse what cannot be answered";
    for (const double entry : {1e300, -1e300, 1e150, 1e-300, -1e-300, 5e-324, kNan, kInfinity})
      for (const bool lone : {true, false}) {
        Numbers x(n, lone ? 0.0 : entry);
        x.back() = entry;
        bench.at(place + said(lone ? ", a lone entry " : ", every entry ", entry));
        Element out;
        if (set.linear() && answered(bench, [&] {
                              set.linear()->minimize(set.element(x), {1e-6, true}, out);
                            }) == Answer::given) {
          bench.require(
              std::isfinite(entry), "a direction that is not finite gets an answer",
              "throw Error(numerical): the objective or the step is to blame, and the run should say so");
          bench.require(finite(out.to_dense()), "the vertex is not finite", mistake);
          if (set.membership())
            bench.at_most(set.membership()->violation(out), 0.0, set.slack(), "violation of the vertex",
                          mistake);
        }
        if (set.proximal() &&
            answered(bench, [&] { set.proximal()->apply(set.element(x), 1.0, out, {}); }) == Answer::given) {
          bench.require(std::isfinite(entry), "a point that is not finite gets a projection",
                        "throw Error(numerical)");
          bench.require(finite(out.to_dense()), "the projection is not finite", mistake);
          if (set.membership())
            bench.at_most(set.membership()->violation(out), 0.0, set.slack(), "violation of the projection",
                          mistake);
        }
      }
  });
}

}  // namespace

Tests projection_tests() {
  const std::vector<Kind> set{Kind::set};
  return {{{"projection-optimal", set,
            "<v - P v, u - P v> <= 0 for every feasible u: P v is the point of the set nearest to v."},
           optimal},
          {{"projection-member", set,
            "P v lies in the set (membership, value 0), P P v = P v, and the step does not matter."},
           into_set},
          {{"projection-nonexpansive", set, "||P v - P w||^2 <= <P v - P w, v - w>."}, nonexpansive},
          {{"membership", set,
            "Points of the set and between them have no violation; points beyond a vertex or beyond the "
            "diameter, those that the projection moves, infinite and NaN ones do."},
           membership},
          {{"start", set, "The point to start from is of the shape asked for and in the set."}, start},
          {{"extreme-input", set,
            "Huge, tiny and denormal directions and points are refused or answered by finite points of the "
            "set; NaN and infinity are refused."},
           extreme_input}};
}

}  // namespace claros::doctor

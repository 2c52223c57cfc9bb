// SPDX-License-Identifier: BSD-3-Clause
// Linear minimisation over a set, and its diameter.
#include <algorithm>

#include "convex.hpp"
#include "objectives.hpp"

namespace claros::doctor {

namespace {

/// Calls `test` with every set that has a linear oracle.
void for_linear(Bench& bench, const std::function<void(Tried&)>& test) {
  for_tried(bench, 8, [&](Tried& set) {
    if (!set.linear()) throw Skipped{"offers no linear oracle"};
    test(set);
  });
}

/// A lone entry, random numbers with ties, all alike.
std::vector<Numbers> directions(Bench& bench, const Shape& shape, int random) {
  const auto n = static_cast<std::size_t>(shape.size());
  std::vector<Numbers> all{Numbers(n, 1.0), Numbers(n, -1.0)};
  for (const double sign : {1.0, -1.0}) {
    all.emplace_back(n, 0.0);
    all.back()[static_cast<std::size_t>(bench.index(shape.size()))] = sign;
  }
  for (int k = 0; k < random; ++k) all.push_back(bench.point(shape, k % 3 ? 1.0 : 1e-3));
  std::erase_if(all, [](const Numbers& c) { return !(length(c) > 0.0); });
  return all;
}

/// Corners along the axes and at random.
std::vector<Numbers> corners(Bench& bench, Tried& set) {
  std::vector<Numbers> all;
  const auto n = static_cast<std::size_t>(set.shape().size());
  for (std::size_t k = 0; k < 2 * n + 40; ++k) {
    Numbers c = bench.normals(set.shape().size());
    if (k < 2 * n) c.assign(n, 0.0), c[k / 2] = k % 2 ? 1.0 : -1.0;
    all.push_back(set.vertex(c));
    all.push_back(set.vertex(combined(-1.0, c, 0.0, c)));
  }
  return all;
}

/// An oracle may be asked for little work, and then says that its results are not confirmed. By itself it
/// owes the minimum.
bool owes_minimum(const Tried& set, const Numbers& c) {
  OracleInfo info;
  if (!set.usual()) (void)set.vertex(c, &info);
  return set.usual() || info.confirmed;
}

void optimal(Bench& bench) {
  for_linear(bench, [&](Tried& set) {
    std::vector<Numbers> others = set.feasible(bench, 60);
    if (set.shape().size() <= 12)  // all corners, if there are few
      for (Numbers& corner : corners(bench, set)) others.push_back(std::move(corner));
    for (const Numbers& c : directions(bench, set.shape(), 10)) {
      if (!owes_minimum(set, c)) continue;
      const double value = dot(c, set.vertex(c)), slack = 1e-7 * length(c) * set.size();
      std::vector<Numbers> rivals = others;
      // Far along -c, the projection tends to the minimiser.
      if (set.proximal()) rivals.push_back(set.prox(combined(-1e4 * set.size() / length(c), c, 0.0, c)));
      rivals.push_back(set.vertex(combined(-1.0, c, 0.0, c)));
      double least = kInfinity, most = -kInfinity;
      for (const Numbers& u : rivals) least = std::min(least, dot(c, u)), most = std::max(most, dot(c, u));
      bench.at_most(value, least, slack,
                    said("<c, v> at the result to c = ", numbers_text(c), " against <c, u> at a feasible u"),
                    value >= most - slack ? "the oracle maximises: the sign of the direction is turned"
                                          : "the result is not a minimiser over the whole set");
    }
  });
}

/// A matrix of 60 x 40 whose singular values lie close together, so that a rough decomposition is far from
/// the truth.
std::vector<Numbers> clustered(Bench& bench) {
  std::vector<Numbers> all;
  for (int k = 0; k < 4; ++k) all.push_back(bench.normals(60 * 40));
  return all;
}

/// A result that is called confirmed is a bound at any tolerance.
void confirmed_bounds(Bench& bench) {
  const Shape shape = Shape::matrix(60, 40);
  if (!bench.subject().shapes.empty()) return;
  for (const Settings& settings : bench.variants(2)) {
    bench.at(settings_text(settings) + ", shape " + shape.text());
    for (const Numbers& c : clustered(bench)) {
      std::shared_ptr<Component> component;
      (void)answered(bench, [&] {
        component = bench.make(settings, bench.context());
        auto* oracle = query<LinearOracle>(*component);
        if (!oracle) return;
        const Element direction = Element::dense(shape, c);
        Element v;
        const double best = dot(c, (oracle->minimize(direction, {1e-12, true}, v), v.to_dense()));
        for (const double tolerance : {0.3, 0.1, 1e-2}) {
          const OracleInfo info = oracle->minimize(direction, {tolerance, true}, v);
          if (info.confirmed)
            bench.at_most(info.lower_bound, best, 1e-9 * std::abs(best),
                          said("a confirmed lower_bound at tolerance ", tolerance,
                               " against <c, v> at tolerance 1e-12"),
                          "confirmed says that the bound may be relied upon: a Ritz value bounds nothing "
                          "without its residual");
        }
      });
    }
  }
}

void value_of_answer(Bench& bench) {
  confirmed_bounds(bench);
  for_linear(bench, [&](Tried& set) {
    for (const Numbers& c : directions(bench, set.shape(), 6))
      for (const OracleRequest& request :
           {OracleRequest{1e-2, false}, OracleRequest{1e-2, true}, OracleRequest{1e-10, true}}) {
        Element v;
        const OracleInfo info = set.linear()->minimize(set.element(c), request, v);
        bench.require(v.shape() == set.shape(), "the vertex has shape " + v.shape().text(),
                      "give it the shape of the direction");
        const double scale = length(c) * (set.size() + length(v.to_dense()));
        bench.equal(info.value, dot(c, v.to_dense()), (request.tolerance + 1e-10) * scale,
                    "info.value and <c, v>", "value is <c, v> at the vertex that is returned");
        bench.at_most(info.lower_bound, info.value, 1e-12 * scale, "lower_bound against value",
                      "no bound of the minimum is above a value");
        if (!info.confirmed) continue;
        const double best = dot(c, set.vertex(c));
        bench.at_most(info.lower_bound, best, 1e-8 * scale,
                      said("a confirmed lower_bound at tolerance ", request.tolerance,
                           " against <c, v> at tolerance 1e-10"),
                      "confirmed says that the bound may be relied upon: gaps and stopping rules do");
      }
  });
}

void member(Bench& bench) {
  for_linear(bench, [&](Tried& set) {
    if (!set.membership() && !set.proximal()) throw Skipped{"offers neither membership nor a projection"};
    for (const Numbers& c : directions(bench, set.shape(), 8))
      for (const bool confirm : {false, true}) {
        Element v;
        (void)set.linear()->minimize(set.element(c), {1e-3, confirm}, v);
        const std::string mistake =
            "the vertex lies outside: a radius, a normalisation or a constraint is wrong in one of the two";
        if (set.membership())
          bench.at_most(set.membership()->violation(v), 0.0, set.slack(),
                        said("violation of the vertex for c = ", numbers_text(c)), mistake);
        if (set.proximal())
          bench.at_most(distance(set.prox(v.to_dense()), v.to_dense()),
                        1e-8 * (set.size() + length(v.to_dense())), 0.0, "the projection moves the vertex by",
                        mistake);
      }
  });
}

void zero_and_forms(Bench& bench) {
  for_linear(bench, [&](Tried& set) {
    const std::string place = bench.place();
    const auto n = static_cast<std::size_t>(set.shape().size());
    for (const Element& zero : {Element(set.shape()), set.element(Numbers(n, 0.0))}) {
      Element v;
      bench.at(place + ", direction 0");
      const OracleInfo info = set.linear()->minimize(zero, {1e-6, true}, v);
      bench.require(
          finite(v.to_dense()) && info.value == 0.0,
          said("the vertex is ", numbers_text(v.to_dense()), ", its value ", info.value),
          "every point minimises 0: return a finite one of the set; a division by a norm of 0 shows here");
      if (set.membership())
        bench.at_most(set.membership()->violation(v), 0.0, set.slack(), "violation of the vertex",
                      "every point minimises 0: return one of the set");
    }
    if (set.shape().is_product()) return;
    const Numbers c = bench.point(set.shape(), 1.0);
    if (!owes_minimum(set, c)) return;
    const double value = dot(c, set.vertex(c));
    for (const auto& [name, direction] : forms_of(bench, set.shape(), c)) {
      Element v;
      bench.at(place + ", a " + name + " direction");
      (void)set.linear()->minimize(direction, {1e-10, true}, v);
      bench.equal(dot(c, v.to_dense()), value, 1e-7 * (length(c) * set.size() + std::abs(value)),
                  "<c, v> and that for the same direction as a dense array",
                  "a fast path for one form of the direction disagrees with the plain one");
    }
  });
}

void diameter(Bench& bench) {
  for_linear(bench, [&](Tried& set) {
    const std::vector<Numbers> all = corners(bench, set);
    const double stated = set.linear()->diameter(set.shape());
    double farthest = 0.0;
    for (const Numbers& u : all)
      for (const Numbers& v : all) farthest = std::max(farthest, distance(u, v));
    bench.at_most(farthest, stated, 1e-8 * farthest, "the distance of two vertices against diameter()",
                  "the diameter is too small: a radius instead of twice it, or the wrong norm (it is that of "
                  "||u - v||_F); steps of "
                  "eta / D are then too long and bounds wrong");
    bench.require(std::isfinite(stated), "the diameter is not finite",
                  "a set with a linear oracle is bounded");
  });
}

void support(Bench& bench) {
  for_linear(bench, [&](Tried& set) {
    if (!set.conjugate()) throw Skipped{"offers no support function (Conjugate)"};
    for (const Numbers& c : directions(bench, set.shape(), 8)) {
      const double support = set.conjugate()->conjugate(set.element(combined(-1.0, c, 0.0, c)));
      bench.equal(
          support, -dot(c, set.vertex(c)), 1e-7 * length(c) * (set.size() + 1e-9) + 1e-9 * std::abs(support),
          "the support function at -c and -min <c, u>", "conjugate of a set is max over it of <s, x>");
      bench.require(set.conjugate()->into_domain(set.element(c)) == 1.0, "into_domain is not 1",
                    "the support function of a bounded set is finite everywhere");
    }
  });
}

}  // namespace

Tests oracle_tests() {
  const std::vector<Kind> set{Kind::set};
  return {{{"oracle-optimal", set,
            "The vertex v for a direction c has <c, v> <= <c, u> for every feasible u: other vertices, their "
            "mixtures, projections, points that membership allows; where an option has it work less, when it "
            "calls v confirmed."},
           optimal},
          {{"oracle-value", set,
            "OracleInfo says <c, v>; lower_bound is not above it, and when confirmed not above the minimum."},
           value_of_answer},
          {{"oracle-member", set, "Vertices lie in the set, by its own membership and projection."}, member},
          {{"oracle-forms", set,
            "The zero direction is answered by a point of the set, and a direction in any form (dense, "
            "sparse, low-rank, sums) as the same dense array."},
           zero_and_forms},
          {{"diameter", set, "No two vertices are further apart than diameter()."}, diameter},
          {{"support", set, "The support function is h*(s) = -min <-s, u>."}, support}};
}

}  // namespace claros::doctor

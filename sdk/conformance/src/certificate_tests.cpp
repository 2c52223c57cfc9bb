// SPDX-License-Identifier: BSD-3-Clause
// Tests of the certificates of proximal steps and projections.
#include <algorithm>

#include "convex.hpp"

namespace claros::doctor {

namespace {

/// An answer with its certificate, from a fresh component.
struct Answered {
  Certificate certificate;
  Numbers x;
};

Answered fresh(Bench& bench, const Tried& h, const Numbers& v, const Accuracy& accuracy) {
  const auto component = bench.make(h.settings(), bench.context());
  Element x;
  const Certificate c = query<ProximalOracle>(*component)->apply(h.element(v), usual_step(h), x, accuracy);
  return {c, x.to_dense()};
}

/// The error that the result states for itself; infinity if it states none.
double claimed(const Certificate& c) {
  if (c.exact) return 0.0;
  return c.error > 0.0 ? c.error : kInfinity;
}

/// The possible error of the unlimited result itself: a step that iterates ends somewhere.
double own_error(const Answered& unlimited) {
  const double error = claimed(unlimited.certificate);
  return std::isfinite(error) ? error : 0.0;
}

/// The result is exact only if x is the exact one. Else x is no further from it than the error, if one is
/// given.
void check_claim(Bench& bench, const Answered& answer, const Answered& unlimited, const std::string& how) {
  const Certificate& c = answer.certificate;
  bench.at_most(distance(answer.x, unlimited.x), claimed(c) + own_error(unlimited),
                1e-8 * (1.0 + length(unlimited.x)),
                said("distance to the unlimited answer ", how,
                     c.exact ? ", called exact" : ", against the certificate's error"),
                "a certificate says `exact` only when that was verified, and bounds the error otherwise");
}

/// For a set: no point of it lies on v's side of a result that is called exact.
void check_projection(Bench& bench, const Tried& set, const Numbers& v, const Answered& answer,
                      const std::string& how) {
  if (bench.subject().entry.kind != Kind::set || !answer.certificate.exact) return;
  const Numbers normal = combined(1.0, v, -1.0, answer.x);
  for (const Numbers& u : set.feasible(bench, 6))
    bench.at_most(dot(normal, combined(1.0, u, -1.0, answer.x)), 0.0,
                  1e-8 * (length(normal) + set.size()) * (set.size() + length(u)),
                  said("<v - x, u - x> at a point u of the set ", how, ", called exact"),
                  "the certificate says `exact` of a point that is not the nearest one");
}

void check_sequence(Bench& bench, Tried& h, const Numbers& v, const Answered& exact) {
  constexpr int kCalls = 60;
  Answered last;
  for (int call = 1; call <= kCalls; ++call) {
    Element x;
    const Certificate c =
        h.proximal()->apply(h.element(v), usual_step(h), x, {.certify = true, .sequence = true});
    last = {c, x.to_dense()};
    check_claim(bench, last, exact, said("in call ", call, " of a sequence"));
  }
  bench.at_most(distance(last.x, exact.x), own_error(exact), 1e-5 * (h.size() + length(exact.x)),
                said("distance to the unlimited answer in call ", kCalls, " of a sequence at one point"),
                "with `sequence` an answer may be off by a part of what changed since the last call: at a "
                "point that stays, it has to arrive");
}

constexpr Index kLarge = 60;

/// From far outside a set the result may have rank 1, and no rank is too small.
void check_at(Bench& bench, Tried& h, const Numbers& v) {
  const Answered exact = fresh(bench, h, v, {});
  const Index side = std::min(h.shape().rows, h.shape().cols);
  for (const Index rank : {1, 2, 20}) {
    if (rank > side) continue;
    const std::string how = said("with rank ", rank);
    const Answered asked = fresh(bench, h, v, {.rank = rank, .certify = true}),
                   silent = fresh(bench, h, v, {.rank = rank});
    bench.require(same_bits(asked.x, silent.x), how + " `certify` changes the result",
                  "work may go into the certificate, never into the result: measuring changes no run");
    check_claim(bench, silent, exact, how);
    check_claim(bench, asked, exact, how);
    check_projection(bench, h, v, asked, how);
    check_claim(bench, fresh(bench, h, v, {.rank = rank, .on_insufficient_rank = OnInsufficientRank::raise}),
                exact, how + ", raised where it is not enough");
    // If the rank plays no part, smaller shapes have tested the rest.
    if (rank == 1 && side >= kLarge && same_bits(silent.x, exact.x)) return;
  }
  check_sequence(bench, h, v, exact);
}

void certificate(Bench& bench) {
  auto shapes = bench.shapes();
  if (bench.subject().shapes.empty())
    shapes.push_back(Shape::matrix(kLarge, kLarge));  // of which no method computes everything
  for_tried(bench, 5, shapes, [&](Tried& h) {
    if (!h.proximal()) throw Skipped{"offers no projection"};
    const Index side = std::min(h.shape().rows, h.shape().cols);
    for (const double scale : {2.0, 0.3, 0.5 / static_cast<double>(side)})
      check_at(bench, h, bench.point(h.shape(), scale * h.size()));
  });
}

}  // namespace

Tests certificate_tests() {
  const std::vector<Kind> kinds{Kind::penalty, Kind::set};
  const TestInfo info{"certificate", kinds,
                      "With a limited rank the result is within the certificate's error of the unlimited "
                      "one, and called exact only when it is that; asking for a certificate changes "
                      "no bit; calls of a sequence at one point come to the exact answer."};
  return Tests(1, Test{info, certificate});
}

}  // namespace claros::doctor

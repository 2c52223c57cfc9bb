// SPDX-License-Identifier: BSD-3-Clause
#include "proof/feasibility.hpp"
#include "proof/arithmetic_error.hpp"

#include <claros/contain.hpp>
#include <claros/parameters.hpp>
#include <claros/watch/watched.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace claros {

namespace {

// The tolerance for sets without membership, whose projection alone says which points lie inside.
constexpr double kOutside = 1e-6;

std::string measure(double violation) {
  return std::isfinite(violation) ? "by " + print_real(violation) + " of its size" : "as its indicator says";
}

/// True if h is infinite at x because its entries are large: it is finite at 1e-300 x.
bool overflows(ProximalOracle& h, Element x) {
  const std::vector<double> entries = x.to_dense();
  if (std::ranges::none_of(entries, [](double entry) { return std::abs(entry) > 1e100; })) return false;
  x.scale(1e-300);
  return std::isfinite(h.value(x));
}

/// The projection of x, or its proximal step, which is too short to do more than move x into the domain.
Element mapped(ProximalOracle& oracle, const Element& x) {
  constexpr double kShort = 1e-30;
  Element next;
  (void)oracle.apply(x.detached(), kShort, next, Accuracy{});
  return next;
}

}  // namespace

namespace {

/// Behind free coordinates the set sees a part of x, which only the projection knows to take.
Membership* membership_of(const Problem& p) {
  return query<FreeTail>(*p.objective) ? nullptr : query<Membership>(*p.set);
}

}  // namespace

double allowed_outside(const Problem& p, const ComponentNames& names) {
  Membership* membership = p.set ? membership_of(p) : nullptr;
  if (!membership) return kOutside;
  const Uncounted measuring(*p.ledger);
  return contain(names.set, [&] { return allowed_violation(*membership); });
}

double set_violation(const Problem& p, const ComponentNames& names, const Element& x) {
  if (!p.set) return 0.0;
  const Uncounted measuring(*p.ledger);
  const Element point = x.detached();
  return contain(names.set, [&] {
    if (auto* membership = membership_of(p)) return membership->violation(point);
    return p.projection ? p.projection->value(point) : std::numeric_limits<double>::quiet_NaN();
  });
}

std::optional<Error> infeasible(const Problem& p, const ComponentNames& names, const Element& x,
                                double violation) {
  const double allowed = allowed_outside(p, names);
  if (!(violation > allowed)) return outside_domain(p, names, x);
  const std::string lies = "the solution lies outside " + names.set + ", " + measure(violation);
  if (p.projection) {
    const Uncounted measuring(*p.ledger);
    const Element projected = contain(names.set, [&] { return mapped(*p.projection, x); });
    if (const double left = set_violation(p, names, projected); left > allowed)
      return Error(ErrorKind::plugin, names.set,
                   lies + ": its projection leaves points outside, " + measure(left),
                   "claros doctor shows it; tell the plugin's author, or use another set");
  }
  return Error(ErrorKind::numerical, names.algorithm, lies,
               "start from a point in the set; if the run did, tell the algorithm's author");
}

Element into_domain(const Problem& p, const ComponentNames& names, Element x) {
  constexpr double kShort = 1e-30;
  if (!p.penalty || p.set) return x;
  const Uncounted measuring(*p.ledger);
  return contain(names.penalty, [&] {
    if (std::isfinite(p.penalty->value(x.detached()))) return std::move(x);
    const double mu = p.penalty->weak_convexity(),
                 step = mu > 0.0 && std::isfinite(mu) ? std::min(kShort, 0.5 / mu) : kShort;
    Element nearest;
    (void)p.penalty->apply(x.detached(), step, nearest, Accuracy{});
    return std::isfinite(p.penalty->value(nearest)) ? std::move(nearest) : std::move(x);
  });
}

std::optional<Error> outside_domain(const Problem& p, const ComponentNames& names, const Element& x) {
  if (!p.penalty) return std::nullopt;
  const Uncounted measuring(*p.ledger);
  return contain(names.penalty, [&]() -> std::optional<Error> {
    const double h = p.penalty->value(x.detached());
    if (std::isfinite(h)) return std::nullopt;
    const std::string is = "h is " + print_real(h) + " at a point of the run";
    Element stepped = mapped(*p.penalty, x);
    const double after = p.penalty->value(stepped.detached());
    if (!std::isfinite(after) && (!all_finite(x) || overflows(*p.penalty, std::move(stepped))))
      return Error(ErrorKind::numerical, names.penalty, is + ", which overflows there",
                   "give the data in larger units");
    if (!std::isfinite(after))
      return Error(ErrorKind::plugin, names.penalty,
                   is + ", and " + print_real(after) + " behind its own proximal step",
                   "claros doctor shows it; tell the plugin's author, or use another penalty");
    return Error(ErrorKind::numerical, names.algorithm, is + ": outside the domain of " + names.penalty,
                 "start from a point where the penalty is finite, or try a smaller step");
  });
}

}  // namespace claros

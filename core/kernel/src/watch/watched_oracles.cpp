// SPDX-License-Identifier: BSD-3-Clause
// Watched oracles of sets and penalties: counted, timed, and checked: their statements must hold for their
// results.

#include <claros/watch/watcher.hpp>

#include <claros/error.hpp>
#include <claros/parameters.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <variant>

namespace claros {

namespace {

// Tolerances for the value that an oracle states: relative to itself, then to what its sum may lose to
// rounding. Numbers below the last have few digits.
constexpr double kAmiss = 1e-6, kLost = 1e-9, kTiny = 1e-290;

double length(std::span<const double> values) {
  double sum = 0.0;
  for (const double value : values) sum += value * value;
  return std::sqrt(sum);
}

/// The norms of the parts of x, whose sum may cancel and leave rounding of this size.
double size_of_parts(const Element& x) {
  double sum = norm(x);
  for (const Part& part : x.parts()) {
    const double factor = std::abs(part.weight);
    if (const auto* dense = std::get_if<DenseForm>(&part.form)) sum += factor * length(dense->values.view());
    if (const auto* sparse = std::get_if<SparseForm>(&part.form))
      sum += factor * length(sparse->values.view());
    if (const auto* low = std::get_if<LowRankForm>(&part.form))
      sum += factor * norm(Element::low_rank(low->store, low->weights));
  }
  return sum;
}

/// For parts A'c that are not folded: sum_i |c_i| |(A v)_i|, of which <A'c, v> loses a multiple of epsilon.
double size_of_adjoints(const Element& x, const Element& v) {
  double sum = 0.0;
  const auto add = [&](double weight, std::span<const double> c, std::span<const double> z) {
    for (std::size_t i = 0; i < c.size(); ++i) sum += std::abs(weight * c[i] * z[i]);
  };
  for (const Part& part : x.parts()) {
    const auto* c = std::get_if<AdjointForm>(&part.form);
    if (!c) continue;
    std::vector<double> z(c->rows.size());
    if (!c->full.empty()) add(part.weight, c->full.view(), v.image(c->map));
    if (!c->rows.empty()) v.image_at(c->map, c->rows, z);
    add(part.weight, c->coefficients, z);
  }
  return sum;
}

/// The fault of the numbers that an oracle states about its vertex, if there is one. Computes the value.
std::string falsehood(const OracleInfo& info, const Element& direction, const Element& vertex) {
  const Element bare = vertex.detached();  // what is evaluated here must not help the run
  const double value = inner(direction, bare);
  if (!std::isfinite(value)) return {};  // a direction so large that products of its entries have no number
  double allowed = kAmiss * std::max(std::abs(value), std::abs(info.value)) + kTiny;
  const bool below = info.lower_bound > value + allowed, amiss = std::abs(info.value - value) > allowed;
  if (!below && !amiss) return {};
  allowed += kLost * (size_of_parts(direction) * norm(bare) + size_of_adjoints(direction, bare));
  if (std::abs(info.value - value) > allowed)
    return "the value " + print_real(info.value) + " of a vertex where the direction has " +
           print_real(value);
  if (info.lower_bound > value + allowed)
    return "the lower bound " + print_real(info.lower_bound) + " above the value " + print_real(value) +
           " of its own vertex";
  return {};
}

/// The fault of the result for a finite direction; empty if it is sound.
std::string fault(const OracleInfo& info, const Element& direction, const Element& vertex,
                  Membership* membership) {
  if (!std::isfinite(info.value)) return "a value of " + print_real(info.value);
  if (vertex.shape() != direction.shape())
    return "a vertex of shape " + vertex.shape().text() + " for " + direction.shape().text();
  if (!all_finite(vertex)) return "a vertex that is not finite";
  const double violation = membership ? membership->violation(vertex) : 0.0;
  if (membership && !(violation <= allowed_violation(*membership)))
    return "a vertex outside its own set, by " + print_real(violation) + " of its size";
  return falsehood(info, direction, vertex);
}

/// A count, or a bound on an error, that no call can have: it would be taken off the run's. NaN: unknown.
void refuse_negative(const Watch& watch, const char* what, double stated) {
  if (!(stated < 0.0)) return;
  throw Error(ErrorKind::plugin, watch.name,
              std::string("states ") + print_real(stated) + " " + what +
                  " of one call, where a number of at least 0 is expected",
              "report it to the plugin's author, or use another " + kind_name(watch.kind));
}

template <class Info>
void refuse_negative_counts(const Watch& watch, const Info& info) {
  refuse_negative(watch, "operator-vector products", static_cast<double>(info.products));
  refuse_negative(watch, "rank-one decompositions", static_cast<double>(info.singular_pairs));
}

[[noreturn]] void blame_gradient(const ComponentNames& names) {
  throw Error(ErrorKind::numerical, names.objective,
              "the gradient that came through " + names.estimator + " is not finite",
              "look for such values in the data, try a smaller step, or check the plugin at a finite point");
}

/// `ask` fills in the result, and `find_fault` returns its fault. In the run a NaN is looked for when the
/// oracle stumbles over it; a measurement has the time to look before.
template <class Ask, class FindFault>
void ask_oracle(const Watch& watch, const Element& direction, bool confirm, Ask ask, FindFault find_fault) {
  const ComponentNames& names = watch.ledger->names;
  if (confirm && !all_finite(direction)) blame_gradient(names);
  std::string wrong;
  try {
    contain(watch, [&] {
      ask();
      wrong = find_fault();
    });
  } catch (const Error&) {
    if (!all_finite(direction)) blame_gradient(names);
    throw;
  }
  if (wrong.empty()) return;
  if (!all_finite(direction)) blame_gradient(names);
  if (constexpr double kLarge = 1e100; !(norm(direction) < kLarge))
    throw Error(ErrorKind::numerical, watch.name,
                "the linear oracle returned " + wrong + " for a gradient whose products overflow",
                "scale the data");
  throw Error(ErrorKind::plugin, watch.name, "the linear oracle returned " + wrong,
              "report it to the plugin's author, or use another set");
}

}  // namespace

WatchedLinearOracle::WatchedLinearOracle(LinearOracle& inner, Membership* membership, Watch watch)
    : inner_(inner), membership_(membership), watch_(std::move(watch)) {}

OracleInfo WatchedLinearOracle::minimize(const Element& direction, const OracleRequest& request,
                                         Element& vertex) {
  const WatchedCall call(watch_, &ComponentSeconds::oracle);
  OracleInfo info;
  ask_oracle(
      watch_, direction, request.confirm, [&] { info = inner_.minimize(direction, request, vertex); },
      [&] { return fault(info, direction, vertex, membership_); });
  refuse_negative_counts(watch_, info);
  call.count([&](Counts& counts) {
    counts.lo += 1;
    counts.svd += info.singular_pairs;
    counts.matvec += info.products;
  });
  return info;
}

std::vector<Shape> WatchedBlockOracle::block_shapes(const Shape& shape) {
  const Inside inside(watch_);
  return contain(watch_, [&] { return inner_.block_shapes(shape); });
}

OracleInfo WatchedBlockOracle::minimize_block(Index k, const Element& direction, const OracleRequest& request,
                                              Element& vertex) {
  const WatchedCall call(watch_, &ComponentSeconds::oracle);
  OracleInfo info;
  ask_oracle(
      watch_, direction, request.confirm,
      [&] { info = inner_.minimize_block(k, direction, request, vertex); },
      [&] { return fault(info, direction, vertex, nullptr); });
  refuse_negative_counts(watch_, info);
  call.count([&](Counts& counts) {
    counts.partial_lo += 1;
    counts.svd += info.singular_pairs;
    counts.matvec += info.products;
  });
  return info;
}

FaceInfo WatchedFaces::away(const Element& g, const Element& x, const OracleRequest& request,
                            Element& vertex) {
  const WatchedCall call(watch_, &ComponentSeconds::oracle);
  FaceInfo info;
  ask_oracle(
      watch_, g, request.confirm, [&] { info = inner_.away(g, x, request, vertex); },
      [&] {
        if (!(info.longest >= 0.0 && std::isfinite(info.longest)))
          return "a longest step of " + print_real(info.longest);
        const OracleInfo states{.value = info.value, .lower_bound = -std::numeric_limits<double>::infinity()};
        return fault(states, g, vertex, membership_);
      });
  refuse_negative_counts(watch_, info);
  call.count([&](Counts& counts) {
    (info.whole ? counts.lo : counts.partial_lo) += 1;
    counts.svd += info.singular_pairs;
    counts.matvec += info.products;
  });
  return info;
}

double WatchedLinearOracle::diameter(const Shape& shape) {
  const Inside inside(watch_);
  const double diameter = contain(watch_, [&] { return inner_.diameter(shape); });
  if (diameter >= 0.0 && std::isfinite(diameter)) return diameter;
  if (diameter > 0.0)
    throw Error(ErrorKind::numerical, watch_.name,
                "its diameter is infinite: with these bounds or this radius it overflows",
                "give smaller ones; if they are small, report it to the plugin's author");
  throw Error(ErrorKind::plugin, watch_.name, "states a diameter of " + std::to_string(diameter),
              "a set with a linear oracle is bounded: report it to the plugin's author");
}

namespace {

void collect(const Certificate& certificate, Certification& all) {
  const bool bounded = certificate.exact || (certificate.error > 0.0 && std::isfinite(certificate.error));
  all.exact += certificate.exact;
  all.certified += bounded;
  all.error = std::max(all.error, bounded ? certificate.error : std::numeric_limits<double>::infinity());
  if (certificate.asked == 0) return;
  all.asked = certificate.asked;
  all.needed = certificate.rank;
  all.largest = std::max(all.largest, certificate.rank);
}

}  // namespace

Certificate WatchedProximalOracle::apply(const Element& v, double step, Element& x,
                                         const Accuracy& accuracy) {
  const WatchedCall call(watch_, &ComponentSeconds::oracle);
  Accuracy asked = accuracy;
  asked.certify |= watch_.ledger->certify;
  const Certificate certificate = contain(watch_, [&] { return inner_.apply(v, step, x, asked); });
  refuse_negative_counts(watch_, certificate);
  refuse_negative(watch_, "as a bound on the error", certificate.error);
  call.count([&](Counts& counts) {
    if (watch_.ledger->certification) collect(certificate, *watch_.ledger->certification);
    counts.po += 1;
    counts.svd += certificate.singular_pairs;
    counts.matvec += certificate.products;
  });
  return certificate;
}

double WatchedProximalOracle::value(const Element& x) {
  const WatchedCall call(watch_, &ComponentSeconds::oracle);
  return contain(watch_, [&] { return inner_.value(x); });
}

double WatchedProximalOracle::weak_convexity() const {
  const Inside inside(watch_);
  return contain(watch_, [&] { return inner_.weak_convexity(); });
}

bool WatchedProximalOracle::is_expensive() const {
  const Inside inside(watch_);
  return contain(watch_, [&] { return inner_.is_expensive(); });
}

}  // namespace claros

// SPDX-License-Identifier: BSD-3-Clause
#include "adapters/smoothed_objective.hpp"
#include "compose/deferred_numbers.hpp"
#include "compose/succession.hpp"
#include "proof/null_model.hpp"

#include <claros/compose/composition.hpp>
#include <claros/compose/program_services.hpp>
#include <claros/contain.hpp>
#include <claros/head_oracle.hpp>
#include <claros/run/dry_start.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace claros {

bool has_stop(const StopOptions& s) noexcept {
  return s.iterations || s.epochs || s.passes > 0 || s.seconds > 0 || s.gap > 0 || s.relative_gap > 0 ||
         s.residual > 0 || s.value > -std::numeric_limits<double>::infinity() || s.sfo || s.lo || s.stall ||
         s.patience;
}

namespace {

void collect(const std::vector<Node>& parts, std::vector<const Node*>& all) {
  for (const Node& part : parts) {
    all.push_back(&part);
    collect(part.held, all);
  }
}

/// True if the next step may depend on the memory of such a part: functions and data have none.
bool remembers(Kind kind) {
  return kind != Kind::objective && kind != Kind::smoother && kind != Kind::data && kind != Kind::loss;
}

}  // namespace

void collect_kept(const std::vector<Node>& parts, std::vector<Kept>& all) {
  for (const Node& part : parts) {
    if (part.restarted) continue;
    if (part.component && (remembers(part.kind) || query<State>(*part.component)))
      all.push_back({part.path, part.label(), part.component.get()});
    collect_kept(part.held, all);
  }
}

std::vector<const Node*> Composition::all_parts() const {
  std::vector<const Node*> all;
  collect(parts, all);
  return all;
}

std::vector<std::pair<std::string, std::string>> Composition::versions() const {
  std::vector<std::pair<std::string, std::string>> result;
  for (const Node* part : all_parts()) {
    if (!part->entry) continue;
    std::pair<std::string, std::string> row{part->label(), part->entry->version};
    if (std::find(result.begin(), result.end(), row) == result.end()) result.push_back(std::move(row));
  }
  return result;
}

void Composition::connect() {
  const auto take = [&]<class Interface>(const char* role, std::shared_ptr<Interface>& member,
                                         std::string* name) {
    for (const Node& part : parts) {
      if (part.role != role) continue;
      member = std::static_pointer_cast<Interface>(part.component);
      if (name) *name = part.label();
    }
  };
  take("objective", objective, &names.objective);
  take("smoother", smoother, nullptr);
  take("penalty", penalty, &names.penalty);
  take("set", set, &names.set);
  take("estimator", estimator, &names.estimator);
  take("algorithm", algorithm, &names.algorithm);
  if (algorithm && !run.fallback.empty())
    algorithm = succession = std::make_shared<Succession>(*this, algorithm);
  // R becomes part of f, also in the names of errors. This is always so if f has free coordinates, of which R
  // is not a function, and if R has a domain, for which methods ask the objective.
  const bool summand = (objective && query<FreeTail>(*objective)) || (smoother && query<Domain>(*smoother));
  if (smoother && (summand || !(algorithm && algorithm->takes().smoother))) {
    if (objective) objective = std::make_shared<SmoothedObjective>(objective, smoother);
    smoother = nullptr;
    for (const Node& part : parts)
      if (part.role == "smoother") names.objective += " + " + part.label();
  }
  if (ledger) ledger->names = names;
  const auto seen = [&](const std::shared_ptr<Component>& component) -> std::shared_ptr<ProximalOracle> {
    auto* oracle = component ? query<ProximalOracle>(*component) : nullptr;
    if (!oracle) return nullptr;
    auto* tail = objective ? query<FreeTail>(*objective) : nullptr;
    if (tail) return std::make_shared<HeadOracle>(component, *oracle, tail->constrained_shape());
    return {component, oracle};
  };
  penalty_oracle = seen(penalty);
  projection = seen(set);
}

Problem Composition::problem() const {
  Problem p;
  p.objective = objective.get();
  p.smoother = smoother.get();
  p.penalty = penalty_oracle.get();
  p.set = set.get();
  // With free coordinates a linear function has no minimum over the set.
  const bool free_tail = objective && query<FreeTail>(*objective);
  p.linear_oracle = set && !free_tail ? query<LinearOracle>(*set) : nullptr;
  p.projection = projection.get();
  if (penalty || set) p.conjugate = query<Conjugate>(penalty ? *penalty : *set);
  if (penalty) p.separable = query<Separable>(*penalty), p.lazy = query<LazyProximal>(*penalty);
  p.subgradient = penalty && set && algorithm && algorithm->takes().subgradient;
  p.estimator = estimator.get();
  p.truth = truth.get();
  p.context = context;
  p.ledger = ledger;
  collect_kept(parts, p.kept);
  for (Kept& kept : p.kept)
    if (kept.name == "algorithm") kept.component = algorithm.get();  // a succession keeps the first one too
  return p;
}

namespace {

/// Calls use(axis) for each entry of x that is not 0, the axis being 0 but for the sign of that entry there.
void each_axis(const Element& x, const std::function<void(Element)>& use) {
  for (Index k = 0; k < x.block_count(); ++k)
    each_axis(x.block(k), [&](Element axis) {
      Element whole(x.shape());
      whole.edit_block(k) = std::move(axis);
      use(std::move(whole));
    });
  if (x.block_count() > 0) return;
  const std::vector<double> entries = x.to_dense();
  for (std::size_t j = 0; j < entries.size(); ++j) {
    if (entries[j] == 0.0) continue;
    std::vector<double> axis(entries.size(), 0.0);
    axis[j] = entries[j] > 0.0 ? 1.0 : -1.0;
    use(Element::dense(x.shape(), std::move(axis)));
  }
}

/// The mean of the points of C that are farthest along the axes of x. It is inside C if C has an inside and
/// they span it.
Element mean_of_farthest(LinearOracle& oracle, const Element& x) {
  Element sum(x.shape()), vertex;
  double count = 0.0;
  each_axis(x, [&](Element direction) {
    direction.scale(-1.0);
    (void)oracle.minimize(direction, {}, vertex);
    sum.add(1.0, vertex);
    count += 1.0;
  });
  if (count > 0.0) sum.scale(1.0 / count);
  return sum;
}

Element halfway(Element x, const Element& y) {
  x.blend(0.5, y);
  return x;
}

/// Without a set, the objective's inner point. With one, the first point of C and dom f among: that point
/// projected onto C, the mean of the farthest points of C along its entries, and points halfway between these
/// and `own`, the set's start. A projection lies on the border of C, which may be that of dom f too (singular
/// matrices of a spectrahedron). Where none is in dom f, the run refuses the point.
Element point_in_domain(Objective& f, Component* set, ProximalOracle* projection, const Element& own) {
  const Element inner = query<Domain>(f)->inner_point(own.shape());
  if (!set) return inner;
  std::vector<Element> points;
  if (projection) (void)projection->apply(inner, 1.0, points.emplace_back(), {});
  const auto inside = [&f](const Element& x) { return !leaves_domain(f, x); };
  if (projection && inside(points.front())) return points.front();
  auto* oracle = query<FreeTail>(f) ? nullptr : query<LinearOracle>(*set);
  if (oracle && norm(inner) > 0.0) points.push_back(mean_of_farthest(*oracle, inner));
  points.push_back(own);
  const std::size_t known = points.size();
  for (std::size_t k = 0; k < known; ++k)
    for (std::size_t j = 0; j < k; ++j) points.push_back(halfway(points[j], points[k]));
  const auto found = std::ranges::find_if(points, inside);
  return found != points.end() ? *found : points.front();
}

/// The set's start, and 0 for free coordinates.
Element start_in(Start& own, Objective& f, const Shape& shape) {
  const auto* tail = query<FreeTail>(f);
  if (!tail) return own.start_point(shape);
  std::vector<double> values = own.start_point(tail->constrained_shape()).to_dense();
  values.resize(static_cast<std::size_t>(shape.size()), 0.0);
  return Element::dense(shape, std::move(values));
}

}  // namespace

Element Composition::start_point() const {
  if (given_start) return *given_start;
  const Shape shape = objective->shape();
  auto* own = set && start.from == "auto" ? query<Start>(*set) : nullptr;
  Element x = own ? start_in(*own, *objective, shape) : Element(shape);
  if (start.from != "auto" || !leaves_domain(*objective, x)) return x;
  return point_in_domain(*objective, set.get(), projection.get(), x);
}

void Composition::start_at(Element x) {
  auto* scales = query<Rescaled>(*objective);
  if (scales && scales->original(Element(objective->shape())).shape() == x.shape()) x = scales->scaled(x);
  given_start = std::make_shared<const Element>(std::move(x));
}

Composition Composition::trial(std::uint32_t number) const {
  Composition other = *this;
  other.context.trial = number;
  for (Node& part : other.parts)
    if (remembers(part.kind)) build(part, other.context, ledger);
  other.connect();
  return other;
}

void Composition::set_number(const std::string& key, double number) {
  const auto dot = key.rfind('.');
  const std::string path = key.substr(0, dot), text = print_real(number);
  for (Node& part : parts) {
    if (part.path != path || !part.entry) continue;
    const ParameterList& parameters = part.entry->parameters();
    const std::string name = key.substr(dot + 1);
    if (!parameters.find(name)) {
      const std::string guess = did_you_mean(name, parameters.names());
      throw Error(ErrorKind::usage, key, part.entry->label() + " has no parameter '" + name + "'",
                  guess.empty() ? "it knows " + joined(parameters.names()) : guess);
    }
    parameters.assign(part.options.get(), name, text);
    build(part, context, ledger);
    effective.set(key, text);
    for (ResolvedFraction& fraction : fractions)
      if (fraction.key == key) fraction.written = text, fraction.number = number;
    return connect();
  }
  throw Error(ErrorKind::usage, key, "is not a parameter of a component that the catalogue made",
              "name one of an outermost section");
}

void Composition::renew_max(const std::string& key) {
  const auto smooth = smoother ? std::make_shared<SmoothedObjective>(objective, smoother) : objective;
  for (ResolvedFraction& fraction : fractions)
    for (const Node& part : parts)
      if (fraction.key == key && part.path == key.substr(0, key.rfind('.')))
        fraction.max = largest_useful(part, *smooth);
}

double Composition::null_slope() const {
  const auto smooth = smoother ? std::make_shared<SmoothedObjective>(objective, smoother) : objective;
  const Element g = contain("objective", [&] { return null_gradient(*smooth); });
  double most = 0.0;
  for (const double slope : g.to_dense()) most = std::max(most, std::abs(slope));
  return most;
}

namespace {

/// call(), whose errors name the lines of the file that the settings were read from.
template <class Call>
auto with_lines(const Spec& written, Call&& call) {
  try {
    return call();
  } catch (const Error& error) {
    throw written.with_lines(error);
  }
}

}  // namespace

RunSettings run_settings(const Composition& composition) {
  RunSettings settings;
  settings.stop = composition.stop;
  settings.trace = composition.trace;
  settings.threads = static_cast<int>(composition.run.threads);
  return settings;
}

void dry_start(const Composition& c, const RunSettings& settings) {
  if (c.run.trial_count() > 1) c.services->check_trials(c);
  const Composition& one = c.run.trial_count() > 1 ? c.trial(0) : c;
  with_lines(c.written,
             [&] { dry_start(one.problem(), *one.algorithm, one.start_point(), settings, one.names); });
}

RunResult run_once(const Composition& c, RunSettings settings) {
  if (c.succession)
    settings.on_stand = [&](Index steps, const std::string& how) {
      return c.succession->take_next(steps, how);
    };
  RunResult result = claros::run(c.problem(), *c.algorithm, c.start_point(), settings, c.names);
  if (c.succession && !c.succession->history().empty())
    result.note = c.succession->history() + (result.note.empty() ? "" : "; " + result.note);
  return result;
}

RunResult run(const Composition& c, const RunSettings& settings) {
  return with_lines(c.written, [&] {
    return c.run.trial_count() > 1 ? c.services->run_trials(c, settings) : run_once(c, settings);
  });
}

}  // namespace claros

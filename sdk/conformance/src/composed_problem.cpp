// SPDX-License-Identifier: BSD-3-Clause
// An algorithm is tried on the kit's problems. If it takes none of them, sets, penalties and a loss with
// corners of the catalogue serve.
#include <claros/compose/plan.hpp>
#include <claros/io/memory_data.hpp>
#include <claros/run/run_loop.hpp>

#include <algorithm>

#include "composed.hpp"

namespace claros::doctor {

namespace {

constexpr double kLow = -1.0, kHigh = 1.5, kLambda = 0.6, kRadius = 4.0;
using Form = Side::Form;

Settings with_examples(const PluginEntry& entry) {
  Settings settings;
  for (const ParameterInfo& row : entry.parameters().rows())
    if (row.range.required) settings.push_back({row.name, example_value(row), {}, {}});
  const ParameterInfo* groups = entry.parameters().find("groups");
  if (groups && !groups->range.required && groups->fallback.empty())
    settings.push_back({"groups", "rows", {}, {}});
  return settings;
}

std::shared_ptr<Component> part_of(const Bench& bench, const Side& side) {
  if (side.part)
    return create_component(*bench.subject().catalog, *side.part, with_examples(*side.part), bench.context());
  if (side.form == Form::penalty && side.weak) return std::make_shared<KitConcave>(kLambda, 5.0);
  if (side.form == Form::penalty) return std::make_shared<KitL1>(kLambda);
  if (side.form == Form::vertices) return std::make_shared<KitCross>(kRadius);
  if (side.form == Form::set || side.form == Form::both)
    return std::make_shared<KitBox>(side.shape.size(), kLow, kHigh);
  return nullptr;
}

/// The linear model of the catalogue with corners at b.
std::shared_ptr<Component> corners_at(const Bench& bench, const Diagonal& diagonal) {
  const Catalog& catalog = *bench.subject().catalog;
  const std::size_t p = diagonal.d.size();
  Numbers rows(p * p, 0.0), y;
  for (std::size_t j = 0; j < p; ++j) {
    rows[j * p + j] = static_cast<double>(p) * diagonal.d[j];
    y.push_back(rows[j * p + j] * diagonal.b[j]);
  }
  Context context = bench.context();
  context.data = data_from_rows(rows, p, p, y);
  return create_component(catalog, catalog.at(Kind::objective, "linear-model"),
                          {{"loss", "quantile", {}, {}}, {"intercept", "no", {}, {}}}, context);
}

}  // namespace

std::string Side::text() const {
  if (corner) return "corners, " + Side{.form = form}.text();
  const std::string where = shape == Shape::vector(8) ? "" : " of " + shape.text();
  if (equal) return "squared distance, " + Side{.form = form}.text();
  if (sparse) return "of sparse rows, " + Side{.form = form}.text();
  if (form == Form::none && flat) return "f alone, flat";
  if (form == Form::none) return unknown ? "f alone, which states no constants" : "f alone";
  if (form == Form::vertices) return "f of a matrix over vertices of rank 1";
  if (weak) return "f + a weakly convex penalty";
  if (flat) return "flat " + Side{.form = form}.text();
  if (form == Form::both) return "f + lambda ||x||_1 over a box";
  if (part) return (form == Form::set ? "f over " : "f + ") + part->label() + where;
  return (form == Form::set ? "f over a box" : "f + lambda ||x||_1") + where;
}

Composed::Composed(const Bench& bench, const Settings& settings, const Side& side, bool sampled,
                   std::uint64_t sampling)
    : side_(side),
      diagonal_(bench.subject().seed, side.shape, side.unknown, side.sparse, side.equal),
      flat_(bench.subject().seed, Shape::vector(8)),
      entries_(entries_problem(bench.subject().seed)),
      sampler_(RandomStream(sampling, Purpose::sampling),
               (side.form == Form::vertices ? *entries_ : *diagonal_.f).terms()),
      whole_(bench.make_with_parts(settings, bench.context())),
      algorithm_(std::static_pointer_cast<Algorithm>(whole_.front())) {
  if (side.form == Form::vertices) side_.shape = entries_->shape();
  problem_.objective = side.form == Form::vertices ? entries_.get()
                       : side.flat                 ? flat_.f.get()
                                                   : diagonal_.f.get();
  if (sampled)
    problem_.estimator = &batch_;
  else
    problem_.estimator = &full_;
  problem_.context = bench.context();
  if (side.corner) corners_ = corners_at(bench, diagonal_);
  if (corners_) problem_.objective = static_cast<Objective*>(corners_.get());
  take(part_of(bench, side));
  if (side.form != Form::both) return;
  penalty_ = std::make_shared<KitL1>(kLambda);
  problem_.penalty = query<ProximalOracle>(*penalty_);
  problem_.separable = query<Separable>(*penalty_);
  problem_.conjugate = query<Conjugate>(*penalty_);
}

void Composed::take(std::shared_ptr<Component> part) {
  part_ = std::move(part);
  if (!part_) return;
  problem_.conjugate = query<Conjugate>(*part_);
  if (side_.form == Form::penalty) {
    problem_.penalty = query<ProximalOracle>(*part_);
    problem_.separable = query<Separable>(*part_);
    return;
  }
  problem_.set = part_.get();
  problem_.linear_oracle = query<LinearOracle>(*part_);
  problem_.projection = query<ProximalOracle>(*part_);
}

std::string Composed::refusal() {
  std::string reason;
  for (const MissingPart& part : missing_parts(problem_, *algorithm_, {}))
    reason += (reason.empty() ? "" : "; ") + part.complaint.sentence();
  if (!reason.empty()) return reason;
  try {
    start();
    return {};
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::usage) throw;
    return error.what();
  }
}

void Composed::start(const Element& x0) {
  problem_.estimator->start(f(), sampler_);
  algorithm_->start(problem_, x0);
}

Element Composed::start_point() {
  Element zero(shape());
  if (!side_.has_set()) return zero;
  if (auto* own = query<Start>(*part_)) return own->start_point(shape());
  if (violation(zero) <= 1e-9 || (!problem_.projection && !problem_.linear_oracle)) return zero;
  Element x;
  if (problem_.projection)
    problem_.projection->apply(
        Element::dense(shape(), Numbers(static_cast<std::size_t>(shape().size()), 0.0)), 1.0, x, {});
  else
    problem_.linear_oracle->minimize(
        Element::dense(shape(), Numbers(static_cast<std::size_t>(shape().size()), 1.0)), {1e-6, false}, x);
  return x;
}

Element Composed::somewhere(const Numbers& normals) {
  const Element there = Element::dense(shape(), normals);
  if (!side_.has_set()) return there;
  Element x, inside = start_point();
  if (problem_.projection)
    problem_.projection->apply(there, 1.0, x, {});
  else
    problem_.linear_oracle->minimize(there, {1e-6, false}, x);
  return Element::dense(shape(), combined(0.8, x.to_dense(), 0.2, inside.to_dense()));
}

double Composed::value(const Element& x) {
  return f().value(x.detached()) + (problem_.penalty ? problem_.penalty->value(x) : 0.0);
}

Measurement Composed::measured() {
  const Element x = algorithm_->iterate().detached();
  Measurement m;
  m.value = value(x);
  if (!problem_.linear_oracle) return m;
  Element g(shape()), v;
  f().add_gradient(x, Batch::all(), 1.0, g);
  problem_.linear_oracle->minimize(g, {1e-10, false}, v);
  m.gap = inner(g, x) - inner(g, v);
  m.gap_kind = "frank-wolfe";
  return m;
}

double Composed::violation(const Element& x) {
  if (!side_.has_set()) return 0.0;
  if (auto* membership = query<Membership>(*part_)) return membership->violation(x);
  if (!problem_.projection) return kNan;
  Element p;
  problem_.projection->apply(x, 1.0, p, {});
  const Numbers here = x.to_dense();
  return distance(p.to_dense(), here) / (1.0 + length(here));
}

/// Steps of 1/L on a quadratic of condition 4, which take away a quarter of the distance and more each.
Composed::Solution Composed::by_proximal_steps() {
  ProximalOracle& oracle = problem_.penalty ? *problem_.penalty : *problem_.projection;
  const double s = 1.0 / *f().constants().smoothness;
  Element x = start_point();
  for (int k = 0; k < 400; ++k) {
    Element g(shape()), y = x;
    f().add_gradient(x, Batch::all(), 1.0, g);
    y.add(-s, g);
    oracle.apply(Element::dense(shape(), y.to_dense()), s, x, {1e-12, 0, false});
  }
  return {x.to_dense(), 1e-7};
}

/// Frank-Wolfe with exact line search, and its gap.
Composed::Solution Composed::by_vertices() {
  Numbers x = start_point().to_dense();
  double gap = kInfinity;
  for (int k = 0; k < 5000 && gap > 1e-6; ++k) {
    Element g(shape()), v;
    f().add_gradient(Element::dense(shape(), x), Batch::all(), 1.0, g);
    problem_.linear_oracle->minimize(g, {1e-8, false}, v);
    const Numbers d = combined(1.0, v.to_dense(), -1.0, x);
    gap = -dot(g.to_dense(), d);
    double curvature = 0.0;
    for (std::size_t j = 0; j < d.size(); ++j) curvature += diagonal_.d[j] * d[j] * d[j];
    if (curvature > 0.0) x = combined(1.0, x, std::clamp(gap / curvature, 0.0, 1.0), d);
  }
  return {x, gap};
}

std::optional<Composed::Solution> Composed::solution() {
  if (side_.form == Form::vertices) return std::nullopt;  // that f is not convex
  if (side_.corner) {
    Numbers x = diagonal_.b;
    for (std::size_t j = 0; j < x.size(); ++j)
      if (problem_.penalty && 0.5 * diagonal_.d[j] < kLambda) x[j] = 0.0;
    return Solution{x, 0.0};
  }
  if (side_.part || side_.weak) {
    const ProximalOracle* oracle = problem_.penalty ? problem_.penalty : problem_.projection;
    if (!oracle) return by_vertices();
    if (oracle->weak_convexity() < *std::min_element(diagonal_.d.begin(), diagonal_.d.end()))
      return by_proximal_steps();
    return std::nullopt;
  }
  const bool penalty = problem_.penalty, set = problem_.set;
  if (side_.flat)
    return Solution{flat_.solution(penalty ? kLambda : 0.0, set ? kLow : -kInfinity, set ? kHigh : kInfinity),
                    1e-12};
  Numbers x = diagonal_.b;
  for (std::size_t j = 0; j < x.size(); ++j) {
    if (penalty) x[j] = std::copysign(std::max(std::abs(x[j]) - kLambda / diagonal_.d[j], 0.0), x[j]);
    if (set) x[j] = std::clamp(x[j], kLow, kHigh);
  }
  return Solution{x, 0.0};
}

void Composed::state(StateVisitor& v) {
  v("sampler", sampler_);
  v("algorithm", query<State>(*algorithm_));
  v("estimator", query<State>(*problem_.estimator));
  if (part_) v("part", query<State>(*part_));
  state_of_held(whole_, v);
}

namespace {

/// Adds those that the algorithm takes to `taken`, and why it does not take the others to `reasons`.
class Trying {
 public:
  Trying(const Bench& bench, const Settings& settings, bool sampled)
      : bench_(bench), settings_(settings), sampled_(sampled) {}
  bool add(const Side& side) {
    const std::string refusal = Composed(bench_, settings_, side, sampled_).refusal();
    if (refusal.empty())
      taken_.push_back(side);
    else
      reasons_ = reasons_.empty() ? side.text() + ": " + refusal : reasons_;
    return refusal.empty();
  }
  /// Adds a set or penalty of the catalogue, for a vector or else for a matrix. A part that refuses all of
  /// these shapes is not part of a problem.
  bool add_part(const PluginEntry& entry) {
    for (const Shape& shape : {Shape::vector(8), Shape::matrix(4, 2)}) {
      try {
        if (add({.form = entry.kind == Kind::set ? Form::set : Form::penalty,
                 .shape = shape,
                 .part = &entry}))
          return true;
      } catch (const Error&) {
        continue;
      }
    }
    return false;
  }
  /// Up to three of Claros' own that it takes.
  void find(Kind kind) {
    const Catalog* catalog = bench_.subject().catalog;
    int found = 0;
    for (const std::string& name : catalog ? catalog->names(kind) : std::vector<std::string>())
      if (const PluginEntry& entry = catalog->at(kind, name); entry.is_built_in() && found < 3)
        found += add_part(entry);
    if (!catalog) reasons_ += "; there is no catalogue to find another " + kind_name(kind) + " in";
  }
  bool any(Form form) const {
    return std::any_of(taken_.begin(), taken_.end(), [&](const Side& side) { return side.form == form; });
  }
  const std::string& reasons() const { return reasons_; }
  const std::vector<Side>& taken() const { return taken_; }

 private:
  const Bench& bench_;
  const Settings& settings_;
  bool sampled_;
  std::vector<Side> taken_;
  std::string reasons_;
};

}  // namespace

std::vector<Side> sides(const Bench& bench, const Settings& settings, bool sampled) {
  Trying trying(bench, settings, sampled);
  for (const Form form : {Form::none, Form::penalty, Form::set}) trying.add({.form = form});
  for (const PluginEntry* entry : bench.subject().with)
    if (!trying.add_part(*entry)) throw Skipped{"does not take " + entry->label() + ": " + trying.reasons()};
  const Takes takes = Composed(bench, settings, {}, sampled).algorithm().takes();
  if (trying.taken().empty() && bench.subject().catalog)
    for (const Form form : {Form::none, Form::penalty}) trying.add({.form = form, .corner = true});
  if (trying.taken().empty())
    for (const Form form : {Form::none, Form::penalty, Form::set, Form::both})
      trying.add({.form = form, .equal = true});
  if (takes.both) trying.add({.form = Form::both});
  if (takes.penalty) trying.add({.form = Form::penalty, .weak = true});
  if (takes.set && !trying.any(Form::set))
    trying.add({.form = Form::set, .shape = Shape::product({Shape::vector(4), Shape::vector(4)})});
  if (takes.set && !trying.any(Form::set)) trying.find(Kind::set);
  if (takes.penalty && !trying.any(Form::penalty)) trying.find(Kind::penalty);
  if (trying.taken().empty())
    throw Skipped{"takes none of the problems that the kit can make: " + trying.reasons()};
  return trying.taken();
}

std::vector<Side> flat_and_sparse(const std::vector<Side>& sides) {
  std::vector<Side> made;
  for (Side side : sides) {
    if (side.part || side.weak || side.corner || side.form == Form::vertices ||
        side.shape != Shape::vector(8))
      continue;
    side.flat = true;
    made.push_back(side);
    side.flat = false;
    side.sparse = true;
    made.push_back(side);
  }
  return made;
}

}  // namespace claros::doctor

// SPDX-License-Identifier: BSD-3-Clause
#include "composed.hpp"

#include <claros/element/parallel.hpp>
#include <claros/run/run_loop.hpp>

#include <algorithm>

namespace claros::doctor {

namespace {

const Setting* find(const Settings& settings, const std::string& key) {
  const auto at =
      std::find_if(settings.begin(), settings.end(), [&](const Setting& s) { return s.key == key; });
  return at == settings.end() ? nullptr : &*at;
}

constexpr double kLow = -1.0, kHigh = 1.5, kLambda = 0.6, kRadius = 4.0;

/// A smoother of all shapes, at one.
class AtShape final : public Objective {
 public:
  AtShape(std::shared_ptr<Objective> R, Shape shape) : R_(std::move(R)), shape_(std::move(shape)) {}
  Shape shape() const override { return shape_; }
  Index components() const override { return R_->components(); }
  double value(const Element& x) override { return R_->value(x); }
  void add_gradient(const Element& x, const Batch& batch, double a, Element& g) override { R_->add_gradient(x, batch, a, g); }
  void add_gradient_difference(const Element& x, const Element& y, const Batch& batch, double a, Element& g) override {
    R_->add_gradient_difference(x, y, batch, a, g);
  }
  Constants constants() const override { return R_->constants(); }
  void* ability(std::string_view id) noexcept override { return R_->ability(id); }

 private:
  std::shared_ptr<Objective> R_;
  Shape shape_;
};

Shape shape_of_smoother(const Bench& bench, int which, Index rows) {
  const std::vector<Shape>& asked = bench.subject().shapes;
  if (!asked.empty()) return asked[static_cast<std::size_t>(which) % asked.size()];
  return which == 0 ? Shape::vector(rows / 2) : which == 1 ? Shape::matrix(3, 8) : Shape::matrix(8, 3);
}

}  // namespace

References references_of(Objective& f) {
  References references;
  if (auto* referable = query<Referable>(f)) referable->refer(references);
  return references;
}

std::shared_ptr<Objective> make_objective(const Bench& bench, const Settings& settings, int responses,
                                          Index rows, int threads) {
  Context context = bench.context(threads);
  const Setting* data = find(settings, "data");
  if (!data || data->value.empty())
    context.data = std::make_shared<KitData>(bench.subject().seed, responses, rows, 5);
  const ThreadScope scope(threads);
  auto made = std::static_pointer_cast<Objective>(bench.make(settings, context));
  if (bench.subject().entry.kind != Kind::smoother || made->shape() != Shape()) return made;
  return std::make_shared<AtShape>(std::move(made), shape_of_smoother(bench, responses, rows));
}

Settings estimator_settings(const Bench& bench) {
  Settings settings = bench.settings();
  for (const auto& [key, value] : {std::pair("batch", "3"), std::pair("epoch", "5")})
    if (bench.subject().entry.parameters().find(key) && !find(settings, key))
      settings.push_back({key, value, {}, {}});
  return settings;
}

std::shared_ptr<GradientEstimator> make_estimator(const Bench& bench, const Settings& settings) {
  return std::static_pointer_cast<GradientEstimator>(bench.make(settings, bench.context()));
}

Driven::Driven(const Bench& bench, const Settings& settings, int form, std::uint64_t sampling)
    : f_(form == 0 ? rows_problem(bench.subject().seed) : entries_problem(bench.subject().seed)),
      sampler_(RandomStream(sampling, Purpose::sampling), f_->components()),
      estimator_(make_estimator(bench, settings)) {
  for (const std::string& need : estimator_->needs())
    if (!f_->ability(need))
      throw Skipped{"needs the ability " + need + ", which the kit's problem does not have"};
  estimator_->start(*f_, sampler_);
}

const Element& Driven::next(const Element& x) {
  if (estimator_->epoch_due()) estimator_->begin_epoch(x, plan);
  return estimator_->estimate(x);
}

Element Driven::point(std::uint64_t number) const {
  RandomStream random(number, Purpose::test, 50);
  const Shape shape = f_->shape();
  Numbers u(static_cast<std::size_t>(shape.rows)), v(static_cast<std::size_t>(shape.cols));
  random.fill_normal(u);
  random.fill_normal(v);
  return shape.cols == 1 ? Element::dense(shape, u) : Element::rank_one(1.0, u, v);
}

Element Driven::near(const Element& x, double step, std::uint64_t number) const {
  Element d = point(number), y = x;
  y.add(step / norm(d), d);
  return y;
}

Numbers Driven::gradient(const Element& x) const {
  Element g(f_->shape());
  f_->add_gradient(x, Batch::all(), 1.0, g);
  return g.to_dense();
}

void Driven::state(StateVisitor& v) {
  v("sampler", sampler_);
  v("estimator", query<State>(*estimator_));
}

std::string side_text(Side side) {
  return side == Side::none      ? "f alone"
         : side == Side::penalty ? "f + lambda ||x||_1"
         : side == Side::set     ? "f over a box"
                                 : "f of a matrix over vertices of rank 1";
}

Composed::Composed(const Bench& bench, const Settings& settings, Side side, bool sampled,
                   std::uint64_t sampling)
    : side_(side),
      diagonal_(bench.subject().seed),
      entries_(entries_problem(bench.subject().seed)),
      box_(diagonal_.shape().size(), kLow, kHigh),
      cross_(kRadius),
      penalty_(kLambda),
      sampler_(RandomStream(sampling, Purpose::sampling), (side == Side::vertices ? *entries_ : *diagonal_.f).components()),
      algorithm_(std::static_pointer_cast<Algorithm>(bench.make(settings, bench.context()))) {
  problem_.objective = side == Side::vertices ? entries_.get() : diagonal_.f.get();
  if (sampled)
    problem_.estimator = &batch_;
  else
    problem_.estimator = &full_;
  problem_.context = bench.context();
  if (side == Side::penalty) problem_.penalty = &penalty_, problem_.conjugate = &penalty_;
  if (side == Side::vertices) problem_.set = &cross_, problem_.linear_oracle = &cross_;
  if (side != Side::set) return;
  problem_.set = &box_;
  problem_.linear_oracle = &box_;
  problem_.projection = &box_;
  problem_.conjugate = &box_;
}

std::string Composed::refusal() {
  std::string reason;
  for (const MissingPart& part : missing_parts(problem_, *algorithm_, {}))
    reason += part.complaint.sentence() + "; ";
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

double Composed::value(const Element& x) {
  return f().value(x.detached()) + (side_ == Side::penalty ? penalty_.value(x) : 0.0);
}

Numbers Composed::solution() const {
  Numbers x = diagonal_.b;
  for (std::size_t j = 0; j < x.size(); ++j) {
    if (side_ == Side::set) x[j] = std::clamp(x[j], kLow, kHigh);
    if (side_ == Side::penalty)
      x[j] = std::copysign(std::max(std::abs(x[j]) - kLambda / diagonal_.d[j], 0.0), x[j]);
  }
  return x;
}

void Composed::state(StateVisitor& v) {
  v("sampler", sampler_);
  v("algorithm", query<State>(*algorithm_));
  v("estimator", query<State>(*problem_.estimator));
}

std::vector<Side> sides(const Bench& bench, const Settings& settings, bool sampled) {
  std::vector<Side> taken;
  std::string reasons;
  for (const Side side : {Side::none, Side::penalty, Side::set}) {
    const std::string refusal = Composed(bench, settings, side, sampled).refusal();
    if (refusal.empty())
      taken.push_back(side);
    else
      reasons += (reasons.empty() ? "" : "; ") + side_text(side) + ": " + refusal;
  }
  if (taken.empty()) throw Skipped{"takes none of the kit's problems: " + reasons};
  return taken;
}

}  // namespace claros::doctor

// SPDX-License-Identifier: BSD-3-Clause
#include "composed.hpp"

#include <claros/element/parallel.hpp>

#include <algorithm>

namespace claros::doctor {

namespace {

const Setting* find(const Settings& settings, const std::string& key) {
  const auto at =
      std::find_if(settings.begin(), settings.end(), [&](const Setting& s) { return s.key == key; });
  return at == settings.end() ? nullptr : &*at;
}

/// A smoother of all shapes, at one.
class AtShape final : public Objective {
 public:
  AtShape(std::shared_ptr<Objective> R, Shape shape) : R_(std::move(R)), shape_(std::move(shape)) {}
  Shape shape() const override { return shape_; }
  Index terms() const override { return R_->terms(); }
  double value(const Element& x) override { return R_->value(x); }
  void add_gradient(const Element& x, const Batch& batch, double a, Element& g) override {
    R_->add_gradient(x, batch, a, g);
  }
  void add_gradient_difference(const Element& x, const Element& y, const Batch& batch, double a,
                               Element& g) override {
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

std::shared_ptr<Objective> make_any_objective(const Bench& bench, const Settings& settings, Index rows,
                                              int threads) {
  for (int responses = 0; responses + 1 < kResponses; ++responses) try {
      return make_objective(bench, settings, responses, rows, threads);
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::plugin) throw;
    }
  return make_objective(bench, settings, kPositive, rows, threads);
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

std::string form_text(int form) {
  return form == kRows      ? "a sum over rows"
         : form == kEntries ? "a sum over entries of a matrix"
         : form == kEqual   ? "a sum of 40 equal components"
                            : "an expectation";
}

namespace {

std::unique_ptr<Objective> problem(std::uint64_t seed, int form) {
  if (form == kRows) return rows_problem(seed);
  if (form == kEntries) return entries_problem(seed);
  if (form == kEqual) return std::make_unique<Equal>(rows_problem(seed));
  return std::make_unique<Draws>(seed);
}

}  // namespace

Driven::Driven(const Bench& bench, const Settings& settings, int form, std::uint64_t sampling)
    : f_(problem(bench.subject().seed, form)),
      sampler_(RandomStream(sampling, Purpose::sampling), f_->terms()),
      whole_(bench.make_with_parts(settings, bench.context())),
      estimator_(std::static_pointer_cast<GradientEstimator>(whole_.front())) {
  for (const Need& need : estimator_->needs())
    if (!f_->ability(need.ability))
      throw Skipped{"needs the ability " + need.ability + ", which the kit's problem does not have"};
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
  state_of_held(whole_, v);
}

void state_of_held(const std::vector<std::shared_ptr<Component>>& whole, StateVisitor& v) {
  for (std::size_t k = 1; k < whole.size(); ++k)
    if (auto* part = query<State>(*whole[k])) v("part " + std::to_string(k), *part);
}

}  // namespace claros::doctor

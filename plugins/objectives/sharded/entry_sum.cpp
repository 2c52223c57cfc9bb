// SPDX-License-Identifier: BSD-3-Clause
#include "entry_sum.hpp"

#include "point_lines.hpp"
#include "same_data.hpp"

#include <claros/error.hpp>
#include <claros/io/training.hpp>
#include <claros/map/sampling_map.hpp>
#include <claros/tree_sum.hpp>
#include <shared/estimators/same_storage.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

namespace sharded {

using namespace claros;

namespace {

/// X at the entries of a chunk.
std::vector<double> image(const EntryChunk& chunk, const PointLines& x) {
  std::vector<double> z(static_cast<std::size_t>(chunk.terms()));
  chunk.model.map->apply(1.0, x.lines(chunk.first_line, chunk.lines()), 0.0, z);
  return z;
}

}  // namespace

EntrySum::EntrySum(std::shared_ptr<Objective> inner, sdk::EntryTerms& terms, Index chunks,
                   const Context& context)
    : inner_(std::move(inner)), world_(World::here()), shape_(inner_->shape()) {
  const sdk::TakenEntries taken = terms.take_entries();
  constants_ = taken.constants;
  loss_ = taken.model.loss;
  ridge_ = taken.ridge;
  constant_ = taken.constant;
  cut_ = cut_of(taken, chunks);
  expect_enough_chunks(world_, cut_->count(), cut_->longer(), cut_->tall() ? "rows" : "columns");
  positions_ =
      std::make_shared<Positions>(shape_, [this](std::span<const Element> points) { return made(points); });
  context.note("sharded: " + std::to_string(cut_->terms()) + " entries in " + std::to_string(cut_->count()) +
               " chunks of " + (cut_->tall() ? "rows" : "columns") + " on " + std::to_string(world_.size()) +
               (world_.size() == 1 ? " rank" : " ranks"));
}

std::shared_ptr<const EntryCut> EntrySum::cut_of(const sdk::TakenEntries& taken, Index chunks) const {
  if (taken.parts) return std::make_shared<EntryCut>(*taken.parts, loss_, chunks);
  expect_equal_data(world_, fingerprint(taken.model));
  return std::make_shared<EntryCut>(taken.model, chunks, world_);
}

EntrySum::Operator EntrySum::gradient(const Element& x, double& sum) const {
  const PointLines lines(x, cut_->tall());
  std::vector<std::vector<double>> values;
  tree_sum(world_, "value", cut_->count(), {&sum, 1}, [&](Index k, std::span<double> partial) {
    const EntryChunk& chunk = cut_->chunk(k);
    std::vector<double> z = image(chunk, lines);
    partial[0] += chunk.model.sum(z);
    std::vector<double> c(z.size());
    chunk.model.slopes(1.0, z, c);
    values.push_back(std::move(c));
    return true;
  });
  return std::make_shared<SpreadEntries>(cut_, std::move(values), positions_, std::vector<Element>{x});
}

void EntrySum::evaluate(const Element& x) {
  if (last_.gradient && sdk::same_storage(last_.point, x)) return;
  last_ = {};
  double sum = 0.0;
  last_.gradient = gradient(x, sum);
  last_.value = last_.mean = sum / static_cast<double>(terms());
  if (ridge_ > 0.0) last_.value += 0.5 * ridge_ * claros::inner(x, x) + constant_;
  last_.point = x;
  last_.point.drop_images();
}

double EntrySum::value(const Element& x) {
  evaluate(x);
  return last_.value;
}

void EntrySum::add_operator(const Operator& op, double a, Element& g) const {
  g.add(a / static_cast<double>(terms()), Element::from_operator(op));
}

void EntrySum::add_ridge(const Element& x, double a, Element& g) const {
  if (ridge_ > 0.0) g.add(a * ridge_, x);
}

EntrySum::Drawn EntrySum::drawn(const Batch& batch) const {
  Drawn own;
  for (Index k = 0; k < batch.size(terms()); ++k) {
    const auto [chunk, entry] = cut_->find(batch[k]);
    if (!chunk) continue;
    own.place.push_back(static_cast<std::size_t>(k));
    own.position.push_back(cut_->position(*chunk, entry));
    own.targets.push_back(chunk->model.targets[entry]);
    own.weights.push_back(chunk->model.weights.empty() ? 1.0 : chunk->model.weights[entry]);
  }
  return own;
}

std::vector<double> EntrySum::derivatives(const Drawn& own, const Element& x) const {
  std::vector<double> z(own.position.size()), c(z.size());
  positions_->dot(own.position, x, z);
  loss_->derivative(z, own.targets, c);
  for (std::size_t k = 0; k < c.size(); ++k) c[k] *= own.weights[k];
  return c;
}

/// Every place of the sum is that of one term, which one rank adds: positions below 2^53 arrive exact.
EntrySum::Gathered EntrySum::gathered(const char* what, const Batch& batch, const Drawn& own,
                                      const std::vector<std::vector<double>>& numbers) const {
  const auto size = static_cast<std::size_t>(batch.size(terms()));
  std::vector<double> sums((1 + numbers.size()) * size);
  tree_sum(world_, what, cut_->count(), sums, [&](Index k, std::span<double> partial) {
    if (k != cut_->mine().first) return false;
    for (std::size_t e = 0; e < own.place.size(); ++e) {
      partial[own.place[e]] += static_cast<double>(own.position[e]);
      for (std::size_t l = 0; l < numbers.size(); ++l)
        partial[(l + 1) * size + own.place[e]] += numbers[l][e];
    }
    return true;
  });
  Gathered all;
  for (std::size_t e = 0; e < size; ++e) all.positions.push_back(static_cast<Index>(sums[e]));
  for (std::size_t l = 1; l <= numbers.size(); ++l) {
    const auto begin = sums.begin() + static_cast<std::ptrdiff_t>(l * size);
    all.numbers.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(size));
  }
  return all;
}

void EntrySum::add_gradient(const Element& x, const Batch& batch, double a, Element& g) {
  add_ridge(x, a, g);
  if (batch.is_all()) {
    evaluate(x);
    return add_operator(last_.gradient, a, g);
  }
  const Drawn own = drawn(batch);
  const Gathered all = gathered("batch gradient", batch, own, {derivatives(own, x)});
  g.add_adjoint(a / static_cast<double>(batch.size(terms())), positions_, all.positions, all.numbers[0]);
}

void EntrySum::add_gradient_difference(const Element& x, const Element& y, const Batch& batch, double a,
                                       Element& g) {
  if (batch.is_all()) return Objective::add_gradient_difference(x, y, batch, a, g);
  add_ridge(x, a, g), add_ridge(y, -a, g);
  const Drawn own = drawn(batch);
  std::vector<double> c = derivatives(own, x);
  const std::vector<double> other = derivatives(own, y);
  for (std::size_t k = 0; k < c.size(); ++k) c[k] -= other[k];
  const Gathered all = gathered("batch gradient difference", batch, own, {c});
  g.add_adjoint(a / static_cast<double>(batch.size(terms())), positions_, all.positions, all.numbers[0]);
}

std::vector<std::vector<double>> EntrySum::second_derivatives(const Element& at) const {
  const PointLines lines(at, cut_->tall());
  std::vector<std::vector<double>> second;
  double none = 0.0;  // the sum is there for its errors: a rank whose work fails says so
  tree_sum(world_, "hessian", cut_->count(), {&none, 1}, [&](Index k, std::span<double>) {
    const EntryChunk& chunk = cut_->chunk(k);
    const std::vector<double> z = image(chunk, lines);
    second.push_back(chunk.model.curvatures(z));
    return false;
  });
  return second;
}

EntrySum::Operator EntrySum::hessian_product(const std::vector<std::vector<double>>& second,
                                             const Element& at, const Element& d) const {
  const PointLines lines(d, cut_->tall());
  std::vector<std::vector<double>> values;
  double none = 0.0;
  tree_sum(world_, "hessian product", cut_->count(), {&none, 1}, [&](Index k, std::span<double>) {
    const EntryChunk& chunk = cut_->chunk(k);
    std::vector<double> c = image(chunk, lines);
    loss_->multiply_second(second[cut_->place(k)], c);
    chunk.model.scale(1.0, 0, c);
    values.push_back(std::move(c));
    return false;
  });
  return std::make_shared<SpreadEntries>(cut_, std::move(values), positions_, std::vector<Element>{at, d});
}

/// Over all entries.
class EntryHessian final : public Hessian {
 public:
  EntryHessian(EntrySum& f, const Element& at) : f_(f), at_(at), second_(f.second_derivatives(at)) {}
  void add_product(const Element& d, double a, Element& g) override {
    f_.add_ridge(d, a, g);
    f_.add_operator(f_.hessian_product(second_, at_, d), a, g);
  }

 private:
  EntrySum& f_;
  Element at_;
  std::vector<std::vector<double>> second_;
};

/// Over a batch, all of it known to every rank.
class BatchHessian final : public Hessian {
 public:
  BatchHessian(EntrySum& f, const Element& at, const Batch& batch)
      : f_(f), positions_(f.positions_), loss_(f.loss_) {
    const EntrySum::Drawn own = f.drawn(batch);
    std::vector<double> z(own.position.size()), second(z.size());
    positions_->dot(own.position, at, z);
    loss_->second_derivative(z, own.targets, second);
    all_ = f.gathered("batch hessian", batch, own, {second, own.weights});
  }
  void add_product(const Element& d, double a, Element& g) override {
    f_.add_ridge(d, a, g);
    std::vector<double> c(all_.positions.size());
    positions_->dot(all_.positions, d, c);
    loss_->multiply_second(all_.numbers[0], c);
    for (std::size_t k = 0; k < c.size(); ++k) c[k] *= all_.numbers[1][k];
    g.add_adjoint(a / static_cast<double>(c.size()), positions_, all_.positions, c);
  }

 private:
  EntrySum& f_;
  std::shared_ptr<const Positions> positions_;
  std::shared_ptr<const Loss> loss_;
  EntrySum::Gathered all_;
};

std::unique_ptr<Hessian> EntrySum::hessian(const Element& at, const Batch& batch) {
  if (batch.is_all()) return std::make_unique<EntryHessian>(*this, at);
  return std::make_unique<BatchHessian>(*this, at, batch);
}

void EntrySum::add_hessian_product(const Element& at, const Element& d, const Batch& batch, double a,
                                   Element& g) {
  hessian(at, batch)->add_product(d, a, g);
}

/// A saved gradient is its point; a saved product with the Hessian is the point and the direction.
std::shared_ptr<const LinearOperator> EntrySum::made(std::span<const Element> points) const {
  double sum = 0.0;
  if (points.size() == 1) return gradient(points[0], sum);
  if (points.size() == 2) return hessian_product(second_derivatives(points[0]), points[0], points[1]);
  throw Error(ErrorKind::data, "state", "an operator of " + std::to_string(points.size()) + " points",
              "expected one or two");
}

/// The bound of LossOnMap, with u = a psi'(A x, y) and the largest a in [0, 1] that h* allows. The conjugate
/// of (mu/2) ||X||^2 is taken at a mu x.
double EntrySum::lower_bound(const Element& x, Conjugate& h) {
  evaluate(x);
  Element s(shape_);
  add_operator(last_.gradient, -1.0, s);
  add_ridge(x, -1.0, s);
  const double a = h.into_domain(s);
  if (a == 0.0) return -std::numeric_limits<double>::infinity();
  s.scale(a);
  const PointLines lines(x, cut_->tall());
  double sum = 0.0;
  tree_sum(world_, "conjugate", cut_->count(), {&sum, 1}, [&](Index k, std::span<double> partial) {
    const EntryChunk& chunk = cut_->chunk(k);
    const std::vector<double> z = image(chunk, lines);
    std::vector<double> u(z.size());
    loss_->derivative(z, chunk.model.targets, u);
    for (double& value : u) value *= a;
    partial[0] += chunk.model.conjugate(u);
    return true;
  });
  const double of_ridge = ridge_ > 0.0 ? 0.5 * a * a * ridge_ * claros::inner(x, x) - constant_ : 0.0;
  return -sum / static_cast<double>(terms()) - of_ridge - h.conjugate(s);
}

/// The bound of LossOnMap, with rows of norm 1: rounding enters a tangent through A'c and A u alone, and the
/// value if psi is curved.
double EntrySum::rounding(const Element& x, double size) {
  evaluate(x);
  const PointLines lines(x, cut_->tall());
  const double unit = sum_rounding(shape_.size()) * std::min(size, norm(x));
  std::vector<double> sums(3);
  tree_sum(world_, "rounding", cut_->count(), sums, [&](Index k, std::span<double> partial) {
    const EntryChunk& chunk = cut_->chunk(k);
    const std::vector<double> z = image(chunk, lines);
    std::vector<double> c(z.size());
    chunk.model.slopes(1.0, z, c);
    const sdk::RoundingSums of = chunk.model.rounding(z, c, {}, unit);
    partial[0] += of.products;
    partial[1] += of.targets;
    partial[2] += of.bend;
    return true;
  });
  const auto n = static_cast<double>(terms()),
             count = static_cast<double>(std::min(terms(), sdk::LossModel::kGrain) +
                                         terms() / sdk::LossModel::kGrain + cut_->count());
  constexpr double kUnit = 0.5 * std::numeric_limits<double>::epsilon();
  const double unit_of_sums = sum_rounding(std::max(terms(), shape_.size())),
               of_ridge = ridge_ > 0.0 ? unit_of_sums * ridge_ * claros::inner(x, x) : 0.0;
  return (unit_of_sums * (2.0 * size * sums[0] + sums[1]) + sums[2]) / n +
         kUnit * count * std::abs(last_.mean) + of_ridge;
}

void* EntrySum::ability(std::string_view id) noexcept {
  if (id == HeldOut::kAbility || id == Predictor::kAbility) return inner_->ability(id);
  if (id == Certified::kAbility && !(loss_ && loss_->constants().convex && loss_->has_conjugate()))
    return nullptr;
  return offer<Curvature, Referable, Certified, Rounding>(this, id);
}

}  // namespace sharded

// SPDX-License-Identifier: BSD-3-Clause
#include "term_sum.hpp"

#include "same_data.hpp"

#include <claros/error.hpp>
#include <claros/io/linear_training.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <utility>

namespace sharded {

using namespace claros;

TermSum::TermSum(std::shared_ptr<Objective> inner, sdk::TermChunks& terms, Index chunks,
                 const Context& context)
    : inner_(std::move(inner)), terms_of_(&terms), world_(World::here()) {
  shape_ = inner_->shape();
  terms_ = inner_->terms();
  count_ = std::min(chunks, terms_);
  expect_enough_chunks(world_, count_, terms_, "terms");
  expect_equal_data(world_, terms_of_->fingerprint());
  mine_ = chunks_of_rank(count_, world_.rank(), world_.size());
  for (Index k = mine_.first; k < mine_.last; ++k)
    chunks_.push_back(terms_of_->chunk(first_of(k), first_of(k + 1) - first_of(k)));
  terms_of_->release();
  context.note("sharded: " + std::to_string(terms_) + " terms in " + std::to_string(count_) + " chunks on " +
               std::to_string(world_.size()) + (world_.size() == 1 ? " rank" : " ranks"));
}

Element TermSum::dense(const Element& x) {
  if (x.shape() != shape_)
    throw Error(ErrorKind::usage, "",
                "a point of " + x.shape().text() + " for a variable of " + shape_.text(),
                "give one of its shape");
  const std::span<const double> values = reader_(x);
  return Element::dense(shape_, {values.begin(), values.end()});
}

std::vector<std::vector<Index>> TermSum::parted(const Batch& batch) const {
  std::vector<std::vector<Index>> parts(chunks_.size());
  for (Index k = 0; k < batch.size(terms_); ++k) {
    const Index i = batch[k];
    const Index c = ((i + 1) * count_ - 1) / terms_;  // the last with first_of(c) <= i
    if (c >= mine_.first && c < mine_.last) parts[at(c - mine_.first)].push_back(i - first_of(c));
  }
  return parts;
}

void TermSum::evaluate(const Element& x) {
  const std::span<const double> values = reader_(x);
  const bool known = last_.has_gradient && last_.point.size() == values.size() &&
                     std::memcmp(last_.point.data(), values.data(), values.size_bytes()) == 0;
  if (known) return;
  const Element point = dense(x);
  const auto p = at(shape_.size());
  std::vector<double> sum(p + 1);
  tree_sum(world_, "gradient", count_, sum, [&](Index k, std::span<double> partial) {
    partial[p] += chunk(k).add_gradient(point, 1.0, partial.first(p));
    return true;
  });
  last_.point = point.to_dense();
  last_.value = sum[p] / static_cast<double>(terms_);
  sum.pop_back();
  last_.gradient = std::move(sum);
  last_.has_gradient = true;
}

double TermSum::value(const Element& x) {
  const std::span<const double> values = reader_(x);
  const bool same = last_.value && last_.point.size() == values.size() &&
                    std::memcmp(last_.point.data(), values.data(), values.size_bytes()) == 0;
  if (same) return *last_.value;
  const Element point = dense(x);
  double sum = 0.0;
  tree_sum(world_, "value", count_, {&sum, 1}, [&](Index k, std::span<double> partial) {
    partial[0] += chunk(k).value(point);
    return true;
  });
  return sum / static_cast<double>(terms_);
}

void TermSum::add_mean(std::vector<double> sum, double a, Element& g) const {
  g.add(a, Element::dense(shape_, std::move(sum)));
}

void TermSum::add_gradient(const Element& x, const Batch& batch, double a, Element& g) {
  if (batch.is_all()) {
    evaluate(x);
    return add_mean(last_.gradient, a / static_cast<double>(terms_), g);
  }
  const Element point = dense(x);
  const auto parts = parted(batch);
  std::vector<double> sum(at(shape_.size()));
  tree_sum(world_, "batch gradient", count_, sum, [&](Index k, std::span<double> partial) {
    const auto& some = parts[at(k - mine_.first)];
    if (!some.empty()) chunk(k).add_gradient(point, some, 1.0, partial);
    return !some.empty();
  });
  add_mean(std::move(sum), a / static_cast<double>(batch.size(terms_)), g);
}

void TermSum::add_gradient_difference(const Element& x, const Element& y, const Batch& batch, double a,
                                      Element& g) {
  if (batch.is_all()) return Objective::add_gradient_difference(x, y, batch, a, g);
  const Element one = dense(x), other = dense(y);
  const auto parts = parted(batch);
  std::vector<double> sum(at(shape_.size()));
  tree_sum(world_, "batch gradient difference", count_, sum, [&](Index k, std::span<double> partial) {
    const auto& some = parts[at(k - mine_.first)];
    if (some.empty()) return false;
    chunk(k).add_gradient(one, some, 1.0, partial);
    chunk(k).add_gradient(other, some, -1.0, partial);
    return true;
  });
  add_mean(std::move(sum), a / static_cast<double>(batch.size(terms_)), g);
}

/// The mean of the Hessians of a batch: those of the chunks, each times its share of the terms.
class TermHessian final : public Hessian {
 public:
  TermHessian(TermSum& f, const Element& at, const Batch& batch)
      : f_(f), size_(static_cast<double>(batch.size(f.terms_))) {
    const Element point = f.dense(at);
    const auto parts = batch.is_all() ? std::vector<std::vector<Index>>(f.chunks_.size()) : f.parted(batch);
    double none = 0.0;  // the sum is there for its errors: a rank whose work fails says so
    tree_sum(f.world_, "hessian", f.count_, {&none, 1}, [&](Index k, std::span<double>) {
      const auto& some = parts[claros::at(k - f.mine_.first)];
      const bool all = batch.is_all(), empty = !all && some.empty();
      sizes_.push_back(all ? static_cast<double>(f.first_of(k + 1) - f.first_of(k))
                           : static_cast<double>(some.size()));
      hessians_.push_back(empty ? nullptr : f.chunk(k).hessian(point, all, some));
      return false;
    });
  }
  void add_product(const Element& d, double a, Element& g) override {
    const Element direction = f_.dense(d);  // images stay with it
    std::vector<double> sum(claros::at(f_.shape_.size()));
    tree_sum(f_.world_, "hessian product", f_.count_, sum, [&](Index k, std::span<double> partial) {
      const auto c = claros::at(k - f_.mine_.first);
      if (!hessians_[c]) return false;
      Element product(f_.shape_);
      hessians_[c]->add_product(direction, sizes_[c], product);
      product.fold();
      const std::vector<double> made = product.to_dense();
      for (std::size_t j = 0; j < partial.size(); ++j) partial[j] += made[j];
      return true;
    });
    f_.add_mean(std::move(sum), a / size_, g);
  }

 private:
  TermSum& f_;
  double size_;
  std::vector<std::unique_ptr<Hessian>> hessians_;
  std::vector<double> sizes_;
};

std::unique_ptr<Hessian> TermSum::hessian(const Element& at, const Batch& batch) {
  return std::make_unique<TermHessian>(*this, at, batch);
}

void TermSum::add_hessian_product(const Element& at, const Element& d, const Batch& batch, double a,
                                  Element& g) {
  hessian(at, batch)->add_product(d, a, g);
}

/// The bound of LossOnMap: min f + h >= -(1/n) sum_i w_i psi*(u_i, y_i) - h*(-A'(w u)/n) by Fenchel, u = a
/// psi'(A x, y) with the largest a in [0, 1] that h* allows.
double TermSum::lower_bound(const Element& x, Conjugate& h) {
  evaluate(x);
  Element s(shape_);
  add_mean(last_.gradient, -1.0 / static_cast<double>(terms_), s);
  const double a = h.into_domain(s);
  if (a == 0.0) return -std::numeric_limits<double>::infinity();
  s.scale(a);
  const Element point = dense(x);
  double sum = 0.0;
  tree_sum(world_, "conjugate", count_, {&sum, 1}, [&](Index k, std::span<double> partial) {
    partial[0] += chunk(k).conjugate(point, a);
    return true;
  });
  return -sum / static_cast<double>(terms_) - h.conjugate(s);
}

/// The bound of LossOnMap: rounding enters a tangent through A'c and A u alone, c = (w/n) psi'(z).
double TermSum::rounding(const Element& x, double size) {
  const Element point = dense(x);
  const double unit = sum_rounding(shape_.size()) * std::min(size, norm(x));
  std::vector<double> sums(3);
  tree_sum(world_, "rounding", count_, sums, [&](Index k, std::span<double> partial) {
    const sdk::RoundingSums of = chunk(k).rounding(point, unit);
    partial[0] += of.products;
    partial[1] += of.targets;
    partial[2] += of.bend;
    return true;
  });
  const auto n = static_cast<double>(terms_);
  constexpr double kUnit = 0.5 * std::numeric_limits<double>::epsilon();
  return (sum_rounding(std::max(terms_, shape_.size())) * (2.0 * size * sums[0] + sums[1]) + sums[2]) / n +
         sum_rounding(terms_) * std::abs(value(x)) + kUnit * static_cast<double>(count_) * std::abs(value(x));
}

void* TermSum::ability(std::string_view id) noexcept {
  for (const std::string_view of_variable :
       {FreeTail::kAbility, Rescaled::kAbility, LinearPredictor::kAbility, HeldOut::kAbility})
    if (id == of_variable) return inner_->ability(id);
  if (id == Certified::kAbility && !terms_of_->has_dual()) return nullptr;
  return offer<Curvature, Certified, Rounding>(this, id);
}

}  // namespace sharded

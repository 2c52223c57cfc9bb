// SPDX-License-Identifier: BSD-3-Clause
#include <claros/contain.hpp>
#include <claros/error.hpp>
#include <claros/parameters.hpp>
#include <claros/watched.hpp>

#include <chrono>
#include <cmath>

namespace claros {

namespace {

/// Adds the time of its life to `sum`.
class Stopwatch {
 public:
  explicit Stopwatch(double& sum) : sum_(sum), begin_(std::chrono::steady_clock::now()) {}
  ~Stopwatch() { sum_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count(); }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

 private:
  double& sum_;
  std::chrono::steady_clock::time_point begin_;
};

constexpr double kOutside = 1e-6;

class WatchedHessian final : public Hessian {
 public:
  WatchedHessian(std::unique_ptr<Hessian> inner, Index size, std::string name, Counts& counts, ComponentSeconds& seconds)
      : inner_(std::move(inner)), size_(size), name_(std::move(name)), counts_(counts), seconds_(seconds) {}
  void add_product(const Element& d, double a, Element& g) override {
    const Stopwatch watch(seconds_.objective);
    contain(name_, [&] { inner_->add_product(d, a, g); });
    if (recomputes()) counts_.sso += size_;
    counts_.hessian_products += 1;
  }
  bool recomputes() const override { return inner_->recomputes(); }

 private:
  std::unique_ptr<Hessian> inner_;
  Index size_;
  std::string name_;
  Counts& counts_;
  ComponentSeconds& seconds_;
};

}  // namespace

WatchedObjective::WatchedObjective(Objective& inner, std::string name, Counts& counts, ComponentSeconds& seconds)
    : inner_(inner), name_(std::move(name)), counts_(counts), seconds_(seconds) {}

double WatchedObjective::value(const Element& x) {
  const Stopwatch watch(seconds_.objective);
  return contain(name_, [&] { return inner_.value(x); });
}

void WatchedObjective::add_gradient(const Element& x, const Batch& batch, double a, Element& g) {
  const Stopwatch watch(seconds_.objective);
  contain(name_, [&] { inner_.add_gradient(x, batch, a, g); });
  counts_.sfo += batch.size(components());
  counts_.sfo_indices += batch.size(components());
}

void WatchedObjective::add_gradient_difference(const Element& x, const Element& y, const Batch& batch, double a, Element& g) {
  const Stopwatch watch(seconds_.objective);
  contain(name_, [&] { inner_.add_gradient_difference(x, y, batch, a, g); });
  counts_.sfo += 2 * batch.size(components());
  counts_.sfo_indices += batch.size(components());
}

void WatchedObjective::add_hessian_product(const Element& at, const Element& d, const Batch& batch, double a, Element& g) {
  const Stopwatch watch(seconds_.objective);
  contain(name_, [&] { query<Curvature>(inner_)->add_hessian_product(at, d, batch, a, g); });
  counts_.sso += batch.size(components());
  counts_.hessian_products += 1;
}

std::unique_ptr<Hessian> WatchedObjective::hessian(const Element& at, const Batch& batch) {
  const Stopwatch watch(seconds_.objective);
  auto inner = contain(name_, [&] { return query<Curvature>(inner_)->hessian(at, batch); });
  const Index size = batch.size(components());
  if (!inner->recomputes()) counts_.sso += size;
  return std::make_unique<WatchedHessian>(std::move(inner), size, name_, counts_, seconds_);
}

void* WatchedObjective::ability(std::string_view id) noexcept {
  void* inner = inner_.ability(id);
  return inner && id == Curvature::kAbility ? static_cast<Curvature*>(this) : inner;
}

WatchedLinearOracle::WatchedLinearOracle(LinearOracle& inner, Membership* membership, std::string name, Counts& counts,
                                         ComponentSeconds& seconds)
    : inner_(inner), membership_(membership), name_(std::move(name)), counts_(counts), seconds_(seconds) {}

OracleInfo WatchedLinearOracle::minimize(const Element& direction, const OracleRequest& request, Element& vertex) {
  const Stopwatch watch(seconds_.oracle);
  const OracleInfo info = contain(name_, [&] { return inner_.minimize(direction, request, vertex); });
  counts_.lo += 1;
  counts_.svd += info.singular_pairs;
  counts_.matvec += info.products;
  if (!std::isfinite(info.value))
    throw Error(ErrorKind::plugin, name_, "the linear oracle returned a value that is not finite",
                "the direction may hold NaN: try a smaller step, or check the plugin with a finite direction");
  if (!membership_) return info;
  const double violation = contain(name_, [&] { return membership_->violation(vertex); });
  if (!(violation <= kOutside))
    throw Error(ErrorKind::plugin, name_, "the linear oracle returned a vertex outside its own set, by " + print_real(violation) + " of its size",
                "report it to the plugin's author");
  return info;
}

WatchedProximalOracle::WatchedProximalOracle(ProximalOracle& inner, std::string name, Counts& counts, ComponentSeconds& seconds)
    : inner_(inner), name_(std::move(name)), counts_(counts), seconds_(seconds) {}

Certificate WatchedProximalOracle::apply(const Element& v, double step, Element& x, const Accuracy& accuracy) {
  const Stopwatch watch(seconds_.oracle);
  const Certificate certificate = contain(name_, [&] { return inner_.apply(v, step, x, accuracy); });
  counts_.po += 1;
  counts_.svd += certificate.singular_pairs;
  counts_.matvec += certificate.products;
  return certificate;
}

double WatchedProximalOracle::value(const Element& x) {
  const Stopwatch watch(seconds_.oracle);
  return contain(name_, [&] { return inner_.value(x); });
}

}  // namespace claros

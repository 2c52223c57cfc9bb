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
    counts_.hvp += size_;
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
  counts_.hvp += batch.size(components());
}

std::unique_ptr<Hessian> WatchedObjective::hessian(const Element& at, const Batch& batch) {
  const Stopwatch watch(seconds_.objective);
  auto inner = contain(name_, [&] { return query<Curvature>(inner_)->hessian(at, batch); });
  const Index size = batch.size(components());
  if (!inner->recomputes()) counts_.sso += size;
  return std::make_unique<WatchedHessian>(std::move(inner), size, name_, counts_, seconds_);
}

void WatchedObjective::coefficients(const Element& x, const Batch& batch, std::span<double> out) {
  const Stopwatch watch(seconds_.objective);
  contain(name_, [&] { query<ComponentCoefficients>(inner_)->coefficients(x, batch, out); });
  counts_.sfo += batch.size(components());
  counts_.sfo_indices += batch.size(components());
}

void WatchedObjective::add_common_gradient(const Element& x, double a, Element& g) {
  const Stopwatch watch(seconds_.objective);
  contain(name_, [&] { query<ComponentCoefficients>(inner_)->add_common_gradient(x, a, g); });
}

void* WatchedObjective::ability(std::string_view id) noexcept {
  void* inner = inner_.ability(id);
  void* mine = offer<Curvature, ComponentCoefficients>(this, id);
  return inner && mine ? mine : inner;
}

void WatchedEstimator::start(Objective& f, Sampler& sampler) {
  timed([&] { inner_.start(f, sampler); });
}

void WatchedEstimator::begin_epoch(const Element& x, const EpochPlan& plan) {
  timed([&] { inner_.begin_epoch(x, plan); });
}

template <class Work>
void WatchedEstimator::timed(Work work) {
  double within = 0.0;
  const double before = seconds_.objective;
  {
    const Stopwatch watch(within);
    contain(name_, work);
  }
  seconds_.estimator += within - (seconds_.objective - before);
}

const Element& WatchedEstimator::estimate(const Element& x, Index batch) {
  const Element* made = nullptr;
  timed([&] { made = &inner_.estimate(x, batch); });
  const Element& g = *made;
  if (witness_) witness_(x, g);
  return g;
}

namespace {

/// What is wrong with the answer to a finite direction, and nothing when it is sound.
std::string fault(const OracleInfo& info, const Element& direction, const Element& vertex, Membership* membership) {
  if (!std::isfinite(info.value)) return "a value of " + print_real(info.value);
  if (vertex.shape() != direction.shape()) return "a vertex of shape " + vertex.shape().text() + " for " + direction.shape().text();
  if (!all_finite(vertex)) return "a vertex that is not finite";
  const double violation = membership ? membership->violation(vertex) : 0.0;
  if (!(violation <= kOutside)) return "a vertex outside its own set, by " + print_real(violation) + " of its size";
  return {};
}

[[noreturn]] void blame_gradient(const ComponentNames& names) {
  throw Error(ErrorKind::numerical, names.objective, "the gradient that came through " + names.estimator + " is not finite",
              "look for such values in the data, try a smaller step, or check the plugin at a finite point");
}

}  // namespace

OracleInfo minimize_checked(LinearOracle& oracle, Membership* membership, const ComponentNames& names,
                            const Element& direction, const OracleRequest& request, Element& vertex) {
  // In the run a NaN is looked for when the oracle stumbles over it; a measurement has the time to look before.
  if (request.confirm && !all_finite(direction)) blame_gradient(names);
  std::string wrong;
  OracleInfo info;
  try {
    contain(names.set, [&] {
      info = oracle.minimize(direction, request, vertex);
      wrong = fault(info, direction, vertex, membership);
    });
  } catch (const Error&) {
    if (!all_finite(direction)) blame_gradient(names);
    throw;
  }
  if (wrong.empty()) return info;
  if (!all_finite(direction)) blame_gradient(names);
  throw Error(ErrorKind::plugin, names.set, "the linear oracle returned " + wrong,
              "report it to the plugin's author, or use another set");
}

WatchedLinearOracle::WatchedLinearOracle(LinearOracle& inner, Membership* membership, ComponentNames names, Counts& counts,
                                         ComponentSeconds& seconds)
    : inner_(inner), membership_(membership), names_(std::move(names)), counts_(counts), seconds_(seconds) {}

OracleInfo WatchedLinearOracle::minimize(const Element& direction, const OracleRequest& request, Element& vertex) {
  const Stopwatch watch(seconds_.oracle);
  const OracleInfo info = minimize_checked(inner_, membership_, names_, direction, request, vertex);
  counts_.lo += 1;
  counts_.svd += info.singular_pairs;
  counts_.matvec += info.products;
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

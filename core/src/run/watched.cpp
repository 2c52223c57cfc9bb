// SPDX-License-Identifier: BSD-3-Clause
#include "run/missing_parts.hpp"
#include "run/watched_call.hpp"
#include "run/watched_loss.hpp"

#include <claros/adversary.hpp>
#include <claros/error.hpp>
#include <claros/parameters.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "surroundings.hpp"

namespace claros {

namespace {

constexpr double kOutside = 1e-6;
// Of the value that an oracle states: of itself, then of what its sum may lose to rounding; below the last, numbers have few digits.
constexpr double kAmiss = 1e-6, kLost = 1e-9, kTiny = 1e-290;

template <class T>
std::shared_ptr<T> unowned(T& object) {
  return {std::shared_ptr<void>(), &object};
}

std::shared_ptr<Ledger> ledger_of(Counts& counts, ComponentSeconds& seconds) {
  auto ledger = std::make_shared<Ledger>();
  ledger->counts = &counts, ledger->seconds = &seconds;
  return ledger;
}

/// An adversary hears of the points that the run asks about.
template <class... Points>
void tell(Adversary* adversary, const WatchedCall& call, bool gradient, const Points&... points) {
  if (adversary && call.counts()) (adversary->asked(points, gradient), ...);
}

/// Of a kind without an interface of its own: sets, penalties, data.
class WatchedComponent final : public Component {
 public:
  WatchedComponent(std::shared_ptr<Component> inner, const Watch& watch) : abilities_(std::move(inner), watch) {}
  void* ability(std::string_view id) noexcept override { return abilities_.find(id); }

 private:
  WatchedAbilities abilities_;
};

}  // namespace

std::shared_ptr<Component> watched(std::shared_ptr<Component> component, const Watch& watch) {
  switch (watch.kind) {
    case Kind::objective:
    case Kind::smoother: return std::make_shared<WatchedObjective>(std::static_pointer_cast<Objective>(component), watch);
    case Kind::estimator:
      return std::make_shared<WatchedEstimator>(std::static_pointer_cast<GradientEstimator>(component), watch);
    case Kind::algorithm: return std::make_shared<WatchedAlgorithm>(std::static_pointer_cast<Algorithm>(component), watch);
    case Kind::loss: return std::make_shared<WatchedLoss>(std::static_pointer_cast<Loss>(component), watch);
    default: return std::make_shared<WatchedComponent>(std::move(component), watch);
  }
}

// --- objectives

WatchedObjective::WatchedObjective(std::shared_ptr<Objective> inner, Watch watch)
    : inner_(std::move(inner)), watch_(std::move(watch)), abilities_(inner_, watch_), adversary_(query<Adversary>(*inner_)) {}

WatchedObjective::WatchedObjective(Objective& inner, std::string name, Counts& counts, ComponentSeconds& seconds)
    : WatchedObjective(unowned(inner), {Kind::objective, std::move(name), ledger_of(counts, seconds)}) {}

Shape WatchedObjective::shape() const {
  const Inside inside(watch_);
  return contain(watch_.name, [&] { return inner_->shape(); });
}
Index WatchedObjective::components() const {
  const Inside inside(watch_);
  const Index n = contain(watch_.name, [&] { return inner_->components(); });
  if (n > 0 || n == kUnbounded) return n;
  throw Error(ErrorKind::plugin, watch_.name, "says that it has " + std::to_string(n) + " components",
              "a sum has at least one, an expectation kUnbounded: tell the plugin's author");
}
Constants WatchedObjective::constants() const {
  const WatchedCall call(watch_, &ComponentSeconds::objective);
  return contain(watch_.name, [&] { return inner_->constants(); });
}

/// Asks the objective only where the batch does not say.
Index WatchedObjective::size_of(const Batch& batch) const { return batch.size(batch.is_all() ? components() : 0); }

double WatchedObjective::value(const Element& x) {
  const WatchedCall call(watch_, &ComponentSeconds::objective);
  return contain(watch_.name, [&] {
    tell(adversary_, call, false, x);
    return inner_->value(x);
  });
}

void WatchedObjective::add_gradient(const Element& x, const Batch& batch, double a, Element& g) {
  const WatchedCall call(watch_, &ComponentSeconds::objective);
  contain(watch_.name, [&] {
    tell(adversary_, call, true, x);
    inner_->add_gradient(x, batch, a, g);
  });
  const Index size = size_of(batch);
  call.count([&](Counts& counts) {
    if (watch_.kind == Kind::smoother) return void(counts.smoother_calls += 1);
    counts.sfo += size;
    counts.sfo_indices += size;
  });
}

void WatchedObjective::add_gradient_difference(const Element& x, const Element& y, const Batch& batch, double a, Element& g) {
  const WatchedCall call(watch_, &ComponentSeconds::objective);
  contain(watch_.name, [&] {
    tell(adversary_, call, true, x, y);
    inner_->add_gradient_difference(x, y, batch, a, g);
  });
  const Index size = size_of(batch);
  call.count([&](Counts& counts) {
    if (watch_.kind == Kind::smoother) return void(counts.smoother_calls += 2);
    counts.sfo += 2 * size;
    counts.sfo_indices += size;
  });
}

// --- estimators

WatchedEstimator::WatchedEstimator(std::shared_ptr<GradientEstimator> inner, Watch watch, Witness witness)
    : inner_(std::move(inner)), watch_(std::move(watch)), witness_(std::move(witness)), abilities_(inner_, watch_) {}

template <class Question>
auto WatchedEstimator::asked(Question question) const {
  const Inside inside(watch_);
  return contain(watch_.name, question);
}
std::vector<std::string> WatchedEstimator::needs() const {
  return asked([&] { return inner_->needs(); });
}
bool WatchedEstimator::epoch_due() const {
  return asked([&] { return inner_->epoch_due(); });
}
const Element* WatchedEstimator::full_gradient() const {
  return asked([&] { return inner_->full_gradient(); });
}
const Element* WatchedEstimator::drift() const {
  return asked([&] { return inner_->drift(); });
}
bool WatchedEstimator::renews_drift() const {
  return asked([&] { return inner_->renews_drift(); });
}
bool WatchedEstimator::unbiased() const {
  return asked([&] { return inner_->unbiased(); });
}
bool WatchedEstimator::exact() const {
  return asked([&] { return inner_->exact(); });
}
Index WatchedEstimator::batch_size() const {
  return asked([&] { return inner_->batch_size(); });
}
Index WatchedEstimator::epochs() const {
  return asked([&] { return inner_->epochs(); });
}

template <class Work>
void WatchedEstimator::timed(Work work) {
  struct Clock {
    explicit Clock(Ledger& all) : ledger(all), outermost(all.estimating++ == 0), objective(all.seconds ? all.seconds->objective : 0.0) {}
    ~Clock() {
      --ledger.estimating;
      if (!outermost || !ledger.seconds) return;
      const double all = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
      ledger.seconds->estimator += all - (ledger.seconds->objective - objective);
    }
    Ledger& ledger;
    bool outermost;
    double objective;
    std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();
  } const clock(*watch_.ledger);
  const Inside inside(watch_);
  work();
}

void WatchedEstimator::start(Objective& f, Sampler& sampler) {
  timed([&] { contain_whole(watch_.name, [&] { inner_->start(f, sampler); }); });
}

void WatchedEstimator::begin_epoch(const Element& x, const EpochPlan& plan) {
  timed([&] { contain(watch_.name, [&] { inner_->begin_epoch(x, plan); }); });
}

const Element& WatchedEstimator::estimate(const Element& x, Index batch) {
  const Element* g = nullptr;
  timed([&] { contain(watch_.name, [&] { g = &inner_->estimate(x, batch); }); });
  if (witness_) witness_(x, *g);
  return *g;
}

std::string WatchedEstimator::advice(Objective& f) const {
  return asked([&] { return inner_->advice(f); });
}

// --- algorithms

WatchedAlgorithm::WatchedAlgorithm(std::shared_ptr<Algorithm> inner, Watch watch)
    : inner_(std::move(inner)), watch_(std::move(watch)), abilities_(inner_, watch_) {}

template <class Call>
decltype(auto) WatchedAlgorithm::within(Call&& call) const {
  const Inside inside(watch_);
  return contain(watch_.name, std::forward<Call>(call));
}

std::vector<Need> WatchedAlgorithm::needs() const {
  return within([&] { return inner_->needs(); });
}
Takes WatchedAlgorithm::takes() const {
  return within([&] { return inner_->takes(); });
}
/// What stands within another algorithm is given its problem by that one, and refuses as the outermost does.
void WatchedAlgorithm::start(const Problem& problem, Element x0) {
  ComponentNames names = watch_.ledger->names;
  names.algorithm = watch_.name;
  refuse_unfit(problem, *this, {}, names);
  const Inside inside(watch_);
  contain_whole(watch_.name, [&] { inner_->start(problem, std::move(x0)); });
}
void WatchedAlgorithm::step() {
  within([&] { inner_->step(); });
  if (watch_.ledger->counts) watch_.ledger->counts->coordinate_steps += within([&] { return inner_->report().coordinate_steps; });
}
const Element& WatchedAlgorithm::iterate() const {
  return within([&]() -> const Element& { return inner_->iterate(); });
}
const Element& WatchedAlgorithm::answer() {
  return within([&]() -> const Element& { return inner_->answer(); });
}
StepReport WatchedAlgorithm::report() const {
  return within([&] { return inner_->report(); });
}
void WatchedAlgorithm::measured(const Measurement& measurement) {
  within([&] { inner_->measured(measurement); });
}

// --- oracles

namespace {

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
    if (const auto* sparse = std::get_if<SparseForm>(&part.form)) sum += factor * length(sparse->values.view());
    if (const auto* low = std::get_if<LowRankForm>(&part.form)) sum += factor * norm(Element::low_rank(low->store, low->weights));
  }
  return sum;
}

/// What is wrong with the numbers that an oracle states of its vertex; nothing when they are sound. The value is computed here.
std::string falsehood(const OracleInfo& info, const Element& direction, const Element& vertex) {
  const Element bare = vertex.detached();  // what is evaluated here must not help the run
  const double value = inner(direction, bare);
  if (!std::isfinite(value)) return {};  // a direction so large that products of its entries have no number
  double allowed = kAmiss * std::max(std::abs(value), std::abs(info.value)) + kTiny;
  const bool below = info.lower_bound > value + allowed, amiss = std::abs(info.value - value) > allowed;
  if (!below && !amiss) return {};
  allowed += kLost * size_of_parts(direction) * norm(bare);
  if (std::abs(info.value - value) > allowed)
    return "the value " + print_real(info.value) + " of a vertex where the direction has " + print_real(value);
  if (info.lower_bound > value + allowed)
    return "the lower bound " + print_real(info.lower_bound) + " above the value " + print_real(value) + " of its own vertex";
  return {};
}

/// What is wrong with the answer to a finite direction, and nothing when it is sound.
std::string fault(const OracleInfo& info, const Element& direction, const Element& vertex, Membership* membership) {
  if (!std::isfinite(info.value)) return "a value of " + print_real(info.value);
  if (vertex.shape() != direction.shape()) return "a vertex of shape " + vertex.shape().text() + " for " + direction.shape().text();
  if (!all_finite(vertex)) return "a vertex that is not finite";
  const double violation = membership ? membership->violation(vertex) : 0.0;
  if (!(violation <= kOutside)) return "a vertex outside its own set, by " + print_real(violation) + " of its size";
  return falsehood(info, direction, vertex);
}

[[noreturn]] void blame_gradient(const ComponentNames& names) {
  throw Error(ErrorKind::numerical, names.objective, "the gradient that came through " + names.estimator + " is not finite",
              "look for such values in the data, try a smaller step, or check the plugin at a finite point");
}

/// `ask` fills in the answer, of which `find_fault` says what is wrong. In the run a NaN is looked for when the oracle stumbles over it; a measurement has the time to look before.
template <class Ask, class FindFault>
void ask_oracle(const Watch& watch, const Element& direction, bool confirm, Ask ask, FindFault find_fault) {
  const ComponentNames& names = watch.ledger->names;
  if (confirm && !all_finite(direction)) blame_gradient(names);
  std::string wrong;
  try {
    contain(watch.name, [&] {
      ask();
      wrong = find_fault();
    });
  } catch (const Error&) {
    if (!all_finite(direction)) blame_gradient(names);
    throw;
  }
  if (wrong.empty()) return;
  if (!all_finite(direction)) blame_gradient(names);
  throw Error(ErrorKind::plugin, watch.name, "the linear oracle returned " + wrong, "report it to the plugin's author, or use another set");
}

}  // namespace

WatchedLinearOracle::WatchedLinearOracle(LinearOracle& inner, Membership* membership, Watch watch)
    : inner_(inner), membership_(membership), watch_(std::move(watch)) {}

OracleInfo WatchedLinearOracle::minimize(const Element& direction, const OracleRequest& request, Element& vertex) {
  const WatchedCall call(watch_, &ComponentSeconds::oracle);
  OracleInfo info;
  ask_oracle(watch_, direction, request.confirm, [&] { info = inner_.minimize(direction, request, vertex); }, [&] { return fault(info, direction, vertex, membership_); });
  call.count([&](Counts& counts) {
    counts.lo += 1;
    counts.svd += info.singular_pairs;
    counts.matvec += info.products;
  });
  return info;
}

std::vector<Shape> WatchedBlockOracle::block_shapes(const Shape& shape) {
  const Inside inside(watch_);
  return contain(watch_.name, [&] { return inner_.block_shapes(shape); });
}

OracleInfo WatchedBlockOracle::minimize_block(Index k, const Element& direction, const OracleRequest& request, Element& vertex) {
  const WatchedCall call(watch_, &ComponentSeconds::oracle);
  OracleInfo info;
  ask_oracle(watch_, direction, request.confirm, [&] { info = inner_.minimize_block(k, direction, request, vertex); }, [&] { return fault(info, direction, vertex, nullptr); });
  call.count([&](Counts& counts) {
    counts.partial_lo += 1;
    counts.svd += info.singular_pairs;
    counts.matvec += info.products;
  });
  return info;
}

FaceInfo WatchedFaces::away(const Element& g, const Element& x, const OracleRequest& request, Element& vertex) {
  const WatchedCall call(watch_, &ComponentSeconds::oracle);
  FaceInfo info;
  ask_oracle(watch_, g, request.confirm, [&] { info = inner_.away(g, x, request, vertex); }, [&] {
    if (!(info.longest >= 0.0 && std::isfinite(info.longest))) return "a longest step of " + print_real(info.longest);
    const OracleInfo states{.value = info.value, .lower_bound = -std::numeric_limits<double>::infinity()};
    return fault(states, g, vertex, membership_);
  });
  call.count([&](Counts& counts) {
    (info.whole ? counts.lo : counts.partial_lo) += 1;
    counts.svd += info.singular_pairs;
    counts.matvec += info.products;
  });
  return info;
}

double WatchedLinearOracle::diameter() const {
  const Inside inside(watch_);
  const double diameter = contain(watch_.name, [&] { return inner_.diameter(); });
  if (diameter >= 0.0 && std::isfinite(diameter)) return diameter;
  throw Error(ErrorKind::plugin, watch_.name, "states a diameter of " + std::to_string(diameter), "a set with a linear oracle is bounded: report it to the plugin's author");
}

namespace {

void collect(const Certificate& certificate, Certification& all) {
  const bool bounded = certificate.exact || (certificate.error > 0.0 && std::isfinite(certificate.error));
  all.exact += certificate.exact;
  all.certified += bounded;
  all.error = std::max(all.error, bounded ? certificate.error : std::numeric_limits<double>::infinity());
  if (certificate.asked == 0) return;
  all.asked = certificate.asked, all.needed = certificate.rank;
  all.largest = std::max(all.largest, certificate.rank);
}

}  // namespace

Certificate WatchedProximalOracle::apply(const Element& v, double step, Element& x, const Accuracy& accuracy) {
  const WatchedCall call(watch_, &ComponentSeconds::oracle);
  Accuracy asked = accuracy;
  asked.certify |= watch_.ledger->certify;
  const Certificate certificate = contain(watch_.name, [&] { return inner_.apply(v, step, x, asked); });
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
  return contain(watch_.name, [&] { return inner_.value(x); });
}

double WatchedProximalOracle::weak_convexity() const {
  const Inside inside(watch_);
  return contain(watch_.name, [&] { return inner_.weak_convexity(); });
}

}  // namespace claros

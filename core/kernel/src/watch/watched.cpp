// SPDX-License-Identifier: BSD-3-Clause
#include <claros/watch/watcher.hpp>
#include "watch/watched_loss.hpp"

#include <claros/abilities.hpp>
#include <claros/error.hpp>
#include <claros/parameters.hpp>

#include "surroundings.hpp"

namespace claros {

namespace {

template <class T>
std::shared_ptr<T> unowned(T& object) {
  return {std::shared_ptr<void>(), &object};
}

std::shared_ptr<Ledger> ledger_of(Counts& counts, ComponentSeconds& seconds) {
  auto ledger = std::make_shared<Ledger>();
  ledger->counts = &counts;
  ledger->seconds = &seconds;
  return ledger;
}

/// An adversary hears of the points that the run asks about.
template <class... Points>
void tell(Adversary* adversary, const WatchedCall& call, bool gradient, const Points&... points) {
  if (adversary && call.counts()) (adversary->asked(points, gradient), ...);
}

/// Contains the call as contain_whole() does.
template <class Call>
void contain_whole(const Watch& watch, Call&& call) {
  claros::contain_whole(watch.name, [&] {
    try {
      call();
    } catch (const Error& error) {
      throw watch.place.with_path(error);
    }
  });
}

/// Watches kinds without an interface of their own: sets, penalties, data.
class WatchedComponent final : public Component {
 public:
  WatchedComponent(std::shared_ptr<Component> inner, const Watch& watch)
      : abilities_(std::move(inner), watch) {}
  void* ability(std::string_view id) noexcept override { return abilities_.find(id); }

 private:
  WatchedAbilities abilities_;
};

}  // namespace

Watch::Watch(Kind of, std::string called, std::shared_ptr<Ledger> counts)
    : kind(of),
      name(std::move(called)),
      ledger(std::move(counts)),
      place{kind_name(of)},
      label(interned(name)) {}

std::shared_ptr<Component> watched(std::shared_ptr<Component> component, const Watch& watch) {
  switch (watch.kind) {
    case Kind::objective:
    case Kind::smoother:
      return std::make_shared<WatchedObjective>(std::static_pointer_cast<Objective>(component), watch);
    case Kind::estimator:
      return std::make_shared<WatchedEstimator>(std::static_pointer_cast<GradientEstimator>(component),
                                                watch);
    case Kind::algorithm:
      return std::make_shared<WatchedAlgorithm>(std::static_pointer_cast<Algorithm>(component), watch);
    case Kind::loss:
      return std::make_shared<WatchedLoss>(std::static_pointer_cast<Loss>(component), watch);
    default:
      return std::make_shared<WatchedComponent>(std::move(component), watch);
  }
}

// --- objectives

WatchedObjective::WatchedObjective(std::shared_ptr<Objective> inner, Watch watch)
    : inner_(std::move(inner)),
      watch_(std::move(watch)),
      abilities_(inner_, watch_),
      adversary_(query<Adversary>(*inner_)) {}

WatchedObjective::WatchedObjective(Objective& inner, std::string name, Counts& counts,
                                   ComponentSeconds& seconds)
    : WatchedObjective(unowned(inner), {Kind::objective, std::move(name), ledger_of(counts, seconds)}) {}

Shape WatchedObjective::shape() const {
  const Inside inside(watch_);
  return contain(watch_, [&] { return inner_->shape(); });
}
Index WatchedObjective::terms() const {
  const Inside inside(watch_);
  const Index n = contain(watch_, [&] { return inner_->terms(); });
  if (n > 0 || n == kUnbounded) return n;
  throw Error(ErrorKind::plugin, watch_.name, "says that it has " + std::to_string(n) + " components",
              "a sum has at least one, an expectation kUnbounded: report it to the plugin's author");
}
Constants WatchedObjective::constants() const {
  const WatchedCall call(watch_, &ComponentSeconds::objective);
  return contain(watch_, [&] { return inner_->constants(); });
}

/// Asks the objective only where the batch does not say.
Index WatchedObjective::size_of(const Batch& batch) const { return batch.size(batch.is_all() ? terms() : 0); }

double WatchedObjective::value(const Element& x) {
  const WatchedCall call(watch_, &ComponentSeconds::objective);
  return contain(watch_, [&] {
    tell(adversary_, call, false, x);
    return inner_->value(x);
  });
}

void WatchedObjective::add_gradient(const Element& x, const Batch& batch, double a, Element& g) {
  const WatchedCall call(watch_, &ComponentSeconds::objective);
  contain(watch_, [&] {
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

void WatchedObjective::add_gradient_difference(const Element& x, const Element& y, const Batch& batch,
                                               double a, Element& g) {
  const WatchedCall call(watch_, &ComponentSeconds::objective);
  contain(watch_, [&] {
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
    : inner_(std::move(inner)),
      watch_(std::move(watch)),
      witness_(std::move(witness)),
      abilities_(inner_, watch_) {}

template <class Question>
auto WatchedEstimator::asked(Question question) const {
  const Inside inside(watch_);
  return contain(watch_, question);
}
std::vector<Need> WatchedEstimator::needs() const {
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
    explicit Clock(Ledger& all)
        : ledger(all),
          outermost(all.estimating++ == 0),
          objective(all.seconds ? all.seconds->objective : 0.0) {}
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
  timed([&] { contain_whole(watch_, [&] { inner_->start(f, sampler); }); });
}

void WatchedEstimator::begin_epoch(const Element& x, const EpochPlan& plan) {
  timed([&] { contain(watch_, [&] { inner_->begin_epoch(x, plan); }); });
}

const Element& WatchedEstimator::estimate(const Element& x, Index batch) {
  const Element* g = nullptr;
  timed([&] { contain(watch_, [&] { g = &inner_->estimate(x, batch); }); });
  if (witness_) witness_(x, *g);
  return *g;
}

std::string WatchedEstimator::advice(Objective& f) const {
  return asked([&] { return inner_->advice(f); });
}
void WatchedEstimator::require_snapshot_size() const {
  asked([&] { inner_->require_snapshot_size(); });
}

// --- algorithms

WatchedAlgorithm::WatchedAlgorithm(std::shared_ptr<Algorithm> inner, Watch watch)
    : inner_(std::move(inner)), watch_(std::move(watch)), abilities_(inner_, watch_) {}

template <class Call>
decltype(auto) WatchedAlgorithm::within(Call&& call) const {
  const Inside inside(watch_);
  return contain(watch_, std::forward<Call>(call));
}

std::vector<Need> WatchedAlgorithm::needs() const {
  return within([&] { return inner_->needs(); });
}
Takes WatchedAlgorithm::takes() const {
  return within([&] { return inner_->takes(); });
}
/// An algorithm within another gets its problem from that one, and refuses as the outermost does.
void WatchedAlgorithm::start(const Problem& problem, Element x0) {
  ComponentNames names = watch_.ledger->names;
  names.algorithm = watch_.name;
  refuse_missing(problem, *this, names);
  const Inside inside(watch_);
  contain_whole(watch_, [&] { inner_->start(problem, std::move(x0)); });
}
void WatchedAlgorithm::step() {
  within([&] { inner_->step(); });
  if (!watch_.ledger->counts) return;
  const Index moves = within([&] { return inner_->report().coordinate_steps; });
  if (moves < 0)
    throw Error(ErrorKind::plugin, watch_.name,
                "states " + std::to_string(moves) +
                    " coordinate steps of one step, where a number of at least 0 is expected",
                "report it to the plugin's author, or use another algorithm");
  watch_.ledger->counts->coordinate_steps += moves;
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
const Element* WatchedAlgorithm::penalty_subgradient() {
  return within([&] { return inner_->penalty_subgradient(); });
}
void WatchedAlgorithm::measured(const Measurement& measurement) {
  within([&] { inner_->measured(measurement); });
}
bool WatchedAlgorithm::plans_snapshots() const {
  return within([&] { return inner_->plans_snapshots(); });
}

}  // namespace claros

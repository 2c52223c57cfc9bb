// SPDX-License-Identifier: BSD-3-Clause
// A watcher for every ability that Claros knows: calls through it are contained, timed and counted.
#include <claros/watch/watcher.hpp>

#include <claros/abilities.hpp>
#include <claros/corners.hpp>
#include <claros/dataset.hpp>
#include <claros/domain.hpp>
#include <claros/error.hpp>
#include <claros/expectation.hpp>
#include <claros/linear_predictor.hpp>
#include <claros/predictor.hpp>
#include <claros/row_parts.hpp>
#include <claros/state/state.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <mutex>

namespace claros {

namespace {

/// A watcher whose calls go to the same method of the inner ability: `forward(&Ability::method, arguments)`.
template <class Ability>
struct Forwarding : Watcher<Ability> {
  using Watcher<Ability>::Watcher;

 protected:
  template <class Method, class... Arguments>
  decltype(auto) forward(Method method, Arguments&&... arguments) const {
    return this->call(
        [&]() -> decltype(auto) { return (this->inner_.*method)(std::forward<Arguments>(arguments)...); });
  }
};

struct WatchedMembership final : Forwarding<Membership> {
  using Forwarding::Forwarding;
  double violation(const Element& x) override { return forward(&Membership::violation, x); }
  double slack() const override { return forward(&Membership::slack); }
};

/// If the point has another shape or is not finite, the code that starts there refuses it.
struct WatchedDomain final : Forwarding<Domain> {
  using Forwarding::Forwarding;
  Element inner_point(const Shape& shape) override { return forward(&Domain::inner_point, shape); }
};

struct WatchedStart final : Forwarding<Start> {
  using Forwarding::Forwarding;
  Element start_point(const Shape& shape) override { return forward(&Start::start_point, shape); }
};

struct WatchedSpectralGap final : Forwarding<SpectralGap> {
  using Forwarding::Forwarding;
  double eigengap(const Element& g, Index rank) override { return forward(&SpectralGap::eigengap, g, rank); }
};

struct WatchedLazyProximal final : Forwarding<LazyProximal> {
  using Forwarding::Forwarding;
  LazySteps lazy_steps(const Shape& shape, double t) override {
    return forward(&LazyProximal::lazy_steps, shape, t);
  }
  /// Each of them exact, as closed forms are.
  void made(Index steps) override {
    Ledger& ledger = *watch_.ledger;
    if (steps < 0)
      throw Error(
          ErrorKind::plugin, ledger.names.algorithm,
          "states " + std::to_string(steps) + " proximal steps, where a number of at least 0 is expected",
          "report it to the plugin's author, or use another algorithm");
    if (ledger.depth > 0 || !ledger.counts) return;
    ledger.counts->po += steps;
    if (ledger.certification) ledger.certification->exact += steps, ledger.certification->certified += steps;
  }
};

/// Keeps the watched component, whose owner it is.
class Restricted final : public Component {
 public:
  explicit Restricted(std::shared_ptr<Component> watched) : watched_(std::move(watched)) {}
  void* ability(std::string_view id) noexcept override { return watched_->ability(id); }

 private:
  std::shared_ptr<Component> watched_;
};

struct WatchedSeparable final : Forwarding<Separable> {
  using Forwarding::Forwarding;
  Blocks blocks(const Shape& shape) override { return forward(&Separable::blocks, shape); }
  BlockStep block_step() override { return forward(&Separable::block_step); }
  std::unique_ptr<Component> restrict_to(std::span<const Index> blocks) override {
    return std::make_unique<Restricted>(watched(call([&] { return inner_.restrict_to(blocks); }), watch_));
  }
};

struct WatchedRestrictable final : Watcher<Restrictable> {
  using Watcher::Watcher;
  std::unique_ptr<Component> restrict_to(std::span<const Index> coordinates) override {
    std::shared_ptr<Component> small = call([&] { return inner_.restrict_to(coordinates); });
    Watch apart = watch_;
    apart.partial = true;
    return std::make_unique<WatchedObjective>(std::static_pointer_cast<Objective>(std::move(small)), apart);
  }
};

struct WatchedCornered final : Forwarding<Cornered> {
  using Forwarding::Forwarding;
  CornerRows rows() const override { return inner_.rows(); }
  double spread(const Element& x) override { return forward(&Cornered::spread, x); }
  void balance(Element& x) override { forward(&Cornered::balance, x); }
  std::unique_ptr<Component> rounded(double delta) override {
    std::shared_ptr<Component> smooth = call([&] { return inner_.rounded(delta); });
    return std::make_unique<WatchedObjective>(std::static_pointer_cast<Objective>(std::move(smooth)), watch_);
  }
  void take_slopes(const Element& x) override { forward(&Cornered::take_slopes, x); }
  std::vector<double>& slopes() override { return inner_.slopes(); }
};

/// Not counted: a gradient is one of images, which reads no data.
struct WatchedLossOfImage final : Forwarding<LossOfImage> {
  using Forwarding::Forwarding;
  const MapPtr& map() const noexcept override { return inner_.map(); }
  double image_value(std::span<const double> z) override { return forward(&LossOfImage::image_value, z); }
  void image_gradient(std::span<const Index> rows, std::span<const double> z,
                      std::span<double> out) override {
    forward(&LossOfImage::image_gradient, rows, z, out);
  }
  void image_curvature(std::span<const double> z, std::span<double> out) override {
    forward(&LossOfImage::image_curvature, z, out);
  }
  bool curvature_bound(std::span<double> out) override { return forward(&LossOfImage::curvature_bound, out); }
  bool column_curvature(std::span<double> out) override {
    return forward(&LossOfImage::column_curvature, out);
  }
  bool is_quadratic() const noexcept override { return inner_.is_quadratic(); }
};

struct WatchedConjugate final : Forwarding<Conjugate> {
  using Forwarding::Forwarding;
  double conjugate(const Element& s) override { return forward(&Conjugate::conjugate, s); }
  double into_domain(const Element& s) override { return forward(&Conjugate::into_domain, s); }
  bool certifies_alone() const override { return inner_.certifies_alone(); }
};

struct WatchedLambdaMax final : Forwarding<LambdaMax> {
  using Forwarding::Forwarding;
  double lambda_max(const Element& gradient) override { return forward(&LambdaMax::lambda_max, gradient); }
  std::vector<Index> free_entries() const override { return forward(&LambdaMax::free_entries); }
};

struct WatchedCertified final : Forwarding<Certified> {
  using Forwarding::Forwarding;
  double lower_bound(const Element& x, Conjugate& h) override {
    return forward(&Certified::lower_bound, x, h);
  }
};

struct WatchedDualPoint final : Forwarding<DualPoint> {
  using Forwarding::Forwarding;
  double gap_at_dual_point(const Element& x, Element& s) override {
    return forward(&DualPoint::gap_at_dual_point, x, s);
  }
};

struct WatchedConjugateGap final : Forwarding<ConjugateGap> {
  using Forwarding::Forwarding;
  double conjugate_gap(const Element& x, const Element& s) override {
    return forward(&ConjugateGap::conjugate_gap, x, s);
  }
};

struct WatchedRounding final : Forwarding<Rounding> {
  using Forwarding::Forwarding;
  double rounding(const Element& x, double size) override { return forward(&Rounding::rounding, x, size); }
};

struct WatchedHeldOut final : Forwarding<HeldOut> {
  using Forwarding::Forwarding;
  double test_rmse(const Element& x) override { return forward(&HeldOut::test_rmse, x); }
};

struct WatchedSmoothing final : Forwarding<Smoothing> {
  using Forwarding::Forwarding;
  double correction(const Element& x) override { return forward(&Smoothing::correction, x); }
};

/// The measured function is not counted, and it is contained by its caller.
struct WatchedExpectation final : Forwarding<MeasuredExpectation> {
  using Forwarding::Forwarding;
  Index held_out() const override { return forward(&MeasuredExpectation::held_out); }
  Objective& measured() override { return forward(&MeasuredExpectation::measured); }
};

struct WatchedPredictor final : Forwarding<Predictor> {
  using Forwarding::Forwarding;
  const Training& training() const override { return forward(&Predictor::training); }
};

struct WatchedLinearPredictor final : Forwarding<LinearPredictor> {
  using Forwarding::Forwarding;
  std::span<const double> row_weights() const override { return forward(&LinearPredictor::row_weights); }
  std::span<const double> row_offsets() const override { return forward(&LinearPredictor::row_offsets); }
  const LinearTraining& linear_training() const override {
    return forward(&LinearPredictor::linear_training);
  }
};

class WatchedJudge final : public FoldJudge {
 public:
  WatchedJudge(std::unique_ptr<FoldJudge> inner, Watch watch)
      : inner_(std::move(inner)), watch_(std::move(watch)) {}
  HeldBack operator()(const Element& x) override {
    return contain(watch_, [&] { return (*inner_)(x); });
  }

 private:
  std::unique_ptr<FoldJudge> inner_;
  Watch watch_;
};

/// Contained and not timed: folds ask from several threads. The code that composes with the objective of a
/// part watches it.
struct WatchedRowParts final : Watcher<RowParts> {
  using Watcher::Watcher;
  Index rows() const override {
    return contain(watch_, [&] { return inner_.rows(); });
  }
  std::span<const double> weights_of_rows() const override {
    return contain(watch_, [&] { return inner_.weights_of_rows(); });
  }
  std::vector<Index> groups_of_rows() const override {
    return contain(watch_, [&] { return inner_.groups_of_rows(); });
  }
  std::vector<FoldMetric> measures() const override {
    return contain(watch_, [&] { return inner_.measures(); });
  }
  void require(const std::vector<Index>& rows) const override {
    contain(watch_, [&] { inner_.require(rows); });
  }
  std::shared_ptr<Objective> part(const std::vector<Index>& rows) const override {
    return contain(watch_, [&] { return inner_.part(rows); });
  }
  std::unique_ptr<FoldJudge> judge(const std::vector<Index>& rows, Objective& trained,
                                   FoldMetric beside) override {
    auto judge = contain(watch_, [&] { return inner_.judge(rows, trained, beside); });
    return std::make_unique<WatchedJudge>(std::move(judge), watch_);
  }
};

struct WatchedSideFeatures final : Forwarding<SideFeatures> {
  using Forwarding::Forwarding;
  const Features* features(Side side) const override { return forward(&SideFeatures::features, side); }
  Element across(const Element& m, Side side) const override {
    return forward(&SideFeatures::across, m, side);
  }
};

struct WatchedStepBudget final : Forwarding<StepBudget> {
  using Forwarding::Forwarding;
  Index step_budget() const override { return forward(&StepBudget::step_budget); }
};

struct WatchedSmoothingAccuracy final : Forwarding<SmoothingAccuracy> {
  using Forwarding::Forwarding;
  double mu_for(double eps, const Shape& shape) const override {
    return forward(&SmoothingAccuracy::mu_for, eps, shape);
  }
};

struct WatchedFreeTail final : Forwarding<FreeTail> {
  using Forwarding::Forwarding;
  Shape constrained_shape() const override { return forward(&FreeTail::constrained_shape); }
};

struct WatchedTermConstants final : Forwarding<TermConstants> {
  using Forwarding::Forwarding;
  std::span<const double> term_smoothness() const override {
    return forward(&TermConstants::term_smoothness);
  }
};

struct WatchedRescaled final : Forwarding<Rescaled> {
  using Forwarding::Forwarding;
  Element original(const Element& x) const override { return forward(&Rescaled::original, x); }
  Element scaled(const Element& x) const override { return forward(&Rescaled::scaled, x); }
};

struct WatchedReferable final : Forwarding<Referable> {
  using Forwarding::Forwarding;
  void refer(References& references) const override { forward(&Referable::refer, references); }
};

struct WatchedState final : Watcher<State> {
  using Watcher::Watcher;
  void state(StateVisitor& v) override {
    const Inside inside(watch_);
    contain(watch_, [&] { inner_.state(v); });
  }
};

class WatchedHessian final : public Hessian {
 public:
  WatchedHessian(std::unique_ptr<Hessian> inner, Index size, Watch watch)
      : inner_(std::move(inner)), size_(size), watch_(std::move(watch)) {}
  void add_product(const Element& d, double a, Element& g) override {
    const WatchedCall call(watch_, &ComponentSeconds::objective);
    contain(watch_, [&] { inner_->add_product(d, a, g); });
    call.count([&](Counts& counts) {
      if (watch_.kind == Kind::smoother) return void(counts.smoother_calls += 1);
      if (recomputes()) counts.sso += size_;
      counts.hessian_products += 1;
      counts.hvp += size_;
    });
  }
  bool recomputes() const override { return inner_->recomputes(); }

 private:
  std::unique_ptr<Hessian> inner_;
  Index size_;
  Watch watch_;
};

/// Watches abilities of objectives, whose components they count.
template <class Ability>
struct ObjectiveWatcher : Watcher<Ability> {
  ObjectiveWatcher(Ability& inner, Component& owner, Watch watch)
      : Watcher<Ability>(inner, owner, std::move(watch)), objective_(static_cast<Objective&>(owner)) {}
  Index size(const Batch& batch) const { return batch.size(objective_.terms()); }
  Objective& objective_;
};

struct WatchedCurvature final : ObjectiveWatcher<Curvature> {
  using ObjectiveWatcher::ObjectiveWatcher;
  void add_hessian_product(const Element& at, const Element& d, const Batch& batch, double a,
                           Element& g) override {
    const WatchedCall call(watch_, &ComponentSeconds::objective);
    contain(watch_, [&] { inner_.add_hessian_product(at, d, batch, a, g); });
    call.count([&](Counts& counts) {
      if (watch_.kind == Kind::smoother) return void(counts.smoother_calls += 1);
      counts.sso += size(batch);
      counts.hessian_products += 1;
      counts.hvp += size(batch);
    });
  }
  std::unique_ptr<Hessian> hessian(const Element& at, const Batch& batch) override {
    const WatchedCall call(watch_, &ComponentSeconds::objective);
    auto inner = contain(watch_, [&] { return inner_.hessian(at, batch); });
    call.count([&](Counts& counts) {
      if (watch_.kind != Kind::smoother && !inner->recomputes()) counts.sso += size(batch);
    });
    return std::make_unique<WatchedHessian>(std::move(inner), size(batch), watch_);
  }
};

struct WatchedCoefficients final : ObjectiveWatcher<TermCoefficients> {
  using ObjectiveWatcher::ObjectiveWatcher;
  const MapPtr& map() const noexcept override { return inner_.map(); }
  Index outputs() const noexcept override { return inner_.outputs(); }
  bool has_common_gradient() const noexcept override { return inner_.has_common_gradient(); }
  void coefficients(const Element& x, const Batch& batch, std::span<double> out) override {
    const WatchedCall call(watch_, &ComponentSeconds::objective);
    contain(watch_, [&] { inner_.coefficients(x, batch, out); });
    call.count([&](Counts& counts) {
      if (watch_.kind == Kind::smoother) return void(counts.smoother_calls += 1);
      counts.sfo += size(batch);
      counts.sfo_indices += size(batch);
    });
  }
  void add_common_gradient(const Element& x, double a, Element& g) override {
    call([&] { inner_.add_common_gradient(x, a, g); });
  }
};

std::shared_ptr<void> make_linear_oracle(void* inner, Component& owner, const Watch& watch) {
  return std::shared_ptr<LinearOracle>(std::make_shared<WatchedLinearOracle>(
      *static_cast<LinearOracle*>(inner), query<Membership>(owner), watch));
}

std::shared_ptr<void> make_block_oracle(void* inner, Component&, const Watch& watch) {
  return std::shared_ptr<BlockOracle>(
      std::make_shared<WatchedBlockOracle>(*static_cast<BlockOracle*>(inner), watch));
}

std::shared_ptr<void> make_faces(void* inner, Component& owner, const Watch& watch) {
  return std::shared_ptr<Faces>(
      std::make_shared<WatchedFaces>(*static_cast<Faces*>(inner), query<Membership>(owner), watch));
}

std::shared_ptr<void> make_proximal_oracle(void* inner, Component&, const Watch& watch) {
  return std::shared_ptr<ProximalOracle>(
      std::make_shared<WatchedProximalOracle>(*static_cast<ProximalOracle*>(inner), watch));
}

template <class Ability>
constexpr KnownAbility known(std::shared_ptr<void> (*watch)(void*, Component&, const Watch&)) {
  return {Ability::kAbility, Ability::kWords, watch};
}

constexpr std::array kOfCore{
    known<LinearOracle>(make_linear_oracle),
    known<BlockOracle>(make_block_oracle),
    known<Faces>(make_faces),
    known<ProximalOracle>(make_proximal_oracle),
    known<Membership>(make_watcher<Membership, WatchedMembership>),
    known<Start>(make_watcher<Start, WatchedStart>),
    known<SpectralGap>(make_watcher<SpectralGap, WatchedSpectralGap>),
    known<Separable>(make_watcher<Separable, WatchedSeparable>),
    known<LazyProximal>(make_watcher<LazyProximal, WatchedLazyProximal>),
    known<Restrictable>(make_watcher<Restrictable, WatchedRestrictable>),
    known<Cornered>(make_watcher<Cornered, WatchedCornered>),
    known<LossOfImage>(make_watcher<LossOfImage, WatchedLossOfImage>),
    known<Conjugate>(make_watcher<Conjugate, WatchedConjugate>),
    known<DualPoint>(make_watcher<DualPoint, WatchedDualPoint>),
    known<LambdaMax>(make_watcher<LambdaMax, WatchedLambdaMax>),
    known<Domain>(make_watcher<Domain, WatchedDomain>),
    known<Curvature>(make_watcher<Curvature, WatchedCurvature>),
    known<Certified>(make_watcher<Certified, WatchedCertified>),
    known<ConjugateGap>(make_watcher<ConjugateGap, WatchedConjugateGap>),
    known<Rounding>(make_watcher<Rounding, WatchedRounding>),
    known<Smoothing>(make_watcher<Smoothing, WatchedSmoothing>),
    known<SmoothingAccuracy>(make_watcher<SmoothingAccuracy, WatchedSmoothingAccuracy>),
    known<HeldOut>(make_watcher<HeldOut, WatchedHeldOut>),
    known<MeasuredExpectation>(make_watcher<MeasuredExpectation, WatchedExpectation>),
    known<Predictor>(make_watcher<Predictor, WatchedPredictor>),
    known<LinearPredictor>(make_watcher<LinearPredictor, WatchedLinearPredictor>),
    known<SideFeatures>(make_watcher<SideFeatures, WatchedSideFeatures>),
    known<RowParts>(make_watcher<RowParts, WatchedRowParts>),
    known<FreeTail>(make_watcher<FreeTail, WatchedFreeTail>),
    known<TermConstants>(make_watcher<TermConstants, WatchedTermConstants>),
    known<TermCoefficients>(make_watcher<TermCoefficients, WatchedCoefficients>),
    known<Rescaled>(make_watcher<Rescaled, WatchedRescaled>),
    known<StepBudget>(make_watcher<StepBudget, WatchedStepBudget>),
    known<Referable>(make_watcher<Referable, WatchedReferable>),
    known<State>(make_watcher<State, WatchedState>),
    // Data is asked once, when its reader is made, which contains it; a resisting oracle by watchers alone.
    known<Dataset>(nullptr),
    known<Adversary>(nullptr),
};

/// The abilities of others, by id.
class Others {
 public:
  static Others& here() {
    static Others all;
    return all;
  }
  void add(const KnownAbility& ability) {
    const std::lock_guard lock(mutex_);
    known_.emplace(ability.id, ability);
  }
  KnownAbility find(std::string_view id) {
    const std::lock_guard lock(mutex_);
    const auto at = known_.find(id);
    return at == known_.end() ? KnownAbility{} : at->second;
  }
  void append_to(std::vector<KnownAbility>& all) {
    const std::lock_guard lock(mutex_);
    for (const auto& [id, ability] : known_) all.push_back(ability);
  }

 private:
  std::mutex mutex_;
  std::map<std::string_view, KnownAbility> known_;  ///< ids of plugins, which stay loaded
};

}  // namespace

std::vector<KnownAbility> known_abilities() {
  std::vector<KnownAbility> all(kOfCore.begin(), kOfCore.end());
  Others::here().append_to(all);
  return all;
}

void make_known(const KnownAbility& ability) { Others::here().add(ability); }

WatchedAbilities::WatchedAbilities(std::shared_ptr<Component> component, Watch watch)
    : component_(std::move(component)), watch_(std::move(watch)) {}

void* WatchedAbilities::find(std::string_view id) noexcept {
  if (const auto found = made_.find(id); found != made_.end()) return found->second.get();
  void* inner = component_->ability(id);
  if (!inner) return nullptr;
  const auto own = std::ranges::find(kOfCore, id, &KnownAbility::id);
  const KnownAbility known = own != kOfCore.end() ? *own : Others::here().find(id);
  if (!known.watch) return inner;
  return made_.emplace(id, known.watch(inner, *component_, watch_)).first->second.get();
}

}  // namespace claros

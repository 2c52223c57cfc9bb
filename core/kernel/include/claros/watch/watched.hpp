// SPDX-License-Identifier: BSD-3-Clause
/// @file watched.hpp  Watchers around every component: counts, a clock, and a check of what comes back.
///
/// Every part of a composition, however deep, is behind a watcher, and so are its abilities. A foreign
/// exception becomes an Error that names the part. A call that is made inside another watched call (a product
/// of sets asks its blocks) is work of the outer one: it is checked, and counts once.
#pragma once

#include <claros/abilities.hpp>
#include <claros/gradient_estimator.hpp>
#include <claros/kind.hpp>
#include <claros/linear_oracle.hpp>
#include <claros/missing_parts.hpp>
#include <claros/objective.hpp>
#include <claros/proximal_oracle.hpp>
#include <claros/settings.hpp>
#include <claros/watch/counts.hpp>

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>

namespace claros {

class Adversary;

/// The calls under way in a run, the innermost last. The thread of the run alone writes; a watchdog reads.
class CLAROS_API CallsUnderWay {
 public:
  static constexpr std::size_t kMost = 16;  ///< deeper calls have no entry
  struct Call {
    const char* who = nullptr;  ///< an interned name
    std::uint64_t number = 0;   ///< the number of the call; no two calls of a run share one
    bool measuring = false;     ///< Claros' own measuring, which may have called components
  };

  void enter(const char* who, bool measuring = false) noexcept;
  void leave() noexcept { depth_.fetch_sub(1, std::memory_order_relaxed); }
  /// How many calls are under way, at most kMost.
  std::size_t depth() const noexcept;
  Call at(std::size_t k) const noexcept;

 private:
  struct Entry {
    std::atomic<const char*> who = nullptr;
    std::atomic<std::uint64_t> number = 0;
    std::atomic<bool> measuring = false;
  };
  std::array<Entry, kMost> entries_;
  std::atomic<std::size_t> depth_ = 0;
  std::uint64_t calls_ = 0;
};

/// The state that the watchers of one composition share.
struct CLAROS_API Ledger {
  ComponentNames names = {};               ///< how errors call the outermost parts
  Counts* counts = nullptr;                ///< the counts of the run under way; null: nothing is counted
  ComponentSeconds* seconds = nullptr;     ///< likewise
  Certification* certification = nullptr;  ///< likewise
  bool certify = false;                    ///< every proximal step is asked for its certificate
  int depth = 0;                           ///< watched calls under way
  int estimating = 0;        ///< estimators at work: their clock leaves out what they ask of the objective
  CallsUnderWay calls = {};  ///< who is at work
};

/// A copy of the text that is kept for the life of the process: another thread may read it after the
/// component is gone.
CLAROS_API const char* interned(const std::string& name);

/// Nothing is counted while it lives: Claros measures.
class CLAROS_API Uncounted {
 public:
  explicit Uncounted(Ledger& ledger) : ledger_(ledger) {
    ++ledger_.depth, ledger_.calls.enter("measuring", true);
  }
  ~Uncounted() { --ledger_.depth, ledger_.calls.leave(); }
  Uncounted(const Uncounted&) = delete;
  Uncounted& operator=(const Uncounted&) = delete;

 private:
  Ledger& ledger_;
};

/// Who is watched.
struct CLAROS_API Watch {
  /// `called`: in errors, "set/box".
  Watch(Kind of, std::string called, std::shared_ptr<Ledger> counts);

  Kind kind;
  std::string name;
  std::shared_ptr<Ledger> ledger;
  bool partial = false;  ///< an objective of some coordinates only, whose gradients are counted apart
  ComponentPath place;   ///< in front of the keys that its errors name
  const char* label;
};

/// The component behind a watcher of its kind, which keeps it alive. An ability of others is watched if it
/// brings its watcher (watcher.hpp).
CLAROS_API std::shared_ptr<Component> watched(std::shared_ptr<Component> component, const Watch& watch);

/// Watchers of the abilities of one component, each made when it is first asked for.
class CLAROS_API WatchedAbilities {
 public:
  WatchedAbilities(std::shared_ptr<Component> component, Watch watch);
  void* find(std::string_view id) noexcept;

 private:
  std::shared_ptr<Component> component_;
  Watch watch_;
  std::map<std::string, std::shared_ptr<void>, std::less<>> made_;
};

/// Counts SFO (a component's coefficients are its gradient), SSO and Hessian products. SSO is the number of
/// component Hessians evaluated: |S| for a sampled product. A kept Hessian counts the batch's size once,
/// however many products follow, or once a product if it recomputes. Products are counted apart, one a call,
/// and by the components that they multiply (hvp). For a smoother it counts calls and nothing else.
class CLAROS_API WatchedObjective final : public Objective {
 public:
  WatchedObjective(std::shared_ptr<Objective> inner, Watch watch);
  /// For tests: counts into `counts`, and outlives nothing.
  WatchedObjective(Objective& inner, std::string name, Counts& counts, ComponentSeconds& seconds);
  Shape shape() const override;
  Index terms() const override;
  Constants constants() const override;
  double value(const Element& x) override;
  void add_gradient(const Element& x, const Batch& batch, double a, Element& g) override;
  void add_gradient_difference(const Element& x, const Element& y, const Batch& batch, double a,
                               Element& g) override;
  void* ability(std::string_view id) noexcept override { return abilities_.find(id); }

 private:
  Index size_of(const Batch& batch) const;

  std::shared_ptr<Objective> inner_;
  Watch watch_;
  WatchedAbilities abilities_;
  Adversary* adversary_;  ///< of inner_, asked for once
};

class CLAROS_API WatchedEstimator final : public GradientEstimator {
 public:
  /// Sees every estimate and the point that it was made at.
  using Witness = std::function<void(const Element& x, const Element& g)>;
  /// `witness` may be empty.
  WatchedEstimator(std::shared_ptr<GradientEstimator> inner, Watch watch, Witness witness = {});
  std::vector<Need> needs() const override;
  void start(Objective& f, Sampler& sampler) override;
  bool epoch_due() const override;
  void begin_epoch(const Element& x, const EpochPlan& plan) override;
  const Element& estimate(const Element& x, Index batch) override;
  const Element* full_gradient() const override;
  const Element* drift() const override;
  bool renews_drift() const override;
  bool unbiased() const override;
  bool exact() const override;
  Index batch_size() const override;
  Index epochs() const override;
  std::string advice(Objective& f) const override;
  void require_snapshot_size() const override;
  void* ability(std::string_view id) noexcept override { return abilities_.find(id); }

 private:
  template <class Work>
  void timed(Work work);
  template <class Question>
  auto asked(Question question) const;

  std::shared_ptr<GradientEstimator> inner_;
  Watch watch_;
  Witness witness_;
  WatchedAbilities abilities_;
};

class CLAROS_API WatchedAlgorithm final : public Algorithm {
 public:
  WatchedAlgorithm(std::shared_ptr<Algorithm> inner, Watch watch);
  std::vector<Need> needs() const override;
  Takes takes() const override;
  void start(const Problem& problem, Element x0) override;
  void step() override;
  const Element& iterate() const override;
  const Element& answer() override;
  StepReport report() const override;
  const Element* penalty_subgradient() override;
  void measured(const Measurement& measurement) override;
  bool plans_snapshots() const override;
  void* ability(std::string_view id) noexcept override { return abilities_.find(id); }

 private:
  template <class Call>
  decltype(auto) within(Call&& call) const;

  std::shared_ptr<Algorithm> inner_;
  Watch watch_;
  WatchedAbilities abilities_;
};

/// Counts LO, SVDs and products, and checks the results. An Error names the set if its result has another
/// shape, is not finite, or lies outside. It also names the set if <c, v> is not the stated value, or is
/// below the stated lower bound. An Error names the objective if the direction was not finite to begin with.
class CLAROS_API WatchedLinearOracle final : public LinearOracle {
 public:
  /// `membership` may be null.
  WatchedLinearOracle(LinearOracle& inner, Membership* membership, Watch watch);
  OracleInfo minimize(const Element& direction, const OracleRequest& request, Element& vertex) override;
  double diameter(const Shape& shape) override;

 private:
  LinearOracle& inner_;
  Membership* membership_;
  Watch watch_;
};

/// Watches the oracle of one block: counts partial LO.
class CLAROS_API WatchedBlockOracle final : public BlockOracle {
 public:
  WatchedBlockOracle(BlockOracle& inner, Watch watch) : inner_(inner), watch_(std::move(watch)) {}
  std::vector<Shape> block_shapes(const Shape& shape) override;
  OracleInfo minimize_block(Index k, const Element& direction, const OracleRequest& request,
                            Element& vertex) override;

 private:
  BlockOracle& inner_;
  Watch watch_;
};

/// Counts partial LO, or LO where the face is the whole set, and checks the vertices and the lengths.
class CLAROS_API WatchedFaces final : public Faces {
 public:
  /// `membership` may be null.
  WatchedFaces(Faces& inner, Membership* membership, Watch watch)
      : inner_(inner), membership_(membership), watch_(std::move(watch)) {}
  FaceInfo away(const Element& g, const Element& x, const OracleRequest& request, Element& vertex) override;

 private:
  Faces& inner_;
  Membership* membership_;
  Watch watch_;
};

/// Counts PO, SVDs and products; collects the certificates, and asks for them where the run does.
class CLAROS_API WatchedProximalOracle final : public ProximalOracle {
 public:
  WatchedProximalOracle(ProximalOracle& inner, Watch watch) : inner_(inner), watch_(std::move(watch)) {}
  Certificate apply(const Element& v, double step, Element& x, const Accuracy& accuracy) override;
  double value(const Element& x) override;
  double weak_convexity() const override;
  bool is_expensive() const override;

 private:
  ProximalOracle& inner_;
  Watch watch_;
};

}  // namespace claros

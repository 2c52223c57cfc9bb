// SPDX-License-Identifier: BSD-3-Clause
/// @file watched.hpp  What the house puts around every component: counts, a clock, and a check of what comes back.
#pragma once

#include <claros/abilities.hpp>
#include <claros/counts.hpp>
#include <claros/gradient_estimator.hpp>
#include <claros/linear_oracle.hpp>
#include <claros/objective.hpp>
#include <claros/proximal_oracle.hpp>
#include <claros/run_loop.hpp>

#include <functional>
#include <string>

namespace claros {

/// Counts SFO (a component's coefficients are its gradient), SSO and Hessian products; a foreign exception becomes an Error
/// that names the plugin. SSO is the number of component Hessians evaluated: |S| a sampled product, and the batch's size once
/// for a kept Hessian, however many products follow (once a product where it recomputes). Products are counted apart, one a
/// call, and by the components that they multiply (hvp).
class CLAROS_API WatchedObjective final : public Objective,
                                         public Curvature,
                                         public ComponentCoefficients {
 public:
  WatchedObjective(Objective& inner, std::string name, Counts& counts, ComponentSeconds& seconds);
  Shape shape() const override { return inner_.shape(); }
  Index components() const override { return inner_.components(); }
  Constants constants() const override { return inner_.constants(); }
  double value(const Element& x) override;
  void add_gradient(const Element& x, const Batch& batch, double a, Element& g) override;
  void add_gradient_difference(const Element& x, const Element& y, const Batch& batch, double a, Element& g) override;
  void add_hessian_product(const Element& at, const Element& d, const Batch& batch, double a, Element& g) override;
  std::unique_ptr<Hessian> hessian(const Element& at, const Batch& batch) override;
  const MapPtr& map() const noexcept override { return query<ComponentCoefficients>(inner_)->map(); }
  Index outputs() const noexcept override { return query<ComponentCoefficients>(inner_)->outputs(); }
  void coefficients(const Element& x, const Batch& batch, std::span<double> out) override;
  bool has_common_gradient() const noexcept override {
    return query<ComponentCoefficients>(inner_)->has_common_gradient();
  }
  void add_common_gradient(const Element& x, double a, Element& g) override;
  void* ability(std::string_view id) noexcept override;

 private:
  Objective& inner_;
  std::string name_;
  Counts& counts_;
  ComponentSeconds& seconds_;
};

/// A clock; a foreign exception becomes an Error that names the plugin.
class CLAROS_API WatchedEstimator final : public GradientEstimator {
 public:
  /// Sees every estimate and the point that it was made at.
  using Witness = std::function<void(const Element& x, const Element& g)>;
  /// `seconds.objective` is what the objective's own clock writes; `witness` may be empty.
  WatchedEstimator(GradientEstimator& inner, std::string name, ComponentSeconds& seconds, Witness witness = {})
      : inner_(inner), name_(std::move(name)), seconds_(seconds), witness_(std::move(witness)) {}
  std::vector<std::string> needs() const override { return inner_.needs(); }
  void start(Objective& f, Sampler& sampler) override;
  bool epoch_due() const override { return inner_.epoch_due(); }
  void begin_epoch(const Element& x, const EpochPlan& plan) override;
  const Element& estimate(const Element& x, Index batch) override;
  const Element* full_gradient() const override { return inner_.full_gradient(); }
  const Element* drift() const override { return inner_.drift(); }
  bool unbiased() const override { return inner_.unbiased(); }
  bool exact() const override { return inner_.exact(); }
  Index batch_size() const override { return inner_.batch_size(); }
  Index epochs() const override { return inner_.epochs(); }
  void* ability(std::string_view id) noexcept override { return inner_.ability(id); }

 private:
  template <class Work>
  void timed(Work work);

  GradientEstimator& inner_;
  std::string name_;
  ComponentSeconds& seconds_;
  Witness witness_;
};

/// oracle.minimize, whose failures become an Error that names the culprit: the set when its answer is of another shape,
/// not finite or (where `membership` is not null) outside; the objective when the direction was not finite to begin with.
CLAROS_API OracleInfo minimize_checked(LinearOracle& oracle, Membership* membership, const ComponentNames& names,
                                       const Element& direction, const OracleRequest& request, Element& vertex);

/// Counts LO, SVDs and products, and checks the answers.
class CLAROS_API WatchedLinearOracle final : public LinearOracle {
 public:
  /// `membership` may be null.
  WatchedLinearOracle(LinearOracle& inner, Membership* membership, ComponentNames names, Counts& counts, ComponentSeconds& seconds);
  OracleInfo minimize(const Element& direction, const OracleRequest& request, Element& vertex) override;
  double diameter() const override { return inner_.diameter(); }

 private:
  LinearOracle& inner_;
  Membership* membership_;
  ComponentNames names_;
  Counts& counts_;
  ComponentSeconds& seconds_;
};

/// Counts PO, SVDs and products.
class CLAROS_API WatchedProximalOracle final : public ProximalOracle {
 public:
  WatchedProximalOracle(ProximalOracle& inner, std::string name, Counts& counts, ComponentSeconds& seconds);
  Certificate apply(const Element& v, double step, Element& x, const Accuracy& accuracy) override;
  double value(const Element& x) override;
  double weak_convexity() const override { return inner_.weak_convexity(); }

 private:
  ProximalOracle& inner_;
  std::string name_;
  Counts& counts_;
  ComponentSeconds& seconds_;
};

}  // namespace claros

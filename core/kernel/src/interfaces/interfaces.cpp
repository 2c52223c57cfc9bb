// SPDX-License-Identifier: BSD-3-Clause
// Destructors of the interfaces live here, so that each type has one identity across libraries.
#include <claros/abilities.hpp>
#include <claros/adversary.hpp>
#include <claros/algorithm.hpp>
#include <claros/dataset.hpp>
#include <claros/dual_point.hpp>
#include <claros/error.hpp>
#include <claros/parameters.hpp>
#include <claros/rounding.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace claros {

Dataset::~Dataset() = default;
Hessian::~Hessian() = default;
Curvature::~Curvature() = default;
Adversary::~Adversary() = default;
LinearOracle::~LinearOracle() = default;
BlockOracle::~BlockOracle() = default;
Faces::~Faces() = default;
ProximalOracle::~ProximalOracle() = default;
Membership::~Membership() = default;

double allowed_violation(const Membership& membership) {
  constexpr double kRounding = 1e-6;
  const double slack = membership.slack();
  if (!(slack >= 0.0 && slack <= Membership::kMostSlack))
    throw Error(ErrorKind::plugin, {},
                "the set's slack is " + print_real(slack) + ", expected a number in [0, 1e-3]",
                "make its membership more exact, or report it to the plugin's author");
  return std::max(slack, kRounding);
}
Start::~Start() = default;
SpectralGap::~SpectralGap() = default;
Separable::~Separable() = default;
LazyProximal::~LazyProximal() = default;
Restrictable::~Restrictable() = default;
LossOfImage::~LossOfImage() = default;
Conjugate::~Conjugate() = default;
LambdaMax::~LambdaMax() = default;
std::vector<Index> LambdaMax::free_entries() const { return {}; }
Certified::~Certified() = default;
DualPoint::~DualPoint() = default;
ConjugateGap::~ConjugateGap() = default;
Rounding::~Rounding() = default;
HeldOut::~HeldOut() = default;
Smoothing::~Smoothing() = default;
FreeTail::~FreeTail() = default;
Rescaled::~Rescaled() = default;
TermConstants::~TermConstants() = default;
TermCoefficients::~TermCoefficients() = default;
Algorithm::~Algorithm() = default;

Blocks Blocks::single(Index count) {
  Blocks blocks;
  blocks.count_ = count;
  return blocks;
}

Blocks Blocks::of(std::vector<Index> start, std::vector<Index> members) {
  Blocks blocks;
  blocks.count_ = static_cast<Index>(start.size()) - 1;
  blocks.start_ = std::move(start);
  blocks.members_ = std::move(members);
  return blocks;
}

Index Blocks::largest() const noexcept {
  Index most = count_ > 0 ? 1 : 0;
  for (Index b = 0; b < count_ && !are_single(); ++b) most = std::max(most, size(b));
  return most;
}

namespace {

/// Asks the objective again for every product.
class ForwardedHessian final : public Hessian {
 public:
  ForwardedHessian(Curvature& f, const Element& at, const Batch& batch) : f_(f), at_(at), batch_(batch) {}
  void add_product(const Element& d, double a, Element& g) override {
    f_.add_hessian_product(at_, d, batch_, a, g);
  }
  bool recomputes() const override { return true; }

 private:
  Curvature& f_;
  Element at_;
  Batch batch_;
};

}  // namespace

std::unique_ptr<Hessian> Curvature::hessian(const Element& at, const Batch& batch) {
  return std::make_unique<ForwardedHessian>(*this, at, batch);
}

double convexifying(const ProximalOracle& h) {
  const double mu = h.weak_convexity();
  return std::isfinite(mu) ? mu : 0.0;
}

Certificate apply_convexified(ProximalOracle& h, const Element& v, double step, Element& x,
                              const Accuracy& accuracy) {
  const double a = 1.0 / (1.0 + step * convexifying(h));
  if (a == 1.0) return h.apply(v, step, x, accuracy);
  if (&v == &x) {  // a copy would share x's array, and the answer be written to a new one
    x.scale(a);
    return h.apply(x, a * step, x, accuracy);
  }
  Element scaled(v);
  scaled.scale(a);
  return h.apply(scaled, a * step, x, accuracy);
}

void TermCoefficients::add_common_gradient(const Element&, double, Element&) {}

void Objective::add_gradient_difference(const Element& x, const Element& y, const Batch& batch, double a,
                                        Element& g) {
  add_gradient(x, batch, a, g);
  add_gradient(y, batch, -a, g);
}

}  // namespace claros

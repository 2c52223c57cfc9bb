// SPDX-License-Identifier: BSD-3-Clause
// Destructors of the interfaces live here, so that each type has one identity across libraries.
#include "plugin/interface_of_kind.hpp"

#include <claros/abilities.hpp>
#include <claros/algorithm.hpp>
#include <claros/corners.hpp>
#include <claros/dataset.hpp>
#include <claros/domain.hpp>
#include <claros/element/factor_store.hpp>
#include <claros/error.hpp>
#include <claros/expectation.hpp>
#include <claros/linear_predictor.hpp>
#include <claros/loss.hpp>
#include <claros/parameters.hpp>
#include <claros/predictor.hpp>
#include <claros/row_parts.hpp>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

namespace claros {

Dataset::~Dataset() = default;
Hessian::~Hessian() = default;
Curvature::~Curvature() = default;
Adversary::~Adversary() = default;
Cornered::~Cornered() = default;
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
  // Blocks of which each holds its own number are single.
  bool single = static_cast<Index>(members.size()) == blocks.count_;
  for (std::size_t k = 0; single && k < members.size(); ++k)
    single = start[k] == static_cast<Index>(k) && members[k] == static_cast<Index>(k);
  if (single) return blocks;
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

bool is_convex(Objective& f) { return query<Certified>(f) || f.constants().convex; }

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

Domain::~Domain() = default;

bool leaves_domain(Objective& f, const Element& x) { return query<Domain>(f) && !std::isfinite(f.value(x)); }

double step_in_domain(Objective& f, const Element& x, const Element& d, double a) {
  constexpr int kMostHalvings = 100;
  if (!query<Domain>(f)) return a;
  for (int k = 0; k < kMostHalvings; ++k, a *= 0.5) {
    Element point(x);
    point.add(a, d);
    if (std::isfinite(f.value(point))) return a;
  }
  return 0.0;
}

MeasuredExpectation::~MeasuredExpectation() = default;

Objective* measured_function(Objective& f) {
  if (f.terms() != kUnbounded) return &f;
  auto* expectation = query<MeasuredExpectation>(f);
  return expectation ? &expectation->measured() : nullptr;
}

Index held_out_draws(Objective& f) {
  auto* expectation = f.terms() == kUnbounded ? query<MeasuredExpectation>(f) : nullptr;
  return expectation ? expectation->held_out() : 0;
}

std::string measured_on(Objective& f) {
  if (const Index n = f.terms(); n != kUnbounded)
    return n == 1 ? "the function" : "all " + std::to_string(n) + " components";
  if (!query<MeasuredExpectation>(f))
    return "nothing: of this expectation neither a closed form nor a sample is known";
  const Index draws = held_out_draws(f);
  return draws == 0 ? "the expectation, in closed form" : std::to_string(draws) + " draws held out";
}

void Loss::multiply_second(std::span<const double> second, std::span<double> out) const {
  for (std::size_t k = 0; k < out.size(); ++k) out[k] *= second[k];
}
bool Loss::of_classes() const { return false; }
void Loss::set_classes(Index) {}
Index Loss::outputs() const { return 1; }
std::string Loss::targets() const { return {}; }
bool Loss::accepts(double) const { return true; }
ResponseKind Loss::response() const {
  return of_classes() || wants_signs(*this) ? ResponseKind::score : ResponseKind::value;
}
void Loss::mean(std::span<const double> z, std::span<double> out) const {
  std::copy(z.begin(), z.end(), out.begin());
}
bool wants_signs(const Loss& loss) {
  return !loss.of_classes() && loss.accepts(-1.0) && loss.accepts(1.0) && !loss.accepts(0.0);
}
bool Loss::has_conjugate() const { return false; }
double Loss::conjugate(std::span<const double>, std::span<const double>, std::span<const double>) const {
  return std::numeric_limits<double>::infinity();
}

Predictor::~Predictor() = default;
SideFeatures::~SideFeatures() = default;
LinearPredictor::~LinearPredictor() = default;

double Baseline::at(Index i, Index j) const {
  double sum = mean;
  if (!row.empty() && i >= 0) sum += row[static_cast<std::size_t>(i)];
  if (!col.empty() && j >= 0) sum += col[static_cast<std::size_t>(j)];
  return sum;
}

Element Baseline::element(const Shape& shape) const {
  std::vector<double> left(static_cast<std::size_t>(shape.rows)), right(static_cast<std::size_t>(shape.cols));
  for (std::size_t i = 0; i < left.size(); ++i) left[i] = at(static_cast<Index>(i), -1);
  for (std::size_t j = 0; j < right.size() && !col.empty(); ++j) right[j] = col[j];
  const std::vector<double> ones_left(left.size(), 1.0), ones_right(right.size(), 1.0);
  auto store = std::make_shared<FactorStore>(shape.rows, shape.cols);
  store->append(left, ones_right);
  store->append(ones_left, right);
  return Element::low_rank(std::move(store), {1.0, 1.0});
}

std::string Ids::name(Index k) const {
  return names.empty() ? std::to_string(first + k) : names[static_cast<std::size_t>(k)];
}

bool Ids::seen(Index k) const {
  return k >= 0 && (entries.empty() || entries[static_cast<std::size_t>(k)] > 0);
}

bool has_interface(Kind kind, Component& component) {
  void* const* table = *reinterpret_cast<void***>(&component);
  const bool typed = table[-1] != nullptr;  // of the Itanium C++ ABI, which the fingerprint names
  switch (kind) {
    case Kind::objective:
    case Kind::smoother:
      return typed && dynamic_cast<Objective*>(&component);
    case Kind::estimator:
      return typed && dynamic_cast<GradientEstimator*>(&component);
    case Kind::algorithm:
      return typed && dynamic_cast<Algorithm*>(&component);
    case Kind::loss:
      return typed && dynamic_cast<Loss*>(&component);
    default:
      return true;
  }
}

FoldJudge::~FoldJudge() = default;
RowParts::~RowParts() = default;

}  // namespace claros

// SPDX-License-Identifier: BSD-3-Clause
#include "gram_system.hpp"

#include <claros/error.hpp>
#include <claros/plugin.hpp>
#include <claros/sdk/point_algorithm.hpp>
#include <shared/algorithms/convex_penalty.hpp>
#include <shared/algorithms/one_block.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace {

using namespace claros;
using Vector = std::vector<double>;

enum class Word { automatic };

struct Options {
  NumberOr<Word> rho = Word::automatic;
  double relaxation = 1.8;
};

double distance(const Vector& x, const Vector& y) {
  double square = 0.0;
  for (std::size_t j = 0; j < x.size(); ++j) square += (x[j] - y[j]) * (x[j] - y[j]);
  return std::sqrt(square);
}

/// minimise f(x) + h(z) with x = z. Here f = x'Hx/2 + b'x + c, and h is a penalty or the indicator of a set.
/// One step solves (H + rho I) x = rho (z - u) - b. It relaxes x: v = a x + (1 - a) z + u. The next z is the
/// proximal step prox_{h/rho}(v), and u = v - z (Boyd et al. 2011, sections 3.1.1 and 3.4.3). H is made once.
/// The steps converge for convex h and 0 < a < 2 if rho stays the same from some step on. The iterate is z,
/// and rho u is a subgradient of h there.
class Admm final : public sdk::PointAlgorithm {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        row("rho", &Options::rho, number_or<Word>(above(0), {{Word::automatic, "auto"}}),
            "weight of ||x - z||^2 / 2; auto: the mean eigenvalue of the Hessian, and balanced"),
        row("relaxation", &Options::relaxation, between(0.05, 1.95),
            "share of the way from z to x that a step goes")};
    return table;
  }

  Admm(const Options& options, const Context&) : options_(options) {}

  std::vector<Need> needs() const override {
    return {need::objective<LossOfImage>("the Gram matrix is that of its columns"),
            need::set_if_any<ProximalOracle>("every step projects onto it"),
            need::exact_estimator("its steps take the whole of f and no gradient")};
  }
  Takes takes() const override {
    return {.penalty = true,
            .set = true,
            .reason = "a proximal step with a penalty and a set at once has no closed form in general"};
  }

  void state(StateVisitor& v) override {
    PointAlgorithm::state(v);
    v("u", std::span<double>(u_));
    v("rho", rho_);
    v.require(rho_ > 0.0 && std::isfinite(rho_), "rho", "expected a number above 0");
    v("z at the last balance", std::span<double>(from_z_));
    v("u at the last balance", std::span<double>(from_u_));
    if (v.loading()) z_ = x().to_dense();
  }

 private:
  void begin() override {
    sdk::require_one_block(problem());
    h_ = problem().penalty ? problem().penalty : problem().projection;
    sdk::require_convex_penalty(problem(), "alternating directions are proved to converge for convex ones",
                                "proximal-gradient");
    system_.start(*query<LossOfImage>(*problem().objective));
    Element slope(x().shape());
    problem().objective->add_gradient(Element(x().shape()), Batch::all(), 1.0, slope);
    b_ = slope.to_dense();
    if (problem().projection) (void)h_->apply(Element(x()), 1.0, x(), Accuracy{});
    z_ = x().to_dense();
    const double mean = system_.mean_eigenvalue();
    rho_ = options_.rho.is_number() ? options_.rho.number() : mean > 0.0 && std::isfinite(mean) ? mean : 1.0;
    // rho u = -grad f(z): a run that begins at a solution stays there.
    u_ = system_.product(z_);
    for (std::size_t j = 0; j < u_.size(); ++j) u_[j] = -(u_[j] + b_[j]) / rho_;
    from_z_ = z_;
    from_u_ = u_;
    report_step(1.0 / rho_);
  }

  void move(const Element&) override {}
  bool move_without_gradient() override {
    const double a = options_.relaxation;
    Vector v(z_.size());
    for (std::size_t j = 0; j < v.size(); ++j) v[j] = rho_ * (z_[j] - u_[j]) - b_[j];
    const Vector y = system_.solve(v, rho_);
    for (std::size_t j = 0; j < v.size(); ++j) v[j] = a * y[j] + (1.0 - a) * z_[j] + u_[j];
    const Element at = Element::dense(x().shape(), v);
    if (h_)
      (void)h_->apply(at, 1.0 / rho_, x(), Accuracy{});
    else
      x() = at;
    z_ = x().to_dense();
    for (std::size_t j = 0; j < v.size(); ++j) u_[j] = v[j] - z_[j];
    report_step(1.0 / rho_);
    if (!options_.rho.is_number() && is_due(t() + 1)) balance(t() + 1 > kFirst);
    return true;
  }

  /// Powers of 2 from kFirst on.
  static bool is_due(Index t) noexcept { return t >= kFirst && (t & (t - 1)) == 0; }
  /// Brings rho halfway, by powers, to ||moves of rho u|| / ||moves of z|| since the last balance (Applegate
  /// et al. 2021, section 3.3). A new factorization pays only if they are far apart. The first steps depend
  /// on the start, and count for nothing.
  void balance(bool counts) {
    constexpr double kPays = 4.0, kMost = 10.0;
    const double way = distance(z_, from_z_), dual = rho_ * distance(u_, from_u_), ratio = dual / way / rho_;
    from_z_ = z_;
    from_u_ = u_;
    if (!counts || std::isnan(ratio) || (ratio < kPays && ratio > 1.0 / kPays)) return;
    const double factor = std::clamp(std::sqrt(ratio), 1.0 / kMost, kMost), next = rho_ * factor;
    if (!(next > kFar * system_.mean_eigenvalue() && next * kFar < system_.mean_eigenvalue())) return;
    rho_ = next;
    for (double& value : u_) value /= factor;
    from_u_ = u_;
  }

  using PointAlgorithm::x;

  static constexpr Index kFirst = 8;
  static constexpr double kFar = 1e-8;  ///< of rho, either way from the mean eigenvalue

  Options options_;
  GramSystem system_;
  ProximalOracle* h_ = nullptr;
  double rho_ = 1.0;
  Vector b_, z_, u_, from_z_, from_u_;
};

}  // namespace

CLAROS_PLUGIN(
    Admm, Kind::algorithm, "admm", "", "1.0.0",
    "Alternating directions (ADMM) on the Gram matrix of a quadratic loss (Boyd et al. 2011)",
    "minimise f(x) + h(z) with x = z, f = x'Hx/2 + b'x + c: x = (H + rho I)^{-1} (rho (z - u) - b) by a "
    "Cholesky factor, v = a x + (1 - a) z + u, z+ = prox of h/rho at v, u+ = v - z+. A step takes no pass "
    "over the data. rho follows the moves of z and of rho u, and every change of it takes a new factor.",
    "Boyd, Parikh, Chu, Peleato, Eckstein: Distributed optimization and statistical learning via the "
    "alternating direction method of multipliers, Foundations and Trends in Machine Learning 3(1), 2011, "
    "sections 3.1.1, 3.4.3, 4.2; Applegate et al.: Practical large-scale linear programming using primal-"
    "dual hybrid gradient, NeurIPS 2021 (balance of rho)",
    "Use it for the squared loss of a linear model with at most 4096 columns, of which some are much "
    "larger than others or nearly dependent, beside a penalty or a set with a proximal step. Over "
    "spectral sets Claros chooses it where a few columns dwarf the others. It makes the Gram matrix "
    "first. For columns of one scale take proximal-gradient.",
    "data.use=synthetic-matrix-regression data.rows=10 data.rank=2 objective.use=linear-model "
    "set.use=nuclear-ball set.radius=2 algorithm.use=admm stop.relative_gap=1e-6")

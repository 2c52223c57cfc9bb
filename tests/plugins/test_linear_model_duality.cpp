// SPDX-License-Identifier: BSD-3-Clause
// Conjugates of losses, and the lower bounds that they give.
#include "catalog_losses.hpp"
#include "linear_problem.hpp"

#include <algorithm>
#include <cmath>

using namespace claros;
using namespace claros::test;

namespace {

/// Fenchel-Young on a grid: psi(z) + psi*(u) >= u z, with equality for u = psi'(z), and outside the domain
/// infinity.
template <class Psi>
void check_conjugate(const Psi& psi, double y, double outside) {
  for (double z = -4.0; z <= 4.0; z += 0.17) {
    const double u = psi.derivative(z, y);
    CAPTURE(z);
    CHECK(psi.value(z, y) + psi.conjugate(u, y) == doctest::Approx(u * z).epsilon(1e-12).scale(1.0));
    CHECK(std::isfinite(psi.conjugate(0.4 * u, y)));
    for (double v = -4.0; v <= 4.0; v += 0.13) CHECK(psi.value(z, y) + psi.conjugate(v, y) >= v * z - 1e-12);
  }
  if (outside != 0.0) CHECK(psi.conjugate(outside, y) == kInfinity);
}

/// h = lambda ||x||_1: h* is 0 on the box of side lambda.
class L1 final : public Conjugate {
 public:
  explicit L1(double lambda) : lambda_(lambda) {}
  double conjugate(const Element& s) override {
    return largest(s) <= lambda_ * (1 + 1e-12) ? 0.0 : kInfinity;
  }
  double into_domain(const Element& s) override {
    return std::min(1.0, lambda_ / std::max(largest(s), 1e-300));
  }
  static double largest(const Element& s) {
    double size = 0.0;
    for (const double v : s.to_dense()) size = std::max(size, std::abs(v));
    return size;
  }
  double lambda_;
};

/// Proximal gradient steps on f + lambda ||x||_1, the last `free` coordinates without penalty.
Element lasso_point(Objective& f, double lambda, std::size_t free, int steps) {
  const double step = 1.0 / f.constants().smoothness.value_or(4.0);
  Dense x(static_cast<std::size_t>(f.shape().size()), 0.0);
  for (int t = 0; t < steps; ++t) {
    const Dense g = gradient(f, Element::dense(f.shape(), x));
    for (std::size_t j = 0; j < x.size(); ++j) {
      const double v = x[j] - step * g[j], shrunk = std::abs(v) - step * lambda;
      x[j] = j + free >= x.size() ? v : shrunk > 0.0 ? std::copysign(shrunk, v) : 0.0;
    }
  }
  return Element::dense(f.shape(), x);
}

double penalised(Objective& f, double lambda, std::size_t free, const Element& x) {
  const Dense v = x.to_dense();
  double sum = 0.0;
  for (std::size_t j = 0; j + free < v.size(); ++j) sum += std::abs(v[j]);
  return f.value(x) + lambda * sum;
}

}  // namespace

TEST_CASE("losses: conjugates by Fenchel-Young") {
  check_conjugate(losses::SquaredLoss{}, 0.7, 0.0);
  check_conjugate(losses::HuberLoss{0.8}, 0.7, 0.81);
  for (const double y : {-1.0, 1.0}) {
    check_conjugate(losses::LogisticLoss{}, y, 0.1 * y);
    check_conjugate(losses::LogisticLoss{}, y, -1.1 * y);
    check_conjugate(losses::ConvexLoss("squared-hinge"), y, 0.1 * y);
  }
  for (const double y : {0.0, 3.0}) check_conjugate(losses::ConvexLoss("poisson"), y, -y - 0.1);
}

TEST_CASE("losses: the multinomial conjugate") {
  const auto made = std::static_pointer_cast<Loss>(
      create_component(build_catalog(), Kind::loss, "multinomial", {}, Context{}));
  Loss& psi = *made;
  psi.set_classes(3);
  const std::vector<double> y{2.0, 0.0}, z{0.3, -1.0, 2.0, 0.1, 0.2, 0.3}, w{0.5, 2.0};
  std::vector<double> u(6);
  psi.derivative(z, y, u);
  double product = 0.0;
  for (std::size_t k = 0; k < 6; ++k) product += w[k / 3] * u[k] * z[k];
  CHECK(psi.weighted_sum(z, y, w) + psi.conjugate(u, y, w) == doctest::Approx(product).epsilon(1e-12));
  std::vector<double> other{0.2, 0.1, -0.3, -0.5, 0.25, 0.25};
  product = 0.0;
  for (std::size_t k = 0; k < 6; ++k) product += other[k] * z[k];
  CHECK(psi.sum(z, y) + psi.conjugate(other, y, {}) > product);
  other[0] = -0.1;
  CHECK(psi.conjugate(other, y, {}) == kInfinity);
}

TEST_CASE("linear model: lower bounds lie below every value and meet the least one") {
  const Index n = 40, p = 15;
  const Dense a = random_rows(6, n, p);
  for (const std::string& loss :
       {std::string("squared"), std::string("huber"), std::string("logistic"), std::string("squared-hinge"),
        std::string("poisson"), std::string("multinomial")})
    for (const char* intercept : {"false", "true"}) {
      CAPTURE(loss);
      CAPTURE(intercept);
      Dense y = normals(77, n);
      for (std::size_t i = 0; i < y.size(); ++i) {
        if (loss == "logistic" || loss == "squared-hinge") y[i] = y[i] < 0 ? -1.0 : 1.0;
        if (loss == "poisson") y[i] = std::floor(std::abs(y[i]));
        if (loss == "multinomial") y[i] = static_cast<double>(i % 3);
      }
      Design design = make_design(a, p, y);
      design.weights = Dense(static_cast<std::size_t>(n), 1.0);
      design.weights[2] = 3.0, design.weights[7] = 0.0;
      const auto f = linear_model(std::move(design), {{"loss", loss}, {"intercept", intercept}});
      auto* certified = query<Certified>(*f);
      const double lambda = 0.05;
      L1 h(lambda);
      const bool has = *intercept == 't';
      REQUIRE(certified);
      CHECK((query<FreeTail>(*f) != nullptr) == has);
      const std::size_t free = !has ? 0 : loss == "multinomial" ? 3 : 1;  // an intercept a class
      const Element best = lasso_point(*f, lambda, free, 4000);
      const double least = penalised(*f, lambda, free, best);
      CHECK(certified->lower_bound(best, h) <= least + 1e-12);
      CHECK(certified->lower_bound(best, h) >= least - 1e-6);
      for (const std::uint64_t seed : {1, 2, 3})
        CHECK(certified->lower_bound(point(f->shape(), seed), h) <= least + 1e-12);
    }
}

TEST_CASE("linear model: where no bound is to be had, none is offered") {
  const Dense a = random_rows(6, 9, 4);
  CHECK(query<Certified>(*linear_model(make_design(a, 4, normals(1, 9)), {{"loss", "robust"}})) == nullptr);
  CHECK(query<Certified>(*linear_model(make_design(a, 4, normals(1, 9)), {{"errors_in_variables", "0.1"}})) ==
        nullptr);
  CHECK(query<FreeTail>(*linear_model(make_design(a, 4, normals(1, 9)), {{"intercept", "true"}}))
            ->constrained_shape() == Shape::vector(4));
}

// SPDX-License-Identifier: BSD-3-Clause
#include "catalog_losses.hpp"
#include "estimator_problems.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

using namespace claros;
using namespace claros::test;

namespace {

/// Derivatives against central differences at z in [-6, 6], away from where psi'' jumps.
template <class Psi>
void check_derivatives(const Psi& psi, double y, double kink = -1.0) {
  const double h = 1e-5;
  for (double z = -6.0; z <= 6.0; z += 0.0371) {
    if (kink > 0.0 && std::abs(std::abs(z - y) - kink) < 2 * h) continue;
    CAPTURE(z);
    CHECK(psi.derivative(z, y) ==
          doctest::Approx((psi.value(z + h, y) - psi.value(z - h, y)) / (2 * h)).epsilon(1e-8).scale(1.0));
    CHECK(psi.second_derivative(z, y) ==
          doctest::Approx((psi.derivative(z + h, y) - psi.derivative(z - h, y)) / (2 * h))
              .epsilon(1e-8)
              .scale(1.0));
  }
}

/// The constants are attained, to the grid's resolution, and never exceeded.
template <class Psi>
void check_constants(const Psi& psi, double y) {
  const LossConstants c = psi.constants();
  const double h = 1e-4;
  double largest = 0.0, lowest = 0.0, third = 0.0, bound = 1.0;
  for (double z = y - 12.0; z <= y + 12.0; z += 1e-3) {
    const double second = psi.second_derivative(z, y);
    largest = std::max(largest, std::abs(second));
    lowest = std::max(lowest, -second);
    third = std::max(third,
                     std::abs(psi.second_derivative(z + h, y) - psi.second_derivative(z - h, y)) / (2 * h));
    bound = std::min(bound, psi.value(z, y));
  }
  CHECK(largest == doctest::Approx(*c.smoothness).epsilon(1e-5));
  CHECK(largest <= *c.smoothness * (1 + 1e-14));
  CHECK(lowest == doctest::Approx(*c.lower_smoothness).epsilon(1e-5));
  CHECK(lowest <= *c.lower_smoothness * (1 + 1e-14));
  CHECK(c.convex == (lowest == 0.0));
  if (c.third) CHECK(third == doctest::Approx(*c.third).epsilon(1e-5));
  CHECK(bound >= *c.lower_bound);
  CHECK(bound <= *c.lower_bound + 1e-4);
}

/// log(1 + exp(-y z)) of one pair.
struct Logistic {
  double value(double z, double y) const {
    const double m = y * z;
    return std::fmax(-m, 0.0) + std::log1p(std::exp(-std::abs(m)));
  }
  double derivative(double z, double y) const {
    const double m = y * z, e = std::exp(-std::abs(m));
    return -y * (m >= 0.0 ? e : 1.0) / (1.0 + e);
  }
  double second_derivative(double z, double y) const {
    const double e = std::exp(-std::abs(y * z));
    return e / ((1.0 + e) * (1.0 + e));
  }
};

struct DataFile {
  std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("claros-losses-" + std::to_string(::getpid()) + ".tsv");
  explicit DataFile(const std::string& text) { std::ofstream(path) << text; }
  ~DataFile() { std::filesystem::remove(path); }
};

std::shared_ptr<Objective> completion(const DataFile& file, const Numbers& numbers) {
  std::vector<Setting> settings{{"data", file.path.string(), {}, {}}};
  for (const auto& [key, value] : numbers) settings.push_back({key, value, {}, {}});
  return std::static_pointer_cast<Objective>(
      build_catalog().create(Kind::objective, "matrix-completion", settings, Context{}));
}

std::string completion_refused(ErrorKind kind, const DataFile& file, const Numbers& numbers) {
  return refusal(kind, [&] { (void)completion(file, numbers); });
}

}  // namespace

TEST_CASE("losses: of the logistic loss, many numbers at once say what each says") {
  const Logistic plain;
  const losses::LogisticLoss logistic;
  const Loss& many = logistic.loss();
  std::vector<double> z{0.0, -0.0, 1e-300, -1e-300, 36.0, -36.0, 700.0, -700.0, 800.0, -800.0, 1e300, -1e300},
      y, w;
  for (double at = -40.0; at < 40.0; at += 0.0137) z.push_back(at);
  for (std::size_t k = 0; k < z.size(); ++k)
    y.push_back(k % 3 == 0 ? 1.0 : -1.0), w.push_back(0.1 * static_cast<double>(k % 7));
  std::vector<double> first(z.size()), second(z.size());
  many.derivative(z, y, first);
  many.second_derivative(z, y, second);
  const auto near = [](double a, double b) { return std::abs(a - b) <= 1e-15 * std::abs(b) + 1e-307; };
  bool alike = true;
  double total = 0.0, weighted = 0.0, finite = 0.0;
  for (std::size_t k = 0; k < z.size(); ++k) {
    const double value = plain.value(z[k], y[k]);
    alike = alike && near(many.sum({&z[k], 1}, {&y[k], 1}), value) &&
            near(first[k], plain.derivative(z[k], y[k])) &&
            near(second[k], plain.second_derivative(z[k], y[k]));
    total += value, weighted += w[k] * value, finite += std::isfinite(value);
  }
  CHECK(alike);
  CHECK(finite == static_cast<double>(z.size()));
  CHECK(many.sum(z, y) == doctest::Approx(total).epsilon(1e-14));
  CHECK(many.weighted_sum(z, y, w) == doctest::Approx(weighted).epsilon(1e-14));
}

TEST_CASE("losses: derivatives") {
  check_derivatives(losses::SquaredLoss{}, 0.7);
  for (const double sigma : {0.3, 1.0, 4.0}) check_derivatives(losses::RobustLoss{sigma}, 0.7);
  for (const double delta : {0.5, 2.0}) check_derivatives(losses::HuberLoss{delta}, 0.7, delta);
  for (const double y : {-1.0, 1.0}) check_derivatives(losses::LogisticLoss{}, y);
}

TEST_CASE("losses: constants are exact") {
  check_constants(losses::SquaredLoss{}, 0.5);
  for (const double sigma : {0.3, 1.0, 4.0}) check_constants(losses::RobustLoss{sigma}, 0.5);
  for (const double delta : {0.5, 2.0}) check_constants(losses::HuberLoss{delta}, 0.5);
  for (const double y : {-1.0, 1.0}) check_constants(losses::LogisticLoss{}, y);
  CHECK(*losses::RobustLoss{1.0}.constants().third == doctest::Approx(1.380117).epsilon(1e-6));
  CHECK(*losses::RobustLoss{1.0}.constants().lower_smoothness == doctest::Approx(0.446260).epsilon(1e-6));
  CHECK(!losses::HuberLoss{}.constants().third);
}

TEST_CASE("losses: far and near residuals keep their digits") {
  const losses::RobustLoss robust;
  const losses::LogisticLoss logistic;
  for (const double z : {-1e200, -1e3, 1e3, 1e200}) {
    CAPTURE(z);
    CHECK(robust.value(z, 0.0) == 1.0);
    CHECK(robust.derivative(z, 0.0) == 0.0);
    CHECK(robust.second_derivative(z, 0.0) == 0.0);
    CHECK(logistic.value(z, 1.0) == std::max(-z, 0.0));
    CHECK(logistic.derivative(z, 1.0) == (z < 0 ? -1.0 : 0.0));
    CHECK(logistic.second_derivative(z, 1.0) == 0.0);
    CHECK(losses::HuberLoss{2.0}.value(z, 0.0) == doctest::Approx(2.0 * std::abs(z) - 2.0));
  }
  CHECK(robust.value(1e-9, 0.0) == doctest::Approx(5e-19).epsilon(1e-12));
  CHECK(logistic.value(40.0, 1.0) == doctest::Approx(std::exp(-40.0)).epsilon(1e-12));
  CHECK(logistic.derivative(-40.0, -1.0) == doctest::Approx(std::exp(-40.0)).epsilon(1e-12));
}

TEST_CASE("matrix completion: gradients and Hessian products against central differences, for every loss") {
  const DataFile file("1 1 1\n1 3 -1\n2 2 -1\n3 1 1\n3 4 1\n4 2 -1\n");
  for (const Numbers& loss :
       {Numbers{}, Numbers{{"loss", "robust"}, {"loss.sigma", "2"}},
        Numbers{{"loss", "huber"}, {"loss.delta", "0.4"}}, Numbers{{"loss", "logistic"}}}) {
    CAPTURE(loss.empty() ? "squared" : loss.front().second);
    const auto f = completion(file, loss);
    auto* curvature = query<Curvature>(*f);
    REQUIRE(curvature != nullptr);
    const double h = 1e-5;
    const Element x = rank_one(f->shape(), 11, 0.5), d = rank_one(f->shape(), 12);
    Element ahead = x, behind = x;
    ahead.add(h, d);
    behind.add(-h, d);
    Element g(f->shape()), change(f->shape()), product(f->shape()), kept(f->shape());
    f->add_gradient(x, Batch::all(), 1.0, g);
    CHECK(inner(g, d) ==
          doctest::Approx((f->value(ahead) - f->value(behind)) / (2 * h)).epsilon(1e-8).scale(1.0));
    const std::vector<Index> list{0, 3, 3, 5};
    for (const Batch& S : {Batch::all(), Batch::of(list), Batch::range(1, 3)}) {
      change.set_zero(), product.set_zero(), kept.set_zero();
      f->add_gradient(ahead, S, 1 / (2 * h), change);
      f->add_gradient(behind, S, -1 / (2 * h), change);
      curvature->add_hessian_product(x, d, S, 1.0, product);
      curvature->hessian(x, S)->add_product(d, 1.0, kept);
      CHECK(distance(change.to_dense(), product.to_dense()) <= 1e-8);
      CHECK(distance(kept.to_dense(), product.to_dense()) <= 1e-15);
    }
    CHECK(!curvature->hessian(x, Batch::all())->recomputes());
  }
}

TEST_CASE("matrix completion: constants of the sum and of one component") {
  const DataFile file("1 1 2\n1 3 -1\n2 2 0\n3 1 4\n");
  const Constants c = completion(file, {{"loss", "robust"}, {"loss.sigma", "2"}})->constants();
  CHECK(!c.convex);
  CHECK(*c.term_smoothness == 0.5);
  CHECK(*c.smoothness == 0.125);
  CHECK(*c.term_hessian_smoothness == doctest::Approx(1.380117 / std::pow(2.0, 1.5)).epsilon(1e-6));
  CHECK(*c.hessian_smoothness == doctest::Approx(*c.term_hessian_smoothness / 4));
  CHECK(*c.lower_bound == 0.0);
}

TEST_CASE("matrix completion: bad losses and targets are refused") {
  const DataFile file("1 1 1\n1 3 -1\n2 2 0.5\n");
  const std::string text = completion_refused(ErrorKind::data, file, {{"loss", "logistic"}});
  for (const std::string& part :
       {file.path.string(), std::string("row 2, column 2"), std::string("0.5"), std::string("-1 or 1")}) {
    CAPTURE(part);
    CHECK(text.find(part) != std::string::npos);
  }
  CHECK(completion_refused(ErrorKind::usage, file, {{"loss", "robut"}}).find("robust") != std::string::npos);
  CHECK(completion_refused(ErrorKind::usage, file, {{"loss", "robust"}, {"loss.sigma", "0"}}).find("sigma") !=
        std::string::npos);
  CHECK(completion_refused(ErrorKind::usage, file, {{"loss", "huber"}, {"loss.delta", "-1"}}).find("delta") !=
        std::string::npos);
  CHECK(completion_refused(ErrorKind::data, file, {{"loss", "robust"}}) == "accepted");
}

// SPDX-License-Identifier: BSD-3-Clause
// Every loss with every option against its definition in long double: values of more than 256 numbers at
// once, weights, the smoothness constant, the domain of the conjugate and what a prediction stands for.
#include <claros/loss.hpp>

#include "../core/numbers.hpp"
#include "compose_for_test.hpp"

#include <optional>

namespace claros::test::loss_definitions {

namespace {

using Wide = long double;
using Numbers = std::vector<double>;

/// A loss, psi(z, y) anew, and what is known of it by calculus.
struct LossCase {
  std::string name;
  Words options;
  std::function<Wide(Wide, Wide)> psi;
  Numbers targets, refused;
  std::optional<double> smoothness;                         ///< sup psi''
  std::optional<double> bound;                              ///< inf psi over z and y
  std::function<std::pair<double, double>(double)> domain;  ///< of psi*(., y): from, to
  ResponseKind response = ResponseKind::value;
  std::function<double(double)> mean = [](double z) { return z; };
};

std::shared_ptr<Loss> made(const std::string& name, const Words& options) {
  std::vector<Setting> settings;
  for (const std::string& word : options)
    settings.push_back({word.substr(0, word.find('=')), word.substr(word.find('=') + 1), {}, {}});
  return std::static_pointer_cast<Loss>(
      create_component(build_catalog(), Kind::loss, name, settings, Context{}));
}

LossCase quantile(double tau, double delta) {
  return {"quantile",
          {"tau=" + print_real(tau), "delta=" + print_real(delta)},
          [=](Wide z, Wide y) -> Wide {
            const Wide r = z - y, w = r > 0 ? 1 - Wide{tau} : Wide{tau}, a = std::abs(r), d = delta;
            return a <= d ? w * a * a / (2 * d) : w * (a - d / 2);
          },
          {-1.0, 0.0, 2.0},
          {},
          std::max(tau, 1.0 - tau) / delta,
          0.0,
          [=](double) {
            return std::pair{-tau, 1.0 - tau};
          }};
}
LossCase huber(double delta) {
  return {"huber",
          {"delta=" + print_real(delta)},
          [d = Wide{delta}](Wide z, Wide y) -> Wide {
            const Wide r = std::abs(z - y);
            return r <= d ? r * r / 2 : d * r - d * d / 2;
          },
          {-1.0, 0.4},
          {},
          1.0,
          0.0,
          [=](double) {
            return std::pair{-delta, delta};
          }};
}
/// y log y
Wide entropy(Wide y) { return y > 0 ? y * std::log(y) : 0; }

LossCase negative_binomial(double theta) {
  return {"negative-binomial",
          {"theta=" + print_real(theta)},
          [t = Wide{theta}](Wide z, Wide y) -> Wide {
            return (y + t) * std::log((std::exp(z) + t) / (y + t)) - y * z + entropy(y);
          },
          {0.0, 1.0, 9.0},
          {-1.0, kNan},
          {},
          0.0,
          [=](double y) {
            return std::pair{-y, theta};
          },
          ResponseKind::count,
          [](double z) { return std::exp(z); }};
}
LossCase tweedie(double power) {
  const Wide a = Wide{power} - 1, b = 2 - Wide{power};
  return {"tweedie",
          {"power=" + print_real(power)},
          [=](Wide z, Wide y) -> Wide {
            return y * std::exp(-a * z) / a + std::exp(b * z) / b - std::pow(y, b) * (1 / a + 1 / b);
          },
          {0.0, 0.3, 4.0},
          {-1.0, kNan},
          {},
          0.0,
          [](double y) {
            return std::pair{y > 0.0 ? -kInfinity : 0.0, kInfinity};
          },
          ResponseKind::count,
          [](double z) { return std::exp(z); }};
}

std::vector<LossCase> every_loss() {
  const auto whole = [](double) { return std::pair{-kInfinity, kInfinity}; };
  const auto exponential = [](double z) { return std::exp(z); };
  return {{"squared",
           {},
           [](Wide z, Wide y) -> Wide { return (z - y) * (z - y) / 2; },
           {-1.0, 2.0},
           {},
           1.0,
           0.0,
           whole},
          huber(1.0),
          huber(0.3),
          quantile(0.5, 0.1),
          quantile(0.8, 0.25),
          quantile(0.15, 2.0),
          {"robust",
           {"sigma=0.7"},
           [](Wide z, Wide y) -> Wide { return -std::expm1(-(z - y) * (z - y) / (2 * Wide{0.7})); },
           {-1.0, 0.4},
           {},
           1.0 / 0.7,
           0.0,
           {}},
          {"logistic",
           {},
           [](Wide z, Wide y) -> Wide { return std::log1p(std::exp(-y * z)); },
           {-1.0, 1.0},
           {0.0, 2.0},
           0.25,
           0.0,
           [](double y) {
             return std::pair{std::min(0.0, -y), std::max(0.0, -y)};
           },
           ResponseKind::probability,
           [](double z) { return 1.0 / (1.0 + std::exp(-z)); }},
          {"squared-hinge",
           {},
           [](Wide z, Wide y) -> Wide { return std::pow(std::max<Wide>(0, 1 - y * z), 2) / 2; },
           {-1.0, 1.0},
           {0.0, 2.0},
           1.0,
           0.0,
           [](double y) {
             return y > 0 ? std::pair{-kInfinity, 0.0} : std::pair{0.0, kInfinity};
           },
           ResponseKind::score},
          {"poisson",
           {},
           [](Wide z, Wide y) -> Wide { return std::exp(z) - y * z - y + entropy(y); },
           {0.0, 1.0, 9.0},
           {-1.0, kNan},
           {},
           0.0,
           [](double y) {
             return std::pair{-y, kInfinity};
           },
           ResponseKind::count,
           exponential},
          {"gamma",
           {},
           [](Wide z, Wide y) -> Wide { return y * std::exp(-z) + z - 1 - std::log(y); },
           {0.01, 1.0, 7.5},
           {0.0, -1.0, kNan},
           {},
           0.0,
           [](double) {
             return std::pair{-kInfinity, 1.0};
           },
           ResponseKind::count,
           exponential},
          negative_binomial(1.0),
          negative_binomial(0.2),
          negative_binomial(3.5),
          tweedie(1.5),
          tweedie(1.1),
          tweedie(1.7)};
}

/// sup_z u z - psi(z, y) of a convex psi, by thirds; u within the domain of psi*.
double brute_conjugate(const LossCase& c, double u, double y) {
  Wide low = -60, high = 60;
  const auto at = [&](Wide z) { return Wide{u} * z - c.psi(z, y); };
  for (int k = 0; k < 300; ++k) {
    const Wide a = low + (high - low) / 3, b = high - (high - low) / 3;
    (at(a) < at(b) ? low : high) = at(a) < at(b) ? a : b;
  }
  return static_cast<double>(at((low + high) / 2));
}

}  // namespace

TEST_CASE("every loss: values, weighted sums and derivatives of 600 numbers at once are its definition") {
  for (const LossCase& c : every_loss()) {
    CAPTURE(c.name);
    CAPTURE(c.options);
    const auto loss = made(c.name, c.options);
    Numbers z, y, w;
    Wide sum = 0, weighted = 0;
    for (std::size_t k = 0; k < 600; ++k) {
      z.push_back(-4.0 + 0.0133 * static_cast<double>(k));
      y.push_back(c.targets[k % c.targets.size()]);
      w.push_back(static_cast<double>((k * k) % 5) / 4.0);
      sum += c.psi(z[k], y[k]), weighted += Wide{w[k]} * c.psi(z[k], y[k]);
    }
    CHECK(loss->sum(z, y) == doctest::Approx(static_cast<double>(sum)).epsilon(1e-12));
    CHECK(loss->weighted_sum(z, y, w) == doctest::Approx(static_cast<double>(weighted)).epsilon(1e-12));
    Numbers first(z.size()), second(z.size());
    loss->derivative(z, y, first);
    loss->second_derivative(z, y, second);
    double worst_first = 0.0, worst_second = 0.0;
    const Wide h = 1e-4L;
    for (std::size_t k = 0; k < z.size(); ++k) {
      const auto at = [&](Wide zz) { return c.psi(zz, y[k]); };
      const Wide before = (at(z[k]) - at(z[k] - 2 * h)) / (2 * h),
                 after = (at(z[k] + 2 * h) - at(z[k])) / (2 * h),
                 slope = (at(z[k] + h) - at(z[k] - h)) / (2 * h);
      const double scale = 1.0 + std::abs(static_cast<double>(slope));
      worst_first = std::max(worst_first, std::abs(first[k] - static_cast<double>(slope)) / scale);
      // Where psi'' jumps within the difference, it has no one value.
      const Wide bend = (after - before) / (2 * h),
                 near = (at(z[k] + h) - 2 * at(z[k]) + at(z[k] - h)) / (h * h);
      if (std::abs(bend - near) < 1e-4L * (1 + std::abs(near)))
        worst_second = std::max(worst_second, std::abs(second[k] - static_cast<double>(near)) / scale);
    }
    CHECK(worst_first < 1e-3);  // half a jump of psi'' times h
    CHECK(worst_second < 1e-3);
  }
}

TEST_CASE("every loss: its smoothness is attained and not exceeded, its lower bound is one") {
  for (const LossCase& c : every_loss()) {
    CAPTURE(c.name);
    CAPTURE(c.options);
    const LossConstants known = made(c.name, c.options)->constants();
    CHECK(known.smoothness.has_value() == c.smoothness.has_value());
    CHECK(known.convex == (c.name != "robust"));
    if (known.convex) CHECK(known.lower_smoothness.value_or(-1.0) == 0.0);
    double largest = 0.0, least = kInfinity;
    for (const double y : c.targets)
      for (double z = -8.0; z <= 8.0; z += 0.005) {
        const Wide h = 1e-4L;
        largest = std::max(
            largest,
            std::abs(static_cast<double>((c.psi(z + h, y) - 2 * c.psi(z, y) + c.psi(z - h, y)) / (h * h))));
        least = std::min(least, static_cast<double>(c.psi(z, y)));
      }
    if (c.smoothness) {
      REQUIRE(known.smoothness);
      CHECK(*known.smoothness == doctest::Approx(*c.smoothness).epsilon(1e-12));
      CHECK(largest == doctest::Approx(*c.smoothness).epsilon(1e-3));
    }
    if (known.lower_bound) CHECK(*known.lower_bound <= least + 1e-18);  // the error of a sum near 0
    if (c.bound) CHECK(known.lower_bound.value_or(kNan) == *c.bound);
    if (known.of_difference)
      for (const double shift : {-2.5, 0.7})
        CHECK(static_cast<double>(c.psi(0.3 + shift, c.targets[0] + shift)) ==
              doctest::Approx(static_cast<double>(c.psi(0.3, c.targets[0]))));
  }
}

TEST_CASE("every loss: the conjugate with weights is the supremum, and infinite beyond its domain") {
  for (const LossCase& c : every_loss()) {
    CAPTURE(c.name);
    CAPTURE(c.options);
    const auto loss = made(c.name, c.options);
    CHECK(loss->has_conjugate() == bool(c.domain));
    if (!c.domain) continue;
    for (const double y : c.targets) {
      CAPTURE(y);
      const auto [from, to] = c.domain(y);
      const double low = std::max(from, -3.0), high = std::min(to, 3.0);
      Numbers u, targets, w;
      double expected = 0.0, unweighted = 0.0;
      for (int k = 1; k < 16; ++k) {
        u.push_back(low + (high - low) * k / 16.0);
        targets.push_back(y), w.push_back(static_cast<double>(k % 4));
        const double one = brute_conjugate(c, u.back(), y);
        CAPTURE(u.back());
        CHECK(loss->conjugate({&u.back(), 1}, {&y, 1}, {}) == doctest::Approx(one).epsilon(1e-8).scale(1.0));
        expected += w.back() * one, unweighted += one;
      }
      CHECK(loss->conjugate(u, targets, w) == doctest::Approx(expected).epsilon(1e-8));
      CHECK(loss->conjugate(u, targets, {}) == doctest::Approx(unweighted).epsilon(1e-8));
      const auto outside = [&](double beyond) {
        return loss->conjugate({&beyond, 1}, {&y, 1}, {}) == kInfinity;
      };
      if (from > -kInfinity) CHECK(outside(from - 0.01));
      if (to < kInfinity) CHECK(outside(to + 0.01));
      // A number without weight may be anything.
      if (to < kInfinity) {
        u.push_back(to + 1.0), targets.push_back(y), w.push_back(0.0);
        CHECK(loss->conjugate(u, targets, w) == doctest::Approx(expected).epsilon(1e-8));
      }
    }
  }
}

TEST_CASE(
    "every loss: its least value is 0 for every target, so that no constant of a target is in a value") {
  for (const LossCase& c : every_loss()) {
    const auto loss = made(c.name, c.options);
    if (!loss->has_conjugate()) continue;
    CAPTURE(c.name);
    const double zero = 0.0;
    for (const double y : c.targets)
      for (const double unit : {1.0, 1e4, 1e8}) {
        const double target = wants_signs(*loss) ? y : unit * y;
        CHECK(std::abs(loss->conjugate({&zero, 1}, {&target, 1}, {})) <= 1e-12 * (1.0 + std::abs(target)));
      }
  }
}

TEST_CASE("every loss: its targets, and what a prediction stands for") {
  for (const LossCase& c : every_loss()) {
    CAPTURE(c.name);
    const auto loss = made(c.name, c.options);
    for (const double y : c.targets) CHECK(loss->accepts(y));
    for (const double y : c.refused) CHECK_FALSE(loss->accepts(y));
    CHECK(loss->targets().empty() == c.refused.empty());
    CHECK(loss->response() == c.response);
    Numbers z{-2.0, -0.3, 0.0, 1.2}, out(4);
    loss->mean(z, out);
    for (std::size_t k = 0; k < 4; ++k) CHECK(out[k] == doctest::Approx(c.mean(z[k])).epsilon(1e-14));
  }
}

TEST_CASE(
    "multinomial of four classes: values, slopes, products, conjugates with weights, and its constant") {
  const auto loss = made("multinomial", {});
  loss->set_classes(4);
  REQUIRE(loss->outputs() == 4);
  const Numbers z{0.3, -1.0, 2.0, 0.1, 5.0, -5.0, 0.0, 1.0, -0.2, 0.4, 0.0, 0.9}, y{2, 0, 3},
      w{0.5, 0.0, 2.0};
  const auto psi = [](std::span<const double> scores, std::size_t label) {
    Wide mass = 0;
    for (const double s : scores) mass += std::exp(Wide{s});
    return std::log(mass) - Wide{scores[label]};
  };
  Wide sum = 0, weighted = 0;
  Numbers first(12), second(12), q(12);
  loss->derivative(z, y, first);
  loss->second_derivative(z, y, second);
  loss->mean(z, q);
  Numbers product{1.0, -2.0, 0.5, 0.3, 0.2, 0.1, -1.0, 0.4, 0.7, 0.7, 0.7, 0.7};
  const Numbers d = product;
  loss->multiply_second(second, product);
  for (std::size_t i = 0; i < 3; ++i) {
    const auto label = static_cast<std::size_t>(y[i]);
    const std::span<const double> row = std::span(z).subspan(4 * i, 4);
    sum += psi(row, label), weighted += Wide{w[i]} * psi(row, label);
    double along = 0.0;
    for (std::size_t k = 0; k < 4; ++k) {
      Numbers ahead(row.begin(), row.end()), behind = ahead;
      ahead[k] += 1e-6, behind[k] -= 1e-6;
      CHECK(first[4 * i + k] ==
            doctest::Approx(static_cast<double>((psi(ahead, label) - psi(behind, label)) / 2e-6L))
                .epsilon(1e-8)
                .scale(1.0));
      CHECK(q[4 * i + k] == doctest::Approx(first[4 * i + k] + (k == label ? 1.0 : 0.0)).epsilon(1e-12));
      along += q[4 * i + k] * d[4 * i + k];
    }
    for (std::size_t k = 0; k < 4; ++k)
      CHECK(product[4 * i + k] ==
            doctest::Approx(q[4 * i + k] * (d[4 * i + k] - along)).epsilon(1e-12).scale(1.0));
  }
  CHECK(loss->sum(z, y) == doctest::Approx(static_cast<double>(sum)).epsilon(1e-14));
  CHECK(loss->weighted_sum(z, y, w) == doctest::Approx(static_cast<double>(weighted)).epsilon(1e-14));
  // Fenchel: at the slopes, psi* = <u, z> - psi.
  const auto product_with = [&](std::span<const double> weights) {
    Wide total = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      const std::span<const double> row = std::span(z).subspan(4 * i, 4);
      Wide one = -psi(row, static_cast<std::size_t>(y[i]));
      for (std::size_t k = 0; k < 4; ++k) one += Wide{first[4 * i + k]} * row[k];
      total += (weights.empty() ? 1.0 : weights[i]) * one;
    }
    return static_cast<double>(total);
  };
  CHECK(loss->conjugate(first, y, {}) == doctest::Approx(product_with({})).epsilon(1e-12));
  CHECK(loss->conjugate(first, y, w) == doctest::Approx(product_with(w)).epsilon(1e-12));
  Numbers outside = first;
  outside[5] -= 0.5, outside[4] += 0.5;  // of the row without weight
  CHECK(loss->conjugate(outside, y, {}) == kInfinity);
  CHECK(loss->conjugate(outside, y, w) == doctest::Approx(product_with(w)).epsilon(1e-12));
  Numbers heavy = first;
  heavy[9] += 0.1;  // mass 1.1
  CHECK(loss->conjugate(heavy, y, w) == kInfinity);
  // q = (1/2, 1/2, 0, 0) and the direction (1, -1, 0, 0)/sqrt 2: the eigenvalue 1/2.
  const Numbers even{0.0, 0.0, -800.0, -800.0};
  Numbers bend(4), along{std::sqrt(0.5), -std::sqrt(0.5), 0.0, 0.0};
  loss->second_derivative(even, Numbers{0.0}, bend);
  loss->multiply_second(bend, along);
  CHECK(along[0] * std::sqrt(0.5) - along[1] * std::sqrt(0.5) == doctest::Approx(0.5));
  CHECK(*loss->constants().smoothness == 0.5);
  for (const double target : {0.0, 3.0}) CHECK(loss->accepts(target));
  for (const double target : {4.0, -1.0, 0.5}) CHECK_FALSE(loss->accepts(target));
}

}  // namespace claros::test::loss_definitions

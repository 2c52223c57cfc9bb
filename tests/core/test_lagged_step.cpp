// SPDX-License-Identifier: BSD-3-Clause
// A batch-1 proximal step on sparse rows touches only the row's coordinates: the snapshot gradient (drift) is kept apart
// from the sparse change, and what untouched coordinates did meanwhile has a closed form. Also with averaged snapshots.
#include "least_squares.hpp"
#include "random_elements.hpp"
#include "small_svrg.hpp"

#include <claros/abilities.hpp>
#include <claros/sdk/loss_on_map.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

using namespace claros;

namespace {

/// Rows of a sparse design; reading <a_i, x> brings row i's coordinates up to date first.
class TouchedRows final : public LinearMap {
 public:
  TouchedRows(Index p, std::vector<std::vector<std::int32_t>> index, std::vector<std::vector<double>> value)
      : p_(p), index_(std::move(index)), value_(std::move(value)) {}
  Shape domain() const override { return Shape::vector(p_); }
  Index size() const override { return static_cast<Index>(index_.size()); }
  void apply(double alpha, const Element& x, double beta, std::span<double> z) const override {
    for (Index i = 0; i < size(); ++i) {
      double out = 0.0;
      dot(std::vector<Index>{i}, x, {&out, 1});
      z[static_cast<std::size_t>(i)] = (beta == 0.0 ? 0.0 : beta * z[static_cast<std::size_t>(i)]) + alpha * out;
    }
  }
  void dot(std::span<const Index> rows, const Element& x, std::span<double> out) const override {
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const auto i = static_cast<std::size_t>(rows[k]);
      x.touch(index_[i]);
      out[k] = 0.0;
      for (const Part& part : x.parts()) {
        const auto values = std::get<DenseForm>(part.form).values.view();
        for (std::size_t e = 0; e < index_[i].size(); ++e)
          out[k] += part.weight * value_[i][e] * values[static_cast<std::size_t>(index_[i][e])];
      }
    }
  }
  void fold(double a, const AdjointForm& c, Element& g) const override {
    std::vector<double> sum(static_cast<std::size_t>(p_), 0.0);
    const auto add_row = [&](Index row, double w) {
      const auto i = static_cast<std::size_t>(row);
      for (std::size_t e = 0; e < index_[i].size(); ++e) sum[static_cast<std::size_t>(index_[i][e])] += w * value_[i][e];
    };
    for (Index i = 0; i < c.full.size(); ++i) add_row(i, c.full.view()[static_cast<std::size_t>(i)]);
    for (std::size_t k = 0; k < c.rows.size(); ++k) add_row(c.rows[k], c.coefficients[k]);
    g.add(a, Element::dense(domain(), std::move(sum)));
  }
  bool cheap(const Element&) const override { return false; }
  const std::vector<std::int32_t>& index(Index i) const { return index_[static_cast<std::size_t>(i)]; }
  const std::vector<double>& value(Index i) const { return value_[static_cast<std::size_t>(i)]; }

 private:
  Index p_;
  std::vector<std::vector<std::int32_t>> index_;
  std::vector<std::vector<double>> value_;
};

double soft(double v, double t) { return v > t ? v - t : v < -t ? v + t : 0.0; }

/// lambda |x_j|: k steps x <- soft(x - s d, s lambda) and the sum of their values, in time independent of k.
class L1 final : public SeparableLag {
 public:
  explicit L1(double lambda) : lambda_(lambda) {}
  double advance(double x, Index count, double step, double drift, Index, double& sum) override {
    while (count > 0) {
      // While the sign stays, a step moves x by a constant; at zero it stays or leaves for good.
      if (x == 0.0) {
        const double next = soft(-step * drift, step * lambda_);
        if (next == 0.0) return 0.0;
        x = next, sum += x, --count;
        continue;
      }
      const double move = -step * drift - (x > 0 ? 1.0 : -1.0) * step * lambda_;
      const bool outward = move * x >= 0;
      const Index same_sign = outward ? count : std::min<Index>(count, static_cast<Index>(std::ceil(-x / move)) - 1);
      if (same_sign > 0) {
        const double k = static_cast<double>(same_sign);
        sum += k * x + move * k * (k + 1) / 2;
        x += k * move, count -= same_sign;
        continue;
      }
      x = soft(x - step * drift, step * lambda_), sum += x, --count;
    }
    return x;
  }
  double step_of(double x, double step, double drift) const { return soft(x - step * drift, step * lambda_); }

 private:
  double lambda_;
};

struct LazyL1 final : Lag {
  L1& penalty;
  std::span<double> x;
  std::span<const double> drift;
  double step;
  std::vector<Index> last;
  std::vector<double> sum;
  Index now = 0, touched = 0;

  LazyL1(L1& l1, std::span<double> values, std::span<const double> v, double s)
      : penalty(l1), x(values), drift(v), step(s), last(values.size(), 0), sum(values.size(), 0.0) {}
  void bring(std::size_t j) {
    if (last[j] < now) x[j] = penalty.advance(x[j], now - last[j], step, drift[j], static_cast<Index>(j), sum[j]);
    last[j] = now;
    ++touched;
  }
  void touch(std::span<const std::int32_t> coordinates) override {
    for (const auto j : coordinates) bring(static_cast<std::size_t>(j));
  }
  void flush() override {
    for (std::size_t j = 0; j < x.size(); ++j) bring(j);
  }
};

}  // namespace

TEST_CASE("k proximal steps of one coordinate in closed form equal k steps, and so does their sum") {
  testing::Engine engine(3);
  std::normal_distribution<double> normal;
  L1 l1(0.3);
  for (int trial = 0; trial < 3000; ++trial) {
    const double x0 = trial % 5 ? normal(engine) : 0.0, drift = normal(engine) * 0.5, step = 0.01 + 0.2 * std::abs(normal(engine));
    const Index count = static_cast<Index>(engine() % 60);
    double plain = x0, plain_sum = 0.0, sum = 0.0;
    for (Index k = 0; k < count; ++k) plain = l1.step_of(plain, step, drift), plain_sum += plain;
    CHECK(l1.advance(x0, count, step, drift, 0, sum) == doctest::Approx(plain).epsilon(1e-9));
    CHECK(sum == doctest::Approx(plain_sum).epsilon(1e-9));
  }
}

TEST_CASE("hard shapes a: lagged Prox-SVRG with batch 1 makes the plain method's points and averages, touching only the rows") {
  const Index n = 60, p = 400, nonzeros = 4, steps = 90;
  testing::Engine engine(4);
  std::vector<std::vector<std::int32_t>> index(n);
  std::vector<std::vector<double>> value(n);
  for (Index i = 0; i < n; ++i) {
    for (Index e = 0; e < nonzeros; ++e) index[static_cast<std::size_t>(i)].push_back(static_cast<std::int32_t>(engine() % p));
    std::sort(index[static_cast<std::size_t>(i)].begin(), index[static_cast<std::size_t>(i)].end());
    auto& row = index[static_cast<std::size_t>(i)];
    row.erase(std::unique(row.begin(), row.end()), row.end());
    value[static_cast<std::size_t>(i)] = testing::normals(engine, static_cast<Index>(row.size()));
  }
  const auto map = std::make_shared<TouchedRows>(p, index, value);
  testing::LeastSquares f(map, testing::normals(engine, n));
  L1 l1(0.02);
  const double step = 0.05;

  const auto epochs = [&](bool lagged) {
    Sampler sampler(RandomStream(1, Purpose::test), n);
    testing::SmallSvrg svrg(1, steps);
    svrg.expand_drift();
    svrg.start(f, sampler);
    Element x = Element::dense(Shape::vector(p), testing::normals(engine = testing::Engine(9), p));
    std::vector<double> average;
    Index touched = 0;
    for (int epoch = 0; epoch < 3; ++epoch) {
      svrg.begin_epoch(x, {});                             // the snapshot shares x's array ...
      const std::span<double> values = x.dense_values();  // ... and this detaches: the order matters
      const auto drift = std::get<DenseForm>(svrg.drift()->parts().front().form).values.view();
      LazyL1 lag(l1, values, drift, step);
      if (lagged) x.set_lag(&lag);
      for (Index k = 0; k < steps; ++k) {
        Element change = svrg.estimate(x, 0);
        change.add(-1.0, *svrg.drift());
        REQUIRE(change.parts().size() == 1);  // the drift is the same array, so nothing of it is left
        const auto& form = std::get<AdjointForm>(change.parts().front().form);
        const double c = change.parts().front().weight * form.coefficients.front();
        const auto& row = map->index(form.rows.front());
        if (!lagged) {
          std::vector<double> g(drift.begin(), drift.end());
          for (std::size_t e = 0; e < row.size(); ++e) g[static_cast<std::size_t>(row[e])] += c * map->value(form.rows.front())[e];
          for (std::size_t j = 0; j < values.size(); ++j) values[j] = l1.step_of(values[j], step, g[j]), lag.sum[j] += values[j];
          continue;
        }
        ++lag.now;
        for (std::size_t e = 0; e < row.size(); ++e) {
          const auto j = static_cast<std::size_t>(row[e]);
          values[j] = l1.step_of(values[j], step, drift[j] + c * map->value(form.rows.front())[e]);
          lag.sum[j] += values[j];
          lag.last[j] = lag.now;
        }
      }
      touched += lag.touched;
      x.flush();
      x.set_lag(nullptr);
      average = lag.sum;
    }
    return std::tuple(x.to_dense(), average, touched);
  };
  const auto [plain, plain_sum, none] = epochs(false);
  const auto [lazy, lazy_sum, touched] = epochs(true);
  for (std::size_t j = 0; j < plain.size(); ++j) {
    CHECK(lazy[j] == doctest::Approx(plain[j]).epsilon(1e-9));
    CHECK(lazy_sum[j] == doctest::Approx(plain_sum[j]).epsilon(1e-9));
  }
  CHECK(none == 0);
  CHECK(touched <= 3 * steps * nonzeros);  // O(nonzeros) a step; the one flush an epoch is not counted yet
}

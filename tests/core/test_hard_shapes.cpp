// SPDX-License-Identifier: BSD-3-Clause
// The hardest shapes that the interfaces must carry: numbers dictated by an algorithm, an expectation whose
// component i is draw i, and a variable that is a product of two blocks.
#include "least_squares.hpp"
#include "random_elements.hpp"
#include "small_svrg.hpp"

#include <claros/linear_oracle.hpp>
#include <claros/map/element_operator.hpp>
#include <claros/sdk/loss_on_map.hpp>
#include <claros/watch/watched.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <numeric>

using namespace claros;

namespace {

/// argmin over ||x||_F <= r of <c, x>.
class Ball final : public LinearOracle {
 public:
  explicit Ball(double radius) : radius_(radius) {}
  OracleInfo minimize(const Element& c, const OracleRequest&, Element& v) override {
    const double length = norm(c);
    v = c;
    v.fold();
    v.scale(length > 0 ? -radius_ / length : 0.0);
    return {-radius_ * length, -radius_ * length, 0, 0, true};
  }
  double diameter(const Shape&) override { return 2 * radius_; }

 private:
  double radius_;
};

/// E 0.5 ||X - M_i||^2 with M_i = M + sigma Q_i, Q_i the i-th draw. Its gradient has an operator-free dense
/// form.
class NoisyDistance final : public Objective {
 public:
  NoisyDistance(Shape shape, std::vector<double> mean, double sigma)
      : shape_(shape), mean_(std::move(mean)), sigma_(sigma) {}
  Shape shape() const override { return shape_; }
  Index terms() const override { return kUnbounded; }
  double value(const Element& x) override {
    Element d(x);
    d.add(-1.0, Element::dense(shape_, mean_));
    return 0.5 * inner(d, d);
  }
  void add_gradient(const Element& x, const Batch& batch, double a, Element& g) override {
    std::vector<double> sum(mean_.size(), 0.0), draw(mean_.size());
    for (Index k = 0; k < batch.size(0); ++k) {
      RandomStream stream(77, Purpose::draws, static_cast<std::uint32_t>(batch[k]));
      stream.fill_normal(draw);
      for (std::size_t e = 0; e < sum.size(); ++e) sum[e] += draw[e] / static_cast<double>(batch.size(0));
    }
    for (std::size_t e = 0; e < sum.size(); ++e) sum[e] = mean_[e] + sigma_ * sum[e];
    g.add(a, x);
    g.add(-a, Element::dense(shape_, std::move(sum)));
  }

 private:
  Shape shape_;
  std::vector<double> mean_;
  double sigma_;
};

/// (L, S) |-> (L + S) at the entries of a pattern.
class SumSampling final : public LinearMap {
 public:
  explicit SumSampling(std::shared_ptr<const Pattern> pattern)
      : one_(std::make_shared<SamplingMap>(std::move(pattern))) {}
  Shape domain() const override { return Shape::product({one_->domain(), one_->domain()}); }
  Index size() const override { return one_->size(); }
  void apply(double alpha, const Element& x, double beta, std::span<double> z) const override {
    one_->apply(alpha, x.block(0), beta, z);
    one_->apply(alpha, x.block(1), 1.0, z);
  }
  void dot(std::span<const Index> rows, const Element& x, std::span<double> out) const override {
    std::vector<double> second(out.size());
    one_->dot(rows, x.block(0), out);
    one_->dot(rows, x.block(1), second);
    for (std::size_t k = 0; k < out.size(); ++k) out[k] += second[k];
  }
  void fold(double a, const AdjointForm& c, Element& g) const override {
    Element block(one_->domain());
    one_->fold(a, c, block);
    g.add(1.0, Element::product({block, block}));
  }
  bool cheap(const Element&) const override { return true; }

 private:
  std::shared_ptr<SamplingMap> one_;
};

/// The oracle of a product set is the oracles of its factors.
class ProductOracle final : public LinearOracle {
 public:
  ProductOracle(LinearOracle& first, LinearOracle& second) : first_(first), second_(second) {}
  OracleInfo minimize(const Element& c, const OracleRequest& request, Element& v) override {
    Element folded(c), a, b;
    folded.fold();
    const OracleInfo one = first_.minimize(folded.block(0), request, a),
                     two = second_.minimize(folded.block(1), request, b);
    v = Element::product({a, b});
    return {one.value + two.value, one.lower_bound + two.lower_bound, one.products + two.products, 0,
            one.confirmed && two.confirmed};
  }
  double diameter(const Shape& shape) override {
    return std::hypot(first_.diameter(shape.blocks[0]), second_.diameter(shape.blocks[1]));
  }

 private:
  LinearOracle &first_, &second_;
};

}  // namespace

TEST_CASE("hard shapes b: STORC dictates batch and epoch length, and the counts say so") {
  testing::Engine engine(21);
  const auto map = std::make_shared<SamplingMap>(testing::random_pattern(engine, 20, 20, 1.0));
  REQUIRE(map->size() == 400);
  testing::LeastSquares bare(map, testing::normals(engine, 400));
  Counts counts;
  ComponentSeconds seconds;
  WatchedObjective f(bare, "test", counts, seconds);
  Ball ball(5.0);
  Sampler sampler(RandomStream(2, Purpose::test), 400);
  testing::SmallSvrg svrg(7, 3);  // its own numbers, to be overruled
  svrg.start(f, sampler);
  const Index epochs = 6, length = 12, batch = 25;
  Element theta(f.shape());
  const double before = bare.value(theta);
  const double L = 1.0 / 400;
  for (Index t = 0; t < epochs; ++t) {  // Li, Qu, Xu, Algorithm 2, the subproblem in closed form on a ball
    svrg.begin_epoch(theta, {0, batch, length});
    Element y = theta, x = theta;
    for (Index k = 1; k <= length; ++k) {
      const double gamma = 2.0 / static_cast<double>(k + 1), beta = 3 * L / static_cast<double>(k);
      Element z = y;
      z.blend(gamma, x);
      const Element& g = svrg.estimate(z, 0);
      x.add(-1.0 / beta, g);
      x.fold();
      if (const double length_x = norm(x); length_x > 5.0) x.scale(5.0 / length_x);
      y.blend(gamma, x);
    }
    CHECK(svrg.epoch_due());
    theta = y;
  }
  CHECK(svrg.plan().batch == batch);
  CHECK(counts.sfo == epochs * (400 + length * 2 * batch));
  CHECK(counts.sfo_indices == epochs * (400 + length * batch));
  Element g(f.shape()), v;
  bare.add_gradient(theta, Batch::all(), 1.0, g);
  const double gap = inner(g, theta) - ball.minimize(g, {}, v).lower_bound;
  CHECK(bare.value(theta) < before);
  CHECK(gap < 1e-3 * before);
}

TEST_CASE("hard shapes c: of an expectation, the same draw at two points differs without noise") {
  testing::Engine engine(22);
  const Shape shape = Shape::matrix(6, 4);
  const auto mean = testing::normals(engine, 24);
  NoisyDistance f(shape, mean, 5.0);
  const Element x = Element::dense(shape, testing::normals(engine, 24)),
                y = Element::dense(shape, testing::normals(engine, 24));
  Element g(shape);
  f.add_gradient_difference(x, y, Batch::range(1000, 3), 1.0, g);
  Element expected(x);
  expected.add(-1.0, y);
  expected.add(-1.0, g);
  CHECK(norm(expected) < 1e-12);

  // The snapshot is a sample mean of draws; further estimates move with x exactly.
  Sampler sampler(RandomStream(3, Purpose::test), kUnbounded);
  testing::SmallSvrg svrg(8, 100);
  svrg.start(f, sampler);
  svrg.begin_epoch(x, {4000, 8, 5});
  const double noise = norm([&] {
    Element error = svrg.estimate(x, 0);
    error.add(-1.0, x);
    error.add(1.0, Element::dense(shape, mean));
    return error;
  }());
  CHECK(noise < 5.0 * std::sqrt(24.0 / 4000) * 1.5);
  CHECK(noise > 5.0 * std::sqrt(24.0 / 4000) * 0.5);
  CHECK(sampler.position() == 4008);  // every draw is used once
}

TEST_CASE("hard shapes d: Frank-Wolfe on a product of two blocks keeps one image and drives the gap down") {
  testing::Engine engine(23);
  const auto map = std::make_shared<SumSampling>(testing::random_pattern(engine, 12, 9, 0.6));
  testing::LeastSquares f(map, testing::normals(engine, map->size()));
  Ball first(2.0), second(1.0);
  ProductOracle oracle(first, second);
  Element x(f.shape()), v;
  (void)x.image(map);
  double gap = 0.0, first_gap = 0.0;
  for (Index t = 0; t < 400; ++t) {
    Element g(f.shape());
    f.add_gradient(x, Batch::all(), 1.0, g);
    const OracleInfo info = oracle.minimize(g, {}, v);
    gap = inner(g, x) - info.value;
    if (t == 0) first_gap = gap;
    // <g, x> through the image equals the sum over the blocks.
    Element folded(g);
    folded.fold();
    CHECK(inner(g, x) ==
          doctest::Approx(inner(folded.block(0), x.block(0)) + inner(folded.block(1), x.block(1))));
    x.blend(2.0 / (static_cast<double>(t) + 2.0), v);
  }
  CHECK(gap < 0.02 * first_gap);
  CHECK(x.shape() == f.shape());
}

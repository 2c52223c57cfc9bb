// SPDX-License-Identifier: BSD-3-Clause
#include "small_host.hpp"

#include <algorithm>
#include <cmath>

namespace claros::test {

namespace {

/// f_i(x) = (<a_i, x> - y_i)^2 / 2 of a small design.
struct SmallSquares {
  Index n = 8, p = 3;
  std::vector<double> a = normals(1, 24), y = normals(2, 8);

  double residual(std::span<const double> x, Index i) const {
    double sum = -y[static_cast<std::size_t>(i)];
    for (std::size_t j = 0; j < 3; ++j) sum += a[static_cast<std::size_t>(i) * 3 + j] * x[j];
    return sum;
  }
  double along(std::span<const double> d, Index i) const {
    return residual(d, i) + y[static_cast<std::size_t>(i)];
  }
  /// What a function that writes does: the array is 0 before.
  void write_row(Index i, double c, std::span<double> g) const {
    CHECK(sdk::largest_magnitude(g) == 0.0);
    for (std::size_t j = 0; j < 3; ++j) g[j] = c * a[static_cast<std::size_t>(i) * 3 + j];
  }
  void add_row(Index i, double c, std::span<double> g) const {
    for (std::size_t j = 0; j < 3; ++j) g[j] += c * a[static_cast<std::size_t>(i) * 3 + j];
  }

  sdk::FunctionSum sum() const {
    return {.shape = Shape::vector(p),
            .components = n,
            .value = [this](auto x, Index i) { return 0.5 * residual(x, i) * residual(x, i); },
            .gradient = [this](auto x, Index i, auto g) { write_row(i, residual(x, i), g); },
            .hessian_product = [this](auto, auto d, Index i, auto h) { write_row(i, along(d, i), h); },
            .constants = {.convex = true, .smoothness = 12.0, .term_smoothness = 12.0}};
  }
  sdk::FunctionBatches batches() const {
    return {
        .shape = Shape::vector(p),
        .components = n,
        .value =
            [this](auto x) {
              double total = 0.0;
              for (Index i = 0; i < n; ++i) total += 0.5 * residual(x, i) * residual(x, i);
              return total / static_cast<double>(n);
            },
        .add_gradient =
            [this](std::span<const double> x, std::span<const Index> batch, double c, std::span<double> g) {
              const Index size = batch.empty() ? n : static_cast<Index>(batch.size());
              for (Index k = 0; k < size; ++k) {
                const Index i = batch.empty() ? k : batch[static_cast<std::size_t>(k)];
                add_row(i, c / static_cast<double>(size) * residual(x, i), g);
              }
            },
        .add_hessian_product =
            [this](auto, std::span<const double> d, std::span<const Index> batch, double c,
                   std::span<double> h) {
              const Index size = batch.empty() ? n : static_cast<Index>(batch.size());
              for (Index k = 0; k < size; ++k) {
                const Index i = batch.empty() ? k : batch[static_cast<std::size_t>(k)];
                add_row(i, c / static_cast<double>(size) * along(d, i), h);
              }
            },
        .constants = {.convex = true, .smoothness = 12.0, .term_smoothness = 12.0}};
  }
};

Solver over_ball(std::shared_ptr<Objective> f) {
  Solver solver(build_catalog());
  solver.objective(std::move(f))
      .constraint("l2-ball", {{"radius", 0.5}})
      .algorithm("proximal-gradient", {{"step", 0.05}})
      .stop_when({{"iterations", 60}});
  return solver;
}

}  // namespace

TEST_CASE("a sum of functions is the linear model that it spells out") {
  const SmallSquares squares;
  const auto reference = Solver(over_ball(sdk::objective(squares.sum())))
                             .objective("linear-model")
                             .data(data_from_rows(squares.a, squares.n, squares.p, squares.y));
  for (const char* estimator : {"full", "sg", "svrg", "caspider"}) {
    CAPTURE(estimator);
    const Values numbers = estimator == std::string("full") ? Values{} : Values{{"batch", 2}, {"epoch", 4}};
    const auto x = Solver(reference).estimator(estimator, numbers).solve();
    const auto mine = over_ball(sdk::objective(squares.sum())).estimator(estimator, numbers).solve();
    CHECK(mine.counts.sfo == x.counts.sfo);
    for (std::size_t j = 0; j < 3; ++j)
      CHECK(mine.answer.to_dense()[j] == doctest::Approx(x.answer.to_dense()[j]).epsilon(1e-9));
  }
  for (const char* estimator : {"svrg", "caspider"}) {
    const auto batched =
        over_ball(sdk::objective(squares.batches())).estimator(estimator, {{"batch", 2}}).solve();
    const auto summed = over_ball(sdk::objective(squares.sum())).estimator(estimator, {{"batch", 2}}).solve();
    for (std::size_t j = 0; j < 3; ++j)
      CHECK(batched.answer.to_dense()[j] == doctest::Approx(summed.answer.to_dense()[j]).epsilon(1e-9));
  }
}

TEST_CASE("a matrix variable is column-major, with any penalty") {
  // f(X) = ||X - C||_F^2 / 2 + 1.5 ||X||_*: the singular values 3 and 1 of C lose 1.5 each, down to 0.
  sdk::Function f = distance_to({3.0, 0.0, 0.0, 1.0, 0.0, 0.0});
  f.shape = Shape::matrix(2, 3);
  Solver solver(build_catalog());
  solver.objective(sdk::objective(f))
      .penalty("nuclear", {{"lambda", 1.5}})
      .algorithm("proximal-gradient", {{"step", 1}})
      .stop_when({{"iterations", 3}});
  const auto X = solver.solve().answer.to_dense();
  CHECK(X[0] == doctest::Approx(1.5));
  for (std::size_t k = 1; k < 6; ++k) CHECK(std::abs(X[k]) < 1e-9);
}

namespace {

double sum_of(std::span<const double> x) {
  double sum = 0.0;
  for (const double entry : x) sum += entry;
  return sum;
}

/// The simplex of sum 1, by its corners.
sdk::SetFunctions simplex_corners() {
  return {.outside =
              [](auto x) {
                double worst = std::abs(sum_of(x) - 1.0);
                for (const double entry : x) worst = std::max(worst, -entry);
                return worst;
              },
          .corner =
              [](std::span<const double> c, std::span<double> x) {
                CHECK(sdk::largest_magnitude(x) == 0.0);
                x[static_cast<std::size_t>(std::min_element(c.begin(), c.end()) - c.begin())] = 1.0;
              },
          .diameter = std::sqrt(2.0)};
}

/// The ball of radius 1, by its projection.
sdk::SetFunctions ball_projection() {
  return {.outside = [](auto x) { return std::max(sdk::euclidean_norm(x) - 1.0, 0.0); },
          .project =
              [](std::span<const double> v, std::span<double> x) {
                CHECK(v.data() != x.data());
                const double norm = sdk::euclidean_norm(v);
                CHECK(sdk::largest_magnitude(x) == 0.0);
                for (std::size_t j = 0; j < x.size(); ++j) x[j] = v[j] / std::max(norm, 1.0);
              }};
}

/// lambda ||x||_1.
sdk::PenaltyFunctions sum_of_magnitudes(double lambda) {
  return {.value = [lambda](auto x) { return lambda * sdk::sum_of_magnitudes(x); },
          .prox =
              [lambda](std::span<const double> v, double s, std::span<double> x) {
                CHECK(v.data() != x.data());
                CHECK(sdk::largest_magnitude(x) == 0.0);
                for (std::size_t j = 0; j < x.size(); ++j) x[j] = sdk::soft_threshold(v[j], s * lambda);
              },
          .conjugate =
              [lambda](auto u) {
                return sdk::largest_magnitude(u) <= lambda * (1 + 1e-12) ? 0.0 : sdk::kInfinity;
              },
          .into_domain = [lambda](auto u) { return std::min(1.0, lambda / sdk::largest_magnitude(u)); }};
}

}  // namespace

TEST_CASE("a set of a corner is Frank-Wolfe's, and one of a projection is not") {
  Solver solver(build_catalog());
  solver.objective(sdk::objective(distance_to({2.0, 0.5, -1.0}))).stop_when({{"iterations", 200}});
  const auto mine = Solver(solver).constraint(sdk::set(simplex_corners())).algorithm("frank-wolfe").solve();
  const auto ours = Solver(solver)
                        .constraint("simplex", {{"radius", 1}})
                        .start_from(mine.answer)
                        .algorithm("frank-wolfe")
                        .solve();
  CHECK(mine.measurement.gap_kind == "frank-wolfe");
  CHECK(mine.measurement.value == doctest::Approx(ours.measurement.value).epsilon(1e-3));
  CHECK(mine.violation <= 1e-10);
  CHECK(complaints_of(Solver(solver).constraint(sdk::set(simplex_corners())).algorithm("proximal-gradient"))
            .size() == 1);

  const auto projected =
      Solver(solver).constraint(sdk::set(ball_projection())).algorithm("proximal-gradient").solve();
  const auto ball =
      Solver(solver).constraint("l2-ball", {{"radius", 1}}).algorithm("proximal-gradient").solve();
  for (std::size_t j = 0; j < 3; ++j)
    CHECK(projected.answer.to_dense()[j] == doctest::Approx(ball.answer.to_dense()[j]));
  CHECK(
      complaints_of(Solver(solver).constraint(sdk::set(ball_projection())).algorithm("frank-wolfe")).size() ==
      1);
}

TEST_CASE("a set starts at its own point, or else at a point inside") {
  const auto start_of = [](sdk::SetFunctions C) {
    const auto set = sdk::set(std::move(C));
    return query<Start>(*set)->start_point(Shape::vector(2)).to_dense();
  };
  CHECK(start_of(simplex_corners()) == std::vector<double>{1.0, 0.0});
  CHECK(start_of(ball_projection()) == std::vector<double>{0.0, 0.0});
  sdk::SetFunctions C = simplex_corners();
  C.start = [](std::span<double> x) { x[0] = 0.25, x[1] = 0.75; };
  CHECK(start_of(C) == std::vector<double>{0.25, 0.75});
  // {x : x_1 >= 1} by its projection: that of 0.
  CHECK(start_of({.outside = [](auto x) { return std::max(1.0 - x[0], 0.0); },
                  .project = [](auto v, auto x) { x[0] = std::max(v[0], 1.0), x[1] = v[1]; }}) ==
        std::vector<double>{1.0, 0.0});
}

TEST_CASE("a penalty of functions is minimised and certified like a built-in one") {
  const SmallSquares squares;
  Solver solver(build_catalog());
  solver.objective("linear-model").data(data_from_rows(squares.a, squares.n, squares.p, squares.y));
  solver.algorithm("proximal-gradient").stop_when({{"relative_gap", 1e-8}, {"iterations", 10000}});
  const auto mine = Solver(solver).penalty(sdk::penalty(sum_of_magnitudes(0.1))).solve();
  const auto ours = Solver(solver).penalty("l1", {{"lambda", 0.1}}).solve();
  CHECK(mine.status == Status::relative_gap);
  CHECK(mine.measurement.gap_kind == "duality");
  CHECK(mine.iterations == ours.iterations);
  for (std::size_t j = 0; j < 3; ++j)
    CHECK(mine.answer.to_dense()[j] == doctest::Approx(ours.answer.to_dense()[j]));
  // Without a conjugate no gap is claimed; one that nothing makes convex is still minimised.
  sdk::PenaltyFunctions h = sum_of_magnitudes(0.1);
  h.conjugate = nullptr, h.into_domain = nullptr, h.weak_convexity = sdk::kInfinity;
  const auto bare =
      Solver(solver).penalty(sdk::penalty(h)).stop_when({{"relative_gap", 0}, {"iterations", 200}}).solve();
  CHECK(bare.measurement.gap_kind == "none");
  CHECK(bare.measurement.value == doctest::Approx(ours.measurement.value).epsilon(1e-6));
}

TEST_CASE("functions are a smoother too") {
  Solver solver(build_catalog());
  solver.objective(sdk::objective(distance_to({2.0, 0.5, -1.0})))
      .algorithm("proximal-gradient")
      .stop_when({{"iterations", 100}});
  const auto x = solver.smoother(sdk::objective(distance_to({0.0, 1.5, 1.0}))).solve().answer.to_dense();
  CHECK(x[0] == doctest::Approx(1.0));
  CHECK(x[1] == doctest::Approx(1.0));
  CHECK(std::abs(x[2]) < 1e-9);
}

TEST_CASE("sets and penalties of functions that are not there are refused") {
  sdk::SetFunctions C = simplex_corners();
  C.diameter = 0.0;
  CHECK_THROWS_WITH_AS((void)sdk::set(C), doctest::Contains("its diameter is 0"), Error);
  C.corner = nullptr;
  CHECK_THROWS_WITH_AS((void)sdk::set(C), doctest::Contains("neither a corner nor a projection"), Error);
  C.outside = nullptr;
  CHECK_THROWS_WITH_AS((void)sdk::set(C), doctest::Contains("outside"), Error);
  sdk::PenaltyFunctions h = sum_of_magnitudes(1.0);
  h.weak_convexity = 1.0;
  CHECK_THROWS_WITH_AS((void)sdk::penalty(h), doctest::Contains("is not convex"), Error);
  h.weak_convexity = -1.0;
  CHECK_THROWS_WITH_AS((void)sdk::penalty(h), doctest::Contains("its weak convexity is -1"), Error);
  h.prox = nullptr;
  CHECK_THROWS_WITH_AS((void)sdk::penalty(h), doctest::Contains("lacks its value or its proximal step"),
                       Error);
}

TEST_CASE("functions that are not there are refused") {
  sdk::Function f = distance_to({1.0});
  f.gradient = nullptr;
  CHECK_THROWS_WITH_AS((void)sdk::objective(f), doctest::Contains("lacks its value or its gradient"), Error);
  sdk::FunctionSum sum = SmallSquares().sum();
  sum.components = 0;
  CHECK_THROWS_WITH_AS((void)sdk::objective(sum), doctest::Contains("has 0 components"), Error);
  sum.components = 1;
  sum.shape = Shape();
  CHECK_THROWS_WITH_AS((void)sdk::objective(sum), doctest::Contains("its shape is 0 x 0"), Error);
}

}  // namespace claros::test

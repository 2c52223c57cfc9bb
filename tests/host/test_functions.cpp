// SPDX-License-Identifier: BSD-3-Clause
#include "small_host.hpp"

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
  double along(std::span<const double> d, Index i) const { return residual(d, i) + y[static_cast<std::size_t>(i)]; }
  /// What a function that writes does: the array is 0 before.
  void write_row(Index i, double c, std::span<double> g) const {
    for (std::size_t j = 0; j < 3; ++j) CHECK(g[j] == 0.0), g[j] = c * a[static_cast<std::size_t>(i) * 3 + j];
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
            .constants = {.convex = true, .smoothness = 12.0, .component_smoothness = 12.0}};
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
            [this](auto, std::span<const double> d, std::span<const Index> batch, double c, std::span<double> h) {
              const Index size = batch.empty() ? n : static_cast<Index>(batch.size());
              for (Index k = 0; k < size; ++k) {
                const Index i = batch.empty() ? k : batch[static_cast<std::size_t>(k)];
                add_row(i, c / static_cast<double>(size) * along(d, i), h);
              }
            },
        .constants = {.convex = true, .smoothness = 12.0, .component_smoothness = 12.0}};
  }
};

Solver over_ball(std::shared_ptr<Objective> f) {
  Solver solver(build_catalog());
  solver.objective(std::move(f))
      .set("l2-ball", {{"radius", 0.5}})
      .algorithm("proximal-gradient", {{"step", 0.05}})
      .stop({{"iterations", 60}});
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
    const auto batched = over_ball(sdk::objective(squares.batches())).estimator(estimator, {{"batch", 2}}).solve();
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
      .stop({{"iterations", 3}});
  const auto X = solver.solve().answer.to_dense();
  CHECK(X[0] == doctest::Approx(1.5));
  for (std::size_t k = 1; k < 6; ++k) CHECK(std::abs(X[k]) < 1e-9);
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

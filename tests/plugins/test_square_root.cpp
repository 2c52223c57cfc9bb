// SPDX-License-Identifier: BSD-3-Clause
// The square-root lasso beside its definition, and beside the lasso that has the same solution.
#include "linear_problem.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

using namespace claros;
using namespace claros::test;

namespace square_root_test {

constexpr Index kRows = 40, kCols = 6;

struct Case {
  Dense a, y, w;
};
/// Weights of which one is 0, or none.
Case make_case(bool weighted) {
  Case c{random_rows(3, kRows, kCols), normals(4, kRows), {}};
  for (std::size_t i = 0; i < c.y.size(); ++i)
    c.y[i] = 0.3 * c.y[i] + 2.0 * c.a[i * kCols] - c.a[i * kCols + 2];
  const Dense u = normals(5, kRows);
  for (std::size_t i = 0; weighted && i < u.size(); ++i) c.w.push_back(i == 3 ? 0.0 : 0.2 + std::abs(u[i]));
  return c;
}

std::shared_ptr<Objective> objective_of(const Case& c, double sigma) {
  Design design = make_design(c.a, kCols, c.y);
  design.weights = c.w;
  Context context;
  context.data = std::make_shared<DesignInMemory>(std::move(design));
  return std::static_pointer_cast<Objective>(create_component(
      build_catalog(), Kind::objective, "square-root", {{"sigma", print_real(sigma), {}, {}}}, context));
}

/// The root of the weighted mean of squares of A x - y.
double spread(const Case& c, const Dense& x) {
  long double sum = 0.0L, mass = 0.0L;
  for (std::size_t i = 0; i < c.y.size(); ++i) {
    long double r = -c.y[i];
    for (std::size_t j = 0; j < x.size(); ++j) r += c.a[i * kCols + j] * x[j];
    const long double w = c.w.empty() ? 1.0 : c.w[i];
    sum += w * r * r, mass += w;
  }
  return static_cast<double>(std::sqrt(sum / mass));
}
/// min over sigma >= least of s^2 / (2 sigma) + sigma / 2, on a grid.
double by_search(double s, double least) {
  double best = std::numeric_limits<double>::infinity();
  for (double sigma = least; sigma < 20.0 * (s + least); sigma *= 1.0001)
    best = std::min(best, 0.5 * s * s / sigma + 0.5 * sigma);
  return best;
}

Words words(const TestFolder& folder, const Case& c, double scale = 1.0) {
  std::string text;
  for (std::size_t i = 0; i < c.y.size(); ++i) {
    text += print_real(scale * c.y[i]);
    for (Index j = 0; j < kCols; ++j) text += "," + print_real(c.a[i * kCols + static_cast<std::size_t>(j)]);
    text += "\n";
  }
  return {"objective.data=" + folder.put("rows" + print_real(scale) + ".csv", text).string(),
          "objective.response=1", "penalty.use=l1", "stop.relative_gap=1e-12", "stop.iterations=100000"};
}

TEST_CASE("square-root: the value is the minimum over sigma, gradient and Hessian are those of differences") {
  for (const bool weighted : {false, true})
    for (const double sigma : {0.01, 0.3, 5.0}) {
      const Case c = make_case(weighted);
      const auto f = objective_of(c, sigma);
      const double least = sigma * spread(c, Dense(kCols, 0.0));
      CHECK(*f->constants().lower_bound == doctest::Approx(0.5 * least));
      for (const double scale : {0.0, 0.4, 3.0}) {
        CAPTURE(scale);
        const Element x = point(f->shape(), 7, scale);
        const double s = spread(c, x.to_dense());
        CHECK(f->value(x) == doctest::Approx(by_search(s, least)).epsilon(1e-7));
        if (s >= least) CHECK(f->value(x) == doctest::Approx(s).epsilon(1e-13));
        const Dense g = gradient(*f, x);
        CHECK(distance(g, central_differences(*f, x)) <= 1e-7 * (1.0 + size(g)));
        Element Hd(f->shape());
        const Element d = point(f->shape(), 6, 1.0);
        query<Curvature>(*f)->add_hessian_product(x, d, Batch::all(), 1.0, Hd);
        const Dense there = plus(x.to_dense(), 1e-5, d.to_dense()),
                    back = plus(x.to_dense(), -1e-5, d.to_dense());
        const Dense change = plus(gradient(*f, Element::dense(f->shape(), there)), -1.0,
                                  gradient(*f, Element::dense(f->shape(), back)));
        CHECK(distance(Hd.to_dense(), plus(Dense(kCols, 0.0), 0.5e5, change)) <= 1e-6);
      }
    }
}

TEST_CASE("square-root lasso: the solution is that of the lasso with lambda sigma, by all methods") {
  const TestFolder folder;
  const Case c = make_case(false);
  for (const double sigma : {0.01, 0.6}) {  // 0.6: residuals lie below sigma_0
    const double lambda = 0.1, least = sigma * spread(c, Dense(kCols, 0.0));
    for (const Words& algorithm :
         std::vector<Words>{{"algorithm.use=proximal-gradient"},
                            {"algorithm.use=prox-newton"},
                            {"algorithm.use=working-set", "algorithm.inner=prox-newton"}}) {
      CAPTURE(algorithm.back());
      const RunResult r = solve(words(folder, c) +
                                Words{"objective.use=square-root", "objective.sigma=" + print_real(sigma),
                                      "penalty.lambda=" + print_real(lambda)} +
                                algorithm);
      REQUIRE(r.status == Status::relative_gap);
      const double s = spread(c, r.answer.to_dense());
      CHECK((s < least) == (sigma == 0.6));
      const RunResult lasso =
          solve(words(folder, c) + Words{"objective.use=linear-model",
                                         "penalty.lambda=" + print_real(lambda * std::max(s, least))});
      REQUIRE(lasso.status == Status::relative_gap);
      CHECK(distance(r.answer.to_dense(), lasso.answer.to_dense()) <= 1e-5);
      CHECK(std::ranges::count(r.answer.to_dense(), 0.0) > 0);
    }
  }
}

TEST_CASE("square-root lasso: the same lambda serves responses in any units") {
  const TestFolder folder;
  const Case c = make_case(false);
  const auto solved = [&](double scale) {
    return solve(words(folder, c, scale) + Words{"objective.use=square-root", "penalty.lambda=0.15"})
        .answer.to_dense();
  };
  const Dense x = solved(1.0);
  for (const double scale : {1e-6, 1e6}) {
    Dense y = solved(scale);
    for (double& value : y) value /= scale;
    CHECK(distance(x, y) <= 1e-6 * size(x));
  }
}

TEST_CASE("square-root lasso: lower bounds lie below the minimum, wherever they are made") {
  const TestFolder folder;
  const Case c = make_case(false);
  for (const double sigma : {0.01, 0.6}) {
    const Words all = words(folder, c) + Words{"objective.use=square-root",
                                               "objective.sigma=" + print_real(sigma), "penalty.lambda=0.1"};
    const double minimum = solve(all).measurement.value;
    for (const int steps : {0, 1, 2, 5, 20}) {
      const RunResult r = solve(all + Words{"algorithm.use=proximal-gradient", "algorithm.step=0.05",
                                            "stop.iterations=" + std::to_string(steps)});
      CHECK(r.measurement.gap_kind == "duality");
      CHECK(r.measurement.value - r.measurement.gap <= minimum + 1e-12);
    }
  }
}

TEST_CASE("square-root: a response of zeros is refused") {
  Case c = make_case(false);
  std::ranges::fill(c.y, 0.0);
  CHECK(contains(refusal(ErrorKind::data, [&] { (void)objective_of(c, 0.01); }), "a response that is not 0"));
}

}  // namespace square_root_test

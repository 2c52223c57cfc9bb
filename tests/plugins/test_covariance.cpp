// SPDX-License-Identifier: BSD-3-Clause
// The covariance objective beside plain loops over the matrices a_i a_i'.
#include "sensing_problem.hpp"

using namespace claros;
using namespace claros::test;

namespace {

/// n samples of p numbers, and a_i a_i' as arrays.
struct Samples {
  Index n, p;
  Dense rows;
  std::vector<Dense> squares;

  Samples(Index n_, Index p_, bool center, double shift = 0.0) : n(n_), p(p_), rows(normals(3, n_ * p_)) {
    for (double& value : rows) value += shift;
    Dense mean(static_cast<std::size_t>(p), 0.0), a = rows;
    for (std::size_t k = 0; k < a.size(); ++k) mean[k % mean.size()] += a[k] / static_cast<double>(n);
    if (center)
      for (std::size_t k = 0; k < a.size(); ++k) a[k] -= mean[k % mean.size()];
    for (Index i = 0; i < n; ++i) {
      Dense square;
      for (Index k = 0; k < p; ++k)
        for (Index j = 0; j < p; ++j)
          square.push_back(a[static_cast<std::size_t>(i * p + j)] * a[static_cast<std::size_t>(i * p + k)]);
      squares.push_back(std::move(square));
    }
  }
  double value(const Dense& x) const {
    double sum = 0.0;
    for (const Dense& square : squares) sum += 0.5 * std::pow(distance(x, square), 2);
    return sum / static_cast<double>(n);
  }
  Dense gradient(const Dense& x, const std::vector<Index>& S) const {
    Dense g(x.size(), 0.0);
    for (const Index i : S)
      g = plus(plus(std::move(g), 1.0 / static_cast<double>(S.size()), x),
               -1.0 / static_cast<double>(S.size()), squares[static_cast<std::size_t>(i)]);
    return g;
  }
  std::shared_ptr<Objective> objective(const Numbers& numbers, RowForm form = RowForm::dense) const {
    std::vector<Setting> settings;
    for (const auto& [key, value] : numbers) settings.push_back({key, value, {}, {}});
    Context context;
    context.data =
        std::make_shared<DesignInMemory>(make_design(rows, p, Dense(static_cast<std::size_t>(n), 0.0), form));
    return std::static_pointer_cast<Objective>(
        build_catalog().create(Kind::objective, "covariance", settings, context));
  }
};

}  // namespace

TEST_CASE("covariance: values, gradients, batches and Hessian products are those of plain loops") {
  for (const char* adjoints : {"dense", "products"})
    for (const bool center : {false, true})
      for (const RowForm form : {RowForm::dense, RowForm::sparse})
        for (const auto& [n, p] : {std::pair<Index, Index>{1, 1}, {40, 6}, {900, 4}}) {
          const Samples samples(n, p, center, 0.3);
          const auto f =
              samples.objective({{"adjoints", adjoints}, {"center", center ? "true" : "false"}}, form);
          const std::vector<Index> list{n - 1, 0, n / 2, 0};
          std::vector<Index> all(static_cast<std::size_t>(n));
          std::iota(all.begin(), all.end(), Index{0});
          for (const auto& [text, x] : points_of(f->shape(), 4)) {
            INFO(adjoints, " ", center, " ", n, " x ", p, ", ", text);
            const Dense at = x.to_dense();
            CHECK(f->value(x) == doctest::Approx(samples.value(at)).epsilon(1e-12));
            const Dense full = samples.gradient(at, all), some = samples.gradient(at, list);
            CHECK(distance(gradient(*f, x), full) <= 1e-12 * (1.0 + size(full)));
            CHECK(distance(gradient(*f, x, Batch::of(list)), some) <= 1e-12 * (1.0 + size(some)));
            const Element other = point(f->shape(), 9);
            Element change(f->shape()), product(f->shape());
            f->add_gradient_difference(x, other, Batch::of(list), 3.0, change);
            query<Curvature>(*f)->add_hessian_product(other, x, Batch::of(list), 2.0, product);
            const Dense apart = plus(at, -1.0, other.to_dense());
            CHECK(distance(change.to_dense(), plus(Dense(at.size(), 0.0), 3.0, apart)) <=
                  1e-13 * (1.0 + size(apart)));
            CHECK(distance(product.to_dense(), plus(Dense(at.size(), 0.0), 2.0, at)) <=
                  1e-13 * (1.0 + size(at)));
          }
        }
}

TEST_CASE(
    "covariance: without a constraint the minimiser is S, and every estimator keeps to arrays' way with "
    "products") {
  const Words words{"data.use=synthetic-regression", "data.rows=300", "data.cols=8", "data.nonzero=0",
                    "objective.use=covariance"};
  const Composition composition = compose(
      build_catalog(), spec_of(words + Words{"algorithm.use=proximal-gradient", "stop.iterations=3"}));
  const RunResult result = run_composition(composition);
  const auto design = make_data(build_catalog(), spec_of(words))->design();
  Dense S(64, 0.0), a(8);
  for (Index i = 0; i < 300; ++i) {
    design->row(i, a);
    for (std::size_t k = 0; k < 64; ++k) S[k] += a[k % 8] * a[k / 8] / 300.0;
  }
  CHECK(distance(result.answer.to_dense(), S) <= 1e-12 * size(S));
  for (const std::string& estimator : build_catalog().names(Kind::estimator)) {
    INFO(estimator);
    const Words more = words +
                       Words{"set.use=nuclear-ball",      "set.radius=4",          "set.engine=dense",
                             "algorithm.use=frank-wolfe", "algorithm.weight=0.05", "stop.iterations=20"} +
                       small_batches(estimator);
    const RunResult arrays = solve(more + Words{"objective.adjoints=dense"}),
                    products = solve(more + Words{"objective.adjoints=products"});
    CHECK_MESSAGE(arrays.failure.empty(), arrays.failure);
    CHECK_MESSAGE(products.failure.empty(), products.failure);
    CHECK(distance(arrays.answer.to_dense(), products.answer.to_dense()) <= 1e-7);
    CHECK(same_bits(products.answer,
                    solve(more + Words{"objective.adjoints=products", "run.threads=2"}).answer));
  }
}

TEST_CASE("covariance: samples come from files, and what is not a matrix of numbers is refused") {
  const TestFolder folder;
  const auto made = [&](const Numbers& numbers) {
    std::vector<Setting> settings;
    for (const auto& [key, value] : numbers) settings.push_back({key, value, {}, {}});
    Context context;
    context.base = folder.path();
    return std::static_pointer_cast<Objective>(
        build_catalog().create(Kind::objective, "covariance", settings, context));
  };
  folder.put("a.csv", "1,2\n3,4\n5,7\n");
  const auto f = made({{"data", "a.csv"}});
  CHECK(f->shape() == Shape::matrix(2, 2));
  CHECK(f->terms() == 3);
  CHECK(f->value(Element(f->shape())) == doctest::Approx((25.0 + 625.0 + 74.0 * 74.0) / 6.0).epsilon(1e-14));
  check_mentions(refusal(ErrorKind::usage, [&] { (void)made({}); }), {"objective.data"});
  folder.put("a.csv", "1,2\n3,inf\n");
  check_mentions(refusal(ErrorKind::data, [&] { (void)made({{"data", "a.csv"}}); }), {"a.csv"});
  folder.put("a.csv", "");
  check_mentions(refusal(ErrorKind::data, [&] { (void)made({{"data", "a.csv"}}); }), {"a.csv"});
}

// SPDX-License-Identifier: BSD-3-Clause
// The objectives distance, linear and quadratic beside plain loops: values, gradients, Hessian products,
// constants, lower bounds, and what auto makes of them.
#include "linear_problem.hpp"
#include "projected_gradient.hpp"

#include <claros/abilities.hpp>

#include <cmath>
#include <limits>

using namespace claros;
using namespace claros::test;

namespace {

std::shared_ptr<Objective> objective(const std::string& name, const Numbers& numbers,
                                     const std::filesystem::path& base = {}, std::string* notes = nullptr) {
  std::vector<Setting> settings;
  for (const auto& [key, value] : numbers) settings.push_back({key, value, {}, {}});
  Context context;
  context.base = base;
  if (notes) context.messages = [notes](Severity, const std::string& text) { *notes += text; };
  return std::static_pointer_cast<Objective>(
      create_component(build_catalog(), Kind::objective, name, settings, context));
}

struct Plain {
  double value = 0.0;
  Dense gradient, product;  ///< the Hessian times d
};

void check_plain(Objective& f, const Dense& x, const Dense& d, const Plain& plain) {
  const Element at = Element::dense(f.shape(), x);
  CHECK(f.terms() == 1);
  CHECK(f.value(at) == doctest::Approx(plain.value).epsilon(1e-13));
  CHECK(distance(gradient(f, at), plain.gradient) <= 1e-13 * (1.0 + size(plain.gradient)));
  const std::vector<Index> twice{0, 0};
  CHECK(distance(gradient(f, at, Batch::of(twice)), plain.gradient) <= 1e-13 * (1.0 + size(plain.gradient)));
  Element product(f.shape());
  query<Curvature>(f)->add_hessian_product(at, Element::dense(f.shape(), d), Batch::all(), 1.0, product);
  CHECK(distance(product.to_dense(), plain.product) <= 1e-13 * (1.0 + size(plain.product)));
}

/// x'Qx/2 + c'x, Q by rows.
Plain quadratic(const Dense& q, const Dense& c, const Dense& x, const Dense& d) {
  Plain plain{0.0, c, Dense(x.size(), 0.0)};
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t j = 0; j < x.size(); ++j) {
      plain.gradient[i] += q[i * x.size() + j] * x[j];
      plain.product[i] += q[i * x.size() + j] * d[j];
    }
  for (std::size_t i = 0; i < x.size(); ++i) plain.value += 0.5 * x[i] * (plain.gradient[i] + c[i]);
  return plain;
}

const Dense kX{0.3, -1.2, 0.7}, kD{1.0, 2.0, -0.5};

/// The least value of a run to a gap of 1e-10, and its lower bound.
void check_gap(const Words& words, double least) {
  const RunResult result = solve(words + Words{"stop.gap=1e-9", "stop.iterations=20000"});
  CHECK_MESSAGE(result.failure.empty(), result.failure);
  CHECK(result.status == Status::gap);
  CHECK(result.measurement.value == doctest::Approx(least).epsilon(1e-8));
  CHECK(result.measurement.value - result.measurement.gap <= least + 1e-12);
}

}  // namespace

TEST_CASE("distance: value, gradient and Hessian are those of the weighted sum, without its holes") {
  const TestFolder folder;
  folder.put("y.csv", "1,NaN\n3,4\n-2,0.5\n");
  folder.put("w.csv", "1,2\n0.5,0\n3,4\n");
  std::string notes;
  const auto f = objective("distance", {{"data", "y.csv"}, {"weights", "w.csv"}}, folder.path(), &notes);
  CHECK(f->shape() == Shape::matrix(3, 2));
  CHECK(notes.find("2 of 6 entries are not observed") != std::string::npos);
  const Dense y{1, 3, -2, 0, 0, 0.5}, w{1, 0.5, 3, 0, 0, 4}, x{2, 1, 0.1, 5, 6, 7}, d{1, -1, 2, 3, 4, 5};
  Plain plain{0.0, Dense(6), Dense(6)};
  for (std::size_t k = 0; k < 6; ++k) {
    plain.value += 0.5 * w[k] * (x[k] - y[k]) * (x[k] - y[k]);
    plain.gradient[k] = w[k] * (x[k] - y[k]), plain.product[k] = w[k] * d[k];
  }
  check_plain(*f, x, d, plain);
  CHECK(f->constants().smoothness == 4.0);
  CHECK(f->constants().strong_convexity == 0.0);
  CHECK(f->constants().lower_bound == 0.0);
  CHECK(objective("distance", {{"data", "1 2 3"}})->constants().strong_convexity == 1.0);
  CHECK(objective("distance", {{"data", "1 2 3"}})->shape() == Shape::vector(3));
}

TEST_CASE("distance: what does not fit is refused at its place") {
  const TestFolder folder;
  folder.put("y.csv", "1,2\n3,4\n");
  folder.put("nan.csv", "NaN,NA\n");
  const auto refused = [&](const Numbers& numbers, ErrorKind kind = ErrorKind::data) {
    return refusal(kind, [&] { (void)objective("distance", numbers, folder.path()); });
  };
  check_mentions(refused({{"data", "y.csv"}, {"weights", "1 2 3"}}), {"weights", "2 x 2"});
  check_mentions(refused({{"data", "y.csv"}, {"weights", "1 2; -3 1"}}), {"row 2, column 1", "-3"});
  check_mentions(refused({{"data", "nan.csv"}}), {"at least one observed entry"});
  check_mentions(refused({}, ErrorKind::usage), {"data", "matrix Y"});
}

TEST_CASE(
    "distance: the gap proves the minimum with penalties that see constants, and with those that do not") {
  // min (x - 3)^2/2 + |x| and its like: soft thresholds.
  check_gap({"objective.use=distance", "objective.data=3 -0.5 1", "penalty.use=l1", "penalty.lambda=1"},
            2.5 + 0.125 + 0.5);
  // Total variation between 0 and 4: both move by lambda, 2 * 0.5 + (4 - 2).
  check_gap({"objective.use=distance", "objective.data=0 4", "penalty.use=tv", "penalty.lambda=1"}, 3.0);
  check_gap({"objective.use=distance", "objective.data=0 4 7", "objective.weights=1 1 0", "penalty.use=tv",
             "penalty.lambda=1"},
            3.0);
  // Weights 1 and 3 on 0 and 4: moves of 1 and 1/3, so 0.5 + 1/6 + 8/3.
  check_gap({"objective.use=distance", "objective.data=0 4", "objective.weights=1 3", "penalty.use=tv",
             "penalty.lambda=1"},
            0.5 + 1.0 / 6.0 + 8.0 / 3.0);
}

TEST_CASE("linear: value, gradient, and a minimum that one linear minimisation finds") {
  const TestFolder folder;
  folder.put("c.csv", "4,1,3\n2,0,5\n3,2,2\n");
  const auto f = objective("linear", {{"data", "c.csv"}, {"factor", "-2"}}, folder.path());
  Dense x(9), c{4, 2, 3, 1, 0, 2, 3, 5, 2};
  Plain plain{0.0, Dense(9), Dense(9, 0.0)};
  for (std::size_t k = 0; k < 9; ++k) {
    x[k] = static_cast<double>(k) - 3.5, plain.gradient[k] = -2.0 * c[k];
    plain.value += -2.0 * c[k] * x[k];
  }
  check_plain(*f, x, x, plain);
  CHECK(f->constants().convex);
  CHECK(f->constants().smoothness == 0.0);
  const Words costs{"objective.use=linear", "objective.data=" + (folder / "c.csv").string()};
  for (const auto& [set, least] :
       std::vector<std::pair<Words, double>>{{{"set.use=birkhoff"}, 5.0},
                                             {{"set.use=simplex", "set.radius=2"}, 0.0},
                                             {{"set.use=l1-ball", "set.radius=2"}, -10.0},
                                             {{"set.use=box", "set.lower=-1", "set.upper=1"}, -22.0}}) {
    const RunResult result = solve(costs + set + Words{"stop.gap=1e-9", "stop.iterations=50"});
    CAPTURE(set.front());
    CHECK(result.status == Status::gap);
    CHECK(result.iterations == 1);
    CHECK(result.measurement.value == doctest::Approx(least).epsilon(1e-12));
  }
}

TEST_CASE("linear: with a penalty the minimum is that of its conjugate, or there is none") {
  // x^2/2 + c x has its least value -c^2/2.
  check_gap({"objective.use=linear", "objective.data=3 -1", "penalty.use=ridge", "penalty.lambda=1"}, -5.0);
  check_gap({"objective.use=linear", "objective.data=3 -1", "penalty.use=l1", "penalty.lambda=4"}, 0.0);
  check_gap({"objective.use=linear", "objective.data=3 -1", "penalty.use=box", "penalty.lower=-1",
             "penalty.upper=2"},
            -5.0);
  for (const Words& penalty : {Words{"penalty.use=l1", "penalty.lambda=1"}, Words{}}) {
    const RunResult result =
        solve(Words{"objective.use=linear", "objective.data=3 -1", "stop.iterations=100000"} + penalty);
    CHECK(result.status == Status::unbounded);
  }
  check_mentions(refusal(ErrorKind::usage, [] { (void)objective("linear", {{"data", "1 nan"}}); }), {"nan"});
}

TEST_CASE("quadratic: dense, sparse, factors, samples and a diagonal are the same plain sums") {
  const TestFolder folder;
  folder.put("q.csv", "2,1,0\n1,2,-1\n0,-1,2\n");
  folder.put("q.mtx",
             "%%MatrixMarket matrix coordinate real symmetric\n3 3 5\n1 1 2\n2 1 1\n2 2 2\n3 2 -1\n3 3 2\n");
  folder.put("f.csv", "1,0\n2,1\n0,3\n");
  folder.put("r.csv", "a,b,c\n1,2,3\n2,0,1\n3,1,1\n6,1,3\n");
  const Dense c{1, -2, 0.5}, q{2, 1, 0, 1, 2, -1, 0, -1, 2}, ff{1, 2, 0, 2, 5, 3, 0, 3, 9},
      // Means 3, 1, 2.
      cov{3.5, -0.25, 0.5, -0.25, 0.5, 0.5, 0.5, 0.5, 1.0};
  const auto made = [&](Numbers numbers) {
    return objective("quadratic", numbers + Numbers{{"linear", "1 -2 0.5"}}, folder.path());
  };
  check_plain(*made({{"data", "q.csv"}}), kX, kD, quadratic(q, c, kX, kD));
  check_plain(*made({{"data", "q.mtx"}}), kX, kD, quadratic(q, c, kX, kD));
  check_plain(*made({{"data", "f.csv"}, {"form", "factors"}}), kX, kD, quadratic(ff, c, kX, kD));
  check_plain(*made({{"data", "r.csv"}, {"form", "samples"}}), kX, kD, quadratic(cov, c, kX, kD));
  Dense shifted = ff;
  for (std::size_t k = 0; k < 9; k += 4) shifted[k] += 0.25;
  check_plain(*made({{"data", "f.csv"}, {"form", "factors"}, {"diagonal", "0.25"}}), kX, kD,
              quadratic(shifted, c, kX, kD));
  check_plain(*made({{"diagonal", "1 2 3"}}), kX, kD, quadratic({1, 0, 0, 0, 2, 0, 0, 0, 3}, c, kX, kD));
  const auto f = objective(
      "quadratic", {{"data", "r.csv"}, {"form", "samples"}, {"linear", "mean"}, {"linear_factor", "-2"}},
      folder.path());
  check_plain(*f, kX, kD, quadratic(cov, {-6, -2, -4}, kX, kD));
}

TEST_CASE("quadratic: L and mu hold, and convexity is claimed where it is proved alone") {
  const TestFolder folder;
  folder.put("q.csv", "2,1,0\n1,2,1\n0,1,2\n");  // eigenvalues 2, 2 +- sqrt 2
  folder.put("dominant.mtx", "%%MatrixMarket matrix coordinate real symmetric\n2 2 3\n1 1 3\n2 1 1\n2 2 2\n");
  folder.put("factored.mtx", "%%MatrixMarket matrix coordinate real symmetric\n2 2 3\n1 1 1\n2 1 2\n2 2 5\n");
  folder.put("indefinite.mtx",
             "%%MatrixMarket matrix coordinate real symmetric\n2 2 3\n1 1 1\n2 1 3\n2 2 5\n");
  folder.put("singular.csv", "1,1\n1,1\n");
  const auto constants = [&](const Numbers& numbers, std::string* notes = nullptr) {
    return objective("quadratic", numbers, folder.path(), notes)->constants();
  };
  const Constants c = constants({{"data", "q.csv"}});
  CHECK(c.convex);
  CHECK(*c.smoothness >= 2.0 + std::sqrt(2.0));
  CHECK(*c.smoothness <= 1.01 * (2.0 + std::sqrt(2.0)));
  CHECK(*c.strong_convexity == doctest::Approx(2.0 - std::sqrt(2.0)).epsilon(1e-12));
  CHECK(*c.strong_convexity <= 2.0 - std::sqrt(2.0));
  CHECK(constants({{"data", "dominant.mtx"}}).strong_convexity == 1.0);
  CHECK(constants({{"data", "factored.mtx"}}).convex);
  CHECK(constants({{"data", "singular.csv"}}).convex);
  CHECK(constants({{"diagonal", "3 0.5"}}).strong_convexity == 0.5);
  for (const Numbers& numbers :
       {Numbers{{"data", "indefinite.mtx"}}, Numbers{{"data", "singular.csv"}, {"diagonal", "-1e-6"}},
        Numbers{{"diagonal", "1 -2"}}}) {
    std::string notes;
    const auto f = objective("quadratic", numbers, folder.path(), &notes);
    CHECK_FALSE(f->constants().convex);
    CHECK(query<Certified>(*f) == nullptr);
    CHECK(notes.find("not known to be convex") != std::string::npos);
  }
}

TEST_CASE("quadratic: a Cholesky factor decides for sides beyond those whose eigenvalues are computed") {
  const TestFolder folder;
  constexpr Index kRows = 1100;
  for (const double least : {0.0, -0.5}) {
    std::string text = "%%MatrixMarket matrix array real symmetric\n1100 1100\n";
    for (Index j = 0; j < kRows; ++j)
      for (Index i = j; i < kRows; ++i)
        text += i > j ? "1\n" : print_real(1.0 + (j == 7 ? least : 0.1)) + "\n";
    folder.put("q.mtx", text);
    CHECK(objective("quadratic", {{"data", "q.mtx"}}, folder.path())->constants().convex == (least >= 0.0));
  }
}

TEST_CASE("quadratic: what a Q that is semidefinite to rounding alone lacks is a part of its gaps") {
  const TestFolder folder;
  // x'Qx < 0 at x = (1, -1, 0, ..., 0), by less than the rounding of the eigenvalues or the factor.
  folder.put("dense.csv", "1,1,0\n1," + print_real(1.0 - 0x1p-51) + ",0\n0,0,1\n");
  std::string text = "%%MatrixMarket matrix coordinate real symmetric\n2000 2000 2001\n1 1 1\n2 1 1\n2 2 " +
                     print_real(1.0 - 3e-13) + "\n";
  for (int i = 3; i <= 2000; ++i) text += std::to_string(i) + " " + std::to_string(i) + " 1\n";
  folder.put("sparse.mtx", text);
  for (const auto& [file, radius] : {std::pair<std::string, double>{"dense.csv", 1e8}, {"sparse.mtx", 1e7}}) {
    CAPTURE(file);
    const auto f = objective("quadratic", {{"data", file}}, folder.path());
    CHECK(f->constants().convex);
    CHECK_FALSE(f->constants().lower_bound.has_value());
    Dense far(static_cast<std::size_t>(f->shape().size()), 0.0);
    far[0] = radius / std::sqrt(2.0), far[1] = -far[0];
    const double reached = f->value(Element::dense(f->shape(), far));
    CHECK(reached < -0.5);
    auto* rounding = query<Rounding>(*f);
    REQUIRE(rounding);
    for (const double share : {0.0, 1.0}) {  // the tangents at 0 and at the opposite point
      Dense at(far);
      for (double& value : at) value *= -share;
      const Element x = Element::dense(f->shape(), at);
      double tangent = f->value(x);
      const Dense g = gradient(*f, x);
      for (std::size_t k = 0; k < g.size(); ++k) tangent += g[k] * (far[k] - at[k]);
      CHECK(tangent > reached);
      CHECK(tangent - rounding->rounding(x, radius) <= reached);
    }
    const RunResult r =
        solve({"objective.use=quadratic", "objective.data=" + (folder.path() / file).string(),
               "set.use=l2-ball", "set.radius=" + print_real(radius), "stop.gap=1e-3", "stop.iterations=50"});
    CHECK(r.measurement.value - r.measurement.gap <= reached);
  }
  folder.put("q.csv", "2,1,0\n1,2,1\n0,1,2\n");
  const auto definite = objective("quadratic", {{"data", "q.csv"}}, folder.path());
  CHECK(query<Rounding>(*definite) == nullptr);
  CHECK(definite->constants().lower_bound == 0.0);
}

TEST_CASE("quadratic: portfolios of least variance, and duality gaps with a penalty") {
  // Variances 1, 4 without correlation: weights 0.8, 0.2, variance 0.8.
  check_gap({"objective.use=quadratic", "objective.diagonal=1 4", "set.use=simplex", "set.radius=1"}, 0.4);
  // x^2 - 3x + |x|: x = 1, value -1.
  check_gap({"objective.use=quadratic", "objective.diagonal=2 2", "objective.linear=-3 0.5", "penalty.use=l1",
             "penalty.lambda=1"},
            -1.0);
}

TEST_CASE("quadratic: what is no Q is refused with what it may be") {
  const TestFolder folder;
  folder.put("a.csv", "1,2\n3,4\n");
  folder.put("r.csv", "1,2,5\n3,4,6\n");
  const auto refused = [&](const Numbers& numbers, ErrorKind kind) {
    return refusal(kind, [&] { (void)objective("quadratic", numbers, folder.path()); });
  };
  check_mentions(refused({{"data", "a.csv"}}, ErrorKind::data), {"no symmetric matrix", "objective.form"});
  check_mentions(refused({{"data", "a.csv"}, {"form", "matrix"}}, ErrorKind::data),
                 {"row 1, column 2", "Q'"});
  check_mentions(refused({{"data", "r.csv"}, {"form", "matrix"}}, ErrorKind::data), {"2 x 3", "samples"});
  check_mentions(refused({}, ErrorKind::usage), {"expected Q"});
  check_mentions(refused({{"data", "r.csv"}, {"form", "samples"}, {"linear", "1 2"}}, ErrorKind::data),
                 {"linear", "3 numbers", "2"});
  check_mentions(refused({{"diagonal", "1 2"}, {"linear", "mean"}}, ErrorKind::usage), {"linear", "samples"});
  check_mentions(refused({{"diagonal", "1 2"}, {"form", "factors"}}, ErrorKind::usage), {"form"});
}

// SPDX-License-Identifier: BSD-3-Clause
// X = A M B': values, gradients, constants and gaps against dense computations, and features that do not fit.
#include "compose_for_test.hpp"

#include <claros/abilities.hpp>
#include <claros/io/matrix_market.hpp>
#include <claros/io/ratings.hpp>
#include <claros/io/training.hpp>
#include <claros/map/element_operator.hpp>
#include <claros/results/features.hpp>
#include <claros/results/recommendation.hpp>
#include <claros/spectral/spectral.hpp>

#include <cmath>

namespace claros::test::side_features {

namespace {

std::vector<double> normals(std::uint64_t seed, Index count) {
  Engine engine(seed);
  std::normal_distribution<double> normal;
  std::vector<double> all(at(count));
  for (double& value : all) value = normal(engine);
  return all;
}

/// C = A B, column-major.
DenseTable times(const DenseTable& a, const DenseTable& b) {
  DenseTable c{a.rows, b.cols, std::vector<double>(at(a.rows * b.cols), 0.0)};
  for (Index j = 0; j < b.cols; ++j)
    for (Index k = 0; k < a.cols; ++k)
      for (Index i = 0; i < a.rows; ++i)
        c.values[at(j * a.rows + i)] += a.values[at(k * a.rows + i)] * b.values[at(j * b.rows + k)];
  return c;
}
DenseTable transposed(const DenseTable& a) {
  DenseTable t{a.cols, a.rows, a.values};
  for (Index i = 0; i < a.rows; ++i)
    for (Index j = 0; j < a.cols; ++j) t.values[at(i * a.cols + j)] = a.values[at(j * a.rows + i)];
  return t;
}

struct Problem {
  TestFolder folder;
  Ratings ratings;
  DenseTable A, B;
  std::shared_ptr<Objective> f;

  Problem(Index p, Index q, const Words& more = {}, bool sparse = false)
      : A{9, p, normals(3, 9 * p)}, B{7, q, normals(4, 7 * q)} {
    Engine engine(5);
    ratings = random_ratings(engine, 9, 7, 2, 40);
    write_ratings(folder / "r.tsv", ratings);
    put("a", A, sparse), put("b", B, sparse);
    f = objective(more);
  }
  /// A list has no zeros: the others are 0.
  void put(const std::string& name, DenseTable& table, bool sparse) const {
    if (!sparse) return write_matrix_market(folder / (name + ".mtx"), table);
    std::string text;
    for (Index i = 0; i < table.rows; ++i)
      for (Index k = 0; k < table.cols; ++k) {
        double& value = table.values[at(k * table.rows + i)];
        if ((i + 2 * k) % 3 == 0)
          value = 0.0;
        else
          text += std::to_string(i + 1) + ',' + std::to_string(k + 1) + ',' + print_real(value) + '\n';
      }
    folder.put(name + ".mtx", text);
  }
  Words words(const Words& more = {}) const {
    return Words{"objective.use=matrix-completion", "objective.ids=one-based", "objective.rows=9",
                 "objective.cols=7", "objective.data=" + (folder / "r.tsv").string()} +
           Words{"objective.row_features=" + (folder / "a.mtx").string(),
                 "objective.col_features=" + (folder / "b.mtx").string()} +
           more;
  }
  std::shared_ptr<Objective> objective(const Words& more) const {
    return compose(build_catalog(), spec_of(words(more) + Words{"stop.iterations=1"})).objective;
  }

  /// f and A'GB from X = A M B', all of them arrays.
  std::pair<double, std::vector<double>> dense(const DenseTable& M) const {
    const DenseTable X = times(times(A, M), transposed(B));
    DenseTable G{9, 7, std::vector<double>(63, 0.0)};
    double value = 0.0;
    const auto n = static_cast<double>(ratings.value.size());
    for (std::size_t e = 0; e < ratings.value.size(); ++e) {
      const auto k = at(ratings.col[e] * 9 + ratings.row[e]);
      const double r = X.values[k] - ratings.value[e];
      value += r * r / (2 * n), G.values[k] = r / n;
    }
    return {value, times(times(transposed(A), G), B).values};
  }
};

void check_close(const std::vector<double>& a, const std::vector<double>& b) {
  REQUIRE(a.size() == b.size());
  double scale = 0.0;
  for (const double value : a) scale = std::max(scale, std::abs(value));
  for (std::size_t k = 0; k < a.size(); ++k) CHECK(std::abs(a[k] - b[k]) <= 1e-12 * scale);
}

/// M as an array, or in factors.
std::vector<Element> points(const DenseTable& M) {
  auto store = std::make_shared<FactorStore>(M.rows, M.cols);
  std::vector<double> weights;
  for (Index k = 0; k < M.cols; ++k) {
    std::vector<double> e(at(M.cols), 0.0);
    e[at(k)] = 0.5;
    store->append(std::span(M.values).subspan(at(k * M.rows), at(M.rows)), e);
    weights.push_back(2.0);
  }
  return {Element::dense(Shape::matrix(M.rows, M.cols), M.values), Element::low_rank(store, weights)};
}

}  // namespace

TEST_CASE("side features: value and gradient are those of dense products, of points of all forms") {
  for (const bool sparse : {false, true})
    for (const auto& [p, q] :
         {std::pair<Index, Index>{4, 3}, {2, 6}, {95, 110}}) {  // the last as an operator
      CAPTURE(p);
      const Problem problem(p, q, {}, sparse);
      const DenseTable M{p, q, normals(6, p * q)};
      const auto [value, gradient] = problem.dense(M);
      for (const Element& x : points(M)) {
        CHECK(problem.f->value(x) == doctest::Approx(value).epsilon(1e-12));
        Element g(x.shape());
        problem.f->add_gradient(x, Batch::all(), 1.0, g);
        check_close(g.to_dense(), gradient);
        Element part(x.shape());
        for (Index e = 0; e < 40; ++e) {
          const std::vector<Index> one{e};
          problem.f->add_gradient(x, Batch::of(one), 1.0 / 40, part);
        }
        check_close(part.to_dense(), gradient);
        CHECK(norm(g) == doctest::Approx(norm(Element::dense(g.shape(), gradient))).epsilon(1e-10));
        CHECK(inner(g, x) == doctest::Approx(inner(Element::dense(g.shape(), gradient), x)).epsilon(1e-9));
        const ElementOperator product(g);
        std::vector<double> y(at(p)), expected(at(p), 0.0), v = normals(12, q);
        product.apply(v, y);
        for (Index j = 0; j < q; ++j)
          for (Index i = 0; i < p; ++i) expected[at(i)] += gradient[at(j * p + i)] * v[at(j)];
        check_close(y, expected);
      }
    }
}

TEST_CASE(
    "side features: indicators are an identity beside A; without features of a side B is the identity") {
  const Problem problem(2, 2);
  DenseTable A{9, 11, std::vector<double>(99, 0.0)};
  std::copy(problem.A.values.begin(), problem.A.values.end(), A.values.begin());
  for (Index i = 0; i < 9; ++i) A.values[at((2 + i) * 9 + i)] = 0.5;
  DenseTable I{7, 7, std::vector<double>(49, 0.0)};
  for (Index j = 0; j < 7; ++j) I.values[at(j * 8)] = 1.0;
  Problem other(2, 2);
  other.A = A, other.B = I;
  const auto f = problem.objective({"objective.row_indicators=0.5", "objective.col_features="});
  const DenseTable M{11, 7, normals(8, 77)};
  const Element x = Element::dense(f->shape(), M.values);
  const auto [value, gradient] = other.dense(M);
  CHECK(f->value(x) == doctest::Approx(value).epsilon(1e-12));
  Element g(x.shape());
  f->add_gradient(x, Batch::all(), 1.0, g);
  check_close(g.to_dense(), gradient);
}

TEST_CASE("side features: f is as smooth as it says, along the directions where it is steepest") {
  for (const auto& [p, q] : {std::pair<Index, Index>{4, 3}, {1, 1}, {25, 31}}) {
    const Problem problem(p, q);
    const double L = *problem.f->constants().smoothness, each = *problem.f->constants().term_smoothness;
    Element d = Element::dense(problem.f->shape(), normals(9, p * q)), zero(problem.f->shape());
    double curvature = 0.0;
    for (int step = 0; step < 200; ++step) {  // power iteration
      d.scale(1.0 / norm(d));
      Element h(d.shape());
      query<Curvature>(*problem.f)->add_hessian_product(zero, d, Batch::all(), 1.0, h);
      curvature = inner(d, h);
      d = Element::dense(d.shape(), h.to_dense());
    }
    CHECK(curvature <= L * (1 + 1e-12));
    CHECK(curvature <= each * (1 + 1e-12));  // the mean of terms is no steeper than the steepest
  }
}

TEST_CASE("side features: the gap of a run bounds what a projected gradient in arrays reaches") {
  const Problem problem(4, 3);
  const Words words = problem.words({"set.use=nuclear-ball", "set.radius=1.5", "stop.relative_gap=1e-8"});
  const auto run_of = [&](const Words& more) {
    Composition composition = compose(build_catalog(), spec_of(words + more));
    return run(composition, run_settings(composition));
  };
  const RunResult ours = run_of({}), other = run_of({"algorithm.use=frank-wolfe", "stop.relative_gap=1e-2",
                                                     "stop.iterations=20000"});
  REQUIRE(is_target(ours.status));
  REQUIRE(is_target(other.status));
  CHECK(other.measurement.value >= ours.measurement.value - ours.measurement.gap);
  CHECK(ours.measurement.value >= other.measurement.value - other.measurement.gap);
  // Steps 1/L of projected gradient on arrays, projections by a dense decomposition.
  DenseTable M{4, 3, std::vector<double>(12, 0.0)};
  const double L = *problem.f->constants().smoothness;
  for (int step = 0; step < 4000; ++step) {
    const std::vector<double> g = problem.dense(M).second;
    for (std::size_t k = 0; k < 12; ++k) M.values[k] -= g[k] / L;
    TruncatedSvd svd = dense_svd(4, 3, M.values);
    double level = 0.0;  // s - level, cut at 0, sums to 1.5
    for (Index r = 3; r >= 1; --r) {
      double sum = -1.5;
      for (Index k = 0; k < r; ++k) sum += svd.s[at(k)];
      if (sum / static_cast<double>(r) < svd.s[at(r - 1)]) {
        level = std::max(0.0, sum / static_cast<double>(r));
        break;
      }
    }
    std::ranges::fill(M.values, 0.0);
    for (Index k = 0; k < 3; ++k)
      for (Index i = 0; i < 4; ++i)
        for (Index j = 0; j < 3; ++j)
          M.values[at(j * 4 + i)] +=
              std::max(0.0, svd.s[at(k)] - level) * svd.u[at(k * 4 + i)] * svd.v[at(k * 3 + j)];
  }
  const double value = problem.dense(M).first;
  CHECK(value >= ours.measurement.value - ours.measurement.gap - 1e-12);
  CHECK(value <= ours.measurement.value + 1e-7 * value);
}

TEST_CASE("side features: what does not fit is refused with a sentence") {
  const Problem problem(4, 3);
  const auto refused = [&](const Words& words) {
    try {
      (void)problem.objective(words);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const auto file = [&](const std::string& name, const std::string& text) {
    return "objective.row_features=" + problem.folder.put(name, text).string();
  };
  const auto has = [&](const std::string& text, const char* what) {
    CAPTURE(text);
    CHECK(text.find(what) != text.npos);
  };
  has(refused({file("short.csv", "1,2,3,4\n1,2,3,4\n")}), "found none of row 3");
  has(refused({file("hole.csv", "1,2,3,4\n1,,3,4\n")}), "found none in row 2, column 2");
  has(refused({file("nan.csv", "1,2,3,4\n1,nan,3,4\n")}), "found none in row 2, column 2");
  has(refused({file("list.csv", "1,a,3\n2,b,1\n")}), "found none of row 3");
  has(refused({file("label.csv", "ann,a,3\n2,b,1\n")}), "is not an index from 1");
  has(refused({file("inf.csv", "1,2,3,4\n1,inf,3,4\n")}), "inf");
  has(refused({"objective.unobserved=0.1"}), "sums over all positions of X");
  has(refused({"objective.col_features=", "objective.col_indicators=1"}), "this side has none");
  has(refused({"objective.row_features=", "objective.col_features=", "objective.row_indicators=1"}),
      "is beside features");
  has(refused({"start.from=mean-fill"}), "the variable is M");
}

}  // namespace claros::test::side_features

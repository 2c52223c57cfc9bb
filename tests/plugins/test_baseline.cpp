// SPDX-License-Identifier: BSD-3-Clause
// The mean and the biases of matrix-completion: what they minimise, and that everything else sees the values
// without them.
#include "catalog_losses.hpp"
#include "compose_for_test.hpp"

#include <claros/abilities.hpp>
#include <claros/io/matrix_market.hpp>
#include <claros/io/training.hpp>

#include <numeric>

using namespace claros;
using namespace claros::test;

namespace {

using Vector = std::vector<double>;

/// Ratings with biases, rank one and noise; the last row and the last column of the sizes have no entry.
Ratings biased(Index m, Index n, std::uint64_t seed, int one_in = 2, double outliers = 0.0) {
  Engine engine(seed);
  std::normal_distribution<double> normal;
  Vector b(static_cast<std::size_t>(m)), c(static_cast<std::size_t>(n)), u(b.size()), v(c.size());
  for (Vector* all : {&b, &c, &u, &v})
    for (double& value : *all) value = normal(engine);
  Ratings r{m, n, {}, {}, {}, {}, {}};
  for (Index i = 0; i + 1 < m; ++i)
    for (Index j = 0; j + 1 < n; ++j) {
      if (engine() % static_cast<unsigned>(one_in) != 0) continue;
      const auto I = static_cast<std::size_t>(i), J = static_cast<std::size_t>(j);
      const bool wrong = std::uniform_real_distribution<double>()(engine) < outliers;
      r.row.push_back(static_cast<std::int32_t>(i)), r.col.push_back(static_cast<std::int32_t>(j));
      r.value.push_back(wrong ? 100.0 : 7.0 + b[I] + c[J] + 0.5 * u[I] * v[J] + 0.1 * normal(engine));
    }
  return r;
}

std::shared_ptr<Objective> objective(const TestFolder& folder, const Ratings& ratings, Words more) {
  write_matrix_market(folder / "r.mtx", ratings);
  std::vector<Setting> settings{{"data", (folder / "r.mtx").string(), {}, {}}};
  for (const std::string& word : more) {
    const auto equals = word.find('=');
    settings.push_back({word.substr(0, equals), word.substr(equals + 1), {}, {}});
  }
  return std::static_pointer_cast<Objective>(
      create_component(build_catalog(), Kind::objective, "matrix-completion", settings, Context{}));
}

const Training& training(Objective& f) { return query<Predictor>(f)->training(); }

/// Gaussian elimination with pivots.
Vector solved(std::vector<Vector> a, Vector y) {
  const std::size_t n = y.size();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t p = k;
    for (std::size_t i = k; i < n; ++i)
      if (std::abs(a[i][k]) > std::abs(a[p][k])) p = i;
    std::swap(a[k], a[p]), std::swap(y[k], y[p]);
    for (std::size_t i = k + 1; i < n; ++i) {
      const double q = a[i][k] / a[k][k];
      for (std::size_t j = k; j < n; ++j) a[i][j] -= q * a[k][j];
      y[i] -= q * y[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = k + 1; j < n; ++j) y[k] -= a[k][j] * y[j];
    y[k] /= a[k][k];
  }
  return y;
}

double mean(const Vector& y) {
  return std::accumulate(y.begin(), y.end(), 0.0) / static_cast<double>(y.size());
}

/// What the biases of a loss minimise, and its largest partial derivative.
template <class Psi>
double stationarity(const Ratings& r, const Baseline& base, const Psi& psi, double lambda_b,
                    double lambda_c) {
  const double L = *psi.constants().smoothness;
  Vector gb(base.row), gc(base.col);
  for (double& g : gb) g *= lambda_b;
  for (double& g : gc) g *= lambda_c;
  for (std::size_t e = 0; e < r.value.size(); ++e) {
    const double d = psi.derivative(base.at(r.row[e], r.col[e]), r.value[e]) / L;
    gb[static_cast<std::size_t>(r.row[e])] += d, gc[static_cast<std::size_t>(r.col[e])] += d;
  }
  double largest = 0.0;
  for (const Vector* all : {&gb, &gc})
    for (const double g : *all) largest = std::max(largest, std::abs(g));
  return largest;
}

}  // namespace

TEST_CASE("baseline: biases are those of the dense normal equations") {
  const TestFolder folder;
  for (const auto& [m, n, one_in] : {std::tuple{30, 20, 2}, {7, 40, 3}, {50, 3, 1}, {12, 12, 6}})
    for (const auto& [lb, lc] : {std::pair{5.0, 3.0}, {0.01, 20.0}, {1e-6, 1e-6}}) {
      CAPTURE(m);
      CAPTURE(n);
      CAPTURE(lb);
      const Ratings r = biased(m, n, 3, one_in);
      const auto f = objective(folder, r,
                               {"center=biases", "row_bias_regularization=" + print_real(lb),
                                "col_bias_regularization=" + print_real(lc)});
      const auto size = static_cast<std::size_t>(m + n);
      std::vector<Vector> a(size, Vector(size, 0.0));
      Vector y(size, 0.0);
      const double mu = mean(r.value);
      for (std::size_t k = 0; k < size; ++k) a[k][k] = k < static_cast<std::size_t>(m) ? lb : lc;
      for (std::size_t e = 0; e < r.value.size(); ++e) {
        const auto i = static_cast<std::size_t>(r.row[e]), j = static_cast<std::size_t>(m + r.col[e]);
        a[i][i] += 1, a[j][j] += 1, a[i][j] += 1, a[j][i] += 1;
        y[i] += r.value[e] - mu, y[j] += r.value[e] - mu;
      }
      const Vector expected = solved(a, y);
      const Baseline& base = training(*f).baseline;
      CHECK(base.mean == doctest::Approx(mu).epsilon(1e-14));
      REQUIRE(base.row.size() + base.col.size() == size);
      const double tolerance = lb < 1e-3 ? 1e-7 : 1e-11;  // the dense system's own condition
      for (std::size_t k = 0; k < size; ++k) {
        const double found = k < base.row.size() ? base.row[k] : base.col[k - base.row.size()];
        CHECK(std::abs(found - expected[k]) <= tolerance);
      }
      CHECK(base.row.back() == 0.0);
      CHECK(base.col.back() == 0.0);
      CHECK(stationarity(r, base, losses::SquaredLoss{}, lb, lc) <= 1e-10);
    }
}

TEST_CASE("baseline: of the huber and the robust loss, its own mean and biases") {
  const TestFolder folder;
  const Ratings r = biased(30, 25, 4, 2, 0.05);
  for (const std::string loss : {"huber", "robust"}) {
    CAPTURE(loss);
    Words more{"loss=" + loss};
    if (loss == "huber") more.push_back("loss.delta=0.7");
    if (loss == "robust") more.push_back("loss.sigma=4");
    const auto f = objective(folder, r, more + Words{"center=biases"});
    const Baseline& base = training(*f).baseline;
    CHECK(base.mean == training(*objective(folder, r, more + Words{"center=mean"})).baseline.mean);
    CHECK(std::abs(base.mean - 7.0) < 1.0);  // 5% of the values are 100: the plain mean is 11
    CHECK(mean(r.value) > 10.0);
    double slope = 0.0, residual = 0.0;
    const losses::HuberLoss huber{0.7};
    const losses::RobustLoss robust{4.0};
    for (const double y : r.value)
      slope += loss == "huber" ? huber.derivative(base.mean, y) : robust.derivative(base.mean, y);
    CHECK(std::abs(slope) <= 1e-6 * static_cast<double>(r.value.size()));
    residual = loss == "huber" ? stationarity(r, base, huber, 5, 3) : stationarity(r, base, robust, 5, 3);
    CHECK(residual <= 1e-5);
    CHECK(*std::max_element(base.row.begin(), base.row.end()) > 0.3);
  }
}

TEST_CASE("baseline: value, gradient and curvature are those without it at X plus the baseline") {
  const TestFolder folder;
  const Ratings r = biased(9, 8, 5);
  for (const std::string loss : {"squared", "huber", "robust"})
    for (const std::string center : {"mean", "biases"}) {
      CAPTURE(loss);
      CAPTURE(center);
      const auto raw = objective(folder, r, {"loss=" + loss}),
                 centred = objective(folder, r, {"loss=" + loss, "center=" + center});
      Engine engine(1);
      std::normal_distribution<double> normal;
      Vector values(72);
      for (double& value : values) value = normal(engine);
      const Shape shape = Shape::matrix(9, 8);
      const Element x = Element::dense(shape, values);
      Element with(x), g(shape), h(shape);
      with.add(1.0, training(*centred).baseline.element(shape));
      CHECK(centred->value(x) == doctest::Approx(raw->value(with)).epsilon(1e-12));
      centred->add_gradient(x, Batch::all(), 1.0, g);
      raw->add_gradient(with, Batch::all(), 1.0, h);
      const Vector a = g.to_dense(), b = h.to_dense();
      for (std::size_t k = 0; k < a.size(); ++k)
        CHECK(a[k] == doctest::Approx(b[k]).epsilon(1e-11).scale(0.01));
    }
}

TEST_CASE("baseline: refused where a value without its mean is not a target") {
  const TestFolder folder;
  Ratings r = biased(6, 6, 6);
  for (double& y : r.value) y = y > 7.0 ? 1.0 : -1.0;
  for (const std::string loss : {"logistic", "squared-hinge"})
    for (const std::string center : {"mean", "biases"}) {
      const std::string text = complaint(
          [&] {
            (void)objective(folder, r, {"loss=" + loss, "center=" + center});
          },
          ErrorKind::usage);
      CHECK(text.find("center") != text.npos);
      CHECK(text.find("not a function of x - y") != text.npos);
    }
  CHECK_NOTHROW((void)objective(folder, r, {"loss=logistic", "center=none"}));
}

TEST_CASE("baseline: held-out error, the distance to the truth and the result have it") {
  const TestFolder folder;
  Ratings r = biased(20, 15, 7), truth_entries = r;
  write_matrix_market(folder / "r.mtx", r);
  DenseTable truth{20, 15, Vector(300, 7.5)};
  write_matrix_market(folder / "truth.mtx", truth);
  folder.put("test.txt", "1 1 6\n3 4 8\n20 2 7\n99 2 5\n3 77 5.5\n99 99 9\n");
  const Words run{"objective.use=matrix-completion",
                  "objective.data=" + (folder / "r.mtx").string(),
                  "objective.test=" + (folder / "test.txt").string(),
                  "set.use=nuclear-ball",
                  "set.radius=20",
                  "algorithm.use=frank-wolfe",
                  "stop.iterations=50",
                  "trace.truth=" + (folder / "truth.mtx").string()};
  const Composition c = compose(build_catalog(), spec_of(run + Words{"objective.center=biases"}));
  const RunResult result = run_composition(c);
  const Baseline& base = training(*c.objective).baseline;
  const Vector x = result.answer.to_dense();
  const auto predicted = [&](Index i, Index j) {
    return base.at(i < 20 ? i : -1, j < 15 ? j : -1) +
           (i < 20 && j < 15 ? x[static_cast<std::size_t>(i + 20 * j)] : 0.0);
  };
  double squares = 0.0;
  for (const auto& [i, j, y] :
       {std::tuple{0, 0, 6.0}, {2, 3, 8.0}, {19, 1, 7.0}, {98, 1, 5.0}, {2, 76, 5.5}, {98, 98, 9.0}})
    squares += std::pow(predicted(i, j) - y, 2);
  CHECK(result.measurement.test_rmse == doctest::Approx(std::sqrt(squares / 6)).epsilon(1e-12));
  squares = 0.0;
  for (Index i = 0; i < 20; ++i)
    for (Index j = 0; j < 15; ++j) squares += std::pow(predicted(i, j) - 7.5, 2);
  CHECK(result.measurement.rmse_truth == doctest::Approx(std::sqrt(squares / 300)).epsilon(1e-10));
  CHECK(result_json(c, result).find("\"center\": \"biases\"") != std::string::npos);
  const auto said = compose(build_catalog(), spec_of(run)).notices;
  CHECK(std::ranges::any_of(said, [](const std::string& line) {
    return line.find("3 of 6 entries have a row or a column that is not in the training data") != line.npos;
  }));
}

TEST_CASE("baseline: a folder keeps all of it, bit for bit, and none of an earlier run's") {
  const TestFolder folder;
  Ratings r = biased(6, 5, 8);
  for (int i = 0; i < 6; ++i) r.row_ids.push_back("row, \"" + std::to_string(i) + "\"");
  for (int j = 0; j < 5; ++j) r.col_ids.push_back(std::to_string(10 * j));
  Training t;
  t.rows = {6, 1, r.row_ids, {1, 2, 3, 4, 5, 0}};
  t.cols = {5, 1, r.col_ids, {9, 8, 7, 6, 0}};
  t.low = -1.0 / 3;
  t.high = 5.0;
  t.baseline = {"biases", 1e-300, Vector(6, 0.1), Vector(5, -2.0 / 3)};
  write_training(folder.path(), t);
  const Training back = read_training(folder.path(), 6, 5);
  CHECK(back.rows.names == t.rows.names);
  CHECK(back.cols.names == t.cols.names);
  CHECK(back.rows.entries == t.rows.entries);
  CHECK(back.low == t.low);
  CHECK(back.baseline.center == "biases");
  CHECK(back.baseline.mean == t.baseline.mean);
  CHECK(back.baseline.row == t.baseline.row);
  CHECK(back.baseline.col == t.baseline.col);
  CHECK(complaint([&] { (void)read_training(folder.path(), 7, 5); }, ErrorKind::data)
            .find("holds 6 where the solution has 7") != std::string::npos);

  write_matrix_market(folder / "r.mtx", r);
  for (const std::string center : {"biases", "mean", "none"}) {
    const Composition c =
        compose(build_catalog(),
                spec_of({"objective.use=matrix-completion", "objective.data=" + (folder / "r.mtx").string(),
                         "objective.center=" + center, "set.use=nuclear-ball", "set.radius=2",
                         "algorithm.use=frank-wolfe", "stop.iterations=3"}));
    write_run_folder(folder / "run", c, run_composition(c));
    const Training kept = read_training(folder / "run/solution", 6, 5);
    CHECK(kept.baseline.center == center);
    CHECK(kept.baseline.row == training(*c.objective).baseline.row);
    CHECK(kept.rows.names.empty());
    CHECK(kept.rows.first == 1);
    CHECK(kept.rows.entries == training(*c.objective).rows.entries);
    CHECK_FALSE(kept.rows.seen(5));
    CHECK_FALSE(kept.rows.seen(-1));
  }
}

// SPDX-License-Identifier: BSD-3-Clause
// The laws of the synthetic data under their rarer options: positive responses, rows of more than 256
// columns, streams that do not overlap, rectangular measurements, files, and seeds.
#include <claros/dataset.hpp>
#include <claros/io/design_io.hpp>
#include <claros/io/matrix_market.hpp>
#include <claros/map/measurements.hpp>

#include <numeric>
#include <set>

#include "../core/numbers.hpp"
#include "compose_for_test.hpp"

namespace claros::test::synthetic_laws {

namespace {

using Numbers = std::vector<double>;
using Made = std::shared_ptr<const Dataset>;

Made made(const std::string& name, const Words& options, int seed = 0) {
  Words words{"data.use=" + name, "run.seed=" + std::to_string(seed)};
  for (const std::string& option : options) words.push_back("data." + option);
  return make_data(build_catalog(), spec_of(words));
}

Numbers row_of(const Design& design, Index i) {
  Numbers row(static_cast<std::size_t>(design.cols));
  design.row(i, row);
  return row;
}
/// All numbers, row after row.
Numbers numbers_of(const Design& design) {
  Numbers all;
  for (Index i = 0; i < design.rows; ++i) {
    const Numbers row = row_of(design, i);
    all.insert(all.end(), row.begin(), row.end());
  }
  return all;
}

/// That v are independent N(0, variance): mean, square, fourth power and the products with neighbours, each
/// within five standard errors.
void check_white(const Numbers& v, double variance) {
  const double n = static_cast<double>(v.size());
  double mean = 0.0, square = 0.0, fourth = 0.0;
  for (const double value : v)
    mean += value / n, square += value * value / variance / n, fourth += std::pow(value, 4) / n;
  CHECK(std::abs(mean) < 5.0 * std::sqrt(variance / n));
  CHECK(std::abs(square - 1.0) < 5.0 * std::sqrt(2.0 / n));
  CHECK(std::abs(fourth / (variance * variance) - 3.0) < 5.0 * std::sqrt(96.0 / n));
  for (const std::size_t lag : {1U, 2U, 3U, 4U}) {
    double product = 0.0;
    for (std::size_t k = lag; k < v.size(); ++k) product += v[k] * v[k - lag] / variance;
    CHECK(std::abs(product / n) < 5.0 / std::sqrt(n));
  }
}
/// That a and b are not correlated, at any of a few lags.
void check_apart(const Numbers& a, const Numbers& b) {
  REQUIRE(a.size() == b.size());
  const double norm = std::sqrt(dot(a, a) * dot(b, b)), n = static_cast<double>(a.size());
  for (const int lag : {-2, -1, 0, 1, 2}) {
    double product = 0.0;
    for (std::size_t k = 2; k + 2 < a.size(); ++k)
      product += a[k] * b[static_cast<std::size_t>(static_cast<int>(k) + lag)];
    CHECK(std::abs(product / norm) < 5.0 / std::sqrt(n));
  }
}

double largest_magnitude(const Numbers& v) {
  double largest = 0.0;
  for (const double value : v) largest = std::max(largest, std::abs(value));
  return largest;
}

}  // namespace

TEST_CASE("synthetic-regression: the noise is white, and apart from what the columns share") {
  const Words options{"rows=20000", "cols=3", "nonzero=1", "correlation=1", "variance=4"};
  const Made noisy = made("synthetic-regression", options + Words{"noise=2"}),
             exact = made("synthetic-regression", options + Words{"noise=0"});
  Numbers noise, shared;
  for (Index i = 0; i < 20000; ++i) {
    const auto k = static_cast<std::size_t>(i);
    noise.push_back(noisy->design()->response[k] - exact->design()->response[k]);
    const Numbers row = row_of(*exact->design(), i);
    CHECK(largest_magnitude({row[1] - row[0], row[2] - row[0]}) == 0.0);
    shared.push_back(row[0]);
  }
  check_white(noise, 4.0);
  check_white(shared, 4.0);
  check_apart(noise, shared);
}

TEST_CASE("synthetic-regression: positive responses are the exponentials of linear ones, noise included") {
  for (const std::string noise : {"noise=0", "noise=0.3"})
    for (const std::string precision : {"precision=double", "precision=float"}) {
      const Words options{"rows=40",      "cols=21",    "nonzero=3", "correlation=0.3", "group_size=2",
                          "variance=0.1", "errors=0.2", noise,       precision};
      const Made linear = made("synthetic-regression", options),
                 positive = made("synthetic-regression", options + Words{"response=positive"});
      CHECK(numbers_of(*linear->design()) == numbers_of(*positive->design()));
      CHECK(same_bits(*linear->truth(), *positive->truth()));
      for (std::size_t i = 0; i < 40; ++i)
        CHECK(positive->design()->response[i] ==
              doctest::Approx(std::exp(linear->design()->response[i])).epsilon(1e-14));
    }
}

TEST_CASE("synthetic-regression: responses of any kind are those of rows without errors, of wide rows too") {
  const Words options{"rows=60", "cols=700", "nonzero=90", "group_size=7", "variance=0.5", "correlation=0.2"};
  for (const std::string response : {"linear", "logistic", "positive"}) {
    const Words words = options + Words{"response=" + response, "noise=0"};
    const Made clean = made("synthetic-regression", words),
               seen = made("synthetic-regression", words + Words{"errors=0.25"}),
               single = made("synthetic-regression", words + Words{"errors=0.25", "precision=float"});
    CHECK(clean->design()->response == seen->design()->response);
    CHECK(clean->design()->response == single->design()->response);
    const Numbers theta = clean->truth()->to_dense();
    CHECK(std::ranges::count(theta, 0.0) == 700 - 630);
    const Numbers x = numbers_of(*clean->design()), z = numbers_of(*seen->design());
    Numbers errors;
    std::set<double> different;
    for (std::size_t k = 0; k < x.size(); ++k)
      errors.push_back(z[k] - x[k]), different.insert(std::round(errors.back() * 1e9));
    check_white(errors, 0.25);
    check_apart(errors, x);
    CHECK(different.size() > errors.size() - 3);  // no two of 42000 come from one number of a stream
    for (std::size_t i = 0; i < 60 && response == "linear"; ++i)
      CHECK(clean->design()->response[i] ==
            doctest::Approx(dot(std::span(x).subspan(700 * i, 700), theta)).epsilon(1e-12));
  }
}

TEST_CASE(
    "synthetic-matrix-regression: white noise and errors of wide rows, of a T with more columns than "
    "rows, and a default count") {
  const Words options{"rows=13", "cols=25", "rank=3", "radius=4", "count=200", "spectrum=halving"};
  const Made exact = made("synthetic-matrix-regression", options + Words{"noise=0", "largest=9"}),
             seen =
                 made("synthetic-matrix-regression", options + Words{"noise=0", "largest=9", "errors=0.16"});
  const Numbers truth = exact->truth()->to_dense();
  const std::vector<double> s = dense_svd(13, 25, truth).s;
  for (std::size_t k = 0; k < 4; ++k)
    CHECK(s[k] == doctest::Approx(k < 3 ? 4.0 * std::pow(2.0, 2.0 - static_cast<double>(k)) / 7.0 : 0.0)
                      .epsilon(1e-11)
                      .scale(1.0));
  const Numbers x = numbers_of(*exact->design()), z = numbers_of(*seen->design());
  Numbers errors;
  for (std::size_t k = 0; k < x.size(); ++k) errors.push_back(z[k] - x[k]);
  check_white(errors, 0.16);
  check_apart(errors, x);
  for (std::size_t i = 0; i < 200; ++i)
    CHECK(exact->design()->response[i] ==
          doctest::Approx(dot(std::span(x).subspan(325 * i, 325), truth)).epsilon(1e-11));
  CHECK(exact->design()->response == seen->design()->response);
  const Words small{"rows=2", "cols=3", "rank=1", "radius=1", "count=20000"};
  const Made plain = made("synthetic-matrix-regression", small + Words{"noise=0"}),
             noisy = made("synthetic-matrix-regression", small + Words{"noise=3"});
  Numbers noise;
  for (std::size_t i = 0; i < 20000; ++i)
    noise.push_back(noisy->design()->response[i] - plain->design()->response[i]);
  check_white(noise, 9.0);
  CHECK(made("synthetic-matrix-regression", {"rows=3", "cols=7", "rank=2", "radius=1"})->design()->rows ==
        140);
}

TEST_CASE("synthetic-sensing: responses are <A_i, X*> for every form and truth, of rectangles too") {
  struct Form {
    std::string measurements, truth;
    Index rows, cols;
  };
  for (const Form& form : std::vector<Form>{{"gaussian", "general", 4, 7},
                                            {"gaussian", "psd", 5, 5},
                                            {"gaussian", "symmetric", 5, 5},
                                            {"rank-one", "general", 4, 7},
                                            {"rank-one", "general", 7, 4},
                                            {"rank-one", "psd", 5, 5},
                                            {"symmetric", "psd", 5, 5},
                                            {"symmetric", "symmetric", 5, 5},
                                            {"symmetric", "general", 5, 5}}) {
    CAPTURE(form.measurements);
    CAPTURE(form.truth);
    const Words options{"rows=" + std::to_string(form.rows),
                        "cols=" + std::to_string(form.cols),
                        "rank=3",
                        "radius=2",
                        "count=40",
                        "measurements=" + form.measurements,
                        "truth=" + form.truth};
    const Made data = made("synthetic-sensing", options, 3);
    const auto m = data->measurements();
    const Numbers x = data->truth()->to_dense();
    for (std::size_t k = 0; const double s : dense_svd(form.rows, form.cols, x).s)
      CHECK(s == doctest::Approx(k++ < 3 ? 2.0 / 3.0 : 0.0).epsilon(1e-12).scale(1.0));
    CHECK(m->rows == form.rows);
    CHECK(m->cols == form.cols);
    CHECK((m->right != nullptr) == (form.measurements == "rank-one"));
    CHECK(m->kind == (form.measurements == "gaussian"   ? Measurements::Kind::dense
                      : form.measurements == "rank-one" ? Measurements::Kind::rank_one
                                                        : Measurements::Kind::symmetric));
    for (Index i = 0; i < 40; ++i) {
      const Numbers a = row_of(*m->left, i), b = m->right ? row_of(*m->right, i) : a;
      double y = 0.0;
      for (Index c = 0; c < form.cols; ++c)
        for (Index r = 0; r < form.rows; ++r) {
          const auto at = static_cast<std::size_t>(c * form.rows + r);
          y += x[at] * (form.measurements == "gaussian"
                            ? a[at]
                            : a[static_cast<std::size_t>(r)] * b[static_cast<std::size_t>(c)]);
        }
      CHECK(m->left->response[static_cast<std::size_t>(i)] == doctest::Approx(y).epsilon(1e-12).scale(1.0));
    }
    const TestFolder folder;
    data->write(folder.path());
    CHECK(read_matrix_market_array(folder / "truth.mtx").values == x);
    const Design left = read_design(folder / "measurements.bin", DesignOptions{});
    CHECK(left.response == m->left->response);
    CHECK(numbers_of(left) == numbers_of(*m->left));
    CHECK(std::filesystem::exists(folder / "right.mtx") == (m->right != nullptr));
    if (!m->right) continue;
    const DenseTable right = read_matrix_market_array(folder / "right.mtx");
    REQUIRE(right.rows == 40);
    REQUIRE(right.cols == form.cols);
    for (Index i = 0; i < 40; ++i)
      for (Index c = 0; c < form.cols; ++c)
        CHECK(right.values[static_cast<std::size_t>(c * 40 + i)] ==
              row_of(*m->right, i)[static_cast<std::size_t>(c)]);
  }
}

TEST_CASE("synthetic-sensing: both vectors, and the noise, are white and apart; seeds, and X* alone") {
  const Words options{"rows=3", "cols=5", "truth=general", "measurements=rank-one", "count=6000"};
  const Made plain = made("synthetic-sensing", options),
             noisy = made("synthetic-sensing", options + Words{"noise=0.5"});
  Numbers a = numbers_of(*plain->measurements()->left), b = numbers_of(*plain->measurements()->right), noise;
  check_white(a, 1.0);
  check_white(b, 1.0);
  b.resize(a.size());
  check_apart(a, b);
  for (std::size_t i = 0; i < 6000; ++i)
    noise.push_back(noisy->measurements()->left->response[i] - plain->measurements()->left->response[i]);
  check_white(noise, 0.25);
  a.resize(noise.size());
  check_apart(a, noise);
  std::set<double> all(a.begin(), a.end());
  CHECK(all.size() == a.size());
  const Words few{"rows=4", "rank=2", "count=5"};
  const auto numbers = [](const Made& data) { return numbers_of(*data->measurements()->left); };
  CHECK(numbers(made("synthetic-sensing", few, 1)) != numbers(made("synthetic-sensing", few, 2)));
  CHECK(numbers(made("synthetic-sensing", few, 2)) ==
        numbers(made("synthetic-sensing", few + Words{"seed=2"}, 1)));
  const Made alone = made("synthetic-sensing", {"rows=4", "rank=2", "count=0"}, 2);
  CHECK(alone->measurements() == nullptr);
  CHECK(same_bits(*alone->truth(), *made("synthetic-sensing", few, 2)->truth()));
  CHECK(complaint(
            [] {
              (void)made("synthetic-sensing", {"rows=4", "count=0", "noise=1"});
            },
            ErrorKind::usage)
            .find("noise") != std::string::npos);
}

TEST_CASE("synthetic: which singular values decay, and the noise is uniform with mean 0") {
  const Made data = made("synthetic", {"rows=60", "cols=80", "rank=2", "observed=1", "corrupted=1", "noise=3",
                                       "largest=5", "decay=0.1"});
  const std::vector<double> s = dense_svd(60, 80, data->truth()->to_dense()).s;
  CHECK(s[0] == doctest::Approx(5.0));
  CHECK(s[1] == doctest::Approx(0.5));
  const Numbers truth = data->truth()->to_dense();
  const Ratings& seen = *data->ratings();
  REQUIRE(seen.value.size() == 4800);
  double mean = 0.0, square = 0.0, inner_half = 0.0;
  for (std::size_t e = 0; e < 4800; ++e) {
    const double noise =
        seen.value[e] -
        truth[static_cast<std::size_t>(seen.col[e]) * 60 + static_cast<std::size_t>(seen.row[e])];
    CHECK(std::abs(noise) <= 3.0);
    mean += noise / 4800, square += noise * noise / 4800, inner_half += (std::abs(noise) < 1.5) / 4800.0;
  }
  CHECK(std::abs(mean) < 5.0 * std::sqrt(3.0 / 4800));
  CHECK(std::abs(square - 3.0) < 5.0 * std::sqrt((81.0 / 5 - 9.0) / 4800));  // Var u^2 = rho^4 (1/5 - 1/9)
  CHECK(std::abs(inner_half - 0.5) < 5.0 * 0.5 / std::sqrt(4800.0));
}

TEST_CASE("synthetic-sparse-low-rank: entries of Y, their share by default and given, noise, and seeds") {
  struct Case {
    Words options;
    double share;
    int largest;
  };
  for (const Case& c : std::vector<Case>{{{"rows=400", "largest=4"}, 0.05, 4},
                                         {{"rows=400", "largest=4", "nonzero=0.6"}, 0.6, 4},
                                         {{"rows=400", "largest=1", "nonzero=1"}, 1.0, 1}}) {
    const Made data = made("synthetic-sparse-low-rank", c.options + Words{"rank=1", "noise=0"}, 5);
    const Numbers truth = data->truth()->to_dense();
    CHECK(numbers_of(*data->design()) == truth);  // symmetric, and without noise M_0 itself
    Numbers counts(static_cast<std::size_t>(c.largest + 1), 0.0);
    for (std::size_t j = 0; j < 400; ++j) {
      const double y = std::sqrt(truth[j * 401]);
      REQUIRE(y == std::round(y));
      REQUIRE(y <= c.largest);
      ++counts[static_cast<std::size_t>(y)];
    }
    CHECK(std::abs(counts[0] - 400.0 * (1.0 - c.share)) <= 5.0 * std::sqrt(400.0 * c.share * (1 - c.share)));
    for (int size = 1; size <= c.largest; ++size) {
      const double p = c.share / c.largest;
      CHECK(std::abs(counts[static_cast<std::size_t>(size)] - 400.0 * p) <=
            5.0 * std::sqrt(400.0 * p * (1 - p)));
    }
  }
  const Words square{"rows=90", "rank=4", "nonzero=0.3"};
  const Made noisy = made("synthetic-sparse-low-rank", square + Words{"noise=2"}, 5);
  const Numbers truth = noisy->truth()->to_dense(), seen = numbers_of(*noisy->design());
  Numbers noise, turned(seen.size());
  for (std::size_t k = 0; k < seen.size(); ++k) noise.push_back(seen[k] - truth[k]);
  for (std::size_t i = 0; i < 90; ++i)
    for (std::size_t j = 0; j < 90; ++j) turned[j * 90 + i] = i == j ? 0.0 : noise[i * 90 + j];
  check_white(noise, 4.0);
  check_apart(noise, turned);  // the noise is not symmetric
  CHECK(dense_svd(90, 90, truth).s[3] > 1.0);
  CHECK(dense_svd(90, 90, truth).s[4] < 1e-9);
  const auto made_with = [&](const Words& more, int seed) {
    return numbers_of(*made("synthetic-sparse-low-rank", square + more, seed)->design());
  };
  CHECK(made_with({}, 5) != made_with({}, 6));
  CHECK(made_with({"seed=5"}, 6) == made_with({}, 5));
}

}  // namespace claros::test::synthetic_laws

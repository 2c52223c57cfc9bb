// SPDX-License-Identifier: BSD-3-Clause
// The data are what the class comment of data/synthetic says, each claim checked on its own.
#include <claros/io/matrix_market.hpp>

#include <map>
#include <set>

#include "compose_for_test.hpp"

using namespace claros;
using namespace claros::test;

namespace {

using Made = std::shared_ptr<const Dataset>;

Made made_ratings(const Words& more, const std::string& seed = "0") {
  return make_data(build_catalog(), spec_of(Words{"data.use=synthetic", "run.seed=" + seed} + more));
}

Words ratings_sized(Index rows, Index cols, Index rank, const Words& more = {}) {
  return Words{"data.rows=" + std::to_string(rows), "data.cols=" + std::to_string(cols),
               "data.rank=" + std::to_string(rank)} +
         more;
}

bool same_ratings(const Dataset& a, const Dataset& b) {
  const auto x = a.ratings(), y = b.ratings();
  return same_bits(*a.truth(), *b.truth()) && x->row == y->row && x->col == y->col && x->value == y->value;
}

/// Entries whose observed value is not the true one to rounding.
std::vector<double> noise_of(const Dataset& data) {
  const std::vector<double> truth = data.truth()->to_dense();
  const auto& seen = *data.ratings();
  std::vector<double> noise;
  for (std::size_t e = 0; e < seen.value.size(); ++e) {
    const double error =
        seen.value[e] - truth[static_cast<std::size_t>(seen.col[e] * seen.rows + seen.row[e])];
    if (std::abs(error) > 1e-12) noise.push_back(error);
  }
  return noise;
}

/// The largest |z| over a few entries of M, each the mean over the seeds in standard errors.
double largest_z(const Words& words, const std::vector<std::size_t>& entries, int seeds) {
  std::vector<double> sum(entries.size(), 0.0), squares(entries.size(), 0.0);
  for (int seed = 0; seed < seeds; ++seed) {
    const std::vector<double> truth = made_ratings(words, std::to_string(seed))->truth()->to_dense();
    for (std::size_t k = 0; k < entries.size(); ++k) {
      sum[k] += truth[entries[k]];
      squares[k] += truth[entries[k]] * truth[entries[k]];
    }
  }
  double largest = 0.0;
  for (std::size_t k = 0; k < entries.size(); ++k)
    largest = std::max(largest, std::abs(sum[k]) / std::sqrt(squares[k]));
  return largest;
}

}  // namespace

TEST_CASE("synthetic: the truth has the rank and the singular values that were asked for") {
  for (const auto& [rows, cols, rank] :
       {std::tuple<Index, Index, Index>{40, 25, 4}, {25, 40, 1}, {12, 12, 12}}) {
    const Made data = made_ratings(ratings_sized(rows, cols, rank, {"data.largest=20", "data.decay=0.6"}));
    const std::vector<double> s = dense_svd(rows, cols, data->truth()->to_dense()).s;
    for (std::size_t k = 0; k < s.size(); ++k) {
      const double wanted = static_cast<Index>(k) < rank ? 20.0 * std::pow(0.6, static_cast<double>(k)) : 0.0;
      CHECK(std::abs(s[k] - wanted) < 1e-12 * 20.0);
    }
  }
  const Made published = made_ratings({});
  CHECK(published->truth()->shape() == Shape::matrix(200, 200));
  const std::vector<double> s = dense_svd(200, 200, published->truth()->to_dense()).s;
  for (std::size_t k = 0; k < 6; ++k)
    CHECK(s[k] == doctest::Approx(k < 5 ? 50.0 / std::pow(2.0, k) : 0.0).epsilon(1e-12));
}

TEST_CASE("synthetic: the factors are orthonormal and nothing but the factors") {
  const Index m = 30, n = 20, r = 5;
  const Made data = made_ratings(ratings_sized(m, n, r, {"data.largest=1", "data.decay=1"}));
  const std::vector<double> M = data->truth()->to_dense();
  // With all singular values 1, M M' is the projector on the columns of U and M' M that of V.
  double trace = 0.0, error = 0.0;
  std::vector<double> P(static_cast<std::size_t>(m * m), 0.0);
  for (Index i = 0; i < m; ++i)
    for (Index j = 0; j < m; ++j)
      for (Index k = 0; k < n; ++k)
        P[static_cast<std::size_t>(j * m + i)] +=
            M[static_cast<std::size_t>(k * m + i)] * M[static_cast<std::size_t>(k * m + j)];
  for (Index i = 0; i < m; ++i) trace += P[static_cast<std::size_t>(i * m + i)];
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < m; ++i) {
      double projected = 0.0;
      for (Index k = 0; k < m; ++k)
        projected += P[static_cast<std::size_t>(k * m + i)] * M[static_cast<std::size_t>(j * m + k)];
      error = std::max(error, std::abs(projected - M[static_cast<std::size_t>(j * m + i)]));
    }
  CHECK(trace == doctest::Approx(r).epsilon(1e-12));
  CHECK(error < 1e-13);
}

TEST_CASE("synthetic: the shares that are observed and corrupted are exact, the noise is in its range") {
  const Index m = 30, n = 20, size = 600;
  const Made whole =
      made_ratings(ratings_sized(m, n, 3, {"data.observed=1", "data.corrupted=0.05", "data.noise=2"}));
  CHECK(whole->ratings()->value.size() == 600);
  const std::vector<double> noise = noise_of(*whole);
  CHECK(noise.size() == 30);
  for (const double value : noise) CHECK(std::abs(value) <= 2.0);
  CHECK(*std::max_element(noise.begin(), noise.end()) > 1.0);
  CHECK(*std::min_element(noise.begin(), noise.end()) < -1.0);

  const Made part = made_ratings(ratings_sized(m, n, 3, {"data.observed=0.35", "data.corrupted=0"}));
  const Ratings& seen = *part->ratings();
  CHECK(seen.rows == m);
  CHECK(seen.cols == n);
  CHECK(static_cast<Index>(seen.value.size()) == std::llround(0.35 * size));
  std::vector<std::pair<std::int32_t, std::int32_t>> positions;
  for (std::size_t e = 0; e < seen.value.size(); ++e) positions.emplace_back(seen.row[e], seen.col[e]);
  CHECK(std::is_sorted(positions.begin(), positions.end()));
  CHECK(std::set(positions.begin(), positions.end()).size() == positions.size());
  CHECK(noise_of(*part).empty());

  CHECK(noise_of(*made_ratings(ratings_sized(m, n, 3, {"data.observed=1", "data.corrupted=1"}))).size() ==
        600);
  CHECK(
      noise_of(*made_ratings(ratings_sized(m, n, 3, {"data.observed=1", "data.corrupted=1", "data.noise=0"})))
          .empty());
  CHECK(made_ratings(ratings_sized(m, n, 3, {"data.observed=1e-9"}))->ratings()->value.size() == 1);
}

TEST_CASE("synthetic: which entries are observed and which are corrupted is uniform and independent") {
  // 2000 entries a seed; the counts of a hypergeometric law within five standard deviations.
  int observed_and_corrupted = 0;
  std::map<std::int32_t, int> by_row;
  const int seeds = 60;
  for (int seed = 0; seed < seeds; ++seed) {
    const Made data = made_ratings(ratings_sized(10, 20, 1, {"data.observed=0.5", "data.corrupted=0.2"}),
                                   std::to_string(seed));
    observed_and_corrupted += static_cast<int>(noise_of(*data).size());
    for (const std::int32_t row : data->ratings()->row) ++by_row[row];
  }
  CHECK(std::abs(observed_and_corrupted - seeds * 20) < 5 * std::sqrt(seeds * 20 * 0.4));
  for (const auto& [row, count] : by_row)
    CHECK(std::abs(count - seeds * 10) < 5 * std::sqrt(seeds * 10 * 0.5));
}

TEST_CASE("synthetic: the factors favour no direction: over seeds every entry of M has mean zero") {
  // A decomposition's own choice of signs puts the first rows of U and V tens of standard errors off.
  for (const Index rank : {1, 2, 3, 12})
    for (const Words& size : {ratings_sized(30, 20, rank), ratings_sized(12, 40, rank)}) {
      INFO(rank);
      CHECK(largest_z(size + Words{"data.decay=0.3"}, {0, 1, 2, 13, 200}, 1500) < 5.0);
    }
}

TEST_CASE("synthetic: the seed makes the data, and data.seed fixes them") {
  const Words small = ratings_sized(20, 15, 2);
  CHECK(same_ratings(*made_ratings(small, "4"), *made_ratings(small, "4")));
  CHECK_FALSE(same_ratings(*made_ratings(small, "4"), *made_ratings(small, "5")));
  CHECK(same_ratings(*made_ratings(small + Words{"data.seed=4"}, "5"), *made_ratings(small, "4")));
  CHECK(same_ratings(*made_ratings(small + Words{"run.threads=1"}),
                     *made_ratings(small + Words{"run.threads=3"})));
  CHECK(made_ratings(small, "4")->truth()->to_dense() != made_ratings(small, "5")->truth()->to_dense());
  const Words run = Words{"data.use=synthetic", "data.seed=4"} + small +
                    Words{"objective.use=matrix-completion", "set.use=nuclear-ball", "set.radius=9",
                          "algorithm.use=frank-wolfe",       "stop.iterations=1",    "run.seed=77"};
  const Composition c = compose(build_catalog(), spec_of(run));
  CHECK(same_ratings(*c.context.data, *made_ratings(small, "4")));
  CHECK(same_bits(*c.truth, *made_ratings(small, "4")->truth()));
  CHECK(c.trial(3).context.data == c.context.data);
}

TEST_CASE("synthetic: its files read back to the same_ratings bits and the same_ratings size") {
  const TestFolder folder;
  for (const std::string observed : {"0.4", "0.01"}) {
    const Made data = made_ratings(ratings_sized(20, 15, 2, {"data.observed=" + observed}));
    data->write(folder.path());
    const Ratings read = read_ratings(folder / "observed.mtx"), &own = *data->ratings();
    CHECK(read.rows == 20);
    CHECK(read.cols == 15);
    CHECK(read.row == own.row);
    CHECK(read.col == own.col);
    CHECK(read.value == own.value);
    CHECK(read.row_ids.empty());
    CHECK(read_matrix_market_array(folder / "truth.mtx").values == data->truth()->to_dense());
  }
}

TEST_CASE("synthetic: what cannot be made_ratings is refused") {
  const auto refused = [](const Words& words) {
    return complaint([&] { made_ratings(words); }, ErrorKind::usage);
  };
  check_mentions(refused(ratings_sized(20, 15, 16)), {"data.rank", "16", "20 x 15", "lower"});
  check_mentions(refused(ratings_sized(1 << 20, 1 << 20, 1)), {"data.rows", "1048576", "lower"});
  check_mentions(refused({"data.rows=0"}), {"data.rows", "0"});
  check_mentions(refused({"data.observed=0"}), {"data.observed"});
  check_mentions(refused({"data.observed=1.5"}), {"data.observed"});
  check_mentions(refused({"data.corrupted=-0.1"}), {"data.corrupted"});
  check_mentions(refused({"data.noise=nan"}), {"data.noise"});
  check_mentions(refused({"data.decay=2"}), {"data.decay"});
  check_mentions(refused({"data.seed=-2"}), {"data.seed"});
}

// SPDX-License-Identifier: BSD-3-Clause
// Lists of columns and how well they rank what is held out: against the definitions, over all pairs, with
// ties.
#include "small_host.hpp"

#include <claros/results/recommendation.hpp>

#include <algorithm>
#include <cmath>
#include <set>

using namespace claros;
using namespace claros::test;

namespace {

constexpr Index kRankedRows = 9, kRankedCols = 11;

std::size_t sized(Index k) { return static_cast<std::size_t>(k); }

/// Whole numbers, so that many scores are equal; a column without an entry, entries seen and held out.
struct Ranked {
  std::vector<double> x;
  Training training;
  std::vector<std::set<Index>> seen;  ///< of each row
  Pairs held;
  SeenColumns columns;

  explicit Ranked(std::uint64_t seed) : seen(sized(kRankedRows)) {
    for (const double z : normals(seed, sized(kRankedRows * kRankedCols))) x.push_back(std::round(1.5 * z));
    training.rows = {kRankedRows, 1, {}, std::vector<Index>(sized(kRankedRows), 3)};
    training.cols = {kRankedCols, 1, {}, std::vector<Index>(sized(kRankedCols), 2)};
    training.cols.entries[2] = 0;
    training.baseline.center = "biases", training.baseline.mean = 1.0;
    training.baseline.row.assign(sized(kRankedRows), 0.5);
    for (Index j = 0; j < kRankedCols; ++j) training.baseline.col.push_back(j % 2 == 0 ? 1.0 : 0.0);
    const std::vector<double> u = normals(seed + 100, x.size());
    Pairs train;
    for (Index i = 0; i < kRankedRows; ++i)
      for (Index j = kRankedCols; j-- > 0;) {
        const double draw = u[sized(i * kRankedCols + j)];
        if (draw > 0.8 || i == 4) train.row.push_back(i), train.col.push_back(j), seen[sized(i)].insert(j);
        if (std::abs(draw) < 0.5 || i == 6) add(i, j, std::round(3.0 * draw));
        if (i == 5) add(i, j, 0.0);  // twice, where it was there
      }
    add(-1, 3, 9.0), add(2, -1, 9.0);
    train.row.push_back(-1), train.col.push_back(0);
    columns = seen_columns(train, training);
  }
  void add(Index i, Index j, double y) {
    held.row.push_back(i), held.col.push_back(j), held.known.push_back(y);
  }
  double score(Index i, Index j) const {
    return x[sized(j * kRankedRows + i)] + 1.5 + training.baseline.col[sized(j)];
  }
  /// Columns that may be in the list of a row: the largest score first, of equal ones the first column.
  std::vector<Index> ranked(Index i, bool all) const {
    std::vector<Index> order;
    for (Index j = 0; j < kRankedCols; ++j)
      if (j != 2 && (all || !seen[sized(i)].contains(j))) order.push_back(j);
    for (std::size_t a = 0; a < order.size(); ++a)
      for (std::size_t b = a + 1; b < order.size(); ++b)
        if (score(i, order[b]) > score(i, order[a]) ||
            (score(i, order[b]) == score(i, order[a]) && order[b] < order[a]))
          std::swap(order[a], order[b]);
    return order;
  }
  Solution solution(bool dense) const {
    Element point = Element::dense(Shape::matrix(kRankedRows, kRankedCols), x);
    if (dense) return Solution::of(point, training);
    // The same matrix as a product, one pair for each column.
    auto store = std::make_shared<FactorStore>(kRankedRows, kRankedCols);
    for (Index j = 0; j < kRankedCols; ++j) {
      std::vector<double> unit(sized(kRankedCols), 0.0);
      unit[sized(j)] = 1.0;
      store->append(std::vector<double>(x.begin() + j * kRankedRows, x.begin() + (j + 1) * kRankedRows),
                    unit);
    }
    return Solution::of(Element::low_rank(std::move(store), std::vector<double>(sized(kRankedCols), 1.0)),
                        training);
  }
};

}  // namespace

TEST_CASE("ranking: lists have the columns of the largest scores, of equal ones the first") {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const Ranked problem(seed);
    const Solution solution = problem.solution(true);
    std::vector<Index> rows;
    for (Index i = kRankedRows; i-- > 0;) rows.push_back(i);
    for (const Index count : {Index{1}, Index{4}, Index{50}})
      for (const bool all : {true, false}) {
        const auto lists = recommend(solution, rows, count, all ? SeenColumns() : problem.columns);
        REQUIRE(lists.size() == rows.size());
        for (std::size_t k = 0; k < rows.size(); ++k) {
          std::vector<Index> expected = problem.ranked(rows[k], all);
          expected.resize(std::min(expected.size(), sized(count)));
          REQUIRE(lists[k].size() == expected.size());
          for (std::size_t e = 0; e < expected.size(); ++e) {
            CHECK(lists[k][e].col == expected[e]);
            CHECK(lists[k][e].score == problem.score(rows[k], expected[e]));
          }
        }
      }
  }
}

TEST_CASE("ranking: a count of 0 is neither relevant nor seen") {
  Training training;
  training.rows = {2, 1, {}, {1, 1}}, training.cols = {3, 1, {}, {1, 1, 1}};
  const Pairs held{{"1", "2"}, {"1", "2"}, {0, 1}, {0, 1}, {4.0, 0.0}, {}},
      train{{"1", "1"}, {"2", "3"}, {0, 0}, {1, 2}, {0.0, 2.0}, {}};
  const Element x = Element::dense(Shape::matrix(2, 3), std::vector<double>{1, 1, 2, 2, 3, 3});
  for (const bool counts : {true, false}) {
    if (counts) training.folding.confidence = 1.0;
    if (!counts) training.folding.confidence.reset();
    const double least = -std::numeric_limits<double>::infinity();
    CHECK(ranking_quality(Solution::of(x, training), held, least, 2).rows == (counts ? 1 : 2));
    CHECK(seen_columns(train, training).front() ==
          (counts ? std::vector<Index>{2} : std::vector<Index>{1, 2}));
  }
}

TEST_CASE("ranking: the scores of factors are those of their matrix, and an unknown row has the biases") {
  const Ranked problem(4);
  const Solution dense = problem.solution(true), factors = problem.solution(false);
  CHECK(factors.rank() == kRankedRows);
  const std::vector<Index> rows{3, -1, 0};
  std::vector<double> of_dense(3 * sized(kRankedCols)), of_factors(of_dense);
  dense.predict_rows(rows, of_dense), factors.predict_rows(rows, of_factors);
  for (std::size_t n = 0, k = 0; n < rows.size(); ++n)
    for (Index j = 0; j < kRankedCols; ++j, ++k) {
      const double expected =
          rows[n] < 0 ? 1.0 + problem.training.baseline.col[sized(j)] : problem.score(rows[n], j);
      CHECK(of_dense[k] == doctest::Approx(expected));
      CHECK(of_factors[k] == doctest::Approx(expected));
      CHECK(dense.predict(rows[n], j) == doctest::Approx(expected));
      CHECK(factors.predict(rows[n], j) == doctest::Approx(expected));
    }
  CHECK(dense.predict(3, -1) == 1.5);
  CHECK(factors.predict(-1, -1) == 1.0);
}

TEST_CASE("ranking: the qualities of lists are those of their definitions, with ties and short lists") {
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U})
    for (const Index count : {Index{1}, Index{3}, Index{8}, Index{40}})
      for (const double least : {-1.0, 0.0, 1.0}) {
        const Ranked problem(seed);
        double precision = 0, recall = 0, map = 0, ndcg = 0, auc = 0, rows = 0;
        std::set<Index> shown;
        for (Index i = 0; i < kRankedRows; ++i) {
          std::set<Index> relevant;
          for (std::size_t k = 0; k < problem.held.row.size(); ++k) {
            const Index j = problem.held.col[k];
            if (problem.held.row[k] == i && j >= 0 && j != 2 && problem.held.known[k] >= least &&
                !problem.seen[sized(i)].contains(j))
              relevant.insert(j);
          }
          if (relevant.empty()) continue;
          const std::vector<Index> order = problem.ranked(i, false);
          double hits = 0, average = 0, gain = 0, ideal = 0, right = 0, pairs = 0;
          for (std::size_t k = 0; k < order.size() && k < sized(count); ++k) {
            shown.insert(order[k]);
            if (!relevant.contains(order[k])) continue;
            hits += 1;
            average += hits / static_cast<double>(k + 1), gain += 1 / std::log2(static_cast<double>(k) + 2);
          }
          const double most = std::min(static_cast<double>(relevant.size()), static_cast<double>(count));
          for (double k = 0; k < most; ++k) ideal += 1 / std::log2(k + 2);
          for (const Index good : relevant)
            for (const Index other : order) {
              if (relevant.contains(other)) continue;
              pairs += 1;
              right += problem.score(i, good) > problem.score(i, other)    ? 1.0
                       : problem.score(i, good) == problem.score(i, other) ? 0.5
                                                                           : 0.0;
            }
          rows += 1, precision += hits / static_cast<double>(count);
          recall += hits / static_cast<double>(relevant.size());
          map += average / most, ndcg += gain / ideal, auc += pairs > 0 ? right / pairs : 0.5;
        }
        REQUIRE(rows > 2);
        for (const bool dense : {true, false}) {
          const RankingQuality q =
              ranking_quality(problem.solution(dense), problem.held, least, count, problem.columns);
          CHECK(static_cast<double>(q.rows) == rows);
          CHECK(q.auc == doctest::Approx(auc / rows).epsilon(dense ? 1e-12 : 0.1));  // factors round ties
          if (!dense) continue;
          CHECK(q.precision == doctest::Approx(precision / rows));
          CHECK(q.recall == doctest::Approx(recall / rows));
          CHECK(q.map == doctest::Approx(map / rows));
          CHECK(q.ndcg == doctest::Approx(ndcg / rows));
          CHECK(q.coverage == doctest::Approx(static_cast<double>(shown.size()) / (kRankedCols - 1)));
        }
      }
  const Ranked problem(1);
  const RankingQuality none = ranking_quality(problem.solution(true), problem.held, 1e9, 3, problem.columns);
  CHECK(none.rows == 0);
  CHECK(std::isnan(none.precision));
  Pairs views = problem.held;  // without values every pair is relevant
  views.known.clear();
  CHECK(ranking_quality(problem.solution(true), views, 1e9, 3, problem.columns).ndcg ==
        ranking_quality(problem.solution(true), problem.held, -1e9, 3, problem.columns).ndcg);
}

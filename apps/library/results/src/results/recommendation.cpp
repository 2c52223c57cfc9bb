// SPDX-License-Identifier: BSD-3-Clause
#include <claros/results/recommendation.hpp>

#include <claros/element/parallel.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace claros {

namespace {

constexpr Index kBlock = 64;  // rows whose predictions are held at a time, a thread

const std::vector<Index>& of_row(const SeenColumns& seen, Index row) {
  static const std::vector<Index> none;
  return row >= 0 && at(row) < seen.size() ? seen[at(row)] : none;
}

/// Columns that may be recommended to a row.
std::vector<Index> candidates(const Solution& solution, const SeenColumns& seen, Index row,
                              const std::vector<bool>& allowed = {}) {
  const Ids& ids = solution.training().cols;
  const std::vector<Index>& has = of_row(seen, row);
  std::vector<Index> all;
  for (Index j = 0; j < solution.cols(); ++j)
    if ((ids.entries.empty() || ids.seen(j)) && (allowed.empty() || allowed[at(j)]) &&
        !std::ranges::binary_search(has, j))
      all.push_back(j);
  return all;
}

std::vector<Recommended> best(std::vector<Index> columns, const double* scores, Index count) {
  const auto before = [&](Index a, Index b) {
    return scores[a] != scores[b] ? scores[a] > scores[b] : a < b;
  };
  const auto end = columns.begin() + std::min<std::ptrdiff_t>(count, std::ssize(columns));
  std::partial_sort(columns.begin(), end, columns.end(), before);
  std::vector<Recommended> list;
  for (auto j = columns.begin(); j != end; ++j) list.push_back({*j, scores[*j]});
  return list;
}

/// use(which row of `rows`, its predictions), on the threads in force.
template <class Use>
void for_rows(const Solution& solution, std::span<const Index> rows, const Use& use) {
  for_chunks(std::ssize(rows), kBlock, [&](Index, Index first, Index last) {
    const auto some = rows.subspan(at(first), at(last - first));
    std::vector<double> scores(some.size() * at(solution.cols()));
    solution.predict_rows(some, scores);
    for (Index k = first; k < last; ++k) use(k, scores.data() + (k - first) * solution.cols());
  });
}

/// The measures of one row.
struct Ranked {
  double precision = 0.0, recall = 0.0, map = 0.0, ndcg = 0.0, auc = 0.0;
};

Ranked judged(const std::vector<Recommended>& list, const std::vector<Index>& relevant, Index count) {
  Ranked of;
  double hits = 0.0, ideal = 0.0;
  for (std::size_t k = 0; k < list.size(); ++k) {
    if (!std::ranges::binary_search(relevant, list[k].col)) continue;
    const auto rank = static_cast<double>(k + 1);
    hits += 1.0;
    of.map += hits / rank;
    of.ndcg += 1.0 / std::log2(1.0 + rank);
  }
  const auto wanted = static_cast<double>(relevant.size()),
             most = std::min(wanted, static_cast<double>(count));
  for (double rank = 1.0; rank <= most; ++rank) ideal += 1.0 / std::log2(1.0 + rank);
  of.precision = hits / static_cast<double>(count);
  of.recall = hits / wanted;
  of.map /= most;
  of.ndcg /= ideal;
  return of;
}

/// Share of pairs of a relevant and another column in which the relevant one has the larger score.
double area(const std::vector<Index>& columns, const std::vector<Index>& relevant, const double* scores) {
  std::vector<double> others;
  for (const Index j : columns)
    if (!std::ranges::binary_search(relevant, j)) others.push_back(scores[j]);
  std::ranges::sort(others);
  if (others.empty()) return 0.5;  // no pair is in a wrong order, and none in the right one
  double below = 0.0;
  for (const Index j : relevant) {
    const auto [low, high] = std::ranges::equal_range(others, scores[j]);
    below += static_cast<double>(low - others.begin()) + 0.5 * static_cast<double>(high - low);
  }
  return below / (static_cast<double>(others.size()) * static_cast<double>(relevant.size()));
}

bool is_count_of_zero(const Training& training, const Pairs& pairs, std::size_t k) {
  return training.folding.confidence && !pairs.known.empty() && pairs.known[k] == 0.0;
}

/// The relevant columns of each row that has some, ascending.
std::map<Index, std::vector<Index>> relevant_columns(const Solution& solution, const Pairs& held,
                                                     double least, const SeenColumns& seen) {
  const Ids& ids = solution.training().cols;
  std::map<Index, std::vector<Index>> relevant;
  for (std::size_t k = 0; k < held.row.size(); ++k) {
    const Index i = held.row[k], j = held.col[k];
    const bool counts = i >= 0 && j >= 0 && (ids.entries.empty() || ids.seen(j)) &&
                        !std::ranges::binary_search(of_row(seen, i), j);
    const bool wanted = held.known.empty() || held.known[k] >= least;
    if (counts && wanted && !is_count_of_zero(solution.training(), held, k)) relevant[i].push_back(j);
  }
  for (auto& [row, columns] : relevant) {
    std::ranges::sort(columns);
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  }
  return relevant;
}

}  // namespace

SeenColumns seen_columns(const Pairs& pairs, const Training& training) {
  SeenColumns seen(at(training.rows.count));
  for (std::size_t k = 0; k < pairs.row.size(); ++k)
    if (pairs.row[k] >= 0 && pairs.col[k] >= 0 && !is_count_of_zero(training, pairs, k))
      seen[at(pairs.row[k])].push_back(pairs.col[k]);
  for (auto& columns : seen) std::ranges::sort(columns);
  return seen;
}

std::vector<std::vector<Recommended>> recommend(const Solution& solution, std::span<const Index> rows,
                                                Index count, const SeenColumns& seen,
                                                const std::vector<bool>& allowed) {
  std::vector<std::vector<Recommended>> lists(rows.size());
  for_rows(solution, rows, [&](Index k, const double* scores) {
    lists[at(k)] = best(candidates(solution, seen, rows[at(k)], allowed), scores, count);
  });
  return lists;
}

/// With X = P Q', the columns of X have the inner products of Q (P'P) Q'.
std::vector<std::vector<Recommended>> similar(Solution& solution, Side side, std::span<const Index> asked,
                                              Index count) {
  const Side across = side == Side::rows ? Side::cols : Side::rows;
  const std::vector<double> own = solution.factors(side), other = solution.factors(across);
  const Ids& ids = side == Side::rows ? solution.training().rows : solution.training().cols;
  const Index number = side == Side::rows ? solution.rows() : solution.cols();
  const std::size_t rank = at(solution.rank());
  std::vector<double> gram(rank * rank), image(own.size()), lengths(at(number));
  for (std::size_t k = 0; k + rank <= other.size() && rank > 0; k += rank)
    for (std::size_t a = 0; a < rank; ++a)
      for (std::size_t b = 0; b < rank; ++b) gram[a * rank + b] += other[k + a] * other[k + b];
  const auto row = [rank](const std::vector<double>& all, Index k) {
    return std::span(all).subspan(at(k) * rank, rank);
  };
  const auto dot = [](std::span<const double> x, std::span<const double> y) {
    return std::inner_product(x.begin(), x.end(), y.begin(), 0.0);
  };
  std::vector<Index> known;
  for (Index k = 0; k < number; ++k) {
    for (std::size_t a = 0; a < rank; ++a)
      image[at(k) * rank + a] = dot(row(own, k), std::span(gram).subspan(a * rank, rank));
    lengths[at(k)] = std::sqrt(std::max(0.0, dot(row(own, k), row(image, k))));
    if (lengths[at(k)] > 0.0 && (ids.entries.empty() || ids.seen(k))) known.push_back(k);
  }
  std::vector<std::vector<Recommended>> lists;
  for (const Index i : asked) {
    std::vector<double> cosines(at(number));
    std::vector<Index> others;
    if (std::ranges::binary_search(known, i)) others = known;
    std::erase(others, i);
    for (const Index k : others) {
      const double cosine = dot(row(image, i), row(own, k)) / (lengths[at(i)] * lengths[at(k)]);
      cosines[at(k)] = std::clamp(cosine, -1.0, 1.0);
    }
    lists.push_back(best(std::move(others), cosines.data(), count));
  }
  return lists;
}

RankingQuality ranking_quality(const Solution& solution, const Pairs& held, double least, Index count,
                               const SeenColumns& seen) {
  const auto relevant = relevant_columns(solution, held, least, seen);
  std::vector<Index> rows;
  std::vector<const std::vector<Index>*> wanted;
  for (const auto& [row, columns] : relevant) rows.push_back(row), wanted.push_back(&columns);
  std::vector<Ranked> of(rows.size());
  std::vector<std::vector<Recommended>> lists(rows.size());
  for_rows(solution, rows, [&](Index k, const double* scores) {
    const std::vector<Index> columns = candidates(solution, seen, rows[at(k)]);
    lists[at(k)] = best(columns, scores, count);
    of[at(k)] = judged(lists[at(k)], *wanted[at(k)], count);
    of[at(k)].auc = area(columns, *wanted[at(k)], scores);
  });
  RankingQuality quality{.rows = std::ssize(rows)};
  if (rows.empty()) return quality;
  const auto mean = [&](double Ranked::*number) {
    double sum = 0.0;
    for (const Ranked& one : of) sum += one.*number;
    return sum / static_cast<double>(of.size());
  };
  quality.precision = mean(&Ranked::precision);
  quality.recall = mean(&Ranked::recall);
  quality.map = mean(&Ranked::map);
  quality.ndcg = mean(&Ranked::ndcg);
  quality.auc = mean(&Ranked::auc);
  std::vector<bool> shown(at(solution.cols()));
  for (const auto& list : lists)
    for (const Recommended& one : list) shown[at(one.col)] = true;
  const auto known = static_cast<double>(candidates(solution, {}, -1).size());
  quality.coverage = static_cast<double>(std::ranges::count(shown, true)) / known;
  return quality;
}

}  // namespace claros

// SPDX-License-Identifier: BSD-3-Clause
// Weights of observed entries, and implicit feedback: against sums over all positions, written anew.
#include "compose_for_test.hpp"

#include <claros/abilities.hpp>
#include <claros/io/memory_data.hpp>
#include <claros/io/ratings.hpp>
#include <claros/io/training.hpp>

#include <cmath>
#include <numeric>

namespace claros::test::entry_weights {

namespace {

constexpr double kUnobserved = 0.3;

/// Entries of rank two and noise with weights from 0.5 to 4.
Ratings weighted(std::uint64_t seed, Index rows, Index cols, Index count) {
  Engine engine(seed);
  Ratings r = random_ratings(engine, rows, cols, 2, count);
  std::uniform_real_distribution<double> uniform(0.5, 4.0);
  for (std::size_t e = 0; e < r.value.size(); ++e) r.weight.push_back(uniform(engine));
  return r;
}

/// The same function: every position an entry, what was not observed as 0 with weight w0.
Ratings all_positions(const Ratings& some, double w0) {
  Ratings all{some.rows, some.cols, {}, {}, {}, {}, {}};
  std::size_t e = 0;
  for (Index i = 0; i < some.rows; ++i)
    for (Index j = 0; j < some.cols; ++j) {
      const bool seen = e < some.value.size() && some.row[e] == i && some.col[e] == j;
      all.row.push_back(static_cast<std::int32_t>(i)), all.col.push_back(static_cast<std::int32_t>(j));
      all.value.push_back(seen ? some.value[e] : 0.0), all.weight.push_back(seen ? some.weight[e] : w0);
      e += seen;
    }
  return all;
}

double sum_of(const std::vector<double>& all) { return std::accumulate(all.begin(), all.end(), 0.0); }

Words of(const TestFolder& folder, const Ratings& ratings, const std::string& name, const Words& more = {}) {
  write_ratings(folder / name, ratings);
  return Words{"objective.use=matrix-completion",
               "objective.data=" + (folder / name).string(),
               "objective.ids=one-based",
               "objective.weights=column",
               "objective.rows=" + std::to_string(ratings.rows),
               "objective.cols=" + std::to_string(ratings.cols)} +
         more;
}
Words implicit(const TestFolder& folder, const Ratings& ratings) {
  return of(folder, ratings, "seen.tsv", {"objective.unobserved=" + print_real(kUnobserved)});
}

std::shared_ptr<Objective> objective(const Words& words) {
  return compose(build_catalog(), spec_of(words + Words{"stop.iterations=1"})).objective;
}

Element some_point(const Ratings& r, std::uint64_t seed) {
  Engine engine(seed);
  std::normal_distribution<double> normal;
  std::vector<double> x(static_cast<std::size_t>(r.rows * r.cols));
  for (double& value : x) value = normal(engine);
  return Element::dense(Shape::matrix(r.rows, r.cols), std::move(x));
}

std::vector<double> gradient(Objective& f, const Element& x, const Batch& batch = Batch::all()) {
  Element g(x.shape());
  f.add_gradient(x, batch, 1.0, g);
  return g.to_dense();
}

void check_close(const std::vector<double>& a, const std::vector<double>& b) {
  REQUIRE(a.size() == b.size());
  double scale = 0.0;
  for (const double value : a) scale = std::max(scale, std::abs(value));
  for (std::size_t k = 0; k < a.size(); ++k) CHECK(std::abs(a[k] - b[k]) <= 1e-12 * scale);
}

}  // namespace

TEST_CASE("entry weights: value and gradient are weighted means") {
  const TestFolder folder;
  const Ratings r = weighted(41, 9, 7, 30);
  const auto f = objective(of(folder, r, "r.tsv"));
  const Element X = some_point(r, 42);
  const std::vector<double> x = X.to_dense(), g = gradient(*f, X);
  double value = 0.0;
  std::vector<double> expected(x.size(), 0.0);
  for (std::size_t e = 0; e < r.value.size(); ++e) {
    const auto k = static_cast<std::size_t>(r.col[e] * r.rows + r.row[e]);
    const double share = r.weight[e] / sum_of(r.weight);
    value += 0.5 * share * std::pow(x[k] - r.value[e], 2), expected[k] = share * (x[k] - r.value[e]);
  }
  CHECK(f->value(X) == doctest::Approx(value).epsilon(1e-13));
  check_close(g, expected);
  const double most = *std::ranges::max_element(r.weight);
  CHECK(*f->constants().smoothness == doctest::Approx(most / sum_of(r.weight)).epsilon(1e-13));
}

TEST_CASE("entry weights: equal ones are none, to the bit; an entry of weight 0 is no entry") {
  const TestFolder folder;
  Ratings r = weighted(43, 9, 7, 30);
  r.weight.assign(r.value.size(), 2.5);
  Ratings plain = r;
  plain.weight.clear();
  write_ratings(folder / "plain.tsv", plain);
  const Element X = some_point(r, 44);
  const auto of_plain =
      objective({"objective.use=matrix-completion", "objective.ids=one-based", "objective.rows=9",
                 "objective.cols=7", "objective.data=" + (folder / "plain.tsv").string()});
  CHECK(objective(of(folder, r, "equal.tsv"))->value(X) == of_plain->value(X));
  Ratings zero = weighted(43, 9, 7, 30);
  zero.weight[4] = 0.0;
  Ratings without = zero;
  for (auto* side : {&without.row, &without.col}) side->erase(side->begin() + 4);
  for (auto* numbers : {&without.value, &without.weight}) numbers->erase(numbers->begin() + 4);
  const auto f = objective(of(folder, zero, "zero.tsv")), g = objective(of(folder, without, "without.tsv"));
  CHECK(f->value(X) == doctest::Approx(g->value(X)).epsilon(1e-13));
  check_close(gradient(*f, X), gradient(*g, X));
}

TEST_CASE("entry weights: an older rating counts less, by its half-life") {
  const TestFolder folder;
  folder.put("timed.tsv", "1\t1\t4\t100\n1\t2\t2\t70\n2\t1\t1\t40\n");
  const auto f = objective({"objective.use=matrix-completion", "objective.ids=one-based",
                            "objective.half_life=30", "objective.data=" + (folder / "timed.tsv").string()});
  // Weights 1, 1/2, 1/4; at 0 the value is (16 + 4/2 + 1/4) / (2 * 7/4).
  CHECK(f->value(Element(Shape::matrix(2, 2))) == doctest::Approx(18.25 / 3.5).epsilon(1e-14));
}

TEST_CASE("implicit feedback: it is the sum over all positions") {
  const TestFolder folder;
  const Ratings some = weighted(45, 12, 9, 40), all = all_positions(some, kUnobserved);
  const auto f = objective(implicit(folder, some)), g = objective(of(folder, all, "all.tsv"));
  const double ratio = sum_of(all.weight) / sum_of(some.weight);
  for (const std::uint64_t seed : {46, 47}) {
    const Element X = some_point(some, seed);
    CHECK(f->value(X) == doctest::Approx(ratio * g->value(X)).epsilon(1e-12));
    std::vector<double> expected = gradient(*g, X);
    for (double& value : expected) value *= ratio;
    check_close(gradient(*f, X), expected);
    // Every component holds all of what is not observed.
    std::vector<Index> each(some.value.size());
    std::iota(each.begin(), each.end(), 0);
    check_close(gradient(*f, X, Batch::of(each)), gradient(*f, X));
    const Element Y = some_point(some, seed + 10);
    Element difference(X.shape());
    f->add_gradient_difference(X, Y, Batch::of(each), 1.0, difference);
    std::vector<double> apart = gradient(*f, X);
    const std::vector<double> other = gradient(*f, Y);
    for (std::size_t k = 0; k < apart.size(); ++k) apart[k] -= other[k];
    check_close(difference.to_dense(), apart);
  }
  const Constants c = f->constants();
  CHECK(*c.strong_convexity == doctest::Approx(kUnobserved / sum_of(some.weight)).epsilon(1e-13));
  CHECK(*c.smoothness ==
        doctest::Approx(*std::ranges::max_element(some.weight) / sum_of(some.weight)).epsilon(1e-13));
}

TEST_CASE("implicit feedback: minimum and certificate are those of all positions") {
  const TestFolder folder;
  const Ratings some = weighted(48, 25, 18, 150), all = all_positions(some, kUnobserved);
  const double ratio = sum_of(all.weight) / sum_of(some.weight);
  for (const Words& limits : {Words{"set.use=nuclear-ball", "set.radius=12"},
                              Words{"penalty.use=nuclear", "penalty.lambda=0.2*max"}})
    for (const char* algorithm : {"proximal-gradient", "generalized-conditional-gradient", "frank-wolfe",
                                  "factored", "alternating"}) {
      const bool needs_set = std::string(algorithm) == "frank-wolfe";
      if (needs_set != (limits[0] == "set.use=nuclear-ball") &&
          std::string(algorithm) != "proximal-gradient" && std::string(algorithm) != "factored")
        continue;
      CAPTURE(algorithm);
      const bool slow =
          needs_set || std::string(algorithm)[0] == 'g' || std::string(algorithm) == "alternating";
      const Words more = limits + Words{std::string("algorithm.use=") + algorithm, "stop.iterations=20000",
                                        slow ? "stop.relative_gap=1e-3" : "stop.relative_gap=1e-8"};
      const RunResult r = solve(implicit(folder, some) + more);
      Words exact = limits + Words{"stop.relative_gap=1e-9", "stop.iterations=20000"};
      // max is of the gradient at 0, which `ratio` scales.
      const RunResult reference = solve(of(folder, all, "all.tsv") + exact);
      REQUIRE(is_target(reference.status));
      REQUIRE_MESSAGE(is_target(r.status), text(r.status));
      CHECK(r.measurement.confirmed);
      const double minimum = ratio * (reference.measurement.value - reference.measurement.gap),
                   at_most = ratio * reference.measurement.value;
      CHECK(r.lower_bound <= at_most * (1.0 + 1e-12));
      CHECK(r.measurement.value >= minimum * (1.0 - 1e-12));
      CHECK(r.measurement.value <= at_most + r.measurement.gap);
    }
}

TEST_CASE(
    "implicit feedback: test entries are 1 as the entries are, whatever their counts, if they have any") {
  const TestFolder folder;
  folder.put("seen.tsv", "1\t1\t2\n2\t3\t5\n4\t2\t1\n");
  folder.put("counts.tsv", "1\t2\t7\n3\t1\t20\n");
  folder.put("ones.tsv", "1\t2\t1\n3\t1\t1\n");
  folder.put("pairs.tsv", "1\t2\n3\t1\n");
  const Element X = some_point({4, 3, {}, {}, {}, {}, {}}, 43);
  const std::vector<double> x = X.to_dense();
  const double expected = std::sqrt(0.5 * (std::pow(x[4] - 1.0, 2) + std::pow(x[2] - 1.0, 2)));
  const auto rmse = [&](const char* test, const Words& more) {
    const auto f = objective(Words{"objective.use=matrix-completion", "objective.ids=one-based",
                                   "objective.rows=4", "objective.cols=3", "objective.unobserved=0.1",
                                   "objective.data=" + (folder / "seen.tsv").string(),
                                   "objective.test=" + (folder / test).string()} +
                             more);
    return query<HeldOut>(*f)->test_rmse(X);
  };
  const Words implicit{"objective.implicit=yes", "objective.confidence=2"};
  for (const char* test : {"counts.tsv", "ones.tsv", "pairs.tsv"})
    CHECK(rmse(test, implicit) == doctest::Approx(expected).epsilon(1e-12));
  CHECK(rmse("ones.tsv", {}) == doctest::Approx(expected).epsilon(1e-12));
  CHECK(rmse("counts.tsv", {}) > 2.0 * expected);
  CHECK_THROWS_WITH_AS(rmse("pairs.tsv", {}), doctest::Contains("third column"), Error);
}

TEST_CASE("implicit feedback: counts are ones with weights 1 + alpha r") {
  const TestFolder folder;
  Ratings counts{4, 3, {0, 1, 3}, {1, 0, 2}, {2, 5, 0.5}, {}, {}};
  Ratings ones = counts;
  ones.value.assign(3, 1.0), ones.weight = {1 + 3 * 2.0, 1 + 3 * 5.0, 1 + 3 * 0.5};
  write_ratings(folder / "counts.tsv", counts);
  const auto f = objective({"objective.use=matrix-completion", "objective.ids=one-based", "objective.rows=4",
                            "objective.cols=3", "objective.implicit=yes", "objective.confidence=3",
                            "objective.unobserved=1", "objective.data=" + (folder / "counts.tsv").string()});
  const auto g = objective(of(folder, ones, "ones.tsv", {"objective.unobserved=1"}));
  const Element X = some_point(counts, 49);
  CHECK(f->value(X) == g->value(X));
}

TEST_CASE("implicit feedback: a count of 0 is a position that is not observed, in a file, parts and memory") {
  const TestFolder folder;
  const std::string part = "1\t1\t3\n1\t2\t0\n", rest = "2\t1\t0\n2\t2\t5\n4\t3\t0\n";
  folder.put("all.tsv", part + rest), folder.put("part-1.tsv", part), folder.put("part-2.tsv", rest);
  folder.put("views.tsv", "1\t1\t3\n2\t2\t5\n");
  folder.put("test.tsv", "1\t3\t0\n3\t1\t2\n");
  const Ratings listed = read_ratings(folder / "all.tsv");
  const Words model{"objective.use=matrix-completion",
                    "objective.rows=4",
                    "objective.cols=3",
                    "objective.implicit=yes",
                    "objective.confidence=2",
                    "objective.unobserved=0.5",
                    "objective.test=" + (folder / "test.tsv").string()};
  const auto of_data = [&](const std::string& name) {
    return objective(model + Words{"objective.data=" + (folder / name).string(), "objective.ids=one-based"});
  };
  HostParts parts;
  parts.data = data_from_triplets(listed.row, listed.col, listed.value, 4, 3);
  const auto held =
      compose(build_catalog(), spec_of(model + Words{"stop.iterations=1", "objective.ids=one-based"}), parts)
          .objective;
  const auto views = of_data("views.tsv");
  const Element X = some_point({4, 3, {}, {}, {}, {}, {}}, 51);
  const std::vector<double> x = X.to_dense();
  for (const auto& f : {of_data("all.tsv"), of_data("part-*.tsv"), held}) {
    CHECK(f->value(X) == doctest::Approx(views->value(X)).epsilon(1e-14));
    CHECK(f->terms() == 2);
    const Training& training = query<Predictor>(*f)->training();
    CHECK(training.rows.entries == std::vector<Index>{1, 1, 0, 0});
    CHECK(training.cols.entries == std::vector<Index>{1, 1, 0});
    CHECK(training.low == 0.0);
    CHECK(query<HeldOut>(*f)->test_rmse(X) ==
          doctest::Approx(std::sqrt(0.5 * (std::pow(x[8], 2) + std::pow(x[2] - 1.0, 2)))));
  }
  folder.put("none.tsv", "1\t1\t0\n1\t2\t0\n");
  check_mentions(refusal(ErrorKind::data, [&] { (void)of_data("none.tsv"); }), {"every count is 0"});
}

TEST_CASE("entry weights: what cannot be meant is refused with the place") {
  const TestFolder folder;
  const auto complaint_of = [&](const std::string& text, const Words& more, ErrorKind kind) {
    folder.put("bad.tsv", text);
    return refusal(kind, [&] {
      (void)objective(
          Words{"objective.use=matrix-completion", "objective.data=" + (folder / "bad.tsv").string()} + more);
    });
  };
  const std::string good = "1\t1\t4\t1\n1\t2\t2\t2\n2\t1\t1\t3\n";
  check_mentions(complaint_of("1\t1\t4\t1\n1\t2\t2\t-2\n", {"objective.weights=column"}, ErrorKind::data),
                 {"bad.tsv:2", "-2"});
  check_mentions(complaint_of("1\t1\t4\t0\n1\t2\t2\t0\n", {"objective.weights=column"}, ErrorKind::data),
                 {"all weights are 0"});
  check_mentions(complaint_of("1\t1\t4\n1\t2\t2\n", {"objective.weights=column"}, ErrorKind::data),
                 {"bad.tsv"});
  check_mentions(complaint_of(good, {"objective.weights=column", "objective.unobserved=1"}, ErrorKind::usage),
                 {"objective.unobserved", "1.05"});
  check_mentions(complaint_of(good, {"objective.unobserved=0.1", "objective.center=mean"}, ErrorKind::usage),
                 {"center"});
  check_mentions(complaint_of(good, {"objective.unobserved=0.1", "objective.loss=huber"}, ErrorKind::usage),
                 {"squared"});
  check_mentions(complaint_of(good, {"objective.confidence=1"}, ErrorKind::usage), {"implicit = yes"});
  check_mentions(complaint_of(good, {"objective.implicit=yes"}, ErrorKind::usage), {"unobserved"});
  check_mentions(
      complaint_of("1\t1\t-4\n", {"objective.implicit=yes", "objective.unobserved=0.1"}, ErrorKind::data),
      {"-4", "implicit"});
}

}  // namespace claros::test::entry_weights

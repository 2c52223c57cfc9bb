// SPDX-License-Identifier: BSD-3-Clause
// Several responses a row: the fast path, whose rows are stored once, against the expanded problem of one
// response with the rows repeated for each.
#include "compose_for_test.hpp"
#include "estimator_problems.hpp"

#include <claros/io/csv.hpp>
#include <claros/parameters.hpp>

// A namespace of its own: several files of tests are compiled as one.
namespace claros::test::several_responses {

namespace {

using Row = std::vector<double>;

/// X of n x p by rows, Y of n x K by rows, weights of the rows.
struct Table {
  Index n = 30, p = 8, K = 3;
  double scale = 1.0;  ///< of Y
  Row x, y, w;

  explicit Table(std::uint64_t seed, Index rows = 30, Index columns = 8, Index count = 3, double of_y = 1.0)
      : n(rows), p(columns), K(count), scale(of_y) {
    x = normals(seed, n * p), y = normals(seed + 1, n * K);
    for (Index i = 0; i < n; ++i) {
      for (Index k = 0; k < K; ++k) {
        double& value = y[at(i * K + k)];
        value = scale * (0.3 * value + 1.0);
        for (Index j = 0; j < std::min<Index>(3, p); ++j)
          value += scale * (j == k ? 1.5 : 0.5) * x[at(i * p + j)];
      }
      w.push_back(1.0 + static_cast<double>(i % 3));
    }
    for (std::size_t e = 0; e < x.size(); ++e)
      if (e % 3 == 1) x[e] = 0.0;
  }

  static std::string line(std::span<const double> numbers) {
    std::string text;
    for (const double value : numbers) text += (text.empty() ? "" : ",") + print_real(value);
    return text + "\n";
  }
  static std::string names(char letter, Index count) {
    std::string text;
    for (Index j = 1; j <= count; ++j) text += (j > 1 ? "," : "") + (letter + std::to_string(j));
    return text;
  }
  std::string rows() const {
    std::string text = names('x', p) + "," + names('y', K) + "\n";
    for (Index i = 0; i < n; ++i) {
      Row all(x.begin() + i * p, x.begin() + (i + 1) * p);
      all.insert(all.end(), y.begin() + i * K, y.begin() + (i + 1) * K);
      text += line(all);
    }
    return text;
  }
  std::string weights() const {
    std::string text;
    for (const double each : w) text += line({&each, 1});
    return text;
  }
  /// Row i of response k has the entries of row i in the columns from k p on.
  std::string expanded() const {
    std::string text;
    for (Index i = 0; i < n; ++i)
      for (Index k = 0; k < K; ++k) {
        Row all(at(p * K), 0.0);
        std::copy(x.begin() + i * p, x.begin() + (i + 1) * p, all.begin() + k * p);
        all.push_back(y[at(i * K + k)]);
        text += line(all);
      }
    return text;
  }
  std::string expanded_weights() const {
    std::string text;
    for (const double each : w)
      for (Index k = 0; k < K; ++k) text += line({&each, 1});
    return text;
  }
};

/// The files of a table, and the problem in both forms; the mean over n K rows is a K-th of that over n.
class Problems {
 public:
  explicit Problems(const Table& table) : table_(table) {
    (void)folder_.put("rows.csv", table.rows());
    (void)folder_.put("weights.txt", table.weights());
    (void)folder_.put("expanded.csv", table.expanded());
    (void)folder_.put("expanded_weights.txt", table.expanded_weights());
  }
  std::string file(const std::string& name) const { return (folder_ / name).string(); }
  Words fast() const {
    return {"objective.use=linear-model", "objective.intercept=no", "objective.standardize=no",
            "objective.data=" + file("rows.csv"), "objective.responses=" + Table::names('y', table_.K)};
  }
  Words plain() const {
    return {"objective.use=linear-model",
            "objective.intercept=no",
            "objective.standardize=no",
            "objective.data=" + file("expanded.csv"),
            "objective.header=no",
            "objective.shape=" + std::to_string(table_.p) + "x" + std::to_string(table_.K)};
  }

 private:
  Table table_;
  TestFolder folder_;
};

Words stops(const std::string& gap = "1e-12") {
  return {"stop.relative_gap=" + gap, "stop.iterations=20000", "trace.on=no"};
}

double relative_difference(const Element& a, const Element& b) {
  const Row x = a.to_dense(), z = b.to_dense();
  REQUIRE(x.size() == z.size());
  double most = 0.0, size = 0.0;
  for (std::size_t k = 0; k < x.size(); ++k)
    most = std::max(most, std::abs(x[k] - z[k])), size = std::max(size, std::abs(z[k]));
  REQUIRE(size > 0.0);
  return most / size;
}

Words lambda(double factor) { return {"penalty.lambda=" + print_real(factor)}; }

}  // namespace

TEST_CASE("responses: the solution is that of the expanded problem, by every algorithm and form of rows") {
  const Table table(71);
  const Problems problems(table);
  const double K = static_cast<double>(table.K);
  for (const Words& penalty : {Words{"penalty.use=group", "penalty.groups=rows"},
                               {"penalty.use=group", "penalty.groups=rows", "penalty.ratio=0.6"},
                               {"penalty.use=group", "penalty.groups=columns"},
                               {"penalty.use=group", "penalty.groups=4"},
                               {"penalty.use=l1"},
                               {"penalty.use=nuclear"}}) {
    CAPTURE(penalty.back());
    const bool separable = penalty.front() != "penalty.use=nuclear";
    const RunResult plain =
        solve(problems.plain() + penalty + lambda(0.15 / K) + stops() +
              (separable ? Words{"algorithm.use=working-set"} : Words{"algorithm.use=proximal-gradient"}));
    CHECK(is_target(plain.status));
    for (const Words& how : {Words{"algorithm.use=working-set", "algorithm.first=1"},
                             {"algorithm.use=coordinate-descent"},
                             {"algorithm.use=coordinate-descent", "algorithm.screen=1"},
                             {"algorithm.use=proximal-gradient"},
                             {"algorithm.use=auto"}})
      for (const char* storage : {"objective.storage=dense", "objective.storage=sparse"}) {
        CAPTURE(how.front());
        if (!separable && how.front().find("gradient") == std::string::npos) continue;
        const RunResult fast =
            solve(problems.fast() + Words{storage} + penalty + lambda(0.15) + stops() + how);
        CHECK(is_target(fast.status));
        CHECK(fast.answer.shape().text() == Shape::matrix(table.p, table.K).text());
        CHECK(relative_difference(fast.answer, plain.answer) < 1e-5);
        CHECK(fast.measurement.value == doctest::Approx(K * plain.measurement.value).epsilon(1e-10));
        CHECK(fast.measurement.gap <= 1e-12 * fast.measurement.value);
      }
  }
}

TEST_CASE("responses: weights of rows, intercepts, other units, one row, one column, equal columns") {
  struct Size {
    Index n, p, K;
    double scale;
  };
  for (const Size& size :
       {Size{30, 8, 3, 1.0}, {30, 8, 3, 1e-8}, {30, 8, 3, 1e8}, {1, 5, 2, 1.0}, {20, 1, 4, 1.0}}) {
    CAPTURE(size.n);
    CAPTURE(size.p);
    CAPTURE(size.scale);
    const Table table(72, size.n, size.p, size.K, size.scale);
    const Problems problems(table);
    const Words weighted{"objective.weights=" + problems.file("weights.txt")},
        expanded{"objective.weights=" + problems.file("expanded_weights.txt")},
        rows{"penalty.use=group", "penalty.groups=rows"};
    const double factor = 0.2 * size.scale;
    const RunResult plain =
        solve(problems.plain() + expanded + rows + lambda(factor / static_cast<double>(size.K)) + stops());
    const RunResult fast = solve(problems.fast() + weighted + rows + lambda(factor) + stops());
    CHECK(is_target(fast.status));
    CHECK(relative_difference(fast.answer, plain.answer) < 1e-5);
    const RunResult other = solve(problems.fast() + weighted + rows + lambda(factor) + stops() +
                                  Words{"objective.intercept=yes"} + Words{"algorithm.use=working-set"});
    const RunResult tight = solve(problems.fast() + weighted + rows + lambda(factor) + stops("1e-9") +
                                  Words{"objective.intercept=yes", "algorithm.use=proximal-gradient"});
    CHECK(other.measurement.value <= fast.measurement.value * (1.0 + 1e-12));
    CHECK(other.measurement.value - other.measurement.gap <= tight.measurement.value);
    CHECK(other.measurement.value <= tight.measurement.value + 1e-9 * fast.measurement.value);
  }
}

TEST_CASE("responses: gradients are slopes of the value, batches a share, restrictions the same function") {
  const Table table(73);
  const Problems problems(table);
  const Composition c = compose(
      build_catalog(), spec_of(problems.fast() + Words{"objective.intercept=yes", "stop.iterations=1",
                                                       "objective.weights=" + problems.file("weights.txt")}));
  Objective& f = *c.objective;
  const Index size = f.shape().size();
  REQUIRE(size == (table.p + 1) * table.K);
  const Element x = Element::dense(f.shape(), normals(74, size)),
                d = Element::dense(f.shape(), normals(75, size));
  Element g(f.shape()), of_batches(f.shape());
  f.add_gradient(x, Batch::all(), 1.0, g);
  Element ahead(x), behind(x);
  ahead.add(1e-5, d), behind.add(-1e-5, d);
  CHECK((f.value(ahead) - f.value(behind)) / 2e-5 == doctest::Approx(inner(g, d)).epsilon(1e-7));
  for (Index i = 0; i < table.n; ++i)
    f.add_gradient(x, Batch::of({&i, 1}), 1.0 / static_cast<double>(table.n), of_batches);
  CHECK(relative_difference(of_batches, g) < 1e-12);

  // Coordinates in another order than any block has them, of some outputs alone; intercepts are last.
  std::vector<Index> some{9, 0, 17, 3, 8};
  for (Index k = 0; k < table.K; ++k) some.push_back(table.p * table.K + k);
  const auto part = query<Restrictable>(f)->restrict_to(some);
  auto& small = dynamic_cast<Objective&>(*part);
  const Row values = normals(76, static_cast<Index>(some.size()));
  Row whole(at(size), 0.0);
  for (std::size_t k = 0; k < some.size(); ++k) whole[at(some[k])] = values[k];
  const Element at_small = Element::dense(small.shape(), values), at_whole = Element::dense(f.shape(), whole);
  CHECK(small.value(at_small) == doctest::Approx(f.value(at_whole)).epsilon(1e-13));
  Element of_small(small.shape()), of_whole(f.shape());
  small.add_gradient(at_small, Batch::all(), 1.0, of_small);
  f.add_gradient(at_whole, Batch::all(), 1.0, of_whole);
  const Row a = of_small.to_dense(), b = of_whole.to_dense();
  for (std::size_t k = 0; k < some.size(); ++k) CHECK(a[k] == doctest::Approx(b[at(some[k])]).epsilon(1e-12));
  Element of_rows(small.shape());
  for (Index i = 0; i < table.n; ++i)
    small.add_gradient(at_small, Batch::of({&i, 1}), 1.0 / static_cast<double>(table.n), of_rows);
  CHECK(relative_difference(of_rows, of_small) < 1e-12);
  CHECK(small.constants().smoothness <= *f.constants().smoothness * (1.0 + 1e-2));
}

TEST_CASE("responses: a file of their own, and what is refused") {
  const Table table(77);
  const Problems problems(table);
  const Words of_group{"penalty.use=group", "penalty.groups=rows", "penalty.lambda=0.2"};
  const TestFolder folder;
  std::string x, y;
  for (Index i = 0; i < table.n; ++i) {
    x += Table::line(std::span(table.x).subspan(at(i * table.p), at(table.p)));
    y += Table::line(std::span(table.y).subspan(at(i * table.K), at(table.K)));
  }
  const std::string rows = folder.put("x.csv", x).string(), responses = folder.put("y.csv", y).string();
  const Words split{"objective.use=linear-model", "objective.intercept=no", "objective.standardize=no",
                    "objective.data=" + rows, "objective.responses=" + responses};
  const RunResult one = solve(problems.fast() + of_group + stops()), two = solve(split + of_group + stops());
  CHECK(relative_difference(two.answer, one.answer) == 0.0);

  const auto refused = [&](const Words& words, const char* what) {
    try {
      (void)solve(words + of_group + stops());
      FAIL_CHECK("accepted: " << what);
    } catch (const Error& error) {
      CAPTURE(error.what());
      CHECK(std::string(error.what()).find(what) != std::string::npos);
    }
  };
  refused(problems.fast() + Words{"objective.responses=y1"}, "the one column 'y1'");
  refused(problems.fast() + Words{"objective.responses=y1,y9"}, "'y9'");
  refused(problems.fast() + Words{"objective.loss.use=logistic"}, "classes");
  refused(problems.fast() + Words{"objective.offset=x1"}, "several outputs");
  refused(split + Words{"objective.responses=" + folder.put("few.csv", "1,2\n3,4\n").string()},
          "2 rows of responses");
  refused(problems.fast() + Words{"algorithm.use=prox-newton"}, "columns");
}

}  // namespace claros::test::several_responses

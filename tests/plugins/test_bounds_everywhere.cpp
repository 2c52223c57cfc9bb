// SPDX-License-Identifier: BSD-3-Clause
// Lower bounds by duality at points far from the solution, of objectives and penalties with the options that
// their derivations treat apart: weights, holes, linear terms, lines of a matrix, offsets and intercepts.
#include "convex_cases.hpp"

namespace claros::test::bounds_everywhere {

namespace {

struct Bounded {
  Words objective;
  std::vector<Case> penalties;
  bool matrix = false;
};

Words penalty_words(const Case& c) {
  Words words{"penalty.use=" + c.name};
  for (const std::string& option : c.options) words.push_back("penalty." + option);
  return words;
}

std::string rows_of_numbers(Engine& engine, int rows, int cols, double scale, bool holes,
                            bool positive = false) {
  std::normal_distribution<double> normal;
  std::string text;
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < cols; ++j) {
      const double value = scale * normal(engine);
      text += (holes && (i * cols + j) % 5 == 3 ? std::string("NaN")
                                                : print_real(positive ? 0.2 + std::abs(value) : value));
      text += j + 1 < cols ? "," : "\n";
    }
  return text;
}

}  // namespace

TEST_CASE("lower bounds: none is above the minimum anywhere, and a run closes its gap") {
  Engine engine(51);
  const TestFolder folder;
  folder.put("y.csv", rows_of_numbers(engine, 3, 4, 2.0, true));
  folder.put("w.csv", rows_of_numbers(engine, 3, 4, 1.0, false, true));
  folder.put("f.csv", rows_of_numbers(engine, 6, 2, 1.0, false));
  folder.put("rows.csv", rows_of_numbers(engine, 30, 7, 1.0, false));
  folder.put("weights.txt", rows_of_numbers(engine, 30, 1, 1.0, false, true));
  folder.put("offset.txt", rows_of_numbers(engine, 30, 1, 0.7, false));
  const auto file = [&](const char* name) { return (folder / name).string(); };
  const Words weighted{"objective.data=" + file("rows.csv"), "objective.weights=" + file("weights.txt"),
                       "objective.offset=" + file("offset.txt")};
  const std::vector<Case> of_vectors{penalty("l1", {"lambda=0.05"}),
                                     penalty("ridge", {"lambda=0.1"}),
                                     penalty("elastic-net", {"lambda=0.1", "ratio=0.6"}),
                                     penalty("l1", {"lambda=0.03", "weights=1,2,0.5,1,3,1"}),
                                     penalty("group", {"lambda=0.05", "groups=2", "weights=sqrt"}),
                                     penalty("group", {"lambda=0.05", "groups=3", "norm=linf", "ratio=0.7"}),
                                     penalty("sparse-group", {"lambda=0.05", "groups=3"}),
                                     penalty("exclusive", {"lambda=0.1", "groups=3", "weights=sqrt"}),
                                     penalty("slope", {"lambda=0.05"}),

                                     penalty("fused", {"lambda=0.05", "ratio=0.4"})};
  // Whose dual points can be balanced along a line.
  const std::vector<Case> with_tv = of_vectors + std::vector<Case>{penalty("tv", {"lambda=0.05"})};
  for (const Bounded& b : std::vector<Bounded>{
           {{"objective.use=distance", "objective.data=" + file("y.csv"),
             "objective.weights=" + file("w.csv")},
            {penalty("l1", {"lambda=0.3"}), penalty("tv", {"lambda=0.3"}),
             penalty("tv", {"lambda=0.3", "along=rows"}), penalty("tv", {"lambda=0.3", "along=both"}),
             penalty("tv", {"lambda=0.3", "along=both", "kind=isotropic"}),
             penalty("fused", {"lambda=0.3", "along=rows"}), penalty("fused", {"lambda=0.3", "ratio=0"}),
             penalty("group", {"lambda=0.3", "groups=rows"}), penalty("nuclear", {"lambda=0.3"})},
            true},
           {{"objective.use=quadratic", "objective.data=" + file("f.csv"), "objective.form=factors",
             "objective.diagonal=0.5 0.1 1 2 0.3 0.7", "objective.linear=1 -2 0.5 0 3 -0.4"},
            of_vectors},
           {{"objective.use=quadratic", "objective.diagonal=0.5 0.1 1 2 0.3 0.7",
             "objective.linear=1 -2 0.5 0 3 -0.4"},
            of_vectors},
           {Words{"objective.use=square-root", "objective.intercept=yes"} + weighted, of_vectors},
           {Words{"objective.use=linear-model", "objective.loss=quantile", "objective.loss.tau=0.7",
                  "objective.loss.delta=0.5"} +
                weighted,
            with_tv},
           {Words{"objective.use=linear-model", "objective.loss=huber", "objective.loss.delta=0.5",
                  "objective.intercept=yes"} +
                weighted,
            with_tv}})
    for (const Case& c : b.penalties) {
      const Words words = b.objective + penalty_words(c);
      CAPTURE(b.objective.front());
      CAPTURE(c.text());
      const Composition made = compose(build_catalog(), spec_of(words + Words{"stop.iterations=1"}));
      Objective& f = *made.problem().objective;
      auto* certified = query<Certified>(f);
      const auto component = c.make();
      auto* h = query<Conjugate>(*component);
      REQUIRE(certified);
      REQUIRE(h);
      const RunResult r = solve(words + Words{"stop.relative_gap=1e-6", "stop.iterations=30000"});
      CHECK_MESSAGE(is_target(r.status), text(r.status));
      const double least = r.measurement.value;  // of a point, and so not below the minimum
      std::vector<Element> points{Element(f.shape()), r.answer};
      for (int k = 0; k < 10; ++k)
        points.push_back(
            Element::dense(f.shape(), random_point(engine, f.shape(), std::pow(10.0, k % 4 - 2))));
      for (const Element& x : points)
        CHECK(certified->lower_bound(x, *h) <= least + 1e-10 * (1.0 + std::abs(least)));
    }
}

TEST_CASE("quadratic: constants of a diagonal beside every form") {
  const TestFolder folder;
  folder.put("q.csv", "2,1,0\n1,2,1\n0,1,2\n");  // eigenvalues 2, 2 +- sqrt 2
  folder.put(
      "q.mtx",
      "%%MatrixMarket matrix coordinate real symmetric\n3 3 5\n1 1 2\n2 1 0.5\n2 2 2\n3 2 0.5\n3 3 2\n");
  folder.put("f.csv", "1,0\n2,1\n0,3\n");
  const auto made = [&](const Words& words) {
    Words all{"objective.use=quadratic", "stop.iterations=1"};
    for (const std::string& word : words) all.push_back("objective." + word);
    return compose(build_catalog(), spec_of(all)).objective;
  };
  struct Row {
    Words words;
    double least, most;  ///< what is known of the eigenvalues
  };
  for (const Row& row :
       {Row{{"data=" + (folder / "q.csv").string(), "diagonal=1 1 1"},
            3.0 - std::sqrt(2.0),
            3.0 + std::sqrt(2.0)},
        Row{{"data=" + (folder / "q.csv").string(), "diagonal=0.5 4 2"}, 2.5 - std::sqrt(2.0), 6.9},
        Row{{"data=" + (folder / "q.mtx").string(), "diagonal=0.5 0.25 2"}, 1.25, 4.6},
        Row{{"data=" + (folder / "f.csv").string(), "form=factors", "diagonal=0.5 4 2"}, 0.5, 14.5},
        Row{{"diagonal=0.5 4 2"}, 0.5, 4.0}}) {
    CAPTURE(row.words);
    const auto f = made(row.words);
    const Constants c = f->constants();
    CHECK(c.convex);
    CHECK(*c.strong_convexity == doctest::Approx(row.least).epsilon(1e-9));
    CHECK(*c.smoothness <= row.most * 1.3);
    CHECK(*c.lower_bound == 0.0);
    Engine engine(4);
    for (int k = 0; k < 30; ++k) {
      const Element x = Element::dense(f->shape(), random_point(engine, f->shape(), 1.0));
      Element g(f->shape());
      f->add_gradient(x, Batch::all(), 1.0, g);
      CHECK(inner(g, x) >= *c.strong_convexity * inner(x, x) * (1 - 1e-9));
      CHECK(norm(g) <= *c.smoothness * norm(x) * (1 + 1e-9));
    }
    CHECK_FALSE(made(row.words + Words{"linear=0 0 1"})->constants().lower_bound.has_value());
  }
}

}  // namespace claros::test::bounds_everywhere

// SPDX-License-Identifier: BSD-3-Clause
// Runs that ended wrongly: starts outside a penalty's domain, points that rounding has moved off their set,
// solutions that are exactly 0, and slopes, gaps and values that are rounding and nothing else.
#include "../core/random_elements.hpp"
#include "convex_cases.hpp"
#include "trace_for_test.hpp"

#include <claros/proximal_sum.hpp>
#include <claros/watch/watched.hpp>
#include <shared/algorithms/active_set.hpp>

#include <fstream>
#include <iterator>

namespace claros::test::wrong_ends {

namespace {

using Values = std::vector<double>;

const Words kModel{
    "data.use=synthetic-regression", "data.rows=50", "data.cols=10", "data.nonzero=5", "data.seed=2",
    "objective.use=linear-model"};

std::string table(const std::vector<Values>& rows) {
  std::string text;
  for (const Values& row : rows) {
    for (std::size_t j = 0; j < row.size(); ++j) text += (j ? "," : "") + print_real(row[j]);
    text += '\n';
  }
  return text;
}

/// f(X) = ||X - M||^2 / 2 of a matrix in a file.
Words near_matrix(const TestFolder& folder, const Values& m, std::size_t n) {
  std::vector<Values> rows;
  for (std::size_t i = 0; i < n; ++i) {
    rows.emplace_back();
    for (std::size_t j = 0; j < n; ++j) rows.back().push_back(m[j * n + i]);
  }
  folder.put("m.csv", table(rows));
  return {"objective.use=noisy-matrix", "objective.data=" + (folder / "m.csv").string(), "objective.sigma=0",
          "objective.draws=2"};
}

}  // namespace

// The gap grows with the radius: of data that are interpolated it stays above any rounding of f(x_0).
TEST_CASE(
    "wrong ends: where f is 0 to rounding and never below 0, a run ends, whatever the radius of the set") {
  const TestFolder folder;
  folder.put("ratings.tsv", "1\t1\t5\n1\t2\t3\n2\t1\t4\n2\t3\t1\n");
  const Words entries{"objective.use=matrix-completion",
                      "objective.data=" + (folder / "ratings.tsv").string(), "set.use=nuclear-ball"};
  const Words rows{"data.use=synthetic-regression", "data.rows=10",   "data.cols=30", "data.nonzero=3",
                   "objective.use=linear-model",    "set.use=l1-ball"};
  const Words budget{"stop.relative_gap=1e-2", "stop.iterations=5000"};
  for (const std::string radius : {"100", "3e3", "1e6", "1e9"}) {
    for (const Words& method : {Words{}, Words{"algorithm.use=proximal-gradient"}}) {
      CAPTURE(radius);
      const RunResult completed = solve(entries + method + budget + Words{"set.radius=" + radius});
      CHECK(completed.status == Status::relative_gap);
      CHECK(completed.measurement.value <= 1e-13);
      CHECK(completed.measurement.gap <= 1e-13);
    }
    const RunResult fitted = solve(rows + budget + Words{"set.radius=" + radius});
    CHECK(fitted.status == Status::relative_gap);
    CHECK(fitted.measurement.gap <= 1e-12);
  }
  // Away from 0 the gap of the set is what counts, as ever.
  const RunResult early = solve(entries + Words{"set.radius=3e3", "algorithm.use=frank-wolfe",
                                                "stop.relative_gap=1e-2", "stop.iterations=200"});
  CHECK(early.status == Status::iterations);
  CHECK(early.measurement.gap > early.measurement.value);
}

TEST_CASE("wrong ends: a target is of the values where a run ends, however far off it started") {
  Engine engine(21);
  const TestFolder folder;
  std::vector<Values> near, far;
  for (int i = 0; i < 30; ++i) {
    Values row = testing::normals(engine, 6);
    const double noise = testing::normals(engine, 1).front();
    const double y = row[0] - 2.0 * row[1] + 0.5 * row[4] + 0.1 * noise;
    near.push_back(row), near.back().push_back(y);
    far.push_back(row), far.back().push_back(y + 1e8);
  }
  folder.put("near.csv", table(near)), folder.put("far.csv", table(far));
  const auto fit = [&](const std::string& file, const Words& more) {
    return solve(Words{"objective.use=linear-model", "objective.data=" + (folder / file).string(),
                       "objective.intercept=yes", "penalty.use=l1", "penalty.lambda=0.01",
                       "stop.iterations=20000"} +
                 more);
  };
  const double least =
      fit("near.csv", {"algorithm.use=coordinate-descent", "stop.relative_gap=1e-9"}).measurement.value;
  REQUIRE(least < 0.1);
  for (const Words& method :
       {Words{}, Words{"algorithm.use=proximal-gradient"}, Words{"algorithm.use=coordinate-descent"}}) {
    const RunResult r = fit("far.csv", method + Words{"stop.relative_gap=1e-6"});
    CAPTURE(text(r.status));
    CHECK((r.status != Status::relative_gap || r.measurement.value <= 1.001 * least));
    CHECK((r.status != Status::relative_gap || r.measurement.gap <= 1e-3 * least));
  }
}

TEST_CASE(
    "wrong ends: a residual is of the gradient in the domain of the penalty, which may lie far from 0") {
  Engine engine(22);
  const TestFolder folder;
  const Values at{0.5, 3.0, 0.2, 7.0};
  std::vector<Values> rows;
  for (std::size_t i = 0; i < 40; ++i) {
    rows.emplace_back(4, 0.0);
    rows.back()[i % 4] = 1.0;
    rows.back().push_back(1e8 + at[i % 4] + 0.01 * testing::normals(engine, 1).front());
  }
  folder.put("rows.csv", table(rows));
  for (const Words& method : {Words{}, Words{"algorithm.use=proximal-gradient"}}) {
    const RunResult r =
        solve(Words{"objective.use=linear-model", "objective.data=" + (folder / "rows.csv").string(),
                    "penalty.use=box", "penalty.lower=1e8", "stop.residual=1e-6", "stop.iterations=20000"} +
              method);
    CHECK_MESSAGE(r.status == Status::residual, text(r.status));
    CHECK(r.measurement.value < 1e-4);  // the least is about 5e-5, at 1e8 and no step 7
  }
}

TEST_CASE("wrong ends: a run starts at the nearest point of the penalty's domain") {
  const Words box{"penalty.use=box", "penalty.lower=0.5", "penalty.upper=2"};
  const RunResult reference =
      solve(kModel + Words{"set.use=box", "set.lower=0.5", "set.upper=2", "algorithm.use=proximal-gradient",
                           "stop.gap=1e-10", "stop.iterations=20000"});
  REQUIRE(is_target(reference.status));
  const std::vector<Words> methods{{},
                                   {"algorithm.use=coordinate-descent"},
                                   {"algorithm.use=dual-averaging"},
                                   {"algorithm.use=proximal-gradient", "estimator.use=svrg"},
                                   {"algorithm.use=working-set"},
                                   {"algorithm.use=three-operator"}};
  for (const Words& method : methods) {
    CAPTURE(method.empty() ? std::string("by default") : method.front());
    const RunResult r =
        solve(kModel + box + method + Words{"stop.residual=1e-5", "stop.iterations=20000", "trace.every=1"});
    const bool slow = !method.empty() && method.front() == "algorithm.use=dual-averaging";
    CHECK_MESSAGE(r.status == (slow ? Status::iterations : Status::residual), r.failure);
    CHECK(r.measurement.value == doctest::Approx(reference.measurement.value).epsilon(slow ? 1e-4 : 1e-6));
    const Composition c = compose(build_catalog(), spec_of(kModel + box + Words{"stop.iterations=1"}));
    CHECK(r.trace.front().value ==
          doctest::Approx(c.objective->value(Element::dense(Shape::vector(10), Values(10, 0.5))))
              .epsilon(1e-12));
  }
  // Of a sum the other term does not move the start; a point of the host's is treated alike.
  const Words sum{"penalty.use=sum", "penalty.terms.1.use=box", "penalty.terms.1.lower=0.5",
                  "penalty.terms.2.use=l1", "penalty.terms.2.lambda=0.01"};
  HostParts parts;
  parts.start = std::make_shared<const Element>(Element::dense(Shape::vector(10), Values(10, -3.0)));
  for (const HostParts& from : {HostParts{}, parts}) {
    const RunResult r = run_composition(compose(
        build_catalog(),
        spec_of(kModel + sum + Words{"stop.residual=1e-6", "stop.iterations=20000", "trace.every=1"}), from));
    CHECK_MESSAGE(r.status == Status::residual, r.failure);
    CHECK(std::isfinite(r.trace.front().value));
    for (const double x : r.answer.to_dense()) CHECK(x >= 0.5 - 1e-10);
  }
  // One inside stays where it is, to the bit.
  parts.start = std::make_shared<const Element>(Element::dense(Shape::vector(10), Values(10, 0.7)));
  const RunResult inside = run_composition(
      compose(build_catalog(), spec_of(kModel + box + Words{"stop.iterations=1", "trace.every=1"}), parts));
  const Composition c = compose(build_catalog(), spec_of(kModel + box + Words{"stop.iterations=1"}));
  CHECK(inside.trace.front().value == c.objective->value(*parts.start));
}

TEST_CASE("wrong ends: a penalty that is finite nowhere is refused before the first step") {
  const Words none{"penalty.use=sum", "penalty.terms.1.use=box", "penalty.terms.1.lower=0.5",
                   "penalty.terms.2.use=box", "penalty.terms.2.upper=0.25"};
  const RunResult r = solve(kModel + none + Words{"stop.iterations=10"});
  CHECK(!is_target(r.status));
  CHECK(r.iterations == 0);
  check_mentions(r.failure, {"penalty/sum", "no point was found"});
}

TEST_CASE("wrong ends: eigenvalues that rounding leaves below 0 are in no face") {
  Engine engine(5);
  for (const std::string name : {"psd-trace", "spectrahedron"})
    for (const double below : {1e-12, 1e-9, 1e-6})
      for (int trial = 0; trial < 10; ++trial) {
        const Values v = testing::normals(engine, 40);
        Values x(100, 0.0), g = testing::normals(engine, 100);
        double trace = 0.0;
        for (std::size_t k = 0; k < 4; ++k)
          for (std::size_t i = 0; i < 10; ++i)
            for (std::size_t j = 0; j < 10; ++j) {
              const double by = (k == 3 ? -below : 1.0) * v[10 * k + i] * v[10 * k + j];
              x[10 * j + i] += by, trace += i == j ? by : 0.0;
            }
        for (double& entry : x) entry *= 3.0 / trace;
        const auto set = create_component(build_catalog(), Kind::set, name, {{"radius", "3", {}, {}}}, {});
        Element vertex;
        const Shape shape = Shape::matrix(10, 10);
        const FaceInfo info = query<Faces>(*set)->away(Element::dense(shape, g), Element::dense(shape, x),
                                                       {1e-10, false}, vertex);
        CAPTURE(name);
        CAPTURE(below);
        CHECK(query<Membership>(*set)->violation(vertex) <= 1e-10);
        CHECK(info.value == doctest::Approx(inner(Element::dense(shape, g), vertex)));
      }
}

TEST_CASE(
    "wrong ends: in-face over semidefinite matrices stays in the set, along steps that multiply rounding") {
  const TestFolder folder;
  Engine engine(6);
  for (int trial = 0; trial < 12; ++trial) {
    const Words problem = near_matrix(folder, testing::normals(engine, 144), 12);
    for (const std::string set : {"psd-trace", "spectrahedron"})
      for (const std::string gamma : {"0", "1"}) {
        CAPTURE(trial);
        CAPTURE(set + ' ' + gamma);
        const RunResult r =
            solve(problem + Words{"set.use=" + set, "set.radius=" + std::string(trial % 2 ? "1" : "5"),
                                  "algorithm.use=in-face", "algorithm.gamma1=" + gamma, "algorithm.gamma2=1",
                                  "stop.iterations=300", "stop.gap=1e-9"});
        CHECK_MESSAGE(r.failure.empty(), r.failure);
        CHECK(r.violation <= 1e-8);
      }
  }
}

TEST_CASE("wrong ends: a solution that is exactly 0 is written, and read again") {
  Engine engine(7);
  const TestFolder folder;
  const Values a = testing::normals(engine, 64);
  Values m(64, 0.0);  // negative definite: the nearest semidefinite matrix is 0
  for (std::size_t i = 0; i < 8; ++i)
    for (std::size_t j = 0; j < 8; ++j)
      for (std::size_t k = 0; k < 8; ++k) m[8 * j + i] -= a[8 * k + i] * a[8 * k + j];
  for (const std::string method : {"pairwise", "away-step", "frank-wolfe", "proximal-gradient"}) {
    CAPTURE(method);
    const RunResult r = solve(near_matrix(folder, m, 8) + Words{"set.use=psd-trace", "set.radius=5",
                                                                "algorithm.use=" + method, "stop.gap=1e-6",
                                                                "stop.iterations=2000"});
    CHECK_MESSAGE(is_target(r.status), r.failure);
    write_solution(folder / method, r.answer);
    const bool written = fs::exists(folder / method / "x.mtx");
    CHECK((written || fs::exists(folder / method / "U.mtx")));
    if (method != "pairwise") continue;
    REQUIRE(written);
    std::ifstream file(folder / method / "x.mtx");
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    CHECK(text.find("8 8 0") != std::string::npos);
  }
}

TEST_CASE("wrong ends: 10^5 steps of an active set leave its point a convex combination of its vertices") {
  constexpr std::size_t kSize = 6;
  const Shape shape = Shape::vector(kSize);
  const auto unit = [&](std::size_t j) {
    Values e(kSize, 0.0);
    e[j] = 1.0;
    return Element::dense(shape, e);
  };
  Engine engine(8);
  const auto uniform = [&] { return std::uniform_real_distribution<double>(0.0, 1.0)(engine); };
  sdk::ActiveSet set;
  Element x = unit(0);
  set.start(x, nullptr);
  Index refreshed = 0;
  double worst = 0.0;
  for (int step = 0; step < 100'000; ++step) {
    const auto from = static_cast<Index>(engine() % static_cast<std::uint64_t>(set.size()));
    if (step % 3 == 0) {
      set.toward(set.find_or_add(unit(engine() % kSize)), 0.1 * uniform(), x);
    } else if (step % 3 == 1) {
      const double most = set.longest_away(from);
      if (most > 0.0 && most < 1e6) set.away(from, (engine() % 2 ? 1.0 : uniform()) * most, x);
    } else {
      const Index to = set.find_or_add(unit(engine() % kSize));
      if (to != from) set.exchange(from, to, uniform() * set.weight(from), x);
    }
    // x = sum of the weights' unit vectors: what the bound is of can be read off.
    Values sum(kSize, 0.0);
    double total = 0.0;
    for (Index k = 0; k < set.size(); ++k) {
      const Values v = set.vertex(k).element().to_dense();
      for (std::size_t j = 0; j < kSize; ++j) sum[j] += set.weight(k) * v[j];
      total += set.weight(k);
    }
    const double apart = std::max(distance(sum, x.to_dense()), std::abs(total - 1.0));
    worst = std::max(worst, apart);
    REQUIRE(apart <= std::max(set.rounding(), 1e-14));
    if (set.rounding() > 1e-11) set.refresh(x), ++refreshed;
  }
  CHECK(refreshed > 50);
  CHECK(worst <= 1e-4);
}

TEST_CASE("wrong ends: long runs of Frank-Wolfe methods end inside their set, at the minimum") {
  const std::vector<Words> methods{
      {"algorithm.use=away-step"},        {"algorithm.use=away-step", "algorithm.step=short"},
      {"algorithm.use=pairwise"},         {"algorithm.use=pairwise", "algorithm.step=short"},
      {"algorithm.use=blended-pairwise"}, {"algorithm.use=fully-corrective"}};
  const Words small{"data.use=synthetic-regression",
                    "data.rows=20",
                    "data.cols=4",
                    "data.nonzero=2",
                    "data.seed=3",
                    "objective.use=linear-model",
                    "trace.on=no",
                    "stop.iterations=100000"};
  for (const std::string set : {"simplex", "l1-ball"}) {
    const Words problem = small + Words{"set.use=" + set, "set.radius=1.5"};
    const RunResult reference = solve(problem + Words{"algorithm.use=proximal-gradient", "stop.gap=1e-12"});
    for (const Words& method : methods) {
      CAPTURE(set + ' ' + method.front());
      const RunResult r = solve(problem + method);
      CHECK_MESSAGE(r.status == Status::iterations, r.failure);
      CHECK(r.violation <= 1e-10);
      CHECK(r.measurement.value <= reference.measurement.value + 1e-10);
    }
  }
  // Two columns that are nearly the same, and steps that are too short: weight goes back and forth between
  // vertices.
  Engine engine(13);
  const TestFolder folder;
  for (int trial = 0; trial < 12; ++trial) {
    std::vector<Values> rows;
    for (int i = 0; i < 10; ++i) {
      rows.push_back(testing::normals(engine, 3));
      rows.back()[0] += 100.0, rows.back()[1] += 100.0;
    }
    folder.put("rows.csv", table(rows));
    const RunResult r =
        solve({"objective.use=linear-model", "objective.data=" + (folder / "rows.csv").string(),
               "set.use=simplex", "set.radius=0.5", "algorithm.use=away-step", "algorithm.step=short",
               "stop.iterations=30000", "trace.on=no"});
    CAPTURE(trial);
    CHECK_MESSAGE(r.status == Status::iterations, r.failure);
    CHECK(r.violation <= 1e-10);
  }
  const RunResult blocks = solve(small + Words{"set.use=product", "set.sizes=2 2", "set.blocks.1.use=simplex",
                                               "set.blocks.1.radius=1", "set.blocks.2.use=l1-ball",
                                               "set.blocks.2.radius=0.5", "algorithm.use=bcfw"});
  CHECK_MESSAGE(blocks.status == Status::iterations, blocks.failure);
  CHECK(blocks.violation <= 1e-10);
  CHECK(blocks.measurement.gap <= 1e-3);
}

TEST_CASE("wrong ends: terms whose points differ by rounding have a point in common") {
  Engine engine(9);
  const Shape shape = Shape::vector(8);
  const std::vector<std::vector<Case>> together{
      {set("simplex", {"radius=1"}), set("box", {"lower=0", "upper=0.5"})},
      {set("box", {"lower=0", "upper=0.5"}), set("simplex", {"radius=1"})},
      {set("l2-ball", {"radius=1"}), set("l1-ball", {"radius=1.5"})},
      {set("simplex", {"radius=2"}), set("l2-ball", {"radius=1"}), set("box", {"lower=0", "upper=1"})},
      {penalty("nonnegative", {}), penalty("l1", {"lambda=0.3"})},
      {penalty("l1", {"lambda=0.3"}), penalty("nonnegative", {})},
      {penalty("box", {"lower=0", "upper=1e-3"}), penalty("tv", {"lambda=0.5"}),
       penalty("l1", {"lambda=0.1"})},
      {penalty("nonnegative", {}), set("l2-ball", {"radius=1e-6"})},
      {penalty("box", {"lower=0.25", "upper=inf"}), penalty("group", {"lambda=0.5", "groups=2"})}};
  for (const auto& cases : together) {
    std::vector<std::shared_ptr<Component>> components;
    std::vector<ProximalOracle*> terms;
    std::string text;
    for (const Case& c : cases)
      components.push_back(c.make()), terms.push_back(query<ProximalOracle>(*components.back())),
          text += c.text() + "; ";
    CAPTURE(text);
    for (const double scale : {1e-12, 1e-6, 1.0, 1e4, 1e8, 1e12})
      for (int trial = 0; trial < 3; ++trial) {
        CAPTURE(scale);
        const Values v = random_point(engine, shape, scale);
        Element x;
        Certificate certificate;
        std::string failure;
        try {
          certificate = apply_sum(terms, Element::dense(shape, v), 1.0, x, {}, "sum");
        } catch (const Error& error) {
          failure = error.what();
        }
        CHECK_MESSAGE(failure.empty(), failure);
        if (!failure.empty()) continue;
        for (ProximalOracle* h : terms) CHECK(std::isfinite(h->value(x)));
        // A bound that is proved holds against the point that more steps come to.
        Element best;
        const auto proof =
            ProximalSum(terms).apply(Element::dense(shape, v), 1.0, best,
                                     [](const Element&, const ProximalSum::Proof&) { return false; });
        CHECK(distance(x.to_dense(), best.to_dense()) <= certificate.error + proof.error + 1e-9 * norm(best));
      }
  }
}

TEST_CASE("wrong ends: an oracle's value is compared with what a gradient of rounding can say") {
  Engine engine(10);
  const TestFolder folder;
  for (int trial = 0; trial < 40; ++trial) {
    Values a = testing::normals(engine, 30), c = testing::normals(engine, 30);
    std::vector<Values> rows;
    for (const double entry : a) rows.push_back({entry, 0.0});
    folder.put("rows.csv", table(rows));
    double sum = 0.0;
    for (std::size_t i = 0; i + 1 < 30; ++i) sum += c[i] * a[i];
    c.back() = -sum / a.back();  // A'c is 0 but for rounding
    const Composition of = compose(
        build_catalog(), spec_of({"objective.use=linear-model",
                                  "objective.data=" + (folder / "rows.csv").string(), "stop.iterations=1"}));
    const MapPtr map = query<LossOfImage>(*of.objective)->map();
    const Element direction = Element::adjoint(map, Buffer(Values(c)));
    for (const std::string engine_name : {"arpack", "lanczos", "dense"}) {
      CAPTURE(engine_name);
      const auto ball = create_component(build_catalog(), Kind::set, "nuclear-ball",
                                         {{"radius", "1", {}, {}}, {"engine", engine_name, {}, {}}}, {});
      auto ledger = std::make_shared<Ledger>();
      WatchedLinearOracle watched(*query<LinearOracle>(*ball), query<Membership>(*ball),
                                  Watch{Kind::set, "set/nuclear-ball", ledger});
      Element vertex;
      CHECK_NOTHROW((void)watched.minimize(direction, {1e-3, false}, vertex));
    }
  }
}

TEST_CASE("wrong ends: flows in graphs with cycles are measured, whatever the sign of a cycle's cost") {
  const Words graph{"set.use=flow",
                    "set.graph=1 2; 2 3; 3 6; 1 4; 4 5; 5 6; 1 3; 1 6; 2 4; 2 6; 3 2; 3 4; 4 2; 4 6",
                    "set.source=1", "set.target=6"};
  Engine engine(11);
  const TestFolder folder;
  for (int trial = 0; trial < 40; ++trial) {
    const Values v = testing::normals(engine, 14);
    std::vector<Values> rows;
    for (std::size_t i = 0; i < 14; ++i) {
      rows.emplace_back(15, 0.0);
      rows.back()[i] = 1.0, rows.back()[14] = v[i];
    }
    folder.put("rows.csv", table(rows));
    const Words problem =
        Words{"objective.use=linear-model", "objective.data=" + (folder / "rows.csv").string()} + graph;
    const RunResult projected =
        solve(problem + Words{"algorithm.use=proximal-gradient", "stop.gap=1e-9", "stop.iterations=2000"});
    const RunResult vertices =
        solve(problem + Words{"algorithm.use=blended-pairwise", "stop.gap=1e-7", "stop.iterations=5000"});
    CHECK_MESSAGE(projected.status == Status::gap, projected.failure);
    CHECK_MESSAGE(vertices.status == Status::gap, vertices.failure);
    CHECK(projected.measurement.confirmed);
    CHECK(std::abs(projected.measurement.value - vertices.measurement.value) <= 2e-7);
  }
}

TEST_CASE("wrong ends: the model of the intercept alone is found where it is the start, to rounding") {
  Engine engine(12);
  const TestFolder folder;
  const auto composed = [&](const std::vector<Values>& rows, const std::string& loss) {
    folder.put("rows.csv", table(rows));
    const Words words{"objective.use=linear-model",
                      "objective.data=" + (folder / "rows.csv").string(),
                      "objective.loss=" + loss,
                      "objective.intercept=yes",
                      "penalty.use=l1",
                      "penalty.lambda=0.1*max",
                      "stop.residual=1e-6",
                      "stop.iterations=20000"};
    return refusal(ErrorKind::numerical, [&] { CHECK(is_target(solve(words).status)); });
  };
  for (int classes = 2; classes <= 10; ++classes)
    for (const int each : {1, 3, 7, 50}) {
      std::vector<Values> rows;
      for (int i = 0; i < classes * each; ++i) {
        rows.push_back(testing::normals(engine, 4));
        rows.back().push_back(i % classes);
      }
      CAPTURE(classes);
      CAPTURE(each);
      CHECK(composed(rows, "multinomial") == "accepted");
    }
  for (const double scale : {1e-6, 1.0, 1e6}) {
    std::vector<Values> rows;
    double sum = 0.0;
    for (int i = 0; i < 31; ++i) {
      rows.push_back(testing::normals(engine, 5));
      rows.back()[4] *= scale, sum += rows.back()[4];
    }
    for (Values& row : rows) row[4] -= sum / 31.0;
    CHECK(composed(rows, "squared") == "accepted");
  }
}

TEST_CASE("wrong ends: a working set that is solved to rounding makes no more inner steps") {
  const Words words{"objective.use=linear-model",
                    "data.use=synthetic-regression",
                    "data.rows=80",
                    "data.cols=40",
                    "data.nonzero=5",
                    "data.seed=4",
                    "data.correlation=0.3",
                    "penalty.use=l1",
                    "penalty.lambda=0.05*max",
                    "algorithm.use=working-set",
                    "trace.on=no"};
  for (const std::string inner : {"coordinate-descent", "proximal-gradient", "prox-newton"}) {
    CAPTURE(inner);
    const auto work = [&](int steps) {
      const Counts counts =
          solve(words + Words{"algorithm.inner.use=" + inner, "stop.iterations=" + std::to_string(steps)})
              .counts;
      return counts.partial_sfo / 80 + counts.coordinate_steps / 10;
    };
    // 40 rounds, of which the first 20 have solved the problem to the last bit.
    CHECK(work(60) - work(20) <= 40 * 110);
  }
}

}  // namespace claros::test::wrong_ends

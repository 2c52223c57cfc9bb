// SPDX-License-Identifier: BSD-3-Clause
// Exclusive lasso, groups that nest and groups that overlap: proximal steps against their conditions of
// optimality and against other ways to the same point; norms against their definitions.
#include "convex_cases.hpp"

// A namespace of its own: several files of tests are compiled as one.
namespace claros::test::nested_groups {

namespace {

using Numbers = std::vector<double>;
using Group = std::vector<std::size_t>;

double length(const Numbers& x) { return std::sqrt(dot(x, x)); }

Numbers part(const Numbers& x, const Group& group) {
  Numbers mine;
  for (const std::size_t j : group) mine.push_back(x[j]);
  return mine;
}

std::string text(const std::vector<Group>& groups) {
  std::string all = "groups=";
  for (const Group& group : groups) {
    for (const std::size_t j : group) all += std::to_string(j) + ' ';
    all += "; ";
  }
  return all.substr(0, all.size() - 2);
}

/// min t sum_g w_g ||x_g|| + ||x - v||^2 / 2 by ascent on the dual, one group at a time, for groups of any
/// kind: x = v - sum_g u_g, ||u_g|| <= t w_g.
Numbers by_blocks(const Numbers& v, const std::vector<Group>& groups, double t) {
  std::vector<Numbers> u(groups.size());
  Numbers x = v;
  for (std::size_t g = 0; g < groups.size(); ++g) u[g].assign(groups[g].size(), 0.0);
  for (int sweep = 0; sweep < 20000; ++sweep)
    for (std::size_t g = 0; g < groups.size(); ++g) {
      Numbers free = part(x, groups[g]);
      for (std::size_t k = 0; k < free.size(); ++k) free[k] += u[g][k];
      const double shrink = std::min(1.0, t / length(free));
      for (std::size_t k = 0; k < free.size(); ++k) {
        u[g][k] = shrink * free[k];
        x[groups[g][k]] = free[k] - u[g][k];
      }
    }
  return x;
}

/// The same of latent groups: min ||v - sum_g z_g||^2 / 2 + t sum_g ||z_g||, one group at a time.
Numbers latent_by_blocks(const Numbers& v, const std::vector<Group>& groups, double t) {
  std::vector<Numbers> z(groups.size());
  Numbers rest = v;
  for (std::size_t g = 0; g < groups.size(); ++g) z[g].assign(groups[g].size(), 0.0);
  for (int sweep = 0; sweep < 20000; ++sweep)
    for (std::size_t g = 0; g < groups.size(); ++g) {
      Numbers free = part(rest, groups[g]);
      for (std::size_t k = 0; k < free.size(); ++k) free[k] += z[g][k];
      const double keep = std::max(0.0, 1.0 - t / length(free));
      for (std::size_t k = 0; k < free.size(); ++k) {
        z[g][k] = keep * free[k];
        rest[groups[g][k]] = free[k] - z[g][k];
      }
    }
  return combined(1.0, v, -1.0, rest);
}

const std::vector<Group> kTree{{4, 5}, {0, 1, 2, 3, 4, 5}, {0, 1, 2}, {6}, {6, 7, 8, 9}, {10, 11}, {1}};
const std::vector<Group> kOverlaps{{0, 1, 2, 3}, {3, 4, 5}, {5, 6, 7, 0}, {8, 9}, {9, 10, 11}, {2, 6, 10}};

}  // namespace

TEST_CASE("exclusive: the step is the one level of its group, by bisection too") {
  Engine engine(51);
  const auto h = penalty("exclusive", {"lambda=0.6", "groups=4", "weights=sqrt"}).make();
  for (int trial = 0; trial < 100; ++trial) {
    Numbers v = testing::normals(engine, 8);
    for (double& value : v) value *= std::pow(10.0, trial % 7 - 3);
    if (trial % 5 == 0) v[1] = v[2], v[3] = 0.0;
    const double step = trial % 2 ? 0.3 : 40.0, a = step * 0.6 * 2.0;
    const Numbers x = prox(*query<ProximalOracle>(*h), Shape::vector(8), v, step);
    for (std::size_t at : {0, 4}) {
      double low = 0.0, high = 1e12;
      for (int halving = 0; halving < 200; ++halving) {
        const double level = 0.5 * (low + high);
        double sum = 0.0;
        for (std::size_t k = at; k < at + 4; ++k) sum += std::max(std::abs(v[k]) - level, 0.0);
        (a * sum > level ? low : high) = level;
      }
      for (std::size_t k = at; k < at + 4; ++k)
        CHECK(x[k] ==
              doctest::Approx(std::copysign(std::max(std::abs(v[k]) - low, 0.0), v[k])).epsilon(1e-10));
    }
  }
  CHECK(query<ProximalOracle>(*h)->value(Element::dense(Shape::vector(4), {1.0, -2.0, 0.0, 0.5})) ==
        doctest::Approx(0.3 * 2.0 * 3.5 * 3.5));
}

TEST_CASE("exclusive: all tests of the kit, and runs of every algorithm of blocks end at one solution") {
  for (const Words& groups : group_options(Shape::vector(12)))
    check_conformance(penalty("exclusive", Words{"lambda=0.5"} + groups), Shape::vector(12), {});
  check_conformance(penalty("exclusive", {"lambda=0.5", "groups=rows"}), Shape::matrix(3, 8), {});
  const Words words{"data.use=synthetic-regression",
                    "data.rows=60",
                    "data.cols=20",
                    "data.nonzero=6",
                    "data.seed=2",
                    "objective.use=linear-model",
                    "penalty.use=exclusive",
                    "penalty.lambda=0.1",
                    "penalty.groups=5",
                    "stop.gap=1e-10",
                    "stop.iterations=100000"};
  const double expected = solve(words + Words{"algorithm.use=proximal-gradient"}).measurement.value;
  for (const Words& more : {Words{"algorithm.use=coordinate-descent"}, {"algorithm.use=working-set"}}) {
    const RunResult r = solve(words + more);
    CHECK(r.status == Status::gap);
    CHECK(r.measurement.value == doctest::Approx(expected).epsilon(1e-9));
    const Numbers x = r.answer.to_dense();
    for (std::size_t g = 0; g < 20; g += 5)  // every group keeps an entry
      CHECK(std::any_of(x.begin() + static_cast<std::ptrdiff_t>(g),
                        x.begin() + static_cast<std::ptrdiff_t>(g + 5),
                        [](double entry) { return entry != 0.0; }));
  }
}

TEST_CASE("tree-group: one pass is the minimum that ascent on the dual comes to") {
  Engine engine(52);
  const auto h = penalty("tree-group", {"lambda=0.5", text(kTree)}).make();
  int zero = 0;
  for (int trial = 0; trial < 25; ++trial) {
    const Numbers v = testing::normals(engine, 12),
                  x = prox(*query<ProximalOracle>(*h), Shape::vector(12), v, 0.8),
                  expected = by_blocks(v, kTree, 0.4);
    for (std::size_t j = 0; j < 12; ++j) {
      CHECK(std::abs(x[j] - expected[j]) <= 1e-9);
      zero += x[j] == 0.0;
    }
    double sum = 0.0;
    for (const Group& group : kTree) sum += length(part(v, group));
    CHECK(query<ProximalOracle>(*h)->value(Element::dense(Shape::vector(12), v)) ==
          doctest::Approx(0.5 * sum));
    // The dual norm is the least t whose step ends at 0.
    const double norm = query<LambdaMax>(*h)->lambda_max(Element::dense(Shape::vector(12), v));
    for (const double factor : {1.0 - 1e-9, 1.0 + 1e-9}) {
      const auto at = penalty("tree-group", {"lambda=" + print_real(norm * factor), text(kTree)}).make();
      CHECK((length(prox(*query<ProximalOracle>(*at), Shape::vector(12), v, 1.0)) == 0.0) == (factor > 1.0));
    }
  }
  CHECK(zero > 15);
}

TEST_CASE("tree-group: all tests of the kit, disjoint groups are group lasso, and refusals") {
  for (const Words& groups : group_options(Shape::vector(12))) {
    const Numbers v{1, -2, 3, 0.1, 0.2, -0.3, 4, 0, 0, 1, 1, 2};
    const Numbers x = prox(*query<ProximalOracle>(*penalty("tree-group", Words{"lambda=1"} + groups).make()),
                           Shape::vector(12), v, 0.9),
                  y = prox(*query<ProximalOracle>(*penalty("group", Words{"lambda=1"} + groups).make()),
                           Shape::vector(12), v, 0.9);
    for (std::size_t j = 0; j < 12; ++j) CHECK(x[j] == doctest::Approx(y[j]).epsilon(1e-14));
  }
  check_conformance(penalty("tree-group", {"lambda=0.5", text(kTree), "weights=sqrt"}), Shape::vector(12),
                    {});
  check_conformance(penalty("tree-group", {"lambda=0.5", "groups=0-5; 0-1; 2-5"}), Shape::matrix(3, 2), {});
  const auto refused = [](const char* groups) {
    return complaint(
        [&] {
          Element x;
          query<ProximalOracle>(*penalty("tree-group", {"lambda=1", groups}).make())
              ->apply(Element(Shape::vector(6)), 1.0, x, {});
        },
        ErrorKind::usage);
  };
  check_mentions(refused("groups=0-3; 2-5"), {"groups 0 and 1", "share 2 entries", "overlapping-group"});
  check_mentions(refused("groups=0-5; 0-2; 2-3"), {"groups 1 and 2", "share 1 entries"});
  check_mentions(refused("groups=0-3; 2-3"), {"entry 4", "no group"});
  check_mentions(refused("groups=0-3, 2; 4 5"), {"entry 2", "twice"});
}

TEST_CASE("overlapping-group: the step is the one of descent over latent parts, and proves its accuracy") {
  Engine engine(53);
  const Shape shape = Shape::vector(12);
  const auto h = penalty("overlapping-group", {"lambda=0.5", text(kOverlaps)}).make();
  auto& oracle = *query<ProximalOracle>(*h);
  int zero = 0;
  for (int trial = 0; trial < 40; ++trial) {
    Numbers v = testing::normals(engine, 12);
    if (trial % 4 == 0) v[3] = v[4] = v[5] = 0.0;
    const double step = trial % 3 ? 1.5 : 0.02;
    Element answer;
    const Certificate c = oracle.apply(Element::dense(shape, v), step, answer, {});
    const Numbers x = answer.to_dense(), expected = latent_by_blocks(v, kOverlaps, 0.5 * step);
    for (std::size_t j = 0; j < 12; ++j) {
      CHECK(std::abs(x[j] - expected[j]) <= 1e-8);
      zero += x[j] == 0.0;
    }
    CHECK(std::sqrt(squared_distance(x, expected)) <= c.error + 1e-9);
    CHECK(c.error <= 1e-6 * (1.0 + length(v)));
    // v - x lies in the dual ball, and the value is attained there: h(x) = <v - x, x> / step.
    const Numbers s = combined(1.0, v, -1.0, x);
    for (const Group& group : kOverlaps) CHECK(length(part(s, group)) <= 0.5 * step * (1.0 + 1e-8));
    CHECK(oracle.value(answer) == doctest::Approx(dot(s, x) / step).epsilon(1e-7));
  }
  CHECK(zero > 50);
}

TEST_CASE("overlapping-group: the value is the least sum over parts, in any units, and a norm") {
  Engine engine(54);
  const Shape shape = Shape::vector(12);
  const auto h = penalty("overlapping-group", {"lambda=1", text(kOverlaps), "weights=sqrt"}).make();
  auto& oracle = *query<ProximalOracle>(*h);
  const auto value = [&](const Numbers& x) { return oracle.value(Element::dense(shape, x)); };
  for (int trial = 0; trial < 30; ++trial) {
    // Of points made of s with ||s_g|| <= w_g the value is known: sum_g nu_g w_g^2 where ||s_g|| = w_g.
    Numbers s = testing::normals(engine, 12), x(12, 0.0);
    double most = 0.0;
    std::size_t steep = 0;
    for (std::size_t g = 0; g < kOverlaps.size(); ++g)
      if (const double norm =
              length(part(s, kOverlaps[g])) / std::sqrt(static_cast<double>(kOverlaps[g].size()));
          norm > most)
        most = norm, steep = g;
    for (const std::size_t j : kOverlaps[steep]) x[j] = 2.0 * s[j] / most;
    CHECK(value(x) == doctest::Approx(2.0 * static_cast<double>(kOverlaps[steep].size())).epsilon(1e-12));
    const Numbers a = testing::normals(engine, 12), b = testing::normals(engine, 12);
    CHECK(value(combined(1.0, a, 1.0, b)) <= (value(a) + value(b)) * (1.0 + 1e-12));
    for (const double unit : {1e-200, 1e-3, 1e150})
      CHECK(value(combined(unit, a, 0.0, a)) == doctest::Approx(unit * value(a)).epsilon(1e-12));
    // Any parts give an upper bound, any s of the dual ball a lower one.
    double parts = 0.0;
    Numbers covered(12, 0.0);
    for (const Group& group : kOverlaps) {
      Numbers mine;
      for (const std::size_t j : group)
        if (covered[j] == 0.0) mine.push_back(a[j]), covered[j] = 1.0;
      parts += std::sqrt(static_cast<double>(group.size())) * length(mine);
    }
    CHECK(value(a) <= parts * (1.0 + 1e-12));
    CHECK(value(a) >= dot(a, s) / most * (1.0 - 1e-12));
  }
}

TEST_CASE("overlapping-group: all tests of the kit, disjoint groups are group lasso, and many equal groups") {
  for (const Words& groups : group_options(Shape::vector(12)))
    check_conformance(penalty("overlapping-group", Words{"lambda=0.5"} + groups), Shape::vector(12), {});
  for (const std::string& groups :
       {text(kOverlaps), text(kTree), std::string("groups=0-11; 0-11; 0-5; 5-11; 0-11")})
    check_conformance(penalty("overlapping-group", {"lambda=0.5", groups, "weights=sqrt"}), Shape::vector(12),
                      {});
  const Numbers v{1, -2, 3, 0.1, 0.2, -0.3, 4, 0, 0, 1, 1, 2};
  const Numbers x = prox(
                    *query<ProximalOracle>(*penalty("overlapping-group", {"lambda=1", "groups=3"}).make()),
                    Shape::vector(12), v, 0.9),
                y = prox(*query<ProximalOracle>(*penalty("group", {"lambda=1", "groups=3"}).make()),
                         Shape::vector(12), v, 0.9);
  for (std::size_t j = 0; j < 12; ++j) CHECK(x[j] == doctest::Approx(y[j]).epsilon(1e-12));
}

TEST_CASE("overlapping-group: a chain of 100 groups, and 60 groups at random, prove 1e-7 at any step") {
  Engine engine(56);
  std::vector<Group> chain, any;
  for (std::size_t g = 0; g < 100; ++g) {
    chain.emplace_back(10);
    std::iota(chain.back().begin(), chain.back().end(), 7 * g);
  }
  for (std::size_t g = 0; g < 60; ++g) {
    Group group;
    for (std::size_t j = 0; j < 120; ++j)
      if (j % 60 == g || engine() % 10 == 0) group.push_back(j);
    any.push_back(group);
  }
  for (const auto& [groups, size] : {std::pair{chain, 703}, {any, 120}}) {
    const Shape shape = Shape::vector(size);
    const auto h = penalty("overlapping-group", {"lambda=1", text(groups)}).make();
    auto& oracle = *query<ProximalOracle>(*h);
    for (const double step : {0.01, 1.0, 2.5, 3.5}) {
      const Numbers v = testing::normals(engine, size);
      Element x;
      const Certificate c = oracle.apply(Element::dense(shape, v), step, x, {});
      CAPTURE(step);
      CHECK(c.error <= 1e-7 * length(v));
      const Numbers s = combined(1.0, v, -1.0, x.to_dense());
      for (const Group& group : groups) CHECK(length(part(s, group)) <= step * (1.0 + 1e-9));
      CHECK(oracle.value(x) == doctest::Approx(dot(s, x.to_dense()) / step).epsilon(1e-9));
    }
  }
}

TEST_CASE("overlapping-group: a run has the value of group lasso on repeated columns, with a verified gap") {
  Engine engine(55);
  const TestFolder folder;
  std::string plain, repeated;
  for (int i = 0; i < 40; ++i) {
    const Numbers a = testing::normals(engine, 12);
    const double y = 2.0 * a[3] - a[4] + 1.5 * a[5] + 0.3 * testing::normals(engine, 1)[0];
    for (const double value : a) plain += print_real(value) + ',';
    for (const Group& group : kOverlaps)
      for (const std::size_t j : group) repeated += print_real(a[j]) + ',';
    plain += print_real(y) + '\n', repeated += print_real(y) + '\n';
  }
  std::string groups = "penalty.groups=";
  std::size_t first = 0;
  for (const Group& group : kOverlaps) {
    groups += (first ? "; " : "") + std::to_string(first) + "-" + std::to_string(first + group.size() - 1);
    first += group.size();
  }
  const Words common{"objective.use=linear-model", "penalty.lambda=0.3", "penalty.weights=sqrt",
                     "stop.relative_gap=1e-8", "stop.iterations=100000"};
  const RunResult expected =
                      solve(common + Words{"objective.data=" + folder.put("repeated.csv", repeated).string(),
                                           "penalty.use=group", groups}),
                  found =
                      solve(common + Words{"objective.data=" + folder.put("plain.csv", plain).string(),
                                           "penalty.use=overlapping-group", "penalty." + text(kOverlaps)});
  CHECK(is_target(found.status));
  CHECK(found.measurement.confirmed);
  CHECK(found.measurement.value == doctest::Approx(expected.measurement.value).epsilon(1e-7));
  for (const std::string estimator : {"saga", "svrg"}) {
    const RunResult r = solve(common + Words{"objective.data=" + (folder / "plain.csv").string(),
                                             "penalty.use=overlapping-group", "penalty." + text(kOverlaps),
                                             "estimator.use=" + estimator});
    CHECK(is_target(r.status));
    CHECK(r.measurement.value == doctest::Approx(expected.measurement.value).epsilon(1e-7));
  }
}

}  // namespace claros::test::nested_groups

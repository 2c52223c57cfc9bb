// SPDX-License-Identifier: BSD-3-Clause
// Values of penalties on a matrix of three columns by plain loops, with every option away from its default;
// the lambda from which 0 is the solution; how far each is from convex; and a penalty used on several shapes.
#include "convex_cases.hpp"

#include <functional>

namespace claros::test::penalty_definitions {

namespace {

using Numbers = std::vector<double>;
constexpr std::size_t kRows = 4, kCols = 3, kSize = 12;
const Shape kShape = Shape::matrix(4, 3);

/// Column by column.
double at(const Numbers& x, std::size_t i, std::size_t j) { return x[j * kRows + i]; }

double mcp(double t, double lambda, double b) {
  t = std::abs(t);
  return t <= b * lambda ? lambda * t - t * t / (2.0 * b) : 0.5 * b * lambda * lambda;
}
double scad(double t, double lambda, double zeta) {
  t = std::abs(t);
  if (t <= lambda) return lambda * t;
  if (t <= zeta * lambda) return (2.0 * zeta * lambda * t - t * t - lambda * lambda) / (2.0 * (zeta - 1.0));
  return 0.5 * (zeta + 1.0) * lambda * lambda;
}
double down(const Numbers& x, std::size_t i, std::size_t j) {
  return i + 1 < kRows ? at(x, i + 1, j) - at(x, i, j) : 0.0;
}
double right(const Numbers& x, std::size_t i, std::size_t j) {
  return j + 1 < kCols ? at(x, i, j + 1) - at(x, i, j) : 0.0;
}
template <class F>
double over_entries(F f) {
  double sum = 0.0;
  for (std::size_t j = 0; j < kCols; ++j)
    for (std::size_t i = 0; i < kRows; ++i) sum += f(i, j);
  return sum;
}
template <class F>
std::function<double(const Numbers&)> each(F f) {
  return [f](const Numbers& x) {
    double sum = 0.0;
    for (std::size_t k = 0; k < x.size(); ++k) sum += f(x[k], k);
    return sum;
  };
}

using Groups = std::vector<std::vector<std::size_t>>;
const Groups kGroups{{3, 0, 7}, {1, 2, 4, 5, 6}, {8, 11}, {9, 10}},
    kByRows{{0, 4, 8}, {1, 5, 9}, {2, 6, 10}, {3, 7, 11}},
    kByColumns{{0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9, 10, 11}};
const std::string kLists = "groups=3, 0 7; 1-2 4 5-6; 8, 11; 9-10";

double length(const Numbers& x, const std::vector<std::size_t>& group) {
  double sum = 0.0;
  for (const std::size_t k : group) sum += x[k] * x[k];
  return std::sqrt(sum);
}
double largest(const Numbers& x, const std::vector<std::size_t>& group) {
  double most = 0.0;
  for (const std::size_t k : group) most = std::max(most, std::abs(x[k]));
  return most;
}
double magnitudes(const Numbers& x, const std::vector<std::size_t>& group) {
  double sum = 0.0;
  for (const std::size_t k : group) sum += std::abs(x[k]);
  return sum;
}
/// sum_g f(x, g, sqrt(size))
template <class F>
std::function<double(const Numbers&)> over(const Groups& groups, F f) {
  return [groups, f](const Numbers& x) {
    double sum = 0.0;
    for (const auto& group : groups) sum += f(x, group, std::sqrt(static_cast<double>(group.size())));
    return sum;
  };
}
double norm_squared(const Numbers& x) { return dot(x, x); }

struct Definition {
  Case made;
  std::function<double(const Numbers&)> value;
  double weak_convexity = 0.0;
};

const std::string kWeights = "weights=0.5,1,2,0.25,3,1,0,1,0.7,1.5,1,4";
const Numbers kOfEntries{0.5, 1, 2, 0.25, 3, 1, 0, 1, 0.7, 1.5, 1, 4};

std::vector<Definition> definitions() {
  const auto w = [](std::size_t k) { return kOfEntries[k]; };
  // Weights of Benjamini and Hochberg at q = 0.3: Phi^-1(1 - k q / 24), over the first.
  const Numbers bh{2.24140272760495, 1.95996398454005, 1.78046434169203, 1.64485362695147,
                   1.53412054435254, 1.43953147093846, 1.35631174515556, 1.2815515655446,
                   1.21333962248852, 1.15034938037601, 1.09162036646479, 1.03643338949379};
  return {
      {penalty("l1", {"lambda=0.4", kWeights}),
       each([=](double t, std::size_t k) { return 0.4 * w(k) * std::abs(t); })},
      {penalty("elastic-net", {"lambda=0.4", "ratio=0.3", kWeights}),
       each([=](double t, std::size_t k) { return 0.4 * w(k) * (0.3 * std::abs(t) + 0.35 * t * t); })},
      {penalty("ridge", {"lambda=0.4", kWeights}),
       each([=](double t, std::size_t k) { return 0.2 * w(k) * t * t; })},
      {penalty("mcp", {"lambda=0.4", "b=1.7", kWeights}),
       each([=](double t, std::size_t k) { return w(k) > 0 ? mcp(t, 0.4 * w(k), 1.7) : 0.0; }), 1.0 / 1.7},
      {penalty("scad", {"lambda=0.4", "zeta=2.6", kWeights}),
       each([=](double t, std::size_t k) { return w(k) > 0 ? scad(t, 0.4 * w(k), 2.6) : 0.0; }), 1.0 / 1.6},
      {penalty("log-sum", {"lambda=0.4", "epsilon=0.3", kWeights}),
       each([=](double t, std::size_t k) { return 0.4 * w(k) * std::log(1.0 + std::abs(t) / 0.3); }),
       4.0 * 0.4 / 0.09},
      {penalty("log-sum", {"lambda=0.4", "epsilon=0.3"}),
       each([](double t, std::size_t) { return 0.4 * std::log(1.0 + std::abs(t) / 0.3); }), 0.4 / 0.09},
      {penalty("capped-l1", {"lambda=0.4", "theta=0.6", kWeights}),
       each([=](double t, std::size_t k) { return 0.4 * w(k) * std::min(std::abs(t), 0.6); }), kInfinity},
      {penalty("l0", {"lambda=0.4"}), each([](double t, std::size_t) { return t != 0.0 ? 0.4 : 0.0; }),
       kInfinity},
      {penalty("group", {"lambda=0.7", kLists, "weights=sqrt"}),
       over(kGroups, [](const Numbers& x, const auto& g, double root) { return 0.7 * root * length(x, g); })},
      {penalty("group", {"lambda=0.7", "groups=rows", "norm=linf", "weights=sqrt"}),
       over(kByRows,
            [](const Numbers& x, const auto& g, double root) { return 0.7 * root * largest(x, g); })},
      {penalty("group", {"lambda=0.7", kLists, "weights=sqrt", "norm=linf", "ratio=0.6"}),
       [](const Numbers& x) {
         return over(kGroups, [](const Numbers& y, const auto& g,
                                 double root) { return 0.42 * root * largest(y, g); })(x) +
                0.5 * 0.28 * norm_squared(x);
       }},
      {penalty("group", {"lambda=0.7", "groups=columns", "weights=sqrt", "ratio=0.6"}),
       [](const Numbers& x) {
         return over(kByColumns, [](const Numbers& y, const auto& g,
                                    double root) { return 0.42 * root * length(y, g); })(x) +
                0.5 * 0.28 * norm_squared(x);
       }},
      {penalty("sparse-group", {"lambda=0.7", "ratio=0.4", kLists, "weights=sqrt"}),
       over(kGroups, [](const Numbers& x, const auto& g,
                        double root) { return 0.28 * magnitudes(x, g) + 0.42 * root * length(x, g); })},
      {penalty("group-mcp", {"lambda=0.7", "b=1.4", "groups=rows", "weights=sqrt"}),
       over(kByRows,
            [](const Numbers& x, const auto& g, double root) { return mcp(length(x, g), 0.7 * root, 1.4); }),
       1.0 / 1.4},
      {penalty("group-scad", {"lambda=0.3", "zeta=2.8", kLists, "weights=sqrt"}),
       over(kGroups,
            [](const Numbers& x, const auto& g, double root) { return scad(length(x, g), 0.3 * root, 2.8); }),
       1.0 / 1.8},
      {penalty("exclusive", {"lambda=0.7", "groups=rows", "weights=sqrt"}),
       over(kByRows, [](const Numbers& x, const auto& g,
                        double root) { return 0.35 * root * std::pow(magnitudes(x, g), 2); })},
      {penalty("tree-group", {"lambda=0.7", "groups=0-11; 0 3 7; 8-10; 9; 2", "weights=sqrt"}),
       over(Groups{{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, {0, 3, 7}, {8, 9, 10}, {9}, {2}},
            [](const Numbers& x, const auto& g, double root) { return 0.7 * root * length(x, g); })},
      {penalty("slope", {"lambda=0.6", "q=0.3"}),
       [bh](const Numbers& x) {
         Numbers sorted;
         for (const double t : x) sorted.push_back(std::abs(t));
         std::sort(sorted.rbegin(), sorted.rend());
         double sum = 0.0;
         for (std::size_t k = 0; k < x.size(); ++k) sum += 0.6 * bh[k] / bh[0] * sorted[k];
         return sum;
       }},
      {penalty("tv", {"lambda=0.6"}),
       [](const Numbers& x) {
         return 0.6 * over_entries([&](std::size_t i, std::size_t j) { return std::abs(down(x, i, j)); });
       }},
      {penalty("tv", {"lambda=0.6", "along=rows"}),
       [](const Numbers& x) {
         return 0.6 * over_entries([&](std::size_t i, std::size_t j) { return std::abs(right(x, i, j)); });
       }},
      {penalty("tv", {"lambda=0.6", "along=both"}),
       [](const Numbers& x) {
         return 0.6 * over_entries([&](std::size_t i, std::size_t j) {
                  return std::abs(down(x, i, j)) + std::abs(right(x, i, j));
                });
       }},
      {penalty("tv", {"lambda=0.6", "along=both", "kind=isotropic"}),
       [](const Numbers& x) {
         return 0.6 * over_entries([&](std::size_t i, std::size_t j) {
                  return std::hypot(down(x, i, j), right(x, i, j));
                });
       }},
      {penalty("fused", {"lambda=0.6", "ratio=0.3"}),
       [](const Numbers& x) {
         return over_entries([&](std::size_t i, std::size_t j) {
           return 0.18 * std::abs(at(x, i, j)) + 0.42 * std::abs(down(x, i, j));
         });
       }},
      {penalty("fused", {"lambda=0.6", "ratio=0.3", "along=rows"}),
       [](const Numbers& x) {
         return over_entries([&](std::size_t i, std::size_t j) {
           return 0.18 * std::abs(at(x, i, j)) + 0.42 * std::abs(right(x, i, j));
         });
       }},
      {penalty("nuclear", {"lambda=0.6"}),
       [](const Numbers& x) {
         double sum = 0.0;
         for (const double s : dense_svd(4, 3, x).s) sum += 0.6 * s;
         return sum;
       }},
      {penalty("rank", {"lambda=0.6"}),
       [](const Numbers& x) {
         double sum = 0.0;
         for (const double s : dense_svd(4, 3, x).s) sum += s > 1e-9 ? 0.6 : 0.0;
         return sum;
       },
       kInfinity},
      {penalty("sum", {"terms.1.use=mcp", "terms.1.lambda=0.3", "terms.1.b=2", "terms.2.use=tv",
                       "terms.2.lambda=0.5", "terms.2.along=rows", "terms.3.use=scad", "terms.3.lambda=0.4",
                       "terms.3.zeta=3"}),
       [](const Numbers& x) {
         return over_entries([&](std::size_t i, std::size_t j) {
           return mcp(at(x, i, j), 0.3, 2.0) + 0.5 * std::abs(right(x, i, j)) + scad(at(x, i, j), 0.4, 3.0);
         });
       },
       0.5 + 0.5},
      {penalty("separable-sum",
               {"lambda=0.5", "sizes=5 7", "blocks.1.use=scad", "blocks.1.lambda=0.4", "blocks.1.zeta=3",
                "blocks.2.use=mcp", "blocks.2.lambda=0.3", "blocks.2.b=4"}),
       each([](double t, std::size_t k) { return 0.5 * (k < 5 ? scad(t, 0.4, 3.0) : mcp(t, 0.3, 4.0)); }),
       0.5 * 0.5}};
}

std::vector<Numbers> points() {
  Engine engine(31);
  std::vector<Numbers> all{{0.3, -1.2, 0.0, 2.5, 0.7, 0.7, -0.05, 0.0, -3.1, 1.0, 0.2, -0.4},
                           Numbers(kSize, 0.0),
                           Numbers(kSize, -0.8)};
  for (int k = 0; k < 3; ++k) all.push_back(random_point(engine, kShape, std::pow(10.0, k - 1)));
  return all;
}

/// The same with this lambda.
Case with_lambda(Case c, double lambda) {
  for (std::string& word : c.options)
    if (word.starts_with("lambda=")) word = "lambda=" + print_real(lambda);
  return c;
}

}  // namespace

TEST_CASE("penalty definitions: values by plain loops, on three columns, and how far from convex") {
  for (const Definition& d : definitions()) {
    CAPTURE(d.made.text());
    const auto component = d.made.make();
    auto& h = *query<ProximalOracle>(*component);
    const Shape shape = d.made.name == "separable-sum" ? Shape::vector(kSize) : kShape;
    for (const Numbers& x : points())
      CHECK(h.value(Element::dense(shape, x)) == doctest::Approx(d.value(x)).epsilon(1e-10));
    if (d.weak_convexity < kInfinity)
      CHECK(h.weak_convexity() == doctest::Approx(d.weak_convexity).epsilon(1e-12));
    else
      CHECK(h.weak_convexity() == kInfinity);
  }
}

TEST_CASE("penalty definitions: a proximal step is no worse than any of many points, by the plain value") {
  Engine engine(32);
  for (const Definition& d : definitions()) {
    CAPTURE(d.made.text());
    const auto component = d.made.make();
    auto& h = *query<ProximalOracle>(*component);
    const Shape shape = d.made.name == "separable-sum" ? Shape::vector(kSize) : kShape;
    const double step = d.weak_convexity > 0.0 && d.weak_convexity < kInfinity ? 0.6 / d.weak_convexity : 0.6;
    for (const double size : {0.5, 3.0}) {
      const Numbers v = random_point(engine, shape, size);
      Element answer;
      (void)h.apply(Element::dense(shape, v), step, answer, {1e-10});
      const Numbers x = answer.to_dense();
      const auto cost = [&](const Numbers& y) { return step * d.value(y) + 0.5 * squared_distance(y, v); };
      const double best = cost(x);
      for (int k = 0; k < 200; ++k) {
        Numbers y = combined(1.0, x, std::pow(10.0, -(k % 5)), random_point(engine, shape, 1.0));
        CHECK(best <= cost(y) + 1e-9 * (1.0 + best));
        for (std::size_t e = 0; e < kSize; ++e)  // one entry alone
          if (e != static_cast<std::size_t>(k) % kSize) y[e] = x[e];
        CHECK(best <= cost(y) + 1e-9 * (1.0 + best));
      }
    }
  }
}

TEST_CASE("penalty definitions: from lambda_max on a step from 0 stays there, and below it does not") {
  Engine engine(33);
  std::vector<Case> all;
  for (const Definition& d : definitions())
    if (query<LambdaMax>(*d.made.make())) all.push_back(d.made);
  all.push_back(penalty("group", {"lambda=1", kLists, "weights=sqrt", "nonnegative=yes"}));
  all.push_back(penalty("group", {"lambda=1", kLists, "nonnegative=yes", "norm=linf", "ratio=0.4"}));
  all.push_back(penalty("sparse-group", {"lambda=1", "ratio=0", "groups=rows"}));
  all.push_back(penalty("sparse-group", {"lambda=1", "ratio=1", "groups=rows"}));
  int counted = 0;
  for (const Case& c : all) {
    // A weight of 0 leaves an entry free, which no lambda moves to 0.
    Case positive = c;
    std::erase_if(positive.options, [](const std::string& word) { return word == kWeights; });
    if (positive.options.size() < c.options.size())
      positive.options.push_back("weights=0.5,1,2,0.25,3,1,0.1,1,0.7,1.5,1,4");
    if (c.name == "separable-sum" || c.name == "ridge") continue;  // no norms
    CAPTURE(positive.text());
    for (int trial = 0; trial < 4; ++trial) {
      const Numbers g = random_point(engine, kShape, 2.0);
      const Element gradient = Element::dense(kShape, g);
      const auto made = positive.make();
      const double max = query<LambdaMax>(*made)->lambda_max(gradient);
      REQUIRE(max > 0.0);
      for (const double factor : {0.99, 1.01}) {
        const auto h = with_lambda(positive, factor * max).make();
        const double mu = query<ProximalOracle>(*h)->weak_convexity(), step = mu > 0.0 ? 0.01 / mu : 1.0;
        const Numbers x = prox(*query<ProximalOracle>(*h), kShape, combined(-step, g, 0.0, g), step);
        CHECK((dot(x, x) == 0.0) == (factor > 1.0));
      }
      ++counted;
    }
  }
  CHECK(counted >= 40);
}

TEST_CASE("penalty definitions: a penalty that has seen another shape answers as a new one") {
  Engine engine(34);
  const std::vector<Shape> shapes{Shape::matrix(4, 3), Shape::matrix(3, 4), Shape::matrix(2, 6),
                                  Shape::vector(12),   Shape::matrix(2, 2), Shape::matrix(4, 3)};
  for (const Case& c : {penalty("group", {"lambda=0.7", "groups=rows", "weights=sqrt"}),
                        penalty("group", {"lambda=0.7", "groups=columns", "norm=linf", "rho=1.5"}),
                        penalty("sparse-group", {"lambda=0.7", "ratio=0.4", "groups=rows"}),
                        penalty("group-mcp", {"lambda=0.5", "groups=2", "weights=sqrt"}),
                        penalty("group-scad", {"lambda=0.5", "groups=columns", "weights=sqrt"}),
                        penalty("exclusive", {"lambda=0.5", "groups=rows"}), penalty("slope", {"lambda=0.5"}),
                        penalty("tv", {"lambda=0.5"}), penalty("tv", {"lambda=0.5", "along=rows"}),
                        penalty("tv", {"lambda=0.5", "along=both"}),
                        penalty("tv", {"lambda=0.5", "along=both", "kind=isotropic"}),
                        penalty("fused", {"lambda=0.5", "along=rows"}), penalty("nuclear", {"lambda=0.5"}),
                        penalty("l1", {"lambda=0.5", "rho=1"})}) {
    CAPTURE(c.text());
    const auto used = c.make();
    for (const Shape& shape : shapes) {
      CAPTURE(shape.text());
      const auto fresh = c.make();
      const Element v = Element::dense(shape, random_point(engine, shape, 2.0));
      auto &h = *query<ProximalOracle>(*used), &other = *query<ProximalOracle>(*fresh);
      CHECK(h.value(v) == other.value(v));
      Element x, y;
      const double errors = h.apply(v, 0.2, x, {1e-12}).error + other.apply(v, 0.2, y, {1e-12}).error;
      CAPTURE(errors);
      CHECK(std::sqrt(squared_distance(x.to_dense(), y.to_dense())) <= 1e-6 + errors);
      CHECK(errors <= 0.1);  // the isotropic step may give up early, and says so
      if (auto* conjugate = query<Conjugate>(*used); conjugate && c.name != "tv") {
        CHECK(conjugate->conjugate(v) == query<Conjugate>(*fresh)->conjugate(v));
        CHECK(conjugate->into_domain(v) == doctest::Approx(query<Conjugate>(*fresh)->into_domain(v)));
      }
      if (auto* most = query<LambdaMax>(*used))
        CHECK(most->lambda_max(v) == doctest::Approx(query<LambdaMax>(*fresh)->lambda_max(v)).epsilon(1e-9));
    }
  }
}

}  // namespace claros::test::penalty_definitions

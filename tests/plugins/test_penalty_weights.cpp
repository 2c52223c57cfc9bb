// SPDX-License-Identifier: BSD-3-Clause
// Weights of the entries of a penalty: w_j lambda in the place of lambda, 0 free, inf out.
#include "convex_cases.hpp"

#include <claros/io/memory_data.hpp>

using namespace claros;
using namespace claros::test;

namespace {

const std::vector<Case> kWeighted{
    penalty("l1", {"lambda=0.4"}),       penalty("elastic-net", {"lambda=0.4", "ratio=0.3"}),
    penalty("ridge", {"lambda=0.4"}),    penalty("mcp", {"lambda=0.4"}),
    penalty("scad", {"lambda=0.4"}),     penalty("log-sum", {"lambda=0.4"}),
    penalty("capped-l1", {"lambda=0.4"})};

Case with(Case c, const std::string& option) {
  std::erase_if(c.options, [&](const std::string& word) {
    return word.substr(0, word.find('=')) == option.substr(0, option.find('='));
  });
  c.options.push_back(option);
  return c;
}

struct WeightedProblem {
  static constexpr Index kRows = 50, kCols = 6;
  std::vector<double> a, y;

  explicit WeightedProblem(unsigned seed) {
    Engine engine(seed);
    std::normal_distribution<double> normal;
    for (Index i = 0; i < kRows; ++i) {
      double z = 0.3 * normal(engine);
      for (Index j = 0; j < kCols; ++j) a.push_back(normal(engine)), z += (j % 2 ? 1.0 : -0.5) * a.back();
      y.push_back(z);
    }
  }
  /// A column divided by its weight.
  std::shared_ptr<const Dataset> scaled(const std::vector<double>& w) const {
    std::vector<double> b = a;
    for (std::size_t k = 0; k < b.size(); ++k) b[k] /= w[k % static_cast<std::size_t>(kCols)];
    return data_from_rows(b, kRows, kCols, y);
  }
  Composition composed(const std::shared_ptr<const Dataset>& data, const Words& words) const {
    HostParts parts;
    parts.data = data;
    return compose(build_catalog(), spec_of(Words{"objective.use=linear-model"} + words), parts);
  }
  RunResult solved(const std::shared_ptr<const Dataset>& data, const Words& words) const {
    const Composition c = composed(data, words);
    return run(c, run_settings(c));
  }
};

const std::vector<double> kOnes(6, 1.0);

}  // namespace

TEST_CASE("penalty weights: a free entry costs nothing, also where its square overflows") {
  for (const Case& c : kWeighted) {
    CAPTURE(c.text());
    const auto weighted = with(c, "weights=0,2").make();
    const auto value = [&](double free) {
      return query<ProximalOracle>(*weighted)->value(
          Element::dense(Shape::vector(2), std::vector{free, 0.0}));
    };
    CHECK(value(1e300) == 0.0);
    CHECK(std::isnan(value(std::nan(""))));
  }
}

TEST_CASE("penalty weights: values and steps of an entry are those of w_j lambda") {
  const Shape shape = Shape::vector(4), one = Shape::vector(1);
  const std::vector<double> w{0.5, 1.0, 2.0, 0.25}, v{0.9, -1.4, 2.2, -0.1};
  for (const Case& c : kWeighted) {
    CAPTURE(c.text());
    const auto weighted = with(c, "weights=0.5,1,2,0.25").make();
    auto& h = *query<ProximalOracle>(*weighted);
    const double step = 0.3 / std::max(1.0, std::isfinite(h.weak_convexity()) ? h.weak_convexity() : 1.0);
    const std::vector<double> x = prox(h, shape, v, step);
    double sum = 0.0;
    for (std::size_t j = 0; j < v.size(); ++j) {
      const auto alone = with(c, "lambda=" + print_real(0.4 * w[j])).make();
      auto& of_entry = *query<ProximalOracle>(*alone);
      CHECK(x[j] == prox(of_entry, one, {v[j]}, step).front());
      sum += of_entry.value(Element::dense(one, {v[j]}));
    }
    CHECK(h.value(Element::dense(shape, v)) == doctest::Approx(sum).epsilon(1e-15));
    check_conformance(with(c, "weights=0.5,1,2,0.25"), shape,
                      {"prox-minimal", "prox-step", "prox-subgradient", "weak-convexity", "separable"});
  }
}

TEST_CASE("penalty weights: an entry of weight 0 is free, one of weight inf is 0") {
  const Shape shape = Shape::vector(3);
  for (const Case& c : kWeighted) {
    CAPTURE(c.text());
    const auto made = with(c, "weights=0,inf,1").make();
    auto& h = *query<ProximalOracle>(*made);
    const std::vector<double> x = prox(h, shape, {5.0, 5.0, 0.0}, 0.2);
    CHECK(x == std::vector<double>{5.0, 0.0, 0.0});
    CHECK(h.value(Element::dense(shape, {7.0, 0.0, 0.0})) == 0.0);
    CHECK(h.value(Element::dense(shape, {0.0, 1e-300, 0.0})) == kInfinity);
    CHECK(query<Conjugate>(*made) == nullptr);
  }
}

TEST_CASE("penalty weights: conjugates and restrictions") {
  const Shape shape = Shape::vector(3);
  for (const std::size_t k : {0U, 1U, 2U}) {
    const Case& c = kWeighted[k];
    CAPTURE(c.text());
    check_conformance(with(c, "weights=0.5,3,inf"), shape, {"conjugate"});
    const auto made = with(c, "weights=0.5,3,1").make();
    const std::vector<Index> some{2, 0};
    auto* whole = query<Separable>(*made);
    REQUIRE(whole);
    (void)whole->blocks(shape);
    const auto part = whole->restrict_to(some);
    const auto expected = with(c, "weights=1,0.5").make();
    const Element x = Element::dense(Shape::vector(2), {0.7, -2.0});
    CHECK(query<ProximalOracle>(*part)->value(x) == query<ProximalOracle>(*expected)->value(x));
    CHECK(query<Conjugate>(*part)->conjugate(x) == query<Conjugate>(*expected)->conjugate(x));
  }
}

TEST_CASE("penalty weights: an l1 penalty with weights is one of scaled columns, by every algorithm") {
  const WeightedProblem problem(21);
  const std::vector<double> w{0.5, 3.0, 1.0, 0.2, 2.0, 1.0};
  const Words penalty{"penalty.use=l1", "penalty.lambda=0.05", "stop.relative_gap=1e-10",
                      "stop.iterations=200000"};
  const RunResult scaled = problem.solved(problem.scaled(w), penalty);
  for (const std::string algorithm :
       {"auto", "coordinate-descent", "working-set", "proximal-gradient", "prox-newton"}) {
    CAPTURE(algorithm);
    Words words = penalty + Words{"penalty.weights=0.5,3,1,0.2,2,1"};
    if (algorithm != "auto") words.push_back("algorithm.use=" + algorithm);
    const RunResult r = problem.solved(problem.scaled(kOnes), words);
    CHECK(r.status == Status::relative_gap);
    CHECK(r.measurement.value == doctest::Approx(scaled.measurement.value).epsilon(1e-9));
    const std::vector<double> x = r.answer.to_dense(), u = scaled.answer.to_dense();
    for (std::size_t j = 0; j < x.size(); ++j)
      CHECK(x[j] * w[j] == doctest::Approx(u[j]).epsilon(1e-4).scale(1.0));
  }
}

TEST_CASE("penalty weights: free entries are at their best, and those that are out stay 0") {
  const WeightedProblem problem(22);
  for (const std::string algorithm : {"auto", "coordinate-descent", "working-set", "proximal-gradient"}) {
    CAPTURE(algorithm);
    Words words{"penalty.use=l1",          "penalty.lambda=0.3",  "penalty.weights=0,1,inf,1,0,1",
                "objective.intercept=yes", "stop.residual=1e-10", "stop.iterations=200000"};
    if (algorithm != "auto") words.push_back("algorithm.use=" + algorithm);
    const Composition c = problem.composed(problem.scaled(kOnes), words);
    const RunResult r = run(c, run_settings(c));
    CHECK(r.status == Status::residual);
    const std::vector<double> x = r.answer.to_dense();
    Objective& f = *c.problem().objective;
    Element g(f.shape());
    f.add_gradient(r.answer, Batch::all(), 1.0, g);
    const std::vector<double> slope = g.to_dense();
    for (const std::size_t j : {0U, 4U, 6U}) CHECK(std::abs(slope[j]) <= 1e-8);
    CHECK(x[2] == 0.0);
    CHECK(std::abs(slope[2]) > 1e-3);
  }
}

TEST_CASE("penalty weights: max is that of the entries that count, where the free ones are at their best") {
  const WeightedProblem problem(23);
  const Words words{"penalty.use=l1", "penalty.weights=0,2,inf,0.5,1,1", "objective.intercept=yes",
                    "stop.residual=1e-10", "stop.iterations=200000"};
  const auto counted = [&](const std::string& lambda) {
    const RunResult r = problem.solved(problem.scaled(kOnes), words + Words{"penalty.lambda=" + lambda});
    int nonzeros = 0;
    for (const std::size_t j : {1U, 2U, 3U, 4U, 5U}) nonzeros += r.answer.to_dense()[j] != 0.0;
    CHECK(r.answer.to_dense()[0] != 0.0);
    return nonzeros;
  };
  CHECK(counted("1.0001*max") == 0);
  CHECK(counted("0.99*max") == 1);
}

TEST_CASE("penalty weights: a file, and what is refused") {
  const TestFolder folder;
  const auto file = folder.put("w", "1\n0\n\ninf\n2.5\n");
  const auto made = penalty("l1", {"lambda=1", "weights=" + file.string()}).make();
  auto& h = *query<ProximalOracle>(*made);
  CHECK(h.value(Element::dense(Shape::vector(4), {1.0, 9.0, 0.0, 2.0})) == 6.0);
  const auto refused = [](const Words& options, ErrorKind kind = ErrorKind::usage) {
    return complaint([&] { (void)penalty("l1", Words{"lambda=1"} + options).make(); }, kind);
  };
  check_mentions(refused({"weights=1,-2"}), {"weights", "entry 2 is -2"});
  check_mentions(refused({"weights=1,nan"}), {"weights"});
  check_mentions(refused({"weights=1,x"}), {"weights", "'x'", "no such file"});
  check_mentions(refused({"weights=1,2", "rho=3"}), {"weights", "rho"});
  check_mentions(refused({"weights=1,2", "radius=3"}), {"weights", "radius"});
  check_mentions(complaint(
                     [&] {
                       (void)h.value(Element::dense(Shape::vector(3), {1.0, 9.0, 0.0}));
                     },
                     ErrorKind::usage),
                 {"weights", "4 weights for the 3 entries"});
  folder.put("w", "1\ntwo\n");
  check_mentions(refused({"weights=" + file.string()}), {":2", "'two'"});
}

// SPDX-License-Identifier: BSD-3-Clause
// What only a person can choose: lambda and radius have no default, and lambda may be a fraction of
// lambda_max.
#include "compose_for_test.hpp"

#include <claros/random.hpp>
#include <nlohmann/json.hpp>

using namespace claros;
using namespace claros::test;

namespace {

using Vector = std::vector<double>;

constexpr Index kResponses = 40, kFeatures = 6;

/// A design with responses of one kind in a file.
struct Responses {
  std::vector<Vector> X;
  Vector y;
  TestFolder folder;

  explicit Responses(const std::function<double(double)>& response = [](double z) { return z; }) {
    RandomStream random(11, Purpose::test);
    std::string text;
    for (Index i = 0; i < kResponses; ++i) {
      Vector& row = X.emplace_back(static_cast<std::size_t>(kFeatures));
      random.fill_normal(row);
      row[2] += 0.7;
      y.push_back(response(row[0] - 0.5 * row[4] + 0.6 + 0.3 * random.normal()));
      for (const double entry : row) text += print_real(entry) + ',';
      text += print_real(y.back()) + '\n';
    }
    folder.put("data.csv", text);
  }
  Words words(const Words& more) const {
    return Words{"objective.use=linear-model", "objective.intercept=no", "objective.standardize=no",
                 "objective.data=" + (folder / "data.csv").string(), "algorithm.use=proximal-gradient"} +
           more;
  }
  /// max_j |X' (c - y)|_j / n.
  double largest_slope(double c) const {
    double most = 0.0;
    for (std::size_t j = 0; j < X[0].size(); ++j) {
      double sum = 0.0;
      for (std::size_t i = 0; i < X.size(); ++i) sum += X[i][j] * (c - y[i]);
      most = std::max(most, std::abs(sum) / static_cast<double>(X.size()));
    }
    return most;
  }
};

double largest(const Vector& x, std::size_t count) {
  double most = 0.0;
  for (std::size_t j = 0; j < count; ++j) most = std::max(most, std::abs(x[j]));
  return most;
}

double max_of(const Words& words) {
  const Composition c = compose(build_catalog(), spec_of(words));
  REQUIRE(c.fractions.size() == 1);
  return c.fractions[0].max;
}

}  // namespace

TEST_CASE("chosen values: no built-in penalty has a silent lambda, no set a silent radius") {
  int found = 0;
  for (const auto& [kind, key] : {std::pair{Kind::penalty, "lambda"}, std::pair{Kind::set, "radius"}})
    for (const std::string& name : build_catalog().names(kind)) {
      const PluginEntry& entry = build_catalog().at(kind, name);
      const ParameterInfo* row = entry.parameters().find(key);
      if (!row) continue;
      if (name == "composed") continue;  // a factor of the penalty within, whose own lambda is given
      CAPTURE(name);
      ++found;
      CHECK(row->range.required);
      CHECK(row->fallback.empty());
      CHECK_FALSE(row->range.advice.empty());
      // A host that fills the options itself hears it too.
      CHECK_THROWS_AS((void)Catalog::create(entry, entry.parameters().make().get(), {}), Error);
      CHECK_THROWS_AS((void)create_component(build_catalog(), kind, name, {}, {}), Error);
    }
  CHECK(found == 34);
}

TEST_CASE(
    "chosen values: what is missing is named by its key, with a way to choose, beside all other errors") {
  const Responses p;
  const std::string text =
      composing_refused(p.words({"penalty.use=l1", "set.use=nuclear-ball", "algorithm.stpe=1"}));
  for (const std::string part : {"penalty.lambda", "0.1*max", "set.radius", "sqrt(r m n)", "algorithm.stpe"})
    CHECK_MESSAGE(contains(text, part), text);
  CHECK(contains(composing_refused(p.words({"set.use=l1-ball", "stop.iterations=1"})),
                 "set.radius: is missing"));
  // Once is enough for what was misspelt or is out of range.
  for (const std::string bad : {"penalty.lamda=1", "penalty.lambda=-1"})
    CHECK_FALSE(
        contains(composing_refused(p.words({"penalty.use=l1", bad, "stop.iterations=1"})), "is missing"));
}

TEST_CASE(
    "chosen values: max of the l1 norm is the largest slope at 0, or at the mean of the responses with an "
    "intercept") {
  const Responses p;
  double mean = 0.0;
  for (const double value : p.y) mean += value / kResponses;
  const Words l1{"penalty.use=l1", "penalty.lambda=0.1*max", "stop.iterations=5"};
  CHECK(max_of(p.words(l1)) == doctest::Approx(p.largest_slope(0.0)).epsilon(1e-13));
  CHECK(max_of(p.words(l1 + Words{"objective.intercept=yes"})) ==
        doctest::Approx(p.largest_slope(mean)).epsilon(1e-12));
  CHECK(max_of(p.words(l1 + Words{"penalty.use=elastic-net", "penalty.ratio=0.25"})) ==
        doctest::Approx(p.largest_slope(0.0) / 0.25).epsilon(1e-13));
}

TEST_CASE(
    "chosen values: the number that was used is in the effective specification, and makes the same "
    "bits") {
  const Responses p;
  const TestFolder folder;
  const Composition c = compose(
      build_catalog(), spec_of(p.words({"penalty.use=l1", "penalty.lambda=1/10*max", "stop.iterations=20"})));
  REQUIRE(c.fractions.size() == 1);
  CHECK(c.fractions[0].written == "0.1*max");
  CHECK(c.fractions[0].number == 0.1 * c.fractions[0].max);
  CHECK(c.effective.get("penalty", "lambda")->value == print_real(c.fractions[0].number));
  const RunResult result = run_composition(c);
  const auto json = nlohmann::json::parse(result_json(c, result)).at("fractions").at("penalty.lambda");
  CHECK(json.at("written") == "0.1*max");
  CHECK(json.at("used").get<double>() == c.fractions[0].number);
  CHECK(json.at("max").get<double>() == c.fractions[0].max);
  const Composition again = compose(build_catalog(), c.effective);
  CHECK(again.fractions.empty());
  CHECK(run_composition(again).answer.to_dense() == result.answer.to_dense());
}

TEST_CASE(
    "chosen values: above max the solution is 0 beside the intercept, below it is not, for every loss and "
    "penalty") {
  const auto sign = [](double z) { return z > 0.0 ? 1.0 : -1.0; };
  const auto count = [](double z) { return std::floor(std::exp(std::min(z, 1.5))); };
  struct Case {
    std::string name;
    std::function<double(double)> response;
  };
  const std::vector<Case> losses{{"squared", [](double z) { return z; }},
                                 {"huber", [](double z) { return 3.0 * z; }},
                                 {"logistic", sign},
                                 {"squared-hinge", sign},
                                 {"poisson", count},
                                 {"multinomial", [](double z) {
                                    return z > 0.8 ? 2.0 : z > 0.0 ? 1.0 : 0.0;
                                  }}};
  const std::vector<Words> penalties{{"penalty.use=l1"},
                                     {"penalty.use=elastic-net"},
                                     {"penalty.use=group", "penalty.groups=3", "penalty.weights=sqrt"},
                                     {"penalty.use=sparse-group", "penalty.groups=3", "penalty.ratio=0.4"},
                                     {"penalty.use=scad", "penalty.zeta=40"},
                                     {"penalty.use=mcp", "penalty.b=40"}};
  for (const Case& loss : losses) {
    const Responses p(loss.response);
    for (const Words& penalty : penalties)
      for (const std::string intercept : {"yes", "no"}) {
        CAPTURE(loss.name);
        CAPTURE(penalty[0]);
        CAPTURE(intercept);
        const auto head = [&](const std::string& lambda) {
          const RunResult result = solve(
              p.words(penalty + Words{"objective.loss=" + loss.name, "objective.intercept=" + intercept,
                                      "penalty.lambda=" + lambda, "stop.iterations=400", "trace.on=no"}));
          const Vector x = result.answer.to_dense();
          const std::size_t classes = loss.name == "multinomial" ? 3 : 1;
          return largest(x, x.size() - (intercept == "yes" ? classes : 0));
        };
        CHECK(head("1.001*max") == 0.0);
        CHECK(head("0.97*max") > 0.0);
      }
  }
}

TEST_CASE("chosen values: max of the nuclear norm is the largest singular value of the gradient at 0") {
  const SmallProblem p(602, 20, 13, 2, 120);
  const Words words = p.objective() + Words{"algorithm.use=proximal-gradient", "penalty.use=nuclear",
                                            "penalty.lambda=0.5*max", "stop.iterations=30"};
  const Composition c = compose(build_catalog(), spec_of(words));
  Element g(c.objective->shape());
  c.objective->add_gradient(Element(c.objective->shape()), Batch::all(), 1.0, g);
  const Vector entries = g.to_dense();
  CHECK(c.fractions.at(0).max == doctest::Approx(dense_svd(20, 13, entries).s.front()).epsilon(1e-9));
  const auto size = [&](const std::string& lambda) {
    return solve(words + Words{"penalty.lambda=" + lambda}).answer.to_dense();
  };
  CHECK(largest(size("1.001*max"), 260) == 0.0);
  CHECK(largest(size("0.9*max"), 260) > 0.0);
}

TEST_CASE("chosen values: where max does not exist the error says why") {
  const Responses p;
  const Words steps{"stop.iterations=1"};
  CHECK(contains(composing_refused(p.words(steps + Words{"penalty.use=ridge", "penalty.lambda=0.1*max"})),
                 "no lambda makes 0 the solution"));
  CHECK(contains(composing_refused(p.words(
                     steps + Words{"penalty.use=elastic-net", "penalty.ratio=0", "penalty.lambda=0.1*max"})),
                 "slope 0 at 0"));
  CHECK(contains(composing_refused(p.words(steps + Words{"set.use=l1-ball", "set.radius=0.1*max"})),
                 "no largest useful value"));
  for (const std::string bad : {"0.1*mx", "*max", "inf*max", "-0.1*max", "nan*max"})
    CHECK(contains(composing_refused(p.words(steps + Words{"penalty.use=l1", "penalty.lambda=" + bad})),
                   "penalty.lambda"));
  // scad needs a lambda above 0, and the gradient of 0 responses is 0.
  const Responses zero([](double) { return 0.0; });
  const std::string text =
      composing_refused(zero.words(steps + Words{"penalty.use=scad", "penalty.lambda=0.1*max"}));
  CHECK(contains(text, "penalty.lambda: 0.1*max is 0, with max = 0"));
}

TEST_CASE("chosen values: the step that auto chose is in every row and in the result") {
  const Responses p;
  const Words words =
      p.words({"penalty.use=l1", "penalty.lambda=0.1*max", "stop.iterations=30", "trace.every=1"});
  const Composition c = compose(build_catalog(), spec_of(words));
  const RunResult result = run_composition(c);
  REQUIRE(result.trace.size() == 31);
  CHECK(std::isnan(result.trace.front().step));
  for (std::size_t k = 1; k < result.trace.size(); ++k) CHECK(result.trace[k].step > 0.0);
  CHECK(result.step == result.trace.back().step);
  CHECK(nlohmann::json::parse(result_json(c, result)).at("step").get<double>() == result.step);
  const RunResult constant = solve(words + Words{"algorithm.step=0.0625"});
  CHECK(constant.step == 0.0625);
  const RunResult agnostic = solve(p.words({"set.use=l1-ball", "set.radius=1", "algorithm.use=frank-wolfe",
                                            "algorithm.step=agnostic", "stop.iterations=4"}));
  CHECK(agnostic.step == doctest::Approx(2.0 / 5.0));
}

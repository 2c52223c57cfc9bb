// SPDX-License-Identifier: BSD-3-Clause
// What users of other libraries type: each answer names the right remedy, or means the same.
#include "program.hpp"

#include <nlohmann/json.hpp>

#include <fstream>
#include <iterator>

using namespace claros::test;

namespace {

void put_table(const TestFolder& folder) {
  std::string text = "age,colour,noise,price\n";
  for (int i = 0; i < 30; ++i) {
    const int age = i * 7 % 10, noise = i * 11 % 13;
    const bool red = i % 3 == 0;
    text += std::to_string(age) + (red ? ",red," : ",blue,") + std::to_string(noise) + ',' +
            std::to_string(20 - 2 * age + (red ? 5 : 0)) + '\n';
  }
  folder.put("cars.csv", text);
}

std::string written(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

const Words kCars{"check", "objective.use=linear-model", "objective.data=cars.csv"};
const Words kCarLasso = with(kCars, {"penalty.use=l1", "penalty.lambda=0.1*max"});

/// Words that are refused, and what the answer has to contain.
struct Wrong {
  Words words;
  std::string remedy;
};

std::vector<Wrong> wrong_inputs() {
  const auto algorithm = [](const std::string& name) { return with(kCarLasso, {"algorithm.use=" + name}); };
  const auto more = [](const std::string& word) { return with(kCarLasso, {word}); };
  const auto loss = [](const std::string& name) { return with(kCars, {"objective.loss=" + name}); };
  const auto set = [](const std::string& name) { return with(kCars, {"set.use=" + name, "set.radius=1"}); };
  return {
      {algorithm("adam"), "proximal-gradient with estimator.use=svrg"},
      {algorithm("adagrad"), "leave [algorithm] out"},
      {algorithm("rmsprop"), "no adaptive step sizes"},
      {algorithm("newton-cg"), "prox-newton"},
      {algorithm("drs"), "three-operator"},
      {algorithm("chambolle-pock"), "primal-dual"},
      {algorithm("pdhg"), "primal-dual"},
      {algorithm("ecos"), "no general cone solver"},
      {algorithm("mosek"), "no general cone solver"},
      {algorithm("liblinear"), "coordinate-descent"},
      {algorithm("lars"), "coordinate-descent"},
      {algorithm("frank-wolf"), "'frank-wolfe'"},
      {algorithm("proximal"), "proximal-gradient"},
      {more("stop.tol=1e-4"), "stop.relative_gap"},
      {more("stop.epsilon=1e-4"), "stop.relative_gap"},
      {more("stop.ftol=1e-4"), "stop.residual"},
      {more("stop.thresh=1e-7"), "stop.relative_gap"},
      {with(algorithm("proximal-gradient"), {"algorithm.tol=1e-4"}), "stop.relative_gap"},
      {more("tol=1e-4"), "stop.relative_gap"},
      {more("alpha=0.1"), "penalty.lambda"},
      {more("C=1"), "1/(n C)"},
      {more("penalty.C=1"), "1/(n C)"},
      {more("penalty.alpha=0.5"), "penalty.ratio of elastic-net"},
      {more("cv=5"), "--folds"},
      {more("nlambda=50"), "--lambdas"},
      {more("verbose=1"), "--quiet"},
      {more("run.verbose=1"), "--quiet"},
      {with(kCarLasso, {"--max-iter", "10"}), "stop.iterations"},
      {with(kCarLasso, {"--tol", "1e-3"}), "stop.relative_gap"},
      {with(kCarLasso, {"--alpha", "1"}), "penalty.lambda"},
      {with(kCarLasso, {"--lambda", "1"}), "penalty.lambda"},
      {with(kCarLasso, {"--output", "o"}), "--out"},
      {with(kCarLasso, {"--loss", "logistic"}), "objective.loss"},
      {with(kCarLasso, {"--solver", "saga"}), "algorithm.use"},
      {with(kCarLasso, {"--radius", "3"}), "set.radius"},
      {with(kCars, {"penalty.use=l2", "penalty.lambda=1"}), "penalty.use=ridge"},
      {with(kCars, {"penalty.use=none"}), "leave the penalty out"},
      {with(kCars, {"penalty.use=l21", "penalty.lambda=1"}), "penalty.use=group"},
      {with(kCars, {"penalty.use=laso", "penalty.lambda=1"}), "'lasso'"},
      {with(kCars, {"penalty.use=l1"}), "0.1*max"},
      {with(kCars, {"penalty.use=elastic-nte", "penalty.lambda=1"}), "'elastic-net'"},
      {loss("hinge"), "squared-hinge"},
      {loss("mse"), "(z - y)^2 / 2"},
      {loss("mae"), "quantile"},
      {loss("lad"), "quantile"},
      {set("linf-ball"), "set.use=box"},
      {set("psd"), "psd-trace"},
      {set("nonnegative"), "penalty.use=nonnegative"},
      {set("l1ball"), "'l1-ball'"},
      {with(kCars, {"estimator.use=adam"}), "svrg"},
      {{"check", "objective.use=svm", "objective.data=cars.csv"}, "squared-hinge"},
      {{"check", "objective.use=logistic", "objective.data=cars.csv"}, "objective.loss=NAME"},
      {{"check", "model.name=lasso", "objective.data=cars.csv"}, "objective.use"},
      {{"check", "loss.use=logistic", "objective.data=cars.csv"}, "objective.loss"},
      {{"check", "regularizer.use=l1", "objective.data=cars.csv"}, "penalty.use"},
      {{"check", "constraint.radius=1", "objective.data=cars.csv"}, "set.use"},
      {with(kCars, {"objective.alpha=1"}), "penalty.lambda=0.1"},
      {with(kCars, {"objective.respnse=price"}), "'response'"},
      {with(kCars, {"objective.response=cost"}), "its columns are age to price"},
      {{"solve", "cars.csv"}, "run"},
      {algorithm("svd"), "algorithm.use=alternating"},
      {{"check", "objective.use=matrix-completion", "objective.data=cars.csv", "objective.rank=20"},
       "the penalty decides the rank"},
      {{"check", "objective.use=matrix-completion", "objective.data=cars.csv", "objective.user=age"},
       "objective.columns=USER,ITEM,RATING"},
      {{"check", "objective.use=bpr", "objective.data=cars.csv"}, "objective.implicit=yes"},
      {{"check", "objective.use=rosenbrock"}, "claros new-plugin objective NAME"},
      {{"check", "objective.use=xgboost", "objective.data=cars.csv"}, "linear in the columns"},
      {{"check", "objective.use=quadratic", "objective.Q=1"}, "objective.data=VALUE"},
      {with(kCars, {"objective.formula=price~age"}), "objective.columns=A,B"},
      {with(kCars, {"objective.features=age,price"}), "objective.columns=A,B"},
      {with(kCars, {"features=age,price"}), "objective.columns=A,B"},
      {with(kCars, {"set.use=l1-ball", "set.radius=1", "algorithm.use=frank-wolfe", "algorithm.step=1/k"}),
       "algorithm.offset=1"},
      {{"predict", "fit", "--user", "7"}, "claros predict DIR FILE"},
      {with(kCars, {"objective.missing=impute"}), "objective.missing=mean, median"},
      {with(kCars, {"objective.test=cars.csv"}), "claros path SPEC --folds 5"},
      {with(kCars,
            {"set.use=l1-ball", "set.radius=1", "algorithm.use=frank-wolfe", "algorithm.step=2/(k+2)"}),
       "algorithm.step=agnostic"},
      {{"check", "objective.use=linear", "objective.data=1 2", "set.use=polytope", "set.A=1"},
       "set.program="},
      {{"path", "objective.use=matrix-completion", "objective.data=cars.csv"}, "penalty.use = nuclear"},
  };
}

/// Of files: a specification or data, with what is wrong in it.
struct WrongFile {
  std::string name, text;
  Words words;  ///< before the name of the file, the last one being continued by it
  std::string remedy;
  int code = 4;
};

std::vector<WrongFile> wrong_files() {
  const auto rows = [](const std::string& loss = "squared") {
    return Words{"check",
                 "objective.use=linear-model",
                 "penalty.use=l1",
                 "penalty.lambda=0.1",
                 "objective.loss=" + loss,
                 "objective.data="};
  };
  const Words ratings{"check", "objective.use=matrix-completion", "set.use=nuclear-ball", "set.radius=3",
                      "objective.data="};
  const Words spec{"check", ""};
  return {
      {"table.ini", "age,price\n1,2\n", spec, "objective.data=table.ini", 2},
      {"json.ini", "{\"objective\": {\"use\": \"linear-model\"}}\n", spec, "key = value", 2},
      {"colon.ini", "[objective]\nuse = linear-model\ndata: cars.csv\n", spec, "key = value", 2},
      {"section.ini", "[objectiv]\nuse = linear-model\n", spec, "'objective'", 2},
      {"outside.ini", "use = linear-model\n", spec, "write [section] above it", 2},
      {"twice.ini", "[objective]\nuse = linear-model\nuse = linear-model\n", spec, "remove one of them", 2},
      {"key.ini", "[objective]\nuse = linear-model\ndata = cars.csv\n[penalty]\nuse = l1\nlamda = 3\n", spec,
       "'lambda'", 2},
      {"ragged.csv", "a,b,c\n1,2,3\n4,5\n", rows(), "give every line the same fields"},
      {"mixed.csv", "size,y\n1,2\n10+,3\n3,4\n", rows(), "categorical = size"},
      {"blank.csv", "a,b,y\n1,,3\n2,3,4\n", rows(), "missing = drop"},
      {"no-response.csv", "a,y\n1,\n2,3\n", rows(), "missing = drop"},
      {"empty.csv", "", rows(), "expected lines of text"},
      {"head.csv", "a,b,c\n", rows(), "expected lines of numbers"},
      {"picture.csv", "\x89PNG\r\n\x1a\n", rows(), "read are text"},
      {"one-class.csv", "a,y\n1,1\n2,1\n", rows("logistic"), "needs rows of both"},
      {"classes.csv", "a,y\n1,0\n2,1\n3,2\n", rows("logistic"), "say with positive"},
      {"counts.csv", "a,y\n1,-1\n2,3\n", rows("poisson"), "take another loss"},
      {"pairs.csv", "u,f\nv,g\n", ratings, "at least 3 fields"},
      {"words.csv", "u,f,good\nv,g,bad\n", ratings, "correct the value"},
      {"again.csv", "u,f,3\nu,f,4\n", ratings, "duplicates = mean"},
      {"folder.txt", "", {"predict", "cars.csv", ""}, "claros run --out"},
  };
}

}  // namespace

TEST_CASE("wrong files: each of them is answered by its place and the right remedy") {
  for (const WrongFile& wrong : wrong_files()) {
    const TestFolder folder;
    put_table(folder);
    folder.put(wrong.name, wrong.text);
    Words words = wrong.words;
    words.back() += wrong.name;
    const Outcome outcome = ask(folder.path(), words);
    CAPTURE(wrong.name);
    CHECK_MESSAGE(outcome.code == wrong.code, outcome.err);
    CHECK_MESSAGE(contains(outcome.err, wrong.remedy), outcome.err);
  }
}

TEST_CASE("other names: each of the wrong inputs is answered by the right remedy") {
  const TestFolder folder;
  put_table(folder);
  const auto inputs = wrong_inputs();
  CHECK(inputs.size() >= 60);
  for (const auto& [words, remedy] : inputs) {
    const Outcome outcome = ask(folder.path(), words);
    CAPTURE(words.back());
    CHECK(outcome.code == 2);
    CHECK_MESSAGE(contains(outcome.err, remedy), outcome.err);
  }
}

TEST_CASE("other names: what means the same runs the same, and is said") {
  const TestFolder folder;
  put_table(folder);
  const auto value = [&](const Words& words) {
    const Outcome outcome = ask(folder.path(), with({"run", "--json"}, words));
    REQUIRE_MESSAGE(outcome.code == 0, outcome.err);
    return nlohmann::json::parse(outcome.out).at("value").get<double>();
  };
  const Words data{"objective.data=cars.csv"};
  const Words own = with(data, {"objective.use=linear-model", "penalty.use=l1", "penalty.lambda=0.1*max"});
  const Words steps =
      with(own, {"algorithm.use=proximal-gradient", "algorithm.accelerate=yes", "stop.iterations=7"});
  CHECK(value(steps) == value(with(own, {"algorithm.use=fista", "stop.max_iter=7"})));
  CHECK(value(with(steps, {"objective.intercept=yes", "objective.standardize=no"})) ==
        value(with(data, {"objective=lasso", "lambda=0.1*max", "method=fista", "max_iter=7"})));
  const Words saga = with(own, {"stop.epochs=2", "run.seed=4"});
  CHECK(value(with(saga, {"algorithm.use=proximal-gradient", "estimator.use=saga"})) ==
        value(with(own, {"stop.epochs=2", "run.random_state=4", "algorithm.use=prox-saga"})));
  const Outcome said = ask(folder.path(), with({"check"}, with(own, {"algorithm.use=fista"})));
  CHECK(contains(said.err, "algorithm.use=fista: algorithm.use=proximal-gradient algorithm.accelerate=yes"));
  CHECK(contains(said.out, "use = proximal-gradient"));
  // What the user sets stays.
  const Outcome kept =
      ask(folder.path(), with({"check"}, with(own, {"algorithm.use=fista", "algorithm.accelerate=no"})));
  CHECK(contains(kept.out, "accelerate = no"));
}

TEST_CASE("first hour: a run without a rule ends at a gap, and says what it solves") {
  const TestFolder folder;
  put_table(folder);
  const Words words{"run",
                    "objective.use=linear-model",
                    "objective.data=cars.csv",
                    "objective.intercept=yes",
                    "penalty.use=l1",
                    "penalty.lambda=0.05*max",
                    "--verbose",
                    "--out",
                    "o/o"};
  const Outcome outcome = ask(folder.path(), words);
  REQUIRE_MESSAGE(outcome.code == 0, outcome.err);
  CHECK(contains(outcome.err, "no rule given, so stop.relative_gap = 1e-06"));
  CHECK(contains(outcome.err, "minimising linear-model with the loss squared"));
  CHECK(contains(outcome.err, "until relative_gap = 1e-06"));
  CHECK(contains(outcome.err, "did not exist and is made"));
  CHECK(contains(outcome.out, "relative-gap: "));
  const Outcome stochastic =
      ask(folder.path(), with({"check", "--verbose"},
                              {"objective.use=linear-model", "objective.data=cars.csv", "estimator.use=sg"}));
  CHECK(contains(stochastic.err, "or stop.passes = 100"));
}

TEST_CASE("first hour: coefficients have names, the largest first, and intercepts do not count") {
  const TestFolder folder;
  put_table(folder);
  const Words words{"run",
                    "objective.use=linear-model",
                    "objective.data=cars.csv",
                    "objective.intercept=yes",
                    "penalty.use=l1",
                    "penalty.lambda=0.2*max",
                    "--out",
                    "o"};
  const Outcome outcome = ask(folder.path(), words);
  REQUIRE_MESSAGE(outcome.code == 0, outcome.err);
  const std::string file = written(folder.path() / "o/solution/coefficients.csv");
  const Words rows = lines(file);
  REQUIRE(rows.size() >= 3);
  CHECK(rows[0] == "name,coefficient");
  CHECK(rows[1].starts_with("intercept,"));
  CHECK(rows[2].starts_with("age,-"));
  CHECK_FALSE(contains(file, "noise"));
  const auto json = nlohmann::json::parse(written(folder.path() / "o/result.json"));
  CHECK(json.at("rank_or_support").get<std::size_t>() == rows.size() - 2);
  CHECK(json.at("size_counts") == "nonzeros");
  CHECK(contains(outcome.out, std::to_string(rows.size() - 2) + " of 3 coefficients"));
  CHECK(contains(outcome.out, "intercept"));
}

TEST_CASE("first hour: a dense solution over the nuclear ball has a rank") {
  const TestFolder folder;
  const Outcome outcome =
      ask(folder.path(), {"run", "--json", "data.use=synthetic-sensing", "data.rows=8", "data.count=200",
                          "objective.use=matrix-sensing", "set.use=nuclear-ball", "set.radius=1"});
  REQUIRE_MESSAGE(outcome.code == 0, outcome.err);
  const auto json = nlohmann::json::parse(outcome.out);
  CHECK(json.at("rank_or_support") == 1);
  CHECK(json.at("size_counts") == "rank");
  // The optimum is 0: no gap is small beside it, and the run ends at what rounding leaves.
  CHECK(json.at("status") == "relative-gap");
  CHECK(json.at("value").get<double>() < 1e-14);
}

TEST_CASE("first hour: help knows components, and a refused run leaves nothing") {
  const TestFolder folder;
  put_table(folder);
  CHECK(contains(ask(folder.path(), {"help", "frank-wolfe"}).out, "algorithm/frank-wolfe"));
  CHECK(ask(folder.path(), {"help", "frank-wofle"}).code == 2);
  const Outcome refused = ask(folder.path(), {"run", "objective.use=linear-model", "objective.data=cars.csv",
                                              "algorithm.use=proximal-gradient", "algorithm.step=theory",
                                              "stop.iterations=3", "--out", "refused"});
  CHECK_MESSAGE(refused.code == 2, refused.err);
  CHECK_FALSE(fs::exists(folder.path() / "refused/spec.ini"));
}

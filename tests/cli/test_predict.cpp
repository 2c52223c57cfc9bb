// SPDX-License-Identifier: BSD-3-Clause
#include "program.hpp"

#include <claros/io/matrix_market.hpp>
#include <claros/results/prediction.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

using namespace claros::test;

namespace {

/// Ratings of three users and three films by name, all known: 2 * user * film; the run in `fit` recovers
/// them.
void put_named(const TestFolder& folder) {
  folder.put("train.csv",
             "user,film,rating\nann,M,2\nann,N,4\nann,\"O, too\",6\nbob,M,4\nbob,N,8\nbob,\"O, too\",12\n"
             "eve,M,6\neve,N,12\neve,\"O, too\",18\n");
  const auto fit = ask(folder.path(), {"run", "--quiet", "objective.use=matrix-completion",
                                       "objective.data=train.csv", "set.use=nuclear-ball", "set.radius=28",
                                       "algorithm.use=frank-wolfe", "stop.iterations=400", "--out", "fit"});
  REQUIRE(fit.err == "");
  REQUIRE(fit.code == 0);
}

/// The prediction in a row of a table without known values; ids may hold commas.
double prediction(const std::string& line) {
  const auto end = line.rfind(',');
  return std::stod(line.substr(line.rfind(',', end - 1) + 1));
}

std::string seen_in(const std::string& line) { return line.substr(line.rfind(',') + 1); }

/// Ratings of `users` x `items` with biases, rank two and noise, a third of them in `train`, a ninth in
/// `test`.
struct Recommender {
  std::string train = "user,item,rating\n", test = train;
};
Recommender recommender(int users, int items) {
  std::mt19937_64 engine(11);
  std::normal_distribution<double> normal;
  std::vector<double> b(static_cast<std::size_t>(users)), c(static_cast<std::size_t>(items)), u(2 * b.size()),
      v(2 * c.size());
  for (auto* all : {&b, &c, &u, &v})
    for (double& value : *all) value = normal(engine);
  Recommender data;
  for (std::size_t i = 0; i < b.size(); ++i)
    for (std::size_t j = 0; j < c.size(); ++j) {
      const auto draw = engine() % 9;
      if (draw > 3) continue;
      const double y =
          20 + b[i] + c[j] + 0.3 * (u[2 * i] * v[2 * j] + u[2 * i + 1] * v[2 * j + 1]) + 0.2 * normal(engine);
      const std::string line =
          "u" + std::to_string(i) + ",i" + std::to_string(j) + ',' + std::to_string(y) + '\n';
      (draw == 0 ? data.test : data.train) += line;
    }
  return data;
}

Words centred_run(const std::string& center, const std::string& out) {
  return {"run",
          "--quiet",
          "objective.use=matrix-completion",
          "objective.data=train.csv",
          "objective.center=" + center,
          "set.use=nuclear-ball",
          "set.radius=25",
          "algorithm.use=frank-wolfe",
          "stop.iterations=60",
          "--out",
          out};
}

double rmse_told(const std::string& err) { return std::stod(err.substr(err.find("RMSE ") + 5)); }

}  // namespace

TEST_CASE("predict: by the ids of the training data, with and without a header") {
  const TestFolder folder;
  put_named(folder);
  folder.put("pairs.tsv", "eve\tO, too\nann\tM\n");
  const auto plain = ask(folder.path(), {"predict", "fit", "pairs.tsv"});
  CHECK(plain.err == "");
  CHECK(plain.code == 0);
  const Words rows = lines(plain.out);
  REQUIRE(rows.size() == 3);
  CHECK(rows[0] == "row,column,prediction,seen");
  CHECK(rows[1].starts_with("eve,\"O, too\","));
  CHECK(prediction(rows[1]) == doctest::Approx(18).epsilon(0.01));
  CHECK(prediction(rows[2]) == doctest::Approx(2).epsilon(0.05));

  folder.put("named.tsv", "who\twhat\neve\tO, too\nann\tM\n");
  const auto named = ask(folder.path(), {"predict", "fit", "named.tsv", "--out", "p.csv"});
  CHECK(named.code == 0);
  CHECK(named.out.empty());
  CHECK(contains(named.err, "taken for a header"));
  CHECK(folder.get("p.csv") == plain.out);
  CHECK(ask(folder.path(), {"predict", "fit", "named.tsv", "--header", "no"}).code == 4);
}

TEST_CASE("predict: known values give RMSE and MAE") {
  const TestFolder folder;
  put_named(folder);
  folder.put("pairs.csv", "eve,N,15\nbob,N,4\n");
  const auto outcome = ask(folder.path(), {"predict", "fit", "pairs.csv"});
  CHECK(outcome.code == 0);
  CHECK(lines(outcome.out).front() == "row,column,prediction,known,seen");
  // Off by about 3 and 4: RMSE sqrt(12.5), MAE 3.5.
  REQUIRE(outcome.err.starts_with("claros: 2 known values: RMSE "));
  CHECK(std::stod(outcome.err.substr(29)) == doctest::Approx(std::sqrt(12.5)).epsilon(0.02));
  CHECK(std::stod(outcome.err.substr(outcome.err.find("MAE ") + 4)) == doctest::Approx(3.5).epsilon(0.02));
}

TEST_CASE("predict: a pair outside, no training data, broken ids, no solution") {
  const TestFolder folder;
  put_named(folder);
  folder.put("pairs.csv", "eve,N\nbbo,N\n");
  const auto outside = ask(folder.path(), {"predict", "fit", "pairs.csv"});
  CHECK(outside.code == 4);
  CHECK(outside.out.empty());
  CHECK(contains(outside.err, "pairs.csv:2: the row is 'bbo'"));
  CHECK(contains(ask(folder.path(), {"predict", "fit", "absent.csv"}).err, "absent.csv"));

  fs::remove(folder / "train.csv");  // the folder has all that is asked for
  folder.put("pairs.csv", "eve,N\n");
  CHECK(ask(folder.path(), {"predict", "fit", "pairs.csv"}).code == 0);
  folder.put("fit/solution/columns.csv", "id,entries\nM,3\n");
  CHECK(contains(ask(folder.path(), {"predict", "fit", "pairs.csv"}).err,
                 "columns.csv: is not the file that was written with result.json"));
  reseal(folder / "fit");
  CHECK(contains(ask(folder.path(), {"predict", "fit", "pairs.csv"}).err,
                 "columns.csv: holds 1 where the solution has 3"));
  fs::remove(folder / "fit/solution/rows.csv");
  CHECK(contains(ask(folder.path(), {"predict", "fit", "pairs.csv"}).err, "rows.csv: is missing"));
  reseal(folder / "fit");
  CHECK(contains(ask(folder.path(), {"predict", "fit", "pairs.csv"}).err, "lacks rows.csv"));
  fs::remove_all(folder / "fit/solution");
  reseal(folder / "fit");
  CHECK(contains(ask(folder.path(), {"predict", "fit", "pairs.csv"}).err, "holds no solution"));
}

TEST_CASE("predict: indices, and a dense solution") {
  const TestFolder folder;
  put_problem(folder);
  REQUIRE(ask(folder.path(), {"run", "spec.ini", "--quiet", "--out", "fit"}).code == 0);
  fs::remove(folder / "fit/solution/U.mtx");
  std::string dense = "%%MatrixMarket matrix array real general\n6 5\n";
  for (int k = 0; k < 30; ++k) dense += std::to_string(k) + '\n';
  folder.put("fit/solution/x.mtx", dense);
  reseal(folder / "fit");
  folder.put("pairs.txt", "1 1\n6 5\n2 3\n");
  const auto outcome = ask(folder.path(), {"predict", "fit", "pairs.txt"});
  CHECK(outcome.out == "row,column,prediction,seen\n1,1,0,both\n6,5,29,both\n2,3,13,both\n");
  folder.put("pairs.txt", "1 1\n7 5\n");
  CHECK(contains(ask(folder.path(), {"predict", "fit", "pairs.txt"}).err, "pairs.txt:2: the row is '7'"));
  folder.put("pairs.txt", "0 1\n");
  CHECK(contains(ask(folder.path(), {"predict", "fit", "pairs.txt"}).err, "an index from 1 to 6"));
}

TEST_CASE("predict: an id that the training data lacks has the mean and the other's bias") {
  const TestFolder folder;
  const Recommender data = recommender(30, 20);
  folder.put("train.csv", data.train);
  REQUIRE(ask(folder.path(), centred_run("biases", "fit")).code == 0);
  folder.put("pairs.csv", "u3,i4\nu3,new\nnew,i4\nnew,newer\n");
  const auto outcome = ask(folder.path(), {"predict", "fit", "pairs.csv", "--header", "no"});
  CHECK(outcome.code == 0);
  CHECK(contains(outcome.err, "3 of 4 pairs have a row or a column without an entry"));
  const Words rows = lines(outcome.out);
  REQUIRE(rows.size() == 5);
  const auto vector = [&](const char* name) {
    return claros::read_matrix_market_array(folder / "fit/solution" / name).values;
  };
  const auto position = [&](const char* file, const std::string& id) {
    const Words ids = lines(folder.get(std::string("fit/solution/") + file));
    for (std::size_t k = 1; k < ids.size(); ++k)
      if (ids[k].starts_with(id + ',')) return k - 1;
    FAIL("no id");
    return std::size_t{0};
  };
  const double mean = vector("mean.mtx")[0], b = vector("row_biases.mtx")[position("rows.csv", "u3")],
               c = vector("column_biases.mtx")[position("columns.csv", "i4")];
  CHECK(std::abs(b) > 0.01);
  CHECK(std::abs(c) > 0.01);
  CHECK(std::abs(prediction(rows[1]) - mean - b - c) > 1e-6);  // and X
  CHECK(prediction(rows[2]) == mean + b);
  CHECK(prediction(rows[3]) == mean + c);
  CHECK(prediction(rows[4]) == mean);
  CHECK(seen_in(rows[1]) == "both");
  CHECK(seen_in(rows[2]) == "row");
  CHECK(seen_in(rows[3]) == "column");
  CHECK(seen_in(rows[4]) == "none");

  const auto strict = ask(folder.path(), {"predict", "fit", "pairs.csv", "--strict"});
  CHECK(strict.code == 4);
  CHECK(strict.out.empty());
  CHECK(contains(strict.err, "pairs.csv:2: the column is 'new', which is not in the training data"));

  REQUIRE(ask(folder.path(), centred_run("none", "raw")).code == 0);
  const auto raw = ask(folder.path(), {"predict", "raw", "pairs.csv"});
  CHECK(raw.code == 4);
  CHECK(contains(raw.err, "objective.center = biases"));
}

TEST_CASE("predict: an index within the sizes that no entry has is not seen, and strict refuses it") {
  const TestFolder folder;
  folder.put("train.txt", "1 1 3\n1 3 4\n3 1 5\n3 3 6\n");
  for (const std::string center : {"none", "biases"}) {
    const auto fit = ask(
        folder.path(), {"run", "--quiet", "objective.use=matrix-completion", "objective.data=train.txt",
                        "objective.rows=4", "objective.center=" + center, "set.use=nuclear-ball",
                        "set.radius=5", "algorithm.use=frank-wolfe", "stop.iterations=20", "--out", center});
    REQUIRE_MESSAGE(fit.code == 0, fit.err);
    folder.put("pairs.txt", "3 1\n2 1\n1 2\n4 2\n");
    const Words rows = lines(ask(folder.path(), {"predict", center, "pairs.txt"}).out);
    REQUIRE(rows.size() == 5);
    CHECK(seen_in(rows[1]) == "both");
    CHECK(seen_in(rows[2]) == "column");
    CHECK(seen_in(rows[3]) == "row");
    CHECK(seen_in(rows[4]) == "none");
    const auto strict = ask(folder.path(), {"predict", center, "pairs.txt", "--strict"});
    CHECK(strict.code == 4);
    CHECK(contains(strict.err, "pairs.txt:2: the row is '2', which has no entry in the training data"));
  }
  folder.put("pairs.txt", "9 1\n");
  CHECK(seen_in(lines(ask(folder.path(), {"predict", "biases", "pairs.txt"}).out).at(1)) == "column");
  CHECK(contains(ask(folder.path(), {"predict", "none", "pairs.txt"}).err,
                 "the row is '9', which is not in the training data"));
  folder.put("pairs.txt", "3 1\nx 1\n");
  const auto word = ask(folder.path(), {"predict", "biases", "pairs.txt"});
  CHECK(word.code == 4);
  CHECK(contains(word.err, "pairs.txt:2: the row is 'x', which is not an integer"));
}

TEST_CASE("predict: standard input is a file like any other") {
  const TestFolder folder;
  put_named(folder);
  Launch l;
  l.words = {"predict", "fit", "-"};
  l.folder = folder.path();
  l.in = folder.put("pairs.tsv", "who\twhat\neve\tO, too\nann\tM\n");
  const auto piped = launch(l);
  CHECK(piped.code == 0);
  CHECK(contains(piped.err, "standard input:1: 'who, what' is taken for a header"));
  CHECK(piped.out == ask(folder.path(), {"predict", "fit", "pairs.tsv"}).out);
  CHECK(lines(piped.out).size() == 3);
  l.in = folder.put("bad.tsv", "ann\tM\nbbo\tM\n");
  CHECK(contains(launch(l).err, "standard input:2: the row is 'bbo'"));
  l.in = "/dev/null";
  const auto empty = launch(l);
  CHECK(empty.code == 4);
  CHECK(contains(empty.err, "standard input: the file is empty"));
}

TEST_CASE("predict: clipped to bounds or to the training data's range, the errors too") {
  const TestFolder folder;
  put_named(folder);
  folder.put("pairs.csv", "ann,M,5\neve,\"O, too\",9\n");
  const auto told = [&](const Words& more) {
    Words words{"predict", "fit", "pairs.csv"};
    words.insert(words.end(), more.begin(), more.end());
    return ask(folder.path(), words);
  };
  const auto both = told({"--clip", "5,9"});
  CHECK(both.out == "row,column,prediction,known,seen\nann,M,5,5,both\neve,\"O, too\",9,9,both\n");
  CHECK(rmse_told(both.err) == 0.0);
  CHECK(rmse_told(told({}).err) > 3.0);
  CHECK(told({"--clip", "-inf,inf"}).out == told({}).out);
  // Training holds 2 to 18; the solution itself is made to leave it.
  folder.put("fit/solution/x.mtx",
             "%%MatrixMarket matrix array real general\n3 3\n-4\n0\n0\n0\n0\n0\n0\n0\n40\n");
  reseal(folder / "fit");
  CHECK(told({"--clip", "training"}).out ==
        "row,column,prediction,known,seen\nann,M,2,5,both\neve,\"O, too\",18,9,both\n");
  for (const char* wrong : {"9,5", "5", "a,b", "1,2,3", "nan,1", "inf,inf", "-inf,-inf", ""}) {
    CAPTURE(wrong);
    const auto refused = told({"--clip", wrong});
    CHECK(refused.code == 2);
    CHECK(contains(refused.err, "--clip"));
  }
  const std::string first =
      lines(folder.get("fit/spec.ini")).front();  // says the run; the rest asks for the ids
  folder.put("fit/spec.ini", first + "\n[objective]\nuse = matrix-completion\n");
  fs::remove(folder / "fit/solution/rows.csv");
  reseal(folder / "fit");
  folder.put("pairs.csv", "1,1\n");
  CHECK(contains(told({"--clip", "training"}).err, "does not contain the range of its training data"));
}

TEST_CASE(
    "predict: on ratings held out of a recommender's, biases beat a mean and a mean nothing, each with its "
    "best radius") {
  const TestFolder folder;
  const Recommender data = recommender(60, 40);
  folder.put("train.csv", data.train);
  folder.put("test.csv", data.test);
  std::map<std::string, double> best;
  for (const std::string center : {"none", "mean", "biases"})
    for (const std::string radius :
         {"10", "25", "60", "150", "400", "980", "1100"}) {  // the constant 20 alone has 980
      Words words = centred_run(center, center);
      words.insert(words.end(), {"objective.test=test.csv", "set.radius=" + radius});
      REQUIRE(ask(folder.path(), words).code == 0);
      const double rmse = rmse_told(ask(folder.path(), {"predict", center, "test.csv"}).err);
      const auto result = nlohmann::json::parse(folder.get(center + "/result.json"));
      CHECK(result["test_rmse"].get<double>() == doctest::Approx(rmse).epsilon(1e-5));
      CHECK(result["baseline"].is_null() == (center == "none"));
      const auto [at, first] = best.emplace(center, rmse);
      if (!first) at->second = std::min(at->second, rmse);
    }
  MESSAGE("none " << best["none"] << ", mean " << best["mean"] << ", biases " << best["biases"]);
  CHECK(best["biases"] < 0.9 * best["mean"]);
  CHECK(best["mean"] < 0.9 * best["none"]);
}

TEST_CASE("predict: a solution of 0 is its baseline") {
  const TestFolder folder;
  folder.put("train.csv", recommender(10, 8).train);
  const auto fit =
      ask(folder.path(), {"run", "--quiet", "objective.use=matrix-completion", "objective.data=train.csv",
                          "objective.center=biases", "penalty.use=nuclear", "penalty.lambda=10",
                          "algorithm.use=proximal-gradient", "stop.iterations=5", "--out", "fit"});
  REQUIRE_MESSAGE(fit.code == 0, fit.err);
  REQUIRE(contains(folder.get("fit/solution/x.mtx"), "coordinate"));
  folder.put("pairs.csv", "u3,i4\nu3,i5\n");
  const Words rows = lines(ask(folder.path(), {"predict", "fit", "pairs.csv"}).out);
  REQUIRE(rows.size() == 3);
  const auto biases = claros::read_matrix_market_array(folder / "fit/solution/column_biases.mtx").values;
  const Words ids = lines(folder.get("fit/solution/columns.csv"));
  double difference = 0.0;
  for (std::size_t k = 1; k < ids.size(); ++k)
    difference += ids[k].starts_with("i4,")   ? biases[k - 1]
                  : ids[k].starts_with("i5,") ? -biases[k - 1]
                                              : 0.0;
  CHECK(prediction(rows[1]) - prediction(rows[2]) == doctest::Approx(difference).epsilon(1e-12));
  for (const std::string lost :
       {"mean.mtx", "row_biases.mtx", "column_biases.mtx"}) {  // never the rest in its place
    CAPTURE(lost);
    const std::string kept = folder.get("fit/solution/" + lost);
    fs::remove(folder / ("fit/solution/" + lost));
    reseal(folder / "fit");
    const auto refused = ask(folder.path(), {"predict", "fit", "pairs.csv"});
    CHECK(refused.code == 4);
    CHECK(contains(refused.err, lost));
    folder.put("fit/solution/" + lost, kept);
    reseal(folder / "fit");
  }
}

TEST_CASE("predict: a centred run that is resumed ends with the bits of one that was not stopped") {
  const TestFolder folder;
  const Recommender data = recommender(40, 30);
  folder.put("train.csv", data.train);
  folder.put("test.csv", data.test);
  const auto run = [&](const std::string& out, const std::string& iterations) {
    Words words = centred_run("biases", out);
    words.insert(words.end(),
                 {"objective.test=test.csv", "objective.loss=huber", "estimator.use=svrg",
                  "estimator.batch=50", "output.checkpoint_every=1", "stop.iterations=" + iterations});
    const auto outcome = ask(folder.path(), words);
    REQUIRE_MESSAGE(outcome.code == 0, outcome.err);
  };
  run("whole", "60");
  run("halves", "25");
  const auto resumed = ask(folder.path(), {"resume", "halves", "stop.iterations=60", "--quiet"});
  REQUIRE_MESSAGE(resumed.code == 0, resumed.err);
  for (const char* file : {"U.mtx", "s.mtx", "V.mtx", "mean.mtx", "row_biases.mtx", "column_biases.mtx",
                           "rows.csv", "columns.csv", "range.mtx"}) {
    CAPTURE(file);
    CHECK(folder.get(std::string("whole/solution/") + file) ==
          folder.get(std::string("halves/solution/") + file));
    CHECK(folder.get(std::string("whole/solution/") + file) != "");
  }
  const auto result = [&](const std::string& name) {
    return nlohmann::json::parse(folder.get(name + "/result.json"));
  };
  for (const char* key : {"value", "test_rmse", "baseline"})
    CHECK(result("whole")[key] == result("halves")[key]);
}

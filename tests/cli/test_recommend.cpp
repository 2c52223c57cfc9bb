// SPDX-License-Identifier: BSD-3-Clause
// Lists of recommendations, how they are judged, and how ratings are divided for that: against the
// predictions of all pairs, ranked anew here.
#include "program.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <random>
#include <set>
#include <sstream>

using namespace claros::test;

namespace {

constexpr int kUsers = 40, kItems = 11;
using Pairs = std::set<std::pair<int, int>>;

std::string line(int user, int item, int time) {
  return "u" + std::to_string(user) + ",i" + std::to_string(item) + ",1," + std::to_string(time) + '\n';
}

/// Views of two kinds of users, each with its own items; item 10 is seen by nobody but in `held`.
struct Views {
  Pairs train, held;
  Views() {
    std::mt19937_64 engine(7);
    for (int i = 0; i < kUsers; ++i)
      for (int j = 0; j < kItems - 1; ++j) {
        if (engine() % 10 >= (i % 2 == j % 2 ? 8 : 1)) continue;
        (engine() % 4 == 0 ? held : train).emplace(i, j);
      }
    for (int i = 0; i < kUsers; ++i) held.erase({i, i % 2}), train.emplace(i, i % 2);
    held.emplace(0, kItems - 1);
  }
  static std::string text(const Pairs& pairs) {
    std::string all = "user,item,views,time\n";
    for (const auto& [i, j] : pairs) all += line(i, j, 100 * i + j);
    return all;
  }
};

struct Fitted {
  TestFolder folder;
  Views views;
  Fitted() {
    folder.put("train.csv", Views::text(views.train));
    folder.put("held.csv", "user,item\n" + without_facts(views.held));
    const Outcome fit = ask(
        folder.path(), {"run", "--quiet", "objective.use=matrix-completion", "objective.data=train.csv",
                        "objective.implicit=yes", "objective.confidence=2", "objective.unobserved=0.5",
                        "set.use=nuclear-ball", "set.radius=9", "stop.relative_gap=1e-6", "--out", "fit"});
    REQUIRE_MESSAGE(fit.code == 0, fit.err);
  }
  static std::string without_facts(const Pairs& pairs) {
    std::string all;
    for (const auto& [i, j] : pairs)
      if (j < kItems - 1) all += "u" + std::to_string(i) + ",i" + std::to_string(j) + '\n';
    return all;
  }
  /// By claros predict, one number a pair.
  std::map<std::pair<int, int>, double> scores() const {
    std::string all;
    std::vector<std::pair<int, int>> order;
    for (int i = 0; i < kUsers; ++i)
      for (int j = 0; j < kItems - 1; ++j)
        all += "u" + std::to_string(i) + ",i" + std::to_string(j) + '\n', order.emplace_back(i, j);
    folder.put("all.csv", all);
    const Outcome o = ask(folder.path(), {"predict", "fit", "all.csv", "--json"});
    REQUIRE_MESSAGE(o.code == 0, o.err);
    std::map<std::pair<int, int>, double> scores;
    const auto rows = nlohmann::json::parse(o.out).at("rows");
    REQUIRE(rows.size() == order.size());
    for (std::size_t k = 0; k < order.size(); ++k) scores[order[k]] = rows[k].at("prediction").get<double>();
    return scores;
  }
};

/// The columns of a user, the largest score first, without those of training.
std::vector<int> ranked(const std::map<std::pair<int, int>, double>& scores, const Pairs& without, int user) {
  std::vector<int> items;
  for (int j = 0; j < kItems - 1; ++j)
    if (!without.contains({user, j})) items.push_back(j);
  std::ranges::stable_sort(items, [&](int a, int b) { return scores.at({user, a}) > scores.at({user, b}); });
  return items;
}

}  // namespace

TEST_CASE("recommend: the columns of largest predictions, without what a row has") {
  const Fitted fitted;
  const auto scores = fitted.scores();
  const Outcome o =
      ask(fitted.folder.path(), {"recommend", "fit", "--top", "3", "--without", "train.csv", "--json"});
  REQUIRE_MESSAGE(o.code == 0, o.err);
  const auto rows = nlohmann::json::parse(o.out).at("rows");
  REQUIRE(rows.size() == kUsers);
  for (const auto& row : rows) {
    const int user = std::stoi(row.at("row").get<std::string>().substr(1));
    const std::vector<int> expected = ranked(scores, fitted.views.train, user);
    REQUIRE(row.at("columns").size() == std::min<std::size_t>(3, expected.size()));
    for (std::size_t k = 0; k < row.at("columns").size(); ++k) {
      CHECK(row.at("columns")[k].at("column") == "i" + std::to_string(expected[k]));
      CHECK(row.at("columns")[k].at("score").get<double>() ==
            doctest::Approx(scores.at({user, expected[k]})).epsilon(1e-12));
    }
  }
  const Outcome some = ask(fitted.folder.path(),
                           {"recommend", "fit", "--top", "2", "--rows", "u3,u1", "--without", "train.csv"});
  CHECK(contains(some.out, "row,rank,column,score\nu3,1,"));
  CHECK(std::ranges::count(some.out, '\n') == 5);
}

namespace {

/// The columns of every row of `claros recommend --json`.
std::map<std::string, std::vector<std::string>> lists_of(const Outcome& o) {
  REQUIRE_MESSAGE(o.code == 0, o.err);
  std::map<std::string, std::vector<std::string>> lists;
  const auto rows = nlohmann::json::parse(o.out).at("rows");
  for (const auto& row : rows)
    for (const auto& column : row.at("columns"))
      lists[row.at("row").get<std::string>()].push_back(column.at("column").get<std::string>());
  return lists;
}

}  // namespace

TEST_CASE("recommend: --only and --never bound the columns of all rows, by names or by a file of them") {
  const Fitted fitted;
  const auto asked = [&](const Words& more) {
    return ask(fitted.folder.path(), with({"recommend", "fit", "--top", "100", "--json"}, more));
  };
  const auto all = lists_of(asked({}));
  REQUIRE(all.size() == kUsers);
  fitted.folder.put("some.txt", "i4\ni7\n\ni1\n");
  fitted.folder.put("new.txt", "i4\nnobody\n");
  struct Case {
    Words words;
    std::set<std::string> only, never;
  };
  for (const Case& c :
       {Case{{"--only", "i4,i1,i7"}, {"i1", "i4", "i7"}, {}},
        Case{{"--only", "some.txt"}, {"i1", "i4", "i7"}, {}}, Case{{"--never", "i2"}, {}, {"i2"}},
        Case{{"--never", "some.txt"}, {}, {"i1", "i4", "i7"}}, Case{{"--never", "new.txt"}, {}, {"i4"}},
        Case{{"--only", "some.txt", "--never", "i4"}, {"i1", "i7"}, {}}}) {
    CAPTURE(c.words[1]);
    const auto some = lists_of(asked(c.words));
    for (const auto& [row, columns] : all) {
      std::vector<std::string> expected;
      for (const std::string& column : columns)
        if ((c.only.empty() || c.only.contains(column)) && !c.never.contains(column))
          expected.push_back(column);
      const auto found = some.find(row);
      CHECK((found == some.end() ? std::vector<std::string>() : found->second) == expected);
    }
  }
  for (const Words& words :
       {Words{"--only", "i4", "--never", "i4"}, Words{"--only", "i4", "--never", "some.txt"}}) {
    const Outcome none = asked(words);
    CHECK(none.code == 2);
    CHECK(none.out.empty());
    check_mentions(none.err, {"--never", "none of the columns of --only"});
  }
  CHECK(contains(asked({"--never", "new.txt"}).err, "1 of 2 ids are not in the training data"));
  fitted.folder.put("none.txt", "nobody\n");
  for (const Words& wrong : {Words{"--only", "i4,nobody"}, Words{"--never", "i4,"},
                             Words{"--only", "none.txt"}, Words{"--only", ""}})
    CHECK(asked(wrong).code != 0);
  CHECK(contains(asked({"--only", "i4,nobody"}).err, "the column 'nobody' is not in the training data"));
  const auto of_id = lists_of(asked({"--only", "i4"}));
  fitted.folder.put("i4", "i7\n");
  CHECK(lists_of(asked({"--only", "i4"})) == of_id);
  CHECK(lists_of(asked({"--only", "./i4"})) == lists_of(asked({"--only", "i7"})));
}

TEST_CASE("similar: the columns, or rows, of X that make the smallest angles, and the cosines") {
  const Fitted fitted;
  const auto scores = fitted.scores();  // views have no center, so that scores are X
  const auto cosine = [&](int a, int b, bool of_columns) {
    double both = 0, left = 0, right = 0;
    for (int k = 0; k < (of_columns ? kUsers : kItems - 1); ++k) {
      const double x = of_columns ? scores.at({k, a}) : scores.at({a, k}),
                   y = of_columns ? scores.at({k, b}) : scores.at({b, k});
      both += x * y;
      left += x * x;
      right += y * y;
    }
    return both / std::sqrt(left * right);
  };
  for (const bool of_columns : {true, false}) {
    CAPTURE(of_columns);
    const std::string side = of_columns ? "column" : "row", letter = of_columns ? "i" : "u";
    Words words{"similar", "fit", "--top", "4", "--json"};
    if (!of_columns) words = with(words, {"--rows", "u3,u8,u0"});
    const Outcome o = ask(fitted.folder.path(), words);
    REQUIRE_MESSAGE(o.code == 0, o.err);
    const auto lists = nlohmann::json::parse(o.out).at(side + "s");
    REQUIRE(lists.size() == (of_columns ? kItems - 1 : 3));  // not the column without views
    for (const auto& list : lists) {
      const int of = std::stoi(list.at(side).get<std::string>().substr(1));
      std::vector<double> expected, found;
      for (int k = 0; k < (of_columns ? kItems - 1 : kUsers); ++k)
        if (k != of) expected.push_back(cosine(of, k, of_columns));
      std::ranges::sort(expected, std::greater());
      expected.resize(4);
      for (const auto& one : list.at("similar")) {
        const std::string name = one.at(side).get<std::string>();
        CHECK(name.substr(0, 1) == letter);
        found.push_back(one.at("cosine").get<double>());
        CHECK(found.back() ==
              doctest::Approx(cosine(of, std::stoi(name.substr(1)), of_columns)).epsilon(1e-9));
      }
      REQUIRE(found.size() == 4);
      for (std::size_t k = 0; k < 4; ++k) CHECK(found[k] == doctest::Approx(expected[k]).epsilon(1e-9));
    }
  }
  const Outcome table = ask(fitted.folder.path(), {"similar", "fit", "--columns", "i2", "--top", "1"});
  CHECK(contains(table.out, "column,rank,similar,cosine\ni2,1,i"));
  CHECK(ask(fitted.folder.path(), {"similar", "fit", "--columns", "i2", "--rows", "u1"}).code == 2);
  CHECK(ask(fitted.folder.path(), {"similar", "fit", "--columns", "nobody"}).code == 4);
  CHECK(ask(fitted.folder.path(), {"similar", "nowhere"}).code == 4);
}

namespace {

/// Lists of top, shorter than what is relevant to a user or longer than what there is.
void check_quality(const Fitted& fitted, std::size_t top) {
  CAPTURE(top);
  const auto scores = fitted.scores();
  const auto places = static_cast<double>(top);
  double precision = 0, recall = 0, map = 0, ndcg = 0, auc = 0, users = 0;
  std::set<int> shown;
  for (int i = 0; i < kUsers; ++i) {
    std::set<int> relevant;
    for (const auto& [user, item] : fitted.views.held)
      if (user == i && item < kItems - 1) relevant.insert(item);
    if (relevant.empty()) continue;
    users += 1;
    const std::vector<int> order = ranked(scores, fitted.views.train, i);
    double hits = 0, average = 0, gain = 0, ideal = 0, right = 0, pairs = 0;
    for (std::size_t k = 0; k < std::min(top, order.size()); ++k) {
      shown.insert(order[k]);
      if (!relevant.contains(order[k])) continue;
      hits += 1, average += hits / static_cast<double>(k + 1),
          gain += 1.0 / std::log2(static_cast<double>(k) + 2.0);
    }
    for (std::size_t k = 0; k < std::min(top, relevant.size()); ++k)
      ideal += 1.0 / std::log2(static_cast<double>(k) + 2.0);
    for (const int good : relevant)
      for (const int other : order)
        if (!relevant.contains(other)) right += scores.at({i, good}) > scores.at({i, other}), pairs += 1;
    precision += hits / places, recall += hits / static_cast<double>(relevant.size());
    map += average / static_cast<double>(std::min(top, relevant.size())), ndcg += gain / ideal,
        auc += right / pairs;
  }
  REQUIRE(users > 5);
  const Outcome o = ask(fitted.folder.path(), {"predict", "fit", "held.csv", "--ranking", std::to_string(top),
                                               "--without", "train.csv", "--json"});
  REQUIRE_MESSAGE(o.code == 0, o.err);
  const auto q = nlohmann::json::parse(o.out).at("quality").at("ranking");
  CHECK(q.at("rows") == users);
  const std::pair<const char*, double> expected[] = {
      {"precision", precision / users},
      {"recall", recall / users},
      {"map", map / users},
      {"ndcg", ndcg / users},
      {"auc", auc / users},
      {"coverage", static_cast<double>(shown.size()) / (kItems - 1)}};
  for (const auto& [name, value] : expected) {
    CAPTURE(name);
    CHECK(q.at(name).get<double>() == doctest::Approx(value).epsilon(1e-12));
  }
  CHECK(q.at("auc").get<double>() > 0.6);  // the scores separate the two kinds
  CHECK(contains(o.err, "lists of " + std::to_string(top) + " for "));
}

}  // namespace

TEST_CASE("recommend: precision, recall, MAP, NDCG, AUC and coverage are those of their definitions") {
  const Fitted fitted;
  for (const std::size_t top : {1, 2, 4, 1000}) check_quality(fitted, top);
}

TEST_CASE("recommend: what cannot be meant is refused") {
  const Fitted fitted;
  const auto err = [&](const Words& words, int code) {
    const Outcome o = ask(fitted.folder.path(), words);
    CHECK(o.code == code);
    return o.err;
  };
  CHECK(
      contains(err({"recommend", "fit", "--rows", "u3,nobody"}, 4), "'nobody' is not in the training data"));
  CHECK(contains(err({"recommend", "fit", "--top", "0"}, 2), "--top"));
  CHECK(contains(err({"predict", "fit", "held.csv", "--ranking", "many"}, 2), "--ranking"));
  CHECK(contains(err({"predict", "fit", "held.csv", "--ranking", "4", "--relevant", "3"}, 2), "--relevant"));
  for (const Words& of_lists : {Words{"--relevant", "3"}, Words{"--without", "train.csv"}})
    check_mentions(err(with({"predict", "fit", "held.csv"}, of_lists), 2),
                   {of_lists[0].c_str(), "add --ranking"});
  check_mentions(err({"predict", "fit", "held.csv", "--offset", "zzz"}, 2), {"--offset", "linear model"});
  CHECK(contains(err({"recommend", "nowhere"}, 4), "nowhere"));
  check_mentions(err({"split", "train.csv", "--newest", "--seed", "3", "--out", "a", "--held", "b"}, 2),
                 {"--seed", "--newest draws none"});
}

TEST_CASE("run: ratings without a penalty or a set get the lambda that is best on ratings held out") {
  constexpr int kPeople = 120, kFilms = 60;
  const TestFolder folder;
  std::mt19937_64 engine(4);
  std::normal_distribution<double> normal;
  std::vector<double> people, films, kind, good;
  for (int i = 0; i < kPeople; ++i) people.push_back(normal(engine)), kind.push_back(0.3 * normal(engine));
  for (int j = 0; j < kFilms; ++j) films.push_back(normal(engine)), good.push_back(0.3 * normal(engine));
  std::string train, held;
  for (int i = 0; i < kPeople; ++i)
    for (int j = 0; j < kFilms; ++j) {
      if (engine() % 10 >= 4) continue;
      const auto [a, b] = std::pair(static_cast<std::size_t>(i), static_cast<std::size_t>(j));
      const double stars = 3.0 + kind[a] + good[b] + people[a] * films[b] + 0.4 * normal(engine);
      (engine() % 5 == 0 ? held : train) +=
          "u" + std::to_string(i) + ",i" + std::to_string(j) + "," + std::to_string(stars) + '\n';
    }
  folder.put("train.csv", train);
  folder.put("held.csv", held);
  const Words words{"objective.use=matrix-completion", "objective.data=train.csv", "objective.test=held.csv",
                    "stop.relative_gap=1e-3"};
  const auto run = [&](const Words& more) {
    const Outcome o = ask(folder.path(), with(with({"run", "--json"}, words), more));
    REQUIRE_MESSAGE(o.code == 0, o.err);
    return std::pair(o.err, nlohmann::json::parse(o.out).at("test_rmse").get<double>());
  };
  const auto [said, chosen] = run({"--out", "fit"});
  CHECK(said.find("held out at random") != std::string::npos);
  const auto [quiet, biases] = run({"objective.center=biases", "penalty.use=nuclear", "penalty.lambda=max"});
  CHECK(quiet.find("held out at random") == std::string::npos);
  CHECK(chosen < 0.7 * biases);
  double best = biases;
  for (const char* lambda : {"0.6*max", "0.4*max", "0.3*max", "0.2*max", "0.1*max", "0.05*max"})
    best = std::min(
        best, run({"objective.center=biases", "penalty.use=nuclear", std::string("penalty.lambda=") + lambda})
                  .second);
  CHECK(chosen <= 1.02 * best);
  // The folder's specification names the choice, and so is not asked again.
  const Outcome again = ask(folder.path(), {"run", "--json", "fit/spec.ini"});
  REQUIRE_MESSAGE(again.code == 0, again.err);
  CHECK(again.err.find("held out at random") == std::string::npos);
  CHECK(nlohmann::json::parse(again.out).at("test_rmse").get<double>() == chosen);
  // Without a rule the error on the test ratings ends the run.
  const Outcome patient =
      ask(folder.path(), {"run", "--json", "objective.use=matrix-completion", "objective.data=train.csv",
                          "objective.test=held.csv", "--out", "patient"});
  REQUIRE_MESSAGE(patient.code == 0, patient.err);
  CHECK(contains(patient.err, "until patience = 5"));
  CHECK(contains(patient.err, "at most 24 factors"));
  const auto result = nlohmann::json::parse(patient.out);
  CHECK(result.at("status") == "validation");
  CHECK(result.at("test_rmse").get<double>() <= 1.02 * best);
  const Outcome same = ask(folder.path(), {"run", "--json", "patient/spec.ini"});
  REQUIRE_MESSAGE(same.code == 0, same.err);
  CHECK(nlohmann::json::parse(same.out).at("test_rmse") == result.at("test_rmse"));
  // A budget besides changes nothing; a target asks for the minimum.
  for (const auto& [rule, few] :
       {std::pair{"stop.iterations=500", true}, {"stop.relative_gap=1e-2", false}}) {
    const Outcome o =
        ask(folder.path(), {"run", "--json", "objective.use=matrix-completion", "objective.data=train.csv",
                            "objective.test=held.csv", "stop.patience=5", rule});
    REQUIRE_MESSAGE(o.code == 0, o.err);
    CHECK(contains(o.err, "at most 24 factors") == few);
  }
  // An algorithm that is named minimises what is written.
  CHECK(run({"algorithm.use=proximal-gradient", "stop.iterations=3", "stop.relative_gap=0"})
            .first.find("held out at random") == std::string::npos);
}

TEST_CASE("run: the steps of alternating least squares choose a lambda at every ratio and from every start") {
  const TestFolder folder;
  std::mt19937_64 engine(5);
  std::normal_distribution<double> normal;
  std::vector<double> people, films;
  for (int i = 0; i < 150; ++i) people.push_back(normal(engine));
  for (int j = 0; j < 80; ++j) films.push_back(normal(engine));
  std::string ratings;
  for (std::size_t i = 0; i < people.size(); ++i)
    for (std::size_t j = 0; j < films.size(); ++j)
      if (engine() % 10 < 3)
        ratings += std::to_string(i) + ',' + std::to_string(j) + ',' +
                   std::to_string(3.0 + people[i] * films[j] + 0.5 * normal(engine)) + '\n';
  folder.put("ratings.csv", ratings);
  const auto choice = [&](const Words& more) {
    const Outcome o = ask(folder.path(), with({"run", "--json", "objective.use=matrix-completion",
                                               "objective.data=ratings.csv", "algorithm.use=alternating"},
                                              more));
    REQUIRE_MESSAGE(o.code == 0, o.err);
    return nlohmann::json::parse(o.out).at("choices").at("penalty.lambda");
  };
  const auto taken = [](const nlohmann::json& of) {
    return of.at("tried").at(of.at("chosen").get<std::size_t>()).get<double>();
  };
  const auto usual = choice({});
  REQUIRE(usual.at("chosen") > 2);
  // The lambdas of a path are those of its steps.
  for (const auto& [ratio, apart] : {std::pair{"0.5", 0.5}, {"0.7", 0.7}, {"0.96", 0.85}, {"1", 0.65}}) {
    CAPTURE(std::string(ratio));
    const auto other = choice({std::string("algorithm.ratio=") + ratio});
    const auto tried = other.at("tried").get<std::vector<double>>();
    for (std::size_t k = 2; k < tried.size(); ++k)
      CHECK(tried[k] / tried[k - 1] == doctest::Approx(apart).epsilon(0.01));
    CHECK(std::abs(std::log(taken(other) / taken(usual))) < std::log(3.0));
    const auto error = [](const nlohmann::json& of) {
      return of.at("rmse").at(of.at("chosen").get<std::size_t>()).get<double>();
    };
    CHECK(error(other) == doctest::Approx(error(usual)).epsilon(0.02));
  }
  CHECK(choice({"start.from=mean-fill", "start.rank=3"}) == usual);
  const auto folds = choice({"--folds", "3"});
  CHECK(folds.at("held_out") == std::ranges::count(ratings, '\n'));
  CHECK(std::abs(std::log(taken(folds) / taken(usual))) < std::log(2.0));
  const Outcome refused =
      ask(folder.path(), {"run", "--folds", "3", "objective.use=matrix-completion",
                          "objective.data=ratings.csv", "penalty.use=nuclear", "penalty.lambda=0.1*max"});
  CHECK(refused.code == 2);
  CHECK(contains(refused.err, "--folds"));
}

TEST_CASE("run: ratings of fewer columns than factors, and of few a row, predict no worse than the center") {
  const TestFolder folder;
  std::mt19937_64 engine(9);
  std::normal_distribution<double> normal;
  for (const auto& [people, films, share] : {std::tuple{90, 3, 0.9}, {200, 12, 0.5}, {400, 50, 0.05}}) {
    CAPTURE(films);
    std::string train, held;
    for (int i = 0; i < people; ++i) {
      const double taste = normal(engine);
      for (int j = 0; j < films; ++j)
        if (std::uniform_real_distribution<double>()(engine) < share)
          (engine() % 5 == 0 ? held : train) +=
              std::to_string(i) + ',' + std::to_string(j) + ',' +
              std::to_string(3.0 + taste * (j % 3 - 1) + 0.5 * normal(engine)) + '\n';
    }
    folder.put("train.csv", train);
    folder.put("held.csv", held);
    const auto error = [&](const Words& more) {
      const Outcome o = ask(folder.path(), with({"run", "--json", "objective.use=matrix-completion",
                                                 "objective.data=train.csv", "objective.test=held.csv"},
                                                more));
      REQUIRE_MESSAGE(o.code == 0, o.err);
      return nlohmann::json::parse(o.out).at("test_rmse").get<double>();
    };
    CHECK(error({}) <=
          1.001 * error({"objective.center=biases", "penalty.use=nuclear", "penalty.lambda=max"}));
  }
}

TEST_CASE(
    "recommend: all pairs of --without are left out in any order of columns, and a header is reported") {
  const Fitted fitted;
  fitted.folder.put("plain.csv", "u0,i0\nu0,i2\nu0,i4\n");
  fitted.folder.put("turned.csv", "i0,u0\ni2,u0\ni4,u0\n");
  fitted.folder.put("named.csv", "what,who\ni0,u0\ni2,u0\ni4,u0\n");
  const auto ask_without = [&](const std::string& file, const std::string& columns) {
    return ask(fitted.folder.path(), {"recommend", "fit", "--rows", "u0", "--top", "11", "--without", file,
                                      "--columns", columns, "--json"});
  };
  const Outcome plain = ask_without("plain.csv", "1,2"), turned = ask_without("turned.csv", "2,1"),
                named = ask_without("named.csv", "2,1");
  REQUIRE_MESSAGE(plain.code == 0, plain.err);
  CHECK(turned.out == plain.out);
  CHECK(named.out == plain.out);
  CHECK_FALSE(contains(turned.err, "header"));
  CHECK(contains(named.err, "'what, who' is taken for a header"));
}

TEST_CASE("split: every line goes to one of two files, as it is, with the header") {
  const TestFolder folder;
  const Views views;
  const std::string text = Views::text(views.train);
  folder.put("all.csv", text);
  const auto lines = [&](const std::string& file) {
    std::istringstream in(folder.get(file));
    std::multiset<std::string> all;
    std::string one;
    REQUIRE(std::getline(in, one));
    CHECK(one == "user,item,views,time");
    while (std::getline(in, one)) all.insert(one);
    return all;
  };
  const auto split = [&](const Words& more) {
    Words words{"split", "all.csv", "--out", "a.csv", "--held", "b.csv"};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome o = ask(folder.path(), words);
    REQUIRE_MESSAGE(o.code == 0, o.err);
    std::multiset<std::string> both = lines("a.csv");
    for (const std::string& one : lines("b.csv")) both.insert(one);
    CHECK(both == lines("all.csv"));
    return lines("b.csv");
  };
  const auto n = static_cast<double>(views.train.size());
  const auto first = split({"--share", "0.25"});
  CHECK(std::abs(static_cast<double>(first.size()) - 0.25 * n) <= 0.5);
  CHECK(split({"--share", "0.25"}) == first);
  CHECK(split({"--share", "0.25", "--seed", "5"}) != first);
  // The newest line of a user is that of the last item (line()).
  std::map<int, int> last, count;
  for (const auto& [i, j] : views.train) last[i] = j, ++count[i];
  std::multiset<std::string> newest;
  for (const auto& [i, j] : last)
    if (count[i] > 1) newest.insert(line(i, j, 100 * i + j).substr(0, line(i, j, 100 * i + j).size() - 1));
  CHECK(split({"--one-a-row", "--newest"}) == newest);
  CHECK(split({"--one-a-row"}).size() == newest.size());
  const Outcome none =
      ask(folder.path(), {"split", "all.csv", "--out", "a.csv", "--held", "b.csv", "--share", "1e-9"});
  CHECK(none.code == 4);
  CHECK(contains(none.err, "would be held out"));
  CHECK(ask(folder.path(), {"split", "all.csv", "--out", "a.csv"}).code == 2);
  CHECK(ask(folder.path(), {"split", "all.csv", "--out", "a.csv", "--held", "a.csv"}).code == 2);
  CHECK(ask(folder.path(), {"split", "none.csv", "--out", "a.csv", "--held", "b.csv"}).code == 4);
}

TEST_CASE("views: without a penalty or a set a warning says that nothing is recommended") {
  const TestFolder folder;
  folder.put("views.csv", "ann,tea,3\nann,milk,1\nbob,tea,2\nbob,jam,1\ncem,jam,4\n");
  const Words words{"run",
                    "objective.use=matrix-completion",
                    "objective.data=views.csv",
                    "objective.implicit=yes",
                    "objective.unobserved=0.1",
                    "--quiet"};
  CHECK(contains(ask(folder.path(), words).err, "warning: no penalty and no set"));
  CHECK_FALSE(contains(ask(folder.path(), with(words, {"penalty.use=nuclear", "penalty.lambda=0.1*max"})).err,
                       "warning"));
}

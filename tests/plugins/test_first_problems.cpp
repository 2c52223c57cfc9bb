// SPDX-License-Identifier: BSD-3-Clause
// What first jobs meet: matrices as files of entries, magnitudes of phase retrieval, draws without noise,
// momentum where f is not convex, and solutions of rank 1.
#include "projected_gradient.hpp"
#include "sensing_problem.hpp"

#include <claros/io/matrix_market.hpp>
#include <claros/results/run_folder.hpp>

#include <cmath>

using namespace claros;
using namespace claros::test;

namespace {

std::shared_ptr<Objective> made(const std::string& name, const Numbers& numbers, const TestFolder& folder,
                                std::string* notes = nullptr) {
  std::vector<Setting> settings;
  for (const auto& [key, value] : numbers) settings.push_back({key, value, {}, {}});
  Context context;
  context.base = folder.path();
  if (notes) context.messages = [notes](Severity, const std::string& text) { *notes += text; };
  return std::static_pointer_cast<Objective>(
      create_component(build_catalog(), Kind::objective, name, settings, context));
}

}  // namespace

TEST_CASE("matrix completion: a matrix file with holes is the list of its entries") {
  const TestFolder folder;
  folder.put("list.csv", "1,1,5\n1,3,2\n2,2,-1\n3,1,4\n3,3,0.5\n");
  folder.put("matrix.csv", "5,,2\nNA,-1,NaN\n4,?,0.5\n");
  std::string notes;
  const auto list = made("matrix-completion", {{"data", "list.csv"}}, folder),
             matrix =
                 made("matrix-completion", {{"data", "matrix.csv"}, {"layout", "matrix"}}, folder, &notes);
  CHECK(matrix->shape() == Shape::matrix(3, 3));
  CHECK(matrix->terms() == 5);
  CHECK(notes.find("5 entries are observed") != std::string::npos);
  const Element x = point(list->shape(), 4);
  CHECK(matrix->value(x) == doctest::Approx(list->value(x)).epsilon(1e-15));
  CHECK(distance(gradient(*matrix, x), gradient(*list, x)) == 0.0);
  folder.put("wide.csv", "1,2,3,4,5,6,7,8,9\n1,2,,4,5,6,7,8,9\n");
  CHECK(made("matrix-completion", {{"data", "wide.csv"}}, folder)->terms() == 17);
  folder.put("times.csv", "1,1,5,881250949\n1,2,3,891717742\n");
  CHECK(made("matrix-completion", {{"data", "times.csv"}}, folder)->terms() == 2);
  check_mentions(refusal(ErrorKind::data,
                         [&] {
                           (void)made("matrix-completion", {{"data", "wide.csv"}, {"rows", "7"}}, folder);
                         }),
                 {"wide.csv", "2 x 9"});
}

TEST_CASE(
    "matrix completion: options of lists make a wide file a list, and a matrix obeys those of its text") {
  const TestFolder folder;
  const std::string rows = "1,1,5,9,3,4,1,30,9.5\n1,2,4,8,3,4,1,30,9.5\n2,2,3,7,3,4,1,30,9.5\n";
  folder.put("wide.csv", rows);
  folder.put("named.csv", "user,item,rating,k,hour,wd,device,age,price\n" + rows);
  folder.put("years.csv", "2015,2016,2017,2018,2019,2020,2021,2022,2023\n1,2,,4,5,1,2,3,4\n");
  folder.put("comma.csv", "1,5;2;;4;5;1;2;3;4\n2,5;3;4;5;1;2;3;;1\n");
  const auto terms = [&](const std::string& file, Numbers more) {
    more.push_back({"data", file});
    return made("matrix-completion", more, folder)->terms();
  };
  for (const Numbers& more :
       {Numbers{{"columns", "1,2,3"}}, Numbers{{"weights", "column"}}, Numbers{{"half_life", "2"}},
        Numbers{{"ids", "one-based"}}, Numbers{{"duplicates", "mean"}}, Numbers{{"layout", "list"}}}) {
    CAPTURE(more.front().first);
    CHECK(terms("wide.csv", more) == 3);
    CHECK(terms("named.csv", more) == 3);
  }
  CHECK(terms("wide.csv", {}) == 27);
  CHECK(terms("named.csv", {}) == 3);
  CHECK(terms("years.csv", {}) == 17);
  CHECK(terms("years.csv", {{"header", "yes"}}) == 8);
  CHECK(terms("comma.csv", {{"decimal", "comma"}}) == 16);
  CHECK(terms("comma.csv", {{"delimiter", "semicolon"}}) == 16);
  const auto refuses = [&](const std::string& file, const Numbers& more, ErrorKind kind) {
    return refusal(kind, [&] { (void)terms(file, more); });
  };
  check_mentions(refuses("comma.csv", {{"decimal", "point"}}, ErrorKind::data), {"comma.csv:1", "'1,5'"});
  check_mentions(refuses("years.csv", {{"delimiter", "semicolon"}, {"layout", "matrix"}}, ErrorKind::data),
                 {"years.csv:2", "expected a number"});
  for (const auto& [option, value] : Numbers{{"columns", "1,2,3"},
                                             {"weights", "column"},
                                             {"half_life", "2"},
                                             {"ids", "arbitrary"},
                                             {"duplicates", "last"}})
    check_mentions(refuses("wide.csv", {{option, value}, {"layout", "matrix"}}, ErrorKind::usage),
                   {option.c_str(), "layout = list"});
  CHECK(terms("wide.csv", {{"ids", "zero-based"}, {"layout", "matrix"}}) == 27);
  folder.put("m.mtx", "%%MatrixMarket matrix array real general\n1 2\n1\n2\n");
  for (const auto& [option, value] : Numbers{{"header", "yes"}, {"delimiter", "comma"}, {"decimal", "comma"}})
    check_mentions(refuses("m.mtx", {{option, value}}, ErrorKind::usage), {option.c_str(), "tables of text"});
}

TEST_CASE("phase retrieval: magnitudes are squared, of a_i a_i' alone") {
  const TestFolder folder;
  folder.put("a.csv", "1,2,3\n-1,1,2\n0,3,5\n");  // rows 1 2, -1 1, 0 3
  folder.put("b.csv", "1,2,9\n-1,1,4\n0,3,25\n");
  folder.put("negative.csv", "1,2,-3\n-1,1,2\n");
  const auto of = [&](const std::string& file, const Numbers& more) {
    return made("matrix-sensing", Numbers{{"data", file}, {"measurements", "symmetric"}} + more, folder);
  };
  const auto magnitudes = of("a.csv", {{"responses", "magnitudes"}}), squares = of("b.csv", {});
  const Element x = point(squares->shape(), 3);
  CHECK(magnitudes->value(x) == doctest::Approx(squares->value(x)).epsilon(1e-15));
  CHECK(magnitudes->value(x) != doctest::Approx(of("a.csv", {})->value(x)));
  check_mentions(refusal(ErrorKind::data,
                         [&] {
                           (void)of("negative.csv", {{"responses", "magnitudes"}});
                         }),
                 {"response 1 is -3"});
  check_mentions(refusal(ErrorKind::usage,
                         [&] {
                           (void)made("matrix-sensing",
                                      {{"data", "a.csv"},
                                       {"measurements", "dense"},
                                       {"rows", "2"},
                                       {"cols", "1"},
                                       {"responses", "magnitudes"}},
                                      folder);
                         }),
                 {"responses", "symmetric"});
}

TEST_CASE("solutions: of rank 1 and symmetric, x of X = x x' is written, and of no other") {
  const TestFolder folder;
  const Dense x{1.0, -3.0, 2.0}, y{1.0, 1.0, 1.0};
  Element X = Element::rank_one(1.0, x, x);
  write_solution(folder / "one", X);
  const DenseTable root = read_matrix_market_array(folder / "one/vector.mtx");
  CHECK(distance(root.values, Dense{-1.0, 3.0, -2.0}) <= 1e-12);
  const auto has_root = [&](const Element& matrix) {
    write_solution(folder / "other", matrix);
    return std::filesystem::remove(folder / "other/vector.mtx");
  };
  CHECK(has_root(X));
  CHECK_FALSE(has_root(Element::rank_one(-1.0, x, x)));
  CHECK_FALSE(has_root(Element::rank_one(1.0, x, y)));
  Element two(X);
  two.add(1.0, Element::rank_one(0.1, y, y));
  CHECK_FALSE(has_root(two));
}

TEST_CASE("noisy-matrix: without noise it is one term, exact") {
  const TestFolder folder;
  folder.put("m.csv", "1,2\n3,4\n");
  const auto f = made("noisy-matrix", {{"data", "m.csv"}, {"sigma", "0"}}, folder);
  CHECK(f->terms() == 1);
  const RunResult result = solve({"objective.use=noisy-matrix", "objective.sigma=0",
                                  "objective.data=" + (folder / "m.csv").string(), "set.use=nuclear-ball",
                                  "set.radius=1", "stop.relative_gap=1e-8", "stop.iterations=2000"});
  CHECK(result.status == Status::relative_gap);
}

TEST_CASE("proximal gradient: momentum where f is not convex saves most of the steps") {
  const Words words{"data.use=synthetic",
                    "data.rows=60",
                    "data.cols=50",
                    "data.rank=3",
                    "data.observed=0.4",
                    "data.noise=0.2",
                    "objective.use=matrix-completion",
                    "objective.loss=robust",
                    "set.use=nuclear-ball",
                    "set.radius=80",
                    "algorithm.use=proximal-gradient",
                    "stop.relative_gap=1e-5",
                    "stop.iterations=5000"};
  const RunResult plain = solve(words + Words{"algorithm.accelerate=no"}), automatic = solve(words);
  CHECK(plain.status == Status::relative_gap);
  CHECK(automatic.status == Status::relative_gap);
  MESSAGE(plain.iterations, " steps without momentum, ", automatic.iterations, " with it");
  CHECK(3 * automatic.iterations < 2 * plain.iterations);
  CHECK(automatic.measurement.value <= plain.measurement.value * (1.0 + 1e-4));
}

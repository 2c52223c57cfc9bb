// SPDX-License-Identifier: BSD-3-Clause
// Measurements from files: what is read, and what is refused with its place.
#include <claros/io/design_io.hpp>

#include "sensing_problem.hpp"

using namespace claros;
using namespace claros::test;

namespace {

std::shared_ptr<Objective> from_files(const TestFolder& folder, const Numbers& numbers) {
  std::vector<Setting> settings;
  for (const auto& [key, value] : numbers) settings.push_back({key, value, {}, {}});
  Context context;
  context.base = folder.path();
  return std::static_pointer_cast<Objective>(
      build_catalog().create(Kind::objective, "matrix-sensing", settings, context));
}

std::string line(const double* values, Index count) {
  std::string text;
  for (Index k = 0; k < count; ++k) text += (k ? "," : "") + print_real(values[k]);
  return text + "\n";
}

/// "a,b,..." a row of a design; with its response in the last column.
std::string table(const Design& design, bool response) {
  std::string text;
  const auto& values = std::get<DenseRows<double>>(design.entries).values;
  for (Index i = 0; i < design.rows; ++i) {
    Dense row(values.begin() + i * design.cols, values.begin() + (i + 1) * design.cols);
    if (response) row.push_back(design.response[static_cast<std::size_t>(i)]);
    text += line(row.data(), static_cast<Index>(row.size()));
  }
  return text;
}

std::string numbers_text(const Dense& values) {
  std::string text;
  for (const double value : values) text += print_real(value) + "\n";
  return text;
}

/// Lines i, row, column, value, backwards, counted from `first`.
std::string list(const SensingProblem& p, Index first) {
  std::string text;
  for (Index i = p.n - 1; i >= 0; --i)
    for (Index k = 0; k < p.rows * p.cols; ++k)
      if (const double value = p.A[static_cast<std::size_t>(i)][static_cast<std::size_t>(k)]; value != 0.0)
        text += std::to_string(i + first) + " " + std::to_string(k % p.rows + first) + " " +
                std::to_string(k / p.rows + first) + " " + print_real(value) + "\n";
  return text;
}

void check_same(Objective& f, const SensingProblem& p) {
  CHECK(f.shape() == p.shape());
  CHECK(f.terms() == p.n);
  const Element x = point(p.shape(), 4);
  CHECK(f.value(x) == doctest::Approx(p.value("squared", x.to_dense())).epsilon(1e-12));
}

const Numbers kSymmetric{{"data", "a.csv"}, {"measurements", "symmetric"}};
const Numbers kPairs{{"data", "a.csv"}, {"measurements", "rank-one"}, {"right", "b.csv"}};
const Numbers kList{
    {"data", "list.txt"}, {"measurements", "sparse"}, {"response", "y.txt"}, {"rows", "3"}, {"cols", "2"}};

}  // namespace

TEST_CASE("matrix sensing files: tables, pairs of tables and lists are the problems that they hold") {
  const TestFolder folder;
  const SensingProblem dense(MeasurementKind::dense, 3, 2, 9), pairs(MeasurementKind::rank_one, 3, 2, 9),
      symmetric(MeasurementKind::symmetric, 4, 4, 9), sparse(MeasurementKind::sparse, 3, 2, 9);
  folder.put("dense.csv", table(*dense.measurements.left, true));
  check_same(
      *from_files(folder, {{"data", "dense.csv"}, {"measurements", "dense"}, {"rows", "3"}, {"cols", "2"}}),
      dense);
  folder.put("a.csv", table(*pairs.measurements.left, true));
  folder.put("b.csv", table(*pairs.measurements.right, false));
  check_same(*from_files(folder, kPairs), pairs);
  check_same(*from_files(folder, kPairs + Numbers{{"rows", "3"}, {"cols", "2"}}), pairs);
  folder.put("a.csv", table(*symmetric.measurements.left, true));
  check_same(*from_files(folder, kSymmetric), symmetric);
  check_same(
      *from_files(folder, kSymmetric + Numbers{{"precision", "float"}, {"storage", "sparse"}, {"rows", "4"}}),
      [&] {
        SensingProblem rounded = symmetric;
        for (Index i = 0; i < rounded.n; ++i) {
          Dense a(4);
          rounded.measurements.left->row(i, a);
          for (std::size_t k = 0; k < 16; ++k)
            rounded.A[static_cast<std::size_t>(i)][k] = static_cast<double>(static_cast<float>(a[k % 4])) *
                                                        static_cast<double>(static_cast<float>(a[k / 4]));
        }
        return rounded;
      }());
  folder.put("y.txt", numbers_text(sparse.y));
  for (const Index first : {0, 1}) {
    folder.put("list.txt", list(sparse, first));
    check_same(*from_files(folder, kList + Numbers{{"first_index", std::to_string(first)}}), sparse);
  }
}

TEST_CASE("matrix sensing files: what does not fit is refused with its place") {
  const TestFolder folder;
  const auto refused = [&](ErrorKind kind, const Numbers& numbers, std::initializer_list<const char*> parts) {
    check_mentions(refusal(kind, [&] { (void)from_files(folder, numbers); }), parts);
  };
  const SensingProblem pairs(MeasurementKind::rank_one, 3, 2, 9), sparse(MeasurementKind::sparse, 3, 2, 9);
  folder.put("a.csv", table(*pairs.measurements.left, true));
  folder.put("b.csv", table(*pairs.measurements.right, false));
  folder.put("y.txt", numbers_text(sparse.y));
  folder.put("list.txt", list(sparse, 1));
  refused(ErrorKind::usage, {}, {"data", "synthetic-sensing"});
  refused(ErrorKind::usage, {{"data", "a.csv"}}, {"measurements", "symmetric"});
  refused(ErrorKind::usage, {{"data", "a.csv"}, {"measurements", "rank-one"}}, {"right"});
  refused(ErrorKind::usage, kSymmetric + Numbers{{"right", "b.csv"}}, {"right", "symmetric"});
  refused(ErrorKind::usage, kSymmetric + Numbers{{"rows", "3"}, {"cols", "2"}}, {"cols", "3 x 2", "square"});
  refused(ErrorKind::data, kSymmetric + Numbers{{"rows", "5"}}, {"a.csv", "3", "rows is 5"});
  refused(ErrorKind::data, kPairs + Numbers{{"cols", "7"}}, {"b.csv", "cols is 7"});
  refused(ErrorKind::usage, {{"data", "a.csv"}, {"measurements", "dense"}}, {"rows", "cols"});
  refused(ErrorKind::usage, {{"data", "a.csv"}, {"measurements", "dense"}, {"rows", "3"}}, {"cols"});
  refused(ErrorKind::data, {{"data", "a.csv"}, {"measurements", "dense"}, {"rows", "2"}, {"cols", "2"}},
          {"a.csv", "3 numbers", "takes 4"});
  refused(ErrorKind::usage, {{"data", "list.txt"}, {"measurements", "sparse"}, {"rows", "3"}, {"cols", "2"}},
          {"response"});
  refused(ErrorKind::usage, kSymmetric + Numbers{{"loss", "multinomial"}}, {"loss"});
  refused(ErrorKind::data, kSymmetric + Numbers{{"loss", "logistic"}}, {"a.csv", "response 1", "-1 or 1"});
  refused(ErrorKind::data, kList + Numbers{{"first_index", "0"}}, {"list.txt", "from 0 to"});
  refused(
      ErrorKind::data,
      {{"data", "list.txt"}, {"measurements", "sparse"}, {"response", "y.txt"}, {"rows", "2"}, {"cols", "2"}},
      {"list.txt", "row 3"});
  folder.put("b.csv", "1,2\n3,4\n");
  refused(ErrorKind::data, kPairs, {"b.csv", "2 rows for 9 measurements"});
  folder.put("b.csv", "1,2\nnan,4\n");
  refused(ErrorKind::data, kPairs, {"b.csv"});
  folder.put("list.txt", "1 1 1 2\n1 1 1 3\n");
  refused(ErrorKind::data, kList, {"measurement 1", "row 1, column 1 twice"});
  folder.put("list.txt", "1 1.5 1 2\n");
  refused(ErrorKind::data, kList, {"row 1.5", "whole number"});
  folder.put("list.txt", "10 1 1 2\n");
  refused(ErrorKind::data, kList, {"measurement 10", "from 1 to 9"});
  folder.put("list.txt", "1 1 2\n");
  refused(ErrorKind::data, kList, {"3 columns"});
  folder.put("y.txt", "1 2\n3 4\n");
  refused(ErrorKind::data, kList, {"y.txt", "2 x 2"});
  folder.put("a.csv", "1,2,nan\n1,2,3\n");
  refused(ErrorKind::data, kSymmetric, {"a.csv"});
  folder.put("a.csv", "");
  refused(ErrorKind::data, kSymmetric, {"a.csv"});
  folder.put("y.txt", "1\n2\n");
  folder.put("a.csv", "1,2,3\n1,2,3\n2,2,1\n");
  folder.put("a.mtx", "%%MatrixMarket matrix array real general\n3 2\n1\n2\n3\n4\n5\n6\n");
  refused(ErrorKind::data, {{"data", "a.mtx"}, {"measurements", "symmetric"}, {"response", "y.txt"}},
          {"y.txt", "3 rows"});
}

TEST_CASE("matrix sensing files: what a data section makes and what it writes are one problem") {
  const TestFolder folder;
  for (const std::string kind : {"gaussian", "rank-one", "symmetric"}) {
    INFO(kind);
    const auto data = make_data(build_catalog(), spec_of({"data.use=synthetic-sensing", "data.rows=4",
                                                          "data.count=30", "data.measurements=" + kind}));
    data->write(folder.path());
    Context context;
    context.data = data;
    const auto made = std::static_pointer_cast<Objective>(
        build_catalog().create(Kind::objective, "matrix-sensing", {}, context));
    Numbers numbers{{"data", "measurements.bin"}, {"measurements", kind == "gaussian" ? "dense" : kind}};
    if (kind == "gaussian") numbers = numbers + Numbers{{"rows", "4"}, {"cols", "4"}};
    if (kind == "rank-one") numbers.emplace_back("right", "right.mtx");
    const auto read = from_files(folder, numbers);
    const Element x = point(made->shape(), 2);
    CHECK(made->value(x) == read->value(x.detached()));
    CHECK(made->value(*data->truth()) <= 1e-25);
    check_mentions(refusal(ErrorKind::usage,
                           [&] {
                             (void)build_catalog().create(Kind::objective, "matrix-sensing",
                                                          {{"measurements", "sparse", {}, {}}}, context);
                           }),
                   {"measurements", "sparse"});
    check_mentions(refusal(ErrorKind::usage,
                           [&] {
                             (void)build_catalog().create(Kind::objective, "matrix-sensing",
                                                          {{"rows", "9", {}, {}}}, context);
                           }),
                   {"rows", "4 x 4"});
  }
}

// SPDX-License-Identifier: BSD-3-Clause
// Features of rows and columns: their products against the dense matrix, and their lines in the order of the
// ids of the data, whichever of the two knows an id.
#include "small_host.hpp"

#include <claros/io/features.hpp>

#include <cmath>
#include <map>

namespace claros::test::features_of_rows {

namespace {

using Numbers = std::vector<double>;
using Line = std::map<std::int32_t, double>;

Features of_lines(const std::vector<Line>& lines, Index width, std::vector<std::string> ids = {}) {
  Features made{.width = width, .ids = std::move(ids)};
  for (const Line& line : lines) {
    for (const auto& [column, value] : line) made.column.push_back(column), made.value.push_back(value);
    made.start.push_back(std::ssize(made.column));
  }
  return made;
}

std::vector<Line> lines_of(const Features& features) {
  std::vector<Line> all;
  for (std::size_t i = 0; i + 1 < features.start.size(); ++i) {
    Line& line = all.emplace_back();
    for (Index e = features.start[i]; e < features.start[i + 1]; ++e)
      line[features.column[static_cast<std::size_t>(e)]] = features.value[static_cast<std::size_t>(e)];
  }
  return all;
}

std::string refused(Ids ids, const Features& features) {
  try {
    (void)in_order_of(ids, features, "row", "rows.csv");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::data);
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("features: products, norms and the bound on the norm are those of the dense matrix") {
  for (const auto& [rows, width] : {std::pair<std::size_t, std::size_t>{5, 3}, {3, 7}, {1, 4}, {4, 1}}) {
    CAPTURE(rows);
    CAPTURE(width);
    const std::vector<double> drawn = normals(7, rows * width);
    std::vector<Numbers> dense(rows, Numbers(width, 0.0));
    std::vector<Line> lines(rows);
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; j < width; ++j)
        if (const double z = drawn[i * width + j]; z > -0.8 || i + j == 0)
          dense[i][j] = z, lines[i][static_cast<std::int32_t>(j)] = z;
    const Features features = of_lines(lines, static_cast<Index>(width));
    CHECK(features.rows() == static_cast<Index>(rows));
    const auto product = [&](const Numbers& x) {
      Numbers y(rows, 0.0);
      for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 0; j < width; ++j) y[i] += dense[i][j] * x[j];
      return y;
    };
    const auto adjoint = [&](const Numbers& y) {
      Numbers x(width, 0.0);
      for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 0; j < width; ++j) x[j] += dense[i][j] * y[i];
      return x;
    };
    Numbers x = normals(8, width), image(rows, 9.0), back(width, 9.0);
    const Numbers y = normals(9, rows);
    features.apply(x, image), features.apply_adjoint(y, back);
    const Numbers expected = product(x), turned = adjoint(y);
    for (std::size_t i = 0; i < rows; ++i) CHECK(image[i] == doctest::Approx(expected[i]));
    for (std::size_t j = 0; j < width; ++j) CHECK(back[j] == doctest::Approx(turned[j]));
    const std::vector<double> squares = features.squared_norms();
    for (std::size_t i = 0; i < rows; ++i) {
      double sum = 0.0;
      for (const double z : dense[i]) sum += z * z;
      CHECK(squares[i] == doctest::Approx(sum));
    }
    double norm = 0.0;  // by the power method
    for (int step = 0; step < 500; ++step) {
      double size = 0.0;
      for (const double z : x) size += z * z;
      for (double& z : x) z /= std::sqrt(size);
      x = adjoint(product(x)), norm = 0.0;
      for (const double z : x) norm += z * z;
      norm = std::sqrt(std::sqrt(norm));
    }
    CHECK(features.norm_bound() >= norm * (1.0 - 1e-12));
    CHECK(features.norm_bound() <= norm * 1.2);
  }
  const Features scaled = Features::indicators(3, 0.5);
  CHECK(scaled.width == 3);
  CHECK(lines_of(scaled) == std::vector<Line>{{{0, 0.5}}, {{1, 0.5}}, {{2, 0.5}}});
  CHECK(of_lines({{{0, 1.0}}}, 2).name(1) == "2");
}

TEST_CASE(
    "features: labels keep their places, those of the features alone come behind them, in their order") {
  Ids ids{.count = 3, .first = 1, .names = {"a", "b", "c"}, .entries = {1, 0, 2}};
  const std::vector<Line> given{{{0, 1.0}, {2, 2.0}}, {{1, 3.0}}, {{2, 4.0}}, {}};
  const Features ordered = in_order_of(ids, of_lines(given, 3, {"c", "y", "a", "x"}), "row", "rows.csv");
  CHECK(lines_of(ordered) == std::vector<Line>{given[2], {}, given[0], given[1], given[3]});
  CHECK(ordered.width == 3);
  CHECK(ids.names == std::vector<std::string>{"a", "b", "c", "y", "x"});
  CHECK(ids.count == 5);
  CHECK(ids.entries == std::vector<Index>{1, 0, 2, 0, 0});
  const Ids full{.count = 3, .first = 1, .names = {"a", "b", "c"}, .entries = {1, 4, 2}};
  CHECK(refused(full, of_lines(given, 3, {"c", "y", "a", "x"})).find("none of row b") != std::string::npos);
  CHECK(refused(full, of_lines(given, 3)).find("lines have no ids") != std::string::npos);
}

TEST_CASE("features: indices are places from the first index on, by id or by line") {
  const std::vector<Line> given{{{0, 1.0}}, {{1, 2.0}}, {{0, 3.0}, {1, 4.0}}};
  for (const Index first : {0, 1}) {
    CAPTURE(first);
    const auto id = [&](Index place) { return std::to_string(place + first); };
    Ids ids{.count = 3, .first = first, .names = {}, .entries = {5, 0, 6}};
    const Features ordered = in_order_of(ids, of_lines(given, 2, {id(4), id(0), id(2)}), "row", "rows.csv");
    CHECK(lines_of(ordered) == std::vector<Line>{given[1], {}, given[2], {}, given[0]});
    CHECK(ids.count == 5);
    CHECK(ids.entries == std::vector<Index>{5, 0, 6, 0, 0});
    CHECK(ids.name(4) == id(4));
    Ids same{.count = 3, .first = first, .names = {}, .entries = {5, 1, 6}};
    CHECK(lines_of(in_order_of(same, of_lines(given, 2), "row", "rows.csv")) == given);
    CHECK(same.count == 3);
    Ids fewer{.count = 2, .first = first, .names = {}, .entries = {5, 1}};
    CHECK(lines_of(in_order_of(fewer, of_lines(given, 2), "row", "rows.csv")) == given);
    CHECK(fewer.count == 3);
    CHECK(fewer.entries == std::vector<Index>{5, 1, 0});
    Ids more{.count = 4, .first = first, .names = {}, .entries = {5, 1, 6, 0}};
    CHECK(lines_of(in_order_of(more, of_lines(given, 2), "row", "rows.csv")) ==
          std::vector<Line>{given[0], given[1], given[2], {}});
    more.entries[3] = 1;
    CHECK(refused(more, of_lines(given, 2)).find("none of row " + id(3)) != std::string::npos);
    CHECK(refused(more, of_lines(given, 2, {id(-1), id(0), id(1)})).find("is not an index from " + id(0)) !=
          std::string::npos);
  }
}

}  // namespace claros::test::features_of_rows

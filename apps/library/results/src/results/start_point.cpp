// SPDX-License-Identifier: BSD-3-Clause
#include <claros/results/start_point.hpp>

#include <claros/element/factor_store.hpp>
#include <claros/error.hpp>
#include <claros/io/design_io.hpp>
#include <claros/io/linear_training.hpp>
#include <claros/io/text_input.hpp>
#include <claros/io/training.hpp>
#include <claros/io/triplets.hpp>
#include <claros/regular_file.hpp>
#include <claros/results/run_identity.hpp>

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <string_view>
#include <system_error>
#include <unordered_map>

namespace claros {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void other_model(const fs::path& folder, const std::string& what) {
  throw Error(ErrorKind::data, folder.string(), "is the solution of another problem: " + what,
              "start from a solution with these columns, or set start.from = auto");
}

void expect_same(const fs::path& folder, const std::string& what, const std::vector<std::string>& theirs,
                 const std::vector<std::string>& ours) {
  if (theirs.empty() || ours.empty()) return;
  if (theirs.size() != ours.size())
    other_model(folder, "it has " + std::to_string(theirs.size()) + " " + what + ", and the objective " +
                            std::to_string(ours.size()));
  for (std::size_t k = 0; k < ours.size(); ++k)
    if (theirs[k] != ours[k])
      other_model(folder, "of its " + what + " number " + std::to_string(k + 1) + " is '" + theirs[k] +
                              "', of the objective's '" + ours[k] + "'");
}

/// The positions of the folder's rows, or columns, among those of the objective, which has all of them.
std::vector<Index> positions_in(const fs::path& folder, const std::string& side, const Ids& theirs,
                                const Ids& ours) {
  std::unordered_map<std::string, Index> positions;
  for (Index k = 0; k < ours.count; ++k) positions.emplace(ours.name(k), k);
  std::vector<Index> all;
  for (Index k = 0; k < theirs.count; ++k) {
    const auto found = positions.find(theirs.name(k));
    if (found == positions.end())
      other_model(folder, "it has the " + side + " '" + theirs.name(k) + "', and the objective has not");
    all.push_back(found->second);
  }
  return all;
}

/// Compares the columns and classes of the folder with those of the objective, if both state them.
void expect_same_problem(const fs::path& folder, Component& objective) {
  const fs::path solution = folder / "solution";
  if (auto* linear = query<LinearPredictor>(objective); linear && has_linear_training(solution)) {
    const LinearTraining theirs = read_linear_training(solution), &ours = linear->linear_training();
    expect_same(folder, "columns", theirs.columns, ours.columns);
    expect_same(folder, "classes", theirs.classes, ours.classes);
    if (theirs.intercept != ours.intercept)
      other_model(folder, theirs.intercept ? "it has an intercept, and the objective none"
                                           : "it has no intercept, and the objective one");
  }
}

void expect_shape(const std::string& where, Index rows, Index cols, const Shape& shape) {
  const Shape found = Shape::matrix(rows, cols);
  if (found == shape) return;
  throw Error(ErrorKind::data, where, "is " + found.text() + "; the variable is " + shape.text(),
              "start from a point of that shape, or set start.from = auto");
}

/// Reads the folder of a solution, or of one with blocks, as `write_solution` wrote it.
Element solution_of(const fs::path& from, const Shape& shape, const Context& context) {
  std::vector<Element> blocks;
  for (const Shape& block : shape.blocks)
    blocks.push_back(solution_of(from / ("block-" + std::to_string(blocks.size() + 1)), block, context));
  if (shape.is_product()) return Element::product(std::move(blocks));
  const auto file = [&](const char* name) { return context.resolve((from / name).string()); };
  const fs::path x = context.base / from / "x.mtx";
  if (is_present(x)) {
    const fs::path noted = file("x.mtx");
    if (const auto sizes = zero_matrix(noted)) {
      expect_shape(noted.string(), sizes->first, sizes->second, shape);
      return Element(shape);
    }
    DenseTable table = read_matrix_market_array(noted);
    expect_shape(noted.string(), table.rows, table.cols, shape);
    return Element::dense(shape, std::move(table.values));
  }
  if (!is_present(context.base / from / "U.mtx"))
    throw Error(ErrorKind::data, (context.base / from).string(),
                "holds no solution; expected x.mtx, or U.mtx, s.mtx and V.mtx",
                "name the folder of a run with output.solution = yes");
  const DenseTable u = read_matrix_market_array(file("U.mtx")), s = read_matrix_market_array(file("s.mtx")),
                   v = read_matrix_market_array(file("V.mtx"));
  if (u.cols != v.cols || s.rows * s.cols != u.cols)
    throw Error(ErrorKind::data, (context.base / from).string(),
                "the factors of its solution do not fit each other", "run again");
  expect_shape((context.base / from).string(), u.rows, v.rows, shape);
  auto store = std::make_shared<FactorStore>(shape.rows, shape.cols);
  const auto column = [](const DenseTable& table, Index k) {
    return std::vector<double>(table.values.begin() + k * table.rows,
                               table.values.begin() + (k + 1) * table.rows);
  };
  for (Index k = 0; k < u.cols; ++k) store->append(column(u, k), column(v, k));
  return Element::low_rank(std::move(store), s.values);
}

/// The number of ids in a file of write_training, which has a line of names above them.
Index count_ids(const fs::path& file) {
  TextInput input(file);
  Index lines = 0;
  for (std::string_view line; input.next(line);) ++lines;
  return std::max<Index>(lines - 1, 0);
}

std::vector<double> placed(std::span<const double> values, const std::vector<Index>& at, Index length) {
  std::vector<double> all(static_cast<std::size_t>(length));
  for (std::size_t k = 0; k < at.size(); ++k) all[static_cast<std::size_t>(at[k])] = values[k];
  return all;
}

/// x with its rows and columns at those positions of a matrix of that shape, 0 elsewhere.
Element placed(const Element& x, const std::vector<Index>& rows, const std::vector<Index>& cols,
               const Shape& shape) {
  if (x.is_zero()) return Element(shape);
  if (const LowRankForm* low = only_low_rank(x)) {
    auto store = std::make_shared<FactorStore>(shape.rows, shape.cols);
    for (Index k = 0; k < std::ssize(low->weights); ++k)
      store->append(placed(low->store->left(k), rows, shape.rows),
                    placed(low->store->right(k), cols, shape.cols));
    return Element::low_rank(std::move(store), low->weights);
  }
  const std::vector<double> values = x.to_dense();
  std::vector<double> all(static_cast<std::size_t>(shape.size()));
  for (std::size_t j = 0; j < cols.size(); ++j)
    for (std::size_t i = 0; i < rows.size(); ++i)
      all[static_cast<std::size_t>(cols[j] * shape.rows + rows[i])] = values[j * rows.size() + i];
  return Element::dense(shape, std::move(all));
}

/// The solution of a run of ratings, whose rows and columns are found by their ids. The objective may have
/// more.
Element ratings_of(const std::string& from, const Training& ours, const Shape& shape,
                   const Context& context) {
  const fs::path solution = fs::path(from) / "solution", folder = context.base / from;
  const auto count = [&](const char* file) { return count_ids(context.base / solution / file); };
  const Shape size = Shape::matrix(count("rows.csv"), count("columns.csv"));
  Element x = solution_of(solution, size, context);
  const Training theirs = read_training(context.base / solution, size.rows, size.cols);
  return placed(x, positions_in(folder, "row", theirs.rows, ours.rows),
                positions_in(folder, "column", theirs.cols, ours.cols), shape);
}

Element point_of_file(const std::string& from, const Shape& shape, const Context& context) {
  const fs::path file = context.resolve(from);
  DenseTable table = read_numbers(file, context);
  if (table.rows == 1 && shape.cols == 1 && shape.rows != 1)
    std::swap(table.rows, table.cols);  // a vector on a line
  expect_shape(file.string(), table.rows, table.cols, shape);
  for (const double value : table.values)
    if (!std::isfinite(value))
      throw Error(ErrorKind::data, file.string(), "holds a number that is not finite",
                  "give a point of finite numbers");
  return Element::dense(shape, std::move(table.values));
}

}  // namespace

Element read_start(const std::string& from, Component& objective, const Shape& shape,
                   const Context& context) {
  const fs::path folder = context.base / from;
  std::error_code code;
  if (!fs::exists(folder, code))
    throw Error(ErrorKind::usage, "start.from",
                "'" + from + "' is neither auto nor zero, and there is no " + folder.string(),
                "name the folder of a run, or a file, relative to the specification or absolute");
  if (!fs::is_directory(folder, code)) return point_of_file(from, shape, context);
  const RunIdentity identity = RunIdentity::read(folder);
  identity.require_all(folder, "solution");
  auto* ratings = query<Predictor>(objective);
  if (ratings && !query<SideFeatures>(objective) && is_present(folder / "solution" / "rows.csv"))
    return ratings_of(from, ratings->training(), shape, context);
  Element x = solution_of(fs::path(from) / "solution", shape, context);
  expect_same_problem(folder, objective);
  return x;
}

Element read_truth(const fs::path& file, const Shape& shape, const Context& context) {
  DenseTable table = read_numbers(file, context);
  const Shape found = Shape::matrix(table.rows, table.cols);
  if (found != shape)
    throw Error(ErrorKind::data, file.string(), "is " + found.text() + "; the variable is " + shape.text(),
                "give trace.truth = a file of that shape");
  return Element::dense(shape, std::move(table.values));
}

}  // namespace claros

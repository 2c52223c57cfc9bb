// SPDX-License-Identifier: BSD-3-Clause
#include <claros/results/start_point.hpp>

#include <claros/element/factor_store.hpp>
#include <claros/error.hpp>
#include <claros/io/design_io.hpp>
#include <claros/io/linear_training.hpp>
#include <claros/io/training.hpp>
#include <claros/io/triplets.hpp>
#include <claros/regular_file.hpp>
#include <claros/results/run_identity.hpp>

#include <cmath>
#include <memory>
#include <system_error>

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

std::vector<std::string> names_of(const Ids& ids) {
  std::vector<std::string> names;
  for (Index k = 0; k < ids.count; ++k) names.push_back(ids.name(k));
  return names;
}

/// Compares the columns, classes and ids of the folder with those of the objective, if both state them.
void expect_same_problem(const fs::path& folder, Component& objective, const Shape& shape) {
  const fs::path solution = folder / "solution";
  if (auto* linear = query<LinearPredictor>(objective); linear && has_linear_training(solution)) {
    const LinearTraining theirs = read_linear_training(solution), &ours = linear->linear_training();
    expect_same(folder, "columns", theirs.columns, ours.columns);
    expect_same(folder, "classes", theirs.classes, ours.classes);
    if (theirs.intercept != ours.intercept)
      other_model(folder, theirs.intercept ? "it has an intercept, and the objective none"
                                           : "it has no intercept, and the objective one");
  }
  if (auto* matrix = query<Predictor>(objective); matrix && is_present(solution / "rows.csv")) {
    const Training theirs = read_training(solution, shape.rows, shape.cols);
    expect_same(folder, "rows", names_of(theirs.rows), names_of(matrix->training().rows));
    expect_same(folder, "columns", names_of(theirs.cols), names_of(matrix->training().cols));
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
  Element x = solution_of(fs::path(from) / "solution", shape, context);
  expect_same_problem(folder, objective, shape);
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

// SPDX-License-Identifier: BSD-3-Clause
// Tests of data: their contents, the seed, and files.
#include <claros/dataset.hpp>
#include <claros/io/design_io.hpp>
#include <claros/io/ratings.hpp>
#include <claros/map/measurements.hpp>

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "bench.hpp"

namespace claros::doctor {

namespace {

namespace fs = std::filesystem;
const std::vector<Kind> kData{Kind::data};

std::shared_ptr<const Dataset> dataset(Bench& bench, const Settings& settings,
                                       std::uint64_t seed_offset = 0) {
  bench.at(settings_text(settings));
  Context context = bench.context();
  context.seed += seed_offset;
  const auto component = bench.make(settings, context);
  const auto* data = query<Dataset>(*component);
  bench.require(data != nullptr, "lacks the ability " + std::string(Dataset::kAbility),
                "derive from Dataset and offer it in ability()");
  return {component, data};
}

void check_ratings(Bench& bench, const Ratings& r) {
  const std::size_t n = r.value.size();
  bench.require(r.row.size() == n && r.col.size() == n && n > 0,
                said(n, " values, ", r.row.size(), " rows, ", r.col.size(), " columns"),
                "as many rows and columns as values, and at least one");
  bench.require(finite(r.value), "a value is not finite", "observed values are finite");
  for (std::size_t e = 0; e < n; ++e) {
    const bool inside = r.row[e] >= 0 && r.row[e] < r.rows && r.col[e] >= 0 && r.col[e] < r.cols;
    if (!inside)
      bench.fail(said("entry ", e, " lies at (", static_cast<Index>(r.row[e]), ", ",
                      static_cast<Index>(r.col[e]), ") of ", r.rows, " x ", r.cols),
                 "positions count from 0");
    const bool sorted = e == 0 || std::pair(r.row[e - 1], r.col[e - 1]) < std::pair(r.row[e], r.col[e]);
    if (!sorted)
      bench.fail(said("entry ", e, " is not after the one before, by (row, column)"),
                 "entries are sorted by (row, column), each position at most once");
  }
  bench.require(r.row_ids.empty() || static_cast<Index>(r.row_ids.size()) == r.rows,
                said(r.row_ids.size(), " row ids"), "one id a row, or none");
  bench.require(r.col_ids.empty() || static_cast<Index>(r.col_ids.size()) == r.cols,
                said(r.col_ids.size(), " column ids"), "one id a column, or none");
}

/// Checks what the comment of Measurements says, kind by kind.
void check_measurements(Bench& bench, const Measurements& m) {
  using enum Measurements::Kind;
  bench.require(m.left != nullptr, "measurements have no left rows",
                "they hold what A_i is made of, and the responses");
  require_consistent(*m.left, "the left rows");
  const Index length = m.kind == dense                 ? m.rows * m.cols
                       : m.kind == sparse && m.pattern ? m.pattern->entries()
                                                       : m.rows;
  bench.require(m.left->cols == length,
                said("left rows have ", m.left->cols, " numbers where the sizes ask for ", length),
                "vec(A_i), the entries of the pattern, or a_i");
  bench.require((m.right != nullptr) == (m.kind == rank_one),
                "right rows stand where none belong, or are missing", "b_i belong to a_i b_i' alone");
  bench.require((m.pattern != nullptr) == (m.kind == sparse),
                "a pattern stands where none belongs, or is missing", "it belongs to sparse A_i alone");
  bench.require(m.kind != symmetric || m.rows == m.cols,
                said("a_i a_i' measure a ", m.rows, " x ", m.cols, " matrix"), "it is square");
  if (m.pattern)
    bench.require(m.pattern->rows() == m.rows && m.pattern->cols() == m.cols && m.left->is_sparse(),
                  "the pattern or its rows are of another kind",
                  "the pattern has the size of X, and the rows on it are sparse");
  if (!m.right) return;
  require_consistent(*m.right, "the right rows", false);
  bench.require(m.right->rows == m.left->rows && m.right->cols == m.cols,
                said("right rows are ", m.right->rows, " of ", m.right->cols, " numbers"),
                "one b_i an a_i, of the columns of X");
}

void check_data(Bench& bench, const Dataset& data) {
  const auto ratings = data.ratings();
  const auto design = data.design();
  const auto measurements = data.measurements();
  bench.require(ratings || design || measurements,
                "hands out neither ratings, nor a design, nor measurements", "objectives read one of them");
  if (ratings) check_ratings(bench, *ratings);
  if (design) require_consistent(*design, "the design");
  if (measurements) check_measurements(bench, *measurements);
  bench.require(data.ratings() == ratings && data.design() == design && data.measurements() == measurements,
                "asked twice, it hands out another object",
                "what is handed out is shared and never changes: make it once");
  const Element* truth = data.truth();
  if (!truth) return;
  bench.require(finite(truth->to_dense()), "the truth is not finite",
                "it is the point that the data was made from");
  const Shape& shape = truth->shape();
  bench.require(!ratings || shape == Shape::matrix(ratings->rows, ratings->cols),
                "the truth is " + shape.text() + ", the ratings are not",
                "the truth has the shape of the variable");
  bench.require(!measurements || shape == Shape::matrix(measurements->rows, measurements->cols),
                "the truth is " + shape.text() + ", the measured matrix is not",
                "the truth has the shape of the variable");
  bench.require(!design || ratings || shape.size() % design->cols == 0,
                "the truth is " + shape.text() + ", which the columns of the design do not fit",
                "the truth has the shape of the variable");
}

bool names(const Settings& settings, const std::string& key) {
  return std::ranges::any_of(settings, [&](const Setting& s) { return s.key == key; });
}

/// Settings of every word and of drawn numbers, of smaller data.
std::vector<Settings> smaller(Bench& bench, int draws) {
  std::vector<Settings> all = bench.variants(draws);
  for (Settings& settings : all)
    for (const ParameterInfo& row : bench.subject().entry.parameters().rows()) {
      const bool large = row.type == "integer" && !row.range.required && parse_integer(row.fallback) > 30;
      if (large && !names(settings, row.name)) settings.push_back({row.name, "20", {}, {}});
    }
  return all;
}

/// The data that was asked for, and then smaller data.
void consistent(Bench& bench) {
  check_data(bench, *dataset(bench, bench.settings()));
  for (const Settings& settings : smaller(bench, 8))
    (void)answered(bench, [&] { check_data(bench, *dataset(bench, settings)); });
}

/// All that is handed out.
Numbers numbers(const Dataset& data) {
  Numbers all;
  const auto add = [&all](std::span<const double> values) {
    all.insert(all.end(), values.begin(), values.end());
  };
  const auto add_rows = [&](const Design& design) {
    add(design.response);
    Numbers row(static_cast<std::size_t>(design.cols));  // rows may be all that there is
    for (Index i = 0; i < design.rows; ++i) design.row(i, row), add(row);
  };
  if (const auto r = data.ratings()) {
    add(r->value);
    for (const auto* places : {&r->row, &r->col}) all.insert(all.end(), places->begin(), places->end());
  }
  if (const auto d = data.design()) add_rows(*d);
  if (const auto m = data.measurements()) {
    add_rows(*m->left);
    if (m->right) add_rows(*m->right);
  }
  if (const Element* truth = data.truth()) add(truth->to_dense());
  return all;
}

void seeded(Bench& bench) {
  const auto first = dataset(bench, bench.settings()), other = dataset(bench, bench.settings(), 1);
  bench.require(!same_bits(numbers(*first), numbers(*other)), "another seed of the run makes the same values",
                "draw from context.stream(Purpose::data), or say that the data is fixed with --set seed=...");
  const ParameterInfo* own = bench.subject().entry.parameters().find("seed");
  if (!own || own->type != "integer" || names(bench.settings(), "seed")) return;
  for (Settings settings : smaller(bench, 4)) {
    if (names(settings, "seed")) continue;
    settings.push_back({"seed", "3", {}, {}});
    bench.at(settings_text(settings));
    (void)answered(bench, [&] {
      bench.require(
          same_bits(numbers(*dataset(bench, settings)), numbers(*dataset(bench, settings, 1))),
          "with a seed of its own the data depends on the seed of the run, too",
          "every stream of random numbers begins at the one seed: context.seed where the data has none");
    });
  }
}

/// A new folder, removed at the end.
struct Folder {
  fs::path path;
  Folder() {
    std::string name = (fs::temp_directory_path() / "claros-doctor-XXXXXX").string();
    if (!::mkdtemp(name.data()))
      throw Error(ErrorKind::data, name, "cannot be made", "set TMPDIR to a folder that can be written");
    path = name;
  }
  ~Folder() {
    std::error_code code;
    fs::remove_all(path, code);
  }
};

std::vector<std::pair<std::string, std::string>> contents(const fs::path& folder) {
  std::vector<std::pair<std::string, std::string>> all;
  for (const auto& entry : fs::directory_iterator(folder)) {
    std::ifstream in(entry.path(), std::ios::binary);
    all.emplace_back(entry.path().filename().string(), std::string(std::istreambuf_iterator<char>(in), {}));
  }
  std::sort(all.begin(), all.end());
  return all;
}

/// True if a reader of Claros takes the file and finds the same numbers.
bool reads_back(const fs::path& file, const Dataset& data) {
  try {
    if (const auto ratings = data.ratings()) {
      const Ratings back = read_ratings(file);
      return back.value == ratings->value && back.row == ratings->row && back.col == ratings->col;
    }
    const auto measurements = data.measurements();
    const auto design = measurements ? measurements->left : data.design();
    if (!design) return false;
    const Design back = read_design(file);
    return back.response == design->response && back.cols == design->cols;
  } catch (const Error&) {
    return false;
  }
}

void files(Bench& bench) {
  const auto data = dataset(bench, bench.settings());
  const Folder one, two;
  data->write(one.path);
  data->write(two.path);
  const auto written = contents(one.path);
  bench.require(!written.empty(), "write leaves no file", "write puts the data into files of the folder");
  bench.require(written == contents(two.path), "written twice, the files differ",
                "names and bytes depend on the data alone");
  const bool any = std::any_of(written.begin(), written.end(),
                               [&](const auto& file) { return reads_back(one.path / file.first, *data); });
  bench.require(any, "no file that was written reads back to the same data",
                "write formats that read_ratings or read_design take, with every digit");
}

}  // namespace

Tests data_tests() {
  return {
      {{"data", kData,
        "Ratings are sorted, in bounds and finite; sizes of a design and of measurements fit each other; the "
        "truth has the shape "
        "of the variable; everything is made once and shared."},
       consistent},
      {{"seed", kData,
        "Another seed of the run makes other data; with a parameter `seed`, that alone makes the data."},
       seeded},
      {{"files", kData, "write leaves the same files every time, one of which reads back to the same data."},
       files}};
}

}  // namespace claros::doctor

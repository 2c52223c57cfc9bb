// SPDX-License-Identifier: BSD-3-Clause
#include "readers.hpp"

#include "seeds.hpp"

#include <claros/compose/spec.hpp>
#include <claros/io/csv.hpp>
#include <claros/io/design_io.hpp>
#include <claros/io/ratings.hpp>
#include <claros/results/prediction.hpp>

#include <cstdlib>
#include <iostream>

namespace claros::fuzz {
namespace {

using Path = std::filesystem::path;

void expect(bool true_of_all, const char* what) {
  if (true_of_all) return;
  std::cerr << "what was read is not sound: " << what << '\n';
  std::abort();
}

void design(const Path& file, const DesignOptions& options) {
  const Design read = read_design(file, options);
  expect(read.rows >= 1 && read.cols >= 1, "sizes");
  expect(static_cast<Index>(read.response.size()) == read.rows, "responses");
  std::vector<double> row(static_cast<std::size_t>(read.cols));
  if (read.cols > 100000) return;
  for (Index i = 0; i < std::min<Index>(read.rows, 100); ++i) read.row(i, row);
}

std::function<void(const Path&)> designs(const std::string& format, const std::string& precision = "double",
                                         const std::string& storage = "auto") {
  return [=](const Path& file) {
    DesignOptions options;
    options.format = format;
    options.precision = precision;
    options.storage = storage;
    options.patience = 20;
    design(file, options);
  };
}

void hashed_designs(const Path& file) {
  DesignOptions options;
  options.format = "vowpal-wabbit";
  options.bits = 10;
  design(file, options);
}

std::function<void(const Path&)> entries(const std::string& ids, const std::string& duplicates) {
  return [=](const Path& file) {
    RatingsOptions options;
    options.ids = ids;
    options.duplicates = duplicates;
    const Ratings read = read_ratings(file, options);
    expect(
        !read.value.empty() && read.row.size() == read.value.size() && read.col.size() == read.value.size(),
        "sizes");
    expect(read.row_ids.empty() || static_cast<Index>(read.row_ids.size()) == read.rows, "row ids");
    expect(read.col_ids.empty() || static_cast<Index>(read.col_ids.size()) == read.cols, "column ids");
    for (std::size_t k = 0; k < read.value.size(); ++k) {
      expect(read.row[k] >= 0 && read.row[k] < read.rows && read.col[k] >= 0 && read.col[k] < read.cols,
             "positions");
      expect(k == 0 || std::pair(read.row[k - 1], read.col[k - 1]) < std::pair(read.row[k], read.col[k]),
             "order");
    }
  };
}

void numbers(const Path& file) {
  const DenseTable read = read_numbers(file);
  expect(static_cast<Index>(read.values.size()) == read.rows * read.cols && read.rows >= 1 && read.cols >= 1,
         "sizes");
}

void market(const Path& file) {
  try {
    const DenseTable read = read_matrix_market_array(file);
    expect(static_cast<Index>(read.values.size()) == read.rows * read.cols, "sizes");
  } catch (const Error&) {  // a coordinate file, or none
    (void)read_matrix_market_coordinate(file);
  }
}

/// What was read is written to the same text by the one who reads it again.
void spec(const Path& file) {
  const Spec read = Spec::read(file);
  const std::string text = read.text();
  expect(Spec::parse(text, "again").text() == text, "the effective specification");
}

void pairs(const Path& file) {
  Training training;
  training.rows.count = 3, training.cols.count = 4;
  training.cols.names = {"a", "b c", "4", "d"};
  TextInput input(file);
  const Pairs read = read_pairs(input, training);
  expect(read.row.size() == read.col.size() && (read.known.empty() || read.known.size() == read.row.size()),
         "sizes");
  for (std::size_t k = 0; k < read.row.size(); ++k)
    expect(read.row[k] >= -1 && read.row[k] < 3 && read.col[k] >= -1 && read.col[k] < 4, "positions");
}

}  // namespace

const std::vector<Reader>& readers() {
  // Never destroyed: the counts are printed at the very end.
  static const auto& all = *new std::vector<Reader>{
      {"table", designs("table"), table_seeds},
      {"table-sparse-float", designs("table", "float", "sparse"), table_seeds},
      {"numbers", numbers, table_seeds},
      {"libsvm", designs("libsvm"), libsvm_seeds},
      {"libsvm-dense", designs("libsvm", "float", "dense"), libsvm_seeds},
      {"vowpal-wabbit", designs("vowpal-wabbit"), vowpal_wabbit_seeds},
      {"vowpal-wabbit-hashed", hashed_designs, vowpal_wabbit_seeds},
      {"matrix-market", market, matrix_market_seeds},
      {"hdf5", designs("hdf5"), hdf5_seeds},
      {"npy", numbers, npy_seeds},
      {"npz", designs("npz"), npz_seeds},
      {"npz-members", designs("npz"), npz_member_seeds, member_archive},
      {"npz-ratings", entries("auto", "mean"), npz_member_seeds, member_archive},
      {"binary", designs("binary"), binary_seeds},
      {"compressed", numbers, compressed_seeds},
      {"any-design", designs("auto"), table_seeds},
      {"ratings", entries("auto", "mean"), ratings_seeds},
      {"ratings-indices", entries("one-based", "error"), ratings_seeds},
      {"spec", spec, spec_seeds},
      {"pairs", pairs, pairs_seeds},
  };
  return all;
}

}  // namespace claros::fuzz

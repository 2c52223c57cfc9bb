// SPDX-License-Identifier: BSD-3-Clause
// Designs in NumPy's files.
#include "io/design_formats.hpp"
#include "io/numpy_archive.hpp"

#include <claros/error.hpp>

namespace claros::design_formats {
namespace {

template <class Real>
void fill(Design& design, NumpyArray& array) {
  auto& values = design.entries.emplace<DenseRows<Real>>().values;
  values.resize(static_cast<std::size_t>(array.count()));
  array.each([&](Index i, Index j, double value) {
    values[static_cast<std::size_t>(i * design.cols + j)] = static_cast<Real>(value);
  });
}

/// `file`: where the array is a file of its own.
Design dense(NumpyArray array, const DesignOptions& options, const Context& context, const Path& file = {}) {
  if (array.sizes().size() != 2 || array.count() == 0)
    array.fail("the array is " + array.sizes_text() + "; expected rows x columns",
               "save a two-dimensional array");
  Design design;
  design.rows = array.sizes()[0];
  design.cols = array.sizes()[1];
  const RowsInFile stored{array.start(), design.rows, design.cols, array.is_single(), array.obstacle()};
  if (!file.empty() && map_rows(file, stored, options, context, design)) return design;
  announce_dense(array.where(), design.rows, design.cols, is_single(options), 1, context);
  is_single(options) ? fill<float>(design, array) : fill<double>(design, array);
  return design;
}

Design sparse(const NumpyArchive& archive, const Path& path, const DesignOptions& options,
              const Context& context) {
  Triplets triplets = archive.sparse();
  expect_plausible_sizes(triplets, path.string(), "");
  const auto stored = static_cast<Index>(triplets.value.size());
  announce_sparse(path, triplets.rows, triplets.cols, stored, is_single(options), 2, context);
  return compressed_design(sorted(std::move(triplets), "error", same_position(path.string())),
                           is_single(options));
}

}  // namespace

Design read_npy(const Path& path, const DesignOptions& options, const Context& context) {
  return dense(open_npy(path), options, context, path);
}

Design read_npz(const Path& path, const DesignOptions& options, const Context& context) {
  const NumpyArchive archive(path);
  if (!archive.has(options.dataset) && !archive.is_sparse())
    archive.fail_missing(options.dataset +
                         " (dense), or data, shape and row, col or indices, indptr, format (sparse)");
  Design design = archive.has(options.dataset) ? dense(archive.open(options.dataset), options, context)
                                               : sparse(archive, path, options, context);
  const std::string response =
      options.response == "auto" || options.response.empty() ? "y" : options.response;
  if (archive.has(response) && !options.ignores_responses) {
    design.response = table_of(archive.open(response)).values;
    if (static_cast<Index>(design.response.size()) != design.rows)
      archive.open(response).fail(
          "holds " + std::to_string(design.response.size()) + " numbers",
          "expected one response for each of " + std::to_string(design.rows) + " rows");
  } else if (response != "y" && options.bare_columns == 0 && !response_is_file(options, context)) {
    archive.fail_missing("a member or file '" + response + "', the response");
  }
  return design;
}

}  // namespace claros::design_formats

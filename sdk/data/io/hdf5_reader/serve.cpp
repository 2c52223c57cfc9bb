// SPDX-License-Identifier: BSD-3-Clause
#include "serve.hpp"

#include <optional>

namespace claros::hdf5_reader {

using hdf5_stream::Frame;
using hdf5_stream::Sizes;

namespace {

Dataset response_of(const File& file, const Request& request, hsize_t rows) {
  Dataset response = file.open(request.response);
  const auto& sizes = response.sizes();
  if (sizes.empty() || sizes.size() > 2 || sizes[0] != rows || sizes.back() != (sizes.size() == 2 ? 1 : rows))
    throw Refusal{"dataset '" + request.response + "' is " + response.sizes_text(),
                  "expected one response for each of " + std::to_string(rows) + " rows"};
  return response;
}

/// The facts that a group of compressed rows states: `shape`, rows x columns, and the way in which it is
/// compressed.
Sizes compressed_sizes(const File& file, const Request& request, std::uint64_t rows, std::uint64_t entries) {
  const std::string& group = request.rows;
  Sizes sizes{.rows = rows,
              .cols = 0,
              .has_response = 0,
              .stored = 0,
              .is_sparse = 1,
              .entries = entries,
              .turned = 0};
  const std::string coding = file.text(group, "encoding-type") + file.text(group, "h5sparse_format");
  const bool by_columns = coding.starts_with("csc");
  if (by_columns && !request.by_columns)
    throw Refusal{"the group '" + group + "' holds compressed columns (" + coding + ")",
                  "write it with compressed rows: X = scipy.sparse.csr_matrix(X)"};
  std::vector<std::int64_t> shape = file.integers(group, "shape");
  if (shape.empty()) shape = file.integers(group, "h5sparse_shape");
  if (shape.empty() && file.has(group + "/shape")) {
    const Dataset set = file.open(group + "/shape");
    if (set.is_integer() && set.sizes() == std::vector<hsize_t>{2})
      set.each_block(Number::int8, [&](auto block) {
        const auto* numbers = reinterpret_cast<const std::int64_t*>(block.data());
        shape.insert(shape.end(), numbers, numbers + block.size() / sizeof *numbers);
      });
  }
  sizes.turned = by_columns ? 1 : 0;
  if (shape.empty()) return sizes;
  const auto is = [&](std::size_t side) {
    return shape[side] >= 0 && static_cast<std::uint64_t>(shape[side]) == rows;
  };
  if (shape.size() != 2 || shape[0] < 1 || shape[1] < 1 || !(by_columns ? is(1) : is(0) || is(1)))
    throw Refusal{"the shape of the group '" + group + "' does not fit its " + std::to_string(rows) +
                      (by_columns ? " compressed columns" : " compressed rows"),
                  "expected rows x columns"};
  // 10x writes features x cells by columns: the cells are the rows.
  sizes.turned = is(0) && !by_columns ? 0 : 1;
  sizes.cols = static_cast<std::uint64_t>(shape[sizes.turned ? 0 : 1]);
  return sizes;
}

Dataset part(const File& file, const std::string& name, bool integers) {
  Dataset set = file.open(name);
  if (set.sizes().size() != 1 || (integers && !set.is_integer()))
    throw Refusal{
        "dataset '" + name + "' is " + set.sizes_text() + (set.is_integer() ? " integers" : " numbers"),
        integers ? "expected a list of integers" : "expected a list of numbers"};
  return set;
}

void serve_compressed(const File& file, const Request& request, const Send& send) {
  const std::string& group = request.rows;
  const Dataset data = part(file, group + "/data", false), columns = part(file, group + "/indices", true),
                starts = part(file, group + "/indptr", true);
  const std::uint64_t entries = data.sizes()[0], count = starts.sizes()[0];
  if (count < 2 || columns.sizes()[0] != entries)
    throw Refusal{"the group '" + group + "' has " + std::to_string(entries) + " data, " +
                      std::to_string(columns.sizes()[0]) + " indices and " + std::to_string(count) +
                      " indptr",
                  "expected as many indices as data, and one indptr more than rows"};
  Sizes sizes = compressed_sizes(file, request, count - 1, entries);
  sizes.stored = data.stored() + columns.stored() + starts.stored();
  std::optional<Dataset> response;
  if (!request.optional || file.has(request.response))
    response.emplace(response_of(file, request, sizes.rows));
  sizes.has_response = response ? 1 : 0;
  send(Frame::sizes, {reinterpret_cast<const char*>(&sizes), sizeof sizes});
  starts.each_block(Number::int8, [&](auto block) { send(Frame::starts, block); });
  if (entries > 0) columns.each_block(Number::int4, [&](auto block) { send(Frame::columns, block); });
  if (entries > 0) data.each_block(request.number, [&](auto block) { send(Frame::rows, block); });
  if (response) response->each_block(Number::float8, [&](auto block) { send(Frame::response, block); });
  send(Frame::end, {});
}

bool is_compressed(const File& file, const std::string& group) {
  return file.has(group) && file.has(group + "/data") && file.has(group + "/indices") &&
         file.has(group + "/indptr");
}

}  // namespace

void prepare_library(Allowed allowed) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  // No environment variable and no default folder makes the library load code, unless the caller's user said
  // so.
  if (!allowed.plugins) H5PLset_loading_state(0);
}

void serve(const Request& request, const Send& send) {
  const File file(request.file, request.allowed);
  // All that can be refused is, before the numbers are read.
  if (is_compressed(file, request.rows)) return serve_compressed(file, request, send);
  const Dataset rows = file.open(request.rows);
  if (rows.sizes().size() != 2 || rows.sizes()[0] == 0 || rows.sizes()[1] == 0)
    throw Refusal{"dataset '" + request.rows + "' is " + rows.sizes_text(), "expected rows x columns"};
  const bool has_response = !request.optional || file.has(request.response);
  std::optional<Dataset> response;
  if (has_response) response.emplace(response_of(file, request, rows.sizes()[0]));
  const Sizes sizes{rows.sizes()[0], rows.sizes()[1], has_response, rows.stored(), 0, 0, 0};
  send(Frame::sizes, {reinterpret_cast<const char*>(&sizes), sizeof sizes});
  rows.each_block(request.number, [&](auto block) { send(Frame::rows, block); });
  if (response) response->each_block(Number::float8, [&](auto block) { send(Frame::response, block); });
  send(Frame::end, {});
}

}  // namespace claros::hdf5_reader

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

}  // namespace

void prepare_library(Allowed allowed) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  // No environment variable and no default folder makes the library load code, unless the caller's user said so.
  if (!allowed.plugins) H5PLset_loading_state(0);
}

void serve(const Request& request, const Send& send) {
  const File file(request.file, request.allowed);
  // All that can be refused is, before the numbers are read.
  const Dataset rows = file.open(request.rows);
  if (rows.sizes().size() != 2 || rows.sizes()[0] == 0 || rows.sizes()[1] == 0)
    throw Refusal{"dataset '" + request.rows + "' is " + rows.sizes_text(), "expected rows x columns"};
  const bool has_response = !request.optional || file.has(request.response);
  std::optional<Dataset> response;
  if (has_response) response.emplace(response_of(file, request, rows.sizes()[0]));
  const Sizes sizes{rows.sizes()[0], rows.sizes()[1], has_response, rows.stored()};
  send(Frame::sizes, {reinterpret_cast<const char*>(&sizes), sizeof sizes});
  rows.each_block(request.width, [&](auto block) { send(Frame::rows, block); });
  if (response) response->each_block(8, [&](auto block) { send(Frame::response, block); });
  send(Frame::end, {});
}

}  // namespace claros::hdf5_reader

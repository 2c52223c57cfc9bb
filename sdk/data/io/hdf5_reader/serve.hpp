// SPDX-License-Identifier: BSD-3-Clause
/// @file serve.hpp  The answer of claros-hdf5 to a request; main.cpp puts it into a process of its own.
#pragma once

#include "hdf5_file.hpp"
#include "hdf5_stream.hpp"

#include <functional>
#include <span>
#include <string>

namespace claros::hdf5_reader {

struct Request {
  std::string file, rows, response;
  Allowed allowed;
  Number number = Number::float8;
  bool optional = false;
  bool by_columns = false;  ///< compressed columns are read too, as the rows of the transpose
};

/// Takes a frame; an empty one is one too.
using Send = std::function<void(hdf5_stream::Frame kind, std::span<const char> content)>;

/// Once, before anything is read: the library prints nothing, and loads no code that was not allowed.
void prepare_library(Allowed allowed);
/// Sends sizes, rows, response and end. Throws Refusal in the place of any of them.
void serve(const Request& request, const Send& send);

}  // namespace claros::hdf5_reader

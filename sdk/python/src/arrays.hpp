// SPDX-License-Identifier: BSD-3-Clause
/// @file arrays.hpp  Arrays of numpy as data of Claros, in place where the library reads them so.
#pragma once

#include <claros/dataset.hpp>
#include <claros/element/element.hpp>

#include "objects.hpp"

#include <pybind11/numpy.h>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace claros::python {

using Data = std::shared_ptr<const Dataset>;
/// pybind11 holds no pointers to what is constant.
struct HeldData {
  Data data;
};
using Doubles = py::array_t<double, py::array::c_style>;
using Rows = py::array_t<Index, py::array::c_style | py::array::forcecast>;  ///< counted from 0
using Indices = py::array_t<std::int32_t, py::array::c_style>;

/// The arrays of rows besides entries and responses; they may be None.
struct Facts {
  std::optional<Doubles> weights, offset;
  std::vector<std::string> columns;
  std::string response;
  std::optional<Doubles> responses = {};  ///< several a row, in C order; the one response is then empty
};

/// A dense design: doubles in C or Fortran order, or floats in C order. It is read in place and stays
/// borrowed as long as the data lives. Throws Error(data).
Data dense_data(const py::array& rows, const Doubles& response, const Facts& facts);

/// Compressed rows or columns: starts of 32 or 64 bits, positions of 32, values of doubles or (rows) floats.
struct Compressed {
  py::array start;
  Indices at;
  py::array value;
  Index others = 0;  ///< columns of compressed rows, rows of compressed columns
  bool by_columns = false;
};
/// Positions and values are read in place.
Data sparse_data(const Compressed& entries, const Doubles& response, const Facts& facts);
/// Observed entries of a matrix, copied.
Data triplet_data(const Indices& row, const Indices& col, const Doubles& value, Index rows, Index cols,
                  const std::string& duplicates, const Doubles& weight);

/// The numbers of an array of one dimension.
template <class Number>
std::span<const Number> numbers(const py::array& array) {
  return {static_cast<const Number*>(array.data()), static_cast<std::size_t>(array.size())};
}
/// A new array: of one dimension, or a matrix of that many rows, column-major.
py::array copied(std::span<const double> values, Index rows, Index cols);
py::array copied(std::span<const double> values);
/// The same array, which Python code cannot change.
py::array read_only(py::array array);
/// A point: a vector of one dimension, a matrix of two. Throws Error(usage) at `where` for other arrays.
Element element_of(const py::array& array, const std::string& where);

}  // namespace claros::python

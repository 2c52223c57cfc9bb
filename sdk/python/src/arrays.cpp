// SPDX-License-Identifier: BSD-3-Clause
#include "arrays.hpp"

#include <claros/error.hpp>
#include <claros/io/memory_data.hpp>

#include <type_traits>

namespace claros::python {

namespace {

std::span<const double> span_of(const std::optional<Doubles>& array) {
  return array ? numbers<double>(*array) : std::span<const double>();
}

RowFacts facts_of(const Facts& facts, std::shared_ptr<const void> keeper) {
  return {span_of(facts.weights), span_of(facts.offset), facts.columns,
          facts.response,         std::move(keeper),     span_of(facts.responses)};
}

[[noreturn]] void refuse_type(const py::array& array, const std::string& expected) {
  throw Error(ErrorKind::usage, "data", "an array of " + py::str(array.dtype()).cast<std::string>(),
              "give " + expected);
}

template <class Call>
Data unlocked(Call call) {
  const py::gil_scoped_release free;
  return call();
}

template <class Start, class Value>
Data compressed(const Compressed& entries, const Doubles& response, const RowFacts& facts) {
  const auto s = numbers<Start>(entries.start);
  const auto v = numbers<Value>(entries.value);
  const auto at = numbers<std::int32_t>(entries.at);
  const auto y = numbers<double>(response);
  return unlocked([&]() -> Data {
    if (!entries.by_columns)
      return data_from_compressed_rows(s, at, v, entries.others, y, Entries::referenced, facts);
    if constexpr (std::is_same_v<Value, double>)
      return data_from_compressed_columns(s, at, v, entries.others, y, Entries::referenced, facts);
    else
      throw Error(ErrorKind::usage, "data", "compressed columns of float32", "give float64, or rows");
  });
}

template <class Value>
Data of_starts(const Compressed& entries, const Doubles& response, const RowFacts& facts) {
  if (py::isinstance<py::array_t<std::int32_t>>(entries.start))
    return compressed<std::int32_t, Value>(entries, response, facts);
  if (py::isinstance<py::array_t<Index>>(entries.start))
    return compressed<Index, Value>(entries, response, facts);
  refuse_type(entries.start, "starts of 32 or 64 bits");
}

}  // namespace

Data dense_data(const py::array& rows, const Doubles& response, const Facts& facts) {
  const bool by_rows = rows.flags() & py::array::c_style, by_columns = rows.flags() & py::array::f_style;
  if (rows.ndim() != 2 || !(by_rows || by_columns))
    throw Error(ErrorKind::usage, "data", "the rows are not a contiguous matrix",
                "give numpy.ascontiguousarray(X)");
  const Index n = rows.shape(0), p = rows.shape(1);
  const RowFacts beside = facts_of(facts, keep(rows));
  const auto y = numbers<double>(response);
  const auto with = [&](auto make, auto entries) {
    return unlocked([&] { return make(entries, n, p, y, Entries::referenced, beside); });
  };
  const auto of_rows = [](auto... given) { return data_from_rows(given...); };
  const auto of_columns = [](auto... given) { return data_from_columns(given...); };
  if (py::isinstance<py::array_t<double>>(rows))
    return by_rows ? with(of_rows, numbers<double>(rows)) : with(of_columns, numbers<double>(rows));
  if (by_rows && py::isinstance<py::array_t<float>>(rows)) return with(of_rows, numbers<float>(rows));
  refuse_type(rows, "float64, or float32 in C order");
}

Data sparse_data(const Compressed& entries, const Doubles& response, const Facts& facts) {
  const RowFacts beside = facts_of(facts, keep(py::make_tuple(entries.start, entries.at, entries.value)));
  if (py::isinstance<py::array_t<double>>(entries.value)) return of_starts<double>(entries, response, beside);
  if (py::isinstance<py::array_t<float>>(entries.value)) return of_starts<float>(entries, response, beside);
  refuse_type(entries.value, "float64 or float32");
}

Data triplet_data(const Indices& row, const Indices& col, const Doubles& value, Index rows, Index cols,
                  const std::string& duplicates, const Doubles& weight) {
  const auto i = numbers<std::int32_t>(row), j = numbers<std::int32_t>(col);
  const auto v = numbers<double>(value), w = numbers<double>(weight);
  return unlocked([&] { return data_from_triplets(i, j, v, rows, cols, duplicates, w); });
}

py::array copied(std::span<const double> values, Index rows, Index cols) {
  py::array_t<double, py::array::f_style> made({rows, cols});
  std::copy(values.begin(), values.end(), made.mutable_data());
  return made;
}

py::array copied(std::span<const double> values) {
  return py::array_t<double>(static_cast<py::ssize_t>(values.size()), values.data());
}

py::array read_only(py::array array) {
  py::detail::array_proxy(array.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
  return array;
}

Element element_of(const py::array& array, const std::string& where) {
  const auto values = py::array_t<double, py::array::f_style | py::array::forcecast>::ensure(array);
  if (!values || values.ndim() < 1 || values.ndim() > 2) {
    PyErr_Clear();
    throw Error(ErrorKind::usage, where, "not an array of numbers of one or two dimensions",
                "give a vector or a matrix");
  }
  const Shape shape =
      values.ndim() == 1 ? Shape::vector(values.shape(0)) : Shape::matrix(values.shape(0), values.shape(1));
  return Element::dense(shape, {values.data(), values.data() + values.size()});
}

}  // namespace claros::python

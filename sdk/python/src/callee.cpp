// SPDX-License-Identifier: BSD-3-Clause
#include "callee.hpp"

#include <algorithm>

namespace claros::python {

namespace {

std::string type_name(const py::handle& object) {
  return py::type::handle_of(object).attr("__name__").cast<std::string>();
}

std::string shape_text(const py::array& array) { return py::repr(array.attr("shape")).cast<std::string>(); }

std::string shape_text(const std::optional<Shape>& shape, std::size_t size) {
  if (!shape || shape->cols == 1) return "(" + std::to_string(size) + ",)";
  return "(" + std::to_string(shape->rows) + ", " + std::to_string(shape->cols) + ")";
}

}  // namespace

Callee::Callee(std::shared_ptr<py::object> object) : object_(std::move(object)), type_(type_name(*object_)) {
  shape_ = shape();
}

bool Callee::has(const char* method) const {
  return py::hasattr(*object_, method) && PyCallable_Check(object_->attr(method).ptr());
}

std::optional<double> Callee::number(const char* name) const {
  const py::object value = py::getattr(*object_, name, py::none());
  if (value.is_none()) return {};
  const double number = PyFloat_AsDouble(value.ptr());
  if (!PyErr_Occurred()) return number;
  PyErr_Clear();
  throw Error(ErrorKind::usage, "", type_ + "." + name + " is of type " + type_name(value), "give a number");
}

bool Callee::truth(const char* name) const {
  return PyObject_IsTrue(py::object(py::getattr(*object_, name, py::bool_(false))).ptr()) == 1;
}

std::optional<Shape> Callee::shape() const {
  const py::object value = py::getattr(*object_, "shape", py::none());
  if (value.is_none()) return {};
  const auto sizes = py::isinstance<py::sequence>(value) ? py::tuple(value) : py::make_tuple(value);
  std::vector<Index> numbers;
  for (const py::handle& size : sizes)
    numbers.push_back(PyIndex_Check(size.ptr()) ? size.cast<Index>() : Index{0});
  if (numbers.empty() || numbers.size() > 2 || *std::min_element(numbers.begin(), numbers.end()) < 1)
    throw Error(ErrorKind::usage, "", type_ + ".shape is " + py::repr(value).cast<std::string>(),
                "give the number of entries, or (rows, columns) of a matrix");
  return numbers.size() == 1 ? Shape::vector(numbers[0]) : Shape::matrix(numbers[0], numbers[1]);
}

py::array Callee::array(std::span<const double> values) const {
  if (shape_ && shape_->cols > 1 && static_cast<std::size_t>(shape_->size()) == values.size())
    return read_only(copied(values, shape_->rows, shape_->cols));
  return read_only(copied(values));
}

void Callee::raised(const char* method, const py::error_already_set& error) const {
  Raised::note(error);
  // Errors of the library that pass through Python stay of their kind.
  const py::object kind = py::getattr(error.value(), "kind", py::none());
  const bool own = py::isinstance(error.value(), py::module_::import("claros.errors").attr("Error"));
  throw Error(own && !kind.is_none() ? static_cast<ErrorKind>(kind.cast<int>()) : ErrorKind::plugin, "",
              type_ + "." + method + " raised " + type_name(error.value()) + ": " +
                  py::str(error.value()).cast<std::string>());
}

void Callee::refuse(const char* method, const std::string& found, const std::string& expected) const {
  throw Error(ErrorKind::plugin, "", type_ + "." + method + " returned " + found + ", expected " + expected,
              "fix " + type_);
}

double Callee::to_number(const char* method, const py::object& returned) const {
  const double number = returned.is_none() ? -1.0 : PyFloat_AsDouble(returned.ptr());
  if (!returned.is_none() && !PyErr_Occurred()) return number;
  PyErr_Clear();
  refuse(method, returned.is_none() ? "None" : "an object of type " + type_name(returned), "a number");
}

void Callee::to_values(const char* method, const py::object& returned, std::span<double> to) const {
  const std::string expected = "an array of shape " + shape_text(shape_, to.size());
  if (returned.is_none()) refuse(method, "None", expected);
  const py::array given = py::array::ensure(returned);
  PyErr_Clear();
  if (!given || std::string("fiub").find(given.dtype().kind()) == std::string::npos)
    refuse(method, "an object of type " + type_name(returned), expected);
  const bool matrix = shape_ && shape_->cols > 1 && given.ndim() == 2;
  const bool fits = matrix ? given.shape(0) == shape_->rows && given.shape(1) == shape_->cols
                           : given.ndim() == 1 && static_cast<std::size_t>(given.size()) == to.size() &&
                                 !(shape_ && shape_->cols > 1);
  if (!fits) refuse(method, "an array of shape " + shape_text(given), expected);
  const py::array_t<double, py::array::f_style | py::array::forcecast> values(given);
  std::copy(values.data(), values.data() + values.size(), to.begin());
}

}  // namespace claros::python

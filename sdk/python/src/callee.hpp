// SPDX-License-Identifier: BSD-3-Clause
/// @file callee.hpp  Calls of the methods of an object of Python, and checks of what they return.
#pragma once

#include <claros/element/shape.hpp>
#include <claros/error.hpp>

#include "arrays.hpp"
#include "objects.hpp"

#include <memory>
#include <optional>
#include <span>
#include <string>

namespace claros::python {

/// An object and its methods. Copies share it; any thread may call.
class Callee {
 public:
  /// With the lock.
  explicit Callee(std::shared_ptr<py::object> object);

  bool has(const char* method) const;
  /// An attribute as a number or a truth; nothing if it is missing or None. With the lock.
  std::optional<double> number(const char* name) const;
  bool truth(const char* name) const;
  /// The attribute `shape`: p, (p,) or (m, n). Nothing if it is missing.
  std::optional<Shape> shape() const;
  void take_shape(const Shape& shape) { shape_ = shape; }
  std::string type() const { return type_; }

  /// The object's array of these values, read-only: a matrix where the shape is one.
  py::array array(std::span<const double> values) const;

  /// method(arguments...), where `make` makes the tuple of arguments with the lock, as a number or as values
  /// written to `to`.
  template <class Make>
  double number_of(const char* method, Make make) const {
    const py::gil_scoped_acquire lock;
    return to_number(method, call(method, make));
  }
  template <class Make>
  void write(const char* method, std::span<double> to, Make make) const {
    const py::gil_scoped_acquire lock;
    to_values(method, call(method, make), to);
  }
  template <class Make>
  void run(const char* method, Make make) const {
    const py::gil_scoped_acquire lock;
    call(method, make);
  }

 private:
  template <class Make>
  py::object call(const char* method, Make make) const {
    try {
      return object_->attr(method)(*py::tuple(make()));
    } catch (const py::error_already_set& error) {
      raised(method, error);
    }
  }
  [[noreturn]] void raised(const char* method, const py::error_already_set& error) const;
  [[noreturn]] void refuse(const char* method, const std::string& found, const std::string& expected) const;
  double to_number(const char* method, const py::object& returned) const;
  void to_values(const char* method, const py::object& returned, std::span<double> to) const;

  std::shared_ptr<py::object> object_;
  std::string type_;
  std::optional<Shape> shape_;
};

}  // namespace claros::python

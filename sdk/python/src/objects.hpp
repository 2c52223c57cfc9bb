// SPDX-License-Identifier: BSD-3-Clause
/// @file objects.hpp  Objects of Python that C++ holds, and what a call of one of them raised.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>

namespace claros::python {

namespace py = pybind11;

/// An object of Python that any thread may copy and release: the last release takes the interpreter's lock.
/// Once the interpreter is ending it stays alive, since the lock is not to be had any more.
std::shared_ptr<py::object> keep(py::object object);

/// The first exception that Python code raised within the work of this thread. It comes out of `solve` as
/// itself, after the run has ended with its last sound point.
class Raised {
 public:
  Raised();
  ~Raised();
  Raised(const Raised&) = delete;
  Raised& operator=(const Raised&) = delete;

  /// Keeps `error` for the innermost Raised of this thread; later ones are dropped. With the lock.
  static void note(const py::error_already_set& error);
  const std::shared_ptr<py::object>& first() const noexcept { return first_; }

 private:
  std::shared_ptr<py::object> first_;
  Raised* outer_;
};

}  // namespace claros::python

// SPDX-License-Identifier: BSD-3-Clause
#include "objects.hpp"

#include <utility>

namespace claros::python {

namespace {

thread_local Raised* innermost = nullptr;

bool finalizing() {
#if PY_VERSION_HEX >= 0x030D0000
  return Py_IsFinalizing();
#else
  return _Py_IsFinalizing();  // the name before it became public
#endif
}

void release(py::object* object) {
  if (!Py_IsInitialized() || finalizing()) {
    (void)object->release();
    delete object;
    return;
  }
  const py::gil_scoped_acquire lock;
  delete object;
}

}  // namespace

std::shared_ptr<py::object> keep(py::object object) { return {new py::object(std::move(object)), release}; }

Raised::Raised() : outer_(std::exchange(innermost, this)) {}
Raised::~Raised() { innermost = outer_; }

void Raised::note(const py::error_already_set& error) {
  if (innermost && !innermost->first_) innermost->first_ = keep(error.value());
}

}  // namespace claros::python

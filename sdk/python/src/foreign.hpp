// SPDX-License-Identifier: BSD-3-Clause
/// @file foreign.hpp  Components that are objects of Python, told by their methods.
///
/// Points are handed over as new arrays of numpy, so that one which is kept stays what it was. What a method
/// returns is checked: an array of float64 of the expected shape, a number, or Error(plugin) that names the
/// method.
#pragma once

#include <claros/component.hpp>
#include <claros/kind.hpp>

#include "objects.hpp"

#include <memory>

namespace claros::python {

/// What `object` is in the role of that kind. Its methods:
///
/// | kind | needs | may have |
/// |---|---|---|
/// | objective, smoother | `shape`, `value(x)`, `gradient(x)` | `hessian_product(x, d)`, `terms` (then
/// `gradient(x, batch)`), convex, smoothness, strong_convexity, lower_bound |
/// | set | `outside(x)`; `minimize(c)` with `diameter`, or `project(v)` | `start(size)`, `shape` |
/// | penalty | `value(x)`, `apply(v, step)` | `conjugate(u)`, `into_domain(u)`, `weak_convexity`, `shape` |
/// | estimator | `at(x, problem)` | `start(problem)`, `begin_epoch(x, problem)`, `length` of an epoch,
/// `unbiased`, `exact` | | algorithm | `move(x, g, problem)` | `start(x, problem)`, `takes` |
///
/// Throws Error(usage) with everything that is missing. With the lock.
std::shared_ptr<Component> foreign(const std::shared_ptr<py::object>& object, Kind kind);
/// The kind that the methods of `object` are those of; throws Error(usage) where there is none.
Kind kind_of(const py::object& object);

/// Binds the type that `start`, `at` and `move` get.
void bind_problem(py::module_& module);

}  // namespace claros::python

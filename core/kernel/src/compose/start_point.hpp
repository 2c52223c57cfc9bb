// SPDX-License-Identifier: BSD-3-Clause
/// @file start_point.hpp  The point that start.from names.
#pragma once

#include <claros/context.hpp>
#include <claros/element/element.hpp>
#include <claros/objective.hpp>

#include <string>

namespace claros {

/// The solution in the folder of a run, which has to be the one of its result, or what read_numbers
/// (design_io.hpp) reads; in the units of the data. Files are resolved by the context, so that a checkpoint
/// names their contents. Throws Error(data) where the shape is not the objective's, or the columns, classes
/// or ids of the folder are not its own.
Element read_start(const std::string& from, Component& objective, const Shape& shape, const Context& context);

inline Element read_start(const std::string& from, Objective& objective, const Context& context) {
  return read_start(from, objective, objective.shape(), context);
}

}  // namespace claros

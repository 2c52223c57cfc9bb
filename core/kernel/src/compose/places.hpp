// SPDX-License-Identifier: BSD-3-Clause
/// @file places.hpp  The places in a file of the settings that errors of components name.
#pragma once

#include <claros/compose/composition.hpp>

namespace claros {

/// The error with "robust.ini:12: estimator.batch" for "estimator.batch", where that setting was read from a
/// file and the composition has one component of that kind, so that no other can be meant.
Error placed(const Error& error, const Spec& written, const Composition& composition);

/// call(), its errors placed.
template <class Call>
auto with_places(const Composition& composition, Call&& call) {
  try {
    return call();
  } catch (const Error& error) {
    throw placed(error, composition.written, composition);
  }
}

}  // namespace claros

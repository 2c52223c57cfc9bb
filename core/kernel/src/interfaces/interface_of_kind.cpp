// SPDX-License-Identifier: BSD-3-Clause
#include "plugin/interface_of_kind.hpp"

#include <claros/algorithm.hpp>
#include <claros/loss.hpp>

namespace claros {

bool has_interface(Kind kind, Component& component) {
  void* const* table = *reinterpret_cast<void***>(&component);
  const bool typed = table[-1] != nullptr;  // of the Itanium C++ ABI, which the fingerprint names
  switch (kind) {
    case Kind::objective:
    case Kind::smoother:
      return typed && dynamic_cast<Objective*>(&component);
    case Kind::estimator:
      return typed && dynamic_cast<GradientEstimator*>(&component);
    case Kind::algorithm:
      return typed && dynamic_cast<Algorithm*>(&component);
    case Kind::loss:
      return typed && dynamic_cast<Loss*>(&component);
    default:
      return true;
  }
}

}  // namespace claros

// SPDX-License-Identifier: BSD-3-Clause
/// @file stateless.hpp  For components whose next answer depends on nothing but their arguments.
#pragma once

#include <claros/state/state.hpp>

namespace claros::sdk {

/// Nothing to save: a resumed run finds the component as it was made.
class Stateless : public State {
 public:
  void state(StateVisitor&) override {}
};

}  // namespace claros::sdk

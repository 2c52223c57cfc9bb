// SPDX-License-Identifier: BSD-3-Clause
/// @file adversary.hpp  An ability of objectives: to settle which function they are as the run asks.
#pragma once

#include <claros/component.hpp>
#include <claros/element/element.hpp>

namespace claros {

/// A resisting oracle: what it has told stays true of the function that it ends with. Watchers tell it of
/// what counts, before it is answered; measuring asks the function as it is, and settles nothing.
/// It offers State too.
class CLAROS_API Adversary {
 public:
  static constexpr std::string_view kAbility = "claros.adversary/1";
  virtual ~Adversary();
  /// A run begins, and nothing is settled yet.
  virtual void forget() = 0;
  /// f, or with `gradient` grad f, is about to be asked for at x.
  virtual void asked(const Element& x, bool gradient) = 0;
};

}  // namespace claros

// SPDX-License-Identifier: BSD-3-Clause
/// @file exchange.hpp  Changes of a composition that give what composing again would give.
#pragma once

#include "compose/auto_algorithm.hpp"

#include <claros/compose/composition.hpp>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace claros {

/// A composition, and what has to be known of its specification to exchange something in it. `data` and
/// `number` change the composition and say true, or say false where only composing is known to give the same:
/// the composition may then be changed in part, and is to be thrown away, as after an exception of a
/// component.
class Exchange {
 public:
  /// `spec`: of which the composition was made, in the names of Claros.
  Exchange(Composition composition, const Spec& spec);

  Composition composition;

  /// Whether it may run again, or be changed: no part goes on from what it did before.
  bool is_reusable() const noexcept { return plain_; }
  bool data(std::shared_ptr<const Dataset> object);
  bool number(const std::string& name, const std::string& text);
  /// Whether `auto` still chooses the same algorithm. After the last exchange.
  bool is_same_choice() const;

 private:
  bool stop_rule(const std::string& key, const std::string& text);
  bool part_number(Node& part, const std::string& key, const std::string& text);
  bool renew_fractions();
  AlgorithmChoice choice() const;

  bool plain_ = false;        ///< neither the start nor a smoother's mu was computed from other components
  bool stop_given_ = false;   ///< [stop] has a rule
  bool choice_open_ = false;  ///< `auto` chose the algorithm
  AlgorithmChoice chosen_;    ///< what it would choose for the composition as it was made
  std::vector<std::pair<std::string, double>> fractions_;  ///< key and factor of max
};

}  // namespace claros

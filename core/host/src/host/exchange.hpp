// SPDX-License-Identifier: BSD-3-Clause
/// @file exchange.hpp  Changes of a composition that give what composing again would give.
#pragma once

#include <claros/compose/composition.hpp>
#include <claros/compose/program_services.hpp>

#include <string>
#include <utility>
#include <vector>

namespace claros {

/// A composition, and the facts about its specification that an exchange needs. `data` and `number` change
/// the composition and return true if the result is known to equal composing anew. If they return false or a
/// component throws, the composition may be partly changed and must be discarded.
class Exchange {
 public:
  /// The composition was made from `spec`, which is in the names of Claros.
  Exchange(Composition composition, const Spec& spec);

  Composition composition;

  /// True if it may run again, or be changed: no part continues from earlier state.
  bool is_reusable() const noexcept { return plain_; }
  bool data(std::shared_ptr<const Dataset> object);
  bool number(const std::string& name, const std::string& text);
  /// True if `auto` still chooses the same algorithm. To be called after the last exchange.
  bool is_same_choice() const;

 private:
  bool stop_rule(const std::string& key, const std::string& text);
  bool part_number(Node& part, const std::string& key, const std::string& text);
  bool renew_fractions();
  std::vector<AlgorithmChoice> choice() const;

  bool plain_ = false;        ///< neither the start nor a smoother's mu was computed from other components
  bool stop_given_ = false;   ///< [stop] has a rule
  bool choice_open_ = false;  ///< `auto` chose the algorithm
  std::vector<AlgorithmChoice> chosen_;  ///< what it would choose for the composition as it was made
  std::vector<std::pair<std::string, double>> fractions_;  ///< key and factor of max
};

}  // namespace claros

// SPDX-License-Identifier: BSD-3-Clause
/// @file small_problems.hpp  Tiny problems on which all compositions are tried.
#pragma once

#include <claros/compose/composition.hpp>
#include <claros/plugin/catalog.hpp>

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace claros::cli {

using Words = std::vector<std::string>;

/// Data, and the settings of Claros' own objective on them.
struct SmallProblem {
  std::string name;                     ///< "a vector of 12"
  std::shared_ptr<const Dataset> data;  ///< null if `words` have a [data] section
  Words words;
};

/// Variables of every form: vectors of the sizes that graphs, programs and vertices have as examples, and
/// matrices.
const std::vector<SmallProblem>& small_problems();
/// Rows and entries whose targets are numbers, signs, and counts: one of them suits every loss.
const std::vector<SmallProblem>& problems_of_targets();

/// The words that make an example of each component of a catalogue. A part that a component needs is the one
/// of its kind that offers most. To find it, each component of that kind is made once.
class ExampleWords {
 public:
  explicit ExampleWords(const Catalog& catalog) : catalog_(catalog) {}

  /// SECTION.use = NAME, with a value of its range for whatever is required, and parts for the roles that
  /// nothing fills by default.
  Words of(Kind kind, const std::string& name, const std::string& section) const;

 private:
  const std::string& ablest(Kind kind) const;

  const Catalog& catalog_;
  mutable std::map<Kind, std::string> ablest_;
};

/// Composes and starts dry; what is refused, in the words of `check`, or nothing.
std::vector<Complaint> refusal(const Catalog& catalog, const SmallProblem& problem, const Words& words);
/// Makes that many steps. Empty on success or when a target was met; else the failure.
std::string failure_of_run(const Catalog& catalog, const SmallProblem& problem, const Words& words,
                           Index steps);

}  // namespace claros::cli

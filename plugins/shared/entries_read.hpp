// SPDX-License-Identifier: BSD-3-Clause
/// @file entries_read.hpp  The entries of a matrix that an objective reads.
#pragma once

#include <claros/abilities.hpp>
#include <claros/objective.hpp>

#include <algorithm>
#include <memory>
#include <variant>
#include <vector>

namespace claros::sdk {

/// The positions of the entries, if every output of f's map is one of them; else null.
inline std::shared_ptr<const Pattern> entries_read(Objective& f) {
  const auto* terms = query<TermCoefficients>(f);
  if (!terms || terms->map()->fuses()) return nullptr;
  const Index outputs = terms->map()->size();
  Element ones =
      Element::adjoint(terms->map(), Buffer(std::vector<double>(static_cast<std::size_t>(outputs), 1.0)));
  ones.fold();
  if (ones.parts().size() != 1) return nullptr;
  const auto* sparse = std::get_if<SparseForm>(&ones.parts().front().form);
  const bool each = sparse && ones.parts().front().weight == 1.0 && sparse->values.size() == outputs &&
                    std::ranges::all_of(sparse->values.view(), [](double one) { return one == 1.0; });
  return each ? sparse->pattern : nullptr;
}

/// The values of x on the pattern of its sparse part.
inline std::vector<double> values_at_entries(Element& x) {
  x.fold();
  std::vector<double> values;
  for (const Part& part : x.parts())
    if (const auto* sparse = std::get_if<SparseForm>(&part.form))
      for (const double value : sparse->values.view()) values.push_back(part.weight * value);
  return values;
}

}  // namespace claros::sdk

// SPDX-License-Identifier: BSD-3-Clause
#include "compose/parts.hpp"

#include <claros/compose/changed_number.hpp>

namespace claros {

void change_number(Composition& composition, const std::string& key, double number) {
  const auto dot = key.rfind('.');
  const std::string path = key.substr(0, dot), name = key.substr(dot + 1), text = print_real(number);
  for (Node& part : composition.parts) {
    if (part.path != path || !part.entry || !part.options) continue;
    part.entry->parameters().assign(part.options.get(), name, text);
    make(part, composition.context, composition.ledger);
    composition.effective.set(key, text);
    for (ResolvedFraction& fraction : composition.fractions)
      if (fraction.key == key) fraction.written = text, fraction.number = number;
    return composition.connect();
  }
  throw Error(ErrorKind::usage, key, "is not a parameter of a component that the catalogue made",
              "name one of an outermost section");
}

}  // namespace claros

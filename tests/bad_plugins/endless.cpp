// SPDX-License-Identifier: BSD-3-Clause
// A set that holds itself by default.
#include "fixture.hpp"

class Endless final : public claros::Component {
 public:
  struct Options {};
  static const claros::ParameterList& parameters() {
    static const claros::ParameterTable<Options> table{
        {}, {}, {{"inner", claros::Kind::set, "another set", "endless"}}};
    return table;
  }
  Endless(const Options&, const claros::Context&) {}
  void* ability(std::string_view) noexcept override { return nullptr; }
};

CLAROS_PLUGIN(Endless, claros::Kind::set, "endless", "", "1.0.0", "Holds itself.", "A fixture of the tests.",
              "")

// SPDX-License-Identifier: BSD-3-Clause
// What docs/guides/own-plugin.md leaves out around its blocks (check_guide).
#include <claros/plugin.hpp>
#include <claros/sdk/array_set.hpp>

#include <string>

namespace {

using namespace claros;

#define LEFT_OUT
#include "2.inc"
#undef LEFT_OUT

#define LEFT_OUT                                             \
 public:                                                     \
  using Options = ::Options;                                 \
  static const ParameterList& parameters() { return table; } \
  CappedSimplex(const Options&, const Context&) {}           \
  double diameter(const Shape&) override { return 1.0; }
#include "1.inc"
#undef LEFT_OUT

void refuse(Index p_, Index k_) {
#include "3.inc"
}

}  // namespace

#include "4.inc"

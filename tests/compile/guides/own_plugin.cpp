// SPDX-License-Identifier: BSD-3-Clause
// What docs/guides/own-plugin.md leaves out around its blocks (check_guide).
#include <claros/linear_oracle.hpp>
#include <claros/need.hpp>
#include <claros/plugin.hpp>
#include <claros/proximal_oracle.hpp>
#include <claros/sdk/array_set.hpp>
#include <claros/sdk/point_algorithm.hpp>

#include <memory>
#include <string>
#include <vector>

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

class Moving final : public sdk::PointAlgorithm {
 public:
#include "5.inc"
#include "6.inc"
  Takes takes() const override { return {}; }

 private:
  void move(const Element&) override {}
  void make_what_follows() {}
  Element before_;
  Index count_ = 0;
};

class Outer {
 public:
#include "7.inc"

 private:
  std::shared_ptr<Algorithm> inner_;
};

}  // namespace

#include "4.inc"

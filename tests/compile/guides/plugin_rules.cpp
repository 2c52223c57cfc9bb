// SPDX-License-Identifier: BSD-3-Clause
// What docs/guides/plugin-rules.md leaves out around its blocks (check_guide).
#include <claros/linear_oracle.hpp>
#include <claros/need.hpp>
#include <claros/plugin.hpp>
#include <claros/proximal_oracle.hpp>
#include <claros/sdk/point_algorithm.hpp>

#include <memory>
#include <vector>

namespace {

using namespace claros;

struct Options {};

class Moving final : public sdk::PointAlgorithm {
 public:
#include "1.inc"
#include "2.inc"
  Takes takes() const override { return {}; }

 private:
  void move(const Element&) override {}
  void make_what_follows() {}
  Element before_;
  Index count_ = 0;
};

class Outer {
 public:
#include "3.inc"

 private:
  std::shared_ptr<Algorithm> inner_;
};

}  // namespace

// SPDX-License-Identifier: BSD-3-Clause
// A sound plugin, and by definitions of the compiler's command line one that is not: CMakeLists.txt says what
// is then to be read.
#include <claros/plugin.hpp>
#include <claros/sdk/array_objective.hpp>
#include <claros/sdk/oracle_set.hpp>

#ifndef CLASS
#define CLASS Ball
#endif
#ifndef FACTS
#define FACTS .kind = Kind::set, .name = "ball", .summary = "By name."
#endif
#ifndef MEMBER
#define MEMBER Index
#endif
#ifndef ROW
#define ROW at_least(1), "how many", "k"
#endif
#ifndef OPTIONS
#define OPTIONS using Options = ::Options;
#endif
#ifndef TABLE
#define TABLE parameters
#endif
#ifndef MADE_FROM
#define MADE_FROM const Options&, const Context&
#endif

namespace {

using namespace claros;

struct Options {
  MEMBER count{};
};
const ParameterList& rows() {
  static const ParameterTable<Options> table{row("count", &Options::count, ROW)};
  return table;
}

#define PARTS(Class)                                     \
  OPTIONS                                                \
  static const ParameterList& TABLE() { return rows(); } \
  explicit Class(MADE_FROM) {}

class Ball : public sdk::OracleSet {
 public:
  PARTS(Ball)
  double diameter(const Shape&) override { return 1.0; }
  void corner(std::span<const double>, std::span<double>) override {}
  double outside(std::span<const double>) override { return 0.0; }
};

struct Plain : sdk::ArrayObjective {
  Plain() : ArrayObjective(Shape::vector(1)) {}
};
class Sum : public Plain {
 public:
  PARTS(Sum)
  double value_at(std::span<const double>) override { return 0.0; }
  void add_gradient_at(std::span<const double>, const Batch&, double, std::span<double>) override {}
};

/// A component of no kind.
class Bare : public Component {
 public:
  PARTS(Bare)
};

/// Derives from an oracle and does not offer it.
class Silent : public Component, public LinearOracle {
 public:
  PARTS(Silent)
  OracleInfo minimize(const Element&, const OracleRequest&, Element&) override { return {}; }
  double diameter(const Shape&) override { return 1.0; }
};

/// No component at all.
class Alone {
 public:
  PARTS(Alone)
};

}  // namespace

CLAROS_PLUGIN(CLASS, FACTS)

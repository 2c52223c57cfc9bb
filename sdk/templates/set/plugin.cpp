// SPDX-License-Identifier: BSD-3-Clause
#include <claros/plugin.hpp>
#include <claros/sdk/array_set.hpp>
#include <claros/sdk/chosen_rows.hpp>

namespace {

using namespace claros;

struct Options {
  double radius = kUnset;
};

/// C = {x : ||x||_2 <= r}. Spans hold all entries of the variable, column-major.
class MySet final : public sdk::ArraySet {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        sdk::radius_row(&Options::radius, "bound on the norm", "r", "norm")};
    return table;
  }
  MySet(const Options& options, const Context&) : radius_(options.radius) {}

  // MATHEMATICS 1 of 4: the diameter, max over u, v in C of ||u - v||_2.
  double diameter(const Shape&) override { return 2.0 * radius_; }

 private:
  // MATHEMATICS 2 of 4: the linear oracle. Writes a minimiser of <c, x> over C.
  void corner(std::span<const double> c, std::span<double> x) override {
    const double norm = sdk::euclidean_norm(c);
    sdk::map_entries(c, x,
                     [norm, r = radius_](double value) { return norm > 0.0 ? -r * (value / norm) : 0.0; });
  }
  // MATHEMATICS 3 of 4: the projection, the point of C nearest to v. x may be v. A set whose projection is
  // expensive leaves it out and derives from sdk::OracleSet (claros/sdk/oracle_set.hpp): Frank-Wolfe methods
  // ask for none.
  void project(std::span<const double> v, std::span<double> x) override {
    const double norm = sdk::euclidean_norm(v), scale = norm > radius_ ? radius_ / norm : 1.0;
    sdk::map_entries(v, x, [scale](double value) { return scale * value; });
  }
  // MATHEMATICS 4 of 4: how far x lies outside, relative to the size of C; 0 inside.
  double outside(std::span<const double> x) override {
    return sdk::ball_violation(sdk::euclidean_norm(x), radius_);
  }

  double radius_;
};

}  // namespace

CLAROS_PLUGIN(MySet, .kind = Kind::set, .name = "@name@", .version = "0.1.0",
              .summary = "Points of norm at most r",
              .description =
                  "C = {x : ||x||_2 <= r}. What claros describe shows: the set, its oracles and what they "
                  "cost.",
              .citation = "Author, Title, Year: where the formulas come from",
              .guidance = "When to use it, and when not")

// SPDX-License-Identifier: BSD-3-Clause
#include "certified_program.hpp"
#include "dual_method.hpp"
#include "integer_hull.hpp"

#include <claros/io/variable_names.hpp>
#include <claros/plugin.hpp>
#include <claros/sdk/array_set.hpp>

namespace {

using namespace claros;

enum class Integers { no, declared, all };

struct Options {
  std::string program;
  Integers integers = Integers::no;
};

/// C = {x : low <= x <= high, least <= A x <= most}, bounded. The minimiser of <c, x> solves a linear
/// program, by the primal simplex method from one feasible basis, with a lower bound from its multipliers.
/// The projection, a quadratic program, is Goldfarb and Idnani's (dual_method.hpp). D <= the length of the
/// diagonal of the box around C. With integers C is the convex hull of the points whose variables are
/// integers. Minimisers then come from branch and bound (integer_hull.hpp), the nearest point and membership
/// from Wolfe's method on these.
class Polytope final : public sdk::IteratedSet, public VariableNames {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        row("program", &Options::program,
            required(
                any(),
                "a file, or rows of coefficients of non-negative variables: `1 2 <= 4; 3 1 <= 6; 1 1 >= 1`"),
            "the constraints of a linear program: a file of MPS or LP format, whose objective "
            "plays no part, or rows with a ; between them",
            "A"),
        row("integers", &Options::integers,
            one_of<Integers>(
                {{Integers::no, "no"}, {Integers::declared, "declared"}, {Integers::all, "all"}}),
            "the variables that are integers in the points whose convex hull is the set: "
            "none, those that the file declares, or all")};
    return table;
  }

  Polytope(const Options& o, const Context& context)
      : C_(made(o.program, context), polytope::is_written(o.program) ? "program" : o.program) {
    const std::vector<char>& declared = C_.program().integer;
    if (o.integers == Integers::no && !declared.empty())
      context.warn(
          "program declares integers: the set is that of all points between, as if it did not; integers = "
          "declared makes it the convex hull of the points with these integers");
    if (o.integers == Integers::declared && declared.empty())
      throw Error(ErrorKind::usage, "integers", "the program declares no integers",
                  "take all or no, or declare them in the file");
    if (o.integers != Integers::no)
      hull_.emplace(C_, o.integers == Integers::all ? std::vector<char>(C_.program().columns(), 1) : declared,
                    "program");
  }

  bool is_expensive() const override { return hull_.has_value(); }
  const std::vector<std::string>& variable_names() const noexcept override { return C_.program().names; }
  void* ability(std::string_view id) noexcept override {
    if (void* mine = offer<VariableNames>(this, id)) return mine;
    return sdk::IteratedSet::ability(id);
  }

  double diameter(const Shape&) override {
    double square = 0.0;
    for (std::size_t j = 0; j < C_.program().columns(); ++j) square += C_.width(j) * C_.width(j);
    return std::sqrt(square);
  }

 private:
  static polytope::Program made(const std::string& text, const Context& context) {
    return polytope::is_written(text) ? polytope::written(text, "program")
                                      : polytope::read(context.resolve(text).string());
  }
  void fit(const Shape& shape) override {
    if (shape.size() != static_cast<Index>(C_.program().columns()))
      throw Error(ErrorKind::usage, "program",
                  "the program has " + std::to_string(C_.program().columns()) +
                      " variables, and the variable of the problem is " + shape.text(),
                  "give both as many entries, in the same order");
  }
  void corner(std::span<const double> c, std::span<double> x) override {
    hull_ ? hull_->minimize(c, x) : C_.minimize(c, x);
  }
  double bound(std::span<const double>, std::span<const double>, double) override {
    return hull_ ? hull_->bound() : C_.bound();
  }
  Certificate approach(std::span<const double> v, const Accuracy& accuracy, std::span<double> x) override {
    if (sdk::largest_magnitude(v) > kFar * C_.size())
      throw Error(ErrorKind::numerical, "",
                  "the point to project is too far away for its distances to be computed",
                  "check for a step that is too long");
    if (hull_) {
      (void)hull_->nearest(v, x);
      return within(hull_->error(), accuracy, x);
    }
    if (!nearest_) nearest_.emplace(C_.program(), C_.size());
    return within((*nearest_)(v, x), accuracy, x);
  }
  /// For a hull the distance from its nearest point. Integer points, and points that violate a constraint,
  /// need no projection.
  double outside(std::span<const double> x) override {
    const double out = C_.outside(x);
    if (!hull_ || out > kOutside || hull_->is_integer(x)) return out;
    return hull_->distance(x, kRounding * (C_.size() + sdk::euclidean_norm(x))) / C_.size();
  }

  static constexpr double kFar = 1e100;  // squares of distances beyond it have no room
  static constexpr double kOutside = 1e-3, kRounding = 1e-13;

  polytope::CertifiedProgram C_;
  std::optional<polytope::DualMethod> nearest_;
  std::optional<polytope::IntegerHull> hull_;
};

}  // namespace

CLAROS_PLUGIN(Polytope, Kind::set, "polytope", "", "1.0.0",
              "Polytope of a linear program, low <= x <= high, least <= A x <= most",
              "C = {x : low <= x <= high, least <= A x <= most}, the constraints of a linear program that "
              "bound it. The linear oracle solves the program for the direction as its costs, by "
              "the primal simplex method of COIN-OR's Clp from one feasible basis, refined until the "
              "corner's value and the bound of its multipliers agree to rounding; the lower bound is that of "
              "the multipliers. The projection is the dual active-set method of Goldfarb and Idnani, "
              "exact but for rounding; a step costs n^2 numbers, and there are about as many as constraints "
              "hold at the solution. Diameter at most the diagonal of the box around it. With integers C is "
              "the convex hull of the points of the program whose variables are integers: the linear oracle "
              "is branch and bound over linear programs, whose lower bound is proved by their multipliers; "
              "projection and membership ask it for the nearest mixture of such points, by Wolfe's method.",
              "Goldfarb, Idnani: A numerically stable dual method for solving strictly convex quadratic "
              "programs, Mathematical Programming 27, 1983 (projection); Forrest, Hall: Clp, the COIN-OR "
              "linear program solver (coin-or.org/Clp); Land, Doig: An automatic method of solving discrete "
              "programming problems, Econometrica 28, 1960 (branch and bound); Wolfe: Finding the nearest "
              "point in a polytope, Mathematical Programming 11, 1976 (projection onto a hull of integers)",
              "Use it for linear constraints from an MPS or LP file, or written out. A linear minimisation "
              "is a linear program; the projection is for up to some hundred variables. The constraints "
              "must bound every variable, and variables of written rows are at least 0. Where flow, "
              "birkhoff or matroid-base describes the set, use that one. With integers take a Frank-Wolfe "
              "method, for tens of variables: there are no cutting planes.",
              "objective.use=linear objective.data='-1 -1' set.use=polytope "
              "set.program='1 2 <= 4; 3 1 <= 6' stop.relative_gap=1e-9")

// SPDX-License-Identifier: BSD-3-Clause
#include <claros/objective.hpp>
#include <claros/plugin.hpp>

#include <cmath>
#include <cstdlib>
#include <stdexcept>

namespace {

using namespace claros;

struct Options {
  std::string fail = "never";
  Index after = 3;
};

/// f(X) = ||X - T||^2 / 2 on 3 x 2 matrices, T all ones. Its gradient fails after so many calls, in the way
/// asked for; `start` fails once, where an estimator asks for the shape.
class Trouble final : public Objective {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        row("fail", &Options::fail,
            one_of({"never", "start", "plugin", "data", "numerical", "foreign", "nan", "exit", "quick_exit"}),
            "how"),
        row("after", &Options::after, at_least(0), "gradients before it fails")};
    return table;
  }

  Trouble(const Options& options, const Context& context)
      : options_(options), target_(Element::dense(Shape::matrix(3, 2), std::vector<double>(6, 1.0))) {
    context.warn("trouble may be ahead");
    if (options_.fail == "exit" && options_.after == 0) std::exit(0);
  }

  Shape shape() const override {
    if (options_.fail == "start" && ++shapes_ == 4)
      throw Error(ErrorKind::data, "trouble", "failed at the start");
    return target_.shape();
  }
  Index terms() const override { return 1; }
  double value(const Element& x) override {
    Element rest(x);
    rest.add(-1.0, target_);
    // What no fact knows of: another machine's roundings, or other data.
    const char* share = std::getenv("TROUBLE_SHARE");
    return 0.5 * inner(rest, rest) * (1.0 + (share ? std::atof(share) : 0.0));
  }
  void add_gradient(const Element& x, const Batch&, double a, Element& g) override {
    if (++gradients_ > options_.after) fail();
    const double sign = gradients_ > options_.after && options_.fail == "nan" ? std::nan("") : a;
    g.add(sign, x);
    g.add(-sign, target_);
  }
  Constants constants() const override {
    Constants c;
    c.convex = true;
    return c;
  }

 private:
  void fail() const {
    if (options_.fail == "plugin") throw Error(ErrorKind::plugin, "trouble", "broke");
    if (options_.fail == "data") throw Error(ErrorKind::data, "trouble", "read \xFF from a file");
    if (options_.fail == "numerical") throw Error(ErrorKind::numerical, "trouble", "did not converge");
    if (options_.fail == "exit") std::exit(0);
    if (options_.fail == "quick_exit") std::quick_exit(0);
    if (options_.fail == "foreign") throw std::runtime_error("something else");
  }

  Options options_;
  Element target_;
  Index gradients_ = 0;
  mutable Index shapes_ = 0;
};

}  // namespace

CLAROS_PLUGIN(Trouble, Kind::objective, "trouble", "", "1.0.0", "Fails when it is told to",
              "A fixture of the tests.", "")

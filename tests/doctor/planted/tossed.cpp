// SPDX-License-Identifier: BSD-3-Clause
// A sound expectation, measured in closed form; the macro measures the mean of other draws.
#include <claros/expectation.hpp>
#include <claros/plugin.hpp>
#include <claros/random.hpp>

#include <vector>

namespace {

using namespace claros;

/// f(x) = E 0.5 ||x - e - noise N(0, I)||^2 less its constant, e = (1, ..., 1) in R^5.
class Tossed final : public Objective, public MeasuredExpectation {
 public:
  struct Options {
    double noise = 1.0;
  };
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        row("noise", &Options::noise, between(0, 10), "of a draw's entries")};
    return table;
  }
  Tossed(const Options& o, const Context& context) : noise_(o.noise), seed_(context.seed) {}

  Shape shape() const override { return Shape::vector(kLength); }
  Index terms() const override { return kUnbounded; }
  double value(const Element& x) override {
    const Element d = less(x, std::vector<double>(kLength, kMean));
    return 0.5 * inner(d, d);
  }
  void add_gradient(const Element& x, const Batch& batch, double a, Element& g) override {
    if (batch.is_all()) return g.add(a, less(x, std::vector<double>(kLength, kMean)));
    const double share = 1.0 / static_cast<double>(batch.size(kUnbounded));
    for (Index k = 0; k < batch.size(kUnbounded); ++k) {
      RandomStream random(seed_, Purpose::draws);
      random.seek(static_cast<std::uint64_t>(batch[k]) * (kLength + 1));
      std::vector<double> m(kLength);
      random.fill_normal(m);
      for (double& value : m) value = 1.0 + noise_ * value;
      g.add(a * share, less(x, m));
    }
  }
  Constants constants() const override {
    return {.convex = true,
            .smoothness = 1.0,
            .term_smoothness = 1.0,
            .strong_convexity = 1.0,
            .lower_smoothness = 0.0,
            .lower_bound = 0.0};
  }
  Index held_out() const override { return 0; }
  Objective& measured() override { return *this; }
  void* ability(std::string_view id) noexcept override { return offer<MeasuredExpectation>(this, id); }

 private:
  static constexpr std::size_t kLength = 5;
#ifdef BUG_MEAN
  static constexpr double kMean = 1.5;
#else
  static constexpr double kMean = 1.0;
#endif
  static Element less(const Element& x, const std::vector<double>& m) {
    Element d(x);
    d.add(-1.0, Element::dense(Shape::vector(kLength), m));
    return d;
  }
  double noise_;
  std::uint64_t seed_;
};

}  // namespace

CLAROS_PLUGIN(Tossed, Kind::objective, "planted-tossed", "", "1.0.0", "Squared distance from a noisy point",
              "f(x) = E 0.5 ||x - e - noise||^2.", "")

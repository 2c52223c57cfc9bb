// SPDX-License-Identifier: BSD-3-Clause
// A sound algorithm whose steps decay and whose answer is drawn; each macro leaves one member out of its
// state. That of STAIRS changes late.
#include <claros/plugin.hpp>
#include <claros/sdk/point_algorithm.hpp>
#include <claros/sdk/proximal_step.hpp>

#include <cmath>

namespace {

using namespace claros;

/// x <- prox_{s h}(x - s g), s = step / sqrt(1 + k) in the k-th step; the answer is one of the points, drawn
/// uniformly.
class Drawn final : public sdk::PointAlgorithm {
 public:
  struct Options {
    double step = 0.3;
  };
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        row("step", &Options::step, above_to(0, 0.4), "first step length", "s")};
    return table;
  }
  Drawn(const Options& options, const Context& context)
      : options_(options), stream_(context.stream(Purpose::output)) {}
  Takes takes() const override {
    return {.penalty = true, .set = true, .reason = "a step has no closed form with both"};
  }
  const Element& answer() override { return drawn_; }

  void state(StateVisitor& v) override {
    PointAlgorithm::state(v);
#ifndef BUG_DECAY
    v("steps", k_);
#endif
#ifndef BUG_STREAM
    v("stream", stream_);
#endif
#ifndef BUG_DRAWN
    v("drawn", drawn_);
#endif
#ifndef BUG_FOLLOWS
    if (v.loading()) slow_down();
#endif
  }

 private:
  void begin() override {
    proximal_.start(problem());
    stream_.seek(0);
    k_ = 0;
    stairs_ = 1.0;
    drawn_ = x();
    slow_down();
  }
  void move(const Element& g) override {
    proximal_(x(), g, s_, x());
    report_step(s_);
    ++k_;
#ifdef BUG_STAIRS
    if (k_ % 20 == 0) stairs_ = 1.5 - stairs_;
#endif
    slow_down();
    if (stream_.index(k_ + 1) == 0) drawn_ = x();
  }
  void slow_down() { s_ = stairs_ * options_.step / std::sqrt(1.0 + static_cast<double>(k_)); }

  Options options_;
  RandomStream stream_;
  sdk::ProximalStep proximal_;
  Element drawn_;
  Index k_ = 0;
  double stairs_ = 1.0;  ///< 1 and 0.5 in turn, 20 steps each, with STAIRS
  double s_ = 0.0;       ///< follows from them
};

}  // namespace

CLAROS_PLUGIN(Drawn, Kind::algorithm, "planted-drawn", "", "1.0.0", "Proximal steps that decay",
              "x <- prox of s h at x - s g with s falling, the answer drawn.", "")

// SPDX-License-Identifier: BSD-3-Clause
#include <claros/abilities.hpp>
#include <claros/plugin.hpp>
#include <claros/sdk/array_penalty.hpp>
#include <claros/sdk/chosen_rows.hpp>
#include <shared/sets/norm_conjugate.hpp>
#include <shared/sets/number_rows.hpp>
#include <shared/sets/pooled.hpp>

#include <boost/math/distributions/normal.hpp>

namespace {

using namespace claros;

struct Options {
  ScaledNumber lambda;
  double q = 0.1;
  std::string weights;
  double rho = sdk::kInfinity;
};

/// h(x) = lambda sum_k w_k |x|_(k), |x|_(1) >= |x|_(2) >= ..., w_1 >= ... >= w_n >= 0. If no weights are
/// given, they are those of Benjamini and Hochberg at the rate q, w_k = Phi^-1(1 - k q / (2 n)) over the
/// first. The prox is sorted, pooled, cut at 0. The dual norm is max_k (sum of the k largest |s|) / (w_1 +
/// ... + w_k). (Bogdan et al. 2015.)
class Slope final : public sdk::ArrayPenalty, public Conjugate, public LambdaMax {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        sdk::lambda_row(&Options::lambda, at_least(0), "factor of the sum of sorted magnitudes"),
        row("q", &Options::q, above_to(0, 1),
            "rate of false discoveries that the weights are for, where none are given", "q"),
        row("weights", &Options::weights, any(),
            "weights that fall, of the largest magnitude, the second largest and so on: written out (3 2 1) "
            "or in a file; empty: those of q",
            "w"),
        sdk::side_constraint_row(&Options::rho, "sum_k w_k |x|_(k)")};
    return table;
  }

  Slope(const Options& o, const Context& context) : ArrayPenalty(o.rho), lambda_(o.lambda.number()), q_(o.q) {
    if (o.weights.empty()) return;
    w_ = sdk::number_list(o.weights, "weights", context);
    given_ = true;
    for (std::size_t k = 0; k < w_.size(); ++k)
      if (!(w_[k] >= 0.0) || (k > 0 && w_[k] > w_[k - 1]) || w_.front() == 0.0)
        throw Error(
            ErrorKind::usage, "weights",
            "weight " + std::to_string(k + 1) + " is " + print_real(w_[k]) +
                (k > 0 && w_[k] > w_[k - 1] ? ", above the one before it: the sum would not be convex" : ""),
            "give weights that fall, none negative and the first above 0");
  }

  double conjugate(const Element& s) override { return sdk::norm_conjugate(dual(s), lambda_, rho()); }
  double into_domain(const Element& s) override { return sdk::norm_into_domain(dual(s), lambda_, rho()); }
  bool certifies_alone() const override { return lambda_ > 0.0 || rho() < sdk::kInfinity; }
  double lambda_max(const Element& gradient) override { return dual(gradient); }
  void* ability(std::string_view id) noexcept override {
    return offer<ProximalOracle, Conjugate, LambdaMax, State>(this, id);
  }

 private:
  void fit(const Shape& shape) override {
    if (given_) {
      if (static_cast<Index>(w_.size()) != shape.size())
        throw Error(ErrorKind::usage, "weights",
                    "there are " + std::to_string(w_.size()) + " weights, and the penalty sees " +
                        std::to_string(shape.size()) + " entries",
                    "give one for each entry");
      return;
    }
    if (static_cast<Index>(w_.size()) == shape.size()) return;
    w_.resize(static_cast<std::size_t>(shape.size()));
    const boost::math::normal normal;
    const auto n = static_cast<double>(w_.size());
    for (std::size_t k = 0; k < w_.size(); ++k)
      w_[k] = std::max(boost::math::quantile(boost::math::complement(
                           normal, std::min(static_cast<double>(k + 1) * q_ / (2.0 * n), 0.5))),
                       0.0);
    const double first = w_.front();
    for (double& w : w_) w = first > 0.0 ? w / first : 1.0;  // q = 1 of one entry
  }
  double dual(const Element& s) {
    const std::span<const double> entries = read(s);
    if (!sdk::all_finite(entries)) return std::numeric_limits<double>::quiet_NaN();
    norm_.sort(entries);
    double sum = 0.0, total = 0.0, most = 0.0;
    for (std::size_t k = 0; k < w_.size(); ++k) {
      sum += norm_.sorted()[k];
      total += w_[k];
      most = std::max(most, sum / total);
    }
    return most;
  }
  double psi(std::span<const double> x) override {
    if (!sdk::all_finite(x)) return sdk::sum_of_magnitudes(x);
    norm_.sort(x);
    return norm_.value(w_);
  }
  double penalty(std::span<const double> x) override { return lambda_ > 0.0 ? lambda_ * psi(x) : 0.0; }
  void prox(std::span<const double> v, double step, std::span<double> x) override {
    prox_psi(v, step * lambda_, x);
  }
  void prox_psi(std::span<const double> v, double t, std::span<double> x) override {
    if (!sdk::all_finite(v))
      return sdk::map_entries(v, x, [](double value) { return value; });  // NaN has no order
    norm_.sort(v);
    norm_.step(v, w_, t, x);
  }

  double lambda_, q_;
  std::vector<double> w_;
  bool given_ = false;
  sdk::SortedNorm norm_;
};

}  // namespace

CLAROS_PLUGIN(
    Slope, Kind::penalty, "slope", "sorted-l1", "1.0.0", "SLOPE (sorted l1 norm), lambda sum_k w_k |x|_(k)",
    "h(x) = lambda sum_k w_k |x|_(k), magnitudes sorted falling and weights that fall, on sum_k w_k |x|_(k) "
    "<= rho: entries of like size are drawn together. The weights w_k = Phi^-1(1 - k q / (2 n)), scaled to "
    "w_1 = 1, are those that keep false discoveries at the rate q in an orthogonal design. The proximal step "
    "sorts and pools adjacent violators, exactly.",
    "Bogdan, van den Berg, Sabatti, Su, Candes: SLOPE - adaptive variable selection via convex optimization, "
    "Annals of Applied Statistics 9, 2015",
    "Use it to select columns with a control of false discoveries, or to draw entries of like size "
    "together. The rate q is proved for orthogonal columns and the lambda of the paper, not for 0.1*max. "
    "Every proximal step sorts all entries, and working-set refuses it: for many columns take l1. For a "
    "bound instead of a price take the set ordered-weight.",
    "data.use=synthetic-regression data.rows=200 data.cols=500 data.nonzero=5 objective.use=linear-model "
    "penalty.use=slope penalty.lambda=0.2*max stop.relative_gap=1e-6")

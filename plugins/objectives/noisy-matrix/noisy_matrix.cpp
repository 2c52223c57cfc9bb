// SPDX-License-Identifier: BSD-3-Clause
#include "draw_sums.hpp"

#include <claros/dataset.hpp>
#include <claros/element/parallel.hpp>
#include <claros/error.hpp>
#include <claros/expectation.hpp>
#include <claros/plugin.hpp>
#include <shared/losses/sample_rows.hpp>
#include <shared/losses/squared_distance.hpp>

#include <string>
#include <vector>

namespace {

using namespace claros;

struct Options {
  std::string data;
  double sigma = 1.0;
  Index draws = 0;
};

/// f(X) = E 0.5 ||X - M||_F^2 less the constant 0.5 sigma^2 m p, M = M_0 + sigma Q, Q of independent N(0, 1)
/// entries. So f(X) = 0.5 ||X - M_0||_F^2, and f_i(X) = 0.5 ||X||_F^2 - <M_i, X> + 0.5 ||M_0||_F^2, M_i draw
/// number i. With `draws` = n it is the sum of the first n alone, 0.5 ||X - (M_0 + (sigma/n) sum_i Q_i)||_F^2
/// (Garber, Kaplan 2019, section 5). E||grad f_i - grad f||_F^2 = sigma^2 m p. The rest is in
/// sdk::SquaredDistance.
class NoisyMatrix final : public sdk::SquaredDistance, public MeasuredExpectation {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        row("data", &Options::data, any(),
            "file of M_0, all of it numbers; empty: the rows of a data section", "M_0"),
        row("sigma", &Options::sigma, at_least(0),
            "standard deviation of an entry's noise; 0: M_0 itself, one term, exact", "sigma"),
        row("draws", &Options::draws, between(0, Index{1} << 40),
            "a sum of so many draws; 0: the expectation, in which every draw is seen once", "n")};
    return table;
  }

  NoisyMatrix(const Options& o, const Context& context)
      : NoisyMatrix(o, *rows_of(o, context),
                    o.draws ? RandomStream(context.seed, Purpose::draws) : context.stream(Purpose::draws),
                    context.threads) {}

  Shape shape() const override { return shape_; }
  Index terms() const override { return n_; }
  double value(const Element& x) override {
    Element d(x);
    d.add(-1.0, mean_);
    (void)d.dense_values();
    return 0.5 * inner(d, d);
  }

  void add_gradient(const Element& x, const Batch& batch, double a, Element& g) override {
    g.add(a, x);
    if (batch.is_all()) return g.add(-a, mean_);
    g.add(-a, origin_);
    if (sigma_ == 0.0) return;
    const Index size = batch.size(n_);
    const double factor = -a * sigma_ / static_cast<double>(size);
    const std::span<double> values = g.dense_values();
    const ThreadScope scope(threads_);
    if (batch.list().empty()) return noise_.add(batch[0], size, factor, values);
    for (const Index i : batch.list()) noise_.add(i, 1, factor, values);
  }
  /// E M is known: f itself.
  Index held_out() const override { return 0; }
  Objective& measured() override { return *this; }

  void* ability(std::string_view id) noexcept override {
    if (n_ == kUnbounded)
      if (void* mine = offer<MeasuredExpectation>(this, id)) return mine;
    return SquaredDistance::ability(id);
  }

 private:
  NoisyMatrix(const Options& o, const Design& rows, const RandomStream& stream, int threads)
      : shape_(Shape::matrix(rows.rows, rows.cols)),
        n_(o.draws         ? o.draws
           : o.sigma > 0.0 ? kUnbounded
                           : 1),
        sigma_(o.sigma),
        threads_(threads),
        noise_(stream, rows.rows * rows.cols) {
    std::vector<double> origin(static_cast<std::size_t>(shape_.size())),
        row(static_cast<std::size_t>(rows.cols));
    for (Index i = 0; i < rows.rows; ++i) {
      rows.row(i, row);
      for (std::size_t j = 0; j < row.size(); ++j)
        origin[j * static_cast<std::size_t>(rows.rows) + static_cast<std::size_t>(i)] = row[j];
    }
    mean_ = origin_ = Element::dense(shape_, std::move(origin));
    if (n_ == kUnbounded || sigma_ == 0.0) return;
    const ThreadScope scope(threads);
    noise_.add(0, n_, sigma_ / static_cast<double>(n_), mean_.dense_values());
  }

  static std::shared_ptr<const Design> rows_of(const Options& o, const Context& context) {
    if (!o.data.empty() && context.data)
      throw Error(ErrorKind::usage, "", "names '" + o.data + "', and the [data] section makes data too",
                  "keep one of them");
    if (!o.data.empty()) return sdk::read_sample_rows(context.resolve(o.data), context);
    if (auto design = context.data ? context.data->design() : nullptr) return design;
    throw Error(
        ErrorKind::usage, "",
        "noisy-matrix needs M_0" + std::string(context.data ? ", and the data of [data] has no rows" : ""),
        "give data = FILE, or a [data] section that makes rows, such as synthetic-sparse-low-rank");
  }

  Shape shape_;
  Index n_;
  double sigma_;
  int threads_;
  DrawSums noise_;
  Element origin_, mean_;  ///< M_0; E M, or the mean of the n draws
};

}  // namespace

CLAROS_PLUGIN(
    NoisyMatrix, Kind::objective, "noisy-matrix", "", "1.0.0",
    "Squared distance to a matrix that is observed through noisy draws, E ||X - M||_F^2 / 2",
    "f(X) = E 0.5 ||X - M||_F^2 without the constant of the noise, M = M_0 + sigma Q with Q of independent "
    "N(0, 1) entries: an expectation, or with draws = n the sum of n draws. The mean of k "
    "draws costs log k of them, has the bits that all have to rounding, and counts k. E||grad f_i - grad "
    "f||^2 = sigma^2 m p for an m x p matrix; L = mu = 1.",
    "Garber, Kaplan: Fast stochastic algorithms for low-rank and nonsmooth matrix problems, AISTATS 2019, "
    "sections 4.2 and 5",
    "Use it to test stochastic methods on an expectation whose value and gap are known exactly. "
    "An expectation has no full gradient: take sg or momentum, or a gradient estimator with "
    "estimator.snapshot; saga and sag refuse it. For a given matrix take distance, for samples "
    "of a covariance take covariance.",
    "data.use=synthetic-sparse-low-rank data.rows=100 objective.use=noisy-matrix "
    "set.use=nuclear-ball set.radius=600 estimator.use=sg stop.relative_gap=1e-2")

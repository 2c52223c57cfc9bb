// SPDX-License-Identifier: BSD-3-Clause
#include <claros/abilities.hpp>
#include <claros/dataset.hpp>
#include <claros/element/parallel.hpp>
#include <claros/plugin.hpp>
#include <claros/state/state.hpp>
#include <shared/losses/sample_rows.hpp>
#include <shared/losses/squared_distance.hpp>
#include <shared/maps/rank_one_map.hpp>

#include <algorithm>
#include <numeric>

namespace {

using namespace claros;

struct Options {
  std::string data;
  RankOneMap::Adjoints adjoints = RankOneMap::Adjoints::automatic;
  bool center = false;
  DesignOptions table;
};

/// f(X) = (1/2n) sum_i ||X - a_i a_i'||_F^2 = ||X||^2/2 - <S, X> + (1/2n) sum_i ||a_i||^4, S = (1/n) sum_i
/// a_i a_i', X in R^{p x p}. This is the squared distance from the second moments of samples, which low-rank
/// and sparse covariances are fitted by (GK, section 4: 0.5 ||X - E M||_F^2, M = a a'). Since grad f_i(X) = X
/// - a_i a_i', a difference of component gradients has no noise: estimators with a snapshot are exact. L = mu
/// = 1.
class Covariance final : public sdk::SquaredDistance, public TermCoefficients, public Referable {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        {row("data", &Options::data, any(),
             "file of samples, a row each, all of it numbers; empty: the rows of a data section", "A"),
         row("center", &Options::center,
             "whether the mean of the samples is taken off first: S is their covariance, with 1/n"),
         row("adjoints", &Options::adjoints,
             one_of<RankOneMap::Adjoints>({{RankOneMap::Adjoints::automatic, "auto"},
                                           {RankOneMap::Adjoints::dense, "dense"},
                                           {RankOneMap::Adjoints::products, "products"}}),
             "how S is kept: one array, or the products with the rows; auto: the array, unless X is large")},
        {include(&Options::table, matrix_rows())}};
    return table;
  }

  Covariance(const Options& o, const Context& context) {
    const ThreadScope scope(context.threads);
    auto samples = samples_of(o, context);
    if (o.center) samples = centered(*samples);
    const auto rows = std::make_shared<RankOneMap>(std::move(samples), nullptr, o.adjoints);
    map_ = rows;
    const std::vector<double> fourth = rows->squared_norms();
    const double n = static_cast<double>(map_->size());
    constant_ = 0.5 * std::accumulate(fourth.begin(), fourth.end(), 0.0) / n;
    moments_ = Element::adjoint(map_, Buffer(std::vector<double>(fourth.size(), 1.0 / n)));
    if (map_->fuses()) moments_.fold();
  }

  Shape shape() const override { return map_->domain(); }
  Index terms() const override { return map_->size(); }
  double value(const Element& x) override { return 0.5 * inner(x, x) - inner(moments_, x) + constant_; }

  void add_gradient(const Element& x, const Batch& batch, double a, Element& g) override {
    if (batch.is_all()) {
      g.add(a, x);
      g.add(-a, moments_);
      return;
    }
    g.add(a, x);
    rows_.resize(static_cast<std::size_t>(batch.size(terms())));
    for (std::size_t k = 0; k < rows_.size(); ++k) rows_[k] = batch[static_cast<Index>(k)];
    const std::vector<double> ones(rows_.size(), 1.0);
    g.add_adjoint(-a / static_cast<double>(rows_.size()), map_, rows_, ones);
  }

  const MapPtr& map() const noexcept override { return map_; }
  Index outputs() const noexcept override { return 1; }
  void coefficients(const Element&, const Batch&, std::span<double> out) override {
    std::fill(out.begin(), out.end(), -1.0);
  }
  bool has_common_gradient() const noexcept override { return true; }
  void add_common_gradient(const Element& x, double a, Element& g) override { g.add(a, x); }

  void refer(References& references) const override { references.add("map", map_); }
  void* ability(std::string_view id) noexcept override {
    if (void* mine = offer<TermCoefficients, Referable>(this, id)) return mine;
    return SquaredDistance::ability(id);
  }

 private:
  static std::shared_ptr<const Design> samples_of(const Options& o, const Context& context) {
    if (!o.data.empty() && context.data)
      throw Error(ErrorKind::usage, "", "names '" + o.data + "', and the [data] section makes data too",
                  "keep one of them");
    if (o.data.empty()) {
      auto design = context.data ? context.data->design() : nullptr;
      if (design) return design;
      throw Error(ErrorKind::usage, "",
                  "covariance needs samples" +
                      std::string(context.data ? ", which the data of [data] does not have" : ""),
                  "give data = FILE, or a [data] section that makes rows");
    }
    return sdk::read_sample_rows(context.resolve(o.data), context, &o.table);
  }

  static std::shared_ptr<const Design> centered(const Design& design) {
    const auto cols = static_cast<std::size_t>(design.cols);
    std::vector<double> values(static_cast<std::size_t>(design.rows) * cols), mean(cols, 0.0);
    const auto row = [&](Index i) {
      return std::span(values).subspan(static_cast<std::size_t>(i) * cols, cols);
    };
    for (Index i = 0; i < design.rows; ++i) {
      design.row(i, row(i));
      for (std::size_t j = 0; j < cols; ++j) mean[j] += row(i)[j] / static_cast<double>(design.rows);
    }
    for (Index i = 0; i < design.rows; ++i)
      for (std::size_t j = 0; j < cols; ++j) row(i)[j] -= mean[j];
    return sdk::dense_rows(design.rows, design.cols, std::move(values));
  }

  MapPtr map_;
  Element moments_;  ///< S, an array or not yet folded
  double constant_ = 0.0;
  std::vector<Index> rows_;
};

}  // namespace

CLAROS_PLUGIN(Covariance, Kind::objective, "covariance", "", "1.0.0",
              "Squared distance to the second moment matrix of samples, (1/2n) sum_i ||X - a_i a_i'||_F^2",
              "f(X) = (1/2n) sum_i ||X - a_i a_i'||_F^2, which is ||X - S||_F^2/2 and a constant, S = (1/n) "
              "sum_i a_i a_i'. No p x p matrix is made for a component; L = mu = 1. With a penalty l1 or "
              "huber-l1 and a spectral set: low-rank and sparse covariances.",
              "Garber, Kaplan: Fast stochastic algorithms for low-rank and nonsmooth matrix problems, "
              "AISTATS 2019, section 4",
              "Use it to estimate a covariance or second moment matrix that is sparse or of low "
              "rank, with a penalty or a set. No lower bound by duality is known, so a gap needs "
              "a set with a linear oracle. For a sparse inverse covariance take log-det. For the "
              "distance to one given matrix take distance.",
              "data.use=synthetic-regression data.rows=100 data.cols=40 data.nonzero=0 "
              "objective.use=covariance penalty.use=l1 penalty.lambda=0.1*max "
              "set.use=psd-trace set.radius=40 stop.gap=1e-4")

// SPDX-License-Identifier: BSD-3-Clause
#include "dual_ascent.hpp"
#include "dual_completion.hpp"
#include "image_gap.hpp"
#include "map_reading.hpp"
#include "scaled_penalty.hpp"

#include <claros/abilities.hpp>
#include <claros/error.hpp>
#include <claros/plugin.hpp>
#include <claros/random.hpp>
#include <claros/sdk/dense_access.hpp>
#include <claros/spectral/spectral.hpp>
#include <claros/state/state.hpp>
#include <shared/penalties/composed_penalty.hpp>

#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

namespace {

using namespace claros;
using composed::MapOptions;

struct Options {
  double lambda = 1.0;
  MapOptions map;
};

/// h(x) = lambda g(B x), g another penalty; below g has the factor. With a dual point u near that of a
/// solution, which a proximal step or a primal-dual method leaves, h*(s) = min {g*(w) : B'w = s} is bounded
/// by the w nearest to u.
class Composed final : public Component,
                       public ProximalOracle,
                       public Conjugate,
                       public DualPoint,
                       public sdk::ComposedPenalty,
                       public State {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        {row("lambda", &Options::lambda, above(0), "factor of g", "lambda")},
        {include(&Options::map, composed::map_rows())},
        {{"inner", Kind::penalty, "the convex penalty g of B x, finite everywhere", {}}}};
    return table;
  }

  Composed(const Options& options, const Context& context)
      : part_(context.part<Component>("inner")), options_(options.map, context) {
    g_ = query<ProximalOracle>(*part_);
    conjugate_ = query<Conjugate>(*part_);
    if (!g_ || !conjugate_ || g_->weak_convexity() != 0.0)
      throw Error(ErrorKind::usage, "inner",
                  "expected a convex penalty with a proximal step and a conjugate, found one without",
                  "take one such as l1, group, slope or elastic-net");
    if (options.lambda == 1.0) return;
    scaled_g_.emplace(options.lambda, *g_, *conjugate_);
    g_ = &*scaled_g_;
    conjugate_ = &*scaled_g_;
  }

  Certificate apply(const Element& v, double step, Element& x, const Accuracy& accuracy) override {
    if (!(step >= 0.0 && std::isfinite(step)))
      throw Error(ErrorKind::usage, "", "a proximal step of length " + print_real(step),
                  "expected a finite number, at least 0");
    fit(v.shape());
    const std::vector<double> from = v.to_dense();
    const std::span<double> to = sdk::overwrite_dense(v.shape(), x);
    std::ranges::copy(from, to.begin());
    if (step == 0.0 || !(squared_norm() > 0.0)) return {};
    if (!std::isfinite(1.0 / (step * squared_norm()))) return {.exact = false};
    last_ = {};
    return ascent_({*map_, image_, squared_norm(), *g_, *conjugate_}, from, step, to, u_, accuracy);
  }
  double value(const Element& x) override {
    fit(x.shape());
    std::vector<double> z(static_cast<std::size_t>(image_.size()));
    map_->apply(reader_(x), z);
    return g_->value(Element::dense(image_, std::move(z)));
  }

  double conjugate(const Element& s) override {
    const Element* w = dual_of(s);
    if (!w) return unknown_ ? std::numeric_limits<double>::quiet_NaN() : kInfinity;
    return conjugate_->conjugate(*w);
  }
  double into_domain(const Element& s) override {
    const Element* w = dual_of(s);
    if (!w) return unknown_ ? std::numeric_limits<double>::quiet_NaN() : 0.0;
    return conjugate_->into_domain(*w);
  }

  /// s = B'u, by which h(x) + h*(s) - <s, x> <= g(B x) + g*(u) - <B x, u>.
  double gap_at_dual_point(const Element& x, Element& s) override {
    fit(x.shape());
    Element u = Element::dense(image_, u_);
    u.scale(std::min(conjugate_->into_domain(u), 1.0));
    std::vector<double> Bx(u_.size()), Bu(static_cast<std::size_t>(x.shape().size()));
    map_->apply(reader_(x), Bx);
    map_->apply_adjoint(u.to_dense(), Bu);
    s = Element::dense(x.shape(), std::move(Bu));
    const double norm_of_map = std::sqrt(squared_norm());
    return composed::image_gap(*g_, *conjugate_, Element::dense(image_, std::move(Bx)), u, norm_of_map,
                               norm(x))
        .gap;
  }

  const LinearOperator& map(const Shape& shape) override { return fit(shape), *map_; }
  Shape image_shape() const override { return image_; }
  double squared_norm() override {
    if (norm_ < 0.0) norm_ = bound_of_norm();
    return norm_;
  }
  ProximalOracle& outer() override { return *g_; }
  void follow_dual(std::span<const double> u) override { u_.assign(u.begin(), u.end()), last_ = {}; }

  void state(StateVisitor& v) override {
    v("dual point", u_);
    v.require(std::ranges::all_of(u_, [](double value) { return std::isfinite(value); }), "dual point",
              "not finite");
    if (v.loading()) last_ = {};
  }
  void* ability(std::string_view id) noexcept override {
    return offer<ProximalOracle, Conjugate, DualPoint, sdk::ComposedPenalty, State>(this, id);
  }

 private:
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();

  /// A direction s, its entries, and w with B'w = s.
  struct Dual {
    std::vector<double> s;
    Element w;
  };

  void fit(const Shape& shape) {
    if (shape != shape_) {
      map_ = options_.for_shape(shape);
      image_ = Shape::matrix(map_->matrix().rows(), map_->count());
      require_rows(shape);
      norm_ = -1.0;
      last_ = {};
      completion_.forget();
      require_finite();
      shape_ = shape;
    }
    u_.resize(static_cast<std::size_t>(image_.size()), 0.0);
  }
  void require_rows(const Shape& shape) const {
    if (image_.rows > 0) return;
    throw Error(ErrorKind::usage, "map", "B has no rows for a variable of " + shape.text(),
                "take a variable of more entries, or differences of a lower order");
  }
  /// Points of a splitting are in the domain of g in the limit only.
  void require_finite() const {
    constexpr double kFar = 1e30;
    for (const double sign : {1.0, -1.0}) {
      const auto size = static_cast<std::size_t>(image_.size());
      if (std::isfinite(g_->value(Element::dense(image_, std::vector<double>(size, sign * kFar))))) continue;
      throw Error(ErrorKind::usage, "inner", "expected a penalty that is finite everywhere, found a domain",
                  "take one without a constraint, or give {x : B x >= b} as set.use = polytope");
    }
    std::vector<double> ones(static_cast<std::size_t>(image_.size()), 1.0);
    if (!(conjugate_->into_domain(Element::dense(image_, std::move(ones))) > 0.0))
      throw Error(ErrorKind::usage, "inner",
                  "expected a penalty that grows in all directions, found one that is 0 along a line",
                  "take one such as l1 or group with a factor above 0");
  }
  double bound_of_norm() const {
    constexpr Index kMatvecs = 600;
    const double trace = map_->matrix().squaredNorm();
    if (!(trace > 0.0)) return 0.0;
    RandomStream stream(0, Purpose::confirmation);
    const composed::ColumnMap one(map_->matrix(), 1);
    const double norm = spectral_norm_bound(one, {.tolerance = 1e-2, .max_matvecs = kMatvecs}, stream);
    return std::min(trace, norm * norm);
  }

  /// w with B'w = s, the same for multiples of s; null if s is not in the range of B', or not finite
  /// (unknown_).
  const Element* dual_of(const Element& s) {
    fit(s.shape());
    const std::vector<double> values = s.to_dense();
    unknown_ = !sdk::all_finite(values);
    if (unknown_) return nullptr;
    if (const double a = factor_of_last(values); a >= 0.0) {
      scaled_ = last_.w;
      scaled_.scale(a);
      return &scaled_;
    }
    const bool zero = std::ranges::all_of(values, [](double value) { return value == 0.0; });
    std::vector<double> w = zero ? std::vector<double>(u_.size(), 0.0) : u_;
    if (!zero && !completion_.complete(*map_, values, w)) return nullptr;
    last_ = {values, Element::dense(image_, std::move(w))};
    return &(scaled_ = last_.w);
  }
  /// a >= 0 with values = a s to rounding, s the last direction; negative if there is none.
  double factor_of_last(std::span<const double> values) const {
    constexpr double kUnits = 4.0 * std::numeric_limits<double>::epsilon();
    const std::vector<double>& s = last_.s;
    if (s.size() != values.size() || !(sdk::largest_magnitude(s) > 0.0)) return -1.0;
    const auto largest = std::ranges::max_element(s, {}, [](double value) { return std::abs(value); });
    const double a = values[static_cast<std::size_t>(largest - s.begin())] / *largest;
    for (std::size_t k = 0; k < s.size(); ++k)
      if (!(std::abs(values[k] - a * s[k]) <= kUnits * std::abs(values[k]))) return -1.0;
    return a;
  }

  std::shared_ptr<Component> part_;
  ProximalOracle* g_ = nullptr;
  Conjugate* conjugate_ = nullptr;
  std::optional<composed::ScaledPenalty> scaled_g_;
  composed::MapOfOptions options_;
  Shape shape_, image_;
  std::unique_ptr<composed::ColumnMap> map_;
  double norm_ = -1.0;
  std::vector<double> u_;  ///< the dual point, of the image
  composed::DualAscent ascent_;
  composed::DualCompletion completion_;
  Dual last_;
  Element scaled_;
  bool unknown_ = false;
  sdk::DenseReader reader_;
};

}  // namespace

CLAROS_PLUGIN(
    Composed, Kind::penalty, "composed", "generalized-lasso", "1.0.0",
    "Penalty of a linear image, lambda g(B x): total variation of a graph, trend filtering, analysis l1",
    "h(x) = lambda g(B x), g a convex penalty (inner.use = l1, group, ...) and B a linear map: "
    "differences of neighbours, of any order; of the ends of the edges of a graph; or a matrix. Of a "
    "variable that is a matrix B acts on each column. algorithm.use = primal-dual takes steps of g "
    "and products with B alone; the proximal step of h, for other algorithms, is found by accelerated "
    "gradients on its dual and certified by the duality gap. h* is bounded by one point w with B'w "
    "= s, the nearest to the last dual point: with a graph that is connected, runs have a duality "
    "gap; with other maps too where a set is given.",
    "Tibshirani, Taylor: The solution path of the generalized lasso, Annals of Statistics 39, 2011; Kim, "
    "Koh, Boyd, Gorinevsky: l1 trend filtering, SIAM Review 51, 2009",
    "Use it for trend filtering, for total variation over a graph, or for a penalty of B x, B a matrix. "
    "Take primal-dual, which needs full gradients: other algorithms iterate within every proximal step, "
    "slowly for order above 1. Where B x is 0 for more than polynomials in the position, a gap is known only "
    "near the solution. For neighbours in a vector or an image take tv.",
    "objective.use=distance objective.data='1.1 0.9 1.2 3.1 2.8 3.0' penalty.use=composed "
    "penalty.map=graph penalty.data='1 2; 2 3; 3 4; 4 5; 5 6; 1 3; 4 6' penalty.inner.use=l1 "
    "penalty.inner.lambda=0.1 algorithm.use=primal-dual stop.relative_gap=1e-6")

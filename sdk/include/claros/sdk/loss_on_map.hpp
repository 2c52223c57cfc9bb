// SPDX-License-Identifier: BSD-3-Clause
/// @file loss_on_map.hpp  Base class of objectives that are a loss of a linear image.
#pragma once

#include <claros/abilities.hpp>
#include <claros/element/parallel.hpp>
#include <claros/error.hpp>
#include <claros/objective.hpp>
#include <claros/random.hpp>
#include <claros/sdk/design_entries.hpp>
#include <claros/sdk/loss.hpp>
#include <claros/sdk/losses/balanced_dual.hpp>
#include <claros/sdk/losses/kept_hessian.hpp>
#include <claros/sdk/losses/last_gradient.hpp>
#include <claros/sdk/losses/last_values.hpp>
#include <claros/sdk/losses/loss_model.hpp>
#include <claros/sdk/losses/quadratic_form.hpp>
#include <claros/state/state.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

namespace claros::sdk {

/// f(x) = (1/n) sum_i w_i psi(A_i x, y_i) - x'Sx/2. A_i are the K = psi.outputs() rows of the map that belong
/// to component i. S is the covariance of errors in variables, or -mu I, which adds a squared norm (0 unless
/// given). It is part of every component:
///   grad f_i(x) = w_i A_i' psi'(A_i x, y_i) - S x,   hess f_i(x) d = w_i A_i' psi''(A_i x, y_i) A_i d - S d.
/// A' is applied to K numbers a component. The result is kept in that form and never expanded here, with one
/// exception. Over all components of a map that fuses (a dense design), the gradient and the Hessian products
/// arrive as one dense part.
class LossOnMap : public Objective,
                  public Curvature,
                  public TermCoefficients,
                  public Referable,
                  public Certified,
                  public Rounding,
                  public Restrictable,
                  public LossOfImage {
 public:
  Shape shape() const override { return model_.map->domain(); }
  Index terms() const override { return model_.terms(); }

  double value(const Element& x) override {
    const double mean = image_value(x.image(map()));
    if (!model_.covariance) return mean;
    const double taken = 0.5 * model_.covariance->value(x);
    return mean == taken && std::isinf(mean) ? mean : mean - taken;  // far out both overflow
  }

  void add_gradient(const Element& x, const Batch& batch, double a, Element& g) override {
    subtract_covariance(x, a * mean_weight(batch), g);
    if (batch.is_all()) return add_full_gradient(x, a, g);
    gather(batch);
    if (reads_once(x)) return add_in_one_reading(x, nullptr, a, g);
    derivative_at(x, c_);
    add_rows(a, g);
  }

  void add_gradient_difference(const Element& x, const Element& y, const Batch& batch, double a,
                               Element& g) override {
    if (batch.is_all()) return Objective::add_gradient_difference(x, y, batch, a, g);
    const double share = a * mean_weight(batch);
    subtract_covariance(x, share, g);
    subtract_covariance(y, -share, g);
    gather(batch);
    if (reads_once(x)) return add_in_one_reading(x, &y, a, g);
    derivative_at(x, c_);
    derivative_at(y, other_);
    for (std::size_t k = 0; k < c_.size(); ++k) c_[k] -= other_[k];
    add_rows(a, g);
  }

  void add_hessian_product(const Element& at, const Element& d, const Batch& batch, double a,
                           Element& g) override {
    hessian(at, batch)->add_product(d, a, g);
  }

  std::unique_ptr<Hessian> hessian(const Element& at, const Batch& batch) override {
    if (!batch.is_all()) {
      gather(batch);
      at.image_at(map(), rows_, z_);
      std::vector<double> second(z_.size());
      model_.loss->second_derivative(z_, y_, second);
      return std::make_unique<KeptHessian>(model_, rows_, std::move(second), w_, mean_weight(batch));
    }
    return std::make_unique<KeptHessian>(model_, std::vector<Index>(), model_.curvatures(at.image(map())),
                                         model_.weights);
  }

  const MapPtr& map() const noexcept override { return model_.map; }
  Index outputs() const noexcept override { return model_.loss->outputs(); }
  void coefficients(const Element& x, const Batch& batch, std::span<double> out) override {
    if (!batch.is_all()) {
      gather(batch.unweighted());
      derivative_at(x, c_);
      weigh(c_);
      std::copy(c_.begin(), c_.end(), out.begin());
      return;
    }
    model_.slopes(1.0, x.image(map()), out);
  }
  bool has_common_gradient() const noexcept override { return model_.covariance != nullptr; }
  void add_common_gradient(const Element& x, double a, Element& g) override { subtract_covariance(x, a, g); }

  /// Fenchel: min f + h >= -(1/n) sum_i w_i psi*(u_i, y_i) - h*(-A'(w u)/n) for every u. Here u = a psi'(A x,
  /// y) with the largest a in [0, 1] that h* allows. There psi* is finite, since its domain is closed under
  /// scaling towards 0. The conjugate of (mu/2) ||x||^2 is taken at a mu x.
  ///
  /// Free coordinates ask for A'(w u) = 0 in them. If only an intercept is free, u less its mean has that,
  /// and its image is known from the gradient. Elsewhere the u_i of the sign with the larger sum are scaled
  /// down. If h* allows a = 0 alone, two more cases are tried (balanced_dual.hpp). An h that does not see
  /// constants (total variation) asks for <A 1, w u> = 0. One that does not see straight lines (second
  /// differences) asks for <A (1, ..., p), w u> = 0 too.
  double lower_bound(const Element& x, Conjugate& h) override {
    const auto z = x.image(map());
    std::vector<double> u(z.size());
    const bool own = takes_own_dual(u);
    if (!own) model_.loss->derivative(z, model_.targets, u);
    const bool tail = model_.free_tail > 0;
    const double mean = !tail ? 0.0 : own ? std::numeric_limits<double>::quiet_NaN() : centre(u);
    const bool known = !own && map()->fuses() && !std::isnan(mean);
    if (tail && !known && !balance(u, {})) return -std::numeric_limits<double>::infinity();
    const double mu = model_.covariance ? model_.covariance->ridge() : 0.0;
    Element s = known ? negated(full_gradient(x), mean) : dual_direction(u);
    if (mu > 0.0) s.add(-mu, x);
    double a = h.into_domain(s);
    for (int degree = 0; a == 0.0 && mu == 0.0 && degree <= kMostUnseen; ++degree) {
      if (!balance_unseen(u, degree)) continue;
      s = dual_direction(u);
      a = h.into_domain(s);
    }
    if (a == 0.0) return -std::numeric_limits<double>::infinity();
    s.scale(a);
    for (double& value : u) value *= a;
    // Duals of several outputs are balanced up to the error of sums of weights of mean 1.
    const double unbalanced =
        model_.free_tail > 0 && outputs() > 1 && !model_.entrywise ? 1e-14 * (1.0 + tail_length(x)) : 0.0;
    return -(model_.conjugate(u) / count()) - (mu > 0.0 ? 0.5 * a * a * mu * inner(x, x) : 0.0) -
           h.conjugate(s) - unbalanced;
  }

  /// Rounding enters a tangent through A'c and A u alone, c = (w/n) psi'(z). For the computed z, phi(z) + <c,
  /// A u - z> is a lower bound, whatever A x is. The terms of both sums are at most |c_k| ||a_k|| ||u||, and
  /// those of psi and psi* also |c_k y_k|. The value at A x is further away if psi is curved.
  ///
  /// ||a_k|| ||u|| is far above the terms if columns are in units far apart. If no u is longer than x, and
  /// the error matters, sum_j |a_kj x_j| stands for it. That is the error at points whose terms are those of
  /// x.
  double rounding(const Element& x, double size) override {
    constexpr double kFine = 1e-10, kLonger = 1.0 + 1e-9;
    const auto z = x.image(map());
    if (squared_norms_.empty()) squared_norms_ = squared_norms();
    const double length = norm(x), roughly = rounding_of(x, z, squared_norms_, std::min(size, length), size);
    const DesignMap* design = map()->design_map();
    if (!design || size > kLonger * length || roughly <= kFine * std::abs(image_value(z))) return roughly;
    return std::min(roughly, rounding_of(x, z, squared_terms(*design, x.to_dense()), 1.0, 1.0));
  }

  double image_value(std::span<const double> z) override {
    if (const auto known = values_->recall(z)) return *known;
    const double mean = model_.sum(z) / count();
    if (map()->fuses()) values_->keep(z, mean);
    return mean;
  }
  void image_gradient(std::span<const Index> rows, std::span<const double> z,
                      std::span<double> out) override {
    if (outputs() > 1 && !rows.empty()) return output_gradient(rows, z, out);
    with_targets(rows, [&](std::span<const double> y) { model_.loss->derivative(z, y, out); });
    scale_image(rows, out);
  }
  void image_curvature(std::span<const double> z, std::span<double> out) override {
    model_.loss->second_derivative(z, model_.targets, out);
    scale_image({}, out);
  }
  bool curvature_bound(std::span<double> out) override {
    const auto bound = model_.loss->constants().smoothness;
    if (!bound) return false;
    std::fill(out.begin(), out.end(), *bound);
    scale_image({}, out);
    return true;
  }
  bool is_quadratic() const noexcept override {
    const LossConstants constants = model_.loss->constants();
    return constants.third && *constants.third == 0.0;
  }
  bool column_curvature(std::span<double> out) override { return sdk::column_curvature(*this, out); }

  /// Shares targets and loss, and has columns of its own.
  std::unique_ptr<Component> restrict_to(std::span<const Index> coordinates) override;

  void* ability(std::string_view id) noexcept override {
    if (id == Certified::kAbility && !is_certified()) return nullptr;
    const bool of_columns =
        model_.loss && !model_.covariance && (outputs() == 1 || (model_.entrywise && is_quadratic()));
    if ((id == Restrictable::kAbility || id == LossOfImage::kAbility) && !(of_columns && map()->fuses()))
      return nullptr;
    return offer<Curvature, TermCoefficients, Referable, Certified, Rounding, Restrictable, LossOfImage>(this,
                                                                                                         id);
  }
  void refer(References& references) const override { references.add("map", map()); }

 protected:
  LossOnMap() = default;
  /// Throws Error(data) without targets, or when sizes do not fit.
  void set_model(LossModel model) {
    model_ = std::move(model);
    model_.require_sizes();
    last_ = {};
    squared_norms_.clear();
    means_.clear();
    values_ = std::make_shared<LastValues>();
  }
  /// Those of an objective with the same targets, weights and loss: the same image has the same value.
  void share_values(std::shared_ptr<LastValues> values) { values_ = std::move(values); }
  void set_model(MapPtr map, std::vector<double> targets, std::shared_ptr<const Loss> loss) {
    set_model({.map = std::move(map), .targets = std::move(targets), .loss = std::move(loss)});
  }
  /// Hands the model over. The objective keeps no terms, and the map `rest`.
  LossModel take_model(MapPtr rest) {
    LossModel taken = std::exchange(model_, LossModel());
    set_elsewhere(std::move(rest), taken.loss);
    return taken;
  }
  /// Makes this an objective whose terms are elsewhere: it has none, and the map `rest`.
  void set_elsewhere(MapPtr rest, std::shared_ptr<const Loss> loss) {
    model_.map = std::move(rest);
    model_.loss = std::move(loss);
    last_ = {};
    full_ = {};
    squared_norms_.clear();
    means_.clear();
    values_ = std::make_shared<LastValues>();
  }
  /// u <- a dual point that the objective keeps, if it does.
  virtual bool takes_own_dual(std::span<double>) const { return false; }
  const Loss& loss() const noexcept { return *model_.loss; }
  const LossModel& model() const noexcept { return model_; }
  /// About the largest ||a_k||_F^2 of the outputs of a component, one number a component, for error bounds.
  /// The default takes the mean square of a few images of random signs.
  virtual std::vector<double> squared_norms() const {
    constexpr int kImages = 8;
    RandomStream stream(0, Purpose::confirmation);
    const auto K = static_cast<std::size_t>(outputs());
    std::vector<double> squares(static_cast<std::size_t>(terms()), 0.0),
        z(static_cast<std::size_t>(map()->size()));
    for (int image = 0; image < kImages; ++image) {
      std::vector<double> signs(static_cast<std::size_t>(shape().size()));
      for (double& sign : signs) sign = stream.uniform() < 0.5 ? -1.0 : 1.0;
      map()->apply(1.0, Element::dense(shape(), std::move(signs)), 0.0, z);
      for (std::size_t k = 0; k < z.size(); ++k) squares[k / K] += z[k] * z[k] / kImages;
    }
    return squares;
  }

 private:
  double count() const { return static_cast<double>(terms()); }

  static constexpr int kMostUnseen = 2;  ///< degree of what h may not see
  static constexpr double kUnit = 0.5 * std::numeric_limits<double>::epsilon();

  bool is_certified() const noexcept {
    return model_.loss && model_.loss->constants().convex && model_.loss->has_conjugate() &&
           (!model_.covariance || (model_.covariance->ridge() > 0.0 && model_.free_tail == 0));
  }
  static double mean_weight(const Batch& batch) {
    const auto weights = batch.weights();
    if (weights.empty()) return 1.0;
    return std::accumulate(weights.begin(), weights.end(), 0.0) / static_cast<double>(weights.size());
  }
  void subtract_covariance(const Element& x, double a, Element& g) const {
    if (model_.covariance) model_.covariance->add(-a, x, g);
  }

  /// The bound with terms |c_k| sqrt(squares_k) times `size`, and images that are off by `length` of it.
  double rounding_of(const Element& x, std::span<const double> z, const std::vector<double>& squares,
                     double length, double size) {
    const RoundingSums sums =
        model_.rounding(z, derived(z, 1.0).view(), squares, sum_rounding(shape().size()) * length, count());
    const double mean = image_value(z), of_errors = model_.covariance ? model_.covariance->value(x) : 0.0;
    const auto added =
        static_cast<double>(std::min(terms(), LossModel::kGrain) + terms() / LossModel::kGrain);
    return sum_rounding(std::max(map()->size(), shape().size())) *
               (2.0 * size * sums.products + sums.targets + std::abs(of_errors)) +
           kUnit * added * std::abs(mean) + sums.bend;
  }
  /// The largest (sum_j |a_kj x_j|)^2 of the outputs of a component.
  std::vector<double> squared_terms(const DesignMap& design, const std::vector<double>& x) const {
    const std::vector<double> t = absolute_image(design, x);
    std::vector<double> squares(static_cast<std::size_t>(terms()), 0.0);
    for (std::size_t k = 0; k < t.size(); ++k) {
      double& square = squares[k / static_cast<std::size_t>(outputs())];
      square = std::max(square, t[k] * t[k]);
    }
    return squares;
  }

  void add_full_gradient(const Element& x, double a, Element& g) {
    if (!map()->fuses()) return g.add_adjoint(1.0, map(), derived(x.image(map()), a));
    const std::span<const double> made = full_gradient(x);
    g.add(a, Element::dense(shape(), {made.begin(), made.end()}));
  }

  /// grad f(x) where the map fuses; lives until the next call. x has an image afterwards.
  std::span<const double> full_gradient(const Element& x) {
    if (last_.recall(x, map())) return last_.gradient();
    std::vector<double> values(static_cast<std::size_t>(shape().size()), 0.0);
    if (x.has_image(map())) {
      const auto z = x.image(map());
      map()->add_adjoint(derived(z, 1.0).view(), values);
      last_.keep(nullptr, z, values);
    } else {
      std::vector<double> z(static_cast<std::size_t>(map()->size()));
      map()->round_trip(x, model_.slopes(1.0 / count()), z, values);
      last_.keep(&x, z, values);
      x.keep_image(map(), Buffer(std::move(z)));
    }
    return last_.gradient();
  }

  /// (a/n) w psi'(z), in the array of an earlier call if no other object holds it.
  Buffer derived(std::span<const double> z, double a) {
    if (full_.size() != map()->size() || full_.shared()) full_ = Buffer::zeros(map()->size());
    model_.slopes(a / count(), z, full_.edit());
    return full_;
  }

  void gather(const Batch& batch) {
    const auto size = static_cast<std::size_t>(batch.size(terms())),
               K = static_cast<std::size_t>(model_.outputs());
    rows_.resize(size * K);
    y_.resize(size);
    w_.resize(model_.weights.empty() && batch.weights().empty() ? 0 : size);
    z_.resize(size * K);
    c_.resize(size * K);
    other_.resize(size * K);
    for (std::size_t k = 0; k < size; ++k) {
      const Index i = batch[static_cast<Index>(k)];
      y_[k] = model_.targets[static_cast<std::size_t>(i)];
      if (!w_.empty())
        w_[k] = batch.weight(static_cast<Index>(k)) * model_.weight(static_cast<std::size_t>(i));
      for (std::size_t l = 0; l < K; ++l) rows_[k * K + l] = i * model_.outputs() + static_cast<Index>(l);
    }
  }
  void derivative_at(const Element& x, std::vector<double>& out) {
    x.image_at(map(), rows_, z_);
    model_.loss->derivative(z_, y_, out);
  }
  /// True if the gathered rows are too many for a cache. Then A x and A'c are best made of a few of them at a
  /// time.
  bool reads_once(const Element& x) const {
    return map()->fuses_list(static_cast<Index>(rows_.size())) && !x.has_image(map());
  }
  /// g <- g + a * mean over the gathered components of w_i A_i' (psi'(A_i x) - psi'(A_i y)), of one output.
  void add_in_one_reading(const Element& x, const Element* y, double a, Element& g) const {
    const double share = a / static_cast<double>(y_.size());
    map()->list_trip(
        rows_, x,
        [&](Index first, std::span<const double> z, std::span<double> c) {
          const auto from = static_cast<std::size_t>(first);
          const auto targets = std::span(y_).subspan(from, c.size());
          model_.loss->derivative(z, targets, c);
          if (y) {
            std::vector<double> image(c.size()), other(c.size());
            y->image_at(map(), std::span(rows_).subspan(from, c.size()), image);
            model_.loss->derivative(image, targets, other);
            for (std::size_t k = 0; k < c.size(); ++k) c[k] -= other[k];
          }
          for (std::size_t k = 0; k < c.size(); ++k) c[k] *= share * (w_.empty() ? 1.0 : w_[from + k]);
        },
        g);
  }
  /// c_i <- w_i c_i, with the weights of rows and batch, for the gathered components.
  void weigh(std::vector<double>& c) const {
    const auto K = static_cast<std::size_t>(model_.outputs());
    for (std::size_t k = 0; k < w_.size(); ++k)
      for (std::size_t l = 0; l < K; ++l) c[k * K + l] *= w_[k];
  }
  /// g <- g + a * mean over the gathered components of w_i A_i' c_i.
  void add_rows(double a, Element& g) {
    weigh(c_);
    g.add_adjoint(a / static_cast<double>(y_.size()), map(), rows_, c_);
  }

  /// Makes sum_i w_i e_i u_i = 0 for every output, e_i = 1 if `e` is empty, by scaling towards 0. Returns
  /// false if this is not known to keep u in the domain of psi*.
  bool balance(std::vector<double>& u, std::span<const double> e) const {
    const auto K = static_cast<std::size_t>(outputs());
    if (K > 1 && !model_.entrywise)  // the u_i of classes have the sum 0
      return e.empty() && balance_terms(u, model_.weights, K, model_.loss->of_classes() ? K - 1 : K);
    for (std::size_t output = 0; output < static_cast<std::size_t>(outputs()); ++output)
      balance(u, e, output);
    return true;
  }
  void balance(std::vector<double>& u, std::span<const double> e, std::size_t output) const {
    const auto K = static_cast<std::size_t>(outputs());
    const auto share_of = [&](std::size_t k) {
      return model_.weight(k / K) * (e.empty() ? 1.0 : e[k]) * u[k];
    };
    double above = 0.0, below = 0.0;
    for (std::size_t k = output; k < u.size(); k += K)
      (share_of(k) > 0.0 ? above : below) += std::abs(share_of(k));
    const double larger = std::max(above, below),
                 share = larger > 0.0 ? std::min(above, below) / larger : 1.0;
    for (std::size_t k = output; k < u.size(); k += K)
      if (const double part = share_of(k); part != 0.0 && (part > 0.0) == (above > below)) u[k] *= share;
  }
  /// Makes u orthogonal to the images of the free coordinates and of (j/p)^d, j = 1, ..., p, d <= degree.
  bool balance_unseen(std::vector<double>& u, int degree) const {
    if (degree == 0 && model_.free_tail == 0) return balance(u, image_of_power(0));
    if (outputs() > 1) return false;
    std::vector<std::vector<double>> directions;
    if (model_.free_tail > 0) directions.emplace_back(u.size(), 1.0);
    for (int d = 0; d <= degree; ++d) directions.push_back(image_of_power(d));
    return sdk::balance(u, model_.weights, directions);
  }
  std::vector<double> image_of_power(int degree) const {
    std::vector<double> z(static_cast<std::size_t>(map()->size()));
    std::vector<double> x(static_cast<std::size_t>(shape().size()), 0.0);
    const std::size_t p = x.size() - static_cast<std::size_t>(model_.free_tail);
    for (std::size_t j = 0; j < p; ++j)
      x[j] = std::pow(static_cast<double>(j + 1) / static_cast<double>(p), degree);
    map()->apply(1.0, Element::dense(shape(), std::move(x)), 0.0, z);
    return z;
  }

  /// The norm of the free coordinates.
  double tail_length(const Element& x) const {
    const std::vector<double> all = x.to_dense();
    double square = 0.0;
    for (std::size_t j = all.size() - static_cast<std::size_t>(model_.free_tail); j < all.size(); ++j)
      square += all[j] * all[j];
    return std::sqrt(square);
  }

  /// Takes the mean off u = psi'(A x, y), and returns it. It is NaN, and u stays, if more than an intercept
  /// is free, the gradient is not kept, or psi* is infinite there.
  double centre(std::vector<double>& u) const {
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    if (model_.free_tail != 1 || outputs() > 1 || model_.covariance || !map()->fuses()) return kNone;
    double sum = 0.0, weights = 0.0;
    for (std::size_t k = 0; k < u.size(); ++k) {
      sum += model_.weight(k) * u[k];
      weights += model_.weight(k);
    }
    std::vector<double> centred(u);
    for (double& value : centred) value -= sum / weights;
    if (!std::isfinite(model_.conjugate(centred))) return kNone;
    u = std::move(centred);
    return sum / weights;
  }
  /// -grad f(x) is the direction of u = psi'(A x, y), and `mean` A'w/n more that of u less its mean.
  Element negated(std::span<const double> g, double mean) {
    std::vector<double> s(g.begin(), g.end() - static_cast<std::ptrdiff_t>(model_.free_tail));
    if (mean != 0.0 && means_.empty()) {
      means_.assign(g.size(), 0.0);
      std::vector<double> c(static_cast<std::size_t>(map()->size()), 1.0);
      model_.scale(1.0 / count(), 0, c);
      map()->add_adjoint(c, means_);
    }
    for (std::size_t j = 0; j < s.size(); ++j) s[j] = (mean != 0.0 ? mean * means_[j] : 0.0) - s[j];
    return Element::dense(model_.free_tail > 0 ? model_.constrained : shape(), std::move(s));
  }

  /// -A'(w u)/n in the coordinates that h sees.
  Element dual_direction(std::span<const double> u) const {
    std::vector<double> c(u.begin(), u.end());
    model_.scale(-1.0 / count(), 0, c);
    Element s = Element::adjoint(map(), Buffer(std::move(c)));
    s.fold();
    if (model_.free_tail == 0) return s;
    std::vector<double> values = s.to_dense();
    values.resize(values.size() - static_cast<std::size_t>(model_.free_tail));
    return Element::dense(model_.constrained, std::move(values));
  }

  /// The gradient of an entrywise loss in some outputs: the other outputs of their terms do not matter.
  void output_gradient(std::span<const Index> rows, std::span<const double> z, std::span<double> out) {
    const auto K = static_cast<std::size_t>(outputs());
    std::vector<double> images(K, 0.0), slopes(K);
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const Index i = rows[r] / outputs();
      const auto k = static_cast<std::size_t>(rows[r] % outputs());
      images[k] = z[r];
      model_.loss->derivative(images, model_.part(model_.targets, i, i + 1), slopes);
      model_.scale(1.0 / count(), i, slopes);
      out[r] = slopes[k];
    }
  }
  /// The targets of some outputs (K = 1), or of all.
  template <class Use>
  void with_targets(std::span<const Index> rows, Use use) {
    if (rows.empty()) return use(std::span<const double>(model_.targets));
    y_.resize(rows.size());
    for (std::size_t k = 0; k < rows.size(); ++k) y_[k] = model_.targets[static_cast<std::size_t>(rows[k])];
    use(std::span<const double>(y_));
  }
  /// c_i <- (w_i / n) c_i
  void scale_image(std::span<const Index> rows, std::span<double> c) const {
    const double share = 1.0 / count();
    if (rows.empty()) return model_.scale(share, 0, c);
    for (std::size_t k = 0; k < rows.size(); ++k)
      c[k] *= model_.weights.empty() ? share : share * model_.weights[static_cast<std::size_t>(rows[k])];
  }

  LossModel model_;
  LastGradient last_;
  std::shared_ptr<LastValues> values_ = std::make_shared<LastValues>();
  Buffer full_;
  std::vector<double> squared_norms_, means_;  ///< once they were asked for; the latter A'w/n
  std::vector<Index> rows_;
  std::vector<double> y_, w_, z_, c_, other_;
};

}  // namespace claros::sdk

#include <claros/sdk/losses/restricted_loss.hpp>

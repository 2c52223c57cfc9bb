// SPDX-License-Identifier: BSD-3-Clause
/// @file function_of_image.hpp  Base class of objectives phi(A x) whose phi couples the rows of A.
#pragma once

#include <claros/abilities.hpp>
#include <claros/error.hpp>
#include <claros/objective.hpp>
#include <claros/sdk/design_entries.hpp>
#include <claros/sdk/losses/last_gradient.hpp>
#include <claros/sdk/losses/last_values.hpp>
#include <claros/state/state.hpp>
#include <shared/losses/image_function.hpp>
#include <shared/losses/image_smoothness.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace claros::sdk {

/// f(x) = phi(A x), phi an ImageFunction, A a map that fuses (a dense or sparse design). It is one term:
/// every batch is the whole. A loss that is a sum over rows is better a LossOnMap, which has batches.
class FunctionOfImage : public Objective,
                        public Curvature,
                        public Referable,
                        public Certified,
                        public Rounding,
                        public Restrictable,
                        public LossOfImage {
 public:
  using Numbers = ImageFunction::Numbers;

  Shape shape() const override { return map_->domain(); }
  Index terms() const override { return 1; }
  double value(const Element& x) override { return image_value(x.image(map_)); }
  void add_gradient(const Element& x, const Batch&, double a, Element& g) override {
    const Numbers made = full_gradient(x);
    g.add(a, Element::dense(shape(), {made.begin(), made.end()}));
  }
  void add_hessian_product(const Element& at, const Element& d, const Batch& batch, double a,
                           Element& g) override {
    hessian(at, batch)->add_product(d, a, g);
  }
  std::unique_ptr<Hessian> hessian(const Element& at, const Batch&) override {
    return std::make_unique<Kept>(map_, phi_, phi_->hessian(at.image(map_)));
  }

  /// That of phi on the first call, kept.
  Constants constants() const override {
    if (!constants_) {
      constants_.emplace();
      constants_->convex = true;
      constants_->smoothness = constants_->term_smoothness = image_smoothness_bound(*phi_, map_);
      constants_->lower_smoothness = 0.0;
      constants_->lower_bound = phi_->lower_bound();
    }
    return *constants_;
  }

  /// Fenchel: min f + h >= -phi*(a u) - h*(-a A'u), u = grad phi(A x), with the largest a in [0, 1] that h*
  /// allows. A number above phi* replaces it, which leaves a lower bound.
  double lower_bound(const Element& x, Conjugate& h) override {
    const Numbers g = full_gradient(x);
    std::vector<double> negative(g.size());
    std::transform(g.begin(), g.end(), negative.begin(), [](double value) { return -value; });
    Element s = Element::dense(shape(), std::move(negative));
    const double a = h.into_domain(s);
    if (a == 0.0) return -std::numeric_limits<double>::infinity();
    s.scale(a);
    return -phi_->conjugate(x.image(map_), a) - h.conjugate(s);
  }

  /// phi(z) + <c, A u - z> lies below f(u) for the computed z, whatever A x is, up to the errors of phi(z),
  /// of c and of the products. The value phi(A x) is further from phi(z) if phi is curved.
  /// sdk::LossOnMap says when sum_j |a_ij x_j| stands for ||a_i|| ||x||.
  double rounding(const Element& x, double size) override {
    constexpr double kFine = 1e-10, kLonger = 1.0 + 1e-9;
    const Numbers z = x.image(map_);
    if (norms_.empty()) norms_ = lengths();
    const double length = norm(x), roughly = rounding_of(z, norms_, std::min(size, length), size);
    const DesignMap* design = map_->design_map();
    if (!design || size > kLonger * length || roughly <= kFine * std::abs(image_value(z))) return roughly;
    return std::min(roughly, rounding_of(z, absolute_image(*design, x.to_dense()), 1.0, 1.0));
  }

  const MapPtr& map() const noexcept override { return map_; }
  double image_value(Numbers z) override {
    if (const auto known = values_->recall(z)) return *known;
    const double made = phi_->value(z);
    values_->keep(z, made);
    return made;
  }
  /// Throws Error(usage) for some rows: those of phi depend on each other, and curvature_bound, which methods
  /// that move rows ask for, says no.
  void image_gradient(std::span<const Index> rows, Numbers z, std::span<double> out) override {
    if (!rows.empty())
      throw Error(ErrorKind::usage, "", "the derivatives of some rows depend on the others",
                  "ask for those of all rows, or take algorithm.use = prox-newton");
    phi_->gradient(z, out);
  }
  void image_curvature(Numbers z, std::span<double> out) override { phi_->curvature(z, out); }
  bool curvature_bound(std::span<double>) override { return false; }
  bool is_quadratic() const noexcept override { return false; }
  bool column_curvature(std::span<double> out) override { return sdk::column_curvature(*this, out); }

  /// Shares phi, and has columns of its own.
  std::unique_ptr<Component> restrict_to(std::span<const Index> coordinates) override;

  void* ability(std::string_view id) noexcept override {
    return offer<Curvature, Referable, Certified, Rounding, Restrictable, LossOfImage>(this, id);
  }
  void refer(References& references) const override { references.add("map", map_); }

 protected:
  FunctionOfImage() = default;
  void set_function(MapPtr map, std::shared_ptr<const ImageFunction> phi) {
    map_ = std::move(map);
    phi_ = std::move(phi);
    last_ = {};
  }
  const ImageFunction& phi() const noexcept { return *phi_; }

 private:
  /// The bound with terms |c_i| lengths_i times `size`, and images that are off by `length` of it.
  double rounding_of(Numbers z, Numbers lengths, double length, double size) {
    std::vector<double> c(z.size()), errors(z.size());
    phi_->gradient(z, c);
    phi_->gradient_errors(z, errors);
    const double unit = sum_rounding(std::max(map_->size(), shape().size()));
    double products = 0.0;
    for (std::size_t i = 0; i < z.size(); ++i)
      products += lengths[i] * (2.0 * unit * std::abs(c[i]) + errors[i]);
    const double apart =
        sum_rounding(shape().size()) * length * *std::max_element(lengths.begin(), lengths.end());
    return phi_->value_error(z) + size * products + 0.5 * phi_->largest_curvature() * apart * apart;
  }

  /// g <- g + a A'phi''A d.
  class Kept final : public Hessian {
   public:
    Kept(MapPtr map, std::shared_ptr<const ImageFunction> phi, ImageFunction::Product product)
        : map_(std::move(map)), phi_(std::move(phi)), product_(std::move(product)) {}
    void add_product(const Element& d, double a, Element& g) override {
      const Numbers u = d.image(map_);
      std::vector<double> c(u.size()), values(static_cast<std::size_t>(d.shape().size()), 0.0);
      product_(u, c);
      map_->add_adjoint(c, values);
      g.add(a, Element::dense(d.shape(), std::move(values)));
    }

   private:
    MapPtr map_;
    std::shared_ptr<const ImageFunction> phi_;
    ImageFunction::Product product_;
  };

  /// grad f(x); lives until the next call. x has an image afterwards.
  Numbers full_gradient(const Element& x) {
    if (last_.recall(x, map_)) return last_.gradient();
    const bool followed = x.has_image(map_);
    const Numbers z = x.image(map_);
    std::vector<double> c(z.size()), values(static_cast<std::size_t>(shape().size()), 0.0);
    phi_->gradient(z, c);
    map_->add_adjoint(c, values);
    last_.keep(followed ? nullptr : &x, z, values);
    return last_.gradient();
  }
  std::vector<double> lengths() const {
    std::vector<double> all = squared_row_norms(*map_, false);
    for (double& square : all) square = std::sqrt(square);
    return all;
  }

  MapPtr map_;
  std::shared_ptr<const ImageFunction> phi_;
  LastGradient last_;
  std::shared_ptr<LastValues> values_ = std::make_shared<LastValues>();
  mutable std::optional<Constants> constants_;
  std::vector<double> norms_;  ///< ||a_i||, once they were asked for

  friend class RestrictedFunction;
};

/// The function of some of the coordinates.
class RestrictedFunction final : public FunctionOfImage {
 public:
  RestrictedFunction(MapPtr map, const FunctionOfImage& whole) {
    set_function(std::move(map), whole.phi_);
    values_ = whole.values_;
  }
};

inline std::unique_ptr<Component> FunctionOfImage::restrict_to(std::span<const Index> coordinates) {
  return std::make_unique<RestrictedFunction>(map_->restricted(coordinates), *this);
}

}  // namespace claros::sdk

// SPDX-License-Identifier: BSD-3-Clause
#include <claros/abilities.hpp>
#include <claros/domain.hpp>
#include <claros/error.hpp>
#include <claros/objective.hpp>
#include <claros/plugin.hpp>
#include <claros/state/state.hpp>
#include <shared/estimators/same_storage.hpp>

#include <cmath>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace {

using namespace claros;

struct Options {
  Index parts = 2;
};

/// The conjugate of k(y) = inf {h(x_1, ..., x_k) : x_1 + ... + x_k = y}, k*(s) = h*(s, ..., s).
class OfSum final : public Conjugate {
 public:
  OfSum(Conjugate& h, Index parts) : h_(h), parts_(static_cast<std::size_t>(parts)) {}
  double conjugate(const Element& s) override { return h_.conjugate(repeated(s)); }
  double into_domain(const Element& s) override { return h_.into_domain(repeated(s)); }

 private:
  Element repeated(const Element& s) const { return Element::product(std::vector<Element>(parts_, s)); }

  Conjugate& h_;
  std::size_t parts_;
};

/// f(x_1, ..., x_k) = g(x_1 + ... + x_k), g held by another objective, x_i in the space of its variable. With
/// y = x_1 + ... + x_k
///     grad_i f(x) = grad g(y) for every i,   hess f(x) d = (H e, ..., H e), H = hess g(y), e = sum_i d_i,
/// and ||y||^2 <= k ||x||^2. So L and the lower smoothness are k times those of g, and L_2 is k^(3/2) times
/// that of g. For k > 1 f is not strongly convex. Fenchel: min f + h >= -g*(u) - h*(-u, ..., -u) for every u,
/// so the bound is that of g with the conjugate s -> h*(s, ..., s).
///
/// If g is a loss of A y, each block keeps its image A x_i, which follows the block along its steps. The
/// image of y is their sum.
class Superposition final : public Objective,
                            public Curvature,
                            public Certified,
                            public Rounding,
                            public Domain,
                            public Referable,
                            public HeldOut,
                            public Rescaled {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        {row("parts", &Options::parts, between(1, 100),
             "the number of blocks x_1, ..., x_k, each of the shape of the variable of g", "k")},
        {},
        {Role{.name = "inner",
              .kind = Kind::objective,
              .meaning = "g, a function of the sum of the blocks",
              .fallback = "matrix-completion"}}};
    return table;
  }

  Superposition(const Options& options, const Context& context)
      : inner_(context.part<Objective>("inner")), parts_(options.parts) {
    if (query<FreeTail>(*inner_))
      throw Error(ErrorKind::usage, "inner",
                  "has coordinates that no penalty sees (an intercept), and each block would have its own",
                  "set objective.inner.intercept = no, and centre the data");
    shape_ = Shape::product(std::vector<Shape>(static_cast<std::size_t>(parts_), inner_->shape()));
  }

  Shape shape() const override { return shape_; }
  Index terms() const override { return inner_->terms(); }
  double value(const Element& x) override { return inner_->value(sum_of(x)); }

  void add_gradient(const Element& x, const Batch& batch, double a, Element& g) override {
    Element of_sum(inner_->shape());
    inner_->add_gradient(batch.is_all() ? sum_of(x) : sum(x), batch, a, of_sum);
    add_to_blocks(of_sum, g);
  }
  void add_gradient_difference(const Element& x, const Element& y, const Batch& batch, double a,
                               Element& g) override {
    if (batch.is_all()) return Objective::add_gradient_difference(x, y, batch, a, g);
    Element of_sum(inner_->shape());
    inner_->add_gradient_difference(sum(x), sum(y), batch, a, of_sum);
    add_to_blocks(of_sum, g);
  }

  Constants constants() const override {
    const auto k = static_cast<double>(parts_);
    const auto times = [](std::optional<double> number, double factor) {
      return number ? std::optional(factor * *number) : std::nullopt;
    };
    Constants c = inner_->constants();
    c.smoothness = times(c.smoothness, k);
    c.term_smoothness = times(c.term_smoothness, k);
    c.lower_smoothness = times(c.lower_smoothness, k);
    c.hessian_smoothness = times(c.hessian_smoothness, k * std::sqrt(k));
    c.term_hessian_smoothness = times(c.term_hessian_smoothness, k * std::sqrt(k));
    if (parts_ > 1) c.strong_convexity.reset();
    return c;
  }

  void add_hessian_product(const Element& at, const Element& d, const Batch& batch, double a,
                           Element& g) override {
    hessian(at, batch)->add_product(d, a, g);
  }
  std::unique_ptr<Hessian> hessian(const Element& at, const Batch& batch) override {
    return std::make_unique<OnSum>(*this, query<Curvature>(*inner_)->hessian(sum_of(at), batch));
  }

  double lower_bound(const Element& x, Conjugate& h) override {
    OfSum of_sum(h, parts_);
    return query<Certified>(*inner_)->lower_bound(sum_of(x), of_sum);
  }
  /// ||y|| <= sqrt(k) ||x||. The k - 1 sums of an entry of y round it by as many units, to the 8 and more
  /// that sum_rounding counts.
  double rounding(const Element& x, double size) override {
    const auto k = static_cast<double>(parts_);
    return (1.0 + 0.125 * k) * query<Rounding>(*inner_)->rounding(sum_of(x), std::sqrt(k) * size);
  }
  void refer(References& references) const override { query<Referable>(*inner_)->refer(references); }
  /// That of g in the first block, the others 0.
  Element inner_point(const Shape& shape) override {
    Element x(shape);
    require_shape(x);
    x.edit_block(0) = query<Domain>(*inner_)->inner_point(inner_->shape());
    return x;
  }
  double test_rmse(const Element& x) override { return query<HeldOut>(*inner_)->test_rmse(sum_of(x)); }
  Element original(const Element& x) const override {
    return by_blocks(x, [](Rescaled& inner, const Element& block) { return inner.original(block); });
  }
  Element scaled(const Element& x) const override {
    return by_blocks(x, [](Rescaled& inner, const Element& block) { return inner.scaled(block); });
  }

  void* ability(std::string_view id) noexcept override {
    void* own = offer<Curvature, Certified, Rounding, Domain, Referable, HeldOut, Rescaled>(this, id);
    return own && inner_ && inner_->ability(id) ? own : nullptr;
  }

 private:
  class OnSum final : public Hessian {
   public:
    OnSum(const Superposition& f, std::unique_ptr<Hessian> inner) : f_(f), inner_(std::move(inner)) {}
    void add_product(const Element& d, double a, Element& g) override {
      Element of_sum(f_.inner_->shape());
      inner_->add_product(f_.sum(d), a, of_sum);
      f_.add_to_blocks(of_sum, g);
    }
    bool recomputes() const override { return inner_->recomputes(); }

   private:
    const Superposition& f_;
    std::unique_ptr<Hessian> inner_;
  };

  void require_shape(const Element& x) const {
    if (x.shape() != shape_)
      throw Error(ErrorKind::usage, "",
                  "a point of " + x.shape().text() + " for a variable of " + shape_.text(),
                  "give one of its shape");
  }
  /// x_1 + ... + x_k, with the image of x if each block has one.
  Element sum(const Element& x) const {
    require_shape(x);
    if (!x.parts().empty()) {
      Element folded(x);
      folded.fold();
      return sum(folded);
    }
    Element y = x.block(0);
    for (Index k = 1; k < parts_; ++k) y.add(1.0, x.block(k));
    return y;
  }
  /// The sum at x, kept for the calls that follow at this point.
  const Element& sum_of(const Element& x) {
    if (!sdk::same_storage(last_.point, x)) {
      if (const MapPtr map = map_of_inner(); map && !map->fuses())
        for (Index k = 0; k < x.block_count(); ++k) (void)x.block(k).image(map);
      last_.sum = sum(x);
      last_.point = x;
    }
    return last_.sum;
  }
  MapPtr map_of_inner() const {
    auto* rows = query<TermCoefficients>(*inner_);
    return rows ? rows->map() : nullptr;
  }
  void add_to_blocks(const Element& of_sum, Element& g) const {
    require_shape(g);
    for (Index k = 0; k < parts_; ++k) g.edit_block(k).add(1.0, of_sum);
  }
  template <class F>
  Element by_blocks(const Element& x, F f) const {
    std::vector<Element> blocks;
    for (Index k = 0; k < parts_; ++k) blocks.push_back(f(*query<Rescaled>(*inner_), x.block(k)));
    return Element::product(std::move(blocks));
  }

  std::shared_ptr<Objective> inner_;
  Index parts_;
  Shape shape_;
  struct {
    Element point, sum;
  } last_;
};

}  // namespace

CLAROS_PLUGIN(
    Superposition, Kind::objective, "superposition", "", "1.0.0",
    "Function of a sum of blocks, f(x_1, ..., x_k) = g(x_1 + ... + x_k)",
    "f(x_1, ..., x_k) = g(x_1 + ... + x_k), g held by another objective: a variable is taken apart into k "
    "blocks, each with a penalty or set of its own (separable-sum, product). Two blocks L and S with the "
    "nuclear norm and the l1 norm are robust principal component analysis; missing entries are those of "
    "g. L = k times that of g. Where g has a duality gap, so has f.",
    "Zhou, Li, Wright, Candes, Ma: Stable principal component pursuit, ISIT 2010; Agarwal, Negahban, "
    "Wainwright: Noisy matrix decomposition via convex relaxation, Annals of Statistics 40, 2012",
    "Use it to split a matrix into blocks with a penalty each, such as low rank plus sparse. L "
    "grows with the number of blocks, and lbfgs, primal-dual and factored take one block only. "
    "Where only the low-rank block of nuclear plus l1 is wanted, matrix-completion with the loss "
    "huber has the same minimum in fewer steps.",
    "data.use=synthetic data.rows=60 data.cols=50 data.rank=2 data.observed=0.7 objective.use=superposition "
    "penalty.use=separable-sum penalty.lambda=0.05*max penalty.blocks.1.use=nuclear "
    "penalty.blocks.1.lambda=1 penalty.blocks.2.use=l1 penalty.blocks.2.lambda=0.13 stop.relative_gap=1e-4")

// SPDX-License-Identifier: BSD-3-Clause
#include <claros/abilities.hpp>
#include <claros/plugin.hpp>
#include <claros/proximal_oracle.hpp>
#include <claros/sdk/chosen_rows.hpp>
#include <claros/sdk/stateless.hpp>
#include <shared/sets/product_cut.hpp>

#include <algorithm>
#include <cmath>

namespace {

using namespace claros;

struct Options {
  ScaledNumber lambda;
  std::string sizes;
};

/// h(x_1, ..., x_k) = lambda (h_1(x_1) + ... + h_k(x_k)), a penalty for each block of the variable. Its
/// proximal step is that of h_i of length step lambda on block i,
///     h*(s) = lambda sum_i h_i*(s_i / lambda),
/// and its weak convexity is lambda times the largest of theirs.
class SeparableSum final : public Component,
                           public ProximalOracle,
                           public Conjugate,
                           public LambdaMax,
                           public sdk::Stateless {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        {sdk::lambda_row(&Options::lambda, above(0), "factor of the sum; max where all penalties are norms"),
         sdk::block_sizes_row(&Options::sizes, "penalty")},
        {},
        {{"blocks", Kind::penalty, "the penalties, in the order of the blocks", {}, true, true}}};
    return table;
  }

  SeparableSum(const Options& o, const Context& context)
      : parts_(context.parts<Component>("blocks")),
        cut_(o.sizes, parts_.size(), "penalties"),
        lambda_(o.lambda.number()) {
    for (const auto& part : parts_) {
      auto* h = query<ProximalOracle>(*part);
      if (!h)
        throw Error(ErrorKind::usage, "blocks",
                    "one has no proximal step, of which that of the whole is made",
                    "take penalties that have one");
      blocks_.push_back(h);
    }
  }

  Certificate apply(const Element& v, double step, Element& x, const Accuracy& accuracy) override {
    return cut_.step(v, x, [&](std::size_t k, const Element& from, Element& to) {
      return blocks_[k]->apply(from, step * lambda_, to, accuracy);
    });
  }
  double value(const Element& x) override {
    return lambda_ *
           cut_.sum(x, [this](std::size_t k, const Element& piece) { return blocks_[k]->value(piece); });
  }
  double weak_convexity() const override {
    double most = 0.0;
    for (const ProximalOracle* h : blocks_) most = std::max(most, h->weak_convexity());
    return lambda_ * most;
  }
  bool is_expensive() const override {
    return std::ranges::any_of(blocks_, [](const ProximalOracle* h) { return h->is_expensive(); });
  }

  double conjugate(const Element& s) override {
    return lambda_ * cut_.sum(over_lambda(s), [this](std::size_t k, const Element& piece) {
      return query<Conjugate>(*parts_[k])->conjugate(piece);
    });
  }
  double into_domain(const Element& s) override {
    return -cut_.largest(over_lambda(s), -1.0, [this](std::size_t k, const Element& piece) {
      return -query<Conjugate>(*parts_[k])->into_domain(piece);
    });
  }

  bool certifies_alone() const override {
    return std::ranges::all_of(parts_, [](const auto& part) {
      const auto* h = query<Conjugate>(*part);
      return !h || h->certifies_alone();
    });
  }

  /// The largest of the dual norms of the blocks of g, each found as 1 / max {a : h_i* is finite at a g_i}.
  double lambda_max(const Element& gradient) override {
    return cut_.largest(gradient, 0.0, [this](std::size_t k, const Element& piece) {
      return dual_norm(*query<Conjugate>(*parts_[k]), piece);
    });
  }

  void* ability(std::string_view id) noexcept override {
    void* own = offer<ProximalOracle, Conjugate, LambdaMax, State>(this, id);
    if (id != Conjugate::kAbility && id != LambdaMax::kAbility) return own;
    const bool all =
        std::ranges::all_of(parts_, [](const auto& part) { return query<Conjugate>(*part) != nullptr; });
    return all || id == LambdaMax::kAbility ? own : nullptr;
  }

 private:
  Element over_lambda(Element s) const {
    s.scale(1.0 / lambda_);
    return s;
  }
  /// The dual norm of g for a norm h: h* is the indicator of the unit ball of its dual norm. Penalties whose
  /// h* is finite everywhere (with slope 0 at 0, or infinite outside a ball) have no such number, unless g =
  /// 0.
  static double dual_norm(Conjugate& h, const Element& g) {
    constexpr double kStep = 1e50;  // six of them lead from any number to any other
    Element scaled(g);
    double far = 1.0;
    for (int k = 0; k <= 6; ++k, far *= kStep, scaled.scale(kStep)) {
      const double most = h.into_domain(scaled);
      if (std::isnan(most)) return most;
      if (most == 0.0) break;
      if (most < 1.0) return 1.0 / most / far;
      if (k == 6 && norm(scaled) == 0.0) return 0.0;
    }
    throw Error(ErrorKind::usage, "lambda",
                "'max' is undefined: for a penalty of a block no lambda makes 0 the solution",
                "give lambda as a number");
  }

  std::vector<std::shared_ptr<Component>> parts_;
  std::vector<ProximalOracle*> blocks_;
  sdk::ProductCut cut_;
  double lambda_;
};

}  // namespace

CLAROS_PLUGIN(
    SeparableSum, Kind::penalty, "separable-sum", "product", "1.0.0",
    "Separable sum of penalties, lambda (h_1(x_1) + ... + h_k(x_k))",
    "h(x_1, ..., x_k) = lambda (h_1(x_1) + ... + h_k(x_k)) over the blocks of a product, or over consecutive "
    "entries of a vector or matrix. The proximal step is that of each penalty on its block. h has a "
    "conjugate, and so duality gaps, where all penalties have one. With nuclear and l1 over the two blocks "
    "of superposition: principal component pursuit, lambda (||L||_* + gamma ||S||_1).",
    "Candes, Li, Ma, Wright: Robust principal component analysis?, Journal of the ACM 58, 2011 (nuclear "
    "and l1); Parikh, Boyd: Proximal algorithms, 2014, section 2.1 (separable sums)",
    "Use it where blocks of the variable need different penalties, as in low rank plus sparse with "
    "superposition. The algorithms working-set, coordinate-descent and prox-newton refuse it. Where only "
    "the factor differs between entries, take the weights of one penalty, such as l1. For several penalties "
    "of the same entries take sum.",
    "data.use=synthetic data.rows=50 data.cols=50 data.observed=0.5 objective.use=superposition "
    "penalty.use=separable-sum penalty.lambda=0.2*max penalty.blocks.1.use=nuclear "
    "penalty.blocks.1.lambda=1 penalty.blocks.2.use=l1 penalty.blocks.2.lambda=0.2 stop.relative_gap=1e-4")

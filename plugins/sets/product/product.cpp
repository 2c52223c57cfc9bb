// SPDX-License-Identifier: BSD-3-Clause
#include <claros/abilities.hpp>
#include <claros/linear_oracle.hpp>
#include <claros/plugin.hpp>
#include <claros/proximal_oracle.hpp>
#include <claros/sdk/stateless.hpp>
#include <shared/sets/product_cut.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace {

using namespace claros;

struct Options {
  std::string sizes;
};

/// C = C_1 x ... x C_k. The minimiser of a linear function is the product of theirs, and the nearest point
/// the product of the nearest ones. D^2 = sum D_i^2, and the support function is the sum of theirs. C offers
/// the abilities that all of its sets offer; their state is saved with them.
class Product final : public Component,
                      public LinearOracle,
                      public BlockOracle,
                      public Faces,
                      public ProximalOracle,
                      public Membership,
                      public Start,
                      public Conjugate,
                      public sdk::Stateless {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        {sdk::block_sizes_row(&Options::sizes, "set")},
        {},
        {{"blocks", Kind::set, "the sets of the product, in the order of the entries", {}, true, true}}};
    return table;
  }

  Product(const Options& o, const Context& context)
      : sets_(context.parts<Component>("blocks")), cut_(o.sizes, sets_.size(), "sets") {}

  OracleInfo minimize(const Element& direction, const OracleRequest& request, Element& vertex) override {
    std::vector<Element> pieces = cut_(direction);
    OracleInfo info;
    info.confirmed = true;
    for (std::size_t k = 0; k < sets_.size(); ++k) {
      Element corner;
      const OracleInfo part = query<LinearOracle>(*sets_[k])->minimize(pieces[k], request, corner);
      pieces[k] = std::move(corner);
      info.value += part.value;
      info.lower_bound += part.lower_bound;
      info.products += part.products;
      info.singular_pairs += part.singular_pairs;
      info.confirmed = info.confirmed && part.confirmed;
    }
    vertex = cut_.whole(std::move(pieces));
    return info;
  }
  double diameter(const Shape& shape) override {
    cut_.fit(shape);
    double square = 0.0;
    for (std::size_t k = 0; k < sets_.size(); ++k)
      square += std::pow(query<LinearOracle>(*sets_[k])->diameter(cut_.shape(k)), 2);
    return std::sqrt(square);
  }

  std::vector<Shape> block_shapes(const Shape& shape) override {
    cut_.fit(shape);
    return cut_.shapes();
  }
  OracleInfo minimize_block(Index k, const Element& direction, const OracleRequest& request,
                            Element& vertex) override {
    return query<LinearOracle>(*sets_.at(static_cast<std::size_t>(k)))->minimize(direction, request, vertex);
  }

  /// F(x) = F_1(x_1) x ... x F_k(x_k); where a factor's face is x_k alone, it bounds no step.
  FaceInfo away(const Element& g, const Element& x, const OracleRequest& request, Element& vertex) override {
    const std::vector<Element> slopes = cut_(g);
    std::vector<Element> pieces = cut_(x);
    FaceInfo info{.longest = kInfinity, .whole = true};
    for (std::size_t k = 0; k < sets_.size(); ++k) {
      Element corner;
      const FaceInfo part = query<Faces>(*sets_[k])->away(slopes[k], pieces[k], request, corner);
      info.value += part.value;
      info.whole = info.whole && part.whole;
      info.products += part.products;
      info.singular_pairs += part.singular_pairs;
      if (part.longest > 0.0) info.longest = std::min(info.longest, part.longest);
      pieces[k] = std::move(corner);
    }
    if (info.longest == kInfinity) info.longest = 0.0;
    vertex = cut_.whole(std::move(pieces));
    return info;
  }

  Certificate apply(const Element& v, double step, Element& x, const Accuracy& accuracy) override {
    return cut_.step(v, x, [&](std::size_t k, const Element& from, Element& to) {
      return query<ProximalOracle>(*sets_[k])->apply(from, step, to, accuracy);
    });
  }
  double value(const Element& x) override {
    return cut_.sum(x, [this](std::size_t k, const Element& piece) {
      return query<ProximalOracle>(*sets_[k])->value(piece);
    });
  }
  bool is_expensive() const override {
    return std::any_of(sets_.begin(), sets_.end(),
                       [](const auto& set) { return query<ProximalOracle>(*set)->is_expensive(); });
  }

  /// The largest violation of the sets; NaN if one is.
  double violation(const Element& x) override {
    return cut_.largest(x, 0.0, [this](std::size_t k, const Element& piece) {
      return query<Membership>(*sets_[k])->violation(piece);
    });
  }
  double slack() const override {
    double most = 0.0;
    for (const auto& part : sets_) most = std::max(most, query<Membership>(*part)->slack());
    return most;
  }
  Element start_point(const Shape& shape) override {
    cut_.fit(shape);
    std::vector<Element> pieces;
    for (std::size_t k = 0; k < sets_.size(); ++k)
      pieces.push_back(query<Start>(*sets_[k])->start_point(cut_.shape(k)));
    return cut_.whole(std::move(pieces));
  }
  double conjugate(const Element& s) override {
    return cut_.sum(s, [this](std::size_t k, const Element& piece) {
      return query<Conjugate>(*sets_[k])->conjugate(piece);
    });
  }
  double into_domain(const Element& s) override {
    return -cut_.largest(s, -1.0, [this](std::size_t k, const Element& piece) {
      return -query<Conjugate>(*sets_[k])->into_domain(piece);
    });
  }

  void* ability(std::string_view id) noexcept override {
    void* own = offer<LinearOracle, BlockOracle, Faces, ProximalOracle, Membership, Start, Conjugate, State>(
        this, id);
    if (!own || id == State::kAbility) return own;
    const std::string_view each = id == BlockOracle::kAbility ? LinearOracle::kAbility : id;
    const auto offers = [each](const auto& set) { return set->ability(each) != nullptr; };
    return std::all_of(sets_.begin(), sets_.end(), offers) ? own : nullptr;
  }

 private:
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();

  std::vector<std::shared_ptr<Component>> sets_;
  sdk::ProductCut cut_;
};

}  // namespace

CLAROS_PLUGIN(
    Product, Kind::set, "product", "", "1.0.0", "Product of sets, C_1 x ... x C_k",
    "C = C_1 x ... x C_k over parts of the variable: consecutive entries of a vector or matrix, or the "
    "blocks of a product. The linear oracle and the projection are those of each set on its part; "
    "they are offered where all sets offer them. Diameter sqrt(D_1^2 + ... + D_k^2).",
    "Lacoste-Julien, Jaggi, Schmidt, Pletscher: Block-coordinate Frank-Wolfe optimization for structural "
    "SVMs, ICML 2013 (products of sets)",
    "Use it where parts of the variable, or the blocks of superposition, have sets of their own. A part is a "
    "range of consecutive entries, column-major. block-coordinate-frank-wolfe makes a step over one set at "
    "a time; factored does not take a product. For several sets of the same entries use intersection; for a "
    "penalty for each block use the penalty separable-sum.",
    "data.use=synthetic-regression data.rows=100 data.cols=12 data.nonzero=3 "
    "objective.use=linear-model set.use=product set.blocks.1.use=simplex set.blocks.1.radius=1 "
    "set.blocks.2.use=l1-ball set.blocks.2.radius=1 stop.relative_gap=1e-6")

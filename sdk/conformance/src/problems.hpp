// SPDX-License-Identifier: BSD-3-Clause
/// @file problems.hpp  The kit's own small components, with which estimators and algorithms are tried.
#pragma once

#include <claros/algorithm.hpp>
#include <claros/dataset.hpp>
#include <claros/io/ratings.hpp>
#include <claros/map/measurements.hpp>
#include <claros/sdk/epoch_estimator.hpp>
#include <claros/sdk/loss_on_map.hpp>
#include <claros/sdk/sets/split_set.hpp>
#include <claros/sdk/stateless.hpp>

#include <memory>
#include <vector>

#include "bench.hpp"

namespace claros::doctor {

/// f(x) = (1/n) sum_i psi(A_i x, y_i) with everything known about its components.
class FiniteSum final : public sdk::LossOnMap, public TermConstants {
 public:
  /// `smoothness` is L_i, one a component; `strong` the strong convexity of f, 0 when unknown.
  FiniteSum(MapPtr map, std::vector<double> targets, std::shared_ptr<const Loss> loss, Numbers smoothness,
            double smooth, double strong);
  Constants constants() const override { return constants_; }
  std::span<const double> term_smoothness() const override { return smoothness_; }
  void* ability(std::string_view id) noexcept override;

  void add_gradient(const Element& x, const Batch& batch, double a, Element& g) override;
  void add_gradient_difference(const Element& x, const Element& y, const Batch& batch, double a,
                               Element& g) override;
  void coefficients(const Element& x, const Batch& batch, std::span<double> out) override;
  void add_hessian_product(const Element& at, const Element& d, const Batch& batch, double a,
                           Element& g) override;
  /// How often each component was in a batch of fewer than all, and whether one of these had weights.
  const std::vector<Index>& asked() const noexcept { return asked_; }
  bool weighted() const noexcept { return weighted_; }

 private:
  void note(const Batch& batch);

  Constants constants_;
  Numbers smoothness_;
  std::vector<Index> asked_;
  bool weighted_ = false;
};

/// A sum over the rows of a dense design, not convex: robust loss, 40 components in R^6.
std::unique_ptr<FiniteSum> rows_problem(std::uint64_t seed);
/// A sum over some entries of an 8 x 7 matrix: robust loss, gradients sparse.
std::unique_ptr<FiniteSum> entries_problem(std::uint64_t seed);

/// f(x) = (1/2) sum_j d_j (x_j - b_j)^2 of a variable of 8 entries, as a finite sum; d_j in [0.5, 2], or all
/// `equal`. On a product of spaces it has no abilities, and if it is `unknown` it states no constants either.
/// Its rows are kept dense, or `sparse`.
struct Diagonal {
  Numbers d, b;
  std::shared_ptr<Objective> f;
  Diagonal(std::uint64_t seed, const Shape& shape, bool unknown = false, bool sparse = false,
           bool equal = false);
};

/// f(x) = (S/2) (<a, x> - c)^2 of a variable of 8 entries, as a finite sum of 8. It is convex, and flat along
/// all but one direction.
struct Flat {
  Numbers a;
  double c = 0.0, S = 0.0;
  std::shared_ptr<Objective> f;
  Flat(std::uint64_t seed, const Shape& shape);
  /// A minimiser of f + lambda ||x||_1 over low <= x <= high, low < 0 < high, either of them infinite.
  Numbers solution(double lambda, double low, double high) const;
};

/// A sum of 40 components that are all f, so that no batch makes noise; without abilities.
class Equal final : public Objective {
 public:
  explicit Equal(std::unique_ptr<Objective> f) : f_(std::move(f)) {}
  Shape shape() const override { return f_->shape(); }
  Index terms() const override { return 40; }
  double value(const Element& x) override { return f_->value(x); }
  Constants constants() const override { return f_->constants(); }
  void add_gradient(const Element& x, const Batch&, double a, Element& g) override {
    f_->add_gradient(x, Batch::all(), a, g);
  }

 private:
  std::unique_ptr<Objective> f_;
};

/// An expectation: component i is the gradient of ||x - t_i||^2/2, t_i ~ N(1, 1) draw i.
class Draws final : public Objective {
 public:
  explicit Draws(std::uint64_t seed) : seed_(seed) {}
  Shape shape() const override { return Shape::vector(3); }
  Index terms() const override { return kUnbounded; }
  double value(const Element& x) override;
  void add_gradient(const Element& x, const Batch& batch, double a, Element& g) override;

 private:
  std::uint64_t seed_;
};

/// [low, high]^n with every ability of a set.
class KitBox final : public Component,
                     public LinearOracle,
                     public BlockOracle,
                     public ProximalOracle,
                     public Membership,
                     public Start,
                     public Conjugate,
                     public sdk::SplitSet,
                     public sdk::Stateless {
 public:
  KitBox(Index entries, double low, double high) : n_(entries), low_(low), high_(high) {}
  OracleInfo minimize(const Element& direction, const OracleRequest&, Element& vertex) override;
  double diameter(const Shape&) override { return std::sqrt(static_cast<double>(n_)) * (high_ - low_); }
  /// A product has its blocks; any other shape has two, the first entry and the others.
  std::vector<Shape> block_shapes(const Shape& shape) override;
  OracleInfo minimize_block(Index, const Element& direction, const OracleRequest& request,
                            Element& vertex) override {
    return minimize(direction, request, vertex);
  }
  Certificate apply(const Element& v, double, Element& x, const Accuracy&) override;
  double value(const Element& x) override { return violation(x) <= 1e-9 ? 0.0 : kInfinity; }
  double violation(const Element& x) override;
  Element start_point(const Shape& shape) override;
  double conjugate(const Element& s) override;
  double into_domain(const Element&) override { return 1.0; }
  /// Two boxes, of which this one is the intersection.
  std::vector<Component*> parts() override {
    if (parts_.empty()) {
      parts_.push_back(std::make_unique<KitBox>(n_, low_, high_ + 1.0));
      parts_.push_back(std::make_unique<KitBox>(n_, low_ - 1.0, high_));
    }
    return {parts_[0].get(), parts_[1].get()};
  }
  void split(const Element&, std::vector<Element>) override {}
  void* ability(std::string_view id) noexcept override;

 private:
  Index n_;
  double low_, high_;
  std::vector<std::unique_ptr<KitBox>> parts_;
};

/// {X : sum of |x_ij| <= radius}. Its vertices are matrices of one entry, given as products of two vectors,
/// so points that are made of them have low-rank parts. It has no projection.
class KitCross final : public Component, public LinearOracle, public sdk::Stateless {
 public:
  explicit KitCross(double radius) : radius_(radius) {}
  OracleInfo minimize(const Element& direction, const OracleRequest&, Element& vertex) override;
  double diameter(const Shape&) override { return 2.0 * radius_; }
  void* ability(std::string_view id) noexcept override { return offer<LinearOracle, State>(this, id); }

 private:
  double radius_;
};

/// lambda ||x||_1.
class KitL1 final : public Component,
                    public ProximalOracle,
                    public Separable,
                    public Conjugate,
                    public sdk::Stateless {
 public:
  explicit KitL1(double lambda) : lambda_(lambda) {}
  double lambda() const noexcept { return lambda_; }
  Blocks blocks(const Shape& shape) override { return Blocks::single(shape.size()); }
  BlockStep block_step() override;
  std::unique_ptr<Component> restrict_to(std::span<const Index>) override {
    return std::make_unique<KitL1>(lambda_);
  }
  Certificate apply(const Element& v, double step, Element& x, const Accuracy&) override;
  double value(const Element& x) override;
  double conjugate(const Element& s) override;
  double into_domain(const Element& s) override;
  void* ability(std::string_view id) noexcept override;

 private:
  double lambda_;
};

/// The minimax concave penalty, h(x) = sum_j lambda |x_j| - x_j^2/(2 b) up to |x_j| = b lambda and b
/// lambda^2/2 beyond; mu = 1/b.
class KitConcave final : public Component, public ProximalOracle, public Separable, public sdk::Stateless {
 public:
  KitConcave(double lambda, double b) : lambda_(lambda), b_(b) {}
  Certificate apply(const Element& v, double step, Element& x, const Accuracy&) override;
  double value(const Element& x) override;
  double weak_convexity() const override { return 1.0 / b_; }
  Blocks blocks(const Shape& shape) override { return Blocks::single(shape.size()); }
  BlockStep block_step() override;
  std::unique_ptr<Component> restrict_to(std::span<const Index>) override {
    return std::make_unique<KitConcave>(lambda_, b_);
  }
  void* ability(std::string_view id) noexcept override {
    return offer<ProximalOracle, Separable, State>(this, id);
  }

 private:
  double lambda_, b_;
};

/// grad f itself.
class KitFull final : public GradientEstimator, public sdk::Stateless {
 public:
  void start(Objective& f, Sampler&) override { f_ = &f, calls_ = 0; }
  bool epoch_due() const override { return false; }
  void begin_epoch(const Element&, const EpochPlan&) override {}
  const Element& estimate(const Element& x, Index) override;
  bool unbiased() const override { return true; }
  bool exact() const override { return true; }
  Index epochs() const override { return calls_; }
  void* ability(std::string_view id) noexcept override { return offer<State>(this, id); }

 private:
  Objective* f_ = nullptr;
  Element g_;
  Index calls_ = 0;
};

/// The mean over a fresh batch; epochs of 5 steps.
class KitBatch final : public sdk::EpochEstimator {
 public:
  KitBatch() : EpochEstimator(options()) {}
  bool unbiased() const override { return true; }
  const Element& estimate(const Element& x, Index batch) override;

 private:
  static sdk::EpochOptions options() {
    sdk::EpochOptions o;
    o.batch = Index{3};
    o.epoch = Index{5};
    return o;
  }
};

/// The responses of KitData: numbers, signs, counts from 0 on, positive numbers.
inline constexpr int kResponses = 4, kPositive = 3;

/// Data of every kind that objectives read.
class KitData final : public Component, public Dataset {
 public:
  /// Responses: 0 numbers, 1 signs (rows sparse), 2 counts, 3 positive numbers; measurements by pairs a_i
  /// b_i', by a_i a_i', by dense matrices.
  KitData(std::uint64_t seed, int responses, Index rows, Index cols);
  std::shared_ptr<const Ratings> ratings() const override { return ratings_; }
  std::shared_ptr<const Design> design() const override { return design_; }
  std::shared_ptr<const Measurements> measurements() const override { return measurements_; }
  void write(const std::filesystem::path&) const override {}
  void* ability(std::string_view id) noexcept override { return offer<Dataset>(this, id); }

 private:
  std::shared_ptr<const Ratings> ratings_;
  std::shared_ptr<const Design> design_;
  std::shared_ptr<const Measurements> measurements_;
};

}  // namespace claros::doctor

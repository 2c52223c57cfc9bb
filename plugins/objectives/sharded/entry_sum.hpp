// SPDX-License-Identifier: BSD-3-Clause
/// @file entry_sum.hpp  A sum over entries of a matrix that several ranks hold.
#pragma once

#include "entry_cut.hpp"
#include "options.hpp"
#include "positions.hpp"
#include "spread_entries.hpp"

#include <claros/abilities.hpp>
#include <claros/context.hpp>
#include <claros/objective.hpp>
#include <claros/state/state.hpp>
#include <shared/entry_terms.hpp>

#include <memory>
#include <vector>

namespace sharded {

/// f(X) = (1/n) sum_e w_e psi(X_e, y_e) + (mu/2) ||X||^2 + c over the entries of chunks of lines. Every rank
/// has X, reads it only at its own entries, and adds mu X to a gradient by itself. The gradient is an
/// operator part, of which a rank holds its own entries (SpreadEntries). Making it sends one number a chunk's
/// value; SpreadOperator says what the products with it send. The gradient of a batch is an adjoint part of
/// the batch's positions (Positions), known to all.
///
/// X is read from its parts, and no image of it is kept: the results of a resumed run depend only on the
/// numbers of its point.
class EntrySum final : public claros::Objective,
                       public claros::Curvature,
                       public claros::Referable,
                       public claros::Certified,
                       public claros::Rounding {
 public:
  EntrySum(std::shared_ptr<claros::Objective> inner, claros::sdk::EntryTerms& terms, claros::Index chunks,
           const claros::Context& context);

  claros::Shape shape() const override { return shape_; }
  claros::Index terms() const override { return cut_->terms(); }
  double value(const claros::Element& x) override;
  void add_gradient(const claros::Element& x, const claros::Batch& batch, double a,
                    claros::Element& g) override;
  void add_gradient_difference(const claros::Element& x, const claros::Element& y, const claros::Batch& batch,
                               double a, claros::Element& g) override;
  claros::Constants constants() const override { return constants_; }
  void add_hessian_product(const claros::Element& at, const claros::Element& d, const claros::Batch& batch,
                           double a, claros::Element& g) override;
  std::unique_ptr<claros::Hessian> hessian(const claros::Element& at, const claros::Batch& batch) override;
  double lower_bound(const claros::Element& x, claros::Conjugate& h) override;
  double rounding(const claros::Element& x, double size) override;
  void refer(claros::References& references) const override { references.add("positions", positions_); }
  void* ability(std::string_view id) noexcept override;

 private:
  friend class EntryHessian;
  friend class BatchHessian;
  using Operator = std::shared_ptr<const SpreadEntries>;

  /// The terms of a batch that this rank holds: their places in the batch, and their data.
  struct Drawn {
    std::vector<std::size_t> place;
    std::vector<claros::Index> position;
    std::vector<double> targets, weights;
  };
  Drawn drawn(const claros::Batch& batch) const;
  /// w psi'(X_e, y_e) of the terms.
  std::vector<double> derivatives(const Drawn& own, const claros::Element& x) const;
  /// The position and further numbers of every term of the batch, known to all ranks.
  struct Gathered {
    std::vector<claros::Index> positions;
    std::vector<std::vector<double>> numbers;
  };
  Gathered gathered(const char* what, const claros::Batch& batch, const Drawn& own,
                    const std::vector<std::vector<double>>& numbers) const;

  /// f and the gradient times n at x, both known afterwards.
  void evaluate(const claros::Element& x);
  Operator gradient(const claros::Element& x, double& sum) const;
  Operator hessian_product(const std::vector<std::vector<double>>& second, const claros::Element& at,
                           const claros::Element& d) const;
  std::vector<std::vector<double>> second_derivatives(const claros::Element& at) const;
  std::shared_ptr<const claros::LinearOperator> made(std::span<const claros::Element> points) const;
  void add_operator(const Operator& op, double a, claros::Element& g) const;
  /// g += a mu x
  void add_ridge(const claros::Element& x, double a, claros::Element& g) const;
  std::shared_ptr<const EntryCut> cut_of(const claros::sdk::TakenEntries& taken, claros::Index chunks) const;

  std::shared_ptr<claros::Objective> inner_;
  claros::World& world_;
  claros::Shape shape_;
  claros::Constants constants_;
  std::shared_ptr<const claros::Loss> loss_;
  double ridge_, constant_;  ///< mu and c
  std::shared_ptr<const EntryCut> cut_;
  std::shared_ptr<const Positions> positions_;
  struct {
    claros::Element point;
    double value = 0.0, mean = 0.0;  ///< f, and the entries' part of it
    Operator gradient;
  } last_;  ///< at the point evaluated last
};

}  // namespace sharded

// SPDX-License-Identifier: BSD-3-Clause
/// @file term_sum.hpp  A sum of terms over ranks, whose gradients are arrays.
#pragma once

#include <claros/abilities.hpp>
#include <claros/context.hpp>
#include <claros/objective.hpp>
#include <claros/sdk/dense_access.hpp>
#include <claros/tree_sum.hpp>
#include <claros/world.hpp>
#include <shared/term_chunks.hpp>

#include <memory>
#include <optional>
#include <vector>

namespace sharded {

/// f(x) = (1/n) sum_i f_i(x), the terms cut into chunks of consecutive ones. A rank sums over its own chunks
/// and so reads only their rows. Results for all ranks (values, gradients, products with the Hessian) are
/// summed along a fixed binary tree of the chunks (tree_sum.hpp). So f has the same bits on any number of
/// ranks. Every rank holds the whole point, and the arrays of one number a term.
///
/// Gradients arrive as one dense part. Points carry no image of their chunks: the results of a resumed run
/// depend only on the numbers of its point.
class TermSum final : public claros::Objective,
                      public claros::Curvature,
                      public claros::Certified,
                      public claros::Rounding {
 public:
  TermSum(std::shared_ptr<claros::Objective> inner, claros::sdk::TermChunks& terms, claros::Index chunks,
          const claros::Context& context);

  claros::Shape shape() const override { return shape_; }
  claros::Index terms() const override { return terms_; }
  double value(const claros::Element& x) override;
  void add_gradient(const claros::Element& x, const claros::Batch& batch, double a,
                    claros::Element& g) override;
  void add_gradient_difference(const claros::Element& x, const claros::Element& y, const claros::Batch& batch,
                               double a, claros::Element& g) override;
  claros::Constants constants() const override;
  void add_hessian_product(const claros::Element& at, const claros::Element& d, const claros::Batch& batch,
                           double a, claros::Element& g) override;
  std::unique_ptr<claros::Hessian> hessian(const claros::Element& at, const claros::Batch& batch) override;
  double lower_bound(const claros::Element& x, claros::Conjugate& h) override;
  double rounding(const claros::Element& x, double size) override;
  void* ability(std::string_view id) noexcept override;

 private:
  friend class TermHessian;

  claros::sdk::TermChunk& chunk(claros::Index k) const { return *chunks_[claros::at(k - mine_.first)]; }
  claros::Index first_of(claros::Index k) const { return terms_ * k / count_; }
  /// The terms of a batch in this rank's chunks, in the batch's order, counted within the chunk.
  std::vector<std::vector<claros::Index>> parted(const claros::Batch& batch) const;
  claros::Element dense(const claros::Element& x);
  /// f and its gradient at x, both known afterwards.
  void evaluate(const claros::Element& x);
  void add_mean(std::vector<double> sum, double a, claros::Element& g) const;
  double eigenvalue(double trace) const;

  std::shared_ptr<claros::Objective> inner_;
  claros::sdk::TermChunks* terms_of_;
  claros::World& world_;
  claros::Shape shape_;
  claros::Index terms_ = 0, count_ = 0;
  claros::ChunkRange mine_;
  std::vector<std::unique_ptr<claros::sdk::TermChunk>> chunks_;
  claros::sdk::DenseReader reader_;
  struct {
    std::vector<double> point, gradient;
    std::optional<double> value;
    bool has_gradient = false;
  } last_;  ///< at the point evaluated last
  mutable std::optional<claros::Constants> constants_;
};

}  // namespace sharded

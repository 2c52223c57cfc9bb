// SPDX-License-Identifier: BSD-3-Clause
/// @file drawn_sensing.hpp  The expected loss of Gaussian measurements of a matrix.
#pragma once

#include "draws.hpp"
#include "reading.hpp"

#include <claros/expectation.hpp>
#include <claros/loss.hpp>
#include <claros/objective.hpp>

#include <memory>

namespace matrix_sensing {

/// f(X) = E psi(<A, X>, y), component i that of draw i (Draws). Measurements are made in blocks when a batch
/// asks for them, and never kept, so a batch may be of any size. The objective is psi'' smooth if E <A, D>^2
/// = ||D||^2 (Gaussian entries, a b'), and as strongly convex for a squared loss. For a a' it is (p + 2)
/// psi'' smooth. No constants of one draw are known for sure, since ||A_i|| has no bound. (Garber, Kaplan
/// 2019, section 4.2.3.)
///
/// f is measured in closed form (MeanSquare) if psi is squared, else as the SensingSum of draws that no batch
/// holds and all trials share.
class DrawnSensing final : public claros::Objective,
                           public claros::Curvature,
                           public claros::MeasuredExpectation {
 public:
  DrawnSensing(std::shared_ptr<const claros::Loss> psi, const Options& options,
               const claros::Context& context);

  claros::Shape shape() const override { return draws_.shape(); }
  claros::Index terms() const override { return claros::kUnbounded; }
  /// Not used: see `measured`.
  double value(const claros::Element& x) override;
  void add_gradient(const claros::Element& x, const claros::Batch& batch, double a,
                    claros::Element& g) override;
  void add_gradient_difference(const claros::Element& x, const claros::Element& y, const claros::Batch& batch,
                               double a, claros::Element& g) override;
  void add_hessian_product(const claros::Element& at, const claros::Element& d, const claros::Batch& batch,
                           double a, claros::Element& g) override;
  claros::Constants constants() const override;

  claros::Index held_out() const override { return held_out_; }
  claros::Objective& measured() override { return *measured_; }
  void* ability(std::string_view id) noexcept override {
    return claros::offer<claros::Curvature, claros::MeasuredExpectation>(this, id);
  }

 private:
  /// add(sum, a, h) for every block of the batch: the mean over its draws, its share in a, and the array
  /// added to g.
  template <class Add>
  void add_blocks(const claros::Batch& batch, double a, claros::Element& g, Add add);

  std::shared_ptr<const claros::Loss> psi_;
  Options options_;
  int threads_;
  Draws draws_;
  claros::Index held_out_ = 0;
  std::unique_ptr<claros::Objective> measured_;
};

}  // namespace matrix_sensing

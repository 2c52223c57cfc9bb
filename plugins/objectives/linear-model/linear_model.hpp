// SPDX-License-Identifier: BSD-3-Clause
/// @file linear_model.hpp  The objective of linear models.
#pragma once

#include "corner_slopes.hpp"
#include "targets.hpp"

#include <claros/abilities.hpp>
#include <claros/corners.hpp>
#include <claros/io/design_io.hpp>
#include <claros/io/linear_training.hpp>
#include <claros/map/design_map.hpp>
#include <claros/parts/design_parts.hpp>
#include <claros/sdk/loss_on_map.hpp>
#include <shared/losses/standardize.hpp>
#include <shared/term_chunks.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace linear_model {

enum class Center { automatic, yes, no };

struct Options {
  Options();
  std::string data;
  std::string responses;
  std::string positive;
  std::string shape = "auto";
  claros::Switch intercept, standardize;
  Center center = Center::automatic;
  std::string errors_in_variables = "0";
  double strong_convexity = 0.0;
  double smoothness = 0.0;
  claros::DesignOptions design;
};

/// f(x) = sum_i w_i psi(<a_i, x> + o_i, y_i) / sum_i w_i - x'Sx/2. The a_i in R^p are the rows of a design,
/// w_i >= 0 their weights and o_i their offsets (1 and 0 unless given). The variable is p x 1, or any matrix
/// of p entries (a_i = vec(X_i): matrix regression, sensing). It is p x K for the K classes of the
/// multinomial loss, or for K responses a row, whose losses are added: psi(z, i) = sum_k psi(z_k, y_ik), z =
/// X'a_i. The rows are stored once, whatever K is. With an intercept (K of them) the variable is a vector of
/// that many numbers more, which come last and are free.
///
/// -x'Sx/2 corrects squared loss for errors in variables: z_i = a_i + w_i is seen, w_i ~ N(0, S). (Loh,
/// Wainwright 2012; Li, Qu, Xu, Section 4; Qu, Li, Xu, Section 3.4.)
///
/// Below, w is scaled to sum n. Constants: f_i is L_i = w_i ||a_i||^2 sup psi'' smooth. f is sup psi'' lambda
/// smooth, lambda the largest eigenvalue of A'diag(w)A/n. Lanczos from a random start gives s^2/n <= lambda
/// for it. The bound is (s + residual)^2/n times 1 + 2e-3 (LanczosSolver::confirm says how likely that is too
/// small). If the trace is smaller, it is used, which is a sure bound.
///
/// Columns are centred while solving if some are far from 0 and there is an intercept. Then x is (the
/// coefficients, the intercept + <m, coefficients>), m the means. Rows in parts are left as they are, since
/// ranks do not see the columns of each other.
///
/// On several ranks, rows in parts stay in their files until `chunk` asks for them. The objective then has
/// only chunks; values, gradients and constants are those of a sum over ranks that holds it.
class LinearModel final : public claros::sdk::LossOnMap,
                          public claros::FreeTail,
                          public claros::Rescaled,
                          public claros::LinearPredictor,
                          public claros::TermConstants,
                          public claros::Cornered,
                          public claros::sdk::TermChunks {
 public:
  using Options = linear_model::Options;
  static const claros::ParameterList& parameters();
  LinearModel(const Options& options, const claros::Context& context);

  claros::Constants constants() const override;
  claros::Shape constrained_shape() const override { return model().constrained; }
  const claros::LinearTraining& linear_training() const override { return training_; }
  std::span<const double> row_weights() const override { return model().weights; }
  std::span<const double> row_offsets() const override { return offsets_; }
  claros::Element original(const claros::Element& x) const override;
  claros::Element scaled(const claros::Element& x) const override;
  std::span<const double> term_smoothness() const override;
  std::unique_ptr<claros::sdk::TermChunk> chunk(claros::Index first, claros::Index count) override;
  claros::Constants constants_of(const claros::sdk::ChunkFacts& all, double eigenvalue) const override;
  claros::Index square_size() const override;
  bool needs_eigenvalue() const override;
  bool has_dual() const override;
  claros::Index fingerprint() const override;
  void add_gradient(const claros::Element& x, const claros::Batch& batch, double a,
                    claros::Element& g) override;
  claros::CornerRows rows() const override { return corner_->rows(); }
  double spread(const claros::Element& x) override { return corner_->spread(x.image(map())); }
  void balance(claros::Element& x) override;
  std::unique_ptr<claros::Component> rounded(double delta) override { return corner_->rounded(delta); }
  void take_slopes(const claros::Element& x) override { corner_->take(x.image(map())); }
  std::vector<double>& slopes() override { return corner_->slopes(); }
  void* ability(std::string_view id) noexcept override;

 protected:
  bool takes_own_dual(std::span<double> u) const override;
  std::vector<double> squared_norms() const override { return design_map().squared_norms(); }

 private:
  /// `truth`: the truth that the data was made from, or null.
  claros::Shape variable_shape(claros::Index cols, claros::Index outputs, const claros::Element* truth) const;
  std::shared_ptr<const claros::sdk::QuadraticForm> covariance(claros::Index size,
                                                               const claros::Context& context) const;
  /// Standardised or centred columns, if requested or if they pay.
  std::optional<claros::sdk::Standardized> transformed(const claros::Design& design,
                                                       const std::vector<double>& weights,
                                                       const std::string& where,
                                                       const claros::Context& context) const;
  void expect_simple(const claros::Design& design) const;
  void warn_of_flat_start(const claros::Context& context);
  /// If `auto` took no intercept, and the numbers say that one is missing.
  void note_missing_intercept(const claros::Design& design, const claros::Context& context) const;
  /// Throws Error(usage) if the rows are in parts.
  const claros::DesignMap& design_map() const;
  const std::vector<double>& weighted_norms() const;
  double largest_eigenvalue() const;
  claros::Constants computed() const;
  claros::Constants as_given(claros::Constants c) const;

  Options options_;
  std::optional<claros::sdk::Standardized> standardized_;
  std::optional<CornerSlopes> corner_;  ///< if psi has a corner
  /// The rows, if they are in parts and there are several ranks: each rank reads those of its chunks.
  std::shared_ptr<claros::DesignParts> parts_;
  claros::LinearTraining training_;
  std::vector<double> offsets_;
  int threads_;
  mutable std::optional<claros::Constants> constants_;
  mutable std::vector<double> norms_, term_smoothness_;  ///< w_i ||a_i||^2; L_i
  mutable double longest_ = 0.0;                         ///< max ||a_i||
};

}  // namespace linear_model

// SPDX-License-Identifier: BSD-3-Clause
/// @file standardize.hpp  Columns of mean 0 and variance 1, and the way back.
#pragma once

#include <claros/context.hpp>
#include <claros/element/element.hpp>
#include <claros/map/design.hpp>

#include <memory>
#include <vector>

namespace linear_model {

/// a_ij = mean_j + scale_j a'_ij, where a' is what is solved with.
struct Standardized {
  std::shared_ptr<const claros::Design> design;
  std::vector<double> mean, scale;
};

/// scale_j^2 = (1/n) sum_i w_i (a_ij - m_j)^2 with m_j = (1/n) sum_i w_i a_ij, where the weights are those of
/// a mean (weights_of_mean; none: 1). Columns are centred (mean_j = m_j) when `center` says so and the design
/// is dense; else they are scaled only (mean_j = 0), and a note says why. Constant columns are 0 in a', their
/// scale is infinite, so that their coefficients for a are 0, and a note counts them. Throws Error(data) with
/// `where` where all are constant.
Standardized standardize(const claros::Design& design, const std::vector<double>& weights, bool center,
                         const std::string& where, const claros::Context& context);

/// The coefficients for a of those for a': pieces of cols numbers, `outputs` of them, and their intercepts if
/// there are.
claros::Element original(const Standardized& data, const claros::Element& x, claros::Index outputs,
                         bool intercept);

/// The way forth: the coefficients for a' of those for a.
claros::Element scaled(const Standardized& data, const claros::Element& x, claros::Index outputs,
                       bool intercept);

}  // namespace linear_model

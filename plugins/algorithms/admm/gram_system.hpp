// SPDX-License-Identifier: BSD-3-Clause
/// @file gram_system.hpp  The Hessian of a quadratic loss of a linear model, and systems with it.
#pragma once

#include <claros/abilities.hpp>
#include <claros/element/gemm.hpp>
#include <claros/error.hpp>
#include <claros/map/columns.hpp>
#include <claros/map/linear_map.hpp>
#include <claros/map/output_columns.hpp>
#include <shared/algorithms/support_factor.hpp>

#include <algorithm>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

/// H = A' D A of f(x) = phi(A x), D = phi''. For a map A (x) I_K all outputs share the Gram matrix of A.
class GramSystem {
 public:
  /// Throws Error(usage) if f has no such H or one that is too large.
  void start(claros::LossOfImage& phi) {
    if (!phi.is_quadratic())
      refuse("expected a quadratic loss, found one whose curvature changes from point to point");
    std::shared_ptr<const claros::Columns> columns = phi.map()->columns();
    const auto outputs = columns ? nullptr : phi.map()->output_columns();
    if (outputs) columns = {outputs, &outputs->columns()};
    if (!columns)
      refuse("expected access to the columns of the objective's map, which this map does not give");
    if (!columns->has_room_for_gram())
      refuse("expected at most " + std::to_string(claros::Columns::kMostForGram) +
             " columns for a Gram matrix, found " + std::to_string(columns->count()));
    count_ = columns->count();
    const std::vector<double> image(static_cast<std::size_t>(phi.map()->size()), 0.0);
    std::vector<double> weights(image.size());
    phi.image_curvature(image, weights);
    place(outputs.get(), weights);
    gram_ = columns->gram(std::span(weights).first(static_cast<std::size_t>(columns->rows())));
    all_.resize(static_cast<std::size_t>(count_));
    std::iota(all_.begin(), all_.end(), claros::Index{0});
    trace_ = 0.0;
    for (const claros::Index j : all_) trace_ += gram_[static_cast<std::size_t>(j * count_ + j)];
    factor_ = {};
  }

  double mean_eigenvalue() const noexcept { return trace_ / static_cast<double>(count_); }

  /// H x.
  std::vector<double> product(const std::vector<double>& x) const {
    std::vector<double> out(x.size());
    claros::kernels::multiply(1.0, {gram_.data(), count_, count_},
                              {by_output(x).data(), count_, static_cast<claros::Index>(x.size()) / count_},
                              0.0, out.data());
    return by_coordinate(out);
  }

  /// (H + rho I)^{-1} r. A factor of an rho is kept until another one is asked for.
  std::vector<double> solve(const std::vector<double>& r, double rho) {
    const std::vector<double> shift(all_.size(), rho), right = by_output(r);
    std::vector<double> x;
    for (std::size_t first = 0; first < right.size(); first += all_.size()) {
      const auto piece =
          factor_.solve(gram_, count_, all_, shift, std::span(right).subspan(first, all_.size()));
      if (!piece)
        throw claros::Error(
            claros::ErrorKind::usage, "",
            "the Gram matrix of the columns has no Cholesky factor: its numbers are not finite, or "
            "too far apart",
            "scale the columns alike, or take algorithm.use = proximal-gradient");
      x.insert(x.end(), piece->begin(), piece->end());
    }
    return by_coordinate(x);
  }

 private:
  [[noreturn]] static void refuse(const std::string& why) {
    throw claros::Error(claros::ErrorKind::usage, "", why, "take algorithm.use = proximal-gradient");
  }

  /// Finds the places of coordinates in arrays by output, and brings weights into that order.
  void place(const claros::OutputColumns* outputs, std::vector<double>& weights) {
    place_.clear();
    if (!outputs) return;
    weights = outputs->by_output(weights);
    const auto n = static_cast<std::ptrdiff_t>(outputs->columns().rows());
    for (claros::Index k = 1; k < outputs->outputs(); ++k)
      if (!std::equal(weights.begin(), weights.begin() + n, weights.begin() + k * n))
        refuse("expected one weight a row for all outputs, found some that differ");
    if (outputs->count() != count_ * outputs->outputs())
      refuse("expected every column in every output, found a part of them");
    for (claros::Index c = 0; c < outputs->count(); ++c)
      place_.push_back(static_cast<std::size_t>(outputs->output(c) * count_ + outputs->column(c)));
  }
  std::vector<double> by_output(const std::vector<double>& x) const {
    if (place_.empty()) return x;
    std::vector<double> out(x.size());
    for (std::size_t c = 0; c < x.size(); ++c) out[place_[c]] = x[c];
    return out;
  }
  std::vector<double> by_coordinate(const std::vector<double>& x) const {
    if (place_.empty()) return x;
    std::vector<double> out(x.size());
    for (std::size_t c = 0; c < x.size(); ++c) out[c] = x[place_[c]];
    return out;
  }

  claros::Index count_ = 0;
  double trace_ = 0.0;
  std::vector<double> gram_;
  std::vector<claros::Index> all_;
  std::vector<std::size_t> place_;  ///< empty for one output
  claros::SupportFactor factor_;
};

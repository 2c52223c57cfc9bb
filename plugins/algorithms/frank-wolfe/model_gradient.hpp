// SPDX-License-Identifier: BSD-3-Clause
/// @file model_gradient.hpp  The linear function that a step minimises, of the gradients so far.
#pragma once

#include <claros/element/element.hpp>
#include <claros/error.hpp>
#include <claros/sdk/losses/fold_fused.hpp>
#include <claros/state/state.hpp>

#include <algorithm>
#include <variant>

enum class Model { gradient, heavy_ball, optimistic };

/// The m_t of v_t = argmin over the set of <m_t, u>, from g_t, the gradient or its estimate.
///
///     gradient     g_t
///     heavy-ball   (1 - rho_t) m_{t-1} + rho_t g_t, rho_t = 2/(t + 2) or a constant; m_0 = g_0
///                  (Li, Coutino, Giannakis, Leus 2021)
///     optimistic   2 g_t - g_{t-1}, a guess of g_{t+1}; m_0 = g_0  (Abernethy, Wang 2017)
class ModelGradient {
 public:
  /// `averaging` 0: the decaying rho.
  ModelGradient(Model model, double averaging) : model_(model), averaging_(averaging) {}

  void start(const claros::Shape& shape) { kept_ = m_ = claros::Element(shape); }
  bool is_gradient() const noexcept { return model_ == Model::gradient; }

  /// m_t, until the next call.
  const claros::Element& at(claros::Index t, const claros::Element& g) {
    if (is_gradient()) return g;
    if (model_ == Model::heavy_ball) return average(t > 0 ? weight(t) : 1.0, g);
    m_ = g;
    if (t > 0) m_.scale(2.0), m_.add(-1.0, kept_), claros::sdk::fold_fused(m_);
    kept_ = g;
    return m_;
  }

  void state(claros::StateVisitor& v) {
    v("average", m_);
    v("last gradient", kept_);
  }

 private:
  double weight(claros::Index t) const {
    return averaging_ > 0.0 ? averaging_ : 2.0 / (static_cast<double>(t) + 2.0);
  }
  /// Rows of g that wait in a design would wait in every later average.
  const claros::Element& average(double rho, const claros::Element& g) {
    require_sums(g);
    m_.scale(1.0 - rho);
    m_.add(rho, g);
    claros::sdk::fold_fused(m_);
    return m_;
  }
  static void require_sums(const claros::Element& g) {
    const auto is_operator = [](const claros::Part& part) {
      return std::holds_alternative<claros::OperatorForm>(part.form);
    };
    if (std::ranges::any_of(g.parts(), is_operator))
      throw claros::Error(
          claros::ErrorKind::usage, "model",
          "gradients of this objective are known by their products alone: an average is a sum "
          "of as many as there were steps",
          "take model = gradient or optimistic");
  }

  Model model_;
  double averaging_;
  claros::Element m_, kept_;  ///< m_t; g_{t-1} of the optimistic
};

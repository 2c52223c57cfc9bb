// SPDX-License-Identifier: BSD-3-Clause
/// @file loss.hpp  A loss from functions of two numbers.
#pragma once

#include <claros/context.hpp>
#include <claros/error.hpp>
#include <claros/kind.hpp>
#include <claros/loss.hpp>
#include <claros/parameters.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <string>

namespace claros::sdk {

/// t log t, continued to 0 at 0, for the conjugates of logistic losses.
inline double entropy_term(double t) { return t > 0.0 ? t * std::log(t) : 0.0; }
/// t log t + (1 - t) log(1 - t) for 0 <= t <= 1, to the relative accuracy of t near 0.
inline double binary_entropy(double t) {
  return entropy_term(t) + (t < 1.0 ? (1.0 - t) * std::log1p(-t) : 0.0);
}

/// A loss, ready to be a plugin, from a struct with value(z, y), derivative(z, y), second_derivative(z, y)
/// and constants(). Relative targets are relative to the value: write psi with inf psi(., y) = 0 for every y
/// (a likelihood as half its deviance), so that no constant of y enters them. The struct also has
/// - conjugate(u, y), if the loss is convex;
/// - kResponse, a ResponseKind, and mean(z) (loss.hpp), if the prediction is not z itself;
/// - kTargets and accepts(y), if not every target is allowed;
/// - `static const ParameterList& parameters()`, a table of rows of the struct, if it has parameters. They
/// are its members.
///
/// A loss with exponentials may compute them for many numbers at once: values(z, y, out), derivatives(z, y,
/// out) or second_derivatives(z, y, out). They give the results of the functions of two numbers, up to
/// rounding, for arrays.
///
///     CLAROS_PLUGIN(sdk::LossOf<Huber>, Kind::loss, "huber", ...)
template <class Pointwise>
class LossOf final : public Loss {
 public:
  using Options = Pointwise;
  static const ParameterList& parameters() {
    if constexpr (requires { Pointwise::parameters(); }) {
      return Pointwise::parameters();
    } else {
      static const ParameterTable<Pointwise> none{};
      return none;
    }
  }
  LossOf(const Options& psi, const Context&) : psi_(psi) {}
  explicit LossOf(Pointwise psi = {}) : psi_(psi) {}

  double sum(std::span<const double> z, std::span<const double> y) const override {
    return total(z, y, [](std::size_t, double value) { return value; });
  }
  double weighted_sum(std::span<const double> z, std::span<const double> y,
                      std::span<const double> w) const override {
    return total(z, y, [w](std::size_t k, double value) { return w[k] * value; });
  }
  void derivative(std::span<const double> z, std::span<const double> y,
                  std::span<double> out) const override {
    if constexpr (requires { psi_.derivatives(z, y, out); })
      psi_.derivatives(z, y, out);
    else
      for (std::size_t k = 0; k < z.size(); ++k) out[k] = psi_.derivative(z[k], y[k]);
  }
  void second_derivative(std::span<const double> z, std::span<const double> y,
                         std::span<double> out) const override {
    if constexpr (requires { psi_.second_derivatives(z, y, out); })
      psi_.second_derivatives(z, y, out);
    else
      for (std::size_t k = 0; k < z.size(); ++k) out[k] = psi_.second_derivative(z[k], y[k]);
  }
  LossConstants constants() const override { return psi_.constants(); }
  std::string targets() const override {
    if constexpr (requires { Pointwise::kTargets; })
      return Pointwise::kTargets;
    else
      return {};
  }
  bool accepts(double y) const override {
    if constexpr (requires { psi_.accepts(y); })
      return psi_.accepts(y);
    else
      return true;
  }
  ResponseKind response() const override {
    if constexpr (requires { Pointwise::kResponse; })
      return Pointwise::kResponse;
    else
      return Loss::response();
  }
  void mean(std::span<const double> z, std::span<double> out) const override {
    constexpr bool has_mean = requires { psi_.mean(0.0); };
    if constexpr (requires { Pointwise::kResponse; })
      static_assert(has_mean || (Pointwise::kResponse != ResponseKind::count &&
                                 Pointwise::kResponse != ResponseKind::probability),
                    "LossOf: kResponse says that z stands for a count or a probability, but has no "
                    "mean(z) that gives it");
    else
      static_assert(!has_mean, "LossOf: there is a mean(z), and no kResponse that says what it is");
    if constexpr (has_mean)
      for (std::size_t k = 0; k < z.size(); ++k) out[k] = psi_.mean(z[k]);
    else
      Loss::mean(z, out);
  }
  bool has_conjugate() const override {
    return requires { psi_.conjugate(0.0, 0.0); };
  }
  double conjugate(std::span<const double> u, std::span<const double> y,
                   std::span<const double> w) const override {
    if constexpr (requires { psi_.conjugate(0.0, 0.0); }) {
      double total = 0.0;
      for (std::size_t k = 0; k < u.size(); ++k)
        if (w.empty() || w[k] > 0.0) total += (w.empty() ? 1.0 : w[k]) * psi_.conjugate(u[k], y[k]);
      return total;
    } else {
      return Loss::conjugate(u, y, w);
    }
  }

 private:
  /// sum_k term(k, psi(z_k, y_k)), in the order of k.
  template <class Term>
  double total(std::span<const double> z, std::span<const double> y, Term term) const {
    double total = 0.0;
    if constexpr (requires(std::span<double> out) { psi_.values(z, y, out); }) {
      constexpr std::size_t kMany = 256;
      std::array<double, kMany> values;
      for (std::size_t first = 0; first < z.size(); first += kMany) {
        const std::size_t count = std::min(kMany, z.size() - first);
        psi_.values(z.subspan(first, count), y.subspan(first, count), std::span<double>(values).first(count));
        for (std::size_t k = 0; k < count; ++k) total += term(first + k, values[k]);
      }
    } else {
      for (std::size_t k = 0; k < z.size(); ++k) total += term(k, psi_.value(z[k], y[k]));
    }
    return total;
  }

  Pointwise psi_;
};

/// The loss max(low r, high r), r = z - y, low < 0 < high.
struct Corner {
  double low, high;
  double middle() const { return 0.5 * (low + high); }
  double height() const { return high - low; }
};

/// Empty unless psi is such a loss, as its constants and a few values say.
inline std::optional<Corner> corner_of(const Loss& psi) {
  const LossConstants constants = psi.constants();
  if (!constants.convex || !constants.of_difference || constants.smoothness) return {};
  const auto at = [&](double z) { return psi.sum(std::array{z}, std::array{0.0}); };
  const Corner corner{-at(-1.0), at(1.0)};
  for (const double size : {1e-3, 0.5, 2.0, 1e3})
    if (std::abs(at(size) - corner.high * size) > 1e-12 * size ||
        std::abs(at(-size) + corner.low * size) > 1e-12 * size)
      return {};
  return corner.low < 0.0 && corner.high > 0.0 ? std::optional(corner) : std::nullopt;
}

/// The role of a loss, for an objective to declare; it finds the loss in its context: `loss_of(context)`.
inline Role loss_role() {
  return {"loss", Kind::loss, "psi, what a prediction costs when a target is seen", "squared"};
}
/// Throws Error(usage) for a loss with a corner unless the objective takes it.
inline std::shared_ptr<Loss> loss_of(const Context& context, bool takes_corner = false) {
  auto loss = context.part<Loss>("loss");
  if (!takes_corner && corner_of(*loss))
    throw Error(ErrorKind::usage, "loss.delta",
                "is 0: the loss has a corner, and the objective is a smooth one",
                "set loss.delta above 0, small beside the noise of the targets, to round the corner");
  return loss;
}

}  // namespace claros::sdk

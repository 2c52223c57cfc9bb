// SPDX-License-Identifier: BSD-3-Clause
/// @file oracle_functions.hpp  Sets and penalties from functions of dense arrays: included by functions.hpp,
/// which says what holds of all.
#pragma once

#include <claros/error.hpp>
#include <claros/parameters.hpp>
#include <claros/sdk/array_penalty.hpp>
#include <claros/sdk/array_set.hpp>

#include <algorithm>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace claros::sdk {

/// A convex set C, for variables of any shape: `corner` serves Frank-Wolfe, `project` proximal methods; at
/// least one of them.
struct SetFunctions {
  /// How far x lies outside, relative to the size of C; 0 inside. (Membership.)
  std::function<double(std::span<const double> x)> outside;
  /// x <- a minimiser of <c, x> over C; of c = 0, any point of C.
  std::function<void(std::span<const double> c, std::span<double> x)> corner = {};
  double diameter = 0.0;  ///< max over u, v in C of ||u - v||; given with `corner`
  /// x <- argmin over C of ||x - v||; x does not overlap v.
  std::function<void(std::span<const double> v, std::span<double> x)> project = {};
  /// x <- a point of C to start from. Without it that is 0 if it lies in C, else a corner, or the
  /// projection of 0.
  std::function<void(std::span<double> x)> start = {};
};

/// A penalty h, for variables of any shape.
struct PenaltyFunctions {
  std::function<double(std::span<const double> x)> value;
  /// x <- argmin of s h(x) + ||x - v||^2 / 2; x does not overlap v.
  std::function<void(std::span<const double> v, double s, std::span<double> x)> prox;
  /// The least mu >= 0 for which h + (mu/2)||x||^2 is convex; infinity if nothing makes it so.
  double weak_convexity = 0.0;
  /// h*(u) = sup over x of <u, x> - h(x), infinity outside its domain. May be left out: with it, runs report
  /// duality gaps.
  std::function<double(std::span<const double> u)> conjugate = {};
  /// The largest a in [0, 1] for which h*(a u) is finite; given with `conjugate`, unless that is finite
  /// everywhere.
  std::function<double(std::span<const double> u)> into_domain = {};
};

namespace detail {

inline void require_set(const SetFunctions& C) {
  if (!C.outside) throw Error(ErrorKind::usage, "", "does not say which points lie outside", "give outside");
  if (!C.corner && !C.project)
    throw Error(ErrorKind::usage, "", "has neither a corner nor a projection", "give one of them");
  if (C.corner && !(C.diameter >= 0.0 && C.diameter < kInfinity && (C.diameter > 0.0 || C.project)))
    throw Error(ErrorKind::usage, "", "its diameter is " + print_real(C.diameter),
                "give the largest distance of two of its points");
}

inline void require_penalty(const PenaltyFunctions& h) {
  if (!h.value || !h.prox)
    throw Error(ErrorKind::usage, "", "lacks its value or its proximal step", "give both");
  if (!(h.weak_convexity >= 0.0))
    throw Error(ErrorKind::usage, "", "its weak convexity is " + print_real(h.weak_convexity),
                "give a number that is at least 0");
  if (h.conjugate && h.weak_convexity > 0.0)
    throw Error(ErrorKind::usage, "", "has a conjugate and is not convex",
                "leave one of them out: gaps by duality are for convex penalties");
}

/// x <- 0, and then what `write` makes of v, of which it gets a copy if x is v.
template <class Write>
void write_apart(std::vector<double>& kept, std::span<const double> v, std::span<double> x, Write write) {
  if (v.data() == x.data()) kept.assign(v.begin(), v.end()), v = kept;
  std::fill(x.begin(), x.end(), 0.0);
  write(v, x);
}

/// Offers the oracles whose functions there are.
class FunctionSet final : public ArraySet {
 public:
  explicit FunctionSet(SetFunctions C) : C_(std::move(C)) {}
  double diameter(const Shape&) override { return C_.diameter; }
  Element start_point(const Shape& shape) override {
    if (C_.corner && !C_.start) return ArraySet::start_point(shape);
    Element x(shape);
    const std::span<double> entries = x.dense_values();
    if (C_.start)
      C_.start(entries);
    else if (!(outside(entries) <= kRounding))
      project(entries, entries);
    return x;
  }
  void* ability(std::string_view id) noexcept override {
    const bool by_corner = id == LinearOracle::kAbility || id == Conjugate::kAbility;
    return (by_corner && !C_.corner) || (id == ProximalOracle::kAbility && !C_.project)
               ? nullptr
               : ArraySet::ability(id);
  }

 private:
  void corner(std::span<const double> c, std::span<double> x) override {
    std::fill(x.begin(), x.end(), 0.0);
    C_.corner(c, x);
  }
  void project(std::span<const double> v, std::span<double> x) override {
    write_apart(kept_, v, x, C_.project);
  }
  double outside(std::span<const double> x) override { return C_.outside(x); }

  SetFunctions C_;
  std::vector<double> kept_;
};

class FunctionPenalty final : public ArrayPenalty, public Conjugate {
 public:
  explicit FunctionPenalty(PenaltyFunctions h) : h_(std::move(h)) {}
  double weak_convexity() const override { return h_.weak_convexity; }
  double conjugate(const Element& u) override { return h_.conjugate(read(u)); }
  double into_domain(const Element& u) override { return h_.into_domain ? h_.into_domain(read(u)) : 1.0; }
  void* ability(std::string_view id) noexcept override {
    return id == Conjugate::kAbility && h_.conjugate ? offer<Conjugate>(this, id) : ArrayPenalty::ability(id);
  }

 private:
  double penalty(std::span<const double> x) override { return h_.value(x); }
  void prox(std::span<const double> v, double step, std::span<double> x) override {
    write_apart(kept_, v, x,
                [&](std::span<const double> from, std::span<double> to) { h_.prox(from, step, to); });
  }

  PenaltyFunctions h_;
  std::vector<double> kept_;
};

}  // namespace detail

/// Throw Error(usage) when something is missing.
inline std::shared_ptr<Component> set(SetFunctions C) {
  detail::require_set(C);
  return std::make_shared<detail::FunctionSet>(std::move(C));
}
inline std::shared_ptr<Component> penalty(PenaltyFunctions h) {
  detail::require_penalty(h);
  return std::make_shared<detail::FunctionPenalty>(std::move(h));
}

}  // namespace claros::sdk

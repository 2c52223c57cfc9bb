// SPDX-License-Identifier: BSD-3-Clause
/// @file functions.hpp  Objectives, sets and penalties from functions of dense arrays, for programs that
/// embed the library.
///
/// Spans hold all entries of the variable, column-major. A function that is called `gradient`,
/// `hessian_product`, `corner`, `project`, `prox` or `start` writes: what it writes to is 0 before. One that
/// is called `add_` adds, `a` times. Whatever the functions refer to outlives the component; they are called
/// on the thread of the run alone.
#pragma once

#include <claros/error.hpp>
#include <claros/sdk/array_objective.hpp>
#include <claros/sdk/detail/oracle_functions.hpp>

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace claros::sdk {

/// f(x).
struct Function {
  Shape shape;
  std::function<double(std::span<const double> x)> value;
  /// g <- grad f(x).
  std::function<void(std::span<const double> x, std::span<double> g)> gradient;
  /// h <- hess f(x) d. May be left out: casvrg and caspider need it, and steps that ask for curvature.
  std::function<void(std::span<const double> x, std::span<const double> d, std::span<double> h)>
      hessian_product = {};
  /// The known constants of f: steps need its smoothness, or a step length.
  Constants constants = {};
};

/// f(x) = (1/n) sum_{i<n} f_i(x), by its components.
struct FunctionSum {
  Shape shape;
  Index components = 0;  ///< n
  std::function<double(std::span<const double> x, Index i)> value;
  /// g <- grad f_i(x).
  std::function<void(std::span<const double> x, Index i, std::span<double> g)> gradient;
  /// h <- hess f_i(x) d. May be left out.
  std::function<void(std::span<const double> x, std::span<const double> d, Index i, std::span<double> h)>
      hessian_product = {};
  Constants constants = {};
};

/// f(x) = (1/n) sum_{i<n} f_i(x), by batches, which pay if gradients are sparse or products of matrices are
/// faster. A batch is a list of components, with repetitions; empty means all of them.
struct FunctionBatches {
  Shape shape;
  Index components = 0;
  std::function<double(std::span<const double> x)> value;  ///< f(x)
  /// g <- g + a * (mean over the batch of grad f_i(x)).
  std::function<void(std::span<const double> x, std::span<const Index> batch, double a, std::span<double> g)>
      add_gradient;
  /// h <- h + a * (mean over the batch of hess f_i(x) d). May be left out.
  std::function<void(std::span<const double> x, std::span<const double> d, std::span<const Index> batch,
                     double a, std::span<double> h)>
      add_hessian_product = {};
  Constants constants = {};
};

namespace detail {

inline void require_functions(const Shape& shape, Index components, bool complete) {
  if (shape.is_product() || shape.rows < 1 || shape.cols < 1)
    throw Error(ErrorKind::usage, "", "its shape is " + shape.text(),
                "give Shape::vector(p) or Shape::matrix(m, n)");
  if (components < 1)
    throw Error(ErrorKind::usage, "", "has " + std::to_string(components) + " components",
                "give at least one");
  if (!complete) throw Error(ErrorKind::usage, "", "lacks its value or its gradient", "give both");
}

/// A function that writes, into an array that the functions that add are added from.
template <class Write>
void add_written(std::vector<double>& made, double a, std::span<double> to, Write write) {
  made.assign(to.size(), 0.0);
  write(std::span<double>(made));
  for (std::size_t j = 0; j < to.size(); ++j) to[j] += a * made[j];
}

class FunctionObjective final : public ArrayObjective {
 public:
  explicit FunctionObjective(Function f) : ArrayObjective(f.shape), f_(std::move(f)) {}
  Constants constants() const override { return f_.constants; }

 private:
  double value_at(std::span<const double> x) override { return f_.value(x); }
  void add_gradient_at(std::span<const double> x, const Batch&, double a, std::span<double> g) override {
    add_written(made_, a, g, [&](std::span<double> made) { f_.gradient(x, made); });
  }
  void add_hessian_product_at(std::span<const double> x, std::span<const double> d, const Batch&, double a,
                              std::span<double> h) override {
    add_written(made_, a, h, [&](std::span<double> made) { f_.hessian_product(x, d, made); });
  }
  bool has_hessian() const noexcept override { return static_cast<bool>(f_.hessian_product); }

  Function f_;
  std::vector<double> made_;
};

class FunctionSumObjective final : public ArrayObjective {
 public:
  explicit FunctionSumObjective(FunctionSum f) : ArrayObjective(f.shape, f.components), f_(std::move(f)) {}
  Constants constants() const override { return f_.constants; }

 private:
  double value_at(std::span<const double> x) override {
    double sum = 0.0;
    for (Index i = 0; i < f_.components; ++i) sum += f_.value(x, i);
    return sum / static_cast<double>(f_.components);
  }
  void add_gradient_at(std::span<const double> x, const Batch& batch, double a,
                       std::span<double> g) override {
    const Index size = batch.size(f_.components);
    for (Index k = 0; k < size; ++k)
      add_written(made_, a / static_cast<double>(size), g,
                  [&](std::span<double> made) { f_.gradient(x, batch[k], made); });
  }
  void add_hessian_product_at(std::span<const double> x, std::span<const double> d, const Batch& batch,
                              double a, std::span<double> h) override {
    const Index size = batch.size(f_.components);
    for (Index k = 0; k < size; ++k)
      add_written(made_, a / static_cast<double>(size), h,
                  [&](std::span<double> made) { f_.hessian_product(x, d, batch[k], made); });
  }
  bool has_hessian() const noexcept override { return static_cast<bool>(f_.hessian_product); }

  FunctionSum f_;
  std::vector<double> made_;
};

class FunctionBatchesObjective final : public ArrayObjective {
 public:
  explicit FunctionBatchesObjective(FunctionBatches f)
      : ArrayObjective(f.shape, f.components), f_(std::move(f)) {}
  Constants constants() const override { return f_.constants; }

 private:
  double value_at(std::span<const double> x) override { return f_.value(x); }
  void add_gradient_at(std::span<const double> x, const Batch& batch, double a,
                       std::span<double> g) override {
    f_.add_gradient(x, batch.list(), a, g);
  }
  void add_hessian_product_at(std::span<const double> x, std::span<const double> d, const Batch& batch,
                              double a, std::span<double> h) override {
    f_.add_hessian_product(x, d, batch.list(), a, h);
  }
  bool has_hessian() const noexcept override { return static_cast<bool>(f_.add_hessian_product); }

  FunctionBatches f_;
};

}  // namespace detail

/// Throw Error(usage) when something is missing. They serve as smoothers too.
inline std::shared_ptr<Objective> objective(Function f) {
  detail::require_functions(f.shape, 1, f.value && f.gradient);
  return std::make_shared<detail::FunctionObjective>(std::move(f));
}
inline std::shared_ptr<Objective> objective(FunctionSum f) {
  detail::require_functions(f.shape, f.components, f.value && f.gradient);
  return std::make_shared<detail::FunctionSumObjective>(std::move(f));
}
inline std::shared_ptr<Objective> objective(FunctionBatches f) {
  detail::require_functions(f.shape, f.components, f.value && f.add_gradient);
  return std::make_shared<detail::FunctionBatchesObjective>(std::move(f));
}

}  // namespace claros::sdk

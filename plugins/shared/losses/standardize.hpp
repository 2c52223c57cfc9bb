// SPDX-License-Identifier: BSD-3-Clause
/// @file standardize.hpp  Columns of mean 0, or of mean 0 and variance 1, and the way back.
#pragma once

#include <claros/context.hpp>
#include <claros/element/element.hpp>
#include <claros/error.hpp>
#include <claros/map/design.hpp>
#include <shared/losses/gaussian_rows.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace claros::sdk {

/// a_ij = mean_j + scale_j a'_ij, a' the design of the solution.
struct Standardized {
  std::shared_ptr<const Design> design;
  std::vector<double> mean, scale;
};

namespace detail {

constexpr Index kNamed = 5;  ///< columns in a note

template <class Body>
void for_stored(const SparseRows<auto>& held, const Design& design, Body body) {
  if (held.by_columns) {  // their rows would be a copy
    const Columns& columns = held.by_columns->columns();
    for (Index j = 0; j < columns.count(); ++j)
      for (std::size_t e = 0; e < columns.values(j).size(); ++e)
        body(Index{columns.rows_of(j)[e]}, at(j), columns.values(j)[e]);
    return;
  }
  const auto rows = held.view();
  for (Index i = 0; i < design.rows; ++i)
    for (Index e = rows.start[at(i)]; e < rows.start[at(i) + 1]; ++e)
      body(i, static_cast<std::size_t>(rows.column[at(e)]), static_cast<double>(rows.value[at(e)]));
}
template <class Body>
void for_stored(const DenseRows<auto>&, const Design& design, Body body) {
  std::vector<double> row(at(design.cols));
  for (Index i = 0; i < design.rows; ++i) {
    design.row(i, row);
    for (std::size_t j = 0; j < row.size(); ++j) body(i, j, row[j]);
  }
}
/// body(i, j, a_ij) for every entry that is stored; for every column in the order of rows.
template <class Body>
void for_stored(const Design& design, Body body) {
  std::visit([&](const auto& rows) { for_stored(rows, design, body); }, design.entries);
}

inline double weight_of(const std::vector<double>& weights, Index i) {
  return weights.empty() ? 1.0 : weights[static_cast<std::size_t>(i)];
}

/// The means, as `origin` plus the mean distance from there. A column that is far from 0 compared with its
/// deviation gets more digits this way. A constant one gets all digits if the origin is one of the rows.
inline std::vector<double> means(const Design& design, const std::vector<double>& weights,
                                 const std::vector<double>& origin) {
  const auto n = static_cast<double>(design.rows);
  std::vector<double> mean(origin.size(), 0.0), stored(origin.size(), 0.0);
  for_stored(design, [&](Index i, std::size_t j, double value) {
    const double w = weight_of(weights, i);
    mean[j] += w * (value - origin[j]);
    stored[j] += w;
  });
  for (std::size_t j = 0; j < mean.size(); ++j) {
    if (design.is_sparse()) mean[j] -= (n - stored[j]) * origin[j];
    mean[j] = origin[j] + mean[j] / n;
  }
  return mean;
}

inline std::vector<double> deviations(const Design& design, const std::vector<double>& weights,
                                      const std::vector<double>& mean) {
  const auto n = static_cast<double>(design.rows);
  std::vector<double> sum(mean.size(), 0.0), stored(mean.size(), 0.0);
  for_stored(design, [&](Index i, std::size_t j, double value) {
    const double w = weight_of(weights, i);
    sum[j] += w * ((value - mean[j]) * (value - mean[j]));
    stored[j] += w;
  });
  for (std::size_t j = 0; j < sum.size(); ++j) {
    if (design.is_sparse()) sum[j] += std::max(0.0, n - stored[j]) * (mean[j] * mean[j]);
    sum[j] = std::sqrt(sum[j] / n);
  }
  return sum;
}

/// Whether column j can be centred: every one of dense rows; of sparse ones, those that have an entry in nine
/// rows of ten, which so stay sparse. A column with more zeros is at most three deviations from 0.
inline std::vector<bool> centrable(const Design& design) {
  if (!design.is_sparse()) return std::vector<bool>(at(design.cols), true);
  std::vector<Index> stored(at(design.cols), 0);
  for_stored(design, [&](Index, std::size_t j, double) { ++stored[j]; });
  std::vector<bool> can;
  for (const Index count : stored) can.push_back(10 * count >= 9 * design.rows);
  return can;
}

/// Columns without variance are left out: their infinite scale makes them 0. A note counts them. Throws
/// Error(data) where no column is left.
inline void leave_out_constants(const Design& design, Standardized& data, const std::string& where,
                                const Context& context) {
  constexpr double kRounding = 1e-13;
  std::string names;
  Index count = 0;
  for (std::size_t j = 0; j < data.scale.size(); ++j) {
    if (data.scale[j] > kRounding * std::abs(data.mean[j])) continue;
    data.scale[j] = std::numeric_limits<double>::infinity();
    if (++count <= kNamed) names += (count > 1 ? ", " : "") + design.column_text(static_cast<Index>(j));
  }
  if (count == 0) return;
  if (count == design.cols)
    throw Error(ErrorKind::data, where, "all " + std::to_string(count) + " columns are constant",
                "give a column that varies, or set standardize = false");
  context.note("standardize leaves out " + std::to_string(count) +
               (count == 1 ? " column that is constant: " : " columns that are constant: ") + names +
               (count > kNamed ? ", ..." : "") + "; their coefficients are 0");
}

template <class Real>
void transform(DenseRows<Real>& rows, const Standardized& data, const Design& design,
               const std::string& where, const std::string& remedy) {
  rows = made_rows<Real>(
      design.rows, design.cols,
      [&](Index i, std::span<double> row) {
        design.row(i, row);
        for (std::size_t j = 0; j < row.size(); ++j) row[j] = (row[j] - data.mean[j]) / data.scale[j];
      },
      where, remedy);
}
/// Zeros of columns with a mean become entries.
template <class Real>
void transform(SparseRows<Real>& rows, const Standardized& data, const Design& design, const std::string&,
               const std::string&) {
  std::vector<std::size_t> moved;
  for (std::size_t j = 0; j < data.mean.size(); ++j)
    if (data.mean[j] != 0.0) moved.push_back(j);
  const auto held = rows.view();
  SparseRows<Real> made;
  made.start.push_back(0);
  const auto add = [&](std::size_t j, double value) {
    made.column.push_back(static_cast<std::int32_t>(j));
    made.value.push_back(static_cast<Real>((value - data.mean[j]) / data.scale[j]));
  };
  for (Index i = 0; i < design.rows; ++i) {
    auto next = moved.begin();
    for (Index e = held.start[at(i)]; e < held.start[at(i) + 1]; ++e) {
      const auto j = static_cast<std::size_t>(held.column[at(e)]);
      for (; next != moved.end() && *next < j; ++next) add(*next, 0.0);
      if (next != moved.end() && *next == j) ++next;
      add(j, static_cast<double>(held.value[at(e)]));
    }
    for (; next != moved.end(); ++next) add(*next, 0.0);
    made.start.push_back(static_cast<Index>(made.value.size()));
  }
  rows = std::move(made);
}

inline void make_copy(const Design& design, Standardized& data, const std::string& where,
                      const std::string& remedy) {
  auto copy = std::make_shared<Design>(design);
  std::visit([&](auto& rows) { transform(rows, data, design, where, remedy); }, copy->entries);
  copy->source = nullptr;
  copy->checked = false;
  data.design = std::move(copy);
}

inline std::vector<double> row_of(const Design& design, Index i) {
  std::vector<double> row(static_cast<std::size_t>(design.cols));
  design.row(i, row);
  return row;
}

constexpr double kFar = 10.0;  ///< deviations
inline bool is_far(double mean, double deviation, double times = kFar) {
  return std::abs(mean) > times * deviation;
}

/// By some of the rows, in even steps, whether a look at all of them is worth it. Sparse columns are looked
/// at whole.
inline bool seems_far(const Design& design, double times = kFar) {
  constexpr Index kRows = 256;
  if (design.rows == 0) return false;
  if (design.is_sparse()) {
    const std::vector<bool> can = centrable(design);
    return std::find(can.begin(), can.end(), true) != can.end();
  }
  const Index step = std::max<Index>(1, design.rows / kRows);
  const std::vector<double> origin = row_of(design, 0);
  std::vector<double> sum(origin.size(), 0.0), square(sum), row(origin);
  double count = 0.0;
  for (Index i = 0; i < design.rows; i += step, ++count) {
    design.row(i, row);
    for (std::size_t j = 0; j < row.size(); ++j) {
      const double way = row[j] - origin[j];
      sum[j] += way;
      square[j] += way * way;
    }
  }
  for (std::size_t j = 0; j < sum.size(); ++j) {
    const double way = sum[j] / count, variance = square[j] / count - way * way;
    if (is_far(origin[j] + way, std::sqrt(std::max(variance, 0.0)), times)) return true;
  }
  return false;
}

}  // namespace detail

/// scale_j^2 = (1/n) sum_i w_i (a_ij - m_j)^2 with m_j = (1/n) sum_i w_i a_ij, the weights being those of a
/// mean (weights_of_mean; none: 1). Columns are centred (mean_j = m_j) if `center` says so; of a sparse
/// design only those with few zeros. Else they are only scaled (mean_j = 0), and a note says why. A constant
/// column is 0 in a'. Its scale is infinite, so that its coefficient for a is 0, and a note counts it. Throws
/// Error(data) with `where` if all columns are constant.
inline Standardized standardize(const Design& design, const std::vector<double>& weights, bool center,
                                const std::string& where, const Context& context) {
  const std::vector<double> zero(static_cast<std::size_t>(design.cols), 0.0);
  Standardized data{nullptr, detail::means(design, weights, zero), {}};
  data.scale = detail::deviations(design, weights, data.mean);
  detail::leave_out_constants(design, data, where, context);
  if (design.is_sparse())
    context.note(
        "standardize: columns are scaled to variance 1; only those with few zeros are centred, which keeps "
        "the design sparse");
  else if (!center)
    context.note(
        "standardize: columns are scaled to variance 1 and not centred, since without an intercept that "
        "could not be undone");
  const std::vector<bool> can = detail::centrable(design);
  for (std::size_t j = 0; j < can.size(); ++j)
    if (!center || !can[j]) data.mean[j] = 0.0;
  context.detail("standardize keeps a second copy: " +
                 (design.is_sparse()
                      ? memory_text(design.rows, design.cols, design.stored(), design.is_single())
                      : memory_text(design.rows, design.cols, design.is_single())));
  detail::make_copy(design, data, where, "set standardize = false, which needs no second copy");
  return data;
}

/// Columns of mean 0 whose scale is left alone. With an intercept, which takes up the means, this is the
/// same problem, better conditioned. The columns with few zeros of a sparse design are centred. With
/// `if_far`, only if the mean of some column is more than ten deviations from 0. Such columns are nearly
/// multiples of the intercept's. The square of that quotient multiplies the condition number. `what` says in
/// the note what takes the means up, and `remedy` how to leave the columns.
inline std::optional<Standardized> center(
    const Design& design, const std::vector<double>& weights, bool if_far, const std::string& where,
    const Context& context, const std::string& what = "which the intercept takes up",
    const std::string& remedy = " (objective.center = false leaves them)") {
  if (if_far && !detail::seems_far(design)) return std::nullopt;
  const std::vector<bool> can = detail::centrable(design);
  std::vector<double> origin = detail::row_of(design, 0);
  for (std::size_t j = 0; j < can.size(); ++j)
    if (!can[j]) origin[j] = 0.0;
  Standardized data{nullptr, detail::means(design, weights, origin), {}};
  for (std::size_t j = 0; j < can.size(); ++j)
    if (!can[j]) data.mean[j] = 0.0;
  const std::vector<double> deviation = detail::deviations(design, weights, data.mean);
  std::string names;
  Index far = 0;
  for (std::size_t j = 0; j < deviation.size(); ++j) {
    if (!std::isfinite(data.mean[j])) return std::nullopt;
    if (!detail::is_far(data.mean[j], deviation[j])) continue;
    if (++far <= detail::kNamed) names += (far > 1 ? ", " : "") + design.column_text(static_cast<Index>(j));
  }
  if (if_far && far == 0) return std::nullopt;
  data.scale.assign(deviation.size(), 1.0);
  detail::make_copy(design, data, where, "set center = false, which needs no second copy");
  context.note("columns are centred while solving, " + what +
               (far == 0 ? "" : ": far from 0 beside their deviations are " + names) +
               (far > detail::kNamed ? ", ..." : "") + ". It keeps a second copy: " +
               (design.is_sparse()
                    ? memory_text(design.rows, design.cols, design.stored(), design.is_single())
                    : memory_text(design.rows, design.cols, design.is_single())) +
               remedy);
  return data;
}

/// For objectives that do not change with an intercept: all columns that can be are centred, unless all lie
/// around 0. If there is no room for the copy, a warning says what that costs.
inline std::optional<Standardized> centered_always(const Design& design, const std::vector<double>& weights,
                                                   const std::string& where, const Context& context) {
  constexpr double kAround = 0.3;
  if (!detail::seems_far(design, kAround)) return std::nullopt;
  const bool on_disk = design.source && design.source->larger_than_memory();
  std::string reason = "the rows are larger than memory";
  try {
    if (!on_disk) return center(design, weights, false, where, context, "which changes no value", "");
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::data) throw;
    reason = error.what();
  }
  if (detail::seems_far(design))
    context.warn(
        "columns that are far from 0 beside their deviations are not centred, and steps may be many: " +
        reason);
  return std::nullopt;
}

/// The coefficients for a of those for a': pieces of cols numbers, `outputs` of them, and their intercepts if
/// there are.
inline Element original(const Standardized& data, const Element& x, Index outputs, bool intercept) {
  std::vector<double> values = x.to_dense();
  const std::size_t cols = data.scale.size(), pieces = static_cast<std::size_t>(outputs);
  for (std::size_t k = 0; k < pieces; ++k) {
    double shift = 0.0;
    for (std::size_t j = 0; j < cols; ++j) {
      values[k * cols + j] /= data.scale[j];
      shift += data.mean[j] * values[k * cols + j];
    }
    if (intercept) values[pieces * cols + k] -= shift;
  }
  return Element::dense(x.shape(), std::move(values));
}

/// The way forth: the coefficients for a' of those for a.
inline Element scaled(const Standardized& data, const Element& x, Index outputs, bool intercept) {
  std::vector<double> values = x.to_dense();
  const std::size_t cols = data.scale.size(), pieces = static_cast<std::size_t>(outputs);
  for (std::size_t k = 0; k < pieces; ++k) {
    double shift = 0.0;
    for (std::size_t j = 0; j < cols; ++j) {
      shift += data.mean[j] * values[k * cols + j];
      values[k * cols + j] *= std::isfinite(data.scale[j]) ? data.scale[j] : 0.0;
    }
    if (intercept) values[pieces * cols + k] += shift;
  }
  return Element::dense(x.shape(), std::move(values));
}

}  // namespace claros::sdk

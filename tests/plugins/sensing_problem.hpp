// SPDX-License-Identifier: BSD-3-Clause
/// @file sensing_problem.hpp  Small problems of matrix sensing, as the plugin's objective and as plain loops
/// over dense matrices.
#pragma once

#include <claros/dataset.hpp>
#include <claros/map/measurements.hpp>

#include "linear_problem.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace claros::test {

using MeasurementKind = Measurements::Kind;

class MeasurementsInMemory final : public Dataset {
 public:
  explicit MeasurementsInMemory(Measurements made)
      : made_(std::make_shared<const Measurements>(std::move(made))) {}
  std::shared_ptr<const Measurements> measurements() const override { return made_; }
  void write(const std::filesystem::path&) const override {}

 private:
  std::shared_ptr<const Measurements> made_;
};

/// n measurements of rows x cols matrices, and the A_i as arrays.
struct SensingProblem {
  Index rows, cols, n;
  Measurements measurements;
  std::vector<Dense> A;  ///< column-major
  Dense y;

  SensingProblem(MeasurementKind kind, Index rows_, Index cols_, Index n_, std::uint64_t seed = 1)
      : rows(rows_), cols(cols_), n(n_), y(normals(seed + 50, n_)) {
    measurements.kind = kind;
    measurements.rows = rows, measurements.cols = cols;
    if (kind == MeasurementKind::dense) {
      const Dense all = normals(seed, n * rows * cols);
      for (Index i = 0; i < n; ++i)
        A.emplace_back(all.begin() + i * rows * cols, all.begin() + (i + 1) * rows * cols);
      measurements.left = std::make_shared<Design>(make_design(all, rows * cols, y));
    } else if (kind == MeasurementKind::sparse) {
      make_sparse(seed);
    } else {
      const Dense a = normals(seed, n * rows),
                  b = kind == MeasurementKind::symmetric ? a : normals(seed + 1, n * cols);
      for (Index i = 0; i < n; ++i) A.push_back(outer(a, b, i));
      measurements.left = std::make_shared<Design>(make_design(a, rows, y));
      if (kind == MeasurementKind::rank_one)
        measurements.right = std::make_shared<Design>(make_design(b, cols, y));
    }
  }

  Shape shape() const { return Shape::matrix(rows, cols); }
  std::shared_ptr<const Dataset> data() const { return std::make_shared<MeasurementsInMemory>(measurements); }
  std::shared_ptr<Objective> objective(const Numbers& numbers = {}) const {
    std::vector<Setting> settings;
    for (const auto& [key, value] : numbers) settings.push_back({key, value, {}, {}});
    Context context;
    context.data = data();
    return std::static_pointer_cast<Objective>(
        create_component(build_catalog(), Kind::objective, "matrix-sensing", settings, context));
  }

  double image(std::size_t i, const Dense& x) const {
    return std::inner_product(x.begin(), x.end(), A[i].begin(), 0.0);
  }
  double value(const std::string& loss, const Dense& x) const {
    double sum = 0.0;
    for (std::size_t i = 0; i < A.size(); ++i)
      sum += plain_loss(loss, std::vector<double>{image(i, x)}, y[i]);
    return sum / static_cast<double>(n);
  }
  /// (1/|S|) sum_S c_i A_i
  template <class Coefficient>
  Dense combination(const std::vector<Index>& S, Coefficient c) const {
    Dense sum(static_cast<std::size_t>(rows * cols), 0.0);
    for (const Index i : S)
      sum = plus(std::move(sum), c(static_cast<std::size_t>(i)) / static_cast<double>(S.size()),
                 A[static_cast<std::size_t>(i)]);
    return sum;
  }
  std::vector<Index> everything() const {
    std::vector<Index> all(A.size());
    std::iota(all.begin(), all.end(), Index{0});
    return all;
  }

 private:
  Dense outer(const Dense& a, const Dense& b, Index i) const {
    Dense product;
    for (Index k = 0; k < cols; ++k)
      for (Index j = 0; j < rows; ++j)
        product.push_back(a[static_cast<std::size_t>(i * rows + j)] *
                          b[static_cast<std::size_t>(i * cols + k)]);
    return product;
  }
  /// On a random half of all positions, of which every A_i has a half.
  void make_sparse(std::uint64_t seed) {
    RandomStream random(seed, Purpose::test, 3);
    std::vector<std::int32_t> row, col;
    for (std::int32_t i = 0; i < rows; ++i)
      for (std::int32_t j = 0; j < cols; ++j)
        if (random.uniform() < 0.5 || (i == 0 && j == 0)) row.push_back(i), col.push_back(j);
    const auto entries = static_cast<Index>(row.size());
    Dense values(static_cast<std::size_t>(n * entries), 0.0);
    for (Index i = 0; i < n; ++i) {
      A.emplace_back(static_cast<std::size_t>(rows * cols), 0.0);
      for (Index e = 0; e < entries; ++e) {
        const auto k = static_cast<std::size_t>(e);
        if (random.uniform() < 0.5)
          A.back()[static_cast<std::size_t>(col[k] * rows + row[k])] =
              values[static_cast<std::size_t>(i * entries + e)] = random.normal();
      }
    }
    measurements.pattern = std::make_shared<Pattern>(rows, cols, row, col);
    measurements.left = std::make_shared<Design>(make_design(values, entries, y, RowForm::sparse));
  }
};

/// The same point in the forms that a run meets.
inline std::vector<std::pair<std::string, Element>> points_of(const Shape& shape, std::uint64_t seed) {
  std::vector<std::pair<std::string, Element>> all{{"zero", Element(shape)}, {"dense", point(shape, seed)}};
  Element low = rank_one(shape, seed, 0.3);
  low.add(-0.2, rank_one(shape, seed + 1));
  low.scale(1.5);
  all.emplace_back("low rank", low);
  const auto last_row = static_cast<std::int32_t>(shape.rows - 1),
             last_col = static_cast<std::int32_t>(shape.cols - 1);
  const auto one =
      std::make_shared<Pattern>(shape.rows, shape.cols, std::vector{last_row}, std::vector{last_col});
  const Element few = Element::sparse(one, Buffer(Dense{0.7}));
  all.emplace_back("few entries", few);
  std::vector<std::int32_t> row, col;
  for (std::int32_t i = 0; i < shape.rows; ++i)
    for (std::int32_t j = 0; j < shape.cols; ++j) row.push_back(i), col.push_back(j);
  const auto whole = std::make_shared<Pattern>(shape.rows, shape.cols, row, col);
  all.emplace_back("all entries", Element::sparse(whole, Buffer(normals(seed + 9, shape.size()))));
  Element sum = all[1].second;
  sum.scale(-0.5);
  sum.add(0.4, low);
  sum.add(2.0, few);
  all.emplace_back("sum", sum);
  return all;
}

}  // namespace claros::test

// SPDX-License-Identifier: BSD-3-Clause
#include "element/array_sums.hpp"
#include "map/column_map.hpp"
#include "map/column_passes.hpp"
#include "map/design_access.hpp"
#include "map/output_map.hpp"

#include <claros/element/element.hpp>
#include <claros/element/parallel.hpp>
#include <claros/error.hpp>
#include <claros/map/design_map.hpp>
#include <claros/memory_limits.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string>

namespace claros {

using namespace design_access;

namespace {

/// Some consecutive rows, at most kBlock.
class Block {
 public:
  Block(Index first, Index count) : count_(static_cast<std::size_t>(count)) {
    std::iota(rows_.begin(), rows_.end(), first);
  }
  std::span<const Index> rows() const { return {rows_.data(), count_}; }

 private:
  std::array<Index, kernels::kBlock> rows_;
  std::size_t count_;
};

/// z (K numbers a row) of rows [first, first + count).
template <class Rows>
void images(const Rows& rows, const Layout& at, Index first, Index count, const double* x, double weight,
            double* z) {
  std::array<double, kernels::kBlock> made;
  const Block block(first, count);
  for (Index k = 0; k < at.outputs; ++k) {
    kernels::dot(rows, block.rows(), x + k * at.cols, made.data());
    const double b = at.intercept ? at.intercepts(x)[k] : 0.0;
    for (std::size_t i = 0; i < block.rows().size(); ++i)
      z[static_cast<Index>(i) * at.outputs + k] = weight * (made[i] + b);
  }
}

template <class Rows>
void adjoints(const Rows& rows, const Layout& at, Index first, Index count, const double* c, double* g,
              bool more) {
  std::array<double, kernels::kBlock> some;
  const Block block(first, count), next(first + count, more ? count : 0);
  for (Index k = 0; k < at.outputs; ++k) {
    for (std::size_t i = 0; i < block.rows().size(); ++i) some[i] = c[static_cast<Index>(i) * at.outputs + k];
    kernels::add(rows, block.rows(), some.data(), g + k * at.cols, next.rows());
    if (at.intercept)
      for (std::size_t i = 0; i < block.rows().size(); ++i) at.intercepts(g)[k] += some[i];
  }
}

/// How the rows are cut for sums over them. Each chunk has an array of its own, which should be small beside
/// its rows. Chunks have at least 32 rows, and 512 if there are more than eight chunks, so that all the
/// arrays are a 512th of a dense design.
Index sum_grain(const Design& design) {
  constexpr Index kFew = 8, kMost = 256, kShare = 32, kSmall = 512;
  const Index length = design.stored() / design.cols;  // in rows without zeros
  const Index chunks = std::clamp<Index>(length / kShare, 1, std::clamp(length / kSmall, kFew, kMost));
  const Index grain = chunk_count(design.rows, chunks);
  return chunk_count(grain, kernels::kBlock) * kernels::kBlock;
}

/// g += sum over chunks of rows of what body(first, last, partial) adds to its partial.
template <class Body>
void sum_rows(const Design& design, std::span<double> g, Body body) {
  sum_arrays(design.rows, sum_grain(design), g, body);
}

/// Blocks of the rows [first, last): body(rows, from, count, more), `more` when as many rows follow.
template <class Rows, class Body>
void for_blocks(const Design& design, const Rows& all, Index first, Index last, Body body) {
  const Index length = std::max<Index>(1, design.stored() / design.rows);
  const Index rows = kernels::block_rows(length, design.is_single() ? 4 : 8);
  Window<Rows> window(design, all);
  for (Index i = first; i < last; i += rows) {
    const Index end = std::min(i + rows, last);
    read_ahead(design, i, end);
    body(window.at(i, end, last), i, std::min(rows, last - i), i + 2 * rows <= last);
  }
}

}  // namespace

DesignMap::DesignMap(std::shared_ptr<const Design> design, Shape shape, Index outputs, bool intercept)
    : design_(std::move(design)),
      shape_(std::move(shape)),
      domain_(shape_),
      outputs_(outputs),
      intercept_(intercept),
      gathered_(std::make_shared<GatheredColumns>()) {
  if (shape_.is_product() || shape_.size() != design_->cols * outputs)
    throw Error(ErrorKind::usage, "shape",
                "a variable of " + shape_.text() + " has " + std::to_string(shape_.size()) +
                    " entries; expected " + std::to_string(design_->cols * outputs) +
                    ", as the rows of the design" + (outputs > 1 ? " and the classes ask for" : " have"),
                "give a shape whose sides multiply to that");
  if (intercept) domain_ = Shape::vector(shape_.size() + outputs);
}

namespace {

/// z <- beta z + alpha A x for an x of few entries: whole columns are read, a number each row.
template <class Real>
void apply_columns(const kernels::DenseView<Real>& rows, const Layout& at, double alpha, const Element& x,
                   double beta, std::span<double> z) {
  for (double& value : z) value = beta == 0.0 ? 0.0 : beta * value;
  for (const Part& part : x.parts()) {
    const auto& sparse = std::get<SparseForm>(part.form);
    const auto values = sparse.values.view();
    for (std::size_t e = 0; e < values.size(); ++e) {
      const Index j = sparse.pattern->col()[e] * x.shape().rows + sparse.pattern->row()[e];
      const double v = alpha * part.weight * values[e];
      const bool tail = j >= at.cols * at.outputs;
      const Index piece = tail ? j - at.cols * at.outputs : j / at.cols;
      const Real* entry = rows.values + j % at.cols;
      const auto stride = static_cast<std::size_t>(at.outputs);
      for (auto i = static_cast<std::size_t>(piece); i < z.size(); i += stride, entry += at.cols)
        z[i] += tail ? v : v * static_cast<double>(*entry);
    }
  }
}
template <class Real>
void apply_columns(const kernels::SparseView<Real>&, const Layout&, double, const Element&, double,
                   std::span<double>) {}

}  // namespace

void DesignMap::apply(double alpha, const Element& x, double beta, std::span<double> z) const {
  if (x.is_zero()) {  // no row has to be read to know it
    for (double& value : z) value = beta == 0.0 ? 0.0 : beta * value;
    return;
  }
  if (const Columns* a = entries_by_columns()) {
    const DensePoint point(x);
    const Layout at = layout(*this);
    const auto p = static_cast<std::size_t>(at.cols);
    const auto b = [&](Index k) { return intercept_ ? at.intercepts(point.data())[k] : 0.0; };
    if (outputs_ == 1) return apply_columns(*a, alpha * point.weight(), {point.data(), p}, b(0), beta, z);
    std::vector<double> made(static_cast<std::size_t>(design_->rows));
    for (Index k = 0; k < outputs_; ++k) {
      apply_columns(*a, alpha * point.weight(), {point.data() + k * at.cols, p}, b(k), 0.0, made);
      for (std::size_t i = 0; i < made.size(); ++i) {
        double& out = z[i * static_cast<std::size_t>(outputs_) + static_cast<std::size_t>(k)];
        out = (beta == 0.0 ? 0.0 : beta * out) + made[i];
      }
    }
    return;
  }
  if (cheap(x))
    return with_rows(*design_,
                     [&](const auto& rows) { apply_columns(rows, layout(*this), alpha, x, beta, z); });
  const DensePoint point(x);
  const Layout at = layout(*this);
  constexpr Index kGrain = 64;
  with_rows(*design_, [&](const auto& rows) {
    for_chunks(design_->rows, kGrain, [&](Index, Index first, Index last) {
      std::vector<double> made(static_cast<std::size_t>((last - first) * outputs_));
      read_ahead(*design_, first, last);
      Window window(*design_, rows);
      const auto& some = window.at(first, last, last);
      for (Index i = first; i < last; i += kernels::kBlock)
        images(some, at, i, std::min<Index>(kernels::kBlock, last - i), point.data(), point.weight(),
               made.data() + (i - first) * outputs_);
      double* out = z.data() + first * outputs_;
      for (std::size_t k = 0; k < made.size(); ++k)
        out[k] = beta == 0.0 ? alpha * made[k] : beta * out[k] + alpha * made[k];
    });
  });
}

bool DesignMap::cheap(const Element& d) const {
  // A column of row-major entries is read with a stride, each number by a cache line of its own.
  constexpr Index kLine = 8;
  if (design_->is_sparse()) return false;
  const Index line = entries_by_columns() ? 1 : kLine;
  Index entries = 0;
  for (const Part& part : d.parts()) {
    const auto* sparse = std::get_if<SparseForm>(&part.form);
    if (!sparse) return false;
    entries += sparse->values.size();
  }
  return entries * line * outputs_ <= design_->cols;
}

void DesignMap::round_trip(const Element& x, const Middle& middle, std::span<double> z,
                           std::span<double> g) const {
  if (entries_by_columns()) {
    apply(1.0, x, 0.0, z);
    return add_adjoint(middle_of(middle, z, outputs_), g);
  }
  const DensePoint point(x);
  const Layout at = layout(*this);
  with_rows(*design_, [&](const auto& all) {
    sum_rows(*design_, g, [&](Index from, Index to, double* partial) {
      std::vector<double> c(static_cast<std::size_t>(kernels::kBlock * outputs_));
      for_blocks(*design_, all, from, to, [&](const auto& rows, Index i, Index count, bool more) {
        const auto first = static_cast<std::size_t>(i * outputs_),
                   size = static_cast<std::size_t>(count * outputs_);
        const auto image = z.subspan(first, size);
        images(rows, at, i, count, point.data(), point.weight(), image.data());
        middle(i * outputs_, image, std::span<double>(c).first(size));
        adjoints(rows, at, i, count, c.data(), partial, more);
      });
    });
  });
}

const Columns* DesignMap::entries_by_columns() const {
  const ColumnEntries* held = design_->by_columns();
  return held ? &held->columns() : nullptr;
}

void DesignMap::add_adjoint(std::span<const double> c, std::span<double> g) const {
  const Layout at = layout(*this);
  if (const Columns* a = entries_by_columns()) {
    add_columns_adjoint(*a, outputs_, c, g);
    for (std::size_t k = 0; intercept_ && k < c.size(); ++k)
      at.intercepts(g.data())[k % static_cast<std::size_t>(outputs_)] += c[k];
    return;
  }
  with_rows(*design_, [&](const auto& all) {
    sum_rows(*design_, g, [&](Index from, Index to, double* partial) {
      for_blocks(*design_, all, from, to, [&](const auto& rows, Index i, Index count, bool) {
        adjoints(rows, at, i, count, c.data() + i * outputs_, partial, false);
      });
    });
  });
}

std::vector<double> DesignMap::squared_norms() const {
  constexpr Index kGrain = 64;
  if (const ColumnEntries* held = design_->by_columns()) {
    std::vector<double> squares = row_squares(held->columns());
    for (double& square : squares) square += intercept_ ? 1.0 : 0.0;
    return squares;
  }
  std::vector<double> norms(static_cast<std::size_t>(design_->rows));
  with_rows(*design_, [&](const auto& rows) {
    for_chunks(design_->rows, kGrain, [&](Index, Index first, Index last) {
      for (Index i = first; i < last; ++i)
        norms[static_cast<std::size_t>(i)] = kernels::squared_norm(rows, i) + (intercept_ ? 1.0 : 0.0);
    });
  });
  return norms;
}

std::shared_ptr<const Columns> DesignMap::columns() const {
  return outputs_ == 1 ? design_columns() : nullptr;
}

std::shared_ptr<const Columns> DesignMap::design_columns() const {
  columns_made_([&] {
    if (!design_->is_sparse() && !design_->by_columns())
      expect_memory(8.0 * static_cast<double>(design_->stored()), "data",
                    "a copy by columns of the design of " + std::to_string(design_->rows) + " x " +
                        std::to_string(design_->cols),
                    "choose an algorithm that goes by rows");
    Columns all = columns_of(*design_, intercept_);
    if (!design_->is_sparse() && all.has_room_for_gram()) gathered_->share_gram(all);
    columns_ = std::make_shared<const Columns>(std::move(all));
  });
  return columns_;
}

std::shared_ptr<const OutputColumns> DesignMap::output_columns() const {
  if (outputs_ == 1) return nullptr;
  outputs_made_([&] {
    std::vector<Index> column, output;
    for (Index c = 0; c < domain_.size(); ++c) column.push_back(column_of(c)), output.push_back(output_of(c));
    output_columns_ = std::make_shared<const OutputColumns>(design_columns(), outputs_, std::move(column),
                                                            std::move(output));
  });
  return output_columns_;
}

MapPtr DesignMap::restricted(std::span<const Index> coordinates) const {
  const auto chosen = [&](std::span<const Index> columns) {
    return design_->is_sparse() ? design_columns()->chosen(columns) : gathered_->chosen(*design_, columns);
  };
  if (outputs_ == 1) return std::make_shared<ColumnMap>(chosen(coordinates));
  DistinctColumns distinct = distinct_columns(coordinates, [&](Index c) { return column_of(c); });
  std::vector<Index> output;
  for (const Index c : coordinates) output.push_back(output_of(c));
  return std::make_shared<OutputMap>(
      std::make_shared<const OutputColumns>(std::make_shared<const Columns>(chosen(distinct.columns)),
                                            outputs_, std::move(distinct.places), std::move(output)));
}

DesignOperator::DesignOperator(MapPtr map, std::span<const double> weights) : map_(std::move(map)) {
  for (const double w : weights) roots_.push_back(std::sqrt(w));
}

void DesignOperator::apply(std::span<const double> x, std::span<double> y) const {
  map_->apply(1.0, Element::dense(map_->domain(), {x.begin(), x.end()}), 0.0, y);
  for (std::size_t i = 0; i < y.size(); ++i) y[i] *= root(i);
}

void DesignOperator::apply_adjoint(std::span<const double> y, std::span<double> x) const {
  std::vector<double> c(y.begin(), y.end());
  for (std::size_t i = 0; i < c.size(); ++i) c[i] *= root(i);
  std::fill(x.begin(), x.end(), 0.0);
  map_->add_adjoint(c, x);
}

void DesignOperator::round_trip(std::span<const double> x, double beta, std::span<double> image,
                                std::span<double> back) const {
  std::vector<double> z(image.size());
  std::fill(back.begin(), back.end(), 0.0);
  const auto middle = [&](Index first, std::span<const double> made, std::span<double> c) {
    for (std::size_t k = 0; k < made.size(); ++k) {
      const std::size_t i = static_cast<std::size_t>(first) + k;
      image[i] = root(i) * made[k] - beta * image[i];
      c[k] = root(i) * image[i];
    }
  };
  map_->round_trip(Element::dense(map_->domain(), {x.begin(), x.end()}), middle, z, back);
}

}  // namespace claros

// SPDX-License-Identifier: BSD-3-Clause
#include "map/array_sums.hpp"
#include "map/column_map.hpp"
#include "map/design_kernels.hpp"

#include <claros/map/design_map.hpp>
#include <claros/element/element.hpp>
#include <claros/element/parallel.hpp>
#include <claros/error.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string>

#include "limits.hpp"

namespace claros {
namespace {

/// The numbers of a point, column-major, times `weight`: in place when it is one dense array, else expanded.
/// Values that a lag left behind are brought up to date first, unless the caller sees to it.
class DensePoint {
 public:
  explicit DensePoint(const Element& x, bool up_to_date = false) {
    if (!up_to_date) x.flush();
    const auto* dense = in_place(x);
    if (dense)
      weight_ = x.lagged_parts().front().weight;
    else
      expanded_ = x.to_dense();
    values_ = dense ? dense->values.view() : std::span<const double>(expanded_);
  }
  DensePoint(const DensePoint&) = delete;
  DensePoint& operator=(const DensePoint&) = delete;
  const double* data() const noexcept { return values_.data(); }
  double weight() const noexcept { return weight_; }
  static const DenseForm* in_place(const Element& x) {
    return x.lagged_parts().size() == 1 ? std::get_if<DenseForm>(&x.lagged_parts().front().form) : nullptr;
  }

 private:
  std::vector<double> expanded_;
  std::span<const double> values_;
  double weight_ = 1.0;
};

/// The sizes that every loop needs.
struct Layout {
  Index cols, outputs;
  bool intercept;
  const double* intercepts(const double* x) const { return x + cols * outputs; }
  double* intercepts(double* g) const { return g + cols * outputs; }
};

template <class F>
decltype(auto) with_rows(const Design& design, F f) {
  if (design.source) design.source->require_unchanged();
  return std::visit([&](const auto& rows) { return f(kernels::view(rows, design.cols)); }, design.entries);
}

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
    for (std::size_t i = 0; i < block.rows().size(); ++i) z[static_cast<Index>(i) * at.outputs + k] = weight * (made[i] + b);
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

/// Rows of a list that a thread takes at a time: some hundred kilobytes of them.
Index list_grain(const Design& design) {
  constexpr Index kBytes = Index{1} << 18;
  const Index row = std::max<Index>(1, design.stored() / design.rows) * (design.is_single() ? 4 : 8);
  return chunk_count(chunk_count(kBytes, row), kernels::kBlock) * kernels::kBlock;
}

/// Outputs in a list, by groups of those that belong to one piece of the variable: body(rows, piece, position).
template <class Body>
void for_groups(std::span<const Index> outputs, Index pieces, Body body) {
  std::array<Index, kernels::kBlock> rows;
  const std::size_t most = pieces == 1 ? rows.size() : 1;
  for (std::size_t k = 0; k < outputs.size(); k += most) {
    const std::size_t count = std::min(most, outputs.size() - k);
    for (std::size_t l = 0; l < count; ++l) rows[l] = outputs[k + l] / pieces;
    body(std::span<const Index>(rows.data(), count), outputs[k] % pieces, k);
  }
}

/// How the rows are cut for sums over them. Each chunk has an array of its own, which is to be small beside its rows: 32 of them at
/// least, and where there are more than eight chunks 512, so that all the arrays are a 512th of a dense design.
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

/// Blocks of the rows [first, last): body(from, count, more), `more` when as many rows follow.
template <class Body>
void for_blocks(const Design& design, Index first, Index last, Body body) {
  const Index length = std::max<Index>(1, design.stored() / design.rows);
  const Index rows = kernels::block_rows(length, design.is_single() ? 4 : 8);
  for (Index i = first; i < last; i += rows) body(i, std::min(rows, last - i), i + 2 * rows <= last);
}

Layout layout(const DesignMap& map) { return {map.design()->cols, map.outputs(), map.has_intercept()}; }

}  // namespace

DesignMap::DesignMap(std::shared_ptr<const Design> design, Shape shape, Index outputs, bool intercept)
    : design_(std::move(design)),
      shape_(std::move(shape)),
      domain_(shape_),
      outputs_(outputs),
      intercept_(intercept) {
  if (shape_.is_product() || shape_.size() != design_->cols * outputs)
    throw Error(ErrorKind::usage, "objective.shape",
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
  if (cheap(x))
    return with_rows(*design_,
                     [&](const auto& rows) { apply_columns(rows, layout(*this), alpha, x, beta, z); });
  const DensePoint point(x);
  const Layout at = layout(*this);
  constexpr Index kGrain = 64;
  with_rows(*design_, [&](const auto& rows) {
    for_chunks(design_->rows, kGrain, [&](Index, Index first, Index last) {
      std::vector<double> made(static_cast<std::size_t>((last - first) * outputs_));
      for (Index i = first; i < last; i += kernels::kBlock)
        images(rows, at, i, std::min<Index>(kernels::kBlock, last - i), point.data(), point.weight(),
               made.data() + (i - first) * outputs_);
      double* out = z.data() + first * outputs_;
      for (std::size_t k = 0; k < made.size(); ++k)
        out[k] = beta == 0.0 ? alpha * made[k] : beta * out[k] + alpha * made[k];
    });
  });
}

void DesignMap::dot(std::span<const Index> outputs, const Element& x, std::span<double> out) const {
  if (outputs.empty()) return;
  const bool touched = touch(outputs, x);
  const DensePoint point(x, touched);
  const Layout at = layout(*this);
  with_rows(*design_, [&](const auto& rows) {
    for_chunks(static_cast<Index>(outputs.size()), list_grain(*design_), [&](Index, Index first, Index last) {
      const auto from = static_cast<std::size_t>(first);
      for_groups(outputs.subspan(from, static_cast<std::size_t>(last - first)), outputs_, [&](std::span<const Index> some, Index piece, std::size_t k) {
        const double b = intercept_ ? at.intercepts(point.data())[piece] : 0.0;
        double* const z = out.data() + from + k;
        kernels::dot(rows, some, point.data() + piece * at.cols, z);
        for (std::size_t l = 0; l < some.size(); ++l) z[l] = point.weight() * (z[l] + b);
      });
    });
  });
}

bool DesignMap::touch(std::span<const Index> outputs, const Element& x) const {
  if (!design_->is_sparse() || !DensePoint::in_place(x)) return false;
  if (!x.lags()) return true;
  SparseRow row;
  for (const Index k : outputs) {
    (void)sparse_row(k, row);
    x.touch(row.columns, row.offset);
    const std::int32_t first = 0;
    if (intercept_) x.touch({&first, 1}, row.tail);
  }
  return true;
}

bool DesignMap::sparse_row(Index k, SparseRow& row) const {
  const Index piece = k % outputs_;
  const auto i = static_cast<std::size_t>(k / outputs_);
  const auto read = [&](const auto& rows) {
    const auto from = static_cast<std::size_t>(rows.start[i]), to = static_cast<std::size_t>(rows.start[i + 1]);
    row.columns = {rows.column.data() + from, to - from};
    row.offset = piece * design_->cols;
    row.tail = intercept_ ? design_->cols * outputs_ + piece : -1;
    return rows.value.data() + from;
  };
  row.values = nullptr, row.singles = nullptr;
  if (const auto* rows = std::get_if<SparseRows<double>>(&design_->entries)) row.values = read(*rows);
  if (const auto* rows = std::get_if<SparseRows<float>>(&design_->entries)) row.singles = read(*rows);
  return row.values || row.singles;
}

namespace {

/// add(array) straight into the array of g where it has no other form: a batch then costs its rows and nothing else.
template <class Add>
void add_dense(const Shape& shape, Element& g, Add add) {
  const bool in_place = std::all_of(g.parts().begin(), g.parts().end(), [](const Part& part) {
    return std::holds_alternative<DenseForm>(part.form);
  });
  if (in_place) return add(g.dense_values());
  Element apart(shape);
  add(apart.dense_values());
  g.add(1.0, apart);
}

/// g += sum_k c[k] a_{rows[k]}, in the order of k for every column: threads share the columns of dense rows.
template <class Real>
void add_list(const kernels::DenseView<Real>& a, std::span<const Index> rows, const double* c, double* g) {
  constexpr Index kBytes = Index{1} << 18, kLeast = 1 << 10;
  const Index grain = std::max(kLeast, kBytes / static_cast<Index>(rows.size() * sizeof(Real)) / kLeast * kLeast);
  for_chunks(a.cols, grain, [&](Index, Index first, Index last) {
    for (std::size_t k = 0; k < rows.size(); k += kernels::kBlock)
      kernels::add(kernels::columns(a, first, last), rows.subspan(k, std::min<std::size_t>(kernels::kBlock, rows.size() - k)), c + k, g + first);
  });
}
template <class Real>
void add_list(const kernels::SparseView<Real>& a, std::span<const Index> rows, const double* c, double* g) {
  kernels::add(a, rows, c, g);
}

}  // namespace

void DesignMap::fold(double a, const AdjointForm& c, Element& g) const {
  add_dense(domain_, g, [&](std::span<double> values) {
    if (!c.full.empty()) {
      std::vector<double> scaled(c.full.view().begin(), c.full.view().end());
      for (double& value : scaled) value *= a;
      add_adjoint(scaled, values);
    }
    if (!c.rows.empty()) add_rows(a, c, values);
  });
}

void DesignMap::add_rows(double a, const AdjointForm& c, std::span<double> g) const {
  const Layout at = layout(*this);
  std::vector<double> weights(c.coefficients);
  for (double& weight : weights) weight *= a;
  with_rows(*design_, [&](const auto& rows) {
    if (outputs_ == 1) return add_list(rows, c.rows, weights.data(), g.data());
    for_groups(c.rows, outputs_, [&](std::span<const Index> some, Index piece, std::size_t k) {
      kernels::add(rows, some, weights.data() + k, g.data() + piece * at.cols);
    });
  });
  if (intercept_)
    for (std::size_t k = 0; k < weights.size(); ++k) at.intercepts(g.data())[c.rows[k] % outputs_] += weights[k];
}

bool DesignMap::fuses_list(Index count) const {
  constexpr Index kCache = Index{1} << 24;  // as much as stays in a cache for a second reading
  return outputs_ == 1 && !design_->is_sparse() && count * design_->cols * (design_->is_single() ? 4 : 8) > kCache;
}

void DesignMap::list_trip(std::span<const Index> rows, const Element& x, const Middle& middle, Element& g) const {
  constexpr Index kGrain = 24;  // rows, to whose array of sums they should be many
  const DensePoint point(x);
  const Layout at = layout(*this);
  const auto block = static_cast<std::size_t>(kernels::block_rows(at.cols, design_->is_single() ? 4 : 8));
  const auto trip = [&](const auto& a, std::span<const Index> list, Index first, double* sum) {
    std::array<double, kernels::kBlock> z, c;
    for (std::size_t k = 0; k < list.size(); k += block) {
      const auto some = list.subspan(k, std::min(block, list.size() - k));
      kernels::dot(a, some, point.data(), z.data());
      const double b = intercept_ ? *at.intercepts(point.data()) : 0.0;
      for (std::size_t l = 0; l < some.size(); ++l) z[l] = point.weight() * (z[l] + b);
      middle(first + static_cast<Index>(k), std::span(z).first(some.size()), std::span(c).first(some.size()));
      kernels::add(a, some, c.data(), sum, k + 2 * block <= list.size() ? list.subspan(k + block, block) : std::span<const Index>());
      for (std::size_t l = 0; intercept_ && l < some.size(); ++l) *at.intercepts(sum) += c[l];
    }
  };
  add_dense(domain_, g, [&](std::span<double> values) {
    with_rows(*design_, [&](const auto& a) {
      sum_arrays(static_cast<Index>(rows.size()), kGrain, values, [&](Index from, Index to, double* partial) {
        trip(a, rows.subspan(static_cast<std::size_t>(from), static_cast<std::size_t>(to - from)), from, partial);
      });
    });
  });
}

bool DesignMap::cheap(const Element& d) const {
  // A column of row-major entries is read with a stride, each number by a cache line of its own.
  constexpr Index kLine = 8;
  if (design_->is_sparse()) return false;
  Index entries = 0;
  for (const Part& part : d.parts()) {
    const auto* sparse = std::get_if<SparseForm>(&part.form);
    if (!sparse) return false;
    entries += sparse->values.size();
  }
  return entries * kLine * outputs_ <= design_->cols;
}

void DesignMap::round_trip(const Element& x, const Middle& middle, std::span<double> z,
                           std::span<double> g) const {
  const DensePoint point(x);
  const Layout at = layout(*this);
  with_rows(*design_, [&](const auto& rows) {
    sum_rows(*design_, g, [&](Index from, Index to, double* partial) {
      std::vector<double> c(static_cast<std::size_t>(kernels::kBlock * outputs_));
      for_blocks(*design_, from, to, [&](Index i, Index count, bool more) {
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

void DesignMap::add_adjoint(std::span<const double> c, std::span<double> g) const {
  const Layout at = layout(*this);
  with_rows(*design_, [&](const auto& rows) {
    sum_rows(*design_, g, [&](Index from, Index to, double* partial) {
      for_blocks(*design_, from, to, [&](Index i, Index count, bool) {
        adjoints(rows, at, i, count, c.data() + i * outputs_, partial, false);
      });
    });
  });
}

std::vector<double> DesignMap::squared_norms() const {
  constexpr Index kGrain = 64;
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
  if (outputs_ > 1) return nullptr;
  std::call_once(columns_made_, [&] {
    if (!design_->is_sparse())
      expect_memory(8.0 * static_cast<double>(design_->stored()), "objective.data",
                    "a copy by columns of the design of " + std::to_string(design_->rows) + " x " + std::to_string(design_->cols),
                    "choose an algorithm that goes by rows");
    columns_ = std::make_shared<const Columns>(columns_of(*design_, intercept_));
  });
  return columns_;
}

MapPtr DesignMap::restricted(std::span<const Index> coordinates) const {
  if (outputs_ > 1) return nullptr;
  if (design_->is_sparse()) return std::make_shared<ColumnMap>(columns()->chosen(coordinates));
  if (!gathered_) gathered_ = std::make_shared<GatheredColumns>();
  return std::make_shared<ColumnMap>(gathered_->chosen(*design_, coordinates));
}

}  // namespace claros

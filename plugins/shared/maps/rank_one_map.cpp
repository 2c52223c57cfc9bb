// SPDX-License-Identifier: BSD-3-Clause
#include <shared/maps/rank_one_map.hpp>

#include <claros/element/element.hpp>
#include <claros/element/sum_arrays.hpp>
#include <shared/maps/rank_one_rows.hpp>

#include <algorithm>
#include <numeric>

namespace claros {

namespace {

double squared_norm(const double* a, Index size) { return std::inner_product(a, a + size, a, 0.0); }

bool pays_dense(const RankOneRows& rows) {
  const double m = static_cast<double>(rows.left_size()), p = static_cast<double>(rows.right_size());
  return m * p / (m + p) <= RankOneMap::kDense;
}

void scale_or_clear(double beta, std::span<double> z) {
  for (double& value : z) value = beta == 0.0 ? 0.0 : beta * value;  // what stands in z may be no number
}

/// c = full + single coefficients, all times a.
std::vector<double> all_coefficients(double a, const AdjointForm& c, Index size) {
  std::vector<double> all(at(size), 0.0);
  if (!c.full.empty())
    std::transform(c.full.view().begin(), c.full.view().end(), all.begin(),
                   [a](double value) { return a * value; });
  for (std::size_t k = 0; k < c.rows.size(); ++k) all[at(c.rows[k])] += a * c.coefficients[k];
  return all;
}

}  // namespace

RankOneMap::RankOneMap(std::shared_ptr<const Design> left, std::shared_ptr<const Design> right,
                       Adjoints adjoints)
    : rows_(std::make_shared<RankOneRows>(std::move(left), std::move(right))),
      dense_(adjoints == Adjoints::automatic ? pays_dense(*rows_) : adjoints == Adjoints::dense) {}

Shape RankOneMap::domain() const { return Shape::matrix(rows_->left_size(), rows_->right_size()); }
Index RankOneMap::size() const { return rows_->count(); }

std::vector<double> RankOneMap::squared_norms() const {
  std::vector<double> norms(at(size()));
  for (Index i = 0; i < size(); ++i) {
    const auto row = rows_->block(i, i + 1);
    norms[at(i)] = squared_norm(row.left, row.rows) * squared_norm(row.right, row.cols);
  }
  return norms;
}

void RankOneMap::apply(double alpha, const Element& x, double beta, std::span<double> z) const {
  scale_or_clear(beta, z);
  if (x.is_zero()) return;
  const rank_one::Point point(x);
  for_chunks(size(), RankOneRows::kBlock, [&](Index, Index first, Index last) {
    point.add_images(alpha, rows_->block(first, last), z.subspan(at(first), at(last - first)));
  });
}

void RankOneMap::dot(std::span<const Index> rows, const Element& x, std::span<double> out) const {
  scale_or_clear(0.0, out);
  if (x.is_zero()) return;
  const rank_one::Point point(x);
  for_chunks(static_cast<Index>(rows.size()), RankOneRows::kBlock, [&](Index, Index first, Index last) {
    const auto from = at(first), count = at(last - first);
    const RankOneRows some = rows_->gathered(rows.subspan(from, count));
    point.add_images(1.0, some.block(0, some.count()), out.subspan(from, count));
  });
}

void RankOneMap::fold(double a, const AdjointForm& c, Element& g) const {
  const bool few = c.full.empty();
  auto rows = few ? std::make_shared<const RankOneRows>(rows_->gathered(c.rows)) : rows_;
  std::vector<double> weights = few ? c.coefficients : all_coefficients(1.0, c, size());
  auto op = std::make_shared<RankOneOperator>(std::move(rows), std::move(weights));
  if (!dense_) return g.add(a, Element::from_operator(std::move(op)));
  std::vector<double> values(at(domain().size()));
  op->entries(values);
  g.add(a, Element::dense(domain(), std::move(values)));
}

bool RankOneMap::cheap(const Element& d) const {
  const Index m = rows_->left_size(), p = rows_->right_size();
  const bool known = std::all_of(d.parts().begin(), d.parts().end(), [&](const Part& part) {
    const auto* sparse = std::get_if<SparseForm>(&part.form);
    return std::holds_alternative<LowRankForm>(part.form) ||
           (sparse && rank_one::Point::are_few(*sparse, d.shape()));
  });
  return known && 2 * d.columns() * (m + p) <= std::max(m * p, 2 * (m + p));
}

void RankOneMap::round_trip(const Element& x, const Middle& middle, std::span<double> z,
                            std::span<double> g) const {
  const rank_one::Point point(x);
  sum_arrays(size(), rows_->sum_grain(), g, [&](Index from, Index to, double* partial) {
    std::vector<double> c(at(RankOneRows::kBlock));
    RankOneRows::for_blocks(from, to, [&](Index first, Index last) {
      const auto rows = rows_->block(first, last);
      const auto count = at(last - first);
      const auto image = z.subspan(at(first), count), some = std::span<double>(c).first(count);
      scale_or_clear(0.0, image);
      point.add_images(1.0, rows, image);
      middle(first, image, some);
      rank_one::add_adjoint(rows, some, partial);
    });
  });
}

void RankOneMap::add_adjoint(std::span<const double> c, std::span<double> g) const {
  std::vector<double> values(g.size());
  RankOneOperator(rows_, {c.begin(), c.end()}).entries(values);
  for (std::size_t k = 0; k < g.size(); ++k) g[k] += values[k];
}

}  // namespace claros

// SPDX-License-Identifier: BSD-3-Clause
#include "draws.hpp"

#include <claros/element/parallel.hpp>
#include <claros/map/design_map.hpp>
#include <shared/losses/gaussian_rows.hpp>
#include <shared/maps/rank_one_map.hpp>

#include <array>
#include <memory>
#include <utility>

namespace matrix_sensing {

using namespace claros;

namespace {

Design rows_of(Index rows, Index cols, DenseRows<double> entries) {
  Design design;
  design.rows = rows;
  design.cols = cols;
  design.entries = std::move(entries);
  return design;
}

}  // namespace

Draws::Draws(Kind kind, Element truth, double noise, std::uint64_t seed, std::uint32_t trial,
             std::uint32_t family)
    : kind_(kind), truth_(std::move(truth)), noise_(noise), seed_(seed), trial_(trial), family_(family) {}

Index Draws::length() const noexcept {
  const Shape& X = truth_.shape();
  return kind_ == Kind::dense ? X.size() : kind_ == Kind::rank_one ? X.rows + X.cols : X.rows;
}

/// fill_normal takes positions in pairs.
void Draws::fill(Side side, Index i, std::span<double> row) const {
  RandomStream stream(seed_, Purpose::draws, (family_ * kSides + side) | trial_ << 16);
  stream.seek(static_cast<std::uint64_t>(i) * (row.size() + row.size() % 2));
  stream.fill_normal(row);
}

Measurements Draws::of(const Batch& batch, Index first, Index last) {
  constexpr Index kGrain = 16;
  const auto rows = [&](Side side, Index cols, std::vector<double>& values) {
    values.resize(static_cast<std::size_t>((last - first) * cols));
    for_chunks(last - first, kGrain, [&](Index, Index from, Index to) {
      for (Index k = from; k < to; ++k)
        fill(side, batch[first + k],
             std::span(values).subspan(static_cast<std::size_t>(k * cols), static_cast<std::size_t>(cols)));
    });
    return rows_of(last - first, cols, {{}, values});
  };
  const Shape X = shape();
  Design left = rows(kLeft, kind_ == Kind::dense ? X.size() : X.rows, left_);
  return measured(std::move(left), kind_ == Kind::rank_one ? rows(kRight, X.cols, right_) : Design(), batch,
                  first);
}

Measurements Draws::kept(Index count) {
  const auto rows = [&](Side side, Index cols) {
    return rows_of(count, cols,
                   sdk::made_rows<double>(
                       count, cols, [&](Index i, std::span<double> row) { fill(side, i, row); }, "held_out",
                       "lower it"));
  };
  const Shape X = shape();
  Design left = rows(kLeft, kind_ == Kind::dense ? X.size() : X.rows);
  return measured(std::move(left), kind_ == Kind::rank_one ? rows(kRight, X.cols) : Design(),
                  Batch::range(0, count), 0);
}

/// The responses, by the map that the rows are.
Measurements Draws::measured(Design left, Design right, const Batch& batch, Index first) const {
  const Shape X = shape();
  auto rows = std::make_shared<Design>(std::move(left));
  Measurements made{kind_, X.rows, X.cols, rows,
                    right.rows > 0 ? std::make_shared<const Design>(std::move(right)) : nullptr};
  rows->response.resize(static_cast<std::size_t>(rows->rows));
  if (kind_ == Kind::dense)
    DesignMap(rows, X).apply(1.0, truth_, 0.0, rows->response);
  else
    RankOneMap(rows, made.right, RankOneMap::Adjoints::products).apply(1.0, truth_, 0.0, rows->response);
  for (Index k = 0; noise_ > 0.0 && k < rows->rows; ++k) {
    std::array<double, 2> pair;
    fill(kNoise, batch[first + k], pair);
    rows->response[static_cast<std::size_t>(k)] += noise_ * pair[0];
  }
  return made;
}

}  // namespace matrix_sensing

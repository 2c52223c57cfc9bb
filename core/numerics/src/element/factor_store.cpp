// SPDX-License-Identifier: BSD-3-Clause
#include <claros/element/factor_store.hpp>
#include <claros/error.hpp>

#include <utility>

namespace claros {

namespace {

Error misfit(Index u, Index v, Index rows, Index cols) {
  return Error(ErrorKind::usage, "factor store",
               "columns of lengths " + std::to_string(u) + " and " + std::to_string(v) + " do not fit " +
                   std::to_string(rows) + " x " + std::to_string(cols));
}

bool holds(const FactorStore::Column& c, Index length) {
  return c.offset >= 0 && c.offset <= c.array.size() && length <= c.array.size() - c.offset;
}

std::span<const double> whole(const FactorStore::Column& first, Index length) {
  if (first.offset != 0 || length > first.array.size())
    throw Error(ErrorKind::usage, "factor store", "its columns do not lie one after the other",
                "recompress the element first");
  return first.array.view().first(static_cast<std::size_t>(length));
}

}  // namespace

FactorStore::FactorStore(Index rows, Index cols, Buffer lefts, Buffer rights) : FactorStore(rows, cols) {
  const Index count = rows > 0 ? lefts.size() / rows : 0;
  if (lefts.size() != count * rows || rights.size() != count * cols)
    throw misfit(lefts.size(), rights.size(), rows, cols);
  for (Index k = 0; k < count; ++k) pairs_.push_back({{lefts, k * rows}, {rights, k * cols}});
}

Index FactorStore::append(std::span<const double> u, std::span<const double> v) {
  if (static_cast<Index>(u.size()) != rows_ || static_cast<Index>(v.size()) != cols_)
    throw misfit(static_cast<Index>(u.size()), static_cast<Index>(v.size()), rows_, cols_);
  return append(Pair{{Buffer(std::vector<double>(u.begin(), u.end())), 0},
                     {Buffer(std::vector<double>(v.begin(), v.end())), 0}});
}

Index FactorStore::append(Pair pair) {
  if (!holds(pair.left, rows_) || !holds(pair.right, cols_))
    throw misfit(pair.left.array.size(), pair.right.array.size(), rows_, cols_);
  pairs_.push_back(std::move(pair));
  return count() - 1;
}

bool FactorStore::shares(Index k, const FactorStore& other, Index l) const noexcept {
  if (k < 0 || k >= count()) return false;
  const Pair &mine = pairs_[static_cast<std::size_t>(k)], &theirs = other.pairs_[static_cast<std::size_t>(l)];
  return mine.left.same(theirs.left) && mine.right.same(theirs.right);
}

std::span<const double> FactorStore::lefts(Index count) const {
  return count == 0 ? std::span<const double>() : whole(pairs_.front().left, count * rows_);
}
std::span<const double> FactorStore::rights(Index count) const {
  return count == 0 ? std::span<const double>() : whole(pairs_.front().right, count * cols_);
}

}  // namespace claros

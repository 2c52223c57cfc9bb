// SPDX-License-Identifier: BSD-3-Clause
#include <claros/error.hpp>
#include <claros/factor_store.hpp>

#include <algorithm>

namespace claros {

Index FactorStore::append(std::span<const double> u, std::span<const double> v) {
  if (static_cast<Index>(u.size()) != rows_ || static_cast<Index>(v.size()) != cols_)
    throw Error(ErrorKind::usage, "factor store", "a column pair of lengths " + std::to_string(u.size()) + " and " + std::to_string(v.size()) +
                                                      " does not fit " + std::to_string(rows_) + " x " + std::to_string(cols_));
  // u and v may lie in this very store: grow first, then copy from where they are now.
  const bool own_left = !left_.empty() && u.data() >= left_.data() && u.data() < left_.data() + left_.size();
  const bool own_right = !right_.empty() && v.data() >= right_.data() && v.data() < right_.data() + right_.size();
  const auto left_offset = own_left ? u.data() - left_.data() : 0;
  const auto right_offset = own_right ? v.data() - right_.data() : 0;
  const auto grow = [](std::vector<double>& columns, Index length) {
    const auto needed = columns.size() + static_cast<std::size_t>(length);
    if (columns.capacity() < needed) columns.reserve(needed + needed / 2);
    columns.resize(needed);
  };
  grow(left_, rows_);
  grow(right_, cols_);
  const double* from_u = own_left ? left_.data() + left_offset : u.data();
  const double* from_v = own_right ? right_.data() + right_offset : v.data();
  std::copy(from_u, from_u + rows_, left_.end() - rows_);
  std::copy(from_v, from_v + cols_, right_.end() - cols_);
  return count_++;
}

}  // namespace claros

// SPDX-License-Identifier: BSD-3-Clause
/// @file numpy_archive.hpp  Several arrays in a zip archive (.npz), by numpy.savez or scipy.sparse.save_npz.
#pragma once

#include <claros/io/triplets.hpp>
#include "io/numpy_array.hpp"

#include <memory>

namespace claros {

/// Members stored or deflated; their check sums are verified. Error(data) for a damaged archive.
class NumpyArchive {
 public:
  explicit NumpyArchive(const std::filesystem::path& path);

  /// The arrays, without the ending .npy.
  const std::vector<std::string>& names() const noexcept { return names_; }
  bool has(const std::string& name) const;
  NumpyArray open(const std::string& name) const;
  /// Throws an Error that lists the members.
  [[noreturn]] void fail_missing(const std::string& expected) const;

  /// True if the members are those of a sparse matrix: data and shape, with row and col, or indices and
  /// indptr.
  bool is_sparse() const;
  /// Its entries, in any order. The layout (csr, csc, coo) is that of the member `format`; if there is
  /// none, row and col are coo. Error for indices that do not fit the shape.
  Triplets sparse() const;

 private:
  struct Zip;
  std::string list() const;
  std::string path_;
  std::shared_ptr<Zip> zip_;
  std::vector<std::string> names_;
};

}  // namespace claros

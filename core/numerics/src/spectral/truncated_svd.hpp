// SPDX-License-Identifier: BSD-3-Clause
/// @file truncated_svd.hpp  The functions that the engines of truncated_svd share.
#pragma once

#include "spectral/shorter_side.hpp"

namespace claros::detail {

/// The triplets of B restricted to the span of `count` orthonormal columns (shorter x count). The images of
/// the columns are orthogonal, as those of eigenvectors or Ritz vectors of B'B are.
TruncatedSvd triplets_of_ritz_vectors(const ShorterSide& b, Index count, std::vector<double> shorter);

/// `count` zero singular values with columns of the identity.
TruncatedSvd zero_triplets(const ShorterSide& b, Index count);

TruncatedSvd arpack_svd(const ShorterSide& b, Index count, const TruncatedSvdOptions& options,
                        RandomStream& stream);
TruncatedSvd arpack_eigen(const LinearOperator& a, Index count, const TruncatedSvdOptions& options,
                          RandomStream& stream);
TruncatedSvd dense_gram_svd(const LinearOperator& a, Index count);

/// The leading `count` triplets of a full decomposition of all entries.
TruncatedSvd dense_entries_svd(const LinearOperator& a, Index count);

}  // namespace claros::detail

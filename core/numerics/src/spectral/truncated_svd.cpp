// SPDX-License-Identifier: BSD-3-Clause
#include "spectral/truncated_svd.hpp"

#include <algorithm>
#include <utility>

namespace claros {

namespace detail {

namespace {

/// Orthogonality of the images is lost as eps (sigma_1 / sigma_k)^2: below this ratio the images are
/// decomposed.
constexpr double kSafeRatio = 1e-3;

std::vector<double> image_norms(const ShorterSide& b, Index count, std::span<const double> images) {
  std::vector<double> norms(size(count));
  const std::size_t longer = size(b.longer());
  for (std::size_t j = 0; j < norms.size(); ++j) norms[j] = b.finite_norm(images.subspan(j * longer, longer));
  return norms;
}

TruncatedSvd decompose_images(const ShorterSide& b, Index count, std::span<const double> images,
                              std::span<const double> shorter) {
  TruncatedSvd small = dense_svd(b.longer(), count, images);
  TruncatedSvd result;
  result.count = count;
  result.s = std::move(small.s);
  std::vector<double> rotated(shorter.size());
  Matrix(rotated.data(), b.shorter(), count).noalias() =
      ConstMatrix(shorter.data(), b.shorter(), count) * ConstMatrix(small.v.data(), count, count);
  b.deliver(std::move(small.u), std::move(rotated), result);
  return result;
}

}  // namespace

TruncatedSvd triplets_of_ritz_vectors(const ShorterSide& b, Index count, std::vector<double> shorter) {
  std::vector<double> images(size(b.longer() * count));
  b.apply_block(shorter, count, images);
  const std::vector<double> norms = image_norms(b, count, images);
  // Values that agree to rounding may come in either order.
  const bool sorted = std::is_sorted(norms.rbegin(), norms.rend());
  if (!sorted || !(norms.back() > kSafeRatio * norms.front()))
    return decompose_images(b, count, images, shorter);
  Matrix columns(images.data(), b.longer(), count);
  for (Index j = 0; j < count; ++j) columns.col(j) /= norms[size(j)];
  TruncatedSvd result;
  result.count = count;
  result.s = norms;
  b.deliver(std::move(images), std::move(shorter), result);
  return result;
}

TruncatedSvd zero_triplets(const ShorterSide& b, Index count) {
  TruncatedSvd result;
  result.count = count;
  result.s.assign(size(count), 0.0);
  std::vector<double> longer(size(b.longer() * count)), shorter(size(b.shorter() * count));
  Matrix(longer.data(), b.longer(), count).setIdentity();
  Matrix(shorter.data(), b.shorter(), count).setIdentity();
  b.deliver(std::move(longer), std::move(shorter), result);
  return result;
}

}  // namespace detail

namespace {

TruncatedSvd lanczos_svd(const LinearOperator& a, Index count, const TruncatedSvdOptions& options,
                         RandomStream& stream) {
  if (count != 1)
    throw Error(ErrorKind::usage, "truncated_svd", "engine lanczos with count = " + std::to_string(count),
                "it finds one triplet; use the engine arpack");
  LanczosOptions lanczos;
  lanczos.tolerance = options.tolerance;
  lanczos.max_matvecs = options.max_matvecs;
  lanczos.warm_vectors = 0;
  LeadingPair pair = leading_singular_pair(a, lanczos, stream);
  return {1, std::move(pair.u), {pair.sigma}, std::move(pair.v), pair.matvecs, pair.converged};
}

}  // namespace

TruncatedSvd truncated_svd(const LinearOperator& a, Index count, SpectralEngine engine,
                           const TruncatedSvdOptions& options, RandomStream& stream) {
  const detail::ShorterSide b(a, "truncated_svd");
  if (count < 1 || count > b.shorter())
    throw Error(ErrorKind::usage, "truncated_svd",
                "count = " + std::to_string(count) + " triplets of a " + std::to_string(a.rows()) + " x " +
                    std::to_string(a.cols()) + " operator",
                "at least 1 and at most " + std::to_string(b.shorter()));
  switch (engine) {
    case SpectralEngine::lanczos:
      return lanczos_svd(a, count, options, stream);
    case SpectralEngine::dense:
      return detail::dense_entries_svd(a, count);
    case SpectralEngine::dense_gram:
      return detail::dense_gram_svd(a, count);
    case SpectralEngine::arpack:
      break;
  }
  return count < b.shorter() ? detail::arpack_svd(b, count, options, stream)
                             : detail::dense_gram_svd(a, count);
}

TruncatedSvd truncated_eigen(const LinearOperator& a, Index count, const TruncatedSvdOptions& options,
                             RandomStream& stream) {
  if (a.rows() != a.cols() || count < 1 || count > a.rows())
    throw Error(ErrorKind::usage, "truncated_eigen",
                "count = " + std::to_string(count) + " of a " + std::to_string(a.rows()) + " x " +
                    std::to_string(a.cols()) + " operator",
                "a symmetric operator is square, and has at least 1 and at most as many eigenpairs as rows");
  if (count < a.rows() && a.rows() > 2) return detail::arpack_eigen(a, count, options, stream);
  TruncatedSvd all = dense_eigen(a);
  all.s.resize(static_cast<std::size_t>(count));
  all.u.resize(static_cast<std::size_t>(count * a.rows()));
  all.v = all.u;
  all.count = count;
  return all;
}

bool is_full_svd_out_of_reach(const Shape& shape) noexcept {
  constexpr double kMostWork = 2e10, kLargeSide = 640.0;
  const auto m = static_cast<double>(std::max(shape.rows, shape.cols)),
             n = static_cast<double>(std::min(shape.rows, shape.cols));
  return n >= kLargeSide && m * n * n + 9.0 * n * n * n > kMostWork;
}

}  // namespace claros

// SPDX-License-Identifier: BSD-3-Clause
#include <shared/sets/face.hpp>

#include <claros/error.hpp>

#include <Eigen/Eigenvalues>

namespace claros::sdk {

ThinSvd ThinSvd::semidefinite() const {
  const Eigen::Map<const Eigen::VectorXd> values(s.data(), rank());
  const Eigen::MatrixXd core = values.asDiagonal() * (V().transpose() * U());
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(0.5 * (core + core.transpose()));
  ThinSvd part;
  part.rows = part.cols = rows;
  for (Index k = rank(); k-- > 0 && eigen.eigenvalues()(k) > kZero * eigen.eigenvalues()(rank() - 1);) {
    const Eigen::VectorXd column = U() * eigen.eigenvectors().col(k);
    part.u.insert(part.u.end(), column.begin(), column.end());
    part.s.push_back(eigen.eigenvalues()(k));
  }
  part.v = part.u;
  return part;
}

FaceVertex::FaceVertex(const ElementOperator& G, const ThinSvd& x) {
  Eigen::MatrixXd image(x.rows, x.rank());
  G.apply_block(x.v, x.rank(), {image.data(), static_cast<std::size_t>(image.size())});
  const Eigen::MatrixXd core = x.U().transpose() * image;
  if (!core.allFinite())
    throw Error(ErrorKind::numerical, "", "the direction of an in-face step is not finite",
                "check the data for such values, or try a smaller step");
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(0.5 * (core + core.transpose()));
  value = eigen.eigenvalues()(x.rank() - 1);
  w = eigen.eigenvectors().col(x.rank() - 1);
}

double longest_within_ball(const ThinSvd& x, double t, std::span<const double> p, std::span<const double> q) {
  constexpr double kAccuracy = 1e-12;
  const Index r = x.rank();
  const auto coordinates = [r](const ThinSvd::Map& basis, std::span<const double> vector) {
    const Eigen::Map<const Eigen::VectorXd> whole(vector.data(), static_cast<Index>(vector.size()));
    Eigen::VectorXd inside(r + 1);
    inside.head(r) = basis.transpose() * whole;
    inside(r) = (whole - basis * inside.head(r)).norm();
    return inside;
  };
  const Eigen::VectorXd left = coordinates(x.U(), p), right = coordinates(x.V(), q);
  const auto sum_at = [&](double b) {
    Eigen::MatrixXd core = -b * t * left * right.transpose();
    for (Index k = 0; k < r; ++k) core(k, k) += (1.0 + b) * x.s[static_cast<std::size_t>(k)];
    const TruncatedSvd svd = dense_svd(r + 1, r + 1, {core.data(), static_cast<std::size_t>(core.size())});
    return std::accumulate(svd.s.begin(), svd.s.end(), 0.0);
  };
  double low = 0.0, high = (t + x.sum()) / (t - x.sum());  // there b t - (1 + b) sum s = t
  while (high - low > kAccuracy * high) {
    const double middle = 0.5 * (low + high);
    (sum_at(middle) <= t ? low : high) = middle;
  }
  return low;
}

}  // namespace claros::sdk

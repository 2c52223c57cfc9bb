// SPDX-License-Identifier: BSD-3-Clause
#include "proof/recession.hpp"

#include <claros/abilities.hpp>
#include <claros/map/columns.hpp>

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace claros {

namespace {

using Vector = Eigen::VectorXd;

/// The part of x that rows with curvature do not see, in columns of length 1; `length` <- theirs.
Vector unseen_part(LossOfImage& f, const Element& x, Vector& length) {
  constexpr double kVanished = 1e-3, kUnseen = 1e-11;
  constexpr Index kMost = 500;
  const auto columns = f.map()->columns();
  const Index p = length.size();
  if (!columns || p > kMost || columns->count() != p) return {};
  const auto z = x.image(f.map());
  std::vector<double> seen(z.size()), at_zero(z.size(), 0.0);
  f.image_curvature(z, seen);
  f.image_curvature(std::vector<double>(z.size(), 0.0), at_zero);
  for (std::size_t i = 0; i < z.size(); ++i) seen[i] = seen[i] > kVanished * at_zero[i] ? 1.0 : 0.0;
  for (Index j = 0; j < p; ++j) {
    length[j] = std::sqrt(columns->weighted_square(j, std::vector<double>(z.size(), 1.0)));
    if (!(length[j] > 0.0)) length[j] = 1.0;
  }
  const std::vector<double> gram = columns->gram(seen);
  Eigen::MatrixXd G = Eigen::Map<const Eigen::MatrixXd>(gram.data(), p, p);
  G = length.cwiseInverse().asDiagonal() * G * length.cwiseInverse().asDiagonal();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(G);
  const std::vector<double> values = x.to_dense();
  const Vector scaled = Eigen::Map<const Vector>(values.data(), p).cwiseProduct(length);
  Vector d = Vector::Zero(p);
  for (Index k = 0; k < p; ++k)
    if (eigen.eigenvalues()[k] <= kUnseen)
      d += eigen.eigenvectors().col(k).dot(scaled) * eigen.eigenvectors().col(k);
  return d;
}

/// True if f falls from x towards y, by the rows that the step moves most, beyond rounding. Columns that
/// depend on others move none.
bool falls(LossOfImage& loss, const Element& x, const Element& y) {
  constexpr double kUnmoved = 1e-6, kShare = 1e-6, kUnseenMove = 1e-3;
  const auto from = x.image(loss.map()), to = y.image(loss.map());
  std::vector<double> c(from.size());
  loss.image_gradient({}, from, c);
  double slope = 0.0, size = 0.0, moved = 0.0, largest = 0.0;
  for (std::size_t i = 0; i < c.size(); ++i) {
    moved = std::max(moved, std::abs(to[i] - from[i]));
    largest = std::max(largest, std::abs(from[i]));
  }
  for (std::size_t i = 0; i < c.size(); ++i)
    if (const double step = to[i] - from[i]; std::abs(step) > kUnseenMove * moved) {
      slope += c[i] * step;
      size += std::abs(c[i] * step);
    }
  return moved > kUnmoved * largest && slope < -kShare * size;
}

}  // namespace

std::string recession(const Problem& problem, const Element& x,
                      const std::function<double(const Element&)>& value) {
  constexpr double kRounding = 1e-13, kShare = 1e-6;
  const std::vector<double> at = x.to_dense();
  const Index p = static_cast<Index>(at.size());
  auto* loss = query<LossOfImage>(*problem.objective);
  if (!loss) return {};
  Vector length = Vector::Ones(p);
  const Vector d = unseen_part(*loss, x, length);
  const Vector scaled = Eigen::Map<const Vector>(at.data(), p).cwiseProduct(length);
  if (d.size() == 0 || !(d.norm() > kShare * scaled.norm())) return {};
  const auto moved = [&](double times) {
    std::vector<double> to(at);
    for (Index j = 0; j < p; ++j) to[static_cast<std::size_t>(j)] += times * d[j] / length[j];
    return Element::dense(x.shape(), std::move(to));
  };
  const double here = value(x);
  if (!falls(*loss, x, moved(1.0)) || !falls(*loss, moved(1.0), moved(2.0))) return {};
  for (const double times : {1.0, 10.0, 100.0, 1000.0})
    if (!(value(moved(times)) <= here + kRounding * std::abs(here))) return {};
  std::vector<Index> order(at.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::ranges::sort(order, [&](Index a, Index b) { return std::abs(d[a]) > std::abs(d[b]); });
  auto* tail = query<FreeTail>(*problem.objective);
  const Index head = tail ? tail->constrained_shape().size() : p;
  std::string named;
  for (std::size_t k = 0; k < std::min<std::size_t>(3, order.size()); ++k) {
    const Index j = order[k];
    if (std::abs(d[j]) < 0.01 * std::abs(d[order[0]])) break;
    named += (k > 0 ? ", " : "") + (j < head ? "coefficient " + std::to_string(j + 1) : "the intercept") +
             (d[j] > 0.0 ? " up" : " down");
  }
  return "the infimum is not attained: the value falls for ever along a direction (" + named +
         "), as where columns separate the classes, or a category has no event";
}

}  // namespace claros

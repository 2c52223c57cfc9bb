// SPDX-License-Identifier: BSD-3-Clause
#include "proof/recession.hpp"

#include <claros/abilities.hpp>
#include <claros/linear_predictor.hpp>
#include <claros/map/columns.hpp>
#include <claros/watch/watched.hpp>

#include <Eigen/Dense>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

namespace claros {

namespace {

using Vector = Eigen::VectorXd;

/// True if every row of the image has a curvature of its own, and A its columns.
bool is_by_rows(Objective& f) {
  auto* loss = query<LossOfImage>(f);
  if (!loss || f.terms() != loss->map()->size()) return false;
  const auto columns = loss->map()->columns();
  return columns && columns->count() == f.shape().size();
}

Eigen::MatrixXd hessian(Objective& f, const Element& x) {
  const Index p = x.shape().size();
  if (is_by_rows(f)) {
    auto* loss = query<LossOfImage>(f);
    std::vector<double> curvature(static_cast<std::size_t>(loss->map()->size()));
    loss->image_curvature(x.image(loss->map()), curvature);
    const std::vector<double> gram = loss->map()->columns()->gram(curvature);
    return Eigen::Map<const Eigen::MatrixXd>(gram.data(), p, p);
  }
  const auto at_x = query<Curvature>(f)->hessian(x, Batch::all());
  Eigen::MatrixXd H(p, p);
  for (Index j = 0; j < p; ++j) {
    std::vector<double> axis(static_cast<std::size_t>(p), 0.0);
    axis[static_cast<std::size_t>(j)] = 1.0;
    Element product(x.shape());
    at_x->add_product(Element::dense(x.shape(), std::move(axis)), 1.0, product);
    const std::vector<double> values = product.to_dense();
    H.col(j) = Eigen::Map<const Vector>(values.data(), p);
  }
  return H;
}

/// True if the Hessian takes no longer than some passes of a fit.
bool is_cheap(Objective& f) {
  constexpr double kMostWork = 2e8;
  if (is_by_rows(f)) return true;
  auto* rows = query<TermCoefficients>(f);
  auto* loss = query<LossOfImage>(f);
  const MapPtr map = rows ? rows->map() : loss ? loss->map() : nullptr;
  const auto p = static_cast<double>(f.shape().size());
  return map && query<LinearPredictor>(f) && query<Curvature>(f) &&
         p * p * static_cast<double>(map->size()) <= kMostWork;
}

/// Returns parts of x along which the curvature of f has nearly vanished beside that at 0, by some shares.
/// They are in columns of length 1; `length` <- theirs. Further out it vanishes more, which tells them apart
/// from the rest of x to the last digits. If f has none at 0 it never had one. If it has none at x it may be
/// constant.
std::vector<Vector> flat_parts(Objective& f, const Element& x, Vector& length) {
  constexpr double kFar = 2.0, kNever = 1e-9, kNone = 1e-16, kVanished = 1e-2;
  const Index p = length.size();
  const Eigen::MatrixXd at_zero = hessian(f, Element(x.shape())), at_x = hessian(f, x);
  length = at_zero.diagonal().cwiseMax(0.0).cwiseSqrt();
  length = (length.array() > 0.0).select(length, 1.0);
  const std::vector<double> values = x.to_dense();
  const Vector at = Eigen::Map<const Vector>(values.data(), p), per = length.cwiseInverse();
  const auto part = [&](const Eigen::MatrixXd& H, double flat) {
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(per.asDiagonal() * H * per.asDiagonal());
    Vector d = Vector::Zero(p);
    for (Index k = 0; k < p && eigen.eigenvalues()[k] <= flat; ++k)
      d += eigen.eigenvectors().col(k).dot(at.cwiseProduct(length)) * eigen.eigenvectors().col(k);
    return d;
  };
  std::vector<Vector> found;
  for (const double flat : {1e-3, 1e-5}) {
    const Vector near = part(at_x, flat), far = at + kFar * near.cwiseProduct(per);
    if (near.squaredNorm() == 0.0) continue;
    const Vector d = part(hessian(f, Element::dense(x.shape(), {far.begin(), far.end()})), flat),
                 move = d.cwiseProduct(per);
    const double before = move.dot(at_zero * move), now = move.dot(at_x * move), square = d.squaredNorm();
    if (before > kNever * square && now > kNone * square && now <= kVanished * before) found.push_back(d);
  }
  return found;
}

/// The coordinate in the words of the data.
std::string name_of(Objective& f, Index j) {
  auto* predictor = query<LinearPredictor>(f);
  auto* tail = query<FreeTail>(f);
  const Index head = tail ? tail->constrained_shape().size() : f.shape().size();
  if (!predictor) return j < head ? "coefficient " + std::to_string(j + 1) : "the intercept";
  const LinearTraining& model = predictor->linear_training();
  const Index column = j < head ? j % model.features : -1, output = j < head ? j / model.features : j - head;
  const auto place = static_cast<std::size_t>(column);
  const std::string name = column < 0              ? "the intercept"
                           : model.columns.empty() ? "coefficient " + std::to_string(column + 1)
                                                   : model.columns[place];
  if (model.outputs < 2) return name;
  const auto k = static_cast<std::size_t>(output);
  if (k < model.responses.size()) return name + " of " + model.responses[k];
  return name + " of class " + (k < model.classes.size() ? model.classes[k] : std::to_string(output + 1));
}

}  // namespace

std::string recession(const Problem& problem, const Element& x,
                      const std::function<double(const Element&)>& value) {
  constexpr double kRounding = 1e-13, kShare = 1e-6;
  constexpr Index kMost = 500;
  const Uncounted measuring(*problem.ledger);
  Objective& f = *problem.objective;
  const std::vector<double> at = x.to_dense();
  const Index p = static_cast<Index>(at.size());
  if (p > kMost || !is_cheap(f)) return {};
  Vector length = Vector::Ones(p);
  const std::vector<Vector> directions = flat_parts(f, x, length);
  const double size = Eigen::Map<const Vector>(at.data(), p).cwiseProduct(length).norm(), here = value(x);
  const auto falls_for_ever = [&](const Vector& d) {
    return d.norm() > kShare * size &&
           std::ranges::all_of(std::array{1.0, 10.0, 100.0, 1000.0}, [&](double times) {
             std::vector<double> to(at);
             for (Index j = 0; j < p; ++j) to[static_cast<std::size_t>(j)] += times * d[j] / length[j];
             return value(Element::dense(x.shape(), std::move(to))) <= here + kRounding * std::abs(here);
           });
  };
  const auto found = std::ranges::find_if(directions, falls_for_ever);
  if (found == directions.end()) return {};
  const Vector& d = *found;
  std::vector<Index> order(at.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::ranges::stable_sort(order, [&](Index a, Index b) { return std::abs(d[a]) > std::abs(d[b]); });
  std::string named;
  for (std::size_t k = 0; k < std::min<std::size_t>(3, order.size()); ++k) {
    const Index j = order[k];
    if (std::abs(d[j]) < 0.01 * std::abs(d[order[0]])) break;
    named += (k > 0 ? ", " : "") + name_of(f, j) + (d[j] > 0.0 ? " up" : " down");
  }
  return "the infimum is not attained: the value falls for ever along a direction (" + named +
         "), as where columns separate the classes, or a category has no event";
}

}  // namespace claros

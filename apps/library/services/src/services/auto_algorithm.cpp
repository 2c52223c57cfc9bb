// SPDX-License-Identifier: BSD-3-Clause
#include "services/services.hpp"

#include <claros/abilities.hpp>
#include <claros/corners.hpp>
#include <claros/linear_oracle.hpp>
#include <claros/map/columns.hpp>
#include <claros/map/linear_map.hpp>
#include <claros/objective.hpp>
#include <claros/proximal_oracle.hpp>
#include <claros/random.hpp>
#include <claros/spectral/spectral.hpp>

#include <cmath>

namespace claros {

namespace {

// Coordinates for Newton steps, which know no units of columns, and entries that they copy: a gigabyte.
constexpr Index kFew = 200, kMostEntries = 1 << 27;
// Coordinates whose Newton steps cost no more than the gradients of L-BFGS, with h smooth.
constexpr Index kVeryFew = 50;

/// True if solutions are 0 in most blocks, as with a penalty that has a corner at 0, and so a lambda_max.
bool is_sparse(const Problem& p, Component* penalty) {
  return p.separable && penalty && query<LambdaMax>(*penalty) && std::isfinite(p.penalty->weak_convexity());
}

/// For a spectral set stochastic steps need every singular value of a new matrix above a threshold, with
/// proof.
bool is_expensive(const Problem& p) {
  if (query<ProximalOracle>(*p.set)->is_expensive()) return true;
  const auto* tail = query<FreeTail>(*p.objective);
  const Shape shape = tail ? tail->constrained_shape() : p.objective->shape();
  return !p.estimator->exact() && p.linear_oracle && query<SpectralGap>(*p.set) && !shape.is_product() &&
         is_full_svd_out_of_reach(shape);
}

/// Few coordinates, each with few entries.
bool is_small(Objective& f) {
  return f.shape().size() <= kFew && f.shape().size() * f.terms() <= kMostEntries;
}

/// True if h = lambda ||X||_* alone, whose conjugate is infinite above lambda: norms of factors replace it.
/// Proximal steps of a matrix that is decomposed whole are no more work than those of factors.
bool is_nuclear(const Problem& p, Component* penalty) {
  constexpr std::string_view kSpectralSum = "claros.sdk.spectral-sum/1";  // of plugins/shared
  if (!p.penalty || p.set || !penalty || !penalty->ability(kSpectralSum) || !p.conjugate) return false;
  const Shape shape = p.objective->shape();
  if (shape.is_product() || !is_full_svd_out_of_reach(shape)) return false;
  const std::vector<double> left(static_cast<std::size_t>(shape.rows), 1.0),
      right(static_cast<std::size_t>(shape.cols), 1.0);
  return p.conjugate->into_domain(Element::rank_one(1e100, left, right)) < 1.0;
}

/// True if f reads entries of one matrix of low rank: steps on its factors are less work than on the matrix.
bool is_of_factors(const Problem& p, Component* penalty) {
  const auto* rows = query<TermCoefficients>(*p.objective);
  const bool spectral =
      (p.set && query<SpectralGap>(*p.set) && !p.penalty) || (!p.set && is_nuclear(p, penalty));
  return rows && !rows->map()->fuses() && spectral && !p.smoother && p.estimator->exact() &&
         is_convex(*p.objective) && !query<FreeTail>(*p.objective) && !p.objective->shape().is_product();
}

/// True if rows have several outputs each, as with the multinomial loss: no coordinate moves alone there.
bool is_of_outputs(Objective& f) {
  auto* rows = query<TermCoefficients>(f);
  return rows && rows->outputs() > 1 && rows->map()->fuses();
}

/// Estimates p tr(H^2) / tr(H)^2 by random signs: 1 for a multiple of the identity, p for one direction.
double curvature_spread(Objective& f, Curvature& curvature) {
  RandomStream stream(0, Purpose::confirmation);
  std::vector<double> signs(static_cast<std::size_t>(f.shape().size()));
  for (double& sign : signs) sign = stream.uniform() < 0.5 ? -1.0 : 1.0;
  const Element d = Element::dense(f.shape(), std::move(signs));
  Element product(f.shape());
  curvature.add_hessian_product(Element(f.shape()), d, Batch::all(), 1.0, product);
  const double trace = inner(d, product);
  return static_cast<double>(f.shape().size()) * inner(product, product) / (trace * trace);
}

/// True if a few columns dwarf the others. The Gram matrix is then less work than the many gradient steps.
bool suits_gram(const Problem& p, LossOfImage* loss) {
  constexpr double kBad = 30.0;
  Objective& f = *p.objective;
  const Index size = f.shape().size();
  auto* curvature = query<Curvature>(f);
  return loss && loss->is_quadratic() && loss->map()->design_map() && curvature && p.set && !p.penalty &&
         query<SpectralGap>(*p.set) && !f.shape().is_product() && size <= Columns::kMostForGram &&
         size <= 2 * f.terms() && size * f.terms() <= kMostEntries && curvature_spread(f, *curvature) > kBad;
}

/// True if f is (mu/2) ||x - c||^2, h is finite, convex and a sum, and the set is spectral. The dual is
/// smooth then, and a step takes one projection, which is what costs.
bool is_near_point(const Problem& p, Component* penalty) {
  if (!p.penalty || !penalty || !query<LambdaMax>(*penalty) || !p.projection || !p.separable || !p.set ||
      !query<SpectralGap>(*p.set) || p.smoother || !p.estimator->exact())
    return false;
  const Constants c = p.objective->constants();
  return c.strong_convexity.value_or(0.0) > 0.0 && c.smoothness == c.strong_convexity &&
         c.hessian_smoothness == 0.0 && p.penalty->weak_convexity() == 0.0;
}

/// True if f = <S, X> - log det X, an ability that components share, and h is an l1 norm of symmetric
/// weights. A row and column is a Lasso then.
bool is_graphical(const Problem& p, Component* penalty) {
  const Shape shape = p.objective->shape();
  if (!p.objective->ability("claros.log-det-linear/1") || p.set || p.smoother || !p.estimator->exact() ||
      !is_sparse(p, penalty) || p.penalty->weak_convexity() > 0.0 || !p.separable->blocks(shape).are_single())
    return false;
  const BlockStep step = p.separable->block_step();
  const auto moved = [&](Index k) {
    constexpr double kFar = 1e100;
    double to = kFar;
    step(k, &kFar, 1e99, &to);
    return to;
  };
  for (Index j = 0; step.adds_up && j < shape.cols; ++j)
    for (Index i = 0; i < j; ++i)
      if (moved(j * shape.rows + i) != moved(i * shape.rows + j)) return false;
  return step.adds_up;
}

/// The method of multipliers, with the choice for its smooth problems inside.
AlgorithmChoice of_rounds(const Problem& p, Cornered& corners, Component* penalty) {
  const std::unique_ptr<Component> smooth = corners.rounded(1.0);
  Problem round = p;
  round.objective = static_cast<Objective*>(smooth.get());
  AlgorithmChoice inner = algorithms_for(round, penalty).front();
  if (inner.name == "lbfgs" && is_small(*round.objective)) inner.name = "prox-newton";
  AlgorithmChoice choice{"multipliers", {{"algorithm.inner.use", inner.name}}, "the loss has a corner"};
  for (const auto& [key, value] : inner.more)
    choice.more.emplace_back("algorithm.inner" + key.substr(key.find('.')), value);
  return choice;
}

}  // namespace

std::vector<AlgorithmChoice> algorithms_for(const Problem& p, Component* penalty) {
  if (auto* corners = query<Cornered>(*p.objective)) return {of_rounds(p, *corners, penalty)};
  auto* loss = query<LossOfImage>(*p.objective);
  if (is_near_point(p, penalty))
    return {{"dual-ascent", {}, "f is a squared distance, whose dual is smooth, and the set is spectral"}};
  if (p.penalty && p.set && p.projection)
    return {{"three-operator", {}, "there are a penalty and a set, each with a proximal step of its own"}};
  if (p.linear_oracle && !p.penalty && !loss && p.objective->terms() == 1 &&
      p.objective->constants().smoothness == 0.0)  // of a single term they cost little
    return {{"frank-wolfe", {{"algorithm.oracle_tolerance", "1e-9"}}, "f is linear: a vertex solves it"}};
  if (p.set && !p.projection && !p.linear_oracle)
    return {{"split-conditional-gradient", {}, "the set is known by the linear oracles of its parts alone"}};
  // Each of the rows from here on solves the problems of those above it.
  std::vector<AlgorithmChoice> all;
  if (p.set && (!p.projection || is_expensive(p))) {
    all.push_back({p.estimator->exact() ? "blended-pairwise" : "frank-wolfe",
                   {},
                   std::string("the set has a linear oracle and ") +
                       (p.projection ? "an expensive projection" : "no projection")});
    if (!p.projection || !p.estimator->exact()) return all;
  }
  if (is_of_factors(p, penalty))
    all.push_back({"factored", {}, "f is of entries of a matrix of bounded singular values"});
  if (!p.estimator->exact()) {
    all.push_back({"proximal-gradient", {}, "its proximal steps follow the gradient estimate"});
    return all;
  }
  if (is_graphical(p, penalty))
    all.push_back({"p-glasso", {}, "f is a Gaussian likelihood, and each column of its matrix a Lasso"});
  const bool regression = !p.set && loss && query<Restrictable>(*p.objective);
  const bool quadratic = regression && loss->is_quadratic();
  const bool certified = p.conjugate && p.conjugate->certifies_alone();  // not of lambda = 0
  if (regression && is_sparse(p, penalty) && !quadratic && p.objective->terms() > 1 && certified &&
      p.objective->shape().size() <= kVeryFew && is_small(*p.objective) && is_convex(*p.objective))
    all.push_back({"prox-newton",
                   {},
                   "the loss is convex in a linear model of very few columns, whose curvature a step knows"});
  if (regression && is_sparse(p, penalty) && (quadratic || is_convex(*p.objective)))
    all.push_back({"working-set",
                   {{"algorithm.inner.use", quadratic ? "coordinate-descent" : "prox-newton"}},
                   std::string("the penalty leaves most coordinates at 0, and the loss is ") +
                       (quadratic ? "quadratic" : "convex") + " in a linear model"});
  if ((regression || (!p.set && is_of_outputs(*p.objective))) && is_convex(*p.objective) &&
      (!p.penalty || (p.separable && p.penalty->weak_convexity() == 0.0))) {
    if (regression && !quadratic && p.penalty && p.objective->terms() > 1 &&
        p.objective->shape().size() <= kVeryFew && is_small(*p.objective))
      all.push_back(
          {"prox-newton", {}, "the loss is smooth, convex and in a linear model of very few columns"});
    all.push_back({quadratic && is_small(*p.objective) ? "coordinate-descent" : "lbfgs",
                   {},
                   "the loss is smooth, convex and in a linear model, and h is a sum over entries"});
  }
  if (suits_gram(p, loss))
    all.push_back(
        {"admm", {}, "the loss is quadratic in few columns, of which some are much larger than others"});
  all.push_back({"proximal-gradient",
                 {},
                 p.set || p.penalty
                     ? "there is a projection or a proximal step, and the full gradient is taken"
                     : "it is gradient descent, with momentum where f is convex"});
  if (p.linear_oracle && !p.penalty) all.push_back({"away-step", {}, "the set has a linear oracle"});
  return all;
}

}  // namespace claros

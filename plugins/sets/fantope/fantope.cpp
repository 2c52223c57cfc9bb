// SPDX-License-Identifier: BSD-3-Clause
#include <claros/abilities.hpp>
#include <claros/linear_oracle.hpp>
#include <claros/map/element_operator.hpp>
#include <claros/plugin.hpp>
#include <claros/proximal_oracle.hpp>
#include <claros/sdk/entries.hpp>
#include <claros/spectral/spectral.hpp>
#include <shared/sets/spectral_step.hpp>
#include <shared/sets/water_level.hpp>
#include <shared/spectral/symmetric_part.hpp>

#include <algorithm>
#include <cmath>

namespace {

using namespace claros;

struct Options {
  Index k = 1;
};

/// C = {X symmetric : 0 <= X <= I, tr X = k}, the convex hull of the projections onto subspaces of dimension
/// k. Only the symmetric part of a matrix counts. The minimiser of <G, X> is sum v_i v_i' over the k least
/// eigenvalues of (G + G')/2. It comes from a decomposition of all entries, so that it is exact. The
/// projection lowers the eigenvalues by one number and cuts them to [0, 1], so that they sum to k (Vu, Cho,
/// Lei, Rohe 2013, Lemma 4.1). D = sqrt(2 min(k, n - k)). Starts at (k/n) I.
class Fantope final : public Component,
                      public LinearOracle,
                      public ProximalOracle,
                      public Membership,
                      public Start,
                      public State {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        row("k", &Options::k, at_least(1), "the dimension of the subspaces, and the trace", "k")};
    return table;
  }

  Fantope(const Options& o, const Context& context) : k_(o.k), shrinkage_(Spectrum::symmetric, context) {}

  OracleInfo minimize(const Element& direction, const OracleRequest&, Element& vertex) override {
    fit(direction.shape());
    if (k_ == n_) return only_point(direction, vertex);
    const ElementOperator G(direction);
    const TruncatedSvd eigen = dense_eigen(SymmetricPart(G, -1.0));
    const auto n = static_cast<std::size_t>(n_);
    Element sum(direction.shape());
    OracleInfo info;
    for (std::size_t i = 0; i < static_cast<std::size_t>(k_); ++i) {
      const std::span<const double> v{eigen.u.data() + i * n, n};
      sum.add(1.0, Element::rank_one(1.0, v, v));
      info.value -= eigen.s[i];
    }
    if (!std::isfinite(info.value))
      throw Error(ErrorKind::numerical, "", "the direction holds a number that is not finite",
                  "check for a step that is too long, or for bad data");
    vertex = std::move(sum);
    info.lower_bound = info.value;
    info.singular_pairs = k_;
    info.confirmed = true;
    return info;
  }
  double diameter(const Shape& shape) override {
    fit(shape);
    return std::sqrt(2.0 * static_cast<double>(std::min(k_, n_ - k_)));
  }

  Certificate apply(const Element& v, double, Element& x, const Accuracy& accuracy) override {
    fit(v.shape());
    const double length = norm(v);
    if (!(length < 1e150))
      throw Error(ErrorKind::numerical, "",
                  "the point to project holds a number that is not finite, or too large for its eigenvalues",
                  "check for a step that is too long, or for bad data");
    const double none = -2.0 * length - 1.0;  // below all values
    const auto shrink = [this, none](std::vector<double>& values) {
      return cut(values, static_cast<std::size_t>(k_), none);
    };
    return shrinkage_.apply(v, {.shrink = shrink}, x, accuracy);
  }
  double value(const Element& x) override { return violation(x) <= sdk::kRounding ? 0.0 : sdk::kInfinity; }

  /// The largest violation, of eigenvalues, the trace or the symmetry, over sqrt(k), the length of a corner.
  double violation(const Element& x) override {
    if (x.shape().rows != x.shape().cols || x.shape().rows < k_ || x.shape().is_product())
      return sdk::kInfinity;
    const std::vector<double> entries = x.to_dense();
    if (!sdk::all_finite(entries)) return sdk::sum_of_magnitudes(entries);
    const auto n = static_cast<std::size_t>(x.shape().rows);
    double skew = 0.0, trace = 0.0;
    for (std::size_t j = 0; j < n; ++j) {
      trace += entries[j * n + j];
      for (std::size_t i = 0; i < j; ++i) skew += 0.5 * std::pow(entries[j * n + i] - entries[i * n + j], 2);
    }
    const DenseOperator dense(x.shape().rows, x.shape().cols, entries);
    const std::vector<double> values = dense_eigen(SymmetricPart(dense)).s;
    const double beyond = std::max({0.0, values.front() - 1.0, -values.back()});
    return std::max({std::abs(trace - static_cast<double>(k_)), std::sqrt(skew), beyond}) /
           std::sqrt(static_cast<double>(k_));
  }

  Element start_point(const Shape& shape) override {
    fit(shape);
    const auto n = static_cast<std::size_t>(n_);
    std::vector<double> entries(n * n, 0.0);
    for (std::size_t j = 0; j < n; ++j)
      entries[j * n + j] = static_cast<double>(k_) / static_cast<double>(n_);
    return Element::dense(shape, std::move(entries));
  }

  void state(StateVisitor& v) override { v("projection", shrinkage_); }
  void* ability(std::string_view id) noexcept override {
    return offer<LinearOracle, ProximalOracle, Membership, Start, State>(this, id);
  }

 private:
  /// With k = n the set is {I}, exactly: eigenvectors would add rounding.
  OracleInfo only_point(const Element& direction, Element& vertex) {
    Element identity = start_point(direction.shape());
    OracleInfo info;
    info.value = info.lower_bound = inner(direction, identity);
    info.confirmed = true;
    if (!std::isfinite(info.value))
      throw Error(ErrorKind::numerical, "", "the direction holds a number that is not finite",
                  "check for a step that is too long, or for bad data");
    vertex = std::move(identity);
    return info;
  }

  /// values <- min(1, max(0, value - theta)), theta the number that leaves a sum of k, which is returned. The
  /// first j are 1, j the least for which the rest, lowered to a sum of k - j, stay below 1. If fewer than k
  /// are known each is 1, and every further value would count: `none`.
  static double cut(std::vector<double>& values, std::size_t k, double none) {
    std::vector<double> rest;
    double theta = none;
    for (std::size_t j = 0; j < std::min(k, values.size()); ++j) {
      rest.assign(values.begin() + static_cast<std::ptrdiff_t>(j), values.end());
      sdk::project_to_simplex(std::vector<double>(rest), static_cast<double>(k - j), rest);
      if (rest.front() > 1.0) continue;
      theta = values[j] - rest.front();
      std::copy(rest.begin(), rest.end(), values.begin() + static_cast<std::ptrdiff_t>(j));
      std::fill(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(j), 1.0);
      return theta;
    }
    std::fill(values.begin(), values.end(), 1.0);
    return none;
  }

  void fit(const Shape& shape) {
    if (shape.is_product() || shape.rows != shape.cols)
      throw Error(ErrorKind::usage, "", "symmetric matrices are square, and the variable is " + shape.text(),
                  "take a set of matrices of any shape, such as nuclear-ball");
    if (shape.rows < k_)
      throw Error(
          ErrorKind::usage, "k",
          "no matrix of " + shape.text() + " is a projection onto " + std::to_string(k_) + " dimensions",
          "take a k of at most " + std::to_string(shape.rows));
    n_ = shape.rows;
  }

  Index k_, n_ = 0;
  sdk::SpectralStep shrinkage_;
};

}  // namespace

CLAROS_PLUGIN(Fantope, Kind::set, "fantope", "", "1.0.0", "Fantope: symmetric, 0 <= X <= I, tr X = k",
              "C = {X symmetric : eigenvalues in [0, 1], tr X = k}, the convex hull of the projections onto "
              "k-dimensional subspaces (sparse principal components). Linear oracle: the k leading "
              "eigenvectors of minus the "
              "symmetric part of the direction, from a decomposition of all entries: for matrices of up to "
              "about a thousand rows. Projection: eigenvalues are lowered by the number that leaves a sum of "
              "k, and cut to [0, 1], "
              "with a certificate. Diameter sqrt(2 min(k, n - k)).",
              "Vu, Cho, Lei, Rohe: Fantope projection and selection: a near-optimal convex relaxation of "
              "sparse PCA, NIPS 2013",
              "Use it for sparse principal components: a linear function of a covariance matrix, with the "
              "penalty l1. The linear oracle decomposes all n x n entries, which limits it to about a "
              "thousand rows. For k = 1 use spectrahedron with radius 1, which is the same set and needs "
              "one eigenvector for a linear minimisation.",
              "objective.use=linear objective.data='3 2 0 0; 2 3 0 0; 0 0 2 1; 0 0 1 2' objective.factor=-1 "
              "penalty.use=l1 penalty.lambda=0.1 set.use=fantope set.k=2 stop.relative_gap=1e-6")

// SPDX-License-Identifier: BSD-3-Clause
// A sound projection that computes as many singular values as it is told; each macro plants one lie of its
// certificate.
#include <claros/plugin.hpp>
#include <claros/proximal_oracle.hpp>
#include <claros/spectral/spectral.hpp>
#include <shared/sets/water_level.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace {

using namespace claros;

/// {X : the singular values sum to at most the radius}.
class Lowered final : public Component, public ProximalOracle {
 public:
  struct Options {
    double radius = 1.0;
  };
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{row("radius", &Options::radius, above(0), "bound of the sum")};
    return table;
  }
  Lowered(const Options& options, const Context&) : radius_(options.radius) {}

  Certificate apply(const Element& v, double, Element& x, const Accuracy& accuracy) override {
    const Shape shape = v.shape();
    const std::vector<double> given = v.to_dense();
    if (!sdk::all_finite(given))
      throw Error(ErrorKind::numerical, "set", "a point that is not finite", "look for it in the gradient");
    TruncatedSvd svd = dense_svd(shape.rows, shape.cols, given);
    Certificate c;
    c.asked = accuracy.rank;
    std::size_t kept = svd.s.size();
    if (accuracy.rank > 0) kept = std::min(kept, static_cast<std::size_t>(accuracy.rank));
#ifdef BUG_SEQUENCE
    if (accuracy.sequence) kept = 1;  // and in every call
#endif
#ifdef BUG_ASKED
    if (!accuracy.certify) kept = 1;
#endif
    std::vector<double> s(svd.s.begin(), svd.s.begin() + static_cast<Index>(kept));
    const double before = s.front();
    double threshold = 0.0;
    if (std::accumulate(s.begin(), s.end(), 0.0) > radius_) {
      sdk::project_to_simplex(std::vector<double>(s), radius_, s);
      threshold = before - s.front();
    }
    double beyond = 0.0;
    for (std::size_t k = kept; k < svd.s.size(); ++k)
      beyond += std::pow(std::max(svd.s[k] - threshold, 0.0), 2);
    c.exact = beyond == 0.0;
    c.error = std::sqrt(beyond);
#ifdef BUG_EXACT
    c.exact = true, c.error = 0.0;
#endif
#ifdef BUG_ERROR
    c.error *= 0.01;
#endif
    const auto m = static_cast<std::size_t>(shape.rows), n = static_cast<std::size_t>(shape.cols);
    std::vector<double> entries(m * n, 0.0);
    for (std::size_t k = 0; k < kept; ++k)
      for (std::size_t j = 0; j < n; ++j)
        for (std::size_t i = 0; i < m; ++i) entries[j * m + i] += s[k] * svd.u[k * m + i] * svd.v[k * n + j];
    x = Element::dense(shape, std::move(entries));
    return c;
  }
  double value(const Element& x) override {
    const auto s = dense_svd(x.shape().rows, x.shape().cols, x.to_dense()).s;
    return std::accumulate(s.begin(), s.end(), 0.0) <= radius_ * (1.0 + 1e-9)
               ? 0.0
               : std::numeric_limits<double>::infinity();
  }
  void* ability(std::string_view id) noexcept override { return offer<ProximalOracle>(this, id); }

 private:
  double radius_;
};

}  // namespace

CLAROS_PLUGIN(Lowered, Kind::set, "planted-lowered", "", "1.0.0",
              "Matrices whose singular values sum to at most a radius",
              "Projected by lowering singular values.", "")

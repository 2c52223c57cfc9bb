// SPDX-License-Identifier: BSD-3-Clause
#include "proof/null_model.hpp"

#include <claros/abilities.hpp>
#include <claros/corners.hpp>
#include <claros/domain.hpp>
#include <claros/error.hpp>
#include <claros/parameters.hpp>

#include <Eigen/Dense>

#include <cmath>
#include <numeric>

namespace claros {

namespace {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

Element gradient(Objective& f, const Element& x) {
  Element g(f.shape());
  f.add_gradient(x, Batch::all(), 1.0, g);
  return g;
}

/// b in some coordinates, 0 in the others.
Element point(const Shape& shape, const std::vector<Index>& coordinates, const Vector& b) {
  Vector x = Vector::Zero(shape.size());
  x(coordinates) = b;
  return Element::dense(shape, {x.begin(), x.end()});
}

/// f of some of its coordinates, all others 0; if f restricts itself to them, it reads them alone.
class FreeFunction {
 public:
  FreeFunction(Objective& f, const std::vector<Index>& coordinates) : f_(&f), coordinates_(coordinates) {
    if (auto* whole = query<Restrictable>(f))
      part_ = whole->restrict_to(coordinates), std::iota(coordinates_.begin(), coordinates_.end(), 0);
    if (part_) f_ = static_cast<Objective*>(part_.get());
  }
  Index size() const { return static_cast<Index>(coordinates_.size()); }
  Element at(const Vector& b) const { return point(f_->shape(), coordinates_, b); }
  double value(const Vector& b) { return f_->value(at(b)); }
  Vector slope(const Vector& b) { return chosen(gradient(*f_, at(b))); }

  /// By differences: all that an objective must have.
  Matrix hessian(const Vector& b) {
    Matrix H(size(), size());
    const Element x = at(b);
    for (Index k = 0; k < size(); ++k) {
      Vector beside = b;
      beside[k] += 1e-5 * std::max(1.0, std::abs(b[k]));
      Element difference(f_->shape());
      f_->add_gradient_difference(at(beside), x, Batch::all(), 1.0 / (beside[k] - b[k]), difference);
      H.col(k) = chosen(difference);
    }
    return 0.5 * (H + H.transpose());
  }

 private:
  Vector chosen(const Element& g) const {
    const std::vector<double> all = g.to_dense();
    return Eigen::Map<const Vector>(all.data(), f_->shape().size())(coordinates_);
  }

  Objective* f_;
  std::shared_ptr<Component> part_;
  std::vector<Index> coordinates_;
};

/// The Newton direction of |H|: downhill where f is not convex, and 0 along what f does not see.
Vector direction(const Matrix& H, const Vector& slope) {
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(H);
  const Vector size = eigen.eigenvalues().cwiseAbs();
  const double least = 1e-8 * size.maxCoeff();  // below lies the noise of the differences
  Vector coefficients = -(eigen.eigenvectors().transpose() * slope);
  for (Index k = 0; k < coefficients.size(); ++k)
    coefficients[k] = size[k] > least ? coefficients[k] / size[k] : 0.0;
  return eigen.eigenvectors() * coefficients;
}

/// Halves the step until f falls enough, or, where its digits do not tell, its slope. False at rounding.
bool advance(FreeFunction& f, Vector& b, Vector& slope, double& value, const Vector& d) {
  constexpr double kDigits = 1e-12;
  for (double a = 1.0; a > 1e-12; a *= 0.5) {
    const Vector next = b + a * d;
    const double there = f.value(next), promised = 1e-4 * a * slope.dot(d);
    if (!(there <= value + kDigits * std::abs(value))) continue;
    Vector slope_there = f.slope(next);
    if (!(there <= value + promised) && !(slope_there.norm() < slope.norm())) continue;
    b = next;
    slope = std::move(slope_there);
    value = there;
    return true;
  }
  return false;
}

/// If f is linear there (a Huber loss far from all responses), no curvature gives a step length. The step
/// goes downhill and doubles as long as f falls.
Vector downhill(FreeFunction& f, const Vector& b, const Vector& slope) {
  Vector d = -slope;
  double there = f.value(b + d);
  for (int k = 0; k < 200; ++k, d *= 2.0) {
    const double further = f.value(b + 2.0 * d);
    if (!(further < there)) break;
    there = further;
  }
  return d;
}

/// True if f, with values of that size, could fall by no more than rounding. The fall is slope' |H|^-1 slope,
/// with the largest curvature along directions that f does not see. A start that is the minimum (balanced
/// classes, centred responses) has a slope of rounding, which no step makes smaller.
bool is_flat(const Matrix& H, const Vector& slope, double size) {
  constexpr double kRounding = 1e-24, kUnseen = 1e-8;
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(H);
  const Vector curvature = eigen.eigenvalues().cwiseAbs(),
               coefficients = eigen.eigenvectors().transpose() * slope;
  double fall = 0.0, most = curvature.maxCoeff();
  for (Index k = 0; k < slope.size(); ++k)
    fall += coefficients[k] * coefficients[k] / (curvature[k] > kUnseen * most ? curvature[k] : most);
  return fall <= kRounding * size;
}

Vector minimiser(FreeFunction& f, double accuracy) {
  Vector b = Vector::Zero(f.size()), slope = f.slope(b);
  double value = f.value(b), first = slope.norm(), size = std::abs(value);
  for (int k = 0; k < 100 && slope.norm() > accuracy * first; ++k) {
    const Matrix H = f.hessian(b);
    if ((k == 0 || accuracy > 1e-15) && is_flat(H, slope, size)) break;  // a slope of rounding
    const Vector newton = direction(H, slope);
    if (!advance(f, b, slope, value, slope.dot(newton) < 0.0 ? newton : downhill(f, b, slope))) break;
  }
  if (slope.norm() <= std::max(accuracy, 1e-8) * first || is_flat(f.hessian(b), slope, size)) return b;
  throw Error(ErrorKind::numerical, {},
              "the model of the free coordinates alone (the intercept, weights of 0) was not found: its "
              "slope fell from " +
                  print_real(first) + " to " + print_real(slope.norm()),
              "give the parameter as a number rather than as a fraction of max");
}

}  // namespace

Element null_gradient(Objective& f, const std::vector<Index>& free, double accuracy) {
  const auto refusal = [](const std::string& reason) {
    return Error(ErrorKind::usage, {}, reason, "give the parameter as a number");
  };
  if (f.terms() == kUnbounded)
    throw refusal("is an expectation: its gradient at 0, from which max is computed, is not available");
  if (leaves_domain(f, Element(f.shape())))
    throw refusal("the objective is infinite at 0, and max is made from its gradient there");
  const auto* tail = query<FreeTail>(f);
  const Shape head = tail ? tail->constrained_shape() : f.shape();
  std::vector<Index> coordinates(free);
  for (Index k = head.size(); k < f.shape().size(); ++k) coordinates.push_back(k);
  const auto gradient_of_head = [&](const Element& x) {
    std::vector<double> g = gradient(f, x).to_dense();
    g.resize(static_cast<std::size_t>(head.size()));
    return Element::dense(head, std::move(g));
  };
  if (auto* corners = query<Cornered>(f)) {
    if (!free.empty()) throw refusal("the loss has a corner, and weights of the penalty are 0");
    Element x(f.shape());
    corners->balance(x);
    return gradient_of_head(x);
  }
  if (coordinates.empty()) return gradient(f, Element(f.shape()));
  constexpr std::size_t kMost = 1000;
  if (coordinates.size() > kMost)
    throw refusal(std::to_string(coordinates.size()) +
                  " coordinates are free: max is made where all are best");
  FreeFunction null(f, coordinates);
  return gradient_of_head(point(f.shape(), coordinates, minimiser(null, accuracy)));
}

}  // namespace claros

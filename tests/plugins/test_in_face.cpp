// SPDX-License-Identifier: BSD-3-Clause
// In-face directions of sets of matrices by their definition, and Frank-Wolfe that takes them.
#include <Eigen/Dense>

#include "../core/random_elements.hpp"
#include "trace_for_test.hpp"

namespace claros::test::in_face {

namespace {

using Matrix = Eigen::MatrixXd;
constexpr double kRadius = 3.0;

std::shared_ptr<Component> set_named(const std::string& name) {
  return create_component(build_catalog(), Kind::set, name, {{"radius", print_real(kRadius), {}, {}}}, {});
}

Matrix normal(Engine& engine, Index m, Index n) {
  const auto values = testing::normals(engine, m * n);
  return Eigen::Map<const Matrix>(values.data(), m, n);
}
Matrix orthonormal(Engine& engine, Index m, Index r) {
  return Eigen::HouseholderQR<Matrix>(normal(engine, m, r)).householderQ() * Matrix::Identity(m, r);
}
Element element(const Matrix& X) {
  return Element::dense(Shape::matrix(X.rows(), X.cols()), {X.data(), X.data() + X.size()});
}
Matrix matrix(const Element& x) {
  const auto values = x.to_dense();
  return Eigen::Map<const Matrix>(values.data(), x.shape().rows, x.shape().cols);
}
Matrix diagonal(const std::vector<double>& s) {
  return Eigen::Map<const Eigen::VectorXd>(s.data(), static_cast<Index>(s.size())).asDiagonal();
}
Index rank_of(const Matrix& X) {
  const Eigen::VectorXd s = Eigen::JacobiSVD<Matrix>(X).singularValues();
  return (s.array() > 1e-7 * s(0)).count();
}

/// What every answer promises; x + b (x - a).
Matrix checked_end(Component& set, const Matrix& G, const Matrix& X, Element& vertex, FaceInfo& info) {
  info = query<Faces>(set)->away(element(G), element(X), {1e-10, false}, vertex);
  const Matrix a = matrix(vertex);
  auto& membership = *query<Membership>(set);
  CHECK(membership.violation(vertex) <= 1e-9);
  CHECK(info.value == doctest::Approx((G.array() * a.array()).sum()));
  const Matrix end = X + info.longest * (X - a), beyond = X + 1.02 * info.longest * (X - a);
  CHECK(membership.violation(element(end)) <= 1e-9);
  if (info.longest > 0.0) CHECK(membership.violation(element(beyond)) > 1e-6);
  return end;
}

/// A random M of the trace t, psd.
Matrix psd(Engine& engine, Index r, double t) {
  const Matrix A = normal(engine, r, r), M = A * A.transpose();
  return M * (t / M.trace());
}

Words completion(const SmallProblem& p, const std::string& algorithm, const Words& more = {}) {
  return p.objective() + Words{"set.use=nuclear-ball", "set.radius=25", "algorithm.use=" + algorithm} + more;
}

}  // namespace

TEST_CASE("faces: on the boundary the vertex is the worst of the face, and the longest step loses a rank") {
  Engine engine(71);
  for (const std::string name : {"nuclear-ball", "spectrahedron", "psd-trace"})
    for (int trial = 0; trial < 10; ++trial) {
      CAPTURE(name);
      const bool symmetric = name != "nuclear-ball";
      const Index m = 8, n = symmetric ? 8 : 6;
      const Matrix U = orthonormal(engine, m, 3), V = symmetric ? U : orthonormal(engine, n, 3);
      const Matrix X = U * diagonal({1.6, 0.9, 0.5}) * V.transpose(), G = normal(engine, m, n);
      const auto set = set_named(name);
      Element vertex;
      FaceInfo info;
      const Matrix end = checked_end(*set, G, X, vertex, info);
      CHECK_FALSE(info.whole);
      CHECK(rank_of(end) == 2);
      for (int k = 0; k < 50; ++k)
        CHECK((G.array() * (U * psd(engine, 3, kRadius) * V.transpose()).array()).sum() <= info.value + 1e-9);
    }
}

TEST_CASE(
    "faces: inside the ball the vertex is the worst of all, and the longest step ends on the boundary") {
  Engine engine(72);
  const auto set = set_named("nuclear-ball");
  for (int trial = 0; trial < 10; ++trial) {
    const Matrix X = trial == 0 ? Matrix::Zero(8, 6)
                                : Matrix(orthonormal(engine, 8, 2) * diagonal({1.2, 0.3}) *
                                         orthonormal(engine, 6, 2).transpose()),
                 G = normal(engine, 8, 6);
    Element vertex;
    FaceInfo info;
    const Matrix end = checked_end(*set, G, X, vertex, info);
    CHECK(info.whole);
    CHECK(info.value == doctest::Approx(kRadius * Eigen::JacobiSVD<Matrix>(G).singularValues()(0)));
    CHECK(Eigen::JacobiSVD<Matrix>(end).singularValues().sum() == doctest::Approx(kRadius));
  }
}

TEST_CASE("faces: below the bound on the trace 0 is a vertex of the face") {
  Engine engine(73);
  const auto set = set_named("psd-trace");
  const Matrix U = orthonormal(engine, 7, 3), X = U * diagonal({1.0, 0.5, 0.4}) * U.transpose();
  Element vertex;
  FaceInfo info;
  const Matrix down = checked_end(*set, -psd(engine, 7, 1.0), X, vertex, info);
  CHECK(matrix(vertex).norm() == 0.0);
  CHECK(down.trace() == doctest::Approx(kRadius));
  const Matrix up = checked_end(*set, psd(engine, 7, 1.0), X, vertex, info);
  CHECK(matrix(vertex).trace() == doctest::Approx(kRadius));
  CHECK(rank_of(up) == 2);
  CHECK(query<Faces>(*set)
            ->away(element(Matrix::Ones(7, 7)), Element(Shape::matrix(7, 7)), {}, vertex)
            .longest == 0.0);
}

TEST_CASE("faces: a point of rank one is its own face") {
  Engine engine(74);
  for (const std::string name : {"nuclear-ball", "spectrahedron", "psd-trace"}) {
    const Matrix U = orthonormal(engine, 5, 1);
    Element vertex;
    const FaceInfo info =
        query<Faces>(*set_named(name))
            ->away(element(normal(engine, 5, 5)), element(kRadius * U * U.transpose()), {}, vertex);
    CHECK(info.longest == 0.0);
    CHECK((matrix(vertex) - kRadius * U * U.transpose()).norm() <= 1e-9);
  }
}

TEST_CASE("in-face: it comes to the minimum in fewer ranks than Frank-Wolfe, and f never rises") {
  const SmallProblem p(11, 40, 30, 3, 500);
  const Words until{"stop.relative_gap=3e-3", "stop.iterations=5000", "trace.every=1"};
  const RunResult plain = solve(completion(p, "frank-wolfe", {"algorithm.step=line-search"}) + until);
  REQUIRE(is_target(plain.status));
  for (const Words& rules :
       {Words{}, Words{"algorithm.gamma2=1"}, Words{"algorithm.gamma1=1", "algorithm.gamma2=1"},
        Words{"algorithm.step=short", "algorithm.gamma2=0.5"}}) {
    const RunResult r = solve(completion(p, "in-face", rules) + until);
    CHECK_MESSAGE(is_target(r.status), text(r.status));
    CHECK(r.measurement.confirmed);
    CHECK(r.measurement.value <= plain.measurement.value + plain.measurement.gap);
    CHECK(r.measurement.value >= plain.lower_bound - 1e-12);
    CHECK(2 * rank_or_support(r.answer) < rank_or_support(plain.answer));
    CHECK(r.counts.partial_lo > 0);
    for (std::size_t k = 1; k < r.trace.size(); ++k) CHECK(r.trace[k].value <= r.trace[k - 1].value + 1e-12);
  }
}

TEST_CASE("in-face: over sets of semidefinite matrices it comes to the minimum of projected gradient") {
  const SmallProblem p(12, 14, 14, 2, 120);
  for (const std::string set : {"spectrahedron", "psd-trace"}) {
    const Words problem = p.objective() + Words{"set.use=" + set, "set.radius=6", "stop.iterations=20000"};
    const RunResult reference = solve(problem + Words{"algorithm.use=proximal-gradient", "stop.gap=1e-7"});
    const RunResult r =
        solve(problem + Words{"algorithm.use=in-face", "algorithm.gamma2=1", "stop.gap=1e-4"});
    CHECK_MESSAGE(is_target(r.status), text(r.status));
    CHECK(std::abs(r.measurement.value - reference.measurement.value) <= 1.1e-4);
    CHECK(r.counts.partial_lo > 0);
  }
}

TEST_CASE("in-face: a run resumed is the same run") {
  const SmallProblem p(13, 20, 16, 2, 150);
  const Words words = completion(p, "in-face", {"algorithm.gamma2=1", "stop.iterations=25"});
  const Saved saved = solve_and_save(words, 4);
  REQUIRE(saved.result.failure.empty());
  for (const std::string& state : saved.states) check_same(resumed(words, state), saved.result);
}

TEST_CASE("in-face: what it cannot work with is refused with the reason") {
  const SmallProblem p(14, 10, 8, 2, 40);
  check_mentions(
      composing_refused(p.objective() + Words{"set.use=l2-ball", "set.radius=1", "algorithm.use=in-face"}),
      {"minimal faces", "minimal face"});
  check_mentions(
      composing_refused(completion(p, "in-face", {"algorithm.gamma1=0.5", "algorithm.gamma2=0.2"})),
      {"gamma1 <= gamma2"});
  check_mentions(composing_refused(completion(p, "in-face", {"algorithm.gamma2=2"})), {"gamma2 <= 1"});
  const auto run_it = [&](const Words& words) {
    return refusal(ErrorKind::usage,
                   [&] { (void)run_composition(compose(build_catalog(), spec_of(words))); });
  };
  check_mentions(run_it(completion(p, "in-face",
                                   {"objective.loss=robust", "algorithm.gamma1=1", "algorithm.gamma2=1",
                                    "stop.iterations=5"})),
                 {"convex"});
}

}  // namespace claros::test::in_face

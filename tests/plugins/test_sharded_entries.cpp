// SPDX-License-Identifier: BSD-3-Clause
// Sums over entries of a matrix, chunk by chunk, against matrix-completion in one piece. (On several ranks:
// tests/mpi.)
#include "compose_for_test.hpp"

#include <claros/abilities.hpp>
#include <claros/io/ratings.hpp>
#include <claros/io/training.hpp>
#include <claros/map/element_operator.hpp>
#include <claros/map/spread_operator.hpp>
#include <claros/spectral/spectral.hpp>
#include <claros/state/state.hpp>

#include <cmath>

namespace claros::test::sharded_entries {

namespace {

struct Sizes {
  Index rows, cols, count;
};
constexpr Sizes kTall{40, 13, 200}, kWide{11, 37, 150}, kSquare{20, 20, 180}, kEmptyLines{60, 9, 40};

Ratings weighted(const Sizes& of) {
  Engine engine(5);
  Ratings r = random_ratings(engine, of.rows, of.cols, 2, of.count);
  std::uniform_real_distribution<double> uniform(0.5, 4.0);
  for (std::size_t e = 0; e < r.value.size(); ++e) r.weight.push_back(uniform(engine));
  return r;
}

Words words_of(const TestFolder& folder, const Sizes& of, const std::string& under) {
  const std::string file = (folder / "entries.tsv").string();
  write_ratings(file, weighted(of));
  return Words{under + "use=matrix-completion",
               under + "data=" + file,
               under + "ids=one-based",
               under + "weights=column",
               under + "rows=" + std::to_string(of.rows),
               under + "cols=" + std::to_string(of.cols)};
}

std::shared_ptr<Objective> composed(const Words& words) {
  return compose(build_catalog(), spec_of(words + Words{"stop.iterations=1"})).objective;
}

struct Two {
  std::shared_ptr<Objective> plain, sharded;
};
Two both(const TestFolder& folder, const Sizes& of, const std::string& chunks, const Words& more = {}) {
  Words inner;
  for (const std::string& word : more) inner.push_back("objective.inner." + word);
  Words outer;
  for (const std::string& word : more) outer.push_back("objective." + word);
  return {composed(words_of(folder, of, "objective.") + outer),
          composed(Words{"objective.use=sharded", "objective.chunks=" + chunks} +
                   words_of(folder, of, "objective.inner.") + inner)};
}

std::vector<double> normals(std::uint64_t seed, Index count) {
  Engine engine(seed);
  std::normal_distribution<double> normal;
  std::vector<double> values(static_cast<std::size_t>(count));
  for (double& value : values) value = normal(engine);
  return values;
}

/// Of rank two, or that and an array.
Element some_point(const Shape& shape, std::uint64_t seed, bool dense = false) {
  Element x = Element::rank_one(0.7, normals(seed, shape.rows), normals(seed + 1, shape.cols));
  x.add(1.0, Element::rank_one(-0.4, normals(seed + 2, shape.rows), normals(seed + 3, shape.cols)));
  if (dense) x.add(1.0, Element::dense(shape, normals(seed + 4, shape.size())));
  return x;
}

double farthest(const std::vector<double>& a, const std::vector<double>& b) {
  REQUIRE(a.size() == b.size());
  double most = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) most = std::max(most, std::abs(a[k] - b[k]));
  return most;
}

Element gradient(Objective& f, const Element& x, const Batch& batch = Batch::all()) {
  Element g(f.shape());
  f.add_gradient(x, batch, 1.0, g);
  return g;
}

Element product(Objective& f, const Element& x, const Element& d, const Batch& batch) {
  Element g(f.shape());
  query<Curvature>(f)->add_hessian_product(x, d, batch, 1.0, g);
  return g;
}

/// h = lambda ||X||_*: its conjugate is 0 where the largest singular value is at most lambda.
class NuclearNorm final : public Conjugate {
 public:
  double conjugate(const Element&) override { return 0.0; }
  double into_domain(const Element& s) override {
    return std::min(1.0, 0.02 / dense_svd(s.shape().rows, s.shape().cols, s.to_dense()).s.front());
  }
};

constexpr Sizes kAll[] = {kTall, kWide, kSquare, kEmptyLines};

}  // namespace

TEST_CASE("sharded entries: values, gradients, batches and products are those of one piece") {
  const TestFolder folder;
  const std::vector<Index> list{0, 3, 3, 22, 11, 39, 3};
  for (const Sizes& of : kAll)
    for (const std::string more : {"loss=squared", "loss=huber", "loss=robust", "unobserved=0.2"})
      for (const std::string chunks : {"1", "5", "64"}) {
        CAPTURE(more);
        CAPTURE(chunks);
        CAPTURE(of.rows);
        const Two f = both(folder, of, chunks, {more});
        REQUIRE(f.sharded->shape() == f.plain->shape());
        CHECK(f.sharded->terms() == f.plain->terms());
        for (const bool dense : {false, true}) {
          const Element x = some_point(f.plain->shape(), 9, dense), y = some_point(f.plain->shape(), 19);
          const double value = f.plain->value(x.detached());
          CHECK(std::abs(f.sharded->value(x) - value) <= 1e-12 * (1.0 + std::abs(value)));
          for (const Batch& batch : {Batch::all(), Batch::of(list), Batch::range(4, 13)}) {
            CHECK(farthest(gradient(*f.sharded, x, batch).to_dense(),
                           gradient(*f.plain, x.detached(), batch).to_dense()) <= 1e-13);
            Element change(f.plain->shape()), expected(f.plain->shape());
            f.sharded->add_gradient_difference(x, y, batch, 2.0, change);
            f.plain->add_gradient_difference(x.detached(), y.detached(), batch, 2.0, expected);
            CHECK(farthest(change.to_dense(), expected.to_dense()) <= 1e-13);
            CHECK(farthest(product(*f.sharded, x, y, batch).to_dense(),
                           product(*f.plain, x.detached(), y.detached(), batch).to_dense()) <= 1e-13);
          }
          CHECK_FALSE(x.has_images());
        }
      }
}

TEST_CASE("sharded entries: a baseline, held out entries and bounds are those of one piece") {
  const TestFolder folder;
  for (const Sizes& of : kAll) {
    CAPTURE(of.rows);
    const Two f = both(folder, of, "7", {"center=biases"});
    const Element x = some_point(f.plain->shape(), 9);
    const Constants mine = f.sharded->constants(), theirs = f.plain->constants();
    CHECK(mine.smoothness == theirs.smoothness);
    CHECK(mine.term_smoothness == theirs.term_smoothness);
    CHECK(mine.lower_bound == theirs.lower_bound);
    const Baseline& one = query<Predictor>(*f.plain)->training().baseline;
    const Baseline& other = query<Predictor>(*f.sharded)->training().baseline;
    CHECK(one.row == other.row);
    CHECK(one.col == other.col);
    CHECK(query<Predictor>(*f.sharded)->training().entries == nullptr);
    NuclearNorm h;
    const double bound = query<Certified>(*f.plain)->lower_bound(x.detached(), h);
    REQUIRE(std::isfinite(bound));
    CHECK(std::abs(query<Certified>(*f.sharded)->lower_bound(x, h) - bound) <= 1e-12);
    CHECK(bound < f.plain->value(x.detached()));
    const double rounding = query<Rounding>(*f.plain)->rounding(x.detached(), 20.0);
    CHECK(query<Rounding>(*f.sharded)->rounding(x, 20.0) >= 0.9 * rounding);
    CHECK(query<Rounding>(*f.sharded)->rounding(x, 20.0) <= 2.0 * rounding);
  }
  CHECK(query<Certified>(*both(folder, kTall, "7", {"loss=robust"}).sharded) == nullptr);
}

TEST_CASE("sharded entries: products with the gradient are those of the entries") {
  const TestFolder folder;
  for (const Sizes& of : kAll)
    for (const double unit : {1.0, -1.0, 1e-200, 1e190}) {
      CAPTURE(of.rows);
      CAPTURE(unit);
      const Two f = both(folder, of, "7");
      const Shape shape = f.plain->shape();
      const Element x = some_point(shape, 9);
      Element g = gradient(*f.sharded, x), expected = gradient(*f.plain, x.detached());
      g.scale(unit), expected.scale(unit);
      REQUIRE(g.parts().size() == 1);
      REQUIRE(spread_operator(g.parts().front().form) != nullptr);
      const ElementOperator mine(g), theirs(expected);
      const double small = 1e-13 * std::abs(unit);
      for (const Index count : {Index{1}, Index{3}}) {
        const auto right = normals(1, shape.cols * count), left = normals(2, shape.rows * count);
        std::vector<double> a(static_cast<std::size_t>(shape.rows * count)), b(a);
        mine.apply_block(right, count, a), theirs.apply_block(right, count, b);
        CHECK(farthest(a, b) <= small);
        std::vector<double> c(static_cast<std::size_t>(shape.cols * count)), d(c);
        mine.apply_adjoint_block(left, count, c), theirs.apply_adjoint_block(left, count, d);
        CHECK(farthest(c, d) <= small);
      }
      CHECK(farthest(g.to_dense(), expected.to_dense()) <= small);
      CHECK(std::abs(inner(g, x) - inner(expected, x.detached())) <= 1e-12 * std::abs(unit));
      if (std::abs(unit) == 1.0) CHECK(std::abs(norm(g) - norm(expected)) <= 1e-13);
      RandomStream one(0, Purpose::confirmation), other(0, Purpose::confirmation);
      const LeadingPair pair = LanczosSolver().confirm(mine, {}, one);
      const LeadingPair known = LanczosSolver().confirm(theirs, {}, other);
      CHECK(std::abs(pair.sigma - known.sigma) <= 1e-10 * known.sigma);
      CHECK(pair.converged);
      CHECK(static_cast<Index>(pair.u.size()) == shape.rows);
    }
}

TEST_CASE("sharded entries: NaN in a gradient is found by the first product") {
  const TestFolder folder;
  const Two f = both(folder, kTall, "7");
  Element x = some_point(f.plain->shape(), 9);
  x.scale(std::numeric_limits<double>::quiet_NaN());
  const Element g = gradient(*f.sharded, x);
  RandomStream stream(0, Purpose::confirmation);
  CHECK_THROWS_WITH_AS(LanczosSolver().confirm(ElementOperator(g), {}, stream),
                       doctest::Contains("is not finite"), Error);
}

TEST_CASE("sharded entries: a saved gradient is made again from its point, and shared as before") {
  const TestFolder folder;
  const Two f = both(folder, kWide, "7", {"loss=huber"});
  const Element x = some_point(f.plain->shape(), 9), y = some_point(f.plain->shape(), 19);
  References references;
  query<Referable>(*f.sharded)->refer(references);
  Element g = gradient(*f.sharded, x), h = product(*f.sharded, x, y, Batch::all()), twice(g);
  const std::vector<Index> list{2, 2, 30};
  f.sharded->add_gradient(y, Batch::of(list), 0.5, g);
  twice.scale(2.0);
  StateWriter out(references);
  out("g", g), out("h", h), out("twice", twice);
  StateReader in(out.bytes(), references, "test");
  Element of_g(g.shape()), of_h(h.shape()), of_twice(g.shape());
  in("g", of_g), in("h", of_h), in("twice", of_twice);
  CHECK(of_g.to_dense() == g.to_dense());
  CHECK(of_h.to_dense() == h.to_dense());
  CHECK(spread_operator(of_g.parts()[0].form) == spread_operator(of_twice.parts()[0].form));
  of_g.add(-0.5, of_twice);  // of one operator nothing is left
  CHECK(of_g.parts().size() == 1);
}

TEST_CASE("sharded entries: what is not observed has the bounds and constants of one piece") {
  const TestFolder folder;
  for (const Sizes& of : kAll) {
    CAPTURE(of.rows);
    const Two f = both(folder, of, "7", {"unobserved=0.2"});
    const Element x = some_point(f.plain->shape(), 9);
    CHECK(f.sharded->constants().strong_convexity == f.plain->constants().strong_convexity);
    CHECK(f.sharded->constants().smoothness == f.plain->constants().smoothness);
    CHECK(f.sharded->constants().strong_convexity > 0.0);
    NuclearNorm h;
    const double bound = query<Certified>(*f.plain)->lower_bound(x.detached(), h);
    REQUIRE(std::isfinite(bound));
    CHECK(std::abs(query<Certified>(*f.sharded)->lower_bound(x, h) - bound) <= 1e-12);
    const double rounding = query<Rounding>(*f.plain)->rounding(x.detached(), 20.0);
    CHECK(query<Rounding>(*f.sharded)->rounding(x, 20.0) >= 0.9 * rounding);
    CHECK(query<Rounding>(*f.sharded)->rounding(x, 20.0) <= 2.0 * rounding);
  }
}

TEST_CASE("sharded entries: a variable that is not the matrix of the entries is refused") {
  const TestFolder folder;
  const std::string features =
      folder.put("features.csv", std::string("1,2\n3,1\n2,5\n4,4\n1,7\n3,3\n")).string();
  CHECK_THROWS_WITH_AS(both(folder, {6, 5, 12}, "7", {"row_features=" + features, "layout=list"}).sharded,
                       doctest::Contains("do not go with sharded sums"), Error);
}

}  // namespace claros::test::sharded_entries

// SPDX-License-Identifier: BSD-3-Clause
// Sums over measurements of a matrix, chunk by chunk, against matrix-sensing in one piece. (On several ranks:
// tests/mpi.)
#include "compose_for_test.hpp"

#include <claros/abilities.hpp>
#include <claros/spectral/spectral.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace claros::test::sharded_sensing {

namespace {

constexpr Index kRows = 5, kCount = 43;

std::vector<double> normals(std::uint64_t seed, Index count) {
  Engine engine(seed);
  std::normal_distribution<double> normal;
  std::vector<double> values(static_cast<std::size_t>(count));
  for (double& value : values) value = normal(engine);
  return values;
}

std::string table(std::uint64_t seed, Index width) {
  const auto values = normals(seed, kCount * width);
  std::string text;
  for (std::size_t k = 0; k < values.size(); ++k)
    text += std::to_string(values[k]) + (static_cast<Index>(k + 1) % width == 0 ? "\n" : ",");
  return text;
}

/// Three entries each.
std::string sparse_list() {
  const auto values = normals(7, 3 * kCount);
  std::string text;
  for (Index k = 0; k < 3 * kCount; ++k)
    text += std::to_string(1 + k / 3) + ',' + std::to_string(1 + k % kRows) + ',' +
            std::to_string(1 + (k + k / 3) % 6) + ',' + std::to_string(values[static_cast<std::size_t>(k)]) +
            '\n';
  return text;
}

/// The options of a kind of measurements, whose files it writes.
Words words_of(const TestFolder& folder, const std::string& kind) {
  const Index length = kind == "dense" ? kRows * 6 : kRows;
  Words words{
      "measurements=" + kind,
      "data=" + folder.put("m.csv", kind == "sparse" ? sparse_list() : table(1, 1 + length)).string()};
  if (kind == "dense" || kind == "sparse") words = words + Words{"rows=5", "cols=6"};
  if (kind == "rank-one") words.push_back("right=" + folder.put("right.csv", table(2, 6)).string());
  words.push_back("response=" + (kind == "sparse" ? folder.put("y.csv", table(3, 1)).string() : "1"));
  return words;
}

Words under(const std::string& section, const Words& words) {
  Words all;
  for (const std::string& word : words) all.push_back(section + "." + word);
  return all;
}

std::shared_ptr<Objective> composed(const Words& words) {
  return compose(build_catalog(), spec_of(words + Words{"stop.iterations=1"})).objective;
}

Element gradient(Objective& f, const Element& x, const Batch& batch) {
  Element g(f.shape());
  f.add_gradient(x, batch, 1.0, g);
  return g;
}

Element product(Objective& f, const Element& x, const Element& d, const Batch& batch) {
  Element g(f.shape());
  query<Curvature>(f)->add_hessian_product(x, d, batch, 1.0, g);
  return g;
}

double farthest(const Element& a, const Element& b) {
  const std::vector<double> one = a.to_dense(), other = b.to_dense();
  double most = 0.0;
  for (std::size_t k = 0; k < one.size(); ++k) most = std::max(most, std::abs(one[k] - other[k]));
  return most;
}

/// h = lambda ||X||_*: its conjugate is 0 where the largest singular value is at most lambda.
class NuclearNorm final : public Conjugate {
 public:
  double conjugate(const Element&) override { return 0.0; }
  double into_domain(const Element& s) override {
    return std::min(1.0, 0.02 / dense_svd(s.shape().rows, s.shape().cols, s.to_dense()).s.front());
  }
};

}  // namespace

TEST_CASE("sharded sensing: values, gradients, batches, products and bounds are those of one piece") {
  const std::vector<Index> list{0, 3, 3, 22, 11, 39, 3};
  for (const std::string kind : {"dense", "sparse", "rank-one", "symmetric"})
    for (const std::string loss : {"squared", "huber"})
      for (const std::string chunks : {"1", "5", "64"}) {
        CAPTURE(kind);
        CAPTURE(loss);
        CAPTURE(chunks);
        const TestFolder folder;
        const Words words = words_of(folder, kind) + Words{"use=matrix-sensing", "loss=" + loss};
        const auto plain = composed(under("objective", words));
        const auto sharded = composed(Words{"objective.use=sharded", "objective.chunks=" + chunks} +
                                      under("objective.inner", words));
        const Shape shape = plain->shape();
        REQUIRE(sharded->shape() == shape);
        const Element d = Element::rank_one(-0.4, normals(2, shape.rows), normals(3, shape.cols));
        for (const bool dense : {false, true}) {
          Element x = Element::rank_one(0.7, normals(9, shape.rows), normals(4, shape.cols));
          if (dense) x.add(1.0, Element::dense(shape, normals(5, shape.size())));
          const double value = plain->value(x.detached());
          CHECK(std::abs(sharded->value(x) - value) <= 1e-12 * (1.0 + value));
          for (const Batch& batch : {Batch::all(), Batch::of(list), Batch::range(4, 13)}) {
            CHECK(farthest(gradient(*sharded, x, batch), gradient(*plain, x.detached(), batch)) <= 1e-12);
            CHECK(farthest(product(*sharded, x, d, batch), product(*plain, x.detached(), d, batch)) <= 1e-12);
          }
          NuclearNorm h;
          const double bound = query<Certified>(*plain)->lower_bound(x.detached(), h);
          REQUIRE(std::isfinite(bound));
          CHECK(std::abs(query<Certified>(*sharded)->lower_bound(x, h) - bound) <= 1e-11);
          const double rounding = query<Rounding>(*plain)->rounding(x.detached(), 20.0),
                       mine = query<Rounding>(*sharded)->rounding(x, 20.0);
          CHECK(mine >= 0.9 * rounding);
          CHECK(mine <= 2.0 * rounding);
        }
        const Constants mine = sharded->constants(), theirs = plain->constants();
        REQUIRE(mine.smoothness.has_value());
        CHECK(std::abs(*mine.smoothness - *theirs.smoothness) <= 0.03 * *theirs.smoothness);
        CHECK(std::abs(*mine.term_smoothness - *theirs.term_smoothness) <= 1e-12 * *theirs.term_smoothness);
      }
}

}  // namespace claros::test::sharded_sensing

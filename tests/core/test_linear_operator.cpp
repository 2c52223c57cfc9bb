// SPDX-License-Identifier: BSD-3-Clause
#include <claros/error.hpp>

#include "numbers.hpp"
#include "spectral_problems.hpp"

using namespace claros;
using namespace spectral_problems;

namespace {

/// Only the two products: blocks and entries are the defaults.
class Plain : public LinearOperator {
 public:
  explicit Plain(const Array& a) : a_(a) {}
  Index rows() const override { return a_.rows; }
  Index cols() const override { return a_.cols; }
  void apply(std::span<const double> x, std::span<double> y) const override {
    for (Index i = 0; i < a_.rows; ++i) {
      y[static_cast<std::size_t>(i)] = 0.0;
      for (Index j = 0; j < a_.cols; ++j)
        y[static_cast<std::size_t>(i)] += a_(i, j) * x[static_cast<std::size_t>(j)];
    }
  }
  void apply_adjoint(std::span<const double> y, std::span<double> x) const override {
    for (Index j = 0; j < a_.cols; ++j) {
      x[static_cast<std::size_t>(j)] = 0.0;
      for (Index i = 0; i < a_.rows; ++i)
        x[static_cast<std::size_t>(j)] += a_(i, j) * y[static_cast<std::size_t>(i)];
    }
  }

 private:
  const Array& a_;
};

}  // namespace

TEST_CASE(
    "linear operator: default blocks and entries, and those of a dense view, agree with the plain products") {
  RandomStream stream(1, Purpose::test);
  for (const auto& [m, n] : shapes()) {
    const Array a = gaussian(m, n, stream), x = gaussian(n, 3, stream), y = gaussian(m, 3, stream);
    const Plain plain(a);
    const DenseOperator dense = a.view();
    Array forward(m, 3), forward_dense(m, 3), backward(n, 3), backward_dense(n, 3);
    plain.apply_block(x.values, 3, forward.values);
    dense.apply_block(x.values, 3, forward_dense.values);
    plain.apply_adjoint_block(y.values, 3, backward.values);
    dense.apply_adjoint_block(y.values, 3, backward_dense.values);
    CHECK(distance(forward.values, forward_dense.values) < 1e-12);
    CHECK(distance(backward.values, backward_dense.values) < 1e-12);
    std::vector<double> image(static_cast<std::size_t>(m));
    plain.apply(column(x.values, n, 2), image);
    CHECK(distance(image, column(forward_dense.values, m, 2)) < 1e-12);
    Array entries(m, n), entries_dense(m, n);
    plain.entries(entries.values);
    dense.entries(entries_dense.values);
    CHECK(entries.values == a.values);
    CHECK(entries_dense.values == a.values);
  }
}

TEST_CASE("linear operator: products are counted, a block by its columns") {
  RandomStream stream(2, Purpose::test);
  const Array a = gaussian(4, 3, stream), x = gaussian(3, 5, stream);
  const DenseOperator dense = a.view();
  const CountingOperator counting(dense);
  Array y(4, 5), back(3, 5);
  counting.apply_block(x.values, 5, y.values);
  counting.apply_adjoint_block(y.values, 5, back.values);
  std::vector<double> one(4), other(3);
  counting.apply(column(x.values, 3, 0), one);
  CHECK(one == column(y.values, 4, 0));
  counting.apply_adjoint(one, other);
  counting.apply_adjoint(one, other);
  CHECK(counting.forward() == 6);
  CHECK(counting.adjoint() == 7);
  CHECK(counting.matvecs() == 13);
}

TEST_CASE("linear operator: a dense view of the wrong length is refused") {
  const std::vector<double> values(5);
  CHECK_THROWS_AS(DenseOperator(2, 3, values), Error);
}

// SPDX-License-Identifier: BSD-3-Clause
// Sums of chunks against the objective that makes them in one piece. (On several ranks: tests/mpi.)
#include "linear_problem.hpp"

#include <claros/abilities.hpp>

#include <limits>

using namespace claros;
using namespace claros::test;

namespace {
namespace of_sharded {

std::shared_ptr<Objective> sharded(Design design, const Numbers& numbers, const std::string& chunks) {
  std::vector<Setting> settings{{"chunks", chunks, {}, {}}};
  for (const auto& [key, value] : numbers) settings.push_back({"inner." + key, value, {}, {}});
  Context context;
  context.data = std::make_shared<DesignInMemory>(std::move(design));
  return std::static_pointer_cast<Objective>(
      create_component(build_catalog(), Kind::objective, "sharded", settings, context));
}

Design weighted(const std::string& loss, RowForm form, bool with_weights) {
  Design design = make_design(random_rows(3, kRows, kCols), kCols, responses(loss), form);
  if (!with_weights) return design;
  for (Index i = 0; i < kRows; ++i) design.weights.push_back(0.5 + 0.1 * static_cast<double>(i % 7));
  if (loss != "multinomial")
    for (Index i = 0; i < kRows; ++i) design.offset.push_back(0.01 * static_cast<double>(i % 5));
  return design;
}

/// h = lambda ||x||_1 and what it allows of a dual point.
class Norm final : public Conjugate {
 public:
  double conjugate(const Element& s) override {
    return largest(s) <= kLambda * (1 + 1e-12) ? 0.0 : kInfinity;
  }
  double into_domain(const Element& s) override { return std::min(1.0, kLambda / largest(s)); }

 private:
  static constexpr double kLambda = 0.05, kInfinity = std::numeric_limits<double>::infinity();
  static double largest(const Element& s) {
    double most = 0.0;
    for (const double value : s.to_dense()) most = std::max(most, std::abs(value));
    return most;
  }
};

struct Case {
  std::string loss, intercept;
  RowForm form;
  bool weights;
};

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const std::string& loss : kLosses)
    for (const RowForm form : {RowForm::dense, RowForm::dense_float, RowForm::sparse, RowForm::sparse_float})
      for (const bool weights : {false, true})
        all.push_back({loss, weights ? "true" : "false", form, weights});
  return all;
}

double close_to(double value) { return 1e-12 * (1.0 + std::abs(value)); }

Dense product(Objective& f, const Element& x, const Element& d, const Batch& batch) {
  Element g(f.shape());
  query<Curvature>(f)->add_hessian_product(x, d, batch, 1.0, g);
  return g.to_dense();
}

}  // namespace of_sharded
}  // namespace

TEST_CASE("sharded: values, gradients, batches and products are those of one piece") {
  const std::vector<Index> list{0, 3, 3, 22, 11, 12, 3};
  for (const of_sharded::Case& c : of_sharded::cases())
    for (const std::string chunks : {"1", "5", "23", "64"}) {
      CAPTURE(c.loss);
      CAPTURE(chunks);
      const Numbers numbers{{"loss", c.loss}, {"intercept", c.intercept}};
      const auto plain = linear_model(of_sharded::weighted(c.loss, c.form, c.weights), numbers);
      const auto f = of_sharded::sharded(of_sharded::weighted(c.loss, c.form, c.weights), numbers, chunks);
      REQUIRE(f->shape() == plain->shape());
      CHECK(f->terms() == kRows);
      const Element x = point(f->shape(), 9), y = point(f->shape(), 10);
      CHECK(std::abs(f->value(x) - plain->value(x.detached())) <=
            of_sharded::close_to(plain->value(x.detached())));
      for (const Batch& batch : {Batch::all(), Batch::of(list), Batch::range(4, 13)}) {
        CHECK(distance(gradient(*f, x, batch), gradient(*plain, x.detached(), batch)) <= 1e-12);
        Element change(f->shape()), expected(f->shape());
        f->add_gradient_difference(x, y, batch, 2.0, change);
        plain->add_gradient_difference(x.detached(), y.detached(), batch, 2.0, expected);
        CHECK(distance(change.to_dense(), expected.to_dense()) <= 1e-12);
        CHECK(distance(of_sharded::product(*f, x, y, batch),
                       of_sharded::product(*plain, x.detached(), y.detached(), batch)) <= 1e-12);
      }
      CHECK(std::abs(f->value(x) - plain->value(x.detached())) <=
            of_sharded::close_to(plain->value(x.detached())));
      CHECK_FALSE(x.has_images());
      CHECK_FALSE(y.has_images());
    }
}

TEST_CASE("sharded: a value that was made beside a gradient has the bits of one that was not") {
  for (const of_sharded::Case& c : of_sharded::cases()) {
    const Numbers numbers{{"loss", c.loss}, {"intercept", c.intercept}};
    const auto f = of_sharded::sharded(of_sharded::weighted(c.loss, c.form, c.weights), numbers, "5"),
               other = of_sharded::sharded(of_sharded::weighted(c.loss, c.form, c.weights), numbers, "5");
    const Element x = point(f->shape(), 9), y = point(f->shape(), 10);
    (void)gradient(*f, x);
    const double after = f->value(x);
    CHECK(after == other->value(x));
    CHECK(f->value(y) == other->value(y));
  }
}

TEST_CASE(
    "sharded: constants are those of one piece, but for the smoothness, which is a bound by Lanczos too") {
  for (const of_sharded::Case& c : of_sharded::cases()) {
    CAPTURE(c.loss);
    const Numbers numbers{{"loss", c.loss}, {"intercept", c.intercept}};
    const auto plain = linear_model(of_sharded::weighted(c.loss, c.form, c.weights), numbers);
    const auto f = of_sharded::sharded(of_sharded::weighted(c.loss, c.form, c.weights), numbers, "5");
    const Constants mine = f->constants(), theirs = plain->constants();
    CHECK(mine.convex == theirs.convex);
    const auto same = [](const std::optional<double>& a, const std::optional<double>& b, double relative) {
      return a.has_value() == b.has_value() && (!a || std::abs(*a - *b) <= relative * std::abs(*b));
    };
    CHECK(same(mine.smoothness, theirs.smoothness, 0.1));
    CHECK(same(mine.term_smoothness, theirs.term_smoothness, 1e-12));
    CHECK(same(mine.term_hessian_smoothness, theirs.term_hessian_smoothness, 1e-12));
    CHECK(same(mine.lower_smoothness, theirs.lower_smoothness, 1e-12));
    CHECK(same(mine.lower_bound, theirs.lower_bound, 1e-12));
  }
}

TEST_CASE("sharded: dual bounds and rounding are those of one piece; with a free coordinate there is none") {
  for (const of_sharded::Case& c : of_sharded::cases()) {
    CAPTURE(c.loss);
    const Numbers numbers{{"loss", c.loss}, {"intercept", c.intercept}};
    const auto plain = linear_model(of_sharded::weighted(c.loss, c.form, c.weights), numbers);
    const auto f = of_sharded::sharded(of_sharded::weighted(c.loss, c.form, c.weights), numbers, "5");
    const Element x = point(f->shape(), 9, 0.05);
    auto *mine = query<Certified>(*f), *theirs = query<Certified>(*plain);
    CHECK((mine != nullptr) == (theirs != nullptr && c.intercept == "false"));
    if (mine) {
      of_sharded::Norm h;
      const double expected = theirs->lower_bound(x.detached(), h);
      CHECK(std::isfinite(expected));
      CHECK(std::abs(mine->lower_bound(x, h) - expected) <= 1e-12 * (1 + std::abs(expected)));
    }
    const double bound = query<Rounding>(*plain)->rounding(x.detached(), 2.0);
    CHECK(query<Rounding>(*f)->rounding(x, 2.0) >= 0.5 * bound);
    CHECK(query<Rounding>(*f)->rounding(x, 2.0) <= 4.0 * bound);
  }
}

TEST_CASE("sharded: what is not a sum of terms is refused") {
  Design design = of_sharded::weighted("squared", RowForm::dense, false);
  CHECK_THROWS_WITH_AS(of_sharded::sharded(std::move(design), {{"errors_in_variables", "0.1"}}, "5"),
                       doctest::Contains("is not a sum of terms"), Error);
}

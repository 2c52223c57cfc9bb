// SPDX-License-Identifier: BSD-3-Clause
// Offsets of rows, z = A x + o: as good as a column o whose coefficient is 1.
#include "compose_for_test.hpp"

#include <claros/io/memory_data.hpp>
#include <claros/results/linear_prediction.hpp>

using namespace claros;
using namespace claros::test;

namespace {

constexpr Index kOffsetRows = 60, kOffsetColumns = 4;

struct OffsetRows {
  std::vector<double> a, wide, y, w, o;

  OffsetRows(const std::string& loss, int seed) {
    Engine engine(static_cast<unsigned>(seed));
    std::normal_distribution<double> normal;
    for (Index i = 0; i < kOffsetRows; ++i) {
      o.push_back(0.7 * normal(engine)), w.push_back(1.0 + static_cast<double>(i % 3));
      for (Index j = 0; j < kOffsetColumns; ++j) a.push_back(normal(engine)), wide.push_back(a.back());
      wide.push_back(o.back());
      const double x = normal(engine);
      const bool signs = loss == "logistic" || loss == "squared-hinge";
      const bool counts = loss == "poisson" || loss == "negative-binomial" || loss == "tweedie";
      y.push_back(signs             ? (x > 0.0 ? 1.0 : -1.0)
                  : counts          ? std::floor(2.0 * std::abs(x))
                  : loss == "gamma" ? std::abs(x) + 0.1
                                    : x);
    }
  }
  std::shared_ptr<const Dataset> with_offset() const {
    return data_from_rows(a, kOffsetRows, kOffsetColumns, y, claros::Entries::copied,
                          RowFacts{.weights = w, .offset = o});
  }
  std::shared_ptr<const Dataset> with_column() const {
    return data_from_rows(wide, kOffsetRows, kOffsetColumns + 1, y, claros::Entries::copied,
                          RowFacts{.weights = w});
  }
};

Composition composed_for(const std::string& loss, const std::shared_ptr<const Dataset>& data,
                         const Words& more = {"stop.iterations=1"}) {
  HostParts parts;
  parts.data = data;
  return compose(build_catalog(),
                 spec_of(Words{"objective.use=linear-model", "objective.loss=" + loss} + more), parts);
}

bool has_one_output(const std::string& loss) { return loss != "multinomial"; }

}  // namespace

TEST_CASE(
    "offset: value, gradients and curvature of every loss are those of a column whose coefficient is 1") {
  for (const std::string& loss : build_catalog().names(Kind::loss)) {
    if (!has_one_output(loss)) continue;
    CAPTURE(loss);
    const OffsetRows rows(loss, 5);
    const Composition offset = composed_for(loss, rows.with_offset());
    const Composition column = composed_for(loss, rows.with_column());
    Objective &f = *offset.problem().objective, &g = *column.problem().objective;
    const std::vector<double> at{0.3, -0.2, 0.5, 0.1}, along{1.0, -2.0, 0.5, 0.25};
    std::vector<double> wide_at = at, wide_along = along;
    wide_at.push_back(1.0), wide_along.push_back(0.0);
    const Element x = Element::dense(f.shape(), at), u = Element::dense(g.shape(), wide_at);
    CHECK(f.value(x) == doctest::Approx(g.value(u)).epsilon(1e-13));
    const std::vector<Index> some{3, 17, 17, 40};
    for (const Batch& batch : {Batch::all(), Batch::of(some)}) {
      Element slope(f.shape()), wide(g.shape());
      f.add_gradient(x, batch, 1.0, slope), g.add_gradient(u, batch, 1.0, wide);
      for (Index j = 0; j < kOffsetColumns; ++j)
        CHECK(slope.to_dense()[static_cast<std::size_t>(j)] ==
              doctest::Approx(wide.to_dense()[static_cast<std::size_t>(j)]).epsilon(1e-12).scale(1.0));
    }
    auto *bent = query<Curvature>(f), *wide_bent = query<Curvature>(g);
    REQUIRE(bent);
    Element product(f.shape()), wide_product(g.shape());
    bent->add_hessian_product(x, Element::dense(f.shape(), along), Batch::all(), 1.0, product);
    wide_bent->add_hessian_product(u, Element::dense(g.shape(), wide_along), Batch::all(), 1.0, wide_product);
    for (std::size_t j = 0; j < at.size(); ++j)
      CHECK(product.to_dense()[j] == doctest::Approx(wide_product.to_dense()[j]).epsilon(1e-12).scale(1.0));
  }
}

TEST_CASE("offset: a duality gap is met, and the bound is below every value") {
  for (const std::string loss : {"squared", "huber", "logistic", "squared-hinge", "poisson", "gamma"}) {
    CAPTURE(loss);
    const OffsetRows rows(loss, 6);
    const Composition c = composed_for(loss, rows.with_offset(),
                                       {"objective.intercept=yes", "penalty.use=l1", "penalty.lambda=0.1*max",
                                        "stop.relative_gap=1e-8", "stop.iterations=100000"});
    const RunResult r = run(c, run_settings(c));
    CHECK(r.status == Status::relative_gap);
    CHECK(r.measurement.gap >= 0.0);
  }
}

TEST_CASE("offset: at lambda_max a Poisson rate is the sum of counts over the sum of exposures") {
  const OffsetRows rows("poisson", 7);
  const Composition c =
      composed_for("poisson", rows.with_offset(),
                   {"objective.intercept=yes", "penalty.use=l1", "penalty.lambda=1.0001*max",
                    "stop.relative_gap=1e-12", "stop.iterations=10000"});
  const RunResult r = run(c, run_settings(c));
  double counts = 0.0, exposures = 0.0;
  for (std::size_t i = 0; i < rows.y.size(); ++i)
    counts += rows.w[i] * rows.y[i], exposures += rows.w[i] * std::exp(rows.o[i]);
  const std::vector<double> x = r.answer.to_dense();
  for (std::size_t j = 0; j + 1 < x.size(); ++j) CHECK(x[j] == 0.0);
  CHECK(x.back() == doctest::Approx(std::log(counts / exposures)).epsilon(1e-6));
}

TEST_CASE("offset: offsets of 0 are none, a loss of classes takes none, and what is no offset is refused") {
  OffsetRows rows("logistic", 8);
  const auto value = [&] {
    const Composition c = composed_for("logistic", rows.with_offset());
    return c.problem().objective->value(Element::dense(Shape::vector(kOffsetColumns), {1.0, 2.0, -1.0, 0.5}));
  };
  rows.o.assign(rows.o.size(), 0.0);
  const double of_zeros = value();
  rows.o.clear();
  CHECK(value() == of_zeros);
  rows.o = {1.0};
  CHECK(contains(refusal(ErrorKind::data, [&] { (void)rows.with_offset(); }), "offsets"));
  rows.o.assign(static_cast<std::size_t>(kOffsetRows), std::nan(""));
  CHECK(contains(refusal(ErrorKind::data, [&] { (void)rows.with_offset(); }), "offset of row 1"));
  rows.o.assign(static_cast<std::size_t>(kOffsetRows), 1.0);
  CHECK(contains(refusal(ErrorKind::usage, [&] { (void)composed_for("multinomial", rows.with_offset()); }),
                 "objective.offset"));
}

TEST_CASE("offset: predictions add the offsets of their rows, and ask for them") {
  const OffsetRows rows("poisson", 9);
  const Composition c = composed_for("poisson", rows.with_offset());
  const auto* model = query<LinearPredictor>(*c.problem().objective);
  REQUIRE(model);
  CHECK(model->linear_training().offset);
  CHECK(model->row_offsets().size() == rows.o.size());
}

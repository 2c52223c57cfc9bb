// SPDX-License-Identifier: BSD-3-Clause
// Matrix sensing beside plain loops over dense A_i: all kinds of measurements, ways to keep a gradient,
// losses and forms of a point.
#include <claros/map/element_operator.hpp>
#include <shared/maps/rank_one_map.hpp>

#include <map>

#include "sensing_problem.hpp"

using namespace claros;
using namespace claros::test;

namespace {

struct Case {
  std::string text;
  SensingProblem problem;
  Numbers numbers;
};

/// Square and not, one by one, and more measurements than a block of rows has.
std::vector<Case> cases() {
  std::vector<Case> all;
  const auto add = [&](const std::string& text, MeasurementKind kind, Index rows, Index cols, Index n,
                       const Numbers& numbers = {}) {
    all.push_back(
        {text + " " + Shape::matrix(rows, cols).text(), SensingProblem(kind, rows, cols, n), numbers});
  };
  for (const auto& [rows, cols] : {std::pair<Index, Index>{1, 1}, {5, 5}, {7, 3}, {3, 6}, {6, 1}}) {
    add("dense", MeasurementKind::dense, rows, cols, 30);
    add("sparse", MeasurementKind::sparse, rows, cols, 30);
    for (const char* adjoints : {"dense", "products"}) {
      const Numbers kept{{"adjoints", adjoints}};
      add(std::string("rank-one, ") + adjoints, MeasurementKind::rank_one, rows, cols, 700, kept);
      if (rows == cols)
        add(std::string("symmetric, ") + adjoints, MeasurementKind::symmetric, rows, cols, 700, kept);
    }
  }
  return all;
}

bool near(const Dense& a, const Dense& b) { return distance(a, b) <= 1e-11 * (1.0 + size(b)); }

double derivative(const std::string& loss, double z, double y) {
  return loss == "squared" ? z - y : (z - y) * std::exp(-0.5 * (z - y) * (z - y));
}
double second(const std::string& loss, double z, double y) {
  return loss == "squared" ? 1.0 : (1.0 - (z - y) * (z - y)) * std::exp(-0.5 * (z - y) * (z - y));
}

Words phase_words(const Words& more = {}) {
  return Words{"data.use=synthetic-sensing",   "data.rows=12",         "data.count=400",
               "objective.use=matrix-sensing", "set.use=nuclear-ball", "set.radius=1",
               "algorithm.use=frank-wolfe"} +
         more;
}

}  // namespace

TEST_CASE("matrix sensing: values, gradients and their differences are those of plain loops") {
  for (const Case& c : cases())
    for (const std::string loss : {"squared", "robust"})
      for (const auto& [form, x] : points_of(c.problem.shape(), 3)) {
        INFO(c.text, ", ", loss, ", ", form);
        const SensingProblem& p = c.problem;
        const auto f = p.objective(c.numbers + Numbers{{"loss", loss}});
        const Dense at = x.to_dense();
        CHECK(f->value(x.detached()) == doctest::Approx(p.value(loss, at)).epsilon(1e-11));
        const auto slope = [&](std::size_t i) { return derivative(loss, p.image(i, at), p.y[i]); };
        Element bare(x);
        bare.drop_images();
        CHECK(near(gradient(*f, bare), p.combination(p.everything(), slope)));
        (void)f->value(bare);  // an image is there now
        CHECK(near(gradient(*f, bare), p.combination(p.everything(), slope)));
        const std::vector<Index> list{p.n - 1, 0, p.n / 2, 0};
        CHECK(near(gradient(*f, x, Batch::of(list)), p.combination(list, slope)));
        const Element other = point(p.shape(), 8);
        const Dense there = other.to_dense();
        Element change(p.shape());
        f->add_gradient_difference(x, other, Batch::of(list), -2.0, change);
        Dense wanted = p.combination(list, [&](std::size_t i) {
          return -2.0 * (slope(i) - derivative(loss, p.image(i, there), p.y[i]));
        });
        CHECK(near(change.to_dense(), wanted));
      }
}

TEST_CASE("matrix sensing: Hessian products are those of plain loops") {
  for (const Case& c : cases())
    for (const auto& [form, d] : points_of(c.problem.shape(), 5)) {
      INFO(c.text, ", ", form);
      const SensingProblem& p = c.problem;
      const auto f = p.objective(c.numbers + Numbers{{"loss", "robust"}});
      const Element x = point(p.shape(), 4);
      const Dense at = x.to_dense(), along = d.to_dense();
      const auto coefficient = [&](std::size_t i) {
        return second("robust", p.image(i, at), p.y[i]) * p.image(i, along);
      };
      const std::vector<Index> list{p.n - 1, 2, 2};
      for (const bool all : {true, false}) {
        Element g(p.shape());
        query<Curvature>(*f)->add_hessian_product(x, d.detached(), all ? Batch::all() : Batch::of(list), 1.0,
                                                  g);
        CHECK(near(g.to_dense(), p.combination(all ? p.everything() : list, coefficient)));
      }
    }
}

TEST_CASE(
    "matrix sensing: a gradient is one array, products with the rows, or a sparse matrix, as its "
    "measurements ask for") {
  const auto parts = [](const SensingProblem& p, const Numbers& numbers) {
    const auto f = p.objective(numbers);
    Element g(f->shape());
    f->add_gradient(point(f->shape(), 3), Batch::all(), 1.0, g);
    g.fold();
    REQUIRE(g.parts().size() == 1);
    return g.parts().front().form.index();
  };
  const SensingProblem pairs(MeasurementKind::rank_one, 6, 4, 300), sparse(MeasurementKind::sparse, 6, 4, 30);
  CHECK(parts(pairs, {{"adjoints", "dense"}}) == Form(DenseForm{}).index());
  CHECK(parts(pairs, {}) == Form(DenseForm{}).index());
  CHECK(parts(pairs, {{"adjoints", "products"}}) == Form(OperatorForm{}).index());
  CHECK(parts(sparse, {}) == Form(SparseForm{}).index());
  const SensingProblem large(MeasurementKind::symmetric, 1200, 1200, 3);
  CHECK(parts(large, {}) == Form(OperatorForm{}).index());
}

TEST_CASE(
    "matrix sensing: products of a gradient kept by its rows, one by one and in blocks, are those of its "
    "array") {
  for (const MeasurementKind kind : {MeasurementKind::rank_one, MeasurementKind::symmetric}) {
    const SensingProblem p(kind, 6, kind == MeasurementKind::symmetric ? 6 : 4, 3000);
    const auto f = p.objective({{"adjoints", "products"}});
    const Element x = point(p.shape(), 3);
    const std::vector<Index> list{5, 2999, 5};
    for (const bool all : {true, false}) {
      Element g(p.shape());
      f->add_gradient(x, all ? Batch::all() : Batch::of(list), 1.0, g);
      g.fold();
      const auto& op = *std::get<OperatorForm>(g.parts().front().form).op;
      const double weight = g.parts().front().weight;
      const Dense array = g.to_dense();
      const DenseOperator whole(p.rows, p.cols, array);
      constexpr Index kCount = 3;
      const Dense right = normals(7, p.cols * kCount), left = normals(8, p.rows * kCount);
      Dense product(left.size()), wanted(left.size()), back(right.size()), wanted_back(right.size());
      op.apply_block(right, kCount, product);
      whole.apply_block(right, kCount, wanted);
      op.apply_adjoint_block(left, kCount, back);
      whole.apply_adjoint_block(left, kCount, wanted_back);
      for (double& value : product) value *= weight;
      for (double& value : back) value *= weight;
      CHECK(near(product, wanted));
      CHECK(near(back, wanted_back));
      Dense one(static_cast<std::size_t>(p.rows)), first(wanted.begin(), wanted.begin() + p.rows);
      ElementOperator(g).apply(std::span(right).first(static_cast<std::size_t>(p.cols)), one);
      CHECK(near(one, first));
    }
  }
}

TEST_CASE("matrix sensing: images follow vertices, and a run with them has the values of plain loops") {
  for (const Case& c : cases()) {
    INFO(c.text);
    const auto f = c.problem.objective(c.numbers);
    Path path(c.problem.shape());
    for (int k = 0; k < 5; ++k) {
      (void)f->value(path.x);
      path.step();
      CHECK(f->value(path.x) ==
            doctest::Approx(c.problem.value("squared", path.x.to_dense())).epsilon(1e-11));
    }
  }
}

TEST_CASE(
    "matrix sensing: a_i a_i' see the symmetric part of X alone, and their gradient is symmetric to the "
    "bit") {
  const SensingProblem p(MeasurementKind::symmetric, 9, 9, 800);
  for (const char* adjoints : {"dense", "products"}) {
    const auto f = p.objective({{"adjoints", adjoints}});
    const Element x = point(p.shape(), 3);
    const Dense values = x.to_dense();
    Dense half(values.size());
    for (std::size_t i = 0; i < 9; ++i)
      for (std::size_t j = 0; j < 9; ++j) half[j * 9 + i] = 0.5 * (values[j * 9 + i] + values[i * 9 + j]);
    CHECK(f->value(x) == doctest::Approx(f->value(Element::dense(p.shape(), half))).epsilon(1e-12));
    const Dense g = gradient(*f, x);
    for (std::size_t i = 0; i < 9; ++i)
      for (std::size_t j = 0; j < 9; ++j) CHECK(g[j * 9 + i] == g[i * 9 + j]);
  }
}

TEST_CASE("matrix sensing: one thread or three, the same bits") {
  for (const MeasurementKind kind : {MeasurementKind::dense, MeasurementKind::sparse,
                                     MeasurementKind::rank_one, MeasurementKind::symmetric})
    for (const char* adjoints : {"dense", "products"}) {
      const SensingProblem p(kind, 11, kind == MeasurementKind::symmetric ? 11 : 7, 5000);
      const auto f = p.objective({{"adjoints", adjoints}, {"loss", "robust"}});
      std::vector<Index> list(700);
      for (std::size_t k = 0; k < list.size(); ++k) list[k] = static_cast<Index>(k * 7 % 5000);
      std::map<int, std::vector<Dense>> results;
      for (const int threads : {1, 3}) {
        const ThreadScope scope(threads);
        for (auto& [form, x] : points_of(p.shape(), 3)) {
          Element bare(x);
          bare.drop_images();
          results[threads].push_back(gradient(*f, bare));
          results[threads].push_back(gradient(*f, bare, Batch::of(list)));
          results[threads].push_back({f->value(bare)});
          Element g(p.shape());
          query<Curvature>(*f)->add_hessian_product(bare, rank_one(p.shape(), 6), Batch::all(), 1.0, g);
          results[threads].push_back(g.to_dense());
        }
      }
      CHECK(results[1] == results[3]);
    }
}

TEST_CASE("matrix sensing: constants are those of the matrix of all vec(A_i)") {
  for (const Case& c : cases()) {
    const SensingProblem& p = c.problem;
    if (p.rows * p.cols == 1) continue;
    INFO(c.text);
    const auto f = p.objective(c.numbers);
    const Constants known = f->constants();
    Dense stacked;
    double largest = 0.0;
    for (const Dense& a : p.A)
      stacked.insert(stacked.end(), a.begin(), a.end()), largest = std::max(largest, size(a) * size(a));
    const double s = dense_svd(p.rows * p.cols, p.n, stacked).s.front(),
                 eigenvalue = s * s / static_cast<double>(p.n);
    CHECK(*known.smoothness >= eigenvalue * (1.0 - 1e-12));
    CHECK(*known.smoothness <= eigenvalue * 1.1);
    CHECK(*known.term_smoothness == doctest::Approx(largest).epsilon(1e-12));
    const auto L = query<TermConstants>(*f)->term_smoothness();
    REQUIRE(static_cast<Index>(L.size()) == p.n);
    CHECK(L[1] == doctest::Approx(size(p.A[1]) * size(p.A[1])).epsilon(1e-12));
    CHECK(p.objective(c.numbers + Numbers{{"smoothness", "3"}})->constants().smoothness == 3.0);
  }
}

TEST_CASE(
    "matrix sensing: every estimator goes the same way whether gradients are arrays or products with the "
    "rows") {
  for (const std::string& estimator : build_catalog().names(Kind::estimator)) {
    INFO(estimator);
    const Words words = phase_words(Words{"algorithm.weight=0.05", "stop.iterations=25", "set.engine=dense"} +
                                    small_batches(estimator));
    const RunResult arrays = solve(words + Words{"objective.adjoints=dense"}),
                    products = solve(words + Words{"objective.adjoints=products"});
    CHECK_MESSAGE(arrays.failure.empty(), arrays.failure);
    CHECK_MESSAGE(products.failure.empty(), products.failure);
    const Dense x = arrays.answer.to_dense();
    CHECK(distance(x, products.answer.to_dense()) <= 1e-6 * size(x));
    CHECK(arrays.counts.sfo == products.counts.sfo);
    CHECK(same_bits(arrays.answer, solve(words + Words{"objective.adjoints=dense", "run.threads=2"}).answer));
  }
}

TEST_CASE("matrix sensing: a run that is resumed has the bits of the whole one") {
  for (const std::string measurements : {"gaussian", "rank-one", "symmetric"})
    for (const char* adjoints : {"dense", "products"})
      for (const char* estimator : {"svrg", "saga", "casvrg", "spider"}) {
        INFO(measurements, " ", adjoints, " ", estimator);
        const Words words = phase_words(Words{"data.measurements=" + measurements,
                                              std::string("objective.adjoints=") + adjoints,
                                              "algorithm.weight=0.05", "stop.iterations=14"} +
                                        small_batches(estimator));
        const Composition composition = compose(build_catalog(), spec_of(words));
        std::string state;
        const RunResult whole = run_composition(composition.trial(0), [&](RunSettings& settings) {
          settings.checkpoint_every = 8;
          settings.on_checkpoint = [&](const StateStream& stream, bool ended) {
            if (!ended) state = collected(stream);
          };
        });
        REQUIRE_FALSE(state.empty());
        const RunResult again =
            run_composition(composition.trial(0), [&](RunSettings& settings) { settings.resume = state; });
        REQUIRE_MESSAGE(again.failure.empty(), again.failure);
        CHECK(same_bits(whole.answer, again.answer));
        CHECK(whole.counts == again.counts);
      }
}

TEST_CASE("matrix sensing: phase retrieval finds x x'") {
  const RunResult result = solve(phase_words({"data.radius=2", "set.radius=2", "stop.relative_gap=1e-2",
                                              "stop.iterations=4000", "stop.value=1e-8"}));
  const auto data =
      make_data(build_catalog(),
                spec_of({"data.use=synthetic-sensing", "data.rows=12", "data.count=400", "data.radius=2"}));
  const Dense truth = data->truth()->to_dense();
  CHECK(distance(result.answer.to_dense(), truth) <= 1e-3 * size(truth));
}

TEST_CASE(
    "matrix sensing: moves of single coordinates are offered where there are columns, and nowhere else") {
  for (const MeasurementKind kind : {MeasurementKind::dense, MeasurementKind::sparse,
                                     MeasurementKind::rank_one, MeasurementKind::symmetric}) {
    const auto f = SensingProblem(kind, 4, 4, 40).objective();
    CHECK((query<LossOfImage>(*f) != nullptr) == (kind == MeasurementKind::dense));
    CHECK((query<Restrictable>(*f) != nullptr) == (kind == MeasurementKind::dense));
    CHECK(query<Certified>(*f));
    CHECK(query<TermCoefficients>(*f));
  }
}

TEST_CASE("rank-one map: what stood in an array before plays no part") {
  const double nan = std::nan("");
  for (const bool symmetric : {true, false}) {
    const SensingProblem p(symmetric ? MeasurementKind::symmetric : MeasurementKind::rank_one, 5, 5, 600);
    const RankOneMap map(p.measurements.left, p.measurements.right);
    const Element x = point(p.shape(), 3);
    const std::vector<Index> rows{3, 599, 3};
    Dense z(600, nan), again(600, nan), some(3, nan), g(25, 0.0), c(600);
    map.apply(1.0, x, 0.0, z);
    map.dot(rows, x, some);
    map.round_trip(
        x,
        [](Index, std::span<const double> image, std::span<double> out) {
          std::copy(image.begin(), image.end(), out.begin());
        },
        again, g);
    for (std::size_t i = 0; i < 600; ++i) {
      c[i] = p.image(i, x.to_dense());
      CHECK(z[i] == doctest::Approx(c[i]).epsilon(1e-12));
      CHECK(again[i] == z[i]);
    }
    CHECK(near({some[0], some[1], some[2]}, {c[3], c[599], c[3]}));
    CHECK(near(g, p.combination(p.everything(), [&](std::size_t i) { return 600.0 * c[i]; })));
    map.add_adjoint(c, g);
    CHECK(near(g, p.combination(p.everything(), [&](std::size_t i) { return 1200.0 * c[i]; })));
  }
}

TEST_CASE("matrix sensing: the residual of a gradient whose forms cancel is that of its entries") {
  const Words f_alone{"data.use=synthetic-sensing",
                      "data.measurements=rank-one",
                      "data.truth=general",
                      "data.rows=6",
                      "data.cols=5",
                      "data.count=40",
                      "data.noise=0.1",
                      "objective.use=matrix-sensing"},
      more{"objective.adjoints=products", "smoother.use=squared-norm", "smoother.lambda=20",
           "algorithm.use=lbfgs",         "stop.residual=1e-12",       "stop.iterations=1500"};
  const RunResult r = solve(f_alone + more);
  const auto f =
      compose(build_catalog(), spec_of(f_alone + Words{"objective.adjoints=dense", "stop.iterations=1"}))
          .objective;
  const auto slope = [&](const Element& x) {
    Element g(x);
    g.scale(20.0);
    f->add_gradient(x, Batch::all(), 1.0, g);
    return size(g.to_dense());
  };
  CHECK(r.status == Status::residual);
  // To the rounding of gradients that cancel: 1e-16 of their parts.
  CHECK(slope(r.answer) / slope(Element(f->shape())) <= 2e-12);
}

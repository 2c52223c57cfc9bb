// SPDX-License-Identifier: BSD-3-Clause
#include "linear_problem.hpp"

#include <claros/element/parallel.hpp>

#include <map>
#include <numeric>

using namespace claros;
using namespace claros::test;

TEST_CASE(
    "linear model: values and gradients of every loss and form, against plain loops and central "
    "differences") {
  for (const std::string& loss : kLosses)
    for (const RowForm form : {RowForm::dense, RowForm::dense_float, RowForm::sparse, RowForm::sparse_float})
      for (const char* intercept : {"false", "true"}) {
        CAPTURE(loss);
        CAPTURE(intercept);
        const Dense y = responses(loss);
        const auto f =
            linear_model(make_design(entries(), kCols, y, form), {{"loss", loss}, {"intercept", intercept}});
        CHECK(f->terms() == kRows);
        const Element x = point(f->shape(), 9);
        CHECK(
            f->value(x) ==
            doctest::Approx(plain_value(loss, entries(), y, x.to_dense(), *intercept == 't')).epsilon(1e-13));
        CHECK(distance(gradient(*f, x.detached()), central_differences(*f, x)) <= 1e-8);
      }
}

TEST_CASE(
    "linear model: batches with repetition are means of component gradients, differences and ranges too") {
  for (const std::string& loss : {std::string("huber"), std::string("multinomial")}) {
    const auto f =
        linear_model(make_design(entries(), kCols, responses(loss)), {{"loss", loss}, {"intercept", "true"}});
    const Element x = point(f->shape(), 9), y = point(f->shape(), 10);
    const std::vector<Index> list{3, 3, 0, 22};
    Dense mean(static_cast<std::size_t>(f->shape().size()), 0.0), all = mean;
    for (const Index i : list) mean = plus(mean, 0.25, gradient(*f, x, Batch::range(i, 1)));
    for (Index i = 0; i < kRows; ++i) all = plus(all, 1.0 / kRows, gradient(*f, x, Batch::range(i, 1)));
    CHECK(distance(mean, gradient(*f, x, Batch::of(list))) <= 1e-14);
    CHECK(distance(all, gradient(*f, x)) <= 1e-14);
    Element change(f->shape());
    f->add_gradient_difference(x, y, Batch::of(list), 2.0, change);
    CHECK(distance(change.to_dense(), plus(plus(mean, 1.0, mean), -2.0, gradient(*f, y, Batch::of(list)))) <=
          1e-13);
  }
}

TEST_CASE("linear model: Hessian products against gradient differences") {
  for (const std::string& loss : kLosses)
    for (const char* errors : {"0", "0.3"}) {
      CAPTURE(loss);
      Design design = make_design(entries(), kCols, responses(loss));
      design.weights = Dense(kRows, 1.0);
      design.weights[3] = 2.5;
      const auto f = linear_model(std::move(design),
                                  {{"loss", loss}, {"errors_in_variables", errors}, {"intercept", "true"}});
      auto* curvature = query<Curvature>(*f);
      const double h = 1e-5;
      const Element x = point(f->shape(), 9), d = point(f->shape(), 10);
      Element ahead = x, behind = x;
      ahead.add(h, d), behind.add(-h, d);
      const std::vector<Index> list{0, 3, 3, 5};
      for (const Batch& S : {Batch::all(), Batch::of(list), Batch::range(1, 3)}) {
        Element change(f->shape()), product(f->shape()), kept(f->shape());
        f->add_gradient(ahead, S, 1 / (2 * h), change);
        f->add_gradient(behind, S, -1 / (2 * h), change);
        curvature->add_hessian_product(x, d, S, 1.0, product);
        curvature->hessian(x, S)->add_product(d, 1.0, kept);
        CHECK(distance(change.to_dense(), product.to_dense()) <= 1e-7);
        CHECK(distance(kept.to_dense(), product.to_dense()) <= 1e-14);
        if (S.is_all()) CHECK(size(product.to_dense()) > 1e-3);
      }
    }
}

TEST_CASE("linear model: row weights") {
  Design design = make_design(entries(), kCols, responses("logistic"));
  Dense w(kRows);
  for (std::size_t i = 0; i < w.size(); ++i) w[i] = 0.25 * static_cast<double>(i % 5);
  design.weights = w;
  const double total = std::accumulate(w.begin(), w.end(), 0.0);
  for (double& weight : w) weight *= static_cast<double>(kRows) / total;  // of a weighted mean
  const auto f = linear_model(design, {{"loss", "logistic"}});
  const Element x = point(f->shape(), 9);
  CHECK(f->value(x) ==
        doctest::Approx(plain_value("logistic", entries(), responses("logistic"), x.to_dense(), false, w))
            .epsilon(1e-13));
  CHECK(distance(gradient(*f, x), central_differences(*f, x)) <= 1e-9);
  const auto L = query<TermConstants>(*f)->term_smoothness();
  REQUIRE(L.size() == 18);  // five rows of weight 0 are no rows, two of them before row 7
  double norm = 0.0;
  for (std::size_t j = 0; j < kCols; ++j) norm += entries()[7 * kCols + j] * entries()[7 * kCols + j];
  CHECK(L[5] == doctest::Approx(0.25 * w[7] * 18.0 / 23.0 * norm));
}

TEST_CASE("linear model: a matrix variable sees the columns one after the other") {
  const auto matrix = linear_model(make_design(entries(), kCols, responses("squared")), {{"shape", "3x4"}});
  const auto vector = linear_model(make_design(entries(), kCols, responses("squared")), {});
  CHECK(matrix->shape() == Shape::matrix(3, 4));
  const Element x = rank_one(matrix->shape(), 4);
  const Element flat = Element::dense(vector->shape(), x.to_dense());
  CHECK(matrix->value(x) == doctest::Approx(vector->value(flat)).epsilon(1e-14));
  CHECK(distance(gradient(*matrix, x), gradient(*vector, flat)) <= 1e-14);
  const std::vector<Index> list{1, 7};
  CHECK(distance(gradient(*matrix, x, Batch::of(list)), gradient(*vector, flat, Batch::of(list))) <= 1e-14);
  check_mentions(
      refusal(ErrorKind::usage,
              [] {
                linear_model(make_design(entries(), kCols, responses("squared")), {{"shape", "3x5"}});
              }),
      {"shape", "15", "12"});
  check_mentions(
      refusal(ErrorKind::usage,
              [] {
                linear_model(make_design(entries(), kCols, responses("squared")), {{"shape", "3by4"}});
              }),
      {"'3by4'"});
}

TEST_CASE(
    "linear model: the full gradient is one dense part, with and without an image; batches stay few rows") {
  const Index n = 300, p = 37;
  for (const RowForm form : {RowForm::dense, RowForm::sparse}) {
    const auto f = linear_model(make_design(random_rows(8, n, p), p, responses("squared", n), form), {});
    const Element x = point(f->shape(), 9);
    const Element bare = x;
    Element fused(f->shape()), plain(f->shape()), batch(f->shape());
    f->add_gradient(bare, Batch::all(), 1.0, fused);
    (void)f->value(x);
    f->add_gradient(x, Batch::all(), 1.0, plain);
    REQUIRE(fused.parts().size() == 1);
    CHECK(std::holds_alternative<DenseForm>(fused.parts()[0].form));
    CHECK(fused.to_dense() == plain.to_dense());
    CHECK(f->value(bare) == f->value(x));
    const std::vector<Index> list{4, 250};
    f->add_gradient(x, Batch::of(list), 1.0, batch);
    REQUIRE(batch.parts().size() == 1);
    CHECK(std::get<AdjointForm>(batch.parts()[0].form).rows.size() == 2);
    batch.add(1.0, fused);
    const Dense sum = batch.to_dense();
    CHECK(distance(sum, plus(fused.to_dense(), 1.0, gradient(*f, x, Batch::of(list)))) <= 1e-13);
  }
}

TEST_CASE("linear model: one thread or two, the same bits") {
  const Index n = 700, p = 53;
  for (const RowForm form : {RowForm::dense, RowForm::dense_float, RowForm::sparse}) {
    const auto f = linear_model(make_design(random_rows(8, n, p), p, responses("logistic", n), form),
                                {{"loss", "logistic"}, {"intercept", "true"}});
    const Element x = point(f->shape(), 9), d = point(f->shape(), 10);
    std::map<int, std::pair<Dense, double>> results;
    for (const int threads : {1, 2}) {
      const ThreadScope scope(threads);
      Element g(f->shape());
      const Element fresh = Element::dense(x.shape(), x.to_dense());
      f->add_gradient(fresh, Batch::all(), 1.0, g);
      query<Curvature>(*f)->add_hessian_product(fresh, d.detached(), Batch::all(), 1.0, g);
      results[threads] = {g.to_dense(), f->value(Element::dense(x.shape(), x.to_dense()))};
    }
    CHECK(results[1].first == results[2].first);
    CHECK(results[1].second == results[2].second);
  }
}

TEST_CASE("linear model: images follow vertices with few entries") {
  const Index n = 40, p = 64;
  const auto f =
      linear_model(make_design(random_rows(8, n, p), p, responses("squared", n)), {{"intercept", "true"}});
  Element x = point(f->shape(), 9);
  (void)f->value(x);
  const auto vertex = Element::sparse(
      std::make_shared<Pattern>(p + 1, 1, std::vector<std::int32_t>{17, 64}, std::vector<std::int32_t>{0, 0}),
      Buffer(Dense{3.0, -0.5}));
  x.blend(0.25, vertex);
  CHECK(f->value(x) == doctest::Approx(f->value(Element::dense(x.shape(), x.to_dense()))).epsilon(1e-14));
}

TEST_CASE("linear model: a batch that no cache holds is read once, and means what its components do") {
  constexpr Index n = 24, p = 120'001;  // 48 rows of them are 46 megabytes
  const auto f = linear_model(make_design(normals(31, n * p), p, normals(32, n)),
                              {{"loss", "huber"}, {"intercept", "true"}});
  const Element x = Element::dense(f->shape(), normals(33, p + 1)),
                y = Element::dense(f->shape(), normals(34, p + 1));
  std::vector<Index> list;
  std::vector<double> weights;
  for (Index k = 0; k < 48; ++k)
    list.push_back((7 * k) % n), weights.push_back(0.5 + 0.1 * static_cast<double>(k % 5));
  Dense gradient_sum(static_cast<std::size_t>(p + 1)), difference_sum = gradient_sum;
  for (std::size_t k = 0; k < list.size(); ++k) {
    const Dense at_x = gradient(*f, x, Batch::range(list[k], 1)),
                at_y = gradient(*f, y, Batch::range(list[k], 1));
    gradient_sum = plus(gradient_sum, weights[k] / 48.0, at_x);
    difference_sum = plus(plus(difference_sum, weights[k] / 48.0, at_x), -weights[k] / 48.0, at_y);
  }
  const auto made = [&](int threads, bool difference, bool image) {
    const ThreadScope scope(threads);
    Element g(f->shape()), here = x.detached(), there = y.detached();
    if (image) (void)f->value(there);
    const Batch batch = Batch::of(list, weights);
    difference ? f->add_gradient_difference(here, there, batch, 1.0, g)
               : f->add_gradient(here, batch, 1.0, g);
    REQUIRE(g.parts().size() == 1);
    CHECK(std::holds_alternative<DenseForm>(g.parts().front().form));  // nothing waits for another reading
    return g.to_dense();
  };
  CHECK(distance(made(1, false, false), gradient_sum) <= 1e-11);
  CHECK(distance(made(1, true, false), difference_sum) <= 1e-11);
  CHECK(made(3, false, false) == made(1, false, false));
  CHECK(made(3, true, false) == made(1, true, false));
  CHECK(made(2, true, true) == made(1, true, true));
  CHECK(distance(made(1, true, true), difference_sum) <= 1e-11);
}

// SPDX-License-Identifier: BSD-3-Clause
#include "linear_problem.hpp"

#include <claros/parallel.hpp>
#include <claros/spectral.hpp>

#include <unistd.h>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>

using namespace claros;
using namespace claros::test;

namespace {

constexpr Index kRows = 23, kCols = 12;

/// Responses that the loss accepts.
Dense responses(const std::string& loss, Index n = kRows) {
  Dense y = normals(77, n);
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (loss == "logistic" || loss == "squared-hinge") y[i] = y[i] < 0 ? -1.0 : 1.0;
    if (loss == "poisson") y[i] = std::floor(2.0 * std::abs(y[i]));
    if (loss == "multinomial") y[i] = static_cast<double>(i % 3);
  }
  return y;
}

const std::vector<std::string> kLosses{"squared",       "robust",  "huber",      "logistic",
                                       "squared-hinge", "poisson", "multinomial"};

/// The numbers of a loss, for a plain loop; derivatives come from differences elsewhere.
double plain_loss(const std::string& loss, std::span<const double> z, double y) {
  if (loss == "squared") return 0.5 * (z[0] - y) * (z[0] - y);
  if (loss == "robust") return 1.0 - std::exp(-0.5 * (z[0] - y) * (z[0] - y));
  if (loss == "huber")
    return std::abs(z[0] - y) <= 1.0 ? 0.5 * (z[0] - y) * (z[0] - y) : std::abs(z[0] - y) - 0.5;
  if (loss == "logistic") return std::log(1.0 + std::exp(-y * z[0]));
  if (loss == "squared-hinge") return 0.5 * std::pow(std::max(0.0, 1.0 - y * z[0]), 2);
  if (loss == "poisson") return std::exp(z[0]) - y * z[0];
  double mass = 0.0;
  for (const double score : z) mass += std::exp(score);
  return std::log(mass) - z[static_cast<std::size_t>(y)];
}

/// (1/n) sum_i w_i psi(A_i x, y_i) in nested loops.
double plain_value(const std::string& loss, const Dense& a, const Dense& y, const Dense& x, bool intercept,
                   const Dense& w = {}) {
  const std::size_t K = loss == "multinomial" ? 3 : 1, p = kCols;
  double sum = 0.0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    Dense z(K, 0.0);
    for (std::size_t k = 0; k < K; ++k) {
      for (std::size_t j = 0; j < p; ++j) z[k] += a[i * p + j] * x[k * p + j];
      if (intercept) z[k] += x[K * p + k];
    }
    sum += (w.empty() ? 1.0 : w[i]) * plain_loss(loss, z, y[i]);
  }
  return sum / static_cast<double>(y.size());
}

Dense central_differences(Objective& f, const Element& x) {
  const double h = 1e-5;
  Dense at = x.to_dense(), g(at.size());
  for (std::size_t j = 0; j < at.size(); ++j) {
    const double kept = at[j];
    at[j] = kept + h;
    const double ahead = f.value(Element::dense(x.shape(), at));
    at[j] = kept - h;
    g[j] = (ahead - f.value(Element::dense(x.shape(), at))) / (2 * h);
    at[j] = kept;
  }
  return g;
}

double size(const Dense& a) { return distance(a, Dense(a.size(), 0.0)); }

std::string refusal(ErrorKind kind, const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    CHECK(error.kind() == kind);
    return error.what();
  }
  FAIL_CHECK("nothing was thrown");
  return {};
}

void mentions(const std::string& text, std::initializer_list<const char*> parts) {
  for (const char* part : parts) {
    INFO(text << " should mention " << std::string(part));
    CHECK(text.find(part) != std::string::npos);
  }
}

const Dense& entries() {
  static const Dense a = random_rows(5, kRows, kCols);
  return a;
}

}  // namespace

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
        CHECK(f->components() == kRows);
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

TEST_CASE("linear model: row weights, from the data and from a file") {
  Design design = make_design(entries(), kCols, responses("logistic"));
  Dense w(kRows);
  for (std::size_t i = 0; i < w.size(); ++i) w[i] = 0.25 * static_cast<double>(i % 5);
  design.weights = w;
  const auto f = linear_model(design, {{"loss", "logistic"}});
  const Element x = point(f->shape(), 9);
  CHECK(f->value(x) ==
        doctest::Approx(plain_value("logistic", entries(), responses("logistic"), x.to_dense(), false, w))
            .epsilon(1e-13));
  CHECK(distance(gradient(*f, x), central_differences(*f, x)) <= 1e-9);
  const auto L = query<ComponentConstants>(*f)->component_smoothness();
  REQUIRE(L.size() == kRows);
  CHECK(L[5] == 0.0);
  double norm = 0.0;
  for (std::size_t j = 0; j < kCols; ++j) norm += entries()[7 * kCols + j] * entries()[7 * kCols + j];
  CHECK(L[7] == doctest::Approx(0.25 * w[7] * norm));
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
  mentions(refusal(ErrorKind::usage,
                   [] {
                     linear_model(make_design(entries(), kCols, responses("squared")), {{"shape", "3x5"}});
                   }),
           {"objective.shape", "15", "12"});
  mentions(refusal(ErrorKind::usage,
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

TEST_CASE("linear model: errors in variables, scalar, diagonal and full") {
  const auto folder =
      std::filesystem::temp_directory_path() / ("claros-linear-" + std::to_string(::getpid()));
  std::filesystem::create_directory(folder);
  const auto put = [&](const char* name, const std::function<double(Index, Index)>& entry, bool full) {
    std::ofstream out(folder / name);
    for (Index i = 0; i < kCols; ++i)
      for (Index j = 0; j < (full ? kCols : 1); ++j)
        out << entry(i, full ? j : i) << (full && j + 1 < kCols ? ' ' : '\n');
  };
  const auto covariance = [](Index i, Index j) {
    return i == j ? 0.2 + 0.01 * static_cast<double>(i) : 0.01;
  };
  put("diagonal", covariance, false);
  put("full", covariance, true);
  put(
      "crooked", [](Index i, Index j) { return i < j ? 1.0 : 2.0; }, true);
  Context context;
  context.base = folder;
  const auto model = [&](const std::string& errors) {
    return linear_model(make_design(entries(), kCols, responses("squared")),
                        {{"errors_in_variables", errors}, {"intercept", "true"}}, context);
  };
  const auto without = model("0");
  const Element x = point(without->shape(), 9);
  const Dense v = x.to_dense();
  for (const std::string& kind : {std::string("0.4"), std::string("diagonal"), std::string("full")}) {
    CAPTURE(kind);
    const auto f = model(kind);
    double form = 0.0;
    for (Index i = 0; i < kCols; ++i)
      for (Index j = 0; j < kCols; ++j) {
        const double s = kind == "0.4"              ? (i == j ? 0.4 : 0.0)
                         : kind == "full" || i == j ? covariance(i, j)
                                                    : 0.0;
        form += s * v[static_cast<std::size_t>(i)] * v[static_cast<std::size_t>(j)];
      }
    CHECK(f->value(x) == doctest::Approx(without->value(x) - 0.5 * form).epsilon(1e-13));
    CHECK(distance(gradient(*f, x), central_differences(*f, x)) <= 1e-8);
    const std::vector<Index> list{2, 2, 9};
    Element change(f->shape()), plain(f->shape());
    const Element y = point(f->shape(), 12);
    f->add_gradient_difference(x, y, Batch::of(list), 1.0, change);
    f->add_gradient(x, Batch::of(list), 1.0, plain);
    f->add_gradient(y, Batch::of(list), -1.0, plain);
    CHECK(distance(change.to_dense(), plain.to_dense()) <= 1e-13);
    CHECK(!f->constants().convex);
    CHECK(!f->constants().lower_bound);
    CHECK(*f->constants().lower_smoothness >= (kind == "0.4" ? 0.4 : 0.31));
    CHECK(query<Certified>(*f) == nullptr);
  }
  mentions(refusal(ErrorKind::data, [&] { model("crooked"); }), {"crooked", "not symmetric"});
  mentions(refusal(ErrorKind::usage, [&] { model("-1"); }), {"-1"});
  std::filesystem::remove_all(folder);
}

TEST_CASE("linear model: standardised columns, and the answer in the units of the data") {
  Dense a = entries();
  for (std::size_t k = 0; k < a.size(); ++k) a[k] = 5.0 + static_cast<double>(k % kCols + 1) * a[k];
  for (const char* intercept : {"true", "false"}) {
    const bool has = *intercept == 't';
    const Numbers plain{{"intercept", intercept}}, scaled{{"intercept", intercept}, {"standardize", "true"}};
    const auto f = linear_model(make_design(a, kCols, responses("squared")), plain);
    const auto s = linear_model(make_design(a, kCols, responses("squared")), scaled);
    const Element x = point(s->shape(), 9);
    auto* back = query<Rescaled>(*s);
    REQUIRE(back != nullptr);
    CHECK(query<Rescaled>(*f) == nullptr);
    CHECK(s->value(x) == doctest::Approx(f->value(back->original(x))).epsilon(1e-12));
    if (!has) continue;
    // Centred columns of variance 1: the mean of L_i is p + 1, and the intercept's gradient does not see the
    // others.
    double sum = 0.0;
    for (const double L : query<ComponentConstants>(*s)->component_smoothness()) sum += L / kRows;
    CHECK(sum == doctest::Approx(kCols + 1.0));
    CHECK(gradient(*s, x).back() == doctest::Approx(x.to_dense().back() - [&] {
            double mean = 0.0;
            for (const double y : responses("squared")) mean += y / kRows;
            return mean;
          }()));
  }
  std::string notes;
  Context context;
  context.messages = [&](Severity, const std::string& text) { notes += text; };
  const auto sparse = linear_model(make_design(entries(), kCols, responses("squared"), RowForm::sparse),
                                   {{"standardize", "true"}, {"intercept", "true"}}, context);
  CHECK(notes.find("not centred") != std::string::npos);
  const auto unscaled = linear_model(make_design(entries(), kCols, responses("squared"), RowForm::sparse),
                                     {{"intercept", "true"}});
  const Element x = point(sparse->shape(), 9);
  CHECK(sparse->value(x) ==
        doctest::Approx(unscaled->value(query<Rescaled>(*sparse)->original(x))).epsilon(1e-12));
  for (std::size_t k = 4; k < a.size(); k += kCols) a[k] = 0.1;
  Design constant = make_design(a, kCols, responses("squared"));
  constant.column_names = {"a", "b", "c", "d", "bias", "f", "g", "h", "i", "j", "k", "l"};
  mentions(refusal(ErrorKind::data,
                   [&] {
                     linear_model(constant, {{"standardize", "true"}});
                   }),
           {"bias", "constant"});
}

TEST_CASE("linear model: smoothness is an upper bound, and within one percent") {
  for (const auto& [n, p] : {std::pair<Index, Index>{23, 12}, {200, 90}, {90, 300}}) {
    const Dense a = random_rows(3, n, p);
    Dense columns(a.size());
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < p; ++j)
        columns[static_cast<std::size_t>(j * n + i)] = a[static_cast<std::size_t>(i * p + j)];
    const double sigma = dense_svd(n, p, columns).s.front(), exact = sigma * sigma / static_cast<double>(n);
    for (const RowForm form : {RowForm::dense, RowForm::sparse}) {
      const Constants c = linear_model(make_design(a, p, responses("squared", n), form), {})->constants();
      CHECK(*c.smoothness >= exact);
      CHECK(*c.smoothness <= 1.01 * exact);
      CHECK(c.convex);
      CHECK(*c.lower_bound == 0.0);
      CHECK(!c.strong_convexity);
      const Constants logistic =
          linear_model(make_design(a, p, responses("logistic", n), form), {{"loss", "logistic"}})
              ->constants();
      CHECK(*logistic.smoothness == doctest::Approx(0.25 * *c.smoothness));
      CHECK(logistic.hessian_smoothness);
    }
  }
  const Constants given = linear_model(make_design(entries(), kCols, responses("squared")),
                                       {{"strong_convexity", "0.5"}, {"smoothness", "7"}})
                              ->constants();
  CHECK(*given.strong_convexity == 0.5);
  CHECK(*given.smoothness == 7.0);
  const auto poisson =
      linear_model(make_design(entries(), kCols, responses("poisson")), {{"loss", "poisson"}});
  CHECK(!poisson->constants().smoothness);
  CHECK(query<ComponentConstants>(*poisson) == nullptr);
  CHECK(*poisson->constants().lower_bound <= poisson->value(point(poisson->shape(), 3, 0.0)));
}

TEST_CASE("linear model: responses that the loss cannot take") {
  std::string notes;
  Context context;
  context.messages = [&](Severity, const std::string& text) { notes += text; };
  Dense zeros = responses("logistic");
  for (double& y : zeros) y = y < 0 ? 0.0 : 1.0;
  const auto mapped = linear_model(make_design(entries(), kCols, zeros), {{"loss", "logistic"}}, context);
  const auto signs =
      linear_model(make_design(entries(), kCols, responses("logistic")), {{"loss", "logistic"}});
  const Element x = point(mapped->shape(), 9);
  CHECK(mapped->value(x) == signs->value(x));
  CHECK(notes.find("0 and 1 are taken as -1 and 1") != std::string::npos);
  const auto bad = [](const std::string& loss, Dense y, std::vector<std::string> labels = {}) {
    Design design = make_design(entries(), kCols, std::move(y));
    design.labels = std::move(labels);
    return refusal(ErrorKind::data, [&] { linear_model(design, {{"loss", loss}}); });
  };
  mentions(bad("logistic", responses("multinomial")), {"row 1", "is 0", "-1 or 1"});
  mentions(bad("poisson", responses("squared")), {"row ", ">= 0"});
  mentions(bad("multinomial", responses("squared")), {"23 different responses", "squared"});
  mentions(bad("multinomial", Dense(kRows, 4.0)), {"all responses are '4'"});
  mentions(bad("squared", responses("multinomial"), {"a", "b", "c"}), {"class names", "a, b, c"});
  mentions(bad("logistic", responses("multinomial"), {"a", "b", "c"}), {"3 classes", "multinomial"});
  mentions(
      refusal(ErrorKind::usage, [] { plugins().create(Kind::objective, "linear-model", {}, Context{}); }),
      {"objective.data", "[data]"});
}

// SPDX-License-Identifier: BSD-3-Clause
// Linear models of every loss with row weights, offsets, an intercept and several classes at once: values by
// plain loops, constants by decompositions, bounds by the minima of single terms. The constants of cox
// likewise.
#include "catalog_losses.hpp"
#include "linear_problem.hpp"

#include <claros/spectral/spectral.hpp>

#include <algorithm>
#include <numeric>

namespace claros::test::linear_constants {

namespace {

constexpr std::size_t kN = 31, kP = 5;

struct Model {
  std::string loss;
  Numbers options;  ///< of the loss
  Index classes = 1;
};
const std::vector<Model> kModels{{"squared", {}},
                                 {"huber", {{"delta", "0.4"}}},
                                 {"quantile", {{"tau", "0.8"}, {"delta", "0.3"}}},
                                 {"robust", {{"sigma", "2"}}},
                                 {"logistic", {}},
                                 {"squared-hinge", {}},
                                 {"poisson", {}},
                                 {"gamma", {}},
                                 {"negative-binomial", {{"theta", "2.5"}}},
                                 {"tweedie", {{"power", "1.3"}}},
                                 {"multinomial", {}, 4}};

double target(const std::string& loss, std::size_t i, double u) {
  if (loss == "logistic" || loss == "squared-hinge") return u > 0.0 ? 1.0 : -1.0;
  if (loss == "poisson" || loss == "negative-binomial" || loss == "tweedie")
    return std::floor(2.0 * std::abs(u));
  if (loss == "gamma") return 0.1 + std::abs(u);
  return loss == "multinomial" ? static_cast<double>(i % 4) : u;
}

/// Rows a, targets y, weights w of mean 1 and offsets o, with the objective made of them.
struct Rows {
  Model model;
  bool intercept;
  Dense a, y, w, o;
  std::shared_ptr<Objective> f;
  std::shared_ptr<Loss> psi;

  Rows(const Model& m, bool intercept_, bool weighted, bool offset, RowForm form)
      : model(m), intercept(intercept_), a(random_rows(3, kN, kP)), w(kN, 1.0), o(kN, 0.0) {
    const Dense u = normals(4, kN), v = normals(5, kN);
    Design design;
    for (std::size_t i = 0; i < kN; ++i) {
      y.push_back(target(m.loss, i, u[i]));
      if (weighted) w[i] = i == 7 ? 0.0 : 0.3 + static_cast<double>(i % 4);
      if (offset) o[i] = 0.6 * v[i];
    }
    design = make_design(a, kP, y, form);
    if (weighted) design.weights = w;
    if (offset) design.offset = o;
    Numbers numbers{{"loss", m.loss}, {"intercept", intercept ? "true" : "false"}};
    std::vector<Setting> settings;
    for (const auto& [key, value] : m.options) {
      numbers.push_back({"loss." + key, value});
      settings.push_back({key, value, {}, {}});
    }
    f = linear_model(std::move(design), numbers);
    psi = std::static_pointer_cast<Loss>(
        create_component(build_catalog(), Kind::loss, m.loss, settings, Context{}));
    if (m.classes > 1) psi->set_classes(m.classes);
    const double total = std::accumulate(w.begin(), w.end(), 0.0);
    for (double& weight : w) weight *= static_cast<double>(kN) / total;
  }
  std::size_t outputs() const { return static_cast<std::size_t>(model.classes); }
  double entry(std::size_t i, std::size_t j) const { return j < kP ? a[i * kP + j] : 1.0; }
  std::size_t width() const { return kP + (intercept ? 1 : 0); }
  double value(const Dense& x) const {
    double sum = 0.0;
    for (std::size_t i = 0; i < kN; ++i) {
      Dense z(outputs(), o[i]);
      for (std::size_t k = 0; k < outputs(); ++k) {
        for (std::size_t j = 0; j < kP; ++j) z[k] += a[i * kP + j] * x[k * kP + j];
        if (intercept) z[k] += x[outputs() * kP + k];
      }
      sum += w[i] * psi->sum(z, {&y[i], 1});
    }
    return sum / static_cast<double>(kN);
  }
  double squared_norm(std::size_t i) const {
    double sum = 0.0;
    for (std::size_t j = 0; j < width(); ++j) sum += entry(i, j) * entry(i, j);
    return sum;
  }
};

/// The largest eigenvalue of sum_i by_i a_i a_i'.
template <class Entry>
double largest_eigenvalue(std::size_t rows, std::size_t width, const Dense& by, Entry entry) {
  Dense square(width * width, 0.0);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < width; ++j)
      for (std::size_t k = 0; k < width; ++k) square[j * width + k] += by[i] * entry(i, j) * entry(i, k);
  return dense_svd(static_cast<Index>(width), static_cast<Index>(width), square).s.front();
}

/// inf_z psi(z, y) of a convex loss, by thirds.
double least_of(const Loss& psi, double y) {
  double low = -40.0, high = 40.0;
  const auto at = [&](double z) { return psi.sum({&z, 1}, {&y, 1}); };
  for (int k = 0; k < 200; ++k) {
    const double a = low + (high - low) / 3, b = high - (high - low) / 3;
    (at(a) < at(b) ? high : low) = at(a) < at(b) ? b : a;
  }
  return at(0.5 * (low + high));
}

template <class Action>
void for_all_rows(Action action) {
  for (const Model& model : kModels)
    for (const bool intercept : {false, true})
      for (const bool weighted : {false, true})
        for (const bool offset : {false, true})
          for (const RowForm form : {RowForm::dense, RowForm::sparse_float}) {
            if (offset && model.classes > 1) continue;
            CAPTURE(model.loss);
            CAPTURE(intercept);
            CAPTURE(weighted);
            CAPTURE(offset);
            action(Rows(model, intercept, weighted, offset, form));
          }
}

}  // namespace

TEST_CASE(
    "linear model: values with weights, offsets, intercept and classes are plain sums, slopes differences") {
  for_all_rows([](const Rows& rows) {
    const Element x = point(rows.f->shape(), 8, 0.4);
    CHECK(rows.f->value(x) == doctest::Approx(rows.value(x.to_dense())).epsilon(1e-12));
    const Dense g = gradient(*rows.f, x);
    Dense at = x.to_dense();
    for (const std::size_t j : {std::size_t{1}, at.size() - 1}) {
      const double h = 1e-5, kept = at[j];
      at[j] = kept + h;
      const double ahead = rows.value(at);
      at[j] = kept - h;
      CHECK(g[j] == doctest::Approx((ahead - rows.value(at)) / (2 * h)).epsilon(1e-6).scale(1.0));
      at[j] = kept;
    }
  });
}

TEST_CASE("linear model: constants with weights, offsets, intercept and classes, by a decomposition") {
  for_all_rows([](const Rows& rows) {
    const Constants known = rows.f->constants();
    const LossConstants psi = rows.psi->constants();
    Dense by(rows.w);
    double most = 0.0, longest = 0.0;
    for (std::size_t i = 0; i < kN; ++i) {
      by[i] /= static_cast<double>(kN);
      most = std::max(most, rows.w[i] * rows.squared_norm(i));
      longest = std::max(longest, std::sqrt(rows.squared_norm(i)));
    }
    // Rows of weight 0 are no rows: the terms are those of the others, whose weights have the mean 1.
    const auto kept = kN - static_cast<std::size_t>(std::ranges::count(rows.w, 0.0));
    const double share = static_cast<double>(kept) / static_cast<double>(kN);
    most *= share;
    const double eigenvalue = largest_eigenvalue(
        kN, rows.width(), by, [&](std::size_t i, std::size_t j) { return rows.entry(i, j); });
    CHECK(known.smoothness.has_value() == psi.smoothness.has_value());
    CHECK(known.convex == psi.convex);
    if (psi.smoothness) {
      CHECK(*known.smoothness >= *psi.smoothness * eigenvalue * (1 - 1e-12));
      CHECK(*known.smoothness <= *psi.smoothness * eigenvalue * 1.02);
      CHECK(*known.term_smoothness == doctest::Approx(*psi.smoothness * most).epsilon(1e-12));
      const auto each = query<TermConstants>(*rows.f)->term_smoothness();
      REQUIRE(each.size() == kept);
      for (std::size_t i = 0, term = 0; i < kN; ++i) {
        if (rows.w[i] == 0.0) continue;
        CHECK(each[term++] ==
              doctest::Approx(*psi.smoothness * share * rows.w[i] * rows.squared_norm(i)).epsilon(1e-12));
      }
    }
    CHECK(known.term_hessian_smoothness.has_value() == psi.third.has_value());
    if (psi.third) {
      CHECK(*known.term_hessian_smoothness == doctest::Approx(*psi.third * most * longest).epsilon(1e-12));
      CHECK(*known.hessian_smoothness >= *psi.third * eigenvalue * longest * (1 - 1e-12));
      CHECK(*known.hessian_smoothness <= *psi.third * eigenvalue * longest * 1.02);
    }
    if (psi.lower_smoothness)
      CHECK(*known.lower_smoothness ==
            doctest::Approx(*psi.lower_smoothness * most).epsilon(1e-12).scale(1e-9));
    if (!psi.convex || rows.model.classes > 1) return;
    double least = 0.0;
    for (std::size_t i = 0; i < kN; ++i) least += rows.w[i] * least_of(*rows.psi, rows.y[i]) / kN;
    REQUIRE(known.lower_bound.has_value());
    CHECK(*known.lower_bound <= least + 1e-9 * (1 + std::abs(least)));
    if (rows.model.loss != "tweedie" && rows.model.loss != "negative-binomial")
      CHECK(*known.lower_bound == doctest::Approx(least).epsilon(1e-7).scale(1.0));
  });
}

TEST_CASE(
    "linear model: the Hessian is at most the smoothness, along many directions, with everything at once") {
  for_all_rows([](const Rows& rows) {
    const Constants known = rows.f->constants();
    auto* curvature = query<Curvature>(*rows.f);
    if (!known.smoothness || !curvature) return;
    for (std::uint64_t seed = 1; seed < 4; ++seed) {
      const Element x = point(rows.f->shape(), seed, 0.2);
      Element d = point(rows.f->shape(), seed + 10, 1.0);
      double rate = 0.0;
      for (int k = 0; k < 15; ++k) {  // the power method
        Element product(rows.f->shape());
        curvature->add_hessian_product(x, d, Batch::all(), 1.0, product);
        rate = std::sqrt(inner(product, product) / inner(d, d));
        if (rate == 0.0) break;
        d = product;
        d.scale(1.0 / rate);
      }
      CHECK(rate <= *known.smoothness * (1 + 1e-9));
    }
  });
}

TEST_CASE("cox: the smoothness is that of half the events before each row, in its stratum, with weights") {
  constexpr std::size_t n = 24;
  const Dense a = random_rows(7, n, kP), u = normals(8, 4 * n);
  Dense time, signed_time, w;
  std::vector<int> stratum;
  std::string strata, weights;
  for (std::size_t i = 0; i < n; ++i) {
    time.push_back(1.0 + std::floor(3.0 * std::abs(u[4 * i])));
    signed_time.push_back(u[4 * i + 1] > -0.5 ? time[i] : -time[i]);
    stratum.push_back(u[4 * i + 2] > 0.2 ? 2 : u[4 * i + 2] > -0.6 ? 1 : 0);
    w.push_back(i == 5 ? 0.0 : 0.4 + std::abs(u[4 * i + 3]));
    strata += std::to_string(stratum[i]) + "\n", weights += print_real(w[i]) + "\n";
  }
  const TestFolder folder;
  Context context;
  context.data = std::make_shared<DesignInMemory>(make_design(a, kP, signed_time));
  const double total = std::accumulate(w.begin(), w.end(), 0.0);
  for (double& weight : w) weight *= n / total;
  for (const std::string ties : {"breslow", "efron"}) {
    const auto f = std::static_pointer_cast<Objective>(
        create_component(build_catalog(), Kind::objective, "cox",
                         {{"ties", ties, {}, {}},
                          {"strata", folder.put("strata", strata).string(), {}, {}},
                          {"weights", folder.put("weights", weights).string(), {}, {}}},
                         context));
    Dense by(n, 0.0);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t k = 0; k < n; ++k)  // a row of weight 0 is at no risk
        if (w[i] > 0.0 && signed_time[k] > 0.0 && stratum[k] == stratum[i] && time[k] <= time[i])
          by[i] += 0.5 * w[k] / n;
    const double eigenvalue =
        largest_eigenvalue(n, kP, by, [&](std::size_t i, std::size_t j) { return a[i * kP + j]; });
    CHECK(*f->constants().smoothness >= eigenvalue * (1 - 1e-12));
    CHECK(*f->constants().smoothness <= eigenvalue * 1.1);
  }
}

TEST_CASE(
    "standardize and center: one function in two coordinates, columns of weighted variance 1, constants "
    "out") {
  for (const std::string loss : {"squared", "logistic", "multinomial"})
    for (const bool weighted : {false, true})
      for (const bool intercept : {false, true})
        for (const RowForm form : {RowForm::dense, RowForm::dense_float, RowForm::sparse})
          for (const std::string how : {"standardize", "center"}) {
            if (how == "center" && (!intercept || form == RowForm::sparse)) continue;
            CAPTURE(loss);
            CAPTURE(weighted);
            CAPTURE(intercept);
            CAPTURE(how);
            Dense a = random_rows(13, kN, kP), y, w(kN, 1.0);
            const Dense u = normals(14, kN);
            for (std::size_t i = 0; i < kN; ++i) {
              y.push_back(target(loss, i, u[i]));
              a[i * kP + 1] += 3.0, a[i * kP + 3] *= 8.0;
              a[i * kP + 2] = 1.5;  // constant
              for (std::size_t j = 0; j < kP; ++j) a[i * kP + j] = static_cast<float>(a[i * kP + j]);
              if (weighted) w[i] = 0.25 * static_cast<double>(i % 5);
            }
            const auto made = [&](const Numbers& more) {
              Design design = make_design(a, kP, y, form);
              if (weighted) design.weights = w;
              return linear_model(
                  std::move(design),
                  Numbers{{"loss", loss}, {"intercept", intercept ? "true" : "false"}} + more);
            };
            const auto plain = made({{"center", "false"}}), f = made({{how, "true"}});
            auto* rescaled = query<Rescaled>(*f);
            REQUIRE(rescaled);
            const double precision = form == RowForm::dense_float ? 1e-5 : 1e-10;
            const Element x = point(f->shape(), 8, 0.3), original = rescaled->original(x);
            CHECK(f->value(x) == doctest::Approx(plain->value(original)).epsilon(precision));
            const Element z = point(f->shape(), 9, 0.3);
            if (how == "center")
              CHECK(plain->value(z) == doctest::Approx(f->value(rescaled->scaled(z))).epsilon(precision));
            Dense back = rescaled->scaled(original).to_dense(), there = x.to_dense();
            const std::size_t K = loss == "multinomial" ? 4 : 1;
            for (std::size_t k = 0; k < K && how == "standardize"; ++k) {
              CHECK(original.to_dense()[k * kP + 2] == 0.0);
              back[k * kP + 2] = there[k * kP + 2] = 0.0;
            }
            CHECK(distance(back, there) <= 1e-12 * (1 + size(there)));
            if (loss != "squared") continue;
            // The Hessian's diagonal: weighted means of squares of the columns.
            const double total = std::accumulate(w.begin(), w.end(), 0.0);
            for (std::size_t j = 0; j < kP; ++j) {
              double mean = 0.0, square = 0.0;
              for (std::size_t i = 0; i < kN; ++i)
                mean += w[i] / total * a[i * kP + j], square += w[i] / total * a[i * kP + j] * a[i * kP + j];
              const double variance = square - mean * mean;
              std::size_t entries = 0, rows = 0;
              for (std::size_t i = 0; i < kN; ++i) {
                rows += w[i] > 0.0;
                entries += w[i] > 0.0 && a[i * kP + j] != 0.0;
              }
              const bool full = form != RowForm::sparse || 10 * entries >= 9 * rows;
              const bool centred = how == "center" || (intercept && full);
              const double expected = how == "center" ? variance
                                      : j == 2        ? 0.0
                                      : centred       ? 1.0
                                                      : square / variance;
              Dense axis(static_cast<std::size_t>(f->shape().size()), 0.0);
              axis[j] = 1.0;
              const Element e = Element::dense(f->shape(), axis);
              Element product(f->shape());
              query<Curvature>(*f)->add_hessian_product(x, e, Batch::all(), 1.0, product);
              CHECK(product.to_dense()[j] == doctest::Approx(expected).epsilon(1e-5).scale(1e-3));
            }
          }
}

}  // namespace claros::test::linear_constants

// SPDX-License-Identifier: BSD-3-Clause
// Cox' partial likelihood beside its definition by enumeration of all risk sets.
#include "linear_problem.hpp"

#include <claros/io/survival.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

using namespace claros;
using namespace claros::test;

namespace cox_test {

/// Rows with ties, two strata, weights (one of them 0) and offsets. `entry` is empty, or has the times at
/// which rows enter.
struct CoxCase {
  Dense a, time, w, o, entry;
  std::vector<bool> event;
  std::vector<Index> stratum;
  Index p = 3;

  std::size_t rows() const { return time.size(); }
  Dense signed_response() const {
    Dense y(time);
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = event[i] ? y[i] : -y[i];
    return y;
  }
};

CoxCase make_case(Index n, Index times, std::uint64_t seed) {
  CoxCase c;
  c.a = random_rows(seed, n, c.p);
  const Dense u = normals(seed + 1, 5 * n);
  for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
    c.time.push_back(1.0 + std::floor(std::abs(u[5 * i]) * static_cast<double>(times) / 2.0));
    c.event.push_back(u[5 * i + 1] > -0.4);
    c.stratum.push_back(u[5 * i + 2] > 0.3);
    c.w.push_back(i == 2 ? 0.0 : 0.2 + std::abs(u[5 * i + 3]));
    c.o.push_back(0.5 * u[5 * i + 4]);
  }
  return c;
}

/// The same rows, of which three in four enter late.
CoxCase entering(CoxCase c, std::uint64_t seed) {
  const Dense u = normals(seed, static_cast<Index>(c.rows()));
  for (std::size_t i = 0; i < c.rows(); ++i)
    c.entry.push_back(i % 4 == 0 ? -1.0 : c.time[i] - std::max(0.25, std::floor(2.0 * std::abs(u[i])) + 0.0));
  return c;
}

/// -log of the partial likelihood, divided by n, from the definition: over all times of events, all rows at
/// risk.
double enumerated(const CoxCase& c, const Dense& x, bool efron, const Dense& weights) {
  const std::size_t n = c.rows();
  double sum_of_weights = 0.0;
  for (const double w : weights) sum_of_weights += w;
  std::vector<long double> eta(n), w(n);
  for (std::size_t i = 0; i < n; ++i) {
    eta[i] = c.o[i], w[i] = weights[i] * static_cast<double>(n) / sum_of_weights;
    for (std::size_t j = 0; j < x.size(); ++j) eta[i] += c.a[i * x.size() + j] * x[j];
  }
  long double sum = 0.0L;
  std::vector<bool> done(n, false);
  for (std::size_t i = 0; i < n; ++i) {
    if (!c.event[i] || w[i] == 0.0L || done[i]) continue;
    long double risk = 0.0L, tied = 0.0L, mass = 0.0L;
    std::size_t m = 0;
    for (std::size_t j = 0; j < n; ++j) {
      if (c.stratum[j] != c.stratum[i]) continue;
      const bool entered = c.entry.empty() || c.entry[j] < c.time[i];
      if (c.time[j] >= c.time[i] && entered) risk += w[j] * std::exp(eta[j]);
      if (c.time[j] != c.time[i] || !c.event[j] || w[j] == 0.0L) continue;
      tied += w[j] * std::exp(eta[j]), mass += w[j], ++m, done[j] = true, sum -= w[j] * eta[j];
    }
    for (std::size_t l = 0; l < m; ++l) {
      const long double share = efron ? static_cast<long double>(l) / static_cast<long double>(m) : 0.0L;
      sum += mass / static_cast<long double>(m) * std::log((risk - share * tied) / (mass * (1.0L - share)));
    }
  }
  return static_cast<double>(sum / static_cast<long double>(n));
}

std::string numbers_text(const auto& values) {
  std::string text;
  for (const auto value : values) text += print_real(static_cast<double>(value)) + "\n";
  return text;
}

std::shared_ptr<Objective> objective_of(const CoxCase& c, bool efron, bool plain,
                                        RowForm form = RowForm::dense, const Numbers& more = {}) {
  const TestFolder folder;
  Numbers numbers = more;
  numbers.emplace_back("ties", efron ? "efron" : "breslow");
  if (!c.entry.empty())
    numbers.emplace_back("entry", folder.put("entry.txt", numbers_text(c.entry)).string());
  if (!plain) {
    numbers.emplace_back("strata", folder.put("strata.txt", numbers_text(c.stratum)).string());
    numbers.emplace_back("weights", folder.put("weights.txt", numbers_text(c.w)).string());
    numbers.emplace_back("offset", folder.put("offset.txt", numbers_text(c.o)).string());
  }
  std::vector<Setting> settings;
  for (const auto& [key, value] : numbers) settings.push_back({key, value, {}, {}});
  Context context;
  context.data = std::make_shared<DesignInMemory>(make_design(c.a, c.p, c.signed_response(), form));
  return std::static_pointer_cast<Objective>(
      create_component(build_catalog(), Kind::objective, "cox", settings, context));
}

CoxCase plain_of(CoxCase c) {
  std::fill(c.w.begin(), c.w.end(), 1.0), std::fill(c.o.begin(), c.o.end(), 0.0);
  std::fill(c.stratum.begin(), c.stratum.end(), Index{0});
  return c;
}

class L1Norm final : public Conjugate {
 public:
  explicit L1Norm(double lambda) : lambda_(lambda) {}
  double conjugate(const Element& s) override {
    return into_domain(s) >= 1.0 - 1e-12 ? 0.0 : std::numeric_limits<double>::infinity();
  }
  double into_domain(const Element& s) override {
    double most = 1e-300;
    for (const double value : s.to_dense()) most = std::max(most, std::abs(value));
    return std::min(1.0, lambda_ / most);
  }

 private:
  double lambda_;
};

/// Allows a part of every slope, and has the conjugate 0: lower bounds are then -phi*(a grad phi(z)), or
/// less.
class PartOfSlope final : public Conjugate {
 public:
  explicit PartOfSlope(double a) : a_(a) {}
  double conjugate(const Element&) override { return 0.0; }
  double into_domain(const Element&) override { return a_; }

 private:
  double a_;
};

/// Of 21 patients with a treatment and 21 without: weeks until relapse (Freireich et al. 1963).
CoxCase remission() {
  CoxCase c;
  c.p = 1;
  c.time = {6, 6, 6, 6, 7, 9, 10, 10, 11, 13, 16, 17, 19, 20, 22, 23, 25, 32, 32, 34, 35,
            1, 1, 2, 2, 3, 4, 4,  5,  5,  8,  8,  8,  8,  11, 11, 12, 12, 15, 17, 22, 23};
  const std::vector<int> seen{0, 1, 1, 1, 1, 0, 0, 1, 0, 1, 1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0};
  for (std::size_t i = 0; i < c.time.size(); ++i) {
    c.event.push_back(i >= seen.size() || seen[i] == 1);
    c.a.push_back(i < seen.size() ? 0.0 : 1.0);
  }
  c.w.assign(c.time.size(), 1.0), c.o.assign(c.time.size(), 0.0), c.stratum.assign(c.time.size(), 0);
  return c;
}

/// Newton's method, for one variable.
double newton(Objective& f) {
  double x = 0.0;
  for (int k = 0; k < 30; ++k) {
    const Element at = Element::dense(f.shape(), {x});
    Element h(f.shape());
    query<Curvature>(f)->add_hessian_product(at, Element::dense(f.shape(), {1.0}), Batch::all(), 1.0, h);
    x -= gradient(f, at)[0] / h.to_dense()[0];
  }
  return x;
}

}  // namespace cox_test

using namespace cox_test;

TEST_CASE("cox: values are those of the definition, gradients and Hessians those of differences") {
  for (const bool efron : {false, true})
    for (const bool plain : {false, true})
      for (const RowForm form : {RowForm::dense, RowForm::sparse})
        for (const auto& [n, times] : {std::pair<Index, Index>{2, 1}, {9, 3}, {40, 8}, {60, 1000}})
          for (const bool late : {false, true}) {
            const CoxCase drawn = make_case(n, times, static_cast<std::uint64_t>(11 + n)),
                          given = late ? entering(drawn, 71) : drawn, c = plain ? plain_of(given) : given;
            const auto f = objective_of(c, efron, plain, form);
            INFO("efron ", efron, ", plain ", plain, ", ", n, " rows, late ", late);
            for (const double scale : {0.0, 0.5, 3.0}) {
              const Element x = point(f->shape(), 5, scale);
              const double truth = enumerated(c, x.to_dense(), efron, c.w);
              CHECK(f->value(x) == doctest::Approx(truth).epsilon(1e-12).scale(1.0));
              const Dense g = gradient(*f, x), differences = central_differences(*f, x);
              CHECK(distance(g, differences) <= 1e-8 * (1.0 + size(g)));
              auto* phi = query<LossOfImage>(*f);
              const auto z = x.image(phi->map());
              Dense diagonal(z.size()), ahead(z.size()), behind(z.size()), at(z.begin(), z.end());
              phi->image_curvature(z, diagonal);
              for (std::size_t i = 0; i < at.size(); ++i) {
                const double h = 1e-5, kept = at[i];
                at[i] = kept + h, phi->image_gradient({}, at, ahead);
                at[i] = kept - h, phi->image_gradient({}, at, behind);
                at[i] = kept;
                CHECK(diagonal[i] ==
                      doctest::Approx((ahead[i] - behind[i]) / (2 * h)).epsilon(1e-6).scale(1e-2));
              }
              Element Hd(f->shape());
              const Element d = point(f->shape(), 6, 1.0);
              query<Curvature>(*f)->add_hessian_product(x, d, Batch::all(), 1.0, Hd);
              const Dense there = plus(x.to_dense(), 1e-5, d.to_dense()),
                          back = plus(x.to_dense(), -1e-5, d.to_dense());
              const Dense change = plus(gradient(*f, Element::dense(f->shape(), there)), -1.0,
                                        gradient(*f, Element::dense(f->shape(), back)));
              CHECK(distance(Hd.to_dense(), plus(Dense(3, 0.0), 0.5e5, change)) <= 1e-7);
            }
          }
}

TEST_CASE("cox: estimates and likelihoods of a published example") {
  // R's survival 3.5: coxph(Surv(t, d) ~ x, ties = "breslow") has 1.509191 and -86.379622 (0: -93.985050),
  // and ties = "efron" has 1.572125 and -85.008425 (-93.184270), as in Kalbfleisch, Prentice, The statistical
  // analysis of failure time data.
  const CoxCase c = remission();
  for (const auto& [efron, estimate, at_it, at_0] :
       {std::tuple{false, 1.50919141259, -86.3796220711, -93.9850504782},
        {true, 1.57212514883, -85.0084245774, -93.1842699968}}) {
    const auto f = objective_of(c, efron, true);
    const double x = newton(*f), n = 42.0;
    CHECK(x == doctest::Approx(estimate).epsilon(1e-9));
    // The value is less its least one, a constant of the times.
    CHECK(-n * (f->value(Element::dense(f->shape(), {x})) - f->value(Element(f->shape()))) ==
          doctest::Approx(at_it - at_0).epsilon(1e-9));
  }
}

TEST_CASE("cox: lower bounds hold everywhere, and meet the minimum at the solution") {
  for (const auto& [efron, late] : {std::pair{false, false}, {true, false}, {false, true}, {true, true}})
    for (const bool plain : {false, true}) {
      const CoxCase drawn = make_case(50, 6, 3), given = late ? entering(drawn, 72) : drawn,
                    c = plain ? plain_of(given) : given;
      const auto f = objective_of(c, efron, plain);
      const double lambda = 0.05, step = 1.0 / *f->constants().smoothness;
      auto* certified = query<Certified>(*f);
      L1Norm h(lambda);
      Dense x(3, 0.0);
      double least = std::numeric_limits<double>::infinity(), best = -least;
      std::vector<double> bounds;
      for (int t = 0; t < 6000; ++t) {
        const Element at = Element::dense(f->shape(), x);
        double norm1 = 0.0;
        for (const double value : x) norm1 += std::abs(value);
        least = std::min(least, f->value(at) + lambda * norm1);
        bounds.push_back(certified->lower_bound(at, h)), best = std::max(best, bounds.back());
        const Dense g = gradient(*f, at);
        for (std::size_t j = 0; j < x.size(); ++j) {
          const double v = x[j] - step * g[j];
          x[j] = std::copysign(std::max(std::abs(v) - step * lambda, 0.0), v);
        }
      }
      INFO("efron ", efron, ", plain ", plain);
      CHECK(x != Dense(3, 0.0));
      for (std::uint64_t seed = 1; seed < 60; ++seed)
        bounds.push_back(
            certified->lower_bound(point(f->shape(), seed, 0.05 * static_cast<double>(seed)), h));
      CHECK(*std::max_element(bounds.begin(), bounds.end()) <= least + 1e-13);
      CHECK(least - best <= 1e-12);
      CHECK(*f->constants().lower_bound <= least);
    }
}

TEST_CASE("cox: the bound of the conjugate is above every tangent, below the chord, and exact at a = 1") {
  for (const auto& [efron, late] : {std::pair{false, false}, {true, false}, {false, true}, {true, true}})
    for (const bool plain : {false, true}) {
      const CoxCase drawn = make_case(40, 6, 3), given = late ? entering(drawn, 73) : drawn,
                    c = plain ? plain_of(given) : given;
      const auto f = objective_of(c, efron, plain);
      for (const double scale : {0.1, 1.0, 4.0}) {
        const Element x = point(f->shape(), 7, scale);
        const Dense g = gradient(*f, x), at = x.to_dense();
        const auto bound = [&](double a) {
          PartOfSlope h(a);
          return -query<Certified>(*f)->lower_bound(x, h);
        };
        double slope = 0.0;
        for (std::size_t j = 0; j < g.size(); ++j) slope += g[j] * at[j];
        const double whole = bound(1.0), none = -*f->constants().lower_bound;
        CHECK(whole == doctest::Approx(slope - f->value(x)).epsilon(1e-11).scale(1.0));
        for (const double a : {0.9, 0.5, 0.1, 1e-6}) {
          INFO("efron ", efron, ", plain ", plain, ", scale ", scale, ", a ", a);
          CHECK(bound(a) <= a * whole + (1.0 - a) * none + 1e-12);
          for (std::uint64_t seed = 1; seed < 40; ++seed) {
            const Element other = point(f->shape(), seed, 0.1 * static_cast<double>(seed));
            double product = 0.0;
            const Dense there = other.to_dense();
            for (std::size_t j = 0; j < g.size(); ++j) product += a * g[j] * there[j];
            CHECK(bound(a) >= product - f->value(other) - 1e-12);
          }
        }
      }
    }
}

TEST_CASE("cox: the smallest value bound is the infimum where each event can be the riskiest of its set") {
  // One column that orders the rows as their times, so that the likelihood comes to 1 for large x.
  CoxCase c = plain_of(make_case(8, 1000, 4));
  c.p = 1, c.a.resize(8), c.event.assign(8, true);
  for (std::size_t i = 0; i < 8; ++i)
    c.time[i] = static_cast<double>(i + 1), c.a[i] = -static_cast<double>(i);
  const auto f = objective_of(c, false, true);
  CHECK(*f->constants().lower_bound == 0.0);
  CHECK(f->value(Element::dense(f->shape(), {50.0})) <= 1e-20);
  CHECK(f->value(Element::dense(f->shape(), {50.0})) >= 0.0);
}

TEST_CASE("cox: exponentials that overflow alone do not, and a shift of all rows changes nothing") {
  CoxCase c = plain_of(make_case(40, 8, 9));
  const auto f = objective_of(c, true, true);
  for (const double scale : {1.0, 100.0, 300.0}) {
    const Element x = point(f->shape(), 5, scale);
    const double truth = enumerated(c, x.to_dense(), true, c.w);  // long double has exponents for these
    CHECK(f->value(x) == doctest::Approx(truth).epsilon(1e-12));
  }
  CoxCase shifted = c;
  std::fill(shifted.o.begin(), shifted.o.end(), 800.0);
  const auto g = objective_of(shifted, true, false);
  const Element x = point(f->shape(), 5, 1.0);
  CoxCase strata = shifted;
  for (double& o : strata.o) o = 0.0;
  const auto same = objective_of(strata, true, false);
  CHECK(g->value(x) == doctest::Approx(same->value(x)).epsilon(1e-12));
  CHECK(distance(gradient(*g, x), gradient(*same, x)) <= 1e-12);
  const Element far = point(f->shape(), 5, 1e300);
  CHECK(!std::isnan(f->value(far)));
  for (const double value : gradient(*f, far)) CHECK(!std::isnan(value));
}

TEST_CASE("cox: a row that leaves and enters again at once changes nothing, however far risks are apart") {
  const CoxCase whole = plain_of(make_case(40, 8, 9));
  CoxCase cut = whole;
  cut.entry.assign(cut.rows(), -1.0);
  for (std::size_t i = 0; i < whole.rows(); ++i)
    if (whole.time[i] > 1.0) {  // in (-1, 1], censored, and in (1, t]
      for (std::size_t j = 0; j < 3; ++j) cut.a.push_back(whole.a[3 * i + j]);
      cut.time.push_back(1.0), cut.event.push_back(false), cut.entry.push_back(-1.0);
      cut.w.push_back(1.0), cut.o.push_back(0.0), cut.stratum.push_back(0);
      cut.entry[i] = 1.0;
    }
  REQUIRE(cut.rows() > whole.rows() + 10);
  for (const bool efron : {false, true}) {
    const auto f = objective_of(whole, efron, true), g = objective_of(cut, efron, true);
    const double share = static_cast<double>(cut.rows()) / static_cast<double>(whole.rows());
    for (const double scale : {1.0, 100.0, 300.0}) {
      const Element x = point(f->shape(), 5, scale);
      CHECK(share * g->value(x) == doctest::Approx(f->value(x)).epsilon(1e-12));
      const Dense fast = gradient(*f, x), slow = gradient(*g, x);
      CHECK(distance(fast, plus(Dense(3, 0.0), share, slow)) <= 1e-11 * (1.0 + size(fast)));
    }
    for (const double value : gradient(*g, point(f->shape(), 5, 1e300))) CHECK(!std::isnan(value));
  }
}

TEST_CASE("cox: all methods come to one solution with a verified gap, on any number of threads") {
  const Words words{"data.use=synthetic-regression",
                    "data.rows=300",
                    "data.cols=80",
                    "data.nonzero=5",
                    "objective.use=cox",
                    "penalty.use=l1",
                    "penalty.lambda=0.1*max",
                    "stop.relative_gap=1e-9",
                    "stop.iterations=20000"};
  const RunResult first =
      solve(words + Words{"algorithm.use=working-set", "algorithm.inner.use=prox-newton"});
  CHECK(first.status == Status::relative_gap);
  for (const Words& method : {Words{"algorithm.use=prox-newton"}, Words{"algorithm.use=proximal-gradient"},
                              Words{"algorithm.use=proximal-gradient", "algorithm.accelerate=true"}}) {
    const RunResult other = solve(words + method);
    INFO(method.front());
    CHECK(other.status == Status::relative_gap);
    CHECK(distance(first.answer.to_dense(), other.answer.to_dense()) <= 1e-4);
    CHECK(same_bits(other.answer, solve(words + method + Words{"run.threads=2"}).answer));
  }
  const std::string refused =
      refusal(ErrorKind::usage, [&] { (void)solve(words + Words{"algorithm.use=coordinate-descent"}); });
  CHECK_MESSAGE(contains(refused, "prox-newton"), refused);
}

TEST_CASE("cox: a restricted objective is the whole one at points that are 0 elsewhere") {
  const CoxCase c = make_case(30, 5, 8);
  for (const RowForm form : {RowForm::dense, RowForm::sparse}) {
    const auto f = objective_of(c, true, false, form);
    const std::vector<Index> chosen{2, 0};
    const auto part = query<Restrictable>(*f)->restrict_to(chosen);
    auto& small = static_cast<Objective&>(*part);
    const Element x = Element::dense(small.shape(), {0.4, -0.7}),
                  y = Element::dense(f->shape(), {-0.7, 0, 0.4});
    CHECK(small.value(x) == doctest::Approx(f->value(y)).epsilon(1e-14));
    const Dense g = gradient(small, x), whole = gradient(*f, y);
    CHECK(distance(g, Dense{whole[2], whole[0]}) <= 1e-14);
    CHECK(*small.constants().smoothness <= *f->constants().smoothness * (1.0 + 1e-2));
  }
}

/// The time, the event, the stratum by name and the features.
static std::string with_row(const CoxCase& c, std::size_t i) {
  std::string text =
      print_real(c.time[i]) + (c.event[i] ? ",1," : ",0,") + (c.stratum[i] ? "north" : "south");
  for (std::size_t j = 0; j < 3; ++j) text += "," + print_real(c.a[3 * i + j]);
  return text + "\n";
}

TEST_CASE("cox: events, strata and entries are columns of a table, or signs of responses") {
  const TestFolder folder;
  const CoxCase c = make_case(30, 5, 21);
  std::string with = "t,status,site,x1,x2,x3\n", signs = "x1,x2,x3,t\n";
  for (std::size_t i = 0; i < c.rows(); ++i) {
    std::string x;
    for (std::size_t j = 0; j < 3; ++j) x += (j ? "," : "") + print_real(c.a[3 * i + j]);
    with += with_row(c, i);
    signs += x + "," + print_real(c.event[i] ? c.time[i] : -c.time[i]) + "\n";
  }
  const auto make = [&](const Words& words) {
    return compose(build_catalog(),
                   spec_of(Words{"objective.use=cox", "penalty.use=l1", "penalty.lambda=1"} + words));
  };
  const std::string file = "objective.data=" + folder.put("with.csv", with).string(),
                    signed_file = "objective.data=" + folder.put("signs.csv", signs).string();
  const Composition columns =
      make({file, "objective.response=t", "objective.event=status", "objective.strata=site"});
  const Composition files =
      make({signed_file, "objective.strata=" + folder.put("s.txt", numbers_text(c.stratum)).string()});
  const Element x = point(Shape::vector(3), 3);
  CHECK(columns.objective->value(x) == files.objective->value(x));
  CHECK(columns.objective->value(x) != make({signed_file}).objective->value(x));
  const CoxCase late = entering(c, 75);
  std::string spans = "start,stop,event,site,x1,x2,x3\n";
  for (std::size_t i = 0; i < c.rows(); ++i) spans += print_real(late.entry[i]) + "," + with_row(c, i);
  const Composition named = make({"objective.data=" + folder.put("spans.csv", spans).string(),
                                  "objective.response=stop", "objective.event=event", "objective.strata=site",
                                  "objective.entry=start"}),
                    filed =
                        make({file, "objective.response=t", "objective.event=status", "objective.strata=site",
                              "objective.entry=" + folder.put("e.txt", numbers_text(late.entry)).string()});
  CHECK(named.objective->value(x) == filed.objective->value(x));
  CHECK(named.objective->value(x) != columns.objective->value(x));
  const auto said = [&](ErrorKind kind, const Words& words) {
    return refusal(kind, [&] { (void)make(words); });
  };
  const auto says = [](const std::string& text, const std::string& part) {
    CHECK_MESSAGE(text.find(part) != std::string::npos, text);
  };
  says(said(ErrorKind::usage, {file, "objective.response=t", "objective.event=state"}), "event");
  says(said(ErrorKind::data, {file, "objective.response=t", "objective.event=x1"}), "0 (censored) or 1");
  says(said(ErrorKind::usage,
            {file, "objective.response=t", "objective.event=status", "objective.entry=state"}),
       "entry");
  // A missing value drops its row where the column is used, and has no effect elsewhere.
  const Words named_columns{"objective.response=t", "objective.event=status", "objective.strata=site",
                            "objective.entry=start", "objective.columns=x1,x2"};
  std::string whole = "t,status,site,x1,x2,start,note,text\n", holes = whole;
  for (int i = 0; i < 24; ++i) {
    const std::string fields[] = {std::to_string(3 + (7 * i) % 24),
                                  i % 3 ? "1" : "0",
                                  i % 2 ? "n" : "s",
                                  std::to_string(i % 5),
                                  std::to_string(i * i % 7),
                                  "1"};
    const int hole = i % 4 == 3 ? (i / 4) % 6 : -1;
    std::string line;
    for (int j = 0; j < 6; ++j) line += (j == hole ? "" : fields[j]) + ",";
    holes += line + (i % 2 ? "" : "9") + ",name" + std::to_string(i) + "\n";
    if (hole < 0) whole += line + "9,name\n";
  }
  const std::string whole_file = "objective.data=" + folder.put("whole.csv", whole).string(),
                    holes_file = "objective.data=" + folder.put("holes.csv", holes).string();
  const Element two = point(Shape::vector(2), 4);
  const Composition complete = make(Words{whole_file} + named_columns);
  CHECK(make(Words{holes_file, "objective.missing=drop"} + named_columns).objective->value(two) ==
        complete.objective->value(two));
  CHECK(make(Words{whole_file, "objective.missing=mean"} + named_columns).objective->value(two) ==
        complete.objective->value(two));
  says(said(ErrorKind::data, Words{holes_file} + named_columns), "missing value");
  const std::string own = folder.put("own.txt", numbers_text(c.time)).string();
  says(said(ErrorKind::data,
            {file, "objective.response=t", "objective.event=status", "objective.entry=" + own}),
       "before its own");
  says(said(ErrorKind::data, {"objective.data=" + folder.put("zero.csv", "1,0\n2,1\n").string()}),
       "event = COLUMN");
  says(said(ErrorKind::data, {"objective.data=" + folder.put("late.csv", "1,-3\n2,-1\n").string()}),
       "censored");
}

TEST_CASE("cox: concordance counts the pairs whose order is known") {
  for (const auto& [strata, late] : {std::pair{false, false}, {true, false}, {false, true}, {true, true}}) {
    const CoxCase drawn = make_case(70, 9, 31), c = late ? entering(drawn, 74) : drawn;
    Survival s{c.time, c.event, strata ? c.stratum : std::vector<Index>(), c.entry};
    Dense risk = normals(5, 70);
    for (std::size_t i = 0; i < risk.size(); ++i) risk[i] = std::floor(2.0 * risk[i]);  // with ties
    double right = 0.0, pairs = 0.0;
    for (std::size_t i = 0; i < 70; ++i)
      for (std::size_t j = 0; j < 70; ++j) {
        const bool later = c.time[j] > c.time[i] || (c.time[j] == c.time[i] && !c.event[j]);
        if (late && !(c.entry[j] < c.time[i])) continue;
        if (!c.event[i] || !later || (strata && c.stratum[i] != c.stratum[j])) continue;
        pairs += 1.0, right += risk[i] > risk[j] ? 1.0 : risk[i] == risk[j] ? 0.5 : 0.0;
      }
    CHECK(concordance(s, risk) == doctest::Approx(right / pairs).epsilon(1e-14));
  }
  CHECK(std::isnan(concordance({{1.0, 2.0}, {false, true}, {}, {}}, Dense{0.0, 1.0})));
  // R's survival 3.5 gives 0.6900421 for the example above.
  const CoxCase c = remission();
  CHECK(concordance({c.time, c.event, {}, {}}, c.a) == doctest::Approx(0.6900421).epsilon(1e-6));
}

// SPDX-License-Identifier: BSD-3-Clause
// Factors, radii and data whose squares underflow or overflow, and 0: every penalty and set ends right, by
// its definition in extended precision, or is refused. No run blames a plugin for the size of its numbers,
// and no lower bound lies above the value of a point.
#include "convex_cases.hpp"

#include <functional>

namespace claros::test::extreme_parameters {

namespace {

using Wide = long double;
using Numbers = std::vector<double>;
using Wides = std::vector<Wide>;

constexpr std::size_t kRows = 4, kCols = 3, kSize = 12;

Wide at(const Wides& x, std::size_t i, std::size_t j) { return x[j * kRows + i]; }
Wide down(const Wides& x, std::size_t i, std::size_t j) {
  return i + 1 < kRows ? at(x, i + 1, j) - at(x, i, j) : 0.0L;
}
Wide right(const Wides& x, std::size_t i, std::size_t j) {
  return j + 1 < kCols ? at(x, i, j + 1) - at(x, i, j) : 0.0L;
}
template <class F>
Wide over_entries(F f) {
  Wide sum = 0.0L;
  for (std::size_t j = 0; j < kCols; ++j)
    for (std::size_t i = 0; i < kRows; ++i) sum += f(i, j);
  return sum;
}
Wide magnitudes(const Wides& x) {
  return over_entries([&](std::size_t i, std::size_t j) { return std::abs(at(x, i, j)); });
}
Wide squares(const Wides& x) {
  return over_entries([&](std::size_t i, std::size_t j) { return at(x, i, j) * at(x, i, j); });
}
/// sum over rows of f(the row).
template <class F>
Wide over_rows(const Wides& x, F f) {
  Wide sum = 0.0L;
  for (std::size_t i = 0; i < kRows; ++i) sum += f(Wides{at(x, i, 0), at(x, i, 1), at(x, i, 2)});
  return sum;
}
Wide length(const Wides& x) {
  Wide sum = 0.0L;
  for (const Wide t : x) sum += t * t;
  return std::sqrt(sum);
}
Wide largest(const Wides& x) {
  Wide most = 0.0L;
  for (const Wide t : x) most = std::max(most, std::abs(t));
  return most;
}
Wide sum_of(const Wides& x) {
  Wide sum = 0.0L;
  for (const Wide t : x) sum += std::abs(t);
  return sum;
}
Wide second_differences(const Wides& x) {
  Wide sum = 0.0L;
  for (std::size_t j = 0; j < kCols; ++j)
    for (std::size_t i = 0; i + 2 < kRows; ++i)
      sum += std::abs(at(x, i, j) - 2.0L * at(x, i + 1, j) + at(x, i + 2, j));
  return sum;
}
/// lambda t - t^2 / (2 b) up to b lambda.
Wide mcp(Wide t, Wide lambda, Wide b) {
  return t <= b * lambda ? lambda * t - t * t / (2.0L * b) : 0.5L * b * lambda * lambda;
}
Wide scad(Wide t, Wide lambda, Wide zeta) {
  if (t <= lambda) return lambda * t;
  if (t <= zeta * lambda)
    return (2.0L * zeta * lambda * t - t * t - lambda * lambda) / (2.0L * (zeta - 1.0L));
  return 0.5L * (zeta + 1.0L) * lambda * lambda;
}

/// h by its definition; none where the test compares with no value. `at_zero`: lambda may be 0.
struct Definition {
  std::string name;
  Words options;
  std::function<Wide(const Wides&, Wide)> value;
  bool convex = true, at_zero = true;
};

std::vector<Definition> definitions() {
  const auto l1 = [](const Wides& x, Wide l) { return l * magnitudes(x); };
  const auto ridge = [](const Wides& x, Wide l) { return 0.5L * l * squares(x); };
  const auto rows_l2 = [](const Wides& x, Wide l) { return l * over_rows(x, length); };
  const auto rows_linf = [](const Wides& x, Wide l) { return l * over_rows(x, largest); };
  const auto lines = [](const Wides& x, Wide l) {
    return l * over_entries([&](std::size_t i, std::size_t j) { return std::abs(down(x, i, j)); });
  };
  return {
      {"l1", {}, l1},
      {"elastic-net", {"ratio=0.5"}, [=](const Wides& x, Wide l) { return 0.5L * (l1(x, l) + ridge(x, l)); }},
      {"ridge", {}, ridge},
      {"group", {"groups=rows"}, rows_l2},
      {"group", {"groups=rows", "norm=linf"}, rows_linf},
      {"group",
       {"groups=rows", "ratio=0.5"},
       [=](const Wides& x, Wide l) { return 0.5L * (rows_l2(x, l) + ridge(x, l)); }},
      {"sparse-group",
       {"groups=rows", "ratio=0.5"},
       [=](const Wides& x, Wide l) { return 0.5L * (rows_l2(x, l) + l1(x, l)); }},
      {"tree-group",
       {"groups=0-11; 0 3 7"},
       [](const Wides& x, Wide l) {
         return l * (length(x) + length({x[0], x[3], x[7]}));
       }},
      {"slope", {"weights=6 6 6 6 6 6 6 6 6 6 6 6"}, [=](const Wides& x, Wide l) { return 6.0L * l1(x, l); }},
      {"nuclear", {}, {}},
      {"overlapping-group", {"groups=0-7; 4-11"}, {}},
      {"tv", {}, lines},
      {"tv",
       {"along=rows"},
       [](const Wides& x, Wide l) {
         return l * over_entries([&](std::size_t i, std::size_t j) { return std::abs(right(x, i, j)); });
       }},
      {"tv",
       {"along=both"},
       [](const Wides& x, Wide l) {
         return l * over_entries([&](std::size_t i, std::size_t j) {
                  return std::abs(down(x, i, j)) + std::abs(right(x, i, j));
                });
       }},
      {"tv",
       {"along=both", "kind=isotropic"},
       [](const Wides& x, Wide l) {
         return l * over_entries([&](std::size_t i, std::size_t j) {
                  return length({down(x, i, j), right(x, i, j)});
                });
       }},
      {"fused", {"ratio=0.5"}, [=](const Wides& x, Wide l) { return 0.5L * (l1(x, l) + lines(x, l)); }},
      {"composed", {"inner.use=l1", "inner.lambda=1"}, lines, true, false},
      {"composed",
       {"order=2", "inner.use=l1", "inner.lambda=1"},
       [](const Wides& x, Wide l) { return l * second_differences(x); },
       true,
       false},
      {"mcp",
       {"b=3"},
       [](const Wides& x, Wide l) {
         return over_entries([&](std::size_t i, std::size_t j) { return mcp(std::abs(at(x, i, j)), l, 3); });
       },
       false,
       false},
      {"scad",
       {"zeta=3.7"},
       [](const Wides& x, Wide l) {
         return over_entries(
             [&](std::size_t i, std::size_t j) { return scad(std::abs(at(x, i, j)), l, 3.7L); });
       },
       false,
       false},
      {"group-mcp",
       {"groups=rows", "b=3"},
       [](const Wides& x, Wide l) {
         return over_rows(x, [&](const Wides& row) { return mcp(length(row), l, 3); });
       },
       false,
       false},
      {"group-scad",
       {"groups=rows", "zeta=3.7"},
       [](const Wides& x, Wide l) {
         return over_rows(x, [&](const Wides& row) { return scad(length(row), l, 3.7L); });
       },
       false,
       false},
      {"log-sum",
       {"epsilon=0.5"},
       [](const Wides& x, Wide l) {
         return l * over_entries([&](std::size_t i, std::size_t j) {
                  return std::log1p(std::abs(at(x, i, j)) / 0.5L);
                });
       },
       false},
      {"capped-l1",
       {"theta=0.5"},
       [](const Wides& x, Wide l) {
         return l * over_entries(
                        [&](std::size_t i, std::size_t j) { return std::min(std::abs(at(x, i, j)), 0.5L); });
       },
       false},
      {"l0",
       {},
       [](const Wides& x, Wide l) {
         return l *
                over_entries([&](std::size_t i, std::size_t j) { return at(x, i, j) != 0.0L ? 1.0L : 0.0L; });
       },
       false},
      {"rank", {}, {}, false}};
}

Wides widened(const Numbers& x) { return {x.begin(), x.end()}; }

Wide half_squared_distance(const Wides& x, const Wides& y) {
  Wide sum = 0.0L;
  for (std::size_t k = 0; k < x.size(); ++k) sum += (x[k] - y[k]) * (x[k] - y[k]);
  return 0.5L * sum;
}

/// y, 0, means, and y shrunk towards 0: some of them near the solution for every lambda.
std::vector<Wides> points_near(const Wides& y, Wide lambda) {
  std::vector<Wides> all{y, Wides(y.size(), 0.0L)};
  Wide mean = 0.0L;
  for (const Wide t : y) mean += t / static_cast<Wide>(y.size());
  all.emplace_back(y.size(), mean);
  Wides columns(y);
  for (std::size_t j = 0; j < kCols; ++j) {
    Wide sum = 0.0L;
    for (std::size_t i = 0; i < kRows; ++i) sum += at(y, i, j) / Wide(kRows);
    for (std::size_t i = 0; i < kRows; ++i) columns[j * kRows + i] = sum;
  }
  all.push_back(columns);
  Wides soft(y), scaled(y);
  for (Wide& t : soft) t = std::copysign(std::max(std::abs(t) - lambda, 0.0L), t);
  for (Wide& t : scaled) t /= 1.0L + lambda;
  all.push_back(soft), all.push_back(scaled);
  return all;
}

const Numbers kData{0.3, -1.2, 0.1, 2.5, 0.7, 0.7, -0.05, 0.4, -3.1, 1.0, 0.2, -0.4};
constexpr Wide kOfDigits = 1e-30L;    // the squared distance of points that are equal to rounding
constexpr double kDigits = 1e-15;     // of a gap, in units of the squared norm of the data
constexpr double kSmallest = 1e-320;  // the digits of numbers below the normal ones

std::string text_of(const RunResult& r) { return text(r.status) + " " + r.failure; }

/// The rows of a file.
std::string rows_of(const Numbers& y) {
  std::string text;
  for (std::size_t i = 0; i < kRows; ++i)
    for (std::size_t j = 0; j < kCols; ++j)
      text += print_real(y[j * kRows + i]) + (j + 1 < kCols ? "," : "\n");
  return text;
}

}  // namespace

TEST_CASE("extreme parameters: every penalty ends right or is refused, for any lambda and size of the data") {
  const TestFolder folder;
  for (const double size : {1e-160, 1.0, 1e160}) {
    Numbers y(kData);
    for (double& value : y) value *= size;
    folder.put("y.csv", rows_of(y));
    const Wides data = widened(y);
    const double squared_norm = static_cast<double>(2.0L * half_squared_distance(Wides(data.size()), data));
    for (const Definition& d : definitions())
      for (const double lambda : {0.0, 1e-300, 1e-160, 1e-9, 1.0, 1e9, 1e160}) {
        if (lambda == 0.0 && !d.at_zero) continue;
        CAPTURE(d.name);
        CAPTURE(d.options.size());
        CAPTURE(lambda);
        CAPTURE(size);
        Words words{"objective.use=distance", "objective.data=" + (folder / "y.csv").string(),
                    "penalty.use=" + d.name, "penalty.lambda=" + print_real(lambda), "stop.iterations=2000"};
        words.push_back(d.convex ? "stop.relative_gap=1e-6" : "stop.residual=1e-6");
        for (const std::string& option : d.options) words.push_back("penalty." + option);
        const bool ordinary = size == 1.0 && (lambda == 0.0 || (lambda > 1e-20 && lambda < 1e20));
        RunResult r;
        try {
          r = solve(words);
        } catch (const Error& error) {
          CHECK_MESSAGE(error.kind() != ErrorKind::plugin, error.what());
          CHECK_MESSAGE(!ordinary, error.what());
          continue;
        }
        CHECK_MESSAGE((r.failure.empty() || r.failure_kind != ErrorKind::plugin), r.failure);
        // A singular value is known to digits of the largest one, which may be more than the target allows.
        if (ordinary && d.convex)
          CHECK_MESSAGE((is_target(r.status) || r.measurement.gap <= kDigits * squared_norm), text_of(r));
        if (is_trouble(r.status)) continue;
        const Wides x = widened(r.answer.to_dense());
        if (!d.value) continue;
        const auto cost = [&](const Wides& z) { return half_squared_distance(z, data) + d.value(z, lambda); };
        const Wide here = cost(x);
        const double value = r.measurement.value;
        CHECK(std::abs(value - here) <= 1e-10L * here + kSmallest);
        if (!d.convex) continue;
        for (const Wides& z : points_near(data, lambda)) {
          const Wide there = cost(z);
          CHECK(r.lower_bound <= there * (1.0L + 1e-12L) + kSmallest);
          if (r.measurement.bounds_minimum)
            CHECK(value - r.measurement.gap <= there * (1.0L + 1e-12L) + kSmallest);
          if (is_target(r.status))
            CHECK(here <= there * (1.0L + 1e-5L) + kOfDigits * Wide(size) * size + kSmallest);
        }
      }
  }
}

TEST_CASE("extreme parameters: every set ends right or is refused, for any radius and size of the data") {
  const TestFolder folder;
  const std::vector<Words> sets{{"simplex"},
                                {"l1-ball"},
                                {"l2-ball"},
                                {"lp-ball", "p=3"},
                                {"lp-ball", "p=inf"},
                                {"elastic-net-ball"},
                                {"group-ball", "groups=rows"},
                                {"group-ball", "groups=rows", "norm=linf"},
                                {"k-sparse", "k=3"},
                                {"ordered-weight"},
                                {"nuclear-ball"}};
  for (const double size : {1e-160, 1.0, 1e160}) {
    Numbers y(kData);
    for (double& value : y) value *= size;
    folder.put("y.csv", rows_of(y));
    const Wides data = widened(y);
    for (const Words& set : sets)
      for (const double radius : {0.0, 1e-300, 1e-160, 1e-9, 1.0, 1e9, 1e160, 1e308}) {
        std::vector<RunResult> results;
        Wide least = std::numeric_limits<Wide>::infinity();
        for (const Words& algorithm : {Words{}, Words{"algorithm.use=frank-wolfe"}}) {
          CAPTURE(set.front());
          CAPTURE(radius);
          CAPTURE(size);
          CAPTURE(algorithm.size());
          Words words = Words{"objective.use=distance", "objective.data=" + (folder / "y.csv").string(),
                              "set.use=" + set.front(), "set.radius=" + print_real(radius),
                              "stop.relative_gap=1e-6", "stop.iterations=300"} +
                        algorithm;
          for (std::size_t k = 1; k < set.size(); ++k) words.push_back("set." + set[k]);
          const bool ordinary = size == 1.0 && radius > 1e-20 && radius < 1e20;
          try {
            results.push_back(solve(words));
          } catch (const Error& error) {
            CHECK_MESSAGE(error.kind() != ErrorKind::plugin, error.what());
            CHECK_MESSAGE(!ordinary, error.what());
            continue;
          }
          const RunResult& r = results.back();
          CHECK_MESSAGE((r.failure.empty() || r.failure_kind != ErrorKind::plugin), r.failure);
          if (ordinary && algorithm.empty()) CHECK_MESSAGE(is_target(r.status), text_of(r));
          if (is_trouble(r.status)) continue;
          CHECK(!(r.violation > 1e-6));
          const Wide here = half_squared_distance(widened(r.answer.to_dense()), data);
          CHECK(std::abs(r.measurement.value - here) <= 1e-10L * here + kSmallest);
          if (r.violation <= 1e-12) least = std::min(least, here);
        }
        for (const RunResult& r : results) {
          CAPTURE(set.front());
          CAPTURE(radius);
          CAPTURE(size);
          if (!is_trouble(r.status)) CHECK(r.lower_bound <= least * (1.0L + 1e-9L) + kSmallest);
        }
      }
  }
}

TEST_CASE("extreme parameters: losses and smoothers end or are refused, and no bound is above a value") {
  const TestFolder folder;
  const Numbers a{0.3, -1.2, 0.1, 2.5, 0.7, 0.7, -0.05, 0.4, -3.1, 1.0, 0.2, -0.4};
  const std::vector<Words> models{{"objective.loss=squared"},
                                  {"objective.loss=huber", "objective.loss.delta=*"},
                                  {"objective.loss=quantile", "objective.loss.delta=*"},
                                  {"objective.loss=robust", "objective.loss.sigma=*"},
                                  {"objective.loss=logistic"},
                                  {"objective.loss=squared-hinge"},
                                  {"objective.loss=poisson"},
                                  {"objective.loss=gamma"},
                                  {"objective.loss=tweedie"},
                                  {"objective.loss=negative-binomial", "objective.loss.theta=*"},
                                  {"smoother.use=squared-norm", "smoother.lambda=*"},
                                  {"smoother.use=elastic-net", "smoother.lambda=*", "smoother.mu=1"},
                                  {"smoother.use=elastic-net", "smoother.lambda=1", "smoother.mu=*"},
                                  {"smoother.use=log-sum-exp", "smoother.mu=*"},
                                  {"smoother.use=huber-l1", "smoother.lambda=1", "smoother.mu=*"},
                                  {"smoother.use=huber-l1", "smoother.lambda=*", "smoother.mu=1"}};
  int made = 0;
  for (const double size : {1e-160, 1.0, 1e160})
    for (Words model : models)
      for (const double number : {0.0, 1e-300, 1e-160, 1.0, 1e160}) {
        const std::string name = model.front();
        const bool classes = name.ends_with("logistic") || name.ends_with("hinge");
        std::string text;
        for (std::size_t i = 0; i < 6; ++i)
          text += print_real(size * a[2 * i]) + "," + print_real(size * a[2 * i + 1]) + "," +
                  (classes ? (i % 2 ? "1" : "-1") : print_real(1.0 + static_cast<double>(i % 3))) + "\n";
        folder.put("rows.csv", text);
        Words words{"objective.use=linear-model", "objective.data=" + (folder / "rows.csv").string(),
                    "objective.header=no", "stop.iterations=300"};
        for (std::string word : model) {
          if (word.ends_with("*")) word = word.substr(0, word.size() - 1) + print_real(number);
          words.push_back(word);
        }
        if (!name.starts_with("smoother"))
          words = words + Words{"penalty.use=l1", "penalty.lambda=" + print_real(number)};
        CAPTURE(words);
        try {
          const Composition c = compose(build_catalog(), spec_of(words));
          const RunResult r = run_composition(c);
          ++made;
          CHECK_MESSAGE((r.failure.empty() || r.failure_kind != ErrorKind::plugin), r.failure);
          if (is_trouble(r.status)) continue;
          const auto cost = [&](const Element& x) {
            return c.objective->value(x) + (c.penalty_oracle ? c.penalty_oracle->value(x) : 0.0);
          };
          const double here = cost(r.answer);
          CHECK((r.lower_bound <= here * (1.0 + 1e-9) + kSmallest || here < 0.0));
          CHECK(r.lower_bound <= cost(Element(r.answer.shape())) + 1e-9 * std::abs(here) + kSmallest);
        } catch (const Error& error) {
          CHECK_MESSAGE(error.kind() != ErrorKind::plugin, error.what());
        }
      }
  CHECK(made >= 100);
}

TEST_CASE("trend filtering: certified for every factor, and with a small one the data to about that factor") {
  Engine engine(51);
  std::normal_distribution<double> normal;
  for (const int n : {4, 9, 40})
    for (const double mean : {0.0, 1e3, 1e6}) {
      Numbers y(static_cast<std::size_t>(n));
      std::string text;
      for (double& value : y) text += print_real(value = mean + normal(engine)) + " ";
      for (const int order : {1, 2, 3})
        for (const double lambda : {1e-12, 1e-9, 1e-8, 1e-6, 1e-4, 1e-2, 1.0, 1e3, 1e6}) {
          CAPTURE(n);
          CAPTURE(mean);
          CAPTURE(order);
          CAPTURE(lambda);
          // Far from 0, a factor that leaves a polynomial alone is certified to the digits that the mean
          // takes.
          if (mean > 1e4 && lambda > 1.0) continue;
          const RunResult r =
              solve({"objective.use=distance", "objective.data=" + text, "penalty.use=composed",
                     "penalty.order=" + std::to_string(order), "penalty.lambda=" + print_real(lambda),
                     "penalty.inner.use=l1", "penalty.inner.lambda=1", "stop.relative_gap=1e-6",
                     "stop.iterations=1000"});
          CHECK_MESSAGE(r.status == Status::relative_gap, text_of(r));
          const Wides x = widened(r.answer.to_dense()), data = widened(y);
          const auto cost = [&](const Wides& z) {
            Wides d(z);
            for (int k = 0; k < order; ++k) {
              for (std::size_t e = 0; e + 1 < d.size(); ++e) d[e] = d[e + 1] - d[e];
              d.pop_back();
            }
            return half_squared_distance(z, data) + Wide(lambda) * sum_of(d);
          };
          CHECK(r.measurement.value == doctest::Approx(static_cast<double>(cost(x))).epsilon(1e-6));
          Wide centre = 0.0L;
          for (const Wide value : data) centre += value / static_cast<Wide>(data.size());
          for (const Wides& z : {data, Wides(data.size(), centre)})
            CHECK(r.lower_bound <= cost(z) * (1.0L + 1e-9L));
          if (lambda > 1e-6) continue;
          for (std::size_t k = 0; k < x.size(); ++k)
            CHECK(std::abs(x[k] - data[k]) <= 16.0L * lambda + 1e-15L * std::abs(mean));
        }
    }
}

}  // namespace claros::test::extreme_parameters

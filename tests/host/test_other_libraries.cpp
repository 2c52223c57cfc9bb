// SPDX-License-Identifier: BSD-3-Clause
// Names of other libraries that stand for a set, a penalty, a loss or an objective: the value of one problem
// by Claros is that of the other library's formula, which is written here.
#include "small_host.hpp"

#include <claros/compose/composition.hpp>
#include <claros/io/memory_data.hpp>
#include <claros/linear_oracle.hpp>
#include <claros/objective.hpp>
#include <claros/other_names.hpp>
#include <claros/proximal_oracle.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

using namespace claros;
using namespace claros::test;

namespace {

constexpr std::size_t kCount = 6, kWidth = 2;
const std::vector<double> kEntries{0.5, 1.0, -1.0, 0.2, 0.3, -0.7, 1.4, 0.1, -0.2, 0.9, 0.8, -1.1};
const std::vector<double> kReal{1.0, -0.5, 2.0, 0.3, -1.2, 0.7}, kSigns{1, -1, 1, 1, -1, -1},
    kCounts{0, 2, 1, 5, 0, 3}, kClasses{0, 1, 2, 0, 1, 2};
const std::vector<double> kPoint{0.7, -1.2};
constexpr double kFree = 0.4, kLambda = 0.3;

/// What the composition of other names is made of.
struct Problem {
  std::vector<std::string> words;
  const std::vector<double>* responses = &kReal;
  std::vector<double> x = kPoint;  ///< where f and h are evaluated; column-major
};

Composition composed(const Problem& problem) {
  Spec spec;
  spec.assign(problem.words);
  HostParts parts;
  if (problem.responses)
    parts.data = data_from_rows(kEntries, kCount, kWidth, *problem.responses);
  else
    parts.data = data_from_triplets(std::vector<std::int32_t>{0, 0, 1}, std::vector<std::int32_t>{0, 1, 1},
                                    std::vector<double>{1.0, 2.0, -3.0}, 2, 2);
  return compose(build_catalog(), with_own_names(build_catalog(), spec, {}), parts);
}

double value_of(const Problem& problem) {
  const Composition made = composed(problem);
  const Element x = Element::dense(made.objective->shape(), problem.x);
  return made.objective->value(x) + (made.penalty_oracle ? made.penalty_oracle->value(x) : 0.0);
}

/// min <c, v> over the set, of a direction of a vector, or of a matrix of two rows where it has four numbers.
double least_of(std::vector<std::string> words, const std::vector<double>& c) {
  words.insert(words.end(), {"objective.use=distance",
                             c.size() == 4 ? "objective.data=0 0; 0 0" : "objective.data=0 0 0"});
  Spec spec;
  spec.assign(words);
  const Composition made = compose(build_catalog(), with_own_names(build_catalog(), spec, {}), HostParts());
  Element vertex;
  const Element direction = Element::dense(made.objective->shape(), c);
  return query<LinearOracle>(*made.set)
      ->minimize(direction, {.tolerance = 1e-12, .confirm = true}, vertex)
      .value;
}

double product(std::size_t i, double free = 0.0) {
  return kEntries[2 * i] * kPoint[0] + kEntries[2 * i + 1] * kPoint[1] + free;
}
/// (1/n) sum_i psi(<a_i, x> + free, y_i).
double mean_loss(const std::function<double(double z, double y)>& psi, const std::vector<double>& y,
                 double free = 0.0) {
  double sum = 0.0;
  for (std::size_t i = 0; i < kCount; ++i) sum += psi(product(i, free), y[i]);
  return sum / static_cast<double>(kCount);
}
double half_square(double z, double y) { return 0.5 * (z - y) * (z - y); }
double log_loss(double z, double y) { return std::log1p(std::exp(-y * z)); }
/// Half the deviance: the negative log-likelihood less its least value over z.
double poisson(double z, double y) { return std::exp(z) - y * z - (y > 0.0 ? y - y * std::log(y) : 0.0); }

const std::vector<double> kSlope{0.8, -0.3, -1.1}, kSymmetric{2.0, -1.0, -1.0, 0.5},
    kPositive{3.0, 1.0, 1.0, 2.0};
const double kTrace = kSymmetric[0] + kSymmetric[3],
             kRoot = std::sqrt(std::pow(kSymmetric[0] - kSymmetric[3], 2.0) + 4.0);
const double kLow = 0.5 * (kTrace - kRoot), kHigh = 0.5 * (kTrace + kRoot);  // eigenvalues of kSymmetric

struct BothDefinitions {
  std::function<double()> here, there;
};

using Table = std::map<std::string, BothDefinitions>;

void add(Table& table, const std::vector<std::string>& names, const std::string& key,
         const std::function<double(const std::string& word)>& here, const std::function<double()>& there) {
  for (const std::string& name : names)
    table[key + '=' + name] = {[=] { return here(key + '=' + name); }, there};
}

void add_objectives(Table& table) {
  const auto here = [](std::vector<std::string> words, const std::vector<double>& y, bool free) {
    return [=, &y](const std::string& word) {
      Problem problem{words, &y};
      problem.words.push_back(word);
      if (free) problem.x.push_back(kFree);
      return value_of(problem);
    };
  };
  const std::string lambda = "penalty.lambda=0.3";
  const double l1 = std::abs(kPoint[0]) + std::abs(kPoint[1]),
               squares = kPoint[0] * kPoint[0] + kPoint[1] * kPoint[1];
  // The minimum over w and b of scikit-learn's LinearRegression is that of any multiple of the sum.
  add(table, {"linear-regression"}, "objective.use", here({}, kReal, true),
      [] { return mean_loss(half_square, kReal, kFree); });
  // sklearn.linear_model.Lasso, ElasticNet: (1/2n) ||y - Xw - b||^2 + alpha (...), l1_ratio = 0.5.
  add(table, {"lasso"}, "objective.use", here({lambda}, kReal, true),
      [=] { return mean_loss(half_square, kReal, kFree) + kLambda * l1; });
  add(table, {"elasticnet", "elastic-net"}, "objective.use", here({lambda}, kReal, true),
      [=] { return mean_loss(half_square, kReal, kFree) + kLambda * (0.5 * l1 + 0.25 * squares); });
  // statsmodels' OLS, Logit and Poisson have no intercept unless the rows hold one.
  add(table, {"least-squares", "regression", "ols"}, "objective.use", here({}, kReal, false),
      [] { return mean_loss(half_square, kReal); });
  add(table, {"logit"}, "objective.use", here({}, kSigns, false), [] { return mean_loss(log_loss, kSigns); });
  add(table, {"poisson-regression"}, "objective.use", here({}, kCounts, false),
      [] { return mean_loss(poisson, kCounts); });
  add(
      table, {"collaborative-filtering", "recommender", "ratings"}, "objective.use",
      [](const std::string& word) {
        return value_of({{word, "set.use=nuclear-ball", "set.radius=9"}, nullptr, {0.5, 0.0, 1.0, -1.0}});
      },
      [] { return (0.5 * 0.25 + 0.5 * 1.0 + 0.5 * 4.0) / 3.0; });
}

void add_losses(Table& table) {
  const auto here = [](const std::vector<double>& y, std::vector<double> x = kPoint) {
    return [=, &y](const std::string& word) {
      return value_of({{"objective.use=linear-model", word}, &y, x});
    };
  };
  // sklearn.metrics.log_loss of the probability 1/(1 + exp(-z)); glmnet's binomial is its mean as well.
  add(table, {"log", "log-loss", "log_loss", "binomial", "bernoulli"}, "objective.loss", here(kSigns),
      [] { return mean_loss(log_loss, kSigns); });
  add(table, {"gaussian", "quadratic"}, "objective.loss", here(kReal),
      [] { return mean_loss(half_square, kReal); });
  // torch.nn.CrossEntropyLoss: the mean of -log softmax(z)_y.
  const std::vector<double> columns{0.7, -1.2, 0.2, 0.1, -0.5, 0.9};
  add(table, {"cross-entropy", "cross_entropy", "categorical-crossentropy"}, "objective.loss",
      here(kClasses, columns), [=] {
        double sum = 0.0;
        for (std::size_t i = 0; i < kCount; ++i) {
          std::vector<double> z;
          double total = 0.0;
          for (std::size_t k = 0; k < 3; ++k) {
            z.push_back(kEntries[2 * i] * columns[2 * k] + kEntries[2 * i + 1] * columns[2 * k + 1]);
            total += std::exp(z[k]);
          }
          sum -= std::log(std::exp(z[static_cast<std::size_t>(kClasses[i])]) / total);
        }
        return sum / static_cast<double>(kCount);
      });
  // MASS::glm.nb, theta = 1: half the deviance.
  add(table, {"nb"}, "objective.loss", here(kCounts), [] {
    return mean_loss(
        [](double z, double y) {
          const double least = (y + 1.0) * std::log(1.0 + y) - (y > 0.0 ? y * std::log(y) : 0.0);
          return (y + 1.0) * std::log(1.0 + std::exp(z)) - y * z - least;
        },
        kCounts);
  });
}

void add_penalties(Table& table) {
  const auto here = [](std::vector<double> x, std::vector<std::string> words = {"penalty.lambda=0.3"}) {
    return [=](const std::string& word) {
      Problem problem{words, nullptr, x};
      problem.words.insert(problem.words.end(), {"objective.use=matrix-completion", word});
      return value_of(problem);
    };
  };
  const std::vector<double> x{0.5, 0.0, 1.0, -1.0};
  const double f = (0.5 * 0.25 + 0.5 * 1.0 + 0.5 * 4.0) / 3.0;
  add(table, {"elasticnet", "enet"}, "penalty.use", here(x),
      [=] { return f + kLambda * (0.5 * 2.5 + 0.25 * 2.25); });
  // A singular value a of a matrix of two rows: a_1 + a_2 = (||X||_F^2 + 2 |det X|)^(1/2).
  add(table, {"nuclear-norm", "trace-norm-penalty"}, "penalty.use", here(x),
      [=] { return f + kLambda * std::sqrt(2.25 + 2.0 * 0.5); });
  add(table, {"norm1", "l1-norm", "norm-l1"}, "penalty.use", here(x), [=] { return f + kLambda * 2.5; });
  // torch.optim.SGD(weight_decay=w) adds w x to the gradient, that of (w/2) ||x||^2.
  add(table, {"weight-decay"}, "penalty.use", here(x), [=] { return f + 0.5 * kLambda * 2.25; });
  add(table, {"nonneg", "positive"}, "penalty.use", here(x, {}), [] { return sdk::kInfinity; });
}

void add_sets(Table& table) {
  const auto here = [](const std::vector<double>& c, std::vector<std::string> words = {"set.radius=1.5"}) {
    return [=](const std::string& word) {
      std::vector<std::string> all = words;
      all.push_back(word);
      return least_of(all, c);
    };
  };
  const auto set = [&](const std::vector<std::string>& names, const std::vector<double>& c, double least) {
    add(table, names, "set.use", here(c), [=] { return least; });
  };
  set({"l1", "l1-norm-ball", "lasso"}, kSlope, -1.5 * 1.1);
  set({"l2", "euclidean-ball", "ball", "l2-norm-ball"}, kSlope, -1.5 * std::sqrt(0.64 + 0.09 + 1.21));
  set({"nuclear", "nuclear-norm", "nuclear-norm-ball", "trace-norm"}, kSymmetric,
      -1.5 * std::max(std::abs(kLow), std::abs(kHigh)));
  set({"probability-simplex", "prob-simplex"}, {0.8, 0.3, 1.1}, 1.5 * 0.3);
  // UnitSimplexLMO: x >= 0, sum x <= right side; a set of Claros, so no name of the table.
  CHECK(least_of({"set.use=unit-simplex", "set.radius=1.5"}, {0.8, 0.3, 1.1}) == 0.0);
  CHECK(least_of({"set.use=unit-simplex", "set.radius=1.5"}, kSlope) == doctest::Approx(-1.5 * 1.1));
  // SpectraplexLMO: tr X = radius; UnitSpectrahedronLMO: tr X <= radius.
  set({"spectraplex"}, kPositive, 1.5 * 0.5 * (5.0 - std::sqrt(5.0)));
  set({"unit-spectrahedron"}, kPositive, 0.0);
  add(table, {"doubly-stochastic", "birkhoff-polytope"}, "set.use", here(kSymmetric, {}),
      [] { return std::min(kSymmetric[0] + kSymmetric[3], kSymmetric[1] + kSymmetric[2]); });
  add(table, {"hypercube", "zero-one-hypercube"}, "set.use", here(kSlope, {}), [] { return -0.3 - 1.1; });
  // KSparseLMO: the l1 ball of radius K tau within the largest-magnitude ball of radius tau.
  add(table, {"ksparse", "k-sparse-polytope"}, "set.use", here(kSlope, {"set.radius=1.5", "set.k=2"}),
      [] { return -1.5 * (1.1 + 0.8); });
  // UnitHyperSimplexLMO: 0 <= x <= 1 with a sum of at most k.
  add(table, {"unit-hypersimplex"}, "set.use", here(kSlope, {"set.rank=3"}), [] { return -1.1 - 0.3; });
  // scipy.optimize.linprog: variables of at least 0.
  add(table, {"lp", "linear-program"}, "set.use", here(kSlope, {"set.program=1 1 1 <= 2"}),
      [] { return -2.0 * 1.1; });
}

}  // namespace

TEST_CASE("other libraries: a name that is taken has the value of the other library's formula") {
  Table table;
  add_objectives(table);
  add_losses(table);
  add_penalties(table);
  add_sets(table);
  const std::set<std::string> sections{"objective", "objective.loss", "penalty", "set"};
  std::size_t compared = 0;
  for (const OtherName& other : other_names()) {
    if (!sections.contains(other.section) || other.value.empty()) continue;
    CAPTURE(other.written());
    const auto both = table.find(other.written());
    CHECK((both != table.end()) == !other.means.empty());
    if (both == table.end()) continue;
    const double here = both->second.here(), there = both->second.there();
    if (std::isinf(there))
      CHECK(here == there);
    else
      CHECK(here == doctest::Approx(there).epsilon(1e-9));
    ++compared;
  }
  CHECK(compared == table.size());
}

TEST_CASE("other libraries: a name whose problem or scale differs is refused with the words to write") {
  for (const auto& [word, remedy] : std::vector<std::pair<std::string, std::string>>{
           {"objective.use=softimpute", "over the number of ratings"},
           {"objective.use=ridge", "alpha / n"},
           {"objective.use=logistic-regression", "1/(n C)"},
           {"objective.use=poisson-regressor", "penalty.use=ridge"},
           {"objective.loss=least-squares", "half of the squared error"},
           {"penalty.use=squared-l2", "twice the factor"},
           {"penalty.use=l1_l2", "l1 + 2 l2"},
           {"penalty.use=hard-threshold", "half the square"},
           {"set.use=bounds", "not infinite"},
           {"set.use=isotonic", "monotone"},
           {"set.use=permutation", "convex hull"},
           {"set.use=k-norm-ball", "ordered-weight"},
           {"set.use=diamond", "lp-ball"}}) {
    CAPTURE(word);
    Spec spec;
    spec.assign({"objective.use=linear-model", "penalty.use=l1", "penalty.lambda=1"});
    spec.assign({word});
    HostParts parts;
    parts.data = data_from_rows(kEntries, kCount, kWidth, kReal);
    try {
      (void)compose(build_catalog(), with_own_names(build_catalog(), spec, {}), parts);
      FAIL("is taken");
    } catch (const Error& error) {
      CHECK(std::string(with_remedies(error).what()).find(remedy) != std::string::npos);
    }
  }
}

// SPDX-License-Identifier: BSD-3-Clause
// The data are what the class comment of data/synthetic-sensing says.
#include "sensing_problem.hpp"

using namespace claros;
using namespace claros::test;

namespace {

std::shared_ptr<const Dataset> made(const Words& more) {
  return make_data(build_catalog(), spec_of(Words{"data.use=synthetic-sensing"} + more));
}

const Dense& numbers(const Design& design) { return std::get<DenseRows<double>>(design.entries).values; }

}  // namespace

TEST_CASE("synthetic sensing: the truth has rank, nuclear norm and sign that were asked for") {
  for (const auto& [truth, negative] :
       {std::pair<std::string, int>{"psd", 0}, {"symmetric", 1}, {"general", 0}}) {
    const auto data =
        made({"data.rows=9", "data.rank=3", "data.radius=6", "data.count=5", "data.truth=" + truth});
    const Dense x = data->truth()->to_dense();
    const auto s = dense_svd(9, 9, x).s;
    for (std::size_t k = 0; k < s.size(); ++k)
      CHECK(s[k] == doctest::Approx(k < 3 ? 2.0 : 0.0).epsilon(1e-12));
    double trace = 0.0, asymmetry = 0.0;
    for (std::size_t i = 0; i < 9; ++i) {
      trace += x[i * 10];
      for (std::size_t j = 0; j < 9; ++j)
        asymmetry = std::max(asymmetry, std::abs(x[j * 9 + i] - x[i * 9 + j]));
    }
    if (truth == "general") {
      CHECK(asymmetry > 0.01);
    } else {
      CHECK(asymmetry <= 1e-15);
      CHECK(trace == doctest::Approx(6.0 - 4.0 * negative).epsilon(1e-12));
    }
  }
}

TEST_CASE("synthetic sensing: responses are the products with the truth, and noise of its size") {
  for (const std::string kind : {"gaussian", "rank-one", "symmetric"}) {
    const Words words{"data.rows=5", "data.count=4000", "data.measurements=" + kind};
    const auto clean = made(words)->measurements(),
               noisy = made(words + Words{"data.noise=0.5"})->measurements();
    CHECK(numbers(*clean->left) == numbers(*noisy->left));
    double sum = 0.0, squares = 0.0;
    for (std::size_t i = 0; i < 4000; ++i) {
      const double e = noisy->left->response[i] - clean->left->response[i];
      sum += e, squares += e * e;
    }
    CHECK(std::abs(sum / 4000) < 4.0 * 0.5 / std::sqrt(4000.0));
    CHECK(squares / 4000 == doctest::Approx(0.25).epsilon(0.1));
    double mean = 0.0, variance = 0.0;
    for (const double value : numbers(*clean->left)) mean += value, variance += value * value;
    const double count = static_cast<double>(numbers(*clean->left).size());
    CHECK(std::abs(mean / count) < 4.0 / std::sqrt(count));
    CHECK(variance / count == doctest::Approx(1.0).epsilon(0.05));
  }
}

TEST_CASE(
    "synthetic sensing: a row depends on the seed and its number alone, not on how many there are, nor on "
    "threads") {
  const auto few = made({"data.rows=5", "data.count=10", "data.measurements=rank-one"})->measurements(),
             many = made({"data.rows=5", "data.count=100", "data.measurements=rank-one", "run.threads=2"})
                        ->measurements(),
             other = made({"data.rows=5", "data.count=10", "data.measurements=rank-one", "data.seed=4"})
                         ->measurements();
  CHECK(std::equal(numbers(*few->left).begin(), numbers(*few->left).end(), numbers(*many->left).begin()));
  CHECK(std::equal(numbers(*few->right).begin(), numbers(*few->right).end(), numbers(*many->right).begin()));
  CHECK(std::equal(few->left->response.begin(), few->left->response.end(), many->left->response.begin()));
  CHECK(numbers(*few->left) != numbers(*other->left));
  CHECK(numbers(*few->left) != numbers(*few->right));
}

TEST_CASE("synthetic sensing: what cannot be is refused") {
  const auto refused = [](const Words& words, std::initializer_list<const char*> parts) {
    check_mentions(refusal(ErrorKind::usage, [&] { (void)made(words); }), parts);
  };
  refused({"data.rows=5", "data.rank=6"}, {"data.rank", "6"});
  refused({"data.rows=5", "data.cols=4"}, {"data.cols", "square"});
  refused({"data.rows=5", "data.cols=4", "data.measurements=rank-one"}, {"data.truth", "5 x 4"});
  refused({"data.rows=100000", "data.count=1000000"}, {"data.count"});
}

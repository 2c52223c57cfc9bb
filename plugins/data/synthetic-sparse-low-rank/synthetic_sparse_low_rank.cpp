// SPDX-License-Identifier: BSD-3-Clause
#include <claros/error.hpp>
#include <claros/io/memory_data.hpp>
#include <claros/plugin.hpp>
#include <claros/sdk/held_data.hpp>

#include <cmath>
#include <string>
#include <vector>

namespace {

using namespace claros;

struct Options {
  Index rows = 300, rank = 1, largest = 10;
  double nonzero = 0.0, noise = 1.0;
  Index seed = -1;
};

/// M_0 = Y Y' + noise N, Y in R^{d x r}, N of independent N(0, 1) entries. An entry of Y is uniform on {1,
/// ..., largest} with the probability `nonzero`, else 0. Y Y' is of rank r, sparse and positive semidefinite,
/// and is the truth. (Garber, Kaplan 2019, section 5: d = 300, r = 1 and 10, nonzero = 1/sqrt(d), largest =
/// 10.)
class SyntheticSparseLowRank final : public sdk::HeldData {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        row("rows", &Options::rows, between(1, 1 << 15), "rows and columns of M_0", "d"),
        row("rank", &Options::rank, at_least(1), "columns of Y", "r"),
        row("largest", &Options::largest, between(1, 1 << 20), "largest entry of Y"),
        row("nonzero", &Options::nonzero, between(0.0, 1.0),
            "probability that an entry of Y is not 0; 0: 1/sqrt(d)"),
        row("noise", &Options::noise, at_least(0.0), "standard deviation of an entry of M_0 less Y Y'"),
        row("seed", &Options::seed, at_least(-1), "seed of the data; -1: that of the run")};
    return table;
  }

  SyntheticSparseLowRank(const Options& o, const Context& context) {
    if (o.rank > o.rows)
      throw Error(ErrorKind::usage, "rank",
                  std::to_string(o.rank) + " is more than rows = " + std::to_string(o.rows), "lower it");
    const std::uint64_t seed = o.seed < 0 ? context.seed : static_cast<std::uint64_t>(o.seed);
    const std::vector<double> product = product_of(o, seed);
    std::vector<double> rows(product.size());  // symmetric but for the noise: row by row is column by column
    RandomStream(seed, Purpose::data, kNoise).fill_normal(rows);
    for (std::size_t k = 0; k < rows.size(); ++k) rows[k] = product[k] + o.noise * rows[k];
    hold(data_from_rows(rows, o.rows, o.rows, std::vector<double>(static_cast<std::size_t>(o.rows), 0.0)),
         Element::dense(Shape::matrix(o.rows, o.rows), product));
  }

 private:
  enum Stream : std::uint32_t { kFactor, kNoise };

  /// Y Y': of whole numbers, and so the same in any order of the sums.
  static std::vector<double> product_of(const Options& o, std::uint64_t seed) {
    const auto d = static_cast<std::size_t>(o.rows), r = static_cast<std::size_t>(o.rank);
    const double share = o.nonzero > 0.0 ? o.nonzero : 1.0 / std::sqrt(static_cast<double>(o.rows));
    RandomStream random(seed, Purpose::data, kFactor);
    std::vector<double> Y(d * r), product(d * d, 0.0);
    for (double& y : Y) {
      const bool kept = random.uniform() < share;
      const Index size = 1 + random.index(o.largest);
      y = kept ? static_cast<double>(size) : 0.0;
    }
    for (std::size_t k = 0; k < r; ++k)
      for (std::size_t j = 0; j < d; ++j)
        if (const double y = Y[k * d + j]; y != 0.0)
          for (std::size_t i = 0; i < d; ++i) product[j * d + i] += Y[k * d + i] * y;
    return product;
  }
};

}  // namespace

CLAROS_PLUGIN(
    SyntheticSparseLowRank, Kind::data, "synthetic-sparse-low-rank", "", "1.0.0",
    "Noisy matrix Y Y' + noise, sparse, low rank, positive semidefinite",
    "The rows of M_0 = Y Y' + noise N, Y d x r with entries that are 0 or uniform on {1, ..., largest}, N of "
    "independent N(0, 1) entries. Knows the truth Y Y' (column rmse_truth). As files: "
    "design.bin (the rows, and responses of 0), truth.mtx.",
    "Garber, Kaplan: Fast stochastic algorithms for low-rank and "
    "nonsmooth matrix problems, AISTATS 2019, section 5",
    "Use it with distance or noisy-matrix, to estimate a matrix that is both sparse and of low rank. With "
    "noisy-matrix f is an expectation unless objective.draws or sigma = 0 is given, and needs a "
    "gradient estimator such as sg. All entries are seen: for missing entries take synthetic.",
    "data.use=synthetic-sparse-low-rank data.rows=100 objective.use=distance penalty.use=l1 "
    "penalty.lambda=1 set.use=nuclear-ball set.radius=500 stop.relative_gap=1e-3")

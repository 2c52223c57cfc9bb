// SPDX-License-Identifier: BSD-3-Clause
#include <claros/dataset.hpp>
#include <claros/element/parallel.hpp>
#include <claros/io/design_io.hpp>
#include <claros/io/matrix_market.hpp>
#include <claros/plugin.hpp>
#include <shared/losses/gaussian_rows.hpp>

#include <cmath>
#include <numeric>
#include <span>
#include <string>
#include <vector>

namespace {

using namespace claros;

enum class Response { linear, logistic, positive };
enum class Precision { real64, real32 };

struct Options {
  Index rows = 2500, cols = 5000, nonzero = 50, group_size = 1;
  double variance = 1.0, correlation = 0.0, noise = 1.0, errors = 0.0;
  Response response = Response::linear;
  Precision precision = Precision::real64;
  Index seed = -1;
};

/// Rows x_i ~ N(0, variance Sigma), Sigma_jj = 1 and Sigma_jk = b: x_i = sqrt(variance) (sqrt(1-b) g +
/// sqrt(b) g_0 1) with g, g_0 of independent N(0, 1). The truth theta* has `nonzero` groups of `group_size`
/// entries, each 1 or -1 with probability 1/2, and is 0 elsewhere. Responses:
/// - linear: y_i = <x_i, theta*> + noise N(0, 1);
/// - logistic: y_i is 1 with probability 1/(1 + exp(-<x_i, theta*>)), else -1;
/// - positive: exp of the linear response.
/// The data has z_i = x_i + w_i, w_i ~ N(0, errors I). (Qu, Li, Xu, section 4.1.)
///
/// Every row has its own stretch of the random streams, so it depends on the seed and its number alone.
class SyntheticRegression final : public Component, public Dataset {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        row("rows", &Options::rows, between(1, kMost), "rows", "n"),
        row("cols", &Options::cols, between(1, kMost), "columns", "p"),
        row("nonzero", &Options::nonzero, at_least(0),
            "how many groups of theta* are not zero; entries when a group is one", "r, s_G"),
        row("group_size", &Options::group_size, at_least(1),
            "entries of a group; a shorter one at the end stays zero", "q"),
        row("variance", &Options::variance, above(0), "of every entry of the rows"),
        row("correlation", &Options::correlation, between(0.0, 1.0), "between any two columns", "b"),
        row("noise", &Options::noise, at_least(0.0),
            "standard deviation of a linear response, and of the logarithm of a positive one", "u"),
        row("errors", &Options::errors, at_least(0.0),
            "variance of the errors with which the rows are seen; responses are those of the rows without",
            "gamma_w"),
        row("response", &Options::response,
            one_of<Response>({{Response::linear, "linear"},
                              {Response::logistic, "logistic"},
                              {Response::positive, "positive"}}),
            "linear: products with theta* and noise; logistic: 1 or -1; positive: exp of the linear one"),
        row("precision", &Options::precision,
            one_of<Precision>({{Precision::real64, "double"}, {Precision::real32, "float"}}),
            "of the stored rows"),
        row("seed", &Options::seed, at_least(-1), "seed of the data; -1: that of the run")};
    return table;
  }

  SyntheticRegression(const Options& o, const Context& context)
      : o_(o), seed_(o.seed < 0 ? context.seed : static_cast<std::uint64_t>(o.seed)) {
    require_possible();
    context.detail(memory_text(o.rows, o.cols, o.precision == Precision::real32));
    make_truth();
    const ThreadScope scope(context.threads);
    if (o.precision == Precision::real32)
      make_design<float>();
    else
      make_design<double>();
  }

  std::shared_ptr<const Design> design() const override { return design_; }
  const Element* truth() const override { return &truth_; }
  void write(const std::filesystem::path& folder) const override {
    write_design(folder / "design.bin", *design_);
    write_matrix_market(folder / "truth.mtx", DenseTable{o_.cols, 1, truth_.to_dense()});
  }

  void* ability(std::string_view id) noexcept override { return offer<Dataset>(this, id); }

 private:
  static constexpr Index kMost = 1 << 24, kLargest = Index{1} << 36;
  /// The purpose of a stream; each row has a stretch of it.
  enum Stream : std::uint32_t { kTruth, kRows, kErrors, kResponses };

  void require_possible() const {
    if (o_.rows * o_.cols > kLargest)
      throw Error(ErrorKind::usage, "rows",
                  Shape::matrix(o_.rows, o_.cols).text() + " has more than " + std::to_string(kLargest) +
                      " entries, all of which are made",
                  "lower rows or cols");
    if (o_.nonzero > o_.cols / o_.group_size)
      throw Error(ErrorKind::usage, "nonzero",
                  std::to_string(o_.cols) + " columns hold " + std::to_string(o_.cols / o_.group_size) +
                      " groups of " + std::to_string(o_.group_size) + ", not " + std::to_string(o_.nonzero),
                  "lower nonzero or group_size");
  }

  RandomStream stream(Stream stream, Index row = 0, Index numbers = 0) const {
    return sdk::row_stream(seed_, stream, row, numbers);
  }

  void make_truth() {
    RandomStream random = stream(kTruth);
    std::vector<Index> groups(static_cast<std::size_t>(o_.cols / o_.group_size));
    std::iota(groups.begin(), groups.end(), Index{0});
    std::vector<double> theta(static_cast<std::size_t>(o_.cols), 0.0);
    for (Index k = 0; k < o_.nonzero; ++k) {
      const auto rest = static_cast<Index>(groups.size()) - k;
      std::swap(groups[static_cast<std::size_t>(k)],
                groups[static_cast<std::size_t>(k + random.index(rest))]);
      const Index first = groups[static_cast<std::size_t>(k)] * o_.group_size;
      for (Index j = first; j < first + o_.group_size; ++j)
        theta[static_cast<std::size_t>(j)] = random.index(2) == 0 ? 1.0 : -1.0;
    }
    truth_ = Element::dense(Shape::vector(o_.cols), std::move(theta));
  }

  template <class Real>
  void make_design() {
    auto design = std::make_shared<Design>();
    design->rows = o_.rows;
    design->cols = o_.cols;
    design->response.resize(static_cast<std::size_t>(o_.rows));
    const std::vector<double> theta = truth_.to_dense();
    design->entries = sdk::made_rows<Real>(o_.rows, o_.cols, [&](Index i, std::span<double> x) {
      RandomStream common = stream(kResponses, i, 4);
      make_row(i, common.normal(), x);
      design->response[static_cast<std::size_t>(i)] = response(sdk::interleaved_product(x, theta), common);
      if (o_.errors > 0.0) sdk::add_errors(stream(kErrors, i, o_.cols), o_.errors, x);
    });
    design_ = std::move(design);
  }

  void make_row(Index i, double common, std::span<double> x) const {
    stream(kRows, i, o_.cols).fill_normal(x);
    const double scale = std::sqrt(o_.variance);
    const double own = scale * std::sqrt(1.0 - o_.correlation),
                 shared = scale * std::sqrt(o_.correlation) * common;
    for (double& value : x) value = own * value + shared;
  }

  double response(double product, RandomStream& random) const {
    if (o_.response == Response::linear) return product + o_.noise * random.normal();
    if (o_.response == Response::positive) return std::exp(product + o_.noise * random.normal());
    return random.uniform() < 1.0 / (1.0 + std::exp(-product)) ? 1.0 : -1.0;
  }

  Options o_;
  std::uint64_t seed_;
  Element truth_;
  std::shared_ptr<const Design> design_;
};

}  // namespace

CLAROS_PLUGIN(SyntheticRegression, Kind::data, "synthetic-regression", "", "1.0.0",
              "Gaussian design with equal correlations, sparse or group-sparse theta*, responses",
              "y = <x, theta*> + noise, or signs with logistic probabilities; rows N(0, variance Sigma) with "
              "unit diagonal and "
              "every other entry of Sigma the correlation; seen with errors if there are any. Knows the "
              "truth theta* (column "
              "rmse_truth). As files: design.bin, truth.mtx.",
              "Qu, Li, Xu: Linear convergence of SVRG in statistical estimation, section 4.1",
              "Use it to try linear models, cox, covariance or log-det on rows whose truth is known. "
              "Rows are dense and in memory; data.precision = float halves the memory. For sparse "
              "rows name a file in objective.data. For coefficients that form a matrix of low "
              "rank take synthetic-matrix-regression.",
              "data.use=synthetic-regression data.rows=500 data.cols=2000 data.nonzero=20 "
              "objective.use=linear-model penalty.use=l1 penalty.lambda=0.1*max stop.relative_gap=1e-6")

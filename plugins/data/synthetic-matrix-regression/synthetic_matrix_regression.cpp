// SPDX-License-Identifier: BSD-3-Clause
#include <claros/dataset.hpp>
#include <claros/io/design_io.hpp>
#include <claros/io/matrix_market.hpp>
#include <claros/plugin.hpp>
#include <shared/losses/gaussian_rows.hpp>
#include <shared/sets/orthonormal.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace {

using namespace claros;

enum class Spectrum { equal, halving };
enum class Precision { real64, real32 };

struct Options {
  Index rows = 50, cols = 0, rank = 5, count = 0;
  double radius = 50.0, largest = 1.0, noise = 1.0, errors = 0.0;
  Spectrum spectrum = Spectrum::equal;
  Precision precision = Precision::real64;
  Index seed = -1;
};

/// vec(X_i) ~ N(0, Sigma_x), Sigma_x = diag(L, 1, ..., 1): x_i = g, of independent N(0, 1), with its first
/// entry times sqrt(L). T* = U diag(s) V', U and V with orthonormal columns, uniform, sum s = radius. The s_k
/// are the same (equal) or in the ratios 1, 1/2, 1/4, ... (halving). y_i = <X_i, T*> + noise N(0, 1). The
/// data has vec(X_i) + w_i, w_i ~ N(0, errors I), columns of X_i one after the other. (Li, Qu, Xu, section
/// 4.)
///
/// Every row has its own stretch of the random streams, so it depends on the seed, its number and its length
/// alone.
class SyntheticMatrixRegression final : public Component, public Dataset {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        row("rows", &Options::rows, between(1, 1 << 20), "rows of T", "d"),
        row("cols", &Options::cols, between(0, 1 << 20), "columns of T; 0: as many"),
        row("rank", &Options::rank, at_least(1), "of T*", "r"),
        row("count", &Options::count, between(0, 1 << 24),
            "of observations; 0: 10 r d, d the larger side, as the paper has it", "n"),
        row("radius", &Options::radius, above(0), "sum of the singular values of T*", "rho"),
        row("spectrum", &Options::spectrum,
            one_of<Spectrum>({{Spectrum::equal, "equal"}, {Spectrum::halving, "halving"}}),
            "singular values of T*: all the same, or each half of the one before"),
        row("largest", &Options::largest, above(0),
            "variance of the first entry of X_i; that of the others is 1", "L"),
        row("noise", &Options::noise, at_least(0.0), "standard deviation of the noise of a response", "nu"),
        row("errors", &Options::errors, at_least(0.0),
            "variance of the errors with which the entries of X_i are "
            "seen; responses are those of X_i without",
            "gamma_w"),
        row("precision", &Options::precision,
            one_of<Precision>({{Precision::real64, "double"}, {Precision::real32, "float"}}),
            "of the stored rows"),
        row("seed", &Options::seed, at_least(-1), "seed of the data; -1: that of the run")};
    return table;
  }

  SyntheticMatrixRegression(const Options& o, const Context& context)
      : o_(o),
        cols_(o.cols == 0 ? o.rows : o.cols),
        seed_(o.seed < 0 ? context.seed : static_cast<std::uint64_t>(o.seed)) {
    require_possible();
    if (o_.count == 0) o_.count = 10 * o_.rank * std::max(o_.rows, cols_);
    const bool single = o.precision == Precision::real32;
    context.detail(memory_text(o_.count, entries(), single));
    make_truth();
    const ThreadScope scope(context.threads);
    if (single)
      make_design<float>();
    else
      make_design<double>();
  }

  std::shared_ptr<const Design> design() const override { return design_; }
  const Element* truth() const override { return &truth_; }
  void write(const std::filesystem::path& folder) const override {
    write_design(folder / "design.bin", *design_);
    write_matrix_market(folder / "truth.mtx", DenseTable{o_.rows, cols_, truth_.to_dense()});
  }

  void* ability(std::string_view id) noexcept override { return offer<Dataset>(this, id); }

 private:
  /// The purpose of a stream; each row has a stretch of it.
  enum Stream : std::uint32_t { kTruth, kRows, kErrors, kNoise };

  Index entries() const { return o_.rows * cols_; }

  void require_possible() const {
    constexpr Index kMost = std::numeric_limits<std::int32_t>::max();
    const std::string shape = Shape::matrix(o_.rows, cols_).text();
    if (o_.rank > std::min(o_.rows, cols_))
      throw Error(ErrorKind::usage, "rank",
                  std::to_string(o_.rank) + " is more than the smaller side of " + shape, "lower it");
    if (entries() > kMost)
      throw Error(ErrorKind::usage, "rows",
                  "T of " + shape + " has more than " + std::to_string(kMost) +
                      " entries, as many as a row of the design",
                  "lower rows or cols");
  }

  void make_truth() {
    RandomStream random = sdk::row_stream(seed_, kTruth, 0, 0);
    const std::vector<double> U = sdk::random_orthonormal(o_.rows, o_.rank, random),
                              V = sdk::random_orthonormal(cols_, o_.rank, random);
    const auto column = [](const std::vector<double>& of, Index rows, Index k) {
      return std::span(of).subspan(static_cast<std::size_t>(k * rows), static_cast<std::size_t>(rows));
    };
    truth_ = Element(Shape::matrix(o_.rows, cols_));
    for (Index k = 0; k < o_.rank; ++k)
      truth_.add(1.0, Element::rank_one(singular_value(k), column(U, o_.rows, k), column(V, cols_, k)));
    (void)truth_.dense_values();  // as it is in the file
  }

  double singular_value(Index k) const {
    const double r = static_cast<double>(o_.rank);
    return o_.radius * (o_.spectrum == Spectrum::equal
                            ? 1.0 / r
                            : std::exp2(-static_cast<double>(k)) / (2.0 - std::exp2(1.0 - r)));
  }

  template <class Real>
  void make_design() {
    auto design = std::make_shared<Design>();
    design->rows = o_.count;
    design->cols = entries();
    design->response.resize(static_cast<std::size_t>(o_.count));
    const std::vector<double> truth = truth_.to_dense();
    design->entries = sdk::made_rows<Real>(o_.count, entries(), [&](Index i, std::span<double> x) {
      sdk::row_stream(seed_, kRows, i, entries()).fill_normal(x);
      x.front() *= std::sqrt(o_.largest);
      design->response[static_cast<std::size_t>(i)] = response(i, x, truth);
      if (o_.errors > 0.0) sdk::add_errors(sdk::row_stream(seed_, kErrors, i, entries()), o_.errors, x);
    });
    design_ = std::move(design);
  }

  double response(Index i, std::span<const double> x, std::span<const double> truth) const {
    const double product = sdk::interleaved_product(x, truth);
    return o_.noise > 0.0 ? product + o_.noise * sdk::row_stream(seed_, kNoise, i, 2).normal() : product;
  }

  Options o_;
  Index cols_;
  std::uint64_t seed_;
  Element truth_;
  std::shared_ptr<const Design> design_;
};

}  // namespace

CLAROS_PLUGIN(SyntheticMatrixRegression, Kind::data, "synthetic-matrix-regression", "", "1.0.0",
              "Gaussian observations of a random low-rank matrix, one entry of large variance",
              "y_i = <X_i, T*> + noise, vec(X_i) ~ N(0, diag(L, 1, ..., 1)), seen with errors N(0, gamma_w "
              "I) if there are any; T* of rank r and nuclear norm rho. "
              "linear-model's variable takes its shape from it. Knows the truth T* (column rmse_truth). As "
              "files: design.bin (vec(X_i) and y), truth.mtx.",
              "Li, Qu, Xu: Projection-free algorithms in statistical estimation, section 4",
              "Use it with linear-model, to estimate a matrix of low rank from rows that are "
              "badly scaled (data.largest) or seen with errors (data.errors). Every observation "
              "holds a number for each entry of the matrix, in memory. For measurements that "
              "store vectors alone take synthetic-sensing.",
              "data.use=synthetic-matrix-regression data.rows=20 data.rank=2 objective.use=linear-model "
              "set.use=nuclear-ball set.radius=50 stop.relative_gap=1e-6")

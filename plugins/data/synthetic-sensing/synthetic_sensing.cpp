// SPDX-License-Identifier: BSD-3-Clause
#include <claros/dataset.hpp>
#include <claros/element/parallel.hpp>
#include <claros/io/design_io.hpp>
#include <claros/io/matrix_market.hpp>
#include <claros/map/measurements.hpp>
#include <claros/plugin.hpp>
#include <shared/sets/orthonormal.hpp>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

namespace {

using namespace claros;
using Measured = Measurements::Kind;

enum class Form { gaussian, rank_one, symmetric };
enum class Truth { psd, symmetric, general };

struct Options {
  Index rows = 50, cols = 0, rank = 1, count = 1000;
  double radius = 1.0, noise = 0.0;
  Form measurements = Form::symmetric;
  Truth truth = Truth::psd;
  Index seed = -1;
};

/// X* = (tau/r) U diag(e) V', of nuclear norm tau; U and V have orthonormal columns, uniform. psd: V = U and
/// e = 1. symmetric: V = U and e alternates between 1 and -1. general: V apart and e = 1. y_i = <A_i, X*> +
/// noise N(0, 1). A_i has independent N(0, 1) entries (gaussian), or is a_i b_i' (rank-one) or a_i a_i'
/// (symmetric) with such a_i and b_i.
///
/// Every row has its own stretch of the random streams, so it depends on the seed, its number and its length
/// alone.
class SyntheticSensing final : public Component, public Dataset {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        row("rows", &Options::rows, between(1, 1 << 20), "rows of X", "m"),
        row("cols", &Options::cols, between(0, 1 << 20), "columns of X; 0: as many", "p"),
        row("rank", &Options::rank, at_least(1), "of X*", "r"),
        row("count", &Options::count, between(0, 1 << 24),
            "of measurements; 0: X* alone, which an objective draws measurements of (matrix-sensing, draws)",
            "n"),
        row("radius", &Options::radius, above(0),
            "sum of the singular values of X*, which are equal; of a psd X* its trace", "tau"),
        row("noise", &Options::noise, at_least(0.0), "standard deviation of the noise of a response"),
        row("measurements", &Options::measurements,
            one_of<Form>(
                {{Form::gaussian, "gaussian"}, {Form::rank_one, "rank-one"}, {Form::symmetric, "symmetric"}}),
            "<A_i, X>, a_i' X b_i, or a_i' X a_i"),
        row("truth", &Options::truth,
            one_of<Truth>(
                {{Truth::psd, "psd"}, {Truth::symmetric, "symmetric"}, {Truth::general, "general"}}),
            "X*: positive semidefinite, with eigenvalues of either sign, or neither"),
        row("seed", &Options::seed, at_least(-1), "seed of the data; -1: that of the run")};
    return table;
  }

  SyntheticSensing(const Options& o, const Context& context)
      : o_(o),
        cols_(o.cols == 0 ? o.rows : o.cols),
        seed_(o.seed < 0 ? context.seed : static_cast<std::uint64_t>(o.seed)) {
    require_possible();
    make_truth();
    if (o.count == 0) return;
    const ThreadScope scope(context.threads);
    const Index length = o.measurements == Form::gaussian ? o.rows * cols_ : o.rows;
    context.detail(memory_text(o.count, length + (o.measurements == Form::rank_one ? cols_ : 0), false));
    auto left = make_rows(kLeft, length);
    auto right = o.measurements == Form::rank_one ? make_rows(kRight, cols_) : nullptr;
    make_responses(*left, right.get());
    const Measured kind = o.measurements == Form::gaussian ? Measured::dense
                          : right                          ? Measured::rank_one
                                                           : Measured::symmetric;
    measurements_ = std::make_shared<const Measurements>(
        Measurements{kind, o.rows, cols_, std::move(left), std::move(right)});
  }

  std::shared_ptr<const Measurements> measurements() const override { return measurements_; }
  const Element* truth() const override { return &truth_; }
  void write(const std::filesystem::path& folder) const override {
    if (measurements_) write_design(folder / "measurements.bin", *measurements_->left);
    if (measurements_ && measurements_->right)
      write_matrix_market(folder / "right.mtx", table_of(*measurements_->right));
    write_matrix_market(folder / "truth.mtx", DenseTable{o_.rows, cols_, truth_.to_dense()});
  }

  void* ability(std::string_view id) noexcept override { return offer<Dataset>(this, id); }

 private:
  static constexpr Index kLargest = Index{1} << 31;
  /// The purpose of a stream; each row has a stretch of it.
  enum Stream : std::uint32_t { kTruth, kLeft, kRight, kNoise };

  [[noreturn]] static void refuse(const std::string& key, const std::string& what,
                                  const std::string& remedy) {
    throw Error(ErrorKind::usage, key, what, remedy);
  }
  void require_possible() const {
    const std::string shape = Shape::matrix(o_.rows, cols_).text();
    if (o_.rank > std::min(o_.rows, cols_))
      refuse("rank", std::to_string(o_.rank) + " is more than the smaller side of " + shape, "lower it");
    if (o_.rows != cols_ && o_.measurements == Form::symmetric)
      refuse("cols", "X is " + shape + ", and of measurements a_i' X a_i it is square",
             "leave it out, or set measurements = rank-one");
    if (o_.rows != cols_ && o_.truth != Truth::general)
      refuse("truth",
             std::string("is ") + (o_.truth == Truth::psd ? "psd" : "symmetric") + ", and X is " + shape,
             "set truth = general, or leave cols out");
    if (o_.count == 0 && o_.noise > 0.0)
      refuse("noise", "is of measurements, and count = 0 makes none",
             "give it to what draws them (objective.noise)");
    const Index length = o_.measurements == Form::gaussian ? o_.rows * cols_ : o_.rows + cols_;
    if (o_.count > kLargest / length || o_.rows * cols_ > kLargest)
      refuse("count",
             std::to_string(o_.count) + " measurements of " + std::to_string(length) +
                 " numbers are more than " + std::to_string(kLargest),
             "lower count or rows");
  }

  RandomStream stream(Stream stream, Index row, Index length) const {
    RandomStream result(seed_, Purpose::data, stream);
    result.seek(static_cast<std::uint64_t>(row) *
                static_cast<std::uint64_t>(length + length % 2));  // fill_normal takes numbers in pairs
    return result;
  }

  void make_truth() {
    RandomStream random = stream(kTruth, 0, 0);
    const std::vector<double> U = sdk::random_orthonormal(o_.rows, o_.rank, random);
    const std::vector<double> V =
        o_.truth == Truth::general ? sdk::random_orthonormal(cols_, o_.rank, random) : U;
    truth_ = Element(Shape::matrix(o_.rows, cols_));
    for (Index k = 0; k < o_.rank; ++k) {
      const double sign = o_.truth == Truth::symmetric && k % 2 == 1 ? -1.0 : 1.0;
      truth_.add(
          1.0,
          Element::rank_one(
              sign * o_.radius / static_cast<double>(o_.rank),
              std::span(U).subspan(static_cast<std::size_t>(k * o_.rows), static_cast<std::size_t>(o_.rows)),
              std::span(V).subspan(static_cast<std::size_t>(k * cols_), static_cast<std::size_t>(cols_))));
    }
    (void)truth_.dense_values();  // as it is in the file
  }

  std::shared_ptr<Design> make_rows(Stream side, Index length) const {
    constexpr Index kGrain = 16;
    auto design = std::make_shared<Design>();
    design->rows = o_.count;
    design->cols = length;
    std::vector<double> values(static_cast<std::size_t>(o_.count * length));
    for_chunks(o_.count, kGrain, [&](Index, Index first, Index last) {
      for (Index i = first; i < last; ++i) stream(side, i, length).fill_normal(row_of(values, i, length));
    });
    design->entries = DenseRows<double>{std::move(values)};
    return design;
  }
  static std::span<double> row_of(std::vector<double>& values, Index i, Index length) {
    return std::span(values).subspan(static_cast<std::size_t>(i * length), static_cast<std::size_t>(length));
  }

  /// <A_i, X*>, by plain loops: no BLAS, whose bits depend on the machine.
  void make_responses(Design& left, const Design* right) const {
    constexpr Index kGrain = 16;
    const std::vector<double> truth = truth_.to_dense();
    left.response.resize(static_cast<std::size_t>(o_.count));
    for_chunks(o_.count, kGrain, [&](Index, Index first, Index last) {
      std::vector<double> a(static_cast<std::size_t>(left.cols)), b(static_cast<std::size_t>(cols_));
      for (Index i = first; i < last; ++i) {
        left.row(i, a);
        if (right) right->row(i, b);
        double& y = left.response[static_cast<std::size_t>(i)];
        y = o_.measurements == Form::gaussian ? std::inner_product(a.begin(), a.end(), truth.begin(), 0.0)
                                              : form(a, truth, right ? b : a);
        if (o_.noise > 0.0) y += o_.noise * stream(kNoise, i, 2).normal();
      }
    });
  }
  /// a' X b
  static double form(const std::vector<double>& a, const std::vector<double>& x,
                     const std::vector<double>& b) {
    double sum = 0.0;
    for (std::size_t j = 0; j < b.size(); ++j)
      sum += b[j] * std::inner_product(a.begin(), a.end(),
                                       x.begin() + static_cast<std::ptrdiff_t>(j * a.size()), 0.0);
    return sum;
  }

  static DenseTable table_of(const Design& design) {
    DenseTable table{design.rows, design.cols,
                     std::vector<double>(static_cast<std::size_t>(design.rows * design.cols))};
    std::vector<double> row(static_cast<std::size_t>(design.cols));
    for (Index i = 0; i < design.rows; ++i) {
      design.row(i, row);
      for (Index j = 0; j < design.cols; ++j)
        table.values[static_cast<std::size_t>(j * design.rows + i)] = row[static_cast<std::size_t>(j)];
    }
    return table;
  }

  Options o_;
  Index cols_;
  std::uint64_t seed_;
  Element truth_;
  std::shared_ptr<const Measurements> measurements_;
};

}  // namespace

CLAROS_PLUGIN(
    SyntheticSensing, Kind::data, "synthetic-sensing", "", "1.0.0",
    "Gaussian measurements of a random low-rank matrix, y_i = <A_i, X*> + noise",
    "y_i = <A_i, X*> + noise, A_i Gaussian, a_i b_i' or a_i a_i' with Gaussian vectors; X* = (tau/r) U "
    "diag(e) V' with random orthonormal U "
    "and V, positive semidefinite by default. Knows the truth X* (column rmse_truth). As files: "
    "measurements.bin (vec(A_i) or "
    "a_i, and y), right.mtx (b_i), truth.mtx.",
    "Candes, Strohmer, Voroninski: PhaseLift, Communications on Pure and Applied Mathematics 66 (2013)",
    "Use it with matrix-sensing, to recover a matrix of low rank from random measurements; the symmetric "
    "ones are phase retrieval. Rank-one and symmetric measurements store vectors alone, Gaussian ones a "
    "matrix each. For rows that are seen with errors, or badly scaled, take synthetic-matrix-regression.",
    "data.use=synthetic-sensing data.rows=30 objective.use=matrix-sensing "
    "set.use=psd-trace set.radius=1 stop.gap=1e-3")

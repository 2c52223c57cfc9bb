// SPDX-License-Identifier: BSD-3-Clause
#include <claros/dataset.hpp>
#include <claros/io/matrix_market.hpp>
#include <claros/io/ratings.hpp>
#include <claros/plugin.hpp>
#include <shared/sets/orthonormal.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

namespace {

using namespace claros;

struct Options {
  Index rows = 200, cols = 200, rank = 5;
  double largest = 50.0, decay = 0.5, observed = 0.1, corrupted = 0.05, noise = 10.0;
  Index seed = -1;
};

/// M = U diag(s) V' with U, V uniform on the matrices with orthonormal columns and s_k = largest *
/// decay^(k-1). A share `corrupted` of the entries, drawn without repetition, gets noise uniform on [-rho,
/// rho]. A share `observed`, drawn likewise, is seen. (Shen et al. 2019, section 6: 200 x 200, s = 50 *
/// 2^{1..gamma} / 2^gamma, 5%, 10%.)
class Synthetic final : public Component, public Dataset {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        row("rows", &Options::rows, between(1, 1 << 20), "rows of M", "M"),
        row("cols", &Options::cols, between(1, 1 << 20), "columns of M", "N"),
        row("rank", &Options::rank, at_least(1), "rank of M", "gamma"),
        row("largest", &Options::largest, above(0), "largest singular value of M"),
        row("decay", &Options::decay, above_to(0, 1),
            "every further singular value divided by the one before"),
        row("observed", &Options::observed, above_to(0, 1), "share of the entries that is observed"),
        row("corrupted", &Options::corrupted, between(0.0, 1.0), "share of the entries that gets noise"),
        row("noise", &Options::noise, at_least(0.0), "the noise is uniform between plus and minus this",
            "rho"),
        row("seed", &Options::seed, at_least(-1), "seed of the data; -1: that of the run")};
    return table;
  }

  Synthetic(const Options& o, const Context& context) {
    if (o.rows * o.cols > kLargest)
      throw Error(ErrorKind::usage, "rows",
                  Shape::matrix(o.rows, o.cols).text() + " has more than " + std::to_string(kLargest) +
                      " entries, all of which are made",
                  "lower rows or cols");
    if (o.rank > std::min(o.rows, o.cols))
      throw Error(ErrorKind::usage, "rank",
                  std::to_string(o.rank) + " is more than the smaller side of " +
                      Shape::matrix(o.rows, o.cols).text(),
                  "lower it");
    RandomStream stream = o.seed < 0 ? context.stream(Purpose::data)
                                     : RandomStream(static_cast<std::uint64_t>(o.seed), Purpose::data);
    make_truth(o, stream);
    std::vector<double> values = truth_.to_dense();
    const Index size = o.rows * o.cols;
    for (const Index e : sample(share(o.corrupted, size), size, stream))
      values[static_cast<std::size_t>(e)] += o.noise * (2.0 * stream.uniform() - 1.0);
    observe(sample(std::max<Index>(1, share(o.observed, size)), size, stream), values, o);
  }

  std::shared_ptr<const Ratings> ratings() const override { return ratings_; }
  const Element* truth() const override { return &truth_; }
  void write(const std::filesystem::path& folder) const override {
    write_matrix_market(folder / "observed.mtx",
                        *ratings_);  // knows its size, however few entries are observed
    write_matrix_market(folder / "truth.mtx",
                        DenseTable{truth_.shape().rows, truth_.shape().cols, truth_.to_dense()});
  }

  void* ability(std::string_view id) noexcept override { return offer<Dataset>(this, id); }

 private:
  static constexpr Index kLargest = Index{1} << 28;  // a few arrays of 2 GiB

  static Index share(double fraction, Index size) {
    return static_cast<Index>(std::llround(fraction * static_cast<double>(size)));
  }

  /// `count` of 0..size-1, each at most once, ascending.
  static std::vector<Index> sample(Index count, Index size, RandomStream& stream) {
    std::vector<Index> all(static_cast<std::size_t>(size));
    std::iota(all.begin(), all.end(), Index{0});
    for (Index k = 0; k < count; ++k)
      std::swap(all[static_cast<std::size_t>(k)], all[static_cast<std::size_t>(k + stream.index(size - k))]);
    all.resize(static_cast<std::size_t>(count));
    std::sort(all.begin(), all.end());
    return all;
  }

  void make_truth(const Options& o, RandomStream& stream) {
    const std::vector<double> U = sdk::random_orthonormal(o.rows, o.rank, stream),
                              V = sdk::random_orthonormal(o.cols, o.rank, stream);
    truth_ = Element(Shape::matrix(o.rows, o.cols));
    double s = o.largest;
    for (Index k = 0; k < o.rank; ++k, s *= o.decay) {
      const std::span<const double> u(U.data() + k * o.rows, static_cast<std::size_t>(o.rows));
      const std::span<const double> v(V.data() + k * o.cols, static_cast<std::size_t>(o.cols));
      truth_.add(1.0, Element::rank_one(s, u, v));
    }
    (void)truth_.dense_values();  // as it is in the file
  }

  /// Entries counted by columns, as `values` are.
  void observe(const std::vector<Index>& entries, const std::vector<double>& values, const Options& o) {
    std::vector<Index> by_rows = entries;
    const auto key = [&](Index e) { return std::pair(e % o.rows, e / o.rows); };
    std::sort(by_rows.begin(), by_rows.end(), [&](Index a, Index b) { return key(a) < key(b); });
    Ratings ratings{o.rows, o.cols, {}, {}, {}, {}, {}};
    for (const Index e : by_rows) {
      ratings.row.push_back(static_cast<std::int32_t>(e % o.rows));
      ratings.col.push_back(static_cast<std::int32_t>(e / o.rows));
      ratings.value.push_back(values[static_cast<std::size_t>(e)]);
    }
    ratings_ = std::make_shared<const Ratings>(std::move(ratings));
  }

  Element truth_;
  std::shared_ptr<const Ratings> ratings_;
};

}  // namespace

CLAROS_PLUGIN(
    Synthetic, Kind::data, "synthetic", "synthetic-matrix", "1.0.0",
    "Observed entries of a random low-rank matrix, some of them corrupted",
    "M = U diag(s) V' with orthonormal U and V, s falling geometrically; some of all entries get uniform "
    "noise, some of "
    "all entries are observed. Knows the truth M (columns rmse_truth). As files: observed.mtx, truth.mtx.",
    "Shen, Fang, Zhao, Huang, Qian: Complexities in projection-free stochastic non-convex minimization, "
    "AISTATS 2019, section 6",
    "Use it to try matrix completion, also with robust losses, or superposition where the truth is known: "
    "rmse_truth in the trace is the error. All entries of the matrix are made, so it must fit in memory. "
    "For linear measurements of a matrix take synthetic-sensing.",
    "data.use=synthetic objective.use=matrix-completion "
    "set.use=nuclear-ball set.radius=50 stop.relative_gap=1e-4")

// SPDX-License-Identifier: BSD-3-Clause
#include "cheapest_plan.hpp"

#include <claros/plugin.hpp>
#include <claros/sdk/array_set.hpp>
#include <shared/sets/network_projection.hpp>
#include <shared/sets/number_rows.hpp>
#include <shared/sets/support_face.hpp>

namespace {

using namespace claros;

struct Options {
  std::string rows, columns;
};

/// C = {X >= 0 : X 1 = a, X'1 = b}, the plans that carry a to b (Hitchcock 1941). The minimiser of <C, X> is
/// a cheapest plan (cheapest_plan.hpp), whose potentials prove it. The projection is that onto the flows from
/// rows to columns (network_projection.hpp). For X and Y in C, ||X - Y||^2 <= ||X||^2 + ||Y||^2, and ||X||^2
/// <= sum a_i^2, sum b_j^2. So D <= sqrt(2 min(sum a_i^2, sum b_j^2)). Starts at a b' / sum a.
class Transport final : public sdk::IteratedSet, public Faces {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        row("rows", &Options::rows,
            required(any(), "the amount in each row, written out or in a file: `2 1 3 1`"),
            "the sums of the rows, at least 0", "a"),
        row("columns", &Options::columns,
            required(any(), "the amount in each column, with the same sum: `1.5 0.5 4 1`"),
            "the sums of the columns, at least 0", "b")};
    return table;
  }

  Transport(const Options& o, const Context& context)
      : a_(sdk::number_list(o.rows, "rows", context)), b_(sdk::number_list(o.columns, "columns", context)) {
    require_amounts();
    total_ = sum(a_);
    const double factor = total_ / sum(b_);
    for (double& amount : b_) amount *= factor;
    largest_ = std::max(sdk::largest_magnitude(a_), sdk::largest_magnitude(b_));
  }

  double diameter(const Shape& shape) override {
    fit(shape);
    return std::sqrt(2.0) * std::min(sdk::euclidean_norm(a_), sdk::euclidean_norm(b_));
  }
  Element start_point(const Shape& shape) override {
    fit(shape);
    std::vector<double> x;
    x.reserve(a_.size() * b_.size());
    for (const double column : b_)
      for (const double amount : a_) x.push_back(amount * (column / total_));
    return Element::dense(shape, std::move(x));
  }
  bool is_expensive() const override { return true; }

  FaceInfo away(const Element& g, const Element& x, const OracleRequest&, Element& vertex) override {
    fit(x.shape());
    return sdk::away_in_support(
        g, x, {0.0, sdk::kInfinity}, largest_, [this](auto c, auto v) { corner(c, v); }, vertex);
  }
  void* ability(std::string_view id) noexcept override {
    void* own = offer<Faces>(this, id);
    return own ? own : IteratedSet::ability(id);
  }

 private:
  static double sum(std::span<const double> amounts) {
    return sdk::sum_entries(amounts, [](double value) { return value; });
  }
  /// Names everything that is wrong with the amounts at once.
  void require_amounts() const {
    constexpr double kSame = 1e-9;
    std::string wrong, where;
    const auto note = [&](const char* key, const std::string& what) {
      if (where.empty()) where = key;
      wrong += (wrong.empty() ? "" : "; ") + what;
    };
    for (const auto& [key, amounts] : {std::pair("rows", &a_), std::pair("columns", &b_)}) {
      if (amounts->empty()) note(key, std::string(key) + " holds no number");
      for (std::size_t k = 0; k < amounts->size(); ++k)
        if (!((*amounts)[k] >= 0.0 && std::isfinite((*amounts)[k])))
          note(key, "number " + std::to_string(k + 1) + " of " + key + " is " + print_real((*amounts)[k]));
    }
    const double rows = sum(a_), columns = sum(b_);
    if (!(std::abs(rows - columns) <= kSame * std::max(rows, columns)))
      note("columns", "the rows sum to " + print_real(rows) + " and the columns to " + print_real(columns));
    else if (!(rows > 0.0))
      note("rows", "nothing is carried: all amounts are 0");
    if (!wrong.empty())
      throw Error(ErrorKind::usage, where, "expected amounts of at least 0 with one sum, found: " + wrong,
                  "give as much to the columns as the rows have; a row or column of cost 0 takes a rest");
  }

  void fit(const Shape& shape) override {
    if (shape.is_product() || shape.rows != static_cast<Index>(a_.size()) ||
        shape.cols != static_cast<Index>(b_.size()))
      throw Error(ErrorKind::usage, "rows",
                  "expected a variable of " + std::to_string(a_.size()) + " x " + std::to_string(b_.size()) +
                      " for so many sums of rows and of columns, found " + shape.text(),
                  "give one sum for each row, and one for each column");
  }
  void corner(std::span<const double> c, std::span<double> x) override {
    constexpr double kLarge = 1e290;  // differences of larger numbers may overflow
    scale_ = 1.0;
    if (sdk::largest_magnitude(c) > kLarge) {
      scaled_.assign(c.begin(), c.end());
      for (double& cost : scaled_) cost *= 0x1p-100;
      scale_ = 0x1p100;
      c = scaled_;
    }
    plan_(c, a_, b_, x);
  }
  double bound(std::span<const double>, std::span<const double>, double) override {
    return plan_.bound(a_, b_) * scale_;
  }
  Certificate approach(std::span<const double> v, const Accuracy& accuracy, std::span<double> x) override {
    if (!flows_.started()) {
      std::vector<sdk::NetworkProjection::Arc> arcs;
      std::vector<double> supply(a_);
      for (const double amount : b_) supply.push_back(-amount);
      for (std::size_t j = 0; j < b_.size(); ++j)
        for (std::size_t i = 0; i < a_.size(); ++i)
          arcs.push_back({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(a_.size() + j)});
      flows_.start(std::move(arcs), std::move(supply), sdk::kInfinity);
    }
    return within(flows_(v, x), accuracy, x);
  }
  /// The largest violation, of a sum or of a negative entry, over the largest amount.
  double outside(std::span<const double> x) override {
    std::vector<double> left(a_);
    double worst = 0.0;
    for (std::size_t j = 0; j < b_.size(); ++j) {
      double column = 0.0;
      for (std::size_t i = 0; i < a_.size(); ++i) {
        const double entry = x[j * a_.size() + i];
        column += entry;
        left[i] -= entry;
        worst = std::max(worst, -entry);
      }
      worst = std::max(worst, std::abs(column - b_[j]));
    }
    return std::max(worst, sdk::largest_magnitude(left)) / largest_;
  }

  std::vector<double> a_, b_, scaled_;
  double total_ = 0.0, largest_ = 0.0, scale_ = 1.0;
  transport::CheapestPlan plan_;
  sdk::NetworkProjection flows_;
};

}  // namespace

CLAROS_PLUGIN(
    Transport, Kind::set, "transport", "", "1.0.0", "Transport polytope: X >= 0, X 1 = a, X' 1 = b",
    "C = {X >= 0 : the rows sum to a, the columns to b}. The linear oracle is a transport plan of least "
    "cost, by successive shortest paths; its potentials prove the bound. The projection is Newton's method "
    "on its dual, which ends at the exact piece. Diameter at most sqrt(2 min(sum a_i^2, sum b_j^2)).",
    "Hitchcock: The distribution of a product from several sources to numerous localities, Journal of "
    "Mathematics and Physics 20, 1941; Li, Sun, Toh: On the efficient computation of a generalized Jacobian "
    "of the projector over the Birkhoff polytope, Mathematical Programming 179, 2020 (projection)",
    "Use it for plans between given amounts: optimal transport, with a linear objective, or tables near "
    "given numbers with given sums of rows and columns, with distance. X is a dense matrix. A projection "
    "takes as long as several linear minimisations, so Claros chooses a Frank-Wolfe method. "
    "For amounts of 1 take birkhoff.",
    "objective.use=linear objective.data='4 1 3; 2 0 5' set.use=transport set.rows='3 2' "
    "set.columns='1 2 2' stop.relative_gap=1e-9")

// SPDX-License-Identifier: BSD-3-Clause
#include <claros/plugin.hpp>
#include <claros/sdk/held_data.hpp>

#include <cmath>
#include <vector>

namespace {

using namespace claros;

struct Options {
  Index rows = 200;
  Index cols = 50;
  double correlation = 0.8;
  double noise = 0.1;
};

/// Every row is a walk along its columns, a_i1 = z_i1 and a_ij = rho a_i,j-1 + sqrt(1 - rho^2) z_ij with z of
/// N(0, 1), so that columns j and k correlate by rho^|j-k|. y_i = <a_i, x*> + noise; x* is 1 in every tenth
/// column, else 0.
class Autoregressive final : public sdk::HeldData {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        row("rows", &Options::rows, between(1, 1 << 20), "rows of the design", "n"),
        row("cols", &Options::cols, between(1, 1 << 20), "columns of the design", "p"),
        row("correlation", &Options::correlation, between(-0.99, 0.99), "of neighbouring columns", "rho"),
        row("noise", &Options::noise, at_least(0), "standard deviation of the noise")};
    return table;
  }

  Autoregressive(const Options& o, const Context& context) {
    RandomStream random = context.stream(Purpose::data);
    const auto cols = static_cast<std::size_t>(o.cols);
    std::vector<double> a(static_cast<std::size_t>(o.rows) * cols), y, truth(cols, 0.0);
    for (std::size_t j = 0; j < cols; j += 10) truth[j] = 1.0;
    random.fill_normal(a);
    for (std::size_t from = 0; from < a.size(); from += cols) {
      double response = o.noise * random.normal();
      for (std::size_t j = 0; j < cols; ++j) {
        if (j > 0)
          a[from + j] =
              o.correlation * a[from + j - 1] + std::sqrt(1.0 - o.correlation * o.correlation) * a[from + j];
        response += a[from + j] * truth[j];
      }
      y.push_back(response);
    }
    hold(data_from_rows(a, o.rows, o.cols, y), Element::dense(Shape::vector(o.cols), std::move(truth)));
  }
};

}  // namespace

CLAROS_PLUGIN(
    Autoregressive, Kind::data, "autoregressive", "", "1.0.0",
    "Gaussian rows whose columns correlate with their neighbours",
    "Columns j and k have the correlation rho^|j-k|; y = <a, x*> + noise with a sparse x* that is known. As "
    "files: design.bin, truth.mtx.",
    "Tibshirani: Regression shrinkage and selection via the lasso, 1996, section 7.2")

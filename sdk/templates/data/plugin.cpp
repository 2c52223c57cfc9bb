// SPDX-License-Identifier: BSD-3-Clause
#include <claros/plugin.hpp>
#include <claros/sdk/held_data.hpp>

#include <vector>

namespace {

using namespace claros;

struct Options {
  Index rows = 100;
  Index cols = 10;
  double noise = 0.1;
};

/// y_i = <a_i, x*> + noise z_i with a_ij and z_i of N(0, 1), and x* = (1, ..., 1). The same seed, the same
/// data.
class MyData final : public sdk::HeldData {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        row("rows", &Options::rows, between(1, 1 << 24), "rows of the design", "n"),
        row("cols", &Options::cols, between(1, 1 << 24), "columns of the design", "p"),
        row("noise", &Options::noise, at_least(0), "standard deviation of the noise")};
    return table;
  }

  // MATHEMATICS: rows with responses (data_from_rows, data_from_compressed_rows) or entries of a matrix
  // (data_from_triplets), and the point behind them where there is one.
  MyData(const Options& options, const Context& context) {
    RandomStream random = context.stream(Purpose::data);
    std::vector<double> a(static_cast<std::size_t>(options.rows * options.cols)),
        y(static_cast<std::size_t>(options.rows), 0.0);
    random.fill_normal(a);
    for (std::size_t k = 0; k < a.size(); ++k) y[k / static_cast<std::size_t>(options.cols)] += a[k];
    for (double& response : y) response += options.noise * random.normal();
    std::vector<double> truth(static_cast<std::size_t>(options.cols), 1.0);
    hold(data_from_rows(a, options.rows, options.cols, y),
         Element::dense(Shape::vector(options.cols), std::move(truth)));
  }
};

}  // namespace

CLAROS_PLUGIN(MyData, .kind = Kind::data, .name = "@name@", .version = "0.1.0",
              .summary = "Gaussian rows, and responses of a known point",
              .description =
                  "y = A x* + noise. What claros describe shows: how the data is made, and what is known "
                  "of it.",
              .citation = "Author, Title, Year: where the data comes from",
              .guidance = "When to use it, and when not")

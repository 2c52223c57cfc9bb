// SPDX-License-Identifier: BSD-3-Clause
#include "root_mean_square.hpp"

#include <claros/dataset.hpp>
#include <claros/element/parallel.hpp>
#include <claros/io/design_io.hpp>
#include <claros/io/linear_training.hpp>
#include <claros/map/design_map.hpp>
#include <claros/map/row_weights.hpp>
#include <claros/plugin.hpp>
#include <claros/sdk/function_of_image.hpp>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace claros;

struct Options {
  std::string data;
  double sigma = 0.01;
  DesignOptions design;
};

/// f(x) = phi(A x), phi the root mean square of A x + o - y (RootMeanSquare). With a penalty lambda psi the
/// solution is that of the squared loss with lambda sigma, sigma the root mean square of its residuals: the
/// lambda of a statistical theory does not depend on the unknown noise (Belloni, Chernozhukov, Wang 2011).
class SquareRoot final : public sdk::FunctionOfImage, public LinearPredictor {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        {row("data", &Options::data, any(),
             "file of rows and responses; empty: the data of the [data] section", "A, y"),
         row("sigma", &Options::sigma, above(0),
             "sigma_0 relative to the root mean square of y: f is smooth where residuals are below it",
             "sigma_0")},
        {include(&Options::design, design_rows())}};
    return table;
  }

  SquareRoot(const Options& o, const Context& context) : threads_(context.threads) {
    const auto design = rows_of(o, context);
    const std::string where = o.data.empty() ? "[data]" : context.resolve(o.data).string();
    if (!design->labels.empty())
      throw Error(
          ErrorKind::data, where, "expected numbers as responses, found the class " + design->labels.front(),
          "check which column is the response, or take objective.use = linear-model with a loss of classes");
    const ThreadScope scope(threads_);
    weights_ =
        weights_of_mean(numbers(o.design.weights, o, *design, design->weights, "weights", context), where);
    offsets_ = numbers(o.design.offset, o, *design, design->offset, "offsets", context);
    std::vector<double> y = design->response;
    for (std::size_t i = 0; i < offsets_.size(); ++i) y[i] -= offsets_[i];
    training_ = {.features = design->cols,
                 .shape = Shape::vector(design->cols),
                 .columns = design->column_names,
                 .response = design->response_name,
                 .classes = {},
                 .positive = {},
                 .encoding = design->encoding,
                 .offset = !offsets_.empty()};
    const double size =
        square_root::RootMeanSquare(y, weights_, 1.0).spread(std::vector<double>(y.size(), 0.0));
    if (!(size > 0.0))
      throw Error(ErrorKind::data, where,
                  "expected a response that is not 0, found none: x = 0 has no residual",
                  "check which column is the response");
    set_function(std::make_shared<DesignMap>(design, Shape::vector(design->cols)),
                 std::make_shared<square_root::RootMeanSquare>(std::move(y), weights_, o.sigma * size));
  }

  Constants constants() const override {
    const ThreadScope scope(threads_);
    return FunctionOfImage::constants();
  }
  const LinearTraining& linear_training() const override { return training_; }
  std::span<const double> row_weights() const override { return weights_; }
  std::span<const double> row_offsets() const override { return offsets_; }
  void* ability(std::string_view id) noexcept override {
    if (void* mine = offer<LinearPredictor>(this, id)) return mine;
    return FunctionOfImage::ability(id);
  }

 private:
  static std::shared_ptr<const Design> rows_of(const Options& o, const Context& context) {
    if (!o.data.empty())
      return std::make_shared<Design>(read_design(context.resolve(o.data), o.design, context));
    auto design = context.data ? context.data->design() : nullptr;
    if (design) return design;
    throw Error(ErrorKind::usage, "data",
                "expected rows and responses, found " +
                    std::string(context.data ? "data in [data] without them" : "none"),
                "give objective.data = FILE, or a [data] section that makes a design");
  }
  /// What read_row_numbers says of one option, or what the design has.
  static std::vector<double> numbers(const std::string& file, const Options& o, const Design& design,
                                     const std::vector<double>& of_design, const char* what,
                                     const Context& context) {
    const bool given = o.data.empty() && !file.empty();  // else read_design has read it
    return given ? read_row_numbers(context.resolve(file), design.rows, what, context) : of_design;
  }

  int threads_;
  LinearTraining training_;
  std::vector<double> weights_, offsets_;
};

}  // namespace

CLAROS_PLUGIN(SquareRoot, Kind::objective, "square-root", "concomitant", "1.0.0",
              "Root mean square of residuals, ||A x - y|| / sqrt(n), smoothed below sigma_0",
              "f(x) = min over sigma >= sigma_0 of ||A x - y||^2 / (2 n sigma) + sigma / 2: ||A x - y|| / "
              "sqrt(n) where that is at least sigma_0. With the penalty l1 it is the square-root (scaled, "
              "concomitant) lasso, whose lambda does not depend on the noise. Without an intercept: take the "
              "means off first. Convex, with duality gaps.",
              "Belloni, Chernozhukov, Wang: Square-root lasso: pivotal recovery of sparse signals via conic "
              "programming, Biometrika 98, 2011; Ndiaye, Fercoq, Gramfort, Leclere, Salmon: Efficient "
              "smoothed concomitant lasso estimation for high dimensional regression, J. Phys. Conf. Ser. "
              "904, 2017")

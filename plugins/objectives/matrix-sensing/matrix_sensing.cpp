// SPDX-License-Identifier: BSD-3-Clause
#include "drawn_sensing.hpp"
#include "sensing_sum.hpp"

#include <claros/error.hpp>
#include <claros/plugin.hpp>

#include <limits>
#include <memory>
#include <string>
#include <utility>

namespace {

using namespace claros;

void require_accepted(const Design& left, const Loss& loss, const std::string& where) {
  if (!left.labels.empty())
    throw Error(ErrorKind::data, where, "the responses are names (" + left.labels.front() + ", ...)",
                "give numbers, or another response");
  for (std::size_t i = 0; i < left.response.size(); ++i)
    if (!loss.accepts(left.response[i]))
      throw Error(ErrorKind::data, where,
                  "response " + std::to_string(i + 1) + " is " + print_real(left.response[i]) +
                      "; the loss needs " + loss.targets(),
                  "change the responses, or take another loss");
}

/// f(X) = (1/n) sum_i psi(<A_i, X>, y_i), X in R^{m x p}; A_i dense, sparse, a_i b_i', or a_i a_i' (phase
/// retrieval: y_i = <a_i, x>^2 is linear in x x'): a SensingSum. With `draws` the expectation over Gaussian
/// A_i and y_i = <A_i, X*> + noise: a DrawnSensing.
class MatrixSensing final : public Objective {
 public:
  using Options = matrix_sensing::Options;
  static const ParameterList& parameters() {
    constexpr auto kMost = std::numeric_limits<std::int32_t>::max();
    static const ParameterTable<Options> table{
        {row("data", &Options::data, any(),
             "file of the A_i, or, with * or ? in its name, files of consecutive ones "
             "(parts); empty: the data of the [data] section",
             "A, y"),
         row("measurements", &Options::measurements,
             one_of<matrix_sensing::Rows>(matrix_sensing::rows_words()),
             "what the file holds: dense: a row is vec(A_i), column after column; sparse: lines i, row, "
             "column, value of all A_i; rank-one: a row is "
             "a_i of a_i b_i'; symmetric: of a_i a_i'; auto: what the data section makes"),
         row("responses", &Options::responses,
             one_of<matrix_sensing::Responses>({{matrix_sensing::Responses::squares, "squares"},
                                                {matrix_sensing::Responses::magnitudes, "magnitudes"}}),
             "of symmetric: what the responses are: squares <a_i, x>^2, or "
             "magnitudes |<a_i, x>|, which are squared"),
         row("right", &Options::right, any(), "of rank-one: file of the rows b_i", "b"),
         row("rows", &Options::rows, between(0, kMost),
             "of X; 0: those of the data, which dense and sparse do not tell"),
         row("cols", &Options::cols, between(0, kMost), "of X, likewise"),
         row("first_index", &Options::first_index, between(0, 1),
             "of sparse: whether the list counts from 0 or from 1"),
         row("adjoints", &Options::adjoints,
             one_of<RankOneMap::Adjoints>({{RankOneMap::Adjoints::automatic, "auto"},
                                           {RankOneMap::Adjoints::dense, "dense"},
                                           {RankOneMap::Adjoints::products, "products"}}),
             "how the gradient of rank-one and symmetric ones is kept: one array, or the products with the "
             "rows; auto: the array, unless X is large"),
         row("strong_convexity", &Options::strong_convexity, at_least(0),
             "of f, where it is known; 0: unknown, or of squared draws its own", "s"),
         row("smoothness", &Options::smoothness, at_least(0), "of f; 0: computed", "L"),
         row("draws", &Options::draws, one_of<matrix_sensing::Drawing>(matrix_sensing::drawing_words()),
             "an expectation, of which every draw is seen once: A_i has independent N(0, 1) entries, or is "
             "a_i b_i' or a_i a_i' of such vectors, and y_i = <A_i, X*> + noise N(0, 1)"),
         row("truth", &Options::truth, any(), "of draws: file of X*; empty: the truth of the data section",
             "X*"),
         row("noise", &Options::noise, at_least(0), "of draws: standard deviation of a response's noise"),
         row("held_out", &Options::held_out,
             number_or<matrix_sensing::HeldOut>(integers(between(1, 1 << 24)),
                                                {{matrix_sensing::HeldOut::automatic, "auto"}}),
             "of draws: how many, which no batch holds, value, gap and residual are measured on; auto: the "
             "closed form of the expectation where the loss is squared, else 10000")},
        {include(&Options::design, design_rows())},
        {sdk::loss_role()}};
    return table;
  }

  MatrixSensing(const Options& options, const Context& context) {
    auto loss = sdk::loss_of(context);
    if (loss->of_classes())
      throw Error(ErrorKind::usage, "loss", "is a loss of classes, and a measurement is one number",
                  "take another");
    if (options.draws != matrix_sensing::Drawing::none) {
      inner_ = std::make_unique<matrix_sensing::DrawnSensing>(std::move(loss), options, context);
      return;
    }
    matrix_sensing::require_no_draws(options);
    std::shared_ptr<DesignParts> parts;
    const auto measurements = matrix_sensing::measurements_of(options, context, parts);
    require_accepted(*measurements->left, *loss, matrix_sensing::origin_of(options, context));
    inner_ = std::make_unique<matrix_sensing::SensingSum>(
        matrix_sensing::MeasurementRows{*measurements, std::move(parts), options.adjoints},
        matrix_sensing::targets_of(*measurements, options, context), std::move(loss), options,
        context.threads);
  }

  Shape shape() const override { return inner_->shape(); }
  Index terms() const override { return inner_->terms(); }
  double value(const Element& x) override { return inner_->value(x); }
  void add_gradient(const Element& x, const Batch& batch, double a, Element& g) override {
    inner_->add_gradient(x, batch, a, g);
  }
  void add_gradient_difference(const Element& x, const Element& y, const Batch& batch, double a,
                               Element& g) override {
    inner_->add_gradient_difference(x, y, batch, a, g);
  }
  Constants constants() const override { return inner_->constants(); }
  void* ability(std::string_view id) noexcept override { return inner_->ability(id); }

 private:
  std::unique_ptr<Objective> inner_;
};

}  // namespace

CLAROS_PLUGIN(MatrixSensing, Kind::objective, "matrix-sensing", "phase-retrieval", "1.0.0",
              "Matrix sensing, (1/n) sum_i psi(<A_i, X>, y_i)",
              "f(X) = (1/n) sum_i psi(<A_i, X>, y_i), A_i dense, sparse, a_i b_i', or a_i a_i' (phase "
              "retrieval). Of a_i b_i' and a_i a_i' only the "
              "vectors are kept: a point of low rank is measured by products of these with its factors. A_i "
              "= a_i a_i' see the symmetric part of X "
              "alone. With draws the expectation of psi(<A, X>, y) over Gaussian A, whose measurements are "
              "made when a batch asks for them and never kept.",
              "Candes, Strohmer, Voroninski: PhaseLift, Communications on Pure and Applied Mathematics 66 "
              "(2013); Recht, Fazel, Parrilo: Guaranteed "
              "minimum-rank solutions of linear matrix equations, SIAM Review 52 (2010); Garber, Kaplan: "
              "Fast stochastic algorithms for low-rank and nonsmooth matrix "
              "problems, AISTATS 2019, section 4.2.3",
              "Use it to recover a matrix from linear measurements, as in phase retrieval. Of a_i "
              "b_i' and a_i a_i' it keeps the vectors; a dense A_i takes as much memory as X. "
              "For single observed entries take matrix-completion. For a matrix regression with "
              "errors in variables take linear-model.",
              "data.use=synthetic-sensing data.rows=30 objective.use=matrix-sensing "
              "set.use=psd-trace set.radius=1 stop.gap=1e-6")

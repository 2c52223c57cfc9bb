// SPDX-License-Identifier: BSD-3-Clause
#include "entry_sum.hpp"
#include "options.hpp"
#include "term_sum.hpp"

#include <claros/error.hpp>
#include <claros/parameters.hpp>
#include <claros/plugin.hpp>
#include <claros/world.hpp>

#include <memory>
#include <string>

namespace {

using namespace claros;

/// f = (1/n) sum_i f_i, held by another objective, summed over the ranks. It is an EntrySum if the terms are
/// entries of a matrix, else a TermSum of arrays. Its abilities are those of the sum.
class Sharded final : public Objective {
 public:
  using Options = sharded::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        {row("chunks", &Options::chunks, between(1, 1 << 20),
             "the terms are cut into so many, or one each where there are fewer terms (of entries "
             "of a matrix: rows, of the longer side): at least the number of ranks, best a multiple "
             "of it; results depend on it by rounding")},
        {},
        {Role{.name = "inner",
              .kind = Kind::objective,
              .meaning = "f, a sum of terms that offers them in chunks",
              .fallback = "linear-model"}}};
    return table;
  }

  Sharded(const Options& options, const Context& context)
      : sum_(made(context.part<Objective>("inner"), options, context)) {}

  Shape shape() const override { return sum_->shape(); }
  Index terms() const override { return sum_->terms(); }
  double value(const Element& x) override { return sum_->value(x); }
  void add_gradient(const Element& x, const Batch& batch, double a, Element& g) override {
    sum_->add_gradient(x, batch, a, g);
  }
  void add_gradient_difference(const Element& x, const Element& y, const Batch& batch, double a,
                               Element& g) override {
    sum_->add_gradient_difference(x, y, batch, a, g);
  }
  Constants constants() const override { return sum_->constants(); }
  void* ability(std::string_view id) noexcept override { return sum_ ? sum_->ability(id) : nullptr; }

 private:
  static std::unique_ptr<Objective> made(std::shared_ptr<Objective> inner, const Options& options,
                                         const Context& context) {
    expect_ranks();
    if (auto* terms = query<sdk::TermChunks>(*inner))
      return std::make_unique<sharded::TermSum>(std::move(inner), *terms, options.chunks, context);
    if (auto* entries = query<sdk::EntryTerms>(*inner))
      return std::make_unique<sharded::EntrySum>(std::move(inner), *entries, options.chunks, context);
    throw Error(
        ErrorKind::usage, "inner", "does not offer its terms in chunks, so no rank can read a part of it",
        "take inner = linear-model, matrix-completion, or matrix-sensing of measurements that are kept "
        "(draws are made anew for every batch: every rank can make them)");
  }

  /// The ranks are those of the program claros. Other programs, Python's too, have one rank each.
  static void expect_ranks() {
    if (World::here().size() > 1 || launched_processes() < 2) return;
    throw Error(ErrorKind::usage, "",
                "a launcher of MPI has started " + std::to_string(launched_processes()) +
                    " processes, and this program sums over itself alone: "
                    "ranks are those of the program claros",
                "write the specification to a file and start mpirun claros run FILE, or leave sharded out");
  }

  std::unique_ptr<Objective> sum_;
};

}  // namespace

CLAROS_PLUGIN(
    Sharded, Kind::objective, "sharded", "", "1.0.0",
    "Sum of terms over the ranks of an MPI job, f(x) = (1/n) sum_i f_i(x)",
    "f(x) = (1/n) sum_i f_i(x), held by another objective, whose terms are cut into chunks: each rank "
    "of an MPI job sums over its own, and all have the same result, with the same bits on any number "
    "of ranks. Without MPI there is one rank.",
    "",
    "Use it in an MPI job, where the rows do not fit one machine or a pass over them takes long. "
    "Small batches do not scale: each sends as much as a full gradient. It takes no working "
    "sets, and with an intercept has no duality gap. On one rank take the inner objective, such "
    "as linear-model, alone.",
    "data.use=synthetic-regression data.rows=500 data.cols=300 data.nonzero=10 "
    "objective.use=sharded penalty.use=l1 penalty.lambda=0.1*max stop.relative_gap=1e-6")

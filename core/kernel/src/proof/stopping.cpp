// SPDX-License-Identifier: BSD-3-Clause
#include <claros/run/stopping.hpp>

#include <array>

namespace claros {

const ParameterTable<StopOptions>& stop_parameters() {
  static const ParameterTable<StopOptions> table{
      row("iterations", &StopOptions::iterations, at_least(0), "most steps of the algorithm; 0: no limit"),
      row("epochs", &StopOptions::epochs, at_least(0), "most epochs of the gradient estimator; 0: no limit"),
      row("passes", &StopOptions::passes, at_least(0),
          "most passes over the data, (sfo + hvp) / n; 0: no limit"),
      row("seconds", &StopOptions::seconds, at_least(0),
          "most seconds that pass, measuring included; 0: no limit"),
      row("gap", &StopOptions::gap, at_least(0),
          "target for the gap on the full data, confirmed; 0: no target"),
      row("relative_gap", &StopOptions::relative_gap, between(0, 0.999999),
          "target for gap / |value|, confirmed; 0: no target"),
      row("residual", &StopOptions::residual, at_least(0),
          "target for ||x - prox_{s h}(x - s grad f(x))|| / s over ||grad f|| at 0, or at the best intercept "
          "alone if less; s = 1/(L + mu), h plus mu/2 ||x||^2 convex: a stationary point to that accuracy, "
          "where no gap bounds the value; 0: no target"),
      row("value", &StopOptions::value, or_infinity(any()),
          "target for the objective value; -inf: no target"),
      row("sfo", &StopOptions::sfo, at_least(0), "most component gradients; 0: no limit"),
      row("lo", &StopOptions::lo, at_least(0), "most linear minimisations; 0: no limit"),
      row("stall", &StopOptions::stall, at_least(0),
          "end after so many steps without a new best measured value; 0: never"),
      row("patience", &StopOptions::patience, at_least(0),
          "end after so many steps in which the error on held-out data (objective.test) has not fallen by "
          "1e-4 of itself, with the point of the least error as the solution; 0: never"),
  };
  return table;
}

const ParameterTable<TraceOptions>& trace_parameters() {
  static const ParameterTable<TraceOptions> table{
      row("on", &TraceOptions::on, "whether points are measured on the way"),
      row("every", &TraceOptions::every, at_least(0),
          "steps between rows; 0: ever farther apart, by a tenth of the steps so far, and at the end of "
          "every epoch, as long as measuring is counted below a tenth of the steps' work and three passes"),
      row("estimator_error", &TraceOptions::estimator_error,
          "whether rows hold the distance of the last step's gradient estimate from the gradient; costs a "
          "pass a row"),
      row("point", &TraceOptions::point, one_of({"iterate", "answer"}),
          "what rows are measured at: the iterate, or what the run would "
          "return, where that is another point (an average)"),
      row("certificate", &TraceOptions::certificate,
          "whether spectral proximal steps prove how exact they are, which costs products a step, counted in "
          "matvec; the result has the eigengap of the gradient at the solution then"),
      row("truth", &TraceOptions::truth, any(),
          "file of the matrix (vector) that is to be found, as CSV or "
          "Matrix Market array, for the column rmse_truth"),
      row("tolerance", &TraceOptions::tolerance, above_to(0, 0.1),
          "relative tolerance of the oracle calls that measure a gap"),
  };
  return table;
}

namespace {

struct StatusText {
  Status status;
  const char* name;
  const char* sentence;
};

constexpr std::array<StatusText, 18> kTexts{{
    {Status::gap, "gap", "the confirmed gap met its target"},
    {Status::relative_gap, "relative-gap", "the confirmed relative gap met its target"},
    {Status::residual, "residual", "the residual met its target: a stationary point to that accuracy"},
    {Status::value, "value", "the value met its target"},
    {Status::iterations, "iterations", "the budget of iterations is used up"},
    {Status::epochs, "epochs", "the budget of epochs is used up"},
    {Status::passes, "passes", "the budget of passes over the data is used up"},
    {Status::seconds, "seconds", "the budget of seconds is used up"},
    {Status::sfo, "sfo", "the budget of component gradients is used up"},
    {Status::lo, "lo", "the budget of linear minimisations is used up"},
    {Status::stall, "stall", "the value has stopped falling"},
    {Status::interrupted, "interrupted", "the run was interrupted; the solution is the last iterate"},
    {Status::stopped_by_host, "stopped-by-host", "a callback of the host program ended the run"},
    {Status::diverged, "diverged",
     "the value rises, or is no longer finite; the solution is the best point measured"},
    {Status::unbounded, "unbounded",
     "the value falls without limit; the solution is the lowest point measured"},
    {Status::failed, "failed", "a component failed; the solution is the last good iterate"},
    {Status::rounding, "rounding",
     "the gap asked for is below the error of the arithmetic: the target is not met, and steps show no more"},
    {Status::validation, "validation",
     "the error on held-out data has stopped falling: the solution is the point of the least, and not the "
     "minimum"},
}};

const StatusText& entry(Status status) { return kTexts[static_cast<std::size_t>(status)]; }

}  // namespace

std::string text(Status status) { return entry(status).name; }
std::string explanation(Status status) { return entry(status).sentence; }
bool is_target(Status status) noexcept {
  return status == Status::gap || status == Status::relative_gap || status == Status::residual ||
         status == Status::value;
}
bool is_trouble(Status status) noexcept {
  return status == Status::diverged || status == Status::unbounded || status == Status::failed;
}

}  // namespace claros

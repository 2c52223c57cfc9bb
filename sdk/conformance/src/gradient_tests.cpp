// SPDX-License-Identifier: BSD-3-Clause
// Gradients: against values, batches against components, and how they accumulate.
#include <claros/expectation.hpp>

#include <cmath>

#include "objectives.hpp"

namespace claros::doctor {

namespace {

/// (f(x + h d) - f(x - h d)) / 2h with the h whose result is nearest to `expected`.
double difference_quotient(Objective& f, const Numbers& x, const Numbers& d, double expected) {
  double best = kNan;
  for (const double h : {1e-2, 1e-3, 1e-4, 1e-5, 1e-6}) {
    const double q =
        (f.value(dense(f, combined(1.0, x, h, d))) - f.value(dense(f, combined(1.0, x, -h, d)))) / (2.0 * h);
    if (!(std::abs(best - expected) <= std::abs(q - expected))) best = q;
  }
  return best;
}

/// Says which factor it is if the gradient is the same multiple of the truth everywhere.
std::string factor_of(const Numbers& slopes, const Numbers& quotients) {
  double weight = 0.0, product = 0.0;
  for (std::size_t k = 0; k < slopes.size(); ++k) {
    weight += quotients[k] * quotients[k];
    product += slopes[k] * quotients[k];
  }
  const double factor = product / weight;
  for (std::size_t k = 0; k < slopes.size(); ++k)
    if (!(std::abs(slopes[k] - factor * quotients[k]) <= 1e-3 * std::abs(factor) * std::sqrt(weight)))
      return {};
  return said("along every direction the gradient is ", std::round(factor * 1e4) / 1e4,
              " times what the values say: a factor is missing or too many (2 of a square, 1/n, a sign)");
}

void against_values(Bench& bench) {
  for_objectives(bench, 8, [&](Objective& whole) {
    Numbers slopes, quotients, slacks;
    Objective* const measured = measured_function(whole);
    if (!measured)
      throw Skipped{"is an expectation with neither a closed form nor draws held out (MeasuredExpectation)"};
    Objective& f = *measured;
    for (int trial = 0; trial < 12; ++trial) {
      const Numbers x = inside(f, bench.point(f.shape(), trial % 2 ? 0.3 : 1.5)),
                    d = bench.normals(f.shape().size()), g = gradient(f, dense(f, x), Batch::all());
      slopes.push_back(dot(g, d));
      quotients.push_back(difference_quotient(f, x, d, slopes.back()));
      slacks.push_back(2e-5 * (length(g) * length(d) + 1e-3 * std::abs(f.value(dense(f, x)))) + 1e-9);
    }
    for (std::size_t k = 0; k < slopes.size(); ++k)
      if (!(std::abs(slopes[k] - quotients[k]) <= slacks[k])) {
        const std::string factor = factor_of(slopes, quotients);
        bench.fail(
            said("<grad f(x), d> = ", slopes[k], ", the central difference of values is ", quotients[k]),
            factor.empty()
                ? "no multiple of the truth: a term that value has and add_gradient lacks (or the other way "
                  "round), or wrong indices"
                : factor);
      }
  });
}

void of_batches(Bench& bench) {
  for_objectives(bench, 5, [&](Objective& f) {
    const Element x = dense(f, inside(f, bench.point(f.shape(), 1.0)));
    const std::vector<Index> all = some_components(bench, f);
    Numbers mean(static_cast<std::size_t>(f.shape().size()), 0.0);
    for (const Index i : all)
      mean = combined(1.0, mean, 1.0 / static_cast<double>(all.size()),
                      gradient(f, x, Batch::of(std::vector<Index>{i})));
    const double slack = 1e-10 * (1.0 + length(mean)) * static_cast<double>(all.size());
    const auto check = [&](const Numbers& g, const std::string& what) {
      bench.require(
          distance(g, mean) <= slack,
          said(what, " is ", numbers_text(g), ", the mean of the component gradients ", numbers_text(mean)),
          "the gradient of a batch is the mean over it: divide by the size of the batch, count every entry "
          "as often as it stands there, and address component i, not entry i");
    };
    check(gradient(f, x, Batch::of(all)), "a batch of a list");
    std::vector<Index> twice = all;
    twice.insert(twice.end(), all.rbegin(), all.rend());
    check(gradient(f, x, Batch::of(twice)), "a batch with every component twice");
    if (f.terms() == kUnbounded || f.terms() == static_cast<Index>(all.size())) {
      check(gradient(f, x, Batch::range(all.front(), static_cast<Index>(all.size()))),
            "a range of components");
      check(gradient(f, x, everything(f)), "Batch::all()");
    }
  });
}

/// 24 means of 64 draws each: their mean is within six standard errors of the measured gradient. If that is
/// itself a mean of draws, its own error counts too.
void as_measured(Bench& bench) {
  constexpr Index kMeans = 24, kDraws = 64;
  bool any = false;
  for_objectives(bench, 3, [&](Objective& f) {
    if (f.terms() != kUnbounded || !measured_function(f)) return;
    any = true;
    Objective& measured = *measured_function(f);
    const Index held = held_out_draws(f);
    bench.require(measured.shape() == f.shape() && held >= 0,
                  said("measured on a function of ", measured.shape().text(), ", held_out() is ", held),
                  "measured() has the variable of the expectation");
    if (measured.shape() != f.shape()) return;
    const Element x = dense(f, inside(f, bench.point(f.shape(), 1.0)));
    std::vector<Numbers> means;
    Numbers mean(static_cast<std::size_t>(f.shape().size()), 0.0);
    for (Index k = 0; k < kMeans; ++k) {
      means.push_back(gradient(f, x, Batch::range(1000 + k * kDraws, kDraws)));
      mean = combined(1.0, mean, 1.0 / static_cast<double>(kMeans), means.back());
    }
    double square = 0.0;
    for (const Numbers& one : means)
      square += std::pow(distance(one, mean), 2) / static_cast<double>(kMeans - 1);
    const double own = held > 0 ? square * static_cast<double>(kDraws) / static_cast<double>(held) : 0.0;
    const Numbers truth = gradient(measured, x, Batch::all());
    bench.at_most(
        distance(mean, truth), 6.0 * std::sqrt(square / static_cast<double>(kMeans) + own),
        1e-9 * (1.0 + length(truth)),
        "the distance of the mean gradient of draws from the measured one against six standard errors",
        "value and gap are measured on another function than the draws have as their mean");
  });
  if (!any) throw Skipped{"is not an expectation that is measured"};
}

void differences(Bench& bench) {
  for_objectives(bench, 5, [&](Objective& f) {
    const Element x = dense(f, inside(f, bench.point(f.shape(), 1.0))),
                  y = dense(f, inside(f, bench.point(f.shape(), 1.0)));
    const std::vector<Index> some{some_components(bench, f).back(), some_components(bench, f).front()};
    for (const Batch& batch : {Batch::of(some), everything(f)}) {
      const Numbers truth = combined(1.0, gradient(f, x, batch), -1.0, gradient(f, y, batch));
      Element g(f.shape());
      f.add_gradient_difference(x, y, batch, 1.0, g);
      bench.require(distance(numbers_of(g), truth) <= 1e-11 * (1.0 + length(truth)),
                    said("add_gradient_difference gives ", numbers_text(numbers_of(g)), ", two gradients ",
                         numbers_text(truth)),
                    "the fused difference forgets one of the points, its sign, or the size of the batch");
    }
  });
}

void accumulation(Bench& bench) {
  for_objectives(bench, 3, [&](Objective& f) {
    const Numbers start = bench.normals(f.shape().size()), at = inside(f, bench.point(f.shape(), 1.0));
    const Element x = dense(f, at), y = dense(f, inside(f, bench.point(f.shape(), 1.0)));
    const std::vector<Index> one{some_components(bench, f).front()};
    for (const Batch& batch : {everything(f), Batch::of(one)})
      for (const double a : {0.0, 1.0, -2.5}) {
        const auto check = [&](const char* call, const Numbers& truth,
                               const std::function<void(Element&)>& add) {
          Element g = dense(f, start);
          add(g);
          const Numbers wanted = combined(1.0, start, a, truth);
          bench.require(distance(numbers_of(g), wanted) <= 1e-11 * (1.0 + length(wanted)),
                        said(call, " with a = ", a, " on g = ", numbers_text(start), " gives ",
                             numbers_text(numbers_of(g)), " instead of ", numbers_text(wanted)),
                        "g <- g + a * mean: add to g, do not overwrite it, and multiply by a");
        };
        check("add_gradient", gradient(f, x, batch), [&](Element& g) { f.add_gradient(x, batch, a, g); });
        check("add_gradient_difference", combined(1.0, gradient(f, x, batch), -1.0, gradient(f, y, batch)),
              [&](Element& g) { f.add_gradient_difference(x, y, batch, a, g); });
      }
    bench.require(same_bits(numbers_of(x), at), "the point changed", "x is read, never written");
  });
}

void forms(Bench& bench) {
  for_objectives(bench, 2, [&](Objective& f) {
    if (f.shape().is_product()) throw Skipped{"its variable is a product of spaces"};
    const Numbers x = inside(f, bench.point(f.shape(), 1.0));
    const std::vector<Index> one{some_components(bench, f).front()};
    const double value = f.value(dense(f, x));
    const Numbers all = gradient(f, dense(f, x), everything(f)),
                  part = gradient(f, dense(f, x), Batch::of(one));
    const auto check = [&](const std::string& name, const Element& y) {
      const std::string mistake =
          "a fast path for one form of the point, or for its kept image, disagrees with the plain one";
      if (f.terms() != kUnbounded || !std::isnan(value))  // of an expectation that is not known
        bench.equal(f.value(y), value, 1e-10 * (1.0 + std::abs(value)), "value at a " + name + " point",
                    mistake);
      bench.require(distance(gradient(f, y, everything(f)), all) <= 1e-9 * (1.0 + length(all)),
                    "the gradient at a " + name + " point differs from that at a dense one", mistake);
      bench.require(distance(gradient(f, y, Batch::of(one)), part) <= 1e-9 * (1.0 + length(part)),
                    "a component's gradient at a " + name + " point differs from that at a dense one",
                    mistake);
    };
    for (const auto& [name, y] : forms_of(bench, f.shape(), x)) {
      check(name, y);
      check(name + " (asked again)", y);
      Element start = dense(f, inside(f, bench.point(f.shape(), 1.0)));
      (void)f.value(start);
      start.blend(0.5, dense(f, combined(2.0, x, -1.0, numbers_of(start))));
      check("blended", start);
    }
  });
}

}  // namespace

Tests gradient_tests() {
  return {
      {{"gradient", kObjectives, "<grad f(x), d> is the limit of (f(x + h d) - f(x - h d)) / 2h."},
       against_values},
      {{"gradient-batch", kObjectives,
        "The gradient of a batch (list, repetitions, range, all) is the mean of the gradients of its "
        "components."},
       of_batches},
      {{"measured-expectation", kObjectives, "Of an expectation: draws have what is measured as their mean."},
       as_measured},
      {{"gradient-difference", kObjectives,
        "add_gradient_difference is the difference of two gradients over the same batch."},
       differences},
      {{"accumulation", kObjectives,
        "Calls add: g <- g + a * mean, for a = 0, positive and negative; the point is not changed."},
       accumulation},
      {{"forms", kObjectives,
        "Value and gradients are the same for one point in any form (dense, weighted, sparse, low-rank, "
        "sums), with and "
        "without a kept image."},
       forms}};
}

}  // namespace claros::doctor

// SPDX-License-Identifier: BSD-3-Clause
// Estimators: mean and variance, by many independent samples.

#include "composed.hpp"

namespace claros::doctor {

namespace {

/// Mean and spread of independent estimates.
struct Moments {
  std::vector<Numbers> all;
  Numbers mean;
  double variance = 0.0;  ///< E ||g - mean||^2

  void finish() {
    mean.assign(all.front().size(), 0.0);
    for (const Numbers& g : all) mean = combined(1.0, mean, 1.0 / static_cast<double>(all.size()), g);
    for (const Numbers& g : all) {
      const double off = distance(g, mean);
      variance += off * off / static_cast<double>(all.size() - 1);
    }
  }
  /// |<mean - truth, r>| in standard errors of that mean.
  double error_along(const Numbers& r, const Numbers& truth) const {
    double spread = 0.0;
    for (const Numbers& g : all) {
      const double off = dot(r, g) - dot(r, mean);
      spread += off * off / static_cast<double>(all.size() - 1);
    }
    const double error = std::abs(dot(r, mean) - dot(r, truth)),
                 size = 1e-12 * (1.0 + length(r) * length(truth));
    return error <= size ? 0.0 : error / std::sqrt(spread / static_cast<double>(all.size()));
  }
};

/// Estimates at x in the second epoch, whose snapshot lies at `snapshot`, after one step there; `batch` as in
/// estimate.
Moments sample(const Bench& bench, const Settings& settings, int form, const Element& snapshot,
               const Element& x, Index batch, int trials) {
  Moments m;
  Driven e(bench, settings, form, 1);
  const Element elsewhere = e.point(500);
  for (int k = 0; k < trials; ++k) {
    // The samples go on, everything else begins anew.
    e.estimator().start(e.f(), e.sampler());
    (void)e.next(elsewhere);
    while (!e.estimator().epoch_due() && e.estimator().epochs() == 1) (void)e.estimator().estimate(elsewhere);
    e.estimator().begin_epoch(Element(snapshot));
    (void)e.estimator().estimate(Element(snapshot));
    m.all.push_back(e.estimator().estimate(Element(x), batch).to_dense());
  }
  m.finish();
  return m;
}

void exact(Bench& bench) {
  bool any = false;
  for (const int form : {0, 1}) {
    bench.at(settings_text(estimator_settings(bench)) + ", " + form_text(form));
    Driven e(bench, estimator_settings(bench), form, 1);
    if (!e.estimator().exact()) continue;
    any = true;
    for (std::uint64_t t = 0; t < 10; ++t) {
      const Element x = e.point(t);
      const Numbers g = e.next(x).to_dense(), truth = e.gradient(x);
      bench.at_most(distance(g, truth), 1e-12 * (1.0 + length(truth)), 0.0,
                    said("distance of estimate ", t, " to the gradient"),
                    "exact() says that the estimate is grad f(x) itself");
    }
  }
  if (!any) throw Skipped{"does not claim to be exact"};
}

/// The mean of many estimates in the second epoch, of an estimator made like this.
void check_mean(Bench& bench, const Settings& settings, int form) {
  Driven e(bench, settings, form, 1);
  if (!e.estimator().unbiased()) throw Skipped{"does not claim to be unbiased"};
  if (e.estimator().exact()) throw Skipped{"is exact"};
  const Element snapshot = e.point(1), x = e.near(snapshot, 0.5, 2);
  const Numbers truth = e.gradient(x);
  const Moments m = sample(bench, settings, form, snapshot, x, 0, 3000);
  for (int k = 0; k < 12; ++k) {
    const Numbers r = k == 0 ? truth : bench.normals(static_cast<Index>(truth.size()));
    bench.at_most(m.error_along(r, truth), 5.0, 0.0,
                  said("error of the mean of 3000 estimates, in standard errors; the mean is ",
                       numbers_text(m.mean), ", the gradient ", numbers_text(truth)),
                  "unbiased() is claimed, and the mean is not the gradient: a weight, the 1/|S|, or a term "
                  "of expectation 0 that has none");
  }
}

void unbiased(Bench& bench) {
  bool any = false;
  std::string reason = "the kit's problems are refused";
  for (Settings settings : bench.choices(estimator_settings(bench)))
    for (const int form : {kRows, kEntries}) {
      bench.at(settings_text(settings) + ", " + form_text(form));
      (void)answered(bench, [&] {
        try {
          check_mean(bench, settings, form);
          any = true;
        } catch (const Skipped& s) {
          reason = s.reason;
        }
      });
    }
  if (!any) throw Skipped{reason};
}

void at_snapshot(Bench& bench) {
  bool any = false;
  for (const int form : {0, 1}) {
    Driven e(bench, estimator_settings(bench), form, 1);
    for (std::uint64_t epoch = 0; epoch < 4; ++epoch) {
      bench.at(settings_text(estimator_settings(bench)) + ", " + form_text(form) +
               said(", epoch ", static_cast<Index>(epoch + 1)));
      const Element x = e.point(epoch), copy = Element::dense(x.shape(), x.to_dense());
      if (epoch > 1) e.estimator().begin_epoch(e.point(40 + epoch));  // and thought better of it
      e.estimator().begin_epoch(x);
      const Element* full = e.estimator().full_gradient();
      if (!full) break;
      any = true;
      const Numbers truth = e.gradient(x);
      bench.at_most(
          distance(full->to_dense(), truth), 1e-11 * (1.0 + length(truth)), 0.0,
          "distance of full_gradient() to the gradient where the epoch began",
          "full_gradient() is grad f at the point of begin_epoch: the one of an earlier epoch stands there");
      const Numbers g = e.estimator().estimate(epoch % 2 ? copy : x).to_dense();
      bench.at_most(distance(g, truth), 1e-11 * (1.0 + length(truth)), 0.0,
                    "distance of the estimate at the snapshot to the gradient there",
                    "the snapshot is not the point of begin_epoch: it is forgotten, kept from an earlier "
                    "epoch, or differs from the one whose gradient was taken");
    }
  }
  if (!any) throw Skipped{"takes no full gradient where an epoch begins"};
}

void shrinks(Bench& bench) {
  bool any = false;
  for (const int form : {0, 1}) {
    bench.at(settings_text(estimator_settings(bench)) + ", " + form_text(form));
    Driven e(bench, estimator_settings(bench), form, 1);
    const Element snapshot = e.point(1);
    (void)e.next(e.point(7));
    e.estimator().begin_epoch(snapshot);
    if (!e.estimator().full_gradient()) continue;
    any = true;
    const double far = sample(bench, estimator_settings(bench), form, snapshot, e.near(snapshot, 0.2, 2), 0,
                              400)
                           .variance,
                 near = sample(bench, estimator_settings(bench), form, snapshot, e.near(snapshot, 0.02, 2), 0,
                               400)
                            .variance;
    bench.at_most(near, 0.05 * far, 1e-20,
                  "variance at distance 0.02 from the snapshot against 1/20 of that at distance 0.2",
                  "the variance falls with the squared distance to the snapshot: the differences are taken "
                  "to another point");
  }
  if (!any) throw Skipped{"takes no full gradient where an epoch begins"};
}

void batch_variance(Bench& bench) {
  for (const int form : {0, 1}) {
    bench.at(settings_text(estimator_settings(bench)) + ", " + form_text(form));
    Driven e(bench, estimator_settings(bench), form, 1);
    if (!e.estimator().unbiased()) throw Skipped{"does not claim to be unbiased"};
    if (e.estimator().exact()) throw Skipped{"is exact"};
    const Element snapshot = e.point(1), x = e.near(snapshot, 0.5, 2);
    const double few = sample(bench, estimator_settings(bench), form, snapshot, x, 2, 2500).variance,
                 many = sample(bench, estimator_settings(bench), form, snapshot, x, 8, 2500).variance;
    bench.require(few / many > 3.2 && few / many < 5.5,
                  said("the variance of batches of 2 is ", few / many,
                       " times that of batches of 8, instead of 4 times"),
                  "the variance of a mean over |S| independent components is 1/|S| of theirs");
  }
}

/// At a point that stays, the mean of a long run of estimates tends to the gradient, for biased estimators
/// too.
void check_settled(Bench& bench, const Settings& settings, int form) {
  Driven e(bench, settings, form, 1);
  const Element x = e.point(1);
  const Numbers truth = e.gradient(x);
  for (int t = 0; t < 500; ++t) (void)e.next(x);
  Moments blocks;
  for (int block = 0; block < 40; ++block) {
    Numbers mean(truth.size(), 0.0);
    for (int t = 0; t < 100; ++t) mean = combined(1.0, mean, 0.01, e.next(x).to_dense());
    blocks.all.push_back(mean);
  }
  blocks.finish();
  for (int k = 0; k < 8; ++k) {
    const Numbers r = k == 0 ? truth : bench.normals(static_cast<Index>(truth.size()));
    bench.at_most(blocks.error_along(r, truth), 6.5, 0.0,
                  said("error of the mean of 4000 estimates at one point, in standard errors; the mean is ",
                       numbers_text(blocks.mean), ", the gradient ", numbers_text(truth)),
                  "the estimates at a point that stays are not about its gradient: a weight of the "
                  "average, a factor, or an old table");
  }
}

void settles(Bench& bench) {
  bool any = false;
  std::string reason = "the kit's problems are refused";
  for (const Settings& settings : bench.choices(estimator_settings(bench)))
    for (const int form : {kRows, kEntries}) {
      bench.at(settings_text(settings) + ", " + form_text(form));
      (void)answered(bench, [&] {
        try {
          check_settled(bench, settings, form);
          any = true;
        } catch (const Skipped& s) {
          reason = s.reason;
        }
      });
    }
  if (!any) throw Skipped{reason};
}

}  // namespace

Tests moment_tests() {
  return {{{"exact", kEstimator, "Where it is claimed, the estimate is grad f(x) itself."}, exact},
          {{"snapshot", kEstimator,
            "In every epoch that begins with a full gradient, that is grad f at the point of begin_epoch, "
            "and so is the estimate there."},
           at_snapshot},
          {{"unbiased", kEstimator,
            "Where it is claimed: the mean of 3000 independent estimates, in the second epoch, is grad f(x) "
            "within 5 standard errors."},
           unbiased},
          {{"variance-snapshot", kEstimator,
            "Of estimators that begin epochs with a full gradient, the variance falls by 20 and more when "
            "the distance to the snapshot falls by 10."},
           shrinks},
          {{"variance-batch", kEstimator, "Of unbiased estimators the variance is proportional to 1/|S|."},
           batch_variance},
          {{"settles", kEstimator,
            "At a point that stays, the mean of 4000 estimates is grad f there within 6.5 standard errors, "
            "also of biased estimators."},
           settles}};
}

}  // namespace claros::doctor

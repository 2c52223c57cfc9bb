// SPDX-License-Identifier: BSD-3-Clause
// Runs that project onto sets of bounded singular values and eigenvalues: they come to the minimum, and are
// the same run resumed and on any number of threads.
#include "sensing_problem.hpp"
#include "spectral_sets.hpp"
#include "trace_for_test.hpp"

using namespace claros;
using namespace claros::test;

namespace {

/// Of a size whose decompositions are of few values.
const SmallProblem& wide_problem() {
  static const SmallProblem made(640, 80, 80, 2, 1600);
  return made;
}

Words projected_words(const std::string& set, const Words& more) {
  return wide_problem().objective() +
         Words{"set.use=" + set, "set.radius=60", "algorithm.use=proximal-gradient"} + more;
}

void check_resumed(const Words& words) {
  const Saved saved = solve_and_save(words);
  REQUIRE_MESSAGE(saved.result.failure.empty(), saved.result.failure);
  REQUIRE(saved.states.size() >= 6);
  for (const std::string& state : saved.states) {
    const RunResult again = resumed(words, state);
    check_same(again, saved.result);
    CHECK(again.certification.asked == saved.result.certification.asked);
    CHECK(again.certification.largest == saved.result.certification.largest);
  }
}

}  // namespace

TEST_CASE("projected runs: proximal gradient and Frank-Wolfe come to the same minimum, within their gaps") {
  for (const std::string& set : kSpectralSets) {
    CAPTURE(set);
    const Words stop{"stop.relative_gap=1e-4", "stop.iterations=3000", "estimator.use=full"};
    const RunResult steps = solve(projected_words(set, stop)),
                    vertices = solve(projected_words(set, stop + Words{"algorithm.use=frank-wolfe"}));
    CHECK(is_target(steps.status));
    CHECK(vertices.failure.empty());  // whose steps may well be used up before
    for (const RunResult* r : {&steps, &vertices}) {
      CHECK(r->measurement.value == doctest::Approx(wide_problem().value(r->answer.to_dense())));
      CHECK(SpectralSet(set, 60.0).violation(r->answer) <= 1e-6);
    }
    CHECK(std::abs(steps.measurement.value - vertices.measurement.value) <=
          std::max(steps.measurement.gap, vertices.measurement.gap));
  }
}

TEST_CASE("projected runs: phase retrieval over the spectrahedron finds the planted x x'") {
  for (const std::string kind : {"symmetric", "gaussian"}) {
    CAPTURE(kind);
    const Words data{
        "data.use=synthetic-sensing", "data.rows=40", "data.rank=1", "data.count=500", "data.radius=5",
        "data.measurements=" + kind};
    for (const std::string set : {"spectrahedron", "psd-trace"}) {
      const RunResult r =
          solve(data + Words{"objective.use=matrix-sensing", "set.use=" + set, "set.radius=5",
                             "algorithm.use=proximal-gradient", "stop.gap=1e-9", "stop.iterations=3000"});
      CHECK_MESSAGE(is_target(r.status), r.failure);
      const auto made = make_data(build_catalog(), spec_of(data));
      const Element* truth = made->truth();
      REQUIRE(truth);
      CHECK(distance(r.answer.to_dense(), truth->to_dense()) <= 1e-3);
      CHECK(SpectralSet(set, 5.0).violation(r.answer) <= 1e-6);
    }
  }
}

TEST_CASE("projected runs: the covariance of bounded trace is the projection of the second moments") {
  const auto p = std::size_t{45}, n = std::size_t{60};
  const Dense rows = normals(9, static_cast<Index>(n * p));
  TestFolder folder;
  std::string samples;
  Dense moments(p * p, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < p; ++j) {
      samples += print_real(rows[i * p + j]) + (j + 1 < p ? "," : "\n");
      for (std::size_t k = 0; k < p; ++k)
        moments[k * p + j] += rows[i * p + j] * rows[i * p + k] / static_cast<double>(n);
    }
  }
  folder.put("samples.csv", samples);
  const Element S = Element::dense(Shape::matrix(45, 45), moments);
  for (const std::string set : {"spectrahedron", "psd-trace"})
    for (const double radius : {4.0, 200.0}) {  // the trace of S is about 45
      CAPTURE(set);
      CAPTURE(radius);
      const RunResult r =
          solve({"objective.use=covariance", "objective.data=" + (folder / "samples.csv").string(),
                 "set.use=" + set, "set.radius=" + print_real(radius), "algorithm.use=proximal-gradient",
                 "stop.relative_gap=1e-7", "stop.iterations=200"});
      // With S inside, the gradient at the answer is rounding, and no direction of it can be confirmed.
      CHECK_MESSAGE((is_target(r.status) || (set == "psd-trace" && radius > 100.0)), r.failure);
      const Dense expected = SpectralSet(set, radius).projected(S);
      CHECK(distance(r.answer.to_dense(), expected) <= 1e-2 * std::sqrt(dot(expected, expected)));
      const double least = 0.5 * dot(expected, expected) - dot(expected, moments),
                   found = 0.5 * inner(r.answer, r.answer) - inner(r.answer, S);
      CHECK(found - least <= r.measurement.gap + 1e-9 * std::abs(least));
      CHECK(found - least >= -1e-9 * std::abs(least));
    }
}

TEST_CASE(
    "projected runs: resumed at every step they are the same run, of every set, estimator, answer and rank") {
  for (const std::string& set : kSpectralSets)
    for (const std::string estimator : {"full", "svrg", "sg"})
      for (const std::string output : {"last", "average", "uniform"})
        for (const Words& rank : std::vector<Words>{
                 {},
                 {"algorithm.rank=3"},
                 {"algorithm.rank=2", "algorithm.uncertified=continue", "trace.certificate=yes"}}) {
          CAPTURE(set);
          CAPTURE(estimator);
          CAPTURE(output);
          check_resumed(projected_words(
              set, small_batches(estimator) + Words{"algorithm.output=" + output, "stop.iterations=7"} +
                       (estimator == "full" ? Words{} : Words{"algorithm.step=400"}) + rank));
        }
}

TEST_CASE("projected runs: dual averaging resumed is the same run") {
  for (const std::string& set : kSpectralSets)
    for (const std::string estimator : {"full", "sg"})
      for (const std::string output : {"last", "average"}) {
        CAPTURE(set);
        CAPTURE(estimator);
        check_resumed(projected_words(
            set, small_batches(estimator) + Words{"algorithm.use=dual-averaging", "algorithm.gamma=1e-3",
                                                  "algorithm.output=" + output, "stop.iterations=7"}));
      }
}

TEST_CASE("projected runs: threads change no bit") {
  for (const std::string& set : kSpectralSets)
    for (const std::string estimator : {"full", "svrg"}) {
      CAPTURE(set);
      const Words words = projected_words(
          set, small_batches(estimator) + Words{"stop.iterations=25", "trace.certificate=yes"} +
                   (estimator == "full" ? Words{} : Words{"algorithm.step=400"}));
      check_same(solve(words + Words{"run.threads=2"}), solve(words + Words{"run.threads=1"}));
    }
}

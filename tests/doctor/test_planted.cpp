// SPDX-License-Identifier: BSD-3-Clause
// Every planted bug is named by the tests that describe it, and by no other; the sound sources pass.
#include <doctest/doctest.h>
#include <claros/doctor/doctor.hpp>

#include <algorithm>
#include <string>
#include <vector>

using namespace claros;

namespace {

using Words = std::vector<std::string>;

std::vector<doctor::Result> examined(const std::string& library, const doctor::Options& options = {}) {
  Catalog catalog;
  return doctor::examine({catalog.load(std::string(CLAROS_PLANTED_DIR "/") + library + ".so")}, options);
}

Words failures(const std::vector<doctor::Result>& results) {
  Words names;
  for (const doctor::Result& r : results) {
    if (!r.failed()) continue;
    MESSAGE(r.text());
    names.push_back(r.test);
  }
  return names;
}

/// The text of the one failure of that name.
std::string said(const std::vector<doctor::Result>& results, const std::string& test) {
  const auto at =
      std::find_if(results.begin(), results.end(), [&](const doctor::Result& r) { return r.test == test; });
  REQUIRE(at != results.end());
  REQUIRE(at->failed());
  CHECK(!at->observed.empty());
  CHECK(!at->mistake.empty());
  return at->text();
}

bool mentions(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

}  // namespace

TEST_CASE("doctor: a sound set passes") { CHECK(failures(examined("ball")) == Words{}); }
TEST_CASE("doctor: a sound objective passes") { CHECK(failures(examined("distances")) == Words{}); }
TEST_CASE("doctor: a sound penalty passes") { CHECK(failures(examined("soft")) == Words{}); }
TEST_CASE("doctor: a sound smoother passes") { CHECK(failures(examined("rounded")) == Words{}); }
TEST_CASE("doctor: a sound estimator passes") { CHECK(failures(examined("reduced")) == Words{}); }
TEST_CASE("doctor: a sound algorithm passes") { CHECK(failures(examined("heavy_ball")) == Words{}); }

TEST_CASE("doctor: a sound algorithm of decaying steps passes") { CHECK(failures(examined("drawn")) == Words{}); }

TEST_CASE("doctor: a gradient off by 2") {
  const auto results = examined("distances_twice");
  CHECK(failures(results) == Words{"gradient", "convexity"});
  CHECK(mentions(said(results, "gradient"), "is 2 times what the values say"));
}

TEST_CASE("doctor: a smoother of all shapes that does not look at them") {
  const auto results = examined("rounded_shape");
  CHECK(failures(results) == Words{"shape"});
  CHECK(mentions(said(results, "shape"), "adds to a gradient of"));
}

TEST_CASE("doctor: a smoother that claims to be smoother than it is") {
  CHECK(failures(examined("rounded_flatter")) == Words{"smoothness"});
}

TEST_CASE("doctor: an oracle that maximises") {
  const auto results = examined("ball_maximises");
  CHECK(failures(results) == Words{"oracle-optimal"});
  CHECK(mentions(said(results, "oracle-optimal"), "maximises"));
}

TEST_CASE("doctor: a proximal step with the step squared") {
  const auto results = examined("soft_step_squared");
  CHECK(failures(results) == Words{"prox-minimal", "prox-step", "prox-subgradient"});
  CHECK(mentions(said(results, "prox-minimal"), "step^2"));
  CHECK(mentions(said(results, "prox-step"), "squared"));
}

TEST_CASE("doctor: an estimator that forgets its snapshot") {
  const auto results = examined("reduced_forgets");
  CHECK(failures(results) == Words{"snapshot", "unbiased", "variance-snapshot"});
  CHECK(mentions(said(results, "snapshot"), "epoch 2"));
}

TEST_CASE("doctor: a state that misses a member, and what it does list") {
  for (const auto& [library, listed] :
       {std::pair("reduced_state", "lists g, plan.snapshot"), std::pair("heavy_ball_state", "lists x"),
        std::pair("drawn_decay", "lists x, t, weight, gap, full gradient, stream, drawn"),
        std::pair("drawn_stream", "lists x, t, weight, gap, full gradient, steps, drawn"),
        std::pair("drawn_drawn", "lists x, t, weight, gap, full gradient, steps, stream"),
        std::pair("drawn_follows", "lists x, t, weight, gap, full gradient, steps, stream, drawn")}) {
    CAPTURE(library);
    const auto results = examined(library);
    CHECK(failures(results) == Words{"state"});
    CHECK(mentions(said(results, "state"), "is not listed in `state`"));
    CHECK(mentions(said(results, "state"), listed));
  }
}

TEST_CASE("doctor: a diameter too small") {
  const auto results = examined("ball_diameter");
  CHECK(failures(results) == Words{"diameter"});
  CHECK(mentions(said(results, "diameter"), "a radius instead of twice it"));
}

TEST_CASE("doctor: a data race") {
  const auto results = examined("ball_race");
  CHECK(failures(results) == Words{"instances"});
  CHECK(mentions(said(results, "instances"), "a data race"));
}

TEST_CASE("doctor: a crash, a hang and an exit are failed tests with their reason") {
  doctor::Options options{.only = {"oracle-optimal", "descriptor"}, .limit = 1.5};
  for (const auto& [library, reason] :
       {std::pair("ball_crash", "signal 6"), std::pair("ball_hang", "did not end within"),
        std::pair("ball_exit", "exit code 0")}) {
    CAPTURE(library);
    const auto results = examined(library, options);
    CHECK(failures(results) == Words{"oracle-optimal"});
    CHECK(mentions(said(results, "oracle-optimal"), reason));
    CHECK(mentions(said(results, "oracle-optimal"), "3 x 8"));
  }
}

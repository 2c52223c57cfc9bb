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

std::vector<doctor::Result> examined(const std::string& library, const doctor::Options& options = {},
                                     double race = 0.1) {
  Catalog catalog;
  const PluginEntry& entry = catalog.load(std::string(CLAROS_PLANTED_DIR "/") + library + ".so");
  return doctor::examine({.entry = entry, .race = race}, options);
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
TEST_CASE("doctor: a sound loss passes") { CHECK(failures(examined("tilted")) == Words{}); }
TEST_CASE("doctor: a sound estimator passes") { CHECK(failures(examined("reduced")) == Words{}); }
TEST_CASE("doctor: a sound algorithm passes") { CHECK(failures(examined("heavy_ball")) == Words{}); }

TEST_CASE("doctor: a sound algorithm of decaying steps passes") {
  CHECK(failures(examined("drawn")) == Words{});
}

TEST_CASE(
    "doctor: an expectation is tried by what it is measured on, and found out where that is not the mean of "
    "its draws") {
  CHECK(failures(examined("tossed")) == Words{});
  const auto results = examined("tossed_mean");
  CHECK(failures(results) == Words{"measured-expectation"});
  CHECK(mentions(said(results, "measured-expectation"), "another function"));
}

TEST_CASE("doctor: a sound recursion and a sound set of several words and counts pass") {
  CHECK(failures(examined("recursive")) == Words{});
  CHECK(failures(examined("several")) == Words{});
}

TEST_CASE("doctor: a recursion whose previous point does not move, or every second step alone") {
  for (const char* library : {"recursive_frozen", "recursive_skips"}) {
    CAPTURE(library);
    const auto results = examined(library);
    CHECK(failures(results) == Words{"tracks"});
    CHECK(mentions(said(results, "tracks"), "does not move along"));
  }
}

TEST_CASE("doctor: a projection that is wrong for counts above 1, or for a word that is not the default") {
  for (const auto& [library, setting] :
       {std::pair("several_count", "count="), std::pair("several_word", "method=more")}) {
    CAPTURE(library);
    const auto results = examined(library);
    const Words failed = failures(results);
    CHECK(std::find(failed.begin(), failed.end(), "projection-member") != failed.end());
    CHECK(mentions(said(results, "projection-member"), setting));
  }
}

TEST_CASE("doctor: an algorithm is given a set of Claros that it takes, or else the verdict is incomplete") {
  Catalog ours;
  ours.scan({{CLAROS_TEST_PLUGIN_DIR, "installation", true}});
  const auto examined_with = [&](const std::string& library, const Catalog* parts,
                                 std::vector<const PluginEntry*> with = {}) {
    Catalog own;
    const PluginEntry& entry = own.load(std::string(CLAROS_PLANTED_DIR "/") + library + ".so");
    const auto results =
        doctor::examine({.entry = entry, .race = 0.1, .catalog = parts, .with = std::move(with)}, {});
    for (const doctor::Result& r : results)
      CHECK_MESSAGE((!r.failed() || library == "mirror_uphill"), r.text());
    return std::pair(results, doctor::conclude(entry.kind, results));
  };
  CHECK(examined_with("mirror", &ours).second.verdict == doctor::Verdict::passed);
  CHECK(examined_with("mirror", &ours, {&ours.at(Kind::set, "simplex")}).second.verdict ==
        doctor::Verdict::passed);
  const auto uphill = examined_with("mirror_uphill", &ours);
  CHECK(failures(uphill.first) == Words{"converges"});
  CHECK(mentions(said(uphill.first, "converges"),
                 "set/matroid-base"));  // with its defaults a simplex, and before it in the alphabet
  for (const auto& [library, parts, with] :
       {std::tuple("mirror", static_cast<const Catalog*>(nullptr), std::vector<const PluginEntry*>{}),
        std::tuple("mirror_asks", static_cast<const Catalog*>(&ours), std::vector<const PluginEntry*>{}),
        std::tuple("mirror", static_cast<const Catalog*>(&ours),
                   std::vector<const PluginEntry*>{&ours.at(Kind::set, "l2-ball")})}) {
    const auto [results, conclusion] = examined_with(library, parts, with);
    CHECK(conclusion.verdict == doctor::Verdict::incomplete);
    REQUIRE(!conclusion.untested.empty());
    CHECK(conclusion.untested.front().tests == Words{"converges"});
    CHECK(mentions(conclusion.text(), "--with set/NAME"));
    CHECK(mentions(conclusion.text(), "incomplete: that it converges (converges)"));
  }
}

TEST_CASE("doctor: losses whose derivative, constants or conjugate are not theirs") {
  CHECK(failures(examined("tilted_slope")) == Words{"loss-derivative", "loss-conjugate"});
  CHECK(failures(examined("tilted_dual")) == Words{"loss-conjugate"});
  for (const char* claim : {"tilted_flatter", "tilted_bounded", "tilted_centred"}) {
    CAPTURE(claim);
    CHECK(failures(examined(claim)) == Words{"loss-constants"});
  }
  CHECK(failures(examined("tilted_counts")) == Words{"loss-mean"});
}

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
  CHECK(failures(results) == Words{"oracle-optimal", "membership"});  // beyond its vertices the set goes on
  CHECK(mentions(said(results, "oracle-optimal"), "maximises"));
}

TEST_CASE("doctor: a proximal step with the step squared") {
  const auto results = examined("soft_step_squared");
  CHECK(failures(results) == Words{"prox-minimal", "prox-step", "prox-subgradient"});
  CHECK(mentions(said(results, "prox-minimal"), "step^2"));
  CHECK(mentions(said(results, "prox-step"), "squared"));
}

TEST_CASE("doctor: a proximal step that is right for steps that are not long") {
  CHECK(failures(examined("soft_step_capped")) == Words{"prox-minimal", "prox-step", "prox-subgradient"});
}

TEST_CASE(
    "doctor: a certificate that says exact where it is not, or a smaller error, an answer that is better for "
    "who asks, a sequence that stays where it is") {
  CHECK(failures(examined("lowered")) == Words{});
  for (const auto& [library, words] : {std::pair("lowered_exact", "called exact"),
                                       std::pair("lowered_error", "against the certificate's error"),
                                       std::pair("lowered_sequence", "call 60 of a sequence")}) {
    CAPTURE(library);
    const auto results = examined(library);
    CHECK(failures(results) == Words{"certificate"});
    CHECK(mentions(said(results, "certificate"), words));
  }
  const auto results = examined("lowered_asked");
  const Words failed = failures(results);
  CHECK(std::find(failed.begin(), failed.end(), "certificate") != failed.end());
  CHECK(mentions(said(results, "certificate"), "certify"));
}

TEST_CASE("doctor: many proximal steps at once that are not those one by one, or do not add up") {
  for (const auto& [library, words] :
       {std::pair("soft_lag_level", "at once and one by one"), std::pair("soft_lag_sum", "the sum of")}) {
    CAPTURE(library);
    const auto results = examined(library);
    CHECK(failures(results) == Words{"lagged-steps"});
    CHECK(mentions(said(results, "lagged-steps"), words));
  }
}

TEST_CASE("doctor: proximal steps that are said to add up, and do not") {
  const auto results = examined("soft_adds_up");
  CHECK(failures(results) == Words{"separable"});
  CHECK(mentions(said(results, "separable"), "two steps of block"));
}

TEST_CASE("doctor: a drift that an epoch changes everywhere, unsaid") {
  const auto results = examined("reduced_drift");
  CHECK(failures(results) == Words{"drift"});
  CHECK(mentions(said(results, "drift"), "renews_drift()"));
}

TEST_CASE("doctor: an estimator that forgets its snapshot") {
  const auto results = examined("reduced_forgets");
  CHECK(failures(results) == Words{"tracks", "snapshot", "unbiased", "variance-snapshot"});
  CHECK(mentions(said(results, "snapshot"), "epoch 2"));
}

TEST_CASE("doctor: a state that misses a member, and what it does list") {
  for (const auto& [library, listed] :
       {std::pair("reduced_state", "lists g, plan.snapshot"), std::pair("heavy_ball_state", "lists x"),
        std::pair("drawn_decay", "lists x, t, weight, gap, full gradient, stream, drawn"),
        std::pair("drawn_stream", "lists x, t, weight, gap, full gradient, steps, drawn"),
        std::pair("drawn_drawn", "lists x, t, weight, gap, full gradient, steps, stream"),
        std::pair("drawn_stairs", "lists x, t, weight, gap, full gradient, steps, stream, drawn"),
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
  // On a busy machine two threads may not meet within the default.
  const auto results = examined("ball_race", {}, 10.0 * doctor::Subject{}.race);
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

TEST_CASE("doctor: weights that do not fall, and a count that survives start and shows in the answer alone") {
  CHECK(failures(examined("vertex_steps")) == Words{});
  CHECK(failures(examined("vertex_steps_constant")) == Words{"converges"});
  const auto small = examined("vertex_steps_small");
  CHECK(failures(small) == Words{"converges"});
  CHECK(mentions(said(small, "converges"), "circle around the solution"));
  const auto counter = examined("vertex_steps_counter");
  const Words failed = failures(counter);
  CHECK(std::find(failed.begin(), failed.end(), "start") != failed.end());
  CHECK(mentions(said(counter, "start"), "answer 1 after a second start"));
}

TEST_CASE(
    "doctor: a proximal length that is right at a default alone, and an extrapolation that only strong "
    "convexity forgives") {
  CHECK(failures(examined("primal_dual")) == Words{});
  const auto length = examined("primal_dual_length");
  CHECK(failures(length) == Words{"converges"});
  CHECK(mentions(said(length, "converges"), "comes to rest where no solution is"));
  CHECK(mentions(said(length, "converges"), "sigma="));
  const auto extrapolation = examined("primal_dual_extrapolation");
  CHECK(failures(extrapolation) == Words{"converges"});
  CHECK(mentions(said(extrapolation, "converges"), "flat"));
}

TEST_CASE("doctor: an estimator that takes the first components each time, and claims nothing of its mean") {
  const auto results = examined("reduced_first");
  CHECK(failures(results) == Words{"coverage"});
  CHECK(mentions(said(results, "coverage"), "is in none of the batches"));
}

TEST_CASE("doctor: an algorithm that holds another lists its own state alone, and all of that") {
  Catalog ours;
  ours.scan({{CLAROS_TEST_PLUGIN_DIR, "installation", true}});
  const auto examined_with = [&](const std::string& library) {
    Catalog own;
    const PluginEntry& entry = own.load(std::string(CLAROS_PLANTED_DIR "/") + library + ".so");
    return doctor::examine({.entry = entry, .catalog = &ours},
                           {.only = {"state", "start", "answer", "converges"}});
  };
  CHECK(failures(examined_with("holding")) == Words{});
  const auto results = examined_with("holding_state");
  CHECK(failures(results) == Words{"state"});
  CHECK(mentions(said(results, "state"), "lists mean"));
  CHECK(failures(examined_with("holding_restarted")) == Words{"state"});
  CHECK(failures(examined_with("holding_weight")) == Words{"converges"});
}

TEST_CASE("doctor: membership that is known by an iteration states its slack, and is held to it") {
  CHECK(failures(examined("iterated")) == Words{});
  const auto unsaid = examined("iterated_unsaid");
  const Words failed = failures(unsaid);
  CHECK(std::find(failed.begin(), failed.end(), "membership") != failed.end());
  CHECK(mentions(said(unsaid, "membership"), "Membership::slack()"));
  const auto wide = examined("iterated_wide");
  const Words too_wide = failures(wide);
  CHECK(std::find(too_wide.begin(), too_wide.end(), "membership") != too_wide.end());
  CHECK(mentions(said(wide, "membership"), "accepts points outside"));
}

TEST_CASE(
    "doctor: an objective with a domain is tried inside; one that hides it, or whose point lies outside, is "
    "named") {
  CHECK(failures(examined("identity_link")) == Words{});
  for (const auto& [library, words] :
       {std::pair("identity_link_unsaid", "offer the ability Domain"),
        std::pair("identity_link_point", "the value at inner_point"),
        std::pair("identity_link_open", "outside of the domain the value is +infinity")}) {
    CAPTURE(library);
    const auto results = examined(library);
    const Words failed = failures(results);
    CHECK(std::find(failed.begin(), failed.end(), "domain") != failed.end());
    CHECK(mentions(said(results, "domain"), words));
  }
}

// SPDX-License-Identifier: BSD-3-Clause
// Libraries that do something to the process: when they run at all, who is named, and what is put back.
#include <doctest/doctest.h>
#include <claros/algorithm.hpp>
#include <claros/contain.hpp>
#include <claros/objective.hpp>
#include <claros/watch/watched.hpp>

#include <fenv.h>
#include <signal.h>

#include <chrono>
#include <clocale>
#include <string>

#include "plugin_folders.hpp"

using namespace claros;
using namespace claros::test;

namespace {

const fs::path kActing = CLAROS_ACTING_DIR;

/// What plugins may not change, as a text. Tiny numbers are made here: a compiler would fold them.
std::string state() {
  volatile double tiny = 1e-308, third = 3.0;
  struct sigaction interrupt {};
  ::sigaction(SIGINT, nullptr, &interrupt);
  return std::to_string(::fegetround()) + (tiny / 1000.0 > 0.0 ? " normal" : " flushed") +
         std::to_string(1.0 / third) + ' ' + fs::current_path().string() + ' ' +
         std::setlocale(LC_ALL, nullptr) + (interrupt.sa_handler == SIG_IGN ? " deaf" : "");
}

Catalog acting(double limit = 0.0) {
  Catalog catalog;
  if (limit > 0.0) catalog.load_in_child_first(limit);
  catalog.scan({{kActing, "test", true}});
  return catalog;
}

std::shared_ptr<Ledger> ledger() { return std::make_shared<Ledger>(); }

}  // namespace

TEST_CASE("foreign code: a scan runs none, and knows every name") {
  const std::string before = state();
  const Catalog catalog = acting();
  for (const char* name :
       {"exit-at-once", "abort", "crash", "hang", "round-up", "flush-to-zero", "leave-folder"}) {
    const PluginEntry* entry = catalog.find(Kind::set, std::string("when-loaded-") + name);
    REQUIRE(entry);
    CHECK(entry->summary == "Acts when it is loaded.");
    CHECK(entry->version == "1.0.0");
  }
  CHECK(state() == before);
}

TEST_CASE("foreign code: a library that ends the process is an error with its name, in its child") {
  Catalog catalog = acting(1.0);
  const auto said = [&](const char* name) {
    return refusal(ErrorKind::plugin, [&] { (void)catalog.at(Kind::set, name).parameters(); });
  };
  CHECK(contains(said("when-loaded-exit-at-once"),
                 "when_loaded_exit_at_once.so: ended the process with exit code 0 while it was loaded"));
  CHECK(contains(said("when-loaded-crash"), "when_loaded_crash.so: was ended by signal 11"));
  CHECK(contains(said("when-loaded-abort"), "when_loaded_abort.so: was ended by signal 6"));
  CHECK(
      contains(said("when-loaded-hang"), "when_loaded_hang.so: did not end within 1 s while it was loaded"));
  CHECK(contains(said("when-loaded-hang"), "did not end within 1 s"));  // remembered
  catalog.load_all();
  int broken = 0;
  for (const PluginEntry& entry : catalog.entries()) broken += !entry.usable();
  CHECK(broken == 4);
  CHECK(catalog.find(Kind::set, "when-made-round-up"));
}

TEST_CASE("foreign code: what loading and making changes is put back, and said") {
  const std::string before = state();
  const Catalog catalog = acting(10.0);
  const auto changed = [&](const char* name) {
    const PluginEntry& entry = catalog.at(Kind::set, name);
    CHECK(entry.changed().empty());
    (void)entry.parameters();
    CHECK(state() == before);
    return entry.changed();
  };
  CHECK(changed("when-loaded-round-up") == "the rounding mode");
  CHECK(changed("when-loaded-leave-folder") == "the working directory");
  CHECK(changed("when-loaded-change-locale") == "the locale");
  CHECK(changed("when-loaded-take-signals") == "the handler of SIGINT and the handler of SIGTERM");
#if defined(__SSE2__)
  CHECK(contains(changed("when-loaded-flush-to-zero"), "flush to zero"));
#endif
  std::string said;
  Context context;
  context.messages = [&](Severity, const std::string& text) { said += text + '\n'; };
  (void)create_component(catalog, Kind::set, "when-made-round-up", {}, context);
  CHECK(contains(said, "set/when-made-round-up changed the rounding mode when it was made"));
  (void)create_component(catalog, Kind::set, "when-made-leave-folder", {}, context);
  CHECK(contains(said, "set/when-made-leave-folder changed the working directory"));
  CHECK(state() == before);
}

TEST_CASE(
    "foreign code: an oracle that leaves another rounding mode is an error, and a start that leaves "
    "anything") {
  const std::string before = state();
  const Catalog catalog = acting();
  const Element x = Element::dense(Shape::matrix(3, 2), std::vector<double>(6, 0.0));
  for (const std::string name : {"when-asked-round-up", "when-asked-flush-to-zero"}) {
    const auto f =
        std::static_pointer_cast<Objective>(watched(create_component(catalog, Kind::objective, name, {}, {}),
                                                    {Kind::objective, "objective/" + name, ledger()}));
    const std::string said = refusal(ErrorKind::plugin, [&] { (void)f->value(x); });
    CHECK(contains(said, "objective/" + name + ": changed "));
    CHECK(contains(said, name == "when-asked-round-up" ? "the rounding mode" : "flush to zero"));
    CHECK(state() == before);
  }
  const auto f = std::static_pointer_cast<Objective>(
      create_component(catalog, Kind::objective, "when-asked-round-up", {}, {}));
  Sampler sampler(RandomStream(1, Purpose::sampling), 1);
  for (const std::string name : {"when-started-round-up", "when-started-leave-folder"}) {
    const auto estimator = std::static_pointer_cast<GradientEstimator>(
        watched(create_component(catalog, Kind::estimator, name, {}, {}),
                {Kind::estimator, "estimator/" + name, ledger()}));
    CHECK(contains(refusal(ErrorKind::plugin, [&] { estimator->start(*f, sampler); }),
                   "estimator/" + name + ": changed the "));
    CHECK(state() == before);
  }
}

TEST_CASE("foreign code: names of other plugins never replace built-in names in silence") {
  const Folder ours, foreign;
  ours.put("good");
  foreign.put("taker");
  Catalog catalog;
  catalog.scan({{foreign.path, "--plugin-path", true}, {ours.path, "installation", false}});
  // An alias of another program is not a name of Claros.
  CHECK(catalog.at(Kind::set, "good").name == "good");
  CHECK(catalog.at(Kind::set, "sound").name == "good");
  CHECK(catalog.replaced_built_in(Kind::set, "good").empty());
  CHECK(catalog.replaced_built_in(Kind::set, "sound").empty());
  CHECK(catalog.at(Kind::set, "other").name == "fine");
  CHECK(catalog.replaced_built_in(Kind::set, "other").empty());
  // A name of theirs comes first, as the order of the folders says, and is told.
  CHECK(catalog.at(Kind::set, "fine").path == foreign.path / "taker.so");
  CHECK(contains(catalog.replaced_built_in(Kind::set, "fine"),
                 "set/fine comes from " + (foreign.path / "taker.so").string()));
  const Folder same;
  same.put("good", "mine.so");
  Catalog both;
  both.scan({{same.path, "--plugin-path", true}, {ours.path, "installation", false}});
  CHECK(contains(both.replaced_built_in(Kind::set, "good"), "in the place of the built-in one"));
}

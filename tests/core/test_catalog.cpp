// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <claros/contain.hpp>
#include <claros/plugin/catalog.hpp>

#include <array>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <thread>

#include "../bad_plugins/fixture.hpp"
#include "environment_variable.hpp"
#include "few_descriptors.hpp"
#include "plugin_folders.hpp"

using namespace claros;
using namespace claros::test;

TEST_CASE("catalog: a sound plugin is listed whole, found by its aliases, and makes components") {
  const Folder folder;
  const fs::path file = folder.put("good");
  Catalog catalog = scanned({folder.path});
  REQUIRE(catalog.entries().size() == 1);
  const PluginEntry& entry = catalog.at(Kind::set, "sound");
  CHECK(&entry == catalog.find(Kind::set, "good"));
  CHECK(entry.label() == "set/good");
  CHECK(entry.path == file);
  CHECK(entry.version == "1.2.3");
  CHECK(entry.citation == "A paper, equation 1");
  CHECK(entry.parameters().names() == std::vector<std::string>{"radius"});
  CHECK(catalog.names(Kind::set) == std::vector<std::string>{"good"});
  CHECK(catalog.names(Kind::penalty).empty());
  CHECK_FALSE(catalog.find(Kind::penalty, "good"));
  auto component =
      create_component(catalog, Kind::set, "good", {{"use", "good", "", ""}, {"radius", "2", "", ""}}, {});
  catalog = Catalog();
  CHECK(component.use_count() == 1);
  component.reset();
}

TEST_CASE("catalog: settings are checked, and an error of the plugin passes as it is") {
  const Folder folder;
  folder.put("good");
  const Catalog catalog = scanned({folder.path});
  const auto create = [&](ErrorKind kind, const std::vector<Setting>& settings) {
    return refusal(kind, [&] { (void)create_component(catalog, Kind::set, "good", settings, {}); });
  };
  const std::string text =
      create(ErrorKind::usage, {{"radios", "1", "", ""}, {"radius", "-1", "a.ini:3", "set"}});
  CHECK(contains(text, "set/good has no parameter 'radios' (did you mean 'radius'?)"));
  CHECK(contains(text, "a.ini:3: set.radius: '-1' is out of range"));
  CHECK(create(ErrorKind::data, {{"radius", "101", "", ""}}) ==
        "fixture: the radius exceeds the data (lower it)");
}

TEST_CASE("catalog: folders that were named and do not exist are told, other files are passed over") {
  const Folder folder;
  folder.write("readme.txt", "no plugin");
  const Catalog catalog = scanned({folder.path / "none", "relative", folder.path});
  REQUIRE(catalog.entries().size() == 2);
  CHECK(contains(catalog.entries()[0].problem.sentence(), "none (test): is not a folder that exists"));
  CHECK(contains(catalog.entries()[1].problem.sentence(), "relative (test): is not an absolute path"));
  Catalog quiet;
  quiet.scan({{folder.path / "none", "user"}});
  CHECK(quiet.entries().empty());
}

TEST_CASE("catalog: the search path has its order and never the working directory") {
  const EnvironmentVariable folders("CLAROS_PLUGIN_PATH", "/one::/two:"), home("HOME", "/home/me"),
      data("XDG_DATA_HOME", "/data");
  const SearchPath path = Catalog::default_search_path({"/given", "here"});
  const EnvironmentVariable relative("XDG_DATA_HOME", "data");
  const SearchPath without_data = Catalog::default_search_path();
  REQUIRE(path.size() == 6);
  CHECK(path[0].path == "/given");
  CHECK(path[1].path == fs::current_path() / "here");
  CHECK(path[2].path == "/one");
  CHECK(path[3].path == "/two");
  CHECK(path[4].path == "/data/claros/plugins");
  CHECK(path[5].origin == "installation");
  CHECK(without_data[2].path == "/home/me/.local/share/claros/plugins");
  for (const SearchFolder& folder : path) CHECK(folder.path.is_absolute());
}

TEST_CASE("catalog: where no component was found, a folder that cannot be read is named with its cause") {
  const Folder folder;
  folder.put("good");
  Catalog catalog;
  {
    const FewDescriptors few(0);
    catalog.scan({{folder.path, "installation", true}});
  }
  const std::string text = refusal(ErrorKind::usage, [&] { (void)catalog.at(Kind::set, "good", "set.use"); });
  CHECK(contains(text, folder.path.string()));
  CHECK(contains(text, "Too many open files"));
  CHECK(contains(text, "ulimit -n"));
}

TEST_CASE("catalog: an unknown name says what could have been meant") {
  const Folder folder;
  folder.put("good");
  folder.put("older_abi");
  const Catalog catalog = scanned({folder.path});
  const auto ask = [&](Kind kind, const char* name) {
    return refusal(ErrorKind::usage, [&] { (void)catalog.at(kind, name, "a.ini:2: set.use"); });
  };
  CHECK(ask(Kind::set, "goud") == "a.ini:2: set.use: there is no set named 'goud' (did you mean 'good'?)");
  CHECK(contains(ask(Kind::penalty, "good"), "there is set/good"));
  CHECK(contains(ask(Kind::set, "something"), "there are good"));
  CHECK(contains(ask(Kind::algorithm, "something"), "no algorithm was found"));
  const std::string text = ask(Kind::set, "older-abi");
  CHECK(contains(text, "a plugin that cannot be used may hold it"));
  CHECK(contains(text, "older_abi.so: built for plugin interface " + std::to_string(kPluginAbi - 1)));
}

TEST_CASE("catalog: a program registers its own component, ahead of those that are scanned") {
  static const ClarosPlugin own = spoiled("good", [](ClarosPlugin&) {});
  static const ClarosPlugin unsound =
      spoiled("unsound", [](ClarosPlugin& plugin) { plugin.create = nullptr; });
  const Folder folder;
  const fs::path file = folder.put("good");
  Catalog catalog;
  catalog.add(own);
  catalog.scan({{folder.path, "test"}});
  CHECK(catalog.at(Kind::set, "good").path.empty());
  CHECK(create_component(catalog, Kind::set, "good", {}, {}));
  CHECK(catalog.entries().back().state == PluginState::shadowed);
  CHECK(contains(catalog.entries().back().problem.what, "already comes from this program"));
  CHECK(contains(refusal(ErrorKind::usage, [&] { catalog.add(own); }),
                 "set/good: already comes from this program"));
  CHECK(contains(refusal(ErrorKind::plugin, [&] { catalog.add(unsound); }), "function of its descriptor"));
}

TEST_CASE("catalog: two catalogs on two threads") {
  const Folder folder;
  folder.put("good");
  folder.put("undefined_symbol");
  folder.put("older_abi");
  std::array<std::size_t, 2> made{};
  const auto work = [&](std::size_t self) {
    for (int round = 0; round < 20; ++round) {
      const Catalog catalog = scanned({folder.path});
      if (catalog.entries().size() == 3 && create_component(catalog, Kind::set, "good", {}, {})) ++made[self];
    }
  };
  std::thread other(work, 1);
  work(0);
  other.join();
  CHECK(made == std::array<std::size_t, 2>{20, 20});
}

TEST_CASE("kinds: names read back") {
  for (const Kind kind : kKinds) CHECK(parse_kind(kind_name(kind)) == kind);
  CHECK_FALSE(parse_kind("sets"));
}

TEST_CASE("contain: a result passes through, and so does a claros::Error") {
  CHECK(contain("x", [] { return 3; }) == 3);
  CHECK(contains(refusal(ErrorKind::numerical,
                         [] { contain("x", [] { throw Error(ErrorKind::numerical, "here", "NaN"); }); }),
                 "here: NaN"));
  CHECK(contains(refusal(ErrorKind::plugin, [] { contain("x/y", [] { throw std::logic_error("oh"); }); }),
                 "x/y: threw std::logic_error: oh"));
}

// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <claros/plugin/catalog.hpp>

#include <algorithm>
#include <string>

#include "plugin_folders.hpp"

using namespace claros;
using namespace claros::test;

namespace {

/// The one sentence about `file`, which lies in a folder with a sound plugin; that one must still work.
std::string sentence(const Folder& folder, const fs::path& file) {
  folder.put("good", "zz_good.so");
  Catalog catalog = scanned({folder.path});
  catalog.load_all();
  CHECK(catalog.entries().size() == 2);
  CHECK(create_component(catalog, Kind::set, "good", {}, {}));
  const PluginEntry& entry = catalog.entries().front();
  CHECK(entry.state == PluginState::broken);
  CHECK(entry.path == file);
  CHECK(entry.problem.where == file.string());
  CHECK_FALSE(entry.problem.what.empty());
  CHECK_FALSE(entry.problem.remedy.empty());
  CHECK_FALSE(contains(entry.problem.sentence(), "\n"));
  return entry.problem.sentence();
}

std::string sentence(const std::string& fixture) {
  const Folder folder;
  return sentence(folder, folder.put(fixture));
}

/// The sentence about `good` with its bytes changed.
template <class Change>
std::string damaged(Change change) {
  const Folder folder;
  std::string bytes = bytes_of(kFixtures / "good.so");
  change(bytes);
  return sentence(folder, folder.write("damaged.so", bytes));
}

}  // namespace

TEST_CASE("bad plugins: files that are no library of this machine") {
  const Folder text, empty, short_file;
  CHECK(contains(sentence(text, text.write("text.so", "#!/bin/sh\n")), "some other kind of file"));
  CHECK(contains(sentence(empty, empty.write("empty.so", "")), "is empty"));
  CHECK(contains(sentence(short_file, short_file.write("short.so",
                                                       "\x7F"
                                                       "EL")),
                 "some other kind of file"));
  CHECK(contains(damaged([](std::string& b) { b[18] = '\xB7', b[19] = '\0'; }), "was built for arm64"));
  CHECK(contains(damaged([](std::string& b) { b[4] = '\1'; }), "another word size"));
  CHECK(contains(damaged([](std::string& b) { b[5] = '\2'; }), "another byte order"));
  CHECK(contains(damaged([](std::string& b) { b[16] = '\1'; }), "not a shared library"));
  CHECK(contains(damaged([](std::string& b) { b[54] = '\1'; }), "damaged ELF header"));
  const Folder folder;
  fs::create_directory(folder.path / "folder.so");
  CHECK(contains(sentence(folder, folder.path / "folder.so"), "is not a file"));
  const Folder dangling;
  fs::create_symlink(dangling.path / "nowhere", dangling.path / "link.so");
  CHECK(contains(sentence(dangling, dangling.path / "link.so"), "is not a file"));
}

TEST_CASE("bad plugins: a library truncated anywhere is refused without loading it") {
  const std::size_t whole = bytes_of(kFixtures / "good.so").size();
  for (const std::size_t size : {std::size_t{5}, std::size_t{16}, std::size_t{63}, std::size_t{64},
                                 std::size_t{200}, std::size_t{4096}, whole / 2, whole - 64, whole - 1}) {
    CAPTURE(size);
    CHECK(contains(damaged([&](std::string& b) { b.resize(size); }), "is truncated"));
  }
}

TEST_CASE("bad plugins: symbols") {
  CHECK(contains(sentence("missing_symbol"), "exports no symbol claros_plugin"));
  CHECK(contains(sentence("function_symbol"), "not a plugin descriptor"));
  CHECK(contains(sentence("undefined_symbol"), "needs the undefined symbol 'nowhere::defined(double)'"));
}

TEST_CASE("bad plugins: built for another host") {
  CHECK(contains(sentence("wrong_magic"), "not a plugin descriptor"));
  const std::string older = std::to_string(kPluginAbi - 1), own = std::to_string(kPluginAbi),
                    newer = std::to_string(kPluginAbi + 1);
  CHECK(contains(sentence("older_abi"), "built for plugin interface " + older + ", this host speaks " + own +
                                            " (rebuild the plugin)"));
  CHECK(contains(sentence("newer_abi"),
                 "built for plugin interface " + newer + ", this host speaks " + own + " (update claros"));
  CHECK(contains(sentence("wrong_size"), "bytes, this host's"));
  const std::string text = sentence("wrong_fingerprint");
  CHECK(contains(text, "built as \"cxxabi 1; libstdc++ cxx11abi 0;"));
  CHECK(contains(text, std::string("this host as \"") + CLAROS_FINGERPRINT));
  CHECK(contains(text, "'libstdc++ cxx11abi 0' instead of 'libstdc++ cxx11abi 1'"));
}

#ifdef CLAROS_SANITIZED_FIXTURE
TEST_CASE("bad plugins: another sanitizer than the host's") {
  CHECK(contains(sentence("sanitized"), "built with the sanitizer 'address', this host with 'none'"));
}
#endif

TEST_CASE("bad plugins: descriptors that break the contract") {
  CHECK(contains(sentence("lacking_function"), "function of its descriptor"));
  CHECK(contains(sentence("bad_name"), "'Bad Name' is not made of lower-case words"));
  CHECK(contains(sentence("reserved_parameter"), "its parameter 'use' is declared twice or is reserved"));
  CHECK(contains(sentence("throws_in_parameters"), "threw an exception of type int"));
}

TEST_CASE("bad plugins: what create throws is contained and names the plugin") {
  const Folder folder;
  for (const char* name : {"throws_in_create", "throws_foreign_type_in_create", "creates_nothing", "good"})
    folder.put(name);
  const Catalog catalog = scanned({folder.path});
  const auto create = [&](const char* name) {
    return refusal(ErrorKind::plugin, [&] { (void)create_component(catalog, Kind::set, name, {}, {}); });
  };
  CHECK(contains(create("throws-in-create"), "set/throws-in-create: threw std::runtime_error: no luck"));
  CHECK(contains(create("throws-foreign-type-in-create"), "threw an exception of type int"));
  CHECK(contains(create("creates-nothing"), "set/creates-nothing: created no component"));
  CHECK(create("good") == "accepted");
}

TEST_CASE("bad plugins: a second one of a name is listed as shadowed, with both paths") {
  const Folder first, second;
  const fs::path winner = first.put("good", "b.so"), same = first.put("good", "c.so"),
                 later = second.put("good", "a.so");
  const Catalog catalog = scanned({first.path, second.path, first.path});
  REQUIRE(catalog.entries().size() == 3);
  CHECK(catalog.at(Kind::set, "good").path == winner);
  for (const fs::path& loser : {same, later}) {
    const auto is_loser = [&](const PluginEntry& e) { return e.path == loser; };
    const auto at = std::find_if(catalog.entries().begin(), catalog.entries().end(), is_loser);
    REQUIRE(at != catalog.entries().end());
    CHECK(at->state == PluginState::shadowed);
    CHECK(at->problem.where == loser.string());
    CHECK(contains(at->problem.what, "set/good already comes from " + winner.string()));
  }
}

TEST_CASE("bad plugins: what everyone can change is not loaded") {
  const Folder folder;
  const fs::path file = folder.put("good", "open.so");
  fs::permissions(file, fs::perms::others_write, fs::perm_options::add);
  CHECK(contains(sentence(folder, file), "can be changed by everyone"));

  const Folder open;
  const fs::path behind = open.put("good");
  fs::permissions(open.path, fs::perms::all);
  const Catalog catalog = scanned({open.path});
  REQUIRE(catalog.entries().size() == 1);
  CHECK(catalog.entries().front().path == open.path);
  CHECK(contains(catalog.entries().front().problem.sentence(),
                 "can be changed by everyone, so no plugin of it is loaded"));
  CHECK(contains(catalog.entries().front().problem.remedy, "chmod o-w"));

  const Folder linked;
  fs::create_symlink(behind, linked.path / "link.so");
  CHECK(contains(sentence(linked, linked.path / "link.so"),
                 "lies in " + open.path.string() + ", which can be changed by everyone"));
}

TEST_CASE("bad plugins: a damaged file is read without harm, wherever the damage is") {
  const std::string whole = bytes_of(kFixtures / "good.so");
  const Folder folder;
  RandomStream random(7, Purpose::test);
  int sound = 0;
  for (int k = 0; k < 1500; ++k) {
    std::string bytes = whole;
    // Half of them in the headers and the dynamic parts, which stand first.
    const std::size_t end = k % 2 ? bytes.size() : std::min<std::size_t>(bytes.size(), 4096);
    for (int n = 0; n <= k % 5; ++n)
      bytes[static_cast<std::size_t>(random.uniform() * static_cast<double>(end))] =
          static_cast<char>(random.uniform() * 256.0);
    folder.write("damaged.so", bytes);
    const Catalog catalog = scanned({folder.path});
    REQUIRE(catalog.entries().size() == 1);
    const PluginEntry& entry = catalog.entries().front();
    sound += entry.usable();
    if (!entry.usable()) CHECK_FALSE(entry.problem.what.empty());
  }
  CHECK(sound > 0);
  CHECK(sound < 1500);
}

// SPDX-License-Identifier: BSD-3-Clause
// Who else could change what is loaded: file, every folder above, RPATH, owners and groups.
#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "plugin_folders.hpp"

using namespace claros;
using namespace claros::test;

namespace {

constexpr uid_t kNobody = 65534;

/// What is said of the one plugin of a folder; "usable" where nothing is.
std::string verdict(const fs::path& folder, const std::vector<fs::path>& trusted = {}) {
  Catalog catalog;
  for (const fs::path& path : trusted) catalog.trust(path);
  catalog.scan({{folder, "test", true}});
  REQUIRE(catalog.entries().size() == 1);
  const PluginEntry& entry = catalog.entries().front();
  if (!entry.usable()) return entry.problem.sentence();
  CHECK(create_component(catalog, Kind::set, entry.name, {}, {}));
  return "usable";
}

void mode(const fs::path& path, unsigned bits) { REQUIRE(::chmod(path.c_str(), bits) == 0); }

/// parent/plugins/<fixture>.so, of which a test weakens one.
struct Place {
  Folder top;
  fs::path parent = top.path / "parent", plugins = parent / "plugins", file = plugins / "one.so";
  explicit Place(const std::string& fixture = "good") {
    fs::create_directories(plugins);
    mode(parent, 0755), mode(plugins, 0755);
    fs::copy_file(kFixtures / (fixture + ".so"), file);
    mode(file, 0644);
  }
};

bool is_root() {
  if (::geteuid() == 0) return true;
  MESSAGE("owners are changed by root alone: not tried");
  return false;
}

}  // namespace

TEST_CASE("trust: what the user alone can change is loaded") { CHECK(verdict(Place().plugins) == "usable"); }

TEST_CASE("trust: a folder above that everyone can change, and what mends it") {
  const Place place;
  mode(place.parent, 0777);
  const std::string said = verdict(place.plugins);
  CHECK(contains(said, "lies in " + place.parent.string() + ", which can be changed by everyone"));
  CHECK(contains(said, "run chmod o-w " + place.parent.string()));
  CHECK(contains(said, "--trust " + place.plugins.string()));
  mode(place.parent, 0755);
  CHECK(verdict(place.plugins) == "usable");
}

TEST_CASE("trust: a sticky folder may stand above, and holds no plugins itself") {
  const Place place;
  mode(place.parent, 01777);
  CHECK(verdict(place.plugins) == "usable");
  mode(place.plugins, 01777);
  CHECK(contains(verdict(place.plugins), "can be changed by everyone"));
}

TEST_CASE("trust: what --trust names is taken as it is, and nothing else") {
  const Place place;
  mode(place.file, 0666), mode(place.plugins, 0777), mode(place.parent, 0777);
  CHECK(verdict(place.plugins, {place.plugins}) == "usable");
  CHECK(verdict(place.plugins, {place.parent}) == "usable");
  CHECK(
      contains(verdict(place.plugins, {place.file}), "can be changed by everyone"));  // others may add files
  mode(place.plugins, 0755), mode(place.parent, 0755);
  CHECK(contains(verdict(place.plugins), "can be changed by everyone"));
  CHECK(verdict(place.plugins, {place.file}) == "usable");
  CHECK(contains(verdict(place.plugins, {place.top.path / "parent/plug"}), "can be changed by everyone"));
  ::setenv("CLAROS_TRUST", ("relative:" + place.file.string()).c_str(), 1);
  CHECK(verdict(place.plugins) == "usable");
  ::unsetenv("CLAROS_TRUST");
}

TEST_CASE("trust: a group that holds others") {
  if (!is_root()) return;
  const Place place;
  mode(place.file, 0664);
  CHECK(verdict(place.plugins) == "usable");  // root's own group, without members
  REQUIRE(::chown(place.file.c_str(), 0, 100) == 0);
  CHECK(contains(verdict(place.plugins), "can be changed by group"));
  CHECK(contains(verdict(place.plugins), "run chmod g-w " + place.file.string()));
  mode(place.file, 0644);
  CHECK(verdict(place.plugins) == "usable");
  REQUIRE(::chown(place.parent.c_str(), 0, 100) == 0);
  mode(place.parent, 0775);
  CHECK(contains(verdict(place.plugins),
                 "lies in " + place.parent.string() + ", which can be changed by group"));
}

TEST_CASE("trust: another user's file or folder") {
  if (!is_root()) return;
  const Place place;
  REQUIRE(::chown(place.file.c_str(), kNobody, 0) == 0);
  CHECK(contains(verdict(place.plugins), "who is neither you nor root"));
  CHECK(contains(verdict(place.plugins), "run chown root " + place.file.string()));
  REQUIRE(::chown(place.file.c_str(), 0, 0) == 0);
  REQUIRE(::chown(place.parent.c_str(), kNobody, 0) == 0);
  CHECK(contains(verdict(place.plugins), "lies in " + place.parent.string() + ", which belongs to user"));
}

TEST_CASE("trust: a link is followed to where it leads") {
  const Place place;
  const Folder links;
  fs::create_symlink(place.file, links.path / "link.so");
  CHECK(verdict(links.path) == "usable");
  mode(place.parent, 0777);
  CHECK(contains(verdict(links.path),
                 "lies in " + place.parent.string() + ", which can be changed by everyone"));
}

TEST_CASE("trust: folders that RPATH names, there or not, and what lies in them") {
  const Place place("rpath");
  const fs::path open = place.plugins / "open";
  CHECK(verdict(place.plugins) == "usable");  // no other user can create it
  fs::create_directory(open);
  mode(open, 0755);
  CHECK(verdict(place.plugins) == "usable");
  for (const unsigned bits : {0777u, 01777u}) {
    mode(open, bits);
    CHECK(contains(verdict(place.plugins),
                   "looks for libraries in " + open.string() + ", which can be changed by everyone"));
    CHECK(verdict(place.plugins, {open}) == "usable");
  }
  mode(open, 0755);
  fs::copy_file(kFixtures / "good.so", open / "libstdc++.so.6");
  mode(open / "libstdc++.so.6", 0666);
  CHECK(contains(verdict(place.plugins),
                 "needs " + (open / "libstdc++.so.6").string() + ", which can be changed by everyone"));
}

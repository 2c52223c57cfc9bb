// SPDX-License-Identifier: BSD-3-Clause
// Pipes, sockets, devices and folders in the place of files: refused at once, by every command, and never
// waited for.
#include "program.hpp"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>

using namespace claros::test;

namespace {

void put_pipe(const fs::path& path) { REQUIRE(::mkfifo(path.c_str(), 0600) == 0); }

void put_socket(const fs::path& path) {
  const int file = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string name = path.string();
  REQUIRE(name.size() < sizeof address.sun_path);
  std::memcpy(address.sun_path, name.c_str(), name.size());
  REQUIRE(::bind(file, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
  ::close(file);
}

/// The program's answer to arguments that name something that is not a file.
void check_refused(const fs::path& folder, const Words& words, const std::string& what, int code) {
  const auto outcome = ask(folder, words);
  std::string line;
  for (const std::string& word : words) line += word + ' ';
  CAPTURE(line);
  CAPTURE(outcome.err);
  CHECK(outcome.code == code);
  CHECK(contains(outcome.err, what));
}

}  // namespace

TEST_CASE("what is not a file is refused wherever a file is expected") {
  const TestFolder folder;
  put_problem(folder);
  put_pipe(folder / "pipe");
  put_socket(folder / "socket");
  fs::create_directory(folder / "here");
  const std::pair<std::string, std::string> kinds[] = {
      {"pipe", "is a pipe"}, {"socket", "is a socket"}, {"/dev/zero", "is a device"}, {"here", "is a "}};
  for (const auto& [name, what] : kinds) {
    check_refused(folder.path(), {"run", name}, what, 2);
    check_refused(folder.path(), {"check", name}, what, 2);
    check_refused(folder.path(), {"run", "spec.ini", "objective.data=" + name}, what, 4);
    check_refused(folder.path(), {"run", "spec.ini", "objective.test=" + name}, what, 4);
    check_refused(folder.path(), {"run", "spec.ini", "trace.truth=" + name}, what, 4);
    check_refused(folder.path(), {"doctor", name.front() == '/' ? name : "./" + name}, name, 2);
  }
}

TEST_CASE("numbers in the place of a file are refused in one line, however many they are") {
  const TestFolder folder;
  put_problem(folder);
  std::string numbers = "0.5";
  for (int k = 0; k < 20000; ++k) numbers += ", 0.5";
  for (const std::string& text : {std::string("1 2.5 3"), std::string("1,-2e3"), std::string("1 inf nan"),
                                  numbers, std::string(5000, 'a')})
    for (const std::string key : {"objective.data", "objective.test", "trace.truth"}) {
      const auto outcome = ask(folder.path(), {"run", "spec.ini", "--quiet", key + "=" + text});
      CAPTURE(outcome.err);
      CHECK(outcome.code == 4);
      CHECK(contains(outcome.err, "expected the name of a file, found "));
      CHECK(outcome.err.size() < 400);
    }
}

TEST_CASE("a pipe in a folder of results, of plugins or of experiments is refused") {
  const TestFolder folder;
  put_problem(folder);
  REQUIRE(
      ask(folder.path(), {"run", "spec.ini", "--out", "fit", "--quiet", "output.checkpoint=0.001"}).code ==
      0);
  REQUIRE(fs::exists(folder / "fit/solution/U.mtx"));
  for (const std::string file :
       {"result.json", "trace.csv", "spec.ini", "solution/U.mtx", "solution/rows.csv", "checkpoint"}) {
    fs::copy(folder / "fit", folder / "copy", fs::copy_options::recursive);
    fs::remove(folder / "copy" / file);
    put_pipe(folder / "copy" / file);
    folder.put("pairs", "1 1\n");
    // Each ends, whichever of the files it reads.
    for (const Words& words :
         {Words{"predict", "copy", "pairs"}, Words{"resume", "copy"}, Words{"plot", "copy", "--terminal"},
          Words{"run", "spec.ini", "--out", "copy", "--quiet"},
          Words{"compare", "spec.ini", "--vary", "set.radius=1,2", "--out", "copy", "--quiet"}})
      CHECK(ask(folder.path(), words).code >= 0);
    fs::remove_all(folder / "copy");
  }
  check_refused(folder.path(), {"predict", "fit", "none"}, "no such file", 4);
  fs::create_directory(folder / "comparison");
  put_pipe(folder / "comparison/comparison.json");
  check_refused(folder.path(), {"plot", "comparison"}, "comparison.json", 4);
  fs::create_directory(folder / "plugins");
  fs::permissions(folder / "plugins", fs::perms::owner_all);
  put_pipe(folder / "plugins/claros_set_pipe.so");
  const auto listed = ask(folder.path(), {"list", "--plugin-path", (folder / "plugins").string()});
  CAPTURE(listed.out + listed.err);
  CHECK(contains(listed.out + listed.err, "is not a file"));
}

TEST_CASE("a specification on the standard input is read") {
  const TestFolder folder;
  const fs::path spec = put_problem(folder);
  Launch launch;
  launch.words = {"check", "/dev/stdin"};
  launch.folder = folder.path();
  launch.in = spec;
  const Outcome outcome = claros::test::launch(launch);
  CAPTURE(outcome.err);
  CHECK(contains(outcome.err + outcome.out, "ratings #1.txt"));  // beside /dev/stdin
}

TEST_CASE("what the environment asks for in vain is said") {
  const TestFolder folder;
  put_problem(folder);
  const auto with = [&](const std::string& variable) {
    Launch l;
    l.words = {"run", "spec.ini", "--quiet"};
    l.folder = folder.path();
    l.environment = {variable};
    return launch(l);
  };
  const Outcome misspelt = with("CLAROS_MEMROY=1GiB");
  CHECK(misspelt.code == 0);
  CHECK(contains(misspelt.err, "CLAROS_MEMROY is not one that Claros reads (did you mean 'CLAROS_MEMORY'?)"));
  for (const std::string bad : {"CLAROS_CPU=foo", "CLAROS_MEMORY=much"}) {
    const Outcome outcome = with(bad);
    CHECK(outcome.code == 2);
    CHECK(contains(outcome.err, bad.substr(0, bad.find('='))));
  }
  CHECK(with("CLAROS_MEMORY=1GiB").err.empty());
}

TEST_CASE("choices of a reader are in the result") {
  const TestFolder folder;
  put_problem(folder);
  const std::string text = folder.get("ratings #1.txt");
  folder.put("ratings #1.txt", text + "1e5x\t1\t3\n");
  REQUIRE(ask(folder.path(), {"run", "spec.ini", "--out", "fit", "--quiet"}).code == 0);
  const auto result = nlohmann::json::parse(folder.get("fit/result.json"));
  bool found = false;
  for (const std::string notice : result.at("notices"))
    found = found || (contains(notice, "'1e5x'") && contains(notice, "labels"));
  CHECK(found);
}

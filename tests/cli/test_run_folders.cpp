// SPDX-License-Identifier: BSD-3-Clause
// A folder belongs to one run: one process writes it, the earlier result is kept until the new one is
// complete, files of two runs are never mixed, and nothing is written through links or read from outside.
#include <doctest/doctest.h>

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <unistd.h>

#include <map>

#include "program.hpp"

using namespace claros::test;

namespace {

const Words kRun{"run", "spec.ini", "--quiet", "--out", "out"};

/// All files below a folder with their contents, but for the lock.
std::map<std::string, std::string> content(const TestFolder& folder, const std::string& name) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder / name))
    if (entry.is_regular_file() && entry.path().filename() != ".claros-lock")
      files[entry.path().lexically_relative(folder / name).string()] =
          folder.get(entry.path().lexically_relative(folder.path()).string());
  return files;
}

}  // namespace

TEST_CASE("folders: a second run is refused with the number of the first, before it writes anything") {
  const TestFolder folder;
  put_problem(folder);
  Child first({with(kRun, {"stop.iterations=0", "stop.seconds=600", "output.checkpoint=1000"}),
               folder.path(),
               {},
               false,
               {}});
  wait_for(folder / "out/spec.ini");
  const auto before = content(folder, "out");
  for (const Words& words : {kRun, Words{"resume", "out"}, with(kRun, {"output.checkpoint=0"})}) {
    const auto second = ask(folder.path(), words);
    CHECK(second.code != 0);
    CHECK(contains(second.err, "is in use by process "));
    CHECK(lines(second.err).size() == 1);
  }
  CHECK(content(folder, "out") == before);
  first.signal(SIGKILL);
  (void)first.wait();
  CHECK(fs::exists(folder / "out/.claros-lock"));  // of a process that has ended: the lock is free
  CHECK(ask(folder.path(), kRun).code == 0);
  CHECK_FALSE(fs::exists(folder / "out/.claros-lock"));
}

TEST_CASE("folders: the cells of a comparison and the whole are owned too") {
  const TestFolder folder;
  put_problem(folder);
  const Words grid{"compare", "spec.ini", "--quiet", "--vary", "set.radius=20,40", "--out", "grid"};
  Child first({with(grid, {"stop.iterations=0", "stop.seconds=600"}), folder.path(), {}, false, {}});
  wait_for(folder / "grid/comparison.json");
  CHECK(contains(ask(folder.path(), grid).err, "is in use by process "));
  first.signal(SIGKILL);
  (void)first.wait();
  CHECK(ask(folder.path(), grid).code == 0);
}

TEST_CASE(
    "folders: killed while a new run is on its way, the earlier result is kept and predict refuses the new "
    "one") {
  const TestFolder folder;
  put_problem(folder);
  folder.put("pairs.txt", "1 1\n6 5\n");
  REQUIRE(ask(folder.path(), kRun).code == 0);
  const auto right = ask(folder.path(), {"predict", "out", "pairs.txt"});
  REQUIRE(right.code == 0);
  const auto before = content(folder, "out");
  Child next(
      {with(kRun, {"set.radius=3", "stop.iterations=0", "stop.seconds=600", "output.checkpoint_every=50"}),
       folder.path(),
       {},
       false,
       {}});
  wait_for(folder / "out/.claros-earlier/result.json");
  wait_for(folder / "out/checkpoint");
  next.signal(SIGKILL);
  (void)next.wait();
  const auto refused = ask(folder.path(), {"predict", "out", "pairs.txt"});
  CHECK(refused.code == 4);
  CHECK(contains(refused.err, "holds a run that is not over"));
  CHECK(contains(refused.err, "out/.claros-earlier"));
  CHECK(content(folder, "out/.claros-earlier") == before);
  CHECK(ask(folder.path(), {"predict", "out/.claros-earlier", "pairs.txt"}).out == right.out);
  REQUIRE(ask(folder.path(), {"resume", "out", "stop.seconds=0", "stop.iterations=60", "--quiet"}).code == 0);
  CHECK_FALSE(fs::exists(folder / "out/.claros-earlier"));
  CHECK(ask(folder.path(), {"predict", "out", "pairs.txt"}).code == 0);
}

TEST_CASE("folders: predict, plot and resume refuse files of two runs") {
  const TestFolder folder;
  put_problem(folder);
  folder.put("pairs.txt", "1 1\n");
  const auto fresh = [&] {
    for (const std::string out : {"out", "other"}) {
      fs::remove_all(folder / out);
      REQUIRE(ask(folder.path(), {"run", "spec.ini", "--quiet",
                                  out == "out" ? "set.radius=40" : "set.radius=30", "--out", out})
                  .code == 0);
    }
  };
  const auto mixed = [&](const std::string& file, const Words& words, const std::string& expected) {
    fresh();
    fs::copy_file(folder / "other" / file, folder / "out" / file, fs::copy_options::overwrite_existing);
    const auto outcome = ask(folder.path(), words);
    INFO(file, ": ", outcome.err);
    CHECK(outcome.code == 4);
    CHECK(contains(outcome.err, expected));
  };
  const Words predict{"predict", "out", "pairs.txt"}, plot{"plot", "out"}, resume{"resume", "out"};
  mixed("solution/U.mtx", predict, "U.mtx: is not the file that was written with result.json");
  mixed("spec.ini", predict, "mixes two runs");
  mixed("result.json", predict, "mixes two runs");
  if (std::system("command -v gnuplot >/dev/null") == 0)
    mixed("trace.csv", plot, "trace.csv: is not the file");
  mixed("checkpoint", resume, "belongs to run ");
  mixed("spec.ini", resume, "mixes two runs");
  fresh();
  folder.put("out/solution/x.mtx", "%%MatrixMarket matrix array real general\n1 1\n1\n");
  CHECK(contains(ask(folder.path(), predict).err, "x.mtx: is not a file of the run"));
  fresh();
  std::string old = folder.get("out/spec.ini");
  folder.put("out/spec.ini", old.erase(0, old.find('\n') + 1));
  CHECK(contains(ask(folder.path(), resume).err, "as those of earlier versions"));
  CHECK(contains(ask(folder.path(), predict).err, "as those of earlier versions"));
}

TEST_CASE("folders: without checkpoints none of an earlier run is left to resume from") {
  const TestFolder folder;
  put_problem(folder);
  REQUIRE(ask(folder.path(), kRun).code == 0);
  REQUIRE(fs::exists(folder / "out/checkpoint"));
  REQUIRE(ask(folder.path(), with(kRun, {"output.checkpoint=0", "set.radius=30"})).code == 0);
  CHECK_FALSE(fs::exists(folder / "out/checkpoint"));
  const auto resumed = ask(folder.path(), {"resume", "out"});
  CHECK(resumed.code == 0);
  CHECK(contains(resumed.err, "starts from the beginning"));
}

TEST_CASE("folders: what killed processes left is cleaned by the next owner, other files are not") {
  const TestFolder folder;
  put_problem(folder);
  REQUIRE(ask(folder.path(), kRun).code == 0);
  const std::string dead = ".claros-2147483647-0.tmp",
                    living = ".claros-" + std::to_string(::getpid()) + "-0.tmp";
  for (const std::string& place : {std::string("out/"), std::string("out/solution/")})
    folder.put(place + dead, "x");
  folder.put("out/" + living, "x"), folder.put("out/notes.txt", "mine");
  REQUIRE(ask(folder.path(), {"resume", "out", "--quiet"}).code == 0);
  CHECK_FALSE(fs::exists(folder / "out" / dead));
  CHECK_FALSE(fs::exists(folder / "out/solution" / dead));
  CHECK(fs::exists(folder / "out" / living));
  CHECK(folder.get("out/notes.txt") == "mine");
}

TEST_CASE("folders: a killed process's temporary file beside a target goes with the next file there") {
  const TestFolder folder;
  folder.put("rows.csv", "a,y\n1,2\n2,3\n3,7\n");
  const std::string dead = ".claros-2147483647-0.tmp", held = ".claros-2147483646-0.tmp",
                    living = ".claros-" + std::to_string(::getpid()) + "-0.tmp";
  for (const std::string& name : {dead, held, living, std::string(".claros-notes.txt")})
    folder.put(name, "x");
  // As a process of another machine holds it.
  const int descriptor = ::open((folder / held).c_str(), O_RDONLY | O_CLOEXEC);
  REQUIRE(::flock(descriptor, LOCK_EX | LOCK_NB) == 0);
  const auto converted = ask(folder.path(), {"convert", "rows.csv", "--out", "rows.design"});
  ::close(descriptor);
  REQUIRE_MESSAGE(converted.code == 0, converted.err);
  CHECK_FALSE(fs::exists(folder / dead));
  for (const std::string& name : {held, living, std::string(".claros-notes.txt")})
    CHECK(fs::exists(folder / name));
}

TEST_CASE("folders: a grid that met a full disk, or was ended anywhere, is started again") {
  const TestFolder folder;
  put_problem(folder);
  Launch l;
  l.folder = folder.path();
  for (const std::string command : {"compare", "tune"}) {
    l.words = {command, "spec.ini", "--quiet", command == "tune" ? "--over" : "--vary", "set.radius=20,40",
               "--out", command};
    for (const unsigned long long most : {1ULL, 300ULL, 600ULL, 1200ULL, 2400ULL, 4800ULL, 9600ULL}) {
      CAPTURE(most);
      fs::remove_all(folder / command);
      l.largest_file = most;
      (void)launch(l);
      l.largest_file = 0;
      const auto again = launch(l);
      CHECK_MESSAGE(again.code == 0, again.err);
      CHECK(nlohmann::json::parse(folder.get(command + "/comparison.json")).at("complete") == true);
    }
    // What one leaves that is ended while it takes an unfinished grid away.
    const std::string json = folder.get(command + "/comparison.json");
    for (const std::string& moved : {"comparison.csv", "spec.ini"}) {
      std::string unfinished = json;
      const std::string complete = "\"complete\": true";
      REQUIRE(contains(unfinished, complete));
      unfinished.replace(unfinished.find(complete), complete.size(), "\"complete\": false");
      folder.put(command + "/comparison.json", unfinished);
      fs::create_directory(folder / command / ".claros-gone");
      fs::rename(folder / command / moved, folder / command / ".claros-gone" / moved);
      const auto again = launch(l);
      CHECK_MESSAGE(again.code == 0, again.err);
    }
  }
}

TEST_CASE("folders: nothing is written through a symbolic link") {
  const TestFolder folder;
  put_problem(folder);
  fs::create_directory(folder / "elsewhere");
  for (const std::string name : {"solution", "checkpoint", "trace.csv", "spec.ini", ".claros-new",
                                 ".claros-lock", ".claros-earlier"}) {
    INFO(name);
    fs::remove_all(folder / "out");
    REQUIRE(ask(folder.path(), kRun).code == 0);
    fs::remove_all(folder / "out" / name);
    const fs::path to = name == "solution" || name.starts_with(".claros-")
                            ? folder / "elsewhere"
                            : folder.put("elsewhere-" + name, folder.get("out/" + name));
    fs::create_symlink(to, folder / "out" / name);
    const auto outcome = ask(folder.path(), {"resume", "out", "stop.iterations=70"});
    CHECK(outcome.code != 0);
    CHECK(fs::is_empty(folder / "elsewhere"));
    CHECK(ask(folder.path(), kRun).code != 0);
    CHECK(fs::is_empty(folder / "elsewhere"));
  }
}

TEST_CASE("folders: plot reads within the folder of a comparison alone" *
          doctest::skip(std::system("command -v gnuplot >/dev/null") != 0)) {
  const TestFolder folder;
  put_problem(folder);
  REQUIRE(
      ask(folder.path(), {"compare", "spec.ini", "--quiet", "--vary", "set.radius=20,40", "--out", "grid"})
          .code == 0);
  REQUIRE(ask(folder.path(), kRun).code == 0);
  REQUIRE(ask(folder.path(), {"plot", "grid"}).code == 0);
  const std::string sound = folder.get("grid/comparison.json");
  for (const std::string& place :
       {std::string("../out"), (folder / "out").string(), std::string("radius-20/../../out"),
        std::string("link"), std::string(".")}) {
    INFO(place);
    std::error_code code;
    fs::create_directory_symlink(folder / "out", folder / "grid/link", code);
    std::string text = sound;
    text.replace(text.find("radius-20/0"), 11, place);
    folder.put("grid/comparison.json", text);
    const auto outcome = ask(folder.path(), {"plot", "grid"});
    CHECK(outcome.code == 4);
    CHECK(contains(outcome.err, "which is not within"));
  }
  std::string text = sound;
  folder.put("grid/comparison.json", text.replace(text.find("radius-20/0"), 11, "radius-40/0"));
  CHECK(contains(ask(folder.path(), {"plot", "grid"}).err,
                 "holds another run than the one that comparison.json is of"));
}

TEST_CASE(
    "a full disk: a checkpoint that cannot be written is reported and the run goes on; the earlier result is "
    "kept, "
    "the new one is shown") {
  const TestFolder folder;
  std::string ratings;
  for (int i = 1; i <= 150; ++i)
    for (int j = 1; j <= 90; ++j)
      ratings += std::to_string(i) + ' ' + std::to_string(j) + ' ' + std::to_string((i * j) % 7) + '\n';
  put_problem(folder);
  REQUIRE(ask(folder.path(), kRun).code == 0);
  const auto before = content(folder, "out");
  folder.put("ratings #1.txt", ratings);
  // spec.ini has room, checkpoints and the solution have none.
  const auto full = launch({with(kRun, {"output.checkpoint_every=10", "--json"}),
                            folder.path(),
                            {},
                            false,
                            {},
                            "/dev/null",
                            4096});
  INFO(full.err);
  CHECK(full.code == 4);
  CHECK(contains(full.err, "checkpoint: cannot be written"));
  CHECK(contains(full.err, "the run goes on"));
  CHECK(nlohmann::json::parse(full.out).at("iterations") == 60);
  CHECK(content(folder, "out") == before);

  // A resumed run keeps its earlier result and its checkpoint.
  REQUIRE(ask(folder.path(), kRun).code == 0);
  const auto whole = content(folder, "out");
  const auto resumed = launch({{"resume", "out", "stop.iterations=80", "--json", "--quiet"},
                               folder.path(),
                               {},
                               false,
                               {},
                               "/dev/null",
                               4096});
  CHECK(resumed.code == 4);
  CHECK(nlohmann::json::parse(resumed.out).at("iterations") == 80);
  auto after = content(folder, "out");
  CHECK(contains(after["spec.ini"], "iterations = 80"));
  after["spec.ini"] = whole.at("spec.ini");
  CHECK(after == whole);
  REQUIRE(ask(folder.path(), {"resume", "out", "--quiet"}).code == 0);
}

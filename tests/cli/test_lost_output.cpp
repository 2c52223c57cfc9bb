// SPDX-License-Identifier: BSD-3-Clause
// Outputs that are closed, full or limited: results go to what still works, and the exit code says what was
// lost.
#include "program.hpp"

#include <signal.h>

using namespace claros::test;

namespace {

constexpr int kLost = 7, kData = 4, kInterrupted = 130;

Launch run_of(const TestFolder& folder, const std::string& out) {
  Launch l;
  l.folder = folder.path();
  l.words = {"run", "spec.ini"};
  if (!out.empty()) l.words.insert(l.words.end(), {"--out", out});
  return l;
}

bool whole(const TestFolder& folder, const std::string& out) {
  return fs::exists(folder / out / "result.json") &&
         nlohmann::json::parse(folder.get(out + "/result.json"))["iterations"] == 60;
}

}  // namespace

TEST_CASE("lost output: a standard error that is closed or full ends no run, and sets the exit code") {
  const TestFolder folder;
  put_problem(folder);
  for (const bool closed : {true, false}) {
    CAPTURE(closed);
    const std::string out = closed ? "closed" : "full";
    Launch l = run_of(folder, out);
    if (closed)
      l.closed = {2};
    else
      l.err = "/dev/full";
    const Outcome outcome = launch(l);
    CHECK(outcome.code == kLost);
    CHECK(contains(outcome.out, "the budget of iterations is used up"));
    CHECK(whole(folder, out));
    // With nothing to say, nothing is lost.
    l.words = {"run", "spec.ini", "--quiet"};
    CHECK(launch(l).code == 0);
    // An error of its own has the exit code.
    l.words = {"run", "spec.ini", "set.radius=-1"};
    CHECK(launch(l).code == 2);
  }
}

TEST_CASE("lost output: a component that prints a note is not blamed for a full standard error") {
  const TestFolder folder;
  Launch l;
  l.folder = folder.path();
  l.words = {"run",
             "data.use=synthetic-regression",
             "data.rows=40",
             "data.cols=60",
             "objective.use=linear-model",
             "objective.standardize=yes",
             "algorithm.use=proximal-gradient",
             "stop.iterations=3",
             "--verbose"};
  const Outcome said = launch(l);
  REQUIRE(said.code == 0);
  REQUIRE(contains(said.err, "design of 40 x 60"));
  l.err = "/dev/full";
  const Outcome outcome = launch(l);
  CHECK(outcome.code == kLost);
  CHECK(lines(outcome.out).front() == lines(said.out).front());
}

TEST_CASE(
    "lost output: a standard output that is closed or full is reported, and the folder has the result") {
  const TestFolder folder;
  put_problem(folder);
  for (const bool closed : {true, false}) {
    CAPTURE(closed);
    const std::string out = closed ? "closed" : "full";
    Launch l = run_of(folder, out);
    if (closed)
      l.closed = {1};
    else
      l.out = "/dev/full";
    const Outcome outcome = launch(l);
    CHECK(outcome.code == kData);
    CHECK(contains(outcome.err, "standard output"));
    CHECK_FALSE(contains(outcome.err, "relative gap"));
    CHECK(whole(folder, out));
    // No file was opened in its place.
    for (const auto& entry : fs::recursive_directory_iterator(folder / out))
      if (entry.is_regular_file())
        CHECK_FALSE(contains(folder.get(fs::relative(entry.path(), folder.path()).string()), "which means"));
    // Without a folder the result goes to the standard error.
    l.words = {"run", "spec.ini"};
    const Outcome shown = launch(l);
    CHECK(shown.code == kData);
    CHECK(contains(shown.err, "relative gap"));
  }
}

TEST_CASE("lost output: all three descriptors closed, the folder still has the result") {
  const TestFolder folder;
  put_problem(folder);
  Launch l = run_of(folder, "out");
  l.closed = {0, 1, 2};
  CHECK(launch(l).code == kData);
  CHECK(whole(folder, "out"));
}

TEST_CASE("lost output: a limit on the size of files is an error of the file, and the result is shown") {
  const TestFolder folder;
  put_problem(folder);
  Launch l = run_of(folder, "out");
  l.largest_file = 3000;  // spec.ini fits, the trace does not
  const Outcome outcome = launch(l);
  CHECK(outcome.code == kData);
  CHECK(contains(outcome.out, "the budget of iterations is used up"));
  CHECK(contains(outcome.err, "cannot be written"));
  CHECK_FALSE(fs::exists(folder / "out/result.json"));
}

#if !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)  // whose shadow memory is larger than any such limit
TEST_CASE("lost output: an address space without room for the linear algebra is refused at once") {
  const TestFolder folder;
  put_problem(folder);
  for (const unsigned long long megabytes : {100, 150, 200, 1500}) {
    CAPTURE(megabytes);
    Launch l = run_of(folder, "out" + std::to_string(megabytes));
    l.address_space = megabytes << 20U;
    const Outcome outcome = launch(l);
    if (megabytes == 1500) {
      CHECK(outcome.code == 0);
    } else {
      CHECK(outcome.code == kData);
      CHECK(contains(outcome.err, "ulimit"));
      if (megabytes == 100) CHECK(contains(outcome.err, "the address space is limited to 100 MiB"));
    }
    // What needs no linear algebra works.
    l.words = {"list", "set"};
    CHECK(launch(l).code == 0);
  }
}
#endif

TEST_CASE("hangup: a closed terminal leaves a checkpoint and a result, also after several signals") {
  const TestFolder folder;
  put_problem(folder);
  for (const bool ignored : {false, true}) {
    CAPTURE(ignored);
    const std::string out = ignored ? "nohup" : "out";
    Launch l = run_of(folder, out);
    l.words.insert(l.words.end(), {"stop.iterations=100000000", "output.checkpoint_every=1000"});
    if (ignored) l.ignored = {SIGHUP};
    Child child(l);
    wait_for(folder / out / "checkpoint");  // which is written after the handlers of signals are set
    child.signal(SIGHUP);
    child.signal(SIGHUP);
    if (ignored) {
      wait_for_next(folder / out / "checkpoint");  // the run goes on
      wait_for_next(folder / out / "checkpoint");
      CHECK_FALSE(fs::exists(folder / out / "result.json"));
      child.signal(SIGINT);
    }
    CHECK(child.wait().code == kInterrupted);
    CHECK(fs::exists(folder / out / "checkpoint"));
    CHECK(nlohmann::json::parse(folder.get(out + "/result.json"))["status"] == "interrupted");
  }
}

TEST_CASE("limits: too few open files, or a small stack, are named with the limit to raise") {
  const TestFolder folder;
  put_problem(folder);
  const auto under = [&](const std::string& limit, const std::string& words) {
    // The shell needs descriptors itself: its output is redirected, and what it inherited closed, before the
    // limit.
    folder.put("limited.sh",
               "exec 2>&1\nfor n in /proc/self/fd/*; do n=${n##*/}; [ $n -gt 2 ] && [ $n -lt 255 ] && "
               "eval \"exec $n>&-\"; done\nulimit " +
                   limit + " && exec '" CLAROS_PROGRAM "' " + words);
    const std::string command = "cd '" + folder.path().string() + "' && bash limited.sh > said";
    const int status = std::system(command.c_str());
    return std::pair(WIFEXITED(status) ? WEXITSTATUS(status) : -1, folder.get("said"));
  };
  for (const std::string most : {"4", "5", "6", "7", "8"})
    for (const std::string words : {"run spec.ini", "list set", "run spec.ini --out out"}) {
      CAPTURE(most);
      CAPTURE(words);
      const auto [code, said] = under("-n " + most, words);
      CAPTURE(said);
      CHECK((code == 0 || contains(said, "(ulimit -n)")));
      for (const std::string& line : lines(said))
        if (contains(line, "Too many open files")) CHECK(contains(line, "(ulimit -n)"));
    }
  const auto [code, said] = under("-s 32", "run spec.ini");
  CAPTURE(said);
  CHECK((code == 0 || code > 128 || contains(said, "ulimit -s")));
}

TEST_CASE("a working folder that is gone is named, with what to do") {
  const TestFolder folder;
  folder.put("gone.sh", "mkdir gone && cd gone && rmdir ../gone && exec '" CLAROS_PROGRAM
                        "' run "
                        "objective.use=distance objective.data=1,2 set.use=box 2>&1");
  const std::string command = "cd '" + folder.path().string() + "' && bash gone.sh > said";
  CHECK(WEXITSTATUS(std::system(command.c_str())) == 4);
  const std::string said = folder.get("said");
  CAPTURE(said);
  CHECK(contains(said, "the working folder: cannot be found"));
  CHECK(contains(said, "(cd)"));
  CHECK_FALSE(contains(said, "filesystem error"));
}

TEST_CASE("a relative folder of CLAROS_PLUGIN_PATH is not searched, and that is said") {
  const TestFolder folder;
  put_problem(folder);
  fs::create_directory(folder / "mine");
  Launch l;
  l.folder = folder.path();
  l.words = {"run", "spec.ini", "--quiet"};
  l.environment = {"CLAROS_PLUGIN_PATH=mine:" + (folder / "mine").string()};
  const auto said = launch(l);
  CHECK(said.code == 0);
  CHECK(lines(said.err).size() == 1);
  CHECK(contains(said.err, "CLAROS_PLUGIN_PATH: 'mine' is a relative path"));
}

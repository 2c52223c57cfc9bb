// SPDX-License-Identifier: BSD-3-Clause
// The library prints nothing, installs no signal handler and changes no setting of the process.
#include <signal.h>
#include <unistd.h>

#include <clocale>
#include <cstdio>

#include "compose_for_test.hpp"

using namespace claros;
using namespace claros::test;

namespace {

/// What is written to a file descriptor while this lives.
class Captured {
 public:
  Captured(int descriptor, const fs::path& file)
      : descriptor_(descriptor), saved_(::dup(descriptor)), file_(std::fopen(file.c_str(), "w+")) {
    std::fflush(nullptr);
    ::dup2(::fileno(file_), descriptor_);
  }
  ~Captured() { (void)stop(); }
  /// How many bytes it was.
  long stop() {
    if (!file_) return written_;
    std::fflush(nullptr);
    written_ = static_cast<long>(::lseek(::fileno(file_), 0, SEEK_END));
    ::dup2(saved_, descriptor_);
    ::close(saved_);
    std::fclose(file_);
    file_ = nullptr;
    return written_;
  }

 private:
  int descriptor_, saved_;
  std::FILE* file_;
  long written_ = 0;
};

struct Handlers {
  std::vector<void (*)(int)> handler;
  std::vector<int> flags;
  bool operator==(const Handlers&) const = default;
};

Handlers handlers() {
  Handlers all;
  for (int number = 1; number < SIGRTMIN; ++number) {
    struct sigaction action {};
    if (::sigaction(number, nullptr, &action) != 0) continue;
    all.handler.push_back(action.sa_handler);
    all.flags.push_back(action.sa_flags);
  }
  sigset_t blocked;
  ::sigprocmask(SIG_SETMASK, nullptr, &blocked);
  for (int number = 1; number < SIGRTMIN; ++number) all.flags.push_back(sigismember(&blocked, number));
  return all;
}

/// Everything from plugin folders to run folders, with runs that end well and runs that fail.
void live_a_little(const SmallProblem& problem, const fs::path& out) {
  Catalog catalog;
  catalog.scan({{CLAROS_TEST_PLUGIN_DIR, "test", true}, {CLAROS_BAD_PLUGIN_DIR, "test", true}});
  for (const std::string engine : {"lanczos", "arpack", "dense"}) {
    const Composition c =
        compose(catalog,
                spec_of(problem.words(4.0, {"stop.iterations=20", "set.engine=" + engine, "run.threads=2"})));
    write_run_folder(out, c, run_composition(c));
  }
  const Words failing{"objective.use=sound-distance", "algorithm.use=frank-wolfe", "stop.iterations=20"};
  for (const std::string set : {"nan-vertex", "throws-in-minimize", "vertex-outside"})
    (void)solve(failing + Words{"set.use=" + set}, {}, catalog);
  (void)solve(failing + Words{"set.use=nuclear-ball", "set.radius=1", "objective.use=nan-gradient"}, {},
              catalog);
  (void)solve(failing + Words{"set.use=nuclear-ball", "set.radius=1", "set.engine=dense",
                              "objective.use=nan-gradient"},
              {}, catalog);
  try {
    (void)compose(catalog, spec_of(failing));
  } catch (const Error&) {
    return;
  }
  FAIL_CHECK("a composition without a set was accepted");
}

}  // namespace

TEST_CASE("silence: nothing is printed, no signal handler is installed, no locale is set") {
  const SmallProblem problem(801, 20, 15, 2, 120);
  const TestFolder folder;
  const Handlers before = handlers();
  const std::string locale = std::setlocale(LC_ALL, nullptr);
  Captured out(1, folder / "out"), err(2, folder / "err");
  live_a_little(problem, folder / "run");
  CHECK(err.stop() == 0);
  CHECK(out.stop() == 0);
  CHECK(handlers() == before);
  CHECK(locale == std::setlocale(LC_ALL, nullptr));
  CHECK(folder.get("out").empty());
  CHECK(folder.get("err").empty());
}

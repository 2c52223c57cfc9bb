// SPDX-License-Identifier: BSD-3-Clause
#include "cli/ranks.hpp"

#include <claros/results/checkpoint.hpp>

#include <fmt/format.h>

#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <utility>
#include <vector>

#include "cli/messages.hpp"

namespace claros::cli {

namespace {

constexpr const char* kLibrary = "libclaros-mpi.so";
constexpr const char* kPatience = "CLAROS_MPI_PATIENCE";
constexpr double kPatienceSeconds = 60.0;

double patience() {
  const char* text = std::getenv(kPatience);
  const double seconds = text ? std::strtod(text, nullptr) : kPatienceSeconds;
  if (!(seconds > 0.0))
    throw Error(ErrorKind::usage, kPatience, fmt::format("expected seconds above 0, got '{}'", text),
                "leave it out for 60 seconds");
  return seconds;
}

void* library() {
  if (void* found = ::dlopen(kLibrary, RTLD_NOW | RTLD_GLOBAL)) return found;
  const char* reason = ::dlerror();
  throw Error(ErrorKind::usage, "MPI",
              fmt::format("a launcher of MPI has started several processes, and {} cannot be loaded: {}",
                          kLibrary, reason ? reason : "no reason given"),
              "install libopenmpi-dev and build claros again, or start one process");
}

template <class Function>
Function function(void* library, const char* name) {
  void* const found = ::dlsym(library, name);
  if (!found)
    throw Error(ErrorKind::usage, kLibrary, fmt::format("has no function {}", name), "build it again");
  return reinterpret_cast<Function>(found);
}

void print_nothing() {
  const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere < 0) return;
  (void)::dup2(nowhere, STDOUT_FILENO);
  (void)::dup2(nowhere, STDERR_FILENO);
  ::close(nowhere);
}

Error with_rank(const Error& error, int rank) {
  std::vector<Complaint> complaints = error.complaints();
  for (Complaint& complaint : complaints) complaint.what += fmt::format(" (on rank {})", rank);
  return {error.kind(), std::move(complaints)};
}

}  // namespace

void Ranks::start() {
  if (launched_processes() < 2) return;
  void* const mpi = library();
  const auto begin = function<World* (*)(double, int)>(mpi, "claros_mpi_start");
  finalize_ = function<void (*)()>(mpi, "claros_mpi_end");
  World* const world = begin(patience(), ::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3));
  if (!world) throw Error(ErrorKind::data, "MPI", "does not start", "look at what mpirun prints");
  scope_ = std::make_unique<WorldScope>(*world);
  if (world->rank() > 0) print_nothing();
}

int Ranks::end(int code) noexcept {
  if (!scope_) return code;
  World& world = World::here();
  const auto error = first_reported();
  try {
    if (error) world.fail("end of the program", with_rank(*error, world.rank()));
    (void)world.largest("end of the program", code);
  } catch (const Error& caught) {
    if (!error) report(caught), code = exit_code(caught.kind());
  }
  finalize_();
  return code;
}

bool is_first_rank() noexcept { return World::here().rank() == 0; }

void expect_same_on_all_ranks(const std::string& name, const std::string& text, const std::string& remedy) {
  World& world = World::here();
  if (world.size() == 1) return;
  const auto others = ranks_that_differ(world, name.c_str(), text_number(text));
  if (others.empty()) return;
  throw Error(ErrorKind::usage, "ranks",
              fmt::format("expected the same on all of them, got {} on {} that {} from rank 0", name,
                          rank_list(others), others.size() == 1 ? "differs" : "differ"),
              remedy);
}

void ask_for_start(const Composition& composition, const std::function<void()>& ask) {
  World& world = World::here();
  if (world.largest("start of checkpoints", ask ? 1 : 0) == 0) return;
  share_contents(composition, world);
  if (ask) return ask();
  if (composition.objective->terms() != kUnbounded)
    (void)composition.objective->value(composition.start_point());
}

CommonEnd::CommonEnd(RunSettings& settings) {
  if (World::here().size() == 1) return;
  constexpr double kNever = 1e18;
  interrupt_ = std::exchange(settings.interrupt, nullptr);
  if (settings.stop.seconds > 0) seconds_ = std::exchange(settings.stop.seconds, kNever);
  settings.on_step = [this](const Step&) { return after_step(); };
}

bool CommonEnd::after_step() {
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin_;
  Wish wish = seconds_ > 0 && elapsed.count() >= seconds_ ? Wish::seconds : Wish::go_on;
  if (interrupt_ && interrupt_->load()) wish = Wish::interrupt;
  wish_ = static_cast<Wish>(World::here().largest("end of a step", static_cast<Index>(wish)));
  return wish_ == Wish::go_on;
}

void CommonEnd::name(RunResult& result) const {
  if (result.status != Status::stopped_by_host) return;
  if (wish_ == Wish::seconds) result.status = Status::seconds;
  if (wish_ == Wish::interrupt) result.status = Status::interrupted;
}

std::string traffic_line() {
  const World& world = World::here();
  if (world.size() == 1) return {};
  const Traffic t = world.traffic();
  return fmt::format(
      "{} ranks: rank 0 made {} collective calls, sent {} bytes in them, and spent {:.3g} s there",
      world.size(), t.calls, t.bytes, t.seconds);
}

}  // namespace claros::cli

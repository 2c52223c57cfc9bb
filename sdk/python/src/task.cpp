// SPDX-License-Identifier: BSD-3-Clause
#include "task.hpp"
#include "blas_threads.hpp"

#include <chrono>
#include <csignal>

namespace claros::python {

namespace {

/// Signals are answered by the thread that waits.
class BlockedSignals {
 public:
  BlockedSignals() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~BlockedSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_;
};

}  // namespace

std::shared_ptr<Task> Task::start(Work work, bool calls_python) {
  auto task = std::make_shared<Task>();
  const BlockedSignals blocked;
  std::thread([task, work = std::move(work), calls_python]() mutable {
    task->work(work, calls_python);
    work = nullptr;
    const std::lock_guard lock(task->mutex_);
    task->over_ = true;
    task->ended_.notify_all();
  }).detach();
  return task;
}

void Task::work(const Work& work, bool calls_python) {
  if (!calls_python) return run(work);
  const py::gil_scoped_acquire state;
  const py::gil_scoped_release free;
  run(work);
}

void Task::run(const Work& work) {
  const Raised raised;
  const OneBlasThread one;
  try {
    deliver_ = work(*this);
  } catch (...) {
    error_ = std::current_exception();
  }
  raised_ = raised.first();
}

bool Task::wait(double seconds) {
  const py::gil_scoped_release free;
  std::unique_lock lock(mutex_);
  return ended_.wait_for(lock, std::chrono::duration<double>(seconds), [this] { return over_; });
}

py::object Task::result() {
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
  return std::exchange(deliver_, nullptr)();
}

py::object Task::take_raised() {
  const auto taken = std::exchange(raised_, nullptr);
  return taken ? *taken : py::none();
}

MessageSink Task::messages() {
  return [this](Severity severity, const std::string& text) {
    const std::lock_guard lock(mutex_);
    messages_.emplace_back(severity == Severity::warning, text);
  };
}

std::vector<std::pair<bool, std::string>> Task::taken_messages() {
  const std::lock_guard lock(mutex_);
  return std::exchange(messages_, {});
}

}  // namespace claros::python

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

void Task::End::come() {
  const std::lock_guard lock(mutex_);
  come_ = true;
  here_.notify_all();
}

bool Task::End::wait(double seconds) {
  std::unique_lock lock(mutex_);
  return here_.wait_for(lock, std::chrono::duration<double>(seconds), [this] { return come_; });
}

std::shared_ptr<Task> Task::start(Work work, bool calls_python) {
  auto task = std::make_shared<Task>();
  const BlockedSignals blocked;
  std::thread([task, work = std::move(work), calls_python]() mutable {
    task->work(work, calls_python);
    work = nullptr;
    const auto end = task->end_;
    task = nullptr;  // who waits is then the only owner: what Python lets go of is free at once
    end->come();
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
  return end_->wait(seconds);
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
  return [kept = weak_from_this()](Severity severity, const std::string& text) {
    const auto task = kept.lock();
    if (!task) return;
    const std::lock_guard lock(task->mutex_);
    task->messages_.emplace_back(severity == Severity::warning, text);
  };
}

std::vector<std::pair<bool, std::string>> Task::taken_messages() {
  const std::lock_guard lock(mutex_);
  return std::exchange(messages_, {});
}

}  // namespace claros::python

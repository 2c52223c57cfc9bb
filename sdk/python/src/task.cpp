// SPDX-License-Identifier: BSD-3-Clause
#include "task.hpp"
#include "blas_threads.hpp"

#include <pthread.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <deque>

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

/// Threads that wait for the next piece of work: to start one costs more than a small solve. One that has
/// waited for kPatience ends. A process that was forked has none of them and starts with a new object. It
/// lives as long as the process, whose end no waiting thread holds up.
class Workers {
 public:
  using Job = std::function<void()>;

  static Workers& all() {
    static const int registered = ::pthread_atfork(nullptr, nullptr, [] { here().store(new Workers); });
    (void)registered;
    return *here().load();
  }

  void start(Job job) {
    std::unique_lock lock(mutex_);
    if (static_cast<std::size_t>(idle_) > jobs_.size()) {
      jobs_.push_back(std::move(job));
      come_.notify_one();
      return;
    }
    lock.unlock();
    const BlockedSignals blocked;
    std::thread([this, job = std::move(job)]() mutable {
      job();
      job = nullptr;
      while (take(job)) std::exchange(job, nullptr)();
    }).detach();
  }

 private:
  static constexpr std::chrono::seconds kPatience{10};
  static constexpr int kMostIdle = 4;

  static std::atomic<Workers*>& here() {
    static std::atomic<Workers*> now = new Workers;
    return now;
  }

  /// Waits for a job; false if none came.
  bool take(Job& job) {
    std::unique_lock lock(mutex_);
    if (idle_ >= kMostIdle) return false;
    ++idle_;
    const bool come = come_.wait_for(lock, kPatience, [this] { return !jobs_.empty(); });
    --idle_;
    if (!come) return false;
    job = std::move(jobs_.front());
    jobs_.pop_front();
    return true;
  }

  std::mutex mutex_;
  std::condition_variable come_;
  std::deque<Job> jobs_;
  int idle_ = 0;  ///< threads that wait, those included for which a job is there
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
  auto job = [task, work = std::move(work), calls_python]() mutable {
    task->work(work, calls_python);
    work = nullptr;
    const auto end = task->end_;
    task = nullptr;  // who waits is then the only owner: what Python lets go of is free at once
    end->come();
  };
  if (!calls_python) {
    Workers::all().start(std::move(job));
    return task;
  }
  const BlockedSignals blocked;
  std::thread(std::move(job)).detach();
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

// SPDX-License-Identifier: BSD-3-Clause
/// @file task.hpp  Work in a thread of its own, so that the interpreter stays free to run other threads and
/// to answer signals.
#pragma once

#include <claros/context.hpp>

#include "objects.hpp"

#include <atomic>
#include <condition_variable>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace claros::python {

/// One call of the library. The object is shared by the thread that works and the one that waits; where the
/// latter gives up, the former ends by itself.
class Task : public std::enable_shared_from_this<Task> {
 public:
  /// Makes what Python gets, with the lock.
  using Deliver = std::function<py::object()>;
  /// Runs without the lock.
  using Work = std::function<Deliver(Task&)>;

  /// Starts the work. `calls_python`: its thread keeps a state of the interpreter, so that taking the lock is
  /// cheap.
  static std::shared_ptr<Task> start(Work work, bool calls_python);

  /// Waits for at most so many seconds without the lock; whether the work is over.
  bool wait(double seconds);
  /// The result, or throws what the work threw. Once, after the end.
  py::object result();
  bool has_raised() const noexcept { return raised_ != nullptr; }
  /// What Python code raised first, or None. Once: its traceback holds the frames that hold this task, and
  /// the garbage collector does not see such a cycle.
  py::object take_raised();
  void interrupt() noexcept { interrupt_ = true; }
  /// Polled by the run.
  const std::atomic<bool>& interrupted() const noexcept { return interrupt_; }
  /// Keeps notes and warnings while the task lives; from any thread.
  MessageSink messages();
  std::vector<std::pair<bool, std::string>> taken_messages();

 private:
  /// Outlives the task where nobody waits any more.
  class End {
   public:
    void come();
    bool wait(double seconds);

   private:
    std::mutex mutex_;
    std::condition_variable here_;
    bool come_ = false;
  };

  void work(const Work& work, bool calls_python);
  void run(const Work& work);

  std::atomic<bool> interrupt_ = false;
  std::mutex mutex_;
  std::shared_ptr<End> end_ = std::make_shared<End>();
  Deliver deliver_;
  std::exception_ptr error_;
  std::shared_ptr<py::object> raised_;
  std::vector<std::pair<bool, std::string>> messages_;
};

}  // namespace claros::python

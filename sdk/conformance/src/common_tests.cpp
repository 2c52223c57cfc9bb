// SPDX-License-Identifier: BSD-3-Clause
// Tests of components of every kind: the same work gives the same bits, whatever else runs.
#include <claros/child_process.hpp>

#include <time.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "composed.hpp"
#include "exercise.hpp"

namespace claros::doctor {

namespace {

const std::string kRace =
    "a data race: a static or global variable, or a cache shared by instances; keep it in the object";

Settings usual_settings(const Bench& bench) {
  return bench.subject().entry.kind == Kind::estimator ? estimator_settings(bench) : bench.settings();
}

/// Leaves NaN in the memory that the next allocations get, so that reading it uninitialised shows.
void dirty_memory() {
  std::vector<void*> blocks;
  for (std::size_t size = 16; size <= (1U << 16); size += size / 2)
    for (int k = 0; k < 8; ++k) {
      void* block = std::malloc(size);
      if (block) std::memset(block, 0xff, size);
      blocks.push_back(block);
    }
  for (void* block : blocks) std::free(block);
}

void same(const Bench& bench, const Numbers& first, const Numbers& second, const std::string& what,
          const std::string& mistake) {
  bench.require(first.size() == second.size(),
                said(what, ": ", first.size(), " and ", second.size(), " numbers"), mistake);
  for (std::size_t k = 0; k < first.size(); ++k)
    if (!same_bits({first[k]}, {second[k]}))
      bench.fail(said(what, ": number ", k, " of ", first.size(), " is ", first[k], " and then ", second[k]),
                 mistake);
}

void determinism(Bench& bench) {
  const Settings settings = usual_settings(bench);
  bench.at(settings_text(settings));
  const Numbers first = exercise(bench, settings, {});
  dirty_memory();
  same(bench, first, exercise(bench, settings, {}), "twice in one process",
       "a random stream that is not made from the context's seed, a static variable, or memory read before "
       "it is written");
  const auto bytes = [](const Numbers& x) {
    return std::string(reinterpret_cast<const char*>(x.data()), x.size() * sizeof(double));
  };
  const ChildEnd other = in_child(
      [&] {
        dirty_memory();
        return bytes(exercise(bench, settings, {}));
      },
      bench.subject().entry.kind == Kind::data ? 60.0 : 20.0);
  bench.require(other.finished, "the same work in another process " + other.trouble,
                "see --only with a debugger");
  bench.require(other.bytes == bytes(first), "another process gives other bits",
                "the clock, the process id, addresses, or memory read before it is written");
}

void threads(Bench& bench) {
  const Settings settings = usual_settings(bench);
  bench.at(settings_text(settings));
  Work work{.large = true};
  const Numbers alone = exercise(bench, settings, work);
  for (const int count : {2, 3}) {
    work.threads = count;
    same(bench, alone, exercise(bench, settings, work), said("on 1 and on ", count, " threads"),
         "a sum whose order depends on the number of threads (use "
         "sum_chunks), or chunks that write the same memory");
  }
}

/// Runs the work of two inputs at once, again and again, and compares with the results of each alone.
class Race {
 public:
  Race(const Bench& bench, const Settings& settings, bool large) : bench_(bench), settings_(settings) {
    for (std::size_t k = 0; k < 2; ++k) {
      work_[k] = {.inputs = 7 + 10 * k, .large = large};
      alone_[k] = exercise(bench, settings, work_[k]);
    }
  }

  /// `seconds` of a processor each, so that a busy machine changes nothing.
  void run(double seconds) {
    const auto time = std::chrono::nanoseconds(static_cast<std::int64_t>(1e9 * seconds));
    std::thread second([&] { repeat(1, time); });
    repeat(0, time);
    second.join();
    for (const std::string& trouble : trouble_) bench_.require(trouble.empty(), trouble, kRace);
  }

 private:
  static std::chrono::nanoseconds used_by_this_thread() {
    timespec now{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
  }

  void repeat(std::size_t k, std::chrono::nanoseconds time) {
    const auto begin = used_by_this_thread();
    const auto latest = std::chrono::steady_clock::now() + 20 * time;  // where it waits more than it works
    while (used_by_this_thread() - begin < time && std::chrono::steady_clock::now() < latest && !found_) {
      try {
        const Numbers now = exercise(bench_, settings_, work_[k]);
        if (same_bits(now, alone_[k])) continue;
        trouble_[k] = "two instances at once give other numbers than each alone";
      } catch (const std::exception& error) {
        trouble_[k] = said("two instances at once: ", error.what());
      } catch (...) {
        trouble_[k] = "two instances at once: something is thrown that is not thrown alone";
      }
      found_ = true;
    }
  }

  const Bench& bench_;
  const Settings& settings_;
  Work work_[2];
  Numbers alone_[2];
  std::string trouble_[2];
  std::atomic<bool> found_ = false;
};

void instances(Bench& bench) {
  const Settings settings = usual_settings(bench);
  const double race = bench.subject().race;
  bench.at(settings_text(settings));
  same(bench, exercise(bench, settings, {}), exercise_in_turns(bench, settings, {}),
       "alone, and in turns with another instance",
       "state that instances share: a static or global variable");
  if (bench.subject().entry.kind == Kind::data) return Race(bench, settings, false).run(0.1 * race);
  Race(bench, settings, false).run(0.4 * race);
  Race(bench, settings, true).run(0.6 * race);
}

}  // namespace

Tests common_tests() {
  const std::vector<Kind> all(kKinds.begin(), kKinds.end());
  return {{{"determinism", all,
            "The same seed and the same calls give the same bits: twice in one process, with dirty memory, "
            "and in another process."},
           determinism},
          {{"threads", all, "One thread and several give the same bits."}, threads},
          {{"instances", all,
            "Two instances that take turns, or are used at once from two threads, answer what each answers "
            "alone."},
           instances,
           kRace}};
}

}  // namespace claros::doctor

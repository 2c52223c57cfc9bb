// SPDX-License-Identifier: BSD-3-Clause
#include <claros/grids/comparison.hpp>

#include <claros/compose/composition.hpp>
#include <claros/io/atomic_file.hpp>
#include <claros/results/checkpoint.hpp>
#include <claros/results/run_folder.hpp>
#include <claros/run/dry_start.hpp>
#include <claros/run/watchdog.hpp>

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <thread>
#include <utility>

namespace claros {

namespace {

bool interrupted(const ComparisonSettings& settings) { return settings.interrupt && *settings.interrupt; }

/// Complaints of many cells: each once, in the order of their first cell.
class CellComplaints {
 public:
  void add(const Error& error, const Cell& cell) {
    if (complaints_.empty()) kind_ = error.kind();
    std::map<std::string, bool> here;
    for (const Complaint& complaint : error.complaints()) {
      const std::string sentence = complaint.sentence();
      if (!here.emplace(sentence, true).second) continue;
      const auto [at, fresh] = known_.emplace(sentence, complaints_.size());
      if (fresh) complaints_.push_back({complaint, {}});
      complaints_[at->second].second.push_back(cell.label);
    }
  }

  void throw_any(std::size_t cells) {
    if (complaints_.empty()) return;
    std::vector<Complaint> all;
    for (auto& [complaint, labels] : complaints_) {
      if (labels.size() < cells) complaint.what += " [" + named(labels) + "]";
      all.push_back(std::move(complaint));
    }
    throw Error(kind_, std::move(all));
  }

 private:
  static std::string named(const std::vector<std::string>& labels) {
    if (labels.size() == 1) return "where " + labels.front();
    return "where " + labels.front() + " and in " + std::to_string(labels.size() - 1) + " more cells";
  }

  ErrorKind kind_ = ErrorKind::usage;
  std::map<std::string, std::size_t> known_;
  std::vector<std::pair<Complaint, std::vector<std::string>>> complaints_;
};

void take(ComparisonRun& run, const RunResult& result, Index components) {
  run.status = result.status;
  run.failure = result.failure;
  run.failure_kind = result.failure_kind;
  run.measurement = result.measurement;
  run.iterations = result.iterations;
  run.epochs = result.epochs;
  run.passes = passes(result.counts, components);
  run.seconds = result.seconds;
  run.measuring_seconds = result.measuring_seconds;
  run.counts = result.counts;
}

/// For the thread of a run that was given up, should it come back.
[[noreturn]] void rest() {
  for (;;) ::pause();
}

void keep(const Composition& composition, const RunResult& result, const std::filesystem::path& path,
          ComparisonRun& outcome) {
  const UnsyncedFiles together;  // all of the grid at its end
  RunFolder folder(path, RunFolder::For::new_run);
  folder.begin(composition);
  (void)folder.write(composition, result, folding_of(composition, result));
  outcome.id = folder.id();
}

/// One run of a grid. If it is stuck, `instead` is called on its watchdog's thread, and does not return.
class CellRun {
 public:
  using Instead = std::function<void(ComparisonRun)>;
  CellRun(const Cell& cell, ComparisonRun& outcome, const ComparisonSettings& settings, Instead instead)
      : cell_(cell), outcome_(outcome), settings_(settings), instead_(std::move(instead)) {}

  /// Only a folder that cannot be written throws.
  void operator()(const Catalog& catalog) {
    RunResult result;
    try {
      Spec spec = cell_.spec_of(outcome_.seed);
      spec.set("run.seed", std::to_string(outcome_.seed));
      const auto begin = std::chrono::steady_clock::now();
      composition_ = compose(catalog, spec, settings_.messages);
      composed_in_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
      components_ = composition_.objective->terms();
      result = watched_run();
      take(outcome_, result, components_);
      outcome_.changed_inputs = changed_inputs(composition_);
    } catch (const Error& error) {
      outcome_.failure = error.what();
      outcome_.failure_kind = error.kind();
      return;
    }
    if (settings_.folder.empty()) return;
    keep(composition_, result, path(), outcome_);
    outcome_.folder = name();
  }

 private:
  std::string name() const { return cell_.folder + '/' + std::to_string(outcome_.seed); }
  std::filesystem::path path() const { return settings_.folder / name(); }

  RunResult watched_run() {
    RunSettings settings = run_settings(composition_);
    settings.interrupt = settings_.interrupt;
    if (settings_.on_progress)
      settings.on_progress = [this](const Progress& p) {
        if (given_up_) rest();
        settings_.on_progress(cell_, outcome_.seed, p);
      };
    std::optional<Watchdog> watchdog;
    if (settings_.in_child)
      // A pass over the data may take as long as reading them did.
      settings.watchdog = &watchdog.emplace([this](const Stuck& stuck) { give_up(stuck.last); },
                                            std::max(Watchdog::kGrace, composed_in_));
    return claros::run(composition_, settings);
  }

  void give_up(const RunResult& last) {
    given_up_ = true;
    ComparisonRun outcome = outcome_;
    take(outcome, last, components_);
    if (!settings_.folder.empty() && settings_.in_child([&] { keep(composition_, last, path(), outcome); }))
      try {
        ComparisonRun kept;
        read_run(path(), kept);
        outcome.folder = name();
        outcome.id = kept.id;
      } catch (const Error&) {  // what the run was is known all the same
      }
    instead_(std::move(outcome));
  }

  const Cell& cell_;
  ComparisonRun& outcome_;
  const ComparisonSettings& settings_;
  Instead instead_;
  Composition composition_;
  double composed_in_ = 0.0;  // seconds
  Index components_ = 0;
  std::atomic<bool> given_up_ = false;
};

/// Cells on the same data one behind the other.
std::vector<std::size_t> by_data(const std::vector<std::string>& texts) {
  std::vector<std::size_t> order(texts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return texts[a] < texts[b]; });
  return order;
}

/// Why each cell cannot run, if it cannot; their seeds are filled. Data that cells share is read once.
std::vector<std::optional<Error>> refusals_of(const Catalog& catalog, std::vector<Cell>& cells,
                                              const ComparisonSettings& settings,
                                              const std::vector<Complaint>& complaints) {
  std::vector<std::string> texts;
  for (const Cell& cell : cells) texts.push_back(objective_text(cell.spec));
  std::vector<std::optional<Error>> refusals(cells.size());
  std::optional<Composition> earlier;
  const std::string* made_from = nullptr;
  for (const std::size_t k : by_data(texts)) {
    if (interrupted(settings)) break;
    if (made_from && *made_from != texts[k]) earlier.reset();
    made_from = &texts[k];
    try {
      earlier = compose_beside(earlier ? &*earlier : nullptr, catalog, cells[k].spec, settings.messages,
                               complaints);
      cells[k].seed = earlier->run.seed;
      dry_start(*earlier, run_settings(*earlier));
    } catch (const Error& error) {
      refusals[k] = error;
    }
  }
  return refusals;
}

void write_tables(const Comparison& comparison, const std::filesystem::path& folder) {
  if (folder.empty()) return;
  write_atomically(folder / "comparison.csv", comparison_csv(comparison));
  write_atomically(folder / "comparison.json", comparison_json(comparison));
}

/// The specification below the grid, which finds its data from this folder too. The table that says whose
/// folder it is comes first: a grid that is ended anywhere can be started again.
void write_spec(const Comparison& comparison, const std::filesystem::path& folder) {
  if (folder.empty()) return;
  std::error_code code;
  std::filesystem::create_directories(folder, code);
  if (code)
    throw Error(ErrorKind::data, folder.string(), "the folder cannot be created: " + code.message(),
                "choose another folder");
  write_atomically(folder / "comparison.json", comparison_json(comparison));
  Spec spec = comparison.spec;
  spec.set("run.base", spec.base().string());
  write_atomically(folder / "spec.ini", spec.text());
}

/// The runs of a grid, several at a time, reported in their order.
class GridWork {
 public:
  GridWork(const Catalog& catalog, Comparison& comparison, const ComparisonSettings& settings)
      : catalog_(catalog), comparison_(comparison), settings_(settings), quiet_(settings) {
    const std::size_t repeats = static_cast<std::size_t>(comparison.repeats);
    done_.resize(comparison.cells.size() * repeats);
    if (settings.on_progress)
      quiet_.on_progress = [this](const Cell& cell, Index seed, const Progress& p) {
        const std::lock_guard lock(mutex_);
        if (over_) rest();
        settings_.on_progress(cell, seed, p);
      };
    if (settings.messages)
      quiet_.messages = [this](Severity severity, const std::string& text) {
        const std::lock_guard lock(mutex_);
        if (over_) rest();
        settings_.messages(severity, text);
      };
  }

  void operator()() {
    take_earlier();
    working_ = settings_.jobs;
    std::vector<std::thread> workers;
    for (int k = 0; k < settings_.jobs; ++k)
      workers.emplace_back([this] {
        work();
        leave();
      });
    {
      std::unique_lock lock(mutex_);
      left_.wait(lock, [this] { return working_ == 0; });
      over_ = stuck_;
    }
    for (std::thread& worker : workers) over_ ? worker.detach() : worker.join();
    if (failure_) std::rethrow_exception(failure_);
  }

  /// A thread still knows of this object.
  bool stuck() const { return over_; }

 private:
  /// The cell and the seed of run k.
  ComparisonRun unmade(std::size_t k) const {
    ComparisonRun run;
    run.cell = k / static_cast<std::size_t>(comparison_.repeats);
    run.seed = comparison_.cells[run.cell].seed + static_cast<Index>(k) % comparison_.repeats;
    return run;
  }

  void take_earlier() {
    if (!settings_.earlier) return;
    for (std::size_t k = 0; k < done_.size(); ++k) {
      ComparisonRun run = unmade(k);
      if (!settings_.earlier(comparison_.cells[run.cell], run)) continue;
      run.earlier = true;
      earlier_.push_back(k);
      done_[k] = std::move(run);
    }
    if (!earlier_.empty()) tell_ready();
  }

  void work() {
    try {
      while (!interrupted(settings_) && !failed_) {
        const std::size_t k = next_++;
        if (k >= done_.size()) return;
        if (std::binary_search(earlier_.begin(), earlier_.end(), k)) continue;
        ComparisonRun outcome = unmade(k);
        CellRun(comparison_.cells[outcome.cell], outcome, quiet_,
                [this, k](ComparisonRun last) { go_on(k, std::move(last)); })(catalog_);
        tell(k, std::move(outcome));
      }
    } catch (...) {
      fail();
    }
  }

  void fail() {
    const std::lock_guard lock(mutex_);
    failed_ = true;
    if (!failure_) failure_ = std::current_exception();
  }

  void leave() {
    const std::lock_guard lock(mutex_);
    --working_;
    left_.notify_all();
  }

  /// In the place of the thread that is stuck in run k.
  [[noreturn]] void go_on(std::size_t k, ComparisonRun last) {
    stuck_ = true;
    try {
      tell(k, std::move(last));
      work();
    } catch (...) {
      fail();
    }
    leave();
    rest();
  }

  void tell(std::size_t k, ComparisonRun outcome) {
    const std::lock_guard lock(mutex_);
    done_[k] = std::move(outcome);
    tell_ready();
  }

  /// The tables are written once for all earlier runs: one by one, many of them would take long.
  void tell_ready() {
    const std::size_t reported = comparison_.runs.size();
    while (comparison_.runs.size() < done_.size() && done_[comparison_.runs.size()])
      comparison_.runs.push_back(*done_[comparison_.runs.size()]);
    const UnsyncedFiles together;
    if (comparison_.runs.size() > reported) write_tables(comparison_, settings_.folder);
    for (std::size_t r = reported; settings_.on_run && r < comparison_.runs.size(); ++r)
      settings_.on_run(comparison_.runs[r]);
  }

  const Catalog& catalog_;
  Comparison& comparison_;
  const ComparisonSettings& settings_;
  ComparisonSettings quiet_;  ///< the same, one callback at a time
  std::mutex mutex_;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> failed_ = false, stuck_ = false;
  bool over_ = false;  ///< but for who is stuck
  int working_ = 0;
  std::condition_variable left_;
  std::vector<std::optional<ComparisonRun>> done_;
  std::vector<std::size_t> earlier_;  ///< which of them were not made here, in order
  std::exception_ptr failure_;
};

}  // namespace

void check(const Catalog& catalog, Comparison& comparison, const ComparisonSettings& settings,
           const std::vector<Complaint>& complaints) {
  const std::vector<std::optional<Error>> refusals =
      refusals_of(catalog, comparison.cells, settings, complaints);
  CellComplaints all;
  for (std::size_t k = 0; k < refusals.size(); ++k)
    if (refusals[k]) all.add(*refusals[k], comparison.cells[k]);
  all.throw_any(comparison.cells.size());
}

void run(const Catalog& catalog, Comparison& comparison, const ComparisonSettings& settings) {
  write_spec(comparison, settings.folder);
  write_tables(comparison, settings.folder);
  auto work = std::make_unique<GridWork>(catalog, comparison, settings);
  const std::shared_ptr<void> at_the_end(nullptr, [&](void*) {
    if (work->stuck()) (void)work.release();
  });
  (*work)();
  if (settings.folder.empty()) return;
  sync_disk(settings.folder);
  write_tables(comparison, settings.folder);
}

}  // namespace claros

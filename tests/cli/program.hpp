// SPDX-License-Identifier: BSD-3-Clause
/// @file program.hpp  Starts the program as a process of its own and keeps what it printed.
#pragma once

#include "../core/test_files.hpp"

#include <nlohmann/json.hpp>

#include <sys/types.h>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace claros::test {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

/// What is left of a process. `code` is 128 + the signal for one that a signal ended.
struct Outcome {
  int code = -1;
  std::string out, err;
};

struct Launch {
  Words words;
  fs::path folder;            ///< working directory
  Words environment;          ///< NAME=value on top of the tests' own; plugins of the user are never seen
  bool terminal = false;      ///< of 80 columns, as stdin, stdout and stderr; what it shows is `out`
  fs::path out;               ///< file for stdout instead of a captured one
  fs::path in = "/dev/null";  ///< file for stdin
  unsigned long long largest_file = 0;   ///< bytes that a file may have, as on a full disk; 0: any
  fs::path err = {};                     ///< file for stderr instead of a captured one
  std::vector<int> closed = {};          ///< descriptors that the program finds closed
  std::vector<int> ignored = {};         ///< signals that it finds ignored
  unsigned long long address_space = 0;  ///< bytes, as by `ulimit -v`; 0: any
};

/// A running program. The destructor kills it if `wait` was not called.
class Child {
 public:
  explicit Child(const Launch& launch);
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  void signal(int number) const;
  /// Reads the terminal until it has shown `text`; false when the program ends or a minute passes without.
  bool shows(const std::string& text);
  /// Processor time that the program has taken; unlike wall time it tells how far a run is on a busy machine.
  double processor_seconds() const;
  Outcome wait();

 private:
  pid_t pid_ = -1;
  int terminal_ = -1;
  std::string shown_;  ///< what the terminal has shown so far
  TestFolder captured_;
};

/// Evaluates `condition` every 5 ms; false when it does not hold within `seconds`.
bool becomes_true(const std::function<bool()>& condition, double seconds = 60.0);
/// Requires that the file exists within a minute.
void wait_for(const fs::path& file);
/// Requires that the file, which a running program replaces, is replaced within a minute.
void wait_for_next(const fs::path& file);

Outcome launch(const Launch& launch);
/// With the working directory `folder`.
Outcome ask(const fs::path& folder, const Words& words);

Words with(Words words, const Words& more);

/// The lines of a text.
Words lines(const std::string& text);

/// Makes result.json say of the files of a run's folder what they are now, as if the run had written them.
void reseal(const fs::path& folder);

/// Writes ratings.txt (6 x 5, most entries of a matrix of rank one) and a sound spec.ini that reads it;
/// returns its path.
fs::path put_problem(const TestFolder& folder, const std::string& name = "spec.ini");

}  // namespace claros::test

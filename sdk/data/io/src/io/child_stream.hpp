// SPDX-License-Identifier: BSD-3-Clause
/// @file child_stream.hpp  The output of another program, as it is written.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

namespace claros {

/// A program that runs beside this one, in a process group of its own: an interrupt from the keyboard goes to
/// this process alone. It is started by posix_spawn, which a process with many threads may call. The
/// destructor ends it and waits for it, so that none is left behind. It gets this process's environment
/// without the variables whose names begin with `hidden_prefix`, except for those in `passed`.
class ChildStream {
 public:
  struct Start {
    std::filesystem::path program;
    std::vector<std::string> words;
    std::string hidden_prefix;
    std::vector<std::string> passed;
    double patience = 60;  ///< seconds without a byte after which it hangs
  };
  /// `subject` is the file that errors name. Error(plugin) when the program cannot be started.
  ChildStream(const Start& start, std::string subject);
  ~ChildStream();
  ChildStream(const ChildStream&) = delete;
  ChildStream& operator=(const ChildStream&) = delete;

  /// The next `size` bytes. Throws Error(data) at the subject if the program hangs, or ends before them. The
  /// error says how it ended, and what it last wrote to its standard error.
  void read(void* to, std::size_t size);

 private:
  std::size_t take_some(char* to, std::size_t size);
  bool take_errors();
  [[noreturn]] void fail_hanging();
  [[noreturn]] void fail_ended();
  std::string last_words() const;
  int reap();

  std::string subject_, errors_;
  double patience_;
  pid_t child_ = -1;
  int out_ = -1, err_ = -1;
};

}  // namespace claros

// SPDX-License-Identifier: BSD-3-Clause
/// @file messages.hpp  Errors and messages on stderr, and what the exit codes mean.
#pragma once

#include <claros/context.hpp>
#include <claros/error.hpp>
#include <claros/run/run_loop.hpp>

#include <optional>
#include <string>

namespace claros::cli {

enum ExitCode {
  kDone = 0,
  kVerdict = 1,
  kUsage = 2,
  kPlugin = 3,
  kData = 4,
  kNumerical = 5,
  kIncomplete = 6,
  kMessagesLost = 7,
  kInterrupted = 130,
};

int exit_code(ErrorKind kind) noexcept;
/// 0 when a rule of the specification ended the run.
int exit_code(const RunResult& result) noexcept;
int exit_code(Status status, ErrorKind failure) noexcept;

/// "claros: error: where: what (remedy)", one a line. Never throws: there is nowhere left to report to.
void report(const Error& error) noexcept;
/// The first Error that was reported, or that `guarded` caught as another exception.
const std::optional<Error>& first_reported() noexcept;
/// Reports any other text; each of its lines is one complaint.
void report(const std::string& text) noexcept;

/// --verbose: notes that carry no decision, and the parts of the work.
void be_verbose(bool on) noexcept;
bool is_verbose() noexcept;

/// Receives notes and warnings of components; notes are dropped if `quiet`.
MessageSink message_sink(bool quiet);

/// `code`, or kMessagesLost where that is kDone and a message could not be written to the standard error.
int with_lost_messages(int code) noexcept;

/// Runs `action` and turns what it throws into lines on stderr and an exit code.
int guarded(int (*action)(int, char**), int count, char** words) noexcept;

}  // namespace claros::cli

// SPDX-License-Identifier: BSD-3-Clause
#include "cli/messages.hpp"

#include "cli/terminal.hpp"

#include <claros/expected.hpp>
#include <claros/other_names.hpp>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <new>
#include <sstream>
#include <system_error>

namespace claros::cli {

namespace {

/// A line of its own, written over the line of progress.
void write_line(const std::string& prefix, const std::string& text) {
  const Stream& stream = err();
  stream.write((stream.cursor() ? "\r\x1b[K" : "") + prefix + printable(text) + '\n');
}

std::optional<Error> reported;
bool verbose = false;

std::string name() { return err().bold("claros:") + ' '; }

/// A component that no name is near may be one of a plugin in another folder; a refused table has a page.
Error with_help(const Error& error) {
  std::vector<Complaint> complaints = error.complaints();
  for (Complaint& c : complaints)
    if (c.what.starts_with("there is no ") && c.remedy.starts_with("there are "))
      c.remedy += "; the folder of a plugin of your own is named by --plugin-path";
  for (const char* table : {".csv", ".tsv", ".txt"})
    if (Complaint& c = complaints.back(); c.where.find(table) != c.where.npos)
      c.remedy += c.remedy.empty() ? "claros help csv" : "; claros help csv";
  return {error.kind(), std::move(complaints)};
}

}  // namespace

int exit_code(ErrorKind kind) noexcept {
  switch (kind) {
    case ErrorKind::usage:
      return kUsage;
    case ErrorKind::plugin:
      return kPlugin;
    case ErrorKind::data:
      return kData;
    case ErrorKind::numerical:
      return kNumerical;
  }
  return kNumerical;
}

int exit_code(const RunResult& result) noexcept { return exit_code(result.status, result.failure_kind); }

int exit_code(Status status, ErrorKind failure) noexcept {
  if (status == Status::interrupted) return kInterrupted;
  if (status == Status::diverged || status == Status::unbounded) return kNumerical;
  if (status != Status::failed) return kDone;
  return failure == ErrorKind::usage ? kNumerical : exit_code(failure);
}

void report(const Error& error) noexcept try {
  // A data file that was named as a specification is wrong in every line.
  constexpr std::size_t kEnough = 50;
  const Error known = with_help(with_remedies(error));
  if (!reported) reported = known;
  const auto& complaints = known.complaints();
  for (std::size_t k = 0; k < std::min(kEnough, complaints.size()); ++k)
    write_line(name() + err().red("error:") + ' ', complaints[k].sentence());
  if (complaints.size() > kEnough)
    write_line(name() + err().red("error:") + ' ',
               "and " + std::to_string(complaints.size() - kEnough) + " more errors");
} catch (...) {
}

const std::optional<Error>& first_reported() noexcept { return reported; }

void report(const std::string& text) noexcept try {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) write_line(name(), line);
} catch (...) {
}

void be_verbose(bool on) noexcept { verbose = on; }
bool is_verbose() noexcept { return verbose; }

MessageSink message_sink(bool quiet) {
  return [quiet](Severity severity, const std::string& text) {
    if (severity == Severity::warning)
      write_line(name() + err().yellow("warning:") + ' ', text);
    else if (!quiet && (verbose || severity == Severity::note))
      write_line(name() + err().dim("note:") + ' ', text);
  };
}

int with_lost_messages(int code) noexcept {
  return code == kDone && messages_lost() ? static_cast<int>(kMessagesLost) : code;
}

int guarded(int (*action)(int, char**), int count, char** words) noexcept {
  try {
    return action(count, words);
  } catch (const Error& error) {
    report(error);
    return exit_code(error.kind());
  } catch (const std::filesystem::filesystem_error& error) {
    std::error_code gone;
    (void)std::filesystem::current_path(gone);
    report(gone ? Error(ErrorKind::data, "the working folder", "cannot be found: " + gone.message(),
                        "go to a folder that exists (cd), and start again")
                : Error(ErrorKind::data, "", error.what()));
    return kData;
  } catch (const std::bad_alloc&) {
    report(caught_error());
    return kNumerical;
  } catch (const std::system_error& error) {
    report(Error(ErrorKind::data, "the system",
                 std::string("refused a resource that the program needs: ") + error.what(),
                 "raise the limits of this process (ulimit -a), or end other processes"));
    return kData;
  } catch (const std::exception& error) {
    report(
        Error(ErrorKind::numerical, "", std::string("internal error: ") + error.what(), "claros help send"));
    return kNumerical;
  }
}

}  // namespace claros::cli

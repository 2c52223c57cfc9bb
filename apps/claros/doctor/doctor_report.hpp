// SPDX-License-Identifier: BSD-3-Clause
/// @file doctor_report.hpp  The output of `claros doctor`: a line a test, a paragraph a failure, or JSON at
/// the end.
#pragma once

#include <claros/doctor/doctor.hpp>
#include <claros/json_text.hpp>

#include <optional>
#include <string>

namespace claros::cli {

class DoctorReport {
 public:
  /// A report on one plugin, or on `several`.
  DoctorReport(bool json, bool several) : json_(json), several_(several) {}
  /// `rerun` is the command that repeats the examination.
  void begin(const doctor::Subject& subject, const std::string& rerun);
  /// Reports a failure if the library changed the process when it was loaded.
  void loaded(const PluginEntry& entry);
  /// A file or folder that cannot be examined: a failure with the reason.
  void unusable(const PluginEntry& entry);
  void add(const doctor::Result& result);
  /// The verdict on one plugin.
  void conclude(const doctor::Conclusion& conclusion);
  void end();
  doctor::Verdict verdict() const noexcept {
    return failures_ > 0     ? doctor::Verdict::failed
           : incomplete_ > 0 ? doctor::Verdict::incomplete
                             : doctor::Verdict::passed;
  }

 private:
  void fail(const std::string& observed, const std::string& remedy);
  void print(const doctor::Result& result) const;

  bool json_, several_;
  std::string rerun_, heading_, last_;
  Json plugins_ = Json::array();
  int passed_ = 0, failures_ = 0, skipped_ = 0;
  int passing_ = 0, incomplete_ = 0, failing_ = 0;  ///< plugins
};

/// All tests, or those of one kind, with their definitions.
std::string tests_text(std::optional<Kind> kind);
Json tests_json(std::optional<Kind> kind);

}  // namespace claros::cli

// SPDX-License-Identifier: BSD-3-Clause
/// @file doctor_report.hpp  What `claros doctor` prints: a line a test, a paragraph a failure, or JSON at the
/// end.
#pragma once

#include <claros/doctor/doctor.hpp>
#include <claros/json_text.hpp>

#include <optional>
#include <string>


namespace claros::cli {

class DoctorReport {
 public:
  explicit DoctorReport(bool json) : json_(json) {}
  /// `rerun` are the words that run the examination again.
  void begin(const doctor::Subject& subject, const std::string& rerun);
  void add(const doctor::Result& result);
  void end();
  bool failed() const noexcept { return failures_ > 0; }

 private:
  void print(const doctor::Result& result) const;

  bool json_;
  std::string rerun_, heading_;
  Json plugins_ = Json::array();
  int passed_ = 0, failures_ = 0, skipped_ = 0;
};

/// All tests, or those of one kind, with their definitions.
std::string tests_text(std::optional<Kind> kind);
Json tests_json(std::optional<Kind> kind);

}  // namespace claros::cli

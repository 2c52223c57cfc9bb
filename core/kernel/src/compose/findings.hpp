// SPDX-License-Identifier: BSD-3-Clause
/// @file findings.hpp  The faults of a specification, found while it is composed.
#pragma once

#include <claros/compose/composition.hpp>

#include <algorithm>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace claros {

/// All complaints of one composition, and the parts that are not made because of them.
class Findings {
 public:
  /// The `complaints` are those about the text, before anything was composed.
  Findings(const Spec& spec, std::vector<Complaint> complaints)
      : spec_(spec), well_formed_(complaints.empty()), complaints_(std::move(complaints)) {}

  void add(Complaint complaint) { complaints_.push_back(std::move(complaint)); }
  void add(const std::vector<Complaint>& complaints) {
    complaints_.insert(complaints_.end(), complaints.begin(), complaints.end());
  }
  void add(const Error& error) {
    if (complaints_.empty()) kind_ = error.kind();
    add(spec_.with_lines(error).complaints());
  }
  /// A missing part may be there with a spelling error, which is reported already.
  void miss(Complaint complaint) {
    if (well_formed_) add(std::move(complaint));
  }

  bool well_formed() const noexcept { return well_formed_; }
  bool empty() const noexcept { return complaints_.empty(); }
  std::size_t size() const noexcept { return complaints_.size(); }
  /// Those from `first` on, for a better report.
  std::span<Complaint> since(std::size_t first) { return std::span(complaints_).subspan(first); }
  void throw_if_any() {
    if (!empty()) throw Error(kind_, std::move(complaints_));
  }

  /// The part at that path could not be chosen or created.
  void leave_out(const std::string& path) { left_out_.insert(path); }
  bool is_left_out(const std::string& path) const { return left_out_.contains(path); }
  /// It, or an owner of it.
  bool is_left_out_with_owner(const std::string& path) const {
    return std::ranges::any_of(left_out_,
                               [&](const std::string& p) { return path == p || path.starts_with(p + '.'); });
  }
  /// Neither the part nor one that it holds.
  bool sound_below(const Node& part) const {
    return std::ranges::none_of(left_out_, [&](const std::string& path) {
      return path == part.path || path.starts_with(part.path + '.');
    });
  }

 private:
  const Spec& spec_;
  const bool well_formed_;
  ErrorKind kind_ = ErrorKind::usage;  ///< the kind of the first error
  std::vector<Complaint> complaints_;
  std::set<std::string> left_out_;
};

}  // namespace claros

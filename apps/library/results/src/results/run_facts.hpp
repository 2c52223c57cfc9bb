// SPDX-License-Identifier: BSD-3-Clause
/// @file run_facts.hpp  What must be the same for a run to go on as it would have: its specification, its
/// libraries, its data.
#pragma once

#include <claros/resolved_files.hpp>

#include <claros/compose/composition.hpp>

#include <map>
#include <string>
#include <vector>

namespace claros {

/// Name and value, as text.
using Facts = std::map<std::string, std::string>;

/// The facts of a composition: its settings, but for those that end or keep a run and for the names of files;
/// the hash of the contents of every file that a component resolved (Context::resolve), of data in memory,
/// and of every library that takes part; the versions; and whose code computes (arithmetic.hpp). Throws
/// Error(data) when a file cannot be read.
Facts facts_of(const Composition& composition);
/// Adds facts that the objective gives once a run has begun: its sizes, and f at the start. The latter
/// follows from the others unless a component reads files that it does not name.
void add_start(Facts& facts, const Composition& composition);

/// The hash of the contents of a file as it was when it was read, or words that say that it has changed
/// since.
std::string contents_of(const ResolvedFiles::File& file);
/// The settings, or the names in quotes, of the files of which facts_of found that they had changed.
std::vector<std::string> changed_while_read(const Facts& facts);

struct Differences {
  std::vector<Complaint> complaints;  ///< each fact that differs, with what it was and is, and what to do
  /// Differences that change roundings and not the run: whose code computes, and with it the last digits of f
  /// at the start.
  std::vector<std::string> warnings;
};
Differences differences(const Facts& then, const Facts& now, const std::string& file);

}  // namespace claros

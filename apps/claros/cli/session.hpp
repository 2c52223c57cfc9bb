// SPDX-License-Identifier: BSD-3-Clause
/// @file session.hpp  The things that a command needs before its work: the catalog, and the specification
/// that its words give.
#pragma once

#include "cli/arguments.hpp"

#include <claros/compose/spec.hpp>
#include <claros/error.hpp>
#include <claros/plugin/catalog.hpp>

#include <string>
#include <vector>

namespace claros::cli {

struct Request;

/// Seconds that a library may take to be loaded, unless --limit says otherwise.
inline constexpr double kLoadSeconds = 10.0;

/// The catalog of the default search path with every --plugin-path in front. A child process loads its
/// libraries before this process does. Throws Error(plugin) when a named folder cannot be searched.
Catalog open_catalog(const Arguments& arguments);
/// Opens the catalog, and puts `request` into the names of Claros (other_names.hpp), with a message for each.
Catalog open_catalog(const Arguments& arguments, Request& request);

/// Skips the ownership check for the paths of --trust. Throws Error(usage) when one does not exist.
void trust_named(Catalog& catalog, const Arguments& arguments);

/// The number of an option that takes seconds. Throws Error(usage) when it is not above 0.
double positive(const Arguments& arguments, const std::string& option, double fallback);
/// The number that `option` gives, 1 without it; what is wrong with it is added to `complaints`.
Index count_option(const Arguments& arguments, const std::string& option, std::vector<Complaint>& complaints);

/// A specification with everything that was wrong with its form.
struct Request {
  Spec spec;
  std::vector<Complaint> complaints;
  std::string name;  ///< the name of the file, or "the command line"
};

/// From SPEC, the assignments after it, and --seed and --threads. A word is an assignment when it holds '='
/// and no '/' before that; SPEC may be left out, and file names are then relative to the working directory.
/// Throws Error(usage) when there is nothing to go on, or SPEC cannot be read at all.
Request read_request(const Arguments& arguments);

}  // namespace claros::cli

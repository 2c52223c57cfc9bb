// SPDX-License-Identifier: BSD-3-Clause
/// @file session.hpp  What a command needs before its work: the catalog, and the specification that its words
/// give.
#pragma once

#include "arguments.hpp"

#include <claros/compose/spec.hpp>
#include <claros/error.hpp>
#include <claros/plugin/catalog.hpp>

#include <string>
#include <vector>

namespace claros::cli {

/// The catalog of the default search path with every --plugin-path in front. Throws Error(plugin) when one of
/// those cannot be searched.
Catalog open_catalog(const Arguments& arguments);

/// A specification with everything that was wrong with its form.
struct Request {
  Spec spec;
  std::vector<Complaint> complaints;
  std::string name;  ///< of the file, or "the command line"
};

/// From SPEC, the assignments after it, and --seed and --threads. A word is an assignment when it holds '='
/// and no '/' before that; SPEC may be left out, and file names are then relative to the working directory.
/// Throws Error(usage) when there is nothing to go on, or SPEC cannot be read at all.
Request read_request(const Arguments& arguments);

}  // namespace claros::cli

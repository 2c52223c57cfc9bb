// SPDX-License-Identifier: BSD-3-Clause
/// @file candidates.hpp  Candidates for a word of the command line, for the completion of the shells.
#pragma once

#include <claros/compose/spec.hpp>
#include <claros/plugin/catalog.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace claros::cli {

/// A whole word, and what it means in one line. More is to be written after a word that ends in '.', '=', '/'
/// or ','.
struct Candidate {
  std::string word, meaning;
};
using Candidates = std::vector<Candidate>;

enum class Files { any, folders, specifications, libraries };

/// Files of that sort, and folders (which end in '/'), whose names start with `begun`. Relative names are
/// those in `base`; "~/" is the home folder. Hidden ones need their dot.
Candidates file_candidates(const std::string& begun, const std::filesystem::path& base, Files sort);

/// Components by name, or by kind/name where a name alone would mean several, or a kind has `begun`.
Candidates component_candidates(const Catalog& catalog, const std::string& begun);
/// The sections of a specification.
Candidates section_candidates();

/// Completes section.key=value from what is `begun`: sections, then keys, then values. The keys are those of
/// the component that `spec` puts there, or of all of its kind if it puts none. With `several` the values are
/// separated by commas.
Candidates setting_candidates(const Catalog& catalog, const Spec& spec, const std::string& begun,
                              bool several);

}  // namespace claros::cli

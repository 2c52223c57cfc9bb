// SPDX-License-Identifier: BSD-3-Clause
/// @file other_names.hpp  Names from other libraries (scikit-learn, glmnet, FrankWolfe.jl, CVX, ...), and
/// what they are called here.
#pragma once

#include <claros/api.hpp>
#include <claros/compose/spec.hpp>
#include <claros/context.hpp>
#include <claros/error.hpp>
#include <claros/plugin/catalog.hpp>

#include <string>
#include <vector>

namespace claros {

/// A name that a plugin of the catalogue has is never another one.
struct CLAROS_API OtherName {
  std::string section;             ///< "algorithm"; empty for a name without a section, or for a section
  std::string key;                 ///< "tol"; "use" of components
  std::string value;               ///< the value of "use": "fista"
  std::vector<std::string> means;  ///< the same, as assignments: "algorithm.use=proximal-gradient", and "=*"
                                   ///< for the value that the user gave; empty if none means the same
  std::string advice;              ///< the remedy if `means` is empty
  std::string library;             ///< where the name comes from

  /// "algorithm.use=fista", "stop.tol" or "tol".
  std::string written() const;
};

CLAROS_API const std::vector<OtherName>& other_names();

/// The table as rows of Markdown: name, meaning here, library.
CLAROS_API std::string other_names_table();

/// `spec` in the names of Claros, if another name means exactly the same. Each is reported to `messages` in a
/// line: "algorithm.use=fista: algorithm.use=proximal-gradient algorithm.accelerate=yes". Settings of the
/// specification itself are not changed.
CLAROS_API Spec with_own_names(const Catalog& catalog, const Spec& spec, const MessageSink& messages);

/// `error`, with the remedy of the table where a complaint is about a name of it.
CLAROS_API Error with_remedies(const Error& error);

/// An assignment without a section, "penalty=l1" or "max_iter=100", with one where that means the same; else
/// as it was.
CLAROS_API std::string with_section(const std::string& assignment);

}  // namespace claros

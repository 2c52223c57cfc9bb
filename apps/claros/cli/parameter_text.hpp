// SPDX-License-Identifier: BSD-3-Clause
/// @file parameter_text.hpp  A table of parameters in words.
#pragma once

#include <claros/parameters.hpp>

#include <cstddef>
#include <string>

namespace claros::cli {

/// "real > 0", "real or inf", "one of lanczos, arpack, dense", "true or false", "text"
std::string domain(const ParameterInfo& parameter);

/// "a component of kind algorithm; default proximal-gradient", "a list of components of kind set"
std::string domain(const Role& role);

/// The default in words: "required" if there is none, "empty" of an empty text.
std::string default_text(const ParameterInfo& parameter);

/// A section to paste, with the sections of its parts, each line led by `indent`. A value that has no default
/// is left to the reader. `use` is empty for a section that names no component.
std::string example(const std::string& section, const std::string& use, const ParameterList& parameters,
                    const std::string& indent);

/// `claros run` with the words, in lines for a shell, each led by `indent`; a quoted word is not broken.
std::string run_command(const std::string& words, const std::string& indent, std::size_t width);

}  // namespace claros::cli

// SPDX-License-Identifier: BSD-3-Clause
/// @file html.hpp  Texts within HTML: nothing that they hold becomes markup.
#pragma once

#include <string>
#include <string_view>

namespace claros::cli {

/// Control characters, and those that turn the direction of writing, become U+FFFD; line breaks and tabs
/// stay.
std::string visible_text(std::string_view text);
/// Escapes text between tags and within quoted attributes.
std::string html_text(std::string_view text);
/// JSON for a script element: no '<' is left in it, so that nothing ends the element.
std::string html_json(std::string json);
/// Base64 (RFC 4648).
std::string base64(std::string_view bytes);
/// The source expression of a policy for an element whose content has this SHA-256, in hexadecimal digits.
std::string policy_hash(std::string_view sha256);

}  // namespace claros::cli

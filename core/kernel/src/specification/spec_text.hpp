// SPDX-License-Identifier: BSD-3-Clause
/// @file spec_text.hpp  From the text of a specification to settings with their lines.
#pragma once

#include <claros/settings.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace claros {

/// The text of a file of at most 1 MiB; throws Error(usage) when it cannot be read or is not text.
std::string read_spec_file(const std::filesystem::path& file);

/// The complaint about the name of a section, if it is none of Spec::known_sections().
std::optional<Complaint> unknown_section(const std::string& section, const std::string& where);

/// The settings of INI text in order, with `where` = "name:line". Every fault is added to `complaints`; the
/// settings are complete only when there was none.
std::vector<Setting> read_settings(const std::string& text, const std::string& name,
                                   std::vector<Complaint>& complaints);

/// Text without blanks at both ends.
std::string trimmed(const std::string& text);

/// True if `words` may name a section: keys joined by '.', and numbers from 1 behind the first (parts of a
/// list).
bool is_section(const std::string& words);

/// True if `text` holds a control character other than a tab.
bool has_control(const std::string& text);

}  // namespace claros

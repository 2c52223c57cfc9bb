// SPDX-License-Identifier: BSD-3-Clause
/// @file settings.hpp  A value that a person wrote, with the place where it was written, and how a table of
/// parameters takes such values.
#pragma once

#include <claros/api.hpp>
#include <claros/error.hpp>
#include <claros/parameters.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace claros {

/// `key = value` of one section. A host may leave `where` and `section` empty.
struct CLAROS_API Setting {
  std::string key;
  std::string value;
  std::string where;    ///< "robust.ini:5" or "command line"
  std::string section;  ///< "set"; empty when the setting came from no specification

  /// "robust.ini:5: set.radius", as errors show it.
  std::string label() const;
  /// "set.radius". For the name of a component it is the section that the component fills: `loss = huber` of
  /// [objective] and `use = huber` of [objective.loss] are one setting.
  std::string place() const;
};

/// The key that names a section's component; it is never one of the component's own parameters.
inline constexpr std::string_view kUse = "use";

/// True if `word` may be a key: lower-case letters, digits, '-' and '_', starting with a letter.
CLAROS_API bool is_key(const std::string& word);

/// The place of a component in a composition, and its own keys.
struct CLAROS_API ComponentPath {
  std::string path;                        ///< "algorithm.inner"
  const ParameterList* options = nullptr;  ///< null: none known. Not owned.

  /// The path in front of every `where` that is empty, or that is an option or a role of the component
  /// ("step", "terms.2"). Every other `where` stays: a file, or the path that an inner component has got
  /// already.
  Error with_path(const Error& error) const;
};

/// Options filled from settings, and all complaints about the settings. `options` is the struct of the table.
/// An option has the default if its setting is absent or has a complaint.
struct CLAROS_API Assignments {
  std::shared_ptr<void> options;
  std::vector<Complaint> complaints;

  /// The options, or Error(usage) with all complaints.
  std::shared_ptr<void> checked() const;
};

/// Fills fresh options of `parameters` in order; a later setting of the same key wins. `use` is skipped. A
/// required parameter without a setting gives a complaint. A complaint about an unknown key names `owner`
/// ("set/nuclear-ball").
CLAROS_API Assignments assign_settings(const ParameterList& parameters, const std::vector<Setting>& settings,
                                       const std::string& owner);

/// The settings of the component itself, without those of the parts that it holds: `inner = NAME`, `inner.key
/// = ...`.
CLAROS_API std::vector<Setting> own_settings(const ParameterList& parameters,
                                             const std::vector<Setting>& settings);

/// Those of the part in a role, with the keys that it knows: {"inner.radius", "4"} is {"radius", "4"},
/// {"inner", "ball"} is
/// {"use", "ball"}.
CLAROS_API std::vector<Setting> settings_of_part(const std::string& role,
                                                 const std::vector<Setting>& settings);

/// A complaint for each setting whose key is not among `known`, with a suggestion.
CLAROS_API std::vector<Complaint> unknown_keys(const std::vector<Setting>& settings,
                                               const std::vector<std::string>& known,
                                               const std::string& owner);

}  // namespace claros

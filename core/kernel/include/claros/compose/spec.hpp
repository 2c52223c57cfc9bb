// SPDX-License-Identifier: BSD-3-Clause
/// @file spec.hpp  A specification: an INI file whose sections are the roles of a composition, and
/// assignments on top of it.
#pragma once

#include <claros/api.hpp>
#include <claros/settings.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace claros {

/// The request of a user as text: sections of `key = value`, each value with the place where it was written.
/// The class knows the names of sections and not their keys; the owner of a section checks them. The section
/// of a role is named after that of its owner: [algorithm.inner].
///
/// A line whose first visible character is '#' or ';' is a comment. Elsewhere both belong to the value, so
/// that every path can be written. A key is in a file once; assignments on top of it replace it.
class CLAROS_API Spec {
 public:
  /// Every outermost section that may be written, in the order in which `text` prints them.
  static const std::vector<std::string>& known_sections();

  /// An empty specification whose relative file names are resolved against `base`.
  explicit Spec(std::filesystem::path base = {});
  /// Throws Error(usage) with everything that is wrong with the file's form.
  static Spec read(const std::filesystem::path& file);
  /// For a caller that collects complaints: faults in the form are added to `complaints`, and the rest is
  /// read. Throws Error(usage) when there is nothing to read.
  static Spec read(const std::filesystem::path& file, std::vector<Complaint>& complaints);
  /// Reads from text; `name` names the file in errors.
  static Spec parse(const std::string& text, const std::string& name, std::filesystem::path base = {});

  /// Sets "section.key" (the key is behind the last dot), replacing an earlier value. Surrounding blanks
  /// of the value are dropped. Throws Error(usage) for an unknown section, a malformed key, or a value that
  /// no line could hold.
  void set(const std::string& name, const std::string& value, const std::string& where = {});
  /// Sets what the framework wrote or checked itself, in any section.
  void put(Setting setting);
  /// The settings of one component as the section `path`, and those of the components that it holds
  /// ("inner.radius") as the sections below it. Nothing is checked.
  static Spec of_component(const std::string& path, const std::vector<Setting>& settings);
  /// "section.key=value", each; throws Error(usage) with everything that is wrong with them.
  void assign(const std::vector<std::string>& assignments, const std::string& where = "command line");
  /// Adds faults to `complaints`, and sets the rest.
  void assign(const std::vector<std::string>& assignments, const std::string& where,
              std::vector<Complaint>& complaints);

  /// Forgets the settings of one section and of those below it.
  void erase(const std::string& section);

  /// Names of the sections that hold a setting, in the order of `known_sections`, those below a section right
  /// behind it.
  std::vector<std::string> sections() const;
  bool has(const std::string& section) const;
  /// The settings of one section in the order of their first writing; empty when there is none.
  std::vector<Setting> settings(const std::string& section) const;
  std::optional<Setting> get(const std::string& section, const std::string& key) const;

  /// "robust.ini:12: estimator.batch" for "estimator.batch", where that setting was read from a file.
  Error with_lines(const Error& error) const;

  /// The whole as INI text that parses to the same settings.
  std::string text() const;
  /// The folder against which relative file names are resolved. It is the folder of the file (absolute), or
  /// `run.base` if that is set, so that a copy in another folder still finds its data. Empty when there is
  /// neither.
  std::filesystem::path base() const;

 private:
  std::filesystem::path base_;
  std::vector<Setting> settings_;
};

/// True if a setting was read from a file ("robust.ini:12"), not from the command line.
CLAROS_API bool has_line(const Setting& setting);

}  // namespace claros

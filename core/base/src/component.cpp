// SPDX-License-Identifier: BSD-3-Clause
#include <claros/component.hpp>
#include <claros/context.hpp>
#include <claros/resolved_files.hpp>

#include "memory_names.hpp"

namespace claros {

Component::~Component() = default;

void* Component::ability(std::string_view) noexcept { return nullptr; }

std::filesystem::path Context::resolve(const std::string& file) const {
  const std::filesystem::path asked(file);
  std::filesystem::path found = file.empty() || asked.is_absolute() || base.empty() ? asked : base / asked;
  if (files && !file.empty()) files->add(file, found);
  return found;
}

void Context::detail(const std::string& text) const {
  if (messages) messages(Severity::detail, with_memory_names(text));
}

void Context::note(const std::string& text) const {
  if (messages) messages(Severity::note, with_memory_names(text));
}

void Context::warn(const std::string& text) const {
  if (messages) messages(Severity::warning, with_memory_names(text));
}

}  // namespace claros

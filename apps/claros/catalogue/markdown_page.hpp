// SPDX-License-Identifier: BSD-3-Clause
/// @file markdown_page.hpp  The pages of `claros describe` as Markdown. Nothing in them depends on the
/// machine.
#pragma once

#include <claros/compose/composition.hpp>
#include <claros/plugin/catalog.hpp>

#include <filesystem>
#include <string>
#include <string_view>

namespace claros::cli {

/// Escapes characters that have a meaning in Markdown; '_' has none inside a word.
std::string escaped(std::string_view text);

/// The catalogue has the parts that it holds by default.
std::string markdown_page(const Catalog& catalog, const PluginEntry& entry);
std::string markdown_page(const BuiltInSection& section);

/// A page for every usable component and every built-in section, KIND-NAME.md and section-NAME.md, README.md
/// that lists them, and compositions.md with the compatibility of components. The folder is made; existing
/// pages are replaced. Throws Error(data).
void write_markdown_pages(const Catalog& catalog, const std::filesystem::path& folder);

}  // namespace claros::cli

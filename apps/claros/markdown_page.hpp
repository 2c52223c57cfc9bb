// SPDX-License-Identifier: BSD-3-Clause
/// @file markdown_page.hpp  The pages of `claros describe` as Markdown. Nothing in them depends on the machine.
#pragma once

#include <claros/compose/composition.hpp>
#include <claros/plugin/catalog.hpp>

#include <filesystem>
#include <string>

namespace claros::cli {

/// The catalogue has the parts that it holds by default.
std::string markdown_page(const Catalog& catalog, const PluginEntry& entry);
std::string markdown_page(const HouseSection& section);

/// A page for every usable component and every section of the house, KIND-NAME.md and section-NAME.md, and
/// README.md that lists them. The folder is made; pages that stand there are replaced. Throws Error(data).
void write_markdown_pages(const Catalog& catalog, const std::filesystem::path& folder);

}  // namespace claros::cli

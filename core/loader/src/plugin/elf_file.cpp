// SPDX-License-Identifier: BSD-3-Clause
#include "plugin/elf_file.hpp"

#include <claros/plugin.hpp>

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <bit>
#include <cstddef>
#include <cstring>
#include <optional>
#include <sstream>
#include <string_view>

#include "plugin/elf_image.hpp"

namespace claros {

namespace {

using Address = ElfImage::Address;
using Symbol = ElfImage::Symbol;

/// A string of a table, up to its terminator or the table's end.
std::string_view string_at(const std::vector<char>& table, std::uint64_t offset) {
  if (offset >= table.size()) return {};
  return {table.data() + offset, ::strnlen(table.data() + offset, table.size() - offset)};
}

/// A library with a sanitizer needs its runtime, which cannot be loaded late.
void check_sanitizer(const ElfImage& file, std::string_view undefined) {
  const std::string_view built = undefined == "__asan_init"   ? "address"
                                 : undefined == "__tsan_init" ? "thread"
                                                              : std::string_view();
  if (!built.empty() && !::dlsym(RTLD_DEFAULT, undefined.data()))
    file.reject("was built with the sanitizer '" + std::string(built) +
                    "', this host with '" CLAROS_SANITIZER_TAG "'",
                "build both alike");
}

/// The plugin's descriptor among the symbols of one table.
std::optional<Symbol> exported(ElfImage& file, const ElfImage::Section& section,
                               const ElfImage::Section& strings) {
  const auto names = file.read<char>(strings.sh_offset, strings.sh_size, "table of symbol names");
  std::optional<Symbol> found;
  for (const Symbol& symbol :
       file.read<Symbol>(section.sh_offset, section.sh_size / sizeof(Symbol), "table of symbols")) {
    const std::string_view name = string_at(names, symbol.st_name);
    if (symbol.st_shndx == SHN_UNDEF) {
      check_sanitizer(file, name);
    } else if (name == "claros_plugin") {
      if (ELF64_ST_TYPE(symbol.st_info) != STT_OBJECT || symbol.st_size < offsetof(ClarosPlugin, fingerprint))
        file.reject("exports a claros_plugin that is not a plugin descriptor",
                    "define it with CLAROS_PLUGIN");
      found = symbol;
    }
  }
  return found;
}

Symbol exported_plugin(ElfImage& file) {
  const auto sections = file.sections();
  std::optional<Symbol> found;
  for (const ElfImage::Section& section : sections) {
    if (section.sh_type != SHT_DYNSYM) continue;
    if (section.sh_link >= sections.size()) file.damaged("a damaged table of symbols");
    if (const auto symbol = exported(file, section, sections[section.sh_link])) found = symbol;
  }
  if (!found)
    file.reject("exports no symbol claros_plugin, so it is not a plugin",
                "define it with CLAROS_PLUGIN, or move the file");
  return *found;
}

/// Addresses of the members of the descriptor, with the loader's relocations applied as for a library mapped
/// at 0.
class Members {
 public:
  Members(ElfImage& file, const Symbol& symbol) : file_(file), begin_(symbol.st_value) {
    bytes_ = file.read_at<char>(begin_, sizeof(ClarosPlugin), "descriptor");
    using Entry = ElfW(Rela);
    const Address table = file.dynamic(DT_RELA);
    if (table == 0) return;
    for (const Entry& entry :
         file.read_at<Entry>(table, file.dynamic(DT_RELASZ) / sizeof(Entry), "table of relocations"))
      if (entry.r_offset >= begin_ && entry.r_offset - begin_ <= sizeof(ClarosPlugin) - sizeof(Address))
        put(entry.r_offset - begin_, base(entry.r_info) + static_cast<Address>(entry.r_addend));
  }

  Address at(std::size_t offset) const {
    Address address = 0;
    std::memcpy(&address, bytes_.data() + offset, sizeof address);
    return address;
  }

 private:
  void put(std::uint64_t offset, Address address) {
    std::memcpy(bytes_.data() + offset, &address, sizeof address);
  }

  /// The address that an entry refers to: a symbol of the library, or the library as a whole.
  Address base(std::uint64_t info) {
    const std::uint64_t index = ELF64_R_SYM(info);
    if (index == 0) return 0;
    const Symbol symbol =
        file_.read_at<Symbol>(file_.dynamic(DT_SYMTAB) + index * sizeof(Symbol), 1, "symbol").front();
    if (symbol.st_shndx == SHN_UNDEF)
      file_.reject("takes a member of its descriptor from another library",
                   "write texts and functions in the plugin itself");
    return symbol.st_value;
  }

  ElfImage& file_;
  Address begin_;
  std::vector<char> bytes_;
};

/// The members behind the first three, which are those of this host.
void read_members(ElfImage& file, const Symbol& symbol, PluginFile& plugin) {
  if (symbol.st_size < sizeof(ClarosPlugin)) file.damaged("a descriptor shorter than it says");
  const Members members(file, symbol);
  const auto text = [&](std::size_t offset) -> const char* {
    const Address address = members.at(offset);
    return address ? plugin.texts.emplace_back(file.text_at(address, "text of the descriptor")).c_str()
                   : nullptr;
  };
  ClarosPlugin& d = plugin.descriptor;
  d.fingerprint = text(offsetof(ClarosPlugin, fingerprint));
  d.name = text(offsetof(ClarosPlugin, name));
  d.aliases = text(offsetof(ClarosPlugin, aliases));
  d.version = text(offsetof(ClarosPlugin, version));
  d.summary = text(offsetof(ClarosPlugin, summary));
  d.description = text(offsetof(ClarosPlugin, description));
  d.citation = text(offsetof(ClarosPlugin, citation));
  d.guidance = text(offsetof(ClarosPlugin, guidance));
  d.specification = text(offsetof(ClarosPlugin, specification));
  d.create = std::bit_cast<decltype(d.create)>(members.at(offsetof(ClarosPlugin, create)));
  d.destroy = std::bit_cast<decltype(d.destroy)>(members.at(offsetof(ClarosPlugin, destroy)));
  d.parameters = std::bit_cast<decltype(d.parameters)>(members.at(offsetof(ClarosPlugin, parameters)));
}

/// The entries of search paths, each path one text, separated by ':'.
LibraryNeeds needs_of(ElfImage& file) {
  LibraryNeeds needs{file.dynamic_texts(DT_NEEDED), {}};
  for (const auto tag : {DT_RPATH, DT_RUNPATH})
    for (const std::string& path : file.dynamic_texts(tag)) {
      std::istringstream in(path + ':');
      for (std::string folder; std::getline(in, folder, ':');) needs.folders.push_back(folder);
    }
  return needs;
}

}  // namespace

PluginFile read_plugin_file(const std::filesystem::path& path) {
  ElfImage file(path);
  const Symbol symbol = exported_plugin(file);
  PluginFile plugin;
  ClarosPlugin& d = plugin.descriptor;
  struct First {
    std::uint32_t magic, abi, struct_size;
    Kind kind;
  };
  static_assert(offsetof(First, kind) == offsetof(ClarosPlugin, kind));
  if (!file.backed(symbol.st_value, sizeof(First)))
    file.reject("its descriptor is filled in by code that runs when it is loaded",
                "make every member of CLAROS_PLUGIN a constant");
  const First first = file.read_at<First>(symbol.st_value, 1, "descriptor").front();
  d.magic = first.magic;
  d.abi = first.abi;
  d.struct_size = first.struct_size;
  d.kind = first.kind;
  if (d.magic == kPluginMagic && d.abi == kPluginAbi && d.struct_size == sizeof(ClarosPlugin))
    read_members(file, symbol, plugin);
  plugin.needs = needs_of(file);
  return plugin;
}

LibraryNeeds read_library_needs(const std::filesystem::path& path) {
  ElfImage file(path);
  return needs_of(file);
}

}  // namespace claros

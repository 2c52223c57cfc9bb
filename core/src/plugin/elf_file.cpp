// SPDX-License-Identifier: BSD-3-Clause
#include "plugin/elf_file.hpp"

#include <claros/plugin.hpp>
#include <claros/regular_file.hpp>

#include <dlfcn.h>
#include <elf.h>
#include <link.h>

#include <bit>
#include <cstring>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace claros {

namespace {

using Header = ElfW(Ehdr);
using Segment = ElfW(Phdr);
using Section = ElfW(Shdr);
using Symbol = ElfW(Sym);

/// No table of a plugin's file is larger: the names of 300,000 symbols of C++ take some 30 MiB.
constexpr std::uint64_t kLargestTable = std::uint64_t{256} << 20U;

constexpr const char* kCopyAgain = "copy or build it again";

/// Checked access to the bytes of a file.
class ElfFile {
 public:
  explicit ElfFile(const std::filesystem::path& path) : path_(path.string()), in_(open_regular_file(path, ErrorKind::plugin)) {
    in_.seekg(0, std::ios::end);
    size_ = static_cast<std::uint64_t>(in_.tellg());
  }

  [[noreturn]] void reject(const std::string& what, const std::string& remedy) const {
    throw Error(ErrorKind::plugin, path_, what, remedy);
  }
  std::uint64_t size() const { return size_; }
  bool holds(std::uint64_t offset, std::uint64_t length) const {
    return offset <= size_ && length <= size_ - offset;
  }

  /// `count` consecutive records; `what` names them when the file ends before they do.
  template <class Record>
  std::vector<Record> read(std::uint64_t offset, std::uint64_t count, const char* what) {
    if (count > kLargestTable / sizeof(Record))
      reject("its " + std::string(what) + " is said to take more than " + std::to_string(kLargestTable >> 20U) + " MiB",
             "is the file damaged? A library of so many symbols cannot be a plugin");
    if (count > size_ / sizeof(Record) || !holds(offset, count * sizeof(Record))) truncated(what);
    std::vector<Record> records(count);
    in_.seekg(static_cast<std::streamoff>(offset));
    in_.read(reinterpret_cast<char*>(records.data()), static_cast<std::streamsize>(count * sizeof(Record)));
    if (!in_) reject("cannot be read to its end", kCopyAgain);
    return records;
  }

  [[noreturn]] void truncated(const char* what) const {
    reject("is truncated: its " + std::string(what) + " lies beyond its end at " + std::to_string(size_) +
               " bytes",
           kCopyAgain);
  }

 private:
  std::string path_;
  std::ifstream in_;
  std::uint64_t size_ = 0;
};

/// This library's own header, as it was mapped.
const Header& own_header() {
  static const int anchor = 0;
  Dl_info info{};
  ::dladdr(&anchor, &info);
  return *static_cast<const Header*>(info.dli_fbase);
}

std::string machine_name(unsigned machine) {
  switch (machine) {
    case EM_386:
      return "x86 (32 bits)";
    case EM_X86_64:
      return "x86-64";
    case EM_ARM:
      return "arm (32 bits)";
    case EM_AARCH64:
      return "arm64";
    case EM_PPC64:
      return "ppc64";
    case EM_RISCV:
      return "riscv";
    case EM_S390:
      return "s390";
    default:
      return "machine number " + std::to_string(machine);
  }
}

/// The first bytes mean the same in ELF files of every architecture.
void check_identity(ElfFile& file) {
  if (file.size() == 0) file.reject("is empty", kCopyAgain);
  const auto ident = file.read<unsigned char>(0, std::min<std::uint64_t>(file.size(), EI_NIDENT), "header");
  if (ident.size() < SELFMAG || std::memcmp(ident.data(), ELFMAG, SELFMAG) != 0)
    file.reject("is not a shared library but some other kind of file", "put only plugins ending in .so here");
  if (ident.size() < EI_NIDENT) file.truncated("header");
  const unsigned char* own = own_header().e_ident;
  if (ident[EI_CLASS] != own[EI_CLASS])
    file.reject(
        "was built for another word size than this host's " + std::to_string(8 * sizeof(void*)) + " bits",
        "rebuild the plugin for this machine");
  if (ident[EI_DATA] != own[EI_DATA])
    file.reject("was built for another byte order", "rebuild the plugin for this machine");
}

Header check_header(ElfFile& file) {
  const Header header = file.read<Header>(0, 1, "header").front();
  if (header.e_machine != own_header().e_machine)
    file.reject("was built for " + machine_name(header.e_machine) + ", this host is " +
                    machine_name(own_header().e_machine),
                "rebuild the plugin for this machine");
  if (header.e_type != ET_DYN) file.reject("is an ELF file but not a shared library", "link it with -shared");
  if (header.e_phentsize != sizeof(Segment) || (header.e_shnum != 0 && header.e_shentsize != sizeof(Section)))
    file.reject("has a damaged ELF header", kCopyAgain);
  return header;
}

void check_segments(ElfFile& file, const Header& header) {
  for (const Segment& segment : file.read<Segment>(header.e_phoff, header.e_phnum, "table of segments"))
    if (!file.holds(segment.p_offset, segment.p_filesz)) file.truncated("content");
}

/// A string of a table, up to its terminator or the table's end.
std::string_view string_at(const std::vector<char>& table, std::uint64_t offset) {
  if (offset >= table.size()) return {};
  return {table.data() + offset, ::strnlen(table.data() + offset, table.size() - offset)};
}

/// A library with a sanitizer needs its runtime, which cannot be loaded late.
void check_sanitizer(const ElfFile& file, std::string_view undefined) {
  const std::string_view built = undefined == "__asan_init"   ? "address"
                                 : undefined == "__tsan_init" ? "thread"
                                                              : std::string_view();
  if (!built.empty() && built != CLAROS_SANITIZER_TAG)
    file.reject("was built with the sanitizer '" + std::string(built) +
                    "', this host with '" CLAROS_SANITIZER_TAG "'",
                "build both alike");
}

/// Whether the symbol table `section` exports the plugin's descriptor.
bool exports_plugin(ElfFile& file, const Section& section, const Section& strings) {
  const auto names = file.read<char>(strings.sh_offset, strings.sh_size, "table of symbol names");
  bool found = false;
  for (const Symbol& symbol :
       file.read<Symbol>(section.sh_offset, section.sh_size / sizeof(Symbol), "table of symbols")) {
    const std::string_view name = string_at(names, symbol.st_name);
    if (symbol.st_shndx == SHN_UNDEF) {
      check_sanitizer(file, name);
    } else if (name == "claros_plugin") {
      if (ELF64_ST_TYPE(symbol.st_info) != STT_OBJECT || symbol.st_size < offsetof(ClarosPlugin, fingerprint))
        file.reject("exports a claros_plugin that is no plugin descriptor", "define it with CLAROS_PLUGIN");
      found = true;
    }
  }
  return found;
}

void check_symbols(ElfFile& file, const Header& header) {
  const auto sections = file.read<Section>(header.e_shoff, header.e_shnum, "table of sections");
  bool found = false;
  for (const Section& section : sections) {
    if (section.sh_type != SHT_NOBITS && !file.holds(section.sh_offset, section.sh_size))
      file.truncated("content");
    if (section.sh_type != SHT_DYNSYM) continue;
    if (section.sh_link >= sections.size()) file.reject("has a damaged table of symbols", kCopyAgain);
    found = exports_plugin(file, section, sections[section.sh_link]) || found;
  }
  if (!found)
    file.reject("exports no symbol claros_plugin, so it is no plugin",
                "define it with CLAROS_PLUGIN, or move the file");
}

}  // namespace

void check_elf_file(const std::filesystem::path& path) {
  ElfFile file(path);
  check_identity(file);
  const Header header = check_header(file);
  check_segments(file, header);
  check_symbols(file, header);
}

}  // namespace claros

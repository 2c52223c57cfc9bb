// SPDX-License-Identifier: BSD-3-Clause
#include "plugin/elf_image.hpp"

#include <claros/error.hpp>
#include <claros/regular_file.hpp>

#include <dlfcn.h>

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>

namespace claros {

namespace {

constexpr const char* kCopyAgain = "copy or build it again";
constexpr std::size_t kLongestText = 1 << 20;
constexpr std::uint64_t kWindow = 1 << 14, kWhole = 1 << 20;

/// This library's own header, as it was mapped.
const ElfImage::Header& own_header() {
  static const Dl_info own = [] {
    static const int anchor = 0;
    Dl_info info{};
    ::dladdr(&anchor, &info);
    return info;
  }();
  return *static_cast<const ElfImage::Header*>(own.dli_fbase);
}

std::string machine_name(unsigned machine) {
  constexpr std::pair<unsigned, const char*> kNames[] = {
      {EM_386, "x86 (32 bits)"}, {EM_X86_64, "x86-64"}, {EM_ARM, "arm (32 bits)"}, {EM_AARCH64, "arm64"},
      {EM_PPC64, "ppc64"},       {EM_RISCV, "riscv"},   {EM_S390, "s390"}};
  for (const auto& [number, name] : kNames)
    if (number == machine) return name;
  return "machine number " + std::to_string(machine);
}

}  // namespace

ElfImage::ElfImage(const std::filesystem::path& path) : path_(path.string()) {
  expect_regular_file(path, ErrorKind::plugin);
  in_.rdbuf()->pubsetbuf(nullptr, 0);
  in_.open(path, std::ios::binary);
  if (!in_) reject("cannot be read", "check its permissions");
  in_.seekg(0, std::ios::end);
  size_ = static_cast<std::uint64_t>(in_.tellg());
  window_.resize(size_ <= kWhole ? size_ : 0);
  read_bytes(0, window_.data(), window_.size());
  check_identity();
  check_header();
  read_segments();
}

void ElfImage::reject(const std::string& what, const std::string& remedy) const {
  throw Error(ErrorKind::plugin, path_, what, remedy);
}
void ElfImage::damaged(const std::string& what) const { reject("has " + what, kCopyAgain); }
void ElfImage::truncated(const std::string& what) const {
  reject("is truncated: its " + what + " lies beyond its end at " + std::to_string(size_) + " bytes",
         kCopyAgain);
}
bool ElfImage::holds(std::uint64_t offset, std::uint64_t length) const {
  return offset <= size_ && length <= size_ - offset;
}

void ElfImage::fill(std::uint64_t offset, char* to, std::uint64_t length) {
  if (offset < window_begin_ || offset + length > window_begin_ + window_.size()) {
    if (length > kWindow) return read_bytes(offset, to, length);
    window_.resize(std::min(kWindow, size_ - offset));
    window_begin_ = offset;
    read_bytes(offset, window_.data(), window_.size());
  }
  std::copy_n(window_.data() + (offset - window_begin_), length, to);
}

void ElfImage::read_bytes(std::uint64_t offset, char* to, std::uint64_t length) {
  in_.seekg(static_cast<std::streamoff>(offset));
  in_.read(to, static_cast<std::streamsize>(length));
  if (!in_) reject("cannot be read to its end", kCopyAgain);
}

/// The first bytes mean the same in ELF files of every architecture.
void ElfImage::check_identity() {
  if (size_ == 0) reject("is empty", kCopyAgain);
  const auto ident = read<unsigned char>(0, std::min<std::uint64_t>(size_, EI_NIDENT), "header");
  if (ident.size() < SELFMAG || std::memcmp(ident.data(), ELFMAG, SELFMAG) != 0)
    reject("is not a shared library but some other kind of file", "put only plugins ending in .so here");
  if (ident.size() < EI_NIDENT) truncated("header");
  const unsigned char* own = own_header().e_ident;
  if (ident[EI_CLASS] != own[EI_CLASS])
    reject("was built for another word size than this host's " + std::to_string(8 * sizeof(void*)) + " bits",
           "rebuild the plugin for this machine");
  if (ident[EI_DATA] != own[EI_DATA])
    reject("was built for another byte order", "rebuild the plugin for this machine");
}

void ElfImage::check_header() {
  header_ = read<Header>(0, 1, "header").front();
  if (header_.e_machine != own_header().e_machine)
    reject("was built for " + machine_name(header_.e_machine) + ", this host is " +
               machine_name(own_header().e_machine),
           "rebuild the plugin for this machine");
  if (header_.e_type != ET_DYN) reject("is an ELF file but not a shared library", "link it with -shared");
  if (header_.e_phentsize != sizeof(Segment) ||
      (header_.e_shnum != 0 && header_.e_shentsize != sizeof(Section)))
    damaged("a damaged ELF header");
}

void ElfImage::read_segments() {
  segments_ = read<Segment>(header_.e_phoff, header_.e_phnum, "table of segments");
  for (const Segment& segment : segments_)
    if (!holds(segment.p_offset, segment.p_filesz)) truncated("content");
  for (const Segment& segment : segments_)
    if (segment.p_type == PT_DYNAMIC)
      dynamic_ = read<Dynamic>(segment.p_offset, segment.p_filesz / sizeof(Dynamic), "dynamic table");
  const auto end =
      std::find_if(dynamic_.begin(), dynamic_.end(), [](const Dynamic& d) { return d.d_tag == DT_NULL; });
  dynamic_.erase(end, dynamic_.end());
}

std::vector<ElfImage::Section> ElfImage::sections() {
  auto all = read<Section>(header_.e_shoff, header_.e_shnum, "table of sections");
  for (const Section& section : all)
    if (section.sh_type != SHT_NOBITS && !holds(section.sh_offset, section.sh_size)) truncated("content");
  return all;
}

const ElfImage::Segment* ElfImage::segment_of(Address address, std::uint64_t length) const {
  for (const Segment& s : segments_)
    if (s.p_type == PT_LOAD && address >= s.p_vaddr && address - s.p_vaddr <= s.p_filesz &&
        length <= s.p_filesz - (address - s.p_vaddr))
      return &s;
  return nullptr;
}

bool ElfImage::backed(Address address, std::uint64_t length) const {
  return segment_of(address, length) != nullptr;
}

std::uint64_t ElfImage::offset_of(Address address, std::uint64_t length, const char* what) const {
  const Segment* segment = segment_of(address, length);
  if (!segment) damaged("a " + std::string(what) + " at an address outside its content");
  return segment->p_offset + (address - segment->p_vaddr);
}

/// Piece by piece: most texts are short, and one may end where its segment does.
std::string ElfImage::text_at(Address address, const char* what) {
  std::string text;
  for (;;) {
    const std::uint64_t offset = offset_of(address, 1, what);
    const Segment& segment = *segment_of(address, 1);
    const std::uint64_t piece = std::min<std::uint64_t>(256, segment.p_filesz - (address - segment.p_vaddr));
    const auto bytes = read<char>(offset, piece, what);
    const std::string_view view(bytes.data(), bytes.size());
    text += view.substr(0, view.find('\0'));
    if (view.find('\0') != view.npos) return text;
    if (text.size() > kLongestText) damaged("a " + std::string(what) + " without an end");
    address += piece;
  }
}

ElfImage::Address ElfImage::dynamic(std::int64_t tag) const {
  for (const Dynamic& d : dynamic_)
    if (d.d_tag == tag) return d.d_un.d_ptr;
  return 0;
}

std::vector<std::string> ElfImage::dynamic_texts(std::int64_t tag) {
  std::vector<std::string> texts;
  for (const Dynamic& d : dynamic_)
    if (d.d_tag == tag) texts.push_back(text_at(dynamic(DT_STRTAB) + d.d_un.d_val, "name of a library"));
  return texts;
}

}  // namespace claros

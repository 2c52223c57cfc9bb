// SPDX-License-Identifier: BSD-3-Clause
#include <claros/memory_limits.hpp>

#include <claros/error.hpp>
#include <claros/parameters.hpp>

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string_view>

namespace claros {
namespace {

constexpr double kEndless = std::numeric_limits<double>::infinity();
constexpr std::array<const char*, 4> kUnits{"KiB", "MiB", "GiB", "TiB"};

/// 64MiB, 1.5GiB, 500000; nothing for a text that is not a positive size.
std::optional<double> size_of(std::string_view text) {
  double number = 0, unit = 1;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  std::string_view word = text.substr(static_cast<std::size_t>(end - text.data()));
  if (code != std::errc{} || !(number > 0) || !std::isfinite(number)) return std::nullopt;
  if (word.empty()) return number;
  for (const char* known : kUnits) {
    unit *= 1024;
    if (word == known) return number * unit;
  }
  return std::nullopt;
}

/// A number in a file of the kernel, `factor` times; endless if there is none ("max").
double number_in(const std::string& path, double factor = 1) {
  std::ifstream in(path);
  double value = 0;
  return in >> value ? factor * value : kEndless;
}

/// MemAvailable and SwapFree.
double machine_left() {
  std::ifstream in("/proc/meminfo");
  double left = 0, value = 0;
  bool known = false;
  for (std::string name, unit; in >> name >> value;) {
    std::getline(in, unit);
    if (name == "MemAvailable:") left += 1024 * value, known = true;
    if (name == "SwapFree:") left += 1024 * value;
  }
  return known ? left : kEndless;
}

/// The bytes left in a control group. `most` and `used` are the files with its limit and use. `stale` names
/// the memory that may be dropped (the cache).
double left_in(const std::string& folder, const char* most, const char* used,
               std::initializer_list<std::string_view> stale) {
  const double limit = number_in(folder + most);
  if (limit == kEndless) return kEndless;
  double cache = 0, value = 0;
  std::ifstream parts(folder + "/memory.stat");
  for (std::string name; parts >> name >> value;)
    if (std::find(stale.begin(), stale.end(), name) != stale.end()) cache += value;
  return limit - number_in(folder + used) + cache;
}

/// The bytes that the control groups and their ancestors leave, for version 2 ("0::/group") and version 1
/// ("4:memory:/group").
double group_left() {
  std::ifstream in("/proc/self/cgroup");
  double left = kEndless;
  for (std::string line; std::getline(in, line);) {
    const bool second = line.starts_with("0::");
    const auto first = line.find(":memory:");
    if (!second && first == line.npos) continue;
    for (std::string group = line.substr(second ? 3 : first + 8); group.size() > 1;
         group = group.substr(0, group.rfind('/')))
      left = std::min(
          left, second ? left_in("/sys/fs/cgroup" + group, "/memory.max", "/memory.current",
                                 {"inactive_file", "active_file"})
                       : left_in("/sys/fs/cgroup/memory" + group, "/memory.limit_in_bytes",
                                 "/memory.usage_in_bytes", {"total_inactive_file", "total_active_file"}));
  }
  return std::max(left, 0.0);
}

/// Pages of the address space (0) or of memory (1) that this process has, in bytes.
double own_pages(int which) {
  std::ifstream in("/proc/self/statm");
  double all = 0, resident = 0;
  if (!(in >> all >> resident)) return 0;
  return (which == 0 ? all : resident) * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

double address_space_left() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return kEndless;
  return std::max(static_cast<double>(limit.rlim_cur) - own_pages(0), 0.0);
}

}  // namespace

std::string size_text(double bytes) {
  if (bytes < 1024.0) return print_real(bytes) + " bytes";
  std::size_t unit = 0;
  double size = bytes / 1024.0;
  while (size >= 1024.0 && unit + 1 < kUnits.size()) size /= 1024.0, ++unit;
  const double shown = size < 10.0 ? std::round(size * 10.0) / 10.0 : std::round(size);
  return print_real(shown) + " " + kUnits[unit];
}

std::optional<double> asked_limit(const char* variable) {
  const char* text = std::getenv(variable);
  if (!text || !*text) return std::nullopt;
  if (const auto size = size_of(text)) return size;
  throw Error(ErrorKind::usage, variable, "'" + std::string(text) + "' is not a size",
              "unset it, or write a positive number such as 500000, 64MiB or 8GiB");
}

void check_asked_limits() {
  for (const char* variable : {"CLAROS_MEMORY", "CLAROS_LINE", "CLAROS_EXPANSION"})
    (void)asked_limit(variable);
}

double memory_left() { return std::min({machine_left(), group_left(), address_space_left()}); }

std::string memory_state() {
  return size_text(own_pages(1)) + " are in use by this process, and " + size_text(memory_left()) +
         " are left";
}

double memory_allowed() {
  const std::optional<double> most = asked_limit("CLAROS_MEMORY");
  return most ? *most : memory_left();
}

bool fits_memory(double bytes) {
  constexpr double kAlways = 0x1p26;  // what is left is not asked for every small file
  const std::optional<double> most = asked_limit("CLAROS_MEMORY");
  return (!most && bytes <= kAlways) || bytes <= memory_allowed();
}

void expect_memory(double bytes, const std::string& where, const std::string& what,
                   const std::string& remedy) {
  if (fits_memory(bytes)) return;
  const double left = memory_allowed();
  throw Error(ErrorKind::data, where,
              what + " takes " + size_text(bytes) + " of memory; " +
                  (asked_limit("CLAROS_MEMORY") ? "CLAROS_MEMORY allows " + size_text(left)
                                                : size_text(left) + " are left here"),
              remedy + "; CLAROS_MEMORY=" + size_text(bytes).erase(size_text(bytes).find(' '), 1) +
                  " in the environment tries all the same");
}

}  // namespace claros

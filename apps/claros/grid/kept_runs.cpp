// SPDX-License-Identifier: BSD-3-Clause
#include "grid/kept_runs.hpp"

#include <claros/error.hpp>
#include <claros/io/atomic_file.hpp>
#include <claros/json_text.hpp>
#include <claros/results/run_folder.hpp>

#include <dlfcn.h>
#include <fmt/format.h>

#include <boost/crc.hpp>
#include <fstream>
#include <iterator>

#include "cli/out_folder.hpp"

namespace claros::cli {

namespace {

namespace fs = std::filesystem;

constexpr const char* kLibrary = "claros";

std::string checksum(const std::string& bytes) {
  boost::crc_32_type crc;
  crc.process_bytes(bytes.data(), bytes.size());
  return fmt::format("{}-{:08x}", bytes.size(), crc.checksum());
}

std::string sum_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return checksum({std::istreambuf_iterator<char>(stream), {}});
}

fs::path library() {
  Dl_info info{};
  // An address within the library; its own name is that of a link.
  return dladdr(reinterpret_cast<const void*>(&claros::version), &info) && info.dli_fname ? info.dli_fname
                                                                                          : fs::path();
}

/// The text, and the contents of the files that it names: data may change under the same path.
std::string sum_of(const Spec& spec) {
  std::string text = spec.text();
  for (const std::string& section : spec.sections())
    for (const Setting& setting : spec.settings(section)) {
      std::error_code code;
      const fs::path file = spec.base() / setting.value;
      if (!setting.value.empty() && fs::is_regular_file(file, code))
        text += setting.value + ' ' + sum_of(file) + '\n';
    }
  return checksum(text);
}

Json read_json(const fs::path& file) {
  const Json json = json_or_null(file);
  return json.is_object() ? json : Json::object();
}

std::map<std::string, std::string> words(const Json& json, const char* key) {
  std::map<std::string, std::string> result;
  if (!json.contains(key) || !json.at(key).is_object()) return result;
  for (const auto& [name, value] : json.at(key).items())
    if (value.is_string()) result[name] = value.get<std::string>();
  return result;
}

std::string at(const std::map<std::string, std::string>& map, const std::string& key) {
  const auto found = map.find(key);
  return found == map.end() ? std::string() : found->second;
}

/// A run that a clock or a user ended would not end there again.
bool ended_by_itself(const std::string& status) {
  return status != text(Status::interrupted) && status != text(Status::stopped_by_host) &&
         status != text(Status::seconds);
}

bool is_one_run(const fs::path& folder) {
  try {
    RunIdentity::read(folder).require(folder, "trace.csv");
    return true;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

KeptRuns::Made KeptRuns::read() const {
  const Json json = read_json(folder_ / kMadeFile);
  return {words(json, "parts"), words(json, "cells")};
}

void KeptRuns::write(const Made& made) const {
  write_atomically(folder_ / kMadeFile, json_text(Json{{"parts", made.parts}, {"cells", made.cells}}));
}

KeptRuns::Made KeptRuns::today(const Comparison& grid) const {
  Made made;
  made.parts[kLibrary] = sum_of(library());
  for (const PluginEntry& entry : catalog_.entries())
    if (entry.usable() && !entry.path.empty()) made.parts[entry.label()] = sum_of(entry.path);
  for (const Cell& cell : grid.cells) {
    made.cells[cell.folder] = sum_of(cell.spec);
    for (Index seed = cell.seed; seed < cell.seed + grid.repeats && !cell.by_seed.empty(); ++seed)
      made.cells[fmt::format("{}/{}", cell.folder, seed)] = sum_of(cell.spec_of(seed));
  }
  return made;
}

bool KeptRuns::is_current(const fs::path& run, const std::string& cell, const Made& old,
                          const Made& now) const {
  const Json result = read_json(run / "result.json");
  const std::string specification = at(now.cells, cell);
  const std::string of_seed = cell + '/' + run.filename().string();  // where files are the seed's own
  if (specification.empty() || at(old.cells, cell) != specification ||
      at(old.cells, of_seed) != at(now.cells, of_seed))
    return false;
  if (!result.contains("versions") || !is_one_run(run) || !ended_by_itself(result.value("status", "")))
    return false;
  if (redraw_) return true;
  for (const auto& [label, version] : result.at("versions").items()) {
    const std::string made_with = at(old.parts, label);
    if (made_with.empty() || made_with != at(now.parts, label)) return false;
  }
  return true;
}

void KeptRuns::begin(const Comparison& grid, const fs::path& folder) {
  folder_ = folder;
  const Made old = read(), now = today(grid);
  std::error_code code;
  std::vector<fs::path> stale;
  for (const auto& cell : fs::directory_iterator(folder, code)) {
    if (!cell.is_directory()) continue;
    const std::string name = cell.path().filename().string();
    for (const auto& run : fs::directory_iterator(cell.path(), code))
      if (is_current(run.path(), name, old, now))
        standing_.insert(name + '/' + run.path().filename().string());
      else
        stale.push_back(run.path() / "result.json");
  }
  if (redraw_)
    for (const Cell& cell : grid.cells)
      for (Index k = 0; k < grid.repeats; ++k)
        if (!standing_.contains(fmt::format("{}/{}", cell.folder, cell.seed + k)))
          throw Error(ErrorKind::usage, "--redraw",
                      fmt::format("{}, seed {} is missing in {}, or was made from another specification",
                                  cell.label, cell.seed + k, folder.string()),
                      "leave --redraw out to make it");
  parts_ = redraw_ ? old.parts : now.parts;
  if (redraw_) return;
  for (const fs::path& result : stale) fs::remove(result, code);
  write(now);
}

bool KeptRuns::take(const Cell& cell, ComparisonRun& run) const {
  const std::string name = fmt::format("{}/{}", cell.folder, run.seed);
  if (!standing_.contains(name)) return false;
  read_run(folder_ / name, run);
  run.folder = name;
  return true;
}

}  // namespace claros::cli

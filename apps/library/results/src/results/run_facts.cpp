// SPDX-License-Identifier: BSD-3-Clause
#include "results/run_facts.hpp"

#include <claros/io/content_hash.hpp>
#include <claros/resolved_files.hpp>

#include <claros/io/ratings.hpp>
#include <claros/map/measurements.hpp>
#include <claros/results/arithmetic.hpp>
#include <claros/results/run_folder.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <variant>

namespace claros {

namespace {

constexpr const char* kChanged = "changed while the run read it";

}  // namespace

std::string contents_of(const ResolvedFiles::File& file) {
  if (!file.contents.empty()) return file.contents;
  const int descriptor = ::open(file.path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  const std::shared_ptr<void> closing(nullptr, [descriptor](void*) {
    if (descriptor >= 0) ::close(descriptor);
  });
  const auto stamp = [&] {
    struct stat status {};
    return descriptor >= 0 && ::fstat(descriptor, &status) == 0 ? FileStamp::of(status) : FileStamp{};
  };
  if (stamp() != file.stamp) return kChanged;
  if (!file.stamp.regular) return "no regular file";
  const std::string hash = hash_of_open_file(descriptor, file.path);
  return stamp() == file.stamp ? hash : kChanged;
}

namespace {

constexpr const char *kContents = "contents of ", *kLibrary = "library of ", *kInMemory = "data in memory",
                     *kStart = "f at the start", *kArithmetic = "arithmetic: ";

template <class Real>
void add(ContentHash& hash, const DenseRows<Real>& rows) {
  hash.add(rows.view());
}
template <class Real>
void add(ContentHash& hash, const SparseRows<Real>& held) {
  const auto rows = held.view();
  hash.add(rows.start), hash.add(rows.column), hash.add(rows.value);
}

void add(ContentHash& hash, const Columns& columns) {
  for (Index j = 0; j < columns.count(); ++j) hash.add(columns.rows_of(j)), hash.add(columns.values(j));
}

/// By columns or by rows, as it lies: what a run computes depends on it in the last bits.
void add(ContentHash& hash, const Design& design) {
  constexpr Index kByColumns = 8;
  const ColumnEntries* by_columns = design.by_columns();
  const Index layout = static_cast<Index>(design.entries.index()) + (by_columns ? kByColumns : 0),
              sizes[] = {design.rows, design.cols, layout};
  hash.add(std::span<const Index>(sizes));
  if (by_columns)
    add(hash, by_columns->columns());
  else
    std::visit([&](const auto& rows) { add(hash, rows); }, design.entries);
  hash.add(design.response), hash.add(design.labels), hash.add(design.column_names), hash.add(design.weights),
      hash.add(design.offset);
  if (design.responses) hash.add(design.responses->values);
}

void add(ContentHash& hash, const Ratings& ratings) {
  const Index sizes[] = {ratings.rows, ratings.cols};
  hash.add(std::span<const Index>(sizes));
  hash.add(ratings.row), hash.add(ratings.col), hash.add(ratings.value), hash.add(ratings.row_ids),
      hash.add(ratings.col_ids);
  if (!ratings.weight.empty()) hash.add(ratings.weight);
}

void add(ContentHash& hash, const Measurements& measurements) {
  const Index kind[] = {static_cast<Index>(measurements.kind), measurements.rows, measurements.cols};
  hash.add(std::span<const Index>(kind));
  add(hash, *measurements.left);
  if (measurements.right) add(hash, *measurements.right);
  if (!measurements.pattern) return;
  const auto& pattern = *measurements.pattern;
  hash.add(std::vector<std::int32_t>(pattern.row().begin(), pattern.row().end()));
  hash.add(std::vector<std::int32_t>(pattern.col().begin(), pattern.col().end()));
}

/// The hash of data that a [data] section made, or a program gave.
std::string contents_of(const Dataset& data) {
  ContentHash hash;
  if (const auto design = data.design()) add(hash, *design);
  if (const auto ratings = data.ratings()) add(hash, *ratings);
  if (const auto measurements = data.measurements()) add(hash, *measurements);
  if (const Element* truth = data.truth(); truth && !truth->shape().is_product()) hash.add(truth->to_dense());
  return hash.text();
}

/// The files, by the settings that name them; a name that no setting bears was made up by the component.
void add_files(Facts& facts, const Composition& composition) {
  if (!composition.context.files) return;
  const auto files = composition.context.files->all();
  for (std::size_t k = 0; k < files.size(); ++k) {
    const ResolvedFiles::File& file = files[k];
    const std::string hash = contents_of(file);
    composition.context.files->set_contents(k, hash);
    bool named = false;
    for (const std::string& section : composition.effective.sections())
      for (const Setting& setting : composition.effective.settings(section)) {
        const std::string name = section + "." + setting.key;
        if (setting.value != file.text || !facts.contains(name)) continue;
        facts.erase(name);
        facts[kContents + name] = hash;
        named = true;
      }
    if (!named) facts[kContents + ("'" + file.text + "'")] = hash;
  }
}

std::string fact_text(const Facts& facts, const std::string& name) {
  const auto found = facts.find(name);
  return found == facts.end() ? "absent" : "'" + found->second + "'";
}

/// True if the two differ no more than sums in other roundings do.
bool rounded(const Facts& then, const Facts& now, const std::string& name) {
  constexpr double kDigits = 1e-9;
  const auto a = then.find(name), b = now.find(name);
  if (a == then.end() || b == now.end()) return false;
  const double x = parse_real(a->second), y = parse_real(b->second);
  return std::abs(x - y) <= kDigits * std::max(std::abs(x), std::abs(y));
}

std::string remedy_for(const std::string& name) {
  if (name.starts_with(kContents))
    return "resume with the file that the run began with (" + name.substr(std::string(kContents).size()) +
           "=PATH where it was moved), or start a new run";
  if (name.starts_with(kLibrary))
    return "resume with the library that the run began with (--plugin-path DIR), or start a new run";
  return "resume with what the run began with, or start a new run";
}

}  // namespace

Facts facts_of(const Composition& composition) {
  Facts facts;
  for (const std::string& section : composition.effective.sections()) {
    if (section == "stop" || section == "output") continue;  // they end and keep a run, and change no step
    for (const Setting& setting : composition.effective.settings(section))
      facts[section + "." + setting.key] = setting.value;
  }
  add_files(facts, composition);
  facts.erase("run.threads");  // as many as there are: the bits are the same
  facts.erase("run.base");     // where the files are
  facts["claros"] = version();
  for (const auto& [label, plugin_version] : composition.versions())
    facts["version of " + label] = plugin_version;
  for (const Node* part : composition.all_parts())
    if (part->entry && !part->entry->path.empty())
      facts.try_emplace(kLibrary + part->label(), hash_of_file(part->entry->path));
  if (composition.context.data) facts[kInMemory] = contents_of(*composition.context.data);
  for (const auto& [name, value] : arithmetic()) facts[kArithmetic + name] = value;
  return facts;
}

void add_start(Facts& facts, const Composition& composition) {
  facts["size of the data"] = std::to_string(composition.objective->terms());
  facts["shape"] = composition.objective->shape().text();
  if (composition.objective->terms() != kUnbounded)
    facts[kStart] = print_real(composition.objective->value(composition.start_point()));
}

std::vector<std::string> changed_while_read(const Facts& facts) {
  std::vector<std::string> names;
  for (const auto& [name, value] : facts)
    if (value == kChanged) names.push_back(name.substr(std::string(kContents).size()));
  return names;
}

std::vector<std::string> changed_inputs(const Composition& composition) {
  std::vector<std::string> paths;
  if (!composition.context.files) return paths;
  for (const ResolvedFiles::File& file : composition.context.files->all()) {
    struct stat status {};
    const FileStamp now = ::stat(file.path.c_str(), &status) == 0 ? FileStamp::of(status) : FileStamp{};
    const bool stands = now == file.stamp && file.contents != kChanged;
    if (stands || !file.stamp.regular || !now.regular) continue;
    const auto as_read = [&] { return contents_of({file.text, file.path, now, {}}) == file.contents; };
    if (file.contents.empty() || file.contents == kChanged || !as_read()) paths.push_back(file.path.string());
  }
  return paths;
}

bool warn_of_changed_inputs(const Composition& composition) {
  const std::vector<std::string> paths = changed_inputs(composition);
  for (const std::string& path : paths)
    composition.context.warn(path +
                             ": has changed since this run read it: the result is that of the contents that "
                             "were read (result.json names the file under changed_inputs)");
  return !paths.empty();
}

Differences differences(const Facts& then, const Facts& now, const std::string& file) {
  Facts names = then;
  names.insert(now.begin(), now.end());
  Differences found;
  std::vector<Complaint> of_start;
  for (const auto& [name, value] : names) {
    if (fact_text(then, name) == fact_text(now, name) || name == kArithmetic + std::string("loops")) continue;
    const std::string sentence = name + " was " + fact_text(then, name) + " and is " + fact_text(now, name);
    if (name.starts_with(kArithmetic))
      found.warnings.push_back(sentence);
    else
      (name == kStart ? of_start : found.complaints).push_back({file, sentence, remedy_for(name)});
  }
  if (found.complaints.empty() && !found.warnings.empty() && rounded(then, now, kStart)) {
    for (const Complaint& start : of_start) found.warnings.push_back(start.what);
    return found;
  }
  if (found.complaints.empty()) found.complaints = std::move(of_start);
  // Data that are made, and not read, come out in other roundings too.
  for (Complaint& complaint : found.complaints)
    if (!found.warnings.empty() && complaint.what.starts_with(kInMemory))
      complaint.what += ", as may be since other code computes (" + found.warnings.front() + ")";
  return found;
}

}  // namespace claros

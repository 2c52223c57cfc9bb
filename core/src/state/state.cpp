// SPDX-License-Identifier: BSD-3-Clause
#include "state/element_archive.hpp"

#include <claros/error.hpp>
#include <claros/state/state.hpp>

#include <algorithm>

namespace claros {

// --- references

namespace {

template <class Table, class Pointer>
std::string name_in(const Table& table, const Pointer& thing) {
  for (const auto& [name, candidate] : table)
    if (candidate == thing) return name;
  throw Error(ErrorKind::usage, "state", "an element refers to a map or pattern that the objective does not name",
              "the objective must offer the ability " + std::string(Referable::kAbility));
}

template <class Table>
auto find_in(const Table& table, const std::string& name) {
  for (const auto& [candidate, thing] : table)
    if (candidate == name) return thing;
  throw Error(ErrorKind::data, "state", "refers to '" + name + "', which this objective does not have", "resume with the same data and plugins");
}

}  // namespace

std::string References::name(const MapPtr& map) const { return name_in(maps_, map); }
std::string References::name(const std::shared_ptr<const Pattern>& pattern) const { return name_in(patterns_, pattern); }
MapPtr References::map(const std::string& name) const { return find_in(maps_, name); }
std::shared_ptr<const Pattern> References::pattern(const std::string& name) const { return find_in(patterns_, name); }

std::string collected(const StateStream& stream) {
  std::string bytes;
  stream([&](std::string_view piece) { bytes.append(piece); });
  return bytes;
}

// --- writing

struct StateWriter::Implementation {
  Implementation(const References& references, ByteSink to) : sink(std::move(to)), elements(references, sink) {}
  std::string collected;
  ArchiveSink sink;
  ElementArchive elements;
  Json root = Json::object();
  std::vector<Json*> groups{&root};

  void put(std::string_view name, Json value) { (*groups.back())[std::string(name)] = std::move(value); }
};

StateWriter::StateWriter(const References& references, ByteSink sink)
    : implementation_(std::make_unique<Implementation>(references, std::move(sink))) {}
StateWriter::StateWriter(const References& references)
    : StateWriter(references, [this](std::string_view bytes) { implementation_->collected.append(bytes); }) {}
StateWriter::~StateWriter() = default;

void StateWriter::put(std::string_view name, Index value) { implementation_->put(name, value); }
void StateWriter::put(std::string_view name, double value) { put(name, std::span<const double>(&value, 1)); }
void StateWriter::put(std::string_view name, bool value) { implementation_->put(name, value); }
void StateWriter::put(std::string_view name, const std::string& value) { implementation_->put(name, value); }
void StateWriter::put(std::string_view name, std::span<const double> values) { implementation_->put(name, implementation_->sink.put(values)); }
void StateWriter::put(std::string_view name, std::span<const Index> values) { implementation_->put(name, implementation_->sink.put(values)); }
void StateWriter::put(std::string_view name, const Element& value) { implementation_->put(name, implementation_->elements.save(value)); }
void StateWriter::put(std::string_view name, const RandomStream& stream) { implementation_->put(name, stream.position()); }
void StateWriter::put_archive(std::string_view name, const StateStream& archive) {
  implementation_->put(name, implementation_->sink.put_stream(archive));
}

void StateWriter::put(std::string_view name, const State* state) {
  if (!state) return;
  auto& groups = implementation_->groups;
  Json& group = (*groups.back())[std::string(name)] = Json::object();
  groups.push_back(&group);
  state->save(*this);
  groups.pop_back();
}

void StateWriter::finish() {
  Json names{{"root", std::move(implementation_->root)}};
  names["shared"] = implementation_->elements.table();
  implementation_->sink.finish(names);
}

std::string StateWriter::bytes() {
  finish();
  return std::move(implementation_->collected);
}

// --- reading

struct StateReader::Implementation {
  Implementation(std::string_view bytes, const References& references, std::string file)
      : origin(std::move(file)), source(bytes, origin), elements(references, source), groups{&source.names().at("root")} {}
  std::string origin;
  std::unique_ptr<std::string> kept;
  ArchiveSource source;
  ElementArchive elements;
  std::vector<const Json*> groups;

  /// use(value of name), with anything unfit told as an error of the archive.
  template <class Use>
  void get(std::string_view name, Use use) {
    const auto found = groups.back()->find(std::string(name));
    if (found == groups.back()->end())
      throw Error(ErrorKind::data, origin, "the state lacks '" + std::string(name) + "'", "it was written by another version: start again");
    try {
      use(*found);
    } catch (const std::exception& error) {
      if (dynamic_cast<const Error*>(&error)) throw;
      throw Error(ErrorKind::data, origin, "the state's '" + std::string(name) + "' is damaged: " + error.what(), "start again");
    }
  }
};

StateReader::StateReader(std::string_view bytes, const References& references, std::string origin)
    : implementation_(std::make_unique<Implementation>(bytes, references, std::move(origin))) {}
StateReader::StateReader(std::string&& bytes, const References& references, std::string origin) {
  auto kept = std::make_unique<std::string>(std::move(bytes));
  implementation_ = std::make_unique<Implementation>(*kept, references, std::move(origin));
  implementation_->kept = std::move(kept);
}
StateReader::~StateReader() = default;

void StateReader::get(std::string_view name, Index& value) {
  implementation_->get(name, [&](const Json& json) { value = integer_in(json); });
}
void StateReader::get(std::string_view name, double& value) {
  implementation_->get(name, [&](const Json& json) { value = implementation_->source.array<double>(json).at(0); });
}
void StateReader::get(std::string_view name, bool& value) {
  implementation_->get(name, [&](const Json& json) { value = json.get<bool>(); });
}
void StateReader::get(std::string_view name, std::string& value) {
  implementation_->get(name, [&](const Json& json) { value = json.get<std::string>(); });
}
void StateReader::get(std::string_view name, std::string_view& archive) {
  implementation_->get(name, [&](const Json& json) { archive = implementation_->source.bytes(json); });
}
void StateReader::get(std::string_view name, std::vector<double>& values) {
  implementation_->get(name, [&](const Json& json) { values = implementation_->source.array<double>(json); });
}
void StateReader::get(std::string_view name, std::vector<Index>& values) {
  implementation_->get(name, [&](const Json& json) { values = implementation_->source.array<Index>(json); });
}
void StateReader::get(std::string_view name, Element& value) {
  implementation_->get(name, [&](const Json& json) { value = implementation_->elements.load(json); });
}
void StateReader::get(std::string_view name, RandomStream& stream) {
  implementation_->get(name, [&](const Json& json) {
    if (!json.is_number_unsigned()) throw std::out_of_range("not a position");
    stream.seek(json.get<std::uint64_t>());
  });
}

void StateReader::get(std::string_view name, State* state) {
  auto& groups = implementation_->groups;
  const bool has = groups.back()->contains(std::string(name));
  if (!has && !state) return;
  if (has != (state != nullptr))
    throw Error(ErrorKind::data, implementation_->origin, "the state " + std::string(has ? "has" : "lacks") + " a part '" + std::string(name) + "'",
                "it was written by another composition: start again");
  groups.push_back(&(*groups.back())[std::string(name)]);
  state->load(*this);
  groups.pop_back();
}

}  // namespace claros

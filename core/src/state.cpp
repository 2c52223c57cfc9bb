// SPDX-License-Identifier: BSD-3-Clause
#include "element_archive.hpp"

#include <claros/error.hpp>
#include <claros/state.hpp>

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

constexpr const char* kForm = "claros state 1";

}  // namespace

std::string References::name(const MapPtr& map) const { return name_in(maps_, map); }
std::string References::name(const std::shared_ptr<const Pattern>& pattern) const { return name_in(patterns_, pattern); }
MapPtr References::map(const std::string& name) const { return find_in(maps_, name); }
std::shared_ptr<const Pattern> References::pattern(const std::string& name) const { return find_in(patterns_, name); }

// --- writing

struct StateWriter::Implementation {
  explicit Implementation(const References& references) : elements(references) {}
  ElementArchive elements;
  Json root = Json::object();
  std::vector<Json*> groups{&root};

  void put(std::string_view name, Json value) { (*groups.back())[std::string(name)] = std::move(value); }
};

StateWriter::StateWriter(const References& references) : implementation_(std::make_unique<Implementation>(references)) {}
StateWriter::~StateWriter() = default;

void StateWriter::put(std::string_view name, Index value) { implementation_->put(name, value); }
void StateWriter::put(std::string_view name, double value) { implementation_->put(name, to_binary<double>({&value, 1})); }
void StateWriter::put(std::string_view name, bool value) { implementation_->put(name, value); }
void StateWriter::put(std::string_view name, const std::string& value) { implementation_->put(name, value); }
void StateWriter::put(std::string_view name, std::span<const double> values) { implementation_->put(name, to_binary(values)); }
void StateWriter::put(std::string_view name, std::span<const Index> values) { implementation_->put(name, to_binary(values)); }
void StateWriter::put(std::string_view name, const Element& value) { implementation_->put(name, implementation_->elements.save(value)); }
void StateWriter::put(std::string_view name, const RandomStream& stream) { implementation_->put(name, stream.position()); }

void StateWriter::put(std::string_view name, const State* state) {
  if (!state) return;
  auto& groups = implementation_->groups;
  Json& group = (*groups.back())[std::string(name)] = Json::object();
  groups.push_back(&group);
  state->save(*this);
  groups.pop_back();
}

std::string StateWriter::bytes() const {
  const Json archive{{"form", kForm}, {"root", implementation_->root}, {"shared", implementation_->elements.table()}};
  const std::vector<std::uint8_t> bytes = Json::to_cbor(archive);
  return {bytes.begin(), bytes.end()};
}

// --- reading

struct StateReader::Implementation {
  Implementation(const References& references, std::string file) : elements(references), origin(std::move(file)) {}
  ElementArchive elements;
  std::string origin;
  Json root;
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
    : implementation_(std::make_unique<Implementation>(references, std::move(origin))) {
  Json archive = Json::from_cbor(bytes.begin(), bytes.end(), true, false);
  if (archive.is_discarded() || !archive.is_object() || archive.value("form", "") != kForm || !archive.contains("root") || !archive.contains("shared"))
    throw Error(ErrorKind::data, implementation_->origin, "is not a state of this version", "start again");
  implementation_->elements.set_table(std::move(archive["shared"]));
  implementation_->root = std::move(archive["root"]);
  implementation_->groups = {&implementation_->root};
}
StateReader::~StateReader() = default;

void StateReader::get(std::string_view name, Index& value) {
  implementation_->get(name, [&](const Json& json) { value = json.get<Index>(); });
}
void StateReader::get(std::string_view name, double& value) {
  implementation_->get(name, [&](const Json& json) { value = from_binary<double>(json).at(0); });
}
void StateReader::get(std::string_view name, bool& value) {
  implementation_->get(name, [&](const Json& json) { value = json.get<bool>(); });
}
void StateReader::get(std::string_view name, std::string& value) {
  implementation_->get(name, [&](const Json& json) { value = json.get<std::string>(); });
}
void StateReader::get(std::string_view name, std::vector<double>& values) {
  implementation_->get(name, [&](const Json& json) { values = from_binary<double>(json); });
}
void StateReader::get(std::string_view name, std::vector<Index>& values) {
  implementation_->get(name, [&](const Json& json) { values = from_binary<Index>(json); });
}
void StateReader::get(std::string_view name, Element& value) {
  implementation_->get(name, [&](const Json& json) { value = implementation_->elements.load(json); });
}
void StateReader::get(std::string_view name, RandomStream& stream) {
  implementation_->get(name, [&](const Json& json) { stream.seek(json.get<std::uint64_t>()); });
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

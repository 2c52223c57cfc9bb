// SPDX-License-Identifier: BSD-3-Clause
#include "state/element_archive.hpp"

#include <claros/error.hpp>
#include <claros/state/state.hpp>

#include <algorithm>
#include <stdexcept>

namespace claros {

// --- references

Referable::~Referable() = default;

namespace {

template <class Table, class Pointer>
std::string name_in(const Table& table, const Pointer& thing) {
  for (const auto& [name, candidate] : table)
    if (candidate == thing) return name;
  throw Error(ErrorKind::usage, "state",
              "an element refers to a map or pattern that the objective does not name",
              "the objective must offer the ability " + std::string(Referable::kAbility));
}

template <class Table>
auto find_in(const Table& table, const std::string& name) {
  for (const auto& [candidate, thing] : table)
    if (candidate == name) return thing;
  throw Error(ErrorKind::data, "state", "refers to '" + name + "', which this objective does not have",
              "resume with the same data and plugins");
}

}  // namespace

std::string References::name(const MapPtr& map) const { return name_in(maps_, map); }
std::string References::name(const std::shared_ptr<const Pattern>& pattern) const {
  return name_in(patterns_, pattern);
}
MapPtr References::map(const std::string& name) const { return find_in(maps_, name); }
std::shared_ptr<const Pattern> References::pattern(const std::string& name) const {
  return find_in(patterns_, name);
}

std::string collected(const StateStream& stream) {
  std::string bytes;
  stream([&](std::string_view piece) { bytes.append(piece); });
  return bytes;
}

State::~State() = default;
StateVisitor::~StateVisitor() = default;

void StateVisitor::operator()(std::string_view name, State* part) {
  if (open(name, part != nullptr)) part->state(*this);
  close();
}

// --- writing

struct StateWriter::Implementation {
  Implementation(const References& references, ByteSink to)
      : sink(std::move(to)), elements(references, sink) {}
  std::string collected;
  ArchiveSink sink;
  ElementArchive elements;
  Cbor root = Cbor::object();
  std::vector<Cbor*> groups{&root};

  Cbor& put(std::string_view name, Cbor value) {
    const auto [at, fresh] = groups.back()->emplace(std::string(name), std::move(value));
    if (!fresh)
      throw Error(ErrorKind::usage, "state", "names '" + std::string(name) + "' twice",
                  "give every member a name of its own");
    return *at;
  }
};

StateWriter::StateWriter(const References& references, ByteSink sink)
    : implementation_(std::make_unique<Implementation>(references, std::move(sink))) {}
StateWriter::StateWriter(const References& references)
    : StateWriter(references, [this](std::string_view bytes) { implementation_->collected.append(bytes); }) {}
StateWriter::~StateWriter() = default;

void StateWriter::visit(std::string_view name, Index& value) { implementation_->put(name, value); }
void StateWriter::visit(std::string_view name, double& value) { visit(name, std::span(&value, 1)); }
void StateWriter::visit(std::string_view name, bool& value) { implementation_->put(name, value); }
void StateWriter::visit(std::string_view name, std::uint64_t& value) { implementation_->put(name, value); }
void StateWriter::visit(std::string_view name, std::string& value) { implementation_->put(name, value); }
void StateWriter::visit(std::string_view name, std::vector<double>& values) {
  visit(name, std::span(values));
}
void StateWriter::visit(std::string_view name, std::vector<Index>& values) {
  implementation_->put(name, implementation_->sink.put(std::span<const Index>(values)));
}
void StateWriter::visit(std::string_view name, std::span<double> values) {
  implementation_->put(name, implementation_->sink.put(std::span<const double>(values)));
}
void StateWriter::visit(std::string_view name, Buffer& values) {
  implementation_->put(name, implementation_->elements.save(values));
}
void StateWriter::visit(std::string_view name, Element& value) {
  implementation_->put(name, implementation_->elements.save(std::as_const(value)));
}
void StateWriter::archive(std::string_view name, const StateStream& written, std::string_view&) {
  implementation_->put(name, implementation_->sink.put_stream(written));
}

bool StateWriter::open(std::string_view name, bool present) {
  auto& groups = implementation_->groups;
  groups.push_back(present ? &implementation_->put(name, Cbor::object()) : nullptr);
  return present;
}
void StateWriter::close() { implementation_->groups.pop_back(); }

void StateWriter::finish() {
  Cbor names{{"root", std::move(implementation_->root)}};
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
      : origin(std::move(file)),
        source(bytes, origin),
        elements(references, source),
        groups{{&source.names().at("root"), {}}} {}
  struct Group {
    const Cbor* json = nullptr;  ///< null: the archive has none, nor is one asked for
    std::string path;            ///< "algorithm."
    std::size_t asked = 0;
  };
  std::string origin;
  std::unique_ptr<std::string> kept;
  ArchiveSource source;
  ElementArchive elements;
  std::vector<Group> groups;

  std::string full(std::string_view name) const { return "'" + groups.back().path + std::string(name) + "'"; }

  /// use(value of name), with anything unfit told as an error of the archive.
  template <class Use>
  void get(std::string_view name, Use use) {
    Group& group = groups.back();
    const auto found = group.json->find(std::string(name));
    if (found == group.json->end())
      throw Error(ErrorKind::data, origin, "the state lacks " + full(name),
                  "it was written by another version: start again");
    ++group.asked;
    try {
      use(*found);
    } catch (const std::exception& error) {
      if (dynamic_cast<const Error*>(&error)) throw;
      throw Error(ErrorKind::data, origin, "the state's " + full(name) + " is damaged: " + error.what(),
                  "start again");
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

namespace {

/// Counts and positions stay below it, so that those who add to them need not look.
constexpr std::uint64_t kMostCount = std::uint64_t{1} << 53U;

}  // namespace

void StateReader::visit(std::string_view name, Index& value) {
  implementation_->get(name, [&](const Cbor& json) {
    const Index read = integer_in(json);
    if (read > static_cast<Index>(kMostCount) || read < -static_cast<Index>(kMostCount))
      throw std::out_of_range("beyond 2^53");
    value = read;
  });
}
void StateReader::visit(std::string_view name, double& value) { visit(name, std::span(&value, 1)); }
void StateReader::visit(std::string_view name, bool& value) {
  implementation_->get(name, [&](const Cbor& json) { value = json.get<bool>(); });
}
void StateReader::visit(std::string_view name, std::uint64_t& value) {
  implementation_->get(name, [&](const Cbor& json) {
    if (!json.is_number_unsigned() || json.get<std::uint64_t>() > kMostCount)
      throw std::out_of_range("not a position");
    value = json.get<std::uint64_t>();
  });
}
void StateReader::visit(std::string_view name, std::string& value) {
  implementation_->get(name, [&](const Cbor& json) { value = json.get<std::string>(); });
}
void StateReader::visit(std::string_view name, std::vector<double>& values) {
  implementation_->get(name, [&](const Cbor& json) { values = implementation_->source.array<double>(json); });
}
void StateReader::visit(std::string_view name, std::vector<Index>& values) {
  implementation_->get(name, [&](const Cbor& json) { values = implementation_->source.array<Index>(json); });
}
void StateReader::visit(std::string_view name, std::span<double> values) {
  implementation_->get(name, [&](const Cbor& json) {
    const std::vector<double> read = implementation_->source.array<double>(json);
    if (read.size() != values.size())
      throw std::out_of_range(std::to_string(read.size()) + " numbers instead of " +
                              std::to_string(values.size()));
    std::ranges::copy(read, values.begin());
  });
}
void StateReader::visit(std::string_view name, Buffer& values) {
  implementation_->get(name, [&](const Cbor& json) { values = implementation_->elements.load_buffer(json); });
}
void StateReader::visit(std::string_view name, Element& value) {
  implementation_->get(name, [&](const Cbor& json) {
    Element read = implementation_->elements.load(json);
    const Shape none, &is = read.shape(), &was = value.shape();
    if (is != was && was != none) throw std::out_of_range(is.text() + " instead of " + was.text());
    value = std::move(read);
  });
}
void StateReader::archive(std::string_view name, const StateStream&, std::string_view& read) {
  implementation_->get(name, [&](const Cbor& json) { read = implementation_->source.bytes(json); });
}

bool StateReader::open(std::string_view name, bool present) {
  auto& groups = implementation_->groups;
  const auto& outer = groups.back();
  const auto found = outer.json->find(std::string(name));
  const bool has = found != outer.json->end() && found->is_object();
  if (has != present)
    throw Error(ErrorKind::data, implementation_->origin,
                "the state " + std::string(has ? "has" : "lacks") + " a part " + implementation_->full(name),
                "it was written by another composition: start again");
  if (has) ++groups.back().asked;
  groups.push_back({has ? &*found : nullptr, outer.path + std::string(name) + "."});
  return present;
}

void StateReader::close() {
  auto& groups = implementation_->groups;
  const auto group = std::move(groups.back());
  groups.pop_back();
  if (group.json && group.asked != group.json->size())
    throw Error(ErrorKind::data, implementation_->origin,
                "the state's '" + group.path + "' has " + std::to_string(group.json->size()) +
                    " members, and " + std::to_string(group.asked) + " were asked for",
                "it was written by another version: start again");
}

void StateReader::misfit(std::string_view name, std::string_view what) {
  throw Error(ErrorKind::data, implementation_->origin,
              "the state's " + implementation_->full(name) + " does not fit: " + std::string(what),
              "start again");
}

}  // namespace claros

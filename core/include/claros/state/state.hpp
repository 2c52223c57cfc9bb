// SPDX-License-Identifier: BSD-3-Clause
/// @file state.hpp  Saving and loading everything that the next step depends on.
///
/// Values are kept under names, numbers to the bit. Arrays, factor stores and images that elements share are written
/// once and shared again after loading, since arithmetic takes other paths for shared parts. Maps and patterns belong to
/// the data: they are named in the archive and looked up among the objective's when it is read.
///
/// An archive is a stream: arrays go from where they stand to the sink when they are put, and are read from where the
/// archive stands; neither side holds them a second time. Names and numbers follow at the end, and a checksum of all.
#pragma once

#include <claros/api.hpp>
#include <claros/element/element.hpp>
#include <claros/random.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace claros {

/// The maps and patterns that elements of a run may refer to, by name.
class CLAROS_API References {
 public:
  void add(const std::string& name, MapPtr map) { maps_.emplace_back(name, std::move(map)); }
  void add(const std::string& name, std::shared_ptr<const Pattern> pattern) { patterns_.emplace_back(name, std::move(pattern)); }
  /// The name of a map or pattern, or the map or pattern of a name. Throws Error(data) when there is none.
  std::string name(const MapPtr& map) const;
  std::string name(const std::shared_ptr<const Pattern>& pattern) const;
  MapPtr map(const std::string& name) const;
  std::shared_ptr<const Pattern> pattern(const std::string& name) const;

 private:
  std::vector<std::pair<std::string, MapPtr>> maps_;
  std::vector<std::pair<std::string, std::shared_ptr<const Pattern>>> patterns_;
};

/// Ability of objectives: names the maps and patterns that its gradients and images refer to.
class CLAROS_API Referable {
 public:
  static constexpr std::string_view kAbility = "claros.referable/1";
  virtual ~Referable();
  virtual void refer(References& references) const = 0;
};

class StateWriter;
class StateReader;

/// Ability of algorithms, estimators and oracles. `load` is called after `start`, on a component made from the same
/// options; after it the next step is the one that would have followed `save`, bit for bit.
class CLAROS_API State {
 public:
  static constexpr std::string_view kAbility = "claros.state/1";
  virtual ~State();
  virtual void save(StateWriter& out) const = 0;
  virtual void load(StateReader& in) = 0;
};

/// Takes the bytes of an archive, piece by piece. What it throws ends the writing.
using ByteSink = std::function<void(std::string_view)>;
/// Something that can be written to a sink, whole, as often as it is called.
using StateStream = std::function<void(const ByteSink&)>;
/// All of its bytes.
CLAROS_API std::string collected(const StateStream& stream);

/// Writes named values. A name stands once; a State within opens a group of its own.
class CLAROS_API StateWriter {
 public:
  /// To be ended with `finish`. The sink gets pieces of at most a megabyte.
  StateWriter(const References& references, ByteSink sink);
  /// In memory, to be ended with `bytes`.
  explicit StateWriter(const References& references);
  ~StateWriter();
  StateWriter(const StateWriter&) = delete;
  StateWriter& operator=(const StateWriter&) = delete;

  void put(std::string_view name, Index value);
  void put(std::string_view name, double value);
  void put(std::string_view name, bool value);
  void put(std::string_view name, const std::string& value);
  void put(std::string_view name, std::span<const double> values);
  void put(std::string_view name, std::span<const Index> values);
  void put(std::string_view name, const Element& value);
  void put(std::string_view name, const RandomStream& stream);
  /// What `state` saves, as a group; nothing when it is null.
  void put(std::string_view name, const State* state);
  /// Another archive, which StateReader::get gives as a view.
  void put_archive(std::string_view name, const StateStream& archive);

  /// Call once, last: names, numbers and the checksum.
  void finish();
  /// finish(), and the archive.
  std::string bytes();

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

/// Reads what a StateWriter wrote. Every get throws Error(data) when the name is absent or of another type.
class CLAROS_API StateReader {
 public:
  /// Reads from where the bytes stand, which must outlive the reader. `origin` names the file in errors. Error(data)
  /// when the checksum does not fit.
  StateReader(std::string_view bytes, const References& references, std::string origin);
  /// ... from bytes that it keeps.
  StateReader(std::string&& bytes, const References& references, std::string origin);
  ~StateReader();
  StateReader(const StateReader&) = delete;
  StateReader& operator=(const StateReader&) = delete;

  void get(std::string_view name, Index& value);
  void get(std::string_view name, double& value);
  void get(std::string_view name, bool& value);
  void get(std::string_view name, std::string& value);
  void get(std::string_view name, std::string_view& archive);  ///< where it stands in the bytes
  void get(std::string_view name, std::vector<double>& values);
  void get(std::string_view name, std::vector<Index>& values);
  void get(std::string_view name, Element& value);
  void get(std::string_view name, RandomStream& stream);
  /// Error(data) when the archive has the group and `state` is null, or the other way round.
  void get(std::string_view name, State* state);

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace claros

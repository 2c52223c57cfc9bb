// SPDX-License-Identifier: BSD-3-Clause
/// @file state.hpp  Saving and loading everything that the next step depends on.
///
/// A component lists its members once, to a visitor that writes or reads them:
///
///     void state(StateVisitor& v) override {
///       v("x", x_);
///       v("t", t_);
///       v.require(t_ >= 0, "t", "negative");
///       if (v.loading()) make_what_follows_from_them();
///     }
///
/// Values are kept under names, numbers to the bit. Arrays, factor stores and images that elements share are
/// written once and shared again after loading, since arithmetic takes other paths for shared parts. Maps and
/// patterns belong to the data: they are named in the archive and looked up among the objective's when it is
/// read.
///
/// An archive is a stream: arrays go to the sink without a copy when they are put, and are read from
/// the archive in place; neither side holds them a second time. Names and numbers follow at the end, and
/// a checksum of all.
#pragma once

#include <claros/api.hpp>
#include <claros/element/element.hpp>

#include <concepts>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace claros {

/// The maps and patterns that elements of a run may refer to, by name.
class CLAROS_API References {
 public:
  void add(const std::string& name, MapPtr map) { maps_.emplace_back(name, std::move(map)); }
  void add(const std::string& name, std::shared_ptr<const Pattern> pattern) {
    patterns_.emplace_back(name, std::move(pattern));
  }
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
  static constexpr std::string_view kWords = "objects that states refer to";
  virtual ~Referable();
  virtual void refer(References& references) const = 0;
};

class State;

/// Takes the bytes of an archive, piece by piece. An exception that it throws ends the writing.
using ByteSink = std::function<void(std::string_view)>;
/// Something that can be written to a sink, whole, as often as it is called.
using StateStream = std::function<void(const ByteSink&)>;
/// All of its bytes.
CLAROS_API std::string collected(const StateStream& stream);

/// A stream whose whole state is one number: a RandomStream, a Sampler.
template <class T>
concept Seekable = requires(T& stream, const T& same, std::uint64_t position) {
  { same.position() } -> std::same_as<std::uint64_t>;
  stream.seek(position);
};

/// Is shown every member of a state under a name, which is in its group once. A visitor that writes leaves
/// members as they are. One that reads gives them the values written under the name. It throws Error(data) if
/// the value is absent, has another type, or does not fit. Members come in the order of the list, in both
/// directions.
class CLAROS_API StateVisitor {
 public:
  virtual ~StateVisitor();
  StateVisitor(const StateVisitor&) = delete;
  StateVisitor& operator=(const StateVisitor&) = delete;

  /// True if members are read. Members that follow from them and are not listed are then to be made again,
  /// after their lines.
  virtual bool loading() const noexcept = 0;

  /// Index, double, bool, std::string, vectors of Index and double, Buffer, Element; a RandomStream or
  /// Sampler (its position); an optional of these. A type with a function `state(StateVisitor&)` is a group
  /// of its own. An Element that has a shape (`start` gives one to each) keeps it: an element with another
  /// shape or none does not fit. An integer or a position beyond 2^53 does not fit either.
  template <class T>
  void operator()(std::string_view name, T& member) {
    static_assert(!std::is_const_v<T>, "a member that is loaded is not const");
    if constexpr (requires { member.state(*this); }) {
      if (open(name, true)) member.state(*this);
      close();
    } else if constexpr (Seekable<T>) {
      std::uint64_t position = member.position();
      visit(name, position);
      if (loading()) member.seek(position);
    } else {
      visit(name, member);
    }
  }
  template <class T>
  void operator()(std::string_view name, std::optional<T>& member) {
    bool holds = member.has_value();
    (void)open(name, true);
    visit("holds", holds);
    if (!holds)
      member.reset();
    else if (!member)
      member.emplace();
    if (member) (*this)("value", *member);
    close();
  }
  /// The span fixes the count of numbers: another count does not fit.
  void operator()(std::string_view name, std::span<double> values) { visit(name, values); }
  /// A group, or nothing if it is null. Error(data) when the archive has it and `part` is null, or the
  /// other way round.
  void operator()(std::string_view name, State* part);
  /// Another archive: `written` makes it, `read` is set to its place in the bytes.
  virtual void archive(std::string_view name, const StateStream& written, std::string_view& read) = 0;

  /// When members are read: throws Error(data), saying `what` of the member is wrong, unless it fits. To be
  /// asked before what was read is used as a size or an index.
  void require(bool fits, std::string_view name, std::string_view what) {
    if (loading() && !fits) misfit(name, what);
  }

 protected:
  StateVisitor() = default;
  virtual void visit(std::string_view name, Index& value) = 0;
  virtual void visit(std::string_view name, double& value) = 0;
  virtual void visit(std::string_view name, bool& value) = 0;
  virtual void visit(std::string_view name, std::uint64_t& value) = 0;
  virtual void visit(std::string_view name, std::string& value) = 0;
  virtual void visit(std::string_view name, std::vector<double>& values) = 0;
  virtual void visit(std::string_view name, std::vector<Index>& values) = 0;
  virtual void visit(std::string_view name, std::span<double> values) = 0;
  virtual void visit(std::string_view name, Buffer& values) = 0;
  virtual void visit(std::string_view name, Element& value) = 0;
  /// Begins a group; false if there is nothing to be shown. Closed in either case.
  virtual bool open(std::string_view name, bool present) = 0;
  virtual void close() = 0;
  virtual void misfit(std::string_view name, std::string_view what) = 0;
};

/// Ability of algorithms, estimators and oracles. `state` lists every member that the next step depends on,
/// those of its base first. When members are read it is called after `start`, on a component made from the
/// same options. The next step is then the one that would have followed the writing, bit for bit.
class CLAROS_API State {
 public:
  static constexpr std::string_view kAbility = "claros.state/2";
  static constexpr std::string_view kWords = "a state for resume";
  virtual ~State();
  virtual void state(StateVisitor& v) = 0;
};

/// Writes what it is shown. Throws Error(usage) for a name that is given twice.
class CLAROS_API StateWriter final : public StateVisitor {
 public:
  /// To be ended with `finish`. The sink gets pieces of at most a megabyte.
  StateWriter(const References& references, ByteSink sink);
  /// In memory, to be ended with `bytes`.
  explicit StateWriter(const References& references);
  ~StateWriter() override;

  bool loading() const noexcept override { return false; }
  void archive(std::string_view name, const StateStream& written, std::string_view& read) override;

  /// Call once, last: names, numbers and the checksum.
  void finish();
  /// finish(), and the archive.
  std::string bytes();

 private:
  void visit(std::string_view name, Index& value) override;
  void visit(std::string_view name, double& value) override;
  void visit(std::string_view name, bool& value) override;
  void visit(std::string_view name, std::uint64_t& value) override;
  void visit(std::string_view name, std::string& value) override;
  void visit(std::string_view name, std::vector<double>& values) override;
  void visit(std::string_view name, std::vector<Index>& values) override;
  void visit(std::string_view name, std::span<double> values) override;
  void visit(std::string_view name, Buffer& values) override;
  void visit(std::string_view name, Element& value) override;
  bool open(std::string_view name, bool present) override;
  void close() override;
  void misfit(std::string_view, std::string_view) override {}

  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

/// Reads what a StateWriter wrote. Throws Error(data) also for a group of which not every name was asked for.
class CLAROS_API StateReader final : public StateVisitor {
 public:
  /// Reads the bytes in place, which must outlive the reader. `origin` names the file in errors.
  /// Error(data) when the checksum does not fit.
  StateReader(std::string_view bytes, const References& references, std::string origin);
  /// ... from bytes that it keeps.
  StateReader(std::string&& bytes, const References& references, std::string origin);
  ~StateReader() override;

  bool loading() const noexcept override { return true; }
  void archive(std::string_view name, const StateStream& written, std::string_view& read) override;

 private:
  void visit(std::string_view name, Index& value) override;
  void visit(std::string_view name, double& value) override;
  void visit(std::string_view name, bool& value) override;
  void visit(std::string_view name, std::uint64_t& value) override;
  void visit(std::string_view name, std::string& value) override;
  void visit(std::string_view name, std::vector<double>& values) override;
  void visit(std::string_view name, std::vector<Index>& values) override;
  void visit(std::string_view name, std::span<double> values) override;
  void visit(std::string_view name, Buffer& values) override;
  void visit(std::string_view name, Element& value) override;
  bool open(std::string_view name, bool present) override;
  void close() override;
  void misfit(std::string_view name, std::string_view what) override;

  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace claros

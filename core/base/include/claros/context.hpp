// SPDX-License-Identifier: BSD-3-Clause
/// @file context.hpp  The facts that a component gets when it is created: where files are, the seed, the
/// sinks.
#pragma once

#include <claros/api.hpp>
#include <claros/random.hpp>

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace claros {

class Component;
class Dataset;
class ResolvedFiles;

/// A detail is a note that carries no decision, such as a size: it is shown where all are asked for.
enum class Severity { note, warning, detail };

/// Receives messages. The library itself prints nothing.
using MessageSink = std::function<void(Severity, const std::string&)>;

/// Passed to every component at creation. Copied freely.
struct CLAROS_API Context {
  std::filesystem::path base;  ///< folder against which relative file names are resolved
  std::uint64_t seed = 0;      ///< the seed of the run; streams are derived from it (random.hpp)
  std::uint32_t trial = 0;     ///< of several independent runs on the same data; 0: the first
  int threads = 1;
  std::shared_ptr<const Dataset> data;  ///< from a [data] section or from the host; may be null
  MessageSink messages;                 ///< may be empty
  /// The components that fill the roles of the component being created (kind.hpp), by the role's name; lists
  /// keep their order. They are behind watchers, as everything that Claros makes.
  std::vector<std::pair<std::string, std::shared_ptr<Component>>> held = {};
  /// Notes what `resolve` is asked for: the files that a run depends on. May be null; kept by Claros.
  std::shared_ptr<ResolvedFiles> files = {};
  /// The path of the component that is created, which its errors begin with: "algorithm.inner". Empty: its
  /// kind.
  std::string path = {};

  /// The part in a role, or null if it is empty. `Interface` is that of the role's kind: Objective,
  /// Loss, GradientEstimator, Algorithm, or Component for the other kinds.
  template <class Interface>
  std::shared_ptr<Interface> part(std::string_view role) const {
    for (const auto& [name, component] : held)
      if (name == role) return std::static_pointer_cast<Interface>(component);
    return nullptr;
  }
  /// All parts of a list.
  template <class Interface>
  std::vector<std::shared_ptr<Interface>> parts(std::string_view role) const {
    std::vector<std::shared_ptr<Interface>> all;
    for (const auto& [name, component] : held)
      if (name == role) all.push_back(std::static_pointer_cast<Interface>(component));
    return all;
  }

  /// The path of a file that the component is about to read. Claros compares these files, and no others, when
  /// the run is resumed: it refuses changed contents. An empty name is the path of no
  /// file.
  std::filesystem::path resolve(const std::string& file) const;
  void detail(const std::string& text) const;
  void note(const std::string& text) const;
  void warn(const std::string& text) const;
  /// The run's random numbers for a purpose, which says whose they are (random.hpp). Equal seeds give equal
  /// numbers; trials share the data's stream and no other. Streams of different `instance`, below 65536, are
  /// independent, for a component that needs several. A stream that the next step depends on is a member,
  /// listed in `state`, which keeps its position.
  RandomStream stream(Purpose purpose, std::uint32_t instance = 0) const {
    return {seed, purpose, instance | (purpose == Purpose::data ? 0 : trial << 16)};
  }
};

}  // namespace claros

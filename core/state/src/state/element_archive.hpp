// SPDX-License-Identifier: BSD-3-Clause
/// @file element_archive.hpp  Elements as JSON values that say where their arrays are, with shared arrays,
/// stores and images kept in a table beside them.
#pragma once

#include "element/image.hpp"
#include "state/archive_bytes.hpp"

#include <claros/state/state.hpp>

#include <map>
#include <memory>
#include <vector>

namespace claros {

/// Turns elements into JSON and back. One object a direction and archive: it remembers what was shared.
class ElementArchive {
 public:
  ElementArchive(const References& references, ArchiveSink& sink) : references_(references), sink_(&sink) {}
  /// Reads from the table that was written.
  ElementArchive(const References& references, const ArchiveSource& source)
      : references_(references),
        source_(&source),
        table_(source.names().at("shared")),
        loaded_(table_.size()) {}

  Cbor save(const Element& x);
  Element load(const Cbor& json);
  /// The place of the array in the table; null for an empty one.
  Cbor save(const Buffer& buffer) { return buffer.empty() ? Cbor(nullptr) : Cbor(save_buffer(buffer)); }
  Buffer load_buffer(const Cbor& json);

  /// The table of shared things, to be written after the last save.
  const Cbor& table() const noexcept { return table_; }

 private:
  Cbor save_form(const Form& form);
  Form load_form(const Cbor& json);
  std::size_t save_buffer(const Buffer& buffer);
  std::size_t save_store(const std::shared_ptr<FactorStore>& store);
  std::shared_ptr<FactorStore> load_store(const Cbor& json);
  std::size_t save_operator(const std::shared_ptr<const LinearOperator>& op);
  std::shared_ptr<const LinearOperator> load_operator(const Cbor& json);
  std::size_t save_image(const std::shared_ptr<Image>& image);
  std::shared_ptr<Image> load_image(const Cbor& json);
  /// The place of a thing in the table, and whether it is new there.
  std::pair<std::size_t, bool> place(const void* identity, std::shared_ptr<const void> holder);

  const References& references_;
  ArchiveSink* sink_ = nullptr;
  const ArchiveSource* source_ = nullptr;
  Cbor table_ = Cbor::array();
  std::map<const void*, std::size_t> places_;
  std::vector<std::shared_ptr<const void>> held_;  ///< all of places_, so that no address comes twice
  /// The type of an entry of the table that is read: the type for which it was first asked decides.
  enum class Shared { unknown, buffer, store, image, made };
  struct Loaded {
    Buffer buffer;
    std::shared_ptr<FactorStore> store;
    std::shared_ptr<Image> image;
    std::shared_ptr<const LinearOperator> op;
    Shared is = Shared::unknown;
    bool done = false;
    Index reads = 0;  ///< of an image: how many nodes the reading of one entry visits
  };
  /// The entry that `json` names, and its place, to be loaded if it is not `done`. Throws std::exception when
  /// there is none, when it is something else, and when it is on its way: it would hold itself.
  std::pair<Loaded*, std::size_t> entry(const Cbor& json, Shared as);
  std::vector<Loaded> loaded_;
};

}  // namespace claros

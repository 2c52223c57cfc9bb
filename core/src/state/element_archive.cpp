// SPDX-License-Identifier: BSD-3-Clause
#include "state/element_archive.hpp"

#include <claros/error.hpp>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace claros {

namespace {

/// A double as its bits: JSON has no NaN, and decimal digits are not needed.
Cbor bits(double value) {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(&value);
  return Cbor::binary(std::vector<std::uint8_t>(bytes, bytes + sizeof value));
}
double from_bits(const Cbor& json) {
  double value = 0.0;
  const auto& bytes = json.get_binary();
  if (bytes.size() != sizeof value) throw std::out_of_range("not a number");
  std::copy_n(bytes.data(), sizeof value, reinterpret_cast<std::uint8_t*>(&value));
  return value;
}

Cbor save_shape(const Shape& shape) {
  Cbor json{{"rows", shape.rows}, {"cols", shape.cols}, {"blocks", Cbor::array()}};
  for (const Shape& block : shape.blocks) json["blocks"].push_back(save_shape(block));
  return json;
}

Shape load_shape(const Cbor& json) {
  Shape shape{json.at("rows"), json.at("cols"), {}};
  for (const Cbor& block : json.at("blocks")) shape.blocks.push_back(load_shape(block));
  return shape;
}

}  // namespace

std::pair<std::size_t, bool> ElementArchive::place(const void* identity, std::shared_ptr<const void> holder) {
  const auto [entry, fresh] = places_.try_emplace(identity, table_.size());
  if (fresh) table_.push_back(nullptr), held_.push_back(std::move(holder));
  return {entry->second, fresh};
}

std::size_t ElementArchive::save_buffer(const Buffer& buffer) {
  const auto [index, fresh] = place(buffer.identity(), std::make_shared<Buffer>(buffer));
  if (fresh) table_[index] = sink_->put(buffer.view());
  return index;
}

Buffer ElementArchive::load_buffer(const Cbor& json) {
  if (json.is_null()) return {};
  Loaded& entry = loaded_.at(json.get<std::size_t>());
  if (!entry.done) entry.buffer = Buffer(source_->array<double>(table_.at(json.get<std::size_t>()))), entry.done = true;
  return entry.buffer;
}

/// Stores share arrays among themselves: a pair is the places of two arrays, with where its columns begin in them.
std::size_t ElementArchive::save_store(const std::shared_ptr<FactorStore>& store) {
  const auto [index, fresh] = place(store.get(), store);
  if (!fresh) return index;
  std::vector<Index> pairs;
  for (const FactorStore::Pair& pair : store->pairs())
    for (const FactorStore::Column& column : {pair.left, pair.right}) {
      pairs.push_back(static_cast<Index>(save_buffer(column.array)));
      pairs.push_back(column.offset);
    }
  table_[index] = {{"rows", store->rows()}, {"cols", store->cols()}, {"pairs", sink_->put<Index>(pairs)}};
  return index;
}

std::shared_ptr<FactorStore> ElementArchive::load_store(const Cbor& json) {
  const auto index = json.get<std::size_t>();
  Loaded& entry = loaded_.at(index);
  if (entry.done) return entry.store;
  const Cbor& saved = table_.at(index);
  entry.store = std::make_shared<FactorStore>(saved.at("rows").get<Index>(), saved.at("cols").get<Index>());
  const std::vector<Index> pairs = source_->array<Index>(saved.at("pairs"));
  for (std::size_t k = 0; k + 4 <= pairs.size(); k += 4)
    entry.store->append(FactorStore::Pair{{load_buffer(pairs[k]), pairs[k + 1]}, {load_buffer(pairs[k + 2]), pairs[k + 3]}});
  entry.done = true;
  return entry.store;
}

std::size_t ElementArchive::save_image(const std::shared_ptr<Image>& image) {
  const auto [index, fresh] = place(image.get(), image);
  if (!fresh) return index;
  Cbor children = Cbor::array();
  for (const auto& [weight, child] : image->children) children.push_back({{"weight", bits(weight)}, {"image", save_image(child)}});
  Cbor values = save(image->values);
  Cbor pending = save(image->pending);
  table_[index] = {{"map", references_.name(image->map)}, {"children", children}, {"pending", pending}, {"values", values},
                   {"evaluated", image->evaluated}};
  return index;
}

std::shared_ptr<Image> ElementArchive::load_image(const Cbor& json) {
  const auto index = json.get<std::size_t>();
  if (loaded_.at(index).done) return loaded_[index].image;
  const Cbor& saved = table_.at(index);
  auto image = std::make_shared<Image>();
  image->map = references_.map(saved.at("map"));
  for (const Cbor& child : saved.at("children"))
    image->children.emplace_back(from_bits(child.at("weight")), load_image(child.at("image")));
  image->pending = load(saved.at("pending"));
  image->values = load_buffer(saved.at("values"));
  image->evaluated = saved.at("evaluated");
  loaded_[index].image = image;
  loaded_[index].done = true;
  return image;
}

Cbor ElementArchive::save_form(const Form& form) {
  if (const auto* f = std::get_if<DenseForm>(&form)) return {{"form", "dense"}, {"values", save_buffer(f->values)}};
  if (const auto* f = std::get_if<SparseForm>(&form))
    return {{"form", "sparse"}, {"pattern", references_.name(f->pattern)}, {"values", save_buffer(f->values)}};
  if (const auto* f = std::get_if<LowRankForm>(&form))
    return {{"form", "low-rank"}, {"store", save_store(f->store)}, {"weights", sink_->put<double>(f->weights)}};
  if (const auto* f = std::get_if<AdjointForm>(&form))
    return {{"form", "adjoint"},
            {"map", references_.name(f->map)},
            {"full", save(f->full)},
            {"rows", sink_->put<Index>(f->rows)},
            {"coefficients", sink_->put<double>(f->coefficients)}};
  throw Error(ErrorKind::usage, "state", "a matrix known by its products only cannot be saved", "save what it is made from");
}

Form ElementArchive::load_form(const Cbor& json) {
  const std::string form = json.at("form");
  if (form == "dense") return DenseForm{load_buffer(json.at("values"))};
  if (form == "sparse") return SparseForm{references_.pattern(json.at("pattern")), load_buffer(json.at("values"))};
  if (form == "low-rank") return LowRankForm{load_store(json.at("store")), source_->array<double>(json.at("weights"))};
  return AdjointForm{references_.map(json.at("map")), load_buffer(json.at("full")), source_->array<Index>(json.at("rows")),
                     source_->array<double>(json.at("coefficients"))};
}

Cbor ElementArchive::save(const Element& x) {
  x.flush();
  Cbor parts = Cbor::array(), blocks = Cbor::array(), images = Cbor::array();
  for (const Part& part : x.parts_) {
    Cbor saved = save_form(part.form);
    saved["weight"] = bits(part.weight);
    parts.push_back(std::move(saved));
  }
  for (const Element& block : x.blocks_) blocks.push_back(save(block));
  for (const Element::ImageRef& ref : x.images_) images.push_back({{"weight", bits(ref.weight)}, {"image", save_image(ref.image)}});
  return {{"shape", save_shape(x.shape_)}, {"parts", parts}, {"blocks", blocks}, {"images", images}};
}

Element ElementArchive::load(const Cbor& json) {
  Element x;
  x.shape_ = load_shape(json.at("shape"));
  for (const Cbor& part : json.at("parts")) x.parts_.push_back({from_bits(part.at("weight")), load_form(part)});
  for (const Cbor& block : json.at("blocks")) x.blocks_.push_back(load(block));
  for (const Cbor& ref : json.at("images")) x.images_.push_back({from_bits(ref.at("weight")), load_image(ref.at("image"))});
  return x;
}

}  // namespace claros

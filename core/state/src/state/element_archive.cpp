// SPDX-License-Identifier: BSD-3-Clause
#include "state/element_archive.hpp"

#include <claros/error.hpp>

#include <claros/element/pattern.hpp>
#include <claros/map/linear_map.hpp>
#include <claros/map/spread_operator.hpp>

#include <algorithm>
#include <limits>
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

/// Values that are read may be anything: they are checked before they are used as a size or an index.
void require(bool fits, const char* what) {
  if (!fits) throw std::out_of_range(what);
}

constexpr Index kMost = std::numeric_limits<Index>::max();

Shape load_shape(const Cbor& json) {
  Shape shape{integer_in(json.at("rows")), integer_in(json.at("cols")), {}};
  for (const Cbor& block : json.at("blocks")) shape.blocks.push_back(load_shape(block));
  require(shape.rows >= 0 && shape.cols >= 0 && (shape.rows == 0 || shape.cols <= kMost / shape.rows),
          "a shape of no matrix");
  require(shape.blocks.empty() || (shape.rows == 0 && shape.cols == 0),
          "a shape that is a matrix and a product");
  Index size = 0;
  for (const Shape& block : shape.blocks)
    require(block.size() <= kMost - size, "a shape beyond all sizes"), size += block.size();
  return shape;
}

void require_fit(const DenseForm& f, const Shape& shape) {
  require(!shape.is_product() && f.values.size() == shape.size(), "a dense part of another size");
}
void require_fit(const SparseForm& f, const Shape& shape) {
  require(!shape.is_product() && f.pattern->rows() == shape.rows && f.pattern->cols() == shape.cols,
          "a pattern of another shape");
  require(f.values.size() == f.pattern->entries(), "values of another number than the pattern's");
}
void require_fit(const LowRankForm& f, const Shape& shape) {
  require(!shape.is_product() && f.store->rows() == shape.rows && f.store->cols() == shape.cols,
          "a factor store of another shape");
  require(f.weights.size() <= static_cast<std::size_t>(f.store->count()), "more weights than columns");
}
void require_fit(const AdjointForm& f, const Shape& shape) {
  require(f.map->domain() == shape, "a map of another shape");
  require(f.full.empty() || f.full.size() == f.map->size(), "coefficients of another number than the map's");
  require(f.rows.size() == f.coefficients.size(), "as many rows as coefficients are needed");
  for (const Index row : f.rows) require(row >= 0 && row < f.map->size(), "a row outside the map");
}
void require_fit(const OperatorForm& f, const Shape& shape) {
  require(!shape.is_product() && f.op->rows() == shape.rows && f.op->cols() == shape.cols,
          "an operator of another shape");
}

/// An entry of an image is read by following all its children; Claros keeps that below twenty.
constexpr Index kReads = 1000;

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

auto ElementArchive::entry(const Cbor& json, Shared as) -> std::pair<Loaded*, std::size_t> {
  const Index at = integer_in(json);
  require(at >= 0 && static_cast<std::size_t>(at) < loaded_.size(), "a place outside the table");
  Loaded& found = loaded_[static_cast<std::size_t>(at)];
  require(found.is == Shared::unknown || found.is == as, "a shared thing that is two things");
  require(found.is == Shared::unknown || found.done, "a shared thing that holds itself");
  found.is = as;
  return {&found, static_cast<std::size_t>(at)};
}

Buffer ElementArchive::load_buffer(const Cbor& json) {
  if (json.is_null()) return {};
  const auto [loaded, index] = entry(json, Shared::buffer);
  if (!loaded->done) loaded->buffer = Buffer(source_->array<double>(table_[index])), loaded->done = true;
  return loaded->buffer;
}

/// Stores share arrays among themselves: a pair is the places of two arrays, with where its columns begin in
/// them.
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
  const auto [loaded, index] = entry(json, Shared::store);
  if (loaded->done) return loaded->store;
  const Cbor& saved = table_[index];
  const Index rows = integer_in(saved.at("rows")), cols = integer_in(saved.at("cols"));
  require(rows >= 0 && cols >= 0, "a factor store of no shape");
  auto store = std::make_shared<FactorStore>(rows, cols);
  const std::vector<Index> pairs = source_->array<Index>(saved.at("pairs"));
  require(pairs.size() % 4 == 0, "half a pair of columns");
  const auto column = [&](std::size_t k, Index length) {
    FactorStore::Column c{load_buffer(pairs[k]), pairs[k + 1]};
    require(c.offset >= 0 && c.offset <= c.array.size() && length <= c.array.size() - c.offset,
            "a column outside its array");
    return c;
  };
  for (std::size_t k = 0; k + 4 <= pairs.size(); k += 4) {
    FactorStore::Column left = column(k, rows);
    store->append(FactorStore::Pair{std::move(left), column(k + 2, cols)});
  }
  loaded->store = std::move(store);
  loaded->done = true;
  return loaded->store;
}

std::size_t ElementArchive::save_image(const std::shared_ptr<Image>& image) {
  const auto [index, fresh] = place(image.get(), image);
  if (!fresh) return index;
  Cbor children = Cbor::array();
  for (const auto& [weight, child] : image->children)
    children.push_back({{"weight", bits(weight)}, {"image", save_image(child)}});
  Cbor values = save(image->values);
  Cbor pending = save(image->pending);
  table_[index] = {{"map", references_.name(image->map)},
                   {"children", children},
                   {"pending", pending},
                   {"values", values},
                   {"evaluated", image->evaluated}};
  return index;
}

std::shared_ptr<Image> ElementArchive::load_image(const Cbor& json) {
  const auto [loaded, index] = entry(json, Shared::image);
  if (loaded->done) return loaded->image;
  const Cbor& saved = table_[index];
  auto image = std::make_shared<Image>();
  image->map = references_.map(saved.at("map"));
  loaded->reads = 1;
  for (const Cbor& child : saved.at("children")) {
    image->children.emplace_back(from_bits(child.at("weight")), load_image(child.at("image")));
    require(image->children.back().second->map == image->map, "images of two maps in one");
    loaded->reads += entry(child.at("image"), Shared::image).first->reads;
    require(loaded->reads <= kReads, "images within images beyond measure");
  }
  image->pending = load(saved.at("pending"));
  image->values = load_buffer(saved.at("values"));
  image->evaluated = saved.at("evaluated").get<bool>();
  require(!image->evaluated || image->values.size() == image->map->size(),
          "an image of another size than the map's");
  require(image->evaluated || image->pending.shape() == image->map->domain(),
          "an image of a point of another shape");
  loaded->image = image;
  loaded->done = true;
  return image;
}

/// No process holds the whole of a spread operator, which is made again from its points.
std::size_t ElementArchive::save_operator(const std::shared_ptr<const LinearOperator>& op) {
  const auto* spread = spread_operator(OperatorForm{op});
  if (!spread || !spread->source())
    throw Error(ErrorKind::usage, "state", "a matrix known by its products only cannot be saved",
                "save what it is made from");
  const auto [index, fresh] = place(op.get(), op);
  if (!fresh) return index;
  Cbor points = Cbor::array();
  for (const Element& point : spread->points()) points.push_back(save(point));
  table_[index] = {{"map", references_.name(spread->source())}, {"points", points}};
  return index;
}

std::shared_ptr<const LinearOperator> ElementArchive::load_operator(const Cbor& json) {
  const auto [loaded, index] = entry(json, Shared::made);
  if (loaded->done) return loaded->op;
  const MapPtr map = references_.map(table_[index].at("map"));
  const OperatorSource* source = map->operator_source();
  require(source != nullptr, "an operator of a map that makes none");
  std::vector<Element> points;
  for (const Cbor& point : table_[index].at("points")) {
    points.push_back(load(point));
    require(points.back().shape() == map->domain(), "a point of another shape");
  }
  loaded->op = source->make(points);
  loaded->done = true;
  return loaded->op;
}

Cbor ElementArchive::save_form(const Form& form) {
  if (const auto* f = std::get_if<DenseForm>(&form))
    return {{"form", "dense"}, {"values", save_buffer(f->values)}};
  if (const auto* f = std::get_if<SparseForm>(&form))
    return {
        {"form", "sparse"}, {"pattern", references_.name(f->pattern)}, {"values", save_buffer(f->values)}};
  if (const auto* f = std::get_if<LowRankForm>(&form))
    return {
        {"form", "low-rank"}, {"store", save_store(f->store)}, {"weights", sink_->put<double>(f->weights)}};
  if (const auto* f = std::get_if<AdjointForm>(&form))
    return {{"form", "adjoint"},
            {"map", references_.name(f->map)},
            {"full", save(f->full)},
            {"rows", sink_->put<Index>(f->rows)},
            {"coefficients", sink_->put<double>(f->coefficients)}};
  return {{"form", "operator"}, {"made", save_operator(std::get<OperatorForm>(form).op)}};
}

Form ElementArchive::load_form(const Cbor& json) {
  const std::string form = json.at("form");
  if (form == "dense") return DenseForm{load_buffer(json.at("values"))};
  if (form == "sparse")
    return SparseForm{references_.pattern(json.at("pattern")), load_buffer(json.at("values"))};
  if (form == "low-rank")
    return LowRankForm{load_store(json.at("store")), source_->array<double>(json.at("weights"))};
  if (form == "operator") return OperatorForm{load_operator(json.at("made"))};
  if (form != "adjoint") throw std::out_of_range("a part of no known form");
  return AdjointForm{references_.map(json.at("map")), load_buffer(json.at("full")),
                     source_->array<Index>(json.at("rows")), source_->array<double>(json.at("coefficients"))};
}

Cbor ElementArchive::save(const Element& x) {
  x.synchronise();
  Cbor parts = Cbor::array(), blocks = Cbor::array(), images = Cbor::array();
  for (const Part& part : x.parts_) {
    Cbor saved = save_form(part.form);
    saved["weight"] = bits(part.weight);
    parts.push_back(std::move(saved));
  }
  for (const Element& block : x.blocks_) blocks.push_back(save(block));
  for (const Element::ImageRef& ref : x.images_)
    images.push_back({{"weight", bits(ref.weight)}, {"image", save_image(ref.image)}});
  return {{"shape", save_shape(x.shape_)}, {"parts", parts}, {"blocks", blocks}, {"images", images}};
}

Element ElementArchive::load(const Cbor& json) {
  Element x;
  x.shape_ = load_shape(json.at("shape"));
  for (const Cbor& part : json.at("parts")) {
    x.parts_.push_back({from_bits(part.at("weight")), load_form(part)});
    std::visit([&](const auto& form) { require_fit(form, x.shape_); }, x.parts_.back().form);
  }
  for (const Cbor& block : json.at("blocks")) x.blocks_.push_back(load(block));
  require(x.blocks_.size() == x.shape_.blocks.size(), "as many blocks as shapes are needed");
  for (std::size_t k = 0; k < x.blocks_.size(); ++k)
    require(x.blocks_[k].shape_ == x.shape_.blocks[k], "a block of another shape");
  for (const Cbor& ref : json.at("images")) {
    x.images_.push_back({from_bits(ref.at("weight")), load_image(ref.at("image"))});
    require(x.images_.back().image->map->domain() == x.shape_, "an image of a point of another shape");
  }
  return x;
}

}  // namespace claros

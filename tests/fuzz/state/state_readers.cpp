// SPDX-License-Identifier: BSD-3-Clause
#include "state_readers.hpp"

#include "archive.hpp"
#include "random_elements.hpp"

#include <claros/error.hpp>
#include <claros/results/checkpoint.hpp>

#include <nlohmann/json.hpp>

#include <cstring>
#include <fstream>

namespace claros::fuzz {

namespace {

using Json = nlohmann::json;
using Path = std::filesystem::path;

/// f = 0 on 9 x 7.
class Nothing final : public Objective {
 public:
  Shape shape() const override { return Shape::matrix(9, 7); }
  Index terms() const override { return 1; }
  double value(const Element&) override { return 0.0; }
  void add_gradient(const Element&, const Batch&, double, Element&) override {}
};

struct Fixture {
  testing::Engine engine{31};
  std::shared_ptr<const Pattern> pattern = testing::random_pattern(engine, 9, 7, 0.5);
  MapPtr map = std::make_shared<SamplingMap>(pattern);
  References references;
  Composition composition;
  Fixture() {
    references.add("entries", map);
    references.add("entries", pattern);
    composition.objective = std::make_shared<Nothing>();
  }
};

Fixture& fixture() {
  static Fixture f;
  return f;
}

constexpr int kElements = 8;
constexpr const char* kRun = "0f8fad5b-d9cb-469f-a165-70867728950e";

/// Every form, sums, products, and images that share nodes and wait.
std::vector<Element> sound_elements() {
  Fixture& f = fixture();
  std::vector<Element> all;
  for (int form = 0; form < 5; ++form) all.push_back(testing::random_element(f.engine, form, f.map));
  Element x = testing::random_element(f.engine, 2, f.map);
  (void)x.image(f.map);
  const Element snapshot = x;
  x.blend(0.25, Element::rank_one(1.0, testing::normals(f.engine, 9), testing::normals(f.engine, 7)));
  Element difference = x;
  difference.add(-1.0, snapshot);
  all.push_back(x), all.push_back(difference);
  Element product(Shape::product({Shape::matrix(9, 7), Shape::vector(3)}));
  product.edit_block(0) = snapshot;
  product.edit_block(1) = Element::dense(Shape::vector(3), {1, 2, 3});
  all.push_back(product);
  return all;
}

void list(StateVisitor& v, std::vector<Element>& all, Index& steps, std::vector<double>& numbers) {
  for (int k = 0; k < kElements; ++k) v("x" + std::to_string(k), all[static_cast<std::size_t>(k)]);
  v("steps", steps);
  v("numbers", numbers);
}

void write(StateWriter& out) {
  std::vector<Element> all = sound_elements();
  Index steps = 17;
  std::vector<double> numbers{1.0, 2.0, 3.0};
  list(out, all, steps, numbers);
  out.finish();
}

void use(Element& x) {
  Fixture& f = fixture();
  const Index size = x.shape().size();
  expect(size >= 0, "a shape");
  if (size > 100000) return;
  const std::vector<double> dense = x.is_zero()              ? std::vector<double>()
                                    : x.shape().is_product() ? std::vector<double>()
                                                             : x.to_dense();
  expect(dense.empty() || static_cast<Index>(dense.size()) == size, "entries");
  if (x.shape() == f.map->domain()) {
    const Index rows[] = {0, f.map->size() - 1};
    double two[2];
    x.image_at(f.map, rows, two);
    expect(static_cast<Index>(x.image(f.map).size()) == f.map->size(), "an image");
  }
  Element copy = x;
  copy.add(0.5, x);
  copy.scale(2.0);
  if (!x.shape().is_product()) (void)inner(x, copy);
}

void read_state(std::string_view bytes) {
  StateReader in(bytes, fixture().references, "fuzz");
  std::vector<Element> all(kElements);
  Index steps = 0;
  std::vector<double> numbers;
  list(in, all, steps, numbers);
  for (Element& x : all) use(x);
  // Shared parts meet.
  if (all[5].shape() == all[6].shape()) all[5].add(1.0, all[6]), use(all[5]);
}

void read_checkpoint_of(const Path& file) {
  std::filesystem::copy_file(file, work_folder() / "checkpoint",
                             std::filesystem::copy_options::overwrite_existing);
  const auto state = read_checkpoint(work_folder(), fixture().composition, kRun);
  expect(state.has_value(), "a checkpoint");
  read_state(state->bytes());
}

std::string sound_state() {
  std::string bytes;
  StateWriter out(fixture().references, [&](std::string_view piece) { bytes.append(piece); });
  write(out);
  return bytes;
}

std::string sound_checkpoint() {
  CheckpointFile(work_folder(), fixture().composition, kRun).write([](const ByteSink& sink) {
    StateWriter out(fixture().references, sink);
    write(out);
  });
  return bytes_of(work_folder() / "checkpoint");
}

void collect(Json& json, std::vector<Json*>& nodes) {
  nodes.push_back(&json);
  if (json.is_structured())
    for (auto& [key, child] : json.items()) collect(child, nodes);
}

/// Puts something else in the place of a node: what `how` says, or a copy of another node.
void edit(Json& names, unsigned where, unsigned how) {
  static const std::vector<Json> others{0,
                                        1,
                                        -1,
                                        2,
                                        63,
                                        64,
                                        1 << 20,
                                        2147483648LL,
                                        std::numeric_limits<std::int64_t>::max(),
                                        std::numeric_limits<std::int64_t>::min(),
                                        std::numeric_limits<std::uint64_t>::max(),
                                        1.5,
                                        1e300,
                                        nullptr,
                                        true,
                                        "",
                                        "entries",
                                        "dense",
                                        "low-rank",
                                        Json::array(),
                                        Json::object(),
                                        Json::array({0, 8}),
                                        Json::binary({})};
  std::vector<Json*> nodes;
  collect(names, nodes);
  Json* node = nodes[where % nodes.size()];
  if (how < 128) {
    *node = Json(others[how % others.size()]);
  } else if (how < 192 && node->is_number_integer()) {
    *node = static_cast<std::int64_t>(node->get<std::uint64_t>() + how % 7U - 3U);  // round the ends, too
  } else {
    const Json other = *nodes[(where / 7 + how * 31U) % nodes.size()];
    *node = other;
  }
}

constexpr std::size_t kEdits = 24;

/// Names (CBOR) behind their size, arrays, and at the end edits of the names: an archive whose sizes and
/// checksum are right.
std::string crafted_state(const std::string& bytes) {
  if (bytes.size() < 4 + kEdits) return bytes;
  std::uint32_t size = 0;
  std::memcpy(&size, bytes.data(), 4);
  const std::size_t held = bytes.size() - 4 - kEdits;
  size = static_cast<std::uint32_t>(std::min<std::size_t>(size, held));
  std::string names = bytes.substr(4, size), archive = bytes.substr(4 + size, held - size);
  Json json(Json::value_t::discarded);
  try {
    json = Json::from_cbor(names);
  } catch (const Json::exception&) {  // damaged: as it is, it is for the reader to refuse
  }
  const auto* edits = reinterpret_cast<const unsigned char*>(bytes.data() + bytes.size() - kEdits);
  if (!json.is_discarded()) {
    for (unsigned k = 0; k < edits[0] % 5U; ++k)
      edit(json, edits[1 + 3 * k] | static_cast<unsigned>(edits[2 + 3 * k]) << 8, edits[3 + 3 * k]);
    const auto text = Json::to_cbor(json);
    names.assign(text.begin(), text.end());
  }
  return sealed({archive, names});
}

std::string uncrafted(const std::string& archive) {
  const Archive opened = unsealed(archive);
  std::string bytes;
  append(bytes, static_cast<std::uint32_t>(opened.names.size()));
  return bytes + opened.names + opened.arrays + std::string(kEdits, '\0');
}

/// Facts (CBOR) behind their size, then a state: a checkpoint whose head is right.
std::string crafted_checkpoint(const std::string& bytes) {
  if (bytes.size() < 4) return bytes;
  std::uint32_t size = 0;
  std::memcpy(&size, bytes.data(), 4);
  const std::string words = bytes.substr(4, size);
  std::string head("claros checkpoint 3\0", 20);
  append(head, crc(words)), append(head, static_cast<std::uint64_t>(words.size()));
  return head + words + bytes.substr(4 + words.size());
}

std::string uncrafted_checkpoint(const std::string& checkpoint) {
  std::uint64_t size = 0;
  std::memcpy(&size, checkpoint.data() + 24, 8);
  std::string bytes;
  append(bytes, static_cast<std::uint32_t>(size));
  return bytes + checkpoint.substr(32);
}

}  // namespace

std::vector<Reader> state_readers() {
  const auto state = [](const Path& file) { read_state(bytes_of(file)); };
  return {{"state", state, [] { return std::vector{sound_state()}; }},
          {"crafted-state", state, [] { return std::vector{uncrafted(sound_state())}; }, crafted_state},
          {"checkpoint", read_checkpoint_of, [] { return std::vector{sound_checkpoint()}; }},
          {"crafted-checkpoint", read_checkpoint_of,
           [] { return std::vector{uncrafted_checkpoint(sound_checkpoint())}; }, crafted_checkpoint}};
}

}  // namespace claros::fuzz

// SPDX-License-Identifier: BSD-3-Clause
// Stored designs (design_store.hpp), used where they are or copied.
#include <claros/io/content_hash.hpp>
#include <claros/memory_limits.hpp>
#include "io/design_formats.hpp"
#include "io/design_store.hpp"
#include "io/encoding_json.hpp"
#include "io/mapped_file.hpp"

#include <claros/error.hpp>
#include <claros/json_text.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace claros::design_formats {

using namespace design_store;

namespace {

struct Section {
  std::uint64_t offset = 0, bytes = 0;
  std::vector<std::string> checksums;
};

class StoreReader {
 public:
  explicit StoreReader(const Path& path)
      : path_(path), file_(std::make_shared<const MappedFile>(path, std::size_t{1} << 17U)) {
    if (file_->size() < kPage + sizeof(StoreTail)) damaged("it is cut off");
    std::memcpy(&head_, file_->data(), sizeof head_);
    if (head_.order != kOrder)
      fail("was written by a machine of the other byte order", "convert the files again on this one");
    if ((head_.width != 4 && head_.width != 8) || head_.sparse > 1) damaged("its head makes no sense");
    StoreTail tail;
    std::memcpy(&tail, file_->data() + file_->size() - sizeof tail, sizeof tail);
    if (std::string_view(tail.magic.data(), tail.magic.size()) != kMagic) damaged("its end is missing");
    const std::uint64_t room = file_->size() - kPage - sizeof tail;
    if (tail.index_size > room || tail.index_size > kMostIndex) damaged("its index is larger than the file");
    read_index({reinterpret_cast<const char*>(file_->data() + file_->size() - sizeof tail - tail.index_size),
                tail.index_size});
  }

  bool single() const { return head_.width == 4; }
  bool sparse() const { return head_.sparse == 1; }
  Index rows() const { return rows_; }
  Index cols() const { return cols_; }
  Index entries() const { return entries_; }
  double bytes() const {
    return static_cast<double>(values_.bytes) + static_cast<double>(columns_.bytes) +
           static_cast<double>(starts_.bytes);
  }
  std::shared_ptr<const MappedFile> file() const { return file_; }

  /// Everything beside the entries, checked.
  void describe(Design& design) const {
    design.rows = rows_;
    design.cols = cols_;
    design.response = numbers(response_, "response", -std::numeric_limits<double>::infinity());
    design.weights = numbers(weights_, "weight", 0.0);
    design.offset = numbers(offset_, "offset", -std::numeric_limits<double>::infinity());
    if (groups_.bytes > 0) {
      whole(groups_, "groups");
      const auto held = at<Index>(groups_);
      design.groups.assign(held.begin(), held.end());
    }
    design.encoding = encoding_;
    design.column_names = names_;
    design.labels = labels_;
    design.response_name = response_name_;
    if (!labels_.empty())
      for (const double y : design.response)
        if (!(y >= 0.0 && y < static_cast<double>(labels_.size()) && y == std::floor(y)))
          damaged("a class has no name");
  }

  /// The entries where they are, after one pass that checks them: checksums, finite values, ascending
  /// columns.
  template <class Real>
  std::span<const Real> values() const {
    return at<Real>(values_);
  }
  CompressedRows<float> compressed(float) const {
    return {at<Index>(starts_), at<std::int32_t>(columns_), at<float>(values_)};
  }
  CompressedRows<double> compressed(double) const {
    return {at<Index>(starts_), at<std::int32_t>(columns_), at<double>(values_)};
  }
  template <class Real>
  void check() const {
    const auto start = at<Index>(starts_);
    if (sparse()) {
      whole(starts_, "starts");
      if (start.front() != 0 || start.back() != entries_ || !std::is_sorted(start.begin(), start.end()))
        damaged("the row starts do not cover its entries");
    }
    const std::size_t all = at<Real>(values_).size();
    std::vector<Real> values;
    std::vector<std::int32_t> columns;
    std::size_t row = 0;
    Index previous = -1;
    for (std::size_t from = 0, chunk = 0; from < all; from += kEntriesOfChunk, ++chunk) {
      const std::size_t count = std::min<std::size_t>(kEntriesOfChunk, all - from);
      const std::span<const Real> value = piece(values_, from, count, values);
      same(values_, chunk, value, "values");
      for (const Real v : value)
        if (!std::isfinite(v)) damaged("a value is not finite");
      if (!sparse()) continue;
      const std::span<const std::int32_t> column = piece(columns_, from, count, columns);
      same(columns_, chunk, column, "columns");
      for (std::size_t e = 0; e < count; ++e) {
        while (static_cast<Index>(from + e) >= start[row + 1]) ++row, previous = -1;
        if (column[e] <= previous || column[e] >= cols_)
          damaged("the columns of row " + std::to_string(row + 1) + " are not ascending numbers below " +
                  std::to_string(cols_));
        previous = column[e];
      }
    }
  }

 private:
  [[noreturn]] void fail(const std::string& what, const std::string& remedy) const {
    throw Error(ErrorKind::data, path_.string(), what, remedy);
  }
  [[noreturn]] void damaged(const std::string& how) const {
    fail("is a damaged design: " + how, "convert the files again");
  }

  void read_index(std::string_view text) {
    const Json index = Json::parse(text, nullptr, false);
    if (index.is_discarded()) damaged("its index is not JSON");
    try {
      rows_ = index.at("rows").get<Index>();
      cols_ = index.at("cols").get<Index>();
      entries_ = index.at("entries").get<Index>();
      names_ = index.at("column_names").get<std::vector<std::string>>();
      labels_ = index.at("labels").get<std::vector<std::string>>();
      response_name_ = index.at("response_name").get<std::string>();
      const Json& sections = index.at("sections");
      const auto section = [&](const char* name, bool needed) {
        Section s;
        if (!needed && !sections.contains(name)) return s;
        s.offset = sections.at(name).at("offset").get<std::uint64_t>();
        s.bytes = sections.at(name).at("bytes").get<std::uint64_t>();
        s.checksums = sections.at(name).at("checksums").get<std::vector<std::string>>();
        return s;
      };
      values_ = section("values", true);
      columns_ = section("columns", sparse());
      starts_ = section("starts", sparse());
      response_ = section("response", false);
      weights_ = section("weights", false);
      offset_ = section("offset", false);
      groups_ = section("groups", false);
      if (index.contains("encoding"))
        encoding_ = std::make_shared<const TableEncoding>(encoding_of(index.at("encoding")));
    } catch (const Json::exception& error) {
      damaged(std::string("its index lacks something (") + error.what() + ")");
    }
    constexpr Index kMost = std::numeric_limits<Index>::max() / 16;
    if (rows_ < 1 || cols_ < 1 || entries_ < 0 || rows_ > kMost || entries_ > kMost)
      damaged("its sizes make no sense");
    if (!sparse() && (cols_ > kMost / rows_ || entries_ != rows_ * cols_))
      damaged("its sizes do not fit each other");
    if (sparse() && cols_ > std::numeric_limits<std::int32_t>::max()) damaged("it has too many columns");
    if (!names_.empty() && static_cast<Index>(names_.size()) != cols_)
      damaged("its names do not fit its columns");
    if (encoding_ && !makes_columns(*encoding_, cols_))
      damaged("its encoding of a table makes other columns");
    const auto of = static_cast<std::uint64_t>(entries_), n = static_cast<std::uint64_t>(rows_);
    expect(values_, of * head_.width, kEntriesOfChunk * head_.width);
    if (sparse()) expect(columns_, of * 4, kEntriesOfChunk * 4), expect(starts_, (n + 1) * 8, kBytesOfChunk);
    if (response_.bytes > 0) expect(response_, n * 8, kBytesOfChunk);
    if (weights_.bytes > 0) expect(weights_, n * 8, kBytesOfChunk);
    if (offset_.bytes > 0) expect(offset_, n * 8, kBytesOfChunk);
    if (groups_.bytes > 0) expect(groups_, n * 8, kBytesOfChunk);
  }
  void expect(const Section& s, std::uint64_t bytes, std::uint64_t chunk) const {
    const std::uint64_t size = file_->size();
    if (s.bytes != bytes || s.offset % kPage != 0 || s.offset > size || s.bytes > size - s.offset ||
        s.checksums.size() != (bytes + chunk - 1) / chunk)
      damaged("a section is not where its index says");
  }

  template <class T>
  std::span<const T> at(const Section& s) const {
    return {reinterpret_cast<const T*>(file_->data() + s.offset),
            static_cast<std::size_t>(s.bytes) / sizeof(T)};
  }
  /// Entries of a section, in their place or, if memory does not hold the file, copied to `room`.
  template <class T>
  std::span<const T> piece(const Section& s, std::size_t from, std::size_t count,
                           std::vector<T>& room) const {
    const std::span<const T> there = at<T>(s).subspan(from, count);
    if (!file_->larger_than_memory()) return there;
    room.resize(count);
    file_->read(there.data(), there.size_bytes(), room.data());
    return room;
  }
  template <class T>
  void same(const Section& s, std::size_t chunk, std::span<const T> part, const char* name) const {
    ContentHash hash;
    hash.add(std::string_view(reinterpret_cast<const char*>(part.data()), part.size_bytes()));
    if (hash.text() != s.checksums[chunk])
      damaged(std::string("the checksum of its ") + name + ", part " + std::to_string(chunk + 1) +
              ", is another");
  }
  void whole(const Section& s, const char* name) const {
    const auto bytes = at<char>(s);
    for (std::size_t from = 0, chunk = 0; from < bytes.size(); from += kBytesOfChunk, ++chunk)
      same(s, chunk, bytes.subspan(from, std::min<std::size_t>(kBytesOfChunk, bytes.size() - from)), name);
  }
  std::vector<double> numbers(const Section& s, const char* name, double low) const {
    whole(s, name);
    const auto held = at<double>(s);
    for (const double v : held)
      if (!std::isfinite(v) || v < low)
        damaged(std::string("a ") + name + " is not a number that may be there");
    return {held.begin(), held.end()};
  }

  Path path_;
  std::shared_ptr<const MappedFile> file_;
  StoreHead head_;
  Index rows_ = 0, cols_ = 0, entries_ = 0;
  std::vector<std::string> names_, labels_;
  std::string response_name_;
  Section values_, columns_, starts_, response_, weights_, offset_, groups_;
  std::shared_ptr<const TableEncoding> encoding_;
};

template <class Real>
void map_store(const StoreReader& store, Design& design) {
  store.check<Real>();
  if (store.sparse()) {
    SparseRows<Real> rows;
    rows.outside = store.compressed(Real{});
    rows.keeper = store.file();
    design.entries = std::move(rows);
  } else {
    design.entries = DenseRows<Real>{{}, store.values<Real>(), store.file()};
  }
  design.source = store.file();
}

template <class From, class To>
void copy_store(const StoreReader& store, Design& design) {
  store.check<From>();
  if (store.sparse()) {
    const auto from = store.compressed(From{});
    SparseRows<To> rows;
    rows.start.assign(from.start.begin(), from.start.end());
    rows.column.assign(from.column.begin(), from.column.end());
    rows.value.assign(from.value.begin(), from.value.end());
    design.entries = std::move(rows);
  } else {
    const auto from = store.values<From>();
    design.entries = DenseRows<To>{{from.begin(), from.end()}, {}, nullptr};
  }
}

}  // namespace

Design read_store(const Path& path, const DesignOptions& options, const Context& context) {
  const StoreReader store(path);
  Design design;
  store.describe(design);
  design.checked = true;
  const bool single = is_single(options), asked = options.memory == "map";
  if (asked || (options.memory == "auto" && !fits_memory(store.bytes()))) {
    if (options.unit_rows || (single && !store.single()) ||
        (options.storage == "sparse" && !store.sparse()) || (options.storage == "dense" && store.sparse()))
      throw Error(ErrorKind::data, path.string(),
                  "cannot be used where it is: precision, storage or unit_rows ask for a copy",
                  "leave these options out, or convert the files with them");
    store.single() ? map_store<float>(store, design) : map_store<double>(store, design);
    return design;
  }
  if (store.sparse())
    announce_sparse(path, store.rows(), store.cols(), store.entries(), single, 1, context);
  else
    announce_dense(path, store.rows(), store.cols(), single, 1, context);
  if (store.single())
    single ? copy_store<float, float>(store, design) : copy_store<float, double>(store, design);
  else
    single ? copy_store<double, float>(store, design) : copy_store<double, double>(store, design);
  return design;
}

}  // namespace claros::design_formats

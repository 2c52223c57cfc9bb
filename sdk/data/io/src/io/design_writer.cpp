// SPDX-License-Identifier: BSD-3-Clause
#include <claros/io/content_hash.hpp>
#include "io/block_kind.hpp"
#include "io/design_store.hpp"
#include "io/spool.hpp"

#include <claros/error.hpp>
#include <claros/io/atomic_file.hpp>
#include <claros/io/design_writer.hpp>
#include <claros/json_text.hpp>

#include <algorithm>
#include <cmath>
#include <exception>
#include <new>
#include <optional>
#include <utility>

namespace claros {

using namespace design_store;

namespace design_store {

/// The checksums of a section, a chunk of `bytes` at a time.
class Checksums {
 public:
  explicit Checksums(std::uint64_t bytes) : most_(bytes) {}
  void add(std::string_view bytes) {
    while (!bytes.empty()) {
      const auto now = std::min<std::uint64_t>(most_ - filled_, bytes.size());
      hash_.add(bytes.substr(0, now));
      bytes.remove_prefix(now);
      if ((filled_ += now) == most_) close();
    }
  }
  std::vector<std::string> finish() {
    if (filled_ > 0) close();
    return std::move(done_);
  }

 private:
  void close() {
    done_.push_back(hash_.text());
    hash_ = ContentHash();
    filled_ = 0;
  }
  std::uint64_t most_, filled_ = 0;
  ContentHash hash_;
  std::vector<std::string> done_;
};

}  // namespace design_store

namespace {

std::string_view bytes_of(const auto& range) {
  return {reinterpret_cast<const char*>(std::data(range)), std::size(range) * sizeof(*std::data(range))};
}

std::filesystem::path folder_of(const std::filesystem::path& path) {
  return path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
}

}  // namespace

struct DesignWriter::State {
  State(const std::filesystem::path& to, bool in_float)
      : path(to),
        single(in_float),
        file(to),
        columns(folder_of(to)),
        starts(folder_of(to)),
        responses(folder_of(to)),
        weights(folder_of(to)),
        offsets(folder_of(to)),
        groups(folder_of(to)),
        value_sums(kEntriesOfChunk * (in_float ? 4 : 8)) {}

  void put(std::string_view bytes) {
    file.write(bytes);
    written += bytes.size();
  }
  void to_page() {
    const std::string zeros((kPage - written % kPage) % kPage, '\0');
    if (!zeros.empty()) put(zeros);
  }
  /// A section from the waiting data.
  void append(const char* name, Spool& spool, std::uint64_t chunk) {
    to_page();
    Checksums sums(chunk);
    const std::uint64_t from = written;
    spool.replay([&](std::string_view piece) {
      sums.add(piece);
      put(piece);
    });
    note(name, from, sums);
  }
  void note(const char* name, std::uint64_t from, Checksums& sums) {
    index["sections"][name] = {{"offset", from}, {"bytes", written - from}, {"checksums", sums.finish()}};
  }

  std::filesystem::path path;
  bool single;
  AtomicFile file;
  Spool columns, starts, responses, weights, offsets, groups;
  Checksums value_sums;
  std::uint64_t written = 0;
  Index rows = 0, cols = 0, entries = 0;
  std::optional<BlockKind> kind;  ///< the kind of the first block
  Json index;
};

DesignWriter::DesignWriter(const std::filesystem::path& path, bool single)
    : state_(std::make_unique<State>(path, single)) {}
DesignWriter::~DesignWriter() = default;
Index DesignWriter::rows() const noexcept { return state_->rows; }
Index DesignWriter::entries() const noexcept { return state_->entries; }

namespace {

/// Values in the stored precision, to `take` in pieces.
template <class Real, class Take>
void converted(std::span<const Real> values, bool single, const Take& take) {
  constexpr std::size_t kPiece = std::size_t{1} << 15U;
  const auto as = [&]<class To>(To) {
    if constexpr (std::is_same_v<Real, To>) {
      take(bytes_of(values));
    } else {
      std::vector<To> piece;
      for (std::size_t from = 0; from < values.size(); from += kPiece) {
        const auto now = values.subspan(from, std::min(kPiece, values.size() - from));
        piece.assign(now.begin(), now.end());
        if (!std::ranges::all_of(piece, [](To value) { return std::isfinite(value); }))
          throw Error(ErrorKind::data, "precision",
                      "a number is beyond 3.4e38, the largest of single precision",
                      "take double, or scale the column");
        take(bytes_of(piece));
      }
    }
  };
  single ? as(float{}) : as(double{});
}

}  // namespace

void DesignWriter::add(const Design& block, const std::string& where) {
  State& s = *state_;
  require_consistent(block, where, false);
  if (!s.kind) {
    s.kind = BlockKind::of(block);
    StoreHead head;
    std::copy(kMagic.begin(), kMagic.end(), head.magic.begin());
    head.width = s.single ? 4 : 8;
    head.sparse = s.kind->sparse;
    s.put({reinterpret_cast<const char*>(&head), sizeof head});
    s.to_page();
  }
  s.kind->expect(block, where);
  s.cols = std::max(s.cols, block.cols);

  const auto put_values = [&](std::string_view bytes) {
    s.value_sums.add(bytes);
    s.put(bytes);
  };
  std::visit(
      [&]<class Rows>(const Rows& rows) {
        if constexpr (requires { rows.view().start; }) {
          const auto view = rows.view();
          converted(view.value, s.single, put_values);
          s.columns.write(bytes_of(view.column));
          for (std::size_t i = 0; i + 1 < view.start.size(); ++i) {
            const Index start = s.entries + view.start[i];
            s.starts.write({reinterpret_cast<const char*>(&start), sizeof start});
          }
          s.entries += static_cast<Index>(view.value.size());
        } else {
          converted(rows.view(), s.single, put_values);
          s.entries += static_cast<Index>(rows.view().size());
        }
      },
      block.entries);
  s.responses.write(bytes_of(block.response));
  s.weights.write(bytes_of(block.weights));
  s.offsets.write(bytes_of(block.offset));
  s.groups.write(bytes_of(block.groups));
  s.rows += block.rows;
}

void DesignWriter::add_all(DesignBlocks& blocks) {
  const std::optional<Index> announced = blocks.rows();
  const Index before = rows();
  Index number = 0;
  const auto place = [&] {
    const std::string here = "block " + std::to_string(number);
    return number > 1 ? here + ", after " + blocks.where() : here;
  };
  const auto next = [&](Design& block) {
    ++number;
    try {
      return blocks.next(block);
    } catch (const std::bad_alloc&) {
      throw;
    } catch (const Error&) {
      throw;
    } catch (const std::exception& thrown) {
      throw Error(ErrorKind::data, place(),
                  "the iterator of blocks threw '" + std::string(thrown.what()) + "'",
                  "nothing is written; fix the iterator");
    }
  };
  for (Design block; next(block);) add(block, blocks.where());
  if (announced && rows() - before != *announced)
    throw Error(ErrorKind::data, place(),
                "the blocks ended after " + std::to_string(rows() - before) + " rows; " +
                    std::to_string(*announced) + " were announced",
                "nothing is written; fix the iterator, or its rows()");
}

void DesignWriter::finish() {
  State& s = *state_;
  if (s.rows == 0)
    throw Error(ErrorKind::data, s.path.string(), "there are no rows to write", "give files that have some");
  s.note("values", kPage, s.value_sums);
  const BlockKind& kind = *s.kind;
  if (kind.sparse) {
    s.starts.write({reinterpret_cast<const char*>(&s.entries), sizeof s.entries});
    s.append("columns", s.columns, kEntriesOfChunk * sizeof(std::int32_t));
    s.append("starts", s.starts, kBytesOfChunk);
  }
  if (kind.answered) s.append("response", s.responses, kBytesOfChunk);
  if (kind.weighted) s.append("weights", s.weights, kBytesOfChunk);
  if (kind.offset) s.append("offset", s.offsets, kBytesOfChunk);
  if (kind.grouped) s.append("groups", s.groups, kBytesOfChunk);
  if (!kind.encoding.is_null()) s.index["encoding"] = kind.encoding;
  s.index["rows"] = s.rows;
  s.index["cols"] = s.cols;
  s.index["entries"] = s.entries;
  s.index["column_names"] = kind.names;
  s.index["labels"] = kind.labels;
  s.index["response_name"] = kind.response_name;
  s.to_page();
  const std::string index = json_text(s.index);
  StoreTail tail;
  tail.index_size = index.size();
  std::copy(kMagic.begin(), kMagic.end(), tail.magic.begin());
  s.put(index);
  s.put({reinterpret_cast<const char*>(&tail), sizeof tail});
  s.file.commit();
}

}  // namespace claros

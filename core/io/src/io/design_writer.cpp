// SPDX-License-Identifier: BSD-3-Clause
#include "io/content_hash.hpp"
#include "io/design_store.hpp"
#include "io/encoding_json.hpp"
#include "io/spool.hpp"

#include <claros/error.hpp>
#include <claros/io/atomic_file.hpp>
#include <claros/io/design_writer.hpp>
#include <claros/json_text.hpp>

#include <algorithm>
#include <cstring>
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
    hash_ = ContentHash(), filled_ = 0;
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
  /// A section from what waits.
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
  std::optional<bool> sparse;
  bool weighted = false, answered = false, offset = false, grouped = false;
  Json encoding;  ///< null without one
  std::vector<std::string> labels, names;
  std::string response_name;
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
        take(bytes_of(piece));
      }
    }
  };
  single ? as(float{}) : as(double{});
}

}  // namespace

void DesignWriter::add(const Design& block, const std::string& where) {
  State& s = *state_;
  const auto refuse = [&](const std::string& what, const std::string& remedy) {
    throw Error(ErrorKind::data, where, what, remedy);
  };
  require_consistent(block, where, false);
  const bool first = !s.sparse;
  if (first) {
    s.sparse = block.is_sparse(), s.cols = block.cols;
    s.weighted = !block.weights.empty(), s.answered = !block.response.empty();
    s.offset = !block.offset.empty(), s.grouped = !block.groups.empty();
    if (block.encoding) s.encoding = encoding_json(*block.encoding);
    s.labels = block.labels, s.names = block.column_names, s.response_name = block.response_name;
    StoreHead head;
    std::copy(kMagic.begin(), kMagic.end(), head.magic.begin());
    head.width = s.single ? 4 : 8, head.sparse = block.is_sparse();
    s.put({reinterpret_cast<const char*>(&head), sizeof head});
    s.to_page();
  }
  if (*s.sparse != block.is_sparse())
    refuse(block.is_sparse() ? "holds sparse rows; those before it are dense"
                             : "holds dense rows; those before it are sparse",
           "give storage = sparse or storage = dense for all");
  if (!*s.sparse && block.cols != s.cols)
    refuse(
        "has " + std::to_string(block.cols) + " columns; the rows before it have " + std::to_string(s.cols),
        "convert files of the same columns");
  if (s.weighted != !block.weights.empty() || s.answered != !block.response.empty() ||
      s.offset != !block.offset.empty() || s.grouped != !block.groups.empty())
    refuse(
        "has responses, weights, offsets or groups where the rows before it have none, or the other way "
        "round",
        "give all or none");
  if (s.grouped && static_cast<Index>(block.groups.size()) != block.rows)
    refuse(std::to_string(block.groups.size()) + " groups for " + std::to_string(block.rows) + " rows",
           "give one number a row");
  if (!first && s.encoding != (block.encoding ? encoding_json(*block.encoding) : Json()))
    refuse(
        "makes its columns in another way than the rows before it (categories, or what stands for missing "
        "values)",
        "join the tables, and convert one");
  if (s.labels != block.labels)
    refuse("has other classes than the rows before it (" + joined(block.labels) + "; there " +
               joined(s.labels) + ")",
           "write classes as numbers, or have every class in every file");
  if (s.names != block.column_names)
    refuse("has other column names than the rows before it", "convert files of the same columns");
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
  if (*s.sparse) {
    s.starts.write({reinterpret_cast<const char*>(&s.entries), sizeof s.entries});
    s.append("columns", s.columns, kEntriesOfChunk * sizeof(std::int32_t));
    s.append("starts", s.starts, kBytesOfChunk);
  }
  if (s.answered) s.append("response", s.responses, kBytesOfChunk);
  if (s.weighted) s.append("weights", s.weights, kBytesOfChunk);
  if (s.offset) s.append("offset", s.offsets, kBytesOfChunk);
  if (s.grouped) s.append("groups", s.groups, kBytesOfChunk);
  if (!s.encoding.is_null()) s.index["encoding"] = s.encoding;
  s.index["rows"] = s.rows, s.index["cols"] = s.cols, s.index["entries"] = s.entries;
  s.index["column_names"] = s.names, s.index["labels"] = s.labels, s.index["response_name"] = s.response_name;
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

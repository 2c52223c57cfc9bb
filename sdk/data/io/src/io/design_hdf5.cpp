// SPDX-License-Identifier: BSD-3-Clause
// Designs in HDF5 files. The HDF5 library crashes on some files, loads code for others and follows them into
// further ones. A program of its own (sdk/data/io/hdf5_reader) therefore reads them; if it ends, that is a
// complaint about the file.
#include <claros/io/file_limits.hpp>
#include <claros/io/triplets.hpp>
#include "io/child_stream.hpp"
#include "io/design_formats.hpp"
#include "io/file_kind.hpp"
#include "io/hdf5_stream.hpp"

#include <claros/error.hpp>

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <system_error>
#include <tuple>
#include <utility>

namespace claros::design_formats {
namespace {

using hdf5_stream::Frame;

/// The program lies beside the plugins of the installation; CLAROS_HDF5_READER names another.
Path reader_program() {
  if (const char* named = ::secure_getenv("CLAROS_HDF5_READER"); named && *named) return named;
  static const int anchor = 0;
  Dl_info info{};
  std::error_code code;
  Path program;
  if (::dladdr(&anchor, &info) && info.dli_fname)
    program = std::filesystem::canonical(info.dli_fname, code).parent_path() / "claros/claros-hdf5";
  if (program.empty() || !std::filesystem::exists(program, code))
    throw Error(ErrorKind::plugin, program.string(), "is not there, which reads HDF5 files",
                "install claros again, name the program in CLAROS_HDF5_READER, or write the data as .npz");
  return program;
}

ChildStream::Start start_of(const Path& path, const DesignOptions& options, bool by_columns,
                            const Context& context) {
  const bool plugins = options.hdf5 == "plugins" || options.hdf5 == "all";
  const bool files = options.hdf5 == "files" || options.hdf5 == "all";
  ChildStream::Start start;
  start.program = reader_program();
  start.words = {std::filesystem::absolute(path).string(), options.dataset,
                 by_columns || options.ignores_responses                  ? ""
                 : options.response == "auto" || options.response.empty() ? "y"
                                                                          : options.response};
  if (is_single(options)) start.words.push_back("float");
  if (plugins) start.words.push_back("plugins");
  if (files) start.words.push_back("files");
  if (response_is_file(options, context) || options.bare_columns > 0) start.words.push_back("optional");
  if (by_columns) start.words.push_back("by-columns");
  start.hidden_prefix = "HDF5_";
  start.passed = {"HDF5_USE_FILE_LOCKING"};
  if (plugins) start.passed.push_back("HDF5_PLUGIN_PATH");
  start.patience = options.patience;
  return start;
}

/// The frames, each checked against what may come.
class Frames {
 public:
  Frames(const Path& path, const DesignOptions& options, bool by_columns, const Context& context)
      : path_(path.string()), stream_(start_of(path, options, by_columns, context), path_) {}

  /// The next frame, which is `kind`, with at most `most` bytes.
  std::uint32_t next(Frame kind, std::uint64_t most) {
    hdf5_stream::FrameHead head{};
    stream_.read(&head, sizeof head);
    if (head.kind == Frame::refusal && head.size <= hdf5_stream::kLongestRefusal) refuse(head.size);
    if (head.kind != kind || head.size > most) fail_speech();
    return head.size;
  }
  template <class T>
  T one(Frame kind) {
    T value{};
    if (next(kind, sizeof value) != sizeof value) fail_speech();
    stream_.read(&value, sizeof value);
    return value;
  }
  /// Reads into `out` as many frames as fill it.
  template <class Real>
  void fill(Frame kind, std::span<Real> out) {
    for (auto bytes = std::as_writable_bytes(out); !bytes.empty();) {
      const std::uint32_t size = next(kind, bytes.size());
      if (size == 0) fail("a block of it is empty", "install claros again");
      stream_.read(bytes.data(), size);
      bytes = bytes.subspan(size);
    }
  }
  const std::string& path() const noexcept { return path_; }
  [[noreturn]] void fail(const std::string& what, const std::string& remedy) const {
    throw Error(ErrorKind::data, path_, what, remedy);
  }

 private:
  [[noreturn]] void fail_speech() const {
    fail("the program that reads it does not speak as expected", "install claros again");
  }
  [[noreturn]] void refuse(std::uint32_t size) {
    std::string text(size, '\0');
    stream_.read(text.data(), text.size());
    std::vector<std::string> parts(1);
    for (const char c : text)
      if (c == '\0')
        parts.emplace_back();
      else
        parts.back() += c;
    if (parts[0].empty()) fail_speech();
    parts.resize(std::max<std::size_t>(parts.size(), 2));
    const std::vector<std::string> names(parts.begin() + 2, parts.end());
    fail(parts[0], names.empty() ? parts[1] : instead(parts[0], names));
  }
  /// The data that the file holds instead of the name that `complaint` misses and quotes.
  static std::string instead(const std::string& complaint, const std::vector<std::string>& names) {
    const auto from = complaint.find('\'') + 1, to = complaint.rfind('\'');
    const std::string hint =
        from <= to && to != complaint.npos ? did_you_mean(complaint.substr(from, to - from), names) : "";
    return (hint.empty() ? "" : hint + " ") + "the file holds " + joined(names);
  }

  std::string path_;
  ChildStream stream_;
};

template <class Real>
void fill_compressed(Frames& frames, const hdf5_stream::Sizes& sizes, SparseRows<Real>& rows) {
  rows.start.resize(sizes.rows + 1);
  rows.column.resize(sizes.entries);
  rows.value.resize(sizes.entries);
  frames.fill(Frame::starts, std::span(rows.start));
  frames.fill(Frame::columns, std::span(rows.column));
  frames.fill(Frame::rows, std::span(rows.value));
}

/// Sorts the entries of row i by column; `cols` is 0 if any column is allowed. Returns the fault of the
/// entries, or an empty text.
template <class Real>
std::string sort_row(SparseRows<Real>& rows, std::size_t i, std::int64_t cols,
                     std::vector<std::pair<std::int32_t, Real>>& room) {
  const auto from = static_cast<std::size_t>(rows.start[i]), to = static_cast<std::size_t>(rows.start[i + 1]);
  const auto begin = rows.column.begin();
  if (!std::is_sorted(begin + rows.start[i], begin + rows.start[i + 1])) {
    room.clear();
    for (std::size_t k = from; k < to; ++k) room.emplace_back(rows.column[k], rows.value[k]);
    std::sort(room.begin(), room.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (std::size_t k = from; k < to; ++k) std::tie(rows.column[k], rows.value[k]) = room[k - from];
  }
  if (from == to) return {};
  const std::int32_t first = rows.column[from], last = rows.column[to - 1];
  if (first < 0 || last == std::numeric_limits<std::int32_t>::max() || (cols > 0 && last >= cols))
    return "the index " + std::to_string(first < 0 ? first : last) + "; expected indices from 0 to " +
           std::to_string((cols > 0 ? cols : Index{std::numeric_limits<std::int32_t>::max()}) - 1);
  const auto twice = std::adjacent_find(begin + rows.start[i], begin + rows.start[i + 1]);
  return twice == begin + rows.start[i + 1]
             ? std::string()
             : "the index " + std::to_string(*twice) + " twice; expected each once";
}

/// Checks what a group of compressed rows holds, and sorts what is not. The largest column.
template <class Real>
Index check_compressed(const Frames& frames, SparseRows<Real>& rows, std::int64_t cols) {
  const auto& start = rows.start;
  const auto entries = static_cast<Index>(rows.value.size());
  if (start.front() != 0 || start.back() != entries || !std::is_sorted(start.begin(), start.end()))
    frames.fail("its indptr do not ascend from 0 to its " + std::to_string(entries) + " entries",
                "is the file damaged?");
  std::vector<std::pair<std::int32_t, Real>> room;
  Index largest = -1;
  for (std::size_t i = 0; i + 1 < start.size(); ++i) {
    const std::string wrong = sort_row(rows, i, cols, room);
    if (!wrong.empty())
      frames.fail("row " + std::to_string(i) + " (counted from 0) has " + wrong,
                  "write the matrix again (SciPy: X.sum_duplicates())");
    if (start[i] < start[i + 1])
      largest = std::max<Index>(largest, rows.column[static_cast<std::size_t>(start[i + 1] - 1)]);
  }
  return largest;
}

template <class Real>
void read_compressed(Frames& frames, const hdf5_stream::Sizes& sizes, Design& design,
                     const DesignOptions& options) {
  auto& rows = design.entries.emplace<SparseRows<Real>>();
  fill_compressed(frames, sizes, rows);
  const Index needed = check_compressed(frames, rows, static_cast<Index>(sizes.cols)) + 1;
  if (sizes.cols > 0 && options.features > 0 && options.features != design.cols)
    frames.fail("it says that it has " + std::to_string(sizes.cols) + " columns, but " +
                    std::to_string(options.features) + " were declared",
                "leave objective.features at 0");
  if (sizes.cols > 0) return;
  if (options.features > 0 && options.features < needed)
    frames.fail("it has column " + std::to_string(needed) + ", but " + std::to_string(options.features) +
                    " were declared",
                "leave objective.features at 0 or declare at least as many");
  if (options.features == 0)
    expect_plausible_size("columns", needed, rows.value.size(), frames.path(),
                          "if that column is meant, declare objective.features = " + std::to_string(needed));
  design.cols = std::max<Index>({needed, options.features, 1});
}

/// Compressed rows, as AnnData and 10x write them.
Design compressed(const Path& path, Frames& frames, const hdf5_stream::Sizes& sizes,
                  const DesignOptions& options, bool as_rows, const Context& context) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::int32_t>::max(),
                          kEntries = std::uint64_t{1} << 48U;
  if (sizes.rows == 0 || sizes.rows > kMost || sizes.cols > kMost || sizes.entries > kEntries)
    frames.fail("its rows are " + std::to_string(sizes.rows) + " x " + std::to_string(sizes.cols) + " with " +
                    std::to_string(sizes.entries) + " entries",
                "is the file damaged?");
  Design design;
  design.rows = static_cast<Index>(sizes.rows);
  design.cols = static_cast<Index>(sizes.cols);
  const std::uint64_t bytes = sizes.entries * (is_single(options) ? 8 : 12) + 8 * sizes.rows;
  expect_expansion(bytes, sizes.stored, path.string(), "compressed or unwritten numbers");
  announce_sparse(path, design.rows, std::max<Index>(design.cols, options.features),
                  static_cast<Index>(sizes.entries), is_single(options), 1, context);
  if (sizes.turned && as_rows)
    context.note(path.string() + ": '" + options.dataset + "' is compressed by columns of " +
                 std::to_string(sizes.cols) + " x " + std::to_string(sizes.rows) +
                 ", which are the rows of the design (as 10x writes cells)");
  is_single(options) ? read_compressed<float>(frames, sizes, design, options)
                     : read_compressed<double>(frames, sizes, design, options);
  return design;
}

Design dense(const Path& path, Frames& frames, const hdf5_stream::Sizes& sizes, const DesignOptions& options,
             const Context& context) {
  const std::uint64_t width = is_single(options) ? 4 : 8;
  std::uint64_t count = 0, bytes = 0;
  if (sizes.rows == 0 || sizes.cols == 0 || __builtin_mul_overflow(sizes.rows, sizes.cols, &count) ||
      __builtin_mul_overflow(count, width, &bytes) ||
      bytes > static_cast<std::uint64_t>(std::numeric_limits<Index>::max()))
    frames.fail("its rows are " + std::to_string(sizes.rows) + " x " + std::to_string(sizes.cols),
                "is the file damaged?");
  Design design;
  design.rows = static_cast<Index>(sizes.rows);
  design.cols = static_cast<Index>(sizes.cols);
  expect_expansion(bytes, sizes.stored, path.string(), "compressed or unwritten numbers");
  announce_dense(path, design.rows, design.cols, is_single(options), 1, context);
  const auto fill = [&](auto& values) {
    values.resize(count);
    frames.fill(Frame::rows, std::span(values));
  };
  if (is_single(options))
    fill(design.entries.emplace<DenseRows<float>>().values);
  else
    fill(design.entries.emplace<DenseRows<double>>().values);
  return design;
}

}  // namespace

Design read_hdf5(const Path& path, const DesignOptions& options, const Context& context, bool* turned) {
  expect_regular_file(path);
  Frames frames(path, options, turned != nullptr, context);
  const auto sizes = frames.one<hdf5_stream::Sizes>(Frame::sizes);
  if (turned) *turned = sizes.turned != 0;
  Design design = sizes.is_sparse ? compressed(path, frames, sizes, options, !turned, context)
                                  : dense(path, frames, sizes, options, context);
  if (sizes.has_response) {
    design.response.resize(sizes.rows);
    frames.fill(Frame::response, std::span(design.response));
  }
  frames.next(Frame::end, 0);
  return design;
}

}  // namespace claros::design_formats

// SPDX-License-Identifier: BSD-3-Clause
#include <claros/io/design_blocks.hpp>

#include <claros/io/fields.hpp>
#include "io/design_formats.hpp"

#include <claros/error.hpp>

#include <algorithm>
#include <utility>

namespace claros {

DesignBlocks::~DesignBlocks() = default;

void DesignBlocks::rewind() {
  throw Error(ErrorKind::usage, where(), "can be read once only", "open it again");
}

namespace {

using design_formats::LibsvmBlocks;

std::string rows_text(const std::filesystem::path& path, Index from, Index to) {
  return path.string() + ", rows " + std::to_string(from + 1) + " to " + std::to_string(to);
}

class TextBlocks final : public DesignBlocks {
 public:
  TextBlocks(const std::filesystem::path& path, const DesignOptions& options, std::size_t bytes)
      : path_(path), options_(options), lines_(std::in_place, path, options), bytes_(bytes) {}
  bool next(Design& block) override {
    if (!lines_->next(block, bytes_)) {
      if (to_ == 0)
        throw Error(ErrorKind::data, path_.string(), "the file holds no data, only comments",
                    "expected lines such as '1 3:0.5 7:2'");
      return false;
    }
    from_ = std::exchange(to_, to_ + block.rows);
    return true;
  }
  void rewind() override { lines_.emplace(path_, options_), from_ = to_ = 0; }
  std::string where() const override { return rows_text(path_, from_, to_); }

 private:
  std::filesystem::path path_;
  DesignOptions options_;
  std::optional<LibsvmBlocks> lines_;
  std::size_t bytes_;
  Index from_ = 0, to_ = 0;
};

template <class T>
std::vector<T> part(const std::vector<T>& all, Index from, Index to) {
  if (all.empty()) return {};
  return {all.begin() + from, all.begin() + to};
}

template <class Real>
DenseRows<Real> slice(const DenseRows<Real>& rows, Index from, Index to, Index cols) {
  const auto all = rows.view();
  return {{},
          all.subspan(static_cast<std::size_t>(from * cols), static_cast<std::size_t>((to - from) * cols)),
          nullptr};
}
template <class Real>
SparseRows<Real> slice(const SparseRows<Real>& rows, Index from, Index to, Index) {
  const auto all = rows.view();
  SparseRows<Real> some;
  const Index first = all.start[static_cast<std::size_t>(from)],
              last = all.start[static_cast<std::size_t>(to)];
  for (Index i = from; i <= to; ++i) some.start.push_back(all.start[static_cast<std::size_t>(i)] - first);
  some.column.assign(all.column.begin() + first, all.column.begin() + last);
  some.value.assign(all.value.begin() + first, all.value.begin() + last);
  return some;
}

/// Parts of a design that is in memory, or mapped.
class SlicedBlocks final : public DesignBlocks {
 public:
  SlicedBlocks(std::filesystem::path path, Design design, std::size_t bytes)
      : path_(std::move(path)), all_(std::move(design)) {
    const double of_row = 8.0 + static_cast<double>(all_.stored()) / static_cast<double>(all_.rows) *
                                    (all_.is_sparse() ? 12.0 : 8.0);
    many_ = std::max<Index>(1, static_cast<Index>(static_cast<double>(bytes) / of_row));
  }
  bool next(Design& block) override {
    if (all_.source) all_.source->require_unchanged();
    from_ = to_;
    to_ = std::min(all_.rows, from_ + many_);
    if (from_ == to_) return false;
    block = Design{};
    block.rows = to_ - from_;
    block.cols = all_.cols;
    std::visit([&](const auto& rows) { block.entries = slice(rows, from_, to_, all_.cols); }, all_.entries);
    block.response = part(all_.response, from_, to_);
    block.weights = part(all_.weights, from_, to_);
    block.offset = part(all_.offset, from_, to_);
    block.groups = part(all_.groups, from_, to_);
    block.encoding = all_.encoding;
    block.labels = all_.labels;
    block.column_names = all_.column_names;
    block.response_name = all_.response_name;
    block.checked = true;
    return true;
  }
  void rewind() override { from_ = to_ = 0; }
  std::optional<Index> rows() const override { return all_.rows; }
  std::string where() const override { return rows_text(path_, from_, to_); }

 private:
  std::filesystem::path path_;
  Design all_;
  Index many_ = 1, from_ = 0, to_ = 0;
};

/// Used where it is, if the file allows it: memory for a block is then enough.
Design whole_design(const std::filesystem::path& path, const design_formats::Format& format,
                    const DesignOptions& options, const Context& context) {
  if (format.asks_for("memory") && options.memory == "auto") try {
      DesignOptions in_place = options;
      in_place.memory = "map";
      return read_design(path, in_place, context);
    } catch (const Error&) {  // another order or precision; a damaged file is refused again below
    }
  return read_design(path, options, context);
}

}  // namespace

std::unique_ptr<DesignBlocks> open_design_blocks(const std::filesystem::path& path,
                                                 const DesignOptions& options, const Context& context,
                                                 std::size_t bytes) {
  static const auto rows = design_rows();
  expect_in_range(options, rows);
  const design_formats::Format& format = design_formats::format_of(path, options);
  const bool other_files = !options.weights.empty() || !options.offset.empty() || !options.groups.empty() ||
                           design_formats::response_is_file(options, context);
  if (format.name == "libsvm" && options.storage != "dense" && !options.unit_rows && !other_files)
    return std::make_unique<TextBlocks>(path, options, bytes);
  return std::make_unique<SlicedBlocks>(path, whole_design(path, format, options, context), bytes);
}

}  // namespace claros

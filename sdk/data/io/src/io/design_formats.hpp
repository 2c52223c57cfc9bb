// SPDX-License-Identifier: BSD-3-Clause
/// @file design_formats.hpp  One reader a file format, and what they share.
#pragma once

#include <claros/io/design_io.hpp>
#include <claros/io/ratings.hpp>
#include <claros/io/text_input.hpp>

#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace claros::design_formats {

using Path = std::filesystem::path;

// Each states the memory before it takes it, and leaves `response` empty if the file holds none. Responses
// that stand in another file are the dispatcher's.
Design read_table_design(const Path& path, const DesignOptions& options, const Context& context);
/// "file:line" of a row of the design that it reads.
std::string place_in_table(const Path& path, const DesignOptions& options, Index row, const Context& context);
Design read_libsvm(const Path& path, const DesignOptions& options, const Context& context);
Design read_vowpal_wabbit(const Path& path, const DesignOptions& options, const Context& context);
Design read_matrix_market(const Path& path, const DesignOptions& options, const Context& context);
Design read_binary(const Path& path, const DesignOptions& options, const Context& context);
/// Reads the files of DesignWriter.
Design read_store(const Path& path, const DesignOptions& options, const Context& context);
/// With `turned` it reads no response, and takes compressed columns too, as the rows of the transpose. It
/// then sets `turned` if they are columns.
Design read_hdf5(const Path& path, const DesignOptions& options, const Context& context,
                 bool* turned = nullptr);
Design read_npy(const Path& path, const DesignOptions& options, const Context& context);
Design read_npz(const Path& path, const DesignOptions& options, const Context& context);

/// A row of the table of formats. A new format is a reader and a row (design_formats.cpp).
struct Format {
  std::string_view name;
  bool (*recognises)(std::string_view bytes) noexcept = nullptr;  ///< by its first bytes; null for text
  bool (*recognises_text)(TextInput& input) = nullptr;            ///< by its first lines
  Design (*reads)(const Path&, const DesignOptions&, const Context&);
  std::vector<std::string_view> options = {};  ///< those that other formats do not have
  bool names_response = false;                 ///< options.response may name a part of the file
  bool has_columns = false;                    ///< weights, offsets and groups may be columns of the file
  /// "file:line" of a row; null: the file alone.
  std::string (*place)(const Path&, const DesignOptions&, Index row, const Context&) = nullptr;

  bool asks_for(std::string_view option) const;
};

/// "auto" and the names of all formats.
std::vector<std::string> names_of_formats();
/// The format that `options` name, or that the first bytes and lines of the file tell.
const Format& format_of(const Path& path, const DesignOptions& options);
/// Warns of options that a file of that format does not ask for.
void warn_unused(const Format& format, const Path& path, const DesignOptions& options,
                 const Context& context);

/// Lines of LIBSVM's text as sparse rows, about `bytes` of them at a time, appended to nothing but the block.
/// False at the end of the file.
class LibsvmBlocks {
 public:
  LibsvmBlocks(const Path& path, const DesignOptions& options);
  /// Reads a stream, which outlives the blocks; `name` stands for the file in errors.
  LibsvmBlocks(std::istream& stream, const std::string& name, const DesignOptions& options);
  ~LibsvmBlocks();
  bool next(Design& block, std::size_t bytes);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// A line of LIBSVM's text without its comment and the blanks around it; empty when nothing is left.
std::string_view libsvm_content(std::string_view line);

/// "label ... |namespace ..." or, without a label, "|namespace ...".
bool looks_like_vowpal_wabbit(std::string_view line);

/// The design of sorted entries, without responses.
Design compressed_design(const Ratings& entries, bool single);

inline bool is_single(const DesignOptions& options) { return options.precision == "float"; }

/// Notes what a design takes, and `times` as much while it is read, and throws Error(data) if that is more
/// than is left (limits.hpp).
void announce_dense(const Path& path, Index rows, Index cols, bool single, int times, const Context& context);
void announce_sparse(const Path& path, Index rows, Index cols, Index stored, bool single, int times,
                     const Context& context);

/// Entries as they stand in a file, row after row.
struct RowsInFile {
  std::uint64_t offset;
  Index rows, cols;
  bool single;
  std::string obstacle;  ///< why they cannot be used where they stand; empty if they can
};
/// Maps them into `design` where options.memory and the memory that is left say so; false if they are to
/// be read. Throws Error(data) if they are to be mapped and cannot.
bool map_rows(const Path& path, const RowsInFile& stored, const DesignOptions& options,
              const Context& context, Design& design);

/// True if `text` names a file that exists.
bool is_file(const std::string& text, const Context& context);
/// True if `options.response` does.
bool response_is_file(const DesignOptions& options, const Context& context);

/// Stores the rows dense or sparse, as options.storage asks; says how much memory that takes.
void store_as_asked(const Path& path, Design& design, const DesignOptions& options, const Context& context);

/// Divides every row by its Euclidean length; rows of zeros stay.
void scale_to_unit_rows(Design& design);

/// Rows that are filled one number after the other, in the asked precision.
class DenseFiller {
 public:
  DenseFiller(Design& design, bool single) {
    const auto size = static_cast<std::size_t>(design.rows) * static_cast<std::size_t>(design.cols);
    if (single)
      single_ = &design.entries.emplace<DenseRows<float>>().values;
    else
      double_ = &design.entries.emplace<DenseRows<double>>().values;
    single ? single_->reserve(size) : double_->reserve(size);
  }
  void push(double value) {
    single_ ? single_->push_back(static_cast<float>(value)) : double_->push_back(value);
  }

 private:
  std::vector<float>* single_ = nullptr;
  std::vector<double>* double_ = nullptr;
};

}  // namespace claros::design_formats

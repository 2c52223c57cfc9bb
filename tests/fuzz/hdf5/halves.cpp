// SPDX-License-Identifier: BSD-3-Clause
// The two halves of the reader of HDF5: what the library makes of the words of claros-hdf5, and what that
// makes of a file.
#include "child_words.hpp"
#include "readers.hpp"
#include "seeds.hpp"

#include "serve.hpp"

#include <claros/error.hpp>
#include <claros/io/design_io.hpp>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <new>

namespace claros::fuzz {
namespace {

using Path = std::filesystem::path;
using hdf5_stream::Frame;

void expect(bool true_of_all, const char* what) {
  if (true_of_all) return;
  std::cerr << "what was read is not sound: " << what << '\n';
  std::abort();
}

// --- the library's half

void read_words(const Path& file) {
  static const int unused = ::setenv("CLAROS_HDF5_READER", "/nowhere", 1);
  (void)unused;
  std::ifstream in(file, std::ios::binary);
  set_words_of_child({std::istreambuf_iterator<char>(in), {}});
  DesignOptions options;
  options.format = "hdf5";
  const Design read = read_design(file, options);
  expect(read.rows >= 1 && read.cols >= 1 && static_cast<Index>(read.response.size()) == read.rows, "sizes");
  std::vector<double> row(static_cast<std::size_t>(read.cols));
  for (Index i = 0; i < std::min<Index>(read.rows, 100); ++i) read.row(i, row);
}

std::string frame(Frame kind, std::string_view content) {
  const hdf5_stream::FrameHead head{kind, static_cast<std::uint32_t>(content.size())};
  return std::string(reinterpret_cast<const char*>(&head), sizeof head).append(content);
}

template <class T>
std::string_view bytes_of(const T* values, std::size_t count) {
  return {reinterpret_cast<const char*>(values), count * sizeof(T)};
}

Seeds word_seeds() {
  const hdf5_stream::Sizes sizes{3, 2, 1, 48, 0, 0, 0}, alone{3, 2, 0, 48, 0, 0, 0},
      sparse{3, 4, 1, 48, 1, 2, 0}, turned{3, 0, 0, 48, 1, 2, 1};
  const std::int64_t starts[4] = {0, 1, 1, 2};
  const std::int32_t columns[2] = {3, 0};
  const double rows[6] = {1, 2, 3, 4, 5, 6}, response[3] = {-1, 0, 1};
  const std::string begin = frame(Frame::sizes, bytes_of(&sizes, 1)),
                    y = frame(Frame::response, bytes_of(response, 3)), end = frame(Frame::end, {});
  const std::string refusal("there is no dataset 'X'\0the file holds no other\0x\0design\0", 57);
  const std::string held = frame(Frame::starts, bytes_of(starts, 4)) +
                           frame(Frame::columns, bytes_of(columns, 2)) +
                           frame(Frame::rows, bytes_of(rows, 2));
  return {frame(Frame::sizes, bytes_of(&sparse, 1)) + held + y + end,
          frame(Frame::sizes, bytes_of(&turned, 1)) + held + end,
          begin + frame(Frame::rows, bytes_of(rows, 6)) + y + end,
          begin + frame(Frame::rows, bytes_of(rows, 2)) + frame(Frame::rows, bytes_of(rows, 4)) + y + end,
          frame(Frame::sizes, bytes_of(&alone, 1)) + frame(Frame::rows, bytes_of(rows, 6)) + end,
          frame(Frame::refusal, refusal),
          begin + frame(Frame::refusal, refusal)};
}

// --- the program's half

/// The library refuses designs beyond its limits when it hears their sizes, and ends the program.
struct Ended {};

class Listener {
 public:
  void operator()(Frame kind, std::span<const char> content) {
    if (kind == Frame::sizes) {
      expect(before_ == Frame::end && content.size() == sizeof sizes_, "sizes come first");
      std::memcpy(&sizes_, content.data(), sizeof sizes_);
      expect(sizes_.rows > 0 && (sizes_.cols > 0 || sizes_.is_sparse), "sizes");
      if (sizes_.is_sparse) return compressed();
      constexpr std::uint64_t kMost = std::uint64_t{64} << 20U;
      if (sizes_.rows > kMost / 8 / sizes_.cols) throw Ended{};
      left_ = sizes_.rows * sizes_.cols * 8;
    } else if (kind == Frame::starts || kind == Frame::columns) {
      expect(sizes_.is_sparse && !rows_done_ && left_ > 0, "starts and columns come first");
      take(content);
      if (left_ == 0) next_array();
    } else if (kind == Frame::rows) {
      expect(!sizes_.is_sparse || array_ == 2, "the numbers come behind starts and columns");
      take(content);
      if (left_ == 0 && sizes_.has_response) left_ = sizes_.rows * 8, rows_done_ = true;
    } else if (kind == Frame::response) {
      expect(rows_done_, "rows come before the response");
      take(content);
    } else {
      expect(kind == Frame::end && left_ == 0, "the end comes last");
    }
    before_ = kind;
  }

 private:
  /// What is left of compressed rows: starts, columns, numbers.
  void compressed() {
    constexpr std::uint64_t kMost = std::uint64_t{1} << 22U;
    if (sizes_.rows > kMost || sizes_.entries > kMost) throw Ended{};
    left_ = (sizes_.rows + 1) * 8;
    before_ = Frame::sizes;
  }
  void next_array() {
    ++array_;
    left_ = sizes_.entries * (array_ == 1 ? 4 : 8);
    if (left_ > 0) return;  // a frame is not empty
    array_ = 2, rows_done_ = true;
    left_ = sizes_.has_response ? sizes_.rows * 8 : 0;
  }
  void take(std::span<const char> content) {
    expect(!content.empty() && content.size() <= left_, "a block of what is left");
    left_ -= content.size();
    for (const char c : content) sum_ = sum_ + static_cast<unsigned char>(c);  // all of it is there
  }

  hdf5_stream::Sizes sizes_{};
  Frame before_ = Frame::end;
  std::uint64_t left_ = 0;
  int array_ = 0;
  bool rows_done_ = false;
  volatile unsigned sum_ = 0;
};

void serve_file(const Path& file) {
  using namespace hdf5_reader;
  static const bool prepared = (prepare_library({}), true);
  (void)prepared;
  try {
    serve({file.string(), "X", "y", {}}, Listener());
  } catch (const Ended&) {
    throw Error(ErrorKind::data, file.string(), "is larger than this test reads");
  } catch (const Refusal& refusal) {
    throw Error(ErrorKind::data, file.string(), refusal.what, refusal.remedy);
  } catch (const std::bad_alloc&) {
    throw Error(ErrorKind::data, file.string(), "a chunk of the file asks for more memory than there is");
  }
}

}  // namespace

const std::vector<Reader>& readers() {
  // Never destroyed: the counts are printed at the very end.
  static const auto& all =
      *new std::vector<Reader>{{"hdf5-words", read_words, word_seeds}, {"hdf5-file", serve_file, hdf5_seeds}};
  return all;
}

}  // namespace claros::fuzz

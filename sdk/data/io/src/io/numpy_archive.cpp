// SPDX-License-Identifier: BSD-3-Clause
#include "io/numpy_archive.hpp"

#include "io/file_kind.hpp"

#include <claros/error.hpp>

#include <zip.h>

#include <algorithm>
#include <cmath>

namespace claros {
namespace {

constexpr std::string_view kEnding = ".npy";
/// No more bytes come out of one deflated byte.
constexpr double kDeflateRatio = 1032;

}  // namespace

struct NumpyArchive::Zip {
  explicit Zip(const std::string& path) {
    int code = 0;
    archive = zip_open(path.c_str(), ZIP_RDONLY, &code);
    if (archive) return;
    zip_error_t error;
    zip_error_init_with_code(&error, code);
    const std::string what = zip_error_strerror(&error);
    zip_error_fini(&error);
    const bool workbook =
        std::string_view(path).ends_with(".xlsx") || std::string_view(path).ends_with(".ods");
    throw Error(ErrorKind::data, path, "the zip archive cannot be read: " + what,
                workbook ? "save the sheet as CSV: workbooks are not read" : "fetch or make the file again");
  }
  ~Zip() { zip_discard(archive); }
  Zip(const Zip&) = delete;
  Zip& operator=(const Zip&) = delete;
  zip_t* archive;
};

NumpyArchive::NumpyArchive(const std::filesystem::path& path) : path_(path.string()) {
  expect_regular_file(path);
  zip_ = std::make_shared<Zip>(path_);
  const zip_int64_t count = zip_get_num_entries(zip_->archive, 0);
  bool workbook = false;
  for (zip_int64_t i = 0; i < count; ++i) {
    const char* name = zip_get_name(zip_->archive, static_cast<zip_uint64_t>(i), 0);
    workbook = workbook || (name && std::string_view(name) == "[Content_Types].xml");
    if (name && std::string_view(name).ends_with(kEnding))
      names_.emplace_back(name, std::string_view(name).size() - kEnding.size());
  }
  if (names_.empty() && workbook)
    throw Error(ErrorKind::data, path_,
                "is a workbook of a spreadsheet program (.xlsx); expected a table as text",
                "save the sheet as CSV");
  if (names_.empty())
    throw Error(ErrorKind::data, path_, "is a zip archive without arrays of NumPy (members that end in .npy)",
                readable_formats());
}

bool NumpyArchive::has(const std::string& name) const {
  return std::find(names_.begin(), names_.end(), name) != names_.end();
}

std::string NumpyArchive::list() const {
  std::string text;
  for (std::size_t i = 0; i < names_.size() && i < 20; ++i) text += (i ? ", " : "") + names_[i];
  return names_.size() > 20 ? text + ", ..." : text;
}

void NumpyArchive::fail_missing(const std::string& expected) const {
  throw Error(ErrorKind::data, path_, "the archive holds " + list() + "; expected " + expected,
              "save the arrays under these names: numpy.savez(file, X=X, y=y)");
}

NumpyArray NumpyArchive::open(const std::string& name) const {
  const std::string member = name + std::string(kEnding), where = path_ + ":" + member;
  const auto fail = [where](const std::string& what) {
    throw Error(ErrorKind::data, where, what, "fetch or make the file again");
  };
  zip_stat_t stat;
  zip_stat_init(&stat);
  if (zip_stat(zip_->archive, member.c_str(), 0, &stat) != 0 || !(stat.valid & ZIP_STAT_SIZE) ||
      !(stat.valid & ZIP_STAT_COMP_SIZE))
    fail("the archive does not say how large the member is");
  if (static_cast<double>(stat.size) > kDeflateRatio * (static_cast<double>(stat.comp_size) + 1))
    fail("the member is said to grow from " + std::to_string(stat.comp_size) + " to " +
         std::to_string(stat.size) + " bytes, which deflation cannot");
  const std::shared_ptr<zip_file_t> file(zip_fopen(zip_->archive, member.c_str(), 0), [](zip_file_t* f) {
    if (f) zip_fclose(f);
  });
  if (!file) fail(std::string("the member cannot be read: ") + zip_strerror(zip_->archive));
  return {[zip = zip_, file, fail](char* to, std::size_t size) {
            std::size_t got = 0;
            while (got < size) {
              const zip_int64_t now = zip_fread(file.get(), to + got, size - got);
              if (now < 0) fail(std::string("the member is damaged: ") + zip_file_strerror(file.get()));
              if (now == 0) break;
              got += static_cast<std::size_t>(now);
            }
            return got;
          },
          stat.size, where};
}

bool NumpyArchive::is_sparse() const {
  return has("data") && has("shape") && ((has("row") && has("col")) || (has("indices") && has("indptr")));
}

namespace {

/// The number of the major side that each entry belongs to.
std::vector<std::int32_t> expanded(NumpyArray pointers, Index majors, Index entries) {
  const std::vector<Index> start = pointers.integers(0, entries);
  if (static_cast<Index>(start.size()) != majors + 1 || start.front() != 0 || start.back() != entries ||
      !std::is_sorted(start.begin(), start.end()))
    pointers.fail("the " + std::to_string(start.size()) + " pointers do not cover the " +
                      std::to_string(entries) + " entries of " + std::to_string(majors) +
                      " rows (columns) in order",
                  "write the archive by scipy.sparse.save_npz");
  std::vector<std::int32_t> major(static_cast<std::size_t>(entries));
  for (std::size_t i = 0; i + 1 < start.size(); ++i)
    std::fill(major.begin() + start[i], major.begin() + start[i + 1], static_cast<std::int32_t>(i));
  return major;
}

std::vector<std::int32_t> indices(NumpyArray array, Index size, Index entries) {
  const std::vector<Index> all = array.integers(0, size - 1);
  if (static_cast<Index>(all.size()) != entries)
    array.fail(std::to_string(all.size()) + " indices for " + std::to_string(entries) + " values in data",
               "write the archive by scipy.sparse.save_npz");
  return {all.begin(), all.end()};
}

}  // namespace

Triplets NumpyArchive::sparse() const {
  const bool pairs = has("row") && has("col");
  const std::string format = has("format") ? open("format").text() : pairs ? "coo" : "";
  if (format != "csr" && format != "csc" && format != "coo")
    throw Error(ErrorKind::data, path_,
                "the layout of the sparse matrix is " +
                    (format.empty() ? "not given (member format)" : "'" + format + "'") +
                    "; expected csr, csc or coo",
                "write it by scipy.sparse.save_npz(file, m.tocsr())");
  if ((format == "coo") != pairs) fail_missing("row and col for coo, indices and indptr for csr and csc");
  NumpyArray shape = open("shape");
  const std::vector<Index> sizes = shape.integers(1, kLargestIndex);
  if (sizes.size() != 2)
    shape.fail("has " + std::to_string(sizes.size()) + " sizes; expected rows and columns", "");
  Triplets t{sizes[0], sizes[1], {}, {}, {}, {}};
  NumpyArray data = open("data");
  t.value = data.numbers();
  for (std::size_t i = 0; i < t.value.size(); ++i)
    if (!std::isfinite(t.value[i]))
      data.fail("value " + std::to_string(i + 1) + " is not finite", "fix the data");
  const auto entries = static_cast<Index>(t.value.size());
  if (format == "coo") {
    t.row = indices(open("row"), t.rows, entries);
    t.col = indices(open("col"), t.cols, entries);
  } else {
    auto& major = format == "csr" ? t.row : t.col;
    auto& minor = format == "csr" ? t.col : t.row;
    major = expanded(open("indptr"), format == "csr" ? t.rows : t.cols, entries);
    minor = indices(open("indices"), format == "csr" ? t.cols : t.rows, entries);
  }
  return t;
}

}  // namespace claros

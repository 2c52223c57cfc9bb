// SPDX-License-Identifier: BSD-3-Clause
#include <claros/io/design_io.hpp>
#include <claros/io/ratings.hpp>

#include "hdf5_writer.hpp"
#include "test_files.hpp"

#include <cmath>

using namespace claros;

TEST_CASE("design: HDF5 datasets by name, in float and double") {
  const TestFolder folder;
  {
    const Hdf5Writer out(folder / "d.h5");
    out.put("X", {2, 3}, H5T_IEEE_F32LE, {1, 2, 3, 4, 5, 6});
    out.put("rows", {2, 1}, H5T_IEEE_F64BE, {0.1, 0.2});
    out.put("y", {2}, H5T_STD_I32LE, {7, 8});
    out.put("z", {2, 1}, H5T_IEEE_F64LE, {9, 10});
  }
  std::string notes;
  Context context;
  context.messages = [&](Severity, const std::string& text) { notes += text; };
  const Design design = read_design(folder / "d.h5", {}, context);
  CHECK(std::get<DenseRows<double>>(design.entries).values == std::vector<double>{1, 2, 3, 4, 5, 6});
  CHECK(design.response == std::vector<double>{7, 8});
  CHECK(notes == "design of 2 x 3 in double takes 48 bytes");
  DesignOptions options;
  options.dataset = "rows";
  options.response = "z";
  options.precision = "float";
  const Design other = read_design(folder / "d.h5", options);
  CHECK(std::get<DenseRows<float>>(other.entries).values == std::vector<float>{0.1F, 0.2F});
  CHECK(other.response == std::vector<double>{9, 10});
  options.dataset = "row";
  check_mentions(complaint([&] { read_design(folder / "d.h5", options); }),
                 {"d.h5", "'row'", "did you mean 'rows'"});
  options.dataset = "y";
  check_mentions(complaint([&] { read_design(folder / "d.h5", options); }), {"'y' is 2", "rows x columns"});
  options.dataset = "X";
  options.response = "X";
  check_mentions(complaint([&] { read_design(folder / "d.h5", options); }), {"'X' is 2 x 3", "2 rows"});
  const std::string bytes = folder.get("d.h5");
  check_mentions(complaint([&] { read_design(folder.put("cut.h5", bytes.substr(0, 400))); }),
                 {"cut.h5", "HDF5", "truncated"});
}

namespace {

/// A group of compressed rows: [[0, 2, 0], [0, 0, 0], [1, 0, 3], [0, 4, 0]], the third row not in order.
void put_compressed(const Hdf5Writer& out, const char* group,
                    const std::vector<double>& indices = {1, 2, 0, 1},
                    const std::vector<double>& starts = {0, 1, 1, 3, 4}) {
  const hid_t made = H5Gcreate2(out.file, group, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Gclose(made);
  const std::string name = group;
  out.put((name + "/data").c_str(), {4}, H5T_IEEE_F32LE, {2, 3, 1, 4});
  out.put((name + "/indices").c_str(), {indices.size()}, H5T_STD_I32LE, indices);
  out.put((name + "/indptr").c_str(), {starts.size()}, H5T_STD_I64LE, starts);
}

void put_shape(const Hdf5Writer& out, const char* group, std::vector<std::int64_t> shape,
               const char* name = "shape") {
  const hsize_t size = shape.size();
  const hid_t space = H5Screate_simple(1, &size, nullptr);
  const hid_t made =
      H5Acreate_by_name(out.file, group, name, H5T_STD_I64LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Awrite(made, H5T_NATIVE_INT64, shape.data());
  H5Aclose(made);
  H5Sclose(space);
}

void put_text(const Hdf5Writer& out, const char* group, const char* name, const std::string& text,
              bool variable) {
  const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
  H5Tset_size(type, variable ? H5T_VARIABLE : text.size());
  const hid_t made =
      H5Acreate_by_name(out.file, group, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  const char* pointer = text.c_str();
  H5Awrite(made, type, variable ? static_cast<const void*>(&pointer) : text.data());
  H5Aclose(made);
  H5Sclose(space);
  H5Tclose(type);
}

using Compressed = SparseRows<double>;

}  // namespace

TEST_CASE("design: compressed rows in HDF5, as AnnData and 10x write them") {
  const TestFolder folder;
  {
    const Hdf5Writer out(folder / "d.h5");
    out.put("y", {4}, H5T_STD_I32LE, {1, -1, 1, -1});
    put_compressed(out, "X");
    put_shape(out, "X", {4, 5});
    put_text(out, "X", "encoding-type", "csr_matrix", true);
    put_compressed(out, "matrix");
    out.put("matrix/shape", {2}, H5T_STD_I32LE, {3, 4});
    put_compressed(out, "bare");
    put_compressed(out, "columns");
    put_shape(out, "columns", {4, 4});
    put_text(out, "columns", "encoding-type", "csc_matrix", false);
    put_compressed(out, "twice", {1, 2, 2, 1});
    put_compressed(out, "negative", {1, -2, 0, 1});
    put_compressed(out, "beyond", {1, 2, 0, 5});
    put_shape(out, "beyond", {4, 5});
    put_compressed(out, "huge", {1, 2, 0, 5e9});
    put_compressed(out, "starts", {1, 2, 0, 1}, {0, 3, 1, 3, 4});
    put_compressed(out, "short", {1, 2, 0}, {0, 1, 1, 3, 4});
    put_compressed(out, "shaped");
    put_shape(out, "shaped", {7, 9});
    put_compressed(out, "fewer", {1, 2, 0, 1}, {0, 1, 4});
  }
  std::string notes;
  Context context;
  context.messages = [&](Severity, const std::string& text) { notes += text + '\n'; };
  DesignOptions options;
  const Design design = read_design(folder / "d.h5", options, context);
  CHECK(design.rows == 4);
  CHECK(design.cols == 5);
  const auto& rows = std::get<Compressed>(design.entries);
  CHECK(rows.start == std::vector<Index>{0, 1, 1, 3, 4});
  CHECK(rows.column == std::vector<std::int32_t>{1, 0, 2, 1});
  CHECK(rows.value == std::vector<double>{2, 1, 3, 4});
  CHECK(design.response == std::vector<double>{1, -1, 1, -1});
  check_mentions(notes, {"sparse design of 4 x 5 with 4 entries"});
  options.dataset = "matrix";
  const Design turned = read_design(folder / "d.h5", options, context);
  CHECK(turned.cols == 3);
  check_mentions(notes, {"'matrix' is compressed by columns of 3 x 4, which are the rows of the design"});
  options.dataset = "bare";
  options.precision = "float";
  CHECK(read_design(folder / "d.h5", options).cols == 3);
  options.features = 6;
  CHECK(read_design(folder / "d.h5", options).cols == 6);
  options.features = 2;
  const auto said = [&](const char* group, Index features = 0) {
    options.dataset = group;
    options.features = features;
    return complaint([&] { read_design(folder / "d.h5", options); });
  };
  check_mentions(said("bare", 2), {"column 3", "2 were declared"});
  check_mentions(said("X", 6), {"5 columns", "6 were declared"});
  check_mentions(said("columns"), {"d.h5", "compressed columns (csc_matrix)", "csr_matrix"});
  check_mentions(said("twice"), {"row 2", "index 2 twice", "each once"});
  check_mentions(said("negative"), {"row 2", "index -2", "from 0"});
  check_mentions(said("beyond"), {"row 3", "index 5", "from 0 to 4"});
  check_mentions(said("huge"), {"row 3", "expected indices from 0"});
  check_mentions(said("starts"), {"indptr do not ascend from 0 to its 4 entries"});
  check_mentions(said("short"), {"4 data, 3 indices and 5 indptr", "as many indices"});
  check_mentions(said("shaped"), {"'shaped'", "does not fit its 4 compressed rows"});
  check_mentions(said("fewer"), {"'y' is 4", "2 rows"});
}

namespace {

Ratings hdf5_ratings(const std::filesystem::path& file, const std::string& dataset, Index rows = 0,
                     Index cols = 0) {
  RatingsOptions options;
  options.dataset = dataset, options.rows = rows, options.cols = cols;
  return read_ratings(file, options);
}

using Positions = std::vector<std::int32_t>;

}  // namespace

TEST_CASE("ratings: the stored entries of a group in HDF5, compressed by rows or by columns") {
  const TestFolder folder;
  {
    const Hdf5Writer out(folder / "r.h5");
    out.put("y", {9}, H5T_STD_I32LE, {1, 1, 1, 1, 1, 1, 1, 1, 1});  // of no concern to entries
    put_compressed(out, "X");
    put_shape(out, "X", {4, 5});
    put_text(out, "X", "encoding-type", "csr_matrix", true);
    const hid_t layers = H5Gcreate2(out.file, "layers", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Gclose(layers);
    put_compressed(out, "layers/columns");
    put_shape(out, "layers/columns", {5, 4});
    put_text(out, "layers/columns", "encoding-type", "csc_matrix", false);
    put_compressed(out, "square");
    put_shape(out, "square", {4, 4});
    put_text(out, "square", "encoding-type", "csc_matrix", false);
    put_compressed(out, "bare");
  }
  const Ratings r = hdf5_ratings(folder / "r.h5", "X");
  CHECK(r.rows == 4);
  CHECK(r.cols == 5);
  CHECK(r.row == Positions{0, 2, 2, 3});
  CHECK(r.col == Positions{1, 0, 2, 1});
  CHECK(r.value == std::vector<double>{2, 1, 3, 4});
  CHECK(r.row_ids.empty());
  // The transpose, by columns: the same numbers with rows and columns exchanged, sorted by rows.
  for (const char* group : {"layers/columns", "square"}) {
    const Ratings t = hdf5_ratings(folder / "r.h5", group);
    CHECK(t.rows == (std::string(group) == "square" ? 4 : 5));
    CHECK(t.cols == 4);
    CHECK(t.row == Positions{0, 1, 1, 2});
    CHECK(t.col == Positions{2, 0, 3, 2});
    CHECK(t.value == std::vector<double>{1, 2, 4, 3});
  }
  CHECK(hdf5_ratings(folder / "r.h5", "bare").cols == 3);
  const Ratings larger = hdf5_ratings(folder / "r.h5", "X", 6, 7);
  CHECK(larger.rows == 6);
  CHECK(larger.cols == 7);
  check_mentions(complaint([&] { hdf5_ratings(folder / "r.h5", "X", 3); }), {"4 rows", "3 were declared"});
}

TEST_CASE("ratings: HDF5 that holds no entries, or not what is asked for, or is damaged") {
  const TestFolder folder;
  {
    const Hdf5Writer out(folder / "r.h5");
    out.put("dense", {2, 3}, H5T_IEEE_F64LE, {1, 2, 3, 4, 5, 6});
    put_compressed(out, "good");
    put_compressed(out, "twice", {1, 2, 2, 1});
    put_compressed(out, "starts", {1, 2, 0, 1}, {0, 3, 1, 3, 4});
    put_compressed(out, "short", {1, 2, 0});
    put_compressed(out, "shaped");
    put_shape(out, "shaped", {4, 3});
    put_text(out, "shaped", "encoding-type", "csc_matrix", false);
    put_compressed(out, "nan");
    const std::vector<double> numbers{2, 3, std::nan(""), 4};
    const hid_t set = H5Dopen2(out.file, "nan/data", H5P_DEFAULT);
    H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data());
    H5Dclose(set);
    const hid_t empty = H5Gcreate2(out.file, "empty", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Gclose(empty);
    out.put("empty/data", {0}, H5T_IEEE_F32LE, {});
    out.put("empty/indices", {0}, H5T_STD_I32LE, {});
    out.put("empty/indptr", {4}, H5T_STD_I64LE, {0, 0, 0, 0});
  }
  const auto said = [&](const char* group) {
    return complaint([&] { hdf5_ratings(folder / "r.h5", group); });
  };
  check_mentions(said("dense"), {"r.h5", "'dense' is a dense array", "what is observed", ".npy"});
  check_mentions(said("empty"), {"r.h5", "holds no entries"});
  check_mentions(said("goood"), {"r.h5", "'goood'", "did you mean 'good'"});
  check_mentions(said("twice"), {"row 2", "index 2 twice"});
  check_mentions(said("starts"), {"indptr do not ascend"});
  check_mentions(said("short"), {"4 data, 3 indices"});
  check_mentions(said("shaped"), {"'shaped'", "does not fit its 4 compressed columns"});
  check_mentions(said("nan"), {"r.h5", "finite"});
  check_mentions(complaint([&] { hdf5_ratings(folder / "r.h5", "X"); }), {"there is no dataset 'X'", "good"});
  const std::string bytes = folder.get("r.h5");
  for (const std::size_t size : {std::size_t{100}, std::size_t{400}, bytes.size() / 2, bytes.size() - 1})
    CHECK(complaint([&] {
            hdf5_ratings(folder.put("cut.h5", bytes.substr(0, size)), "good");
          }).find("cut.h5") != std::string::npos);
}

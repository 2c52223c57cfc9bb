// SPDX-License-Identifier: BSD-3-Clause
#include <claros/io/design_io.hpp>

#include "hdf5_writer.hpp"
#include "test_files.hpp"

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

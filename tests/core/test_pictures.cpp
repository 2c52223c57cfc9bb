// SPDX-License-Identifier: BSD-3-Clause
// Pictures as matrices, and matrices with holes.
#include <claros/io/design_io.hpp>
#include <claros/io/matrix_file.hpp>
#include <claros/io/picture.hpp>

#include "numpy_files.hpp"
#include "test_files.hpp"

#include <cmath>
#include <limits>

using namespace claros;

namespace {

using Values = std::vector<double>;

/// 2 x 3, row by row 0, 128, 255 and 10, 20, 30.
const std::string kPgm =
    std::string("P5\n# a comment\n3 2\n255\n") + std::string("\0\x80\xFF\x0A\x14\x1E", 6);
const Values kGreys{0, 10, 128, 20, 255, 30};

void check_greys(const DenseTable& table, double largest = 255.0) {
  CHECK(table.rows == 2);
  CHECK(table.cols == 3);
  for (std::size_t k = 0; k < kGreys.size(); ++k) CHECK(table.values[k] == kGreys[k] / largest);
}

/// Pictures of one line: levels 0, 1000, 65535 of 16 bits; the colour (255, 0, 51) of 8.
const unsigned char kDeepBytes[] = {0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d,
                                    0x49, 0x48, 0x44, 0x52, 0x00, 0x00, 0x00, 0x03, 0x00, 0x00, 0x00, 0x01,
                                    0x10, 0x00, 0x00, 0x00, 0x00, 0x6e, 0x1b, 0x97, 0x2b, 0x00, 0x00, 0x00,
                                    0x0f, 0x49, 0x44, 0x41, 0x54, 0x78, 0x9c, 0x63, 0x60, 0x60, 0x60, 0x7e,
                                    0xf1, 0xff, 0x3f, 0x00, 0x05, 0xc8, 0x02, 0xea, 0x94, 0x66, 0x84, 0x05,
                                    0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82};
const unsigned char kColourBytes[] = {0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d,
                                      0x49, 0x48, 0x44, 0x52, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x01,
                                      0x08, 0x02, 0x00, 0x00, 0x00, 0x90, 0x77, 0x53, 0xde, 0x00, 0x00, 0x00,
                                      0x0c, 0x49, 0x44, 0x41, 0x54, 0x78, 0x9c, 0x63, 0xf8, 0xcf, 0x60, 0x0c,
                                      0x00, 0x03, 0x34, 0x01, 0x33, 0x64, 0xe7, 0xc7, 0x97, 0x00, 0x00, 0x00,
                                      0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82};

template <std::size_t N>
std::string text_of(const unsigned char (&bytes)[N]) {
  return {bytes, bytes + N};
}
const std::string kDeep = text_of(kDeepBytes), kColour = text_of(kColourBytes);

}  // namespace

TEST_CASE("pictures: PGM as text and as bytes, of 8 and of 16 bits, is grey levels over the largest") {
  const TestFolder folder;
  check_greys(read_picture(folder.put("a.pgm", kPgm)));
  check_greys(read_picture(folder.put("b.pgm", "P2 3 2 # size\n255\n0 128 255\n10 20 30\n")));
  check_greys(read_picture(folder.put("c.pgm", std::string("P5 3 2 1000 ") +
                                                   std::string("\0\0\0\x80\0\xFF\0\x0A\0\x14\0\x1E", 12))),
              1000.0);
}

TEST_CASE("pictures: what is written is read back, in PNG and PGM, and by every reader of numbers") {
  const TestFolder folder;
  const DenseTable table = read_picture(folder.put("a.pgm", kPgm));
  for (const char* name : {"b.png", "b.PGM"}) {
    CAPTURE(name);
    CHECK(write_picture(folder / name, table) == 0);
    check_greys(read_picture(folder / name));
    check_greys(read_numbers(folder / name));
    check_greys(read_matrix(folder / name));
    CHECK(holds_matrix(folder / name));
    CHECK_FALSE(holds_coordinates(folder / name));
  }
}

TEST_CASE("pictures: levels are the nearest in the range, and what lies beyond is counted") {
  const TestFolder folder;
  const DenseTable table{1, 5, {-1.0, 0.0, 0.999, 2.0, 3.0}};
  CHECK(write_picture(folder / "a.png", table) == 3);
  const DenseTable clipped = read_picture(folder / "a.png");
  CHECK(clipped.values == Values{0.0, 0.0, 1.0, 1.0, 1.0});
  CHECK(write_picture(folder / "b.pgm", table, {3.0, -1.0}) == 0);
  CHECK(read_picture(folder / "b.pgm").values[0] == 1.0);
  CHECK(read_picture(folder / "b.pgm").values[4] == 0.0);
  CHECK(read_picture(folder / "b.pgm").values[1] == doctest::Approx(0.75).epsilon(2e-3));
}

TEST_CASE("pictures: PNG of 16 bits keeps its levels; a colour is its luma, and a note says so") {
  const TestFolder folder;
  const DenseTable deep = read_picture(folder.put("deep.png", kDeep));
  CHECK(deep.values == Values{0.0, 1000.0 / 65535.0, 1.0});
  std::string notes;
  Context context;
  context.messages = [&](Severity, const std::string& text) { notes += text; };
  CHECK(read_picture(folder.put("colour.png", kColour), context).values[0] ==
        doctest::Approx(0.299 + 0.114 * 0.2).epsilon(1e-15));
  CHECK(notes.find("colour") != std::string::npos);
}

TEST_CASE("pictures: what is none, or damaged, is refused where it stands") {
  const TestFolder folder;
  const auto refused = [&](const std::string& bytes) {
    return complaint([&] { (void)read_picture(folder.put("a.png", bytes)); });
  };
  CHECK(refused("1,2\n").find("not a picture") != std::string::npos);
  CHECK(refused(kPgm.substr(0, kPgm.size() - 1)).find("ends before its 6 pixels") != std::string::npos);
  CHECK(refused("P2 2 1 3 1 4").find("a level") != std::string::npos);
  CHECK(refused("P2 2000000000 1 3 1").find("the width") != std::string::npos);
  CHECK(refused(std::string("P5 1 1 7 \x09")).find("above its largest") != std::string::npos);
  for (std::size_t length = 9; length < kDeep.size() - 12; length += 5)
    CHECK(refused(kDeep.substr(0, length)).find("PNG") != std::string::npos);
  for (std::size_t at = 20; at < kDeep.size() - 12; at += 3) {
    std::string bytes = kDeep;
    bytes[at] = static_cast<char>(bytes[at] ^ 0x55);
    try {
      (void)read_picture(folder.put("b.png", bytes));
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::data);
    }
  }
  const DenseTable table{1, 1, {0.5}};
  CHECK(complaint([&] { write_picture(folder / "a.jpg", table); }, ErrorKind::usage).find(".pgm") !=
        std::string::npos);
  CHECK(complaint(
            [&] {
              write_picture(folder / "a.png", table, {1.0, 1.0});
            },
            ErrorKind::usage)
            .find("two different") != std::string::npos);
  const DenseTable hole{1, 1, {std::numeric_limits<double>::quiet_NaN()}};
  CHECK_FALSE(complaint([&] { write_picture(folder / "a.png", hole); }).empty());
}

TEST_CASE("matrices: holes are NaN of tables and NumPy, refused where numbers are asked for") {
  const TestFolder folder;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto check = [&](const std::filesystem::path& path) {
    const DenseTable table = read_matrix(path);
    REQUIRE(table.values.size() == 4);
    CHECK(missing_entries(table) == 2);
    CHECK(std::isnan(table.values[1]));
    CHECK(std::isnan(table.values[2]));
    CHECK(table.values[0] == 1.0);
    CHECK(table.values[3] == 4.0);
    (void)complaint([&] { (void)read_numbers(path); });
  };
  check(folder.put("a.csv", "1,NaN\nNA,4\n"));
  check(folder.put("b.csv", "1,\n?,4\n"));
  check(folder.put("c.npy", npy("'<f8'", "(2, 2)", raw(Values{1, nan, nan, 4}))));
  (void)complaint([&] { (void)read_matrix(folder.put("d.csv", "1,x\n2,3\n")); });
  (void)complaint([&] { (void)read_matrix(folder.put("e.csv", "1,inf\n2,3\n")); });
}

TEST_CASE("matrices: coordinates are filled with zeros; lists of three columns are told from matrices") {
  const TestFolder folder;
  const auto sparse =
      folder.put("a.mtx", "%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 5\n2 1 7\n");
  CHECK(read_matrix(sparse).values == Values{5, 7, 7, 0});
  CHECK(holds_coordinates(sparse));
  CHECK_FALSE(holds_matrix(sparse));
  const auto dense = folder.put("b.mtx", "%%MatrixMarket matrix array real general\n1 2\n1\n2\n");
  CHECK(holds_matrix(dense));
  CHECK_FALSE(holds_coordinates(dense));
  CHECK(holds_matrix(folder.put("c.csv", "1,2,3,4,5,6,7,8,9\n")));
  CHECK(holds_matrix(folder.put("h.csv", "a;b;c;d;e;f;g;h;i\n1,5;;;;;;;;\n")));
  CHECK_FALSE(holds_matrix(folder.put("i.csv", "item,b,user,d,e,f,g,h,rating\n1,2,3,4,5,6,7,8,9\n")));
  CHECK_FALSE(holds_matrix(folder.put("j.csv", "1,2 3,4 5,6 7,8\n"), "space"));
  CHECK(holds_matrix(folder / "j.csv", "pipe"));
  CHECK_FALSE(holds_matrix(folder.put("d.csv", "1,2,3\n")));
  CHECK_FALSE(holds_matrix(folder.put("m.csv", "1,2,3,881250949\n")));  // with a time
  CHECK(holds_matrix(folder.put("e.csv", "1 2\n")));
  CHECK(holds_matrix(folder.put("f.npy", npy("'<f8'", "(1, 2)", raw(Values{1, 2})))));
  CHECK_FALSE(holds_matrix(folder.put("g.npy", npy("'<f8'", "(1, 3)", raw(Values{1, 2, 3})))));
}

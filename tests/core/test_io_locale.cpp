// SPDX-License-Identifier: BSD-3-Clause
#include <claros/io/csv.hpp>

#include "test_files.hpp"

#include <clocale>
#include <locale>
#include <sstream>

using namespace claros;

namespace {

class DecimalComma : public std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

/// Decimal commas in the C++ library, and in the C library where a system locale has them; undone at the end.
class CommaLocale {
 public:
  CommaLocale() : streams_(std::locale::global(std::locale(std::locale(), new DecimalComma))) {
    for (const char* name : {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "fr_FR"})
      if (std::setlocale(LC_NUMERIC, name)) break;
  }
  ~CommaLocale() {
    std::locale::global(streams_);
    std::setlocale(LC_NUMERIC, before_.c_str());
  }
  CommaLocale(const CommaLocale&) = delete;
  CommaLocale& operator=(const CommaLocale&) = delete;

 private:
  std::string before_ = std::setlocale(LC_NUMERIC, nullptr);
  std::locale streams_;
};

}  // namespace

TEST_CASE("readers and writers do not depend on the locale") {
  const TestFolder folder;
  const CommaLocale comma;
  std::ostringstream witness;
  witness << 1234.5;
  REQUIRE(witness.str() == "1.234,5");

  write_table(folder / "table", {1, 2, {1234.5, 1e6}});
  CHECK(folder.get("table") == "1234.5,1e+06\n");
  CHECK(read_table(folder / "table").table.values == std::vector<double>{1234.5, 1e6});
  const Ratings entries{1, 2000, {0}, {1999}, {0.25}, {}, {}};
  write_ratings(folder / "ratings", entries);
  CHECK(folder.get("ratings") == "1\t2000\t0.25\n");
  CHECK(read_ratings(folder / "ratings", {.delimiter = "tab", .header = "no", .ids = "one-based"}).value ==
        entries.value);
  write_matrix_market(folder / "market", entries);
  CHECK(read_matrix_market_coordinate(folder / "market").value == entries.value);
  check_mentions(complaint([&] { read_table(folder.put("comma", "1;2\n3;4,5\n")); }), {"comma:2: ", "'4,5'"});
}

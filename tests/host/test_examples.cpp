// SPDX-License-Identifier: BSD-3-Clause
// The programs of apps/examples: what they print.
#include "small_host.hpp"

#include <stdio.h>
#include <sys/wait.h>

#include <array>
#include <sstream>

namespace claros::test {

namespace {

/// What the program prints; it must end with 0.
std::string output_of(const std::string& example) {
  FILE* pipe = ::popen(("'" CLAROS_EXAMPLES_DIR "/" + example + "'").c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::string text;
  std::array<char, 512> block;
  for (std::size_t got; (got = ::fread(block.data(), 1, block.size(), pipe)) > 0;)
    text.append(block.data(), got);
  const int status = ::pclose(pipe);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
  return text;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("example: the Lasso from arrays") {
  const std::string text = output_of("lasso");
  CAPTURE(text);
  CHECK(has(text, "the confirmed relative gap met its target"));
  CHECK(has(text, "\ncolumn 4: 2."));
  CHECK(has(text, "\ncolumn 11: -1."));
}

TEST_CASE("example: a function over the simplex") {
  // With all shares positive S x is constant: x = S^{-1} 1 / (1' S^{-1} 1) = (0.552, 0.300, 0.148).
  const std::string text = output_of("simplex-function");
  CAPTURE(text);
  double x[3] = {0.0, 0.0, 0.0};
  REQUIRE(::sscanf(text.c_str(), "gap: shares %lf %lf %lf, gap below 1e-4: yes", &x[0], &x[1], &x[2]) == 3);
  CHECK(x[0] == doctest::Approx(0.552).epsilon(0.01));
  CHECK(x[1] == doctest::Approx(0.300).epsilon(0.01));
  CHECK(x[2] == doctest::Approx(0.148).epsilon(0.02));
}

TEST_CASE("example: a set of lambdas, and matrices of Eigen") {
  const std::string text = output_of("non-negative");
  CAPTURE(text);
  double x[4] = {0.0, 0.0, 0.0, 0.0};
  REQUIRE(::sscanf(text.c_str(), "residual: %lf %lf %lf %lf, optimal: yes", &x[0], &x[1], &x[2], &x[3]) == 4);
  CHECK(x[0] == doctest::Approx(2.0).epsilon(0.2));
  CHECK(x[3] == 0.0);
}

TEST_CASE("example: a callback that stops, and views") {
  const std::string text = output_of("callback-and-views");
  CAPTURE(text);
  for (const char* line : {"step 10: norm ", "step 20: norm ", "step 30: norm "}) CHECK(has(text, line));
  CHECK_FALSE(has(text, "step 40"));
  CHECK(has(text, "ended the run"));
  CHECK(has(text, "60 x 40 of rank "));
  CHECK(has(text, "norms agree: yes"));
}

TEST_CASE("example: several runs at once") {
  std::istringstream lines(output_of("several-runs"));
  std::vector<double> values, supports;
  for (std::string line; std::getline(lines, line);) {
    CAPTURE(line);
    const auto value = line.find("value "), comma = line.find(", ");
    REQUIRE(comma != std::string::npos);
    values.push_back(std::stod(line.substr(value + 6)));
    supports.push_back(std::stod(line.substr(comma + 2)));
  }
  REQUIRE(values.size() == 4);
  for (std::size_t k = 1; k < 4; ++k) {
    CHECK(values[k] < values[k - 1]);
    CHECK(supports[k] >= supports[k - 1]);
  }
}

TEST_CASE("example: errors as values") {
  const std::string text = output_of("errors-as-values");
  CAPTURE(text);
  CHECK(has(text, "there is no objective named 'linear-modle'\nremedy: did you mean 'linear-model'?"));
  CHECK(has(
      text,
      "where:  set.raduis\nwhat:   set/l1-ball has no parameter 'raduis'\nremedy: did you mean 'radius'?"));
  CHECK(has(text, "where:  set.radius\n"));
  CHECK(has(text, "where:  data\nwhat:   3 responses for a design of 2 x 2; expected 2\n"));
  CHECK(has(text, "now it runs\n"));
}

TEST_CASE("example: robust completion of triplets") {
  const std::string text = output_of("completion");
  CAPTURE(text);
  double squared = 0.0, robust = 0.0;
  REQUIRE(::sscanf(text.c_str(), "RMSE over all entries: squared loss %lf, robust loss %lf", &squared,
                   &robust) == 2);
  CHECK(robust < 0.2);
  CHECK(robust < 0.5 * squared);
}

}  // namespace claros::test

// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <claros/parameters.hpp>
#include <claros/settings.hpp>

#include "numbers.hpp"
#include "test_files.hpp"

#include <cmath>
#include <cstring>
#include <limits>
#include <string>

using namespace claros;

namespace {

enum class Motor { lanczos, arpack, dense };
enum class Size { theory, all };

struct Rule {
  double step = 0.1;
};
struct Options {
  double radius = 1.0 / 3.0;
  double ceiling = kInfinity;
  double share = 0.5;
  Index iterations = 100;
  bool restart = true;
  Motor engine = Motor::lanczos;
  std::string layout = "rows";
  NumberOr<Size, Index> batch = Size::theory;
  NumberOr<Size> scale = 0.25;
  Switch momentum;
  std::string file;
  Rule rule;
};

const ParameterTable<Options>& table() {
  static const ParameterTable<Options> result(
      {row("radius", &Options::radius, above(0.0), "radius of the ball", "tau"),
       row("ceiling", &Options::ceiling, or_infinity(at_least(1.0)), "upper bound"),
       row("share", &Options::share, above_to(0.0, 1.0), "share of the rows"),
       row("iterations", &Options::iterations, between(1, 1000), "steps"),
       row("restart", &Options::restart, "restart the momentum"),
       row("engine", &Options::engine,
           one_of<Motor>({{Motor::lanczos, "lanczos"}, {Motor::arpack, "arpack"}, {Motor::dense, "dense"}}),
           "solver"),
       row("layout", &Options::layout, one_of({"rows", "columns"}), "of the file"),
       row("scale", &Options::scale, number_or<Size>(above(0.0), {{Size::theory, "theory"}}), "of the step"),
       row("momentum", &Options::momentum, "restart the momentum"),
       row("batch", &Options::batch,
           number_or<Size>(integers(at_least(1.0)), {{Size::theory, "theory"}, {Size::all, "all"}}),
           "size of the batch"),
       row("file", &Options::file, any(), "where it is")},
      {include(&Options::rule, std::vector{row("step", &Rule::step, above(0.0), "step size", "eta")})});
  return result;
}

std::string assigned(const std::string& name, const std::string& text) {
  Options options;
  return refusal(ErrorKind::usage, [&] { table().assign(&options, name, text); });
}

}  // namespace

TEST_CASE("parameters: every default reads back to itself") {
  const auto fresh = table().make();
  REQUIRE(table().rows().size() == 12);
  for (const ParameterInfo& info : table().rows()) {
    CAPTURE(info.name);
    CHECK(table().print(fresh.get(), info.name) == info.fallback);
    auto copy = table().make();
    table().assign(copy.get(), info.name, info.fallback);
    CHECK(table().print(copy.get(), info.name) == info.fallback);
  }
}

TEST_CASE("parameters: assignment reaches the member, also of an included group") {
  Options options;
  table().assign(&options, "radius", "2^-12");
  table().assign(&options, "step", "1/3");
  table().assign(&options, "restart", "no");
  table().assign(&options, "batch", "400");
  CHECK(options.radius == 0x1p-12);
  CHECK(options.rule.step == 1.0 / 3.0);
  CHECK_FALSE(options.restart);
  CHECK(options.batch.number() == 400);
  CHECK_THROWS_AS(table().assign(&options, "radios", "1"), Error);
  CHECK_THROWS_AS((void)table().print(&options, "radios"), Error);
}

TEST_CASE("parameters: just outside a bound is refused, on it or just inside is not") {
  const double below_one = std::nextafter(1.0, 0.0), above_one = std::nextafter(1.0, 2.0);
  CHECK(contains(assigned("radius", "0"), "'0' is out of range (expected > 0"));
  CHECK(assigned("radius", "5e-324") == "accepted");
  CHECK(contains(assigned("ceiling", print_real(below_one)), "expected >= 1 or inf"));
  CHECK(assigned("ceiling", "1") == "accepted");
  CHECK(contains(assigned("share", print_real(above_one)), "expected in (0, 1]"));
  CHECK(contains(assigned("share", "0"), "out of range"));
  CHECK(assigned("share", "1") == "accepted");
  CHECK(contains(assigned("iterations", "0"), "expected in [1, 1000]"));
  CHECK(contains(assigned("iterations", "1001"), "'1001'"));
  CHECK(assigned("iterations", "1000") == "accepted");
  for (const char* text : {"0.5", "2.5", "0", "-3"})
    CHECK(contains(assigned("batch", text), std::string("'") + text + "' is out of range"));
}

TEST_CASE("parameters: infinity only where the range allows it, NaN nowhere") {
  CHECK(assigned("ceiling", "inf") == "accepted");
  CHECK(contains(assigned("ceiling", "-inf"), "out of range"));
  CHECK(contains(assigned("radius", "inf"), "out of range"));
  CHECK(contains(assigned("iterations", "inf"), "not an integer"));
  for (const char* text : {"nan", "NaN", "-nan", "nan(1)"})
    for (const char* name : {"radius", "ceiling", "share", "iterations", "batch", "step"}) {
      CAPTURE(text);
      CAPTURE(name);
      CHECK(assigned(name, text) != "accepted");
    }
}

TEST_CASE("parameters: a choice is one of its words, and the error guesses which") {
  CHECK(assigned("engine", "arpack") == "accepted");
  CHECK(contains(assigned("engine", "lancsoz"), "did you mean 'lanczos'?"));
  CHECK(contains(assigned("engine", "quantum"), "one of lanczos, arpack, dense"));
  CHECK(contains(assigned("batch", "thoery"), "did you mean 'theory'?"));
  CHECK(contains(assigned("batch", "400x"), "'400x' is not a number"));
}

TEST_CASE("parameters: words and numbers are read once, and print as they were written") {
  Options options;
  const auto printed = [&](const std::string& name, const std::string& text) {
    table().assign(&options, name, text);
    return table().print(&options, name);
  };
  CHECK(printed("engine", "dense") == "dense");
  CHECK(options.engine == Motor::dense);
  CHECK(printed("batch", "all") == "all");
  CHECK(options.batch == Size::all);
  CHECK_FALSE(options.batch.is_number());
  CHECK(options.batch.number_or(7) == 7);
  CHECK(printed("batch", "1e3") == "1e3");
  CHECK(options.batch.number() == 1000);
  CHECK_FALSE(options.batch == Size::all);
  CHECK(printed("scale", "1/3") == "1/3");
  CHECK(options.scale.number() == 1.0 / 3.0);
  CHECK(Options{}.momentum.is_automatic());
  CHECK(printed("momentum", "yes") == "yes");
  CHECK(options.momentum.value() == true);
  CHECK(printed("momentum", "0") == "0");
  CHECK(options.momentum.value() == false);
  CHECK(printed("momentum", "auto") == "auto");
  CHECK_FALSE(options.momentum.value());
  CHECK(contains(assigned("momentum", "maybe"), "one of auto, true, false, yes, no, on, off, 1, 0"));
  CHECK(contains(assigned("scale", "0"), "'0' is out of range"));
  CHECK(table().find("scale")->fallback == "0.25");
  CHECK(table().find("batch")->type == "number or choice");
  CHECK(table().find("engine")->type == "choice");
  CHECK(table().find("momentum")->type == "choice");
}

TEST_CASE("parameters: a key that a component names gets its path, anything else stays") {
  const auto where = [](const std::string& text) {
    const ComponentPath place{"algorithm.inner", &table()};
    return place.with_path(Error(ErrorKind::usage, text, "is wrong")).complaints().front().where;
  };
  CHECK(where("radius") == "algorithm.inner.radius");
  CHECK(where("") == "algorithm.inner");
  for (const std::string other : {"data.csv:3", "set.radius", "algorithm.inner.inner.radius", "raduis"})
    CHECK(where(other) == other);
}

TEST_CASE("values: whole string or nothing") {
  for (const char* text : {"",      " ",     "1 ",     " 1",      "1x",    "1,5", "0x10",  "1e", "+-1",
                           "++1",   "1/",    "/3",     "1/0",     "0/0",   "2^",  "2^0.5", "^2", "-2^2",
                           "inf^2", "1e999", "2^5000", "2^-5000", "1/3/5", "--1", "e5"}) {
    CAPTURE(text);
    CHECK_THROWS_AS((void)parse_real(text), Error);
    CHECK_THROWS_AS((void)parse_integer(text), Error);
  }
  for (const char* text : {"", "True", "yes ", "2", "truefalse"})
    CHECK_THROWS_AS((void)parse_boolean(text), Error);
  for (const char* text : {"1.5", "1/3", "9223372036854775808", "1e17"}) {
    CAPTURE(text);
    CHECK_THROWS_AS((void)parse_integer(text), Error);
  }
}

TEST_CASE("values: the forms that are read") {
  CHECK(parse_real("+1.5e3") == 1500.0);
  CHECK(parse_real("-1/4") == -0.25);
  CHECK(parse_real("10^2") == 100.0);
  CHECK(parse_real("-inf") == -kInfinity);
  CHECK(parse_integer("-9223372036854775808") == std::numeric_limits<Index>::min());
  CHECK(parse_integer("+7") == 7);
  CHECK(parse_integer("1e6") == 1000000);
  CHECK(parse_integer("2^20") == 1048576);
  CHECK(parse_boolean("on"));
  CHECK_FALSE(parse_boolean("0"));
}

TEST_CASE("values: a printed real reads back to the same bits") {
  for (double value :
       {0.1, 1.0 / 3.0, 5e-324, 1.7976931348623157e308, -0.0, 123456789.0, 1e22, kInfinity, -1e-7}) {
    const double back = parse_real(print_real(value));
    CHECK(std::memcmp(&value, &back, sizeof value) == 0);
  }
  CHECK(print_real(0.1) == "0.1");
  CHECK(print_integer(-12) == "-12");
}

TEST_CASE("did_you_mean: the nearest word, or nothing") {
  const std::vector<std::string> words{"nuclear-ball", "l1-ball", "box"};
  CHECK(did_you_mean("nuclaer-ball", words) == "did you mean 'nuclear-ball'?");
  CHECK(did_you_mean("l1ball", words) == "did you mean 'l1-ball'?");
  CHECK(did_you_mean("bxo", words) == "did you mean 'box'?");
  CHECK(did_you_mean("frank-wolfe", words).empty());
  CHECK(did_you_mean("for", {"top", "only"}).empty());  // two other letters of three
  CHECK(did_you_mean("anything", {}).empty());
}

namespace {

struct Chosen {
  double radius = kUnset;
  ScaledNumber lambda;
  std::string name;
};

const ParameterTable<Chosen>& chosen() {
  static const ParameterTable<Chosen> result{
      row("radius", &Chosen::radius, required(above(2.0), "measure it"), "radius of the ball"),
      row("lambda", &Chosen::lambda, required(at_least(0.0), "a tenth of max"), "factor"),
      row("name", &Chosen::name, required(any(), "ask somebody"), "who")};
  return result;
}

std::string assigned_to_chosen(const std::string& name, const std::string& text) {
  Chosen options;
  return refusal(ErrorKind::usage, [&] { chosen().assign(&options, name, text); });
}

}  // namespace

TEST_CASE("parameters: what is required has no value until it is given, and errors say how to choose") {
  const auto options = chosen().make();
  CHECK(missing_values(chosen(), options.get()) == std::vector<std::string>{"radius", "lambda", "name"});
  for (const ParameterInfo& info : chosen().rows()) {
    CHECK(info.fallback.empty());
    CHECK(chosen().print(options.get(), info.name).empty());
  }
  CHECK(contains(assigned_to_chosen("radius", "1"), "measure it"));
  CHECK_FALSE(contains(assigned_to_chosen("radius", "1"), "the default is"));
  const auto assignments = assign_settings(chosen(), {{"name", "x", {}, {}}}, "set/ball");
  REQUIRE(assignments.complaints.size() == 2);
  CHECK(contains(assignments.complaints[0].sentence(),
                 "radius: is missing: set/ball has no default for it (radius of the ball)"));
  CHECK(contains(assignments.complaints[1].sentence(), "a tenth of max"));
  for (const auto& [name, example] :
       std::vector<std::pair<std::string, std::string>>{{"radius", "10"}, {"name", ""}})
    CHECK(example_value(*chosen().find(name)) == example);
  // A text has the example that its advice quotes.
  ParameterInfo graph{"graph", "text", required(any(), "an arc a row: `1 2; 2 3`, or a file"),
                      "arcs",  "",     ""};
  CHECK(example_value(graph) == "1 2; 2 3");
  graph.range.advice = "an arc a row";
  CHECK(example_value(graph).empty());
}

TEST_CASE("parameters: a scaled number is a number or a fraction of max, and reads back to itself") {
  Chosen options;
  for (const auto& [text, printed] :
       std::vector<std::pair<std::string, std::string>>{{"0.25", "0.25"},
                                                        {"0.1*max", "0.1*max"},
                                                        {"max", "1*max"},
                                                        {"1/4 * max", "0.25*max"},
                                                        {"2^-3*max", "0.125*max"},
                                                        {"0", "0"}}) {
    chosen().assign(&options, "lambda", text);
    CHECK(chosen().print(&options, "lambda") == printed);
    CHECK(options.lambda.of_max == contains(text, "max"));
  }
  chosen().assign(&options, "lambda", "0.1*max");
  CHECK_THROWS_AS((void)options.lambda.number(), Error);
  for (const std::string bad : {"*max", "max*2", "0.1*mx", "-1*max", "inf*max", "nan", ""})
    CHECK(contains(assigned_to_chosen("lambda", bad), "lambda"));
  CHECK(contains(assigned_to_chosen("radius", "0.1*max"), "no largest useful value"));
}

// SPDX-License-Identifier: BSD-3-Clause
// Linear programs from files: each dialect of MPS and LP has the optimum that its format says, by hand, and
// what is no linear program is refused at its line.
#include "compose_for_test.hpp"

#include <claros/linear_oracle.hpp>

namespace claros::test::program_files {

namespace {

using Numbers = std::vector<double>;

struct Program {
  std::string name, text;
  Numbers costs;
  double least;
};

std::shared_ptr<Component> polytope(const std::string& file) {
  return create_component(build_catalog(), Kind::set, "polytope", {{"program", file, {}, {}}}, {});
}

double least_of(const Program& program) {
  const TestFolder folder;
  folder.put(program.name, program.text);
  const auto component = polytope((folder / program.name).string());
  Element x;
  const Shape shape = Shape::vector(static_cast<Index>(program.costs.size()));
  return query<LinearOracle>(*component)->minimize(Element::dense(shape, program.costs), {}, x).value;
}

std::string refused(const std::string& name, const std::string& text) {
  const TestFolder folder;
  folder.put(name, text);
  return complaint([&] { (void)polytope((folder / name).string()); }, ErrorKind::data);
}

void check(const std::vector<Program>& programs) {
  for (const Program& program : programs) {
    CAPTURE(program.text);
    CHECK(least_of(program) == doctest::Approx(program.least));
  }
}

/// x + y <= 10, x + y >= 2, x - y = 0.
const std::string kRows =
    "NAME t\nROWS\n N cost\n L most\n G least\n E same\nCOLUMNS\n x cost 1 most 1\n x least 1 same 1\n"
    " y most 1 least 1\n y same -1\n";
const std::string kRight = "RHS\n r most 10 least 2\n";
/// -20 <= x + y <= 10.
const std::string kWide =
    "NAME\nROWS\n N cost\n L most\n G least\nCOLUMNS\n x most 1 least 1\n y most 1 least 1\nRHS\n"
    " r most 10 least -20\nBOUNDS\n";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != text.npos);
  return text.replace(at, from.size(), to);
}

}  // namespace

TEST_CASE("program files: MPS with ranges, sets without names, comments, blank lines and other senses") {
  const Numbers sum{1.0, 1.0}, most{-1.0, -1.0}, apart{1.0, -1.0};
  check({{"a.mps", kRows + kRight + "ENDATA\n", sum, 2.0},
         {"a.mps", kRows + kRight + "ENDATA\n", most, -10.0},
         {"a.mps", kRows + "RHS\n most 10 least 2\n same 0\nENDATA\n", sum, 2.0},
         {"a.mps", kRows + "RHS\n r most 10 cost -7\n r least 2\nENDATA\n", sum, 2.0},
         {"a.mps", kRows + kRight + "RANGES\n g most 6\nENDATA\n", sum, 4.0},
         {"a.mps", kRows + kRight + "RANGES\n g least -5\nENDATA\n", most, -7.0},
         {"a.mps", kRows + kRight + "RANGES\n same 3\nENDATA\n", apart, 0.0},
         {"a.mps", kRows + kRight + "RANGES\n same 3\nENDATA\n", {-1.0, 1.0}, -3.0},
         {"a.mps", kRows + kRight + "RANGES\n same -3\nENDATA\n", apart, -3.0},
         {"a.mps", "\xEF\xBB\xBF" + kRows + kRight + "ENDATA\n", sum, 2.0},
         {"a.mps", "\n* words\n\n" + kRows + "* words\n" + kRight + "\nENDATA\nafter the end\n", sum, 2.0},
         {"a.mps", replaced(kRows, "NAME t\n", "") + kRight + "ENDATA\n", sum, 2.0},
         {"a.mps", replaced(kRows, "NAME t", "NAME two words FREE") + kRight + "ENDATA\n", sum, 2.0},
         {"a.mps", replaced(kRows, "ROWS", "OBJSENSE\n MAX\nROWS") + kRight + "ENDATA\n", sum, 2.0},
         {"a.mps", replaced(kRows, "ROWS", "OBJSENSE MAX\nOBJNAME\n cost\nROWS") + kRight + "ENDATA\n", sum,
          2.0},
         {"a.mps", replaced(kRows, " N cost", " N cost\n N other") + kRight + "ENDATA\n", sum, 2.0},
         {"a.mps",
          replaced(kRows, "\n x least 1 same 1", "\n\tx\tleast\t1 $ words\n x same +1.0e0") + kRight +
              "ENDATA\n",
          sum, 2.0},
         {"noname", kRows + kRight + "ENDATA\n", sum, 2.0}});
}

TEST_CASE("program files: every bound of MPS, with and without the name of its set") {
  for (const std::string set : {"b ", ""}) {
    const auto with = [&](const std::string& bounds) {
      std::string text = kWide;
      for (const char* line = bounds.c_str(); *line != '\0'; ++line)
        text += *line == '@' ? set : std::string(1, *line);
      return text + "ENDATA\n";
    };
    check({{"b.mps", with(" UP @x -1\n LO @y -5\n UP @y 5\n"), {-1.0, 0.0}, 1.0},
           {"b.mps", with(" LO @x -4\n UP @x -1\n UP @y 5\n"), {1.0, 0.0}, -4.0},
           {"b.mps", with(" MI @x\n UP @x 3\n UP @y 1\n"), {1.0, 0.0}, -21.0},
           {"b.mps", with(" FR @x\n FX @y 2\n"), {1.0, 0.0}, -22.0},
           {"b.mps", with(" BV @x\n UP @y 1\n"), {-1.0, 0.0}, -1.0},
           {"b.mps", with(" LI @x 2\n UI @x 4\n UP @y 1\n"), {-1.0, 0.0}, -4.0},
           {"b.mps", with(" UP @x 3\n PL @x\n UP @y 1\n"), {-1.0, 0.0}, -10.0},
           {"b.mps", with(" UP @x 1e30\n LO @x -Inf\n UP @y 1\n"), {1.0, 0.0}, -21.0}});
  }
}

TEST_CASE("program files: MPS in columns has names with blanks") {
  check({{"c.mps",
          "NAME          T\nROWS\n N  MY COST\n L  ROW 1\nCOLUMNS\n    X 1       MY COST            1.0   "
          "ROW 1     "
          "         1.0\n    Y 2       ROW 1              1.0\nRHS\n    RHS       ROW 1             "
          "10.0\nBOUNDS\n"
          " UP BND       X 1                3.0\nENDATA\n",
          {-1.0, 0.0},
          -3.0}});
}

TEST_CASE("program files: MPS that is no linear program, or a damaged one, is refused at its line") {
  const auto said = [](const std::string& text) { return refused("d.mps", text); };
  for (const char* section : {"QUADOBJ", "QSECTION cost", "QMATRIX", "QCMATRIX most", "CSECTION k", "SOS",
                              "SETS", "INDICATORS", "LAZYCONS", "USERCUTS", "GENCONS", "PWLOBJ", "OTHER"})
    check_mentions(said(kRows + kRight + section + "\n x x 1\nENDATA\n"),
                   {"d.mps:14", std::string(section).substr(0, std::string(section).find(' ')).c_str()});
  const std::vector<std::tuple<std::string, std::string, const char*>> wrong{
      {kRows + kRight, ":13", "ENDATA"},
      {replaced(kRows, " x least 1", " x nowhere 1") + kRight + "ENDATA\n", ":9", "'nowhere' is no row"},
      {replaced(kRows, " x least 1", " x most 1") + kRight + "ENDATA\n", ":9", "second number"},
      {replaced(kRows, " x least 1", " x least one") + kRight + "ENDATA\n", ":9", "finite number"},
      {replaced(kRows, " x least 1", " x least nan") + kRight + "ENDATA\n", ":9", "finite number"},
      {replaced(kRows, " G least", " D least") + kRight + "ENDATA\n", ":5", "N, L, G or E"},
      {replaced(kRows, " G least", " G most") + kRight + "ENDATA\n", ":5", "second time"},
      {kRows + "RHS\n r most 10\n s least 2\nENDATA\n", ":14", "second, 's'"},
      {kRows + "RHS\n r most 10\n r most 2\nENDATA\n", ":14", "second number"},
      {kWide + " SC b x 3\nENDATA\n", ":12", "semicontinuous"},
      {kWide + " UP b z 3\nENDATA\n", ":12", "'z' is no column"},
      {kWide + " UP b x\nENDATA\n", ":12", "'b' is no column"},
      {replaced(kWide, " y most", " M 'MARKER' 'SOSORG'\n y most") + "ENDATA\n", ":8", "'INTORG'"},
      {replaced(kWide, " y most", " M 'MARKER' 'INTORG'\n y most") + "ENDATA\n", "d.mps", "'y' has no bound"},
      {" x most 1\nENDATA\n", ":1", "section"}};
  for (const auto& [text, line, part] : wrong) {
    CAPTURE(text);
    check_mentions(said(text), {line.c_str(), part});
  }
}

TEST_CASE("program files: LP with bounds, integers, ranges, comments and repeated variables") {
  const std::string head = "Minimize\n obj: x + y\nSubject To\n c1: x + y <= 10\n c2: x + y >= -20\n";
  const auto with = [&](const std::string& bounds) { return head + "Bounds\n" + bounds + "End\n"; };
  const Numbers first{1.0, 0.0}, minus{-1.0, 0.0}, most{-1.0, -1.0};
  check({{"a.lp", head + "End\n", most, -10.0},
         {"a.lp", "\xEF\xBB\xBF\\ words\n\n" + head + "\\ words\nend\n", most, -10.0},
         {"a.lp", with(" -inf <= x <= -1\n -5 <= y <= 10\n"), {1.0, 1.0}, -20.0},
         {"a.lp", with(" x free\n 0 <= y <= 1\n"), first, -21.0},
         {"a.lp", with(" x >= 4\n 0 <= x <= 5\n y <= 1\n"), first, 0.0},
         {"a.lp", with(" x >= -infinity\n 4 >= x\n y = 2\n"), first, -22.0},
         {"a.lp", with(" x = 3\n"), first, 3.0},
         {"a.lp", head + "Bounds\n y <= 1\nBinary\n x\nEnd\n", minus, -1.0},
         {"a.lp", head + "Bounds\n x <= 2.5\n y <= 1\nGenerals\n x\n y\nEnd\n", minus, -2.5},
         {"a.lp", "max 2 x + 3y\nst\n x + x + y <= 10\n -2 <= x - y <= 3\nend\n", minus, -13.0 / 3.0},
         {"a.lp", "maximize\n obj: x\n + y\nsuch that\n c: x +\n y + 1 <= 11\n 3 >= x\nend\n", minus, -3.0},
         {"a.lp", "MIN\n\nSUBJECT TO\n r[1,2]: x[1] + x_2.a <= 4\n- x[1] =>\n -3\nEND\n", minus, -3.0},
         {"b", "\\ words\nmin x + y s.t. c: x + y =< 10\nend\n", most, -10.0},
         {"a.lp", "min 0 y + x\nst\n c: x + 2 y <= 4\nend\n", minus, -2.0}});  // y is first
}

TEST_CASE("program files: LP that is no linear program, or a damaged one, is refused at its line") {
  const std::string head = "Minimize\n obj: x + y\nSubject To\n c1: x + y <= 10\n";
  const std::vector<std::tuple<std::string, std::string, const char*>> wrong{
      {head, ":4", "without End"},
      {"Minimize\n obj: x + [ x ^ 2 ] / 2\nSubject To\n c1: x <= 10\nEnd\n", ":2", "quadratic"},
      {"Minimize\n obj: x\nSubject To\n c1: x ^ 2 <= 10\nEnd\n", ":4", "quadratic"},
      {"Minimize\n obj: x\nSubject To\n c1: x * y <= 10\nEnd\n", ":4", "quadratic"},
      {"Minimize\n obj: x\nSubject To\n c1: x + y <= 10 - y\nEnd\n", ":4", "on the left"},
      {"Minimize\n obj: x\nSubject To\n c1: x <= 10 y\nEnd\n", ":4", "on the left"},
      {"Minimize\n obj: x\nSubject To\n c1: x = 1 -> y <= 10\nEnd\n", ":4", "'->'"},
      {"Minimize\n obj: x\nSubject To\n c1: x y <= 10\nEnd\n", ":4", "found 'y'"},
      {"Minimize\n obj: x\nSubject To\n c1: x 10\nEnd\n", ":4", "found '10'"},
      {"max: 3 x + 2 y;\nx + y <= 4;\n", ":1", "lp_solve"},
      {"Minimize multi-objectives\n obj: x\nSubject To\n c1: x <= 1\nEnd\n", ":1", "objective"},
      {head + "Bounds\n x <= 4 y <= 3\nEnd\n", ":6", "a line"},
      {head + "Bounds\n z <= 4\nEnd\n", ":6", "neither in the objective nor in a constraint"},
      {head + "Semi-continuous\n x\nEnd\n", ":5", "'Semi'"},
      {head + "SOS\n s: S1:: x:1 y:2\nEnd\n", ":5", "'SOS'"},
      {head + "Lazy Constraints\n l: x <= 1\nEnd\n", ":5", "'Lazy'"},
      {head + "User Cuts\n l: x <= 1\nEnd\n", ":5", "'User'"},
      {head + "General Constraints\n l: x = MAX ( y )\nEnd\n", ":5", "'General'"},
      {"x + y <= 1\n", ":1", "minimize or maximize"}};
  for (const auto& [text, line, part] : wrong) {
    CAPTURE(text);
    check_mentions(refused("d.lp", text), {("d.lp" + line).c_str(), part});
  }
}

}  // namespace claros::test::program_files

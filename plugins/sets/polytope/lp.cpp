// SPDX-License-Identifier: BSD-3-Clause
// Files of LP format (CPLEX, Gurobi, HiGHS, GLPK): sense, objective, constraints, bounds, integers, End.
#include "draft.hpp"

#include <claros/error.hpp>

#include <algorithm>
#include <charconv>
#include <limits>
#include <map>
#include <utility>

namespace polytope {

using namespace claros;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr const char* kRemedy = "give a file of MPS or LP format (minimize, subject to, bounds, end)";

struct Token {
  enum class Kind { number, name, sign, relation, colon, other, end } kind;
  std::string text;
  double value = 0.0;
  Index line = 0;
  bool begins_line = false;
};
using Kind = Token::Kind;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool begins_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) > 127 ||
         std::string_view("!\"#$%&(),;?@_`'{}~./|").find(c) != std::string_view::npos;
}
bool continues_name(char c) { return begins_name(c) || is_digit(c) || c == '[' || c == ']'; }

/// The length of the number that `text` begins with, 0 of none.
std::size_t number_length(std::string_view text, double& value) {
  const bool digits = is_digit(text.front()) || (text.size() > 1 && text.front() == '.' && is_digit(text[1]));
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  return digits && code == std::errc() ? static_cast<std::size_t>(end - text.data()) : 0;
}

/// Sections by their first word; the second of two.
enum class Section { none, constraints, bounds, general, binary, end, refused };

class Lp {
 public:
  explicit Lp(const std::string& path) : input_(path) {
    for (std::string_view line; input_.next_filled(line);) split(line);
    tokens_.push_back({Kind::end, "", 0.0, input_.line(), true});
  }

  Program read() {
    read_sense();
    read_objective();
    read_constraints();
    while (true) {
      const Section section = open();
      if (section == Section::end) break;
      if (section == Section::bounds) read_bounds();
      if (section == Section::general || section == Section::binary)
        read_integers(section == Section::binary);
    }
    return draft_.program(input_);
  }

 private:
  struct Expression {
    std::map<std::size_t, double> terms;
    double constant = 0.0;
  };

  void split(std::string_view line) {
    line = line.substr(0, line.find('\\'));  // a comment
    bool first = true;
    for (std::size_t at = 0; at < line.size();) {
      const char c = line[at];
      if (c == ' ' || c == '\t') {
        ++at;
        continue;
      }
      Token token{Kind::other, std::string(1, c), 0.0, input_.line(), std::exchange(first, false)};
      std::size_t length = number_length(line.substr(at), token.value);
      if (length > 0) {
        token.kind = Kind::number;
      } else if (c == '<' || c == '>' || c == '=') {
        token.kind = Kind::relation;
        const char next = at + 1 < line.size() ? line[at + 1] : ' ';
        length = next != c && (next == '<' || next == '>' || next == '=') ? 2 : 1;
      } else if (begins_name(c)) {
        token.kind = Kind::name;
        while (at + length < line.size() && continues_name(line[at + length])) ++length;
      } else {
        length = line.substr(at).starts_with("->") ? 2 : 1;
        if (length == 1 && (c == '+' || c == '-')) token.kind = Kind::sign;
        if (c == ':') token.kind = Kind::colon;
      }
      token.text = line.substr(at, length);
      tokens_.push_back(std::move(token));
      at += length;
    }
  }

  const Token& now() const { return tokens_[at_]; }
  const Token& behind() const { return tokens_[std::min(at_ + 1, tokens_.size() - 1)]; }
  [[noreturn]] void fail(const std::string& what, const std::string& remedy = kRemedy) const {
    throw Error(ErrorKind::data, input_.where(now().line), what, remedy);
  }
  std::string found() const {
    return now().kind == Kind::end ? "the end of the file" : "'" + now().text + "'";
  }

  Section section() const {
    static const std::map<std::string, Section> known{
        {"st", Section::constraints},   {"s.t.", Section::constraints}, {"st.", Section::constraints},
        {"bounds", Section::bounds},    {"bound", Section::bounds},     {"general", Section::general},
        {"generals", Section::general}, {"gen", Section::general},      {"integer", Section::general},
        {"integers", Section::general}, {"int", Section::general},      {"binary", Section::binary},
        {"binaries", Section::binary},  {"bin", Section::binary},       {"end", Section::end},
        {"semi", Section::refused},     {"semis", Section::refused},    {"sec", Section::refused},
        {"sos", Section::refused},      {"sos1", Section::refused},     {"sos2", Section::refused},
        {"lazy", Section::refused},     {"user", Section::refused},     {"pwlobj", Section::refused},
        {"scenario", Section::refused}, {"multi", Section::refused}};
    const Token& token = now();
    if (token.kind != Kind::name || behind().kind == Kind::colon) return Section::none;
    const std::string word = lower(token.text), next = behind().begins_line ? "" : lower(behind().text);
    if ((word == "subject" && next == "to") || (word == "such" && next == "that"))
      return Section::constraints;
    if (!token.begins_line)
      return word == "st" || word == "s.t." || word == "st." ? known.at(word) : Section::none;
    if (word == "general" && next == "constraints") return Section::refused;
    const auto at = known.find(word);
    const bool followed = behind().kind == Kind::relation || behind().kind == Kind::sign;
    const bool variable =
        followed && !behind().begins_line && !(word == "semi" && behind().kind == Kind::sign);
    return at == known.end() || variable ? Section::none : at->second;
  }

  /// Moves behind the words of a section.
  Section open() {
    const Section found_section = section();
    if (now().kind == Kind::end) fail("the file ends without End", "is it complete? " + std::string(kRemedy));
    if (found_section == Section::none) fail("expected a section such as Bounds or End, found " + found());
    if (found_section == Section::refused)
      fail("expected a section of a linear program, found " + found(),
           "the set has linear constraints and bounds alone; give a file without it");
    const std::string word = lower(now().text);
    at_ += word == "subject" || word == "such" ? 2 : 1;
    return found_section;
  }

  void read_sense() {
    const std::string word = lower(now().text);
    const bool known = word.starts_with("min") || word.starts_with("max");
    if (now().kind != Kind::name || !known) fail("expected minimize or maximize, found " + found());
    if (behind().kind == Kind::colon)
      fail("'" + now().text + ":' begins a file of lp_solve, which is another format",
           "write it as MPS (lp_solve -wfmps)");
    ++at_;
    if (section() == Section::refused || lower(now().text) == "multi")
      fail("expected one linear objective, found " + found(), "remove the other ones");
  }

  void skip_label() {
    if (now().kind == Kind::name && behind().kind == Kind::colon) at_ += 2;
  }

  /// Its variables are those of the set.
  void read_objective() {
    skip_label();
    (void)expression(true);
    if (section() == Section::none) fail("expected 'subject to', found " + found());
  }

  /// Terms with signs, until what is no term. `whole`: over several lines, until a section.
  Expression expression(bool whole) {
    Expression made;
    for (bool first = true;; first = false) {
      double factor = 1.0;
      bool has_sign = false;
      if (section() != Section::none) break;
      for (; now().kind == Kind::sign; ++at_) factor *= now().text == "-" ? -1.0 : 1.0, has_sign = true;
      const bool is_term = now().kind == Kind::number || now().kind == Kind::name;
      if (!is_term && (!has_sign || now().kind == Kind::other)) break;
      if (!is_term) fail("expected a number or a variable, found " + found());
      if (!first && !has_sign) {
        if (whole) fail("expected + or -, found " + found());
        break;
      }
      const bool has_number = now().kind == Kind::number;
      if (has_number) factor *= now().value, ++at_;
      if (now().kind == Kind::name && section() == Section::none && !is_infinity() &&
          !(has_number && now().begins_line && behind().kind == Kind::colon)) {
        made.terms[draft_.variable(now().text)] += factor;
        ++at_;
      } else if (is_infinity() && !has_number) {
        made.constant += factor * kInfinity;
        ++at_;
      } else {
        made.constant += factor;
      }
    }
    if (now().kind == Kind::other)
      fail("expected a linear expression, found " + found(),
           now().text == "->" ? "indicator constraints are no linear constraints; remove them"
                              : "quadratic terms ([ ... ], ^, *) are no linear constraints; remove them");
    return made;
  }
  bool is_infinity() const {
    const std::string word = lower(now().text);
    return now().kind == Kind::name && (word == "inf" || word == "infinity");
  }

  /// A number with its sign.
  double number() {
    double factor = 1.0;
    for (; now().kind == Kind::sign; ++at_) factor *= now().text == "-" ? -1.0 : 1.0;
    if (now().kind != Kind::number && !is_infinity()) fail("expected a number, found " + found());
    const double value = now().kind == Kind::number ? now().value : kInfinity;
    ++at_;
    const double signed_value = factor * value;
    return signed_value >= 1e30 ? kInfinity : signed_value <= -1e30 ? -kInfinity : signed_value;
  }

  /// -1 of at most, 1 of at least, 0 of equal.
  int relation() {
    const std::string text = now().text;
    if (now().kind != Kind::relation) fail("expected <=, >= or =, found " + found());
    ++at_;
    return text.find('<') != text.npos ? -1 : text.find('>') != text.npos ? 1 : 0;
  }

  void read_constraints() {
    if (section() != Section::constraints) return;
    (void)open();
    while (section() == Section::none && now().kind != Kind::end) read_constraint();
  }

  void read_constraint() {
    skip_label();
    const Index line = now().line;
    Expression left = expression(false);
    double least = -kInfinity, most = kInfinity;
    if (left.terms.empty()) {  // the number of a range, or of a constraint written from the right
      bound(-relation(), left.constant, least, most);
      left = expression(false);
      if (now().kind == Kind::relation) read_side(least, most);
    } else {
      read_side(least, most);
    }
    if (left.terms.empty()) fail("expected a constraint with a variable, found " + found());
    const bool ends = now().begins_line || (now().kind == Kind::name && behind().kind == Kind::colon);
    if (!ends)
      fail("expected the end of the constraint, found " + found(),
           "write all variables on the left of the relation, and one number on its right");
    const std::size_t row = draft_.constraint(least - left.constant, most - left.constant);
    for (const auto& [column, value] : left.terms) draft_.entries.push_back({row, column, value, line});
  }

  /// A relation and its number.
  void read_side(double& least, double& most) {
    const int sign = relation();
    bound(sign, number(), least, most);
  }
  void bound(int relation, double number, double& least, double& most) const {
    if (relation >= 0) least = std::max(least, number);
    if (relation <= 0) most = std::min(most, number);
  }

  /// A line each.
  void read_bounds() {
    while (section() == Section::none && now().kind != Kind::end) {
      double least = -kInfinity, most = kInfinity;
      bool low = false, high = false;
      const auto set = [&](int relation, double number) {
        if (relation >= 0) least = number, low = true;
        if (relation <= 0) most = number, high = true;
      };
      if (now().kind != Kind::name || is_infinity()) {
        const double value = number();
        set(-relation(), value);
      }
      const std::size_t j = known_variable();
      if (now().kind == Kind::name && lower(now().text) == "free" && !now().begins_line)
        low = high = true, ++at_;
      else if (now().kind == Kind::relation) {
        const int sign = relation();
        set(sign, number());
      }
      if (!now().begins_line || (!low && !high))
        fail("expected a bound of a variable a line, found " + found());
      if (low) draft_.low[j] = least;
      if (high) draft_.high[j] = most;
    }
  }

  void read_integers(bool binary) {
    while (section() == Section::none && now().kind != Kind::end) {
      const std::size_t j = known_variable();
      draft_.integer[j] = 1;
      if (binary) {
        draft_.low[j] = std::max(draft_.low[j], 0.0);
        draft_.high[j] = std::min(draft_.high[j], 1.0);
      }
    }
  }

  std::size_t known_variable() {
    if (now().kind != Kind::name) fail("expected a variable, found " + found());
    const auto j = draft_.find(now().text);
    if (!j)
      fail(found() + " is neither in the objective nor in a constraint",
           "check the name, or give it a term, such as 0 " + now().text);
    ++at_;
    return *j;
  }

  TextInput input_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  Draft draft_;
};

}  // namespace

Program read_lp(const std::string& path) { return Lp(path).read(); }

}  // namespace polytope

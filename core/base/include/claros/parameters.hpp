// SPDX-License-Identifier: BSD-3-Clause
/// @file parameters.hpp  Parameters declared once: a struct with defaults and one table of rows.
///
/// From the table come `claros describe`, validation, reading of files and of the command line, the effective
/// configuration, completion and the documentation pages.
///
///     enum class Engine { lanczos, dense };
///     struct Options { double radius = 1.0; Engine engine = Engine::lanczos; };
///     const ParameterList& parameters() {
///       static const ParameterTable<Options> table{
///           row("radius", &Options::radius, above(0.0), "radius of the ball", "tau"),
///           row("engine", &Options::engine,
///               one_of<Engine>({{Engine::lanczos, "lanczos"}, {Engine::dense, "dense"}}), "solver")};
///       return table;
///     }
///
/// A member is a bool, an Index (not int), a double (not float), a ScaledNumber, a std::string, an
/// enumeration (one word of several), a NumberOr (a number or a word) or a Switch (on, off, or left to the
/// component).
///
/// A component that holds others declares their roles in the same table, after the rows and the shared groups
/// of rows,
///     {}, {{"inner", Kind::algorithm, "solves the small problems", "proximal-gradient"}}
/// and finds what fills them in its context: context.part<Algorithm>("inner").
#pragma once

#include <claros/api.hpp>
#include <claros/error.hpp>
#include <claros/kind.hpp>

#include <concepts>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace claros {

/// A condition on a value, in words and as a test on its parsed form. Numbers are tested by `accepts`; texts
/// by membership in `choices` (when not empty).
struct CLAROS_API Range {
  std::string words;                    ///< "> 0", "in [0, 1]", "one of lanczos, arpack, dense"
  std::function<bool(double)> accepts;  ///< numbers; unset means any finite number
  std::vector<std::string> choices;     ///< texts; empty means any text
  bool number_or_choice = false;        ///< a text that is one of `choices` or a number that `accepts`
  bool infinite = false;                ///< "inf" is allowed
  bool of_max = false;                  ///< a fraction of the largest useful value is allowed (ScaledNumber)
  bool required = false;                ///< there is no default
  std::string advice = {};              ///< of a required value: a way to choose it
};

CLAROS_API Range any();
CLAROS_API Range above(double bound);                ///< > bound
CLAROS_API Range at_least(double bound);             ///< >= bound
CLAROS_API Range between(double low, double high);   ///< in [low, high]
CLAROS_API Range above_to(double low, double high);  ///< in (low, high]
CLAROS_API Range one_of(std::vector<std::string> choices);
/// The integers within `range`, for a member NumberOr<E, Index>. A parameter without words is an Index.
CLAROS_API Range integers(Range range);

/// The words of an enumeration, in the order in which they are listed.
template <class E>
using EnumWords = std::vector<std::pair<E, std::string>>;

/// The word of a value; empty if it has none.
template <class E>
std::string word_of(const EnumWords<E>& words, E value) {
  for (const auto& [known, word] : words)
    if (known == value) return word;
  return {};
}

/// A range that has words for the values of an enumeration.
template <class E>
struct WordRange {
  Range range;
  EnumWords<E> words;
};
namespace detail {
/// A number within `range`, or one of the words.
CLAROS_API Range numbers_and(Range range, std::vector<std::string> words);
template <class E>
std::vector<std::string> texts_of(const EnumWords<E>& words) {
  std::vector<std::string> texts;
  for (const auto& [value, text] : words) texts.push_back(text);
  return texts;
}
}  // namespace detail

/// One value of an enumeration, by its word: one_of<Order>({{Order::cyclic, "cyclic"}, ...}).
template <class E>
requires std::is_enum_v<E> WordRange<E> one_of(EnumWords<E> words) {
  return {one_of(detail::texts_of(words)), std::move(words)};
}
/// A number within `range`, or one of the words: `batch = 400` or `batch = theory`, for a member NumberOr<E>.
template <class E>
requires std::is_enum_v<E> WordRange<E> number_or(Range range, EnumWords<E> words) {
  return {detail::numbers_and(std::move(range), detail::texts_of(words)), std::move(words)};
}
/// Allows "inf" beside the range.
CLAROS_API Range or_infinity(Range range);
/// Makes the range one of a parameter without a default. The error for a missing value names the key and
/// `advice`, a way to choose. The member is initially kUnset (numbers) or empty (texts); no other type has a
/// value that means "not chosen".
CLAROS_API Range required(Range range, std::string advice);

/// The value of a required number that has not been chosen: NaN.
inline constexpr double kUnset = std::numeric_limits<double>::quiet_NaN();

/// A number, or a fraction of the largest useful one: "0.3", "0.1*max", "max". `max` depends on the problem
/// (LambdaMax, abilities.hpp). The composer replaces the fraction by a number before it creates the final
/// component.
struct CLAROS_API ScaledNumber {
  double value = kUnset;  ///< the number, or the factor of max
  bool of_max = false;

  /// The number. Throws Error(usage) for a fraction that has not been resolved.
  double number() const;
};

/// A number, or a word that stands for a value that the component finds: `step = 0.1`, `step = auto`.
/// `Number` is double or Index.
template <class E, class Number = double>
class NumberOr {
 public:
  NumberOr(E word) : word_(word) {}
  NumberOr(Number number) : number_(number) {}
  /// Keeps the text as the user wrote it ("1/3"), for printing.
  NumberOr(NumberOr value, std::string_view written) : NumberOr(std::move(value)) { written_ = written; }

  bool is_number() const noexcept { return !word_; }
  /// The number; throws std::bad_optional_access if it is a word.
  Number number() const { return number_.value(); }
  /// The number, or `other` where it is a word.
  Number number_or(Number other) const { return number_.value_or(other); }
  friend bool operator==(const NumberOr& a, E word) { return a.word_ == word; }

  const std::optional<E>& word() const noexcept { return word_; }
  const std::string& written() const noexcept { return written_; }

 private:
  std::optional<E> word_;
  std::optional<Number> number_;
  std::string written_;
};

/// `auto | true | false`: on, off, or left to the component.
class Switch {
 public:
  Switch() = default;
  Switch(bool on) : on_(on) {}
  Switch(std::optional<bool> on, std::string_view written) : on_(on), written_(written) {}

  bool is_automatic() const noexcept { return !on_; }
  bool is_on() const noexcept { return on_.value_or(false); }

  const std::optional<bool>& value() const noexcept { return on_; }
  const std::string& written() const noexcept { return written_; }

 private:
  std::optional<bool> on_;
  std::string written_;
};

/// One row, as the documentation sees it.
struct CLAROS_API ParameterInfo {
  std::string name;
  std::string type;  ///< "boolean", "integer", "real", "text", "choice"
  Range range;
  std::string meaning;
  std::string symbol;    ///< the paper's symbol, or empty
  std::string fallback;  ///< the default, as text that reads back to the same value; empty for a required one
};

/// Reading and printing of values: locale-free, whole-string; throws Error(usage) naming the text and what
/// was expected.
CLAROS_API bool parse_boolean(std::string_view text);  ///< true, yes, on, 1; false, no, off, 0
CLAROS_API Index
parse_integer(std::string_view text);                 ///< digits, or a real that is an integer: "1e6", "2^20"
CLAROS_API double parse_real(std::string_view text);  ///< also "inf", "2^-12" and "1/3"; NaN is rejected
CLAROS_API ScaledNumber parse_scaled(std::string_view text);  ///< a real, "max", or a real and "*max"
CLAROS_API std::string print_boolean(bool value);
CLAROS_API std::string print_integer(Index value);
CLAROS_API std::string print_real(double value);  ///< shortest text that reads back to the same bits
CLAROS_API std::string print_scaled(ScaledNumber value);

/// A table seen without its struct.
class CLAROS_API ParameterList {
 public:
  virtual ~ParameterList();
  const std::vector<ParameterInfo>& rows() const noexcept { return rows_; }
  /// The row of that name, or null.
  const ParameterInfo* find(std::string_view name) const noexcept;
  std::vector<std::string> names() const;
  /// The components that the owner holds.
  const std::vector<Role>& roles() const noexcept { return roles_; }

  /// A fresh struct with its defaults.
  virtual std::shared_ptr<void> make() const = 0;
  /// options.NAME = text. Throws Error(usage) with the value and the range that it broke.
  virtual void assign(void* options, std::string_view name, std::string_view text) const = 0;
  /// The value of options.NAME as text that reads back to the same value.
  virtual std::string print(const void* options, std::string_view name) const = 0;

 protected:
  std::vector<ParameterInfo> rows_;
  std::vector<Role> roles_;
};

/// The required parameters of which `options` holds no value.
CLAROS_API std::vector<std::string> missing_values(const ParameterList& parameters, const void* options);
/// The complaint about a required parameter that is left out; `where` is its key, `owner` the component
/// ("penalty/l1").
CLAROS_API Complaint missing_value(const ParameterInfo& info, const std::string& where,
                                   const std::string& owner);
/// The default, or some value of the range if there is no default: for examples and tests.
CLAROS_API std::string example_value(const ParameterInfo& info);

/// One row of a table: the public description and how the member is read and written.
template <class Options>
struct ParameterRow {
  ParameterInfo info;
  std::function<void(Options&, std::string_view)> assign;
  std::function<std::string(const Options&)> print;
};

namespace detail {
CLAROS_API bool read_boolean(const ParameterInfo& info, std::string_view text);
CLAROS_API Index read_integer(const ParameterInfo& info, std::string_view text);
CLAROS_API double read_real(const ParameterInfo& info, std::string_view text);
CLAROS_API ScaledNumber read_scaled(const ParameterInfo& info, std::string_view text);
/// `range`, with fractions of the largest useful value allowed.
CLAROS_API Range or_fraction(Range range);
/// Empty for kUnset.
CLAROS_API std::string print_chosen(double value);
CLAROS_API std::string read_text(const ParameterInfo& info, std::string_view text);
CLAROS_API Switch read_switch(const ParameterInfo& info, std::string_view text);
CLAROS_API std::string print_switch(Switch value);
CLAROS_API Range switch_range();
[[noreturn]] CLAROS_API void no_such_parameter(std::string_view name);

/// The value of the word `text`, or nothing.
template <class E>
std::optional<E> value_of(const EnumWords<E>& words, std::string_view text) {
  for (const auto& [value, word] : words)
    if (word == text) return value;
  return {};
}
template <class Number>
Number read_number(const ParameterInfo& info, std::string_view text) {
  if constexpr (std::same_as<Number, Index>)
    return read_integer(info, text);
  else
    return read_real(info, text);
}
template <class Number>
std::string print_number(Number value) {
  if constexpr (std::same_as<Number, Index>)
    return print_integer(value);
  else
    return print_real(value);
}

/// `read` makes a Value of (info, text), `print` the text of a Value.
template <class Options, class Value, class Read, class Print>
ParameterRow<Options> make_row(ParameterInfo info, Value Options::*member, Read read, Print print) {
  info.fallback = print(Options{}.*member);
  auto assign = [info, member, read](Options& o, std::string_view text) { o.*member = read(info, text); };
  return {info, assign, [member, print](const Options& o) { return print(o.*member); }};
}
inline std::string same_text(std::string text) { return text; }
}  // namespace detail

template <class Options>
ParameterRow<Options> row(std::string name, bool Options::*member, std::string meaning,
                          std::string symbol = {}) {
  return detail::make_row<Options, bool>({name, "boolean", {"true or false", {}, {}}, meaning, symbol, {}},
                                         member, detail::read_boolean, print_boolean);
}
template <class Options>
ParameterRow<Options> row(std::string name, Index Options::*member, Range range, std::string meaning,
                          std::string symbol = {}) {
  return detail::make_row<Options, Index>({name, "integer", range, meaning, symbol, {}}, member,
                                          detail::read_integer, print_integer);
}
template <class Options>
ParameterRow<Options> row(std::string name, double Options::*member, Range range, std::string meaning,
                          std::string symbol = {}) {
  return detail::make_row<Options, double>({name, "real", range, meaning, symbol, {}}, member,
                                           detail::read_real, detail::print_chosen);
}
/// A number within `range`, or a fraction of the largest useful one, whose factor is within `range` too.
template <class Options>
ParameterRow<Options> row(std::string name, ScaledNumber Options::*member, Range range, std::string meaning,
                          std::string symbol = {}) {
  return detail::make_row<Options, ScaledNumber>(
      {name, "real", detail::or_fraction(range), meaning, symbol, {}}, member, detail::read_scaled,
      print_scaled);
}
template <class Options>
ParameterRow<Options> row(std::string name, std::string Options::*member, Range range, std::string meaning,
                          std::string symbol = {}) {
  return detail::make_row<Options, std::string>(
      {name, range.choices.empty() ? "text" : "choice", range, meaning, symbol, {}}, member,
      detail::read_text, detail::same_text);
}
template <class Options>
ParameterRow<Options> row(std::string name, Switch Options::*member, std::string meaning,
                          std::string symbol = {}) {
  return detail::make_row<Options, Switch>({name, "choice", detail::switch_range(), meaning, symbol, {}},
                                           member, detail::read_switch, detail::print_switch);
}
template <class Options, class E>
ParameterRow<Options> row(std::string name, E Options::*member, WordRange<E> range, std::string meaning,
                          std::string symbol = {}) {
  const auto words = range.words;
  const auto read = [words](const ParameterInfo& info, std::string_view text) {
    return *detail::value_of(words, detail::read_text(info, text));
  };
  return detail::make_row<Options, E>({name, "choice", range.range, meaning, symbol, {}}, member, read,
                                      [words](E value) { return word_of(words, value); });
}
template <class Options, class E, class Number>
ParameterRow<Options> row(std::string name, NumberOr<E, Number> Options::*member, WordRange<E> range,
                          std::string meaning, std::string symbol = {}) {
  using Value = NumberOr<E, Number>;
  const auto words = range.words;
  const auto read = [words](const ParameterInfo& info, std::string_view text) -> Value {
    const std::string checked = detail::read_text(info, text);
    if (const auto word = detail::value_of(words, checked)) return {Value(*word), text};
    return {Value(detail::read_number<Number>(info, text)), text};
  };
  const auto print = [words](const Value& value) {
    if (!value.written().empty()) return value.written();
    return value.word() ? word_of(words, *value.word()) : detail::print_number(value.number());
  };
  return detail::make_row<Options, Value>({name, "number or choice", range.range, meaning, symbol, {}},
                                          member, read, print);
}

namespace detail {
void meaning_alone(std::string meaning, std::string symbol = {});
void range_and_meaning(Range range, std::string meaning, std::string symbol = {});
template <class E>
void words_and_meaning(WordRange<E> range, std::string meaning, std::string symbol = {});

/// The enumeration of a member that has words; void of others.
template <class Member>
struct EnumOf {
  using type = std::conditional_t<std::is_enum_v<Member>, Member, void>;
};
template <class E, class Number>
struct EnumOf<NumberOr<E, Number>> {
  using type = E;
};
template <class Member>
concept WordedMember = !std::is_void_v<typename EnumOf<Member>::type>;
template <class Member>
concept BareMember = std::same_as<Member, bool> || std::same_as<Member, Switch>;
template <class Member>
concept ReadMember = BareMember<Member> || WordedMember<Member> || std::same_as<Member, Index> ||
    std::same_as<Member, double> || std::same_as<Member, ScaledNumber> || std::same_as<Member, std::string>;

template <class Member, class... Rest>
constexpr bool makes_row() {
  if constexpr (!ReadMember<Member>)
    return false;
  else if constexpr (BareMember<Member>)
    return requires(Rest && ... rest) { meaning_alone(std::forward<Rest>(rest)...); };
  else if constexpr (WordedMember<Member>)
    return requires(Rest && ... rest) {
      words_and_meaning<typename EnumOf<Member>::type>(std::forward<Rest>(rest)...);
    };
  else
    return requires(Rest && ... rest) { range_and_meaning(std::forward<Rest>(rest)...); };
}
/// True if one of the functions above makes a row of the member from these arguments.
template <class Member, class... Rest>
concept MakesRow = makes_row<Member, Rest...>();
}  // namespace detail

/// Arguments that make no row: the compiler says why in a sentence.
template <class Options, class Member, class... Rest>
requires(std::is_object_v<Member> &&
         !detail::MakesRow<Member, Rest...>) ParameterRow<Options> row(const std::string&, Member Options::*,
                                                                       Rest&&...) {
  constexpr bool integer = std::is_integral_v<Member> && !std::is_same_v<Member, bool>,
                 known = detail::ReadMember<Member>;
  static_assert(known || !integer,
                "row: the member of an integer parameter is a claros::Index, not another integer type");
  static_assert(known || !std::is_floating_point_v<Member>,
                "row: the member of a real parameter is a double, not another floating-point type");
  static_assert(
      known || integer || std::is_floating_point_v<Member>,
      "row: the member of a parameter is a bool, a claros::Index, a double, a claros::ScaledNumber, "
      "a std::string, an enumeration, a claros::NumberOr or a claros::Switch");
  static_assert(!detail::BareMember<Member>,
                "row: a bool or a Switch takes (name, member, meaning[, symbol]) and no range");
  static_assert(
      !detail::WordedMember<Member>,
      "row: an enumeration takes (name, member, one_of<E>({{E::a, \"a\"}, ...}), meaning[, symbol]), "
      "a NumberOr number_or<E>(range, {{E::a, \"a\"}, ...}) in its place");
  static_assert(!known || detail::BareMember<Member> || detail::WordedMember<Member>,
                "row: a parameter takes (name, member, range, meaning[, symbol])");
  return {};
}

/// The rows of a member struct, as rows of the struct that holds it: shared groups (step rules, text input)
/// are written once and included.
template <class Options, class Part>
std::vector<ParameterRow<Options>> include(Part Options::*part, const std::vector<ParameterRow<Part>>& rows) {
  std::vector<ParameterRow<Options>> result;
  for (const ParameterRow<Part>& r : rows) {
    ParameterInfo info = r.info;
    info.fallback = r.print(Options{}.*part);
    result.push_back({info, [r, part](Options& o, std::string_view text) { r.assign(o.*part, text); },
                      [r, part](const Options& o) { return r.print(o.*part); }});
  }
  return result;
}

template <class Options>
class ParameterTable final : public ParameterList {
 public:
  ParameterTable(std::initializer_list<ParameterRow<Options>> rows,
                 std::initializer_list<std::vector<ParameterRow<Options>>> groups = {},
                 std::vector<Role> roles = {})
      : table_(rows) {
    roles_ = std::move(roles);
    for (const auto& group : groups) table_.insert(table_.end(), group.begin(), group.end());
    for (const auto& entry : table_) rows_.push_back(entry.info);
  }
  std::shared_ptr<void> make() const override { return std::make_shared<Options>(); }
  void assign(void* options, std::string_view name, std::string_view text) const override {
    at(name).assign(*static_cast<Options*>(options), text);
  }
  std::string print(const void* options, std::string_view name) const override {
    return at(name).print(*static_cast<const Options*>(options));
  }

 private:
  const ParameterRow<Options>& at(std::string_view name) const {
    for (const auto& entry : table_)
      if (entry.info.name == name) return entry;
    detail::no_such_parameter(name);
  }
  std::vector<ParameterRow<Options>> table_;
};

}  // namespace claros

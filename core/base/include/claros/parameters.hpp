// SPDX-License-Identifier: BSD-3-Clause
/// @file parameters.hpp  Parameters declared once: a struct with defaults and one table of rows.
///
/// From the table come `claros describe`, validation, reading of files and of the command line, the effective
/// configuration, completion and the documentation pages.
///
///     struct Options { double radius = 1.0; std::string engine = "lanczos"; };
///     const ParameterList& parameters() {
///       static const ParameterTable<Options> table{
///           row("radius", &Options::radius, above(0.0), "radius of the ball", "tau"),
///           row("engine", &Options::engine, one_of({"lanczos", "arpack", "dense"}), "solver of the singular
///           pair")};
///       return table;
///     }
///
/// A member is a bool, an Index (no int), a double (no float), a ScaledNumber or a std::string.
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
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace claros {

/// What a value must satisfy, in words and as a test on its parsed form. Numbers are tested by `accepts`;
/// texts by membership in `choices` (when not empty).
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
/// The integers within `range`, of a text that is a number or a word; whoever takes nothing but integers has
/// a member Index.
CLAROS_API Range integers(Range range);
/// A number within `range`, or one of the words: `batch = 400` or `batch = theory`.
CLAROS_API Range number_or(Range range, std::vector<std::string> words);
/// The same range, with "inf" allowed.
CLAROS_API Range or_infinity(Range range);
/// The same range of a parameter that has no default: who leaves it out hears of the key and of `advice`, a
/// way to choose. The member begins as kUnset (numbers) or empty (texts); other types cannot be told from a
/// choice.
CLAROS_API Range required(Range range, std::string advice);

/// The value of a required number that nobody has chosen: NaN.
inline constexpr double kUnset = std::numeric_limits<double>::quiet_NaN();

/// A number, or a fraction of the largest useful one: "0.3", "0.1*max", "max". What `max` is only the problem
/// tells (LambdaMax, abilities.hpp): who composes puts a number in its place before the component is made for
/// use.
struct CLAROS_API ScaledNumber {
  double value = kUnset;  ///< the number, or the factor of max
  bool of_max = false;

  /// The number. Throws Error(usage) for a fraction that nobody has resolved.
  double number() const;
};

/// One row, as the documentation sees it.
struct CLAROS_API ParameterInfo {
  std::string name;
  std::string type;  ///< "boolean", "integer", "real", "text", "choice"
  Range range;
  std::string meaning;
  std::string symbol;    ///< the paper's symbol, or empty
  std::string fallback;  ///< the default, as text that reads back to the same value; empty of a required one
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
/// What is wrong when a required parameter is left out; `where` is its key, `owner` who has it
/// ("penalty/l1").
CLAROS_API Complaint missing_value(const ParameterInfo& info, const std::string& where,
                                   const std::string& owner);
/// The default, or a value of the range where there is none: for who needs any component, not a chosen one.
CLAROS_API std::string example_value(const ParameterInfo& info);
/// A fresh struct with its defaults, and `example_value` of what is required.
CLAROS_API std::shared_ptr<void> make_example(const ParameterList& parameters);

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
/// Empty for a value that nobody has chosen.
CLAROS_API std::string print_chosen(double value);
CLAROS_API std::string read_text(const ParameterInfo& info, std::string_view text);
[[noreturn]] CLAROS_API void no_such_parameter(std::string_view name);

template <class Options, class Value>
ParameterRow<Options> make_row(ParameterInfo info, Value Options::*member,
                               Value (*read)(const ParameterInfo&, std::string_view),
                               std::string (*print)(Value)) {
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
  const std::string type = range.number_or_choice  ? "number or choice"
                           : range.choices.empty() ? "text"
                                                   : "choice";
  return detail::make_row<Options, std::string>({name, type, range, meaning, symbol, {}}, member,
                                                detail::read_text, detail::same_text);
}

namespace detail {
void words(std::string meaning, std::string symbol = {});
void range_and_words(Range range, std::string meaning, std::string symbol = {});
template <class Member>
concept ReadMember = std::same_as<Member, bool> || std::same_as<Member, Index> ||
    std::same_as<Member, double> || std::same_as<Member, ScaledNumber> || std::same_as<Member, std::string>;
/// Whether one of the functions above makes a row of the member from these.
template <class Member, class... Rest>
concept MakesRow = ReadMember<Member> &&
    (std::same_as<Member, bool> ? requires(Rest&&... rest) { words(std::forward<Rest>(rest)...); }
                                : requires(Rest&&... rest) { range_and_words(std::forward<Rest>(rest)...); });
}  // namespace detail

/// What is no row: the compiler says why in a sentence.
template <class Options, class Member, class... Rest>
requires(std::is_object_v<Member> &&
         !detail::MakesRow<Member, Rest...>) ParameterRow<Options> row(const std::string&, Member Options::*,
                                                                       Rest&&...) {
  constexpr bool integer = std::is_integral_v<Member> && !std::is_same_v<Member, bool>,
                 known = detail::ReadMember<Member>;
  static_assert(known || !integer,
                "row: the member of an integer parameter is a claros::Index, of no other integer type");
  static_assert(known || !std::is_floating_point_v<Member>,
                "row: the member of a real parameter is a double, of no other floating-point type");
  static_assert(known || integer || std::is_floating_point_v<Member>,
                "row: the member of a parameter is a bool, a claros::Index, a double, a claros::ScaledNumber "
                "or a std::string");
  static_assert(!std::is_same_v<Member, bool>,
                "row: of a boolean are told name, member, meaning and perhaps a symbol, and no range");
  static_assert(!known || std::is_same_v<Member, bool>,
                "row: of a parameter are told name, member, range, meaning and perhaps a symbol");
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

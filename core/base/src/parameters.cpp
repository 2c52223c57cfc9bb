// SPDX-License-Identifier: BSD-3-Clause
#include <claros/parameters.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

namespace claros {

namespace {

constexpr const char* kRealForms =
    "expected a decimal number, inf, a power such as 2^-12 or a fraction such as 1/3";

std::string in_quotes(std::string_view text) { return "'" + std::string(text) + "'"; }

[[noreturn]] void reject(std::string_view text, const std::string& why, const std::string& expected) {
  throw Error(ErrorKind::usage, {}, in_quotes(text) + ' ' + why, expected);
}

/// from_chars without its two surprises: it refuses a leading '+', and it stops where it likes.
template <class Number>
std::errc read_whole(std::string_view text, Number& value) {
  const bool plus = text.size() > 1 && text[0] == '+' && text[1] != '-' && text[1] != '+';
  if (plus) text.remove_prefix(1);
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  return code == std::errc() && end != text.data() + text.size() ? std::errc::invalid_argument : code;
}

/// A decimal number or "inf"; `whole` is the text that an error names.
double parse_plain(std::string_view text, std::string_view whole) {
  double value = 0.0;
  const std::errc code = read_whole(text, value);
  if (code == std::errc::result_out_of_range) reject(whole, "is out of the range of double", kRealForms);
  if (code != std::errc() || std::isnan(value)) reject(whole, "is not a number", kRealForms);
  return value;
}

double parse_power(std::string_view text, std::size_t caret) {
  const double base = parse_plain(text.substr(0, caret), text);
  int exponent = 0;
  if (read_whole(text.substr(caret + 1), exponent) != std::errc() || !(base > 0.0) || std::isinf(base))
    reject(text, "is not a power of a positive number with an integer exponent", kRealForms);
  const double value = std::pow(base, exponent);
  if (std::isinf(value) || value == 0.0) reject(text, "is out of the range of double", kRealForms);
  return value;
}

double parse_fraction(std::string_view text, std::size_t slash) {
  const double value = parse_plain(text.substr(0, slash), text) / parse_plain(text.substr(slash + 1), text);
  if (!std::isfinite(value)) reject(text, "is not a finite fraction", kRealForms);
  return value;
}

bool within(const Range& range, double value) {
  if (std::isinf(value) && !range.infinite) return false;
  return !range.accepts || range.accepts(value);
}

/// How to choose, if there is no default.
std::string default_or_advice(const ParameterInfo& info) {
  return info.range.required ? info.range.advice : "the default is " + in_quotes(info.fallback);
}

constexpr const char* kAny = "any value";

std::string expected(const ParameterInfo& info) {
  if (info.range.required && !info.range.advice.empty() && info.range.words == kAny)
    return "give " + info.range.advice;
  return "expected " + info.range.words + "; " + default_or_advice(info);
}

constexpr std::string_view kMax = "max";

std::string_view without_blanks_behind(std::string_view text) {
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

/// The factor before `max` in a text that ends in `max` ("1" if there is none), or nothing. The star may be
/// left out, since some shells expand it.
std::optional<std::string_view> factor_of_max(std::string_view text) {
  if (text == kMax) return "1";
  if (!text.ends_with(kMax)) return {};
  text = without_blanks_behind(text.substr(0, text.size() - kMax.size()));
  if (!text.ends_with('*'))
    return !text.empty() && text.back() >= '0' && text.back() <= '9' ? std::optional(text) : std::nullopt;
  return without_blanks_behind(text.substr(0, text.size() - 1));
}

[[noreturn]] void out_of_range(const ParameterInfo& info, std::string_view text) {
  throw Error(ErrorKind::usage, info.name, in_quotes(text) + " is out of range", expected(info));
}

/// parse(text), with the parameter's name and range put into the error.
template <class Value>
Value parsed(const ParameterInfo& info, std::string_view text, Value (*parse)(std::string_view)) {
  try {
    return parse(text);
  } catch (const Error& error) {
    throw Error(ErrorKind::usage, info.name, error.complaints().front().what, expected(info));
  }
}

Range bounded(std::string words, std::function<bool(double)> accepts) {
  return {.words = std::move(words), .accepts = std::move(accepts), .choices = {}};
}

std::string interval(char open, double low, double high) {
  return std::string("in ") + open + print_real(low) + ", " + print_real(high) + ']';
}

}  // namespace

Range any() { return bounded(kAny, {}); }

Range above(double bound) {
  return bounded("> " + print_real(bound), [bound](double v) { return v > bound; });
}

Range at_least(double bound) {
  return bounded(">= " + print_real(bound), [bound](double v) { return v >= bound; });
}

Range between(double low, double high) {
  return bounded(interval('[', low, high), [low, high](double v) { return v >= low && v <= high; });
}

Range above_to(double low, double high) {
  return bounded(interval('(', low, high), [low, high](double v) { return v > low && v <= high; });
}

Range one_of(std::vector<std::string> choices) {
  std::string words = "one of " + joined(choices);
  return {.words = std::move(words), .accepts = {}, .choices = std::move(choices)};
}

Range integers(Range range) {
  const auto accepts = std::move(range.accepts);
  range.accepts = [accepts](double v) { return v == std::floor(v) && (!accepts || accepts(v)); };
  range.words = "an integer, " + range.words;
  return range;
}

Range or_infinity(Range range) {
  range.words += " or inf";
  range.infinite = true;
  return range;
}

Range required(Range range, std::string advice) {
  range.required = true;
  range.advice = std::move(advice);
  return range;
}

double ScaledNumber::number() const {
  if (!of_max) return value;
  throw Error(ErrorKind::usage, print_scaled(*this), "is a fraction of a number that depends on the problem",
              "give a number, or let a specification compose the component with its objective");
}

bool parse_boolean(std::string_view text) {
  constexpr std::array yes{"true", "yes", "on", "1"}, no{"false", "no", "off", "0"};
  if (std::find(yes.begin(), yes.end(), text) != yes.end()) return true;
  if (std::find(no.begin(), no.end(), text) != no.end()) return false;
  reject(text, "is neither true nor false", "expected true, yes, on, 1 or false, no, off, 0");
}

Index parse_integer(std::string_view text) {
  Index value = 0;
  const std::errc code = read_whole(text, value);
  if (code == std::errc()) return value;
  if (code == std::errc::result_out_of_range) reject(text, "is too large", "expected a 64-bit integer");
  const double real = parse_real(text);
  // Beyond 2^53 a double no longer tells neighbouring integers apart.
  if (real != std::floor(real) || std::abs(real) > 0x1p53)
    reject(text, "is not an integer", "expected digits");
  return static_cast<Index>(real);
}

double parse_real(std::string_view text) {
  if (const auto caret = text.find('^'); caret != text.npos) return parse_power(text, caret);
  if (const auto slash = text.find('/'); slash != text.npos) return parse_fraction(text, slash);
  return parse_plain(text, text);
}

ScaledNumber parse_scaled(std::string_view text) {
  const auto factor = factor_of_max(text);
  if (!factor) return {parse_real(text), false};
  const double value = parse_real(*factor);
  if (!std::isfinite(value))
    reject(text, "is not a fraction", "expected a number before *max, such as 0.1*max");
  return {value, true};
}

std::string print_boolean(bool value) { return value ? "true" : "false"; }

std::string print_integer(Index value) { return std::to_string(value); }

std::string print_real(double value) {
  std::array<char, 32> buffer;
  const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return {buffer.data(), result.ptr};
}

std::string print_scaled(ScaledNumber value) {
  return detail::print_chosen(value.value) + (value.of_max ? "*max" : "");
}

ParameterList::~ParameterList() = default;

const ParameterInfo* ParameterList::find(std::string_view name) const noexcept {
  const auto at =
      std::find_if(rows_.begin(), rows_.end(), [&](const auto& info) { return info.name == name; });
  return at == rows_.end() ? nullptr : &*at;
}

std::vector<std::string> ParameterList::names() const {
  std::vector<std::string> result;
  for (const ParameterInfo& info : rows_) result.push_back(info.name);
  return result;
}

std::vector<std::string> missing_values(const ParameterList& parameters, const void* options) {
  std::vector<std::string> names;
  for (const ParameterInfo& info : parameters.rows())
    if (info.range.required && parameters.print(options, info.name).empty()) names.push_back(info.name);
  return names;
}

Complaint missing_value(const ParameterInfo& info, const std::string& where, const std::string& owner) {
  return {where, "is missing: " + owner + " has no default for it (" + info.meaning + ')', expected(info)};
}

std::string example_value(const ParameterInfo& info) {
  if (!info.range.required) return info.fallback;
  if (!info.range.choices.empty()) return info.range.choices.front();
  // For a text, the value that the advice quotes between backquotes: no rule could make up a graph or a
  // table.
  const std::string& advice = info.range.advice;
  if (const auto open = advice.find('`'); info.type == "text" && open != advice.npos)
    return advice.substr(open + 1, advice.find('`', open + 1) - open - 1);
  for (const double value : {1.0, 0.5, 2.0, 0.1, 10.0, 0.0, -1.0, 100.0})
    if (info.type != "text" && within(info.range, value)) return print_real(value);
  return {};
}

namespace detail {

Range numbers_and(Range range, std::vector<std::string> words) {
  range.words = "a number (" + range.words + ") or " + (words.size() > 1 ? "one of " : "") + joined(words);
  range.choices = std::move(words);
  range.number_or_choice = true;
  return range;
}

Range switch_range() { return one_of({"auto", "true", "false", "yes", "no", "on", "off", "1", "0"}); }

Switch read_switch(const ParameterInfo& info, std::string_view text) {
  if (read_text(info, text) == "auto") return {{}, text};
  return {parse_boolean(text), text};
}

std::string print_switch(Switch value) {
  if (!value.written().empty()) return value.written();
  return value.is_automatic() ? "auto" : print_boolean(value.is_on());
}

std::string print_chosen(double value) { return std::isnan(value) ? std::string() : print_real(value); }

Range or_fraction(Range range) {
  range.words += ", or a fraction of the largest useful value such as 0.1*max";
  range.of_max = true;
  return range;
}

bool read_boolean(const ParameterInfo& info, std::string_view text) {
  return parsed(info, text, parse_boolean);
}

Index read_integer(const ParameterInfo& info, std::string_view text) {
  const Index value = parsed(info, text, parse_integer);
  if (!within(info.range, static_cast<double>(value))) out_of_range(info, text);
  return value;
}

double read_real(const ParameterInfo& info, std::string_view text) {
  if (factor_of_max(text))
    throw Error(ErrorKind::usage, info.name, in_quotes(text) + ": this parameter has no largest useful value",
                expected(info));
  const double value = parsed(info, text, parse_real);
  if (!within(info.range, value)) out_of_range(info, text);
  return value;
}

ScaledNumber read_scaled(const ParameterInfo& info, std::string_view text) {
  const ScaledNumber value = parsed(info, text, parse_scaled);
  if (!within(info.range, value.value)) out_of_range(info, text);
  return value;
}

std::string read_text(const ParameterInfo& info, std::string_view text) {
  const auto& choices = info.range.choices;
  std::string value(text);
  if (choices.empty() || std::find(choices.begin(), choices.end(), value) != choices.end()) return value;
  try {
    if (info.range.number_or_choice) return read_real(info, text), value;
  } catch (const Error&) {
    if (did_you_mean(value, choices).empty()) throw;
  }
  const std::string guess = did_you_mean(value, choices);
  throw Error(ErrorKind::usage, info.name, in_quotes(text) + " is not " + info.range.words,
              guess.empty() ? default_or_advice(info) : guess);
}

void no_such_parameter(std::string_view name) {
  throw Error(ErrorKind::usage, std::string(name), "is not a parameter",
              "ParameterList::names() lists those that exist");
}

}  // namespace detail

}  // namespace claros

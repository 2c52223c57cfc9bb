// SPDX-License-Identifier: BSD-3-Clause
// The descriptor and the table of parameters.
#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

#include "bench.hpp"

namespace claros::doctor {

namespace {

void descriptor(Bench& bench) {
  const PluginEntry& e = bench.subject().entry;
  bench.at(e.label());
  const std::string fill =
      "fill every member of CLAROS_PLUGIN: `claros list` and `claros describe` show them";
  bench.require(!e.summary.empty(), "the summary is empty", fill);
  bench.require(e.summary.find('\n') == std::string::npos, "the summary has a line break",
                "the summary is one sentence");
  bench.require(!e.description.empty(), "the description is empty", fill);
  const bool numbered = !e.version.empty() && std::isdigit(static_cast<unsigned char>(e.version.front())) &&
                        e.version.find('.') != std::string::npos;
  bench.require(numbered, "the version '" + e.version + "' is not a version", "write it as 1.0.0");
  for (const ParameterInfo& row : e.parameters().rows()) {
    bench.at(e.label() + ", parameter " + row.name);
    bench.require(!row.meaning.empty(), "says nothing of its meaning", "give row(...) a meaning");
    bench.require(!row.type.empty() && !row.range.words.empty(), "has no type or no range in words",
                  "use the ranges of parameters.hpp");
  }
}

/// A required parameter has no value until one is given, says how to choose, and keeps what it gets.
void required_value(Bench& bench, const ParameterInfo& row, const std::string& text) {
  const ParameterList& table = bench.subject().entry.parameters();
  bench.require(
      text.empty() && row.fallback.empty(), said("is required and begins as '", text, "'"),
      "begin a required number as kUnset, a ScaledNumber or a text as empty; other types cannot be required");
  bench.require(!row.range.advice.empty(), "is required and says no way to choose",
                "give required(...) an advice");
  const std::string example = example_value(row);
  if (example.empty()) return;
  const auto options = table.make();
  table.assign(options.get(), row.name, example);
  const std::string again = table.print(options.get(), row.name);
  bench.require(again == example, said("reads '", example, "' and prints '", again, "'"),
                "print must give a text that reads back to the same value");
  bench.require(!assign_settings(table, {}, bench.subject().entry.label()).complaints.empty(),
                "is required and not asked for", "make() must leave a required parameter unset");
  if (!row.range.of_max) return;
  table.assign(options.get(), row.name, "1/4*max");
  bench.require(table.print(options.get(), row.name) == "0.25*max",
                "does not read 1/4*max and print 0.25*max", "use row(...) with a ScaledNumber");
}

void defaults(Bench& bench) {
  const ParameterList& table = bench.subject().entry.parameters();
  const auto options = table.make();
  for (const ParameterInfo& row : table.rows()) {
    bench.at("parameter " + row.name);
    const std::string text = table.print(options.get(), row.name);
    if (row.range.required) {
      required_value(bench, row, text);
      continue;
    }
    bench.require(text == row.fallback,
                  said("prints '", text, "' while its default reads '", row.fallback, "'"),
                  "make() must return the defaults that the table documents");
    if (answered(bench, [&] { table.assign(options.get(), row.name, text); }) == Answer::refused)
      bench.fail(said("refuses its own default '", text, "'"), "the default lies outside the declared range");
    const std::string again = table.print(options.get(), row.name);
    bench.require(again == text, said("reads '", text, "' and prints '", again, "'"),
                  "print must give a text that reads back to the same value");
  }
}

/// The numbers that the words of a range name: its bounds.
Numbers bounds_in(const std::string& words) {
  Numbers bounds;
  for (const char* at = words.data(); at < words.data() + words.size(); ++at) {
    if (!std::isdigit(static_cast<unsigned char>(*at)) && *at != '-') continue;
    double value = 0.0;
    const auto [end, code] = std::from_chars(at, words.data() + words.size(), value);
    if (code != std::errc()) continue;
    bounds.push_back(value);
    at = end;
  }
  return bounds;
}

void must_refuse(Bench& bench, const ParameterInfo& row, const std::string& text) {
  const ParameterList& table = bench.subject().entry.parameters();
  const auto options = table.make();
  bench.at(said("parameter ", row.name, " (", row.range.words, ") = '", text, "'"));
  try {
    table.assign(options.get(), row.name, text);
  } catch (const Error& error) {
    const Complaint& c = error.complaints().front();
    return bench.require(!c.where.empty() && !c.what.empty() && !c.remedy.empty(),
                         said("is refused without where, what or remedy: '", c.sentence(), "'"),
                         "name the parameter, the value and what was expected");
  }
  bench.fail("is taken",
             "declare the range in the table of parameters, so that Claros refuses what lies outside");
}

void refuse_around(Bench& bench, const ParameterInfo& row) {
  const ParameterList& table = bench.subject().entry.parameters();
  for (const double bound : bounds_in(row.range.words))
    for (const double value : row.type == "integer" ? Numbers{bound - 1.0, bound, bound + 1.0}
                                                    : Numbers{std::nextafter(bound, -kInfinity), bound,
                                                              std::nextafter(bound, kInfinity)}) {
      if (!row.range.accepts) continue;
      if (!row.range.accepts(value)) {
        must_refuse(bench, row, print_real(value));
        continue;
      }
      bench.at(said("parameter ", row.name, " (", row.range.words, ") = ", value));
      const auto options = table.make();
      table.assign(options.get(), row.name, print_real(value));
      bench.require(parse_real(table.print(options.get(), row.name)) == value,
                    "does not read back to the same value",
                    "print must give a text that reads back to the same value");
    }
}

void refusals(Bench& bench) {
  const PluginEntry& e = bench.subject().entry;
  for (const ParameterInfo& row : e.parameters().rows()) {
    if (row.type != "text") must_refuse(bench, row, "no such value");
    if (row.type == "real" || row.type == "integer") {
      for (const char* text : {"nan", "", "1 2", "1e999"}) must_refuse(bench, row, text);
      if (!row.range.infinite)
        for (const char* text : {"inf", "-inf"}) must_refuse(bench, row, text);
      refuse_around(bench, row);
    }
    if (row.type == "integer") must_refuse(bench, row, "1.5");
  }
  bench.at("the unknown key no-such-key");
  Settings settings = bench.settings();
  settings.push_back({"no-such-key", "1", {}, {}});
  const auto complaints =
      assign_settings(e.parameters(), own_settings(e.parameters(), settings), e.label()).complaints;
  bench.require(complaints.size() == 1 && !complaints.front().remedy.empty(),
                "is taken, or refused without a remedy",
                "ParameterList::assign must throw for a name that is not in the table");
}

/// Values at the edge of a declared range may be refused at creation, but by claros::Error.
void creation(Bench& bench) {
  const PluginEntry& e = bench.subject().entry;
  bench.at(settings_text(bench.settings()));
  const bool needs_data = e.kind == Kind::objective || e.kind == Kind::smoother;
  if (answered(bench, [&] { (void)bench.make(bench.settings(), bench.context()); }) == Answer::refused &&
      !needs_data)
    bench.fail("refuses to be made from these settings",
               "give every parameter a usable default, or examine it with --set KEY=VALUE");
  if (e.kind == Kind::data) return;  // sizes at the edge take all memory
  const Settings& asked = bench.subject().settings;
  for (const ParameterInfo& row : e.parameters().rows())
    for (const double value : bounds_in(row.range.words)) {
      // A setting that was asked for is kept: it may be a size that fits a file, or one whose bound takes all
      // memory.
      if (std::ranges::any_of(asked, [&](const Setting& s) { return s.key == row.name; })) continue;
      if ((row.type != "real" && row.type != "integer") || (row.range.accepts && !row.range.accepts(value)))
        continue;
      Settings settings = bench.settings();
      settings.push_back({row.name, print_real(value), {}, {}});
      bench.at(settings_text(settings));
      (void)answered(bench, [&] { (void)bench.make(settings, bench.context()); });
    }
}

}  // namespace

Tests descriptor_tests() {
  const std::vector<Kind> all(kKinds.begin(), kKinds.end());
  return {{{"descriptor", all,
            "Name, version, summary, description and every parameter's meaning and range are filled in."},
           descriptor},
          {{"parameters-default", all,
            "Every default is what the table says, lies in its range, and reads back from its own text to "
            "the same value; a required parameter has none, and says how to choose."},
           defaults},
          {{"parameters-refused", all,
            "Values just outside a bound, NaN, infinities where none is declared, other types and unknown "
            "keys are refused with "
            "where, what and a remedy; values at a bound that belong to the range are taken to the bit."},
           refusals},
          {{"creation", all,
            "The component is made from its defaults (objectives: with data), and at the bounds of every "
            "parameter it is made or "
            "refuses by claros::Error."},
           creation}};
}

}  // namespace claros::doctor

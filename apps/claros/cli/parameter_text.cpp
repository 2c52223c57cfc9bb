// SPDX-License-Identifier: BSD-3-Clause
#include "cli/parameter_text.hpp"

#include <utility>

namespace claros::cli {

std::string domain(const ParameterInfo& p) {
  if (p.type == "choice" || p.type == "boolean" || p.type == "number or choice") return p.range.words;
  const std::string any = "any value";
  return p.type + (p.range.words.starts_with(any) ? p.range.words.substr(any.size()) : ' ' + p.range.words);
}

std::string domain(const Role& r) {
  return (r.many ? "a list of components of kind " : "a component of kind ") + kind_name(r.kind) +
         (!r.fallback.empty() ? "; default " + r.fallback
          : r.required        ? ""
                              : ", or none");
}

namespace {

std::string assignment(const ParameterInfo& p) {
  if (p.range.of_max && p.range.required) return p.name + " = 0.1*max";
  const std::string value = example_value(p);
  return value.empty() ? "# " + p.name + " = ..." : p.name + " = " + value;
}

}  // namespace

std::string default_text(const ParameterInfo& p) {
  if (p.range.required) return "required";
  return p.fallback.empty() ? "empty" : p.fallback;
}

std::string example(const std::string& section, const std::string& use, const ParameterList& parameters,
                    const std::string& indent) {
  std::string text = indent + '[' + section + "]\n";
  if (!use.empty()) text += indent + "use = " + use + '\n';
  for (const ParameterInfo& p : parameters.rows()) text += indent + assignment(p) + '\n';
  for (const Role& r : parameters.roles())
    text += indent + '[' + section + '.' + r.name + (r.many ? ".1" : "") + "]\n" + indent +
            (r.fallback.empty() ? "# use = ..." : "use = " + r.fallback) + '\n';
  return text;
}

std::string run_command(const std::string& words, const std::string& indent, std::size_t width) {
  std::string text, line = indent + "claros run", word;
  bool quoted = false;
  for (const char c : words + ' ') {
    quoted ^= c == '\'';
    if (c != ' ' || quoted) {
      word += c;
    } else if (!word.empty()) {
      if (line.size() + 1 + word.size() + 2 > width) {
        text += line + " \\\n";
        line = indent + "   ";
      }
      line += ' ' + std::exchange(word, {});
    }
  }
  return text + line + '\n';
}

}  // namespace claros::cli

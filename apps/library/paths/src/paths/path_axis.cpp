// SPDX-License-Identifier: BSD-3-Clause
#include <claros/paths/path_axis.hpp>

#include <claros/error.hpp>
#include <claros/paths/path.hpp>

#include <algorithm>

namespace claros {

namespace {

constexpr std::size_t kMostValues = 1000;

double value_at(const std::string& text, const std::string& where) {
  try {
    return parse_real(text);
  } catch (const Error& error) {
    throw Error(ErrorKind::usage, where, error.complaints().front().what, error.complaints().front().remedy);
  }
}

}  // namespace

PathAxis PathAxis::parse(const std::string& text, const std::string& where) {
  const auto equals = text.find('=');
  if (equals == text.npos)
    throw Error(ErrorKind::usage, where, "expected a parameter and its values, got '" + text + "'",
                "write them as penalty.ratio=0.1,0.5,0.9");
  PathAxis axis{text.substr(0, equals), {}};
  const std::string section = axis.parameter.substr(0, axis.parameter.find('.'));
  if (section != "penalty" && section != "set" && section != "smoother")
    throw Error(ErrorKind::usage, where,
                "expected a parameter of the penalty, the set or the smoother, got '" + axis.parameter + "'",
                "name one such as penalty.ratio; claros tune and claros compare vary others");
  for (std::size_t from = equals + 1; from <= text.size();) {
    const std::size_t to = std::min(text.find(',', from), text.size());
    const double value = value_at(text.substr(from, to - from), where);
    if (std::ranges::find(axis.values, value) != axis.values.end())
      throw Error(ErrorKind::usage, where, print_real(value) + " is given twice", "give each value once");
    axis.values.push_back(value);
    from = to + 1;
  }
  if (axis.values.size() > kMostValues)
    throw Error(ErrorKind::usage, where, std::to_string(axis.values.size()) + " values",
                "give at most " + std::to_string(kMostValues));
  return axis;
}

void enter_slice(Composition& composition, const std::string& parameter, const PathAxis& over, double value) {
  if (over.parameter.empty()) return;
  if (over.parameter == parameter)
    throw Error(ErrorKind::usage, "--over", "the path is over " + parameter + " already",
                "name another parameter, such as penalty.ratio of elastic-net");
  try {
    composition.set_number(over.parameter, value);
  } catch (const Error& error) {
    const Complaint& first = error.complaints().front();
    throw Error(error.kind(), over.parameter, first.what, first.remedy);
  }
  if (!has_max(composition, parameter)) return;
  composition.renew_max(parameter);
  (void)max_of(composition, parameter);
}

}  // namespace claros

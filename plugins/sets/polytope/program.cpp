// SPDX-License-Identifier: BSD-3-Clause
#include "program.hpp"

#include "draft.hpp"

#include <claros/error.hpp>
#include <shared/sets/number_rows.hpp>

#include <limits>
#include <utility>

namespace polytope {

using namespace claros;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// By the name, else by the first word that is no comment: LP format begins with its sense, MPS with NAME or
/// another section.
bool is_lp(const std::string& path) {
  std::string name = path;
  for (const char* compressed : {".gz", ".bz2", ".xz", ".zst"})
    if (name.ends_with(compressed)) name.resize(name.rfind('.'));
  if (name.ends_with(".lp")) return true;
  if (name.ends_with(".mps")) return false;
  TextInput input(path);
  for (std::string_view line; input.next_filled(line);) {
    const std::string first = lower(sdk::pieces(line, " \t").front());
    if (first.starts_with('\\') || first.starts_with('*')) continue;
    return first.starts_with("min") || first.starts_with("max");
  }
  return false;
}

}  // namespace

Program read(const std::string& path) {
  const std::string remedy = "give a file of MPS or LP format (minimize, subject to, bounds, end)";
  try {
    Program p = is_lp(path) ? read_lp(path) : read_mps(path);
    if (p.columns() == 0) throw Error(ErrorKind::data, path, "holds no variable", remedy);
    return p;
  } catch (const Error& error) {
    std::vector<Complaint> complaints = error.complaints();
    for (Complaint& complaint : complaints)
      if (complaint.remedy.find("MPS or LP") == complaint.remedy.npos)
        complaint.remedy += (complaint.remedy.empty() ? "" : "; ") + remedy;
    throw Error(error.kind(), std::move(complaints));
  }
}

namespace {

/// -1 for a row that is at most the number behind it, 1 for at least, 0 for equal.
int relation_of(std::string_view sign, std::string_view row, const std::string& where) {
  if (sign == "<=" || sign == "=<" || sign == "<") return -1;
  if (sign == ">=" || sign == "=>" || sign == ">") return 1;
  if (sign == "=") return 0;
  throw Error(ErrorKind::usage, where,
              "expected one of <=, >= and =, got '" + std::string(sign) + "' in '" + std::string(row) + "'",
              "write the coefficients of all variables, <=, >= or =, and a number: 1 1 <= 4; 1 -1 >= -2");
}

}  // namespace

bool is_written(std::string_view text) {
  if (text.find_first_of(";<>") != text.npos) return true;
  const std::size_t sign = text.find('=');
  return sign != text.npos && text.substr(0, sign).find_first_not_of("0123456789.,+-eE \t") == text.npos;
}

Program written(const std::string& rows, const std::string& where) {
  Program p;
  for (const std::string_view piece : sdk::pieces(rows, ";")) {
    const std::string_view line = piece.substr(std::min(piece.find_first_not_of(' '), piece.size()));
    const std::size_t sign = line.find_first_of("<>=");
    if (sdk::pieces(line, ", \t").empty()) continue;
    const std::size_t behind = sign == line.npos ? sign : line.find_first_not_of("<>=", sign);
    const std::vector<double> left = sdk::numbers_of(line.substr(0, sign), where),
                              right = behind == line.npos ? std::vector<double>()
                                                          : sdk::numbers_of(line.substr(behind), where);
    if (left.empty() || right.size() != 1)
      throw Error(ErrorKind::usage, where, "'" + std::string(line) + "' is not a constraint",
                  "write the coefficients of all variables, <=, >= or =, and a number: 1 1 <= 4; 1 -1 >= -2");
    if (p.rows() > 0 && left.size() != p.columns())
      throw Error(ErrorKind::usage, where,
                  "row " + std::to_string(p.rows() + 1) + " has " + std::to_string(left.size()) +
                      " coefficients, and the first has " + std::to_string(p.columns()),
                  "give every row one for each variable");
    const int relation = relation_of(line.substr(sign, behind - sign), line, where);
    p.low.resize(left.size(), 0.0), p.high.resize(left.size(), kInfinity);
    p.least.push_back(relation < 0 ? -kInfinity : right.front());
    p.most.push_back(relation > 0 ? kInfinity : right.front());
    p.start.push_back(static_cast<Index>(p.value.size()));
    for (std::size_t j = 0; j < left.size(); ++j)
      if (left[j] != 0.0) p.column.push_back(static_cast<Index>(j)), p.value.push_back(left[j]);
  }
  p.start.push_back(static_cast<Index>(p.value.size()));
  if (p.rows() == 0)
    throw Error(ErrorKind::usage, where, "'" + rows + "' holds no constraint",
                "write rows such as 1 1 <= 4; 1 -1 >= -2, or the name of a file");
  return p;
}

}  // namespace polytope

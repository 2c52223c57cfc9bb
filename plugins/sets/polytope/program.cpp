// SPDX-License-Identifier: BSD-3-Clause
#include "program.hpp"

#include <claros/child_process.hpp>
#include <claros/error.hpp>
#include <claros/regular_file.hpp>
#include <claros/sdk/sets/number_rows.hpp>

#include <coin/CoinError.hpp>
#include <coin/CoinLpIO.hpp>
#include <coin/CoinMessageHandler.hpp>
#include <coin/CoinMpsIO.hpp>
#include <coin/CoinPackedMatrix.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>

namespace polytope {

using namespace claros;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kSeconds = 600.0;  // a file that takes longer to read is taken for one that never ends

/// Keeps the first messages, which otherwise go to standard output, but for those that only inform
/// ("Coin0001I ...").
class Kept final : public CoinMessageHandler {
 public:
  int print() override {
    const std::string text = messageBuffer();
    const bool informs = text.substr(0, text.find(' ')).ends_with('I');
    if (!informs && text_.size() < 400) text_ += (text_.empty() ? "" : "; ") + text;
    return 0;
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

double bound(double value) { return value >= 1e30 ? kInfinity : value <= -1e30 ? -kInfinity : value; }

/// A file of LP format names its sense in its first word that is not a comment; MPS begins with NAME or
/// another section.
bool is_lp(const std::string& path) {
  if (path.ends_with(".lp") || path.ends_with(".lp.gz")) return true;
  if (path.ends_with(".mps") || path.ends_with(".mps.gz")) return false;
  std::ifstream in = open_regular_file(path);
  for (std::string line; std::getline(in, line);) {
    const auto words = sdk::pieces(line, " \t\r");
    if (words.empty() || words.front().starts_with('\\') || words.front().starts_with('*')) continue;
    return words.front().starts_with("min") || words.front().starts_with("max") ||
           words.front().starts_with("Min") || words.front().starts_with("Max") ||
           words.front().starts_with("MIN") || words.front().starts_with("MAX");
  }
  return false;
}

/// The constraints that a reader of either format holds.
template <class Reader>
Program taken(const Reader& reader) {
  Program p;
  const auto n = static_cast<std::size_t>(reader.getNumCols()),
             m = static_cast<std::size_t>(reader.getNumRows());
  for (std::size_t j = 0; j < n; ++j) {
    p.low.push_back(bound(reader.getColLower()[j])), p.high.push_back(bound(reader.getColUpper()[j]));
    p.names.emplace_back(reader.columnName(static_cast<int>(j)));
    p.integer.push_back(reader.isInteger(static_cast<int>(j)) ? 1 : 0);
  }
  if (std::find(p.integer.begin(), p.integer.end(), 1) == p.integer.end()) p.integer.clear();
  const CoinPackedMatrix* A = reader.getMatrixByRow();
  for (std::size_t i = 0; i < m; ++i) {
    p.least.push_back(bound(reader.getRowLower()[i])), p.most.push_back(bound(reader.getRowUpper()[i]));
    p.start.push_back(static_cast<Index>(p.value.size()));
    const auto begin = A->getVectorStarts()[i];
    for (int k = 0; k < A->getVectorLengths()[i]; ++k) {
      p.column.push_back(A->getIndices()[begin + k]);
      p.value.push_back(A->getElements()[begin + k]);
    }
  }
  p.start.push_back(static_cast<Index>(p.value.size()));
  return p;
}

template <class T>
void put(std::string& bytes, const std::vector<T>& values) {
  const std::size_t count = values.size();
  bytes.append(reinterpret_cast<const char*>(&count), sizeof count);
  bytes.append(reinterpret_cast<const char*>(values.data()), count * sizeof(T));
}
template <class T>
void get(const std::string& bytes, std::size_t& at, std::vector<T>& values) {
  std::size_t count = 0;
  std::memcpy(&count, bytes.data() + at, sizeof count);
  values.resize(count);
  // Not memcpy, which may not be called for no bytes at a null pointer.
  std::copy_n(bytes.data() + at + sizeof count, count * sizeof(T), reinterpret_cast<char*>(values.data()));
  at += sizeof count + count * sizeof(T);
}

/// "+" and the program, or "-" and what is wrong.
std::string read_in_child(const std::string& path) {
  Kept kept;
  Program p;
  try {
    int errors = 0;
    if (is_lp(path)) {
      CoinLpIO reader;
      reader.passInMessageHandler(&kept);
      reader.readLp(path.c_str());
      p = taken(reader);
    } else {
      CoinMpsIO reader;
      reader.passInMessageHandler(&kept);
      errors = reader.readMps(path.c_str(), "");
      if (errors == 0) p = taken(reader);
    }
    if (errors != 0) return "-" + kept.text();
  } catch (const CoinError& error) {
    return "-" + error.message() + (kept.text().empty() ? "" : "; " + kept.text());
  }
  std::string bytes = "+", names;
  for (const std::string& name : p.names) names += name + '\n';
  put(bytes, p.low), put(bytes, p.high), put(bytes, p.least), put(bytes, p.most);
  put(bytes, p.start), put(bytes, p.column), put(bytes, p.value), put(bytes, p.integer);
  return bytes + names;
}

/// One line of printable characters.
std::string cleaned(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 32 || static_cast<unsigned char>(c) > 126) c = ' ';
  while (text.ends_with(' ')) text.pop_back();
  return text;
}

Program parsed(const std::string& bytes) {
  Program p;
  std::size_t at = 1;
  get(bytes, at, p.low), get(bytes, at, p.high), get(bytes, at, p.least), get(bytes, at, p.most);
  get(bytes, at, p.start), get(bytes, at, p.column), get(bytes, at, p.value), get(bytes, at, p.integer);
  const std::string names = bytes.substr(at);
  for (const std::string_view name : sdk::pieces(names, "\n")) p.names.emplace_back(name);
  return p;
}

}  // namespace

Program read(const std::string& path) {
  expect_regular_file(path);
  const std::string remedy = "give a file of MPS or LP format (minimize, subject to, bounds, end)";
  const ChildEnd end = in_child([&] { return read_in_child(path); }, kSeconds, true);
  if (!end.finished)
    throw Error(ErrorKind::data, path, "the reader of linear programs " + end.trouble, remedy);
  if (!end.bytes.starts_with('+'))
    throw Error(ErrorKind::data, path, "is not a linear program: " + cleaned(end.bytes.substr(1)), remedy);
  Program p = parsed(end.bytes);
  if (p.columns() == 0) throw Error(ErrorKind::data, path, "holds no variable", remedy);
  return p;
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

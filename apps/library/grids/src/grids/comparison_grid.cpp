// SPDX-License-Identifier: BSD-3-Clause
#include <claros/grids/comparison.hpp>

#include <boost/algorithm/string/trim.hpp>

#include <algorithm>
#include <map>
#include <set>

namespace claros {

namespace {

constexpr std::size_t kMostCells = 100000;

std::vector<std::string> split_at_commas(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    parts.push_back(boost::trim_copy(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return parts;
}

Vary read_vary(const std::string& text, const std::string& where, std::vector<Complaint>& complaints) {
  const auto equals = text.find('=');
  if (equals == std::string::npos) {
    complaints.push_back(
        {where, "expected section.key=a,b,c, got '" + text + "'", "write " + where + " section.key=a,b,c"});
    return {};
  }
  Vary vary{boost::trim_copy(text.substr(0, equals)), split_at_commas(text.substr(equals + 1))};
  std::set<std::string> seen;
  for (const std::string& value : vary.values) {
    if (value.empty())
      complaints.push_back(
          {where + ": " + vary.name, "holds an empty value", "write values with one comma between them"});
    else if (!seen.insert(value).second)
      complaints.push_back({where + ": " + vary.name, "holds '" + value + "' twice", "write it once"});
  }
  return vary;
}

/// "step", the section where the key is `use` ("estimator"), the whole where two axes would be called the
/// same.
std::vector<std::string> short_names(const std::vector<Vary>& varies) {
  std::vector<std::string> names;
  std::map<std::string, int> times;
  for (const Vary& vary : varies) {
    const auto dot = vary.name.find('.');
    const std::string section = vary.name.substr(0, dot), key = vary.name.substr(dot + 1);
    ++times[names.emplace_back(key == kUse ? section : key)];
  }
  for (std::size_t k = 0; k < names.size(); ++k)
    if (times[names[k]] > 1) names[k] = varies[k].name;
  return names;
}

std::string folder_name(const std::string& label) {
  constexpr std::size_t kLongest = 100;
  std::string name;
  for (std::size_t k = 0; k < label.size(); ++k) {
    const char c = label[k];
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '.' || c == '-' || c == '+';
    if (c == ' ') continue;
    name += plain ? c : c == '=' ? '-' : '_';
  }
  name.resize(std::min(name.size(), kLongest));
  // A name that begins with a dot is hidden, or a way up.
  return name.starts_with('.') ? '_' + name : name;
}

void name_folders(std::vector<Cell>& cells) {
  std::set<std::string> taken;
  for (Cell& cell : cells) {
    const std::string name = folder_name(cell.label);
    cell.folder = name;
    for (int k = 2; !taken.insert(cell.folder).second; ++k) cell.folder = name + "_" + std::to_string(k);
  }
}

void refuse_unwritable(Spec spec, const std::vector<Vary>& varies) {
  std::vector<Complaint> complaints;
  for (const Vary& vary : varies)
    for (const std::string& value : vary.values) try {
        spec.set(vary.name, value, "--vary");
      } catch (const Error& error) {
        complaints.insert(complaints.end(), error.complaints().begin(), error.complaints().end());
        break;
      }
  if (!complaints.empty()) throw Error(ErrorKind::usage, std::move(complaints));
}

}  // namespace

std::vector<Vary> read_varies(const std::vector<std::string>& texts, const std::string& where,
                              std::vector<Complaint>& complaints) {
  std::vector<Vary> varies;
  std::set<std::string> names;
  for (const std::string& text : texts) {
    Vary vary = read_vary(text, where, complaints);
    if (vary.values.empty()) continue;
    if (!names.insert(vary.name).second)
      complaints.push_back({where + ": " + vary.name, "is varied twice", "write all its values in one list"});
    else
      varies.push_back(std::move(vary));
  }
  return varies;
}

std::vector<Cell> expand(const Spec& spec, const std::vector<Vary>& varies) {
  refuse_unwritable(spec, varies);
  std::size_t count = 1;
  for (const Vary& vary : varies) {
    count *= vary.values.size();
    if (count > kMostCells)
      throw Error(ErrorKind::usage, "--vary",
                  "the grid has more than " + std::to_string(kMostCells) + " cells",
                  "vary fewer values at once");
  }
  const std::vector<std::string> names = short_names(varies);
  std::vector<Cell> cells(1);
  cells.front().spec = spec;
  for (std::size_t axis = 0; axis < varies.size(); ++axis) {
    std::vector<Cell> finer;
    for (const Cell& cell : cells)
      for (const std::string& value : varies[axis].values) {
        Cell& next = finer.emplace_back(cell);
        next.values.push_back(value);
        next.label += (next.label.empty() ? "" : ", ") + names[axis] + '=' + value;
        next.spec.set(varies[axis].name, value, "--vary");
      }
    cells = std::move(finer);
  }
  if (varies.empty()) cells.front().label = "all";
  name_folders(cells);
  return cells;
}

}  // namespace claros

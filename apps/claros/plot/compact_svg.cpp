// SPDX-License-Identifier: BSD-3-Clause
#include "plot/compact_svg.hpp"

#include <fmt/format.h>
#include <boost/algorithm/string/erase.hpp>
#include <boost/algorithm/string/replace.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <complex>
#include <map>
#include <string_view>
#include <vector>

namespace claros::cli {

namespace {

constexpr const char* kFont = " font-family=\"sans-serif\"";
constexpr double kTolerance = 0.25;  // pixels
/// A longer line is thinned in pieces, whose ends stay: the time is that of the square of a piece.
constexpr std::size_t kPiece = 400;

using Point = std::complex<double>;
using Line = std::vector<Point>;

double distance_to_segment(Point p, Point from, Point to) {
  const Point along = to - from;
  if (along == Point()) return std::abs(p - from);
  const double share = std::real((p - from) * std::conj(along)) / std::norm(along);
  return std::abs(p - from - std::clamp(share, 0.0, 1.0) * along);
}

/// Marks the points between `first` and `last` that the line cannot do without.
void keep_corners(const Line& line, std::size_t first, std::size_t last, std::vector<bool>& kept) {
  double most = kTolerance;
  std::size_t farthest = first;
  for (std::size_t k = first + 1; k < last; ++k)
    if (const double distance = distance_to_segment(line[k], line[first], line[last]); distance > most) {
      most = distance;
      farthest = k;
    }
  if (farthest == first) return;
  kept[farthest] = true;
  keep_corners(line, first, farthest, kept);
  keep_corners(line, farthest, last, kept);
}

Point in_tenths(Point p) { return {std::round(10.0 * p.real()), std::round(10.0 * p.imag())}; }

/// The points that are kept, in tenths of a pixel.
Line thinned(const Line& line) {
  std::vector<bool> kept(line.size(), false);
  for (std::size_t first = 0; first + 1 < line.size(); first += kPiece) {
    const std::size_t last = std::min(first + kPiece, line.size() - 1);
    kept[first] = kept[last] = true;
    keep_corners(line, first, last, kept);
  }
  Line result;
  for (std::size_t k = 0; k < line.size(); ++k) {
    const Point tenths = in_tenths(line[k]);
    if (kept[k] && (result.empty() || tenths != result.back())) result.push_back(tenths);
  }
  return result;
}

std::string text_of(Point tenths) {
  return fmt::format("{:g},{:g}", tenths.real() / 10.0, tenths.imag() / 10.0);
}

/// The lines of "M1,2 L3,4 M5,6 L7,8", or the one of "1,2 3,4".
std::vector<Line> lines_in(std::string_view text) {
  std::vector<Line> lines;
  const char *at = text.data(), *const end = at + text.size();
  const auto number = [&] {
    double value = 0.0;
    while (at != end && std::string_view("0123456789.-").find(*at) == std::string_view::npos) {
      if (*at == 'M') lines.emplace_back();
      ++at;
    }
    at = std::from_chars(at, end, value).ptr;
    return value;
  };
  while (text.find_first_of("0123456789", static_cast<std::size_t>(at - text.data())) != text.npos) {
    const double x = number();
    if (lines.empty()) lines.emplace_back();
    const double y = number();
    lines.back().emplace_back(x, y);
  }
  return lines;
}

/// The commands of a path that draws the lines of `text`. A line of one point draws nothing.
std::string path_of(std::string_view text, bool closed) {
  std::string path;
  for (const Line& line : lines_in(text)) {
    const Line kept = thinned(line);
    for (std::size_t k = 0; k < kept.size() && kept.size() > 1; ++k)
      path += k == 0 ? 'M' + text_of(kept[0]) : (k == 1 ? 'l' : ' ') + text_of(kept[k] - kept[k - 1]);
    if (closed) path += 'z';
  }
  return path;
}

/// All groups of gnuplot have these attributes. The outermost group has them for all.
constexpr const char* kShared[] = {
    " fill=\"none\"",           " color=\"black\"",           " stroke=\"currentColor\"",
    " stroke-linecap=\"butt\"", " stroke-linejoin=\"miter\"", kFont};

class Compact {
 public:
  explicit Compact(std::string_view svg) : svg_(svg) {}

  std::string text() {
    for (std::string_view tag = next("<", ">"); !tag.empty(); tag = next("<", ">")) add(tag);
    return std::move(out_);
  }

 private:
  struct Group {
    std::string tag;
    std::size_t begin, end;  // in the text: of its tag, and behind its content
  };

  /// From the next `from` to the next `to`, both included; what is between elements is white space.
  std::string_view next(std::string_view from, std::string_view to) {
    const std::size_t begin = std::min(svg_.find(from, at_), svg_.size());
    const std::size_t end = svg_.find(to, begin);
    at_ = end == svg_.npos ? svg_.size() : end + to.size();
    return svg_.substr(begin, at_ - begin);
  }

  void add(std::string_view tag) {
    if (tag == "<defs>" || tag == "<desc>")
      add_line(tag, next("", fmt::format("</{}", tag.substr(1))));
    else if (tag.starts_with("<text"))
      add_text(tag);
    else if (tag.starts_with("<title"))
      add_title(tag);
    else if (tag.starts_with("<path"))
      add_path(tag, " d='", false);
    else if (tag.starts_with("<polygon"))
      add_path(tag, " points", true);
    else if (tag.starts_with("<use") && tag.find("translate(") != tag.npos)
      add_mark(tag);
    else if (tag.starts_with("<g"))
      open_group(tag);
    else if (tag == "</g>")
      close_group();
    else if (tag.starts_with("<rect") && open_.size() == 1)
      add_line("<rect stroke=\"none\"", tag.substr(tag.find(' ')));  // the background has no outline
    else
      add_line(tag);
  }

  void add_line(std::string_view text, std::string_view more = {}) { out_.append(text).append(more) += '\n'; }

  /// An empty part at the end brought the pen back to the line below an exponent.
  void add_text(std::string_view tag) {
    std::string text(next("", "</text>"));
    if (text.ends_with("></tspan></text>")) text.replace(text.rfind("<tspan"), text.npos, "</text>");
    boost::algorithm::replace_all(text, std::string("<tspan") + kFont + ' ', "<tspan");
    add_line(tag, text);
  }

  /// gnuplot names plots without a title by their numbers.
  void add_title(std::string_view tag) {
    const std::string_view title = next("", "</title>");
    if (!title.starts_with("gnuplot_plot") && !title.starts_with("Gnuplot")) add_line(tag, title);
  }

  /// A path of other commands than M and L stays as it is.
  void add_path(std::string_view tag, std::string_view attribute, bool closed) {
    const std::size_t end = tag.rfind('\''), begin = tag.rfind('\'', end - 1) + 1;
    const std::string_view points = tag.substr(begin, end - begin);
    const std::size_t look = tag.find(' ');
    if (tag.find(attribute) == tag.npos || points.find_first_not_of("ML0123456789.,- \t\n") != tag.npos)
      add_line(tag);
    else if (const std::string path = path_of(points, closed); !path.empty())
      add_line(fmt::format("<path{} d='{}'/>", tag.substr(look, tag.find(attribute) - look), path));
  }

  /// The first mark of a look defines it; all give their places.
  void add_mark(std::string_view tag) {
    const std::size_t place = tag.find("translate("), scale = tag.find(')', place) + 1;
    const std::string look =
        fmt::format("{}transform='{}", tag.substr(0, tag.find("transform")), tag.substr(scale));
    const auto [mark, is_new] = marks_.try_emplace(look, marks_.size());
    if (is_new) add_line(fmt::format("<defs><g id='m{}'>{}</g></defs>", mark->second, look));
    const Point at = in_tenths(lines_in(tag.substr(place, scale - place)).front().front());
    add_line(fmt::format("<use xlink:href='#m{}' x='{:g}' y='{:g}'/>", mark->second, at.real() / 10.0,
                         at.imag() / 10.0));
  }

  /// A group that is like the one before continues it.
  void open_group(std::string_view text) {
    std::string tag(text);
    if (tag.starts_with("<g id=\"gnuplot_plot")) tag = "<g>";
    for (const char* shared : kShared) boost::algorithm::erase_all(tag, shared);
    if (open_.empty()) tag.insert(tag.size() - 1, fmt::format("{}", fmt::join(kShared, "")));
    if (last_.end == out_.size() && last_.tag == tag) {
      out_.resize(out_.size() - kClosed.size());
      open_.push_back(last_);
      return;
    }
    open_.push_back({tag, out_.size(), 0});
    add_line(tag);
  }

  void close_group() {
    Group group = open_.back();
    open_.pop_back();
    if (group.begin + group.tag.size() + 1 == out_.size()) {
      out_.resize(group.begin);
      return;
    }
    out_ += kClosed;
    group.end = out_.size();
    last_ = group;
  }

  static constexpr std::string_view kClosed = "</g>\n";

  std::string_view svg_;
  std::size_t at_ = 0;
  std::string out_;
  std::vector<Group> open_;
  Group last_ = {};
  std::map<std::string, std::size_t> marks_;
};

}  // namespace

std::string compact_svg(const std::string& svg) { return Compact(svg).text(); }

}  // namespace claros::cli

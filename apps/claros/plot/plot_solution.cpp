// SPDX-License-Identifier: BSD-3-Clause
#include "plot/plot_solution.hpp"

#include <claros/error.hpp>
#include <claros/io/atomic_file.hpp>
#include <claros/io/picture.hpp>
#include <claros/io/text_input.hpp>
#include <claros/parameters.hpp>

#include <fmt/format.h>

#include <algorithm>

#include "cli/messages.hpp"
#include "cli/terminal.hpp"
#include "plot/gnuplot.hpp"
#include "plot/solution_plot.hpp"

namespace claros::cli {

namespace {

namespace fs = std::filesystem;

constexpr const char* kOfSolutions[] = {"solution", "pixels", "range", "names", "factors"};

std::string ending_of(const fs::path& file) {
  std::string ending = file.extension().string();
  std::ranges::transform(ending, ending.begin(), [](unsigned char c) { return std::tolower(c); });
  return ending;
}

bool is_of_pixels(const Arguments& arguments) {
  const auto file = arguments.get("out");
  return arguments.has("pixels") || (file && ending_of(*file) == ".pgm");
}

void require_options(const Arguments& arguments) {
  std::vector<Complaint> complaints = arguments.unfit();
  for (const char* of_traces : {"x", "y", "log"})
    if (arguments.has(of_traces))
      complaints.push_back({std::string("--") + of_traces, "applies to traces of runs, not to a solution",
                            "remove it, or leave --solution out"});
  if (arguments.words().size() != 1)
    complaints.push_back({"--solution",
                          fmt::format("expected one run folder, found {}", arguments.words().size()),
                          "claros plot DIR --solution"});
  const std::string ending = arguments.has("out") ? ending_of(*arguments.get("out")) : "";
  if (arguments.has("out") && ending != ".svg" && ending != ".png" && ending != ".pgm")
    complaints.push_back({"--out " + *arguments.get("out"), "expected a name that ends in .svg, .png or .pgm",
                          "the ending chooses the format"});
  if (arguments.has("pixels") && ending != ".png" && ending != ".pgm")
    complaints.push_back({"--pixels", "needs a picture of one pixel an entry to write to",
                          "give --out FILE.png or --out FILE.pgm"});
  if (arguments.has("range") && !is_of_pixels(arguments))
    complaints.push_back({"--range", "is that of --pixels", "give --pixels, or remove it"});
  if (!complaints.empty()) throw Error(ErrorKind::usage, std::move(complaints));
}

GreyRange range_of(const Arguments& arguments, const DenseTable& x) {
  const std::string text = arguments.get("range").value_or("0..1");
  if (text == "auto") {
    const auto [low, high] = std::ranges::minmax(x.values);
    return {low, high > low ? high : low + 1.0};
  }
  const auto dots = text.find("..");
  try {
    if (dots != text.npos) return {parse_real(text.substr(0, dots)), parse_real(text.substr(dots + 2))};
  } catch (const Error&) {
  }
  throw Error(ErrorKind::usage, "--range", "expected BLACK..WHITE or auto, found '" + text + "'",
              "give the values that are black and white, such as 0..1");
}

int write_pixels(const Arguments& arguments, const SolutionView& view) {
  const fs::path file = *arguments.get("out");
  const Index beyond = write_picture(file, view.values, range_of(arguments, view.values));
  report(fmt::format("wrote {}: {} x {} pixels", file.string(), view.values.cols, view.values.rows));
  const auto size = static_cast<Index>(view.values.values.size());
  if (beyond > 0)
    report(
        fmt::format("note: {} of {} entries lie beyond the range and are black or white (--range auto "
                    "takes the least and the largest)",
                    beyond, size));
  return kDone;
}

/// A name a line, or the first line of a table.
std::vector<std::string> names_in(const fs::path& file) {
  TextInput input(file);
  std::vector<std::string> lines;
  for (std::string_view line; input.next_filled(line);) {
    lines.emplace_back(line);
    if (lines.front().find_first_of(",;\t") != std::string::npos) break;
  }
  if (lines.empty()) throw Error(ErrorKind::data, file.string(), "holds no names", "give one a line");
  if (lines.front().find_first_of(",;\t") == std::string::npos) return lines;
  std::vector<std::string> names(1);
  for (const char c : lines.front())
    if (c == ',' || c == ';' || c == '\t')
      names.emplace_back();
    else if (c != '"')
      names.back() += c;
  return names;
}

}  // namespace

bool draws_solution(const Arguments& arguments) {
  return std::ranges::any_of(kOfSolutions, [&](const char* option) { return arguments.has(option); });
}

int plot_solution(const Arguments& arguments) {
  require_options(arguments);
  const auto names = arguments.get("names");
  const fs::path folder = arguments.words().front();
  const SolutionView view =
      solution_view(Solution::read(folder), folder, names ? names_in(*names) : std::vector<std::string>(),
                    arguments.has("factors"));
  if (is_of_pixels(arguments)) return write_pixels(arguments, view);
  const std::string title = arguments.get("title").value_or("");
  if (const auto file = arguments.get("out"))
    write_atomically(
        *file, draw(find_gnuplot(),
                    solution_script(view, title, ending_of(*file) == ".svg" ? Picture::svg : Picture::png)));
  if (!arguments.has("out") || arguments.has("terminal"))
    out().write(solution_text(view, title, out().width()));
  return kDone;
}

}  // namespace claros::cli

// SPDX-License-Identifier: BSD-3-Clause
#include "plot/plot_path.hpp"

#include <claros/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

namespace claros::cli {

namespace {

constexpr std::size_t kNamed = 7, kDrawn = 200;

std::string block(const std::string& name, const KeptPath& path, const auto& line) {
  std::string text = "$" + name + " << EOD\n";
  for (std::size_t k = 0; k < path.lambdas.size(); ++k)
    text += fmt::format("{:.17g} {}\n", path.lambdas[k], line(k));
  return text + "EOD\n";
}

}  // namespace

std::vector<std::pair<Index, Profile>> profiles_of(const KeptPath& path) {
  std::map<Index, Profile> all;
  for (std::size_t k = 0; k < path.coefficients.size(); ++k)
    for (std::size_t e = 0; e < path.coefficients[k].at.size(); ++e) {
      if (path.coefficients[k].at[e] >= path.penalised) continue;
      Profile& profile = all[path.coefficients[k].at[e]];
      profile.resize(path.lambdas.size(), 0.0);
      profile[k] = path.coefficients[k].value[e];
      if (const auto j = static_cast<std::size_t>(path.coefficients[k].at[e]); j < path.deviations.size())
        profile[k] *= path.deviations[j];
    }
  std::vector<std::pair<Index, Profile>> sorted(all.begin(), all.end());
  const auto order = [](const std::pair<Index, Profile>& of) {
    const Profile& p = of.second;
    const auto entry = std::ranges::find_if(p, [](double value) { return value != 0.0; }) - p.begin();
    double most = 0.0;
    for (const double value : p) most = std::max(most, std::abs(value));
    return std::pair(entry, -most);
  };
  std::ranges::stable_sort(sorted, {}, order);
  return sorted;
}

std::string effect_words(const KeptPath& path) {
  return path.deviations.empty() ? "coefficient" : "coefficient x deviation of its column";
}

std::string coefficient_name(const KeptPath& path, Index j) {
  const auto at = static_cast<std::size_t>(j), columns = path.names.size();
  if (columns == 0) return "column " + std::to_string(j + 1);
  return path.names[at % columns] + (at < columns ? "" : fmt::format(" ({})", at / columns + 1));
}

namespace {

struct Plots {
  std::string data, plots;
  void add(const std::string& plot) { plots += (plots.empty() ? "plot " : ", \\\n  ") + plot; }
};

Plots coefficient_plots(const KeptPath& path, Picture picture) {
  const auto profiles = profiles_of(path);
  if (profiles.empty())
    throw Error(ErrorKind::data, "plot", "the path has no coefficients that are not 0",
                "draw one with smaller lambdas (--ratio), or, of matrices, path.csv");
  Plots all;
  const std::size_t drawn = std::min(profiles.size(), kDrawn);
  for (std::size_t back = drawn; back > 0; --back) {  // the first on top
    const std::size_t r = back - 1;
    const std::string name = fmt::format("c{}", r),
                      title = r < kNamed ? gnuplot_text(coefficient_name(path, profiles[r].first))
                                         : std::string();
    all.data +=
        block(name, path, [&](std::size_t k) { return fmt::format("{:.17g}", profiles[r].second[k]); });
    const std::string style = picture == Picture::terminal ? fmt::format("lt {}", r < kNamed ? r + 1 : 8)
                              : r < kNamed                 ? fmt::format("lc rgb '{}' lw 2", curve_colour(r))
                                                           : "lc rgb '#bbbbbb' lw 1";
    all.add(fmt::format("${} using 1:2 with lines {} {}", name, style,
                        title.empty() ? "notitle" : "title " + title));
  }
  return all;
}

/// Adds the errors for one value of the second parameter, number `s` of several.
void add_errors(Plots& all, const KeptPath& path, Picture picture, std::size_t s, bool several) {
  const std::string name = several ? fmt::format("error{}", s) : "error";
  const std::string value = several ? fmt::format("{}={:.4g}", path.over, path.values.front()) : "";
  all.data += block(name, path, [&](std::size_t k) {
    return std::isfinite(path.loss[k].mean)
               ? fmt::format("{:.17g} {:.17g}", path.loss[k].mean, path.loss[k].error)
               : std::string("NaN NaN");
  });
  if (picture == Picture::terminal && several)
    all.add(fmt::format("${} using 1:2 with lines lt {} title {}", name, s + 1, gnuplot_text(value)));
  else if (picture == Picture::terminal)
    all.add(
        "$error using 1:($2+$3) with lines lt 2 title \" + standard error\", \\\n  $error using 1:($2-$3) "
        "with lines lt 3 title \" - standard error\", \\\n  $error using 1:2 with lines lt 1 title \" "
        "mean\"");
  else
    all.add(fmt::format("${} using 1:2:3 with yerrorbars lc rgb '{}' pt 7 ps 0.5 {}", name, curve_colour(s),
                        several ? "title " + gnuplot_text(value) : "notitle"));
}

Plots error_plots(const KeptPath& path, Picture picture) {
  if (path.loss.empty())
    throw Error(ErrorKind::data, "--y error", "the path has no cross-validation",
                "make it with claros path --folds K");
  Plots all;
  const std::vector<KeptPath> slices = path.slices();
  for (std::size_t s = 0; s < slices.size(); ++s) add_errors(all, slices[s], picture, s, slices.size() > 1);
  return all;
}

std::string chosen_lines(const KeptPath& path) {
  std::string text;
  for (const auto& [name, lambda, over, unfinished] : path.chosen)
    text += fmt::format(
        "set arrow from first {0:.17g}, graph 0 to first {0:.17g}, graph 1 nohead dt (6,5) lc rgb '#555555'\n"
        "set label {1} at first {0:.17g}, graph {2} offset 0.5,0 noenhanced tc rgb '#555555'\n",
        lambda, gnuplot_text(unfinished ? name + " (unfinished)" : name), name == "best" ? 0.96 : 0.90);
  return text;
}

}  // namespace

std::string path_script(const KeptPath& kept, const std::string& y, const std::string& title, Picture picture,
                        std::size_t width) {
  if (y != "coefficients" && y != "error")
    throw Error(ErrorKind::usage, "--y", "expected coefficients or error, got '" + y + "'",
                "a path has these two pictures");
  if (kept.lambdas.empty()) throw Error(ErrorKind::data, "plot", "the path has no lambda", "make it again");
  const bool error = y == "error";
  const KeptPath path = error ? kept : kept.best_slice();
  const Plots plots = error ? error_plots(path, picture) : coefficient_plots(path, picture);
  const std::string label =
      error               ? "mean loss on rows held back, standard error"
      : path.over.empty() ? effect_words(path)
                          : fmt::format("{}, {}={:.4g}", effect_words(path), path.over, path.values.front());
  std::string script = plot_terminal(picture, width, true, error ? 3 : kNamed);
  script += "set logscale x\nset format x '%g'\nset xlabel " + gnuplot_text(path.parameter) + " noenhanced\n";
  const auto [least, most] = std::ranges::minmax(path.lambdas);
  if (path.lambdas.size() > 1) script += fmt::format("set xrange [{:.17g}:{:.17g}] noextend\n", most, least);
  script += picture == Picture::terminal ? "set key noenhanced below left Left reverse maxcols 2\n"
                                         : "set key noenhanced outside right top Left reverse\n";
  if (picture != Picture::terminal)
    script += "set ylabel " + gnuplot_text(label) + " noenhanced\n" + chosen_lines(path);
  const std::string above = picture != Picture::terminal ? title
                            : title.empty()              ? label
                                                         : title + ": " + label;
  if (!above.empty()) script += "set title " + gnuplot_text(above) + " noenhanced\n";
  return script + plots.data + plots.plots + '\n';
}

}  // namespace claros::cli

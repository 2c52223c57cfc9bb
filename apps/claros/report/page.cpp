// SPDX-License-Identifier: BSD-3-Clause
#include "report/page.hpp"

#include <claros/grids/quartiles.hpp>
#include <claros/json_text.hpp>

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

#include "report/chart.hpp"
#include "report/html.hpp"
#include "report/page_assets.hpp"

namespace claros::cli {

namespace {

/// "3.7,,2.5e-07": a number each, nothing for one that is not known.
std::string number_list(const std::vector<double>& numbers) {
  std::string list;
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    if (k > 0) list += ',';
    if (std::isfinite(numbers[k])) list += report_number(numbers[k]);
  }
  return list;
}

Json axes_json(const std::vector<ReportAxis>& axes) {
  Json all = Json::array();
  for (const ReportAxis& axis : axes)
    all.push_back({{"name", axis.name}, {"label", visible_text(axis.label)}});
  return all;
}

Json curve_json(const ReportCurve& curve) {
  Json members = Json::array();
  for (const ReportColumns& member : curve.members) {
    Json columns = Json::object();
    for (const auto& [name, numbers] : member) columns[name] = number_list(numbers);
    members.push_back(std::move(columns));
  }
  return {{"label", visible_text(curve.label)},
          {"background", curve.background},
          {"members", std::move(members)}};
}

Json figure_json(const ReportFigure& figure) {
  Json json{{"title", visible_text(figure.title)},
            {"x", axes_json(figure.x)},
            {"y", axes_json(figure.y)},
            {"logX", figure.log_x},
            {"logY", figure.log_y},
            {"fallingX", figure.falling_x},
            {"lower", figure.lower},
            {"upper", figure.upper},
            {"marks", Json::array()},
            {"curves", Json::array()}};
  for (const auto& [label, x] : figure.marks)
    json["marks"].push_back({{"label", visible_text(label)}, {"x", x}});
  for (const ReportCurve& curve : figure.curves) json["curves"].push_back(curve_json(curve));
  return json;
}

std::string html_legend(const ReportFigure& figure) {
  std::string text = "<div class=\"legend\">";
  for (std::size_t k = 0; k < figure.curves.size(); ++k)
    if (!figure.curves[k].background)
      text += fmt::format(
          "<button type=\"button\" class=\"key\" data-curve=\"{}\" aria-pressed=\"true\"><svg "
          "viewBox=\"0 0 34 10\" aria-hidden=\"true\"><path "
          "class=\"line s{} d{}\" d=\"M1 5H33\"/></svg><bdi>{}</bdi></button>",
          k, k % 7, k % 5, html_text(figure.curves[k].label));
  return text + "</div>";
}

/// A table of the axes shown, with the last point of every curve. The script replaces it when the axes
/// change.
std::string html_numbers(const ReportFigure& figure) {
  std::string text = fmt::format(
      "<details class=\"numbers\"><summary>Numbers of this picture</summary><div "
      "class=\"wide\"><table><thead><tr><th>curve</th><th>{}</th><th>{}, last value</th></tr></thead><tbody>",
      html_text(figure.x.front().label), html_text(figure.y.front().label));
  for (const ReportCurve& curve : figure.curves) {
    if (curve.background) continue;
    std::vector<double> x, y;
    for (const ReportColumns& member : curve.members) {
      const auto at = member.find(figure.x.front().name), value = member.find(figure.y.front().name);
      if (at == member.end() || value == member.end() || value->second.empty()) continue;
      x.push_back(at->second.back()), y.push_back(value->second.back());
    }
    text += fmt::format("<tr><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td></tr>",
                        html_text(curve.label), report_number(quartiles(x).median),
                        report_number(quartiles(y).median));
  }
  return text + "</tbody></table></div></details>";
}

std::string html_figure(const ReportFigure& figure, std::size_t number) {
  return fmt::format(
      "<section class=\"figure\" data-figure=\"{}\"><h2>{}</h2><div class=\"controls\"></div><div "
      "class=\"drawing\">{}</div><output class=\"readout\" aria-live=\"polite\"></output>{}{}</section>",
      number, html_text(figure.title), chart(figure), html_legend(figure), html_numbers(figure));
}

/// True if a cell reads as a number, perhaps with quartiles behind it.
bool reads_as_number(const std::string& cell) {
  char* end = nullptr;
  (void)std::strtod(cell.c_str(), &end);
  return end != cell.c_str() && (*end == '\0' || std::string_view(end).starts_with(" ["));
}

std::string html_cell(const std::string& cell) {
  constexpr std::size_t kLong = 40;
  const char* look = reads_as_number(cell) ? " class=\"n\"" : cell.size() > kLong ? " class=\"long\"" : "";
  return fmt::format("<td{}>{}</td>", look, html_text(cell));
}

std::string html_table(const ReportTable& table) {
  std::string text = "<section><h2>" + html_text(table.title) +
                     "</h2><div class=\"wide\"><table class=\"sortable\"><thead><tr>";
  for (const std::string& name : table.header) text += "<th scope=\"col\">" + html_text(name) + "</th>";
  text += "</tr></thead><tbody>";
  for (const auto& row : table.rows) {
    text += "<tr>";
    for (const std::string& cell : row) text += html_cell(cell);
    text += "</tr>";
  }
  return text + "</tbody></table></div></section>";
}

/// `picture` is HTML.
std::string html_picture_with_note(const std::string& title, const std::string& picture,
                                   const std::string& note) {
  std::string text = "<section><h2>" + html_text(title) + "</h2>" + picture;
  if (!note.empty()) text += "<p class=\"note\">" + html_text(note) + "</p>";
  return text + "</section>";
}

std::string html_bars(const ReportBars& bars) {
  return html_picture_with_note(bars.title, chart_of_bars(bars), bars.note);
}

std::string html_words(const ReportText& words) {
  return fmt::format(
      "<section><h2>{0}</h2><div class=\"copied\"><pre tabindex=\"0\">{1}</pre></div></section>",
      html_text(words.title), html_text(words.text));
}

std::string html_picture(const ReportPicture& picture) {
  return fmt::format("<section><img alt=\"{}\" src=\"data:{};base64,{}\"></section>", html_text(picture.name),
                     picture.type, base64(picture.bytes));
}

std::string html_head(const Report& report) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta "
      "http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; style-src {}; "
      "script-src {}; base-uri 'none'; form-action 'none'\"><meta name=\"viewport\" "
      "content=\"width=device-width, initial-scale=1\"><meta name=\"referrer\" "
      "content=\"no-referrer\">{}<title>{}</title><style>{}</style></head>",
      policy_hash(kPageStyleHash), policy_hash(kPageScriptHash),
      report.live ? "<noscript><meta http-equiv=\"refresh\" content=\"5\"></noscript>" : "",
      html_text(report.title), kPageStyle);
}

template <class Items, class Write>
void add_all(std::string& text, const Items& items, const Write& write) {
  for (const auto& item : items) text += write(item) + '\n';
}

}  // namespace

std::string page(const Report& report) {
  std::string text = html_head(report) + "<body><header><p class=\"brand\">Claros</p><h1>" +
                     html_text(report.title) + "</h1><p class=\"sentence\">" + html_text(report.sentence) +
                     "</p>";
  if (report.live) text += "<p class=\"live\">The run goes on; this page follows it.</p>";
  for (const std::string& warning : report.warnings)
    text += "<p class=\"warning\">" + html_text(warning) + "</p>";
  text += "</header><main>\n";
  add_all(text, report.pictures, html_picture);
  Json data{{"live", report.live}, {"figures", Json::array()}};
  for (std::size_t k = 0; k < report.figures.size(); ++k) {
    text += html_figure(report.figures[k], k) + '\n';
    data["figures"].push_back(figure_json(report.figures[k]));
  }
  add_all(text, report.results, html_table);
  add_all(text, report.maps, [](const ReportMap& map) {
    return "<section><h2>" + html_text(map.title) + "</h2>" + chart_of_map(map) + "</section>";
  });
  add_all(text, report.graphs, [](const ReportGraph& graph) {
    return html_picture_with_note(graph.title, chart_of_graph(graph), graph.note);
  });
  add_all(text, report.points, [](const ReportPoints& points) {
    return html_picture_with_note(points.title, chart_of_points(points), points.note);
  });
  add_all(text, report.bars, html_bars);
  add_all(text, report.tables, html_table);
  add_all(text, report.texts, html_words);
  return text + "</main><script type=\"application/json\" id=\"data\">" + html_json(json_text(data)) +
         "</script><script>" + std::string(kPageScript) + "</script></body></html>\n";
}

}  // namespace claros::cli

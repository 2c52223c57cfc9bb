// SPDX-License-Identifier: BSD-3-Clause
#include <claros/io/atomic_file.hpp>
#include <claros/regular_file.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "cli/messages.hpp"
#include "cli/terminal.hpp"
#include "plot/axis_labels.hpp"
#include "report/commands.hpp"
#include "report/group_norms.hpp"
#include "report/known_values.hpp"
#include "report/page.hpp"
#include "report/read_report.hpp"

namespace claros::cli {

namespace {

/// Pictures that a browser shows, by the ends of their names.
const char* picture_type(const std::filesystem::path& file) {
  const std::string ending = file.extension().string();
  return ending == ".png"                        ? "image/png"
         : ending == ".svg"                      ? "image/svg+xml"
         : ending == ".jpg" || ending == ".jpeg" ? "image/jpeg"
                                                 : nullptr;
}

ReportPicture read_picture(const std::string& word) {
  std::ifstream stream = open_regular_file(word);
  return {std::filesystem::path(word).filename().string(),
          picture_type(word),
          {std::istreambuf_iterator<char>(stream), {}}};
}

void check_report(const Arguments& arguments) {
  std::vector<Complaint> complaints = arguments.unfit();
  for (const std::string& picture : arguments.all("picture"))
    if (!picture_type(picture))
      complaints.push_back(
          {"--picture " + picture, "expected a name that ends in .png, .svg or .jpg", "convert the picture"});
  if (const auto out = arguments.get("out"); out && std::filesystem::path(*out).extension() != ".html")
    complaints.push_back(
        {"--out " + *out, "expected a name that ends in .html", "browsers open a page by its ending"});
  if (arguments.has("against") && arguments.words().size() != 1)
    complaints.push_back({"--against " + *arguments.get("against"),
                          "expected the folder of one run, found " + std::to_string(arguments.words().size()),
                          "name one folder, or remove --against"});
  if (!complaints.empty()) throw Error(ErrorKind::usage, std::move(complaints));
}

}  // namespace

int report_command(const Arguments& arguments) {
  check_report(arguments);
  const std::vector<std::filesystem::path> folders(arguments.words().begin(), arguments.words().end());
  Report report = report_of(folders, folder_labels(arguments.words()));
  if (const auto title = arguments.get("title")) report.title = *title;
  if (folders.size() == 1 && std::filesystem::exists(folders.front() / "result.json"))
    add_group_norms(report, arguments, folders.front());
  if (const auto file = arguments.get("against")) add_known_values(report, arguments, folders.front(), *file);
  std::vector<ReportPicture> pictures;
  for (const std::string& picture : arguments.all("picture")) pictures.push_back(read_picture(picture));
  report.pictures.insert(report.pictures.begin(), pictures.begin(), pictures.end());
  const std::filesystem::path beside = folders.size() == 1 ? folders.front() / "report.html" : "report.html";
  const std::filesystem::path file =
      arguments.has("out") ? std::filesystem::path(*arguments.get("out")) : beside;
  write_atomically(file, page(report));
  if (!arguments.has("quiet")) out().write(file.string() + "\n");
  return kDone;
}

}  // namespace claros::cli

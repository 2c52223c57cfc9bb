// SPDX-License-Identifier: BSD-3-Clause
#include <claros/error.hpp>
#include <claros/io/design_blocks.hpp>
#include <claros/io/design_writer.hpp>
#include <claros/settings.hpp>

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <utility>

#include "cli/messages.hpp"
#include "cli/session.hpp"
#include "data/commands.hpp"

namespace claros::cli {

namespace {

struct ConvertOptions {
  DesignOptions design;
};

const ParameterList& convert_parameters() {
  static const ParameterTable<ConvertOptions> table{{}, {include(&ConvertOptions::design, design_rows())}};
  return table;
}

struct ConvertRequest {
  std::vector<std::string> files;
  DesignOptions options;
  std::filesystem::path out;
};

/// Words with '=' are options of reading, the others files. Complains of everything at once.
ConvertRequest convert_request(const Arguments& arguments) {
  ConvertRequest request;
  std::vector<Complaint> complaints = arguments.unfit();
  std::vector<Setting> settings;
  for (const std::string& word : arguments.words()) {
    const auto equals = word.find('=');
    const std::string key = word.substr(0, equals);
    if (equals == word.npos || std::filesystem::exists(word))
      request.files.push_back(word);
    else
      settings.push_back(
          {key.starts_with("objective.") ? key.substr(10) : key, word.substr(equals + 1), {}, {}});
  }
  if (request.files.empty())
    complaints.push_back({"FILE", "no file given", "name the files to convert, in the order of their rows"});
  if (!arguments.has("out"))
    complaints.push_back({"--out", "is missing", "name the file to write: --out train.design"});
  Assignments assigned = assign_settings(convert_parameters(), settings, "claros convert");
  for (Complaint& complaint : assigned.complaints) complaints.push_back(std::move(complaint));
  if (!complaints.empty()) throw Error(ErrorKind::usage, std::move(complaints));
  request.options = static_cast<ConvertOptions*>(assigned.options.get())->design;
  if (request.files.size() > 1 && !request.options.groups.empty())
    throw Error(ErrorKind::usage, "groups", "groups are told apart within one file, and several are given",
                "convert one file, or join them");
  request.out = *arguments.get("out");
  if (std::filesystem::exists(request.out))
    throw Error(ErrorKind::usage, "--out", request.out.string() + " exists",
                "remove it, or name another file");
  return request;
}

}  // namespace

int convert_command(const Arguments& arguments) {
  const ConvertRequest request = convert_request(arguments);
  Context context;
  context.messages = message_sink(false);
  const auto before = std::chrono::steady_clock::now();
  DesignWriter writer(request.out, request.options.precision == "float");
  DesignOptions reading = request.options;
  reading.precision =
      "double";  // the writer converts, so that files of either precision are used where they are
  for (const std::string& file : request.files) {
    const auto blocks = open_design_blocks(file, reading, context);
    writer.add_all(*blocks);
  }
  writer.finish();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - before).count();
  const double megabytes = static_cast<double>(std::filesystem::file_size(request.out)) / 1e6;
  report(fmt::format("wrote {}: {} rows, {} entries, {:.3g} MB in {:.3g} s ({:.3g} MB/s)",
                     request.out.string(), writer.rows(), writer.entries(), megabytes, seconds,
                     megabytes / std::max(seconds, 1e-9)));
  return kDone;
}

}  // namespace claros::cli

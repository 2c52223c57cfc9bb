// SPDX-License-Identifier: BSD-3-Clause
#include <claros/compose/composition.hpp>

#include <filesystem>
#include <optional>
#include <set>
#include <utility>

#include "cli/messages.hpp"
#include "cli/out_folder.hpp"
#include "cli/session.hpp"
#include "data/commands.hpp"

namespace claros::cli {

namespace {

/// Reports all errors at once.
void require_data(const Arguments& arguments, Request& request) {
  if (!arguments.has("out"))
    request.complaints.push_back({"--out", "is missing", "write --out DIR, the folder for the files"});
  if (!request.spec.has("data"))
    request.complaints.push_back(
        {"data", "is missing", "set data.use = NAME; claros list data shows the names"});
  if (!request.complaints.empty()) throw Error(ErrorKind::usage, std::move(request.complaints));
}

}  // namespace

int data_command(const Arguments& arguments) {
  Request request = read_request(arguments);
  std::optional<OutFolder> folder;
  if (const auto path = arguments.get("out")) folder.emplace(*path, request.complaints, Keeps::files);
  require_data(arguments, request);
  const auto made = make_data(open_catalog(arguments), request.spec, message_sink(false));
  folder->prepare();
  made->write(folder->path());
  std::set<std::filesystem::path> files;
  for (const auto& file : std::filesystem::directory_iterator(folder->path())) files.insert(file.path());
  for (const auto& file : files) report("wrote " + file.string());
  return kDone;
}

}  // namespace claros::cli

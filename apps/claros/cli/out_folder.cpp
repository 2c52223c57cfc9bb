// SPDX-License-Identifier: BSD-3-Clause
#include "cli/out_folder.hpp"

#include "cli/messages.hpp"

#include <claros/paths/path_record.hpp>

#include <claros/compose/spec.hpp>
#include <claros/io/owned_folder.hpp>
#include <claros/json_text.hpp>

#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace claros::cli {

namespace {

namespace fs = std::filesystem;

bool holds_result(const fs::path& folder) {
  const Json json = json_or_null(folder / "result.json");
  return json.contains("status") && json.contains("versions");
}

/// A run writes its seed and its base; specifications written by hand never name both.
bool holds_effective_spec(const fs::path& folder) {
  try {
    const Spec spec = Spec::read(folder / "spec.ini");
    return spec.get("run", "base") && spec.get("run", "seed");
  } catch (const Error&) {
    return false;
  }
}

bool holds_comparison(const fs::path& folder) {
  std::error_code code;
  if (fs::exists(folder / kMadeFile, code))
    return true;  // of a grid that was killed before it wrote its tables
  const Json json = json_or_null(folder / "comparison.json");
  return json.contains("cells") && json.contains("versions");
}

bool holds_earlier(const fs::path& folder, Keeps keeps) {
  if (holds_comparison(folder)) return keeps == Keeps::comparison;
  if (holds_path(folder)) return keeps == Keeps::path;
  return keeps == Keeps::run && (holds_result(folder) || holds_effective_spec(folder));
}

/// A run that was killed before it wrote its specification leaves no more than the files that Claros keeps
/// for itself.
bool holds_nothing(const fs::path& folder, std::error_code& code) {
  for (const auto& entry : fs::directory_iterator(folder, code))
    if (!is_own_name(entry.path().filename().string())) return false;
  return !code;
}

/// Why `folder` cannot be written, and the remedy; empty if it can.
std::pair<std::string, std::string> objection(const fs::path& folder, Keeps keeps) {
  std::error_code code;
  if (folder.empty()) return {"expected the name of a folder, got an empty word", "write --out DIR"};
  const fs::file_status status = fs::status(folder, code);
  if (!fs::exists(status)) return {};
  if (!fs::is_directory(status)) return {"is not a folder", "choose another name"};
  const bool empty = holds_nothing(folder, code);
  if (code) return {"cannot be read: " + code.message(), "check its permissions"};
  if (const std::string owner = owner_of(folder); !owner.empty())
    return {"is in use by process " + owner, "wait until that process ends, or choose another folder"};
  if (empty || holds_earlier(folder, keeps)) return {};
  const std::string earlier = keeps == Keeps::run          ? ", but no earlier run"
                              : keeps == Keeps::comparison ? ", but no earlier comparison"
                              : keeps == Keeps::path       ? ", but no earlier path"
                                                           : "";
  return {"holds files" + earlier, "choose another folder, or empty it"};
}

}  // namespace

OutFolder::OutFolder(fs::path folder, std::vector<Complaint>& complaints, Keeps keeps)
    : path_(std::move(folder)) {
  if (auto [what, remedy] = objection(path_, keeps); !what.empty())
    complaints.push_back(
        {"--out " + (path_.empty() ? "''" : path_.string()), std::move(what), std::move(remedy)});
}

OutFolder::~OutFolder() {
  std::error_code code;
  if (made_) fs::remove(path_, code);  // refuses a folder that holds anything
}

/// A folder above that is missing may be misspelt: it is made, and named.
void OutFolder::prepare() {
  std::error_code code;
  const fs::path above = fs::absolute(path_).lexically_normal().parent_path();
  if (!fs::exists(above, code) && path_.has_filename())
    report("--out " + path_.string() + ": " + above.string() + " did not exist and is made");
  made_ = fs::create_directories(path_, code);
  if (code)
    throw Error(ErrorKind::data, "--out " + path_.string(), "cannot be created: " + code.message(),
                "choose another folder");
  if (::access(path_.c_str(), W_OK | X_OK) != 0)
    throw Error(ErrorKind::data, "--out " + path_.string(),
                "cannot be written: " + std::generic_category().message(errno), "choose another folder");
}

}  // namespace claros::cli

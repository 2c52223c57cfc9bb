// SPDX-License-Identifier: BSD-3-Clause
#include <claros/error.hpp>
#include <claros/json_text.hpp>
#include <claros/regular_file.hpp>
#include <claros/results/run_identity.hpp>

#include <claros/io/content_hash.hpp>

#include <boost/uuid/random_generator.hpp>
#include <boost/uuid/string_generator.hpp>
#include <boost/uuid/uuid_io.hpp>

#include <system_error>

namespace claros {

namespace fs = std::filesystem;

namespace {

constexpr const char* kLine = "# run ";
constexpr std::uintmax_t kLargest = std::uintmax_t{1} << 26;

bool is_run(const std::string& text) {
  try {
    return text.size() == 36 && to_string(boost::uuids::string_generator()(text)) == text;
  } catch (const std::exception&) {
    return false;
  }
}

[[noreturn]] void no_result(const fs::path& folder) {
  if (!is_present(folder / "spec.ini"))
    throw Error(ErrorKind::data, folder.string(), "holds no result of a run",
                "name a folder that claros run --out wrote");
  const bool earlier = is_present(folder / ".claros-earlier/result.json");
  throw Error(ErrorKind::data, folder.string(), "holds a run that is not over",
              "claros resume " + folder.string() + " ends it" +
                  (earlier ? "; the result before it is kept in " + (folder / ".claros-earlier").string()
                           : std::string()));
}

/// Null if it cannot be one.
Json read_json(const fs::path& file) {
  std::error_code code;
  const auto size = fs::is_regular_file(file, code) ? fs::file_size(file, code) : kLargest + 1;
  return code || size > kLargest ? Json(nullptr) : json_or_null(file);
}

}  // namespace

RunIdentity RunIdentity::of_files(const std::string& run, const fs::path& folder) {
  RunIdentity identity{run, {}};
  if (is_present(folder / "trace.csv")) identity.files["trace.csv"] = hash_of_file(folder / "trace.csv");
  std::error_code code;
  for (const auto& entry : fs::recursive_directory_iterator(folder / "solution", code))
    if (!entry.is_directory())
      identity.files[entry.path().lexically_relative(folder).generic_string()] = hash_of_file(entry.path());
  return identity;
}

RunIdentity RunIdentity::read(const fs::path& folder) {
  const fs::path file = folder / "result.json";
  if (!is_present(file)) no_result(folder);
  const Json json = read_json(file);
  const auto unfit = [&](const char* what) {
    throw Error(ErrorKind::data, file.string(), what, "run again");
  };
  if (json.is_object() && json.contains("path"))
    throw Error(ErrorKind::usage, folder.string(), "holds a path, which has several solutions",
                "name one of them, such as " + (folder / "best").string());
  if (!json.is_object() || !json.contains("status")) unfit("is not the result of a run");
  RunIdentity identity;
  if (!json.contains("run") || !json["run"].is_string() || !json.contains("files") ||
      !json["files"].is_object())
    unfit("does not say which run it is of, as those of earlier versions");
  identity.run = json["run"].get<std::string>();
  if (!is_run(identity.run)) unfit("does not say which run it is of");
  for (const auto& [name, hash] : json["files"].items()) {
    if (!hash.is_string()) unfit("is damaged: a hash is not a text");
    identity.files[name] = hash.get<std::string>();
  }
  if (const std::string other = run_of_spec(folder); other != identity.run)
    throw Error(ErrorKind::data, folder.string(),
                "mixes two runs: spec.ini is of run " + other + ", result.json of run " + identity.run,
                "bring back the files of one run, or run again");
  return identity;
}

void RunIdentity::require(const fs::path& folder, const std::string& name) const {
  const auto found = files.find(name);
  const fs::path file = folder / name;
  const auto refuse = [&](const std::string& what) {
    throw Error(ErrorKind::data, file.string(), what + " (run " + run + ")",
                "bring back the files of one run; claros resume " + folder.string() + " writes them anew");
  };
  if (found == files.end()) refuse("is not a file of the run that result.json is of");
  if (!is_present(file)) refuse("is missing, and result.json says that the run wrote it");
  if (hash_of_file(file) != found->second)
    refuse("is not the file that was written with result.json: it is of another run, or was changed");
}

void RunIdentity::require_all(const fs::path& folder, const std::string& subfolder) const {
  for (const auto& [name, hash] : files)
    if (name.starts_with(subfolder + "/")) require(folder, name);
  std::error_code code;
  for (const auto& entry : fs::recursive_directory_iterator(folder / subfolder, code))
    if (!entry.is_directory()) require(folder, entry.path().lexically_relative(folder).generic_string());
}

std::string new_run() { return to_string(boost::uuids::random_generator()()); }

std::string run_of_spec(const fs::path& folder) {
  const fs::path file = folder / "spec.ini";
  std::error_code code;
  std::string line(std::string(kLine).size() + 37, '\0');
  std::ifstream in;
  if (fs::is_regular_file(file, code)) in.open(file, std::ios::binary);
  in.read(line.data(), static_cast<std::streamsize>(line.size()));
  line.resize(static_cast<std::size_t>(in.gcount()));
  std::string run = line.starts_with(kLine) && line.ends_with('\n')
                        ? line.substr(std::string(kLine).size(), 36)
                        : std::string();
  if (is_run(run)) return run;
  throw Error(ErrorKind::data, file.string(),
              "does not say in its first line ('# run ...') which run it is of, as those of earlier versions",
              "run it anew: claros run " + file.string() + " --out DIR");
}

std::string spec_of_run(const std::string& run, const std::string& spec) { return kLine + run + '\n' + spec; }

}  // namespace claros

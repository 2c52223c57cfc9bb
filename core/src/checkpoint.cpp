// SPDX-License-Identifier: BSD-3-Clause
#include <claros/atomic_file.hpp>
#include <claros/checkpoint.hpp>
#include <claros/run_folder.hpp>

#include <nlohmann/json.hpp>

#include <fstream>
#include <iterator>
#include <map>

namespace claros {

namespace {

using Json = nlohmann::json;

constexpr const char* kForm = "claros checkpoint 1";
constexpr const char* kName = "checkpoint";

/// What must be the same for the same steps: name and value, as text.
using Facts = std::map<std::string, std::string>;

Facts facts_of(const Composition& composition) {
  Facts facts;
  for (const std::string& section : composition.effective.sections()) {
    if (section == "stop" || section == "output") continue;  // they end and keep a run, and change no step
    for (const Setting& setting : composition.effective.settings(section))
      if (section + "." + setting.key != "run.threads") facts[section + "." + setting.key] = setting.value;
  }
  facts["claros"] = version();
  for (const auto& [label, plugin_version] : composition.versions()) facts["version of " + label] = plugin_version;
  // Of the data: its size, and f at the start, which depends on every value.
  facts["size of the data"] = std::to_string(composition.objective->components());
  facts["shape"] = composition.objective->shape().text();
  if (composition.objective->components() != kUnbounded)
    facts["f at the start"] = print_real(composition.objective->value(composition.start_point()));
  return facts;
}

std::string shown(const Facts& facts, const std::string& name) {
  const auto found = facts.find(name);
  return found == facts.end() ? "absent" : "'" + found->second + "'";
}

std::vector<Complaint> differences(const Facts& then, const Facts& now, const std::string& file) {
  Facts names = then;
  names.insert(now.begin(), now.end());
  std::vector<Complaint> complaints;
  for (const auto& [name, value] : names)
    if (shown(then, name) != shown(now, name))
      complaints.push_back({file, name + " was " + shown(then, name) + " and is " + shown(now, name), "resume with what the run began with, or start a new run"});
  return complaints;
}

}  // namespace

void write_checkpoint(const std::filesystem::path& folder, const Composition& composition, const std::string& state) {
  const Json json{{"form", kForm}, {"facts", facts_of(composition)}, {"state", Json::binary(std::vector<std::uint8_t>(state.begin(), state.end()))}};
  const std::vector<std::uint8_t> bytes = Json::to_cbor(json);
  write_atomically(folder / kName, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

std::optional<std::string> read_checkpoint(const std::filesystem::path& folder, const Composition& composition) {
  const std::filesystem::path path = folder / kName;
  if (!std::filesystem::exists(path)) return std::nullopt;
  std::ifstream file(path, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const Json json = Json::from_cbor(bytes, true, false);
  const bool sound = json.is_object() && json.value("form", "") == kForm && json.contains("facts") && json.contains("state") && json["state"].is_binary();
  if (!sound) throw Error(ErrorKind::data, path.string(), "is not a whole checkpoint of this version", "start a new run");
  auto complaints = differences(json["facts"].get<Facts>(), facts_of(composition), path.string());
  if (!complaints.empty()) throw Error(ErrorKind::usage, std::move(complaints));
  const auto& state = json["state"].get_binary();
  return std::string(state.begin(), state.end());
}

}  // namespace claros

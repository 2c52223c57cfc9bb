// SPDX-License-Identifier: BSD-3-Clause
#include <claros/io/atomic_file.hpp>
#include <claros/state/checkpoint.hpp>
#include <claros/state/run_folder.hpp>

#include "state/archive_bytes.hpp"

#include <boost/iostreams/device/mapped_file.hpp>

#include <cstring>
#include <map>

namespace claros {

namespace {

constexpr const char* kName = "checkpoint";

/// The first bytes; the facts follow, then the state.
struct Head {
  char form[20] = "claros checkpoint 2";
  std::uint32_t checksum;  ///< of the facts
  std::uint64_t size;      ///< of the facts
};

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

namespace {

std::string head_of(const Composition& composition) {
  const std::vector<std::uint8_t> facts = Cbor::to_cbor(Cbor(facts_of(composition)));
  const std::string text(facts.begin(), facts.end());
  Head head{};
  head.checksum = checksum(0, text);
  head.size = text.size();
  return std::string(reinterpret_cast<const char*>(&head), sizeof head) + text;
}

}  // namespace

CheckpointFile::CheckpointFile(const std::filesystem::path& folder, const Composition& composition)
    : file_(folder / kName), composition_(&composition) {}

void CheckpointFile::write(const StateStream& state) {
  if (head_.empty()) head_ = head_of(*composition_);
  AtomicFile file(file_);
  file.write(head_);
  state([&](std::string_view bytes) { file.write(bytes); });
  file.commit();
}

std::optional<SavedState> read_checkpoint(const std::filesystem::path& folder, const Composition& composition) {
  const std::filesystem::path path = folder / kName;
  if (!std::filesystem::exists(path)) return std::nullopt;
  const Error unfit(ErrorKind::data, path.string(), "is not a whole checkpoint of this version", "start a new run");
  std::error_code code;
  const auto size = std::filesystem::file_size(path, code);
  Head head{}, expected{};
  if (code || size < sizeof head) throw unfit;
  auto file = std::make_shared<boost::iostreams::mapped_file_source>();
  try {
    file->open(path.string());
  } catch (const std::exception& error) {
    throw Error(ErrorKind::data, path.string(), std::string("cannot be read: ") + error.what(), "look at its rights");
  }
  std::string_view bytes(file->data(), file->size());
  std::memcpy(&head, bytes.data(), sizeof head);
  bytes.remove_prefix(sizeof head);
  if (std::memcmp(head.form, expected.form, sizeof head.form) != 0 || head.size > bytes.size()) throw unfit;
  const std::string_view text = bytes.substr(0, head.size);
  const Cbor facts = Cbor::from_cbor(text.begin(), text.end(), true, false);
  if (checksum(0, text) != head.checksum || !facts.is_object()) throw unfit;
  auto complaints = differences(facts.get<Facts>(), facts_of(composition), path.string());
  if (!complaints.empty()) throw Error(ErrorKind::usage, std::move(complaints));
  return SavedState(std::move(file), bytes.substr(head.size));
}

}  // namespace claros

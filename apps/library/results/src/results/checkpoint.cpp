// SPDX-License-Identifier: BSD-3-Clause
#include <claros/io/atomic_file.hpp>
#include <claros/results/checkpoint.hpp>

#include "results/run_facts.hpp"
#include "state/archive_bytes.hpp"

#include <boost/iostreams/device/mapped_file.hpp>

#include <cstring>

namespace claros {

namespace {

constexpr const char *kName = "checkpoint", *kRun = "run", *kFacts = "facts";

/// The first bytes; the run and the facts follow, then the state.
struct Head {
  char form[20] = "claros checkpoint 3";
  std::uint32_t checksum;  ///< the checksum of run and facts
  std::uint64_t size;      ///< the size of run and facts
};

std::string head_of(const Facts& facts, const std::string& run) {
  const std::vector<std::uint8_t> words = Cbor::to_cbor(Cbor{{kRun, run}, {kFacts, facts}});
  const std::string text(words.begin(), words.end());
  Head head{};
  head.checksum = checksum(0, text);
  head.size = text.size();
  return std::string(reinterpret_cast<const char*>(&head), sizeof head) + text;
}

/// The run and its facts, if the bytes hold them: objects of text.
bool holds_facts(const Cbor& json) {
  if (!json.is_object() || !json.contains(kRun) || !json[kRun].is_string() || !json.contains(kFacts) ||
      !json[kFacts].is_object())
    return false;
  for (const Cbor& value : json[kFacts])
    if (!value.is_string()) return false;
  return true;
}

}  // namespace

CheckpointFile::CheckpointFile(const std::filesystem::path& folder, const Composition& composition,
                               const std::string& run)
    : file_(folder / kName), composition_(&composition), run_(run), facts_(facts_of(composition)) {
  for (const std::string& name : changed_while_read(facts_))
    composition.context.warn(name +
                             ": the file has changed since this run read it: the run goes on with what it "
                             "read, and cannot be resumed");
}

void CheckpointFile::find_start() {
  if (!head_.empty()) return;
  add_start(facts_, *composition_);
  head_ = head_of(facts_, run_);
}

void CheckpointFile::write(const StateStream& state) {
  find_start();
  AtomicFile file(file_);
  file.write(head_);
  state([&](std::string_view bytes) { file.write(bytes); });
  file.commit();
}

std::optional<SavedState> read_checkpoint(const std::filesystem::path& folder, const Composition& composition,
                                          const std::string& run) {
  const std::filesystem::path path = folder / kName;
  if (!std::filesystem::exists(path)) return std::nullopt;
  const Error unfit(ErrorKind::data, path.string(), "is not a whole checkpoint of this version",
                    "start a new run");
  std::error_code code;
  const auto size = std::filesystem::file_size(path, code);
  Head head{}, expected{};
  if (code || size < sizeof head) throw unfit;
  auto file = std::make_shared<boost::iostreams::mapped_file_source>();
  try {
    file->open(path.string());
  } catch (const std::exception& error) {
    throw Error(ErrorKind::data, path.string(), std::string("cannot be read: ") + error.what(),
                "look at its rights");
  }
  std::string_view bytes(file->data(), file->size());
  std::memcpy(&head, bytes.data(), sizeof head);
  bytes.remove_prefix(sizeof head);
  if (std::memcmp(head.form, expected.form, sizeof head.form) != 0 || head.size > bytes.size()) throw unfit;
  const std::string_view text = bytes.substr(0, head.size);
  if (checksum(0, text) != head.checksum) throw unfit;
  const Cbor words = names_in(text);
  if (!holds_facts(words)) throw unfit;
  if (words[kRun] != run)
    throw Error(ErrorKind::data, path.string(),
                "belongs to run " + words[kRun].get<std::string>() + ", and spec.ini beside it to run " + run,
                "bring back the files of one run, or start a new one");
  Facts now = facts_of(composition);
  if (const auto changed = changed_while_read(now); !changed.empty())
    throw Error(ErrorKind::data, changed.front(), "the file has changed since this run read it",
                "resume again when no other program writes to it");
  add_start(now, composition);
  Differences found = differences(words[kFacts].get<Facts>(), now, path.string());
  if (!found.complaints.empty()) throw Error(ErrorKind::usage, std::move(found.complaints));
  for (const std::string& warning : found.warnings)
    composition.context.warn(path.string() + ": " + warning +
                             ": the run goes on, in other roundings than it would have had there");
  return SavedState(std::move(file), bytes.substr(head.size));
}

}  // namespace claros

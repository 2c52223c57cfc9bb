// SPDX-License-Identifier: BSD-3-Clause
#include "state_readers.hpp"

#include <claros/compose/spec.hpp>
#include <claros/error.hpp>
#include <claros/results/fold_in.hpp>
#include <claros/results/prediction.hpp>
#include <claros/results/run_folder.hpp>
#include <claros/results/trace_table.hpp>
#include <claros/run/trace.hpp>

#include <nlohmann/json.hpp>

#include <cstring>
#include <fstream>

namespace claros::fuzz {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr const char* kRun = "0f8fad5b-d9cb-469f-a165-70867728950e";
const std::vector<std::string> kFiles{"spec.ini",
                                      "trace.csv",
                                      "result.json",
                                      "solution/U.mtx",
                                      "solution/s.mtx",
                                      "solution/V.mtx",
                                      "solution/x.mtx",
                                      "solution/rows.csv",
                                      "solution/columns.csv",
                                      "solution/range.mtx",
                                      "solution/mean.mtx",
                                      "solution/row_biases.mtx",
                                      "solution/column_biases.mtx",
                                      "solution/folding.csv"};

/// A folder in one text: of every file its number, the size of its content in four bytes, and that.
std::string packed(const fs::path& folder) {
  std::string bytes;
  for (std::size_t k = 0; k < kFiles.size(); ++k) {
    if (!fs::exists(folder / kFiles[k])) continue;
    const std::string content = bytes_of(folder / kFiles[k]);
    const auto size = static_cast<std::uint32_t>(content.size());
    bytes += static_cast<char>(k);
    bytes.append(reinterpret_cast<const char*>(&size), 4);
    bytes += content;
  }
  return bytes;
}

fs::path unpacked(const std::string& bytes) {
  const fs::path folder = work_folder() / "run";
  fs::remove_all(folder);
  fs::create_directories(folder / "solution");
  for (std::size_t at = 0; at + 5 <= bytes.size();) {
    const std::size_t file = static_cast<unsigned char>(bytes[at]) % kFiles.size();
    std::uint32_t size = 0;
    std::memcpy(&size, bytes.data() + at + 1, 4);
    at += 5;
    const std::string content = bytes.substr(at, size);
    at += content.size();
    std::ofstream(folder / kFiles[file], std::ios::binary) << content;
  }
  return folder;
}

void write_result(const fs::path& folder, Json json) {
  json["run"] = kRun;
  json["files"] = RunIdentity::of_files(kRun, folder).files;
  std::ofstream(folder / "result.json") << json.dump(2, ' ', false, Json::error_handler_t::replace);
}

std::string sound_folder(const Element& x, bool ratings) {
  const fs::path folder = unpacked("");
  std::ofstream(folder / "spec.ini") << spec_of_run(
      kRun, std::string("[objective]\nuse = matrix-completion\n") + (ratings ? "ids = auto\n" : "") +
                "[run]\nseed = 0\n");
  std::vector<TraceRow> rows(3);
  for (TraceRow& row : rows) row.iteration = &row - rows.data();
  std::ofstream(folder / "trace.csv") << trace_csv(rows);
  write_solution(folder / "solution", x);
  if (ratings) {
    Training training;
    training.rows = {3, 1, {"ann", "bob", "7"}, {1, 2, 3}};
    training.cols = {2, 1, {}, {4, 5}};
    training.low = 1.0, training.high = 5.0;
    training.baseline = {"biases", 3.0, {0.5, -0.5, 0.25}, {0.125, 2.0}};
    write_training(folder / "solution", training);
    write_folding(folder / "solution", {12.0, 0.5, 5.0, 3.0, 2.0, 0.25});
  }
  write_result(folder, {{"status", "iterations"}, {"value", 1.0}, {"versions", {{"claros", "0"}}}});
  return packed(folder);
}

std::vector<std::string> seeds() {
  const Shape shape = Shape::matrix(3, 2);
  return {sound_folder(Element::rank_one(2.0, std::vector<double>{1, 2, 3}, std::vector<double>{4, 5}), true),
          sound_folder(Element::dense(shape, {1, 2, 3, 4, 5, 6}), true), sound_folder(Element(shape), false)};
}

/// What predict, plot and resume ask of a folder. Each may refuse; the first refusal is told.
void read_run(const fs::path& folder) {
  std::optional<Error> refused;
  const auto ask = [&](const auto& action) {
    try {
      action();
    } catch (const Error& error) {
      if (!refused) refused = error;
    }
  };
  ask([&] {
    const Solution solution = Solution::read(folder);
    expect(solution.rows() >= 0 && solution.cols() >= 0, "sizes");
    const Training& training = solution.training();
    expect(training.rows.count == solution.rows() && training.cols.count == solution.cols(), "ids");
    if (solution.rows() > 0 && solution.cols() > 0)
      (void)solution.predict(solution.rows() - 1, solution.cols() - 1);
    (void)solution.predict(-1, -1);
  });
  ask([&] {
    RunIdentity::read(folder).require(folder, "trace.csv");
    const TraceTable trace = read_trace(folder / "trace.csv");
    for (const auto& column : trace.columns) expect(column.size() == trace.columns.front().size(), "columns");
  });
  ask([&] {
    (void)run_of_spec(folder);
    (void)Spec::read(folder / "spec.ini").text();
  });
  if (refused) throw *refused;
}

void read_folder(const fs::path& file) { read_run(unpacked(bytes_of(file))); }

void read_crafted(const fs::path& file) {
  const fs::path folder = unpacked(bytes_of(file));
  const Json json = Json::parse(bytes_of(folder / "result.json"), nullptr, false);
  if (json.is_object()) write_result(folder, json);
  read_run(folder);
}

}  // namespace

std::vector<Reader> folder_readers() {
  return {{"result-folder", read_folder, seeds}, {"crafted-folder", read_crafted, seeds}};
}

}  // namespace claros::fuzz

// SPDX-License-Identifier: BSD-3-Clause
#include <claros/error.hpp>
#include <claros/io/atomic_file.hpp>
#include <claros/io/label_rule.hpp>
#include <claros/io/linear_training.hpp>

#include <claros/json_text.hpp>
#include <claros/parameters.hpp>
#include "io/encoding_json.hpp"

#include <algorithm>

namespace claros {

namespace {

constexpr const char* kModel = "model.json";

bool two_signs(const LinearTraining& training) {
  return training.outputs == 1 && training.classes.size() == 2;
}

}  // namespace

double target_of(const LinearTraining& training, const Design& design, std::size_t row,
                 const std::string& where) {
  const double seen = design.response[row];
  const std::string name =
      design.labels.empty() ? print_real(seen) : design.labels[static_cast<std::size_t>(seen)];
  if (training.classes.empty()) {
    if (design.labels.empty()) return seen;
    throw Error(ErrorKind::data, where,
                "the response is the class '" + name + "'; those of the training were numbers",
                "give numbers, or --no-known");
  }
  if (!training.positive.empty()) {
    const LabelRule rule(training.positive, "objective.positive");
    return (design.labels.empty() ? rule.holds(seen) : rule.holds(name)) ? 1.0 : -1.0;
  }
  const auto found = std::find(training.classes.begin(), training.classes.end(), name);
  if (found == training.classes.end())
    throw Error(ErrorKind::data, where,
                "the response is '" + name + "', a class that the training did not have; it had " +
                    joined(training.classes),
                "remove the row, or give --no-known where responses mean nothing");
  const auto number = static_cast<double>(found - training.classes.begin());
  return two_signs(training) ? 2.0 * number - 1.0 : number;
}

void write_linear_training(const std::filesystem::path& folder, const LinearTraining& training) {
  Json json;
  json["features"] = training.features;
  json["shape"] = {training.shape.rows, training.shape.cols};
  json["outputs"] = training.outputs;
  json["intercept"] = training.intercept;
  json["columns"] = training.columns;
  json["response"] = training.response;
  json["classes"] = training.classes;
  json["positive"] = training.positive;
  json["offset"] = training.offset;
  if (!training.responses.empty()) json["responses"] = training.responses;
  if (training.encoding) json["encoding"] = encoding_json(*training.encoding);
  write_atomically(folder / kModel, json_text(json));
}

bool has_linear_training(const std::filesystem::path& folder) {
  std::error_code code;
  return std::filesystem::exists(folder / kModel, code);
}

LinearTraining read_linear_training(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / kModel;
  LinearTraining training = from_json_file(file, "run again", [](const Json& json) {
    LinearTraining read;
    read.features = json.at("features").get<Index>();
    read.shape = Shape::matrix(json.at("shape").at(0).get<Index>(), json.at("shape").at(1).get<Index>());
    read.outputs = json.at("outputs").get<Index>();
    read.intercept = json.at("intercept").get<bool>();
    read.columns = json.at("columns").get<std::vector<std::string>>();
    read.response = json.at("response").get<std::string>();
    read.classes = json.at("classes").get<std::vector<std::string>>();
    read.positive = json.at("positive").get<std::string>();
    read.offset = json.at("offset").get<bool>();
    if (json.contains("responses")) read.responses = json["responses"].get<std::vector<std::string>>();
    if (json.contains("encoding"))
      read.encoding = std::make_shared<const TableEncoding>(encoding_of(json.at("encoding")));
    return read;
  });
  const auto unfit = [&](const char* what) {
    throw Error(ErrorKind::data, file.string(), what, "run again");
  };
  const double size = static_cast<double>(training.shape.rows) * static_cast<double>(training.shape.cols);
  if (training.features < 1 || training.shape.rows < 1 || training.shape.cols < 1 || training.outputs < 1 ||
      size != static_cast<double>(training.features) * static_cast<double>(training.outputs))
    unfit("holds sizes that do not fit each other");
  if (!training.columns.empty() && static_cast<Index>(training.columns.size()) != training.features)
    unfit("does not name all columns");
  if (!training.classes.empty() &&
      static_cast<Index>(training.classes.size()) != std::max<Index>(training.outputs, 2))
    unfit("does not name all classes");
  if (!training.responses.empty() && static_cast<Index>(training.responses.size()) != training.outputs)
    unfit("does not name all responses");
  if (training.encoding && !makes_columns(*training.encoding, training.features))
    unfit("has an encoding of columns that makes others");
  return training;
}

}  // namespace claros

// SPDX-License-Identifier: BSD-3-Clause
// What the program says, word by word, in one file: the only test that a change of wording has to change.
// CLAROS_UPDATE_TEXTS=1 writes the file anew; read the difference before you commit it. All other tests ask
// for places, keys and remedies.
#include "program.hpp"

#include <cstdlib>
#include <fstream>
#include <iterator>

using namespace claros::test;

namespace {

/// The files that the commands read.
void put_files(const TestFolder& folder) {
  put_problem(folder);
  folder.put("cars.csv", "colour,age,price\nred,3,10\nblue,NA,8\nred,1,15\n");
  folder.put("mixed.csv", "size,y\n1,2\n10+,3\n");
  folder.put("wrong.ini",
             "[objectve]\nuse = x\n[set]\nuse = nuclear-ball\nraduis = 3\nradius = -1\nno equals sign\n"
             "[algorithm]\nuse = frank-wolf\n[stop]\niterations = many\n");
}

std::vector<Words> commands() {
  const Words model{"check", "objective.use=linear-model", "objective.data=cars.csv", "stop.iterations=10"};
  return {
      {},
      {"help"},
      {"help", "run"},
      {"help", "advise"},
      {"help", "path"},
      {"help", "predict"},
      {"help", "penalty"},
      {"list", "penalty"},
      {"describe", "l1"},
      {"describe", "linear-model"},
      {"rnu"},
      {"run"},
      {"run", "none.ini"},
      {"check", "wrong.ini"},
      {"check", "spec.ini", "set.radius=-1"},
      {"check", "spec.ini", "set.engine=lancsoz", "stop.relative_gap=x"},
      {"check", "spec.ini", "algorithm.use=coordinate-descent"},
      model,
      with(model, {"objective.missing=drop", "objective.without=clour"}),
      with(model, {"objective.missing=drop", "objective.loss=logistic"}),
      with(model, {"objective.missing=drop", "penalty.use=l1"}),
      with(model, {"objective.missing=drop", "penalty.use=l1", "penalty.lambda=1", "penalty.weights=1,-2"}),
      with(model,
           {"objective.missing=drop", "penalty.use=l1", "penalty.lambda=1", "penalty.weights=1,2,3,4,5"}),
      {"check", "objective.use=linear-model", "objective.data=mixed.csv", "stop.iterations=10"},
      {"path", "objective.use=linear-model", "objective.data=cars.csv", "objective.missing=drop",
       "penalty.use=tv"},
      {"path", "objective.use=linear-model", "objective.data=cars.csv", "objective.missing=drop",
       "penalty.use=l1", "--by", "auc"},
      {"predict", "nowhere", "cars.csv"},
      {"plot", "nowhere"},
      {"resume", "nowhere"},
      {"compare", "spec.ini"}};
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  for (auto at = text.find(what); at != text.npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
  return text;
}

std::string said(const TestFolder& folder, const Words& words) {
  const auto outcome = ask(folder.path(), words);
  std::string text = "$ claros";
  for (const std::string& word : words) text += ' ' + word;
  text += "\nexit code " + std::to_string(outcome.code) + '\n';
  if (!outcome.out.empty()) text += "--- stdout\n" + outcome.out;
  if (!outcome.err.empty()) text += "--- stderr\n" + outcome.err;
  text = replaced(std::move(text), folder.path().string(), "FOLDER");
  const fs::path build = fs::path(CLAROS_PROGRAM).parent_path().parent_path();
  for (const fs::path& path : {build, fs::canonical(build)})
    text = replaced(std::move(text), path.string(), "BUILD");
  return text + '\n';
}

}  // namespace

TEST_CASE("texts: what the program says is what texts.txt holds") {
  const TestFolder folder;
  put_files(folder);
  std::string all;
  for (const Words& words : commands()) all += said(folder, words);
  if (std::getenv("CLAROS_UPDATE_TEXTS")) std::ofstream(CLAROS_TEXTS, std::ios::binary) << all;
  std::ifstream file(CLAROS_TEXTS, std::ios::binary);
  const Words now = lines(all), kept = lines(std::string(std::istreambuf_iterator<char>(file), {}));
  std::string command;
  for (std::size_t k = 0; k < std::max(now.size(), kept.size()); ++k) {
    const std::string here = k < now.size() ? now[k] : "(nothing)",
                      there = k < kept.size() ? kept[k] : "(nothing)";
    if (here.starts_with("$ ")) command = here;
    CAPTURE(command);
    REQUIRE(here == there);
  }
}

// SPDX-License-Identifier: BSD-3-Clause
#include "kills.hpp"

#include <signal.h>

#include <chrono>
#include <sstream>
#include <thread>

namespace claros::test {

std::vector<std::string> timeless(const std::string& csv) {
  std::vector<std::string> rows;
  std::istringstream lines(csv);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream fields(line);
    std::string kept, field;
    for (int column = 0; std::getline(fields, field, ','); ++column)
      if (column != 3) kept += field + ',';
    rows.push_back(kept);
  }
  return rows;
}

std::string ratings(std::mt19937& engine) {
  std::normal_distribution<double> normal;
  std::string text;
  for (int i = 1; i <= 60; ++i)
    for (int j = 1; j <= 50; ++j)
      if (engine() % 4 == 0 && i * j < 3000)
        text += std::to_string(i) + '\t' + std::to_string(j) + '\t' + std::to_string(normal(engine)) + '\n';
  return text + "60\t50\t1.5\n";
}

bool run_and_kill(const TestFolder& folder, const Words& words, int milliseconds) {
  Launch launch;
  launch.words = words;
  launch.folder = folder.path();
  Child child(launch);
  std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
  child.signal(SIGKILL);
  return child.wait().code == 128 + SIGKILL;
}

}  // namespace claros::test

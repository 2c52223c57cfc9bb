// SPDX-License-Identifier: BSD-3-Clause
#include "child.hpp"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <sstream>

namespace bench {

Outcome in_child(const std::function<std::vector<double>()>& work) {
  int ends[2];
  if (pipe(ends) != 0) return {};
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    int status = 0;
    try {
      const std::vector<double> numbers = work();
      const auto bytes = static_cast<ssize_t>(numbers.size() * sizeof(double));
      status = write(ends[1], numbers.data(), static_cast<std::size_t>(bytes)) == bytes ? 0 : 1;
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%s\n", error.what());
      status = 1;
    }
    close(ends[1]);
    _exit(status);
  }
  close(ends[1]);
  Outcome outcome;
  double number = 0.0;
  while (read(ends[0], &number, sizeof number) == static_cast<ssize_t>(sizeof number))
    outcome.numbers.push_back(number);
  close(ends[0]);
  int status = 0;
  rusage usage{};
  wait4(child, &status, 0, &usage);
  outcome.ok = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  outcome.peak_megabytes = static_cast<double>(usage.ru_maxrss) / 1024.0;
  return outcome;
}

std::vector<std::vector<double>> lines_of(const std::string& command) {
  std::vector<std::vector<double>> lines;
  std::FILE* output = popen(command.c_str(), "r");
  if (!output) return lines;
  char text[4096];
  while (std::fgets(text, sizeof text, output)) {
    std::istringstream stream(text);
    std::vector<double> numbers;
    for (double value = 0.0; stream >> value;) numbers.push_back(value);
    lines.push_back(numbers);
  }
  if (pclose(output) != 0) lines.clear();
  return lines;
}

double median(std::vector<double> values) {
  if (values.empty()) return 0.0;
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 ? values[half] : 0.5 * (values[half - 1] + values[half]);
}

}  // namespace bench

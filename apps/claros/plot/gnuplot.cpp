// SPDX-License-Identifier: BSD-3-Clause
#include "plot/gnuplot.hpp"

#include <claros/error.hpp>

#include <fcntl.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string_view>
#include <system_error>
#include <vector>

#include "plot/compact_svg.hpp"

namespace claros::cli {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& what) {
  throw Error(ErrorKind::numerical, "gnuplot", what,
              "run it by hand to see whether it works: gnuplot --version");
}

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (fs::temp_directory_path() / "claros-plot-XXXXXX").string();
    if (!::mkdtemp(name.data()))
      throw fs::filesystem_error("no temporary folder", name,
                                 std::error_code(errno, std::generic_category()));
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code code;
    fs::remove_all(path_, code);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  fs::path operator/(const char* name) const { return path_ / name; }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

std::string content(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// This environment in the locale C: no decimal comma.
std::vector<std::string> plain_environment() {
  std::vector<std::string> result{"LC_ALL=C"};
  for (char** variable = environ; *variable; ++variable)
    if (const std::string_view v = *variable; !v.starts_with("LC_ALL=") && !v.starts_with("GNUPLOT_"))
      result.emplace_back(v);
  return result;
}

/// In the child: only what is allowed between fork and exec.
[[noreturn]] void become(const char* program, char* const* words, char* const* environment,
                         const char* folder) {
  const int nothing = ::open("/dev/null", O_RDWR);
  const int words_back = ::chdir(folder) == 0 ? ::open("said", O_WRONLY | O_CREAT | O_TRUNC, 0600) : -1;
  if (nothing < 0 || words_back < 0) ::_exit(126);
  ::dup2(nothing, STDIN_FILENO);
  ::dup2(nothing, STDOUT_FILENO);
  ::dup2(words_back, STDERR_FILENO);
  ::execve(program, words, environment);
  ::_exit(127);
}

/// The exit code, or -1 when a signal ended it.
int run_in(const TemporaryFolder& folder, const fs::path& program) {
  std::vector<std::string> words{"gnuplot", "-d", "script"}, environment = plain_environment();
  const auto pointers = [](std::vector<std::string>& texts) {
    std::vector<char*> result;
    for (std::string& text : texts) result.push_back(text.data());
    result.push_back(nullptr);
    return result;
  };
  const std::vector<char*> word_pointers = pointers(words), environment_pointers = pointers(environment);
  const pid_t child = ::fork();
  if (child < 0) fail("cannot be started: " + std::generic_category().message(errno));
  if (child == 0)
    become(program.c_str(), word_pointers.data(), environment_pointers.data(), folder.path().c_str());
  int status = 0;
  while (::waitpid(child, &status, 0) < 0)
    if (errno != EINTR) fail("was lost: " + std::generic_category().message(errno));
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/// The line of gnuplot's error with the message: not the quoted script, not the mark below it.
std::string complaint_in(const std::string& said) {
  std::istringstream lines(said);
  std::string found;
  for (std::string line; std::getline(lines, line);)
    if (line.find("line ") != line.npos && line.find(':') != line.npos) found = line;
  return found.empty() ? said.substr(0, 200) : found;
}

}  // namespace

fs::path find_gnuplot() {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    const fs::path program = fs::path(folder) / "gnuplot";
    std::error_code code;
    if (!folder.empty() && fs::is_regular_file(program, code) && ::access(program.c_str(), X_OK) == 0)
      return fs::absolute(program);
  }
  throw Error(ErrorKind::usage, "gnuplot", "is needed to draw and is not on PATH",
              "install it: Debian package gnuplot-nox");
}

std::string draw(const fs::path& gnuplot, const std::string& script) {
  const TemporaryFolder folder;
  std::ofstream file(folder / "script", std::ios::binary);
  file << "set output 'picture'\n" << script << "\nunset output\n";
  file.close();
  if (!file) fail("its script cannot be written to " + folder.path().string());
  const int code = run_in(folder, gnuplot);
  std::string picture = content(folder / "picture");
  if (code != 0 || picture.empty()) fail("failed: " + complaint_in(content(folder / "said")));
  return picture.starts_with("<?xml") ? compact_svg(picture) : picture;
}

}  // namespace claros::cli

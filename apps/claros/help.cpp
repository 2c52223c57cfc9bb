// SPDX-License-Identifier: BSD-3-Clause
#include <claros/catalog.hpp>

#include <algorithm>
#include <system_error>

#include "command.hpp"
#include "report.hpp"
#include "terminal.hpp"

namespace claros::cli {

namespace {

constexpr std::size_t kWidth = 80;

constexpr const char* kIntroduction =
    R"(Claros minimises f(x) + R(x) + h(x) over x in C. Each letter is a plugin, composed
by name: f an objective, R a smoother, h a penalty, C a set; an algorithm solves,
fed by a gradient estimator.
)";

constexpr const char* kFirstRun = R"(
  Write four ratings (row, column, value) and a specification:

    printf '1 1 5\n1 2 3\n2 1 4\n3 2 1\n' > ratings.txt
    cat > ratings.ini <<END
    [objective]
    use = matrix-completion
    data = ratings.txt
    [set]
    use = nuclear-ball
    radius = 8
    [algorithm]
    use = frank-wolfe
    [stop]
    iterations = 200
    relative_gap = 1e-3
    END

    claros check ratings.ini                 what would run, with every default
    claros run ratings.ini --out first       solve; keep everything in first/
    claros run ratings.ini set.radius=4      the same with another radius
    claros describe nuclear-ball             what can be set
)";

constexpr const char* kExitCodes = R"(
  0    the run ended by a rule of its specification: a target or a budget
  1    a verdict failed
  2    the command line or the specification is wrong
  3    a plugin cannot be used, or broke its contract
  4    a file cannot be read or written, or holds something else
  5    the numbers failed: divergence, or no convergence
  130  interrupted (the answer so far is kept)
)";

constexpr const char* kEnvironment = R"(
  CLAROS_PLUGIN_PATH    more folders of plugins, absolute, separated by ':'
  NO_COLOR              anything but empty: no colours
  OPENBLAS_NUM_THREADS  threads of the linear algebra; 1 unless set
)";

std::string heading(const std::string& title) { return '\n' + out().bold(title); }

std::string option_rows(const std::vector<Option>& options) {
  std::string rows;
  for (const Option& option : options) rows += row(option.usage(), option.meaning, 2, 22, kWidth);
  return rows;
}

std::string plugin_folders() {
  std::string rows;
  for (const SearchFolder& folder : Catalog::default_search_path()) {
    std::error_code code;
    const bool there = std::filesystem::is_directory(folder.path, code);
    rows += row(folder.origin, folder.path.string() + (there ? "" : " (absent)"), 2, 22, kWidth);
  }
  return rows;
}

}  // namespace

std::string front_page() {
  std::string rows;
  for (const Command& c : commands()) rows += row(c.name, c.summary, 2, 12, kWidth);
  return kIntroduction + heading("usage") + "\n  claros COMMAND [ARGUMENTS] [OPTIONS]\n" +
         heading("commands") + '\n' + rows + heading("options of every command") + '\n' +
         option_rows(common_options()) + heading("a first run") + kFirstRun + heading("exit codes") +
         kExitCodes + heading("where plugins are looked for, after --plugin-path") + '\n' + plugin_folders() +
         heading("environment") + kEnvironment;
}

std::string help_page(const Command& c) {
  std::string page = wrapped(c.summary, 0, kWidth) + heading("usage") + '\n' +
                     wrapped("claros " + c.name + (c.usage.empty() ? "" : " ") + c.usage, 2, kWidth);
  if (!c.about.empty()) page += '\n' + c.about;
  if (!c.options.empty()) page += heading("options") + '\n' + option_rows(c.options);
  return page + heading("options of every command") + '\n' + option_rows(common_options());
}

int help(const Arguments& arguments) {
  const auto& words = arguments.words();
  out().write(words.empty() ? front_page() : help_page(command(words.front())));
  return kDone;
}

}  // namespace claros::cli

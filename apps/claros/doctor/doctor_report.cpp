// SPDX-License-Identifier: BSD-3-Clause
#include "doctor/doctor_report.hpp"

#include <algorithm>
#include <utility>

#include "cli/terminal.hpp"

namespace claros::cli {

namespace {

const char* word_of(doctor::Outcome outcome) {
  return outcome == doctor::Outcome::passed ? "pass" : outcome == doctor::Outcome::failed ? "FAIL" : "skip";
}

constexpr std::size_t kColumn = 30;

std::vector<const doctor::TestInfo*> chosen(std::optional<Kind> kind) {
  std::vector<const doctor::TestInfo*> all;
  for (const doctor::TestInfo& test : doctor::tests())
    if (!kind || std::find(test.kinds.begin(), test.kinds.end(), *kind) != test.kinds.end())
      all.push_back(&test);
  return all;
}

std::string kinds_text(const std::vector<Kind>& kinds) {
  if (kinds.size() == kKinds.size()) return "every kind";
  std::string text;
  for (const Kind kind : kinds) text += (text.empty() ? "" : ", ") + kind_name(kind);
  return text;
}

Json as_json(const doctor::Result& r, const std::string& rerun) {
  Json json{{"test", r.test},
            {"outcome", r.outcome == doctor::Outcome::passed ? "passed"
                        : r.failed()                         ? "failed"
                                                             : "skipped"},
            {"definition", r.definition},
            {"seconds", r.seconds}};
  if (r.outcome == doctor::Outcome::skipped) json["reason"] = r.observed;
  if (r.outcome == doctor::Outcome::passed && !r.observed.empty()) json["left_out"] = r.observed;
  if (r.failed())
    json.update({{"observed", r.observed}, {"where", r.where}, {"mistake", r.mistake}, {"rerun", rerun}});
  return json;
}

}  // namespace

void DoctorReport::begin(const doctor::Subject& subject, const std::string& rerun) {
  rerun_ = rerun;
  const PluginEntry& e = subject.entry;
  plugins_.push_back({{"kind", kind_name(e.kind)},
                      {"name", e.name},
                      {"version", e.version},
                      {"file", e.path.string()},
                      {"seed", subject.seed},
                      {"tests", Json::array()}});
  heading_ = (plugins_.size() > 1 ? "\n" : "") + out().bold(e.label()) + ' ' + e.version + ", seed " +
             std::to_string(subject.seed) + '\n';
}

void DoctorReport::loaded(const PluginEntry& entry) {
  const std::string changed = entry.changed();
  if (changed.empty()) return;
  fail("changes " + changed + " when it is loaded",
       "look for constructors of static variables, and for start-up code that -ffast-math links; Claros "
       "restores the setting");
}

void DoctorReport::unusable(const PluginEntry& entry) {
  plugins_.push_back({{"file", entry.path.string()}, {"tests", Json::array()}});
  heading_ = (plugins_.size() > 1 ? "\n" : "") + out().bold(printable(entry.problem.where)) + '\n';
  fail(entry.problem.what, entry.problem.remedy);
}

/// A failure outside of the tests: how the library was loaded.
void DoctorReport::fail(const std::string& observed, const std::string& remedy) {
  ++failures_;
  ++failing_;
  plugins_.back()["loading"] = {{"observed", observed}, {"remedy", remedy}};
  if (json_) return;
  const std::size_t width = out().width();
  out().write(std::exchange(heading_, {}) + "  " +
              out().bold(std::string(word_of(doctor::Outcome::failed)) + "  loading") + '\n' +
              row("observed", printable(observed), 6, 18, width) +
              row("what to do", printable(remedy), 6, 18, width));
}

void DoctorReport::add(const doctor::Result& result) {
  ++(result.failed() ? failures_ : result.outcome == doctor::Outcome::passed ? passed_ : skipped_);
  plugins_.back()["tests"].push_back(as_json(result, rerun_ + " --only " + result.test));
  if (json_) return;
  out().write(std::exchange(heading_, {}));  // not before something was examined
  print(result);
}

void DoctorReport::print(const doctor::Result& r) const {
  const std::size_t width = out().width();
  const std::string name = std::string(word_of(r.outcome)) + "  " + r.test;
  if (!r.failed()) {
    const std::string reason = printable(r.observed);
    out().write(reason.empty() ? "  " + name + '\n' : row(name, reason, 2, kColumn, width));
    return;
  }
  std::string page = "  " + out().bold(name) + '\n' + row("what it checks", r.definition, 6, 18, width) +
                     row("observed", printable(r.observed), 6, 18, width);
  if (!r.where.empty()) page += row("where", printable(r.where), 6, 18, width);
  if (!r.mistake.empty()) page += row("likely mistake", printable(r.mistake), 6, 18, width);
  out().write(page + "      run it alone      " + printable(rerun_ + " --only " + r.test) + '\n');
}

void DoctorReport::conclude(const doctor::Conclusion& conclusion) {
  const bool loaded = !plugins_.back().contains("loading");
  const doctor::Verdict verdict = loaded ? conclusion.verdict : doctor::Verdict::failed;
  if (loaded)
    ++(verdict == doctor::Verdict::passed   ? passing_
       : verdict == doctor::Verdict::failed ? failing_
                                            : incomplete_);
  Json untested = Json::array();
  for (const doctor::Untested& row : conclusion.untested)
    untested.push_back(
        {{"what", row.what}, {"tests", row.tests}, {"reason", row.reason}, {"remedy", row.remedy}});
  plugins_.back()["verdict"] = doctor::verdict_name(verdict);
  plugins_.back()["untested"] = untested;
  last_ = verdict == doctor::Verdict::failed ? doctor::verdict_name(verdict) : conclusion.text();
  if (several_ && !json_ && verdict == doctor::Verdict::incomplete) out().write(printable(last_) + '\n');
}

void DoctorReport::end() {
  const std::string verdict = doctor::verdict_name(this->verdict());
  if (json_)
    return out().write(json_text({{"verdict", verdict},
                                  {"passed", passed_},
                                  {"failed", failures_},
                                  {"skipped", skipped_},
                                  {"plugins_passed", passing_},
                                  {"plugins_incomplete", incomplete_},
                                  {"plugins_failed", failing_},
                                  {"plugins", plugins_}}));
  out().write(std::to_string(passed_) + " passed, " + std::to_string(failures_) + " failed, " +
              std::to_string(skipped_) + " skipped\n");
  out().write(!several_ ? printable(last_.empty() ? verdict : last_) + '\n'
                        : verdict + ": of " + std::to_string(plugins_.size()) + " plugins " +
                              std::to_string(passing_) + " passed, " + std::to_string(incomplete_) +
                              " incomplete, " + std::to_string(failing_) + " failed\n");
}

std::string tests_text(std::optional<Kind> kind) {
  std::string page;
  for (const doctor::TestInfo* test : chosen(kind))
    page += row(test->name, test->definition + (kind ? "" : " (" + kinds_text(test->kinds) + ")"), 0, 26,
                out().width());
  return page;
}

Json tests_json(std::optional<Kind> kind) {
  Json all = Json::array();
  for (const doctor::TestInfo* test : chosen(kind)) {
    Json kinds = Json::array();
    for (const Kind k : test->kinds) kinds.push_back(kind_name(k));
    all.push_back({{"test", test->name}, {"kinds", kinds}, {"definition", test->definition}});
  }
  return all;
}

}  // namespace claros::cli

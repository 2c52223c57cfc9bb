// SPDX-License-Identifier: BSD-3-Clause
#include "isolate.hpp"

#include <claros/child_process.hpp>

#include <sys/mman.h>

#include <cstring>

namespace claros::doctor {

namespace {

const std::string kCrashMistake =
    "a plugin never ends the process: look for indices out of range, uninitialised pointers, "
    "unbounded recursion, exceptions out of noexcept functions and destructors, or calls of exit and "
    "abort; --only with a debugger shows the line";

/// Fields of a result with a separator that no text holds.
constexpr char kSeparator = '\x1e';

std::string packed(const Result& r) {
  const char outcome = static_cast<char>('0' + static_cast<int>(r.outcome));
  return std::string(1, outcome) + r.observed + kSeparator + r.where + kSeparator + r.mistake + kSeparator;
}

bool unpack(const std::string& bytes, Result& r) {
  if (bytes.empty() || bytes.back() != kSeparator) return false;
  r.outcome = static_cast<Outcome>(bytes.front() - '0');
  std::istringstream in(bytes.substr(1));
  std::getline(in, r.observed, kSeparator);
  std::getline(in, r.where, kSeparator);
  std::getline(in, r.mistake, kSeparator);
  return true;
}

Result blank(const Test& test) {
  Result result;
  result.test = test.info.name;
  result.definition = test.info.definition;
  return result;
}

void become(Result& result, Outcome outcome, std::string observed, std::string where, std::string mistake) {
  result.outcome = outcome;
  result.observed = std::move(observed);
  result.where = std::move(where);
  result.mistake = std::move(mistake);
}

}  // namespace

Result run_here(const Test& test, const Subject& subject, const std::function<void(const std::string&)>& at,
                double seconds) {
  Result result = blank(test);
  Bench bench(subject, test.info.name, at, seconds);
  try {
    test.run(bench);
    result.observed = bench.left_out();
  } catch (const Failed& f) {
    become(result, Outcome::failed, f.observed, f.where, f.mistake);
  } catch (const Skipped& s) {
    become(result, Outcome::skipped, s.reason, {}, {});
  } catch (const std::exception& error) {
    become(result, Outcome::failed, said("threw: ", error.what()), bench.place(),
           "settings and points of this test are within what the interface "
           "allows; --set gives the component others");
  } catch (...) {
    become(result, Outcome::failed, "threw something that is not a std::exception", bench.place(),
           "report trouble as claros::Error");
  }
  return result;
}

namespace {

/// Memory that a child shares. The child writes there what it is about to try.
class LastPlace {
 public:
  LastPlace() : page_(::mmap(nullptr, kSize, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)) {
    if (page_ == MAP_FAILED) page_ = nullptr;
  }
  ~LastPlace() {
    if (page_) ::munmap(page_, kSize);
  }
  LastPlace(const LastPlace&) = delete;
  LastPlace& operator=(const LastPlace&) = delete;
  void write(const std::string& place) {
    if (page_) std::strncpy(static_cast<char*>(page_), place.c_str(), kSize - 1);
  }
  std::string read() const { return page_ ? static_cast<const char*>(page_) : ""; }

 private:
  static constexpr std::size_t kSize = 4096;
  void* page_;
};

}  // namespace

Result run_isolated(const Test& test, const Subject& subject, double limit) {
  LastPlace place;
  const auto work = [&] {
    return packed(run_here(
        test, subject, [&](const std::string& text) { place.write(text); }, limit));
  };
  const ChildEnd end = in_child(work, limit);
  Result result = blank(test);
  if (end.finished && unpack(end.bytes, result)) return result;
  const std::string& trouble = end.trouble;
  const std::string& crash = test.crash.empty() ? kCrashMistake : test.crash;
  const bool hung = end.trouble.starts_with("did not end");
  become(
      result, Outcome::failed, trouble, place.read(),
      hung ? "an endless loop, or work that grows without bound; --limit gives slow tests more time" : crash);
  return result;
}

}  // namespace claros::doctor

// SPDX-License-Identifier: BSD-3-Clause
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

namespace {

/// How many test cases the filters of the command line leave.
class Chosen final : public doctest::IReporter {
 public:
  explicit Chosen(const doctest::ContextOptions& options)
      : listed_(options.list_test_cases || options.help || options.version) {}
  static inline bool none = false;

  void report_query(const doctest::QueryData& /*query*/) override {}
  void test_run_start() override {}
  void test_run_end(const doctest::TestRunStats& stats) override {
    none = !listed_ && stats.numTestCasesPassingFilters == 0;
  }
  void test_case_start(const doctest::TestCaseData& /*test*/) override {}
  void test_case_reenter(const doctest::TestCaseData& /*test*/) override {}
  void test_case_end(const doctest::CurrentTestCaseStats& /*stats*/) override {}
  void test_case_exception(const doctest::TestCaseException& /*exception*/) override {}
  void subcase_start(const doctest::SubcaseSignature& /*subcase*/) override {}
  void subcase_end() override {}
  void log_assert(const doctest::AssertData& /*assertion*/) override {}
  void log_message(const doctest::MessageData& /*message*/) override {}
  void test_case_skipped(const doctest::TestCaseData& /*test*/) override {}

 private:
  bool listed_;
};

}  // namespace

DOCTEST_REGISTER_LISTENER("chosen", 1, Chosen);

/// As doctest's own, but a filter that matches no test case is a failure.
int main(int argc, char** argv) {
  const int result = doctest::Context(argc, argv).run();
  return result == 0 && Chosen::none ? 3 : result;
}

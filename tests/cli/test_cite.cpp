// SPDX-License-Identifier: BSD-3-Clause
#include "program.hpp"

using namespace claros::test;

TEST_CASE("cite: the sources of a specification, of names, and of Claros") {
  const TestFolder folder;
  put_problem(folder);
  const auto own = ask("/", {"cite"});
  CHECK(own.code == 0);
  CHECK(contains(own.out, "The Claros authors (2026). Claros: "));
  CHECK_FALSE(contains(own.out, "Jaggi"));
  const auto spec = ask(folder.path(), {"cite", "spec.ini", "estimator/full", "nfwu"});
  CHECK(spec.code == 0);
  for (const std::string part :
       {"objective/matrix-completion", "set/nuclear-ball", "algorithm/frank-wolfe",
        "Jaggi: Revisiting Frank-Wolfe, ICML 2013, section 4", "no source is named by estimator/full"})
    CHECK_MESSAGE(contains(spec.out, part), part);
  CHECK(spec.out.find("algorithm/frank-wolfe") == spec.out.rfind("algorithm/frank-wolfe"));
}

TEST_CASE("cite: BibTeX") {
  const auto outcome = ask("/", {"cite", "--bibtex", "nuclear-ball", "full"});
  CHECK(outcome.code == 0);
  for (const std::string part : {"@misc{claros,", "year = {2026}", "@misc{claros-set-nuclear-ball,",
                                 "note = {Jaggi: Revisiting Frank-Wolfe, ICML 2013, section 4}",
                                 "% no source is named by estimator/full"})
    CHECK_MESSAGE(contains(outcome.out, part), part);
}

TEST_CASE("cite: misspelt words are all answered") {
  const auto outcome = ask("/", {"cite", "nuclear-bal", "absent.ini"});
  CHECK(outcome.code == 2);
  CHECK(lines(outcome.err).size() == 2);
  CHECK(contains(outcome.err, "'nuclear-ball'"));
}

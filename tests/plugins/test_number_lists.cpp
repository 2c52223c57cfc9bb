// SPDX-License-Identifier: BSD-3-Clause
// A list of numbers that is given as a matrix has its entries in the order of the variable, column-major.
#include "compose_for_test.hpp"

namespace claros::test::number_lists {

namespace {

const Words kMatrix{"objective.use=distance", "objective.data=1 5; 2 7", "stop.iterations=50",
                    "stop.relative_gap=1e-9"};

/// The words of a component with a list, and its key.
const std::vector<std::pair<Words, std::string>> kLists{
    {{"set.use=moved", "set.inner.use=l2-ball", "set.inner.radius=1"}, "set.shift"},
    {{"set.use=ellipsoid", "set.radius=1"}, "set.axes"},
    {{"set.use=ellipsoid", "set.radius=1"}, "set.center"},
    {{"set.use=lp-ball", "set.radius=1", "set.p=3"}, "set.weights"},
    {{"set.use=permutahedron"}, "set.values"},
    {{"set.use=ordered-weight", "set.radius=1"}, "set.weights"},
    {{"penalty.use=slope", "penalty.lambda=0.1"}, "penalty.weights"},
};

}  // namespace

TEST_CASE("lists of numbers: a matrix, in a file or written out, is read column-major by every component") {
  const TestFolder folder;
  folder.put("matrix.csv", "4,2\n3,1\n");
  folder.put("column.csv", "4\n3\n2\n1\n");
  folder.put("row.csv", "4,3,2,1\n");
  for (const auto& [words, key] : kLists) {
    CAPTURE(key);
    CAPTURE(words.front());
    const auto answer = [&](const std::string& list) {
      return solve(kMatrix + words + Words{key + '=' + list}).answer;
    };
    const Element wanted = answer("4 3 2 1");
    for (const std::string file : {"matrix.csv", "column.csv", "row.csv"})
      CHECK(same_bits(answer((folder / file).string()), wanted));
    for (const std::string text : {"4 2; 3 1", "4; 3; 2; 1", "4,3,2,1", "4 3 2 1;"})
      CHECK(same_bits(answer(text), wanted));
    CHECK(contains(composing_refused(kMatrix + words + Words{key + "=4 3; 2"}), "row 2 has 1 numbers"));
  }
}

TEST_CASE(
    "lists of numbers: a matrix that is neither the covariance nor one row of its diagonal is refused") {
  const TestFolder folder;
  folder.put("rows.csv", "1,2,3,4,1\n2,1,0,1,2\n0,1,1,2,0\n");
  folder.put("errors.csv", "0.1,0.2\n0.3,0.4\n");
  folder.put("diagonal.csv", "0.1\n0.3\n0.2\n0.4\n");
  const Words model{"objective.use=linear-model",
                    "objective.data=" + (folder / "rows.csv").string(),
                    "objective.intercept=no",
                    "set.use=l1-ball",
                    "set.radius=1",
                    "stop.iterations=20"};
  const auto with_errors = [&](const std::string& text) {
    return model + Words{"objective.errors_in_variables=" + text};
  };
  CHECK(contains(refusal(ErrorKind::data, [&] { solve(with_errors((folder / "errors.csv").string())); }),
                 "is a matrix of 2 x 2"));
  const Element by_file = solve(with_errors((folder / "diagonal.csv").string())).answer;
  CHECK(same_bits(solve(with_errors("0.1,0.3,0.2,0.4")).answer, by_file));
  CHECK(same_bits(solve(with_errors("0.1 0 0 0; 0 0.3 0 0; 0 0 0.2 0; 0 0 0 0.4")).answer, by_file));
}

}  // namespace claros::test::number_lists

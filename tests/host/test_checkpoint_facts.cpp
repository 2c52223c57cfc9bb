// SPDX-License-Identifier: BSD-3-Clause
// What a checkpoint belongs to: any one number, name or weight of data in memory that differs is named,
// as is any setting but those that end and keep a run; a damaged file is refused at every byte.
#include "small_host.hpp"

#include "../core/test_files.hpp"

#include <claros/io/memory_data.hpp>
#include <claros/results/checkpoint.hpp>

#include <functional>

namespace claros::test::checkpoint_facts {

namespace {

constexpr Index kRows = 6, kCols = 3;

/// Everything that data of rows may have.
struct Rows {
  std::vector<double> a = normals(1, kRows*kCols), y = normals(2, kRows), weights, offset, responses;
  std::vector<std::string> names;
  bool single = false, by_columns = false;

  std::shared_ptr<const Dataset> dense() const {
    const RowFacts facts{.weights = weights, .offset = offset, .column_names = names, .responses = responses};
    const std::vector<float> floats(a.begin(), a.end());
    if (single) return data_from_rows(floats, kRows, kCols, y, Entries::copied, facts);
    if (!by_columns) return data_from_rows(a, kRows, kCols, y, Entries::copied, facts);
    return data_from_columns(a, kRows, kCols, y, Entries::referenced, facts);
  }
};

/// Compressed rows (or columns) of three entries each.
struct Compressed {
  std::vector<Index> start{0, 2, 3, 3};
  std::vector<std::int32_t> column{0, 2, 1};
  std::vector<double> value{1.5, -2.0, 0.5}, y{1.0, 2.0, 3.0};
  Index cols = 3;
  bool by_columns = false;

  std::shared_ptr<const Dataset> data() const {
    return by_columns ? data_from_compressed_columns(start, column, value, cols, y, Entries::referenced)
                      : data_from_compressed_rows(start, column, value, cols, y);
  }
};

struct Triplets {
  std::vector<std::int32_t> row{0, 1, 2, 3}, col{1, 0, 2, 1};
  std::vector<double> value{1.0, 2.0, 3.0, 4.0}, weight;
  Index rows = 4, cols = 3;

  std::shared_ptr<const Dataset> data() const {
    return data_from_triplets(row, col, value, rows, cols, "error", weight);
  }
};

const std::vector<std::string> kLinear{"objective.use=linear-model", "penalty.use=l1", "penalty.lambda=0.1",
                                       "stop.iterations=5"},
    kMatrix{"objective.use=matrix-completion", "set.use=nuclear-ball", "set.radius=2", "stop.iterations=5"};

Composition composed(const std::shared_ptr<const Dataset>& data, const std::vector<std::string>& words,
                     const std::vector<std::string>& more = {}) {
  Spec spec;
  spec.assign(words);
  for (const std::string& word : more) spec.assign({word});
  HostParts parts;
  parts.data = data;
  return compose(build_catalog(), spec, parts);
}

void write_checkpoint(const TestFolder& folder, const Composition& c) {
  CheckpointFile(folder.path(), c, "one").write([](const ByteSink& sink) { sink("sta"), sink("te"); });
}

/// What another composition is refused for at that checkpoint; "accepted" where it has its state.
std::string told(const TestFolder& folder, const Composition& c, const std::string& run = "one") {
  try {
    const auto state = read_checkpoint(folder.path(), c, run);
    REQUIRE(state);
    CHECK(state->bytes() == "state");
    return "accepted";
  } catch (const Error& error) {
    return error.what();
  }
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

template <class Data>
struct Change {
  const char* name;
  std::function<void(Data&)> change;
};

/// Each change alone is named, be it from the plain data or from those with all facts.
template <class Data, class Make>
void check_changes(const std::vector<std::string>& words, const Data& data, const Make& make,
                   const std::vector<Change<Data>>& changes) {
  const TestFolder folder;
  write_checkpoint(folder, composed(make(data), words));
  CHECK(told(folder, composed(make(Data(data)), words)) == "accepted");
  for (const Change<Data>& change : changes) {
    CAPTURE(change.name);
    Data other(data);
    change.change(other);
    CHECK(contains(told(folder, composed(make(other), words)), "data in memory was '"));
  }
}

}  // namespace

TEST_CASE("checkpoints: another number, weight, offset, name or layout of dense rows in memory is named") {
  const auto make = [](const Rows& rows) { return rows.dense(); };
  const std::vector<Change<Rows>> of_all{{"first entry", [](Rows& r) { r.a.front() += 1e-12; }},
                                         {"last entry", [](Rows& r) { r.a.back() = 0.0; }},
                                         {"two exchanged", [](Rows& r) { std::swap(r.a[1], r.a[4]); }},
                                         {"response", [](Rows& r) { r.y.back() += 1.0; }}};
  check_changes(kLinear, Rows(), make, of_all);
  check_changes<Rows>(kLinear, Rows(), make,
                      {{"precision", [](Rows& r) { r.single = true; }},
                       {"layout", [](Rows& r) { r.by_columns = true; }},
                       {"weights", [](Rows& r) { r.weights = std::vector<double>(kRows, 1.0); }},
                       {"offsets", [](Rows& r) { r.offset = std::vector<double>(kRows, 0.0); }},
                       {"names", [](Rows& r) {
                          r.names = {"a", "b", "c"};
                        }}});
  Rows full;
  full.weights = {1, 2, 3, 4, 5, 6}, full.offset = {0, 1, 0, 1, 0, 1}, full.names = {"a", "bc", "d"};
  check_changes(kLinear, full, make, of_all);
  check_changes<Rows>(kLinear, full, make,
                      {{"last weight", [](Rows& r) { r.weights.back() = 7.0; }},
                       {"first offset", [](Rows& r) { r.offset.front() = 0.5; }},
                       {"name", [](Rows& r) { r.names[2] = "e"; }},
                       {"border of names", [](Rows& r) {
                          r.names = {"ab", "c", "d"};
                        }}});
  Rows columns;
  columns.by_columns = true;
  check_changes(kLinear, columns, make, of_all);
  Rows single;
  single.single = true;
  check_changes<Rows>(kLinear, single, make, {{"entry", [](Rows& r) { r.a.back() = 0.25; }}});
  Rows several;
  several.y.clear(), several.responses = normals(3, 2 * kRows);
  check_changes<Rows>(kLinear, several, make,
                      {{"last response", [](Rows& r) { r.responses.back() += 1.0; }},
                       {"two exchanged", [](Rows& r) { std::swap(r.responses[0], r.responses[1]); }}});
}

TEST_CASE("checkpoints: another entry, place or size of sparse rows and of triplets in memory is named") {
  for (const bool by_columns : {false, true}) {
    CAPTURE(by_columns);
    Compressed plain;
    plain.by_columns = by_columns;
    check_changes<Compressed>(kLinear, plain, [](const Compressed& c) { return c.data(); },
                              {{"value", [](Compressed& c) { c.value[1] = -2.5; }},
                               {"column", [](Compressed& c) { c.column[2] = 2; }},
                               {"start",
                                [](Compressed& c) {
                                  c.start = {0, 2, 2, 3};
                                }},
                               {"layout", [](Compressed& c) { c.by_columns = !c.by_columns; }}});
  }
  check_changes<Compressed>(kLinear, {}, [](const Compressed& c) { return c.data(); },
                            {{"columns", [](Compressed& c) { c.cols = 4; }}});
  Triplets weighted;
  weighted.weight = {1.0, 1.0, 1.0, 1.0};
  for (const Triplets& triplets : {Triplets(), weighted})
    check_changes<Triplets>(kMatrix, triplets, [](const Triplets& t) { return t.data(); },
                            {{"value", [](Triplets& t) { t.value[3] = 5.0; }},
                             {"row", [](Triplets& t) { t.row[3] = 2; }},
                             {"column", [](Triplets& t) { t.col[3] = 2; }},
                             {"rows", [](Triplets& t) { t.rows = 5; }},
                             {"columns", [](Triplets& t) { t.cols = 4; }},
                             {"weight", [](Triplets& t) {
                                t.weight = {1.0, 1.0, 1.0, 2.0};
                              }}});
}

TEST_CASE("checkpoints: a setting that changes steps is named, and one that ends or keeps a run is not") {
  const TestFolder folder;
  const auto data = Rows().dense();
  write_checkpoint(folder, composed(data, kLinear, {"run.seed=3"}));
  struct Setting {
    const char* word;
    const char* sentence;
  };
  for (const Setting& s : {Setting{"stop.iterations=9", "accepted"}, Setting{"stop.seconds=5", "accepted"},
                           Setting{"output.solution=no", "accepted"}, Setting{"run.threads=2", "accepted"},
                           Setting{"run.seed=4", "run.seed was '3' and is '4'"},
                           Setting{"penalty.lambda=0.2", "penalty.lambda was '0.1' and is '0.2'"},
                           Setting{"objective.intercept=yes", "objective.intercept was "},
                           Setting{"trace.every=2", "trace.every was '"}}) {
    CAPTURE(s.word);
    const std::string found = told(folder, composed(data, kLinear, {"run.seed=3", s.word}));
    CHECK_MESSAGE(contains(found, s.sentence), found);
  }
  const Composition same = composed(data, kLinear, {"run.seed=3"});
  CHECK(contains(told(folder, same, "two"), "belongs to run one, and spec.ini beside it to run two"));
}

TEST_CASE("checkpoints: a file that is cut off or has another byte in its head is refused") {
  const TestFolder folder;
  const Composition c = composed(Rows().dense(), kLinear);
  CHECK_FALSE(read_checkpoint(folder.path(), c, "one"));
  write_checkpoint(folder, c);
  const std::string bytes = folder.get("checkpoint");
  const std::size_t head = bytes.size() - std::string("state").size();
  REQUIRE(bytes.substr(head) == "state");
  for (std::size_t size = 0; size < head; size += size < 40 ? 1 : 29) {
    folder.put("checkpoint", bytes.substr(0, size));
    CHECK(contains(told(folder, c), "not a whole checkpoint"));
  }
  for (std::size_t at = 0; at < head; at += at < 40 ? 1 : 29) {
    CAPTURE(at);
    std::string damaged = bytes;
    damaged[at] ^= 1;
    folder.put("checkpoint", damaged);
    CHECK(contains(told(folder, c), "not a whole checkpoint"));
  }
}

TEST_CASE(
    "checkpoints: a run whose file changed before its contents were known goes on, and is not resumed") {
  const TestFolder folder;
  const std::string file = folder.put("rows.csv", "a,y\n1,2\n2,3\n3,7\n").string();
  const auto composed_from_file = [&](std::vector<std::string>& warnings) {
    Spec spec;
    spec.assign({"objective.use=linear-model", "objective.data=" + file, "penalty.use=l1",
                 "penalty.lambda=0.1", "stop.iterations=5"});
    return compose(build_catalog(), spec, [&](Severity severity, const std::string& text) {
      if (severity == Severity::warning) warnings.push_back(text);
    });
  };
  std::vector<std::string> warnings;
  const Composition read = composed_from_file(warnings);
  CHECK(changed_inputs(read).empty());
  folder.put("rows.csv", "a,y\n1,2\n2,3\n3,70\n");
  write_checkpoint(folder, read);
  REQUIRE(warnings.size() == 1);
  CHECK(contains(warnings[0], "objective.data: the file has changed since this run read it"));
  CHECK(changed_inputs(read) == std::vector<std::string>{file});
  const Composition now = composed_from_file(warnings);
  CHECK(changed_inputs(now).empty());
  CHECK(contains(told(folder, now), "contents of objective.data was 'changed while the run read it'"));
}

TEST_CASE("checkpoints: an empty name is no file, and a folder has no contents that change") {
  const TestFolder folder;
  std::filesystem::create_directory(folder / "column");
  const auto composed_there = [&] {
    Spec spec(folder.path());
    spec.assign({"objective.use=quadratic", "objective.diagonal=4 2 1", "set.use=simplex", "set.radius=1"});
    Composition made = compose(build_catalog(), spec);
    (void)made.context.resolve("");
    (void)made.context.resolve("column");
    return made;
  };
  const Composition c = composed_there();
  folder.put("column/more", "x");
  folder.put("another", "x");
  CHECK(changed_inputs(c).empty());
  write_checkpoint(folder, c);
  CHECK(told(folder, composed_there()) == "accepted");
}

}  // namespace claros::test::checkpoint_facts

// SPDX-License-Identifier: BSD-3-Clause
// The plugins of this tree with values of their text parameters, which the kit does not vary: weights that
// differ from 1 and from each other, groups of several sizes whose entries are not neighbours, centres and
// shifts away from 0, files of data.
#include "../core/test_files.hpp"
#include "own_plugins.hpp"

#include <claros/random.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

using namespace claros;

namespace {

using Words = std::vector<std::string>;
using Shapes = std::vector<Shape>;

/// What a plugin is made with, and the shapes of its variable where the texts fix them.
struct Row {
  std::string name;
  Words words;
  Shapes shapes = {};
  /// False where the other parameters are those of a file's format, or make the component too slow.
  bool vary = true;
};

const Shapes kSix{Shape::vector(6), Shape::matrix(2, 3)};

/// Numbers from -1 to 1 of a fixed stream, written with few decimals.
class Draws {
 public:
  explicit Draws(std::uint32_t instance) : random_(7, Purpose::test, instance) {}
  double number() { return std::round(2e3 * random_.uniform() - 1e3) / 1e3; }
  double between(double low, double high) { return low + 0.5 * (number() + 1.0) * (high - low); }
  Index index(Index n) { return random_.index(n); }
  bool happens(double probability) { return random_.uniform() < probability; }

 private:
  RandomStream random_;
};

std::string matrix_text(Index rows, Index cols, const std::vector<double>& column_major) {
  std::string text;
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < cols; ++j)
      text += print_real(column_major[static_cast<std::size_t>(j * rows + i)]) + (j + 1 < cols ? "," : "\n");
  return text;
}

std::string random_matrix(std::uint32_t instance, Index rows, Index cols) {
  Draws draws(instance);
  std::vector<double> values(static_cast<std::size_t>(rows * cols));
  for (double& value : values) value = draws.number();
  return matrix_text(rows, cols, values);
}

/// H_2 H_1 D H_1 H_2 with reflections H and the eigenvalues 1, ..., 100 in D, each the same factor apart.
std::string symmetric_matrix(Index n) {
  const auto size = static_cast<std::size_t>(n);
  std::vector<double> q(size * size, 0.0);
  for (std::size_t j = 0; j < size; ++j)
    q[j * size + j] = std::pow(100.0, static_cast<double>(j) / static_cast<double>(n - 1));
  Draws draws(1);
  for (int turn = 0; turn < 2; ++turn) {
    std::vector<double> v(size);
    double square = 0.0;
    for (double& value : v) value = draws.number(), square += value * value;
    for (const bool rows : {true, false})  // H Q H, H = I - 2 v v' / v'v
      for (std::size_t k = 0; k < size; ++k) {
        const auto at = [&](std::size_t j) -> double& { return rows ? q[k * size + j] : q[j * size + k]; };
        double sum = 0.0;
        for (std::size_t j = 0; j < size; ++j) sum += v[j] * at(j);
        for (std::size_t j = 0; j < size; ++j) at(j) -= 2.0 * sum / square * v[j];
      }
  }
  for (std::size_t j = 0; j < size; ++j)
    for (std::size_t i = 0; i < j; ++i) q[i * size + j] = q[j * size + i];
  return matrix_text(n, n, q);
}

/// Rows of a study: times with ties, events in each of three strata, weights, offsets, a category, two
/// responses, a label, a count and four numbers. Events come oftener and sooner with the offset than its
/// factor exp(o) says, so that a bound which forgets the offsets is too high, and not only weak.
std::string study(Index rows = 36) {
  Draws draws(2);
  std::string text = "time,event,stratum,weight,offset,kind,fold,y1,y2,label,count,x1,x2,x3,x4\n";
  for (Index i = 0; i < rows; ++i) {
    const double offset = draws.number();
    const auto add = [&](double value) { text += print_real(value) + ","; };
    const auto whole = [&](Index k) { text += std::to_string(k) + ","; };
    whole(1 + draws.index(offset > 0.0 ? 2 : 5)), whole(draws.happens(offset > 0.0 ? 0.9 : 0.5) ? 1 : 0);
    whole(i % 3), add(draws.between(0.2, 3.0)), add(offset), whole(draws.index(3)), whole(i % 4);
    add(3.0 * draws.number()), add(draws.number()), whole(1 + draws.index(4)), whole(draws.index(5));
    for (int j = 0; j < 4; ++j) add(2.0 * draws.number());
    text.back() = '\n';
  }
  return text;
}

/// Lines row, column, value, weight of some entries of a 7 x 5 matrix, every row and column among them.
std::string ratings(std::uint32_t instance, double share, bool weighted) {
  Draws draws(instance);
  std::string text;
  for (Index i = 0; i < 7; ++i)
    for (Index j = 0; j < 5; ++j) {
      const double value = draws.between(0.0, 3.0), weight = draws.between(0.2, 3.0);
      if (!draws.happens(share) && i % 5 != j) continue;
      text += std::to_string(i + 1) + "\t" + std::to_string(j + 1) + "\t" + print_real(value) +
              (weighted ? "\t" + print_real(weight) : "") + "\n";
    }
  return text;
}

/// A list i, row, column, value of 20 measurements of a 4 x 3 matrix.
std::string sparse_measurements() {
  Draws draws(3);
  std::string text;
  for (Index i = 0; i < 20; ++i)
    for (Index k = 0; k < 12; ++k)
      if (draws.happens(0.3) || k == i % 12)
        text += std::to_string(i + 1) + "," + std::to_string(k % 4 + 1) + "," + std::to_string(k / 4 + 1) +
                "," + print_real(draws.number()) + "\n";
  return text;
}

const TestFolder& files() {
  static const TestFolder folder;
  return folder;
}
/// "key=FILE" of that content.
std::string put(const std::string& key, const std::string& name, const std::string& content) {
  return key + "=" + files().put(name, content).string();
}

std::vector<Row> objectives() {
  const std::string samples = put("data", "samples.csv", random_matrix(10, 15, 5)),
                    rows = put("data", "study.csv", study()),
                    square = put("data", "square.csv", symmetric_matrix(6)),
                    factors = put("data", "factors.csv", random_matrix(11, 6, 3)),
                    image = put("data", "image.csv", random_matrix(12, 5, 4)),
                    holes = put("data", "holes.csv", "1,,-2\n,0.5,NaN\n3,-1,2\n"),
                    entries = put("data", "entries.tsv", ratings(13, 0.6, true)),
                    test = put("test", "test.tsv", ratings(14, 0.3, true)),
                    left = put("row_features", "left.csv", random_matrix(15, 7, 4)),
                    right = put("col_features", "right.csv", random_matrix(16, 5, 4)),
                    responses = put("response", "responses.txt", random_matrix(17, 20, 1)),
                    dense_rows = put("data", "dense_rows.csv", random_matrix(18, 20, 12)),
                    left_rows = put("data", "left_rows.csv", random_matrix(19, 20, 4)),
                    right_rows = put("right", "right_rows.csv", random_matrix(20, 20, 3)),
                    list = put("data", "list.csv", sparse_measurements()),
                    truth = put("truth", "truth.csv", random_matrix(21, 4, 3)),
                    errors = put("errors_in_variables", "errors.txt", "0.1\n0.3\n0.05\n0.2\n");
  const std::string sparse =
      "%%MatrixMarket matrix coordinate real symmetric\n6 6 8\n1 1 4\n2 2 30\n3 3 9\n4 4 2\n5 5 60\n6 6 5\n"
      "2 1 1.5\n5 3 -4\n";
  const std::string coordinates = put("data", "coordinates.mtx", sparse);
  const std::string no_times = "without=time,event,stratum,fold,label,count,y1,y2";
  const Words sizes{"rows=7", "cols=5"};  // given, for the largest that are allowed take all memory
  return {
      {"covariance", {samples}},
      {"cox",
       {rows, "response=time", "event=event", "strata=stratum", "weights=weight", "offset=offset",
        "groups=fold", "columns=x1,x2,x3,kind", "categorical=kind", "ties=breslow"},
       {},
       false},
      {"cox",
       {rows, "response=time", "event=event", "strata=stratum", "weights=weight", "offset=offset",
        "without=kind,fold,y1,y2,label,count", "ties=efron"},
       {},
       false},
      {"cox",
       {rows, "response=time", "event=event", "weights=weight", "columns=x1,x2,x3,x4", "ties=efron",
        "standardize=true"},
       {},
       false},
      {"distance",
       {image, put("weights", "image_weights.csv",
                   "1,2,0.5,3\n0.2,1.5,4,1\n0,2,1,0.3\n"
                   "5,1,0.7,2\n1.2,0.4,3,6\n")}},
      {"distance", {holes}},
      {"distance", {"data=1 -2 0.5 3", "weights=0.5 2 3 1"}},
      {"linear", {"data=1 -2 0.5; 3 0 -1"}},
      {"linear-model",
       {rows, "response=y1", "weights=weight", "offset=offset", "groups=fold", "columns=x1,x2,x3,kind",
        "categorical=kind"},
       {},
       false},
      {"linear-model",
       {rows, "response=y1", "weights=weight", "offset=offset", "intercept=true", "standardize=true",
        "columns=x1,x2,x3,x4", "loss=huber"},
       {},
       false},
      {"linear-model",
       {rows, "response=label", "positive=1,3", "loss=logistic", "weights=weight",
        no_times + ",kind,weight,offset", "intercept=true"},
       {},
       false},
      // Sums go by blocks of rows, whose weights are not those of the first block.
      {"linear-model",
       {put("data", "many.csv", study(600)), "response=y1", "weights=weight", "columns=x1,x2,x3,x4"},
       {},
       false},
      {"linear-model", {rows, "responses=y1,y2", "weights=weight", "columns=x1,x2,x3,x4"}, {}, false},
      {"linear-model",
       {rows, "response=label", "loss=multinomial", "weights=weight", "columns=x1,x2,x3,x4"},
       {},
       false},
      {"linear-model",
       {rows, "response=count", "loss=poisson", "weights=weight", "offset=offset", "columns=x1,x2,x3,x4"},
       {},
       false},
      {"linear-model", {rows, "response=y1", "shape=2x2", "columns=x1,x2,x3,x4", errors}, {}, false},
      {"log-det", {samples}},
      {"log-det", {square}},
      {"matrix-completion", {entries, test, left, right, sizes[0], sizes[1], "weights=column"}, {}, false},
      {"matrix-completion",
       {entries, test, left, sizes[0], sizes[1], "weights=column", "row_indicators=0.7", "loss=huber"},
       {},
       false},
      {"matrix-completion",
       {entries, test, sizes[0], sizes[1], "weights=column", "center=biases"},
       {},
       false},
      {"matrix-completion",
       {entries, sizes[0], sizes[1], "implicit=true", "confidence=2", "unobserved=0.3"},
       {},
       false},
      {"matrix-sensing", {dense_rows, responses, "measurements=dense", "rows=4", "cols=3"}, {}, false},
      {"matrix-sensing", {list, responses, "measurements=sparse", "rows=4", "cols=3"}, {}, false},
      {"matrix-sensing", {left_rows, responses, right_rows, "measurements=rank-one"}, {}, false},
      {"matrix-sensing", {left_rows, responses, "measurements=symmetric", "loss=huber"}, {}, false},
      {"matrix-sensing", {"draws=gaussian", truth, "noise=0.3"}, {}, false},
      {"matrix-sensing", {"draws=rank-one", truth, "noise=0.3"}, {}, false},
      {"noisy-matrix", {image}},
      {"quadratic", {square, "form=matrix", "diagonal=0.5", "linear=20 -3 15 0 40 -30"}},
      {"quadratic", {factors, "form=factors", "diagonal=0.5 1 2 3 4 5", "linear=2 -3 1 0 4 -1"}},
      {"quadratic", {samples, "form=samples", "linear=mean"}},
      {"quadratic", {coordinates, "linear=2 -30 10 0 40 -1"}},
      {"quadratic", {square, "diagonal=-3"}},
      {"square-root",
       {rows, "response=y1", "weights=weight", "offset=offset", "groups=fold", "columns=x1,x2,x3,kind",
        "categorical=kind"},
       {},
       false},
      {"square-root",
       {rows, "response=y1", "weights=weight", "offset=offset", no_times + ",kind", "intercept=true",
        "sigma=1.5"},
       {},
       false},
  };
}

std::vector<Row> sets() {
  const std::string weights = put("weights", "group_weights.txt", "0.5\n2\n3\n");
  return {
      {"box", {"lowers=-1 0 -2 0.5 -0.3 0", "uppers=1 0 3 0.7 2 1.5"}, kSix},
      {"cached", {"inner=l1-ball", "keep=3"}, kSix},
      {"ellipsoid", {"axes=1 2 0.5 3 0.7 1.5", "center=1 -2 0.5 0 3 -0.3"}, kSix},
      {"flow",
       {"graph=1 2; 2 3; 3 2; 1 3; 3 4; 2 4; 4 3; 4 5; 3 5", "source=1", "target=5"},
       {Shape::vector(9)}},
      {"group-ball", {"groups=0, 3; 1, 4, 5; 2", weights}, kSix},
      {"group-ball", {"groups=0, 3; 1, 4, 5; 2", "weights=sqrt"}, kSix},
      {"lp-ball", {"weights=1 2 0.5 3 0.7 1.5"}, kSix},
      {"matroid-base", {"matroid=partition", "groups=0, 3; 1, 4, 5, 6; 2", "rank=1 2 1"}, {Shape::vector(7)}},
      {"matroid-base", {"matroid=graphic", "graph=1 2; 2 3; 1 3; 3 4; 2 4"}, {Shape::vector(5)}},
      {"matroid-base", {"rank=3"}, kSix},
      {"moved", {"inner=simplex", "shift=1 -2 0.5 0 3 -0.3"}, kSix},
      {"moved", {"inner=l2-ball", "shift=2"}},
      {"ordered-weight", {"weights=3 1 1 0.2 0.1 0"}, kSix},
      {"permutahedron", {"values=3 -1.5 0 0 2 7"}, kSix},
      {"polytope", {"program=1 2 1 <= 4; 3 -1 0.5 <= 6; 1 1 1 >= 1; 1 -1 2 = 0.5"}, {Shape::vector(3)}},
      {"product",
       {"sizes=3 2x2 1", "blocks.1.use=simplex", "blocks.1.radius=1.5", "blocks.2.use=spectrahedron",
        "blocks.2.radius=0.7", "blocks.3.use=box", "blocks.3.lower=1"},
       {Shape::vector(8), Shape::matrix(2, 4)}},
      {"transport", {"rows=3 2", "columns=1 2.5 1.5"}, {Shape::matrix(2, 3)}},
      {"vertices", {"vertices=1 0 2; -1 3 0; 0 0 0; 2 2 -1; 0.5 1 0.2; 1 0 2"}, {Shape::vector(3)}},
  };
}

std::vector<Row> penalties() {
  const std::string weights = put("weights", "group_weights.txt", "0.5\n2\n3\n"),
                    tree = put("weights", "tree_weights.txt", "0.5\n2\n3\n0.7\n");
  std::vector<Row> rows;
  for (const std::string name : {"capped-l1", "elastic-net", "l1", "log-sum", "mcp", "ridge", "scad"}) {
    rows.push_back({name, {"weights=1.5,0.5,2,3,0.7,1.2"}, kSix});
    rows.push_back({name, {"weights=1.5,0,2,inf,0.7,1"}, kSix});
  }
  rows.push_back({"box", {"lowers=-1 0 -2 0.5 -0.3 0", "uppers=1 0 3 0.7 2 1.5"}, kSix});
  rows.push_back({"slope", {"weights=3 1 1 0.2 0.1 0"}, kSix});
  for (const std::string name : {"exclusive", "group", "group-mcp", "group-scad", "sparse-group"})
    rows.push_back({name, {"groups=0, 3; 1, 4, 5; 2", weights}, kSix});
  rows.push_back({"group", {"groups=0, 3; 1, 4, 5; 2", "weights=sqrt", "norm=linf"}, kSix});
  rows.push_back(
      {"overlapping-group", {"groups=0, 3, 5; 1, 4, 5; 2, 0", weights}, {Shape::vector(6)}, false});
  rows.push_back({"tree-group", {"groups=0, 3, 5, 1; 0, 3; 2, 4; 5", tree}, kSix});
  rows.push_back({"composed", {"map=graph", "data=1 2 0.5; 2 3 2; 1 4 3; 5 6 1; 4 6 0.7", "inner=l1"}, kSix});
  rows.push_back(
      {"composed",
       {"map=matrix", "data=1 2 0.5 0 0 -1; 0 3 -2 1 0 0; 1 0 0 0 2 1", "inner=l1", "inner.weights=0.5,2,1"},
       kSix});
  rows.push_back({"separable-sum",
                  {"sizes=3 2x2 1", "blocks.1.use=l1", "blocks.1.lambda=0.7", "blocks.1.weights=0.5,2,1",
                   "blocks.2.use=nuclear", "blocks.2.lambda=0.4", "blocks.3.use=ridge", "blocks.3.lambda=2"},
                  {Shape::vector(8), Shape::matrix(2, 4)}});
  for (const std::string concave : {"mcp", "log-sum"})
    rows.push_back(
        {"sum", {"terms.1.use=" + concave, "terms.1.lambda=0.8", "terms.2.use=nonnegative"}, kSix, false});
  rows.push_back({"sum",
                  {"terms.1.use=scad", "terms.1.lambda=0.5", "terms.2.use=ridge", "terms.2.lambda=0.4",
                   "terms.3.use=box", "terms.3.lower=-0.7", "terms.3.upper=0.9"},
                  kSix,
                  false});
  return rows;
}

/// Rows A_i, column after column, and b_i. Two are opposite: where both have the weight 1/2, the curvature is
/// max ||A_i||^2 / mu, the constant that is stated.
std::vector<Row> smoothers() {
  const std::string terms =
      "3,-2,1,0.5,2,1,0\n-3,2,-1,-0.5,-2,-1,0\n0.4,0.3,-0.2,0.5,0,0.1,4\n0.1,1,0,0,-0.6,1,5\n";
  return {{"log-sum-exp", {put("data", "terms.csv", terms), "rows=2", "cols=3"}}};
}

void examine_rows(Kind kind, const std::vector<Row>& rows) {
  // A machine that is shared, and a sanitizer, are no endless loops.
  const doctor::Options patient{.limit = 600.0};
  Catalog catalog;
  catalog.scan({{CLAROS_TEST_PLUGIN_DIR, "installation", true}});
  for (const Row& row : rows) {
    doctor::Subject subject{.entry = catalog.at(kind, row.name), .race = 0.05, .catalog = &catalog};
    std::string label = kind_name(kind) + "/" + row.name;
    for (const std::string& word : row.words) {
      const auto equals = word.find('=');
      subject.settings.push_back({word.substr(0, equals), word.substr(equals + 1), {}, {}});
      label += " " + word;
    }
    subject.shapes = row.shapes;
    subject.vary = row.vary;
    const auto results = doctor::examine(subject, patient);
    for (const doctor::Result& r : results) CHECK_MESSAGE(!r.failed(), std::string(label + " " + r.text()));
    const doctor::Conclusion conclusion = doctor::conclude(kind, results);
    CHECK_MESSAGE(conclusion.verdict == doctor::Verdict::passed,
                  std::string(label + " " + conclusion.text()));
  }
}

/// Whether the text names a place in a file, which other tests read: an HDF5 dataset; columns that are left
/// out or hold a time of entry; columns of ratings, and of a table of measurements, whose rows have no
/// weights and no offsets.
bool is_of_files(Kind kind, const std::string& name, const std::string& key) {
  const Words columns{"columns", "without", "categorical", "weights", "offset", "groups"};
  if (kind != Kind::objective) return key == "dataset";
  return key == "dataset" || key == "without" || key == "entry" ||
         (name == "matrix-completion" && key == "columns") ||
         (name == "matrix-sensing" && std::ranges::count(columns, key) > 0);
}

/// "kind/name key" of the text parameters that no row has.
Words missing(Kind kind, const std::vector<Row>& rows) {
  Catalog catalog;
  catalog.scan({{CLAROS_TEST_PLUGIN_DIR, "installation", true}});
  Words all;
  for (const std::string& name : catalog.names(kind))
    for (const ParameterInfo& parameter : catalog.at(kind, name).parameters().rows()) {
      const auto has = [&](const Row& row) {
        return row.name == name && std::ranges::any_of(row.words, [&](const std::string& word) {
                 return word.starts_with(parameter.name + "=");
               });
      };
      if (parameter.type == "text" && !is_of_files(kind, name, parameter.name) &&
          std::ranges::none_of(rows, has))
        all.push_back(kind_name(kind) + "/" + name + " " + parameter.name);
    }
  return all;
}

}  // namespace

TEST_CASE("doctor: every text parameter of an objective, a smoother, a set or a penalty is in the table") {
  std::string all;
  for (const auto& [kind, rows] :
       {std::pair(Kind::objective, objectives()), std::pair(Kind::smoother, smoothers()),
        std::pair(Kind::set, sets()), std::pair(Kind::penalty, penalties())})
    for (const std::string& word : missing(kind, rows)) all += word + "; ";
  CHECK(all == "");
}
TEST_CASE("doctor: objectives of Claros with data, weights and strata in texts") {
  examine_rows(Kind::objective, objectives());
}
TEST_CASE("doctor: sets of Claros with axes, weights and shifts in texts") {
  examine_rows(Kind::set, sets());
}
TEST_CASE("doctor: penalties of Claros with weights and groups in texts") {
  examine_rows(Kind::penalty, penalties());
}
TEST_CASE("doctor: smoothers of Claros with data in texts") { examine_rows(Kind::smoother, smoothers()); }

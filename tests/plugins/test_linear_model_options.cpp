// SPDX-License-Identifier: BSD-3-Clause
#include "../core/test_files.hpp"
#include "linear_problem.hpp"

#include <claros/spectral/spectral.hpp>

#include <fstream>

using namespace claros;
using namespace claros::test;

TEST_CASE("linear model: files of weights and of rows") {
  const TestFolder folder;
  Context context;
  context.base = folder.path();
  folder.put("rows.csv", "a,b,y\n1,2,3\n0,1,-1\n");
  folder.put("w", "2\n0.5\n");
  folder.put("short", "2\n");
  folder.put("negative", "2\n-1\n");
  const auto model = [&](const std::string& weights) {
    std::vector<Setting> settings{{"data", "rows.csv", {}, {}}, {"weights", weights, {}, {}}};
    return std::static_pointer_cast<Objective>(
        create_component(build_catalog(), Kind::objective, "linear-model", settings, context));
  };
  const auto f = model("w");
  // (2 (1 - 3)^2 / 2 + 0.5 (0 + 1)^2 / 2) / 2.5 at x = (1, 0).
  CHECK(f->value(Element::dense(f->shape(), {1.0, 0.0})) == doctest::Approx(1.7));
  check_mentions(refusal(ErrorKind::data, [&] { model("short"); }), {"short", "expected 2 weights"});
  check_mentions(refusal(ErrorKind::data, [&] { model("negative"); }), {"negative", "row 2", "-1"});
  check_mentions(refusal(ErrorKind::usage, [&] { model("absent"); }), {"absent", "no such file"});
}

TEST_CASE("linear model: errors in variables, scalar, diagonal and full") {
  const TestFolder folder;
  const auto put = [&](const char* name, const std::function<double(Index, Index)>& entry, bool full) {
    std::ofstream out(folder / name);
    for (Index i = 0; i < kCols; ++i)
      for (Index j = 0; j < (full ? kCols : 1); ++j)
        out << entry(i, full ? j : i) << (full && j + 1 < kCols ? ' ' : '\n');
  };
  const auto covariance = [](Index i, Index j) {
    return i == j ? 0.2 + 0.01 * static_cast<double>(i) : 0.01;
  };
  put("diagonal", covariance, false);
  put("full", covariance, true);
  put(
      "crooked", [](Index i, Index j) { return i < j ? 1.0 : 2.0; }, true);
  Context context;
  context.base = folder.path();
  const auto model = [&](const std::string& errors) {
    return linear_model(make_design(entries(), kCols, responses("squared")),
                        {{"errors_in_variables", errors}, {"intercept", "true"}}, context);
  };
  const auto without = model("0");
  const Element x = point(without->shape(), 9);
  const Dense v = x.to_dense();
  for (const std::string& kind : {std::string("0.4"), std::string("diagonal"), std::string("full")}) {
    CAPTURE(kind);
    const auto f = model(kind);
    double form = 0.0;
    for (Index i = 0; i < kCols; ++i)
      for (Index j = 0; j < kCols; ++j) {
        const double s = kind == "0.4"              ? (i == j ? 0.4 : 0.0)
                         : kind == "full" || i == j ? covariance(i, j)
                                                    : 0.0;
        form += s * v[static_cast<std::size_t>(i)] * v[static_cast<std::size_t>(j)];
      }
    CHECK(f->value(x) == doctest::Approx(without->value(x) - 0.5 * form).epsilon(1e-13));
    CHECK(distance(gradient(*f, x), central_differences(*f, x)) <= 1e-8);
    const std::vector<Index> list{2, 2, 9};
    Element change(f->shape()), plain(f->shape());
    const Element y = point(f->shape(), 12);
    f->add_gradient_difference(x, y, Batch::of(list), 1.0, change);
    f->add_gradient(x, Batch::of(list), 1.0, plain);
    f->add_gradient(y, Batch::of(list), -1.0, plain);
    CHECK(distance(change.to_dense(), plain.to_dense()) <= 1e-13);
    CHECK(!f->constants().convex);
    CHECK(!f->constants().lower_bound);
    CHECK(*f->constants().lower_smoothness >= (kind == "0.4" ? 0.4 : 0.31));
    CHECK(query<Certified>(*f) == nullptr);
    const Element far = Element::dense(f->shape(), Dense(v.size(), 1e300));  // both sums overflow
    CHECK(f->value(far) == std::numeric_limits<double>::infinity());
  }
  check_mentions(refusal(ErrorKind::data, [&] { model("crooked"); }),
                 {"errors_in_variables", "not symmetric"});
  check_mentions(refusal(ErrorKind::usage, [&] { model("-1"); }), {"-1"});
}

TEST_CASE("linear model: standardised columns, and the answer in the units of the data") {
  Dense a = entries();
  for (std::size_t k = 0; k < a.size(); ++k) a[k] = 5.0 + static_cast<double>(k % kCols + 1) * a[k];
  for (const char* intercept : {"true", "false"}) {
    const bool has = *intercept == 't';
    const Numbers plain{{"intercept", intercept}}, scaled{{"intercept", intercept}, {"standardize", "true"}};
    const auto f = linear_model(make_design(a, kCols, responses("squared")), plain);
    const auto s = linear_model(make_design(a, kCols, responses("squared")), scaled);
    const Element x = point(s->shape(), 9);
    auto* back = query<Rescaled>(*s);
    REQUIRE(back != nullptr);
    CHECK(query<Rescaled>(*f) == nullptr);
    CHECK(s->value(x) == doctest::Approx(f->value(back->original(x))).epsilon(1e-12));
    if (!has) continue;
    // Centred columns of variance 1: the mean of L_i is p + 1, and the intercept's gradient does not see the
    // others.
    double sum = 0.0;
    for (const double L : query<TermConstants>(*s)->term_smoothness()) sum += L / kRows;
    CHECK(sum == doctest::Approx(kCols + 1.0));
    CHECK(gradient(*s, x).back() == doctest::Approx(x.to_dense().back() - [&] {
            double mean = 0.0;
            for (const double y : responses("squared")) mean += y / kRows;
            return mean;
          }()));
  }
  std::string notes;
  Context context;
  context.messages = [&](Severity, const std::string& text) { notes += text; };
  const auto sparse = linear_model(make_design(entries(), kCols, responses("squared"), RowForm::sparse),
                                   {{"standardize", "true"}, {"intercept", "true"}}, context);
  CHECK(notes.find("not centred") == std::string::npos);  // its columns have few zeros
  const auto unscaled = linear_model(make_design(entries(), kCols, responses("squared"), RowForm::sparse),
                                     {{"intercept", "true"}});
  const Element x = point(sparse->shape(), 9);
  CHECK(sparse->value(x) ==
        doctest::Approx(unscaled->value(query<Rescaled>(*sparse)->original(x))).epsilon(1e-12));
  for (std::size_t k = 4; k < a.size(); k += kCols) a[k] = 0.1;
  Design constant = make_design(a, kCols, responses("squared"));
  constant.column_names = {"a", "b", "c", "d", "bias", "f", "g", "h", "i", "j", "k", "l"};
  for (const bool left_out_sparse : {false, true}) {
    notes.clear();
    Design data = constant;
    if (left_out_sparse) data.entries = sparse_rows<double>(a, kCols);
    const auto f = linear_model(data, {{"standardize", "true"}, {"intercept", "true"}}, context);
    CHECK(notes.find("leaves out 1 column that is constant") != std::string::npos);
    CHECK(notes.find("bias") != std::string::npos);
    const Element z = point(f->shape(), 9);
    const Dense g = gradient(*f, z), back = query<Rescaled>(*f)->original(z).to_dense();
    CHECK(g[4] == 0.0);
    CHECK(back[4] == 0.0);
    CHECK(all_finite(query<Rescaled>(*f)->scaled(Element::dense(f->shape(), back))));
    const auto plain = linear_model(constant, {{"intercept", "true"}, {"center", "false"}});
    CHECK(f->value(z) == doctest::Approx(plain->value(Element::dense(f->shape(), back))).epsilon(1e-12));
  }
  check_mentions(refusal(ErrorKind::data,
                         [&] {
                           linear_model(make_design(Dense(a.size(), 3.0), kCols, responses("squared")),
                                        {{"standardize", "true"}});
                         }),
                 {"all 12 columns are constant"});
}

TEST_CASE("linear model: smoothness is an upper bound, and within one percent") {
  for (const auto& [n, p] : {std::pair<Index, Index>{23, 12}, {200, 90}, {90, 300}}) {
    const Dense a = random_rows(3, n, p);
    Dense columns(a.size());
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < p; ++j)
        columns[static_cast<std::size_t>(j * n + i)] = a[static_cast<std::size_t>(i * p + j)];
    const double sigma = dense_svd(n, p, columns).s.front(), exact = sigma * sigma / static_cast<double>(n);
    for (const RowForm form : {RowForm::dense, RowForm::sparse}) {
      const Constants c = linear_model(make_design(a, p, responses("squared", n), form), {})->constants();
      CHECK(*c.smoothness >= exact);
      CHECK(*c.smoothness <= 1.01 * exact);
      CHECK(c.convex);
      CHECK(*c.lower_bound == 0.0);
      CHECK(!c.strong_convexity);
      const Constants logistic =
          linear_model(make_design(a, p, responses("logistic", n), form), {{"loss", "logistic"}})
              ->constants();
      CHECK(*logistic.smoothness == doctest::Approx(0.25 * *c.smoothness));
      CHECK(logistic.hessian_smoothness);
    }
  }
  const Constants given = linear_model(make_design(entries(), kCols, responses("squared")),
                                       {{"strong_convexity", "0.5"}, {"smoothness", "7"}})
                              ->constants();
  CHECK(*given.strong_convexity == 0.5);
  CHECK(*given.smoothness == 7.0);
  const auto poisson =
      linear_model(make_design(entries(), kCols, responses("poisson")), {{"loss", "poisson"}});
  CHECK(!poisson->constants().smoothness);
  CHECK(query<TermConstants>(*poisson) == nullptr);
  CHECK(*poisson->constants().lower_bound <= poisson->value(point(poisson->shape(), 3, 0.0)));
}

TEST_CASE("linear model: responses that the loss cannot take") {
  std::string notes;
  Context context;
  context.messages = [&](Severity, const std::string& text) { notes += text; };
  Dense zeros = responses("logistic");
  for (double& y : zeros) y = y < 0 ? 0.0 : 1.0;
  const auto mapped = linear_model(make_design(entries(), kCols, zeros), {{"loss", "logistic"}}, context);
  const auto signs =
      linear_model(make_design(entries(), kCols, responses("logistic")), {{"loss", "logistic"}});
  const Element x = point(mapped->shape(), 9);
  CHECK(mapped->value(x) == signs->value(x));
  CHECK(notes.find("0 and 1 are taken as -1 and 1") != std::string::npos);
  const auto bad = [](const std::string& loss, Dense y, std::vector<std::string> labels = {}) {
    Design design = make_design(entries(), kCols, std::move(y));
    design.labels = std::move(labels);
    return refusal(ErrorKind::data, [&] { linear_model(design, {{"loss", loss}}); });
  };
  check_mentions(bad("logistic", responses("multinomial")), {"row 1", "is 0", "-1 or 1"});
  check_mentions(bad("poisson", responses("squared")), {"row ", ">= 0"});
  check_mentions(bad("multinomial", responses("squared")), {"23 different responses", "squared"});
  check_mentions(bad("multinomial", Dense(kRows, 4.0)), {"all responses are '4'"});
  check_mentions(bad("squared", responses("multinomial"), {"a", "b", "c"}), {"class names", "a, b, c"});
  check_mentions(bad("logistic", responses("multinomial"), {"a", "b", "c"}), {"3 classes", "multinomial"});
  check_mentions(
      refusal(ErrorKind::usage,
              [] { create_component(build_catalog(), Kind::objective, "linear-model", {}, Context{}); }),
      {"objective.data", "[data]"});
}

TEST_CASE("linear model: the remedy for numbers with commas is another than for names of classes") {
  const auto remedy_of = [](const std::vector<std::string>& labels) {
    Design design = make_design(entries(), kCols, responses("squared"));
    design.labels = labels;
    for (std::size_t i = 0; i < design.response.size(); ++i)
      design.response[i] = static_cast<double>(i % labels.size());
    return refusal(ErrorKind::data, [&] { linear_model(design, {}); });
  };
  for (const std::vector<std::string>& thousands :
       {std::vector<std::string>{"1,000", "-12,500"}, std::vector<std::string>{"1,000,000", "100,000"}})
    check_mentions(remedy_of(thousands), {"write thousands without commas", "decimal = comma"});
  for (const std::vector<std::string>& decimals :
       {std::vector<std::string>{"1,5", "+2,25"}, std::vector<std::string>{"1,000", "0,5"},
        std::vector<std::string>{"1000,125", "1,000"}}) {
    const std::string told = remedy_of(decimals);
    check_mentions(told, {"set decimal = comma, if"});
    CHECK(!contains(told, "thousands"));
  }
  for (const std::vector<std::string>& names :
       {std::vector<std::string>{"yes", "no"}, std::vector<std::string>{"1,5", "a"},
        std::vector<std::string>{",5,", "1,5"}, std::vector<std::string>{"1,2,3", "1,5"},
        std::vector<std::string>{"1,", "1,5"}})
    check_mentions(remedy_of(names), {"take loss = logistic or multinomial"});
}

TEST_CASE("linear model: which responses are the class 1, and where a wrong one stands") {
  const TestFolder folder;
  folder.put("two.svm", "# labels\n1 1:1\n2 1:2\n1 2:1\n");
  folder.put("many.svm", "1 1:1\n# a comment\n3 1:2\n7 2:1\n20 2:1\n");
  folder.put("one.svm", "1 1:1\n1 1:2\n");
  folder.put("named.csv", "a,y\n1,cat\n2,dog\n3,bird\n");
  const auto model = [&](const std::string& data, const std::string& positive, std::string* notes = nullptr,
                         const std::string& loss = "logistic") {
    Context context;
    context.base = folder.path();
    if (notes) context.messages = [notes](Severity, const std::string& text) { *notes += text + '\n'; };
    std::vector<Setting> settings{{"data", data, {}, {}}, {"loss", loss, {}, {}}};
    if (!positive.empty()) settings.push_back({"positive", positive, {}, {}});
    return std::static_pointer_cast<Objective>(
        create_component(build_catalog(), Kind::objective, "linear-model", settings, context));
  };
  /// The targets show in the gradient at 0: -y/2 a_i of each row, a third or a fourth of it.
  const auto gradient = [](Objective& f) {
    Element g(f.shape());
    f.add_gradient(Element(f.shape()), Batch::all(), 1.0, g);
    return g.to_dense();
  };
  std::string notes;
  CHECK(gradient(*model("two.svm", "", &notes))[0] == doctest::Approx(-0.5 * (-1 + 2) / 3));
  check_mentions(notes, {"responses 1 and 2 are taken as -1 and 1"});
  notes.clear();
  CHECK(gradient(*model("many.svm", "1, 7", &notes)) ==
        std::vector<double>{-0.5 * (1 - 2) / 4, -0.5 * (1 - 1) / 4});
  check_mentions(notes, {"responses 1, 7 (2 rows) are taken as 1, all others (2 rows) as -1"});
  CHECK(gradient(*model("many.svm", "<= 3")) == std::vector<double>{-0.5 * (1 + 2) / 4, 0.5 * (1 + 1) / 4});
  CHECK(gradient(*model("many.svm", ">3")) == std::vector<double>{0.5 * (1 + 2) / 4, -0.5 * (1 + 1) / 4});
  CHECK(gradient(*model("named.csv", "cat,bird"))[0] == doctest::Approx(-0.5 * (1 - 2 + 3) / 3));

  const auto refused = [&](const std::string& data, const std::string& positive,
                           ErrorKind kind = ErrorKind::data, const std::string& loss = "logistic") {
    return refusal(kind, [&] { model(data, positive, nullptr, loss); });
  };
  check_mentions(refused("many.svm", ""), {"many.svm:3: ", "row 2 is 3", "-1 or 1", "positive"});
  check_mentions(refused("one.svm", ""),
                 {"one.svm", "all 2 responses are 1", "one class only", "rows of both"});
  check_mentions(refused("many.svm", "<= 99"), {"many.svm", "all 4 responses are 1 by positive = <= 99"});
  check_mentions(refused("many.svm", "1,5"), {"many.svm", "no row has the response '5'", "1, 3, 7, 20"});
  check_mentions(refused("named.csv", "cat,cow"), {"named.csv", "'cow'", "bird, cat, dog"});
  check_mentions(refused("named.csv", ""), {"3 classes", "positive"});
  check_mentions(refused("named.csv", "<= 1", ErrorKind::usage),
                 {"objective.positive", "names (bird, cat, dog)"});
  check_mentions(refused("many.svm", "<= x", ErrorKind::usage),
                 {"objective.positive", "'<= x'", "no number"});
  check_mentions(refused("many.svm", "1,,3", ErrorKind::usage), {"objective.positive", "neither a list"});
  check_mentions(refused("many.svm", "1", ErrorKind::usage, "squared"),
                 {"objective.positive", "two classes"});
}

TEST_CASE("linear model: many classes in few rows are whole numbers; numbers with fractions are none") {
  const TestFolder folder;
  std::string notes;
  Context context;
  context.base = folder.path();
  context.messages = [&](Severity, const std::string& text) { notes += text; };
  const auto model = [&](double step) {
    std::string rows;
    for (int i = 0; i < 30; ++i) rows += print_real(step * i) + " 1:" + std::to_string(i % 7) + "\n";
    folder.put("rows.svm", rows);
    const std::vector<Setting> settings{
        {"data", "rows.svm", {}, {}}, {"loss", "multinomial", {}, {}}, {"intercept", "no", {}, {}}};
    return std::static_pointer_cast<Objective>(
        create_component(build_catalog(), Kind::objective, "linear-model", settings, context));
  };
  for (const double step : {1.0, 1000.0}) {
    notes.clear();
    CHECK(model(step)->shape().size() == 30);
    check_mentions(notes, {"30 different responses in 30 rows are taken as classes"});
  }
  check_mentions(refusal(ErrorKind::data, [&] { model(0.5); }), {"30 different responses", "loss = squared"});
}

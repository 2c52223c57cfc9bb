// SPDX-License-Identifier: BSD-3-Clause
// No run claims more than is true, at any scale. A family is one problem (linear-model rows, a loss, a set or
// a penalty) whose data have scales from 1e-8 to 1e8, offsets to 1e8, radii from 1e-9 to 1e9, and columns
// that are equal, zero or collinear; several algorithms solve it. Values are computed again here, from the
// data, in extended precision. A family of units has one of all losses with one of all penalties, columns in
// units from 1e-6 to 1e6 with constants up to 1e6 of them, and responses in other units, with other
// constants. A claim is false if a point of the family contradicts it: a lower bound above the value of a
// feasible point, a gap or residual that is met far above the best value. CLAROS_SCALES=N solves N families,
// CLAROS_UNITS=N so many of units, CLAROS_SCALES_SEED=S begins at family S.
#include "compose_for_test.hpp"

#include <claros/io/atomic_file.hpp>
#include <claros/io/memory_data.hpp>

#include <cstdlib>
#include <limits>
#include <sstream>

using namespace claros;
using namespace claros::test;

namespace {

using Vector = std::vector<double>;
using Wide = long double;

constexpr double kTarget = 1e-6;

/// One of the choices.
template <class T>
const T& pick(RandomStream& random, const std::vector<T>& choices) {
  return choices[static_cast<std::size_t>(random.index(static_cast<Index>(choices.size())))];
}

double power_of_ten(RandomStream& random, int from, int to) {
  return std::pow(10.0, static_cast<double>(from + random.index(to - from + 1)));
}

/// psi(z, y) in extended precision, as the component pages define it.
Wide loss_value(const std::string& loss, Wide z, Wide y) {
  const Wide r = z - y;
  if (loss == "squared") return r * r / 2;
  if (loss == "quantile") return std::abs(r) / 2;
  if (loss == "huber") return std::abs(r) <= 1 ? r * r / 2 : std::abs(r) - Wide(0.5);
  if (loss == "logistic")
    return y * z > 0 ? std::log1p(std::exp(-y * z)) : std::log1p(std::exp(y * z)) - y * z;
  if (loss == "poisson") {
    const Wide on = std::min<Wide>(z, 300);  // beyond it psi goes on along its tangent
    return std::exp(on) * (1 + z - on) - y * z - (y > 0 ? y - y * std::log(y) : 0);
  }
  const Wide short_of = std::max<Wide>(1 - y * z, 0);  // squared-hinge
  return short_of * short_of / 2;
}

/// Rows, responses and what is minimised on them.
struct Family {
  Index n = 0, p = 0;
  bool of_matrices = false;
  std::string loss;
  Vector a, y;
  Words words;               ///< objective and constraint
  std::string set, penalty;  ///< names, empty where there is none
  double lambda = 0.0;
  double slope = 0.0;  ///< max_j |<a_j, y>| / n of units, which lambda is a share of; else 0

  explicit Family(std::uint64_t seed);
  /// The number of a pair of a loss and a penalty, whose units change.
  Family(std::uint64_t seed, std::size_t pair);
  std::shared_ptr<const Dataset> data() const { return data_from_rows(a, n, p, y); }

  void write(const fs::path& file) const {
    std::string text;
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < p; ++j) text += print_real(a[at(i, j)]) + ',';
      text += print_real(y[static_cast<std::size_t>(i)]) + '\n';
    }
    write_atomically(file, text);
  }
  /// Whether `value` has all terms.
  bool knows_value() const {
    static const std::vector<std::string> losses{"squared",  "huber",   "quantile",
                                                 "logistic", "poisson", "squared-hinge"};
    if (std::ranges::find(losses, loss) == losses.end()) return false;
    return penalty.empty() || penalty == "l1" || penalty == "ridge";
  }
  bool is_convex() const {
    if (loss == "robust") return false;
    static const std::vector<std::string> not_convex{"scad",    "mcp",       "group-scad", "group-mcp",
                                                     "log-sum", "capped-l1", "l0",         "rank"};
    return std::ranges::find(not_convex, penalty) == not_convex.end();
  }
  /// f + h from the data.
  Wide value(const Vector& x) const {
    Wide sum = 0;
    for (Index i = 0; i < n; ++i) sum += loss_value(loss, image(i, x), y[static_cast<std::size_t>(i)]);
    return sum / Wide(n) + penalty_value(x);
  }
  /// ||A||_F^2 / n, at least the smoothness of the squared loss.
  Wide curvature() const {
    Wide sum = 0;
    for (const double entry : a) sum += Wide(entry) * Wide(entry);
    return sum / Wide(n);
  }
  /// What rounding of images in double precision may change of f.
  Wide doubt(const Vector& x) const {
    Wide sum = 0;
    for (Index i = 0; i < n; ++i) {
      Wide size = std::abs(Wide(y[static_cast<std::size_t>(i)]));
      for (Index j = 0; j < p; ++j)
        size += std::abs(Wide(a[at(i, j)]) * Wide(x[static_cast<std::size_t>(j)]));
      const Wide z = image(i, x), target = y[static_cast<std::size_t>(i)],
                 moved = Wide(p + 2) * Wide(0x1p-52) * size;
      for (const Wide step : {-moved, moved})
        sum += std::abs(loss_value(loss, z + step, target) - loss_value(loss, z, target));
      sum += Wide(0x1p-50) * (size + 1);
    }
    return sum / Wide(n);
  }
  /// The rounding of `value` itself: a deviance is a difference of numbers of the size of y log y.
  Wide own_rounding() const {
    if (loss != "poisson" && loss != "negative-binomial" && loss != "gamma" && loss != "tweedie") return 0;
    Wide sum = 0;
    for (const double target : y) {
      const Wide size = std::abs(Wide(target));
      sum += Wide(0x1p-60) * (1 + size) * (1 + std::log1p(size));
    }
    return sum / Wide(n);
  }
  /// At least the size of the set: the largest number that its words give, as a radius or a bound.
  double set_size() const {
    double size = 1.0;
    for (const std::string& word : words)
      if (const std::size_t sign = word.find('='); word.starts_with("set.") && sign != word.npos)
        size = std::max(size, std::abs(std::strtod(word.c_str() + sign + 1, nullptr)));
    return size;
  }
  /// What a point may gain by lying outside its set, by what a membership does not see or by what it says.
  Wide gain_outside(const Vector& x, double violation) const {
    constexpr double kUnseen = 1e-13;
    double size = violation > 0.0 ? violation / kUnseen * set_size() : 0.0;
    for (const double value : x) size = std::max(size, std::abs(value));
    const Wide here = value(x);
    Wide sum = 0;
    for (std::size_t j = 0; j < x.size(); ++j)
      for (const double way : {-kUnseen * size, kUnseen * size}) {
        Vector moved = x;
        moved[j] += way;
        sum += std::abs(value(moved) - here);
      }
    return sum;
  }

 private:
  std::size_t at(Index i, Index j) const { return static_cast<std::size_t>(i * p + j); }
  void draw_rows(RandomStream& random);
  void spoil_columns(RandomStream& random);
  void draw_response(RandomStream& random);
  void draw_constraint(RandomStream& random);
  void change_units(RandomStream& random);
  void choose(Kind kind, const std::string& section, const std::string& name, RandomStream& random);

  Wide image(Index i, const Vector& x) const {
    Wide z = 0;
    for (Index j = 0; j < p; ++j) z += Wide(a[at(i, j)]) * Wide(x[static_cast<std::size_t>(j)]);
    return x.size() > static_cast<std::size_t>(p) ? z + Wide(x.back()) : z;  // an intercept
  }
  Wide penalty_value(const Vector& x) const {
    Wide sum = 0;
    for (std::size_t j = 0; j < static_cast<std::size_t>(p); ++j) {
      if (penalty == "l1") sum += std::abs(Wide(x[j]));
      if (penalty == "ridge") sum += Wide(x[j]) * Wide(x[j]) / 2;
    }
    return Wide(lambda) * sum;
  }
};

Family::Family(std::uint64_t seed) {
  RandomStream random(seed, Purpose::test);
  of_matrices = random.uniform() < 0.35;
  n = pick(random, std::vector<Index>{1, 2, 8, 20, 20, 20});
  p = of_matrices ? pick(random, std::vector<Index>{1, 4, 9, 9, 12})
                  : pick(random, std::vector<Index>{1, 2, 5, 6, 6, 30});
  loss = pick(random, std::vector<std::string>{"squared", "squared", "squared", "huber", "logistic",
                                               "poisson", "squared-hinge"});
  words = {"objective.use=linear-model", "objective.loss=" + loss};
  if (of_matrices) {
    const char* shape = p == 1 ? "1x1" : p == 4 ? "2x2" : p == 9 ? "3x3" : "3x4";
    words.push_back(std::string("objective.shape=") + shape);
  }
  draw_rows(random);
  spoil_columns(random);
  draw_response(random);
  draw_constraint(random);
}

void Family::draw_rows(RandomStream& random) {
  a.resize(static_cast<std::size_t>(n * p));
  random.fill_normal(a);
  const double scale = power_of_ten(random, -8, 8);
  const double offset = pick(random, std::vector<double>{0.0, 0.0, 0.0, 1.0, 1e3, 1e6, 1e8});
  const bool spread = random.uniform() < 0.25;
  for (Index j = 0; j < p; ++j) {
    const double of_column = spread ? scale * power_of_ten(random, -4, 4) : scale;
    for (Index i = 0; i < n; ++i) a[at(i, j)] = of_column * (offset + a[at(i, j)]);
  }
}

void Family::spoil_columns(RandomStream& random) {
  const Index kind = random.index(8), from = random.index(p), to = random.index(p);
  if (kind > 2) return;
  for (Index i = 0; i < n; ++i)
    a[at(i, to)] = kind == 0 ? 0.0 : kind == 1 ? a[at(i, from)] : -3.0 * a[at(i, from)];
}

void Family::draw_response(RandomStream& random) {
  const Index kind = random.index(8);
  const double scale = power_of_ten(random, -8, 8), shift = random.uniform() < 0.3 ? 3.0 : 0.0;
  for (Index i = 0; i < n; ++i) {
    const double noise = random.normal();
    if (loss == "logistic" || loss == "squared-hinge")
      y.push_back(kind == 0 || noise > 0.0 ? 1.0 : -1.0);
    else if (loss == "poisson")
      y.push_back(kind == 0 ? 0.0 : static_cast<double>(random.index(4)));
    else if (kind < 2)
      y.push_back(kind == 0 ? 0.0 : scale);
    else if (kind < 5)
      y.push_back(a[at(i, 0)] - 0.5 * a[at(i, p - 1)] + (shift + 0.1 * noise));
    else
      y.push_back(scale * (shift + noise));
  }
}

/// Required parameters of sets that take none by default; all others have an example.
std::string required_value(const ParameterInfo& info, Index p) {
  if (info.name == "graph") return "1 2; 1 3; 2 3; 3 4; 2 4; 1 4";  // of 6 entries
  if (info.name == "program") {
    std::string row;
    for (Index j = 0; j < p; ++j) row += "1 ";
    return row + "= 1; " + row + "<= 2";
  }
  if (info.name != "vertices") return example_value(info);
  std::string rows;
  for (Index k = 0; k <= p; ++k)
    for (Index j = 0; j < p; ++j)
      rows += (j == k ? "1" : "0") + std::string(j + 1 < p ? " " : k < p ? "; " : "");
  return rows;
}

void Family::choose(Kind kind, const std::string& section, const std::string& name, RandomStream& random) {
  words.push_back(section + ".use=" + name);
  const ParameterList& parameters = build_catalog().at(kind, name).parameters();
  for (const ParameterInfo& info : parameters.rows()) {
    std::string value;
    if (info.name == "radius")
      value = print_real(power_of_ten(random, -9, 9));
    else if (info.name == "lambda")
      value =
          print_real(lambda = slope > 0.0 ? slope * pick(random, std::vector<double>{0.3, 0.1, 1e-2, 1e-4})
                                          : power_of_ten(random, -9, 6));
    else if (info.name == "groups" && name != "matroid-base")
      value = "2";
    else if (info.range.required)
      value = required_value(info, p);
    if (!value.empty()) words.push_back(section + '.' + info.name + '=' + value);
  }
  const std::string inner = pick(random, std::vector<std::string>{"l2-ball", "l1-ball", "simplex", "box"});
  const auto part = [&](const std::string& role, Kind of, const std::string& which) {
    choose(of, section + '.' + role, which, random);
  };
  if (name == "moved") part("inner", Kind::set, inner);
  if (name == "product") part("blocks.1", Kind::set, inner);
  if (name == "intersection") part("sets.1", Kind::set, inner), part("sets.2", Kind::set, "box");
  if (name == "sum")
    part("terms.1", Kind::penalty, "l1"),
        part("terms.2", Kind::penalty,
             pick(random, std::vector<std::string>{"tv", "nonnegative", "ridge", "box"}));
}

void Family::draw_constraint(RandomStream& random) {
  const Index kind = random.index(10);
  if (kind == 0) return;
  const Kind of = kind < 6 ? Kind::set : Kind::penalty;
  std::string& name = kind < 6 ? set : penalty;
  name = pick(random, build_catalog().names(of));
  choose(of, std::string(kind_name(of)), name, random);
}

Family::Family(std::uint64_t seed, std::size_t pair) : n(24), p(6) {
  RandomStream random(seed, Purpose::test);
  const auto losses = build_catalog().names(Kind::loss), penalties = build_catalog().names(Kind::penalty);
  loss = losses[pair % losses.size()];
  words = {"objective.use=linear-model", "objective.loss=" + loss, "objective.standardize=no"};
  if (random.uniform() < 0.5) words.push_back("objective.intercept=yes");
  a.resize(static_cast<std::size_t>(n * p));
  random.fill_normal(a);
  change_units(random);
  penalty = penalties[pair / losses.size() % penalties.size()];
  choose(Kind::penalty, "penalty", penalty, random);
}

/// Responses of the columns as they are, then both in other units, from other zeros.
void Family::change_units(RandomStream& random) {
  const bool classes = loss == "logistic" || loss == "squared-hinge",
             counts = loss == "poisson" || loss == "negative-binomial",
             positive = loss == "gamma" || loss == "tweedie";
  const double unit = power_of_ten(random, -6, 6), zero = pick(random, std::vector<double>{0.0, 1.0, 1e6});
  for (Index i = 0; i < n; ++i) {
    const double z = a[at(i, 0)] - 0.5 * a[at(i, 1)] + 0.3 * random.normal();
    if (loss == "multinomial")
      y.push_back(static_cast<double>(random.index(3)));
    else if (classes)
      y.push_back(z > 0.0 ? 1.0 : -1.0);
    else if (counts)
      y.push_back(std::floor(std::exp(z) * (zero > 1.0 ? 1e4 : 3.0)));
    else
      y.push_back(positive ? unit * std::exp(z) : unit * (z + zero));
  }
  for (Index j = 0; j < p; ++j) {
    const double of_column = power_of_ten(random, -6, 6),
                 constant = pick(random, std::vector<double>{0.0, 0.0, 1.0, 1e3, 1e6});
    double sum = 0.0;
    for (Index i = 0; i < n; ++i) {
      a[at(i, j)] = of_column * (constant + a[at(i, j)]);
      sum += a[at(i, j)] * y[static_cast<std::size_t>(i)];
    }
    slope = std::max(slope, std::abs(sum) / static_cast<double>(n));
  }
}

struct ScaledRun {
  Words words;
  RunResult result;
  double best_bound = -std::numeric_limits<double>::infinity();
  Wide value = std::numeric_limits<Wide>::quiet_NaN();
  Vector x, at;  ///< the solution in the units of the data, and in the coordinates of the run
};

struct Tally {
  Index runs = 0, claims = 0, troubles = 0, refused = 0, families = 0;
};

std::optional<ScaledRun> scaled_run(const Family& f, const Words& more, Tally& tally) {
  ScaledRun o{f.words + more, {}, {}, {}, {}, {}};
  try {
    HostParts parts;
    parts.data = f.data();
    const Composition c = compose(build_catalog(), spec_of(o.words), parts);
    o.result = run(c, run_settings(c));
    auto* scaled = query<Rescaled>(*c.objective);
    o.at = o.result.answer.to_dense();
    o.x = scaled && !o.at.empty() ? scaled->original(o.result.answer).to_dense() : o.at;
  } catch (const Error& error) {
    CHECK_MESSAGE(error.kind() != ErrorKind::plugin, error.what(), "\n  ", joined(o.words, " "));
    ++tally.refused;
    return std::nullopt;
  }
  ++tally.runs;
  tally.claims += is_target(o.result.status);
  tally.troubles += is_trouble(o.result.status);
  o.value = f.knows_value() ? f.value(o.x) : Wide(o.result.measurement.value);
  o.best_bound = o.result.lower_bound;
  return o;
}

/// What one run says is consistent in itself.
void check_alone(const Family& f, const ScaledRun& o) {
  const RunResult& r = o.result;
  const Measurement& m = r.measurement;
  CHECK_MESSAGE((!is_trouble(r.status) || r.failure_kind != ErrorKind::plugin), r.failure);
  CHECK_MESSAGE(!(m.gap < 0.0), "gap ", m.gap);
  CHECK_MESSAGE(!(m.residual < 0.0), "residual ", m.residual);
  for (const TraceRow& row : r.trace)
    CHECK_MESSAGE(!(row.gap < 0.0), "gap ", row.gap, " of row ", row.iteration);
  CHECK_MESSAGE(!(r.lower_bound > m.value), "lower bound ", r.lower_bound, " above the value ", m.value);
  if (!is_target(r.status)) return;
  CHECK(std::isfinite(m.value));
  CHECK_MESSAGE(!(r.violation > 1e-6), "violation ", r.violation);
  if (f.knows_value())
    CHECK_MESSAGE(std::abs(o.value - Wide(m.value)) <= Wide(1e-9) * std::abs(o.value) + f.doubt(o.x),
                  "value ", m.value, ", from the data ", static_cast<double>(o.value));
}

/// Against the best feasible point of the family.
void check_among(const Family& f, const ScaledRun& o, const ScaledRun& best) {
  const RunResult& r = o.result;
  const Wide slack =
      Wide(1e-9) * std::abs(best.value) + Wide(std::numeric_limits<double>::min()) + f.own_rounding() +
      (f.set.empty() || !f.knows_value() ? Wide(0) : f.gain_outside(best.x, best.result.violation));
  CHECK_MESSAGE(Wide(o.best_bound) <= best.value + slack, "lower bound ", o.best_bound, " above ",
                static_cast<double>(best.value), ", by ",
                static_cast<double>(Wide(o.best_bound) - best.value));
  const Wide excess = o.value - best.value;
  // Where the value is 0 to the rounding of the first one, that rounding is the target.
  constexpr double kRoundings = 64.0;
  const Wide first = r.trace.empty() ? Wide(0) : Wide(std::abs(r.trace.front().value)),
             rounding = Wide(kRoundings * std::numeric_limits<double>::epsilon()) * first,
             floor = std::abs(o.value) <= rounding ? rounding : Wide(0);
  if (r.status == Status::relative_gap)
    CHECK_MESSAGE(excess <= Wide(1.01 * kTarget) * std::abs(o.value) + floor + slack, "gap met ",
                  static_cast<double>(excess), " above the best ", static_cast<double>(best.value));
  if (r.status != Status::residual) return;
  // F(x+) - F* <= ||G|| (||x - x*|| + s ||g||) of a proximal gradient map G of step s, up to a small factor;
  // the residual bounds F(x) - F(x+) by its share of |F(x)| or of ||grad f(0)|| ||x||.
  Wide distance = 0, square = 0;
  for (const double entry : o.at) square += Wide(entry) * Wide(entry);
  for (std::size_t j = 0; j < o.at.size(); ++j)
    distance += (Wide(o.at[j]) - Wide(best.at[j])) * (Wide(o.at[j]) - Wide(best.at[j]));
  const Wide scale = std::isnan(r.residual_scale) ? 0.0 : r.residual_scale,
             r_at_most = 100 * Wide(kTarget) * scale,
             fall = 1.01 * Wide(kTarget) * std::max(std::abs(o.value), scale * std::sqrt(square));
  // Values that the program computed have the rounding of their images.
  const Wide noise = f.knows_value() ? Wide(0) : f.doubt(o.x) + f.doubt(best.x);
  const Wide allowed =
      scale > 0 ? noise + r_at_most * (std::sqrt(distance) + scale / f.curvature()) + fall + slack : slack;
  CHECK_MESSAGE(excess <= allowed, "residual met ", static_cast<double>(excess), " above the best ",
                static_cast<double>(best.value), ", allowed ", static_cast<double>(allowed));
}

/// No trace leads a run into trouble that it is spared without one. (A row that meets a target ends the run,
/// where one without rows goes on.)
void check_untraced(const Family& f, const ScaledRun& o, Tally& tally) {
  const auto same =
      scaled_run(f,
                 Words(o.words.begin() + static_cast<std::ptrdiff_t>(f.words.size()), o.words.end()) +
                     Words{"trace.on=no"},
                 tally);
  REQUIRE(same);
  CHECK_MESSAGE(
      (is_target(o.result.status) || is_trouble(same->result.status) == is_trouble(o.result.status)),
      text(same->result.status), " untraced, ", text(o.result.status), " traced: ", o.result.failure,
      same->result.failure);
}

const std::vector<std::string>& all_algorithms() {
  static const std::vector<std::string> names = build_catalog().names(Kind::algorithm);
  return names;
}

/// The automatic choice (empty) more often than any other.
const std::string& draw_algorithm(RandomStream& random) {
  static const std::vector<std::string> algorithms = [] {
    auto names = all_algorithms();
    names.insert(names.end(), {"", "", "", "proximal-gradient"});
    return names;
  }();
  return pick(random, algorithms);
}

/// One run, to a gap or, where none is measured, to a residual; or the other way round.
std::optional<ScaledRun> drawn_run(const Family& f, std::uint64_t seed, const std::string& algorithm,
                                   RandomStream& random, Tally& tally) {
  static const std::vector<std::string> targets{"stop.relative_gap=1e-6", "stop.residual=1e-6"};
  Words words{"stop.iterations=1500", "run.seed=" + std::to_string(seed % 1000)};
  if (!algorithm.empty()) words.push_back("algorithm.use=" + algorithm);
  const std::size_t first = random.uniform() < 0.7 ? 0 : 1;
  for (const std::size_t target : {first, 1 - first})
    if (auto o = scaled_run(f, words + Words{targets[target]}, tally)) return o;
  return std::nullopt;
}

const ScaledRun* best_feasible(const std::vector<ScaledRun>& all) {
  const ScaledRun* best = nullptr;
  for (const ScaledRun& o : all) {
    const bool counts = !(o.result.violation > 1e-12) && std::isfinite(o.value);
    if (counts && (!best || o.value < best->value)) best = &o;
  }
  return best;
}

/// Runs of the automatic choice and of algorithms that are drawn, or of every algorithm.
void check_family(const Family& f, std::uint64_t seed, bool every_algorithm, Tally& tally) {
  constexpr int kDrawn = 4;
  const double untraced = every_algorithm ? 1.0 : 0.2;
  if (const char* folder = std::getenv("CLAROS_SCALES_KEEP"))
    f.write(fs::path(folder) / (std::to_string(seed) + ".csv"));
  RandomStream random(seed + 1, Purpose::output);
  std::vector<ScaledRun> all;
  const auto run_by = [&](const std::string& algorithm) {
    if (auto o = drawn_run(f, seed, algorithm, random, tally)) all.push_back(std::move(*o));
  };
  run_by("");
  if (every_algorithm) std::ranges::for_each(all_algorithms(), run_by);
  for (int k = 0; !every_algorithm && k < kDrawn; ++k) run_by(draw_algorithm(random));
  ++tally.families;
  const ScaledRun* best = f.is_convex() ? best_feasible(all) : nullptr;
  for (const ScaledRun& o : all) {
    INFO("family ", seed, ": n = ", f.n, ", p = ", f.p, "; ", joined(o.words, " "));
    check_alone(f, o);
    if (best) check_among(f, o, *best);
    if (random.uniform() < untraced) check_untraced(f, o, tally);
  }
}

std::uint64_t number_from(const char* variable, std::uint64_t otherwise) {
  const char* text = std::getenv(variable);
  return text ? static_cast<std::uint64_t>(parse_integer(text)) : otherwise;
}

}  // namespace

// Families that once contradicted a claim. What is drawn of a family changes with the catalogue, so every
// algorithm runs.
TEST_CASE("scales: families in which a claim was once false") {
  Tally tally;
  for (const std::uint64_t seed :
       {10016,     10036,     10094,     10100,     10141,     10180,     10235,     10276,    10453,
        10493,     10499,     10530,     10571,     10653,     20132,     20179,     20207,    20325,
        20375,     20435,     20506,     1000385,   4000017,   30000352,  30000783,  30001155, 30001301,
        30001658,  30004986,  30005950,  30006192,  30007139,  50002170,  60006994,  90001868, 120001784,
        120016516, 450001522, 555000471, 560001029, 570000043, 571000007, 610001505, 611000485})
    check_family(Family(seed), seed, true, tally);
  CHECK(tally.claims > 0);
}

// The bound by the largest curvature made 1e14 "0 to the error of its arithmetic" over a large simplex.
TEST_CASE("scales: a loss that is linear far out is known there to the rounding of its slopes") {
  const std::vector<double> rows{0.0, 1e8, 1e17, 0.0, 1e8, 1e17}, responses{-1.0, 1.0};
  HostParts parts;
  parts.data = data_from_rows(rows, 2, 3, responses);
  for (const std::string loss : {"huber", "logistic"}) {
    CAPTURE(loss);
    const Composition c =
        compose(build_catalog(),
                spec_of({"objective.use=linear-model", "objective.loss=" + loss, "objective.intercept=no",
                         "set.use=simplex", "set.radius=9e6", "stop.iterations=1"}),
                parts);
    const Element x = Element::dense(Shape::vector(3), {8e6, 1e6, 0.0});
    const double value = c.objective->value(x);
    CHECK(value > 4e13);
    CHECK(query<Rounding>(*c.objective)->rounding(x, norm(x)) <= 1e-3 * value);
  }
}

// A move of all classes at once changes no multinomial value, and one of a single class does.
TEST_CASE("scales: images of several classes that may be off by their margin leave the value unknown") {
  const std::vector<double> rows{1e17, -1e17, -1e17, 1e17}, responses{0.0, 1.0};
  constexpr double kNear = 1.0 + 4.5e-16;
  HostParts parts;
  parts.data = data_from_rows(rows, 2, 2, responses);
  const Composition c =
      compose(build_catalog(),
              spec_of({"objective.use=linear-model", "objective.loss=multinomial", "objective.intercept=no",
                       "penalty.use=l1", "penalty.lambda=1", "stop.iterations=1"}),
              parts);
  const Element x = Element::dense(c.objective->shape(), {kNear, 1.0, -kNear, -1.0});
  CHECK(query<Rounding>(*c.objective)->rounding(x, norm(x)) > 1.0);
}

TEST_CASE("scales: no run claims more than is true at any scale of the data") {
  const std::uint64_t families = number_from("CLAROS_SCALES", 60),
                      first = number_from("CLAROS_SCALES_SEED", 1);
  Tally tally;
  for (std::uint64_t k = 0; k < families; ++k) check_family(Family(first + k), first + k, false, tally);
  MESSAGE(tally.families, " families, ", tally.runs, " runs: ", tally.claims, " claimed success, ",
          tally.troubles, " ended in trouble; ", tally.refused, " refused");
  CHECK(tally.claims > tally.runs / 10);
}

TEST_CASE(
    "units: no run of any loss with any penalty claims more than is true, whatever the units and zeros") {
  const std::uint64_t families = number_from("CLAROS_UNITS", 30),
                      first = number_from("CLAROS_SCALES_SEED", 7);
  Tally tally;
  // A step that meets every pair, and in a few families many losses and penalties.
  constexpr std::size_t kStep = 101;
  for (std::uint64_t k = 0; k < families; ++k)
    check_family(Family(first + k, kStep * (first + k)), first + k, false, tally);
  MESSAGE(tally.families, " families, ", tally.runs, " runs: ", tally.claims, " claimed success, ",
          tally.troubles, " ended in trouble; ", tally.refused, " refused");
  CHECK(tally.claims > tally.runs / 10);
}

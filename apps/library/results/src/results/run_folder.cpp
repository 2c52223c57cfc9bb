// SPDX-License-Identifier: BSD-3-Clause
#include <claros/resolved_files.hpp>

#include <claros/expectation.hpp>
#include <claros/io/atomic_file.hpp>
#include <claros/io/linear_training.hpp>
#include <claros/io/matrix_market.hpp>
#include <claros/io/training.hpp>
#include <claros/json_text.hpp>
#include <claros/results/certified.hpp>
#include <claros/results/checkpoint.hpp>
#include <claros/results/coefficients.hpp>
#include <claros/results/fold_in.hpp>
#include <claros/results/run_folder.hpp>

#include <claros/results/arithmetic.hpp>
#include <claros/results/features.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

namespace claros {

namespace {

Json counts_json(const Counts& counts) {
  Json all = Json::object();
  for (const Counter& counter : kCounters) all[counter.name] = counts.*counter.member;
  return all;
}

/// Null if no proximal step was made; the error, where one has no bound.
Json certificate_json(const RunResult& r) {
  if (r.counts.po == 0) return nullptr;
  const Certification& c = r.certification;
  const auto share = [&](Index steps) {
    return static_cast<double>(steps) / static_cast<double>(r.counts.po);
  };
  Json json = {{"exact", c.exact == r.counts.po},
               {"error", c.error},
               {"certified", share(c.certified)},
               {"exact_share", share(c.exact)}};
  if (c.largest >= 0) json["largest_rank"] = c.largest;
  return json;
}

/// The fractions of the largest useful value in the specification, and the numbers that were used.
Json fractions_json(const std::vector<ResolvedFraction>& fractions) {
  Json all = Json::object();
  for (const ResolvedFraction& f : fractions)
    all[f.key] = {{"written", f.written}, {"max", f.max}, {"used", f.number}};
  return all;
}

Json choices_json(const std::vector<HeldOutChoice>& choices) {
  Json all = Json::object();
  for (const HeldOutChoice& c : choices)
    all[c.key] = {{"tried", c.numbers}, {c.measure, c.measured},  {"error", c.error},
                  {"folds", c.folds},   {"held_out", c.held_out}, {"chosen", c.chosen}};
  return all;
}

Json trials_json(const std::vector<Trial>& trials) {
  Json all = Json::array();
  for (const Trial& t : trials)
    all.push_back(
        {{"status", text(t.status)}, {"value", t.value}, {"gap", t.gap}, {"iterations", t.iterations}});
  return all;
}

/// The baseline that predictions add to X; null if there is none. The biases are in the solution.
Json baseline_json(Component& objective) {
  auto* predictor = query<Predictor>(objective);
  if (!predictor || predictor->training().baseline.is_none()) return nullptr;
  const Baseline& baseline = predictor->training().baseline;
  return {{"center", baseline.center}, {"mean", baseline.mean}};
}

/// The columns of a recompressed element as a dense table.
template <class Column>
DenseTable columns_table(Index rows, const std::vector<double>& weights, Column column) {
  DenseTable table{rows, static_cast<Index>(weights.size()), {}};
  for (std::size_t k = 0; k < weights.size(); ++k) {
    const std::span<const double> values = column(static_cast<Index>(k));
    table.values.insert(table.values.end(), values.begin(), values.end());
  }
  return table;
}

}  // namespace

std::string version() { return CLAROS_VERSION; }

std::string result_json(const Composition& composition, const RunResult& r, const RunIdentity* identity) {
  Json json;
  if (identity) json["run"] = identity->run;
  json["status"] = text(r.status);
  json["explanation"] = explanation(r.status);
  if (!r.failure.empty()) json["failure"] = r.failure;
  if (!r.note.empty()) json["note"] = r.note;
  json["value"] = r.measurement.value;
  if (!std::isnan(r.measurement.unsmoothed)) json["unsmoothed"] = r.measurement.unsmoothed;
  json["measured_on"] = measured_on(*composition.objective);
  const std::string certified = certified_by(r);
  json["certifies"] = certified.empty() ? Json(nullptr) : Json(certified);
  json["gap"] = r.measurement.gap;
  json["gap_kind"] = r.measurement.gap_kind;
  json["confirmed"] = r.measurement.confirmed;
  json["rmse_truth"] = r.measurement.rmse_truth;
  json["test_rmse"] = r.measurement.test_rmse;
  json["step"] = r.step;
  if (!composition.fractions.empty()) json["fractions"] = fractions_json(composition.fractions);
  if (!composition.choices.empty()) json["choices"] = choices_json(composition.choices);
  if (!r.trials.empty()) json["trials"] = trials_json(r.trials);
  json["relative_gap"] = relative_gap(r);
  json["residual"] = r.measurement.residual;
  json["residual_scale"] = r.residual_scale;
  json["lower_bound"] = r.lower_bound;
  json["violation"] = r.violation;
  if (!std::isnan(r.eigengap)) json["eigengap"] = r.eigengap;
  json["iterations"] = r.iterations;
  json["epochs"] = r.epochs;
  json["counts"] = counts_json(r.counts);
  json["seconds"] = r.seconds;
  json["measuring_seconds"] = r.measuring_seconds;
  json["checkpoint_seconds"] = r.checkpoint_seconds;
  json["wall_seconds"] = r.elapsed_seconds;
  json["waited_seconds"] = r.elapsed_seconds;  // its older name
  json["preparing_seconds"] = r.preparing_seconds;
  json["work"] = r.work;
  json["measuring_work"] = r.measuring_work;
  json["component_seconds"] = {{"objective", r.component_seconds.objective},
                               {"estimator", r.component_seconds.estimator},
                               {"oracle", r.component_seconds.oracle}};
  json["confirmations_failed"] = r.confirmations_failed;
  json["seed"] = composition.run.seed;
  json["threads"] = composition.run.threads;
  json["shape"] = composition.objective->shape().text();
  json["terms"] = composition.objective->terms();
  json["components"] = composition.objective->terms();  // its older name
  const SolutionSize size = solution_size(composition, r.answer);
  json["rank_or_support"] = size.count;
  json["size_counts"] = size.is_rank ? "rank" : "nonzeros";
  json["certificate"] = certificate_json(r);
  json["baseline"] = baseline_json(*composition.objective);
  json["notices"] = composition.notices;
  if (const auto changed = changed_inputs(composition); !changed.empty()) json["changed_inputs"] = changed;
  Json versions{{"claros", version()}};
  for (const auto& [label, plugin_version] : composition.versions()) versions[label] = plugin_version;
  json["versions"] = versions;
  json["arithmetic"] = Json(arithmetic());
  if (identity) json["files"] = Json(identity->files);
  return json_text(json);
}

namespace {

void make_folder(const std::filesystem::path& folder) {
  std::error_code code;
  std::filesystem::create_directories(folder, code);
  if (code)
    throw Error(ErrorKind::data, folder.string(), "the folder cannot be made: " + code.message(),
                "choose another --out");
}

}  // namespace

namespace {

/// x with X = x x', its largest entry above 0, for a symmetric positive semidefinite X of rank 1. Nothing if
/// a second singular value is above 1e-3 of the first, or u and v of the first differ.
std::optional<DenseTable> root_of(const LowRankForm& x, const std::vector<double>& s) {
  constexpr double kAlone = 1e-3, kAlike = 1e-6;
  const auto first = std::max_element(s.begin(), s.end());
  if (x.store->rows() != x.store->cols() || !(*first > 0.0)) return std::nullopt;
  for (auto other = s.begin(); other != s.end(); ++other)
    if (other != first && std::abs(*other) > kAlone * *first) return std::nullopt;
  const auto u = x.store->left(first - s.begin()), v = x.store->right(first - s.begin());
  double apart = 0.0, square = 0.0;
  for (std::size_t k = 0; k < u.size(); ++k) apart += (u[k] - v[k]) * (u[k] - v[k]), square += u[k] * u[k];
  if (!(apart <= kAlike * kAlike * square)) return std::nullopt;
  const auto largest =
      std::max_element(u.begin(), u.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
  DenseTable root{x.store->rows(), 1, {u.begin(), u.end()}};
  for (double& value : root.values) value *= std::copysign(std::sqrt(*first), *largest);
  return root;
}

}  // namespace

void write_solution(const std::filesystem::path& folder, const Element& x) {
  make_folder(folder);
  for (Index k = 0; k < x.block_count(); ++k)
    write_solution(folder / ("block-" + std::to_string(k + 1)), x.block(k));
  if (x.block_count() > 0) return;
  Element svd(x);
  if (only_low_rank(svd)) svd.recompress(0.0);
  const auto* factors = only_low_rank(svd);
  if (x.is_zero() || (factors && factors->weights.empty())) {  // perhaps far too large to be written out
    write_matrix_market(folder / "x.mtx", Ratings{x.shape().rows, x.shape().cols, {}, {}, {}, {}, {}});
    return;
  }
  if (const auto* form = only_low_rank(svd)) {
    const double weight = svd.parts().front().weight;
    const auto& store = *form->store;
    std::vector<double> s = form->weights;
    for (double& value : s) value *= weight;
    write_matrix_market(folder / "U.mtx",
                        columns_table(store.rows(), s, [&](Index k) { return store.left(k); }));
    write_matrix_market(folder / "V.mtx",
                        columns_table(store.cols(), s, [&](Index k) { return store.right(k); }));
    write_matrix_market(folder / "s.mtx", DenseTable{static_cast<Index>(s.size()), 1, s});
    if (const auto root = root_of(*form, s)) write_matrix_market(folder / "vector.mtx", *root);
    return;
  }
  write_matrix_market(folder / "x.mtx", DenseTable{x.shape().rows, x.shape().cols, x.to_dense()});
}

namespace {

/// The order in which names are given and taken away: a folder with spec.ini is one of ours, one with
/// result.json whole.
const OwnedFolder::Layout& layout() {
  static const OwnedFolder::Layout of_a_run{
      [](const std::filesystem::path&) {
        return std::vector<std::string>{"spec.ini", "checkpoint", "trace.csv", "solution", "result.json"};
      },
      [](const std::filesystem::path& folder) { return std::filesystem::exists(folder / "result.json"); }};
  return of_a_run;
}

std::filesystem::path made(const std::filesystem::path& folder) {
  make_folder(folder);
  return folder;
}

void write_parts(const std::filesystem::path& folder, const Composition& composition, const RunResult& result,
                 const std::optional<FoldingRule>& folding) {
  write_atomically(folder / "trace.csv", trace_csv(result.trace));
  if (!composition.output.solution) return;
  auto* rescaled = query<Rescaled>(*composition.objective);
  write_solution(folder / "solution", rescaled ? rescaled->original(result.answer) : result.answer);
  if (auto* predictor = query<Predictor>(*composition.objective))
    write_training(folder / "solution", predictor->training());
  if (auto* described = query<SideFeatures>(*composition.objective))
    write_features(folder / "solution", *described, result.answer, rescaled->original(result.answer));
  if (folding) write_folding(folder / "solution", *folding);
  if (auto* predictor = query<LinearPredictor>(*composition.objective))
    write_linear_training(folder / "solution", predictor->linear_training());
  if (const auto coefficients = coefficients_of(composition, result.answer))
    write_atomically(folder / "solution/coefficients.csv", coefficients_csv(*coefficients));
  if (const auto entries = entries_of(composition, result.answer))
    write_atomically(folder / "solution/solution.csv", solution_csv(*entries));
}

}  // namespace

std::optional<FoldingRule> folding_of(const Composition& composition, const RunResult& result) {
  auto* predictor = query<Predictor>(*composition.objective);
  if (!predictor || !composition.output.solution || result.answer.shape().is_product()) return std::nullopt;
  FoldingRule rule = predictor->training().folding;
  try {
    rule.ridge = rule.total_weight * nuclear_multiplier(*composition.objective, result.answer);
  } catch (const Error&) {  // the gradient may be what ended the run
    rule = {};
  }
  return rule;
}

RunFolder::RunFolder(const std::filesystem::path& folder, For purpose)
    : owned_(purpose == For::resume ? folder : made(folder), layout()), purpose_(purpose) {
  id_ = purpose == For::resume ? run_of_spec(folder) : new_run();
  if (purpose == For::resume && layout().whole(folder)) (void)RunIdentity::read(folder);
}

/// An earlier result comes back where nothing stands in its place. A run that was refused leaves no
/// specification: `resume` would be refused too.
RunFolder::~RunFolder() {
  if (!begun_ || written_ || purpose_ == For::resume || std::filesystem::exists(path() / "checkpoint"))
    return;
  try {
    if (!finished_) std::filesystem::remove(path() / "spec.ini");
    owned_.put_back();
  } catch (const std::exception&) {  // it stays where it was kept
  }
}

void RunFolder::begin(const Composition& composition) {
  if (purpose_ == For::new_run) owned_.set_aside();
  begun_ = true;
  if (composition.context.files)
    for (const std::string& name : layout().names(path()))
      composition.context.files->forget_in(path() / name);
  write_atomically(path() / "spec.ini", spec_of_run(id_, composition.effective.text()));
}

std::string RunFolder::write(const Composition& composition, const RunResult& result,
                             const std::optional<FoldingRule>& folding) {
  finished_ = true;
  const std::filesystem::path staged = owned_.stage();
  std::string json;
  try {
    write_parts(staged, composition, result, folding);
    if (std::filesystem::exists(path() / "solution"))
      make_folder(staged / "solution");  // replaced by nothing
    const RunIdentity identity = RunIdentity::of_files(id_, staged);
    json = result_json(composition, result, &identity);
    write_atomically(staged / "result.json", json);
  } catch (...) {
    std::error_code code;
    std::filesystem::remove_all(staged, code);
    throw;
  }
  owned_.publish();
  written_ = true;
  return json;
}

void write_run_folder(const std::filesystem::path& folder, const Composition& composition,
                      const RunResult& result) {
  RunFolder run(folder, RunFolder::For::new_run);
  run.begin(composition);
  (void)run.write(composition, result, folding_of(composition, result));
}

}  // namespace claros

// SPDX-License-Identifier: BSD-3-Clause
#include "request.hpp"

#include <claros/element/factor_store.hpp>
#include <claros/error.hpp>
#include <claros/io/training.hpp>
#include <claros/other_names.hpp>
#include <claros/paths/held_out_choice.hpp>
#include <claros/program.hpp>
#include <claros/results/checkpoint.hpp>
#include <claros/results/run_folder.hpp>

#include "foreign.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace claros::python {

namespace {

/// The kind of the role at a path: of the outermost it is known, of the others the object itself says it.
Kind kind_at(const std::string& path, const py::object& object) {
  for (const Role& role : root_roles())
    if (role.name == path) return role.kind;
  return kind_of(object);
}

/// Adds the complaints of what `call` throws.
template <class Call>
void collect(std::vector<Complaint>& complaints, Call call) {
  try {
    call();
  } catch (const Error& error) {
    complaints.insert(complaints.end(), error.complaints().begin(), error.complaints().end());
  }
}

Composition composed(const Prepared& prepared, Task& task) {
  const Spec own =
      prepared.resumes ? prepared.spec : with_own_names(catalog(), prepared.spec, task.messages());
  return compose_with_choice(catalog(), own, prepared.parts, task.messages(), prepared.complaints,
                             {prepared.choice_folds, &task.interrupted()});
}

/// Asks Python after every step; what it raises ends the run and is noted.
std::function<bool(const Step&)> asking(std::shared_ptr<py::object> callback) {
  return [callback = std::move(callback)](const Step& step) {
    const py::gil_scoped_acquire lock;
    try {
      const py::object said = (*callback)(step.iteration, step.seconds, step.value, step.gap);
      return said.is_none() || PyObject_IsTrue(said.ptr()) == 1;
    } catch (const py::error_already_set& error) {
      Raised::note(error);
      return false;
    }
  };
}

/// Results and checkpoints in a folder.
class Keeping {
 public:
  Keeping(const Prepared& prepared)
      : folder_(prepared.folder, prepared.resumes ? RunFolder::For::resume : RunFolder::For::new_run),
        resumes_(prepared.resumes) {}

  void begin(const Composition& composition, RunSettings& settings) {
    if (resumes_) state_ = read_checkpoint(folder_.path(), composition, folder_.id());
    if (state_) settings.resume = state_->bytes();
    const OutputOptions& output = composition.output;
    const bool keeps = output.checkpoint > 0 || output.checkpoint_every;
    if (keeps) file_.emplace(folder_.path(), composition, folder_.id());
    folder_.begin(composition);
    if (!keeps) return;
    if (output.checkpoint > 0) settings.checkpoint_seconds = output.checkpoint;
    settings.checkpoint_every = output.checkpoint_every;
    settings.on_checkpoint = [this](const StateStream& state, bool) { file_->write(state); };
  }
  void end(const Composition& composition, const RunResult& result) {
    folder_.write(composition, result, folding_of(composition, result));
  }

 private:
  RunFolder folder_;
  bool resumes_;
  std::optional<SavedState> state_;
  std::optional<CheckpointFile> file_;
};

Task::Deliver solved(const Prepared& prepared, Task& task) {
  std::optional<Keeping> keeping;
  if (!prepared.folder.empty()) keeping.emplace(prepared);
  auto composition = std::make_shared<Composition>(composed(prepared, task));
  RunSettings settings = run_settings(*composition);
  settings.interrupt = &task.interrupted();
  if (prepared.on_step) settings.on_step = asking(prepared.on_step);
  if (keeping) keeping->begin(*composition, settings);
  RunResult result = claros::run(*composition, settings);
  (void)warn_of_changed_inputs(*composition);
  if (keeping) keeping->end(*composition, result);
  auto kept = std::make_shared<RunResult>(in_units_of_data(*composition, std::move(result)));
  return [composition, kept] { return outcome(*composition, std::move(*kept)); };
}

/// U diag(s) V' of a tuple (U, s, V).
Element product_of(const py::tuple& factors) {
  const auto dense = [&](std::size_t k) { return element_of(py::array::ensure(factors[k]), "start"); };
  const Element U = dense(0), s = dense(1), V = dense(2);
  const Index rank = s.shape().rows;
  if (U.shape().cols != rank || V.shape().cols != rank || s.shape().cols != 1)
    throw Error(ErrorKind::usage, "start",
                "expected factors U (m, r), s (r,) and V (n, r), got " + U.shape().text() + ", " +
                    s.shape().text() + " and " + V.shape().text(),
                "give those of one matrix");
  return Element::low_rank(std::make_shared<FactorStore>(U.shape().rows, V.shape().rows, Buffer(U.to_dense()),
                                                         Buffer(V.to_dense())),
                           s.to_dense());
}

Element start_of(const Request& request) {
  const bool factored = py::isinstance<py::tuple>(request.start) && py::len(request.start) == 3;
  Element start =
      factored ? product_of(py::tuple(request.start)) : element_of(py::array::ensure(request.start), "start");
  if (!std::ranges::all_of(start.to_dense(), [](double value) { return std::isfinite(value); }))
    throw Error(ErrorKind::usage, "start", "holds a number that is not finite",
                "give a point of finite numbers");
  return start;
}

Spec spec_of(const Request& request, std::vector<Complaint>& complaints) {
  if (request.resumes) return Spec::read(request.folder + "/spec.ini", complaints);
  return request.file.empty() ? Spec(std::filesystem::current_path()) : Spec::read(request.file, complaints);
}

}  // namespace

const Catalog& catalog() {
  static const Catalog all = [] {
    Catalog made = standard_catalog();
    const auto usable = [](const PluginEntry& entry) { return entry.usable(); };
    if (std::ranges::none_of(made.entries(), usable) && !made.entries().empty())
      throw Error(ErrorKind::plugin, {made.entries().front().problem});  // and the next call scans again
    return made;
  }();
  return all;
}

Prepared prepare(const Request& request) {
  Prepared made;
  made.spec = spec_of(request, made.complaints);
  for (const auto& [name, value] : request.settings)
    collect(made.complaints, [&] { made.spec.set(name, value); });
  for (const auto& [path, object] : request.objects)
    collect(made.complaints, [&] {
      const Kind kind = kind_at(path, object);
      made.objects.push_back(keep(object));
      made.parts.parts[path] = {kind, foreign(made.objects.back(), kind)};
    });
  if (!request.start.is_none())
    collect(made.complaints, [&] { made.parts.start = std::make_shared<const Element>(start_of(request)); });
  made.parts.data = request.data;
  if (!request.on_step.is_none()) made.on_step = keep(request.on_step);
  made.folder = request.folder;
  made.resumes = request.resumes;
  made.choice_folds = request.choice_folds;
  return made;
}

bool calls_python(const Request& request) { return !request.objects.empty() || !request.on_step.is_none(); }

Task::Work check_work(const Request& request) {
  return [prepared = prepare(request)](Task& task) -> Task::Deliver {
    const Spec own = with_own_names(catalog(), prepared.spec, task.messages());
    const auto composition = std::make_shared<Composition>(
        compose(catalog(), own, prepared.parts, task.messages(), prepared.complaints));
    dry_start(*composition, run_settings(*composition));
    return [composition] { return py::str(composition->effective.text()); };
  };
}

Task::Work solve_work(const Request& request) {
  return [prepared = prepare(request)](Task& task) { return solved(prepared, task); };
}

KeptSolver::KeptSolver(Prepared prepared, Task& task)
    : messages_(task.messages()),
      calls_python_(prepared.on_step || !prepared.parts.parts.empty()),
      sound_(std::move(prepared)),
      solver_(made_anew()) {}

PreparedSolver KeptSolver::made_anew() {
  PreparedSolver solver(
      catalog(), sound_.spec, sound_.parts,
      [this](Severity severity, const std::string& text) {
        if (messages_) messages_(severity, text);
      },
      sound_.complaints);
  if (sound_.on_step) solver.on_step(asking(sound_.on_step));
  return solver;
}

std::vector<std::shared_ptr<py::object>> KeptSolver::references() const {
  if (weak_from_this().use_count() != 1) return {};
  auto all = sound_.objects;
  if (sound_.on_step) all.push_back(sound_.on_step);
  return all;
}

/// What a refused call has changed. Where even that fails (a file is gone), the next call says so.
void KeptSolver::take_back() {
  messages_ = {};
  try {
    solver_ = made_anew();
  } catch (const Error&) {
  }
}

Task::Work KeptSolver::solve_work(const Request& request) {
  if (!under_way_.expired())
    throw Error(ErrorKind::usage, "",
                "another thread runs this solver, or its last run was given up and goes on",
                "prepare a solver for each thread");
  Prepared changed = sound_;
  for (const auto& [name, value] : request.settings) changed.spec.set(name, value);
  if (!request.start.is_none()) changed.parts.start = std::make_shared<const Element>(start_of(request));
  if (request.data) changed.parts.data = request.data, changed.spec.erase("data");
  auto run = std::make_shared<int>();
  under_way_ = run;
  for (const auto& [name, value] : request.settings) solver_.set(name, value);
  if (!request.start.is_none()) solver_.start_from(*changed.parts.start);
  if (request.data) solver_.data(request.data);
  return [self = shared_from_this(), run, changed = std::move(changed)](Task& task) -> Task::Deliver {
    self->messages_ = task.messages();
    self->solver_.interrupt(&task.interrupted());
    auto result = std::make_shared<RunResult>();
    try {
      *result = self->solver_.solve();
    } catch (const Error&) {
      self->take_back();
      throw;
    }
    self->sound_ = changed;
    return [self, run, result] { return outcome(self->solver_.composition(), std::move(*result)); };
  };
}

Task::Work prepare_work(const Request& request) {
  return [prepared = prepare(request)](Task& task) -> Task::Deliver {
    const auto solver = std::make_shared<KeptSolver>(prepared, task);
    return [solver] { return py::cast(solver); };
  };
}

}  // namespace claros::python

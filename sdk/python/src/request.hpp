// SPDX-License-Identifier: BSD-3-Clause
/// @file request.hpp  What Python asks for, and what it gets.
#pragma once

#include <claros/compose/composition.hpp>
#include <claros/compose/spec.hpp>
#include <claros/host.hpp>
#include <claros/paths/folds.hpp>
#include <claros/plugin/catalog.hpp>

#include "arrays.hpp"
#include "task.hpp"

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace claros::python {

/// The components of the default search path, read at the first call.
const Catalog& catalog();

/// A composition as Python writes it.
struct Request {
  std::string file;                                           ///< of a specification; empty: none
  std::vector<std::pair<std::string, std::string>> settings;  ///< "penalty.lambda", "0.1"
  std::map<std::string, py::object> objects;                  ///< components, by their paths
  Data data;
  py::object start = py::none();
  py::object on_step = py::none();
  std::string folder;      ///< of results and checkpoints; empty: none
  bool resumes = false;    ///< the run of `folder` continues
  Index choice_folds = 1;  ///< held_out_choice.hpp
};

/// The part of a request that is made with the lock; the thread of the task makes the rest.
struct Prepared {
  Spec spec;
  HostParts parts;
  std::vector<Complaint> complaints;
  std::shared_ptr<py::object> on_step;
  std::vector<std::shared_ptr<py::object>> objects;  ///< what the parts hold of Python
  std::string folder;
  bool resumes = false;
  Index choice_folds = 1;
};
/// Complaints are kept, to be reported together with those of the composition.
Prepared prepare(const Request& request);

/// The work of a task.
Task::Work check_work(const Request& request);
Task::Work solve_work(const Request& request);
/// `grid`: lambdas, ratio, folds, repeats, stratified, by, information, explained.
/// folds: those of the caller's own, if it has some. request.on_step is its progress (outcome.cpp).
Task::Work path_work(const Request& request, const std::map<std::string, std::string>& grid,
                     GivenFolds folds);
/// A composition that is kept for many runs, one at a time.
class KeptSolver : public std::enable_shared_from_this<KeptSolver> {
 public:
  KeptSolver(Prepared prepared, Task& task);
  /// The work of a run with other data, another start and other settings, if `request` has them; objects and
  /// a folder are not read. They also hold for the runs after it, unless the run is refused. Throws
  /// Error(usage) while another run is under way.
  Task::Work solve_work(const Request& request);
  bool calls_python() const { return calls_python_; }
  /// What holds the one reference to each object of Python, for the garbage collector; nothing while a run
  /// uses this solver.
  std::vector<std::shared_ptr<py::object>> references() const;

 private:
  PreparedSolver made_anew();
  void take_back();

  MessageSink messages_;  ///< of the run under way
  bool calls_python_;
  Prepared sound_;  ///< what the last run that was not refused had
  PreparedSolver solver_;
  std::weak_ptr<void> under_way_;
};
Task::Work prepare_work(const Request& request);
/// True if the thread of the request calls Python.
bool calls_python(const Request& request);

/// A result as a dict of numbers, texts and arrays. With the lock.
py::dict outcome(const Composition& composition, RunResult result);

/// Components and sections with their parameters, as `claros describe` has them.
py::list component_tables();
py::dict component_table(const std::string& name);

/// An encoding as numbers and texts alone, so that it can be pickled; None if it is null.
py::object facts_of(const std::shared_ptr<const TableEncoding>& encoding);
/// Reads a table written with semicolons and a header. Returns rows, names of columns, how text became
/// numbers, and notes. `words` are options of design_rows. `record` is that of the training, or None.
py::tuple read_frame(const std::string& text, Index width, const std::map<std::string, std::string>& words,
                     const py::object& record);

/// The conformance kit on an object of Python; the verdict and one dict a test.
Task::Work doctor_work(const py::object& object, const std::vector<std::string>& only);

}  // namespace claros::python

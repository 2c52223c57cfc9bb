// SPDX-License-Identifier: BSD-3-Clause
#include <claros/error.hpp>
#include <claros/io/memory_file.hpp>
#include <claros/io/survival.hpp>
#include <claros/other_names.hpp>
#include <claros/results/arithmetic.hpp>
#include <claros/results/run_folder.hpp>

#include "arrays.hpp"
#include "blocks.hpp"
#include "foreign.hpp"
#include "request.hpp"
#include "task.hpp"

#include <pybind11/stl.h>

namespace {

using namespace claros;
using namespace claros::python;

/// Errors of the library become claros.Error and its subclasses, which Python makes.
void raise(const Error& error) {
  py::list complaints;
  const Error known = with_remedies(error);
  for (const Complaint& complaint : known.complaints())
    complaints.append(py::make_tuple(complaint.where, complaint.what, complaint.remedy));
  const py::object made =
      py::module_::import("claros.errors").attr("make")(static_cast<int>(error.kind()), complaints);
  PyErr_SetObject(py::type::handle_of(made).ptr(), made.ptr());
}

std::shared_ptr<Task> started(Task::Work work, bool calls_python) {
  return Task::start(std::move(work), calls_python);
}

void bind_task(py::module_& module) {
  py::class_<Task, std::shared_ptr<Task>>(module, "Task", "A call of the library in a thread of its own.")
      .def("wait", &Task::wait, py::arg("seconds"), "Whether it is over, after at most so many seconds.")
      .def("result", &Task::result)
      .def("has_raised", &Task::has_raised)
      .def("take_raised", &Task::take_raised)
      .def("interrupt", &Task::interrupt)
      .def("messages", &Task::taken_messages);
}

void bind_data(py::module_& module) {
  using Matrix = py::array_t<double, py::array::f_style>;
  py::class_<MemoryFile>(module, "MemoryFile", "A file in memory for a parameter.")
      .def(py::init<const std::string&, std::string_view>(), py::arg("parameter"), py::arg("text"))
      .def(py::init([](const std::string& parameter, const Matrix& values) {
             return std::make_unique<MemoryFile>(parameter, numbers<double>(values), values.shape(0),
                                                 values.shape(1));
           }),
           py::arg("parameter"), py::arg("values").noconvert())
      .def_property_readonly("name", &MemoryFile::name);
  py::class_<HeldData>(module, "Data", "Data in memory, to be given to any number of solves.");
  py::class_<Facts>(module, "Facts")
      .def(py::init([](std::optional<Doubles> weights, std::optional<Doubles> offset,
                       std::vector<std::string> columns, std::string response,
                       std::optional<Doubles> responses) {
             return Facts{std::move(weights), std::move(offset), std::move(columns), std::move(response),
                          std::move(responses)};
           }),
           py::arg("weights"), py::arg("offset"), py::arg("columns"), py::arg("response"),
           py::arg("responses") = py::none());
  module.def("read_frame", &read_frame, py::arg("text"), py::arg("width"), py::arg("words"),
             py::arg("record"));
  module.def(
      "dense",
      [](const py::array& rows, const Doubles& response, const Facts& facts) {
        return HeldData{dense_data(rows, response, facts)};
      },
      py::arg("rows").noconvert(), py::arg("response").noconvert(), py::arg("facts"));
  module.def(
      "sparse",
      [](const py::array& start, const Indices& at, const py::array& value, Index others, bool by_columns,
         const Doubles& response, const Facts& facts) {
        return HeldData{sparse_data({start, at, value, others, by_columns}, response, facts)};
      },
      py::arg("start").noconvert(), py::arg("at").noconvert(), py::arg("value").noconvert(),
      py::arg("others"), py::arg("by_columns"), py::arg("response").noconvert(), py::arg("facts"));
  module.def(
      "triplets",
      [](const Indices& row, const Indices& col, const Doubles& value, Index rows, Index cols,
         const std::string& duplicates, const Doubles& weight) {
        return HeldData{triplet_data(row, col, value, rows, cols, duplicates, weight)};
      },
      py::arg("row").noconvert(), py::arg("col").noconvert(), py::arg("value").noconvert(), py::arg("rows"),
      py::arg("cols"), py::arg("duplicates"), py::arg("weight").noconvert());
}

KeptSolver* solver_of(PyObject* self) {
  auto* instance = reinterpret_cast<py::detail::instance*>(self);
  return static_cast<KeptSolver*>(instance->get_value_and_holder().value_ptr());
}

/// A component or a callback may hold what holds this solver: its class, or an exception with a traceback.
void collect_cycles(PyHeapTypeObject* type) {
  type->ht_type.tp_flags |= Py_TPFLAGS_HAVE_GC;
  type->ht_type.tp_traverse = [](PyObject* self, visitproc visit, void* arg) {
#if PY_VERSION_HEX >= 0x03090000
    Py_VISIT(Py_TYPE(self));
#endif
    if (const auto* solver = solver_of(self))
      for (const auto& object : solver->references()) Py_VISIT(object->ptr());
    return 0;
  };
  type->ht_type.tp_clear = [](PyObject* self) {
    if (const auto* solver = solver_of(self))
      for (const auto& object : solver->references()) *object = py::none();
    return 0;
  };
}

void bind_request(py::module_& module) {
  py::class_<Request>(module, "Request")
      .def(py::init<>())
      .def_readwrite("file", &Request::file)
      .def_readwrite("settings", &Request::settings)
      .def_readwrite("objects", &Request::objects)
      .def_property(
          "data", [](const Request& request) { return HeldData{request.data}; },
          [](Request& request, const HeldData* held) { request.data = held ? held->data : nullptr; })
      .def_readwrite("start", &Request::start)
      .def_readwrite("on_step", &Request::on_step)
      .def_readwrite("folder", &Request::folder)
      .def_readwrite("resumes", &Request::resumes)
      .def_readwrite("choice_folds", &Request::choice_folds);
  module.def("check", [](const Request& r) { return started(check_work(r), calls_python(r)); });
  module.def("solve", [](const Request& r) { return started(solve_work(r), calls_python(r)); });
  py::class_<KeptSolver, std::shared_ptr<KeptSolver>>(module, "KeptSolver", "A composition for many runs.",
                                                      py::custom_type_setup(collect_cycles))
      .def("solve", [](KeptSolver& solver, const Request& r) {
        return started(solver.solve_work(r), solver.calls_python());
      });
  module.def("prepare", [](const Request& r) { return started(prepare_work(r), calls_python(r)); });
  module.def("path", [](const Request& r, const std::map<std::string, std::string>& grid,
                        const std::vector<std::pair<Rows, Rows>>& folds) {
    GivenFolds given;
    for (const auto& [training, held_back] : folds)
      given.all.push_back({{training.data(), training.data() + training.size()},
                           {held_back.data(), held_back.data() + held_back.size()}});
    return started(path_work(r, grid, std::move(given)), calls_python(r));
  });
}

}  // namespace

PYBIND11_MODULE(_claros, module) {
  module.doc() = "The library libclaros; the package claros is what programs use.";
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const Error& error) {
      raise(error);
    }
  });
  bind_task(module);
  module.def("with_section", &with_section, "An assignment such as max_iter=100 as section.key=value.");
  bind_data(module);
  bind_blocks(module);
  bind_request(module);
  bind_problem(module);
  module.def(
      "doctor",
      [](const py::object& object, const std::vector<std::string>& only) {
        return started(doctor_work(object, only), true);
      },
      py::arg("object"), py::arg("only"));
  module.def("components", &component_tables);
  module.def("describe", &component_table, py::arg("name"));
  module.def(
      "concordance",
      [](const Doubles& time, const std::vector<bool>& event, const std::vector<Index>& stratum,
         const Doubles& risk, const Doubles& entry) {
        return concordance({{time.data(), time.data() + time.size()},
                            event,
                            stratum,
                            {entry.data(), entry.data() + entry.size()}},
                           {risk.data(), static_cast<std::size_t>(risk.size())});
      },
      py::arg("time"), py::arg("event"), py::arg("stratum"), py::arg("risk"), py::arg("entry"));
  module.def("version", &version);
  module.attr("faster_core") = faster_blas_core();
}

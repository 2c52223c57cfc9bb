// SPDX-License-Identifier: BSD-3-Clause
#include <claros/doctor/doctor.hpp>
#include <claros/plugin.hpp>

#include "callee.hpp"
#include "foreign.hpp"
#include "request.hpp"

#include <map>
#include <mutex>

namespace claros::python {

namespace {

/// The examined object, as a plugin that makes components. The process examines one at a time, since `create`
/// of a plugin is a function without state.
class Examined {
 public:
  Examined(std::shared_ptr<py::object> object, Kind kind) : object_(std::move(object)), kind_(kind) {
    current_ = this;
  }
  ~Examined() { current_ = nullptr; }
  Examined(const Examined&) = delete;
  Examined& operator=(const Examined&) = delete;

  static Component* create(const void*, const Context&) {
    std::shared_ptr<Component> made;
    {
      const py::gil_scoped_acquire lock;
      made = foreign(current_->object_, current_->kind_);
    }
    const std::lock_guard lock(current_->mutex_);
    Component* component = made.get();
    current_->components_[component] = std::move(made);
    return component;
  }
  static void destroy(Component* component) {
    std::shared_ptr<Component> last;
    const std::lock_guard lock(current_->mutex_);
    last = std::move(current_->components_[component]);
    current_->components_.erase(component);
  }

 private:
  static inline Examined* current_ = nullptr;
  std::shared_ptr<py::object> object_;
  Kind kind_;
  std::mutex mutex_;
  std::map<Component*, std::shared_ptr<Component>> components_;
};

struct NoOptions {};
const ParameterList* no_parameters() {
  static const ParameterTable<NoOptions> none{};
  return &none;
}

const char* outcome_name(doctor::Outcome outcome) {
  if (outcome == doctor::Outcome::passed) return "passed";
  return outcome == doctor::Outcome::failed ? "failed" : "skipped";
}

py::object report(const std::vector<doctor::Result>& results, const doctor::Conclusion& conclusion) {
  using namespace py::literals;
  py::list rows;
  for (const doctor::Result& result : results)
    rows.append(py::dict("test"_a = result.test, "definition"_a = result.definition,
                         "outcome"_a = outcome_name(result.outcome), "observed"_a = result.observed,
                         "where"_a = result.where, "mistake"_a = result.mistake,
                         "seconds"_a = result.seconds));
  return py::dict("verdict"_a = doctor::verdict_name(conclusion.verdict), "text"_a = conclusion.text(),
                  "results"_a = rows);
}

}  // namespace

Task::Work doctor_work(const py::object& object, const std::vector<std::string>& only) {
  const Kind kind = kind_of(object);
  const Callee callee(keep(object));
  foreign(keep(object), kind);  // what is missing is reported now
  const auto shape = callee.shape();
  return [kept = keep(object), kind, shape, only, name = callee.type()](Task& task) -> Task::Deliver {
    static std::mutex one_at_a_time;
    const std::lock_guard lock(one_at_a_time);
    const Examined examined(kept, kind);
    const std::string summary = "The class " + name + " of Python";
    const ClarosPlugin plugin{kPluginMagic,
                              kPluginAbi,
                              sizeof(ClarosPlugin),
                              kind,
                              CLAROS_FINGERPRINT,
                              "object",
                              "",
                              "1.0.0",
                              summary.c_str(),
                              summary.c_str(),
                              "",
                              "",
                              "",
                              Examined::create,
                              Examined::destroy,
                              no_parameters};
    Catalog own;
    doctor::Subject subject{.entry = own.add(plugin), .catalog = &catalog()};
    if (shape && kind != Kind::objective) subject.shapes = {*shape};
    const doctor::Options options{.only = only, .isolate = false};
    const auto results = doctor::examine(subject, options, [&task](const doctor::Result&) {
      if (task.interrupted()) throw Error(ErrorKind::usage, "doctor", "interrupted");
    });
    const auto conclusion = doctor::conclude(kind, results, options);
    return [results, conclusion] { return report(results, conclusion); };
  };
}

}  // namespace claros::python

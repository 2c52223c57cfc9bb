// SPDX-License-Identifier: BSD-3-Clause
#include "foreign.hpp"

#include <claros/algorithm.hpp>
#include <claros/error.hpp>
#include <claros/sdk/functions.hpp>
#include <claros/sdk/point_algorithm.hpp>

#include "callee.hpp"

#include <pybind11/stl.h>

namespace claros::python {

namespace {

using Values = std::span<const double>;
using Written = std::span<double>;

/// Everything that `object` lacks of `methods`.
void require(const Callee& object, Kind kind, const std::vector<const char*>& methods) {
  std::vector<Complaint> complaints;
  for (const char* method : methods)
    if (!object.has(method))
      complaints.push_back(
          {kind_name(kind), object.type() + " has no method " + method,
           "a " + kind_name(kind) + " in Python has " + joined({methods.begin(), methods.end()})});
  if (!complaints.empty()) throw Error(ErrorKind::usage, std::move(complaints));
}

Constants constants_of(const Callee& f) {
  return {.convex = f.truth("convex"),
          .smoothness = f.number("smoothness"),
          .term_smoothness = f.number("term_smoothness"),
          .strong_convexity = f.number("strong_convexity"),
          .lower_bound = f.number("lower_bound")};
}

Shape required_shape(const Callee& f) {
  if (const auto shape = f.shape()) return *shape;
  throw Error(ErrorKind::usage, "objective", f.type() + " has no attribute shape",
              "give the number of entries of its variable, or (rows, columns)");
}

auto one(const Callee& f, Values x) {
  return [&f, x] { return py::make_tuple(f.array(x)); };
}
auto two(const Callee& f, Values x, Values d) {
  return [&f, x, d] { return py::make_tuple(f.array(x), f.array(d)); };
}

std::shared_ptr<Component> whole_objective(const Callee& f, const Shape& shape) {
  sdk::Function made{.shape = shape,
                     .value = [f](Values x) { return f.number_of("value", one(f, x)); },
                     .gradient = [f](Values x, Written g) { f.write("gradient", g, one(f, x)); },
                     .constants = constants_of(f)};
  if (f.has("hessian_product"))
    made.hessian_product = [f](Values x, Values d, Written h) {
      f.write("hessian_product", h, two(f, x, d));
    };
  return sdk::objective(std::move(made));
}

/// The mean of terms: `gradient(x, batch)` is the mean over a batch of indices from 0, None for all.
std::shared_ptr<Component> sum_objective(const Callee& f, const Shape& shape, Index terms) {
  const auto batch_of = [](std::span<const Index> batch) -> py::object {
    if (batch.empty()) return py::none();
    return read_only(py::array_t<Index>(static_cast<py::ssize_t>(batch.size()), batch.data()));
  };
  const auto mean = [f, batch_of, made = std::vector<double>()](Values x, std::span<const Index> batch,
                                                                double a, Written g) mutable {
    made.assign(g.size(), 0.0);
    f.write("gradient", made, [&] { return py::make_tuple(f.array(x), batch_of(batch)); });
    for (std::size_t j = 0; j < g.size(); ++j) g[j] += a * made[j];
  };
  return sdk::objective(
      sdk::FunctionBatches{.shape = shape,
                           .components = terms,
                           .value = [f](Values x) { return f.number_of("value", one(f, x)); },
                           .add_gradient = mean,
                           .constants = constants_of(f)});
}

std::shared_ptr<Component> foreign_objective(const Callee& f) {
  require(f, Kind::objective, {"value", "gradient"});
  const Shape shape = required_shape(f);
  const auto terms = f.number("terms");
  return terms ? sum_objective(f, shape, static_cast<Index>(*terms)) : whole_objective(f, shape);
}

std::shared_ptr<Component> foreign_set(const Callee& C) {
  require(C, Kind::set, {"outside"});
  sdk::SetFunctions made{.outside = [C](Values x) { return C.number_of("outside", one(C, x)); }};
  if (C.has("minimize")) {
    made.corner = [C](Values c, Written x) { C.write("minimize", x, one(C, c)); };
    made.diameter = C.number("diameter").value_or(0.0);
  }
  if (C.has("project")) made.project = [C](Values v, Written x) { C.write("project", x, one(C, v)); };
  if (C.has("start"))
    made.start = [C](Written x) { C.write("start", x, [n = x.size()] { return py::make_tuple(n); }); };
  return sdk::set(std::move(made));
}

std::shared_ptr<Component> foreign_penalty(const Callee& h) {
  require(h, Kind::penalty, {"value", "apply"});
  sdk::PenaltyFunctions made{
      .value = [h](Values x) { return h.number_of("value", one(h, x)); },
      .prox = [h](Values v, double s,
                  Written x) { h.write("apply", x, [&] { return py::make_tuple(h.array(v), s); }); },
      .weak_convexity = h.number("weak_convexity").value_or(0.0)};
  if (h.has("conjugate")) made.conjugate = [h](Values u) { return h.number_of("conjugate", one(h, u)); };
  if (h.has("into_domain"))
    made.into_domain = [h](Values u) { return h.number_of("into_domain", one(h, u)); };
  return sdk::penalty(std::move(made));
}

/// The view that `start`, `at` and `move` get of the problem: its oracles, watched and counted. It ends with
/// the component that holds it.
class ProblemView {
 public:
  Objective* objective = nullptr;
  Sampler* sampler = nullptr;
  ProximalOracle* penalty = nullptr;
  ProximalOracle* projection = nullptr;
  LinearOracle* oracle = nullptr;

  const Objective& alive() const {
    if (!objective)
      throw Error(ErrorKind::usage, "problem", "the run is over", "use a problem only within its run");
    return *objective;
  }
  Shape shape() const { return alive().shape(); }
  Index terms() const { return alive().terms(); }
  std::optional<double> smoothness() const { return alive().constants().smoothness; }
  double value(const py::array& x) const {
    alive();
    const Element at = point(x);
    const py::gil_scoped_release free;
    return objective->value(at);
  }
  py::array gradient(const py::array& x, const std::optional<std::vector<Index>>& batch) const {
    alive();
    const Element at = point(x);
    Element g(at.shape());
    require_batch(batch);
    {
      const py::gil_scoped_release free;
      objective->add_gradient(at, batch ? Batch::of(*batch) : Batch::all(), 1.0, g);
    }
    return array(g);
  }
  std::vector<Index> draw(Index size) const {
    alive();
    if (!sampler || terms() == kUnbounded || size < 1)
      throw Error(ErrorKind::usage, "problem.draw", "no terms to draw, or a size below 1",
                  "draw at least 1 within an estimator of a finite sum");
    const Batch batch = sampler->draw(size);
    std::vector<Index> drawn;
    for (Index k = 0; k < size; ++k) drawn.push_back(batch[k]);
    return drawn;
  }
  py::array apply(const py::array& v, double step) const { return proximal(penalty, v, step); }
  py::array project(const py::array& v) const { return proximal(projection, v, 1.0); }
  py::array minimize(const py::array& c) const {
    alive();
    if (!oracle) throw missing("set with linear minimisation");
    const Element direction = point(c);
    Element vertex(direction.shape());
    {
      const py::gil_scoped_release free;
      oracle->minimize(direction, {}, vertex);
    }
    return array(vertex);
  }
  /// The array of a point of the variable's shape.
  py::array array(const Element& x) const {
    const std::vector<double> values = x.to_dense();
    return x.shape().cols > 1 ? copied(values, x.shape().rows, x.shape().cols) : copied(values);
  }
  /// The same as an argument of a method, which cannot change it.
  py::array given(const Element& x) const { return read_only(array(x)); }

 private:
  Element point(const py::array& x) const {
    Element at = element_of(x, "problem");
    if (at.shape() == alive().shape()) return at;
    throw Error(ErrorKind::usage, "problem",
                "an array of " + at.shape().text() + " for a variable of " + alive().shape().text());
  }
  void require_batch(const std::optional<std::vector<Index>>& batch) const {
    if (!batch) return;
    for (const Index i : *batch)
      if (i < 0 || (terms() != kUnbounded && i >= terms()))
        throw Error(ErrorKind::usage, "problem.gradient", "term " + std::to_string(i) + " does not exist",
                    "terms are 0 to terms - 1");
  }
  static Error missing(const std::string& what) {
    return {ErrorKind::usage, "problem", "the problem has no " + what, "add one, or do not ask for it"};
  }
  py::array proximal(ProximalOracle* h, const py::array& v, double step) const {
    alive();
    const Element from = point(v);
    if (!h) return array(from);
    Element x(from.shape());
    {
      const py::gil_scoped_release free;
      h->apply(from, step, x, {});
    }
    return array(x);
  }
};

/// A view that Python may keep longer than C++ keeps what it shows.
class HeldView {
 public:
  ~HeldView() { *view_ = {}; }
  ProblemView& operator*() const { return *view_; }
  const std::shared_ptr<ProblemView>& shared() const { return view_; }

 private:
  std::shared_ptr<ProblemView> view_ = std::make_shared<ProblemView>();
};

class ForeignEstimator final : public GradientEstimator {
 public:
  explicit ForeignEstimator(Callee object) : object_(std::move(object)) {}
  void start(Objective& f, Sampler& sampler) override {
    (*view_).objective = &f;
    (*view_).sampler = &sampler;
    epochs_ = left_ = 0;
    g_ = Element(f.shape());
    const py::gil_scoped_acquire lock;
    object_.take_shape(f.shape());
    length_ = static_cast<Index>(object_.number("length").value_or(-1.0));
    exact_ = object_.truth("exact");
    unbiased_ = exact_ || object_.truth("unbiased");
    begins_ = object_.has("begin_epoch");
    if (object_.has("start")) object_.run("start", [&] { return py::make_tuple(view_.shared()); });
  }
  bool epoch_due() const override { return left_ == 0; }
  void begin_epoch(const Element& x, const EpochPlan& plan) override {
    ++epochs_;
    left_ = plan.length ? plan.length : length_;
    if (begins_)
      object_.run("begin_epoch", [&] { return py::make_tuple((*view_).given(x), view_.shared()); });
  }
  const Element& estimate(const Element& x, Index) override {
    if (left_ > 0) --left_;
    object_.write("at", g_.dense_values(), [&] { return py::make_tuple((*view_).given(x), view_.shared()); });
    return g_;
  }
  bool unbiased() const override { return unbiased_; }
  bool exact() const override { return exact_; }
  Index epochs() const override { return epochs_; }

 private:
  Callee object_;
  HeldView view_;
  Element g_;
  Index epochs_ = 0, length_ = -1;
  Index left_ = 0;  ///< steps of this epoch; below 0: it does not end
  bool exact_ = false, unbiased_ = false, begins_ = false;
};

class ForeignAlgorithm final : public sdk::PointAlgorithm {
 public:
  explicit ForeignAlgorithm(Callee object, Takes takes) : object_(std::move(object)), takes_(takes) {}
  Takes takes() const override { return takes_; }
  /// C++ does not know the state of the object between two steps, so it cannot be resumed.
  void* ability(std::string_view) noexcept override { return nullptr; }

 private:
  void begin() override {
    ProblemView& view = *view_;
    view.objective = problem().objective;
    view.penalty = problem().penalty;
    view.projection = problem().projection;
    view.oracle = problem().linear_oracle;
    const py::gil_scoped_acquire lock;
    object_.take_shape(problem().objective->shape());
    if (object_.has("start"))
      object_.run("start", [&] { return py::make_tuple(view.given(x()), view_.shared()); });
  }
  void move(const Element& g) override {
    next_.resize(static_cast<std::size_t>(x().shape().size()));
    object_.write("move", next_,
                  [&] { return py::make_tuple((*view_).given(x()), (*view_).given(g), view_.shared()); });
    x() = Element::dense(x().shape(), next_);
  }

  Callee object_;
  Takes takes_;
  HeldView view_;
  std::vector<double> next_;
};

std::shared_ptr<Component> foreign_algorithm(const Callee& object, const py::object& source) {
  require(object, Kind::algorithm, {"move"});
  Takes takes{.reason = "its attribute takes names no more (takes = (\"penalty\", \"set\"))"};
  const py::object named = py::getattr(source, "takes", py::make_tuple());
  for (const py::handle& word : named) {
    const auto role = word.cast<std::string>();
    takes.penalty |= role == "penalty";
    takes.set |= role == "set";
    takes.smoother |= role == "smoother";
  }
  takes.both = takes.penalty && takes.set;
  return std::make_shared<ForeignAlgorithm>(object, takes);
}

std::shared_ptr<Component> foreign_estimator(const Callee& object) {
  require(object, Kind::estimator, {"at"});
  return std::make_shared<ForeignEstimator>(object);
}

}  // namespace

std::shared_ptr<Component> foreign(const std::shared_ptr<py::object>& object, Kind kind) {
  const Callee callee(object);
  switch (kind) {
    case Kind::objective:
    case Kind::smoother:
      return foreign_objective(callee);
    case Kind::set:
      return foreign_set(callee);
    case Kind::penalty:
      return foreign_penalty(callee);
    case Kind::estimator:
      return foreign_estimator(callee);
    case Kind::algorithm:
      return foreign_algorithm(callee, *object);
    default:
      throw Error(ErrorKind::usage, kind_name(kind), "an object of Python cannot be a " + kind_name(kind),
                  "give a name of claros.components()");
  }
}

Kind kind_of(const py::object& object) {
  const Callee callee(keep(object));
  if (callee.has("move")) return Kind::algorithm;
  if (callee.has("at")) return Kind::estimator;
  if (callee.has("outside")) return Kind::set;
  if (callee.has("apply")) return Kind::penalty;
  if (callee.has("gradient")) return Kind::objective;
  throw Error(ErrorKind::usage, callee.type(), "has no methods of a component",
              "an objective has value and gradient; a set outside, and minimize or project; a penalty value "
              "and apply; an estimator at; an algorithm move");
}

void bind_problem(py::module_& module) {
  py::class_<ProblemView, std::shared_ptr<ProblemView>>(
      module, "Problem",
      "The problem as an estimator or an algorithm in Python sees it; every call is counted.")
      .def_property_readonly("shape",
                             [](const ProblemView& view) -> py::tuple {
                               const Shape shape = view.shape();
                               if (shape.cols == 1) return py::make_tuple(shape.rows);
                               return py::make_tuple(shape.rows, shape.cols);
                             })
      .def_property_readonly("terms", &ProblemView::terms)
      .def_property_readonly("smoothness", &ProblemView::smoothness)
      .def("value", &ProblemView::value, py::arg("x"), "f(x)")
      .def("gradient", &ProblemView::gradient, py::arg("x"), py::arg("batch") = py::none(),
           "The mean gradient over the terms of `batch`, counted from 0; of all without it.")
      .def("draw", &ProblemView::draw, py::arg("size"),
           "So many terms, drawn independently from the run's seed.")
      .def("apply", &ProblemView::apply, py::arg("v"), py::arg("step"),
           "The proximal step of the penalty; v without one.")
      .def("project", &ProblemView::project, py::arg("v"), "The projection onto the set; v without one.")
      .def("minimize", &ProblemView::minimize, py::arg("c"), "A point of the set that minimises <c, x>.");
}

}  // namespace claros::python

// SPDX-License-Identifier: BSD-3-Clause
#include "trials.hpp"
#include "free_tail.hpp"
#include "truth.hpp"

#include <claros/composition.hpp>

#include <algorithm>
#include <set>
#include <utility>

namespace claros {

bool has_stop(const StopOptions& s) noexcept {
  return s.iterations || s.epochs || s.passes > 0 || s.seconds > 0 || s.gap > 0 || s.relative_gap > 0 || s.residual > 0 ||
         s.value > -std::numeric_limits<double>::infinity() || s.sfo || s.lo || s.stall;
}

void Composition::connect() {
  const auto seen = [&](const std::shared_ptr<Component>& component) -> std::shared_ptr<ProximalOracle> {
    auto* oracle = component ? query<ProximalOracle>(*component) : nullptr;
    if (!oracle) return nullptr;
    auto* tail = objective ? query<FreeTail>(*objective) : nullptr;
    if (tail) return std::make_shared<HeadOracle>(component, *oracle, tail->constrained_shape());
    return {component, oracle};
  };
  penalty_oracle = seen(penalty);
  projection = seen(set);
}

Problem Composition::problem() const {
  Problem p;
  p.objective = objective.get();
  p.smoother = smoother.get();
  p.penalty = penalty_oracle.get();
  p.set = set.get();
  // With free coordinates a linear function has no minimum over the set.
  const bool free_tail = objective && query<FreeTail>(*objective);
  p.linear_oracle = set && !free_tail ? query<LinearOracle>(*set) : nullptr;
  p.projection = projection.get();
  if (penalty || set) p.conjugate = query<Conjugate>(penalty ? *penalty : *set);
  p.estimator = estimator.get();
  p.truth = truth.get();
  p.context = context;
  return p;
}

Element Composition::start_point() const {
  if (given_start) return *given_start;
  const Shape shape = objective->shape();
  auto* own = set && start.from == "auto" ? query<Start>(*set) : nullptr;
  return own ? own->start_point(shape) : Element(shape);
}

namespace {

using Choice = Composition::Choice;

template <class Interface>
std::shared_ptr<Interface> created(const Choice& choice, const Context& context) {
  return std::static_pointer_cast<Interface>(Catalog::create(*choice.entry, choice.options.get(), context));
}

class Composer {
 public:
  Composer(const Catalog& catalog, const Spec& spec, const HostParts& parts, MessageSink messages,
           std::vector<Complaint> complaints)
      : catalog_(catalog),
        spec_(spec),
        parts_(parts),
        well_formed_(complaints.empty()),
        complaints_(std::move(complaints)) {
    result_.context.messages = std::move(messages);
  }

  Composition operator()() {
    read_house_sections();
    take_parts();
    const Choice objective = choose(Kind::objective, true), smoother = choose(Kind::smoother), penalty = choose(Kind::penalty),
                 set = choose(Kind::set), algorithm = choose(Kind::algorithm, true),
                 estimator = choose(Kind::estimator, false, "full"), data = choose(Kind::data);
    if (!has_stop(result_.stop) && stop_understood_)
      miss({"stop", "nothing would end the run", "give a rule, such as stop.iterations = 1000 or stop.relative_gap = 1e-3"});
    set_context();
    const bool sound = complaints_.empty();
    make(algorithm, result_.algorithm, result_.names.algorithm);
    make(set, result_.set, result_.names.set);
    make(penalty, result_.penalty, result_.names.penalty);
    std::string smoother_name;
    if (sound) {  // their data may take long to read, for a specification that cannot run
      make(estimator, result_.estimator, result_.names.estimator);
      make(smoother, result_.smoother, smoother_name);
      if (data.entry) result_.context.data = made_data(data);
      if (!broken_.contains("data")) make(objective, result_.objective, result_.names.objective);
      if (result_.objective) find_truth();
    } else {
      broken_.insert({"estimator", "objective"});
    }
    result_.set_choice = set, result_.estimator_choice = estimator, result_.algorithm_choice = algorithm;
    result_.connect();
    if (result_.algorithm && well_formed_) check_fit();
    if (complaints_.empty()) check_shapes();
    throw_complaints();
    return std::move(result_);
  }

  /// The [data] section alone.
  std::shared_ptr<const Dataset> data() {
    result_.run = house(run_parameters(), "run");
    const Choice choice = choose(Kind::data);
    set_context();
    throw_complaints();
    auto made = made_data(choice);
    throw_complaints();
    return made;
  }

 private:
  std::shared_ptr<const Dataset> made_data(const Choice& choice) {
    std::shared_ptr<Component> component;
    std::string name;
    make(choice, component, name);
    if (!component) return nullptr;
    if (const auto* data = query<Dataset>(*component)) return {component, data};
    add(Error(ErrorKind::plugin, name, "is no data: it lacks the ability " + std::string(Dataset::kAbility), "mend the plugin"));
    broken_.insert("data");
    return nullptr;
  }

  /// From a file, else from who made the data.
  void find_truth() {
    const auto& data = result_.context.data;
    try {
      if (!result_.trace.truth.empty())
        result_.truth = std::make_shared<const Element>(read_truth(result_.context.resolve(result_.trace.truth), result_.objective->shape()));
      else if (data && data->truth() && data->truth()->shape() == result_.objective->shape())
        result_.truth = {data, data->truth()};
    } catch (const Error& error) {
      add(error);
    }
  }

  /// A part that is missing perhaps stands there misspelt, and that was complained about.
  void miss(Complaint complaint) {
    if (well_formed_) complaints_.push_back(std::move(complaint));
  }

  void add(const Error& error) {
    if (complaints_.empty()) kind_ = error.kind();
    complaints_.insert(complaints_.end(), error.complaints().begin(), error.complaints().end());
  }

  void check_fit() {
    for (MissingPart& missing : missing_parts(result_.problem(), *result_.algorithm, result_.names)) {
      if (broken_.contains(missing.role)) continue;
      if (const std::string fitting = offering(missing); fitting != "none") missing.complaint.remedy = (missing.role == "algorithm" ? "these take it: " : "these have it: ") + fitting;
      complaints_.push_back(std::move(missing.complaint));
    }
    if (!complaints_.empty()) return;  // perhaps a part of it is missing
    complaints_ = unmeasured_targets(result_.problem(), result_.stop);
    if (auto complaint = trials_complaint(result_)) complaints_.push_back(*std::move(complaint));
  }

  void throw_complaints() {
    if (!complaints_.empty()) throw Error(kind_, std::move(complaints_));
  }

  std::shared_ptr<void> assigned(const ParameterList& parameters, const std::string& section, const std::string& owner) {
    Assignments assignments = assign_settings(parameters, spec_.settings(section), owner);
    complaints_.insert(complaints_.end(), assignments.complaints.begin(), assignments.complaints.end());
    for (const ParameterInfo& row : parameters.rows())
      result_.effective.set(section + "." + row.name, parameters.print(assignments.options.get(), row.name));
    return assignments.options;
  }

  template <class Options>
  Options house(const ParameterTable<Options>& table, const std::string& section) {
    if (const auto use = spec_.get(section, std::string(kUse)))
      complaints_.push_back({use->label(), "[" + section + "] holds no component", "leave it out"});
    return *std::static_pointer_cast<Options>(assigned(table, section, "[" + section + "]"));
  }

  void read_house_sections() {
    result_.start = house(start_parameters(), "start");
    const std::size_t before = complaints_.size();
    result_.stop = house(stop_parameters(), "stop");
    stop_understood_ = complaints_.size() == before;
    result_.trace = house(trace_parameters(), "trace");
    result_.output = house(output_parameters(), "output");
    result_.run = house(run_parameters(), "run");
  }

  /// Groups or bounds that do not fit the variable are heard of before the first step.
  void check_shapes() {
    if (!result_.penalty_oracle && !result_.projection) return;
    Element zero(result_.objective->shape()), point(zero);
    const auto tried = [&](const auto& use) {
      try {
        use();
      } catch (const Error& error) {
        if (error.kind() == ErrorKind::usage) add(error);
      } catch (...) {  // the run will tell who
      }
    };
    if (result_.penalty_oracle) tried([&] { (void)result_.penalty_oracle->value(zero); });
    if (result_.projection) tried([&] { (void)result_.projection->apply(zero, 1.0, point, {}); });
  }

  Choice choose(Kind kind, bool required = false, const std::string& fallback = {}) {
    const std::string section = kind_name(kind);
    const auto use = spec_.get(section, std::string(kUse));
    if (given_.contains(section)) {
      if (spec_.has(section))
        miss({section, "is given by the program itself and by the specification", "keep one of them"});
      return {};
    }
    if (!use && !required && fallback.empty()) {
      if (spec_.has(section)) miss({section, "has settings but names no component", "give " + section + ".use = NAME"});
      return {};
    }
    if (!use && required) {
      miss({section, "is missing", "give " + section + ".use = NAME; there are: " + joined(catalog_.names(kind))});
      return {};
    }
    const std::size_t before = complaints_.size();
    try {
      Choice choice;
      choice.entry = &catalog_.at(kind, use ? use->value : fallback, use ? use->label() : section);
      result_.effective.set(section + "." + std::string(kUse), choice.entry->name);
      choice.options = assigned(*choice.entry->parameters, section, choice.entry->label());
      result_.versions.emplace_back(choice.entry->label(), choice.entry->version);
      if (complaints_.size() == before) return choice;
    } catch (const Error& error) {
      add(error);
    }
    broken_.insert(section);
    return {};
  }

  void set_context() {
    result_.context.base = spec_.base();
    result_.context.seed = static_cast<std::uint64_t>(result_.run.seed);
    result_.context.threads = static_cast<int>(result_.run.threads);
    result_.effective.set("run.base", spec_.base().string());
  }

  /// Leaves what the program gave.
  template <class Interface>
  void make(const Choice& choice, std::shared_ptr<Interface>& part, std::string& name) {
    if (!choice.entry) return;
    name = choice.entry->label();
    try {
      part = created<Interface>(choice, result_.context);
    } catch (const Error& error) {
      add(error);
      broken_.insert(kind_name(choice.entry->kind));
    }
  }

  void take_parts() {
    const auto take = [&](Kind kind, const auto& given, auto& part, std::string& name) {
      if (!given) return;
      part = given;
      name = kind_name(kind) + "/host";
      given_.insert(kind_name(kind));
    };
    std::string unnamed;
    take(Kind::objective, parts_.objective, result_.objective, result_.names.objective);
    take(Kind::penalty, parts_.penalty, result_.penalty, result_.names.penalty);
    take(Kind::set, parts_.set, result_.set, result_.names.set);
    take(Kind::estimator, parts_.estimator, result_.estimator, result_.names.estimator);
    take(Kind::algorithm, parts_.algorithm, result_.algorithm, result_.names.algorithm);
    take(Kind::data, parts_.data, result_.context.data, unnamed);
    result_.given_start = parts_.start;
  }

  static std::string joined(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
    return text.empty() ? "none" : text;
  }

  /// The components that would do: those of the role whose default instance offers the ability.
  std::string offering(const MissingPart& missing) const {
    const auto kind = parse_kind(missing.role);
    if (!kind || missing.ability.empty()) return "none";
    std::vector<std::string> fitting;
    for (const std::string& name : catalog_.names(*kind)) try {
        const PluginEntry& entry = catalog_.at(*kind, name);
        const auto made = Catalog::create(entry, entry.parameters->make().get(), result_.context);
        const bool fits = *kind == Kind::algorithm ? takes(static_cast<Algorithm&>(*made), missing.ability)
                                                   : made->ability(missing.ability) != nullptr;
        if (fits) fitting.push_back(name);
      } catch (const Error&) {
        continue;  // cannot be made from defaults alone
      }
    return joined(fitting);
  }

  static bool takes(const Algorithm& algorithm, std::string_view role) {
    return algorithm.takes().suits(role == "penalty", role == "set", role == "smoother");
  }

  const Catalog& catalog_;
  const Spec& spec_;
  const HostParts& parts_;
  Composition result_;
  const bool well_formed_;
  bool stop_understood_ = true;
  ErrorKind kind_ = ErrorKind::usage;  ///< of the first complaint
  std::vector<Complaint> complaints_;
  std::set<std::string> given_;   ///< roles that the program filled
  std::set<std::string> broken_;  ///< roles whose component could not be chosen or created
};

}  // namespace

Composition Composition::trial(std::uint32_t number) const {
  Composition other = *this;
  other.context.trial = number;
  other.algorithm = created<Algorithm>(algorithm_choice, other.context);
  other.estimator = created<GradientEstimator>(estimator_choice, other.context);
  if (set_choice.entry) other.set = created<Component>(set_choice, other.context);
  other.connect();
  return other;
}

std::shared_ptr<const Dataset> make_data(const Catalog& catalog, const Spec& spec, MessageSink messages) {
  const HostParts none;
  return Composer(catalog, spec, none, std::move(messages), {}).data();
}

Composition compose(const Catalog& catalog, const Spec& spec, MessageSink messages, std::vector<Complaint> complaints) {
  return compose(catalog, spec, HostParts(), std::move(messages), std::move(complaints));
}

Composition compose(const Catalog& catalog, const Spec& spec, const HostParts& parts, MessageSink messages,
                    std::vector<Complaint> complaints) {
  return Composer(catalog, spec, parts, std::move(messages), std::move(complaints))();
}

}  // namespace claros

// SPDX-License-Identifier: BSD-3-Clause
#include <claros/composition.hpp>

#include <algorithm>
#include <set>
#include <utility>

namespace claros {

const ParameterTable<StartOptions>& start_parameters() {
  static const ParameterTable<StartOptions> table{
      row("from", &StartOptions::from, one_of({"auto", "zero"}), "where the run starts: auto is the set's own start point, or zero when it has none")};
  return table;
}

const ParameterTable<OutputOptions>& output_parameters() {
  static const ParameterTable<OutputOptions> table{
      row("solution", &OutputOptions::solution, "whether the run folder gets the solution as Matrix Market files"),
      row("checkpoint", &OutputOptions::checkpoint, at_least(0),
          "seconds between checkpoints in the run folder, from which claros resume continues; 0: none"),
      row("checkpoint_every", &OutputOptions::checkpoint_every, at_least(0),
          "steps between checkpoints, besides those by time; 0: by time alone")};
  return table;
}

const ParameterTable<RunOptions>& run_parameters() {
  static const ParameterTable<RunOptions> table{
      row("seed", &RunOptions::seed, at_least(0), "seed of every random stream of the run"),
      row("threads", &RunOptions::threads, between(1, 256), "threads; the result does not depend on it"),
      row("base", &RunOptions::base, any(), "folder against which relative file names are resolved; empty: that of the specification")};
  return table;
}

const std::vector<HouseSection>& house_sections() {
  static const std::vector<HouseSection> sections{
      {"start", &start_parameters(), "where the run starts"},
      {"stop", &stop_parameters(), "when the run ends: at the first rule that holds"},
      {"trace", &trace_parameters(), "what is measured on the way"},
      {"output", &output_parameters(), "what the run folder holds"},
      {"run", &run_parameters(), "seed, threads, folders"},
  };
  return sections;
}

bool has_stop(const StopOptions& s) noexcept {
  return s.iterations || s.epochs || s.passes > 0 || s.seconds > 0 || s.gap > 0 || s.relative_gap > 0 ||
         s.value > -std::numeric_limits<double>::infinity() || s.sfo || s.lo || s.stall;
}

Problem Composition::problem() const {
  Problem p;
  p.objective = objective.get();
  p.smoother = smoother.get();
  p.penalty = penalty ? query<ProximalOracle>(*penalty) : nullptr;
  p.set = set.get();
  p.linear_oracle = set ? query<LinearOracle>(*set) : nullptr;
  p.projection = set ? query<ProximalOracle>(*set) : nullptr;
  p.estimator = estimator.get();
  p.context = context;
  return p;
}

Element Composition::start_point() const {
  const Shape shape = objective->shape();
  auto* own = set && start.from == "auto" ? query<Start>(*set) : nullptr;
  return own ? own->start_point(shape) : Element(shape);
}

namespace {

/// One role of a composition: which plugin, with which options.
struct Choice {
  const PluginEntry* entry = nullptr;
  std::shared_ptr<void> options;
};

class Composer {
 public:
  Composer(const Catalog& catalog, const Spec& spec, MessageSink messages, std::vector<Complaint> complaints)
      : catalog_(catalog), spec_(spec), well_formed_(complaints.empty()), complaints_(std::move(complaints)) {
    result_.context.messages = std::move(messages);
  }

  Composition operator()() {
    read_house_sections();
    const Choice objective = choose(Kind::objective, true), smoother = choose(Kind::smoother), penalty = choose(Kind::penalty),
                 set = choose(Kind::set), algorithm = choose(Kind::algorithm, true),
                 estimator = choose(Kind::estimator, false, "full"), data = choose(Kind::data);
    if (!has_stop(result_.stop) && stop_understood_)
      miss({"stop", "nothing would end the run", "give a rule, such as stop.iterations = 1000 or stop.relative_gap = 1e-3"});
    set_context();
    const bool sound = complaints_.empty();
    result_.algorithm = make<Algorithm>(algorithm, result_.names.algorithm);
    result_.set = make<Component>(set, result_.names.set);
    result_.penalty = make<Component>(penalty, result_.names.penalty);
    std::string smoother_name;
    if (sound) {  // their data may take long to read, for a specification that cannot run
      result_.estimator = make<GradientEstimator>(estimator, result_.names.estimator);
      result_.smoother = make<Objective>(smoother, smoother_name);
      if (data.entry) (void)make<Component>(data, smoother_name);
      result_.objective = make<Objective>(objective, result_.names.objective);
    } else {
      broken_.insert({"estimator", "objective"});
    }
    if (result_.algorithm && well_formed_) check_fit();
    throw_complaints();
    return std::move(result_);
  }

 private:
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
      if (const std::string fitting = offering(missing); fitting != "none") missing.complaint.remedy = "these have it: " + fitting;
      complaints_.push_back(std::move(missing.complaint));
    }
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

  Choice choose(Kind kind, bool required = false, const std::string& fallback = {}) {
    const std::string section = kind_name(kind);
    const auto use = spec_.get(section, std::string(kUse));
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

  template <class Interface>
  std::shared_ptr<Interface> make(const Choice& choice, std::string& name) {
    if (!choice.entry) return nullptr;
    name = choice.entry->label();
    try {
      return std::static_pointer_cast<Interface>(Catalog::create(*choice.entry, choice.options.get(), result_.context));
    } catch (const Error& error) {
      add(error);
      broken_.insert(kind_name(choice.entry->kind));
      return nullptr;
    }
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
        if (Catalog::create(entry, entry.parameters->make().get(), result_.context)->ability(missing.ability)) fitting.push_back(name);
      } catch (const Error&) {
        continue;  // cannot be made from defaults alone
      }
    return joined(fitting);
  }

  const Catalog& catalog_;
  const Spec& spec_;
  Composition result_;
  const bool well_formed_;
  bool stop_understood_ = true;
  ErrorKind kind_ = ErrorKind::usage;  ///< of the first complaint
  std::vector<Complaint> complaints_;
  std::set<std::string> broken_;  ///< roles whose component could not be chosen or created
};

}  // namespace

Composition compose(const Catalog& catalog, const Spec& spec, MessageSink messages, std::vector<Complaint> complaints) {
  return Composer(catalog, spec, std::move(messages), std::move(complaints))();
}

}  // namespace claros

// SPDX-License-Identifier: BSD-3-Clause
// From a specification to a composition, or to everything that keeps it from being one.
#include "compose/fractions.hpp"
#include "compose/notices.hpp"
#include "compose/parts.hpp"
#include "compose/places.hpp"
#include "compose/smoothed_objective.hpp"
#include "compose/trials.hpp"
#include "compose/truth.hpp"
#include "limits.hpp"
#include "resolved_files.hpp"
#include "run/missing_parts.hpp"

#include <claros/contain.hpp>
#include <claros/map/instruction_set.hpp>
#include <claros/run/step_budget.hpp>
#include <claros/state/training.hpp>

#include <algorithm>
#include <set>
#include <utility>

namespace claros {

namespace {

/// Whether an owner of `path`, or `path` itself, stands in `paths`.
bool within(const std::set<std::string>& paths, const std::string& path) {
  return std::any_of(paths.begin(), paths.end(),
                     [&](const std::string& p) { return path == p || path.starts_with(p + '.'); });
}

class Composer {
 public:
  Composer(const Catalog& catalog, const Spec& spec, const HostParts& parts, MessageSink messages,
           std::vector<Complaint> complaints, const Composition* earlier = nullptr)
      : catalog_(catalog),
        spec_(spec),
        parts_(parts),
        earlier_(earlier),
        well_formed_(complaints.empty()),
        complaints_(std::move(complaints)),
        notices_(std::move(messages)) {
    result_.context.messages = notices_.sink();
    result_.context.files = std::make_shared<ResolvedFiles>();
    result_.ledger = earlier ? earlier->ledger : std::make_shared<Ledger>();
    result_.given_start = parts.start;
    result_.written = spec;
  }

  Composition operator()() {
    check_asked_instruction_set(result_.context);
    check_asked_limits();
    read_house_sections();
    for (const Role& role : root_roles()) add_part(role, role.name, {}, result_.parts);
    refuse_homeless();
    set_context();
    if (parts_.data) result_.context.data = parts_.data;
    if (!has_stop(result_.stop) && stop_understood_ && !ends_by_itself())
      miss({"stop", "nothing would end the run", "give a rule, such as stop.iterations = 1000 or stop.relative_gap = 1e-3"});
    const bool sound = complaints_.empty();
    for (Node& part : result_.parts)
      if (sound_below(part)) take_fractions(part, result_.fractions);
    for (Node& part : result_.parts) {
      // Their data may take long to read, for a specification that cannot run.
      const bool cheap = part.kind == Kind::algorithm || part.kind == Kind::set || part.kind == Kind::penalty || part.kind == Kind::estimator;
      if (cheap || (sound && !broken_.contains("data")))
        create(part);
      else
        broken_.insert(part.path);
      if (part.kind == Kind::data && part.component) result_.context.data = data_of(part);
    }
    result_.connect();
    if (result_.objective) check_smoother(), find_truth(), put_numbers();
    if (result_.algorithm && well_formed_) check_fit();
    if (complaints_.empty()) check_shapes();
    throw_complaints();
    advise();
    result_.notices = notices_.take();
    return std::move(result_);
  }

  /// The [data] section alone.
  std::shared_ptr<const Dataset> data() {
    result_.run = house(run_parameters(), "run");
    for (const Role& role : root_roles())
      if (role.kind == Kind::data) add_part(role, role.name, {}, result_.parts);
    set_context();
    throw_complaints();
    if (result_.parts.empty()) return nullptr;
    create(result_.parts.front());
    throw_complaints();
    auto made = data_of(result_.parts.front());
    throw_complaints();
    return made;
  }

 private:
  /// Whether the theory of the algorithm asks for a number of steps. It is made for the question, before any data are read.
  bool ends_by_itself() {
    for (Node& part : result_.parts)
      if (part.kind == Kind::algorithm && sound_below(part)) try {
          make(part, result_.context, result_.ledger);
          return query<StepBudget>(*part.component) != nullptr;
        } catch (const Error&) {
          return false;  // told when it is created for good
        }
    return false;
  }

  std::shared_ptr<const Dataset> data_of(const Node& part) {
    if (const auto* data = query<Dataset>(*part.component)) return {part.component, data};
    add(Error(ErrorKind::plugin, part.label(), "is no data: it lacks the ability " + std::string(Dataset::kAbility), "mend the plugin"));
    broken_.insert("data");
    return nullptr;
  }

  /// `lambda = 0.1*max` becomes a number now that the objective is there, and the part is made anew with it.
  void put_numbers() {
    if (result_.fractions.empty() || !complaints_.empty()) return;
    const auto smooth = result_.smoother ? std::make_shared<SmoothedObjective>(result_.objective, result_.smoother) : result_.objective;
    for (Node& part : result_.parts) try {
        if (resolve_fractions(result_.fractions, part, *smooth)) create(part);
      } catch (const Error& error) {
        add(error);
      }
    for (const ResolvedFraction& fraction : result_.fractions) result_.effective.set(fraction.key, print_real(fraction.number));
    result_.connect();
  }

  void check_smoother() {
    for (const Node& part : result_.parts) try {
        if (part.kind != Kind::smoother || !part.component) continue;
        const std::string wrong = unfit_smoother(static_cast<Objective&>(*part.component), *result_.objective);
        if (!wrong.empty()) complaints_.push_back({part.path, part.label() + ' ' + wrong, "take another smoother, or leave it out"});
      } catch (const Error& error) {
        add(error);
      }
  }

  /// From a file, else from who made the data.
  void find_truth() {
    const auto& data = result_.context.data;
    try {
      if (!result_.trace.truth.empty())
        result_.truth = std::make_shared<const Element>(read_truth(result_.context.resolve(result_.trace.truth), result_.objective->shape(), result_.context));
      else if (data && data->truth() && data->truth()->shape() == result_.objective->shape())
        result_.truth = {data, data->truth()};
      if (result_.truth) take_baseline_off();
    } catch (const Error& error) {
      add(error);
    }
  }

  /// The truth is one of values, the variable one of values without their baseline.
  void take_baseline_off() {
    auto* predictor = query<Predictor>(*result_.objective);
    if (!predictor || predictor->training().baseline.is_none()) return;
    Element rest(*result_.truth);
    rest.add(-1.0, predictor->training().baseline.element(rest.shape()));
    result_.truth = std::make_shared<const Element>(std::move(rest));
  }

  /// A part that is missing perhaps stands there misspelt, and that was complained about.
  void miss(Complaint complaint) {
    if (well_formed_) complaints_.push_back(std::move(complaint));
  }

  void add(const Error& error) {
    if (complaints_.empty()) kind_ = error.kind();
    const Error told = placed(error, spec_, result_);
    complaints_.insert(complaints_.end(), told.complaints().begin(), told.complaints().end());
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

  void advise() const {
    if (!result_.estimator || !result_.objective) return;
    const std::string advice = contain(result_.names.estimator, [&] { return result_.estimator->advice(*result_.objective); });
    if (!advice.empty()) result_.context.warn(result_.names.estimator + ' ' + advice);
  }

  void throw_complaints() {
    if (!complaints_.empty()) throw Error(kind_, std::move(complaints_));
  }

  std::shared_ptr<void> assigned(const ParameterList& parameters, const std::string& section, const std::string& owner) {
    Assignments assignments = assign_settings(parameters, without_leftovers(parameters, section, owner), owner);
    complaints_.insert(complaints_.end(), assignments.complaints.begin(), assignments.complaints.end());
    for (const ParameterInfo& row : parameters.rows())
      result_.effective.set(section + "." + row.name, parameters.print(assignments.options.get(), row.name));
    return assignments.options;
  }

  /// The settings of a section. Where the command line names another component than the file, what the file says of the
  /// first and the second does not know is left out, with a warning.
  std::vector<Setting> without_leftovers(const ParameterList& parameters, const std::string& section, const std::string& owner) const {
    const auto stands_in_file = [](const Setting& s) {
      const auto colon = s.where.rfind(':');
      return colon != s.where.npos && s.where.find_first_not_of("0123456789", colon + 1) == s.where.npos;
    };
    std::vector<Setting> settings = own_settings(parameters, spec_.settings(section));
    const auto use = spec_.get(section, std::string(kUse));
    if (!use || use->where.empty() || stands_in_file(*use)) return settings;
    std::erase_if(settings, [&](const Setting& s) {
      const bool leftover = s.key != kUse && !parameters.find(s.key) && stands_in_file(s);
      if (leftover) result_.context.warn(s.label() + " is left out: " + section + " became " + owner + " (" + use->where + "), which has no such parameter");
      return leftover;
    });
    return settings;
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

  /// Fills one role of an owner: `chosen` are the components above it that were chosen by default.
  void add_part(const Role& role, const std::string& path, const std::vector<const PluginEntry*>& chosen, std::vector<Node>& parts) {
    if (std::count(path.begin(), path.end(), '.') >= kDeepestPart)
      return miss({path, "stands more than " + std::to_string(kDeepestPart) + " parts deep", "compose with fewer parts within parts"});
    if (!role.many) return add_one(role, path, chosen, parts);
    const std::size_t before = parts.size();
    for (Index k = 1; filled(path + '.' + std::to_string(k)); ++k) add_one(role, path + '.' + std::to_string(k), chosen, parts);
    if (parts.size() == before && role.required && !within(broken_, path))
      miss({path, "is a list without a part", "give " + path + ".1.use = NAME; there are: " + joined(catalog_.names(role.kind))});
  }

  bool filled(const std::string& path) const { return parts_.parts.contains(path) || spec_.has(path); }

  void add_one(const Role& role, const std::string& path, const std::vector<const PluginEntry*>& chosen, std::vector<Node>& parts) {
    seen_.insert(path);
    Node part{path, role.name, role.kind, nullptr, nullptr, nullptr, {}};
    if (const auto given = parts_.parts.find(path); given != parts_.parts.end()) return add_given(role, given->second, std::move(part), parts);
    if (role.kind == Kind::data && parts_.data) return refuse_twice(path);
    const auto use = spec_.get(path, std::string(kUse));
    if (!use && role.fallback.empty()) {
      if (role.required) broken_.insert(path);
      if (role.required)
        miss({path, "is missing", "give " + path + ".use = NAME; there are: " + joined(catalog_.names(role.kind))});
      else if (spec_.has(path))
        miss({path, "has settings but names no component", "give " + path + ".use = NAME"});
      return;
    }
    const std::size_t before = complaints_.size();
    try {
      part.entry = &catalog_.at(role.kind, use ? use->value : role.fallback, use ? use->label() : path);
      result_.effective.set(path + "." + std::string(kUse), part.entry->name);
      part.options = assigned(part.entry->parameters(), path, part.entry->label());
      point_to_parts(*part.entry, path, before);
      warn_of(*part.entry, use ? use->value : role.fallback);
    } catch (const Error& error) {
      add(error);
      part.entry = nullptr;  // no such plugin, or one that cannot be loaded
    }
    if (complaints_.size() > before) broken_.insert(path);
    if (!part.entry) return;
    add_held(part, use.has_value(), chosen);
    parts.push_back(std::move(part));
  }

  /// A key that the component does not know may be one of a part that it holds.
  void point_to_parts(const PluginEntry& entry, const std::string& path, std::size_t first) {
    for (const Role& role : entry.parameters().roles()) {
      const PluginEntry* held = entry_at(catalog_, spec_, path + '.' + role.name);
      if (!held) continue;
      for (const Setting& setting : spec_.settings(path))
        for (std::size_t k = first; k < complaints_.size(); ++k)
          if (complaints_[k].where == setting.label() && !entry.parameters().find(setting.key) && held->parameters().find(setting.key))
            complaints_[k].remedy = held->label() + " has it: write " + path + '.' + role.name + '.' + setting.key + " = " + setting.value;
    }
  }

  /// What a name brings with it that the user may not have meant.
  void warn_of(const PluginEntry& entry, const std::string& name) const {
    if (const std::string text = catalog_.instead_of_house(entry.kind, name); !text.empty()) result_.context.warn(text);
    if (const std::string changed = entry.changed(); !changed.empty())
      result_.context.warn(entry.path.string() + " changed " + changed + " when it was loaded; that was put back");
  }

  /// What the owner of a part declares, one level down. A component that holds itself by default would never end.
  void add_held(Node& part, bool named, std::vector<const PluginEntry*> chosen) {
    if (named) chosen.clear();
    if (std::find(chosen.begin(), chosen.end(), part.entry) != chosen.end())
      return miss({part.path, part.label() + " would hold itself, by default, without an end", "name another component: " + part.path + ".use = NAME"});
    chosen.push_back(part.entry);
    for (const Role& role : part.entry->parameters().roles()) add_part(role, part.path + '.' + role.name, chosen, part.held);
  }

  void refuse_twice(const std::string& path) {
    if (spec_.has(path)) miss({path, "is given by the program itself and by the specification", "keep one of them"});
  }

  void add_given(const Role& role, const HostPart& given, Node part, std::vector<Node>& parts) {
    refuse_twice(part.path);
    const bool oracle = role.kind == Kind::set || role.kind == Kind::penalty;
    const bool function = role.kind == Kind::smoother && given.kind == Kind::objective;
    if (given.kind != role.kind && !function && !(oracle && (given.kind == Kind::set || given.kind == Kind::penalty)))
      return miss({part.path, "takes a component of kind " + kind_name(role.kind) + ", and the program gave one of kind " + kind_name(given.kind),
                   "give it to another role"});
    part.component = watched(given.component, {role.kind, part.label(), result_.ledger});
    parts.push_back(std::move(part));
  }

  /// Sections that no owner asks for.
  void refuse_homeless() {
    for (const auto& [path, part] : parts_.parts)
      if (!seen_.contains(path)) complain_of(path, path);
    for (const std::string& section : spec_.sections())
      if (parse_kind(section.substr(0, section.find('.'))) && !seen_.contains(section))
        complain_of(section, spec_.settings(section).front().label());
  }

  void complain_of(const std::string& section, const std::string& where) {
    std::string owner = section;
    do owner = owner.substr(0, owner.rfind('.'));
    while (!seen_.contains(owner));
    const Node* part = nullptr;
    const auto all = result_.all_parts();
    for (const Node* candidate : all)
      if (candidate->path == owner) part = candidate;
    if (!part || (within(broken_, owner) && !part->entry)) return;  // the owner itself was complained about
    std::vector<std::string> roles;
    if (part->entry)
      for (const Role& role : part->entry->parameters().roles()) roles.push_back(role.name + (role.many ? ".1" : ""));
    const std::string wanted = section.substr(owner.size() + 1);
    std::string remedy = did_you_mean(wanted, roles);
    if (remedy.empty()) remedy = roles.empty() ? "it holds no parts" : "its parts are " + joined(roles);
    complaints_.push_back({where, part->label() + " at [" + owner + "] has no part '" + wanted + "'", remedy});
  }

  void set_context() {
    result_.context.base = spec_.base();
    result_.context.seed = static_cast<std::uint64_t>(result_.run.seed);
    result_.context.threads = static_cast<int>(result_.run.threads);
    result_.effective.set("run.base", spec_.base().string());
  }

  /// Neither the part nor one that it holds was complained about.
  bool sound_below(const Node& part) const {
    return std::none_of(broken_.begin(), broken_.end(),
                        [&](const std::string& path) { return path == part.path || path.starts_with(part.path + '.'); });
  }

  void create(Node& part) {
    if (!sound_below(part)) return void(broken_.insert(part.path));
    if (taken_over(part)) return;
    try {
      make(part, result_.context, result_.ledger);
    } catch (const Error& error) {
      add(error);
      broken_.insert(part.path);
    }
  }

  /// The objective and the data of an earlier composition, with what they hold.
  bool taken_over(Node& part) const {
    if (!earlier_ || (part.path != "objective" && part.path != "data")) return false;
    for (const Node& made : earlier_->parts)
      if (made.path == part.path) return part = made, true;
    return false;
  }

  static std::string joined(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
    return text.empty() ? "none" : text;
  }

  /// The components that would do: those of the role of which an instance offers the ability.
  std::string offering(const MissingPart& missing) const {
    const auto kind = parse_kind(missing.role);
    if (!kind || missing.ability.empty()) return "none";
    std::vector<std::string> fitting;
    for (const std::string& name : catalog_.names(*kind)) try {
        const PluginEntry& entry = catalog_.at(*kind, name);
        if (!entry.of_house()) continue;  // code that nobody asked for runs for no hint
        const auto made = catalog_.create_example(entry, result_.context);
        const bool fits = contain(entry.label(), [&] {
          return *kind == Kind::algorithm   ? takes(static_cast<Algorithm&>(*made), missing.ability)
                 : *kind == Kind::estimator ? has_property(static_cast<GradientEstimator&>(*made), missing.ability)
                                            : made->ability(missing.ability) != nullptr;
        });
        if (fits) fitting.push_back(name);
      } catch (const Error&) {
        continue;  // cannot be made without more
      }
    return joined(fitting);
  }

  static bool takes(const Algorithm& algorithm, std::string_view role) {
    if (role == "any penalty") return algorithm.takes().any_penalty;
    return algorithm.takes().suits(role == "penalty", role == "set", role == "smoother");
  }

  const Catalog& catalog_;
  const Spec& spec_;
  const HostParts& parts_;
  const Composition* earlier_;
  Composition result_;
  const bool well_formed_;
  bool stop_understood_ = true;
  ErrorKind kind_ = ErrorKind::usage;  ///< of the first complaint
  std::vector<Complaint> complaints_;
  Notices notices_;
  std::set<std::string> seen_;    ///< paths that an owner asked for
  std::set<std::string> broken_;  ///< paths whose component could not be chosen or created
};

}  // namespace

std::shared_ptr<const Dataset> make_data(const Catalog& catalog, const Spec& spec, MessageSink messages) {
  const HostParts none;
  return Composer(catalog, spec, none, std::move(messages), {}).data();
}

std::string objective_text(const Spec& spec) {
  std::string text = spec.base().string();
  for (const std::string& section : spec.sections()) {
    const std::string first = section.substr(0, section.find('.'));
    if (first != "objective" && first != "data" && first != "run") continue;
    for (const Setting& setting : spec.settings(section)) text += '\n' + section + '.' + setting.key + '=' + setting.value;
  }
  return text;
}

Composition compose_beside(const Composition* earlier, const Catalog& catalog, const Spec& spec, MessageSink messages,
                           std::vector<Complaint> complaints) {
  const HostParts none;
  return Composer(catalog, spec, none, std::move(messages), std::move(complaints), earlier)();
}

Composition compose(const Catalog& catalog, const Spec& spec, MessageSink messages, std::vector<Complaint> complaints) {
  return compose(catalog, spec, HostParts(), std::move(messages), std::move(complaints));
}

Composition compose(const Catalog& catalog, const Spec& spec, const HostParts& parts, MessageSink messages,
                    std::vector<Complaint> complaints) {
  return Composer(catalog, spec, parts, std::move(messages), std::move(complaints))();
}

}  // namespace claros

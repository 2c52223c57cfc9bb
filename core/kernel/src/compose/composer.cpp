// SPDX-License-Identifier: BSD-3-Clause
// From a specification to a composition, or to everything that keeps it from being one.
#include <claros/memory_limits.hpp>
#include <claros/resolved_files.hpp>
#include "adapters/smoothed_objective.hpp"
#include "compose/deferred_numbers.hpp"
#include "compose/planner.hpp"
#include "compose/succession.hpp"
#include "surroundings.hpp"

#include <claros/abilities.hpp>
#include <claros/compose/compose_again.hpp>
#include <claros/compose/program_services.hpp>
#include <claros/contain.hpp>
#include <claros/map/instruction_set.hpp>
#include <claros/predictor.hpp>

#include <algorithm>
#include <memory>
#include <mutex>
#include <utility>

namespace claros {

namespace {

/// Passes messages on and keeps them until they are taken; components that were made in the meantime may go
/// on speaking, from any thread.
class Notices {
 public:
  explicit Notices(MessageSink next) : kept_(std::make_shared<Kept>()), next_(std::move(next)) {}

  MessageSink sink() const {
    return [kept = kept_, next = next_](Severity severity, const std::string& text) {
      {
        const std::lock_guard lock(kept->mutex);
        if (kept->open) kept->texts.push_back(text);
      }
      if (next) next(severity, text);
    };
  }
  /// Returns the messages so far, and keeps none from here on.
  std::vector<std::string> take() const {
    const std::lock_guard lock(kept_->mutex);
    kept_->open = false;
    return std::move(kept_->texts);
  }

 private:
  struct Kept {
    std::mutex mutex;
    bool open = true;
    std::vector<std::string> texts;
  };
  std::shared_ptr<Kept> kept_;
  MessageSink next_;
};

bool in_cone(const Problem& p) { return p.conjugate && !p.set && !p.conjugate->certifies_alone(); }

class Composer {
 public:
  Composer(const Catalog& catalog, const Spec& spec, const HostParts& parts, MessageSink messages,
           std::vector<Complaint> complaints, const Composition* earlier = nullptr, bool as_it_is = false)
      : catalog_(catalog),
        spec_(spec),
        parts_(parts),
        earlier_(earlier),
        as_it_is_(as_it_is),
        ledger_(earlier ? earlier->ledger : std::make_shared<Ledger>()),
        planner_(catalog, spec_, parts, result_.context, ledger_, std::move(complaints)),
        notices_(std::move(messages)) {
    result_.context.messages = notices_.sink();
    result_.context.files = std::make_shared<ResolvedFiles>();
    result_.ledger = ledger_;
    result_.services = &services_of(catalog);
    result_.catalog = &catalog_;
    result_.written = spec;
  }

  Composition operator()() {
    const SharedSurroundings shared;
    check_asked_instruction_set(result_.context);
    check_asked_limits();
    read_built_in_sections();
    const bool open = names_no_algorithm();
    deferred_.take_accuracy(catalog_, spec_, findings_);
    for (const Role& role : root_roles())
      if (!open || role.kind != Kind::algorithm) planner_.add(role);
    planner_.refuse_unused_sections(open ? kind_name(Kind::algorithm) : std::string());
    result_.parts = std::move(planner_.parts);
    set_context();
    if (parts_.data) result_.context.data = parts_.data;
    const bool endless = !has_stop(result_.stop) && stop_understood_ && !ends_by_itself();
    const bool sound = findings_.empty();
    for (Node& part : result_.parts)
      if (findings_.sound_below(part)) deferred_.take_fractions(part);
    for (Node& part : result_.parts) {
      // Their data may take long to read, for a specification that cannot run.
      if (part.kind == Kind::objective) settle_for_table(part);
      const bool cheap = part.kind == Kind::algorithm || part.kind == Kind::set ||
                         part.kind == Kind::penalty || part.kind == Kind::estimator;
      if (cheap || (sound && !findings_.is_left_out("data")))
        create(part);
      else
        findings_.leave_out(part.path);
      if (part.kind == Kind::data && part.component) result_.context.data = data_of(part);
    }
    resolve_accuracy();
    result_.connect();
    if (result_.objective) check_smoother(), find_truth(), resolve_fractions(), find_start();
    if (open) find_algorithm();
    if (result_.algorithm && findings_.well_formed()) check_fit();
    if (findings_.empty()) check_shapes();
    if (findings_.empty() && endless) take_default_stop();
    findings_.throw_if_any();
    advise();
    result_.effective = std::move(planner_.effective);
    deferred_.report(result_);
    result_.notices = notices_.take();
    return std::move(result_);
  }

  /// The [data] section alone.
  std::shared_ptr<const Dataset> data() {
    result_.run = planner_.section(run_parameters(), "run");
    planner_.add(*std::ranges::find(root_roles(), Kind::data, &Role::kind));
    set_context();
    findings_.throw_if_any();
    if (planner_.parts.empty()) return nullptr;
    create(planner_.parts.front());
    findings_.throw_if_any();
    auto made = data_of(planner_.parts.front());
    findings_.throw_if_any();
    return made;
  }

 private:
  /// True if the theory of the algorithm, which is created to ask it, requires a number of steps.
  bool ends_by_itself() {
    for (Node& part : result_.parts)
      if (part.kind == Kind::algorithm && findings_.sound_below(part)) try {
          build(part, result_.context, ledger_);
          return query<StepBudget>(*part.component) != nullptr;
        } catch (const Error&) {
          return false;  // reported when it is created for good
        }
    return false;
  }

  bool names_no_algorithm() const {
    const std::string section = kind_name(Kind::algorithm);
    const auto use = spec_.get(section, std::string(kUse));
    return !parts_.parts.contains(section) && (!use || use->value == kAutoAlgorithm);
  }

  /// The choice of Claros, as if it had been named: the rest of the section belongs to it.
  void find_algorithm() {
    const Role& role = *std::ranges::find(root_roles(), Kind::algorithm, &Role::kind);
    if (!findings_.empty() || !result_.objective) return findings_.leave_out(role.name);
    const std::vector<AlgorithmChoice> choices =
        result_.services->algorithms_for(result_.problem(), result_.penalty.get());
    const AlgorithmChoice& choice = choices.front();
    spec_.set(role.name + '.' + std::string(kUse), choice.name);
    for (const auto& [key, value] : choice.more)
      if (const auto dot = key.rfind('.'); !spec_.get(key.substr(0, dot), key.substr(dot + 1)))
        spec_.set(key, value);
    planner_.parts.clear();
    planner_.add(role);
    planner_.refuse_unused_sections();
    if (!findings_.empty()) return;
    result_.parts.insert(result_.parts.begin(), std::move(planner_.parts.front()));  // where a named one is
    create(result_.parts.front());
    if (result_.run.fallback.empty()) {
      for (std::size_t k = 1; k < choices.size(); ++k)
        result_.run.fallback += (k > 1 ? " " : "") + choices[k].name;
      planner_.effective.set("run.fallback", result_.run.fallback);
    }
    result_.connect();
    std::string within;
    for (const auto& [key, value] : choice.more)
      within += " with " + (key.ends_with(".use") ? value + " inside" : key + " = " + value);
    result_.context.note("algorithm: " + choice.name + within + ", since " + choice.reason +
                         " (algorithm.use = NAME takes another)");
  }

  std::shared_ptr<const Dataset> data_of(const Node& part) {
    if (const auto* data = query<Dataset>(*part.component)) return {part.component, data};
    findings_.add(
        Error(ErrorKind::plugin, part.label(),
              "does not provide a dataset: it does not have the ability " + std::string(Dataset::kAbility),
              "tell the plugin's author"));
    findings_.leave_out("data");
    return nullptr;
  }

  /// `lambda = 0.1*max` becomes a number now that the objective is there.
  void resolve_fractions() {
    if (deferred_.empty() || !findings_.empty()) return;
    const auto smooth = result_.smoother
                            ? std::make_shared<SmoothedObjective>(result_.objective, result_.smoother)
                            : result_.objective;
    for (Node& part : result_.parts) resolve(part, *smooth);
    result_.connect();
  }

  /// smoother.eps becomes smoother.mu, before f + R is made.
  void resolve_accuracy() {
    const auto part = [&](Kind kind) {
      const auto at = std::ranges::find_if(
          result_.parts, [&](const Node& node) { return node.kind == kind && node.component; });
      return at == result_.parts.end() ? nullptr : &*at;
    };
    Node *smoother = part(Kind::smoother), *objective = part(Kind::objective);
    if (findings_.empty() && smoother && objective)
      resolve(*smoother, static_cast<Objective&>(*objective->component));
  }

  void resolve(Node& part, Objective& f) {
    try {
      if (deferred_.resolve(part, f, result_.context)) create(part);
    } catch (const Error& error) {
      findings_.add(error);
    }
  }

  void check_smoother() {
    for (const Node& part : result_.parts) try {
        if (part.kind != Kind::smoother || !part.component) continue;
        const std::string wrong =
            unfit_smoother(static_cast<Objective&>(*part.component), *result_.objective);
        if (!wrong.empty())
          findings_.add({part.path, part.label() + ' ' + wrong, "take another smoother, or leave it out"});
      } catch (const Error& error) {
        findings_.add(error);
      }
  }

  /// From a file, else from who made the data.
  void find_truth() {
    const auto& data = result_.context.data;
    try {
      if (!result_.trace.truth.empty())
        result_.truth = std::make_shared<const Element>(result_.services->truth(
            result_.context.resolve(result_.trace.truth), result_.objective->shape(), result_.context));
      else if (data && data->truth() && data->truth()->shape() == result_.objective->shape())
        result_.truth = {data, data->truth()};
      if (result_.truth) take_baseline_off();
    } catch (const Error& error) {
      findings_.add(error);
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

  /// The start of the program, else that which start.from names. It is found once, since a projection
  /// remembers where it ended; the parts are connected.
  void find_start() {
    const std::string& from = result_.start.from;
    if (!parts_.start && (from == "auto" || from == "zero")) return;
    try {
      if (parts_.start)
        result_.start_at(*parts_.start);
      else
        result_.services->find_start(result_);
    } catch (const Error& error) {
      findings_.add(error);
    }
  }

  void check_fit() {
    for (MissingPart& missing : missing_parts(result_.problem(), *result_.algorithm, result_.names)) {
      if (findings_.is_left_out(missing.role)) continue;
      if (const std::string fitting = result_.services->fitting_parts(missing, catalog_, result_.context);
          !fitting.empty())
        missing.complaint.remedy =
            (missing.role == "algorithm" ? "these take it: " : "these have it: ") + fitting;
      findings_.add(std::move(missing.complaint));
    }
    if (!findings_.empty()) return;  // perhaps a part of it is missing
    findings_.add(unmeasured_targets(result_.problem(), result_.stop));
    if (in_cone(result_.problem()) && (result_.stop.gap > 0.0 || result_.stop.relative_gap > 0.0))
      result_.context.warn("a gap is known only where the gradient lies in the dual cone of " +
                           result_.names.penalty + ": without stop.residual the run may not end");
    if (result_.run.trial_count() > 1) try {
        result_.services->check_trials(result_);
      } catch (const Error& error) {
        findings_.add(error);
      }
  }

  void advise() const {
    if (!result_.estimator || !result_.objective) return;
    const std::string advice =
        contain(result_.names.estimator, [&] { return result_.estimator->advice(*result_.objective); });
    if (!advice.empty()) result_.context.warn(result_.names.estimator + ' ' + advice);
  }

  /// Applies if [stop] has no rule. Steps along noisy gradients may never meet the target: a budget ends
  /// them.
  void take_default_stop() {
    constexpr double kTarget = 1e-6, kPasses = 100.0;
    constexpr Index kDraws = 1'000'000;
    const bool noisy = result_.estimator && !result_.estimator->exact(),
               draws = noisy && result_.objective->terms() == kUnbounded;
    const std::string budget = draws ? "stop.sfo" : "stop.passes",
                      most = draws ? std::to_string(kDraws) : print_real(kPasses);
    for (const auto& [key, target] : {std::pair{"relative_gap", &StopOptions::relative_gap},
                                      std::pair{"residual", &StopOptions::residual}}) {
      StopOptions wanted = result_.stop;
      wanted.*target = kTarget;
      if (!unmeasured_targets(result_.problem(), wanted).empty()) continue;
      if (wanted.relative_gap > 0.0 && in_cone(result_.problem())) continue;
      if (noisy) planner_.effective.set(budget, most);
      wanted.sfo = draws ? kDraws : 0;
      wanted.passes = noisy && !draws ? kPasses : 0.0;
      result_.stop = wanted;
      planner_.effective.set(std::string("stop.") + key, print_real(kTarget));
      return result_.context.detail("stop: no rule given, so stop." + std::string(key) + " = " +
                                    print_real(kTarget) +
                                    (noisy ? " or " + budget + " = " + most : std::string()));
    }
    findings_.miss({"stop", "nothing would end the run", "give a budget, such as stop.passes = 20"});
  }

  void read_built_in_sections() {
    result_.start = planner_.section(start_parameters(), "start");
    const std::size_t before = findings_.size();
    result_.stop = planner_.section(stop_parameters(), "stop");
    stop_understood_ = findings_.size() == before;
    result_.trace = planner_.section(trace_parameters(), "trace");
    result_.output = planner_.section(output_parameters(), "output");
    result_.run = planner_.section(run_parameters(), "run");
    for (const std::string& name : fallback_names(result_.run.fallback)) try {
        (void)catalog_.at(Kind::algorithm, name, "run.fallback");
      } catch (const Error& error) {
        findings_.add(error);
      }
  }

  /// Groups or bounds that do not fit the variable are heard of before the first step.
  void check_shapes() {
    if (!result_.penalty_oracle && !result_.projection) return;
    Element zero(result_.objective->shape()), point(zero);
    const auto tried = [&](const auto& use) {
      try {
        use();
      } catch (const Error& error) {
        if (error.kind() == ErrorKind::usage) findings_.add(error);
      } catch (...) {  // the run reports whose it is
      }
    };
    if (result_.penalty_oracle) tried([&] { (void)result_.penalty_oracle->value(zero); });
    if (result_.projection) tried([&] { (void)result_.projection->apply(zero, 1.0, point, {}); });
  }

  void set_context() {
    result_.context.base = spec_.base();
    result_.context.seed = static_cast<std::uint64_t>(result_.run.seed);
    result_.context.threads = static_cast<int>(result_.run.threads);
    planner_.effective.set("run.base", spec_.base().string());
  }

  /// The effective specification says it, so that runs that go on, folds and fits again have it too.
  void settle_for_table(Node& objective) {
    if (!objective.entry || !findings_.sound_below(objective) || as_it_is_) return;
    for (const Setting& setting : services_of(catalog_).for_table(result_.parts, result_.context)) {
      objective.entry->parameters().assign(objective.options.get(), setting.key, setting.value);
      planner_.effective.set("objective." + setting.key, setting.value);
    }
  }

  void create(Node& part) {
    if (!findings_.sound_below(part)) return void(findings_.leave_out(part.path));
    if (taken_over(part)) return;
    try {
      build(part, result_.context, ledger_);
    } catch (const Error& error) {
      findings_.add(error);
      findings_.leave_out(part.path);
    }
  }

  /// The objective and the data of an earlier composition, with the components in their roles.
  bool taken_over(Node& part) const {
    if (!earlier_ || (part.path != "objective" && part.path != "data")) return false;
    const auto made = std::ranges::find(earlier_->parts, part.path, &Node::path);
    if (made == earlier_->parts.end() || !(as_it_is_ || has_same_options(*made, part))) return false;
    part = *made;
    return true;
  }

  /// The set and the penalty may decide on options (settle_for_table).
  static bool has_same_options(const Node& a, const Node& b) {
    return !a.entry || !b.entry ||
           std::ranges::all_of(b.entry->parameters().rows(), [&](const ParameterInfo& row) {
             return b.entry->parameters().print(a.options.get(), row.name) ==
                    b.entry->parameters().print(b.options.get(), row.name);
           });
  }

  const Catalog& catalog_;
  Spec spec_;  ///< with the algorithm that was chosen
  const HostParts& parts_;
  const Composition* earlier_;
  const bool as_it_is_;
  const std::shared_ptr<Ledger> ledger_;
  Composition result_;
  Planner planner_;
  Findings& findings_ = planner_.findings;
  DeferredNumbers deferred_;
  Notices notices_;
  bool stop_understood_ = true;
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
    for (const Setting& setting : spec.settings(section))
      text += '\n' + section + '.' + setting.key + '=' + setting.value;
  }
  return text;
}

Composition compose_beside(const Composition* earlier, const Catalog& catalog, const Spec& spec,
                           MessageSink messages, std::vector<Complaint> complaints) {
  const HostParts none;
  return Composer(catalog, spec, none, std::move(messages), std::move(complaints), earlier)();
}

Composition compose_again(const Composition& earlier, const Catalog& catalog, const Spec& spec) {
  const HostParts none;
  return Composer(catalog, spec, none, {}, {}, &earlier, true)();
}

Composition compose(const Catalog& catalog, const Spec& spec, MessageSink messages,
                    std::vector<Complaint> complaints) {
  return compose(catalog, spec, HostParts(), std::move(messages), std::move(complaints));
}

Composition compose(const Catalog& catalog, const Spec& spec, const HostParts& parts, MessageSink messages,
                    std::vector<Complaint> complaints) {
  return Composer(catalog, spec, parts, std::move(messages), std::move(complaints))();
}

}  // namespace claros

// SPDX-License-Identifier: BSD-3-Clause
#include "services/services.hpp"

#include <claros/other_names.hpp>
#include <claros/program.hpp>
#include <claros/results/start_point.hpp>
#include "services/table_defaults.hpp"

#include <memory>

namespace claros {

namespace {

/// True of an objective that draws a part of its data, whose error is measured.
bool holds_out(const Node& objective) {
  const ParameterList* parameters = objective.entry ? &objective.entry->parameters() : nullptr;
  return parameters && parameters->find("held_out") &&
         parse_real(parameters->print(objective.options.get(), "held_out")) > 0.0;
}

class Services final : public ProgramServices {
 public:
  Spec with_own_names(const Catalog& catalog, const Spec& spec, const MessageSink& messages) const override {
    return claros::with_own_names(catalog, spec, messages);
  }
  Error with_remedies(const Error& error) const override { return claros::with_remedies(error); }
  std::vector<AlgorithmChoice> algorithms_for(const Problem& problem, Component* penalty) const override {
    return claros::algorithms_for(problem, penalty);
  }
  std::string fitting_parts(const MissingPart& missing, const Catalog& catalog,
                            const Context& context) const override {
    return claros::fitting_parts(missing, catalog, context);
  }
  void find_start(Composition& c) const override {
    if (c.start.from == "mean-fill")
      c.given_start = std::make_shared<const Element>(mean_filled(c));
    else
      c.start_at(read_start(c.start.from, *c.objective, c.objective->shape(), c.context));
    for (const Node& part : c.parts)
      if (c.start.from != "mean-fill" && part.path == "objective" && holds_out(part))
        throw Error(ErrorKind::usage, "start.from",
                    "is a solution, and objective.held_out draws ratings that it may have been fitted to: "
                    "their error would be too small",
                    "give ratings that it has not seen (objective.test), or leave one of them out");
  }
  std::vector<Setting> for_table(const std::vector<Node>& parts, const Context& context) const override {
    return table_defaults(parts, context);
  }
  Element truth(const std::filesystem::path& file, const Shape& shape,
                const Context& context) const override {
    return read_truth(file, shape, context);
  }
  void check_trials(const Composition& composition) const override { claros::check_trials(composition); }
  RunResult run_trials(const Composition& composition, const RunSettings& settings) const override {
    return claros::run_trials(composition, settings);
  }
};

}  // namespace

void serve(Catalog& catalog) { catalog.serve(std::make_shared<const Services>()); }

Catalog standard_catalog(const std::vector<std::filesystem::path>& extra) {
  Catalog catalog = Catalog::standard(extra);
  serve(catalog);
  return catalog;
}

}  // namespace claros

// SPDX-License-Identifier: BSD-3-Clause
/// @file composition.hpp  From a specification to components that fit together, or to every reason why they do not.
#pragma once

#include <claros/algorithm.hpp>
#include <claros/catalog.hpp>
#include <claros/run_loop.hpp>
#include <claros/spec.hpp>

#include <memory>
#include <string>
#include <vector>

namespace claros {

/// The keys of [start].
struct StartOptions {
  std::string from = "auto";
};
CLAROS_API const ParameterTable<StartOptions>& start_parameters();

/// The keys of [output].
struct OutputOptions {
  bool solution = true;
  double checkpoint = 10.0;    ///< seconds between checkpoints; 0: none
  Index checkpoint_every = 0;  ///< steps between checkpoints; 0: by time alone
};
CLAROS_API const ParameterTable<OutputOptions>& output_parameters();

/// The keys of [run].
struct RunOptions {
  Index seed = 0;
  Index threads = 1;
  std::string base;
};
CLAROS_API const ParameterTable<RunOptions>& run_parameters();

/// A section that belongs to the house rather than to a plugin: its name and its table.
struct HouseSection {
  std::string name;
  const ParameterList* parameters;
  std::string summary;
};
CLAROS_API const std::vector<HouseSection>& house_sections();

/// Components made from a specification. Owns them; `problem()` points into it.
struct CLAROS_API Composition {
  Context context;
  std::shared_ptr<Objective> objective;
  std::shared_ptr<Objective> smoother;
  std::shared_ptr<Component> penalty;
  std::shared_ptr<Component> set;
  std::shared_ptr<GradientEstimator> estimator;
  std::shared_ptr<Algorithm> algorithm;
  ComponentNames names;
  StopOptions stop;
  TraceOptions trace;
  StartOptions start;
  OutputOptions output;
  RunOptions run;
  Spec effective;   ///< every parameter of every section, re-runnable from any folder
  std::vector<std::pair<std::string, std::string>> versions;  ///< label and version of each plugin used

  Problem problem() const;
  Element start_point() const;
};

/// Reads, validates and creates everything that `spec` names. Throws Error(usage) with all complaints about the
/// specification at once (unknown sections, components, keys; values out of range; parts that do not fit together, with
/// the reason and what would fit) and `complaints`, which were found while reading it; only when there is none are
/// the components created that read data, and everything that this throws (Error(data) for their files) comes at once too.
CLAROS_API Composition compose(const Catalog& catalog, const Spec& spec, MessageSink messages = {},
                               std::vector<Complaint> complaints = {});

/// Whether anything in [stop] can end the run.
CLAROS_API bool has_stop(const StopOptions& stop) noexcept;

}  // namespace claros

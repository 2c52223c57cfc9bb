// SPDX-License-Identifier: BSD-3-Clause
#include <claros/compose/program_services.hpp>
#include <claros/plugin/catalog.hpp>
#include <claros/run/run_loop.hpp>

namespace claros {

namespace {

class NoServices final : public ProgramServices {
 public:
  Spec with_own_names(const Catalog&, const Spec& spec, const MessageSink&) const override { return spec; }
  Error with_remedies(const Error& error) const override { return error; }
  std::vector<AlgorithmChoice> algorithms_for(const Problem&, Component*) const override {
    refuse("algorithm.use", "is not given, and this program chooses none", "name one: algorithm.use = NAME");
  }
  std::string fitting_parts(const MissingPart&, const Catalog&, const Context&) const override { return {}; }
  void find_start(Composition&) const override {
    refuse("start.from", kNoFiles, "give the point by start_from");
  }
  std::vector<Setting> for_table(const std::vector<Node>&, const Context&) const override { return {}; }
  Element truth(const std::filesystem::path&, const Shape&, const Context&) const override {
    refuse("trace.truth", kNoFiles, "leave it out");
  }
  void check_trials(const Composition&) const override {
    refuse("run.trials", "this program makes one run", "leave it out");
  }
  RunResult run_trials(const Composition& composition, const RunSettings&) const override {
    check_trials(composition);
    return {};
  }

 private:
  static constexpr const char* kNoFiles = "this program reads no points from files";
  [[noreturn]] static void refuse(const char* key, const char* why, const std::string& otherwise) {
    throw Error(
        ErrorKind::usage, key, why,
        otherwise + ", or make its catalogue by standard_catalog() (claros/program.hpp, claros-runs)");
  }
};

}  // namespace

ProgramServices::~ProgramServices() = default;

const ProgramServices& services_of(const Catalog& catalog) {
  static const NoServices none;
  const ProgramServices* services = catalog.services();
  return services ? *services : none;
}

}  // namespace claros

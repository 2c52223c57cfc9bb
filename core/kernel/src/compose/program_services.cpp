// SPDX-License-Identifier: BSD-3-Clause
#include <claros/compose/program_services.hpp>
#include <claros/plugin/catalog.hpp>

namespace claros {

namespace {

class NoServices final : public ProgramServices {
 public:
  Spec with_own_names(const Catalog&, const Spec& spec, const MessageSink&) const override { return spec; }
  Error with_remedies(const Error& error) const override { return error; }
  Element start_point(const std::string&, Component&, const Shape&, const Context&) const override {
    refuse("start.from", "give the point by start_from");
  }
  Element truth(const std::filesystem::path&, const Shape&, const Context&) const override {
    refuse("trace.truth", "leave it out");
  }

 private:
  [[noreturn]] static void refuse(const char* key, const char* otherwise) {
    throw Error(ErrorKind::usage, key, "this program reads no points from files",
                std::string("make its catalogue by standard_catalog() (claros/program.hpp, library "
                            "claros-runs), or ") +
                    otherwise);
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

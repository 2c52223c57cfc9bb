// SPDX-License-Identifier: BSD-3-Clause
#include <claros/compose/program_services.hpp>
#include <claros/other_names.hpp>
#include <claros/program.hpp>
#include <claros/results/start_point.hpp>

#include <memory>

namespace claros {

namespace {

class Services final : public ProgramServices {
 public:
  Spec with_own_names(const Catalog& catalog, const Spec& spec, const MessageSink& messages) const override {
    return claros::with_own_names(catalog, spec, messages);
  }
  Error with_remedies(const Error& error) const override { return claros::with_remedies(error); }
  Element start_point(const std::string& from, Component& objective, const Shape& shape,
                      const Context& context) const override {
    return read_start(from, objective, shape, context);
  }
  Element truth(const std::filesystem::path& file, const Shape& shape,
                const Context& context) const override {
    return read_truth(file, shape, context);
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

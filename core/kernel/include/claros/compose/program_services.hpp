// SPDX-License-Identifier: BSD-3-Clause
/// @file program_services.hpp  Knowledge of programs that the kernel lacks: names of other libraries, and
/// files of points.
#pragma once

#include <claros/api.hpp>
#include <claros/component.hpp>
#include <claros/compose/spec.hpp>
#include <claros/context.hpp>
#include <claros/element/element.hpp>
#include <claros/error.hpp>

#include <filesystem>
#include <string>

namespace claros {

class Catalog;

/// A catalogue carries the services of its program (Catalog::serve). The library claros-runs has them
/// (claros/program.hpp).
class CLAROS_API ProgramServices {
 public:
  virtual ~ProgramServices();

  /// `spec` in the names of Claros, as far as a name of another library means exactly the same; each is said
  /// to `messages`.
  virtual Spec with_own_names(const Catalog& catalog, const Spec& spec,
                              const MessageSink& messages) const = 0;
  /// `error`, with a remedy where a complaint is about a name of another library.
  virtual Error with_remedies(const Error& error) const = 0;
  /// The point that start.from names, in the units of the data, with the shape of the variable. Throws
  /// Error(usage) if there is none, Error(data) if it does not fit the objective.
  virtual Element start_point(const std::string& from, Component& objective, const Shape& shape,
                              const Context& context) const = 0;
  /// The point in the file that trace.truth names. Throws Error(data) if it is not of that shape.
  virtual Element truth(const std::filesystem::path& file, const Shape& shape,
                        const Context& context) const = 0;
};

/// The services of the catalogue, or if it has none: the specification and errors as they are, and
/// Error(usage) for files of points.
CLAROS_API const ProgramServices& services_of(const Catalog& catalog);

}  // namespace claros

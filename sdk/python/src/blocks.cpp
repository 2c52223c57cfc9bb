// SPDX-License-Identifier: BSD-3-Clause
#include <claros/io/design_writer.hpp>

#include "blocks.hpp"

#include <memory>
#include <string>

namespace claros::python {

void bind_blocks(py::module_& module) {
  py::class_<DesignWriter>(module, "DesignWriter", "Writes a stored design, block by block.")
      .def(py::init([](const std::string& path, bool single) {
             return std::make_unique<DesignWriter>(path, single);
           }),
           py::arg("path"), py::arg("single"))
      .def(
          "add",
          [](DesignWriter& writer, const HeldData& block, const std::string& where) {
            const py::gil_scoped_release free;
            writer.add(*block.data->design(), where);
          },
          py::arg("block"), py::arg("where"))
      .def_property_readonly("rows", &DesignWriter::rows)
      .def("finish", &DesignWriter::finish, py::call_guard<py::gil_scoped_release>());
}

}  // namespace claros::python

// SPDX-License-Identifier: BSD-3-Clause
/// @file linear_map.hpp  The linear map A through which an objective sees its variable.
#pragma once

#include <claros/api.hpp>
#include <claros/element/shape.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <span>

namespace claros {

class Columns;
class DesignMap;
class Element;
class OperatorSource;
class OutputColumns;
struct AdjointForm;

/// The nonzeros of one a_k of a map with sparse rows, at columns[e] + offset (column-major), and 1 at `tail`
/// unless that is negative. One of `values` and `singles` is null.
struct SparseRow {
  std::span<const std::int32_t> columns;
  const double* values = nullptr;
  const float* singles = nullptr;
  Index offset = 0, tail = -1;
};

/// A : X -> R^N, x |-> (<a_1, x>, ..., <a_N, x>). Immutable and shared; elements keep images A x and unfolded
/// adjoints A'c keyed by the map's address.
class CLAROS_API LinearMap {
 public:
  virtual ~LinearMap();
  virtual Shape domain() const = 0;
  /// N, the number of outputs.
  virtual Index size() const = 0;
  /// z <- beta z + alpha A x, read from the parts of x. With beta = 0, z need not be initialised.
  virtual void apply(double alpha, const Element& x, double beta, std::span<double> z) const = 0;
  /// out_k <- <a_{rows[k]}, x>, read from the parts of x.
  virtual void dot(std::span<const Index> rows, const Element& x, std::span<double> out) const = 0;
  /// g <- g + a A'c with A'c in an explicit form (dense or sparse).
  virtual void fold(double a, const AdjointForm& c, Element& g) const = 0;
  /// True if rows are sparse and can be read; `row` is then a_k. Their inner products update a lazy x at
  /// these coordinates.
  virtual bool sparse_row(Index k, SparseRow& row) const;
  /// True if A d costs clearly less than A x of a general x, so that an image is worth updating by it.
  virtual bool cheap(const Element& d) const = 0;

  /// c <- what follows from z, for the outputs [first, first + z.size()): called in blocks, from several
  /// threads at once.
  using Middle = std::function<void(Index first, std::span<const double> z, std::span<double> c)>;
  /// True if A'c(A x) is made in one reading of the data, and A'c is best kept expanded. The functions below
  /// are for such maps; the others throw Error(usage).
  virtual bool fuses() const { return false; }
  /// z <- A x and g <- g + A'c, c = middle(z); z has size() numbers, g those of the domain (column-major).
  virtual void round_trip(const Element& x, const Middle& middle, std::span<double> z,
                          std::span<double> g) const;
  /// g <- g + A'c.
  virtual void add_adjoint(std::span<const double> c, std::span<double> g) const;

  /// True if the same pays for so many single outputs.
  virtual bool fuses_list(Index /*count*/) const { return false; }
  /// g <- g + sum_k c_k a_{rows[k]}, c = middle(z), z_k = <a_{rows[k]}, x>; `first` of the middle is the
  /// place in the list.
  virtual void list_trip(std::span<const Index> rows, const Element& x, const Middle& middle,
                         Element& g) const;

  /// The columns of A, one a coordinate, for maps whose matrix is at hand; made by the first call and kept.
  /// Null for others.
  virtual std::shared_ptr<const Columns> columns() const;
  /// The columns of a map A (x) I_K with K > 1, whose coordinates share the columns of A. Null for others.
  virtual std::shared_ptr<const OutputColumns> output_columns() const;
  /// x |-> A x on the given coordinates, in any order, the others being 0. It is a map of vectors that has
  /// columns, or columns of K outputs. Null for maps without columns.
  virtual std::shared_ptr<const LinearMap> restricted(std::span<const Index> coordinates) const;
  /// This map as the map of a design; null for others.
  virtual const DesignMap* design_map() const noexcept { return nullptr; }
  /// The maker of operators that adjoints of this map are; null if there is none.
  virtual const OperatorSource* operator_source() const noexcept { return nullptr; }
};

using MapPtr = std::shared_ptr<const LinearMap>;

}  // namespace claros

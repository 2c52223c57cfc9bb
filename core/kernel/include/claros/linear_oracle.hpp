// SPDX-License-Identifier: BSD-3-Clause
/// @file linear_oracle.hpp  Linear minimisation over a set.
#pragma once

#include <claros/component.hpp>
#include <claros/element/element.hpp>

#include <vector>

namespace claros {

/// How well a linear function is to be minimised.
struct OracleRequest {
  /// Wanted: <c, v> <= min + tolerance * |min|.
  double tolerance = 1e-3;
  /// The call starts at random, so that it can find what a warm start may have missed, and leaves the warm
  /// state alone. A run that is measured more often therefore makes the same steps.
  bool confirm = false;
};

/// The facts that an oracle states about its result.
struct OracleInfo {
  double value = 0.0;  ///< <c, v>
  double lower_bound =
      0.0;             ///< of min over the set of <c, u>, as far as known; equals value for an exact oracle
  Index products = 0;  ///< operator-vector products used
  Index singular_pairs = 0;  ///< rank-one SVDs used
  bool confirmed = false;    ///< true if lower_bound may be relied upon
};

/// Ability of sets: \f$ v = \arg\min_{u \in C} \langle c, u \rangle \f$.
class CLAROS_API LinearOracle {
 public:
  static constexpr std::string_view kAbility = "claros.linear-oracle/1";
  static constexpr std::string_view kWords = "a linear oracle";
  virtual ~LinearOracle();
  /// Writes the minimiser to `vertex`, with the shape of `direction`. Throws Error(numerical) when the
  /// direction holds NaN.
  virtual OracleInfo minimize(const Element& direction, const OracleRequest& request, Element& vertex) = 0;
  /// max ||u - v||_F over u and v in the set, for variables of that shape. It does not depend on earlier
  /// calls.
  virtual double diameter(const Shape& shape) = 0;
};

/// Ability of sets \f$ C = C_1 \times \dots \times C_K \f$ over parts of the variable: linear minimisation
/// over one factor alone.
class CLAROS_API BlockOracle {
 public:
  static constexpr std::string_view kAbility = "claros.block-oracle/1";
  static constexpr std::string_view kWords = "a linear oracle of single blocks (as a product has)";
  virtual ~BlockOracle();
  /// The parts of a variable of that shape, one a factor: the blocks of a product of spaces, else consecutive
  /// entries, column-major. Throws Error(usage) if they do not make it up.
  virtual std::vector<Shape> block_shapes(const Shape& shape) = 0;
  /// Writes a minimiser of <c, u> over C_k, k from 0, of the shape of `direction`, which is that of part k.
  /// Throws Error(numerical) when the direction holds NaN.
  virtual OracleInfo minimize_block(Index k, const Element& direction, const OracleRequest& request,
                                    Element& vertex) = 0;
};

/// The facts about a step away from the worst vertex of a face.
struct FaceInfo {
  double value = 0.0;  ///< <g, a>, of the vertex a
  /// The largest b >= 0 for which x + b (x - a) lies in the face; 0 if x is all of it.
  double longest = 0.0;
  bool whole = false;  ///< true if the face is C itself, so that a costs what a linear minimisation does
  Index products = 0;  ///< operator-vector products used
  Index singular_pairs = 0;  ///< rank-one SVDs used
};

/// Ability of sets: the minimal face F(x) of a point, the smallest face of C that holds it; C itself where x
/// lies inside. (Freund, Grigas, Mazumder 2017, section 3.)
class CLAROS_API Faces {
 public:
  static constexpr std::string_view kAbility = "claros.faces/1";
  static constexpr std::string_view kWords = "minimal faces";
  virtual ~Faces();
  /// Writes a = argmax over F(x) of <g, u>, as exactly as the request asks for, to `vertex`. Throws
  /// Error(numerical) when g or x hold NaN.
  virtual FaceInfo away(const Element& g, const Element& x, const OracleRequest& request,
                        Element& vertex) = 0;
};

}  // namespace claros

// SPDX-License-Identifier: BSD-3-Clause
/// @file product_cut.hpp  A variable cut into the blocks that the parts of a product get.
#pragma once

#include <claros/element/element.hpp>
#include <claros/error.hpp>
#include <claros/parameters.hpp>
#include <claros/proximal_oracle.hpp>
#include <shared/sets/number_rows.hpp>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace claros::sdk {

/// The row of the sizes of the blocks, each for one of `parts`.
template <class Options>
ParameterRow<Options> block_sizes_row(std::string Options::*sizes, const std::string& part) {
  return row("sizes", sizes, any(),
             "the entries of the variable, column-major, that each " + part +
                 " gets: 3 for a vector of 3, 4x2 for a matrix (3 4x2); empty: "
                 "equal parts, or the blocks of a product");
}

/// The blocks of a variable that is a product of spaces, unchanged. For a vector or a matrix: ranges of its
/// entries, column-major, one after the other.
class ProductCut {
 public:
  /// `sizes`: "3 4x2" for a vector of 3 and a matrix of 4 x 2; empty: vectors of equal size. Throws
  /// Error(usage). `noun` is the purpose of the blocks, in the plural, for errors.
  ProductCut(const std::string& sizes, std::size_t parts, std::string noun)
      : parts_(parts), noun_(std::move(noun)) {
    for (const std::string_view word : sdk::pieces(sizes, ", \t;")) {
      const std::size_t x = word.find('x');
      const auto side = [&](std::string_view text) {
        const bool digits =
            !text.empty() && text.size() < 10 && text.find_first_not_of("0123456789") == text.npos;
        const Index value = digits ? parse_integer(text) : 0;
        if (value < 1)
          throw Error(ErrorKind::usage, "sizes", "'" + std::string(word) + "' is not a size",
                      "write 3 for a vector of 3 entries, 4x2 for a matrix");
        return value;
      };
      given_.push_back(Shape::matrix(side(word.substr(0, x)), x == word.npos ? 1 : side(word.substr(x + 1))));
    }
    if (!given_.empty() && given_.size() != parts_)
      throw Error(
          ErrorKind::usage, "sizes",
          "there are " + std::to_string(given_.size()) + " sizes for " + std::to_string(parts_) + " " + noun_,
          "give one for each");
  }

  /// Throws Error(usage) if the sets do not make up the variable.
  void fit(const Shape& shape) {
    if (shape == shape_) return;
    const auto refuse = [&](const std::string& what, const std::string& remedy) {
      throw Error(ErrorKind::usage, "sizes", what, remedy);
    };
    const auto count = static_cast<Index>(parts_);
    std::vector<Shape> shapes = given_;
    if (shape.is_product()) {
      if (shape.blocks.size() != parts_ || (!given_.empty() && given_ != shape.blocks))
        refuse("the variable is " + shape.text() + ", for " + std::to_string(parts_) + " " + noun_,
               "name one of the " + noun_ + " for each of its blocks");
      shapes = shape.blocks;
    } else if (given_.empty()) {
      if (shape.size() % count != 0)
        refuse(std::to_string(parts_) + " " + noun_ + " do not cut the " + std::to_string(shape.size()) +
                   " entries of the variable into equal parts",
               "say how many each gets: sizes = 3 4x2");
      shapes.assign(parts_, Shape::vector(shape.size() / count));
    }
    Index total = 0;
    for (const Shape& part : shapes) total += part.size();
    if (total != shape.size())
      refuse("the sizes make " + std::to_string(total) + " entries, and the variable has " +
                 std::to_string(shape.size()),
             "give sizes that sum to it");
    shapes_ = std::move(shapes);
    shape_ = shape;
  }

  const Shape& shape(std::size_t k) const { return shapes_[k]; }
  const std::vector<Shape>& shapes() const { return shapes_; }
  /// The pieces of x, whose shape was passed to `fit`.
  std::vector<Element> pieces(const Element& x) const {
    std::vector<Element> all;
    if (shape_.is_product()) {
      if (!x.parts().empty()) return pieces(folded(x));
      for (std::size_t k = 0; k < parts_; ++k) all.push_back(x.block(static_cast<Index>(k)));
      return all;
    }
    const std::vector<double> values = x.to_dense();
    auto from = values.begin();
    for (const Shape& part : shapes_) {
      const auto to = from + static_cast<std::ptrdiff_t>(part.size());
      all.push_back(Element::dense(part, std::vector<double>(from, to)));
      from = to;
    }
    return all;
  }
  /// The variable of those pieces.
  Element whole(std::vector<Element> pieces) const {
    if (shape_.is_product()) return Element::product(std::move(pieces));
    std::vector<double> values;
    values.reserve(static_cast<std::size_t>(shape_.size()));
    for (const Element& piece : pieces) {
      const std::vector<double> some = piece.to_dense();
      values.insert(values.end(), some.begin(), some.end());
    }
    return Element::dense(shape_, std::move(values));
  }

  /// The pieces of x, of any shape that they make up.
  std::vector<Element> operator()(const Element& x) {
    fit(x.shape());
    return pieces(x);
  }
  /// f(0, x_1) + ... + f(k - 1, x_k).
  template <class F>
  double sum(const Element& x, F f) {
    const std::vector<Element> all = (*this)(x);
    double total = 0.0;
    for (std::size_t k = 0; k < parts_; ++k) total += f(k, all[k]);
    return total;
  }
  /// The largest of `from` and f(0, x_1), ...; NaN if one is.
  template <class F>
  double largest(const Element& x, double from, F f) {
    const std::vector<Element> all = (*this)(x);
    for (std::size_t k = 0; k < parts_ && !std::isnan(from); ++k)
      if (const double value = f(k, all[k]); !(value <= from)) from = value;
    return from;
  }
  /// x <- the points that `step(k, v_k, x_k)` makes, with the certificate of all.
  template <class Step>
  Certificate step(const Element& v, Element& x, Step step) {
    const std::vector<Element> from = (*this)(v);
    std::vector<Element> to(parts_);
    if (x.shape() == v.shape() && shape_.is_product())
      for (std::size_t k = 0; k < parts_; ++k) std::swap(to[k], x.edit_block(static_cast<Index>(k)));
    Certificate all;
    for (std::size_t k = 0; k < parts_; ++k) {
      const Certificate part = step(k, from[k], to[k]);
      all.exact = all.exact && part.exact;
      all.error = std::hypot(all.error, part.error);
      all.rank += part.rank, all.asked += part.asked, all.products += part.products,
          all.singular_pairs += part.singular_pairs;
    }
    x = whole(std::move(to));
    return all;
  }

 private:
  static Element folded(Element x) {
    x.fold();
    return x;
  }

  std::size_t parts_;
  std::string noun_;
  std::vector<Shape> given_, shapes_;
  Shape shape_;
};

}  // namespace claros::sdk

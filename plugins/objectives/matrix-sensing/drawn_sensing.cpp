// SPDX-License-Identifier: BSD-3-Clause
#include "drawn_sensing.hpp"

#include "mean_square.hpp"
#include "sensing_sum.hpp"

#include <claros/dataset.hpp>
#include <claros/element/parallel.hpp>
#include <claros/error.hpp>
#include <claros/io/design_io.hpp>
#include <claros/parameters.hpp>

#include <algorithm>
#include <limits>
#include <utility>

namespace matrix_sensing {

using namespace claros;

namespace {

/// Numbers that a block of draws is made of: they stay in a cache.
constexpr Index kBlock = 1 << 17;

[[noreturn]] void refuse(const std::string& key, const std::string& what, const std::string& remedy) {
  throw Error(ErrorKind::usage, key, what, remedy);
}

Element truth_of(const Options& o, const Context& context) {
  const Element* made = context.data ? context.data->truth() : nullptr;
  if (!o.truth.empty() && made)
    refuse("truth", "names '" + o.truth + "', and the [data] section has a truth too", "keep one of them");
  if (!o.truth.empty()) {
    DenseTable table = read_numbers(context.resolve(o.truth), context);
    return Element::dense(Shape::matrix(table.rows, table.cols), std::move(table.values));
  }
  if (!made || made->shape().is_product())
    refuse("draws",
           "needs X*, which is measured" +
               std::string(context.data ? ", and the data of [data] knows no such matrix" : ""),
           "give truth = FILE, or a [data] section that knows the truth (data.use = synthetic-sensing)");
  return *made;
}

Draws::Kind kind_of(const Options& o) {
  return o.draws == Drawing::gaussian   ? Draws::Kind::dense
         : o.draws == Drawing::rank_one ? Draws::Kind::rank_one
                                        : Draws::Kind::symmetric;
}

void require_options(const Options& o, const Shape& X) {
  for (const auto& [key, given] : {std::pair("data", !o.data.empty()), std::pair("right", !o.right.empty()),
                                   std::pair("measurements", o.measurements != Rows::automatic)})
    if (given)
      refuse(key, "is given, and draws = " + word_of(drawing_words(), o.draws) + " makes the measurements",
             "leave it out, or leave draws out");
  if (o.draws == Drawing::symmetric && X.rows != X.cols)
    refuse("draws", "X is " + X.text() + ", and of measurements a_i' X a_i it is square",
           "take rank-one or gaussian");
  if ((o.rows > 0 && o.rows != X.rows) || (o.cols > 0 && o.cols != X.cols))
    refuse(o.rows != X.rows ? "rows" : "cols", "X* is " + X.text(), "leave rows and cols out");
}

/// A squared loss: psi'' is a number.
bool is_squared(const LossConstants& psi) {
  return psi.convex && psi.of_difference && psi.third && *psi.third == 0.0 && psi.smoothness;
}

}  // namespace

DrawnSensing::DrawnSensing(std::shared_ptr<const Loss> psi, const Options& options, const Context& context)
    : psi_(std::move(psi)),
      options_(options),
      threads_(context.threads),
      draws_(kind_of(options), truth_of(options, context), options.noise, context.seed, context.trial, 0) {
  require_options(options, shape());
  for (const double y : {-1.5, 0.0, 0.3})
    if (!psi_->accepts(y))
      refuse("loss", "needs " + psi_->targets() + ", and a drawn response is any number",
             "take another, such as squared or huber");
  const bool squared = is_squared(psi_->constants());
  if (!options.held_out.is_number() && squared) {
    measured_ = std::make_unique<MeanSquare>(draws_.truth(), draws_.kind(), options.noise,
                                             *psi_->constants().smoothness);
    return;
  }
  constexpr Index kDefault = 10'000;
  held_out_ = options.held_out.number_or(kDefault);
  context.detail(memory_text(held_out_, draws_.length(), false));
  const ThreadScope scope(threads_);
  const Measurements kept =
      Draws(draws_.kind(), draws_.truth(), options.noise, context.seed, 0, 1).kept(held_out_);
  measured_ = std::make_unique<SensingSum>(MeasurementRows{kept, nullptr, options_.adjoints},
                                           kept.left->response, psi_, options_, threads_);
}

double DrawnSensing::value(const Element& x) {
  if (x.shape() != shape())
    throw Error(ErrorKind::usage, "",
                "a point of " + x.shape().text() + " for a variable of " + shape().text(),
                "give one of its shape");
  return std::numeric_limits<double>::quiet_NaN();
}

/// Each sum is added to an array at once, since its measurements are not kept.
template <class Add>
void DrawnSensing::add_blocks(const Batch& batch, double a, Element& g, Add add) {
  if (batch.is_all())
    throw Error(ErrorKind::usage, "", "is an expectation and has no full gradient",
                "take a gradient estimator of batches, such as sg, or svrg with estimator.snapshot");
  const ThreadScope scope(threads_);
  Options arrays = options_;
  arrays.adjoints = RankOneMap::Adjoints::dense;
  const Index size = batch.size(kUnbounded), block = std::max<Index>(1, kBlock / draws_.length());
  for (Index first = 0; first < size; first += block) {
    const Index last = std::min(size, first + block);
    const Measurements drawn = draws_.of(batch, first, last);
    SensingSum sum({drawn, nullptr, arrays.adjoints}, drawn.left->response, psi_, arrays, threads_);
    Element h(shape());
    add(sum, a * static_cast<double>(last - first) / static_cast<double>(size), h);
    (void)h.dense_values();
    g.add(1.0, h);
  }
}

/// On detached points: they must not follow the images of measurements that are gone.
void DrawnSensing::add_gradient(const Element& x, const Batch& batch, double a, Element& g) {
  const Element at = x.detached();
  add_blocks(batch, a, g, [&](SensingSum& sum, double share, Element& h) {
    sum.add_gradient(at, Batch::all(), share, h);
  });
}
void DrawnSensing::add_gradient_difference(const Element& x, const Element& y, const Batch& batch, double a,
                                           Element& g) {
  const Element at = x.detached(), from = y.detached();
  add_blocks(batch, a, g, [&](SensingSum& sum, double share, Element& h) {
    sum.add_gradient_difference(at, from, Batch::all(), share, h);
  });
}
void DrawnSensing::add_hessian_product(const Element& at, const Element& d, const Batch& batch, double a,
                                       Element& g) {
  const Element point = at.detached(), direction = d.detached();
  add_blocks(batch, a, g, [&](SensingSum& sum, double share, Element& h) {
    sum.add_hessian_product(point, direction, Batch::all(), share, h);
  });
}

Constants DrawnSensing::constants() const {
  const LossConstants psi = psi_->constants();
  const bool symmetric = draws_.kind() == Draws::Kind::symmetric;
  Constants c;
  c.convex = psi.convex;
  if (psi.smoothness)
    c.smoothness = *psi.smoothness * (symmetric ? static_cast<double>(shape().rows) + 2.0 : 1.0);
  if (is_squared(psi) && !symmetric) c.strong_convexity = psi.smoothness;
  if (psi.convex) c.lower_smoothness = 0.0;
  if (options_.smoothness > 0.0) c.smoothness = options_.smoothness;
  if (options_.strong_convexity > 0.0) c.strong_convexity = options_.strong_convexity;
  c.lower_bound = psi.lower_bound;
  return c;
}

}  // namespace matrix_sensing

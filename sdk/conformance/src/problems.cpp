// SPDX-License-Identifier: BSD-3-Clause
#include "problems.hpp"

#include <claros/map/design_map.hpp>
#include <claros/map/sampling_map.hpp>
#include <claros/sdk/loss.hpp>

#include <algorithm>
#include <functional>
#include <numeric>

namespace claros::doctor {

namespace {

Numbers stream_normals(std::uint64_t seed, std::uint32_t instance, Index n) {
  Numbers values(static_cast<std::size_t>(n));
  RandomStream(seed, Purpose::test, instance).fill_normal(values);
  return values;
}

std::shared_ptr<const Design> dense_rows(Index rows, Index cols, Numbers row_major) {
  auto design = std::make_shared<Design>();
  design->rows = rows;
  design->cols = cols;
  design->entries = DenseRows<double>{std::move(row_major)};
  design->response.assign(static_cast<std::size_t>(rows), 0.0);
  return design;
}

std::shared_ptr<const Design> of_diagonal(const Numbers& row_major, std::size_t p) {
  auto design = std::make_shared<Design>();
  design->rows = design->cols = static_cast<Index>(p);
  SparseRows<double> rows;
  for (std::size_t j = 0; j < p; ++j) {
    rows.start.push_back(static_cast<Index>(j));
    rows.column.push_back(static_cast<std::int32_t>(j)), rows.value.push_back(row_major[j * p + j]);
  }
  rows.start.push_back(static_cast<Index>(p));
  design->entries = std::move(rows);
  design->response.assign(p, 0.0);
  return design;
}

/// 1 - exp(-(z - y)^2/4): not convex, all derivatives bounded.
struct Welsch {
  double value(double z, double y) const { return -std::expm1(-0.25 * (z - y) * (z - y)); }
  double derivative(double z, double y) const { return 0.5 * (z - y) * std::exp(-0.25 * (z - y) * (z - y)); }
  double second_derivative(double z, double y) const {
    const double square = 0.25 * (z - y) * (z - y);
    return (0.5 - square) * std::exp(-square);
  }
  LossConstants constants() const {
    return {.convex = false,
            .smoothness = 0.5,
            .lower_smoothness = std::exp(-1.5),
            .third = 1.3802 / std::sqrt(8.0),
            .lower_bound = 0.0};
  }
};

struct HalfSquare {
  double value(double z, double y) const { return 0.5 * (z - y) * (z - y); }
  double derivative(double z, double y) const { return z - y; }
  double second_derivative(double, double) const { return 1.0; }
  double conjugate(double u, double y) const { return u * (y + 0.5 * u); }
  LossConstants constants() const {
    return {.convex = true, .smoothness = 1.0, .lower_smoothness = 0.0, .third = 0.0, .lower_bound = 0.0};
  }
};

}  // namespace

FiniteSum::FiniteSum(MapPtr map, std::vector<double> targets, std::shared_ptr<const Loss> loss,
                     Numbers smoothness, double smooth, double strong)
    : smoothness_(std::move(smoothness)) {
  const LossConstants psi = loss->constants();
  constants_.convex = psi.convex;
  constants_.smoothness = smooth;
  constants_.term_smoothness = *std::max_element(smoothness_.begin(), smoothness_.end());
  constants_.lower_bound = psi.lower_bound;
  if (strong > 0.0) constants_.strong_convexity = strong;
  if (psi.third == 0.0) constants_.hessian_smoothness = 0.0;
  set_model(std::move(map), std::move(targets), std::move(loss));
}

void FiniteSum::note(const Batch& batch) {
  const Index n = terms(), size = batch.size(n);
  if (batch.is_all() || size >= n) return;
  asked_.resize(static_cast<std::size_t>(n), 0);
  weighted_ |= !batch.weights().empty();
  for (Index k = 0; k < size; ++k) ++asked_[static_cast<std::size_t>(batch[k])];
}

void FiniteSum::add_gradient(const Element& x, const Batch& batch, double a, Element& g) {
  note(batch);
  LossOnMap::add_gradient(x, batch, a, g);
}

void FiniteSum::add_gradient_difference(const Element& x, const Element& y, const Batch& batch, double a,
                                        Element& g) {
  note(batch);
  LossOnMap::add_gradient_difference(x, y, batch, a, g);
}

void FiniteSum::coefficients(const Element& x, const Batch& batch, std::span<double> out) {
  note(batch);
  LossOnMap::coefficients(x, batch, out);
}

void FiniteSum::add_hessian_product(const Element& at, const Element& d, const Batch& batch, double a,
                                    Element& g) {
  note(batch);
  LossOnMap::add_hessian_product(at, d, batch, a, g);
}

void* FiniteSum::ability(std::string_view id) noexcept {
  void* own = offer<TermConstants>(this, id);
  return own ? own : LossOnMap::ability(id);
}

std::unique_ptr<FiniteSum> rows_problem(std::uint64_t seed) {
  constexpr Index n = 40, p = 6;
  auto map = std::make_shared<DesignMap>(dense_rows(n, p, stream_normals(seed, 1, n * p)), Shape::vector(p));
  Numbers smoothness = map->squared_norms();
  double sum = 0.0;
  for (double& L : smoothness) sum += (L /= 2.0);
  auto loss = std::make_shared<sdk::LossOf<Welsch>>();
  return std::make_unique<FiniteSum>(map, stream_normals(seed, 2, n), loss, smoothness, sum / n, 0.0);
}

std::unique_ptr<FiniteSum> entries_problem(std::uint64_t seed) {
  constexpr Index rows = 8, cols = 7;
  RandomStream random(seed, Purpose::test, 3);
  std::vector<std::int32_t> row, col;
  for (std::int32_t i = 0; i < rows; ++i)
    for (std::int32_t j = 0; j < cols; ++j)
      if (random.uniform() < 0.7) row.push_back(i), col.push_back(j);
  const auto n = static_cast<Index>(row.size());
  auto map = std::make_shared<SamplingMap>(std::make_shared<Pattern>(rows, cols, row, col));
  auto loss = std::make_shared<sdk::LossOf<Welsch>>();
  return std::make_unique<FiniteSum>(map, stream_normals(seed, 4, n), loss, Numbers(row.size(), 0.5),
                                     0.5 / static_cast<double>(n), 0.0);
}

namespace {

/// f of a variable of any shape, its entries in one vector.
class Plain final : public Objective {
 public:
  Plain(std::shared_ptr<Objective> f, Shape shape, bool unknown)
      : f_(std::move(f)), shape_(std::move(shape)), unknown_(unknown) {}
  Shape shape() const override { return shape_; }
  Index terms() const override { return f_->terms(); }
  double value(const Element& x) override { return f_->value(flat(x)); }
  Constants constants() const override { return unknown_ ? Constants{} : f_->constants(); }
  void add_gradient(const Element& x, const Batch& batch, double a, Element& g) override {
    Element own(f_->shape());
    f_->add_gradient(flat(x), batch, 1.0, own);
    g.add(a, Element::dense(shape_, own.to_dense()));
  }

 private:
  Element flat(const Element& x) const { return Element::dense(f_->shape(), x.to_dense()); }

  std::shared_ptr<Objective> f_;
  Shape shape_;
  bool unknown_;
};

}  // namespace

Diagonal::Diagonal(std::uint64_t seed, const Shape& shape, bool unknown, bool sparse, bool equal) {
  constexpr std::size_t p = 8;
  RandomStream random(seed, Purpose::test, 5);
  Numbers rows(p * p, 0.0), y, L;
  for (std::size_t j = 0; j < p; ++j) {
    d.push_back(equal ? 1.25 : 0.5 + 1.5 * random.uniform());
    b.push_back(2.0 * random.normal());
    rows[j * p + j] = std::sqrt(static_cast<double>(p) * d[j]);
    y.push_back(rows[j * p + j] * b[j]);
    L.push_back(static_cast<double>(p) * d[j]);
  }
  auto map = std::make_shared<DesignMap>(sparse ? of_diagonal(rows, p) : dense_rows(p, p, rows),
                                         shape.is_product() ? Shape::vector(p) : shape);
  f = std::make_shared<FiniteSum>(map, y, std::make_shared<sdk::LossOf<HalfSquare>>(), L,
                                  *std::max_element(d.begin(), d.end()),
                                  *std::min_element(d.begin(), d.end()));
  if (shape.is_product() || unknown) f = std::make_shared<Plain>(f, shape, unknown);
}

Flat::Flat(std::uint64_t seed, const Shape& shape) {
  constexpr std::size_t p = 8;
  constexpr double kL = 2.0;  // as Diagonal's: what has steps of a fixed length takes both
  RandomStream random(seed, Purpose::test, 6);
  double square = 0.0, reach = 0.0;
  for (std::size_t j = 0; j < p; ++j) {
    a.push_back((0.5 + 1.5 * random.uniform()) * (random.index(2) ? 1.0 : -1.0));
    square += a[j] * a[j];
    reach += std::abs(a[j]);
  }
  c = 0.6 * reach;
  Numbers rows, y, L;
  for (std::size_t i = 0; i < p; ++i) {
    const double size = std::sqrt(kL * (1.0 + static_cast<double>(i)) /
                                  (4.5 * square));  // the mean of the squares is L/||a||^2
    for (const double entry : a) rows.push_back(size * entry);
    y.push_back(size * c);
    L.push_back(size * size * square);
  }
  S = kL / square;
  auto map = std::make_shared<DesignMap>(dense_rows(p, p, rows), shape);
  f = std::make_shared<FiniteSum>(map, y, std::make_shared<sdk::LossOf<HalfSquare>>(), L, kL, 0.0);
}

/// Entries of the largest |a_j| bring <a, x> towards c at the least lambda ||x||_1; one after the other goes
/// as far as it pays.
Numbers Flat::solution(double lambda, double low, double high) const {
  std::vector<std::size_t> order(a.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, std::greater(), [this](std::size_t j) { return std::abs(a[j]); });
  Numbers x(a.size(), 0.0);
  double product = 0.0;
  for (const std::size_t j : order) {
    const double wanted =
        (c - product - lambda / (S * std::abs(a[j]))) / std::abs(a[j]);  // in units of x_j, c being above 0
    if (!(wanted > 0.0)) break;
    x[j] = std::copysign(std::min(wanted, a[j] > 0.0 ? high : -low), a[j]);
    product += a[j] * x[j];
  }
  return x;
}

double Draws::value(const Element& x) {
  double sum = 0.0;  // E ||x - t||^2/2 = (||x - 1||^2 + 3)/2
  for (const double value : x.to_dense()) sum += 0.5 * (value - 1.0) * (value - 1.0) + 0.5;
  return sum;
}

void Draws::add_gradient(const Element& x, const Batch& batch, double a, Element& g) {
  if (batch.is_all())
    throw Error(ErrorKind::usage, "objective", "an expectation has no list of all components");
  const Index size = batch.size(kUnbounded);
  Numbers mean(3, 0.0);
  for (Index k = 0; k < size; ++k) {
    RandomStream draw(seed_, Purpose::draws);
    draw.seek(static_cast<std::uint64_t>(batch[k]) * 6);
    for (double& value : mean) value += (1.0 + draw.normal()) / static_cast<double>(size);
  }
  g.add(a, x);
  g.add(-a, Element::dense(shape(), mean));
}

OracleInfo KitBox::minimize(const Element& direction, const OracleRequest&, Element& vertex) {
  const Numbers c = direction.to_dense();
  Numbers v(c.size());
  for (std::size_t j = 0; j < c.size(); ++j) v[j] = c[j] < 0.0 ? high_ : low_;
  OracleInfo info;
  info.value = info.lower_bound = dot(c, v);
  info.confirmed = true;
  vertex = Element::dense(direction.shape(), std::move(v));
  return info;
}

std::vector<Shape> KitBox::block_shapes(const Shape& shape) {
  if (shape.is_product()) return shape.blocks;
  return shape.size() > 1 ? std::vector<Shape>{Shape::vector(1), Shape::vector(shape.size() - 1)}
                          : std::vector<Shape>{shape};
}

OracleInfo KitCross::minimize(const Element& direction, const OracleRequest&, Element& vertex) {
  const Numbers c = direction.to_dense();
  const auto largest =
      std::ranges::max_element(c, {}, [](double value) { return std::abs(value); }) - c.begin();
  const Shape& shape = direction.shape();
  Numbers u(static_cast<std::size_t>(shape.rows), 0.0), v(static_cast<std::size_t>(shape.cols), 0.0);
  u[static_cast<std::size_t>(largest % shape.rows)] = v[static_cast<std::size_t>(largest / shape.rows)] = 1.0;
  const double top = c[static_cast<std::size_t>(largest)];
  vertex = Element::rank_one(std::copysign(radius_, -top), u, v);
  OracleInfo info;
  info.value = info.lower_bound = -radius_ * std::abs(top);
  info.confirmed = true;
  return info;
}

Certificate KitBox::apply(const Element& v, double, Element& x, const Accuracy&) {
  Numbers values = v.to_dense();
  for (double& value : values) value = std::clamp(value, low_, high_);
  x = Element::dense(v.shape(), std::move(values));
  return {};
}

double KitBox::violation(const Element& x) {
  double most = 0.0;
  for (const double value : x.to_dense()) most = std::max({most, low_ - value, value - high_});
  return most / std::max(std::abs(low_), std::abs(high_));
}

Element KitBox::start_point(const Shape& shape) {
  return Element::dense(shape, Numbers(static_cast<std::size_t>(shape.size()), std::clamp(0.0, low_, high_)));
}

double KitBox::conjugate(const Element& s) {
  double sum = 0.0;
  for (const double value : s.to_dense()) sum += std::max(low_ * value, high_ * value);
  return sum;
}

void* KitBox::ability(std::string_view id) noexcept {
  return offer<LinearOracle, BlockOracle, ProximalOracle, Membership, Start, Conjugate, sdk::SplitSet, State>(
      this, id);
}

BlockStep KitL1::block_step() {
  return {this, [](const void* self, Index, const double* v, double step, double* x) {
            *x = std::copysign(std::max(std::abs(*v) - step * static_cast<const KitL1*>(self)->lambda_, 0.0),
                               *v);
          }};
}

Certificate KitL1::apply(const Element& v, double step, Element& x, const Accuracy&) {
  Numbers values = numbers_of(v);
  for (double& value : values) value = std::copysign(std::max(std::abs(value) - step * lambda_, 0.0), value);
  x = element_of(v.shape(), values);
  return {};
}

double KitL1::value(const Element& x) {
  double sum = 0.0;
  for (const double value : numbers_of(x)) sum += std::abs(value);
  return lambda_ * sum;
}

double KitL1::conjugate(const Element& s) {
  double top = 0.0;
  for (const double value : numbers_of(s)) top = std::max(top, std::abs(value));
  return top <= lambda_ * (1.0 + 1e-12) ? 0.0 : kInfinity;
}

double KitL1::into_domain(const Element& s) {
  double top = 0.0;
  for (const double value : numbers_of(s)) top = std::max(top, std::abs(value));
  return top > lambda_ ? lambda_ / top : 1.0;
}

void* KitL1::ability(std::string_view id) noexcept {
  return offer<ProximalOracle, Separable, Conjugate, State>(this, id);
}

Certificate KitConcave::apply(const Element& v, double step, Element& x, const Accuracy&) {
  if (!(step < b_)) throw Error(ErrorKind::usage, "step", "is not below 1/mu", "take a shorter one");
  Numbers values = v.to_dense();
  for (double& value : values) {
    const double size = std::abs(value);
    if (size <= b_ * lambda_)
      value = std::copysign(std::max(size - step * lambda_, 0.0) / (1.0 - step / b_), value);
  }
  x = Element::dense(v.shape(), std::move(values));
  return {};
}

BlockStep KitConcave::block_step() {
  return {this, [](const void* self, Index, const double* v, double step, double* x) {
            const auto& h = *static_cast<const KitConcave*>(self);
            const double size = std::abs(*v);
            *x = size <= h.b_ * h.lambda_
                     ? std::copysign(std::max(size - step * h.lambda_, 0.0) / (1.0 - step / h.b_), *v)
                     : *v;
          }};
}

double KitConcave::value(const Element& x) {
  double sum = 0.0;
  for (const double entry : x.to_dense()) {
    const double size = std::min(std::abs(entry), b_ * lambda_);
    sum += lambda_ * size - 0.5 * size * size / b_;
  }
  return sum;
}

const Element& KitFull::estimate(const Element& x, Index) {
  g_ = Element(f_->shape());
  f_->add_gradient(x, Batch::all(), 1.0, g_);
  ++calls_;
  return g_;
}

const Element& KitBatch::estimate(const Element& x, Index batch) {
  const Batch S = draw(batch);
  g_ = Element(x.shape());
  f().add_gradient(x, S, 1.0, g_);
  return g_;
}

namespace {

/// Measurements of 5 x 4, 5 x 5 and 5 x 1 matrices, whose vectors are the rows of a design.
std::shared_ptr<const Measurements> measured(std::shared_ptr<const Design> rows, int responses,
                                             Numbers right) {
  auto made = std::make_shared<Measurements>();
  made->kind = responses == 0   ? Measurements::Kind::rank_one
               : responses == 1 ? Measurements::Kind::symmetric
                                : Measurements::Kind::dense;
  made->rows = rows->cols;
  made->cols = responses == 0 ? 4 : responses == 1 ? rows->cols : 1;
  if (responses == 0) made->right = dense_rows(rows->rows, 4, std::move(right));
  made->left = std::move(rows);
  return made;
}

}  // namespace

KitData::KitData(std::uint64_t seed, int responses, Index rows, Index cols) {
  const auto stream = [&](std::uint32_t purpose) {
    return RandomStream(seed, Purpose::test, 100 + static_cast<std::uint32_t>(responses) * 10 + purpose);
  };
  RandomStream random = stream(0);
  const auto response = [&] {
    return responses == 0   ? random.normal()
           : responses == 1 ? (random.index(2) ? 1.0 : -1.0)
           : responses == 2 ? static_cast<double>(random.index(3))
                            : 0.2 + std::abs(random.normal());
  };
  auto ratings = std::make_shared<Ratings>();
  ratings->rows = rows / 4 + 1;
  ratings->cols = 7;
  for (Index i = 0; i < ratings->rows; ++i)
    for (Index j = 0; j < ratings->cols; ++j)
      if (random.uniform() < 0.6 || (i == 0 && j == 0)) {
        ratings->row.push_back(static_cast<std::int32_t>(i));
        ratings->col.push_back(static_cast<std::int32_t>(j));
        ratings->value.push_back(response());
      }
  auto design = std::make_shared<Design>();
  design->rows = rows;
  design->cols = cols;
  for (Index i = 0; i < rows; ++i) design->response.push_back(response());
  if (responses == 1) {
    SparseRows<double> sparse;
    sparse.start.push_back(0);
    for (Index i = 0; i < rows; ++i) {
      for (Index j = 0; j < cols; ++j)
        if (random.uniform() < 0.5)
          sparse.column.push_back(static_cast<std::int32_t>(j)), sparse.value.push_back(random.normal());
      sparse.start.push_back(static_cast<Index>(sparse.column.size()));
    }
    design->entries = std::move(sparse);
  } else {
    Numbers values(static_cast<std::size_t>(rows * cols));
    random.fill_normal(values);
    design->entries = DenseRows<double>{std::move(values)};
  }
  ratings_ = ratings;
  design_ = design;
  measurements_ =
      measured(design_, responses,
               stream_normals(seed, 100 + static_cast<std::uint32_t>(responses) * 10 + 1, rows * 4));
}

}  // namespace claros::doctor

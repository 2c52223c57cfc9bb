// SPDX-License-Identifier: BSD-3-Clause
// The one source file that includes ARPACK's header, which defines the macro I.
#include "spectral/truncated_svd.hpp"

#include <claros/memory_limits.hpp>

#include <claros/interruption.hpp>

#include <algorithm>
#include <limits>
#include <mutex>

#include <arpack/arpack.hpp>

namespace claros::detail {

namespace {

/// ARPACK keeps its state between the calls of one solve in static variables.
std::mutex arpack_mutex;
thread_local bool inside_arpack = false;

/// Holds ARPACK for one solve. A second solve of the same thread can only come from an operator's product;
/// waiting would be forever, hence the refusal.
class ArpackTurn {
 public:
  ArpackTurn() {
    if (inside_arpack)
      throw Error(ErrorKind::usage, "truncated_svd", "an ARPACK solve from inside an operator's product",
                  "use the engine dense_gram or lanczos there");
    lock_ = std::unique_lock(arpack_mutex);
    inside_arpack = true;
  }
  ~ArpackTurn() { inside_arpack = false; }
  ArpackTurn(const ArpackTurn&) = delete;
  ArpackTurn& operator=(const ArpackTurn&) = delete;

 private:
  std::unique_lock<std::mutex> lock_;
};

/// x -> B'B x / scale^2. Scaled because ARPACK's stopping rule is absolute below eps^(2/3), which would
/// accept anything for an operator of small norm.
class ScaledGram {
 public:
  /// The scale is the norm of the image of `start`, and `start` is replaced by its product. This power step
  /// also finds zero and NaN before ARPACK would stop with an error number.
  ScaledGram(const ShorterSide& b, std::vector<double>& start) : b_(b), image_(size(b.longer())) {
    b.apply(start, image_);
    scale_ = b.finite_norm(image_);
    if (scale_ == 0.0) return;
    Vector(image_.data(), b.longer()) /= scale_;
    b.adjoint(image_, start);
    Vector(start.data(), b.shorter()) /= scale_;
    b.finite_norm(start);
  }
  bool zero() const { return scale_ == 0.0; }

  void apply(std::span<const double> x, std::span<double> y) {
    b_.apply(x, image_);
    Vector(image_.data(), b_.longer()) /= scale_;
    b_.adjoint(image_, y);
    Vector(y.data(), b_.shorter()) /= scale_;
    b_.finite_norm(y);
  }

 private:
  const ShorterSide& b_;
  std::vector<double> image_;
  double scale_ = 0.0;
};

/// x -> A x / scale of a symmetric A.
class ScaledSymmetric {
 public:
  ScaledSymmetric(const LinearOperator& a, std::vector<double>& start) : a_(a) {
    std::vector<double> image(start.size());
    a.apply(start, image);
    ++products_;
    Vector y(image.data(), a.rows());
    if (!y.allFinite()) not_finite();
    scale_ = y.stableNorm();
    if (scale_ == 0.0) return;
    // The power step would favour magnitudes: half of it keeps what is negative small.
    Vector x(start.data(), a.rows());
    x += y / scale_;
    x.normalize();
  }
  bool zero() const { return scale_ == 0.0; }
  double scale() const { return scale_; }
  Index products() const { return products_; }

  void apply(std::span<const double> x, std::span<double> y) {
    ++products_;
    a_.apply(x, y);
    Vector product(y.data(), a_.rows());
    if (!product.allFinite()) not_finite();
    product /= scale_;
  }

 private:
  [[noreturn]] static void not_finite() {
    throw Error(ErrorKind::numerical, "truncated_eigen", "a product with the operator is not finite",
                "look for NaN or overflow in the operator's entries or in the point where it was formed");
  }
  const LinearOperator& a_;
  double scale_ = 0.0;
  Index products_ = 0;
};

/// The buffers of one solve, in ARPACK's names.
struct Workspace {
  Workspace(a_int order, a_int wanted)
      : n(order),
        nev(wanted),
        ncv(std::min(order, std::max<a_int>(2 * wanted + 1, 20))),
        v(size(Index{n} * ncv)),
        workd(size(Index{n} * 3)),
        workl(size(Index{ncv} * (ncv + 8))) {}

  a_int n, nev, ncv;
  a_int iparam[11] = {}, ipntr[11] = {};
  std::vector<double> v, workd, workl, resid;
};

constexpr auto kLargest = arpack::which::largest_algebraic;
constexpr auto kStandard = arpack::bmat::identity;

[[noreturn]] void fail(const char* routine, a_int info) {
  throw Error(ErrorKind::numerical, "truncated_svd",
              std::string(routine) + " ended with info " + std::to_string(info),
              "use the engine dense_gram, or report the operator");
}

a_int lworkl(const Workspace& w) { return static_cast<a_int>(w.workl.size()); }

/// Runs the reverse communication to its end; returns whether all wanted values converged.
template <class Operator>
bool iterate(Workspace& w, Operator& gram, const TruncatedSvdOptions& options) {
  w.iparam[0] = 1;  // exact shifts
  w.iparam[2] = static_cast<a_int>(std::min<Index>(options.max_restarts, std::numeric_limits<a_int>::max()));
  w.iparam[3] = 1;          // block size
  w.iparam[6] = 1;          // the standard problem
  a_int ido = 0, info = 1;  // 1: start from resid
  for (;;) {
    arpack::saupd(ido, kStandard, w.n, kLargest, w.nev, options.tolerance, w.resid.data(), w.ncv, w.v.data(),
                  w.n, w.iparam, w.ipntr, w.workd.data(), w.workl.data(), lworkl(w), info);
    if (ido != 1 && ido != -1) break;
    Interruption::poll();
    const std::span<double> work(w.workd);
    gram.apply(work.subspan(size(w.ipntr[0] - 1), size(w.n)), work.subspan(size(w.ipntr[1] - 1), size(w.n)));
  }
  if (info < 0) fail("dsaupd", info);
  return w.iparam[4] >= w.nev;
}

/// The converged Ritz vectors with their values, leading first.
std::vector<double> ritz_vectors(Workspace& w, const TruncatedSvdOptions& options,
                                 std::vector<double>& values) {
  values.resize(size(w.nev));
  std::vector<double> vectors(size(Index{w.n} * w.nev));
  std::vector<a_int> select(size(w.ncv), 1);
  a_int info = 0;
  arpack::seupd(1, arpack::howmny::ritz_vectors, select.data(), values.data(), vectors.data(), w.n, 0.0,
                kStandard, w.n, kLargest, w.nev, options.tolerance, w.resid.data(), w.ncv, w.v.data(), w.n,
                w.iparam, w.ipntr, w.workd.data(), w.workl.data(), lworkl(w), info);
  if (info != 0) fail("dseupd", info);
  const Index count = w.iparam[4];
  vectors.resize(size(w.n * count));
  Matrix columns(vectors.data(), w.n, count);
  columns.rowwise().reverseInPlace();
  values.resize(size(count));
  std::reverse(values.begin(), values.end());
  return vectors;
}

}  // namespace

namespace {

void check(Index count, Index longer, const TruncatedSvdOptions& options, const char* who) {
  if (!(options.tolerance >= 0.0 && options.tolerance < 1.0) || options.max_restarts < 1)
    throw Error(ErrorKind::usage, who,
                "tolerance = " + std::to_string(options.tolerance) +
                    ", max_restarts = " + std::to_string(options.max_restarts),
                "a tolerance in [0, 1) and at least one restart");
  const Index basis = std::max<Index>(2 * count + 1, 20);
  if (std::max(longer, basis * (basis + 8)) > std::numeric_limits<a_int>::max())
    throw Error(ErrorKind::usage, who,
                "count = " + std::to_string(count) + " with a side of " + std::to_string(longer),
                "ARPACK counts in 32 bits here; ask for fewer triplets");
}

/// Beside the basis the answer: its vectors of either side, and a copy of one while they are made.
void expect_room(Index longer, Index side, Index count) {
  const auto numbers = [](Index length, Index vectors) {
    return static_cast<double>(length) * static_cast<double>(vectors);
  };
  const Index basis = std::max<Index>(2 * count + 1, 20);
  expect_memory(sizeof(double) * (numbers(side, basis + 2 * count) + numbers(longer, count)), "spectral",
                "a decomposition of " + std::to_string(count) + " values of a " + std::to_string(longer) +
                    " x " + std::to_string(side) + " matrix",
                "limit the rank (algorithm.rank), or take algorithm.use = frank-wolfe");
}

Workspace started(Index side, Index count, RandomStream& stream) {
  Workspace work(static_cast<a_int>(side), static_cast<a_int>(count));
  work.resid.resize(size(side));
  stream.fill_normal(work.resid);
  Vector(work.resid.data(), side).normalize();
  return work;
}

}  // namespace

TruncatedSvd arpack_svd(const ShorterSide& b, Index count, const TruncatedSvdOptions& options,
                        RandomStream& stream) {
  check(count, b.longer(), options, "truncated_svd");
  expect_room(b.longer(), b.shorter(), count);
  Workspace work = started(b.shorter(), count, stream);

  const ArpackTurn turn;
  ScaledGram gram(b, work.resid);
  if (gram.zero()) return zero_triplets(b, count);
  const bool converged = iterate(work, gram, options);
  TruncatedSvd result;
  if (work.iparam[4] > 0) {
    std::vector<double> squares, vectors = ritz_vectors(work, options, squares);
    const auto found = static_cast<Index>(vectors.size()) / b.shorter();
    result = triplets_of_ritz_vectors(b, found, std::move(vectors));
  }
  result.matvecs = b.matvecs();
  result.converged = converged;
  return result;
}

TruncatedSvd arpack_eigen(const LinearOperator& a, Index count, const TruncatedSvdOptions& options,
                          RandomStream& stream) {
  check(count, a.rows(), options, "truncated_eigen");
  expect_room(a.rows(), a.rows(), count);
  Workspace work = started(a.rows(), count, stream);
  const ArpackTurn turn;
  ScaledSymmetric scaled(a, work.resid);
  TruncatedSvd result;
  if (scaled.zero()) {
    result.count = count;
    result.s.assign(size(count), 0.0);
    result.u.assign(size(a.rows() * count), 0.0);
    Matrix(result.u.data(), a.rows(), count).setIdentity();
  } else {
    result.converged = iterate(work, scaled, options);
    if (work.iparam[4] > 0) result.u = ritz_vectors(work, options, result.s);
    for (double& value : result.s) value *= scaled.scale();
    result.count = static_cast<Index>(result.s.size());
  }
  result.v = result.u;
  result.matvecs = scaled.products();
  return result;
}

}  // namespace claros::detail

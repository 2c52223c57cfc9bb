// SPDX-License-Identifier: BSD-3-Clause
#include <shared/spectral/shrinkage.hpp>

#include <claros/error.hpp>
#include <claros/map/element_operator.hpp>
#include <claros/memory_limits.hpp>
#include <shared/spectral/symmetric_part.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

namespace claros {

namespace {

/// Triplets beyond those of the last answer: as many as the rank may grow at once, and those that keep the
/// last kept one apart.
constexpr Index kMore = 8, kLeast = 5;
/// From this share of all on, a decomposition of all entries is faster (ARPACK's basis holds twice as many
/// vectors as are wanted).
constexpr Index kShareOfArpack = 5, kShareOfBlock = 3;
/// Points of rank up to so many times what is asked for are decomposed by a block of that width.
constexpr Index kShareOfRank = 3, kKrylov = 24;
/// Sides up to this are always decomposed in full.
constexpr Index kSmallSide = 32;
constexpr Index kVerification = 2000;
/// The values that a step of a sequence computes first if all values are out of reach, and the sweeps that it
/// takes. Once the sum of the values has settled to kSameSum of itself, ranks double. They do so up to kFast,
/// or to factors of so many numbers for each entry of the data, and grow by kMore from there.
constexpr Index kFirst = 16, kFewSweeps = 4, kFast = 64;
constexpr double kNumbersPerEntry = 0.5, kSameSum = 0.05;
/// The limit for a point that belongs to no sequence: at most so many numbers, beyond which an error bound
/// has to do.
constexpr double kMostNumbersPerEntry = 2.0;

double squares(std::span<const double> values) {
  double sum = 0.0;
  for (const double value : values) sum += value * value;
  return sum;
}

/// The distance by which a backward stable decomposition may move the matrix of these values.
double rounding(std::span<const double> values, Index side) {
  constexpr double kFactor = 4.0;
  return kFactor * std::numeric_limits<double>::epsilon() *
         std::sqrt(static_cast<double>(side) * squares(values));
}

/// How far V is from the matrix whose answer was given, where all values are known: ||max(s - threshold,
/// 0)||, s the values left out.
double beyond(double threshold, std::span<const double> left_out) {
  double sum = 0.0;
  for (const double value : left_out) sum += std::pow(std::max(value - threshold, 0.0), 2);
  return std::sqrt(sum);
}

/// The columns of factors and the entries that are not 0; the sides if there is anything else.
Index most_rank(const Element& v) {
  const Index side = std::min(v.shape().rows, v.shape().cols);
  Index most = 0;
  for (const Part& part : v.parts()) {
    if (const auto* low = std::get_if<LowRankForm>(&part.form))
      most += static_cast<Index>(low->weights.size());
    else if (const auto* sparse = std::get_if<SparseForm>(&part.form))
      most += std::ranges::count_if(sparse->values.view(), [](double value) { return value != 0.0; });
    else
      return side;
    if (most >= side) return side;
  }
  return most;
}

/// The rank at which factors hold so many numbers for each number of V's that is no factor's.
Index fitting_rank(const Element& v, double numbers) {
  const Shape shape = v.shape();
  double entries = 0.0;
  for (const Part& part : v.parts()) {
    if (std::holds_alternative<LowRankForm>(part.form)) continue;
    const auto* sparse = std::get_if<SparseForm>(&part.form);
    entries += sparse ? static_cast<double>(sparse->pattern->entries()) : static_cast<double>(shape.size());
  }
  return static_cast<Index>(std::min(numbers * entries / static_cast<double>(shape.rows + shape.cols),
                                     static_cast<double>(std::min(shape.rows, shape.cols))));
}

/// The most values that a step of a sequence computes if all values are out of reach. Its rank grows from
/// that of the last if that has `settled`, and slowly once its factors hold about as many numbers as the
/// data. Most steps are then cheap, and noise does not fill the rank while the first values are far from
/// their limits.
Index most_values(const Element& v, Index last, bool settled) {
  if (!settled) return std::max(kFirst, (last + 7) / 8 * 8);
  const Index fast = std::max(fitting_rank(v, kNumbersPerEntry), kFast),
              doubled = std::max(kFirst, (2 * last + 7) / 8 * 8);
  return std::max(std::min(doubled, fast), (last + kMore + 7) / 8 * 8);
}

/// U diag(values) V' of the leading triplets.
Element low_rank_of(const Shape& shape, const TruncatedSvd& svd, std::span<const double> values) {
  if (values.empty()) return Element(shape);
  const auto leading = [&](const std::vector<double>& side, Index length) {
    return Buffer(
        std::vector<double>(side.begin(), side.begin() + length * static_cast<Index>(values.size())));
  };
  auto store = std::make_shared<FactorStore>(shape.rows, shape.cols, leading(svd.u, shape.rows),
                                             leading(svd.v, shape.cols));
  return Element::low_rank(std::move(store), {values.begin(), values.end()});
}

/// ||A v_i - s_i u_i||_F or ||A'u_i - s_i v_i||_F over the first `count` triplets: of the equation that does
/// not hold by construction.
double residual(const LinearOperator& A, const TruncatedSvd& svd, Index count, bool of_left) {
  const Index from = of_left ? A.rows() : A.cols(), to = of_left ? A.cols() : A.rows();
  const auto& input = of_left ? svd.u : svd.v;
  const auto& output = of_left ? svd.v : svd.u;
  std::vector<double> image(at(to * count));
  const auto block = std::span(input).first(at(from * count));
  of_left ? A.apply_adjoint_block(block, count, image) : A.apply_block(block, count, image);
  double sum = 0.0;
  for (Index k = 0; k < count; ++k)
    for (Index i = 0; i < to; ++i)
      sum += std::pow(image[at(k * to + i)] - svd.s[at(k)] * output[at(k * to + i)], 2);
  return std::sqrt(sum);
}

TruncatedSvd all_values(const LinearOperator& V, bool symmetric) {
  if (symmetric) return dense_eigen(V);
  expect_memory(3.0 * sizeof(double) * static_cast<double>(V.rows()) * static_cast<double>(V.cols()),
                "spectral",
                "a decomposition of all entries of a " + std::to_string(V.rows()) + " x " +
                    std::to_string(V.cols()) + " matrix",
                "limit the rank (algorithm.rank), or take algorithm.use = frank-wolfe");
  std::vector<double> entries(at(V.rows() * V.cols()));
  V.entries(entries);
  return dense_svd(V.rows(), V.cols(), entries);
}

}  // namespace

struct SpectralShrinkage::Decomposition {
  TruncatedSvd svd;
  bool whole = false;    ///< all values are there
  bool of_left = false;  ///< which residual is not 0 by construction
  Index kept = 0;        ///< triplets of the answer
};

SpectralShrinkage::Decomposition SpectralShrinkage::decompose(const LinearOperator& V, Index most,
                                                              Index count, Index leading, bool bounded,
                                                              const Accuracy& accuracy) {
  const Index side = std::min(V.rows(), V.cols());
  const bool symmetric = spectrum_ == Spectrum::symmetric, transposed = V.cols() > V.rows();
  Decomposition d;
  d.whole = !bounded &&
            (side <= kSmallSide || count * (accuracy.sequence ? kShareOfBlock : kShareOfArpack) >= side);
  if (d.whole) return d.svd = all_values(V, symmetric), d;
  if (accuracy.sequence) {
    BlockSvd::Options options{.count = count, .leading = leading};
    if (bounded) options.sweeps = kFewSweeps;
    d.svd = block_.solve(V, spectrum_, options, stream_);
    d.of_left = transposed;
    return d;
  }
  d.of_left = transposed;
  // A block as wide as the rank has the whole range after one product. ARPACK's Krylov spaces would be
  // exhausted there, and it would go on from a vector of its own, drawn from numbers that the process shares.
  if (most <= std::max(kShareOfRank * count + kMore, kKrylov))
    return d.svd = BlockSvd().solve(V, spectrum_,
                                    {.count = std::clamp(most, count, side),
                                     .leading = leading,
                                     .settled = accuracy.tolerance,
                                     .sweeps = 4},
                                    stream_),
           d;
  TruncatedSvdOptions options;
  options.tolerance = accuracy.tolerance;
  d.svd = symmetric ? truncated_eigen(V, count, options, stream_)
                    : truncated_svd(V, count, SpectralEngine::arpack, options, stream_);
  d.of_left = !transposed;
  d.whole = d.svd.count == 0;  // no pair converged
  if (d.whole) d.svd = all_values(V, symmetric);
  return d;
}

/// The arguments of a call of `apply`.
struct SpectralShrinkage::Asked {
  Asked(const Accuracy& a, Index side)
      : limited(a.rank > 0 && a.on_insufficient_rank != OnInsufficientRank::raise),
        raised(a.rank > 0 ? a.on_insufficient_rank == OnInsufficientRank::raise : !a.sequence),
        stopped(limited && a.on_insufficient_rank == OnInsufficientRank::stop),
        verified(a.certify || raised || stopped),
        more(limited ? 1 : kMore) {
    if (a.rank > side)
      throw Error(ErrorKind::usage, "rank",
                  std::to_string(a.rank) + " of a matrix whose shorter side is " + std::to_string(side),
                  "at most that; 0 leaves the choice to the oracle");
  }
  /// Blocks come in eights, as the loops do.
  Index count(Index rank, bool blocks) const { return blocks ? (rank + kLeast + 7) / 8 * 8 : rank + more; }

  bool limited;   ///< the answer has at most the rank asked for
  bool raised;    ///< until it is proved that no value was missed
  bool stopped;   ///< or else refused
  bool verified;  ///< true if anything is proved
  Index more;     ///< triplets beyond the rank
};

Certificate SpectralShrinkage::apply(const Element& v, const Rule& rule, Element& x,
                                     const Accuracy& accuracy) {
  const Shape shape = v.shape();
  if (spectrum_ == Spectrum::symmetric && shape.rows != shape.cols)
    throw Error(ErrorKind::usage, rule.who,
                "a point of " + std::to_string(shape.rows) + " x " + std::to_string(shape.cols) +
                    ", where symmetric matrices are square",
                "take a set of matrices of any shape, such as nuclear-ball");
  const ElementOperator own(v);
  const Index side = std::min(shape.rows, shape.cols),
              most = std::min(side, (spectrum_ == Spectrum::symmetric ? 2 : 1) * most_rank(own.element()));
  const Asked asked(accuracy, side);
  std::optional<SymmetricPart> symmetric;
  if (spectrum_ == Spectrum::symmetric) symmetric.emplace(own);
  const LinearOperator& V = symmetric ? static_cast<const LinearOperator&>(*symmetric) : own;

  const bool far = accuracy.rank == 0 && is_full_svd_out_of_reach(shape), bounded = far && accuracy.sequence;
  const Index last =
      bounded ? std::min(side, most_values(own.element(), rank_, settled_))
      : far ? std::clamp(fitting_rank(own.element(), kMostNumbersPerEntry), kFast, side / kShareOfArpack - 1)
            : side;
  Certificate certificate;
  Index rank = certificate.asked =
      accuracy.rank > 0
          ? accuracy.rank
          : std::clamp<Index>(rank_, std::min<Index>(bounded ? kFirst - kLeast : 2, side), side);
  for (;;) {
    const Index count = std::min(asked.count(rank, accuracy.sequence), last);
    Decomposition d = decompose(V, most, count, std::min(rank, count), bounded, accuracy);
    certificate.singular_pairs += d.svd.count;
    certificate.products += d.svd.matvecs;
    kept_.assign(d.svd.s.begin(),
                 d.svd.s.begin() + (asked.limited ? std::min(rank, d.svd.count) : d.svd.count));
    const std::size_t taken = kept_.size();
    const double threshold = rule.shrink(kept_);
    d.kept = static_cast<Index>(
        std::count_if(kept_.begin(), kept_.end(), [](double value) { return value != 0.0; }));
    if (threshold <= 0.0 && !asked.limited && left_inside(v, d, rule.inside)) {
      kept_.clear();
      x = v;
      if (x.columns() > side) x.recompress(0.0);
      certificate.exact = true;
      certificate.error = 0.0;
      certificate.rank = x.columns();
      return certificate;
    }
    // The first value that the answer does not hold, where one was computed beyond those that it may hold.
    const bool in_sight = taken < d.svd.s.size()
                              ? d.svd.s[taken] <= threshold
                              : d.whole || d.svd.count == side || d.svd.s.back() <= threshold;
    bool missed = !in_sight;
    certificate.exact = d.whole && in_sight;
    certificate.error = d.whole && rule.nonexpansive
                            ? beyond(threshold, std::span(d.svd.s).subspan(taken)) + rounding(d.svd.s, side)
                            : 0.0;
    const bool most_of_all = last < side && count == last;
    if (!d.whole && asked.verified && (in_sight || asked.limited || most_of_all))
      missed = verify(v, V, d, threshold, rule, accuracy, certificate);
    if (missed && asked.stopped)
      throw Error(ErrorKind::numerical, rule.who,
                  "an answer of rank " + std::to_string(accuracy.rank) +
                      " is not proved to be exact: a value above the threshold may have been left out",
                  "raise algorithm.rank, take shorter steps or larger batches, or set algorithm.uncertified "
                  "= raise or continue");
    if (!missed || asked.limited || most_of_all || (in_sight && !asked.raised)) {
      kept_.resize(at(d.kept));  // the others are 0
      x = low_rank_of(shape, d.svd, kept_);
      const double sum = std::accumulate(kept_.begin(), kept_.end(), 0.0,
                                         [](double all, double value) { return all + std::abs(value); });
      settled_ = bounded && std::abs(sum - sum_) <= kSameSum * sum;
      rank_ = d.kept;
      sum_ = bounded ? sum : 0.0;
      certificate.rank = x.columns();
      return certificate;
    }
    rank = std::min(side, rank + std::max(kMore, rank / 2));
  }
}

bool SpectralShrinkage::left_inside(const Element& v, const Decomposition& d, double radius) const {
  if (!(radius >= 0.0)) return false;
  double sum = 0.0;
  for (const double value : d.svd.s) sum += std::abs(value);
  if (spectrum_ == Spectrum::symmetric) return d.whole && d.svd.s.back() >= 0.0 && sum <= radius;
  if (d.whole) return sum <= radius;
  const auto others = static_cast<double>(std::min(v.shape().rows, v.shape().cols) - d.svd.count);
  const double size = norm(v);
  return sum + std::sqrt(others * std::max(size * size - squares(d.svd.s), 0.0)) <= radius;
}

bool SpectralShrinkage::verify(const Element& v, const LinearOperator& V, const Decomposition& d,
                               double threshold, const Rule& rule, const Accuracy& accuracy,
                               Certificate& certificate) {
  const Index side = std::min(V.rows(), V.cols());
  const bool symmetric = spectrum_ == Spectrum::symmetric;
  // Singular vectors that are kept go to 0, eigenvectors far below the threshold, where they say nothing of
  // the others.
  std::vector<double> removed(d.svd.s.begin(), d.svd.s.begin() + d.kept);
  double magnitude = std::abs(threshold);
  for (const double value : d.svd.s) magnitude = std::max(magnitude, std::abs(value));
  if (symmetric)
    for (double& value : removed) value += 2.0 * magnitude;
  Element rest(v);
  rest.add(-1.0, low_rank_of(v.shape(), d.svd, removed));
  const ElementOperator own(rest);
  std::optional<SymmetricPart> part;
  if (symmetric) part.emplace(own);
  const double slack = accuracy.tolerance * std::sqrt(squares(d.svd.s)),
               others = std::sqrt(static_cast<double>(std::max<Index>(side - d.kept, 1)));
  const Beyond beyond = exceeds(part ? static_cast<const LinearOperator&>(*part) : own, spectrum_,
                                threshold + 0.1 * slack / others, kVerification, confirmation_);
  certificate.products += beyond.matvecs + d.kept;
  const double excess = std::max(beyond.largest - threshold, 0.0),
               error = residual(V, d.svd, d.kept, d.of_left) + others * excess;
  // A rule that jumps at the threshold has to be told on which side every value lies.
  const bool apart = rule.nonexpansive || (beyond.largest <= threshold &&
                                           (d.kept == 0 || d.svd.s[at(d.kept) - 1] >= threshold + slack));
  certificate.exact = beyond.decided && apart && error <= slack;
  if (beyond.decided && rule.nonexpansive) certificate.error = error + rounding(d.svd.s, side);
  return !beyond.decided || others * excess > 0.2 * slack;  // what is not known may have been missed
}

}  // namespace claros

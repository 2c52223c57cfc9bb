// SPDX-License-Identifier: BSD-3-Clause
#include "lines.hpp"

#include <claros/element/parallel.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace claros;

namespace {

constexpr std::size_t kLane = 8;

/// The numbers of one line.
struct Line {
  const std::int32_t* across;
  const float *a, *b;  ///< a: null for 1
  std::size_t entries;
};

#if defined(__GNUC__)
#define CLAROS_INLINE [[gnu::always_inline]] inline
#else
#define CLAROS_INLINE inline
#endif

/// Eight numbers, which the compiler keeps in registers of the instruction set.
typedef float Eight [[gnu::vector_size(kLane * sizeof(float))]];

/// <x, y>, in eight partial sums.
CLAROS_INLINE float dot(const float* x, const float* y, std::size_t width) {
  float sums[kLane] = {};
  for (std::size_t l = 0; l < width; l += kLane)
    for (std::size_t q = 0; q < kLane; ++q) sums[q] += x[l + q] * y[l + q];
  return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
}

/// A_kl <- A_kl + sum_e a_e v_ek v_el for k and l in blocks of eight from `row` and `col` on.
CLAROS_INLINE void add_block(const Line& line, const float* V, std::size_t width, std::size_t row,
                             std::size_t col, float* A) {
  Eight sum[kLane];
  for (std::size_t q = 0; q < kLane; ++q) std::memcpy(&sum[q], A + (row + q) * width + col, sizeof(Eight));
  for (std::size_t e = 0; e < line.entries; ++e) {
    const float* v = V + static_cast<std::size_t>(line.across[e]) * width;
    Eight x;
    std::memcpy(&x, v + col, sizeof x);
    if (line.a) x *= line.a[e];
    for (std::size_t q = 0; q < kLane; ++q) sum[q] += v[row + q] * x;
  }
  for (std::size_t q = 0; q < kLane; ++q) std::memcpy(A + (row + q) * width + col, &sum[q], sizeof(Eight));
}

/// A <- A + sum_e a_e v_e v_e' in the blocks on and above the diagonal, right <- right + b_e v_e.
CLAROS_INLINE void add_entries(const Line& line, const float* V, std::size_t width, float* A, float* right) {
  for (std::size_t e = 0; e < line.entries; ++e) {
    const float* v = V + static_cast<std::size_t>(line.across[e]) * width;
    for (std::size_t l = 0; l < width; ++l) right[l] += line.b[e] * v[l];
  }
  for (std::size_t row = 0; row < width; row += kLane)
    for (std::size_t col = row; col < width; col += kLane) add_block(line, V, width, row, col, A);
}

/// u <- A^{-1} u by A = R'R, R in the place of A. False if a pivot is rounding.
CLAROS_INLINE bool solve_symmetric(std::size_t width, float* A, float* u) {
  constexpr float kLeast = 1e-6F;
  for (std::size_t k = 0; k < width; ++k) {
    float* row = A + k * width;
    const std::size_t first = k / kLane * kLane;
    if (u[width + k] == 0.0F) {  // no entry and no penalty sees the factor
      std::fill(row + first, row + width, 0.0F);
      row[k] = 1.0F;
      u[k] = 0.0F;
      continue;
    }
    if (!(row[k] > kLeast * u[width + k])) return false;
    const float pivot = std::sqrt(row[k]);
    for (std::size_t l = first; l < width; ++l) row[l] /= pivot;
    row[k] = pivot;
    u[k] /= pivot;
    for (std::size_t r = k + 1; r < width; ++r) {
      const float c = row[r];
      float* next = A + r * width;
      u[r] -= c * u[k];
      for (std::size_t l = r / kLane * kLane; l < width; ++l) next[l] -= c * row[l];
    }
  }
  for (std::size_t k = width; k-- > 0;) {
    u[k] /= A[k * width + k];
    for (std::size_t r = 0; r < k; ++r) u[r] -= A[r * width + k] * u[k];
  }
  return true;
}

/// y <- G x + sum_e a_e v_e <v_e, x>.
CLAROS_INLINE void multiply(const Line& line, const float* V, const float* G, std::size_t width,
                            const float* x, float* y) {
  std::fill(y, y + width, 0.0F);
  for (std::size_t k = 0; k < width; ++k)
    for (std::size_t l = 0; l < width; ++l) y[l] += x[k] * G[k * width + l];
  for (std::size_t e = 0; e < line.entries; ++e) {
    const float* v = V + static_cast<std::size_t>(line.across[e]) * width;
    const float c = (line.a ? line.a[e] : 1.0F) * dot(v, x, width);
    for (std::size_t l = 0; l < width; ++l) y[l] += c * v[l];
  }
}

/// A few steps of conjugate gradients from u. `room` holds four times the width.
CLAROS_INLINE void improve_line(const Line& line, const float* V, const float* G, std::size_t width,
                                float* room, float* u) {
  constexpr int kSteps = 3;
  float *r = room, *p = room + width, *q = room + 2 * width;
  multiply(line, V, G, width, u, q);
  for (std::size_t l = 0; l < width; ++l) r[l] = -q[l];
  for (std::size_t e = 0; e < line.entries; ++e) {
    const float* v = V + static_cast<std::size_t>(line.across[e]) * width;
    for (std::size_t l = 0; l < width; ++l) r[l] += line.b[e] * v[l];
  }
  std::copy(r, r + width, p);
  float square = dot(r, r, width);
  for (int step = 0; step < kSteps && square > 0.0F; ++step) {
    multiply(line, V, G, width, p, q);
    const float curvature = dot(p, q, width);
    if (!(curvature > 0.0F)) return;
    const float length = square / curvature;
    for (std::size_t l = 0; l < width; ++l) u[l] += length * p[l];
    for (std::size_t l = 0; l < width; ++l) r[l] -= length * q[l];
    const float next = dot(r, r, width), turn = next / square;
    for (std::size_t l = 0; l < width; ++l) p[l] = r[l] + turn * p[l];
    square = next;
  }
}

/// The numbers that a line of so many factors needs besides its own.
std::size_t room_of(std::size_t width) { return width * width + 4 * width; }

/// u <- the solution for a line; from u, if it is made by a few steps.
CLAROS_INLINE void solve_line_in(const Line& line, const float* V, const float* G, std::size_t width,
                                 float* room, float* u) {
  if (width > Lines::kExact) return improve_line(line, V, G, width, room, u);
  float *A = room, *right = room + width * width;
  // A ridge that float does not see is made larger until it does.
  for (float more = 0.0F; more <= 1.0F; more = std::max(1e-4F, 10.0F * more)) {
    std::copy(G, G + width * width, A);
    std::fill(right, right + width, 0.0F);
    add_entries(line, V, width, A, right);
    for (std::size_t k = 0; k < width; ++k) right[width + k] = A[k * width + k] *= 1.0F + more;
    if (solve_symmetric(width, A, right)) break;
  }
  std::copy(right, right + width, u);
}

using SolveLine = void (*)(const Line&, const float*, const float*, std::size_t, float*, float*);

void baseline(const Line& line, const float* V, const float* G, std::size_t width, float* room, float* u) {
  solve_line_in(line, V, G, width, room, u);
}
#if defined(__GNUC__) && defined(__x86_64__)
[[gnu::target("avx2")]] void avx2(const Line& line, const float* V, const float* G, std::size_t width,
                                  float* room, float* u) {
  solve_line_in(line, V, G, width, room, u);
}
SolveLine solver(InstructionSet set) { return set == InstructionSet::baseline ? baseline : avx2; }
#else
SolveLine solver(InstructionSet) { return baseline; }
#endif

}  // namespace

Lines Lines::rows(const Pattern& pattern, std::span<const double> a, std::span<const double> b) {
  Lines lines;
  lines.start_.assign(pattern.row_start().begin(), pattern.row_start().end());
  lines.across_.assign(pattern.col().begin(), pattern.col().end());
  lines.a_.assign(a.begin(), a.end());
  if (std::ranges::all_of(lines.a_, [](float w) { return w == 1.0F; })) lines.a_ = {};
  lines.b_.assign(b.begin(), b.end());
  return lines;
}

Lines Lines::columns(const Pattern& pattern, std::span<const double> a, std::span<const double> b) {
  const Lines by_rows = rows(pattern, a, b);
  Lines lines;
  lines.start_.assign(static_cast<std::size_t>(pattern.cols()) + 1, 0);
  for (const std::int32_t j : pattern.col()) ++lines.start_[static_cast<std::size_t>(j) + 1];
  for (std::size_t j = 1; j < lines.start_.size(); ++j) lines.start_[j] += lines.start_[j - 1];
  std::vector<Index> next(lines.start_.begin(), lines.start_.end() - 1);
  lines.across_.resize(pattern.col().size());
  lines.a_.resize(by_rows.a_.size());
  lines.b_.resize(pattern.col().size());
  for (std::size_t e = 0; e < pattern.col().size(); ++e) {
    const auto to = static_cast<std::size_t>(next[static_cast<std::size_t>(pattern.col()[e])]++);
    lines.across_[to] = pattern.row()[e];
    if (!lines.a_.empty()) lines.a_[to] = by_rows.a_[e];
    lines.b_[to] = by_rows.b_[e];
  }
  return lines;
}

void Lines::solve(std::span<const float> V, std::span<const float> G, std::size_t width, std::span<float> U,
                  InstructionSet set) const {
  constexpr Index kGrain = 64;
  const SolveLine solve_line = solver(set);
  for_chunks(std::ssize(start_) - 1, kGrain, [&](Index, Index first, Index last) {
    std::vector<float> room(room_of(width));
    for (Index i = first; i < last; ++i) {
      const auto begin = static_cast<std::size_t>(start_[static_cast<std::size_t>(i)]),
                 end = static_cast<std::size_t>(start_[static_cast<std::size_t>(i) + 1]);
      float* u = U.data() + static_cast<std::size_t>(i) * width;
      const Line line{across_.data() + begin, a_.empty() ? nullptr : a_.data() + begin, b_.data() + begin,
                      end - begin};
      if (begin < end)
        solve_line(line, V.data(), G.data(), width, room.data(), u);
      else
        std::fill_n(u, width, 0.0F);
    }
  });
}

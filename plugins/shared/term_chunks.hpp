// SPDX-License-Identifier: BSD-3-Clause
/// @file term_chunks.hpp  Objectives whose terms can be summed chunk by chunk, on several ranks.
#pragma once

#include <claros/objective.hpp>
#include <claros/sdk/losses/loss_model.hpp>
#include <claros/watch/watcher.hpp>

#include <algorithm>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

namespace claros::sdk {

/// The sums that constants of the whole are made of.
struct ChunkFacts {
  double trace = 0.0;      ///< sum_i w_i ||a_i||^2
  double component = 0.0;  ///< max_i w_i ||a_i||^2
  double row = 0.0;        ///< max_i ||a_i||
  double least = 0.0;      ///< sum_i inf f_i, or NaN if that is not known
};

/// Consecutive terms of an objective. Functions add sums, not means; arrays have all coordinates,
/// column-major. Terms are counted from the first of the chunk. No image is kept in a point.
class TermChunk {
 public:
  TermChunk() = default;
  virtual ~TermChunk() = default;
  TermChunk(const TermChunk&) = delete;
  TermChunk& operator=(const TermChunk&) = delete;

  /// sum_i f_i(x)
  virtual double value(const Element& x) = 0;
  /// g += a sum_i grad f_i(x); returns the sum of the values.
  virtual double add_gradient(const Element& x, double a, std::span<double> g) = 0;
  /// g += a sum_i grad f_i(x) over listed terms, each as often as it is listed.
  virtual void add_gradient(const Element& x, std::span<const Index> terms, double a,
                            std::span<double> g) = 0;
  /// The mean of the Hessians of all terms, or of listed ones, at a point.
  virtual std::unique_ptr<Hessian> hessian(const Element& at, bool all, std::span<const Index> terms) = 0;
  /// sum_i w_i psi*(a psi'_i(<a_i, x>))
  virtual double conjugate(const Element& x, double a) = 0;
  /// g += a A'diag(w)A v, of vectors of TermChunks::square_size() numbers.
  virtual void add_square(const Element& v, double a, std::span<double> g) = 0;
  virtual ChunkFacts facts() = 0;
  virtual RoundingSums rounding(const Element& x, double unit) = 0;
};

/// Ability of objectives f = (1/n) sum_i f_i whose terms can be had in chunks.
class TermChunks {
 public:
  static constexpr std::string_view kAbility = "claros.term-chunks/2";
  static constexpr std::string_view kWords = "terms in chunks";
  struct Watched;
  virtual ~TermChunks() = default;
  /// The terms [first, first + count), which share the data; they live at most as long as the objective.
  /// Throws Error(usage) if the objective is more than a sum of terms.
  virtual std::unique_ptr<TermChunk> chunk(Index first, Index count) = 0;
  /// Called after the last `chunk`: rows that no chunk holds may be given back. The methods below are still
  /// called.
  virtual void release() {}
  /// The constants of f, given the facts of all terms. `eigenvalue` is not below the largest one of
  /// A'diag(w)A/n; it is unused if the smoothness is not known.
  virtual Constants constants_of(const ChunkFacts& all, double eigenvalue) const = 0;
  /// The side of A'diag(w)A; for terms of several outputs, that of one output.
  virtual Index square_size() const = 0;
  /// True if that eigenvalue is used.
  virtual bool needs_eigenvalue() const = 0;
  /// True if `conjugate` gives lower bounds: f is convex, and no coordinate is free.
  virtual bool has_dual() const = 0;
  /// A number of sizes, entries, targets and weights: ranks whose data differ have different ones, as a rule.
  virtual Index fingerprint() const = 0;
};

/// Contained and not timed: chunks are summed by several threads, in a call of the objective that holds them.
class WatchedChunk final : public TermChunk {
 public:
  WatchedChunk(std::unique_ptr<TermChunk> inner, Watch watch)
      : inner_(std::move(inner)), watch_(std::move(watch)) {}
  double value(const Element& x) override {
    return contain(watch_, [&] { return inner_->value(x); });
  }
  double add_gradient(const Element& x, double a, std::span<double> g) override {
    return contain(watch_, [&] { return inner_->add_gradient(x, a, g); });
  }
  void add_gradient(const Element& x, std::span<const Index> terms, double a, std::span<double> g) override {
    contain(watch_, [&] { inner_->add_gradient(x, terms, a, g); });
  }
  std::unique_ptr<Hessian> hessian(const Element& at, bool all, std::span<const Index> terms) override {
    return contain(watch_, [&] { return inner_->hessian(at, all, terms); });
  }
  double conjugate(const Element& x, double a) override {
    return contain(watch_, [&] { return inner_->conjugate(x, a); });
  }
  void add_square(const Element& v, double a, std::span<double> g) override {
    contain(watch_, [&] { inner_->add_square(v, a, g); });
  }
  ChunkFacts facts() override {
    return contain(watch_, [&] { return inner_->facts(); });
  }
  RoundingSums rounding(const Element& x, double unit) override {
    return contain(watch_, [&] { return inner_->rounding(x, unit); });
  }

 private:
  std::unique_ptr<TermChunk> inner_;
  Watch watch_;
};

struct TermChunks::Watched final : Watcher<TermChunks> {
  using Watcher::Watcher;
  std::unique_ptr<TermChunk> chunk(Index first, Index count) override {
    return std::make_unique<WatchedChunk>(contain(watch_, [&] { return inner_.chunk(first, count); }),
                                          watch_);
  }
  void release() override {
    contain(watch_, [&] { inner_.release(); });
  }
  Constants constants_of(const ChunkFacts& all, double eigenvalue) const override {
    return contain(watch_, [&] { return inner_.constants_of(all, eigenvalue); });
  }
  Index square_size() const override {
    return contain(watch_, [&] { return inner_.square_size(); });
  }
  bool needs_eigenvalue() const override {
    return contain(watch_, [&] { return inner_.needs_eigenvalue(); });
  }
  bool has_dual() const override {
    return contain(watch_, [&] { return inner_.has_dual(); });
  }
  Index fingerprint() const override {
    return contain(watch_, [&] { return inner_.fingerprint(); });
  }
};

}  // namespace claros::sdk

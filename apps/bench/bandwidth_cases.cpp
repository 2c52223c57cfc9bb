// SPDX-License-Identifier: BSD-3-Clause
// Gradients over dense rows beside reading the same memory, in the same run and by as many threads.
#include "cases.hpp"
#include "child.hpp"
#include "problems.hpp"

#include <claros/element/element.hpp>
#include <claros/element/parallel.hpp>
#include <claros/map/design_map.hpp>
#include <claros/random.hpp>
#include <shared/losses/gaussian_rows.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

namespace bench {

using namespace claros;

namespace {

constexpr Index kBatch = 100;

/// The sum of all bytes as words, by sums that do not wait for each other.
std::uint64_t sum_of(const void* from, std::size_t bytes) {
  std::array<std::uint64_t, 32> sums{};
  const auto* words = static_cast<const std::uint64_t*>(from);
  for (std::size_t k = 0; k + sums.size() <= bytes / 8; k += sums.size())
    for (std::size_t l = 0; l < sums.size(); ++l) sums[l] += words[k + l];
  return std::accumulate(sums.begin(), sums.end(), std::uint64_t{0});
}

/// Seconds of each work, the median of `repeats` by turns, since the pace of a shared machine changes.
std::vector<double> medians(const std::vector<std::function<void()>>& works, int repeats) {
  std::vector<std::vector<double>> seconds(works.size());
  for (int k = 0; k <= repeats; ++k)
    for (std::size_t w = 0; w < works.size(); ++w) {
      const double took = seconds_of(works[w]);
      if (k > 0) seconds[w].push_back(took);  // the first touches memory
    }
  std::vector<double> result;
  for (auto& some : seconds) result.push_back(median(some));
  return result;
}

template <class Real>
class Case {
 public:
  Case(Index rows, Index cols) {
    auto design = std::make_shared<Design>();
    design->rows = rows;
    design->cols = cols;
    design->response.resize(static_cast<std::size_t>(rows));
    design->entries = sdk::made_rows<Real>(
        rows, cols, [&](Index i, std::span<double> row) { sdk::row_stream(1, 1, i, cols).fill_normal(row); });
    design_ = design;
    map_ = std::make_shared<DesignMap>(design, Shape::vector(cols));
    x_ = Element::dense(Shape::vector(cols), std::vector<double>(static_cast<std::size_t>(cols), 0.01));
    z_.resize(static_cast<std::size_t>(rows));
    g_.resize(static_cast<std::size_t>(cols));
    RandomStream random(1, Purpose::test);
    for (int batch = 0; batch < 64; ++batch) {
      auto& list = batches_.emplace_back();
      for (Index k = 0; k < kBatch; ++k) list.push_back(random.index(rows));
    }
  }

  void print(int threads, int repeats) {
    const ThreadScope scope(threads);
    const auto bytes = static_cast<double>(design_->rows * design_->cols) * sizeof(Real);
    const std::vector<double> took = medians(
        {[this] { read(); }, [this] { full(); }, [this] { read_batches(); }, [this] { add_batches(); }},
        repeats);
    const double batches = static_cast<double>(batches_.size());
    fmt::print(
        "  {:>6} x {:<6} {:<6} {} thread{}  read {:>5.1f} GB/s, full gradient {:>5.1f} GB/s: {:>3.0f}%;  "
        "rows of a batch {:>7.3f} ms, its gradient {:>7.3f} ms: {:.2f} x\n",
        design_->rows, design_->cols, sizeof(Real) == 4 ? "float" : "double", threads,
        threads > 1 ? "s" : " ", bytes / took[0] / 1e9, bytes / took[1] / 1e9, 100.0 * took[0] / took[1],
        1e3 * took[2] / batches, 1e3 * took[3] / batches, took[3] / took[2]);
  }

 private:
  const Real* row(Index i) const {
    return std::get<DenseRows<Real>>(design_->entries).view().data() + i * design_->cols;
  }
  std::size_t row_bytes() const { return static_cast<std::size_t>(design_->cols) * sizeof(Real); }

  void read() {
    for_chunks(design_->rows, 64, [&](Index, Index first, Index last) {
      seen_ += sum_of(row(first), static_cast<std::size_t>(last - first) * row_bytes());
    });
  }
  void full() {
    std::fill(g_.begin(), g_.end(), 0.0);
    map_->round_trip(
        x_,
        [](Index, std::span<const double> z, std::span<double> c) {
          std::copy(z.begin(), z.end(), c.begin());
        },
        z_, g_);
  }
  void read_batches() {
    for (const auto& batch : batches_)
      for_chunks(kBatch, 8, [&](Index, Index first, Index last) {
        for (Index k = first; k < last; ++k)
          seen_ += sum_of(row(batch[static_cast<std::size_t>(k)]), row_bytes());
      });
  }
  void add_batches() {
    const auto identity = [](Index, std::span<const double> z, std::span<double> c) {
      std::copy(z.begin(), z.end(), c.begin());
    };
    std::vector<double> c(static_cast<std::size_t>(kBatch));
    for (const auto& batch : batches_) {
      Element g = Element::dense(x_.shape(), std::vector<double>(g_.size()));
      if (map_->fuses_list(kBatch)) {
        map_->list_trip(batch, x_, identity, g);
      } else {
        map_->dot(batch, x_, c);
        map_->fold(1.0, AdjointForm{map_, {}, batch, c}, g);
      }
    }
  }

  std::shared_ptr<const Design> design_;
  std::shared_ptr<const DesignMap> map_;
  Element x_;
  std::vector<double> z_, g_;
  std::vector<std::vector<Index>> batches_;
  std::atomic<std::uint64_t> seen_ = 0;
};

template <class Real>
void print(Index cols, double megabytes, int repeats) {
  Case<Real> made(std::max<Index>(static_cast<Index>(megabytes * 1e6 / sizeof(Real)) / cols, kBatch), cols);
  for (const int threads : {1, 2}) made.print(threads, repeats);
}

}  // namespace

void bandwidth(int repeats, double megabytes) {
  fmt::print(
      "Gradients of a linear model beside reading its rows, {:.0f} MB of them; a batch is {} random rows\n",
      megabytes, kBatch);
  for (const Index cols : {1000, 5000, 20000, 62500}) {
    print<double>(cols, megabytes, repeats);
    print<float>(cols, megabytes, repeats);
  }
}

}  // namespace bench

// SPDX-License-Identifier: BSD-3-Clause
/// @file design_access.hpp  Access of DesignMap's loops to a point and the rows.
#pragma once

#include "map/design_kernels.hpp"

#include <claros/element/element.hpp>
#include <claros/map/design_map.hpp>

#include <algorithm>
#include <memory>
#include <span>
#include <variant>
#include <vector>

namespace claros::design_access {

/// The numbers of a point, column-major, times `weight`: in place when it is one dense array, else expanded.
/// Lazy values are synchronised first, unless the caller has updated what it reads.
class DensePoint {
 public:
  explicit DensePoint(const Element& x, bool up_to_date = false) {
    if (!up_to_date) x.synchronise();
    const auto* dense = in_place(x);
    if (dense)
      weight_ = x.lazy_parts().front().weight;
    else
      expanded_ = x.to_dense();
    values_ = dense ? dense->values.view() : std::span<const double>(expanded_);
  }
  DensePoint(const DensePoint&) = delete;
  DensePoint& operator=(const DensePoint&) = delete;
  const double* data() const noexcept { return values_.data(); }
  double weight() const noexcept { return weight_; }
  static const DenseForm* in_place(const Element& x) {
    return x.lazy_parts().size() == 1 ? std::get_if<DenseForm>(&x.lazy_parts().front().form) : nullptr;
  }

 private:
  std::vector<double> expanded_;
  std::span<const double> values_;
  double weight_ = 1.0;
};

/// The sizes that every loop needs.
struct Layout {
  Index cols, outputs;
  bool intercept;
  const double* intercepts(const double* x) const { return x + cols * outputs; }
  double* intercepts(double* g) const { return g + cols * outputs; }
};

template <class F>
decltype(auto) with_rows(const Design& design, F f) {
  if (design.source) design.source->require_unchanged();
  return std::visit([&](const auto& rows) { return f(kernels::view(rows, design.cols)); }, design.entries);
}

/// For a design in a file: when the rows [first, last) cross into another window of it, the system is asked
/// for the next ones, so that a pass waits less for the disk.
inline void read_ahead(const Design& design, Index first, Index last) noexcept {
  constexpr std::size_t kWindow = std::size_t{1} << 22U, kAhead = 4 * kWindow;
  if (!design.source || design.source->larger_than_memory()) return;
  const auto ask = [&]<class T>(std::span<const T> all, Index from, Index to) {
    const std::size_t begin = static_cast<std::size_t>(from) * sizeof(T),
                      end = static_cast<std::size_t>(to) * sizeof(T);
    if (begin / kWindow != end / kWindow) design.source->will_read(all.data() + to, kAhead);
  };
  std::visit(
      [&](const auto& rows) {
        const auto entries = rows.view();
        if constexpr (requires { entries.start; }) {
          const Index from = entries.start[static_cast<std::size_t>(first)],
                      to = entries.start[static_cast<std::size_t>(last)];
          ask(entries.value, from, to), ask(entries.column, from, to);
        } else {
          ask(entries, first * design.cols, last * design.cols);
        }
      },
      design.entries);
}

/// The rows of a design for a pass over them in order. If memory does not hold the file, they are copied some
/// MiB at a time. Each mapped page would cost a fault and a search for a page to drop, which takes longer
/// than the disk does.
template <class View>
class Window {
 public:
  Window(const Design& design, const View& all)
      : source_(design.source && design.source->larger_than_memory() ? design.source.get() : nullptr),
        all_(all),
        now_(all) {}
  /// A view whose rows [first, last) may be read, in a pass that ends at row `end`.
  const View& at(Index first, Index last, Index end) {
    if (source_ && (first < from_ || last > to_)) load(all_, first, last, end);
    return now_;
  }

 private:
  static constexpr Index kBytes = Index{1} << 22U;

  template <class Real>
  void load(const kernels::DenseView<Real>& all, Index first, Index last, Index end) {
    const Index many = kBytes / (all.stride * static_cast<Index>(sizeof(Real)));
    from_ = first;
    to_ = std::max(last, std::min(end, first + many));
    now_.values =
        copied(values_, all.values + first * all.stride, (to_ - first) * all.stride) - first * all.stride;
  }
  template <class Real>
  void load(const kernels::SparseView<Real>& all, Index first, Index last, Index end) {
    constexpr Index kEntries = kBytes / static_cast<Index>(sizeof(Real) + sizeof(std::int32_t));
    const Index begin = all.start[first];
    const Index* past = std::upper_bound(all.start + last, all.start + end + 1, begin + kEntries);
    from_ = first;
    to_ = std::max<Index>(last, past - all.start - 1);
    const Index count = all.start[to_] - begin;
    now_.value = copied(values_, all.value + begin, count) - begin;
    now_.column = copied(columns_, all.column + begin, count) - begin;
  }
  template <class T>
  struct Room {
    std::unique_ptr<T[]> values;
    Index size = 0;
  };
  template <class T>
  const T* copied(Room<T>& room, const T* from, Index count) {
    if (room.size < count)
      room = {std::make_unique_for_overwrite<T[]>(static_cast<std::size_t>(count)), count};
    source_->read(from, static_cast<std::size_t>(count) * sizeof(T), room.values.get());
    return room.values.get();
  }

  const DesignSource* source_;
  const View& all_;
  View now_;
  Index from_ = 0, to_ = 0;
  Room<typename View::Value> values_;
  Room<std::int32_t> columns_;
};

inline Layout layout(const DesignMap& map) {
  return {map.design()->cols, map.outputs(), map.has_intercept()};
}

}  // namespace claros::design_access
